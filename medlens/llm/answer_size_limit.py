"""An endpoint's answers are read only up to a size, counted after decompression.

Two megabytes of gzip can hold gigabytes: whoever reads them whole loses the memory of the app with
all that runs in it. Bodies are therefore unpacked here, a piece at a time, and given up once they
are larger than any answer of a model.
"""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable, Iterator

import httpx2

from medlens.llm.large_reply_queue import LARGE, wait_for_turn

ACCEPTED = "gzip, deflate"
"""The value of ``Accept-Encoding``: what can be unpacked within bounds."""

MOST_BYTES = 8_000_000
"""Of an answer in a chat: some ten times the longest that any model writes."""

MOST_BYTES_OF_A_FILE = 2_000_000_000
"""Of a file with the answers of a batch job."""

_PIECE = 256 * 1024


class AnswerTooLarge(Exception):
    """An answer has more bytes than an answer can have, or is packed in a way not asked for."""


def make_client_raise_on_too_large_answers(client: httpx2.AsyncClient) -> None:
    """Let a client give up answers that are too large: reading one raises ``AnswerTooLarge``."""
    client.headers["Accept-Encoding"] = ACCEPTED
    client.event_hooks = {
        **client.event_hooks,
        "response": [*client.event_hooks.get("response", []), _bound],
    }


async def _bound(response: httpx2.Response) -> None:
    encoding = response.headers.pop("content-encoding", "identity").strip().lower()
    whole_file = not response.request.url.path.endswith("/chat/completions")
    assert isinstance(response.stream, httpx2.AsyncByteStream)
    response.stream = _Bounded(
        response.stream, encoding, MOST_BYTES_OF_A_FILE if whole_file else MOST_BYTES
    )


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, packed: httpx2.AsyncByteStream, encoding: str, most: int) -> None:
        self._packed, self._encoding, self._most = packed, encoding, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        unpack = _unpacking(self._encoding)
        read = 0
        async for part in self._packed:
            for piece in unpack(part):
                read += len(piece)
                if read > self._most:
                    raise AnswerTooLarge(
                        f"The reply has more than {self._most // 1_000_000:,} MB, which no answer"
                        " of a model has."
                    )
                if read > LARGE:
                    await wait_for_turn()
                yield piece

    async def aclose(self) -> None:
        await self._packed.aclose()


def _unpacking(encoding: str) -> Callable[[bytes], Iterator[bytes]]:
    """From packed parts, in order, to pieces of bounded size."""
    if encoding in ("", "identity"):
        return lambda part: iter((part,))
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise AnswerTooLarge(f"The reply is packed as {encoding!r}, which was not asked for.")
    unpacker: list[zlib._Decompress] = []

    def unpack(part: bytes) -> Iterator[bytes]:
        if not unpacker:
            # "deflate" is sent with and without the header of zlib.
            bits = 47 if encoding != "deflate" or part[:1] == b"\x78" else -zlib.MAX_WBITS
            unpacker.append(zlib.decompressobj(bits))
        try:
            while part:
                yield unpacker[0].decompress(part, _PIECE)
                part = unpacker[0].unconsumed_tail
        except zlib.error as error:
            raise ValueError(f"the reply cannot be unpacked ({error})") from error

    return unpack
