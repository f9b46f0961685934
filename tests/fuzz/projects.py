"""Projects of other tools, as their own exports have them, and what can go wrong with each file.

A project is the content of its files, in the order of ``bridge_registry.TOOLS``. ``damaged``
changes one of them: inside what is nested (also in a zip's files), or in its text or bytes. The
same seed gives the same damage.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from medlens.bridges import import_from_inspect
from tests.fuzz.mutations import TEXTS, VALUES

Project = tuple[bytes, ...]
_TABLES = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
"""How files of Parquet and Arrow begin."""
_NOT_HELD = (TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
"""What Arrow raises of values that no table can hold."""
_UNPACKABLE = (zipfile.BadZipFile, zlib.error, RuntimeError, ValueError, EOFError, OSError)
"""What a damaged zip raises."""
WRITTEN = Path(__file__).parents[1] / "store"
_JSON = (".json", ".jsonl", ".ndjson")
# What a person reads of a file never shows them; parsers take their time over the longest ones.
# Nor does a file hold a programming language's words of its own, which a message would repeat.
_TEXTS = [text for text in TEXTS if len(text) < 5_000 and text not in ("None", "FALSE", "{'a': 1}")]
_VALUES = [value for value in VALUES if len(str(value)) < 1_000]


def zipped(files: dict[str, bytes]) -> bytes:
    """A zip of these files, by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def unzipped(packed: bytes) -> dict[str, bytes]:
    """The files of a zip, by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as opened:
        return {
            # Inspect's are packed in a way that Python itself does not know yet.
            entry.filename: import_from_inspect._zstandard(packed, entry)
            if entry.compress_type == import_from_inspect._ZSTANDARD
            else opened.read(entry)
            for entry in opened.infolist()
        }


def _folder(path: Path) -> bytes:
    return zipped(
        {
            str(file.relative_to(path)): file.read_bytes()
            for file in sorted(path.rglob("*"))
            if file.is_file()
        }
    )


# -- whole projects --------------------------------------------------------------------------------


@cache
def projects() -> dict[str, list[Project]]:
    """At least twelve valid projects of each tool: those that the tool itself wrote, and parts of
    them.
    """
    return {
        tool: _varied(tool, list(made()))
        for tool, made in (
            ("label-studio", _of_label_studio),
            ("argilla", _of_argilla),
            ("inspect", _of_inspect),
            ("potato", _of_potato),
            ("inception", _of_inception),
            ("healthbench", _of_healthbench),
            ("doccano", _of_doccano),
            ("redcap", _of_redcap),
        )
    }


def _varied(tool: str, written: list[Project]) -> list[Project]:
    """More of them where there are fewer than twelve: the same with fewer or repeated records."""
    found = list(written)
    draw = random.Random(tool)
    while len(found) < 12:
        project = list(draw.choice(written))
        at = len(project) - 1
        project[at] = _with_other_records(project[at], draw)
        found.append(tuple(project))
    return found


def _with_other_records(content: bytes, draw: random.Random) -> bytes:
    if content.startswith(b"PK"):
        files = unzipped(content)
        name = draw.choice(sorted(files))
        return zipped(files | {name: _with_other_records(files[name], draw)})
    try:
        value = json.loads(content)
    except ValueError:
        return content
    held = [value]
    for item in held:
        inner = item.values() if isinstance(item, dict) else item
        held += [each for each in inner if isinstance(each, list | dict)]
    lists = [item for item in held if isinstance(item, list) and len(item) > 1]
    if lists:
        chosen = draw.choice(lists)
        chosen[:] = draw.sample(chosen, draw.randint(1, len(chosen)))
    return json.dumps(value).encode()


def _of_label_studio() -> Iterator[Project]:
    config = (WRITTEN / "label_studio_1_23.xml").read_bytes()
    export = json.loads((WRITTEN / "label_studio_1_23.json").read_bytes())
    yield config, json.dumps(export).encode()
    for tasks in export:
        yield config, json.dumps([tasks]).encode()
    compared = b"""<View><Text name="a" value="$a"/><Text name="b" value="$b"/>
    <Paragraphs name="talk" value="$talk"/><Pairwise name="better" toName="a,b"/>
    <Rating name="stars" toName="a" maxRating="4"/><Number name="years" toName="a" min="0" max="9"/>
    <Choices name="why" toName="a" choice="multiple"><Choice value="Clear"/><Choice value="Short"/>
    </Choices><TextArea name="words" toName="a"/></View>"""
    results = [
        {"from_name": "better", "to_name": "a", "type": "pairwise", "value": {"selected": "left"}},
        {"from_name": "stars", "to_name": "a", "type": "rating", "value": {"rating": 3}},
        {"from_name": "years", "to_name": "a", "type": "number", "value": {"number": 4}},
        {"from_name": "why", "to_name": "a", "type": "choices", "value": {"choices": ["Clear"]}},
        {"from_name": "words", "to_name": "a", "type": "textarea", "value": {"text": ["Well."]}},
    ]
    talk = [{"author": "user", "text": "It hurts."}, {"author": "doctor", "text": "Where?"}]
    tasks = [
        {
            "id": number,
            "data": {"a": "Rest.", "b": "Walk.", "talk": talk, "ward": number},
            "annotations": [
                {
                    "id": number,
                    "completed_by": {"id": 7, "email": "ada@example.org"},
                    "created_at": "2026-03-01T10:00:00.000000Z",
                    "result": results,
                }
            ],
            "predictions": [{"id": 1, "model_version": "m", "result": results[:1]}],
        }
        for number in (1, 2)
    ]
    yield compared, json.dumps(tasks).encode()


def _of_argilla() -> Iterator[Project]:
    for records in ("json", "jsonl", "parquet", "arrow"):
        yield (
            (WRITTEN / "argilla_2_8_0_settings.json").read_bytes(),
            (WRITTEN / f"argilla_2_8_0.{records}").read_bytes(),
        )
    for records in ("jsonl", "arrow"):
        yield (
            (WRITTEN / "argilla_1_29_1_settings.yaml").read_bytes(),
            (WRITTEN / f"argilla_1_29_1.{records}").read_bytes(),
        )


def _of_inspect() -> Iterator[Project]:
    one, other = ((WRITTEN / f"inspect_0_3_285.{form}").read_bytes() for form in ("eval", "json"))
    yield (one,)
    yield (other,)
    yield one, other


def _of_potato() -> Iterator[Project]:
    for project in ("potato_1_2/notes", "potato_2_12/notes", "potato_2_12/pairs"):
        yield (_folder(WRITTEN / project),)


def _of_inception() -> Iterator[Project]:
    from tests.store import test_own_inception as made

    yield (made.TSV.encode(),)
    yield (made.as_json(made.ROSA).encode(),)
    yield (made.as_xmi(made.ROSA, "rosa"),)
    yield (made.project("json"),)
    yield (made.project("xmi"),)


def _of_healthbench() -> Iterator[Project]:
    from tests.store.test_own_healthbench import FIRST, SECOND, label

    answer = {"prompt_id": "p2", "completion": "See a doctor.", "model": "m"}
    labelled = [label("Says so", [True, False], ["a", "b"]), label("Is kind", [True], ["a"])]
    for lines in ([FIRST], [FIRST, SECOND, answer], labelled):
        yield ("\n".join(map(json.dumps, lines)).encode(),)


def _of_redcap() -> Iterator[Project]:
    from tests.store import test_own_redcap as made

    for how in ({"bom": True}, {"separator": ";"}):
        yield (made.dictionary(*made.FORM, **how),)


def _of_doccano() -> Iterator[Project]:
    from tests.store import test_own_doccano as made

    for lines in (made.MARKED, made.WITH_RELATIONS, made.CLASSES, made.REWORDED):
        yield (made.as_lines(lines),)
    yield (zipped({"ada.jsonl": made.as_lines(made.MARKED), "ben.jsonl": b"", "all.jsonl": b""}),)


def words_of(project: Project) -> str:
    """Everything that a project's files say, as text."""
    contents = list(project)
    for content in contents:
        if content.startswith(b"PK"):
            with contextlib.suppress(*_UNPACKABLE):
                contents += unzipped(content).values()
    return "\n".join(content.decode("utf-8", "replace") for content in contents)


