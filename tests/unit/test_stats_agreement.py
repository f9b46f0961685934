"""Agreement: hand-worked numbers, published examples, the packages, and the classic traps."""

from __future__ import annotations

import time

import krippendorff
import numpy as np
import pytest
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import cohens_kappa as their_cohen
from statsmodels.stats.inter_rater import fleiss_kappa as their_fleiss

from medlens.stats.alpha_and_intraclass_correlation import (
    estimate_intraclass_correlation,
    estimate_krippendorff_alpha,
)
from medlens.stats.kappa import (
    estimate_cohen_kappa,
    estimate_fleiss_kappa,
    estimate_gwet_ac1,
    estimate_gwet_ac2,
    estimate_kappa_of_counts,
    estimate_percent_agreement,
    ordinal_weights,
)
from medlens.stats.rating_counts import (
    NO_PAIRS,
    NO_VARIATION,
    NO_VARIATION_IN_PAIRS,
    RatingCounts,
    jaccard_distance,
    masi_distance,
)
from tests.bench.coverage import set_alpha

LEVELS = ("nominal", "ordinal", "interval", "ratio")
X = np.nan
# Four observers, twelve units: the example of Krippendorff (2011), section D and E.
PUBLISHED = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, X, X, X],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, X, 3],
        [X, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, X],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, X],
    ]
).T
A, AB, BC = frozenset("a"), frozenset("ab"), frozenset("bc")


def test_nominal_alpha_of_four_items_by_hand():
    # Ratings 00 11 01 00: 8 ratings, five 0 and three 1. Observed disagreement: 2 of the ordered
    # pairs. Expected: 2 x 5 x 3 = 30. Alpha = 1 - (8 - 1) x 2 / 30 = 16 / 30.
    found = estimate_krippendorff_alpha([[0, 0], [1, 1], [0, 1], [0, 0]], level="nominal")
    assert found.value == pytest.approx(16 / 30)
    assert (found.n, found.pairs, found.coverage) == (4, 4, 1.0)


