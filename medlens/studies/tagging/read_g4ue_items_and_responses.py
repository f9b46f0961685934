"""The items of the G4UE study: ``g4ue-items`` (JSON lines) and ``g4ue-responses`` (CSV).

Formats as published with Roy et al. 2024, "Beyond Accuracy" (arXiv:2404.13307): 300 items as the
annotation platform read them, and the 919 responses from which they were drawn.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple, cast

from medlens.studies.tagging.option_list_and_chosen_option_parsing import (
    key_of_correct_option,
    keys_of_chosen_options,
    parse_options_and_following_text,
)
from medlens.studies.tagging.records import ResponseItem
from medlens.studies.tagging.text_repair_with_offsets import (
    plain_text_of_html,
    repair_encoding,
    tidy_line_ends,
)
from medlens.tables import Column, Loaded, Row, RowError, Source, load_parsed_and_refused_rows
from medlens.tables.check_rows_and_list_refused import pause_garbage_collector

_HEADING = re.compile(r"<strong>([^<>]{1,80})</strong>([ \t]*:)?", re.IGNORECASE)
Part = Literal["question", "options", "correct", "response"]

_USUAL = (
    "<strong>USMLE question:</strong>",
    "<strong>Options:</strong>",
    "<strong>Correct Answer:</strong>",
    "<strong>GPT-4 Response:</strong>",
)


ITEMS = (
    Column("id", "name", "the item's name", needed=True),
    Column("text", "text", "HTML: question, options, correct answer, response", needed=True),
    Column("serial_num", "whole", "the question's number in the study"),
)
RESPONSES = (
    Column("serial_num", "whole", "the question's number; the item is named by it", needed=True),
    Column("question", "text", "the question", needed=True),
    Column("options", "object", "the options by letter, as Python or JSON", needed=True),
    Column("answer_idx", "name", "the letter of the correct option", needed=True),
    Column("gpt4_response", "text", "the response", needed=True),
    Column("meta_info", "name", "where the question comes from, such as step1"),
)


_AT_ONCE = 4_096
"""Responses in which words are looked for at once."""


@dataclass(frozen=True, slots=True)
class NamedItem:
    """An item with its name in the file, and the line where it begins there."""

    name: str
    line: int
    item: ResponseItem


class Sections(NamedTuple):
    """The parts of one item's HTML; ``response_at`` is where the response begins in it."""

    question: str
    options: str
    correct: str
    response: str
    response_at: int
    model: str


def read_items(source: Source, **how: Any) -> Loaded[NamedItem]:
    """Items of ``g4ue-items``: ``id``, ``serial_num`` and ``text`` (HTML, one text or its parts).

    The response is plain text, repaired and stripped; spans are offsets into it. ``how``: as for
    ``load``. Raises ``BadFile``.
    """
    once = _Once()

    def parse(row: Row) -> None:
        sections = parse_four_headed_sections_of_html(_html(row.values["text"]))
        number = parse_serial_number(row.values.get("serial_num"))
        item_name = read_item_name(row.values["id"])
        parts = _parts_of_sections(sections, serial_num=number)
        once.add(item_name, row.line, parts, "id")

    loaded: Loaded[None] = load_parsed_and_refused_rows(source, parse, columns=ITEMS, **how)
    return once.loaded_items_with_remarks(loaded)


def read_responses(source: Source, **how: Any) -> Loaded[NamedItem]:
    """Items of ``g4ue-responses``: plain text in columns, each item named ``serial<number>``.

    ``how``: as for ``load``. Raises ``BadFile``.
    """
    once = _Once()

    def parse(row: Row) -> None:
        values = row.values
        number = parse_serial_number(values["serial_num"])
        if number is None:
            raise RowError("serial_num", "a whole number")
        options, rest = parse_options_and_following_text(values["options"], tidy_line_ends)
        if rest.strip():
            raise RowError("options", "nothing after the options", rest)
        parts = _parts(
            question=repair_encoding(tidy_line_ends(_text(values, "question"))).strip(),
            options=options,
            correct=key_of_correct_option(
                tidy_line_ends(_text(values, "answer_idx")), options, "answer_idx"
            ),
            response=repair_encoding(tidy_line_ends(_text(values, "gpt4_response"))).strip(),
            serial_num=number,
            meta_info=tidy_line_ends(str(values.get("meta_info") or "")).strip(),
            model="GPT-4",
            column="gpt4_response",
        )
        once.add(f"serial{number}", row.line, parts, "serial_num")

    loaded: Loaded[None] = load_parsed_and_refused_rows(source, parse, columns=RESPONSES, **how)
    return once.loaded_items_with_remarks(loaded)


