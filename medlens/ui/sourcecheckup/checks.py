"""The other desks: whole answers, questions against their document, statements against the answer.

Nothing of a model or a verdict is shown before the rater has committed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from medlens.errors import InvalidInput
from medlens.review.tasks import Task
from medlens.sourcecheckup import listing, tasks
from medlens.sourcecheckup.listing import queries as listed
from medlens.sourcecheckup.models import QUESTION_KIND
from medlens.sourcecheckup.study import Study
from medlens.ui import Here, address, desk_view
from medlens.ui.desk import Desk
from medlens.ui.desk_view import LINE_STYLE
from medlens.ui.frame import words
from medlens.ui.sourcecheckup import answer_text
from medlens.ui.sourcecheckup.nav import safe_link

_ANSWERS = {"yes": "Yes", "no": "No", "cannot_tell": "Cannot tell"}
STYLE = """
<style>
  [class*="st-key-check-"] [data-testid="stText"] { font-family: inherit; white-space: pre-wrap;
    overflow-wrap: anywhere; line-height: 1.6; max-width: 46rem; }
  .st-key-check-statements { gap: 0.35rem; }
  .st-key-check-statements [data-testid="stButtonGroup"] button { min-height: 1.9rem;
    padding-top: 0; padding-bottom: 0; }
  @media (min-width: 1000px) {
    .st-key-check-read { max-height: calc(100dvh - 9rem); overflow-y: auto; flex-wrap: nowrap; }
    .st-key-check-read > * { flex-shrink: 0; }
  }
