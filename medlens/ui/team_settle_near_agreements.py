"""The list of items on which people nearly agree, to settle those that are checked in one press."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from medlens.errors import Conflict, InvalidInput
from medlens.review import consensus, items, judging, near_agreement_search_and_settling
from medlens.review.near_agreement_search_and_settling import NearAgreement, SettledTogether
from medlens.review.tasks import Body, Task
from medlens.studies.registry import STUDIES
from medlens.ui.answer_form import FieldData, OptionData
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.team_task_settings import Work

_MOST = 60
"""Items at once: a lead is to read what they settle."""
_CHOSEN, _WHY = "items", "reason"
_OUTCOME = "settle.together.outcome"
TOLD_AFTERWARDS = "settle.told"
"""In the session: what a button did, told when the disagreements are drawn. A message from within
the press would be drawn outside of their fragment.
"""
_SPARED = "settle.together.spared"
"""In the session, by task and dataset: the items that were unchecked when others were settled."""

BeginningsOfItems = Callable[[Sequence[str]], Mapping[str, str]]


def draw_near_agreements_to_settle(
    here: Here, work: Work, near: Sequence[NearAgreement], beginnings: BeginningsOfItems
) -> None:
    """The answers that most people gave to these items, all checked, and a button that settles
    those that are checked still. ``beginnings`` gives the first words of items by their ids.
    """
    outcome = st.session_state.pop(_OUTCOME, None)
    if outcome is not None:
        _draw_outcome(here, work, outcome)
    if not near:
        st.markdown("No item is left on which all raters but one agree.")
        return
    spared: set[str] = st.session_state.setdefault(
        f"{_SPARED}.{work.task.name}.{work.dataset}", set()
    )
    # What was unchecked waits at the end, or the same items would come first each time.
    in_order = sorted(near, key=lambda each: (each.item in spared, each.is_bare_majority))
    listed = {each.item: each for each in in_order[:_MOST]}
    bare = {item for item, each in listed.items() if each.is_bare_majority} - spared
    checked = [item for item in listed if item not in spared | bare]
    st.markdown(
        "On these items all raters but one gave the same answer, or all are within one point of the"
        " median of a scale. Uncheck those that you want to read first: they stay under To"
        " settle. Each item gets a decision of its own, marked as settled together, which you can"
        " change later under Settled."
    )
    if bare:
        st.markdown(
            "Where two stand against one, either may be right: such an item is not checked at"
            " first. Open it, then check it if you agree."
        )
    unchecked = sum(item in spared for item in listed)
    if told := "; ".join(_how_many(len(near), len(listed), unchecked)):
        st.caption(f"{told[0].upper()}{told[1:]}.")
    # What is read here makes this lead's later judgments of these items not blind.
    judging.record_items_as_seen_and_say_if_any_new(
        here.store, [(work.task.name, item) for item in listed], rater=here.person.id
    )
    bodies = items.load_item_bodies_by_id(here.store, list(listed))
    about = beginnings(list(listed))

    def send(entered: Entries) -> None:
        chosen = json.loads(entered.get(_CHOSEN) or "[]")
        wanted = [listed[item] for item in chosen if item in listed]
        if not wanted:
            raise InvalidInput("Nothing is settled yet.", hint="Check the items to be settled.")
        st.session_state[_OUTCOME] = (
            near_agreement_search_and_settling.settle_near_agreements_and_return_outcome(
                here.store,
                work.task,
                wanted=wanted,
                dataset=work.dataset,
                by=here.person,
                reason=entered.get(_WHY) or "",
            )
        )
        spared.update(item for item in listed if item not in chosen)
        spared.difference_update(chosen)

    sheet = form_sheet_of_session(
        *(here.store, here.person, "adjudication", f"{work.task.name}.{work.dataset}.together"),
        send=send,
        given={_CHOSEN: json.dumps(checked)},
        anew=True,
    )
    fields: list[FieldData] = [
        {
            "id": _CHOSEN,
            "kind": "several",
            "rows": True,
            "label": "Items and the answers they get",
            "options": [
                OptionData(
                    value=item,
                    name=f"{about.get(item) or each.name}: "
                    + _answer_in_words(here, work, each, bodies.get(item, {})),
                    url=_address_of_item(work, each.name),
                )
                for item, each in listed.items()
            ],
        },
        {
            "id": _WHY,
            "kind": "text",
            "label": "Why (left empty, each decision says how many agreed)",
            "lines": 1,
            "longest": 2000,
        },
    ]
    more = len(near) > len(listed)
    submit = "Settle all that are checked" + ", and see the next" * more
    with st.container(key="settle_together"):
        draw_form_sheet(sheet, fields, submit=submit, alone=True)


def _address_of_item(work: Work, name: str) -> str:
    """The address of one disagreement, relative to this page's."""
    asked = {
        "section": "disagreements",
        "task": work.task.name,
        "dataset": work.dataset,
        "divided": name,
    }
    return f"?{urlencode(asked)}"


