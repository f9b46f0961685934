"""What stands beside a case in a table is not shown to reviewers at first, and is told."""

from __future__ import annotations

import time
from typing import Any

import pytest

from medlens.studies.own.study_file_from_table.column_roles_from_cells import (
    SHOWN_ROLES,
    are_any_columns_shown,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    list_column_decisions_in_words,
)
from medlens.studies.own.study_proposal import propose_study

QUESTION = "Can I keep taking metformin with kidney disease, number {}?"
ANSWER = "Metformin should be stopped when the filtration rate is below thirty, number {}."


def rows(before: dict[str, Any], after: dict[str, Any], count: int = 6) -> list[dict[str, Any]]:
    """Rows with a question and an answer; cells of the columns around them are made from the
    row's number, or are always the same.
    """

    def made(columns: dict[str, Any], at: int) -> dict[str, Any]:
        return {name: one(at) if callable(one) else one for name, one in columns.items()}

    return [
        {"id": f"q{at}"}
        | made(before, at)
        | {"question": QUESTION.format(at), "answer": ANSWER.format(at)}
        | made(after, at)
        for at in range(count)
    ]


def shown(table: list[dict[str, Any]]) -> set[str]:
    columns = list_guessed_roles_of_columns(table)
    return {one.name for one in columns if one.role in SHOWN_ROLES} - {
        "question",
        "answer",
    }


@pytest.mark.parametrize(
    "heading",
    [
        "Pertinence (1-5)",
        "Trust (0-100)",
        "Luottamus",
        "Wiarygodność 1-5",
        "Freigabe durch",
        "mapped",
    ],
)
def test_a_short_column_behind_the_answer_is_not_shown_and_told(heading: str) -> None:
    table = rows({}, {heading: lambda at: str(at * 7)})
    assert shown(table) == set()
    told = list_column_decisions_in_words(list_guessed_roles_of_columns(table), table)
    assert any(f"“{heading}”" in one for one in told)


@pytest.mark.parametrize("heading", ["Age", "Kreatinin (mg/dl)", "Hb", "Medication", "options.A"])
def test_what_belongs_to_a_case_is_shown_wherever_it_stands(heading: str) -> None:
    assert shown(rows({}, {heading: lambda at: f"{at + 40}"})) == {heading}


def test_a_short_column_before_the_answer_is_shown_unless_it_says_nothing_of_the_case() -> None:
    table = rows(
        {
            "finding": lambda at: f"rale {at}",
            "campaign": "Compare answers",
            "begun": lambda at: f"2024-05-01 10:0{at}:12",
            "path": lambda at: f"runs/a7/{at}.json",
            "visitor": lambda at: f"5f3a99b0c1d2{at}",
            "participantId": lambda at: f"p{at}",
        },
        {},
    )
    assert shown(table) == {"finding"}


def test_a_second_text_that_adds_words_to_the_answers_heading_is_not_shown() -> None:
    longer = "Stop the tablets at a low filtration rate, as the guideline of {} says."
    table = rows({}, {"answer of the board": longer.format})
    assert shown(table) == set()
    assert shown(rows({}, {"source text": longer.format})) == {"source text"}


def test_what_identifies_a_patient_is_not_shown_at_first() -> None:
    table = rows({"Patient": "Huber, Anna", "geb.": lambda at: f"1{at}.04.1950"}, {})
    assert shown(table) == set()


def test_how_a_program_counts_is_not_shown_though_its_heading_has_a_word_of_a_case() -> None:
    assert shown(rows({}, {"usage.prompt_tokens": lambda at: 300 + at})) == set()


def test_of_a_table_without_any_text_nothing_is_taken_away() -> None:
    table = [{"nr": at, "word": f"rale {at}", "said": f"yes {at}"} for at in range(6)]
    columns = list_guessed_roles_of_columns(table)
    assert are_any_columns_shown(columns)


@pytest.mark.parametrize(
    "heading", ["Diagnose (Histologie)", "Histological diagnosis", "Diagnosis (biopsy-proven)"]
)
def test_a_diagnosis_by_histology_is_what_is_right(heading: str) -> None:
    rows = [
        {
            "Fall": at,
            "Befund der KI": f"Eine rötliche Plaque mit Schuppung, Nummer {at}.",
            heading: f"Psoriasis {at}",
        }
        for at in range(3)
    ]
    made = propose_study(rows, title="T")
    assert heading not in made.declared.shown_text_columns
    assert any(heading in one and "what is right" in one for one in made.told)


