"""Two dialogues of one case side by side: model against model, bias against none."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.alignment import aligned, pieces
from medlens.studies.agentclinic.elicited import Elicited, elicited
from medlens.studies.agentclinic.models import Case, Dialogue, Turn
from medlens.studies.agentclinic.study import Study
from medlens.ui import Here
from medlens.ui.address import go
from medlens.ui.agentclinic import read, reveal, transcript
from medlens.ui.agentclinic.transcript import CASE_STYLE
from medlens.ui.charts import csv_button
from medlens.ui.frame import escape, words

_FIELDS = (
    "doctor",
    "patient",
    "doctor_bias",
    "patient_bias",
    "n_interactions",
    "image_mode",
    "repeat",
)


def draw(here: Here, study: Study, first: str, second: str) -> bool:
    """Draw two dialogues; False if one of them does not exist, or their cases differ."""
    items = [read.find(here, study, name) for name in (first, second)]
    if None in items:
        go(beside="")
        return False
    st.html(CASE_STYLE)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "One dialogue",
            icon=":material/arrow_back:",
            key="compare.close",
            shortcut="Escape",
            on_click=go,
            kwargs={"beside": ""},
        )
        st.button(
            "Swap",
            icon=":material/swap_horiz:",
            key="compare.swap",
            on_click=_swap,
            args=(first, second),
        )
    for item in items:
        if item is not None and not read.may_be_seen(here, study, item):
            read.ask_first(item)
            return True
    found = [queries.dialogue_for(here.store, item, here.person).whole for item in items if item]
    both = [one for one in found if one is not None]
    if len(both) < 2 or both[0].case != both[1].case:
        st.info("These two dialogues are about different cases.", icon=":material/info:")
        return True
    case = read.case_of(here, study, both[0])
    outs = [elicited(case, one) for one in both]
    st.markdown(f"**Correct diagnosis** {words(case.diagnosis)}. {_differing(both)}")
    for place, name, one, out in zip(
        st.columns(2, gap="medium"), (first, second), both, outs, strict=True
    ):
        with place:
            st.markdown(f"**{escape(name)}** {reveal.facts(one)}")
            told = f"told {out.count('told')} of {len(out.leaves)}" if out.leaves else ""
            st.caption(f"{len(one.turns)} turns, {one.tests_requested} tests ordered, {told}")
    st.caption(
        "Turns about the same thing are shown side by side; what only one of them says is marked."
    )
    notes = [read.notes(out) for out in outs]
    with st.container(key="compare.turns"):
        for row in aligned(both[0].turns, both[1].turns):
            left, right = st.columns(2, gap="medium")
            with left:
                _turn(row.left, row.right, row.alike, notes[0])
            with right:
                _turn(row.right, row.left, row.alike, notes[1])
    _told(case, outs)
    return True


def _turn(turn: Turn | None, other: Turn | None, alike: float, notes: transcript.Notes) -> None:
    """One turn with the words only it has marked; none if the turns are about different things."""
    if turn is None:
        st.caption("–")
        return
    said = "only here" if other is None else "" if alike else "something else"
    st.caption(" · ".join(part for part in (transcript.head(turn), said) if part))
    if other is None or not alike:
        st.text(turn.text, width="stretch")
    else:
        marked = (
            f":orange-background[{escape(one.text)}]" if one.own else escape(one.text)
            for one in pieces(" ".join(turn.text.split()), " ".join(other.text.split()))
        )
        st.markdown("".join(marked))
    for number, image in enumerate(turn.images, 1):
        transcript.draw_image(image, number)
    for note in notes.get(turn.n, ()):
        st.caption(words(" ".join(part for part in (note.text, note.strong, note.rest) if part)))


def _swap(first: str, second: str) -> None:
    go(dialogue=second, beside=first)


def _differing(both: list[Dialogue]) -> str:
    names = [
        name.replace("_", " ")
        for name in _FIELDS
        if getattr(both[0], name) != getattr(both[1], name)
    ]
    return f"They differ in: {', '.join(names)}." if names else "Played under the same rules."


def _told(case: Case, outs: list[Elicited]) -> None:
    opened = st.expander("What each one elicited", key="compare.told", on_change="rerun")
    if not opened.open:
        return
    table = pd.DataFrame(
        [
            {
                "case": a.leaf.place,
                "text": a.leaf.text,
                "left": _state(a.state, a.turn),
                "right": _state(b.state, b.turn),
            }
            for a, b in zip(outs[0].leaves, outs[1].leaves, strict=True)
        ]
    )
    with opened:
        st.dataframe(table, hide_index=True, alt=f"What each dialogue told of {case.name}")
        csv_button(table, "told")


def _state(state: str, turn: int | None) -> str:
    return {"missed": "never asked"}.get(state, state) + (f", turn {turn}" if turn else "")
