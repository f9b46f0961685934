"""Codebooks: the free labels a coder marks texts with, how they grew, and what was marked.

A coder is a lead; each has a codebook per corpus. Marks (kept by ``open_code_revisions_by_lead``)
carry their code's id, so renaming or merging codes changes no mark: what a coder does to their
codes is appended as changes, and the current codes are derived from these. A code that no change
created is called by its id: marks of earlier versions, and of the quick view, carry names.

Coders are blind to each other until they choose to compare: then each sees the others who did.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import open_code_revisions_by_lead
from medlens.review.open_code_revisions_by_lead import Coded
from medlens.review.raters import Rater, require_lead
from medlens.review.text_labeler_format import OpenCode, join_overlapping_codes
from medlens.stats.estimate import Estimate
from medlens.stats.span_agreement import RaterMarks, estimate_mean_span_f1_between_raters
from medlens.stats.token_agreement import list_token_alpha_of_each_label
from medlens.store import Store, new_id, to_json, utc_now

Kind = Literal["new", "rename", "describe", "merge", "split", "remove", "undo", "compare"]
LONGEST_NAME, LONGEST_TEXT, MOST = 120, 2000, 1000
"""The most characters of a code's name and description; the most codes of one coder."""
_TAKEN_BACK = ("rename", "describe", "merge", "remove")
_TRIES = 5
_HIDDEN = dict.fromkeys([*range(32), *range(127, 160), *range(0x202A, 0x202F)], " ")


@dataclass(frozen=True)
class Corpus:
    """The texts to code: one ``column`` of a dataset's items. If coders ``chose`` it among several,
    what is stored for an item names it.
    """

    study: str
    dataset: str
    kind: str
    column: str
    chose: bool = False

    @property
    def values_by_field_stored_with_codes(self) -> dict[str, Any]:
        """What is stored with the codes of an item."""
        return {"column": self.column} if self.chose else {}


@dataclass(frozen=True)
class Code:
    """A free label in its current state; ``merged`` are the names of those merged into it."""

    id: str
    name: str
    description: str = ""
    merged: tuple[str, ...] = ()


@dataclass(frozen=True)
class Done:
    """A change: what a coder did to their codes. ``body`` names codes by their ids."""

    revision: int
    kind: Kind
    body: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True)
class Codebook:
    """A coder's current codes, in the order in which they were made.

    ``into`` maps a merged code to the one its marks belong to now, and a removed one to "".
    ``names`` are the current or last names of codes. ``compared``: when the coder chose to compare;
    None before.
    """

    codes: Mapping[str, Code] = field(default_factory=dict)
    into: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    history: tuple[Done, ...] = ()
    compared: datetime | None = None

    @property
    def revision_number(self) -> int:
        return self.history[-1].revision if self.history else 0

    def find_code_by_name(self, name: str) -> Code | None:
        """The code of that name, ignoring case and spaces."""
        return next(
            (
                one
                for one in self.codes.values()
                if normalise_code_name_for_comparison(one.name)
                == normalise_code_name_for_comparison(name)
            ),
            None,
        )

    def marks_under_current_codes(self, codes: Iterable[OpenCode]) -> tuple[OpenCode, ...]:
        """Marks under the codes they belong to now, without those of removed codes; marks that
        overlap because their codes were merged are joined.
        """
        found = [one for one in codes if self.into.get(one.label) != ""]
        for target in {self.into[one.label] for one in found if one.label in self.into}:
            found = list(
                rename_labels_and_join_overlapping_codes(found, self._sources(target), target)
            )
        return tuple(sorted(found))

    def _sources(self, target: str) -> set[str]:
        return {code for code, into in self.into.items() if into == target}

    def list_current_marks_with_code_names(self, codes: Iterable[OpenCode]) -> tuple[OpenCode, ...]:
        """The current marks, under the names of their codes."""
        found = self.marks_under_current_codes(codes)
        return tuple(sorted(replace(o, label=self.names.get(o.label, o.label)) for o in found))

    def change_that_can_be_undone(self) -> Done | None:
        """The last change, if it can be undone."""
        taken = {one.body["revision"] for one in self.history if one.kind == "undo"}
        for one in reversed(self.history):
            if one.kind != "undo" and one.revision not in taken:
                return one if one.kind in _TAKEN_BACK else None
        return None

    def change_in_words(self, one: Done) -> str:
        """A change in words, with the names that codes had then."""
        body = one.body

        def quoted(ids: Iterable[str]) -> str:
            names = body.get("names", {})
            return ", ".join(f"“{names.get(each, self.names.get(each, each))}”" for each in ids)

        match one.kind:
            case "new":
                return f"made “{body['name']}”"
            case "rename":
                return f"renamed “{body['was']}” to “{body['name']}”"
            case "describe":
                return f"described {quoted([body['id']])}: {body['text'] or 'nothing'}"
            case "merge":
                return f"merged {quoted(body['ids'])} into {quoted([body['into']])}"
            case "split":
                count = len(body["passages"])
                what = "1 passage" if count == 1 else f"{count} passages"
                return f"moved {what} of {quoted([body['id']])} to {quoted([body['into']])}"
            case "remove":
                return f"removed {quoted(body['ids'])}"
            case "undo":
                taken = next(each for each in self.history if each.revision == body["revision"])
                return f"took back: {self.change_in_words(taken)}"
            case _:
                return "chose to compare"


