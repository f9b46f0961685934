"""Agreement as Team shows it: of all people on each variable, and of every two raters."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from tests.recomputed import resampled
from tests.recomputed.judgments import VARIABLES, Answer, Judged, Variable
from tests.recomputed.resampled import Bounds
from tests.recomputed.retest import Rows, with_bounds
from tests.recomputed.second_opinion import Expected, mean_of_scale, share

_POSSIBLE = {"safe": 3, "sort": 3}
"""How many answers the questions that are no scale offer, if not two."""


def recompute(judged: Judged) -> Rows:
    """Expected rows by (variable, rater, other_rater, figure)."""
    rows: Rows = {}
    for variable in VARIABLES:
        code = _codes(judged, variable)
        for figure, expected in _together(judged, variable, code).items():
            rows[variable.name, "", "", figure] = expected
        said = {**judged.people, **judged.models}
        everybody = [*judged.raters, *sorted({model for _, model in judged.models})]
        answered = {
            who: {
                item: answers[variable.name]
                for (item, rater), answers in said.items()
                if rater == who and answers[variable.name] is not None
            }
            for who in everybody
        }
        for one, two in combinations([who for who in everybody if answered[who]], 2):
            both = [
                item for item in judged.items if item in answered[one] and item in answered[two]
            ]
            pairs = [(answered[one][item], answered[two][item]) for item in both]
            rows[variable.name, one, two, "same"] = (
                share([variable.same(*pair) for pair in pairs], by=both)
                if pairs
                else Expected(None)
            )
            numbers = [(code[first], code[second]) for first, second in pairs]
            rows[variable.name, one, two, "kappa"] = (
                with_bounds(resampled.kappa(numbers, quadratic=bool(variable.points)), len(numbers))
                if pairs
                else Expected(None)
            )
    return rows


def _codes(judged: Judged, variable: Variable) -> dict[Answer, float]:
    """Answers as numbers."""
    given = {
        answers[variable.name]
        for said in (judged.people, judged.models)
        for answers in said.values()
    }
    known = sorted(given - {None}, key=str)
    return {
        answer: float(answer) if variable.points else float(at) for at, answer in enumerate(known)
    }


def _together(judged: Judged, variable: Variable, code: dict[Answer, float]) -> dict[str, Expected]:
    """The measures of all people together."""
    items = []
    for item in judged.items:
        answers = [said[variable.name] for said in judged.of_item(item).values()]
        items.append(tuple(code[answer] for answer in answers if answer is not None))
    items = [item for item in items if item]
    twice = [item for item in items if len(item) >= 2]
    n = len(twice)

    def made(found: tuple[float, Bounds | None]) -> Expected:
        return with_bounds(found, n)

    alike = [
        np.mean([abs(one - two) <= variable.tolerance for one, two in combinations(item, 2)])
        for item in twice
    ]
    # Chance is that of a guess among all that could be answered, whether anybody did.
    possible = variable.points or range(_POSSIBLE.get(variable.name, 2))
    nominal = resampled.alpha(items, lambda one, two: float(one != two))
    equal = len({len(item) for item in twice}) == 1
    figures = {
        "alpha": made(resampled.ordinal_alpha(items) if variable.points else nominal),
        "fleiss": made(resampled.fleiss(items)) if equal else Expected(None, n),
        "ac1": made(resampled.gwet(items, [float(one) for one in possible])),
        "percent": mean_of_scale(alike, (0, 1)),
    }
    if variable.points:
        points = [float(point) for point in variable.points]
        figures |= {
            # Items rated once count towards the differences between items.
            "icc": made(resampled.icc(items)),
            "icc_of_means": made(resampled.icc(items, of_means=True)),
            "ac2": made(resampled.gwet(items, points, ordinal=True)),
        }
    return figures
