"""Parquet that may be damaged, or unpack to far more than it is: opened within limits.

Texts are read as dictionaries, so that what a row group unpacks to is known before it is unpacked:
0.1 MB of Parquet can stand for 4 GB, of which its own metadata say 2 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from medlens.errors import BadFile
from medlens.tables.limits import MOST_COLUMNS, MOST_ROWS, UNPACKED
from medlens.tables.lines import shorten

_ROWS, _FEW = 4096, 256
_AT_ONCE = 1 << 26
_TEXTS = frozenset({"STRING", "JSON", "NONE"})


def unreadable(name: str, error: Exception) -> BadFile:
    """What is wrong with a file that its reader gave up, to be raised.

    Raises:
        MemoryError: it was that, which says nothing against the file.
    """
    if isinstance(error, MemoryError):
        raise error
    return BadFile(
        f"{name} is not a readable Parquet file: {shorten(str(error))}.",
        hint="It may be damaged or cut off. Fetch or write it again.",
    )


def parquet_batches(
    stream: BinaryIO, name: str, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The file (or some of its columns), few rows at a time; texts may be dictionaries.

    Raises:
        BadFile: it cannot be read, or is more than can be taken in.
    """
    opened = _opened(stream, name)
    unpacked = 0
    try:
        for batch in opened.batches(columns):
            size = sum(map(_bytes, batch.columns))
            unpacked += size
            _refuse_over(name, unpacked)
            rows = max(1, len(batch) * _AT_ONCE // max(size, _AT_ONCE))
            for start in range(0, len(batch), rows):
                yield batch.slice(start, rows)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise unreadable(name, error) from error


def parquet_table(stream: BinaryIO, name: str, columns: Sequence[str]) -> pa.Table:
    """Some columns of the file, whole.

    Raises:
        BadFile: as ``parquet_batches``.
    """
    begin = stream.tell()
    schema = _opened(stream, name).schema
    wanted = pa.schema([schema.field(one) for one in columns])
    stream.seek(begin)
    try:
        parts = [
            pa.Table.from_batches([batch]).cast(wanted)
            for batch in parquet_batches(stream, name, columns)
        ]
    except (pa.ArrowException, ValueError) as error:
        raise unreadable(name, error) from error
    return pa.concat_tables(parts) if parts else wanted.empty_table()


def parquet_names(stream: BinaryIO, name: str) -> list[str]:
    """The columns of the file.

    Raises:
        BadFile: as ``parquet_batches``.
    """
    return list(_opened(stream, name).schema.names)


@dataclass(frozen=True)
class _Opened:
    """A file in two ways: its texts as dictionaries, and as they are, with the schema of these."""

    packed: pq.ParquetFile
    plain: pq.ParquetFile

    @property
    def schema(self) -> pa.Schema:
        return self.plain.schema_arrow

    def batches(self, columns: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
        for group in range(self.plain.num_row_groups):
            try:
                table = self.packed.read_row_group(group, columns=columns)
            except pa.ArrowNotImplementedError:
                # Lists of texts of which only a part was written by dictionary.
                yield from self.plain.iter_batches(_FEW, row_groups=[group], columns=columns)
            else:
                yield from table.to_batches(_ROWS)


def _opened(stream: BinaryIO, name: str) -> _Opened:
    begin = stream.tell()
    try:
        plain = pq.ParquetFile(stream)
        told = plain.metadata
        groups = [told.row_group(at) for at in range(told.num_row_groups)]
        leaves = [told.schema.column(at) for at in range(told.num_columns)]
        values = max(
            (g.column(at).num_values for g in groups for at in range(g.num_columns)), default=0
        )
        texts = [
            leaf.path
            for leaf in leaves
            if leaf.physical_type == "BYTE_ARRAY" and leaf.logical_type.type in _TEXTS
        ]
        stream.seek(begin)
        packed = pq.ParquetFile(stream, read_dictionary=texts)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise unreadable(name, error) from error
    if len(leaves) > MOST_COLUMNS:
        raise _too_much(name, f"{len(leaves):,} columns", f"{MOST_COLUMNS:,}")
    if max(told.num_rows, values) > MOST_ROWS:
        raise _too_much(name, f"{max(told.num_rows, values):,} rows", f"{MOST_ROWS:,}")
    _refuse_over(name, sum(group.total_byte_size for group in groups))
    return _Opened(packed, plain)


def _refuse_over(name: str, unpacked: int) -> None:
    if unpacked > UNPACKED:
        raise _too_much(name, f"{unpacked / 1e9:.1f} GB once unpacked", f"{UNPACKED / 1e9:.1f} GB")


def _too_much(name: str, held: str, most: str) -> BadFile:
    return BadFile(
        f"{name} holds {held}; the most that can be imported at once is {most}.",
        hint="Import it in parts.",
    )


def _bytes(array: Any) -> int:
    """What an array takes once its dictionaries are unpacked."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        lengths = pc.binary_length(array.dictionary)
        return int(pc.sum(lengths.take(array.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(map(_bytes, array.flatten()))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        return _bytes(array.flatten() if not pa.types.is_map(kind) else array.items)
    return int(array.nbytes)