def normalise_code_name_for_comparison(name: str) -> str:
    return " ".join(name.split()).casefold()


def tidy_code_name(name: str) -> str:
    """A code's name as stored: one line, without unreadable characters.

    Raises:
        InvalidInput: it is empty, or too long.
    """
    tidy = " ".join(name.translate(_HIDDEN).split())
    if not tidy:
        raise InvalidInput("A code needs a name.", hint="Write a word or two.")
    if len(tidy) > LONGEST_NAME:
        raise InvalidInput(
            f"This name has {len(tidy)} characters.",
            hint=f"Shorten it to {LONGEST_NAME}; a code's description can say more.",
        )
    return tidy


def codebook_after_changes(history: Sequence[Done], used: Iterable[str] = ()) -> Codebook:
    """The codebook after these changes, given the codes ``used`` by marks (ids)."""
    taken = {one.body["revision"] for one in history if one.kind == "undo"}
    codes: dict[str, Code] = {}
    into: dict[str, str] = {}
    compared = None
    gone: dict[str, Code] = {}
    names = {one.body["id"]: one.body["name"] for one in history if one.kind == "new"}
    made = {one.body["into"] for one in history if one.kind == "split" and one.body["name"]}
    for code in used:
        if code and code not in names and code not in made:
            codes[code] = Code(code, code)

    def merge(ids: Iterable[str], target: str) -> None:
        for each in ids:
            old = codes.pop(each, None)
            if old is None or each == target:
                continue
            gone[each] = old
            for source in [each, *(one for one, to in into.items() if to == each)]:
                into[source] = target
            if target:
                merged = (*codes[target].merged, old.name, *old.merged)
                codes[target] = replace(codes[target], merged=merged)

    for one in history:
        body = one.body
        if one.revision in taken:
            continue
        if one.kind == "new":
            codes.setdefault(body["id"], Code(body["id"], body["name"]))
        elif one.kind == "compare":
            compared = compared or one.at
        elif one.kind == "split" and body["name"]:
            codes.setdefault(body["into"], Code(body["into"], body["name"]))
        elif one.kind == "rename" and body["id"] in codes:
            codes[body["id"]] = replace(codes[body["id"]], name=body["name"])
        elif one.kind == "describe" and body["id"] in codes:
            codes[body["id"]] = replace(codes[body["id"]], description=body["text"])
        elif one.kind == "merge" and body["into"] in codes:
            merge(body["ids"], body["into"])
        elif one.kind == "remove":
            merge(body["ids"], "")
    names |= {each.id: each.name for each in (*gone.values(), *codes.values())}
    return Codebook(codes, into, names, tuple(history), compared)


