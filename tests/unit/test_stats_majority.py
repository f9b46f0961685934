"""The clear majority: of all who were asked, with *cannot tell* as an answer."""

from __future__ import annotations

import numpy as np
import pytest

from medlens.stats.majority import Vote, majority_codes, median_codes, vote, vote_near

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
    assert vote(answers) == outcome


def test_of_arrays_it_is_the_same_and_who_was_not_asked_does_not_count() -> None:
    codes = np.array([[0, 0, 1], [0, NAN, NAN], [0, NAN, NAN], [NAN, NAN, NAN]])
    asked = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [0, 0, 0]], dtype=bool)
    np.testing.assert_array_equal(majority_codes(codes, asked), [0, NAN, 0, NAN])


def test_a_median_is_given_where_more_than_half_of_those_asked_gave_a_number() -> None:
    numbers = np.array([[1, 2, 5], [4, NAN, NAN], [4, NAN, NAN], [1, 2, NAN]])
    asked = np.array([[1, 1, 1], [1, 1, 0], [1, 0, 0], [1, 1, 1]], dtype=bool)
    np.testing.assert_array_equal(median_codes(numbers, asked), [2, NAN, 4, 1.5])


@pytest.mark.parametrize(
    ("numbers", "outcome"),
    [
        # One point apart is the same: the median, though nobody gave it.
        ([4, 5], Vote(4.5, 2, 2, 0)),
        ([4, 4, 1], Vote(4, 2, 3, 0)),
        ([3, 4, 5], Vote(4, 3, 3, 0)),
        # Two points apart is not, and the median is nobody's answer.
        ([1, 5], Vote(None, 0, 2, 0)),
        ([2, None], Vote(None, 1, 2, 0)),
        ([None, None], Vote(None, 0, 2, 0)),
    ],
)
def test_with_a_tolerance_the_median_counts_if_more_than_half_are_so_near_to_it(
    numbers: list[float | None], outcome: Vote
) -> None:
    assert vote_near(numbers, 1) == outcome
