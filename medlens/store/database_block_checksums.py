"""Checks the blocks of a DuckDB file on disk; each block carries a checksum of its content.

DuckDB checks a block only when a query needs it, so damage can go unnoticed until the last good
backup has been deleted. The layout is DuckDB's (``single_file_block_manager.cpp``,
``checksum.cpp``): three 4 KiB headers, then blocks of equal size. A block begins with an 8-byte
checksum of the rest: 5381 and each 64-bit word times an odd number, combined by xor.
"""

from __future__ import annotations

import os
import struct
from functools import cache
from pathlib import Path

from medlens.deferred_module import np

_MAGIC = b"DUCK"
_HEADER = 4096
_FIRST = 3 * _HEADER
_USUAL = 262_144
_FACTOR = 0xBF58476D1CE4E5B9
_SEED = 5381
_LISTED = 5
_WORD = (1 << 64) - 1
_LARGE = 128 << 20
"""Bytes of a file from which on numpy saves more time than it takes to be loaded."""


def list_file_damage_in_words(path: str | os.PathLike[str]) -> list[str]:
    """What is wrong with the file's headers and blocks, in sentences; [] if nothing.

    Call it in a process that does not have the store open: closing the file there would release the
    lock that keeps other processes out. Another process may be writing, so whatever looks wrong is
    read twice.
    """
    try:
        with Path(path).open("rb") as stream:
            return _damage(stream.fileno())
    except OSError as error:
        return [f"The file cannot be read: {error.strerror}."]


def _damage(file: int) -> list[str]:
    size = os.fstat(file).st_size
    if not size:
        return ["The file is empty."]
    if size < _FIRST:
        return [f"The file is truncated: it has {size:,} bytes, less than its headers."]
    if os.pread(file, len(_MAGIC), 8) != _MAGIC:
        return ["The first header is damaged: it does not say that this is a store."]
    starts = range(0, _FIRST, _HEADER)
    with_numpy = size > _LARGE
    sound = [at for at in starts if _is_sound(file, at, _HEADER, with_numpy=with_numpy)]
    faults = [f"Header {1 + at // _HEADER} of 3 is damaged." for at in starts if at not in sound]
    # The second and third headers are written in turn; the newer one counts.
    _, length = max((_said(file, at) for at in sound if at), default=(0, _USUAL))
    # This is not compared with the number in the header: free blocks at the end need not have been
    # written.
    blocks, rest = divmod(size - _FIRST, length)
    if rest:
        faults.append(
            f"The file ends in the middle of a block (its last {rest:,} bytes): it was cut, or the"
            " disk was full while it was written."
        )
    bad = [
        n
        for n in range(blocks)
        if not _is_sound(file, _FIRST + n * length, length, with_numpy=with_numpy)
    ]
    faults += [
        f"Block {n:,} of {blocks:,} is damaged (at byte {_FIRST + n * length:,})."
        for n in bad[:_LISTED]
    ]
    if len(bad) > _LISTED:
        faults.append(f"{len(bad) - _LISTED:,} more blocks are damaged.")
    return faults


def _said(file: int, at: int) -> tuple[int, int]:
    """A header's age (the higher the newer), and the size of a block in bytes."""
    age, _, _, _, length = struct.unpack("<5Q", os.pread(file, 40, at + 8))
    return age, length


def _is_sound(file: int, at: int, length: int, *, with_numpy: bool) -> bool:
    return any(_checks(os.pread(file, length, at), length, with_numpy=with_numpy) for _ in range(2))


def _checks(block: bytes, length: int, *, with_numpy: bool) -> bool:
    if len(block) < length:
        return False
    combined = _combined_by_numpy(block) if with_numpy else _combined_as_one_number(block)
    # Room that was never written to is all zeros.
    return combined == int.from_bytes(block[:8], "little") or not any(block)


def _combined_by_numpy(block: bytes) -> int:
    words = np.frombuffer(block, dtype="<u8")[1:]
    return int(np.bitwise_xor.reduce(words * np.uint64(_FACTOR), initial=np.uint64(_SEED)))


def _combined_as_one_number(block: bytes) -> int:
    """The same. Every other word of the block, taken as one number, has room on its left for what
    the product carries, so that all are multiplied at once; the halves are combined until one word
    is left.
    """
    every_other = _every_other_word(len(block))
    number = int.from_bytes(block, "little") >> 64 << 64
    products = (number & every_other) * _FACTOR ^ (number >> 64 & every_other) * _FACTOR
    places = -(-len(block) // 16)
    while places > 1:
        places = (places + 1) // 2
        products = products >> 128 * places ^ products & ((1 << 128 * places) - 1)
    return products & _WORD ^ _SEED


@cache
def _every_other_word(length: int) -> int:
    """Ones where the first of two words stands, and so on, in ``length`` bytes."""
    return int.from_bytes((b"\xff" * 8 + b"\0" * 8) * -(-length // 16), "little")
