"""What chat programs export of an account becomes a dialogue in each row."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.studies.own.study_proposal import propose_study
from medlens.tables import iterate_rows_of_table_file

QUESTION = "My newborn is six days old and the whites of her eyes are yellow. Is that dangerous?"
ANSWER = "Mild jaundice is common, but please see a midwife today, sooner if she feeds poorly."
TURNS = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": ANSWER}]


def read(value: Any) -> tuple[list[dict[str, Any]], str]:
    """The rows of a JSON file and what was told."""
    notes: list[str] = []
    rows = iterate_rows_of_table_file(
        json.dumps(value).encode(), name="conversations.json", notes=notes
    )
    return [row.values for row in rows], "\n".join(notes)


def node(key: str, parent: str | None, *children: str, **message: Any) -> dict[str, Any]:
    return {"id": key, "parent": parent, "children": [*children], "message": message or None}


def said(role: str, *parts: Any, kind: str = "text", **more: Any) -> dict[str, Any]:
    return {
        "author": {"role": role},
        "content": {"content_type": kind, "parts": [*parts]},
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {},
        **more,
    }


def chat_of_chatgpt(key: str, *nodes: dict[str, Any], current: str = "") -> dict[str, Any]:
    """A conversation as ChatGPT exports it: each message has an id of its own."""
    return {
        "title": f"Yellow eyes {key}",
        "create_time": 1760000000.5,
        "mapping": {one["id"]: one for one in nodes},
        "current_node": current or nodes[-1]["id"],
        "conversation_id": f"68e0-{key}",
        "default_model_slug": "gpt-4o",
    }


def plain_chat(key: str) -> dict[str, Any]:
    return chat_of_chatgpt(
        key,
        node(f"r{key}", None, f"q{key}"),
        node(f"q{key}", f"r{key}", f"a{key}", **said("user", QUESTION)),
        node(f"a{key}", f"q{key}", **said("assistant", ANSWER)),
    )


def test_an_export_of_chatgpt_has_a_dialogue_in_each_row() -> None:
    rows, told = read([plain_chat(key) for key in "abc"])
    assert [row["conversation"] for row in rows] == [TURNS] * 3
    assert [row["conversation_id"] for row in rows] == ["68e0-a", "68e0-b", "68e0-c"]
    assert "conversations exported from ChatGPT" in told
    found = propose_study(rows, title="Chats")
    assert {one.name: one.role for one in found.columns} == {
        "conversation_id": "id",
        "conversation": "dialogue",
        "model": "group",
        "chat_name": "hidden",
    }


def test_of_chatgpt_only_the_version_in_sight_is_read_and_the_rest_is_told() -> None:
    chat = chat_of_chatgpt(
        "a",
        node("r", None, "s"),
        node("s", "r", "q", **said("system", "")),
        node("q", "s", "old", "t", **said("user", {"asset_pointer": "sediment://1"}, QUESTION)),
        node("old", "q", **said("assistant", "Do not worry.")),
        node("t", "q", "c", **said("assistant", kind="thoughts", thoughts=[{"content": "Hm"}])),
        node("c", "t", "b", **said("assistant", "search('bilirubin')", recipient="web")),
        node("b", "c", "a", **said("tool", "Bilirubin is a pigment.")),
        node("a", "b", **said("assistant", ANSWER + "\ue200cite\ue202turn0search1\ue201")),
    )
    rows, told = read([chat])
    assert rows[0]["conversation"] == [
        {"role": "user", "content": f"[file]\n\n{QUESTION}"},
        TURNS[1],
    ]
    assert "messages to and from tools, thoughts and settings (3)" in told
    assert "messages that were edited or answered again later (1)" in told
    assert "1 message had pictures or files" in told


def test_without_the_node_in_sight_the_last_version_is_read() -> None:
    chat = plain_chat("a")
    del chat["current_node"]
    assert read([chat])[0][0]["conversation"] == TURNS


def test_an_export_of_deepseek_has_its_requests_and_responses() -> None:
    asked = {"fragments": [{"type": "REQUEST", "content": QUESTION}], "model": "deepseek-chat"}
    answered = {
        "fragments": [
            {"type": "THINK", "content": "Jaundice?"},
            {"type": "RESPONSE", "content": ANSWER},
        ],
        "model": "deepseek-reasoner",
    }
    nodes = [node("root", None, "1"), node("1", "root", "2", **asked), node("2", "1", **answered)]
    rows, told = read([{"id": "d1", "title": "Eyes", "mapping": {one["id"]: one for one in nodes}}])
    assert rows[0]["conversation"] == TURNS
    assert rows[0]["model"] == "deepseek-reasoner"
    assert "exported from DeepSeek" in told
    assert "messages to and from tools, thoughts and settings (1)" in told


def test_an_export_of_claude_has_its_messages_and_nothing_of_the_account() -> None:
    chats = [
        {
            "uuid": f"u{at}",
            "name": "Yellow eyes",
            "account": {"uuid": "somebody"},
            "chat_messages": [
                {"sender": "human", "text": QUESTION, "content": [], "files": []},
                {
                    "sender": "assistant",
                    "text": "",
                    "content": [
                        {"type": "thinking", "thinking": "Jaundice?"},
                        {"type": "text", "text": ANSWER},
                    ],
                },
            ],
        }
        for at in (1, 2)
    ]
    rows, told = read(chats)
    assert [row["conversation"] for row in rows] == [TURNS] * 2
    assert [*rows[0]] == ["conversation_id", "conversation", "chat_name"]
    assert "exported from Claude" in told


def chat_of_claude(**of_question: Any) -> dict[str, Any]:
    asked = {"sender": "human", "text": QUESTION, "content": [], **of_question}
    return {
        "uuid": "u",
        "name": "n",
        "chat_messages": [asked, {"sender": "assistant", "text": ANSWER}],
    }


def test_the_text_of_a_file_that_claude_was_given_is_part_of_its_turn() -> None:
    given = {"file_name": "lab.txt", "extracted_content": "Bilirubin 14 mg/dl\n"}
    rows, told = read([chat_of_claude(attachments=[given], files=[{"file_name": "lab.txt"}])])
    asked = rows[0]["conversation"][0]["content"]
    assert asked == f"{QUESTION}\n\n[file lab.txt]\nBilirubin 14 mg/dl"
    assert "the text of 1 file that was given to the chat is shown in its turn" in told
    assert "does not hold" not in told


def test_a_file_of_claude_without_its_text_is_told_beside_one_with_it() -> None:
    given = {"file_name": "", "extracted_content": "Bilirubin 14 mg/dl"}
    rows, told = read([chat_of_claude(attachments=[given], files=[{"file_name": "eyes.png"}])])
    asked = rows[0]["conversation"][0]["content"]
    assert asked == f"{QUESTION}\n\n[file]\nBilirubin 14 mg/dl\n\n[file]"
    assert "1 message had pictures or files, which are not in the export" in told


def spoil(chat: dict[str, Any], node: str, *keys: str, value: Any) -> dict[str, Any]:
    place = chat["mapping"][node]
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    return chat


@pytest.mark.parametrize(
    "odd",
    [
        spoil(plain_chat("a"), "aa", "parent", value=["qa"]),
        spoil(plain_chat("a"), "aa", "message", "author", "role", value=["assistant"]),
        spoil(plain_chat("a"), "aa", "message", "content", "content_type", value=["text"]),
        {**spoil(plain_chat("a"), "qa", "children", value=5), "current_node": None},
        {**spoil(plain_chat("a"), "qa", "children", value=[{"id": "aa"}]), "current_node": None},
        {"mapping": {"a": {"x": 1}}},
    ],
)
def test_an_odd_conversation_is_left_out_alone_and_told(odd: dict[str, Any]) -> None:
    rows, told = read([plain_chat("b"), odd, plain_chat("c")])
    assert [row["conversation_id"] for row in rows] == ["68e0-b", "68e0-c"]
    assert "also left out: conversations that are not as ChatGPT writes them (1)." in told


@pytest.mark.parametrize("odd", [{"sender": ["human"]}, {"attachments": [5]}, {"files": 5}])
def test_an_odd_conversation_of_claude_is_left_out_alone_and_told(odd: dict[str, Any]) -> None:
    rows, told = read([chat_of_claude(**odd), chat_of_claude()])
    assert len(rows) == 1
    assert "conversations that are not as Claude writes them (1)" in told


def test_an_export_that_begins_with_a_conversation_without_anything_is_known() -> None:
    empty: dict[str, Any] = {"title": "New chat", "mapping": {}, "current_node": None}
    rows, told = read([empty, empty, plain_chat("a")])
    assert [row["conversation"] for row in rows] == [TURNS]
    assert "conversations exported from ChatGPT" in told
    assert "conversations without a message (2)" in told


def test_rows_of_a_table_whose_first_mapping_is_empty_stay_as_they_are() -> None:
    rows, told = read([{"id": "1", "mapping": {}}, {"id": "2", "mapping": {"a": "b"}}])
    assert [row["id"] for row in rows] == ["1", "2"]
    assert told == ""


def test_an_export_of_open_webui_has_its_messages_with_the_model() -> None:
    messages = [TURNS[0], {**TURNS[1], "model": "llama3.1:8b"}]
    chat = {
        "id": "w1",
        "title": "Eyes",
        "chat": {"history": {"messages": {}}, "messages": messages},
    }
    rows, _ = read([chat])
    assert rows[0]["conversation"] == TURNS
    assert rows[0]["model"] == "llama3.1:8b"


def test_a_conversation_without_a_message_is_left_out_and_told() -> None:
    rows, told = read([plain_chat("a"), chat_of_chatgpt("b", node("r", None))])
    assert len(rows) == 1
    assert "also left out: conversations without a message (1)" in told


def test_other_columns_of_that_name_stay_as_they_are() -> None:
    rows, told = read([{"id": "1", "mapping": {"a": "b"}, "answer": ANSWER}])
    assert [*rows[0]] == ["id", "mapping", "answer"]
    assert "exported from" not in told
