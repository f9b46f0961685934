"""Exports that are written row by row, without pandas: the same bytes as from a frame."""

from __future__ import annotations

import contextlib
import datetime
import io
from pathlib import Path

import pandas as pd
import pytest

from medlens import cli
from medlens.app import exports_without_pandas, work_behind_commands
from medlens.config.settings import load_settings
from medlens.review import archiving_of_datasets_rounds_and_runs, audit_log
from medlens.store import Store, open_store
from medlens.studies import registry
from medlens.studies.task_registry import JUDGMENT_FILES, STUDY_TASKS
from medlens.tables import Format, PlainTable, write_table
from tests.conftest import LayStore, quick_or_deep


@pytest.fixture
def demos(tmp_path: Path, lay_store: LayStore, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store holds what ``medlens demo`` adds, and an audit log."""

    def fill(store: Store) -> None:
        work_behind_commands.add_demo_studies_and_return_report_text(store)
        audit_log.record_entry(store, "backup", who=work_behind_commands.CLI, about="=a.duckdb")

    path = lay_store(tmp_path / "plain.duckdb", fill)
    monkeypatch.setenv("MEDLENS_STORE", str(path))
    return path


def written(table: pd.DataFrame | PlainTable, form: Format) -> bytes:
    out = io.BytesIO()
    write_table(table, out, format=form)
    return out.getvalue()


ASKED = [
    *((kind, "") for kind in exports_without_pandas.COMMON_ROWS),
    *((kind, study) for kind, having in JUDGMENT_FILES.items() for study in ("", *having)),
]


@pytest.mark.first_quick
@pytest.mark.parametrize("form", quick_or_deep(*exports_without_pandas.PLAIN_FORMATS))
@pytest.mark.parametrize("history", [False, True])
def test_rows_without_pandas_are_the_bytes_of_the_frame(
    demos: Path, form: Format, history: bool
) -> None:
    with contextlib.closing(open_store(demos)) as store:
        rows = 0
        for kind, study in ASKED:
            studies = exports_without_pandas.list_studies_writing_table_without_pandas(kind, study)
            assert studies is not None
            nested = form in exports_without_pandas.NESTING
            if history and not studies:
                continue
            made = exports_without_pandas.make_plain_export_table_and_description(
                *(store, lambda names: load_settings(of_studies=names), kind, studies),
                dataset="",
                history=history,
                nested=nested,
                archived=False,
            )
            frame = work_behind_commands.make_export_table(
                *(store, load_settings(), kind),
                viewer=None,
                study=study,
                history=history,
                nested=nested,
            )
            assert made is not None, kind
            assert written(made[0], form) == written(frame, form), (kind, study)
            assert made[1] == work_behind_commands.exported_table_in_words(
                store, frame, kind, study, ""
            ), kind
            rows += len(frame)
        assert rows > 500


def test_the_index_names_every_study_that_has_such_a_file() -> None:
    for kind, having in JUDGMENT_FILES.items():
        assert list(having) == registry.study_names_of_file_kind(kind, ""), kind
        assert all(kind in STUDY_TASKS[study].judgment_files for study in having), kind
    indexed = {(kind, study) for kind, having in JUDGMENT_FILES.items() for study in having}
    assert indexed == {
        (kind, study) for study, tasks in STUDY_TASKS.items() for kind in tasks.judgment_files
    }
    assert set(exports_without_pandas.COMMON_ROWS) <= set(registry.COMMON)


def test_rows_of_archived_datasets_are_left_out_alike(demos: Path) -> None:
    with contextlib.closing(open_store(demos)) as store:
        dataset = str(store.value("select dataset from item where study = 'tagging'"))
        before = written(exports_without_pandas.COMMON_ROWS["remarks"](store), "csv")
        thing = archiving_of_datasets_rounds_and_runs.Thing(
            "dataset", study="tagging", dataset=dataset
        )
        archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
            store, [thing], reason="Over", by=None
        )
        made = exports_without_pandas.make_plain_export_table_and_description(
            *(store, lambda names: load_settings(of_studies=names), "remarks", ()),
            dataset="",
            history=False,
            nested=False,
            archived=False,
        )
        frame = work_behind_commands.make_export_table(
            store, load_settings(), "remarks", viewer=None
        )
        assert made is not None
        assert written(made[0], "csv") == written(frame, "csv") != before


@pytest.mark.parametrize(
    "values",
    [
        [1, None, 3],
        [1, 2.5],
        [True, None],
        [1, 2],
        [None, None],
        [1.0, float("nan")],
        ["=1", None, ""],
        [True, 1],
        [datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC), None],
        [2**70, None],
    ],
)
def test_a_column_is_written_as_from_a_frame(values: list[object]) -> None:
    rows = [{"n": at, "value": value} for at, value in enumerate(values)]
    for form in exports_without_pandas.PLAIN_FORMATS:
        assert written(PlainTable.from_dicts(rows), form) == written(pd.DataFrame(rows), form)


def test_missing_cells_and_whole_numbers_are_written_as_from_a_frame() -> None:
    rows = [{"a": 1, "start": 3}, {"b": "x", "a": 2}, {"b": "y", "start": 4, "a": 3}]
    plain = PlainTable.from_dicts(rows, whole=("start",))
    frame = pd.DataFrame(rows).astype({"start": "Int64"})
    for form in exports_without_pandas.FORMATS:
        assert written(plain, form) == written(frame, form)


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "words",
    [
        ["export", "judgments", "--study", "nothing"],
        ["export", "judgments", "--dataset", "nothing"],
        ["export", "judgments", "ebmqa"],
        ["export", "remarks", "--format", "txt"],
        ["export", "nothing"],
        ["export"],
        ["export", "ratings", "--rule", "strict"],
    ],
)
def test_what_is_wrong_is_told_as_by_the_whole_command_line(
    demos: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from medlens.cli import command_line

    def told(run: object) -> tuple[object, str]:
        try:
            code: object = run(words)  # type: ignore[operator]
        except SystemExit as error:
            code = error.code
        return code, capsys.readouterr().err

    assert told(cli.main) == told(command_line.run_command_line_and_return_exit_code)
