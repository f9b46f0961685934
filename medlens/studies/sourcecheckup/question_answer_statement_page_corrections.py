"""Corrections of a question, an answer, or a statement and its page, with their queries.

A statement and a page are shown in several items: all of them get a new version. A corrected page
is a new snapshot, to which its pairs move; the one that was fetched stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.llm.token_cost_forecast_and_budget import estimate_tokens_from_length
from medlens.review import items
from medlens.review.item_corrections import (
    SharedCorrection,
    add_versions_of_shown_rows_to_body,
    load_version_and_columns_by_row,
)
from medlens.store import Lookup, Row, Store, replace_unstorable_characters
from medlens.studies.sourcecheckup import queries, records_to_store_rows
from medlens.studies.sourcecheckup.records import (
    PAIR_KIND,
    QUESTION_KIND,
    RESPONSE_KIND,
    STUDY,
    address_without_fragment,
    digest_of_text,
    source_id,
)
from medlens.studies.sourcecheckup.study_in_dataset import FORESEEN_PAGE, Study

QUESTION_COLUMNS = {
    "question": "question",
    "group": "source_group",
    "answer": "answer",
    "document": "document",
    "document_url": "document_url",
}
"""What can be corrected of a question: the columns of its row, by those of its file."""
_PAGE = "page"
_NEEDED = ("question", "response", "model", "statement", _PAGE)


def correctable_cells_by_column(store: Store, _study: Study, item: str) -> dict[str, str]:
    """What can be corrected of an item, as text, by column."""
    kind, body = items.kind_of_item(store, item), items.item_body(store, item)
    if kind == QUESTION_KIND:
        row = store.find_first_row_as_dict("from sc_question_told where id = $id", id=item) or {}
        return {name: str(row[column]) for name, column in QUESTION_COLUMNS.items()}
    if kind == RESPONSE_KIND:
        found = store.find_first_row_as_dict(
            "select response, model from sc_response_told where id = $id", id=item
        )
        return dict(found or {})
    shown = queries.statement_text(store, str(body["statement"]))
    page = _page_of(store, body) if kind == PAIR_KIND else None
    return {"statement": shown} | ({_PAGE: queries.source_text(store, page["id"])} if page else {})


def make_correction_of_cells(
    store: Store, study: Study, item: str, cells: Mapping[str, str]
) -> SharedCorrection:
    """The correction of some cells of an item.

    Raises:
        InvalidInput: it would have no text.
    """
    kind, body = items.kind_of_item(store, item), items.item_body(store, item)
    given = {
        name: replace_unstorable_characters(cell.replace("\r\n", "\n").replace("\r", "\n"))
        for name, cell in cells.items()
    }
    for name in _NEEDED:
        if name in given and not given[name].strip():
            raise InvalidInput(f"{name}: expected a text, and it is empty.")
    if kind == QUESTION_KIND:
        return make_correction_of_questions(store, study.dataset, {item: given})
    if kind == RESPONSE_KIND:
        return make_correction_of_answers(store, study.dataset, {item: given})
    found = SharedCorrection(STUDY, study.dataset, {})
    if "statement" in given:
        found = make_correction_of_statements(
            store, study.dataset, {str(body["statement"]): given["statement"]}
        )
    page = _page_of(store, body) if _PAGE in given else None
    return _with_page(store, found, page, given[_PAGE]) if page else found


def make_correction_of_questions(
    store: Store, dataset: str, changed: Mapping[str, Mapping[str, str]]
) -> SharedCorrection:
    """The correction of questions: cells by the columns of their file, by id."""
    rows = {
        question: {QUESTION_COLUMNS[name]: cell for name, cell in cells.items()}
        for question, cells in changed.items()
    }
    bodies = {}
    versions = _next_versions(store, rows)
    for question, body in items.load_item_bodies_by_id(store, list(rows)).items():
        digests = {
            name: digest_of_text(rows[question][name])
            for name in ("question", "document")
            if name in rows[question]
        }
        bodies[question] = add_versions_of_shown_rows_to_body(
            body, {question: versions[question]}, **digests
        )
    return SharedCorrection(STUDY, dataset, bodies, rows)


def make_correction_of_answers(
    store: Store, dataset: str, changed: Mapping[str, Mapping[str, str]]
) -> SharedCorrection:
    """The correction of answers: cells by the columns of their file, by id."""
    versions = _next_versions(store, changed)
    bodies = {}
    for answer, body in items.load_item_bodies_by_id(store, list(changed)).items():
        text = changed[answer].get("response")
        digests = {} if text is None else {"response": digest_of_text(text)}
        bodies[answer] = add_versions_of_shown_rows_to_body(
            body, {answer: versions[answer]}, **digests
        )
    return SharedCorrection(STUDY, dataset, bodies, changed)


def make_correction_of_statements(
    store: Store, dataset: str, changed: Mapping[str, str]
) -> SharedCorrection:
    """The correction of statements (texts by id): their pairs and answers show them."""
    versions = _next_versions(store, changed)
    bodies = {
        item: add_versions_of_shown_rows_to_body(
            items.parse_item_body(body), {statement: versions[statement] for statement in shown}
        )
        for item, body, shown in _showing(store, list(changed))
    }
    rows = {statement: {"statement": text} for statement, text in changed.items()}
    return SharedCorrection(STUDY, dataset, bodies, rows)


def make_correction_of_pages(
    store: Store, dataset: str, changed: Mapping[str, str]
) -> SharedCorrection:
    """The correction of pages (texts by the id of the snapshot): all items that show one get a new
    version.
    """
    found = SharedCorrection(STUDY, dataset, {})
    for page, text in changed.items():
        row = _page_with_id(store, page)
        assert row is not None
        found = _with_page(store, found, row, text)
    return found


_SNAPSHOTS_SHOWN = Lookup(
    "sourcecheckup.snapshots_shown",
    "select n.url, n.id from sc_source_now n where n.dataset = $dataset and n.characters > 0"
    " and exists (select 1 from item_known i where i.study = $study"
    "  and i.dataset = n.dataset and i.kind = $kind and ((i.body->>'$.source') = n.id"
    "  or (i.body->>'$.source') = '' and"
    "  coalesce(nullif(split_part(i.body->>'$.url', '#', 1), ''), i.body->>'$.url') = n.url))",
)


def ids_of_shown_snapshots_by_address(store: Store, dataset: str) -> dict[str, str]:
    """The newest snapshots that have a text and are shown by pairs: ids by address."""
    rows = store.rows(
        _SNAPSHOTS_SHOWN,
        dataset=dataset,
        study=STUDY,
        kind=PAIR_KIND,
    )
    return dict(rows)


def _next_versions(store: Store, subjects: Iterable[str]) -> dict[str, int]:
    listed = list(subjects)
    held = load_version_and_columns_by_row(store, listed)
    return {subject: held.get(subject, (1, {}))[0] + 1 for subject in listed}


_ITEMS_SHOWING_STATEMENTS = Lookup(
    "sourcecheckup.items_showing_statements",
    "with shown as ("
    "  select i.id, i.body->>'$.statement' as statement from item_known i"
    "  where i.study = $study and (i.body->>'$.statement') in $statements"
    "  union all select s.response, s.id from sc_statement s where s.id in $statements)"
    " select i.id, i.body::varchar, list(s.statement order by s.statement) from shown s"
    " join item_known i on i.id = s.id group by i.id, i.seq, i.body order by i.seq",
)


def _showing(store: Store, statements: list[str]) -> list[tuple[str, str, list[str]]]:
    """The items that show statements (ids): their id and body, and which they show."""
    return [
        (item, body, list(shown))
        for item, body, shown in store.rows(
            _ITEMS_SHOWING_STATEMENTS,
            study=STUDY,
            statements=statements,
        )
    ]


def _page_of(store: Store, body: Mapping[str, Any]) -> dict[str, Any] | None:
    """The row of the snapshot that a pair shows; None: it shows none that could be read."""
    return _page_with_id(store, queries.snapshot_id_of_pair(store, body))


_SNAPSHOT_TO_CORRECT = Lookup(
    "sourcecheckup.snapshot_to_correct",
    "select * exclude (fetched, told, told_why, told_by, told_at)"
    " from sc_source_told where id = $id and characters > 0",
)


def _page_with_id(store: Store, snapshot: str) -> dict[str, Any] | None:
    return store.find_first_row_as_dict(
        _SNAPSHOT_TO_CORRECT,
        id=snapshot,
    )


_ITEMS_SHOWING_PAGE = Lookup(
    "sourcecheckup.items_showing_page",
    "select i.id, i.kind, i.body::varchar from item_known i"
    " where i.study = $study and i.dataset = $dataset and (i.kind = 'pair' and ("
    "  (i.body->>'$.source') = $source or (i.body->>'$.source') = ''"
    "  and coalesce(nullif(split_part(i.body->>'$.url', '#', 1), ''), i.body->>'$.url') = $url)"
    " or i.id in (select response from sc_cited where dataset = $dataset and url = $url))"
    " order by i.seq",
)


_LAST_SNAPSHOT = Lookup(
    "sourcecheckup.last_snapshot",
    "select max(revision) from sc_source where dataset = $dataset"
    " and coalesce(nullif(split_part(url, '#', 1), ''), url) = $url",
)


def _with_page(
    store: Store, found: SharedCorrection, page: dict[str, Any], text: str
) -> SharedCorrection:
    """A correction, and that of a page as well: a new snapshot in all items that show it."""
    latest = store.value(
        _LAST_SNAPSHOT,
        dataset=page["dataset"],
        url=page["url"],
    )
    revision = int(latest) + 1
    corrected = source_id(page["dataset"], page["url"], revision)
    row: Row = {
        **{name: value for name, value in page.items() if name not in ("seq", "made_at")},
        "id": corrected,
        "revision": revision,
        "characters": len(text),
        "tokens": estimate_tokens_from_length(
            len(text), sum(not character.isascii() for character in text)
        ),
        "digest": digest_of_text(text),
        "text": "" if records_to_store_rows.is_long_text(text) else text,
        "run": "",
        "origin": queries.CORRECTED,
    }
    bodies, foreseen = dict(found.bodies), dict(found.foreseen)
    for item, kind, body in store.rows(
        _ITEMS_SHOWING_PAGE,
        study=STUDY,
        dataset=page["dataset"],
        source=page["id"],
        url=address_without_fragment(page["url"]),
    ):
        before: Any = bodies.get(item, body)
        before = items.parse_item_body(before) if isinstance(before, str) else before
        moved = {"source": corrected} if kind == PAIR_KIND else {}
        bodies[item] = add_versions_of_shown_rows_to_body(before, {page["id"]: revision}, **moved)
        foreseen[item] = {FORESEEN_PAGE: text}
    beside: dict[str, list[Row]] = {
        "sc_source": [*found.beside.get("sc_source", ()), row],
        "sc_source_part": [
            *found.beside.get("sc_source_part", ()),
            *records_to_store_rows.source_part_rows(corrected, text),
        ],
    }
    return SharedCorrection(found.study, found.dataset, bodies, found.rows, beside, foreseen)
