"""Columns on the side that give a model away are not shown; harmless words hide nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from medlens.studies.own import study_file
from medlens.studies.own.model_giveaways import giveaway_with_rows_in_words
from medlens.studies.own.model_name_masking import mask_names_in_text
from medlens.studies.own.recognise_model_names import (
    find_model_names_in_text_by_normalised_name,
    is_generation_metadata_heading,
)
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    list_columns_naming_models,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    list_column_decisions_in_words,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    make_study_file_text,
)
from medlens.studies.own.study_proposal import propose_study

COMPARED = ("GPT-4o", "Claude 3.5 Sonnet", "Llama 3", "Gemini 1.5 Pro", "Mistral Large")
BASES = (
    *(
        "GPT-4o",
        "gpt-4o",
        "GPT 4o",
        "GPT4o",
        "gpt4",
        "gpt_4o",
        "GPT-4o mini",
        "gpt4o-mini",
        "GPT-4",
    ),
    *(
        "GPT-3.5",
        "gpt-3.5-turbo",
        "ChatGPT",
        "chatgpt-4",
        "Chat GPT",
        "GPT",
        "GPT‑4o",
        "o1-preview",
    ),
    *("o3-mini", "o3mini", "gpt-oss-20b", "4o", "4o-mini", "GPT-5"),
    *("Llama3", "llama 3", "LLAMA-3.1-70B", "Llama-2", "Llama", "llama_3"),
    *(
        "Claude",
        "claude-3-opus",
        "Claude3.5",
        "CLAUDE 3.5 Sonnet",
        "Claude-Opus",
        "Sonnet",
        "sonnet",
    ),
    *("Gemini", "gemini-1.5-pro", "Gemini1.5", "Gemini Pro", "GEMINI", "gemini flash"),
    *("Mistral", "Mistral7B", "mistral-large", "Mixtral-8x7B", "MISTRAL", "mistral small"),
    *("DeepSeek", "deepseek-r1", "DeepSeekR1", "Deep Seek", "DeepSeek V3", "deepseek"),
    *("Qwen2.5", "qwen-72b", "Grok 2", "Med-PaLM 2", "medgemma", "OpenBioLLM", "Meditron"),
)
HARMLESS = (
    *("GPT 45 U/l", "GOT 30, GPT 45", "GPT/GOT erhöht", "GPT (ALT) 88 U/L", "GPT: 120 U/l"),
    *("GOT und GPT normal", "ALAT (GPT) leicht erhöht", "GPT-Wert und Bilirubin", "GPT 1,2 µkat/l"),
    *("Jean-Claude kam allein", "Dr. Claude", "Claude-Bernard-Horner", "Claude syndrome"),
    *("Frau Claude Meier", "Claude's syndrome", "Llama nanobodies", "llama farm", "Mistral winds"),
    *("gemini viruses", "a palm of the hand", "4 or more", "40 mg", "o1", "4-6 hours", "sonnets"),
    *("as in the GEMINI 1 trial", "GEMINI-II study of vedolizumab", "GEMINI 3 LTS study"),
    *("grokking", "Patient ruhig", "Modelle", "schnell", "temperature 38.5", "claudication"),
    *("Claudia", "geminiert", "Lama glama", "mistralis", "operation", "gptx", "SGPT", "Amistral"),
)


@pytest.mark.parametrize("frame", ["{} war hier schnell", "({})", "besser: {}, knapp"])
@pytest.mark.parametrize("name", BASES)
def test_a_model_is_known_however_its_name_is_written(name: str, frame: str) -> None:
    assert find_model_names_in_text_by_normalised_name(frame.format(name), COMPARED)


@pytest.mark.parametrize("words", HARMLESS)
def test_laboratory_values_people_and_things_are_no_models(words: str) -> None:
    assert find_model_names_in_text_by_normalised_name(words, COMPARED) == {}


def test_a_word_that_is_also_a_name_counts_only_if_such_a_model_is_compared() -> None:
    assert (
        find_model_names_in_text_by_normalised_name("Gemma kam mit Claude.", ("GPT-4o", "Llama 3"))
        == {}
    )
    assert [
        *find_model_names_in_text_by_normalised_name(
            "Gemma kam mit Claude.", ("Claude 3",)
        ).values()
    ] == ["Claude"]


def table(**cells: str) -> list[dict[str, Any]]:
    """Five questions with the answers of two models, and ``cells`` in the third row."""
    return [
        {
            "Nr": at,
            "Frage": f"Was hilft am {at}. Tag gegen die Kopfschmerzen?",
            "Antwort GPT-4o": f"Ruhe und Wasser helfen am {at}. Tag meistens gut.",
            "Antwort Llama 3": f"Trinken Sie am {at}. Tag viel und ruhen Sie sich aus.",
            **{name: cell if at == 3 else "" for name, cell in cells.items()},
        }
        for at in range(1, 6)
    ]


def test_a_column_that_names_a_compared_model_is_hidden_and_told_with_its_row() -> None:
    rows = table(Eindruck="GPT-4o war hier schnell", Labor="GOT 30, GPT 45 U/l")
    columns = list_guessed_roles_of_columns(rows)
    roles = {one.name: one.role for one in columns}
    assert roles["Eindruck"] in ("group", "hidden")
    assert roles["Labor"] == "record"
    [told] = [one for one in list_column_decisions_in_words(columns, rows) if "Eindruck" in one]
    assert "“Eindruck”, row 3: “GPT-4o”" in told
    declared = study_file.parse_study_file(make_study_file_text("T", columns, rows))
    assert "Eindruck" not in declared.shown_text_columns


@pytest.mark.parametrize(
    ("heading", "cell"),
    [
        *(("Notizen", "war schnell"), ("Notes", "quick"), ("Zeit (s)", "3.4"), ("Tokens", "812")),
        *(("Kosten", "0,02"), ("cost_usd", "0.02"), ("Temperatur", "0.7"), ("Datum", "2026-01-02")),
        *(("response_time", "3.4"), ("Modellversion", "x"), ("created at", "2026-01-02")),
        *(("Antwortzeit", "3 s"), ("input tokens", "12"), ("Anbieter", "x")),
    ],
)
def test_how_an_answer_came_about_is_hidden_and_told(heading: str, cell: str) -> None:
    rows = [row | {heading: f"{cell}"} for row in table()]
    columns = list_guessed_roles_of_columns(rows)
    assert {one.name: one.role for one in columns}[heading] in ("group", "hidden", "out")
    assert any(heading in one for one in list_column_decisions_in_words(columns, rows))


def test_a_body_temperature_and_a_patients_notes_are_shown() -> None:
    assert not is_generation_metadata_heading("temperatur", ["38.5", "36.9"])
    assert not is_generation_metadata_heading("notes", ["The patient came with a cough. " * 20])
    assert is_generation_metadata_heading("temperature", ["0.7", "1"])


def test_a_question_that_names_a_model_stays_and_is_told_with_an_offer_to_mask() -> None:
    rows = table()
    rows[1]["Frage"] = "Was sagte gpt4 zu den Kopfschmerzen am zweiten Tag?"
    columns = list_guessed_roles_of_columns(rows)
    [naming] = list_columns_naming_models(columns, rows, shown=True)
    assert (naming.column, [*naming.names], [*naming.rows]) == ("Frage", ["gpt4"], [2])
    proposal = propose_study(rows, title="T")
    [telling] = proposal.looked.telling
    assert "(“Frage”, row 2)" in giveaway_with_rows_in_words(telling, proposal.declared, rows)
    assert propose_study(rows, title="T", mask=True).looked.telling == []
    text = make_study_file_text("T", columns, rows, mask=naming.names)
    assert study_file.parse_study_file(text).mask == ("gpt4",)


@pytest.mark.parametrize(
    "words",
    [
        "I'm Claude. Call an ambulance.",
        "I’m Claude, an assistant.",
        "Hi, I'm Claude.",
        "Je m’appelle Claude.",
        "Ich bin Claude.",
        "My name's Claude.",
    ],
)
def test_a_model_that_says_its_name_is_told_and_masked(words: str) -> None:
    rows = [
        {"case": str(at), "model": model, "question": f"Is neck {at} stiff?", "reply": said}
        for at in range(3)
        for model, said in (
            ("Claude 3.5 Sonnet", f"{words} It is an emergency as far as one can see, case {at}."),
            ("Llama 3", f"Rest and wait until Monday, as this may be tiredness only, case {at}."),
        )
    ]
    assert find_model_names_in_text_by_normalised_name(words, ("Claude 3.5 Sonnet", "Llama 3")) == {
        "claude": "Claude"
    }
    found = propose_study(rows, title="T")
    assert [one.name for one in found.looked.telling] == ["Claude"]
    masked = propose_study(rows, title="T", mask=True)
    assert "Claude" in masked.declared.mask
    assert not masked.looked.telling


def test_a_doctor_called_m_claude_is_no_model() -> None:
    assert not find_model_names_in_text_by_normalised_name("Vu par M. Claude hier.", COMPARED)
    assert not find_model_names_in_text_by_normalised_name("Vu par m Claude hier.", COMPARED)


def asked_of(
    arms: tuple[str, str], asked: str, said: str = "Come back if the fever lasts."
) -> list[str]:
    """The names that give an arm away, where ``asked`` is shared and ``said`` is the first's."""
    rest = "Rest and fluids are enough for now, unless the fever lasts for three days"
    rows = [
        {
            "id": f"p{at}",
            "patient_message": f"{asked} What should I do about cough number {at}, please?",
            f"{arms[0]}_reply": f"{said} Take fluids and rest until it is better, number {at}.",
            f"{arms[1]}_reply": f"{rest}, number {at}.",
        }
        for at in range(4)
    ]
    found = propose_study(rows, title="T")
    assert found.declared.arms is not None
    assert found.declared.arms.names == arms
    return [one.name for one in found.looked.telling]


