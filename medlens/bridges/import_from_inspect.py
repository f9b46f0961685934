"""Converts logs of Inspect into a study: the transcript of every sample, and its scores.

Source: UK AISI's inspect_ai, its documentation of log files and of scorers, and what version
0.3.285 writes. A log is one JSON text, or (``.eval``) a zip with a member for each sample, which
newer versions compress with Zstandard.
"""

from __future__ import annotations

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from medlens.bridges.converted_project import (
    ProjectConversion,
    ProjectQuestion,
    Shown,
    Unfit,
    hidden_column_by_field_name,
)
from medlens.config.question_forms_and_answer_checks import LONG_TEXT_LENGTH
from medlens.errors import BadFile
from medlens.studies.own.blinded_arms import MOST as MOST_ARMS
from medlens.studies.own.blinded_arms import item_name_of_arm
from medlens.studies.own.bridge_registry import Converted
from medlens.studies.own.study_file import UNREADABLE
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    make_id_from_name,
    title_from_name,
)
from medlens.tables.read_limits import LONGEST, UNPACKED, parse_json_value, read_error_in_words

_ZSTANDARD = 93
_LARGEST = 200 << 20
"""Most bytes of one member of a log."""
_HINT = "Give logs as Inspect wrote them (.eval or .json)."
_ATTACHED = "attachment://"

_GRADES = {"C": "Correct", "P": "Partially correct", "I": "Incorrect", "N": "No answer"}
_SEEN_ALONE = ("P", "N")
"""Grades that are only offered if somebody gave them."""
_OF_CORRECTNESS = {
    *("answer", "choice", "exact", "includes", "match", "math", "pattern"),
    *("model_graded_fact", "model_graded_qa", "multi_scorer"),
}
"""Inspect's own scorers of whether an answer is correct: they are raters of one question."""
_AS_GRADES = {1: "C", 0.5: "P", 0: "I"}
_CORRECT, _WHY, _FOUND = "correct", "why", "answer_found"
_TRANSCRIPT, _TARGET, _TASK = "transcript", "target", "task"
_SCORE = ("value", "answer", "explanation")

_MOST_OPTIONS, _LONGEST_OPTION = 20, 80


def convert_inspect_logs_to_study_and_notes(title: str, *logs: bytes) -> Converted:
    """Convert logs into a study with that title.

    Raises:
        BadFile: one is not a log of Inspect, is damaged or too large; gives its number.
    """
    return _Logs(title).read(logs)


def study_title_from_log_name(stem: str) -> str:
    """A study's title from the name Inspect gives a log: the time, the task and an id."""
    found = re.fullmatch(r"\d{4}-\d\d-\d\dT[\d-]+(?:[+-][\d-]+)?_(.+)_[^_]+", stem)
    return title_from_name(found[1].replace("-", " ") if found else stem)


# -- files -----------------------------------------------------------------------------------------


def _opened(log: bytes, where: str) -> tuple[Mapping[str, Any], Iterator[Any]]:
    """A log's evaluation, and its samples one by one."""
    if log.startswith(b"PK"):
        return _of_zip(log, where)
    whole = _json(log, where) if log.lstrip().startswith(b"{") else None
    if not isinstance(whole, dict) or not isinstance(whole.get("eval"), dict):
        raise BadFile(f"{where} is not a log of Inspect.", hint=_HINT)
    if whole.get("version") == 1:
        raise BadFile(
            f"{where} was written by an early version of Inspect.",
            hint="Convert it first: inspect log convert --to eval --output-dir FOLDER LOG.",
        )
    samples = whole.get("samples") or []
    return whole["eval"], iter(samples if isinstance(samples, list) else [samples])


def _of_zip(log: bytes, where: str) -> tuple[Mapping[str, Any], Iterator[Any]]:
    try:
        with zipfile.ZipFile(io.BytesIO(log)) as found:
            members = {one.filename: one for one in found.infolist()}
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BadFile(f"{where} is not a complete zip.", hint=_HINT) from error
    # An unfinished log has no header yet.
    head = members.get("header.json") or members.get("_journal/start.json")
    said = _json(_member(log, head, where), where) if head else None
    if not isinstance(said, dict) or not isinstance(said.get("eval"), dict):
        raise BadFile(f"{where} is not a log of Inspect.", hint=_HINT)

    def samples() -> Iterator[Any]:
        left = UNPACKED
        for name, one in members.items():
            if name.startswith("samples/") and name.endswith(".json"):
                try:
                    content = _member(log, one, where)
                except BadFile as error:
                    yield error
                    continue
                left -= len(content)
                if left < 0:
                    raise BadFile(
                        f"{where} has more than {UNPACKED >> 20:,} MB once unpacked.",
                        hint="Give a log with fewer samples.",
                    )
                try:
                    yield _json(content, f"{where}, {name}")
                except BadFile as error:
                    # One broken sample does not refuse a log.
                    yield error

    return said["eval"], samples()


