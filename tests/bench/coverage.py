"""How often the intervals hold the truth: every method that a figure names, by simulation.

Each method is called as the figures call it, on samples from a population whose truth is known,
for every n in ``SIZES`` and prevalence or effect in ``LEVELS``. Where an interval is given it is to
hold the truth in at least ``LEAST`` of the samples, and at the median over the whole grid in no
more than ``MOST`` of them: it is honest, and no wider than needed. Samples are added until a cell
is decided (three standard errors from ``LEAST``); methods whose outcomes can all be listed are
worked out instead of simulated. Samples without an interval (withheld, undefined) count for
neither.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri
from scipy.stats import binom, multinomial

from medlens.stats import hypothesis_tests_and_effect_sizes as hypothesis
from medlens.stats.alpha_and_intraclass_correlation import (
    distance_matrix_of_label_sets,
    estimate_alpha_from_distance,
    estimate_intraclass_correlation,
    estimate_krippendorff_alpha,
)
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Clusters,
    estimate_clustered_kappa,
    estimate_clustered_macro_f1,
    rogan_gladen_estimate,
)
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import (
    clustered_share,
    estimate_clustered_mean,
    estimate_clustered_median,
    estimate_shares_of_two_arms_and_difference,
    wilson_mean_estimate,
    wilson_share_estimate,
)
from medlens.stats.kappa import (
    estimate_cohen_kappa,
    estimate_fleiss_kappa,
    estimate_gwet_ac1,
    estimate_percent_agreement,
)
from medlens.stats.paired_proportions import (
    estimate_clustered_paired_difference,
    estimate_paired_difference,
    estimate_paired_ratio,
)
from medlens.stats.partly_verified_share import CheckedVerdicts
from medlens.stats.rating_counts import RatingCounts
from medlens.stats.span_agreement import RaterMarks, estimate_mean_span_f1_between_raters
from medlens.stats.token_agreement import list_token_alpha_of_each_label
from tests.bench.rows import Options, Row

SIZES = (5, 10, 20, 30, 50, 100, 300)
LEVELS = (0.02, 0.05, 0.1, 0.3, 0.5)
LEAST, MOST = 0.92, 0.97

Rng = np.random.Generator
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Drawn = tuple[Bools, Bools]
"""Whether each sample had an interval, and whether it held the truth."""


@dataclass(frozen=True)
class Method:
    """A method, what its samples are drawn from, and how many are drawn and looked at.

    ``draw`` takes a generator, n, the level and how many samples; with ``exact`` it is
    ``(n, level) -> (share with an interval, share of these that hold the truth)`` instead.
    """

    name: str
    draw: Callable[[Rng, int, float, int], Drawn] | None = None
    exact: Callable[[int, float], tuple[float, float]] | None = None
    first: int = 400
    most: int = 6400


@dataclass(frozen=True)
class Cell:
    """What a method does for one n and level: samples with an interval, and their coverage."""

    n: int
    level: float
    given: int
    coverage: float
    samples: int

    @property
    def error(self) -> float:
        """The standard error of the coverage; 0 where it was worked out."""
        if not self.samples:
            return 0.0
        return math.sqrt(max(self.coverage * (1 - self.coverage), 1e-4) / max(self.given, 1))

    @property
    def fails(self) -> bool:
        """Whether the truth is missed more often than allowed, chance set aside."""
        return self.given > 0 and self.coverage + 3 * self.error < LEAST


def cell(method: Method, n: int, level: float, seed: int, *, least: int = 50) -> Cell | None:
    """One cell; None where fewer than ``least`` of all samples had an interval."""
    if method.exact is not None:
        share, coverage = method.exact(n, level)
        return Cell(n, level, 1, coverage, 0) if share > 0 else None
    assert method.draw is not None
    rng = np.random.default_rng([seed, n, round(level * 1000)])
    given = held = samples = 0
    size = method.first
    while samples < method.most:
        had, hit = method.draw(rng, n, level, size)
        given, held, samples = given + int(had.sum()), held + int((had & hit).sum()), samples + size
        if given == 0 and samples >= 2 * method.first:
            return None
        if given >= least:
            found = Cell(n, level, given, held / given, samples)
            if abs(found.coverage - LEAST) > 3 * found.error:
                return found
        size = samples
    return Cell(n, level, given, held / given, samples) if given >= least else None


def run(options: Options) -> list[Row]:
    """A row for each method, a fault for each cell below the bar; and one for the whole grid."""
    rows, everything = [], []
    sizes = (10, 50) if options.quick else SIZES
    levels = (0.05, 0.3) if options.quick else LEVELS
    for method in METHODS:
        cells = [cell(method, n, level, options.seed) for n in sizes for level in levels]
        known = [one for one in cells if one is not None]
        worst = min(known, key=lambda one: one.coverage)
        middle = statistics.median(one.coverage for one in known)
        faults = [
            f"n {one.n}, level {one.level}: {one.coverage:.1%} of {one.given}"
            for one in known
            if one.fails
        ]
        everything += known
        rows.append(
            Row(
                f"coverage: {method.name}",
                [100 * one.coverage for one in known],
                "none",
                unit="%",
                faults=tuple(faults),
                note=f"least {worst.coverage:.1%} ± {worst.error:.1%} (n {worst.n}, level"
                f" {worst.level}), median {middle:.1%}; {len(known)} of {len(cells)} cells have"
                f" intervals; seed {options.seed}",
            )
        )
    rows += [size_row(name, draw, options, sizes) for name, draw in TESTS.items()]
    grid = [100 * one.coverage for one in everything]
    rows.append(Row("coverage: at the median of the grid", grid, "median", 100 * MOST, "%"))
    return rows


ALIKE = (0.0, 0.1, 0.3, 0.6, 0.9)
LEVEL = 0.05
"""How alike the pairs of a case are in what sets the two apart; the level of the tests."""


def size_row(
    name: str, draw: Callable[[Rng, int, float], float | None], options: Options, ns: Sequence[int]
) -> Row:
    """How often a test finds a difference where there is none: a fault wherever it is more than
    ``LEVEL`` and three standard errors."""
    cells = [
        (n, alike, size(draw, n, alike, options.seed, samples=options.pick(2000, 200)))
        for n in ns
        for alike in (ALIKE[::2] if options.quick else ALIKE)
    ]
    error = math.sqrt(LEVEL * (1 - LEVEL) / options.pick(2000, 200))
    worst = max(cells, key=lambda one: one[2])
    return Row(
        f"size: {name}",
        [100 * share for *_, share in cells],
        "none",
        unit="%",
        faults=tuple(
            f"n {n}, alike {alike}: {share:.1%} at a level of {LEVEL:.0%}"
            for n, alike, share in cells
            if share > LEVEL + 3 * error
        ),
        note=f"most {worst[2]:.1%} ± {error:.1%} (n {worst[0]}, alike {worst[1]}); {len(cells)}"
        f" cells; seed {options.seed}",
    )


def size(
    draw: Callable[[Rng, int, float], float | None],
    n: int,
    alike: float,
    seed: int,
    *,
    samples: int,
) -> float:
    """The share of samples without a difference in which a test finds one; ``draw`` gives its p."""
    rng = np.random.default_rng([seed, n, round(alike * 1000)])
    found = [draw(rng, n, alike) for _ in range(samples)]
    return sum(p is not None and p <= LEVEL for p in found) / samples


def _one_by_one(
    make: Callable[[Rng, int, float], tuple[Estimate, float]],
) -> Callable[[Rng, int, float, int], Drawn]:
    """Samples drawn one at a time: ``make`` gives an estimate and the truth."""

    def draw(rng: Rng, n: int, level: float, size: int) -> Drawn:
        had, hit = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
        for at in range(size):
            found, truth = make(rng, n, level)
            if found.low is not None and found.high is not None:
                had[at], hit[at] = True, found.low - 1e-9 <= truth <= found.high + 1e-9
        return had, hit

    return draw


# -- shares ----------------------------------------------------------------------------------------


def _wilson(n: int, level: float) -> tuple[float, float]:
    share = held = 0.0
    for k in range(n + 1):
        found, chance = wilson_share_estimate(k, n), float(binom.pmf(k, n, level))
        if found.low is not None and found.high is not None:
            share += chance
            held += chance * (found.low <= level <= found.high)
    return share, held / share if share else 0.0


def _scores(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # A fifth of the answers have several right options and score by halves.
    score = np.where(rng.random(n) < 0.2, rng.binomial(2, level, n) / 2, rng.random(n) < level)
    return wilson_mean_estimate(float(score.sum()), n), level


def _rows(rng: Rng, level: float, sizes: NDArray[np.int64], alike: float) -> Floats:
    """Hits among ``sizes`` (clusters, samples) rows, alike within clusters (beta-binomial)."""
    if alike >= 1:
        return (sizes * (rng.random(sizes.shape) < level)).astype(np.float64)
    spread = (1 - alike) / alike
    return rng.binomial(sizes, rng.beta(level * spread, (1 - level) * spread, sizes.shape)).astype(
        np.float64
    )


def _clustered(largest: int, alike: float) -> Callable[[Rng, int, float, int], Drawn]:
    """Shares of ``n`` clusters of 1 to ``largest`` rows; samples are made as figures are."""

    def draw(rng: Rng, n: int, level: float, size: int) -> Drawn:
        rows = rng.integers(1, largest + 1, (n, size))
        found = Clusters(np.arange(n)).estimate_ratios_of_sums(
            _rows(rng, level, rows, alike), rows.astype(np.float64)
        )
        had = np.array([one.low is not None for one in found])
        hit = np.array([(one.low or 0.0) <= level <= (one.high or 0.0) for one in found])
        return had, hit

    return draw


def _crossed(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Three of the raters judge each item; items and raters have a leaning of their own.
    raters = max(5, n // 5)
    item = np.repeat(np.arange(n), 3)
    rater = np.concatenate([rng.permutation(raters)[:3] for _ in range(n)])
    lean = rng.normal(0, 0.45, n)[item] + rng.normal(0, 0.45, raters)[rater]
    hit = lean + rng.normal(0, (1 - 2 * 0.45**2) ** 0.5, 3 * n) > ndtri(1 - level)
    return clustered_share(hit, item, unit="items", crossed=rater), level


def _arms(rng: Rng, n: int, level: float, raters: int = 0) -> tuple[Estimate, float]:
    # As above; half of what is judged, drawn by chance, in an arm that says yes more often.
    raters, more = raters or max(5, n // 5), 0.2
    item = np.repeat(np.arange(n), 3)
    rater = np.concatenate([rng.permutation(raters)[:3] for _ in range(n)])
    first = rng.random(3 * n) < 0.5
    lean = rng.normal(0, 0.45, n)[item] + rng.normal(0, 0.45, raters)[rater]
    hit = lean + rng.normal(0, (1 - 2 * 0.45**2) ** 0.5, 3 * n) > ndtri(1 - level - more * first)
    if first.all() or not first.any():
        return Estimate.undefined_estimate("one arm"), more
    return estimate_shares_of_two_arms_and_difference(
        hit, first, item, unit="items", crossed=rater
    )[2], more


# -- means -----------------------------------------------------------------------------------------


def _ratings(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Ratings from 1 to 10 of n dialogues by one to five raters each.
    dialogue = np.repeat(np.arange(n), rng.integers(1, 6, n))
    of_dialogue = rng.beta(4 * level, 4 * (1 - level), n)[dialogue]
    own = rng.beta(np.maximum(10 * of_dialogue, 1e-6), np.maximum(10 * (1 - of_dialogue), 1e-6))
    given = 1 + rng.binomial(9, own)
    return estimate_clustered_mean(
        given, clusters=dialogue, unit="dialogues", kind=(1.0, 10.0)
    ), 1 + 9 * level


def _counts(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Tests asked for: three visits of each case, at a rate of the case's own.
    case = np.repeat(np.arange(n), 3)
    given = rng.poisson(rng.gamma(2, 5 * level / 2, n)[case])
    return estimate_clustered_mean(given, clusters=case, unit="cases"), 5 * level


def _seconds(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # As skewed as an exponential distribution at level 0.5, and less below.
    shape = 0.5 / level
    return estimate_clustered_mean(rng.gamma(shape, 60 / shape, n)), 60.0


def _median(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Seconds of n judgments: 1 at the median, with a long tail.
    seconds = np.exp(rng.normal(0, 2 * level, n))
    return estimate_clustered_median(seconds, np.arange(n), unit="items"), 1.0


def _median_in_clusters(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # One to five raters of each of n items; ``level`` of the variance is the item's.
    item = np.repeat(np.arange(n), rng.integers(1, 6, n))
    lean = rng.normal(0, level**0.5, n)[item]
    return estimate_clustered_median(
        np.exp(lean + rng.normal(0, (1 - level) ** 0.5, len(item))), item, unit="items"
    ), 1.0


def _differences(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    apart = rng.binomial(9, 0.5, n) - rng.binomial(9, 0.5 - level * 0.5, n)
    return estimate_clustered_mean(apart, kind="difference"), 9 * level * 0.5


# -- pairs -----------------------------------------------------------------------------------------


@cache
def _tango(n: int) -> tuple[NDArray[np.int64], Floats, Floats]:
    places = np.array([(a, b) for a in range(n + 1) for b in range(n + 1 - a)])
    found = [estimate_paired_difference(int(a), int(b), n) for a, b in places]
    low = np.array([np.nan if one.low is None else one.low for one in found])
    high = np.array([np.nan if one.high is None else one.high for one in found])
    return places, low, high


def _paired(against: float) -> Callable[[int, float], tuple[float, float]]:
    """The first is right alone ``against`` + level of the time, the second alone ``against``."""

    def coverage(n: int, level: float) -> tuple[float, float]:
        places, low, high = _tango(n)
        shares = [against + level, against, 1 - 2 * against - level]
        chance = multinomial.pmf(
            np.column_stack([places, n - places.sum(axis=1)]), n, np.array(shares)
        )
        given = np.isfinite(low)
        held = given & (low <= level + 1e-9) & (level <= high + 1e-9)
        return float(chance[given].sum()), float(chance[held].sum() / chance[given].sum())

    return coverage


def _repeats(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Three repeats of each case; how hard it is stays the same, with and without.
    case = np.repeat(np.arange(n), 3)
    lean = rng.normal(0, 0.7, n)[case]
    noise = (1 - 0.7**2) ** 0.5
    base = lean + rng.normal(0, noise, 3 * n) > ndtri(1 - (0.3 + level))
    other = lean + rng.normal(0, noise, 3 * n) > ndtri(0.7)
    return estimate_clustered_paired_difference(base, other, case, unit="cases"), level


def _no_difference(uneven: bool, rival: float) -> Callable[[Rng, int, float], float | None]:
    """Two that are right in 3 of 10 pairs, on n cases of three (or 1 to 12) repeats each.

    The first is ``alike`` within a case, the second ``rival`` times as much: with 0 the cases'
    differences are not symmetric about 0, however equal the two are.
    """

    def draw(rng: Rng, n: int, alike: float) -> float | None:
        case = np.repeat(np.arange(n), rng.integers(1, 13, n) if uneven else 3)

        def right(alike: float) -> Bools:
            own = rng.normal(0, alike**0.5, n)[case]
            found: Bools = own + rng.normal(0, (1 - alike) ** 0.5, len(case)) > ndtri(0.7)
            return found

        first, second = right(alike), right(alike * rival)
        return hypothesis.clustered_mcnemar_test(first, second, case, unit="cases").p

    return draw


def _normalised(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Accuracy falls from 0.5 by the level's part; cases are as hard for both.
    lean = rng.normal(0, 0.7, n)
    noise = (1 - 0.7**2) ** 0.5
    base = lean + rng.normal(0, noise, n) > 0
    other = lean + rng.normal(0, noise, n) > ndtri(1 - 0.5 * (1 - level))
    return estimate_paired_ratio(other, base, np.arange(n), unit="cases"), 1 - level


# -- agreement -------------------------------------------------------------------------------------


def _ratings_of(
    rng: Rng, n: int, level: float, raters: tuple[int, ...], alike: float
) -> RatingCounts:
    """Yes or no by ``raters`` of each item in turn; their alpha is ``alike``."""
    sizes = np.resize(raters, n)
    yes = _rows(rng, level, sizes, alike).astype(np.int64)
    return RatingCounts.from_counts(np.column_stack([sizes - yes, yes]))


def _alpha(raters: tuple[int, ...], alike: float) -> Callable[[Rng, int, float, int], Drawn]:
    return _one_by_one(
        lambda rng, n, level: (
            estimate_krippendorff_alpha(_ratings_of(rng, n, level, raters, alike), level="nominal"),
            alike,
        )
    )


def _fleiss(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_fleiss_kappa(_ratings_of(rng, n, level, (3,), 0.4)), 0.4


def _ac1(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    apart = 2 * level * (1 - level)
    return estimate_gwet_ac1(_ratings_of(rng, n, level, (3,), 0.4)), 1 - apart * 0.6 / (1 - apart)


def _percent(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    found = estimate_percent_agreement(_ratings_of(rng, n, level, (3,), 0.4))
    return found, 1 - 2 * level * (1 - level) * 0.6


def _cohen(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    own = rng.beta(level * 1.5, (1 - level) * 1.5, n)
    return estimate_cohen_kappa(rng.random(n) < own, rng.random(n) < own), 0.4


def _kappa_in_clusters(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # One to five pairs of each question, which share how likely a yes is.
    question = np.repeat(np.arange(n), rng.integers(1, 6, n))
    own = rng.beta(level * 1.5, (1 - level) * 1.5, n)[question]
    first, second = rng.random(len(own)) < own, rng.random(len(own)) < own
    clusters = Clusters(question)
    return estimate_clustered_kappa(clusters, clusters.codes, first, second), 0.4


def _f1_in_clusters(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    question = np.repeat(np.arange(n), rng.integers(1, 6, n))
    own = rng.beta(level * 1.5, (1 - level) * 1.5, n)[question]
    first, second = rng.random(len(own)) < own, rng.random(len(own)) < own
    clusters = Clusters(question)
    apart = level * (1 - level) * 0.6
    both = (level - apart, 1 - level - apart)
    true = sum(one / (one + apart) for one in both) / 2
    return estimate_clustered_macro_f1(clusters, clusters.codes, first, second), true


def _criteria(rng: Rng, n: int, level: float) -> RatingCounts:
    """Four to fifteen criteria of each of n items, which share how likely a rater meets them; three
    raters."""
    item = np.repeat(np.arange(n), rng.integers(4, 16, n))
    own = rng.beta(level * 1.5, (1 - level) * 1.5, n)[item]
    ratings = (rng.random((len(own), 3)) < own[:, None]).astype(np.float64)
    return RatingCounts.from_ratings(ratings, clusters=item)


def _alpha_in_clusters(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_krippendorff_alpha(_criteria(rng, n, level), level="nominal"), 0.4


def _percent_in_clusters(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_percent_agreement(_criteria(rng, n, level)), 1 - 2 * level * (1 - level) * 0.6


def _scales(rng: Rng, n: int, level: float) -> Floats:
    """Ratings from 1 to 10 of items by three raters; the mean is at ``level`` of the scale."""
    item = rng.beta(3 * level, 3 * (1 - level), n)
    own = rng.beta(
        np.maximum(8 * item, 1e-6)[:, None], np.maximum(8 * (1 - item), 1e-6)[:, None], (n, 3)
    )
    return (1 + rng.binomial(9, own)).astype(np.float64)


@cache
def _true_ordinal(level: float) -> float:
    many = _scales(np.random.default_rng(77), 200_000, level)
    return float(estimate_krippendorff_alpha(many, level="ordinal").value or 0.0)


def _ordinal(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_krippendorff_alpha(_scales(rng, n, level), level="ordinal"), _true_ordinal(
        level
    )


@cache
def _true_icc(level: float, mean: bool) -> float:
    many = _scales(np.random.default_rng(79), 50_000, level)
    return float(estimate_intraclass_correlation(many, mean=mean).value or 0.0)


def _icc(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_intraclass_correlation(_scales(rng, n, level)), _true_icc(level, False)


def _icc_of_means(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_intraclass_correlation(_scales(rng, n, level), mean=True), _true_icc(
        level, True
    )


def _label_sets(rng: Rng, n: int, level: float) -> list[list[frozenset[str] | None]]:
    """Sets of up to three labels by three raters; each label has ``level``, and an alpha of 0.4."""
    own = rng.beta(level * 1.5, (1 - level) * 1.5, (n, 1, 3))
    given = rng.random((n, 3, 3)) < own
    return [[frozenset("abc"[at] for at in np.flatnonzero(one)) for one in item] for item in given]


def set_alpha(sets: list[list[frozenset[str] | None]], distance: str = "masi") -> Estimate:
    """Alpha of (items, raters) label sets, ``None`` where missing."""
    distinct = sorted({one for row in sets for one in row if one is not None}, key=sorted)
    counts = np.array([[row.count(one) for one in distinct] for row in sets], dtype=np.int64)
    table = RatingCounts.from_counts(counts.reshape(len(sets), len(distinct)))
    return estimate_alpha_from_distance(
        table, distance_matrix_of_label_sets(distinct, distance), method="alpha"
    )


@cache
def _true_masi(level: float) -> float:
    many = _label_sets(np.random.default_rng(78), 60_000, level)
    return float(set_alpha(many).value or 0.0)


def _masi(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return set_alpha(_label_sets(rng, n, level)), _true_masi(level)


_TEXT = " ".join(["word"] * 40)


def _marks(rng: Rng, n: int, level: float) -> RaterMarks:
    """Three raters' marks of one label on texts of 40 words.

    An item has a faulty passage with twice the chance of ``level`` (at most 0.9); a rater finds it
    in 6 of 10 cases, up to two words too short, and marks another in 1 of 20.
    """
    there = rng.random(n) < min(0.9, 2 * level)
    at, length = rng.integers(0, 25, n), rng.integers(3, 9, n)
    judgment, start, end = [], [], []
    for item in range(n):
        for rater in range(3):
            found = []
            if there[item] and rng.random() < 0.6:
                first = at[item] + rng.integers(0, 3)
                found.append((first, max(first + 1, at[item] + length[item] - rng.integers(0, 3))))
            if rng.random() < 0.05:
                first = rng.integers(0, 35)
                found.append((first, first + rng.integers(1, 5)))
            for first, last in found:
                judgment.append(3 * item + rater)
                start.append(5 * first)
                end.append(5 * last - 1)
    spans = (np.array(one, dtype=np.int64) for one in (judgment, start, end))
    return RaterMarks(np.repeat(np.arange(n), 3), *spans, np.zeros(len(judgment), dtype=np.int64))


@cache
def _many_marks(level: float) -> RaterMarks:
    # Few items have a pair to compare at the lowest level: with fewer the truth itself is unsure.
    return _marks(np.random.default_rng(79), 60_000, level)


@cache
def _true_tokens(level: float) -> float:
    [alpha] = list_token_alpha_of_each_label(_many_marks(level), [_TEXT] * 60_000, labels=1)
    return float(alpha.value or 0.0)


@cache
def _true_f1(level: float) -> float:
    return float(
        estimate_mean_span_f1_between_raters(_many_marks(level), match="overlap", labels=True).value
        or 0.0
    )


def _tokens(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    [found] = list_token_alpha_of_each_label(_marks(rng, n, level), [_TEXT] * n, labels=1)
    return found, _true_tokens(level)


def _f1(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    return estimate_mean_span_f1_between_raters(
        _marks(rng, n, level), match="overlap", labels=True
    ), _true_f1(level)


# -- judges, odds, ranks ---------------------------------------------------------------------------


def _corrected(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # n questions of which all were judged and half were checked, three verdicts each.
    question = np.repeat(np.arange(n), 3)
    own = rng.beta(2 * level, 2 * (1 - level), n)[question]
    true = rng.random(3 * n) < own
    said = np.where(true, rng.random(3 * n) < 0.85, rng.random(3 * n) < 0.1)
    clusters = Clusters(question)
    checked = np.where(question % 2 == 0, true, np.nan)
    return rogan_gladen_estimate(clusters, clusters.codes, said, checked), level


def _powered(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # The same of a judge's verdicts and what was checked, by prediction-powered inference.
    question = np.repeat(np.arange(n), 3)
    own = rng.beta(2 * level, 2 * (1 - level), n)[question]
    true = rng.random(3 * n) < own
    said = np.where(true, rng.random(3 * n) < 0.85, rng.random(3 * n) < 0.1)
    checked = np.where(question % 2 == 0, true, np.nan)
    return CheckedVerdicts(Clusters(question), said, checked).estimate_measure("share"), level


def _by_verdict(measure: str) -> Callable[[Rng, int, float], tuple[Estimate, float]]:
    """n items of which most are checked where the judge says yes, and few where it says no."""

    def make(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
        true = rng.random(n) < level
        said = np.where(true, rng.random(n) < 0.85, rng.random(n) < 0.1)
        checked = np.where(rng.random(n) < np.where(said, 0.9, 0.4), true, np.nan)
        found = CheckedVerdicts(Clusters(np.arange(n)), said, checked).estimate_measure(measure)
        return found, {"share": level, "sensitivity": 0.85, "specificity": 0.9}[measure]

    return make


def _weighted_kappa(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    rated, question = _two_scales(rng, n, level)
    found = estimate_cohen_kappa(*rated.T, weights="quadratic", clusters=question, unit="questions")
    return found, _true_weighted(level)


def _two_scales(rng: Rng, n: int, level: float) -> tuple[Floats, NDArray[np.int64]]:
    """Ratings from 1 to 10 by two raters of one to five answers to each question."""
    question = np.repeat(np.arange(n), rng.integers(1, 6, n))
    own = rng.beta(3 * level, 3 * (1 - level), n)[question]
    shape = np.maximum(8 * own, 1e-6)[:, None], np.maximum(8 * (1 - own), 1e-6)[:, None]
    given = 1 + rng.binomial(9, rng.beta(*shape, (len(own), 2)))
    return given.astype(np.float64), question


@cache
def _true_weighted(level: float) -> float:
    rated, _ = _two_scales(np.random.default_rng(79), 100_000, level)
    return float(estimate_cohen_kappa(*rated.T, weights="quadratic").value or 0.0)


def _odds(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    first, second = rng.binomial(n, level), rng.binomial(n, min(0.9, 1.5 * level))
    other = min(0.9, 1.5 * level)
    truth = level / (1 - level) / (other / (1 - other))
    return hypothesis.estimate_odds_ratio([[first, n - first], [second, n - second]]), truth


def _spearman(rng: Rng, n: int, level: float) -> tuple[Estimate, float]:
    # Of two normal variables Spearman's rho is 6/pi asin(r/2).
    r = 2 * math.sin(math.pi * level / 6)
    x = rng.normal(size=n)
    return hypothesis.estimate_spearman_correlation(
        x, r * x + math.sqrt(1 - r * r) * rng.normal(size=n)
    ), level


METHODS = (
    Method("Wilson", exact=_wilson),
    Method("Wilson of scores", _one_by_one(_scores)),
    Method("Wilson over clusters, alike .1", _clustered(4, 0.1), first=2000, most=32_000),
    Method("Wilson over clusters, alike .3", _clustered(12, 0.3), first=2000, most=32_000),
    Method("Wilson over clusters, all alike", _clustered(12, 1.0), first=2000, most=32_000),
    Method("Wilson over items and raters", _one_by_one(_crossed)),
    Method("difference of arms over items and raters", _one_by_one(_arms)),
    Method("difference of arms, four raters", _one_by_one(partial(_arms, raters=4))),
    Method("median", _one_by_one(_median)),
    Method("median over clusters", _one_by_one(_median_in_clusters)),
    Method("mean score over clusters", _one_by_one(_ratings)),
    Method("mean count over clusters", _one_by_one(_counts)),
    Method("mean amount", _one_by_one(_seconds)),
    Method("mean difference, t", _one_by_one(_differences)),
    Method("Tango, rival right alone 2 %", exact=_paired(0.02)),
    Method("Tango, rival right alone 20 %", exact=_paired(0.2)),
    Method("Tango over clusters", _one_by_one(_repeats)),
    Method("ratio of shares in pairs", _one_by_one(_normalised)),
    Method("alpha, 2 raters, true .4", _alpha((2,), 0.4)),
    Method("alpha, 3 raters, true .1", _alpha((3,), 0.1)),
    Method("alpha, 5 raters, true .8", _alpha((5,), 0.8)),
    Method("alpha, 2 to 4 raters, true .4", _alpha((2, 3, 4, 3, 2), 0.4)),
    Method("Fleiss' kappa", _one_by_one(_fleiss)),
    Method("Gwet's AC1", _one_by_one(_ac1)),
    Method("percent agreement", _one_by_one(_percent)),
    Method("Cohen's kappa", _one_by_one(_cohen)),
    Method("Cohen's kappa over clusters", _one_by_one(_kappa_in_clusters)),
    Method("macro F1 over clusters", _one_by_one(_f1_in_clusters)),
    Method("alpha over clusters", _one_by_one(_alpha_in_clusters)),
    Method("percent agreement over clusters", _one_by_one(_percent_in_clusters)),
    Method("alpha, ordinal", _one_by_one(_ordinal)),
    Method("ICC, one rater", _one_by_one(_icc)),
    Method("ICC, mean of raters", _one_by_one(_icc_of_means)),
    Method("alpha, label sets", _one_by_one(_masi)),
    Method("alpha over words", _one_by_one(_tokens)),
    Method("span F1", _one_by_one(_f1)),
    Method("Rogan-Gladen", _one_by_one(_corrected)),
    Method("prediction-powered", _one_by_one(_powered)),
    Method("prediction-powered, checked by verdict", _one_by_one(_by_verdict("share"))),
    Method("sensitivity, checked by verdict", _one_by_one(_by_verdict("sensitivity"))),
    Method("specificity, checked by verdict", _one_by_one(_by_verdict("specificity"))),
    Method("weighted kappa over clusters", _one_by_one(_weighted_kappa)),
    Method("odds ratio", _one_by_one(_odds)),
    Method("Spearman", _one_by_one(_spearman)),
)
"""Every method that the figures name, see ``docs/statistics.md``."""
TESTS = {
    "McNemar over cases": _no_difference(uneven=False, rival=1.0),
    "McNemar over uneven cases": _no_difference(uneven=True, rival=1.0),
    "McNemar over cases, rival never alike": _no_difference(uneven=True, rival=0.0),
}
