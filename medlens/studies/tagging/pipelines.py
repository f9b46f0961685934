"""Error tagging's pipelines as the command line and the Runs page know them."""

from __future__ import annotations

from medlens.llm.declared import Field, Pipeline
from medlens.review import rating
from medlens.studies.tagging import run
from medlens.studies.tagging.study import open_study
from medlens.studies.tagging.tasks import STUDY

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
                title="How often to ask each",
                kind="whole",
                default=1,
                least=1,
                help="to see how its answers vary",
            ),
            Field(
                name="skip_bad",
                title="Skip rows that are not questions",
                kind="flag",
                help="skip rows that are not questions",
            ),
        ),
        start=run.ask,
        batch_api=True,
    ),
    rating.pipeline(
        lambda store, settings, dataset: open_study(store, settings, dataset).task,
        study=STUDY,
        name="tag",
        title="Let models tag errors",
        about="Models mark the errors of every response, as raters; imported responses too.",
        raters="Taggers",
    ),
)
