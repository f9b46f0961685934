"""Reads the TOML files that people write, and reports every mistake with its line."""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import re
import tomllib
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from medlens.errors import BadFile, BadRow

T = TypeVar("T")
_types: Callable[[Any], Mapping[str, Any]] = functools.cache(get_type_hints)
_ID = re.compile(r"[a-z][a-z0-9_]*")
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_HEADER = re.compile(r"[ \t]*(\[\[?)([^\]]*)\]\]?")
_FIELD = re.compile(r"[ \t]*(\"[^\"]*\"|'[^']*'|[A-Za-z0-9_-]+)")
LARGEST_MB = 2
_MOST_TABLES, _MOST_FAULTS, _LONGEST_SHOWN = 1_000, 1_000, 60
_DEEPEST = 32
# Reading a key takes time and memory in the square of its parts.
_LONG_KEY = re.compile(
    r"""(?<![\w\\-])(?:(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t]*\.[ \t]*)"""
    f"{{{_DEEPEST}}}",
    re.ASCII,
)


@dataclass(frozen=True)
class TomlTable:
    """A table of a file: its values, the line of its header, and the line of each field."""

    values: Mapping[str, object]
    line: int
    lines: Mapping[str, int]

    def line_number_of_field(self, field: str) -> int:
        return self.lines.get(field, self.line)