def parse_four_headed_sections_of_html(html: str) -> Sections:
    """Find the four headed parts of an item's HTML. Raises ``RowError`` for a missing heading."""
    usual = _usual_sections(html)
    if usual:
        return usual
    places = _headings(html)
    for wanted in ("question", "options", "correct", "response"):
        if wanted not in places:
            raise RowError("text", f"a <strong> heading for the {wanted}", html)
    ordered = sorted(places.items(), key=lambda entry: entry[1])
    ends = [begin for _, (begin, _, _) in ordered[1:]] + [len(html)]
    parts = {
        part: html[at:end].removesuffix("<br>")
        for (part, (_, at, _)), end in zip(ordered, ends, strict=True)
    }
    _, at, model = places["response"]
    return Sections(parts["question"], parts["options"], parts["correct"], html[at:], at, model)


def _usual_sections(html: str) -> Sections | None:
    """The parts under the study's usual headings, found in a fraction of the time."""
    at, ends = 0, []
    for heading in _USUAL:
        begin = html.find(heading, at)
        if begin < 0:
            return None
        ends.append(begin)
        at = begin + len(heading)
    if html.count("<strong>", 0, at) != len(_USUAL):
        return None
    question, options, correct = (
        html[begin + len(heading) : end].removesuffix("<br>")
        for heading, begin, end in zip(_USUAL, ends, ends[1:], strict=False)
    )
    return Sections(question, options, correct, html[at:], at, "GPT-4")


# Part -> where its heading begins, where it ends, and the model that the heading names.
_Places = dict[Part, tuple[int, int, str]]


def _headings(html: str) -> _Places:
    places: _Places = {}
    for match in _HEADING.finditer(html):
        heading = match.group(1).strip()
        inside = heading.endswith(":")
        if not (inside or match.group(2)):
            continue
        heading = heading.removesuffix(":").rstrip()
        part = _part(heading.casefold())
        if part and part not in places:
            model = (
                plain_text_of_html(heading)[: -len("response")].strip()
                if part == "response"
                else ""
            )
            end = match.end(1) + len("</strong>") if inside else match.end()
            places[part] = (match.start(), end, model)
            if part == "response":
                break
    return places


def _part(heading: str) -> Part | None:
    if heading.endswith("question"):
        return "question"
    if heading in ("option", "options"):
        return "options"
    if heading == "correct answer":
        return "correct"
    return "response" if heading.endswith("response") else None


def make_item_from_sections(sections: Sections, *, serial_num: int | None = None) -> ResponseItem:
    """The item in ``sections``. Raises ``RowError`` (column ``text``) if it is not one."""
    return _items_of_parts([_parts_of_sections(sections, serial_num=serial_num)])[0]


class _Parts(NamedTuple):
    """What a row says of an item: all of it but the option that its response chooses."""

    question: str
    options: dict[str, str]
    correct: str
    response: str
    serial_num: int | None
    meta_info: str
    model: str


def _contents(parts: _Parts) -> tuple[Any, ...]:
    """It to be compared: the order of the options counts."""
    return (*parts, list(parts.options))


def _parts_of_sections(sections: Sections, *, serial_num: int | None) -> _Parts:
    options, rest = parse_options_and_following_text(sections.options, plain_text_of_html, "text")
    rest = plain_text_of_html(rest).strip()
    if rest and not rest.casefold().startswith("please"):
        raise RowError("text", "only the instruction ('Please explain …') after the options", rest)
    return _parts(
        question=repair_encoding(plain_text_of_html(sections.question)).strip(),
        options=options,
        correct=key_of_correct_option(plain_text_of_html(sections.correct), options, "text"),
        response=repair_encoding(plain_text_of_html(sections.response)).strip(),
        serial_num=serial_num,
        model=sections.model,
        column="text",
    )


def _parts(
    *,
    question: str,
    options: dict[str, str],
    correct: str,
    response: str,
    column: str,
    serial_num: int | None = None,
    meta_info: str = "",
    model: str = "",
) -> _Parts:
    if not question:
        raise RowError(column, "a question", "no text")
    if not response:
        raise RowError(column, "a response", "no text")
    return _Parts(question, options, correct, response, serial_num, meta_info, model)


