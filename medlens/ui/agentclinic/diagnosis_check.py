"""Checking the moderator: are these two diagnoses the same disease? Nothing else is shown."""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from medlens.studies.agentclinic import diagnosis_verdicts, queries, tasks
from medlens.studies.agentclinic.records import Dialogue, verdict_reason_in_words
from medlens.studies.agentclinic.study_in_dataset import Study
from medlens.studies.agentclinic.tasks import CheckedDiagnosis
from medlens.ui import Here, desk_view
from medlens.ui.agentclinic import visit_start_and_existing_visits
from medlens.ui.answer_form import FieldData, draw_answer_form
from medlens.ui.desk import Desk
from medlens.ui.desk_bar import BAR_STYLE
from medlens.ui.keyboard_help import draw_button_for_list_of_keys
from medlens.ui.page_frame import escape_markdown
from medlens.ui.styles import read_style_sheet


def draw_who_played_on_request(here: Here, desk: Desk) -> None:
    """Who played and how it ended, for raters who have submitted; on request, and recorded."""
    item, task = desk.item, desk.task.name
    if (
        item is None
        or desk.queue_entry_of_current_item is None
        or desk.queue_entry_of_current_item.state != "submitted"
    ):
        return
    if item not in queries.filter_ids_of_items_rater_finished(here.store, here.person.id, [item]):
        st.caption(
            "Submitted. The models and the outcome can be shown once your other task on this"
            " dialogue is done too."
        )
        return
    key = f"{task}.revealed.{desk.handle_of_current_item}"
    if not st.session_state.get(key):
        st.button(
            "Show the models and the outcome",
            key=f"{task}.reveal.{desk.handle_of_current_item}",
            icon=":material/visibility:",
            on_click=lambda: st.session_state.update({key: True}),
            help="Anything you change after that is marked as made after looking.",
        )
        return
    whole = queries.reveal_dialogue_to_viewer(here.store, item, here.person).whole
    if whole is not None:
        with st.container(border=True, key="reveal"):
            st.markdown(dialogue_facts_in_markdown(whole))
            st.caption("Anything you change from now on is marked as made after looking.")


Fact = tuple[str, bool]
"""A piece of plain text, and whether it is strong."""


def dialogue_facts_in_markdown(one: Dialogue) -> str:
    """Who played, under which rules, and how it ended: one paragraph of Markdown."""
    return "".join(
        f"**{escape_markdown(text)}**" if strong and text else escape_markdown(text)
        for text, strong in list_dialogue_facts_with_emphasis(one)
    )


def list_dialogue_facts_with_emphasis(one: Dialogue) -> list[Fact]:
    """As ``facts``, in plain text on one line."""
    found: list[Fact] = [("Doctor: ", False), (_player(one.doctor, one.doctor_player), True)]
    found += [(f"{_bias(one.doctor_bias)}; patient: ", False)]
    found += [(_player(one.patient, one.patient_player), True), (_bias(one.patient_bias), False)]
    if one.moderator:
        found += [("; moderator: ", False), (one.moderator, True)]
    rules = f"{one.doctor_message_count} of {one.n_interactions} messages, images {one.image_mode}"
    if one.protocol != "medlens":
        rules += f", {one.protocol} protocol"
    found += [
        (f". {rules[0].upper()}{rules[1:]}. Outcome: ", False),
        (one.outcome.replace("_", " "), True),
    ]
    diagnosis = one.diagnosis.strip() or "none"
    # In pieces, so that text that changes direction does not turn our own signs.
    found += [("; diagnosis given: ", False), (diagnosis, False)]
    if one.reason:
        found += [
            (" (", False),
            (verdict_reason_in_words(one.reason).rstrip(". "), False),
            (")", False),
        ]
    found += [(".", False)]
    return [(re.sub(r"\s+", " ", text), strong) for text, strong in found]


def _player(name: str, player: str) -> str:
    return name if player == "model" else f"{name or 'person'} (person)"


def _bias(bias: Any) -> str:
    if bias is None:
        return ""
    target = f" about {bias.target}" if bias.target else ""
    return f" (bias {bias.id.replace('_', ' ')}{target})"


_ANSWERS = {"yes": "Yes, the same", "no": "No, a different one", "cannot_tell": "Cannot tell"}
_FIELDS: list[FieldData] = [
    {
        "id": "same",
        "kind": "choice",
        "label": "Is this the same disease?",
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
        "needed_when": ("same", "cannot_tell"),
    },
]
_HELP = (
    ("1", "the same disease"),
    ("2", "a different one"),
    ("3", "cannot tell"),
    ("Enter", "submit"),
    ("Ctrl+Enter", "submit, from a text field too"),
    ("J K", "next, previous diagnosis"),
    ("S", "skip"),
    ("F", "flag, with a reason"),
    ("?", "this list"),
)
_STYLE = read_style_sheet("agentclinic_check")


def draw_diagnosis_check_desk(here: Here, study: Study) -> None:
    """The next diagnosis of the reviewer's queue, or the end."""

    def lay_out(item: str) -> CheckedDiagnosis:
        one = queries.load_dialogue(here.store, item)
        case = queries.load_case(
            here.store, queries.item_id_made_from_name(study.dataset, one.case)
        )
        return tasks.make_diagnosis_pair_to_check(one, case)

    desk = desk_view.open_desk(here, study.match, study.dataset, lay_out)
    if desk.item is None:
        desk_view.draw_end(here, desk, done="checked", things="diagnoses")
        return
    st.html(BAR_STYLE + _STYLE)
    content, status = desk_view.draw_desk_bar_and_return_content_and_status(desk, thing="diagnosis")
    with content:
        if visit_start_and_existing_visits.warn_and_say_if_viewer_must_not_see_item(
            here, study, desk.item
        ):
            return
        with st.container(key="check"):
            with desk_view.container_for_content_of_some_items():
                draw_who_played_on_request(here, desk)
            left, right = st.columns(2, gap="medium")
            for place, name, text in (
                (left, "Given by the doctor", desk.laid.given),
                (right, "Correct diagnosis", desk.laid.correct),
            ):
                with place, st.container(border=True, key=f"diagnosis-{name[:5]}"):
                    st.caption(name)
                    st.text(text, width="stretch")
            visits = diagnosis_verdicts.count_visits_settled_by_answer(
                here.store,
                study.dataset,
                desk.queue_entry_of_current_item.name if desk.queue_entry_of_current_item else "",
            )
            with desk_view.container_for_content_of_some_items():
                if visits > 1:
                    st.caption(
                        f"These two occur in {visits:,} visits; your answer applies to all of them."
                    )
            _answer(desk, status)


@st.fragment
def _answer(desk: Desk, status: Any) -> None:
    if desk.item is None:
        st.rerun()
    draw_answer_form(desk, _FIELDS, alone=True)
    draw_button_for_list_of_keys(_HELP, key="check.help")
    desk_view.finish_fragment(desk, status)
