"""A study's outlook before it opens: who sees what, the work, how sure results will be (leads)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from medlens.config.toml_edit import set_field_in_toml
from medlens.review import hand_out_settings, raters, rounds
from medlens.review.tasks import HandOut
from medlens.studies.own import expected_precision_and_time_of_study, queries
from medlens.studies.own.item_and_judgment_import_and_export import (
    Looked,
    items_faults_and_notes_of_table_rows,
)
from medlens.studies.own.model_giveaways import Telling, giveaway_with_rows_in_words
from medlens.studies.own.study import open_study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.tasks import NAME
from medlens.ui import own_study_file_editor
from medlens.ui.page_frame import Here, escape_markdown

_LOOKED, _TOLD = "own.looked", 5
MOST = 1_000
"""Rows of a table that are checked before import."""


def draw_study_check_and_return_giveaways(
    here: Here,
    declared: StudyDeclaration,
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int] = int,
) -> Sequence[Telling]:
    """What a lead should know before opening the study; returns what gives models away. A row is
    called by its ``number_of_row``, given its place (from 1).
    """
    for said in declared.repeated_wordings_in_sentences:
        st.warning(escape_markdown(said), icon=":material/content_copy:")
    looked = _looked(declared, rows, number_of_row)
    for told, icon in ((looked.faults, "error"), (looked.notes, "info")):
        if told:
            more = len(told) - _TOLD
            lines = [
                *map(escape_markdown, told[:_TOLD]),
                *([f"And {more:,} more."] if more > 0 else []),
            ]
            st.warning("  \n".join(lines), icon=f":material/{icon}:")
    _draw_telling(declared, looked, rows, number_of_row)
    lines = [*_seen(declared), *_work(here, declared, looked, cut=len(rows) >= MOST)]
    st.markdown("\n".join(f"- {line}" for line in lines))
    with st.expander("How many items and raters?", icon=":material/query_stats:"):
        st.caption(expected_precision_and_time_of_study.WORDS)
        for (
            what,
            table,
        ) in expected_precision_and_time_of_study.expected_half_width_tables_by_figure(
            declared
        ).items():
            st.markdown(f"Of {what}")
            st.dataframe(table, alt=f"Expected intervals of {what}")
    return looked.telling


def _draw_telling(
    declared: StudyDeclaration,
    looked: Looked,
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> None:
    """What gives models away, with an offer to mask their names."""
    if not looked.telling:
        return
    told, more = looked.telling[:_TOLD], len(looked.telling) - _TOLD
    lines = [
        escape_markdown(
            giveaway_with_rows_in_words(one, declared, rows, number_of_row=number_of_row)
        )
        for one in told
    ]
    lines += [f"And {more:,} more."] if more > 0 else []
    st.warning("  \n".join(lines), icon=":material/visibility:")
    names = [one.name for one in looked.telling if one.name]
    if not names:
        return

    def mask() -> None:
        text = st.session_state[own_study_file_editor.TEXT]
        both = [*declared.mask, *names]
        own_study_file_editor.replace_text_in_study_file_editor(
            set_field_in_toml(text, "", 0, "mask", list(dict.fromkeys(both)))
        )

    st.button(
        "Mask these names for reviewers",
        key="own.mask",
        icon=":material/visibility_off:",
        help="Reviewers see bars in their place. What is stored and exported keeps the names, marks"
        " keep their places, and the report says how many items were masked.",
        on_click=mask,
    )


def _looked(
    declared: StudyDeclaration,
    rows: Sequence[Mapping[str, Any]],
    number_of_row: Callable[[int], int],
) -> Looked:
    """The rows as checked against the file; computed once per file and table."""
    held = st.session_state.get(_LOOKED)
    if held is None or held[0] is not declared or held[1] is not rows:
        looked = items_faults_and_notes_of_table_rows(declared, rows, number_of_row=number_of_row)
        held = st.session_state[_LOOKED] = (declared, rows, looked)
    found: Looked = held[2]
    return found


def _seen(declared: StudyDeclaration) -> list[str]:
    """What reviewers see, and what they do not."""
    shown = ", ".join(escape_markdown(one.title) for one in declared.initial_panes)
    later = ", ".join(escape_markdown(one.title) for one in declared.later_panes)
    names = {name for one in declared.panes for name in one.columns}
    hidden = [one.name for one in declared.columns if one.name not in names]
    if declared.arms:
        hidden += [] if declared.arms.wide else [declared.arms.column]
    lines = [f"Reviewers see: {shown}. Once they have answered: {later or 'nothing more'}."]
    if hidden:
        lines.append(f"They never see: {escape_markdown(', '.join(hidden))}.")
    if declared.are_arms_side_by_side:
        lines.append(
            "Answers are shown side by side as A, B, …, in an order drawn for each person and item."
        )
    elif declared.arms and not declared.arms.several:
        lines.append("Each reviewer is given one model's answer to an item, and not told whose.")
    lines.append("Nobody sees another person's answers before submitting their own.")
    return lines


def _work(here: Here, declared: StudyDeclaration, looked: Looked, *, cut: bool) -> list[str]:
    """How much work there is, for how many people, and how sure the results will be."""
    study = open_study(here.store, here.settings, declared.study_id)
    usual = hand_out_settings.default_hand_out_settings(here.settings, NAME, declared.handing_out)
    handing = (
        hand_out_settings.hand_out_settings_in_force(here.store, NAME, study.dataset, usual)
        if study.dataset
        else usual
    )
    round_ = rounds.current_round_of_task(here.store, study.task, declared.study_id)
    people = [
        one
        for one in raters.list_raters(here.store)
        if one.can_sign_in and (not round_.raters or one.id in round_.raters)
    ]
    bodies: Sequence[Mapping[str, Any]] = [
        one.body for one in looked.items if not isinstance(one.body, str)
    ]
    bodies = bodies or queries.list_bodies_of_first_items(here.store, declared.study_id)
    words = expected_precision_and_time_of_study.mean_words_per_item(declared, bodies)
    minutes, rests = _pace(here, declared, words)
    # As it is shown, so that it and a person's share of it add up.
    minutes = _rounded(minutes)
    pace = f"About {_minutes(minutes)} for an item: {rests}."
    count = len(looked.items)
    if not count:
        return [pace]
    widths = expected_precision_and_time_of_study.list_expected_intervals_in_words(
        declared, count, handing.raters_per_item
    )
    return [
        *_shares(handing, count, len(people), minutes, cut=cut),
        pace,
        f"95% intervals to expect, at their widest: {'; '.join(widths)}.",
    ]


def _pace(here: Here, declared: StudyDeclaration, words: float) -> tuple[float, str]:
    """Minutes per item, and the basis of that estimate."""
    seconds, judged = queries.compute_median_seconds_and_judgment_count(
        here.store, declared.study_id
    )
    if judged:
        so_far = "1 judgment" if judged == 1 else f"the median of {judged:,} judgments"
        return seconds / 60, f"{so_far} so far"
    pace = f"{expected_precision_and_time_of_study.WORDS_A_MINUTE} a minute (Brysbaert 2019)"
    read = f"{words:,.0f} words read at {pace}, and"
    return (
        expected_precision_and_time_of_study.compute_expected_seconds_per_item(declared, words)
        / 60,
        f"{read if words else 'without reading, as there are no items yet,'} for"
        f" each answer {expected_precision_and_time_of_study.SECONDS_A_CHOICE} seconds, or "
        f"{expected_precision_and_time_of_study.SECONDS_WRITING} where it"
        " is written or marked, which is our assumption. Once people have judged, their own"
        " time is shown here",
    )


def _shares(handing: HandOut, items: int, people: int, minutes: float, *, cut: bool) -> list[str]:
    """How much each person judges."""
    each = handing.raters_per_item
    least = "at least " if cut else ""
    total = items * each
    team = f"Your team has {people:,} {'person' if people == 1 else 'people'} who can judge"
    lines = [
        f"{least}{_many(items, 'item')}, each judged by {_many(each, 'reviewer')}:"
        f" {_many(total, 'judgment')}.".capitalize()
    ]
    if people < each:
        lines.append(
            f"**{team}.** Invite more on Team › People, or lower the"
            " number of reviewers for each item."
        )
        return lines
    share = min(math.ceil(total / people), handing.items_per_rater, items)
    lines.append(
        f"{team}: {least}{_many(share, 'item')}, or {_minutes(share * minutes)}, for each."
    )
    if people * handing.items_per_rater < total:
        lines.append(
            f"**That is not enough**: at most {_many(handing.items_per_rater, 'item')} can go to"
            " each reviewer (Handing out). Raise that number, or invite more people on Team ›"
            " People."
        )
    return lines


def _many(count: int, thing: str) -> str:
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def _rounded(minutes: float) -> float:
    """Minutes in steps that are known and easy to multiply: 5 seconds, then half minutes."""
    if minutes < 1.5:
        return max(round(minutes * 12), 1) / 12
    return round(minutes * 2) / 2


def _minutes(minutes: float) -> str:
    if minutes < 1.5:
        return f"{minutes * 60:.0f} seconds"
    if minutes < 10:
        return f"{minutes:.1f} minutes".replace(".0", "")
    return f"{minutes:.0f} minutes" if minutes < 90 else f"{minutes / 60:.1f} hours"
