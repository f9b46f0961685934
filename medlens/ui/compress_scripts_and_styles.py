"""Scripts and styles of the pages, compressed on their way to the browser.

Streamlit sends its own as they are, since it would compress them for each browser anew. Here each
is compressed once, and kept.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import Message, Scope, Send

_FOLDERS = ("/static/", "/component/")
_TYPES = ("text/javascript", "application/javascript", "text/css", "image/svg+xml")
_SHORTEST = 1_000
_LARGEST = 8 << 20
_ROOM = 16 << 20
"""Bytes of compressed files that are kept; all that come with Streamlit take a third of it."""


def encoding_to_send(accepted: str) -> str:
    """The best of the encodings that a browser accepts (its ``Accept-Encoding``); or empty."""
    names = set()
    for one in accepted.lower().split(","):
        name, _, weight = one.partition(";")
        if weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000"):
            names.add(name.strip())
    return next((name for name in ("br", "gzip") if name in names), "")


class CompressedFiles:
    """Compresses scripts and styles, each once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, bytes], bytes] = {}
        self._size = 0

    def send_compressed(self, scope: Scope, send: Send) -> Send:
        """What is sent in place of ``send`` in answer to a request."""
        asked = Headers(scope=scope)
        encoding = encoding_to_send(asked.get("accept-encoding", ""))
        of_a_file = scope["method"] == "GET" and scope["path"].startswith(_FOLDERS)
        if not encoding or not of_a_file or "range" in asked:
            return send
        start: Message | None = None
        pieces: list[bytes] = []

        async def send_whole(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _may_be_compressed(message):
                start = message
            elif message["type"] == "http.response.body" and start is not None:
                pieces.append(message.get("body", b""))
                if message.get("more_body"):
                    return
                whole = b"".join(pieces)
                packed = await self._packed(encoding, whole)
                headers = MutableHeaders(scope=start)
                headers.add_vary_header("Accept-Encoding")
                if len(packed) < len(whole):
                    headers["Content-Encoding"] = encoding
                    headers["Content-Length"] = str(len(packed))
                    if (tag := headers.get("ETag", "")) and not tag.startswith("W/"):
                        # The same file in other bytes.
                        headers["ETag"] = f"W/{tag}"
                    whole = packed
                await send(start)
                await send({"type": "http.response.body", "body": whole})
            else:
                await send(message)

        return send_whole

    async def _packed(self, encoding: str, whole: bytes) -> bytes:
        key = (encoding, hashlib.sha256(whole).digest())
        packed = self._kept.get(key)
        if packed is None:
            # In a thread: a megabyte takes some 30 ms, for which nobody else should wait.
            packed = await asyncio.to_thread(_compress, encoding, whole)
            if key not in self._kept and self._size + len(packed) <= _ROOM:
                self._kept[key] = packed
                self._size += len(packed)
        return packed


def _may_be_compressed(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    return (
        start["status"] == 200
        and headers.get("content-type", "").partition(";")[0].strip() in _TYPES
        and "content-encoding" not in headers
        and _SHORTEST <= int(headers.get("content-length", "0")) <= _LARGEST
    )


def _compress(encoding: str, whole: bytes) -> bytes:
    if encoding == "br":
        packed: bytes = brotli.compress(whole, quality=6)
        return packed
    return gzip.compress(whole, compresslevel=6, mtime=0)