class TomlFile:
    """A TOML file read field by field; mistakes collect in ``rows`` until
    ``raise_if_mistakes_were_recorded``.

    The readers return a harmless placeholder for what they refuse, so one pass finds every mistake.
    """

    def __init__(self, path: Path, what: str, *, content: bytes | None = None) -> None:
        """Raise BadFile if the file cannot be read, is too large, is not UTF-8, or is not TOML.

        If ``content`` is given, it is read instead of the file, and ``path`` is only its name.
        """
        self.name, self.what = path.name, what
        self.rows: list[BadRow] = []
        try:
            raw = _content(path) if content is None else content
        except OSError as e:
            raise BadFile(
                f"{path} cannot be read: {e.strerror}.", hint="Check the path and its permissions."
            ) from e
        if len(raw) > LARGEST_MB * 1_000_000:
            raise BadFile(
                f"{self.name} is larger than {LARGEST_MB} MB.", hint=f"Is it the {what} file?"
            )
        try:
            text = raw.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as e:
            self._add(raw[: e.start].count(b"\n") + 1, "", "text in UTF-8", "")
            self.raise_if_mistakes_were_recorded()
        if long := _LONG_KEY.search(text):
            self._add(_line(text, long.start()), "", f"keys of at most {_DEEPEST} parts", "")
            self.raise_if_mistakes_were_recorded()
        try:
            self._values = tomllib.loads(text)
            fault = _excess(self._values)
        except tomllib.TOMLDecodeError as e:
            at = _AT_LINE.search(str(e))
            line = int(at[1]) if at else text.rstrip("\n").count("\n") + 1
            reason = re.sub(r" \(at .*\)$", "", str(e))
            self._add(line, "", f"TOML ({reason[:1].lower()}{reason[1:]})", "")
            self.raise_if_mistakes_were_recorded()
        except RecursionError:
            fault = _NESTED
        except ValueError:
            # Python refuses to read numbers with this many digits.
            fault = _LONG_NUMBER
        if fault:
            self._add(1, "", f"TOML ({fault})", "")
            self.raise_if_mistakes_were_recorded()
        self._places = _places(text)
        self.top = TomlTable(self._values, 1, self._places[0][2])

    def list_tables_named(self, name: str, *, required: bool) -> list[TomlTable]:
        """Every ``[[name]]`` of the file, in order."""
        found = self._values.get(name, [])
        places = [(line, fields) for header, line, fields in self._places if header == name]
        if not isinstance(found, list) or len(found) != len(places):
            expected = f"a header [[{name}]] for each {name}"
            self._add(self.top.line_number_of_field(name), name, expected, "")
            return []
        if len(found) > _MOST_TABLES:
            self._add(places[_MOST_TABLES][0], name, f"at most {_MOST_TABLES:,} of these", "")
            self.raise_if_mistakes_were_recorded()
        if required and not found:
            self.record_field_mistake(self.top, name, f"at least one [[{name}]]")
        return [TomlTable(v, line, f) for v, (line, f) in zip(found, places, strict=True)]

    def record_field_mistake(self, table: TomlTable, field: str, expected: str) -> None:
        """Record a mistake; a missing field is reported at its table's header."""
        got = _as_toml(table.values.get(field, ""))
        self._add(table.line_number_of_field(field), field, expected, got)

    def record_unknown_fields(self, table: TomlTable, fields: Iterable[str]) -> None:
        """Refuse fields that are not in ``fields``, so a misspelt one is never silently ignored."""
        known = tuple(fields)
        for field in table.values:
            if field not in known:
                expected = f"one of the fields {', '.join(known)}"
                self._add(table.line_number_of_field(field), field, expected, field)

    def read_table_as_dataclass(
        self, table: TomlTable, kind: type[T], names: Container[str] | None = None, /, **given: Any
    ) -> T:
        """The dataclass ``kind`` from a table, by the types of its fields: texts, lists of texts,
        choices and flags; texts and choices without a default are required, and an ``id`` is an
        identifier. ``given`` are fields read already. Of other fields only those in ``names`` are
        read; without ``names``, the table may have the fields of ``kind`` and no others.
        """
        own = {one.name: one.default for one in dataclasses.fields(kind)}  # type: ignore[arg-type]
        if names is None:
            self.record_unknown_fields(table, own)
        types = _types(kind)
        for name, default in own.items():
            if name in given or (names is not None and name not in names):
                continue
            usual: Any = None if default is dataclasses.MISSING else default
            if name == "id":
                given[name] = self.read_identifier(table)
            elif types[name] is bool:
                given[name] = self.read_flag_field(table, name, default=bool(usual))
            elif get_origin(types[name]) is tuple:
                given[name] = self.read_text_list_field(table, name)
            elif allowed := get_args(types[name]):
                given[name] = self.read_choice_field(table, name, allowed, usual)
            else:
                given[name] = self.read_text_field(table, name, usual)
        return kind(**given)

    def read_text_field(self, table: TomlTable, field: str, default: str | None = None) -> str:
        """A text; required and not blank unless there is a default."""
        value = table.values.get(field, default)
        if not isinstance(value, str):
            self.record_field_mistake(table, field, "this field, a text in quotes")
            return ""
        if default is None and not value.strip():
            self.record_field_mistake(table, field, "a text that is not empty")
        return value.strip()

    def read_identifier(self, table: TomlTable, field: str = "id") -> str:
        """Lower-case letters, digits and underscores, as used in the store and in exports."""
        value = self.read_text_field(table, field)
        if value and not _ID.fullmatch(value):
            self.record_field_mistake(
                table, field, "lower-case letters, digits and _, beginning with a letter"
            )
        return value

    def read_text_list_field(
        self, table: TomlTable, field: str, *, at_least: int = 0, what: str = "texts"
    ) -> tuple[str, ...]:
        value = table.values.get(field, [])
        if (
            not isinstance(value, list)
            or len(value) < at_least
            or not all(isinstance(v, str) and v.strip() for v in value)
        ):
            number = {1: "one", 2: "two"}.get(at_least, str(at_least))
            few = f"at least {number} {what}" if at_least else what
            self.record_field_mistake(table, field, f"a list of {few} in quotes")
            return ()
        return tuple(v.strip() for v in value)

    def read_choice_field(
        self, table: TomlTable, field: str, allowed: Sequence[str], default: str | None = None
    ) -> str:
        value = table.values.get(field, default)
        if value not in allowed:
            self.record_field_mistake(table, field, f"one of {', '.join(allowed)}")
            return allowed[0]
        return cast(str, value)

    def read_flag_field(self, table: TomlTable, field: str, *, default: bool) -> bool:
        value = table.values.get(field, default)
        if not isinstance(value, bool):
            self.record_field_mistake(table, field, "true or false")
            return default
        return value

    def read_number_field(self, table: TomlTable, field: str) -> float | None:
        value = table.values.get(field)
        if value is None:
            return None
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not math.isfinite(value)
        ):
            self.record_field_mistake(table, field, "a number")
            return None
        return value

    def record_duplicate_values(self, tables: Sequence[TomlTable], field: str) -> None:
        """Refuse a value of ``field`` that an earlier table has; missing values do not count."""
        seen: dict[object, int] = {}
        for table in tables:
            value = table.values.get(field)
            if not isinstance(value, (str, int)):
                continue
            if value in seen:
                self.record_field_mistake(
                    table, field, f"a value not used already (line {seen[value]} has it)"
                )
            seen.setdefault(value, table.line_number_of_field(field))

    def raise_if_mistakes_were_recorded(self) -> None:
        """Raise BadFile naming file and line of the first mistake; ``rows`` has all of them."""
        if not self.rows:
            return
        rows = sorted(self.rows, key=lambda row: row.line)
        more = f" {len(rows) - 1} more like this in the file." if len(rows) > 1 else ""
        raise BadFile(
            f"{rows[0]}{more}", hint=f"Correct the {self.what} file and load it again.", rows=rows
        )

    def _add(self, line: int, column: str, expected: str, got: str) -> None:
        if len(self.rows) < _MOST_FAULTS:
            self.rows.append(BadRow(self.name, line, _shown(column), expected, _shown(got)))


def _content(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LARGEST_MB * 1_000_000 + 1)


_NESTED = "with fewer brackets within brackets"
_LONG_NUMBER = "with whole numbers of at most 64 bits"


def _excess(values: Mapping[str, object]) -> str:
    """What a file has too much of to be read safely; empty if nothing."""
    layer: list[object] = [values]
    for _ in range(_DEEPEST):
        if any(isinstance(one, int) and not -(2**63) <= one < 2**63 for one in layer):
            return _LONG_NUMBER
        within = [one for one in layer if isinstance(one, dict | list)]
        layer = [x for one in within for x in (one.values() if isinstance(one, dict) else one)]
    return _NESTED if layer else ""


