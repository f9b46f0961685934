"""How many people gave the answer that an item's consensus is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from medlens.review.consensus import (
    consensus_table_of_judgments,
    disagreements_table,
    positions_and_distinct_objects,
)
from tests.store import made_up

TASK = replace(
    made_up.with_methods(made_up.TASK, values_compared_for_agreement=lambda value: value),
    level="nominal",
)


def consensus_of(answers: list[str], decisions: dict[str, Any]) -> tuple[Any, int, int, bool]:
    """Answer, votes, n and adjudicated of an item on which people gave these answers."""
    judged = pd.DataFrame(
        {"item": "a", "rater_kind": "person", "value": [{"q": answer} for answer in answers]}
    )
    row = consensus_table_of_judgments(TASK, judged, decisions).iloc[0]
    return row["answer"], int(row["votes"]), int(row["n"]), bool(row["adjudicated"])


def test_votes_of_a_majority_are_those_who_gave_its_answer() -> None:
    assert consensus_of(["yes", "yes", "no"], {}) == ("yes", 2, 3, False)


@pytest.mark.parametrize(("answer", "votes"), [("maybe", 0), ("no", 1), ("yes", 2)])
def test_votes_of_an_adjudicators_answer_are_those_who_gave_it(answer: str, votes: int) -> None:
    decided = consensus_of(["yes", "yes", "no"], {"a": {"q": answer}})
    assert decided == (answer, votes, 3, True)


def test_nobody_voted_for_a_decision_that_no_answer_holds() -> None:
    assert consensus_of(["yes", "yes"], {"a": None}) == (None, 0, 2, True)


def test_votes_of_an_item_without_a_majority_are_those_of_the_commonest_answer() -> None:
    assert consensus_of(["yes", "yes", "no", "maybe"], {}) == (None, 2, 4, False)


def test_two_people_who_differ_are_divided_and_one_alone_is_not() -> None:
    given = {"a": ["yes", "no"], "b": ["yes", "yes"], "c": ["no"], "d": ["yes", "yes", "no"]}
    rows = [(item, {"q": answer}) for item, answers in given.items() for answer in answers]
    judged = pd.DataFrame(rows, columns=["item_id", "value"])
    judged = judged.assign(item=judged["item_id"], rater_kind="person")
    judged["rater"] = [f"r{at}" for at in range(len(judged))]
    found = disagreements_table(TASK, judged)
    # Of the pairs of answers to a all differ, of those to d two of three.
    assert found["item"].tolist() == ["a", "d"]
    assert found["divided"].tolist() == pytest.approx([1, 2 / 3])


def test_values_are_told_apart_as_objects_in_the_order_in_which_they_first_come() -> None:
    first, second, equal_to_first = ["a"], ["b"], ["a"]
    which, different = positions_and_distinct_objects(
        [second, first, second, equal_to_first, first]
    )
    assert which.tolist() == [0, 1, 0, 2, 1]
    assert [id(one) for one in different] == [id(second), id(first), id(equal_to_first)]
    which, different = positions_and_distinct_objects([])
    assert (len(which), different) == (0, [])


def test_on_a_scale_only_pairs_further_apart_than_the_tolerance_are_divided() -> None:
    task = replace(TASK, level="interval", tolerances={"q": 1.0})
    given = {"a": [1, 2, 3], "b": [4, 5, 5], "c": [0, 2, 4, 9], "d": [7, 9]}
    rows = [(item, {"q": answer}) for item, answers in given.items() for answer in answers]
    # Whose answers to an item stand beside each other in the table makes no difference.
    judged = pd.DataFrame(rows[::2] + rows[1::2], columns=["item_id", "value"])
    judged = judged.assign(item=judged["item_id"], rater_kind="person")
    found = disagreements_table(task, judged).set_index("item")
    # Of a's three pairs only 1 and 3 are further apart; nobody's of b; all of c's six and of d's.
    assert found["divided"].to_dict() == pytest.approx({"a": 1 / 3, "c": 1, "d": 1})


@pytest.mark.parametrize("answers", [3, 4000])
def test_few_answers_and_answers_that_are_all_different_are_counted_alike(answers: int) -> None:
    """Few are counted in a table, many are sorted."""
    rows = [("a", "same"), ("a", "same"), ("a", "other"), ("b", "same"), ("b", "same")]
    rows += [(f"c{at}", f"alone {at}") for at in range(answers)]
    judged = pd.DataFrame(rows, columns=["item_id", "answer"])
    judged["value"] = [{"q": answer} for answer in judged["answer"]]
    judged = judged.assign(item=judged["item_id"], rater_kind="person")
    [found] = disagreements_table(TASK, judged).to_dict("records")
    assert (found["item"], found["divided"], found["raters"]) == ("a", pytest.approx(2 / 3), 3)
