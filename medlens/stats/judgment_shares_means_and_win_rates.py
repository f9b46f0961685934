"""Figures made from people's judgments, which lie in items and in raters: one place for all.

Each statistic is a sum over judgments, or is made one by its influence function: how much each
judgment moves it. Squared sums of these by item, by rater, and by what one rater said of one item
give its variance (Cameron, Gelbach and Miller 2011): items + raters - cells, never below the larger
of the first two. Degrees of freedom are Satterthwaite's. Where raters are too few, or the panel is
fixed, it is that of the items alone (``scope_of_inference_over_raters``). A test beside an interval
comes from the same variance and the same degrees of freedom, at the value of the null hypothesis,
so that p is below 0.05 exactly if the interval excludes that value.

Sources: Cameron, Gelbach & Miller (2011), JBES 29; Satterthwaite (1946), Biometrics Bulletin 2;
Korn & Graubard (1998), Survey Methodology 24; Woodruff (1952), JASA 47.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medlens.deferred_module import np, scipy
from medlens.stats.estimate import Estimate, OfRater
from medlens.stats.hypothesis_tests_and_effect_sizes import clamp_p_value
from medlens.stats.intervals import (
    EXTREME,
    FEWEST,
    RARE,
    Kind,
    effective_sample_sizes_and_cluster_counts,
    method_ending_if_rows_are_too_few,
    sums_of_tops_and_bottoms_of_each_cluster,
    wilson_bounds_of_shares,
)
from medlens.stats.intervals import estimate_clustered_mean as mean_of_rows
from medlens.stats.paired_proportions import bradley_terry_strengths, low_and_high_tango_bounds
from medlens.stats.scope_of_inference_over_raters import (
    FEWEST_RATERS,
    RATERS_LIKE_THESE,
    JudgmentItemsAndRaters,
    Method,
    are_raters_enough_to_speak_for_others,
    words_for_these_raters_alone,
)
from medlens.stats.smoothed_bootstrap import CONFIDENCE, Floats, Ints, divide_arrays_or_nan

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class _Precision:
    """How sure a figure is: its ``variance`` or, for shares of a range, the ``size`` in independent
    rows; degrees of freedom; over which units, in words; whom it speaks for.
    """

    amount: float
    df: float
    over: str
    speaks_for: str


def _combined(
    of_items: float, of_raters: float, of_cells: float, judgments: JudgmentItemsAndRaters
) -> tuple[float, float]:
    """Variance and degrees of freedom from one-way variances over items, raters and cells.

    What is taken off is what items and raters both count: a judgment's own error. The cells hold a
    part of the items' and of the raters' variance too, which is removed as in a balanced analysis
    of variance; where items or raters have hardly more than one judgment it cannot be told apart.
    """
    items, raters, n = judgments.item_count, judgments.rater_count, len(judgments)
    of_item, of_rater = items / n, raters / n
    apart = 1 - of_item - of_rater
    own = of_cells
    if apart >= _TOLD_APART:
        own = min(max((of_cells - of_items * of_item - of_raters * of_rater) / apart, 0.0), own)
    amount = max(of_items, of_raters, of_items + of_raters - own)
    free = judgments.effect_of_unequal_workload.effective - 1
    parts = of_items**2 / max(items - 1, 1) + of_raters**2 / free
    df = (of_items + of_raters) ** 2 / parts if parts > 0 else min(items - 1, free)
    return amount, df


_TOLD_APART = 0.25
"""From this part of the judgments on, free of items and raters, their own error is told apart."""


def _size(
    tops: Floats, bottoms: Floats, judgments: JudgmentItemsAndRaters, method: Method, *, whole: bool
) -> _Precision:
    """The number of independent rows as informative as the judgments, for a share of a range."""

    fractional = not whole and bool((tops != np.floor(tops)).any())

    def size_over(codes: Ints, extreme: float) -> float:
        if fractional:
            summed = sums_of_tops_and_bottoms_of_each_cluster(tops, bottoms, codes)
        else:
            summed = (
                np.bincount(codes, tops).astype(np.float64)[:, None],
                np.bincount(codes, bottoms).astype(np.float64)[:, None],
            )
        sizes, _ = effective_sample_sizes_and_cluster_counts(*summed, whole=whole, extreme=extreme)
        return float(sizes[0])

    items = judgments.item_count
    of_items = size_over(judgments.item_codes, EXTREME)
    if not judgments.can_speak_for_others(method) or items < FEWEST:
        return _Precision(
            of_items, items - 1.0, judgments.unit, judgments.words_for_these_raters_alone
        )
    # The extremes are added once, to the items.
    raters, correction = judgments.rater_count, judgments.effect_of_unequal_workload.correction
    of_raters = correction * (raters - 1) / raters / size_over(judgments.rater_codes, 0.0)
    of_cells = size_over(judgments.codes_of_item_and_rater_cells, 0.0)
    amount, df = _combined(1 / of_items, of_raters, 1 / of_cells, judgments)
    return _Precision(max(1.0, 1 / amount), df, f"{judgments.unit} and raters", RATERS_LIKE_THESE)


def estimate_share_of_judgments(
    hits: ArrayLike, judgments: JudgmentItemsAndRaters, *, by_rater: bool = False
) -> Estimate:
    """The share of yes among judgments (n,) of yes and no, with Wilson's interval; ``by_rater``
    adds each rater's own.
    """
    given = np.asarray(hits, dtype=np.float64)
    found = _share(given, judgments, "share", whole=True)
    return replace(found, of_raters=judgments.list_mean_of_each_rater(given)) if by_rater else found


def _share(
    given: Floats, judgments: JudgmentItemsAndRaters, method: Method, *, whole: bool
) -> Estimate:
    n, name = len(given), "share" if method == "share" else "mean"
    if n == 0:
        return Estimate.undefined_estimate("there is nothing to count", method=name, denominator=0)
    value, top = float(np.sort(given).sum() / n), round(float(given.sum()))
    if judgments.item_count < FEWEST:
        name += method_ending_if_rows_are_too_few(judgments.unit)
        return Estimate(
            value, None, None, n, name, top, n, speaks_for=judgments.words_for_these_raters_alone
        )
    sure = _size(given, np.ones(n), judgments, method, whole=whole)
    low, high = map(float, wilson_bounds_of_shares(value, sure.amount, sure.df))
    alone = whole and judgments.item_count == n and sure.speaks_for != RATERS_LIKE_THESE
    name = "Wilson with t" if alone else f"{name}; Wilson over {sure.over}"
    return Estimate(value, low, high, n, name, top, n, speaks_for=sure.speaks_for)


def _variance(influence: Floats, judgments: JudgmentItemsAndRaters, method: Method) -> _Precision:
    """The variance of a statistic from the influence of each judgment (n,), which sum to 0."""
    # In one order, so that the same rows in another give the same to the last digit.
    order = np.lexsort((influence, judgments.rater_codes, judgments.item_codes))

    def squares(codes: Ints) -> float:
        return float((np.bincount(codes[order], weights=influence[order]) ** 2).sum())

    items = judgments.item_count
    of_items = squares(judgments.item_codes) * items / max(items - 1, 1)
    if not judgments.can_speak_for_others(method) or items < FEWEST:
        return _Precision(
            of_items, items - 1.0, judgments.unit, judgments.words_for_these_raters_alone
        )
    of_raters = squares(judgments.rater_codes) * judgments.effect_of_unequal_workload.correction
    of_cells = squares(judgments.codes_of_item_and_rater_cells)
    amount, df = _combined(of_items, of_raters, of_cells, judgments)
    return _Precision(amount, df, f"{judgments.unit} and raters", RATERS_LIKE_THESE)


def _t(df: float) -> float:
    return float(scipy.special.stdtrit(df, (1 + CONFIDENCE) / 2))


def estimate_mean_of_judgments(
    values: ArrayLike,
    judgments: JudgmentItemsAndRaters,
    *,
    kind: Kind | tuple[float, float] = "amount",
) -> Estimate:
    """The mean of judgments (n,), those that are NaN left out, with each rater's own.

    ``kind`` is as in ``intervals.estimate_clustered_mean``: two ends of a scale, "amount" or
    "difference".

    Raises:
        ValueError: a value is not of its kind.
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    numbers, of = numbers[known], judgments.select_judgments_in_rows(known)
    n = len(numbers)
    if n == 0:
        return Estimate.undefined_estimate("there are no values", method="mean")
    return replace(_mean(numbers, of, kind), of_raters=of.list_mean_of_each_rater(numbers))


