"""What a chart's caption says of intervals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from medlens.review.chart_specifications import Axis, bar_chart
from medlens.stats.estimate import (
    FIGURE_COLUMNS,
    Estimate,
    add_dataset_and_filter_columns,
    figure_rows_as_table,
)
from medlens.stats.intervals import wilson_share_estimate

WITHHELD = Estimate(0.5, None, None, 3, "share, no interval from fewer than 4 raters")
ALIKE = Estimate(2.0, None, None, 9, "mean, no interval: they are all alike")


def caption(n: str, *estimates: Estimate) -> str:
    entries = [(str(at), f"figure_{at}", "", one, "") for at, one in enumerate(estimates)]
    return bar_chart(
        "own", "made_up", entries, Axis("Share"), title="Made up", n=n
    ).n_and_interval_caption


def test_a_caption_says_intervals_where_all_have_one() -> None:
    assert (
        caption("Share, with 95% intervals.", wilson_share_estimate(3, 9))
        == "Share, with 95% intervals."
    )
    # What is undefined is said below the chart.
    nothing = Estimate.undefined_estimate("nobody judged")
    assert (
        caption("With 95% intervals.", wilson_share_estimate(3, 9), nothing)
        == "With 95% intervals."
    )


def test_a_caption_says_how_many_have_none_and_why() -> None:
    told = caption("Share, with 95% intervals.", wilson_share_estimate(3, 9), WITHHELD, ALIKE)
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


OTHERS = "raters like these"


def spoken_for(whom: str) -> Estimate:
    return replace(wilson_share_estimate(3, 9), speaks_for=whom)


def test_a_caption_says_for_whom_figures_of_people_speak() -> None:
    assert caption("Share.", spoken_for(OTHERS)) == "Share. It speaks for raters like these."
    both = caption("Share.", spoken_for("these 3 raters"), spoken_for("these 3 raters"))
    assert both == "Share. These figures describe these 3 raters only."
    mixed = caption("Share.", spoken_for(OTHERS), spoken_for(OTHERS), spoken_for("these 2 raters"))
    assert mixed == (
        "Share. 2 of 3 speak for raters like these, the others only for those who judged;"
        " the table says which."
    )
    few = caption("Share.", spoken_for("this rater"), spoken_for("these 2 raters"))
    assert few.endswith("They speak only for the raters who judged; the table says how many.")


def test_a_table_says_for_whom_only_where_a_figure_is_of_people() -> None:
    def columns(*estimates: Estimate) -> list[str]:
        entries = [(str(at), f"figure_{at}", "", one, "") for at, one in enumerate(estimates)]
        chart = bar_chart("own", "made_up", entries, Axis("Share"), title="Made up", n="n")
        return list(chart.table.columns)

    assert columns(wilson_share_estimate(3, 9), spoken_for(OTHERS))[-1] == "speaks_for"
    assert "speaks_for" not in columns(wilson_share_estimate(3, 9))


def test_whom_a_figure_speaks_for_is_the_last_column_of_its_file() -> None:
    rows = figure_rows_as_table(
        [("share", "all", spoken_for(OTHERS)), ("n", "all", wilson_share_estimate(1, 2))], study="s"
    )
    file = add_dataset_and_filter_columns(rows, "demo", {"cases": "a", "words": "few"})
    assert list(file.columns[:11]) == FIGURE_COLUMNS[:11]
    assert file.columns[11] == "dataset"
    assert file.columns[-1] == "speaks_for"
    assert file["speaks_for"].tolist() == [OTHERS, ""]
