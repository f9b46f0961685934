"""A project of Potato as a study of one's own, with its marks, answers and raters."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges import import_from_potato
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.store import Store
from medlens.studies.own import study
from medlens.studies.own.bridge_registry import Converted

pytestmark = pytest.mark.usefixtures("read_near")

WRITTEN = Path(__file__).parent / "potato_2_12"
"""What potato-annotation 2.12.1 wrote while two people annotated in a browser."""
WRITTEN_1 = WRITTEN.parent / "potato_1_2"
"""The same of potato-annotation 1.2.2.4, with the same notes."""
NOTE = " 💊 Take\t aspirin 5 mg\r\n<b>daily</b> &amp; <NAME> rests. "
SHOWN = "💊 Take aspirin 5 mg\ndaily & <NAME> rests."


def packed(files: dict[str, str | bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content in files.items():
            out.writestr(name, content)
    return made.getvalue()


def config(*schemes: dict[str, Any], **more: Any) -> str:
    given = {
        "item_properties": {"id_key": "id", "text_key": "note"},
        "data_files": ["data/notes.json"],
        "output_annotation_dir": "annotation_output/",
        "annotation_schemes": list(schemes),
    }
    return yaml.safe_dump(given | more)


BOMB = "a: &a [x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join(['*' + before] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)

SPANS = {
    "annotation_type": "span",
    "name": "errors",
    "description": "Mark it.",
    "labels": ["Dose", {"name": "Drug", "tooltip": "a wrong drug"}],
}
SAFE = {"annotation_type": "radio", "name": "safe", "description": "Safe?", "labels": ["Yes", "No"]}


def state(*labels: tuple[str, str, str], spans: tuple[Any, ...] = (), **more: Any) -> str:
    said = [[{"schema": schema, "name": name}, value] for schema, name, value in labels]
    return json.dumps(
        {
            "user_id": "rosa",
            "instance_id_to_label_to_value": {"n1": said},
            "instance_id_to_span_to_value": {"n1": list(spans)},
        }
        | more
    )


def span(words: str, label: str = "Dose", **more: Any) -> list[Any]:
    at = SHOWN.index(words)
    return [{"schema": "errors", "name": label, "start": at, "end": at + len(words), **more}, words]


def project(*schemes: dict[str, Any], rosa: str = "", **more: Any) -> Converted:
    files: dict[str, str | bytes] = {
        "study/config.yaml": config(*schemes, **more),
        "study/data/notes.json": json.dumps([{"id": "n1", "note": NOTE}]),
    }
    if rosa:
        files["study/annotation_output/rosa/user_state.json"] = rosa
    return import_from_potato.convert_potato_project_to_study_and_notes("Doses", packed(files))


def test_what_potato_wrote_itself_comes_in_whole(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ["study", "from-potato", str(WRITTEN / "notes"), "-o", str(tmp_path), "--title", "Notes"]
    assert cli.main(made) == 0
    assert "study add" in capsys.readouterr().out
    study.store_study_file_version_and_return_it(
        store, (tmp_path / "STUDY.toml").read_text(), name="s.toml", by=None
    )
    for kind, rows in (("own-items", "items.jsonl"), ("own-judgments", "judgments.jsonl")):
        work_behind_commands.import_file(
            *(store, Settings(), kind, tmp_path / rows), name=rows, dataset="notes"
        )
    marks = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset="notes"
    )
    # The file has two blanks before aspirin, CR LF and tags: Potato shows, and counts, none of it.
    told = marks[["item", "rater", "label", "start", "end", "quote"]].dropna(subset=["label"])
    assert len(marks) == 5
    assert sorted(told.to_numpy().tolist()) == [
        ["n1", "amir", "Dose", 7, 22, "aspirin 5000 mg"],
        ["n1", "rosa", "Allergy", 45, 47, "no"],
        ["n1", "rosa", "Dose", 15, 22, "5000 mg"],
        ["n2", "rosa", "Allergy", 0, 10, "Penicillin"],
    ]
    said = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="notes"
    )
    rosa = said[(said["rater"] == "rosa") & (said["item"] == "n1")].iloc[0]
    assert rosa[
        [
            f"q{at}" + name
            for at, name in enumerate(
                ("_safe", "_topics", "_quality", "_minutes", "_why", "_sure", "_ward"), 2
            )
        ]
    ].tolist() == ["Unsafe", "Heart; Skin", 4, 3, "Ten times the dose; 5 g.", 70, "Surgery"]


def test_a_comparison_of_two_answers_keeps_who_preferred_which(tmp_path: Path) -> None:
    made = ["study", "from-potato", str(WRITTEN / "pairs"), "-o", str(tmp_path)]
    assert cli.main(made) == 0
    rows = [json.loads(one) for one in (tmp_path / "judgments.jsonl").read_text().splitlines()]
    assert [(o["item"], o["rater"], o["q1_better"], o["q2_much"]) for o in rows] == [
        ("p1", "amir", "Second", 1),
        ("p1", "rosa", "Second", 1),
        ("p2", "rosa", "Neither", 1),
    ]
    assert (
        'kind = "scale"\ntext = "By how much?"\nminimum = -2'
        in (tmp_path / "STUDY.toml").read_text()
    )


def test_what_version_1_wrote_comes_in_whole(tmp_path: Path) -> None:
    # It counts in the page's HTML: CR LF for every line's end, and &amp; is five signs.
    assert cli.main(["study", "from-potato", str(WRITTEN_1 / "notes"), "-o", str(tmp_path)]) == 0
    rows = [json.loads(one) for one in (tmp_path / "judgments.jsonl").read_text().splitlines()]
    said = {(one["item"], one["rater"]): one for one in rows}
    marks = {
        at: [(o["start"], o["end"], o["quote"], o["labels"]) for o in json.loads(one["marks"])]
        for at, one in said.items()
    }
    assert marks == {
        ("n1", "amir"): [(23, 28, "daily", ["label_1"]), (33, 47, "allergies & no", ["label_2"])],
        ("n1", "rosa"): [(15, 22, "5000 mg", ["label_1"]), (45, 47, "no", ["label_2"])],
        ("n2", "rosa"): [(0, 10, "Penicillin", ["label_2"])],
    }
    asked = ("safe", "topics", "quality", "minutes", "why", "sure", "ward", "parts_1", "parts_2")
    whole = [said["n1", "rosa"][f"q{min(at, 9)}_{name}"] for at, name in enumerate(asked, 2)]
    why = "Ten times the dose; 5 g."
    # The file has "0", the key to press, for the tenth point, and for "no note".
    assert whole == ["Unsafe", "Heart; Skin", 10, 3, why, 70, "Surgery", "Poor", "Good"]
    assert said["n2", "rosa"]["q4_quality"] == "not applicable"


def record(*spans: dict[str, Any], said: str = "Yes", **more: Any) -> str:
    given = {"id": "n1", "displayed_text": NOTE, "span_annotations": spans}
    return json.dumps(given | {"label_annotations": {"safe": {said: said}}} | more) + "\n"


def version_1(
    *schemes: dict[str, Any], own: str = "", of_all: str = "", note: str = NOTE
) -> Converted:
    written = {"amir/annotated_instances.jsonl": own, "annotated_instances.jsonl": of_all}
    files: dict[str, str | bytes] = {f"out/{at}": text for at, text in written.items() if text}
    files["config.yaml"] = config(*schemes, output_annotation_dir="out")
    files["data/notes.json"] = json.dumps({"id": "n1", "note": note})
    return import_from_potato.convert_potato_project_to_study_and_notes("Doses", packed(files))


def test_an_annotators_own_file_of_version_1_goes_before_the_file_for_all() -> None:
    of_all = [record(said="No", user_id=who, instance_id="n1") for who in ("rosa", "amir")]
    found = version_1(SAFE, own=record(), of_all="".join(of_all))
    assert {o["rater"]: o["q1_safe"] for o in found.judgments} == {"amir": "Yes", "rosa": "No"}


def test_a_mark_of_version_1_counted_within_a_tag_is_found_if_its_words_are_there_once() -> None:
    one = {"start": 0, "end": 5, "span": "daily", "annotation": "Dose"}
    [found] = version_1(SPANS, SAFE, own=record(one)).judgments
    assert [o["start"] for o in json.loads(found["marks"])] == [SHOWN.index("daily")]
    lost = version_1(SPANS, SAFE, own=record(one | {"span": "i"}))
    assert lost.notes == ("Marks that do not fit the text, left out: 1 (amir, n1: “i”).",)


def test_a_short_table_leaves_other_readers_of_this_process_their_longest_cell() -> None:
    before = csv.field_size_limit()
    rows = import_from_potato._table(b"id,text\n1,Ibuprofen\n", "notes.csv", [])
    assert rows == [{"id": "1", "text": "Ibuprofen"}]
    assert csv.field_size_limit() == before


def test_a_word_that_stands_twice_is_marked_where_version_1_counted_it() -> None:
    # The page has "a &amp; b", CR LF and "no, no": 9 + 2 + 4 signs before the second "no".
    note = "a & b\nno, no"
    one = {"start": 15, "end": 17, "span": "no", "annotation": "Dose"}
    written = record(one, one | {"start": 11, "end": 13}, displayed_text=note)
    [found] = version_1(SPANS, SAFE, own=written, note=note).judgments
    assert [one["start"] for one in json.loads(found["marks"])] == [6, 10]


def test_a_row_of_a_multirate_may_be_called_like_a_rating() -> None:
    rates = {"annotation_type": "multirate", "name": "q", "labels": ["Good", "Poor"]}
    given = record(label_annotations={"q": {"Good": "Poor"}})
    [found] = version_1(rates | {"options": ["Good", "Plan"]}, own=given).judgments
    assert found["q1_q_1"] == "Poor"


def test_a_zip_without_annotators_folders_says_why_there_are_no_judgments() -> None:
    files: dict[str, str | bytes] = {
        "config.yaml": config(SAFE, output_annotation_dir="out"),
        "data/notes.json": json.dumps({"id": "n1", "note": NOTE}),
    }
    found = import_from_potato.convert_potato_project_to_study_and_notes("Doses", packed(files))
    assert (len(found.items), found.judgments) == (1, [])
    assert found.notes == ("Annotators whose answers are in the zip: 0.",)
    merged = packed(files | {"out/annotated_instances.tsv": "user\tinstance_id\n"})
    assert import_from_potato.convert_potato_project_to_study_and_notes("Doses", merged).notes == (
        "Files of all answers, not read: pack the folders of each annotator too"
        " (out/annotated_instances.tsv): 1.",
    )


@pytest.mark.parametrize("none", [{}, [], None])
def test_no_marks_of_version_1_are_read_however_they_are_written(none: Any) -> None:
    found = version_1(SAFE, own=record(span_annotations=none))
    assert [one["q1_safe"] for one in found.judgments] == ["Yes"]
    assert found.notes == ()


def test_a_line_of_version_1_without_the_field_of_marks_is_read() -> None:
    said = {"id": "n1", "label_annotations": {"safe": {"No": "1"}}}
    [one] = version_1(SAFE, own=json.dumps(said) + "\n").judgments
    assert one["q1_safe"] == "No"


def test_marks_of_version_1_that_are_no_list_are_not_taken_for_none() -> None:
    found = version_1(SPANS, SAFE, own=record(span_annotations={"errors": {"Dose": 1}}))
    assert found.judgments == []
    assert "Lines that hold no instance with its answers" in found.notes[0]


@pytest.mark.parametrize("kind", ["radio", "multiselect"])
@pytest.mark.parametrize("tick", ["1", "r", "12", "true", True, 2])
def test_a_label_the_configuration_lacks_is_told_by_its_name(kind: str, tick: Any) -> None:
    # "1" and "12" may be labels themselves, and here are only keys.
    asked = SAFE | {"annotation_type": kind, "labels": ["calm", "1", "12"]}
    found = version_1(asked, own=record(label_annotations={"safe": {"calm": "1", "rude": tick}}))
    assert [one["q1_safe"] for one in found.judgments] == ["calm"]
    assert "left out: 1 (amir, n1, Safe?: “rude”)" in " ".join(found.notes)


@pytest.mark.parametrize("key", ["user", "user_id"])
def test_a_file_for_all_names_people_as_user_or_user_id(key: str) -> None:
    said = {"rosa": "No", "amir": "Yes"}
    lines = [record(said=what, **{key: who}, span_annotations={}) for who, what in said.items()]
    found = version_1(SAFE, of_all="".join(lines))
    assert {one["rater"]: one["q1_safe"] for one in found.judgments} == said


@pytest.mark.parametrize("wrong", ["{", "[1]", "1", '{"id": "n1"}', record(span_annotations=[1])])
def test_a_line_of_version_1_that_is_no_instance_is_left_out_and_told(wrong: str) -> None:
    found = version_1(SAFE, own=wrong + "\n" + record())
    assert [one["q1_safe"] for one in found.judgments] == ["Yes"]
    [note] = found.notes
    assert "left out: 1 (out/amir/annotated_instances.jsonl, line 1" in note


def test_marks_count_on_the_text_that_potato_shows() -> None:
    found = project(SPANS, rosa=state(spans=(span("<NAME>", "Drug"), span("daily & <NAME> rests"))))
    assert found.items == [{"item": "n1", "note": SHOWN}]
    marks = json.loads(found.judgments[0]["marks"])
    assert [(one["quote"], one["labels"]) for one in marks] == [
        ("daily & <NAME> rests", ["label_1"]),
        ("<NAME>", ["label_2"]),
    ]


def test_a_declared_machine_is_a_model_and_a_state_by_scheme_is_read() -> None:
    # Versions before 2 kept answers by scheme, and a point of a scale as scale_4.
    likert = {"annotation_type": "likert", "name": "q", "size": 5, "description": "Good?"}
    old = {"n1": {"safe": {"Yes": "Yes"}, "q": {"scale_4": "scale_4"}}}
    rosa = state(instance_id_to_label_to_value=old, origin={"kind": "model", "id": "gpt"})
    found = project(SAFE, likert | {"min_label": "bad", "max_label": "good"}, rosa=rosa)
    [one] = found.judgments
    assert (one["rater_kind"], one["q1_safe"], one["q2_q"]) == ("model", "Yes", 4)


def test_more_labels_than_keys_are_chosen_from_a_list() -> None:
    labels = [f"Kind {at}" for at in range(12)]
    found = project(SPANS | {"labels": labels}, rosa=state(spans=(span("5 mg", "Kind 11"),)))
    [one] = json.loads(found.judgments[0]["marks"])
    assert (one["labels"], one["answers"]) == (["passage"], {"kind": "Kind 11"})
    assert '"Kind 11"] }' in found.study


def test_a_lead_is_told_what_is_left_out() -> None:
    ranking = {"annotation_type": "ranking", "name": "order", "labels": ["A", "B"]}
    rosa = state(
        ("safe", "Yes", "Yes"),
        ("order", "ranking", "A,B"),
        ("safe", "free_response", "perhaps"),
        spans=(span("5 mg"), [span("daily")[0] | {"target_field": "other"}, "daily"]),
        phase_to_page_to_label_to_value={"consent": {"page": []}},
    )
    later = SAFE | {"name": "sure", "display_logic": {"show_when": []}}
    found = project(SPANS, SAFE, ranking, later, rosa=rosa)
    assert found.notes == (
        "What has no counterpart in MedLens, left out (order: ranking): 1.",
        "Questions that Potato shows only sometimes (display_logic) and MedLens always: 1.",
        "Annotators whose answers on survey pages are left out: 1.",
        "Answers to order, left out: 1.",
        "Answers in words beside options, left out: 1.",
        "Marks in another text, left out: 1.",
    )
    assert found.judgments[0]["q2_safe"] == "Yes"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (b"no zip", "cannot be unpacked"),
        ({"notes.csv": "id\n"}, "no configuration"),
        ({"config.yaml": BOMB}, "stand for too much"),
        ({"config.yaml": "annotation_schemes: &a [*a]"}, "stand for too much"),
        ({"config.yaml": "annotation_schemes: [" * 3000}, "cannot be read as YAML"),
        ({"config.yaml": "a: !!python/object/apply:os.system [x]"}, "cannot be read as YAML"),
        ({"config.yaml": "a" * 1_000_001}, "larger than 1 MB"),
        ({"a.yaml": config(SAFE), "b.yaml": config(SAFE)}, "several configurations: a.yaml, b"),
        ({"config.yaml": config(SAFE)}, "has no data/notes.json"),
        ({"config.yaml": config(SAFE), "data/notes.json": "[{]"}, "notes.json cannot be read"),
        ({"config.yaml": config(SAFE), "data/notes.json": '[{"id": ""}]'}, "no row with an 'id'"),
    ],
)
def test_a_zip_that_is_no_project_is_refused_in_words(
    files: bytes | dict[str, str | bytes], said: str
) -> None:
    given = files if isinstance(files, bytes) else packed(files)
    with pytest.raises((BadFile, InvalidInput), match=said):
        import_from_potato.convert_potato_project_to_study_and_notes("Doses", given)


@pytest.mark.parametrize(
    ("rosa", "said"),
    [
        ("{", "Files of annotators that cannot be read, left out: 1 (study/annotation"),
        ("[]", "it holds no annotator's state"),
        (state(instance_id_to_label_to_value=[1]), "Answers that cannot be read, left out: 1"),
        (state(instance_id_to_label_to_value={"n1": [1]}), "rosa/user_state.json, n1: “1”"),
        (
            state(("gone", "x", "y")),
            "Answers to what the configuration does not ask, left out: 1 (rosa, n1: “gone”)",
        ),
        (
            state(("safe", "Maybe", "Maybe")),
            "does not offer, left out: 1 (rosa, n1, Safe?: “Maybe”",
        ),
        (
            state(("safe", "Yes", "Yes"), ("safe", "No", "No")),
            "Several answers where one is asked for, left out: 1 (rosa, n1, Safe?: Yes, No)",
        ),
        (
            state(spans=(span("5 mg", "Gone"),)),
            "Marks without a label of the configuration, left out: 1 (rosa, n1: “Gone”)",
        ),
        (
            state(spans=([span("5 mg")[0], "6 mg"],)),
            "Marks that do not fit the text, left out: 1 (rosa, n1: “6 mg”)",
        ),
        (
            state(spans=([{"schema": "errors", "name": "Dose", "start": 9**9}, ""],)),
            "Marks that do not fit the text, left out: 1",
        ),
    ],
)
def test_one_fault_is_left_out_and_told_with_its_place(rosa: str, said: str) -> None:
    found = project(SPANS, SAFE, rosa=rosa)
    assert [row["item"] for row in found.items] == ["n1"]
    assert said in " ".join(found.notes)


def test_marks_that_fit_come_in_beside_one_that_does_not() -> None:
    rosa = state(spans=(span("5 mg"), [span("daily")[0], "weekly"]))
    [one] = project(SPANS, SAFE, rosa=rosa).judgments
    assert [mark["quote"] for mark in json.loads(one["marks"])] == ["5 mg"]


def test_of_two_rows_of_one_id_with_different_texts_nobody_guesses_which_was_judged() -> None:
    rows = [{"id": "n1", "note": NOTE}, {"id": "n1", "note": "Other."}, {"id": "n2", "note": "x"}]
    files: dict[str, str | bytes] = {
        "config.yaml": config(SAFE),
        "data/notes.json": json.dumps([*rows, rows[2], {"note": "nameless"}]),
        "annotation_output/rosa/user_state.json": state(("safe", "Yes", "Yes")),
    }
    found = import_from_potato.convert_potato_project_to_study_and_notes("Doses", packed(files))
    assert [row["item"] for row in found.items] == ["n2"]
    assert found.judgments == []
    told = " ".join(found.notes)
    assert "answers, left out: 1 (data/notes.json, row 2: “n1”)" in told
    assert "Rows without 'id', left out: 1 (data/notes.json, row 5)" in told
    assert "Judgments on items that the data do not have, left out: 1." in told


BWS = {
    "annotation_type": "bws",
    "name": "kind",
    "best_description": "Which is kindest?",
    "tuple_size": 3,
}


def test_best_worst_scaling_asks_for_both_ends_of_each_set_of_texts() -> None:
    texts = [
        {"source_id": f"s{at}", "text": f"Text {at}", "position": "ABC"[at]} for at in range(3)
    ]
    rosa = json.dumps(
        {
            "user_id": "rosa",
            "instance_id_to_label_to_value": {
                "bws_tuple_0001": {"kind": {"best": "B", "worst": "Z"}},
                "bws_tuple_0002": {"kind": {"best": "A", "worst": "C"}},
            },
        }
    )
    sets = [{"id": f"bws_tuple_000{at}", "note": "", "_bws_items": texts} for at in (1, 2)]
    files = {
        "study/config.yaml": config(BWS),
        "study/data/notes.json": json.dumps([{"id": "n1", "note": NOTE}]),
        "study/annotation_output/rosa/user_state.json": rosa,
    }
    found = import_from_potato.convert_potato_project_to_study_and_notes(
        "Kind", packed({**files, "study/annotation_output/sets.json": json.dumps(sets)})
    )
    assert [row["note"] for row in found.items] == ["A: Text 0\n\nB: Text 1\n\nC: Text 2"] * 2
    ends = [(row.get("q1_kind_best"), row.get("q1_kind_worst")) for row in found.judgments]
    assert ends == [("B", None), ("A", "C")]
    assert any("does not offer, left out: 1" in note for note in found.notes)
    without = import_from_potato.convert_potato_project_to_study_and_notes(
        "Kind", packed({**files})
    )
    assert not without.judgments
    assert any("Sets of texts for best-worst scaling" in note for note in without.notes)
    assert any("Judgments on items that the data do not have" in note for note in without.notes)


def test_a_slider_with_halves_asks_for_a_number_with_halves() -> None:
    slider = {"annotation_type": "slider", "name": "pain", "min_value": 0.5, "max_value": 9.5}
    found = project(slider, rosa=state(("pain", "pain", "2.5")))
    assert "minimum = 0.5\nmaximum = 9.5" in found.study
    assert found.judgments[0]["q1_pain"] == 2.5
    with pytest.raises(BadFile, match=r"scheme 'pain' of the configuration has min_value = “low”"):
        project(slider | {"min_value": "low"})


@pytest.mark.parametrize(
    ("schemes", "said"),
    [
        (
            [{"annotation_type": "best_worst_scaling", "name": "bws"}],
            r"\(bws: best_worst_scaling\)",
        ),
        ([SPANS | {"labels": []}], "asks nothing that MedLens can ask"),
    ],
)
def test_a_project_that_medlens_cannot_ask_is_refused_by_its_own_words(
    schemes: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(BadFile, match=said) as caught:
        project(*schemes)
    assert "STUDY.toml" not in str(caught.value)


def test_a_zip_that_unpacks_to_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    files: dict[str, str | bytes] = {"a.json": bytes(1_000), "b.json": bytes(1_000)}
    monkeypatch.setattr("medlens.studies.own.attached_files._MOST_BYTES", 1_999)
    with pytest.raises(InvalidInput, match="more than 1 GB"):
        import_from_potato.convert_potato_project_to_study_and_notes("Doses", packed(files))
    monkeypatch.setattr("medlens.bridges.converted_project._LARGEST", 999)
    with pytest.raises(BadFile, match=r"a\.json is larger than"):
        import_from_potato.convert_potato_project_to_study_and_notes(
            "Doses", packed({"a.json": bytes(1_000)})
        )