def _mean(
    numbers: Floats, of: JudgmentItemsAndRaters, kind: Kind | tuple[float, float]
) -> Estimate:
    n = len(numbers)
    value = float(np.sort(numbers).sum() / n)
    if not isinstance(kind, str):
        low, high = kind
        if numbers.min() < low - 1e-9 or numbers.max() > high + 1e-9:
            raise ValueError(f"a score lies outside {low} and {high}")
        part = _share(np.clip((numbers - low) / (high - low), 0, 1), of, "mean", whole=False)
        part = replace(part, numerator=None, denominator=None)
        if part.low is None or part.high is None:
            return replace(part, value=value)
        back = [low + (high - low) * bound for bound in (part.low, part.high)]
        return replace(part, value=value, low=min(back[0], value), high=max(back[1], value))
    if kind == "amount" and numbers.min() < 0:
        raise ValueError("an amount is not below zero")
    if of.item_count < FEWEST:
        name = "mean" + method_ending_if_rows_are_too_few(of.unit)
        return Estimate(value, None, None, n, name, speaks_for=of.words_for_these_raters_alone)
    sure = _variance((numbers - value) / n, of, "mean")
    if sure.amount <= 1e-18 * max(1.0, value * value):
        name = "mean, no interval: they are all alike"
        return Estimate(value, None, None, n, name, speaks_for=of.words_for_these_raters_alone)
    t = _t(sure.df)
    if kind == "difference":
        half, name = t * sure.amount**0.5, f"mean; t over {sure.over}"
        return Estimate(value, value - half, value + half, n, name, speaks_for=sure.speaks_for)
    size = value / sure.amount
    if np.array_equal(numbers, np.floor(numbers)):
        # Counts vary at least as much as Poisson's; a smaller variance would be luck.
        size = min(size, float(n))
    half = t * (value / size + t * t / (4 * size * size)) ** 0.5
    centre = value + t * t / (2 * size)
    name = f"mean; score interval over {sure.over}"
    return Estimate(
        value, max(0.0, centre - half), centre + half, n, name, speaks_for=sure.speaks_for
    )


