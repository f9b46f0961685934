"""Files in: upload, see how they were read, import. Nothing is written before the button."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import BinaryIO, Final, Literal

import pandas as pd
import streamlit as st

from medlens.app import import_undoing, work_behind_commands
from medlens.app.file_intake import file_kind_guess_and_first_row_preview, reader_client
from medlens.app.file_intake.default_dataset_for_file import default_dataset_for_file_kind
from medlens.app.file_intake.reader_client import FileDescription
from medlens.app.file_intake.reader_processes import readers_of_this_process
from medlens.app.work_behind_commands import Outcome
from medlens.errors import BadFile, MedLensError
from medlens.review import (
    items,
    judgment_import,
    renaming_and_name_translation,
    undo_imports,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.studies import registry
from medlens.studies.own.study import find_study_name_by_columns
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.studies.task_registry import OF_NO_DATASET
from medlens.tables.file_schemas_import_requests_and_reports import Compared
from medlens.tables.workbook_sheet_to_csv_with_notes import is_workbook
from medlens.ui import (
    archive_unarchive_and_delete_forms,
    page_address,
    settings_store_and_runs_of_process,
)
from medlens.ui.answer_form import FieldData
from medlens.ui.export_button import draw_export_button
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.make_study import draw_link_to_make_study_from_table
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.sheet_heading_and_encoding_choice import (
    ENCODINGS,
    TablePlace,
    draw_sheet_and_heading_choice_and_keep_it,
    table_place_chosen_by_person,
)
from medlens.ui.times_in_browser_time_zone import streamlit_column_of_times, to_browser_time_zone
from medlens.ui.upload_endpoint import Sent

_JOB = "data.job"
_UNDONE = "data.undone"
_SEEN = "data.seen"
_ENCODINGS = ("UTF-8", *ENCODINGS)
"""The first is the default."""
_KIND_HINT = (
    "CSV, Excel, JSON lines, a JSON array or Parquet, up to 200 MB. MedLens recognises "
    "a file by its contents, not its name."
)
_SHOWN_ROWS = 200
_WIDTHS: Final = {
    name: st.column_config.TextColumn(width="medium") for name in ("question", "options", "text")
}


Ticket = tuple[str, str, str, str, str, str, TablePlace, tuple[str, str]]
"""The file, its kind, dataset, label, who imports it, its encoding, where its table is, and what to
do with items that are changed and missing."""
_CHANGED = {
    "leave": "leave them as they are",
    "typing": "correct them: typing errors, their judgments still count",
    "meaning": "correct them: their meaning changed, so people are asked again",
}
_MISSING = {"leave": "leave them in the dataset", "withdraw": "withdraw them"}


@dataclass
class _Job:
    """One file to import in one way: what the preview found, and the outcome."""

    ticket: Ticket
    whole: Outcome | None = None
    rest: Outcome | None = None
    fault: MedLensError | None = None
    wanted: Literal["", "all", "good"] = ""
    reason: str = ""
    outcome: Outcome | None = None
    failure: MedLensError | None = None
    at_work: threading.Lock = field(default_factory=threading.Lock)


def draw_upload_preview_and_import(here: Here) -> None:
    """Upload, preview, import; below them the imports so far."""
    readers_of_this_process().start_parent_of_readers()
    uploaded = st.file_uploader("File", key="data.file", help=_KIND_HINT)
    if uploaded is None:
        st.session_state.pop(_JOB, None)
        with st.expander("What can be imported", icon=":material/help:"):
            st.dataframe(
                pd.DataFrame(
                    {"kind": kind.title, "looks like": kind.looks}
                    for kind in registry.IMPORTS.values()
                ),
                hide_index=True,
            )
    else:
        with Sent(uploaded) as sent:
            _upload(here, sent)
    _so_far(here)
    archive_unarchive_and_delete_forms.draw_archived_things_to_unarchive(here)


def _upload(here: Here, uploaded: Sent) -> None:
    # A browser may send a path as the name.
    name = PurePath(uploaded.called.replace("\\", "/")).name
    fields = st.container()
    encoding = "" if _is_workbook(uploaded) else _draw_encoding(uploaded)
    try:
        seen = _seen(here, uploaded, name, encoding)
        place = st.container()
    except MedLensError as error:
        _note_refused(here, uploaded, "unknown", name, error)
        show_error(error)
        return
    left, middle, right = fields.columns(3)
    taxonomy = open_study(here.store, here.settings, st.query_params.get("dataset", "")).taxonomy
    choices = list(registry.IMPORTS)
    guessed = file_kind_guess_and_first_row_preview.guess_import_kind_from_columns(
        seen.columns, taxonomy, study=seen.study
    )
    of_own = find_study_name_by_columns(here.store, seen.columns)
    guessed = guessed or ("own-items" if of_own else "")
    kind = left.selectbox(
        "What is it?",
        choices,
        index=choices.index(guessed) if guessed else None,
        format_func=lambda one: registry.IMPORTS[one].title,
        key=f"data.kind.{uploaded.file_id}",
        placeholder="Choose the kind of file",
    )
    if kind is None:
        st.caption(
            "Its columns match no kind of file that MedLens knows. If it holds what people are to"
            " judge, make a study from it; otherwise choose its kind."
        )
        draw_link_to_make_study_from_table(uploaded)
        return
    known = {
        row["dataset"]: row["illustrative"]
        for row in items.datasets_of_study(here.store, registry.study_name_of_file_kind(kind))
    }
    own = of_own if kind == "own-items" else ""
    study = registry.study_name_of_file_kind(kind)
    named = seen.dataset or own or default_dataset_for_file_kind(here.store, kind)
    default = renaming_and_name_translation.name_of_dataset_before_renaming(
        here.store, named, study
    )
    dataset = default
    if kind not in OF_NO_DATASET:
        dataset = middle.selectbox(
            "Dataset",
            list(dict.fromkeys([default, *known])),
            format_func=lambda name: renaming_and_name_translation.current_name_of_dataset(
                here.store, study, name
            ),
            accept_new_options=True,
            key=f"data.dataset.{uploaded.file_id}.{kind}",
            help="Choose one, or type a new name.",
        )
    label = ""
    if kind == "labels":
        label = right.text_input(
            "Name of these labels",
            PurePath(name).stem,
            key=f"data.label.{uploaded.file_id}",
            help="Figures compare your judgments with it under this name.",
            max_chars=80,
        )
    if kind == "sourcecheckup-decisions":
        label = right.text_input(
            "Who made these decisions",
            "SourceCheckup",
            key=f"data.label.{uploaded.file_id}",
            help="The verifier that the file's verdicts are kept under.",
            max_chars=80,
        )
    st.caption(registry.IMPORTS[kind].looks)
    if kind == "own-items" or seen.layout.sheets:
        with place:
            draw_sheet_and_heading_choice_and_keep_it(
                seen.layout, key=f"data.place.{uploaded.file_id}"
            )
    if not dataset.strip():
        return
    job = _job(here, uploaded, name, kind, dataset.strip(), label.strip(), encoding)
    if job.wanted and not job.outcome and not job.failure:
        _do(here, uploaded, name, job)
    if job.outcome or job.failure:
        _done(job)
    else:
        _preview(name, job, key=_choice_key(uploaded, kind, dataset.strip()))


def _is_workbook(uploaded: Sent) -> bool:
    with open(uploaded.path, "rb") as file:
        return is_workbook(file)


def _draw_encoding(uploaded: Sent) -> str:
    """The text encoding that the lead chose; empty for UTF-8."""
    chosen = st.selectbox(
        "Text encoding",
        _ENCODINGS,
        key=f"data.encoding.{uploaded.file_id}",
        width=260,
        accept_new_options=True,
        help="Leave it at UTF-8 unless the file is refused for its encoding, or letters look wrong."
        " A few cells in another encoding do no harm.",
    )
    return "" if chosen == _ENCODINGS[0] else str(chosen or "")


def _job(
    here: Here, uploaded: Sent, name: str, kind: str, dataset: str, label: str, encoding: str
) -> _Job:
    """The preview of this file, kept until the file or the way of reading it changes."""
    place = table_place_chosen_by_person(f"data.place.{uploaded.file_id}")
    key = _choice_key(uploaded, kind, dataset)
    chosen = tuple(str(st.session_state.get(f"{key}.{part}") or "") for part in _PARTS)
    ticket: Ticket = (
        *(uploaded.file_id, kind, dataset, label, here.person.id, encoding, place),
        (chosen[0], chosen[1]),
    )
    held: _Job | None = st.session_state.get(_JOB)
    if held and held.ticket == ticket:
        return held
    job = _Job(ticket)

    try:
        job.whole = _import(here, uploaded, name, ticket, "Reading", dry_run=True)
    except MedLensError as error:
        job.fault = error
        _note_refused(here, uploaded, kind, name, error)
        with contextlib.suppress(MedLensError):
            job.rest = _import(here, uploaded, name, ticket, "Reading", dry_run=True, skip_bad=True)
    st.session_state[_JOB] = job
    return job


_PARTS = ("changed", "missing")


def _choice_key(uploaded: Sent, kind: str, dataset: str) -> str:
    """The key of what is chosen for a file's changed and missing items."""
    return f"data.revise.{uploaded.file_id}.{kind}.{dataset}"


