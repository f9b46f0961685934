"""Forms as data: what raters are asked after their last item, or about each item of your own
study.

A form is a TOML file that a team lead can write; every mistake in it is reported with its line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from medlens.config.toml_file import TomlFile, TomlTable

Kind = Literal[
    "single",
    "multiple",
    "yes_no",
    "scale",
    "short_text",
    "long_text",
    "number",
    "rubric",
    "spans",
    "rewrite",
    "evidence",
    "preference",
    "ranking",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
OF_ARMS: tuple[Kind, ...] = ("preference", "ranking")
"""Kinds that compare arms with each other, where an item has several."""
RUBRIC: Kind = "rubric"
"""A kind of question that is asked as one question for each of its criteria."""
OF_OWN: tuple[Kind, ...] = ("rubric", "spans", "rewrite", "evidence")
"""Kinds that studies of one's own alone have."""
UNANSWERED = "please answer this question."
"""What is told of a question that must be answered, behind its words."""
UNSCORED = "has no score yet: choose one from 1 to 10."
"""The same of a scale, behind what it rates."""
CANNOT_TELL = "cannot tell"
MET = ("met", "not met", CANNOT_TELL)
MOST_CRITERIA = 50
MOST_POINTS = 1_000_000
LONGEST_CRITERION, MOST_TAGS, LONGEST_TAG = 5_000, 20, 200
SPANS: Kind = "spans"
"""A kind of question that is answered by marking words of a text."""
MOST_LABELS = 9
"""As many as there are keys for them."""
NO_SPANS = "No marks"
"""What is counted of a text that was judged and has no marks."""
REWRITE: Kind = "rewrite"
"""A kind of question that is answered by changing a copy of an item's text."""
UNCHANGED = "(no change)"
"""The answer that a text needs none."""
LONGEST_REWRITTEN, LONGEST_TO_REWRITE = 20_000, 15_000
"""Characters of a text as it was rewritten, and of one to be rewritten, which may grow."""
EVIDENCE: Kind = "evidence"
"""A kind of question that is answered by marking sentences of a source."""
NO_PASSAGE = "(no passage)"
"""The answer that no sentence of the source is meant."""
LONGEST_EVIDENCE = 20_000
"""Characters of an answer with all the passages that were marked."""
_ID = re.compile(r"[a-z][a-z0-9_]*")
YES_NO = ("yes", "no", CANNOT_TELL)
NOT_APPLICABLE = "not applicable"
LONGEST_SCALE = 11
"""As from 0 to 10: no more fit beside each other on a phone."""
SHORT_TEXT_LENGTH = 200
LONG_TEXT_LENGTH = 10_000

Answer = str | int | float | Sequence[str] | None


@dataclass(frozen=True)
class SpanLabel:
    """A label for marked words, and what it ``means``."""

    id: str
    name: str
    means: str = ""


