"""Error tagging, declared to the rest of MedLens."""

from __future__ import annotations

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.review.item_text_erasure import TextRules
from medlens.studies.study_definition import (
    Correcting,
    Explained,
    Listed,
    Study,
    column_name_in_words,
)
from medlens.studies.tagging import exports, tasks
from medlens.studies.tagging.default_import_dataset import PUBLISHED, default_dataset_of_import
from medlens.studies.tagging.exports import EXPORTS
from medlens.studies.tagging.figures import FIGURES
from medlens.studies.tagging.figures_data import filter_choices_by_filter_with_names
from medlens.studies.tagging.imports import IMPORTS
from medlens.studies.tagging.item_correction import (
    correctable_cells_by_column,
    make_body_with_corrected_cells,
)
from medlens.studies.tagging.pipelines import PIPELINES
from medlens.studies.tagging.study_in_dataset import TASKS
from medlens.studies.tagging.taxonomy import taxonomy_as_toml

__all__ = ["EXPORTS", "IMPORTS"]

TAG = "Tag errors"
"""The view of the desk."""

_COLUMNS = {"meta_info": "Where the question comes from", "serial_num": "Serial number"}

STUDY = Study(
    name=tasks.STUDY,
    title="Error tagging",
    page="pages/1_Tag_errors.py",
    enter="Tag errors",
    icon=":material/ink_highlighter:",
    about="Mark the errors in a model's wrong answers to exam questions: seven kinds of error, and "
    "two labels for answers without one.",
    views={tasks.NAME: {"view": TAG}},
    listed={
        tasks.ITEM_KIND: Listed(
            "Response", "i.body->>'question'", columns=exports.make_items_export_table
        )
    },
    imports=IMPORTS,
    exports=EXPORTS,
    marks="spans",
    open=TASKS.open,
    tasks=TASKS.tasks,
    pipelines=PIPELINES,
    settings=TASKS.settings,
    narrowing=filter_choices_by_filter_with_names,
    sides={"cases": ("Responses of", "any"), "judge": ("By whose verdicts", "people")},
    figures=FIGURES,
    published=PUBLISHED,
    choose_dataset=default_dataset_of_import,
    guidelines=lambda study: {"taxonomy.toml": taxonomy_as_toml(study.taxonomy)},
    explained=lambda study: (
        Explained(
            "Labels",
            ("Label", "Meaning", "Example"),
            study.taxonomy.labels_with_meaning_and_example(),
        ),
    ),
    text_rules=lambda study: TextRules(
        item_labels=frozenset({"key", "correct", "chosen", "model", "serial_num", "meta_info"})
    ),
    correcting=Correcting(correctable_cells_by_column, make_body_with_corrected_cells),
    column_title=lambda column: _COLUMNS.get(column) or column_name_in_words(column),
    demo_files=SHIPPED / "data/demo/tagging",
)
