"""What a dialogue brought out of its case: told, half told, never asked; and where it leaked.

**The rule.** The case is cut into leaves (single texts, long ones by sentence). A leaf's words are
the content words of its text, each weighted by how much it tells (``telling``). Leaves are told by
their owner: the patient's leaves by the patient, findings and results by the measurement agent. A
turn touches a leaf if the words they share amount to one telling word or two plain ones, or to most
of the leaf; an everyday word alone touches nothing. The words of a question count with an answer
that affirms or denies it, or that has words of the leaf itself; a question without an answer tells
nothing. The words of an order do not tell a result: they say what a result that is all numbers or
"normal" belongs to. Words add up over the turns that touch the leaf: it is ``told`` from the turn
at which half of its weight has come up, ``partly`` told from a quarter on, else ``missed``.

**A leak** is a turn of the patient or the measurement agent that names the diagnosis (see
``case_faults_and_diagnosis_leaks.find_diagnosis_in_text``).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import (
    find_diagnosis_in_text,
    find_other_names_of_diagnosis,
)
from medlens.studies.agentclinic.records import Case, CaseFact, Dialogue, Speaker, Turn
from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import (
    CARDINALS,
    content_stems_of_words,
    find_content_word_stems,
    turn_words,
    words_and_numbers,
)

State = Literal["told", "partly", "missed"]

ENOUGH, SOME = 0.5, 0.25
"""The shares of a leaf's weight at which it counts as told, and as partly told."""

MOST = 0.6
"""The share of a leaf's weight at which a turn touches it, however everyday its words."""


@dataclass(frozen=True)
class LeafState:
    """A leaf, and whether it was told.

    ``turn`` is where it was told or, if only partly, the first that touched it; ``turns`` are all
    that brought new words of it; ``share`` (0 to 1) of its words came up.
    """

    leaf: CaseFact
    state: State
    turn: int | None
    turns: tuple[int, ...]
    share: float


@dataclass(frozen=True)
class Leak:
    """A turn that names the diagnosis; offsets are into its text."""

    turn: int
    speaker: Speaker
    start: int
    end: int
    stated: bool


@dataclass(frozen=True)
class CaseElicitation:
    """What a dialogue brought out of its case."""

    leaves: tuple[LeafState, ...]
    leaks: tuple[Leak, ...]

    def count_case_facts_in_state(self, state: State) -> int:
        return sum(one.state == state for one in self.leaves)

    @property
    def share_of_case_facts_told(self) -> float | None:
        """Share of the leaves that were told; ``None`` if there are no leaves."""
        return self.count_case_facts_in_state("told") / len(self.leaves) if self.leaves else None

    def case_facts_by_turn_they_were_told_at(self) -> dict[int, list[LeafState]]:
        """The leaves by the turn at which they were told."""
        found: dict[int, list[LeafState]] = {}
        for one in self.leaves:
            if one.state == "told" and one.turn is not None:
                found.setdefault(one.turn, []).append(one)
        return found


class Wanted(NamedTuple):
    """The words of a leaf that must be said, and those of its name if its own tell nothing."""

    words: frozenset[str]
    names: tuple[frozenset[str], ...]
    weight: float


@dataclass(frozen=True)
class CaseInLeaves:
    """A case cut into leaves, each with its words: made once for many dialogues of the case."""

    diagnosis: str
    leaves: tuple[tuple[CaseFact, Wanted], ...]
    names: tuple[frozenset[str], ...]


def prepare_case_with_separate_facts(case: Case) -> CaseInLeaves:
    """The case prepared for ``find_what_dialogue_elicited``."""
    leaves = [leaf for leaf in case.list_case_facts(split=True) if leaf.section in _TOLD_BY]
    return CaseInLeaves(
        case.diagnosis,
        tuple((leaf, _wanted(leaf)) for leaf in leaves),
        tuple(
            find_content_word_stems(name)
            for name in (case.diagnosis, *find_other_names_of_diagnosis(case.diagnosis))
        ),
    )


def find_what_dialogue_elicited(case: Case | CaseInLeaves, dialogue: Dialogue) -> CaseElicitation:
    """What ``dialogue`` brought out of ``case``, by the rule above."""
    parts = prepare_case_with_separate_facts(case) if isinstance(case, Case) else case
    heard = _heard(dialogue.turns)
    return CaseElicitation(
        tuple(_state(leaf, words, heard[_TOLD_BY[leaf.section]]) for leaf, words in parts.leaves),
        tuple(_leaks(parts, dialogue)),
    )


_TOPS = ("OSCE_Examination", "Physical_Examination_Findings", "Test_Results", "physical_exams")
_TOLD_BY: dict[str, Speaker] = {
    "patient": "patient",
    "exam": "measurement",
    "tests": "measurement",
}

# "Yes", "not at all" or "sometimes" answers what was asked.
_ANSWERED = re.compile(
    r"\b(?:yes|yeah|yep|no|nope|not|never|none|neither|nor|nothing|sometimes|often|always|right"
    r"|correct|exactly|indeed|i (?:do|am|have|did)|n't|a (?:little|bit)|some)\b|n't\b"
)


class _Heard(NamedTuple):
    turn: int
    said: frozenset[str]
    asked: frozenset[str]
    answered: bool


def _wanted(leaf: CaseFact) -> Wanted:
    words = set_of_canonical_content_words(leaf.text)
    # A result without a telling word is told only together with the name of the test or finding.
    telling = any(
        informativeness_of_word(word) > EVERYDAY and not is_number_word(word) for word in words
    )
    names: tuple[frozenset[str], ...] = ()
    if leaf.section != "patient" and not telling:
        steps = [step for step in leaf.path if isinstance(step, str) and step not in _TOPS]
        own = list(filter(None, map(set_of_canonical_content_words, steps)))
        names = (own[-1], set_of_canonical_content_words(" ".join(steps))) if own else ()
    return Wanted(words, names, sum(map(informativeness_of_word, words)))


