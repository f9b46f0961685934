"""The desk and the figures of an own study: what is shown of an item, and its questions.

Everything that the study's file and its items say is shown as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st

from medlens.config.forms import Question
from medlens.own.arms import ARM, ARMS, ORDER, Shown, arms_of, drawn, letters
from medlens.own.declaration import Declaration, Pane
from medlens.own.study import Study, open_study
from medlens.own.tasks import STUDY, Answers, read_answer, shown_of
from medlens.review import items, judging
from medlens.studies import STUDIES
from medlens.ui import Here, desk_view, own_file, rounds
from medlens.ui.answer_form import FieldData, Values, answer_form, chosen_of
from medlens.ui.desk import Desk
from medlens.ui.desk_view import LINE_STYLE
from medlens.ui.figures import page as figures
from medlens.ui.forms import entered_of, field_of
from medlens.ui.frame import escape, words
from medlens.ui.keys_help import keys_help

_STYLE = """
<style>
  [class*="st-key-own-pane"] { max-width: 48rem; overflow-wrap: anywhere; gap: 0.35rem; }
  [class*="st-key-own-pane"] :is(p, li, [data-testid="stText"]) { font-size: 1rem; line-height: 1.6;
    white-space: pre-wrap; font-family: inherit; }
  @media (min-width: 1000px) {
    [class*="st-key-own-scroll-"] { max-height: calc(100dvh - 7.25rem); overflow-y: auto;
      flex-wrap: nowrap; }
    [class*="st-key-own-scroll-"] > * { flex-shrink: 0; }
  }
