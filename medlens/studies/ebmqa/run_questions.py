"""EBMQA's pipeline: models answer questions.

Avnat et al. 2024, Methods: zero-shot, temperature 0, one question at a time. Every answer is stored
by question, model and prompt; nothing answered once is asked or paid for again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens import llm
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries as stored
from medlens.llm.model_request_messages_and_hash import ModelRequest
from medlens.llm.pipeline_declaration_forecast_and_run import (
    Done,
    How,
    forecast_confirm_and_carry_out_run,
    forecast_single_requests,
    model_settings_as_dict,
)
from medlens.llm.questions_to_models_and_typed_replies import build_response_format
from medlens.store import Store
from medlens.studies.ebmqa import prompts
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries, store_answers
from medlens.studies.ebmqa.answers.match_and_parse_answers import AnswerBlockKey
from medlens.studies.ebmqa.multiple_choice_reply_parsing import (
    finished_part_of_cut_reply,
    parse_reply,
    was_reply_cut_while_thinking,
)
from medlens.studies.ebmqa.prompts import USUAL, PromptVariant
from medlens.studies.ebmqa.records import OUTCOMES, STUDY, bit_mask_of_positions

KIND = "ask"
_USUAL_ANSWER = 12
_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}


@dataclass(frozen=True)
class _Planned:
    """A question as put to one model. ``shown`` are the options' positions in the order shown."""

    model: str
    variant: PromptVariant
    number: int
    name: str
    several: bool
    options: tuple[str, ...]
    shown: tuple[int, ...]
    request: ModelRequest
    meant_anew: bool

    @property
    def key(self) -> str:
        # A run that goes on asks again what has another meaning now.
        again = f"@{self.number}" if self.meant_anew else ""
        return f"{self.model}/{self.variant.name_in_answers}/{self.name}{again}"


def ask_models(
    store: Store,
    settings: Settings,
    *,
    models: Sequence[str],
    dataset: str,
    variants: Sequence[PromptVariant] = (USUAL,),
    kind: str = "",
    limit: int = 0,
    how: How | None = None,
) -> Done:
    """Put a dataset's questions to models, each in every one of ``variants``.

    ``kind`` takes only numeric or semantic questions, ``limit`` only that many, drawn by their
    names (0: all). An answer ends as ``answered``, ``idk``, ``refused`` or ``parse_failed`` (also
    if it was cut off or empty) and becomes a row of the answers; ``error`` (no reply from the
    endpoint) does not, and is asked again at the next start.

    Raises:
        InvalidInput: there is no such model, or no question; nothing was asked.
    """
    how = how or How()
    chosen = {
        name: llm.find_model_settings_by_name(settings, name) for name in dict.fromkeys(models)
    }
    asked = _questions(store, dataset, kind, limit)
    planned = _plan(chosen, variants, asked)
    singles: dict[str, list[tuple[ModelRequest, int]]] = defaultdict(list)
    for one in planned:
        singles[one.model].append((one.request, 0))
    made = forecast_confirm_and_carry_out_run(
        store,
        study=STUDY,
        kind=KIND,
        models=chosen,
        how=how,
        config={
            "dataset": dataset,
            "models": {
                name: {**model_settings_as_dict(one), "parameters": _parameters(one)}
                for name, one in chosen.items()
            },
            "prompt": prompts.VERSION,
            "instruction": [prompts.ROLE, prompts.ONE, prompts.SEVERAL, prompts.IF_UNSURE],
            "parameters": prompts.PARAMETERS,
            "variants": [one.name_in_answers for one in variants],
            "kind": kind,
            "limit": limit,
            "questions": _digest(sorted(str(row["name"]) for row in asked)),
        },
        left=forecast_single_requests(store, chosen, singles, output_tokens=_USUAL_ANSWER),
        single_turn=singles,
        jobs=lambda _: [_job(one) for one in planned],
    )
    if made.batch is None:
        return made.as_done_report()
    done = stored.list_job_results_of_run_kind(store, study=STUDY, kind=KIND, run=made.run)
    added = _keep(store, dataset, {one.key: one for one in planned}, done, run=made.run)
    errors = sum(row["outcome"] == "error" for row in done)
    return Done(
        lines=[*made.lines, *_summary(done), f"{added:,} answers are new."],
        run=made.run,
        complete=made.complete and len(done) == len(planned) and not errors,
    )


def _questions(store: Store, dataset: str, kind: str, limit: int) -> list[dict[str, Any]]:
    found = answer_and_questionnaire_queries.list_questions_to_ask(store, dataset, kind=kind)
    if not found:
        raise InvalidInput(
            f"There are no{f' {kind}' if kind else ''} questions in the dataset {dataset!r}.",
            hint="Import or generate some, or name another dataset.",
        )
    if 0 < limit < len(found):
        # The same questions for every model and every start.
        found = sorted(found, key=lambda row: _digest([str(row["name"])]))[:limit]
    return found


