"""A project of Label Studio as a study of one's own, with its marks and raters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges import import_from_label_studio
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.own import study, study_file
from medlens.studies.own.bridge_registry import Converted

pytestmark = pytest.mark.usefixtures("read_near")

WRITTEN = Path(__file__).parent / "label_studio_1_23.json"
CONFIG = WRITTEN.with_suffix(".xml").read_text()
NOTE = " 💊 Take\r\naspirin 5 mg 💊 daily. "


def mark(start: int, end: int, text: str, label: str = "D", one: str = "r1") -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": [label]}
    return {"id": one, "from_name": "ner", "to_name": "note", "type": "labels", "value": value}


def answer(tag: str, value: dict[str, Any], one: str = "x") -> dict[str, Any]:
    return {"id": one, "from_name": tag, "to_name": "note", "type": tag, "value": value}


def task(*results: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"id": 7, "completed_by": {"id": 1, "email": "rosa@example.org"}, "result": [*results]}
    annotations = [*more.pop("annotations", ()), said]
    return {"id": 3, "data": {"note": NOTE}, "annotations": annotations, **more}


def convert(*tasks: dict[str, Any], config: str = CONFIG) -> Converted:
    return import_from_label_studio.convert_label_studio_to_study_and_notes(
        "Doses", config.encode(), json.dumps(tasks).encode()
    )


def test_a_project_becomes_a_study_with_its_marks_answers_people_and_models(store: Store) -> None:
    before = {"id": 6, "completed_by": {"id": 1, "email": "rosa@example.org"}, "result": []}
    found = convert(
        task(
            mark(9, 16, "aspirin"),
            answer("sure", {"choices": ["No"]}, "r1"),
            answer("kind", {"choices": ["A", "B"]}),
            answer("quality", {"rating": 4}),
            predictions=[
                {"id": 1, "model_version": "m1", "result": [mark(17, 21, "5 mg", "Dose")]}
            ],
            annotations=[before],
        )
    )
    assert found.notes == ("Items judged again by the same rater: the last judgment is kept: 1.",)
    study.store_study_file_version_and_return_it(store, found.study, name="s.toml", by=None)
    for kind, rows in (("own-items", found.items), ("own-judgments", found.judgments)):
        content = "\n".join(map(json.dumps, rows)).encode()
        work_behind_commands.import_file(
            *(store, Settings(), kind, content), name="rows.jsonl", dataset="doses"
        )
    made = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset="doses"
    )
    told = made[["rater", "label", "start", "end", "quote", "q1_sure"]].to_numpy().tolist()
    # A blank before the text and the first half of its line's end are gone: 9 - 1 - 1 = 7.
    assert sorted(told) == [
        ["m1", "Dose", 15, 19, "5 mg", ""],
        ["rosa@example.org", "Drug", 7, 14, "aspirin", "No"],
    ]
    made = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="doses"
    )
    people = made.set_index("rater")
    assert people["rater_kind"].to_dict() == {"rosa@example.org": "person", "m1": "model"}
    assert people.loc["rosa@example.org", ["q2_kind", "q3_quality"]].tolist() == ["A; B", 4]


def test_a_place_in_utf_16_units_is_the_same_mark() -> None:
    # The pill before the word counts two in UTF-16, one as a code point.
    points, units = (
        json.loads(convert(task(mark(start, start + 7, "aspirin"))).judgments[0]["marks"])
        for start in (9, 10)
    )
    assert points == units
    assert [(one["start"], one["end"], one["quote"]) for one in units] == [(7, 14, "aspirin")]


def test_fields_that_nothing_shows_are_kept_with_the_items() -> None:
    tasks = [
        task(id=n, data={"note": NOTE, "ward": ward, "item": n}) for n, ward in enumerate("AAB")
    ]
    tasks.append(task(id=3))
    found = convert(*tasks)
    assert [one["ward"] for one in found.items] == ["A", "A", "B", ""]
    assert [one["item_"] for one in found.items] == ["0", "1", "2", ""]
    declared = study_file.parse_study_file(found.study)
    # Reviewers are shown none of it; figures are shown by what has few values.
    assert [pane.columns for pane in declared.panes] == [("note",)]
    assert [one.name for one in declared.columns if one.groups] == ["ward", "item_"]


def test_what_label_studio_wrote_itself_comes_in_whole() -> None:
    # Label Studio 1.23.2 names predictions by id, and has them whole where somebody began with one.
    found = import_from_label_studio.convert_label_studio_to_study_and_notes(
        "Doses", CONFIG.encode(), WRITTEN.read_bytes()
    )
    told = {one["rater"]: json.loads(one["marks"])[0]["quote"] for one in found.judgments}
    assert told == {"Annotator 1": "aspirin", "m1": "5 mg"}
    assert found.notes == ()
    bare = convert(task(mark(9, 16, "aspirin"), predictions=[5]))
    assert bare.notes == ("Predictions that the file names and does not have, left out: 1.",)


@pytest.mark.parametrize(
    ("config", "one", "said"),
    [
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><View/>", task(), "document type"),
        ("<View>", task(), "cannot be read as XML"),
        ("<View><Brush name='b'/></View>", task(), r"nothing for \(Brush b\)"),
        (CONFIG, {"id": 1}, "not a list of tasks with data"),
        (CONFIG, {"data": {"note": ["a"]}}, "No task can be shown: task-1: 'note' holds no text"),
    ],
)
def test_a_project_that_cannot_be_shown_or_asked_is_refused_by_name(
    config: str, one: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadFile, match=said):
        convert(one, config=config)


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        (
            "<Taxonomy name='x' toName='note'><Choice value='E'><Choice value='F'/></Choice>"
            "</Taxonomy>",
            "Tags that MedLens has nothing for, left out: 1 (Taxonomy x).",
        ),
        ("<DateTime name='x' toName='note'/>", "left out: 1 (DateTime x)."),
        (
            "<Repeater on='$a'><Choices name='x' toName='note'><Choice value='E'/></Choices>"
            "</Repeater>",
            "left out: 1 (Repeater).",
        ),
        (
            "<Image name='scan' value='$scan'/><Choices name='x' toName='scan'>"
            "<Choice value='E'/></Choices>",
            "Questions about what is not shown, left out: 1 (Choices x).",
        ),
        (
            "<Choices name='x' toName='note' visibleWhen='choice-selected'>"
            "<Choice value='E'/></Choices>",
            "Questions that are shown only sometimes (visibleWhen), left out: 1 (Choices x).",
        ),
        (
            "<Choices name='x' toName='note'><Choice value='E'><Choice value='F'/></Choice>"
            "</Choices>",
            "Questions with choices within choices, left out: 1 (Choices x).",
        ),
        (
            "<Pairwise name='x' toName='note,scan'/>",
            "something else than two texts that are shown, left out: 1 (Pairwise x).",
        ),
        (
            "<Rating name='x' toName='note' perRegion='true'/>",
            "Questions about each region, where MedLens asks Choices and text of marked words,"
            " left out: 1 (Rating x).",
        ),
        (
            "<Choices name='x' toName='note' perRegion='true' choice='multiple'>"
            "<Choice value='E'/></Choices>",
            "Questions with several choices about each region, left out: 1 (Choices x).",
        ),
        (
            "<Labels name='x' toName='note'><Label value='E'/></Labels>",
            "Further sets of Labels, as a study has one text to mark, left out: 1 (Labels x).",
        ),
        ("<Labels name='x' toName='gone'/>", "Labels for what is not shown, left out: 1"),
    ],
)
def test_a_tag_that_no_study_has_is_left_out_and_told_and_the_rest_comes_in(
    tags: str, said: str
) -> None:
    config = CONFIG.replace("</View>", f"{tags}</View>")
    given = (mark(9, 16, "aspirin"), answer("quality", {"rating": 4}))
    found = convert(task(*given, answer("x", {"taxonomy": [["E", "F"]]})), config=config)
    assert said in " ".join(found.notes)
    assert "Results for the tags that are left out: 1." in found.notes
    [one] = found.judgments
    assert (one["q3_quality"], len(json.loads(one["marks"]))) == (4, 1)
    assert 'id = "q5' not in found.study


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "<Text name='static' value='Read the note first.'/>",
            "no field of its tasks, left out: 1",
        ),
        ("<Text name='far' value='$far' valueType='url'/>", "Texts behind an address or encoded"),
        ("<Text name='far' value='$far' encoding='base64'/>", "Texts behind an address or encoded"),
        ("<Header value='Read the note first.'/>", ""),
    ],
)
def test_words_of_the_projects_own_and_texts_behind_addresses_leave_the_rest_as_it_is(
    text: str, said: str
) -> None:
    config = CONFIG.replace("<View>", f"<View>{text}", 1)
    found = convert(task(answer("quality", {"rating": 4})), config=config)
    assert said in " ".join(found.notes)
    assert bool(found.notes) == bool(said)
    [one] = found.judgments
    assert one["q3_quality"] == 4


def test_who_said_nothing_but_what_is_left_out_has_not_found_nothing() -> None:
    config = CONFIG.replace("</View>", "<Ranker name='x' toName='note'/></View>")
    found = convert(task(answer("x", {"ranker": [1]})), config=config)
    assert (len(found.items), found.judgments) == (1, [])
    assert "Annotations that answer only what is left out: 1." in found.notes


WHERE = "task-3, annotation 7"


@pytest.mark.parametrize(
    ("wrong", "note"),
    [
        (
            mark(0, 3, "xyz", one="r2"),
            f"Marks that do not fit the text, left out: 1 ({WHERE}: “xyz”).",
        ),
        (
            mark(9, 16, "aspirin", "Gone", one="r2"),
            f'Marks without a label of the configuration, left out: 1 ({WHERE}: “["Gone"]”).',
        ),
        (
            {"type": "relation", "from_id": "a"},
            f"Results without a value, as relations are, left out: 1 ({WHERE}: relation).",
        ),
        (
            answer("other", {}),
            f"Results for what the configuration does not have, left out: 1 ({WHERE}: “other”).",
        ),
        (
            answer("kind", {"choices": ["C"]}),
            f"Answers that the question does not offer, left out: 1 ({WHERE}, Kind: “C”).",
        ),
        (
            answer("quality", {"rating": 9}),
            f"Numbers out of range, left out: 1 ({WHERE}, Quality: “9”, not from 1 to 5).",
        ),
        (
            answer("quality", {"rating": None}),
            f"Answers that are not the number asked for, left out: 1 ({WHERE}, Quality: “null”).",
        ),
        (
            answer("sure", {"choices": ["Yes"]}, one="nowhere"),
            f"Answers about no marked words, left out: 1 ({WHERE}, Sure).",
        ),
        ("x", f"Results that cannot be read, left out: 1 ({WHERE}: “x”)."),
    ],
)
def test_one_fault_is_left_out_and_told_with_its_place_and_the_rest_comes_in(
    wrong: Any, note: str
) -> None:
    found = convert(task(mark(9, 16, "aspirin"), wrong))
    assert found.notes == (note,)
    [judgment] = found.judgments
    assert [one["quote"] for one in json.loads(judgment["marks"])] == ["aspirin"]


def test_a_task_that_cannot_be_shown_is_left_out_and_the_others_come_in() -> None:
    found = convert(task(), {"id": 4, "data": {"note": ["a"]}}, {"id": 5})
    assert [row["item"] for row in found.items] == ["task-3"]
    assert found.notes == (
        "Tasks without data, left out: 1 (task 3 of the export).",
        "Tasks that cannot be shown, left out: 1 (task-4: 'note' holds no text).",
    )


def test_two_tasks_of_one_id_with_different_texts_are_two_items() -> None:
    other = task() | {"data": {"note": "Another text."}}
    found = convert(task(mark(9, 16, "aspirin")), other, task())
    assert [row["item"] for row in found.items] == ["task-3", "task-3 (2)"]
    assert [row["item"] for row in found.judgments] == ["task-3", "task-3 (2)", "task-3"]
    assert len({row["judgment_id"] for row in found.judgments}) == 3
    assert "Records with the name of another, but not its content, renamed: 1 (task-3 (2))." in (
        found.notes
    )
    assert "Records that occur twice, taken once: 1." in found.notes


def test_an_annotation_keeps_when_it_was_made_and_a_person_without_a_name_gets_one() -> None:
    made = {"result": [], "created_at": "2026-03-01T10:00:00.000000Z"}
    nobody = made | {"id": 8, "completed_by": None, "created_at": "2026-03-01 12:00"}
    blank = made | {"id": 9, "completed_by": {"id": 4, "email": ""}, "created_at": "soon"}
    named = made | {"id": 10, "completed_by": {"id": 5, "first_name": "Ada", "last_name": "L"}}
    given = task(annotations=[nobody, nobody | {"id": 11}, blank, named])
    del given["annotations"][-1]
    found = convert(given)
    assert [(row["rater"], row.get("judged_at")) for row in found.judgments] == [
        ("Annotator without a name 1", "2026-03-01T12:00:00+00:00"),
        ("Annotator without a name 2", "2026-03-01T12:00:00+00:00"),
        ("Annotator 4", None),
        ("Ada L", "2026-03-01T10:00:00+00:00"),
    ]
    assert found.notes == (
        f"Times that cannot be read, left out: 1 ({WHERE.replace('7', '9')}: “soon”).",
    )


def test_options_with_semicolons_and_the_time_of_an_annotation_are_imported(store: Store) -> None:
    config = CONFIG.replace('value="A"', 'value="A; B"').replace('value="Dose"', 'value="Dose; d"')
    assert config.count(";") == 2
    given = task(mark(9, 16, "aspirin", "Dose; d"), answer("kind", {"choices": ["A; B"]}))
    given["annotations"][0]["created_at"] = "2026-03-01T10:00:00.5Z"
    found = convert(given, config=config)
    assert found.notes == ("Options and labels whose semicolons are commas here: 2.",)
    study.store_study_file_version_and_return_it(store, found.study, name="s.toml", by=None)
    for kind, rows in (("own-items", found.items), ("own-judgments", found.judgments)):
        content = "\n".join(map(json.dumps, rows)).encode()
        work_behind_commands.import_file(
            *(store, Settings(), kind, content), name="r.jsonl", dataset="doses"
        )
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="doses"
    )
    assert "A, B" in table.iloc[0].astype(str).tolist()
    assert str(table["judged_at"].iloc[0]).startswith("2026-03-01 10:00:00.5")


def test_the_command_writes_the_three_files_and_a_bad_project_leaves_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["study", "from-label-studio", str(WRITTEN.with_suffix(".xml"))]
    bad = tmp_path / "bad.json"
    bad.write_text("{}")
    assert cli.main([*made, str(bad), "-o", str(tmp_path / "out")]) != 0
    assert "not a list of tasks with data" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert cli.main([*made, str(WRITTEN), "-o", str(tmp_path / "out"), "--title", "Doses"]) == 0
    assert "study add" in capsys.readouterr().out
    assert 'id = "doses"' in (tmp_path / "out/STUDY.toml").read_text()
    rows = (tmp_path / "out/judgments.jsonl").read_text().splitlines()
    assert {json.loads(row)["rater"] for row in rows} == {"Annotator 1", "m1"}