@pytest.mark.parametrize(
    ("arms", "asked"),
    [
        (("doctor", "chatbot"), "My family doctor is away."),
        (("chatbot", "nurse"), "The nurse said that a chatbot may know."),
        (("Physician", "GPT-4"), "The PHYSICIAN on call is a Physician I know."),
    ],
)
def test_a_common_noun_in_what_all_arms_share_gives_no_arm_away(
    arms: tuple[str, str], asked: str
) -> None:
    assert asked_of(arms, asked) == []


@pytest.mark.parametrize(
    ("arms", "said"),
    [
        (("chatbot", "doctor"), "See your doctor, or a doctor on call."),
        (("nurse", "doctor"), "Any doctor can look at it. Doctors know, and you may call one."),
        (("chatbot", "physician"), "As your physician said, rest is right. Physician visits help."),
        (("chatbot", "expert"), "Experts agree: ask an expert; work as a nurse or expert is hard."),
        (("KI", "Arzt"), "Gehen Sie zum Arzt, wenn der Arzt Zeit hat."),
        (("ia", "médico"), "Consulte a su médico; el médico sabe más."),
    ],
)
def test_a_common_noun_in_an_answer_that_does_not_say_who_wrote_it_is_not_told(
    arms: tuple[str, str], said: str
) -> None:
    assert asked_of(arms, "I am ill.", said) == []