@pytest.mark.parametrize(
    "level, printed",
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_the_published_example(level, printed):
    found = estimate_krippendorff_alpha(PUBLISHED, level=level)
    assert found.value == pytest.approx(printed, abs=5e-4)
    # The twelfth unit has one rating: 11 of 12 can be compared. Three ratings make 3 pairs, four 6,
    # two 1: units 1 and 10 have three, 11 has two, the other eight four: 3 + 3 + 1 + 48.
    assert (found.n, found.pairs) == (11, 55)
    assert found.coverage == pytest.approx(11 / 12)
    assert found.low < found.value < found.high <= 1


@pytest.mark.first_quick
@pytest.mark.parametrize("level", LEVELS)
def test_alpha_agrees_with_the_krippendorff_package_with_ratings_missing(level):
    rng = np.random.default_rng(17)
    for _ in range(40):
        ratings = rng.integers(0, 6, size=(25, 5)).astype(float)
        ratings[rng.random(ratings.shape) < 0.4] = X
        theirs = krippendorff.alpha(ratings.T, level_of_measurement=level)
        found = estimate_krippendorff_alpha(ratings, level=level)
        assert found.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_the_bootstrap_of_alpha_is_that_of_a_loop_over_resampled_items(level):
    rng = np.random.default_rng(2)
    truth = rng.integers(1, 4, size=(80, 1))
    ratings = np.where(rng.random((80, 3)) < 0.7, truth, rng.integers(1, 4, size=(80, 3)))
    looped = [
        krippendorff.alpha(
            ratings[rng.integers(0, 80, 80)].T.astype(float), level_of_measurement=level
        )
        for _ in range(600)
    ]
    found = estimate_krippendorff_alpha(ratings, level=level)
    expected = np.quantile(looped, [0.025, 0.975])
    # The standard error of alpha is about 0.05 here; a limit from 600 draws is uncertain by 0.008.
    assert (found.low, found.high) == pytest.approx(expected, abs=0.025)


def test_alpha_without_a_shared_item_is_undefined_not_one():
    found = estimate_krippendorff_alpha([[1, X], [X, 1], [0, X]], level="nominal")
    assert not found.has_value
    assert found.reason == "no item was rated by two raters"
    assert (found.n, found.pairs, found.coverage) == (0, 0, 0.0)


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_on_full_agreement_without_variation_is_undefined_not_zero_nor_one(level):
    found = estimate_krippendorff_alpha([[1, 1, 1], [1, 1, X]], level=level)
    assert not found.has_value
    assert "all ratings are the same" in found.reason
    assert (found.n, found.pairs) == (2, 4)


def test_alpha_on_full_agreement_with_variation_is_one_and_claims_no_certainty():
    found = estimate_krippendorff_alpha([[0, 0], [1, 1], [2, 2]], level="ordinal")
    assert found.value == 1.0
    assert (found.low, found.high) == (None, None)


def test_alpha_of_nothing_at_all_is_undefined():
    assert not estimate_krippendorff_alpha(np.empty((0, 3)), level="nominal").has_value
    assert estimate_krippendorff_alpha(np.empty((0, 3)), level="nominal").coverage is None


def test_an_item_rated_once_changes_coverage_and_nothing_else():
    ratings = [[0, 0, X], [1, 1, 0], [0, 1, 0]]
    alone = estimate_krippendorff_alpha(ratings, level="nominal")
    with_single = estimate_krippendorff_alpha([*ratings, [1, X, X]], level="nominal")
    assert (alone.value, alone.low, alone.n) == (
        with_single.value,
        with_single.low,
        with_single.n,
    )
    assert with_single.coverage == 0.75


def test_order_of_items_and_raters_does_not_change_a_digit():
    rng = np.random.default_rng(9)
    ratings = rng.integers(1, 11, size=(40, 6)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = X
    again = ratings[rng.permutation(40)][:, rng.permutation(6)]
    for level in LEVELS:
        assert estimate_krippendorff_alpha(ratings, level=level) == estimate_krippendorff_alpha(
            again, level=level
        )
    assert estimate_gwet_ac1(ratings) == estimate_gwet_ac1(again)


def test_the_ratio_level_refuses_values_below_zero_and_takes_two_zeros_as_equal():
    with pytest.raises(ValueError, match="zero or more"):
        estimate_krippendorff_alpha([[-1, 1]], level="ratio")
    assert estimate_krippendorff_alpha([[0, 0], [3, 3]], level="ratio").value == 1.0


def test_counts_and_ratings_are_the_same_data():
    ratings = [[0, 0, X], [1, 1, 0], [0, 1, 0], [X, X, X]]
    counts = RatingCounts.from_counts([[2, 0], [1, 2], [2, 1], [0, 0]])
    for measure in (estimate_gwet_ac1, estimate_percent_agreement):
        assert measure(ratings) == measure(counts)
    assert estimate_krippendorff_alpha(ratings, level="nominal") == estimate_krippendorff_alpha(
        counts, level="nominal"
    )
    with pytest.raises(ValueError, match="possible values"):
        RatingCounts.from_ratings([[3.0]], values=[0, 1])
    with pytest.raises(ValueError, match="items by raters"):
        RatingCounts.from_ratings([1.0, 2.0])


def test_masi_and_jaccard_distances_by_hand():
    assert masi_distance(AB, AB) == 0
    # {a, b} and {a}: Jaccard 1/2, subset 2/3, so 1 - 1/3.
    assert masi_distance(AB, A) == masi_distance(A, AB) == pytest.approx(2 / 3)
    # {a, b} and {b, c}: Jaccard 1/3, overlap 1/3, so 1 - 1/9.
    assert masi_distance(AB, BC) == pytest.approx(8 / 9)
    assert masi_distance(A, BC) == jaccard_distance(A, BC) == 1
    assert jaccard_distance(AB, BC) == pytest.approx(2 / 3)
    # Nothing found twice is agreement; nothing found against something is none.
    assert masi_distance(frozenset(), frozenset()) == 0
    assert masi_distance(frozenset(), A) == 1


def test_alpha_of_label_sets_by_hand():
    # Items {a}{a} and {a,b}{a}: four sets, three {a} and one {a,b}. Observed: 2 x 2/3 = 4/3.
    # Expected: 2 x 3 x 1 x 2/3 = 4. Alpha = 1 - 3 x (4/3) / 4 = 0.
    assert set_alpha([[A, A], [AB, A]]).value == pytest.approx(0, abs=1e-12)
    # A third rater's missing set changes nothing; Jaccard 1/2 gives the same alpha: the distance
    # cancels where only two sets occur.
    found = set_alpha([[A, A, None], [AB, None, A]], distance="jaccard")
    assert found.value == pytest.approx(0, abs=1e-12)
    assert (found.n, found.pairs) == (2, 2)


def test_alpha_of_sets_that_share_or_do_not_share_labels_is_nominal_alpha():
    # Sets of one label each: MASI and Jaccard are 0 or 1, as nominal is.
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 3, size=(30, 4))
    sets = [[frozenset("xyz"[code]) for code in row] for row in codes]
    nominal = estimate_krippendorff_alpha(codes, level="nominal")
    for distance in ("masi", "jaccard"):
        found = set_alpha(sets, distance=distance)
        assert (found.value, found.low) == pytest.approx((nominal.value, nominal.low))


def test_alpha_of_sets_is_undefined_where_alpha_of_values_is():
    assert set_alpha([[A, None], [None, AB]]).reason == "no item was rated by two raters"
    assert "the same" in set_alpha([[A, A], [A, A]]).reason
    assert not set_alpha([]).has_value


def test_fleiss_kappa_by_hand():
    # Counts 3-0, 2-1, 0-3. Agreement of the items: 1, 1/3, 1, mean 7/9. Shares 5/9 and 4/9, by
    # chance 25/81 + 16/81 = 41/81. Kappa = (63 - 41) / (81 - 41) = 22/40.
    found = estimate_fleiss_kappa([[0, 0, 0], [0, 0, 1], [1, 1, 1]])
    assert found.value == pytest.approx(0.55)
    assert (found.n, found.pairs, found.coverage) == (3, 9, 1.0)


def test_fleiss_kappa_agrees_with_statsmodels():
    rng = np.random.default_rng(21)
    for _ in range(20):
        ratings = rng.integers(0, 4, size=(15, 5))
        assert estimate_fleiss_kappa(ratings).value == pytest.approx(
            their_fleiss(aggregate_raters(ratings)[0])
        )


def test_fleiss_kappa_applies_only_where_every_item_has_as_many_ratings():
    uneven = estimate_fleiss_kappa([[0, 0, 0], [0, 1, X]])
    assert "2 to 3 ratings" in uneven.reason
    # The raters need not be the same, and an item that nobody rated does not count.
    assert estimate_fleiss_kappa([[0, 0, X], [X, 1, 1], [X, X, X]]).value == pytest.approx(1.0)
    assert "all ratings are the same" in estimate_fleiss_kappa([[1, 1], [1, 1]]).reason
    assert estimate_fleiss_kappa([[1, X], [X, 0]]).reason == "no item was rated by two raters"


def test_ac1_by_hand():
    # As above: agreement 7/9; by chance 2 x 5/9 x 4/9 = 40/81. AC1 = (63 - 40) / (81 - 40).
    ratings = [[0, 0, 0], [0, 0, 1], [1, 1, 1]]
    assert estimate_gwet_ac1(ratings).value == pytest.approx(23 / 41)
    # An item rated 0 by one rater: agreement stays 7/9, the share of 0 becomes
    # (1 + 2/3 + 0 + 1) / 4 = 2/3, by chance 2 x 2/3 x 1/3 = 4/9. AC1 = (7 - 4) / (9 - 4).
    found = estimate_gwet_ac1([*ratings, [0, X, X]])
    assert found.value == pytest.approx(3 / 5)
    assert (found.n, found.coverage) == (3, 0.75)


def test_ac1_stays_sensible_where_kappa_collapses():
    # 18 of 20 items agree on the common value, the other two are split: agreement 0.9 with kappa
    # below zero. Shares 38/40 and 2/40: AC1 = (0.9 - 0.095) / (1 - 0.095).
    ratings = [[0, 0]] * 18 + [[0, 1], [1, 0]]
    assert estimate_krippendorff_alpha(ratings, level="nominal").value < 0
    assert estimate_gwet_ac1(ratings).value == pytest.approx(0.805 / 0.905)


def test_ac1_of_a_label_that_nobody_gave_is_one_but_needs_to_know_the_other_value():
    nobody = [[0, 0], [0, 0]]
    assert estimate_gwet_ac1(nobody).reason == "only one value is possible"
    assert estimate_gwet_ac1(RatingCounts.from_ratings(nobody, values=[0, 1])).value == 1.0
    assert not estimate_gwet_ac1([[0, X], [X, 1]]).has_value


def test_percent_agreement_gives_every_item_the_same_weight():
    # Items 0 0 0 1 (3 of 6 pairs agree) and 1 1 (1 of 1): mean of 0.5 and 1.
    found = estimate_percent_agreement([[0, 0, 0, 1], [1, 1, X, X]])
    assert found.value == pytest.approx(0.75)
    assert found.pairs == 7
    assert not estimate_percent_agreement([[0, X]]).has_value


def test_cohens_kappa_by_hand():
    # Agreement 4/5; 1 is given by 3/5 and 2/5, so chance is 0.24 + 0.24 = 0.48; 0.32 / 0.52.
    found = estimate_cohen_kappa([1, 1, 0, 0, 1, X], [1, 0, 0, 0, 1, 1])
    assert found.value == pytest.approx(0.32 / 0.52)
    assert (found.n, found.coverage) == (5, pytest.approx(5 / 6))


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohens_kappa_agrees_with_statsmodels(weights):
    theirs = None if weights == "none" else weights
    rng = np.random.default_rng(6)
    for _ in range(20):
        first, second = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
        table = np.zeros((4, 4))
        np.add.at(table, (first, second), 1)
        expected = their_cohen(table, wt=theirs, return_results=False)
        assert estimate_cohen_kappa(first, second, weights=weights).value == pytest.approx(expected)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_of_counts_is_that_of_the_items_one_by_one(weights):
    rng = np.random.default_rng(7)
    values = np.array([1.0, 2.0, 4.0, 7.0])
    for size in (0, 5, 40):
        # The third value is given by nobody: it must not count.
        first, second = rng.choice([0, 1, 3], (2, size))
        table = np.zeros((4, 4), dtype=np.int64)
        np.add.at(table, (first, second), 1)
        one_by_one = estimate_cohen_kappa(values[first], values[second], weights=weights)
        counted = estimate_kappa_of_counts(
            table, values, weights=weights, coverage=one_by_one.coverage
        )
        assert counted == one_by_one


def test_cohens_kappa_is_undefined_for_one_answer_and_zero_for_two_that_never_meet():
    assert "all ratings are the same" in estimate_cohen_kappa([1, 1], [1, 1]).reason
    # One rater always 0, the other always 1: agreement 0, chance 0, kappa (0 - 0) / (1 - 0).
    assert estimate_cohen_kappa([0, 0], [1, 1]).value == 0.0
    assert not estimate_cohen_kappa([X], [1]).has_value
    with pytest.raises(ValueError, match="one length"):
        estimate_cohen_kappa([1, 2], [1])


def test_a_thousand_resamples_of_a_whole_study_cost_no_more_than_a_few_plain_alphas():
    # 300 items x 45 raters x 9 labels, against the krippendorff package's point estimates alone.
    rng = np.random.default_rng(1)
    ratings = (rng.random((9, 300, 45)) < 0.2).astype(float)
    start = time.process_time()
    for label in ratings:
        krippendorff.alpha(label.T, level_of_measurement="nominal")
    plain = time.process_time() - start
    start = time.process_time()
    for label in ratings:
        estimate_krippendorff_alpha(label, level="nominal")
    assert time.process_time() - start < max(10 * plain, 0.5)


# Six targets and four judges: table 2 of Shrout & Fleiss (1979).
JUDGES = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
)


