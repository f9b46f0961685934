"""The items of the G4UE study: ``g4ue-items`` (JSON lines) and ``g4ue-responses`` (CSV).

Formats as published with Roy et al. 2024, "Beyond Accuracy" (arXiv:2404.13307): 300 items as the
annotation platform read them, and the 919 responses from which they were drawn.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal, NamedTuple

from medlens.studies.tagging.option_list_and_chosen_option_parsing import (
    key_of_chosen_option,
    key_of_correct_option,
    keys_of_chosen_options,
    parse_options_and_following_text,
)
from medlens.studies.tagging.records import ItemAsRead, ResponseItem
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


class ItemsAsRead(NamedTuple):
    """The items of a file by name, in its order, and what reading it told.

    Which option a response chooses takes long to say: it is said of items, in this order, when they
    are asked for, so that some are stored meanwhile. ``notes_in_words`` says it of all.
    """

    loaded: Loaded[None]
    once: _Once

    @property
    def by_name(self) -> Mapping[str, ItemAsRead]:
        """The items."""
        return self.once.first

    def notes_in_words(self) -> tuple[str, ...]:
        """Notes for the person importing the file."""
        return self.loaded.notes + self.once.remarks_in_words()

    def to_loaded_items(self) -> Loaded[NamedItem]:
        """All of them, made, with the notes."""
        with pause_garbage_collector():
            records = tuple(
                NamedItem(name, self.once.lines[name], item.to_item())
                for name, item in self.once.first.items()
            )
        return Loaded(self.loaded.name, records, self.loaded.refused, self.notes_in_words())


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
    return read_items_to_be_stored(source, **how).to_loaded_items()


def read_items_to_be_stored(source: Source, **how: Any) -> ItemsAsRead:
    """As ``read_items``, without making them."""
    once = _Once()

    def parse(row: Row) -> None:
        sections = parse_four_headed_sections_of_html(_html(row.values["text"]))
        number = parse_serial_number(row.values.get("serial_num"))
        item_name = read_item_name(row.values["id"])
        item = _item_of_sections(sections, serial_num=number)
        once.add(item_name, row.line, item, "id")

    return ItemsAsRead(load_parsed_and_refused_rows(source, parse, columns=ITEMS, **how), once)


def read_responses(source: Source, **how: Any) -> Loaded[NamedItem]:
    """Items of ``g4ue-responses``: plain text in columns, each item named ``serial<number>``.

    ``how``: as for ``load``. Raises ``BadFile``.
    """
    return read_responses_to_be_stored(source, **how).to_loaded_items()


def read_responses_to_be_stored(source: Source, **how: Any) -> ItemsAsRead:
    """As ``read_responses``, without making them."""
    once = _Once()

    def parse(row: Row) -> None:
        values = row.values
        number = parse_serial_number(values["serial_num"])
        if number is None:
            raise RowError("serial_num", "a whole number")
        options, rest = parse_options_and_following_text(values["options"], tidy_line_ends)
        if rest.strip():
            raise RowError("options", "nothing after the options", rest)
        item = _item(
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
        once.add(f"serial{number}", row.line, item, "serial_num")

    return ItemsAsRead(load_parsed_and_refused_rows(source, parse, columns=RESPONSES, **how), once)


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
    before, first, rest = html.partition(_USUAL[0])
    question, second, rest = rest.partition(_USUAL[1])
    options, third, rest = rest.partition(_USUAL[2])
    correct, fourth, response = rest.partition(_USUAL[3])
    if not (first and second and third and fourth):
        return None
    if any("<strong>" in part for part in (before, question, options, correct)):
        return None
    return Sections(
        question.removesuffix("<br>"),
        options.removesuffix("<br>"),
        correct.removesuffix("<br>"),
        response,
        len(html) - len(response),
        "GPT-4",
    )


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
    item = _item_of_sections(sections, serial_num=serial_num)
    item.chosen = key_of_chosen_option(item.response, dict(item.options))
    return item.to_item()


def _item_of_sections(sections: Sections, *, serial_num: int | None) -> ItemAsRead:
    """It without the option that its response chooses."""
    options, rest = parse_options_and_following_text(sections.options, plain_text_of_html, "text")
    rest = plain_text_of_html(rest).strip()
    if rest and not rest.casefold().startswith("please"):
        raise RowError("text", "only the instruction ('Please explain …') after the options", rest)
    return _item(
        question=repair_encoding(plain_text_of_html(sections.question)).strip(),
        options=options,
        correct=key_of_correct_option(plain_text_of_html(sections.correct), options, "text"),
        response=repair_encoding(plain_text_of_html(sections.response)).strip(),
        serial_num=serial_num,
        model=sections.model,
        column="text",
    )


def _item(
    *,
    question: str,
    options: dict[str, str],
    correct: str,
    response: str,
    column: str,
    serial_num: int | None = None,
    meta_info: str = "",
    model: str = "",
) -> ItemAsRead:
    if not question:
        raise RowError(column, "a question", "no text")
    if not response:
        raise RowError(column, "a response", "no text")
    return ItemAsRead(
        question,
        tuple(options.items()),
        correct,
        response,
        serial_num=serial_num,
        meta_info=meta_info,
        model=model,
    )


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


class _Once:
    """Lets each name through once: a repeat with the same contents is skipped, others refused."""

    def __init__(self) -> None:
        self.first: dict[str, ItemAsRead] = {}
        self.lines: dict[str, int] = {}
        self.repeated = 0
        self._incomplete: Iterator[ItemAsRead] | None = None

    def add(self, name: str, line: int, item: ItemAsRead, column: str) -> None:
        """Add a row.

        Raises:
            RowError: an earlier one of its name has other contents.
        """
        known = self.first.get(name)
        if known is None:
            item.complete = self._complete_next_items
            self.first[name] = item
            self.lines[name] = line
        elif known != item:
            before = self.lines[name]
            what = f"an item that occurs once (line {before} has it with different contents)"
            raise RowError(column, what, name)
        else:
            self.repeated += 1

    def _complete_next_items(self) -> bool:
        """Say which options the next responses choose; returns whether there were any."""
        if self._incomplete is None:
            self._incomplete = iter(self.first.values())
        some = list(islice(self._incomplete, _AT_ONCE))
        chosen = keys_of_chosen_options(
            [item.response for item in some], [dict(item.options) for item in some]
        )
        for item, key in zip(some, chosen, strict=True):
            item.chosen, item.complete = key, None
        return bool(some)

    def remarks_in_words(self) -> tuple[str, ...]:
        """Notes on the items for the person importing."""
        while self._complete_next_items():
            pass
        notes = []
        if self.repeated:
            notes.append(f"Items given twice with the same contents, kept once: {self.repeated}.")
        for said, names in (
            (
                "Items whose response seems to choose the correct option, imported all the same;"
                " please check them",
                [name for name, item in self.first.items() if item.chosen == item.correct],
            ),
            (
                "Items whose response does not name one option as its answer (it names none, or"
                " several). They are imported and judged like all others, only without a chosen"
                " option",
                [name for name, item in self.first.items() if item.chosen is None],
            ),
        ):
            if names:
                listed = ", ".join(names[:10]) + ", …" * (len(names) > 10)
                notes.append(f"{said}: {len(names):,} ({listed}).")
        return tuple(notes)
