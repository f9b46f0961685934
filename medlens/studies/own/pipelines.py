"""Own studies' pipelines, for the command line and the Runs page."""

from __future__ import annotations

from medlens.studies import model_runs_that_rate_items
from medlens.studies.own import generate_arm_answers
from medlens.studies.own.study import open_study
from medlens.studies.own.tasks import STUDY

PIPELINES = (
    generate_arm_answers.PIPELINE,
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, settings, dataset).task,
        study=STUDY,
        name=model_runs_that_rate_items.KIND,
        title="Let models answer your questions",
        about="Models answer the questions of one of your studies on its items, as raters.",
        called="Study",
    ),
)
