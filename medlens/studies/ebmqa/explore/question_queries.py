"""Questions listed, searched, sorted and paged in the store; and one question with all answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.studies.ebmqa.explore.aggregate_queries import (
    AnswerAggregates,
    with_clause_and_parameters_of_answers,
)
from medlens.studies.ebmqa.explore.question_filter import AnswerFilter, QuestionsBehindMark
from medlens.studies.ebmqa.records import LABELS, OUTCOMES, Evidence, positions_in_bit_mask

COLUMNS = (
    *("name", "kind", "qa_type", "question", "options", "correct"),
    *("models", "answered", "accuracy", "different", "value", "citations"),
)
"""Of a list: ``options`` and ``correct`` as text, ``models`` that were asked, how many of them
answered, their mean score, and how many different answers they gave; what the evidence says of a
numeric question, and its citations."""

SORTS = {
    "name": "By name",
    "hardest": "Hardest first",
    "easiest": "Easiest first",
    "unanswered": "Least answered first",
    "disputed": "Most different answers first",
    "qa_type": "By type",
    "longest": "Longest first",
}
"""Ways of sorting a list, and what people read."""

_SCORE = "bit_count(a.chosen & q.correct) / greatest(bit_count(a.chosen), 1)"
_STATS = {
    "accuracy": f"avg({_SCORE}) filter (a.outcome = 0)",
    "answered": "count(*) filter (a.outcome = 0)",
    "different": "count(distinct a.chosen) filter (a.outcome = 0)",
}
_BY = {
    "name": "q.name",
    "qa_type": "q.qa_type, q.name",
    "longest": "length(q.question) desc, q.name",
    "hardest": "accuracy",
    "easiest": "accuracy desc",
    "unanswered": "answered",
    "disputed": "different desc",
}
_STATES: dict[str, str] = {
    "right": "a.outcome = 0 and a.chosen = q.correct",
    "partly": "a.outcome = 0 and a.chosen <> q.correct and a.chosen & q.correct <> 0",
    "wrong": "a.outcome = 0 and a.chosen & q.correct = 0",
    **{str(name): f"a.outcome = {at}" for at, name in enumerate(OUTCOMES)},
}
_CELLS = {
    "both": "one.chosen = q.correct and two.chosen = q.correct",
    "first_only": "one.chosen = q.correct and two.chosen <> q.correct",
    "second_only": "one.chosen <> q.correct and two.chosen = q.correct",
    "neither": "one.chosen <> q.correct and two.chosen <> q.correct",
    "discordant": "(one.chosen = q.correct) <> (two.chosen = q.correct)",
}


@dataclass(frozen=True)
class Answer:
    """One model's answer: ``chosen`` are positions of options, ``said`` its words."""

    model: str
    prompt: str
    repeat: int
    outcome: str
    chosen: tuple[int, ...]
    score: float | None
    said: str


@dataclass(frozen=True)
class QuestionWithAnswers:
    """One question with its labels (as shown names) and all answers to it."""

    name: str
    kind: str
    question: str
    options: tuple[str, ...]
    correct: tuple[int, ...]
    labels: dict[str, str]
    answers: tuple[Answer, ...]
    value: float | None
    evidence: tuple[Evidence, ...] = ()


def page_of_questions_and_total(
    explorer: AnswerAggregates,
    where: AnswerFilter,
    behind: QuestionsBehindMark | None = None,
    *,
    sort: str = "name",
    offset: int = 0,
    limit: int | None = 50,
) -> tuple[pd.DataFrame, int]:
    """A page of the questions of ``where`` that match ``behind``, and the total that match.

    ``limit`` None means all of them. Without a model every question of the set counts, asked or
    not. Columns are ``COLUMNS``.

    Raises:
        InvalidInput: there is no such way of sorting.
    """
    if sort not in SORTS:
        raise InvalidInput(f"Questions cannot be sorted by {sort!r}.", hint=", ".join(SORTS))
    there = behind or QuestionsBehindMark()
    with_, params = with_clause_and_parameters_of_answers(
        explorer, there.narrow_filter_to_mark(where), ()
    )
    with_ += f", hits as ({_hits(explorer, there, params)})"
    total = explorer.store.value(f"{with_} select count(*) from hits", **params)
    stat = _BY[sort].split()[0]
    cut = f"offset {int(offset)}" if limit is None else f"limit {int(limit)} offset {int(offset)}"
    if stat in _STATS:
        # Only the number that is sorted by is computed for all of them.
        page = (
            f"select hits.seq, {_STATS[stat]} as {stat} from hits join q on q.seq = hits.seq"
            " left join (select * from ebmqa_answer join b on b.number = block) a"
            f" on a.question = hits.seq group by hits.seq order by {_BY[sort]} nulls last,"
            f" hits.seq {cut}"
        )
    else:
        page = (
            f"select seq from hits join ebmqa_question_now q using (seq) order by {_BY[sort]} {cut}"
        )
    table = explorer.store.read(
        f"{with_}, page as (select seq, row_number() over () as place from ({page})),"
        " stats as (select a.question, count(distinct b.rater) as models,"
        f" {', '.join(f'{sql} as {name}' for name, sql in _STATS.items())}"
        " from ebmqa_answer a join b on b.number = a.block join page on page.seq = a.question"
        " join q on q.seq = a.question group by a.question)"
        " select q.name, q.kind, q.qa_type, q.question, q.options, q.correct,"
        " coalesce(s.models, 0) as models, coalesce(s.answered, 0) as answered,"
        " s.accuracy, coalesce(s.different, 0) as different, q.value,"
        " coalesce(q.evidence::varchar, '[]') as citations"
        " from page join ebmqa_question_now q on q.seq = page.seq"
        " left join stats s on s.question = q.seq order by page.place",
        **params,
    )
    options = [json.loads(text) for text in table["options"]]
    table["correct"] = [
        "; ".join(texts[place] for place in positions_in_bit_mask(int(mask)))
        for texts, mask in zip(options, table["correct"], strict=True)
    ]
    table["options"] = ["; ".join(texts) for texts in options]
    table["citations"] = [_cited(found) for found in table["citations"]]
    return table[list(COLUMNS)], int(total)


