"""Checks the blocks of a DuckDB file on disk; each block carries a checksum of its content.

DuckDB checks a block only when a query needs it, so damage can go unnoticed until the last good
backup has been deleted. The layout is DuckDB's (``single_file_block_manager.cpp``,
``checksum.cpp``): three 4 KiB headers, then blocks of equal size. A block begins with an 8-byte
checksum of the rest: 5381 and each 64-bit word times an odd number, combined by xor.
"""

from __future__ import annotations

import os
from pathlib import Path

from medlens.deferred_module import np

_MAGIC = b"DUCK"
_HEADER = 4096
_FIRST = 3 * _HEADER
_USUAL = 262_144
_FACTOR = 0xBF58476D1CE4E5B9
_SEED = 5381
_LISTED = 5


def find_file_damage(path: str | os.PathLike[str]) -> list[str]:
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
    sound = [at for at in starts if _is_sound(file, at, _HEADER)]
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
    bad = [n for n in range(blocks) if not _is_sound(file, _FIRST + n * length, length)]
    faults += [
        f"Block {n:,} of {blocks:,} is damaged (at byte {_FIRST + n * length:,})."
        for n in bad[:_LISTED]
    ]
    if len(bad) > _LISTED:
        faults.append(f"{len(bad) - _LISTED:,} more blocks are damaged.")
    return faults


def _said(file: int, at: int) -> tuple[int, int]:
    """A header's age (the higher the newer), and the size of a block in bytes."""
    age, _, _, _, length = np.frombuffer(os.pread(file, 40, at + 8), dtype="<u8").tolist()
    return age, length


def _is_sound(file: int, at: int, length: int) -> bool:
    return any(_checks(os.pread(file, length, at), length) for _ in range(2))


def _checks(block: bytes, length: int) -> bool:
    if len(block) < length:
        return False
    words = np.frombuffer(block, dtype="<u8")
    if not words.any():
        return True  # room that was never written to
    return bool(
        np.bitwise_xor.reduce(words[1:] * np.uint64(_FACTOR), initial=np.uint64(_SEED)) == words[0]
    )
