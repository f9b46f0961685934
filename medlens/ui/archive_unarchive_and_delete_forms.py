"""Leads archive a dataset, round or run where they see it; one list has all that is archived."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from medlens.app import archive_and_unarchive, deletion_of_archived_data_and_demo
from medlens.errors import MedLensError
from medlens.review import archiving_of_datasets_rounds_and_runs
from medlens.review.archiving_of_datasets_rounds_and_runs import Archiving, Thing
from medlens.ui.answer_form import FieldData
from medlens.ui.confirm_by_name import draw_name_to_type_and_return_typed
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here, escape_to_one_line, show_error
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone

_DONE, _FAILED = "archiving.done", "archiving.failed"
_BACK = "archiving.back"
_DELETED, _SEEN = "deleting.done", "deleting.seen"
_WORDS = {
    "dataset": "It disappears from menus, Home and Team, and nobody is given any of its items "
    "any more. Everything"
    " is kept, and you can bring it back at any time (Data, Import, Archived).",
    "round": "Nobody is given any item of this task on this dataset, and Home and Team do not list"
    " it. Completion codes already given stay valid. You can bring it back at any time (Data,"
    " Import, Archived).",
    "run": "It disappears from the list of runs. What it made stays. You can bring it back at "
    "any time"
    " (Data, Import, Archived).",
}


def draw_archive_form(here: Here, thing: Thing, title: str) -> None:
    """A folded form, called ``title``, that archives a thing; once it is archived, when and why."""
    standing = archiving_of_datasets_rounds_and_runs.archiving_of_thing(here.store, thing)
    if standing:
        draw_when_and_why_thing_was_archived(standing)
        return
    opened = st.expander(
        title, icon=":material/archive:", key=f"archive.{_key(thing)}", on_change="rerun"
    )
    if opened.open:
        with opened:
            draw_archive_form_with_reason(here, [thing])


def draw_archive_form_with_reason(here: Here, things: Sequence[Thing]) -> None:
    """The form that archives these things for a reason."""
    st.caption(_WORDS[things[0].kind])

    def send(entered: Entries) -> None:
        st.session_state[_DONE] = (
            archive_and_unarchive.archive_or_bring_back_and_return_report_text(
                here.store,
                here.settings,
                things,
                reason=entered.get("reason") or "",
                by=here.person,
            )
        )

    fields: list[FieldData] = [
        {"id": "reason", "kind": "text", "label": "Why (required)", "lines": 2, "longest": 2000}
    ]
    sheet = form_sheet_of_session(
        here.store, here.person, "archiving", _key(things[0]), send=send, anew=True
    )
    draw_form_sheet(sheet, fields, submit="Archive it" if len(things) == 1 else "Archive them")


def draw_when_and_why_thing_was_archived(standing: Archiving) -> None:
    """When and by whom something was archived, and why."""
    by, why = escape_to_one_line(standing.by), escape_to_one_line(standing.reason)
    st.info(
        f"Archived on {to_browser_time_zone(standing.at):%-d %B %Y} by {by}: {why}",
        icon=":material/archive:",
    )


def draw_outcome_of_last_archiving() -> None:
    """What was archived or brought back a moment ago, once."""
    if done := st.session_state.pop(_DONE, ""):
        st.success(escape_to_one_line(done), icon=":material/check:")
    if error := st.session_state.pop(_FAILED, None):
        show_error(error)


def draw_archived_things_to_unarchive(here: Here) -> None:
    """Everything that is archived, to bring it back from; nothing is drawn if there is nothing."""
    draw_outcome_of_last_archiving()
    for line in st.session_state.pop(_DELETED, ()):
        st.markdown(escape_to_one_line(line))
    there = archiving_of_datasets_rounds_and_runs.archivings_by_thing(here.store)
    if not there:
        return
    opened = st.expander(
        f"Archived ({len(there):,})",
        icon=":material/archive:",
        key="data.archived",
        on_change="rerun",
    )
    if not opened.open:
        return
    with opened:
        by_key = {_key(thing): thing for thing in there}
        names = {
            key: archive_and_unarchive.name_of_thing(here.store, here.settings, thing)
            for key, thing in by_key.items()
        }
        chosen = st.selectbox(
            "What",
            list(by_key),
            index=None,
            format_func=lambda key: names[key][0].upper() + names[key][1:],
            key="archived.thing",
            placeholder="choose one to see why, or to bring it back",
            width=520,
        )
        if not chosen:
            return
        thing = by_key[chosen]
        draw_when_and_why_thing_was_archived(there[thing])
        draw_bring_back_button(here, thing)
        if not archive_and_unarchive.is_round_of_whole_study(thing):
            _draw_deletion(here, thing)


def draw_bring_back_button(here: Here, thing: Thing) -> None:
    """The button that brings an archived thing back; the page that is drawn next says so."""
    st.button(
        "Bring it back",
        icon=":material/unarchive:",
        key="archived.back",
        on_click=_bring_back,
        args=(here, thing),
    )


def draw_what_was_brought_back_once() -> None:
    """On the page of a thing that is in use: that it was brought back a moment ago."""
    if st.session_state.pop(_BACK, False):
        draw_outcome_of_last_archiving()


def _bring_back(here: Here, thing: Thing) -> None:
    try:
        st.session_state[_BACK] = True
        st.session_state[_DONE] = (
            archive_and_unarchive.archive_or_bring_back_and_return_report_text(
                *(here.store, here.settings, [thing]), reason="", by=here.person, back=True
            )
        )
    except MedLensError as error:
        st.session_state[_FAILED] = error


def _key(thing: Thing) -> str:
    return "|".join((thing.kind, thing.study, thing.dataset, thing.name))


def _draw_deletion(here: Here, thing: Thing) -> None:
    """First what would go; then the name to type, and the button."""
    key = _key(thing)
    if st.button("Show what would be deleted for good", key=f"deleting.preview.{key}"):
        st.session_state[_SEEN] = key
    if st.session_state.get(_SEEN) != key:
        return
    with here.show_errors_within():
        for line in deletion_of_archived_data_and_demo.list_deletion_effects_in_words(
            here.store, here.settings, thing, viewer=here.person
        ):
            st.markdown(escape_to_one_line(line))
        name = deletion_of_archived_data_and_demo.name_that_confirms_deletion(
            here.store, here.settings, thing
        )
        typed = draw_name_to_type_and_return_typed(name, key=f"deleting.typed.{key}")
        if st.button("Delete for good", type="primary", key=f"deleting.delete.{key}"):
            st.session_state[_DELETED] = (
                deletion_of_archived_data_and_demo.delete_archived_thing_and_list_report_lines(
                    here.store, here.settings, thing, confirmed=typed, by=here.person
                )
            )
            st.session_state.pop(_SEEN)
            st.rerun()