def _member(log: bytes, entry: zipfile.ZipInfo, where: str) -> bytes:
    """The content of a zip's member; never unpacks more than ``_LARGEST``."""
    called = f"{where}, {entry.filename},"
    if entry.flag_bits & 1:
        raise BadFile(f"{called} is protected by a password.", hint=_HINT)
    try:
        if entry.compress_type == _ZSTANDARD:
            content = _zstandard(log, entry)
        else:
            with zipfile.ZipFile(io.BytesIO(log)) as found, found.open(entry) as member:
                content = member.read(_LARGEST + 1)
    except _Damaged as error:
        raise BadFile(f"{called} is damaged: {error}.", hint=_HINT) from error
    except (OSError, ValueError, EOFError, struct.error, zlib.error, zipfile.BadZipFile) as error:
        raise BadFile(f"{called} is damaged.", hint=_HINT) from error
    except NotImplementedError as error:
        raise BadFile(
            f"{called} is compressed in a way that MedLens cannot read.", hint=_HINT
        ) from error
    if len(content) > _LARGEST:
        raise BadFile(
            f"{called} has more than {_LARGEST >> 20} MB once unpacked.",
            hint="Leave that sample out.",
        )
    return content


class _Damaged(ValueError):
    """A member is not what its zip says; the message says how."""


def _zstandard(log: bytes, entry: zipfile.ZipInfo) -> bytes:
    # Python's zipfile knows this compression only from 3.14 on; Arrow has it.
    name, more = struct.unpack_from("<HH", log, entry.header_offset + 26)
    begins = entry.header_offset + 30 + name + more
    packed = memoryview(log)[begins:][: entry.compress_size]
    with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
        content: bytes = stream.read(_LARGEST + 1)
    if len(content) <= _LARGEST and zlib.crc32(content) != entry.CRC:
        raise _Damaged("its checksum is different")
    return content


def _json(content: bytes, where: str) -> Any:
    try:
        return parse_json_value(content.decode("utf-8"))
    except ValueError as error:
        raise BadFile(f"{where} is not JSON: {read_error_in_words(error)}.", hint=_HINT) from error


# -- samples ---------------------------------------------------------------------------------------


@dataclass
class _Said:
    """What a rater said of a sample: values by question, and words."""

    rater: str
    model: bool
    values: dict[str, Any] = field(default_factory=dict)
    why: str = ""
    found: str = ""


@dataclass
class _Sample:
    name: str
    task: str
    model: str
    turns: list[dict[str, str]]
    target: str
    more: dict[str, Any]
    said: list[_Said]


