"""REDCap, both ways: a data dictionary as a study, and a study's judgments as records to import."""

from __future__ import annotations

import csv
import io
import time
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges.export_to_redcap import HEADINGS
from medlens.bridges.import_from_redcap import convert_redcap_dictionary_to_study_and_notes
from medlens.config.question_forms_and_answer_checks import Question
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.own import study, study_file
from medlens.studies.own.study_proposal import refuse_data_dictionary

pytestmark = pytest.mark.usefixtures("read_near")

SHORT = {
    "name": "Variable / Field Name",
    "form": "Form Name",
    "section": "Section Header",
    "type": "Field Type",
    "label": "Field Label",
    "choices": "Choices, Calculations, OR Slider Labels",
    "note": "Field Note",
    "format": "Text Validation Type OR Show Slider Number",
    "least": "Text Validation Min",
    "most": "Text Validation Max",
    "identifier": "Identifier?",
    "logic": "Branching Logic (Show field only if...)",
    "required": "Required Field?",
    "ranking": "Matrix Ranking?",
    "annotation": "Field Annotation",
}
RECORD = {"name": "record_id", "type": "text", "label": "Record"}
LONGEST = "beurteilung_der_antwort_26"
HARM = {
    "name": "harm",
    "type": "radio",
    "label": "Könnte die Antwort\nschaden?",
    "choices": "1, Ja, sicher | 0, Nein | -9, Weiß nicht",
    "required": "y",
}
FAULTS = {
    "name": "faults",
    "type": "checkbox",
    "label": "Quels défauts ?",
    "choices": "1, Omission, grave | -1, Erreur | A, <i>Autre</i>",
}
WHY = {"name": "why", "type": "notes", "label": "Warum?", "logic": "[harm] = '1'", "required": "y"}
DOSE = {
    "name": LONGEST,
    "type": "text",
    "label": "Dosis",
    "format": "number",
    "least": "0",
    "most": "1000000",
}
FORM = (RECORD, HARM, FAULTS, WHY, DOSE, {"name": "ok", "type": "yesno", "label": "Ok?"})


