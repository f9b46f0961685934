"""The worked example of a task: how one answers, a finished item, and why it was judged so.

It opens by itself at a person's first visit of the task, and from then on at its button.
"""

from __future__ import annotations

import re

import streamlit as st

from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.tasks import Task
from medlens.review.worked_examples_seen import has_seen_example, record_seen_example
from medlens.ui.browser_component import Component
from medlens.ui.page_frame import Here
from medlens.ui.styles import read_style_sheet
from medlens.ui.untrusted_markdown import draw_untrusted_markdown

_STYLE = read_style_sheet("worked_example")
_first_visit = Component("first_visit", js="first_visit/first_visit.js", css="")


def draw_worked_example_button(here: Here, task: Task) -> None:
    """The button that opens the example, if the task has one; it is pressed at the first visit."""
    if not task.worked_example:
        return
    key = f"{task.name}.worked_example"
    if st.button(
        "Worked example",
        icon=":material/school:",
        key=key,
        type="tertiary",
        help="An item judged for you, with the keys and the reasons: twenty seconds.",
    ):
        record_seen_example(here.store, task, person=here.person)
        _open_worked_example(task)
    # In the session it stays as it was at first: what opens the example keeps the focus in it.
    first = f"{key}.first_visit.{here.person.id}"
    if first not in st.session_state:
        judged = assignment_ledger_of_task(
            here.store, task.name
        ).ids_of_items_judged_without_being_given(here.person.id)
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
    parts = split_worked_example_at_keyboard_keys(task.worked_example)
    key = f"{task.name}.worked_example"
    with st.container(key="example_read"):
        # Which of keys and touch is shown, the style decides: whether there is a keyboard.
        for name, text in zip(("before", "keys", "touch", "after"), parts, strict=True):
            if text:
                with st.container(key=f"example_{name}"):
                    draw_untrusted_markdown(text, key=f"{key}.{name}")
    with st.container(key="example_begin"):
        if st.button("Begin", key=f"{key}.close", type="primary"):
            st.rerun()


_HOW = re.compile(r"\*\*(Keys|By touch)\.\*\*")
_NEXT_PART = re.compile(r"\n\s*\n(?=\*\*|>)")


def split_worked_example_at_keyboard_keys(text: str) -> tuple[str, str, str, str]:
    """A worked example's text before its keys, its keys, the same by touch, and the text after
    both; "" for what it lacks. Keys end where a quote, or a paragraph that begins in bold, follows.
    """
    how = {"Keys": "", "By touch": ""}
    rest = []
    while found := _HOW.search(text):
        rest.append(text[: found.start()])
        ends = _NEXT_PART.search(text, found.end())
        end = ends.start() if ends else len(text)
        how[found[1]] = text[found.start() : end].strip()
        text = text[end:]
    before = rest[0] if rest else text
    after = "".join(rest[1:]) + text if rest else ""
    return before.strip(), how["Keys"], how["By touch"], after.strip()