def test_icc_of_the_published_example():
    # Table 4: ICC(1, 1) = .17 and ICC(1, 4) = .44, from mean squares 11.24 and 6.26.
    assert estimate_intraclass_correlation(JUDGES).value == pytest.approx(0.17, abs=0.005)
    assert estimate_intraclass_correlation(JUDGES, mean=True).value == pytest.approx(
        0.44, abs=0.005
    )
    assert (
        estimate_intraclass_correlation(JUDGES).n,
        estimate_intraclass_correlation(JUDGES).pairs,
    ) == (6, 36)


def test_icc_with_ratings_missing_is_that_of_an_analysis_of_variance():
    rng = np.random.default_rng(5)
    ratings = rng.normal(rng.normal(3, 1, 40)[:, None], 1, (40, 4)).round(1)
    ratings[rng.random(ratings.shape) < 0.3] = X
    ratings[0] = [3, X, X, X]
    groups = [row[~np.isnan(row)] for row in ratings if (~np.isnan(row)).any()]
    sizes = np.array([len(one) for one in groups])
    middle = np.concatenate(groups).mean()
    between = sum(len(one) * (one.mean() - middle) ** 2 for one in groups) / (len(groups) - 1)
    within = sum(((one - one.mean()) ** 2).sum() for one in groups) / (sizes.sum() - len(groups))
    each = (sizes.sum() - (sizes**2).sum() / sizes.sum()) / (len(groups) - 1)
    found = estimate_intraclass_correlation(ratings)
    assert found.value == pytest.approx((between - within) / (between + (each - 1) * within))
    assert estimate_intraclass_correlation(ratings, mean=True).value == pytest.approx(
        (between - within) / between
    )
    assert found.low < found.value < found.high


