"""A local web server that serves pages, and misbehaves as real ones do.

In a test: ``with WebServer() as web: web.pages["/a"] = Served(...)`` and ``web.url("/a")``. As a
process of its own: ``python -m tests.web_server --latency 0.2`` prints its address; every path then
holds a page about itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ssl
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.local_server import LocalServer


@dataclass
class Served:
    """What a path answers. ``drip``: a byte of the body each so many seconds; ``endless``: the body
    is sent over and over; ``cut``: the connection is closed in the middle of the body.
    ``set_cookies``: one header line each; ``without``: answered instead to whoever does not send
    all of ``needs`` back."""

    body: bytes | str = ""
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    drip: float = 0.0
    endless: bool = False
    cut: bool = False
    set_cookies: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    without: Served | None = None

    def to(self, cookies: str) -> Served:
        """What someone with these cookies is answered."""
        sent = {cookie.strip() for cookie in cookies.split(";")}
        return self if self.without is None or sent >= set(self.needs) else self.without

    def chunks(self) -> Iterator[bytes]:
        whole = self.body.encode() if isinstance(self.body, str) else self.body
        if self.endless:
            while True:
                yield whole
        elif self.drip:
            yield from (whole[at : at + 1] for at in range(len(whole)))
        else:
            yield whole[: len(whole) // 2] if self.cut else whole


def html(title: str, *paragraphs: str) -> str:
    """A plain page."""
    said = "".join(f"<p>{one}</p>" for one in paragraphs)
    head = f"<html><head><title>{title}</title></head>"
    return f"<!doctype html>{head}<body><main><h1>{title}</h1>{said}</main></body></html>"


class WebServer(LocalServer):
    """``latency`` is seconds before each answer; ``total`` and ``seen`` count what was asked."""

    def __init__(
        self, *, latency: float = 0.0, about: bool = False, certificate: Path | None = None
    ) -> None:
        context = None
        if certificate is not None:
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(certificate)
        super().__init__(name="web-server", context=context)
        self.latency, self._about = latency, about
        self.pages: dict[str, Served | str] = {}
        self.seen: Counter[str] = Counter()
        self.headers: list[dict[str, str]] = []

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        _, path, headers = await self._head(reader)
        self.total += 1
        self.seen[path] += 1
        self.headers.append(headers)
        await asyncio.sleep(self.latency)
        page = self.pages.get(path)
        if page is None:
            page = html(f"Page {path}", f"This page says what stands at {path}. " * 8)
            page = page if self._about and path != "/robots.txt" else Served("gone", 404)
        served = (Served(page) if isinstance(page, str) else page).to(headers.get("cookie", ""))
        lines = [f"HTTP/1.1 {served.status} X"]
        if served.kind:
            lines.append(f"content-type: {served.kind}")
        lines += [f"{name}: {value}" for name, value in served.headers.items()]
        lines += [f"set-cookie: {cookie}" for cookie in served.set_cookies]
        whole = served.body.encode() if isinstance(served.body, str) else served.body
        known = not served.endless and "content-length" not in served.headers
        lines.append(f"content-length: {len(whole)}" if known else "connection: close")
        writer.write("\r\n".join([*lines, "", ""]).encode("utf-8"))
        for part in served.chunks():
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(served.drip)
        return known and not served.cut


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.0)
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    server = WebServer(latency=options.latency, about=True).start(options.port)
    print(server.url(""), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


if __name__ == "__main__":
    main()
