"""Answers to queries of a store that are kept until a table grows from which they were read.

A page asks the same dozens of small queries at every action, and planning one on the views of the
current state takes DuckDB milliseconds. Whatever a query names, directly or through views, is
compared with how often that table grew; an answer that could be another one is never given.
"""

from __future__ import annotations

import copy
import re
import threading
from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from medlens.deferred_module import pa
from medlens.store import migrations

LARGEST = 64 << 10
"""Bytes of a longer answer, which is not kept."""
MOST = 8 << 20
"""Bytes of all kept answers together."""
_LONGEST_LIST = 64
_CELL = 32
_CELLS = LARGEST // _CELL
_WORD = re.compile(r"[a-z_][a-z0-9_]*")
# What may give another answer though no table grew, or reads what is no table of the store.
_CHANGING = re.compile(
    r"\b(now|today|random|setseed|uuid|uuidv4|uuidv7|gen_random_uuid|nextval|currval"
    r"|(get_)?current_\w+|localtime(stamp)?|transaction_timestamp|txid_current|getvariable"
    r"|getenv|glob|\w*sample|information_schema|pg_\w+|pragma\w*|duckdb_\w+|read_\w+|\w+_scan"
    r"|migration)\b"
)
_READS = re.compile(r"\s*(select|with|from)\b(?!.*\b(insert|update|delete)\b)", re.DOTALL)
_IMMUTABLE = (str, int, float, bool, bytes, date, datetime, Decimal, type(None))


@dataclass(frozen=True)
class Question:
    """A query whose answer may be kept. ``key`` tells it, with the form of its answer and its
    parameters, from every other; ``tables`` are those that it reads.
    """

    key: Hashable
    tables: frozenset[str]


@dataclass(frozen=True)
class _Kept:
    version: int
    answer: Any
    size: int


def is_read_only_query(sql: str) -> bool:
    """Whether a query changes nothing."""
    return _READS.match(sql.lower()) is not None


class QueryCache:
    """The last answers to queries of a store that has these tables, at most ``MOST`` bytes.

    Whoever asks gives the version of the question's tables from before it was asked: a number that
    grows with any of them.
    """

    def __init__(self, tables: Collection[str]) -> None:
        self._reads = _reads(frozenset(tables), _views())
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._size = self._forgotten = 0
        self._lock = threading.Lock()

    def key_of_cacheable_query(
        self, form: str, sql: str, parameters: Mapping[str, Any]
    ) -> Question | None:
        """What ``find_cached_answer`` and ``keep_answer`` know this query by; None if its answer
        must not be kept.
        """
        tables = self._reads.of_query(sql)
        if not tables:
            return None
        try:
            given = tuple((name, _fixed(value)) for name, value in sorted(parameters.items()))
            hash(given)
        except TypeError:
            return None
        return Question((form, sql, given), tables)

    @property
    def times_all_was_forgotten(self) -> int:
        """How often everything was forgotten; ``keep_answer`` wants it as of before the
        question."""
        return self._forgotten

    def find_cached_answer(self, question: Question, version: int) -> Any:
        """The kept answer, which is the caller's own; None if there is none of this version."""
        with self._lock:
            kept = self._kept.get(question.key)
            if kept is None or kept.version != version:
                return None
            self._kept.move_to_end(question.key)
        return _own_copy(kept.answer)

    def keep_answer(self, question: Question, version: int, answer: Any, *, forgotten: int) -> None:
        """Keep an answer (a list of tuples, an Arrow table or a frame) unless it is long, or
        all was forgotten since the question was asked.
        """
        size = _size(answer)
        if size > LARGEST:
            return
        kept = _Kept(version, _own_copy(answer), size)
        with self._lock:
            if forgotten != self._forgotten:
                return
            self._drop(question.key)
            self._kept[question.key] = kept
            self._size += size
            while self._size > MOST:
                self._drop(next(iter(self._kept)))

    def _drop(self, key: Hashable) -> None:
        kept = self._kept.pop(key, None)
        self._size -= kept.size if kept else 0

    def forget_all_answers(self) -> None:
        """Hold nothing any more: what was erased from the store must not stay in memory."""
        with self._lock:
            self._kept.clear()
            self._size = 0
            self._forgotten += 1


class _Reads:
    """Which tables are read for each table and view, and so for each query."""

    def __init__(self, tables: Iterable[str], views: Iterable[str]) -> None:
        self._behind = {table: frozenset((table,)) for table in tables}
        for statement in views:
            created = re.search(r"create or replace view (\w+) as\b(.*)", statement, re.DOTALL)
            if created:
                # In order of dependence: whatever a view reads is known.
                self._behind[created[1]] = self._named(created[2])
        self.of_query = lru_cache(maxsize=1_024)(self._of_query)

    def _named(self, sql: str) -> frozenset[str]:
        names = set(_WORD.findall(sql.lower())) & self._behind.keys()
        return frozenset[str]().union(*(self._behind[name] for name in names))

    def _of_query(self, sql: str) -> frozenset[str]:
        """The tables that a query reads, and perhaps more; none if its answer must not be kept."""
        lower = sql.lower()
        if not _READS.match(lower) or _CHANGING.search(lower):
            return frozenset()
        return self._named(lower)


def _views() -> tuple[str, ...]:
    return (*migrations.current_state_views(), *migrations.public_view_statements("duckdb"))


@lru_cache(maxsize=4)
def _reads(tables: frozenset[str], views: tuple[str, ...]) -> _Reads:
    # The views too: stores of one process that have the same tables may differ in them.
    return _Reads(tables, views)


def _fixed(value: Any) -> Hashable:
    """A parameter as part of a key, in which 1, 1.0 and true are three values.

    Raises:
        TypeError: it is of a kind, or a length, whose answers are not kept.
    """
    if isinstance(value, _IMMUTABLE):
        return type(value), value
    if isinstance(value, list | tuple) and len(value) <= _LONGEST_LIST:
        return type(value), tuple(map(_fixed, value))
    raise TypeError(type(value))


def _size(answer: Any) -> int:
    """About how many bytes an answer takes; of a long one, more than are kept."""
    # Rows first: to ask whether they are a table would import what makes tables.
    if isinstance(answer, list):
        if sum(map(len, answer)) > _CELLS:
            return LARGEST + 1
        return sum(_size_of_value(value) for row in answer for value in row)
    if isinstance(answer, pa.Table):
        return int(answer.nbytes)
    many = answer.size > _CELLS
    return LARGEST + 1 if many else int(answer.memory_usage(deep=True).sum())


def _size_of_value(value: Any) -> int:
    if isinstance(value, str | bytes):
        return _CELL + len(value)
    if isinstance(value, dict):
        return _CELL + sum(map(_size_of_value, (*value, *value.values())))
    if isinstance(value, list | tuple):
        return _CELL + sum(map(_size_of_value, value))
    return _CELL


def _own_copy(answer: Any) -> Any:
    """An answer that whoever has it may change."""
    if isinstance(answer, list):
        if all(isinstance(value, _IMMUTABLE) for row in answer for value in row):
            return list(answer)
        return copy.deepcopy(answer)
    return answer if isinstance(answer, pa.Table) else answer.copy()
