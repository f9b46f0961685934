"""Many figures of the same clustered data at once.

Shares have the interval of ``intervals``; a kappa, or a share corrected for the judge's error, has
that of ``smoothed_bootstrap``, drawing whole clusters (questions). A statistic that depends on sums
over clusters needs the sums once, (clusters, columns).

Sources: Rogan & Gladen (1978), American Journal of Epidemiology 107 (correction for the judge's
error); Lang & Reiczigel (2014), Preventive Veterinary Medicine 113 (what it takes to allow for both
errors).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate
from medlens.stats.hypothesis_tests_and_effect_sizes import HypothesisTest
from medlens.stats.intervals import (
    EXTREME,
    FEWEST,
    effective_sample_sizes_and_cluster_counts,
    method_ending_if_rows_are_too_few,
    wilson_bounds_of_shares,
)
from medlens.stats.judgment_shares_means_and_win_rates import (
    influence_of_judgments,
    widen_interval_for_other_raters,
)
from medlens.stats.paired_proportions import (
    estimate_clustered_paired_difference,
    score_test_of_paired_difference,
)
from medlens.stats.scope_of_inference_over_raters import JudgmentItemsAndRaters
from medlens.stats.smoothed_bootstrap import (
    Floats,
    Ints,
    Smoothing,
    divide_arrays_or_nan,
    estimate_from_sums,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Clusters:
    """Clusters, always drawn whole. ``names`` (rows,) gives each row's cluster.

    Clusters are sorted by name, so that the same rows in another order give the same figures.
    """

    names: ArrayLike
    unit: str = "questions"
    codes: Ints = field(init=False)
    count: int = field(init=False)

    def __post_init__(self) -> None:
        """Number the clusters."""
        found, codes = np.unique(np.asarray(self.names), return_inverse=True)
        object.__setattr__(self, "codes", codes.astype(np.int64))
        object.__setattr__(self, "count", len(found))

    def array_of_cluster_sums(self, codes: Ints, weights: ArrayLike | None = None) -> Floats:
        """Sums by cluster, (clusters,), of rows with the clusters ``codes``."""
        given = None if weights is None else np.asarray(weights, dtype=np.float64)
        return np.bincount(codes, weights=given, minlength=self.count).astype(np.float64)

    def estimate_share_of_hits(
        self,
        hits: ArrayLike,
        counted: ArrayLike | None = None,
        *,
        undefined_because: str = "there is nothing to count",
    ) -> Estimate:
        """The share of ``hits`` (rows, bool) among the rows ``counted``."""
        hit = np.asarray(hits, dtype=bool)
        among = np.ones(len(hit), dtype=bool) if counted is None else np.asarray(counted, bool)
        tops, bottoms = (
            self.array_of_cluster_sums(self.codes, hit & among),
            self.array_of_cluster_sums(self.codes, among),
        )
        return self.estimate_ratios_of_sums(
            tops[:, None],
            bottoms[:, None],
            undefined_because=undefined_because,
        )[0]

    def estimate_ratios_of_sums(
        self,
        numerators: Floats,
        denominators: Floats,
        *,
        undefined_because: str = "there is nothing to count",
    ) -> list[Estimate]:
        """Shares from sums by cluster, (clusters, figures) each, in order.

        ``n`` and ``denominator`` are the number of rows counted.
        """
        tops = np.rint(numerators.sum(axis=0)).astype(np.int64)
        bottoms = np.rint(denominators.sum(axis=0)).astype(np.int64)
        sizes, clusters = effective_sample_sizes_and_cluster_counts(numerators, denominators)
        shares = divide_arrays_or_nan(numerators.sum(axis=0), denominators.sum(axis=0))
        enough = clusters >= FEWEST
        bounds = np.full((2, len(tops)), np.nan)
        bounds[:, enough] = wilson_bounds_of_shares(
            shares[enough], sizes[enough], clusters[enough] - 1
        )
        return [
            self._ratio(int(top), int(bottom), int(count), low, high, undefined_because)
            for top, bottom, count, low, high in zip(
                tops, bottoms, clusters, *bounds.tolist(), strict=True
            )
        ]

    def _ratio(
        self, top: int, bottom: int, clusters: int, low: float, high: float, why: str
    ) -> Estimate:
        if bottom == 0:
            return Estimate.undefined_estimate(why, 0, method="share", denominator=0)
        value = top / bottom
        method = "Wilson with t" if clusters == bottom else f"share; Wilson over {self.unit}"
        given = clusters >= FEWEST
        return Estimate(
            value,
            low if given else None,
            high if given else None,
            bottom,
            method if given else "share" + method_ending_if_rows_are_too_few(self.unit),
            numerator=top,
            denominator=bottom,
        )

    def estimate_statistic_of_sums(
        self,
        sums: Floats,
        statistic: Callable[[Floats], Floats],
        *,
        smoothing: Smoothing,
        method: str,
        undefined_because: str,
        n: int,
    ) -> Estimate:
        """A statistic of the sums (clusters, k), with an interval by smoothed resampling.

        ``statistic`` takes sums (m, k) and returns (m,), NaN if it has no value. Empty clusters are
        not drawn.
        """
        there = sums[np.any(sums != 0, axis=1)]
        if len(there) == 0:
            return Estimate.undefined_estimate(undefined_because, n, method=method)
        return estimate_from_sums(
            there,
            np.ones(len(there), dtype=np.int64),
            statistic,
            smoothing=smoothing,
            method=method,
            undefined_because=undefined_because,
            unit=self.unit,
            n=n,
        )


def estimate_clustered_kappa(
    clusters: Clusters, codes: Ints, first: ArrayLike, second: ArrayLike
) -> Estimate:
    """Cohen's kappa of two lists (rows,) of yes (1) and no (0) in the clusters ``codes``."""
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)

    def columns(a: Floats, b: Floats) -> Floats:
        return np.column_stack([np.ones(len(a)), a == b, a == 1, b == 1])

    def statistic(drawn: Floats) -> Floats:
        n = drawn[:, 0]
        yes, too = divide_arrays_or_nan(drawn[:, 2], n), divide_arrays_or_nan(drawn[:, 3], n)
        chance = yes * too + (1 - yes) * (1 - too)
        # A chance agreement of 1, up to rounding: both always said the same.
        spread = np.where(1 - chance > 1e-12, 1 - chance, 0.0)
        return divide_arrays_or_nan(divide_arrays_or_nan(drawn[:, 1], n) - chance, spread)

    sums = np.column_stack(
        [clusters.array_of_cluster_sums(codes, column) for column in columns(one, two).T]
    )
    filled = sums[:, 0] > 0
    size = len(one) / max(int(filled.sum()), 1)
    common = float(one.sum() + two.sum() > len(one))
    alike = (sums[:, 2] == common * sums[:, 0]) & (sums[:, 3] == common * sums[:, 0])
    # As for two raters' ratings: both say no, both say yes, only the one says yes, only the other.
    unseen = size * columns(np.array([0.0, 1, 1, 0]), np.array([0.0, 1, 0, 1]))
    return clusters.estimate_statistic_of_sums(
        sums,
        statistic,
        method="Cohen's kappa",
        n=len(one),
        smoothing=Smoothing(unseen, np.array([0.5, 0.5, 0.25, 0.25]), int((filled & ~alike).sum())),
        undefined_because="both gave one and the same answer throughout, or none",
    )


