"""A doccano export becomes a study with its marks, classes and words; what does not fit is told."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from medlens.app import work_behind_commands
from medlens.bridges.import_from_doccano import convert_doccano_project_to_study_and_notes
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.own import study, study_file
from medlens.studies.own.bridge_registry import Converted

Lines = Sequence[Mapping[str, Any]]
TEXT = "Ömer has a stiff neck 🙂 and a fever."
MARKED: Lines = [
    {"id": 1, "text": TEXT, "label": [[11, 21, "SYMPTOM"], [30, 35, "SYMPTOM"]], "ward": "A"},
    {"id": 2, "text": "Rest helps.", "label": [[0, 4, "ADVICE"]], "ward": "B", "Comments": []},
    {"id": 3, "text": "Nothing is marked here.", "label": [], "ward": "B"},
]
WITH_RELATIONS: Lines = [
    {
        "id": 1,
        "text": TEXT,
        "entities": [{"id": 4, "label": "SYMPTOM", "start_offset": 11, "end_offset": 21}],
        "relations": [{"id": 1, "from_id": 4, "to_id": 4, "type": "of"}],
        "Comments": ["Is it?"],
    }
]
CLASSES: Lines = [
    {"id": 1, "text": "Rest.", "label": ["safe", "short; clear"]},
    {"id": 2, "text": "Run.", "label": ["unsafe"]},
]
REWORDED: Lines = [{"id": 1, "text": "Rest.", "label": ["You could rest for a while. " * 4]}]


def as_lines(lines: Lines) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def zipped(**files: Lines) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, lines in files.items():
            packed.writestr(f"{name}.jsonl", as_lines(lines))
    return out.getvalue()


def converted(lines: Lines) -> Converted:
    return convert_doccano_project_to_study_and_notes("Notes", as_lines(lines))


def marks_of(found: Converted) -> dict[tuple[str, str], list[tuple[str, str]]]:
    labels = study_file.parse_study_file(found.study).spans
    assert labels is not None
    names = {label.id: label.name for label in labels.labels}
    return {
        (row["item"], row["rater"]): [
            (mark["quote"], names[mark["labels"][0]]) for mark in json.loads(row["marks"])
        ]
        for row in found.judgments
    }


def test_marked_passages_are_judgments_at_their_places_after_letters_of_any_kind() -> None:
    found = converted(MARKED)
    assert marks_of(found) == {
        ("text-1", "Annotator without a name"): [("stiff neck", "SYMPTOM"), ("fever", "SYMPTOM")],
        ("text-2", "Annotator without a name"): [("Rest", "ADVICE")],
    }
    assert [row["ward"] for row in found.items] == ["A", "B", "B"]
    assert "Texts without a label, which are items to be judged: 1." in found.notes


def test_a_file_for_each_annotator_gives_each_their_own_judgments() -> None:
    first, second = MARKED[0], {**MARKED[0], "label": [[0, 4, "PERSON"]]}
    found = convert_doccano_project_to_study_and_notes(
        "Notes", zipped(ada=[first], ben=[second], all=[])
    )
    assert marks_of(found) == {
        ("text-1", "ada"): [("stiff neck", "SYMPTOM"), ("fever", "SYMPTOM")],
        ("text-1", "ben"): [("Ömer", "PERSON")],
    }
    assert len(found.items) == 1


def test_classes_are_options_and_longer_words_are_free_text() -> None:
    found = converted(CLASSES)
    assert [row["classes"] for row in found.judgments] == ["safe; short, clear", "unsafe"]
    assert any("semicolons are commas here: 1" in note for note in found.notes)
    [judged] = converted(REWORDED).judgments
    assert judged["words"].startswith("You could rest")


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ({"id": 9, "text": "Rest.", "label": [[0, 99, "ADVICE"]]}, "Marks that do not fit"),
        ({"id": 9, "text": "Rest.", "label": [[None, 2, "ADVICE"]]}, "Marks that do not fit"),
        ({"id": 9, "text": "", "label": []}, "Records without a text"),
        ({"id": 9, "text": "Rest.", "label": [{"x": 1}]}, "Labels that cannot be read"),
        ({"id": 9, "text": "Rest.", "label": ["loose"]}, "Labels without a passage"),
        ({"id": 1, "text": "Another text.", "label": []}, "with the name of another"),
        (7, "Lines that are not records"),
    ],
)
def test_one_fault_refuses_no_project_and_is_told(line: Any, note: str) -> None:
    found = converted([*MARKED, line])
    assert len(found.judgments) == 2
    assert any(note in told for told in found.notes), found.notes


def test_relations_and_comments_are_left_out_and_told() -> None:
    notes = " ".join(converted(WITH_RELATIONS).notes)
    assert "Relations between marks, left out: 1" in notes
    assert "Comments, left out: 1" in notes


@pytest.mark.parametrize("content", [b"", b"[]", b'{"a": 1}\n', b"\xff\xfe", b"PK\x03\x04"])
def test_what_is_no_export_is_refused_with_what_to_do(content: bytes) -> None:
    with pytest.raises(Exception, match=r"doccano|zip") as refused:
        convert_doccano_project_to_study_and_notes("Notes", content)
    assert not isinstance(refused.value, BadFile) or refused.value.hint


@pytest.mark.parametrize("lines", [MARKED, CLASSES, REWORDED])
@pytest.mark.usefixtures("read_near")
def test_what_comes_of_an_export_is_imported_whole(lines: Lines, store: Store) -> None:
    found = converted(lines)
    study.store_study_file_version_and_return_it(store, found.study, name="study.toml", by=None)
    for kind, rows in (("own-items", found.items), ("own-judgments", found.judgments)):
        content = "\n".join(map(json.dumps, rows)).encode()
        done = work_behind_commands.import_file(
            *(store, Settings(), kind, content), name="rows.jsonl", dataset="notes"
        )
        assert done.added == len(rows)
        assert done.refused == 0
