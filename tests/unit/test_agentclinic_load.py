"""AgentClinic's files: both published forms with their oddities, and what is refused."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from medlens.errors import BadFile
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import list_faults_of_each_case
from medlens.studies.agentclinic.file_loading import case_from_fields, read_cases, read_dialogues


def osce(**changes: Any) -> dict[str, Any]:
    inner = {
        "Objective_for_Doctor": "Assess the patient.",
        "Patient_Actor": {"Demographics": "40-year-old woman", "History": "Cough."},
        "Physical_Examination_Findings": {"Vital_Signs": {"Temperature": "38.4 °C"}},
        "Test_Results": {"Chest_X-Ray": {"Findings": "Opacity."}},
        "Correct_Diagnosis": "Pneumonia",
    }
    inner.update(changes)
    return {"OSCE_Examination": {key: v for key, v in inner.items() if v is not None}}


def nejm(**changes: Any) -> dict[str, Any]:
    case = {
        "image_url": "https://images.example.org/1.png",
        "question": "A 34-year-old gardener has nodules. What is it?",
        "patient_info": "You are a 34-year-old gardener. You have lumps.",
        "physical_exams": "Four firm nodules.",
        "answers": [
            {"text": "Sporotrichosis", "correct": True},
            {"text": "Gout", "correct": False},
        ],
    }
    case.update(changes)
    return {key: value for key, value in case.items() if value is not None}


def lines(*rows: Any) -> bytes:
    return "".join(
        (row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows
    ).encode()


@pytest.mark.shared_data
def test_the_107_published_cases_are_read_each_once(shared_data: Path) -> None:
    loaded = read_cases(shared_data / "agentclinic" / "agentclinic_medqa.jsonl")
    assert len(loaded.records) == 107
    assert loaded.notes == ()
    assert len({one.case.digest for one in loaded.records}) == 107
    assert loaded.records[106].aliases == ("agentclinic_medqa:107",)


@pytest.mark.shared_data
def test_the_diagnosis_stands_in_the_tests_of_exactly_15_published_cases(
    shared_data: Path,
) -> None:
    loaded = read_cases(shared_data / "agentclinic" / "agentclinic_medqa.jsonl")
    found = list_faults_of_each_case([one.case for one in loaded.records])
    kinds = Counter(code for one in found for code in {finding.code for finding in one})
    assert kinds == {
        "diagnosis_in_tests": 15,
        "diagnosis_hinted": 4,
        "too_young": 16,
        "no_tests": 2,
        "duplicate_diagnosis": 10,
    }
    stated = [
        one.line
        for one, findings in zip(loaded.records, found, strict=True)
        if any(finding.code == "diagnosis_in_tests" for finding in findings)
    ]
    assert stated == [2, 3, 11, 14, 18, 20, 23, 39, 48, 52, 62, 86, 87, 102, 104]


@pytest.mark.shared_data
def test_the_odd_cases_and_the_other_form_are_read_whole(shared_data: Path) -> None:
    odd = read_cases(shared_data / "agentclinic" / "odd_cases_example.jsonl").records
    assert len(odd) == 6
    texts = [leaf.text for leaf in odd[4].case.list_case_facts()]
    assert {"yes", "13.2", "Antibiotics"} <= set(texts)
    assert odd[3].case.demographics_in_words == "Newborn, female"
    assert odd[5].case.diagnosis == "community-acquired pneumonia"
    loaded = read_cases(shared_data / "agentclinic" / "nejm_form_example.jsonl")
    other = [one.case for one in loaded.records]
    assert [case.diagnosis for case in other] == ["Sporotrichosis", "Carotid artery dissection"]
    assert other[0].images == ("https://images.example.org/case-1.png",)
    assert len(other[1].options) == 5
    assert other[1].demographics_in_words == "61-year-old man"


def test_the_same_case_with_other_spacing_order_and_wrapper_is_one_case() -> None:
    first = case_from_fields(osce())
    inner = osce()["OSCE_Examination"]
    other = dict(reversed(inner.items()))
    other["Correct_Diagnosis"] = "  Pneumonia "
    assert (
        case_from_fields({"OSCE_Examination": other}).name_derived_from_content
        == first.name_derived_from_content
    )
    assert case_from_fields(inner).name_derived_from_content == first.name_derived_from_content
    assert (
        case_from_fields(osce(Correct_Diagnosis="Bronchitis")).name_derived_from_content
        != first.name_derived_from_content
    )
    assert (
        case_from_fields(
            json.loads(json.dumps(osce(), ensure_ascii=True))
        ).name_derived_from_content
        == first.name_derived_from_content
    )


def test_a_case_given_twice_in_a_file_counts_once_and_is_said() -> None:
    loaded = read_cases(lines(osce(), osce(Correct_Diagnosis="Gout"), osce()), name="mine.jsonl")
    assert [one.aliases for one in loaded.records] == [("mine:1",), ("mine:2",)]
    assert loaded.notes == (
        "Cases that occur in the file more than once, counted once: 1 (line 3).",
    )


@pytest.mark.parametrize("key", ["type", "Case_Type", "source", "id"])
def test_a_case_given_again_with_another_key_of_its_own_counts_once(key: str) -> None:
    for make in (nejm, osce):
        rows = [{**make(), key: "first"}, {key: "second", **make()}, make()]
        assert len(read_cases(lines(*rows)).records) == 1, make
    inside = [osce(**{key: value}) for value in ("first", "second")]
    assert len(read_cases(lines(*inside)).records) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "A 34-year-old gardener has no nodules. What is it?"},
        {"patient_info": "You are a 35-year-old gardener. You have lumps."},
        {"physical_exams": "Five firm nodules."},
        {"image_url": "https://images.example.org/2.png"},
        {
            "answers": [
                {"text": "Sporotrichosis", "correct": False},
                {"text": "Gout", "correct": True},
            ]
        },
    ],
)
def test_a_case_in_which_anything_that_is_told_differs_is_another(changes: dict[str, Any]) -> None:
    assert len(read_cases(lines(nejm(), nejm(**changes))).records) == 2


def test_keys_of_two_spellings_and_keys_of_their_own_are_kept() -> None:
    case = case_from_fields(
        osce(Test_Results={"Chest_X-Ray": "a", "Chest_X-ray": "b"}, Management={"Plan": "Rest"})
    )
    assert [leaf.path_in_words for leaf in case.list_case_facts() if leaf.section == "tests"] == [
        "Test_Results › Chest_X-Ray",
        "Test_Results › Chest_X-ray",
    ]
    assert [leaf.section for leaf in case.list_case_facts() if leaf.text == "Rest"] == ["other"]


@pytest.mark.parametrize(
    "history", ["A text.", ["Asthma", "Gout"], {"Drugs": {"Allopurinol": "100 mg"}}, None, {}, []]
)
def test_a_history_may_be_text_list_object_or_absent(history: Any) -> None:
    patient = {"Demographics": "40-year-old woman", "Past_Medical_History": history}
    case = case_from_fields(osce(Patient_Actor=patient))
    assert case.content["OSCE_Examination"]["Patient_Actor"] == patient
    assert all(leaf.text for leaf in case.list_case_facts())


def test_a_text_without_findings_or_tests_is_a_case() -> None:
    case = case_from_fields(osce(Physical_Examination_Findings=None, Test_Results=None))
    assert (case.examination_findings, case.test_results) == ({}, {})


def test_long_texts_are_cut_into_sentences_that_know_their_number() -> None:
    patient = {"History": "Two days of cough. Fever since Monday; sputum is green."}
    leaves = case_from_fields(osce(Patient_Actor=patient)).list_case_facts(split=True)
    history = [leaf for leaf in leaves if leaf.section == "patient"]
    assert [(leaf.part, leaf.text) for leaf in history] == [
        (0, "Two days of cough."),
        (1, "Fever since Monday; sputum is green."),
    ]


@pytest.mark.parametrize(
    "row, column",
    [
        (osce(Correct_Diagnosis=None), "OSCE_Examination.Correct_Diagnosis"),
        (osce(Correct_Diagnosis="  "), "OSCE_Examination.Correct_Diagnosis"),
        (osce(Correct_Diagnosis=7), "OSCE_Examination.Correct_Diagnosis"),
        (osce(Patient_Actor=None), "OSCE_Examination.Patient_Actor"),
        (osce(Patient_Actor=["a"]), "OSCE_Examination.Patient_Actor"),
        (osce(Test_Results=5), "OSCE_Examination.Test_Results"),
        ({"OSCE_Examination": "text"}, "OSCE_Examination"),
        (nejm(answers=None), "answers"),
        (nejm(answers=[{"text": "A", "correct": False}]), "answers"),
        (nejm(answers=[{"text": "A", "correct": True}] * 2), "answers"),
        (nejm(answers=[{"text": "A", "correct": "maybe"}]), "answers.0.correct"),
        (nejm(answers=[{"correct": True}]), "answers.0"),
        (nejm(patient_info=None), "patient_info"),
        (nejm(image_url=5), "image_url"),
        ({"question": "What?", "options": {}}, ""),
    ],
)
def test_a_malformed_case_is_refused_by_line_and_column(row: Any, column: str) -> None:
    with pytest.raises(BadFile) as caught:
        read_cases(lines(nejm(), row), name="cases.jsonl")
    assert [(bad.file, bad.line, bad.column) for bad in caught.value.rows] == [
        ("cases.jsonl", 2, column)
    ]


def test_a_broken_line_is_named_and_the_others_can_be_had() -> None:
    source = lines(osce(), '{"OSCE_Examination": {"Objective', nejm())
    with pytest.raises(BadFile, match=r"line 2.*one JSON object"):
        read_cases(source, name="cases.jsonl")
    loaded = read_cases(source, name="cases.jsonl", skip_bad=True)
    assert (len(loaded.records), len(loaded.refused)) == (2, 1)


def test_a_json_array_and_answers_given_as_texts_are_read_as_well() -> None:
    answers = [{"text": "A", "correct": "True"}, {"text": "B", "correct": "false"}]
    loaded = read_cases(json.dumps([osce(), nejm(answers=answers)]).encode(), name="cases.json")
    assert [one.case.form for one in loaded.records] == ["osce", "nejm"]


def dialogue(**changes: Any) -> dict[str, Any]:
    fields = {
        "case": "case-1",
        "doctor": "demo-a",
        "patient": "demo-b",
        "outcome": "correct",
        "diagnosis": "Gout",
        "turns": [{"speaker": "doctor", "text": "Hello"}, {"speaker": "patient", "text": "Hi"}],
    }
    fields.update(changes)
    return fields


def test_a_dialogue_made_elsewhere_needs_no_numbers_and_no_name() -> None:
    loaded = read_dialogues(lines(dialogue(), dialogue(dialogue="mine", repeat=2)))
    first, second = loaded.records
    assert [turn.n for turn in first.dialogue.turns] == [1, 2]
    assert first.name == first.dialogue.name_within_run
    assert second.name == "mine"


@pytest.mark.parametrize(
    "change, column",
    [
        ({"outcome": "won"}, "outcome"),
        ({"diagnosis": ""}, ""),
        ({"outcome": "no_diagnosis"}, ""),
        ({"turns": [{"speaker": "nurse", "text": "x"}]}, "turns.0.speaker"),
        ({"turns": [{"n": 2, "speaker": "doctor", "text": "x"}]}, "turns"),
        ({"turns": "x"}, "turns"),
        ({"ratings": {"confidence": {"score": 11}}}, "ratings.confidence.score"),
        ({"cost": -1}, "cost"),
        ({"misspelt": 1}, "misspelt"),
    ],
)
def test_a_malformed_dialogue_is_refused_by_line_and_field(
    change: dict[str, Any], column: str
) -> None:
    with pytest.raises(BadFile) as caught:
        read_dialogues(lines(dialogue(), dialogue(**change)), name="d.jsonl")
    assert [(bad.line, bad.column) for bad in caught.value.rows] == [(2, column)]
