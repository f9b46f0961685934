"""Shares corrected by a checked sample, by hand and by the formulas of the papers."""

from __future__ import annotations

import numpy as np
import pytest

from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Clusters,
    estimate_clustered_macro_f1,
)
from medlens.stats.estimate import Estimate
from medlens.stats.partly_verified_share import MEASURES, CheckedVerdicts, weights_of_checked_rows
from tests.bench import active
from tests.recomputed.drawn import FIGURES, of_verdicts


def checked(said: str, truth: str, cells: str = "") -> CheckedVerdicts:
    """Letters per row: y, n, and "-" for not checked."""
    return CheckedVerdicts(
        Clusters(np.arange(len(said))),
        np.array([one == "y" for one in said]),
        np.array([{"y": 1.0, "n": 0.0}.get(one, np.nan) for one in truth]),
        np.array(list(cells)) if cells else None,
    )


# The judge says yes to 8 of 20. Of the yes, 5 are checked and 4 right; of the no, 5 and 4 right.
SAID = "y" * 8 + "n" * 12
TRUTH = "yyyyn---" + "ynnnn-------"


def test_every_measure_by_hand() -> None:
    one = checked(SAID, TRUTH)
    found = {name: one.estimate_measure(name).value for name in MEASURES}
    # Yes among all: .4 x .8 + .6 x .2 = .44, of which .32 where the judge says yes; no: .56, .48.
    assert found == pytest.approx(
        {
            "share": 0.44,
            "sensitivity": 0.32 / 0.44,
            "specificity": 0.48 / 0.56,
            "ppv": 0.8,
            "npv": 0.8,
            "agreement": 0.8,
        }
    )
    assert one.estimate_measure("share").n == 10


def test_the_share_is_the_power_tuned_prediction_powered_estimate() -> None:
    rng = np.random.default_rng(2)
    true = rng.random(300) < 0.3
    said = np.where(true, rng.random(300) < 0.8, rng.random(300) < 0.2).astype(float)
    known = rng.random(300) < 0.4
    truth = np.where(known, true, np.nan)
    found = CheckedVerdicts(Clusters(np.arange(300)), said, truth).estimate_measure("share")
    # Angelopoulos, Duchi & Zrnic (2023), example 6.1: n checked, N others,
    # lambda = cov / ((1 + n / N) var).
    y, f, others = truth[known], said[known], said[~known]
    n, many = len(y), len(others)
    slope = np.cov(y, f)[0, 1] / ((1 + n / many) * np.var(f, ddof=1))
    powered = slope * others.mean() + (y - slope * f).mean()
    assert found.value == pytest.approx(powered)
    # Its variance is var(f) slope^2 / N + var(y - slope f) / n; ours has the 1/n of the extremes.
    variance = np.var(others) * slope**2 / many + np.var(y - slope * f) / n
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * variance**0.5, rel=0.1)
    alone = 1.96 * (y.mean() * (1 - y.mean()) / n) ** 0.5
    assert (found.high - found.low) / 2 < alone


def test_a_cell_that_was_checked_more_often_does_not_count_for_more() -> None:
    # Cell a: 4 of 4 checked, all yes; cell b: 1 of 4 checked, no. The judge says yes throughout.
    one = checked("y" * 8, "yyyyn---", "aaaabbbb")
    assert one.estimate_measure("share").value == pytest.approx(0.5)
    assert checked("y" * 8, "yyyyn---").estimate_measure("share").value == pytest.approx(0.8)
    # Of cell c nothing was checked: it is taken to be as all that the judge says yes to.
    assert checked("y" * 9, "yyyyn----", "aaaabbbbc").estimate_measure(
        "share"
    ).value == pytest.approx((4 + 0 + 0.5) / 9)


