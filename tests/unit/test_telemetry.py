"""What the log and the meters tell of a server, and what they never tell."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import re
import socket
import sys
import threading
import urllib.request
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import generate_latest

from medlens.config.settings import load_settings
from medlens.errors import BadFile, InvalidInput, MedLensError
from medlens.store import Store, open_store
from medlens.telemetry import logs, prometheus_metrics
from medlens.telemetry.prometheus_metrics import Meters, Sessions

SECRET = "the-patient-said-ouch sk-live-123"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged, as JSON lines from ``debug`` on; logging is as it was afterwards."""
    root = logging.getLogger()
    ours = logging.getLogger("medlens")
    before = (root.handlers[:], root.level, ours.level, logging.raiseExceptions)
    hooks = sys.excepthook, threading.excepthook, sys.unraisablehook
    stream = io.StringIO()
    logs.set_up_logging(level="debug", as_json=True, stream=stream)
    yield stream
    root.handlers[:], root.level, ours.level, logging.raiseExceptions = before
    root.setLevel(before[1])
    ours.setLevel(before[2])
    logging.captureWarnings(False)
    sys.excepthook, threading.excepthook, sys.unraisablehook = hooks


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_an_event_has_its_request_its_rater_and_its_facts(log: io.StringIO) -> None:
    with logs.tag_logs_with_request("rater-1"):
        logs.log_event("save", rows=3, seconds=0.123456789, kind="labels")
        logs.log_event("save", rows=1)
    logs.log_event("server.stopped")
    first, second, last = lines(log)
    assert re.fullmatch(r"[0-9a-f]{12}", str(first["request"]))
    assert first["request"] == second["request"]
    assert first["rater"] == "rater-1"
    assert (first["event"], first["rows"], first["kind"]) == ("save", 3, "labels")
    assert first["seconds"] == 0.1235
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(first["time"]))
    assert "request" not in last
    assert "rater" not in last


def test_two_requests_are_told_apart(log: io.StringIO) -> None:
    for _ in range(2):
        with logs.tag_logs_with_request():
            logs.log_event("rerun")
            logs.set_log_rater("rater-2")
            logs.log_event("rerun")
    found = lines(log)
    assert found[0]["request"] != found[2]["request"]
    assert ["rater" in line for line in found] == [False, True, False, True]


@pytest.mark.parametrize("value", [SECRET, "a\nforged line", "x" * 81, "{}"])
def test_a_fact_that_is_a_text_is_left_out(log: io.StringIO, value: str) -> None:
    logs.log_event("import", kind=value, rows=2)
    [line] = lines(log)
    assert "kind" not in line
    assert line["rows"] == 2


def _raise_with_text() -> None:
    try:
        raise ValueError(SECRET)
    except ValueError as error:
        raise BadFile(f"line 3: got {SECRET}", hint=SECRET) from error


def test_of_an_exception_the_kind_and_the_places_are_told_not_its_words(log: io.StringIO) -> None:
    try:
        _raise_with_text()
    except MedLensError:
        logging.getLogger("medlens.app.job_inbox_of_running_app").exception("Job %s failed", SECRET)
    [line] = lines(log)
    assert SECRET not in log.getvalue()
    assert line["error"] == "medlens.errors.BadFile from ValueError"
    assert str(line["trace"]).count("_raise_with_text") == 1
    assert line["level"] == "error"


@pytest.mark.parametrize("said", ["plain", "argument", "made up", "warning", "extra"])
def test_a_library_is_quoted_only_in_its_own_words(log: io.StringIO, said: str) -> None:
    library = logging.getLogger("some.library")
    if said == "plain":
        library.error("The socket was closed")
        assert lines(log)[0]["message"] == "The socket was closed"
    elif said == "argument":
        library.error("Cannot read %s", SECRET)
        assert lines(log)[0]["message"] == "Cannot read …"
    elif said == "made up":
        library.error("Cannot read " + SECRET)
    elif said == "warning":
        warnings.warn(SECRET, stacklevel=1)
    else:
        library.error("A request failed", extra={"url": SECRET, "headers": {"key": SECRET}})
    [line] = lines(log)
    assert SECRET not in log.getvalue()
    assert re.fullmatch(r"\S+\.py:\d+", str(line["where"]))


def test_a_part_of_medlens_says_what_it_answers_for_and_no_library_does(log: io.StringIO) -> None:
    for name in ("medlens.store.duckdb_store", "some.library"):
        logging.getLogger(name).warning("%s", SECRET, extra={"words": "2 rows are missing"})
    assert [line.get("message") for line in lines(log)] == ["2 rows are missing", "…"]
    assert SECRET not in log.getvalue()


