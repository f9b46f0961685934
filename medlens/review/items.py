"""The items to be judged: they belong to datasets, and change only by a new version."""

from __future__ import annotations

import hashlib
import json
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import pa, pd
from medlens.errors import InvalidInput
from medlens.review import archiving_of_datasets_rounds_and_runs
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Lookup, Store, new_id, replace_unstorable_characters, stable_ids, to_json
from medlens.tables.check_rows_and_list_refused import pause_garbage_collector


@dataclass(frozen=True)
class NewItem:
    """An item to add under ``name``; ``body`` is what the study stores of it."""

    name: str
    body: Mapping[str, Any] | str


@dataclass(frozen=True)
class Added:
    """The result of an import: new rows, rows already there, rows refused; of items also the ids of
    the new ones.
    """

    added: int
    known: int
    refused: int = 0
    items: tuple[str, ...] = ()


def digest_of_item_body(body: str) -> str:
    """A fingerprint of an item's stored body."""
    return hashlib.sha256(body.encode("utf-8")).hexdigest()


def ids_by_name_made_from_item_names(
    study: str, dataset: str, names: Iterable[str]
) -> dict[str, str]:
    """The ids that items of these names have, or will get when they are added."""
    listed = list(names)
    ids = stable_ids("\x1f".join(("item", study, dataset, name)) for name in listed)
    return dict(zip(listed, ids, strict=True))


_DIGESTS_BY_NAME = Lookup(
    "items.digests_by_name",
    "select name, digest from item_known where study = $study and dataset = $dataset",
)


