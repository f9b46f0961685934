"""The check of cases: what counts as naming the diagnosis, and who is too young to speak."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import (
    CaseFault,
    find_age_with_place,
    find_diagnosis_in_text,
    list_faults_of_case,
    list_faults_of_each_case,
    normalise_diagnosis,
)
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import find_places_of_phrase
from tests.bench.clinic_told import results, said_of_result
from tests.unit.test_agentclinic_load import nejm, osce


@pytest.mark.parametrize(
    "text, diagnosis, stated",
    [
        ("Findings in keeping with duodenal atresia.", "Duodenal atresia", True),
        (
            "Absence of ganglion cells, consistent with Hirschsprung’s disease.",
            "Hirschsprung's disease",
            True,
        ),
        (
            "Infiltration without infection, consistent with pyoderma gangrenosum.",
            "Pyoderma gangrenosum",
            True,
        ),
        ("Double_Aortic_Arch seen", "double aortic arch", True),
        # An abbreviation in brackets hides nothing.
        ("Consistent with Legg-Calve-Perthes disease", "Legg-Calvé-Perthes disease (LCPD)", True),
        ("Consistent with Legg-Calve-Perthes disease", "LCPD (Legg-Calvé-Perthes disease)", True),
        ("Findings of IgA nephropathy", "IgA nephropathy (IgAN)", True),
        # Named, but not stated as a finding in so many words.
        ("Antibodies, which are associated with myasthenia gravis.", "Myasthenia gravis", False),
        (
            "Dix-Hallpike positive, typical of BPPV.",
            "Benign paroxysmal positional vertigo (BPPV)",
            False,
        ),
        ("Typical of acute dystonia.", "Acute dystonia (of the neck)", False),
        ("Left lung clear.", "Pneumothorax (Left)", None),
        ("Shows uterine fibroids.", "Uterine fibroid", False),
        # Part of another disease's name, or another word in small letters.
        ("Pulmonary hypertension.", "Hypertension", None),
        ("Non-Hodgkin lymphoma.", "Hodgkin lymphoma", None),
        ("Delayed by 20 ms.", "Multiple sclerosis (MS)", None),
        # Not named.
        ("No evidence of pneumonia.", "Pneumonia", None),
        ("Pneumonia is excluded.", "Pneumonia", None),
        ("Bronchopneumonia on the right.", "Pneumonia", None),
        ("Normal.", "Gout", None),
        ("", "Gout", None),
    ],
)
def test_a_text_names_a_diagnosis_or_not(text: str, diagnosis: str, stated: bool | None) -> None:
    found = find_diagnosis_in_text(text, diagnosis)
    assert (found.stated if found else None) is stated


def test_a_later_mention_counts_where_the_first_is_denied() -> None:
    text = "No gout in the left foot. Right foot: gout."
    found = find_diagnosis_in_text(text, "Gout")
    assert found is not None
    assert text[found.start : found.end] == "gout"
    assert found.start == text.rindex("gout")


def test_the_place_of_words_counts_in_the_text_as_it_is() -> None:
    text = "Ça: Sjögren\u2019s  SYNDROME ﬁts"
    [place] = find_places_of_phrase(text, "sjogren syndrome")
    assert text[slice(*place)] == "Sjögren\u2019s  SYNDROME"
    assert list(find_places_of_phrase(text, "")) == []


def test_a_finding_says_where_in_the_case_it_stands() -> None:
    case = case_from_fields(osce(Test_Results={"Imaging": {"CT": ["Normal", "Shows pneumonia."]}}))
    [finding] = list_faults_of_case(case)
    assert finding == CaseFault(
        "diagnosis_in_tests",
        ("OSCE_Examination", "Test_Results", "Imaging", "CT", 1),
        6,
        15,
        "pneumonia",
    )
    assert finding.fault_in_words == "The diagnosis is in the test results."


def test_words_in_another_order_only_hint() -> None:
    case = case_from_fields(
        osce(
            Correct_Diagnosis="Posterior hip dislocation",
            Test_Results={"X-ray": "Posterior dislocation of the right hip."},
        )
    )
    assert [one.code for one in list_faults_of_case(case)] == ["diagnosis_hinted"]


def test_words_in_another_order_do_not_hint_where_they_are_denied_or_of_two_clauses() -> None:
    for result in ("No dislocation of the hip, posterior or other.", "Hip normal; posterior: no"):
        changes = {"Correct_Diagnosis": "Posterior hip dislocation", "Test_Results": {"X": result}}
        assert list_faults_of_case(case_from_fields(osce(**changes))) == [], result


def test_results_that_name_the_diagnosis_are_told_from_those_that_do_not() -> None:
    # 60 of each, written before the check was mended on them.
    said = [(bool(said_of_result(one, result)), true) for one, result, true in results()]
    assert len(said) == 120
    right = sum(named and true for named, true in said)
    assert right / sum(named for named, _ in said) >= 0.98
    assert right / sum(true for _, true in said) >= 0.95


def test_no_result_states_a_diagnosis_that_it_does_not_name() -> None:
    told = [said_of_result(one, result) for one, result, true in results() if not true]
    assert "stated" not in told


def test_the_name_in_the_history_is_no_leak_of_the_tests() -> None:
    case = case_from_fields(osce(Patient_Actor={"History": "Her aunt had pneumonia."}))
    assert list_faults_of_case(case) == []


@pytest.mark.parametrize("tests", [None, {}, {"Blood": {}}, {"Blood": ["", None]}, ""])
def test_no_tests_is_said_however_it_is_written(tests: Any) -> None:
    assert [
        one.code for one in list_faults_of_case(case_from_fields(osce(Test_Results=tests)))
    ] == ["no_tests"]


def test_the_image_of_the_other_form_must_be_there() -> None:
    assert list_faults_of_case(case_from_fields(nejm())) == []
    assert [one.code for one in list_faults_of_case(case_from_fields(nejm(image_url=None)))] == [
        "image_missing"
    ]
    assert [one.code for one in list_faults_of_case(case_from_fields(nejm(image_url="  ")))] == [
        "image_missing"
    ]


def test_the_same_diagnosis_is_found_in_another_spelling() -> None:
    cases = [
        case_from_fields(osce(Correct_Diagnosis=name))
        for name in ("Hirschsprung disease", "Hirschsprung’s disease (congenital)", "Gout")
    ]
    found = [[one.code for one in findings] for findings in list_faults_of_each_case(cases)]
    assert found == [["duplicate_diagnosis"], ["duplicate_diagnosis"], []]
    assert normalise_diagnosis("(BPPV)") == "bppv"


@pytest.mark.parametrize(
    "text, years",
    [
        ("35-year-old woman", 35),
        ("2-day-old male infant", 2 / 365),
        ("A three-year-old child", 3),
        ("18 months old", 1.5),
        ("Newborn, female", 0),
        # The age stands before the word for a baby.
        ("5-day-old male newborn", 5 / 365),
        ("woman of uncertain age", None),
    ],
)
def test_the_age_is_read_in_years(text: str, years: float | None) -> None:
    found = find_age_with_place(text)
    assert (found[0] if found else None) == (pytest.approx(years) if years is not None else None)


@pytest.mark.parametrize(
    "demographics, young",
    [
        ("8-month-old boy", True),
        ("2-year-old girl", True),
        ("3-year-old child", False),
        ("31-year-old woman, mother of a newborn", False),
    ],
)
def test_a_patient_under_three_is_too_young_to_speak(demographics: str, young: bool) -> None:
    case = case_from_fields(osce(Patient_Actor={"History": "Cough.", "Demographics": demographics}))
    assert [one.code for one in list_faults_of_case(case)] == (["too_young"] if young else [])
