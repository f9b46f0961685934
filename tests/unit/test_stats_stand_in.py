"""The alternative annotator test, by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from medlens.stats.annotator_replacement_test import run_alternative_annotator_test
from medlens.stats.paired_proportions import p_value_against_difference_of_margin


def alike(n: int, wrong: int, people: int = 3):
    """People who all say yes; a model that says no ``wrong`` times."""
    return np.r_[np.zeros(wrong), np.ones(n - wrong)], np.ones((n, people))


def test_a_model_that_differs_once_in_thirty_passes_by_hand() -> None:
    # Each person left out agrees with the others on all 30 items, the model on 29. Difference: 0 on
    # 29 items, 1 on one: mean 1/30, variance 1/30 (29/30^2 + (29/30)^2, over 29), standard error
    # (1/30 / 30)^.5 = 1/30; t = (1/30 - 1/5) / (1/30) = -5. Three equal p values are adjusted by
    # 1 + 1/2 + 1/3 = 11/6.
    found = run_alternative_annotator_test(*alike(30, 1))
    assert found.passes
    assert found.winning == 1
    assert found.advantage == pytest.approx(29 / 30)
    assert [one.person for one in found.compared] == [1, 1, 1]
    p = stats.t.cdf(-5, 29) * 11 / 6
    assert [one.p for one in found.compared] == pytest.approx([p] * 3)


def test_a_model_that_is_worse_by_the_allowance_does_not_pass() -> None:
    # Six of 30 apart: the mean difference is 0.2, the allowance itself, and t is 0.
    found = run_alternative_annotator_test(*alike(30, 6))
    assert (found.passes, found.winning) == (False, 0)
    assert found.compared[0].p == pytest.approx(min(1, 0.5 * 11 / 6))
    # The same model passes where more is allowed for, and fails where nothing is.
    assert run_alternative_annotator_test(*alike(30, 6), epsilon=0.5).passes
    assert not run_alternative_annotator_test(*alike(30, 1), epsilon=0.0).passes


def test_on_a_scale_the_nearer_one_wins() -> None:
    # The others say 4 and 6; a 5 is at a distance of 1 from each, a 4 at (0 + 4)/2, its root 1.41.
    people = np.tile([4.0, 4.0, 6.0], (40, 1))
    found = run_alternative_annotator_test(np.full(40, 5.0), people, scale=True)
    nearer = {one.annotator: one.model for one in found.compared}
    # Left out the first (others 4, 6): the model's 1 beats 1.41. Left out the third (others 4, 4):
    # the model's 1 beats 2.
    assert nearer == {0: 1, 1: 1, 2: 1}
    assert found.compared[0].person == 0


@pytest.mark.parametrize("n, people, there", [(29, 3, 0), (100, 2, 2), (100, 1, 0), (0, 3, 0)])
def test_too_few_people_or_items_are_said(n: int, people: int, there: int) -> None:
    found = run_alternative_annotator_test(*alike(n, 0, people))
    assert found.passes is None
    assert found.winning is None
    assert f"there are {there}" in found.reason


def test_people_who_share_no_item_with_others_are_not_compared() -> None:
    model, people = alike(90, 0)
    people[:] = np.nan
    for one in range(3):
        people[30 * one : 30 * one + 30, one] = 1
    assert run_alternative_annotator_test(model, people).passes is None


def simulated(rng: np.random.Generator, right: float, n: int = 60, people: int = 4):
    """People who say what is so in 8 of 10 cases, two of four on each item, and a model."""
    true = rng.integers(0, 2, n)
    given = np.where(rng.random((n, people)) < 0.8, true[:, None], 1 - true[:, None]).astype(float)
    given[rng.permuted(np.tile(np.arange(people), (n, 1)), axis=1) >= 3] = np.nan
    return np.where(rng.random(n) < right, true, 1 - true).astype(float), given


def test_a_model_that_answers_like_a_clinician_passes_and_a_random_one_does_not() -> None:
    rng = np.random.default_rng(5)
    like = [bool(run_alternative_annotator_test(*simulated(rng, 0.8)).passes) for _ in range(60)]
    random = [bool(run_alternative_annotator_test(*simulated(rng, 0.5)).passes) for _ in range(60)]
    assert np.mean(like) > 0.6
    assert np.mean(random) < 0.1


def test_statements_of_one_question_are_not_taken_for_independent_ones() -> None:
    # Twelve questions of ten statements; the model is wrong on all of one question.
    model, people = alike(120, 10)
    question = np.repeat(np.arange(12), 10)
    rows = run_alternative_annotator_test(model, people)
    whole = run_alternative_annotator_test(model, people, clusters=question)
    assert rows.passes
    # Mean 1/12; by questions 1 of 12: variance of sums (110/12)^2 + 11 (10/12)^2 = 91.67, by 12/11
    # and its root over 120: 1/12; t = (1/12 - 1/5) / (1/12) = -1.4 with 11 degrees of freedom.
    assert whole.compared[0].p == pytest.approx(stats.t.cdf(-1.4, 11) * 11 / 6)
    assert not whole.passes


def test_two_clusters_are_enough_for_a_test_with_one_degree_of_freedom() -> None:
    # The model differs on one item of either half: both means are 1/20, and nothing varies.
    model, people = np.ones(40), np.ones((40, 3))
    model[[0, 20]] = 0
    found = run_alternative_annotator_test(model, people, clusters=np.repeat([0, 1], 20))
    assert found.passes
    alone = run_alternative_annotator_test(model, people, clusters=np.zeros(40))
    assert [one.p for one in alone.compared] == [1, 1, 1]


def test_half_of_the_people_are_enough_to_pass() -> None:
    # Two people judge the first 40 items alike and two others the last 40; the model says what the
    # first two do, and never what the others do.
    model, people = np.ones(80), np.full((80, 4), np.nan)
    people[:40, :2], people[40:, 2:] = 1, 0
    found = run_alternative_annotator_test(model, people)
    assert [one.beaten for one in found.compared] == [True, True, False, False]
    assert (found.winning, found.passes) == (0.5, True)


def drawn_unequally(wrong: int):
    """Of 90 items of one stratum 30 are judged, of 30 of another all; the model differs from people
    on ``wrong`` of the former.
    """
    model, people = alike(120, 0)
    model[:wrong] = 0
    people[30:90] = np.nan
    return model, people, np.repeat(["few", "all"], [90, 30])


def test_an_item_that_was_drawn_to_be_judged_counts_for_as_many_as_it_stands_for() -> None:
    # Each of the 30 stands for three of 90: 6 x 3 of 120 are apart, not 6 of 60.
    *answers, strata = drawn_unequally(6)
    found = run_alternative_annotator_test(*answers, strata=strata)
    assert [one.model for one in found.compared] == pytest.approx([1 - 18 / 120] * 3)
    assert [(one.n, one.person) for one in found.compared] == [(60, 1)] * 3
    assert found.advantage == pytest.approx(0.85)
    even = run_alternative_annotator_test(*answers)
    assert even.advantage == pytest.approx(0.9)
    assert even.compared[0].p < 0.05 < found.compared[0].p


def test_the_p_value_after_an_unequal_draw_is_that_of_as_many_items_as_tell_as_much() -> None:
    # Weights of 3 and 1, 30 times each: 120^2 / (30 x 9 + 30) = 48 items in effect. They never
    # differ: Tango's score for 0.2 is (0 - 48 x 0.2) / (48 x 0.2 x 0.8)^.5 = -12^.5.
    *answers, strata = drawn_unequally(0)
    found = run_alternative_annotator_test(*answers, strata=strata)
    p = stats.t.cdf(-(12**0.5), 47) * 11 / 6
    assert [one.p for one in found.compared] == pytest.approx([p] * 3)


def test_few_items_that_stand_for_many_are_too_few_in_effect() -> None:
    # Ten items stand for 480, forty for 120: 600^2 / (10 x 48^2 + 40 x 3^2) = 15.4 in effect.
    model, people = alike(600, 0)
    people[10:480], people[520:] = np.nan, np.nan
    strata = np.repeat(["a", "b"], [480, 120])
    assert run_alternative_annotator_test(model, people).passes
    found = run_alternative_annotator_test(model, people, strata=strata)
    assert found.passes is None
    assert "stand for many" in found.reason
    # Equal weights are as many items as there are, whatever they are.
    model, people = alike(210, 0)
    people[30:] = np.nan
    assert run_alternative_annotator_test(model, people, strata=np.zeros(210)).passes


def test_a_model_as_bad_as_allowed_seldom_passes_whatever_was_drawn_to_be_judged() -> None:
    # It is wrong on 2 of 9 of 540 items, and on none of 60, of which more are judged: 0.2 in all.
    rng = np.random.default_rng(7)
    strata = np.repeat([0, 1], [540, 60])
    beaten = {True: 0, False: 0}
    for _ in range(300):
        wrong = (rng.random(600) < 2 / 9) & (strata == 0)
        model, people = 1.0 - wrong, np.ones((600, 3))
        people[40:540] = np.nan
        for weighted in beaten:
            found = run_alternative_annotator_test(
                model, people, strata=strata if weighted else None
            )
            beaten[weighted] += found.compared[0].beaten
    assert beaten[True] <= 0.05 * 300
    assert beaten[False] >= 0.5 * 300


@pytest.mark.deep
@pytest.mark.parametrize("both_differ", [False, True])
@pytest.mark.parametrize("times", [0, 0.5, 1, 2])
@pytest.mark.parametrize(
    "sizes, judged",
    [
        ((540, 60), (40, 60)),
        ((570, 30), (60, 30)),
        ((300, 300), (20, 60)),
        ((300, 300), (60, 20)),
        ((480, 120), (100, 20)),
    ],
)
def test_the_score_test_keeps_its_level_whichever_items_were_drawn(
    sizes: tuple[int, int], judged: tuple[int, int], times: float, both_differ: bool
) -> None:
    # The model is exactly as bad as allowed: 0.2 in all, in the second stratum ``times`` as bad as
    # in the first; where both differ, it is better than the person on one item in twenty.
    rng, better = np.random.default_rng(7), 0.05 * both_differ
    worse = (0.2 + better) * 600 / (sizes[0] + times * sizes[1])
    chances = np.repeat([worse, times * worse], judged)
    weights = np.repeat(np.divide(sizes, judged), judged)
    rejected = 0
    for _ in range(2000):
        drawn = rng.random(len(chances))
        person, model = drawn < chances, (drawn >= chances) & (drawn < chances + better)
        rejected += (
            p_value_against_difference_of_margin(
                person, model, np.arange(len(chances)), margin=0.2, weights=weights
            )
            <= 0.05
        )
    assert rejected / 2000 <= 0.07
