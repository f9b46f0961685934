"""A study made in the browser: from a table, with a preview beside the file (leads)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from difflib import ndiff
from functools import partial
from hashlib import blake2b
from pathlib import Path, PurePath
from tempfile import TemporaryDirectory
from typing import Any, Literal, cast

import pandas as pd
import streamlit as st

from medlens.app import work_behind_commands
from medlens.app.file_intake import reader_client
from medlens.config.toml_edit import set_field_in_toml
from medlens.errors import BadFile, BadRow, Conflict, MedLensError
from medlens.review import rounds, withdrawn_items
from medlens.review.judging import Saved
from medlens.store import new_id
from medlens.studies.own import (
    generate_arm_answers,
    queries,
    study_file,
    study_file_fields,
    unfinished_study_files,
)
from medlens.studies.own import item_and_judgment_import_and_export as own_files
from medlens.studies.own.attached_files import FILES
from medlens.studies.own.blinded_arms import ARMS, MOST, MOST_TOGETHER
from medlens.studies.own.bridge_registry import TOOLS
from medlens.studies.own.find_and_replace_patient_identifiers import KINDS, Place
from medlens.studies.own.item_and_judgment_import_and_export import make_item_preview_from_rows
from medlens.studies.own.missing_cells_totals_and_nested_cells import (
    flatten_nested_cells_of_rows,
    words_for_totals_by_row_number,
)
from medlens.studies.own.model_name_masking import mask_names_in_cells
from medlens.studies.own.study import (
    Study,
    attached_files_of_study,
    declaration_with_stored_id,
    open_study,
)
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    ROLES,
    Guess,
    are_any_columns_shown,
)
from medlens.studies.own.study_file_from_table.columns_giving_right_answers_away import (
    list_hidden_columns_of_correct_answers,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    find_numbers_of_nearly_empty_rows,
    find_spellings_by_arm,
    list_columns_naming_models,
    models_named_in_column_in_words,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    title_from_file,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    left_out_sum_rows_in_words,
    list_column_decisions_in_words,
    list_nested_cells_in_words,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    find_advice_column_of_template,
    make_study_file_text,
    study_file_text_with_model_written_column,
)
from medlens.studies.own.study_proposal import (
    leave_out_nearly_empty_rows_in_words,
    list_patient_identifiers_with_places,
    refuse_data_dictionary,
    require_unique_headings,
    rows_checked_for_identifiers_in_words,
)
from medlens.studies.own.tasks import STUDY
from medlens.studies.own.unfinished_study_files import Draft
from medlens.tables import Source
from medlens.ui import (
    own_marking_desk,
    own_study_file_editor,
    own_study_file_page,
    page_address,
    study_outlook_before_opening,
)
from medlens.ui.answer_form import draw_answer_form_to_try_out
from medlens.ui.browser_component import Component
from medlens.ui.conflict_between_tabs import draw_differences_and_version_choice
from medlens.ui.export_button import draw_export_button
from medlens.ui.own_item_panes_and_questions import (
    STYLE,
    desk_places_in_use,
    draw_panes_of_item,
    questions_as_form_fields,
)
from medlens.ui.own_study_file_editor import STYLE as OUTLINE_STYLE
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.sheet_heading_and_encoding_choice import (
    TablePlace,
    draw_encoding_choice_and_keep_it,
    draw_sheet_and_heading_choice_and_keep_it,
    table_place_chosen_by_person,
)
from medlens.ui.streamlit_internals import UploadedFile
from medlens.ui.styles import read_style_sheet
from medlens.ui.template_gallery import draw_template_gallery
from medlens.ui.times_in_browser_time_zone import format_date_and_time, format_time_of_day
from medlens.ui.untrusted_markdown import draw_untrusted_markdown
from medlens.ui.upload_endpoint import MadeFile, Sent, make_upload_like_file_for_session

_TEXT, _SEEN, _DONE, _BASE = own_study_file_editor.TEXT, "own.table.seen", "own.made", "own.base"
_GOOD, _LAYOUT = "own.good", "own.table.layout"
_UNBLINDED = "own.unblinded"
"""The text of a file that a lead wanted to add although something shown gives a model away."""
_BEGUN = "own.begun"
"""Which press on Continue the step below it is brought into view for."""
_REFUSED = "own.refused"
"""The study, table and text of a file that were refused for some of the table's rows."""
_DECIDED = "own.decided"
"""The study and the table about which a lead has said what becomes of them."""
_JOINED = "own.joined"
"""The uploaded files that were joined, the table that they came to, and what is told of it."""
_STORED, _DRAFTED = "own.stored", "own.drafted"
_GIVEN, _TAKEN = "own.given", "own.given.taken"
"""The table that another page's link brings along, and the id of the last one that was taken."""
_DRAFT, _SAVED, _NEWER = "own.draft.name", "own.draft.saved", "own.draft.newer"
_RESUMED, _TABLED = "own.draft.resumed", "own.draft.table"
_MOST_PLACES, _FEW_PLACES = 200, 6
"""Identifiers that are listed, and from how many on their list scrolls."""
_MOST_DRAFTS, _MOST_LINES, _NAMED = 8, 12, 3
_HEIGHT = 620
_WIDTHS: Mapping[str, Literal["stretch"] | int] = {"Desktop": "stretch", "Phone": 390}
_STYLE = read_style_sheet("own_make")
_STEP = "own_step_below"
_step_in_view = Component("step_in_view", js="step_in_view/step_in_view.js", css="")


def draw_make_study(here: Here, study: Study) -> None:
    """From a table of items, or another tool's project, to an open study, in steps down the
    page.
    """
    st.html(STYLE + OUTLINE_STYLE + _STYLE)
    _take_drafted()
    if _draw_what_was_made(here):
        return
    if _TEXT not in st.session_state:
        _resume(here)
    begun = st.selectbox(
        "Begin with",
        ["", *TOOLS],
        format_func=lambda one: _sentence(TOOLS[one].thing) if one else "A table of items",
        key="own.from",
        width=360,
    )
    if begun:
        _draw_project(here, begun)
        return
    uploads = st.file_uploader(
        "1. Your table: CSV, Excel, JSON lines or Parquet, with a row for each item (or for each"
        " item and model). Several files with the same cases, one for each model, are compared",
        key="own.table",
        accept_multiple_files=True,
    )
    given_table = _take_table() if not uploads else None
    if given_table is not None:
        st.caption(
            f":material/table: **{escape_markdown(given_table.name)}**, which you uploaded on Data."
            " Another table that you upload takes its place."
        )
    rows: list[dict[str, Any]] = []
    try:
        uploaded, notes = _one_table(here, uploads)
        uploaded = uploaded or given_table
    except MedLensError as error:
        show_error(error)
        return
    if uploaded is not None:
        with Sent(uploaded) as sent:
            fault: MedLensError | None = None
            try:
                seen = _seen(here, sent)
            except MedLensError as error:
                fault = error
        # A table that cannot be read may be found on another sheet or below another row.
        known, layout = st.session_state.get(_LAYOUT, ("", reader_client.Layout()))
        if known == uploaded.file_id:
            draw_sheet_and_heading_choice_and_keep_it(layout, key=_place_key(uploaded.file_id))
            draw_encoding_choice_and_keep_it(layout, key=_place_key(uploaded.file_id))
        if fault is not None:
            show_error(fault)
            return
        rows = seen.rows
        if not rows:
            st.info("This file has no rows.", icon=":material/info:")
            return
        place = table_place_chosen_by_person(_place_key(uploaded.file_id))
        as_read = f"{uploaded.file_id}.{place.sheet}.{place.header}.{place.encoding}"
        seen = replace(seen, notes=[*notes, *seen.notes])
        for note in seen.notes:
            st.caption(_note_without_file_name(note, uploaded.name))
        _draw_roles(PurePath(uploaded.name).stem, as_read, seen)
    elif _TEXT not in st.session_state:
        st.caption(
            "Then say what each column is, choose what reviewers are asked, with a preview of what"
            " they will see, and hand the study out to your team. No table at hand? Try a"
            " template with its example items, which are made up."
        )
        draw_template_gallery(partial(_try_template, here))
        _draw_unfinished(here)
    if uploaded is None and study.dataset and _TEXT not in st.session_state:
        st.button(
            f"Change “{escape_markdown(study.declared.form.title)}” instead",
            key="own.change",
            on_click=_begin,
            args=(study.text,),
        )
    if uploaded is None and st.session_state.get(_RESUMED):
        _restore_table(here)
    stored: _Stored | None = st.session_state.get(_STORED)
    if uploaded is not None or stored is None:
        if _TEXT in st.session_state:
            if uploaded is None and st.session_state.get(_RESUMED):
                st.caption(
                    ":material/history: Your draft is as you left it. Upload its table again to see"
                    " its items."
                )
            given = _Table(uploaded) if uploaded is not None else None
            number_of_row = seen.row_number_in_sheet if given else int
            _edit(here, rows, given, step=4 if given else 2, number_of_row=number_of_row)
        return
    if _TEXT in st.session_state:
        st.caption(stored.said)
        _edit(here, stored.rows, stored, step=2)


