"""What spreadsheet programs write into a table in place of what was meant is told."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.spreadsheet_error_values import (
    is_error_value_of_spreadsheet,
    is_word_for_value_not_found,
)
from medlens.studies.own.study_proposal import Proposal, propose_study

LONG = "Please come in today, since a stiff neck with a fever is no small matter, said number {}."


def roles(found: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in found.columns}


def all_told(found: Proposal) -> str:
    telling = [one.sentence for one in found.looked.telling]
    return "\n".join([*found.told, *found.looked.notes, *telling])


def by_model(word: str = "") -> list[dict[str, Any]]:
    rows = [
        {
            "id": at,
            "Question": f"What is to be done about number {at}, whose neck is stiff?",
            "Answer GPT-4o": LONG.format(at),
            "Answer Llama 3": LONG.format(at + 100),
        }
        for at in range(1, 5)
    ]
    rows[1]["Answer GPT-4o"] = word or rows[1]["Answer GPT-4o"]
    return rows


NOT_FOUND = (
    *("#N/A", "#NV", "#N/D", "#N/D!", "#N/B", "#I/T", "#Н/Д", "#Δ/Υ", "#YOK", "#SAKNAS"),
    *("#HIÁNYZIK", "#PUUTTUU", "#NENÍ_K_DISPOZICI", "#NEDOSTUPNÝ", "#N/V", "#n/a"),
)
ERRORS = (
    # English, German, French, Spanish
    *("#NAME?", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#SPILL!", "#GETTING_DATA", "#BUSY!"),
    *("#BEZUG!", "#WERT!", "#ZAHL!", "#ÜBERLAUF!", "#DATEN_ABRUFEN", "#NOM?", "#VALEUR!"),
    *("#NOMBRE!", "#PROPAGATION!", "#¿NOMBRE?", "#¡REF!", "#¡VALOR!", "#¡NUM!", "#¡DIV/0!"),
    # Italian, Portuguese, Dutch, Polish
    *("#NOME?", "#RIF!", "#VALORE!", "#ESPANSIONE!", "#VALOR!", "#NÚM!", "#DESPEJAR!", "#NULO!"),
    *("#NAAM?", "#VERW!", "#WAARDE!", "#GETAL!", "#DEEL/0!", "#LEEG!", "#NAZWA?", "#ADR!"),
    *("#ARG!", "#LICZBA!", "#DZIEL/0!", "#ZERO!"),
    # Swedish, Danish, Norwegian, Finnish
    *("#NAMN?", "#VÄRDEFEL!", "#REFERENS!", "#OGILTIGT!", "#DIVISION/0!", "#VÆRDI!", "#NAVN?"),
    *("#VERDI!", "#ARVO!", "#VIITTAUS!", "#NIMI?", "#LUKU!", "#JAKO/0!"),
    # Czech, Hungarian, Turkish, Russian, Greek
    *("#HODNOTA!", "#NÁZEV?", "#DĚLENÍ_NULOU!", "#ÉRTÉK!", "#HIV!", "#NÉV?", "#ZÉRÓOSZTÓ!"),
    *("#DEĞER!", "#BAŞV!", "#AD?", "#SAYI/0!", "#ЗНАЧ!", "#ССЫЛКА!", "#ИМЯ?", "#ДЕЛ/0!"),
    *("#ΤΙΜΗ!", "#ΑΝΑΦ!", "#ΔΙΑΙΡ./0!", "#####", "##########", "Err:502", "#name?"),
)


@pytest.mark.parametrize("word", NOT_FOUND)
def test_words_of_any_language_for_a_value_not_found_are_known(word: str) -> None:
    assert is_word_for_value_not_found(word)
    assert not is_error_value_of_spreadsheet(word)


@pytest.mark.parametrize("word", ERRORS)
def test_error_values_of_any_language_are_known(word: str) -> None:
    assert is_error_value_of_spreadsheet(word)


@pytest.mark.parametrize(
    "word",
    [
        *("#1", "#12!", "#A", "#help", "#Name", "# NAME?", "#MeToo", "#NAME", "N/D!", "VALOR!"),
        *("#NAME? is what Excel said", "#1 is right!", "##", "#diabetes!", "Err: 12", "ARG!"),
        *("#LONG_COVID", "#ThisIsALongHashtagForOurDoctors", "#NIE WIEDER!", "#" + "A" * 38),
        *("Error:502", "#ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOP!"),
    ],
)
def test_what_people_write_is_no_error_value(word: str) -> None:
    assert not is_error_value_of_spreadsheet(word)
    assert not is_word_for_value_not_found(word)


@pytest.mark.parametrize("word", ["#N/D!", "#ARG!", "#VALORE!", "#WAARDE!", "#¿NOMBRE?", "#ЗНАЧ!"])
def test_an_answer_that_a_spreadsheet_lost_in_any_language_counts_as_missing(word: str) -> None:
    told = all_told(found := propose_study(by_model(word), title="Notes"))
    assert f"Read as empty cells: “{word}” (1)." in told
    assert "“Answer GPT-4o”, row 2 has no answer" in told
    assert found.declared.missing == (word,)


@pytest.mark.parametrize(
    "heading", ["Nr\npytania", "Question no", "N° de la question", "Nummer der Frage", "Vraag nr."]
)
def test_the_number_of_a_question_names_the_item(heading: str) -> None:
    rows = [{heading: row.pop("id"), **row} for row in by_model()]
    assert roles(propose_study(rows, title="Notes"))[heading] == "id"


def named(*names: str, heading: str = "Case") -> str:
    rows = [{heading: name, "Report": LONG.format(at)} for at, name in enumerate(names)]
    return all_told(propose_study(rows, title="Notes"))


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Case", ("2026-02-01", "13-2", "14-1", "2026-03-01")),
        ("Fall", ("01. Feb", "13-2", "14-1", "02. Mrz")),
        ("ID", ("1-Feb", "13-2", "14-1", "2-Mar")),
        ("Nr", ("févr-01", "1-33", "1-34", "mars-01")),
        ("item", ("2026-02-01", "A13", "A14", "2026-03-01")),
    ],
)
def test_dates_among_the_names_of_items_are_told(heading: str, names: tuple[str, ...]) -> None:
    told = named(*names, heading=heading)
    assert f"2 of 4 names of items are dates (“{heading}”, rows 1 and 4: " in told


def test_names_that_are_all_days_of_one_year_are_told() -> None:
    assert "3 of 3 names of items are dates" in named("2026-01-02", "2026-03-04", "2026-05-06")
    numbered = [f"2026-{month:02}-{day:02}" for month in (1, 2) for day in range(1, 16)]
    assert "30 of 30 names of items are dates" in named(*numbered)


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("Case", ("A-1", "A-2", "A-3")),
        ("Case", ("1-13", "13-2", "14-1")),
        ("Case", ("2024-01-02", "2025-03-04", "2026-05-06")),
        ("Visit date", ("2026-02-01", "2026-03-01", "unknown")),
        # The days of one year on which patients came.
        ("Case", ("2026-01-03", "2026-02-05", "2026-03-27", "2026-04-11", "2026-05-13")),
        ("id", ("2026-01-30", "2026-02-12", "2026-02-19", "2026-06-02")),
        ("Case", ("mar-1a", "may", "case-2026-02-01")),
        ("Case", ("MAR-01", "KOL-02", "MAR-03", "decision 5")),
    ],
)
def test_other_names_of_items_are_no_dates(heading: str, names: tuple[str, ...]) -> None:
    assert "A spreadsheet program makes dates" not in named(*names, heading=heading)


def with_column(heading: str, *cells: str) -> str:
    rows = [
        {"id": f"c{at}", heading: cell, "Report": LONG.format(at)} for at, cell in enumerate(cells)
    ]
    return all_told(propose_study(rows, title="Notes"))


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("Dose range", ("2026-05-02", "10-20", "15-30")),
        ("CRP", ("08. Feb", "30.2", "41.7")),
        ("Gene", ("2-Sep", "BRCA1", "TP53")),
    ],
)
def test_dates_among_ranges_numbers_and_genes_are_told(
    heading: str, cells: tuple[str, ...]
) -> None:
    assert f"1 of 3 values is a date (“{heading}”, row 1: “{cells[0]}”)" in with_column(
        heading, *cells
    )


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("First seen", ("2026-05-02", "unknown", "2026-05-04")),
        ("Onset", ("2026-05-02", "3/26", "2026-05-04")),
        ("Blood pressure", ("120/80", "130/90", "110/70")),
        ("Gene", ("BRCA1", "TP53", "KRAS")),
        ("Stage", ("May 5", "pT2", "early")),
    ],
)
def test_a_column_of_dates_or_of_other_values_is_not_told(
    heading: str, cells: tuple[str, ...]
) -> None:
    assert "A spreadsheet program makes dates" not in with_column(heading, *cells)
