"""An own study's judgments as a REDCap project: its data dictionary, and a file of records to
import, one for each judgment. ``import_from_redcap`` reads the dictionary back.

Sources: REDCap's rules for the data dictionary's 18 columns and for imported records: raw codes, a
column of 0 and 1 for each choice of a checkbox field, dates as year, month, day.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from medlens.bridges import exported_items_and_judgments
from medlens.config.question_forms_and_answer_checks import NOT_APPLICABLE, YES_NO, Question
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.own.blinded_arms import spread_questions_over_arms
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.tables.formula_escape_and_restore import neutralise_formulas

HEADINGS = (
    "Variable / Field Name",
    "Form Name",
    "Section Header",
    "Field Type",
    "Field Label",
    "Choices, Calculations, OR Slider Labels",
    "Field Note",
    "Text Validation Type OR Show Slider Number",
    "Text Validation Min",
    "Text Validation Max",
    "Identifier?",
    "Branching Logic (Show field only if...)",
    "Required Field?",
    "Custom Alignment",
    "Question Number (surveys only)",
    "Matrix Group Name",
    "Matrix Ranking?",
    "Field Annotation",
)
FORM, RECORD = "judgment", "record_id"
_LONGEST_NAME = 100
_COMPLETE = f"{FORM}_complete"
_FIXED: Mapping[tuple[str, ...], str] = {("Yes", "No"): "yesno", ("True", "False"): "truefalse"}
_CODES_OF_YES_NO = dict(zip(YES_NO, ("1", "0", "2"), strict=True))
_NOT_APPLICABLE_CODE = "na"


def make_redcap_zip(
    store: Store, study: Study, *, viewer: Rater | None, anonymous: bool = False
) -> bytes:
    """A zip with ``data_dictionary.csv`` and ``records.csv``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    work = exported_items_and_judgments.list_items_with_counted_judgments(
        store, study, viewer=viewer, anonymous=anonymous
    )
    answered = {name for one in work for said in one.said for name in said.value.answers}
    fields = _fields(study.declared, answered, anonymous=anonymous)
    records = [
        {
            column: cell
            for field in fields
            for column, cell in field.cells_of_record(one.name, said).items()
        }
        | {_COMPLETE: "2"}
        for one in work
        for said in one.said
    ]
    columns = [*(column for field in fields for column in field.columns), _COMPLETE]
    return exported_items_and_judgments.pack_zip(
        {
            "data_dictionary.csv": _csv(HEADINGS, (field.row for field in fields)),
            "records.csv": _csv(columns, ([one[name] for name in columns] for one in records)),
        }
    )


@dataclass(frozen=True)
class _Field:
    """A field of the project: its line of the dictionary, the columns of its records, and what
    stands in a record of what was ``said`` of an item.
    """

    row: Sequence[str]
    columns: Sequence[str]
    read: Callable[[str, exported_items_and_judgments.Said], Sequence[str]]

    def cells_of_record(self, item: str, said: exported_items_and_judgments.Said) -> dict[str, str]:
        return dict(zip(self.columns, self.read(item, said), strict=True))


def _fields(
    declared: StudyDeclaration, answered: Iterable[str], *, anonymous: bool
) -> list[_Field]:
    questions = declared.form.questions
    if declared.are_arms_side_by_side and declared.arms:
        names = declared.arms.names
        questions = spread_questions_over_arms(questions, names, names)
    # No item has more criteria of its own than were answered.
    there = set(answered)
    questions = tuple(one for one in questions if one.id in there or not one.is_worded_per_item)
    taken = {_COMPLETE}
    found = [
        _text(RECORD, "Judgment", taken, lambda _, said: said.judgment_id),
        _text("medlens_item", "Item", taken, lambda item, _: item),
        _text(
            *("medlens_rater", "Rater", taken, lambda _, said: said.rater),
            identifier="" if anonymous else "y",
        ),
        _text(
            *("medlens_rater_kind", "Person or model", taken),
            lambda _, said: "person" if said.person else "model",
        ),
        _text(
            *("medlens_judged_at", "Judged at (UTC)", taken),
            lambda _, said: f"{said.at:%Y-%m-%d %H:%M:%S}",
            format_="datetime_seconds_ymd",
        ),
    ]
    named = {one.id: _free_name(one.id, taken) for one in questions}
    marked = {
        arm: _free_name(f"{spans.id}_{at}" if arm else spans.id, taken)
        for at, (arm, spans) in enumerate(declared.marking_questions_by_arm.items(), 1)
    }
    asked = {one.id: one for one in questions}
    part = ""
    for one in questions:
        section = one.part if one.part != part else ""
        part = one.part
        found.append(_of_question(one, named, asked, section))
    for arm, spans in declared.marking_questions_by_arm.items():
        label = f"{spans.text} ({arm})" if arm else spans.text
        found.append(
            _Field(
                _row(name=marked[arm], type="notes", label=label, note="Marks, as JSON"),
                [marked[arm]],
                partial(_marks_as_json, arm),
            )
        )
    return found


def _marks_as_json(arm: str, _: str, said: exported_items_and_judgments.Said) -> list[str]:
    """The cell with the marks in an arm's texts; in those that no arm wrote for ""."""
    marks = [span.model_dump(mode="json") for span in said.value.spans if span.arm == arm]
    return [_inert(json.dumps(marks, ensure_ascii=False))]