</style>
"""


@dataclass(frozen=True)
class Read:
    """What a rater reads: a question with its document, or with an answer and what belongs to it.

    ``statements`` and ``sources`` are as ``listing.queries`` has them.
    """

    question: str
    text: str
    link: str = ""
    statements: tuple[Mapping[str, Any], ...] = ()
    sources: tuple[Mapping[str, Any], ...] = ()


def draw(here: Here, study: Study) -> None:
    """The step that the address names."""
    offered = {study.response.name: study.response, study.parse.name: study.parse,
               study.question.name: study.question}  # fmt: skip
    key = "checks.task"
    asked = st.query_params.get("task", "")
    st.session_state[key] = asked if asked in offered else study.response.name

    def chosen() -> None:
        address.go(task=str(st.session_state[key]), item="")

    name = st.segmented_control(
        "What to check", list(offered), key=key, required=True, on_change=chosen, wrap=True,
        format_func=lambda one: offered[one].title, label_visibility="collapsed",
    )  # fmt: skip
    task = offered[str(name)]
    desk = desk_view.open_desk(here, task, study.dataset, partial(_lay_out, here, task))
    if desk.item is None:
        desk_view.draw_end(desk, done="checked", things=_THINGS[task.name])
        return
    st.html(LINE_STYLE + STYLE)
    status = desk_view.draw_line(desk, thing=_THINGS[task.name].removesuffix("s"))
    left, right = st.columns([7, 5], gap="medium")
    with left, st.container(key="check-read"):
        _read(desk.laid, task)
        if task.name == tasks.RESPONSE:
            with here.errors():
                _reveal(here, study, desk)
    with right:
        if task.name == tasks.PARSE:
            _parse(desk, status)
        else:
            _yes_no(desk, status, task)


_THINGS = {tasks.RESPONSE: "answers", tasks.PARSE: "answers", tasks.QUESTION: "questions"}


def _lay_out(here: Here, task: Task, item: str) -> Read:
    if task.item_kind == QUESTION_KIND:
        asked = listed.question_of(here.store, item)
        if asked is None:
            raise InvalidInput("There is no such question.", hint="Take the next one.")
        return Read(asked["question"], asked["document"], safe_link(asked["document_url"]))
    found = listed.answer_of(here.store, item)
    if found is None:
        raise InvalidInput("There is no such answer.", hint="Take the next one.")
    statements = tuple(listed.stated(here.store, item))
    sources: tuple[Mapping[str, Any], ...] = ()
    if task.name == tasks.RESPONSE:
        sources = tuple(listed.cited(here.store, found["dataset"], item))
    return Read(found["question"], found["text"], "", statements, sources)


def _read(laid: Read, task: Task) -> None:
    with st.container(border=True, key="check-question"):
        st.caption("Question")
        st.text(laid.question, width="stretch")
    if task.name == tasks.QUESTION:
        st.caption("Text" + (f" · [open the original]({laid.link})" if laid.link else ""))
    else:
        st.caption("Answer")
    with st.container(key="check-text"):
        st.text(laid.text or "The answer is empty.", width="stretch")
    if task.name == tasks.RESPONSE:
        st.caption("Its sources")
        for n, one in enumerate(laid.sources, 1):
            link = safe_link(one["url"])
            title = words(one["title"] or one["url"])
            shown = f"[{title}]({link})" if link else title
            state = "" if one["outcome"] == "ok" else f" · {one['outcome'].replace('_', ' ')}"
            st.markdown(f"**{n}** {shown}{state}")
        if not laid.sources:
            st.caption("It cites none.")


def _reveal(here: Here, study: Study, desk: Desk) -> None:
    """What the verifier found of the answer, for who has submitted it; shown when asked for."""
    place, item = desk.place, desk.item
    if item is None or place is None or place.state != "submitted":
        return
    key = f"{tasks.RESPONSE}.revealed.{item}"
    if not st.session_state.get(key):
        st.button(
            "Show what the verifier found", key=f"{tasks.RESPONSE}.reveal.{item}",
            icon=":material/visibility:", on_click=lambda: st.session_state.update({key: True}),
            help="What you change afterwards, here or on its pairs, counts as not blind.",
        )  # fmt: skip
        return
    said = listed.reveal_to(here.store, study.dataset, item, here.person)
    laid: Read = desk.laid
    for verifier in sorted(set(said["rater"])):
        states = listing.states_of(laid.statements, laid.sources, said, str(verifier))
        st.markdown(f"##### {words(str(verifier))}")
        answer_text.draw_answer(laid.text, laid.statements, states)
        answer_text.draw_legend(states)
        answer_text.draw_statements(laid.statements, states)
    if said.empty:
        st.caption("No model has judged its pairs.")


@st.fragment
def _yes_no(desk: Desk, status: Any, task: Task) -> None:
    if desk.item is None:
        return
    key, why = f"{task.name}.answer.{desk.item}", f"{task.name}.reason.{desk.item}"
    desk_view.seed(key, desk.body["answer"])
    desk_view.seed(why, desk.body["reason"])
    st.segmented_control(
        task.question, list(_ANSWERS), key=key, wrap=True, format_func=_ANSWERS.__getitem__,
        on_change=lambda: desk.change(answer=st.session_state[key]),
        help="Keys: 1 yes, 2 no, 3 cannot tell; Enter submits, J and K move, S skips, F flags.",
    )  # fmt: skip
    st.text_input(
        "Why (needed for: cannot tell)", key=why, max_chars=2000, live="600ms",
        on_change=lambda: desk.change(reason=str(st.session_state[why])),
    )  # fmt: skip
    with st.container(key="keys.check"):
        for number, answer in enumerate(_ANSWERS, 1):
            st.button(
                _ANSWERS[answer], key=f"{task.name}.key.{answer}", shortcut=str(number),
                on_click=lambda answer=answer: desk.change(answer=answer),
            )  # fmt: skip
    desk_view.finish(desk, status)


@st.fragment
def _parse(desk: Desk, status: Any) -> None:
    """Each statement: is it in the answer? And is one missing?"""
    if desk.item is None:
        return
    laid: Read = desk.laid
    contained: dict[str, bool] = dict(desk.body["contained"])
    with st.container(key="check-statements"):
        if not laid.statements:
            st.caption("No statement was taken out of this answer.")
        elif len(contained) < len(laid.statements):
            st.button(
                "All the rest are in the answer", key=f"{tasks.PARSE}.rest", shortcut="A",
                on_click=lambda: desk.change(
                    contained={str(one["name"]): True for one in laid.statements} | contained
                ),
            )  # fmt: skip
        for one in laid.statements:
            name = str(one["name"])
            key = f"{tasks.PARSE}.{name}.{desk.item}"
            given = {True: "yes", False: "no"}.get(contained.get(name))  # type: ignore[arg-type]
            desk_view.seed(key, given)
            st.text(f"{one['n']}  {one['text']}", width="stretch")

            def chosen(name: str = name, key: str = key) -> None:
                value = st.session_state[key]
                rest = {n: v for n, v in desk.body["contained"].items() if n != name}
                desk.change(contained=rest if value is None else rest | {name: value == "yes"})

            st.segmented_control(
                f"Is statement {one['n']} in the answer?", ["yes", "no"], key=key,
                on_change=chosen, label_visibility="collapsed",
                format_func=lambda one: "In the answer" if one == "yes" else "Not in it",
            )  # fmt: skip
    _missing(desk)
    desk_view.finish(desk, status)


def _missing(desk: Desk) -> None:
    key, what = f"{tasks.PARSE}.complete.{desk.item}", f"{tasks.PARSE}.missing.{desk.item}"
    desk_view.seed(key, desk.body["complete"])
    st.segmented_control(
        "Is a medical fact of the answer missing among them?", ["yes", "no"], key=key,
        format_func=lambda one: "Nothing is missing" if one == "yes" else "Something is missing",
        on_change=lambda: desk.change(complete=st.session_state[key]),
        help="Keys: A says that all the rest are in the answer, 1 that nothing is missing; Enter"
        " submits, J and K move.",
    )  # fmt: skip
    with st.container(key="keys.parse"):
        st.button("Nothing is missing", key=f"{tasks.PARSE}.key.complete", shortcut="1",
                  on_click=lambda: desk.change(complete="yes", missing=[]))  # fmt: skip
        st.button("Something is missing", key=f"{tasks.PARSE}.key.missing", shortcut="2",
                  on_click=lambda: desk.change(complete="no"))  # fmt: skip
    if desk.body["complete"] == "no":
        desk_view.seed(what, "\n".join(desk.body["missing"]))
        st.text_area(
            "What is missing, a fact on each line", key=what, max_chars=4000,
            on_change=lambda: desk.change(
                missing=[one.strip() for one in st.session_state[what].splitlines() if one.strip()]
            ),
        )  # fmt: skip