def estimate_median_of_judgments(values: ArrayLike, judgments: JudgmentItemsAndRaters) -> Estimate:
    """The median of judgments (n,), those that are NaN left out, with Woodruff's interval."""
    numbers = np.asarray(values, dtype=np.float64)
    known = np.isfinite(numbers)
    given, of = numbers[known], judgments.select_judgments_in_rows(known)
    n, ordered = len(given), np.sort(given)
    if n == 0:
        return Estimate.undefined_estimate("there are no values", method="median")
    value = float(np.median(ordered))
    if of.item_count < FEWEST:
        name = "median" + method_ending_if_rows_are_too_few(of.unit)
        return Estimate(value, None, None, n, name, speaks_for=of.words_for_these_raters_alone)
    below = (given <= value).astype(np.float64)
    sure = _size(below, np.ones(n), of, "median", whole=True)
    low, _ = wilson_bounds_of_shares(0.5, sure.amount, sure.df)
    # Rounded to the nearest value: of ten, rounding inwards would cover 89 %.
    at = max(round(float(low) * n), 1) - 1
    return Estimate(
        value,
        min(float(ordered[at]), value),
        max(float(ordered[n - 1 - at]), value),
        n,
        f"median; Woodruff over {sure.over}",
        speaks_for=sure.speaks_for,
    )


def _two_sided(statistic: float, df: float) -> float:
    return clamp_p_value(min(1.0, 2 * float(scipy.special.stdtr(df, -abs(statistic)))))


def estimate_weighted_mean_of_judgments(
    values: ArrayLike, weights: ArrayLike, judgments: JudgmentItemsAndRaters
) -> Estimate:
    """A mean of judgments (n,) with weights (n,) of their own, as a difference: values of either
    sign, with Student's t. Rows without a value or weight are left out.
    """
    numbers, weight = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    known = np.isfinite(numbers) & (weight > 0)
    numbers, weight, of = numbers[known], weight[known], judgments.select_judgments_in_rows(known)
    n = len(numbers)
    if n == 0:
        return Estimate.undefined_estimate("there are no values", method="mean")
    weight = weight / weight.sum()
    return _with_t(float(weight @ numbers), weight, numbers, of, n)