@dataclass(frozen=True)
class Question:
    """One question.

    ``options`` can be chosen (``YES_NO`` for yes_no). ``minimum`` and ``maximum`` limit a number,
    or are the ends of a scale, named by ``low`` and ``high``. ``unit`` follows a number. A scale
    can be ``not_applicable``; answers up to ``tolerance`` points apart are no disagreement.
    ``only_if``: asked only if another question has this answer;
    ``once``: not asked of an item that comes again. ``part`` is a heading above it. With several
    arms, ``each`` asks it of every arm; a preference may also ask how strong it is, and arms may be
    ranked with ``ties``. A criterion belongs to a ``rubric``, given by id and text; it has
    ``points``, negative for a fault, and ``tags``, by which points are also summed; if every item
    has its own criteria, they are in a ``column``. Spans are marked in the text of a ``column`` (if
    empty: the last text shown), with ``labels``; ``of_span`` is asked of each. A rewrite is of the
    text in a ``column``, which is the item's ``original``, or by arm one of its ``originals``;
    evidence is marked in the source in a ``column``. ``added``: options that were added after the
    question, each with the first version of its file that offers it. ``chooses_arm``: its options
    are arms, of which an item may show only some. ``codes`` stand for the options in other tools,
    one for each (empty: they have none).
    """

    id: str
    kind: Kind
    text: str
    required: bool = False
    help: str = ""
    options: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    not_applicable: bool = False
    tolerance: float = 0
    only_if: tuple[str, str] | None = None
    once: bool = False
    part: str = ""
    each: bool = False
    strength: bool = False
    ties: bool = False
    rubric: tuple[str, str] | None = None
    points: float = 0
    tags: tuple[str, ...] = ()
    column: str = ""
    labels: tuple[SpanLabel, ...] = ()
    of_span: tuple[Question, ...] = ()
    original: str = ""
    originals: tuple[tuple[str, str], ...] = ()
    added: tuple[tuple[str, int], ...] = ()
    chooses_arm: bool = False
    codes: tuple[str, ...] = ()

    def may_version_offer_option(self, option: str, version: int) -> bool:
        """Whether this version of its file offers the option; 0 stands for an unknown version, of
        which it is not known that it does not.
        """
        return not version or version >= dict(self.added).get(option, 0)

    @property
    def is_worded_per_item(self) -> bool:
        """Whether it stands for criteria that are worded separately for every item."""
        return bool(self.rubric and self.column)

    @property
    def points_of_scale(self) -> range:
        """The points of a scale."""
        return range(int(self.minimum or 0), int(self.maximum or 0) + 1)

    @property
    def shown_options(self) -> tuple[str, ...]:
        """Everything that can be chosen, as a form shows it; empty if the answer is free text."""
        if self.kind != "scale":
            return self.options
        return (*map(str, self.points_of_scale), *([NOT_APPLICABLE] if self.not_applicable else []))


@dataclass(frozen=True)
class Form:
    id: str
    title: str
    intro: str
    questions: tuple[Question, ...]


def make_one_question_form(name: str, text: str, options: Sequence[str] = ()) -> Form:
    """A form with one question, by its id; the answer is one of the options, or else free text."""
    kind: Kind = "single" if options else "long_text"
    asked = Question(name, kind, text, required=True, options=tuple(options))
    return Form(name, text, "", (asked,))


_COMMON = ("id", "kind", "text", "required", "help", "only_if", "part")
FIELDS: dict[Kind, tuple[str, ...]] = {
    "single": (*_COMMON, "options", "codes"),
    "multiple": (*_COMMON, "options", "codes"),
    "yes_no": _COMMON,
    "scale": (*_COMMON, "low", "high", "minimum", "maximum", "not_applicable", "tolerance"),
    "short_text": _COMMON,
    "long_text": _COMMON,
    "number": (*_COMMON, "minimum", "maximum", "unit"),
    "preference": (*_COMMON, "strength"),
    "ranking": (*_COMMON, "ties"),
    "rubric": (*_COMMON, "criteria", "criteria_column"),
    "spans": ("id", "kind", "text", "help", "column", "labels", "of_span"),
    "rewrite": (*_COMMON, "column"),
    "evidence": (*_COMMON, "column"),
}
"""What each kind of question can hold."""


def field_names_of_question_kind(kind: Kind, *, arms: bool, own: bool = True) -> tuple[str, ...]:
    """The fields that a question of this kind can have; some only if it is about ``arms``, or in
    your ``own`` study.
    """
    per = ["per"] if arms and kind not in OF_ARMS else []
    return (*FIELDS[kind], *(["once"] if own and kind != SPANS else []), *per)


def load_form(path: str | Path) -> Form:
    """Read a form; BadFile names file and line of every mistake."""
    file = TomlFile(Path(path), "form")
    file.record_unknown_fields(file.top, ("id", "title", "intro", "question"))
    intro = file.read_text_field(file.top, "intro", "")
    form = file.read_table_as_dataclass(
        file.top, Form, ("id", "title"), intro=intro, questions=read_questions_of_toml_file(file)
    )
    file.raise_if_mistakes_were_recorded()
    return form


