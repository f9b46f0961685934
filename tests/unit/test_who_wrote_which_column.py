"""Whose texts stand in which column, where only one of them is a known model's or a machine's."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

LONG = "Rest and drink enough while the fever lasts, and come back after three days, says {} of {}."


def rows_with(*headings: str, **short: str) -> list[dict[str, Any]]:
    return [
        {"id": f"p{at}", **{name: LONG.format(name, at) for name in headings}, **short}
        for at in range(1, 5)
    ]


def arms_of(made: Proposal) -> tuple[str, ...]:
    return made.declared.arms.names if made.declared.arms else ()


@pytest.mark.parametrize(
    ("headings", "arms"),
    [
        (("Epikrise MK", "Epikrise KI"), ("MK", "KI")),
        (("Text 1 MK", "Text 2 KI"), ("MK", "KI")),
        (("Lettre 1 médecin", "Lettre 2 IA"), ("médecin", "IA")),
        (("Brief KI", "Brief JB"), ("KI", "JB")),
        (("Letter AI", "Letter TLM"), ("AI", "TLM")),
    ],
)
def test_somebody_by_initials_is_compared_with_a_machine(
    headings: tuple[str, str], arms: tuple[str, str]
) -> None:
    made = propose_study(rows_with("Aufnahmebefund", *headings), title="T")
    assert arms_of(made) == arms
    assert "Aufnahmebefund" in made.declared.shown_text_columns


def test_initials_are_told_as_a_guess_with_the_way_on_and_words_for_writers_are_not() -> None:
    headings = ("Epikrise KI", "Epikrise MK", "Epikrise JB")
    told = " ".join(propose_study(rows_with("Befund", *headings), title="T").told)
    assert "“Epikrise MK” and “Epikrise JB” are compared, as MK and JB seem to be" in told
    assert "show or hide them instead" in told
    told = " ".join(propose_study(rows_with("Befund", *headings[:2]), title="T").told)
    assert "“Epikrise MK” is compared, as MK seems to be somebody's initials" in told
    for other in ("Epikrise Arzt", "Epikrise GPT-4"):
        told = " ".join(propose_study(rows_with("Befund", "Epikrise KI", other), title="T").told)
        assert "initials" not in told


def test_capitals_beside_known_models_are_told_and_a_known_abbreviation_is_no_answer() -> None:
    known = ("Answer GPT-4", "Answer Llama")
    made = propose_study(rows_with("Question", *known, "Answer MK"), title="T")
    assert arms_of(made) == ("GPT-4", "Llama", "MK")
    assert "“Answer MK” is taken for an answer to compare too" in " ".join(made.told)
    made = propose_study(rows_with("Question", *known, "Answer EHR"), title="T")
    assert arms_of(made) == ("GPT-4", "Llama")
    assert "“Answer EHR”" in " ".join(made.told)


@pytest.mark.parametrize(
    "word",
    [
        *("EHR", "EMR", "TNM", "ICD", "ECG", "EKG", "EEG", "CT", "MRT", "MRI", "OP", "ICU", "ER"),
        *("ED", "KIS", "PVS", "HPI", "PMH", "ITS", "DRG", "OPS", "XR", "BGA", "ABG", "WHO", "HNO"),
    ],
)
def test_a_known_abbreviation_is_no_author_beside_a_machine_and_somebody(word: str) -> None:
    others = ("Summary AI", "Summary MK")
    made = propose_study(rows_with("Question", *others, f"Summary {word}"), title="T")
    assert arms_of(made) == ("AI", "MK")
    assert f"“Summary {word}”" in " ".join(made.told)
    assert not arms_of(
        propose_study(rows_with("Vorgeschichte", "Text KI", f"Text {word}"), title="T")
    )


@pytest.mark.parametrize("other", ["Befund CT", "Befund EKG", "Befund MRT"])
def test_what_was_done_is_no_author_and_is_told_beside_a_machine(other: str) -> None:
    made = propose_study(rows_with("Anamnese", other, "Befund KI"), title="T")
    assert not arms_of(made)


def test_a_surname_beside_a_machine_is_told_with_the_way_to_compare() -> None:
    made = propose_study(rows_with("Aufnahme", "Epikrise Huber", "Epikrise KI"), title="T")
    assert not arms_of(made)
    told = " ".join(made.told)
    assert "“Epikrise Huber” and “Epikrise KI” are shown together" in told
    assert "which say who wrote which" in told


@pytest.mark.parametrize("case", ["case_summary", "resumen_caso", "résumé_cas"])
def test_a_summary_of_the_case_is_no_answer_beside_those_of_known_models(case: str) -> None:
    made = propose_study(rows_with(case, "gpt4o_text", "claude35_text"), title="T")
    assert arms_of(made) == ("gpt4o", "claude35")
    assert case in made.declared.shown_text_columns


def test_images_inside_a_table_are_told_and_their_bytes_not_shown() -> None:
    rows = rows_with("question", "answer")
    for at, row in enumerate(rows):
        row["image"] = {"bytes": f"PNG\r\n{at}" * 20, "path": f"v{at}.png"}
    made = propose_study(rows, title="T")
    assert "image.bytes" not in made.declared.shown_text_columns
    assert any("“image.bytes” holds files inside the table" in one for one in made.told)


def test_what_a_program_notes_of_each_answer_is_no_answer() -> None:
    rows = rows_with("question", "gpt4o_text", "claude35_text")
    for at, row in enumerate(rows):
        row |= {"gpt4o_refused": "no", "claude35_refused": ("no", "yes")[at % 2]}
    made = propose_study(rows, title="T")
    assert arms_of(made) == ("gpt4o", "claude35")
    assert not {one for one in made.declared.shown_text_columns if "refused" in one}


def test_a_model_is_not_compared_with_its_own_sources() -> None:
    rows = rows_with("Frage", "GPT-4o · Antworttext", "Perplexity Pro · Antworttext")
    for at, row in enumerate(rows):
        row |= {
            "GPT-4o · Quelle": f"AWMF 053-00{at}, abgerufen 3/2026",
            "Perplexity Pro · Quelle": f"https://www.perplexity.ai/search/abc{at}",
        }
    made = propose_study(rows, title="T")
    assert arms_of(made) == ("GPT-4o", "Perplexity Pro")
    assert not {one for one in made.declared.shown_text_columns if "Quelle" in one}


@pytest.mark.parametrize("name", ["Padrão-ouro", "Gold standard", "Leitlinie", "Gabarito"])
def test_what_is_right_among_the_models_rows_is_told(name: str) -> None:
    rows = [
        {"id": f"p{at}", "question": f"What helps against cough {at}, which began a week ago?"}
        | {"source": who, "answer": LONG.format(who, at)}
        for at in range(1, 5)
        for who in ("GPT-4o", "Gemini", name)
    ]
    made = propose_study(rows, title="T")
    assert any(f"“{name}” of “source” is compared" in one for one in made.told)
    usual = [row for row in rows if row["source"] != name]
    assert not any("may be what is right:" in one for one in propose_study(usual, title="T").told)


def test_tools_by_number_are_compared_though_a_text_names_one() -> None:
    rows = rows_with("question", "Tool 1", "Tool 2")
    for row in rows:
        row |= {"Tool 1": row["Tool 1"][:70], "Tool 2": row["question"][:60]}
    rows[3]["Tool 2"] += " I am DoxGPT."
    made = propose_study(rows, title="T")
    assert arms_of(made) == ("Tool 1", "Tool 2")
    assert [one.name for one in made.looked.telling] == ["DoxGPT"]


def test_a_column_of_devices_with_one_answer_each_tells_no_author() -> None:
    devices = ("insulin pump", "pacemaker", "ventilator", "dialysis machine")
    rows = [
        row | {"device": device, "model": f"{device[:3].title()} {n}80"}
        for n, (row, device) in enumerate(
            zip(rows_with("question", "answer"), devices, strict=True)
        )
    ]
    assert not propose_study(rows, title="T").looked.telling


def test_titles_above_each_case_are_shown_if_nothing_else_asks() -> None:
    rows = [
        {"LLM": who, "Response": LONG.format(who, at), "section": f"Vignette {at}: {LONG}"}
        for at in range(1, 5)
        for who in ("ChatGPT", "Gemini")
    ]
    assert "section" in propose_study(rows, title="T").declared.shown_text_columns
    for at, row in enumerate(rows):
        row["question"] = f"What helps against cough {at // 2}, which began a week ago?"
    assert "section" not in propose_study(rows, title="T").declared.shown_text_columns