@dataclass(frozen=True)
class _Made:
    """A study that was just added: which, from the draft of which name, and what to say of it."""

    dataset: str
    draft: str
    said: str


def _draw_what_was_made(here: Here) -> bool:
    """In place of the form, the study that was just added and what comes next; False and nothing
    if none was, or if the person has come back for another one.
    """
    made: _Made | None = st.session_state.get(_DONE)
    if made is None:
        return False
    if st.query_params.get("draft", "") != made.draft:
        _forget()
        return False
    study = open_study(here.store, here.settings, made.dataset)
    with st.container(key="own.told"):
        _tell(here, study, made.said)
    with st.container(horizontal=True):
        st.button(
            "Change it",
            key="own.made.change",
            icon=":material/edit:",
            on_click=_begin,
            args=(study.text,),
        )
        st.button("Make another study", key="own.begin", on_click=_begin_another)
    return True


def draw_link_to_make_study(text: str, rows: list[dict[str, Any]], *, called: str) -> None:
    """A link from another page to a study made from this file and these items of the store."""
    st.session_state[_DRAFTED] = (text, _Stored(rows, called))
    st.page_link(
        "pages/8_Your_studies.py",
        label="Open it in Make a study",
        icon=":material/arrow_forward:",
        query_params={"view": "Make a study", "drafted": "yes"},
    )


def draw_link_to_make_study_from_table(uploaded: Sent) -> None:
    """A link from another page to a study made from the table that was uploaded there."""
    held: MadeFile | None = st.session_state.get(_GIVEN)
    if held is None or held.file_id != uploaded.file_id:
        name = PurePath(uploaded.called.replace("\\", "/")).name
        with uploaded.path.open("rb") as content:
            held = make_upload_like_file_for_session(content, uploaded.file_id, name)
        st.session_state[_GIVEN] = held
    st.page_link(
        "pages/8_Your_studies.py",
        label="Make a study of your own from it",
        icon=":material/edit_note:",
        query_params={"view": "Make a study", "table": held.file_id},
    )


def _take_table() -> MadeFile | None:
    """The table that another page's link has brought, for as long as the address names it."""
    given: MadeFile | None = st.session_state.get(_GIVEN)
    if given is None or st.query_params.get("table") != given.file_id:
        return None
    if st.session_state.get(_TAKEN) != given.file_id:
        # What was made from another table before is no part of this one's study.
        _forget()
        st.session_state[_TAKEN] = given.file_id
    return given


def _take_drafted() -> None:
    """Take over what another page has drafted, if its link led here."""
    if st.query_params.get("drafted") and _DRAFTED in st.session_state:
        text, stored = st.session_state.pop(_DRAFTED)
        _begin(text)
        st.session_state[_STORED] = stored
    page_address.set_values_in_address(drafted="")


def _draw_project(here: Here, tool: str) -> None:
    """Another tool's project: its files, their content, and the study made from them."""
    thing = TOOLS[tool].thing
    given = [
        st.file_uploader(
            f"{at}. {_sentence(part.is_)}",
            type=part.possible_file_endings,
            accept_multiple_files=part.several,
            key=f"own.{tool}.{part.name}",
        )
        for at, part in enumerate(TOOLS[tool].parts, 1)
    ]
    uploaded = [file for one in given for file in (one if isinstance(one, list) else [one]) if file]
    if not all(given):
        st.caption(
            f"From {thing} you get a study with its questions, its items, and what people and"
            " models have answered so far. You can change the study before you open it."
        )
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.text_input(
            f"{len(given) + 1}. Title of the study",
            TOOLS[tool].title(PurePath(uploaded[-1].name).stem),
            key=f"own.{tool}.title.{uploaded[-1].file_id}",
            width=360,
            max_chars=study_file.LONGEST_TITLE,
        ).strip()
        write = st.empty()
    if not title:
        return
    project = _Project(tool, title, uploaded)
    sign = (tool, title, *(one.file_id for one in uploaded))
    if st.session_state.get(_SEEN, (None,))[0] != sign:
        try:
            with project.opened(here) as found:
                st.session_state[_SEEN] = (sign, found)
        except MedLensError as error:
            show_error(error)
            return
    found = st.session_state[_SEEN][1]
    write.button("Continue", type="primary", key="own.write", on_click=_go_on, args=(found.study,))
    counts = found.counts
    said = [
        f"{counts[what]:,} {one if counts[what] == 1 else many}"
        for what, one, many in (
            ("items", "item", "items"),
            ("judgments", "judgment", "judgments"),
            ("person", "person", "people"),
            ("model", "model", "models"),
        )
        if counts.get(what)
    ]
    st.markdown(f"This has {', '.join(said) or 'questions, and no items yet'}.")
    for note in found.notes:
        st.caption(escape_markdown(note))
    if _TEXT in st.session_state:
        # A form alone brings nothing to be judged.
        with_items = project if counts.get("items") else None
        _edit(here, found.rows, with_items, step=len(given) + 2)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


@dataclass(frozen=True)
class _Table:
    """An uploaded table of items."""

    uploaded: UploadedFile | MadeFile

    @property
    def place(self) -> TablePlace:
        """Where in the file the table is, if a person said so."""
        return table_place_chosen_by_person(_place_key(self.file_id))

    @property
    def file_id(self) -> str:
        """Changes with each upload."""
        return self.uploaded.file_id

    def whole(self, most: int) -> tuple[bool, str, bytes]:
        """Whether it has at most so many bytes, its file's name, and then its content."""
        with Sent(self.uploaded) as sent:
            small = sent.size <= most
            return small, PurePath(sent.called).name, sent.read() if small else b""

    @contextmanager
    def files(self, here: Here) -> Iterator[tuple[Source, str, Source | None]]:
        """The items, their file's name, and no judgments."""
        with Sent(self.uploaded) as sent:
            yield sent.path, PurePath(sent.called).name, None


