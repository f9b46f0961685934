"""Declares own studies to the rest of MedLens."""

from __future__ import annotations

from medlens.studies.own import dataset_card, healthbench, to_inspect, to_label_studio
from medlens.studies.own.explained import explained
from medlens.studies.own.figures import FIGURES
from medlens.studies.own.files import EXPORTS, IMPORTS, laid_out, masked_items
from medlens.studies.own.pipelines import PIPELINES
from medlens.studies.own.study import OwnSettings, open_study, titles
from medlens.studies.own.tasks import ITEM_KIND, NAME
from medlens.studies.own.tasks import STUDY as OWN
from medlens.studies.study import Listed, Package, Study

STUDY = Study(
    name=OWN,
    title="Your own studies",
    page="pages/8_Your_studies.py",
    enter="Your studies",
    icon=":material/edit_note:",
    about="Questions that your team asks of its own notes, answers or dialogues.",
    views={NAME: {}},
    listed={ITEM_KIND: Listed("Item", where=lambda name, item: {"item": name}, columns=laid_out)},
    imports={**IMPORTS, "own-healthbench": healthbench.KIND},
    exports={
        **EXPORTS,
        "figures": ("Figures with their intervals, as on the page", FIGURES.export),
    },
    marks="own-marks",
    packages={
        "own-label-studio": Package(
            "A Label Studio project: its labelling interface, and items with all answers",
            "zip",
            to_label_studio.package,
        ),
        "own-inspect": Package(
            "A log of Inspect: items as samples, and what each rater said as scores",
            "eval",
            to_inspect.package,
        ),
        "own-hugging-face": Package(
            "A dataset for Hugging Face: Parquet files with a dataset card",
            "zip",
            dataset_card.package,
        ),
    },
    open=open_study,
    settings=OwnSettings,
    titles=titles,
    tasks=lambda study: (study.task,),
    pipelines=PIPELINES,
    published="own",
    figures=FIGURES,
    guidelines=lambda study: {"STUDY.toml": study.text},
    shown_otherwise=masked_items,
    explained=lambda study: explained(study.declared),
)
