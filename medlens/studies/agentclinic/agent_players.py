"""Models in the seats of the clinic: they speak, judge and rate; a seat can be a person's."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens import llm
from medlens.config.settings import Model
from medlens.llm.refusal_phrases import is_role_play_declined
from medlens.llm.token_cost_forecast_and_budget import price_of_tokens
from medlens.studies.agentclinic import prompts
from medlens.studies.agentclinic.records import (
    UNUSABLE_ANSWERS,
    Outcome,
    PatientRating,
    PatientRatings,
    Speaker,
    Turn,
)
from medlens.studies.agentclinic.visit_turn_taking import (
    Ended,
    Visit,
    list_patient_ratings_with_their_messages,
    next_speaker_or_end,
    turns_plus_turn_of_current_speaker,
)

# Failures that would recur on another start; a refused request may be a setting to fix.
_FINAL = ("too_long",)


@dataclass(frozen=True)
class ModelsBySeat:
    """Who sits where: models by name, None for a person."""

    doctor: str | None
    patient: str | None
    measurement: str
    moderator: str

    def name_of_model_of_speaker(self, speaker: Speaker) -> str | None:
        """The model in a seat."""
        found: str | None = getattr(self, speaker)
        return found


@dataclass
class CallTotals:
    """The totals of a visit's calls: their number, price and time, shared ones included.

    They are computed from what is stored, so a resumed visit gets the same.
    """

    calls: int = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    def add_answer_to_totals(self, model: Model, answer: llm.Answer) -> None:
        """Add an answer."""
        self.calls += 1 + answer.repaired
        self.seconds += answer.seconds or 0.0
        each = price_of_tokens(model, answer.input_tokens, answer.output_tokens)
        self.cost = None if self.cost is None or each is None else self.cost + each


@dataclass(frozen=True)
class FailedCall:
    """A call without an answer; the visit is unchanged. ``would_fail_again``: so would a retry."""

    speaker: Speaker
    error_class: str
    error: str

    @property
    def would_fail_again(self) -> bool:
        return self.error_class in _FINAL

    @property
    def reason_in_words(self) -> str:
        return f"No answer from the {self.speaker}'s model: {self.error}"


@dataclass(frozen=True)
class Verdict:
    """How a visit ended. ``diagnosis`` is what the doctor's last words named, empty if the
    moderator found no disease in them; ``trouble`` is a call that still has to be made.
    """

    outcome: Outcome
    reason: str
    ratings: PatientRatings
    trouble: FailedCall | None = None
    diagnosis: str = ""


OUTCOME_OF_ANSWER: Mapping[str, Outcome] = {
    "yes": "correct",
    "no": "incorrect",
    "no_diagnosis": "no_diagnosis",
}
"""How a visit ends, by the moderator's answer."""


