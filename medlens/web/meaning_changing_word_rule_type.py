"""The form in which each language has the words that change what a quote beside them says."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class CutRules:
    """What the words of a language do to the part of a sentence beside them.

    In front of a quote: ``denies_near`` among its last three words; ``doubts`` and ``vouches``
    before words that ``introduces`` it; ``fronted`` is all that stands before it; ``counts`` its
    subject; ``hedges`` right before it. Behind: ``more_number`` after a number, ``how_often`` after
    a dose; ``condition`` limits whatever is said, ``limits`` what is ``claimed``, unless it
    ``goes_on``; ``takes_back``, and ``turns`` with what is ``against``.
    """

    denies_near: re.Pattern[str]
    new_clause: re.Pattern[str]
    introduces: re.Pattern[str]
    doubts: re.Pattern[str]
    vouches: re.Pattern[str]
    fronted: re.Pattern[str]
    counts: re.Pattern[str]
    hedges: re.Pattern[str]
    more_number: re.Pattern[str]
    how_often: re.Pattern[str]
    dose: re.Pattern[str]
    condition: re.Pattern[str]
    claimed: re.Pattern[str]
    denied: re.Pattern[str]
    limits: re.Pattern[str]
    goes_on: re.Pattern[str]
    dangles: re.Pattern[str]
    takes_back: re.Pattern[str]
    turns: re.Pattern[str]
    against: re.Pattern[str]
