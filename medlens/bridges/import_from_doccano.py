"""A doccano project, from its export as JSON lines: one file, or the zip with a file for each
annotator.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    file_contents_by_name_in_project_zip,
    hidden_column_by_field_name,
    make_mark_at_code_points,
    make_unfit_project_error,
    parse_json_lines_and_list_unfit,
    quote_value_for_message,
)
from medlens.config.question_forms_and_answer_checks import SpanLabel
from medlens.studies.own.bridge_registry import Converted
from medlens.tables import parse_json_value
from medlens.tables.read_limits import read_error_in_words

_TEXTS = ("text", "data")
_LABELS = ("label", "labels", "entities", "annotations", "cats")
_NOT_SHOWN = frozenset([*_TEXTS, *_LABELS, "id", "Comments", "comments", "relations"])
_NOBODY = frozenset(["", "all", "unknown", "data", "dataset", "export", "project"])
"""Names of files that stand for no annotator."""
_UNKNOWN = "Annotator without a name"
_MOST_CLASSES, _LONGEST_CLASS = 60, 80
_CLASSES, _WORDS, _FINE = "classes", "words", "fine"
_Mark = tuple[Any, Any, str]


def convert_doccano_project_to_study_and_notes(title: str, export: bytes) -> Converted:
    """A doccano project as a study of that title: passages with labels, or classes, or words for
    each text. What does not fit is left out and told.

    Raises:
        BadFile: it is no such export, or has no text.
    """
    return _Export(title).read(export)


class _Export:
    def __init__(self, title: str) -> None:
        self._title = title
        self._broken: list[Unfit] = []
        self._rows: list[tuple[str, str, dict[str, Any]]] = []
        """Annotator, place and record."""

    def read(self, export: bytes) -> Converted:
        if export.startswith(b"PK"):
            for name, content in file_contents_by_name_in_project_zip(
                export, ".jsonl", ".json"
            ).items():
                self._take(PurePath(name).stem, PurePath(name).name, content)
        else:
            self._take("", "The export", export)
        if not any(self._text(row) for _, _, row in self._rows):
            raise make_unfit_project_error(
                "This is not an export from doccano: no line of it has a text.",
                "Export the project's dataset in doccano as JSONL, and give that file or its zip.",
            )
        every = [label for _, _, row in self._rows for label in self._labels(row)]
        marks = [label for label in every if isinstance(label, tuple)]
        names = list(dict.fromkeys(label[2] for label in marks))
        classes = list(dict.fromkeys(label for label in every if isinstance(label, str)))
        few = len(classes) <= _MOST_CLASSES and all(len(one) <= _LONGEST_CLASS for one in classes)
        asked = []
        if classes and few and (len(classes) > 1 or not marks):
            options = dict(zip(classes, classes, strict=True))
            # A question has two options at least.
            options |= {} if len(options) > 1 else {"\0": "None of these"}
            asked = [ProjectQuestion(_CLASSES, "multiple", "Which of these does it have?", options)]
        elif classes and not marks:
            # A study has a question that can be counted.
            asked = [
                ProjectQuestion(_WORDS, "long_text", "What should be written for it?"),
                ProjectQuestion(_FINE, "yes_no", "Is the text fine as it is?"),
            ]
        further = self._further()
        project = ProjectConversion(
            "doccano",
            self._title,
            "Read the text, then answer.",
            [Shown("text"), *further.values()],
            asked,
            marked="text" if marks else "",
            labels=[SpanLabel(f"label_{at}", name) for at, name in enumerate(names, 1)],
        )
        for fault in self._broken:
            project.count_left_out_part(fault)
        if any(one.id == _FINE for one in asked):
            project.left_out["Questions added, as a study has one that can be counted"] = 1
        ids = {name: f"label_{at}" for at, name in enumerate(names, 1)}
        for who, where, row in self._rows:
            self._add(project, who, where, row, further, ids)
        return project.make_converted_study()

    def _take(self, annotator: str, file: str, content: bytes) -> None:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self._broken.append(
                Unfit("Files that cannot be read", f"{file}: {read_error_in_words(error)}")
            )
            return
        who = "" if annotator.casefold() in _NOBODY else annotator
        if text.lstrip().startswith("["):
            try:
                values = list(enumerate(parse_json_value(text), 1))
            except ValueError as error:
                self._broken.append(
                    Unfit("Files that cannot be read", f"{file}: {read_error_in_words(error)}")
                )
                return
        else:
            values, broken = parse_json_lines_and_list_unfit(text, file)
            self._broken += broken
        for at, value in values:
            where = f"{file}, line {at:,}"
            if isinstance(value, dict):
                self._rows.append((who, where, value))
            else:
                self._broken.append(Unfit("Lines that are not records", where))

    @staticmethod
    def _text(row: Mapping[str, Any]) -> str:
        return next((row[name] for name in _TEXTS if isinstance(row.get(name), str)), "")

    @staticmethod
    def _labels(row: Mapping[str, Any]) -> list[_Mark | str | None]:
        """A record's labels: marks with start, end and label, classes or words; None for each that
        cannot be read.
        """
        given: Any = next((row[name] for name in _LABELS if row.get(name)), [])
        return [_label(one) for one in (given if isinstance(given, list) else [given])]

    def _further(self) -> dict[str, Shown]:
        """The records' other fields, as columns that no pane shows."""
        cells: dict[str, list[str]] = {}
        for _, _, row in self._rows:
            for name, value in row.items():
                if name not in _NOT_SHOWN:
                    cells.setdefault(name, []).append(_plain(value))
        return hidden_column_by_field_name(cells, ["text"])

    def _add(
        self,
        project: ProjectConversion,
        who: str,
        where: str,
        row: Mapping[str, Any],
        further: Mapping[str, Shown],
        ids: Mapping[str, str],
    ) -> None:
        text = self._text(row)
        if not text.strip():
            project.count_left_out_part(Unfit("Records without a text", where))
            return
        name = row.get("id")
        named = f"text-{name}" if isinstance(name, int | str) and name != "" else where
        cells = {shown.column: _plain(row.get(field)) for field, shown in further.items()}
        item = project.add_item_and_return_name(named, {"text": text, **cells})
        marks = []
        classes: list[str] = []
        for label in self._labels(row):
            with project.leave_out_faulty_part_within():
                if label is None:
                    raise Unfit("Labels that cannot be read", where)
                if isinstance(label, str):
                    classes.append(label)
                    continue
                marks.append(_mark(text, label, ids, where))
        answers: dict[str, Any] = {}
        with project.leave_out_faulty_part_within():
            for asked in project.asked:
                if asked.id == _CLASSES:
                    answers[asked.id] = (
                        project.read_chosen_options_as_answer_text(asked, classes, where)
                        if classes
                        else None
                    )
                elif asked.id == _WORDS:
                    answers[asked.id] = "\n".join(classes) or None
            if classes and not project.asked:
                raise Unfit("Labels without a passage, where passages are marked", where)
        if row.get("relations"):
            project.count_left_out_part(Unfit("Relations between marks", where))
        if row.get("Comments") or row.get("comments"):
            project.count_left_out_part(Unfit("Comments", where))
        # A text that nobody has worked on has no judgment.
        if marks or any(answers.values()):
            told = f"{where}, {named}"
            project.add_judgment(item, who or _UNKNOWN, answers, marks, where=told)
        else:
            project.left_out["Texts without a label, which are items to be judged"] += 1


def _label(given: Any) -> _Mark | str | None:
    if isinstance(given, list) and len(given) == 3:
        return given[0], given[1], _plain(given[2])
    if isinstance(given, dict):
        start, end = given.get("start_offset"), given.get("end_offset")
        label = given.get("label", given.get("text"))
        if label is None or isinstance(label, list | dict):
            return None
        return (start, end, _plain(label)) if start is not None else _plain(label)
    return _plain(given) if isinstance(given, str | int) and _plain(given) else None


def _mark(text: str, label: _Mark, ids: Mapping[str, str], where: str) -> dict[str, Any]:
    start, end, name = label
    whole = all(isinstance(at, int) and not isinstance(at, bool) for at in (start, end))
    if not whole or not 0 <= start < end <= len(text):
        raise Unfit(
            "Marks that do not fit the text",
            f"{where}: {quote_value_for_message([start, end, name])}",
        )
    return make_mark_at_code_points(text, start, end, [ids[name]], where)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return "" if value is None else json.dumps(value, ensure_ascii=False)