def _shown(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "…"


def _as_toml(value: object) -> str:
    """A value as it appears in the file; text without its quotation marks."""
    return value if isinstance(value, str) else format_value_on_one_toml_line(value)


def format_value_on_one_toml_line(value: object) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return (
            "{ "
            + ", ".join(
                f"{name} = {format_value_on_one_toml_line(one)}" for name, one in value.items()
            )
            + " }"
        )
    if isinstance(value, list):
        return f"[{', '.join(map(format_value_on_one_toml_line, value))}]"
    if isinstance(value, str | bool):
        # A JSON string is a TOML string, except for this one character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value)


def _places(text: str) -> list[tuple[str, int, dict[str, int]]]:
    """Header, line, and line of each field, for the top level ("" first) and every table."""
    places: list[tuple[str, int, dict[str, int]]] = [("", 1, {})]
    line = 1
    for one in split_toml_into_statements(text):
        if one.header:
            places.append((one.name, line, {}))
            places[0][2].setdefault(one.name.split(".")[0], line)
        elif one.name:
            places[-1][2].setdefault(one.name, line)
        line += text.count("\n", one.start, one.end)
    return places


@dataclass(frozen=True)
class Statement:
    """The part of a text from ``start`` to ``end``: the header of a table, a field, or, if it has
    no name, an empty line or a comment.
    """

    name: str
    header: bool
    start: int
    end: int


def split_toml_into_statements(text: str) -> Iterator[Statement]:
    """The statements of a valid TOML text, in order.

    Only strings and brackets can make a line look like a header or a field, so these are skipped.
    """
    at = 0
    while at < len(text):
        begun = at
        header, field = _HEADER.match(text, at), _FIELD.match(text, at)
        if found := header or field:
            at = found.end()
        at = position_of_statement_end(text, at)
        name = header[2].strip() if header else field[1].strip("\"'") if field else ""
        yield Statement(name, bool(header), begun, at)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def position_of_statement_end(text: str, at: int) -> int:
    """Where the next statement begins: after the first line end outside strings and brackets."""
    ends = (here + 1 for here, mark, depth in _bare(text, at) if mark == "\n" and depth == 0)
    return next(ends, len(text))


def comment_after_field(text: str, one: Statement) -> str:
    """The comment after a field's value, with the space before it; empty if there is none."""
    for at, mark, depth in _bare(text, one.start):
        if at >= one.end:
            break
        if mark == "#" and depth == 0:
            value = text[one.start : at].rstrip(" \t")
            return text[one.start + len(value) : one.end].rstrip("\n")
    return ""


def _bare(text: str, at: int) -> Iterator[tuple[int, str, int]]:
    """The text outside strings (of comments only the ``#``), each piece with the number of brackets
    open after it.
    """
    depth = 0
    while at < len(text):
        mark = text[at]
        if text.startswith(('"""', "'''"), at):
            at = _string_end(text, at + 3, text[at : at + 3])
            continue
        if mark in "\"'":
            at = _string_end(text, at + 1, mark)
            continue
        depth += (mark in "[{") - (mark in "]}")
        yield at, mark, depth
        if mark == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
            continue
        at += 1


def _string_end(text: str, at: int, quote: str) -> int:
    while not text.startswith(quote, at):
        at += 2 if text[at] == "\\" and quote[0] == '"' else 1
    at += len(quote)
    while len(quote) == 3 and text.startswith(quote[0], at):  # a string may end in its own quotes
        at += 1
    return at


def bad_rows_of_pydantic_error(
    error: ValidationError, text: str, name: str, *, hidden: Sequence[str] = ()
) -> list[BadRow]:
    """What a pydantic model refused in the TOML ``text`` of the file ``name``, in its order.

    Values found in the ``hidden`` sections are not repeated.
    """
    rows = []
    for problem in error.errors(include_url=False):
        keys = [str(part) for part in problem["loc"] if part != "[key]" and isinstance(part, str)]
        silent = isinstance(problem["input"], dict | list) or keys[:1] in ([one] for one in hidden)
        got = "" if silent else str(problem["input"])
        rows.append(BadRow(name, _line_of(keys, text), ".".join(keys), _expected(problem), got))
    return sorted(rows, key=lambda row: row.line)


def _expected(problem: ErrorDetails) -> str:
    if problem["type"] == "extra_forbidden":
        return "a setting that MedLens knows"
    message = str(problem["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    return message[:1].lower() + message[1:]


def _line_of(keys: list[str], text: str) -> int:
    """The line, from 1, that sets ``keys``, or the line of its section if the key is not found."""
    section, found, wanted = "", 1, ".".join(keys)
    for number, line in enumerate(text.splitlines(), start=1):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]+", line):
            section = header[1].replace('"', "").replace("'", "")
            name = section
        elif pair := re.match(r"""\s*("[^"]*"|'[^']*'|[^=\s#]+)\s*=""", line):
            key = pair[1].strip("\"'")
            name = f"{section}.{key}" if section else key
        else:
            continue
        if name == wanted:
            return number
        if wanted.startswith(f"{name}."):
            found = number
    return found
