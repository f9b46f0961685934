"""What a chart's caption says of intervals."""

from __future__ import annotations

import pytest

from medlens.review.charts import Axis, bars
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson

WITHHELD = Estimate(0.5, None, None, 3, "share, no interval from fewer than 4 raters")
ALIKE = Estimate(2.0, None, None, 9, "mean, no interval: they are all alike")


def caption(n: str, *estimates: Estimate) -> str:
    entries = [(str(at), f"figure_{at}", "", one, "") for at, one in enumerate(estimates)]
    return bars("own", "made_up", entries, Axis("Share"), title="Made up", n=n).caption


def test_a_caption_says_intervals_where_all_have_one() -> None:
    assert caption("Share, with 95% intervals.", wilson(3, 9)) == "Share, with 95% intervals."
    # What is undefined is said below the chart.
    nothing = Estimate.undefined("nobody judged")
    assert caption("With 95% intervals.", wilson(3, 9), nothing) == "With 95% intervals."


def test_a_caption_says_how_many_have_none_and_why() -> None:
    told = caption("Share, with 95% intervals.", wilson(3, 9), WITHHELD, ALIKE)
    assert told == (
        "Share, with 95% intervals. 2 of 3 have no interval:"
        " fewer than 4 raters or they are all alike."
    )


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Share of it, with 95% intervals.", "Share of it."),
        ("Means. With 95% intervals.", "Means."),
        ("Odds, with Woolf's 95% intervals; right is more.", "Odds; right is more."),
        ("Wins. 95% intervals allow for people. A note.", "Wins. A note."),
        ("Points. Bars are 95% intervals.", "Points."),
        ("Points; bars are Wilson's 95% intervals.", "Points."),
        ("Means with 95% intervals, by case.", "Means, by case."),
    ],
)
def test_a_caption_promises_no_interval_where_none_is_given(said: str, left: str) -> None:
    assert caption(said, WITHHELD) == f"{left} There is no interval: fewer than 4 raters."


def test_a_chart_that_speaks_of_no_intervals_says_none_of_them() -> None:
    assert caption("All questions of the set.", WITHHELD) == "All questions of the set."
