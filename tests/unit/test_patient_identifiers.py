"""What may identify a patient is found in 316 sentences, and little else is taken for it."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.studies.own import find_and_replace_patient_identifiers, study_file
from medlens.studies.own.find_and_replace_patient_identifiers import (
    find_identifiers,
    find_identifiers_in_rows,
    find_identifiers_in_text_table,
    list_identifiers_found_in_words,
    replace_identifiers,
)
from medlens.studies.own.item_and_judgment_import_and_export import (
    items_faults_and_notes_of_table_rows,
)
from medlens.studies.own.study_proposal import propose_study, rows_checked_for_identifiers_in_words

SENTENCES = [
    line
    for line in Path(__file__)
    .with_name("identifier_sentences.txt")
    .read_text(encoding="utf-8")
    .splitlines()
    if not line.startswith("#")
]
MARKED = re.compile(r"\{(\w+)\|([^}]*)\}")
LONG = "Rest, and drink water for as long as the cough of this week lasts."


def plain(sentence: str) -> tuple[str, list[tuple[str, int, int]]]:
    """A sentence without its marks, and where they stand in it."""
    text, marks, at = "", [], 0
    for mark in MARKED.finditer(sentence):
        text += sentence[at : mark.start()]
        marks.append((mark[1], len(text), len(text) + len(mark[2])))
        text, at = text + mark[2], mark.end()
    return text + sentence[at:], marks


def counted() -> tuple[Counter[str], Counter[str], list[str]]:
    """By kind: how many there are and how many are found; and what is found where nothing is."""
    there, right = Counter[str](), Counter[str]()
    wrong: list[str] = []
    for sentence in SENTENCES:
        text, marks = plain(sentence)
        found = find_identifiers(text)
        for kind, start, end in marks:
            there[kind] += 1
            right[kind] += any(o.kind == kind and o.start < end and start < o.end for o in found)
        wrong += [
            f"{o.text!r} in {text!r}"
            for o in found
            if not any(o.start < end and start < o.end for _, start, end in marks)
        ]
    return there, right, wrong


def test_of_200_sentences_nearly_all_identifiers_are_found_and_little_else() -> None:
    there, right, wrong = counted()
    assert len(SENTENCES) >= 200
    for kind in ("number", "phone", "email"):
        assert right[kind] >= 0.95 * there[kind] > 0, kind
    assert right["name"] >= 0.75 * there["name"] > 0
    for kind in ("birth", "address", "record"):
        assert right[kind] >= 0.9 * there[kind] > 0, kind
    assert len(wrong) <= 0.2 * right.total(), wrong


def test_in_sentences_full_of_doses_values_and_dates_nothing_is_found() -> None:
    prose = [text for text, marks in map(plain, SENTENCES) if not marks]
    assert len(prose) > 60
    assert [(text, find_identifiers(text)) for text in prose if find_identifiers(text)] == []


@pytest.mark.parametrize("digit", range(10))
def test_a_number_with_a_wrong_check_digit_is_none(digit: int) -> None:
    assert bool(find_identifiers(f"NHS 943 476 591{digit}")) == (digit == 9)
    assert bool(find_identifiers(f"KVNR A12345678{digit}")) == (digit == 0)
    assert bool(find_identifiers(f"Versicherung 15070649C10{digit}")) == (digit == 3)


@pytest.mark.parametrize(
    ("text", "replaced"),
    [
        ("NHS 943 476 5919, Mr Hill, 5 mg.", "NHS [identity number], [name], 5 mg."),
        ("Ask jane@example.org or 07700 900123.", "Ask [e-mail address] or [telephone number]."),
        ("Nothing is here but 5 mg.", "Nothing is here but 5 mg."),
        ("DOB: 12/03/1954; MRN 00482917", "[date of birth]; [record number]"),
        ("wohnhaft Am Alten Markt 5b, 80331 München, Hb 8,1", "wohnhaft [postal address], Hb 8,1"),
        ("PID 4711-8832, stellte sich vor", "[record number], stellte sich vor"),
        ("Treated for PID 2019, then PID 3 times.", "Treated for PID 2019, then PID 3 times."),
    ],
)
def test_what_is_replaced_says_what_it_was(text: str, replaced: str) -> None:
    assert replace_identifiers(text) == replaced
    assert replace_identifiers(replaced) == replaced


@pytest.mark.parametrize(
    ("heading", "cell", "kind"),
    [
        ("Patient name", "Jane Doe", "name"),
        ("Nachname", "Müller", "name"),
        ("date_of_birth", "1954-03-12", "birth"),
        ("MRN", "00482917", "record"),
        ("Phone", "555 123 4567", "phone"),
        ("Prontuário", "0048291", "record"),
        ("N° dossier", "00482917", "record"),
        ("Nº do cartão SUS", "700001234500005", "number"),
        ("SSN", "536 22 1847", "number"),
        ("Home address", "by the old mill", "address"),
    ],
)
def test_a_heading_says_what_its_cells_are(heading: str, cell: str, kind: str) -> None:
    assert [found.kind for found in find_identifiers(cell, heading)] == [kind]
    assert find_identifiers(cell, "note") == []


@pytest.mark.parametrize(
    "said",
    [
        *("geboren op", "geb. op", "ur.", "urodzona", "Data urodzenia:", "född", "født den"),
        *("Geb.-Datum:", "Geb.dat.", "geboren in Köln am", "né(e) le", "née à Nîmes le"),
        *("nata a Forlì il", "nacido en León el", "nascida a", "nascido em Évora a", "nascida em"),
        *("born in Hull on", "Born in Cardiff"),
    ],
)
def test_a_date_of_birth_is_found_in_one_text_and_among_many(said: str) -> None:
    text = f"{said} 23.05.1947, RR 140/85"
    assert [(one.kind, one.text) for one in find_identifiers(text)] == [
        ("birth", f"{said} 23.05.1947")
    ]
    notes = pa.table({"note": [f"Nothing of note in case {at}." for at in range(600)] + [text]})
    assert [one.kind for one in find_identifiers_in_text_table(notes)] == ["birth"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Pan Wiśniewski przyjmuje 5 mg.", "Pan Wiśniewski"),
        ("Podano Panu Mazurowi 75 mg.", "Panu Mazurowi"),
        ("De heer Smit gebruikt 40 mg.", "De heer Smit"),
        ("Voor de heer Van Dam: 2dd1.", "de heer Van Dam"),
        ("Dona Conceição toma 50 mg.", "Dona Conceição"),
        ("Gezien: mw. Kuipers, 40 mg.", "mw. Kuipers"),
        ("Mw. De Boer heeft koorts.", "Mw. De Boer"),
        ("Brief van dhr. Mulder.", "dhr. Mulder"),
        ("Alla sig.ra Galli 20 mg.", "sig.ra Galli"),
        ("La sra. Vidal toma 10 mg.", "sra. Vidal"),
        ("Visto por la dra. Soler.", "dra. Soler"),
        ("Utente D. Inês Falcão, 5 mg.", "D. Inês Falcão"),
        ("Frau Mitte klagt über Schwindel.", "Frau Mitte"),
        ("Herr Ende, 50 Jahre", "Herr Ende"),
    ],
)
def test_a_name_beside_a_polish_dutch_or_portuguese_title_is_found(text: str, name: str) -> None:
    assert [one.text for one in find_identifiers(text)] == [name]


@pytest.mark.parametrize(
    "text",
    [
        "The Pan American Health Organization reports 312 cases.",
        "Pan Cytokeratin stained 80% of cells.",
        "Eine Frau Anfang 40 und ein Herr Ende sechzig kamen.",
        "Eine Frau Mitte der 70 mit Hb 8,1.",
        "Die Frau Patientin bekam 5 mg.",
        "Sr. Potassium 3.9, Sr. Urea 40, sr. Creatinine 1.1; Mw. 66 kDa, Mw. Albumin 66,500.",
        "Av. Glucose 140 mg/dL, av. Cost 1200.",
        "M. Kahler seit 2016, M. Meulengracht, M. Haglund links.",
    ],
)
def test_what_stands_behind_a_title_and_is_no_name_is_left(text: str) -> None:
    assert find_identifiers(text) == []


def test_a_number_of_british_columbia_is_known_by_its_check_digit_beside_its_name() -> None:
    for words in ("PHN", "Personal Health Number", "BC CareCard"):
        assert [one.kind for one in find_identifiers(f"{words} 9698 658 215")] == ["number"]
    assert find_identifiers("PHN 9698 658 214") == find_identifiers("Order 9698 658 215") == []


def test_an_avenue_may_be_abbreviated_before_a_comma_and_a_number() -> None:
    found = find_identifiers("Mora na Av. Rio Branco, 1200, toma 5 mg.")
    assert [(one.kind, one.text) for one in found] == [("address", "Av. Rio Branco, 1200")]


def test_a_flats_number_goes_with_its_street() -> None:
    found = find_identifiers("Lives at Flat 12b, 40 Mill Road, Ely CB7 4AA, alone.")
    assert [one.text for one in found] == ["Flat 12b, 40 Mill Road, Ely CB7 4AA"]


@pytest.mark.parametrize(
    "words",
    [
        *("MRN", "Medical record number", "Patient ID", "Chart #", "Case no.", "Passport no."),
        *("Medicaid ID", "Patienten-Kennziffer", "Fallnummer", "Aktenzeichen", "Aufnahmekennung"),
        *("Historia clínica n.º", "NHC", "N.º de historia", "IPP", "N° de dossier", "Dossier n°"),
        *("Número de utente", "N.º de utente", "Utente n.º"),
        *("Cartella clinica n.", "Cartella n.", "Patiëntnummer", "Journalnummer", "Prontuário"),
        *("Prontuário nº", "Prontuário n.º", "Prontuario n.", "Reisepass", "Personalausweis"),
    ],
)
@pytest.mark.parametrize("between", [" ", ": "])
def test_a_record_number_is_found_in_one_text_and_among_many(words: str, between: str) -> None:
    text = f"{words}{between}1234567 was seen"
    assert [one.kind for one in find_identifiers(text)] == ["record"]
    notes = pa.table({"note": [f"Nothing of note in case {at}." for at in range(300)] + [text]})
    found = find_identifiers_in_text_table(notes)
    assert [one.kind for one in found] == ["record"]


def test_a_brazilian_health_card_is_known_by_its_check_sum_beside_its_name() -> None:
    # 7*15 + 1*10 + 2*9 + 3*8 + 4*7 + 5*6 + 5*1 = 220 = 20 * 11.
    assert [one.kind for one in find_identifiers("CNS 700001234500005")] == ["number"]
    assert find_identifiers("CNS 700001234500006") == []
    assert find_identifiers("Study 700001234500005") == []


@pytest.mark.parametrize(
    "text",
    [
        "Ernährung via PEG 50 ml/h",
        "Noradrenalin via Perfusor 5, dann via Perfusor 3 ml/h",
        "via sonde 20, par voie 2, via Sonde 60",
        "über ZVK 3, via ZVK 3 und via CVC 2",
        "O2 via HFNC 40 l/min, via BiPAP 12, via O2 4 l",
        "Morfina via Orale 2 cp, via EV 4 fiale, Via Epidurale 6 ml",
        "via Braunüle 2, via Katheter 3 und via Trachealkanüle 8",
        "Gesendet via Fax 2 und via Teams 3",
        "Bettplatz 4, Beatmungsplatz 5, Zugangsweg 2, Vaginalring 1",
        "après 3 cours de Cisplatine, 2 passage Trendelenburg",
    ],
)
def test_how_something_is_given_is_no_street(text: str) -> None:
    assert not find_identifiers_in_rows([{"text": text}])


@pytest.mark.parametrize(
    "street",
    [
        *("Via Roma 12", "via Garibaldi 5", "via Giuseppe Verdi 10", "Via IV Novembre 3"),
        *("Via Sondrio 4", "Via Venezia 7", "via Subiaco 2", "Marktplatz 5", "Feldweg 3"),
        *("12 cours Gambetta", "3 rue de la Paix", "Calle Mayor 5"),
    ],
)
def test_a_street_beside_such_words_is_still_one(street: str) -> None:
    text = f"wohnt {street}, PEG 50 ml/h via Perfusor 5"
    [place] = find_identifiers_in_rows([{"text": text}])
    assert place.text == street


@pytest.mark.parametrize("heading", ["drug_name", "name", "model name", "birth weight", "item"])
def test_a_heading_that_only_sounds_so_says_nothing(heading: str) -> None:
    assert find_identifiers("Aspirin", heading) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Patientin Frau Müller, Erika, geb. 12.03.1954", "[name], [date of birth]"),
        ("Mr Smith, John (born 3 May 1950)", "[name] ([date of birth])"),
        ("Herr Meier, Hans-Peter *12.3.1954", "[name] [date of birth]"),
        ("Sra. López, María del Carmen, nacida el 3/5/1950", "[name], [date of birth]"),
        ("Mrs Jones, DOB 1/2/1950", "[name], [date of birth]"),
        ("Frau Müller, Aspirin 100 mg", "[name], Aspirin 100 mg"),
        ("Dr. Smith, Oncology, 12/03/2024", "[name], Oncology, 12/03/2024"),
    ],
)
def test_a_first_name_behind_the_surname_goes_with_it_where_a_birth_follows(
    text: str, left: str
) -> None:
    assert replace_identifiers(text) == left


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Frau Otte, KVNR A123456780, geb. 07.10.1983", ["Frau Otte"]),
        ("Herr Sahin, AOK, geb. 07.10.1983", ["Herr Sahin"]),
        ("Mrs Lowe, NHS 943 476 5919, born 07.10.1983", ["Mrs Lowe"]),
        ("Frau OTTE, ERIKA, geb. 07.10.1983", ["Frau OTTE, ERIKA"]),
    ],
)
def test_a_number_between_a_name_and_a_birth_hides_no_name(text: str, names: list[str]) -> None:
    assert [one.text for one in find_identifiers(text) if one.kind == "name"] == names


def test_identifiers_are_named_by_row_and_column_in_nested_cells_too() -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "note": LONG, "turns": [{"role": "user", "content": "I am Mrs Hill."}]},
        {"id": 2, "note": "Call 07700 900123 or jane@example.org, please.", "turns": []},
        {"id": 9434765919, "note": LONG, "turns": []},
    ]
    places = find_identifiers_in_rows(rows)
    assert [(place.row, place.column, place.kind) for place in places] == [
        (1, "turns", "name"),
        (2, "note", "phone"),
        (2, "note", "email"),
        (3, "id", "number"),
    ]
    assert list_identifiers_found_in_words(places)[1] == (
        "“note”, row 2: 1 telephone number, such as “07700 900123”."
    )
    # What is kept in a log does not repeat what should not be kept.
    assert not any(
        "07700" in line for line in list_identifiers_found_in_words(places, quoted=False)
    )
    assert find_identifiers_in_rows(rows, {"id", "turns", "note"}) == []


ROWS = [
    {"id": "604 432 4451", "note": f"Mr Thompson was here. {LONG}"},
    {"id": "768 323 7418", "note": f"Nobody is named. {LONG}"},
    {"id": "c3", "note": f"Nothing of anybody. {LONG}"},
]


@pytest.mark.parametrize(
    ("decided", "names", "notes"),
    [
        ("", ["604 432 4451", "768 323 7418", "c3"], ["Mr Thompson", "Nobody", "Nothing"]),
        ("keep", ["604 432 4451", "768 323 7418", "c3"], ["Mr Thompson", "Nobody", "Nothing"]),
        (
            "replace",
            ["[identity number] 1", "[identity number] 2", "c3"],
            ["[name] was", "Nobody", "Nothing"],
        ),
        ("leave_out", ["c3"], ["Nothing"]),
    ],
)
def test_what_a_lead_decides_holds_for_every_row(
    decided: str, names: list[str], notes: list[str]
) -> None:
    found = propose_study(ROWS, title="T", identifiers=decided)
    assert len(found.identifying) == 3
    looked = items_faults_and_notes_of_table_rows(found.declared, ROWS)
    assert [item.name for item in looked.items] == names
    for item, note in zip(looked.items, notes, strict=True):
        assert str(item.body["note"]).startswith(note)
    assert bool(looked.notes) == (decided != "keep")


def test_if_nothing_is_decided_every_row_is_looked_at_and_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("medlens.studies.own.item_and_judgment_import_and_export._AT_ONCE", 4)
    rows = [{"id": f"c{at}", "note": f"Seen by Dr Hill, {at}. {LONG}"} for at in range(6)]
    found = propose_study(rows, title="T")
    notes = items_faults_and_notes_of_table_rows(found.declared, rows).notes
    (note,) = [one for one in notes if "identify" in one]
    assert "rows 1, 2, 3 and 3 more" in note


@pytest.mark.deep
def test_what_stands_behind_the_first_rows_is_found_in_files_of_every_kind(tmp_path: Path) -> None:
    rows = [{"id": f"r{at}", "note": f"Rest well, day {at}.", "seen": "yes"} for at in range(1_200)]
    rows[1_100]["note"] = "Seen by Frau Dr. Huber."
    rows[1_199]["note"] = "Insured as 756.9217.0769.85."
    table = pd.DataFrame(rows)
    table.to_csv(tmp_path / "plain.csv", index=False)
    (tmp_path / "title.csv").write_text("Study of 2025\n\n" + table.to_csv(index=False))
    table.to_json(tmp_path / "lines.jsonl", orient="records", lines=True)
    table.to_parquet(tmp_path / "columns.parquet", index=False)
    for name in ("plain.csv", "title.csv", "lines.jsonl", "columns.parquet"):
        seen = reader_client.read_file_description_in_reader_process(
            Settings(), tmp_path / name, name, identifiers=True
        )
        found = [(place.row, place.kind) for place in seen.identifying]
        assert (name, found) == (name, [(1_101, "name"), (1_200, "number")])
        assert seen.looked_at == 1_200
        proposed = propose_study(seen.rows, title="T", more=seen.more, beyond=seen.identifying)
        assert [place.row for place in proposed.identifying] == [1_101, 1_200]


def test_a_table_of_columns_is_looked_through_as_its_rows_are() -> None:
    rows = [
        {"note": plain(sentence)[0], "MRN": f"A{at:05}"} for at, sentence in enumerate(SENTENCES)
    ]
    table = pa.table({name: [row[name] for row in rows * 3] for name in ("note", "MRN")})
    assert find_identifiers_in_text_table(table) == find_identifiers_in_rows(rows * 3)


def test_of_many_texts_the_same_is_found_as_of_each_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = [{"note": plain(sentence)[0]} for sentence in SENTENCES] + [{"note": "Mr Hill\ud800"}]
    together = find_identifiers_in_rows(rows * 3)
    monkeypatch.setattr(find_and_replace_patient_identifiers, "_MANY", 10**9)
    assert find_identifiers_in_rows(rows * 3) == together
    assert len(together) > 400


def test_made_up_items_are_not_looked_at() -> None:
    found = propose_study(ROWS, title="T")
    text = found.text.replace("raters_per_item", "illustrative = true\nraters_per_item", 1)
    assert items_faults_and_notes_of_table_rows(study_file.parse_study_file(text), ROWS).notes == []


def test_a_large_table_in_which_nothing_was_found_says_that_all_rows_were_looked_at() -> None:
    assert "all 50,000 rows" in rows_checked_for_identifiers_in_words(50_000)


def test_a_column_full_of_names_is_told_without_being_looked_through_to_its_end(
    tmp_path: Path,
) -> None:
    letters = [chr(97 + at) for at in range(26)]
    ends = [one + two + three for one in letters for two in letters for three in letters]
    names = [f"Mr. John Whitlock{end} came in." for end in ends[:5_000]]
    table = pa.table({"note": names, "id": [str(at) for at in range(5_000)]})
    found = find_identifiers_in_text_table(table, before=7, enough=100)
    assert [place.row for place in found] == [*range(8, 108)]
    assert len(find_identifiers_in_text_table(table)) == 5_000
    most = find_identifiers_in_text_table(table, enough=4_500)
    assert [place.row for place in most] == [*range(1, 4_501)]
    path = tmp_path / "names.csv"
    pd.DataFrame({"note": names}).to_csv(path, index=False)
    seen = reader_client.read_file_description_in_reader_process(
        Settings(), path, path.name, identifiers=True
    )
    assert (seen.identifying_stopped, seen.identifying_more) == (True, 1_000)
    assert seen.looked_at == 5_000
    pd.DataFrame({"note": names[:2_500]}).to_csv(path, index=False)
    seen = reader_client.read_file_description_in_reader_process(
        Settings(), path, path.name, identifiers=True
    )
    assert (seen.identifying_stopped, seen.identifying_more) == (False, 500)


@pytest.mark.first_quick
@pytest.mark.parametrize("run", ["-", "1-", "A-", "a.", "a'", "12.", "GPT-4o.", "_", "1"])
def test_a_long_run_of_signs_beside_an_address_takes_no_time(run: str) -> None:
    about = " DNI 12345678Z. Ask anna.berg@example.org, Hauptstr. 5, 12345 Berlin, geb. 01.02.1990 "
    begun = time.process_time()
    found = find_identifiers(about + run * (60_000 // len(run)) + about)
    assert time.process_time() - begun < 5
    assert len([one for one in found if one.kind == "email"]) == 2


@pytest.mark.parametrize(
    "cell",
    [
        *("Vorschlag GPT-4o", "Vorschlag Oberarzt", "Antwort Claude", "Befund Aufnahme"),
        *("Suggestion Resident", "Answer Llama", "History", "Réponse Interne", "Respuesta Gemini"),
        *("Family History", "Differential Diagnosis", "Voorstel Huisarts", "Proposta Medico"),
    ],
)
def test_what_a_part_of_a_case_is_called_is_no_name_of_a_patient(cell: str) -> None:
    assert not find_identifiers(cell, "Patient")


@pytest.mark.parametrize(
    "cell", ["Anna Maier", "Maier, Anna", "Peter Antworter", "Frager Klaus", "Maria Answerley"]
)
def test_names_below_patient_are_found_as_before(cell: str) -> None:
    assert [one.kind for one in find_identifiers(cell, "Patient")] == ["name"]
