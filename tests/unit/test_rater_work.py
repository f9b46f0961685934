"""What of a person's work a lead should look at, and the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import pytest

from medlens.review.consensus import compared_values_of_each_answer
from medlens.review.raters_compared_with_others import table_comparing_raters_with_others
from medlens.studies.agentclinic.tasks import DiagnosisMatch, DiagnosisMatchTask
from tests.store.made_up import with_methods


def judged(**of: tuple[str, float]) -> pd.DataFrame:
    """By rater: an answer per item (y or n), and the seconds of each."""
    said = {"y": "yes", "n": "no"}
    rows = [
        (f"item{at}", rater, "person", DiagnosisMatch(same=said[one]), seconds)
        for rater, (given, seconds) in of.items()
        for at, one in enumerate(given)
    ]
    return pd.DataFrame(rows, columns=["item_id", "rater_id", "rater_kind", "value", "seconds"])


def test_who_is_fast_says_one_thing_and_agrees_with_nobody_is_pointed_out_with_evidence() -> None:
    found = table_comparing_raters_with_others(
        DiagnosisMatchTask(),
        judged(ann=("ynnynynnyn", 30.0), bea=("ynnynynnyn", 32.0), cem=("yyyyyyyyyy", 9.0)),
    )
    # Of cem's ten yes, both others share four; ann has bea on all ten and cem on those four.
    assert found["same"].to_dict() == pytest.approx({"ann": 0.7, "bea": 0.7, "cem": 0.4})
    assert found["look_at"]["ann"] == found["look_at"]["bea"] == ""
    fast, usual, *_ = found["look_at"]["cem"].split("; ")
    assert fast == "9 s per item, others 31 s"
    assert usual == "the same answer to 100% of 10 items, others 60%"


def test_who_agrees_far_less_than_the_others_among_themselves_is_pointed_out() -> None:
    given = "ynnynynnyn" * 4
    other = given.translate(str.maketrans("yn", "ny"))
    found = table_comparing_raters_with_others(
        DiagnosisMatchTask(),
        judged(ann=(given, 30.0), bea=(given, 30.0), cem=(given, 30.0), dan=(other, 30.0)),
    )
    assert found["look_at"]["dan"] == ("agrees with 0% of the others on 40 items, others with 67%")
    assert found["look_at"]["ann"] == ""


def test_what_is_worth_a_look_begins_at_a_third_of_the_time_and_at_19_of_20() -> None:
    def looked_at(given: str, others: str, seconds: float) -> str:
        people = judged(ann=(others, 30.0), cem=(given, seconds))
        return str(
            table_comparing_raters_with_others(DiagnosisMatchTask(), people)["look_at"]["cem"]
        )

    varied = "ynnynynnyn"
    assert looked_at(varied, varied, 10.0) == "10 s per item, others 30 s"
    assert looked_at(varied, varied, 10.5) == ""
    # The others give their commonest answer to 15 of 20 items at most.
    often, at_most = "y" * 19 + "n", "y" * 15 + "n" * 5
    assert looked_at(often, at_most, 30.0) == "the same answer to 95% of 20 items, others 75%"
    assert looked_at("y" * 18 + "nn", at_most, 30.0) == ""
    assert looked_at(often, "y" * 16 + "n" * 4, 30.0) == ""


def test_nobody_is_suspected_on_few_items_or_without_others() -> None:
    few = table_comparing_raters_with_others(
        DiagnosisMatchTask(), judged(ann=("ynyn", 30.0), cem=("yyyy", 1.0))
    )
    assert few["look_at"].tolist() == ["", ""]
    alone = table_comparing_raters_with_others(DiagnosisMatchTask(), judged(cem=("y" * 20, 1.0)))
    assert alone["look_at"].tolist() == [""]
    assert table_comparing_raters_with_others(DiagnosisMatchTask(), judged()).empty


def test_an_answer_that_many_gave_is_measured_once_and_each_keeps_its_place() -> None:
    task, asked = DiagnosisMatchTask(), list[DiagnosisMatch]()

    def measures(value: DiagnosisMatch) -> Mapping[str, object]:
        asked.append(value)
        return task.values_compared_for_agreement(value)

    yes, no = DiagnosisMatch(same="yes"), DiagnosisMatch(same="no")
    found = compared_values_of_each_answer(
        with_methods(task, values_compared_for_agreement=measures), [yes, no, yes, yes]
    )
    assert [one["same"] for one in found] == ["yes", "no", "yes", "yes"]
    assert asked == [yes, no]
