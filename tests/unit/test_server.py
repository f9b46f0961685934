"""The server's guard, without a server: host names, headers, policies, addresses."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
import socket
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit import config

from medlens.config.settings import Serve, Settings
from medlens.errors import MedLensError
from medlens.ui import preload_link_header_of_page_files, request_guard, server
from tests.children import Child


async def _inner(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "http":
        kind = b"text/javascript" if scope["path"].endswith(".js") else b"text/html"
        status = 404 if "missing" in scope["path"] else 200
        headers = [(b"content-type", kind)]
        if "packed" in scope["path"]:
            headers.append((b"content-encoding", b"gzip"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"in", "more_body": True})
        await send({"type": "http.response.body", "body": b"side"})
    else:
        await send({"type": "websocket.accept"})


def asked(
    *,
    kind: str = "http",
    path: str = "/",
    hosts: tuple[bytes, ...] = (b"localhost:8501",),
    origin: bytes = b"",
    cookie: bytes = b"",
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """What the guard sends for one request, and the headers of its answer."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect" if kind == "websocket" else "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "method": "GET",
        "path": path,
        "headers": [(b"host", host) for host in hosts]
        + ([(b"origin", origin)] if origin else [])
        + ([(b"cookie", cookie)] if cookie else []),
    }
    guarded = request_guard.Guard(
        _inner, hosts=["localhost", "127.0.0.1", "::1", "medlens.example.org"]
    )
    asyncio.run(guarded(scope, receive, send))
    headers = {name.decode(): value.decode() for name, value in sent[0].get("headers", [])}
    return sent, headers


@pytest.mark.parametrize(
    "host",
    [
        b"localhost",
        b"LOCALHOST:8501",
        b"localhost.",
        b"127.0.0.1:8501",
        b"[::1]:8501",
        b"medlens.example.org",
    ],
)
def test_the_apps_own_names_are_answered(host: bytes) -> None:
    assert asked(hosts=(host,))[0][0]["status"] == 200


@pytest.mark.parametrize(
    "hosts",
    [
        (b"evil.example",),
        (b"medlens.example.org.evil.example",),
        (b"evil.example:localhost",),
        (b"localhost:8501.evil.example",),
        (b"evil.example@localhost",),
        (b"localhost/evil.example",),
        (b"localhost?evil.example",),
        (b"localhost#evil.example",),
        (b"localhost:65536",),
        (b"localhost\n",),
        (b"[::1",),
        (b"\xff",),
        (b"",),
        (),
        (b"localhost", b"evil.example"),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_other_names_are_refused_before_anything_else_sees_them(
    hosts: tuple[bytes, ...], kind: str
) -> None:
    sent, _ = asked(kind=kind, hosts=hosts)
    if kind == "http":
        assert sent[0]["status"] == 400
        assert b"inside" not in sent[1]["body"]
    else:
        assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "/_stcore/agent/interact", "/_stcore/script-health-check"]
)
def test_doors_nobody_uses_are_closed(path: str) -> None:
    assert asked(path=path)[0][0]["status"] == 404


def test_refusals_carry_the_headers_too() -> None:
    _, headers = asked(hosts=(b"evil.example",))
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_only_frames_of_packaged_components_may_stand_in_a_frame_and_only_in_ours() -> None:
    assert "frame-ancestors 'none'" in asked(path="/")[1]["content-security-policy"]
    framed = asked(path="/component/some.package/index.html")[1]["content-security-policy"]
    assert "frame-ancestors 'self'" in framed


def test_a_pages_own_files_are_kept_by_the_browser_and_what_is_not_there_is_not() -> None:
    own = "/_stcore/bidi-components/medlens.span_tagger_0/span_tagger/"
    assert "immutable" in asked(path=f"{own}tagger.js")[1]["cache-control"]
    for other in (f"{own}missing.js", "/_stcore/bidi-components/other.part/part.js", "/"):
        assert "cache-control" not in asked(path=other)[1]


