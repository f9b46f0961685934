"""What counts as told, and as naming the diagnosis: precision and recall on labelled texts.

155 pairs of a case's text and a turn: the labels were written before the rule
(``tests/labelled/leaf_turns.tsv``); every third pair is held out, and the rule was not tuned on it.
``told`` counts whole, ``touched`` told or partly.
120 test results that name a diagnosis or not, written before the check was mended on them
(``tests/labelled/named_diagnoses.tsv``).
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from medlens.studies.agentclinic.case_elicitation_and_diagnosis_leaks import (
    find_what_dialogue_elicited,
)
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import list_faults_of_case
from medlens.studies.agentclinic.records import Case, Dialogue, Turn
from tests.bench.rows import Options, Row

_LABELLED = Path(__file__).resolve().parents[1] / "labelled"
BAR = 0.9
_SECTIONS = {
    "patient": "Patient_Actor",
    "exam": "Physical_Examination_Findings",
    "tests": "Test_Results",
}


class Pair(NamedTuple):
    """A text of a case, a question with its answer, and whether that tells it.

    ``label`` is told, partly or no.
    """

    held_out: str
    section: str
    name: str
    leaf: str
    asked: str
    answer: str
    label: str


class Score(NamedTuple):
    """How well one word of the rule fits the labels."""

    right: int
    said: int
    true: int

    @property
    def precision(self) -> float:
        return self.right / self.said

    @property
    def recall(self) -> float:
        return self.right / self.true


def pairs() -> list[Pair]:
    """The labelled pairs, in their order."""
    return [Pair(**row) for row in _read("leaf_turns.tsv")]


def results() -> list[tuple[str, str, bool]]:
    """A diagnosis, a test result, and whether that names it."""
    read = _read("named_diagnoses.tsv")
    return [(row["diagnosis"], row["result"], row["named"] == "yes") for row in read]


def _read(name: str) -> list[dict[str, str]]:
    with (_LABELLED / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def said_of_result(diagnosis: str, result: str) -> Literal["stated", "hinted", ""]:
    """What the check says of a result that stands deep in a case like those published."""
    patient = {"Demographics": "40-year-old woman", "History": "Unwell for a week."}
    content = {
        "OSCE_Examination": {
            "Patient_Actor": patient,
            "Test_Results": {"Blood": {"Sodium": "140"}, "Other": {"Findings": ["Done.", result]}},
            "Correct_Diagnosis": diagnosis,
        }
    }
    codes = {
        one.code
        for one in list_faults_of_case(Case(form="osce", content=content, diagnosis=diagnosis))
    }
    if "diagnosis_in_tests" in codes:
        return "stated"
    return "hinted" if "diagnosis_hinted" in codes else ""


def said_of(pair: Pair) -> str:
    """What the rule says of a pair: told, partly or no."""
    nested: object = pair.leaf
    for step in reversed(pair.name.split(" › ")):
        nested = {step: nested}
    content = {_SECTIONS[pair.section]: nested, "Correct_Diagnosis": "Nothing of the kind"}
    content.setdefault("Patient_Actor", {"Demographics": ""})
    case = Case(form="osce", content=content, diagnosis="Nothing of the kind")
    teller = "patient" if pair.section == "patient" else "measurement"
    ordered = pair.section != "patient"
    dialogue = Dialogue(
        case=case.name_derived_from_content,
        doctor="d",
        patient="p",
        outcome="no_diagnosis",
        turns=(
            Turn(n=1, speaker="doctor", text=pair.asked, kind="request_test" if ordered else "say"),
            Turn(n=2, speaker=teller, text=pair.answer, kind="result" if ordered else "say"),
        ),
    )
    [state] = (
        one.state
        for one in find_what_dialogue_elicited(case, dialogue).leaves
        if one.leaf.text == pair.leaf
    )
    return "no" if state == "missed" else state


def score(found: Sequence[tuple[Pair, str]], *, touched: bool) -> Score:
    """Precision and recall of ``told``, or of told and partly together."""
    positive = ("told", "partly") if touched else ("told",)
    said = [(word in positive, pair.label in positive) for pair, word in found]
    return Score(
        sum(one and other for one, other in said),
        sum(one for one, _ in said),
        sum(other for _, other in said),
    )


def run(options: Options) -> list[Row]:
    """The rows of this benchmark: what is missing to a perfect precision."""
    found = [(pair, said_of(pair)) for pair in pairs()]
    held = [one for one in found if one[0].held_out == "yes"]
    rows = []
    for what, part in (("all pairs", found), ("held-out pairs", held)):
        for touched in (False, True):
            one = score(part, touched=touched)
            word = "told or partly" if touched else "told"
            note = (
                f"precision {one.precision:.3f} ({one.right}/{one.said}),"
                f" recall {one.recall:.3f} ({one.right}/{one.true})"
            )
            rows.append(
                Row(
                    f"{word}, {what}: wrong of what is called so",
                    [100 * (1 - one.precision)],
                    "median",
                    100 * (1 - BAR),
                    unit="%",
                    note=note,
                )
            )
    named = [(bool(said_of_result(one, result)), true) for one, result, true in results()]
    right, said = sum(a and b for a, b in named), sum(a for a, _ in named)
    one = Score(right, said, sum(b for _, b in named))
    note = f"precision {one.precision:.3f} ({right}/{said}), recall {one.recall:.3f}"
    rows.append(
        Row(
            "names the diagnosis: wrong of what is called so",
            [100 * (1 - one.precision)],
            "median",
            100 * (1 - BAR),
            unit="%",
            note=f"{note} ({right}/{one.true})",
        )
    )
    return rows
