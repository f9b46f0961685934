"""An Argilla dataset as a study of one's own, with its responses, suggestions and marks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medlens import cli
from medlens.app import commands
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.own import argilla, study
from medlens.studies.own.converted import Converted

pytestmark = pytest.mark.usefixtures("read_near")

# All written by Argilla 2.8.0 (and datasets 5.2.0) of the same records; RECORDS is nested.
RECORDS = Path(__file__).parent / "argilla_2_8_0.json"
SETTINGS = RECORDS.with_name("argilla_2_8_0_settings.json")
# Written by Argilla 1.29.1 (and datasets 2.21.0) of a FeedbackDataset.
SETTINGS_1 = RECORDS.with_name("argilla_1_29_1_settings.yaml")
ROSA = "Annotator 00000000-0000-0000-0000-000000000001"


def convert(*records: bytes, settings: bytes = b"") -> Converted:
    return argilla.convert("Doses", settings or SETTINGS.read_bytes(), *records)


def changed(**more: Any) -> bytes:
    [record, _] = json.loads(RECORDS.read_bytes())
    return json.dumps([record | more]).encode()


@pytest.mark.parametrize("ending", ["jsonl", "arrow"])
def test_a_feedback_dataset_of_argilla_1_becomes_a_study(ending: str) -> None:
    records = RECORDS.with_name(f"argilla_1_29_1.{ending}").read_bytes()
    found = convert(records, settings=SETTINGS_1.read_bytes())
    assert found.notes == (
        "Questions that rank options, left out: 1.",
        "Responses that are drafts or discarded, left out: 1.",
        "Marks behind an emoji, counted as Argilla's pages do, or its package (models): 1.",
    )
    assert [(one["item"], one["ward"]) for one in found.items] == [("r1", "A"), ("record-2", "B")]
    told = [(o["rater"], o["rater_kind"], o["q1_triage"], o["q3_quality"]) for o in found.judgments]
    amir = ROSA[:-1] + "2"
    assert told == [
        *((ROSA, "person", "Now", 2), ("gpt", "model", "Now", 4), (amir, "person", "Later", 5))
    ]
    assert [found.judgments[0][of] for of in ("q2_faults", "q4_why")] == [
        *("wrong; missing", "Ten times.")
    ]
    marks = [[m["quote"] for m in json.loads(one["marks"])] for one in found.judgments]
    # The pages count an emoji as two: 12 to 22 there is 11 to 21 here.
    assert marks == [["aspirin", "5000 mg"], ["5000 mg"], ["colchicine"]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"triage": ["now"]},
        {"triage": [{"user_id": "1"}]},
        {"metadata": "{"},
        {"errors-suggestion": {"start": [1], "end": []}},
        {"triage-suggestion-metadata": 1},
    ],
)
def test_a_record_of_argilla_1_that_cannot_be_read_is_refused(wrong: dict[str, Any]) -> None:
    [record, _] = RECORDS.with_name("argilla_1_29_1.jsonl").read_text().splitlines()
    given = json.dumps(json.loads(record) | wrong).encode()
    with pytest.raises(BadFile, match="not as Argilla writes them"):
        convert(given, settings=SETTINGS_1.read_bytes())


@pytest.mark.parametrize(
    "wrong", ["fields: [", "[]", "fields: [a]\nquestions: []", "a: " * 400_000]
)
def test_settings_of_argilla_1_that_cannot_be_read_are_refused(wrong: str) -> None:
    with pytest.raises(BadFile, match="not as Argilla writes them"):
        convert(b"", settings=wrong.encode())


def test_a_dataset_becomes_a_study_with_its_answers_marks_people_and_models(store: Store) -> None:
    found = convert(RECORDS.with_suffix(".parquet").read_bytes())
    assert found.notes == (
        "Questions that rank options, left out: 1.",
        "Marks behind an emoji, counted as Argilla's pages do, or its package (models): 2.",
        "Responses that are drafts or discarded, left out: 2.",
        "Suggestions by who did not mark the text, left out: 1.",
    )
    study.declare(store, found.study, name="s.toml", by=None)
    for kind, rows in (("own-items", found.items), ("own-judgments", found.judgments)):
        content = "\n".join(map(json.dumps, rows)).encode()
        commands.import_file(
            *(store, Settings(), kind, content), name="rows.jsonl", dataset="doses"
        )
    made = commands.export_table(store, Settings(), "own-marks", viewer=None, dataset="doses")
    told = made[["rater", "rater_kind", "label", "quote"]].fillna("").to_numpy().tolist()
    assert sorted(told) == [
        [ROSA, "person", "Drug", "aspirin"],
        [ROSA[:-1] + "2", "person", "", ""],
        ["ner-y", "model", "Dose", "5 mg"],
    ]
    made = commands.export_table(store, Settings(), "own-judgments", viewer=None, dataset="doses")
    rosa = made.set_index("rater").loc[ROSA]
    said = [rosa[name] for name in ("q1_triage", "q2_faults", "q3_quality", "q4_why")]
    assert said == ["Now", "wrong", 4, "Too little."]
    assert [item["ward"] for item in found.items] == ["A", "B"]


def test_a_dataset_on_disk_says_the_same_as_its_parquet() -> None:
    of = [convert(RECORDS.with_suffix(end).read_bytes()) for end in (".parquet", ".arrow")]
    assert of[0] == of[1]


def test_labels_are_named_by_the_names_that_a_table_of_hugging_face_has_for_their_numbers() -> None:
    # Without spans the model that suggests a label alone is a rater too.
    told = json.loads(SETTINGS.read_bytes())
    told["questions"] = [one for one in told["questions"] if one["type"] != "span"]
    plain = json.dumps(told).encode()
    found = convert(RECORDS.with_suffix(".parquet").read_bytes(), settings=plain)
    assert {o["rater"]: o["q1_triage"] for o in found.judgments if o["rater_kind"] == "model"} == {
        "gpt-x": "Later"
    }
    # JSON lines have the numbers alone.
    with pytest.raises(BadFile, match=r"answered \[0\]"):
        convert(RECORDS.with_suffix(".jsonl").read_bytes(), settings=plain)


def test_nested_records_are_read_too() -> None:
    found = convert(RECORDS.read_bytes())
    assert {one["rater"] for one in found.judgments} == {ROSA, ROSA[:-1] + "2", "ner-y"}


@pytest.mark.parametrize(
    ("records", "settings", "said"),
    [
        (b"{", b"", "cannot be read"),
        (b"PAR1xxxx", b"", "cannot be read"),
        (b"\xff\xff\xff\xff\x10", b"", "cannot be read"),
        (b"[1]", b"", "are not a list"),
        (b"[]", b"", "no records"),
        (changed(), b"{}", "settings are not as Argilla"),
        (changed(), b'{"fields": [], "questions": []}', "no text"),
        (changed(responses={"triage": [{"value": "gone", "user_id": "u"}]}), b"", "'gone'"),
        (
            changed(suggestions={"errors": {"value": [{"label": "Drug", "start": 7, "end": 99}]}}),
            *(b"", "is not in the text"),
        ),
    ],
    ids=range(9),
)
def test_what_is_none_of_argillas_is_refused_in_words(
    records: bytes, settings: bytes, said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        convert(records, settings=settings)


def test_the_command_takes_the_settings_and_several_files_of_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(SETTINGS), str(RECORDS.with_suffix(".parquet"))]
    out = tmp_path / "out"
    made = ["study", "from-argilla", *files, "-o", str(out), "--title", "Doses"]
    assert cli.main(made) == 0
    assert "study add" in capsys.readouterr().out
    rows = [json.loads(row) for row in (out / "items.jsonl").read_text().splitlines()]
    assert [row["item"] for row in rows] == ["r1", "r2"]
