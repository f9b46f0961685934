"""Judgments by raters who differ, from populations whose truth is known: what covers it, and how
often tests under the null reject.

Raters' effects are normal, on the logit scale (on the scale itself for means), as items' are. The
truth is that of other raters and other items. ``python -m tests.rater_effects`` prints the table of
``docs/statistics.md``, each cell as it is known, in two minutes or so.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from medlens.stats import judgment_shares_means_and_win_rates as figures
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Clusters,
    estimate_clustered_macro_f1,
)
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import estimate_shares_of_two_arms_and_difference as over_arms
from medlens.stats.kappa import estimate_cohen_kappa
from medlens.stats.scope_of_inference_over_raters import RATERS_LIKE_THESE, JudgmentItemsAndRaters

Floats = NDArray[np.float64]
ITEM = 1.0
"""The standard deviation of items' effects."""


@dataclass(frozen=True)
class Design:
    """Who judged what, and the standard deviation of raters' effects."""

    items: int
    raters: int
    spread: float
    each: int = 0
    """So many raters per item, drawn at random; 0 for all."""
    heavy: bool = False
    """Effects of t with three degrees of freedom instead of normal ones."""
    busy: bool = False
    """Raters do very different amounts of work."""

    def __str__(self) -> str:
        return f"{self.items}x{self.raters}, sd {self.spread:g}"

    def judgments(self, rng: np.random.Generator) -> JudgmentItemsAndRaters:
        items = np.repeat(np.arange(self.items), self.raters)
        raters = np.tile(np.arange(self.raters), self.items)
        if self.each:
            weights = np.arange(1.0, self.raters + 1) if self.busy else np.ones(self.raters)
            keys = rng.gumbel(size=(self.items, self.raters)) + np.log(weights)
            keep = (np.argsort(np.argsort(-keys, axis=1), axis=1) < self.each).ravel()
            items, raters = items[keep], raters[keep]
        return JudgmentItemsAndRaters(items, raters)

    def effects(self, rng: np.random.Generator, count: int | tuple[int, ...]) -> Floats:
        if self.heavy:
            return self.spread * rng.standard_t(3, count) / 3**0.5
        return self.spread * rng.normal(size=count)


def logistic(x: Floats | float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.asarray(x))))


@cache
def expected(centre: float, spread: float, heavy: bool = False) -> float:
    """The mean of a logistic of ``centre`` plus effects of items and raters."""
    rng = np.random.default_rng(1)
    raters = rng.standard_t(3, 2_000_000) / 3**0.5 if heavy else rng.normal(size=2_000_000)
    return float(logistic(centre + ITEM * rng.normal(size=2_000_000) + spread * raters).mean())


@dataclass(frozen=True)
class Outcome:
    """Of samples: the share whose interval held the truth, the mean width, the share in which the
    test rejected the null, the share that speaks for raters like these, and contradictions of
    interval and test.
    """

    covered: float
    width: float
    rejected: float
    for_others: float
    contradictions: int
    samples: int

    @property
    def error(self) -> float:
        """Two standard errors of a share of 0.92, as the bars allow."""
        return float(2 * (0.92 * 0.08 / self.samples) ** 0.5)


def outcome(
    sample: Callable[[np.random.Generator], tuple[Estimate, float]],
    samples: int,
    *,
    null: float | None = None,
    seed: int = 7,
    fixed_panel: bool = False,
) -> Outcome:
    """Simulate; ``sample`` returns an estimate and the truth. ``null`` is the value tested.

    With a ``fixed_panel`` figures are made as if the raters were all that matter.
    """
    with pytest.MonkeyPatch.context() as patch:
        if fixed_panel:
            patch.setattr(JudgmentItemsAndRaters, "can_speak_for_others", lambda *_: False)
        return _outcome(sample, samples, null, seed)


def _outcome(
    sample: Callable[[np.random.Generator], tuple[Estimate, float]],
    samples: int,
    null: float | None,
    seed: int,
) -> Outcome:
    rng = np.random.default_rng(seed)
    covered = rejected = for_others = contradictions = given = 0
    width = 0.0
    for _ in range(samples):
        estimate, truth = sample(rng)
        for_others += estimate.speaks_for == RATERS_LIKE_THESE
        if estimate.low is None or estimate.high is None:
            continue
        given += 1
        covered += estimate.low - 1e-9 <= truth <= estimate.high + 1e-9
        width += estimate.high - estimate.low
        if null is not None and estimate.p is not None:
            rejects = estimate.p < 0.05
            rejected += rejects
            contradictions += rejects == (estimate.low <= null <= estimate.high)
    share = max(given, 1)
    return Outcome(
        covered / share,
        width / share,
        rejected / share,
        for_others / samples,
        contradictions,
        samples,
    )


# -- the figures -----------------------------------------------------------------------------------


def own_share(design: Design, centre: float = -1.0) -> Callable[..., tuple[Estimate, float]]:
    truth = expected(centre, design.spread, design.heavy)

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        logits = centre + ITEM * rng.normal(size=design.items)[of.item_codes]
        logits = logits + design.effects(rng, design.raters)[of.rater_codes]
        return figures.estimate_share_of_judgments(
            rng.random(len(of)) < logistic(logits), of
        ), truth

    return sample


