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

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    code_point_position_of_utf16_position,
    hidden_column_by_field_name,
    make_mark_at_code_points,
    make_unfit_project_error,
    parse_finite_number,
    parse_json_lines_and_list_unfit,
    parse_yaml,
    quote_value_for_message,
)
from medlens.config.question_forms_and_answer_checks import LONGEST_SCALE, SpanLabel
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
)
from medlens.tables.read_limits import UNPACKED, parse_json_value, read_error_in_words

_SETTINGS = 'Write them with: dataset.settings.to_json("settings.json"). Argilla 1: argilla.yaml.'
_RECORDS = 'Write them with: dataset.records.to_datasets().to_parquet("records.parquet").'
_SHOWN = {"text": "text", "chat": "dialogue"}
_BEYOND_A_UNIT = "\uffff"


def convert_argilla_dataset_to_study_and_notes(
    title: str, settings: bytes, *records: bytes
) -> Converted:
    """Convert a dataset into a study with that title.

    Raises:
        BadFile: one of the files is not from Argilla, or has something MedLens cannot show, ask or
            keep; names it.
    """
    return _Dataset(title, settings).read([row for file in records for row in _rows(file)])


# -- files -----------------------------------------------------------------------------------------


def _rows(content: bytes) -> Iterator[Any]:
    """The records of a file, unchanged, and an ``Unfit`` for each line that cannot be read."""
    try:
        if content.startswith(b"PAR1"):
            table = pq.ParquetFile(pa.BufferReader(content))
            meta = table.metadata
            size = sum(meta.row_group(at).total_byte_size for at in range(meta.num_row_groups))
            if size > UNPACKED:
                raise make_unfit_project_error(
                    f"The records are more than {UNPACKED >> 20:,} MB once unpacked."
                )
            yield from _of_arrow(table.iter_batches(1_000), table.schema_arrow)
        elif content.startswith(b"\xff\xff\xff\xff"):
            with pa.ipc.open_stream(pa.BufferReader(content)) as stream:
                yield from _of_arrow(stream, stream.schema)
        else:
            text = content.decode("utf-8-sig")
            if text.lstrip().startswith("["):
                yield from parse_json_value(text)
                return
            found, broken = parse_json_lines_and_list_unfit(text, "The records")
            if broken and not found:
                raise make_unfit_project_error(
                    f"The records cannot be read: {broken[0].where}.", _RECORDS
                )
            yield from (value for _, value in found)
            yield from broken
    except (pa.ArrowException, OSError) as error:
        said = "The records cannot be read: the file is damaged or cut short."
        raise make_unfit_project_error(said, _RECORDS) from error
    except ValueError as error:
        raise make_unfit_project_error(
            f"The records cannot be read: {read_error_in_words(error)}.", _RECORDS
        ) from error


