"""A judge's verdicts on many items, of which people checked some: the true share, corrected.

People's word is known on the checked items only, and these may have been drawn unequally, by
verdict or by any other stratum that is known of every item (a *cell*). Within each cell and verdict
the checked stand for all, so that every estimate is a sum over these groups, each with the share of
all items that lies in it:

* the share itself. For yes and no this is the power-tuned prediction-powered estimate: the judge's
  share of all items times lambda, plus what the checked ones say it is wrong by, lambda being the
  least-squares slope (Angelopoulos, Duchi & Zrnic 2023, "PPI++", section 6; the judged items as the
  large sample, the checked ones among them).
* sensitivity, specificity and predictive values where the checked were drawn by verdict (Begg &
  Greenes 1983, Biometrics 39: verification bias).

Intervals have the variance of the linearised estimate, summed by cluster, turned into an effective
number of rows as in ``intervals``; half a checked row of each extreme is added to each group where
it is worked out. What they cover: ``docs/statistics.md``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from medlens.stats.clustered import Clusters
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import FEWEST, score_bounds, too_few
from medlens.stats.resampling import CONFIDENCE, Floats, Ints

EXTREME = 0.5
"""Checked rows of each extreme, added to each group where the variance is worked out."""

MEASURES = ("share", "sensitivity", "specificity", "ppv", "npv")


@dataclass(frozen=True)
class Checked:
    """A judge's verdicts (rows,), and people's word on some.

    ``said`` is 1 or 0, ``truth`` 1, 0 or NaN. ``cells`` (rows,) are the strata from which what was
    checked was drawn; without them all were drawn alike. ``words`` are what people call a positive
    and a negative.
    """

    clusters: Clusters
    said: ArrayLike
    truth: ArrayLike
    cells: ArrayLike | None = None
    words: tuple[str, str] = ("positive", "negative")
    groups: Ints = field(init=False)
    positive: Floats = field(init=False)
    """By group: whether the judge's verdict is yes."""

    def __post_init__(self) -> None:
        """Number the groups: the cells in which something was checked, by verdict.

        A cell and verdict of which nothing was checked is taken with the others of its verdict.
        """
        said = np.asarray(self.said, dtype=np.float64)
        known = ~np.isnan(np.asarray(self.truth, dtype=np.float64))
        cells = np.zeros(len(said), np.int64)
        if self.cells is not None:
            cells = np.unique(np.asarray(self.cells), return_inverse=True)[1].astype(np.int64) + 1
        keys = 2 * cells + (said == 1)
        keys = np.where(np.isin(keys, np.unique(keys[known])), keys, said == 1).astype(np.int64)
        names, codes = np.unique(keys, return_inverse=True)
        object.__setattr__(self, "groups", codes.astype(np.int64))
        object.__setattr__(self, "positive", (names % 2).astype(np.float64))

    @cached_property
    def known(self) -> Floats:
        """Whether each row was checked, 1 or 0."""
        return (~np.isnan(np.asarray(self.truth, dtype=np.float64))).astype(np.float64)

    @cached_property
    def sizes(self) -> Floats:
        """How many rows each group has."""
        return np.bincount(self.groups, minlength=len(self.positive)).astype(np.float64)

    @cached_property
    def checked(self) -> Floats:
        """How many of each group were checked."""
        found = np.bincount(self.groups, weights=self.known, minlength=len(self.positive))
        return found.astype(np.float64)

    @cached_property
    def shares(self) -> Floats:
        """The share of each group that people call positive; of a group that nobody checked, that
        of all with its verdict, NaN without one."""
        truth = np.nan_to_num(np.asarray(self.truth, dtype=np.float64))
        hits = np.bincount(self.groups, weights=truth, minlength=len(self.positive))
        found = np.full(len(hits), np.nan)
        np.divide(hits, self.checked, out=found, where=self.checked > 0)
        for at in np.flatnonzero(self.checked == 0):
            same = (self.positive == self.positive[at]) & (self.checked > 0)
            if same.any():
                found[at] = np.average(found[same], weights=self.sizes[same])
        return found

    def parts(self, measure: str) -> tuple[Floats, Floats, Floats, Floats]:
        """What a measure divides: A = sum of size x (a + b x share) over the groups, by B alike."""
        one, yes = np.ones(len(self.positive)), self.positive
        none = 0 * one
        return {
            "share": (none, one, one, none),
            "sensitivity": (none, yes, none, one),
            "specificity": (1 - yes, yes - 1, one, -one),
            "ppv": (none, yes, yes, none),
            "npv": (1 - yes, yes - 1, 1 - yes, none),
        }[measure]

    def estimate(self, measure: str, *, confidence: float = CONFIDENCE) -> Estimate:
        """One of ``MEASURES``, with its interval; ``n`` is how many were checked."""
        n = int(self.known.sum())
        method = "prediction-powered (PPI++)" if measure == "share" else "stratified by verdict"
        if why := self._missing(measure):
            return Estimate.undefined(why, n, method=method)
        value, variance = self._value(measure)
        checked = self.clusters.codes[self.known > 0]
        units = len(np.unique(checked))
        if units < FEWEST:
            return Estimate(value, None, None, n, method + too_few(self.clusters.unit))
        low, high = bounds(value, variance, n=len(self.groups), df=units - 1, confidence=confidence)
        return Estimate(value, low, high, n, f"{method}; Wilson over {self.clusters.unit}")

    def _missing(self, measure: str) -> str:
        if not len(self.groups):
            return "there is nothing to count"
        if not self.known.any():
            return "people have checked none of it"
        _, b, c, d = self.parts(measure)
        needed = (self.sizes > 0) & ((b != 0) | (d != 0))
        for word, yes in zip(self.words, (1, 0), strict=True):
            if np.isnan(self.shares[needed & (self.positive == yes)]).any():
                return f"people have checked none that the judge calls {word}"
        shares = np.nan_to_num(self.shares)
        if (self.sizes * (c + d * shares)).sum() <= 0:
            what = {"sensitivity": self.words[0], "specificity": self.words[1]}
            if measure in what:
                return f"people have found none {what[measure]} among what was checked"
            called = self.words[measure == "npv"]
            return f"the judge calls none {called}"
        return ""

    def _value(self, measure: str) -> tuple[float, float]:
        """The value and its variance."""
        a, b, c, d = self.parts(measure)
        shares, weight = np.nan_to_num(self.shares), self.sizes / self.sizes.sum()
        top, bottom = (weight * (a + b * shares)).sum(), (weight * (c + d * shares)).sum()
        value = float(top / bottom)
        # The estimate's slope in the share of each group, and in how many lie in it.
        slope = (b - value * d) / bottom
        among = ((a - value * c) + (b - value * d) * shares) / bottom
        per_row = np.divide(weight, self.checked, out=np.zeros_like(weight), where=self.checked > 0)
        truth = np.nan_to_num(np.asarray(self.truth, dtype=np.float64))
        apart = self.known * (truth - shares[self.groups])
        moved = (slope * per_row)[self.groups] * apart + among[self.groups] / len(self.groups)
        summed = self.clusters.sums(self.clusters.codes, moved)
        count = max(self.clusters.count, 2)
        variance = count / (count - 1) * float((summed**2).sum())
        size = self.known.sum() / max(len(np.unique(self.clusters.codes[self.known > 0])), 1)
        near = (np.nan_to_num(self.shares) * self.checked + EXTREME) / (self.checked + 2 * EXTREME)
        extremes = EXTREME * (near**2 + (1 - near) ** 2) * size
        variance += float(((slope * per_row) ** 2 * extremes)[self.checked > 0].sum())
        return min(max(value, 0.0), 1.0), variance


def bounds(
    value: float, variance: float, *, n: float, df: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Wilson's bounds of a share with this variance, of as many rows as would be as informative."""
    # At 0 or 1 the variance is that of the extremes added; so is what it is held against.
    near = (value * n + EXTREME) / (n + 2 * EXTREME)
    size = min(max(near * (1 - near) / max(variance, 1e-300), 1.0), n)
    low, high = score_bounds(value, size, df, confidence=confidence)
    return float(low), float(high)