def test_icc_says_why_there_is_none():
    assert "rated by two raters" in estimate_intraclass_correlation([[1, X], [X, 2]]).reason
    assert estimate_intraclass_correlation([[2, 2], [2, 2]]).value is None
    # All agree and items differ: it is 1; raters alone differ: it is -1.
    assert estimate_intraclass_correlation([[1, 1], [2, 2], [3, 3]]).value == pytest.approx(1)
    assert estimate_intraclass_correlation([[1, 2], [2, 1], [1, 2]]).value == pytest.approx(-1)


def test_ordinal_weights_of_gwet_fall_with_the_pairs_of_values_in_between() -> None:
    # Of 4 values: C(2, 2), C(3, 2), C(4, 2) = 1, 3, 6 of the C(4, 2) = 6 pairs.
    assert ordinal_weights(4)[0].tolist() == pytest.approx([1, 5 / 6, 1 / 2, 0])


def test_ac2_is_worked_by_hand_from_gwets_formula() -> None:
    # Values 1, 2, 3: one step apart agree by 1 - 1/3, two by 0; the weights sum to 3 + 4 x 2/3 =
    # 17/3. Two raters: 11, 12, 23, 33. Observed (1 + 2/3 + 2/3 + 1) / 4 = 5/6. Shares of the values
    # 3/8, 2/8, 3/8: sum of p (1 - p) = 15/64 + 12/64 + 15/64 = 42/64. Chance 17/3 / (3 x 2) x 42/64
    # = 119/192. AC2 = (5/6 - 119/192) / (1 - 119/192) = (160 - 119) / (192 - 119) = 41/73.
    ratings = [[1, 1], [1, 2], [2, 3], [3, 3]]
    found = estimate_gwet_ac2(ratings)
    assert found.value == pytest.approx(41 / 73)
    assert found.method.startswith("Gwet's AC2 (ordinal weights)")
    # A fifth item rated once, 2, only tells how common values are: 3/10, 4/10, 3/10, 66/100, chance
    # 17/18 x 0.66 = 0.623333: (0.833333 - 0.623333) / 0.376667 = 63/113.
    assert estimate_gwet_ac2([*ratings, [2, X]]).value == pytest.approx(63 / 113)
    many = estimate_gwet_ac2(ratings * 5)
    assert many.value == pytest.approx(41 / 73)
    assert many.low is not None
    assert many.high is not None
    assert many.low < 41 / 73 < many.high


