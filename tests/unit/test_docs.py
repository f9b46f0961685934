"""Documentation that can fail: what README names exists, and what exists is in README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from medlens import studies
from medlens.cli.verbs import _parser
from medlens.ui.frame import menu

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", [*studies.IMPORTS, *studies.EXPORTS])
def test_every_kind_of_file_is_in_the_readme(kind: str) -> None:
    assert f"`{kind}`" in README


@pytest.mark.parametrize("kind", studies.IMPORTS)
def test_every_import_says_what_its_files_look_like(kind: str) -> None:
    assert studies.IMPORTS[kind].looks


def test_every_command_is_in_the_readme() -> None:
    actions = [a for a in _parser()._actions if a.choices]
    verbs = [verb for action in actions for verb in action.choices]
    assert len(verbs) >= 5
    for verb in verbs:
        assert f"python -m medlens {verb}" in README, verb


def test_every_link_and_picture_in_the_readme_is_there() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_the_first_lines_are_make_run_and_make_test() -> None:
    lines = [line.strip() for line in README.splitlines() if line.strip()]
    assert lines[1].startswith("make run")
    assert lines[2].startswith("make test")


@pytest.mark.parametrize("path", [path for path, *_ in menu()])
def test_the_menu_leads_to_pages_that_exist_and_every_page_is_in_it(path: str) -> None:
    assert (ROOT / path).exists()
    pages = {f"pages/{p.name}" for p in (ROOT / "pages").glob("*.py")}
    assert pages <= {entry[0] for entry in menu()}


def test_the_changelog_has_an_unreleased_part() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## Unreleased\n- " in text


def test_no_file_of_the_project_names_a_machine_or_a_registry() -> None:
    # Spelt apart, so that this file does not name them itself.
    banned = ["/wo" + "rk/", "/ro" + "ot/", "pypi" + ".org", "registry.npm" + "js"]
    texts = [
        path
        for folder in ("medlens", "pages", "tests", "data", ".streamlit", ".ci")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".toml", ".js", ".css", ".sql", ".md", ".jsonl", ".sh", ""}
        and path.is_file()
    ] + [
        path
        for path in ROOT.iterdir()
        if path.is_file() and path.suffix != ".duckdb" and path.name != ".git"
    ]
    named = [
        (str(path.relative_to(ROOT)), word)
        for path in texts
        for word in banned
        if word in path.read_text(encoding="utf-8", errors="ignore")
    ]
    assert named == []
