"""The file of your own study: what it asks, how to download it, and how to replace it (leads)."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput, MedLensError
from medlens.review import audit_log, hand_out_settings, renaming_and_name_translation
from medlens.review.raters import Rater
from medlens.studies.own import study_file
from medlens.studies.own.attached_files import LARGEST, AttachedStudyFiles, is_image_or_pdf
from medlens.studies.own.study import (
    REVEALED,
    Study,
    attached_files_of_study,
    open_study,
    store_study_file_version_and_return_it,
)
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.tasks import NAME, STUDY
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.streamlit_internals import UploadedFile
from medlens.ui.template_gallery import draw_template_gallery
from medlens.ui.upload_endpoint import Sent, read_upload_within_limit

_NOTICE = "own.notice"
_TOLD = 10
"""Maximum number of refused files listed by name."""


def draw_study_file(here: Here, study: Study) -> None:
    """What the study asks, the templates, and how to add a study or change this one."""
    if notice := st.session_state.pop(_NOTICE, ""):
        st.success(notice, icon=":material/check_circle:")
        st.page_link("pages/7_Data.py", label="Import its items", icon=":material/upload_file:")
    if study.dataset:
        st.header("What it asks", anchor=False)
        called = renaming_and_name_translation.current_name_of_dataset(
            here.store, STUDY, study.dataset
        )
        st.caption(f"Version {study.version}, dataset {escape_markdown(called)}.")
        _draw_questions(study.declared)
        draw_export_button(
            "Download STUDY.toml",
            lambda: study.text,
            about=f"file of {study.dataset}",
            key="own.file",
            file_name=f"{called}.toml",
            mime="application/toml",
        )
        if study.declared.arms and not study.declared.is_marked_at_tagging_desk:
            _draw_arms(here, study)
        if study.declared.pane_kinds_by_file_column:
            draw_upload_of_attached_files(here, study.declared, key=f"own.files.{study.dataset}")
    st.header("Add a study, or change one", anchor=False)
    st.caption(
        "A study is one file that you can edit in any text editor. Start from a template: its"
        " items show the columns that yours need, and are made up. A file with the id of an "
        "existing study becomes its next version."
    )
    # Below a study's own file they are not what the page is about.
    with st.expander("Templates", icon=":material/dashboard:", expanded=not study.dataset):
        draw_template_gallery()
    uploaded = st.file_uploader(
        "Your file (STUDY.toml)", key="own.upload", max_upload_size=study_file.LARGEST_MB
    )
    if uploaded is None:
        return
    try:
        content = read_upload_within_limit(uploaded, study_file.LARGEST_MB)
        text, found = study_file.parse_study_file_text_and_declaration(content, uploaded.name)
    except MedLensError as error:
        show_error(error)
        return
    st.markdown(
        f"**{escape_markdown(found.form.title)}** ({escape_markdown(found.study_id)}), will ask:"
    )
    _draw_questions(found)
    for said in found.repeated_wordings_in_sentences:
        st.warning(escape_markdown(said), icon=":material/content_copy:")
    there = open_study(here.store, here.settings, found.study_id)
    if there.text == text:
        st.info("This is the file in use.", icon=":material/check:")
        return
    seen = f"own.seen.{uploaded.file_id}"
    version = st.session_state.setdefault(seen, there.version)
    words = f"Use it as version {version + 1}" if version else "Add this study"
    if st.button(words, type="primary", key="own.add"):
        with here.show_errors_within():
            kept = store_study_file_version_and_return_it(
                here.store, text, name=uploaded.name, by=here.person, seen=version
            )
            st.session_state[seen] = kept.version
            st.session_state[_NOTICE] = (
                f"{escape_markdown(found.form.title)} was saved as version {kept.version}."
            )
            st.rerun()


def _draw_arms(here: Here, study: Study) -> None:
    """Whether reviewers may see which arm is which."""
    names = study.declared.arms.names if study.declared.arms else ()
    st.caption(
        f"Compared: {escape_markdown(', '.join(names))}. Reviewers see letters in their place."
    )

    def reveal() -> None:
        told = bool(st.session_state["own.reveal"])
        hand_out_settings.change_task_settings(
            here.store, NAME, study.dataset, {REVEALED: told}, by=here.person
        )

    st.session_state["own.reveal"] = study.revealed
    st.toggle(
        "Tell reviewers which model is which, on items that they have judged",
        key="own.reveal",
        on_change=reveal,
        help="Any change to an answer after that is not blind, and counts in no figure.",
    )


def draw_upload_of_attached_files(here: Here, declared: StudyDeclaration, *, key: str) -> None:
    """The upload of the images and PDFs that the study's items name."""
    attached = attached_files_of_study(here.settings, declared.study_id)
    round_ = st.session_state.get(f"{key}.round", 0)
    given = st.file_uploader(
        "Images and PDFs that the table names, one by one or in a zip file",
        accept_multiple_files=True,
        key=f"{key}.{round_}",
        help=f"They are kept on the server, in {attached.folder_in_words}; large collections can"
        " be copied there. A file that was added never changes.",
    )

    def keep() -> None:
        added, known, refused = _kept(here.settings, attached, given, by=here.person)
        if added:
            about = f"{added} files of {declared.study_id}"
            audit_log.record_entry(here.store, "import", who=here.person.id, about=about)
        st.session_state[f"{key}.done"] = (added, known, refused)
        st.session_state[f"{key}.round"] = round_ + 1

    if given:
        files = "this file" if len(given) == 1 else f"these {len(given)} files"
        st.button(f"Add {files} to the study", key=f"{key}.add", on_click=keep)
    elif done := st.session_state.pop(f"{key}.done", None):
        added, known, refused = done
        said = [f"{added:,} added"] * bool(added) + [f"{known:,} already there"] * bool(known)
        if said:
            st.success(f"Files: {', '.join(said)}.", icon=":material/check_circle:")
        if refused:
            more = len(refused) - _TOLD
            told = [*refused[:_TOLD], *([f"And {more:,} more."] if more > 0 else [])]
            show_error(BadFile("\n".join(told)))


