"""Error messages of programming interfaces in place of answers are told, and answers are not."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from medlens.studies.own.error_messages_and_no_answer_phrases import is_error_message_of_a_program
from medlens.studies.own.study_proposal import propose_study
from medlens.studies.own.texts_damaged_or_of_several_models import (
    damaged_texts_by_place_by_kind_of_damage,
)

LONG = "Please come in today, since a stiff neck with a fever is no small matter ({})."


@pytest.mark.parametrize(
    "text",
    [
        "Error 429: Rate limit exceeded, please retry after 20s",
        "ERROR 429 Too Many Requests",
        "Error code: 500 - {'error': {'message': 'The server had an error'}}",
        "HTTP 503 Service Unavailable",
        "HTTP error 502",
        "429 Too Many Requests",
        "openai.RateLimitError: Error code: 429",
        "RateLimitError: You exceeded your current quota",
        "anthropic.APIStatusError",
        "KeyError: 'choices'",
        "ReadTimeout(HTTPSConnectionPool(host='api.example.org', port=443))",
        '{"error": {"message": "Overloaded", "type": "overloaded_error"}}',
        "{'error': 'model not found'}",
        "[ERROR] request timed out",
        "Error: Request timed out.",
        "error: no response received after 3 retries",
        "Fehler 429: zu viele Anfragen",
        "Erreur 503",
        "Traceback (most recent call last):\n  File ...",
        "This model's maximum context length is 8192 tokens.",
        "You exceeded your current quota, please check your plan.",
        "Rate limit reached for gpt-4o",
        "ERROR",
        "[error]",
        "Internal Server Error",
        "Status code: 401",
        "401 Unauthorized",
        "403 Forbidden",
    ],
)
def test_what_a_program_writes_in_place_of_an_answer_is_an_error_message(text: str) -> None:
    assert is_error_message_of_a_program(text)
    # Of a large table, only texts with certain words are looked at; short ones may be decisions.
    if len(text) > len("Rate limited"):
        assert damaged_texts_by_place_by_kind_of_damage(pa.array(["Rest.", text]), "answer") == {
            "error": {1: text}
        }


@pytest.mark.parametrize(
    "text",
    [
        "Error: 500 mg is ten times the usual dose, and must not be given.",
        "Fehler: 400 mg statt 40 mg wurden verordnet.",
        "Erreur 500 mg : la dose est trop forte.",
        "Error 404 mg",
        "Errors in dosing are frequent; call the ward if you took 500 mg twice.",
        "Error of measurement: repeat the blood pressure after five minutes.",
        "Medication error: tell the patient at once, and call the poison centre.",
        "The error rate of this test is 5 %.",
        "An error in the insulin pump can cause ketoacidosis; check the catheter's connection.",
        "Time out: before the incision the team pauses.",
        "Timeout before surgery is recommended by the WHO.",
        "Failed induction: caesarean section.",
        "Failed extubation needs reintubation.",
        "Connection between the two ventricles: a septal defect.",
        "Overloaded with fluid, she needs furosemide.",
        "429 patients were included.",
        "500 mg paracetamol, up to four times a day.",
        "503 kcal",
        "Exceptions are children below two years.",
        "I cannot answer this question.",
        "I'm sorry, but I can't help with that.",
        "Status epilepticus: lorazepam 4 mg intravenously.",
        "Status 500 ml infusion, then reassess.",
        "Refractive error: glasses are needed.",
        "The server of the clinic is not what matters here.",
    ],
)
def test_an_answer_that_speaks_of_an_error_or_a_dose_is_none(text: str) -> None:
    assert not is_error_message_of_a_program(text)


def rows_with_a_model_each(*faults: tuple[int, str, str]) -> list[dict[str, Any]]:
    rows = [
        {
            "id": at,
            "question": f"What about number {at}?",
            "model": model,
            "answer": LONG.format(at),
        }
        for at in range(1, 5)
        for model in ("Alpha", "Beta")
    ]
    for case, model, said in faults:
        for row in rows:
            if (row["id"], row["model"]) == (case, model):
                row["answer"] = said
            elif row["model"] == "Beta":
                row["answer"] = row["answer"].replace("today", "tomorrow")
    return rows


def test_error_messages_in_place_of_answers_are_told_by_model_with_their_rows() -> None:
    rows = rows_with_a_model_each(
        (2, "Beta", "Error 429: Rate limit exceeded"), (4, "Beta", "ERROR")
    )
    told = "\n".join(propose_study(rows, title="Notes").told)
    assert "2 answers are error messages of a program" in told
    assert "“Beta”, rows 4 and 8" in told
    assert "Error 429: Rate limit exceeded" in told
    assert "count as missing" in told


def test_error_messages_are_told_of_in_columns_by_model() -> None:
    rows = [
        {
            "id": at,
            "question": f"What about number {at}?",
            "Answer GPT-4o": LONG.format(at),
            "Answer Llama 3": "HTTP 503 Service Unavailable" if at == 3 else f"Wait. {LONG}",
        }
        for at in range(1, 5)
    ]
    told = "\n".join(propose_study(rows, title="Notes").told)
    assert "1 answer is an error message of a program" in told
    assert "“Answer Llama 3”, row 3" in told


def test_error_messages_are_told_of_in_a_table_of_one_model() -> None:
    rows = [
        {"id": at, "answer": "RateLimitError: slow down" if at == 2 else LONG.format(at)}
        for at in range(1, 5)
    ]
    told = "\n".join(propose_study(rows, title="Notes").told)
    assert "1 answer is an error message of a program (“answer”, row 2" in told


def test_a_question_about_an_error_message_is_no_error() -> None:
    rows = rows_with_a_model_each()
    for row in rows:
        row["question"] = "Error 429: what does my insulin pump want to say with it?"
    assert "error message" not in "\n".join(propose_study(rows, title="Notes").told)


def test_what_models_decided_in_a_word_is_no_error_message() -> None:
    rows = [
        {
            "id": at,
            "note": LONG.format(at),
            "GPT-4 decision": ("Error", "No error")[at % 2],
            "Llama 3 decision": ("Failed", "Error")[at % 2],
        }
        for at in range(1, 5)
    ]
    found = propose_study(rows, title="Notes")
    assert found.declared.arms is not None
    assert "error message" not in "\n".join(found.told)