# -- in the store ----------------------------------------------------------------------------------


def codebook_of_coder(store: Store, corpus: Corpus, *, coder: str, viewer: Rater) -> Codebook:
    """A coder's codebook; someone else's only if both have chosen to compare.

    Raises:
        NotAllowed: the viewer is not a lead, or one of the two has not chosen to compare.
    """
    require_lead(viewer)
    book = _read(store, corpus, coder)
    if coder != viewer.id and not (book.compared and _read(store, corpus, viewer.id).compared):
        raise NotAllowed(
            "These codes are not shown yet.", hint="Both of you have to choose to compare first."
        )
    return book


def _read(store: Store, corpus: Corpus, coder: str) -> Codebook:
    history = [
        Done(revision, kind, json.loads(body), at)
        for revision, kind, body, at in store.rows(
            "select revision, kind, body, made_at from codebook_change where study = $study"
            " and dataset = $dataset and rater = $rater order by revision",
            study=corpus.study,
            dataset=corpus.dataset,
            rater=coder,
        )
    ]
    labels = store.rows(
        "select distinct body->>'$.labels' from open_code_now where rater = $rater"
        " and item in (select id from item_in_play where study = $study and dataset = $dataset)",
        study=corpus.study,
        dataset=corpus.dataset,
        rater=coder,
    )
    used = sorted({label for (one,) in labels for label in json.loads(one or "[]")})
    return codebook_after_changes(history, used)


