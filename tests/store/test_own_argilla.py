"""An Argilla dataset as a study of one's own, with its responses, suggestions and marks."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges import import_from_argilla
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.own import study
from medlens.studies.own.bridge_registry import Converted

pytestmark = pytest.mark.usefixtures("read_near")

# All written by Argilla 2.8.0 (and datasets 5.2.0) of the same records; RECORDS is nested.
RECORDS = Path(__file__).parent / "argilla_2_8_0.json"
SETTINGS = RECORDS.with_name("argilla_2_8_0_settings.json")
# Written by Argilla 1.29.1 (and datasets 2.21.0) of a FeedbackDataset.
SETTINGS_1 = RECORDS.with_name("argilla_1_29_1_settings.yaml")
ROSA = "Annotator 00000000-0000-0000-0000-000000000001"


def convert(*records: bytes, settings: bytes = b"") -> Converted:
    return import_from_argilla.convert_argilla_dataset_to_study_and_notes(
        "Doses", settings or SETTINGS.read_bytes(), *records
    )


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
    ("wrong", "said"),
    [
        (
            {"triage": ["now"]},
            "Responses that cannot be read, left out: 1 (record 1, triage: “now”)",
        ),
        ({"metadata": "{"}, "Metadata that cannot be read, left out: 1 (record 1: “{”)"),
        ({"errors-suggestion": {"start": [1], "end": []}}, "Marks without a label"),
        ({"triage-suggestion-metadata": 1}, ""),
    ],
)
def test_what_cannot_be_read_of_a_record_of_argilla_1_is_left_out_and_told(
    wrong: dict[str, Any], said: str
) -> None:
    [record, _] = RECORDS.with_name("argilla_1_29_1.jsonl").read_text().splitlines()
    given = json.dumps(json.loads(record) | wrong).encode()
    found = convert(given, settings=SETTINGS_1.read_bytes())
    assert len(found.items) == 1
    assert said in " ".join(found.notes)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("fields: [", "it is not valid YAML at line 1"),
        ("[]", "not an object"),
        ("fields: [a]\nquestions: []", "Number 1 of the fields of the settings has no name"),
        ("a: " * 400_000, "larger than 1 MB"),
        ('{"fields": {}, "questions": []}', "no list of fields"),
        ('{"fields": [{"name": "a", "settings": 1}]}', "'a' has no settings"),
        (
            '{"fields": [{"name": "a"}], "questions": [{"name": "q", "settings": {"options": 1}}]}',
            "'q' of the settings has no list of options",
        ),
    ],
)
def test_settings_that_cannot_be_read_are_refused_by_their_part(wrong: str, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        convert(b"", settings=wrong.encode())


def test_a_dataset_becomes_a_study_with_its_answers_marks_people_and_models(store: Store) -> None:
    found = convert(RECORDS.with_suffix(".parquet").read_bytes())
    assert found.notes == (
        "Questions that rank options, left out: 1.",
        "Marks behind an emoji, counted as Argilla's pages do, or its package (models): 2.",
        "Responses that are drafts or discarded, left out: 2.",
        "Suggestions by agents that did not mark the text, left out: 1.",
    )
    study.store_study_file_version_and_return_it(store, found.study, name="s.toml", by=None)
    for kind, rows in (("own-items", found.items), ("own-judgments", found.judgments)):
        content = "\n".join(map(json.dumps, rows)).encode()
        work_behind_commands.import_file(
            *(store, Settings(), kind, content), name="rows.jsonl", dataset="doses"
        )
    made = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset="doses"
    )
    told = made[["rater", "rater_kind", "label", "quote"]].fillna("").to_numpy().tolist()
    assert sorted(told) == [
        [ROSA, "person", "Drug", "aspirin"],
        [ROSA[:-1] + "2", "person", "", ""],
        ["ner-y", "model", "Dose", "5 mg"],
    ]
    made = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="doses"
    )
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
    found = convert(RECORDS.with_suffix(".jsonl").read_bytes(), settings=plain)
    assert "Answers that the question does not offer, left out: 2 (r1, gpt-x, How urgent" in (
        " ".join(found.notes)
    )


def test_nested_records_are_read_too() -> None:
    found = convert(RECORDS.read_bytes())
    assert {one["rater"] for one in found.judgments} == {ROSA, ROSA[:-1] + "2", "ner-y"}


def settings_with(*more: dict[str, Any], **of_spans: Any) -> bytes:
    """The settings with other questions, and another question of spans."""
    told = json.loads(SETTINGS.read_bytes())
    for one in told["questions"]:
        if one["type"] == "span":
            one["settings"] |= of_spans
    told["questions"] += more
    return json.dumps(told).encode()


SECOND = {
    "name": "doubts",
    "settings": {"type": "span", "field": "question", "options": [{"value": "d", "text": "Doubt"}]},
}


@pytest.mark.parametrize(
    ("of_spans", "said"),
    [
        ({"field": "chat"}, "Questions of spans in a field that is not text, left out: 1 (errors:"),
        ({"field": "gone"}, "that is not text, left out: 1 (errors: gone)"),
        ({"field": None}, "that is not text, left out: 1 (errors: no field)"),
        ({"options": []}, "Questions of spans without a label, left out: 1 (errors: answer, text)"),
    ],
)
def test_a_question_of_spans_that_no_study_can_ask_is_left_out_and_the_rest_comes_in(
    of_spans: dict[str, Any], said: str
) -> None:
    found = convert(RECORDS.read_bytes(), settings=settings_with(**of_spans))
    assert said in " ".join(found.notes)
    assert 'kind = "spans"' not in found.study
    [rosa, _] = [one for one in found.judgments if one["rater"] == ROSA]
    assert (rosa["q1_triage"], rosa["q3_quality"], "marks" in rosa) == ("Now", 4, False)


def test_of_two_questions_of_spans_the_first_that_can_be_asked_is() -> None:
    found = convert(RECORDS.read_bytes(), settings=settings_with(SECOND))
    assert any("Further questions of spans, as a study" in note for note in found.notes)
    assert any(json.loads(one["marks"]) for one in found.judgments)
    found = convert(RECORDS.read_bytes(), settings=settings_with(SECOND, field="chat"))
    assert 'column = "question"\nlabels' in found.study
    assert any("left out: 1 (errors: chat, chat)" in note for note in found.notes)


def test_a_dataset_of_which_no_question_is_left_says_why() -> None:
    told = json.loads(settings_with(field="chat"))
    told["questions"] = [one for one in told["questions"] if one["type"] in ("ranking", "span")]
    with pytest.raises(BadFile) as caught:
        convert(RECORDS.read_bytes(), settings=json.dumps(told).encode())
    assert str(caught.value).startswith(
        "The settings ask nothing that MedLens can ask: Questions of spans in a field that is "
        "not text, left out (errors: chat, chat); Questions that rank options, left out."
    )


@pytest.mark.parametrize(
    ("records", "settings", "said"),
    [
        (b"{", b"", "cannot be read"),
        (b"PAR1xxxx", b"", "cannot be read"),
        (b"\xff\xff\xff\xff\x10", b"", "cannot be read"),
        (b"[1]", b"", "are not a list of objects"),
        (b"[]", b"", "no records"),
        (changed(), b"{}", "no list of fields"),
        (changed(), b'{"fields": [], "questions": []}', "no list of fields"),
    ],
    ids=range(7),
)
def test_what_is_none_of_argillas_is_refused_in_words(
    records: bytes, settings: bytes, said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        convert(records, settings=settings)


def told_of(**more: Any) -> str:
    found = convert(changed(**more))
    assert len(found.items) == 1
    return " ".join(found.notes)


def test_one_fault_of_a_record_is_left_out_and_told_with_its_place() -> None:
    who = {"user_id": "u", "status": "submitted"}
    assert (
        "Answers that the question does not offer, left out: 1 (r1, Annotator u, How urgent is it?:"
        " “gone”)."
    ) in told_of(responses={"triage": [{"value": "gone", **who}]})
    assert "Numbers out of range, left out: 1 (r1, Annotator u, " in told_of(
        responses={"quality": [{"value": 99, **who}]}
    )
    beyond = {"label": "Drug", "start": 7, "end": 99}
    assert "Marks that are not in the text, left out: 1 (r1, " in told_of(
        suggestions={"errors": {"value": [beyond], "agent": "m"}}
    )
    assert "Marks without a label of the settings, left out: 1 (r1, " in told_of(
        suggestions={"errors": {"value": [beyond | {"label": "Gone"}], "agent": "m"}}
    )
    assert "Responses that cannot be read, left out: 1 (r1, triage: “5”)" in told_of(
        responses={"triage": [5]}
    )


def test_a_person_without_a_name_gets_one() -> None:
    given = changed(responses={"triage": [{"value": "now", "status": "submitted"}]})
    people = [one["rater"] for one in convert(given).judgments if one["rater_kind"] == "person"]
    assert people == ["Annotator without a name 1"]


def test_a_line_that_cannot_be_read_is_left_out_and_two_texts_of_one_id_are_two_items() -> None:
    [record, _] = json.loads(RECORDS.read_bytes())
    other = record | {"fields": record["fields"] | {"answer": "Another text."}, "responses": {}}
    lines = [json.dumps(record), "{", json.dumps(other | {"suggestions": {}})]
    found = convert("\n".join(lines).encode())
    assert [row["item"] for row in found.items] == ["r1", "r1 (2)"]
    told = " ".join(found.notes)
    assert "Lines that cannot be read, left out: 1 (The records, line 2: " in told
    assert "Records with the name of another, but not its content, renamed: 1 (r1 (2))." in told


def test_a_rating_whose_points_lie_far_apart_is_left_out_and_told() -> None:
    settings = json.loads(SETTINGS.read_bytes())
    [asked] = [one for one in settings["questions"] if one["name"] == "quality"]
    asked["settings"]["options"] = [{"value": 1}, {"value": 10**30}]
    found = convert(RECORDS.read_bytes(), settings=json.dumps(settings).encode())
    assert "Ratings with numbers that are not consecutive, left out: 1 (quality)." in found.notes


def test_a_table_whose_texts_lie_outside_of_the_file_is_refused() -> None:
    batch = pa.record_batch({"answer": ["plain", "texts"]})
    out = io.BytesIO()
    with pa.ipc.new_stream(out, batch.schema) as stream:
        stream.write_batch(batch)
    ends = struct.pack("<3i", 0, 5, 10)
    assert out.getvalue().count(ends) == 1
    beyond = out.getvalue().replace(ends, struct.pack("<3i", 0, 5, 1 << 30))
    with pytest.raises(BadFile, match="damaged or cut short"):
        convert(beyond)


def test_nested_metadata_is_left_out_and_told() -> None:
    found = convert(changed(metadata={"ward": "A", "scan": {"slice": 3}}))
    assert found.items[0]["ward"] == "A"
    assert "Metadata that is neither text nor number, left out: 1 (r1: scan)." in found.notes


def test_an_option_with_a_semicolon_comes_in_with_a_comma() -> None:
    settings = json.loads(SETTINGS.read_bytes())
    [asked] = [one for one in settings["questions"] if one["name"] == "triage"]
    asked["settings"]["options"][0]["text"] = "Now; at once"
    found = convert(RECORDS.read_bytes(), settings=json.dumps(settings).encode())
    assert '"Now, at once"' in found.study
    assert "Now, at once" in {one.get("q1_triage") for one in found.judgments}


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
