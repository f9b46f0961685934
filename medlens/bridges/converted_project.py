"""What projects of other tools have in common when imported: questions, marks and judgments, and
the study's file written from them.
"""

from __future__ import annotations

import io
import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from xml.parsers import expat

import yaml

from medlens.config.question_forms_and_answer_checks import MOST_LABELS, NO_SPANS, SpanLabel
from medlens.errors import BadFile, BadRow
from medlens.store import stable_id
from medlens.studies.own import study_file
from medlens.studies.own.attached_files import iterate_zip_file_names_and_contents
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file import UNREADABLE
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    table_on_one_toml_line,
    text_as_toml_value,
    title_from_name,
)
from medlens.tables.file_kind_and_lines import shorten_value
from medlens.tables.read_limits import parse_json_value, read_error_in_words

_MARKS, _KIND = "marks", "kind"
_PASSAGE = SpanLabel("passage", "Passage", "what it is is chosen from a list")
HINT = "Take it out of a copy of the project, and export that."
_LARGEST_YAML, _MOST_NODES = 1_000_000, 100_000
_MOST_PLACES = 5
"""Most parts that are left out for one reason and listed by their place."""
_LARGEST_NUMBER = 1e15
_NOTHING_SHOWN = "Items of which reviewers would see nothing, kept"
_LARGEST = 200_000_000
"""Most bytes of a file in a zip."""


@dataclass(frozen=True)
class Shown:
    """A column of the items, and the kind of pane that shows it (empty: none does). ``groups``:
    figures can be shown by its values; ``by_arm``: each arm of a case has its own.
    """

    column: str
    kind: str = "text"
    groups: bool = False
    by_arm: bool = False