def read_questions_of_toml_file(
    file: TomlFile, *, arms: bool = False, own: bool = False
) -> tuple[Question, ...]:
    """Every ``[[question]]`` of a file, which may be about ``arms``; mistakes collect in the file.
    In your ``own`` study a question may be a rubric, each criterion of which becomes a question, or
    may ask for spans.
    """
    tables = file.list_tables_named("question", required=True)
    kinds = [one for one in KINDS if (arms or one not in OF_ARMS) and (own or one not in OF_OWN)]
    found: list[Question] = []
    for table in tables:
        read = _question(file, table, found, kinds, arms=arms)
        found += _criteria(file, table, read) if read.kind == RUBRIC else [read]
    file.record_duplicate_values(tables, "id")
    ids = [one.id for one in found]
    for table in tables:
        its = [one.id for one in found if one.rubric and one.rubric[0] == table.values.get("id")]
        if twice := next((one for one in its if ids.count(one) > 1), ""):
            file.record_field_mistake(
                table,
                "criteria",
                f"criteria of which none is called {twice} together"
                " with its rubric, as another question is",
            )
    return tuple(found)


def _criteria(file: TomlFile, table: TomlTable, rubric: Question) -> list[Question]:
    """One question per criterion of a rubric, at least one of which must earn points."""
    given = table.values.get("criteria")
    if column := file.read_text_field(table, "criteria_column", ""):
        if given is not None:
            file.record_field_mistake(
                table, "criteria", "no criteria beside a criteria_column, which holds them"
            )
        return [
            make_criterion_question(rubric, at, f"Criterion {at}", first=at == 1, column=column)
            for at in range(1, MOST_CRITERIA + 1)
        ]
    what = '{ id = "ID", text = "WORDS", points = NUMBER }'
    if not isinstance(given, list) or not given or len(given) > MOST_CRITERIA:
        file.record_field_mistake(
            table, "criteria", f"a list of {what}, each on a line, {MOST_CRITERIA} at most"
        )
        return []
    found: list[Question] = []
    for at, one in enumerate(given, 1):
        # A list does not keep the lines of its entries, so a criterion is named by its number.
        here = f"criterion {at}: "
        if not isinstance(one, dict) or not set(one) <= {"id", "text", "points", "tags"}:
            file.record_field_mistake(table, "criteria", here + what)
            continue
        name, text = one.get("id"), one.get("text")
        points: Any = one.get("points")
        tags = one.get("tags", [])
        if not isinstance(name, str) or not _ID.fullmatch(name):
            file.record_field_mistake(
                table, "criteria", here + "an id of lower-case letters, digits and _"
            )
        elif wrong := describe_criterion_faults(text, points, tags):
            file.record_field_mistake(table, "criteria", here + wrong)
        else:
            found.append(
                make_criterion_question(
                    rubric, name, one["text"], first=not found, points=points, tags=tags
                )
            )
    if len(found) == len(given) and not any(one.points > 0 for one in found):
        file.record_field_mistake(table, "criteria", "at least one criterion with points above 0")
    return found


def describe_criterion_faults(text: object, points: object, tags: object) -> str:
    """What a criterion should have had, as the end of a sentence; empty if it is valid."""
    if not isinstance(text, str) or not text.strip():
        return "a text"
    if len(text) > LONGEST_CRITERION:
        return f"a text of at most {LONGEST_CRITERION:,} characters"
    if isinstance(points, bool) or not isinstance(points, int | float) or not points:
        return "points, above 0 or below"
    if not abs(points) <= MOST_POINTS:
        return f"points that are a number of at most {MOST_POINTS:,}"
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag.strip() for tag in tags):
        return "tags as a list of texts in quotes"
    if len(tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in tags):
        return f"at most {MOST_TAGS} tags of at most {LONGEST_TAG} characters"
    return ""