def test_a_page_says_which_files_it_is_about_to_need_once_it_was_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preload_link_header_of_page_files, "_drawn", defaultdict(dict))
    preload_link_header_of_page_files.record_files_page_needs(
        "Tag errors", "medlens.tagger_0", ("span_tagger/tagger.js",)
    )
    said = asked(path="/Tag_errors")[1]["link"].split(", ")
    streamlits = asked(path="/")[1]["link"].split(", ")
    assert set(streamlits) < set(said)
    own = [one for one in said if one not in streamlits]
    # Also what is imported by what it imports.
    preload_link_header_of_page_files.record_files_page_needs(
        "Tag errors", "medlens.tagger_0", ("span_tagger/tagger.css",)
    )
    styles = asked(path="/Tag_errors")[1]["link"]
    assert "tagger_0/answer_form/form.css>; rel=preload; as=style" in styles
    for file in ("span_tagger/tagger.js", "shared/saver.js", "shared/outbox.js"):
        assert f"</_stcore/bidi-components/medlens.tagger_0/{file}>; rel=modulepreload" in own
    assert asked(path="/component/some.package/index.html")[1].get("link") is None


def test_streamlits_files_that_are_named_early_exist_and_are_not_in_its_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preload_link_header_of_page_files, "_drawn", defaultdict(dict))
    files = [
        one.split(">")[0].removeprefix("</")
        for one in preload_link_header_of_page_files.preload_link_header("/").split(", ")
    ]
    static = Path(st.__file__).parent / "static"
    assert [file for file in files if not (static / file).is_file()] == []
    page = (static / "index.html").read_text("utf-8")
    assert [file for file in files if Path(file).name in page] == []
    for part in ("BidiComponent.", "Html.", "PageLink.", "MaterialSymbols-Rounded."):
        assert sum(Path(file).name.startswith(part) for file in files) == 1


def test_pages_are_served_from_an_environment_that_is_a_link(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = preload_link_header_of_page_files._of_streamlit()
    (tmp_path / "static").symlink_to(Path(st.__file__).parent / "static")
    monkeypatch.setattr(preload_link_header_of_page_files, "STATIC_FOLDER", tmp_path / "static")
    assert preload_link_header_of_page_files._of_streamlit.__wrapped__() == files


def test_scripts_come_from_the_server_alone_and_are_never_made_from_text() -> None:
    policy = request_guard.content_security_policy(scripts=["'sha256-x'"])
    assert "script-src 'self' 'sha256-x'" in policy
    assert "object-src 'none'" in policy
    assert "base-uri 'none'" in policy
    assert "unsafe-eval" not in policy
    assert policy.count("unsafe-inline") == 1  # styles


@pytest.mark.parametrize(
    ("path", "unpacked"), [("/Tag_errors", bytes), ("/Tag_errors_packed", gzip.decompress)]
)
def test_a_page_begins_with_our_script_and_its_policy_allows_that(
    path: str, unpacked: Callable[[bytes], bytes]
) -> None:
    sent, headers = asked(path=path)
    body = b"".join(one["body"] for one in sent[1:])
    assert headers["content-length"] == str(len(body))
    script = unpacked(body).decode().split("<script>")[1].split("</script>")[0]
    assert "BACKEND_BASE_URL" in script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"'sha256-{digest}'" in headers["content-security-policy"]


def test_only_a_page_for_a_browser_with_streamlits_cookie_connects_at_once() -> None:
    def page(cookie: bytes) -> bytes:
        return b"".join(one["body"] for one in asked(cookie=cookie)[0][1:])

    assert b"<html data-known" in page(b"_streamlit_xsrf=2|a|b|1")
    assert b"data-known" not in page(b"other=1")


def test_a_page_that_a_browser_kept_from_elsewhere_is_not_called_unchanged() -> None:
    heard = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        heard.append([name for name, _ in scope["headers"]])

    async def nothing(*_: Any) -> Any:
        return {}

    kept = [(b"host", b"localhost"), (b"if-none-match", b"x"), (b"if-modified-since", b"y")]
    for path in ("/Tag_errors", "/static/index.js"):
        scope = {"type": "http", "method": "GET", "path": path, "headers": kept}
        asyncio.run(request_guard.Guard(inner, hosts=["localhost"])(scope, nothing, nothing))
    assert heard == [[b"host"], [b"host", b"if-none-match", b"if-modified-since"]]


def test_a_line_says_whom_its_tab_remembers() -> None:
    lines = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        lines.append(request_guard.LINE.get())

    async def nothing(*_: Any) -> Any:
        return {}

    for query in (b"tab=id-Ann", b"tab=", b""):
        scope = {
            "type": "websocket",
            "path": "/_stcore/stream",
            "headers": [(b"host", b"localhost")],
            "query_string": query,
        }
        asyncio.run(request_guard.Guard(inner, hosts=["localhost"])(scope, nothing, nothing))
    assert [line and line.tab for line in lines] == ["id-Ann", "", ""]


def test_a_file_that_is_a_page_is_sent_as_it_is() -> None:
    sent, _ = asked(path="/app/report.html")
    assert b"".join(one["body"] for one in sent[1:]) == b"inside"


@pytest.mark.parametrize(
    "host, expected",
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.2", False),
        ("medlens.example.org", False),
        ("localhost.evil.example", False),
        ("unix:///run/medlens.sock", False),
        ("", False),
    ],
)
def test_loopback_is_known_by_address_not_by_looks(host: str, expected: bool) -> None:
    assert server.is_loopback_host(host) is expected


