"""The progress of a batch: numbers for a bar, a line for the person, counts for the store."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from medlens.llm.finish_reasons import GIVEN_AS_NULL
from medlens.llm.token_cost_forecast_and_budget import SpendingBudget, format_money

UNUSABLE = (
    *("truncated", "refused", "empty", "parse_failed", "too_long"),
    # Read, but no judgment: it breaks a rule of the task, or quotes what is not there.
    *("refused_by_rule", "no_quote_located"),
)
"""Outcomes of jobs that are done although no usable answer came of them."""

NOTHING_SENT = "empty"
"""That of them in which nothing came at all."""

NO_USABLE_ANSWER = "no answer could be used"
"""What the reason of a run begins with that has ended and made nothing."""


@dataclass(frozen=True)
class BatchProgress:
    """The state of a batch.

    ``done`` are jobs with a result, including earlier sessions; ``failed`` those without an answer.
    ``rate`` is jobs per minute in this session; ``seconds_left`` and ``expected_cost`` (of the
    whole run) are None as long as they cannot be estimated. ``calls`` were paid for in this
    session, ``reused`` ones were already stored. ``estimated`` says that token counts are partly
    estimated from length.
    """

    total: int
    done: int
    failed: int
    running: int
    calls: int
    reused: int
    rate: float
    seconds_left: float | None
    cost: float
    expected_cost: float | None
    unpriced: int
    estimated: bool

    def progress_in_one_line(self) -> str:
        """The state in one line."""
        text = f"{self.done + self.failed:,} of {self.total:,} done"
        if self.failed:
            text += f", {self.failed:,} without an answer"
        if self.rate:
            text += f", {self.rate:,.0f} a minute"
        if self.seconds_left is not None:
            text += f", {format_duration(self.seconds_left)} left"
        return f"{text}, {self._money()}"

    def _money(self) -> str:
        if self.unpriced and not self.cost:
            return "cost unknown"
        text = f"cost {format_money(self.cost)}"
        if self.expected_cost is not None and self.done + self.failed < self.total:
            text += f" of about {format_money(self.expected_cost)}"
        return text + (" (no price for some)" if self.unpriced else "")


@dataclass(frozen=True)
class BatchReport:
    """How a batch ended. ``outcomes`` counts all jobs of the run that have a result, ``unusable``
    those of them that got no usable answer.
    """

    stopped: bool
    reason: str
    total: int
    outcomes: Mapping[str, int]
    calls: int
    reused: int
    cost: float
    unpriced: int
    estimated: bool
    seconds: float
    unusable: int = 0
    reused_unusable: int = 0
    cautions: tuple[str, ...] = ()

    @property
    def is_without_usable_answer(self) -> bool:
        """Whether models have answered and none of their answers could be used."""
        return self.reason.startswith(NO_USABLE_ANSWER)

    @property
    def count_jobs_left(self) -> int:
        """Jobs without a result, not counting those that failed."""
        return self.total - sum(self.outcomes.values())

    def report_in_one_line(self) -> str:
        """What was done, for the person who started it."""
        answered = sum(n for outcome, n in self.outcomes.items() if outcome != "error")
        text = "Stopped: " if self.stopped else ""
        text += "Without result: " if self.is_without_usable_answer else ""
        text += f"{answered:,} of {self.total:,} done"
        if self.unusable:
            text += f" ({self.unusable:,} of these without a usable answer)"
        if self.outcomes.get("error"):
            text += f", {self.outcomes['error']:,} without an answer (to be tried again)"
        if self.count_jobs_left:
            text += f", {self.count_jobs_left:,} left"
        text += f"; {self.calls:,} calls in {format_duration(self.seconds)}"
        if self.reused:
            text += f", {self.reused:,} answers stored before"
            if self.reused_unusable:
                text += f" ({self.reused_unusable:,} of them unusable then as now)"
        if self.cost or not self.unpriced:
            text += f"; cost of the run {format_money(self.cost)}"
            text += ", token counts partly estimated" if self.estimated else ""
        if self.unpriced:
            text += f"; {self.unpriced:,} calls without a known price"
        text = "; ".join([text, *self.cautions])
        return f"{text}." + (f" Reason: {self.reason}." if self.reason else "")


ENDED = "finish_reason "
"""What the counts of reasons begin with that MedLens does not know."""


PRICED, TAKES = "listed price ", "listed context "
"""What the counts of settings begin with that the endpoint's own list of models suggests."""


