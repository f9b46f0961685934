"""Bodies are unpacked in small pieces, whatever their header says of them."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from functools import partial
from itertools import chain

import brotli
import pytest
import zstandard

from medlens.web.body_decompression import BodyUnpacker, Incomplete, Undecodable

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": partial(brotli.compress, quality=3),
    "zstd": zstandard.ZstdCompressor().compress,
}
TEXT = "".join(
    f"<p>Fall {at}: Übelkeit {at * 7919 % 1013}, Fieber {at * 104729 % 997}.</p>"
    for at in range(300)
).encode()


def unpacked(header: str, body: bytes, *, step: int = 1000) -> bytes:
    unpacker = BodyUnpacker(header)
    parts = [body[at : at + step] for at in range(0, len(body), step)]
    return b"".join(
        [
            *(piece for part in parts for piece in unpacker.unpack_in_pieces(part)),
            *unpacker.unpack_rest_in_pieces(),
        ]
    )


@pytest.mark.parametrize("coding", PACK)
@pytest.mark.parametrize("body", [TEXT, TEXT[:30], b""], ids=["long", "short", "empty"])
@pytest.mark.parametrize("step", [1, 700, 10**6])
def test_a_body_is_unpacked_however_its_parts_arrive(coding: str, body: bytes, step: int) -> None:
    assert unpacked(coding, PACK[coding](body), step=step) == body


@pytest.mark.parametrize("outer", PACK)
@pytest.mark.parametrize("inner", PACK)
def test_a_body_may_be_packed_twice(inner: str, outer: str) -> None:
    assert unpacked(f"{inner}, {outer}", PACK[outer](PACK[inner](TEXT))) == TEXT


@pytest.mark.parametrize("coding", PACK)
@pytest.mark.parametrize("kept", [20, 0.3, 0.9])
def test_a_body_that_ends_in_the_middle_is_never_taken_for_whole(coding: str, kept: float) -> None:
    packed = PACK[coding](TEXT)
    with pytest.raises(Incomplete):
        unpacked(coding, packed[: int(kept if kept > 1 else kept * len(packed))])


@pytest.mark.parametrize("said", [*PACK, "", "identity", "compress", "utf-8"])
@pytest.mark.parametrize("made", ["gzip", "zstd", "plain"])
def test_the_bytes_count_before_the_header(said: str, made: str) -> None:
    assert unpacked(said, PACK.get(made, bytes)(TEXT)) == TEXT


@pytest.mark.parametrize("said", ["br", "zstd", "", "identity", "compress", "utf-8"])
def test_text_without_markup_is_read_though_it_is_called_packed(said: str) -> None:
    text = TEXT.replace(b"<p>", b"").replace(b"</p>", b"\n")
    assert unpacked(said, text) == text


@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_a_damaged_stream_is_told(coding: str) -> None:
    packed = bytearray(PACK[coding](TEXT))
    packed[20:200] = bytes(255 - byte for byte in packed[20:200])
    with pytest.raises(Undecodable):
        unpacked(coding, bytes(packed))
    with pytest.raises(Undecodable):
        unpacked("br", b"\xff\xfe\x00\x81" * 300)


@pytest.mark.parametrize("coding", ["br", "zstd"])
def test_what_swells_comes_in_pieces_that_a_limit_can_stop(coding: str) -> None:
    bomb = PACK[coding](bytes(30_000_000))
    assert len(bomb) < 10_000
    unpacker = BodyUnpacker(coding)
    pieces = [
        len(piece)
        for piece in chain(unpacker.unpack_in_pieces(bomb), unpacker.unpack_rest_in_pieces())
    ]
    assert max(pieces) < 2_000_000
    assert sum(pieces) == 30_000_000


def test_frames_of_zstd_that_follow_each_other_are_one_body_and_padding_is_none() -> None:
    pack = PACK["zstd"]
    assert unpacked("zstd", pack(TEXT[:900]) + pack(TEXT[900:]) + b"\0\0") == TEXT


def test_a_frame_of_zstd_that_asks_for_much_memory_is_refused() -> None:
    asks = zstandard.ZstdCompressionParameters(window_log=27)
    packed = zstandard.ZstdCompressor(compression_params=asks).compressobj()
    body = packed.compress(TEXT) + packed.flush()
    with pytest.raises(Undecodable):
        unpacked("zstd", body)
