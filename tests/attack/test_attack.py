"""A short form of the attacks; ``make attack`` has the whole of them."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from medlens.app import job_inbox_of_running_app
from tests.attack import command_channel, pages
from tests.attack.__main__ import SUITES
from tests.attack.counts import Counts, report


@pytest.mark.deep
# tests/browser/test_access.py, tests/fuzz and tests/bench have the short forms of these.
@pytest.mark.parametrize("name", sorted(set(SUITES) - {"authorization", "files", "kills"}))
def test_nothing_gets_through(name: str) -> None:
    counts: Counts = importlib.import_module(f"tests.attack.{name}").run(1, "short")
    print(report(name, counts, 0))
    assert counts.found == []
    assert sum(counts.tried.values()) >= 3


def test_in_all_rounds_every_place_gets_every_string() -> None:
    got: list[set[str]] = [set() for _ in range(3)]
    for turn in range(pages.GROUPS):
        poison = pages.Poison([f"<{one}>" for one in range(100)], turn)
        for place in got:
            place.update(poison.next("a field").split())
    assert [len(place) for place in got] == [100] * 3


@pytest.mark.deep
def test_a_hole_in_the_inbox_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    # Without the look at what lies in a job's folder, links lead elsewhere.
    monkeypatch.setattr(job_inbox_of_running_app, "_leave_plain_files", lambda path: None)
    monkeypatch.setattr(
        command_channel, "ATTACKS", {"links": command_channel.ATTACKS["links where results go"]}
    )
    # A table and a backup are written to a new file; what the app says of a job follows the link.
    assert any(command_channel.run(seed, "short").found for seed in range(1, 9))


def test_the_report_counts_what_was_tried_and_names_what_got_through() -> None:
    counts = Counts()
    counts.note("a link")
    counts.note("a link", "was followed")
    told = report("inbox", counts, 3)
    assert told.splitlines()[0] == "inbox: 2 tried, 1 got through, 3 s"
    assert "FOUND  a link: was followed" in told


def test_every_suite_is_in_the_list_and_in_the_security_text() -> None:
    folder = Path(__file__).parent
    told = (folder.parents[1] / "SECURITY.md").read_text(encoding="utf-8")
    for file in set(folder.glob("*.py")) - {Path(__file__)}:
        if "def run(seed: int, size: Size)" in file.read_text(encoding="utf-8"):
            assert file.stem in SUITES
            assert f"`{file.stem}`" in told
