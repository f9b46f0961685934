"""The steps before: questions against documents, statements against answers.

Nothing about models or verdicts is shown before the rater has submitted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from medlens.errors import InvalidInput
from medlens.review.tasks import Task
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import tasks
from medlens.studies.sourcecheckup.records import QUESTION_KIND
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.ui import Here, desk_view
from medlens.ui.answer_form import (
    ChangeOf,
    FieldData,
    OptionData,
    RestData,
    Values,
    ValuesOf,
    draw_answer_form,
)
from medlens.ui.desk import Desk
from medlens.ui.desk_bar import BAR_STYLE
from medlens.ui.sourcecheckup.address_changes import url_if_safe_to_open
from medlens.ui.styles import read_style_sheet

_KEYS = (
    ("Enter", "submit"),
    ("Ctrl+Enter", "submit, from a text field too"),
    ("J K", "next, previous"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)
STATEMENT_KEYS = (
    ("1 2", "this statement is in the answer, is not in it; goes to the next unchecked one"),
    ("A", "all remaining statements are in the answer"),
    ("1 2", "then: nothing is missing, something is missing"),
    *_KEYS,
)
"""The keys that ``?`` lists for statements."""
QUESTION_KEYS = (("1", "yes"), ("2", "no"), ("3", "cannot tell"), *_KEYS)
"""The keys that ``?`` lists for questions."""
_STATED = "statement."
_CONTAINED: list[OptionData] = [
    {"value": "yes", "name": "In the answer", "key": "1"},
    {"value": "no", "name": "Not in the answer", "key": "2"},
]
_MISSING: list[FieldData] = [
    {
        "id": "complete",
        "kind": "choice",
        "label": "Do the statements leave out a medical fact of the answer?",
        "turn": True,
        "needed": True,
        "options": [
            {"value": "yes", "name": "Nothing is missing", "key": "1"},
            {"value": "no", "name": "Something is missing", "key": "2"},
        ],
    },
    {
        "id": "missing",
        "kind": "text",
        "label": "What is missing, one fact per line",
        "needed": True,
        "lines": 3,
        "when": ("complete", "no"),
    },
]
_ANSWERS = {"yes": "Yes", "no": "No", "cannot_tell": "Cannot tell"}
STYLE = read_style_sheet("sourcecheckup_checks")


@dataclass(frozen=True)
class Read:
    """What a rater reads: a question with its document, or with an answer and its statements (as in
    ``figure_and_list_queries``).
    """

    question: str
    text: str
    link: str = ""
    statements: tuple[Mapping[str, Any], ...] = ()


def draw_statement_desk(here: Here, study: Study) -> None:
    """Is each extracted statement in its answer, and is none missing?"""
    _desk(here, study.parse, study.dataset)


def draw_question_desk(here: Here, study: Study) -> None:
    """Can the question be answered from the text that it was made from?"""
    _desk(here, study.question, study.dataset)


def _desk(here: Here, task: Task, dataset: str) -> None:
    desk = desk_view.open_desk(here, task, dataset, partial(_lay_out, here, task))
    if desk.item is None:
        desk_view.draw_end(here, desk, done="checked", things=_THINGS[task.name])
        return
    st.html(BAR_STYLE + STYLE)
    thing = _THINGS[task.name].removesuffix("s")
    content, status = desk_view.draw_desk_bar_and_return_content_and_status(desk, thing=thing)
    with content:
        left, right = st.columns([7, 5], gap="medium")
        with left, st.container(key="check-read"):
            _read(desk.laid, task)
        with right:
            if task.name == tasks.PARSE:
                _parse(desk, status)
            else:
                _yes_no(desk, status, task)


_THINGS = {tasks.PARSE: "answers", tasks.QUESTION: "questions"}


def _lay_out(here: Here, task: Task, item: str) -> Read:
    if task.item_kind == QUESTION_KIND:
        asked = listed.find_question_of_item(here.store, item)
        if asked is None:
            raise InvalidInput("There is no such question.", hint="Continue with the next one.")
        return Read(
            asked["question"], asked["document"], url_if_safe_to_open(asked["document_url"])
        )
    found = listed.find_answer_fields_shown_to_raters(here.store, item)
    if found is None:
        raise InvalidInput("There is no such answer.", hint="Continue with the next one.")
    return Read(
        found["question"],
        found["text"],
        "",
        tuple(listed.list_statements_of_answer(here.store, item)),
    )


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


@st.fragment
def _yes_no(desk: Desk, status: Any, task: Task) -> None:
    if desk.item is None:
        st.rerun()
    fields: list[FieldData] = [
        {
            "id": "answer",
            "kind": "choice",
            "label": task.question,
            "needed": True,
            "options": [
                {"value": value, "name": name, "key": str(n)}
                for n, (value, name) in enumerate(_ANSWERS.items(), 1)
            ],
        },
        {
            "id": "reason",
            "kind": "text",
            "label": "Why (required if you cannot tell)",
            "lines": 1,
            "needed_when": ("answer", "cannot_tell"),
        },
    ]
    draw_answer_form(desk, fields, alone=True)
    desk_view.finish_fragment(desk, status)


@st.fragment
def _parse(desk: Desk, status: Any) -> None:
    """Each statement: is it in the answer? And is one missing?"""
    if desk.item is None:
        st.rerun()
    laid: Read = desk.laid
    st.markdown(f"**{desk.task.question}** Whether it is true does not matter here.")
    with desk_view.container_for_content_of_some_items():
        if not laid.statements:
            st.caption("No statement was extracted from this answer.")

    def by_item(item: str) -> tuple[ValuesOf, ChangeOf]:
        read: Read = laid if item == desk.item else desk.lay_out(item)
        names = [str(one["name"]) for one in read.statements]
        return partial(_parsed, names), partial(_parse_change, names)

    stated: list[FieldData] = [
        {
            "id": f"{_STATED}{at}",
            "kind": "choice",
            "prose": True,
            "label": f"{one['n']}  {one['text']}",
            "options": _CONTAINED,
            "turn": True,
            "needed": True,
        }
        for at, one in enumerate(laid.statements)
    ]
    rest: RestData = {
        "key": "a",
        "name": "All remaining statements are in the answer",
        "value": "yes",
        "fields": [one["id"] for one in stated],
    }
    draw_answer_form(
        desk,
        [*stated, *_MISSING],
        by_item=by_item,
        rest=rest if stated else None,
        alone=True,
    )
    desk_view.finish_fragment(desk, status)


def _parsed(names: Sequence[str], body: Mapping[str, Any]) -> Values:
    """The field values of an answer to ``statement_parse``, about the statements of these names:
    the browser gets their numbers, because a name can say which model wrote them.
    """
    contained = {
        f"{_STATED}{at}": "yes" if body["contained"][name] else "no"
        for at, name in enumerate(names)
        if name in body["contained"]
    }
    missing = "\n".join(body["missing"])
    return contained | {"complete": body["complete"], "missing": missing}


def _parse_change(names: Sequence[str], body: Mapping[str, Any], said: Values) -> Mapping[str, Any]:
    now: dict[str, Any] = {}
    given = {
        name: said[field] for at, name in enumerate(names) if (field := f"{_STATED}{at}") in said
    }
    if given:
        kept = {name: held for name, held in body["contained"].items() if name not in given}
        now["contained"] = kept | {name: v == "yes" for name, v in given.items() if v is not None}
    if "missing" in said:
        lines = (said["missing"] or "").splitlines()
        now["missing"] = [line.strip() for line in lines if line.strip()]
    if "complete" in said:
        now["complete"] = said["complete"] if said["complete"] in ("yes", "no") else None
        if now["complete"] == "yes":
            now["missing"] = []
    return now
