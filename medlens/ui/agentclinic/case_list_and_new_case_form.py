"""The cases with the check's findings, filtered by them, and one whole case."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from medlens.studies.agentclinic import case_images, queries, written_case_form_check_and_storing
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import CODES
from medlens.studies.agentclinic.queries import ListedCase
from medlens.studies.agentclinic.registration import DIALOGUES
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings, Study
from medlens.studies.agentclinic.written_case_form_check_and_storing import FIELDS
from medlens.ui import Here
from medlens.ui.agentclinic import transcript_and_case_view
from medlens.ui.agentclinic.transcript_and_case_view import CASE_STYLE
from medlens.ui.answer_form import FieldData
from medlens.ui.chart_with_table_and_csv import STYLE, draw_clickable_table, draw_csv_button
from medlens.ui.form_outside_queue import (
    Entries,
    draw_form_sheet_in_fragment,
    form_sheet_of_session,
)
from medlens.ui.page_address import set_values_in_address
from medlens.ui.page_frame import escape_to_one_line
from medlens.ui.styles import read_style_sheet

NEW = "new"
"""The value of ``case`` in the address while a new case is written."""

_STYLE = read_style_sheet("agentclinic_cases")
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


def draw_case_form(here: Here, study: Study) -> None:
    """The form with the check beside it."""
    st.html(_STYLE)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Cases",
            key="written.close",
            icon=":material/arrow_back:",
            on_click=set_values_in_address,
            kwargs={"case": ""},
        )
        st.markdown(f"**A new case** in {escape_to_one_line(study.dataset)}", width="content")
    _write(here, study)


# A fragment: entries redraw nothing else on the page.
@st.fragment
def _write(here: Here, study: Study) -> None:
    def send(entered: Entries) -> None:
        name = written_case_form_check_and_storing.add_written_case_and_return_name(
            here.store, study.dataset, _texts(entered), by=here.person
        )
        set_values_in_address(case=name, lint="")

    sheet = form_sheet_of_session(
        here.store, here.person, "case_form", study.dataset, send=send, anew=True
    )
    left, right = st.columns([8, 5], gap="large")
    with left, st.container(key="case_form"):
        fields = [_field(title, name, names) for title, names in _GROUPS for name in names]
        draw_form_sheet_in_fragment(sheet, fields, submit="Add the case")
    with right, st.container(key="case_check"):
        _checked(here, study, _texts(sheet.body))
        with st.popover("Clear the form"):
            st.button(
                "Clear all fields", key="written.clear", on_click=sheet.discard_entries_of_person
            )
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
        found["hint"] = written_case_form_check_and_storing.LINES
    return found


def _checked(here: Here, study: Study, fields: dict[str, str]) -> None:
    st.markdown("### Check")
    checked = written_case_form_check_and_storing.make_lint_report_of_written_case(
        here.store, study.dataset, fields
    )
    if checked.missing:
        st.caption(
            "Still needed: "
            + ", ".join(escape_to_one_line(title) for title in checked.missing)
            + "."
        )
    for fault in checked.faults:
        st.markdown(f":material/error: {escape_to_one_line(fault)}")
    for finding in checked.findings:
        quote = f" “{escape_to_one_line(finding.quote)}”" if finding.quote else ""
        st.markdown(f":material/rule: {escape_to_one_line(finding.fault_in_words)}{quote}")
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
                transcript_and_case_view.draw_whole_case(checked.case, key="written")
                st.code(
                    json.dumps(checked.case.content, indent=2, ensure_ascii=False),
                    language="json",
                    wrap_lines=True,
                )


_ANY = ""
_CLEAN = "clean"
_SHOWN = 500
_WIDTHS = {"patient": 150, "check": 150}


def draw_case_list_or_case(here: Here, study: Study) -> None:
    """The list with its filter; beside it the case that the address names, or a new one's form."""
    st.html(STYLE + CASE_STYLE)
    if st.query_params.get("case") == NEW:
        draw_case_form(here, study)
        return
    found = queries.load_cases_by_name(here.store, study.dataset)
    counts = Counter(code for one in found.values() for code in {f.code for f in one.findings})
    clean = sum(not one.findings for one in found.values())
    options = {_ANY: f"All · {len(found)}"}
    options |= {code: f"{name} · {counts[code]}" for code, name in CODES.items() if counts[code]}
    options[_CLEAN] = f"Nothing found · {clean}"
    asked = st.query_params.get("lint", _ANY)
    key = "cases.lint"
    st.session_state[key] = asked if asked in options else _ANY
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "What the check found",
            list(options),
            key=key,
            format_func=options.__getitem__,
            on_change=lambda: set_values_in_address(lint=str(st.session_state[key])),
            width=420,
        )
        st.button(
            "Write a case",
            key="cases.write",
            icon=":material/edit_note:",
            on_click=set_values_in_address,
            kwargs={"case": NEW},
        )
    chosen = [one for one in found.values() if _meets(one, str(st.session_state[key]))]
    played = queries.dialogue_index_table(here.store, study.dataset)["case"].value_counts()
    left, right = st.columns([7, 6], gap="large")
    with left:
        _list(chosen, played)
    with right:
        one = found.get(st.query_params.get("case", ""))
        if one is None:
            st.caption("Press a case to read it.")
        else:
            _case(here, one, int(played.get(one.name, 0)))


