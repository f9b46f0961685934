"""The served app as its operator sees it: health, log, metrics. No browser, only its messages."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import websockets

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import raters
from medlens.store import open_store
from tests.bench.session import Session, SessionFailed
from tests.browser.conftest import AppServer, Server, beside_the_browser, free_port

MARK = "zebrafinch"
ITEM = (
    '{"item": "one", "question": "What is it, MARK?", "option_A": "MARK", "option_B": "no",'
    ' "correct": "A", "chosen": "B", "response": "It is the MARK disease of old people."}\n'
)


def fetch(url: str, **headers: str) -> tuple[int, str]:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def marked_store(folder: Path) -> tuple[Path, str]:
    """A store whose only item is full of the mark, and the id of a person working in it."""
    path, file = folder / "marked.duckdb", folder / "items.jsonl"
    file.write_text(ITEM.replace("MARK", MARK))
    store = open_store(path)
    work_behind_commands.import_file(
        store, Settings(), "items", file, name="items.jsonl", dataset=MARK
    )
    rater = raters.find_or_add_rater_by_name(store, f"Dr {MARK}").id
    store.close()
    return path, rater


async def _work(server: Server, rater: str) -> None:
    session = Session(server.url, rater, query=f"note={MARK}")
    await session.open()
    await session.mark()
    session._body["spans"][-1]["comment"] = f"I say {MARK}"
    await session.mark()
    # A quote that is not in the item is refused, with a message that quotes it.
    session._body["spans"][-1]["quote"] = MARK
    with pytest.raises(SessionFailed):
        await session.mark()
    await session.close()
    socket = await websockets.connect(
        server.url.replace("http", "ws") + "/_stcore/stream",
        subprotocols=["streamlit"],
        origin=server.url,
    )
    await socket.send(b"\xff\x00" + MARK.encode())
    await socket.send(MARK)
    await socket.close()


@pytest.mark.deep
def test_the_log_and_the_meters_tell_of_work_and_nothing_of_what_was_written(
    app_server: AppServer, tmp_path: Path
) -> None:
    store, rater = marked_store(tmp_path)
    port = free_port()
    settings = (
        f'[log]\nformat = "json"\nlevel = "debug"\n[metrics]\naddress = "127.0.0.1:{port}"\n'
        f'[models.one]\nbase_url = "http://localhost:9/v1"\nmodel = "{MARK}"\n'
    )
    server = app_server(store=store, settings=settings, env={"SOME_KEY": MARK})
    beside_the_browser(_work(server, rater))
    fetch(f"{server.url}/?item={MARK}", Cookie=f"a={MARK}", Authorization=f"Bearer {MARK}")
    fetch(f"{server.url}/{MARK}/{MARK}")
    # A run goes on for a moment after the browser has its answer, and is then logged and counted.
    until = time.monotonic() + 30
    while True:
        logged = _count(_lines(server), "fragment")
        _, counted = fetch(f"http://127.0.0.1:{port}/metrics")
        if f'{{part="fragment"}} {logged}\n' in counted and logged:
            break
        assert time.monotonic() < until, "a run was logged and not counted, or the other way round"
        time.sleep(0.05)
    assert server.stop() == 0

    text = server.log.read_text()
    assert MARK not in text
    assert MARK not in counted
    told = _lines(server)
    assert [line for line in text.splitlines() if not line.startswith("{")] == [
        f"MedLens is at {server.url}"
    ]
    events = [line["event"] for line in told]
    assert events[0] == "server.started", told[0]
    assert events[-1] == "server.stopped"
    runs = [line for line in told if line["event"] == "rerun"]
    assert {line["part"] for line in runs} == {"page", "fragment"}
    assert len({line["request"] for line in runs}) == len(runs)
    assert {line.get("rater") for line in runs} >= {rater}
    assert "medlens_sessions_opened_total 2.0" in counted
    saves = [line for line in counted.splitlines() if line.startswith("medlens_save_seconds_count")]
    assert float(saves[0].split()[1]) >= 2
    assert f'medlens_rerun_seconds_count{{part="fragment"}} {_count(told, "fragment")}' in counted


def _lines(server: Server) -> list[dict[str, Any]]:
    """What the log holds by now, without what is being written."""
    lines = server.log.read_text().rpartition("\n")[0].splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


def _count(told: list[dict[str, object]], part: str) -> float:
    return float(sum(line.get("part") == part for line in told if line["event"] == "rerun"))


def test_what_a_page_raises_is_logged_by_its_place_not_its_words(
    app_server: AppServer, tmp_path: Path
) -> None:
    script = tmp_path / "broken.py"
    script.write_text(
        "def open_item():\n"
        f"    raise KeyError('{MARK} ' * 3)\n"
        "try:\n    open_item()\n"
        f"except KeyError as error:\n    raise ValueError('of {MARK}') from error\n"
    )
    server = app_server(script=script)

    async def look() -> None:
        session = Session(server.url, "nobody", page="")
        with pytest.raises(SessionFailed):
            await session.open()
        await session.close()

    beside_the_browser(look())
    text = server.log.read_text()
    assert MARK not in text
    assert "error=ValueError from KeyError" in text
    assert "broken.py:6 in <module>" in text
    assert "Uncaught app execution" in text


def test_anyone_may_ask_whether_it_works_and_learns_nothing_else(
    app_server: AppServer, tmp_path: Path
) -> None:
    secrets = (
        '[auth]\nredirect_uri = "http://localhost:{port}/oauth2callback"\ncookie_secret = "s"\n'
        'client_id = "c"\nclient_secret = "d"\nserver_metadata_url = "http://localhost:9/x"\n'
    )
    server = app_server(store=tmp_path / "s.duckdb", secrets=secrets)
    assert fetch(f"{server.url}/healthz") == (200, "alive\n")
    assert fetch(f"{server.url}/readyz") == (200, "ready\n")
    assert fetch(f"{server.url}/readyz", Host="evil.example")[0] == 400


def test_a_store_that_was_moved_away_makes_it_not_ready(
    app_server: AppServer, tmp_path: Path
) -> None:
    server = app_server(store=tmp_path / "s.duckdb")
    (tmp_path / "s.duckdb").rename(tmp_path / "away.duckdb")
    assert fetch(f"{server.url}/readyz") == (503, "not ready\n")
    assert fetch(f"{server.url}/healthz") == (200, "alive\n")


@pytest.mark.deep
def test_while_it_stops_it_is_not_ready(app_server: AppServer, tmp_path: Path) -> None:
    server = app_server(store=tmp_path / "s.duckdb")

    async def ask() -> bytes:
        host, port = server.url.removeprefix("http://").split(":")
        # Connected before the shutdown, since nobody is let in after it; a session keeps the server
        # up.
        stays = Session(server.url, "nobody", page="")
        await stays.connect()
        reader, writer = await asyncio.open_connection(host, int(port))
        request = f"GET /readyz HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        writer.write(request)
        first = await reader.readuntil(b"ready\n")
        assert b" 200 " in first
        assert server.process is not None
        os.kill(server.process.pid, signal.SIGTERM)
        said = b""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            writer.write(request)
            part = await reader.read(1000)
            said += part
            if not part or b"not ready" in part:
                break
            await asyncio.sleep(0.05)
        writer.close()
        await stays.close()
        return said

    assert b" 503 " in beside_the_browser(ask())
