"""A study and bridges of another distribution (tests/distribution) are found by entry points."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import medlens
from medlens import cli, errors
from medlens.config.settings import SECTIONS
from medlens.studies import installed_studies_and_bridges, registry
from medlens.studies.own.bridge_registry import TOOLS
from medlens.ui.page_frame import list_menu_pages

EXAMPLE = Path(__file__).resolve().parents[1] / "distribution"
Install = Callable[..., Path]
NOTES = "note,text\nn1,No cough.\nn2,Cough since May.\n"


def install(folder: Path, points: dict[str, dict[str, str]]) -> Path:
    """Lay the example's package in a folder as an installer would, with these entry points."""
    shutil.copytree(
        EXAMPLE / "ward_notes",
        folder / "ward_notes",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    info = folder / "ward_notes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: ward-notes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in of.items())
            for group, of in points.items()
        )
    )
    return folder


def declared() -> dict[str, dict[str, str]]:
    """The entry points that the example's pyproject.toml declares."""
    table = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))
    return dict(table["project"]["entry-points"])


@pytest.fixture
def put_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Installs the example for this process; everything is as before afterwards."""
    known = (
        *(registry.STUDIES, registry.IMPORTS, registry.EXPORTS, registry.PACKAGES),
        *(SECTIONS, TOOLS),
    )
    before = [dict(of) for of in known]
    monkeypatch.setattr(
        installed_studies_and_bridges, "_state", installed_studies_and_bridges._State(False, [])
    )

    def put(points: dict[str, dict[str, str]] | None = None) -> Path:
        folder = install(tmp_path / "site", points or declared())
        monkeypatch.syspath_prepend(folder)
        return folder

    yield put
    for of, was in zip(known, before, strict=True):
        of.clear()
        of.update(was)
    for name in [name for name in sys.modules if name.partition(".")[0] == "ward_notes"]:
        del sys.modules[name]


def test_help_names_them_and_loads_none(
    put_in: Install, capsys: pytest.CaptureFixture[str]
) -> None:
    put_in()
    for words in (["--help"], ["export", "--help"], ["import", "-h"]):
        with contextlib.suppress(SystemExit):
            cli.main(words)
        said = " ".join(capsys.readouterr().out.split())
        assert "studies of other distributions: ward_notes (ward-notes)" in said
        bridges = ", ".join(
            f"{name} (ward-notes)" for name in ("tally", "tally-more", "tally-sheet")
        )
        assert f"bridges of other distributions: {bridges}" in said
    assert "ward_notes" not in sys.modules
    assert "ward_notes" not in registry.STUDIES


@pytest.mark.deep
def test_its_study_is_one_like_all_others(
    put_in: Install, tmp_path: Path, read_near: None, capsys: pytest.CaptureFixture[str]
) -> None:
    put_in()
    (tmp_path / "notes.csv").write_text(NOTES)
    path = tmp_path / "work.duckdb"
    with medlens.open(path, create=True) as bench:
        bench.import_file("ward-notes", tmp_path / "notes.csv", "may")
        assert bench.studies()["study"].tolist() == ["ward_notes"]
        assert bench.items()["text"].tolist() == ["No cough.", "Cough since May."]
        assert bench.figures()["figure"].tolist() == ["complete"]
        with pytest.raises(errors.BadFile, match="missing columns"):
            bench.import_file("ward-notes", EXAMPLE / "pyproject.toml")
    assert cli.main(["--store", str(path), "export", "annotated", "ward_notes"]) == 0
    assert "Cough since May." in capsys.readouterr().out
    assert cli.main(["--store", str(path), "round", "list"]) == 0
    assert "ward_note_complete on may: " in capsys.readouterr().out
    assert cli.main(["--store", str(path), "check"]) == 0
    # Its page is not among the pages, so links lead to the Data page, which is listed once.
    assert registry.STUDIES["ward_notes"].page == installed_studies_and_bridges.DATA_PAGE
    pages = [page for page, *_ in list_menu_pages()]
    assert pages.count(installed_studies_and_bridges.DATA_PAGE) == 1


def test_a_bridge_need_not_say_that_who_judged_is_a_person(
    put_in: Install,
    tmp_path: Path,
    read_near: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bridges = put_in() / "ward_notes" / "bridges.py"
    bridges.write_text(bridges.read_text().replace('"rater_kind": "person", ', ""))
    monkeypatch.chdir(tmp_path)
    Path("tally.txt").write_text("yes\tRest.\n")
    assert cli.main(["study", "from-tally", "tally.txt", "-o", "made"]) == 0
    with medlens.open("work.duckdb", create=True) as bench:
        bench.add_study("made/STUDY.toml")
        bench.import_file("own-items", "made/items.jsonl", "tally")
        bench.import_file("own-judgments", "made/judgments.jsonl", "tally")
        assert bench.judgments()["rater_kind"].tolist() == ["person"]


@pytest.mark.deep
def test_its_bridges_bring_a_project_in_and_a_study_out(
    put_in: Install, tmp_path: Path, read_near: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in()
    monkeypatch.chdir(tmp_path)
    Path("tally.txt").write_text("yes\tRest.\nno\tStop warfarin.\n")
    assert cli.main(["study", "from-tally", "tally.txt", "-o", "made"]) == 0
    with medlens.open("work.duckdb", create=True) as bench:
        bench.add_study("made/STUDY.toml")
        bench.import_file("own-items", "made/items.jsonl", "tally")
        bench.import_file("own-judgments", "made/judgments.jsonl", "tally")
        Path("more.csv").write_text("text\nSleep.\n")
        assert bench.import_file("tally-more", "more.csv", "tally").line.startswith("Imported 1")
        assert bench.items()["text"].tolist() == ["Rest.", "Stop warfarin.", "Sleep."]
        out = bench.export("tally-sheet", "out.txt", dataset="tally")
    assert out.read_text() == "yes\tt1\nno\tt2\n"


FAULTS = {
    "ward_notes": ("ward_notes.gone:STUDY", "ModuleNotFoundError: No module named"),
    "wards": ("ward_notes.study:STUDY", "its study is called 'ward_notes'"),
    "note": ("ward_notes.study:TASK", "it is a CompleteTask, not a medlens Study"),
}


def test_what_cannot_be_used_is_told_and_stops_nothing(
    put_in: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    points = {name: value for name, (value, _) in FAULTS.items()}
    bridges = {"inspect": "ward_notes.bridges:TALLY", "odd": "ward_notes.bridges:STUDY"}
    put_in({"medlens.studies": points, "medlens.bridges": bridges})
    path = tmp_path / "work.duckdb"
    medlens.open(path, create=True).close()
    before = set(registry.STUDIES)
    assert cli.main(["--store", str(path), "check"]) == 0
    said = capsys.readouterr()
    assert "The store is sound." in said.out
    for name, (_, why) in FAULTS.items():
        assert f"{name} of ward-notes cannot be used: {why}" in said.err
    assert "inspect of ward-notes cannot be used: MedLens or another bridge has" in said.err
    assert (
        "odd of ward-notes cannot be used: it is a str, not a medlens Tool, Kind or Package"
        in said.err
    )
    assert set(registry.STUDIES) == before
    assert TOOLS["inspect"].thing == "logs of Inspect"


def test_a_study_whose_names_are_taken_is_refused(
    put_in: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in({"medlens.studies": {"ward_notes": "ward_notes.study:STUDY"}})
    monkeypatch.setitem(registry.IMPORTS, "ward-notes", registry.IMPORTS["items"])
    [fault] = installed_studies_and_bridges.register_installed_studies_and_list_faults()
    assert "has the name 'ward-notes' already" in fault
    assert "ward_notes" not in registry.STUDIES


@pytest.mark.deep
@pytest.mark.parametrize("door", ["command", "notebook"])
def test_the_process_that_reads_files_knows_it_too(tmp_path: Path, door: str) -> None:
    folder = install(tmp_path / "site", declared())
    (tmp_path / "notes.csv").write_text(NOTES)
    words = {
        "command": ["-m", "medlens", "--store", "work.duckdb", "import", "ward-notes", "notes.csv"],
        "notebook": [
            "-c",
            "import medlens; b = medlens.open('work.duckdb', create=True);"
            "print(b.import_file('ward-notes', 'notes.csv', 'may').line)",
        ],
    }[door]
    path = os.pathsep.join([str(folder), str(EXAMPLE.parents[1])])
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
    )
    assert "Imported 2 ward notes" in done.stdout, done.stderr
