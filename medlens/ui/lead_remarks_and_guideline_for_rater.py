"""Leads' remarks on a person's work, on Home and at the desk, and questions to a lead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from medlens.review import (
    assignment,
    guideline,
    hand_out_settings,
    remarks_between_raters_and_leads,
    renaming_and_name_translation,
    withdrawn_items,
)
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.remarks_between_raters_and_leads import Remark
from medlens.review.tasks import Task
from medlens.studies.registry import STUDIES
from medlens.ui import page_address
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_markdown, escape_to_one_line
from medlens.ui.task_share_and_desk_message_receiver import TaskShare
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone
from medlens.ui.untrusted_markdown import draw_untrusted_markdown
from medlens.ui.worked_example import draw_worked_example_button


def draw_remarks_waiting_on_home(here: Here, leave_for: page_address.LeaveFor) -> None:
    """Home: items returned to the person and answers to their questions, each with a link."""
    found = remarks_between_raters_and_leads.list_remarks_awaiting_rater(
        here.store, rater=here.person.id
    )
    if not found:
        return
    tasks = _tasks(here, {one.dataset for one in found})
    with st.container(border=True, key="remarks"):
        st.header("From your lead", divider=False, anchor=False)
        for at, one in enumerate(found):
            if one.task not in tasks:
                continue
            page, view, task = tasks[one.task]
            title = renaming_and_name_translation.current_title_of_round(
                here.store, task.study, one.dataset, task.name, task.title
            )
            st.markdown(_said(one, _called(here, task, one), title))
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    "Judge it again" if one.kind == "return" else "Open",
                    key=f"remark.{at}.open",
                    icon=":material/arrow_forward:",
                    width=160,
                    type="primary" if one.kind == "return" else "secondary",
                    on_click=leave_for,
                    args=(page, {**view, "dataset": one.dataset, "item": _link(here, one)}),
                )
                if one.kind == "answer":
                    _seen(here, task, one, f"remark.{at}.seen")


def _tasks(here: Here, datasets: set[str]) -> dict[str, tuple[str, Mapping[str, str], Task]]:
    """By task name: the task's page, the view in which people judge, and the task."""
    return {
        task.name: (declared.page, declared.views[task.name], task)
        for declared in STUDIES.values()
        for dataset in sorted(datasets)
        for task in declared.tasks(declared.open(here.store, here.settings, dataset))
        if task.name in declared.views
    }


def _link(here: Here, one: Remark) -> str:
    """What names a remark's item in the address of its desk."""
    given = (
        assignment_ledger_of_task(here.store, one.task)
        .by_rater.get(here.person.id, {})
        .get(one.item)
    )
    return given.browser_handle if given else one.name


def _called(here: Here, task: Task, one: Remark) -> str:
    """A remark's item, as its rater may be told: by its number, since its name can say who wrote
    what is judged. Leads know the names.
    """
    if here.person.role == "lead":
        return f"item “{task.item_in_words(one.name)}”"
    defaults = hand_out_settings.default_hand_out_settings(
        here.settings, task.name, task.handing_out
    )
    settings = hand_out_settings.hand_out_settings_in_force(
        here.store, task.name, one.dataset, defaults
    )
    mine = assignment.load_rater_queue(
        here.store, task, settings, dataset=one.dataset, rater=here.person.id
    )
    at = mine.position_of_item(one.item)
    return f"item {mine.places[at].number}" if at >= 0 else "an item"


def _said(one: Remark, called: str, title: str = "") -> str:
    what = "**Returned to you**" if one.kind == "return" else "**Answered**"
    where = (
        f"{escape_to_one_line(called)} ({escape_to_one_line(title)})"
        if title
        else escape_to_one_line(called)
    )
    return f"{what}: {where}. {escape_to_one_line(one.by)}: {escape_to_one_line(one.text)}"


def _seen(here: Here, task: Task, one: Remark, key: str) -> None:
    def seen() -> None:
        me = here.person
        remarks_between_raters_and_leads.store_remark_on_work(
            here.store, task, item=one.item, rater=me.id, kind="seen", by=me
        )

    st.button("Seen", key=key, icon=":material/check:", type="tertiary", on_click=seen)


def draw_guideline_at_desk(here: Here, task: Task, dataset: str) -> None:
    """At a desk: the guideline. It opens by itself, once, if it changed since they last judged."""
    now = guideline.current_guideline(here.store, task, dataset=dataset)
    key = f"{task.name}.guideline"
    news = guideline.new_guideline_since_rater_judged(
        here.store, task, dataset=dataset, rater=here.person.id
    )
    told = (dataset, now.version)
    if news and st.session_state.get(f"{key}.told") != told:
        st.session_state[f"{key}.told"] = told
        st.session_state[key] = True
    opened = st.popover(
        "**Guideline: changed**" if news else "Guideline",
        icon=":material/update:" if news else ":material/menu_book:",
        key=key,
        on_change="rerun",
        type="tertiary",
    )
    if opened.open:
        with opened:
            if news:
                since = f", since {to_browser_time_zone(now.at):%-d %B %Y}" if now.at else ""
                st.caption(
                    f"Version {now.version}{since}. You last judged under a different version."
                )
            elif now.version > 1:
                st.caption(f"Version {now.version}")
            draw_untrusted_markdown(now.text, key=f"{task.name}.guideline.text")
    draw_worked_example_button(here, task)


