"""SourceCheckup, declared to the rest of MedLens."""

from __future__ import annotations

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.review.item_text_erasure import TextRules
from medlens.studies.sourcecheckup import exports, imports, queries, records
from medlens.studies.sourcecheckup.figures import FIGURES
from medlens.studies.sourcecheckup.load_figure_evidence import filter_choices_by_filter_with_names
from medlens.studies.sourcecheckup.make_statement_source_pairs import add_items_of_imported_pairs
from medlens.studies.sourcecheckup.pipelines import PIPELINES
from medlens.studies.sourcecheckup.question_answer_statement_page_corrections import (
    correctable_cells_by_column,
    make_correction_of_cells,
)
from medlens.studies.sourcecheckup.study_in_dataset import DEFAULT_DATASET, TASKS
from medlens.studies.sourcecheckup.text_erasure_queries import (
    id_of_text_that_is_no_item,
    ids_of_items_that_show_text,
    names_by_id_of_texts_with_words,
    sql_conditions_by_table_for_rows_about_item,
    sql_conditions_by_table_for_text_rows,
)
from medlens.studies.study_definition import CorrectingShared, Listed, Study

VERIFY, ANSWERS, PAIRS = "Verify sources", "Answers", "Pairs"
WHOLE, STATEMENTS, QUESTIONS = "Verify whole answers", "Check statements", "Check questions"
"""Views of the page, as they stand in its address."""

_STATEMENT = "(select s.statement from sc_statement_told s where s.id = (i.body->>'statement'))"

STUDY = Study(
    name=records.STUDY,
    title="SourceCheckup",
    page="pages/3_Verify_sources.py",
    enter="Verify sources",
    icon=":material/fact_check:",
    about="Does the source say so? Read what a model stated beside the page that it cites, with "
    "the likeliest passages highlighted, and say whether the page supports it.",
    views={
        "source_support": {"view": VERIFY},
        "response_support": {"view": WHOLE},
        "statement_parse": {"view": STATEMENTS},
        "question_quality": {"view": QUESTIONS},
    },
    listed={
        "pair": Listed(
            "Statement and source",
            f"{_STATEMENT} || ' · ' || (i.body->>'url')",
            lambda name, item: {"view": PAIRS, "pair": item},
            exports.make_pair_items_table,
        ),
        "merged": Listed("Statement and all its sources", _STATEMENT),
        "response": Listed(
            "Answer",
            "(select r.response from sc_response_told r where r.id = (i.body->>'id'))",
            lambda name, item: {"view": ANSWERS, "answer": name.removeprefix("response ")},
            exports.make_response_items_table,
        ),
        "question": Listed(
            "Question",
            "(select q.question from sc_question_told q"
            " where q.dataset = i.dataset and 'question ' || q.name = i.name)",
            lambda name, item: {"view": QUESTIONS},
            exports.make_question_items_table,
        ),
    },
    items_view={"view": ANSWERS},
    reading=(ANSWERS, PAIRS),
    imports=imports.IMPORTS,
    exports=exports.EXPORTS,
    open=TASKS.open,
    tasks=TASKS.tasks,
    pipelines=PIPELINES,
    narrowing=filter_choices_by_filter_with_names,
    sides={
        "cases": ("Question group", "any"),
        "judge": ("By whose verdicts", "majority verdict"),
    },
    figures=FIGURES,
    published=DEFAULT_DATASET,
    offer=add_items_of_imported_pairs,
    text_rules=lambda study: TextRules(
        item_labels=frozenset(
            {"id", "question", "document", "response", "statement", "url", "source", "sources"}
        ),
        own_rows=sql_conditions_by_table_for_text_rows,
        about_rows=sql_conditions_by_table_for_rows_about_item,
        shown_in=ids_of_items_that_show_text,
    ),
    named_besides=id_of_text_that_is_no_item,
    texts_with_words=names_by_id_of_texts_with_words,
    withdrawn_with=queries.names_by_id_of_dependents_of_items,
    resting_on=queries.names_and_count_of_dependents_of_import,
    correcting=CorrectingShared(correctable_cells_by_column, make_correction_of_cells),
    demo_files=SHIPPED / "data/demo/sourcecheckup",
)
