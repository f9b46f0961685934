"""Withdrawing an item and putting it back, wherever a lead sees one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from medlens.app import item_withdrawals
from medlens.review import withdrawn_items
from medlens.review.withdrawn_items import Withdrawal
from medlens.ui.answer_form import FieldData
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_to_one_line
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone

_DONE = "withdraw.done"


def draw_form_to_withdraw_or_put_back(
    here: Here, study: str, dataset: str, *, name: str, item: str
) -> None:
    """The folded form that withdraws an item (its ``name`` and id) or puts it back."""
    standing = withdrawn_items.withdrawal_of_item(here.store, item)
    if standing:
        st.warning(f"Withdrawn: {withdrawal_in_words(standing)}", icon=":material/block:")
    if done := st.session_state.pop(f"{_DONE}.{item}", ""):
        st.success(escape_to_one_line(done), icon=":material/check:")
    # No popover: at the foot of a page one has no room for the form.
    opened = st.expander(
        "Put it back" if standing else "Withdraw it",
        icon=":material/undo:" if standing else ":material/block:",
        key=f"withdraw.{item}",
        on_change="rerun",
    )
    if not opened.open:
        return
    with opened:
        st.caption(
            "It is handed out again, and its judgments count again."
            if standing
            else "Nobody is given it any more, and its judgments count in no figure,"
            " agreement, consensus or progress. Everything is kept, and you can put it back at any"
            " time. Anyone who has it open may finish, and is told that it does not count."
        )

        _draw_reason_form(here, study, dataset, [name], lies=item, back=standing is not None)


def _draw_reason_form(
    here: Here, study: str, dataset: str, names: Sequence[str], *, lies: str, back: bool
) -> None:
    """The form that withdraws these items or puts them back; what was done is told by ``lies``."""

    def send(entered: Entries) -> None:
        st.session_state[f"{_DONE}.{lies}"] = (
            item_withdrawals.withdraw_or_return_items_and_get_report_text(
                *(here.store, study, dataset, names),
                reason=entered.get("reason") or "",
                by=here.person,
                back=back,
            )
        )

    fields: list[FieldData] = [
        {"id": "reason", "kind": "text", "label": "Why (required)", "lines": 2, "longest": 2000}
    ]
    sheet = form_sheet_of_session(
        *(here.store, here.person, "withdrawal", f"{lies}.{'back' if back else 'out'}"),
        send=send,
        anew=True,
    )
    many = "it" if len(names) == 1 else f"all {len(names):,}"
    draw_form_sheet(sheet, fields, submit=f"Put {many} back" if back else "Withdraw it")


def withdrawal_in_words(withdrawn: Withdrawal) -> str:
    """When and by whom an item was withdrawn, and why, as Markdown."""
    by, why = (
        escape_to_one_line(withdrawn.by),
        escape_to_one_line(withdrawn.reason),
    )
    return f"{to_browser_time_zone(withdrawn.at):%-d %B %Y} by {by}. {why}"


def draw_withdrawn_items_to_put_back(here: Here, study: str, dataset: str) -> None:
    """The withdrawn items of a dataset, from which one can be put back, or all; nothing if there
    are none.
    """
    withdrawn = withdrawn_items.withdrawals_in_force_by_item(here.store, study, dataset)
    if done := st.session_state.pop(f"{_DONE}.all.{dataset}", ""):
        st.success(escape_to_one_line(done), icon=":material/check:")
    if not withdrawn:
        return
    many = "1 item is" if len(withdrawn) == 1 else f"{len(withdrawn):,} items are"
    opened = st.expander(f"{many} withdrawn", key=f"withdrawn.{study}.{dataset}", on_change="rerun")
    if not opened.open:
        return
    with opened:
        chosen = st.selectbox(
            "Withdrawn item",
            list(withdrawn),
            index=None,
            format_func=lambda item: withdrawn[item].name,
            key=f"withdrawn.item.{study}.{dataset}",
            placeholder="choose one to see why, or to put it back",
            width=420,
        )
        if chosen:
            name = withdrawn[chosen].name
            draw_form_to_withdraw_or_put_back(here, study, dataset, name=name, item=chosen)
        elif len(withdrawn) > 1:
            st.caption(
                "Or put all back, as after an import that was undone: they are handed out again,"
                " and their judgments count again."
            )
            names = [one.name for one in withdrawn.values()]
            _draw_reason_form(here, study, dataset, names, lies=f"all.{dataset}", back=True)
