"""The demo study: ten cases, forty dialogues and their ratings, of our own writing.

Everything in ``data/demo/agentclinic`` is illustrative: the patients are fictional, "demo-a" and
"demo-b" are no real models, the three clinicians are made up. Each row says so (``dataset`` "demo",
``illustrative`` true). Dialogues name their case by its short name; it becomes the case's own on
loading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medlens.agentclinic import biases, queries
from medlens.agentclinic.load import case_of, dialogue_of
from medlens.agentclinic.models import Case, Dialogue
from medlens.agentclinic.tasks import MATCH, REALISM, TASKS, DiagnosisMatch, Realism
from medlens.review import importing, raters
from medlens.review.judging import judgment_row
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.tables.illustrative import demo_fault, illustrative_rows, made

DATASET = "demo"


@dataclass(frozen=True)
class DemoJudgment:
    """One rater's judgment of one dialogue; ``seconds`` is active time."""

    task: str
    rater: str
    dialogue: str
    value: Realism | DiagnosisMatch
    seconds: float


@dataclass(frozen=True)
class Demo:
    """``cases`` and ``dialogues`` are pairs of their short name and themselves."""

    cases: tuple[tuple[str, Case], ...]
    dialogues: tuple[tuple[str, Dialogue], ...]
    judgments: tuple[DemoJudgment, ...]
    dataset: str = DATASET
    illustrative: bool = True

    @property
    def raters(self) -> tuple[str, ...]:
        """The raters in order of first appearance."""
        return tuple(dict.fromkeys(one.rater for one in self.judgments))


def load_demo(folder: str | Path) -> Demo:
    """Read the demo study from ``folder`` (``data/demo/agentclinic``).

    Raises BadFile naming file and line of a row that is malformed, names an unknown case, dialogue
    or bias, or breaks a rule of its task.
    """
    folder = Path(folder)
    cases = _cases(folder / "cases.jsonl")
    dialogues = _dialogues(folder / "dialogues.jsonl", cases)
    return Demo(
        tuple(cases.items()),
        tuple(dialogues.items()),
        (
            *_judgments(folder / "ratings.jsonl", REALISM, dialogues),
            *_judgments(folder / "checks.jsonl", MATCH, dialogues),
        ),
    )


def _cases(path: Path) -> dict[str, Case]:
    found: dict[str, Case] = {}
    for line, row in _rows(path, ("name",)):
        name = row.pop("name")
        if name in found:
            raise demo_fault(path, line, "name", "a name not used already", name)
        found[name] = made(path, line, case_of, row)
    return found


def _dialogues(path: Path, cases: Mapping[str, Case]) -> dict[str, Dialogue]:
    found: dict[str, Dialogue] = {}
    for line, row in _rows(path, ("name", "case")):
        name, case = row.pop("name"), row.pop("case")
        if name in found:
            raise demo_fault(path, line, "name", "a name not used already", name)
        if case not in cases:
            raise demo_fault(path, line, "case", "the name of a case in cases.jsonl", case)
        fields = {**row, "case": cases[case].name, "prompt_version": "illustrative"}
        one: Dialogue = made(path, line, dialogue_of, fields)
        for side, given in (("doctor", one.doctor_bias), ("patient", one.patient_bias)):
            if given and (side, given.id) not in {(b.side, b.id) for b in biases.BIASES}:
                raise demo_fault(path, line, f"{side}_bias", f"a bias of the {side}", given.id)
        found[name] = one
    return found


def _judgments(
    path: Path, task_name: str, dialogues: Mapping[str, Dialogue]
) -> Iterator[DemoJudgment]:
    task: Task = TASKS[task_name]()
    seen: set[tuple[str, str]] = set()
    for line, row in _rows(path, ("rater", "item", "value", "seconds")):
        rater, item = str(row["rater"]), str(row["item"])
        if item not in dialogues:
            raise demo_fault(path, line, "item", "the name of a dialogue in dialogues.jsonl", item)
        if (rater, item) in seen:
            raise demo_fault(path, line, "item", "one judgment of a dialogue by each rater", item)
        seen.add((rater, item))
        value: Any = made(path, line, task.value.model_validate, row["value"], column="value")
        problems = task.problems(value, dialogues[item].model_dump(mode="json"))
        if problems:
            raise demo_fault(path, line, "value", f"what the rules allow ({' '.join(problems)})")
        yield DemoJudgment(task_name, rater, item, value, float(row["seconds"]))


def _rows(path: Path, required: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in illustrative_rows(path, DATASET):
        for column in required:
            if column not in row:
                raise demo_fault(path, line, column, "a value")
        yield line, row


def add_demo(store: Store, demo: Demo) -> str:
    """Put the demo study into the store; says what is there. Repeating it adds nothing."""
    cases = queries.add_cases(store, demo.cases, dataset=demo.dataset, illustrative=True)
    played = queries.add_dialogues(store, demo.dialogues, dataset=demo.dataset, illustrative=True)
    people = {name: raters.new_row(name, origin="demo") for name in demo.raters}
    rows = [
        judgment_row(
            one.task,
            queries.item_id(demo.dataset, one.dialogue),
            people[one.rater]["id"],
            one.value,
            seconds=one.seconds,
            named="demo",
        )
        for one in demo.judgments
    ]
    importing.add_rows(store, {"rater": list(people.values()), "judgment": rows})
    return (
        f"The AgentClinic demo is there: {cases.added + cases.known} illustrative cases,"
        f" {played.added + played.known} dialogues, {len(rows)} judgments."
    )
