"""A column that says which model a row is of never names the items."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

ANSWERS = (
    "Please come to the surgery today, since a stiff neck with fever must be looked at soon.",
    "Wait two or three days, drink plenty of water and take paracetamol if you feel unwell.",
    "Call an ambulance now and lie down; do not drive to the hospital yourself this time.",
)


def proposed(heading: str, names: tuple[str, ...], answer: str = "Antwort") -> Proposal:
    rows = [{heading: name, answer: text} for name, text in zip(names, ANSWERS, strict=False)]
    return propose_study(rows, title="T")


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Modell", ("GPT-4o", "Gemini")),
        ("Modèle", ("GPT-4o", "Mistral", "Llama 3")),
        ("Name", ("ChatGPT", "DeepSeek")),
        ("モデル", ("GPT-4o", "Gemini")),
        ("Model", ("GPT-4o", "doctor")),
        ("النموذج", ("شات جي بي تي", "جيميني")),
    ],
)
def test_models_name_no_items_and_the_lack_of_a_case_is_told(
    heading: str, names: tuple[str, ...]
) -> None:
    found = proposed(heading, names)
    roles = {one.name: one.role for one in found.columns}
    assert roles[heading] in ("group", "hidden")
    assert not {item.name for item in found.looked.items} & set(names)
    assert any("add a column “case”" in one for one in found.told)


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("id", ("P-01", "P-02")),
        ("Name", ("Fever", "Stiff neck")),
        ("Fall", ("Nacken", "Batterie", "Fieber")),
        ("model_id", ("case-a", "case-b")),
    ],
)
def test_other_names_name_the_items(heading: str, names: tuple[str, ...]) -> None:
    found = proposed(heading, names)
    assert {one.name: one.role for one in found.columns}[heading] == "id"
    assert not any("add a column “case”" in one for one in found.told)


def test_each_question_of_its_own_is_a_case() -> None:
    rows = [
        {"question": f"What should I do about this neck of mine, and when? ({at})"}
        | {"model": name, "answer": text}
        for at, (name, text) in enumerate(zip(("GPT-4o", "Gemini"), ANSWERS, strict=False))
    ]
    found = propose_study(rows, title="T")
    assert not any("add a column “case”" in one for one in found.told)


LONG_TABLES = (
    ("sagsnr", "spørgsmål", "svar"),
    ("saksnr", "spørsmål", "svar"),
    ("Ärendenr", "fråga", "svar"),
    ("Lp.", "pytanie", "odpowiedź"),
    ("Číslo", "otázka", "odpověď"),
    ("tapaus", "kysymys", "vastaus"),
    ("zaaknr", "vraag", "antwoord"),
    ("Vaka no", "soru", "cevap"),
    ("номер", "вопрос", "ответ"),
    ("症例", "質問", "回答"),
    ("病例号", "问题", "回答"),
    ("سوال", "سؤال", "جواب"),
    ("Eset", "kérdés", "válasz"),
    ("αριθμός", "ερώτηση", "απάντηση"),
    ("xyz", "abc", "def"),
)


def long_table(case: str, asked: str, answer: str) -> list[dict[str, Any]]:
    return [
        {
            case: str(at),
            asked: f"Er hævelse {at} normalt?",
            "model": model,
            answer: f"Nej, hævelse {at} er almindeligt efter {len(model)} uger uden smerter.",
        }
        for at in range(1, 5)
        for model in ("GPT-4o", "Mistral")
    ]


@pytest.mark.parametrize("names", LONG_TABLES)
def test_rows_of_one_case_are_compared_in_any_language_though_an_answer_is_missing(
    names: tuple[str, str, str],
) -> None:
    rows = long_table(*names)
    whole = propose_study(rows, title="T")
    assert whole.declared.arms is not None
    assert len(whole.looked.items) == 4
    del rows[3]
    found = propose_study(rows, title="T")
    assert found.declared.arms is not None
    # Of two models one alone has nothing to be compared with.
    assert len(found.looked.items) == 3
    assert [note for note in found.looked.notes if note.startswith("Not every arm")]


@pytest.mark.parametrize("names", LONG_TABLES[:-1])
def test_an_answer_given_twice_is_told_in_any_language(names: tuple[str, str, str]) -> None:
    rows = long_table(*names)
    rows.insert(3, {**rows[3], names[2]: "Det afhænger af din forsikring, spørg den først."})
    told = propose_study(rows, title="T").told
    assert sum("has answered" in one for one in told) == 1, told
    assert not any("nothing says which rows belong to the same case" in one for one in told)


QUESTIONS = [f"What helps against cough number {at}, which began a week ago?" for at in range(4)]


def said_by(name: str, at: int) -> str:
    return f"{name.removeprefix('Dr. ')[0]}: rest and drink enough, and come back in {at} days."


def test_doctors_by_surname_beside_a_machine_are_compared_and_no_patients() -> None:
    rows = [
        {"Fall": str(at), "Verfasser": who, "Frage": asked, "Antwort": said_by(who, at)}
        for at, asked in enumerate(QUESTIONS)
        for who in ("Dr. Huber", "KI", "Dr. Maier")
    ]
    made = propose_study(rows, title="T")
    assert made.declared.arms is not None
    assert made.declared.arms.names == ("Dr. Huber", "KI", "Dr. Maier")
    assert not made.identifying


def test_surnames_without_a_machine_among_them_make_no_comparison() -> None:
    rows = [
        {"Fall": str(at), "Behandler": who, "Frage": asked, "Antwort": said_by(who, at)}
        for at, asked in enumerate(QUESTIONS)
        for who in ("Dr. Huber", "Dr. Maier")
    ]
    assert propose_study(rows, title="T").declared.arms is None


def test_numbered_names_of_one_model_name_the_items_and_are_told() -> None:
    rows = [
        {"ID": f"GPT4_00{at}", "Question": asked, "Answer": said_by("x", at)}
        for at, asked in enumerate(QUESTIONS)
    ]
    made = propose_study(rows, title="T")
    assert made.declared.item == "ID"
    assert any("“ID” hold a model's name, such as “GPT4_000”" in one for one in made.told)


def test_names_that_hold_a_model_and_a_case_are_told_as_such() -> None:
    rows = [
        {
            "id": f"{model}_{at}",
            "model": model,
            "conversations": [
                {"from": "human", "value": asked},
                {"from": "gpt", "value": said_by(model, at)},
            ],
        }
        for at, asked in enumerate(QUESTIONS)
        for model in ("gpt4", "qwen2")
    ]
    made = propose_study(rows, title="T")
    assert "id" not in made.declared.shown_text_columns
    assert any("“id” seem to hold a case and a model, such as “gpt4_0”" in one for one in made.told)
    assert not any("nothing says which rows" in one for one in made.told)