def _plan(
    models: Mapping[str, Model],
    variants: Sequence[PromptVariant],
    asked: Sequence[Mapping[str, Any]],
) -> list[_Planned]:
    planned = []
    for row in asked:
        options, several = tuple(json.loads(row["options"])), row["kind"] == "semantic"
        for variant in variants:
            shown = variant.list_option_positions_as_shown(len(options), row["name"])
            said = prompts.messages_asking_question(
                row["question"],
                [options[place] for place in shown],
                several=several,
                idk=variant.idk,
            )
            for name, model in models.items():
                request = llm.make_first_request_of_question(
                    name, model, said, parameters=_parameters(model)
                )
                planned.append(
                    _Planned(
                        *(name, variant, row["number"], row["name"], several, options, shown),
                        request,
                        row["meant_anew"],
                    )
                )
    return planned


def _parameters(model: Model) -> dict[str, Any]:
    """The paper's, overridden by ``medlens.toml``'s for a model, because a model may refuse
    some.
    """
    own = dict(model.parameters)
    given = {**prompts.PARAMETERS, **own}
    if "max_completion_tokens" in own:
        given.pop("max_tokens")
    # Asked for as a schema where the endpoint takes one; in whatever form it comes it is read.
    if model.json_mode == "schema":
        given["response_format"] = build_response_format(prompts.ChosenOptions, "schema")
    return given


def _job(one: _Planned) -> llm.Job:
    async def work(put: llm.Ask) -> llm.Result:
        answer = await put(one.model, one.request.messages, parameters=dict(one.request.parameters))
        return _read(one, answer)

    return llm.Job(one.key, work)


def _read(one: _Planned, answer: llm.Answer) -> llm.Result:
    body: dict[str, Any] = {
        "question": one.name,
        "model": one.model,
        "prompt": one.variant.name_in_answers,
        "chosen": [],
        "completion": answer.completions[-1] if answer.completions else "",
        "served_model": answer.served_model,
        "error_class": answer.error_class,
        "error": answer.error,
        "said": answer.text,
    }
    if answer.outcome in ("error", "refused"):
        return llm.Result(answer.outcome, body)
    if answer.outcome == "empty":
        return llm.Result("parse_failed", body, "empty")
    listed = [one.options[place] for place in one.shown]
    reply = parse_reply(answer.text, listed, several=one.several, idk=one.variant.idk)
    if answer.outcome == "truncated":
        ended = finished_part_of_cut_reply(answer.text, several=one.several)
        whole = parse_reply(ended, listed, several=one.several, idk=one.variant.idk)
        drafted = not reply.firm or was_reply_cut_while_thinking(answer.text)
        if drafted or (whole.outcome, whole.chosen) != (reply.outcome, reply.chosen):
            return llm.Result("parse_failed", body | {"error_class": "truncated"}, "truncated")
    body["read_by"] = reply.rule
    body["chosen"] = sorted(one.shown[place] for place in reply.chosen)
    return llm.Result(reply.outcome, body)


def _keep(
    store: Store,
    dataset: str,
    planned: Mapping[str, _Planned],
    done: Sequence[Mapping[str, Any]],
    *,
    run: str,
) -> int:
    """Store the run's new answers, by model and prompt; returns how many."""
    by_group: dict[AnswerBlockKey, list[tuple[int, tuple[int, int, str]]]] = defaultdict(list)
    for row in done:
        one = planned.get(row["job"])
        if one is None or row["outcome"] not in _CODES or row["outcome"] == "error":
            continue
        body = row["body"]
        said = (_CODES[row["outcome"]], bit_mask_of_positions(body["chosen"]), str(body["said"]))
        by_group[AnswerBlockKey(one.model, one.variant.name_in_answers, 1)].append(
            (one.number, said)
        )
    raters = {group: str(store_answers.model_rater_row(group.model)["id"]) for group in by_group}
    there = answer_and_questionnaire_queries.stored_answers_table(
        store, dataset, list(set(raters.values()))
    )
    held = set(
        zip(there["rater"], there["prompt"], there["repeat"], there["question"], strict=True)
    )
    added = 0
    for group, answers in by_group.items():
        place = (raters[group], group.prompt, group.repeat)
        fresh = [(number, said) for number, said in answers if (*place, number) not in held]
        numbers, found = store_answers.prepare_answers_of_one_model_for_storing(
            [number for number, _ in fresh], group, [said for _, said in fresh]
        )
        added += store_answers.store_answers_and_count(
            store, dataset, numbers, found, origin="model", run=run
        )
    return added


def _summary(done: Sequence[Mapping[str, Any]]) -> list[str]:
    """How each model's answers ended, one line per model."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in done:
        body = row["body"]
        counts[body.get("model", "")][body.get("unusable") or row["outcome"]] += 1
    words = {"idk": "not known", "parse_failed": "not readable", "truncated": "cut off"}
    return [
        f"{model}: "
        + ", ".join(
            f"{found[outcome]:,} {words.get(outcome, outcome)}"
            for outcome in (*OUTCOMES[:-1], "truncated", "empty", "error")
            if found[outcome]
        )
        + "."
        for model, found in counts.items()
        if model
    ]


def _digest(names: Sequence[str]) -> str:
    return hashlib.sha256("\x1f".join(names).encode()).hexdigest()[:16]