def _of_arrow(batches: Any, schema: pa.Schema) -> Iterator[dict[str, Any]]:
    # Here a label is a number; its name is in the schema metadata that Hugging Face adds.
    told = parse_json_value((schema.metadata or {}).get(b"huggingface", b"{}").decode())
    info = told.get("info") if isinstance(told, dict) else None
    features = info.get("features") if isinstance(info, dict) else None
    names = {
        column: one["names"]
        for column, one in (features.items() if isinstance(features, dict) else ())
        if isinstance(one, dict) and isinstance(one.get("names"), list)
    }
    for batch in batches:
        # What a damaged file says of its texts' places would be read from anywhere in memory.
        batch.validate(full=True)
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
            told = parse_json_value(written) if is_json else parse_yaml(settings)
        except ValueError as error:
            raise make_unfit_project_error(
                f"The settings are not as Argilla writes them: {read_error_in_words(error)}.",
                _SETTINGS,
            ) from error
        if not isinstance(told, dict):
            raise make_unfit_project_error(
                "The settings are not as Argilla writes them: not an object.", _SETTINGS
            )
        guidelines = told.get("guidelines")
        guidelines = guidelines if isinstance(guidelines, str) else ""
        self._project = ProjectConversion("Argilla", title, guidelines, (), ())
        left_out = self._project.left_out
        fields = {name: one["settings"] for name, one in _with_settings(told, "fields").items()}
        questions = _with_settings(told, "questions")
        self._questions: dict[str, ProjectQuestion] = {}
        self._spans = self._text_to_mark(questions, fields)
        asking: dict[str, Any] = questions[self._spans]["settings"] if self._spans else {}
        self._project.marked = marked = _text_in(asking.get("field"))
        self._labels = {
            value: SpanLabel(f"label_{at}", words)
            for at, (value, words) in enumerate((asking.get("options") or {}).items(), 1)
        }
        self._project.labels = [*self._labels.values()]
        shown = []
        for name, one in fields.items():
            kind = _SHOWN.get(_text_in(one.get("type")), "")
            if not kind:
                left_out["Fields of images, tables or pages, left out"] += 1
            elif kind == "text" and one.get("use_markdown") and name != marked:
                kind = "markdown"
            shown += [Shown(name, kind)] if kind else []
        if not shown:
            raise make_unfit_project_error(
                "The settings have no text that MedLens can show.", _SETTINGS
            )
        self._shown = shown
        for name, one in questions.items():
            kind = one["settings"].get("type")
            if kind == "ranking":
                left_out["Questions that rank options, left out"] += 1
            elif kind != "span":
                at = len(self._questions) + 1
                with self._project.leave_out_faulty_part_within():
                    self._questions[name] = _asked(f"q{at}_{make_id_from_name(name)}", name, one)
        if not (self._questions or self._spans):
            why = "; ".join(
                " ".join([what, *(f"({place})" for place in self._project.places.get(what, ()))])
                for what in left_out
            )
            raise make_unfit_project_error(
                f"The settings ask nothing that MedLens can ask{f': {why}' if why else ''}.",
                "Choose a dataset that asks for a label, a rating, words or spans of a text.",
            )

    def _text_to_mark(
        self, questions: Mapping[str, dict[str, Any]], fields: Mapping[str, dict[str, Any]]
    ) -> str:
        """The first question of spans that a study can ask, empty for none; the others are left
        out.
        """
        found = ""
        for name, one in questions.items():
            if not _is_span(one):
                continue
            of = _text_in(one["settings"].get("field"))
            kind = _text_in(fields.get(of, {}).get("type"))
            place = f"{name}: {of or 'no field'}{f', {kind}' if kind else ''}"
            fault = ""
            if _SHOWN.get(kind) != "text":
                fault = "Questions of spans in a field that is not text"
            elif not one["settings"].get("options"):
                fault = "Questions of spans without a label"
            elif found:
                fault = "Further questions of spans, as a study has one text to mark"
            if fault:
                self._project.count_left_out_part(Unfit(fault, place))
            else:
                found = name
        return found

    def read(self, given: Sequence[Any]) -> Converted:
        project = self._project
        if not given:
            raise make_unfit_project_error("There are no records.", _RECORDS)
        rows: list[Mapping[str, Any]] = []
        for at, row in enumerate(given, 1):
            if isinstance(row, dict):
                rows.append(row)
            elif isinstance(row, Unfit):
                project.count_left_out_part(row)
            else:
                place = f"record {at}: {quote_value_for_message(row)}"
                project.count_left_out_part(Unfit("Records that are not objects", place))
        if not rows:
            raise make_unfit_project_error("The records are not a list of objects.", _RECORDS)
        rows = [self._as_version_2(row, at) for at, row in enumerate(rows, 1)]
        shown = self._shown
        known = {one.column for one in self._shown}
        if not any(known & {*row, *_fields(row)} for row in rows):
            raise make_unfit_project_error(
                f"The records have none of the fields of the settings: {', '.join(sorted(known))}.",
                "Choose the settings and the records of one dataset.",
            )
        more = [self._more(row) for row in rows]
        cells: dict[str, list[str]] = {}
        for told in more:
            for name, cell in told.items():
                cells.setdefault(name, []).append(cell)
        columns = hidden_column_by_field_name(cells, [one.column for one in self._shown])
        if len(cells) > len(columns):
            project.left_out["Fields of metadata, left out"] = len(cells) - len(columns)
        project.shown = [*self._shown, *columns.values()]
        project.asked = [*self._questions.values()]
        for at, (row, told) in enumerate(zip(rows, more, strict=True), 1):
            given = _text_in(row.get("id")) or f"record-{at}"
            with project.leave_out_faulty_part_within():
                fields = _fields(row)
                item = {one.column: _cell(fields.get(one.column), one, given) for one in shown}
                item |= {of_all.column: told.get(of, "") for of, of_all in columns.items()}
                name = project.add_item_and_return_name(given, item)
                for who, model, said in self._said(row, name):
                    self._judge(name, item, who, said, model=model)
        if not project.items:
            first = next(iter(project.places.values()))[0]
            raise make_unfit_project_error(f"No record can be shown: {first}.", _RECORDS)
        return project.make_converted_study()

    def _judge(
        self, name: str, cells: Mapping[str, Any], who: str, said: _Said, *, model: bool
    ) -> None:
        """Add what somebody said of a record."""
        project, where = self._project, f"{name}, {who}"
        if not said.submitted:
            project.left_out["Responses that are drafts or discarded, left out"] += 1
            return
        answers: dict[str, Any] = {}
        for of, value in said.answers.items():
            if of in self._questions:
                asked = self._questions[of]
                with project.leave_out_faulty_part_within():
                    answers[asked.id] = _answer(project, asked, value, where)
        answers = {of: answer for of, answer in answers.items() if answer is not None}
        marks = []
        if self._spans:
            given = said.answers.get(self._spans)
            if model and given is None:
                # Taking it without marks would mean that the model found nothing.
                project.left_out["Suggestions by agents that did not mark the text, left out"] += 1
                return
            marks = self._marks(given, str(cells[project.marked]), where, model=model)
        if answers or marks or self._spans in said.answers:
            project.add_judgment(name, who, answers, marks, where=where, model=model)

    def _as_version_2(self, row: Mapping[str, Any], at: int) -> Mapping[str, Any]:
        """A record; one that version 1 wrote, nested as version 2 does."""
        asked = [*self._questions, *([self._spans] if self._spans else [])]
        if not any(f"{name}-suggestion" in row for name in asked):
            return row
        project, where = self._project, f"record {at}"
        responses: dict[str, Any] = {}
        suggestions: dict[str, Any] = {}
        for name in asked:
            given = project.read_objects_of_list(row.get(name), "Responses", f"{where}, {name}")
            responses[name] = [one | {"value": _listed(one.get("value"))} for one in given]
            about = row.get(f"{name}-suggestion-metadata")
            suggestions[name] = {
                "value": _listed(row.get(f"{name}-suggestion")),
                "agent": about.get("agent") if isinstance(about, dict) else None,
            }
        told = row.get("metadata")
        try:
            told = parse_json_value(told) if isinstance(told, str) and told.strip() else told
        except ValueError:
            project.count_left_out_part(
                Unfit("Metadata that cannot be read", f"{where}: {quote_value_for_message(told)}")
            )
            told = None
        return {
            "id": row.get("external_id"),
            "fields": row,
            "metadata": told,
            "responses": responses,
            "suggestions": suggestions,
        }

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
        cells = told if isinstance(told, dict) else {}
        nested = [name for name, cell in cells.items() if isinstance(cell, dict | list) and cell]
        for name in nested:
            place = f"{_text_in(row.get('id')) or 'a record'}: {name}"
            self._project.count_left_out_part(
                Unfit("Metadata that is neither text nor number", place)
            )
        return {
            str(name): str(cell)
            for name, cell in cells.items()
            if isinstance(cell, str | int | float) and str(cell).strip()
        }

    def _said(self, row: Mapping[str, Any], name: str) -> Iterator[tuple[str, bool, _Said]]:
        """Who said what about a record, and whether they are a model."""
        project = self._project
        people: dict[str, _Said] = {}
        models: dict[str, _Said] = {}
        nested = isinstance(row.get("responses"), dict)
        suggestions = row.get("suggestions")
        suggestions = suggestions if isinstance(suggestions, dict) else {}
        for question in (*self._questions, *([self._spans] if self._spans else [])):
            where = f"{name}, {question}"
            if nested:
                given = project.read_objects_of_list(
                    row["responses"].get(question), "Responses", where
                )
                whose = [one.get("user_id") for one in given]
                states = [one.get("status") for one in given]
                values = [one.get("value") for one in given]
                whole = suggestions.get(question)
                whole = whole if isinstance(whole, dict) else {"value": whole}
                suggested, agent = whole.get("value"), whole.get("agent")
            else:
                column = f"{question}.responses"
                values = _list_in(row.get(column))
                whose = _list_in(row.get(f"{column}.users"))
                states = _list_in(row.get(f"{column}.status")) or [None] * len(values)
                suggested = row.get(f"{question}.suggestion")
                agent = row.get(f"{question}.suggestion.agent")
            if not len(whose) == len(states) == len(values):
                project.count_left_out_part(Unfit("Responses that do not say who gave them", where))
                whose, states, values = [], [], []
            for number, (who, state, value) in enumerate(
                zip(whose, states, values, strict=True), 1
            ):
                person = _text_in(who) or f"without a name {number}"
                said = people.setdefault(f"Annotator {person}", _Said())
                said.submitted &= state in (None, "submitted")
                said.answers |= {} if value is None else {question: value}
            if suggested is not None:
                said = models.setdefault(_text_in(agent) or "Argilla's suggestions", _Said())
                said.answers[question] = suggested
        yield from ((who, False, said) for who, said in people.items())
        yield from ((who, True, said) for who, said in models.items())

    def _marks(self, given: Any, text: str, where: str, *, model: bool) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for one in self._project.read_objects_of_list(given, "Marks", where):
            with self._project.leave_out_faulty_part_within():
                found.append(self._mark(one, text, where, model=model))
        return found

    def _mark(
        self, one: Mapping[str, Any], text: str, where: str, *, model: bool
    ) -> dict[str, Any]:
        place = f"{where}: {quote_value_for_message(one)}"
        called = one.get("label")
        label = self._labels.get(called) if isinstance(called, str | int) else None
        if label is None:
            raise Unfit("Marks without a label of the settings", place)
        start, end = parse_finite_number(one.get("start")), parse_finite_number(one.get("end"))
        if not isinstance(start, int) or not isinstance(end, int):
            raise Unfit("Marks without a place in the text", place)
        if any(sign > _BEYOND_A_UNIT for sign in text[: max(end, 0)]):
            told = "Marks behind an emoji, counted as Argilla's pages do, or its package (models)"
            self._project.left_out[told] += 1
            if not model:
                start, end = (
                    code_point_position_of_utf16_position(text, at) for at in (start, end)
                )
        if not 0 <= start < end <= len(text):
            raise Unfit("Marks that are not in the text", place)
        return make_mark_at_code_points(text, start, end, [label.id], where)