_SCALE = np.arange(-200, 200)


def scale_mean(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """A scale of 1 to 10: 5.5 + items (sd 1.5) + raters (2 x their spread) + error (1.5)."""

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        values = 5.5 + 1.5 * rng.normal(size=design.items)[of.item_codes]
        values = values + 2 * design.effects(rng, design.raters)[of.rater_codes]
        values = np.clip(np.rint(values + 1.5 * rng.normal(size=len(of))), 1, 10)
        return figures.estimate_mean_of_judgments(values, of, kind=(1.0, 10.0)), 5.5

    return sample


def scale_median(design: Design) -> Callable[..., tuple[Estimate, float]]:
    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        values = 1.5 * rng.normal(size=design.items)[of.item_codes]
        values = values + 2 * design.effects(rng, design.raters)[of.rater_codes]
        return figures.estimate_median_of_judgments(
            values + 1.5 * rng.normal(size=len(of)), of
        ), 0.0

    return sample


def rubric_share(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """The mean share of a rubric's points: five criteria of 3, 2, 2, 1 and -2 points."""
    points = np.array([3.0, 2, 2, 1, -2])
    truth = expected(0.5, design.spread, design.heavy) * points.sum() / 8

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        logits = 0.5 + ITEM * rng.normal(size=design.items)[of.item_codes]
        logits = logits + design.effects(rng, design.raters)[of.rater_codes]
        met = rng.random((len(of), 5)) < logistic(logits)[:, None]
        return figures.estimate_mean_of_judgments(met @ points / 8, of, kind="difference"), truth

    return sample


def advice_change(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """Agreement with the advice, before and after; raters lean to and from it. No change on
    average."""

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        base = ITEM * rng.normal(size=design.items)[of.item_codes]
        base = base + 0.5 * rng.normal(size=design.raters)[of.rater_codes]
        lean = design.effects(rng, design.raters)[of.rater_codes]
        before = rng.random(len(of)) < logistic(base - lean / 2)
        # Three in four keep their answer, unless they would change it.
        keeps = rng.random(len(of)) < 0.25
        after = np.where(keeps, before, rng.random(len(of)) < logistic(base + lean / 2))
        before = np.where(keeps, after, before)
        return figures.estimate_change_in_share(after, before, of), 0.0

    return sample


def win_rate(design: Design) -> Callable[..., tuple[Estimate, float]]:
    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        logits = ITEM * rng.normal(size=design.items)[of.item_codes]
        logits = logits + design.effects(rng, design.raters)[of.rater_codes]
        won = (rng.random(len(of)) < logistic(logits)).astype(float)
        won[rng.random(len(of)) < 0.15] = 0.5
        return figures.estimate_win_rate(won, of), 0.5

    return sample


def strength(design: Design, count: int = 3) -> Callable[..., tuple[Estimate, float]]:
    """Bradley-Terry of several arms of equal strength, all of whose pairs are judged."""

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        liking = rng.normal(size=(design.items, count))[of.item_codes] / 2**0.5
        liking = liking + design.effects(rng, (design.raters, count))[of.rater_codes] / 2**0.5
        pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
        first = np.tile([i for i, _ in pairs], len(of))
        second = np.tile([j for _, j in pairs], len(of))
        rows = np.repeat(np.arange(len(of)), len(pairs))
        won = rng.random(len(rows)) < logistic(liking[rows, first] - liking[rows, second])
        found = figures.estimate_bradley_terry_chances(
            first, second, won, of.select_judgments_in_rows(rows), count=count
        )
        return found[0], 0.5

    return sample


def arms(
    design: Design, *, shares: bool = False, apart: str = ""
) -> Callable[..., tuple[Estimate, float]]:
    """Two arms that do not differ, though each rater leans to one. ``apart``: "raters" judge one
    arm of an item each, "always" the same arm; "mixed" some judge both.
    """

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        rows, first = np.tile(np.arange(len(of)), 2), np.repeat([True, False], len(of))
        both = of.select_judgments_in_rows(rows)
        if apart:
            drawn = rng.random(len(of)) < 0.5
            if apart == "always":
                drawn = of.rater_codes % 2 == 0
            keep = np.concatenate([drawn, ~drawn])
            if apart == "mixed":
                keep = keep | np.tile(rng.random(len(of)) < 0.2, 2)
            both, first = both.select_judgments_in_rows(keep), first[keep]
        item, rater = both.item_codes, both.rater_codes
        count = design.items, design.raters
        values = 1.2 * rng.normal(size=count[0])[item] + rng.normal(size=count[1])[rater] * 0.5
        values = values + 0.5 * rng.normal(size=(count[0], 2))[item, first.astype(int)]
        lean = design.effects(rng, count[1])[rater]
        values = values + np.where(first, lean, -lean) / 2
        if shares:
            hits = rng.random(len(both)) < logistic(values)
            return figures.estimate_difference_between_two_arms(hits, first, both, shares=True), 0.0
        values = np.rint(3 + values + rng.normal(size=len(both)))
        return figures.estimate_difference_between_two_arms(values, first, both), 0.0

    return sample


def multiple_choice(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """One of five options that a judgment may choose, ticked by 12 in 100."""
    return own_share(design, centre=-2.3)


def macro_f1(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """A judge's answers compared with each rater's: raters differ in how often they say yes.

    The truth is that of very many raters and items.
    """
    truth = _f1_of_all(design.spread)

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        logits = ITEM * 1.5 * rng.normal(size=design.items)
        judge = (rng.random(design.items) < logistic(logits))[of.item_codes].astype(float)
        lean = design.effects(rng, design.raters)[of.rater_codes]
        said = (rng.random(len(of)) < logistic(logits[of.item_codes] + lean)).astype(float)
        clusters = Clusters(of.item_codes, "items")
        found = estimate_clustered_macro_f1(
            clusters, clusters.codes, judge, said, raters=of.rater_codes
        )
        return found, truth

    return sample


def f1_of_sums(sums: Floats) -> Floats:
    """Macro F1 of sums (m, 3): both yes, both no, different."""
    both = 2 * sums[:, :2]
    return np.asarray((both / (both + sums[:, [2]])).mean(axis=1))


@cache
def _f1_of_all(spread: float) -> float:
    rng, n = np.random.default_rng(2), 2_000_000
    logits = ITEM * 1.5 * rng.normal(size=n)
    judge = rng.random(n) < logistic(logits)
    said = rng.random(n) < logistic(logits + spread * rng.normal(size=n))
    sums = [(judge & said).sum(), (~judge & ~said).sum(), (judge != said).sum()]
    return float(f1_of_sums(np.array([sums], dtype=float))[0])


def retest_kappa(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """Raters' first and second answers to the same items; some remember their own better.

    A rater repeats the first answer with a chance that differs by rater, else answers anew; at
    random, one half say yes, so that kappa is the mean of that chance.
    """
    truth = expected_chance(design.spread)

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        lean = design.effects(rng, design.raters)[of.rater_codes]
        first = (rng.random(len(of)) < 0.5).astype(float)
        kept = rng.random(len(of)) < logistic(0.5 + lean)
        again = np.where(kept, first, rng.random(len(of)) < 0.5).astype(float)
        return estimate_cohen_kappa(first, again, judgments=of), truth

    return sample


@cache
def expected_chance(spread: float) -> float:
    return float(logistic(0.5 + spread * np.random.default_rng(3).normal(size=2_000_000)).mean())


def suggestions(design: Design) -> Callable[..., tuple[Estimate, float]]:
    """Of all judgments one in two had a suggestion; raters differ in how they take it. Shares with
    and without it, of the same raters and items, apart."""

    def sample(rng: np.random.Generator) -> tuple[Estimate, float]:
        of = design.judgments(rng)
        suggested = rng.random(len(of)) < 0.5
        base = rng.normal(size=design.items)[of.item_codes]
        base = base + 0.5 * rng.normal(size=design.raters)[of.rater_codes]
        lean = design.effects(rng, design.raters)[of.rater_codes]
        hits = rng.random(len(of)) < logistic(base + np.where(suggested, lean, -lean) / 2)
        return (
            over_arms(hits, suggested, of.item_codes, unit="items", crossed=of.rater_codes)[2],
            0.0,
        )

    return sample


# -- the table -------------------------------------------------------------------------------------

MODERATE, STRONG = 0.5, 1.0
FIGURES: dict[str, tuple[Callable[..., Any], float | None]] = {
    "own share": (own_share, None),
    "multiple choice": (multiple_choice, None),
    "mean of a scale": (scale_mean, None),
    "median": (scale_median, None),
    "rubric share": (rubric_share, None),
    "change after advice": (advice_change, 0.0),
    "win rate": (win_rate, 0.5),
    "Bradley-Terry": (strength, None),
    "difference of arms": (arms, 0.0),
    "difference of arms, shares": (lambda design: arms(design, shares=True), 0.0),
    "macro F1": (macro_f1, None),
    "retest kappa": (retest_kappa, None),
    "suggestions": (suggestions, None),
}
CROSSED = [
    Design(30, 4, MODERATE),
    Design(30, 6, MODERATE),
    Design(40, 10, MODERATE),
    Design(30, 6, STRONG),
    Design(40, 10, STRONG),
]


def print_table(samples: int, seed: int) -> None:
    """Print for each figure and design how often the interval holds the truth, its mean width,
    and how often the test beside it rejects that there is no difference.
    """
    for name, (sampled, null) in FIGURES.items():
        for design in CROSSED:
            seen = outcome(sampled(design), samples, null=null, seed=seed)
            rejects = "" if null is None else f", rejects {seen.rejected:.1%}"
            print(f"{name}, {design}: {seen.covered:.1%}, width {seen.width:.3g}{rejects}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2027)
    given = parser.parse_args()
    print_table(given.samples, given.seed)
