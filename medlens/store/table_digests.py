"""Counts and digests of a table's rows, the same on DuckDB and on PostgreSQL.

The rows of a table are told by parts, each ``1 << PART_BITS`` numbers of ``seq``. A part's digest
is a sum over its rows, so their order does not matter. Each row is mixed into two numbers: its
values are the coefficients of a polynomial, taken modulo a prime below 2^31 and then cubed, so that
swapping values between rows is noticed; two primes give 62 bits. Numbers go in as they are, texts
by their length in bytes and the first 60 bits of the MD5 of all of them together. That takes a
tenth of the time of one MD5 per row where there are no texts. It notices mistakes of a disk, a
network or a program, and is no proof against somebody who wants to deceive it.

Between two DuckDB files DuckDB's own hash is used, which takes a tenth of that and is its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Engine = Literal["duckdb", "postgresql"]

PART_BITS = 12
_PRIMES = (2_147_483_647, 2_147_483_629)
_FACTORS = (48_271, 1_664_525)
_NULL = 1_234_567_891
"""Stands for a missing number; texts that are missing have the length -1."""
_NUMBERS = ("BIGINT", "INTEGER")


@dataclass(frozen=True)
class Part:
    """What is known of some rows: how many, the bytes of their texts, and the two sums."""

    rows: int
    bytes: int
    first: int
    second: int

    def __str__(self) -> str:
        """The digest as 32 hexadecimal digits; all zero if there are no rows."""
        return f"{self.first % 2**64:016x}{self.second % 2**64:016x}"


def sum_counts_and_digests_of_parts(parts: Iterable[Part]) -> Part:
    """The count and digest of several parts' rows."""
    listed = list(parts)
    return Part(
        sum(part.rows for part in listed),
        sum(part.bytes for part in listed),
        sum(part.first for part in listed),
        sum(part.second for part in listed),
    )


def duckdb_digest_query(table: str, columns: Mapping[str, str]) -> str:
    """As ``query``, by DuckDB's own hash."""
    texts = [name for name, kind in columns.items() if kind in ("VARCHAR", "JSON")]
    size = " + ".join(f"coalesce(strlen({name}::varchar), 0)" for name in texts) or "0"
    hashed = f"hash({', '.join(columns)})"
    return (
        f"select seq >> {PART_BITS}, count(*), sum({size}), sum({hashed}), bit_xor({hashed})"
        f" from {table} group by 1"
    )


def portable_digest_sql(table: str, columns: Mapping[str, str], engine: Engine) -> str:
    """SQL for ``part, rows, bytes, first, second`` of every part of a table that has rows.
    ``columns`` are its columns with DuckDB's names for their types.
    """
    numbers = [_number(name, kind, engine) for name, kind in columns.items() if kind != "DOUBLE"]
    values = [number for number in numbers if number]
    texts = [
        _text(name, kind, engine)
        for name, kind in columns.items()
        if kind == "DOUBLE" or not _number(name, kind, engine)
    ]
    length = "strlen" if engine == "duckdb" else "octet_length"
    lengths = [f"coalesce({length}({text}), -1)" for text in texts]
    if texts:
        values += [*lengths, _md5(texts, engine)]
    listed = ", ".join(f"{value} as v{at}" for at, value in enumerate(values))
    size = " + ".join(f"greatest(v{at}, 0)" for at in _places(numbers, texts)) or "0"
    # Without "offset 0", PostgreSQL would compute each MD5 as often as its result is named.
    fence = "" if engine == "duckdb" else " offset 0"
    mixed = [_mixed(len(values), at) for at in range(2)]
    cubes = [f"(h{at} * h{at} % {_PRIMES[at]} * h{at}) % {_PRIMES[at]}" for at in range(2)]
    return (
        f"select seq >> {PART_BITS}, count(*), coalesce(sum(size), 0), sum({cubes[0]}),"
        f" sum({cubes[1]}) from (select seq, {size} as size, {mixed[0]} as h0, {mixed[1]} as h1"
        f" from (select seq, {listed} from {table}{fence}) as row_values{fence}) as mixed"
        " group by 1"
    )


def _places(numbers: list[str], texts: list[str]) -> range:
    """Which of the values are the lengths of texts."""
    first = sum(map(bool, numbers))
    return range(first, first + len(texts))


def _mixed(count: int, at: int) -> str:
    expression = "1"
    for value in range(count):
        expression = f"({expression} * {_FACTORS[at]} + v{value} % {_PRIMES[at]}) % {_PRIMES[at]}"
    return f"({expression})"


def _number(name: str, kind: str, engine: Engine) -> str:
    """A column as a whole number; empty for texts."""
    if kind in _NUMBERS:
        value = f"{name}::bigint"
    elif kind == "BOOLEAN":
        value = f"{name}::int::bigint"
    elif kind == "TIMESTAMP WITH TIME ZONE":
        value = (
            f"epoch_us({name})"
            if engine == "duckdb"
            else f"(extract(epoch from {name}) * 1000000)::bigint"
        )
    else:
        return ""
    return f"coalesce({value}, {_NULL})"


def _text(name: str, kind: str, engine: Engine) -> str:
    if kind != "DOUBLE":
        return f"{name}::varchar" if engine == "duckdb" else name
    # By its bits: each engine writes such numbers in its own way.
    if engine == "duckdb":
        return f"{name}::bit::varchar"
    return f"('x' || encode(float8send({name}), 'hex'))::bit(64)::text"


def _md5(texts: list[str], engine: Engine) -> str:
    whole = f"md5(concat({', '.join(texts)}))"
    if engine == "duckdb":
        return f"('0x' || {whole}[:15])::bigint"
    return f"('x0' || left({whole}, 15))::bit(64)::bigint"
