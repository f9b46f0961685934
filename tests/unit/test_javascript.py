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
    run(node, file.name, tmp_path)


@pytest.mark.deep
def test_in_1_000_turns_of_each_desk_no_key_is_lost_or_on_another_item(
    node: str, tmp_path: Path
) -> None:
    seeds = "27 2718"
    print(f"seeds: {seeds}")
    for name in ("turns", "sources", "tagging"):
        (tmp_path / name).mkdir()
        run(node, f"{name}.test.js", tmp_path / name, MEDLENS_TURNS="1000", MEDLENS_SEEDS=seeds)


def run(node: str, name: str, tmp_path: Path, **settings: str) -> None:
    """Runs a file of tests, which must all pass."""
    # Older nodes take a file for a module only where a package says so.
    (tmp_path / "package.json").write_text('{"type": "module"}')
    for folder in ("medlens/ui/components", "tests/js"):
        shutil.copytree(REPO / folder, tmp_path / folder)
    done = subprocess.run(
        [node, f"tests/js/{name}"],
        cwd=tmp_path,
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=400,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "not ok" not in done.stdout
    assert re.search(r"(?m)^(?:#|\S+) pass [1-9]", done.stdout), done.stdout


def test_only_where_a_pointer_can_hover_does_a_style_say_so() -> None:
    """A finger leaves what it tapped last as if hovered: the next item's option at that place."""
    sticking = []
    for file in sorted(REPO.glob("medlens/ui/**/*.css")):
        style = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)
        guarded = re.compile(r"@media \(hover: hover\)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
        if ":hover" in guarded.sub("", style):
            sticking.append(file.name)
    assert sticking == []
