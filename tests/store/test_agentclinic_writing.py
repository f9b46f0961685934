"""A case written in the form: the template it becomes, its check, and its draft."""

from __future__ import annotations

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import raters
from medlens.store import Store
from medlens.studies.agentclinic import queries, written_case_form_check_and_storing

WRITTEN = {
    "objective": "Assess a man with chest pain.",
    "demographics": "61-year-old man",
    "history": "An hour ago\nhis chest began to press.",
    "primary": "Chest pain",
    "secondary": "Sweating\n\n Nausea ",
    "pressure": "150/90 mmHg",
    "exam": "Chest > Heart sounds: normal\nSkin: pale",
    "diagnosis": "Myocardial infarction",
    "tests": "Blood > Troponin: raised: 2 µg/L\nECG > ST: raised in II, III, aVF",
}


def test_the_fields_become_the_published_template() -> None:
    assert written_case_form_check_and_storing.make_case_json_object_from_form(WRITTEN) == {
        "OSCE_Examination": {
            "Objective_for_Doctor": "Assess a man with chest pain.",
            "Patient_Actor": {
                "Demographics": "61-year-old man",
                "History": "An hour ago his chest began to press.",
                "Symptoms": {
                    "Primary_Symptom": "Chest pain",
                    "Secondary_Symptoms": ["Sweating", "Nausea"],
                },
            },
            "Physical_Examination_Findings": {
                "Vital_Signs": {"Blood_Pressure": "150/90 mmHg"},
                "Chest": {"Heart_sounds": "normal"},
                "Skin": "pale",
            },
            "Test_Results": {
                "Blood": {"Troponin": "raised: 2 µg/L"},
                "ECG": {"ST": "raised in II, III, aVF"},
            },
            "Correct_Diagnosis": "Myocardial infarction",
        }
    }


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("tests", "Blood > Troponin: 2\nno colon here", "Test results, line 2: write it as"),
        ("tests", "Blood > : 2", "line 1"),
        ("tests", "Blood: normal\nBlood > Troponin: 2", "Blood > Troponin is already a finding"),
        ("exam", "Skin: pale\nSkin: warm", "Examination: Skin occurs twice"),
        ("exam", "Vital_Signs > Blood_Pressure: 1/1", "Blood Pressure occurs twice"),
    ],
)
def test_a_line_that_is_no_finding_is_named(field: str, text: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        written_case_form_check_and_storing.make_case_json_object_from_form(WRITTEN | {field: text})


def test_the_check_names_what_is_missing_and_what_the_lint_finds(store: Store) -> None:
    empty = written_case_form_check_and_storing.make_lint_report_of_written_case(store, "d", {})
    assert "Correct diagnosis" in empty.missing
    assert empty.case is None
    found = written_case_form_check_and_storing.make_lint_report_of_written_case(
        store, "d", WRITTEN
    )
    assert (found.missing, found.faults, found.findings) == ((), (), ())
    leaking = written_case_form_check_and_storing.make_lint_report_of_written_case(
        store, "d", WRITTEN | {"tests": "ECG > Reading: myocardial infarction"}
    )
    assert [one.code for one in leaking.findings] == ["diagnosis_in_tests"]


def test_only_leads_add_a_case_and_the_same_one_once(store: Store) -> None:
    lead = raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
    with pytest.raises(NotAllowed):
        written_case_form_check_and_storing.add_written_case_and_return_name(
            store, "d", WRITTEN, by=raters.find_or_add_rater_by_name(store, "Rosa Reviewer")
        )
    with pytest.raises(InvalidInput, match="incomplete: Age and sex"):
        written_case_form_check_and_storing.add_written_case_and_return_name(
            store, "d", WRITTEN | {"demographics": " "}, by=lead
        )
    name = written_case_form_check_and_storing.add_written_case_and_return_name(
        store, "d", WRITTEN, by=lead
    )
    assert queries.load_cases_by_name(store, "d")[name].case.diagnosis == "Myocardial infarction"
    assert written_case_form_check_and_storing.make_lint_report_of_written_case(
        store, "d", WRITTEN
    ).known
    with pytest.raises(InvalidInput, match="already"):
        written_case_form_check_and_storing.add_written_case_and_return_name(
            store, "d", WRITTEN, by=lead
        )
