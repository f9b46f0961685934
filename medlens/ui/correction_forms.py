"""Correcting an item wherever a lead sees one: its cells, what the change is, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from medlens.app import item_corrections
from medlens.app.item_corrections import CorrectableItem
from medlens.errors import InvalidInput, MedLensError
from medlens.review import item_corrections as corrections
from medlens.review import judging
from medlens.review.item_corrections import CHANGES, Change, parse_kind_of_change
from medlens.review.item_text_erasure import CORRECTION
from medlens.studies.registry import STUDIES
from medlens.ui.all_verdicts_and_revisions_on_item import draw_text_with_changes
from medlens.ui.answer_form import FieldData
from medlens.ui.form_outside_queue import (
    Entries,
    Unfinished,
    draw_form_sheet,
    form_sheet_of_session,
)
from medlens.ui.page_frame import Here, escape_to_one_line, show_error
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone

_DONE, _PENDING = "correct.done", "correct.pending"
_LONG = 120
"""Characters from which on a cell has a tall field."""


@dataclass(frozen=True)
class _Pending:
    """A correction that a lead has written and not yet confirmed; ``version`` is what it builds
    on, ``follows`` what it does to the work on the item.
    """

    version: int
    cells: Mapping[str, str]
    change: Change
    reason: str
    follows: tuple[str, ...]


def draw_correction_form(here: Here, study: str, dataset: str, *, name: str, item: str) -> None:
    """A box to open with the form that corrects an item (its ``name`` and id), and its corrections
    so far; nothing where a study's items cannot be corrected.
    """
    if STUDIES[study].correcting is None:
        return
    _draw_history(here, item)
    if done := st.session_state.pop(f"{_DONE}.{item}", ()):
        st.success("  \n".join(map(escape_to_one_line, done)), icon=":material/check:")
    # Its texts are long: a popover would show a few lines of them.
    opened = st.expander(
        "Correct it", icon=":material/edit_note:", key=f"correct.{item}", on_change="rerun"
    )
    if not opened.open:
        return
    with opened:
        correctable = item_corrections.load_item_to_correct(
            here.store, here.settings, study, dataset, name
        )
        if STUDIES[study].correcting_reveals(correctable.opened):
            seen = [(task.name, item) for task in correctable.tasks]
            judging.record_items_as_seen_and_say_if_any_new(here.store, seen, rater=here.person.id)
            st.caption(
                "You see here what reviewers do not, so anything you judge on this item from now on"
                " is marked as made after looking."
            )
        pending = st.session_state.get(f"{_PENDING}.{item}")
        if isinstance(pending, _Pending) and pending.version == correctable.version:
            _draw_confirmation(here, correctable, pending)
        else:
            _draw_cells(here, correctable)


def _draw_history(here: Here, item: str) -> None:
    for one in corrections.list_corrections(here.store, viewer=here.person, item=item):
        kind = "a typing error" if one.counts else "the meaning changed"
        st.caption(
            f"Version {one.version}: corrected {to_browser_time_zone(one.at):%-d %B %Y} by"
            f" {escape_to_one_line(one.by)} ({kind}). {escape_to_one_line(one.reason)}"
        )


def _draw_cells(here: Here, correctable: CorrectableItem) -> None:
    st.caption(
        "Change what is wrong. Judgments keep the version that they were made on, and the earlier"
        " text stays in the history. You see the consequences before anything is saved."
    )

    def send(entered: Entries) -> None:
        cells = {
            column: entered.get(f"cell.{column}") or ""
            for column in correctable.cells
            if (entered.get(f"cell.{column}") or "") != correctable.cells[column]
        }
        change = parse_kind_of_change(str(entered.get("change") or ""))
        if not (reason := (entered.get("reason") or "").strip()):
            raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the item.")
        follows = item_corrections.list_correction_effects_in_words(
            here.store, correctable, cells, change
        )
        st.session_state[f"{_PENDING}.{correctable.item}"] = _Pending(
            correctable.version, cells, change, reason, tuple(follows)
        )
        # What was entered stays until it is confirmed.
        raise Unfinished

    fields: list[FieldData] = [
        {
            "id": f"cell.{column}",
            "kind": "text",
            "label": _name_column(correctable.study, column),
            "lines": 8 if len(cell) > _LONG or "\n" in cell else 1,
        }
        for column, cell in correctable.cells.items()
    ]
    fields += [
        {
            "id": "change",
            "kind": "choice",
            "label": "What kind of correction is it?",
            "options": [{"value": kind, "name": words} for kind, words in CHANGES.items()],
            "needed": True,
        },
        {"id": "reason", "kind": "text", "label": "Why (required)", "lines": 2, "longest": 2000},
    ]
    sheet = form_sheet_of_session(
        here.store,
        here.person,
        CORRECTION,
        f"{correctable.item}.{correctable.version}",
        given={f"cell.{column}": cell for column, cell in correctable.cells.items()},
        send=send,
        anew=True,
    )
    draw_form_sheet(sheet, fields, submit="See what follows")


def _name_column(study: str, column: str) -> str:
    """What a column of a study's files is called on the page."""
    return STUDIES[study].column_title(column)


def _draw_confirmation(here: Here, correctable: CorrectableItem, pending: _Pending) -> None:
    columns = (_name_column(correctable.study, column) for column in pending.cells)
    changed = ", ".join(map(escape_to_one_line, columns))
    st.markdown(f"**{CHANGES[pending.change]}.** Changed: {changed}.")
    for column, cell in pending.cells.items():
        st.caption(escape_to_one_line(_name_column(correctable.study, column)))
        draw_text_with_changes(correctable.cells[column], cell)
    for line in pending.follows:
        st.markdown(escape_to_one_line(line))
    key = f"{_PENDING}.{correctable.item}"
    with st.container(horizontal=True):
        if st.button("Correct it", type="primary", key=f"correct.confirm.{correctable.item}"):
            del st.session_state[key]
            try:
                st.session_state[f"{_DONE}.{correctable.item}"] = (
                    item_corrections.correct_item_and_list_what_was_done(
                        here.store,
                        correctable,
                        pending.cells,
                        change=pending.change,
                        reason=pending.reason,
                        by=here.person,
                    )
                )
            except MedLensError as error:
                show_error(error)
                return
            st.rerun()
        if st.button("Back", key=f"correct.back.{correctable.item}"):
            del st.session_state[key]
            st.rerun()