def dictionary(
    *rows: Mapping[str, str], without: Sequence[str] = (), separator: str = ",", bom: bool = False
) -> bytes:
    headings = [one for one in HEADINGS if one not in without]
    out = io.StringIO()
    writer = csv.DictWriter(out, headings, delimiter=separator, extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({SHORT[name]: cell for name, cell in ({"form": "f"} | dict(row)).items()})
    return out.getvalue().encode("utf-8-sig" if bom else "utf-8")


def read(*rows: Mapping[str, str], **how: Any) -> tuple[dict[str, Question], tuple[str, ...]]:
    found = convert_redcap_dictionary_to_study_and_notes("Form", dictionary(RECORD, *rows, **how))
    declared = study_file.parse_study_file(found.study)
    return {one.id: one for one in declared.form.questions}, found.notes


def told(notes: Sequence[str], words: str) -> bool:
    return any(words in note for note in notes)


@pytest.mark.parametrize(
    "how",
    [
        {"bom": True},
        {"separator": ";"},
        {"without": ("Form Name",)},
        {"without": ("Field Annotation", "Matrix Ranking?")},
    ],
    ids=["a byte order mark", "semicolons", "no form", "an older REDCap"],
)
def test_fields_become_questions_with_their_codes(how: dict[str, Any]) -> None:
    asked, _ = read(*FORM[1:], **how)
    assert [*asked] == ["harm", "faults", "why", LONGEST, "ok"]
    harm, faults, why, dose, ok = asked.values()
    assert (harm.kind, harm.text, harm.required) == ("single", "Könnte die Antwort schaden?", True)
    assert dict(zip(harm.codes, harm.options, strict=True)) == {
        "1": "Ja, sicher",
        "0": "Nein",
        "-9": "Weiß nicht",
    }
    assert (faults.kind, faults.codes) == ("multiple", ("1", "-1", "A"))
    assert faults.options == ("Omission, grave", "Erreur", "Autre")
    assert (why.kind, why.only_if, why.required) == ("long_text", ("harm", "Ja, sicher"), True)
    assert (dose.kind, dose.minimum, dose.maximum) == ("number", 0, 1_000_000)
    assert (ok.options, ok.codes) == (("Yes", "No"), ("1", "0"))


@pytest.mark.parametrize("kind", ["calc", "file", "sql", "descriptive", "graph"])
def test_a_field_that_cannot_be_asked_is_left_out_and_named(kind: str) -> None:
    asked, notes = read(HARM, {"name": "odd", "type": kind, "label": "x"})
    assert [*asked] == ["harm"]
    assert told(notes, "left out: 1 (odd")


@pytest.mark.parametrize(
    ("logic", "asked_if"),
    [
        ("[harm]='0'", ("harm", "Nein")),
        ('( [HARM] = "-9" )', ("harm", "Weiß nicht")),
        ("[harm] = 1", ("harm", "Ja, sicher")),
        ("[harm] = '1' or [ok] = '1'", None),
        ("[harm] = '1' and [ok] = '1'", None),
        ("[harm] <> '1'", None),
        ("[faults(1)] = '1'", None),
        ("[harm] = '7'", None),
        ("[why] = '1'", None),
        ("[later] = '1'", None),
        ("datediff([a], 'today', 'd') > 3", None),
        ("[event_1_arm_1][harm] = '1'", None),
    ],
)
def test_a_condition_is_kept_or_the_field_always_asked_and_told(
    logic: str, asked_if: tuple[str, str] | None
) -> None:
    last = {"name": "last", "type": "text", "label": "x", "logic": logic, "required": "y"}
    asked, notes = read(*FORM[1:], last)
    assert asked["last"].only_if == asked_if
    # Nobody has to answer what may not apply.
    assert asked["last"].required == (asked_if is not None)
    assert told(notes, "Conditions that have no counterpart here") == (asked_if is None)


def test_what_a_study_has_otherwise_is_told_with_the_fields() -> None:
    rows = [
        HARM | {"name": "UPPER_Case"},
        {"name": "rater", "type": "text", "label": "Hello [first_name]"},
        {"name": "vas", "type": "slider", "label": "Pain", "choices": "none | | worst"},
        {"name": "day", "type": "text", "label": "Day", "format": "date_dmy", "least": "today"},
        {"name": "n", "type": "text", "label": "n", "format": "integer", "least": "9", "most": "1"},
        {"name": "one", "type": "checkbox", "label": "I agree", "choices": "1, Yes"},
        {"name": "gone", "type": "text", "label": "x", "annotation": "@HIDDEN"},
        {"name": "tagged", "type": "text", "label": "x", "annotation": "@HIDDEN-PDF"},
        {"name": "who", "type": "text", "label": "Name", "identifier": "y"},
        {"name": "rank", "type": "radio", "label": "r", "choices": "1, a; b | 1, c | 2, d"},
        {"name": "rank", "type": "text", "label": "again"},
    ]
    asked, notes = read(*rows)
    assert [*asked] == ["upper_case", "rater_", "vas", "day", "n", "tagged", "who", "rank"]
    assert (asked["vas"].minimum, asked["vas"].maximum) == (0, 100)
    assert asked["vas"].help == "none … worst"
    assert asked["n"].minimum is None
    for words in (
        "renamed, as their names are in other letters or taken here: 2 (UPPER_Case; rater)",
        "asked as a number: 1 (vas)",
        "format is not checked here, such as dates: 1 (day)",
        "Limits that are not numbers, or the wrong way round, left out: 1 (n)",
        "fewer than 2 or more than 200 options, left out: 1 (one)",
        "hidden (@HIDDEN), left out: 1 (gone)",
        "action tags are left out: 1 (tagged)",
        "identifying a person, asked as any other: 1 (who)",
        "semicolons are commas here: 1 (rank)",
        "Second choices of one code, left out: 1 (rank)",
        "Second fields of one name, left out: 1 (rank)",
        "stay as written: 1 (rater)",
    ):
        assert told(notes, words), (words, notes)


def test_comparisons_in_a_label_are_no_html() -> None:
    asked, _ = read(HARM | {"label": "<p>Is CRP < 5 and age > 3?</p><br/>&nbsp;Yes &amp; no"})
    assert asked["harm"].text == "Is CRP < 5 and age > 3? Yes & no"


def test_long_names_that_differ_at_their_end_are_questions_of_their_own() -> None:
    names = ["q" * long for long in range(60, 75)]
    asked, notes = read(*(HARM | {"name": name} for name in names))
    assert len(asked) == len(names)
    assert told(notes, "Fields renamed, as their names are in other letters or taken here: 14")


def test_a_label_of_comments_without_end_is_read_at_once() -> None:
    begun = time.process_time()
    asked, _ = read(
        HARM | {"label": "<!--" * 25_000}, HARM | {"name": "h", "label": "a<!-- b -->c"}
    )
    assert time.process_time() - begun < 3
    assert asked["h"].text == "a c"


@pytest.mark.parametrize(
    "given", [b"", b"a,b\n1,2\n", ",".join(HEADINGS[:1]).encode(), b"\xff\xfe\x00"]
)
def test_what_is_no_dictionary_is_refused_with_where_to_get_one(given: bytes) -> None:
    with pytest.raises(BadFile) as caught:
        convert_redcap_dictionary_to_study_and_notes("Form", given)
    assert "download it" in caught.value.hint


def test_codes_are_as_many_as_options_and_differ() -> None:
    found = convert_redcap_dictionary_to_study_and_notes("Form", dictionary(*FORM)).study
    for wrong in ('["1", "0"]', '["1", "0", "0"]'):
        with pytest.raises(BadFile) as caught:
            study_file.parse_study_file(found.replace('["1", "0", "-9"]', wrong))
        assert "3 codes that differ" in str(caught.value.rows[0])


def test_the_refusal_as_a_table_says_how_a_dictionary_is_read() -> None:
    with pytest.raises(BadFile) as caught:
        refuse_data_dictionary(HEADINGS)
    assert "study from-redcap" in caught.value.hint


# -- judgments as records --------------------------------------------------------------------------

ROWS = {
    "own-items": [{"item": "n1", "text": "Take aspirin."}, {"item": "n2", "text": "Rest."}],
    "own-judgments": [
        {
            "item": "n1",
            "rater": "rosa@example.org",
            "rater_kind": "person",
            "harm": "Ja, sicher",
            "faults": "Omission, grave; Autre",
            "why": "As rosa@example.org said:\n“zu viel”, wirklich",
            LONGEST: 2.5,
            "ok": "No",
        },
        {"item": "n2", "rater": "m1", "rater_kind": "model", "harm": "Weiß nicht", LONGEST: 1e6},
    ],
}


@pytest.fixture
def judged(store: Store) -> Store:
    made = convert_redcap_dictionary_to_study_and_notes("Form", dictionary(*FORM)).study
    study.store_study_file_version_and_return_it(store, made, name="s.toml", by=None)
    put(store, "form", ROWS)
    return store


def put(store: Store, dataset: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    for kind, given in rows.items():
        names = list(dict.fromkeys(name for row in given for name in row))
        out = io.StringIO()
        writer = csv.DictWriter(out, names)
        writer.writeheader()
        writer.writerows(given)
        named = {"name": "rows.csv", "dataset": dataset}
        work_behind_commands.import_file(store, Settings(), kind, out.getvalue().encode(), **named)


def tables(store: Store, dataset: str, **how: Any) -> tuple[bytes, list[dict[str, str]], bytes]:
    """The dictionary, the records and the file of these."""
    made = work_behind_commands.export_package_as_bytes(
        store, Settings(), "own-redcap", viewer=None, dataset=dataset, **how
    )
    with zipfile.ZipFile(io.BytesIO(made)) as found:
        assert found.namelist() == ["data_dictionary.csv", "records.csv"]
        written, records = (found.read(name) for name in found.namelist())
    return written, list(csv.DictReader(io.StringIO(records.decode(), newline=""))), records


def of_form(written: bytes) -> list[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(written.decode(), newline=""))
    return [row for row in rows if not row[HEADINGS[0]].startswith(("record_id", "medlens_"))]


def test_a_form_comes_back_with_its_fields_and_codes_and_a_record_for_each_judgment(
    judged: Store,
) -> None:
    written, records, _ = tables(judged, "form")
    fields = {row[HEADINGS[0]]: row for row in of_form(written)}
    assert [*fields] == [row["name"] for row in FORM[1:]]
    for given in FORM[1:]:
        there = fields[given["name"]]
        for short in ("type", "choices", "logic", "required", "format", "least", "most"):
            wanted = given.get(short, "").replace("<i>", "").replace("</i>", "")
            assert there[SHORT[short]] == wanted, (given["name"], short)
    again = convert_redcap_dictionary_to_study_and_notes("Again", written)
    first, _ = read(*FORM[1:])
    whole = study_file.parse_study_file(again.study).form.questions
    assert [(o.id, o.options, o.codes, o.only_if) for o in whole] == [
        (o.id, o.options, o.codes, o.only_if) for o in first.values()
    ]
    assert told(again.notes, "whose judgment it is, left out: 4")
    rosa, model = records
    assert rosa["record_id"] != model["record_id"]
    assert [rosa["medlens_item"], rosa["medlens_rater"], rosa["medlens_rater_kind"]] == [
        "n1",
        "rosa@example.org",
        "person",
    ]
    assert {name: rosa[name] for name in rosa if name.startswith("faults")} == {
        "faults___1": "1",
        "faults____1": "0",
        "faults___a": "1",
    }
    assert [rosa[name] for name in ("harm", "why", LONGEST, "ok", "judgment_complete")] == [
        "1",
        "As rosa@example.org said:\n“zu viel”, wirklich",
        "2.5",
        "0",
        "2",
    ]
    assert [model[name] for name in ("harm", "faults___1", "why", LONGEST)] == [
        "-9",
        "",
        "",
        "1000000",
    ]


def test_records_keep_redcaps_rules(judged: Store) -> None:
    written, records, content = tables(judged, "form")
    assert not content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(written.decode(), newline="")))
    assert [*rows[0]] == [*HEADINGS]
    assert len(HEADINGS) == 18
    names = [row[HEADINGS[0]] for row in rows]
    assert [names[0], rows[0]["Field Type"], next(iter(records[0]))] == [
        "record_id",
        "text",
        "record_id",
    ]
    assert all(name.replace("_", "a").isalnum() and name == name.lower() for name in names)
    assert {name.split("___")[0] for name in records[0]} == {*names, "judgment_complete"}
    assert [row["medlens_judged_at"][4] for row in records] == ["-", "-"]


