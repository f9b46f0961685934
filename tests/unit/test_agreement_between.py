"""Every two raters of a task on the items that both answered, people and models alike."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from medlens.review.agreement import (
    ONE_ANSWER,
    compute_agreement_by_variable,
    list_raters_and_pairwise_agreement,
)
from medlens.review.mark_agreement import span_f1_function_by_name_and_meaning
from medlens.review.tasks import Task
from medlens.stats.kappa import estimate_gwet_ac2
from medlens.stats.rating_counts import NO_VARIATION, RatingCounts
from medlens.studies.agentclinic.tasks import (
    DiagnosisMatch,
    DiagnosisMatchTask,
    DialogueRealismTask,
    Realism,
)
from tests.store.made_up import TASK as RATING
from tests.store.made_up import Rating

PERSON, MODEL = "person", "model"


def judged(*answers: tuple[str, str, str]) -> pd.DataFrame:
    """One row per (rater, kind, answers): a letter per item from item1 on, "-" for not judged."""
    said = {"y": "yes", "n": "no"}
    rows = [
        (f"item{at}", rater, kind, DiagnosisMatch(same=said[one]))
        for rater, kind, given in answers
        for at, one in enumerate(given, 1)
        if one in said
    ]
    return pd.DataFrame(rows, columns=["item_id", "rater", "rater_kind", "value"])


JUDGED = judged(("m-1", MODEL, "yyyn-"), ("bea", PERSON, "ynnny"), ("Ann", PERSON, "yynn-"))


def test_people_stand_before_models_and_only_items_of_both_count() -> None:
    raters, pairs = list_raters_and_pairwise_agreement(DiagnosisMatchTask(), JUDGED, "same")
    assert raters == ["Ann", "bea", "m-1"]
    found = {(one.first, one.second): one for one in pairs}
    assert {pair: (one.same.numerator, one.same.n) for pair, one in found.items()} == {
        ("Ann", "bea"): (3, 4),
        ("Ann", "m-1"): (3, 4),
        ("bea", "m-1"): (2, 4),
    }
    assert found["bea", "m-1"].apart == ("item2", "item3")
    # Ann says yes to 2 of 4, bea to 1: by chance .5 x .25 + .5 x .75 = .5; (.75 - .5) / .5 = .5.
    assert found["Ann", "bea"].kappa_estimate.value == pytest.approx(0.5)
    # bea 1 of 4, the model 3: by chance .25 x .75 + .75 x .25 = .375; (.5 - .375) / .625 = .2.
    assert found["bea", "m-1"].kappa_estimate.value == pytest.approx(0.2)


def test_raters_without_a_common_item_have_no_agreement_rather_than_none() -> None:
    apart = judged(("Ann", PERSON, "y-"), ("Bea", PERSON, "-y"))
    [pair] = list_raters_and_pairwise_agreement(DiagnosisMatchTask(), apart, "same")[1]
    assert (pair.same.value, pair.kappa_estimate.value, pair.apart) == (None, None, ())
    assert pair.same.reason == "no item was rated by two raters"


def test_scores_a_point_apart_are_nearer_than_scores_nine_apart() -> None:
    def kappa(*seconds: int) -> float:
        firsts = (1, 5, 10, 10)
        rows = [
            (f"item{at}", rater, PERSON, Realism(doctor=score))
            for rater, scores in (("Ann", firsts), ("Bea", seconds))
            for at, score in enumerate(scores)
        ]
        frame = pd.DataFrame(rows, columns=["item_id", "rater", "rater_kind", "value"])
        [pair] = list_raters_and_pairwise_agreement(DialogueRealismTask(), frame, "doctor")[1]
        assert (pair.same.numerator, pair.same.n) == (3, 4)
        assert pair.kappa_estimate.value is not None
        return pair.kappa_estimate.value

    assert kappa(1, 5, 10, 9) > 0.9 > kappa(1, 5, 10, 1)


def test_what_a_rater_left_out_is_no_answer() -> None:
    rows = [
        ("item1", "Ann", PERSON, Realism(doctor=3)),
        ("item1", "Bea", PERSON, Realism(patient=3)),
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "rater", "rater_kind", "value"])
    assert list_raters_and_pairwise_agreement(DialogueRealismTask(), frame, "doctor") == (
        ["Ann"],
        [],
    )


def test_marks_on_the_same_words_agree_if_they_have_the_same_label() -> None:
    def marked(label: str) -> SimpleNamespace:
        return SimpleNamespace(spans=[SimpleNamespace(start=0, end=5, labels=(label,))])

    judged = pd.DataFrame(
        {
            "item_id": ["a", "a", "b", "b"],
            "rater": ["Ann", "Bob"] * 2,
            "value": [marked("x"), marked("x"), marked("x"), marked("y")],
        }
    )
    [measure] = span_f1_function_by_name_and_meaning(judged, ["x", "y"]).values()
    assert measure(["Ann", "Bob"]).value == 0.5


def scores(tolerance: float = 0) -> tuple[Task, pd.DataFrame]:
    """A scale of 1 to 10, of which three people gave 2 to 5; and their judgments."""
    task = replace(
        RATING,
        scales={"score": tuple(range(1, 11))},
        tolerances={"score": tolerance} if tolerance else {},
    )
    given = {"Anna": [2, 3, 5, 2], "Ben": [3, 3, 3, 2], "Cora": [2, 4, 5, 2]}
    rows = [
        (f"i{at}", name, name, "person", Rating(score=score))
        for name, each in given.items()
        for at, score in enumerate(each)
    ]
    columns = ["item_id", "rater_id", "rater", "rater_kind", "value"]
    return task, pd.DataFrame(rows, columns=columns)


def test_answers_as_near_as_a_scales_tolerance_agree_among_all_and_between_two() -> None:
    # Of the pairs of each item 1, 1, 1 and 3 of 3 are equal; within a point all but two of the
    # third item's.
    for tolerance, percent, same in ((0, 0.5, 2), (1, (1 + 1 + 1 / 3 + 1) / 4, 3)):
        task, judged = scores(tolerance)
        assert compute_agreement_by_variable(task, judged)["score"].percent.value == pytest.approx(
            percent
        )
        _, [anna_and_ben, *_] = list_raters_and_pairwise_agreement(task, judged, "score")
        assert anna_and_ben.same.numerator == same


def test_points_that_nobody_gave_count_in_the_ac2_of_a_scale() -> None:
    task, judged = scores()
    ratings = np.array([[2, 3, 2], [3, 3, 4], [5, 3, 5], [2, 2, 2]], dtype=float)
    known = RatingCounts.from_ratings(ratings, values=range(1, 11))
    found = compute_agreement_by_variable(task, judged)["score"].ac2
    assert found is not None
    assert found.value == pytest.approx(estimate_gwet_ac2(known).value)
    assert found.value != pytest.approx(estimate_gwet_ac2(RatingCounts.from_ratings(ratings)).value)


def test_answers_that_nobody_gave_count_in_ac1_as_they_do_in_ac2() -> None:
    # One always says 5, the other 4: over five points, chance is 2 x 1/4 / 4 = 1/8.
    task, judged = scores()
    rows = judged[judged["rater"] != "Cora"].assign(
        value=lambda of: [Rating(score=5 if rater == "Anna" else 4) for rater in of["rater"]]
    )
    found = compute_agreement_by_variable(replace(task, scales={"score": (1, 2, 3, 4, 5)}), rows)[
        "score"
    ]
    assert found.ac1.value == pytest.approx((0 - 1 / 8) / (1 - 1 / 8))
    assert found.ac2 is not None
    assert found.ac2.value == pytest.approx(0.82, abs=0.005)


def test_an_answer_that_all_gave_is_full_agreement_where_others_could_have_been_given() -> None:
    frame = judged(("Ann", PERSON, "yyyy"), ("Bea", PERSON, "yyyy")).assign(
        rater_id=lambda of: of["rater"]
    )
    found = compute_agreement_by_variable(DiagnosisMatchTask(), frame)["same"]
    assert found.ac1.value == 1
    assert found.alpha.reason == NO_VARIATION
    # Of numbers nobody knows what else could have been answered.
    task, rows = scores()
    rows = rows.assign(value=[Rating(score=3)] * len(rows))
    unknown = replace(task, scales={}, level="interval")
    assert compute_agreement_by_variable(unknown, rows)["score"].ac1.reason == ONE_ANSWER