def _how_many(near: int, listed: int, spared: int) -> Iterator[str]:
    """How many wait, where not all are listed or checked."""
    if near > listed:
        yield f"{listed:,} of the {near:,} that wait are listed"
    if spared:
        are = (
            "one that you unchecked before stands"
            if spared == 1
            else (f"the {spared:,} that you unchecked before stand")
        )
        yield f"{are} last, unchecked"


def _answer_in_words(here: Here, work: Work, near: NearAgreement, body: Body) -> str:
    """The answer that an item gets, how many gave it and what the one apart said; arms that raters
    saw by letter have letters here too.
    """
    task, answer, apart = work.task.task_as_asked_of_item(body), near.answer, near.apart
    if show := STUDIES[task.study].seen_by_adjudicator:
        seen = show(work.study, body, item=near.item, rater=here.person.id, seed=work.settings.seed)
        task, answer = seen.task, seen.answers_with_letters(answer)
        apart = tuple(map(seen.answers_with_letters, apart))
    bare = ", a bare majority" if near.is_bare_majority else ""
    if near.on_scale:
        how = f"all {near.raters} within one point"
    elif near.alike == near.raters - 1:
        others = "; ".join(dict.fromkeys(_without_question(task, each) for each in apart))
        how = f"{near.alike} of {near.raters}{bare}; the other: {others}"
    else:
        how = f"all but one of {near.raters} on each question{bare}"
    return f"{_without_question(task, answer)} ({how})"


def _without_question(task: Task, answer: Any) -> str:
    """An answer in words; where one thing is asked, it is not said again for each item."""
    words = task.decision_in_words(answer)
    measured = {} if answer is None else task.values_compared_for_agreement(answer)
    said = [
        name
        for name in dict.fromkeys(map(task.name_of_variable_in_words, measured))
        if name in words
    ]
    return words.removeprefix(said[0]).lstrip(": ") if len(said) == 1 else words


def _draw_outcome(here: Here, work: Work, outcome: SettledTogether) -> None:
    """How many were settled, with a button that undoes it, and which were left alone because of
    what others did meanwhile.
    """
    settled = len(outcome.settled)
    if settled:
        are = "item is" if settled == 1 else "items are"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.success(
                f"{settled:,} {are} settled together. Each can be changed under Settled.",
                icon=":material/check:",
            )
            st.button(
                "Undo",
                key="settle.together.undo",
                icon=":material/undo:",
                on_click=_withdraw_all,
                args=(here, work, outcome),
            )
    left_alone = {
        "Somebody else had settled these by then; their decision stands": outcome.decided,
        "Somebody else has these open now": outcome.open,
        "These were judged anew or changed meanwhile": outcome.changed,
    }
    lines = [
        f"- {why}: {escape_markdown(', '.join(names))}"
        for why, names in left_alone.items()
        if names
    ]
    if lines:
        st.warning("Left as they are:\n" + "\n".join(lines), icon=":material/info:")


def _withdraw_all(here: Here, work: Work, outcome: SettledTogether) -> None:
    """Take back what was settled in one press, but for what somebody has changed since."""
    try:
        done = consensus.withdraw_adjudications_and_list_items(
            here.store, work.task, decisions=outcome.revisions, by=here.person
        )
    except Conflict as conflict:
        st.session_state[TOLD_AFTERWARDS] = str(conflict)
        return
    left = len(outcome.revisions) - len(done)
    told = f"{len(done):,} decision{'s'[: len(done) != 1]} withdrawn."
    if left:
        told += f" {left:,} changed since by somebody: left as they are."
    st.session_state[TOLD_AFTERWARDS] = told
