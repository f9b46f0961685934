"""The papers' numbers: how their files are read, and how they stand beside ours."""

from __future__ import annotations

import csv
from pathlib import Path

import pandas as pd
import pytest

from medlens.errors import InvalidInput
from medlens.review import chart_specifications, numbers_printed_in_papers
from medlens.review.chart_specifications import Axis, Row, Series
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.stats.estimate import Estimate, figure_rows_as_table
from medlens.stats.intervals import wilson_share_estimate
from medlens.studies.registry import STUDIES
from medlens.ui.chart_with_table_and_csv import _legend
from medlens.ui.figures import published_numbers_alone_and_beside_figures as view
from medlens.ui.figures.bar_point_and_heat_charts import ACCENT, bars_and_points_as_plotly

ROOT = Path(__file__).resolve().parents[2]
ROW = {
    "study": "s",
    "key": "k",
    "what": "<b>Rate</b>",
    "value": "5",
    "unit": "%",
    "ours": "0.05",
    "printed_in": "Table 1",
    "figure": "rate",
    "group": "GPT-4 (RAG)",
    "none_because": "",
    "protocol": "",
    "known_inconsistency": "",
}


def one(**changes: object) -> PublishedNumber:
    return PublishedNumber(**{**ROW, "ours": 0.05, **changes})  # type: ignore[arg-type]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A function that writes the numbers of the study "s"."""
    monkeypatch.setattr(numbers_printed_in_papers, "FOLDER", tmp_path)

    def write(*rows: dict[str, str]) -> None:
        with (tmp_path / "s.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, list(ROW))
            table.writeheader()
            table.writerows({**ROW, **row} for row in rows)

    return write


@pytest.mark.parametrize("study", [name for name in STUDIES if name != "own"])
def test_every_published_number_says_what_it_is_and_where_it_is_printed(study: str) -> None:
    numbers = numbers_printed_in_papers.published_numbers_of_study(study)
    assert {number.study for number in numbers} == {study}
    # A section, a table or a figure: more than the paper's name.
    assert [number.key for number in numbers if "et al" in number.printed_in] == []
    assert any(number.known_inconsistency for number in numbers)


def test_a_drop_is_listed_as_a_drop() -> None:
    drops = [
        number
        for study in STUDIES
        for number in numbers_printed_in_papers.published_numbers_of_study(study)
        if number.what.startswith(("Drop of", "Change of", "Largest drop of acc", "Mean drop"))
    ]
    assert len(drops) > 10
    assert [one.key for one in drops if not one.number_with_unit.startswith("\N{MINUS SIGN}")] == []


def test_the_documentation_names_every_column() -> None:
    text = (ROOT / "docs" / "published.md").read_text(encoding="utf-8")
    assert [
        column for column in numbers_printed_in_papers.COLUMNS if f"`{column}`" not in text
    ] == []


@pytest.mark.parametrize(
    "row, said",
    [
        ({"printed_in": ""}, "line 2: printed_in is empty"),
        ({"figure": ""}, "name the figure it stands beside, or why there is none"),
        ({"none_because": "a fact of the design"}, "name the figure it stands beside"),
        ({"ours": "five"}, "'five' is not a number"),
    ],
)
def test_a_number_without_a_place_is_refused_by_line(  # type: ignore[no-untyped-def]
    written, row: dict[str, str], said: str
) -> None:
    written(row)
    with pytest.raises(InvalidInput, match=said):
        numbers_printed_in_papers.published_numbers_of_study("s")


def test_a_key_is_there_once(written) -> None:  # type: ignore[no-untyped-def]
    written({}, {})
    with pytest.raises(InvalidInput, match="has k twice"):
        numbers_printed_in_papers.published_numbers_of_study("s")


@pytest.mark.parametrize(
    "group, ours, meets",
    [
        ("GPT-4 (RAG)", "gpt4 (rag)", True),
        ("GPT-4 (RAG)", "GPT-4 (API)", False),
        ("gpt-4", "gpt-4o", False),
        ("gpt-4, *:gender", "gpt-4, patient:gender", True),
        ("*", "Dr. A", True),
        ("A and B | B and A", "b and a", True),
        ("", "", True),
        ("", "numeric", False),
        ("[a]", "a", False),
    ],
)
def test_a_number_meets_the_group_that_has_its_name(group: str, ours: str, meets: bool) -> None:
    assert one(group=group).does_belong_to_group(ours) is meets


@pytest.mark.parametrize(
    "value, unit, text",
    [
        ("5", "%", "5 %"),
        ("5% (1/20)", "%", "5% (1/20)"),
        ("87.0 (83.4-90.4)", "%", "87.0 % (83.4\N{EN DASH}90.4)"),
        ("57 [53-66]", "words", "57 words [53\N{EN DASH}66]"),
        ("-4.7", "points", "\N{MINUS SIGN}4.7 points"),
        ("107", "count", "107"),
    ],
)
def test_a_number_names_its_unit_once(value: str, unit: str, text: str) -> None:
    assert one(value=value, unit=unit).number_with_unit == text


TWO = (
    {"key": "round", "value": "30", "ours": "0.3", "printed_in": "Abstract"},
    {
        "key": "exact",
        "value": "31.0",
        "ours": "0.31",
        "printed_in": "Table 2",
        "known_inconsistency": "the abstract says 30",
    },
)


def test_two_numbers_of_one_row_are_both_shown_with_their_places(written) -> None:  # type: ignore[no-untyped-def]
    written(*TWO)
    ours = figure_rows_as_table([("rate", "gpt4 (rag)", wilson_share_estimate(3, 10))], study="s")
    [row] = chart_specifications.add_published_number_columns("s", ours).to_dict("records")
    assert row["published"] == "30 %; 31.0 %"
    assert row["published in"] == "Abstract; Table 2"
    assert row["known inconsistency"] == "31.0 %: the abstract says 30"


def test_a_chart_draws_both_numbers_and_says_where_they_are_printed(written) -> None:  # type: ignore[no-untyped-def]
    written(*TWO)
    signs = chart_specifications.list_published_series_with_estimates(
        "s", [[("rate", "gpt4 (rag)")], [("rate", "other")]]
    )
    assert [[e.value for e in found] for _, found in signs] == [[0.3, None], [0.31, None]]
    row = Row("A", ACCENT["light"], tuple(found[0] for _, found in signs), ("", ""))
    figure = bars_and_points_as_plotly(
        [row], [series for series, _ in signs], Axis("Rate", "percent", high=1), theme="light"
    )
    first, second = (trace["hovertext"][0] for trace in figure.to_dict()["data"])
    assert first.endswith("30 %, Abstract")
    assert second.replace("<br>", " ").endswith(
        "31.0 %, Table 2; known inconsistency: the abstract says 30"
    )


def test_what_is_wrong_with_a_number_stands_at_the_number_and_is_text() -> None:
    odd = one(known_inconsistency="<i>", value="94.62% (2/3)")
    drawn = view._drawn(pd.DataFrame([{**view._told(odd), "here": "<u>"}]))
    assert "<td>&lt;b&gt;Rate&lt;/b&gt;</td>" in drawn
    assert (
        "94.62% (2/3)<small class='odd'>Inconsistent: &lt;i&gt;</small><small>Table 1</small></td>"
    ) in drawn
    assert "&lt;u&gt;</td></tr>" in drawn


def test_signs_on_several_lines_are_named_once_in_the_legend(written) -> None:  # type: ignore[no-untyped-def]
    written(*TWO)
    series = [
        sign
        for sign, _ in chart_specifications.list_published_series_with_estimates(
            "s", [[("rate", "gpt4 (rag)")]]
        )
    ]
    assert len(series) == 2
    assert _legend([Series("A"), *series]).count("Published") == 1


def test_our_number_is_told_as_the_paper_prints_its_own() -> None:
    [row] = figure_rows_as_table([("rate", "g", wilson_share_estimate(3, 10))], study="s").to_dict(
        "records"
    )
    assert view._here(one(), row).startswith("30.0% (3/10) [")
    assert view._here(one(group="*"), row).startswith("g: 30.0%")
    assert view._here(one(unit="p"), row) == "no p"
    count = Estimate(1300.0, None, None, 1300, "count")
    [row] = figure_rows_as_table([("items", "", count)], study="s").to_dict("records")
    assert view._here(one(unit="people"), row) == "1,300"


def test_a_number_of_another_protocol_says_so() -> None:
    told = view._told(one(protocol="published"), "medlens")
    assert told["printed in"] == (
        "Table 1; by the published protocol (ours here by MedLens\N{RIGHT SINGLE QUOTATION MARK}s"
        " own)"
    )
    assert view._told(one(protocol="published"), "published")["printed in"] == (
        "Table 1; by the published protocol"
    )