def _with_t(
    value: float, weight: Floats, numbers: Floats, of: JudgmentItemsAndRaters, n: int
) -> Estimate:
    if of.item_count < FEWEST:
        name = "mean" + method_ending_if_rows_are_too_few(of.unit)
        return Estimate(value, None, None, n, name, speaks_for=of.words_for_these_raters_alone)
    sure = _variance(weight * (numbers - value), of, "mean")
    if sure.amount <= 1e-18 * max(1.0, value * value):
        name = "mean, no interval: they are all alike"
        return Estimate(value, None, None, n, name, speaks_for=of.words_for_these_raters_alone)
    half, name = _t(sure.df) * sure.amount**0.5, f"mean; t over {sure.over}"
    return Estimate(value, value - half, value + half, n, name, speaks_for=sure.speaks_for)


def estimate_mean_of_rater_shares(hits: ArrayLike, judgments: JudgmentItemsAndRaters) -> Estimate:
    """The mean of the raters' own shares of yes among judgments (n,), each rater counting once;
    ``n`` is the number of raters.

    For raters like these the interval is over raters; for these alone it is over items.
    """
    given, raters = np.asarray(hits, dtype=np.float64), judgments.rater_count
    if not raters:
        return Estimate.undefined_estimate("there are no values", method="mean")
    counts = np.bincount(judgments.rater_codes)
    own = np.bincount(judgments.rater_codes, given) / counts
    if are_raters_enough_to_speak_for_others(
        raters, FEWEST_RATERS["mean"], fixed=judgments.fixed_panel
    ):
        over_raters = mean_of_rows(own, kind=(0.0, 1.0), unit="people")
        return replace(over_raters, speaks_for=RATERS_LIKE_THESE)
    value, name = float(np.sort(own).mean()), "mean"
    if judgments.item_count < FEWEST:
        name += method_ending_if_rows_are_too_few(judgments.unit)
        return Estimate(
            value, None, None, raters, name, speaks_for=judgments.words_for_these_raters_alone
        )
    of_raters = own[judgments.rater_codes]
    influence = (given - of_raters) / (raters * counts[judgments.rater_codes])
    # How far raters are apart makes no difference to these, so their own shares are taken off.
    sure = _variance(influence, replace(judgments, fixed_panel=True), "mean")
    size = float(judgments.item_count)
    if sure.amount > 0:
        size = min(max(1.0, value * (1 - value) / sure.amount), float(len(given)))
    low, high = map(float, wilson_bounds_of_shares(value, size, sure.df))
    name = f"mean; Wilson over {judgments.unit}"
    return Estimate(
        value, low, high, raters, name, speaks_for=judgments.words_for_these_raters_alone
    )


# -- differences -----------------------------------------------------------------------------------


def estimate_change_in_share(
    late: ArrayLike, early: ArrayLike, judgments: JudgmentItemsAndRaters
) -> Estimate:
    """The share of yes afterwards minus that before, of pairs (n,) of yes and no, each of one rater
    and one item; with Tango's interval, the score test of no change, and each rater's own.

    Nothing is tested if nothing changed.
    """
    after, before = np.asarray(late, dtype=np.float64), np.asarray(early, dtype=np.float64)
    apart = after - before
    if not len(apart):
        return Estimate.undefined_estimate(
            "there are no pairs", method="difference of shares in pairs"
        )
    value = float(apart.sum() / len(apart))
    sure = _variance((apart - value) / len(apart), judgments, "change")
    found = _difference_of_shares(apart, sure, judgments)
    return replace(found, of_raters=judgments.list_mean_of_each_rater(apart))


