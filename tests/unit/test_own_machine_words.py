"""Beside answers of people, an answer that says that a machine wrote it is told of."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import propose_study
from medlens.studies.own.texts_saying_machine_wrote import (
    is_name_of_person,
    phrases_of_machine_about_itself,
)

QUESTIONS = (
    "My son has had a temperature of 39 degrees since yesterday. What should I do?",
    "May I take ibuprofen together with my blood pressure tablets?",
    "How long should I rest my ankle after a sprain on the stairs?",
)
OF_MACHINES = (
    "As an AI, I cannot examine you.",
    "As an AI language model I can't diagnose.",
    "I'm just a chatbot, so ask a nurse.",
    "I am not a doctor but an AI assistant.",
    "Als KI-Sprachmodell kann ich keine Diagnose stellen.",
    "Ich bin eine KI und kein Arzt.",
    "Ich bin nur ein Chatbot.",
    "En tant qu'IA, je ne peux pas vous examiner.",
    "Je suis un modèle de langage.",
    "Como modelo de lenguaje, no puedo diagnosticar.",
    "Soy una IA y no puedo examinarle.",
    "Come intelligenza artificiale non posso visitarla.",
    "Sono un'IA e non un medico.",
    "Como uma IA, não posso examinar.",
    "Als AI kan ik u niet onderzoeken.",
    "Ik ben een taalmodel.",
    "Som en AI kan jag inte undersöka dig.",
    "Som språkmodell kan jeg ikke stille diagnoser.",
    "Jako model językowy nie mogę stawiać diagnoz.",
    "Bir yapay zeka olarak muayene edemem.",
    "Как языковая модель, я не могу поставить диагноз.",
    "AIとして診断はできません。",
    "作为一个人工智能，我无法诊断。",
    "AI로서 진단할 수 없습니다.",
    "كنموذج لغوي لا أستطيع التشخيص.",
    "My training data ends in 2023.",
)
OF_PEOPLE = (
    "As an AI-based tool showed last week, the film is clear.",
    "As a nurse, I see this every day.",
    "Als Ärztin rate ich zu Ruhe.",
    "Als Kind hatte er Masern.",
    "As your blood pressure is high, rest.",
    "I am Anna, a nurse of this ward.",
    "Como antes, tome el medicamento.",
    "Die KI-gestützte Auswertung war ohne Befund.",
    "AI (aortic insufficiency) was mild.",
    "Som barn hadde han astma.",
    "Je suis médecin généraliste.",
    "My training was in this hospital.",
)


@pytest.mark.parametrize("text", OF_MACHINES)
def test_words_in_which_a_machine_speaks_of_itself_are_found(text: str) -> None:
    assert phrases_of_machine_about_itself(text)


@pytest.mark.parametrize("text", OF_PEOPLE)
def test_words_of_people_are_no_words_of_a_machine(text: str) -> None:
    assert phrases_of_machine_about_itself(text) == []


@pytest.mark.parametrize(
    "name",
    [
        "GP",
        "Ärztin",
        "Hausarzt",
        "médecin",
        "Médico",
        "Chef de clinique",
        "Dr Miller",
        "Family doctor",
        "huisarts",
        "läkare",
        "lekarz",
        "врач",
        "医師",
        "医生",
        "의사",
        "طبيب",
        "radiologist",
        "Pflegekraft",
        "Interne",
        "Human",
    ],
)
def test_words_for_people_name_people(name: str) -> None:
    assert is_name_of_person(name)


@pytest.mark.parametrize(
    "name", ["LLM", "AI doctor", "DoctorGPT", "Chatbot", "GPT-4o", "Model A", "Baseline"]
)
def test_machines_are_no_people(name: str) -> None:
    assert not is_name_of_person(name)


def in_rows(machine: str, person: str, said: str) -> list[dict[str, Any]]:
    return [
        row
        for at, question in enumerate(QUESTIONS, 1)
        for row in (
            {"case": str(at), "source": machine, "question": question}
            | {"answer": f"{said} Rest and drink enough for {at} days, then come to see us."},
            {"case": str(at), "source": person, "question": question}
            | {"answer": f"Come to our surgery on day {at} if it is no better by then."},
        )
    ]


def in_columns(machine: str, person: str, said: str) -> list[dict[str, Any]]:
    rows = in_rows(machine, person, said)
    return [
        {
            "case": one["case"],
            "question": one["question"],
            f"Answer {machine}": one["answer"],
            f"Answer {person}": other["answer"],
        }
        for one, other in zip(rows[::2], rows[1::2], strict=True)
    ]


def told_of(rows: list[dict[str, Any]]) -> list[str]:
    return [one.sentence for one in propose_study(rows, title="T").looked.telling]


@pytest.mark.parametrize("layout", [in_rows, in_columns])
@pytest.mark.parametrize(
    ("machine", "person", "said"),
    [
        ("LLM", "GP", "As an AI, I cannot examine you."),
        ("Chatbot", "Ärztin", "Als KI-Sprachmodell kann ich keine Diagnose stellen."),
        ("Mistral", "médecin", "En tant qu'IA, je ne peux pas vous examiner."),
    ],
)
def test_an_answer_that_says_it_is_a_machines_is_told_of_beside_a_persons(
    layout: Any, machine: str, person: str, said: str
) -> None:
    [sentence] = told_of(layout(machine, person, said))
    assert "that a machine wrote this" in sentence
    assert "3 of the texts say “" in sentence
    # A bar beside answers without one would tell as much.
    rows = layout(machine, person, said)
    assert propose_study(rows, title="T", mask=True).looked.telling


def test_it_is_told_of_answers_that_each_have_one_writer() -> None:
    rows = in_rows("LLM", "GP", "As an AI, I cannot examine you.")
    for at, row in enumerate(rows):
        row |= {"case": str(at), "question": f"{at}: {row['question']}"}
    assert "that a machine wrote this" in " ".join(told_of(rows))


def test_models_among_themselves_may_say_that_they_are_machines() -> None:
    assert told_of(in_columns("GPT-4o", "Gemini", "As an AI, I cannot examine you.")) == []


def test_what_was_asked_may_speak_of_an_ai() -> None:
    rows = in_columns("LLM", "GP", "Rest.")
    for row in rows:
        row["question"] = "Bist du ein Arzt? As an AI, what would you say?"
    assert told_of(rows) == []
