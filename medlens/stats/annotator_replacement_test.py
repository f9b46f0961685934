"""May a model stand in for one of several annotators? The alternative annotator test.

Each annotator is left out in turn: is the model as close to the others as that annotator, except
for an allowance for what a model saves? The model passes if it is for at least half of them.

Source: Calderon, Reichart & Dror (2025), "The Alternative Annotator Test for LLM-as-a-Judge" (ACL
2025), section 3: alignment by the share of the others with the same answer, or by the root mean
square distance from them; one-sided test of the difference less epsilon; Benjamini-Yekutieli over
annotators; winning rate and average advantage probability. Two things the paper does not cover.
Items in clusters (statements of one question) are tested over clusters. Where items were drawn
unequally to be judged, each counts for as many as it stands for, those of a clinician count as no
more items than ones of equal weight would leave as much to chance (Kish 1965), and the test is the
score test of ``paired_proportions``: t rejected up to 17 % where few items stand for most.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from medlens.deferred_module import np, scipy
from medlens.stats.estimate import SMALLEST_P
from medlens.stats.hypothesis_tests_and_effect_sizes import benjamini_yekutieli
from medlens.stats.paired_proportions import p_value_against_difference_of_margin
from medlens.stats.partly_verified_share import weights_of_checked_rows
from medlens.stats.smoothed_bootstrap import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


FEWEST_ANNOTATORS = 3
FEWEST_ITEMS = 30
EXPERTS = 0.2
"""Epsilon if annotators are experts (section 3.2): this much is outweighed by what a model saves.
"""

_LEVEL = 0.05


@dataclass(frozen=True)
class LeftOut:
    """The comparison with one annotator, given by column. ``model`` and ``person`` are the shares
    of the ``n`` items, weighted if these were drawn unequally, on which each is at least as close
    to the others as the other is; ``p`` is adjusted, and ``beaten`` says whether it is small
    enough.
    """

    annotator: int
    n: int
    model: float
    person: float
    p: float
    beaten: bool


@dataclass(frozen=True)
class StandIn:
    """The outcome. ``passes`` is None if there is too little data; ``reason`` then says what is
    missing. ``winning`` is the share of annotators beaten, ``advantage`` the mean of the shares
    ``LeftOut.model``.
    """

    passes: bool | None
    winning: float | None
    advantage: float | None
    compared: tuple[LeftOut, ...]
    reason: str = ""


def run_alternative_annotator_test(
    model: ArrayLike,
    people: ArrayLike,
    *,
    scale: bool = False,
    clusters: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    epsilon: float = EXPERTS,
) -> StandIn:
    """Test a model's answers (items,) against people's (items, annotators), NaN if missing.

    Answers are codes of classes, or numbers on a ``scale``. Only annotators with ``FEWEST_ITEMS``
    items, each also answered by the model and by somebody else, are compared; fewer than
    ``FEWEST_ANNOTATORS`` of them are too few. ``clusters`` (items,) are drawn whole. ``strata``
    (items,) are those from which the items that people judged were drawn: what one annotator is
    compared on in a stratum stands for all that the model answered there, and ``FEWEST_ITEMS`` are
    counted in effect.
    """
    said, given = np.asarray(model, dtype=np.float64), np.asarray(people, dtype=np.float64)
    known = ~np.isnan(given)
    names = np.arange(len(said)) if clusters is None else np.asarray(clusters)
    compared: list[tuple[int, int, float, float, float]] = []
    for one in range(given.shape[1] if given.ndim == 2 else 0):
        others = np.delete(given, one, axis=1)
        rows = ~np.isnan(said) & known[:, one] & (~np.isnan(others)).any(axis=1)
        weights = None
        if strata is not None:
            weights = weights_of_checked_rows(strata, among=~np.isnan(said), checked=rows)[rows]
        if _items_in_effect(rows, weights) < FEWEST_ITEMS:
            continue
        ours = _alignment(said[rows], others[rows], scale=scale)
        theirs = _alignment(given[rows, one], others[rows], scale=scale)
        model_wins, person_wins = ours >= theirs, theirs >= ours
        if weights is None:
            p = _below(person_wins.astype(np.float64) - model_wins, names[rows], epsilon)
        else:
            sides = (person_wins, model_wins, names[rows])
            p = p_value_against_difference_of_margin(*sides, margin=epsilon, weights=weights)
        model_share, person_share = (
            float(np.average(wins, weights=weights)) for wins in (model_wins, person_wins)
        )
        compared.append((one, len(ours), model_share, person_share, p))
    if len(compared) < FEWEST_ANNOTATORS:
        unequal = " (items that stand for many count as fewer)" if strata is not None else ""
        why = (
            f"it takes {FEWEST_ANNOTATORS} people or more with {FEWEST_ITEMS} items each that the"
            f" model and somebody else judged too; there are {len(compared)}{unequal}"
        )
        return StandIn(None, None, None, (), why)
    adjusted = benjamini_yekutieli([p for *_, p in compared])
    found = tuple(
        LeftOut(*row[:4], float(p), bool(p <= _LEVEL))
        for row, p in zip(compared, adjusted, strict=True)
    )
    winning = sum(one.beaten for one in found) / len(found)
    advantage = sum(one.model for one in found) / len(found)
    return StandIn(winning >= 0.5, winning, advantage, found)


def _items_in_effect(rows: NDArray[np.bool_], weights: Floats | None) -> float:
    """The number of items; with weights, of those of equal weight that tell as much."""
    if weights is None or not len(weights):
        return float(rows.sum())
    # Without what rounding leaves: thirty equal weights are thirty items.
    return round(float(weights.sum() ** 2 / (weights**2).sum()), 9)


def _alignment(one: Floats, others: Floats, *, scale: bool) -> Floats:
    """How close each answer (items,) is to the others' (items, others)."""
    apart = (others - one[:, None]) ** 2 if scale else (others == one[:, None]).astype(np.float64)
    apart[np.isnan(others)] = np.nan
    mean: Floats = np.nanmean(apart, axis=1)
    return -np.sqrt(mean) if scale else mean


def _below(apart: Floats, clusters: ArrayLike, epsilon: float) -> float:
    """One-sided p of a mean difference below epsilon: Student's t over clusters."""
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    count = int(codes.max()) + 1
    if count < 2:
        return 1.0
    mean = float(apart.mean())
    sums = np.bincount(codes, weights=apart - mean)
    error = float((count / (count - 1) * (sums**2).sum()) ** 0.5 / len(apart))
    if error == 0:
        return SMALLEST_P if mean < epsilon else 1.0
    return max(float(scipy.special.stdtr(count - 1, (mean - epsilon) / error)), SMALLEST_P)
