"""Error tagging's SQL: adds items, and reads what the pages and figures need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import compare_correct_withdraw_reimported_items, hand_out_settings, items
from medlens.review.compare_correct_withdraw_reimported_items import FileComparison
from medlens.review.raters import Rater
from medlens.store import Lookup, Store, stable_id
from medlens.studies.tagging import tasks
from medlens.studies.tagging.records import ErrorSpans, ItemAsRead, Option, ResponseItem
from medlens.studies.tagging.taxonomy import (
    Taxonomy,
    load_taxonomy,
    parse_taxonomy,
    taxonomy_as_toml,
)
from medlens.tables.file_schemas_import_requests_and_reports import Compared, Revising

STUDY = tasks.STUDY


def add_responses_and_return_added(
    store: Store,
    found: Iterable[tuple[str, ResponseItem | ItemAsRead]],
    *,
    dataset: str,
    illustrative: bool = False,
    whole: bool = False,
    revised: Collection[str] = (),
) -> items.Added:
    """Add responses, all or nothing; one that is already there counts as known.

    With ``whole`` the file has all there is of an item, so an empty field contradicts a filled one;
    the published files each leave something out.

    The study published its responses twice, as annotated items and as raw responses, joined by
    ``serial_num``: the same response (same number, same words) is one item, and the second name
    becomes an alias of the first. Those called ``revised`` are there with other contents, which is
    dealt with.

    Raises:
        InvalidInput: an item of that name has other content, or one of that serial number has
            another text.
    """
    fresh: dict[str, ResponseItem | ItemAsRead] = {}
    for name, item in found:
        first = fresh.setdefault(name, item)
        if first is not item and first != item:
            raise InvalidInput(
                f"The name {name!r} stands for two different items in this file.",
                hint="Give each item a name of its own.",
            )
    total = len(fresh)
    aliases = []
    by_name, by_serial = _there(store, dataset)
    for name, item in list(fresh.items()):
        held = by_name.get(name) or by_serial.get(item.serial_num)
        if held is None:
            continue
        differing = _differing(held, item.to_item(), named=name in by_name, whole=whole)
        if differing and name not in revised:
            raise InvalidInput(
                f"The dataset {dataset!r} has the item {held.name!r} with another"
                f" {' and '.join(differing)} than {name!r} has in this file.",
                hint="Give it a name of its own, or import into another dataset.",
            )
        del fresh[name]
        if name not in by_name:
            aliases.append(
                {
                    "id": stable_id("alias", held.id, name),
                    "item": held.id,
                    "name": name,
                    # A response goes by a number until the study names it.
                    "preferred": held.name.startswith("serial"),
                }
            )
    done = items.add_items(
        store,
        (items.NewItem(name, item.to_stored_json()) for name, item in fresh.items()),
        study=STUDY,
        kind=tasks.ITEM_KIND,
        dataset=dataset,
        illustrative=illustrative,
        beside={"item_alias": aliases},
    )
    return items.Added(done.added, total - done.added, items=done.items)


def correct_or_withdraw_and_name_reimported_items(
    store: Store,
    study: Any,
    found: Sequence[tuple[str, ResponseItem | ItemAsRead]],
    revising: Revising | None,
    *,
    dataset: str,
    whole: bool = False,
) -> tuple[Compared, set[str]]:
    """Do what a lead chose with the responses of a file that are there with other contents, and
    with those that the file lacks; returns what there was, and the names of the changed ones.

    Raises:
        InvalidInput: as
            ``compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison``.
    """
    by_name, by_serial = _there(store, dataset)
    given, here = dict(found), set()
    changed: dict[str, tuple[str, str]] = {}
    difference = ""
    for name, item in given.items():
        held = by_name.get(name) or by_serial.get(item.serial_num)
        if held is None:
            continue
        here.add(held.id)
        if name not in by_name:
            # Of another name, it is another response: that is refused.
            continue
        given_item = item.to_item()
        if differing := _differing(held, given_item, named=True, whole=whole):
            difference = difference or f", with another {' and '.join(differing)}"
            contents = _with_contents(held, given_item, whole=whole)
            changed[held.id] = (name, contents.model_dump_json())
    comparison = FileComparison(
        len(given) - len(here),
        len(here) - len(changed),
        changed,
        {
            item: name
            for item, name in items.names_by_id_of_kind(
                store, "", study=STUDY, kind=tasks.ITEM_KIND, dataset=dataset
            ).items()
            if item not in here
        },
        difference,
    )
    compared = compare_correct_withdraw_reimported_items.correct_or_withdraw_and_return_comparison(
        store, (study.task,), comparison, revising, study=STUDY, dataset=dataset
    )
    return compared, comparison.set_of_changed_item_names


def _with_contents(held: _Held, item: ResponseItem, *, whole: bool) -> ResponseItem:
    """A stored response with the contents of a file, which may leave some out unless it has the
    ``whole``.
    """
    if whole:
        return item
    there = ResponseItem.model_validate_json(held.body)
    given = {name: getattr(item, name) for name in _CONTENT if _folded(getattr(item, name))}
    return there.model_copy(update=given)


@dataclass(frozen=True)
class _Held:
    id: str
    name: str
    body: str


_ITEMS_BY_ALL_NAMES = Lookup(
    "tagging.items_by_all_names",
    "select i.id, i.name, a.name, try_cast((i.body->>'serial_num') as bigint), i.body"
    " from item_known i left join item_alias a on a.item = i.id"
    " where i.study = $study and i.dataset = $dataset",
)


def _there(store: Store, dataset: str) -> tuple[dict[str, _Held], dict[int | None, _Held]]:
    """The items of a dataset by each of their names, and by serial number."""
    by_name: dict[str, _Held] = {}
    by_serial: dict[int | None, _Held] = {}
    for item, name, alias, serial, body in store.rows(
        _ITEMS_BY_ALL_NAMES,
        study=STUDY,
        dataset=dataset,
    ):
        held = _Held(item, name, body)
        by_name[name] = held
        if alias is not None:
            by_name[alias] = held
        if serial is not None:
            by_serial[serial] = held
    return by_name, by_serial


_CONTENT = {
    "response": "response",
    "question": "question",
    "options": "set of options",
    "correct": "correct answer",
    "chosen": "chosen option",
    "model": "model",
}


def _differing(held: _Held, item: ResponseItem, *, named: bool, whole: bool) -> list[str]:
    """Which fields of an item differ from the store, in words; of a match by number, the text."""
    there = ResponseItem.model_validate_json(held.body)
    found = []
    for name, said in _CONTENT.items() if named else [("response", "response")]:
        old, new = (_folded(getattr(one, name)) for one in (there, item))
        if old != new and (whole or (old and new)):
            found.append(said)
    return found


def _folded(content: str | tuple[Option, ...] | None) -> str:
    if isinstance(content, tuple):
        return "\x1f".join(f"{one.key} {_folded(one.text)}" for one in content)
    return " ".join((content or "").split())


def load_response(store: Store, item: str) -> ResponseItem:
    """One response by item id.

    Raises:
        InvalidInput: there is no such item.
    """
    return ResponseItem.model_validate(items.item_body(store, item))


_RESPONSES = Lookup(
    "tagging.responses",
    "select id as item_id, name as item, body->>'response' as response,"
    " length(body->>'response') as length, dataset, illustrative from item_now"
    " where study = $study and dataset = $dataset order by seq",
)


def table_of_responses(store: Store, dataset: str) -> pd.DataFrame:
    """Every response of a dataset: item_id, item, response, length (code points), dataset."""
    return store.read(_RESPONSES, study=STUDY, dataset=dataset)


def list_items_with_names_and_if_illustrative(
    store: Store, dataset: str
) -> list[tuple[str, bool, ResponseItem]]:
    """Every item of a dataset in full: name, illustrative, item."""
    return [
        (name, illustrative, ResponseItem.model_validate_json(body))
        for name, illustrative, body in store.rows(
            "select name, illustrative, body from item_now"
            " where study = $study and dataset = $dataset order by seq",
            study=STUDY,
            dataset=dataset,
        )
    ]


# -- settings of a dataset ---------------------------------------------------------------------


def taxonomy_of_dataset(store: Store, dataset: str, default: Path) -> Taxonomy:
    """The taxonomy that a dataset is judged by: its own, or the default file's."""
    text = hand_out_settings.task_settings_set_by_lead(store, tasks.NAME, dataset).get("taxonomy")
    return parse_taxonomy(text, name=f"taxonomy of {dataset}") if text else load_taxonomy(default)


def store_taxonomy_of_dataset(store: Store, dataset: str, taxonomy: Taxonomy, *, by: Rater) -> None:
    """Judge a dataset by another taxonomy.

    Raises:
        InvalidInput: labels that raters have already given are not in it.
    """
    used = {
        label
        for body in store.column(
            "select j.body from judgment j join item_known i on i.id = j.item"
            " where j.task = $task and i.dataset = $dataset",
            task=tasks.NAME,
            dataset=dataset,
        )
        for label in ErrorSpans.model_validate_json(body).labels_given()
    }
    lost = sorted(used - {label.id for label in taxonomy.labels})
    if lost:
        raise InvalidInput(
            f"The new taxonomy lacks labels that were given already: {', '.join(lost)}.",
            hint="Keep them in the file, or import the items into another dataset.",
        )
    change = {"taxonomy": taxonomy_as_toml(taxonomy)}
    hand_out_settings.change_task_settings(store, tasks.NAME, dataset, change, by=by)
