"""Where MedLens finds what it ships with, and where a team's own files are."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import platformdirs
import pytest

from medlens.config import shipped_and_home_folders

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "app.py").touch()
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


def test_in_a_checkout_both_places_are_its_root(checkout: Path) -> None:
    assert shipped_and_home_folders.shipped_folder(checkout) == checkout
    assert shipped_and_home_folders.home_folder(checkout, {}) == checkout


def test_installed_it_reads_from_the_package_and_keeps_files_where_the_platform_does(
    tmp_path: Path,
) -> None:
    (tmp_path / "app.py").touch()  # some other package's, beside ours
    assert shipped_and_home_folders.shipped_folder(tmp_path) == tmp_path / "medlens" / "shipped"
    home = shipped_and_home_folders.home_folder(tmp_path, {})
    assert home == platformdirs.user_data_path("medlens", appauthor=False)
    assert tmp_path not in home.parents


def test_a_team_can_name_the_folder_of_its_files(checkout: Path, tmp_path: Path) -> None:
    named = {"MEDLENS_HOME": str(tmp_path / "team")}
    assert shipped_and_home_folders.home_folder(checkout, named) == tmp_path / "team"
    assert (
        shipped_and_home_folders.home_folder(tmp_path / "site-packages", named) == tmp_path / "team"
    )
    assert shipped_and_home_folders.home_folder(checkout, {"MEDLENS_HOME": ""}) == checkout


def test_a_wheel_holds_every_folder_of_data_and_never_the_one_where_a_store_may_lie() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    copied = built["targets"]["wheel"]["force-include"]
    assert all((ROOT / source).exists() for source in copied)
    assert all(target == f"medlens/shipped/{source}" for source, target in copied.items())
    assert {"app.py", "pages", ".streamlit/config.toml"} <= copied.keys()
    data = {source for source in copied if source.startswith("data")}
    assert data == {
        name.lstrip("/")
        for name in built["targets"]["sdist"]["include"]
        if name.startswith("/data")
    }
    listed = subprocess.run(
        ["git", "ls-files", "data"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode == 0:
        assert data == {"/".join(name.split("/")[:2]) for name in listed.stdout.split()}
    assert "data" not in data