@dataclass(frozen=True)
class _Project:
    """The uploaded files of another tool's project."""

    tool: str
    title: str
    uploaded: Sequence[UploadedFile]

    @contextmanager
    def opened(self, here: Here) -> Iterator[reader_client.Project]:
        """The converted project."""
        with ExitStack() as opened:
            parts = [opened.enter_context(Sent(one)).path for one in self.uploaded]
            found = reader_client.convert_foreign_project(
                here.settings, self.tool, self.title, parts
            )
            opened.enter_context(found.items)
            opened.enter_context(found.judgments)
            yield found

    @contextmanager
    def files(self, here: Here) -> Iterator[tuple[Source, str, Source | None]]:
        """The items, their file's name, and the judgments that come with them."""
        with self.opened(here) as found:
            judged = found.judgments if found.counts["judgments"] else None
            yield found.items, "items.jsonl", judged


@dataclass(frozen=True)
class _Stored:
    """Items already in the store, perhaps another study's; ``called`` is its name."""

    rows: list[dict[str, Any]]
    called: str

    @property
    def said(self) -> str:
        """Where the items come from, in words."""
        count = len(self.rows)
        texts = f"{count:,} texts of {escape_markdown(self.called)}"
        return f"Its items are the {texts}; no table is needed."

    @contextmanager
    def files(self, here: Here) -> Iterator[tuple[Source, str, Source | None]]:
        """The items, their file's name, and no judgments."""
        lines = (json.dumps(row, ensure_ascii=False) for row in self.rows)
        text = "\n".join(lines) + "\n"
        with _file("items.jsonl", text.encode("utf-8", "replace")) as path:
            yield path, path.name, None


@dataclass(frozen=True)
class _Kept(_Stored):
    """A table of items that was kept with a draft, and its first rows."""

    content: bytes
    place = TablePlace()
    told: str = ":material/history: Your draft is as you left it, with its table"
    file_id = ""

    def whole(self, most: int) -> tuple[bool, str, bytes]:
        """As a ``_Table``'s: what was kept is small enough."""
        return True, self.called, self.content

    @property
    def said(self) -> str:
        """Where the items come from, in words."""
        return f"{self.told} {escape_markdown(self.called)}. Upload another one to replace it."

    @contextmanager
    def files(self, here: Here) -> Iterator[tuple[Source, str, Source | None]]:
        """The items, their file's name, and no judgments."""
        with _file(self.called, self.content) as path:
            yield path, path.name, None


@contextmanager
def _file(called: str, content: bytes) -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / PurePath(called).name
        path.write_bytes(content)
        yield path


def _try_template(here: Here, file: Path) -> None:
    """Begin with a template's file and its example items."""
    _begin(study_file.read_study_file_text_and_declaration(file)[0])
    items = file.with_suffix(".csv")
    content, rows = (
        items.read_bytes(),
        reader_client.read_file_description_in_reader_process(
            here.settings, items, items.name
        ).rows,
    )
    st.session_state[_STORED] = _Kept(rows, items.name, content, told="With the made-up items of")


def _begin_another() -> None:
    _forget()
    page_address.set_values_in_address(draft="", table="")


def _go_on(text: str) -> None:
    """Begin with a text that was made from what stands above, and bring what follows into view."""
    _begin(text)
    st.session_state[_BEGUN] = new_id()


def _begin(text: str) -> None:
    _forget()
    st.session_state[_TEXT] = text.replace("\r\n", "\n")
    st.session_state[_DRAFT] = new_id()
    page_address.set_values_in_address(draft=st.session_state[_DRAFT])


def _forget() -> None:
    of_draft = (_DECIDED, _TEXT, _BASE, _GOOD, _STORED, _DRAFT, _SAVED, _NEWER, _RESUMED, _TABLED)
    for name in (*of_draft, _DONE, _BEGUN):
        st.session_state.pop(name, None)
    own_study_file_editor.close_parts_and_clear_undo()


# -- the draft -------------------------------------------------------------------------------------


def _resume(here: Here) -> None:
    """Load the draft that the address names, as last saved."""
    name = st.query_params.get("draft")
    if name and (kept := next((d for d in _unfinished(here) if d.name == name), None)):
        _continue(kept)


def _unfinished(here: Here) -> list[Draft]:
    return unfinished_study_files.list_study_file_drafts(here.store, here.person)


def _continue(kept: Draft) -> None:
    _forget()
    st.session_state[_TEXT] = kept.text
    st.session_state[_DRAFT], st.session_state[_RESUMED] = kept.name, True
    st.session_state[_SAVED] = (kept.revision, kept.text, kept.saved_at)
    if kept.study:
        st.session_state[_BASE] = (kept.study, kept.version)
    page_address.set_values_in_address(draft=kept.name)


def _restore_table(here: Here) -> None:
    """Take the table that was kept with a draft, once."""
    name = st.session_state[_DRAFT]
    if st.session_state.get(_TABLED, (None,))[0] == name:
        return
    st.session_state[_TABLED] = (name, "", True)
    if table := unfinished_study_files.table_file_name_and_content_of_draft(
        here.store, name, by=here.person
    ):
        called, content = table
        # What could be read when it was kept may be too large for the settings of today.
        with suppress(MedLensError), _file(called, content) as path:
            rows = reader_client.read_file_description_in_reader_process(
                here.settings, path, called
            ).rows
            st.session_state[_STORED] = _Kept(rows, called, content)


def _keep_table(here: Here, given: object) -> str:
    """Keep a table with its draft if it is small enough; says what became of it."""
    if not isinstance(given, (_Table, _Kept)):
        return ""
    name, file = st.session_state[_DRAFT], f"{given.file_id}{given.place}"
    held = st.session_state.get(_TABLED)
    if held is None or held[:2] != (name, file):
        small, called, content = given.whole(unfinished_study_files.LARGEST_TABLE_MB * 1_000_000)
        if _takes_identifiers_out():
            small, called, content = False, "", b""
        elif given.place != TablePlace():
            # What is kept is read again without what was chosen for it.
            small, called, content = False, "", b""
        with suppress(Conflict):
            unfinished_study_files.save_or_remove_table_of_draft(
                here.store, name, by=here.person, called=called, content=content
            )
        held = st.session_state[_TABLED] = (name, file, small)
    if held[2]:
        return " with its table"
    if _takes_identifiers_out():
        return (
            " without its table, which holds what may identify a patient: after a reload, upload it"
            " again"
        )
    if given.place != TablePlace():
        return (
            " without its table, in which you chose where the headings are or how it is written:"
            " after a reload, upload it again"
        )
    most = f"{unfinished_study_files.LARGEST_TABLE_MB} MB"
    return f" without its table, which is larger than {most}: after a reload, upload it again"


def _takes_identifiers_out() -> bool:
    """Whether the study's file says that what may identify a patient is not stored."""
    tables = study_file_fields.parse_toml_tables_or_none(st.session_state[_TEXT]) or {}
    return tables.get("identifiers") in ("replace", "leave_out")


def _draw_unfinished(here: Here) -> None:
    """A lead's drafts that were never opened, each with buttons to continue or discard."""
    kept = _unfinished(here)
    if kept:
        st.markdown("**Your unfinished studies**")
    for one in kept[:_MOST_DRAFTS]:
        title = _titled(one.text)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Continue {escape_markdown(title)}",
                key=f"own.continue.{one.name}",
                icon=":material/edit_note:",
                on_click=_continue,
                args=(one,),
            )
            st.caption(f"Saved {format_date_and_time(one.saved_at)}", width="content")
            st.button(
                "Discard",
                key=f"own.discard.{one.name}",
                type="tertiary",
                on_click=_discard,
                args=(here, one),
            )