def estimate_clustered_macro_f1(
    clusters: Clusters,
    codes: Ints,
    first: ArrayLike,
    second: ArrayLike,
    *,
    raters: ArrayLike | None = None,
) -> Estimate:
    """The mean of the F1 of yes and the F1 of no, of two lists (rows,) of yes (1) and no (0) in the
    clusters ``codes``; undefined if a class is in neither list.

    With ``raters`` (rows,), of whom each row has one, the interval is for raters like these if
    there are enough.
    """
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)

    def columns(a: Floats, b: Floats) -> Floats:
        return np.column_stack([(a == 1) & (b == 1), (a == 0) & (b == 0), a != b]).astype(float)

    def statistic(drawn: Floats) -> Floats:
        both = 2 * drawn[:, :2]
        found: Floats = divide_arrays_or_nan(both, both + drawn[:, [2]]).mean(axis=1)
        return found

    sums = np.column_stack(
        [clusters.array_of_cluster_sums(codes, column) for column in columns(one, two).T]
    )
    whole = sums.sum(axis=1)
    size = len(one) / max(int((whole > 0).sum()), 1)
    common = int(np.argmax(sums[:, :2].sum(axis=0)))
    unseen = size * columns(np.array([0.0, 1, 1, 0]), np.array([0.0, 1, 0, 1]))
    informative = int(((whole > 0) & (sums[:, common] != whole)).sum())
    over_items = clusters.estimate_statistic_of_sums(
        sums,
        statistic,
        method="macro F1",
        n=len(one),
        smoothing=Smoothing(unseen, np.array([0.5, 0.5, 0.25, 0.25]), informative),
        undefined_because="one of the answers was given by nobody",
    )
    if raters is None:
        return over_items
    judgments = JudgmentItemsAndRaters(codes, raters, unit=clusters.unit)
    influence = influence_of_judgments(columns(one, two), statistic)
    return widen_interval_for_other_raters(over_items, influence, judgments, limits=(0.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class Rates:
    """A judge's yes and no compared with the truth."""

    agreement: Estimate
    sensitivity: Estimate
    specificity: Estimate
    kappa: Estimate


def estimate_judge_agreement_rates_and_kappa(
    clusters: Clusters, said: Floats, truth: Floats, *, none: str, neither: tuple[str, str]
) -> Rates:
    """How well a judge's answers (rows,) match the truth (rows,), each 1, 0 or NaN if not known.

    ``none`` is the reason if no row has both, ``neither`` if in these no truth is yes, or none is
    no.
    """
    both = ~(np.isnan(said) | np.isnan(truth))
    right = both & (said == truth)

    def share(true: float, why: str) -> Estimate:
        among = both & (truth == true)
        return clusters.estimate_share_of_hits(
            right, among, undefined_because=why if both.any() else none
        )

    return Rates(
        agreement=clusters.estimate_share_of_hits(right, both, undefined_because=none),
        sensitivity=share(1, neither[0]),
        specificity=share(0, neither[1]),
        kappa=estimate_clustered_kappa(clusters, clusters.codes[both], said[both], truth[both]),
    )


@dataclass(frozen=True, kw_only=True)
class Beside:
    """Two judges on the same items: how often they agree, whether the first matches the truth more
    often than the second (the test is that of the difference's interval), and the items on which
    only one does.
    """

    agreement: Estimate
    difference: Estimate
    test: HypothesisTest
    first_only: tuple[str, ...]
    second_only: tuple[str, ...]


def compare_two_judges_with_truth(
    clusters: Clusters,
    items: ArrayLike,
    said: tuple[Floats, Floats],
    truth: Floats,
    *,
    none: str,
    unmet: str,
    tolerance: float = 0,
    weights: Floats | None = None,
) -> Beside:
    """Compare what two judges ``said`` with the truth (rows,), NaN if not known. ``none`` is the
    reason if they have no item in common, ``unmet`` if no truth is known for these. Numbers up to
    ``tolerance`` apart are the same. ``weights`` (rows,) are how many rows each stands for whose
    truth is known, if these were drawn with unequal probability.
    """
    first, second = said
    both = ~(np.isnan(first) | np.isnan(second))
    known = both & ~np.isnan(truth)
    one, two = (np.abs(said_by - truth) <= tolerance for said_by in said)
    names = np.asarray(items, dtype=object)
    met = (one[known], two[known], clusters.codes[known])
    weight = None if weights is None else weights[known]
    apart = estimate_clustered_paired_difference(*met, unit=clusters.unit, weights=weight)
    return Beside(
        agreement=clusters.estimate_share_of_hits(
            np.abs(first - second) <= tolerance, both, undefined_because=none
        ),
        difference=apart
        if known.any()
        else Estimate.undefined_estimate(unmet, method=apart.method),
        test=score_test_of_paired_difference(apart, int((known & (one != two)).sum())),
        first_only=tuple(names[known & one & ~two]),
        second_only=tuple(names[known & two & ~one]),
    )


def rogan_gladen_estimate(
    clusters: Clusters,
    codes: ArrayLike,
    positive: ArrayLike,
    truth: ArrayLike,
    about: ArrayLike | None = None,
    *,
    words: tuple[str, str] = ("supported", "not supported"),
    of: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> Estimate:
    """The true share of positives, from a judge's verdicts corrected for the judge's error.

    ``codes`` (rows,) are the rows' clusters, ``positive`` (rows,) the judge's verdicts, ``truth``
    (rows,) 1.0 or 0.0 if people have checked the row, else NaN; sensitivity and specificity come
    from all such rows. ``about`` (rows, bool) are the rows whose share is estimated, by default
    all. ``words`` are what people call a positive and a negative. All three errors are in the
    interval of (share + specificity - 1) / (sensitivity + specificity - 1), kept within 0 and 1; it
    is never narrower than that of the judge's own share. With ``of`` (rows, bool), which includes
    ``about``, it is the share among these, the others having no positives. ``weights`` (rows,) are
    those of the checked rows, if they were drawn with unequal probability.
    """
    method = "Rogan-Gladen"
    where = np.asarray(codes, dtype=np.int64)
    said = np.asarray(positive, dtype=bool)
    true = np.asarray(truth, dtype=np.float64)
    asked = np.ones(len(said), dtype=bool) if about is None else np.asarray(about, dtype=bool)
    every = asked if of is None else np.asarray(of, dtype=bool)
    n = int(every.sum())
    if not asked.any():
        return Estimate.undefined_estimate("there is nothing to count", method=method)
    yes, no = true == 1, true == 0
    if not yes.any() and not no.any():
        return Estimate.undefined_estimate("people have checked none of it", n, method=method)
    if not (yes.any() and no.any()):
        why = f"people called everything they checked {words[0 if yes.any() else 1]}"
        return Estimate.undefined_estimate(why, n, method=method)
    weight = np.ones(len(said)) if weights is None else np.asarray(weights, dtype=np.float64)
    checked = (one * weight for one in (yes, yes & said, no, no & ~said))
    columns = (asked, asked & said, *checked, every)
    sums = np.column_stack([clusters.array_of_cluster_sums(where, one) for one in columns])

    def statistic(drawn: Floats) -> Floats:
        share = divide_arrays_or_nan(drawn[:, 1], drawn[:, 0])
        sensitivity, specificity = (
            divide_arrays_or_nan(drawn[:, 3], drawn[:, 2]),
            divide_arrays_or_nan(drawn[:, 5], drawn[:, 4]),
        )
        informed = sensitivity + specificity - 1
        corrected = divide_arrays_or_nan(
            share + specificity - 1, np.where(informed > 0, informed, 0.0)
        )
        kept: Floats = np.clip(corrected, 0.0, 1.0) * divide_arrays_or_nan(drawn[:, 0], drawn[:, 6])
        return kept

    found = clusters.estimate_statistic_of_sums(
        sums,
        statistic,
        method=method,
        n=n,
        smoothing=_unseen_rates(sums),
        undefined_because="the judge is no better than chance on what was checked",
    )
    [raw] = clusters.estimate_ratios_of_sums(sums[:, [1]], sums[:, [0]])
    return _no_surer(found, raw, sums.sum(axis=0), statistic)


def _no_surer(
    found: Estimate, raw: Estimate, whole: Floats, statistic: Callable[[Floats], Floats]
) -> Estimate:
    """The estimate, with an interval that includes the judge's own, corrected in the same way.

    A correction cannot make a share more certain. Resampling can seem to: if clusters are more
    alike than by chance, as in a balanced draw, its interval is narrower than the raw share's,
    which is never narrower than that of as many single rows.
    """
    if found.low is None or found.high is None or raw.low is None or raw.high is None:
        return found
    ends = np.tile(whole, (2, 1))
    ends[:, 1] = whole[0] * np.array([raw.low, raw.high])
    low, high = statistic(ends)
    return replace(found, low=min(found.low, float(low)), high=max(found.high, float(high)))


def _unseen_rates(sums: Floats) -> Smoothing:
    """A tenth of a cluster for and against each of the three rates.

    With half of one the intervals covered 99.5 % at the median, and were up to a quarter wider.
    """
    rows = []
    for bottom, top in ((0, 1), (2, 3), (4, 5)):
        size = sums[:, bottom].sum() / max(int((sums[:, bottom] > 0).sum()), 1)
        for hit in (0.0, size):
            row = np.zeros(sums.shape[1])
            row[[bottom, top]] = size, hit
            row[6] = size if bottom == 0 else 0.0
            rows.append(row)
    checked = [int((sums[:, bottom] > 0).sum()) for bottom in (2, 4)]
    return Smoothing(np.array(rows), np.full(len(rows), EXTREME), min(checked))
