"""Leads give a study, dataset, round or run another name where they see it."""

from __future__ import annotations

import streamlit as st

from medlens.app import archive_and_unarchive, rename_studies_and_data
from medlens.review import renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.ui.answer_form import FieldData
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_to_one_line

_DONE = "renaming.done"
_LEADS = (
    "Links, files and commands with an earlier name still lead here, so nothing else in this study"
    " can take that name."
)
_WORDS = {
    "dataset": f"Pages, addresses, reports and exports have the new name from then on. {_LEADS}",
    "round": "Team, Home and the address of this round have its name instead of the task's."
    f" {_LEADS}",
    "run": f"Lists and the address of its page have its name instead of its number. {_LEADS}",
}


def draw_rename_form(here: Here, thing: Thing, label: str = "Rename it") -> None:
    """A folded form, called ``label``, that gives a thing another name, and a study of one's own a
    title.
    """
    if done := st.session_state.pop(_DONE, ""):
        st.success(escape_to_one_line(done), icon=":material/check:")
    key = "|".join((thing.kind, thing.study, thing.dataset, thing.name))
    opened = st.expander(label, icon=":material/edit:", key=f"rename.{key}", on_change="rerun")
    if not opened.open:
        return
    is_study = archive_and_unarchive.is_dataset_called_study(thing)
    called = renaming_and_name_translation.find_name_given_to_thing(here.store, thing)
    first = "" if thing.kind == "run" else _first_name(here, thing)
    given: dict[str, str | None] = {"called": called or first}
    fields: list[FieldData] = [
        {
            "id": "called",
            "kind": "text",
            "label": "Address" if is_study else "Name",
            "lines": 1,
            "longest": renaming_and_name_translation.LONGEST,
        }
    ]
    if is_study:
        given["title"] = archive_and_unarchive.title_of_own_study(here.store, thing.dataset)
        fields.insert(
            0, {"id": "title", "kind": "text", "label": "Title", "lines": 1, "longest": 120}
        )

    def send(entered: Entries) -> None:
        st.session_state[_DONE] = rename_studies_and_data.rename_with_title_and_return_report_text(
            here.store,
            here.settings,
            thing,
            called=str(entered.get("called") or ""),
            title=str(entered.get("title") or ""),
            by=here.person,
        )

    with opened:
        st.caption(_WORDS[thing.kind])
        sheet = form_sheet_of_session(
            here.store, here.person, "renaming", key, send=send, given=given, anew=True
        )
        draw_form_sheet(sheet, fields, submit="Rename")


def _first_name(here: Here, thing: Thing) -> str:
    if thing.kind == "round":
        return archive_and_unarchive.task_title_of_round(here.store, here.settings, thing)
    return thing.dataset