def _difference_of_shares(
    apart: Floats, sure: _Precision, judgments: JudgmentItemsAndRaters
) -> Estimate:
    """From differences (n,) of -1 to 1 between yes and no, and the variance of their mean."""
    n, count = len(apart), judgments.item_count
    value = float(apart.sum() / n)
    method = "difference of shares in pairs"
    if count < FEWEST:
        method += method_ending_if_rows_are_too_few(judgments.unit)
        return Estimate(
            value, None, None, n, method, speaks_for=judgments.words_for_these_raters_alone
        )
    # As for a share: a tenth of an item of each extreme, the difference being a score of 0 to 1.
    half = (value + 1) / 2
    variance = sure.amount + 4 * EXTREME * (half**2 + (1 - half) ** 2) / count**2
    first, second = float(apart[apart > 0].sum()), float(-apart[apart < 0].sum())
    plain = ((first + second) / n - value * value) / n
    # Differences of yes and no cannot be surer than so many single pairs; those of shares can.
    whole = bool((apart == np.rint(apart)).all())
    part = max(plain / variance, 1 / n) if plain > 0 else count / n
    part = min(part, 1.0) if whole else part
    t = _t(sure.df)
    low, high = low_and_high_tango_bounds(first * part, second * part, n * part, t)
    method = f"{method}; Tango over {sure.over}"
    p = None
    if first + second > 0:
        method = f"{method}, and its test"
        p = _two_sided((first - second) * part / ((first + second) * part) ** 0.5, sure.df)
    return Estimate(
        value,
        min(low, value),
        max(high, value),
        n,
        method,
        p=p,
        speaks_for=sure.speaks_for,
    )


@dataclass(frozen=True)
class _Comparisons:
    """Arms compared: the difference (rows,) in each comparison and the ``items`` (rows,) that it is
    of; how many are ``within`` raters; and what becomes of them without one rater's word on one
    item (cells,): the ``raters``, how much is ``less`` in the sum of the differences, and whether
    the comparison is ``gone``. ``fewest`` raters judged the arm that has fewer of them; ``free``
    are the degrees of freedom of the raters.
    """

    apart: Floats
    items: Ints
    within: int
    raters: Ints
    less: Floats
    gone: Floats
    fewest: int
    free: int


def estimate_difference_between_two_arms(
    values: ArrayLike, first: ArrayLike, judgments: JudgmentItemsAndRaters, *, shares: bool = False
) -> Estimate:
    """The ``first`` arm minus the other, of judgments (n,) with their arm (n, bool) and NaN without
    an answer, on the same items; with the test of no difference.

    Raters who judged both arms of an item are compared with themselves. On an item that nobody
    judged in both arms, the mean of the one arm is compared with that of the other. Every such
    comparison counts once; ``n`` is their number. ``shares`` are differences of yes and no.

    How much raters matter is how much the difference changes without each of them (jackknife), less
    what their single judgments do. It speaks for raters like these if both arms had enough of them.
    """
    numbers, arm = np.asarray(values, dtype=np.float64), np.asarray(first, dtype=bool)
    known = np.isfinite(numbers)
    of = judgments.select_judgments_in_rows(known)
    numbers, arm = numbers[known], arm[known]
    # In one order, so that the same rows in another give the same to the last digit.
    order = np.lexsort((numbers, arm, of.rater_codes, of.item_codes))
    compared = _comparisons(numbers[order], arm[order], of.select_judgments_in_rows(order))
    method = "difference of shares in pairs" if shares else "difference in pairs"
    n = len(compared.apart)
    if n == 0:
        return Estimate.undefined_estimate(
            f"no {of.unit.removesuffix('s')} has both", method=method
        )
    rows = JudgmentItemsAndRaters(compared.items, compared.items, of.unit, of.fixed_panel)
    these = words_for_these_raters_alone(len(np.unique(compared.raters)), fixed=of.fixed_panel)
    sure = _variance_of_comparisons(compared, rows, these, shares=shares)
    if shares:
        estimate = _difference_of_shares(compared.apart, sure, rows)
    else:
        estimate = _difference_by_t(compared.apart, sure, rows)
    between = n - compared.within
    how = "each rater with themselves"
    if between:
        alone = f"raters with each other on {between:,} {of.unit}"
        how = f"{compared.within:,} of raters with themselves, {alone}" if between < n else alone
    speaks_for = sure.speaks_for if estimate.low is not None else these
    # Those who judged one arm alone have no difference of their own.
    own = slice(0, compared.within)
    return replace(
        estimate,
        method=f"{estimate.method}; {how}",
        speaks_for=speaks_for,
        of_raters=of.list_mean_of_each_rater(compared.apart[own], compared.raters[own]),
    )


