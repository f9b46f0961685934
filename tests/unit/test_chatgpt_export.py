"""ChatGPT's export of conversations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.studies.own.study_proposal import propose_study
from medlens.tables.chatgpt_export import turn_conversations_of_chatgpt_into_dialogues_and_tell


def message(role: str, *parts: Any) -> dict[str, Any]:
    content = {"content_type": "text", "parts": list(parts)}
    slug = {"model_slug": "gpt-4o"} if role == "assistant" else {}
    return {"author": {"role": role}, "content": content, "metadata": slug}


def chat(at: int) -> dict[str, Any]:
    nodes = {
        "root": {"message": None, "parent": None},
        f"a{at}": {"message": message("system", ""), "parent": "root"},
        f"b{at}": {"message": message("user", f"What is {at}?"), "parent": f"a{at}"},
        # An answer that was asked for again stands beside the one that replaced it.
        f"c{at}": {"message": message("assistant", f"It was {at}."), "parent": f"b{at}"},
        f"d{at}": {"message": message("assistant", f"It is {at}."), "parent": f"b{at}"},
        f"e{at}": {"message": message("user", "Thanks.", {"asset": "x"}), "parent": f"d{at}"},
    }
    mapping = {name: {"id": name, "children": [], **one} for name, one in nodes.items()}
    return {"title": f"About {at}", "mapping": mapping, "current_node": f"e{at}", "id": f"n{at}"}


def test_each_conversation_is_a_dialogue_as_it_was_shown_last() -> None:
    empty = {**chat(9), "current_node": "root"}
    rows, told = turn_conversations_of_chatgpt_into_dialogues_and_tell([chat(1), empty, chat(2)])
    assert [row["id"] for row in rows] == ["n1", "n2"]
    assert [turn["content"] for turn in rows[0]["conversation"]] == [
        *("What is 1?", "It is 1.", "Thanks.")
    ]
    assert "1 without a message is left out. 2 pictures or files are not shown in it." in told


def test_a_tree_without_its_end_or_in_a_circle_is_read_all_the_same() -> None:
    open_end = chat(1)
    del open_end["current_node"]
    circle = chat(2)
    circle["mapping"]["b2"]["parent"] = "e2"
    rows, _ = turn_conversations_of_chatgpt_into_dialogues_and_tell([open_end, circle])
    assert [len(row["conversation"]) for row in rows] == [3, 3]


def test_a_file_of_conversations_is_proposed_as_dialogues_without_the_model(tmp_path: Path) -> None:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps([chat(at) for at in range(1, 5)]), encoding="utf-8")
    seen = reader_client.read_file_description_by_process(Settings(), path, path.name)
    made = propose_study(seen.rows, title="T")
    assert {one.name: one.role for one in made.columns} == {
        "id": "id",
        "conversation": "dialogue",
        "model": "group",
    }
    assert any("this is ChatGPT's export" in note for note in seen.notes)
