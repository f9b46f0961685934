"""MedQA-style questions: reading them, judging answers to them, accuracy by model.

Source: Jin et al. 2021, "What Disease does this Patient Have?" (arXiv:2009.13081).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from medlens.llm import queries as stored
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import clustered_share
from medlens.store import Store
from medlens.studies.tagging import tasks
from medlens.studies.tagging.chosen import find_correct, parse_options
from medlens.studies.tagging.text import repair, tidy
from medlens.tables import Column, Loaded, Row, RowError, Source, json_value, load

KIND = "ask"
EXCLUDED = ("parse_failed", "refused", "truncated", "empty", "error")
"""Outcomes that are neither correct nor incorrect."""


COLUMNS = (
    Column("question", "text", "the question", needed=True),
    Column("options", "object", "the options by letter, as Python or JSON", needed=True),
    Column("answer", "name", "the correct option's text"),
    Column("answer_idx", "name", "the correct option's letter"),
    Column("meta_info", "name", "where the question comes from, such as step1"),
)


@dataclass(frozen=True)
class Question:
    """A multiple-choice question. ``digest`` is a hash of its content."""

    question: str
    options: Mapping[str, str]
    correct: str
    meta_info: str
    digest: str


def read_questions(
    source: Source,
    *,
    name: str = "",
    skip_bad: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Loaded[Question]:
    """Questions of a CSV or JSON lines file: ``question, options, answer, answer_idx, meta_info``.

    ``options`` is a dict (in CSV written as Python or JSON) or MedQA's list of ``key`` and
    ``value``; ``answer_idx`` (a letter) or ``answer`` (its text) is required. A question given
    twice counts once.

    Raises:
        BadFile: some rows are not questions (unless ``skip_bad``).
    """
    seen: set[str] = set()

    def parse(row: Row) -> Question | None:
        given = row.values
        options, rest = parse_options(_as_dict(given["options"]), tidy)
        if rest.strip():
            raise RowError("options", "nothing after the options", rest)
        text = repair(tidy(str(given["question"] or ""))).strip()
        if not text:
            raise RowError("question", "a question", "no text")
        column = "answer_idx" if given.get("answer_idx") else "answer"
        if not given.get(column):
            raise RowError("answer_idx", "the correct answer")
        correct = find_correct(tidy(str(given[column])), options, column)
        whole = json.dumps([text, options], ensure_ascii=False)
        digest = hashlib.sha256(whole.encode()).hexdigest()[:16]
        if digest in seen:
            return None
        seen.add(digest)
        return Question(text, options, correct, str(given.get("meta_info") or ""), digest)

    return load(source, parse, name=name, columns=COLUMNS, skip_bad=skip_bad, progress=progress)


def _as_dict(options: Any) -> Any:
    if isinstance(options, str) and options.lstrip().startswith("["):
        try:
            options = json_value(options)
        except ValueError:
            return options
    if isinstance(options, list) and all(isinstance(one, dict) for one in options):
        return {one.get("key"): one.get("value") for one in options}
    return options


def accuracy_line(outcomes: Mapping[str, int]) -> str:
    """Right and wrong answers, and those counted as neither, in a sentence."""
    right, wrong = outcomes.get("correct", 0), outcomes.get("incorrect", 0)
    text = f"{right:,} of {right + wrong:,} stated answers are correct"
    left = [f"{outcomes[kind]:,} {kind}" for kind in EXCLUDED if outcomes.get(kind)]
    return text + (f"; not counted: {', '.join(left)}." if left else ".")


def medqa_accuracy(store: Store, *, dataset: str = "") -> list[tuple[str, str, Estimate]]:
    """MedQA accuracy by model, as (figure, group, estimate) for ``figure_rows``.

    ``medqa_accuracy`` is over the answers that state an option; ``medqa_accuracy_of_all`` counts
    the rest as not correct, but leaves out ``error``, which says nothing about the model;
    ``medqa_outcome_<class>`` is the share of each excluded class among all questions asked. If a
    question was asked in several runs, the last outcome counts. Intervals take questions as units,
    however often each was asked.
    """
    last: dict[str, dict[tuple[str, int], str]] = {}
    for row in stored.results(store, study=tasks.STUDY, kind=KIND, dataset=dataset):
        body = row["body"]
        if "question" in body:
            place = body["question"], body["repeat"]
            last.setdefault(row["config"]["model"], {})[place] = row["outcome"]
    rows: list[tuple[str, str, Estimate]] = []
    for model, outcomes in sorted(last.items()):
        stated = {p: one for p, one in outcomes.items() if one in ("correct", "incorrect")}
        answered = {p: one for p, one in outcomes.items() if one != "error"}
        rows.append(("medqa_accuracy", model, _share(stated, "correct")))
        rows.append(("medqa_accuracy_of_all", model, _share(answered, "correct")))
        rows += [(f"medqa_outcome_{one}", model, _share(outcomes, one)) for one in EXCLUDED]
    return rows


def _share(outcomes: Mapping[tuple[str, int], str], wanted: str) -> Estimate:
    hits = [outcome == wanted for outcome in outcomes.values()]
    questions = [question for question, _ in outcomes]
    return clustered_share(hits, questions, unit="questions")
