"""How many items and raters a study needs, and how long it takes them.

Sources: the design effect of whole clusters, 1 + (k - 1) r, for k judgments of an item whose
intraclass correlation is r (Kish 1965, Survey Sampling, section 5.4); silent reading of English,
238 words a minute (Brysbaert 2019, Journal of Memory and Language 109:104047). The time an answer
takes is our own assumption.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from medlens.config.question_forms_and_answer_checks import Question
from medlens.deferred_module import pd, scipy
from medlens.stats.smoothed_bootstrap import CONFIDENCE
from medlens.studies.own.blinded_arms import ARMS
from medlens.studies.own.study_file import StudyDeclaration

ALIKE = 0.5
"""The intraclass correlation assumed before anybody has judged."""
WORDS = (
    "What 95% intervals to expect by the number of items and of raters, where two people's answers"
    f" to an item have an intraclass correlation of {ALIKE} (design effect of Kish 1965):"
)
ITEMS, RATERS = (10, 20, 50, 100, 200, 500), (1, 2, 3, 5)


WORDS_A_MINUTE, SECONDS_A_CHOICE, SECONDS_WRITING = 238, 10, 30
_LOOKED_AT = 200
"""The number of items whose words are counted."""


def mean_words_per_item(declared: StudyDeclaration, bodies: Sequence[Mapping[str, Any]]) -> float:
    """The mean number of words of an item that raters read."""
    read = {
        name
        for one in declared.panes
        if one.kind not in declared.pane_kinds_by_file_column.values()
        for name in one.columns
    }
    some = bodies[:_LOOKED_AT]
    return sum(_words(body, read) for body in some) / len(some) if some else 0.0


def _words(body: Mapping[str, Any], names: set[str]) -> int:
    own = [one for arm in body.get(ARMS, {}).values() for one in arm.items()]
    cells = [cell for name, cell in [*body.items(), *own] if name in names]
    return sum(len((cell if isinstance(cell, str) else json.dumps(cell)).split()) for cell in cells)


def compute_expected_seconds_per_item(declared: StudyDeclaration, words: float) -> float:
    """The estimated time to read and answer an item with this many words, before anybody has begun;
    questions asked only sometimes are left out.
    """
    asked = [
        one
        for one in declared.form_with_question_per_arm.questions
        if one.only_if is None and not one.is_worded_per_item
    ]
    spans = SECONDS_WRITING * len(declared.marking_questions_by_arm)
    return words / WORDS_A_MINUTE * 60 + sum(map(_seconds, asked)) + spans


def _seconds(question: Question) -> int:
    if question.shown_options or question.kind in ("number", "preference", "ranking"):
        return SECONDS_A_CHOICE
    return SECONDS_WRITING


def list_expected_intervals_in_words(
    declared: StudyDeclaration, items: int, raters: int
) -> list[str]:
    """The intervals to expect with this many items and raters per item, in words."""
    found = [f"± {expected_half_width(50.0, items, raters):.0f} percentage points for a share"]
    for low, high in _scales(declared):
        found.append(
            f"± {expected_half_width(_deviation(low, high), items, raters):.2f} points for a mean "
            "on a scale"
            f" from {low:g} to {high:g}"
        )
    return found


def expected_half_width(
    deviation: float, items: int, raters: int, *, alike: float = ALIKE
) -> float:
    """Half of the 95 % interval to expect for a mean of ``items`` times ``raters`` judgments with
    this standard deviation; ``alike`` (0 to 1) is the correlation of those of one item.
    """
    effect = 1 + (raters - 1) * alike
    return (
        float(scipy.special.ndtri((1 + CONFIDENCE) / 2))
        * deviation
        * math.sqrt(effect / (items * raters))
    )


def expected_half_width_tables_by_figure(declared: StudyDeclaration) -> dict[str, pd.DataFrame]:
    """Half widths by number of items (rows) and of raters per item (columns), as texts.

    For a share, in percentage points, near 50 %, where it is least certain; and for the mean of
    each kind of scale in the study, in its points, assuming all points are equally frequent.
    """
    found = {"a share (percentage points)": _table(50.0, 0)}
    for low, high in _scales(declared):
        words = f"a mean on a scale from {low:g} to {high:g} (points)"
        found[words] = _table(_deviation(low, high), 2)
    return found


def _scales(declared: StudyDeclaration) -> list[tuple[float, float]]:
    return sorted(
        {
            (one.minimum, one.maximum)
            for one in declared.counted_questions
            if one.kind == "scale" and one.minimum is not None and one.maximum is not None
        }
    )


def _deviation(low: float, high: float) -> float:
    """The standard deviation of a scale whose points are all equally frequent."""
    return math.sqrt(((high - low + 1) ** 2 - 1) / 12)


def _table(deviation: float, places: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            f"{raters} per item": [
                f"± {expected_half_width(deviation, n, raters):.{places}f}" for n in ITEMS
            ]
            for raters in RATERS
        },
        index=pd.Index(ITEMS, name="items"),
    )
