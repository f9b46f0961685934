"""Looks for a text in the bytes of files, whatever they are packed in."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import duckdb

from medlens.store import Store


def store_plainly(store: Store) -> None:
    """Have DuckDB compress nothing from now on, so that a search finds what is there."""
    store._root.execute("set global force_compression = 'uncompressed'")


def write_out(store: Store) -> None:
    """Have everything in the store's file, and nothing in its log."""
    store._root.execute("checkpoint")


def places_of(text: str, *roots: Path) -> list[str]:
    """The files under these folders in which the text stands, in any case of its ASCII letters."""
    sought = [text.casefold().encode(), text.casefold().encode("utf-16-le")]
    return [
        str(path)
        for root in roots
        for path in sorted(root.rglob("*"))
        if path.is_file()
        for content in unpacked(path.name, path.read_bytes())
        if any(one in content.lower() for one in sought)
    ]


def unpacked(name: str, content: bytes) -> Iterator[bytes]:
    yield content
    if content[:2] == b"\x1f\x8b":
        yield from unpacked(name, gzip.decompress(content))
    elif content[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for inner in packed.namelist():
                yield from unpacked(inner, packed.read(inner))
    elif content[:4] == b"PAR1":
        rows = duckdb.from_arrow(_parquet(content)).fetchall()
        yield str(rows).encode()


def _parquet(content: bytes) -> object:
    from pyarrow import BufferReader, parquet

    return parquet.read_table(BufferReader(content))