def _difference_by_t(
    apart: Floats, sure: _Precision, judgments: JudgmentItemsAndRaters
) -> Estimate:
    n, value = len(apart), float(np.sort(apart).sum() / len(apart))
    method = "difference in pairs"
    if judgments.item_count < FEWEST:
        return Estimate(
            value, None, None, n, method + method_ending_if_rows_are_too_few(judgments.unit)
        )
    if sure.amount <= 1e-18 * max(1.0, value * value):
        return Estimate(value, None, None, n, f"{method}, no interval: they are all alike")
    error = sure.amount**0.5
    half, p = _t(sure.df) * error, _two_sided(value / error, sure.df)
    return Estimate(
        value, value - half, value + half, n, f"{method}; t over {sure.over}, and its test", p=p
    )


def _comparisons(
    numbers: Floats, arm: NDArray[np.bool_], of: JudgmentItemsAndRaters
) -> _Comparisons:
    cells = of.codes_of_item_and_rater_cells
    count = int(cells.max(initial=-1)) + 1
    item_of, rater_of = np.zeros((2, count), dtype=np.int64)
    item_of[cells], rater_of[cells] = of.item_codes, of.rater_codes

    def by_arm(codes: Ints, weights: Floats | None, size: int) -> Floats:
        """Sums by code and arm, (size, 2); counts without weights."""
        sides = ((codes[side], None if weights is None else weights[side]) for side in (arm, ~arm))
        return np.column_stack([np.bincount(code, weight, size) for code, weight in sides])

    sums, counts = by_arm(cells, numbers, count), by_arm(cells, None, count)
    totals = by_arm(of.item_codes, numbers, of.item_count)
    sizes = by_arm(of.item_codes, None, of.item_count)

    def difference(total: Floats, size: Floats) -> Floats:
        means = divide_arrays_or_nan(total, size)
        return np.asarray(means[:, 0] - means[:, 1])

    own, whole = difference(sums, counts), difference(totals, sizes)
    within = np.isfinite(own)
    whole[item_of[within]] = np.nan
    compared = np.flatnonzero(np.isfinite(whole))
    apart = np.concatenate([own[within], whole[compared]])
    beside = np.isfinite(whole)[item_of]
    at = item_of[beside]
    without = difference(totals[at] - sums[beside], sizes[at] - counts[beside])
    left = np.isfinite(without)
    met = [set(rater_of[within | (beside & (counts[:, side] > 0))].tolist()) for side in (0, 1)]
    return _Comparisons(
        apart,
        np.concatenate([item_of[within], compared]),
        int(within.sum()),
        np.concatenate([rater_of[within], rater_of[beside]]),
        np.concatenate([own[within], whole[at] - np.where(left, without, 0.0)]),
        np.concatenate([np.ones(int(within.sum())), ~left]),
        min(map(len, met)),
        len(met[0] | met[1]) - (1 if met[0] & met[1] else 2),
    )


def _variance_of_comparisons(
    compared: _Comparisons, rows: JudgmentItemsAndRaters, these: str, *, shares: bool
) -> _Precision:
    apart, n = compared.apart, len(compared.apart)
    value = float(apart.mean())
    alone = _variance((apart - value) / n, replace(rows, fixed_panel=True), "difference")
    alone = replace(alone, speaks_for=these)
    fewest = FEWEST_RATERS["difference"]
    enough = are_raters_enough_to_speak_for_others(compared.fewest, fewest, fixed=rows.fixed_panel)
    if not enough or rows.item_count < FEWEST:
        return alone
    if compared.within == n:
        own = replace(rows, raters=compared.raters)
        return _variance((apart - value) / n, own, "difference")
    raters, codes = np.unique(compared.raters, return_inverse=True)
    less, gone = (
        np.bincount(codes, of).astype(np.float64) for of in (compared.less, compared.gone)
    )
    if (gone >= n).any():
        return alone

    # What leaving each rater out does to the difference, and what each of their judgments, whose
    # own error is a part of that, adds to it: from the comparisons that are left, as the other.
    left, jackknife = n - gone, (len(raters) - 1) / len(raters)
    moved = (gone * value - less) / left
    moved_by_cell = (compared.gone * value - compared.less) / left[codes]
    of_raters, of_cells = (jackknife * float((each**2).sum()) for each in (moved, moved_by_cell))
    # As in ``_combined``: what raters have in common is a part of their single judgments' too.
    part = len(raters) / max(len(compared.raters), 1)
    of_cells = max(of_cells - part * of_raters, 0.0) / (1 - part) if part < 1 else of_cells
    amount = max(alone.amount, alone.amount + of_raters - of_cells)
    if of_cells <= alone.amount:
        amount = max(amount, of_raters)
    parts = alone.amount**2 / (rows.item_count - 1) + of_raters**2 / max(compared.free, 1)
    df = (alone.amount + of_raters) ** 2 / parts if parts > 0 else alone.df
    if not shares:
        # The items' variance has raters' in it, and is no surer than theirs: with more, the test
        # of scores rejected up to 10 % under the null. Shares have a score interval, which does not
        # rest on the estimated variance as t does: with fewer, it rejected .3 %.
        df = min(df, max(compared.free, 1))
    return _Precision(amount, df, f"{rows.unit} and raters", RATERS_LIKE_THESE)


