"""EBMQA, declared to the rest of MedLens."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.deferred_module import pd
from medlens.review import items
from medlens.review.item_text_erasure import TextRules
from medlens.store import Store
from medlens.studies.ebmqa import (
    question_file_import_and_export,
    question_set_inserts_and_queries,
    questionnaire,
    records,
    tasks,
)
from medlens.studies.ebmqa.answers import answer_and_questionnaire_import_and_export
from medlens.studies.ebmqa.answers.answer_and_questionnaire_import_and_export import (
    IMPORTS as ANSWERS,
)
from medlens.studies.ebmqa.explore.question_filter import may_viewer_see_models_answers
from medlens.studies.ebmqa.figures import FIGURES, make_figures_export_table
from medlens.studies.ebmqa.figures_data import filter_choices_by_filter_with_names
from medlens.studies.ebmqa.pipelines import MAKING, PIPELINES
from medlens.studies.ebmqa.question_cell_corrections_by_hand import (
    correctable_cells_by_column,
    make_correction_of_cells,
    question_version,
)
from medlens.studies.ebmqa.question_corrections_with_queries import (
    summarise_answers_on_earlier_versions,
)
from medlens.studies.ebmqa.question_file_import_and_export import make_questions_export_table
from medlens.studies.ebmqa.study_in_dataset import DEFAULT_DATASET, TASKS
from medlens.studies.ebmqa.text_erasure_queries import (
    find_item_id_of_question,
    names_by_id_of_questions_with_words,
    sql_conditions_by_table_for_question_rows,
)
from medlens.studies.study_definition import CorrectingShared, Listed, Study
from medlens.tables import Kind

IMPORTS: dict[str, Kind] = {
    **question_file_import_and_export.IMPORTS,
    **answer_and_questionnaire_import_and_export.IMPORTS,
}
"""Kinds of files that can be imported."""

EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    **question_file_import_and_export.EXPORTS,
    **answer_and_questionnaire_import_and_export.EXPORTS,
    "figures": ("Figures with their intervals, as on the page", make_figures_export_table),
}
"""Tables that can be exported: what they are, and who makes them."""


ANSWER, QUESTIONS = "Answer the questionnaire", "Questions"
"""The views of the page in which people answer and see the questions, as its address has them."""


def _ends(store: Store, dataset: str, rater: str) -> str:
    state = questionnaire.questionnaire_progress(store, dataset, rater)
    if state.handed_in or state.count_of_done_questions < state.total:
        return ""
    return f"{len(state.to_guess)} to guess" if state.to_guess else "not handed in yet"


def _questions(store: Store, dataset: str, names: Sequence[str]) -> dict[str, str]:
    """Questions by the ids that they have, or would have, in a questionnaire."""
    known = question_set_inserts_and_queries.filter_names_of_known_questions(store, dataset, names)
    return {
        item: name
        for name, item in items.ids_by_name_made_from_item_names(
            records.STUDY, dataset, known
        ).items()
    }


STUDY = Study(
    name=records.STUDY,
    title="EBMQA",
    page="pages/4_Explore_EBMQA.py",
    enter="Explore EBMQA",
    icon=":material/query_stats:",
    about="What models know of the numbers of medicine and of its words: answer the questionnaire "
    "yourself, then see who is right on which kinds of question.",
    views={tasks.NAME: {"view": ANSWER}},
    ends=_ends,
    withdrawn_with=_questions,
    named_besides=find_item_id_of_question,
    texts_with_words=names_by_id_of_questions_with_words,
    resting_on=question_set_inserts_and_queries.names_and_count_of_dependents_of_import,
    correcting=CorrectingShared(
        correctable_cells_by_column, make_correction_of_cells, question_version
    ),
    answered_earlier=summarise_answers_on_earlier_versions,
    items_view={"view": QUESTIONS},
    open_without_work=lambda store, reviewer: any(
        may_viewer_see_models_answers(store, str(row["dataset"]), reviewer)
        for row in items.datasets_of_study(store, records.STUDY)
    ),
    reading=(QUESTIONS,),
    listed={
        "ebmqa_question": Listed(
            "Question of the questionnaire",
            "i.body->>'question'",
            lambda name, item: {"view": QUESTIONS, "question": name},
            lambda store, study: make_questions_export_table(store, study, viewer=None).rename(
                columns={"question_id": "item"}
            ),
        ),
    },
    imports=IMPORTS,
    exports=EXPORTS,
    open=TASKS.open,
    tasks=TASKS.tasks,
    pipelines=(*MAKING, *PIPELINES),
    published=DEFAULT_DATASET,
    follows=ANSWERS,
    narrowing=filter_choices_by_filter_with_names,
    figures=FIGURES,
    text_rules=lambda study: TextRules(
        item_labels=frozenset({"qa_type", "made", "file"}),
        own_rows=sql_conditions_by_table_for_question_rows,
    ),
    demo_files=SHIPPED / "data/demo/ebmqa",
)