@pause_garbage_collector()
def add_items(
    store: Store,
    items: Iterable[NewItem],
    *,
    study: str,
    kind: str,
    dataset: str,
    illustrative: bool = False,
    beside: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> Added:
    """Add items, all or nothing; an item that already exists with the same body is skipped.

    ``beside`` holds rows of other tables for the same transaction.

    Raises:
        InvalidInput: an item of that name exists, or comes twice, with another body (items never
            change).
    """
    there: dict[str, str] = dict(store.rows(_DIGESTS_BY_NAME, study=study, dataset=dataset))
    digests: dict[str, str] = {}
    count = 0

    def new() -> Iterator[tuple[str, str, str]]:
        """The name, digest and body of each item that is not there yet."""
        nonlocal count
        for item in items:
            body = (
                replace_unstorable_characters(item.body)
                if isinstance(item.body, str)
                else to_json(item.body)
            )
            digest = digest_of_item_body(body)
            count += 1
            if item.name not in digests:
                digests[item.name] = digest
                if item.name not in there:
                    yield item.name, digest, body
            elif digests[item.name] != digest:
                raise InvalidInput(
                    f"The name {item.name!r} stands for two different items in this file.",
                    hint="Give each item a name of its own.",
                )
        changed = [name for name, digest in digests.items() if there.get(name, digest) != digest]
        if changed:
            raise InvalidInput(
                f"{len(changed)} items are already in the dataset {dataset!r} with a different"
                f" text; the first is {changed[0]!r}.",
                hint="Items change only by being corrected: import into another dataset.",
            )

    made: Iterable[tuple[str, str, str]] = new()
    further: dict[str, Sequence[Mapping[str, Any]]] = dict(beside or {})
    returned: set[str] = set()
    if store.data_version_of_tables("import_undone"):
        # Bodies are held only where some of the items may have to be brought back.
        made = list(made)
        ids = ids_by_name_made_from_item_names(study, dataset, [name for name, _, _ in made])
        given = {ids[name]: (digest, body) for name, digest, body in made}
        further |= make_rows_by_table_that_bring_back_items(store, given)
        returned = {str(row["item"]) for row in further.get("item_withdrawal", ())}
        made = [one for one in made if ids[one[0]] not in returned]

    def pieces() -> Iterator[pa.Table]:
        for some in _in_pieces(made):
            names = [name for name, _, _ in some]
            yield pa.table(
                {
                    "id": list(ids_by_name_made_from_item_names(study, dataset, names).values()),
                    "study": pa.repeat(study, len(some)),
                    "kind": pa.repeat(kind, len(some)),
                    "dataset": pa.repeat(dataset, len(some)),
                    "name": list(map(replace_unstorable_characters, names)),
                    "digest": [digest for _, digest, _ in some],
                    "body": pa.array([body for _, _, body in some], pa.large_string()),
                    "illustrative": pa.repeat(illustrative, len(some)),
                }
            )

    added = store.append_pieces_of_table_and_count_new(
        "item",
        pieces(),
        {table: pa.Table.from_pylist(list(rows)) for table, rows in further.items()},
    )
    fresh = [name for name in digests if name not in there]
    ids = ids_by_name_made_from_item_names(study, dataset, fresh)
    added += len(returned)
    return Added(added, count - added, items=tuple(ids.values()))


_ROWS_OF_A_PIECE, _SIZE_OF_A_PIECE = 4_000, 16 << 20
"""How many rows are made at once, and how many characters they have at most, but for the last."""


def _in_pieces(items: Iterable[tuple[str, str, str]]) -> Iterator[list[tuple[str, str, str]]]:
    held: list[tuple[str, str, str]] = []
    size = 0
    for item in items:
        held.append(item)
        size += len(item[2])
        if size >= _SIZE_OF_A_PIECE or len(held) >= _ROWS_OF_A_PIECE:
            yield held
            held, size = [], 0
    if held:
        yield held


_ITEMS_OF_UNDONE_IMPORTS = Lookup(
    "items.items_of_undone_imports",
    "select w.item, w.study, w.dataset, w.name, w.revision, coalesce(v.digest, i.digest),"
    " coalesce(v.version, 1) from item_withdrawn w left join item i on i.id = w.item"
    " left join (select item, max(version) as version, arg_max(digest, version) as digest"
    " from item_version group by item) v on v.item = i.id"
    " where w.undone and w.item in $items",
    items="items",
)


def make_rows_by_table_that_bring_back_items(
    store: Store, given: Mapping[str, tuple[str, str]]
) -> dict[str, list[dict[str, Any]]]:
    """Rows, by table, that bring back those of the items about to be added (digest and body by id)
    that an undone import had added.
    """
    if not store.data_version_of_tables("import_undone"):
        return {}
    rows = store.rows(
        _ITEMS_OF_UNDONE_IMPORTS,
        items=list(given),
    )
    said = {"reason": "It is imported again.", "made_by": "import"}
    returns = [
        {"id": new_id(), "item": item, "study": study, "dataset": dataset, "name": name}
        | {"revision": revision + 1, "withdrawn": False, **said}
        for item, study, dataset, name, revision, _, _ in rows
    ]
    versions = [
        {"id": new_id(), "item": item, "version": version + 1, "body": given[item][1]}
        | {"digest": given[item][0], "counts": False, **said}
        for item, *_, digest, version in rows
        if digest and digest != given[item][0]
    ]
    both = {"item_withdrawal": returns, "item_version": versions}
    return {table: new for table, new in both.items() if new}


def datasets_of_study(store: Store, study: str, *, archived: bool = False) -> list[dict[str, Any]]:
    """The datasets of a study, newest first: dataset, n, illustrative. With ``archived`` also those
    that leads have put away.
    """
    hidden = (
        frozenset()
        if archived
        else archiving_of_datasets_rounds_and_runs.archived_dataset_names(store, study)
    )
    known = _datasets_by_study(store).get(study, ())
    return [dict(row) for row in known if row["dataset"] not in hidden]


_DATASETS_BY_STUDY = Lookup(
    "items.datasets_by_study",
    "select study, dataset, count(*) filter (withdrawn_at is null) as n,"
    " bool_and(illustrative) as illustrative from item_known"
    " group by study, dataset order by bool_and(illustrative), max(seq) desc",
)


# Cached: every run of a page needs it, for all studies; it reads all items, and it changes only
# when some are added or withdrawn.
@cache_until_tables_grow("item")
def _datasets_by_study(store: Store) -> Mapping[str, Sequence[dict[str, Any]]]:
    rows = store.query_rows_as_dicts(
        _DATASETS_BY_STUDY,
    )
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row.pop("study"), []).append(row)
    return found


def item_names_by_id_of_those_named(
    store: Store, study: str, dataset: str, names: Sequence[str]
) -> dict[str, str]:
    """The items of these names (or alias names), as names by id, withdrawn ones included.

    Raises:
        InvalidInput: the dataset has no item of one of the names.
    """
    known = item_ids_by_name(store, study, dataset, names)
    if missing := [name for name in names if name not in known]:
        raise InvalidInput(
            f"There is no item {missing[0]!r} in the dataset {dataset!r}.",
            hint="Names are those in the list of items.",
        )
    return {item: name for name, item in known.items()}


def newest_dataset_not_illustrative(store: Store, study: str) -> str:
    """The dataset people work on by default: the newest one that is not illustrative."""
    found = datasets_of_study(store, study)
    return str(found[0]["dataset"]) if found else ""


def dataset_or_default_and_illustrative(store: Store, study: str, dataset: str) -> tuple[str, bool]:
    """``dataset``, or the default one if the study does not have it, and whether it is
    illustrative; empty if there are no items at all.
    """
    known = {
        str(row["dataset"]): bool(row["illustrative"]) for row in datasets_of_study(store, study)
    }
    found = dataset if dataset in known else next(iter(known), "")
    return found, known.get(found, False)