def list_cautions_about_replies(counts: Mapping[str, Any]) -> tuple[str, ...]:
    """What a person should know of a run's replies before relying on them, from its counts."""
    found = []
    unknown = {key.removeprefix(ENDED): n for key, n in counts.items() if key.startswith(ENDED)}
    missing = unknown.pop(GIVEN_AS_NULL, 0) + counts.get("no_reason", 0)
    if missing:
        found.append(
            f"{missing:,} replies do not say whether they are whole (no finish_reason) and were"
            " taken as whole"
        )
    if unknown:
        found.append(
            f"{sum(unknown.values()):,} replies ended for a reason that MedLens does not know and"
            f" were taken as whole (finish_reason {', '.join(sorted(unknown))})"
        )
    if thinking := counts.get("cut_in_thought"):
        found.append(
            f"{thinking:,} replies were cut before the answer began: a model that thinks needs more"
            " room. Set parameters = { max_completion_tokens = 8000 } for it in medlens.toml"
        )
    if called := counts.get("tool_calls"):
        found.append(
            f"{called:,} replies only called a tool, which MedLens does not offer, and hold no"
            " answer: the endpoint gives the model tools of its own. Turn them off there"
        )
    if cut := counts.get("prompt_cut"):
        found.append(
            f"{cut:,} prompts seem to have been cut: the endpoint counted less than half of their"
            " tokens. Give the model more context at its server, and set context for it in"
            " medlens.toml"
        )
    for begin, what in ((PRICED, "names its prices"), (TAKES, "says how much it takes")):
        settings = sorted(key.removeprefix(begin) for key in counts if key.startswith(begin))
        if settings:
            found.append(f"the endpoint {what}; set in medlens.toml: {'; '.join(settings)}")
    return tuple(found)