def make_criterion_question(
    rubric: Question,
    name: str | int,
    text: str,
    *,
    first: bool,
    points: float = 0,
    tags: Sequence[str] = (),
    column: str = "",
) -> Question:
    """A criterion of a rubric as a question; the ``first`` one shows what the rubric asks above
    it.
    """
    head = " – ".join(part for part in (rubric.part, rubric.text) if part)
    return replace(
        rubric,
        id=f"{rubric.id}_{name}",
        kind="single",
        text=text.strip(),
        help=rubric.help if first else "",
        options=MET,
        part=head if first else "",
        rubric=(rubric.id, rubric.text),
        points=points,
        tags=tuple(dict.fromkeys(tags)),
        column=column,
    )


def _tables_in(
    file: TomlFile, table: TomlTable, field: str, what: str, known: set[str]
) -> list[tuple[str, dict[str, Any]]]:
    """The tables in a list, each with an id and a text of its own. Mistakes name the table by its
    number, because a list does not keep the lines of its entries.
    """
    given = table.values.get(field)
    if not isinstance(given, list) or not 0 < len(given) <= MOST_LABELS:
        file.record_field_mistake(
            table, field, f"a list of {what}, each on a line, {MOST_LABELS} at most"
        )
        return []
    found: list[tuple[str, dict[str, Any]]] = []
    for at, one in enumerate(given, 1):
        here = f"number {at}: "
        if not isinstance(one, dict) or not set(one) <= known:
            file.record_field_mistake(table, field, here + what)
        elif not isinstance(one.get("id"), str) or not _ID.fullmatch(one["id"]):
            file.record_field_mistake(
                table, field, here + "an id of lower-case letters, digits and _"
            )
        elif one["id"] in {other["id"] for _, other in found}:
            file.record_field_mistake(table, field, here + "an id that no other one has")
        else:
            found.append((here, one))
    return found


def _labels(file: TomlFile, table: TomlTable) -> tuple[SpanLabel, ...]:
    what = '{ id = "ID", name = "NAME", means = "WORDS" }'
    known = {"id", "name", "means"}
    found: list[SpanLabel] = []
    for here, one in _tables_in(file, table, "labels", what, known):
        name, means = one.get("name"), one.get("means", "")
        if not isinstance(name, str) or not name.strip() or ";" in name or name == NO_SPANS:
            file.record_field_mistake(
                table, "labels", f"{here}a name without semicolons, not “{NO_SPANS}”"
            )
        elif name.casefold() in {other.name.casefold() for other in found}:
            file.record_field_mistake(table, "labels", here + "a name that no other label has")
        elif not isinstance(means, str):
            file.record_field_mistake(table, "labels", here + "what it means, as a text in quotes")
        else:
            found.append(SpanLabel(one["id"], name.strip(), means.strip()))
    return tuple(found)


def _of_span(file: TomlFile, table: TomlTable) -> tuple[Question, ...]:
    """What is asked of each span: one of several options, or free text."""
    if "of_span" not in table.values:
        return ()
    what = '{ id = "ID", text = "WORDS", options = ["ONE", "OTHER"], required = true }'
    known = {"id", "text", "options", "required"}
    found: list[Question] = []
    for here, one in _tables_in(file, table, "of_span", what, known):
        text, options, required = one.get("text"), one.get("options"), one.get("required", False)
        if not isinstance(text, str) or not text.strip():
            file.record_field_mistake(table, "of_span", here + "a text")
        elif not isinstance(required, bool):
            file.record_field_mistake(table, "of_span", here + "required = true or false")
        elif options is None:
            found.append(Question(one["id"], "short_text", text.strip(), required))
        elif (
            not isinstance(options, list)
            or len(options) < 2
            or not all(isinstance(o, str) and o.strip() and ";" not in o for o in options)
            or len(set(options)) < len(options)
        ):
            file.record_field_mistake(
                table, "of_span", here + "two or more options that differ, no semicolons"
            )
        else:
            found.append(
                Question(one["id"], "single", text.strip(), required, options=tuple(options))
            )
    return tuple(found)


