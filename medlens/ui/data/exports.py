"""Files out: the tables of a dataset in three formats, and a backup of the whole store."""

from __future__ import annotations

import io
import re
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import streamlit as st

from medlens.app import (
    exports_without_pandas,
    scheduled_backups_and_restore,
    store_zip_writing_and_reading,
    study_report,
    work_behind_commands,
)
from medlens.review import (
    items,
    renaming_and_name_translation,
)
from medlens.review.work_progress_and_pace_by_item_and_rater import (
    list_item_counts_per_number_of_judgments,
)
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks
from medlens.studies.tagging.study_in_dataset import Study, open_study
from medlens.studies.task_registry import NESTED, OF_NO_DATASET
from medlens.tables import Format, write_table
from medlens.ui import list_filters_and_paging
from medlens.ui.export_button import draw_export_button
from medlens.ui.page_frame import Here, escape_markdown

_FORMATS: dict[Format, tuple[str, str]] = {
    "csv": ("CSV", "text/csv"),
    "jsonl": ("JSON lines", "application/x-ndjson"),
    "parquet": ("Parquet", "application/vnd.apache.parquet"),
    "xlsx": ("Excel", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
_REPORTS = {
    "html": ("HTML", "text/html"),
    "pdf": ("PDF", "application/pdf"),
    "docx": (
        "Word",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
}
_RULES = {
    "": "Votes per item and label",
    "strict": "Strict: two raters, or the only one",
    "relaxed": "Relaxed: any rater",
}
_NARROW = {
    "run": "Run",
    "experiment": "Experiment",
    "cases": "Case set or question group",
    "judge": "By whose verdicts",
    "protocol": "Protocol",
    "model": "Model",
    "prompt": "Prompt",
}
_OTHERWISE = {"judge": "as on the page", "protocol": "the most common", "prompt": "the most common"}
# Beyond this many judgments, count the rows only when the file is made.
_COUNTED = 5_000


def draw_export_choice_and_button(here: Here, study_name: str, dataset: str) -> None:
    """What to export and how; the file is made when its button is pressed."""
    _report(here, study_name, dataset)
    anonymous = _anonymous()
    st.header("Tables", anchor=False)
    packages = STUDIES[study_name].packages
    titles = {kind: title for kind, (title, _) in STUDIES[study_name].exports.items()}
    # First what most leads come for.
    titles = {"annotated": titles["annotated"], **titles}
    titles |= {kind: one.title for kind, one in packages.items()}
    left, right = st.columns(2)
    kind = left.selectbox(
        "Table", list(titles), format_func=titles.__getitem__, key=f"data.export.kind.{study_name}"
    )
    if kind in packages:
        _draw_package(here, study_name, dataset, kind, anonymous=anonymous)
        _draw_whole(here, anonymous=anonymous)
        return
    forms: list[Format] = list(exports_without_pandas.NESTING) if kind in NESTED else list(_FORMATS)
    form: Format = right.selectbox(
        "Format",
        forms,
        format_func=lambda one: _FORMATS[one][0],
        key="data.export.format",
    )
    rule, history, bom, task = "", False, False, ""
    options = work_behind_commands.option_names_of_export_kind(STUDIES[study_name], kind)
    if "rule" in options:
        rule = left.selectbox(
            "Rule",
            list(_RULES),
            format_func=_RULES.__getitem__,
            key="data.export.rule",
            help="With a rule, the file has the published layout: id and a column per label.",
        )
    if "history" in options:
        history = left.checkbox(
            "Every revision, not only the last",
            key="data.export.history",
        )
    if "anonymous" in options:
        opened = STUDIES[study_name].open(here.store, here.settings, dataset)
        asked = {one.name: one.title for one in STUDIES[study_name].tasks(opened)}
        if len(asked) > 1:
            task = left.selectbox(
                "Task",
                ["", *asked],
                format_func={"": "All tasks", **asked}.__getitem__,
                key=f"data.export.task.{study_name}",
            )
    if form == "csv":
        bom = right.checkbox(
            "For spreadsheets",
            True,
            key="data.export.bom",
            help="Starts the file with a byte-order mark, so that Excel reads it as UTF-8; "
            "otherwise é and µ look wrong there. MedLens reads both.",
        )
    if kind in OF_NO_DATASET:
        dataset = ""
        st.caption("Forms belong to people, not to a dataset: all answers are exported.")

    narrow = _narrowed(here, study_name, kind, dataset)

    def content() -> tuple[bytes, int]:
        table = work_behind_commands.make_export_table(
            here.store,
            here.settings,
            kind,
            viewer=here.person,
            study=study_name,
            dataset=dataset,
            rule=rule,
            history=history,
            nested=form in exports_without_pandas.NESTING,
            task=task,
            anonymous=anonymous,
            narrow=narrow,
        )
        out = io.BytesIO()
        write_table(table, out, format=form, bom=bom)
        return out.getvalue(), len(table)

    rows = None
    if study_name == tasks.STUDY:
        tagging = open_study(here.store, here.settings, dataset)
        rows = _rows(here, tagging, kind, rule=rule, history=history)
    st.caption(
        "The rows are counted when the file is made."
        if rows is None
        else "1 row."
        if rows == 1
        else f"{rows:,} rows."
    )
    name = make_download_file_name(
        _called(here, study_name, dataset),
        kind,
        rule,
        task,
        "history" if history else "",
        form=form,
    )
    draw_export_button(
        f"Download {escape_markdown(name)}",
        content,
        about=f"{kind} of {_called(here, study_name, dataset)}" if dataset else kind,
        file_name=name,
        mime=_FORMATS[form][1],
        key="data.export",
        type="primary",
    )
    st.caption(
        "Cells that a spreadsheet would run as a formula are written as text; importing "
        "the file again restores them."
    )
    _draw_whole(here, anonymous=anonymous)


def _draw_package(here: Here, study_name: str, dataset: str, kind: str, *, anonymous: bool) -> None:
    """A file for another tool."""
    name = make_download_file_name(
        _called(here, study_name, dataset), kind, form=STUDIES[study_name].packages[kind].ending
    )
    draw_export_button(
        f"Download {escape_markdown(name)}",
        lambda: work_behind_commands.export_package_as_bytes(
            *(here.store, here.settings, kind),
            viewer=here.person,
            study=study_name,
            dataset=dataset,
            anonymous=anonymous,
        ),
        about=f"{kind} of {_called(here, study_name, dataset)}" if dataset else kind,
        file_name=name,
        key="data.export",
        type="primary",
    )


def _anonymous() -> bool:
    """Whether tables and the zip of everything have people as numbers: one choice for both."""
    chosen = st.checkbox(
        "People as numbers, without names, in everything below except the backup",
        key="data.export.anonymous",
    )
    if chosen:
        st.caption(
            "Names, addresses and ids of the team are replaced within comments too. Comments can"
            " still tell who wrote them, or name others: read them."
        )
    return chosen


def _draw_whole(here: Here, *, anonymous: bool) -> None:
    _everything(here, anonymous=anonymous)
    _backup(here)


def _narrowed(here: Here, study_name: str, kind: str, dataset: str) -> dict[str, str]:
    """The filters of a table: a choice for each side it can be filtered by with at least two
    values, starting with what the address names.
    """
    sides = work_behind_commands.filters_of_export_kind(STUDIES[study_name], kind)
    known = STUDIES[study_name].narrowing(here.store, dataset) if sides else {}
    several = [side for side in sides if len(known.get(side, {})) > 1]
    if not several:
        return {}
    key = f"data.export.{study_name}.{dataset}"
    with (
        st.container(horizontal=True, vertical_alignment="center"),
        list_filters_and_paging.context_that_draws_filter_popover(key=key, closes=()) as filters,
    ):
        for side in several:
            list_filters_and_paging.draw_filter_choice(
                _NARROW[side],
                side,
                list(known[side]),
                known[side].__getitem__,
                key=key,
                other=_OTHERWISE.get(side, "all"),
                within=filters,
            )
    return {side: st.query_params[side] for side in several if side in st.query_params}


def _called(here: Here, study: str, dataset: str) -> str:
    """What a dataset is called; without one the study."""
    return (
        renaming_and_name_translation.current_name_of_dataset(here.store, study, dataset)
        if dataset
        else study
    )


def make_download_file_name(dataset: str, *parts: str, form: str) -> str:
    """A name for a download: ``medlens-g4ue-labels-strict.csv``."""
    words = ["medlens", dataset, *parts]
    plain = (re.sub(r"[^\w.]+", "-", word).strip("-.")[:60] for word in words)
    return "-".join(word for word in plain if word) + f".{form}"


def _rows(here: Here, study: Study, kind: str, *, rule: str, history: bool) -> int | None:
    """The number of rows the file will have; None if counting them costs as much as making it."""
    if kind in ("items", "annotated"):
        known = items.datasets_of_study(here.store, tasks.STUDY)
        return next((int(row["n"]) for row in known if row["dataset"] == study.dataset), 0)
    judged = sum(
        n * count
        for n, count in list_item_counts_per_number_of_judgments(
            here.store, study.task, dataset=study.dataset, settled=True
        )
    )
    if kind == "figures" or judged > _COUNTED:
        return None
    key = (study.dataset, kind, rule, history, here.store.data_version_of_tables())
    held = st.session_state.get("data.export.count")
    if held is None or held[0] != key:
        table = work_behind_commands.make_export_table(
            here.store,
            here.settings,
            kind,
            viewer=here.person,
            dataset=study.dataset,
            rule=rule,
            history=history,
        )
        held = st.session_state["data.export.count"] = (key, len(table))
    count: int = held[1]
    return count


def _backup(here: Here) -> None:
    st.header("Backup", anchor=False)
    st.caption(
        "The whole store as one file, made while people keep working. To restore it: "
        "`python -m medlens restore FILE TO`."
    )
    scheduled = scheduled_backups_and_restore.status_of_configured_backups_now(
        here.store, here.settings
    )
    if scheduled.fault:
        st.error(escape_markdown(scheduled.fault), icon=":material/report:")
    if scheduled.line:
        st.caption(escape_markdown(scheduled.line))
    for loss in here.store.list_lost_rows_in_words():
        st.error(escape_markdown(loss), icon=":material/report:")
    name = f"medlens-backup-{datetime.now(UTC):%Y-%m-%d}.duckdb"
    draw_export_button(
        "Download a backup",
        lambda: _copy(here),
        about=name,
        what="backup",
        file_name=name,
        key="data.backup",
        mime="application/octet-stream",
        icon="database",
    )


def _report(here: Here, study: str, dataset: str) -> None:
    st.header("Report", anchor=False)
    if not items.datasets_of_study(here.store, study):
        st.caption("There is nothing to report yet: the study has no items.")
        return
    st.caption(
        "What was asked of whom, the flow of items, agreement, every figure with its interval "
        "beside the published one, methods, versions, and a checklist. People are numbered."
    )
    # Every study has a dataset called "demo": a report's file says of which study it is.
    of_study = "" if STUDIES[study].datasets_are_studies else study
    called = _called(here, study, dataset)
    with st.container(horizontal=True):
        for form, (title, mime) in _REPORTS.items():
            draw_export_button(
                f"Report as {title}",
                partial(
                    study_report.render_report_file,
                    here.store,
                    here.settings,
                    study,
                    dataset=dataset,
                    form=form,
                ),
                about=f"report of {called}",
                file_name=make_download_file_name(of_study, called, "report", form=form),
                key=f"data.report.{form}",
                mime=mime,
                icon="lab_profile",
            )


def _everything(here: Here, *, anonymous: bool) -> None:
    st.header("Everything in one file", anchor=False)
    st.caption(
        "All tables with a data dictionary, what raters judged by, the settings without secrets, "
        "and the versions of the software, as one zip. An empty store takes it in: "
        "python -m medlens import everything FILE.zip"
    )
    name = f"medlens-everything-{datetime.now(UTC):%Y-%m-%d}.zip"

    def content() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / name
            store_zip_writing_and_reading.write_store_zip_and_return_report_text(
                here.store, here.settings, target, anonymous=anonymous
            )
            return target.read_bytes()

    draw_export_button(
        "Download everything" + ", people as numbers" * anonymous,
        content,
        about=store_zip_writing_and_reading.NAME,
        file_name=name,
        key="data.everything",
        mime="application/zip",
        icon="folder_zip",
    )


def _copy(here: Here) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "backup.duckdb"
        here.store.backup(target)
        return target.read_bytes()
