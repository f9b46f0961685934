"""What a table says was chosen becomes the judgment of a rater, which no reviewer is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import consensus, further_columns_of_imported_items
from medlens.store import Store
from medlens.studies.own.imported_preferences import RATER, arm_named_by_cell
from medlens.studies.own.study import open_study
from medlens.studies.own.study_proposal import propose_study

ADVICE = "They should come in today because of the stiff neck, case {}."
WAIT = "They may wait for a week and drink a lot in the meantime, case {}."


def rows_of(first: str, second: str, **more: Any) -> list[dict[str, Any]]:
    """Four questions with two answers; ``more`` are further columns, a cell for each question."""
    return [
        {"prompt": f"My neck is stiff, {at}", first: ADVICE.format(at), second: WAIT.format(at)}
        | {name: cells[at] for name, cells in more.items()}
        for at in range(4)
    ]


def added(store: Store, rows: list[dict[str, Any]]) -> dict[str, str]:
    """The choices kept of a table, by item."""
    found = propose_study(rows, title="Choices")
    assert not found.looked.faults
    shown = set(found.declared.shown_text_columns)
    assert shown == {"prompt", "answer"}
    assert any(RATER in told for told in found.told)
    work_behind_commands.declare_study_and_return_report_text(store, found.text, "s.toml")
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    for _ in range(2):
        done = work_behind_commands.import_file(
            store, Settings(), "own-items", lines, name="t.jsonl", dataset="choices"
        )
    assert any(f"are judgments of “{RATER}”" in note for note in done.notes)
    study = open_study(store, Settings(), "choices")
    judged = consensus.current_judgments(store, study.task, dataset="choices", viewer=None)
    assert set(judged["rater"]) <= {RATER}
    return {
        str(item): str(value.answers["better"])
        for item, value in zip(judged["item"], judged["value"], strict=True)
    }


def test_the_chosen_answer_of_each_row_is_the_one_preferred(store: Store) -> None:
    rows = rows_of("rejected", "chosen", margin=[1.0, 2.0, 1.5, 3.0])
    assert added(store, rows) == dict.fromkeys("1234", "chosen")


def test_what_is_made_of_a_choice_is_no_further_column_of_the_items(store: Store) -> None:
    rows = rows_of("rejected", "chosen", item=["q1", "q2", "q3", "q4"])
    found = propose_study(rows, title="Choices")
    work_behind_commands.declare_study_and_return_report_text(store, found.text, "s.toml")
    lines = "".join(json.dumps(row | {"seen": "yes"}) + "\n" for row in rows).encode()
    done = work_behind_commands.import_file(
        store, Settings(), "own-items", lines, name="t.jsonl", dataset="choices"
    )
    assert [note for note in done.notes if "urther columns" in note] == [
        "Further columns kept with the items: seen."
    ]
    kept = further_columns_of_imported_items.further_columns_by_item(store, "own", "choices")
    assert [dict(one) for one in kept.values()] == [{"seen": "yes"}] * 4


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("columns", "cells", "expected"),
    [
        (("response_a", "response_b"), ["model_a", "b", "tie", ""], ["a", "b", "tie"]),
        (("response_a", "response_b"), ["A", "B", "tie (bothbad)", None], ["a", "b", "tie"]),
        (("response_a", "response_b"), ["response_b", "Response A", "a", "NaN"], ["b", "a", "a"]),
        (("response_a", "response_b"), [0, 1, 1, ""], ["a", "b", "b"]),
        (("response_a", "response_b"), ["1", "2", 2, ""], ["a", "b", "b"]),
        (("Answer GPT-4o", "Answer Llama 3"), ["gpt4o", "Llama-3", "draw", "-"],
         ["GPT-4o", "Llama 3", "tie"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("heading", ["winner", "label"])
def test_a_column_that_says_which_was_better_is_read_and_hidden(
    store: Store, columns: tuple[str, str], cells: list[Any], expected: list[str], heading: str
) -> None:
    rows = rows_of(*columns, **{heading: cells})
    assert added(store, rows) == dict(zip("123", expected, strict=True))


@pytest.mark.parametrize("said", ["c", "7", "gpt", "yes", "aa", ""])
def test_what_names_no_answer_is_no_choice(said: str) -> None:
    assert arm_named_by_cell(said, ["a", "b"]) == ""