def _kept(
    settings: Settings, attached: AttachedStudyFiles, given: Sequence[UploadedFile], *, by: Rater
) -> tuple[int, int, list[str]]:
    """The number of uploaded files added, the number already there, and why others were refused."""
    added = known = 0
    refused: list[str] = []

    def keep(name: str, content: bytes) -> None:
        nonlocal added, known
        try:
            new = attached.add_file_and_say_if_new(name, content, by=by)
        except InvalidInput as error:
            refused.append(f"{error.message} {error.hint}")
        else:
            added, known = added + new, known + (not new)

    for uploaded in given:
        with Sent(uploaded) as sent:
            try:
                if is_image_or_pdf(sent.path):
                    keep(uploaded.name, sent.read(LARGEST + 1))
                else:
                    refused.extend(
                        reader_client.pass_on_files_of_upload_and_list_failures(
                            settings, sent.path, uploaded.name, keep
                        )
                    )
            except (BadFile, InvalidInput) as error:
                refused.append(f"{error.message} {error.hint}")
            except OSError as error:
                why = (
                    f"The folder {attached.folder_in_words} cannot be written to: {error.strerror}."
                )
                refused.append(f"{uploaded.name!r} could not be kept. {why}")
    return added, known, refused


def _draw_questions(declared: StudyDeclaration) -> None:
    st.dataframe(
        pd.DataFrame(
            {
                "question": one.text,
                "answer": one.kind.replace("_", " "),
                "choices": "; ".join(one.shown_options),
                "required": one.required,
                "only if": " is ".join(one.only_if or ()),
                "column": one.id,
            }
            for one in declared.questions_listed_without_item(declared.form)
        ),
        hide_index=True,
        column_config={"question": st.column_config.TextColumn(width="large")},
        alt="The questions of the study",
    )