# -- damage ----------------------------------------------------------------------------------------


def damaged(tool: str, seed: int) -> Project:
    """A project of a tool with one to three faults in one of its files."""
    draw = random.Random(f"{tool} {seed}")
    files = list(draw.choice(projects()[tool]))
    at = draw.randrange(len(files))
    # Arrow may crash over a damaged table, which no test may read again.
    for _ in range(1 if files[at].startswith(_TABLES) else draw.choice((1, 1, 2, 3))):
        files[at] = _damaged_file(files[at], draw)
    return tuple(files)


def _damaged_file(content: bytes, draw: random.Random) -> bytes:
    if content.startswith(b"PK") and draw.random() < 0.9:
        try:
            files = unzipped(content)
        except _UNPACKABLE:
            return _damaged_bytes(content, draw)
        return zipped(_damaged_member(files, draw)) if files else content
    if draw.random() < 0.75:
        return _damaged_inside(content, draw)
    return _damaged_bytes(content, draw)


def _damaged_member(files: dict[str, bytes], draw: random.Random) -> dict[str, bytes]:
    name = draw.choice(sorted(files))
    how = draw.randrange(12)
    if how == 0:
        return {other: content for other, content in files.items() if other != name}
    if how == 1:
        renamed = draw.choice((f"x/{name}", name.upper(), "x.json", f"{name}.bak"))
        return {renamed if other == name else other: content for other, content in files.items()}
    if how == 2:
        return files | {name: draw.choice(list(files.values()))}
    return files | {name: _damaged_file(files[name], draw)}


