"""Every judge's verdict on one item, with its model, prompt and run; and people's revisions."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review.run_names import list_configurations_of_runs
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.studies.own.compare_rewritten_texts import Where, compare_text_with_original
from medlens.ui import Here
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.page_frame import escape_markdown, escape_to_one_line
from medlens.ui.styles import read_style_sheet
from medlens.ui.times_in_browser_time_zone import format_date_and_time, streamlit_column_of_times

_CAME = {"model": "before runs were recorded", "import": "from a file", "visit": "the visit itself"}
"""Where a verdict without a run comes from."""


def draw_all_verdicts_on_item(
    here: Here, said: Sequence[Verdict], *, judges: str, key: str, word: Callable[[Verdict], str]
) -> None:
    """Every verdict, oldest first, in an expander whose title gives their number.

    ``judges`` is the word for a judge here, ``word`` puts a verdict into words. The page makes sure
    that the viewer has judged already, or has nothing to judge here.
    """
    opened = st.expander(f"Every {judges}'s verdict · {len(said)}", key=key, on_change="rerun")
    if not opened.open:
        return
    with opened:
        if not said:
            st.caption(f"No {judges} has judged this.")
            return
        table = verdicts_table(here, said, word)
        for row in table.to_dict("records"):
            st.markdown(
                f"**{escape_to_one_line(row['judge'])}**: {escape_to_one_line(row['said'])}"
            )
            if row["reason"]:
                st.text(row["reason"], width="stretch")
            told = [f"{name} {row[name]}" for name in ("model", "prompt", "run") if row[name]]
            st.caption(escape_markdown(", ".join(told)))
        draw_csv_button(table, f"{judges}s")


Revision = Mapping[str, Any]
"""One of ``judging.list_revisions_viewer_may_see``."""


def draw_all_revisions_on_item(
    rows: Callable[[], Iterable[Revision]], said: Callable[[Revision], Revision], *, key: str
) -> None:
    """Every revision on an item, oldest first, in an expander; ``said`` has the columns of what a
    judgment says.
    """
    opened = st.expander("Times and history", key=key, on_change="rerun")
    if not opened.open:
        return
    table = pd.DataFrame(
        [
            {
                "submitted": row["made_at"],
                "rater": row["rater"],
                "revision": row["revision"],
                **said(row),
                "minutes": row["active_seconds"] / 60 if row["active_seconds"] else None,
                "blind": row["blind"],
                "origin": row["origin"],
            }
            for row in rows()
        ]
    )
    with opened:
        st.dataframe(
            table,
            hide_index=True,
            alt="Every revision, oldest first",
            column_config={
                "minutes": st.column_config.NumberColumn(format="%.1f"),
                "submitted": streamlit_column_of_times(),
            },
        )
        draw_csv_button(table, "history")


def verdicts_table(
    here: Here, said: Sequence[Verdict], word: Callable[[Verdict], str]
) -> pd.DataFrame:
    """One row per verdict: judge, what it said, why, model, prompt version, run."""
    runs = {
        row["id"]: row for row in list_configurations_of_runs(here.store, [one.run for one in said])
    }
    return pd.DataFrame(
        [
            {
                "judge": one.judge,
                "said": word(one),
                "reason": one.reason,
                "model": one.model,
                "prompt": one.prompt,
                "run": _run(runs.get(one.run), one),
            }
            for one in said
        ]
    )


def _run(run: dict[str, Any] | None, one: Verdict) -> str:
    if run is None:
        return one.run or _CAME.get(one.origin, one.origin)
    return f"{run['kind']}, {format_date_and_time(run['made_at'])}"


_STYLE = read_style_sheet("judged")
_TAGS: Mapping[Where, str] = {"same": "span", "gone": "del", "new": "ins"}
_BESIDE = 3


def text_changes_as_html(original: str, text: str) -> str:
    """A text as HTML with its changes from the original marked; both are escaped."""
    pieces = (
        f"<{_TAGS[where]}>{html.escape(words)}</{_TAGS[where]}>"
        for where, words in compare_text_with_original(original, text).pieces_in_reading_order
    )
    return f"{_STYLE}<p class='changed'>{''.join(pieces)}</p>"


def draw_text_with_changes(original: str, text: str) -> None:
    """A text with its changes from the original marked."""
    st.html(text_changes_as_html(original, text))


def draw_changes_of_several_people(original: str, texts: Mapping[str, str]) -> None:
    """Several people's changes to one text, side by side; ``texts`` is by name."""
    names = list(texts)
    for at in range(0, len(names), _BESIDE):
        row = names[at : at + _BESIDE]
        for column, name in zip(st.columns(len(row), gap="medium"), row, strict=True):
            with column:
                st.caption(f"**{name}**")
                st.html(text_changes_as_html(original, texts[name]))