def _of_question(
    one: Question, named: Mapping[str, str], asked: Mapping[str, Question], section: str
) -> _Field:
    name, codes = named[one.id], _codes(one)
    several = one.kind == "multiple"
    kind, choices, format_ = "notes", "", ""
    if codes:
        kind = "checkbox" if several else _FIXED.get(tuple(codes), "radio")
        kind = kind if several or [*codes.values()] == ["1", "0"] else "radio"
        written = (f"{code}, {_choice_label(one, option)}" for option, code in codes.items())
        choices = " | ".join(written) if kind in ("radio", "checkbox") else ""
    elif one.kind == "number":
        kind, format_ = "text", "number"
    elif one.kind == "short_text":
        kind = "text"
    logic = ""
    if one.only_if and one.only_if[0] in named:
        other, is_ = one.only_if
        logic = f"[{named[other]}] = '{_codes(asked[other])[is_]}'"
    limits = {
        end: _number(value) if value is not None and format_ else ""
        for end, value in (("least", one.minimum), ("most", one.maximum))
    }
    note = " ".join(filter(None, [one.help, f"({one.unit})" if one.unit else ""]))
    row = _row(
        name=name,
        section=section,
        type=kind,
        label=one.text,
        choices=choices,
        note=note,
        format=format_,
        logic=logic,
        required="y" if one.required else "",
        **limits,
    )

    def read(_: str, said: exported_items_and_judgments.Said) -> list[str]:
        answer: Any = said.value.answers.get(one.id)
        if several:
            ticked = None if answer is None else set(answer)
            return ["" if ticked is None else str(int(option in ticked)) for option in codes]
        if answer is None:
            return [""]
        # A scale's answer is a number.
        if codes:
            return [codes.get(str(answer), "")]
        return [_number(answer) if one.kind == "number" else _inert(str(answer))]

    columns = [_column_of_choice(name, code) for code in codes.values()] if several else [name]
    return _Field(row, columns, read)


def _codes(one: Question) -> dict[str, str]:
    """The code of each option, as the study's file or else their order says; empty if the answer
    is written.
    """
    if one.kind == "scale":
        points = {str(point): str(point) for point in one.points_of_scale}
        return points | ({NOT_APPLICABLE: _NOT_APPLICABLE_CODE} if one.not_applicable else {})
    if one.kind == "yes_no":
        return _CODES_OF_YES_NO
    codes = dict(zip(one.options, one.codes, strict=True)) if one.codes else {}
    # REDCap takes some characters of a code for the same in the names of columns.
    if len({_column_of_choice("", code) for code in codes.values()}) < len(one.options):
        codes = {option: str(at) for at, option in enumerate(one.options, 1)}
    return codes


def _column_of_choice(name: str, code: str) -> str:
    return f"{name}___{re.sub(r'[^a-z0-9_]', '_', code.lower())}"


def _choice_label(one: Question, option: str) -> str:
    if one.kind == "scale":
        ends = {f"{one.minimum:g}": one.low, f"{one.maximum:g}": one.high}
        return f"{option}: {_words(ends[option])}" if ends.get(option) else option
    return _words(option).replace("|", "/")


def _free_name(name: str, taken: set[str]) -> str:
    """A name that REDCap takes for a field, and that no other field has."""
    plain = re.sub(r"_+", "_", re.sub(r"[^a-z0-9]+", "_", name.lower())).strip("_")
    plain = plain if plain[:1].isalpha() else f"field_{plain}".rstrip("_")
    found, again = plain[:_LONGEST_NAME], 1
    while found in taken:
        again += 1
        found = f"{plain[: _LONGEST_NAME - 4]}_{again}"
    taken.add(found)
    return found


def _text(
    name: str,
    label: str,
    taken: set[str],
    read: Callable[[str, exported_items_and_judgments.Said], str],
    *,
    format_: str = "",
    identifier: str = "",
) -> _Field:
    free = _free_name(name, taken)
    row = _row(name=free, type="text", label=label, format=format_, identifier=identifier)
    return _Field(row, [free], lambda item, said: [_inert(read(item, said))])


def _inert(text: str) -> str:
    """A text that a spreadsheet opens without running it, whatever separates its cells; a lead may
    look at the records in one.
    """
    return neutralise_formulas(text)


_PLACES = (
    *("name", "form", "section", "type", "label", "choices", "note", "format", "least", "most"),
    *("identifier", "logic", "required"),
)


def _row(**cells: str) -> list[str]:
    """A line of the dictionary."""
    written = {"form": FORM, **cells}
    for name in ("section", "label", "note"):
        written[name] = _inert(_words(written.get(name, "")))
    # A code may begin with a minus.
    if written.get("choices", "").lstrip().startswith(("=", "+", "@")):
        written["choices"] = _inert(written["choices"])
    row = [written.get(name, "") for name in _PLACES]
    return [*row, *[""] * (len(HEADINGS) - len(row))]


def _words(words: str) -> str:
    """Words on one line, in which REDCap finds no HTML."""
    return re.sub(r"&(?=#?\w+;)", "&amp;", " ".join(words.split())).replace("<", "&lt;")


def _number(value: float) -> str:
    """A number without an exponent and without a decimal that is 0."""
    return str(int(value)) if value == int(value) else f"{value:.15f}".rstrip("0")


def _csv(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(headings)
    writer.writerows(rows)
    return out.getvalue()
