"""Error tagging's files into the store: each kind a function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.errors import InvalidInput
from medlens.review import consensus, importing, items, raters, surveys
from medlens.review.files import Report, Request
from medlens.review.study import Kind
from medlens.store import Store, id_of
from medlens.tables import Row, RowError, load
from medlens.tagging import load as published
from medlens.tagging import queries, tasks
from medlens.tagging.load_items import serial_of
from medlens.tagging.models import Option, ResponseItem
from medlens.tagging.study import Study


def import_items(store: Store, study: Study, request: Request) -> Report:
    """``g4ue-items``: the study's items as the annotation platform read them."""
    loaded = published.read_items(request.source, **_reading(request))
    return _add_items(store, request, loaded)


def import_responses(store: Store, study: Study, request: Request) -> Report:
    """``g4ue-responses``: the wrong answers, one per row, or MedQA-style rows with a response."""
    loaded = published.read_responses(request.source, **_reading(request))
    return _add_items(store, request, loaded)


def _reading(request: Request) -> dict[str, Any]:
    return {"name": request.name, "skip_bad": request.skip_bad, "progress": request.progress}


def _add_items(store: Store, request: Request, loaded: Any) -> Report:
    done = queries.add_items(
        store,
        [(one.name, one.item) for one in loaded.records],
        dataset=request.dataset,
    )
    return Report("items", done.added, done.known, loaded.refused, loaded.notes)


def import_own_items(store: Store, study: Study, request: Request) -> Report:
    """``items``: what ``export items`` wrote, or a team's own file in the same columns."""
    loaded = load(
        request.source,
        _own_item,
        required=("item", "response"),
        optional=("question", "options", "correct", "chosen", "model", "illustrative"),
        own_export=True,
        **_reading(request),
    )
    added = known = 0
    groups: dict[bool, list[tuple[str, ResponseItem]]] = {}
    for name, illustrative, item in loaded.records:
        groups.setdefault(illustrative, []).append((name, item))
    for illustrative, found in groups.items():
        done = queries.add_items(
            store, found, dataset=request.dataset, illustrative=illustrative, whole=True
        )
        added, known = added + done.added, known + done.known
    return Report("items", added, known, loaded.refused, loaded.notes)


_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _own_item(row: Row) -> tuple[str, bool, ResponseItem]:
    given = row.values
    options = given.get("options")
    if isinstance(options, str) and options.strip():
        raise RowError(
            "options", "option columns (option_A, option_B, …) or a JSON object", options
        )
    named = (
        dict(options)
        if isinstance(options, Mapping)
        else {
            letter: given[f"option_{letter}"]
            for letter in _LETTERS
            if given.get(f"option_{letter}")
        }
    )
    for column, text in given.items():
        if isinstance(text, str) and len(text) > _LONGEST:
            raise RowError(column, f"a text of at most {_LONGEST:,} characters", text[:80])
    for column in ("correct", "chosen"):
        key = str(given.get(column) or "")
        if key and named and key not in map(str, named):
            raise RowError(column, f"one of the options {', '.join(map(str, named))}", key)
    item = ResponseItem(
        question=str(given.get("question") or ""),
        options=tuple(Option(key=str(k), text=str(v)) for k, v in named.items()),
        correct=str(given.get("correct") or ""),
        chosen=str(given["chosen"]) if given.get("chosen") else None,
        response=_response(given["response"]),
        serial_num=serial_of(given.get("serial_num")),
        meta_info=str(given.get("meta_info") or ""),
        model=str(given.get("model") or ""),
    )
    illustrative = str(given.get("illustrative") or "").casefold() in ("true", "1")
    return str(given["item"]).strip(), illustrative, item


_LONGEST = 200_000


def _response(value: Any) -> str:
    text = str(value or "").replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise RowError("response", "the response's text")
    return text


