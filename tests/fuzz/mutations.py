"""What can go wrong with a file, as strategies: in its cells, its columns, its rows, its bytes."""

from __future__ import annotations

import copy
import csv
import gzip
import io
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

from tests.fuzz.world import FRESH, HERE, Row, Sample


def deep(levels: int, *, objects: bool = False) -> Any:
    """A value nested so deeply."""
    value: Any = 1
    for _ in range(levels):
        value = {"a": value} if objects else [value]
    return value


TEXTS: tuple[str, ...] = (
    "",
    " ",
    "\n",
    "\t",
    "\r\n",
    "\u00a0",
    "\u3000",
    "x",
    "0",
    "1",
    "-1",
    "007",
    "1.0",
    "1.5",
    "1e3",
    "1e999",
    "-1e999",
    "nan",
    "NaN",
    "inf",
    "-Infinity",
    "null",
    "None",
    "true",
    "FALSE",
    "yes",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999999",
    "-0",
    "٣",
    "²",
    "½",
    "１２",
    "0x10",
    "1_000",
    "1,5",
    "9" * 5000,
    "=1+1",
    "@SUM(A1)",
    "+1",
    "-x",
    "'=1",
    "''=1",
    "\t=1",
    "\n=1",
    "a\n=1",
    "a,=1",
    "a;=1",
    "\u200b=1",
    '"',
    '""',
    "'",
    "`",
    "\\",
    "a,b;c\td|e",
    'a "b" c',
    "a\rb",
    "a\r\nb",
    "{}",
    "[]",
    "[1]",
    '["a"]',
    '{"a": 1}',
    "{'a': 1}",
    '[["a"]]',
    "[" * 3000,
    "[" * 200 + "]" * 200,
    '{"a":' * 200 + "1" + "}" * 200,
    "(" * 500,
    "-" * 3000 + "1",
    "[" * 90 + "1" + "]" * 90,
    "not not " * 500 + "1",
    "1+" * 3000 + "1",
    "\u202eabc",
    "\u2066abc",
    "\u200b",
    "\ufeff",
    "\ufffd",
    "\ufffe",
    "\U0010ffff",
    "\U0001f600",
    "é",
    "e\u0301",
    "ﬁ",
    "İ",
    "ß",
    "K",
    "\x01",
    "\x1f",
    "\x7f",
    "\x85",
    "\u2028",
    "\0",
    "a\0b",
    "\ud800",
    "a\udfffb",
    "<script>alert(1)</script>",
    "http://[",
    "http://a]b",
    "https://example.org:99999/x",
    "//x",
    "www.",
    "http://" + "a" * 300 + ".example",
    "ftp://x y",
    "mailto:a@b",
    "%zz",
    "http://xn--\u00e9.org",
    "http://[::1%25",
    "0001-01-01",
    "9999-12-31T23:59:59.999999+14:00",
    "10000-01-01",
    "0001-01-01T00:00:00+14:00",
    "1969-13-01",
    "2026-02-30",
    "24:00",
    "2026-11-22T05:43:31Z",
    "1e10",
    "-62135596800",
    "2026-11-22T05:43:31.141165123+00:00",
    "person",
    "model",
    "Model ",
    "human",
    "supported",
    "found",
    "edited",
    "removed",
    "ok",
    "answered",
    "error_spans",
    "dialogue_realism",
    "source_support",
    "A",
    "B",
    "Z",
    "numeric",
    "semantic",
    "I do not know",
    "demo",
    "fuzz",
    "x" * 81,
    "x" * 1000,
    "ä" * 100_001,
    ";",
    "; ;",
    "a;a",
    "../../etc/passwd",
    "con",
    "|",
    "$x",
    "%s",
    "{0}",
)

VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    1.0,
    1.5,
    -0.0,
    1e308,
    2**31,
    2**53 + 1,
    2**63 - 1,
    2**63,
    10**30,
    -(2**63) - 1,
    math.nan,
    math.inf,
    [],
    {},
    [None],
    [[]],
    [1],
    ["a"],
    ["a", "a"],
    ["", " "],
    [{}],
    {"a": 1},
    {"a": None},
    {"": ""},
    {"text": "x"},
    [{"text": "x", "correct": True}],
    [{"start": 0, "end": 1, "quote": "x"}],
    [{"start": -1, "end": 10**20}],
    deep(5),
    deep(99),
    deep(101),
    deep(600),
    deep(150, objects=True),
    ["x"] * 300,
    {str(n): n for n in range(300)},
    {"key": "A", "value": "x"},
    [1, "a", None, {}],
)

# Any characters, lone surrogates too: ``st.text`` would first make a table of all of Unicode.
texts = st.lists(st.integers(0, 0x10FFFF), max_size=12).map(
    lambda points: "".join(map(chr, points))
)
values = st.one_of(st.sampled_from(TEXTS), st.sampled_from(VALUES), texts)
at = st.integers(0, 50)


# -- cells, columns and rows -----------------------------------------------------------------------

Change = Callable[[list[Row]], None]


def _cell(rows: list[Row], row: int, column: int) -> tuple[Row, str] | None:
    if not rows or not rows[row % len(rows)]:
        return None
    one = rows[row % len(rows)]
    return one, list(one)[column % len(one)]


def _on_cell(change: Callable[[Row, str], None]) -> Callable[[int, int], Change]:
    def place(row: int, column: int) -> Change:
        def done(rows: list[Row]) -> None:
            found = _cell(rows, row, column)
            if found:
                change(*found)

        return done

    return place


def _set(value: Any) -> Callable[[Row, str], None]:
    return lambda row, name: row.__setitem__(name, copy.copy(value))


def _put_in_text(text: str, before: bool) -> Callable[[Row, str], None]:
    def change(row: Row, name: str) -> None:
        old = row[name]
        if isinstance(old, str):
            row[name] = text + old if before else old + text

    return change


def _other_type(row: Row, name: str) -> None:
    old = row[name]
    row[name] = (
        json.dumps(old)
        if isinstance(old, (list, dict))
        else [old]
        if isinstance(old, str)
        else None
        if old is None
        else str(old)
    )


