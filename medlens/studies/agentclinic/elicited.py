"""What a dialogue brought out of its case: told, half told, never asked; and where it leaked.

**The rule.** The case is cut into leaves (single texts, long ones by sentence). A leaf's words
are those of its text that say something, each weighed by how much it tells (``telling``). It is
told by whoever it belongs to: the patient's leaves by the patient, findings and results by the
measurement agent. A turn touches a leaf when the words they share come to one telling word or two
plain ones, or to most of the leaf; an everyday word alone touches nothing. The words of a
question count with an answer that affirms or denies it, or that has words of the leaf itself; a
question without an answer tells nothing. The words of an order do not tell a result: they say
what a result that is all numbers or "normal" belongs to. Words add up over the turns that touch
the leaf: it is ``told`` from the turn at which half of its weight has come up, ``partly`` told
from a quarter on, else ``missed``.

**A leak** is a turn of the patient or the measurement agent that names the diagnosis (see
``lint.names_diagnosis``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

from medlens.studies.agentclinic.lint import names_diagnosis, other_names
from medlens.studies.agentclinic.models import Case, Dialogue, Leaf, Speaker, Turn
from medlens.studies.agentclinic.telling import (
    EVERYDAY,
    PLAIN,
    TELLING,
    canonical,
    is_number,
    weight,
)
from medlens.studies.agentclinic.words import content_words, turn_words

State = Literal["told", "partly", "missed"]

ENOUGH, SOME = 0.5, 0.25
"""The shares of a leaf's weight from which it counts as told, and as partly told."""

MOST = 0.6
"""The share of a leaf's weight with which a turn touches it, however everyday its words."""


@dataclass(frozen=True)
class LeafState:
    """A leaf and what became of it.

    ``turn`` is where it was told, or the first that touched it when only partly; ``turns`` are all
    that brought new words of it; ``share`` (0 to 1) of its words came up.
    """

    leaf: Leaf
    state: State
    turn: int | None
    turns: tuple[int, ...]
    share: float


@dataclass(frozen=True)
class Leak:
    """A turn that names the diagnosis; offsets count in its text."""

    turn: int
    speaker: Speaker
    start: int
    end: int
    stated: bool


@dataclass(frozen=True)
class Elicited:
    """What a dialogue brought out of its case."""

    leaves: tuple[LeafState, ...]
    leaks: tuple[Leak, ...]

    def count(self, state: State) -> int:
        return sum(one.state == state for one in self.leaves)

    @property
    def share(self) -> float | None:
        """Share of the leaves that were told; ``None`` where there are none to tell."""
        return self.count("told") / len(self.leaves) if self.leaves else None

    def by_turn(self) -> dict[int, list[LeafState]]:
        """The leaves by the turn at which they were told."""
        found: dict[int, list[LeafState]] = {}
        for one in self.leaves:
            if one.state == "told" and one.turn is not None:
                found.setdefault(one.turn, []).append(one)
        return found


class Wanted(NamedTuple):
    """What of a leaf has to be said, and what of its name where that alone tells nothing."""

    words: frozenset[str]
    names: tuple[frozenset[str], ...]
    weight: float


@dataclass(frozen=True)
class Parts:
    """A case cut into leaves, each with its words: made once for many dialogues of the case."""

    diagnosis: str
    leaves: tuple[tuple[Leaf, Wanted], ...]
    names: tuple[frozenset[str], ...]


def parts_of(case: Case) -> Parts:
    """The case made ready for ``elicited``."""
    leaves = [leaf for leaf in case.leaves(split=True) if leaf.section in _TOLD_BY]
    return Parts(
        case.diagnosis,
        tuple((leaf, _wanted(leaf)) for leaf in leaves),
        tuple(content_words(name) for name in (case.diagnosis, *other_names(case.diagnosis))),
    )


def elicited(case: Case | Parts, dialogue: Dialogue) -> Elicited:
    """What ``dialogue`` brought out of ``case``, by the rule above."""
    parts = parts_of(case) if isinstance(case, Case) else case
    heard = _heard(dialogue.turns)
    return Elicited(
        tuple(_state(leaf, words, heard[_TOLD_BY[leaf.section]]) for leaf, words in parts.leaves),
        tuple(_leaks(parts, dialogue)),
    )