</style>
"""
_FILE = "Study file"
_BESIDE = 3
_LETTERS = "abcdeghilmnopqrtuvwyz"
"""The keys that lead to a question: those that nothing else on the page is done by."""
_NOT_APPLICABLE_KEY = "x"
_HELP = (
    ("A B C …", "choose a question"),
    ("1 … 9, 0", "answer it"),
    ("X", "it does not apply"),
    ("Enter", "submit"),
    ("J K", "next, previous item"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)


def draw(here: Here) -> None:
    """The study that the address names: its desk, for leads its results too."""
    dataset = rounds.dataset_of(here, STUDY)
    study = open_study(here.store, here.settings, dataset)
    lead = here.person.role == "lead"
    view = "Judge" if study.dataset or not lead else _FILE
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="medium"):
        if lead and study.dataset:
            view = st.segmented_control(
                "View",
                ["Judge", "Results", _FILE],
                key="view",
                default="Judge",
                required=True,
                bind="query-params",
                label_visibility="collapsed",
            )
        st.markdown(f"**{escape(study.declared.form.title or 'Your studies')}**", width="content")
        if study.illustrative:
            st.caption(":material/science: Illustrative", width="content")
        if study.dataset:
            rounds.draw_choice(here, STUDY, dataset)
        if study.dataset and view == "Judge":
            rounds.draw_state(here, study.task, dataset)
    if view == _FILE:
        own_file.draw(here, study)
    elif not study.dataset:
        st.info(
            "Your team has no study of its own yet. A lead can add one.", icon=":material/inbox:"
        )
    elif view == "Results":
        figures.draw(here, STUDIES[STUDY], study)
    else:
        _judge(here, study)


# -- the desk --------------------------------------------------------------------------------------


def _judge(here: Here, study: Study) -> None:
    declared = study.declared
    shown = {name for pane in declared.panes for name in pane.columns}

    def lay_out(item: str) -> dict[str, Any]:
        body = items.body_of(here.store, item)
        found = {name: body[name] for name in shown & body.keys()}
        return found | ({ARMS: body[ARMS]} if declared.together else {})

    desk = desk_view.open_desk(here, study.task, study.dataset, lay_out, kind=_Desk)
    if desk.item is None:
        desk_view.draw_end(desk, done="judged", things="items")
        return
    st.html(LINE_STYLE + _STYLE)
    status = desk_view.draw_line(desk, thing=declared.thing)
    left, right = st.columns([9, 5] if declared.together else [8, 6], gap="large")
    with left, st.container(key="own-scroll-item"):
        _draw_panes(declared, desk, told=_told(here, study, desk))
    with right, st.container(key="own-scroll-form"):
        with st.expander("Instructions", icon=":material/info:", expanded=desk.queue.done == 0):
            st.markdown(as_text(declared.form.intro))
            if declared.source:
                st.caption(escape(f"After {declared.source}"))
        _answer(desk, status, study)


class _Desk(Desk):
    """A desk on which the arms of a case lie in an order drawn for their rater."""

    def _draft(self, item: str) -> judging.Draft:
        draft = super()._draft(item)
        arms = arms_of(items.body_of(self.store, item))
        if draft.value is not None or not arms:
            return draft
        order = drawn(arms, item=item, rater=self.rater.id, seed=self.settings.seed)
        return replace(draft, value=Answers(order=order))


def _told(here: Here, study: Study, desk: Desk) -> bool:
    """Whether the arms' names are shown: a lead has said so, and the item is judged. What the rater
    changes from then on is not blind."""
    if not (study.revealed and desk.item and desk.place and desk.place.state == "submitted"):
        return False
    judging.note_reveal(here.store, study.task, item=desk.item, viewer=here.person)
    return True


@st.fragment
def _answer(desk: Desk, status: Any, study: Study) -> None:
    if desk.item is None:
        st.rerun()
    answer_form(
        desk,
        fields_of(study.declared, len(desk.body[ORDER])),
        values=partial(_values, study.declared),
        change=partial(_change, study),
    )
    keys_help(_HELP, key="own.help")
    desk_view.finish(desk, status)


def fields_of(declared: Declaration, arms: int = 0) -> list[FieldData]:
    """The questions as fields, those that are always asked with keys; of an item with so many arms
    that lie beside each other."""
    # A key with the letter of an arm would seem to choose that arm.
    keys = iter(one for one in _LETTERS if one.upper() not in letters(arms))
    questions = declared.form.questions
    if declared.together:
        questions = shown_of(declared, declared.arms.names[:arms]).asked  # type: ignore[union-attr]
    return [_with_keys(field_of(one), one, keys) for one in questions]


def _with_keys(field: FieldData, question: Question, letters: Any) -> FieldData:
    # A key of a question that is not in sight would answer it all the same.
    letter = "" if question.only_if or field["kind"] != "choice" else next(letters, "")
    if not letter:
        return field
    field["letter"] = letter
    for at, option in enumerate(field["options"], 1):
        key = option["value"] if question.kind == "scale" else str(at)
        if question.kind == "scale" and key not in map(str, question.scale):
            key = _NOT_APPLICABLE_KEY
        if key == "10" and "0" not in question.choices:
            key = "0"
        if len(key) == 1:
            option["key"] = key
    return field


def _values(declared: Declaration, body: Mapping[str, Any]) -> Values:
    if not declared.together:
        held = entered_of(declared.form, body["answers"])
        return {one.id: held.get(one.id) for one in declared.form.questions}
    shown = shown_of(declared, tuple(body[ORDER]))
    return shown.held(entered_of(shown.kept, body["answers"]))


def _change(study: Study, body: Mapping[str, Any], said: Values) -> Mapping[str, Any]:
    """What of the judgment changes by what was chosen or written: nothing but what can be."""
    declared, order = study.declared, tuple(body[ORDER])
    form = declared.form
    shown = shown_of(declared, order) if declared.together else Shown(form.questions, form)
    answers: dict[str, Any] = {}
    for one in shown.asked:
        if one.id not in said:
            continue
        answers[one.id] = None
        given = said[one.id] or ""
        if one.kind == "multiple":
            chosen = chosen_of(given)
            if several := [option for option in one.options if option in chosen]:
                answers[one.id] = several
        elif given and (not one.choices or given in one.choices):
            answers[one.id] = read_answer(one, given)
    kept = shown.answers(body["answers"], answers)
    return {"answers": kept, "version": study.version, ORDER: list(order)}


# -- what is shown ---------------------------------------------------------------------------------


def _draw_panes(declared: Declaration, desk: Desk, *, told: bool) -> None:
    """What is shown of an item, its arms beside each other by letters; ``told`` names them."""
    order = desk.body[ORDER]
    if told and not order and desk.item:
        st.caption(f"Arm: {words(str(items.body_of(desk.store, desk.item).get(ARM, '')))}")
    own = set(declared.arms.own) if declared.arms and order else set()
    for at, (by_arm, panes) in enumerate(
        groupby(declared.panes, key=lambda one: bool(own & set(one.columns)))
    ):
        here = list(panes)
        if not by_arm:
            for number, pane in enumerate(here):
                _draw_pane(pane, desk.laid, f"own-pane-{at}-{number}")
            continue
        # More than three beside each other are too narrow to read.
        wide = len(order) if len(order) <= _BESIDE else 2
        columns = [
            one for _ in range(0, len(order), wide) for one in st.columns(wide, gap="medium")
        ]
        for column, arm, letter in zip(columns, order, letters(len(order)), strict=False):
            with column:
                for number, pane in enumerate(here):
                    name = f": {arm}" if told else ""
                    titled = replace(pane, title=f"{pane.title} {letter}{name}")
                    laid = desk.laid[ARMS][arm]
                    _draw_pane(titled, laid, f"own-pane-{at}-{number}-{letter}")


def _draw_pane(pane: Pane, laid: Mapping[str, Any], key: str) -> None:
    title = escape(pane.title)
    if not pane.folded:
        st.markdown(f"##### {title}")
    with st.expander(title) if pane.folded else st.container(), st.container(key=key):
        there = [name for name in pane.columns if laid.get(name)]
        if not there:
            st.caption("Nothing is given here.")
        elif pane.kind == "record":
            for name in there:
                title = escape(name.replace("_", " ").capitalize())
                st.markdown(f"**{title}** {words(_plain(laid[name]))}")
        elif pane.kind == "dialogue":
            for turn in laid[there[0]]:
                st.caption(f"**{words(turn['role'].capitalize())}**")
                st.text(turn["content"], width="stretch")
        elif pane.kind == "table":
            st.dataframe(pd.DataFrame(laid[there[0]]).map(_plain), hide_index=True)
        elif pane.kind == "markdown":
            st.markdown(as_text(_plain(laid[there[0]])))
        else:
            st.text(_plain(laid[there[0]]), width="stretch")


def _plain(value: Any) -> str:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


_LINE = re.compile(r"^(\s*)(#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+)?(.*)$")
_MARKS = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")


def as_text(markdown: str) -> str:
    """Markdown of others with its headings and lists, and every word of it as plain text."""
    lines = []
    for line in markdown.splitlines():
        found = _LINE.match(line)
        assert found is not None
        indent, sign, rest = found[1], (found[2] or "").strip(), words(_MARKS.sub(r"\2", found[3]))
        if sign.startswith("#"):
            lines += ["", f"**{rest}**", ""]
        elif sign:
            lines.append(f"{' ' * min(len(indent), 8)}{sign.replace(')', '.')} {rest}")
        else:
            lines.append(rest)
    return "\n".join(lines)