def append_codebook_change_and_return_codebook(
    store: Store,
    corpus: Corpus,
    make: Callable[[Codebook], tuple[Kind, Mapping[str, Any]] | None],
    *,
    by: Rater,
    beside: Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
) -> Codebook:
    """Append the change that ``make`` returns for the current codebook (None: none); returns the
    new codebook. ``beside`` holds rows of other tables for the same transaction.

    Raises:
        InvalidInput, Conflict: whatever ``make`` raises; nothing was written.
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    for _ in range(_TRIES):
        book = _read(store, corpus, by.id)
        made = make(book)
        if made is None:
            return book
        kind, body = made
        row = {
            "id": new_id(),
            "made_at": utc_now(),
            "study": corpus.study,
            "dataset": corpus.dataset,
            "rater": by.id,
            "revision": book.revision_number + 1,
            "kind": kind,
            "body": dict(body),
        }
        try:
            store.append_all_and_count_new_by_table({"codebook_change": [row], **(beside or {})})
        except Conflict:
            # Another tab was first: try again on the codebook as it is now.
            if beside:
                break
            continue
        return _read(store, corpus, by.id)
    raise Conflict(
        "Your codes or their passages were changed in another tab; nothing was changed here.",
        hint="Look at them again.",
    )


def find_or_make_code(store: Store, corpus: Corpus, name: str, *, by: Rater, id: str = "") -> Code:
    """The code of that name; if there is none, a new one, with this id if it is free.

    Raises:
        InvalidInput: the name is not valid, or there are too many codes.
    """
    name = tidy_code_name(name)

    def make(book: Codebook) -> tuple[Kind, Mapping[str, Any]] | None:
        if book.find_code_by_name(name) or id in book.codes:
            return None
        if len(book.codes) >= MOST:
            raise InvalidInput(f"There are {MOST:,} codes already.", hint="Merge some first.")
        return "new", {"id": new_id() if not id or id in book.names else id, "name": name}

    book = append_codebook_change_and_return_codebook(store, corpus, make, by=by)
    return book.codes.get(id) or book.find_code_by_name(name) or Code(id, name)


def rename_code(store: Store, corpus: Corpus, code: str, name: str, *, was: str, by: Rater) -> None:
    """Rename a code that was called ``was``.

    Raises:
        InvalidInput: the name is not valid, or another code has it.
        Conflict: the code has another name by now, or is gone.
    """
    name = tidy_code_name(name)

    def make(book: Codebook) -> tuple[Kind, Mapping[str, Any]] | None:
        here = _there(book, code)
        if here.name != was:
            raise Conflict(
                f"“{was}” was renamed to “{here.name}” in another tab.",
                hint="Look at it again, then rename it if you still want to.",
            )
        other = book.find_code_by_name(name)
        if other and other.id != code:
            raise InvalidInput(
                f"There is a code “{other.name}” already.",
                hint=f"Merge “{was}” into it, or choose another name.",
            )
        return None if name == was else ("rename", {"id": code, "name": name, "was": was})

    append_codebook_change_and_return_codebook(store, corpus, make, by=by)


def set_code_description(
    store: Store, corpus: Corpus, code: str, text: str, *, was: str, by: Rater
) -> None:
    """Describe what a code means; ``was`` is the previous description.

    Raises:
        InvalidInput: it is too long.
        Conflict: the description has changed since, or the code is gone.
    """
    text = text.strip()
    if len(text) > LONGEST_TEXT:
        raise InvalidInput(
            f"This description has {len(text):,} characters.",
            hint=f"Shorten it to {LONGEST_TEXT:,}.",
        )

    def make(book: Codebook) -> tuple[Kind, Mapping[str, Any]] | None:
        here = _there(book, code)
        if here.description != was:
            raise Conflict(
                f"“{here.name}” was described in another tab: {here.description or 'nothing'}",
                hint="Look at it again, then describe it if you still want to.",
            )
        return None if text == was else ("describe", {"id": code, "text": text})

    append_codebook_change_and_return_codebook(store, corpus, make, by=by)


def merge_codes(
    store: Store, corpus: Corpus, ids: Collection[str], into: str, *, by: Rater
) -> None:
    """Move all marks of these codes to another.

    Raises:
        InvalidInput: there is nothing to merge.
        Conflict: one of the codes is gone.
    """

    def make(book: Codebook) -> tuple[Kind, Mapping[str, Any]]:
        old = {one: _there(book, one).name for one in ids if one != into}
        if not old:
            raise InvalidInput("There is nothing to merge.", hint="Choose two codes or more.")
        names = {**old, into: _there(book, into).name}
        return "merge", {"ids": list(old), "into": into, "names": names}

    append_codebook_change_and_return_codebook(store, corpus, make, by=by)


def remove_codes_and_their_marks(
    store: Store, corpus: Corpus, ids: Collection[str], *, by: Rater
) -> None:
    """Remove codes with their marks.

    Raises:
        Conflict: one of the codes is gone.
    """

    def make(book: Codebook) -> tuple[Kind, Mapping[str, Any]]:
        return "remove", {"ids": list(ids), "names": {one: _there(book, one).name for one in ids}}

    append_codebook_change_and_return_codebook(store, corpus, make, by=by)


def undo_last_change(store: Store, corpus: Corpus, revision: int, *, by: Rater) -> None:
    """Undo the last change.

    Raises:
        Conflict: it is no longer the last one.
    """

    def make(book: Codebook) -> tuple[Kind, Mapping[str, Any]]:
        last = book.change_that_can_be_undone()
        if last is None or last.revision != revision:
            raise Conflict("Your codes were changed since then.", hint="Look at the list again.")
        return "undo", {"revision": revision}

    append_codebook_change_and_return_codebook(store, corpus, make, by=by)


def agree_to_compare_codes(store: Store, corpus: Corpus, *, by: Rater) -> None:
    """Choose to compare: from now on all who chose this see each other's codes."""
    append_codebook_change_and_return_codebook(
        store, corpus, lambda book: None if book.compared else ("compare", {}), by=by
    )


def _there(book: Codebook, code: str) -> Code:
    if code not in book.codes:
        raise Conflict(
            f"“{book.names.get(code, code)}” was merged or removed in another tab.",
            hint="Look at the list of codes again.",
        )
    return book.codes[code]


