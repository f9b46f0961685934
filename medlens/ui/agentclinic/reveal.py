"""Who played a dialogue and how it ended: for leads, and for raters who have submitted."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from medlens.studies.agentclinic import queries
from medlens.studies.agentclinic.models import Dialogue
from medlens.ui import Here
from medlens.ui.desk import Desk
from medlens.ui.frame import escape


def draw_reveal(here: Here, desk: Desk) -> None:
    """Who played and how it ended, for raters who have submitted; on request, and recorded."""
    item, task = desk.item, desk.task.name
    if item is None or desk.place is None or desk.place.state != "submitted":
        return
    if item not in queries.finished(here.store, here.person.id, [item]):
        st.caption(
            "Submitted. Who played is shown once your other task on this dialogue is done too."
        )
        return
    key = f"{task}.revealed.{item}"
    if not st.session_state.get(key):
        st.button(
            "Show who played and how it ended",
            key=f"{task}.reveal.{item}",
            icon=":material/visibility:",
            on_click=lambda: st.session_state.update({key: True}),
            help="Anything you change after that counts as not blind.",
        )
        return
    whole = queries.dialogue_for(here.store, item, here.person).whole
    if whole is not None:
        with st.container(border=True, key="reveal"):
            st.markdown(facts(whole))
            st.caption("Anything you change from now on counts as not blind.")


Fact = tuple[str, bool]
"""A piece of plain text, and whether it is strong."""


def facts(one: Dialogue) -> str:
    """Who played, under which rules, and how it ended: one paragraph of Markdown."""
    return "".join(
        f"**{escape(text)}**" if strong and text else escape(text) for text, strong in pieces(one)
    )


def pieces(one: Dialogue) -> list[Fact]:
    """As ``facts``, in plain text on one line."""
    found: list[Fact] = [("Doctor ", False), (_player(one.doctor, one.doctor_player), True)]
    found += [(f"{_bias(one.doctor_bias)}, patient ", False)]
    found += [(_player(one.patient, one.patient_player), True), (_bias(one.patient_bias), False)]
    if one.moderator:
        found += [(", moderator ", False), (one.moderator, True)]
    rules = f"{one.interactions_used} of {one.n_interactions} messages, images {one.image_mode}"
    if one.protocol != "medlens":
        rules += f", {one.protocol} protocol"
    found += [(f"; {rules}. Ended ", False), (one.outcome.replace("_", " "), True)]
    diagnosis = one.diagnosis.strip() or "none"
    # In pieces, so that text that changes direction does not turn our own signs.
    found += [(", diagnosis given: ", False), (diagnosis, False)]
    if one.reason:
        found += [(" (", False), (one.reason.rstrip(". "), False), (")", False)]
    found += [(".", False)]
    return [(re.sub(r"\s+", " ", text), strong) for text, strong in found]


def _player(name: str, player: str) -> str:
    return name if player == "model" else f"{name or 'person'} (person)"


def _bias(bias: Any) -> str:
    if bias is None:
        return ""
    target = f" about {bias.target}" if bias.target else ""
    return f" (bias {bias.id.replace('_', ' ')}{target})"