class BatchMeter:
    """Counts a batch. ``already`` are outcomes of jobs done in earlier sessions, each with what was
    unusable about it.
    """

    def __init__(
        self,
        total: int,
        already: Mapping[tuple[str, str], int],
        budget: SpendingBudget,
        forecast: float | None,
    ) -> None:
        self.running = 0
        self._done: Counter[str] = Counter()
        self._done_cost = 0.0
        self._total, self._budget = total, budget
        self._already: Counter[str] = Counter()
        self._unusable: Counter[str] = Counter()
        for (outcome, unusable), number in already.items():
            self._already[outcome] += number
            self._count_unusable(outcome, unusable, number)
        self._forecast = forecast
        self._spent_before = budget.spent
        self._counts: Counter[str] = Counter()
        self._begun = time.monotonic()

    def start_clock(self, counts: Counter[str]) -> None:
        """Start the clock; ``counts`` are of completions: calls, reused, estimated, unpriced."""
        self._counts = counts
        self._begun = time.monotonic()

    def count_ended_job(self, outcome: str, cost: float, *, unusable: str = "") -> None:
        """Count a job that has ended, what it cost in this session, and what made it unusable if
        its outcome does not say so.
        """
        self._done[outcome] += 1
        self._done_cost += cost
        self._count_unusable(outcome, unusable, 1)

    def _count_unusable(self, outcome: str, unusable: str, number: int) -> None:
        if kind := unusable or (outcome if outcome in UNUSABLE else ""):
            self._unusable[kind] += number

    @property
    def _outcomes(self) -> Counter[str]:
        return self._already + self._done

    def make_progress(self) -> BatchProgress:
        """The state of the batch now."""
        now = self._done.total()
        failed = self._outcomes["error"]
        done = self._outcomes.total() - failed
        left = self._total - done - failed
        elapsed = time.monotonic() - self._begun
        expected = None if self._forecast is None else self._spent_before + self._forecast
        if now:
            whole = self._spent_before + self._done_cost / now * (now + left)
            expected = max(self._budget.spent, whole)
        return BatchProgress(
            total=self._total,
            done=done,
            failed=failed,
            running=self.running,
            calls=self._counts["calls"],
            reused=self._counts["reused"],
            rate=now / elapsed * 60 if now else 0.0,
            seconds_left=elapsed / now * left if now else None,
            cost=self._budget.spent,
            expected_cost=expected,
            unpriced=self._counts["unpriced"],
            estimated=self._counts["estimated"] > 0,
        )

    def _why_nothing_is_usable(self) -> str:
        """Why nothing came of the answers of the run, in words; empty if something did."""
        answered = self._outcomes.total() - self._outcomes["error"]
        if not self._unusable or self._unusable.total() < answered:
            return ""
        if self._is_nothing_sent:
            return (
                f"the model did not answer: all that came was empty ({answered:,} of {answered:,});"
                " look at what was answered on the run's page"
            )
        counted = ", ".join(
            f"{self._unusable[name]:,} {_OUTCOME_IN_WORDS[name]}"
            for name in UNUSABLE
            if self._unusable[name]
        )
        return f"{NO_USABLE_ANSWER} ({counted}); look at what was answered on the run's page"

    @property
    def _is_nothing_sent(self) -> bool:
        """Whether jobs have got answers, and not one of them holds anything."""
        return 0 < self._unusable[NOTHING_SENT] == self._outcomes.total() - self._outcomes["error"]

    def counts_to_store_with_event(self) -> dict[str, Any]:
        """What an event of the run keeps."""
        return {
            "total": self._total,
            "outcomes": dict(self._outcomes),
            **self._counts,
            "cost": self._budget.spent,
            "seconds": time.monotonic() - self._begun,
        }

    def make_report(
        self,
        stopped: str,
        given_up: Mapping[str, str],
        last_failures: Mapping[str, str],
        *,
        asks_models: bool,
    ) -> BatchReport:
        """How it ended: ``stopped`` says why, ``given_up`` which models were and why. If the jobs
        ask models, and none of them has got an answer, or every answer was empty, it was stopped
        by that; ``last_failures`` says why there was none.
        """
        lost = _without_answers(given_up)
        errors = self._outcomes["error"]
        unanswered = asks_models and bool(errors) and self._done["error"] == self._done.total()
        if unanswered and not lost and not stopped:
            lost = _without_answers(last_failures) or ["the model did not answer"]
        ended_early = bool(stopped) and self._outcomes.total() < self._total
        silent = asks_models and self._is_nothing_sent
        reasons = [*([stopped] if stopped and not lost else []), *lost]
        if asks_models and not stopped and not lost:
            reasons += filter(None, [self._why_nothing_is_usable()])
        return BatchReport(
            stopped=ended_early or unanswered or silent or (bool(errors) and bool(given_up)),
            # What was given up says more than that nothing answers.
            reason="; ".join(reasons),
            total=self._total,
            outcomes=dict(self._outcomes),
            calls=self._counts["calls"],
            reused=self._counts["reused"],
            cost=self._budget.spent,
            unpriced=self._counts["unpriced"],
            estimated=self._counts["estimated"] > 0,
            seconds=time.monotonic() - self._begun,
            unusable=self._unusable.total(),
            reused_unusable=self._counts["reused_unusable"],
            cautions=list_cautions_about_replies(self._counts),
        )


_OUTCOME_IN_WORDS: Mapping[str, str] = {
    "truncated": "cut off",
    "refused": "refused by the endpoint or the model",
    "empty": "empty",
    "parse_failed": "in no form that can be read",
    "too_long": "not asked for, the prompt being too long",
    "refused_by_rule": "against a rule of the task",
    "no_quote_located": "quoting what is not there",
}


def _without_answers(reasons: Mapping[str, str]) -> list[str]:
    return [f"the model {name!r} did not answer ({why})" for name, why in reasons.items()]


def format_duration(seconds: float) -> str:
    """Seconds as a person would say them: 40 s, 12 min, 3 h 05 min."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"