def _discard(here: Here, kept: Draft) -> None:
    with suppress(Conflict):
        _save(here, kept.name, "", study=kept.study, version=0, base=kept.revision)
        unfinished_study_files.save_or_remove_table_of_draft(
            here.store, kept.name, by=here.person, called="", content=b""
        )


def _titled(text: str) -> str:
    tables = study_file_fields.parse_toml_tables_or_none(text)
    return str((tables or {}).get("title") or "a study without a title")


def _keep(here: Here, text: str, given: object, *, is_study: bool) -> None:
    """Save the text if it changed since the last save, with the table that was ``given``, and say
    so. Text that equals the study's current file (``is_study``) is not a draft.
    """
    name = st.session_state.setdefault(_DRAFT, new_id())
    revision, saved, at = st.session_state.get(_SAVED, (0, text if is_study else "", None))
    if text != saved and _NEWER not in st.session_state:
        study, version = st.session_state.get(_BASE, ("", 0))
        try:
            done = _save(here, name, text, study=study, version=version, base=revision)
        except Conflict:
            st.session_state[_NEWER] = True
        except MedLensError as error:
            show_error(error)
        else:
            at = done.saved_at
            st.session_state[_SAVED] = (done.revision, text, at)
    if _NEWER in st.session_state:
        _ask_which_draft(here, text)
    elif at is not None:
        table = _keep_table(here, given)
        st.caption(f":material/check: draft saved {format_time_of_day(at)}{table}")


def _save(here: Here, name: str, text: str, *, study: str, version: int, base: int) -> Saved:
    return unfinished_study_files.save_study_file_draft_and_return_record(
        here.store, name, by=here.person, text=text, study=study, version=version, base=base
    )


def _end_draft(here: Here, text: str) -> None:
    """The study was opened: nothing is unfinished until something changes."""
    revision, _, _ = st.session_state.get(_SAVED, (0, "", None))
    if revision:
        done = _save(here, st.session_state[_DRAFT], "", study="", version=0, base=revision)
        st.session_state[_SAVED] = (done.revision, text, None)
        st.session_state.pop(_TABLED, None)
        unfinished_study_files.save_or_remove_table_of_draft(
            here.store, st.session_state[_DRAFT], by=here.person, called="", content=b""
        )


def _ask_which_draft(here: Here, text: str) -> None:
    """Ask which version to keep: another tab of this lead has saved the draft in the meantime."""
    name = st.session_state[_DRAFT]
    newer = next((one for one in _unfinished(here) if one.name == name), None)
    if newer is None:
        # The draft was opened or discarded there: the text here becomes a draft of its own.
        st.session_state.pop(_NEWER)
        st.session_state.pop(_SAVED, None)
        st.session_state[_DRAFT] = new_id()
        page_address.set_values_in_address(draft=st.session_state[_DRAFT])
        return
    state = (newer.revision, newer.text, newer.saved_at)

    def mine() -> None:
        # The next run saves whatever differs from the last saved text.
        st.session_state.pop(_NEWER)
        st.session_state[_SAVED] = state

    def theirs() -> None:
        mine()
        own_study_file_editor.replace_text_in_study_file_editor(newer.text)

    draw_differences_and_version_choice(
        _apart(newer.text, text),
        key="own.draft.which",
        keep_mine=mine,
        take_theirs=theirs,
    )


def _apart(theirs: str, mine: str) -> Iterator[str]:
    """The differences between two texts of a file, line by line."""
    lines = [one for one in ndiff(theirs.splitlines(), mine.splitlines()) if one[0] in "+-"]
    for line in lines[:_MOST_LINES]:
        yield f"{'here' if line[0] == '+' else 'there'}: {line[2:].strip() or '(an empty line)'}"
    if len(lines) > _MOST_LINES:
        yield f"… and {len(lines) - _MOST_LINES:,} more lines."


def _place_key(file: str) -> str:
    return f"own.place.{file}"


def _one_table(
    here: Here, uploads: Sequence[UploadedFile]
) -> tuple[UploadedFile | MadeFile | None, list[str]]:
    """The table of the uploaded files, and what to tell of it; several are joined, of which the
    last one of a name counts.

    Raises:
        BadFile: they cannot be read, or have no cases in common.
    """
    latest = {one.name: one for one in uploads}
    again = sorted({one.name for one in uploads if latest[one.name] is not one})
    notes = [f"Of the files called {name}, the one uploaded last is used." for name in again]
    if len(latest) < 2:
        return next(iter(latest.values()), None), notes
    sign = tuple(one.file_id for one in latest.values())
    if st.session_state.get(_JOINED, ((),))[0] != sign:
        with ExitStack() as opened:
            parts = [opened.enter_context(Sent(one)) for one in latest.values()]
            files = [(one.path, PurePath(one.called).name) for one in parts]
            found = reader_client.join_model_tables_in_reader_process(here.settings, files)
            rows = opened.enter_context(found.rows)
            name = blake2b("".join(sign).encode(), digest_size=16).hexdigest()
            made = make_upload_like_file_for_session(
                rows, name, f"{found.called or 'answers'}.jsonl"
            )
        st.session_state[_JOINED] = (sign, made, found.notes)
    _, made, told = st.session_state[_JOINED]
    return made, [*notes, *told]


def _seen(here: Here, sent: Sent) -> reader_client.FileDescription:
    held = st.session_state.get(_SEEN)
    place = table_place_chosen_by_person(_place_key(sent.file_id))
    if held is None or held[0] != (sent.file_id, place):
        seen = reader_client.read_file_description_in_reader_process(
            *(here.settings, sent.path, PurePath(sent.called).name),
            sheet=place.sheet,
            header=place.header,
            encoding=place.encoding,
            identifiers=True,
        )
        st.session_state[_LAYOUT] = (sent.file_id, seen.layout)
        if seen.unread:
            raise BadFile(
                f"No row of this file can be read. {seen.unread}",
                hint="Was it cut short? Save or download it once more.",
            )
        require_unique_headings(seen.columns)
        refuse_data_dictionary(seen.columns)
        # Nested cells are taken apart once, as an import reads them.
        notes = [*seen.notes, *list_nested_cells_in_words(seen.rows)]
        seen = replace(seen, rows=flatten_nested_cells_of_rows(seen.rows), notes=notes)
        held = st.session_state[_SEEN] = ((sent.file_id, place), seen)
    return cast(reader_client.FileDescription, held[1])


def _note_without_file_name(note: str, called: str) -> str:
    """A note on how a file was read, where the file stands beside it: without its name in front."""
    return escape_markdown(_sentence(note.removeprefix(f"{PurePath(called).name}: ")))