def _cut(row: Row, name: str) -> None:
    old = row[name]
    if isinstance(old, (str, list)):
        row[name] = old[: len(old) // 2]


def _within(path: Sequence[int], value: Any) -> Callable[[Row, str], None]:
    """Put a value somewhere inside what is nested, also where it is JSON in a text."""

    def change(row: Row, name: str) -> None:
        old = row[name]
        inner = old
        if isinstance(old, str) and old[:1] in "[{":
            try:
                inner = json.loads(old)
            except (ValueError, RecursionError):
                return
        inner = copy.deepcopy(inner) if isinstance(inner, (list, dict)) else None
        held: Any = inner
        for step in path:
            if isinstance(held, dict) and held:
                key: Any = list(held)[step % len(held)]
            elif isinstance(held, list) and held:
                key = step % len(held)
            else:
                return
            if step == path[-1] or not isinstance(held[key], (list, dict)):
                held[key] = value
                break
            held = held[key]
        if inner is not None:
            row[name] = json.dumps(inner) if isinstance(old, str) else inner

    return change


cells = st.builds(
    lambda place, change: _on_cell(change)(*place),
    st.tuples(at, at),
    st.one_of(
        st.builds(_set, values),
        st.builds(_set, values),
        st.builds(_put_in_text, st.sampled_from(TEXTS), st.booleans()),
        st.builds(_within, st.lists(at, min_size=1, max_size=4), values),
        st.just(_other_type),
        st.just(_cut),
        st.just(lambda row, name: row.pop(name) and None),
    ),
)


def _on_column(change: Callable[[Row, str], None]) -> Callable[[int], Change]:
    def place(column: int) -> Change:
        def done(rows: list[Row]) -> None:
            names = list(dict.fromkeys(name for row in rows for name in row))
            if names:
                name = names[column % len(names)]
                for row in rows:
                    if name in row:
                        change(row, name)

        return done

    return place


def _renamed(to: Callable[[str], str], keep: bool) -> Callable[[Row, str], None]:
    def change(row: Row, name: str) -> None:
        value = row[name]
        if not keep:
            del row[name]
        row[to(name)] = value

    return change


NAMES: tuple[Callable[[str], str], ...] = (
    str.upper,
    lambda n: f" {n} ",
    lambda n: n.replace("_", " "),
    lambda n: n.replace("_", "-"),
    lambda n: n + "2",
    lambda n: "",
    lambda n: "=" + n,
    lambda n: "'" + n,
    lambda n: n + "\0",
    lambda n: "dataset",
    lambda n: "illustrative",
    lambda n: "study",
    lambda n: "task",
    lambda n: "medlens_reason",
    lambda n: "medlens_raw",
    lambda n: "id",
    lambda n: "x" * 3000,
    lambda n: "\u202e" + n,
    lambda n: "value",
    lambda n: "content_json",
    lambda n: "option_A",
)

columns = st.builds(
    lambda place, change: _on_column(change)(place),
    at,
    st.one_of(
        st.builds(_set, values),
        st.just(lambda row, name: row.pop(name) and None),
        st.builds(_renamed, st.sampled_from(NAMES), st.booleans()),
        st.just(_other_type),
    ),
)


def _more(value: Any, to: Callable[[str], str]) -> Change:
    def done(rows: list[Row]) -> None:
        for row in rows:
            row[to("more")] = value

    return done


def _rows(kind: str, one: int, other: int, value: Any) -> Change:
    def done(rows: list[Row]) -> None:
        if not rows:
            return
        a, b = one % len(rows), other % len(rows)
        if kind == "twice":
            rows.insert(b, dict(rows[a]))
        elif kind == "twice otherwise":
            rows.append(dict(rows[a]))
            _on_cell(_set(value))(len(rows) - 1, other)(rows)
        elif kind == "gone":
            del rows[a]
        elif kind == "none":
            rows.clear()
        elif kind == "swapped":
            rows[a], rows[b] = rows[b], rows[a]
        elif kind == "empty":
            rows[a] = {}
        elif kind == "crossed":
            found = _cell(rows, a, other)
            if found and found[1] in rows[b]:
                rows[a][found[1]], rows[b][found[1]] = rows[b][found[1]], rows[a][found[1]]
        elif kind == "many":
            rows.extend(dict(rows[a]) for _ in range(60))

    return done


whole_rows = st.builds(
    _rows,
    st.sampled_from(
        [
            "twice",
            "twice",
            "twice otherwise",
            "twice otherwise",
            "gone",
            "none",
            "swapped",
            "empty",
            "crossed",
            "crossed",
            "many",
        ]
    ),
    at,
    at,
    values,
)

changes = st.lists(
    st.one_of(
        cells,
        cells,
        cells,
        columns,
        whole_rows,
        st.builds(_more, values, st.sampled_from(NAMES)),
    ),
    max_size=4,
)


# -- the file and its bytes ------------------------------------------------------------------------


def written(rows: Sequence[Row], form: str, *, delimiter: str = ",") -> bytes:
    """Rows as a file; where Parquet cannot hold them, as JSON lines under Parquet's name."""
    if form == "csv":
        out = io.StringIO()
        names = list(dict.fromkeys(name for row in rows for name in row))
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(names)
        writer.writerows([_as_text(row.get(name)) for name in names] for row in rows)
        return out.getvalue().encode("utf-8", "surrogatepass")
    if form == "json":
        return json.dumps(list(rows), indent=1).encode()
    if form == "parquet":
        try:
            out_bytes = io.BytesIO()
            pq.write_table(pa.Table.from_pylist(list(rows)), out_bytes)
            return out_bytes.getvalue()
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            pass
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value) if isinstance(value, (list, dict)) else str(value)


