"""Own studies' pipelines, for the command line and the Runs page."""

from __future__ import annotations

from medlens.studies import rating
from medlens.studies.own import answering
from medlens.studies.own.study import open_study
from medlens.studies.own.tasks import STUDY

PIPELINES = (
    answering.PIPELINE,
    rating.pipeline(
        lambda store, settings, dataset: open_study(store, settings, dataset).task,
        study=STUDY,
        name=rating.KIND,
        title="Let models answer your questions",
        about="Models answer the questions of one of your studies on its items, as raters.",
        called="Study",
    ),
)
