"""The sentence that begins a section of figures: true, and no more than what is drawn."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from medlens.review.chart_specifications import (
    Axis,
    Cell,
    Chart,
    Heat,
    HeatRow,
    Plane,
    Row,
    Rows,
    Series,
    Stack,
    Stacks,
)
from medlens.review.chart_summary_sentences import describe_chart_extremes
from medlens.stats.estimate import Estimate

PERCENT = Axis("Share of answers", "percent")


def share(value: float, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value, low, high, 20, "share")


def drawn(
    *rows: tuple[str, Estimate],
    series: tuple[Series, ...] = (Series("Share"),),
    axis: Axis = PERCENT,
    table: pd.DataFrame | None = None,
    more: tuple[Estimate, ...] = (),
) -> Chart:
    made = [Row(name, "", (one, *more), ("",)) for name, one in rows]
    told = pd.DataFrame() if table is None else table
    return Chart("c", "C", "", "", told, drawing=Rows(made, series, axis))


def test_a_baseline_is_neither_the_highest_nor_the_lowest() -> None:
    chart = drawn(("Ann", share(0.6)), ("Ben", share(0.5)), ("Commonest class", share(0.4)))
    assert isinstance(chart.drawing, Rows)
    *people, baseline = chart.drawing.rows
    rows = [*people, replace(baseline, baseline=True)]
    said = describe_chart_extremes(replace(chart, drawing=replace(chart.drawing, rows=rows)))
    assert said == "Share of answers: highest for Ann, 60%; lowest for Ben, 50%."


def test_values_that_are_written_alike_are_no_highest_and_lowest() -> None:
    said = describe_chart_extremes(drawn(("A", share(0.998)), ("B", share(1.0))))
    assert said == "Share of answers: both are 100%."


def test_the_highest_and_the_lowest_are_named_with_whether_their_intervals_overlap() -> None:
    a, b, c = (
        ("A", share(0.5, 0.4, 0.6)),
        ("3  B", share(0.2, 0.1, 0.3)),
        ("C", share(0.3, 0.2, 0.5)),
    )
    assert describe_chart_extremes(drawn(a, b, c)) == (
        "Share of answers: highest for A, 50% (95% interval 40% to 60%); lowest for 3 B, 20% (95%"
        " interval 10% to 30%). Their intervals do not overlap."
    )
    assert describe_chart_extremes(drawn(a, c)).endswith("20% to 50%). Their intervals overlap.")
    # Intervals that meet at an end overlap.
    assert describe_chart_extremes(
        drawn(("A", share(0.5, 0.4, 0.6)), ("B", share(0.3, 0.2, 0.4)))
    ).endswith("Their intervals overlap.")


def test_nothing_is_said_of_overlap_where_an_interval_is_missing_or_is_of_quartiles() -> None:
    assert describe_chart_extremes(drawn(("A", share(0.5)), ("B", share(0.2, 0.1, 0.3)))) == (
        "Share of answers: highest for A, 50%; lowest for B, 20% (95% interval 10% to 30%)."
    )
    fast = Estimate(60.0, 30.0, 90.0, 9, "median, with quartiles")
    slow = Estimate(600.0, 500.0, 700.0, 9, "median, with quartiles")
    told = describe_chart_extremes(drawn(("A", fast), ("B", slow), axis=Axis("Time", "minutes")))
    assert told == (
        "C: highest for B, 10.0 min (quartiles 8.3 min to 11.7 min); lowest for A, 1.0 min"
        " (quartiles 0.5 min to 1.5 min)."
    )


def test_one_value_alone_stands_beside_the_published_one() -> None:
    series = (Series("Share"), Series("Paper", quoted=True))
    chart = drawn(("Errors", share(0.958, 0.785, 0.998)), series=series, more=(share(0.637),))
    assert describe_chart_extremes(chart) == (
        "Errors: 96% (95% interval 79% to 100%). Published: 64%."
    )


def test_a_question_is_followed_by_a_sentence_without_a_colon() -> None:
    asked = Axis("Is it safe?", "percent")
    said = describe_chart_extremes(drawn(("yes", share(0.75)), ("no", share(0.25)), axis=asked))
    assert said == "Is it safe? Highest for yes, 75%; lowest for no, 25%."
    said = describe_chart_extremes(drawn(("yes", share(0.5)), ("no", share(0.5)), axis=asked))
    assert said == "Is it safe? Both are 50%."


def test_values_that_are_the_same_have_no_highest() -> None:
    same = [(name, share(0.1, 0.0, 0.3)) for name in "ABC"]
    assert describe_chart_extremes(drawn(*same)) == "Share of answers: all 3 are 10%."
    assert describe_chart_extremes(drawn(*same[:2])) == "Share of answers: both are 10%."


def test_all_that_share_the_highest_value_are_named_or_counted() -> None:
    rows = [(name, share(0.5, 0.4, 0.6)) for name in ("yes", "no")]
    assert describe_chart_extremes(drawn(*rows, ("cannot tell", share(0.0, 0.0, 0.1)))) == (
        "Share of answers: highest for yes and no, 50% each; lowest for cannot tell, 0% (95%"
        " interval 0% to 10%). Their intervals do not overlap."
    )
    many = [(name, share(0.5)) for name in "ABCDE"]
    told = describe_chart_extremes(drawn(*many, ("Z", share(0.1))))
    assert "highest for A, B and 3 others, 50% each" in told


def test_different_figures_are_not_compared_and_undefined_ones_are_left_out() -> None:
    rows = [("Agreement", share(0.9, 0.8, 1.0)), ("Kappa", share(0.4, 0.2, 0.6))]
    table = pd.DataFrame(
        {
            "figure": ["agreement", "kappa"],
            "value": [0.9, 0.4],
            "low": [0.8, 0.2],
            "high": [1.0, 0.6],
        }
    )
    told = describe_chart_extremes(drawn(*rows, table=table))
    assert told == "Agreement: 90% (95% interval 80% to 100%)."
    nothing = ("B", Estimate.undefined_estimate("nobody judged"))
    assert describe_chart_extremes(drawn(rows[0], nothing)) == told
    assert describe_chart_extremes(drawn(nothing)) == ""


def test_parts_of_one_whole_are_compared_whatever_they_are_called() -> None:
    rows = [("a: blocked", share(0.07)), ("a: ok", share(0.93)), ("b: blocked", share(0.0))]
    names = ["sources: blocked_by_model", "sources: ok_by_model", "sources: blocked_by_model"]
    table = pd.DataFrame(
        {"figure": names, "value": [0.07, 0.93, 0.0], "low": [None] * 3, "high": [None] * 3}
    )
    assert describe_chart_extremes(drawn(*rows, table=table)) == (
        "Share of answers: highest for a: ok, 93%; lowest for b: blocked, 0%."
    )


def test_of_several_series_the_first_is_told_by_its_name() -> None:
    series = (Series("strict"), Series("relaxed"))
    chart = drawn(("A", share(0.5)), ("B", share(0.2)), series=series, more=(share(0.9),))
    assert (
        describe_chart_extremes(chart)
        == "Share of answers (strict): highest for A, 50%; lowest for B, 20%."
    )


def test_heat_maps_tell_their_deepest_cell_and_stacked_bars_their_largest_part() -> None:
    cells = (Cell(0.2, "1", "A +\nB: 1 of 9", ""), Cell(1.0, "4", "A +\nC: 4 of 9", ""))
    heat = Chart("c", "C", "", "", pd.DataFrame(), drawing=Heat([HeatRow("A", "", cells)], "BC"))
    assert describe_chart_extremes(heat) == "Highest: A + C: 4 of 9."
    bars = [
        Stack("demo-a", {"right": share(0.7), "wrong": share(0.3)}, {}),
        Stack("demo-b", {"right": share(0.1), "wrong": share(0.9)}, {}),
    ]
    stacks = Chart("c", "C", "", "", pd.DataFrame(), drawing=Stacks(bars, {}, "Outcome"))
    assert describe_chart_extremes(stacks) == "Largest part: wrong, 90% of demo-b."
    plane = Chart("c", "C", "", "", pd.DataFrame(), drawing=Plane([], "x", "y"))
    assert describe_chart_extremes(plane) == ""
