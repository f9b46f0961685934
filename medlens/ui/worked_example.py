"""The worked example of a task: a finished item, why it was judged so, and the keys.

It opens by itself at a person's first visit of the task, and from then on at its button.
"""

from __future__ import annotations

import streamlit as st

from medlens.review.assignment_ledger import assignment_ledger
from medlens.review.tasks import Task
from medlens.review.worked_examples_seen import has_seen_example, record_seen_example
from medlens.ui.browser_component import Component
from medlens.ui.page_frame import Here
from medlens.ui.styles import read_style_sheet
from medlens.ui.untrusted_markdown import draw_untrusted_markdown

_STYLE = read_style_sheet("worked_example")
_first_visit = Component("first_visit", js="first_visit/first_visit.js", css="")


def draw_worked_example(here: Here, task: Task) -> None:
    """The button that opens the example, if the task has one; it is pressed at the first visit."""
    if not task.worked_example:
        return
    key = f"{task.name}.worked_example"
    if st.button(
        "Worked example",
        icon=":material/school:",
        key=key,
        type="tertiary",
        help="An item judged for you, with the reasons and the keys: one minute.",
    ):
        record_seen_example(here.store, task, person=here.person)
        _open_worked_example(task)
    # In the session it stays as it was at first: what opens the example keeps the focus in it.
    first = f"{key}.first_visit.{here.person.id}"
    if first not in st.session_state:
        judged = assignment_ledger(here.store, task.name).items_judged_without_being_given(
            here.person.id
        )
        seen = judged or has_seen_example(here.store, task, person=here.person)
        st.session_state[first] = not seen
    if st.session_state[first]:
        with st.container(key="first_visit"):
            _first_visit(
                key=f"{key}.first",
                data={"seen": f"{here.person.id}:{task.name}", "button": f"st-key-{key}"},
            )


@st.dialog("Worked example", width="medium")
def _open_worked_example(task: Task) -> None:
    st.html(_STYLE)
    item, keys, touch = split_worked_example(task.worked_example)
    key = f"{task.name}.worked_example"
    with st.container(key="example_read"):
        draw_untrusted_markdown(item, key=f"{key}.text")
        # Which of the two is shown, the style decides: whether there is a keyboard.
        for name, text in (("keys", keys), ("touch", touch)):
            if text:
                with st.container(key=f"example_{name}"):
                    draw_untrusted_markdown(text, key=f"{key}.{name}")
    with st.container(key="example_begin"):
        if st.button("Begin", key=f"{key}.close", type="primary"):
            st.rerun()


def split_worked_example(text: str) -> tuple[str, str, str]:
    """A worked example's item with the reasons, its keys, and the same by touch; "" for none."""
    item, keys, after = text.partition("**Keys.**")
    told, touch, how = after.partition("**By touch.**")
    return item.strip(), f"{keys}{told}".strip(), f"{touch}{how}".strip()
