"""A body unpacked as it arrives, by what its bytes are and only then by what its header says.

Servers pack twice, forget to say that they packed, say so of what they did not pack, and send
deflate without its wrapper (RFC 9110, section 8.4.1.2).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

_AT_ONCE = 64 << 10
_TO_TELL = 512
"""Bytes that show how a body is packed."""
_UNTOLD = 2
"""Times that a body may be packed beyond what its header says."""
_GZIP = b"\x1f\x8b"
_CODINGS = ("gzip", "x-gzip", "deflate")
_PLAIN = re.compile(rb"(?:\xef\xbb\xbf|\s)*(?:<[!?a-z]|%PDF-)", re.I)


class Undecodable(Exception):
    """Content in an unknown encoding."""


class Incomplete(Undecodable):
    """Packed content that ends in the middle."""


class Unpacker:
    """Undoes the codings of a Content-Encoding header; what is yielded at once is small, so that
    the caller can stop at a limit.
    """

    def __init__(self, header: str) -> None:
        codings = [coding.strip() for coding in header.lower().split(",") if coding.strip()]
        self._layers = [_Layer(coding) for coding in reversed(codings)]
        self._layers += [_Layer("") for _ in range(_UNTOLD)]

    def unpack(self, part: bytes) -> Iterator[bytes]:
        """What these bytes hold, in pieces.

        Raises:
            Undecodable: they are packed in a way that is not understood, or damaged.
        """
        return self._from(0, part)

    def rest(self) -> Iterator[bytes]:
        """What is left at the end of the body.

        Raises:
            Incomplete: it ends in the middle.
        """
        for at, layer in enumerate(self._layers):
            for piece in layer.rest():
                yield from self._from(at + 1, piece)

    def _from(self, at: int, part: bytes) -> Iterator[bytes]:
        if at == len(self._layers):
            yield part
            return
        for piece in self._layers[at].unpack(part):
            yield from self._from(at + 1, piece)


class _Layer:
    """One coding; an empty one is none, unless the bytes are gzip."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._start = b""
        self._settled = False
        self._inflate: zlib._Decompress | None = None

    def unpack(self, part: bytes) -> Iterator[bytes]:
        if not self._settled:
            self._start += part
            if len(self._start) < _TO_TELL:
                return
            part = self._settle()
        yield from self._through(part)

    def rest(self) -> Iterator[bytes]:
        if not self._settled:
            yield from self._through(self._settle())
        if self._inflate is not None and not self._inflate.eof:
            yield self._inflate.flush()
            if not self._inflate.eof:
                raise Incomplete

    def _settle(self) -> bytes:
        self._settled, start = True, self._start
        self._start = b""
        if start.startswith(_GZIP) or (start == _GZIP[:1] and self._coding in _CODINGS):
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
        elif start and self._coding in _CODINGS and not _PLAIN.match(start):
            wrapped = len(start) > 1 and start[0] & 15 == 8 and not int.from_bytes(start[:2]) % 31
            if not wrapped and self._coding != "deflate":
                raise Undecodable
            self._inflate = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        elif self._coding not in ("", "identity", *_CODINGS) and not (
            start.isascii() or _PLAIN.match(start)
        ):
            raise Undecodable
        return start

    def _through(self, part: bytes) -> Iterator[bytes]:
        if self._inflate is None:
            yield part
            return
        while part:
            if self._inflate.eof:
                if not part.startswith(_GZIP):
                    return  # padding behind the end
                self._inflate = zlib.decompressobj(zlib.MAX_WBITS | 16)
            try:
                yield self._inflate.decompress(part, _AT_ONCE)
            except zlib.error as error:
                raise Undecodable from error
            part = self._inflate.unused_data or self._inflate.unconsumed_tail