def _question(
    file: TomlFile,
    table: TomlTable,
    before: Sequence[Question],
    kinds: Sequence[Kind],
    *,
    arms: bool,
) -> Question:
    kind = cast(Kind, file.read_choice_field(table, "kind", kinds))
    allowed = field_names_of_question_kind(kind, arms=arms, own=SPANS in kinds)
    if table.values.get("kind") in kinds:
        file.record_unknown_fields(table, allowed)
    each = (
        "per" in allowed and file.read_choice_field(table, "per", ("item", "arm"), "item") == "arm"
    )
    # If the kind is unknown, nothing else can be checked.
    choices = kind in ("single", "multiple") and table.values.get("kind") == kind
    options = (
        file.read_text_list_field(table, "options", at_least=2, what="options") if choices else ()
    )
    if len(set(options)) < len(options):
        file.record_field_mistake(table, "options", "options that differ from each other")
    codes = file.read_text_list_field(table, "codes", what="codes") if choices else ()
    if codes and (len(codes) != len(options) or len(set(codes)) < len(codes)):
        file.record_field_mistake(
            table, "codes", f"{len(options)} codes that differ, one for each option"
        )
    minimum, maximum = (
        file.read_number_field(table, "minimum"),
        file.read_number_field(table, "maximum"),
    )
    if minimum is not None and maximum is not None and minimum > maximum:
        file.record_field_mistake(
            table, "maximum", f"a number that is not below the minimum {minimum:g}"
        )
    spans = table.values.get("kind") == SPANS and SPANS in kinds
    ends: tuple[str | None, str | None] = ("", "")
    if kind == "scale":
        ends = (None, None)
        minimum, maximum = _scale(file, table, minimum, maximum)
    tolerance = 0.0
    if kind == "scale" and minimum is not None and maximum is not None:
        tolerance = _tolerance(file, table, maximum - minimum)
    return file.read_table_as_dataclass(
        *(table, Question, allowed),
        kind=kind,
        options=YES_NO if kind == "yes_no" else options,
        codes=codes,
        labels=_labels(file, table) if spans else (),
        of_span=_of_span(file, table) if spans else (),
        low=file.read_text_field(table, "low", ends[0]),
        high=file.read_text_field(table, "high", ends[1]),
        minimum=minimum,
        maximum=maximum,
        tolerance=tolerance,
        only_if=_only_if(file, table, before, each=each),
        each=each,
    )


def _scale(
    file: TomlFile, table: TomlTable, minimum: float | None, maximum: float | None
) -> tuple[float, float]:
    low, high = 1 if minimum is None else minimum, 5 if maximum is None else maximum
    for name, end in (("minimum", low), ("maximum", high)):
        if not isinstance(end, int):
            file.record_field_mistake(table, name, "a whole number")
            return 1, 5
    if not 2 <= high - low + 1 <= LONGEST_SCALE:
        at = "maximum" if maximum is not None else "minimum"
        file.record_field_mistake(table, at, f"a scale of 2 to {LONGEST_SCALE} points")
        return 1, 5
    return low, high


def _tolerance(file: TomlFile, table: TomlTable, longest: float) -> float:
    """How far apart, in points of a scale, answers are no disagreement yet."""
    given = file.read_number_field(table, "tolerance")
    if given is None:
        return 0.0
    if given != int(given) or not 0 <= given < longest:
        file.record_field_mistake(table, "tolerance", f"a whole number from 0 to {longest - 1:g}")
        return 0.0
    return given


def _only_if(
    file: TomlFile, table: TomlTable, before: Sequence[Question], *, each: bool
) -> tuple[str, str] | None:
    """The answer to an earlier, always asked question on which this question depends."""
    given = table.values.get("only_if")
    if given is None:
        return None
    if not isinstance(given, dict) or set(given) != {"question", "is"}:
        file.record_field_mistake(table, "only_if", '{ question = "ID", is = "ANSWER" }')
        return None
    other = next((one for one in before if one.id == given["question"]), None)
    if other is None or other.only_if or not other.shown_options or other.kind == "multiple":
        file.record_field_mistake(
            table,
            "only_if",
            "an earlier question that is always asked, and has one answer to choose",
        )
        return None
    if other.each and not each:
        file.record_field_mistake(
            table, "only_if", "a question of the item, as this one is: that is of each arm"
        )
        return None
    if str(given["is"]) not in other.shown_options:
        file.record_field_mistake(
            table, "only_if", f"one of its answers: {', '.join(other.shown_options)}"
        )
        return None
    return other.id, str(given["is"])


