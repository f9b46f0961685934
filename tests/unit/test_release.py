"""What ``make release`` changes and refuses; what it builds is in ``browser/test_installed.py``."""

from __future__ import annotations

import re
import shutil
from datetime import date
from pathlib import Path

import pytest

from docs import release

ROOT = Path(__file__).resolve().parents[2]
DAY = date(2027, 3, 9)
NAMING = ["CHANGELOG.md", "pyproject.toml", "CITATION.cff", "medlens/__init__.py"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the files that name the version."""
    (tmp_path / "medlens").mkdir()
    for name in NAMING:
        shutil.copy(ROOT / name, tmp_path / name)
    changes = tmp_path / "CHANGELOG.md"
    # Right after a release there is nothing unreleased.
    text = changes.read_text(encoding="utf-8")
    changes.write_text(
        text.replace("## Unreleased\n\n## ", "## Unreleased\n- New.\n\n## ", 1), encoding="utf-8"
    )
    return tmp_path


def texts(project: Path) -> list[str]:
    return [(project / name).read_text(encoding="utf-8") for name in NAMING]


def test_a_new_version_takes_what_was_unreleased_and_is_named_everywhere(project: Path) -> None:
    before = texts(project)
    release.begin_version(project, "97.0.1", DAY)
    changes, declared, cited, package = texts(project)
    assert "## Unreleased\n\n## 97.0.1 - 2027-03-09\n" in changes
    assert changes.replace("\n## 97.0.1 - 2027-03-09\n", "", 1) == before[0]
    assert 'version = "97.0.1"' in declared
    assert '__version__ = "97.0.1"' in package
    assert "version: 97.0.1\n" in cited
    assert re.search(r"^date-released: 2027-03-09$", cited, re.MULTILINE)
    # One line each; other versions, such as those of what it needs, stay.
    for was, now in zip(before[1:], (declared, cited, package), strict=True):
        changed = sum(a != b for a, b in zip(was.splitlines(), now.splitlines(), strict=True))
        assert changed == (2 if now is cited else 1)


@pytest.mark.parametrize(
    "version, why",
    [
        ("0.0.1", "does not come after"),
        (release.current_version(ROOT), "does not come after"),
        ("one", "three numbers"),
        ("1.0", "three numbers"),
        ("1.0.0rc1", "three numbers"),
    ],
)
def test_a_version_that_cannot_come_next_changes_nothing(
    project: Path, version: str, why: str
) -> None:
    before = texts(project)
    with pytest.raises(release.CannotRelease, match=why):
        release.begin_version(project, version, DAY)
    assert texts(project) == before


def test_ten_comes_after_nine(project: Path) -> None:
    release.begin_version(project, "97.9.0", DAY)
    (project / "CHANGELOG.md").write_text(
        (project / "CHANGELOG.md").read_text().replace("## Unreleased\n", "## Unreleased\n- New.\n")
    )
    release.begin_version(project, "97.10.0", DAY)
    assert release.current_version(project) == "97.10.0"


def test_where_nothing_has_changed_there_is_nothing_to_release(project: Path) -> None:
    release.begin_version(project, "97.0.1", DAY)
    before = texts(project)
    with pytest.raises(release.CannotRelease, match="nothing to release"):
        release.begin_version(project, "97.0.2", DAY)
    assert texts(project) == before


def test_what_has_no_section_in_the_changelog_is_not_built(project: Path) -> None:
    changes = project / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace(f"## {release.current_version(ROOT)} - ", "## "))
    with pytest.raises(release.CannotRelease, match="no section"):
        release.build_release(project)
    assert not (project / "dist").exists()
