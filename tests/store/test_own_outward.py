"""An own study as files for other tools: what they hold, and that it comes back the same."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges import import_from_inspect, import_from_label_studio
from medlens.config.settings import Settings
from medlens.errors import NotAllowed
from medlens.store import Store
from medlens.studies.own import study, study_file
from medlens.studies.own.bridge_registry import Converted
from tests.store.made_up import person

pytestmark = pytest.mark.usefixtures("read_near")

DECLARED = """
id = "doses"
title = "Doses & <more>"
instructions = "Read the note."

[[column]]
name = "the note"
means = "note"

[[column]]
name = "talk"
means = "talk"

[[pane]]
title = "Note"
column = "the note"

[[pane]]
title = "Talk"
kind = "dialogue"
column = "talk"

[[question]]
id = "errors"
kind = "spans"
text = "Mark the errors."
column = "the note"
labels = [{ id = "drug", name = "Drug" }, { id = "dose", name = "Dose" }]
of_span = [
  { id = "severity", text = "How severe?", options = ["Minor", "Major"] },
  { id = "correction", text = "What instead?" },
]

[[question]]
id = "good"
kind = "scale"
text = "How good?"
low = "bad"
high = "good"

[[question]]
id = "rank"
kind = "scale"
minimum = 0
maximum = 3
text = "From 0?"
low = "none"
high = "all"

[[question]]
id = "safe"
kind = "yes_no"
text = "Is it \\"safe\\"?"

[[question]]
id = "faults"
kind = "multiple"
text = "Which faults?"
options = ["a & b", "c"]

[[question]]
id = "many"
kind = "number"
text = "How many?"

[[question]]
id = "why"
kind = "long_text"
text = "Why?"
"""
MARKS = [
    {
        "start": 7,
        "end": 14,
        "quote": "aspirin",
        "labels": ["drug", "dose"],
        "answers": {"severity": "Major", "correction": "ibuprofen"},
    },
    {"start": 15, "end": 19, "quote": "5 mg", "labels": ["dose"], "answers": {}},
]
ANSWERS = {
    "errors": json.dumps(MARKS),
    "good": 4,
    "rank": 0,
    "safe": "cannot tell",
    "faults": "a & b; c",
    "many": 2.5,
    "why": "Too <little>.\nFar.",
}
ROWS = {
    "own-items": [
        {"item": "n1", "the note": "💊 Take aspirin 5 mg", "talk": [{"role": "a", "content": "x"}]},
        {"item": "n2", "the note": "Nothing.", "talk": [{"role": "a", "content": "y"}]},
    ],
    "own-judgments": [
        {"item": "n1", "rater": "rosa@example.org", "rater_kind": "person", **ANSWERS},
        {"item": "n1", "rater": "m1", "rater_kind": "model", "good": 2, "errors": "[]"},
        {"item": "n2", "rater": "rosa@example.org", "rater_kind": "person", "errors": "[]"},
    ],
}


def put(store: Store, text: str, rows: dict[str, list[dict[str, object]]]) -> None:
    study.store_study_file_version_and_return_it(store, text, name="s.toml", by=None)
    for kind, given in rows.items():
        content = "\n".join(map(json.dumps, given)).encode()
        named = {"name": "rows.jsonl", "dataset": "doses"}
        work_behind_commands.import_file(store, Settings(), kind, content, **named)


@pytest.fixture
def judged(store: Store) -> Store:
    put(store, DECLARED, ROWS)
    return store


def files(store: Store, kind: str, **how: Any) -> dict[str, bytes]:
    how = {"dataset": "doses", **how}
    made = work_behind_commands.export_package_as_bytes(store, Settings(), kind, viewer=None, **how)
    with zipfile.ZipFile(io.BytesIO(made)) as found:
        return {name: found.read(name) for name in found.namelist()}


def back(given: dict[str, bytes]) -> Converted:
    return import_from_label_studio.convert_label_studio_to_study_and_notes(
        "Again", given["config.xml"], given["tasks.json"]
    )


def test_a_label_studio_project_comes_back_with_the_same_judgments_and_marks(judged: Store) -> None:
    found = back(files(judged, "own-label-studio"))
    assert found.notes == ()
    assert [item["the_note"] for item in found.items] == ["💊 Take aspirin 5 mg", "Nothing."]
    rosa, model, nothing = found.judgments
    told = json.loads(rosa["marks"])
    assert [(o["start"], o["end"], o["quote"], len(o["labels"])) for o in told] == [
        (7, 14, "aspirin", 2),
        (15, 19, "5 mg", 1),
    ]
    assert list(told[0]["answers"].values()) == ["Major", "ibuprofen"]
    assert {
        name.split("_", 1)[1]: cell for name, cell in rosa.items() if name[:2] in "q3q4q5q6q7q8"
    }
    answers = [cell for name, cell in rosa.items() if name.startswith("q")]
    assert answers == [4, "0", "cannot tell", "a & b; c", 2.5, "Too <little>.\nFar."]
    assert (rosa["rater"], model["rater"], model["rater_kind"]) == (
        "rosa@example.org",
        "m1",
        "model",
    )
    assert (model["marks"], nothing["marks"]) == ("[]", "[]")


def test_people_can_go_out_as_numbers(judged: Store) -> None:
    told = b"".join(files(judged, "own-label-studio", anonymous=True).values())
    assert b"rosa" not in told
    assert b"rater 1" in told


def test_files_with_people_as_numbers_name_nobody_in_what_was_written(store: Store) -> None:
    rows = {kind: [dict(row) for row in given] for kind, given in ROWS.items()}
    rows["own-judgments"][0]["why"] = "Ask ROSA@example.org."
    noted = {**MARKS[0], "answers": {"correction": "As Rosa@example.org noted."}}
    rows["own-judgments"][0]["errors"] = json.dumps([noted])
    put(store, DECLARED, rows)
    for kind in ("own-label-studio", "own-inspect", "own-hugging-face"):
        named = files(store, kind), files(store, kind, anonymous=True)
        words = [" ".join(map(words_of, given.values())).casefold() for given in named]
        assert "ask rosa@example.org" in words[0], kind
        assert "as rosa@example.org noted" in words[0] or kind == "own-inspect"
        assert "rosa" not in words[1], kind


def words_of(content: bytes) -> str:
    """The words of a file, a Parquet table's too."""
    if content[:4] == b"PAR1":
        return str(pq.read_table(io.BytesIO(content)).to_pylist())
    return content.decode()


