"""The cases with the check's findings, filtered by them, and one whole case."""

from __future__ import annotations

import json
from collections import Counter

import pandas as pd
import streamlit as st

from medlens.studies.agentclinic import images, queries
from medlens.studies.agentclinic.declared import DIALOGUES
from medlens.studies.agentclinic.lint import CODES
from medlens.studies.agentclinic.queries import ListedCase
from medlens.studies.agentclinic.study import AgentClinicSettings, Study
from medlens.ui import Here
from medlens.ui.address import go
from medlens.ui.agentclinic import case_form, transcript
from medlens.ui.agentclinic.transcript import CASE_STYLE
from medlens.ui.charts import STYLE, csv_button, draw_table
from medlens.ui.frame import words

_ANY = ""
_CLEAN = "clean"
_SHOWN = 500


def draw(here: Here, study: Study) -> None:
    """The list with its filter; beside it the case that the address names, or a new one's form."""
    st.html(STYLE + CASE_STYLE)
    if st.query_params.get("case") == case_form.NEW:
        case_form.draw(here, study)
        return
    found = queries.cases(here.store, study.dataset)
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
            on_change=lambda: go(lint=str(st.session_state[key])),
            width=420,
        )
        st.button(
            "Write a case",
            key="cases.write",
            icon=":material/edit_note:",
            on_click=go,
            kwargs={"case": case_form.NEW},
        )
    chosen = [one for one in found.values() if _meets(one, str(st.session_state[key]))]
    played = queries.index(here.store, study.dataset)["case"].value_counts()
    left, right = st.columns([7, 6], gap="large")
    with left:
        _list(chosen, played)
    with right:
        one = found.get(st.query_params.get("case", ""))
        if one is None:
            st.caption("Click a case to read it.")
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
                "patient": one.case.demographics,
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
    draw_table(
        shown,
        "cases.list",
        marks=tuple(shown["case"]),
        alt="Cases; click a row to open it",
        on_mark=lambda name: go(case=name),
        height=min(38 + 35 * len(shown), 620),
    )
    csv_button(table, "cases")


def _case(here: Here, one: ListedCase, dialogues: int) -> None:
    st.markdown(f"##### {words(one.case.diagnosis)}")
    also = (
        f"; also known as {', '.join(words(name) for name in one.aliases)}" if one.aliases else ""
    )
    st.caption(f"{words(one.name)}{also}")
    for finding in one.findings:
        where = " › ".join(str(step) for step in finding.path if step != "OSCE_Examination")
        place = f" In {words(where.replace('_', ' '))}." if where else ""
        quote = f" “{words(finding.quote)}”" if finding.quote else ""
        st.markdown(f":material/rule: {words(finding.message)}{place}{quote}")
    st.button(
        f"{dialogues} dialogues",
        key="cases.dialogues",
        disabled=not dialogues,
        icon=":material/forum:",
        on_click=go,
        kwargs={"view": DIALOGUES, "dialogue": ""},
    )
    transcript.draw_case(one.case, key="cases")
    folder = here.settings.of(AgentClinicSettings).images_folder
    for image in one.case.images:
        if images.is_web(image) and images.copy_of(image, folder) is None:
            st.caption(
                "To show and send a copy of this image, put it into the images folder"
                f" (images_folder in medlens.toml) as {words(images.copy_name(image))}.png or .jpg."
            )
    opened = st.expander("As published", key="cases.raw", on_change="rerun")
    if opened.open:
        opened.code(
            json.dumps(one.case.content, indent=2, ensure_ascii=False),
            language="json",
            wrap_lines=True,
        )