def questions_to_ask(
    questions: Sequence[Question], answers: Mapping[str, Answer]
) -> list[Question]:
    """The questions that are asked, given these answers."""
    return [
        one
        for one in questions
        if one.only_if is None or str(answers.get(one.only_if[0])) == one.only_if[1]
    ]


def list_reasons_against_submission(form: Form, answers: Mapping[str, Answer]) -> list[str]:
    """Why ``answers`` (by question id) cannot be submitted, in sentences; empty if they can.

    A single choice is the text of its option, a multiple choice a list of them, a scale its number.
    """
    problems = list_unknown_answers_in_words(form, answers)
    for question in questions_to_ask(form.questions, answers):
        answer = answers.get(question.id)
        if not _given(answer):
            fault = UNANSWERED if question.required else ""
        else:
            fault = _fault(question, answer)
        if fault:
            problems.append(f"{question.text} – {fault}")
    return problems


def list_reasons_against_draft(form: Form, answers: Mapping[str, Answer]) -> list[str]:
    """Why ``answers`` cannot even be a draft: free text may be unfinished, other values must be
    valid.
    """
    return list_unknown_answers_in_words(form, answers) + [
        f"{question.text} – {fault}"
        for question in form.questions
        if question.shown_options and _given(answer := answers.get(question.id))
        if (fault := _fault(question, answer))
    ]


def list_unknown_answers_in_words(form: Form, answers: Mapping[str, Answer]) -> list[str]:
    """Answers to questions that the form does not have, in sentences."""
    known = {question.id for question in form.questions}
    return [f"The form has no question {key!r}." for key in answers if key not in known]


def _given(answer: Answer) -> bool:
    if isinstance(answer, str):
        return bool(answer.strip())
    return answer is not None and (isinstance(answer, int | float) or len(answer) > 0)


def _fault(question: Question, answer: Answer) -> str:
    """What is wrong with an answer."""
    number = not isinstance(answer, bool) and isinstance(answer, (int, float))
    match question.kind:
        case "single" | "yes_no":
            return "" if answer in question.options else "please choose one of the options."
        case "multiple":
            if isinstance(answer, str) or not isinstance(answer, Sequence):
                return "please choose from the options."
            good = set(answer) <= set(question.options) and len(set(answer)) == len(answer)
            return "" if good else "please choose from the options, each at most once."
        case "scale":
            if (number and answer in question.points_of_scale) or (
                question.not_applicable and answer == NOT_APPLICABLE
            ):
                return ""
            return f"please choose a number from {question.minimum:g} to {question.maximum:g}."
        case "number":
            if not number or not math.isfinite(cast(float, answer)):
                return "please give a number."
            value = cast(float, answer)
            if question.minimum is not None and value < question.minimum:
                return f"please give a number of at least {question.minimum:g}."
            if question.maximum is not None and value > question.maximum:
                return f"please give a number of at most {question.maximum:g}."
            return ""
        case "rewrite":
            if not isinstance(answer, str):
                return "please answer in words."
            if len(answer) > LONGEST_REWRITTEN:
                return f"please use at most {LONGEST_REWRITTEN:,} characters."
            same = bool(question.original) and answer.strip() == question.original
            return f"this is the text as it was: its answer is {UNCHANGED}." if same else ""
        case "evidence":
            # Whether they stand in the source, its item alone says.
            if not isinstance(answer, str) or len(answer) > LONGEST_EVIDENCE:
                return f"please mark passages of at most {LONGEST_EVIDENCE:,} characters together."
            return ""
        case _:
            limit = SHORT_TEXT_LENGTH if question.kind == "short_text" else LONG_TEXT_LENGTH
            if not isinstance(answer, str):
                return "please answer in words."
            return "" if len(answer) <= limit else f"please use at most {limit:,} characters."