def count_items_by_kind(store: Store, study: str, dataset: str) -> dict[str, int]:
    """How many items there are of each kind."""
    return dict(
        store.rows(
            "select kind, count(*) from item_now where study = $study and dataset = $dataset"
            " group by kind order by kind",
            study=study,
            dataset=dataset,
        )
    )


def count_matching_items(
    store: Store, study: str, dataset: str, words: Mapping[str, str], *, search: str = ""
) -> int:
    """How many items of these kinds contain ``search`` in their name, text or body."""
    where, params = _narrowed(study, dataset, words, search)
    total = store.value(f"select count(*) from item_now i where {where}", **params)
    return int(total)


def list_items_by_part_of_name(store: Store, text: str, *, limit: int) -> list[dict[str, Any]]:
    """The first items of all studies whose name contains ``text``: study, dataset, name."""
    return store.query_rows_as_dicts(
        "select study, dataset, name from item_now i where contains(lower(name), lower($text))"
        " and not exists (select 1 from archived_now a where a.kind = 'dataset'"
        " and a.study = i.study and a.dataset = i.dataset)"
        " order by length(name), seq limit $limit",
        text=text,
        limit=limit,
    )


def table_of_items_on_one_page(
    store: Store,
    study: str,
    dataset: str,
    words: Mapping[str, str],
    *,
    search: str = "",
    offset: int = 0,
    limit: int | None = 50,
) -> pd.DataFrame:
    """A page of the items that contain ``search``, or all of them if ``limit`` is None.

    ``words`` is by kind, SQL on the item's row ``i`` (``study_definition.Listed``). Columns:
    item_id, item (its name), kind, text (on a page its beginning), judged_by (how many raters).
    """
    where, params = _narrowed(study, dataset, words, search)
    page = "" if limit is None else " limit $limit offset $offset"
    text = _text(words) if limit is None else f"left({_text(words)}, 200)"
    return store.read(
        f"with page as (select i.* from item_now i where {where} order by i.seq{page})"
        f" select i.id as item_id, i.name as item, i.kind, {text} as text,"
        " (select count(distinct j.rater) from judgment_counted j where j.item = i.id) as judged_by"
        " from page i order by i.seq",
        **params,
        **({} if limit is None else {"limit": limit, "offset": offset}),
    )


def item_text_beginnings_by_id(
    store: Store, wanted: Sequence[str], words: Mapping[str, str]
) -> dict[str, str]:
    """How the text of each of these items begins, by id; ``words`` as for
    ``table_of_items_on_one_page``.

    An item of a kind that is not in ``words``, or without text, is missing.
    """
    if not words:
        return {}
    begins = f"left({_text(words)}, 200)"
    rows = store.rows(
        f"select i.id, {begins} as text from item_now i where i.id in $wanted", wanted=list(wanted)
    )
    return {str(item): str(text) for item, text in rows if text}


def _text(words: Mapping[str, str]) -> str:
    # Safe to insert: kinds are our own names, not user input.
    whens = " ".join(f"when '{kind}' then {one}" for kind, one in words.items())
    return f"case i.kind {whens} end"


def _narrowed(
    study: str, dataset: str, words: Mapping[str, str], search: str
) -> tuple[str, dict[str, Any]]:
    where = "i.study = $study and i.dataset = $dataset and i.kind in $kinds"
    params: dict[str, Any] = {"study": study, "dataset": dataset, "kinds": list(words)}
    if found := search.strip().lower():
        # Search the stored JSON as a whole: extracting each of 58,000 texts first takes seconds.
        where += (
            " and (contains(lower(i.name), $search) or contains(lower(i.body::varchar), $stored)"
            f" or contains(lower({_text(words)}), $search)"
            " or i.id in (select item from item_further_now"
            " where contains(lower(body::varchar), $stored)))"
        )
        params |= {"search": found, "stored": to_json(found)[1:-1]}
    return where, params


def kind_of_item(store: Store, item: str) -> str:
    """An item's kind; empty if there is no such item."""
    return next(
        (str(kind) for kind in store.column("select kind from item_known where id = $i", i=item)),
        "",
    )


_IDS_BY_NAME = Lookup(
    "items.ids_by_name",
    "select i.name, i.id from item_known i where i.study = $study and i.dataset = $dataset"
    " and i.name in $names union all "
    "select a.name, a.item from item_alias a join item_known i on i.id = a.item"
    " where i.study = $study and i.dataset = $dataset and a.name in $names",
)


def item_ids_by_name(
    store: Store, study: str, dataset: str, names: Sequence[str]
) -> dict[str, str]:
    """Item ids by their names (or alias names); unknown names are absent."""
    return dict(
        store.rows(
            _IDS_BY_NAME,
            study=study,
            dataset=dataset,
            names=list(names),
        )
    )


