"""The parts in the browser that hold data, under node's own test runner: a test for each file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]
TESTS = sorted((REPO / "tests" / "js").glob("*.test.js"))


@pytest.fixture(scope="session")
def node() -> str:
    """Node's program, or a skipped test; a failed one where MEDLENS_REQUIRE_NODE is set."""
    found = shutil.which("node")
    if found:
        return found
    if os.environ.get("MEDLENS_REQUIRE_NODE"):
        pytest.fail("node was not found, and MEDLENS_REQUIRE_NODE is set")
    pytest.skip("node was not found")


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_what_holds_data_in_the_browser(file: Path, node: str, tmp_path: Path) -> None:
    # Older nodes take a file for a module only where a package says so.
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for folder in ("medlens/ui/components", "tests/js"):
        shutil.copytree(REPO / folder, tmp_path / folder)
    done = subprocess.run(
        [node, f"tests/js/{file.name}"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not ok" not in done.stdout
    assert re.search(r"(?m)^(?:#|\S+) pass [1-9]", done.stdout), done.stdout
