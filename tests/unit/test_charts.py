"""The figures of the chart template: what is drawn, what is not, and how foreign text is shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pandas as pd
import pytest
import streamlit as st

from medlens.review import rater_and_item_subgroups
from medlens.review.chart_specifications import (
    Axis,
    Cell,
    Chart,
    HeatRow,
    Path,
    Place,
    Plane,
    Point,
    Row,
    Series,
    add_rater_dots,
    bar_chart,
    figure_name_in_words,
    group_name_in_words,
    list_reasons_for_undefined_estimates,
)
from medlens.review.figure_definitions import Figure, Figures
from medlens.stats.estimate import (
    Estimate,
    OfRater,
    estimate_in_words,
    format_number,
    format_p_value,
)
from medlens.stats.intervals import wilson_share_estimate
from medlens.ui.chart_with_table_and_csv import (
    _legend,
    _titles,
    cells_and_columns_with_minus_signs,
    escape_text_for_figure,
    table_as_safe_csv,
    table_without_negative_zeros,
)
from medlens.ui.figures.bar_point_and_heat_charts import (
    GREY,
    bars_and_points_as_plotly,
    colour_as_rgba,
    heat_map_as_plotly,
)
from medlens.ui.figures.page import (
    FiguresForLead,
    copy_of_chart_with_plotly_figure,
    make_charts_in_viewers_theme,
)
from medlens.ui.figures.scatter_plot import scatter_as_plotly
from medlens.ui.figures.xy_plot import xy_plot_as_plotly

BLUE = "#0090fc"
SHARE = Axis("Share", "percent")


def figure(*estimates: Estimate, name: str = "Label", axis: Axis = SHARE, **how: Any) -> Any:
    rows = [Row(name, BLUE, (one,), (f"mark{at}",)) for at, one in enumerate(estimates)]
    return bars_and_points_as_plotly(
        rows, [Series("share", "point")], axis, theme="light", **how
    ).to_dict()


def texts(drawn: Any) -> list[str]:
    return [note["text"] for note in drawn["layout"]["annotations"]]


def test_an_interval_is_drawn_from_its_bounds_on_both_sides() -> None:
    one = Estimate(0.4, 0.3, 0.7, 20, "made up")
    (trace,) = figure(one)["data"]
    # The bars are lengths from the value: 0.7 - 0.4 above and 0.4 - 0.3 below.
    assert trace["error_x"]["array"] == [pytest.approx(0.3)]
    assert trace["error_x"]["arrayminus"] == [pytest.approx(0.1)]


def test_a_figure_without_an_interval_gets_no_tick_that_looks_like_a_narrow_one() -> None:
    (trace,) = figure(wilson_share_estimate(1, 2))["data"]  # fewer than 4: no interval
    assert list(trace["error_x"]["array"]) == list(trace["error_x"]["arrayminus"]) == ["none"]


def test_an_undefined_figure_is_written_out_and_never_drawn() -> None:
    missing = Estimate.undefined_estimate("nobody judged it")
    drawn = figure(missing, wilson_share_estimate(5, 20))
    (trace,) = drawn["data"]
    assert trace["x"] == [0.25]
    assert trace["customdata"] == ["mark1"]
    assert "undefined, because nobody judged it" in texts(drawn)


def test_only_undefined_figures_draw_nothing() -> None:
    assert figure(Estimate.undefined_estimate("nobody judged it"))["data"] == []


@pytest.mark.parametrize(("n", "colour"), [(9, GREY), (10, BLUE)])
def test_values_of_fewer_than_ten_are_grey(n: int, colour: str) -> None:
    (trace,) = figure(wilson_share_estimate(3, n))["data"]
    assert trace["marker"]["color"] == [colour]


def test_a_published_value_lies_on_the_line_of_the_rule_it_is_compared_with() -> None:
    row = Row(
        "Label",
        BLUE,
        (wilson_share_estimate(5, 20), wilson_share_estimate(2, 20), wilson_share_estimate(2, 20)),
        ("a", "b", "c"),
    )
    series = [Series("relaxed"), Series("strict", "hatched"), Series("published", "diamond", 1)]
    relaxed, strict, published = bars_and_points_as_plotly(
        [row], series, SHARE, theme="dark"
    ).to_dict()["data"]
    assert published["y"] == strict["y"] != relaxed["y"]
    # At 0% it would lose its left half.
    assert published["cliponaxis"] is False
    assert "error_x" not in published
    # The two rules differ by more than their colour, which is the label's.
    assert strict["marker"]["pattern"]["shape"] == "/"
    assert "pattern" not in relaxed["marker"]


def test_names_are_shown_as_they_are_and_not_as_tags_or_templates() -> None:
    name = 'A <b>bold</b> & <a href="javascript:x">link</a> %{x}'
    shown = 'A &lt;b&gt;bold&lt;/b&gt; &amp; &lt;a href="javascript:x"&gt;link&lt;/a&gt; %{x}'
    drawn = figure(wilson_share_estimate(5, 20), name=name)
    (trace,) = drawn["data"]
    assert shown in texts(drawn)
    assert trace["hovertext"][0].startswith(shown)
    # With a template, %{x} would be filled in.
    assert "hovertemplate" not in trace
    assert "texttemplate" not in trace


def test_a_long_name_of_a_dense_figure_is_cut_where_it_can_be_read_in_full_on_hover() -> None:
    name = "annotator-0123456789"
    drawn = figure(wilson_share_estimate(5, 20), name=name, dense=True)
    assert "annotator-012345…" in texts(drawn)
    assert name in drawn["data"][0]["hovertext"][0]


def test_a_name_too_long_for_a_phone_goes_on_below_and_its_row_grows() -> None:
    one, long = (
        wilson_share_estimate(5, 20),
        "Says to lean forward, not back, " * 2 + "and to pinch the nose",
    )
    heights = [figure(one, one, name=name)["layout"]["height"] for name in ("Short", long)]
    # Two rows, each with a second line of 17 pixels.
    assert heights[1] - heights[0] == 2 * 17
    drawn = figure(one, one, name=long)
    broken = (
        "Says to lean forward, not back, Says to lean forward, not<br>back, and to pinch the nose"
    )
    assert texts(drawn).count(broken) == 2
    # Each bar is below its own name: 20 + 17 for the name, then half of a line of 16, and 1.
    assert drawn["data"][0]["y"] == [37 + 8 + 1, (37 + 16 + 10) + 37 + 8 + 1]
    assert texts(figure(one, name=5 * long))[0].endswith(" …")


def test_a_name_leaves_room_for_what_is_said_at_the_right_end_of_its_line() -> None:
    # 60 characters a line: 19 at the right and a space leave 40 for the name.
    name = "Incorrect understanding of the task or so"
    assert len(name) == 41
    rows = [
        Row(name, BLUE, (wilson_share_estimate(5, 20),), ("mark",), aside="in 13% of judgments")
    ]
    beside = bars_and_points_as_plotly(
        rows, [Series("share", "point")], SHARE, theme="light"
    ).to_dict()
    assert texts(beside)[:2] == [name.replace(" so", "<br>so"), "in 13% of judgments"]
    assert texts(figure(wilson_share_estimate(5, 20), name=name))[0] == name


def test_a_cell_is_as_deep_as_its_share_and_leads_to_its_items() -> None:
    cells = (Cell(0.0, "·", "none", ""), Cell(1.0, "12", "twelve", "tenth|x|2"))
    drawn = heat_map_as_plotly([HeatRow("Label", BLUE, cells)], ["1", "2"], theme="light").to_dict()
    (bars,) = drawn["data"]
    assert bars["marker"]["color"] == [colour_as_rgba(BLUE, 0.04), colour_as_rgba(BLUE, 0.54)]
    assert bars["customdata"] == ["", "tenth|x|2"]
    assert bars["text"] == ["·", "12"]


def test_of_forty_rows_cells_have_no_words_low_rows_and_few_heads() -> None:
    names = [f"{at} Clinician" for at in range(40)]
    rows = [HeatRow(name, BLUE, (Cell(0.5, "50%", "half", f"{name}|x"),) * 40) for name in names]
    heads = [str(at) for at in range(1, 41)]
    drawn = heat_map_as_plotly(rows, heads, theme="light", dense=True).to_dict()
    (bars,) = drawn["data"]
    assert set(bars["text"]) == {""}
    assert set(bars["hovertext"]) == {"half"}
    assert drawn["layout"]["height"] < 768
    assert texts(drawn) == names
    assert [head for head in drawn["layout"]["xaxis"]["ticktext"] if head] == heads[::4]


@pytest.mark.parametrize(
    ("value", "form", "shown"),
    [
        (-0.052, "number", "−0.05"),
        (-0.001, "number", "0.00"),
        (-0.2, "count", "0"),
        (0.0, "percent", "0%"),
        (0.666, "percent", "67%"),
        (3 / 24, "percent", "13%"),
        (0.145, "percent", "15%"),
        (-0.125, "percent", "−13%"),
        (150.0, "minutes", "2.5 min"),
        (None, "number", ""),
    ],
)
def test_numbers_are_rounded_for_reading(value: float | None, form: str, shown: str) -> None:
    assert format_number(value, form) == shown


def test_in_a_table_too_what_rounds_to_zero_has_no_sign() -> None:
    columns = {"value": st.column_config.NumberColumn(format="%.2f"), "of": None}
    table = pd.DataFrame({"value": [-0.004, -0.006, None, 0.3], "of": [-0.001, 1.0, 2.0, 3.0]})
    shown = table_without_negative_zeros(table, columns)
    # -0.004 would be -0.00; -0.006 is -0.01.
    assert [str(one) for one in shown["value"]] == ["0.0", "-0.006", "nan", "0.3"]
    assert shown["of"].tolist() == [-0.001, 1.0, 2.0, 3.0]
    assert (
        table_without_negative_zeros(pd.DataFrame({"value": [None]}), columns)["value"].isna().all()
    )
    # A word among them stays as it is.
    worded = table_without_negative_zeros(pd.DataFrame({"value": [-0.004, "withheld"]}), columns)
    assert worded["value"].tolist() == [0.0, "withheld"]


def test_a_table_of_numbers_has_the_minus_sign_of_sentences_and_charts() -> None:
    columns = {"value": st.column_config.NumberColumn(format="%.2f"), "n": None}
    table = pd.DataFrame({"value": [-0.052, None, 0.4, -0.001], "n": [1, 2, 3, 4]})
    cells, shown = cells_and_columns_with_minus_signs(table, columns)
    body = cells._translate(sparse_index=True, sparse_cols=True)["body"]
    said = [row[1]["display_value"] for row in body]
    assert said == ["\u22120.05", "", "0.40", "0.00"]
    # The values stay numbers, by which the browser sorts; the column's own format gives way.
    assert cells.data["value"].tolist()[0] == -0.052
    assert shown["value"]["type_config"]["format"] is None
    assert columns["value"]["type_config"]["format"] == "%.2f"
    # Without a negative number nothing is done.
    rest = pd.DataFrame({"value": [0.052, 0.4], "n": [1, 2]})
    cells, shown = cells_and_columns_with_minus_signs(rest, columns)
    assert isinstance(cells, pd.DataFrame)
    assert shown is columns


def test_an_estimate_is_spoken_with_counts_interval_and_n() -> None:
    one = Estimate(0.25, 0.1, 0.5, 20, "Wilson with t", numerator=5, denominator=20)
    assert estimate_in_words(one, "percent") == "25% (5 of 20), 95% interval 10% to 50%; n = 20"


def test_quartiles_are_not_called_an_interval() -> None:
    one = Estimate(120.0, 60.0, 180.0, 7, "median of items, low and high are the quartiles")
    assert estimate_in_words(one, "minutes") == "2.0 min, quartiles 1.0 min to 3.0 min; n = 7"


def test_plain_text_has_no_line_breaks() -> None:
    assert escape_text_for_figure("a\nb\tc") == "a b c"


def test_words_from_the_right_turn_nothing_else_in_a_figure() -> None:
    assert escape_text_for_figure("السعال (3)") == "\u2068السعال (3)\u2069"
    assert escape_text_for_figure("cough (3)") == "cough (3)"


def test_cells_of_the_csv_that_a_spreadsheet_would_run_are_neutralised() -> None:
    table = pd.DataFrame({"rater": ["=1+1"], "value": [-0.5]})
    assert table_as_safe_csv(table) == b"rater,value\r\n'=1+1,-0.5\r\n"


def test_a_hostile_name_in_a_legend_is_text() -> None:
    drawn = _legend([Series("<img src=x onerror=alert(1)>", "point"), Series("b", "hatched")])
    assert "<img" not in drawn
    assert "&lt;img src=x" in drawn


def test_a_series_with_a_colour_and_a_sign_of_its_own_keeps_them_in_the_legend() -> None:
    series = [Series("a", "point", colour="#123456", symbol="x", sign="✖"), Series("b", "point")]
    row = Row("Label", BLUE, (wilson_share_estimate(5, 20), wilson_share_estimate(3, 9)), ("", ""))
    first, second = bars_and_points_as_plotly([row], series, SHARE, theme="light").to_dict()["data"]
    assert (first["marker"]["color"], first["marker"]["symbol"]) == (["#123456"], "x")
    assert second["marker"]["color"] == [GREY]
    assert "color:#123456" in _legend(series)
    assert "✖" in _legend(series)


def test_odds_are_drawn_as_logarithms_and_read_as_odds() -> None:
    assert format_number(math.log(2), "odds") == "2.00"
    assert format_number(math.log(0.5), "odds") == "0.50"
    one = Estimate(math.log(2), math.log(0.5), math.log(4), 20, "made up")
    drawn = figure(one, axis=Axis("Odds ratio", "odds", zero=True))
    ticks = dict(
        zip(drawn["layout"]["xaxis"]["tickvals"], drawn["layout"]["xaxis"]["ticktext"], strict=True)
    )
    assert ticks[0.0] == "1"
    assert "2.00" in texts(drawn)
    assert drawn["layout"]["shapes"][0]["x0"] == 0


@pytest.mark.parametrize(
    "p, text",
    [(None, ""), (0.04, "0.040"), (0.0001, "1.0e-04"), (1e-300, "< 1e-300")],
)
def test_a_p_value_is_written_in_the_digits_that_say_something(p, text):
    assert format_p_value(p) == text


def test_an_interval_that_is_withheld_says_why_to_whoever_points_at_it():
    assert estimate_in_words(wilson_share_estimate(2, 3, unit="cases"), "percent") == (
        "67% (2 of 3), no interval from fewer than 4 cases; n = 3"
    )


def test_an_interval_that_ends_at_zero_is_drawn_whole():
    ends_at_zero = Estimate(-0.21, -0.44, 0.0, 40, "difference")
    [trace] = figure(ends_at_zero)["data"]
    assert list(trace["error_x"]["array"]) == [pytest.approx(0.21)]
    assert list(trace["error_x"]["arrayminus"]) == [pytest.approx(0.23)]


def test_a_point_of_a_scatter_without_an_interval_has_no_bar() -> None:
    bare = Estimate(0.5, None, None, 2, "share", numerator=1, denominator=2)
    points = [Point("both", wilson_share_estimate(5, 20), bare, "")]
    [trace, *_] = scatter_as_plotly(points, "a", "b", theme="light").data
    assert trace.error_x.array[0] == pytest.approx((wilson_share_estimate(5, 20).high or 0) - 0.25)
    assert [trace.error_y.array[0], trace.error_y.arrayminus[0]] == ["none", "none"]


def test_a_point_of_a_plane_has_both_its_intervals_and_a_curve_its_band() -> None:
    places = (
        Place("p", wilson_share_estimate(5, 20), wilson_share_estimate(10, 20), "m"),
        Place("few", wilson_share_estimate(1, 4), wilson_share_estimate(1, 4)),
    )
    dots = Series("x", "point", colour=BLUE, symbol="circle")

    def drawn(path: Path) -> Any:
        return xy_plot_as_plotly(Plane([path], "a", "b"), theme="light").data

    [points] = drawn(Path(dots, places))
    assert points.error_x.array[0] == pytest.approx((wilson_share_estimate(5, 20).high or 0) - 0.25)
    assert points.error_y.arrayminus[0] == pytest.approx(
        0.5 - (wilson_share_estimate(10, 20).low or 0)
    )
    assert list(points.marker.color) == [BLUE, GREY]
    assert list(points.customdata) == ["m", ""]
    band, line = drawn(Path(dots, places, joined=True))
    assert list(band.y) == [
        wilson_share_estimate(10, 20).high,
        wilson_share_estimate(1, 4).high,
        wilson_share_estimate(1, 4).low,
        wilson_share_estimate(10, 20).low,
    ]
    assert line.mode == "lines+markers"
    nowhere = (Place("p", Estimate.undefined_estimate("nothing"), wilson_share_estimate(1, 4)),)
    assert drawn(Path(dots, nowhere)) == ()
    # A place in the page's order is a colour of the theme and a sign.
    [light], [dark] = (
        xy_plot_as_plotly(Plane([Path(Series("x", place=1), places)], "a", "b"), theme=theme).data
        for theme in ("light", "dark")
    )
    assert light.marker.symbol == dark.marker.symbol == "square"
    assert light.marker.color[0] != dark.marker.color[0]


@pytest.mark.parametrize(
    ("group", "shown"),
    [
        ("no_diagnosis", "no diagnosis"),
        (
            "demo-a, patient:self_diagnosis, no_diagnosis",
            "demo-a, patient: self diagnosis, no diagnosis",
        ),
        ("bad_turn + any_label", "Bad turn + any label"),
        ("subject_type, ", "subject type, (none)"),
        # Models and people are called what they are called.
        ("gpt_4o vs Anna_B", "gpt_4o vs Anna_B"),
        ("meta/llama_3, 20", "meta/llama_3, 20"),
    ],
)
def test_groups_are_shown_as_people_write_them(group: str, shown: str) -> None:
    assert group_name_in_words(group, {"bad_turn": "Bad turn"}) == shown


def test_a_chart_and_a_choice_show_words_and_the_file_keeps_the_exported_names() -> None:
    entries = [("no_diagnosis", "ac1_of_all", "no_diagnosis", wilson_share_estimate(1, 4), "")]
    chart = bar_chart("tagging", "ends", entries, Axis("Share", "percent"), title="Ends", n="")
    assert [row.name for row in chart.drawing.rows] == ["no diagnosis"]
    assert chart.table[["figure", "group"]].to_numpy().tolist() == [["ac1_of_all", "no_diagnosis"]]
    assert figure_name_in_words("ac1_of_all") == "AC1 of all"
    assert (
        rater_and_item_subgroups.format_group_label(("outcome_of_visit", "no_diagnosis"))
        == "Outcome of visit: no diagnosis"
    )


# -- single raters ---------------------------------------------------------------------------------


def rated(*values: float) -> Estimate:
    of_raters = tuple(OfRater(f"id{at}", value, 7) for at, value in enumerate(values))
    return Estimate(0.5, 0.4, 0.6, 20, "made up", of_raters=of_raters)


def with_names(*estimates: Estimate, names: dict[str, str] | None) -> Chart:
    entries = [(f"Label {at}", "made", f"g{at}", one, f"m{at}") for at, one in enumerate(estimates)]
    return add_rater_dots(
        bar_chart(
            "own", "made", entries, Axis("Share", "percent", high=1), title="Made", n="Share."
        ),
        names,
    )


def test_a_dot_per_rater_lies_below_its_figure_and_leads_to_the_same() -> None:
    value, dots = figure(rated(0.2, 0.9))["data"]
    assert list(dots["x"]) == [0.2, 0.9]
    assert list(dots["customdata"]) == ["mark0", "mark0"]
    assert min(dots["y"]) > value["y"][0] + 8
    assert list(dots["hovertext"]) == ["Label<br>id0: 20%; n = 7", "Label<br>id1: 90%; n = 7"]
    # Rows without dots in the chart stay as low as they were.
    without = figure(replace(rated(), of_raters=()))
    assert len(without["data"]) == 1
    assert figure(rated(0.2, 0.9))["layout"]["height"] > without["layout"]["height"]


def test_a_dot_beyond_the_interval_is_still_within_the_axis() -> None:
    low, high = figure(rated(-2.0, 3.0), axis=Axis("Apart"))["layout"]["xaxis"]["range"]
    assert low < -2 < 3 < high


def test_forty_raters_at_one_place_are_moved_apart_and_keep_to_their_row() -> None:
    many = figure(rated(*[0.5] * 40), rated(*[0.1] * 40))
    (values, dots) = many["data"]
    first, second = dots["y"][:40], dots["y"][40:]
    assert len(set(first)) >= 14
    assert values["y"][0] < min(first)
    # The name of the next row lies between.
    assert max(first) < min(values["y"][1] - 16, *second)
    assert max(second) < many["layout"]["height"]


def test_a_second_series_lies_below_the_dots_of_the_first() -> None:
    row = Row("Label", BLUE, (rated(0.2, 0.9), wilson_share_estimate(3, 9)), ("", ""))
    series = [Series("one", "point"), Series("two", "point")]
    one, dots, two = bars_and_points_as_plotly([row], series, SHARE, theme="light").to_dict()[
        "data"
    ]
    assert one["y"][0] < max(dots["y"]) < two["y"][0]


def test_dots_have_the_names_of_raters_or_none_and_are_a_table_and_words_too() -> None:
    chart = with_names(
        rated(0.9, 0.2), wilson_share_estimate(3, 9), names={"id0": "Zoe", "id1": "Ada"}
    )
    assert chart.raters is not None
    assert chart.raters.to_numpy().tolist() == [
        ["Label 0", "Ada", 0.2, 7],
        ["Label 0", "Zoe", 0.9, 7],
    ]
    assert chart.alt.endswith("Small dots are single raters. Label 0: 2 raters, 20% to 90%.")
    assert chart.n_and_interval_caption == "Share. Each small dot is one rater."
    unnamed = with_names(rated(0.9, 0.2), names={})
    assert set(unnamed.raters["rater"]) == {"a rater"}


def test_who_may_not_see_what_others_answered_gets_no_dot() -> None:
    hidden = with_names(rated(0.9, 0.2), names=None)
    assert hidden.raters is None
    assert "dot" not in hidden.n_and_interval_caption + hidden.alt
    assert len(copy_of_chart_with_plotly_figure(hidden, "light").figure.data) == 1
    assert (
        len(
            copy_of_chart_with_plotly_figure(
                with_names(rated(0.9, 0.2), names={"id0": "Ada"}), "light"
            ).figure.data
        )
        == 1
    )


def test_charts_of_a_page_have_dots_for_leads_alone() -> None:
    chart = bar_chart(
        *("own", "made", [("Label", "made", "g", rated(0.9, 0.2), "m")], Axis("Share")),
        title="Made",
        n="Share.",
    )
    one = Figure(name="made", title="Made", of="it", chart=lambda *_: chart)
    all_ = Figures(
        study="own",
        figures=[one],
        sections={},
        look=lambda *_: None,
        tables=(),
        empty=lambda _: "",
        said=lambda _: "",
        rater_names=lambda _: {"id0": "Ada", "id1": "Zoe"},
    )
    for shows, names in ((False, None), (True, ["Zoe", "Ada"])):
        looked = FiguresForLead(all_, ("dots",), None, "light", {}, False, shows)
        [shown] = make_charts_in_viewers_theme(looked, one, "made")
        dots = [trace for trace in shown.figure.data if len(trace.x) == 2]
        assert len(dots) == int(shows)
        for trace in dots:
            assert [
                text.partition("<br>")[2].partition(":")[0] for text in trace.hovertext
            ] == names


def test_many_figures_with_dots_are_some_words_and_a_table() -> None:
    chart = with_names(*[rated(0.9, 0.2)] * 11, names={})
    assert chart.alt.endswith("Label 7: 2 raters, 20% to 90%; 3 more in the table.")
    assert len(chart.raters) == 22


def test_tables_call_figures_by_their_titles_and_a_teams_own_by_their_names() -> None:
    table = pd.DataFrame(
        {
            "study": ["tagging", "own", "tagging"],
            "figure": ["cooccurrence_strict", "share_safe", "no_such_figure"],
        }
    )
    assert _titles(table) == [
        "Labels that a response has together, by two raters or the only one",
        "share safe",
        "no such figure",
    ]
    assert _titles(table[["figure"]])[0] == "cooccurrence strict"


def test_many_figures_that_are_undefined_for_one_reason_share_a_sentence() -> None:
    lacking = Estimate.undefined_estimate("no item was rated by two raters")
    few = Estimate.undefined_estimate("nobody was asked")

    def said(*estimates: Estimate) -> tuple[str, ...]:
        entries = [(f"Q{at}", "alpha", "", one, "") for at, one in enumerate(estimates)]
        return list_reasons_for_undefined_estimates(entries)

    assert said(*[lacking] * 4) == (
        "All 4 figures are undefined, because no item was rated by two raters.",
    )
    assert said(*[lacking] * 4, few) == (
        "4 of the 5 figures are undefined, because no item was rated by two raters.",
        "Q4: undefined, because nobody was asked.",
    )
