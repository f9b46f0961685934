"""Reads Parquet that may be damaged or unpack to far more than its size, within limits.

Only a few rows are unpacked at a time, whatever the size of a row group, and their size is added
up: 0.1 MB of Parquet can unpack to 4 GB while its own metadata say 2 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from medlens.deferred_module import pa, pc, pq
from medlens.errors import BadFile
from medlens.tables.file_kind_and_lines import shorten_value
from medlens.tables.read_limits import MOST_COLUMNS, MOST_ROWS, UNPACKED

_FEW = 64
"""Rows that are unpacked at once: 320 MB at most where each has a text of the longest allowed."""
_AT_ONCE, _ROWS = 1 << 23, 4096
"""Bytes and rows that are given at once."""


def make_error_for_unreadable_file(name: str, error: Exception) -> BadFile:
    """The error to raise for a file that its reader gave up on.

    Raises:
        MemoryError: that was the error, which says nothing about the file.
    """
    if isinstance(error, MemoryError):
        raise error
    return BadFile(
        f"{name} is not a readable Parquet file: {shorten_value(str(error))}.",
        hint="It may be damaged or cut off. Fetch or write it again.",
    )


def read_parquet_batches(
    stream: BinaryIO, name: str, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The file, or some of its columns, a few megabytes at a time.

    Raises:
        BadFile: it cannot be read, or is too large.
    """
    opened = _opened(stream, name)
    held: list[pa.RecordBatch] = []
    unpacked = size = 0
    try:
        for batch in opened.iter_batches(_FEW, columns=columns, use_threads=False):
            held.append(batch)
            size += sum(map(_bytes, batch.columns))
            _refuse_over(name, unpacked + size)
            if size >= _AT_ONCE or len(held) * _FEW >= _ROWS:
                yield pa.concat_batches(held)
                unpacked += size
                held, size = [], 0
        if held:
            yield pa.concat_batches(held)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise make_error_for_unreadable_file(name, error) from error


def read_parquet_columns_as_arrow_table(
    stream: BinaryIO, name: str, columns: Sequence[str]
) -> pa.Table:
    """Some columns of the file, in full.

    Raises:
        BadFile: as ``read_parquet_batches``.
    """
    begin = stream.tell()
    schema = _opened(stream, name).schema_arrow
    wanted = pa.schema([field for field in schema if field.name in columns])
    stream.seek(begin)
    return pa.Table.from_batches(read_parquet_batches(stream, name, columns), wanted)


def parquet_column_names(stream: BinaryIO, name: str) -> list[str]:
    """The columns of the file.

    Raises:
        BadFile: as ``read_parquet_batches``.
    """
    return list(parquet_schema(stream, name).names)


def parquet_schema(stream: BinaryIO, name: str) -> pa.Schema:
    """The columns of the file with their types.

    Raises:
        BadFile: as ``read_parquet_batches``.
    """
    return _opened(stream, name).schema_arrow


def _opened(stream: BinaryIO, name: str) -> pq.ParquetFile:
    try:
        opened = pq.ParquetFile(stream)
        told = opened.metadata
        groups = [told.row_group(at) for at in range(told.num_row_groups)]
        values = max(
            (g.column(at).num_values for g in groups for at in range(g.num_columns)), default=0
        )
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise make_error_for_unreadable_file(name, error) from error
    if told.num_columns > MOST_COLUMNS:
        raise _too_much(name, f"{told.num_columns:,} columns", f"{MOST_COLUMNS:,}")
    if max(told.num_rows, values) > MOST_ROWS:
        raise _too_much(name, f"{max(told.num_rows, values):,} rows", f"{MOST_ROWS:,}")
    _refuse_over(name, sum(group.total_byte_size for group in groups))
    return opened


def _refuse_over(name: str, unpacked: int) -> None:
    if unpacked > UNPACKED:
        most = f"{UNPACKED / 1e9:.1f} GB"
        raise _too_much(name, f"more than {most} once unpacked", most)


def _too_much(name: str, held: str, most: str) -> BadFile:
    return BadFile(
        f"{name} holds {held}; the most that can be imported at once is {most}.",
        hint="Import it in parts.",
    )


def _bytes(array: Any) -> int:
    """The size of an array once its dictionaries are unpacked."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        lengths = pc.binary_length(array.dictionary)
        return int(pc.sum(lengths.take(array.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(map(_bytes, array.flatten()))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_map(kind):
        return _bytes(array.flatten() if not pa.types.is_map(kind) else array.items)
    return int(array.nbytes)
