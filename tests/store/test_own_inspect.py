"""Logs of Inspect as a study of one's own, with their scorers as raters."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from medlens import cli
from medlens.app import work_behind_commands
from medlens.bridges import import_from_inspect
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.own import study, study_file

pytestmark = pytest.mark.usefixtures("read_near")

# Both written by inspect_ai 0.3.285 with its mock of a model; in the first one somebody corrected
# a score. Its members are compressed by Zstandard.
ALPHA = Path(__file__).parent / "inspect_0_3_285.eval"
BETA = ALPHA.with_suffix(".json")


def log(*samples: dict[str, Any], **more: Any) -> bytes:
    told = {"task": "triage", "model": "lab/alpha"}
    return json.dumps({"version": 2, "eval": told, "samples": samples} | more).encode()


def sample(**more: Any) -> dict[str, Any]:
    scores = {"match": {"value": "C"}}
    return {"id": "a", "epoch": 1, "input": "Why?", "target": "So.", "scores": scores} | more


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return out.getvalue()


def test_logs_of_two_models_become_a_comparison_with_scorers_and_people_as_raters(
    store: Store,
) -> None:
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes(
        "Triage", ALPHA.read_bytes(), BETA.read_bytes()
    )
    assert found.notes == ()
    study.store_study_file_version_and_return_it(store, found.study, name="s.toml", by=None)
    for kind, rows in (("own-items", found.items), ("own-judgments", found.judgments)):
        content = "\n".join(map(json.dumps, rows)).encode()
        work_behind_commands.import_file(
            *(store, Settings(), kind, content), name="rows.jsonl", dataset="triage"
        )
    items = work_behind_commands.make_export_table(
        store, Settings(), "own-items", viewer=None, dataset="triage"
    )
    of = items.set_index(["item", "arm"])
    assert of.loc[("cold", "mockllm alpha"), "target"] == "No\nNot for a cold"
    assert [turn["content"] for turn in of.loc[("cold", "mockllm alpha"), "transcript"]][2:] == [
        'Let me look.\n\n[guideline: {"topic": "cold"}]',
        "Antibiotics do not help\nagainst a cold.",
        "Yes, take amoxicillin.",
    ]
    names = items.set_index("judged_as")[["item", "arm"]].agg(" ".join, axis=1).to_dict()
    told = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset="triage"
    )
    correct = {
        (names[row["item"]], row["rater"]): (row["rater_kind"], row["correct"], row["why"])
        for row in told.to_dict("records")
        if row["correct"]
    }
    judge = "model_graded_qa (mockllm/judge)"
    assert correct["chest mockllm alpha", judge] == (
        *("model", "Correct"),
        "It sends the person to help at once.\n\nGRADE: C",
    )
    assert correct["chest mockllm alpha", "rosa@example.org"] == (
        *("person", "Partially correct"),
        "It does not say which number.",
    )
    assert correct["cold mockllm beta", judge][1] == "Partially correct"
    assert correct["cold mockllm alpha", "includes"][1] == "Incorrect"
    graded = told[told["rater"] == "graded"]
    assert (
        graded[["score_graded_safe", "score_graded_tone"]].to_numpy().tolist() == [["yes", 4]] * 4
    )
    assert set(graded["why"]) == {"Polite 💊, and names the emergency number."}


def test_scores_are_asked_as_what_they_are() -> None:
    said = [
        {"tone": {"value": 0.5}, "kind": {"value": "rude"}, "lab/match": {"value": 1}},
        {"tone": {"value": float("nan")}, "kind": {"value": "kind"}, "match1": {"value": False}},
    ]
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes(
        "T", log(*(sample(id=at, scores=one) for at, one in enumerate(said)))
    )
    asked = {
        one.id: (one.kind, one.options)
        for one in study_file.parse_study_file(found.study).form.questions
    }
    assert asked == {
        "score_tone": ("number", ()),
        "score_kind": ("single", ("kind", "rude")),
        "correct": ("single", ("Correct", "Incorrect")),
        "why": ("long_text", ()),
    }
    assert [one["correct"] for one in found.judgments if "correct" in one] == [
        "Correct",
        "Incorrect",
    ]
    assert found.notes == ("Scores without a value, left out: 1.",)


def test_parts_of_turns_are_named_and_what_stands_elsewhere_is_put_in_its_place() -> None:
    turns = [
        {
            "role": "user",
            "content": [{"type": "text", "text": "attachment://x"}, {"type": "image"}],
        },
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "hm"}]},
        {"role": "tool", "content": "", "error": {"type": "timeout", "message": "too slow"}},
    ]
    told = {"attachments": {"x": "A long case."}, "output": {"completion": "Done."}}
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes(
        "T", log(sample(messages=turns, epoch=2, **told))
    )
    [row] = found.items
    assert row["item"] == "a epoch 2"
    assert [(one["role"], one["content"]) for one in row["transcript"]] == [
        ("user", "A long case.\n\n[image]"),
        ("tool", "[too slow]"),
        ("assistant", "Done."),
    ]
    assert found.notes == ("Passages of models' own reasoning, left out: 1.",)


def test_samples_that_failed_are_left_out_and_counted_and_those_in_two_logs_come_once() -> None:
    bad = [sample(id="b", error={"message": "x"}, scores={}), sample(id="c", invalidation={"a": 1})]
    again = log(sample(uuid="u"), sample(id="d", uuid="v"))
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes(
        "T", log(sample(uuid="u"), *bad), again
    )
    assert sorted(found.notes) == [
        "Samples that are in two of the logs, taken once: 1.",
        "Samples that ended in an error, left out: 1.",
        "Samples that somebody declared invalid, left out: 1.",
    ]
    # A second run of the same model is held apart from the first.
    assert [one["arm"] for one in found.items] == ["lab alpha", "lab alpha run 2"]


def test_an_older_log_and_one_that_was_not_finished_are_read_too() -> None:
    begun = json.dumps({"version": 2, "eval": {"task": "t", "model": "m"}}).encode()
    one = json.dumps(sample()).encode()
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes(
        "T", zipped({"_journal/start.json": begun, "samples/a_epoch_1.json": one})
    )
    assert [row["item"] for row in found.items] == ["a"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[]", "not a log of Inspect"),
        (b"{", "is not JSON"),
        (b"\xd7\x00\xff", "is not a log of Inspect"),
        (b"PK\x03\x04", "not a complete zip"),
        (zipped({"header.json": b"[]"}), "not a log of Inspect"),
        (zipped({"samples/a.json": b"{}"}), "not a log of Inspect"),
        (log(), "no samples"),
        (log(version=1), "early version"),
        (log({"epoch": 1}), "without an id"),
        (log(sample(error={"m": 1}, scores=None)), "was finished"),
        (b'{"eval": {}, "samples": ' + b"[" * 200_000, "is not JSON"),
        (ALPHA.read_bytes()[:-300], "not a complete zip"),
    ],
    ids=range(12),
)
def test_what_is_no_log_is_refused_in_words(content: bytes, said: str) -> None:
    with pytest.raises(BadFile, match=said):
        import_from_inspect.convert_inspect_logs_to_study_and_notes("T", content)


def test_a_member_that_unpacks_to_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = zipped({"header.json": b'{"eval": {}}', "samples/a.json": b" " * 5_000})
    monkeypatch.setattr(import_from_inspect, "_LARGEST", 4_000)
    with pytest.raises(BadFile, match=r"samples/\w+\.json, has more than 0 MB once unpacked"):
        import_from_inspect.convert_inspect_logs_to_study_and_notes("T", packed)
    monkeypatch.undo()
    monkeypatch.setattr(import_from_inspect, "UNPACKED", 4_000)
    with pytest.raises(BadFile, match="The log has more than 0 MB"):
        import_from_inspect.convert_inspect_logs_to_study_and_notes("T", packed)


def test_a_member_whose_checksum_is_another_is_damaged() -> None:
    content = ALPHA.read_bytes()
    name = b"samples/chest_epoch_1.json"
    # Its checksum stands 30 bytes before its name in the list at the end of the zip.
    at = content.rindex(name) - 30
    broken = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
    whole = import_from_inspect.convert_inspect_logs_to_study_and_notes("T", content)
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes("T", broken)
    assert len(found.items) == len(whole.items) - 1
    assert "Samples that cannot be read, left out: 1 (The log, samples/chest_epoch_1.json, is" in (
        " ".join(found.notes)
    )
    assert "its checksum is different" in " ".join(found.notes)


def test_one_broken_sample_does_not_refuse_a_log_and_two_of_one_id_are_two_items() -> None:
    given = log(sample(), {"epoch": 1}, sample(uuid="x", input="Another question."))
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes("T", given)
    assert [row["item"] for row in found.items] == ["a", "a (2)"]
    assert "Samples without an id, left out: 1 (The log, sample 2)." in found.notes
    assert "Samples with the id of another, renamed: 1." in found.notes


def test_the_command_takes_several_logs_and_calls_the_study_by_their_task(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called = tmp_path / "2026-11-24T19-26-45-00-00_first-aid_GtThj26XTzCnBh8jXv4Ebn.eval"
    called.write_bytes(ALPHA.read_bytes())
    out = tmp_path / "out"
    assert cli.main(["study", "from-inspect", str(BETA), str(called), "-o", str(out)]) == 0
    assert "study add" in capsys.readouterr().out
    made = study_file.parse_study_file((out / "STUDY.toml").read_text())
    assert (made.study_id, made.form.title) == ("first_aid", "First aid")
    assert made.arms is not None
    assert made.arms.names == ("mockllm alpha", "mockllm beta")


def test_a_log_that_cannot_be_read_is_left_out_and_told_beside_those_that_can() -> None:
    found = import_from_inspect.convert_inspect_logs_to_study_and_notes(
        "T", ALPHA.read_bytes(), b'{"eval": [}'
    )
    alone = import_from_inspect.convert_inspect_logs_to_study_and_notes("T", ALPHA.read_bytes())
    assert len(found.items) == len(alone.items)
    [note] = [note for note in found.notes if "Logs that cannot be read" in note]
    assert "left out: 1" in note
    assert "Log 2 is not JSON" in note
    with pytest.raises(BadFile, match="Log 1 is not JSON"):
        import_from_inspect.convert_inspect_logs_to_study_and_notes("T", b"{", b"{")
