"""Converts an Argilla dataset into a study: its settings, and its records with responses and
suggestions.

Source: Argilla's documentation of its settings and records, and what version 2.8.0 writes: records
as JSON, nested, or as a Hugging Face dataset (Parquet, JSON lines or Arrow) with columns such as
``QUESTION.responses``. Version 1.29.1 writes the settings of a FeedbackDataset as YAML, and its
records as a Hugging Face dataset with columns such as ``QUESTION-suggestion``. Argilla's pages,
where people mark, count a mark's position in UTF-16 units; its Python package, which models use,
counts code points (argilla-io/argilla, issue 5729).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from medlens.config.forms import LONGEST_SCALE, SpanLabel
from medlens.errors import BadFile
from medlens.studies.own.converted import (
    Asked,
    Converted,
    Project,
    Shown,
    beside,
    code_points,
    mark,
    refuse,
    yaml_of,
)
from medlens.studies.own.drafting import id_of_words
from medlens.tables.limits import UNPACKED, json_lines, json_value, why_unread

_SETTINGS = 'Write them with: dataset.settings.to_json("settings.json"). Argilla 1: argilla.yaml.'
_RECORDS = 'Write them with: dataset.records.to_datasets().to_parquet("records.parquet").'
_SHOWN = {"text": "text", "chat": "dialogue"}
_BEYOND_A_UNIT = "\uffff"


def convert(title: str, settings: bytes, *records: bytes) -> Converted:
    """Convert a dataset into a study with that title.

    Raises:
        BadFile: one of the files is not from Argilla, or has something MedLens cannot show, ask or
            keep; names it.
    """
    return _Dataset(title, settings).read([row for one in records for row in _rows(one)])


# -- files -----------------------------------------------------------------------------------------


def _rows(content: bytes) -> Iterator[dict[str, Any]]:
    """The records of a file, unchanged."""
    try:
        if content.startswith(b"PAR1"):
            table = pq.ParquetFile(pa.BufferReader(content))
            meta = table.metadata
            size = sum(meta.row_group(at).total_byte_size for at in range(meta.num_row_groups))
            if size > UNPACKED:
                raise refuse(f"The records are more than {UNPACKED >> 20:,} MB once unpacked.")
            yield from _of_arrow(table.iter_batches(1_000), table.schema_arrow)
        elif content.startswith(b"\xff\xff\xff\xff"):
            with pa.ipc.open_stream(pa.BufferReader(content)) as stream:
                yield from _of_arrow(stream, stream.schema)
        else:
            text = content.decode("utf-8-sig")
            found = json_value(text) if text.lstrip().startswith("[") else json_lines(text)
            if not all(isinstance(one, dict) for one in found):
                raise refuse("The records are not a list.", _RECORDS)
            yield from found
    except (pa.ArrowException, OSError) as error:
        said = "The records cannot be read: the file is damaged or cut short."
        raise refuse(said, _RECORDS) from error
    except ValueError as error:
        raise refuse(f"The records cannot be read: {why_unread(error)}.", _RECORDS) from error


def _of_arrow(batches: Any, schema: pa.Schema) -> Iterator[dict[str, Any]]:
    # Here a label is a number; its name is in the schema metadata that Hugging Face adds.
    told = json_value((schema.metadata or {}).get(b"huggingface", b"{}").decode())
    features = told.get("info", {}).get("features", {})
    names = {
        column: one["names"]
        for column, one in features.items()
        if isinstance(one, dict) and one.get("_type") == "ClassLabel"
    }
    for batch in batches:
        for row in batch.to_pylist():
            for column, called in names.items():
                at = row.get(column)
                if isinstance(at, int):
                    row[column] = called[at] if 0 <= at < len(called) else None
            yield row


# -- as a study ------------------------------------------------------------------------------------


@dataclass
class _Said:
    """What a person or a model said of a record, by question."""

    answers: dict[str, Any] = field(default_factory=dict)
    submitted: bool = True


class _Dataset:
    def __init__(self, title: str, settings: bytes) -> None:
        try:
            written = settings.decode("utf-8-sig")
            is_json = written.lstrip().startswith("{")
            told = json_value(written) if is_json else yaml_of(settings)
            fields = {one["name"]: one["settings"] for one in _with_settings(told["fields"])}
            questions = {one["name"]: one for one in _with_settings(told["questions"])}
        except (
            *(ValueError, TypeError, KeyError, AttributeError),
            *(yaml.YAMLError, RecursionError),
        ) as error:
            raise refuse("The settings are not as Argilla writes them.", _SETTINGS) from error
        self._project = Project("Argilla", title, str(told.get("guidelines") or ""), (), ())
        self._questions: dict[str, Asked] = {}
        self._values: dict[str, dict[Any, Any]] = {}
        spans = [one for one in questions.values() if one["settings"].get("type") == "span"]
        if len(spans) > 1:
            raise refuse("The settings have two questions of spans; a study has one text to mark.")
        self._spans = spans[0]["name"] if spans else ""
        self._project.marked = marked = spans[0]["settings"]["field"] if spans else ""
        self._labels: dict[str, SpanLabel] = {}
        for at, one in enumerate(spans[0]["settings"]["options"] if spans else (), 1):
            self._labels[one["value"]] = SpanLabel(
                f"label_{at}", str(one.get("text") or one["value"])
            )
        self._project.labels = [*self._labels.values()]
        left_out = self._project.left_out
        shown = []
        for name, one in fields.items():
            kind = _SHOWN.get(one.get("type"), "")
            if not kind:
                left_out["Fields of images, tables or pages, left out"] += 1
            elif kind == "text" and one.get("use_markdown") and name != marked:
                kind = "markdown"
            shown += [Shown(name, kind)] if kind else []
        if not shown or (marked and marked not in {one.column for one in shown}):
            raise refuse("The settings have no text that MedLens can show.", _SETTINGS)
        self._shown = shown
        for name, one in questions.items():
            kind = one["settings"].get("type")
            if kind == "ranking":
                left_out["Questions that rank options, left out"] += 1
            elif kind != "span":
                at = len(self._questions) + 1
                self._questions[name] = _asked(f"q{at}_{id_of_words(name)}", one)
        if not (self._questions or spans):
            raise refuse("The settings ask nothing that MedLens can ask.", _SETTINGS)

    def read(self, rows: Sequence[Mapping[str, Any]]) -> Converted:
        project = self._project
        if not rows:
            raise refuse("There are no records.", _RECORDS)
        rows = [self._as_version_2(row) for row in rows]
        known = {one.column for one in self._shown}
        if not any(known & {*row, *_fields(row)} for row in rows):
            raise refuse(
                f"The records have none of the fields of the settings: {', '.join(sorted(known))}.",
                "Choose the settings and the records of one dataset.",
            )
        more = [self._more(row) for row in rows]
        cells: dict[str, list[str]] = {}
        for told in more:
            for name, cell in told.items():
                cells.setdefault(name, []).append(cell)
        columns = beside(cells, [one.column for one in self._shown])
        project.shown = [*self._shown, *columns.values()]
        project.asked = [*self._questions.values()]
        for at, (row, told) in enumerate(zip(rows, more, strict=True), 1):
            name = str(row.get("id") or f"record-{at}")
            fields = _fields(row)
            item: dict[str, Any] = {"item": name}
            for one in self._shown:
                item[one.column] = _cell(fields.get(one.column), one, name)
            item |= {shown.column: told.get(of, "") for of, shown in columns.items()}
            project.items.append(item)
            for who, model, said in self._said(row):
                where = f"{name}, {who}"
                if not said.submitted:
                    project.left_out["Responses that are drafts or discarded, left out"] += 1
                    continue
                answers = {
                    self._questions[of].id: _answer(self._questions[of], value, where)
                    for of, value in said.answers.items()
                    if of in self._questions
                }
                marks = []
                if self._spans:
                    text = str(item[project.marked])
                    given = said.answers.get(self._spans)
                    if model and given is None:
                        # Taking it without marks would mean that the model found nothing.
                        project.left_out["Suggestions by who did not mark the text, left out"] += 1
                        continue
                    marks = self._marks(given, text, where, model=model)
                if answers or marks or self._spans in said.answers:
                    project.judge(name, who, answers, marks, where=where, model=model)
        return project.converted()

    def _as_version_2(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """A record; one that version 1 wrote, nested as version 2 does."""
        asked = [*self._questions, *([self._spans] if self._spans else [])]
        if not any(f"{name}-suggestion" in row for name in asked):
            return row
        try:
            told = row.get("metadata")
            return {
                "id": row.get("external_id"),
                "fields": row,
                "metadata": json_value(told) if isinstance(told, str) else told,
                "responses": {
                    name: [one | {"value": _listed(one["value"])} for one in row.get(name) or ()]
                    for name in asked
                },
                "suggestions": {
                    name: {
                        "value": _listed(row.get(f"{name}-suggestion")),
                        "agent": (row.get(f"{name}-suggestion-metadata") or {}).get("agent"),
                    }
                    for name in asked
                },
            }
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise refuse(f"A record is not as Argilla writes them: {error}.", _RECORDS) from error

    def _more(self, row: Mapping[str, Any]) -> dict[str, str]:
        """A record's metadata; in flat records, every column that is not something else."""
        told = row.get("metadata")
        if not isinstance(row.get("fields"), dict):
            known = {"id", "status", "_server_id", *(one.column for one in self._shown)}
            told = {
                name: cell
                for name, cell in row.items()
                if name not in known and ".responses" not in name and ".suggestion" not in name
            }
        return {
            str(name): str(cell)
            for name, cell in (told.items() if isinstance(told, dict) else ())
            if isinstance(cell, str | int | float) and str(cell).strip()
        }

    def _said(self, row: Mapping[str, Any]) -> Iterator[tuple[str, bool, _Said]]:
        """Who said what about a record, and whether they are a model."""
        people: dict[str, _Said] = {}
        models: dict[str, _Said] = {}
        nested = isinstance(row.get("responses"), dict)
        for question in (*self._questions, *([self._spans] if self._spans else [])):
            if nested:
                given = row["responses"].get(question) or []
                whose = [str(one.get("user_id")) for one in given]
                states = [one.get("status") for one in given]
                values = [one.get("value") for one in given]
                whole = (row.get("suggestions") or {}).get(question) or {}
                suggested, agent = whole.get("value"), whole.get("agent")
            else:
                column = f"{question}.responses"
                values = row.get(column) or []
                whose = list(map(str, row.get(f"{column}.users") or []))
                states = row.get(f"{column}.status") or [None] * len(values)
                suggested = row.get(f"{question}.suggestion")
                agent = row.get(f"{question}.suggestion.agent")
            if not len(whose) == len(states) == len(values):
                raise refuse(f"{row.get('id')}: not every response to {question!r} has its person.")
            for who, state, value in zip(whose, states, values, strict=True):
                said = people.setdefault(f"Annotator {who}", _Said())
                said.submitted &= state in (None, "submitted")
                said.answers |= {} if value is None else {question: value}
            if suggested is not None:
                said = models.setdefault(str(agent or "Argilla's suggestions"), _Said())
                said.answers[question] = suggested
        yield from ((who, False, said) for who, said in people.items())
        yield from ((who, True, said) for who, said in models.items())

    def _marks(self, given: Any, text: str, where: str, *, model: bool) -> list[dict[str, Any]]:
        found = []
        for one in given or []:
            try:
                start, end, label = int(one["start"]), int(one["end"]), self._labels[one["label"]]
            except (KeyError, TypeError, ValueError) as error:
                raise refuse(f"{where}: a mark without a place or a label: {one}.") from error
            if any(sign > _BEYOND_A_UNIT for sign in text[:end]):
                told = (
                    "Marks behind an emoji, counted as Argilla's pages do, or its package (models)"
                )
                self._project.left_out[told] += 1
                if not model:
                    start, end = (code_points(text, at) for at in (start, end))
            if not 0 <= start < end <= len(text):
                raise refuse(f"{where}: the mark {one} is not in the text.")
            found.append(mark(text, start, end, [label.id], where))
        return found


