"""Multiple-choice questions in the layouts of MedQA, MedMCQA and PubMedQA: reading them, judging
answers to them, accuracy by model.

Sources: Jin et al. 2021, "What Disease does this Patient Have?" (arXiv:2009.13081); Pal et al.
2022, "MedMCQA" (arXiv:2203.14371); Jin et al. 2019, "PubMedQA" (arXiv:1909.06146).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass, replace
from typing import Any

from medlens.errors import BadFile
from medlens.llm import completion_run_and_job_queries as stored
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import clustered_share
from medlens.store import Store
from medlens.studies.tagging import tasks
from medlens.studies.tagging.option_list_and_chosen_option_parsing import (
    key_of_correct_option,
    parse_options_and_following_text,
)
from medlens.studies.tagging.text_repair_with_offsets import repair_encoding, tidy_line_ends
from medlens.tables import (
    Column,
    Loaded,
    Row,
    RowError,
    Source,
    load_parsed_and_refused_rows,
    parse_json_value,
)

KIND = "ask"
EXCLUDED = ("parse_failed", "refused", "truncated", "empty", "error")
"""Outcomes that are neither correct nor incorrect."""


COLUMNS = (
    Column("question", "text", "the question", needed=True),
    Column("options", "object", "the options by letter, as Python or JSON"),
    Column("answer", "name", "the correct option's text"),
    Column("answer_idx", "name", "the correct option's letter"),
    Column("meta_info", "name", "where the question comes from, such as step1"),
    *(
        Column(f"op{letter}", "text", f"option {letter.upper()}, as in MedMCQA")
        for letter in "abcd"
    ),
    Column("cop", "number", "the correct option's number, from 0 or from 1, as in MedMCQA"),
    Column("subject_name", "name", "the subject, as in MedMCQA"),
    Column("context", "object", "abstracts that the question is about, as in PubMedQA"),
    Column("final_decision", "name", "yes, no or maybe, as in PubMedQA"),
)

_DECISIONS = {"A": "yes", "B": "no", "C": "maybe"}


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
    """Questions of a file in one of three layouts.

    MedQA: ``question, options, answer, answer_idx, meta_info``; ``options`` is a dict (in CSV
    written as Python or JSON) or a list of ``key`` and ``value``; ``answer_idx`` (a letter) or
    ``answer`` (its text) is required, and both must name the same option. MedMCQA: ``question, opa,
    opb, opc, opd, cop, subject_name``. PubMedQA: ``question, context, final_decision``, answered by
    yes, no or maybe. A question given twice counts once.

    Raises:
        BadFile: some rows are not questions (unless ``skip_bad``), or whether ``cop`` counts from 0
            or from 1 cannot be told.
    """
    seen: set[str] = set()
    numbers: set[int] = set()

    def parse(row: Row) -> Question | None:
        given = row.values
        text = repair_encoding(tidy_line_ends(str(given["question"] or ""))).strip()
        if not text:
            raise RowError("question", "a question", "no text")
        meta_info = str(given.get("meta_info") or given.get("subject_name") or "")
        if given.get("options"):
            options, rest = parse_options_and_following_text(
                _as_dict(given["options"]), tidy_line_ends
            )
            if rest.strip():
                raise RowError("options", "nothing after the options", rest)
            correct = _correct(given, options)
        elif given.get("opa"):
            cells = {letter: given.get(f"op{letter.lower()}") for letter in "ABCD"}
            filled = {letter: cell for letter, cell in cells.items() if cell not in (None, "")}
            options, _ = parse_options_and_following_text(filled, tidy_line_ends)
            number = _whole_number(given.get("cop"))
            numbers.add(number)
            correct = str(number)
        elif given.get("final_decision"):
            options = dict(_DECISIONS)
            correct = key_of_correct_option(
                str(given["final_decision"]).strip().lower(), options, "final_decision"
            )
            text = "\n\n".join([*_contexts(given.get("context")), text])
        else:
            raise RowError("options", "the options, or those of MedMCQA or PubMedQA")
        whole = json.dumps([text, options], ensure_ascii=False)
        digest = hashlib.sha256(whole.encode()).hexdigest()[:16]
        if digest in seen:
            return None
        seen.add(digest)
        return Question(text, options, correct, meta_info, digest)

    loaded = load_parsed_and_refused_rows(
        source, parse, name=name, columns=COLUMNS, skip_bad=skip_bad, progress=progress
    )
    if not numbers:
        return loaded
    first = _first_number(numbers, loaded.name)
    numbered = tuple(_numbered(one, first) for one in loaded.records)
    if lacking := [one for one in numbered if one.correct not in one.options]:
        raise BadFile(
            f"{loaded.name}: cop names an option that is empty, first in: {lacking[0].question!r}"
        )
    return replace(loaded, records=numbered)


def is_option_right(question: Question, chosen: str) -> bool:
    """Whether an option is the correct one, or says the same: of two alike, either is right."""
    return _alike(question.options[question.correct], question.options[chosen])


def _alike(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()


def _correct(given: Mapping[str, Any], options: Mapping[str, str]) -> str:
    letter, text = given.get("answer_idx"), given.get("answer")
    if not letter and not text:
        raise RowError("answer_idx", "the correct answer")
    found = [
        key_of_correct_option(tidy_line_ends(str(cell)), options, column)
        for cell, column in ((letter, "answer_idx"), (text, "answer"))
        if cell
    ]
    if len(found) == 2 and not _alike(options[found[0]], options[found[1]]):
        raise RowError("answer", f"option {found[0]}, as answer_idx says", text)
    return found[0]


def _whole_number(cell: Any) -> int:
    try:
        number = float(cell)
    except (TypeError, ValueError):
        number = -1.0
    if number not in range(5):
        raise RowError("cop", "the number of the correct option, from 0 or from 1", cell)
    return int(number)


def _first_number(numbers: Set[int], name: str) -> int:
    """Whether the options of a MedMCQA file are counted from 0 or from 1: both are published."""
    if {0, 4} <= numbers or not numbers & {0, 4}:
        raise BadFile(
            f"{name}: whether cop counts the options from 0 or from 1 cannot be told: it holds"
            f" {', '.join(map(str, sorted(numbers)))}.",
            hint="Give the correct option as a letter, in a column answer_idx.",
        )
    return 0 if 0 in numbers else 1


def _numbered(question: Question, first: int) -> Question:
    if not question.correct.isdigit():
        return question
    return replace(question, correct="ABCD"[int(question.correct) - first])


def _contexts(context: Any) -> list[str]:
    if isinstance(context, str) and context.lstrip()[:1] in ("{", "["):
        try:
            context = parse_json_value(context)
        except ValueError:
            return [context]
    if isinstance(context, Mapping):
        context = context.get("contexts") or context.get("CONTEXTS")
    if isinstance(context, str):
        return [context]
    return [str(one) for one in context] if isinstance(context, list) else []


def _as_dict(options: Any) -> Any:
    if isinstance(options, str) and options.lstrip().startswith("["):
        try:
            options = parse_json_value(options)
        except ValueError:
            return options
    if isinstance(options, list) and all(isinstance(one, dict) for one in options):
        return {one.get("key"): one.get("value") for one in options}
    return options


def accuracy_in_words(outcomes: Mapping[str, int]) -> str:
    """Right and wrong answers, and those counted as neither, in a sentence."""
    right, wrong = outcomes.get("correct", 0), outcomes.get("incorrect", 0)
    text = f"{right:,} of {right + wrong:,} stated answers are correct"
    left = [f"{outcomes[kind]:,} {kind}" for kind in EXCLUDED if outcomes.get(kind)]
    return text + (f"; not counted: {', '.join(left)}." if left else ".")


def make_medqa_accuracy_figure_rows(
    store: Store, *, dataset: str = ""
) -> list[tuple[str, str, Estimate]]:
    """MedQA accuracy by model, as (figure, group, estimate) for ``figure_rows_as_table``.

    ``make_medqa_accuracy_figure_rows`` is over the answers that state an option;
    ``medqa_accuracy_of_all`` counts the rest as not correct, but leaves out ``error``, which says
    nothing about the model; ``medqa_outcome_<class>`` is the share of each excluded class among all
    questions asked. If a question was asked in several runs, the last outcome counts. Intervals
    take questions as units, however often each was asked.
    """
    last: dict[str, dict[tuple[str, int], str]] = {}
    for row in stored.list_job_results_of_run_kind(
        store, study=tasks.STUDY, kind=KIND, dataset=dataset
    ):
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
