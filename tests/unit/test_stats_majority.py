"""The clear majority: of all who were asked, with *cannot tell* as an answer."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medlens.stats.majority import (
    Vote,
    compute_majority_code_of_each_item,
    compute_majority_median_of_each_item,
    count_votes_and_find_majority,
    count_votes_and_find_majority_on_scale,
)

NAN = np.nan


@pytest.mark.parametrize(
    ("answers", "outcome"),
    [
        (["yes", "yes", "no"], Vote("yes", 2, 3, 0)),
        # Half is not more than half, whether the rest says no, cannot tell or nothing.
        (["yes", "no"], Vote(None, 1, 2, 0)),
        (["yes", "cannot tell"], Vote(None, 1, 2, 1)),
        (["yes", None], Vote(None, 1, 2, 0)),
        # To abstain is an answer that can have the majority; to say nothing is none.
        (["cannot_tell", "cannot_tell", "no"], Vote("cannot_tell", 2, 3, 2)),
        ([None, None, "no"], Vote(None, 1, 3, 0)),
        ([], Vote(None, 0, 0, 0)),
        ([False, False, True], Vote(False, 2, 3, 0)),
    ],
)
def test_a_clear_majority_is_more_than_half_of_all_who_were_asked(
    answers: list[str | bool | None], outcome: Vote
) -> None:
    assert count_votes_and_find_majority(answers) == outcome


def test_of_arrays_it_is_the_same_and_who_was_not_asked_does_not_count() -> None:
    codes = np.array([[0, 0, 1], [0, NAN, NAN], [0, NAN, NAN], [NAN, NAN, NAN]])
    asked = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    np.testing.assert_array_equal(
        compute_majority_code_of_each_item(codes, asked), [0, NAN, 0, NAN]
    )


def test_a_median_is_given_where_more_than_half_of_those_asked_gave_a_number() -> None:
    numbers = np.array([[1, 2, 5], [4, NAN, NAN], [4, NAN, NAN], [1, 2, NAN]])
    asked = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [1, 1, 1]], dtype=bool)
    np.testing.assert_array_equal(
        compute_majority_median_of_each_item(numbers, asked), [2, NAN, 4, 1.5]
    )


@pytest.mark.parametrize(
    ("numbers", "outcome"),
    [
        # One point apart is the same: the median, though nobody gave it.
        ([4, 5], Vote(4.5, 2, 2, 0)),
        ([4, 4, 1], Vote(4, 2, 3, 0)),
        # 3 and 5 are divided, so not all agree; 4 is near enough to either.
        ([3, 4, 5], Vote(4, 2, 3, 0)),
        # 3 is near to each of 2 and 4, which are not near to each other: nobody's answer.
        ([2, 4], Vote(None, 1, 2, 0)),
        ([2, 2, 4, 4], Vote(None, 2, 4, 0)),
        ([2, 2, 3, 4, 5], Vote(3, 3, 5, 0)),
        # Two points apart is not, and the median is nobody's answer.
        ([1, 5], Vote(None, 1, 2, 0)),
        ([2, None], Vote(None, 1, 2, 0)),
        ([2, 3, None], Vote(2.5, 2, 3, 0)),
        ([None, None], Vote(None, 0, 2, 0)),
    ],
)
def test_with_a_tolerance_the_median_counts_if_more_than_half_are_so_near_to_each_other(
    numbers: list[float | None], outcome: Vote
) -> None:
    assert count_votes_and_find_majority_on_scale(numbers, 1) == outcome
    row = np.array([[NAN if number is None else number for number in numbers]])
    median = compute_majority_median_of_each_item(row, np.ones(row.shape, dtype=bool), tolerance=1)
    np.testing.assert_array_equal(median, [NAN if outcome.answer is None else outcome.answer])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 7), min_size=1, max_size=6), st.integers(1, 3))
def test_fewer_votes_than_answers_are_where_two_answers_are_divided(
    numbers: list[int], tolerance: int
) -> None:
    pairs = list(combinations(numbers, 2))
    divided = any(abs(one - two) > tolerance for one, two in pairs)
    outcome = count_votes_and_find_majority_on_scale(numbers, tolerance)
    assert (outcome.votes < len(numbers)) == divided
    groups = (
        some
        for size in range(1, len(numbers) + 1)
        for some in combinations(numbers, size)
        if max(some) - min(some) <= tolerance
    )
    assert outcome.votes == max(map(len, groups))
    if outcome.answer is not None:
        near = sum(abs(number - outcome.answer) <= tolerance for number in numbers)
        assert near >= outcome.votes > len(numbers) / 2
