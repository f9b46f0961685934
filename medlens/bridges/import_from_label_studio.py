"""Converts Label Studio's configuration and JSON export into a study's file, items and
judgments.

Sources: Label Studio's documentation of its tags and of its JSON export (labelstud.io). Some
versions of its editor count a mark's position in code points, others in UTF-16 units; the words
kept with it tell which.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    XmlReader,
    code_point_position_of_utf16_position,
    hidden_column_by_field_name,
    make_mark_at_code_points,
    make_unfit_project_error,
    normalise_line_ends,
    parse_moment_as_iso,
    quote_value_for_message,
)
from medlens.config.question_forms_and_answer_checks import SpanLabel
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    title_from_name,
)
from medlens.tables.read_limits import read_error_in_words

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


def convert_label_studio_to_study_and_notes(title: str, config: bytes, export: bytes) -> Converted:
    """Convert a project into a study with that title.

    Raises:
        BadFile: one of the files is not from Label Studio, or has something MedLens cannot show,
            ask or keep; names it.
    """
    return _Configured(title, _parse(config)).read(export)


def _parse(config: bytes) -> _Tag:
    """The tags of a configuration."""
    root = _Tag("", {})
    stack = [root]
    xml = XmlReader(
        "The configuration", "Copy it from the project's Settings, Labeling Interface, Code."
    )

    def start(name: str, given: dict[str, str]) -> None:
        if len(stack) > _MOST_DEEP:
            raise make_unfit_project_error(
                f"The configuration has tags more than {_MOST_DEEP} deep."
            )
        stack[-1].under.append(_Tag(name, given))
        stack.append(stack[-1].under[-1])

    xml.parser.StartElementHandler = start
    xml.parser.EndElementHandler = lambda _: stack.pop()
    xml.feed_bytes_to_handlers(config)
    return root


class _Configured:
    def __init__(self, title: str, root: _Tag) -> None:
        self._title = title
        self._lost: list[Unfit] = []
        self._left_out: set[str] = set()
        tags = list(self._known_under(root))
        self._headers = [one.given.get("value", "") for one in tags if one.name == "Header"]
        self._objects: dict[str, _Tag] = {}
        for one in tags:
            if one.name in _SHOWN:
                if fault := _fault_of_text(one):
                    self._leave_out(one, fault)
                else:
                    self._objects[one.given.get("name", "")] = one
        self._columns = {name: _column(one) for name, one in self._objects.items()}
        self._marks: _Tag | None = None
        for one in tags:
            if one.name in _MARKS:
                if one.given.get("toName", "") not in self._objects:
                    self._leave_out(one, "Labels for what is not shown")
                elif self._marks:
                    self._leave_out(one, "Further sets of Labels, as a study has one text to mark")
                else:
                    self._marks = one
        self._labels: dict[str, SpanLabel] = {}
        for at, one in enumerate(_under(self._marks, "Label"), 1):
            said = one.given.get("value", "")
            self._labels[one.given.get("alias") or said] = SpanLabel(f"label_{at}", said)
        self._marked = self._marks.given.get("toName", "") if self._marks else ""
        self._asked: dict[str, ProjectQuestion] = {}
        for one in tags:
            if one.name in _ASKS:
                name = one.given.get("name", "")
                if not name or name in self._asked:
                    raise make_unfit_project_error(
                        f"A {one.name} has no name of its own: {name!r}."
                    )
                if fault := self._fault_of_question(one):
                    self._leave_out(one, fault)
                else:
                    self._asked[name] = self._question(one, len(self._asked) + 1)
        if self._lost and not (self._objects and (self._asked or self._marks)):
            why = "; ".join(f"{one.what} ({one.where})" for one in self._lost)
            raise make_unfit_project_error(f"Nothing is left that MedLens can show and ask: {why}.")

    def _known_under(self, tag: _Tag) -> Iterator[_Tag]:
        """The tags that can be read; another is left out with all that stands in it."""
        for one in tag.under:
            if one.name in _SHOWN or one.name in _ASKS or one.name in {*_MARKS, *_PASSED_OVER}:
                yield one
                yield from self._known_under(one)
            else:
                self._leave_out(one, "Tags that MedLens has nothing for")
                self._left_out |= {o.given["name"] for o in one.walk() if "name" in o.given}

    def _leave_out(self, tag: _Tag, what: str) -> None:
        name = tag.given.get("name", "")
        self._left_out |= {name} if name else set()
        self._lost.append(Unfit(what, f"{tag.name} {name}".rstrip()))

    def _fault_of_question(self, tag: _Tag) -> str:
        """Why MedLens cannot ask a question, as a kind to count; empty if it can."""
        given = tag.given
        of_span = _is_of_span(tag)
        under = _under(tag, "Choice") if tag.name == "Choices" else []
        about = given.get("toName", "").split(",")
        if tag.name == "Pairwise" and (len(about) != 2 or not set(about) <= set(self._columns)):
            return "Comparisons of something else than two texts that are shown"
        if self._left_out & {*about}:
            return "Questions about what is not shown"
        if of_span and (self._marks is None or tag.name not in ("Choices", "TextArea")):
            return (
                "Questions about each region, where MedLens asks Choices and text of marked words"
            )
        if given.get("visibleWhen") and not (of_span and given["visibleWhen"] == "region-selected"):
            return "Questions that are shown only sometimes (visibleWhen)"
        if any(_under(one, "Choice") for one in under):
            return "Questions with choices within choices"
        if of_span and under and given.get("choice") == "multiple":
            return "Questions with several choices about each region"
        return ""

    def _question(self, tag: _Tag, at: int) -> ProjectQuestion:
        given = tag.given
        name = given.get("name", "")
        options: dict[str, str] = {}
        lines: list[str] = []
        kind = {"Rating": "scale", "Number": "number", "TextArea": "long_text"}.get(tag.name, "")
        if tag.name == "Choices":
            options = {
                o.given.get("alias") or o.given.get("value", ""): o.given.get("value", "")
                for o in _under(tag, "Choice")
            }
            kind = "multiple" if given.get("choice") == "multiple" else "single"
        elif tag.name == "Pairwise":
            kind = "single"
            words = [title_from_name(self._columns[one]) for one in given["toName"].split(",")]
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
        text = given.get("title") or given.get("placeholder") or title_from_name(name)
        return ProjectQuestion(
            f"q{at}_{make_id_from_name(name)}", kind, text, options, tuple(lines), _is_of_span(tag)
        )

    # -- tasks -------------------------------------------------------------------------------------

    def read(self, export: bytes) -> Converted:
        try:
            tasks = json.loads(export)
        except (ValueError, RecursionError) as error:
            why = f"The export is not JSON: {read_error_in_words(error)}."
            raise make_unfit_project_error(why, "Export the project as JSON.") from error
        if tasks == []:
            raise make_unfit_project_error(
                "The export has no tasks.", "Export a project that has some."
            )
        lost = [*self._lost]
        tasks, given = [], tasks if isinstance(tasks, list) else []
        for at, task in enumerate(given, 1):
            if isinstance(task, dict) and isinstance(task.get("data"), dict):
                tasks.append(task)
            else:
                lost.append(Unfit("Tasks without data", f"task {at} of the export"))
        if not tasks:
            raise make_unfit_project_error(
                "The export is not a list of tasks with data.", "Export as JSON, not as JSON-MIN."
            )
        shown = set(self._columns.values())
        more = [{n: _plain(c) for n, c in o["data"].items() if n not in shown} for o in tasks]
        cells: dict[str, list[str]] = {}
        for told in more:
            for name, cell in told.items():
                cells.setdefault(name, []).append(cell)
        columns = hidden_column_by_field_name(cells, shown)
        made = ProjectConversion(
            tool="Label Studio",
            title=self._title,
            instructions="\n".join(one for one in self._headers if one),
            shown=[
                Shown(column, "text" if name == self._marked else _SHOWN[self._objects[name].name])
                for name, column in self._columns.items()
            ]
            + [*columns.values()],
            asked=list(self._asked.values()),
            marked=self._columns[self._marked] if self._marks else "",
            labels=list(self._labels.values()),
        )
        for fault in lost:
            made.count_left_out_part(fault)
        if len(cells) > len(columns):
            made.left_out["Further fields of tasks, left out"] = len(cells) - len(columns)
        for at, (task, told) in enumerate(zip(tasks, more, strict=True), 1):
            number = task.get("id")
            name = f"task-{number if isinstance(number, int | str) else at}"
            with made.leave_out_faulty_part_within():
                texts = {one: self._cell(one, task["data"], name) for one in self._objects}
                row = {self._columns[one]: cell for one, (cell, _) in texts.items()}
                row |= {one.column: told.get(of, "") for of, one in columns.items()}
                self._judge(made, task, made.add_item_and_return_name(name, row), texts)
        if not made.items:
            raise make_unfit_project_error(
                f"No task can be shown: {next(iter(made.places.values()))[0]}.",
                "Choose the configuration and the export of one project.",
            )
        return made.make_converted_study()

    def _judge(
        self,
        made: ProjectConversion,
        task: Mapping[str, Any],
        name: str,
        texts: Mapping[str, tuple[Any, list[int]]],
    ) -> None:
        """Add what people and models said of a task."""
        text, starts = texts.get(self._marked, ("", [0]))
        nameless = 0
        annotations = made.read_objects_of_list(_annotations(task), "Annotations", name)
        whole, named = _predictions(task, annotations)
        for kind, said in [
            *(("annotation", one) for one in annotations),
            *(("prediction", one) for one in whole),
        ]:
            if said.get("was_cancelled"):
                made.left_out["Annotations that were skipped, left out"] += 1
                continue
            if self._says_only_what_is_left_out(said.get("result")):
                # Without an answer it would count as one who found nothing.
                made.left_out["Annotations that answer only what is left out"] += 1
                continue
            where = f"{name}, {kind} {_sign(said.get('id'))}".rstrip()
            answers, marks = self._answers(made, said.get("result"), str(text), starts, where)
            model = kind == "prediction"
            rater = _sign(said.get("model_version")) or "Label Studio model"
            if not model and not (rater := _rater(said.get("completed_by"))):
                nameless += 1
                rater = f"Annotator without a name {nameless}"
            when = parse_moment_as_iso(said.get("created_at"))
            if said.get("created_at") and not when:
                place = f"{where}: {quote_value_for_message(said['created_at'])}"
                made.count_left_out_part(Unfit("Times that cannot be read", place))
            made.add_judgment(name, rater, answers, marks, where=where, model=model, judged_at=when)
        if named:
            made.left_out["Predictions that the file names and does not have, left out"] += named
        if task.get("drafts"):
            made.left_out["Tasks with drafts, which are left out"] += 1

    def _says_only_what_is_left_out(self, given: Any) -> bool:
        return (
            isinstance(given, list)
            and bool(given)
            and all(isinstance(o, dict) and self._is_left_out(o.get("from_name")) for o in given)
        )

    def _is_left_out(self, tag: Any) -> bool:
        return isinstance(tag, str) and tag in self._left_out

    def _cell(self, name: str, data: Mapping[str, Any], task: str) -> tuple[Any, list[int]]:
        """The text or turns of a task, and where each turn begins.

        Raises:
            Unfit: the task has neither.
        """
        tag, column = self._objects[name], self._columns[name]
        cell = data.get(column)
        if tag.name == "Text":
            if cell is not None and not isinstance(cell, str | int | float):
                raise Unfit("Tasks that cannot be shown", f"{task}: {column!r} holds no text")
            return "" if cell is None else _sign(cell), [0]
        who, says = tag.given.get("nameKey", "author"), tag.given.get("textKey", "text")
        if not isinstance(cell, list) or not all(
            isinstance(turn, dict) and isinstance(turn.get(says), str) for turn in cell
        ):
            why = f"{task}: {column!r} holds no turns with {says!r}"
            raise Unfit("Tasks that cannot be shown", why)
        if name != self._marked:
            return [{"role": _sign(o.get(who)), "content": o[says]} for o in cell], []
        text, starts = "", []
        for turn in cell:
            text += f"{_sign(turn.get(who))}: "
            starts.append(len(text))
            text += f"{turn[says]}\n\n"
        return text, starts

    def _answers(
        self, made: ProjectConversion, given: Any, text: str, starts: Sequence[int], where: str
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        found: dict[str, Any] = {}
        marks: dict[str, dict[str, Any]] = {}
        of_span: list[tuple[str, ProjectQuestion, Any]] = []
        for one in made.read_objects_of_list(given, "Results", where):
            value, tag, region = one.get("value"), one.get("from_name"), _sign(one.get("id"))
            if self._is_left_out(tag):
                made.left_out["Results for the tags that are left out"] += 1
                continue
            with made.leave_out_faulty_part_within():
                if not isinstance(value, dict):
                    kind = _sign(one.get("type")) or "of no type"
                    raise Unfit("Results without a value, as relations are", f"{where}: {kind}")
                if self._marks and tag == self._marks.given.get("name"):
                    marks[region] = self._mark(made, value, text, starts, where)
                    continue
                asked = self._asked.get(tag) if isinstance(tag, str) else None
                if asked is None:
                    what = "Results for what the configuration does not have"
                    raise Unfit(what, f"{where}: {quote_value_for_message(tag)}")
                answer = _answer(made, asked, value, where)
                if asked.of_span:
                    of_span.append((region, asked, answer))
                else:
                    found[asked.id] = answer
        for region, asked, answer in of_span:
            if region not in marks:
                what = "Answers about no marked words"
                made.count_left_out_part(Unfit(what, f"{where}, {asked.text}"))
            elif answer is not None:
                marks[region]["answers"][asked.id] = answer
        return found, list(marks.values())

    def _mark(
        self,
        made: ProjectConversion,
        value: Mapping[str, Any],
        text: str,
        starts: Sequence[int],
        where: str,
    ) -> dict[str, Any]:
        assert self._marks is not None
        said = value.get("labels") or value.get("paragraphlabels")
        said = said if isinstance(said, list) else [said]
        known = [one for one in said if isinstance(one, str) and one in self._labels]
        place = f"{where}: {quote_value_for_message(said)}"
        if not known:
            raise Unfit("Marks without a label of the configuration", place)
        if len(known) < len(said):
            made.count_left_out_part(Unfit("Labels that the configuration does not have", place))
        start, end = _place(value, text, starts, self._objects[self._marked].name, where)
        return make_mark_at_code_points(
            text, start, end, [self._labels[one].id for one in known], where
        )


def _plain(cell: Any) -> str:
    """A field that nothing shows, as text."""
    return "" if cell is None else cell if isinstance(cell, str) else json.dumps(cell)


def _sign(value: Any) -> str:
    """A name or number of a record, as text; empty for anything else."""
    return str(value) if isinstance(value, str | int | float) else ""


def _annotations(task: Mapping[str, Any]) -> Any:
    return task.get("annotations", task.get("completions"))


def _predictions(
    task: Mapping[str, Any], annotations: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], int]:
    """A task's predictions, and how many are named only. Those it gives as ids are in the
    annotations that started from them, or missing from the file.
    """
    begun = [one["prediction"] for one in annotations if isinstance(one.get("prediction"), dict)]
    whole = {_sign(one.get("id")): one for one in begun if "result" in one}
    given = task.get("predictions") or []
    found = [
        one if isinstance(one, dict) else whole.get(_sign(one))
        for one in (given if isinstance(given, list) else [given])
    ]
    return [one for one in found if one is not None], sum(one is None for one in found)


def _rater(who: Any) -> str:
    """What a person is called; empty if they have no name."""
    if isinstance(who, dict):
        names = [" ".join(_sign(who.get(f"{part}_name")) for part in ("first", "last")).strip()]
        who = _sign(who.get("email")).strip() or names[0] or who.get("id")
    if isinstance(who, bool) or not isinstance(who, str | int):
        return ""
    return f"Annotator {who}" if isinstance(who, int) else who.strip()


def _place(
    value: Mapping[str, Any], text: str, starts: Sequence[int], kind: str, where: str
) -> tuple[int, int]:
    """The position of a mark, in code points of the text.

    Raises:
        Unfit: it has none, or the text is another there.
    """
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
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        raise Unfit("Marks without a place in the text", where) from error
    points = [at + more for at, more in counted]
    units = [at + code_point_position_of_utf16_position(text[at:], more) for at, more in counted]
    fits = []
    for start, end in dict.fromkeys([(points[0], points[1]), (units[0], units[1])]):
        if not 0 <= start < end <= len(text):
            continue
        crosses = kind == "Paragraphs" and value["start"] != value["end"]
        if (
            not said
            or crosses
            or normalise_line_ends(text[start:end]) == normalise_line_ends(str(said))
        ):
            fits.append((start, end))
    if len(fits) != 1:
        why = "fit the text in two ways" if fits else "do not fit the text"
        raise Unfit(f"Marks that {why}", f"{where}: {quote_value_for_message(said or points)}")
    return fits[0]


def _answer(
    made: ProjectConversion, asked: ProjectQuestion, value: Mapping[str, Any], where: str
) -> Any:
    """An answer as a judgment has it; None if nothing of it fits.

    Raises:
        Unfit: it is not what is asked for.
    """
    if asked.kind in ("scale", "number"):
        given = value.get("rating" if asked.kind == "scale" else "number")
        return made.read_number_answer(asked, given, where)
    if asked.kind == "long_text":
        said = value.get("text")
        lines = said if isinstance(said, list) else [said]
        return "\n".join(_sign(line) for line in lines) or None
    said = value.get("choices")
    if said is None:
        said = [value.get("selected") or ""]
    return made.read_chosen_options_as_answer_text(asked, said, where)


def _is_of_span(tag: _Tag) -> bool:
    return tag.given.get("perRegion", "").casefold() == "true"


def _under(tag: _Tag | None, name: str) -> list[_Tag]:
    return [one for one in tag.walk() if one is not tag and one.name == name] if tag else []


def _fault_of_text(tag: _Tag) -> str:
    """Why MedLens cannot show a text, as a kind to count; empty if it can."""
    if not re.fullmatch(r"\$[^\[\].{}$]+", tag.given.get("value", "")):
        return "Words of the project's own, which are no field of its tasks"
    if tag.given.get("valueType") == "url" or tag.given.get("encoding", "none") != "none":
        return "Texts behind an address or encoded, which are not read"
    return ""


def _column(tag: _Tag) -> str:
    return tag.given["value"].removeprefix("$")


def _whole(tag: _Tag, name: str, usual: int) -> int:
    said = tag.given.get(name, str(usual))
    if not re.fullmatch(r"-?\d{1,9}", said):
        raise make_unfit_project_error(
            f"{tag.given.get('name', '')!r} has {name} = {said!r}, which is not a whole number."
        )
    return int(said)
