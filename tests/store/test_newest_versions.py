"""Stores work with the newest versions of what MedLens needs that its wheel allows.

The exact versions, which are also the lowest that the wheel allows, are those of all other tests.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import streamlit

REPO = Path(__file__).resolve().parents[2]
STORES = [
    *("judging", "demos", "public_views", "ebmqa_questions", "ebmqa_explore", "audit"),
    *("anonymity", "damage", "assignment", "gate"),
]


def ranges() -> dict[str, str]:
    """What the wheel asks for, by name."""
    project = tomllib.loads((REPO / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {re.split(r"[\[>=<]", asked)[0].lower(): asked for asked in project["dependencies"]}


def test_the_lowest_versions_allowed_are_the_ones_that_everything_is_tested_with() -> None:
    pins = dict(
        line.split("==")
        for line in (REPO / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    )
    pins = {re.sub(r"\[.*\]", "", name).lower(): version for name, version in pins.items()}
    for name, asked in ranges().items():
        lowest = re.search(r">=([\d.]+)", asked)
        assert lowest is not None, asked
        # All that is asked of it has been there since its fourth version.
        assert pins[name] == lowest[1] or name == "platformdirs", asked


@pytest.mark.deep
def test_stores_work_with_the_newest_versions_that_the_wheel_allows(tmp_path: Path) -> None:
    folder = tmp_path / "venv"
    uv = Path(sys.executable).with_name("uv")
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder], check=True)
    # What has no newer version is found where the tests have it, and so are the tests' own tools.
    packages = next(folder.glob("lib/python*/site-packages"))
    (packages / "needed.pth").write_text(f"{Path(streamlit.__file__).parents[1]}\n")
    python = folder / "bin" / "python"
    installed = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", python, "install", "--quiet"),
            *("--disable-pip-version-check", "--upgrade", *ranges().values()),
        ],
        capture_output=True,
        text=True,
    )
    assert installed.returncode == 0, installed.stderr
    asked = "import duckdb, sys; print(duckdb.__version__, sys.modules['duckdb'].__file__)"
    version, where = subprocess.run(
        [python, "-c", asked], capture_output=True, text=True, check=True
    ).stdout.split()
    # A version after the pinned one is on offer, or the range need not reach beyond it.
    assert int(version.split(".")[0]) >= 2, version
    assert where.startswith(str(folder))
    tests = [f"tests/store/test_{name}.py" for name in STORES]
    done = subprocess.run(
        [
            *(python, "-m", "pytest", "-q", "-x", "-m", "not deep", "-p", "no:cacheprovider"),
            *("--basetemp", tmp_path / "pytest", *tests),
        ],
        cwd=REPO,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