def test_what_limesurvey_keeps_of_itself_is_not_shown_under_codes_and_words() -> None:
    rows = [
        {
            "id. Antwort-ID": str(at),
            "lastpage. Letzte Seite": "3",
            "startlanguage. Start-Sprache": ("de", "en")[at % 2],
            "seed. Zufallsstartwert": str(1000 + at),
            "G01Q01. Fallvignette": f"Eine Frau von {at + 70} Jahren ist heute gestürzt. Was nun?",
            "G01Q02. Antwort des Chatbots": f"Bitte gehen Sie innerhalb von {at + 1} Stunden hin.",
        }
        for at in range(4)
    ]
    made = propose_study(rows, title="T")
    assert made.declared.shown_text_columns == (
        "G01Q01. Fallvignette",
        "G01Q02. Antwort des Chatbots",
    )


@pytest.mark.parametrize("heading", ["Referenzbereich", "Normwerte", "reference range"])
def test_a_laboratorys_range_is_shown(heading: str) -> None:
    rows = [
        {
            "item": at,
            "Laborwert": f"TSH {at},1 mU/l",
            heading: f"0,4–{at},0 mU/l",
            "Frage": f"Warum bin ich so müde, Nr. {at}, und was nun?",
            "Antwort": f"Zunächst Kontrolle mit freiem T4 nach {at} Wochen, dann weiter.",
        }
        for at in range(1, 5)
    ]
    assert heading in propose_study(rows, title="T").declared.shown_text_columns


def test_prolifics_list_of_participants_is_told_as_such() -> None:
    rows = [
        {
            "Submission id": f"66f1c2{at}aa0b1c2d3e4f",
            "Participant id": f"5e9{at}bb0b1c2d3e4f00",
            "Time taken": str(600 + at),
            "Completion code": "C1X2",
            "Total approvals": str(at),
            "Age": str(30 + at),
        }
        for at in range(1, 5)
    ]
    made = propose_study(rows, title="T")
    assert any("Prolific's list of who took part" in one for one in made.told)
    assert not {"Time taken", "Completion code"} & {*made.declared.shown_text_columns}


def test_a_heading_that_numbers_questions_names_the_items() -> None:
    rows = [
        {
            "Nr\npytania": str(at),
            "Pytanie": f"Czy mogę przyjmować lek numer {at} z dziurawcem?",
            "Odpowiedź": f"Nie, ponieważ osłabia działanie leku numer {at}.",
        }
        for at in range(1, 4)
    ]
    assert propose_study(rows, title="T").declared.item.split() == ["Nr", "pytania"]


MECHANICAL_TURK = {
    "HITId": "3K4J",
    "HITTypeId": "3ABC",
    "Title": "Compare two medical answers",
    "Reward": "$0.50",
    "WorkerId": "A2JW",
    "AssignmentStatus": "Approved",
    "Input.vignette": "A man of 58 has had jaw pain for forty minutes. What should he do?",
}


def test_what_earlier_workers_of_mechanical_turk_chose_is_not_shown_and_is_told() -> None:
    rows = [
        MECHANICAL_TURK
        | {
            "HITId": f"3K4J{at}",
            "Input.response_left": f"Take ibuprofen and see a dentist within {at + 3} days.",
            "Input.response_right": f"Call an ambulance now, and rest for {at + 5} minutes.",
            "Answer.choice": ("left", "right", "tie")[at],
            "Answer.sure": ("yes", "", "no")[at],
        }
        for at in range(3)
    ]
    made = propose_study(rows, title="T")
    roles = {one.name: one.role for one in made.columns}
    assert {roles[name] for name in ("Answer.choice", "Answer.sure", "Title", "Reward")} <= {
        "group",
        "hidden",
    }
    assert roles["Input.vignette"] == "text"
    assert roles["Input.response_left"] == roles["Input.response_right"] == "answer"
    assert any("“Answer.choice”, “Answer.sure”: earlier workers" in one for one in made.told)