def test_what_a_thread_dies_of_is_told_without_its_words(
    log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    thread = threading.Thread(target=_raise_with_text)
    thread.start()
    thread.join()
    [line] = lines(log)
    assert line["event"] == "uncaught"
    assert "BadFile" in str(line["error"])
    assert SECRET not in log.getvalue() + "".join(capfd.readouterr())


def test_a_record_that_cannot_be_written_does_not_print_itself(
    log: io.StringIO, capfd: pytest.CaptureFixture[str]
) -> None:
    logging.getLogger("some.library").error(object(), SECRET, exc_info=(None, None, None))
    log.close()
    logging.getLogger("some.library").error("Cannot read %s", SECRET)
    assert SECRET not in "".join(capfd.readouterr())


def test_the_readable_form_says_the_same_on_one_line() -> None:
    record = logging.LogRecord("medlens.events", logging.INFO, __file__, 1, "import", (), None)
    record.facts = {"kind": "labels", "rows": 3}
    line = logs.Formatter(as_json=False).format(record)
    assert re.fullmatch(r"\S+Z info    import kind=labels rows=3", line)


def test_libraries_are_heard_only_when_something_is_wrong(log: io.StringIO) -> None:
    library = logging.getLogger("some.library")
    library.setLevel(logging.DEBUG)
    library.info("Started")
    library.warning("The disk is slow")
    assert [line["message"] for line in lines(log)] == ["The disk is slow"]


def test_below_the_level_nothing_is_made(log: io.StringIO) -> None:
    logging.getLogger("medlens").setLevel(logging.WARNING)
    logs.log_event("rerun")
    assert log.getvalue() == ""


# -- meters --------------------------------------------------------------------------------------


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Meters]:
    meters_now = Meters(lambda: Sessions(3, 17))
    prometheus_metrics.set_metrics(meters_now)
    monkeypatch.setattr(Store, "around_saves", prometheus_metrics.context_that_times_saving)
    yield meters_now
    prometheus_metrics.set_metrics(None)


def told(counted: Meters) -> dict[str, float]:
    """Each sample by its name and labels."""
    pairs = (
        line.rsplit(" ", 1)
        for line in generate_latest(counted.registry).decode().splitlines()
        if not line.startswith("#")
    )
    return {name: float(value) for name, value in pairs}


def test_saves_imports_and_calls_are_counted(counted: Meters, tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "s.duckdb")) as store:
        before = told(counted)["medlens_save_seconds_count"]
        store.append("job", {"command": "a"})
        with pytest.raises(InvalidInput):
            store.append("job", {"nothing_like_it": "a"})
    prometheus_metrics.count_rerun("page", 0.004)
    prometheus_metrics.count_rerun("fragment", 0.3)
    prometheus_metrics.count_import("labels", "done", rows=12, seconds=0.5)
    prometheus_metrics.count_model_call("demo-a", "ok", 1.5)
    prometheus_metrics.count_tokens_and_cost("demo-a", tokens_in=100, tokens_out=10, cost=0.25)
    prometheus_metrics.count_tokens_and_cost("demo-a", tokens_in=100, tokens_out=10, cost=None)
    prometheus_metrics.count_failure(InvalidInput("no"))
    found = told(counted)
    assert found["medlens_save_seconds_count"] == before + 1
    assert found['medlens_saves_failed_total{error="InvalidInput"}'] == 1
    assert found['medlens_rerun_seconds_bucket{le="0.005",part="page"}'] == 1
    assert found['medlens_rerun_seconds_bucket{le="0.2",part="fragment"}'] == 0
    assert found['medlens_rerun_seconds_count{part="fragment"}'] == 1
    assert found['medlens_import_seconds_count{kind="labels",outcome="done"}'] == 1
    assert found['medlens_imported_rows_total{kind="labels"}'] == 12
    assert found['medlens_model_call_seconds_sum{model="demo-a",outcome="ok"}'] == 1.5
    assert found['medlens_model_cost_total{model="demo-a"}'] == 0.25
    assert found['medlens_model_tokens_total{model="demo-a",way="in"}'] == 200
    assert found['medlens_errors_total{error="InvalidInput"}'] == 1
    assert (found["medlens_sessions"], found["medlens_sessions_opened_total"]) == (3, 17)