def test_only_a_lead_is_given_such_a_file(judged: Store) -> None:
    with pytest.raises(NotAllowed):
        work_behind_commands.export_package_as_bytes(
            judged, Settings(), "own-label-studio", viewer=person(judged, "Anna"), dataset="doses"
        )


@pytest.mark.deep
def test_each_templates_study_can_be_read_back_and_names_no_arm(store: Store) -> None:
    for name in study_file.load_templates_by_name():
        path = study_file.path_of_template(name)
        study.store_study_file_version_and_return_it(
            store, path.read_text(), name="s.toml", by=None
        )
        declared = study_file.read_study_file_text_and_declaration(path)[1]
        items = path.with_suffix(".csv")
        work_behind_commands.import_file(
            *(store, Settings(), "own-items", items), name=items.name, dataset=declared.study_id
        )
        given = files(store, "own-label-studio", dataset=declared.study_id)
        assert back(given).items, name
        shown = given["config.xml"] + given["tasks.json"]
        for arm in declared.arms.names if declared.arms else ():
            assert arm.encode() not in shown, name


def test_a_log_of_inspect_has_each_raters_answers_as_scores_and_is_read_here_too(
    judged: Store,
) -> None:
    found = files(judged, "own-inspect")
    sample = json.loads(found["samples/n1_epoch_1.json"])
    assert sample["input"] == "Note:\n💊 Take aspirin 5 mg"
    # A role that Inspect does not know is told in the words.
    assert sample["messages"][1] == {"role": "user", "content": "a: x"}
    assert sample["scores"]["m1"]["value"]["good"] == 2
    assert sample["scores"]["rosa@example.org"]["value"]["faults"] == "a & b; c"
    log = work_behind_commands.export_package_as_bytes(
        judged, Settings(), "own-inspect", viewer=None, dataset="doses"
    )
    again = import_from_inspect.convert_inspect_logs_to_study_and_notes("Again", log)
    assert {(one["rater"], one["rater_kind"]) for one in again.judgments} == {
        ("m1", "model"),
        ("rosa@example.org", "person"),
    }


def test_a_dataset_has_a_card_that_names_its_parts_and_no_people_where_they_are_numbers(
    judged: Store,
) -> None:
    found = files(judged, "own-hugging-face", anonymous=True)
    head = yaml.safe_load(found["README.md"].decode().split("---")[1])
    assert head["pretty_name"] == "Doses & <more>"
    parts = {one["config_name"]: one["data_files"] for one in head["configs"]}
    assert set(parts) == {"items", "judgments", "marks", "consensus"}
    tables = {name: pq.read_table(io.BytesIO(found[path])) for name, path in parts.items()}
    judgments = tables["judgments"].to_pylist()
    assert [(one["rater"], one["good"]) for one in judgments] == [
        ("model m1", 2),
        ("rater 1", 4),
        ("rater 1", None),
    ]
    assert tables["marks"]["quote"].to_pylist().count("aspirin") == 2
    card = found["README.md"].decode()
    assert "| `good` | scale | How good? | 1; 2; 3; 4; 5 |" in card
    assert b"rosa" not in b"".join(found.values())
    assert "holds raters' names" in files(judged, "own-hugging-face")["README.md"].decode()


def test_the_command_writes_such_a_file(
    judged: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.zip"
    monkeypatch.setenv("MEDLENS_STORE", str(judged.path))
    judged.close()
    made = ["export", "own-label-studio", "--dataset", "doses", "-o", str(out)]
    assert cli.main(made) == 0
    with zipfile.ZipFile(out) as found:
        assert found.namelist() == ["config.xml", "tasks.json"]
