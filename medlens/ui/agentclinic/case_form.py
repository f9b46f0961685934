"""Writing a new case in the published template; the check speaks while it is written."""

from __future__ import annotations

import json

import streamlit as st

from medlens.agentclinic import writing
from medlens.agentclinic.study import Study
from medlens.agentclinic.writing import FIELDS, Field
from medlens.errors import Conflict, MedLensError
from medlens.ui import Here
from medlens.ui.address import go
from medlens.ui.agentclinic import transcript
from medlens.ui.frame import show_error, words

NEW = "new"
"""What ``case`` is in the address while one is written."""

_STYLE = """
<style>
  .stMainBlockContainer:has(.st-key-case_form) .stTextArea textarea { line-height: 1.5; }
  .st-key-case_form { max-width: 52rem; }
  @media (min-width: 1000px) {
    .stColumn:has(.st-key-case_check) { position: sticky; top: 1rem; align-self: flex-start; } }
</style>
"""
_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The doctor", ("objective",)),
    (
        "The patient",
        ("demographics", "history", "primary", "secondary", "past", "social", "review"),
    ),
    ("Examination", ("temperature", "pressure", "heart", "breath", "exam")),
    ("Tests", ("tests", "image")),
    ("The truth", ("diagnosis",)),
)
_LONG = {"history": 120, "secondary": 90, "review": 68, "exam": 140, "tests": 140}
_SMALL = ("temperature", "pressure", "heart", "breath")
_BY_NAME = {field.name: field for field in FIELDS}


def draw(here: Here, study: Study) -> None:
    """The form with the check beside it."""
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Cases",
            key="written.close",
            icon=":material/arrow_back:",
            on_click=go,
            kwargs={"case": ""},
        )
        st.markdown(f"**A new case** in {words(study.dataset)}", width="content")
    fields = _open(here, study)
    left, right = st.columns([8, 5], gap="large")
    with left, st.container(key="case_form"):
        for title, names in _GROUPS:
            st.markdown(f"##### {title}")
            small = [name for name in names if name in _SMALL]
            if small:
                for column, name in zip(st.columns(len(small)), small, strict=True):
                    with column:
                        _field(here, study, _BY_NAME[name])
            for name in names:
                if name not in small:
                    _field(here, study, _BY_NAME[name])
    with right, st.container(key="case_check"):
        _checked(here, study, fields)


def _key(study: Study, name: str) -> str:
    return f"written.{name}.{study.dataset}"


def _open(here: Here, study: Study) -> dict[str, str]:
    """The fields as they stand: of the draft at first, then of the page."""
    mark = _key(study, "revision")
    if mark not in st.session_state:
        revision, saved = writing.draft(here.store, study.dataset, here.person.id)
        st.session_state[mark] = revision
        for field in FIELDS:
            st.session_state[_key(study, field.name)] = saved.get(field.name, "")
    return _fields(study)


def _fields(study: Study) -> dict[str, str]:
    return {field.name: str(st.session_state.get(_key(study, field.name), "")) for field in FIELDS}


def _field(here: Here, study: Study, field: Field) -> None:
    key = _key(study, field.name)
    # Left and come back to, the page would otherwise have forgotten it.
    st.session_state[key] = st.session_state.get(key, "")
    label = field.title + (" *" if field.required else "")
    if field.name in _LONG:
        st.text_area(
            label,
            key=key,
            height=_LONG[field.name],
            placeholder=field.about,
            max_chars=20_000,
            help=writing.LINES if field.kind == "lines" else None,
            on_change=_save,
            args=(here, study),
        )
    else:
        st.text_input(
            label,
            key=key,
            placeholder=field.about,
            max_chars=4000,
            on_change=_save,
            args=(here, study),
        )


def _save(here: Here, study: Study) -> None:
    mark = _key(study, "revision")
    try:
        st.session_state[mark] = writing.save_draft(
            here.store,
            study.dataset,
            here.person.id,
            base=st.session_state[mark],
            fields=_fields(study),
        )
    except Conflict:
        st.session_state["written.error"] = MedLensError(
            "This case is being written in another tab too.",
            hint="Reload to continue with what was saved there; your changes here are not saved.",
        )
    except MedLensError as error:
        st.session_state["written.error"] = error


def _checked(here: Here, study: Study, fields: dict[str, str]) -> None:
    st.markdown("##### Check")
    if error := st.session_state.pop("written.error", None):
        show_error(error)
    checked = writing.check(here.store, study.dataset, fields)
    if checked.missing:
        st.caption("Still needed: " + ", ".join(words(title) for title in checked.missing) + ".")
    for fault in checked.faults:
        st.markdown(f":material/error: {words(fault)}")
    for finding in checked.findings:
        quote = f" “{words(finding.quote)}”" if finding.quote else ""
        st.markdown(f":material/rule: {words(finding.message)}{quote}")
    if checked.known:
        st.markdown(":material/error: Exactly this case is already in the dataset.")
    elif checked.case is not None and not checked.findings:
        st.markdown(":material/check: The check found nothing.")
    if checked.findings:
        st.caption("A case with findings can be added; figures show such cases separately.")
    with st.container(horizontal=True):
        st.button(
            "Add the case",
            key="written.add",
            type="primary",
            on_click=_add,
            args=(here, study),
            disabled=checked.case is None or checked.known,
        )
        with st.popover("Clear the form"):
            st.button("Clear all fields", key="written.clear", on_click=_clear, args=(here, study))
    if st.session_state[_key(study, "revision")]:
        st.caption("Saved as you write; only you can see it.")
    if checked.case is not None:
        opened = st.expander("As readers will see it", key="written.preview", on_change="rerun")
        if opened.open:
            with opened:
                transcript.draw_case(checked.case, key="written")
                st.code(
                    json.dumps(checked.case.content, indent=2, ensure_ascii=False),
                    language="json",
                    wrap_lines=True,
                )


def _clear(here: Here, study: Study) -> None:
    for field in FIELDS:
        st.session_state[_key(study, field.name)] = ""
    _save(here, study)


def _add(here: Here, study: Study) -> None:
    try:
        name = writing.add_case(here.store, study.dataset, _fields(study), by=here.person)
    except MedLensError as error:
        st.session_state["written.error"] = error
        return
    _clear(here, study)
    go(case=name, lint="")