class _Logs:
    def __init__(self, title: str) -> None:
        self._title = title
        self._left_out: Counter[str] = Counter()
        self._samples: list[_Sample] = []
        self._faults: list[Unfit] = []

    def read(self, logs: Sequence[bytes]) -> Converted:
        runs: Counter[tuple[str, str]] = Counter()
        known: set[str] = set()
        unread: BadFile | None = None
        for number, log in enumerate(logs, 1):
            where = f"Log {number}" if len(logs) > 1 else "The log"
            try:
                told, samples = _opened(log, where)
            except BadFile as error:
                if len(logs) == 1:
                    raise
                unread = unread or error
                why = error.message.removesuffix(".")
                self._faults.append(Unfit("Logs that cannot be read", why))
                continue
            task = str(told.get("task") or "task")
            # An arm's name must not have these characters.
            model = re.sub(r"[,;:/]", " ", str(told.get("model") or "model"))
            runs[task, model] += 1
            run = runs[task, model]
            judges = _judges(told)
            before, broken = len(known), None
            for at, sample in enumerate(samples, 1):
                if isinstance(sample, BadFile):
                    broken = broken or sample
                    why = sample.message.removesuffix(".")
                    self._faults.append(Unfit("Samples that cannot be read", why))
                    continue
                if not isinstance(sample, dict) or not str(_plain(sample.get("id"))).strip():
                    place = f"{where}, sample {at}"
                    broken = broken or BadFile(f"{place} is without an id.", hint=_HINT)
                    self._faults.append(Unfit("Samples without an id", place))
                    continue
                own = str(sample.get("uuid") or f"{number} {sample['id']} {sample.get('epoch')}")
                if own in known:
                    self._left_out["Samples that are in two of the logs, taken once"] += 1
                    continue
                known.add(own)
                self._take(sample, task, f"{model} run {run}" if run > 1 else model, judges)
            if len(known) == before and broken:
                raise broken
            if len(known) == before:
                raise BadFile(
                    f"{where} has no samples of its own.",
                    hint="Was it written without samples (--no-log-samples), or given twice?",
                )
        if not self._samples and unread:
            raise unread
        if not self._samples:
            raise BadFile(
                "No sample of the logs was finished.", hint="Look at them with: inspect view."
            )
        return self._converted()

    def _take(
        self, sample: Mapping[str, Any], task: str, model: str, judges: Mapping[str, str]
    ) -> None:
        scores = sample.get("scores")
        scores = scores if isinstance(scores, dict) else {}
        if sample.get("error") and not scores:
            self._left_out["Samples that ended in an error, left out"] += 1
            return
        if sample.get("invalidation"):
            self._left_out["Samples that somebody declared invalid, left out"] += 1
            return
        attached = sample.get("attachments")
        attached = attached if isinstance(attached, dict) else {}
        turns = [turn for one in _turns(sample) if (turn := self._turn(one, attached))]
        output = sample.get("output")
        completion = _resolved(
            output.get("completion") if isinstance(output, dict) else "", attached
        )
        if completion and not any(completion.strip() == turn["content"].strip() for turn in turns):
            last = turns[-1]["content"] if turns else ""
            if completion.strip() not in last:
                turns.append({"role": "assistant", "content": self._cut(completion)})
        epoch = sample.get("epoch")
        target = sample.get("target")
        targets = target if isinstance(target, list) else [target]
        given = sample.get("metadata")
        self._samples.append(
            _Sample(
                name=" ".join(str(sample["id"]).split())
                + (f" epoch {epoch}" if epoch not in (None, 1) else ""),
                task=task,
                model=model,
                turns=turns or [{"role": "user", "content": "(nothing was said)"}],
                target=self._cut("\n".join(_resolved(one, attached) for one in targets if one)),
                more={
                    str(name): self._cut(_resolved(cell, attached))
                    for name, cell in (given.items() if isinstance(given, dict) else ())
                    if isinstance(cell, str | int | float) and str(cell).strip()
                },
                said=self._scores(scores, judges, attached, completion),
            )
        )

    def _turn(self, turn: Any, attached: Mapping[str, Any]) -> dict[str, str] | None:
        """A message as a turn; None if nothing in it can be read."""
        if not isinstance(turn, dict):
            return None
        content = turn.get("content")
        said = []
        for part in content if isinstance(content, list) else [content]:
            kind = str(part.get("type")) if isinstance(part, dict) else "text"
            if kind == "reasoning":
                self._left_out["Passages of models' own reasoning, left out"] += 1
            elif kind == "text":
                words = part.get("text") if isinstance(part, dict) else part
                said.append(_resolved(words, attached))
            else:
                said.append(f"[{kind}]")
        if isinstance(error := turn.get("error"), dict) and not any(said):
            said.append(f"[{error.get('message', 'error')}]")
        for call in turn.get("tool_calls") or []:
            if isinstance(call, dict):
                given = json.dumps(call.get("arguments"), ensure_ascii=False)
                said.append(f"[{call.get('function', 'tool')}: {given}]")
        words = self._cut("\n\n".join(filter(None, said)))
        return {"role": str(turn.get("role") or "?"), "content": words} if words else None

    def _cut(self, text: str, most: int = LONGEST) -> str:
        if len(text) <= most:
            return text
        self._left_out["Texts that were too long, cut where they say so"] += 1
        return f"{text[: most - 20]}\n[cut here]"

    # -- scores ------------------------------------------------------------------------------------

    def _scores(
        self,
        scores: Mapping[str, Any],
        judges: Mapping[str, str],
        attached: Mapping[str, Any],
        completion: str,
    ) -> list[_Said]:
        found: list[_Said] = []
        people: dict[str, _Said] = {}
        for scorer, score in scores.items():
            if not isinstance(score, dict):
                continue
            history = [one for one in score.get("history") or [] if isinstance(one, dict)]
            now: dict[str, Any] = {}
            for at, one in enumerate(history or [score]):
                edit = one.get("provenance") if at else None
                changed = {n: one.get(n) for n in _SCORE if one.get(n, "UNCHANGED") != "UNCHANGED"}
                now |= changed
                if isinstance(edit, dict) and edit.get("author"):
                    name, why = str(edit["author"]), edit.get("reason")
                    said = people.setdefault(name, _Said(name, model=False))
                else:
                    kind = score.get("metadata")
                    # own.to_inspect marks a person's scores like this.
                    person = isinstance(kind, dict) and kind.get("rater_kind") == "person"
                    said = _Said(_rater(scorer, score, judges), not person)
                    why = now.get("explanation")
                    found.append(said)
                said.values |= self._values(scorer, now.get("value"))
                said.why = self._own_words(why, attached, completion) or said.why
                said.found = self._own_words(now.get("answer"), attached, completion)
        return [one for one in (*found, *people.values()) if one.values]

    def _values(self, scorer: str, value: Any) -> dict[str, Any]:
        """The values of a score, by what they are about; without those that are missing or not
        finite.
        """
        if isinstance(value, dict):
            parts = {f"{scorer}: {name}": one for name, one in value.items()}
        elif re.sub(r"\d+$", "", _bare(scorer)) in _OF_CORRECTNESS and _grade(value):
            parts = {_CORRECT: _grade(value)}
        else:
            parts = {scorer: value}
        found = {name: one for name, one in parts.items() if one is not None and not _is_nan(one)}
        if len(found) < len(parts):
            self._left_out["Scores without a value, left out"] += len(parts) - len(found)
        return found

    def _own_words(self, words: Any, attached: Mapping[str, Any], completion: str) -> str:
        """A scorer's words, unless they only repeat the answer it scored."""
        text = _resolved(words, attached).strip()
        same = " ".join(text.casefold().split()) == " ".join(completion.casefold().split())
        return "" if same else self._cut(text, LONG_TEXT_LENGTH)

    # -- as a study --------------------------------------------------------------------------------

    def _converted(self) -> Converted:
        samples = self._samples
        arms = sorted({one.model for one in samples})
        arms = arms if len(arms) > 1 else []
        if len(arms) > MOST_ARMS:
            raise BadFile(
                f"The logs are of {len(arms)} models; a study compares {MOST_ARMS} at most.",
                hint="Give the logs of fewer models at once.",
            )
        several = len({one.task for one in samples}) > 1
        asked = self._asked()
        cells: dict[str, list[str]] = {}
        for one in samples:
            for name, cell in one.more.items():
                cells.setdefault(name, []).append(cell)
        columns = hidden_column_by_field_name(cells, (_TRANSCRIPT, _TARGET, _TASK))
        if len(cells) > len(columns):
            self._left_out["Fields of metadata, left out"] = len(cells) - len(columns)
        project = ProjectConversion(
            tool="Inspect",
            title=self._title,
            instructions="Read the transcript, then answer.",
            shown=[
                Shown(_TRANSCRIPT, "dialogue", by_arm=bool(arms)),
                Shown(_TARGET),
                *([Shown(_TASK, "", groups=True)] if several else []),
                *columns.values(),
            ],
            asked=[*asked.values(), *self._in_words()],
            arms=arms,
            left_out=self._left_out,
        )
        for fault in self._faults:
            project.count_left_out_part(fault)
        study = make_id_from_name(self._title)
        there: set[tuple[str, str]] = set()
        for one in samples:
            case = f"{one.task} {one.name}" if several else one.name
            again, given = 1, case
            while (case, one.model) in there:
                again += 1
                case = f"{given} ({again})"
            if again > 1:
                self._left_out["Samples with the id of another, renamed"] += 1
            there.add((case, one.model))
            name = item_name_of_arm(study, case, one.model) if arms else case
            row = {"item": case, _TRANSCRIPT: one.turns, _TARGET: one.target}
            row |= {"arm": one.model} if arms else {}
            row |= {_TASK: one.task} if several else {}
            project.items.append(
                row | {shown.column: one.more.get(of, "") for of, shown in columns.items()}
            )
            for said in one.said:
                answers = {asked[of].id: _answer(asked[of], v) for of, v in said.values.items()}
                answers |= {_WHY: said.why} if said.why else {}
                answers |= {_FOUND: said.found} if said.found else {}
                where = f"{name}, {said.rater}"
                project.add_judgment(name, said.rater, answers, where=where, model=said.model)
        return project.make_converted_study()

    def _asked(self) -> dict[str, ProjectQuestion]:
        """The questions, by what the scores are about."""
        given: dict[str, list[Any]] = {}
        for one in self._samples:
            for said in one.said:
                for about, value in said.values.items():
                    given.setdefault(about, []).append(value)
        found: dict[str, ProjectQuestion] = {}
        for about, values in given.items() or [(_CORRECT, [True])]:
            name = make_id_from_name(about if about == _CORRECT else f"score_{about}")
            while name in {one.id for one in found.values()}:
                name += "_"
            text = "Is the answer correct?" if about == _CORRECT else title_from_name(about)
            kind, options = _kind_of(values)
            found[about] = ProjectQuestion(name, kind, UNREADABLE.sub(" ", text), options)
        return found

    def _in_words(self) -> list[ProjectQuestion]:
        said = [said for one in self._samples for said in one.said]
        found = any(one.found for one in said)
        return [
            *(
                [ProjectQuestion(_FOUND, "long_text", "Which answer does it reach?")]
                if found
                else []
            ),
            ProjectQuestion(_WHY, "long_text", "Why?"),
        ]