# -- preferences -----------------------------------------------------------------------------------


def estimate_win_rate(won: ArrayLike, judgments: JudgmentItemsAndRaters) -> Estimate:
    """The share of contests (n,) that were won: 1, 0 or, for a tie, a half; with Wilson's interval
    and the test that either side wins half of them, and each rater's own share.
    """
    results = np.asarray(won, dtype=np.float64)
    found = _share(results, judgments, "wins", whole=False)
    of_raters = judgments.list_mean_of_each_rater(results)
    found = replace(found, numerator=None, denominator=None, of_raters=of_raters)
    if found.value is None or found.low is None:
        return found
    size = _size(results, np.ones(len(results)), judgments, "wins", whole=False)
    p = _two_sided((found.value - 0.5) / (0.25 / size.amount) ** 0.5, size.df)
    # Of one or two rows the interval's bound is Poisson's, and so is the test.
    rows = max(found.value, 1 - found.value) * size.amount
    if rows <= RARE + 1e-9:
        p = max(p, float(scipy.special.gammainc(rows, size.amount / 2)))
    return replace(found, p=p, method=f"{found.method}, and its test")


def estimate_bradley_terry_chances(
    first: ArrayLike,
    second: ArrayLike,
    won: ArrayLike,
    judgments: JudgmentItemsAndRaters,
    *,
    count: int,
) -> list[Estimate]:
    """For each of ``count`` sides, its chance of winning against another, drawn at random.

    Each contest (n,) is of two sides, by number, with the result of the first: 1, 0, or a half for
    a tie. The interval is the score interval of a share, from the influence of each contest on the
    chance, in a model to which 1/count of an item is added for each order of two sides that met:
    what might have been seen but was not. Undefined if some never met, not even through others; two
    sides that never won, and so never met, have against each other the chance that this model says.
    A rater's own chance is the mean, over the sides that it met, of the share won against each.
    """
    one, two = np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)
    result = np.asarray(won, dtype=np.float64)
    method, items = "Bradley–Terry, chance against another", judgments.item_count
    games = np.zeros((count, count))
    np.add.at(games, (one, two), 1.0)
    games += games.T
    if count < 2 or scipy.sparse.csgraph.connected_components(games)[0] > 1:
        why = "not all were compared, not even by way of others"
        return [Estimate.undefined_estimate(why, items, method=method)] * count
    of_raters = _chances_of_raters(one, two, result, judgments, count)
    scored = np.zeros((2, count, count))
    np.add.at(scored[0], (one, two), result)
    np.add.at(scored[0], (two, one), 1 - result)
    unseen = games / items
    scored[1] = scored[0] + unseen / count
    own = np.stack([bradley_terry_strengths(each[None])[0] for each in scored])
    beats = divide_arrays_or_nan(own[:, :, None], own[:, :, None] + own[:, None, :])
    beats[0] = np.where(np.isnan(beats[0]), beats[1], beats[0])
    beats[:, range(count), range(count)] = 0.0
    chances = beats.sum(axis=2) / (count - 1)
    if items < FEWEST:
        method += method_ending_if_rows_are_too_few(judgments.unit)
        return [
            replace(
                Estimate(
                    float(value),
                    None,
                    None,
                    items,
                    method,
                    speaks_for=judgments.words_for_these_raters_alone,
                ),
                of_raters=own_chances,
            )
            for value, own_chances in zip(chances[0], of_raters, strict=True)
        ]
    # The information of the strengths' logarithms, and how each chance depends on these.
    steep = beats[1] * (1 - beats[1])
    steep[range(count), range(count)] = 0.0
    weighed = (games + 2 * unseen / count) * steep
    information = np.diag(weighed.sum(axis=1)) - weighed
    slopes = (np.diag(steep.sum(axis=1)) - steep) / (count - 1)
    moved = slopes @ np.linalg.pinv(information, hermitian=True)
    coefficients = moved[:, :, None] - moved[:, None, :]
    influence = coefficients[:, one, two] * (result - beats[1][one, two])
    extra = ((coefficients * unseen * (1 - beats[1])) ** 2).sum(axis=(1, 2)) / count
    found = []
    for value, smoothed, of_contest, added, own_chances in zip(
        chances[0], chances[1], influence, extra, of_raters, strict=True
    ):
        sure = _variance(of_contest, judgments, "strength")
        size = max(float(smoothed * (1 - smoothed) / (sure.amount + added)), 1.0)
        low, high = map(float, wilson_bounds_of_shares(value, size, sure.df))
        how = f"{method}; Wilson over {sure.over}"
        estimate = Estimate(float(value), low, high, items, how, speaks_for=sure.speaks_for)
        found.append(replace(estimate, of_raters=own_chances))
    return found