def _damaged_inside(content: bytes, draw: random.Random) -> bytes:
    """The same file with something else in it, if it is one whose inside is known."""
    if content.startswith(_TABLES):
        return _damaged_table(content, draw)
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return _damaged_bytes(content, draw)
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _json_of(_damaged_value(json.loads(text), draw))
        except (ValueError, RecursionError):
            pass
        lines = text.split("\n")
        at = draw.randrange(len(lines))
        try:
            lines[at] = _json_of(_damaged_value(json.loads(lines[at]), draw)).decode()
        except (ValueError, RecursionError):
            return _damaged_text(text, draw)
        return "\n".join(lines).encode("utf-8", "surrogatepass")
    if not text.startswith(("<", "#FORMAT")) and ":" in text.split("\n")[0]:
        try:
            value = _damaged_value(yaml.safe_load(text), draw)
            return yaml.safe_dump(value, allow_unicode=True).encode("utf-8", "surrogatepass")
        except (yaml.YAMLError, RecursionError, ValueError):
            pass
    return _damaged_text(text, draw)


def _json_of(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _damaged_table(content: bytes, draw: random.Random) -> bytes:
    buffer = pa.BufferReader(content)
    try:
        if content.startswith(b"PAR1"):
            rows = pq.read_table(buffer).to_pylist()
        elif content.startswith(b"ARROW1"):
            rows = pa.ipc.open_file(buffer).read_all().to_pylist()
        else:
            rows = pa.ipc.open_stream(buffer).read_all().to_pylist()
        table = pa.Table.from_pylist(_damaged_value(rows, draw))
        out = io.BytesIO()
        if content.startswith(b"PAR1"):
            pq.write_table(table, out)
        else:
            with pa.ipc.new_stream(out, table.schema) as stream:
                stream.write_table(table)
        return out.getvalue()
    except (pa.ArrowException, OSError, *_NOT_HELD):
        return _damaged_bytes(content, draw)


_Place = tuple[Any, Any]
"""What holds a value, and its key or position there."""


def _places(value: Any) -> list[_Place]:
    found: list[_Place] = []
    held = [value]
    for item in held:
        if isinstance(item, dict | list):
            keys = list(item) if isinstance(item, dict) else list(range(len(item)))
            found += [(item, key) for key in keys]
            held += [item[key] for key in keys]
    return found


def _damaged_value(value: Any, draw: random.Random) -> Any:
    """What is nested, with one thing in it changed at any depth."""
    value = copy.deepcopy(value)
    places = _places(value)
    if not places or draw.random() < 0.02:
        return draw.choice(_VALUES)
    holder, key = draw.choice(places)
    old = holder[key]

    def rename() -> None:
        if isinstance(holder, dict):
            new = draw.choice([f"{key}2", str(key).upper(), "", " ", f" {key}", "id", "name"])
            holder[new] = holder.pop(key)

    def cross() -> None:
        other, there = draw.choice(places)
        holder[key] = copy.deepcopy(other[there])

    def double() -> None:
        if isinstance(holder, list):
            holder.append(copy.deepcopy(old))
        else:
            holder[f"{key} again"] = copy.deepcopy(old)

    def other_type() -> None:
        if isinstance(old, str):
            holder[key] = draw.choice([[old], {"value": old}, {old: old}, len(old), old == ""])
        elif isinstance(old, list):
            holder[key] = draw.choice([old[:1], {}, json.dumps(old), old[0] if old else None])
        elif isinstance(old, dict):
            holder[key] = draw.choice([[old], list(old), list(old.values()), json.dumps(old)])
        else:
            holder[key] = draw.choice([json.dumps(old), [old], {"value": old}, "x"])

    def put(new: Any) -> Callable[[], None]:
        return lambda: holder.__setitem__(key, copy.deepcopy(new))

    draw.choice(
        [
            lambda: holder.pop(key),
            lambda: holder.pop(key),
            rename,
            cross,
            double,
            other_type,
            other_type,
            put(None),
            put(draw.choice(_VALUES)),
            put(draw.choice(_VALUES)),
            put(draw.choice(_TEXTS)),
            put(draw.choice([-1, 10**6, 0.5, float("nan"), 1e308, 10**30, True])),
        ]
    )()
    return value


def _damaged_text(text: str, draw: random.Random) -> bytes:
    """A text (XML, TSV, CSV, YAML) with a word, a line or a sign changed."""
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    words = [*re.finditer(r"[\w.$]+", text)]

    def replaced(new: str) -> str:
        if not words:
            return new
        word = draw.choice(words)
        return text[: word.start()] + new + text[word.end() :]

    changes: Sequence[Callable[[], str]] = (
        lambda: "\n".join(lines[:at] + lines[at + 1 :]),
        lambda: "\n".join([*lines[: at + 1], *lines[at:]]),
        lambda: "\n".join([*lines[:at], draw.choice(_TEXTS), *lines[at:]]),
        lambda: replaced(""),
        lambda: replaced(draw.choice(_TEXTS)),
        lambda: replaced(draw.choice(words)[0] if words else ""),
        lambda: replaced(draw.choice(["-1", "10000000", "1.5", "NaN", "null", "true", "[1]"])),
        lambda: text.replace(draw.choice('\t,:<>"=-[]'), draw.choice('\t,:<>"=-[]x'), 1),
        lambda: text.replace("\t", " ", draw.randint(1, 5)),
        lambda: text[: draw.randrange(len(text) + 1)],
    )
    return draw.choice(changes)().encode("utf-8", "surrogatepass")


def _damaged_bytes(content: bytes, draw: random.Random) -> bytes:
    at = draw.randrange(len(content) + 1)
    how = draw.randrange(9)
    if how == 0:
        return content[:at]
    if how == 1:
        return content[at:]
    if how == 2:
        return b""
    if how == 3:
        return content[:at] + bytes([draw.randrange(256)]) + content[at + 1 :]
    if how == 4:
        piece = draw.choice(
            [b"\0", b"\xff", b"\xc3", b"\xef\xbb\xbf", b'"', b"\n", b"}", b"]", b"NaN"]
        )
        return content[:at] + piece + content[at:]
    if how == 5:
        return b"\xef\xbb\xbf" + content
    if how == 6:
        return content + content[at:]
    try:
        text = content.decode()
        return text.encode(draw.choice(["utf-16", "utf-16-le", "latin-1", "utf-7", "cp037"]))
    except UnicodeError:
        return content[::-1]
