"""Scripts and styles come compressed, each in the encoding that its browser takes."""

from __future__ import annotations

import gzip
from pathlib import Path

import brotli
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from medlens.ui import compress_scripts_and_styles
from medlens.ui.compress_scripts_and_styles import CompressedFiles, encoding_to_send

SCRIPT = b"function begin() { return 'begin' }\n" * 9_000


@pytest.fixture
def browser(tmp_path: Path) -> TestClient:
    (tmp_path / "a.js").write_bytes(SCRIPT)
    (tmp_path / "a.css").write_bytes(b"a { color: red }\n" * 900)
    (tmp_path / "short.js").write_bytes(b"begin()")
    (tmp_path / "font.woff2").write_bytes(b"f" * 9_000)
    served = Starlette(
        routes=[Mount(path, StaticFiles(directory=tmp_path)) for path in ("/static", "/media")]
    )
    files = CompressedFiles()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await served(scope, receive, files.send_compressed(scope, send))

    return TestClient(app)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("GZIP;q=0.5, br;q=0", "gzip"),
        ("br; q=0.0, gzip; q=0", ""),
        ("identity", ""),
        ("", ""),
    ],
)
def test_the_encoding_is_one_that_the_browser_takes(accepted: str, encoding: str) -> None:
    assert encoding_to_send(accepted) == encoding


@pytest.mark.parametrize("encoding", ["br", "gzip"])
def test_a_script_comes_compressed_and_whole(browser: TestClient, encoding: str) -> None:
    with browser.stream("GET", "/static/a.js", headers={"Accept-Encoding": encoding}) as answer:
        sent = b"".join(answer.iter_raw())
    assert answer.headers["content-encoding"] == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert int(answer.headers["content-length"]) == len(sent) < len(SCRIPT) / 20
    assert (brotli if encoding == "br" else gzip).decompress(sent) == SCRIPT


def test_each_file_is_compressed_once(browser: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    compress = compress_scripts_and_styles._compress

    def counted(encoding: str, whole: bytes) -> bytes:
        calls.append(encoding)
        return compress(encoding, whole)

    monkeypatch.setattr(compress_scripts_and_styles, "_compress", counted)
    for _ in range(3):
        for path in ("a.js", "a.css"):
            browser.get(f"/static/{path}", headers={"Accept-Encoding": "br"})
    assert calls == ["br", "br"]


def test_what_is_kept_of_compressed_files_has_a_limit(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compress_scripts_and_styles, "_ROOM", 10)
    for _ in range(2):
        answer = browser.get("/static/a.js", headers={"Accept-Encoding": "gzip"})
        assert (answer.headers["content-encoding"], answer.content) == ("gzip", SCRIPT)


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/static/a.js", {"Accept-Encoding": "identity"}),
        ("/static/a.js", {"Accept-Encoding": "br", "Range": "bytes=0-99"}),
        ("/static/short.js", {"Accept-Encoding": "br"}),
        ("/static/font.woff2", {"Accept-Encoding": "br"}),
        ("/static/missing.js", {"Accept-Encoding": "br"}),
        ("/media/a.js", {"Accept-Encoding": "br"}),
    ],
)
def test_other_answers_come_as_they_are(
    browser: TestClient, path: str, headers: dict[str, str]
) -> None:
    answer = browser.get(path, headers=headers)
    assert "content-encoding" not in answer.headers
    if "Range" in headers:
        assert (answer.status_code, answer.content) == (206, SCRIPT[:100])


def test_a_browser_that_has_the_file_is_told_that_it_is_the_same(browser: TestClient) -> None:
    given = {"Accept-Encoding": "br"}
    tag = browser.get("/static/a.js", headers=given).headers["etag"]
    assert tag.startswith('W/"')
    again = browser.get("/static/a.js", headers={**given, "If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    head = browser.head("/static/a.js", headers=given)
    assert head.headers["content-length"] == str(len(SCRIPT))
