"""Headings that say in one word, in two or in a compound who wrote which text never reach reviewers
untold: such columns are compared, or a lead decides.
"""

from __future__ import annotations

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

QUESTIONS = (
    "Everything turns when I roll over in bed. What can that be?",
    "My cough has lasted for two weeks. Do I need an antibiotic?",
    "At home I measure 158 over 94. Do I need tablets for it?",
)
LONG = (
    ("Most likely it is benign vertigo, and the Epley manoeuvre stops it in most people.",
     "A manoeuvre by Epley helps at once; see a doctor the same day if you see double."),
    ("Acute bronchitis is viral and lasts three weeks; an antibiotic saves a few hours.",
     "Antibiotics do nothing against viruses. Come in for blood or a fever above 39."),
    ("That is raised. Measure twice a day for a week and bring the list to the practice.",
     "Measure it for a week. Less salt and more walking lower it by five to ten points."),
)  # fmt: skip
SHORT = (("vertigo", "Epley manoeuvre"), ("viral cough", "no antibiotic"), ("raised", "measure it"))


def proposed(*headings: str, texts: tuple[tuple[str, str], ...] = LONG, times: int = 1) -> Proposal:
    """The study proposed for a question and two texts, the first ``times`` as long."""
    rows = [
        {
            "id": str(at),
            "question": asked,
            headings[0]: " ".join([first] * times),
            headings[1]: second,
        }
        for at, (asked, (first, second)) in enumerate(zip(QUESTIONS, texts, strict=True), 1)
    ]
    return propose_study(rows, title="Study")


def arms_of(made: Proposal) -> tuple[str, ...]:
    return made.declared.arms.names if made.declared.arms else ()


@pytest.mark.first_quick
@pytest.mark.parametrize("texts", [LONG, SHORT], ids=["long", "short"])
@pytest.mark.parametrize(
    ("headings", "arms"),
    [
        (("Arztantwort", "KI-Antwort"), ("Arzt", "KI")),
        (("Hausarztantwort", "Chatbot-Antwort"), ("Hausarzt", "Chatbot")),
        (("Ärzteantwort", "KIAntwort"), ("Ärzte", "KI")),
        (("Menschenantwort", "Maschinenantwort"), ("Menschen", "Maschinen")),
        (("Arztentwurf", "KI-Entwurf"), ("Arzt", "KI")),
        (("Legesvar", "KI-svar"), ("Lege", "KI")),
        (("Lægesvar", "AI-svar"), ("Læge", "AI")),
        (("Läkarsvar", "Chatbotsvar"), ("Läkar", "Chatbot")),
        (("Läkarens svar", "AI:s svar"), ("Läkarens", "AI")),
        (("Huisartsantwoord", "AI-antwoord"), ("Huisarts", "AI")),
        (("doctorAnswer", "aiAnswer"), ("doctor", "ai")),
        (("HumanSummary", "AISummary"), ("Human", "AI")),
        (("RespuestaMédico", "RespuestaIA"), ("Médico", "IA")),
        (("Réponse du médecin", "Réponse de l'IA"), ("médecin", "IA")),
        (("Resposta do médico", "Resposta da IA"), ("médico", "IA")),
        (("Odpowiedź lekarza", "Odpowiedź AI"), ("lekarza", "AI")),
        (("Fastlegesvar", "KI-svar"), ("Fastlege", "KI")),
        (("Lääkärin vastaus", "Tekoälyn vastaus"), ("Lääkärin", "Tekoälyn")),
        (("Ответ врача", "Ответ ИИ"), ("врача", "ИИ")),
        (("医師の回答", "AIの回答"), ("医師", "AI")),
        (("专家回答", "大模型回答"), ("专家", "大模型")),
        (("의사답변", "AI답변"), ("의사", "AI")),
    ],
)
def test_a_person_and_a_machine_in_compound_headings_are_compared_without_them(
    headings: tuple[str, str], arms: tuple[str, str], texts: tuple[tuple[str, str], ...]
) -> None:
    made = proposed(*headings, texts=texts)
    assert arms_of(made) == arms
    assert not made.looked.faults
    shown = [*(one.title for one in made.declared.panes), *made.declared.shown_text_columns]
    assert not {*headings} & {*shown}