def _draw_roles(called: str, file: str, seen: reader_client.FileDescription) -> None:
    """Each column's role, guessed and open to correction; and the file made from them."""
    rows = seen.rows
    sums = words_for_totals_by_row_number(rows)
    keep_sums = False
    if sums:
        numbered = {seen.row_number_in_sheet(at): word for at, word in sums.items()}
        left_out = escape_markdown(left_out_sum_rows_in_words(numbered))
        st.caption(f":material/functions: {left_out} left out.")
        keep_sums = st.checkbox(
            "Keep it as an item" if len(sums) == 1 else "Keep them as items",
            key=f"own.sums.{file}",
            help="It is a row at the table's end that holds sums or means of those above.",
        )
    items = [row for at, row in enumerate(rows, 1) if keep_sums or at not in sums]
    guessed = list_guessed_roles_of_columns(items, seen.layout.questions)
    table = pd.DataFrame(
        {
            "column": one.name,
            "is": ROLES[one.role],
            "differs by model": one.by_arm,
            "example": " ".join(str(rows[0].get(one.name, "")).split())[:120],
        }
        for one in guessed
    )
    count = f"{'first ' * seen.more}{len(items):,} row{'s' * (len(items) != 1)}"
    st.markdown(
        f"2. What each column is, guessed from its {count}. Double-click a guess to correct it."
    )
    key = f"own.roles.{file}.{keep_sums}"
    # Only where each row is one model's answer can a column be its own or all models'.
    by_rows_now = _says_model_of_row(guessed, key)
    told = st.data_editor(
        table,
        key=key,
        hide_index=True,
        column_order=["column", "is", *["differs by model"] * by_rows_now, "example"],
        disabled=["column", "example"],
        column_config={
            "example": st.column_config.TextColumn(width="large"),
            "is": st.column_config.SelectboxColumn(
                "role", options=list(ROLES.values()), required=True
            ),
            "differs by model": st.column_config.CheckboxColumn(
                help="Ticked if each model has its own, such as its answer; not if all models of a"
                " case share it, such as the question. Matters only where models are compared."
            ),
        },
    )
    if by_rows_now:
        st.caption(
            "*Differs by model*: ticked for a column of which each model of a case has its own,"
            " such as its answer; not for one that all models of the case share, such as the"
            " question."
        )
    roles = {words: role for role, words in ROLES.items()}
    columns = [
        Guess(str(name), roles[words], bool(by_arm))
        for name, words, by_arm in zip(
            told["column"], told["is"], told["differs by model"], strict=True
        )
    ]
    if decided := list_column_decisions_in_words(
        columns, items, number_of_row=seen.row_number_in_sheet
    ):
        st.info("  \n".join(map(escape_markdown, decided)), icon=":material/table:")
    if not are_any_columns_shown(columns):
        st.warning(
            "Reviewers would see nothing of this table. Say above which column is shown.",
            icon=":material/visibility_off:",
        )
        return
    if references := list_hidden_columns_of_correct_answers(columns):
        st.info(
            "Reviewers do not see "
            f"{', '.join(f'“{escape_markdown(name)}”' for name in references)}:"
            " by its name, such a column may hold what is right. If they should see it, change"
            " above what it is.",
            icon=":material/visibility_off:",
        )
    masked_names = _draw_naming(columns, rows, file, seen)
    identifying = list_patient_identifiers_with_places(columns, items, seen.identifying)
    decided_identifiers = _draw_identifiers(identifying, file, seen)
    nearly = find_numbers_of_nearly_empty_rows(columns, rows)
    without_nearly_empty = bool(nearly) and st.checkbox(
        leave_out_nearly_empty_rows_in_words([*map(seen.row_number_in_sheet, nearly)]),
        key=f"own.nearly_empty.{file}",
    )
    answers = sum(one.role == "answer" for one in columns)
    by_rows = any(one.role == "arm" for one in columns)
    if answers == 1 or (answers and by_rows):
        st.warning(
            "One column says which model each row is from, and others each hold one model's "
            "answers: a table can have one or the other. Correct one of them."
            if by_rows
            else "Only one column is the answer of a model. Say which others are, or that this one"
            " is shown as text.",
            icon=":material/compare_arrows:",
        )
        return
    if answers > MOST:
        st.warning(
            f"Your table has the answers of {answers} models, and a study compares at most {MOST}."
            " Say which are left out.",
            icon=":material/compare_arrows:",
        )
        return
    if answers:
        st.caption(
            f":material/visibility_off: {answers} columns each hold a model's answers. Reviewers"
            " see them as A, B, … in an order drawn for each person and item, never with their"
            " headings."
        )
    arms = by_rows or answers > 1
    models = len(find_spellings_by_arm(columns, items)) if by_rows else answers
    together = 1 < models <= MOST_TOGETHER
    named = sum(one.role == "id" for one in columns)
    if named > 1:
        st.warning(
            "Say which one column names each item (a number will do).",
            icon=":material/key:",
        )
        return
    kept = sum(one.role != "out" for one in columns)
    if kept > study_file.MOST:
        st.warning(
            f"Your table has {kept:,} columns, and a study keeps at most {study_file.MOST}. Say"
            " which are left out, or give it a table with fewer.",
            icon=":material/view_column:",
        )
        return
    if not named:
        st.caption(
            "No column names the items: they are numbered. Rows that are the same except for the "
            "model's answer are one item."
            if by_rows
            else "No column names the items: they are numbered, row by row."
        )
    known = study_file.load_templates_by_name()
    own = any(one.role == "criteria" for one in columns)
    offered = [
        "",
        *(
            name
            for name, one in known.items()
            if (together or not one.arms)
            and (own or not one.criteria_column)
            and not (arms and one.advice)
        ),
    ]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.text_input(
            "3. Title of the study",
            title_from_file(called),
            key=f"own.title.{file}",
            width=360,
            max_chars=study_file.LONGEST_TITLE,
        )
        template = st.selectbox(
            "Its questions",
            offered,
            index=offered.index("preference") if together else 0,
            format_func=lambda one: f"As in: {known[one].form.title}" if one else "My own",
            key=f"own.questions.{file}",
            width=360,
        )
        written = _TEXT in st.session_state
        st.button(
            "Make it again from these columns" if written else "Continue",
            type="secondary" if written else "primary",
            key="own.write",
            help="What you changed below is kept under “Your unfinished studies”."
            if written
            else None,
            disabled=not title.strip() or (bool(identifying) and not decided_identifiers),
            on_click=lambda: _go_on(
                make_study_file_text(
                    *(title.strip(), columns, rows),
                    template=template,
                    more=seen.more,
                    survey_questions=seen.layout.questions,
                    mask=masked_names,
                    keep_sums=keep_sums,
                    without_nearly_empty=without_nearly_empty,
                    identifiers=decided_identifiers,
                )
            ),
        )
        if written:
            st.caption(":material/arrow_downward: Look it over below, then add it.")
    if (
        template
        and known[template].advice
        and not find_advice_column_of_template(template, columns)
    ):
        st.warning(
            f"In this template a model's advice is shown after the answer. Say above which column"
            f" has it (“{ROLES['after']}”): without one, the study has no advice.",
            icon=":material/lightbulb:",
        )


def _says_model_of_row(guessed: Sequence[Guess], key: str) -> bool:
    """Whether a column says which model a row is of: as guessed, or as corrected in the table."""
    edited = (st.session_state.get(key) or {}).get("edited_rows", {})
    corrected = {int(at): changes.get("is") for at, changes in edited.items()}
    roles = [corrected.get(at) or ROLES[one.role] for at, one in enumerate(guessed)]
    return ROLES["arm"] in roles


def _draw_naming(
    columns: Sequence[Guess],
    rows: Sequence[Mapping[str, Any]],
    file: str,
    seen: reader_client.FileDescription,
) -> Sequence[str]:
    """The columns shown that name models, with their rows; the names that a lead wants masked."""
    naming = list_columns_naming_models(columns, rows, shown=True, beyond=seen.naming)
    if not naming:
        return ()
    named = [replace(one, rows=[*map(seen.row_number_in_sheet, one.rows)]) for one in naming]
    lines = [f"- {escape_markdown(models_named_in_column_in_words(one))}" for one in named]
    counted = "" if seen.layout.sheets else " (rows are counted below the headings)"
    st.warning(
        "Reviewers could tell which model wrote an answer, as what they see names models"
        f"{counted}:\n" + "\n".join(lines) + "\n\nSay above that such a column is"
        " not shown, or mask the names.",
        icon=":material/visibility:",
    )
    names = list(dict.fromkeys(name for one in naming for name in one.names))
    chosen = st.checkbox(
        "Mask these names for reviewers: they see bars in their place",
        key=f"own.mask.names.{file}",
        help="What is stored and exported keeps the names.",
    )
    return names if chosen else ()


