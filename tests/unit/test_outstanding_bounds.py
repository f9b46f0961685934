"""The bounds that outstanding verdicts leave a share."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medlens.stats.estimate import (
    Estimate,
    difference_with_bounds_for_outstanding_verdicts,
    share_with_bounds_for_outstanding_verdicts,
)
from medlens.stats.intervals import wilson_share_estimate


def bounds(noted: Estimate) -> tuple[float, float]:
    """The bounds in a share's method, in percent as they are printed."""
    printed = re.search(r"between ([\d.]+)% and ([\d.]+)%", noted.method)
    assert printed, noted.method
    return float(printed[1]), float(printed[2])


def test_outstanding_rows_may_turn_out_either_way() -> None:
    # 8 of 10; two more: 8 of 12 if neither is a hit, 10 of 12 if both are.
    assert bounds(share_with_bounds_for_outstanding_verdicts(wilson_share_estimate(8, 10), 2)) == (
        66.7,
        83.3,
    )


@given(st.data())
def test_bounds_of_outstanding_verdicts_include_the_share_shown(data: st.DataObject) -> None:
    counted = data.draw(st.integers(4, 500))
    hits = data.draw(st.integers(0, counted))
    many = data.draw(st.integers(1, counted // 4))
    noted = share_with_bounds_for_outstanding_verdicts(wilson_share_estimate(hits, counted), many)
    low, high = bounds(noted)
    assert noted.value is not None
    assert low <= round(100 * noted.value, 1) <= high


@pytest.mark.parametrize(
    "note",
    [share_with_bounds_for_outstanding_verdicts, difference_with_bounds_for_outstanding_verdicts],
    ids=["share", "difference"],
)
def test_a_figure_is_withheld_if_more_than_a_fifth_of_its_rows_is_outstanding(
    note: Callable[[Estimate, int], Estimate],
) -> None:
    assert note(wilson_share_estimate(6, 8), 2).value == 0.75
    assert not note(wilson_share_estimate(6, 8), 3).has_value


@pytest.mark.parametrize("many", [0, 3])
def test_a_share_keeps_its_value_when_others_are_outstanding(many: int) -> None:
    assert (
        share_with_bounds_for_outstanding_verdicts(wilson_share_estimate(30, 40), many).value
        == 0.75
    )
