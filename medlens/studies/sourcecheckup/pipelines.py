"""SourceCheckup's pipelines for the command line and the Runs page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How, Pipeline, PipelineField
from medlens.review import raters
from medlens.store import Store
from medlens.studies import model_runs_that_rate_items, model_verdicts_and_runs_of_judges
from medlens.studies.sourcecheckup import (
    domain_country_lookup_import_and_export,
    run_questions_answers_statements,
    run_source_fetching,
    run_statement_cleanup_and_recheck,
    run_verification,
    run_whole_pipeline,
)
from medlens.studies.sourcecheckup import run_verification as run_merged
from medlens.studies.sourcecheckup.pair_list import Filters
from medlens.studies.sourcecheckup.pair_sampling_and_hand_out import (
    WAYS,
    Way,
    sample_and_hand_out_pairs_and_count,
)
from medlens.studies.sourcecheckup.records import STUDY, VERDICTS
from medlens.studies.sourcecheckup.run_pipeline_step import count_with_noun
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from medlens.studies.sourcecheckup.tasks import SUPPORT


def _sample(
    store: Store,
    settings: Settings,
    *,
    how: How,
    dataset: str,
    way: Way,
    number: int,
    seed: int,
    verdict: str,
    **only: str,
) -> Done:
    study = open_study(store, dataset, settings=settings)
    if study.dataset != dataset:
        raise InvalidInput(
            f"There is nothing to verify in the dataset {dataset!r}.",
            hint="Run or import answers, statements and sources first.",
        )
    drawn = sample_and_hand_out_pairs_and_count(
        store,
        study,
        way=way,
        n=number,
        seed=seed,
        by=raters.find_rater(store, how.made_by),
        wanted=Filters(verdict="" if verdict == _ANY else verdict, **only),
    )
    line = f"{count_with_noun(drawn, 'pair', 'pairs')} drawn. From now on doctors are given these."
    return Done(lines=[line], complete=True)


def _all(
    store: Store, settings: Settings, *, how: How, dataset: str, models: Sequence[str], **roles: Any
) -> Done:
    named = run_whole_pipeline.Roles(answerers=models, **roles)
    return run_whole_pipeline.run_whole_pipeline(
        store, settings, roles=named, dataset=dataset, how=how
    )


_ANY = "any"
_DATASET = PipelineField(name="dataset", title="Dataset", kind="dataset")
_MODEL = PipelineField(name="model", title="Model", kind="model", help="the model that is asked")
_ANSWERERS = PipelineField(
    name="models", title="Models that answer", kind="models", help="the models that answer"
)
_VERIFIERS = PipelineField(
    name="models", title="Verifiers", kind="models", help="the models that verify"
)


def _only(name: str, title: str, what: str) -> PipelineField:
    return PipelineField(name=name, title=title, kind="text", default="", help=f"only pairs {what}")


PIPELINES = (
    Pipeline(
        study=STUDY,
        name="questions",
        title="Make questions from reference texts",
        about="A model makes a question, with its answer, from each reference text.",
        fields=(
            PipelineField(
                name="file",
                title="Reference texts",
                kind="file",
                help="document, and where known question_id, document_url, group",
                suffixes=(".csv", ".jsonl", ".parquet"),
            ),
            _MODEL,
            PipelineField(
                name="group",
                title="Where they come from",
                kind="text",
                default="",
                help="such as MayoClinic, where the file does not say",
            ),
            _DATASET,
        ),
        start=run_questions_answers_statements.let_model_write_questions,
    ),
    Pipeline(
        study=STUDY,
        name="answers",
        title="Let models answer, with sources",
        about="Every model is asked every question, and cites web pages in its answers.",
        fields=(_ANSWERERS, _DATASET),
        start=run_questions_answers_statements.let_models_answer_questions,
    ),
    Pipeline(
        study=STUDY,
        name="statements",
        title="Split answers into statements",
        about="A model lists the medical facts that each answer states.",
        fields=(_MODEL, _DATASET),
        start=run_questions_answers_statements.let_model_split_answers,
    ),
    Pipeline(
        study=STUDY,
        name="sources",
        title="Fetch the cited pages",
        about="Every cited page is fetched once, and its text kept.",
        fields=(
            _DATASET,
            PipelineField(
                name="which",
                title="Which pages",
                kind="choice",
                default="new",
                choices=("new", "failed", "all"),
                in_words=(
                    "Those never fetched",
                    "Those never fetched, or that could not be read",
                    "All, also those fetched already",
                ),
                help="new: never fetched; failed: also what could not be read; all: again",
            ),
            PipelineField(
                name="archive",
                title="Ask the archive about dead pages",
                kind="flag",
                help="ask the web archive whether a dead page once existed",
            ),
        ),
        start=run_source_fetching.fetch_and_store_cited_pages,
        asks_models=False,
    ),
    Pipeline(
        study=STUDY,
        name="countries",
        title="Look up where cited sites are registered",
        about="Asks the registries for the country of each cited domain. Without a network the"
        " top-level domain decides, as before.",
        fields=(
            _DATASET,
            PipelineField(
                name="which",
                title="Which domains",
                kind="choice",
                default="new",
                choices=("new", "unknown", "all"),
                in_words=(
                    "Those never looked up",
                    "Those never looked up, or without a country",
                    "All, also those looked up already",
                ),
                help="new: never looked up; unknown: also those without a country; all: again",
            ),
        ),
        start=domain_country_lookup_import_and_export.look_up_countries,
        asks_models=False,
    ),
    Pipeline(
        study=STUDY,
        name="verify",
        title="Verify statements against their sources",
        about="Models judge whether each source supports each statement, and quote the passage.",
        fields=(
            _VERIFIERS,
            _DATASET,
            model_verdicts_and_runs_of_judges.pipeline_field_for_handed_out_items(
                lambda *_: SUPPORT
            ),
            model_verdicts_and_runs_of_judges.SAMPLE,
            model_verdicts_and_runs_of_judges.WHICH,
        ),
        start=run_verification.let_models_verify_pairs,
        batch_api=True,
    ),
    Pipeline(
        study=STUDY,
        name="merged",
        title="Verify statements against merged sources",
        about="Models judge each statement once against all readable sources of its answer"
        " together: a check of how much depends on judging each pair alone.",
        fields=(
            _VERIFIERS,
            _DATASET,
            model_verdicts_and_runs_of_judges.SAMPLE,
            model_verdicts_and_runs_of_judges.WHICH,
        ),
        start=run_merged.let_models_verify_sources_together,
        batch_api=True,
    ),
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, dataset, settings=settings).response,
        study=STUDY,
        name="check-answers",
        title="Let models verify whole answers",
        about="Models judge, as raters, whether the sources of an answer support all that it says.",
    ),
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, dataset, settings=settings).parse,
        study=STUDY,
        name="check-statements",
        title="Let models check the statements",
        about="Models judge, as raters, whether each statement is in its answer and none missing.",
    ),
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, dataset, settings=settings).question,
        study=STUDY,
        name="check-questions",
        title="Let models check the questions",
        about="Models judge, as raters, whether each question can be answered from its text.",
    ),
    Pipeline(
        study=STUDY,
        name="cleanup",
        title="Clean up unsupported statements",
        about="Statements that no source supports are edited or removed; edits are verified again.",
        fields=(
            PipelineField(name="model", title="Model that edits", kind="model"),
            PipelineField(
                name="verifier",
                title="Verifier",
                kind="model",
                help="the model whose verdicts count and that verifies the edits",
            ),
            _DATASET,
        ),
        start=run_statement_cleanup_and_recheck.correct_and_recheck_statements,
    ),
    Pipeline(
        study=STUDY,
        name="sample",
        title="Draw the pairs that doctors verify",
        about="Draws pairs whose source could be read. Until the first draw doctors get all pairs;"
        " a draw adds to those before.",
        fields=(
            _DATASET,
            PipelineField(
                name="way",
                title="How",
                kind="choice",
                default="random",
                choices=WAYS,
                help="stratified: evenly over models and question groups; disputed: where"
                " verifiers disagree",
            ),
            PipelineField(
                name="number",
                title="Pairs",
                kind="whole",
                default=400,
                least=1,
                help="how many at most",
            ),
            PipelineField(
                name="seed",
                title="Seed",
                kind="whole",
                default=1,
                help="the same seed draws the same pairs",
            ),
            _only("model", "Only answers of this model", "of this model's answers"),
            PipelineField(
                name="verdict",
                title="Only with this verdict",
                kind="choice",
                default=_ANY,
                choices=(_ANY, *VERDICTS, "none"),
                help="only pairs with this verdict",
            ),
            PipelineField(
                name="verifier",
                title="Whose verdict",
                kind="text",
                default="",
                help="whose verdict is meant; left out: the verifier with most",
            ),
            _only("group", "Only this question group", "of this question group"),
            _only("site", "Only this site", "with pages of this site"),
        ),
        start=_sample,
        asks_models=False,
    ),
    Pipeline(
        study=STUDY,
        name="all",
        title="The whole pipeline",
        about="Answer, split, fetch, verify and clean up whatever is not done yet.",
        fields=(
            _ANSWERERS,
            PipelineField(name="parser", title="Model that splits answers", kind="model"),
            PipelineField(
                name="verifiers",
                title="Verifiers",
                kind="models",
                help="the models that verify; the first decides what is cleaned up",
            ),
            PipelineField(
                name="cleaner",
                title="Model that edits",
                kind="model",
                default="",
                help="leave out to clean nothing up",
            ),
            _DATASET,
            PipelineField(
                name="merged",
                title="Also judge each statement by merged sources",
                kind="flag",
                help="also judge each statement by its answer's readable sources together",
            ),
            PipelineField(
                name="countries",
                title="Also look up where cited sites are registered",
                kind="flag",
                help="also ask the registries for the country of each cited site",
            ),
        ),
        start=_all,
    ),
)