@dataclass(frozen=True)
class ProjectQuestion:
    """A question by its ``id``: its kind, its options by the words that results use for them, and
    further lines for the study's file. It is asked about the item, or about each mark
    (``of_span``).
    """

    id: str
    kind: str
    text: str
    options: Mapping[Any, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    of_span: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", words_without_semicolons_by_option(self.options))

    @property
    def lowest_and_highest_number(self) -> tuple[float, float]:
        """The least and the largest number that can be the answer."""
        lines = dict(line.split(" = ", 1) for line in self.lines)
        least, most = lines.get("minimum", "-inf"), lines.get("maximum", "inf")
        return float(least), float(most)


@dataclass
class ProjectConversion:
    """A project of a ``tool`` while it is read: what is shown and asked, then its items one by one,
    with their judgments. ``marked`` is the column whose text is marked with ``labels``;
    ``left_out`` counts what is reported to the lead, and ``places`` names the first of these, where
    they have a place. If there are ``arms``, each item is about one.
    """

    tool: str
    title: str
    instructions: str
    shown: Sequence[Shown]
    asked: Sequence[ProjectQuestion]
    marked: str = ""
    labels: Sequence[SpanLabel] = ()
    arms: Sequence[str] = ()
    items: list[dict[str, Any]] = field(default_factory=list)
    judgments: list[dict[str, Any]] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[str]] = field(default_factory=dict)
    _cells: dict[str, dict[str, Any]] = field(default_factory=dict)
    _times: Counter[str] = field(default_factory=Counter)

    def count_left_out_part(self, fault: Unfit) -> None:
        """Count a part of a record that is left out, and keep its place for the lead."""
        what = f"{fault.what}, left out"
        self.left_out[what] += 1
        places = self.places.setdefault(what, [])
        if len(places) < _MOST_PLACES and fault.where not in places:
            places.append(fault.where)

    @contextmanager
    def leave_out_faulty_part_within(self) -> Iterator[None]:
        """Leaves out what does not fit: one fault does not refuse a project."""
        try:
            yield
        except Unfit as fault:
            self.count_left_out_part(fault)

    def read_objects_of_list(self, value: Any, what: str, where: str) -> list[dict[str, Any]]:
        """The objects of a list; anything else in it, or in its place, is left out."""
        if value is None:
            return []
        held = value if isinstance(value, list) else [value]
        found = []
        for part in held:
            if isinstance(part, dict):
                found.append(part)
            elif part is not None:
                self.count_left_out_part(
                    Unfit(
                        f"{what} that cannot be read", f"{where}: {quote_value_for_message(part)}"
                    )
                )
        return found

    def add_item_and_return_name(self, name: str, cells: Mapping[str, Any]) -> str:
        """Add an item; returns its name, which is another if the name stands for another item."""
        again, given, cells = 1, name, dict(cells)
        while name in self._cells:
            if self._cells[name] == cells:
                self.left_out["Records that occur twice, taken once"] += 1
                return name
            again += 1
            name = f"{given} ({again})"
        if again > 1:
            what = "Records with the name of another, but not its content, renamed"
            self.left_out[what] += 1
            self.places.setdefault(what, []).append(name)
        self._cells[name] = cells
        self.items.append({"item": name, **cells})
        return name

    def read_chosen_options_as_answer_text(
        self, asked: ProjectQuestion, given: Any, where: str
    ) -> str | None:
        """What was chosen of a question's options, as an answer in a judgment; options that the
        question does not have are left out. None if nothing is left.

        Raises:
            Unfit: one option is asked for, and several were chosen.
        """
        known = []
        for option in given if isinstance(given, list | tuple) else [given]:
            if isinstance(option, str | int | float | bool) and option in asked.options:
                known.append(asked.options[option])
            else:
                place = f"{where}, {asked.text}: {quote_value_for_message(option)}"
                self.count_left_out_part(Unfit("Answers that the question does not offer", place))
        if asked.kind == "single" and len(known) > 1:
            raise Unfit(
                "Several answers where one is asked for",
                f"{where}, {asked.text}: {', '.join(known)}",
            )
        return "; ".join(dict.fromkeys(known)) if known else None

    def read_number_answer(self, asked: ProjectQuestion, given: Any, where: str) -> int | float:
        """A number that was given, or a point of a scale.

        Raises:
            Unfit: it is none, or not one that can be the answer.
        """
        place = f"{where}, {asked.text}: {quote_value_for_message(given)}"
        number = parse_finite_number(given)
        if number is None or (asked.kind == "scale" and not isinstance(number, int)):
            raise Unfit("Answers that are not the number asked for", place)
        least, most = asked.lowest_and_highest_number
        if not least <= number <= most:
            raise Unfit("Numbers out of range", f"{place}, not from {least:g} to {most:g}")
        return number

    def add_judgment(
        self,
        item: str,
        rater: str,
        answers: Mapping[str, Any],
        marks: Sequence[dict[str, Any]] = (),
        *,
        where: str,
        model: bool = False,
        judged_at: str = "",
    ) -> None:
        """Add a judgment; ``where`` tells it from others. ``judged_at`` is a moment as ISO 8601 has
        it, if it is known.
        """
        self._times[where] += 1
        own = where if self._times[where] == 1 else f"{where} ({self._times[where]})"
        if self._listed:
            marks = [self._with_label(one) for one in marks]
        self.judgments.append(
            {
                "judgment_id": stable_id(self.tool, self.title, own),
                "item": item,
                "rater": rater,
                "rater_kind": "model" if model else "person",
            }
            | ({"judged_at": judged_at} if judged_at else {})
            | {name: answer for name, answer in answers.items() if answer is not None}
            | (
                {_MARKS: json.dumps(self._merged(marks, where), ensure_ascii=False)}
                if self.marked
                else {}
            )
        )

    def _merged(self, marks: Sequence[dict[str, Any]], where: str) -> list[dict[str, Any]]:
        """Marks in order; those on the same words become one with all their labels."""
        found: dict[tuple[int, int], dict[str, Any]] = {}
        for one in sorted(marks, key=lambda mark: (mark["start"], mark["end"])):
            there = found.setdefault((one["start"], one["end"]), one)
            for name, answer in one["answers"].items():
                if there["answers"].setdefault(name, answer) != answer:
                    place = f"{where}: {quote_value_for_message(one['quote'])}"
                    self.count_left_out_part(
                        Unfit("Second answers to marks on the same words", place)
                    )
            there["labels"] = list(dict.fromkeys([*there["labels"], *one["labels"]]))
        return list(found.values())

    @property
    def _listed(self) -> bool:
        """Whether there are too many labels to show; then each mark's label is chosen from a
        list.
        """
        return len(self.labels) > MOST_LABELS

    @property
    def _label_names(self) -> dict[str, str]:
        """The labels' names by id, as a study can have them."""
        names = words_without_semicolons_by_option({one.id: one.name for one in self.labels})
        found: dict[str, str] = {}
        for label, name in names.items():
            # Labels that differ in case alone are two in other tools.
            taken, again, called = {other.casefold() for other in found.values()}, 1, name
            while called.casefold() in taken:
                again += 1
                called = f"{name} ({again})"
            found[label] = called
        return found

    def _with_label(self, mark: dict[str, Any]) -> dict[str, Any]:
        names = self._label_names
        if len(mark["labels"]) > 1:
            what = f"Marks with several of more than {MOST_LABELS} labels, of which one is kept"
            self.left_out[what] += 1
        answers = {_KIND: names[mark["labels"][0]], **mark["answers"]}
        return {**mark, "labels": [_PASSAGE.id], "answers": answers}

    def make_converted_study(self) -> Converted:
        """The project as a study.

        Raises:
            BadFile: MedLens cannot have such a study.
        """
        times = Counter[tuple[str, str]]()
        for one in self.judgments:
            both = (one["item"], one["rater"])
            times[both] += 1
            one["revision"] = times[both]
        again = sum(many > 1 for many in times.values())
        if again:
            self.left_out["Items judged again by the same rater: the last judgment is kept"] = again
        self._require_a_text_to_mark()
        if not self.asked and not self.marked:
            places = [what for what, many in self.left_out.items() if many]
            raise make_unfit_project_error(
                f"This project of {self.tool} asks nothing that MedLens can ask"
                f"{f' ({places[0]})' if places else ''}.",
                f"Choose one in which {self.tool} asks for options, numbers, words or marks.",
            )
        study = self._written()
        try:
            study_file.parse_study_file(study)
        except BadFile as error:
            # Nobody wrote this file, and nobody could correct its lines.
            why = "; ".join(dict.fromkeys(_without_file(row) for row in error.rows)) or str(error)
            raise make_unfit_project_error(
                f"MedLens cannot make a study of this project of {self.tool}: {why}.",
                f"Change that in {self.tool}, or in a copy of the project, and export it again.",
            ) from error
        self._tell_of_empty_texts()
        self._tell_of_semicolons()
        notes = tuple(self._note(what, many) for what, many in self.left_out.items() if what)
        return Converted(study, self.items, self.judgments, notes)

    def _tell_of_empty_texts(self) -> None:
        """Count the items of which reviewers would see nothing."""
        shown = [one.column for one in self.shown if one.kind]
        for row in self.items:
            if shown and not any(row.get(column) for column in shown):
                self.left_out[_NOTHING_SHOWN] += 1
                places = self.places.setdefault(_NOTHING_SHOWN, [])
                if len(places) < _MOST_PLACES:
                    places.append(row["item"])

    def _tell_of_semicolons(self) -> None:
        """Count the options and labels whose semicolons are commas here."""
        given = [label.name for label in self.labels]
        given += [str(option) for asked in self.asked for option in asked.options]
        if many := sum(";" in words for words in given):
            self.left_out["Options and labels whose semicolons are commas here"] = many

    def _require_a_text_to_mark(self) -> None:
        """Leave out items in whose text nothing can be marked, with what was said of them.

        Raises:
            BadFile: there are no labels, or no item with a text.
        """
        if not self.marked:
            return
        if not self.labels:
            raise make_unfit_project_error(
                f"This project of {self.tool} marks passages, and has no label for them."
            )
        empty = [row["item"] for row in self.items if not row.get(self.marked)]
        for name in empty:
            self.count_left_out_part(
                Unfit(f"Items without {self.marked!r}, in which passages are marked", name)
            )
        kept = {row["item"] for row in self.items} - {*empty}
        if not kept:
            raise make_unfit_project_error(
                f"No item has {self.marked!r}, in which passages are marked."
            )
        self.items = [row for row in self.items if row["item"] in kept]
        self.judgments = [row for row in self.judgments if row["item"] in kept]

    def _note(self, what: str, many: int) -> str:
        places = self.places.get(what, [])
        if not places:
            return f"{what}: {many:,}."
        more = ", …" if many > len(places) else ""
        return f"{what}: {many:,} ({'; '.join(places)}{more})."

    def _written(self) -> str:
        empty = {one for row in self.items for one in row if not row[one]}
        out = [
            f"id = {text_as_toml_value(make_id_from_name(self.title))}",
            f"title = {text_as_toml_value(self.title)}",
            f"source = {text_as_toml_value(f'A project of {self.tool}')}",
            "gold_share = 0",
            *(['show_arms = "apart"'] if self.arms else []),
            "instructions = "
            + text_as_toml_value(self.instructions or "Read the item, then answer."),
        ]
        for arm in self.arms:
            out += ["", "[[arm]]", f"name = {text_as_toml_value(arm)}"]
        for one in self.shown:
            out += ["", "[[column]]", f"name = {text_as_toml_value(one.column)}"]
            out += [f"means = {text_as_toml_value(one.column)}"]
            out += ["required = false"] if one.column in empty else []
            out += ["groups = true"] if one.groups else []
            out += ["by_arm = true"] if one.by_arm else []
            if one.kind:
                out += [
                    "",
                    "[[pane]]",
                    f"title = {text_as_toml_value(title_from_name(one.column))}",
                ]
                out += [
                    f"kind = {text_as_toml_value(one.kind)}",
                    f"column = {text_as_toml_value(one.column)}",
                ]
        if self.marked:
            called = self._label_names
            names = [*called.values()]
            kept = [_PASSAGE] if self._listed else self.labels
            labels = [
                {"id": o.id, "name": called.get(o.id, o.name), "means": o.means or o.name}
                for o in kept
            ]
            out += ["", "[[question]]", f"id = {text_as_toml_value(_MARKS)}", 'kind = "spans"']
            out += ['text = "Mark the passages."', f"column = {text_as_toml_value(self.marked)}"]
            out += [f"labels = [{', '.join(map(table_on_one_toml_line, labels))}]"]
            of_span: list[dict[str, Any]] = [
                *([{"id": _KIND, "text": "Which is it?", "options": names}] if self._listed else [])
            ]
            of_span += [
                {"id": o.id, "text": o.text}
                | ({"options": list(o.options.values())} if o.options else {})
                for o in self.asked
                if o.of_span
            ]
            out += (
                [f"of_span = [{', '.join(map(table_on_one_toml_line, of_span))}]"]
                if of_span
                else []
            )
        for asked in self.asked:
            if asked.of_span:
                continue
            out += [
                "",
                "[[question]]",
                f"id = {text_as_toml_value(asked.id)}",
                f"kind = {text_as_toml_value(asked.kind)}",
            ]
            out += [f"text = {text_as_toml_value(asked.text)}", *asked.lines]
            if asked.options:
                options = json.dumps(list(asked.options.values()), ensure_ascii=False)
                out += [f"options = {options}"]
            # An answer somebody left out cannot be required afterwards.
            whole = bool(self.judgments) and all(asked.id in row for row in self.judgments)
            out += ["required = true"] if whole else []
        return "\n".join(out) + "\n"