@pytest.mark.parametrize("texts", [LONG, SHORT], ids=["long", "short"])
@pytest.mark.parametrize(
    "headings",
    [
        ("Risposta medico", "Risposta intelligenza artificiale"),
        ("Respuesta médico", "Respuesta inteligencia artificial"),
        ("Réponse médecin", "Réponse intelligence artificielle"),
        ("Ärztliche Antwort", "Antwort Künstliche Intelligenz"),
        ("Doktor yanıtı", "Yapay zeka yanıtı"),
        ("إجابة الطبيب", "إجابة الذكاء الاصطناعي"),
    ],
)
def test_a_machine_in_two_words_is_compared_with_a_person(
    headings: tuple[str, str], texts: tuple[tuple[str, str], ...]
) -> None:
    assert len(arms_of(proposed(*headings, texts=texts))) == 2


def test_a_third_writer_beside_a_person_and_a_machine_is_compared_too() -> None:
    rows = [
        {"question": asked, "Arztantwort": one, "KI-Antwort": two, "GPT-4-Antwort": f"{two} Rest."}
        for asked, (one, two) in zip(QUESTIONS, LONG, strict=True)
    ]
    assert arms_of(propose_study(rows, title="Study")) == ("Arzt", "KI", "GPT-4")


@pytest.mark.parametrize(
    "headings",
    [
        *(("Arztbrief", "KI-Antwort"), ("Arztbrief", "KI-Zusammenfassung"), ("Befund", "KI-Rat")),
        *(("Arztfrage", "KI-Antwort"), ("Frage an den Arzt", "KI-Antwort")),
        *(("Anamnese", "KI-Brief"), ("Legens spørsmål", "KI-svar"), ("Legeerklæring", "KI-svar")),
        *(("Läkarintyg", "AI-svar"), ("Referto", "Sintesi IA")),
        *(("Doctor's question", "AI answer"), ("patient_message", "ai_message")),
        *(("Verwijsbrief", "AI-antwoord"), ("医師の質問", "AI回答"), ("患者情報", "AI回答")),
        *(("Arztberuf", "KI-Antwort"), ("Historia clínica", "Respuesta IA")),
    ],
)  # fmt: skip
def test_a_case_beside_a_machines_answer_is_not_compared_with_it(headings: tuple[str, str]) -> None:
    made = proposed(*headings)
    assert not arms_of(made)
    assert not any("two versions" in one.sentence for one in made.looked.telling)


VERSIONS = (
    *(("Befund", "KI-Befund"), ("Arztbrief", "KI-Brief"), ("Brief", "KI-Brief")),
    *(("Entlassbrief", "KI-Brief"), ("note", "llm_note"), ("Informe", "Informe IA")),
    *(("Epikrise", "AI-epikrise"), ("Laudo", "Laudo IA"), ("報告", "AI報告"), ("소견", "AI 소견")),
    *(("radiology_report", "ai_report"), ("Journalnotat", "AI-journalnotat")),
)


@pytest.mark.parametrize("headings", VERSIONS)
def test_a_text_and_a_machines_version_of_it_are_refused_until_a_lead_decides(
    headings: tuple[str, str],
) -> None:
    made = proposed(*headings)
    assert not arms_of(made)
    assert [one for one in made.looked.telling if "two versions of one text" in one.sentence]
    told = " ".join(made.told)
    assert f"“{headings[1]}” are shown together" in told
    assert "--answer-of" in told


@pytest.mark.first_quick
@pytest.mark.parametrize("other", ["discharge_summary", "hospital_summary", "visit_summary"])
@pytest.mark.parametrize("machine", ["ai_summary", "llm_summary"])
def test_two_summaries_of_like_length_are_compared_and_it_is_told(other: str, machine: str) -> None:
    made = proposed(other, machine)
    assert len(arms_of(made)) == 2
    assert f"“{other}” is taken for an answer to compare too" in " ".join(made.told)


@pytest.mark.parametrize(
    ("other", "machine"),
    [
        *(("discharge_summary", "ai_summary"), ("hospital_summary", "llm_summary")),
        *(("visit_summary", "gpt_summary"), *VERSIONS),
    ],
)
def test_a_text_much_longer_than_what_a_machine_made_from_it_is_read_beside_it_and_told(
    other: str, machine: str
) -> None:
    made = proposed(other, machine, times=3)
    assert not arms_of(made)
    roles = {one.name: one.role for one in made.columns}
    assert roles[other] in ("text", "markdown")
    assert roles[machine] in ("text", "markdown")
    told = " ".join(made.told)
    assert f"“{other}” is shown as the text that “{machine}” was made from" in told
    assert "--answer-of" in told