def import_annotations(store: Store, study: Study, request: Request) -> Report:
    """``g4ue-annotations``: every annotator's marks and survey answers as the platform wrote them.

    Items that the store lacks are made from the texts the annotators saw.
    """
    known = queries.responses(store, request.dataset)
    loaded = published.read_annotations(
        request.source,
        study.taxonomy,
        responses=dict(zip(known["item"], known["response"], strict=True)),
        **_reading(request),
    )
    shown = {one.name: one.item for one in loaded.items}
    missing = [(name, shown[name]) for name in shown if name not in set(known["item"])]
    done = queries.add_items(store, missing, dataset=request.dataset)
    ids = items.by_names(store, tasks.STUDY, request.dataset, list(shown))
    people: dict[str, dict[str, Any]] = {}
    turns: dict[tuple[str, str], int] = {}
    rows = []
    for one in loaded.annotations:
        rater = people.setdefault(one.rater, raters.new_row(one.rater, origin="import"))
        item = ids.get(one.item) or id_of("item", tasks.STUDY, request.dataset, one.item)
        revision = turns[(item, rater["id"])] = turns.get((item, rater["id"]), 0) + 1
        body = one.value.model_dump_json()
        rows.append(
            {
                "id": id_of("judgment", tasks.NAME, item, rater["id"], str(revision), body),
                "task": tasks.NAME,
                "item": item,
                "rater": rater["id"],
                "revision": revision,
                "body": body,
                "blind": True,
                "origin": "import",
                "complete": True,
                "active_seconds": one.seconds,
                "idle_seconds": None,
            }
        )
    answered = _survey_rows(loaded.surveys, people)
    there = importing.count_known(store, "judgment", rows) + importing.count_known(
        store, "survey", answered
    )
    importing.add_rows(
        store, {"rater": list(people.values()), "judgment": rows, "survey": answered}
    )
    report = loaded.report
    notes = (
        *loaded.notes,
        f"{report.raters} raters; {report.items} items, of which {done.added} were new here.",
        f"{report.spans} marks: {report.exact} placed by their offsets, {report.by_quote} by their"
        f" words, {report.ambiguous} not placed because their words occur more than once,"
        f" {report.missing} because they do not occur in the response.",
    )
    if answered:
        notes = (*notes, f"{len(answered)} survey pages.")
    total = len(rows) + len(answered)
    return Report("judgments", total - there, there, loaded.refused, notes)


