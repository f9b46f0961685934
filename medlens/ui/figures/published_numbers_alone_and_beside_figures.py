"""The papers' numbers, beside ours and on their own: one view for every study.

Every number from a paper is shown with where it is printed and what is known to be wrong with it.
"""

from __future__ import annotations

import html
from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review import numbers_printed_in_papers
from medlens.review.chart_specifications import figure_name_in_words, group_name_in_words
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.stats.estimate import format_number, format_p_value, use_real_minus_sign
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.styles import read_style_sheet

_PROTOCOLS = {"published": "the published protocol"}
_STYLE = read_style_sheet("figures_published")


def draw_published_beside_our_figures(
    study: str, rows: pd.DataFrame, key: str, *, protocol: str = "", note: str = ""
) -> None:
    """The paper's numbers for the figures in ``rows`` (as exported), each beside ours.

    Nothing if the paper has none of them. Numbers for groups that are not in ``rows`` are collapsed
    below. ``protocol`` is the protocol of the rows, if the study has several: a number measured by
    another is marked. ``note`` names other differences between the two.
    """
    if rows.empty:
        return
    figures = set(rows["figure"])
    by_figure: dict[str, list[Mapping[Hashable, Any]]] = {}
    for row in rows.drop_duplicates(["figure", "group"]).to_dict("records"):
        by_figure.setdefault(str(row["figure"]), []).append(row)
    shown = [
        (one, [row for row in by_figure[one.figure] if one.does_belong_to_group(str(row["group"]))])
        for one in numbers_printed_in_papers.published_numbers_of_study(study)
        if one.figure in figures
    ]
    met = [
        {**_told(one, protocol), "here": "; ".join(_here(one, row) for row in found)}
        for one, found in shown
        if found
    ]
    if met:
        st.markdown("### Published")
        if note:
            st.caption(note)
        table = pd.DataFrame(met)
        with st.container(key=key):
            st.html(_drawn(table))
    others = [one for one, found in shown if not found]
    if others:
        fold = st.expander(
            f"Published, for groups that are not here · {len(others)}",
            key=f"{key}.others",
            on_change="rerun",
        )
        if fold.open:
            table = pd.DataFrame([{**_told(one), "shown beside": _place(one)} for one in others])
            with fold:
                st.html(_drawn(table))


def _told(one: PublishedNumber, protocol: str = "") -> dict[str, str]:
    """A number with its description, its place in the paper and its faults."""
    by = _PROTOCOLS.get(one.protocol, one.protocol)
    place = f"{one.printed_in}; by {by}" if by else one.printed_in
    if by and protocol and protocol != one.protocol:
        place += f" (ours here by {_PROTOCOLS.get(protocol, 'MedLens’s own')})"
    return {
        "number": one.what,
        "printed": one.number_with_unit,
        "inconsistent": one.known_inconsistency,
        "printed in": place,
    }


def _here(one: PublishedNumber, row: Mapping[Hashable, Any]) -> str:
    """Our number as the paper would print it, with its interval and counts."""
    name = (
        f"{group_name_in_words(str(row['group']))}: "
        if "*" in one.group or " | " in one.group
        else ""
    )
    if one.unit == "p":
        return name + (
            f"p {format_p_value(_float(row['p']))}" if _float(row["p"]) is not None else "no p"
        )
    value = _float(row["value"])
    if value is None:
        return f"{name}{row['method']}"
    bottom = _float(row["denominator"])
    form = "percent" if bottom is not None or one.unit == "%" else "number"
    if row["method"] == "count":
        form = "count"
    low, high = _float(row["low"]), _float(row["high"])
    ends = ""
    if low is not None and high is not None:
        ends = f" [{_short(low, form).rstrip('%')}–{_short(high, form).rstrip('%')}]"
    top = _float(row["numerator"])
    over = "" if top is None else f"{top:,.2f}".removesuffix(".00")
    of = "" if bottom is None or top is None else f" ({over}/{bottom:,.0f})"
    return f"{name}{_short(value, form)}{of}{ends}"


def _short(value: float, form: str) -> str:
    return (
        use_real_minus_sign(f"{100 * value:.1f}%")
        if form == "percent"
        else format_number(value, form)
    )


def _float(value: Any) -> float | None:
    return None if pd.isna(value) else float(value)


def draw_all_published_numbers(study: str, *, key: str, paper: str) -> None:
    """All of a paper's numbers, each with what it is shown beside; ``paper`` is the citation."""
    numbers = numbers_printed_in_papers.published_numbers_of_study(study)
    st.markdown("### The paper's numbers")
    st.caption(
        f"{paper}: {len(numbers)} numbers, {sum(bool(one.figure) for one in numbers)} of them"
        " beside a figure here. A model's numbers are matched by the paper's name for it, "
        "ignoring capitals, spaces and hyphens."
    )
    if st.toggle("Only those with a known inconsistency", key=f"{key}.inconsistent"):
        numbers = tuple(one for one in numbers if one.known_inconsistency)
    table = pd.DataFrame(
        [{**_told(one), "shown beside": _place(one)} for one in numbers],
        columns=["number", "printed", "inconsistent", "printed in", "shown beside"],
    )
    with st.container(key=f"{key}.all"):
        st.html(_drawn(table))
    draw_csv_button(
        pd.DataFrame([published_number_as_row(one) for one in numbers]), f"{study}_published"
    )


def published_number_as_row(one: PublishedNumber) -> dict[str, object]:
    """A number as a row of its file."""
    return {name: getattr(one, name) for name in numbers_printed_in_papers.COLUMNS}


def _place(one: PublishedNumber) -> str:
    if one.none_because:
        return f"None of ours: {one.none_because}"
    figure = figure_name_in_words(one.figure)
    return f"{figure}, {group_name_in_words(one.group)}" if one.group else figure


def _drawn(table: pd.DataFrame) -> str:
    """``table`` as HTML: ``_told`` of each number; the last column is what it is shown beside."""
    last = str(table.columns[-1])
    heads = "".join(f"<th>{html.escape(one)}</th>" for one in ("number", "printed", last))
    return (
        f"{_STYLE}<table class='paper'><thead><tr>{heads}</tr></thead><tbody>"
        + "".join(
            f"<tr><td>{html.escape(one['number'])}</td>"
            f"<td data-head='printed'>{html.escape(one['printed'])}{_odd(one['inconsistent'])}"
            f"<small>{html.escape(one['printed in'])}</small></td>"
            f"<td data-head='{html.escape(last)}'>{html.escape(one[last])}</td></tr>"
            for one in table.to_dict("records")
        )
        + "</tbody></table>"
    )


def _odd(inconsistency: str) -> str:
    return f"<small class='odd'>Inconsistent: {html.escape(inconsistency)}</small>" * bool(
        inconsistency
    )
