"""One task of a team: how far it is, by whom, what was flagged, and how items are handed out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review import assignment, hand_out, progress
from medlens.review.tasks import HandOut, Task
from medlens.store import utc_now
from medlens.ui.charts import csv_button
from medlens.ui.desk_view import clock
from medlens.ui.frame import Here, escape

_LARGEST_SEED = 2**31 - 1
_NAMES = {
    "raters_per_item": "Raters per item",
    "items_per_rater": "Items per rater",
    "lease_minutes": "Minutes until an untouched item is handed on",
    "gold_share": "Share of gold items",
    "seed": "Seed",
}


@dataclass(frozen=True)
class Work:
    """A task in a dataset: its study as opened there, and how its items are handed out."""

    task: Task
    dataset: str
    study: Any
    settings: HandOut


def work_of(here: Here, task: Task, dataset: str, study: Any) -> Work:
    """A task in a dataset, with the settings that hold now."""
    defaults = hand_out.defaults_of(here.settings, task.name, task.handing_out)
    return Work(
        task, dataset, study, hand_out.settings_of(here.store, task.name, dataset, defaults)
    )


def draw_progress(here: Here, work: Work) -> None:
    """How many of the judgments wanted are there, and whose."""
    st.subheader("Progress", anchor=False)
    st.caption(f"Dataset {escape(work.dataset)}")
    table = progress.by_rater(here.store, work.task, dataset=work.dataset, viewer=here.person)
    each = len(table) if work.task.everyone else work.settings.raters_per_item
    counts = progress.coverage(here.store, work.task, dataset=work.dataset)
    wanted = each * sum(count for _, count in counts)
    done = sum(min(n, each) * count for n, count in counts)
    thing = escape(work.task.item_kind.replace("_", " "))
    st.progress(
        done / wanted if wanted else 0.0,
        text=f"{done:,} of {wanted:,} judgments ({each} per {thing})",
    )
    if table.empty:
        st.markdown("Nobody has been given any items yet.")
        return
    st.dataframe(
        table.drop(columns=["origin"]),
        hide_index=True,
        placeholder="–",
        column_config={
            "minutes": st.column_config.NumberColumn("active minutes", format="%.1f"),
            "last_seen": st.column_config.DatetimeColumn("last judgment", format="calendar"),
        },
    )
    csv_button(table, "progress")


def draw_flags(here: Here, work: Work) -> None:
    """What raters say is wrong with items."""
    found = assignment.flags(here.store, work.task, dataset=work.dataset)
    if not found:
        return
    st.subheader("Flagged", anchor=False)
    st.dataframe(pd.DataFrame(found), hide_index=True)


def draw_settings(here: Here, work: Work) -> None:
    """How items are handed out, to be changed for this task in this dataset."""
    key = f"settings.{work.task.name}.{work.dataset}"
    # Keys of their own make the browser show what the fields are filled with anew.
    fields = f"{key}.{st.session_state.get(f'{key}.turn', 0)}"
    if f"{fields}.gold" not in st.session_state:
        st.session_state[f"{key}.shown"] = work.settings
    # What others save meanwhile does not change the form under a lead's hands.
    chosen: HandOut = st.session_state[f"{key}.shown"]
    place = st.expander("How items are handed out", icon=":material/tune:")
    with place, st.form(key):
        columns = iter(st.columns(2 if work.task.everyone else 5))
        change: dict[str, Any] = {}
        # The settings file may say more than the form offers.
        if work.task.everyone:
            st.caption("Everybody is given every item.")
        else:
            change["raters_per_item"] = next(columns).number_input(
                "Raters per item",
                1,
                max(50, chosen.raters_per_item),
                chosen.raters_per_item,
                key=f"{fields}.raters",
            )
            change["items_per_rater"] = next(columns).number_input(
                "Items per rater",
                1,
                max(5000, chosen.items_per_rater),
                chosen.items_per_rater,
                key=f"{fields}.items",
            )
            change["lease_minutes"] = next(columns).number_input(
                "Minutes until an untouched item is handed on",
                1,
                max(10_000, chosen.lease_minutes),
                chosen.lease_minutes,
                key=f"{fields}.lease",
            )
        change |= {
            "gold_share": next(columns).number_input(
                "Share of gold items",
                0.0,
                max(0.5, chosen.gold_share),
                chosen.gold_share,
                step=0.05,
                key=f"{fields}.gold",
            ),
            "seed": next(columns).number_input(
                "Seed",
                min(0, chosen.seed),
                max(_LARGEST_SEED, chosen.seed),
                chosen.seed,
                key=f"{fields}.seed",
                help="Decides who is given which items.",
            ),
        }
        st.caption(f"medlens.toml sets the defaults under \\[tasks.{work.task.name}\\].")
        save = st.form_submit_button("Save", key=f"{key}.save")
    with place:
        _save(here, work, key, change, asked=save)


def _save(here: Here, work: Work, key: str, change: dict[str, Any], *, asked: bool) -> None:
    """Save what was changed in the form; where another lead saved meanwhile, ask first."""
    before, now = st.session_state[f"{key}.shown"], work.settings
    mine = {name: value for name, value in change.items() if value != getattr(before, name)}
    theirs = [name for name in _NAMES if getattr(now, name) != getattr(before, name)]

    def again() -> None:
        st.session_state[f"{key}.turn"] = st.session_state.get(f"{key}.turn", 0) + 1

    def keep() -> None:
        hand_out.set_setting(here.store, work.task.name, work.dataset, mine, by=here.person)
        st.session_state[f"{key}.saved"] = utc_now()
        again()

    mend = False
    if theirs and (asked or mine):
        who = escape(hand_out.set_by(here.store, work.task.name, work.dataset))
        lines = [
            f"- {_NAMES[name]}: {getattr(before, name)} was changed to {getattr(now, name)}"
            + (f"; here it is {mine[name]}" if name in mine else "")
            for name in theirs
        ]
        st.warning(
            "\n".join(
                [f"{who} has saved changes since you opened this. Yours are not saved yet.", *lines]
            )
        )
        with st.container(horizontal=True):
            mend = st.button("Save my changes", key=f"{key}.mine")
            st.button("Use what is saved", key=f"{key}.theirs", on_click=again)
    elif not asked and (at := st.session_state.get(f"{key}.saved")):
        st.caption(f":material/check: saved {clock(at)}")
    if mend or (asked and not theirs):
        with here.errors():
            keep()
            st.rerun()