def _survey_rows(found: Any, people: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    answered = {}
    for one in found:
        rater = people.setdefault(one.rater, raters.new_row(one.rater, origin="import"))
        answered[(rater["id"], one.form)] = surveys.import_row(rater["id"], one.form, one.answers)
    return list(answered.values())


def import_labels(store: Store, study: Study, request: Request) -> Report:
    """``labels``: published labels per item, kept beside our own as a reference."""
    loaded = published.read_labels(request.source, study.taxonomy, **_reading(request))
    labelled = {one.item: {"labels": sorted(one.labels)} for one in loaded.records}
    answers, lost = _known_items(store, request, labelled)
    label = request.label or request.name.rsplit(".", 1)[0]
    added = consensus.add_references(store, study.task, source=label, answers=answers)
    notes = (*loaded.notes, *lost)
    return Report("labelled items", added, len(answers) - added, loaded.refused, notes)


def import_gold(store: Store, study: Study, request: Request) -> Report:
    """``gold``: items whose answer is known, with the labels expected of each."""

    def parse(row: Row) -> tuple[str, dict[str, Any]]:
        named = [name.strip() for name in str(row.values["labels"] or "").split(";")]
        found = [study.taxonomy.by_name(name) for name in named]
        labels = [label.id for label in found if label]
        if len(labels) < len(named):
            raise RowError("labels", "labels of the taxonomy, apart by ;", row.values["labels"])
        if breaches := study.taxonomy.breaches(labels):
            raise RowError("labels", "labels that may stand together", breaches[0])
        reason = str(row.values.get("reason") or "")
        expected = {"labels": sorted(set(labels))} | ({"reason": reason} if reason else {})
        return str(row.values["item"]).strip(), expected

    loaded = load(
        request.source,
        parse,
        required=("item", "labels"),
        optional=("reason",),
        own_export=True,
        **_reading(request),
    )
    known, lost = _known_items(store, request, dict(loaded.records))
    added = consensus.add_gold(store, study.task, answers=known)
    notes = (*loaded.notes, *lost)
    return Report("gold items", added, len(known) - added, loaded.refused, notes)


def _known_items(
    store: Store, request: Request, answers: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Answers by item id, and a remark on those left out because the dataset lacks the item."""
    ids = items.by_names(store, tasks.STUDY, request.dataset, list(answers))
    lost = [name for name in answers if name not in ids]
    if lost and not request.skip_bad:
        raise InvalidInput(
            f"{len(lost)} items of this file are not in the dataset {request.dataset!r}; the first"
            f" is {lost[0]!r}.",
            hint="Import the items first, or leave these out with --skip-bad.",
        )
    remark = f"{len(lost)} items are not in the dataset and were left out."
    known = {ids[name]: body for name, body in answers.items() if name in ids}
    return known, (remark,) if lost else ()


def import_judgments(store: Store, study: Study, request: Request) -> Report:
    """``judgments``: what ``export judgments`` wrote."""
    done = importing.import_judgments(store, study.task, **_judging(request))
    return Report("judgments", done.added, done.known, done.refused, done.notes)


def import_spans(store: Store, study: Study, request: Request) -> Report:
    """``spans``: what ``export spans`` wrote, which holds the judgments whole."""
    done = importing.import_parts(store, study.task, **_judging(request))
    return Report("judgments", done.added, done.known, done.refused, done.notes)


def _judging(request: Request) -> dict[str, Any]:
    return {
        "source": request.source,
        "name": request.name,
        "dataset": request.dataset,
        "skip_bad": request.skip_bad,
        "progress": request.progress,
    }


def import_surveys(store: Store, study: Study, request: Request) -> Report:
    """``surveys``: what ``export surveys`` wrote, one row per answer."""
    loaded = load(
        request.source,
        lambda row: row.values,
        required=("form", "rater", "question"),
        optional=("rater_handle", "answer"),
        own_export=True,
        **_reading(request),
    )
    people: dict[str, dict[str, Any]] = {}
    pages: dict[tuple[str, str], dict[str, Any]] = {}
    for given in loaded.records:
        handle = str(given.get("rater_handle") or "") or None
        origin = handle.split(":")[0] if handle else "import"
        rater = raters.new_row(str(given["rater"]), origin=origin, handle=handle)
        people[rater["id"]] = rater
        page = pages.setdefault((rater["id"], str(given["form"])), {})
        question, answer = str(given["question"]), str(given.get("answer") or "")
        if question in page:
            before = page[question]
            page[question] = [*(before if isinstance(before, list) else [before]), answer]
        else:
            page[question] = answer
    rows = [surveys.import_row(rater, form, page) for (rater, form), page in pages.items()]
    there = importing.count_known(store, "survey", rows)
    importing.add_rows(store, {"rater": list(people.values()), "survey": rows})
    notes = (
        *loaded.notes,
        "Forms are their raters', not a dataset's: they count for every dataset.",
    )
    return Report("forms", len(rows) - there, there, loaded.refused, notes)


IMPORTS: dict[str, Kind] = {
    "g4ue-items": Kind(
        "G4UE items (JSON lines: id, serial_num, text)",
        import_items,
        looks="JSON lines with id, serial_num and text, where text holds the question, the "
        "correct answer and the response.",
        columns=({"id", "text"},),
    ),
    "g4ue-responses": Kind(
        "G4UE wrong answers (CSV: serial_num, question, …)",
        import_responses,
        looks="A CSV with serial_num, question, options, answer_idx and gpt4_response: one "
        "wrong answer per row.",
        columns=({"gpt4_response"},),
    ),
    "g4ue-annotations": Kind(
        "G4UE raw annotations (the platform's CSV export)",
        import_annotations,
        looks="The annotation platform's CSV with displayed_text, span_annotations and "
        "annotator_id: one row per annotator and item.",
        columns=({"displayed_text", "span_annotations"},),
    ),
    "labels": Kind(
        "Published labels (CSV: id and a column per label)",
        import_labels,
        looks="A table with id and one True/False column per label. It is kept as a reference "
        "beside your own judgments.",
    ),
    "items": Kind(
        "Items in MedLens's own columns (item, question, option_A, …, response)",
        import_own_items,
        looks="Your own responses: item, question, option_A, option_B, …, correct, chosen and "
        "response.",
        columns=({"item", "response"},),
    ),
    "judgments": Kind(
        "Judgments exported by MedLens",
        import_judgments,
        looks="What Export wrote as judgments: one row per judgment, with item and rater.",
        columns=(
            {"item", "rater"},
            {"item", "rater", "labels"},
            {"item", "rater", "response"},
        ),
    ),
    "spans": Kind(
        "Spans exported by MedLens",
        import_spans,
        looks="What Export wrote as spans: one row per marked passage and label.",
        columns=(
            {"item", "rater", "quote"},
            {"item", "rater", "span"},
        ),
    ),
    "surveys": Kind(
        "Form answers exported by MedLens",
        import_surveys,
        looks="What Export wrote as form answers: form, rater, question, answer.",
        columns=({"form", "rater", "question"},),
    ),
    "gold": Kind(
        "Gold items exported by MedLens (item, labels)",
        import_gold,
        looks="Items whose answer is known: item and labels (several apart by semicolons).",
        columns=({"item", "labels"},),
    ),
}
"""Kinds of files that can be imported."""
