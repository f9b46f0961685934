"""Edits a TOML file field by field and table by table; everything else stays as written, with its
comments and order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from medlens.config.toml_file import (
    Statement,
    comment_after_field,
    format_value_on_one_toml_line,
    split_toml_into_statements,
)


@dataclass
class Part:
    """The text of one ``[[name]]`` table, from the comment above it up to the next one's. The lines
    before the first table have no name. ``head`` is where its header begins, ``inner`` where the
    header ends.
    """

    name: str
    start: int
    head: int
    inner: int
    end: int
    fields: dict[str, Statement] = field(default_factory=dict)


def split_toml_into_parts(text: str) -> list[Part]:
    """The parts of a valid TOML text, in order; the first has no name."""
    found = [Part("", 0, 0, 0, 0)]
    above: int | None = None
    for one in split_toml_into_statements(text):
        last = found[-1]
        inside = one.header and one.name.split(".")[0] == last.name and "." in one.name
        if one.header and not inside:
            start = one.start if above is None else above
            last.end = start
            found.append(Part(one.name, start, one.start, one.end, one.end))
        elif one.name and not one.header:
            last.fields.setdefault(one.name, one)
        # A comment belongs to the header directly below it.
        comment = not one.name and text[one.start : one.end].strip()
        above = (one.start if above is None else above) if comment else None
        found[-1].end = one.end
    return found


def toml_parts_named(text: str, name: str) -> list[Part]:
    """The parts with that name, in order."""
    return [one for one in split_toml_into_parts(text) if one.name == name]


def set_field_in_toml(text: str, name: str, at: int, field: str, value: object | None) -> str:
    """The text with one field of part ``at`` (from 0) of that name set, or removed if the value is
    None.
    """
    part = toml_parts_named(text, name)[at]
    there = part.fields.get(field)
    if value is None:
        return text[: there.start] + text[there.end :] if there else text
    line = f"{field} = {format_value_as_toml(value)}"
    if there:
        return f"{text[: there.start]}{line}{comment_after_field(text, there)}\n{text[there.end :]}"
    after = max((one.end for one in part.fields.values()), default=part.inner)
    gap = "" if not after or text[after - 1] == "\n" else "\n"
    return f"{text[:after]}{gap}{line}\n{text[after:]}"


def add_part_to_toml(text: str, name: str, fields: Mapping[str, object]) -> str:
    """The text with one more part, after the others of that name."""
    lines = [
        f"[[{name}]]",
        *(f"{one} = {format_value_as_toml(value)}" for one, value in fields.items()),
    ]
    return _put(text, _end_of(text, name), "\n".join(lines))


def remove_part_from_toml(text: str, name: str, at: int) -> str:
    """The text without one part of that name."""
    part = toml_parts_named(text, name)[at]
    return _joined(text[: part.start], text[part.end :])


def move_part_in_toml(text: str, name: str, at: int, by: int) -> str:
    """The text with a part moved ``by`` so many places among those of its name."""
    of = toml_parts_named(text, name)
    to = at + by
    if not 0 <= to < len(of) or not by:
        return text
    own = text[of[at].start : of[at].end]
    rest = _joined(text[: of[at].start], text[of[at].end :])
    left = toml_parts_named(rest, name)
    return _put(rest, left[to].start if to < len(left) else left[-1].end, own)


def insert_changed_part_copy_in_toml(
    text: str, name: str, at: int, change: Mapping[str, object]
) -> str:
    """The text with a copy of a part right after it, in which some fields are changed."""
    part = toml_parts_named(text, name)[at]
    text = _put(text, part.end, text[part.head : part.end])
    for one, value in change.items():
        text = set_field_in_toml(text, name, at + 1, one, value)
    return text


def format_value_as_toml(value: object) -> str:
    """The TOML for a field's value; multi-line texts, and tables in a list, go on lines of their
    own.
    """
    if isinstance(value, str) and "\n" in value:
        lines = (
            format_value_on_one_toml_line(line)[1:-1].replace('\\"', '"')
            for line in value.split("\n")
        )
        # Three quotation marks in a row would end the text, and so would one right before its end.
        inner = "\n".join(lines).replace('"""', '""\\"')
        inner = inner[:-1] + '\\"' if inner.endswith('"') else inner
        return f'"""\n{inner}"""'
    if isinstance(value, Sequence) and not isinstance(value, str) and value:
        if isinstance(value[0], Mapping):
            return (
                "[\n" + "".join(f"  {format_value_on_one_toml_line(one)},\n" for one in value) + "]"
            )
        return format_value_on_one_toml_line(list(value))
    return format_value_on_one_toml_line(value)


def _end_of(text: str, name: str) -> int:
    return max((one.end for one in toml_parts_named(text, name)), default=len(text))


def _put(text: str, at: int, lines: str) -> str:
    before, after = text[:at].rstrip("\n"), text[at:].lstrip("\n")
    return f"{before}\n\n{lines.strip(chr(10))}\n" + (f"\n{after}" if after else "")


def _joined(before: str, after: str) -> str:
    before, after = before.rstrip("\n"), after.lstrip("\n")
    return "\n\n".join(one for one in (before, after) if one).rstrip("\n") + "\n"