def _import(
    here: Here,
    uploaded: Sent,
    name: str,
    ticket: Ticket,
    doing: str,
    *,
    skip_bad: bool = False,
    dry_run: bool = False,
    reason: str = "",
    keep: Callable[[Outcome], None] = lambda _: None,
) -> Outcome:
    """Import or preview. ``keep`` is given what was done before anything else is drawn, where a
    second press may end this run.
    """
    _, kind, dataset, label, by, encoding, place, (changed, missing) = ticket
    with _Progress(doing) as told:
        done = work_behind_commands.import_file(
            here.store,
            here.settings,
            kind,
            uploaded.path,
            name=name,
            dataset=dataset,
            label=label,
            skip_bad=skip_bad,
            encoding=encoding,
            sheet=place.sheet,
            header=place.header,
            dry_run=dry_run,
            by=by,
            progress=told.rows,
            share=told.share,
            changed=changed,
            missing=missing,
            reason=reason,
        )
        keep(done)
    return done


def _note_refused(here: Here, uploaded: Sent, kind: str, name: str, error: MedLensError) -> None:
    work_behind_commands.log_refused_import_in_audit(
        here.store, kind, name, error, by=here.person.id, once=f"{uploaded.file_id}:{kind}"
    )


def _seen(here: Here, uploaded: Sent, name: str, encoding: str) -> FileDescription:
    """What the file says about itself, read once."""
    place = table_place_chosen_by_person(f"data.place.{uploaded.file_id}")
    sign = (uploaded.file_id, encoding, place)
    held: tuple[tuple[str, str, TablePlace], FileDescription] | None = st.session_state.get(_SEEN)
    if held is None or held[0] != sign:
        seen = reader_client.read_file_description_in_reader_process(
            *(here.settings, uploaded.path, name),
            encoding=encoding,
            sheet=place.sheet,
            header=place.header,
        )
        held = st.session_state[_SEEN] = (sign, seen)
    return held[1]


