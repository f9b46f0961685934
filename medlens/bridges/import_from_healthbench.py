"""HealthBench's published files as items of an own study: conversations with their criteria and
answers, and the physicians' labels of its meta-evaluation as their judgments.

Sources: Arora et al. (2025), arXiv:2505.08775; the fields are those that the authors' own code
reads (openai/simple-evals, healthbench_eval.py and healthbench_meta_eval.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from medlens.config.toml_edit import set_field_in_toml
from medlens.errors import BadFile, InvalidInput
from medlens.review import items, judgment_import
from medlens.review.items import NewItem
from medlens.store import Store, stable_id
from medlens.studies.own import queries, study_file
from medlens.studies.own.blinded_arms import item_name_of_arm
from medlens.studies.own.bridge_registry import HEALTHBENCH_COLUMNS, Converted
from medlens.studies.own.item_and_judgment_import_and_export import (
    cell_text,
    criteria_cell_as_stored,
    dialogue_cell_as_stored,
    require_declaration_of_study,
)
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
)
from medlens.studies.own.tasks import ITEM_KIND, STUDY
from medlens.tables import (
    Loaded,
    Report,
    Request,
    Row,
    RowError,
    load_parsed_and_refused_rows,
    parse_json_value,
)

_PROMPT, _ANSWER, _THEME, _MODEL = "prompt", "completion", "theme", "model"
_MOST_TOLD = 5
"""Most lines that are left out and told one by one."""
_OF_PHYSICIANS, _REFERENCE = "physicians", "reference"
_LABELS = "a JSON list of true and false, one for each physician"


@dataclass
class _Case:
    """An answer to a conversation, with its criteria, and the labels by physician: for each
    criterion, from 1, whether it is met.
    """

    name: str
    body: dict[str, Any]
    labels: dict[str, dict[int, bool]] = field(default_factory=dict)


@dataclass
class _Reading:
    """The content of a file: conversations by id, answers to them, labelled answers."""

    declared: StudyDeclaration
    conversations: dict[str, dict[str, Any]] = field(default_factory=dict)
    answers: list[tuple[str, str, str]] = field(default_factory=list)
    labelled: dict[str, _Case] = field(default_factory=dict)

    def take(self, row: Row) -> None:
        """Add a line: a conversation, an answer to one, or a label.

        Raises:
            RowError: something in it is missing or not as published.
        """
        said = row.values
        if said.get("rubric") not in (None, ""):
            self._labels(said)
            return
        case = cell_text(said.get("prompt_id"), "prompt_id")
        if not case:
            raise RowError("prompt_id", "which conversation it is")
        if said.get("rubrics") not in (None, ""):
            tags = _list_of(said.get("example_tags"), "example_tags", str)
            themes = [one.removeprefix("theme:") for one in tags if one.startswith("theme:")]
            made = {
                _PROMPT: dialogue_cell_as_stored(said.get(_PROMPT), _PROMPT),
                self.declared.criteria_column: criteria_cell_as_stored(
                    said.get("rubrics"), "rubrics"
                ),
                _THEME: "; ".join(themes),
            }
            if not made[_PROMPT] or not made[self.declared.criteria_column]:
                raise RowError(_PROMPT, "a conversation with its criteria")
            if self.conversations.setdefault(case, made) != made:
                raise RowError("prompt_id", "a conversation that is told once", case)
            self._ideal(case, _object(said.get("ideal_completions_data")))
        elif said.get(_ANSWER) in (None, ""):
            raise RowError(_ANSWER, "an answer, or the conversation's rubrics")
        if said.get(_ANSWER) not in (None, ""):
            model = cell_text(said.get(_MODEL), _MODEL)
            self.answers.append((case, model, cell_text(said.get(_ANSWER), _ANSWER)))

    def _ideal(self, case: str, data: Mapping[str, Any]) -> None:
        column = "ideal_completions_data"
        ideal = cell_text(data.get("ideal_completion") or "", column)
        others = _list_of(data.get("ideal_completions_ref_completions"), column, str)
        self.answers += [(case, _OF_PHYSICIANS, ideal)] if ideal else []
        self.answers += [(case, _REFERENCE, cell_text(one, column)) for one in others]

    def _labels(self, said: Mapping[str, Any]) -> None:
        turns = dialogue_cell_as_stored(said.get(_PROMPT), _PROMPT)
        answer = cell_text(said.get(_ANSWER), _ANSWER)
        if not turns or not answer:
            raise RowError(_ANSWER if turns else _PROMPT, "a conversation and the answer to it")
        labels = _list_of(said.get("binary_labels"), "binary_labels", bool)
        who = _list_of(said.get("anonymized_physician_ids"), "anonymized_physician_ids", str)
        if len(labels) != len(who) or len(set(who)) != len(who):
            raise RowError("anonymized_physician_ids", "a physician for each label, each once")
        category = cell_text(said.get("category") or "", "category")
        one = {"criterion": said.get("rubric"), "points": 1, "tags": [category] * bool(category)}
        [criterion] = criteria_cell_as_stored([one], "rubric")
        told = json.dumps([turns, answer], ensure_ascii=False)
        case = cell_text(said.get("prompt_id") or "", "prompt_id") or "conversation"
        column = self.declared.criteria_column
        body = {_PROMPT: turns, _ANSWER: answer, column: []}
        if told not in self.labelled:
            name = item_name_of_arm(self.declared.study_id, case, told)
            self.labelled[told] = _Case(name, body)
        found = self.labelled[told]
        of = found.body[column]
        if any(each["text"] == criterion["text"] for each in of):
            raise RowError("rubric", "a criterion that this answer is not labelled on before")
        of.append(criterion)
        for physician, met in zip(who, labels, strict=True):
            found.labels.setdefault(physician, {})[len(of)] = met


def import_healthbench_items_and_judgments(store: Store, study: Study, request: Request) -> Report:
    """``own-healthbench``: HealthBench's conversations, answers to them (in the same file, or to
    conversations imported earlier), and the meta-evaluation.

    Raises:
        BadFile: lines that are not as published (unless ``skip_bad``).
        InvalidInput: the study has no columns for them, or an item with that name is different.
    """
    declared = study.declared
    reading = _Reading(declared)
    loaded: Loaded[None] = load_parsed_and_refused_rows(
        request.source,
        reading.take,
        columns=HEALTHBENCH_COLUMNS,
        own_export=False,
        **request.reading_options,
    )
    # Only now: a file that cannot be read is not mended by adding a study.
    require_declaration_of_study(study, request)
    columns = {one.name for one in declared.columns}
    there = {_PROMPT, _ANSWER, declared.criteria_column, _THEME, _MODEL}
    missing = [one.name for one in declared.columns if one.required and one.name not in there]
    if (
        declared.arms
        or not declared.criteria_column
        or not {_PROMPT, _ANSWER} <= columns
        or missing
    ):
        raise InvalidInput(
            f"The study {study.dataset!r} does not have the columns of HealthBench's files.",
            hint="Make it under Your studies (Make a study, Begin with HealthBench's published"
            " file), or from the template: python -m medlens study new healthbench.",
        )
    cases, told_of = _cases(reading, _conversations(store, study), request.name)
    # Always in the same order, wherever a conversation is from: items are compared as written.
    bodies = [NewItem(one.name, _cells(declared, one)) for one in cases]
    done = items.add_items(store, bodies, study=STUDY, kind=ITEM_KIND, dataset=study.dataset)
    notes = [*loaded.notes, *told_of]
    found = Report("items", done.added, done.known, loaded.refused, tuple(notes))
    judged = [(one, who, said) for one in cases for who, said in one.labels.items()]
    if not judged:
        return found
    lines = [json.dumps(_judgment(declared, *one), ensure_ascii=False) for one in judged]
    source = "\n".join(lines).encode()
    asked = replace(request, source=source, name="labels.jsonl", progress=None, skip_bad=False)
    told = judgment_import.import_judgments(store, study.task, asked)
    return Report(
        "items and judgments",
        found.added + told.added,
        found.known + told.known,
        found.refused,
        (*notes, f"{told.added + told.known:,} of these are judgments of physicians."),
        one="item or judgment",
    )


def convert_healthbench_file_to_study_and_notes(title: str, published: bytes) -> Converted:
    """A file as a study of its own, begun from the template.

    Raises:
        BadFile: lines that are not as published.
    """
    text = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("healthbench")
    )[0]
    for line, value in (("id", make_id_from_name(title)), ("title", title)):
        text = set_field_in_toml(text, "", 0, line, value)
    declared = study_file.parse_study_file(text)
    reading, name = _Reading(declared), "The file"
    loaded: Loaded[None] = load_parsed_and_refused_rows(
        published,
        reading.take,
        columns=HEALTHBENCH_COLUMNS,
        own_export=False,
        name=name,
        skip_bad=True,
    )
    try:
        cases, notes = _cases(reading, {}, name)
    except BadFile as error:
        problems = [refused.problem for refused in loaded.refused]
        if not problems:
            raise
        said = " ".join(map(str, problems[:_MOST_TOLD]))
        raise BadFile(f"{error.message} {said}", hint=error.hint, rows=problems) from error
    if loaded.refused:
        told = " ".join(str(refused.problem) for refused in loaded.refused[:_MOST_TOLD])
        lines = "line" if len(loaded.refused) == 1 else "lines"
        notes.append(f"Left out: {len(loaded.refused):,} {lines} that are not as published. {told}")
    return Converted(
        text,
        [{declared.item: one.name, **_cells(declared, one)} for one in cases],
        [_judgment(declared, one, *said) for one in cases for said in one.labels.items()],
        (*loaded.notes, *notes),
    )


def _cells(declared: StudyDeclaration, case: _Case) -> dict[str, Any]:
    return {one.name: said for one in declared.columns if (said := case.body.get(one.name))}


def _cases(
    reading: _Reading, there: Mapping[str, dict[str, Any]], name: str
) -> tuple[list[_Case], list[str]]:
    """The answers to judge, to conversations of the file or those that are ``there``, and notes.

    Raises:
        BadFile: there is none.
    """
    known = {**there, **reading.conversations}
    cases = list(reading.labelled.values())
    lost = 0
    for case, model, answer in reading.answers:
        if case not in known:
            lost += 1
            continue
        called = item_name_of_arm(reading.declared.study_id, case, f"{model}\x1f{answer}")
        cases.append(_Case(called, {**known[case], _ANSWER: answer, _MODEL: model}))
    if not cases:
        raise BadFile(
            f"{name}: there is no answer to judge in it.",
            hint="Add lines with prompt_id, completion and model below the conversations.",
        )
    notes = []
    if open_ones := len(reading.conversations.keys() - {case for case, *_ in reading.answers}):
        without = "conversation" if open_ones == 1 else "conversations"
        notes.append(f"Left out: {open_ones:,} {without} without an answer in the file.")
    if lost:
        are = "answer is" if lost == 1 else "answers are"
        notes.append(f"{lost:,} {are} to no conversation that is known, and left out.")
    return cases, notes


def _judgment(
    declared: StudyDeclaration, case: _Case, who: str, said: Mapping[int, bool]
) -> dict[str, Any]:
    rubric = next(one.id for one in declared.number_questions_standing_for_rubrics if one.column)
    return {
        "judgment_id": stable_id("healthbench", declared.study_id, case.name, who),
        "item": case.name,
        "rater": f"Physician {who}",
        "rater_kind": "person",
    } | {f"{rubric}_{number}": "met" if met else "not met" for number, met in said.items()}


def _conversations(store: Store, study: Study) -> dict[str, dict[str, Any]]:
    """The conversations that the study's items already have, by id."""
    return {
        name.rpartition("-")[0]: {one: cell for one, cell in body.items() if one != _ANSWER}
        for name, _, body in queries.list_names_and_columns_of_items(store, study.dataset)
    }


def _object(value: Any) -> Mapping[str, Any]:
    if isinstance(value, str) and value.strip():
        try:
            value = parse_json_value(value)
        except ValueError:
            value = []
    if value in (None, ""):
        return {}
    if not isinstance(value, Mapping):
        raise RowError("ideal_completions_data", "an object, or null", value)
    return value


def _list_of(value: Any, column: str, kind: type) -> Sequence[Any]:
    if isinstance(value, str) and value.strip():
        try:
            value = parse_json_value(value)
        except ValueError:
            raise RowError(column, "a JSON list", value) from None
    found = [] if value in (None, "") else value
    if not isinstance(found, list | tuple) or not all(isinstance(one, kind) for one in found):
        raise RowError(column, _LABELS if kind is bool else "a JSON list of texts", value)
    return found