# -- what is marked --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passage:
    """Marked words under one code: the item's id and name, who marked them and when."""

    item: str
    name: str
    rater: str
    rater_name: str
    at: datetime
    code: OpenCode

    @property
    def item_and_place(self) -> tuple[str, int, int]:
        return self.item, self.code.start, self.code.end


def list_coded_passages(
    book: Codebook, coded: Iterable[open_code_revisions_by_lead.Coded]
) -> list[Passage]:
    """The passages in the last revisions of one coder, under their current codes."""
    return [
        Passage(one.item, one.name, one.rater, one.rater_name, one.at, code)
        for one in open_code_revisions_by_lead.list_last_revisions_of_items_and_raters(coded)
        for code in book.marks_under_current_codes(
            open_code_revisions_by_lead.read_codes_from_body(one.body)
        )
    ]


def move_passages_and_return_target_code(
    store: Store,
    corpus: Corpus,
    code: str,
    chosen: Collection[tuple[str, int, int]],
    name: str,
    *,
    by: Rater,
) -> Code:
    """Move passages of a code, by item and place, to the code of that name, existing or new.

    Raises:
        InvalidInput: nothing is chosen, or the name is not valid.
        Conflict: a passage or the code is gone; nothing was moved.
    """
    name = tidy_code_name(name)
    if not chosen:
        raise InvalidInput("No passage is chosen.", hint="Tick the passages to move.")
    book = _read(store, corpus, by.id)
    _there(book, code)
    target = book.find_code_by_name(name)
    if target and target.id == code:
        raise InvalidInput(f"They are under “{target.name}” already.", hint="Name another code.")
    into = target or Code(new_id(), name)
    changes = []
    for item in sorted({one for one, _, _ in chosen}):
        here = open_code_revisions_by_lead.load_last_saved_codes(store, item=item, rater=by)
        now = (
            book.marks_under_current_codes(
                open_code_revisions_by_lead.read_codes_from_body(here.body)
            )
            if here
            else ()
        )
        moved = {
            (o.start, o.end) for o in now if o.label == code and (item, o.start, o.end) in chosen
        }
        if here is None or len(moved) < sum(one == item for one, _, _ in chosen):
            raise Conflict(
                "A passage was changed in another tab meanwhile; nothing was moved.",
                hint="Choose the passages again.",
            )
        codes = [
            replace(one, label=into.id)
            if one.label == code and (one.start, one.end) in moved
            else one
            for one in now
        ]
        body = open_code_revisions_by_lead.codes_as_stored_body(
            sorted(set(codes)), {one.label: None for one in codes}, here.body
        )
        changes.append(open_code_revisions_by_lead.Change(item, here.revision, body))
    rows = open_code_revisions_by_lead.make_open_code_rows(store, *changes, by=by)

    def make(now: Codebook) -> tuple[Kind, Mapping[str, Any]]:
        if now.revision_number != book.revision_number:
            raise Conflict(
                "Your codes were changed in another tab; nothing was moved.",
                hint="Choose the passages again.",
            )
        return "split", {
            "id": code,
            "into": into.id,
            "name": "" if target else name,
            "names": {code: book.codes[code].name, into.id: into.name},
            "passages": [list(one) for one in sorted(chosen)],
        }

    append_codebook_change_and_return_codebook(
        store, corpus, make, by=by, beside={"open_code": rows}
    )
    return into


# -- how codes grew --------------------------------------------------------------------------------


@dataclass(frozen=True)
class CodedResponse:
    """One revision of one rater's codes on one item."""

    item: str
    rater: str
    at: datetime
    codes: tuple[OpenCode, ...]


@dataclass(frozen=True)
class LabelCount:
    """How far a label has grown: marks and texts that carry it now, times of the first and last new
    mark.
    """

    label: str
    spans: int
    responses: int
    first: datetime
    last: datetime