_TOPS = ("OSCE_Examination", "Physical_Examination_Findings", "Test_Results", "physical_exams")
_TOLD_BY: dict[str, Speaker] = {
    "patient": "patient",
    "exam": "measurement",
    "tests": "measurement",
}

# "Yes", "not at all" or "sometimes" says something of what was asked.
_ANSWERED = re.compile(
    r"\b(?:yes|yeah|yep|no|nope|not|never|none|neither|nor|nothing|sometimes|often|always|right"
    r"|correct|exactly|indeed|i (?:do|am|have|did)|n't|a (?:little|bit)|some)\b|n't\b"
)


class _Heard(NamedTuple):
    turn: int
    said: frozenset[str]
    asked: frozenset[str]
    answered: bool


def _wanted(leaf: Leaf) -> Wanted:
    words = canonical(leaf.text)
    # Without a word of its own a result is told only together with what it is the result of.
    telling = any(weight(word) > EVERYDAY and not is_number(word) for word in words)
    names: tuple[frozenset[str], ...] = ()
    if leaf.section != "patient" and not telling:
        steps = [step for step in leaf.path if isinstance(step, str) and step not in _TOPS]
        own = list(filter(None, map(canonical, steps)))
        names = (own[-1], canonical(" ".join(steps))) if own else ()
    return Wanted(words, names, sum(map(weight, words)))


def _heard(turns: tuple[Turn, ...]) -> dict[Speaker, list[_Heard]]:
    """By speaker: the turns, their words, and those of the question or order just before."""
    heard: dict[Speaker, list[_Heard]] = {"patient": [], "measurement": []}
    asked: frozenset[str] = frozenset()
    for turn in turns:
        if turn.speaker == "doctor":
            asked = canonical(turn.text)
        elif turn.speaker in heard:
            answered = turn.speaker == "patient" and bool(
                _ANSWERED.search(turn.text.lower().replace("\u2019", "'"))
            )
            heard[turn.speaker].append(_Heard(turn.n, canonical(turn.text), asked, answered))
            asked = frozenset()
    return heard


def _brought(wanted: Wanted, one: _Heard, speaker: Speaker) -> frozenset[str]:
    """The leaf's words that a turn brings; none where it does not touch the leaf."""
    own = wanted.words & one.said
    if speaker == "measurement":
        about = one.said | one.asked
        if wanted.names:
            named = any(_half(name, about) for name in wanted.names)
            return own if named and _half(wanted.words, own) else frozenset()
        found = own
    else:
        echoed = one.answered or any(weight(word) >= PLAIN for word in own)
        found = own | (wanted.words & one.asked) if echoed else own
    weighs = sum(map(weight, found))
    return found if weighs >= min(TELLING, MOST * wanted.weight) else frozenset()


def _half(wanted: frozenset[str], words: frozenset[str]) -> bool:
    return sum(map(weight, wanted & words)) >= ENOUGH * sum(map(weight, wanted)) - 1e-9


def _state(leaf: Leaf, wanted: Wanted, heard: list[_Heard]) -> LeafState:
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
    share = sum(map(weight, found)) / wanted.weight if found else 0.0
    if told_at is not None:
        return LeafState(leaf, "told", told_at, tuple(turns), share)
    if share >= SOME:
        return LeafState(leaf, "partly", turns[0], tuple(turns), share)
    return LeafState(leaf, "missed", None, (), share)


def _leaks(parts: Parts, dialogue: Dialogue) -> list[Leak]:
    found = []
    for turn in dialogue.turns:
        if turn.speaker not in ("patient", "measurement"):
            continue
        words = turn_words(turn.text)
        if not any(name <= words for name in parts.names):
            continue
        named = names_diagnosis(turn.text, parts.diagnosis)
        if named:
            found.append(Leak(turn.n, turn.speaker, named.start, named.end, named.stated))
    return found