def _preview(name: str, job: _Job, *, key: str) -> None:
    found = job.whole or job.rest
    if job.fault:
        _refused(name, job, job.fault)
    if found is None or found.taken is None:
        return
    report = found.taken
    if not report.added and not report.known:
        if not job.fault:
            st.info("This file has no rows.", icon=":material/info:")
        return
    counts = f"**{report.added:,}** {report.called} to add, {report.known:,} already imported"
    refused = report.refused
    rows = "row" if refused == 1 else "rows"
    st.markdown(counts + (f", {refused:,} {rows} refused." if refused else "."))
    good = "good " if job.whole is None else ""
    compared, (changed, missing) = report.compared, job.ticket[-1]
    revises = bool(compared and (compared.changed or compared.missing) and report.known)
    if compared and revises:
        _draw_choices(compared, job, key=key)
    acts = compared is not None and (
        (compared.changed and changed in ("typing", "meaning"))
        or (compared.missing and missing == "withdraw")
    )
    undecided = bool(compared and compared.changed and not changed)
    if report.added or acts or undecided:
        verb = f"Import {report.added:,} {good}{report.called}" if report.added else "Import"
        st.button(
            f"{verb} and do this" if acts and report.added else verb,
            type="primary",
            key="data.import",
            icon=":material/upload:",
            on_click=_want,
            args=(job, "good" if good else "all"),
            disabled=undecided or bool(acts and not job.reason.strip()),
        )
        if undecided:
            st.caption("First choose what to do with the changed items.")
        elif acts and not job.reason.strip():
            st.caption("First give a reason: it is kept with the items.")
    else:
        st.info(
            f"All {good}rows of this file are already imported: nothing would be added.",
            icon=":material/check:",
        )
    _notes(report.notes)
    if report.head:
        st.caption(f"The first {len(report.head)} rows as MedLens reads them")
        st.dataframe(pd.DataFrame(report.head), hide_index=True, column_config=_WIDTHS)


