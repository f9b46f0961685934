"""Error tagging's imports: one function per kind of file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import (
    consensus,
    items,
    judgment_import,
    raters,
    survey_answers_and_completion_code,
)
from medlens.review.judging import make_imported_judgment_row
from medlens.store import Store, stable_id
from medlens.studies.tagging import (
    load_raw_annotations,
    queries,
    read_g4ue_items_and_responses,
    tasks,
)
from medlens.studies.tagging.read_g4ue_items_and_responses import parse_serial_number
from medlens.studies.tagging.records import ItemAsRead
from medlens.studies.tagging.study_in_dataset import Study
from medlens.tables import (
    Column,
    Kind,
    Report,
    Request,
    Row,
    RowError,
    load_parsed_and_refused_rows,
)
from medlens.tables.file_schemas_import_requests_and_reports import (
    ILLUSTRATIVE,
    TABLES_OF_ITEMS,
    TABLES_OF_JUDGMENTS,
)
from medlens.tables.read_and_check_table import Fault, as_boolean_numpy_array, read_checked_table


def import_items(store: Store, study: Study, request: Request) -> Report:
    """``g4ue-items``: the study's items as the annotation platform read them."""
    return _add_items(
        store,
        study,
        request,
        read_g4ue_items_and_responses.read_items_to_be_stored(
            request.source, **request.reading_options
        ),
    )


def import_responses(store: Store, study: Study, request: Request) -> Report:
    """``g4ue-responses``: the wrong answers, one per row, or MedQA-style rows with a response."""
    return _add_items(
        store,
        study,
        request,
        read_g4ue_items_and_responses.read_responses_to_be_stored(
            request.source, **request.reading_options
        ),
    )


def _add_items(
    store: Store,
    study: Study,
    request: Request,
    read: read_g4ue_items_and_responses.ItemsAsRead,
) -> Report:
    found = list(read.by_name.items())
    compared, revised = queries.correct_or_withdraw_and_name_reimported_items(
        store, study, found, request.revising, dataset=request.dataset
    )
    done = queries.add_responses_and_return_added(
        store, found, dataset=request.dataset, revised=revised
    )
    return Report(
        *("items", done.added, done.known, read.loaded.refused, read.notes_in_words()),
        compared=compared,
        items=done.items,
    )


ITEMS = (
    Column("item", "name", "the item's name", needed=True),
    Column("response", "text", "the model's response, in which errors are marked", needed=True),
    Column("question", "text", "the question that was asked"),
    Column("options", "object", "the options by letter; in CSV option_A, option_B, …"),
    Column("correct", "name", "the letter of the correct option"),
    Column("chosen", "name", "the letter of the option that the response chooses"),
    Column("model", "name", "the model that gave the response"),
    Column("serial_num", "whole", "the question's number in its source"),
    Column("meta_info", "name", "where the question comes from, such as step1"),
    ILLUSTRATIVE,
)


def import_own_items(store: Store, study: Study, request: Request) -> Report:
    """``items``: what ``export items`` wrote, or your own file with the same columns."""
    loaded = load_parsed_and_refused_rows(
        request.source,
        _own_item,
        columns=ITEMS,
        own_export=True,
        **request.reading_options,
    )
    added = known = 0
    groups: dict[bool, list[tuple[str, ItemAsRead]]] = {}
    for name, illustrative, item in loaded.records:
        groups.setdefault(illustrative, []).append((name, item))
    compared, revised = queries.correct_or_withdraw_and_name_reimported_items(
        store,
        study,
        [(name, item) for name, _, item in loaded.records],
        request.revising,
        dataset=request.dataset,
        whole=True,
    )
    new: tuple[str, ...] = ()
    for illustrative, found in groups.items():
        done = queries.add_responses_and_return_added(
            store,
            found,
            dataset=request.dataset,
            illustrative=illustrative,
            whole=True,
            revised=revised,
        )
        added, known = added + done.added, known + done.known
        new += done.items
    return Report(
        *("items", added, known, loaded.refused, loaded.notes), compared=compared, items=new
    )


