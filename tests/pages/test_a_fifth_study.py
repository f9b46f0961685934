"""The toy study of docs/adding-a-study.md, as it stands there, is found wherever studies are."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import medlens.studies
import medlens.ui
from docs import generate
from medlens import cli
from medlens.app import work_behind_commands
from medlens.app.file_intake import file_kind_guess_and_first_row_preview
from medlens.config.settings import SECTIONS, Section, load_settings
from medlens.errors import BadFile
from medlens.llm.pipeline_declaration_forecast_and_run import Done, Pipeline
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies import installed_studies_and_bridges, registry
from medlens.studies.study_definition import Study
from medlens.studies.tagging.taxonomy import load_taxonomy
from medlens.tables import Request
from medlens.ui import (
    settings_store_and_runs_of_process,
    study_navigation,
    user_identity_sign_in_and_sign_out,
)
from tests.pages.conftest import REPO, OpenPage, answer, component, person_of, words
from tests.unit.test_architecture import PLANTED, File

DOCS = (REPO / "docs" / "adding-a-study.md").read_text(encoding="utf-8")
FILES = dict(
    re.findall(
        r"^`((?:medlens|pages)/\S+)`\n\n```(?:python|toml|csv)\n(.*?)^```", DOCS, re.M | re.S
    )
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of MedLens beside the files that the page of the docs shows."""
    there = tmp_path_factory.mktemp("fifth")
    (there / "pages").mkdir()
    for file in (REPO / "app.py", *(REPO / "pages").glob("*.py")):
        shutil.copy(file, there / file.relative_to(REPO))
    for name, text in FILES.items():
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        (there / name).write_text(text, encoding="utf-8")
    return there


@pytest.fixture(autouse=True)
def toy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Study]:
    """The study, registered as the page says; taken away again."""
    rooms = [*medlens.studies.__path__, str(folder / "medlens/studies")]
    monkeypatch.setattr(medlens.studies, "__path__", rooms)
    monkeypatch.setattr(medlens.ui, "__path__", [*medlens.ui.__path__, str(folder / "medlens/ui")])
    study: Study = importlib.import_module("medlens.studies.notes.declared").STUDY
    listed: tuple[dict[str, Any], ...]
    listed = (registry.STUDIES, registry.IMPORTS, registry.EXPORTS, SECTIONS)
    before = [dict(known) for known in listed]
    registry.register_study(study)
    yield study
    for known, was in zip(listed, before, strict=True):
        known.clear()
        known.update(was)
    for name in [
        name
        for name in sys.modules
        if name.startswith(("medlens.studies.notes", "medlens.ui.notes"))
    ]:
        del sys.modules[name]


@pytest.fixture
def demo(toy: Study, app_store: Store) -> Store:
    toy.demo(app_store)
    return app_store


@pytest.fixture
def open_page(folder: Path, demo: Store) -> OpenPage:
    """As in every test of pages, but with the page of the toy study among them."""

    def open_it(file: str = "app.py", *, who: Rater, **query: str) -> AppTest:
        page = AppTest.from_file(str(folder / "app.py"), default_timeout=30)
        if file != "app.py":
            page.switch_page(f"pages/{file}")
        page.session_state[user_identity_sign_in_and_sign_out.PERSON] = person_of(who)
        for name, value in query.items():
            page.query_params[name] = value
        page.run()
        assert not page.exception
        return page

    return open_it


