"""Files in: upload, see what was understood, import. Nothing is written before the button."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final, Literal

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from medlens import commands, rooms
from medlens.commands import Outcome
from medlens.errors import BadFile, BadRow, MedLensError
from medlens.review import import_log, items
from medlens.review.files import Report, Request
from medlens.tables import Refused, write_bad_rows
from medlens.tagging.study import open_study
from medlens.ui import address
from medlens.ui.data import kinds
from medlens.ui.frame import Here, escape, show_error

_JOB = "data.job"
_KIND_HINT = (
    "CSV, JSON lines, a JSON array or Parquet, up to 200 MB. What it is shows from its contents, "
    "not from its name."
)
_SHOWN_ROWS = 200
_WIDTHS: Final = {
    name: st.column_config.TextColumn(width="medium") for name in ("question", "options", "text")
}


@dataclass
class _Job:
    """One file to be imported in one way: what a dry run found, and what became of it."""

    ticket: tuple[str, ...]
    whole: Report | None = None
    rest: Report | None = None
    fault: MedLensError | None = None
    head: pd.DataFrame = field(default_factory=pd.DataFrame)
    wanted: Literal["", "all", "good"] = ""
    outcome: Outcome | None = None
    failure: MedLensError | None = None


def draw(here: Here) -> None:
    """Upload, preview, import; below it the imports so far."""
    uploaded = st.file_uploader("File", key="data.file", help=_KIND_HINT)
    if uploaded is None:
        st.session_state.pop(_JOB, None)
        with st.expander("What can be imported", icon=":material/help:"):
            st.dataframe(
                pd.DataFrame(
                    {"kind": title, "looks like": kinds.LOOKS.get(kind, "")}
                    for kind, title in rooms.IMPORTS.items()
                ),
                hide_index=True,
            )
    else:
        _upload(here, uploaded)
    _so_far(here)


def _upload(here: Here, uploaded: UploadedFile) -> None:
    # A browser may send a path as the name.
    name = PurePath(uploaded.name.replace("\\", "/")).name
    try:
        columns = kinds.columns_of(uploaded, name)
        study = kinds.named_study(uploaded, name)
    except MedLensError as error:
        show_error(error)
        return
    left, middle, right = st.columns(3)
    taxonomy = open_study(here.store, here.settings, st.query_params.get("dataset", "")).taxonomy
    choices = list(rooms.IMPORTS)
    guessed = kinds.guess(columns, taxonomy, study=study)
    kind = left.selectbox(
        "What is it?", choices, index=choices.index(guessed) if guessed else None,
        format_func=rooms.IMPORTS.__getitem__, key=f"data.kind.{uploaded.file_id}",
        placeholder="Choose the kind of file",
    )  # fmt: skip
    if kind is None:
        st.caption("Its columns are not those of any kind MedLens knows. Choose what it is.")
        return
    known = {row["dataset"]: row["illustrative"]
             for row in items.datasets(here.store, rooms.study_of(kind))}  # fmt: skip
    default = commands.default_dataset(here.store, kind)
    dataset = middle.selectbox(
        "Dataset", list(dict.fromkeys([default, *known])), accept_new_options=True,
        key=f"data.dataset.{uploaded.file_id}.{kind}", help="Choose one, or type a new name.",
    )  # fmt: skip
    label = ""
    if kind == "labels":
        label = right.text_input(
            "Name of these labels", PurePath(name).stem, key=f"data.label.{uploaded.file_id}",
            help="Figures compare your judgments with it under this name.", max_chars=80,
        )  # fmt: skip
    if kind == "sourcecheckup-decisions":
        label = right.text_input(
            "Whose decisions these are", "SourceCheckup", key=f"data.label.{uploaded.file_id}",
            help="The verifier that the file's verdicts are kept under.", max_chars=80,
        )  # fmt: skip
    st.caption(kinds.LOOKS.get(kind, ""))
    if not dataset.strip():
        return
    job = _job(here, uploaded, name, kind, dataset.strip(), label.strip())
    if job.wanted and not job.outcome and not job.failure:
        _do(here, uploaded, name, job)
    if job.outcome or job.failure:
        _done(job)
    else:
        _preview(name, job)


def _job(
    here: Here, uploaded: UploadedFile, name: str, kind: str, dataset: str, label: str
) -> _Job:
    """The dry run of this file, kept until the file or how to read it changes."""
    ticket = (uploaded.file_id, kind, dataset, label, here.person.id)
    held: _Job | None = st.session_state.get(_JOB)
    if held and held.ticket == ticket:
        return held
    job = _Job(ticket)
    study = open_study(here.store, here.settings, dataset)

    def dry(*, skip_bad: bool) -> Report:
        with _Progress(uploaded, "Reading") as told:
            request = Request(
                uploaded, name, dataset, label=label, skip_bad=skip_bad, dry_run=True,
                progress=told,
            )  # fmt: skip
            return commands.read_file(here.store, here.settings, kind, request)

    try:
        job.whole = dry(skip_bad=False)
    except MedLensError as error:
        job.fault = error
        try:
            job.rest = dry(skip_bad=True)
        except MedLensError:
            job.rest = None
    if job.whole or job.rest:
        try:
            job.head = kinds.understood(uploaded, name, kind, study.taxonomy)
        except MedLensError:
            job.head = pd.DataFrame()
    st.session_state[_JOB] = job
    return job


def _preview(name: str, job: _Job) -> None:
    report = job.whole or job.rest
    if job.fault:
        _refused(name, job, job.fault)
    if report is None:
        return
    if not report.added and not report.known:
        if not job.fault:
            st.info("This file holds no rows.", icon=":material/info:")
        return
    counts = f"**{report.added:,}** {report.called} to add, {report.known:,} known already"
    refused = len(report.refused)
    rows = "row" if refused == 1 else "rows"
    st.markdown(counts + (f", {refused:,} {rows} refused." if refused else "."))
    good = "good " if job.whole is None else ""
    if report.added:
        st.button(
            f"Import {report.added:,} {good}{report.called}", type="primary", key="data.import",
            icon=":material/upload:", on_click=_want, args=(job, "good" if good else "all"),
        )  # fmt: skip
    else:
        st.info(f"All {good}rows of this file are known already: nothing would be added.",
                icon=":material/check:")  # fmt: skip
    _notes(report.notes)
    if not job.head.empty:
        st.caption(f"The first {len(job.head)} rows as they were understood")
        st.dataframe(job.head, hide_index=True, column_config=_WIDTHS)


def _want(job: _Job, wanted: Literal["all", "good"]) -> None:
    job.wanted = wanted


def _do(here: Here, uploaded: UploadedFile, name: str, job: _Job) -> None:
    """Import; a rerun that interrupts it begins it again, since nothing was written by then."""
    _, kind, dataset, label, _ = job.ticket
    st.button("Importing…", disabled=True, key="data.importing")
    try:
        with _Progress(uploaded, "Importing") as told:
            job.outcome = commands.import_file(
                here.store, here.settings, kind, uploaded, name=name, dataset=dataset, label=label,
                skip_bad=job.wanted == "good", by=here.person.id, progress=told,
            )  # fmt: skip
    except MedLensError as error:
        job.failure = error
    st.rerun()


def _done(job: _Job) -> None:
    if job.failure:
        show_error(job.failure)
        return
    if job.outcome:
        st.success(escape(job.outcome.line), icon=":material/check_circle:")
        _notes(job.outcome.notes)
        address.go(dataset=job.ticket[2])


def _notes(notes: tuple[str, ...]) -> None:
    if notes:
        with st.expander("Remarks", icon=":material/info:", expanded=len(notes) < 6):
            st.text("\n".join(notes), width="stretch")


def _refused(name: str, job: _Job, fault: MedLensError) -> None:
    """What is wrong with the file: the error in words, the rows in a table and as a file."""
    found = [one.problem for one in job.rest.refused] if job.rest else []
    rows: list[BadRow] = found or list(fault.rows if isinstance(fault, BadFile) else ())
    if not rows:
        show_error(fault)
        return
    count, them = ("1 row is", "it") if len(rows) == 1 else (f"{len(rows):,} rows are", "them")
    show_error(
        BadFile(
            f"{name}: {count} refused.",
            hint=f"Mend {them} and upload the file again, or import the good rows without {them}.",
        )
    )
    st.dataframe(
        [
            {"file": row.file, "line": row.line, "column": row.column, "expected": row.expected,
             "found": row.got}
            for row in rows[:_SHOWN_ROWS]
        ],
        hide_index=True,
    )  # fmt: skip
    if len(rows) > _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS} of {len(rows):,}; the download has them all.")
    if job.rest and job.rest.refused:
        refused = job.rest.refused
        ending = "csv" if any(one.row.header for one in refused) else "jsonl"
        st.download_button(
            "Download the refused rows", lambda: _bad_rows(refused), key="data.bad_rows",
            file_name=f"{PurePath(name).stem}-refused.{ending}", on_click="ignore",
            icon=":material/download:", mime="text/plain",
        )  # fmt: skip


def _bad_rows(refused: tuple[Refused, ...]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return write_bad_rows(refused, Path(folder) / "refused").read_bytes()


def _so_far(here: Here) -> None:
    table = import_log.imports(here.store, viewer=here.person)
    if table.empty:
        return
    st.subheader("Imports so far", anchor=False)
    st.dataframe(
        table, hide_index=True,
        column_config={
            "when": st.column_config.DatetimeColumn("when", format="D MMM YYYY, HH:mm"),
        },
    )  # fmt: skip


class _Progress:
    """How far a file has been read, by bytes; told to the browser four times a second."""

    def __init__(self, uploaded: UploadedFile, doing: str) -> None:
        self._uploaded, self._doing = uploaded, doing
        self._rows, self._told = 0, time.monotonic()

    def __enter__(self) -> _Progress:
        self._uploaded.seek(0)
        self._bar = st.empty()
        return self

    def __exit__(self, *_: object) -> None:
        self._uploaded.seek(0)
        self._bar.empty()

    def __call__(self, rows: int) -> None:
        self._rows += rows
        if time.monotonic() - self._told > 0.25:
            self._told = time.monotonic()
            share = self._uploaded.tell() / max(self._uploaded.size, 1)
            self._bar.progress(min(share, 1.0), text=f"{self._doing}: {self._rows:,} rows")