_DECISIONS: Mapping[str, str] = {
    "replace": "Replace each by what it is, such as [telephone number]",
    "leave_out": "Leave these rows out",
    "keep": "Go on with them as they are",
}
"""What can become of what may identify a patient, by the word for it in a study's file."""


def _draw_identifiers(
    places: Sequence[Place], file: str, seen: reader_client.FileDescription
) -> str:
    """What may identify a patient, with its row and column; what a lead decides about it ("" as
    long as nothing is decided).
    """
    if not places:
        if seen.more:
            st.caption(f":material/badge: {rows_checked_for_identifiers_in_words(seen.looked_at)}")
        return ""
    rows = len({place.row for place in places})
    row_has = "1 row has" if rows == 1 else f"{rows:,} rows have"
    if seen.identifying_more:
        row_has = f"At least {row_has}"
    st.warning(
        f"**{row_has} what may identify a patient.** It was found on this machine, by patterns and"
        " check digits: look through it, as some of it may be harmless and something may have "
        "been missed.",
        icon=":material/badge:",
    )
    st.dataframe(
        pd.DataFrame(
            {
                "row": seen.row_number_in_sheet(place.row),
                "column": place.column,
                "may be": KINDS[place.kind],
                "as written there": place.text,
            }
            for place in places[:_MOST_PLACES]
        ),
        hide_index=True,
        height="content" if len(places) <= _FEW_PLACES else 280,
        alt="What may identify a patient, by row and column",
    )
    more = max(len(places) - _MOST_PLACES, 0) + seen.identifying_more
    if more:
        st.caption(f"And {'at least ' * seen.identifying_stopped}{more:,} more.")
    decided = st.radio(
        "What should become of it?",
        [*_DECISIONS],
        format_func=_DECISIONS.__getitem__,
        index=None,
        key=f"own.identifiers.{file}",
        help="Decided for every row of the table when its items are added. You can change it later"
        " in the study's fields, before you add them.",
    )
    return str(decided or "")


# -- the editor and the preview --------------------------------------------------------------------