def test_points_of_a_scale_that_nobody_gave_count_in_ac2() -> None:
    # The same on a scale of 1 to 4: steps agree by 1 - 1/6 and 1 - 3/6; the weights sum to
    # 4 + 6 x 5/6 + 4 x 1/2 = 11. Observed (1 + 5/6 + 5/6 + 1) / 4 = 11/12, chance 11 / 12 x 42/64.
    counts = RatingCounts.from_ratings([[1, 1], [1, 2], [2, 3], [3, 3]], values=[1, 2, 3, 4])
    chance = 11 / 12 * 42 / 64
    assert estimate_gwet_ac2(counts).value == pytest.approx((11 / 12 - chance) / (1 - chance))


def test_ac2_of_two_values_is_ac1() -> None:
    ratings = [[0, 0, 1], [1, 1, 1], [0, 0, X], [0, 1, X]]
    assert estimate_gwet_ac2(ratings).value == pytest.approx(estimate_gwet_ac1(ratings).value)


def test_numbers_as_far_apart_as_the_tolerance_agree_and_those_further_do_not() -> None:
    scores = np.array([[1, 2], [1, 3], [4, 4], [5, 2]])
    assert estimate_percent_agreement(scores, tolerance=1).value == 0.5
    assert estimate_percent_agreement(scores, tolerance=2).value == 0.75
    assert estimate_percent_agreement(scores).value == 0.25