def _draw_choices(compared: Compared, job: _Job, *, key: str) -> None:
    """How the file's items compare with those there, what to do with them, and what follows."""
    st.dataframe(
        {
            "new": [compared.new],
            "the same": [compared.same],
            "changed": [compared.changed],
            "missing in the file": [compared.missing],
        },
        hide_index=True,
        width=480,
        key=f"{key}.counts",
    )
    for part, many, names, options in (
        ("changed", compared.changed, compared.changed_names, _CHANGED),
        ("missing", compared.missing, compared.missing_names, _MISSING),
    ):
        if not many:
            continue
        more = f" and {many - len(names):,} more" if many > len(names) else ""
        st.radio(
            f"The {many:,} that {'is' if many == 1 else 'are'} {part}",
            list(options),
            index=None if part == "changed" else 0,
            format_func=options.__getitem__,
            key=f"{key}.{part}",
        )
        st.caption(escape_markdown(", ".join(names)) + more)
        if part == "changed" and compared.difference:
            st.caption(escape_markdown(f"The first is {names[0]}{compared.difference}."))
    for line in compared.follows:
        st.markdown(escape_markdown(line))
    changed, missing = job.ticket[-1]
    if changed in ("typing", "meaning") or missing == "withdraw":
        job.reason = st.text_input("Why (required)", key=f"{key}.reason", max_chars=2000)


def _want(job: _Job, wanted: Literal["all", "good"]) -> None:
    job.wanted = wanted


def _do(here: Here, uploaded: Sent, name: str, job: _Job) -> None:
    """Import; if a rerun interrupts it, it starts again, because nothing was written by then."""

    def keep(done: Outcome) -> None:
        job.outcome = done

    st.button("Importing…", disabled=True, key="data.importing")
    # Of a double click the second run begins while the first is still at it: it waits, and finds
    # what was done, or, if the first was stopped in time, does it.
    with job.at_work:
        if not (job.outcome or job.failure):
            try:
                _import(
                    *(here, uploaded, name, job.ticket, "Importing"),
                    skip_bad=job.wanted == "good",
                    reason=job.reason,
                    keep=keep,
                )
            except MedLensError as error:
                job.failure = error
    st.rerun()


def _done(job: _Job) -> None:
    if job.failure:
        show_error(job.failure)
        return
    if job.outcome:
        st.success(escape_markdown(job.outcome.line), icon=":material/check_circle:")
        _notes(job.outcome.notes)
        if job.outcome.taken and job.outcome.taken.dataset:
            page_address.set_values_in_address(dataset=job.outcome.taken.dataset)
            _way_on(registry.study_name_of_file_kind(job.ticket[1]), job.outcome.taken.dataset)


def _called(here: Here, one: undo_imports.UndoableImport) -> str:
    return renaming_and_name_translation.current_name_of_dataset(
        here.store, registry.study_name_of_file_kind(one.kind), one.dataset
    )


def _way_on(study: str, dataset: str) -> None:
    """A link to where the imported items are handed out, or drawn first."""
    declared, store = registry.STUDIES[study], settings_store_and_runs_of_process.store_of_process()
    name, view = next(iter(declared.views.items()))
    tasks = declared.tasks(
        declared.open(store, settings_store_and_runs_of_process.current_settings(), dataset)
    )
    task = next(one for one in tasks if one.name == name)
    # What everyone is to answer is drawn first.
    if (
        task.everyone
        and not work_progress_and_pace_by_item_and_rater.list_item_counts_per_number_of_judgments(
            store, task, dataset=dataset
        )
    ):
        st.page_link(
            declared.page,
            label="Next: draw what people are asked",
            icon=":material/arrow_forward:",
            query_params={**view, "dataset": dataset},
        )
        return
    st.page_link(
        "pages/5_Team.py",
        label="Next: hand it out on Team",
        icon=":material/arrow_forward:",
        query_params={"section": "hand-out", "task": name, "dataset": dataset},
    )


def _notes(notes: tuple[str, ...]) -> None:
    if notes:
        with st.expander("Remarks", icon=":material/info:", expanded=len(notes) < 6):
            st.text("\n".join(notes), width="stretch")


