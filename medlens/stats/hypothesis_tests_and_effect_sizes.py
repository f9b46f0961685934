"""Tests of hypotheses, corrections for many of them, and effect sizes.

They name their method and say when there is nothing to test. scipy does the mathematics of single
tests; each test imports ``scipy.stats`` itself, because that takes a third of the start-up time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from medlens.deferred_module import np, scipy
from medlens.stats.estimate import SMALLEST_P, Estimate
from medlens.stats.smoothed_bootstrap import CONFIDENCE, SEED, Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class HypothesisTest:
    """A test's outcome. ``statistic`` and ``p`` are ``None`` if undefined; ``reason`` says why.

    ``n`` counts the cases the test is based on, ``df`` the degrees of freedom, if it has any.
    """

    statistic: float | None
    p: float | None
    n: int
    method: str
    df: int | None = None
    reason: str = ""


def clamp_p_value(p: float) -> float:
    """A p value that is never 0."""
    return max(p, SMALLEST_P)


def exact_mcnemar_test(first_only: int, second_only: int) -> HypothesisTest:
    """Exact McNemar test of paired yes/no outcomes, from the two discordant counts.

    ``n`` is the number of discordant pairs, ``statistic`` the smaller count. With no discordant
    pair p is 1: the two did not differ on any case.
    """
    from scipy import stats

    apart = _count(first_only) + _count(second_only)
    fewer = min(first_only, second_only)
    p = min(1.0, 2 * float(stats.binom.cdf(fewer, apart, 0.5)))
    return HypothesisTest(float(fewer), clamp_p_value(p), apart, "McNemar exact")


def clustered_mcnemar_test(
    first: ArrayLike, second: ArrayLike, clusters: ArrayLike, *, unit: str
) -> HypothesisTest:
    """Exact McNemar test of pairs (n,) of yes and no in clusters (n,).

    If the two had the same chances, each cluster's difference could just as well have the other
    sign: p is the share of all sign patterns whose sum is at least as far from 0 as the observed
    sum (``statistic``). ``n`` counts the clusters whose difference is not 0. With one pair in each
    it is ``exact_mcnemar_test``. Source: Fisher's randomization test, The Design of Experiments
    (1935), section 21; of the tests for clustered pairs simulated (Durkalski et al. 2003,
    Obuchowski 1998, signs by cluster) only this one keeps its level from five clusters on
    (``docs/statistics.md``).
    """
    one, two = (np.asarray(side, dtype=np.int64) for side in (first, second))
    _, codes = np.unique(np.asarray(clusters), return_inverse=True)
    apart = one - two
    if len(apart) == 0 or int(codes.max()) + 1 == len(apart):
        return exact_mcnemar_test(int((apart > 0).sum()), int((apart < 0).sum()))
    sums = np.rint(np.bincount(codes, weights=apart)).astype(np.int64)
    differing = sums[sums != 0]
    seen = int(abs(differing.sum()))
    return HypothesisTest(
        float(seen),
        clamp_p_value(_as_far(np.abs(differing), seen)),
        len(differing),
        f"McNemar exact over {unit}",
    )


def _as_far(sizes: NDArray[np.int64], seen: int) -> float:
    """The chance that sizes (k,) with random signs sum to ``seen`` or more, in either direction."""
    from scipy.stats import binom

    chances = np.ones(1)
    for size, times in zip(*np.unique(sizes, return_counts=True), strict=True):
        signs = np.zeros(2 * size * times + 1)
        signs[:: 2 * size] = binom.pmf(np.arange(times + 1), times, 0.5)
        chances = np.convolve(chances, signs)
    most = len(chances) // 2
    far = np.abs(np.arange(-most, most + 1)) >= seen
    return min(1.0, float(chances[far].sum()))


def chi_square_test(table: ArrayLike, *, yates: bool = False) -> HypothesisTest:
    """Pearson's chi-square test of a table of counts (rows, columns), by default without Yates.

    Rows and columns without any count are left out. Sums of fractional scores may replace counts;
    ``n`` is then their rounded total.
    """
    from scipy import special

    counts = np.asarray(table, dtype=np.float64)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    method = "chi-square" + (" with Yates' correction" if yates else "")
    n = round(counts.sum())
    if min(counts.shape) < 2:
        return HypothesisTest(None, None, n, method, reason="there is nothing to compare")
    # As scipy.stats.chi2_contingency, in a tenth of its time: figures test hundreds of tables.
    expected = counts.sum(axis=1, keepdims=True) * counts.sum(axis=0, keepdims=True) / counts.sum()
    df = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    if yates and df == 1:
        apart = expected - counts
        counts = counts + np.minimum(0.5, np.abs(apart)) * np.sign(apart)
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return HypothesisTest(
        statistic, clamp_p_value(float(special.chdtrc(df, statistic))), n, method, df
    )


_RANDOM_TABLES, _EXCEEDED = (499, 1_500, 3_000), 50
"""How many tables are drawn, in turns, where more than two groups have small cells. It is enough
when so many are at least as far from equal shares: p is then above .01, and its error below a
seventh of it."""
_SMALL_OF_TWO, _SMALL_OF_MANY = 100, 10
"""Below this expected count p is not chi-square's: in a table of two groups, and of more. Small p
values are compared with small fractions of .05, where chi-square is wrong long before .05 is."""


def independence_test(table: ArrayLike) -> HypothesisTest:
    """Whether groups (rows) of whole counts (rows, 2) have the same share, also where cells are
    small.

    ``statistic`` is always Pearson's chi-square, and where all expected counts are large so is p.
    Else p is Fisher's exact test's for two groups, and for more the share of random tables with the
    same totals (and the one seen) that are at least as far from equal shares: seeded, and never
    below 1 in 5,000. ``method`` names which; both are valid at any size.
    Rows and columns without any count are left out.

    Sources: Fisher, Statistical Methods for Research Workers (1934), section 21.02; Phipson and
    Smyth (2010), Statistical Applications in Genetics and Molecular Biology 9 (p of random tables).
    """
    counts = np.rint(np.asarray(table, dtype=np.float64)).astype(np.int64)
    found = chi_square_test(counts)
    if found.statistic is None:
        return found
    counts = counts[counts.sum(axis=1) > 0]
    sizes, yes, n = counts.sum(axis=1), int(counts[:, 0].sum()), int(counts.sum())
    least = float(sizes.min()) * min(yes, n - yes) / n
    if len(sizes) == 2 and least < _SMALL_OF_TWO:
        p, method = _fisher(int(counts[0, 0]), int(sizes[0]), yes, n), "p of Fisher exact"
    elif len(sizes) > 2 and least < _SMALL_OF_MANY:
        p, method = _as_far_at_random(found.statistic, sizes, yes), "p of random tables"
    else:
        return found
    return HypothesisTest(found.statistic, clamp_p_value(p), found.n, f"{found.method}, {method}")


def _fisher(yes: int, size: int, all_yes: int, n: int) -> float:
    """The chance, given all totals, of a table at most as likely as that with ``yes``."""
    from scipy.special import gammaln

    def ways(whole: int, part: NDArray[np.int64]) -> Floats:
        return np.asarray(-gammaln(part + 1) - gammaln(whole - part + 1))

    possible = np.arange(max(0, size + all_yes - n), min(size, all_yes) + 1)
    logs = ways(all_yes, possible) + ways(n - all_yes, size - possible)
    chances = np.exp(logs - logs.max())
    seen = chances[yes - possible[0]]
    return float(chances[chances <= seen * (1 + 1e-7)].sum() / chances.sum())


def _as_far_at_random(seen: float, sizes: NDArray[np.int64], yes: int) -> float:
    """The share of random tables whose chi-square is ``seen`` or more; that seen is one of them."""
    draws, share = np.random.default_rng(SEED), yes / sizes.sum()
    far = drawn = 0
    for times in _RANDOM_TABLES:
        tables = draws.multivariate_hypergeometric(sizes, yes, times)
        apart = ((tables - sizes * share) ** 2 / sizes).sum(axis=1) / (share * (1 - share))
        far += int(np.count_nonzero(apart >= seen * (1 - 1e-9)))
        drawn += times
        if far >= _EXCEEDED:
            break
    return (1 + far) / (1 + drawn)


def holm_adjust(p_values: ArrayLike) -> Floats:
    """P values adjusted by Holm (1979), (n,); NaN (not tested) stays NaN and does not count."""

    def step_down(p: Floats) -> Floats:
        return np.asarray(np.maximum.accumulate(p * np.arange(len(p), 0, -1)))

    return _adjusted(p_values, step_down)


def benjamini_hochberg(p_values: ArrayLike) -> Floats:
    """P values adjusted by Benjamini and Hochberg (1995), (n,); NaN stays NaN and does not
    count."""
    return _adjusted(p_values, lambda p: _step_up(p, np.arange(1, len(p) + 1) / len(p)))


def benjamini_yekutieli(p_values: ArrayLike) -> Floats:
    """P values adjusted by Benjamini and Yekutieli (2001), (n,), whose tests may depend on each
    other; NaN stays NaN and does not count."""

    def step_up(p: Floats) -> Floats:
        ranks = np.arange(1, len(p) + 1)
        return _step_up(p, ranks / len(p) / np.sum(1 / ranks))

    return _adjusted(p_values, step_up)


def cohens_h(first: float, second: float) -> float:
    """Cohen's h between two proportions: 2 asin sqrt(first) - 2 asin sqrt(second).

    Source: Cohen, Statistical Power Analysis (1988), chapter 6. Raises ``ValueError`` outside 0..1.
    """
    if not (0 <= first <= 1 and 0 <= second <= 1):
        raise ValueError("proportions lie between 0 and 1")
    return 2 * math.asin(math.sqrt(first)) - 2 * math.asin(math.sqrt(second))


def estimate_odds_ratio(table: ArrayLike) -> Estimate:
    """Odds ratio of a 2 x 2 table of counts, with Woolf's logit interval and its p value.

    Undefined if a cell is zero: the interval uses 1/count. Source: Woolf (1955), Annals of Human
    Genetics 19.
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.shape != (2, 2):
        raise ValueError("an odds ratio takes two rows and two columns")
    n = int(counts.sum())
    method = "odds ratio, Woolf"
    if (counts == 0).any():
        return Estimate.undefined_estimate("a cell of the table is zero", n, method=method)
    value = float(counts[0, 0] * counts[1, 1] / (counts[0, 1] * counts[1, 0]))
    error = math.sqrt(float((1 / counts).sum()))
    z = float(scipy.special.ndtri((1 + CONFIDENCE) / 2))
    return Estimate(
        value,
        math.exp(math.log(value) - z * error),
        math.exp(math.log(value) + z * error),
        n,
        method,
        p=clamp_p_value(float(2 * scipy.special.ndtr(-abs(math.log(value)) / error))),
    )


