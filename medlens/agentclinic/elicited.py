"""What a dialogue brought out of its case: told, half told, never asked; and where it leaked.

**The rule.** The case is cut into leaves (single texts, long ones by sentence). A leaf's words are
the stems and numbers of its text that say something, for findings and tests also of its name. It is
told by whoever it belongs to: the patient's leaves by the patient, findings and results by the
measurement agent. An answer counts together with the question or order just before it, for "No." to
"Any fever or cough?" tells both; a question without an answer tells nothing. Words add up over the
dialogue: a leaf is ``told`` from the turn at which half of its words or more have come up,
``partly`` told when some have, else ``missed``.

**A leak** is a turn of the patient or the measurement agent that names the diagnosis (see
``lint.names_diagnosis``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from medlens.agentclinic.lint import names_diagnosis, other_names
from medlens.agentclinic.models import Case, Dialogue, Leaf, Speaker, Turn
from medlens.agentclinic.words import content_words, turn_words

State = Literal["told", "partly", "missed"]

ENOUGH = 0.5
"""The share of a leaf's words from which it counts as told."""


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


@dataclass(frozen=True)
class Parts:
    """A case cut into leaves, each with its words: made once for many dialogues of the case."""

    diagnosis: str
    leaves: tuple[tuple[Leaf, frozenset[str]], ...]
    names: tuple[frozenset[str], ...]


def parts_of(case: Case) -> Parts:
    """The case made ready for ``elicited``."""
    leaves = [leaf for leaf in case.leaves(split=True) if leaf.section in _TOLD_BY]
    return Parts(
        case.diagnosis,
        tuple((leaf, _words_of(leaf)) for leaf in leaves),
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


_TOLD_BY: dict[str, Speaker] = {
    "patient": "patient",
    "exam": "measurement",
    "tests": "measurement",
}

_Heard = list[tuple[int, frozenset[str]]]


def _words_of(leaf: Leaf) -> frozenset[str]:
    wanted = content_words(leaf.text)
    if leaf.section != "patient" or not wanted:
        wanted |= content_words(str(leaf.path[-1])) or content_words(leaf.place)
    return wanted


def _heard(turns: tuple[Turn, ...]) -> dict[Speaker, _Heard]:
    """By speaker: the turns and the words of each with the question before it."""
    heard: dict[Speaker, _Heard] = {"patient": [], "measurement": []}
    asked: frozenset[str] = frozenset()
    for turn in turns:
        if turn.speaker == "doctor":
            asked = turn_words(turn.text)
        elif turn.speaker in heard:
            heard[turn.speaker].append((turn.n, turn_words(turn.text) | asked))
            asked = frozenset()
    return heard


def _state(leaf: Leaf, wanted: frozenset[str], heard: _Heard) -> LeafState:
    left = wanted
    turns: list[int] = []
    told_at = None
    for turn, words in heard:
        if left.isdisjoint(words):
            continue
        left -= words
        turns.append(turn)
        if told_at is None and len(left) <= (1 - ENOUGH) * len(wanted):
            told_at = turn
    if not turns:
        return LeafState(leaf, "missed", None, (), 0.0)
    share = 1 - len(left) / len(wanted)
    if told_at is not None:
        return LeafState(leaf, "told", told_at, tuple(turns), share)
    return LeafState(leaf, "partly", turns[0], tuple(turns), share)


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
