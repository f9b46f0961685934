from __future__ import annotations

import json
import shutil
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from medlens.agentclinic import metrics
from medlens.agentclinic.demo import Demo, load_demo
from medlens.agentclinic.lint import lint_all
from medlens.agentclinic.replies import Diagnosis, RequestTest, Say, parse_doctor
from medlens.agentclinic.tasks import MARKS, MATCH, REALISM
from medlens.errors import BadFile

DATA = Path(__file__).resolve().parents[2] / "data"
FOLDER = DATA / "demo" / "agentclinic"


@pytest.fixture(scope="module")
def demo() -> Demo:
    return load_demo(FOLDER)


def test_there_are_ten_cases_and_forty_dialogues_of_invented_models(demo: Demo) -> None:
    assert (len(demo.cases), len(demo.dialogues)) == (10, 40)
    players = {one.doctor for _, one in demo.dialogues} | {one.patient for _, one in demo.dialogues}
    assert players == {"demo-a", "demo-b"}
    assert demo.raters == ("Demo clinician A", "Demo clinician B", "Demo clinician C")


def test_everything_is_marked_as_illustrative_and_has_no_emoji() -> None:
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        assert {c for c in text if unicodedata.category(c) == "So"} <= {"°"}
        for line in text.splitlines():
            row = json.loads(line)
            assert (row["dataset"], row["illustrative"]) == ("demo", True)


def test_every_outcome_and_three_biases_occur(demo: Demo) -> None:
    outcomes = Counter(one.outcome for _, one in demo.dialogues)
    assert outcomes == {"correct": 24, "incorrect": 12, "no_diagnosis": 3, "error": 1}
    given = {
        tuple(bias.id if bias else "" for bias in (one.doctor_bias, one.patient_bias))
        for _, one in demo.dialogues
    }
    assert given == {("", ""), ("recency", ""), ("", "self_diagnosis"), ("", "gender")}


def test_the_doctors_messages_read_as_what_they_are_and_keep_the_limit(demo: Demo) -> None:
    kinds = {Say: "say", RequestTest: "request_test", Diagnosis: "diagnosis"}
    for name, one in demo.dialogues:
        assert one.interactions_used <= one.n_interactions, name
        for turn in one.turns:
            if turn.speaker == "doctor":
                assert kinds[type(parse_doctor(turn.text))] == turn.kind, (name, turn.n)
        if one.diagnosis:
            last = [parse_doctor(turn.text) for turn in one.turns if turn.kind == "diagnosis"]
            assert [found.diagnosis for found in last if isinstance(found, Diagnosis)] == [
                one.diagnosis
            ]


def test_the_cases_show_what_the_check_finds(demo: Demo) -> None:
    found = Counter(
        one.code for findings in lint_all([c for _, c in demo.cases]) for one in findings
    )
    assert found == {"diagnosis_in_tests": 1, "too_young": 1, "no_tests": 1}


def test_three_clinicians_rate_two_or_three_at_a_time_and_differ(demo: Demo) -> None:
    for task, least in ((REALISM, 25), (MATCH, 30)):
        raters = Counter(one.dialogue for one in demo.judgments if one.task == task)
        assert len(raters) >= least
        assert set(raters.values()) == {2, 3}
    marks = {
        mark.mark
        for one in demo.judgments
        if one.task == REALISM
        for mark in one.value.marks  # type: ignore[union-attr]
    }
    assert marks == {mark.id for mark in MARKS}


def test_every_chart_has_something_to_draw(demo: Demo) -> None:
    table = metrics.played(demo.dialogues, {case.name: case for _, case in demo.cases})
    compared = {(one.doctor, one.bias) for one in metrics.paired(table)}
    assert compared == {
        ("demo-a", "doctor:recency"),
        ("demo-a", "patient:self_diagnosis"),
        ("demo-b", "patient:gender"),
    }
    assert table["refused"].sum() == 1
    assert table["leaked"].any()
    assert set(table["n_interactions"]) == {10, 20}
    assert table["echoed"].sum() >= 2


Change = Callable[[dict[str, Any]], None]


def put(field: str, value: object) -> Change:
    return lambda row: row.update({field: value})


@pytest.mark.parametrize(
    "file, change, reason",
    [
        ("cases.jsonl", put("name", "graves"), "a name not used already"),
        ("cases.jsonl", put("illustrative", False), "illustrative true"),
        ("cases.jsonl", put("OSCE_Examination", {}), "Correct_Diagnosis"),
        ("dialogues.jsonl", put("case", "none"), "the name of a case in cases.jsonl"),
        ("dialogues.jsonl", put("outcome", "won"), "column 'outcome'"),
        ("dialogues.jsonl", put("doctor_bias", {"id": "vanity"}), "a bias of the doctor"),
        ("ratings.jsonl", put("item", "demo99"), "the name of a dialogue"),
        ("ratings.jsonl", put("rater", "Demo clinician A"), "one judgment of a dialogue"),
        ("ratings.jsonl", put("value", {"doctor": 11}), "value.doctor"),
        ("ratings.jsonl", put("value", {"doctor": 5}), "Rate patient from 1 to 10"),
        ("checks.jsonl", put("value", {"same": None}), "Say yes, no or cannot tell"),
    ],
)
def test_a_fault_in_the_demo_is_refused_by_file_and_line(
    tmp_path: Path, file: str, change: Change, reason: str
) -> None:
    shutil.copytree(FOLDER, tmp_path / "agentclinic")
    path = tmp_path / "agentclinic" / file
    lines = path.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[1])
    change(row)
    lines[1] = json.dumps(row)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(BadFile) as refused:
        load_demo(path.parent)
    assert f"{file}, line 2" in str(refused.value)
    assert reason in str(refused.value)
