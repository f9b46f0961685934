"""HealthBench's published files: conversations, answers and physicians' labels, into a study."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.app import work_behind_commands
from medlens.bridges import import_from_healthbench
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.store import Store
from medlens.studies.own import study
from medlens.studies.own.study_file import TEMPLATES

pytestmark = pytest.mark.usefixtures("read_near")

TURNS = [{"role": "user", "content": "My nose bleeds."}]
RUBRICS = [
    {"criterion": "Says to lean forward", "points": 7, "tags": ["level:example", "axis:accuracy"]},
    {"criterion": "Is rude", "points": -2, "tags": ["axis:communication_quality"]},
]
FIRST: dict[str, Any] = {
    "example_tags": ["theme:emergency_referrals", "physician_agreed_category:emergent"],
    "ideal_completions_data": {
        "ideal_completion": "Lean forward and pinch.",
        "ideal_completions_group": "Group 2",
        "ideal_completions_ref_completions": ["Lean back.", "Wait."],
    },
    "prompt": TURNS,
    "prompt_id": "p1",
    "rubrics": RUBRICS,
    "canary": "healthbench:0",
}
SECOND = FIRST | {
    "prompt_id": "p2",
    "ideal_completions_data": None,
    "prompt": [{"role": "user", "content": "I cough."}],
}
LABELS: dict[str, Any] = {
    "prompt": TURNS,
    "prompt_id": "p1",
    "completion": "Lean forward.",
    "completion_id": "c1",
    "category": "emergency_referrals",
}


def label(rubric: str, met: list[bool], who: list[str]) -> dict[str, Any]:
    return LABELS | {"rubric": rubric, "binary_labels": met, "anonymized_physician_ids": who}


@pytest.fixture
def bench(store: Store) -> Store:
    study.store_study_file_version_and_return_it(
        store, (TEMPLATES / "healthbench.toml").read_text(), name="h.toml", by=None
    )
    return store


def take(store: Store, *lines: dict[str, Any], **how: Any) -> work_behind_commands.Outcome:
    content = "\n".join(map(json.dumps, lines)).encode()
    return work_behind_commands.import_file(
        *(store, Settings(), "own-healthbench", content),
        name="oss_eval.jsonl",
        dataset="healthbench",
        **how,
    )


def export(store: Store, about: str) -> Any:
    return work_behind_commands.make_export_table(
        store, Settings(), about, viewer=None, dataset="healthbench"
    )


def test_conversations_become_items_with_the_physicians_answer_and_a_models(bench: Store) -> None:
    ours = {"prompt_id": "p2", "completion": "See a doctor.", "model": "m"}
    done = take(bench, FIRST, SECOND, ours)
    assert (done.added, done.known) == (4, 0)
    found = export(bench, "own-items").set_index("completion")
    assert found["model"].to_dict() == {
        "Lean forward and pinch.": "physicians",
        "Lean back.": "reference",
        "Wait.": "reference",
        "See a doctor.": "m",
    }
    assert set(found["theme"]) == {"emergency_referrals"}
    # The item is told by its conversation, and not by whose answer it is.
    assert all(name.startswith("p1-") for name in found["prompt_id"][:3])
    rubrics = json.loads(found.loc["Wait.", "rubrics"])
    assert [(one["points"], one["tags"]) for one in rubrics] == [
        (7, ["level:example", "axis:accuracy"]),
        (-2, ["axis:communication_quality"]),
    ]
    # Once more it is all known; later answers find their conversation in the store.
    assert (take(bench, FIRST, SECOND, ours).added, take(bench, ours).known) == (0, 1)
    assert take(bench, ours | {"completion": "Drink tea.", "model": "n"}).added == 1


def test_the_meta_evaluation_becomes_items_with_the_physicians_as_raters(bench: Store) -> None:
    lines = [
        label("Says to lean forward", [True, False], ["ab", "cd"]),
        label("Is brief", [True, True], ["ab", "ef"]),
        label("Is brief", [False], ["ab"]) | {"completion": "Lean back."},
    ]
    # Two answers, and judgments of three physicians and of one.
    assert take(bench, *lines).added == 2 + 4
    found = export(bench, "own-criteria")
    told = found[["rater", "criterion", "answer"]].sort_values(["rater", "criterion", "answer"])
    assert told.to_numpy().tolist() == [
        ["Physician ab", "Is brief", "met"],
        ["Physician ab", "Is brief", "not met"],
        ["Physician ab", "Says to lean forward", "met"],
        ["Physician cd", "Says to lean forward", "not met"],
        ["Physician ef", "Is brief", "met"],
    ]
    assert set(found["tags"]) == {"emergency_referrals"}
    assert found["item"].nunique() == 2
    assert (take(bench, *lines).added, take(bench, *lines).known) == (0, 6)


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("line", "said"),
    [
        (FIRST | {"prompt": "Hello"}, "column 'prompt'"),
        (FIRST | {"rubrics": [{"criterion": "x"}]}, "points"),
        (FIRST | {"ideal_completions_data": 3}, "an object, or null"),
        (label("x", [True], ["a", "b"]), "a physician for each label"),
        (label("x", [1], ["a"]), "a JSON list of true and false"),
        ({"prompt_id": "p9"}, "an answer, or the conversation's rubrics"),
        ({"completion": "x"}, "which conversation it is"),
        (SECOND, "there is no answer to judge in it"),
    ],
)
def test_lines_that_are_not_as_published_are_refused(
    bench: Store, line: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadFile) as refused:
        take(bench, line)
    assert said in str(refused.value)


def test_a_file_becomes_a_study_with_the_same_items_and_judgments_as_an_import_gives(
    store: Store,
) -> None:
    labels = label("Is brief", [True, False], ["ab", "ef"])
    ours = {"prompt_id": "p2", "completion": "See a doctor.", "model": "m"}
    lines = [FIRST, SECOND, ours, labels]
    made = import_from_healthbench.convert_healthbench_file_to_study_and_notes(
        "healthbench", "\n".join(map(json.dumps, lines)).encode()
    )
    study.store_study_file_version_and_return_it(store, made.study, name="h.toml", by=None)
    for kind, rows in (("own-items", made.items), ("own-judgments", made.judgments)):
        work_behind_commands.import_file(
            *(store, Settings(), kind, "\n".join(map(json.dumps, rows)).encode()),
            name="rows.jsonl",
            dataset="healthbench",
        )
    # Five answers and two physicians' judgments are there; more of them are told apart as before.
    assert (take(store, *lines).added, take(store, *lines).known) == (0, 7)
    assert take(store, ours | {"completion": "Drink tea.", "model": "n"}).added == 1
    assert (
        'id = "two_words"'
        in import_from_healthbench.convert_healthbench_file_to_study_and_notes(
            "Two words", json.dumps(FIRST).encode()
        ).study
    )


def test_one_bad_line_does_not_refuse_a_published_file() -> None:
    lines = [json.dumps(FIRST), "{", json.dumps(SECOND | {"rubrics": [{"criterion": 5}]})]
    found = import_from_healthbench.convert_healthbench_file_to_study_and_notes(
        "bench", "\n".join(lines).encode()
    )
    assert {row["prompt"][0]["content"] for row in found.items} == {"My nose bleeds."}
    told = " ".join(found.notes)
    assert "Left out: 2 lines that are not as published. The file, line 2: expected" in told
    assert """got '{"criterion": 5}'""" in told
    with pytest.raises(BadFile, match=r"no answer to judge in it\. The file, line 1"):
        import_from_healthbench.convert_healthbench_file_to_study_and_notes("bench", b"{")


def test_what_is_wrong_with_a_file_is_said_before_that_its_study_is_missing(store: Store) -> None:
    with pytest.raises(BadFile, match="column 'prompt'"):
        take(store, FIRST | {"prompt": "Hello"})
    with pytest.raises(InvalidInput, match="no study called 'healthbench'"):
        take(store, FIRST)


def test_answers_to_unknown_conversations_are_told_and_left_out(bench: Store) -> None:
    done = take(bench, FIRST, {"prompt_id": "other", "completion": "x", "model": "m"})
    assert done.added == 3
    assert any("1 answer is to no conversation" in note for note in done.notes)


@pytest.mark.deep
def test_the_worst_of_several_answers_to_a_conversation_is_expected_by_hand(bench: Store) -> None:
    take(bench, FIRST, SECOND, {"prompt_id": "p2", "completion": "See a doctor.", "model": "m"})
    names = export(bench, "own-items").set_index("completion")["prompt_id"]
    # Of 7 points: 7, less 2, and 5; p2 has one answer alone.
    said = {
        "Lean forward and pinch.": ("met", "not met"),
        "Lean back.": ("not met", "met"),
        "Wait.": ("met", "met"),
        "See a doctor.": ("met", "met"),
    }
    rows = [
        {"item": names[answer], "rater": "Rosa", "criteria_1": one, "criteria_2": two}
        for answer, (one, two) in said.items()
    ]
    content = "\n".join(map(json.dumps, rows)).encode()
    work_behind_commands.import_file(
        *(bench, Settings(), "own-judgments", content), name="j.jsonl", dataset="healthbench"
    )
    table = work_behind_commands.make_export_table(
        bench, Settings(), "figures", viewer=None, study="own", dataset="healthbench"
    )
    found = table[table["figure"] == "worst_criteria"].set_index("group")
    # Three pairs, of which two hold the worst and one the next: (-2 - 2 + 5) / 7 / 3.
    assert found.loc["k = 2", "value"] == pytest.approx(1 / 21)
    # The mean of the conversations is clipped, not each answer.
    assert found.loc["k = 3", "value"] == 0
    assert found.loc["k = 2", "n"] == 1
    # The two reference answers, of their own.
    assert found.loc["model: reference; k = 2", "value"] == 0
    assert not [name for name in found.index if "model: m;" in name]
