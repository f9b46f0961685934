"""Leads erase a person or an item's texts: what would change, a name to type, and no way back."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import streamlit as st

from medlens.app import erasure
from medlens.app.erasure import Preview
from medlens.review import raters
from medlens.review.item_text_erasure import MOST_FOUND, NamedItem, find_item_with_id
from medlens.ui.confirm_by_name import draw_name_to_type_and_return_typed
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here, escape_to_one_line

_DONE = "erasing.done"
_FOUND = "found"
_OF_TEXTS = (
    "For what should never have been there, such as a patient's name. x takes the place of each"
    " letter, everywhere and for good; labels and figures stay."
)


def draw_choice_of_person_to_erase(here: Here) -> None:
    """The choice of a person to erase, of all whom the store knows."""
    people = {one.id: one for one in raters.list_raters(here.store) if one.kind == "person"}
    with st.expander("Erase a person", icon=":material/person_remove:"):
        _draw_done("person")
        rater = st.selectbox(
            "Person",
            list(people),
            index=None,
            format_func=lambda one: f"{people[one].name} ({people[one].handle})",
            placeholder="choose whom to erase",
            key="erasing.person",
            width=420,
        )
        if rater:
            _draw_person(here, rater)


def draw_person_erasure_form(here: Here, rater: str) -> None:
    """The way to erase this person."""
    with st.expander("Erase this person", icon=":material/person_remove:"):
        _draw_person(here, rater)


def _draw_person(here: Here, rater: str) -> None:
    person = raters.find_rater(here.store, rater)
    if person is None:
        return
    st.caption(
        "A number takes the place of their name, address and handle, everywhere and for good."
        " Give them what is kept about them first."
    )
    draw_export_button(
        "Everything about this person",
        lambda: _everything_about(here, person),
        about="everything about a person",
        key=f"erasing.about.{rater}",
        file_name="about.zip",
        mime="application/zip",
    )
    named = st.text_input(
        "Other names people use for them in comments, separated by commas",
        key=f"erasing.also.{rater}",
        width=420,
    )
    also = [name.strip() for name in named.split(",") if name.strip()]
    with_work = st.checkbox("Their judgments go too: figures change", key=f"erasing.work.{rater}")
    store, settings, viewer = here.store, here.settings, here.person

    def preview() -> Preview:
        return erasure.preview_person_erasure(
            store, settings, person, also=also, with_work=with_work, viewer=viewer
        )

    def erase(confirmed: str) -> Sequence[str]:
        return erasure.erase_person_and_list_what_was_done(
            *(store, settings, person),
            confirmed=confirmed,
            also=also,
            with_work=with_work,
            viewer=viewer,
        )

    _draw_steps(here, f"person.{rater}", person.name, preview, erase, tell_at="person")


def _everything_about(here: Here, person: raters.Rater) -> bytes:
    with tempfile.TemporaryDirectory(prefix="medlens-") as folder:
        target = Path(folder) / "about.zip"
        erasure.write_zip_about_person_and_return_report_text(
            here.store, person, target, viewer=here.person
        )
        return target.read_bytes()


def draw_item_texts_erasure_form(here: Here, item: str) -> None:
    """The way to erase the texts of the item with this id."""
    draw_named_item_erasure_form(here, find_item_with_id(here.store, item))


def draw_named_item_erasure_form(here: Here, named: NamedItem) -> None:
    """The way to erase the texts of an item, or of what else of a study has texts."""
    with st.expander("Erase this item's texts", icon=":material/ink_eraser:"):
        _draw_done(f"text.{named.id}")
        st.caption(_OF_TEXTS)
        _draw_text_steps(here, named)


def draw_search_for_text_to_erase(here: Here, study: str, dataset: str) -> None:
    """The way to find a text of a dataset by words that stand in it, and to erase it: an item, or
    what is none, such as a statement or a page.
    """
    with st.expander("Erase a text", icon=":material/ink_eraser:"):
        _draw_done(_FOUND)
        st.caption(_OF_TEXTS)
        words = st.text_input(
            "Words from it, or its name", key=f"erasing.words.{study}.{dataset}", width=420
        )
        if not words.strip():
            return
        with here.show_errors_within():
            texts = erasure.find_erasable_items_with_words(
                here.store, study, words, viewer=here.person, dataset=dataset
            )
            if not texts:
                st.caption("No text here has these words.")
                return
            most = " or more" if len(texts) >= MOST_FOUND else ""
            found = {one.id: one for one in texts}
            chosen = st.selectbox(
                f"Text ({len(found):,}{most} found)",
                list(found),
                index=None,
                format_func=lambda id: found[id].name,
                placeholder="choose what to erase",
                key=f"erasing.found.{study}.{dataset}",
                width=560,
            )
            if chosen:
                _draw_text_steps(here, found[chosen], tell_at=_FOUND)


def _draw_text_steps(here: Here, named: NamedItem, *, tell_at: str = "") -> None:
    store, settings, viewer = here.store, here.settings, here.person
    _draw_steps(
        here,
        f"text.{named.id}",
        named.name,
        lambda: erasure.preview_text_erasure(store, settings, named, viewer=viewer),
        lambda confirmed: erasure.erase_item_texts_and_list_what_was_done(
            store, settings, named, confirmed=confirmed, viewer=viewer
        ),
        tell_at=tell_at or f"text.{named.id}",
    )


def _draw_steps(
    here: Here,
    key: str,
    name: str,
    preview: Callable[[], Preview],
    erase: Callable[[str], Sequence[str]],
    *,
    tell_at: str,
) -> None:
    """First what would change; then the name to type, and the button. ``tell_at`` is where what was
    done is said, once the page has been drawn anew.
    """
    seen = f"erasing.seen.{key}"
    if st.button("Show what would change", key=f"erasing.preview.{key}"):
        st.session_state[seen] = True
    if not st.session_state.get(seen):
        return
    with here.show_errors_within():
        told = preview()
        _draw_lines((*told.changes, *told.leaves))
        typed = draw_name_to_type_and_return_typed(name, key=f"erasing.typed.{key}")
        if st.button("Erase for good", type="primary", key=f"erasing.erase.{key}"):
            done = erase(typed)
            st.session_state.pop(seen)
            st.session_state[_DONE] = (tell_at, done)
            st.rerun()


def _draw_done(what: str) -> None:
    """What was done a moment ago, once."""
    key, lines = st.session_state.get(_DONE, ("", ()))
    if key == what:
        st.session_state.pop(_DONE)
        _draw_lines(lines)


def _draw_lines(lines: Sequence[str]) -> None:
    for line in lines:
        st.markdown(escape_to_one_line(line))