def test_a_spreadsheet_runs_no_answer_of_the_records(judged: Store) -> None:
    again = {"item": "n2", "rater": "otto", "rater_kind": "person", "harm": "Ja, sicher"}
    put(judged, "form", {"own-judgments": [{**again, "why": '=HYPERLINK("https://x.example")'}]})
    _, records, _ = tables(judged, "form")
    otto = next(row for row in records if row["medlens_rater"] == "otto")
    assert otto["why"] == '\'=HYPERLINK("https://x.example")'
    hidden = "\u200b=1+1\nsecond;\t@SUM(A1)"
    put(judged, "form", {"own-judgments": [{**again, "rater": "ada", "why": hidden}]})
    _, records, _ = tables(judged, "form")
    ada = next(row for row in records if row["medlens_rater"] == "ada")
    assert ada["why"] == "'\u200b=1+1\nsecond;\t'@SUM(A1)"
    # The code of a choice is none of a rater's words.
    assert "-9" in {row["harm"] for row in records}


def test_a_spreadsheet_runs_nothing_of_the_dictionary_which_comes_back_as_it_was(
    store: Store,
) -> None:
    field = HARM | {"label": "=1+1 is what?", "note": "@SUM(A1)", "choices": "=2, Two | 1, One"}
    less = FAULTS | {"choices": "-9, Weiß nicht | 1, Ja"}
    made = convert_redcap_dictionary_to_study_and_notes(
        "Form", dictionary(RECORD, field, less)
    ).study
    study.store_study_file_version_and_return_it(store, made, name="s.toml", by=None)
    put(store, "form", {"own-items": ROWS["own-items"]})
    written, _, _ = tables(store, "form")
    cells = [cell for row in csv.reader(io.StringIO(written.decode())) for cell in row]
    assert [one for one in cells if one.startswith(("=", "@", "+"))] == []
    assert "-9, Weiß nicht | 1, Ja" in cells
    again = convert_redcap_dictionary_to_study_and_notes("Again", written)
    first, second = (study_file.parse_study_file(one).form.questions for one in (made, again.study))
    assert [(o.text, o.help, o.codes) for o in first] == [(o.text, o.help, o.codes) for o in second]