def drawn_at_random(rng: np.random.Generator) -> CheckedVerdicts:
    """Rows in up to three cells and in clusters of up to three, of which some were checked."""
    n, size = int(rng.integers(8, 50)), int(rng.integers(1, 4))
    said = rng.random(n) < rng.uniform(0.2, 0.8)
    truth = np.where(rng.random(n) < rng.uniform(0.5, 0.95), said, ~said).astype(float)
    cells = rng.integers(0, rng.integers(1, 4), n)
    truth[rng.random(n) < rng.uniform(0.1, 0.8)] = np.nan
    if rng.random() < 0.4:
        # Of one cell nothing was checked.
        truth[cells == 0] = np.nan
    clusters = Clusters(np.arange(n) // size)
    return CheckedVerdicts(clusters, said, truth, cells if rng.random() < 0.8 else None)


def test_after_any_draw_figures_and_intervals_are_what_other_code_makes_of_the_rows() -> None:
    rng, given = np.random.default_rng(31), 0
    for _ in range(24):
        one = drawn_at_random(rng)
        cells = np.zeros(len(one.groups)) if one.cells is None else np.asarray(one.cells)
        rows = list(zip(cells.tolist(), np.asarray(one.said).tolist(), strict=True))
        words = [None if np.isnan(word) else word == 1 for word in np.asarray(one.truth)]
        for figure in FIGURES:
            found = one.estimate_measure(figure)
            wanted = of_verdicts(figure, rows, words, one.clusters.codes.tolist())
            assert (found.value, found.n) == (pytest.approx(wanted.value, abs=1e-9), wanted.n)
            if found.value is None:
                continue
            bounds = (found.low, found.high)
            assert bounds == pytest.approx((wanted.low, wanted.high), abs=1e-9)
            given += found.low is not None
    assert given > 80


def test_what_stands_for_rows_of_which_nothing_was_checked_is_no_surer_for_that() -> None:
    # 40 of 100 items were checked, half of them are yes; the model then judges 900 more, and what
    # it says of these is taken to be as it was before. That tells nothing of how often it is right.
    before = checked("y" * 100, "yn" * 20 + "-" * 60, "a" * 100).estimate_measure("ppv")
    after = checked("y" * 1000, "yn" * 20 + "-" * 960, "a" * 100 + "b" * 900).estimate_measure(
        "ppv"
    )
    assert (after.value, after.low, after.high) == pytest.approx(
        (before.value, before.low, before.high), abs=1e-3
    )


@pytest.mark.deep
def test_after_a_draw_and_further_items_intervals_hold_the_truth() -> None:
    rng, held, samples = np.random.default_rng(8), dict.fromkeys(MEASURES, 0), 400
    truth = {"share": 0.3, "sensitivity": 0.8, "specificity": 0.85, "agreement": 0.835}
    truth |= {"ppv": 0.24 / 0.345, "npv": 0.595 / 0.655}
    for _ in range(samples):
        true = rng.random(1600) < 0.3
        said = np.where(true, rng.random(1600) < 0.8, rng.random(1600) < 0.15)
        known = np.full(1600, np.nan)
        for verdict in (True, False):
            drawn = rng.permutation(np.flatnonzero(said[:400] == verdict))[:60]
            known[drawn] = true[drawn]
        one = CheckedVerdicts(Clusters(np.arange(1600)), said, known, np.arange(1600) < 400)
        for name, value in truth.items():
            found = one.estimate_measure(name)
            assert found.low is not None
            assert found.high is not None
            held[name] += found.low <= value <= found.high
    # Two standard errors below 92 %. Unless the drawn items' variance stands for the others too,
    # 45 to 60 % hold.
    assert min(held.values()) / samples >= 0.92 - 2 * (0.92 * 0.08 / samples) ** 0.5


@pytest.mark.parametrize(
    "said, truth, measure, reason",
    [
        ("", "", "share", "there is nothing to count"),
        ("yn", "--", "share", "people have checked none of it"),
        ("yn", "y-", "share", "people have checked none that the judge calls negative"),
        ("yn", "-n", "sensitivity", "people have checked none that the judge calls positive"),
        ("yn", "nn", "sensitivity", "people called everything they checked negative"),
        ("yn", "yy", "specificity", "people called everything they checked positive"),
        ("nn", "yn", "ppv", "the judge calls everything negative"),
        ("yy", "yn", "npv", "the judge calls everything positive"),
    ],
)
def test_what_cannot_be_known_says_why(said: str, truth: str, measure: str, reason: str) -> None:
    found = checked(said, truth).estimate_measure(measure)
    assert (found.value, found.reason) == (None, reason)


def test_a_predictive_value_needs_no_other_verdict_checked() -> None:
    assert checked("yyyyynnn", "yyyyn---").estimate_measure("ppv").value == pytest.approx(0.8)


def test_fewer_than_four_checked_clusters_give_no_interval() -> None:
    found = checked("yyynnn", "y--n--").estimate_measure("share")
    assert found.value is not None
    assert found.low is None
    assert "no interval from fewer than 4" in found.method


def test_the_next_rows_to_check_are_those_that_tell_most_by_hand() -> None:
    # 100 of each verdict, 20 checked of each: of the yes half are right, of the no all. Nothing is
    # to be learnt of the noes, nearly all checks go to the yes; and 20 more there take off more of
    # the variance than 20 more by chance do.
    said = "y" * 100 + "n" * 100
    truth = "yn" * 10 + "-" * 80 + "n" * 20 + "-" * 80
    one = checked(said, truth)
    found = one.make_forecast_of_rows_to_check("share", 0.08)
    noes, ayes = found.by_group.tolist()
    assert (noes, ayes) == (0, found.total_rows_to_check)
    assert found.total_rows_to_check < found.random
    # Checked as foreseen, with the shares as they were, it is known as well as wanted.
    after = checked(said, ("yn" * 50)[: 20 + ayes].ljust(100, "-") + "n" * 20 + "-" * 80)
    known = after.estimate_measure("share")
    assert (known.high - known.low) / 2 == pytest.approx(0.08, abs=0.004)


def test_a_half_is_planned_by_the_other() -> None:
    # One half happened to be nearly sure, and the other not.
    said, halves = "y" * 400, np.repeat([0, 1], 200)
    truth = ("y" * 19 + "n" + "-" * 180) + ("yn" * 10 + "-" * 180)
    plain = checked(said, truth)
    one = CheckedVerdicts(plain.clusters, plain.said, plain.truth, halves)
    alone = one.make_forecast_of_rows_to_check("share", 0.08).by_group
    crossed = one.make_forecast_of_rows_to_check("share", 0.08, halves=halves).by_group
    assert alone[0] < alone[1]
    assert crossed[0] > crossed[1]


def test_answers_all_alike_are_known_no_better_than_as_many_single_rows() -> None:
    # The judge says yes to all 200; of these 10 are checked, all yes. Wilson's bound with t of 9
    # degrees of freedom, t squared = 2.2622^2 = 5.1175: 1 / (1 + 5.1175 / 10) = .6615. That the
    # judge has said yes to 190 more does not make it narrower.
    one = checked("y" * 200, "y" * 10 + "-" * 190)
    # Of the share the extremes make 9.75 rows: with 10.25 / 10.5 = .9762 alike, the variance is
    # .25 (.9762^2 + .0238^2) / 10^2 = .00238, and .9762 x .0238 / .00238 = 9.75.
    for measure, low in (("sensitivity", 0.6615), ("share", 0.6558), ("agreement", 0.6558)):
        found = one.estimate_measure(measure)
        assert (found.value, found.high) == (1, 1)
        assert found.low == pytest.approx(low, abs=0.0002), measure
    # Only what a figure is a share of counts: the 20 noes checked say nothing of sensitivity.
    more = checked("y" * 200 + "n" * 20, "y" * 10 + "-" * 190 + "n" * 20)
    assert more.estimate_measure("sensitivity").low == pytest.approx(0.6615, abs=0.003)


def test_the_forecast_starts_from_the_interval_shown() -> None:
    one = checked("y" * 200, "y" * 10 + "-" * 190)
    assert one.make_forecast_of_rows_to_check("sensitivity", 0.1).now == pytest.approx(
        (1 - 0.6615) / 2, abs=0.001
    )
    # The reader sees 8 of 10 instead, from .4437 to .9748: this is what they have now, and with
    # nothing left to check it is also what all would bring.
    shown = Estimate(0.8, 0.4437, 0.9748, 10, "Wilson with t")
    assert one.make_forecast_of_rows_to_check("sensitivity", 0.1, shown=shown).now == pytest.approx(
        0.26555
    )
    done = checked("y" * 10, "y" * 10).make_forecast_of_rows_to_check(
        "sensitivity", 0.1, shown=shown
    )
    assert (done.total_rows_to_check, done.random) == (0, None)
    assert done.best == pytest.approx(0.26555)


def test_further_answers_are_not_foreseen_to_be_as_alike_as_the_first() -> None:
    # 10 of 10 alike: further ones are yes with probability 10.5 / 11 = .9545. With 35 more,
    # (10 + 35 x .9545) / 45 = .9646 of 45; t of 44 degrees of freedom is 2.0154, its square 4.0617.
    # Wilson's centre: (.9646 + 4.0617 / 90) / 1.0903 = .9262; below it 2.0154 x
    # sqrt(.9646 x .0354 / 45 + 4.0617 / (4 x 45^2)) / 1.0903 = .0656, to .8606. The upper bound is
    # Poisson's for 45 x .0354 = 1.59 rows: 1 - .2051 / 45 = .9954. Half the width is .0674.
    one = checked("y" * 200, "y" * 10 + "-" * 190)
    assert one.make_forecast_of_rows_to_check("sensitivity", 0.0675).total_rows_to_check == 35
    assert one.make_forecast_of_rows_to_check("sensitivity", 0.0673).total_rows_to_check == 36


def test_while_all_are_alike_every_group_is_drawn_in_proportion() -> None:
    # Of the noes 300 are left, of the yes 100: three of them for each of these.
    one = checked("y" * 105 + "n" * 305, "y" * 5 + "-" * 100 + "n" * 5 + "-" * 300)
    noes, ayes = one.make_forecast_of_rows_to_check("agreement", 0.08).by_group.tolist()
    assert noes + ayes > 10
    assert noes == pytest.approx(3 * ayes, abs=3)


@pytest.mark.deep
@pytest.mark.parametrize(("true", "first"), [(1.0, 10), (0.98, 10), (0.98, 30), (0.9, 30)])
def test_what_is_foreseen_from_few_and_like_answers_is_reached(true: float, first: int) -> None:
    found = active.alike(true, first, 0.05, samples=20, seed=7)
    # Each interval holds the truth; and what is drawn is enough, but not everything there is.
    assert np.mean([one.held_now for one in found]) >= 0.92
    assert np.mean([one.held for one in found]) >= 0.85
    assert np.median([one.half for one in found]) <= 1.1 * 0.05
    assert np.median([one.drawn for one in found]) < active.ALIKE / 2


def test_what_cannot_be_reached_says_what_all_would_bring() -> None:
    found = checked("y" * 30 + "n" * 30, "yn" * 5 + "-" * 20 + "n" * 10 + "-" * 20)
    plan = found.make_forecast_of_rows_to_check("share", 0.001)
    assert plan.random is None
    assert plan.total_rows_to_check == 40
    assert plan.best > 0.001
    assert found.make_forecast_of_rows_to_check("share", 0.5).total_rows_to_check == 0
    assert checked("yn" * 30, "-" * 60).make_forecast_of_rows_to_check(
        "share", 0.1
    ).by_group.tolist() == [
        20,
        20,
    ]


@pytest.mark.deep
def test_the_draw_is_unbiased_and_saves_judgments() -> None:
    # What ``python -m tests.bench active`` does at length.
    found = active.simulate("specificity", 0.02, samples=60, seed=7)
    assert active.faults(found, 0.02) == []
    assert np.median([one.drawn / one.by_chance for one in found]) < 0.4


def test_rows_that_a_cluster_has_twice_change_no_interval_of_macro_f1() -> None:
    rng = np.random.default_rng(5)
    truth = (rng.random(60) < 0.4).astype(float)
    said = np.where(rng.random(60) < 0.8, truth, 1 - truth)
    found = []
    for times in (1, 2):
        clusters = Clusters(np.repeat(np.arange(60), times))
        both = (np.repeat(said, times), np.repeat(truth, times))
        found.append(estimate_clustered_macro_f1(clusters, clusters.codes, *both))
    assert found[0].value == found[1].value
    assert (found[0].low, found[0].high) == pytest.approx((found[1].low, found[1].high))


def test_what_people_checked_but_the_judge_left_out_stands_for_nothing() -> None:
    # Of three rows that the judge answered in "a" one is checked, beside one that it did not
    # answer; of the only one in "b", none.
    weights = weights_of_checked_rows(
        ["a", "a", "a", "a", "b"], among=[1, 1, 1, 0, 1], checked=[1, 0, 0, 1, 0]
    )
    assert weights.tolist() == [3, 3, 3, 3, 1]
