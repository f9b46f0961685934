"""Forms from files, drawn and saved."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from medlens.config.forms import SCALE, Form, Question, check_answers, load_form
from medlens.review import surveys
from medlens.ui.frame import Here, escape


def read_forms(folder: Path) -> list[Form]:
    """The forms of a folder by file name, feedback before background as in the study."""
    files = sorted(folder.glob("*.toml"), key=lambda path: (path.stem != "feedback", path.stem))
    return [_form(path, path.stat().st_mtime_ns) for path in files]


@lru_cache(maxsize=32)
def _form(path: Path, _changed: int) -> Form:
    return load_form(path)


def draw_form(here: Here, form: Form, given: Mapping[str, Any] | None) -> None:
    """One form, folded away once it is answered; answering again is a new revision."""
    done = given is not None
    icon = ":material/check_circle:" if done else ":material/edit_note:"
    with st.expander(f"{escape(form.title)}", expanded=not done, icon=icon):
        if form.intro:
            st.markdown(escape(form.intro))
        with st.form(f"form.{form.id}", border=False):
            answers = {
                question.id: _ask(form.id, question, (given or {}).get(question.id))
                for question in form.questions
            }
            sent = st.form_submit_button("Save again" if done else "Save", type="primary")
        if not sent:
            return
        problems = check_answers(form, answers)
        if problems:
            st.error("\n\n".join(escape(problem) for problem in problems))
            return
        kept = {k: v for k, v in answers.items() if v not in (None, "", [])}
        surveys.save(here.store, form=form.id, rater=here.person.id, answers=kept)
        st.rerun()


def _ask(form: str, question: Question, given: Any) -> Any:
    key = f"form.{form}.{question.id}"
    label = escape(question.text) + ("" if question.required else " _(optional)_")
    help_text = escape(question.help) if question.help else None
    options = list(question.options)
    if question.kind == "single":
        at = options.index(given) if given in options else None
        return st.radio(label, options, index=at, key=key, help=help_text, format_func=escape)
    if question.kind == "multiple":
        chosen = [option for option in given or [] if option in options]
        return st.multiselect(label, options, default=chosen, key=key, help=help_text)
    if question.kind == "scale":
        picked = st.segmented_control(label, list(SCALE), default=given, key=key, help=help_text)
        # In sight: on a phone nothing points at a sign to read what it hides.
        st.caption(escape(f"1: {question.low}. 5: {question.high}."))
        return picked
    if question.kind == "number":
        return st.number_input(
            label + (f" ({escape(question.unit)})" if question.unit else ""),
            min_value=question.minimum,
            max_value=question.maximum,
            value=given,
            key=key,
            help=help_text,
        )
    if question.kind == "long_text":
        return st.text_area(label, value=given or "", key=key, help=help_text, max_chars=10_000)
    return st.text_input(label, value=given or "", key=key, help=help_text, max_chars=200)
