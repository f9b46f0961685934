"""Writing a new case in the published template, checked as it is written."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from medlens.studies.agentclinic import writing
from medlens.studies.agentclinic.study import Study
from medlens.studies.agentclinic.writing import FIELDS
from medlens.ui import Here
from medlens.ui.address import go
from medlens.ui.agentclinic import transcript
from medlens.ui.answer_form import FieldData
from medlens.ui.frame import words
from medlens.ui.sheet import Entries, draw_here, open_sheet

NEW = "new"
"""The value of ``case`` in the address while a new case is written."""

_STYLE = """
<style>
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
_LINES = {"history": 4, "secondary": 3, "review": 2, "exam": 5, "tests": 5}
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
    _write(here, study)


# A fragment: entries redraw nothing else on the page.
@st.fragment
def _write(here: Here, study: Study) -> None:
    def send(entered: Entries) -> None:
        name = writing.add_case(here.store, study.dataset, _texts(entered), by=here.person)
        go(case=name, lint="")

    sheet = open_sheet(here.store, here.person, "case_form", study.dataset, send=send, anew=True)
    left, right = st.columns([8, 5], gap="large")
    with left, st.container(key="case_form"):
        fields = [_field(title, name, names) for title, names in _GROUPS for name in names]
        draw_here(sheet, fields, submit="Add the case")
    with right, st.container(key="case_check"):
        _checked(here, study, _texts(sheet.body))
        with st.popover("Clear the form"):
            st.button("Clear all fields", key="written.clear", on_click=sheet.discard)
    if sheet.moved:
        st.rerun()


def _texts(entered: Entries) -> dict[str, str]:
    return {name: text for name, text in entered.items() if text}


def _field(group: str, name: str, names: Sequence[str]) -> FieldData:
    field = _BY_NAME[name]
    found: FieldData = {
        "id": name,
        "kind": "text",
        "label": field.title + (" *" if field.required else ""),
        "placeholder": field.about,
        "longest": 20_000 if name in _LINES else 4000,
        "lines": _LINES.get(name, 1),
        "short": name in _SMALL,
    }
    if name == names[0]:
        found["head"] = group
    if field.kind == "lines":
        found["hint"] = writing.LINES
    return found


def _checked(here: Here, study: Study, fields: dict[str, str]) -> None:
    st.markdown("##### Check")
    checked = writing.check(here.store, study.dataset, fields)
    if checked.missing:
        st.caption("Still needed: " + ", ".join(words(title) for title in checked.missing) + ".")
    for fault in checked.faults:
        st.markdown(f":material/error: {words(fault)}")
    for finding in checked.findings:
        quote = f" “{words(finding.quote)}”" if finding.quote else ""
        st.markdown(f":material/rule: {words(finding.message)}{quote}")
    if checked.known:
        st.markdown(":material/error: This exact case is already in the dataset.")
    elif checked.case is not None and not checked.findings:
        st.markdown(":material/check: The check found nothing.")
    if checked.findings:
        st.caption("A case with findings can be added; figures show such cases separately.")
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
