"""A body unpacked as it arrives, by what its bytes are and only then by what its header says.

Servers pack twice, forget to say that they packed, say so of what they did not pack, and send
deflate without its wrapper (RFC 9110, section 8.4.1.2).
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Iterator
from typing import Protocol

_AT_ONCE = 64 << 10
_TO_TELL = 512
"""Bytes that show how a body is packed."""
_UNTOLD = 2
"""Times that a body may be packed beyond what its header says."""
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_OF_ZLIB = ("gzip", "x-gzip", "deflate")
_ZSTD_AT_ONCE = 32
"""Bytes of zstd that are unpacked in one go, to some 1.4 MB at most."""
_ZSTD_WINDOW = 8 << 20
"""What a reader of the web must keep of a body in zstd, and a writer may ask for (RFC 9659)."""
ACCEPTED_CODINGS = "gzip, deflate, br, zstd"
"""The value of ``Accept-Encoding``."""
_PLAIN = re.compile(rb"(?:\xef\xbb\xbf|\s)*(?:<[!?a-z]|%PDF-)", re.I)


class Undecodable(Exception):
    """Content in an unknown encoding."""


class Incomplete(Undecodable):
    """Packed content that ends in the middle."""


class BodyUnpacker:
    """Undoes the codings of a Content-Encoding header; what is yielded at once is small, so that
    the caller can stop at a limit.
    """

    def __init__(self, header: str) -> None:
        codings = [coding.strip() for coding in header.lower().split(",") if coding.strip()]
        self._layers = [_Layer(coding) for coding in reversed(codings)]
        self._layers += [_Layer("") for _ in range(_UNTOLD)]

    def unpack_in_pieces(self, part: bytes) -> Iterator[bytes]:
        """What these bytes hold, in pieces.

        Raises:
            Undecodable: they are packed in a way that is not understood, or damaged.
        """
        return self._from(0, part)

    def unpack_rest_in_pieces(self) -> Iterator[bytes]:
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
    """One coding; an empty one is none, unless the bytes begin as gzip or zstd do."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._start = b""
        self._settled = False
        self._stream: _Stream | None = None

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
        if self._stream is not None and not self._stream.is_at_end():
            yield self._stream.flush()
            if not self._stream.is_at_end():
                raise Incomplete

    def _settle(self) -> bytes:
        self._settled, start = True, self._start
        self._start = b""
        self._stream = self._stream_of(start)
        return start

    def _stream_of(self, start: bytes) -> _Stream | None:
        """What unpacks a body that starts so; None if it is not packed."""
        if start.startswith(_GZIP) or (start == _GZIP[:1] and self._coding in _OF_ZLIB):
            return _ZlibStream(zlib.MAX_WBITS | 16)
        if start.startswith(_ZSTD) or (
            start and self._coding == "zstd" and _ZSTD.startswith(start)
        ):
            return _ZstdStream()
        if self._coding in ("", "identity") or not start or _PLAIN.match(start):
            return None
        if self._coding == "br":
            return None if _is_text(start) and not _BrotliStream.begins(start) else _BrotliStream()
        if self._coding in _OF_ZLIB:
            wrapped = len(start) > 1 and start[0] & 15 == 8 and not int.from_bytes(start[:2]) % 31
            if not wrapped and self._coding != "deflate":
                raise Undecodable
            return _ZlibStream(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        if not _is_text(start):
            raise Undecodable
        return None

    def _through(self, part: bytes) -> Iterator[bytes]:
        if self._stream is None:
            yield part
            return
        while part:
            if self._stream.is_at_end():
                again = self._stream.next_stream(part)
                if again is None:
                    return  # padding behind the end
                self._stream = again
            yield from self._stream.unpack(part)
            part = self._stream.unused()


class _Stream(Protocol):
    """A packed stream that is unpacked in pieces of bounded size; ``unused`` is what stands behind
    its end, ``next_stream`` unpacks a further one that begins as ``part`` does, if one does.
    """

    def unpack(self, part: bytes) -> Iterator[bytes]: ...
    def flush(self) -> bytes: ...
    def is_at_end(self) -> bool: ...
    def unused(self) -> bytes: ...
    def next_stream(self, part: bytes) -> _Stream | None: ...


class _ZlibStream:
    """gzip, and deflate with or without its wrapper."""

    def __init__(self, window: int) -> None:
        self._inflate = zlib.decompressobj(window)

    def unpack(self, part: bytes) -> Iterator[bytes]:
        while part and not self._inflate.eof:
            try:
                yield self._inflate.decompress(part, _AT_ONCE)
            except zlib.error as error:
                raise Undecodable from error
            part = self._inflate.unconsumed_tail

    def flush(self) -> bytes:
        return self._inflate.flush()

    def is_at_end(self) -> bool:
        return self._inflate.eof

    def unused(self) -> bytes:
        return self._inflate.unused_data

    def next_stream(self, part: bytes) -> _Stream | None:
        return _ZlibStream(zlib.MAX_WBITS | 16) if part.startswith(_GZIP) else None


class _BrotliStream:
    """Brotli (RFC 7932), which has no mark at its beginning."""

    def __init__(self) -> None:
        import brotli

        self._decompressor = brotli.Decompressor()
        self._error = brotli.error

    @classmethod
    def begins(cls, start: bytes) -> bool:
        """Whether these bytes can be the beginning of a stream."""
        stream = cls()
        try:
            return b"".join(stream.unpack(start)) != b"" or stream.is_at_end()
        except Undecodable:
            return False

    def unpack(self, part: bytes) -> Iterator[bytes]:
        try:
            piece = self._decompressor.process(part, output_buffer_limit=_AT_ONCE)
            yield piece
            # It may hold back what it has unpacked even when it would take more.
            while not self.is_at_end() and (piece or not self._decompressor.can_accept_more_data()):
                piece = self._decompressor.process(b"", output_buffer_limit=_AT_ONCE)
                yield piece
        except self._error as error:
            raise Undecodable from error

    def flush(self) -> bytes:
        return b""

    def is_at_end(self) -> bool:
        return bool(self._decompressor.is_finished())

    def unused(self) -> bytes:
        return b""

    def next_stream(self, part: bytes) -> _Stream | None:
        return None


class _ZstdStream:
    """Zstandard, of which a frame may follow another (RFC 8878)."""

    def __init__(self) -> None:
        import zstandard

        self._decompressor = zstandard.ZstdDecompressor(
            max_window_size=_ZSTD_WINDOW
        ).decompressobj()
        self._error = zstandard.ZstdError
        self._unused = b""

    def unpack(self, part: bytes) -> Iterator[bytes]:
        # A block of four bytes can hold 128 KB, and what a call unpacks cannot be limited.
        self._unused = b""
        for at in range(0, len(part), _ZSTD_AT_ONCE):
            try:
                yield self._decompressor.decompress(part[at : at + _ZSTD_AT_ONCE])
            except self._error as error:
                raise Undecodable from error
            if self.is_at_end():
                self._unused = self._decompressor.unused_data + part[at + _ZSTD_AT_ONCE :]
                return

    def flush(self) -> bytes:
        return b""

    def is_at_end(self) -> bool:
        return bool(self._decompressor.eof)

    def unused(self) -> bytes:
        return self._unused

    def next_stream(self, part: bytes) -> _Stream | None:
        return _ZstdStream() if part.startswith(_ZSTD) else None


def _is_text(start: bytes) -> bool:
    """Whether bytes read as text; a character may be cut at their end."""
    shown = codecs.getincrementaldecoder("utf-8")()
    try:
        text = shown.decode(start)
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter.isspace() for letter in text)