class ModelsAtVisit:
    """The models of one visit at work. ``models`` are settings by name, ``repeat`` is from 1,
    ``prompt`` is the version of the prompts under which the visit began.
    """

    def __init__(
        self,
        ask: llm.Ask,
        visit: Visit,
        seats: ModelsBySeat,
        models: Mapping[str, Model],
        *,
        repeat: int,
        prompt: str,
    ) -> None:
        self._ask, self._visit, self._seats = ask, visit, seats
        self._models, self._repeat, self._prompt = models, repeat, prompt
        self.tally = CallTotals()
        self.unusable: Counter[str] = Counter()
        """The doctor's messages that are no whole message, by the outcome of their request; one
        that declines in words is ``refused`` too.
        """

    async def play_until_person_or_end(
        self, turns: Sequence[Turn]
    ) -> tuple[tuple[Turn, ...], FailedCall | None]:
        """Let models speak until it is a person's turn, the visit is over, or one cannot answer.

        Whatever a model says is a turn, even nothing at all, a refusal or a truncated answer.
        """
        done = tuple(turns)
        while True:
            now = next_speaker_or_end(self._visit, done)
            name = (
                None
                if isinstance(now, Ended)
                else self._seats.name_of_model_of_speaker(now.speaker)
            )
            if isinstance(now, Ended) or name is None:
                return done, None
            answer = await self._put(name, now.messages)
            if answer.outcome == "error":
                return done, FailedCall(now.speaker, answer.error_class, answer.error)
            if now.speaker == "doctor" and answer.outcome != "ok":
                self.unusable[answer.outcome] += 1
            elif now.speaker == "doctor" and is_role_play_declined(answer.text):
                self.unusable["refused"] += 1
            done = turns_plus_turn_of_current_speaker(
                self._visit, done, answer.text, whole=answer.outcome == "ok"
            )

    async def judge_diagnosis(
        self, diagnosis: str, truth: str
    ) -> tuple[Outcome, str, FailedCall | None]:
        """The moderator's outcome and reason. The same two texts are asked about only once.

        Where it answers by schema it also says whether the doctor's last words name a disease: the
        ways to say that they do not have no end.
        """
        if not diagnosis:
            return "no_diagnosis", "The doctor gave no diagnosis.", None
        may_be_none = self._prompt == prompts.PROMPT_VERSION_BY_SCHEMA
        shape = prompts.ModeratorVerdictOrNone if may_be_none else prompts.ModeratorVerdict
        asked = prompts.moderator_messages(diagnosis, truth, may_be_none=may_be_none)
        answer = await self._put(self._seats.moderator, asked, schema=shape, repeat=0)
        if answer.outcome == "error":
            trouble = FailedCall("moderator", answer.error_class, answer.error)
            return "error", trouble.reason_in_words, trouble
        if not isinstance(answer.value, shape):
            why = UNUSABLE_ANSWERS.get(answer.outcome, answer.outcome)
            return "error", f"The moderator's answer cannot be used: {why}.", None
        return OUTCOME_OF_ANSWER[answer.value.same_disease], answer.value.reason, None

    def _what_was_unusable(self) -> str:
        """Which of the doctor's messages were not whole, as a further sentence; empty if none."""
        words = {"refused": "refused", "empty": "empty", "truncated": "cut off"}
        counted = ", ".join(
            f"{n:,} {'was' if n == 1 else 'were'} {words.get(one, one)}"
            for one, n in self.unusable.items()
        )
        return f" Of the doctor's messages, {counted}." if counted else ""

    async def rate_visit_as_patient(
        self, turns: Sequence[Turn]
    ) -> tuple[PatientRatings, FailedCall | None]:
        """The patient's ratings; None for those that cannot be read. A person is not asked here."""
        name = self._seats.patient
        if name is None:
            return PatientRatings(), None
        asked = list_patient_ratings_with_their_messages(self._visit, turns)
        answers = await _all(
            *(self._put(name, one, schema=prompts.PatientAnswer) for _, one in asked)
        )
        given: dict[str, PatientRating] = {}
        for (rating, _), answer in zip(asked, answers, strict=True):
            if answer.outcome == "error" and answer.error_class not in _FINAL:
                return PatientRatings(), FailedCall("patient", answer.error_class, answer.error)
            if isinstance(answer.value, prompts.PatientAnswer):
                given[rating] = PatientRating(score=answer.value.score, reason=answer.value.reason)
        return PatientRatings(**given), None

    async def judge_and_rate_ended_visit(self, turns: Sequence[Turn], truth: str) -> Verdict:
        """The verdict and ratings of a visit that is over."""
        end = next_speaker_or_end(self._visit, turns)
        diagnosis = end.diagnosis if isinstance(end, Ended) else ""
        (outcome, reason, trouble), (ratings, other) = await _all(
            self.judge_diagnosis(diagnosis, truth), self.rate_visit_as_patient(turns)
        )
        if outcome == "no_diagnosis" and diagnosis:
            reason = f"The doctor's last words, “{diagnosis}”, name no disease: {reason}"
            diagnosis = ""
        reason += self._what_was_unusable()
        return Verdict(outcome, reason, ratings, other or trouble, diagnosis)

    async def _put(
        self,
        name: str,
        messages: Sequence[llm.Message],
        *,
        schema: Any = None,
        repeat: int | None = None,
    ) -> llm.Answer:
        asked = self._repeat - 1 if repeat is None else repeat
        answer = await self._ask(name, messages, schema=schema, repeat=asked)
        self.tally.add_answer_to_totals(self._models[name], answer)
        return answer


async def _all(*waiting: Any) -> list[Any]:
    """All results, or the first failure once all have ended, so open calls are not lost."""
    done = await asyncio.gather(*waiting, return_exceptions=True)
    for one in done:
        if isinstance(one, BaseException):
            raise one
    return done
