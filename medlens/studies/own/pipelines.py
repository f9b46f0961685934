"""Own studies' pipelines, for the command line and the Runs page."""

from __future__ import annotations

from medlens.studies import model_rating
from medlens.studies.own import models_answer_cases
from medlens.studies.own.study import open_study
from medlens.studies.own.tasks import STUDY

PIPELINES = (
    models_answer_cases.PIPELINE,
    model_rating.rating_pipeline(
        lambda store, settings, dataset: open_study(store, settings, dataset).task,
        study=STUDY,
        name=model_rating.KIND,
        title="Let models answer your questions",
        about="Models answer the questions of one of your studies on its items, as raters.",
        called="Study",
    ),
)
