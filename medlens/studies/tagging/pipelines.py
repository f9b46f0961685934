"""Error tagging's pipelines, for the command line and the Runs page."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from medlens import llm
from medlens.config.settings import Settings
from medlens.llm import completion_run_and_job_queries as stored
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.pipeline_declaration_forecast_and_run import (
    How,
    Pipeline,
    PipelineField,
    RunReport,
    forecast_confirm_and_carry_out_run,
    forecast_single_requests,
    model_settings_as_dict,
)
from medlens.store import Store
from medlens.studies import model_runs_that_rate_items
from medlens.studies.tagging import multiple_choice_benchmarks, prompts, queries, tasks
from medlens.studies.tagging.multiple_choice_benchmarks import Question
from medlens.studies.tagging.option_list_and_chosen_option_parsing import (
    chosen_option_and_rule_in_words,
)
from medlens.studies.tagging.records import Option, ResponseItem
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.studies.tagging.tasks import STUDY
from medlens.studies.tagging.text_repair_with_offsets import tidy_line_ends
from medlens.tables import Refused, Source

# -- MedQA questions put to models -----------------------------------------------------------------

# ``ask`` puts MedQA-style questions to a model, finds the option it states and makes the wrong
# answers items of error tagging, as Roy et al. 2024 (arXiv:2404.13307, section 3) made theirs.

ASK = multiple_choice_benchmarks.KIND
_USUAL_EXPLANATION = 600


def ask_medqa_questions_and_add_wrong_answers(
    store: Store,
    settings: Settings,
    file: Source,
    *,
    model: str,
    dataset: str,
    name: str = "",
    repeats: int = 1,
    skip_bad: bool = False,
    illustrative: bool = False,
    how: How | None = None,
) -> RunReport:
    """Put the questions of ``file`` to a model; its wrong answers become items of ``dataset``.

    Every question ends as ``correct``, ``incorrect``, ``parse_failed`` (no single option stated),
    ``refused``, ``truncated``, ``empty`` or ``error`` (no answer from the endpoint). Items are
    named by model, request and repeat, so asking again adds nothing.

    Raises:
        BadFile, InvalidInput: nothing was asked.
    """
    how = how or How()
    chosen = llm.find_model_settings_by_name(settings, model)
    loaded = multiple_choice_benchmarks.read_questions(file, name=name, skip_bad=skip_bad)
    aside = _aside(loaded.refused)
    planned: dict[str, tuple[Question, ModelRequest, int]] = {}
    for question in loaded.records:
        messages = prompts.messages_asking_medqa_question(question.question, question.options)
        request = llm.make_first_request_of_question(model, chosen, messages)
        for repeat in range(repeats):
            planned[_item_name(model, request, repeat)] = (question, request, repeat)

    def job(key: str, question: Question, request: ModelRequest, repeat: int) -> llm.Job:
        async def work(put: llm.Ask) -> llm.Result:
            answer = await put(model, request.messages, repeat=repeat)
            return _judged(question, answer, repeat)

        return llm.Job(key, work)

    singles = {model: [(request, repeat) for _, request, repeat in planned.values()]}
    models = {model: chosen}
    made = forecast_confirm_and_carry_out_run(
        store,
        study=tasks.STUDY,
        kind=ASK,
        models=models,
        how=how,
        config={
            "dataset": dataset,
            "model": model,
            **model_settings_as_dict(chosen),
            "prompt": prompts.ANSWER_VERSION,
            "instruction": [prompts.ANSWER_ROLE, prompts.ANSWER_TASK],
            "repeats": repeats,
            "questions": _digest_of(*sorted(question.digest for question in loaded.records)),
        },
        left=forecast_single_requests(store, models, singles, output_tokens=_USUAL_EXPLANATION),
        single_turn=singles,
        jobs=lambda _: [job(key, *one) for key, one in planned.items()],
    )
    if made.batch is None:
        return replace(made, aside=aside)
    done = stored.list_job_results_of_run_kind(store, study=tasks.STUDY, kind=ASK, run=made.run)
    wrong = [
        (row["job"], _item(store, planned[row["job"]][0], row["body"], model))
        for row in done
        if row["outcome"] == "incorrect" and row["job"] in planned
    ]
    added = queries.add_responses_and_return_added(
        store, wrong, dataset=dataset, illustrative=illustrative
    ).added
    outcomes = Counter(row["outcome"] for row in done)
    made = made.with_further_lines(
        multiple_choice_benchmarks.accuracy_in_words(outcomes),
        f"{added:,} wrong answers are new items of {dataset!r}.",
        *loaded.notes,
        added=added,
    )
    return replace(made, outcomes=outcomes, aside=aside)


def _aside(refused: Sequence[Refused]) -> tuple[str, ...]:
    if not refused:
        return ()
    several = f"{len(refused):,} rows were not questions; the first:"
    rows = "1 row was not a question:" if len(refused) == 1 else several
    return rows, f"  {refused[0].problem}"


def _item_name(model: str, request: ModelRequest, repeat: int) -> str:
    return f"{model}-{request.digest[:12]}" + (f"-r{repeat}" if repeat else "")


def _judged(question: Question, answer: llm.Answer, repeat: int) -> llm.Result:
    body = {
        "question": question.digest,
        "repeat": repeat,
        "correct": question.correct,
        "meta_info": question.meta_info,
        "chosen": None,
        **answer.provenance_fields,
    }
    if answer.outcome != "ok":
        return llm.Result(answer.outcome, body)
    body["chosen"], body["read_by"] = chosen_option_and_rule_in_words(answer.text, question.options)
    if body["chosen"] is None:
        return llm.Result("parse_failed", body)
    right = multiple_choice_benchmarks.is_option_right(question, str(body["chosen"]))
    return llm.Result("correct" if right else "incorrect", body)


def _item(store: Store, question: Question, body: Mapping[str, Any], model: str) -> ResponseItem:
    answered = stored.find_completion_with_id(store, body["completion"])
    assert answered is not None, "an outcome is stored after its completion"
    return ResponseItem(
        question=question.question,
        options=tuple(Option(key=key, text=text) for key, text in question.options.items()),
        correct=question.correct,
        chosen=body["chosen"],
        response=tidy_line_ends(answered["text"]).strip(),
        meta_info=question.meta_info,
        model=model,
    )


def _digest_of(*texts: str) -> str:
    return hashlib.sha256("\x1f".join(texts).encode()).hexdigest()[:16]


_DATASET = PipelineField(name="dataset", title="Dataset of the items", kind="dataset")
_MODEL = PipelineField(name="model", title="Model", kind="model", help="a model of medlens.toml")

PIPELINES = (
    Pipeline(
        study=STUDY,
        name="ask",
        title="Ask a model exam questions",
        about="Put questions to a model; its wrong answers become items to tag.",
        fields=(
            PipelineField(
                name="file",
                title="Questions",
                kind="file",
                help="question, options, answer, answer_idx, meta_info; or MedMCQA's or PubMedQA's",
                suffixes=(".jsonl", ".csv", ".json", ".parquet"),
            ),
            _MODEL,
            _DATASET,
            PipelineField(
                name="repeats",
                title="How often to ask each",
                kind="whole",
                default=1,
                least=1,
                help="to see how its answers vary",
            ),
            PipelineField(
                name="skip_bad",
                title="Skip rows that are not questions",
                kind="flag",
                help="skip rows that are not questions",
            ),
        ),
        start=ask_medqa_questions_and_add_wrong_answers,
        batch_api=True,
    ),
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, settings, dataset).task,
        study=STUDY,
        name="tag",
        title="Let models tag errors",
        about="Models mark the errors of every response, as raters; imported responses too.",
        raters="Taggers",
    ),
)