def test_a_reviewer_finds_its_work_at_home_and_its_page_in_the_menu(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page(who=reviewer)
    assert "Is anything missing that the next doctor needs?" in words(page)
    assert [b for b in page.button if (b.key or "").startswith("work.note_complete")]
    pages = {one.proto.page for one in page.sidebar.get("page_link")}
    assert len(pages) > 1
    assert any("2" in one.proto.label for one in page.sidebar.get("page_link"))


def test_where_its_page_is_not_there_nobody_is_sent_to_judge_it(
    open_page: OpenPage, toy: Study, reviewer: Rater, lead: Rater
) -> None:
    registry.register_study(replace(toy, page=installed_studies_and_bridges.DATA_PAGE))
    page = open_page(who=reviewer)
    assert "next doctor needs" not in words(page)
    assert "Read notes" not in {one.proto.label for one in page.sidebar.get("page_link")}
    data = open_page("7_Data.py", who=lead, view="Export")
    assert any(
        one.startswith("Discharge notes") for one in data.selectbox(key="line.study").options
    )


def test_where_its_page_is_not_there_its_results_are_on_the_page_of_files(
    open_page: OpenPage, toy: Study, reviewer: Rater, lead: Rater
) -> None:
    answer(open_page("8_Read_notes.py", who=reviewer), complete="yes", submit=True)
    place = study_navigation.page_and_query_by_section_of_study(
        replace(toy, page=installed_studies_and_bridges.DATA_PAGE), "notes demo"
    )["results"]
    assert place.page == installed_studies_and_bridges.DATA_PAGE
    # With a page of its own it has its results there.
    assert "has no view Results" in words(open_page("7_Data.py", who=lead, **place.query))
    registry.register_study(replace(toy, page=installed_studies_and_bridges.DATA_PAGE))
    results = words(open_page("7_Data.py", who=lead, **place.query))
    assert "has no view Results" not in results
    assert "1 notes judged by people." in results
    assert "all judgments" in results
    # A lead finds it in the menu and on Home, which say which study is meant.
    home = open_page(who=lead)
    links = [one.proto for one in home.get("page_link") if "ischarge notes" in one.proto.label]
    assert {one.query_string for one in links} == {
        "view=Results&study=Discharge+notes",
        "view=Results&study=Discharge+notes&dataset=notes+demo",
    }


def test_a_reviewer_judges_both_notes_at_its_desk(
    open_page: OpenPage, demo: Store, reviewer: Rater
) -> None:
    page = open_page("8_Read_notes.py", who=reviewer)
    assert component(page, "answer_form")
    answer(page, submit=True)
    assert "Please answer yes or no" in words(page)
    answer(page, complete="no", missing="The dose.", submit=True)
    answer(page, complete="yes", submit=True)
    assert "All done" in words(page)
    table = work_behind_commands.make_export_table(
        demo,
        settings_store_and_runs_of_process.current_settings(),
        "judgments",
        viewer=None,
        study="notes",
        dataset="notes demo",
    )
    assert sorted(table["complete"]) == ["no", "yes"]


def test_a_lead_finds_its_figure_in_the_results_and_in_the_export(
    open_page: OpenPage, demo: Store, reviewer: Rater, lead: Rater
) -> None:
    assert "Nobody has judged a note yet" in words(
        open_page("8_Read_notes.py", who=lead, view="Results")
    )
    page = open_page("8_Read_notes.py", who=reviewer)
    assert "Results" not in words(page)
    answer(page, complete="no", submit=True)
    answer(page, complete="yes", submit=True)
    results = open_page("8_Read_notes.py", who=lead, view="Results")
    assert "2 notes judged by people." in words(results)
    assert "all judgments" in words(results)
    [row] = work_behind_commands.make_export_table(
        demo,
        settings_store_and_runs_of_process.current_settings(),
        "figures",
        viewer=None,
        study="notes",
        dataset="notes demo",
    ).to_dict("records")
    # One of two says yes.
    assert (row["figure"], row["numerator"], row["denominator"]) == ("complete", 1, 2)


def test_a_lead_finds_it_on_the_pages_of_team_and_data(open_page: OpenPage, lead: Rater) -> None:
    team = open_page("5_Team.py", who=lead)
    assert any(
        one.startswith("Discharge notes") for one in team.selectbox(key="line.study").options
    )
    data = open_page("7_Data.py", who=lead, view="Export")
    assert any(
        one.startswith("Discharge notes") for one in data.selectbox(key="line.study").options
    )


def test_a_lead_finds_its_pipelines_on_the_runs_page(
    open_page: OpenPage, toy: Study, lead: Rater
) -> None:
    shorten = Pipeline(
        study="notes",
        name="shorten",
        title="Shorten the notes",
        about="Shorter notes.",
        fields=(),
        start=lambda *_given, **_values: Done(lines=(), complete=True),
    )
    registry.register_study(replace(toy, pipelines=(shorten,)))
    runs = open_page("6_Runs.py", who=lead, new="choose")
    assert "Discharge notes: Shorten the notes" in runs.selectbox(key="runs.new.what").options
    with pytest.raises(SystemExit):
        cli.main(["run", "notes", "--help"])


def test_the_command_line_names_it_and_exports_its_table(
    demo: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["export", "--help"])
    assert "Notes, one row each" in capsys.readouterr().out
    table = work_behind_commands.make_export_table(
        demo,
        settings_store_and_runs_of_process.current_settings(),
        "notes",
        viewer=None,
        study="notes",
        dataset="notes demo",
    )
    assert list(table["text"]) == ["No cough.", "Cough since May."]


def test_its_section_of_the_settings_is_read_and_refused_by_line(
    toy: Study, tmp_path: Path
) -> None:
    class NotesSettings(Section):
        """How notes are shown."""

        longest: int = 5_000
        """Longer notes are cut."""

    registry.register_study(replace(toy, settings=NotesSettings))
    file = tmp_path / "medlens.toml"
    file.write_text("[notes]\nlongest = 80\n")
    assert load_settings({"MEDLENS_CONFIG": str(file)}).of(NotesSettings).longest == 80
    assert "Longer notes are cut." in generate.settings_page()
    file.write_text("[notes]\nshortest = 80\n")
    with pytest.raises(BadFile, match="line 2"):
        load_settings({"MEDLENS_CONFIG": str(file)})


def test_its_files_are_known_read_and_refused_by_what_it_declares(toy: Study, demo: Store) -> None:
    taxonomy = load_taxonomy(REPO / "data" / "taxonomies" / "g4ue.toml")
    assert (
        file_kind_guess_and_first_row_preview.guess_import_kind_from_columns(
            ["Note", "Text"], taxonomy
        )
        == "discharge-notes"
    )
    kind, opened = toy.imports["discharge-notes"], toy.open(demo, load_settings(), "ward")
    table = b"note,text\nn1,No fever.\nn2,\n"
    with pytest.raises(BadFile, match="line 3, column 'text': expected a text"):
        kind.read(demo, opened, Request(table, "ward.csv", "ward"))
    done = kind.read(demo, opened, Request(table, "ward.csv", "ward", skip_bad=True))
    assert (done.added, len(done.refused)) == (1, 1)
    assert "| **note** | the note's name | text |" in generate.files()


def test_its_files_keep_the_rules_of_the_project(folder: Path) -> None:
    modules = [name for name in FILES if name.endswith(".py")]
    files = [File(Path(name), FILES[name]) for name in modules]
    assert [fault for rule, *_ in PLANTED for file in files for fault in rule(file)] == []
    assert (folder / "medlens/studies/notes/__init__.py").is_file()
    ruff, settings = [sys.executable, "-m", "ruff"], ["--config", str(REPO / "pyproject.toml")]
    ours = ["--config", "lint.isort.known-first-party=['medlens']"]
    for command in (["check", *ours], ["format", "--check"]):
        made = [*ruff, *command, "--no-cache", *settings, *modules]
        done = subprocess.run(made, cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
