"""Forms as data: what raters are asked after their last item.

A form is a TOML file that a team lead can write; every fault in it is reported with its line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

from medlens.config.toml_file import TomlFile, TomlTable

Kind = Literal["single", "multiple", "scale", "short_text", "long_text", "number"]
KINDS: tuple[Kind, ...] = get_args(Kind)
SCALE = (1, 2, 3, 4, 5)
SHORT_TEXT_LENGTH = 200
LONG_TEXT_LENGTH = 10_000

Answer = str | int | float | Sequence[str] | None


@dataclass(frozen=True)
class Question:
    """One question. ``options`` for the choices; ``low``/``high``: end labels of the 1–5 scale;
    ``minimum``/``maximum`` bound a number, ``unit`` stands behind it."""

    id: str
    kind: Kind
    text: str
    required: bool
    help: str = ""
    options: tuple[str, ...] = ()
    low: str = ""
    high: str = ""
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""


@dataclass(frozen=True)
class Form:
    id: str
    title: str
    intro: str
    questions: tuple[Question, ...]


_COMMON = ("id", "kind", "text", "required", "help")
_FIELDS: dict[Kind, tuple[str, ...]] = {
    "single": (*_COMMON, "options"),
    "multiple": (*_COMMON, "options"),
    "scale": (*_COMMON, "low", "high"),
    "short_text": _COMMON,
    "long_text": _COMMON,
    "number": (*_COMMON, "minimum", "maximum", "unit"),
}


def load_form(path: str | Path) -> Form:
    """Read a form file; BadFile names file and line of what is wrong with it."""
    file = TomlFile(Path(path), "form")
    file.only(file.top, ("id", "title", "intro", "question"))
    tables = file.tables("question", required=True)
    form = Form(
        id=file.identifier(file.top),
        title=file.text(file.top, "title"),
        intro=file.text(file.top, "intro", ""),
        questions=tuple(_question(file, table) for table in tables),
    )
    file.unique(tables, "id")
    file.refuse_if_bad()
    return form


def _question(file: TomlFile, table: TomlTable) -> Question:
    kind = cast(Kind, file.choice(table, "kind", KINDS))
    if table.values.get("kind") in KINDS:
        file.only(table, _FIELDS[kind])
    choices = kind in ("single", "multiple")
    options = file.texts(table, "options", at_least=2) if choices else ()
    if len(set(options)) < len(options):
        file.refuse(table, "options", "options that differ from each other")
    minimum, maximum = file.number(table, "minimum"), file.number(table, "maximum")
    if minimum is not None and maximum is not None and minimum > maximum:
        file.refuse(table, "maximum", f"a number that is not below the minimum {minimum:g}")
    ends = (None, None) if kind == "scale" else ("", "")
    return Question(
        id=file.identifier(table),
        kind=kind,
        text=file.text(table, "text"),
        required=file.flag(table, "required", default=False),
        help=file.text(table, "help", ""),
        options=options,
        low=file.text(table, "low", ends[0]),
        high=file.text(table, "high", ends[1]),
        minimum=minimum,
        maximum=maximum,
        unit=file.text(table, "unit", ""),
    )


def check_answers(form: Form, answers: Mapping[str, Answer]) -> list[str]:
    """What keeps ``answers`` (by question id) from being sent, as sentences; empty when nothing.

    A single choice is its option's text, a multiple choice a list of them, a scale 1 to 5.
    """
    known = {question.id for question in form.questions}
    problems = [f"The form has no question {key!r}." for key in answers if key not in known]
    for question in form.questions:
        answer = answers.get(question.id)
        if answer is None or answer == "" or (isinstance(answer, str) and not answer.strip()):
            missing = True
        else:
            missing = not isinstance(answer, (str, int, float)) and len(answer) == 0
        if missing:
            fault = "please answer this question." if question.required else ""
        else:
            fault = _fault(question, answer)
        if fault:
            problems.append(f"{question.text} – {fault}")
    return problems


def _fault(question: Question, answer: Answer) -> str:
    """What is wrong with an answer that was given."""
    number = not isinstance(answer, bool) and isinstance(answer, (int, float))
    match question.kind:
        case "single":
            return "" if answer in question.options else "please choose one of the options."
        case "multiple":
            if isinstance(answer, str) or not isinstance(answer, Sequence):
                return "please choose from the options."
            good = set(answer) <= set(question.options) and len(set(answer)) == len(answer)
            return "" if good else "please choose from the options, each at most once."
        case "scale":
            return "" if number and answer in SCALE else "please choose a number from 1 to 5."
        case "number":
            if not number or not math.isfinite(cast(float, answer)):
                return "please give a number."
            value = cast(float, answer)
            if question.minimum is not None and value < question.minimum:
                return f"please give a number of at least {question.minimum:g}."
            if question.maximum is not None and value > question.maximum:
                return f"please give a number of at most {question.maximum:g}."
            return ""
        case _:
            limit = SHORT_TEXT_LENGTH if question.kind == "short_text" else LONG_TEXT_LENGTH
            if not isinstance(answer, str):
                return "please answer in words."
            return "" if len(answer) <= limit else f"please use at most {limit:,} characters."
