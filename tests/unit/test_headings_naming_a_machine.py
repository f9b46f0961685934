"""Headings that name a machine beside others that do not: what they give away, in any language."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.headings_naming_a_machine import (
    Headed,
    list_headings_beside_a_machines,
    list_headings_of_draft_and_final_text,
)
from medlens.studies.own.study_proposal import Proposal, propose_study
from tests.unit.test_answers_headed_as_of_machine_and_person import HARMLESS as PARTS_OF_A_CASE

TELLING = [
    ("AI draft note", "Signed note"),
    ("AI draft note", "Final note"),
    ("AI draft", "Approved letter"),
    ("AI-concept", "Antwoord verpleegkundige"),
    ("AI-concept", "Verzonden antwoord"),
    ("Reco IA", "Decision RCP"),
    ("Recommandation IA", "Décision RCP"),
    ("RecoIA", "DecisionRCP"),
    ("AI recommendation", "Tumour board decision"),
    ("KI-Entwurf", "Finaler Brief"),
    ("Brief KI", "Brief Freigegeben"),
    ("KIEntwurf", "Oberarzttext"),
    ("Borrador IA", "Versión firmada"),
    ("Resumen de la IA", "Resumen enviado"),
    ("Bozza IA", "Lettera firmata"),
    ("Rascunho IA", "Versão assinada"),
    ("AI-utkast", "Signerad text"),
    ("AI-svar", "Lægens svar"),
    ("Chatbot-svar", "Sykepleiers svar"),
    ("Szkic AI", "Wersja podpisana"),
    ("AI taslağı", "Hekim metni"),
    ("ИИ заключение", "Заключение врача"),
    ("AI回答", "专家意见"),
    ("AI 답변", "간호사 답변"),
    ("人工知能の回答", "医師の回答"),
    ("ChatbotReply", "OperatorReply"),
    ("LLM plan", "Plan agreed by registrar"),
    ("Robot text", "Team text"),
    ("Model output", "Human output"),
    ("Machine opinion", "Second opinion"),
    ("Tekoälyn teksti", "Hoitajan teksti"),
    ("Yapay zekâ önerisi", "Konsey kararı"),
    ("Makine çevirisi", "İnsan çevirisi"),
    ("Büyük dil modeli", "Çeviri"),
    ("Çeviri", "Büyük dil modeli"),
    ("Tłumaczenie maszynowe", "Tłumaczenie ludzkie"),
    ("Strojový překlad", "Lidský překlad"),
    ("Машинный перевод", "Перевод врача"),
    ("ترجمة آلية", "ترجمة بشرية"),
    ("תרגום מכונה", "תרגום אנושי"),
    ("मशीन अनुवाद", "मानव अनुवाद"),
    ("机器翻译", "人工翻译"),
    ("機械翻訳", "人手翻訳"),
    ("チャットボット回答", "医師の回答"),
    ("기계 번역", "인간 번역"),
    ("챗봇 답변", "의사 답변"),
    ("Gépi fordítás", "Orvos fordítása"),
    ("Translation", "Language model"),
]
QUIET = [
    *PARTS_OF_A_CASE,
    ("AI answer", "Reference article"),
    ("AI translation", "Source text"),
    ("AI summary", "Original report"),
    ("AI feedback", "Student text"),
    ("AI explanation", "Answer"),
    ("Chatbot answer", "Patient message"),
    ("LLM response", "Retrieved context"),
    ("AI answer", "AI rationale"),
    ("KI-Antwort", "Vorgeschichte"),
    ("KI-Antwort", "Frage"),
    ("AI-antwoord", "Vraag patiënt"),
    ("Réponse IA", "Demande du patient"),
    ("Riassunto IA", "Cartella clinica"),
    ("AI-svar", "Fråga"),
    ("AI回答", "问题"),
    ("Conversation with the chatbot", "Outcome of care"),
    ("Message to the AI", "Ward text"),
    ("Ki-67", "Grading text"),
    ("Domanda ai medici", "Parere"),
    ("Modality", "Findings"),
    ("Aim", "Method"),
    ("Air entry", "Breath sounds"),
    ("Kidney", "Liver"),
    ("Chronic illness", "Text"),
    ("Response", "Explanation"),
    ("Model of device", "Fault"),
    ("Botulinum dose", "Effect"),
    ("AI answer", "Options"),
    ("AI answer", "Journal article"),
    ("Generated question", "Article"),
    ("Context", "AI"),
    ("Guideline excerpt", "Large language model"),
    ("Translation", "Original"),
    ("Macular findings", "Fundus"),
    ("Stroj", "Lék"),
]
SHORT_TELLING = [
    ("ICD KI", "ICD Kodierer"),
    ("ICD AI", "ICD coder"),
    ("ICD Vorschlag KI", "ICD final"),
    ("Triagenivå AI", "Triagenivå sjuksköterska"),
    ("Code IA", "Code médecin DIM"),
    ("BI-RADS AI", "BI-RADS radiologist"),
    ("Grade (model output)", "Grade (pathology)"),
]
SHORT_QUIET = [
    ("AI answer", "Answer options"),
    ("AI score", "Wells score"),
    ("AI triage", "Age"),
    ("Ki-67", "Grade"),
    ("Stage IA", "Sex"),
]


def texts(*headings: str, length: float = 80) -> list[Headed]:
    return [Headed(heading, text=True, length=length) for heading in headings]


def details(*headings: str) -> list[Headed]:
    return [Headed(heading, text=False, length=4) for heading in headings]


@pytest.mark.parametrize("pair", TELLING, ids=" + ".join)
def test_a_machines_text_is_told_of_beside_a_text_that_may_be_anothers(
    pair: tuple[str, str],
) -> None:
    assert list_headings_beside_a_machines(texts("Text", *pair)) == [*pair]


@pytest.mark.parametrize("pair", QUIET, ids=" + ".join)
def test_what_belongs_to_the_case_tells_nothing_beside_a_machines_text(
    pair: tuple[str, str],
) -> None:
    assert list_headings_beside_a_machines(texts("Question", *pair)) == []


@pytest.mark.parametrize("pair", SHORT_TELLING, ids=" + ".join)
def test_a_machines_code_is_told_of_beside_the_code_of_others(pair: tuple[str, str]) -> None:
    assert list_headings_beside_a_machines(details("Age", *pair)) == [*pair]


@pytest.mark.parametrize("pair", SHORT_QUIET, ids=" + ".join)
def test_a_detail_of_the_case_tells_nothing_beside_a_machines_code(pair: tuple[str, str]) -> None:
    assert list_headings_beside_a_machines(details("Age", *pair)) == []


def test_the_answers_of_one_machine_are_judged_under_its_name() -> None:
    alone = [*texts("Question", "AI answer"), *details("Age")]
    key = Headed("Correct answer", text=False, length=80, shown=False)
    assert list_headings_beside_a_machines([*alone, key]) == []
    assert list_headings_beside_a_machines(texts("AI answer", "AI plan")) == []


def test_a_source_is_longer_than_what_a_machine_made_of_it() -> None:
    [made] = texts("AI discharge text")
    [source] = texts("Scribe of ward", length=400)
    assert list_headings_beside_a_machines([made, source]) == []
    assert list_headings_beside_a_machines([source, made]) == []


@pytest.mark.parametrize(
    "pair",
    [("Draft", "Signed note"), ("Entwurf", "Freigegebener Brief"), ("Brouillon", "Lettre signée")],
    ids=" + ".join,
)
def test_a_draft_beside_what_became_of_it_is_told_of(pair: tuple[str, str]) -> None:
    assert list_headings_of_draft_and_final_text(texts("Text", *pair)) == [*pair]
    assert list_headings_of_draft_and_final_text(texts("Text", pair[0])) == []
    assert list_headings_of_draft_and_final_text(texts("Text", pair[1])) == []


LONG = "Rest and drink enough while the fever lasts, and come back after three days"


def proposed(*headings: str, short: tuple[str, ...] = (), **more: Any) -> Proposal:
    codes = ("I21.1", "M51.1", "K80.0", "I21.1", "J18.9")
    return propose_study(
        [
            {
                "id": f"p{at}",
                **{name: f"{LONG}, {at} {name[::-1]}." for name in headings},
                **{name: codes[(at + place) % 5] for place, name in enumerate(short)},
            }
            for at in range(1, 6)
        ],
        title="T",
        **more,
    )


def test_a_draft_by_a_machine_is_told_of_until_it_has_a_letter() -> None:
    pair = ("AI draft note", "Signed note")
    [telling] = proposed("Audio transcript", *pair).looked.telling
    assert "“AI draft note” and “Signed note” are shown as headings" in telling.sentence
    # A bar would hide nothing: the headings are to be changed.
    assert telling.name == ""
    lettered = proposed(
        "Audio transcript", *pair, answers_of={"AI draft note": "AI", "Signed note": "Signed"}
    )
    assert lettered.looked.telling == []


def test_codes_by_a_machine_and_a_person_and_the_final_one_are_told_of() -> None:
    codes = ("ICD KI", "ICD Kodierfachkraft", "ICD final")
    [telling] = proposed("Diagnosetext", short=codes).looked.telling
    assert "“ICD KI”, “ICD Kodierfachkraft” and “ICD final” are shown" in telling.sentence


def test_the_answers_of_one_ai_become_a_study_without_a_word() -> None:
    assert proposed("Question", "AI answer").looked.telling == []