_ORDERED = 7
"""Up to this many pairs, all orders are tried: 5,040."""


def estimate_spearman_correlation(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Spearman's rank correlation of two columns (n,), with its interval and its p value.

    The interval is Fisher's z with the variance (1 + rho^2 / 2) / (n - 3) of Bonett and Wright
    (2000), Psychometrika 65; there is none for n < 4 or if the ranks agree or disagree completely.
    p is that of the interval's method, so that it is below 0.05 exactly if the interval excludes 0,
    and no smaller than the share of all orders of one column that agree or disagree as much (up to
    ``_ORDERED`` pairs; beyond that, than 2 / n!, the least that orders can give). Without an
    interval it is that share, or comes from t.
    """
    from scipy import stats

    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    n, method = len(x), "Spearman"
    if n < 3:
        return Estimate.undefined_estimate("it takes three pairs or more", n, method=method)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return Estimate.undefined_estimate("one of the two does not vary", n, method=method)
    outcome = stats.spearmanr(x, y)
    rho, least = float(outcome.statistic), 2 * math.exp(-math.lgamma(n + 1))
    if n <= _ORDERED:
        ranks = stats.rankdata(x), stats.rankdata(y)
        products = np.array(list(permutations(ranks[1]))) @ ranks[0]
        middle = n * (n + 1) ** 2 / 4
        seen = abs(float(ranks[0] @ ranks[1]) - middle)
        least = float((np.abs(products - middle) >= seen - 1e-9).mean())
    if n < 4 or abs(rho) > 1 - 1e-12:
        p = least if n <= _ORDERED else max(float(outcome.pvalue), least)
        return Estimate(rho, None, None, n, f"{method}, no interval", p=clamp_p_value(p))
    error, centre = math.sqrt((1 + rho * rho / 2) / (n - 3)), math.atanh(rho)
    half = float(scipy.special.ndtri((1 + CONFIDENCE) / 2)) * error
    p = max(2 * float(scipy.special.ndtr(-abs(centre) / error)), least)
    return Estimate(
        rho,
        math.tanh(centre - half),
        math.tanh(centre + half),
        n,
        f"{method}, interval of Bonett and Wright, and its test",
        p=clamp_p_value(p),
    )


def _step_up(p: Floats, shares: Floats) -> Floats:
    return np.asarray(np.minimum.accumulate((p / shares)[::-1])[::-1])


def _adjusted(p_values: ArrayLike, step: Callable[[Floats], Floats]) -> Floats:
    """P values adjusted by ``step``, which gets them in ascending order."""
    p = np.asarray(p_values, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    order = np.argsort(p, kind="stable")[: np.count_nonzero(~np.isnan(p))]  # NaN comes last
    adjusted[order] = np.clip(step(p[order]), SMALLEST_P, 1.0)
    return adjusted


def _count(value: int) -> int:
    if value < 0:
        raise ValueError(f"{value} is not a count")
    return value
