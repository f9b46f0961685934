"""A column that says which model a row is of never names the items."""

from __future__ import annotations

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
