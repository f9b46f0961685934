"""Error tagging's pipelines as the command line and the Runs page know them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.config.settings import Settings
from medlens.llm.declared import Done, Field, Pipeline
from medlens.llm.pipeline import How
from medlens.review import judges
from medlens.store import Store
from medlens.tagging import run
from medlens.tagging.tasks import STUDY


def _ask(store: Store, settings: Settings, values: Mapping[str, Any], how: How) -> Done:
    return _done(
        run.ask(
            store,
            settings,
            values["file"],
            model=values["model"],
            dataset=values["dataset"],
            repeats=values["repeats"],
            skip_bad=values["skip_bad"],
            how=how,
        )
    )


def _tag(store: Store, settings: Settings, values: Mapping[str, Any], how: How) -> Done:
    return run.tag(
        store,
        settings,
        dataset=values["dataset"],
        models=values["models"],
        which=values["which"],
        how=how,
    ).done()


def _done(report: run.Report) -> Done:
    aside: tuple[str, ...] = ()
    if report.refused:
        count = len(report.refused)
        rows = "1 row was no question:" if count == 1 else f"{count:,} rows were no questions; the"
        rows += "" if count == 1 else " first:"
        aside = (rows, f"  {report.refused[0].problem}")
    complete = report.batch is not None and not report.batch.stopped
    return Done(
        lines=report.lines,
        complete=complete and not report.outcomes.get("error"),
        aside=aside,
        run=report.run,
    )


_DATASET = Field(name="dataset", title="Dataset of the items", kind="dataset")
_MODEL = Field(name="model", title="Model", kind="model", help="a model of medlens.toml")

PIPELINES = (
    Pipeline(
        study=STUDY,
        name="ask",
        title="Ask a model exam questions",
        about="Put questions to a model; its wrong answers become items to tag.",
        fields=(
            Field(
                name="file",
                title="Questions",
                kind="file",
                help="question, options, answer, answer_idx, meta_info",
                suffixes=(".jsonl", ".csv", ".json", ".parquet"),
            ),
            _MODEL,
            _DATASET,
            Field(
                name="repeats",
                title="Ask each this often",
                kind="whole",
                default=1,
                least=1,
                help="to see how its answers vary",
            ),
            Field(
                name="skip_bad",
                title="Leave out rows that are no questions",
                kind="flag",
                help="leave out rows that are no questions",
            ),
        ),
        start=_ask,
        batch_api=True,
    ),
    Pipeline(
        study=STUDY,
        name="tag",
        title="Let models tag errors",
        about="Models mark the errors of every response, as raters; imported responses too.",
        fields=(
            Field(name="models", title="Taggers", kind="models", help="the models that tag"),
            _DATASET,
            Field(
                name="which",
                title="Which",
                kind="choice",
                choices=judges.WHICH,
                default="missing",
                help=judges.WHICH_HELP,
            ),
        ),
        start=_tag,
        batch_api=True,
    ),
)