def _heard(turns: tuple[Turn, ...]) -> dict[Speaker, list[_Heard]]:
    """By speaker: the turns, their words, and the words of the question or order just before."""
    heard: dict[Speaker, list[_Heard]] = {"patient": [], "measurement": []}
    asked: frozenset[str] = frozenset()
    for turn in turns:
        if turn.speaker == "doctor":
            asked = set_of_canonical_content_words(turn.text)
        elif turn.speaker in heard:
            answered = turn.speaker == "patient" and bool(
                _ANSWERED.search(turn.text.lower().replace("\u2019", "'"))
            )
            heard[turn.speaker].append(
                _Heard(turn.n, set_of_canonical_content_words(turn.text), asked, answered)
            )
            asked = frozenset()
    return heard


def _brought(wanted: Wanted, one: _Heard, speaker: Speaker) -> frozenset[str]:
    """The leaf's words that a turn brings; none if it does not touch the leaf."""
    own = wanted.words & one.said
    if speaker == "measurement":
        about = one.said | one.asked
        if wanted.names:
            named = any(_half(name, about) for name in wanted.names)
            return own if named and _half(wanted.words, own) else frozenset()
        found = own
    else:
        echoed = one.answered or any(informativeness_of_word(word) >= PLAIN for word in own)
        found = own | (wanted.words & one.asked) if echoed else own
    weighs = sum(map(informativeness_of_word, found))
    return found if weighs >= min(TELLING, MOST * wanted.weight) else frozenset()


def _half(wanted: frozenset[str], words: frozenset[str]) -> bool:
    return (
        sum(map(informativeness_of_word, wanted & words))
        >= ENOUGH * sum(map(informativeness_of_word, wanted)) - 1e-9
    )


def _state(leaf: CaseFact, wanted: Wanted, heard: list[_Heard]) -> LeafState:
    found: frozenset[str] = frozenset()
    turns: list[int] = []
    told_at = None
    speaker = _TOLD_BY[leaf.section]
    words = wanted.words
    for one in heard:
        if words.isdisjoint(one.said) and (not one.answered or words.isdisjoint(one.asked)):
            continue
        brought = _brought(wanted, one, speaker) - found
        if not brought:
            continue
        found |= brought
        turns.append(one.turn)
        if told_at is None and _half(wanted.words, found):
            told_at = one.turn
    share = sum(map(informativeness_of_word, found)) / wanted.weight if found else 0.0
    if told_at is not None:
        return LeafState(leaf, "told", told_at, tuple(turns), share)
    if share >= SOME:
        return LeafState(leaf, "partly", turns[0], tuple(turns), share)
    return LeafState(leaf, "missed", None, (), share)


def _leaks(parts: CaseInLeaves, dialogue: Dialogue) -> list[Leak]:
    found = []
    for turn in dialogue.turns:
        if turn.speaker not in ("patient", "measurement"):
            continue
        words = turn_words(turn.text)
        if not any(name <= words for name in parts.names):
            continue
        named = find_diagnosis_in_text(turn.text, parts.diagnosis)
        if named:
            found.append(Leak(turn.n, turn.speaker, named.start, named.end, named.stated))
    return found


# -- how much words tell ---------------------------------------------------------------------------

# Words are canonical: without endings, number words as figures, and patients' phrases as the words
# of the chart ("out of breath" is dyspnea), so that a leaf and a turn are compared alike.

EVERYDAY, PLAIN, TELLING = 0.2, 0.5, 1.0
"""The weights of words: used of anything; of a part of the body or a common complaint (two of them
tell something); of few things."""

_WORDS: Mapping[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_FIGURES = {
    **{word: str(number) for word, number in CARDINALS.items()},
    "fifteen": "15",
    "twenty": "20",
    "thirty": "30",
}
_NUMBER = re.compile(r"\d")
_LITTLE = re.compile(r"\d{1,2}|(?:19|20)\d\d")


def _stems(text: str) -> frozenset[str]:
    return frozenset(text.split()) | find_content_word_stems(text)


_LOW, _SOME = _stems(_WORDS["everyday"]), _stems(_WORDS["plain"])


@lru_cache(maxsize=1)
def _phrases() -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """By their first word, longest first: the words of a phrase and its name."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for name, said in _WORDS["said"].items():
        for phrase in said.split(";"):
            parts = tuple(words_and_numbers(phrase))
            found.setdefault(parts[0], []).append((parts, name))
    for several in found.values():
        several.sort(key=lambda one: -len(one[0]))
    return found


@lru_cache(maxsize=8192)
def set_of_canonical_content_words(text: str) -> frozenset[str]:
    """The content words of a text, each in the one form used for comparison."""
    words, known = words_and_numbers(text), _phrases()
    kept: list[str] = []
    at = 0
    while at < len(words):
        for parts, name in known.get(words[at], ()):
            if tuple(words[at : at + len(parts)]) == parts:
                kept += name.split()
                at += len(parts)
                break
        else:
            kept.append(_FIGURES.get(words[at], words[at]))
            at += 1
    return content_stems_of_words(kept)


@lru_cache(maxsize=100_000)
def informativeness_of_word(word: str) -> float:
    """How much a canonical word tells, from 0 to 1."""
    if _NUMBER.search(word):
        return EVERYDAY if _LITTLE.fullmatch(word) else TELLING
    if word in _LOW or len(word) == 1:
        return EVERYDAY
    return PLAIN if word in _SOME else TELLING


def is_number_word(word: str) -> bool:
    """Whether a word is a number, which alone does not say what was measured."""
    return bool(_NUMBER.search(word))
