"""How a desk with a form looks: opening it, its buttons, save status, conflicts, the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from medlens.review import assignment, hand_out_settings, items
from medlens.review.assignments_held_in_memory import looks_like_browser_handle
from medlens.review.tasks import HandOut, Task
from medlens.studies.registry import STUDIES
from medlens.ui import (
    Here,
    conflict_between_tabs,
    crowd_platform_settings_and_return,
    desk_bar,
    page_address,
)
from medlens.ui.dataset_choice_and_round_controls import (
    draw_page_and_say_if_practice_not_passed,
    must_rerun_to_show_practice_answer,
    why_rater_gets_nothing_new,
)
from medlens.ui.desk import Desk
from medlens.ui.page_frame import escape_markdown, escape_to_one_line
from medlens.ui.task_share_and_desk_message_receiver import TaskShare
from medlens.ui.times_in_browser_time_zone import format_time_of_day


def open_desk(
    here: Here,
    task: Task,
    dataset: str,
    lay_out: Callable[[str], Any],
    *,
    defaults: HandOut | None = None,
    kind: type[Desk] = Desk,
) -> Desk:
    """The session's desk for a task, set up again when the person or the dataset changes.

    ``lay_out`` turns an item's id into what the page draws; it sees only what the rater may see.
    ``kind`` is the desk's class.
    """
    # A fragment is drawn without the page's head, which would have done this.
    page_address.keep_address_set_in_callback_of_fragment()

    def make_desk() -> Desk:
        return kind(
            store=here.store,
            task=task,
            dataset=dataset,
            rater=here.person,
            lay_out=lay_out,
            settings=hand_out_settings.hand_out_settings_in_force(
                here.store,
                task.name,
                dataset,
                defaults
                or hand_out_settings.default_hand_out_settings(
                    here.settings, task.name, task.handing_out
                ),
            ),
        )

    sign = (here.person.id, dataset, here.store.data_version_of_tables("task_setting"))
    desk = hold_desk_in_session(task.name, dataset, sign, make_desk)
    desk.moved = False
    return desk


AnyDesk = TypeVar("AnyDesk", bound=TaskShare)


def hold_desk_in_session(
    task: str, dataset: str, sign: tuple[Any, ...], make_desk: Callable[[], AnyDesk]
) -> AnyDesk:
    """The session's desk for a task, made anew when ``sign`` changes, which begins with the
    person and the dataset; with the item on it that the address names, else the next one. The
    address then names the item that is there.
    """
    key = f"{task}.desk"
    held: tuple[tuple[Any, ...], AnyDesk] | None = st.session_state.get(key)
    asked = st.query_params.get("item", "")
    entered = page_address.is_first_run_since_desk_was_opened(task, dataset)
    if held is not None and held[0] != sign:
        is_free = held[1].save_before_leaving_and_say_if_free()
        # That settings have changed can wait until the answer on the desk is safe.
        held = None if is_free or held[0][:2] != sign[:2] else (sign, held[1])
    if held is None:
        desk = make_desk()
        desk.open_named_or_next_item(asked)
        st.session_state[key] = (sign, desk)
    else:
        desk = held[1]
        desk.turn_to_item_in_address(asked, entered=entered)
    draw_note_if_item_not_persons(desk, asked)
    show_item_in_address(desk)
    return desk


def show_item_in_address(desk: TaskShare) -> None:
    """Let the address name the item on the desk."""
    if st.query_params.get("item", "") != desk.handle_of_current_item:
        page_address.set_values_in_address(item=desk.handle_of_current_item)


def draw_note_if_item_not_persons(desk: TaskShare, asked: str) -> None:
    """Say so if the address names an item that is not one of the person's own."""
    if asked and desk.find_item_named_in_address(asked) is None:
        what = (
            "What this link leads to"
            if looks_like_browser_handle(asked)
            else escape_to_one_line(asked)
        )
        st.warning(f"{what} is not among your items.", icon=":material/link_off:")


