"""Files as clinicians send them are read as the browser and the command line read them."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.studies.own.study_proposal import Proposal
from tests.messy_tables import Messy
from tests.store.test_messy_tables import look_at

TURNS = [
    ("c1", 1, "user", "My stoma bag keeps leaking since yesterday."),
    ("c1", 2, "assistant", "Has the output become thinner, or is the skin sore?"),
    ("c2", 1, "user", "How do I taper prednisolone from 5 mg?"),
    ("c2", 2, "assistant", "That depends on how long you have taken it."),
]
TURNS_AS_OBJECTS = [
    dict(zip(("conversation_id", "turn", "role", "content"), one, strict=True)) for one in TURNS
]


def as_json_lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(rows).to_parquet(out)
    return out.getvalue()


def look(
    folder: Path, content: bytes | list[dict[str, Any]], file: str = "cases.csv"
) -> tuple[Proposal, str]:
    """The study proposed for a file with this content, and all that is told of it."""
    if isinstance(content, list):
        content = as_json_lines(content)
    proposal, notes = look_at(folder, Messy(file, content, -1))
    return proposal, "\n".join(notes)


def shown_in(proposal: Proposal) -> set[str]:
    declared = proposal.declared
    wide = declared.arms.wide if declared.arms else {}
    return {*declared.shown_text_columns, *(name for of in wide.values() for name in of.values())}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("turns.jsonl", as_json_lines(TURNS_AS_OBJECTS)),
        ("turns.json", json.dumps(TURNS_AS_OBJECTS).encode()),
        ("turns.parquet", as_parquet(TURNS_AS_OBJECTS)),
        (
            "nested.jsonl",
            as_json_lines(
                [
                    {"session": one, "message": {"role": role, "content": said}}
                    for one, _, role, said in TURNS
                ]
            ),
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_an_object_for_each_turn_becomes_a_dialogue_for_each_conversation(
    tmp_path: Path, file: str, content: bytes
) -> None:
    proposal, told = look(tmp_path, content, file)
    assert len(proposal.looked.items) == 2
    assert "the 4 turns are 2 conversations" in told
    assert [pane.kind for pane in proposal.declared.initial_panes] == ["dialogue"]


def test_objects_with_an_answer_each_are_no_turns(tmp_path: Path) -> None:
    rows = [{**one, "model": f"Model {at % 2}"} for at, one in enumerate(TURNS_AS_OBJECTS)]
    proposal, told = look(tmp_path, rows, "models.jsonl")
    assert "turns are" not in told
    assert proposal.declared.arms is not None