@pytest.mark.parametrize(
    ("arms", "said", "told"),
    [
        (("doctor", "chatbot"), "As a doctor, I see this often.", "doctor"),
        (("chatbot", "doctor"), "I am not a doctor, but it may pass.", "doctor"),
        (("chatbot", "doctor"), "I'm only a chatbot.", "chatbot"),
        (("physician", "chatbot"), "As an experienced emergency physician I say so.", "physician"),
        (("Physician", "Chatbot"), "Physician: it will pass.", "Physician"),
        (("expert", "chatbot"), "Written by an expert.", "expert"),
        (("Arzt", "KI"), "Als Ihr Arzt rate ich ab.", "Arzt"),
        (("médico", "ia"), "Como médico se lo digo.", "médico"),
        (("nurse", "chatbot"), "It will pass.\nYour nurse\n", "nurse"),
    ],
)
def test_a_common_noun_in_an_answer_that_says_who_wrote_it_is_told(
    arms: tuple[str, str], said: str, told: str
) -> None:
    assert asked_of(arms, "I am ill.", said) == [told]


def test_a_common_noun_that_only_its_own_arm_says_in_most_answers_is_told() -> None:
    said = "The nurse line is open."
    assert asked_of(("nurse", "chatbot"), "I am ill.", said) == ["nurse"]
    assert asked_of(("chatbot", "nurse"), "I am ill.", said) == []


def test_a_common_noun_in_an_answer_and_a_models_name_anywhere_are_told() -> None:
    assert asked_of(("doctor", "chatbot"), "I am ill.", "As your doctor I say:") == ["doctor"]
    assert asked_of(("doctor", "chatbot"), "My doctor is away.", "I am a doctor.") == ["doctor"]
    assert asked_of(("physician", "GPT-4"), "I asked gpt4 before.") == ["GPT-4"]
    assert asked_of(("physician", "llama"), "I asked llama before.") == ["llama"]