def draw_desk_bar_and_return_content_and_status(
    desk: Desk, *, thing: str, submit: str = ""
) -> tuple[Any, Any]:
    """The bar of the desk at the foot of the page; returns the container for what stands above it,
    and the placeholder for what is saved.

    ``thing`` is what is judged, in a word ("dialogue"); ``submit`` is the name of the main button
    where it is not *Submit*, or *Submit again* on an item that is submitted already.
    """
    place = desk.queue_entry_of_current_item
    submit = submit or ("Submit again" if place and place.state == "submitted" else "Submit")
    content = st.container(key="desk_content")
    status = desk_bar.draw_desk_bar_and_return_placeholder(
        desk,
        thing=thing,
        place=desk.place_in_words(place) if place else "",
        back=partial(desk.go_by_steps_in_queue, -1) if desk.position_in_queue > 0 else None,
        onward=partial(desk.go_by_steps_in_queue, 1)
        if desk.position_in_queue + 1 < desk.queue.count_of_items
        else None,
        state=desk_bar.what_was_done_with_item_in_words(desk),
        skip=partial(desk.skip_or_flag_and_move_on, "skip"),
        submit=submit,
    )
    redraw_saved_status(desk, status)
    with content, container_for_content_of_some_items():
        draw_note_on_suggestion(desk)
        conflict_between_tabs.draw_choice_between_two_tabs(desk)
    return content, status


def draw_note_on_suggestion(desk: TaskShare) -> None:
    """A note that a model's answer is filled in already, and what it says."""
    if desk.answer_suggested_by_model is None or desk.item is None:
        return
    body = items.item_body(desk.store, desk.item)
    told = escape_to_one_line(
        desk.task.task_as_asked_of_item(body).decision_in_words(desk.answer_suggested_by_model)
    )
    st.info(
        f"**A model suggests:** {told}. It is filled in for you. Submit it as it is, change it, or"
        " clear it: your own judgment is what counts.",
        icon=":material/lightbulb:",
    )


def container_for_content_of_some_items() -> Any:
    """A container for what only some items have, so that nothing below it changes position.

    Streamlit removes an element that changes position and mounts it again, and a form hears no keys
    in the meantime.
    """
    return st.container()


def redraw_saved_status(desk: Desk, status: Any) -> None:
    """Whether the current answer is on disk, in the status placeholder; redrawn after each
    change.
    """
    if desk.error is not None:
        said = f"{desk.error.message} {desk.error.hint}".strip()
        what = said if desk.is_answer_saved else f"not saved: {said}"
        status.markdown(f":red[:material/error: {escape_to_one_line(what)}]", width="content")
    elif said := saved_state_in_words(desk):
        status.caption(said, width="content")
    else:
        status.empty()


UNSENT = "change not submitted, draft saved"


def saved_state_in_words(desk: Desk) -> str:
    """What the bar says of the work while nothing is under way: when the item was submitted or its
    draft saved and, while nobody has touched it since, what was done with the one before.
    ``dom.js`` says the same at desks that are one component.
    """
    if desk.saved_at is None:
        return desk.left_behind
    before = desk.left_at is not None and desk.saved_at < desk.left_at
    what = "saved"
    if (
        desk.queue_entry_of_current_item is not None
        and desk.queue_entry_of_current_item.state == "submitted"
    ):
        what = UNSENT if desk.holds_unsubmitted_change else "submitted"
    now = f"{what} {format_time_of_day(desk.saved_at)}"
    return f"{desk.left_behind} · this one {now}" if before else now


def finish_fragment(desk: Desk, status: Any) -> None:
    """End a desk's fragment: draw the status, and rerun the page once if there is a conflict.

    It also reruns the page if another item is on the desk: the press that moved on came in one
    message with a change in the fragment, so Streamlit reruns only the fragment. The same holds
    after a practice submission at a desk that keeps its item.
    """
    if desk.moved or must_rerun_to_show_practice_answer(desk):
        st.rerun()
    redraw_saved_status(desk, status)
    key = f"{desk.task.name}.conflict"
    now: tuple[Any, ...] | None = None
    if desk.newer is not None:
        now = (desk.item, desk.newer.revision)
    elif desk.error is not None and not desk.is_answer_saved:
        now = (desk.item, desk.error.message)
    if st.session_state.get(key) != now:
        st.session_state[key] = now
        st.rerun()
    # Last: the browser need not wait for it to hear what was saved.
    desk.claim_next_item_once_work_has_begun()


