"""Headings that say which answer a machine wrote and which a person: what they give away."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.answers_headed_as_of_machine_and_person import (
    list_answers_headed_as_of_machine_and_person,
)
from medlens.studies.own.study_proposal import propose_study

TELLING = [
    ("AI Draft", "Clinician Reply Sent"),
    ("AI draft", "Final note (edited by physician)"),
    ("LLM output", "Physician response"),
    ("Chatbot answer", "Doctor's reply"),
    ("AI-generated response", "Nurse reply"),
    ("Machine draft", "Human final version"),
    ("Bot reply", "GP response"),
    ("AI suggestion", "Clinician's recommendation"),
    ("Draft (AI)", "Sent by clinician"),
    ("AI message", "Reply written by the doctor"),
    ("Generated reply", "Expert answer"),
    ("Model output", "Clinician answer"),
    ("ai_draft", "clinician_reply_sent"),
    ("aiDraft", "physicianReply"),
    ("KI-Entwurf", "Antwort des Arztes"),
    ("KI Antwort", "Ärztliche Stellungnahme"),
    ("Entwurf KI", "Versandte Antwort (Ärztin)"),
    ("Antwort der KI", "Antwort der Ärztin"),
    ("KI-Vorschlag", "Empfehlung des Facharztes"),
    ("Chatbot-Antwort", "Arztantwort"),
    ("Maschinell erstellter Entwurf (KI)", "Vom Arzt gesendete Antwort"),
    ("KI-Text", "Text des Oberarztes"),
    ("KI-Brief", "Brief der Pflegekraft"),
    ("Borrador IA", "Respuesta del médico"),
    ("Respuesta de la IA", "Respuesta enviada por la doctora"),
    ("Respuesta generada", "Contestación del médico"),
    ("Borrador de la IA", "Respuesta de la enfermera"),
    ("Texto IA", "Recomendación del especialista"),
    ("Brouillon IA", "Réponse du médecin"),
    ("Réponse de l'IA", "Réponse envoyée par le médecin"),
    ("Proposition IA", "Conseil de l'infirmière"),
    ("Texte généré par l'IA", "Réponse rédigée par le praticien"),
    ("Réponse chatbot", "Avis du spécialiste"),
    ("Bozza IA", "Risposta del medico"),
    ("Risposta dell'IA", "Risposta inviata dal medico"),
    ("Risposta generata dall'IA", "Parere dello specialista"),
    ("Bozza IA", "Risposta dell'infermiera"),
    ("Testo IA", "Risposta della dottoressa"),
    ("Rascunho IA", "Resposta do médico"),
    ("Resposta da IA", "Resposta enviada pela médica"),
    ("Sugestão da IA", "Recomendação do especialista"),
    ("Rascunho da IA", "Resposta da enfermeira"),
    ("Texto da IA", "Resposta do clínico"),
    ("AI advice", "Pharmacist advice given"),
    ("AI Reply Draft", "Staff reply"),
    ("LLM draft", "Consultant's answer"),
    ("Assistant (AI) reply", "Surgeon reply"),
    ("AI", "Clinician"),
    ("Machine", "Human"),
    ("Réponse automatique", "Réponse du généraliste"),
]
HARMLESS = [
    ("AI summary", "Clinician note"),
    ("AI answer", "Message to the doctor"),
    ("AI draft", "Question for the physician"),
    ("LLM output", "Doctor letter"),
    ("AI reply", "Patient message to clinician"),
    ("AI answer", "Referral to specialist"),
    ("AI diagnosis explained", "Nurse triage note"),
    ("KI-Zusammenfassung", "Arztbrief"),
    ("KI-Antwort", "Frage an den Arzt"),
    ("KI-Antwort", "Nachricht an die Ärztin"),
    ("KI-Entwurf", "Überweisung zum Facharzt"),
    ("KI-Zusammenfassung", "Arztbericht"),
    ("KI-Antwort", "Pflegebericht"),
    ("KI-Entwurf", "Anamnese durch Hausarzt"),
    ("Brief an den Hausarzt (KI)", "Befund"),
    ("Respuesta IA", "Mensaje al médico"),
    ("Respuesta IA", "Pregunta para el médico"),
    ("Resumen IA", "Nota del médico"),
    ("Respuesta IA", "Historia clínica"),
    ("Respuesta IA", "Informe médico"),
    ("Réponse IA", "Question au médecin"),
    ("Résumé IA", "Compte rendu du médecin"),
    ("Réponse IA", "Message pour le médecin"),
    ("Réponse IA", "Dossier médical"),
    ("Réponse IA", "Antécédents médicaux"),
    ("Risposta IA", "Domanda al medico"),
    ("Riassunto IA", "Nota del medico"),
    ("Risposta IA", "Messaggio per il medico"),
    ("Risposta IA", "Cartella clinica"),
    ("Resposta IA", "Pergunta ao médico"),
    ("Resumo IA", "Nota do médico"),
    ("Resposta IA", "Mensagem para a médica"),
    ("Resposta IA", "Histórico médico"),
    ("AI answer", "Medical history"),
    ("AI answer", "Physical exam by physician"),
    ("AI answer", "Expert guideline"),
    ("Model answer", "Student essay"),
    ("Model answer", "Student answer"),
    ("Transcript of human and bot", "Source"),
    ("AI answer", "Human anatomy topic"),
    ("AI summary", "Doctor-patient dialogue"),
    ("AI discharge letter", "Nursing notes"),
    ("AI answer", "Reason for asking a doctor"),
    ("AI answer", "Clinical question"),
    ("Answer", "Context"),
    ("AI output", "Radiologist report"),
    ("LLM summary", "Physician notes (source)"),
    ("AI reply", "Previous doctor visit"),
    ("AI answer", "Doctor specialty text"),
    ("Generated question", "Expert review article"),
]
LONG = "Rest and drink enough while the fever lasts, and come back after three days"


def rows_with(*headings: str) -> list[dict[str, Any]]:
    return [
        {"id": f"p{at}", **{name: f"{LONG}, {at} {name[::-1]}." for name in headings}}
        for at in range(1, 5)
    ]


@pytest.mark.parametrize("pair", TELLING, ids=" + ".join)
def test_headings_of_a_machine_and_a_person_tell_who_wrote_which_answer(
    pair: tuple[str, str],
) -> None:
    assert list_answers_headed_as_of_machine_and_person(["Patient message", *pair]) == [*pair]


@pytest.mark.parametrize("pair", HARMLESS, ids=" + ".join)
def test_a_text_of_the_case_tells_nothing_beside_a_machines_answer(pair: tuple[str, str]) -> None:
    assert list_answers_headed_as_of_machine_and_person(["Patient message", *pair]) == []


def test_a_draft_of_a_machine_beside_a_persons_reply_is_told_until_both_have_letters() -> None:
    pair = ("AI Draft", "Clinician Reply Sent")
    rows = rows_with("Patient message", *pair)
    made = propose_study(rows, title="T")
    [telling] = made.looked.telling
    assert "“AI Draft” and “Clinician Reply Sent” are shown as headings" in telling.sentence
    # A bar would hide nothing: the headings are to be changed.
    assert telling.name == ""
    assert not any("as parts of one case" in note for note in made.told)
    lettered = propose_study(
        rows, title="T", answers_of={"AI Draft": "AI", "Clinician Reply Sent": "Clinician"}
    )
    assert lettered.looked.telling == []
    assert lettered.declared.arms is not None
    assert lettered.declared.arms.names == ("AI", "Clinician")
    assert [pane.title for pane in lettered.declared.panes] == ["Patient message", "Answer"]


def test_a_reply_that_is_no_answer_is_told_of_as_a_part_of_the_case() -> None:
    made = propose_study(rows_with("AI answer", "Message to the doctor"), title="T")
    assert made.looked.telling == []