def _meets(one: ListedCase, code: str) -> bool:
    if code == _ANY:
        return True
    if code == _CLEAN:
        return not one.findings
    return any(finding.code == code for finding in one.findings)


def _list(chosen: list[ListedCase], played: pd.Series) -> None:
    table = pd.DataFrame(
        [
            {
                "diagnosis": one.case.diagnosis,
                "patient": one.case.demographics_in_words,
                "form": one.case.form.upper(),
                "dialogues": int(played.get(one.name, 0)),
                "check": "; ".join(dict.fromkeys(CODES[f.code] for f in one.findings)),
                "case": one.name,
            }
            for one in chosen
        ]
    )
    if table.empty:
        st.caption("No case.")
        return
    more = f" The first {_SHOWN} are shown; the CSV has all." if len(table) > _SHOWN else ""
    st.caption(f"{len(table):,} cases.{more}")
    shown = table.head(_SHOWN)
    draw_clickable_table(
        shown,
        "cases.list",
        marks=tuple(shown["case"]),
        alt="Cases; click a row to open it",
        on_mark=lambda name: set_values_in_address(case=name),
        # Left to itself, what the check found is cut after two words.
        columns={name: st.column_config.TextColumn(width=wide) for name, wide in _WIDTHS.items()},
        height=min(38 + 35 * len(shown), 620),
    )
    draw_csv_button(table, "cases")


def _case(here: Here, one: ListedCase, dialogues: int) -> None:
    st.markdown(f"### {escape_to_one_line(one.case.diagnosis)}")
    also = (
        f"; also known as {', '.join(escape_to_one_line(name) for name in one.aliases)}"
        if one.aliases
        else ""
    )
    st.caption(f"{escape_to_one_line(one.name)}{also}")
    for finding in one.findings:
        where = " › ".join(str(step) for step in finding.path if step != "OSCE_Examination")
        place = f" In {escape_to_one_line(where.replace('_', ' '))}." if where else ""
        quote = f" “{escape_to_one_line(finding.quote)}”" if finding.quote else ""
        st.markdown(f":material/rule: {escape_to_one_line(finding.fault_in_words)}{place}{quote}")
    st.button(
        f"{dialogues} dialogues",
        key="cases.dialogues",
        disabled=not dialogues,
        icon=":material/forum:",
        on_click=set_values_in_address,
        kwargs={"view": DIALOGUES, "dialogue": ""},
    )
    transcript_and_case_view.draw_whole_case(one.case, key="cases")
    folder = here.settings.of(AgentClinicSettings).images_folder
    for image in one.case.images:
        if case_images.is_web_address(image) and case_images.find_image_copy(image, folder) is None:
            st.caption(
                "To show and send a copy of this image, put it into the images folder"
                " (images_folder in medlens.toml) as "
                f"{escape_to_one_line(case_images.file_stem_of_image_copy(image))}.png or .jpg."
            )
    opened = st.expander("As published", key="cases.raw", on_change="rerun")
    if opened.open:
        opened.code(
            json.dumps(one.case.content, indent=2, ensure_ascii=False),
            language="json",
            wrap_lines=True,
        )
