"""How far raters agree with themselves, from their judgments in both passes."""

from __future__ import annotations

import math
from functools import partial

from tests.recomputed import resampled
from tests.recomputed.judgments import VARIABLES, Judged
from tests.recomputed.other_raters import share, widened
from tests.recomputed.resampled import Bounds
from tests.recomputed.second_opinion import Expected

Rows = dict[tuple[str, ...], Expected]


def with_bounds(found: tuple[float, Bounds | None], n: int) -> Expected:
    """What a resampled figure must be."""
    value, bounds = found
    if math.isnan(value):
        return Expected(None, n)
    return Expected(value, n, low=bounds, high=bounds)


def recompute(judged: Judged) -> Rows:
    """Expected rows by (figure, rater)."""
    rows: Rows = {}
    for variable in VARIABLES:
        pairs = [
            (item, rater, judged.people[item, rater][variable.name], second[variable.name])
            for (item, rater), second in judged.again.items()
            if (item, rater) in judged.people
        ]
        pairs = [pair for pair in pairs if None not in pair]
        kinds = sorted({str(answer) for *_, one, two in pairs for answer in (one, two)})

        def number(
            answer: object, kinds: list[str] = kinds, scale: object = variable.points
        ) -> float:
            return float(answer) if scale else float(kinds.index(str(answer)))  # type: ignore

        for who in ("everyone", *sorted({rater for _, rater, *_ in pairs})):
            mine = [pair for pair in pairs if who in ("everyone", pair[1])]
            items = [item for item, *_ in mine]
            numbers = [(number(one), number(two)) for *_, one, two in mine]
            raters = [rater for _, rater, *_ in mine]
            rows[f"retest_same_{variable.name}", who] = share(
                [variable.same(one, two) for *_, one, two in mine], items=items, raters=raters
            )
            rows[f"retest_kappa_{variable.name}", who] = with_bounds(
                resampled.kappa(
                    numbers,
                    quadratic=bool(variable.points),
                    items=items,
                    widen=partial(widened, items=items, raters=raters, least=-1.0),
                ),
                len(mine),
            )
            if variable.points:
                rows[f"retest_icc_{variable.name}", who] = with_bounds(
                    resampled.icc(numbers, within=items), len(mine)
                )
    return rows