def draw_remarks_at_desk(here: Here, task: Task, dataset: str) -> None:
    """At a desk: leads' remarks on the person's work in this round, and a form to ask them."""
    found = [
        one
        for one in remarks_between_raters_and_leads.list_remarks_awaiting_rater(
            here.store, rater=here.person.id
        )
        if (one.task, one.dataset) == (task.name, dataset)
    ]
    handle = st.query_params.get("item", "")
    mine = assignment_ledger_of_task(here.store, task.name).by_rater.get(here.person.id, {})
    if news := _withdrawn(
        here, [given.item for given in mine.values() if given.browser_handle == handle]
    ):
        st.toast(news, icon=":material/block:", duration="long")
    elif news := _corrected(task):
        st.toast(news, icon=":material/edit_note:", duration="long")
    if here.person.role == "lead" and not found:
        return  # they have nobody to ask
    label = f"**{len(found)} from your lead**" if found else "Ask your lead"
    opened = st.popover(
        label,
        icon=":material/forum:",
        key=f"{task.name}.remarks",
        on_change="rerun",
        type="tertiary",
    )
    if not opened.open:
        return
    with opened:
        for at, one in enumerate(found):
            called = _called(here, task, one)
            st.markdown(_said(one, called))
            with st.container(horizontal=True):
                st.button(
                    f"Open {escape_markdown(called)}",
                    key=f"{task.name}.remarks.{at}.open",
                    on_click=page_address.set_values_in_address,
                    kwargs={"item": _link(here, one)},
                )
                if one.kind == "answer":
                    _seen(here, task, one, f"{task.name}.remarks.{at}.seen")
        for given in list(mine.values()):
            if handle and given.browser_handle == handle:
                about = f"{task.name}.{dataset}.{handle}"
                draw_unclear_guideline_form(here, task, given.item, called="this item", about=about)


def _withdrawn(here: Here, items: Sequence[str]) -> str:
    """That the item on the desk is withdrawn, said once in a session; empty: nothing to say."""
    if not here.store.data_version_of_tables("item_withdrawal"):
        return ""
    for item in items:
        withdrawn, key = (
            withdrawn_items.withdrawal_of_item(here.store, item),
            f"withdrawn.told.{item}",
        )
        if withdrawn and not st.session_state.get(key):
            st.session_state[key] = True
            why = escape_to_one_line(withdrawn.reason.rstrip("."))
            return (
                f"Your lead has withdrawn this item: {why}. You may finish it, but it does not"
                " count."
            )
    return ""


def _corrected(task: Task) -> str:
    """That the item on the desk was corrected since it was opened, said once in a session."""
    _, desk = st.session_state.get(f"{task.name}.desk") or (None, None)
    correction = desk.correction_since_shown if isinstance(desk, TaskShare) else None
    if correction is None:
        return ""
    key = f"corrected.told.{correction.item}.{correction.version}"
    if st.session_state.get(key):
        return ""
    st.session_state[key] = True
    why = escape_to_one_line(correction.reason.rstrip("."))
    if correction.counts:
        return (
            f"Your lead has corrected a typing error in this item: {why}. You may finish it as you"
            " see it: it counts."
        )
    return (
        f"Your lead has corrected this item, and its meaning changed: {why}. You may finish it as"
        " you see it, but it does not count, and you are asked again."
    )


def draw_unclear_guideline_form(
    here: Here,
    task: Task,
    item: str,
    *,
    called: str,
    about: str,
    submit: str = "Send to your lead",
) -> None:
    """The form for reporting what in the guideline is unclear about an item (by id), ``called``
    so; ``about`` tells the forms about several items apart, in the browser too.
    """

    def send(entered: Entries) -> None:
        remarks_between_raters_and_leads.store_remark_on_work(
            here.store,
            task,
            item=item,
            rater=here.person.id,
            kind="unclear",
            text=entered.get("text") or "",
            by=here.person,
        )
        st.session_state[f"{task.name}.remarks.sent"] = about

    if st.session_state.get(f"{task.name}.remarks.sent") == about:
        st.success("Sent. The answer will appear on Home.", icon=":material/check:")
    sheet = form_sheet_of_session(here.store, here.person, "unclear", about, send=send, anew=True)
    draw_form_sheet(
        sheet,
        [
            {
                "id": "text",
                "kind": "text",
                "label": f"What is unclear in the guideline about {called}?",
                "lines": 3,
                "longest": 2000,
            }
        ],
        submit=submit,
    )
