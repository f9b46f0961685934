"""One task of a team, and how its items are handed out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from medlens.errors import Conflict, InvalidInput
from medlens.review import hand_out
from medlens.review.tasks import HandOut, Task
from medlens.ui.answer_form import FieldData
from medlens.ui.frame import Here, escape
from medlens.ui.sheet import Entries, Sheet, draw_sheet, open_sheet

_NAMES = {
    "raters_per_item": "Raters per item",
    "items_per_rater": "Items per rater",
    "lease_minutes": "Minutes until an untouched item is handed on",
    "gold_share": "Share of gold items",
    "seed": "Seed",
}
_BOUNDS: Mapping[str, tuple[Callable[[str], float], float, float]] = {
    "raters_per_item": (int, 1, 50),
    "items_per_rater": (int, 1, 5000),
    "lease_minutes": (int, 1, 10_000),
    "gold_share": (float, 0, 0.5),
    "seed": (int, 0, 2**31 - 1),
}
_BEFORE = "before"


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


def draw_settings(here: Here, work: Work) -> None:
    """How items are handed out, to be changed for this task in this dataset."""
    names = {
        name: title
        for name, title in _NAMES.items()
        if not work.task.everyone or name in ("gold_share", "seed")
    }
    now = _now(work.settings, names)

    def send(entered: Entries, *, over: bool = False) -> None:
        before, mine = _changes(entered, now, names)
        # Another lead may have saved since the page was drawn.
        held = work_of(here, work.task, work.dataset, work.study).settings
        if before != _now(held, names) and not over:
            raise Conflict("Not saved yet.", hint="Choose whose changes to keep.")
        hand_out.set_setting(here.store, work.task.name, work.dataset, mine, by=here.person)

    def keep() -> None:
        sheet.send = partial(send, over=True)
        sheet.submit()

    # What others save meanwhile does not change the form under a lead's hands, nor a draft of it.
    sheet = open_sheet(
        here.store,
        here.person,
        "settings",
        f"{work.task.name}.{work.dataset}",
        send=send,
        given={**now, _BEFORE: json.dumps(now)},
        anew=True,
    )
    st.subheader("How items are handed out", anchor=False)
    if work.task.everyone:
        st.caption("Everybody is given every item.")
    if sheet.drafted:
        _tell_changes(here, work, sheet, now, keep)
    fields: list[FieldData] = [
        {"id": name, "kind": "text", "label": title, "short": True, "longest": 20}
        for name, title in names.items()
    ]
    fields[-1]["hint"] = "Decides who is given which items."
    draw_sheet(sheet, fields, submit="Save")
    st.caption(f"medlens.toml sets the defaults under \\[tasks.{work.task.name}\\].")


def _now(settings: HandOut, names: Iterable[str]) -> dict[str, str]:
    return {name: str(getattr(settings, name)) for name in names}


def _before(entered: Entries) -> dict[str, str]:
    """The settings that stood there when the lead began to change them."""
    found: dict[str, str] = json.loads(entered.get(_BEFORE) or "{}")
    return found


def _changes(
    entered: Entries, now: Mapping[str, str], names: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """What the lead began with, and what they changed of it.

    Raises:
        InvalidInput: something is not a number, or beyond what can be.
    """
    before = _before(entered) or dict(now)
    mine: dict[str, Any] = {}
    for name, title in names.items():
        said = (entered.get(name) or "").strip()
        if said == before.get(name):
            continue
        kind, least, most = _BOUNDS[name]
        try:
            value = kind(said.replace(",", "."))
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            what = "whole number" if kind is int else "number"
            raise InvalidInput(f"{title}: enter a {what} from {least:,} to {most:,}.")
        mine[name] = value
    return before, mine


def _tell_changes(
    here: Here, work: Work, sheet: Sheet, now: Mapping[str, str], keep: Callable[[], None]
) -> None:
    """Where another lead saved since this one began: what, and whose changes are to stand."""
    before = _before(sheet.body) or dict(now)
    theirs = [name for name in now if before.get(name) != now[name]]
    if not theirs:
        return
    who = escape(hand_out.set_by(here.store, work.task.name, work.dataset))
    lines = [f"{who} has saved changes since you opened this. Yours are not saved yet."]
    for name in theirs:
        line = f"- {_NAMES[name]}: {before.get(name)} was changed to {now[name]}"
        entered = sheet.body.get(name) or ""
        lines.append(line + (f"; here it is {escape(entered)}" * (entered != before.get(name))))
    st.warning("\n".join(lines))
    with st.container(horizontal=True):
        st.button("Save my changes", key="settings.over", on_click=keep)
        st.button("Use what is saved", key="settings.back", on_click=sheet.discard)