@st.fragment
def _edit(
    here: Here,
    rows: list[dict[str, Any]],
    given: _Table | _Project | _Stored | None,
    *,
    step: int = 4,
    number_of_row: Callable[[int], int] = int,
) -> None:
    with st.container(key=_STEP):
        _step_in_view(
            key="own.step", data={"step": _STEP, "sign": st.session_state.get(_BEGUN, "")}
        )
    left, right = st.columns([1, 1], gap="large")
    text = st.session_state[_TEXT]
    tables = study_file_fields.parse_toml_tables_or_none(text)
    declared: StudyDeclaration | None = None
    rows_wrong: Sequence[BadRow] = ()
    try:
        declared = declaration_with_stored_id(here.store, study_file.parse_study_file(text))
        st.session_state[_GOOD] = text
    except BadFile as error:
        rows_wrong = error.rows
    if declared is not None:
        there = open_study(here.store, here.settings, declared.study_id)
        st.session_state.setdefault(_BASE, (declared.study_id, there.version))
    with left:
        st.markdown(
            f"{step}. What reviewers see, and what they are asked. Open a line to change it."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            _keep(
                here,
                text,
                given,
                is_study=declared is not None and there.text == text,
            )
            st.button(
                "Begin another study", key="own.begin", type="tertiary", on_click=_begin_another
            )
        if tables is not None:
            faults = study_file_fields.faults_by_field(text, rows_wrong) if rows_wrong else {}
            own_study_file_editor.draw_study_file_fields(
                tables, faults, models=bool(here.settings.models)
            )
        _draw_text(text, rows_wrong, broken=tables is None)
        if declared is not None:
            _draw_models(here, declared)
            if declared.pane_kinds_by_file_column:
                own_study_file_page.draw_upload_of_attached_files(here, declared, key="own.files")
            st.markdown(f"{step + 1}. Check, and add it.")
            telling = study_outlook_before_opening.draw_study_check_and_return_giveaways(
                here, declared, rows, number_of_row
            )
            # A table without the answers that models are to write has no items yet.
            awaits = bool(rows) and declared.does_table_await_model_answers(rows[0])
            added = None if awaits else given
            _draw_opening(here, declared, there, text, rows, added, unblinded=bool(telling))
    with right:
        shown = declared or _last_good()
        if declared is None and shown is not None:
            st.caption(":material/history: Shown as it was before the parts that need correcting.")
        if shown is None:
            st.info(
                "The preview appears here once the file has no mistakes.", icon=":material/info:"
            )
        else:
            _preview(here, shown, rows, number_of_row if declared is not None else None)


def _last_good() -> StudyDeclaration | None:
    """The last version of the file without mistakes."""
    good = st.session_state.get(_GOOD)
    return study_file.parse_study_file(good) if good else None


def _draw_text(text: str, wrong: Sequence[BadRow], *, broken: bool) -> None:
    """The file's text, which the fields are read from and written into."""
    with st.expander("The file as text (STUDY.toml)", icon=":material/code:", expanded=broken):
        if broken:
            st.error(
                "This text is not valid TOML, so there are no fields until it is corrected.",
                icon=":material/edit:",
            )
        st.text_area(
            "Click or tap outside the text to see what you changed",
            key=_TEXT,
            height=_HEIGHT,
            on_change=own_study_file_editor.keep_text_for_undo,
            args=(text,),
        )
        if wrong:
            st.dataframe(
                pd.DataFrame(
                    {"line": row.line, "field": row.column, "expected": row.expected}
                    for row in wrong
                ),
                hide_index=True,
                alt="What is wrong with the file",
            )


def _draw_models(here: Here, declared: StudyDeclaration) -> None:
    """A button that adds answers by models."""

    def ask_models() -> None:
        text, models = st.session_state[_TEXT], list(here.settings.models)
        own_study_file_editor.replace_text_in_study_file_editor(
            study_file_text_with_model_written_column(text, declared, models)
        )

    if not declared.arms and not declared.column_written_by_models and here.settings.models:
        st.button(
            "Let models write answers",
            key="own.written",
            icon=":material/smart_toy:",
            help="Adds a column that models fill: change what they are asked. Once the study"
            " is kept, start the run on the Runs page with your table.",
            on_click=ask_models,
        )


def _preview(
    here: Here,
    declared: StudyDeclaration,
    rows: list[dict[str, Any]],
    number_of_row: Callable[[int], int] | None,
) -> None:
    """The study as a reviewer sees it, with an item from the table. Its row can be left out unless
    the file has mistakes: then rows have no ``number_of_row``, which is given their place (from 1).
    """
    is_left_out, of_item = False, [0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        width = st.segmented_control(
            "As a reviewer sees it",
            list(_WIDTHS),
            default="Desktop",
            required=True,
            key="own.width",
        )
        at = 0
        if len(rows) > 1:
            at = int(st.number_input("Row", 1, len(rows), key="own.row", width=130)) - 1
            marks = declared.leave_out_rows
            is_left_out = bool(marks) and own_files.digest_of_row_cells(declared, rows[at]) in marks
            of_item = own_files.list_positions_of_rows_of_case(declared, rows, at)
            if number_of_row is not None:
                _draw_button_to_leave_out([rows[one] for one in of_item], is_left_out=is_left_out)
    narrow = width == "Phone"
    with st.container(
        border=True,
        height=_HEIGHT,
        width=_WIDTHS[str(width)],
        key="own-preview",
    ):
        laid: Mapping[str, Any] = {}
        attached = attached_files_of_study(here.settings, declared.study_id)
        if is_left_out:
            number = number_of_row or int
            named = ", ".join(f"{number(one + 1):,}" for one in of_item)
            st.info(
                f"Row {named} is left out: it will not become an item."
                if len(of_item) == 1
                else f"Rows {named} are left out: they will not become items.",
                icon=":material/block:",
            )
            return
        if rows:
            try:
                laid = make_item_preview_from_rows(declared, rows, at).body  # type: ignore[assignment]
            except MedLensError as error:
                show_error(error)
        elif kept := queries.list_bodies_of_first_items(here.store, declared.study_id, 1):
            # When changing a study, preview an item that it has already.
            laid = kept[0]
        laid = mask_names_in_cells(laid, declared)
        if not laid and declared.are_arms_side_by_side and declared.arms:
            laid = {ARMS: {name: {} for name in declared.arms.names}}
        if declared.is_marked_at_tagging_desk:
            own_marking_desk.draw_marking_preview(
                declared, laid, key="own.preview.spans", item=f"{declared.study_id}.{at}"
            )
            return
        order = declared.arms_to_judge(laid)
        st.markdown(f"**{escape_markdown(declared.form.title)}**")
        # Collapsed, as at the desk once somebody has begun.
        with st.expander("Instructions", icon=":material/info:"):
            draw_untrusted_markdown(declared.form.intro, key="make.intro")
        sign = blake2b(f"{at}\x1f{declared.study_id}".encode(), digest_size=6).hexdigest()
        draw = partial(
            draw_panes_of_item, declared, laid, order, attached, item=sign, narrow=narrow
        )
        places = desk_places_in_use(declared)
        # Columns in half a page are too narrow to read: use them only if the study places its
        # panes.
        placed = not narrow and {one.place for one in declared.panes} != {"left"}
        stands = st.columns(len(places)) if placed else [st.container() for _ in places]
        for place, column in zip(places, stands, strict=True):
            with column:
                draw(place=place)
                if any(one.place == place for one in declared.later_panes):
                    st.caption(":material/visibility: Shown after answering:")
                    draw(place=place, after=True)
        with stands[-1]:
            draw_answer_form_to_try_out(
                questions_as_form_fields(
                    declared.declaration_for_item(laid),
                    order,
                    empty=declared.arms_without_answer(laid),
                ),
                key="own.preview",
                item=sign,
            )


def _draw_button_to_leave_out(rows: Sequence[Mapping[str, Any]], *, is_left_out: bool) -> None:
    """Leaves the rows of an item out, or takes them back."""

    def leave_out_or_take_back() -> None:
        text = st.session_state[_TEXT]
        own_study_file_editor.replace_text_in_study_file_editor(
            own_files.study_file_with_rows_left_out_or_taken_back(text, rows)
        )

    these = "this row" if len(rows) == 1 else f"these {len(rows)} rows"
    st.button(
        f"Take {these} back" if is_left_out else f"Leave {these} out",
        key="own.row.left_out",
        icon=":material/undo:" if is_left_out else ":material/block:",
        help=None
        if is_left_out
        else "For a row that is not an item, such as a total or a note. Your table stays as"
        " it is, and you are told what is left out before and after the study is added.",
        on_click=leave_out_or_take_back,
    )


def _sign_of(given: _Table | _Project | _Stored | None) -> str:
    """What tells one uploaded table or project from another."""
    if isinstance(given, _Project):
        return ",".join(file.file_id for file in given.uploaded)
    if isinstance(given, _Table):
        return given.file_id
    return given.called if given is not None else ""


def _ask_what_it_becomes(
    here: Here,
    declared: StudyDeclaration,
    there: Study,
    text: str,
    rows: list[dict[str, Any]],
    asked_for: tuple[str, str],
    *,
    table: bool,
) -> None:
    """Ask before a study that exists is changed by another file or table of its name."""
    title, count = (
        escape_markdown(there.declared.form.title),
        len(queries.item_ids_by_name(here.store, there.dataset)),
    )
    st.warning(
        f"**You have a study “{title}” ({escape_markdown(there.dataset)}) already**, with {count:,}"
        f" {'item' if count == 1 else 'items'}. What should this become? Nothing is changed until"
        " you say so.",
        icon=":material/help:",
    )

    def write_new_study() -> None:
        name, number = there.dataset[: study_file.LONGEST_ID - 4], 2
        while open_study(here.store, here.settings, f"{name}_{number}").version:
            number += 1
        new = set_field_in_toml(text, "", 0, "id", f"{name}_{number}")
        named = f"{declared.form.title[: study_file.LONGEST_TITLE - 4]} {number}"
        own_study_file_editor.replace_text_in_study_file_editor(
            set_field_in_toml(new, "", 0, "title", named)
        )
        st.session_state.pop(_BASE, None)

    def make_version() -> None:
        st.session_state[_BASE] = (there.dataset, there.version)
        st.session_state[_DECIDED] = asked_for

    def add_items() -> None:
        own_study_file_editor.replace_text_in_study_file_editor(there.text)
        make_version()

    st.button("A new study", key="own.becomes.study", on_click=write_new_study, type="primary")
    st.caption("It gets another name, which you can change; the other one stays as it is.")
    if table:
        new, known, differing, withdrawn, faults = _beside(here, there, rows)
        fits = bool(new) and not differing and not faults
        st.button(
            f"More items for “{title}”",
            key="own.becomes.items",
            on_click=add_items,
            disabled=not fits,
        )
        told = [f"{len(new):,} new", f"{len(known):,} already there"]
        told += [f"{len(differing):,} with different wording"] if differing else []
        told += [f"{len(withdrawn):,} withdrawn"] if withdrawn else []
        names = ", ".join(escape_markdown(one) for one in (differing or new)[:_NAMED])
        st.caption(
            f"This table does not fit that study: {escape_markdown(faults[0])}"
            if faults
            else f"Of the rows looked at: {', '.join(told)}{f' ({names}, …)' if names else ''}. Its"
            " questions stay as they are."
            + (
                " To correct items that are there, import the table on the Data page, which asks"
                " what has changed."
                if differing
                else ""
            )
            + (" Withdrawn items are put back under Items." if withdrawn else "")
        )
    st.button(f"A new version of “{title}”", key="own.becomes.version", on_click=make_version)
    st.caption(
        "The file below replaces its file, provided that the answers given so far stay true."
    )


def _beside(
    here: Here, there: Study, rows: list[dict[str, Any]]
) -> tuple[list[str], list[str], list[str], list[str], Sequence[str]]:
    """The names of a table's items that are new in a study, already there, there with other words,
    and withdrawn there; and what is wrong with the table's rows for that study.
    """
    looked = own_files.items_faults_and_notes_of_table_rows(there.declared, rows)
    kept = {
        name: body
        for name, _, body in queries.list_names_and_columns_of_items(here.store, there.dataset)
    }
    gone = withdrawn_items.withdrawals_in_force_by_item(
        here.store, there.task.study, there.dataset
    ).values()
    withdrawn = {one.name for one in gone}
    new: list[str] = []
    known: list[str] = []
    differing: list[str] = []
    for one in looked.items:
        if one.name in withdrawn:
            continue
        body = kept.get(one.name)
        # Of files only the names can be compared here.
        same = body is not None and {**body, FILES: None} == {**dict(one.body), FILES: None}  # type: ignore[arg-type]
        (new if body is None else known if same else differing).append(one.name)
    again = [one.name for one in looked.items if one.name in withdrawn]
    return new, known, differing, again, looked.faults


def _ask_which_version(here: Here, there: Study, text: str) -> None:
    """Ask before overwriting a version of the study that another lead has saved in the meantime."""

    def mine() -> None:
        st.session_state[_BASE] = (there.dataset, there.version)

    def theirs() -> None:
        mine()
        own_study_file_editor.replace_text_in_study_file_editor(there.text)

    who, at = queries.who_saved_version_and_when(here.store, there.dataset, there.version)
    when = f" at {format_time_of_day(at)}" if at else ""
    draw_differences_and_version_choice(
        _apart(there.text, text),
        key="own.version",
        keep_mine=mine,
        take_theirs=theirs,
        changed=f"**{escape_markdown(who or 'Somebody')} changed this study{when}, after you"
        " began**"
        f" (version {there.version}). What you wrote is kept as your draft. If you keep this"
        " version, opening it replaces theirs; if you use theirs, Undo brings yours back.",
        theirs="theirs",
    )


def _draw_opening(
    here: Here,
    declared: StudyDeclaration,
    there: Study,
    text: str,
    rows: list[dict[str, Any]],
    given: _Table | _Project | _Stored | None,
    *,
    unblinded: bool,
) -> None:
    """The file to download, and the button that opens the study with its items; ``unblinded``: once
    more if something shown gives a model away.
    """
    base = st.session_state[_BASE]
    asked_for = (declared.study_id, _sign_of(given))
    renamed = given is None and base[0] != declared.study_id and text != there.text
    another = given is not None and st.session_state.get(_DECIDED) != asked_for
    if there.version and (renamed or another):
        _ask_what_it_becomes(here, declared, there, text, rows, asked_for, table=given is not None)
        return
    seen = base[1] if base[0] == declared.study_id else there.version
    if seen < there.version and text != there.text:
        _ask_which_version(here, there, text)
        return
    seen = there.version

    def go(*, skip_bad: bool = False) -> None:
        with here.show_errors_within(), ExitStack() as opened:
            items, called, judgments = None, "", None
            place = given.place if isinstance(given, _Table) else TablePlace()
            if given is not None:
                items, called, judgments = opened.enter_context(given.files(here))
                try:
                    work_behind_commands.check_study_file_in_temporary_store(
                        *(here.settings, text, "STUDY.toml", items),
                        skip_bad=skip_bad,
                        called=called,
                        sheet=place.sheet,
                        header=place.header,
                        encoding=place.encoding,
                        judgments=judgments,
                    )
                except BadFile as error:
                    # Rows that are refused can be left out; another fault needs another file.
                    st.session_state[_REFUSED] = (asked_for, text) if error.rows else None
                    raise
            files: dict[str, tuple[Source, str, Mapping[str, Any]]] = {}
            if items is not None:
                files["own-items"] = (items, called, vars(place))
            if judgments is not None:
                files["own-judgments"] = (judgments, "judgments.jsonl", {})
            # Streamlit ends the run of somebody who left at the next call of it: there is none
            # between the study and its items.
            added = work_behind_commands.add_study_with_files_and_return_outcomes(
                *(here.store, here.settings, text, files),
                by=here.person,
                seen=seen,
                skip_bad=skip_bad,
            )
            if added is None:
                # Another lead was a moment faster: show their version.
                st.rerun()
            kept, imported = added
            st.session_state[_BASE] = (declared.study_id, kept.version)
            st.session_state[_DECIDED] = asked_for
            _end_draft(here, text)
            said = f"{escape_markdown(declared.form.title)} was added (version {kept.version})."
            for done in imported:
                said += f" {escape_markdown(done.line)}"
                if done.refused:
                    are = (
                        "row that was refused is"
                        if done.refused == 1
                        else ("rows that were refused are")
                    )
                    said += f" {done.refused:,} {are} left out."
                notes = [_note_without_file_name(note, called) for note in done.notes]
                said += "".join(f"  \n{note}" for note in notes)
            draft = st.query_params.get("draft", "")
            st.session_state[_DONE] = _Made(declared.study_id, draft, said)
            # With a first study, another view becomes the one that opens by itself.
            page_address.set_values_in_address(view="Make a study", dataset=declared.study_id)
            st.rerun()

    if unblinded and st.session_state.get(_UNBLINDED) == text:
        st.warning(
            "**Not added yet.** Reviewers could tell which model wrote an answer: the reasons "
            "are listed above, with the columns and rows. Mask the names, make the texts answers "
            "to compare, or choose not to show such a column.",
            icon=":material/visibility:",
        )
        all_the_same = "Add it all the same" if given is not None else "Keep it all the same"
        if st.button(all_the_same, key="own.open.unblinded"):
            st.session_state.pop(_UNBLINDED)
            go()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        draw_export_button(
            "Download STUDY.toml",
            lambda: text,
            about=f"draft of {declared.study_id}",
            key="own.draft",
            file_name=f"{declared.study_id}.toml",
            mime="application/toml",
        )
        words = "Add the study" if given is not None else "Keep the study's file"
        pressed = st.button(
            words, type="primary", key="own.open", disabled=there.text == text and given is None
        )
    if pressed:
        st.session_state.pop(_REFUSED, None)
    if pressed and not unblinded:
        go()
    if st.session_state.get(_REFUSED) == (asked_for, text) and st.button(
        "Leave the refused rows out, and add the rest",
        key="own.open.skip",
        help="They are listed above; correct them in your table and add it again later.",
    ):
        st.session_state.pop(_REFUSED)
        go(skip_bad=True)
    if pressed and unblinded:
        st.session_state[_UNBLINDED] = text
        st.rerun()


def _tell(here: Here, study: Study, made: str) -> None:
    """What was opened and what comes next, such as its round if that is not open yet."""
    st.success(made, icon=":material/check_circle:")
    if study.declared.column_written_by_models and not queries.has_items_to_judge(
        here.store, study.dataset
    ):
        st.page_link(
            "pages/6_Runs.py",
            label="Let models write the answers: start the run with your table of cases",
            icon=":material/smart_toy:",
            query_params={"new": f"{STUDY}.{generate_arm_answers.KIND}"},
        )
        return
    if not study.dataset:
        return
    if not queries.has_items_to_judge(here.store, study.dataset):
        st.page_link(
            "pages/7_Data.py",
            label="Import its items: nobody has anything to judge until they are there",
            icon=":material/upload_file:",
        )
        return
    way = {"task": study.task.name, "dataset": study.dataset}
    if rounds.current_round_of_task(here.store, study.task, study.dataset).state != "open":
        st.page_link(
            "pages/5_Team.py",
            label="Open its round on Team, so that people are given its items",
            icon=":material/group:",
            query_params={"section": "hand-out", **way},
        )
        return
    st.markdown("Everyone on your team finds it on Home now.")
    st.page_link(
        "pages/8_Your_studies.py",
        label="Judge an item first",
        icon=":material/edit_note:",
        # Named, so that it is not taken for the address from before the study was added.
        query_params={"view": "Judge", "dataset": study.dataset},
    )
    st.page_link(
        "pages/5_Team.py",
        label="Invite people to it on Team",
        icon=":material/group:",
        query_params={"section": "people", **way},
    )
