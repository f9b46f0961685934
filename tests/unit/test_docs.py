"""Documentation that can fail: what it names exists, and what exists is in it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

import medlens
from docs import generate
from medlens.cli.command_line import _parser
from medlens.studies import registry
from medlens.ui.page_frame import list_menu_pages

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").glob("*.md")}


def test_every_kind_of_file_is_in_the_docs() -> None:
    kinds = [*registry.IMPORTS, *registry.EXPORTS, *registry.PACKAGES]
    assert [kind for kind in kinds if f"`{kind}`" not in PAGES["files.md"]] == []


def test_every_import_says_what_its_files_look_like() -> None:
    assert [kind for kind, one in registry.IMPORTS.items() if not one.looks] == []


def test_every_command_is_in_the_readme() -> None:
    actions = [a for a in _parser()._actions if a.choices]
    verbs = [verb for action in actions for verb in action.choices]
    assert len(verbs) >= 5
    for verb in verbs:
        assert f"python -m medlens {verb}" in README, verb


@pytest.mark.parametrize("study", registry.STUDIES)
def test_every_pipeline_is_on_the_page_of_its_study(study: str) -> None:
    for pipeline in registry.STUDIES[study].pipelines:
        assert f"python -m medlens run {study} {pipeline.name}" in PAGES[f"{study}.md"]


def test_the_readme_is_short_and_leads_to_every_page_of_the_docs() -> None:
    assert len(README.split()) <= 800  # signs of tables included
    assert [page for page in PAGES if f"(docs/{page}" not in README] == []


@pytest.mark.parametrize("page", ["README.md", "SECURITY.md", *sorted(PAGES)])
def test_every_link_and_picture_of_a_page_is_there(page: str) -> None:
    path = ROOT / "docs" / page if page in PAGES else ROOT / page
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        file, _, heading = target.partition("#")
        there = (path.parent / file) if file else path
        assert there.exists(), target
        if heading:
            assert heading in _headings(there.read_text(encoding="utf-8")), target


def _headings(text: str) -> set[str]:
    """The names by which the headings of a page are linked to."""
    lines = re.findall(r"^#+ (.+)$", text, flags=re.M)
    return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}


def test_no_picture_lies_there_that_no_page_shows() -> None:
    shown = "".join([README, *PAGES.values()])
    pictures = sorted((ROOT / "docs" / "pictures").glob("*"))
    assert pictures
    assert [path.name for path in pictures if f"pictures/{path.name}" not in shown] == []
    assert sum(path.stat().st_size for path in pictures) < 1_000_000


def test_the_picture_of_the_packages_shows_every_one_and_no_other() -> None:
    drawn = set(re.findall(r"^    (\w+)$", PAGES["architecture.md"], flags=re.M))
    assert drawn == set(generate.rooms()), "run make docs"


def test_every_setting_is_explained_as_it_is_declared() -> None:
    assert PAGES["settings.md"] == generate.with_settings(PAGES["settings.md"]), "run make docs"
    for section in generate.declared_sections():
        assert all(one.meaning for one in section.settings)


def test_the_data_dictionary_is_what_the_studies_declare() -> None:
    assert PAGES["files.md"] == generate.files(), "run make docs"


def test_the_views_for_sql_are_explained_as_they_are_declared() -> None:
    assert PAGES["sql.md"] == generate.with_public_views(PAGES["sql.md"]), "run make docs"


def test_every_column_says_what_it_means_and_stands_once() -> None:
    for kind, declared in registry.IMPORTS.items():
        assert declared.columns, kind
        assert all(column.means for column in declared.columns), kind
        assert len({column.name for column in declared.columns}) == len(declared.columns), kind


def test_the_first_lines_are_make_run_and_make_test() -> None:
    lines = [line.strip() for line in README.splitlines() if line.strip()]
    assert lines[1].startswith("make run")
    assert lines[2].startswith("make test ")
    assert lines[3].startswith("make test-deep ")


def _recipe(target: str) -> str:
    """What make would run for a target, on one line for each command; none is run."""
    commands = subprocess.run(
        ["make", "--dry-run", "--always-make", "--no-print-directory", target],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return re.sub(r"\\\n\s*", "", commands)


def test_a_release_is_made_as_the_docs_say() -> None:
    assert _recipe("release").rstrip().endswith("-m docs.release")
    assert "pip install dist/medlens-*.whl" in PAGES["deployment.md"]
    assert "docker build -t medlens dist/image" in PAGES["deployment.md"]


def test_each_test_is_run_by_one_of_the_two_tiers_and_a_change_is_tried_with_both() -> None:
    assert _recipe("test").rstrip().endswith('-m "not deep"')
    assert _recipe("test-deep").rstrip().endswith("-m deep")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert ci.split("set -euo pipefail")[1].splitlines()[-3:] == [
        "make check",
        "make test",
        "make test-deep",
    ]


@pytest.mark.parametrize("path", [path for path, *_ in list_menu_pages()])
def test_the_menu_leads_to_pages_that_exist_and_every_page_is_in_it(path: str) -> None:
    assert (ROOT / path).exists()
    pages = {f"pages/{p.name}" for p in (ROOT / "pages").glob("*.py")}
    assert pages <= {entry[0] for entry in list_menu_pages()}


def test_the_changelog_begins_with_what_is_unreleased_and_names_each_version_once() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    # Right after a release, nothing is.
    assert re.match(r"# Changelog\n\n## Unreleased\n((### \w+\n)?- |\n## )", text)
    headings = re.findall(r"^## (\S+)", text, flags=re.M)
    assert len(headings) == len(set(headings))
    assert headings[1] == medlens.__version__
    assert f'version = "{medlens.__version__}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(lines) == len(set(lines)), "a merge left lines twice"
    assert len(lines) < 300, "a merge brought old lines back"


def test_the_citation_names_the_version_that_was_released_last() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## ([\d.]+) - ([\d-]+)$", changes, re.MULTILINE)[0]
    assert (cited["version"], str(cited["date-released"])) == released
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (cited["version"], cited["license"]) == (declared["version"], declared["license"])


def test_no_file_of_the_project_names_a_machine_or_a_registry() -> None:
    # Spelt apart, so that this file does not name them itself.
    banned = ["/wo" + "rk/", "/ro" + "ot/", "pypi" + ".org", "registry.npm" + "js"]
    texts = [
        path
        for folder in ("medlens", "pages", "tests", "data", "docs", ".streamlit", ".ci")
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