# -- their content --------------------------------------------------------------------------------


def _turns(sample: Mapping[str, Any]) -> list[Any]:
    turns = sample.get("messages")
    if isinstance(turns, list) and turns:
        return turns
    given = sample.get("input")
    return given if isinstance(given, list) else [{"role": "user", "content": given}]


def _resolved(text: Any, attached: Mapping[str, Any]) -> str:
    """A text, or the attachment it refers to (texts used more than once are stored there)."""
    if text is None:
        return ""
    said = text if isinstance(text, str) else str(text)
    if said.startswith(_ATTACHED):
        return str(attached.get(said.removeprefix(_ATTACHED), said))
    return said


def _judges(told: Mapping[str, Any]) -> dict[str, str]:
    """The models that scorers ask, by the scorers' names; under "", the log's grader role."""
    roles = told.get("model_roles")
    grader = roles.get("grader") if isinstance(roles, dict) else None
    found = {"": _models(grader)}
    for one in told.get("scorers") or []:
        options = one.get("options") if isinstance(one, dict) else None
        if isinstance(options, dict):
            found[_bare(str(one.get("name")))] = _models(options.get("model"))
    return found


def _models(given: Any) -> str:
    if isinstance(given, list):
        return ", ".join(filter(None, map(_models, given)))
    if isinstance(given, dict):
        given = given.get("model")
    return given if isinstance(given, str) else ""