def draw_why_nothing_to_judge_and_say_if_drawn(desk: TaskShare, things: str) -> bool:
    """Say why, if the person was given nothing, or nothing but practice, or put off what was sent
    back to them; returns whether it did.
    """
    if desk.queue.places:
        return draw_page_and_say_if_practice_not_passed(desk) or _draw_sent_back(desk)
    round_ = (desk.store, desk.task, desk.dataset, desk.rater.id)
    st.title("Nothing to do", anchor=False)
    st.markdown(
        why_rater_gets_nothing_new(*round_)
        or _seen_in_words(desk, things)
        or (
            f"No {things} are waiting for you: each has enough raters."
            if items.count_items_by_kind(desk.store, desk.task.study, desk.dataset)
            else f"No {things} are waiting for you: your lead has withdrawn all of them."
        )
    )
    crowd_platform_settings_and_return.draw_return_if_no_items(*round_)
    return True


def _seen_in_words(desk: TaskShare, things: str) -> str:
    """How many more are left that the person is not given, since they have seen others' answers;
    empty if there are none.
    """
    many = assignment.count_items_withheld_as_seen(
        desk.store, desk.task, desk.settings, dataset=desk.dataset, rater=desk.rater.id
    )
    if not many:
        return ""
    more = f"{many:,} more of the {things} {'is' if many == 1 else 'are'}"
    return f"{more} left to others: you have seen others' answers, so yours would not count."


def _draw_sent_back(desk: TaskShare) -> bool:
    """What is left of a share that is done but for what a lead sent back, with the way there."""
    back = desk.queue.places_sent_back
    if not back:
        return False
    st.title("Sent back to you", anchor=False)
    st.markdown(
        f"**{desk.queue.progress_in_words}.** Your lead asks you to judge"
        f" {'this item' if len(back) == 1 else 'these items'} again, or to flag"
        f" {'it' if len(back) == 1 else 'them'} if you cannot."
    )
    for place in back:
        st.button(
            # Its name can say who wrote what is judged.
            f"Judge item {place.number} again",
            icon=":material/undo:",
            key=f"{desk.task.name}.sent_back.{desk.browser_handle_of_item(place.item)}",
            type="primary",
            on_click=desk.put_item_of_queue_place_on_desk,
            args=(place,),
        )
    return True


def draw_end(here: Here, desk: TaskShare, *, done: str, things: str) -> None:
    """The end of a finished share: "You have rated 3 dialogues"."""
    _, middle, _ = st.columns([1, 3, 1])
    with middle, st.container(key="desk_end"):
        if draw_why_nothing_to_judge_and_say_if_drawn(desk, things):
            return
        st.title("All done", anchor=False)
        st.markdown(f"You have {done} **{desk.queue.done_and_total[0]}** {things}. Thank you.")
        if not why_rater_gets_nothing_new(desk.store, desk.task, desk.dataset, desk.rater.id):
            st.markdown(_seen_in_words(desk, things))

        def again() -> None:
            desk.put_item_of_queue_place_on_desk(desk.queue.places[0])

        draw_links_after_finished_share(here, desk, again)


def draw_links_after_finished_share(here: Here, desk: TaskShare, again: Callable[[], None]) -> None:
    """Where a finished share leads: the next task that waits for the person, back to its own items
    (``again``), and Home.
    """
    from medlens.ui import home_my_work

    jobs = home_my_work.list_open_rounds_of_person(here, list(STUDIES.values()))
    here_now = (desk.task.name, desk.dataset)
    waiting = [
        job
        for job in jobs
        if job.is_unfinished and (job.mine.task.name, job.mine.dataset) != here_now
    ]
    leave_for = page_address.follow_press_and_return_leaving_callback()
    with st.container(horizontal=True, vertical_alignment="center"):
        for job in waiting[:1]:
            task, dataset = job.mine.task.name, job.mine.dataset
            left = (
                f" ({job.mine.remaining_item_count:,} left)"
                if job.mine.remaining_item_count
                else ""
            )
            st.button(
                f"Next: {escape_markdown(job.title)}{left}",
                icon=":material/arrow_forward:",
                key=f"{desk.task.name}.onward",
                type="primary",
                on_click=leave_for,
                args=(job.study.page, {**job.study.views[task], "dataset": dataset}),
            )
        st.button(
            "Review my items",
            icon=":material/undo:",
            key=f"{desk.task.name}.look",
            on_click=again,
        )
        st.page_link("app.py", label="Home", icon=":material/home:")
