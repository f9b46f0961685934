"""AgentClinic's files to typed records: cases of both published forms, and dialogues.

Formats as published with Schmidgall et al. 2024: the OSCE form (nested JSON, one case per line) and
the NEJM form (a vignette, an image, five answers). Published cases vary: histories are text, list,
object or absent, tests may be missing, keys differ in spelling, files have keys of their own. All
of it is kept; only what cannot be played is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from medlens.studies.agentclinic.records import Case, Dialogue
from medlens.tables import (
    LINE,
    REASON,
    Column,
    Loaded,
    Row,
    RowError,
    Source,
    load_parsed_and_refused_rows,
    name_of_source,
    parse_json_value,
)

_WRAPPER = "OSCE_Examination"
IN_FIGURES = "in_figures"
"""The last column of exported dialogues: whether figures count the row."""

_DIALOGUE_HEAD = ("dialogue", "dataset", "illustrative", "study", IN_FIGURES, LINE, REASON)


@dataclass(frozen=True, slots=True)
class LoadedCase:
    """A case and its alias: the file's stem and the line, ``medqa:12``, or what our own export
    says.
    """

    aliases: tuple[str, ...]
    line: int
    illustrative: bool
    case: Case


@dataclass(frozen=True, slots=True)
class LoadedDialogue:
    """A dialogue with its name in the file."""

    name: str
    line: int
    illustrative: bool
    dialogue: Dialogue


CASES = (
    Column("OSCE_Examination", "object", "a whole case in the OSCE form"),
    Column("question", "text", "NEJM form: what the doctor is to find out"),
    Column("patient_info", "text", "NEJM form: what the patient knows"),
    Column("physical_exams", "text", "NEJM form: what an examination finds"),
    Column("answers", "array", "NEJM form: answers, each with text and correct"),
    Column("image_url", "text", "the address of an image, or a list of them"),
    Column("content_json", "object", "a whole case, as MedLens exports it"),
    Column(
        "sources", "text", "in an export: the names it had in its files, separated by semicolons"
    ),
)
DIALOGUES = (
    Column("case", "name", "the case's name", needed=True),
    Column("outcome", "name", "how it ended, such as correct or no_diagnosis", needed=True),
    Column("dialogue", "name", "its name; made of its contents where there is none"),
    Column("turns", "list", "what was said: speaker, kind and text of each turn"),
    Column("doctor", "name", "who played the doctor"),
    Column("patient", "name", "who played the patient"),
    Column("measurement", "name", "who gave the results"),
    Column("moderator", "name", "who judged the diagnosis"),
    Column("doctor_player", "name", "model or person"),
    Column("patient_player", "name", "model or person"),
    Column("doctor_bias", "object", "the bias that the doctor was given: id and target"),
    Column("patient_bias", "object", "the bias that the patient was given: id and target"),
    Column("n_interactions", "whole", "how many messages the doctor could send", least=1),
    Column("image_mode", "name", "none, start or request"),
    Column("repeat", "whole", "which repeat under the same rules", least=1),
    Column("diagnosis", "text", "the diagnosis that was given"),
    Column("reason", "text", "the moderator's verdict on it, or what went wrong"),
    Column("ratings", "object", "the patient's ratings: confidence, compliance, consultation"),
    Column("prompt_version", "name", "the version of the prompts"),
    Column("run", "name", "the run that it came from"),
    Column("protocol", "name", "medlens or published"),
    Column("cost", "number", "what it cost", unit="the run's currency"),
    Column("seconds", "number", "how long it took", unit="seconds"),
    Column("calls", "whole", "how many requests it took"),
    Column("unfinished", "truth", "whether an endpoint broke it off"),
    Column(
        IN_FIGURES, "truth", "in an export: whether figures count it: not played again, usual rules"
    ),
)


def read_cases(source: Source, *, name: str = "", **how: Any) -> Loaded[LoadedCase]:
    """The cases of a file, in its order; a case that is in it twice is returned once.

    Raises ``BadFile``, naming line and column, for lines that are not a case.
    """
    seen: set[str] = set()
    repeated: list[int] = []
    stem = PurePath(name_of_source(source, name)).stem

    def parse(row: Row) -> LoadedCase | None:
        case = case_from_fields(row.values)
        if case.digest_of_what_is_played in seen:
            repeated.append(row.line)
            return None
        seen.add(case.digest_of_what_is_played)
        own = row.values if "content_json" in row.values else {}
        named = [one.strip() for one in str(own.get("sources") or "").split(";")]
        aliases = tuple(filter(None, named)) or (f"{stem}:{row.line}",)
        return LoadedCase(aliases, row.line, _illustrative(own), case)

    loaded = load_parsed_and_refused_rows(source, parse, name=name, **how)
    if not repeated:
        return loaded
    lines = ", ".join(map(str, repeated[:10])) + (", …" if len(repeated) > 10 else "")
    note = f"Cases that occur in the file more than once, counted once: {len(repeated)} "
    return replace(loaded, notes=(*loaded.notes, f"{note}(line {lines})."))


def _illustrative(values: Mapping[str, Any]) -> bool:
    return str(values.get("illustrative") or "").casefold() in ("true", "1")


def case_from_fields(values: Mapping[str, Any]) -> Case:
    """The case in a JSON object of either form.

    Raises ``RowError`` naming the field at fault.
    """
    whole = values.get("content_json")
    if whole is not None:  # a line of our own export, with the case as it was published
        return case_from_fields(_object(whole))
    content = {key: value for key, value in values.items() if key not in (LINE, REASON)}
    if isinstance(content.get(_WRAPPER), Mapping) or "Correct_Diagnosis" in content:
        return _osce(content)
    if _WRAPPER in content:
        raise RowError(_WRAPPER, "an object with the case", content[_WRAPPER])
    if "answers" in content or "patient_info" in content:
        return _nejm(content)
    got = ", ".join(list(content)[:8])
    raise RowError("", "a case: OSCE_Examination, or question, patient_info and answers", got)


def _object(text: Any) -> dict[str, Any]:
    try:
        value = parse_json_value(text)
    except (TypeError, ValueError) as error:
        raise RowError("content_json", "the case as JSON", text) from error
    if not isinstance(value, dict) or "content_json" in value:
        raise RowError("content_json", "the case as a JSON object", text)
    return value


def _osce(content: dict[str, Any]) -> Case:
    wrapped = isinstance(content.get(_WRAPPER), Mapping)
    inner: Mapping[str, Any] = content[_WRAPPER] if wrapped else content
    where = f"{_WRAPPER}." if wrapped else ""
    diagnosis = inner.get("Correct_Diagnosis")
    if isinstance(diagnosis, list) and diagnosis and all(isinstance(d, str) for d in diagnosis):
        diagnosis = "; ".join(diagnosis)
    if not isinstance(diagnosis, str) or not diagnosis.strip():
        raise RowError(f"{where}Correct_Diagnosis", "the diagnosis, a text", diagnosis)
    patient = inner.get("Patient_Actor")
    if not isinstance(patient, (Mapping, str)) or not patient:
        raise RowError(f"{where}Patient_Actor", "what the patient knows, an object", patient)
    _require(inner, "Objective_for_Doctor", (str,), "a text", where)
    for key in ("Physical_Examination_Findings", "Test_Results"):
        _require(inner, key, (Mapping, list, str), "an object", where)
    return Case(
        form="osce",
        content=content,
        diagnosis=" ".join(diagnosis.split()),
        images=_images(inner, where) or _images(content, ""),
    )


def _nejm(content: dict[str, Any]) -> Case:
    answers = content.get("answers")
    if not isinstance(answers, list) or not answers:
        raise RowError("answers", "a list of answers, each with text and correct", answers)
    texts, right = [], []
    for at, answer in enumerate(answers):
        text = answer.get("text") if isinstance(answer, Mapping) else None
        if not isinstance(text, str) or not text.strip():
            raise RowError(f"answers.{at}", "an answer with text and correct", answer)
        texts.append(" ".join(text.split()))
        if _truth(answer.get("correct"), f"answers.{at}.correct"):
            right.append(texts[-1])
    if len(right) != 1:
        raise RowError("answers", "exactly one correct answer", f"{len(right)} correct answers")
    patient = content.get("patient_info")
    if not isinstance(patient, (Mapping, str)) or not patient:
        raise RowError("patient_info", "what the patient knows, a text", patient)
    _require(content, "question", (str,), "a text", "")
    _require(content, "physical_exams", (Mapping, list, str), "a text", "")
    return Case(
        form="nejm",
        content=content,
        diagnosis=right[0],
        options=tuple(texts),
        images=_images(content, ""),
    )


def _require(
    values: Mapping[str, Any], key: str, kinds: tuple[type, ...], expected: str, where: str
) -> None:
    value = values.get(key)
    if value is not None and not isinstance(value, kinds):
        raise RowError(f"{where}{key}", f"{expected}, or nothing", value)


def _images(values: Mapping[str, Any], where: str) -> tuple[str, ...]:
    given = values.get("image_url")
    found = [given] if isinstance(given, str) else given if given is not None else []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise RowError(f"{where}image_url", "the address of an image, or a list of them", given)
    return tuple(one.strip() for one in found if one.strip())


def _truth(value: Any, column: str) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().casefold() in ("true", "false"):
        return value.strip().casefold() == "true"
    raise RowError(column, "true or false", value)


def read_dialogues(source: Source, **how: Any) -> Loaded[LoadedDialogue]:
    """Dialogues as ``export dialogues`` writes them: one object per line, fields of ``Dialogue``.

    ``dialogue`` names it (made from its contents if absent); turns may lack their numbers. Raises
    ``BadFile``, naming line and column; also if two dialogues have one name.
    """
    named: dict[str, LoadedDialogue] = {}

    def once(one: LoadedDialogue) -> LoadedDialogue:
        first = named.setdefault(one.name, one)
        if first.dialogue != one.dialogue:
            what = f"a name of its own (line {first.line} has it for another dialogue)"
            raise RowError("dialogue", what, one.name)
        return one

    def parse(row: Row) -> LoadedDialogue:
        fields = {key: value for key, value in row.values.items() if key not in _DIALOGUE_HEAD}
        turns = fields.get("turns")
        if isinstance(turns, (list, tuple)):
            fields["turns"] = [
                {"n": n, **turn} if isinstance(turn, Mapping) else turn
                for n, turn in enumerate(turns, 1)
            ]
        dialogue = dialogue_from_fields(fields)
        illustrative = _illustrative(row.values)
        given = str(row.values.get("dialogue") or "").strip()
        return once(
            LoadedDialogue(given or dialogue.name_within_run, row.line, illustrative, dialogue)
        )

    return load_parsed_and_refused_rows(source, parse, columns=DIALOGUES, own_export=True, **how)


def dialogue_from_fields(fields: Mapping[str, Any]) -> Dialogue:
    """The dialogue in these fields.

    Raises ``RowError`` naming the field at fault.
    """
    try:
        return Dialogue.model_validate(dict(fields))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        expected = re.sub(r"^Value error, ", "", first["msg"])
        got = first.get("input", "")
        raise RowError(where, expected, got if isinstance(got, str) else "") from error
