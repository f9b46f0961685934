"""The studies on a lead's Home, a row each: how much is done, how far people agree, and the
headline figure drawn with its interval beside the published one.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from html import escape as as_html

import streamlit as st

from medlens.review import (
    agreement,
    items,
    renaming_and_name_translation,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.figure_definitions import VIEW, Told
from medlens.stats.estimate import format_number
from medlens.studies.study_definition import Study
from medlens.ui import home_headline_worker, study_navigation, times_in_browser_time_zone
from medlens.ui.home_team_tasks import TeamTask, share_done_in_percent
from medlens.ui.page_frame import Here, escape_markdown

_LOOK_AGAIN = 2.0
_IN_SIGHT = 8
_MOST_VALUES = 4
"""From more groups on, only the lowest and the highest value are written beside the dots."""
_WIDTHS = [3, 2, 2, 5]
_HEAD = ("", "done", "agreement", "headline figure, line: 95% interval · ◇ published")


@dataclass(frozen=True)
class _Row:
    study: Study
    dataset: str
    title: str
    illustrative: bool
    done: int
    wanted: int
    key: home_headline_worker.Key | None
    version: home_headline_worker.Key
    people: int = 0
    has_items: bool = True
    of_demo_raters: bool = False
    judging: bool = False


def draw_study_rows(
    here: Here,
    studies: Sequence[Study],
    tasks: Sequence[TeamTask],
    judging: Set[tuple[str, str]] = frozenset(),
) -> None:
    """The rows; those beyond the first few are folded. Of the studies and datasets in which the
    lead is ``judging``, no figure is shown: it would tell what the models are like.
    """
    rows = [
        replace(row, judging=(study.name, row.dataset) in judging)
        for study in studies
        for row in _rows_of(here, study, tasks)
    ]
    rows.sort(key=lambda row: row.illustrative)
    waits = any(
        row.key is not None
        and home_headline_worker.headline_worker_of_process().is_computing(row.key)
        for row in rows
    )
    st.fragment(_draw, run_every=_LOOK_AGAIN if waits else None)(rows, waits)


def _rows_of(here: Here, study: Study, tasks: Sequence[TeamTask]) -> list[_Row]:
    known = items.datasets_of_study(here.store, study.name)
    titles = study.titles(here.store, [str(row["dataset"]) for row in known])
    rows = []
    for row in known:
        dataset = str(row["dataset"])
        here_done = [
            one for one in tasks if (one.study.name, one.work.dataset) == (study.name, dataset)
        ]
        of_it = [one.done for one in here_done]
        opened = study.open(here.store, here.settings, dataset)
        title = study.title
        known_as = renaming_and_name_translation.current_name_of_dataset(
            here.store, study.name, dataset
        )
        if titles[dataset] != known_as:
            title = titles[dataset]
        elif len(known) > 1:
            title = f"{study.title} · {known_as}"
        rows.append(
            _Row(
                study,
                dataset,
                title,
                bool(row["illustrative"]),
                sum(done.count_of_done_judgments for done in of_it),
                sum(done.count_of_wanted_judgments for done in of_it),
                home_headline_worker.request_headlines_and_return_key(here, study, dataset),
                home_headline_worker.data_version_key_of_headlines(here, study, opened)
                if study.figures
                else (),
                max((one.done.each for one in here_done if one.work.task.everyone), default=0),
                of_demo_raters=bool(row["illustrative"])
                and any(
                    work_progress_and_pace_by_item_and_rater.have_demo_raters_judged(
                        here.store, one.work.task.name, dataset
                    )
                    for one in here_done
                ),
            )
        )
    empty = study.without_items(here.store)
    for dataset, title in study.titles(here.store, empty).items():
        rows.append(_Row(study, dataset, title, False, 0, 0, None, (), has_items=False))
    return rows


def _draw(rows: Sequence[_Row], waited: bool) -> None:
    worker = home_headline_worker.headline_worker_of_process()
    if waited and not any(row.key is not None and worker.is_computing(row.key) for row in rows):
        # Rerun the whole page, which then stops asking every few seconds.
        st.rerun()
    st.header("Studies", anchor=False)
    with st.container(key="studies", gap=None):
        with st.container(key="studies_head"):
            for column, words in zip(st.columns(_WIDTHS), _HEAD, strict=True):
                column.caption(words)
        for row in rows[:_IN_SIGHT]:
            _draw_row(row)
        if rest := rows[_IN_SIGHT:]:
            with st.expander(f"{len(rest):,} more", key="home.studies"):
                for row in rest:
                    _draw_row(row)
    if any(row.of_demo_raters for row in rows):
        st.caption(
            "Of an illustrative demo, *done* counts the judgments of the demo's own raters too."
        )


def _draw_row(row: _Row) -> None:
    result = (
        home_headline_worker.headline_worker_of_process().find_known_result(row.key)
        if row.key
        else None
    )
    told = list(result.headlines.told) if result else []
    shown = [one for one in told if one.title == told[0].title]
    with st.container(key=f"studies_row.{row.study.name}.{row.dataset}"):
        name, done, agreed, figure = st.columns(_WIDTHS, vertical_alignment="center")
        if not row.has_items:
            label, where = f"**{escape_markdown(row.title)}**", {"dataset": row.dataset}
            name.page_link(row.study.page, label=label, query_params=where)
            done.caption("no items yet")
            return
        name.page_link(
            row.study.page,
            label=f"**{escape_markdown(row.title)}**",
            query_params={
                **(shown[0].view if shown else {"view": VIEW}),
                **study_navigation.address_values_naming_study(row.study),
                "dataset": row.dataset,
            },
            help=row.study.about + " An illustrative demo." * row.illustrative,
        )
        with done:
            st.html(progress_bar_html(row.done, row.wanted, row.people))
        with agreed:
            st.html(agreement_html(result))
        with figure:
            _draw_figure(row, result, shown)


def agreement_html(result: home_headline_worker.Result | None) -> str:
    """How far people agree, in a word and as alpha; the interval on pointing at it. Of several
    questions the lowest and the highest. Without a value, what is missing.
    """
    estimate = result.headlines.agreed if result else None
    words, title = "–", ""
    if isinstance(estimate, agreement.AgreementByQuestion):
        title = f"Krippendorff's alpha of {estimate.how_many_are_defined_in_words}"
        words = (
            f"undefined in {estimate.how_many_are_defined_in_words}: {estimate.why_none_is_defined}"
        )
        if estimate.defined_alphas:
            words = (
                f"{estimate.agreement_range_in_words.lower()}, alpha"
                f" {estimate.alpha_range_in_words} ({estimate.how_many_are_defined_in_words})"
            )
    elif estimate is not None and estimate.value is None:
        words = estimate.reason
    elif estimate is not None and estimate.value is not None:
        word = agreement.agreement_in_a_word(estimate.value)
        words = f"{word}, alpha {format_number(estimate.value, 'number')}"
        title = f"Krippendorff's alpha, {estimate.n:,} items"
        if estimate.low is not None and estimate.high is not None:
            low, high = (format_number(end, "number") for end in (estimate.low, estimate.high))
            title += f", 95% interval {low} to {high}"
    return (
        f'<div class="mlh-agreed" title="{as_html(title, quote=True)}">'
        f"<span>agreement: </span>{as_html(words)}</div>"
    )


def _draw_figure(
    row: _Row, result: home_headline_worker.Result | None, shown: Sequence[Told]
) -> None:
    if row.judging:
        st.caption("Not shown while you still have items to judge here. Results has it.")
        return
    if result is None:
        if row.key is not None:
            st.caption("The headline figure is being calculated.")
        return
    if result.failed:
        st.caption("The headline figure could not be calculated. The server's log says why.")
        return
    if not shown:
        st.caption("No figure yet.")
        return
    as_of = (
        f" · as of {times_in_browser_time_zone.to_browser_time_zone(result.at):%H:%M}"
        if result.version != row.version
        else ""
    )
    if row.illustrative:
        as_of += " · illustrative demo"
    st.html(headline_figure_html(shown, as_of))


def progress_bar_html(done: int, wanted: int, people: int = 0) -> str:
    """A bar of the judgments done. Where everyone answers every item, it is said of how many
    ``people``: as one more begins, more is wanted, and the share falls.
    """
    share = done / wanted if wanted else 0.0
    words = f"{done:,} of {wanted:,} judgments"
    of = ""
    if people:
        of = f" · {people:,} {'person' if people == 1 else 'people'}"
        words += f", every item by {'the one' if people == 1 else f'each of {people:,}'} who began"
    return (
        f'<div class="mlh-done" role="img" aria-label="{words}" title="{words}">'
        f'<span><i style="width:{100 * min(1, share):.1f}%"></i></span>'
        f"{share_done_in_percent(done, wanted)}%{of}</div>"
    )


def headline_figure_html(shown: Sequence[Told], as_of: str) -> str:
    """The figure's groups as dots with intervals on one line from 0 to 100 %, and in words; a
    figure that is no share only in words.
    """
    marks, spoken, published = [], [], []
    for one in shown:
        estimate = one.estimate
        assert estimate.value is not None
        words = _in_words(one)
        spoken.append(words)
        title = as_html(words, quote=True)
        if estimate.low is not None and estimate.high is not None:
            low, high = 100 * estimate.low, 100 * estimate.high
            marks.append(
                f'<b style="left:{low:.1f}%;width:{max(0, high - low):.1f}%" title="{title}"></b>'
            )
        marks.append(f'<i style="left:{100 * estimate.value:.1f}%" title="{title}"></i>')
        for printed in one.printed:
            share = (
                one.form == "percent"
                and printed.ours is not None
                and "%" not in printed.number_with_unit
            )
            published.append(
                f"{format_number(printed.ours, one.form)} ({printed.number_with_unit})"
                if share
                else printed.number_with_unit
            )
            if printed.ours is not None:
                said = as_html(f"Published: {published[-1]}", quote=True)
                marks.append(f'<u style="left:{100 * printed.ours:.1f}%" title="{said}">◇</u>')
    form = shown[0].form
    in_order = sorted(shown, key=lambda one: one.estimate.value or 0.0)
    values = [format_number(one.estimate.value, form) for one in in_order]
    few = len(values) <= _MOST_VALUES
    # Each group's value: from the lowest to the highest would read as an interval.
    value = " · ".join(values) if few else f"{values[0]} … {values[-1]}"
    label = as_html(f"{shown[0].title}: {'; '.join(spoken)}", quote=True)
    line = f'<div class="mlh-line">{"".join(marks)}</div>' if form == "percent" else ""
    below = shown[0].title
    if len(shown) > 1:
        of_all = "" if few else f"{len(shown)} groups, "
        groups = [one.group for one in in_order]
        lowest, highest = (
            _named([group for group, each in zip(groups, values, strict=True) if each == end])
            for end in (values[0], values[-1])
        )
        tie = values[0] == values[-1]
        told = f"the same for {lowest}" if tie else f"lowest: {lowest}; highest: {highest}"
        if few and not tie:
            told = ", ".join(f"{group} {each}" for group, each in zip(groups, values, strict=True))
        at_ends = (values[0], values[-1])
        ends = [one for one, each in zip(in_order, values, strict=True) if each in at_ends]
        if not tie and any(map(_lacks_interval, ends)):
            lacking = sum(map(_lacks_interval, shown))
            of = "all" if lacking == len(shown) else f"{lacking} of {len(shown)}"
            none = f"{of} without an interval"
            told = f"{told}; {none}" if few else f"{none}, so none is called the highest"
        below += f" ({of_all}{told})"
    elif shown[0].group:
        below += f", {shown[0].group}"
    if len(shown) == 1 and _lacks_interval(shown[0]):
        below += f" · no interval, n = {shown[0].estimate.n:,}"
    if published:
        below += f" · published: {published[0]}" + ", …" * (len(published) > 1)
    return (
        f'<div class="mlh-figure" role="img" aria-label="{label}">{line}<strong>{value}</strong>'
        f"</div><p>{as_html(below + as_of)}</p>"
    )


def _lacks_interval(one: Told) -> bool:
    """Whether a figure should have an interval and has none, which its method then says."""
    return one.estimate.low is None and "no interval" in one.estimate.method


_NAMED = 2
"""Groups of one value that are named."""


def _named(groups: Sequence[str]) -> str:
    """Groups of one value: "a", "a and b", "a and 2 others"."""
    if len(groups) <= _NAMED:
        return " and ".join(groups)
    return f"{groups[0]} and {len(groups) - 1:,} others"


def _in_words(one: Told) -> str:
    estimate = one.estimate
    words = f"{one.group}: " * bool(one.group) + format_number(estimate.value, one.form)
    if estimate.low is not None and estimate.high is not None:
        low, high = (format_number(end, one.form) for end in (estimate.low, estimate.high))
        words += f" (95% interval {low} to {high}; n = {estimate.n:,})"
    else:
        words += f" (no interval; n = {estimate.n:,})"
    return words
