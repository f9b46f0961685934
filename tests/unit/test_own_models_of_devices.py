"""A device has a model too, and a body has arms: neither says who wrote an answer."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

DEVICES = (
    ("insulin pump", "MiniMed 780G", "The pump says that it is updating. What is to be done?"),
    ("pacemaker", "Azure XT DR", "Can this patient have an MRI of the knee this week?"),
    ("home ventilator", "Astral 150", "The low-pressure alarm sounds at night. What comes first?"),
    ("glucose meter", "Contour Next", "It shows HI, and the patient is thirsty. Is it urgent?"),
)
ANSWER = "Check it against the manual, and call the team if the patient is distressed, number {}."


def told_of_who_wrote(found: Proposal) -> str:
    return "\n".join(one.sentence for one in found.looked.telling)


def rows_of_devices(*, kind: str = "device", model: str = "model") -> list[dict[str, Any]]:
    return [
        {"item": f"D{at}", kind: one, model: called, "question": asked, "answer": ANSWER.format(at)}
        for at, (one, called, asked) in enumerate(DEVICES)
    ]


def rows_whose_answers_name_their_device(
    *, kind: str, model: str = "model"
) -> list[dict[str, Any]]:
    rows = rows_of_devices(kind=kind, model=model)
    return [row | {"answer": f"The {row[model]} is safe. {row['answer']}"} for row in rows]


@pytest.mark.parametrize("model", ["model", "Modell", "modèle", "system"])
def test_the_models_of_devices_are_no_writers_if_each_case_has_another(model: str) -> None:
    rows = rows_whose_answers_name_their_device(kind="what it is", model=model)
    assert told_of_who_wrote(propose_study(rows, title="Devices")) == ""


@pytest.mark.parametrize("kind", ["device", "Gerät", "Hersteller", "dispositif", "brand"])
def test_the_models_of_devices_are_no_writers_if_each_has_several_questions(kind: str) -> None:
    rows = rows_whose_answers_name_their_device(kind=kind)
    more = [
        row | {"item": f"E{at}", "question": f"Again: {row['question']}"}
        for at, row in enumerate(rows)
    ]
    assert told_of_who_wrote(propose_study([*rows, *more], title="Devices")) == ""


def test_a_device_that_is_named_in_its_question_and_answer_may_be_named() -> None:
    rows = rows_of_devices(kind="what it is")
    for row in rows:
        row["question"] = f"{row['model']}: {row['question']}"
        row["answer"] = f"The {row['model']} is safe. {row['answer']}"
    found = propose_study([*rows, *({**row, "item": f"E{row['item']}"} for row in rows)], title="x")
    assert told_of_who_wrote(found) == ""


def test_a_hidden_column_of_models_says_what_else_it_may_be() -> None:
    told = "\n".join(propose_study(rows_of_devices(), title="Devices").told)
    assert "“model”: it says which model wrote an answer. Show it if it means something" in told


def test_models_that_nobody_knows_still_give_themselves_away_by_name() -> None:
    rows = rows_of_devices(kind="subject")
    for at, row in enumerate(rows):
        row["model"] = ("Aurora", "Zephyr")[at % 2]
        row["answer"] = f"{row['model']} says: {row['answer']}"
    assert "name 'Aurora'" in told_of_who_wrote(propose_study(rows, title="Devices"))


@pytest.mark.parametrize("sides", [("left", "right"), ("links", "rechts"), ("droit", "gauche")])
def test_the_arms_of_a_body_are_shown(sides: tuple[str, str]) -> None:
    rows = rows_of_devices(model="arm")
    for at, row in enumerate(rows):
        row["arm"] = sides[at % 2]
    found = propose_study(rows, title="Limbs")
    assert {one.name: one.role for one in found.columns}["arm"] == "record"
    assert "“arm”: it says which model" not in "\n".join(found.told)


@pytest.mark.parametrize(
    "name", ["Glass AI", "OpenEvidence", "ClinicalKey AI", "Dyna AI", "DoxGPT"]
)
@pytest.mark.parametrize("headings", [("Tool 1", "Tool 2"), ("Tool A", "Tool B")])
def test_tools_at_the_point_of_care_are_compared_and_told_by_their_names(
    headings: tuple[str, str], name: str
) -> None:
    rows = [
        {"question": asked, headings[0]: ANSWER.format(at), headings[1]: ANSWER.format(at + 9)}
        for at, (_, _, asked) in enumerate(DEVICES)
    ]
    rows[1][headings[1]] = f"{name}: {rows[1][headings[1]]}"
    found = propose_study(rows, title="Tools")
    assert [one.name for one in found.columns if one.role == "answer"] == [*headings]
    assert f"names '{name}'" in told_of_who_wrote(found)


@pytest.mark.parametrize("words", ["a glass of water", "glass is sharp", "up to date", "UpToDate"])
def test_words_that_sound_like_such_tools_are_no_names(words: str) -> None:
    rows = rows_of_devices(kind="what", model="ward")
    rows[1]["answer"] += f" It says {words}."
    assert told_of_who_wrote(propose_study(rows, title="Tools")) == ""


@pytest.mark.parametrize(
    "heading",
    ["Referenzbereich", "Ref. range", "Intervallo di riferimento", "Valeurs de référence"],
)
def test_a_laboratorys_range_is_shown_beside_its_value(heading: str) -> None:
    rows = [
        {"item": row["item"], "value": f"{at}.3 mU/l", heading: f"0.{at}-4.0", **row}
        for at, row in enumerate(rows_of_devices(kind="what", model="ward"))
    ]
    found = propose_study(rows, title="Values")
    assert {one.name: one.role for one in found.columns}[heading] == "record"