def _plain(value: Any) -> str | int | float:
    return value if isinstance(value, str | int | float) else ""


def _bare(scorer: str) -> str:
    """A scorer's name without its package's."""
    return scorer.rpartition("/")[2]


def _rater(scorer: str, score: Mapping[str, Any], judges: Mapping[str, str]) -> str:
    """A scorer's name as a rater: with the model it asked, if any."""
    told = score.get("metadata")
    turns = told.get("grading") if isinstance(told, dict) else None
    said = [_models(one) for one in turns] if isinstance(turns, list) else []
    asked = next(filter(None, reversed(said)), "") or judges.get(_bare(scorer), "")
    if not asked and _bare(scorer).startswith("model_graded"):
        asked = judges[""]
    return f"{scorer} ({asked})" if asked else scorer


def _grade(value: Any) -> str:
    """A score of whether an answer is correct, as a letter; "" if it is something else."""
    if isinstance(value, str):
        return value if value in _GRADES else ""
    return _AS_GRADES.get(value, "") if isinstance(value, int | float) else ""


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _kind_of(values: Sequence[Any]) -> tuple[str, dict[str, str]]:
    """The kind of question that has such answers, and its options."""
    if all(isinstance(one, bool) for one in values):
        return "yes_no", {}
    if all(isinstance(one, int | float) and not isinstance(one, bool) for one in values):
        return "number", {}
    if all(isinstance(one, str) for one in values):
        there = set(values)
        if there <= set(_GRADES):
            return "single", {
                one: name for one, name in _GRADES.items() if one in there or one not in _SEEN_ALONE
            }
        words = {one: " ".join(one.split()) for one in sorted(there)}
        apart = len(set(words.values())) == len(words)
        short = all(one and len(one) <= _LONGEST_OPTION for one in words.values())
        clear = not any(";" in one or UNREADABLE.search(one) for one in words.values())
        if 2 <= len(words) <= _MOST_OPTIONS and apart and short and clear:
            return "single", words
    return "long_text", {}


def _answer(asked: ProjectQuestion, value: Any) -> Any:
    """A value as an answer in a judgment."""
    if asked.options:
        return asked.options[value]
    if asked.kind == "yes_no":
        return "yes" if value else "no"
    if asked.kind == "number":
        return value
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return said[:LONG_TEXT_LENGTH]
