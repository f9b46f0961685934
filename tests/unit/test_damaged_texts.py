"""Texts that were damaged on their way into a table are told, and sound ones are not."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.error_messages_and_no_answer_phrases import says_that_there_is_no_answer
from medlens.studies.own.study_proposal import propose_study
from medlens.studies.own.texts_damaged_or_of_several_models import CUT_AT, list_damage_in_words

LONG = "Please come in today, since a stiff neck with a fever is no small matter, said number {}."


def told_of(*texts: str) -> str:
    return "\n".join(list_damage_in_words({"answer": texts}, int))


def told_of_table(rows: list[dict[str, Any]]) -> str:
    found = propose_study(rows, title="Notes")
    return "\n".join([*found.told, *found.looked.notes])


def rows_by_model(**at_row: str) -> list[dict[str, Any]]:
    rows = [
        {"id": at, "question": f"What about {at}?", "model": model, "answer": LONG.format(at)}
        for at in range(1, 5)
        for model in ("gpt-4", "llama-3")
    ]
    for at, row in enumerate(rows, 1):
        row["answer"] = at_row.get(f"row{at}", row["answer"].replace("today", f"on day {at}"))
    return rows


def test_a_text_that_fills_a_cell_of_excel_is_told_to_be_cut() -> None:
    told = told_of(LONG, "x" * CUT_AT, "y" * (CUT_AT - 1), "z" * 40_000)
    assert told.startswith("1 text is exactly 32,767 characters long (“answer”, row 2)")
    assert "If its end is missing, take it from where it was written" in told


@pytest.mark.parametrize(
    "text",
    [
        "Die Dosis fÃ¼r Kinder ist kleiner.",
        "FÃ¼r Kinder",
        "Le mÃ©decin vous dira.",
        "La respuesta es sÃ­, maÃ±ana.",
        "It doesnâ€™t matter, 38 Â°C is a fever.",
        "AntikÃ¶rper und Ã–dem â€“ beides.",
        "Ð¿Ð°Ñ†Ð¸ÐµÐ½Ñ‚",
    ],
)
def test_letters_that_were_misread_are_told_with_a_word(text: str) -> None:
    assert "1 cell has letters that were misread on the way (“answer”, row 2" in told_of(LONG, text)


@pytest.mark.parametrize(
    "text",
    [
        "Die Dosis für Kinder ist kleiner, 38 °C.",
        "A IRMÃ” e “NÃO” em maiúsculas; a «MANHÃ»",
        "Ângulo, Âmbar, Ãrea",
        "Le château, l’âge et l’€: 20 €.",
        "Ça va, São Paulo, Ñandú, Ð and Ñ alone",
        "µg, ½ tablet, ±2, 5²",
    ],
)
def test_letters_that_are_right_are_not_told(text: str) -> None:
    assert told_of(LONG, text) == ""


def test_tags_of_a_web_page_are_told_and_signs_of_comparison_are_not() -> None:
    told = told_of("<p><b>Short:</b> yes</p>", "<p>No.</p>")
    assert "The texts of “answer” have HTML tags (<p>)" in told
    assert told_of("eGFR <30 and CRP >5", "if p < .05 and b > 3", "<br> once") == ""


def test_tags_that_are_opened_by_the_thousand_and_never_closed_are_none() -> None:
    # Looked for anew behind each of them, the end would take hours.
    assert told_of("<p>" * 300_000) == ""
    assert "(<b>)" in told_of("<p>" * 300_000 + "<B>Come in\ntoday</B>")


def test_several_models_in_one_cell_are_told_to_be_shown_as_one_text() -> None:
    told = told_of("ChatGPT: Yes.\n\nGemini: No.", "**ChatGPT**: No.\n**Gemini**: Yes.")
    assert "“answer” holds several models' answers in one cell" in told
    assert "(“ChatGPT” and “Gemini”)" in told
    assert told_of("Patient: Yes?\nDoctor: No.", "Dose: 5 mg\nRoute: oral") == ""
    assert told_of("ChatGPT: Yes.", "ChatGPT: No.") == ""


@pytest.mark.parametrize(
    "text", ["(no response)", "No answer.", "keine Antwort", "[empty]", "sin respuesta", "Leer"]
)
def test_words_for_no_answer_are_known_and_told_beside_answers(text: str) -> None:
    assert says_that_there_is_no_answer(text)
    told = told_of_table(rows_by_model(row4=text))
    assert f"1 answer only says that there is none (“llama-3”, row 4; such as “{text}”)" in told


@pytest.mark.parametrize(
    "text", ["No response to therapy.", "No", "None of these", "No answer fits here", "Leerdarm"]
)
def test_other_short_answers_are_answers(text: str) -> None:
    assert not says_that_there_is_no_answer(text)


def test_in_a_column_of_short_words_no_response_is_a_finding() -> None:
    rows = [
        {"id": at, "history": LONG.format(at), "Answer": ("No response", "Partial")[at % 2]}
        for at in range(4)
    ]
    assert "only says" not in told_of_table(rows)


def test_what_a_spreadsheet_could_not_work_out_is_an_empty_cell_and_told_why() -> None:
    told = told_of_table(rows_by_model(row4="#NAME?"))
    assert "Read as empty cells: “#NAME?” (1)." in told
    assert "A spreadsheet program writes “#NAME?” into a cell" in told
    assert "“llama-3” gave none to “2” (row 4)" in told


def under_letters(*, mixed: bool) -> list[dict[str, Any]]:
    return [
        {
            "case": at,
            "arm": f"Model {'AB'[n]}",
            "true_model": ("GPT-4", "Llama 3")[(n + at * mixed) % 2],
            "question": f"What about {at}?",
            "answer": f"{LONG.format(at)} {'Call us.' * (n + 1)}",
        }
        for at in range(1, 5)
        for n in (0, 1)
    ]


def test_arms_that_are_other_models_from_row_to_row_are_told() -> None:
    told = told_of_table(under_letters(mixed=True))
    assert "“Model A” of “arm” is “Llama 3” in some rows and “GPT-4” in others" in told
    assert "leave the column “arm” out of your table" in told
    assert "in some rows" not in told_of_table(under_letters(mixed=False))


@pytest.mark.parametrize("sign", ["<br>", "<br/>", "\\n", "\\n\\n", "\\r\\n"])
def test_signs_of_line_breaks_in_most_texts_are_told(sign: str) -> None:
    told = told_of(f"Yes.{sign}See a doctor.", f"No.{sign}Rest.", "Perhaps.")
    assert "where a line ends, and reviewers see these signs" in told
    assert told_of(f"Yes.{sign}See a doctor.", "No. Rest.", "Perhaps.") == ""


@pytest.mark.parametrize("text", ["C:\\neu\\nase", "a\nb", "5 < b r > 3", "N/n"])
def test_paths_and_real_line_breaks_are_no_such_signs(text: str) -> None:
    assert told_of(text, text) == ""