def test_texts_that_workers_of_mechanical_turk_wrote_are_what_is_judged() -> None:
    rows = [
        MECHANICAL_TURK
        | {
            "HITId": f"3K4J{at}",
            "Answer.advice": f"Call an ambulance now, and rest for {at + 5} minutes. " * 3,
            "Answer.sure": ("yes", "", "no")[at],
        }
        for at in range(3)
    ]
    roles = {one.name: one.role for one in propose_study(rows, title="T").columns}
    assert roles["Answer.advice"] == "text"
    assert roles["Answer.sure"] in ("group", "hidden")


@pytest.mark.parametrize("heading", ["expert_answer", "Physician response"])
def test_what_an_expert_answered_is_what_is_right_where_each_model_has_a_row(heading: str) -> None:
    rows = [
        {
            "item": f"q{at}",
            "question": QUESTION.format(at),
            heading: f"Stop metformin below thirty, as number {at} says.",
            "model_name": model,
            "model_reply": ANSWER.format(f"{at} {model[0]}"),
        }
        for at in range(3)
        for model in ("GPT-4o", "Med42")
    ]
    made = propose_study(rows, title="T")
    assert heading not in made.declared.shown_text_columns
    assert any(f"“{heading}”: by its name" in one for one in made.told)


def test_explanations_of_terms_are_what_is_judged_where_no_other_text_is() -> None:
    terms = ("sepsis", "biopsy", "HbA1c")
    rows = [
        {"item": f"X{at}", "term": term, "explanation": ANSWER.format(term)}
        for at, term in enumerate(terms)
    ]
    made = propose_study(rows, title="T")
    assert {*made.declared.shown_text_columns} == {"term", "explanation"}
    assert any("“explanation” is the only text" in one for one in made.told)
    assert not any("No column of this table is a text" in one for one in made.told)
    asked = [{"question": f"What is {row['term']}?", "answer": "B"} | row for row in rows]
    made = propose_study(asked, title="T")
    assert "explanation" not in made.declared.shown_text_columns


@pytest.mark.parametrize(
    "heading", ["Wells score", "APGAR Score", "GCS score", "CHA2DS2-VASc score"]
)
def test_a_patients_score_before_the_question_belongs_to_the_case(heading: str) -> None:
    assert heading in shown(rows({heading: lambda at: str(at + 1)}, {}))


def test_a_score_behind_the_answer_is_not_shown_whatever_it_is_called() -> None:
    for heading in ("score", "total score", "Wells score"):
        assert heading not in shown(rows({}, {heading: lambda at: str(at + 1)}))


def test_a_heading_of_many_digits_and_an_unbroken_sequence_are_read_at_once() -> None:
    code = "1" * 60 + "!"
    sequence = "ACGT" * 30_000
    table = [
        {code: "yes", "protein": sequence, "question": f"What do I do on day {at} of a cough?"}
        for at in range(4)
    ]
    begun = time.process_time()
    list_guessed_roles_of_columns(table, {code: "Is it safe?"})
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("heading", "same"),
    [
        ("source", "med_portal"),
        ("language", "English"),
        ("Sprache", "Deutsch"),
        ("meta.language", "en"),
        ("question_language", "en"),
        ("output.message.source", "generate"),
        ("journal", "BMJ"),
        ("Fachgebiet", "Kardiologie"),
        ("prompt_truncated", False),
        ("echo_prompt", "True"),
    ],
)
def test_what_is_the_same_in_every_row_and_of_no_patient_is_not_shown_and_told(
    heading: str, same: Any
) -> None:
    for table in (rows({heading: same}, {}), rows({}, {heading: same})):
        assert heading not in shown(table)
        assert f"“{heading}”" in " ".join(propose_study(table, title="T").told)


@pytest.mark.parametrize(
    ("heading", "same"),
    [
        *(("sex", "female"), ("Alter", "34"), ("fever", "no"), ("dose", "5 mg")),
        *(("Frage vorab", "Diagnose?"), ("prompt", "Diagnosis?"), ("setting", "ED")),
        ("body part", "chest"),
    ],
)
def test_what_is_told_or_asked_of_all_patients_alike_stays(heading: str, same: str) -> None:
    assert heading in shown(rows({heading: same}, {}))


def test_a_source_or_language_that_differs_from_row_to_row_stays() -> None:
    assert "source" in shown(rows({"source": lambda at: f"clinic {at}"}, {}))
    assert "language" in shown(rows({"language": lambda at: ("en", "de", "fr")[at % 3] * at}, {}))