def _items_of_parts(given: Sequence[_Parts]) -> list[ResponseItem]:
    chosen = keys_of_chosen_options([one.response for one in given], [one.options for one in given])
    # Each made of all its fields at once: half the time of building each part.
    return [
        ResponseItem.model_validate(
            {
                "question": one.question,
                "options": [{"key": key, "text": text} for key, text in one.options.items()],
                "correct": one.correct,
                "chosen": key,
                "response": one.response,
                "serial_num": one.serial_num,
                "meta_info": one.meta_info,
                "model": one.model,
            }
        )
        for one, key in zip(given, chosen, strict=True)
    ]


def read_item_name(value: object) -> str:
    """An item's name; a number is kept as written. Raises ``RowError`` if there is none."""
    name = str(value).strip() if isinstance(value, (str, int)) else ""
    if not name or isinstance(value, bool):
        raise RowError("id", "the item's name", value)
    return name


def _html(value: object) -> str:
    if isinstance(value, str):
        if value.lstrip().startswith("["):
            try:
                value = ast.literal_eval(value.strip())
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                raise RowError("text", "HTML, or a list of its parts", value) from None
        else:
            return value
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "<br>".join(value)
    raise RowError("text", "HTML, or a list of its parts", value)


def _text(values: Mapping[str, Any], column: str) -> str:
    value = values[column]
    if not isinstance(value, str):
        raise RowError(column, "text", value)
    return value


def parse_serial_number(value: object) -> int | None:
    """A whole number of at most 15 digits, which every program reads alike; None if empty.

    Raises:
        RowError: it is something else.
    """
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGEST:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*\d{1,15}(?:\.0)?\s*", value, re.ASCII):
        return int(float(value))
    raise RowError("serial_num", "a whole number of at most 15 digits", value)


_LARGEST = 10**15


@dataclass(slots=True)
class _Read:
    """A row of an item: its parts, then the item itself in their place."""

    name: str
    line: int
    content: _Parts | ResponseItem


class _Once:
    """Lets each name through once: a repeat with the same contents is skipped, others refused."""

    def __init__(self) -> None:
        self.first: dict[str, _Read] = {}
        self.repeated = 0

    def add(self, name: str, line: int, parts: _Parts, column: str) -> None:
        """Add a row.

        Raises:
            RowError: an earlier one of its name has other contents.
        """
        known = self.first.get(name)
        if known is None:
            self.first[name] = _Read(name, line, parts)
        elif _contents(cast(_Parts, known.content)) != _contents(parts):
            what = f"an item that occurs once (line {known.line} has it with different contents)"
            raise RowError(column, what, name)
        else:
            self.repeated += 1

    def loaded_items_with_remarks(self, loaded: Loaded[None]) -> Loaded[NamedItem]:
        """The items of the rows that were added while a file was ``loaded``."""
        records: list[NamedItem] = []
        rows = iter(self.first.values())
        # Not all at once: parts go as items come, so that memory does not hold both.
        with pause_garbage_collector():
            while some := list(islice(rows, _AT_ONCE)):
                made = _items_of_parts([cast(_Parts, one.content) for one in some])
                for one, item in zip(some, made, strict=True):
                    one.content = item
                    records.append(NamedItem(one.name, one.line, item))
        notes = loaded.notes + self._remarks(records)
        return Loaded(loaded.name, tuple(records), loaded.refused, notes)

    def _remarks(self, items: Sequence[NamedItem]) -> tuple[str, ...]:
        """Notes on the items for the person importing."""
        notes = []
        if self.repeated:
            notes.append(f"Items given twice with the same contents, kept once: {self.repeated}.")
        for said, names in (
            (
                "Items whose response seems to choose the correct option, imported all the same;"
                " please check them",
                [one.name for one in items if one.item.chosen == one.item.correct],
            ),
            (
                "Items whose response does not name one option as its answer (it names none, or"
                " several). They are imported and judged like all others, only without a chosen"
                " option",
                [one.name for one in items if one.item.chosen is None],
            ),
        ):
            if names:
                listed = ", ".join(names[:10]) + ", …" * (len(names) > 10)
                notes.append(f"{said}: {len(names):,} ({listed}).")
        return tuple(notes)
