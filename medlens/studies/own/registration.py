"""Declares own studies to the rest of MedLens."""

from __future__ import annotations

from typing import Any

from medlens.studies.own import bridge_registry
from medlens.studies.own.adjudicator_item_and_starting_answer import (
    make_lettered_item_for_adjudicator,
)
from medlens.studies.own.figures import FIGURES
from medlens.studies.own.item_and_judgment_import_and_export import (
    EXPORTS,
    IMPORTS,
    correctable_cells_by_column,
    do_cells_reveal_hidden_things,
    list_number_of_masked_items_in_words,
    make_body_with_corrected_cells,
    study_items_table,
)
from medlens.studies.own.pipelines import PIPELINES
from medlens.studies.own.queries import list_names_of_studies_without_items, name_of_newest_study
from medlens.studies.own.question_descriptions import iterate_over_explained_questions
from medlens.studies.own.study import TASKS, attached_files_of_study, distinct_titles_by_study
from medlens.studies.own.study_file import require_valid_study_id
from medlens.studies.own.tasks import ITEM_KIND, NAME
from medlens.studies.own.tasks import STUDY as OWN
from medlens.studies.own.values_kept_on_text_erasure import make_text_erasure_rules
from medlens.studies.study_definition import Correcting, Listed, Study

# The texts and numbers of an item as they are read, without the names of its columns; what is
# nested (answers of arms, dialogues, tables) only where there is nothing else.
_TEXTS = (
    "coalesce(nullif(array_to_string(list_filter(i.body->>'$.*', lambda cell:"
    " cell is not null and left(cell, 1) not in ('{', '[')), ' · '), ''), i.body::varchar)"
)


def _sql_of_shown_texts(study: Any) -> str:
    """The texts and numbers that reviewers see from the beginning, without the arms' answers, which
    would stand beside the names of those who gave them; "" where there are none.
    """
    declared = study.declared
    own = declared.arms.own if declared.arms else ()
    columns = [
        column for pane in declared.initial_panes for column in pane.columns if column not in own
    ]
    cells = [f"i.body->>{_sql_text('/' + _as_pointer(column))}" for column in columns]
    return (
        f"array_to_string(list_filter([{', '.join(cells) or 'null'}]::varchar[], lambda cell:"
        " cell is not null and cell != '' and left(cell, 1) not in ('{', '[')), ' · ')"
    )


def _as_pointer(column: str) -> str:
    """A column's name as JSON pointers (RFC 6901) write it."""
    return column.replace("~", "~0").replace("/", "~1")


def _sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


PUBLISHED = "own"

STUDY = Study(
    name=OWN,
    title="Your own studies",
    page="pages/8_Your_studies.py",
    enter="Your studies",
    icon=":material/edit_note:",
    about="Questions that your team asks of its own notes, answers or dialogues.",
    views={NAME: {}},
    reading=("Study file", "Make a study"),
    listed={
        ITEM_KIND: Listed(
            "Item",
            _TEXTS,
            where=lambda name, item: {"item": name},
            columns=study_items_table,
            words_shown=_sql_of_shown_texts,
        )
    },
    imports={**IMPORTS, **bridge_registry.IMPORTS},
    exports={
        **EXPORTS,
        "figures": ("Figures with their intervals, as on the page", FIGURES.export),
    },
    marks="own-marks",
    packages=bridge_registry.PACKAGES,
    open=TASKS.open,
    settings=TASKS.settings,
    titles=distinct_titles_by_study,
    datasets_are_studies=True,
    require_dataset_name=require_valid_study_id,
    attached_folder=lambda settings, dataset: attached_files_of_study(settings, dataset).folder,
    column_title=lambda column: column,
    without_items=list_names_of_studies_without_items,
    tasks=TASKS.tasks,
    pipelines=PIPELINES,
    published=PUBLISHED,
    figures=FIGURES,
    guidelines=lambda study: {"STUDY.toml": study.text},
    text_rules=make_text_erasure_rules,
    shown_otherwise=list_number_of_masked_items_in_words,
    explained=lambda study: iterate_over_explained_questions(study.declared),
    correcting=Correcting(correctable_cells_by_column, make_body_with_corrected_cells),
    correcting_reveals=do_cells_reveal_hidden_things,
    seen_by_adjudicator=make_lettered_item_for_adjudicator,
    choose_dataset=lambda store, _kind: name_of_newest_study(store) or PUBLISHED,
)