def list_labels_with_counts(revisions: Iterable[CodedResponse]) -> list[LabelCount]:
    """Every label ever used, most used first.

    Marks and responses are counted in the last revision of each rater and item (0 for a label given
    up since); a mark is new in the first revision that holds it.
    """
    latest: dict[tuple[str, str], CodedResponse] = {}
    times: dict[str, list[datetime]] = {}
    for revision in sorted(revisions, key=lambda revision: revision.at):
        earlier = latest.get((revision.rater, revision.item))
        for code in set(revision.codes) - set(earlier.codes if earlier else ()):
            times.setdefault(code.label, []).append(revision.at)
        latest[revision.rater, revision.item] = revision
    standing = [(r.item, code.label) for r in latest.values() for code in r.codes]
    counts = [
        LabelCount(
            label=label,
            spans=sum(used == label for _, used in standing),
            responses=len({item for item, used in standing if used == label}),
            first=min(at),
            last=max(at),
        )
        for label, at in times.items()
    ]
    return sorted(counts, key=lambda count: (-count.spans, -count.responses, count.label))


def rename_labels_and_join_overlapping_codes(
    codes: Iterable[OpenCode], old: Collection[str], new: str
) -> tuple[OpenCode, ...]:
    """Rename the labels ``old`` of one response to ``new``; marks that then overlap are joined."""
    name = " ".join(new.split())
    if not name:
        raise InvalidInput("The merged label needs a name.")
    renamed = [replace(c, label=name) if c.label in old else c for c in codes]
    others = [c for c in renamed if c.label != name]
    return tuple(sorted([*others, *join_overlapping_codes(c for c in renamed if c.label == name)]))


# -- the texts -------------------------------------------------------------------------------------


def list_ids_and_names_of_items_with_words(
    store: Store, corpus: Corpus, *, search: str = ""
) -> list[tuple[str, str]]:
    """The items whose name or body contains the words, in their order: id and name."""
    where, params = "", {}
    if search.strip():
        # Search the stored JSON as a whole: extracting each text first takes seconds in a large
        # dataset.
        where = " and (contains(lower(name), $search) or contains(lower(body::varchar), $search))"
        params["search"] = to_json(search.strip().lower())[1:-1]
    return store.rows(
        "select id, name from item_now where study = $study and kind = $kind"
        f" and dataset = $dataset{where} order by seq",
        study=corpus.study,
        kind=corpus.kind,
        dataset=corpus.dataset,
        **params,
    )


def list_item_names_and_bodies(store: Store, corpus: Corpus) -> list[tuple[str, dict[str, Any]]]:
    """Every item's name and body, in their order."""
    return [
        (name, json.loads(body))
        for name, body in store.rows(
            "select name, body from item_now where study = $study and kind = $kind"
            " and dataset = $dataset order by seq",
            study=corpus.study,
            kind=corpus.kind,
            dataset=corpus.dataset,
        )
    ]


def texts_by_item_id(store: Store, corpus: Corpus, ids: Collection[str]) -> dict[str, str]:
    """The texts to code of these items, by item id."""
    return dict(
        store.rows(
            "select id, coalesce(body->>$path, '') from item_known where id in $ids",
            path=f"$.{json.dumps(corpus.column)}",
            ids=list(ids),
        )
    )


def ids_of_items_coded_by(store: Store, corpus: Corpus, coder: str) -> set[str]:
    """The items that a coder has worked on, with or without marks."""
    return set(
        store.column(
            "select distinct item from open_code where rater = $rater and item in"
            " (select id from item_in_play where study = $study and dataset = $dataset)",
            rater=coder,
            study=corpus.study,
            dataset=corpus.dataset,
        )
    )


def column_coded_in_dataset(store: Store, study: str, dataset: str) -> str:
    """The column being coded in a dataset; "" if nobody has begun."""
    row = store.find_first_row_as_dict(
        "select c.body->>'$.column' as name from open_code c join item_in_play i on i.id = c.item"
        " where i.study = $study and i.dataset = $dataset order by c.seq limit 1",
        study=study,
        dataset=dataset,
    )
    return str((row or {}).get("name") or "")


@dataclass(frozen=True)
class Coder:
    """A lead who has coded some of a corpus: how many items, and whether they chose to compare."""

    id: str
    name: str
    items: int
    compared: bool


