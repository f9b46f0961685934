"""Verdicts of models on what they are shown: a layer of its own, beside people's judgments.

A *subject* is what a judge compares, whoever made it and however often it occurs (the diagnosis
that was given and the correct one, say). Every verdict is kept beside the others with its judge,
the version of the prompt and the run; one that cannot be used keeps its place and can be asked for
again. What is judged is never changed by it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import pandas as pd
from pydantic import BaseModel

from medlens import llm
from medlens.errors import InvalidInput
from medlens.llm.batch_api import Asked
from medlens.llm.keeper import Keeper
from medlens.llm.pipeline import How, carry_out, plan_singles
from medlens.settings import Model
from medlens.store import Row, Store, id_of

Which = Literal["missing", "failed", "all"]
WHICH: tuple[Which, ...] = get_args(Which)
"""What is judged: what this judge has not judged by this prompt; also what it could not be read on,
asked anew; everything anew."""

_ANSWER = 60


@dataclass(frozen=True)
class Subject:
    """What is judged. ``body`` says what it is, for who reads the table of verdicts alone."""

    id: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Verdict:
    """A judge's word. ``outcome`` is the answer, or, where it is not ``usable``, what became of it.

    ``model`` is what the endpoint calls the judge; ``attempt`` counts from 1 within a prompt.
    """

    subject: str
    judge: str
    prompt: str
    attempt: int
    outcome: str
    usable: bool
    reason: str
    body: Mapping[str, Any]
    model: str
    run: str
    origin: str = "run"


def row_of(verdict: Verdict, *, task: str, dataset: str) -> Row:
    """A verdict as a row of the store; the same verdict is the same row."""
    named = (verdict.subject, verdict.judge, verdict.prompt, str(verdict.attempt))
    return {
        "id": id_of("verdict", task, dataset, *named), "task": task, "dataset": dataset,
        **{name: getattr(verdict, name) for name in Verdict.__dataclass_fields__},
        "body": dict(verdict.body),
    }  # fmt: skip


_COLUMNS = ", ".join(Verdict.__dataclass_fields__)


def standing(store: Store, task: str, dataset: str) -> dict[tuple[str, str], Verdict]:
    """By subject and judge: the newest verdict that can be used, else the newest."""
    return {(one.subject, one.judge): one for one in _read(store, "verdict_now", task, dataset)}


def all_of(store: Store, task: str, dataset: str) -> list[Verdict]:
    """Every verdict, the oldest first."""
    return _read(store, "verdict", task, dataset)


def _read(store: Store, table: str, task: str, dataset: str) -> list[Verdict]:
    rows = store.rows(
        f"select {_COLUMNS} from {table} where task = $task and dataset = $dataset order by seq",
        task=task, dataset=dataset,
    )  # fmt: skip
    at = list(Verdict.__dataclass_fields__).index("body")
    return [Verdict(*(*row[:at], json.loads(row[at]), *row[at + 1 :])) for row in rows]


def table_of(store: Store, task: str, dataset: str) -> pd.DataFrame:
    """Every verdict, one row each, with what it is about; to be exported and imported again."""
    fields = [name for name in Verdict.__dataclass_fields__ if name != "body"]
    rows = [
        {"task": task, "dataset": dataset, **{name: getattr(one, name) for name in fields},
         **one.body}
        for one in all_of(store, task, dataset)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=None if rows else ["task", "dataset", *fields])


def add(store: Store, verdicts: Sequence[Verdict], *, task: str, dataset: str) -> tuple[int, int]:
    """Keep verdicts made elsewhere; returns how many were new and how many known.

    Raises:
        InvalidInput: one that is there says something else.
    """
    there = {
        (one.subject, one.judge, one.prompt, one.attempt): one.outcome
        for one in all_of(store, task, dataset)
    }
    fresh = []
    for one in verdicts:
        said = there.get((one.subject, one.judge, one.prompt, one.attempt))
        if said is None:
            fresh.append(one)
        elif said != one.outcome:
            raise InvalidInput(
                f"A verdict of {one.judge!r} is there already, and says something else.",
                hint="Was the file changed since it was exported? Use another dataset.",
            )
    if fresh:
        store.append("verdict", *(row_of(one, task=task, dataset=dataset) for one in fresh))
    return len(fresh), len(verdicts) - len(fresh)


# -- asking for them ----------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Judging:
    """One kind of verdict in one dataset.

    ``messages`` is what a judge is told of a subject, answered as ``shape``; ``read`` gives outcome
    and reason of an answer. ``elsewhere`` are verdicts that are no rows of the layer, such as those
    that came with what is judged: (subject, judge) -> (prompt, usable).
    """

    study: str
    kind: str
    task: str
    dataset: str
    prompt: str
    subjects: Sequence[Subject]
    messages: Callable[[Subject], list[llm.Message]]
    shape: type[BaseModel]
    read: Callable[[Any], tuple[str, str]]
    elsewhere: Mapping[tuple[str, str], tuple[str, bool]]


@dataclass(frozen=True)
class Judged:
    """What a run of judges did. ``batch`` is None where nothing was asked."""

    run: str
    batch: llm.BatchReport | None
    outcomes: Mapping[str, int]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """A verdict to be asked for; ``repeat`` counts the askings of the same words from 0."""

    subject: Subject
    judge: str
    attempt: int
    repeat: int


def judge(
    store: Store, way: Judging, *, judges: Mapping[str, Model], which: Which = "missing", how: How
) -> Judged:
    """Let each judge say its word on the subjects that ``which`` names.

    What an endpoint did not answer is left for the next start; what cannot be used is kept as such.
    Nothing that is stored is asked or paid for again, but what ``failed`` or ``all`` ask anew.
    """
    store.follow()
    asking = wanted(store, way, list(judges), which)
    keeper = Keeper(store, "verdict")
    opened: list[str] = []

    def heard(run: str) -> None:
        opened.append(run)
        if how.on_run is not None:
            how.on_run(run)

    def job(one: Wanted) -> llm.Job:
        async def work(ask: llm.Ask) -> llm.Result:
            return await verdict_on(ask, way, one, judges[one.judge], keeper, run=opened[0])

        return llm.Job(f"{one.judge} {one.subject.id} {one.attempt}", work)

    asked = _asked(way, asking, judges)
    planned, known = _planned(store, asked, judges)
    config = {
        "dataset": way.dataset, "task": way.task, "prompt": way.prompt, "which": which,
        "judges": {name: {"asked_for": one.model, "base_url": one.base_url,
                          "parameters": dict(one.parameters)} for name, one in judges.items()},
        "instructions": way.messages(Subject("", {}))[0]["content"],
    }  # fmt: skip
    if not asking:
        return Judged("", None, {}, ("There is nothing left to judge.",))
    made = carry_out(
        store, study=way.study, kind=way.kind, models=judges, config=config, planned=planned,
        stored=known, jobs=[job(one) for one in asking],
        single_turn=asked if how.batch_api else None, how=replace(how, on_run=heard),
    )  # fmt: skip
    if made.batch is None:
        return Judged(made.run, None, {}, (made.note,))
    outcomes = Counter(made.batch.outcomes)
    lines = (made.note, made.batch.line(), f"{keeper.added:,} verdicts are new.")
    return Judged(made.run, made.batch, outcomes, tuple(filter(None, lines)))


async def verdict_on(
    ask: llm.Ask, way: Judging, one: Wanted, model: Model, keeper: Keeper, *, run: str
) -> llm.Result:
    """Ask for a verdict and keep it; what the endpoint did not answer is kept as nothing."""
    answer = await ask(one.judge, way.messages(one.subject), schema=way.shape, repeat=one.repeat)
    light = {**one.subject.body, "judge": one.judge}
    if answer.outcome == "error" and answer.error_class != "too_long":
        fault = {"error_class": answer.error_class, "error": answer.error}
        return llm.Result("error", {**light, **fault})
    usable = answer.outcome == "ok"
    outcome, reason = way.read(answer.value) if usable else (answer.outcome, answer.error)
    said = Verdict(
        one.subject.id, one.judge, way.prompt, one.attempt, answer.error_class
        if answer.error_class == "too_long" else outcome, usable, reason, one.subject.body,
        answer.served_model or model.model, run,
    )  # fmt: skip
    await keeper.keep({"verdict": [row_of(said, task=way.task, dataset=way.dataset)]})
    return llm.Result(said.outcome, {**light, "reason": reason})


def wanted(store: Store, way: Judging, judges: Sequence[str], which: Which) -> list[Wanted]:
    """What ``which`` names, by subject and judge."""
    tried: Counter[tuple[str, str]] = Counter()
    usable: set[tuple[str, str]] = set()
    for one in all_of(store, way.task, way.dataset):
        if one.prompt == way.prompt:
            tried[one.subject, one.judge] += 1
            if one.usable:
                usable.add((one.subject, one.judge))
    found = []
    for subject in way.subjects:
        for name in judges:
            key = (subject.id, name)
            prompt, good = way.elsewhere.get(key, ("", False))
            before = tried[key] + (prompt == way.prompt)
            done = key in usable or (prompt == way.prompt and good)
            if not before or which == "all" or (which == "failed" and not done):
                # Asked before with the same words, it must be asked under another number.
                found.append(Wanted(subject, name, tried[key] + 1, before))
    return found


def _asked(
    way: Judging, asking: Sequence[Wanted], judges: Mapping[str, Model]
) -> dict[str, list[Asked]]:
    asked: dict[str, list[Asked]] = {}
    for one in asking:
        messages = way.messages(one.subject)
        request = llm.plan_request(one.judge, judges[one.judge], messages, schema=way.shape)
        asked.setdefault(one.judge, []).append((request, one.repeat))
    return asked


def _planned(
    store: Store, asked: Mapping[str, Sequence[Asked]], judges: Mapping[str, Model]
) -> tuple[list[llm.Planned], int]:
    planned: list[llm.Planned] = []
    known = 0
    for name, several in asked.items():
        left, stored = plan_singles(store, name, judges[name], several, output_tokens=_ANSWER)
        planned += left
        known += stored
    return planned, known