def test_people_go_out_as_numbers_and_no_text_names_them(judged: Store) -> None:
    written, records, content = tables(judged, "form", anonymous=True)
    assert b"rosa" not in content.lower() + written.lower()
    assert records[0]["medlens_rater"] == "rater 1"


EVERY = """
id = "every"
title = "Every kind"
instructions = "Read."

[[column]]
name = "text"
means = "text"

[[pane]]
title = "Text"
column = "text"

[[question]]
id = "record_id"
kind = "yes_no"
text = "Safe & <sound>?"

[[question]]
id = "good"
kind = "scale"
text = "How good?"
low = "bad"
high = "good"
not_applicable = true

[[question]]
id = "why__so_"
kind = "short_text"
text = "Why?"
only_if = { question = "good", is = "5" }

[[question]]
id = "pick"
kind = "multiple"
text = "Which?"
options = ["a | b", "c"]

[[question]]
id = "marks"
kind = "spans"
text = "Mark."
labels = [{ id = "drug", name = "Drug" }]
"""


def test_a_study_made_here_goes_out_with_codes_of_its_own(store: Store) -> None:
    study.store_study_file_version_and_return_it(store, EVERY, name="s.toml", by=None)
    mark = '[{"start": 0, "end": 4, "quote": "Take", "labels": ["drug"], "answers": {}}]'
    said = {
        "item": "n1",
        "rater": "m1",
        "rater_kind": "model",
        "record_id": "cannot tell",
        "good": 5,
        "why__so_": "x",
        "pick": "c",
        "marks": mark,
    }
    put(store, "every", {"own-items": ROWS["own-items"], "own-judgments": [said]})
    written, [record], _ = tables(store, "every")
    rows = list(csv.DictReader(io.StringIO(written.decode(), newline="")))
    choices = {row[HEADINGS[0]]: row[HEADINGS[5]] for row in rows if row[HEADINGS[5]]}
    assert choices == {
        "record_id_2": "1, yes | 0, no | 2, cannot tell",
        "good": "1, 1: bad | 2, 2 | 3, 3 | 4, 4 | 5, 5: good | na, not applicable",
        "pick": "1, a / b | 2, c",
    }
    logic = {row[HEADINGS[0]]: row[HEADINGS[11]] for row in rows}
    assert logic["why_so"] == "[good] = '5'"
    assert [record[name] for name in ("record_id_2", "good", "why_so", "pick___1", "pick___2")] == [
        "2",
        "5",
        "x",
        "0",
        "1",
    ]
    assert '"quote": "Take"' in record["marks"]


def test_the_command_writes_the_study_alone_and_the_check_takes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "my_form.csv").write_bytes(dictionary(*FORM))
    folder = tmp_path / "made"
    assert cli.main(["study", "from-redcap", str(tmp_path / "my_form.csv"), "-o", str(folder)]) == 0
    printed = capsys.readouterr().out
    assert [path.name for path in folder.iterdir()] == ["STUDY.toml"]
    assert "study check" in printed
    assert "judgments.jsonl" not in printed
    assert cli.main(["study", "check", str(folder / "STUDY.toml")]) == 0