def _text_in(value: Any) -> str:
    """A text or number as text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return str(value).strip()


def _list_in(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_span(question: Mapping[str, Any]) -> bool:
    return bool(question["settings"].get("type") == "span")


def _with_settings(told: Mapping[str, Any], what: str) -> dict[str, dict[str, Any]]:
    """Fields or questions by name, with settings as version 2 has them; version 1 has none of their
    own. Their ``options`` are words by value.
    """
    given = told.get(what)
    if not isinstance(given, list) or not given:
        raise make_unfit_project_error(f"The settings have no list of {what}.", _SETTINGS)
    found: dict[str, dict[str, Any]] = {}
    for at, one in enumerate(given, 1):
        name = _text_in(one.get("name")) if isinstance(one, dict) else ""
        if not name or name in found:
            raise make_unfit_project_error(
                f"Number {at} of the {what} of the settings has no name of its own.", _SETTINGS
            )
        settings = one.get("settings", one)
        if not isinstance(settings, dict):
            raise make_unfit_project_error(f"{name!r} has no settings that can be read.", _SETTINGS)
        listed = settings.get("options", settings.get("labels", settings.get("values"))) or []
        if not isinstance(listed, list | dict):
            raise make_unfit_project_error(
                f"{name!r} of the settings has no list of options.", _SETTINGS
            )
        pairs = listed.items() if isinstance(listed, dict) else zip(listed, listed, strict=True)
        options: dict[Any, str] = {}
        for each, words in pairs:
            value = each.get("value") if isinstance(each, dict) else each
            text = each.get("text") if isinstance(each, dict) else words
            if isinstance(value, bool) or not isinstance(value, str | int | float):
                raise make_unfit_project_error(
                    f"{name!r} of the settings has an option that is not text: "
                    f"{quote_value_for_message(value)}.",
                    _SETTINGS,
                )
            options[value] = _text_in(text) or str(value)
        found[name] = {**one, "settings": settings | {"options": options}}
    return found


def _listed(value: Any) -> Any:
    """Marks as a list; version 1 has a list for each of their parts."""
    if not isinstance(value, dict):
        return value
    parts = list(value.values())
    if not all(isinstance(part, list) and len(part) == len(parts[0]) for part in parts):
        return [value]
    return [dict(zip(value, each, strict=True)) for each in zip(*parts, strict=True)]


def _asked(name: str, called: str, told: Mapping[str, Any]) -> ProjectQuestion:
    """A question of the settings.

    Raises:
        Unfit: MedLens cannot ask it.
    """
    settings = told["settings"]
    text = _text_in(told.get("title")) or called
    options = settings["options"]
    kind = settings.get("type")
    if kind == "text":
        return ProjectQuestion(name, "long_text", text)
    if kind == "rating":
        points = [one for one in options if isinstance(one, int)]
        points.sort()
        if len(points) != len(options) or not 2 <= len(points) <= LONGEST_SCALE:
            place = f"{called}: {', '.join(map(str, options))}"
            raise Unfit(f"Ratings that do not have 2 to {LONGEST_SCALE} whole points", place)
        if points[-1] - points[0] + 1 != len(points):
            raise Unfit("Ratings with numbers that are not consecutive", called)
        ends = (f"minimum = {points[0]}", f"maximum = {points[-1]}")
        lines = (*ends, f'low = "{points[0]}"', f'high = "{points[-1]}"')
        return ProjectQuestion(name, "scale", text, lines=lines)
    if kind not in ("label_selection", "multi_label_selection") or len(options) < 2:
        what = "Questions without a counterpart in MedLens"
        raise Unfit(what, f"{called} ({_text_in(kind) or 'of no kind'})")
    return ProjectQuestion(
        name, "single" if kind == "label_selection" else "multiple", text, options
    )


def _answer(project: ProjectConversion, asked: ProjectQuestion, value: Any, where: str) -> Any:
    """An answer as a judgment has it; None if nothing of it fits.

    Raises:
        Unfit: it is not what is asked for.
    """
    if asked.options:
        return project.read_chosen_options_as_answer_text(asked, value, where)
    if asked.kind == "scale":
        return project.read_number_answer(asked, value, where)
    return _text_in(value) or None


def _fields(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a record; flat records hold them themselves."""
    return row["fields"] if isinstance(row.get("fields"), dict) else row


def _cell(cell: Any, shown: Shown, where: str) -> Any:
    if shown.kind != "dialogue":
        if isinstance(cell, dict | list):
            raise Unfit("Records that cannot be shown", f"{where}: {shown.column!r} holds no text")
        return "" if cell is None else str(cell)
    try:
        turns = parse_json_value(cell) if isinstance(cell, str) and cell else cell or []
    except ValueError:
        turns = None
    if not isinstance(turns, list) or not all(isinstance(one, dict) for one in turns):
        raise Unfit("Records that cannot be shown", f"{where}: {shown.column!r} holds no turns")
    return [
        {"role": _text_in(one.get("role")), "content": _text_in(one.get("content"))}
        for one in turns
    ]