@pytest.fixture
def streamlits_options() -> Iterator[None]:
    """Streamlit's options are the process's: put back what a server set."""
    script = config._main_script_path
    yield
    config._main_script_path = script
    config.get_config_options(force_reparse=True, options_from_flags={})


@pytest.mark.usefixtures("streamlits_options")
@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1"])
def test_beyond_loopback_without_sign_in_nothing_starts(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "is_sign_in_set_up", lambda: False)
    started: list[str] = []
    with pytest.raises(MedLensError, match="sign-in is not set up") as caught:
        server.serve_streamlit(
            Settings(serve=Serve(host=host)), on_start=lambda: started.append("store")
        )
    assert "[auth]" in caught.value.hint
    assert started == []


@pytest.mark.usefixtures("streamlits_options")
def test_a_taken_port_is_said_before_the_store_is_opened() -> None:
    started: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(MedLensError, match=f"port {port}"):
            server.serve_streamlit(Settings(), port=port, on_start=lambda: started.append("store"))
    assert started == []


@pytest.mark.usefixtures("streamlits_options")
def test_an_address_that_is_not_this_machines_is_said_plainly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "is_sign_in_set_up", lambda: True)
    with pytest.raises(MedLensError, match=r"cannot listen on 192\.0\.2\.1"):
        server.serve_streamlit(Settings(), host="192.0.2.1")


def test_what_start_up_raises_ends_the_server_and_reaches_the_caller() -> None:
    # In a process of its own: a server leaves Streamlit's runtime behind.
    code = """
import os

from medlens.errors import MedLensError
from medlens.config.settings import Settings
from medlens.ui import request_guard, server

def fail():
    raise MedLensError("The store is locked.", hint="Stop the other MedLens.")

os.dup2(1, 2)  # a traceback would be read with the rest
try:
    server.serve_streamlit(Settings(), port=PORT, on_start=fail, on_ready=print)
except MedLensError as error:
    print("reached:", error)
"""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    said, _ = Child(code.replace("PORT", str(port))).communicate(timeout=60)
    assert said.endswith("reached: The store is locked. Stop the other MedLens.\n")
    assert "Traceback" not in said


def test_the_address_is_told_once_somebody_can_connect_to_it_and_not_before() -> None:
    code = """
import os
import signal
import socket

from medlens.config.settings import Settings
from medlens.ui import server

def connect(when):
    with socket.socket() as client:
        print(when, client.connect_ex(("127.0.0.1", PORT)) == 0, flush=True)

def ready(url):
    connect(url)
    os.kill(os.getpid(), signal.SIGTERM)

os.dup2(1, 2)
server.serve_streamlit(
    Settings(), port=PORT, on_start=lambda: connect("before"), on_ready=ready
)
"""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    said, _ = Child(code.replace("PORT", str(port))).communicate(timeout=60)
    told = [line for line in said.splitlines() if line.startswith(("before", "http"))]
    assert told == ["before False", f"http://localhost:{port} True"]


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        (b"http://localhost:8501", True),
        (b"", True),
        (b"http://localhost:9999", False),
        (b"http://127.0.0.1:8501", False),
        (b"https://evil.example", False),
        (b"null", False),
    ],
)
def test_only_our_own_pages_open_the_connection(origin: bytes, let_in: bool) -> None:
    sent, _ = asked(kind="websocket", path="/_stcore/stream", origin=origin)
    assert (sent[0]["type"] == "websocket.accept") is let_in
