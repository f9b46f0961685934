"""Agreement of raters with themselves, against numbers worked out by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from medlens.review import retest_agreement
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from tests.store.made_up import TASK, Rating, with_methods

NOMINAL = replace(TASK, level="nominal")


def twice(*answers: tuple[int, int], raters: int = 1) -> pd.DataFrame:
    """Pairs of first and second scores, item by item, given in turn to so many raters."""
    return pd.DataFrame(
        {
            "item_id": [f"i{at // raters}" for at in range(len(answers))],
            "rater_id": [f"r{at % raters}" for at in range(len(answers))],
            "rater": [f"Rater {at % raters}" for at in range(len(answers))],
            "first": [Rating(score=one) for one, _ in answers],
            "again": [Rating(score=two) for _, two in answers],
            "hours": 1.0,
        }
    )


def test_kappa_and_the_share_of_same_answers_are_those_worked_by_hand() -> None:
    both = twice(*[(1, 1)] * 4, *[(2, 2)] * 3, *[(1, 2)] * 2, (2, 1))
    found = retest_agreement.retest_agreement_by_variable_and_rater(NOMINAL, both)["score"]
    assert list(found) == [retest_agreement.EVERYONE, "Rater 0"]
    one = found["Rater 0"]
    # 7 of 10 are the same. First says 1 in 6 of 10, again in 5 of 10: by chance .6 × .5 + .4 × .5
    # = .5, so kappa is (.7 − .5) / .5.
    assert (one.same.numerator, one.same.n, one.same.value) == (7, 10, 0.7)
    assert one.kappa.value == pytest.approx(0.4)
    assert one.icc is None


def test_the_icc_is_that_of_one_way_analysis_of_variance() -> None:
    found = retest_agreement.retest_agreement_by_variable_and_rater(
        TASK, twice((1, 1), (2, 3), (3, 2), (5, 4))
    )["score"]["Rater 0"]
    # Means 1, 2.5, 2.5, 4.5, of all 2.625. Between: 2 × (1.625² + 2 × .125² + 1.875²) / 3 = 4.125.
    # Within: (0 + .5 + .5 + .5) / 4 = .375. ICC = (4.125 − .375) / (4.125 + .375).
    assert found.icc is not None
    assert found.icc.value == pytest.approx(3.75 / 4.5)
    assert found.icc.n == 4


def test_kappa_of_scores_weighs_what_lies_further_apart_by_its_square() -> None:
    found = retest_agreement.retest_agreement_by_variable_and_rater(
        TASK, twice((1, 1), (2, 2), (3, 3), (1, 3), (2, 3), (3, 1))
    )["score"]
    # Squares apart: 4 + 1 + 4 = 9 of 6 pairs. First says 1, 2 and 3 twice each, again 1 twice, 2
    # once, 3 three times; by chance (2 x 2 x (0, 1, 4) + ...) / 36: of first 1: 2 x (1 + 3 x 4),
    # of 2: 2 x (2 + 3), of 3: 2 x (2 x 4 + 1) = 26 + 10 + 18 = 54 of 36. 1 - (9 / 6) / (54 / 36).
    # With linear weights it is 1 - (5 / 6) / (34 / 36) = .118.
    assert found["Rater 0"].kappa.value == pytest.approx(0)


def test_on_a_scale_with_a_tolerance_answers_so_near_to_each_other_are_the_same() -> None:
    near = replace(TASK, tolerances={"score": 1})
    both = twice((1, 1), (2, 3), (3, 2), (5, 7), (4, 1), raters=1)
    one, exact = (
        retest_agreement.retest_agreement_by_variable_and_rater(of, both)["score"]["Rater 0"]
        for of in (near, TASK)
    )
    assert (one.same.numerator, one.same.n, exact.same.numerator) == (3, 5, 1)
    assert one.same.method.endswith("; the same within 1 point")
    assert one.kappa == exact.kappa
    assert one.icc == exact.icc
    # Names have no distance.
    nominal = replace(NOMINAL, tolerances={"score": 1})
    assert (
        retest_agreement.retest_agreement_by_variable_and_rater(nominal, both)["score"][
            "Rater 0"
        ].same.numerator
        == 1
    )


def test_all_together_items_are_drawn_whole_with_all_their_raters() -> None:
    # Two raters of 12 items, who change their answers on the same 3 items: 24 pairs tell no more
    # than 12.
    answers = [(1, 2) if item < 3 else (1 + item % 2, 1 + item % 2) for item in range(12)]
    both = twice(*(one for one in answers for _ in range(2)), raters=2)
    found = retest_agreement.retest_agreement_by_variable_and_rater(NOMINAL, both)["score"]
    one, two = found["Rater 0"], found[retest_agreement.EVERYONE]
    assert (one.same.n, two.same.n) == (12, 24)
    assert one.same.value == two.same.value == 0.75
    assert two.same.method == "share; Wilson over items"
    assert two.same.high - two.same.low >= 0.95 * (one.same.high - one.same.low)


def answered_again(raters: int) -> retest_agreement.Within:
    # Of twelve items each: the first rater always says the same again, every other one in half.
    pairs = [
        (1 + item % 2, 1 + (item + (rater > 0 and item % 4 > 1)) % 2)
        for item in range(12)
        for rater in range(raters)
    ]
    both = twice(*pairs, raters=raters)
    found = retest_agreement.retest_agreement_by_variable_and_rater(NOMINAL, both)["score"]
    assert all(one.kappa.speaks_for in ("this rater", "") for one in list(found.values())[1:])
    return found[retest_agreement.EVERYONE]


def test_the_same_answer_again_and_kappa_speak_for_other_raters_from_four_on() -> None:
    three, four = answered_again(3), answered_again(4)
    assert {three.same.speaks_for, three.kappa.speaks_for} == {"these 3 raters"}
    assert {four.same.speaks_for, four.kappa.speaks_for} == {"raters like these"}
    with declare_panel_fixed_within(fixed=True):
        fixed = answered_again(4)
    assert fixed.same.speaks_for == fixed.kappa.speaks_for == "these 4 raters, a fixed panel"
    for ours, narrow in ((four.same, fixed.same), (four.kappa, fixed.kappa)):
        assert ours.value == narrow.value
        assert ours.low < narrow.low
        assert ours.high > narrow.high


def test_what_was_answered_only_once_is_left_out() -> None:
    twofold = with_methods(
        NOMINAL,
        values_compared_for_agreement=lambda value: {
            "score": value.score,
            "once": value.why or None,
        },
    )
    both = twice((1, 1), (2, 2))
    both["first"] = [Rating(score=1, why="metre"), Rating(score=2, why="rhyme")]
    assert list(retest_agreement.retest_agreement_by_variable_and_rater(twofold, both)) == ["score"]
    assert retest_agreement.retest_agreement_by_variable_and_rater(NOMINAL, both.iloc[:0]) == {}


@pytest.mark.deep
def test_the_intervals_hold_the_truth_about_these_raters() -> None:
    """Three raters answer 30 items twice; items differ in how sure an answer to them is."""
    rng = np.random.default_rng(5)
    held, given = Counter[str](), Counter[str]()
    keeps = np.array([0.6, 0.8, 1.0])

    def draw(items: int) -> tuple[np.ndarray, np.ndarray]:
        yes = rng.beta(1, 1, items)[:, None]
        first = rng.random((items, 3)) < yes
        # A rater keeps their answer, or draws again from what the item suggests.
        again = np.where(rng.random((items, 3)) < keeps, first, rng.random((items, 3)) < yes)
        return first, again

    first, again = draw(50_000)
    same = float((first == again).mean())
    chance = first.mean() * again.mean() + (1 - first.mean()) * (1 - again.mean())
    truth = {"same": same, "kappa": (same - chance) / (1 - chance)}
    for _ in range(250):
        pairs = zip(*(1 + one.astype(int).ravel() for one in draw(30)), strict=True)
        # Under one name: what is said of each rater alone is not looked at.
        both = twice(*pairs, raters=3).assign(rater="A rater")
        found = retest_agreement.retest_agreement_by_variable_and_rater(NOMINAL, both)["score"][
            retest_agreement.EVERYONE
        ]
        for measure, true in truth.items():
            one = getattr(found, measure)
            if one.low is not None:
                given[measure] += 1
                held[measure] += one.low <= true <= one.high
    # 250 samples have a standard error of 1.4 % at 95.
    for measure in truth:
        assert given[measure] > 200, measure
        assert held[measure] / given[measure] >= 0.92 - 3 * 0.014, measure