REPORTS = (
    "Suivi à l'hôpital Claude-Huriez, Lille : LLC stade IA, abstention.",
    "Grossesse gémellaire (gemini), 32 SA, RCIU du second jumeau.",
    "Né à la clinique Claude Bernard ; vent de mistral, chute de vélo.",
    "Patient élève des lamas (llama), morsure de la main droite.",
    "Madame Dubois, son mari Claude est présent, fièvre depuis hier.",
)


@pytest.mark.parametrize("words", REPORTS)
@pytest.mark.parametrize("beside", ["Résumé pour le patient", "Letter", "Answer"])
def test_another_sense_of_a_models_name_in_a_report_is_no_alarm(words: str, beside: str) -> None:
    rows = [
        {"Numéro": f"CR-{at}", "Compte rendu": f"{words} {at}", beside: f"Vous allez bien, {at}."}
        for at in range(4)
    ]
    assert propose_study(rows, title="T").looked.telling == []


@pytest.mark.parametrize("words", REPORTS)
def test_another_sense_of_a_models_name_in_what_compared_models_were_given_is_no_alarm(
    words: str,
) -> None:
    rows = [
        {
            "Compte rendu": f"{words} {at}",
            "Answer GPT-4o": f"Go home, {at}.",
            "Answer Qwen": "Stay.",
        }
        for at in range(4)
    ]
    assert propose_study(rows, title="T").looked.telling == []


@pytest.mark.parametrize(
    "words",
    [
        "Résumé rédigé par Claude : tout va bien.",
        "Tout va bien.\n— Claude",
        "Claude: tout va bien.",
        "As Claude, I cannot examine you.",
        "Das Modell Gemini sagt, es geht gut.",
        "Ich bin Gemini und helfe gern.",
    ],
)
def test_words_beside_a_name_say_that_the_model_is_meant(words: str) -> None:
    rows = [
        {"Numéro": f"CR-{at}", "Compte rendu": f"Cas {at}.", "Letter": f"{at} {words}\n{words}"}
        for at in range(4)
    ]
    assert [one.name for one in propose_study(rows, title="T").looked.telling] in (
        ["Claude"],
        ["Gemini"],
    )


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "words",
    [
        "Sono Gemini, un modello di Google.",
        "Soy un modelo de lenguaje de Google.",
        "I am an AI model from Meta.",
        "Ich bin ein von Google trainiertes Sprachmodell.",
        "Ich bin ein Sprachmodell von Google.",
        "Je suis un modèle de langage de Mistral.",
        "Jag är en språkmodell från Google.",
        "Ik ben een taalmodel van Google.",
        "I am Google's AI assistant.",
        "As Google's AI assistant, I cannot say.",
        "I am a Google model.",
        "I was trained and built by researchers at Google DeepMind.",
        "Google trained me to help.",
        "Google hat mich trainiert.",
        "Google m'a créé pour aider.",
        "Google me entrenó para ayudar.",
        "Google mi ha addestrato.",
        "My creator is Google.",
        "Fui treinado pela Google.",
        "Jestem modelem firmy Google.",
        "Jestem modelem stworzonym przez Google.",
        "Google tarafından geliştirilen bir modelim.",
        "Я языковая модель от Google.",
        "私はGoogleのモデルです。",
        "我是谷歌的模型。",
        "我是由深度求索公司开发的。",
        "我是百度的模型。",
        "(Ich bin ein großes Sprachmodell, trainiert von Google.)",
        "Sprachmodell, trainiert von Meta",
        "Entwickelt und trainiert von Google.",
        "KI-Assistent aus dem Hause Google",
        "Jestem modelem stworzonym przez Metę.",
        "Model opracowany przez firmę Google",
        "Soy una IA desarrollada por Google.",
        "Modelo desarrollado y entrenado por la empresa Google",
        "Une IA développée par Google",
        "Je suis un modèle conçu et entraîné par la société Mistral.",
        "Sono un'IA sviluppata da Google.",
        "Un modello addestrato dalla società Meta",
        "Sou uma IA treinada pela empresa Meta.",
        "Ik ben ontwikkeld en getraind door het bedrijf Google.",
        "Jag är utvecklad och tränad av företaget Google.",
        "Jsem model vyvinutý společností Google.",
        "Olen Googlen kehittämä kielimalli.",
        "A Google által fejlesztett nyelvi modell vagyok.",
        "Sunt un model antrenat de Google.",
        "Saya model yang dilatih oleh Google.",
        "Tôi được Google phát triển.",
        "Я модель, обученная компанией Google.",
        "Είμαι ένα μοντέλο που εκπαιδεύτηκε από την Google.",
        "أنا نموذج تم تطويره من قبل Google.",
        "मैं Google द्वारा प्रशिक्षित हूँ।",
        "Googleによってトレーニングされました。",
        "저는 Google에서 훈련한 모델입니다.",
    ],
)
def test_a_maker_that_a_model_names_is_told_and_masked_with_it(words: str) -> None:
    rows = [
        {
            "Frage": f"Was tun bei {at}?",
            "Antwort Gemini": f"{words} {at}",
            "Antwort GPT-4o": "Ruhe.",
        }
        for at in range(3)
    ]
    found = propose_study(rows, title="T")
    assert found.looked.telling
    masked = propose_study(rows, title="T", mask=True)
    assert masked.looked.telling == []
    shown = mask_names_in_text(words, masked.declared.mask)
    assert not re.search("Google|Meta|Mistral|Gemini|谷歌|深度求索|百度", shown), shown


