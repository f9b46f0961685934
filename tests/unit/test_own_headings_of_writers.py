"""Answers under their writers' names become a comparison without headings, or want a yes."""

from __future__ import annotations

import time
from typing import Any

import pytest

from medlens.studies.own.detect_model_answer_columns import writers_by_column
from medlens.studies.own.item_and_judgment_import_and_export import (
    items_faults_and_notes_of_table_rows,
)
from medlens.studies.own.model_giveaways import find_model_giveaways
from medlens.studies.own.study_file import parse_study_file
from medlens.studies.own.study_proposal import Proposal, propose_study

TEXTS = (
    "Please come to the surgery today, since a stiff neck with fever must be looked at soon ({}).",
    "Wait two or three days, drink plenty of water and take paracetamol if you feel unwell ({}).",
    "Call an ambulance now and lie down; do not drive to the hospital yourself this time ({}).",
)


def table_of(asked: str, *headings: str) -> list[dict[str, Any]]:
    return [
        {"nr": str(at), asked: f"What should I do about this neck of mine on day {at}?"}
        | {
            name: text.format(f"{at}{name[-1]}")
            for name, text in zip(headings, TEXTS, strict=False)
        }
        for at in range(1, 4)
    ]


def proposed(asked: str, *headings: str) -> Proposal:
    return propose_study(table_of(asked, *headings), title="T")


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("asked", "headings"),
    [
        ("سؤال", ("شات جي بي تي", "جيميني")),
        ("質問", ("チャットGPT", "ジェミニ")),
        ("質問", ("ジェミニ", "クロード")),
        ("Вопрос", ("ЧатГПТ", "Джемини")),
        ("질문", ("챗GPT", "제미나이")),
        ("प्रश्न", ("चैटजीपीटी", "जेमिनी")),
        ("Question", ("IA", "Interne", "Chef de clinique")),
        ("Frage", ("KI", "Hausärztin")),
        ("Vraag", ("AI", "Huisarts")),
        ("Question", ("chatbot", "Family doctor")),
        ("Frage", ("System X", "System Y")),
    ],
)
def test_answers_under_names_of_writers_are_compared(asked: str, headings: tuple[str, ...]) -> None:
    found = proposed(asked, *headings)
    assert found.declared.arms is not None
    assert len(found.declared.arms.names) == len(headings)
    assert found.looked.telling == []


def test_a_model_in_other_letters_is_told_within_a_text() -> None:
    rows = table_of("سؤال", "شات جي بي تي", "جيميني")
    rows[0]["جيميني"] = "أنا جيميني، مساعد ذكي، ولا أستطيع فحصك اليوم بنفسي يا سيدي."
    assert [one.name for one in propose_study(rows, title="T").looked.telling] == ["جيميني"]


@pytest.mark.parametrize(
    ("asked", "headings"),
    [
        ("Frage", ("Aurora", "Zephyr Zwei")),
        ("Pregunta", ("Nimbo", "Cirro")),
        ("Question", ("Team Blue", "Team Red", "Team Green")),
    ],
)
def test_answers_under_names_that_nobody_knows_want_a_yes(
    asked: str, headings: tuple[str, ...]
) -> None:
    found = proposed(asked, *headings)
    assert found.declared.arms is None
    [telling] = found.looked.telling
    assert all(f"“{name}”" in telling.sentence for name in headings)
    assert "--answer-of" in telling.sentence
    # Whoever gives them other headings is not asked again.
    text = found.text
    for at, name in enumerate(headings):
        text = text.replace(f'title = "{name}"', f'title = "Answer {"ABC"[at]}"')
    rows = table_of(asked, *headings)
    assert items_faults_and_notes_of_table_rows(parse_study_file(text), rows).telling == []


@pytest.mark.parametrize(
    ("asked", "headings"),
    [
        ("Question", ("Treatment", "Prognosis")),
        ("Frage", ("Anamnese", "Befund")),
        ("Frage", ("Hinweise", "Vorgehen")),
        ("Question", ("Pros", "Cons")),
        ("Question", ("Findings", "Impression")),
        ("prompt", ("X", "Y")),
        ("prompt", ("text_1", "text_2")),
        ("Question", ("English", "German")),
        ("Question", ("History", "Answer")),
        ("Pregunta", ("Antecedentes", "Exploración")),
        ("Question", ("Contexte", "Diagnostic")),
        ("case", ("Aurora", "Zephyr")),
    ],
)
def test_parts_of_a_case_want_none(asked: str, headings: tuple[str, ...]) -> None:
    assert proposed(asked, *headings).looked.telling == []


def test_what_is_compared_has_no_headings_to_tell_of() -> None:
    found = proposed("Question", "GPT-4o", "Gemini")
    assert find_model_giveaways(found.declared, [], []) == []


def test_headings_as_long_as_a_vignette_are_told_apart_at_once() -> None:
    # Surveys head a column with all that was asked.
    vignette = "A patient was asked to rest, and the doctor answered that he may walk. Is it safe? "
    names = [vignette * 24 + f"({who})" for who in ("human", "AI", "fine tuned", "the clinician")]
    begun = time.process_time()
    found = writers_by_column(names)
    assert time.process_time() - begun < 2
    assert [*found.values()] == ["human", "AI", "fine tuned", "the clinician"]
