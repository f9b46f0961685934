"""Answer files: the kinds there are, and their readers, writers and export."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache

from medlens.deferred_module import pd
from medlens.review import judgment_export, judgment_import, raters
from medlens.review.raters import Rater, require_lead
from medlens.store import Store, stable_id
from medlens.studies.ebmqa import questionnaire, tasks
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.ebmqa.answers.import_answers import import_answers
from medlens.studies.ebmqa.answers.read_answer_file import ANSWERS
from medlens.studies.ebmqa.explore.aggregate_queries import names_of_selected_questions
from medlens.studies.ebmqa.explore.question_filter import (
    AnswerFilter,
    parse_filter_as_label_and_values_pairs,
)
from medlens.studies.ebmqa.records import IDK, OUTCOMES, positions_in_bit_mask
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.tables import (
    Kind,
    Report,
    Request,
    Row,
    iterate_rows_of_table_file,
    make_source_rereadable,
)
from medlens.tables.file_schemas_import_requests_and_reports import (
    TABLES_OF_ITEMS,
    TABLES_OF_JUDGMENTS,
)

COLUMNS = (
    *("question_id", "model", "prompt", "repeat", "outcome", "answer", "correct", "score", "said"),
)


def make_answers_export_table(
    store: Store, study: Study, *, viewer: Rater | None, label: str = "", words: str = ""
) -> pd.DataFrame:
    """One row per answer.

    ``answer`` holds the texts of the chosen options (their numbers if a text contains a semicolon),
    ``correct`` those of the correct ones, ``score`` the share of the chosen ones that are correct
    (empty if nothing was answered), ``said`` the model's words if they differ. ``label``
    (``question_filter.parse_filter_as_label_and_values_pairs``) and ``words`` filter the questions.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: no question has such a label.
    """
    require_lead(viewer)
    table = answer_and_questionnaire_queries.all_answers_table(store, study.dataset)
    if label or words:
        where = AnswerFilter(
            study.dataset, labels=parse_filter_as_label_and_values_pairs(label), search=words
        )
        table = table[
            table["question_id"].isin(names_of_selected_questions(store, where))
        ].reset_index(drop=True)
    outcomes = [OUTCOMES[code] for code in table["outcome"]]
    said = ["" if pd.isna(one) else str(one) for one in table["said"]]
    answers = []
    rows = zip(outcomes, table["options"], table["chosen"], said, strict=True)
    for outcome, options, chosen, raw in rows:
        if outcome == "answered":
            answers.append(joined_texts_of_options_in_mask(options, chosen))
        else:
            wordless = IDK if outcome == "idk" else f"({outcome})"
            answers.append(raw if raw.strip() and outcome != "idk" else wordless)
    pairs = zip(outcomes, table["chosen"], table["correct"], strict=True)
    table["score"] = [
        (chosen & correct).bit_count() / chosen.bit_count() if outcome == "answered" else None
        for outcome, chosen, correct in pairs
    ]
    table["correct"] = list(
        map(joined_texts_of_options_in_mask, table["options"], table["correct"])
    )
    table["outcome"], table["answer"], table["said"] = outcomes, answers, said
    return table[list(COLUMNS)]


@lru_cache(maxsize=65536)
def joined_texts_of_options_in_mask(options: str, mask: int) -> str:
    """The options (a JSON list) in a mask, separated by semicolons."""
    listed = json.loads(options)
    places = positions_in_bit_mask(mask)
    if any(";" in text for text in listed):
        return "; ".join(str(place + 1) for place in places)
    return "; ".join(str(listed[place]) for place in places)


def import_questionnaire_answers_of_people(store: Store, study: Study, request: Request) -> Report:
    """``ebmqa-questionnaire``: people's answers, as ``export questionnaire`` wrote them.

    If no questionnaire was drawn, the file's questions become it.

    Raises:
        InvalidInput: an answer is to no question of the questionnaire, or of the dataset.
        BadFile: rows are refused (unless ``skip_bad``), or the file cannot be read.
    """
    request = replace(request, source=make_source_rereadable(request.source))
    note: tuple[str, ...] = ()
    if not answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(
        store, request.dataset
    ):
        asked = list(dict.fromkeys(str(row.values.get("item", "")) for row in _rows(request)))
        drawn = questionnaire.add_questionnaire_of_questions_and_count(
            store, request.dataset, asked
        )
        note = (f"The {drawn:,} questions of this file are the questionnaire: none was drawn.",)
    done = judgment_import.import_judgments(
        store, tasks.QuestionnaireTask(), request, what="answers"
    )
    _keep_looks(store, request)
    return replace(done, notes=(*done.notes, *note))


def _rows(request: Request) -> Iterator[Row]:
    return iterate_rows_of_table_file(
        request.source,
        name=request.name,
        optional=("item",),
        own_export=True,
        refuse=lambda row, problem: None,
    )


def _keep_looks(store: Store, request: Request) -> None:
    """Store who had seen the correct answers; the only known time is "before the last answer"."""
    told = {
        str(row.values.get("rater_handle"))
        for row in _rows(request)
        if str(row.values.get("looked")).casefold() == "true"
    }
    last = answer_and_questionnaire_queries.last_blind_answer_time_by_person(store, request.dataset)
    # A rater's id comes from the handle (``raters.make_rater_row``).
    for rater in sorted(stable_id("rater", handle) for handle in told):
        if rater in last:
            at = last[rater] - timedelta(seconds=1)
            answer_and_questionnaire_queries.record_correct_answers_seen(
                store, request.dataset, rater, at=at
            )


def make_questionnaire_export_table(
    store: Store, study: Study, *, viewer: Rater | None, history: bool = False, nested: bool = False
) -> pd.DataFrame:
    """One row per person and question: the number answered, the guess, and the correct answer.

    ``looked`` says whether the person had seen the correct answers before answering.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    table = judgment_export.judgments_table(
        store,
        tasks.QuestionnaireTask(),
        dataset=study.dataset,
        viewer=viewer,
        history=history,
        nested=nested,
    )
    asked = {
        row["name"]: row
        for row in answer_and_questionnaire_queries.list_named_questions_as_dicts(
            store, study.dataset, sorted(set(table["item"]))
        )
    }
    for column in ("question", "qa_type"):
        table[column] = [asked[item][column] if item in asked else "" for item in table["item"]]
    table["correct"] = [
        joined_texts_of_options_in_mask(asked[item]["options"], asked[item]["correct"])
        if item in asked
        else ""
        for item in table["item"]
    ]
    looked = questionnaire.ids_of_raters_who_saw_key_before_answer(store, study.dataset)
    handles = {rater.handle for rater in raters.list_raters(store) if rater.id in looked}
    table["looked"] = table["rater_handle"].isin(handles)
    return judgment_export.move_tail_columns_last(table)


IMPORTS: dict[str, Kind] = {
    "ebmqa-answers": Kind(
        title="Answers of models: question_id, model, answer",
        read=import_answers,
        columns=ANSWERS,
        looks="Answers of models: question_id, model, answer (the option's text, number or "
        "letter; separated by semicolons).",
        writes=frozenset({"rater", "ebmqa_answer", "ebmqa_answer_block", "ebmqa_said"}),
    ),
    "ebmqa-questionnaire": Kind(
        title="People's answers to the questionnaire, exported by MedLens",
        read=import_questionnaire_answers_of_people,
        columns=judgment_import.COLUMNS,
        more="answer and guess: the number of an option, or idk; looked: whether the rater had seen"
        " what is right",
        looks="What Export wrote as questionnaire: people's answers.",
        judgments=True,
        writes=TABLES_OF_ITEMS | TABLES_OF_JUDGMENTS | {"reveal", "task_round"},
    ),
}
"""Kinds of files that can be imported."""

EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    "answers": ("Answers of models, one row each", make_answers_export_table),
    "questionnaire": (
        "People's answers to the questionnaire, one row each",
        make_questionnaire_export_table,
    ),
}
"""Tables that can be exported: what they are, and who makes them."""