PIECES: tuple[bytes, ...] = (
    b"null\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    b'"',
    b"'",
    b"\n",
    b"\r",
    b"\r\n",
    b",",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"NaN",
    b"1e999",
    b"-",
    b"=",
    b"\x1a",
    b"\xe2\x80\xae",
    b"\n\n\n",
    b"PAR1",
    b"[" * 10_000,
    b'{"a":' * 10_000,
    b"9" * 5000,
    b"x" * 100_000,
    b"{}\n",
    b"1\n",
    b'"x"\n',
    b"[]\n",
)


def _at(data: bytes, place: float) -> int:
    return int(place * len(data))


def _insert(piece: bytes, place: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: _at(data, place)] + piece + data[_at(data, place) :]


def _truncate(place: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: _at(data, place)]


def _flip(place: float, to: int) -> Callable[[bytes], bytes]:
    return lambda data: data[: _at(data, place)] + bytes([to]) + data[_at(data, place) + 1 :]


def _take_out(place: float, length: int) -> Callable[[bytes], bytes]:
    return lambda data: data[: _at(data, place)] + data[_at(data, place) + length :]


def _again(place: float, length: int) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        piece = data[_at(data, place) : _at(data, place) + length]
        return data[: _at(data, place)] + piece + data[_at(data, place) :]

    return change


ENCODED: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: data.replace(b"\n", b"\r\n"),
    lambda data: data.replace(b"\n", b"\r"),
    lambda data: b"\xef\xbb\xbf" + data,
    lambda data: data.decode("utf-8", "replace").encode("utf-16"),
    lambda data: data.decode("utf-8", "replace").encode("utf-16-le", "replace"),
    lambda data: data.decode("utf-8", "replace").encode("latin-1", "replace"),
    gzip.compress,
    lambda data: b"\n \n" + data,
    lambda data: data.rstrip(b"\n"),
    lambda data: b"",
    lambda data: data.replace(b'"', b"'"),
    lambda data: data * 2,
    lambda data: data.replace(b"\n", b"\n\n"),
    lambda data: data.replace(b",", b";"),
    bytes.upper,
    bytes.lower,
)

place = st.floats(0, 1)
damages = st.one_of(
    st.builds(_insert, st.sampled_from(PIECES), st.one_of(st.just(0.0), place)),
    st.builds(_truncate, place),
    st.builds(_flip, place, st.integers(0, 255)),
    st.builds(_take_out, place, st.integers(1, 40)),
    st.builds(_again, place, st.integers(1, 400)),
    st.sampled_from(ENCODED),
)

ENDINGS = {"csv": ".csv", "jsonl": ".jsonl", "json": ".json", "parquet": ".parquet"}


@st.composite
def files(draw: st.DrawFn, sample: Sample) -> tuple[bytes, str]:
    """A damaged file of a kind, and its name. Most are damaged in their rows alone: a file whose
    bytes are, hardly ever gets as far as the rows."""
    # What is nested is never changed where it stands.
    rows = [dict(row) for row in sample.rows]
    for change in draw(changes):
        change(rows)
    form = draw(st.sampled_from(list(sample.forms) * 4 + ["csv", "jsonl", "json", "parquet"]))
    data = written(rows, form, delimiter=draw(st.sampled_from(",,,,,;\t|")))
    for damage in draw(st.one_of(st.just([]), st.just([]), st.lists(damages, max_size=3))):
        data = damage(data)
    name = draw(
        st.sampled_from(
            ["some" + ENDINGS[form]] * 8 + ["some.csv", "x.jsonl", "no ending", "p.parquet"]
        )
    )
    return data, name


def ways(sample: Sample) -> st.SearchStrategy[dict[str, Any]]:
    """How it is imported."""
    return st.fixed_dictionaries(
        {
            "dataset": st.sampled_from([sample.dataset] * 6 + ["", HERE, FRESH]),
            "skip_bad": st.booleans(),
            "label": st.sampled_from(["", "", "", "a label"]),
        }
    )