def list_coders(store: Store, corpus: Corpus) -> list[Coder]:
    """Everyone who has coded, in the order they began. Reveals nothing of what they found."""
    return [
        Coder(*row)
        for row in store.rows(
            "select c.rater, r.name, count(distinct c.item), coalesce(bool_or(c.rater in (select"
            " rater from codebook_change where kind = 'compare' and study = $study"
            " and dataset = $dataset)), false) from open_code c"
            " join item_in_play i on i.id = c.item"
            " join rater r on r.id = c.rater where i.study = $study and i.dataset = $dataset"
            " group by 1, 2 order by min(c.seq)",
            study=corpus.study,
            dataset=corpus.dataset,
        )
    ]


@dataclass(frozen=True)
class Coding:
    """What a coder marked in each item they worked on, under the names of their codes."""

    marks: Mapping[str, tuple[OpenCode, ...]]


def last_coding_of_coder(book: Codebook, history: Iterable[Coded], *, blind: bool) -> Coding:
    """A coder's last revisions; with ``blind``, those saved before they chose to compare."""
    until = book.compared
    kept = (one for one in history if not blind or until is None or one.at <= until)
    return Coding(
        {
            one.item: book.list_current_marks_with_code_names(
                open_code_revisions_by_lead.read_codes_from_body(one.body)
            )
            for one in open_code_revisions_by_lead.list_last_revisions_of_items_and_raters(kept)
        }
    )


def agreement_of_two_coders_by_measure(
    one: Coding, other: Coding, texts: Mapping[str, str]
) -> dict[tuple[str, str], Estimate]:
    """Estimates by (measure, its meaning), over the items both worked on; codes are the same if
    their names are, ignoring case and spaces.
    """
    shared = sorted(one.marks.keys() & other.marks.keys())
    names = sorted(
        {
            normalise_code_name_for_comparison(code.label)
            for each in (one, other)
            for code in _all(each, shared)
        }
    )
    marks = _marks([one, other], shared, names)
    anything = RaterMarks(marks.item, marks.judgment, marks.start, marks.end, marks.label * 0)
    return {
        ("Same passage", "F1: passages of one that share words with one of the other"): (
            estimate_mean_span_f1_between_raters(marks, match="overlap", labels=False)
        ),
        ("Exactly the same passage", "F1: the same first and last word"): (
            estimate_mean_span_f1_between_raters(marks, match="exact", labels=False)
        ),
        ("Same words", "alpha: each word marked by both, or by neither"): (
            list_token_alpha_of_each_label(anything, [texts[item] for item in shared], labels=1)[0]
        ),
        ("Same passage and code", "F1: as the first, under codes of the same name"): (
            estimate_mean_span_f1_between_raters(marks, match="overlap", labels=True)
        ),
    }


def overlap_counts_by_pair_of_codes(one: Coding, other: Coding) -> dict[tuple[str, str], int]:
    """How often passages of two codes, one of each coder, share words: shows which codes mean the
    same under two names.
    """
    found: dict[tuple[str, str], int] = {}
    for item in one.marks.keys() & other.marks.keys():
        for mine in one.marks[item]:
            for theirs in other.marks[item]:
                if mine.start < theirs.end and theirs.start < mine.end:
                    pair = (mine.label, theirs.label)
                    found[pair] = found.get(pair, 0) + 1
    return found


def _all(coding: Coding, items: Sequence[str]) -> list[OpenCode]:
    return [code for item in items for code in coding.marks[item]]


def _marks(codings: Sequence[Coding], items: Sequence[str], names: Sequence[str]) -> RaterMarks:
    number = {name: at for at, name in enumerate(names)}
    return RaterMarks.from_judgments(
        (
            at,
            [
                (one.start, one.end, number[normalise_code_name_for_comparison(one.label)])
                for one in coding.marks[item]
            ],
        )
        for coding in codings
        for at, item in enumerate(items)
    )