def _with_settings(given: Any) -> list[dict[str, Any]]:
    """Fields or questions with settings as version 2 has them; version 1 has none of their own."""
    found = []
    for one in given:
        labels = one.get("labels", one.get("values")) or []
        labels = labels.items() if isinstance(labels, dict) else ((each, each) for each in labels)
        options = [
            value if isinstance(value, dict) else {"value": value, "text": text}
            for value, text in labels
        ]
        found.append({"settings": one | {"options": options}} | one)
    return found


def _listed(value: Any) -> Any:
    """Marks as a list; version 1 has a list for each of their parts."""
    if not isinstance(value, dict):
        return value
    return [dict(zip(value, each, strict=True)) for each in zip(*value.values(), strict=True)]


def _asked(name: str, told: Mapping[str, Any]) -> Asked:
    settings = told["settings"]
    text = str(told.get("title") or told["name"])
    options = {
        one["value"]: str(one.get("text") or one["value"]) for one in settings.get("options") or []
    }
    kind = settings.get("type")
    if kind == "text":
        return Asked(name, "long_text", text)
    if kind == "rating":
        points = sorted(options)
        whole = all(isinstance(one, int) for one in points)
        if not whole or len(points) < 2 or len(points) > LONGEST_SCALE:
            raise refuse(f"{told['name']!r} rates from {points[:1]} to {points[-1:]}.")
        if points != list(range(points[0], points[-1] + 1)):
            raise refuse(f"{told['name']!r} rates with numbers that are not consecutive.")
        ends = (f"minimum = {points[0]}", f"maximum = {points[-1]}")
        lines = (*ends, f'low = "{points[0]}"', f'high = "{points[-1]}"')
        return Asked(name, "scale", text, lines=lines)
    if kind not in ("label_selection", "multi_label_selection"):
        raise refuse(f"MedLens has no counterpart for the question {told['name']!r} ({kind}).")
    return Asked(name, "single" if kind == "label_selection" else "multiple", text, options)


def _answer(asked: Asked, value: Any, where: str) -> Any:
    if asked.options:
        return asked.answered(value if isinstance(value, list) else [value], where)
    return value if asked.kind == "scale" else str(value)


def _fields(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a record; flat records hold them themselves."""
    return row["fields"] if isinstance(row.get("fields"), dict) else row


def _cell(cell: Any, shown: Shown, where: str) -> Any:
    if shown.kind != "dialogue":
        return "" if cell is None else str(cell)
    turns = json_value(cell) if isinstance(cell, str) and cell else cell or []
    if not isinstance(turns, list) or not all(isinstance(one, dict) for one in turns):
        raise BadFile(f"{where}: {shown.column!r} has no turns.")
    return [
        {"role": str(one.get("role")), "content": str(one.get("content") or "")} for one in turns
    ]