def test_a_doctors_answer_is_compared_however_long_it_is() -> None:
    assert arms_of(proposed("Arztantwort", "KI-Antwort", times=4)) == ("Arzt", "KI")
    assert arms_of(proposed("physician_summary", "ai_summary", times=3)) == ("physician", "ai")


LETTERED = (
    *(("回答A", "回答B"), ("答案A", "答案B"), ("答案1", "答案2"), ("답변A", "답변B")),
    *(("応答A", "応答B"), ("回复X", "回复Y")),
    *(("回答Ａ", "回答Ｂ"), ("回答①", "回答②"), ("回答甲", "回答乙"), ("답변가", "답변나")),
    *(("回答（A）", "回答（B）"), ("出力A", "出力B"), ("要約A", "要約B"), ("คำตอบA", "คำตอบB")),
    *(("AI回答A", "AI回答B"), ("モデルA", "モデルB"), ("AntwortA", "AntwortB")),
    *(("answerA", "answerB"), ("RéponseA", "RéponseB"), ("ОтветА", "ОтветБ")),
)  # fmt: skip


@pytest.mark.parametrize("headings", LETTERED)
def test_a_letter_right_behind_a_word_for_an_answer_stands_for_who_wrote_it(
    headings: tuple[str, str],
) -> None:
    made = proposed(*headings, times=2)
    assert len(arms_of(made)) == 2
    assert not {*headings} & {*arms_of(made)} or headings[0].startswith("モデル")
    assert not made.looked.faults


@pytest.mark.parametrize("headings", [("回答A", "回答B"), ("AnswerA", "AnswerB")])
def test_short_answers_with_a_letter_right_behind_the_word_are_told(
    headings: tuple[str, str],
) -> None:
    assert "are shown together" in " ".join(proposed(*headings, texts=SHORT).told)


@pytest.mark.parametrize(
    "headings",
    [
        *(("症例A", "症例B"), ("質問A", "質問B"), ("選択肢A", "選択肢B"), ("질문1", "질문2")),
        *(("患者A", "患者B"), ("肝炎A", "肝炎B"), ("VitaminA", "VitaminB"), ("HbA", "HbS")),
        *(("回答者A", "回答者B"), ("LaborA", "LaborB"), ("TextA", "TextB")),
    ],
)
def test_a_letter_right_behind_another_word_names_no_writer(headings: tuple[str, str]) -> None:
    assert not arms_of(proposed(*headings))


@pytest.mark.parametrize("word", ["Answer ", "answer", "答案", "답변 "])
@pytest.mark.parametrize("key", ["correct", "正确答案", "answer"])
def test_long_options_with_the_letter_of_the_right_one_are_not_compared(
    word: str, key: str
) -> None:
    rows = [
        {"question": asked}
        | {f"{word}{letter}": LONG[(at + n) % 3][n % 2] for n, letter in enumerate("ABCD")}
        | {key: "ABCD"[at]}
        for at, asked in enumerate(QUESTIONS)
    ]
    made = propose_study(rows, title="Study")
    assert not arms_of(made)
    assert key not in made.declared.shown_text_columns


@pytest.mark.parametrize(
    ("headings", "arms"),
    [
        (("discharge_summary", "ai_summary", "doctor_summary"), ("ai", "doctor")),
        (("discharge_summary", "gpt_summary", "claude_summary"), ("gpt", "claude")),
        (("Befund", "KI-Befund", "GPT-4-Befund"), ("KI", "GPT-4")),
    ],
)
def test_a_text_from_which_several_versions_were_made_is_shown_with_them_and_told(
    headings: tuple[str, str, str], arms: tuple[str, str]
) -> None:
    source, *versions = headings
    rows = [
        {source: f"Seen on the ward: {one.upper()} {two.upper()} No more was found."}
        | dict(zip(versions, (one, two), strict=True))
        for one, two in LONG
    ]
    made = propose_study(rows, title="Study")
    assert arms_of(made) == arms
    assert source in made.declared.shown_text_columns
    assert f"“{source}” is shown as the text that “{versions[0]}” was made from" in " ".join(
        made.told
    )


def test_a_summary_of_unknown_origin_beside_a_machines_and_a_doctors_is_told() -> None:
    rows = [
        {"question": asked, "discharge_summary": one, "ai_summary": two, "doctor_summary": one[3:]}
        for asked, (one, two) in zip(QUESTIONS, LONG, strict=True)
    ]
    made = propose_study(rows, title="Study")
    assert arms_of(made) == ("discharge", "ai", "doctor")
    assert "“discharge_summary” is taken for an answer to compare too" in " ".join(made.told)