def _refused(name: str, job: _Job, fault: MedLensError) -> None:
    """What is wrong with the file: the error in words, the rows in a table and as a file."""
    rest = job.rest.taken if job.rest else None
    rows = list(rest.problems if rest else fault.rows if isinstance(fault, BadFile) else ())
    if not rows:
        show_error(fault)
        return
    number = rest.refused if rest else len(rows)
    count, them = ("1 row is", "it") if number == 1 else (f"{number:,} rows are", "them")
    show_error(
        BadFile(
            f"{name}: {count} refused.",
            hint=f"Correct {them} and upload the file again, or import the good rows without"
            f" {them}.",
        )
    )
    st.dataframe(
        [
            {
                "file": row.file,
                "line": row.line,
                "column": row.column,
                "expected": row.expected,
                "found": row.got,
            }
            for row in rows[:_SHOWN_ROWS]
        ],
        hide_index=True,
    )
    if number > _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS} of {number:,}; the download has them all.")
    if rest and rest.refusals:
        refusals = rest.refusals
        draw_export_button(
            "Download the refused rows",
            lambda: (_whole(refusals), number),
            about=f"refused rows of {name}",
            key="data.bad_rows",
            file_name=f"{PurePath(name).stem}-refused{rest.ending}",
            mime="text/plain",
        )


def _whole(file: BinaryIO) -> bytes:
    file.seek(0)
    return file.read()


def _so_far(here: Here) -> None:
    table = judgment_import.recent_imports_table(here.store, viewer=here.person)
    studies = [
        registry.study_name_of_file_kind(kind) if kind in registry.IMPORTS else ""
        for kind in table["kind"]
    ]
    table = renaming_and_name_translation.put_current_names_in_table(
        here.store, table.assign(study=studies)
    ).drop(columns="study")
    if table.empty:
        return
    if "undone" in table:
        # As text: the table would say None where nothing was undone.
        table["undone"] = [
            f"{to_browser_time_zone(at):%-d %b %Y, %H:%M}" if pd.notna(at) else ""
            for at in table["undone"]
        ]
    st.header("Imports so far", anchor=False)
    st.dataframe(
        table,
        hide_index=True,
        column_config={"when": streamlit_column_of_times("when")},
    )
    _draw_undoing(here)


def _draw_undoing(here: Here) -> None:
    """Undo an import: what it does, with counts before and after, and a form that does it."""
    if done := st.session_state.pop(_UNDONE, ""):
        st.success(escape_markdown(done), icon=":material/check:")
    undoable = {
        one.entry: one for one in undo_imports.list_undoable_imports(here.store, viewer=here.person)
    }
    if not undoable:
        return
    opened = st.expander("Undo an import", key="data.undo", on_change="rerun")
    if not opened.open:
        return
    with opened:
        entry = st.selectbox(
            "Import",
            list(undoable),
            index=None,
            format_func=lambda one: (
                f"{undoable[one].file} into"
                f" {_called(here, undoable[one])},"
                f" {to_browser_time_zone(undoable[one].at):%-d %b %Y, %H:%M}"
            ),
            key="data.undo.import",
            placeholder="choose one to see what undoing it does",
            width=520,
        )
        if not entry:
            return
        try:
            undoing = import_undoing.preview_undoing(here.store, entry, viewer=here.person)
        except MedLensError as error:
            show_error(error)
            return
        st.markdown(escape_markdown(undoing.undo_in_words))
        st.caption(
            "The same file, or a corrected one, can be imported again."
            if undoing.are_items_removed
            else "They can be put back under Items."
        )

        def send(entered: Entries) -> None:
            done = import_undoing.undo_import_and_return_import_undo(
                here.store, entry, reason=entered.get("reason") or "", by=here.person
            )
            st.session_state[_UNDONE] = done.undo_in_words

        fields: list[FieldData] = [
            {"id": "reason", "kind": "text", "label": "Why (required)", "lines": 2, "longest": 2000}
        ]
        sheet = form_sheet_of_session(
            here.store, here.person, "undoing", entry, send=send, anew=True
        )
        draw_form_sheet(sheet, fields, submit="Undo it")


class _Progress:
    """A progress bar for reading a file; a rerun that stops the page ends the reading."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._rows, self._share = 0, 0.0

    def __enter__(self) -> _Progress:
        self._bar = st.empty()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.empty()

    def share(self, share: float) -> None:
        """Set the share of the file that has been read."""
        self._share = share

    def rows(self, more: int) -> None:
        """Add ``more`` rows to those read."""
        self._rows += more
        if self._rows:
            text = f"{self._doing}: {self._rows:,} rows"
            self._bar.progress(min(self._share, 1.0), text=text)
        else:
            self._bar.progress(0.0, text=f"{self._doing}…")
