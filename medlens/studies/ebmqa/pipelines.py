"""EBMQA's pipelines for the command line and the Runs page."""

from __future__ import annotations

from typing import Any

from medlens.config.settings import Settings
from medlens.llm.pipeline import Done, Field, How, Pipeline
from medlens.review import rating
from medlens.store import Store
from medlens.studies.ebmqa import questionnaire, run
from medlens.studies.ebmqa.models import STUDY
from medlens.studies.ebmqa.prompts import STUDY as EVERY_WAY
from medlens.studies.ebmqa.prompts import USUAL
from medlens.studies.ebmqa.study import open_study


def _ask(
    store: Store, settings: Settings, *, questions: str, prompts: str, how: How, **asked: Any
) -> Done:
    return run.ask(
        store,
        settings,
        kind="" if questions == "all" else questions,
        variants=EVERY_WAY if prompts == "study" else (USUAL,),
        how=how,
        **asked,
    )


def _draw(
    store: Store, _settings: Settings, *, dataset: str, number: int, seed: int, how: How
) -> Done:
    added = questionnaire.draw(store, dataset, number=number, seed=seed)
    said = f"{added:,} questions were drawn" if added else "This questionnaire was drawn before"
    return Done(lines=[f"{said}; people answer them on the page Explore EBMQA."], complete=True)


_DATASET = Field(name="dataset", title="Dataset of the questions", kind="dataset")

PIPELINES = (
    Pipeline(
        study=STUDY,
        name="ask",
        title="Ask models the questions",
        about="Put the questions of a dataset to one model or several.",
        fields=(
            _DATASET,
            Field(name="models", title="Models", kind="models", help="models of medlens.toml"),
            Field(
                name="questions",
                title="Questions",
                kind="choice",
                choices=("all", "numeric", "semantic"),
                default="all",
                help="which of them",
            ),
            Field(
                name="prompts",
                title="Prompts",
                kind="choice",
                choices=("usual", "study"),
                default="usual",
                help="study: four orders of the options, with and without “I do not know”",
            ),
            Field(
                name="limit",
                title="Most questions to ask",
                kind="whole",
                default=0,
                help="the most questions to ask (0: all)",
            ),
        ),
        start=_ask,
        batch_api=True,
    ),
    Pipeline(
        study=STUDY,
        name="questionnaire",
        title="Draw the questionnaire",
        about="Draw the numeric questions that people answer, to be compared with models.",
        fields=(
            _DATASET,
            Field(
                name="number",
                title="Questions",
                kind="whole",
                least=1,
                default=questionnaire.NUMBER,
                help="how many",
            ),
            Field(
                name="seed",
                title="Seed",
                kind="whole",
                default=questionnaire.SEED,
                help="the same seed draws the same questions",
            ),
        ),
        start=_draw,
        asks_models=False,
    ),
    rating.pipeline(
        lambda store, settings, dataset: open_study(store, dataset).task,
        study=STUDY,
        name=rating.KIND,
        title="Let models answer the questionnaire",
        about="Models answer the questionnaire as people do, as raters beside them.",
        called="Dataset of the questionnaire",
    ),
)