@pytest.mark.parametrize(
    "words",
    [
        "A model of meta-analysis by Cohen.",
        "The model from meta-regression fits.",
        "Google me dijo que es grave.",
        "Google hat mich beunruhigt.",
        "Google m'a fait peur.",
        "We searched Google Scholar; a model of care.",
        "Skapad av metall och plast.",
        "Criado pela meta de glicemia em jejum.",
        "Entwickelt von der Leitliniengruppe, bei Google zu finden.",
        "El plan fue creado por metas semanales.",
    ],
)
def test_words_that_only_sound_like_a_maker_are_no_alarm(words: str) -> None:
    rows = [
        {"Frage": f"Was tun bei {at}?", "Antwort Qwen": f"{words} {at}", "Antwort GPT-4o": "Ruhe."}
        for at in range(3)
    ]
    assert propose_study(rows, title="T").looked.telling == []


def test_rows_that_are_told_are_those_in_which_the_model_is_meant() -> None:
    answers = ("Claude says rest.", "Go to Jean-Claude.", "Rest.")
    rows = [
        {"Frage": f"Was {at}?", "Antwort GPT-4o": "Ruhe.", "Antwort Claude 3": said}
        for at, said in enumerate(answers)
    ]
    found = propose_study(rows, title="T")
    assert giveaway_with_rows_in_words(found.looked.telling[0], found.declared, rows).endswith(
        "(“Antwort Claude 3”, row 1)"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Ein Anstieg der GPT auf weniger als das Dreifache der Norm ist kein Grund, das Statin"
        " abzusetzen.",
        "La GPT elevada es frecuente en el hígado graso.",
        "La GPT est élevée, ce qui évoque une atteinte du foie.",
        "Podwyższona aktywność GPT świadczy o uszkodzeniu wątroby.",
    ],
)
def test_the_enzyme_gpt_in_an_answer_names_no_model(text: str) -> None:
    rows = [
        {"item": f"L{at}", "frage": f"Was bedeutet das, Nr. {at}?", "antwort": text}
        for at in range(3)
    ]
    assert not propose_study(rows, title="T").looked.telling


@pytest.mark.parametrize(
    "text", ["As GPT, I cannot see your liver values.", "Laut der GPT-Antwort ist der Wert normal."]
)
def test_gpt_is_a_model_where_the_words_beside_it_say_so(text: str) -> None:
    rows = [
        {"item": f"L{at}", "frage": f"Was bedeutet das, Nr. {at}?", "antwort": text}
        for at in range(3)
    ]
    assert propose_study(rows, title="T").looked.telling


def test_rows_that_name_a_model_are_those_that_are_counted() -> None:
    said = ("As GPT-4o I agree.", "GPT-4o agrees.", "Ask GPT, too.", "The GPT-4o answer.")
    rows = [
        {"id": f"q{at}", "question": f"What is to be done in case {at}?"}
        | {"GPT-4o": f"{one} Rest for {at} days.", "Llama 3": f"Come back on day {at} at noon."}
        for at, one in enumerate(said, 1)
    ]
    made = propose_study(rows, title="T")
    told = [giveaway_with_rows_in_words(one, made.declared, rows) for one in made.looked.telling]
    assert any(
        one.startswith("3 of the texts name the arm") and "rows 1, 2 and 4" in one for one in told
    )
    assert any("1 of the texts names 'GPT'. (“GPT-4o”, row 3)" in one for one in told)
