"""Checking where it tells most: fewer judgments than by chance, and no bias, by simulation.

A judge has judged 3,000 items; clinicians have checked some by chance. One draw by the forecast is
checked, and as many again by chance for comparison. The estimate is to be unbiased within Monte
Carlo error, to hold the truth in 92 % or more, and to reach the width wanted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from medlens.stats.clustered_kappa_f1_and_judge_accuracy import Clusters
from medlens.stats.partly_verified_share import CheckedVerdicts
from tests.bench.coverage import LEAST
from tests.bench.rows import Options, Row

ITEMS, FIRST = 3000, 200
LEVEL, SENSITIVITY, SPECIFICITY = 0.15, 0.8, 0.93
WANTED = (("share", 0.025), ("specificity", 0.02), ("sensitivity", 0.08))
"""What is to be known, and to which half width."""


@dataclass(frozen=True)
class Reached:
    """One sample: items checked by the draw, and by chance for the same width; the estimate's
    error, half width and whether it held the truth; the half width of as many by chance."""

    drawn: int
    by_chance: int
    error: float
    half: float
    held: bool
    half_by_chance: float


def once(rng: np.random.Generator, measure: str, half_width: float) -> Reached | None:
    """One sample; None where as many as wanted are checked already, or all would not do."""
    true = rng.random(ITEMS) < LEVEL
    said = np.where(true, rng.random(ITEMS) < SENSITIVITY, rng.random(ITEMS) > SPECIFICITY)
    first = np.zeros(ITEMS, dtype=bool)
    first[rng.permutation(ITEMS)[:FIRST]] = True
    half = rng.integers(0, 2, ITEMS)
    before = checked(said, true, first, half)
    plan = before.make_forecast_of_rows_to_check(measure, half_width, halves=half)
    if plan.now is None or plan.random is None or not plan.total_rows_to_check:
        return None
    drawn, chance = first.copy(), first.copy()
    for at, many in enumerate(plan.by_group.tolist()):
        free = np.flatnonzero((before.groups == at) & ~first)
        drawn[rng.permutation(free)[:many]] = True
    chance[rng.permutation(np.flatnonzero(~first))[: plan.total_rows_to_check]] = True
    found = checked(said, true, drawn, half).estimate_measure(measure)
    other = checked(said, true, chance).estimate_measure(measure)
    truth = {"share": LEVEL, "sensitivity": SENSITIVITY, "specificity": SPECIFICITY}[measure]
    assert found.value is not None
    assert None not in (found.low, found.high, other.low, other.high)
    return Reached(
        plan.total_rows_to_check,
        plan.random,
        found.value - truth,
        (found.high - found.low) / 2,
        found.low <= truth <= found.high,
        (other.high - other.low) / 2,
    )


def checked(
    said: NDArray[np.bool_],
    true: NDArray[np.bool_],
    known: NDArray[np.bool_],
    cells: NDArray[np.int64] | None = None,
) -> CheckedVerdicts:
    """What is known once the ``known`` items are checked."""
    return CheckedVerdicts(
        Clusters(np.arange(len(said))), said, np.where(known, true, np.nan), cells
    )


def simulate(measure: str, half_width: float, *, samples: int, seed: int) -> list[Reached]:
    """As many samples of a measure."""
    rng = np.random.default_rng([seed, round(1000 * half_width)])
    made = (once(rng, measure, half_width) for _ in range(samples))
    return [one for one in made if one is not None]


ALIKE = 600
"""Items where nearly all answers are alike: few of them are checked at first."""


@dataclass(frozen=True)
class FromFew:
    """One sample from few checked items: whether the interval held the truth now and after the
    draw, the half width now and then, and the items drawn."""

    held_now: bool
    held: bool
    now: float
    half: float
    drawn: int


def alike(true: float, first: int, half_width: float, *, samples: int, seed: int) -> list[FromFew]:
    """Samples of a share, nearly or quite the same for all, planned from ``first`` items."""
    rng, told = np.random.default_rng([seed, first, round(1000 * true)]), []
    for _ in range(samples):
        yes, said = rng.random(ALIKE) < true, np.ones(ALIKE, dtype=bool)
        known = np.zeros(ALIKE, dtype=bool)
        known[rng.permutation(ALIKE)[:first]] = True
        half = rng.integers(0, 2, ALIKE)
        shown = checked(said, yes, known).estimate_measure("share")
        before = checked(said, yes, known, half)
        plan = before.make_forecast_of_rows_to_check("share", half_width, halves=half, shown=shown)
        drawn = known.copy()
        for at, many in enumerate(plan.by_group.tolist()):
            free = np.flatnonzero((before.groups == at) & ~known)
            drawn[rng.permutation(free)[:many]] = True
        after = checked(
            said, yes, drawn, half if plan.total_rows_to_check else None
        ).estimate_measure("share")
        assert None not in (shown.low, shown.high, after.low, after.high)
        told.append(
            FromFew(
                shown.low <= true <= shown.high,
                after.low <= true <= after.high,
                (shown.high - shown.low) / 2,
                (after.high - after.low) / 2,
                plan.total_rows_to_check,
            )
        )
    return told


def faults(found: list[Reached], half_width: float) -> list[str]:
    """What is wrong with the samples of a measure."""
    errors = np.array([one.error for one in found])
    error = float(errors.std() / len(errors) ** 0.5)
    held = float(np.mean([one.held for one in found]))
    half = float(np.median([one.half for one in found]))
    by_chance = float(np.median([one.half_by_chance for one in found]))
    told = []
    if abs(errors.mean()) > 3 * error:
        told.append(f"bias {errors.mean():+.4f}, Monte Carlo error {error:.4f}")
    if held + 3 * (LEAST * (1 - LEAST) / len(found)) ** 0.5 < LEAST:
        told.append(f"holds the truth in {held:.1%}")
    if half > 1.1 * half_width:
        told.append(f"reaches ± {half:.4f}, not {half_width}")
    # Misses among many noes are found by checking nearly as many as by chance: no gain, no loss.
    if half > 1.05 * by_chance:
        told.append(f"± {half:.4f}, as many by chance ± {by_chance:.4f}")
    return told


def run(options: Options) -> list[Row]:
    """A row for each measure: judgments by the draw over judgments by chance."""
    rows = []
    for measure, half_width in WANTED:
        found = simulate(measure, half_width, samples=options.pick(1000, 100), seed=options.seed)
        errors = np.array([one.error for one in found])
        rows.append(
            Row(
                f"active checking: {measure} to ± {half_width}",
                [one.drawn for one in found],
                "ratio",
                1.0,
                "items",
                [one.by_chance for one in found],
                f"bias {errors.mean():+.4f} ± {errors.std() / len(errors) ** 0.5:.4f}, holds the"
                f" truth in {np.mean([one.held for one in found]):.1%}, reaches"
                f" ± {np.median([one.half for one in found]):.4f} (as many by chance"
                f" ± {np.median([one.half_by_chance for one in found]):.4f})",
                tuple(faults(found, half_width)),
            )
        )
    return rows
