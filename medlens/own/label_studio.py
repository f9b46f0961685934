"""Label Studio's configuration and JSON export as a study's file, its items and judgments.

Sources: Label Studio's documentation of its tags and of its JSON export (labelstud.io). Versions of
its editor have counted a mark's place in code points and in UTF-16 units; the words that are kept
beside the place tell which.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from medlens.errors import BadFile
from medlens.own import declaration
from medlens.own.drafting import Converted, id_of_words, table_of, text_of, title_of
from medlens.store import id_of

_SHOWN = {"Text": "text", "Paragraphs": "dialogue"}
_MARKS = ("Labels", "ParagraphLabels")
_ASKS = {"Choices", "Rating", "Number", "TextArea", "Pairwise"}
_PASSED_OVER = {"View", "Header", "Style", "Collapse", "Panel", "Label", "Choice", "Filter"}
_SIDES = ("left", "right")
_MOST_DEEP = 50


@dataclass
class _Tag:
    name: str
    given: dict[str, str]
    under: list[_Tag] = field(default_factory=list)

    def walk(self) -> Iterator[_Tag]:
        yield self
        for one in self.under:
            yield from one.walk()


@dataclass(frozen=True)
class _Asked:
    """A question by its ``id``: the tag's name in results, its kind, and its options by the words
    that results have for them."""

    tag: str
    id: str
    kind: str
    text: str
    options: Mapping[str, str]
    of_span: bool
    lines: tuple[str, ...]


def convert(title: str, config: bytes, export: bytes) -> Converted:
    """A project as a study of that title.

    Raises:
        BadFile: one of the files is none of Label Studio's, or holds what MedLens cannot show, ask
            or keep; names it.
    """
    return _Project(title, _parse(config)).read(export)


def _refuse(
    said: str, hint: str = "Take it out of a copy of the project, and export that."
) -> BadFile:
    return BadFile(said, hint=hint)


def _parse(config: bytes) -> _Tag:
    """The tags of a configuration; a document type, and so every entity, is refused."""
    root = _Tag("", {})
    stack = [root]
    parser = expat.ParserCreate()

    def start(name: str, given: dict[str, str]) -> None:
        if len(stack) > _MOST_DEEP:
            raise _refuse(f"The configuration has tags more than {_MOST_DEEP} deep.")
        stack[-1].under.append(_Tag(name, given))
        stack.append(stack[-1].under[-1])

    def doctype(*_: Any) -> None:
        raise _refuse("The configuration declares a document type, which is not read.")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(config, True)
    except (expat.ExpatError, ValueError) as error:
        raise _refuse(
            f"The configuration cannot be read as XML: {error}.",
            "Copy it from the project's Settings, Labeling Interface, Code.",
        ) from error
    return root


class _Project:
    def __init__(self, title: str, root: _Tag) -> None:
        self._title = title
        tags = [one for one in root.walk() if one.name]
        known = {*_SHOWN, *_MARKS, *_ASKS, *_PASSED_OVER}
        if strange := sorted({one.name for one in tags} - known):
            raise _refuse(f"MedLens has nothing for the tags {', '.join(strange)}.")
        self._headers = [one.given.get("value", "") for one in tags if one.name == "Header"]
        self._objects = {one.given.get("name", ""): one for one in tags if one.name in _SHOWN}
        marks = [one for one in tags if one.name in _MARKS]
        if len(marks) > 1:
            raise _refuse("The configuration has two sets of Labels; a study has one text to mark.")
        self._marks = marks[0] if marks else None
        self._labels: dict[str, tuple[str, str]] = {}
        for at, one in enumerate(_under(self._marks, "Label"), 1):
            said = one.given.get("value", "")
            self._labels[one.given.get("alias") or said] = (f"label_{at}", said)
        self._columns = {name: _column(one) for name, one in self._objects.items()}
        self._marked = self._marks.given.get("toName", "") if self._marks else ""
        if self._marks and self._marked not in self._objects:
            raise _refuse(
                f"Labels are for {self._marked!r}, which the configuration does not show."
            )
        self._asked: dict[str, _Asked] = {}
        for one in tags:
            if one.name in _ASKS:
                made = self._question(one, len(self._asked) + 1)
                if not made.tag or made.tag in self._asked:
                    raise _refuse(f"A {one.name} has no name of its own: {made.tag!r}.")
                self._asked[made.tag] = made

    def _question(self, tag: _Tag, at: int) -> _Asked:
        given = tag.given
        name = given.get("name", "")
        of_span = given.get("perRegion", "").casefold() == "true"
        if of_span and (self._marks is None or tag.name not in ("Choices", "TextArea")):
            raise _refuse(f"{name!r} is asked of each region, where MedLens asks Choices and text.")
        if given.get("visibleWhen") and not (of_span and given["visibleWhen"] == "region-selected"):
            raise _refuse(f"{name!r} is shown only sometimes (visibleWhen), which is not read yet.")
        options: dict[str, str] = {}
        lines: list[str] = []
        kind = {"Rating": "scale", "Number": "number", "TextArea": "long_text"}.get(tag.name, "")
        if tag.name == "Choices":
            under = _under(tag, "Choice")
            if any(_under(one, "Choice") for one in under):
                raise _refuse(f"{name!r} has choices within choices, which is not read yet.")
            options = {
                o.given.get("alias") or o.given.get("value", ""): o.given.get("value", "")
                for o in under
            }
            kind = "multiple" if given.get("choice") == "multiple" else "single"
            if of_span and kind == "multiple":
                raise _refuse(f"{name!r} takes several choices of each region; MedLens takes one.")
        elif tag.name == "Pairwise":
            kind = "single"
            sides = given.get("toName", "").split(",")
            if len(sides) != 2 or not set(sides) <= set(self._columns):
                raise _refuse(f"{name!r} compares something else than two texts that are shown.")
            words = [title_of(self._columns[one]) for one in sides]
            options = dict(zip(_SIDES, words, strict=True)) | {"": "Neither is better"}
        elif tag.name == "Rating":
            most = _whole(tag, "maxRating", 5)
            lines = ["minimum = 1", f"maximum = {most}", 'low = "1 star"', f'high = "{most} stars"']
        elif tag.name == "Number":
            lines = [
                f"{ours} = {_whole(tag, theirs, 0)}"
                for ours, theirs in (("minimum", "min"), ("maximum", "max"))
                if theirs in given
            ]
        if options:
            lines = [f"options = {json.dumps(list(options.values()), ensure_ascii=False)}"]
        text = given.get("title") or given.get("placeholder") or title_of(name)
        return _Asked(
            name, f"q{at}_{id_of_words(name)}", kind, text, options, of_span, tuple(lines)
        )

    # -- tasks -------------------------------------------------------------------------------------

    def read(self, export: bytes) -> Converted:
        try:
            tasks = json.loads(export)
        except (ValueError, RecursionError) as error:
            raise _refuse("The export is no JSON.", "Export the project as JSON.") from error
        if not isinstance(tasks, list) or not all(
            isinstance(one, dict) and isinstance(one.get("data"), dict) for one in tasks
        ):
            raise _refuse(
                "The export is no list of tasks with data.", "Export as JSON, not as JSON-MIN."
            )
        items, judgments, told = [], [], Counter[str]()
        for at, task in enumerate(tasks, 1):
            name = f"task-{task.get('id', at)}"
            row: dict[str, Any] = {"item": name}
            texts = {one: self._cell(one, task["data"], name) for one in self._objects}
            row |= {self._columns[one]: cell for one, (cell, _) in texts.items()}
            items.append(row)
            text, starts = texts.get(self._marked, ("", [0]))
            for kind, said in _said(task):
                if said.get("was_cancelled"):
                    told["Annotations that were skipped, left out"] += 1
                    continue
                where = f"{name}, {kind} {said.get('id', '')}"
                answers = self._answers(said.get("result") or [], str(text), starts, where)
                rater = _rater(said.get("completed_by")) if kind == "annotation" else ""
                judgments.append(
                    {
                        "judgment_id": id_of("label-studio", self._title, where),
                        "item": name,
                        "rater": rater or str(said.get("model_version") or "Label Studio model"),
                        "rater_kind": "person" if rater else "model",
                    }
                    | answers
                )
            if lost := sum(not isinstance(one, dict) for one in _predictions(task)):
                told["Predictions that the file names and does not have, left out"] += lost
            if task.get("drafts"):
                told["Tasks with drafts, which are left out"] += 1
        times = Counter[tuple[str, str]]()
        for one in judgments:
            both = (one["item"], one["rater"])
            times[both] += 1
            one["revision"] = times[both]
        if again := sum(many > 1 for many in times.values()):
            told["Tasks annotated again by the same rater, of which the last stands"] = again
        notes = tuple(f"{what}: {many:,}." for what, many in told.items())
        study = self._written(judgments, {one for row in items for one in row if not row[one]})
        declaration.parse(study)
        return Converted(study, items, judgments, notes)

    def _cell(self, name: str, data: Mapping[str, Any], task: str) -> tuple[Any, list[int]]:
        """What stands in a task, and where in it each turn begins."""
        tag, column = self._objects[name], self._columns[name]
        cell = data.get(column)
        if tag.name == "Text":
            if cell is not None and not isinstance(cell, str | int | float):
                raise _refuse(f"{task}: {column!r} holds no text.")
            return "" if cell is None else str(cell), [0]
        who, says = tag.given.get("nameKey", "author"), tag.given.get("textKey", "text")
        if not isinstance(cell, list) or not all(
            isinstance(turn, dict) and isinstance(turn.get(says), str) for turn in cell
        ):
            raise _refuse(f"{task}: {column!r} holds no turns with {says!r}.")
        if name != self._marked:
            return [{"role": str(o.get(who, "")), "content": o[says]} for o in cell], []
        text, starts = "", []
        for turn in cell:
            text += f"{turn.get(who, '')}: "
            starts.append(len(text))
            text += f"{turn[says]}\n\n"
        return text, starts

    def _answers(
        self, results: Sequence[Any], text: str, starts: Sequence[int], where: str
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        marks: dict[str, dict[str, Any]] = {}
        of_span: list[tuple[str, _Asked, Any]] = []
        for one in results:
            value = one.get("value") if isinstance(one, dict) else None
            if not isinstance(value, dict):
                kind = one.get("type") if isinstance(one, dict) else one
                raise _refuse(f"{where}: a result without a value ({kind}), as a relation is.")
            tag = str(one.get("from_name"))
            if self._marks and tag == self._marks.given.get("name"):
                marks[str(one.get("id"))] = self._mark(value, text, starts, where)
            elif (asked := self._asked.get(tag)) is None:
                raise _refuse(f"{where}: a result for {tag!r}, which the configuration lacks.")
            elif asked.of_span:
                of_span.append((str(one.get("id")), asked, _answer(asked, value, where)))
            else:
                found[asked.id] = _answer(asked, value, where)
        for region, asked, said in of_span:
            if region not in marks:
                raise _refuse(f"{where}: an answer to {asked.tag!r} about no marked words.")
            marks[region]["answers"][asked.id] = said
        return found | (
            {"marks": json.dumps(_merged(marks, where), ensure_ascii=False)} if self._marks else {}
        )

    def _mark(
        self, value: Mapping[str, Any], text: str, starts: Sequence[int], where: str
    ) -> dict[str, Any]:
        assert self._marks is not None
        said = value.get("labels") or value.get("paragraphlabels") or []
        if not said or any(one not in self._labels for one in said):
            raise _refuse(f"{where}: a mark without a label of the configuration: {said}.")
        start, end = _place(value, text, starts, self._objects[self._marked].name, where)
        # An item's text is kept without blanks around it, and with lines that end alike.
        kept = _kept(text)
        lead = len(text) - len(text.lstrip())
        start, end = (len(_lines(text[lead:at])) if at > lead else 0 for at in (start, end))
        end = min(end, len(kept))
        if start >= end:
            raise _refuse(f"{where}: a mark on nothing but blanks around the text.")
        return {
            "start": start,
            "end": end,
            "quote": kept[start:end],
            "labels": [self._labels[one][0] for one in said],
            "comment": "",
            "answers": {},
        }

    # -- the study's file --------------------------------------------------------------------------

    def _written(self, judgments: Sequence[Mapping[str, Any]], empty: set[str]) -> str:
        told = "\n".join(one for one in self._headers if one) or "Read the item, then answer."
        out = [
            f"id = {text_of(id_of_words(self._title))}",
            f"title = {text_of(self._title)}",
            'source = "A project of Label Studio"',
            "gold_share = 0",
            f"instructions = {text_of(told)}",
        ]
        for name, column in self._columns.items():
            kind = "text" if name == self._marked else _SHOWN[self._objects[name].name]
            out += ["", "[[column]]", f"name = {text_of(column)}", f"means = {text_of(column)}"]
            out += ["required = false"] if column in empty else []
            out += ["", "[[pane]]", f"title = {text_of(title_of(column))}"]
            out += [f"kind = {text_of(kind)}", f"column = {text_of(column)}"]
        if self._marks:
            labels = [{"id": i, "name": n, "means": n} for i, n in self._labels.values()]
            out += ["", "[[question]]", 'id = "marks"', 'kind = "spans"']
            out += [
                'text = "Mark the passages."',
                f"column = {text_of(self._columns[self._marked])}",
            ]
            out += [f"labels = [{', '.join(map(table_of, labels))}]"]
            asked = [
                {"id": o.id, "text": o.text}
                | ({"options": list(o.options.values())} if o.options else {})
                for o in self._asked.values()
                if o.of_span
            ]
            out += [f"of_span = [{', '.join(map(table_of, asked))}]"] if asked else []
        for one in self._asked.values():
            if one.of_span:
                continue
            out += ["", "[[question]]", f"id = {text_of(one.id)}", f"kind = {text_of(one.kind)}"]
            out += [f"text = {text_of(one.text)}", *one.lines]
            # What somebody left out cannot be asked for afterwards.
            whole = bool(judgments) and all(one.id in row for row in judgments)
            out += ["required = true"] if whole else []
        return "\n".join(out) + "\n"


def _said(task: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    annotations = task.get("annotations", task.get("completions")) or []
    for said in annotations:
        yield "annotation", said
    for said in _predictions(task):
        if isinstance(said, dict):
            yield "prediction", said


def _predictions(task: Mapping[str, Any]) -> list[Any]:
    """A task's predictions; those that it has by their ids alone stand in the annotations that
    began with them, or nowhere in the file."""
    whole = {
        begun["id"]: begun
        for said in task.get("annotations", task.get("completions")) or []
        if isinstance(begun := said.get("prediction"), dict) and "result" in begun
    }
    given = task.get("predictions") or []
    return [one if isinstance(one, dict) else whole.get(one, one) for one in given]


def _rater(who: Any) -> str:
    if isinstance(who, dict):
        who = who.get("email") or who.get("id")
    return f"Annotator {who}" if isinstance(who, int) or who is None else str(who)


def _place(
    value: Mapping[str, Any], text: str, starts: Sequence[int], kind: str, where: str
) -> tuple[int, int]:
    """Where a mark stands, in code points of the text."""
    said = value.get("text")
    try:
        if kind == "Paragraphs":
            first, last = int(value["start"]), int(value["end"])
            if min(first, last) < 0:
                raise IndexError
            ends = [(starts[first], value["startOffset"]), (starts[last], value["endOffset"])]
        else:
            ends = [(0, value["start"]), (0, value["end"])]
        counted = [(at, int(more)) for at, more in ends]
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise _refuse(f"{where}: a mark without a place in the text.") from error
    points = [at + more for at, more in counted]
    units = [at + _points(text[at:], more) for at, more in counted]
    fits = []
    for start, end in dict.fromkeys([(points[0], points[1]), (units[0], units[1])]):
        if not 0 <= start < end <= len(text):
            continue
        crosses = kind == "Paragraphs" and value["start"] != value["end"]
        if not said or crosses or _lines(text[start:end]) == _lines(str(said)):
            fits.append((start, end))
    if len(fits) != 1:
        why = "fits the text in two ways" if fits else "does not fit the text"
        raise _refuse(f"{where}: the mark {said or list(points)!r} {why}.")
    return fits[0]


def _points(text: str, units: int) -> int:
    """UTF-16 units from the start of a text, as code points; -1 within a character."""
    if units < 0:
        return -len(text) - 1
    part = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    try:
        return len(part.decode("utf-16-le"))
    except UnicodeDecodeError:
        return -len(text) - 1


def _merged(marks: Mapping[str, dict[str, Any]], where: str) -> list[dict[str, Any]]:
    """Marks in their order; those on the same words as one with all their labels."""
    found: dict[tuple[int, int], dict[str, Any]] = {}
    for one in sorted(marks.values(), key=lambda mark: (mark["start"], mark["end"])):
        there = found.setdefault((one["start"], one["end"]), one)
        if there["answers"] != one["answers"]:
            raise _refuse(f"{where}: two marks on {one['quote']!r} have different answers.")
        there["labels"] = list(dict.fromkeys([*there["labels"], *one["labels"]]))
    return list(found.values())


def _answer(asked: _Asked, value: Mapping[str, Any], where: str) -> Any:
    if asked.kind in ("scale", "number"):
        return value.get("rating" if asked.kind == "scale" else "number")
    if asked.kind == "long_text":
        said = value.get("text")
        return "\n".join(map(str, said)) if isinstance(said, list) else str(said or "")
    said = value.get("choices")
    if said is None:
        said = [value.get("selected") or ""]
    strange = [one for one in said if one not in asked.options]
    if strange or (asked.kind == "single" and len(said) != 1):
        raise _refuse(f"{where}: {asked.tag!r} is answered {said}, not as the configuration asks.")
    return "; ".join(asked.options[one] for one in said)


def _under(tag: _Tag | None, name: str) -> list[_Tag]:
    return [one for one in tag.walk() if one is not tag and one.name == name] if tag else []


def _column(tag: _Tag) -> str:
    value = tag.given.get("value", "")
    if not re.fullmatch(r"\$[^\[\].{}$]+", value):
        raise _refuse(f"The {tag.name} {tag.given.get('name', '')!r} shows {value!r}, no $field.")
    if tag.given.get("valueType") == "url" or tag.given.get("encoding", "none") != "none":
        raise _refuse(f"The {tag.name} {value} holds an address or is encoded, which is not read.")
    return value[1:]


def _whole(tag: _Tag, name: str, usual: int) -> int:
    said = tag.given.get(name, str(usual))
    if not re.fullmatch(r"-?\d{1,9}", said):
        raise _refuse(f"{tag.given.get('name', '')!r} has {name} = {said!r}, no whole number.")
    return int(said)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _kept(text: str) -> str:
    return _lines(text).strip()
