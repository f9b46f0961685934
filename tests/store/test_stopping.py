"""The server is told to stop, at work or while it starts: the store is closed, exit code 0."""

from __future__ import annotations

import configparser
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from medlens import cli
from medlens.__main__ import serve_app
from medlens.store import duckdb_engine, new_id, open_store
from medlens.ui import server, settings_store_and_runs_of_process

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def handlers() -> Iterator[None]:
    """The test's process goes on: it listens afterwards as it did before."""
    before = {one: signal.getsignal(one) for one in (signal.SIGTERM, signal.SIGINT)}
    # A shell lets what it starts in the background hear no interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for one, what in before.items():
        signal.signal(one, what)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["terminate", "interrupt"])
def test_told_to_stop_while_it_starts_it_closes_the_store_and_ends_with_0(
    how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.duckdb"
    monkeypatch.setenv("MEDLENS_STORE", str(path))
    closed_under: list[Any] = []
    close = settings_store_and_runs_of_process.stop_runs_and_close_store

    def start(*_: object, **__: object) -> None:
        settings_store_and_runs_of_process.store_of_process().append("job", {"command": "x"})
        assert path.with_name("store.duckdb.wal").exists()
        os.kill(os.getpid(), how)
        raise AssertionError("the signal was not heard")

    def note_and_close() -> None:
        closed_under.append(signal.getsignal(how))
        close()

    monkeypatch.setattr(server, "serve_streamlit", start)
    monkeypatch.setattr(
        settings_store_and_runs_of_process, "stop_runs_and_close_store", note_and_close
    )
    assert cli.main(["serve"], serve=serve_app) == 0
    assert closed_under == [signal.SIG_IGN]
    assert not path.with_name("store.duckdb.wal").exists()
    store = open_store(path)
    assert store.rows("select command from job") == [("x",)]
    store.close()


def test_told_to_stop_before_anything_is_imported_it_ends_with_0() -> None:
    # As the first process of a container, which no signal stops that it does not listen for.
    code = (
        "import os, runpy, signal, sys\n"
        "class Told:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'medlens.cli':\n"
        "            os.kill(os.getpid(), signal.SIGTERM)\n"
        "sys.meta_path.insert(0, Told())\n"
        "sys.argv = ['medlens', 'serve']\n"
        "runpy.run_module('medlens', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=DOCS.parent, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_store_that_is_closed_while_somebody_reads_is_checkpointed(tmp_path: Path) -> None:
    path = tmp_path / "store.duckdb"
    store = open_store(path)
    store.append("job", {"command": "x"})
    with store._cursor() as reading:
        reading.execute("select * from range(10)")
        store.close()
        log = path.with_name("store.duckdb.wal")
        assert not log.exists() or not log.stat().st_size


def test_the_log_is_written_out_when_it_is_long_and_not_at_each_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.duckdb"
    log = path.with_name("store.duckdb.wal")
    store = open_store(path)

    def sizes(count: int) -> list[int]:
        found = []
        for number in range(count):
            work = {"task": "t", "item": f"{number}", "rater": new_id(), "revision": 1, "body": {}}
            times = {"active_seconds": 1.0, "idle_seconds": 0.0}
            judged = {"blind": True, "origin": "app", "complete": True}
            store.append_all_and_count_new_by_table(
                {"draft": [work | times], "judgment": [work | times | judged]}
            )
            found.append(log.stat().st_size if log.exists() else 0)
        return found

    grown = sizes(20)
    assert grown == sorted(set(grown))
    monkeypatch.setattr(duckdb_engine, "LONGEST_LOG", grown[-1])
    assert max(sizes(30)) < 1.5 * grown[-1]
    store.close()


def test_the_service_file_and_the_container_stop_the_server_itself_and_give_it_time() -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(DOCS / "medlens.service")
    service = unit["Service"]
    assert service["ExecStart"].endswith("python -m medlens serve")
    assert service["KillSignal"] == "SIGTERM"
    # A job and the runs have 30 s each to end, pages 4 s.
    assert int(service["TimeoutStopSec"]) >= 30 + 30 + server.GRACE_SECONDS
    assert service["UMask"] == "0077"
    lines = (DOCS / "Containerfile").read_text().splitlines()
    # A container that is alive says so by itself.
    assert any(line.startswith("HEALTHCHECK") for line in lines)
    assert "/healthz" in "".join(lines)
    # As a list: a shell in between would be the first process, and pass no signal on.
    assert 'CMD ["medlens", "serve", "--host", "0.0.0.0"]' in lines
    # It holds a release, and so nothing of what may lie beside it in somebody's checkout.
    copied = [line.split()[1] for line in lines if line.startswith("COPY ")]
    assert copied == ["requirements.lock", "medlens-*.whl"]
