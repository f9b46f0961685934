"""EBMQA's pipelines for the command line and the Runs page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How, Pipeline, PipelineField
from medlens.review import further_columns_of_imported_items, items
from medlens.store import Store
from medlens.studies import model_runs_that_rate_items
from medlens.studies.ebmqa import (
    benchmark_sample,
    question_set_inserts_and_queries,
    questionnaire,
    run_questions,
)
from medlens.studies.ebmqa.graph import make_questions_from_edge_file
from medlens.studies.ebmqa.prompts import STUDY as EVERY_WAY
from medlens.studies.ebmqa.prompts import USUAL
from medlens.studies.ebmqa.records import STUDY
from medlens.studies.ebmqa.study_in_dataset import DEFAULT_DATASET, open_study


def _ask(
    store: Store, settings: Settings, *, questions: str, prompts: str, how: How, **asked: Any
) -> Done:
    return run_questions.ask_models(
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
    added = questionnaire.sample_questionnaire_and_count_added(
        store, dataset, number=number, seed=seed
    )
    said = f"{added:,} questions were drawn" if added else "This questionnaire was drawn before"
    return Done(lines=[f"{said}; people answer them on the page Explore EBMQA."], complete=True)


_DATASET = PipelineField(name="dataset", title="Dataset of the questions", kind="dataset")

PIPELINES = (
    Pipeline(
        study=STUDY,
        name="ask",
        title="Ask models the questions",
        about="Put the questions of a dataset to one model or several.",
        fields=(
            _DATASET,
            PipelineField(
                name="models", title="Models", kind="models", help="models of medlens.toml"
            ),
            PipelineField(
                name="questions",
                title="Questions",
                kind="choice",
                choices=("all", "numeric", "semantic"),
                default="all",
                help="which of them",
            ),
            PipelineField(
                name="prompts",
                title="Prompts",
                kind="choice",
                choices=("usual", "study"),
                default="usual",
                help="study: four orders of the options, with and without “I do not know”",
            ),
            PipelineField(
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
            PipelineField(
                name="number",
                title="Questions",
                kind="whole",
                least=1,
                default=questionnaire.NUMBER,
                help="how many",
            ),
            PipelineField(
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
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, dataset).task,
        study=STUDY,
        name=model_runs_that_rate_items.KIND,
        title="Let models answer the questionnaire",
        about="Models answer the questionnaire as people do, as raters beside them.",
        called="Dataset of the questionnaire",
    ),
)


_LISTED = 20


def _generate(
    store: Store, _settings: Settings, *, graph: Path, into: str, skip_bad: bool, how: How
) -> Done:
    into = _named(into)
    made = make_questions_from_edge_file(graph, skip_bad=skip_bad)
    added = question_set_inserts_and_queries.add_question_set_and_return_added(
        store,
        made.questions,
        dataset=into,
        origin={
            "made": "generate",
            "file": graph.name,
            **made.values_by_name_to_store_with_questions(),
        },
    )
    ids = items.ids_by_name_made_from_item_names(STUDY, into, made.beside)
    columns = further_columns_of_imported_items.store_further_columns_and_return_names(
        store, {ids[name]: body for name, body in made.beside.items()}
    )
    lines = made.report_lines()
    if columns:
        lines.append(f"Further columns kept with the questions: {', '.join(sorted(columns))}.")
    lines.append(_told(added.added, added.known, into))
    aside = [str(row) for row in made.bad_rows[:_LISTED]]
    return Done(lines=lines, complete=True, aside=aside)


def _draw_benchmark(
    store: Store, _settings: Settings, *, design: Path | None, dataset: str, into: str, how: How
) -> Done:
    path, into = design or benchmark_sample.PAPER, _named(into)
    added, strata = benchmark_sample.add_benchmark_sample_and_count_by_stratum(
        store,
        benchmark_sample.load_benchmark_design(path),
        dataset=dataset,
        into=into,
        name=path.name,
    )
    lines = [f"{n:,} for {stratum}" for stratum, n in sorted(strata.items())]
    return Done(lines=[*lines, _told(added.added, added.known, into)], complete=True)


def _named(into: str) -> str:
    into = into.strip()
    if not into:
        raise InvalidInput("Name the dataset that the questions go to.", hint="Give it a name.")
    return into


def _told(added: int, known: int, dataset: str) -> str:
    line = f"{added:,} questions are new in {dataset!r}"
    return f"{line}; {known:,} were there already." if known else f"{line}."


MAKING = (
    Pipeline(
        study=STUDY,
        name="generate",
        title="Make questions from a graph",
        about="Turn the edges of a knowledge graph into labelled multiple-choice questions.",
        fields=(
            PipelineField(
                name="graph",
                title="Graph",
                kind="file",
                suffixes=(".csv", ".parquet"),
                help="edges: qa_type, source, source_type, target, target_type, min, max, …",
            ),
            PipelineField(
                name="into",
                title="Into the dataset",
                kind="text",
                default=DEFAULT_DATASET,
                help="the dataset that the questions go to",
            ),
            PipelineField(
                name="skip_bad",
                title="Leave bad edges out",
                kind="flag",
                help="leave bad edges out and count them, instead of refusing the file",
            ),
        ),
        start=_generate,
        asks_models=False,
    ),
    Pipeline(
        study=STUDY,
        name="draw",
        title="Draw a benchmark",
        about="Draw questions by strata, each once: by the paper's design, or by one of your own.",
        fields=(
            PipelineField(
                name="design",
                title="Design",
                kind="file",
                suffixes=(".toml",),
                default="",
                help="strata by label (without one: the paper's)",
                example=benchmark_sample.PAPER.read_text(encoding="utf-8"),
            ),
            PipelineField(
                name="dataset",
                title="Draw from the dataset",
                kind="dataset",
                help="the dataset of the questions",
            ),
            PipelineField(
                name="into",
                title="Into the dataset",
                kind="text",
                default="benchmark",
                help="the dataset that the drawn questions go to",
            ),
        ),
        start=_draw_benchmark,
        asks_models=False,
    ),
)
"""In the order in which people need them."""