_NAMES_BY_ID = Lookup(
    "items.names_by_id",
    "select id, name from item_known where id in $ids",
    ids="items",
)


def item_names_by_id(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """The names of items by their ids; unknown ids are absent."""
    return dict(store.rows(_NAMES_BY_ID, ids=sorted(set(ids))))


_BODY_OF_VERSION = Lookup(
    "items.body_of_version",
    "select coalesce(v.body, i.body) as body from item i left join item_version v"
    " on v.item = i.id and v.version = $version where i.id = $item",
    item="items",
    version="whole",
)


def item_body(store: Store, item: str, version: int | None = None) -> dict[str, Any]:
    """An item's body as last corrected, or as an earlier ``version`` had it.

    Raises:
        InvalidInput: there is no such item.
    """
    known = _bodies.setdefault(store, {})
    newest = current_version_of_item(store, item)
    # A version that never was is one of a file from elsewhere.
    asked = newest if version is None else min(version, newest)
    text = known.get((item, asked))
    if text is None:
        row = store.find_first_row_as_dict(
            _BODY_OF_VERSION,
            item=item,
            version=asked,
        )
        if row is None:
            raise InvalidInput("There is no such item.", hint="Open it from the list again.")
        if len(known) >= _KEPT:
            known.clear()
        # A version never changes.
        text = known[item, asked] = row["body"]
    return parse_item_body(text)


def parse_item_body(text: str) -> dict[str, Any]:
    """A stored body."""
    body: dict[str, Any] = json.loads(text)
    return body


def current_version_of_item(store: Store, item: str) -> int:
    """How often an item was corrected, counted from 1: the item as it was added."""
    return _versions(store).get(item, (1, 1))[0]


def oldest_counting_version_of_item(store: Store, item: str) -> int:
    """The version of an item from which on judgments count: its last change of meaning."""
    return _versions(store).get(item, (1, 1))[1]


def current_and_counting_versions_by_item(store: Store) -> Mapping[str, tuple[int, int]]:
    """Of every item that was corrected: its current version, and the one from which on judgments
    count.
    """
    return _versions(store)


_CORRECTED_VERSIONS = Lookup(
    "items.corrected_versions",
    "select item, max(version), coalesce(max(version) filter (not counts), 1)"
    " from item_version group by item",
)


@cache_until_tables_grow("item_version", most=4)
def _versions(store: Store) -> dict[str, tuple[int, int]]:
    if not store.data_version_of_tables("item_version"):
        return {}
    rows = store.rows(_CORRECTED_VERSIONS)
    return {item: (newest, oldest) for item, newest, oldest in rows}


_ITEM_BODIES = Lookup(
    "items.item_bodies",
    "select id, body from item_known where id in $wanted",
    wanted="items",
)


def load_item_bodies_by_id(store: Store, wanted: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The bodies of many items by id, in one query."""
    rows = store.rows(_ITEM_BODIES, wanted=list(wanted))
    return {item: json.loads(body) for item, body in rows}


_KEPT = 500
_bodies: weakref.WeakKeyDictionary[Store, dict[tuple[str, int], str]] = weakref.WeakKeyDictionary()
Store.when_rewritten.append(lambda store: _bodies.pop(store, None))


HAS = " and trim(coalesce(body->>$requires, '')) not in ('', '[]', '{}')"
"""Only items whose body has something in the field, or at the path, ``requires``."""


_NAMES_OF_ITEMS = Lookup(
    "items.names_of_items",
    "select id, name from item_now where study = $study and kind = $kind"
    " and dataset = $dataset order by seq",
)
_NAMES_OF_ITEMS_WITH = Lookup(
    "items.names_of_items_with",
    "select id, name from item_now where study = $study and kind = $kind"
    f" and dataset = $dataset{HAS} order by seq",
)


def names_by_id_of_kind(
    store: Store, requires: str, *, study: str, kind: str, dataset: str
) -> dict[str, str]:
    """The names by id of a dataset's items of a kind; with ``requires``, only of those that have
    it.
    """
    return dict(
        store.rows(
            _NAMES_OF_ITEMS_WITH if requires else _NAMES_OF_ITEMS,
            study=study,
            kind=kind,
            dataset=dataset,
            **({"requires": requires} if requires else {}),
        )
    )


def find_items_with_altered_body(store: Store) -> list[tuple[str, str]]:
    """Items whose body is no longer what was added, as (dataset, name): none in a sound store."""
    return [
        (dataset, name)
        for name, dataset, body, digest in store.rows(
            "select name, dataset, body, digest from item union all"
            " select i.name, i.dataset, v.body, v.digest from item_version v"
            " join item i on i.id = v.item"
        )
        if digest_of_item_body(body) != digest
    ]