def _cited(evidence: str) -> str:
    """The citations in the evidence of a question, each once."""
    each = (text for one in json.loads(evidence) for text in one["citations"])
    return "; ".join(dict.fromkeys(each))


def table_of_answers_to_questions(
    explorer: AnswerAggregates, where: AnswerFilter, names: Sequence[str]
) -> pd.DataFrame:
    """Each model's answer to each of these questions, asked as ``where`` says.

    Columns: ``name`` (of the question), ``model``, ``outcome``, ``answer`` (the chosen options,
    empty unless answered), and ``score`` (the share of them that is correct; missing likewise).
    """
    with_, params = with_clause_and_parameters_of_answers(
        explorer, AnswerFilter(where.dataset, where.prompt, where.repeat, run=where.run), ()
    )
    table = explorer.store.read(
        f"{with_} select w.name, b.rater as model, a.outcome, a.chosen, w.correct, w.options"
        " from ebmqa_question_now w join ebmqa_answer a on a.question = w.seq"
        " join b on b.number = a.block where w.dataset = $dataset and w.name in $names",
        **params,
        names=list(names),
    )
    shown = {model.rater: model.name for model in explorer.list_models()}
    options: dict[str, list[str]] = {}
    said, scores = [], []
    for outcome, chosen, correct, text in zip(
        *(table[name] for name in ("outcome", "chosen", "correct", "options")), strict=True
    ):
        known = options.get(text) or options.setdefault(text, json.loads(text))
        answered = OUTCOMES[outcome] == "answered"
        hit = (int(chosen) & int(correct)).bit_count()
        said.append(
            "; ".join(known[place] for place in positions_in_bit_mask(int(chosen)))
            if answered
            else ""
        )
        scores.append(hit / max(int(chosen).bit_count(), 1) if answered else None)
    return pd.DataFrame(
        {
            "name": table["name"],
            "model": [shown.get(one, one) for one in table["model"]],
            "outcome": [OUTCOMES[one] for one in table["outcome"]],
            "answer": said,
            "score": scores,
        }
    )


def _hits(explorer: AnswerAggregates, behind: QuestionsBehindMark, params: dict[str, Any]) -> str:
    """The questions that match a mark; adds its parameters."""
    ids = {model.name: model.rater for model in explorer.list_models()}
    if behind.cell and behind.other:
        params["first"], params["second"] = ids.get(behind.model, ""), ids.get(behind.other, "")
        both = " ".join(
            f"join (select a.question, a.chosen from ebmqa_answer a join b on b.number = a.block"
            f" where b.rater = ${rater} and a.outcome = 0) {name} on {name}.question = q.seq"
            for rater, name in (("first", "one"), ("second", "two"))
        )
        return f"select q.seq from q {both} where {_CELLS.get(behind.cell, 'true')}"
    if not (behind.model or behind.state):
        return "select q.seq from q"
    condition = _STATES.get(behind.state, "true")
    if behind.model:
        params["first"] = ids.get(behind.model, "")
        condition += " and b.rater = $first"
    return (
        "select distinct q.seq from q join ebmqa_answer a on a.question = q.seq"
        f" join b on b.number = a.block where {condition}"
    )


def question_with_answers(explorer: AnswerAggregates, name: str) -> QuestionWithAnswers:
    """One question by its name, with every answer to it: all models, prompts and repeats.

    Raises:
        InvalidInput: there is no such question.
    """
    labels = ", ".join(f"q.{label}" for label in LABELS if label != "kind")
    one = explorer.store.find_first_row_as_dict(
        f"select q.seq, q.name, q.kind, q.question, q.options, q.correct, q.value,"
        f" q.evidence, {labels}"
        " from ebmqa_question_now q where q.dataset = $dataset and q.name = $name",
        dataset=explorer.dataset,
        name=name,
    )
    if one is None:
        raise InvalidInput("There is no such question.", hint="Open it from the list again.")
    names = {model.rater: model.name for model in explorer.list_models()}
    given = explorer.store.rows(
        "select b.rater, b.prompt, b.repeat, a.outcome, a.chosen, coalesce(s.text, '')"
        " from ebmqa_answer a join ebmqa_answer_block b on b.number = a.block"
        " left join ebmqa_said s on s.block = a.block and s.place = a.said"
        " where a.question = $seq and b.dataset = $dataset",
        seq=one["seq"],
        dataset=explorer.dataset,
    )
    mask = int(one["correct"])
    answers = [
        Answer(
            names.get(rater, rater),
            prompt,
            int(repeat),
            OUTCOMES[outcome],
            positions_in_bit_mask(chosen),
            (chosen & mask).bit_count() / max(chosen.bit_count(), 1) if outcome == 0 else None,
            said,
        )
        for rater, prompt, repeat, outcome, chosen, said in given
    ]
    answers.sort(key=lambda one: (one.prompt, one.model.casefold(), one.repeat))
    return QuestionWithAnswers(
        one["name"],
        one["kind"],
        one["question"],
        tuple(json.loads(one["options"])),
        positions_in_bit_mask(mask),
        {LABELS[label]: one[label] for label in LABELS if one.get(label)},
        tuple(answers),
        one["value"],
        tuple(Evidence.model_validate(found) for found in json.loads(one["evidence"] or "[]")),
    )