def test_off_nothing_is_counted_and_saves_are_made(tmp_path: Path) -> None:
    meters_now = Meters()
    with contextlib.closing(open_store(tmp_path / "s.duckdb")) as store:
        assert store.append("job", {"command": "a"}) == 1
    prometheus_metrics.count_rerun("page", 1.0)
    assert told(meters_now)["medlens_save_seconds_count"] == 0


@pytest.fixture
def fetched_at(counted: Meters) -> Iterator[int]:
    """The port at which the figures are told."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    end = prometheus_metrics.start_metrics_server_and_return_stopper(
        "127.0.0.1", port, counted.registry, names=["metrics.example.org"]
    )
    yield port
    end()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def asked(port: int, request: str) -> bytes:
    """What is answered to a request as it is sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as peer:
        peer.sendall(request.encode())
        return b"".join(iter(lambda: peer.recv(1 << 16), b""))


def test_the_figures_are_told_at_their_address_until_the_end(
    fetched_at: int, counted: Meters
) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{fetched_at}/metrics", timeout=5) as answer:
        assert b"medlens_sessions 3.0" in answer.read()
    with pytest.raises(MedLensError, match="cannot be served at"):
        prometheus_metrics.start_metrics_server_and_return_stopper(
            "127.0.0.1", fetched_at, counted.registry
        )


REQUESTS = (
    ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:9\r\n\r\n", 200),
    ("GET /metrics HTTP/1.1\r\nHost: [::1]:9\r\n\r\n", 200),
    ("GET /metrics HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n", 200),
    ("GET /metrics HTTP/1.1\r\nHost: metrics.example.org.:9\r\n\r\n", 200),
    ("HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
    ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n", 405),
    ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    ("GET /metrics/../x HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
    # A page elsewhere whose name was made to lead here would read them, from any browser here.
    ("GET /metrics HTTP/1.1\r\nHost: evil.example:9464\r\n\r\n", 400),
    ("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\n\r\n", 400),
    ("GET /metrics HTTP/1.1\r\nHost: localhost:9464.evil.example\r\n\r\n", 400),
    ("GET /metrics HTTP/1.1\r\nHost: [::1\r\n\r\n", 400),
    ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 400),
    ("GET /metrics HTTP/1.1\r\n\r\n", 400),
    (f"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: {'x' * 70_000}\r\n\r\n", 431),
)


def test_the_figures_are_told_by_name_and_path_alone(
    fetched_at: int, capfd: pytest.CaptureFixture[str]
) -> None:
    for request, status in REQUESTS:
        answer = asked(fetched_at, request)
        assert answer.startswith(b"HTTP/1.0 %d " % status), (request[:80], answer[:80])
        assert (b"medlens_sessions" in answer) == (status == 200)
    assert capfd.readouterr().err == ""


@pytest.mark.deep
def test_clients_that_dawdle_are_cut_off_and_more_than_a_few_turned_away(
    fetched_at: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prometheus_metrics, "_PATIENCE", 0.5)
    before = threading.active_count()
    with contextlib.ExitStack() as held:
        slow = [socket.create_connection(("127.0.0.1", fetched_at), timeout=10) for _ in range(40)]
        for one in slow:
            held.enter_context(one)
            with contextlib.suppress(OSError):
                one.sendall(b"GET /metrics HT")
        assert threading.active_count() - before <= 20
        for one in slow:
            with contextlib.suppress(ConnectionResetError):
                assert one.recv(1 << 16) == b""
    good = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert b"medlens_sessions 3.0" in asked(fetched_at, good)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "section",
    [
        'address = "0.0.0.0:9464"',
        'address = "metrics.example.org:9464"',
        'address = "[::]:9464"',
        'address = "127.0.0.1"',
        'address = "127.0.0.1:http"',
        'address = ":9464"',
        'address = "127.0.0.1:70000"',
    ],
)
def test_an_address_that_others_reach_or_that_is_none_is_refused(
    section: str, tmp_path: Path
) -> None:
    file = tmp_path / "medlens.toml"
    file.write_text(f"[serve]\nport = 8501\n[metrics]\n{section}\n")
    with pytest.raises(BadFile) as caught:
        load_settings({"MEDLENS_CONFIG": str(file)})
    assert caught.value.rows[0].line in (3, 4)


def test_an_address_that_others_reach_can_be_allowed(tmp_path: Path) -> None:
    file = tmp_path / "medlens.toml"
    file.write_text('[metrics]\naddress = "0.0.0.0:9464"\nbeyond_this_machine = true\n')
    assert load_settings({"MEDLENS_CONFIG": str(file)}).metrics.address == "0.0.0.0:9464"
    assert load_settings({}).metrics.address == ""