_OPTION_COLUMNS = tuple((letter, f"option_{letter}") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def _own_item(row: Row) -> tuple[str, bool, ItemAsRead]:
    given = row.values
    options = given.get("options")
    if isinstance(options, str) and options.strip():
        raise RowError(
            "options", "option columns (option_A, option_B, …) or a JSON object", options
        )
    named = (
        dict(options)
        if isinstance(options, Mapping)
        else {letter: given[column] for letter, column in _OPTION_COLUMNS if given.get(column)}
    )
    for column in ("correct", "chosen"):
        key = str(given.get(column) or "")
        if key and named and key not in map(str, named):
            raise RowError(column, f"one of the options {', '.join(map(str, named))}", key)
    item = ItemAsRead(
        question=str(given.get("question") or ""),
        options=tuple((str(key), str(text)) for key, text in named.items()),
        correct=str(given.get("correct") or ""),
        chosen=str(given["chosen"]) if given.get("chosen") else None,
        response=_response(given["response"]),
        serial_num=parse_serial_number(given.get("serial_num")),
        meta_info=str(given.get("meta_info") or ""),
        model=str(given.get("model") or ""),
    )
    illustrative = str(given.get("illustrative") or "").casefold() in ("true", "1")
    return str(given["item"]).strip(), illustrative, item


def _response(value: Any) -> str:
    text = str(value or "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise RowError("response", "the response's text")
    return text


def import_annotations(store: Store, study: Study, request: Request) -> Report:
    """``g4ue-annotations``: every annotator's marks and survey answers as the platform wrote them.

    Items that the store lacks are made from the texts the annotators saw.
    """
    known = queries.table_of_responses(store, request.dataset)
    loaded = load_raw_annotations.read_annotations_surveys_and_refused_rows(
        request.source,
        study.taxonomy,
        responses=dict(zip(known["item"], known["response"], strict=True)),
        **request.reading_options,
    )
    shown = {one.name: one.item for one in loaded.items}
    missing = [(name, shown[name]) for name in shown if name not in set(known["item"])]
    done = queries.add_responses_and_return_added(store, missing, dataset=request.dataset)
    ids = items.item_ids_by_name(store, tasks.STUDY, request.dataset, list(shown))
    people: dict[str, dict[str, Any]] = {}
    turns: dict[tuple[str, str], int] = {}
    rows = []
    for one in loaded.annotations:
        rater = people.setdefault(one.rater, raters.make_rater_row(one.rater, origin="import"))
        item = ids.get(one.item) or stable_id("item", tasks.STUDY, request.dataset, one.item)
        revision = turns[(item, rater["id"])] = turns.get((item, rater["id"]), 0) + 1
        rows.append(
            make_imported_judgment_row(
                tasks.NAME, item, rater["id"], one.value, revision=revision, seconds=one.seconds
            )
        )
    answered = _survey_rows(loaded.surveys, people)
    there = judgment_import.count_rows_already_stored(store, "judgment", rows)
    pages_there = judgment_import.count_rows_already_stored(store, "survey", answered)
    judgment_import.append_imported_rows_and_count_by_table(
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
        pages = "survey page" if len(answered) == 1 else "survey pages"
        new = len(answered) - pages_there
        notes = (*notes, f"{len(answered):,} {pages}, {new:,} of them new here.")
    return Report("judgments", len(rows) - there, there, loaded.refused, notes)


def _survey_rows(found: Any, people: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    answered = {}
    for one in found:
        rater = people.setdefault(one.rater, raters.make_rater_row(one.rater, origin="import"))
        answered[(rater["id"], one.form)] = (
            survey_answers_and_completion_code.make_imported_survey_row(
                rater["id"], one.form, one.answers
            )
        )
    return list(answered.values())


def import_published_labels(store: Store, study: Study, request: Request) -> Report:
    """``labels``: published labels per item, kept beside our own as a reference."""
    loaded = load_raw_annotations.read_labels_of_items(
        request.source, study.taxonomy, **request.reading_options
    )
    labelled = {one.item: {"labels": sorted(one.labels)} for one in loaded.records}
    answers, lost = _known_items(store, request, labelled)
    label = request.label or request.name.rsplit(".", 1)[0]
    added = consensus.store_published_answers_and_count_new(
        store, study.task, source=label, answers=answers
    )
    notes = (*loaded.notes, *lost)
    return Report("labelled items", added, len(answers) - added, loaded.refused, notes)


def import_gold(store: Store, study: Study, request: Request) -> Report:
    """``gold``: items whose answer is known, with the labels expected of each."""

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        named = [[one.strip() for one in text.split(";")] for text in frame["labels"]]
        found = [[study.taxonomy.find_label_by_any_name(one) for one in names] for names in named]
        ids = [sorted({label.id for label in labels if label}) for labels in found]
        unknown = as_boolean_numpy_array([not all(labels) for labels in found])
        broken = [
            next(iter(study.taxonomy.list_exclusivity_breaches_in_words(labels)), "")
            for labels in ids
        ]
        return frame.assign(ids=pd.Series(ids, dtype=object)), [
            Fault(unknown, "labels", "labels of the taxonomy, separated by ;"),
            *(
                Fault(
                    as_boolean_numpy_array([one == why for one in broken]),
                    "labels",
                    f"labels that are allowed together ({why})",
                )
                for why in sorted({*broken} - {""})
            ),
        ]

    done = read_checked_table(request, GOLD, check)
    expected = {
        one["item"]: {"labels": one["ids"]} | ({"reason": one["reason"]} if one["reason"] else {})
        for one in done.frame.to_dict("records")
    }
    known, lost = _known_items(store, request, expected)
    added = consensus.set_gold_from_key_and_count(store, study.task, answers=known)
    notes = (*done.notes, *lost)
    return Report("gold items", added, len(known) - added, done.refused, notes)


GOLD = (
    Column("item", "name", "the item's name", needed=True),
    Column("labels", "name", "the labels expected of it, separated by semicolons", needed=True),
    Column("reason", "text", "the explanation for those who missed it"),
)


def _known_items(
    store: Store, request: Request, answers: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Answers by item id, and a note on those left out because the dataset lacks the item."""
    ids = items.item_ids_by_name(store, tasks.STUDY, request.dataset, list(answers))
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
    return judgment_import.import_judgments(store, study.task, request)


def import_judgments_from_spans_file(store: Store, study: Study, request: Request) -> Report:
    """``spans``: what ``export spans`` wrote, which contains whole judgments."""
    return judgment_import.import_judgments_with_parts(store, study.task, request)


SPANS = (
    Column("quote", "text", "the words that are marked"),
    Column("start", "whole", "where they begin in the response", unit="characters"),
    Column("end", "whole", "where they end", unit="characters"),
    Column("located", "name", "how the place was found, such as exact or by_quote"),
    Column("label", "name", "the label; a span with several has a row for each"),
    Column("span", "whole", "the span's place among the judgment's"),
    Column("span_comment", "text", "what the rater wrote beside the mark"),
    Column("link", "text", "what refutes it"),
    Column("comment", "text", "what the rater wrote beside the whole response"),
)
SURVEYS = (
    Column("form", "text", "the form's name", needed=True),
    Column("rater", "text", "who filled it in", needed=True),
    Column("question", "text", "the question; several rows for several answers", needed=True),
    Column("rater_handle", "text", "the rater's handle in the store that it came from"),
    Column("answer", "text", "the answer"),
)


def import_surveys(store: Store, study: Study, request: Request) -> Report:
    """``surveys``: what ``export surveys`` wrote, one row per answer."""
    done = read_checked_table(request, SURVEYS)
    people: dict[str, dict[str, Any]] = {}
    pages: dict[tuple[str, str], dict[str, Any]] = {}
    for given in done.frame.to_dict("records"):
        handle = given["rater_handle"] or None
        origin = handle.split(":")[0] if handle else "import"
        rater = raters.make_rater_row(given["rater"], origin=origin, handle=handle)
        people[rater["id"]] = rater
        page = pages.setdefault((rater["id"], given["form"]), {})
        question, answer = given["question"], given["answer"]
        before = page.get(question, [])
        several = [*(before if isinstance(before, list) else [before]), answer]
        page[question] = several if question in page else answer
    rows = [
        survey_answers_and_completion_code.make_imported_survey_row(rater, form, page)
        for (rater, form), page in pages.items()
    ]
    there = judgment_import.count_rows_already_stored(store, "survey", rows)
    judgment_import.append_imported_rows_and_count_by_table(
        store, {"rater": list(people.values()), "survey": rows}
    )
    notes = (
        *done.notes,
        "Forms are their raters', not a dataset's: they count for every dataset.",
    )
    return Report("forms", len(rows) - there, there, done.refused, notes)


IMPORTS: dict[str, Kind] = {
    "g4ue-items": Kind(
        title="G4UE items (JSON lines: id, serial_num, text)",
        read=import_items,
        columns=read_g4ue_items_and_responses.ITEMS,
        apostrophes=False,
        about=lambda study, row: str(row.get("id") or "").strip(),
        looks="JSON lines with id, serial_num and text, where text holds the question, the "
        "correct answer and the response.",
    ),
    "g4ue-responses": Kind(
        title="G4UE wrong answers (CSV: serial_num, question, …)",
        read=import_responses,
        columns=read_g4ue_items_and_responses.RESPONSES,
        apostrophes=False,
        about=lambda study, row: f"serial{parse_serial_number(row.get('serial_num'))}",
        looks="A CSV with serial_num, question, options, answer_idx and gpt4_response: one "
        "wrong answer per row.",
        known_by=({"gpt4_response"},),
    ),
    "g4ue-annotations": Kind(
        title="G4UE raw annotations (the platform's CSV export)",
        read=import_annotations,
        columns=load_raw_annotations.ANNOTATIONS,
        apostrophes=False,
        looks="The annotation platform's CSV with displayed_text, span_annotations and "
        "annotator_id: one row per annotator and item.",
        known_by=({"displayed_text", "span_annotations"},),
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS | {"survey"},
    ),
    "labels": Kind(
        title="Published labels (CSV: id and a column per label)",
        read=import_published_labels,
        columns=load_raw_annotations.LABELS,
        more="a column for each label of the taxonomy: True or False",
        apostrophes=False,
        looks="A table with id and one True/False column per label. It is kept as a reference "
        "beside your own judgments.",
        known_by=(),
        writes=frozenset({"reference"}),
    ),
    "items": Kind(
        title="Items in MedLens's own columns (item, question, option_A, …, response)",
        read=import_own_items,
        columns=ITEMS,
        more="option_A, option_B, …: the options' texts",
        about=lambda study, row: str(row.get("item") or "").strip(),
        asks=lambda study, column: column.casefold().startswith("option_"),
        looks="Your own responses: item, question, option_A, option_B, …, correct, chosen and "
        "response.",
    ),
    "judgments": Kind(
        title="Judgments exported by MedLens",
        read=import_judgments,
        columns=judgment_import.COLUMNS,
        more="labels (separated by semicolons), none_found, comment",
        looks="What Export wrote as judgments: one row per judgment, with item and rater.",
        known_by=(
            {"item", "rater"},
            {"item", "rater", "labels"},
            {"item", "rater", "response"},
        ),
        writes=TABLES_OF_JUDGMENTS,
    ),
    "spans": Kind(
        title="Spans exported by MedLens",
        read=import_judgments_from_spans_file,
        columns=(*judgment_import.COLUMNS, *SPANS),
        looks="What Export wrote as spans: one row per marked passage and label.",
        known_by=(
            {"item", "rater", "quote"},
            {"item", "rater", "span"},
        ),
        writes=TABLES_OF_JUDGMENTS,
    ),
    "surveys": Kind(
        title="Form answers exported by MedLens",
        read=import_surveys,
        columns=SURVEYS,
        looks="What Export wrote as form answers: form, rater, question, answer.",
        writes=frozenset({"rater", "survey"}),
    ),
    "gold": Kind(
        title="Gold items exported by MedLens (item, labels)",
        read=import_gold,
        columns=GOLD,
        looks="Items whose answer is known: item and labels (separated by semicolons).",
        writes=frozenset({"gold"}),
    ),
}
"""Kinds of files that can be imported."""