def test_what_might_have_been_seen_has_as_many_ratings_as_items_have():
    # One item of two ratings, two of three; 0 is the commonest value. Of either number: all say 0,
    # all say 1, one alone says 1, one alone says 0.
    ratings = [[0, 0, 1], [0, 0, 0], [1, 1, np.nan]]
    rows, weights, differing = RatingCounts.from_ratings(
        np.array(ratings)
    ).unseen_patterns_weights_and_differing_count
    assert rows.tolist() == [[2, 0], [0, 2], [1, 1], [1, 1], [3, 0], [0, 3], [2, 1], [1, 2]]
    # A third of the items has two raters: a third of two ratings in equal parts, 1/3 x 2 / 2 / 2
    # items; a quarter of an item each where one differs. Two thirds have three.
    assert weights == pytest.approx([1 / 6, 1 / 6, 1 / 12, 1 / 12, 2 / 9, 2 / 9, 1 / 6, 1 / 6])
    assert differing == 2


def test_the_icc_of_means_that_are_all_alike_says_so_and_not_that_ratings_are():
    # One rater always says 5, the other 4: every item's mean is 4.5.
    found = estimate_intraclass_correlation([[5, 4]] * 9, mean=True)
    assert found.reason == "all items have the same mean, so that of the raters tells none apart"
    assert estimate_intraclass_correlation([[4, 4]] * 9, mean=True).reason == NO_VARIATION
    assert estimate_intraclass_correlation([[5, 4]]).reason == "only one item was rated"


def test_means_that_differ_by_rounding_alone_give_no_icc():
    # Every item's ratings add up to 7, which a third of does not fit into a float.
    rows = [(1, 1, 5), (2, 2, 3), (1, 3, 3), (1, 2, 4)]
    for seed in range(20):
        rng = np.random.default_rng(seed)
        ratings = [rng.permutation(rows[rng.integers(len(rows))]) for _ in range(12)]
        assert estimate_intraclass_correlation(ratings, mean=True).value is None
        assert estimate_intraclass_correlation(ratings).value == pytest.approx(-0.5)


def test_items_rated_once_may_differ_where_those_compared_do_not():
    ratings = [[1, 1], [1, 1], [0, X]]
    for level in ("nominal", "ordinal", "interval"):
        assert estimate_krippendorff_alpha(ratings, level=level).reason == NO_VARIATION_IN_PAIRS
    assert estimate_krippendorff_alpha([[1, 1], [1, X]], level="nominal").reason == NO_VARIATION


REASONS = {
    NO_PAIRS: lambda given: (np.sum(~np.isnan(given), axis=1) < 2).all(),
    NO_VARIATION: lambda given: len(set(given[~np.isnan(given)])) == 1,
    NO_VARIATION_IN_PAIRS: lambda given: (
        len(set(given[~np.isnan(given)])) > 1
        and len(set(pairs_of(given)[~np.isnan(pairs_of(given))])) == 1
    ),
    "only one value is possible": lambda given: len(set(given[~np.isnan(given)])) == 1,
    "only one item was rated": lambda given: (~np.isnan(given)).any(axis=1).sum() == 1,
    "all items have the same mean, so that of the raters tells none apart": lambda given: (
        np.ptp(np.nanmean(given[(~np.isnan(given)).any(axis=1)], axis=1)) < 1e-9
    ),
}


def pairs_of(given):
    return given[(~np.isnan(given)).sum(axis=1) >= 2]


def test_whatever_few_ratings_there_are_the_reason_for_no_number_is_true_of_them():
    rng = np.random.default_rng(5)
    told = set()
    for _ in range(400):
        items, raters = rng.integers(1, 4), rng.integers(1, 4)
        given = rng.integers(4, 6, size=(items, raters)).astype(float)
        given[rng.random(given.shape) < rng.choice([0, 0.4])] = X
        if np.isnan(given).all():
            continue
        found = {
            "alpha": estimate_krippendorff_alpha(given, level="nominal"),
            "ordinal": estimate_krippendorff_alpha(given, level="ordinal"),
            "ac1": estimate_gwet_ac1(given),
            "ac1 of 5": estimate_gwet_ac1(RatingCounts.from_ratings(given, values=range(1, 6))),
            "fleiss": estimate_fleiss_kappa(given),
            "percent": estimate_percent_agreement(given),
            "icc": estimate_intraclass_correlation(given),
            "mean": estimate_intraclass_correlation(given, mean=True),
        }
        for name, one in found.items():
            if one.reason and "same number on every one" not in one.reason:
                told.add((name, one.reason))
                assert REASONS[one.reason](given), (name, one.reason, given)
            # Ratings on the five points are never further from chance than these allow.
            assert one.value is None or name in ("mean", "icc") or -2 <= one.value <= 1
        assert found["ac1 of 5"].has_value == (not (np.sum(~np.isnan(given), axis=1) < 2).all())
    assert {reason for _, reason in told} == set(REASONS)