def _chances_of_raters(
    first: Ints, second: Ints, won: Floats, judgments: JudgmentItemsAndRaters, count: int
) -> list[tuple[OfRater, ...]]:
    """For each side, each rater's mean share of contests won against the sides that it met."""
    raters = judgments.rater_count
    met, wins_of = np.zeros((2, raters, count, count))
    for sides, results in (((first, second), won), ((second, first), 1 - won)):
        np.add.at(met, (judgments.rater_codes, *sides), 1.0)
        np.add.at(wins_of, (judgments.rater_codes, *sides), results)
    opponents = (met > 0).sum(axis=2)
    chances = divide_arrays_or_nan(
        np.nan_to_num(divide_arrays_or_nan(wins_of, met)).sum(axis=2), opponents.astype(float)
    )
    names = judgments.list_mean_of_each_rater(won)
    return [
        tuple(
            replace(one, value=float(chances[code, side]), n=int(met[code, side].sum()))
            for code, one in enumerate(names)
            if opponents[code, side]
        )
        for side in range(count)
    ]


# -- statistics with an interval of their own ------------------------------------------------------


def influence_of_judgments(columns: ArrayLike, statistic: Callable[[Floats], Floats]) -> Floats:
    """How much each judgment moves a statistic of sums: (n,), from what it adds to them, (n, k).

    ``statistic`` takes sums (m, k) and returns (m,); it must not change if all sums are doubled, as
    no share, F1 or kappa does. By the delta method, with numeric derivatives.
    """
    added = np.asarray(columns, dtype=np.float64)
    sums = added.sum(axis=0)
    steps = 1e-5 * np.maximum(np.abs(sums), 1.0)
    ends = [statistic(sums + sign * np.diag(steps)) for sign in (1.0, -1.0)]
    return np.asarray(added @ np.nan_to_num((ends[0] - ends[1]) / (2 * steps)))


def widen_interval_for_other_raters(
    estimate: Estimate,
    influence: ArrayLike,
    judgments: JudgmentItemsAndRaters,
    *,
    limits: tuple[float, float] = (-1.0, 1.0),
) -> Estimate:
    """An estimate with an interval over items, widened for raters like these if there are enough.

    Both sides grow by the ratio of the two errors, those over items and raters and those over items
    alone, each times its t; never beyond ``limits``. ``influence`` (n,) is of each judgment
    (``influence_of_judgments``). Otherwise it speaks for these raters and stays as it is.
    """
    these = replace(
        estimate, speaks_for=judgments.words_for_these_raters_alone if estimate.has_value else ""
    )
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return these
    moved = np.asarray(influence, dtype=np.float64)
    sure = _variance(moved, judgments, "resampled")
    if sure.speaks_for != RATERS_LIKE_THESE:
        return these
    alone = _variance(moved, replace(judgments, fixed_panel=True), "resampled")
    wider = 1.0
    if alone.amount > 0:
        wider = max(1.0, _t(sure.df) / _t(alone.df) * (sure.amount / alone.amount) ** 0.5)
    value = estimate.value
    return replace(
        estimate,
        low=max(limits[0], value - wider * (value - estimate.low)),
        high=min(limits[1], value + wider * (estimate.high - value)),
        method=f"{estimate.method}; widened for raters",
        speaks_for=RATERS_LIKE_THESE,
    )