class Unfit(Exception):
    """A part of a record that a study cannot hold: ``what`` of them to count, as the beginning of a
    sentence, and ``where`` this one is. It is left out, listed and counted.
    """

    def __init__(self, what: str, where: str) -> None:
        super().__init__(what, where)
        self.what, self.where = what, where


def quote_value_for_message(value: Any) -> str:
    """A value in a message: on one line, short, as its file writes it."""
    return f"“{shorten_value(value)}”"


def parse_json_lines_and_list_unfit(
    text: str, where: str
) -> tuple[list[tuple[int, Any]], list[Unfit]]:
    """The values of JSON lines, each with its number, and the lines that cannot be read."""
    found: list[tuple[int, Any]] = []
    broken: list[Unfit] = []
    for at, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append((at, parse_json_value(line)))
        except ValueError as error:
            why = f"{where}, line {at:,}: {read_error_in_words(error)}"
            broken.append(Unfit("Lines that cannot be read", why))
    return found, broken


def parse_finite_number(value: Any) -> int | float | None:
    """A finite number, also one that stands in a text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(number) or abs(number) > _LARGEST_NUMBER:
        return None
    return int(number) if number.is_integer() else number


def words_without_semicolons_by_option(options: Mapping[Any, str]) -> dict[Any, str]:
    """Options as words that a file of judgments can hold, which separates several by semicolons;
    each is another one.
    """
    found: dict[Any, str] = {}
    for key, words in options.items():
        plain = " ".join(UNREADABLE.sub(" ", str(words)).replace(";", ",").split()) or "(empty)"
        plain = f"{plain}, as a label" if plain == NO_SPANS else plain
        word, again = plain, 1
        while word in found.values():
            again += 1
            word = f"{plain} ({again})"
        found[key] = word
    return found


def parse_moment_as_iso(value: Any) -> str:
    """A moment as ISO 8601 has it, with its zone (without one: UTC); empty for anything else."""
    if not isinstance(value, str):
        return ""
    try:
        moment = datetime.fromisoformat(value.strip())
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).isoformat()
    except (ValueError, OverflowError):
        return ""


def _without_file(row: BadRow) -> str:
    column = f"{row.column}: " if row.column else ""
    got = f", not {quote_value_for_message(row.got)}" if row.got else ""
    return f"{column}it needs {row.expected}{got}"


def make_unfit_project_error(said: str, hint: str = HINT) -> BadFile:
    """The error for a project that a study cannot hold."""
    return BadFile(said, hint=hint)


def file_contents_by_name_in_project_zip(packed: bytes, *endings: str) -> dict[str, bytes]:
    """The files of a project's zip with one of these endings.

    Raises:
        BadFile, InvalidInput: it is not a zip, is damaged or unpacks to too much.
    """
    found = dict(
        iterate_zip_file_names_and_contents(
            "The zip", io.BytesIO(packed), wanted=endings, largest=_LARGEST
        )
    )
    if large := next((name for name, content in found.items() if len(content) > _LARGEST), ""):
        raise make_unfit_project_error(f"{large} is larger than {_LARGEST // 1_000_000} MB.")
    return found


_MOST_COLUMNS, _MOST_GROUPS, _LONGEST_GROUP = 50, 12, 80


def hidden_column_by_field_name(
    cells: Mapping[str, Sequence[str]], taken: Collection[str]
) -> dict[str, Shown]:
    """The items' other fields, by name, as columns that no pane shows, renamed if the name is
    ``taken``; figures are shown by those with few values.
    """
    found: dict[str, Shown] = {}
    for name, values in [*cells.items()][:_MOST_COLUMNS]:
        column = " ".join(UNREADABLE.sub(" ", name).split()) or "more"
        while column in {*taken, "item", "dataset", "illustrative", "arm", "arms", "case"} or (
            column in {one.column for one in found.values()}
        ):
            column += "_"
        several = 1 < len(set(values)) <= _MOST_GROUPS
        groups = several and max(map(len, values)) <= _LONGEST_GROUP
        found[name] = Shown(column, "", groups=groups)
    return found


def parse_yaml(content: bytes) -> Any:
    """The content of a YAML file. Aliases (``*name``) can stand for a lot, and a few nested ones
    for more than any machine can hold.

    Raises:
        ValueError: it cannot be read, or is too large; says why in plain words.
    """
    if len(content) > _LARGEST_YAML:
        raise ValueError("it is larger than 1 MB")
    try:
        return _yaml_value(content)
    except _TooMuch as error:
        raise ValueError(str(error)) from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" at line {mark.line + 1:,}, column {mark.column + 1:,}" if mark else ""
        raise ValueError(f"it is not valid YAML{place}") from error
    except (yaml.YAMLError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise ValueError("it holds characters or values that YAML does not have") from error


class _TooMuch(Exception):
    pass


def _yaml_value(content: bytes) -> Any:
    loader = yaml.SafeLoader(content)
    node = loader.get_single_node()
    sizes: dict[int, int] = {}

    def size_of(node: yaml.Node) -> int:
        if id(node) not in sizes:
            # A node that contains itself finds this value for itself.
            sizes[id(node)] = _MOST_NODES
            held = node.value if isinstance(node, yaml.CollectionNode) else []
            parts = [o for one in held for o in (one if isinstance(one, tuple) else (one,))]
            sizes[id(node)] = min(1 + sum(map(size_of, parts)), _MOST_NODES)
        return sizes[id(node)]

    if node is not None and size_of(node) >= _MOST_NODES:
        raise _TooMuch("its aliases (*name) stand for too much")
    return loader.construct_document(node) if node is not None else None


class XmlReader:
    """Reads XML, tag by tag; refuses a document type, and so every entity. Errors name ``what`` it
    reads.
    """

    def __init__(self, what: str, hint: str = HINT) -> None:
        self._what, self._hint = what, hint
        self.parser = expat.ParserCreate()
        self.parser.StartDoctypeDeclHandler = self._refuse

    def _refuse(self, *_: Any) -> None:
        raise make_unfit_project_error(f"{self._what} declares a document type, which is not read.")

    def feed_bytes_to_handlers(self, content: bytes) -> None:
        """Read it all.

        Raises:
            BadFile: it is not XML, or has a document type.
        """
        try:
            self.parser.Parse(content, True)
        except (expat.ExpatError, ValueError, LookupError) as error:
            raise make_unfit_project_error(
                f"{self._what} cannot be read as XML: {error}.", self._hint
            ) from error


# -- marks -----------------------------------------------------------------------------------------


def make_mark_at_code_points(
    text: str, start: int, end: int, labels: Sequence[str], where: str
) -> dict[str, Any]:
    """A mark on a text, in code points, moved to the text that an item keeps.

    Raises:
        Unfit: none of its text is kept.
    """
    # An item's text is stored without surrounding blanks, and with uniform line endings.
    kept = normalise_line_ends(text).strip()
    lead = len(text) - len(text.lstrip())
    start, end = (
        len(normalise_line_ends(text[lead:at])) if at > lead else 0 for at in (start, end)
    )
    end = min(end, len(kept))
    if start >= end:
        raise Unfit("Marks on nothing but blanks around the text", where)
    return {
        "start": start,
        "end": end,
        "quote": kept[start:end],
        "labels": list(labels),
        "comment": "",
        "answers": {},
    }


def code_point_position_of_utf16_position(text: str, units: int) -> int:
    """UTF-16 units from the start of a text, as code points; -``len(text)`` - 1 if they end inside
    a character.
    """
    part = text.encode("utf-16-le", "surrogatepass")[: 2 * units] if units >= 0 else b"\0"
    try:
        return len(part.decode("utf-16-le"))
    except UnicodeDecodeError:
        return -len(text) - 1


def normalise_line_ends(text: str) -> str:
    """A text whose lines all end in LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
