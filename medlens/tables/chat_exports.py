"""The rows of what chat programs export of a person's account: a conversation in each row.

ChatGPT's and DeepSeek's ``conversations.json`` hold the messages as a tree, by ids of their own;
Claude's as a list, Open WebUI's as both.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from medlens.tables.json_and_parquet_object_reader import Found

_SPEAKERS: Mapping[str, str] = {
    "user": "user",
    "human": "user",
    "request": "user",
    "assistant": "assistant",
    "response": "assistant",
}
_NO_WORDS = frozenset(
    [
        *("thoughts", "reasoning_recap", "user_editable_context", "model_editable_context"),
        *("execution_output", "system_error", "tether_browsing_display", "tether_quote"),
        *("thinking", "think", "redacted_thinking", "tool_use", "tool_result", "token_budget"),
    ]
)
"""Kinds of content that no reader of the chat saw as an answer."""
_MARKS_OF_SOURCES = re.compile("\ue200[^\ue201]*\ue201|[\ue200-\ue206]")
"""Signs that ChatGPT draws as buttons that lead to sources."""
_FILE = "[file]"
_STEPS = "messages to and from tools, thoughts and settings"


@dataclass
class _Told:
    """What was left out of the conversations, by what it is."""

    left: Counter[str] = field(default_factory=Counter)
    files: int = 0
    read_files: int = 0

    def add(self, other: _Told) -> None:
        """Add what was left out of another conversation."""
        self.left.update(other.left)
        self.files += other.files
        self.read_files += other.read_files


_Turns = list[dict[str, str]]


def rows_of_chat_export_or_objects(
    objects: Iterator[Found], name: str, notes: list[str]
) -> Iterator[Found]:
    """The conversations of a chat program's export, each with its turns under ``conversation``; of
    any other file its objects as they are. What was decided is added to ``notes``.
    """
    looked_at: list[Found] = []
    program, reader = "", None
    for found in objects:
        looked_at.append(found)
        if not _is_empty_tree(found.value):
            program, reader = _reader_of(found.value)
            break
    rest = chain(looked_at, objects)
    if reader is None:
        yield from rest
        return
    notes.append(
        f"{name} holds conversations exported from {program}: a row for each, with its turns in the"
        " column 'conversation'. Times, ids and settings are left out."
    )
    told = _Told()
    count = 0
    for found in rest:
        if found.problem or not isinstance(found.value, Mapping):
            yield found
            continue
        of_this = _Told()
        try:
            turns, models = reader(found.value, of_this)
        except (TypeError, AttributeError):
            # A list or a number where the program writes a word or a list: no reason to refuse the
            # other conversations.
            told.left[f"conversations that are not as {program} writes them"] += 1
            continue
        told.add(of_this)
        if not turns:
            told.left["conversations without a message"] += 1
            continue
        count += 1
        row = {
            "conversation_id": _id_of(found.value) or str(count),
            "conversation": turns,
            **({"model": ", ".join(dict.fromkeys(models))} if models else {}),
            # What a program called it is nothing that was asked.
            "chat_name": found.value.get("title") or found.value.get("name") or "",
        }
        yield Found(found.line, row, json.dumps(row, ensure_ascii=False, default=str))
    if told.left:
        each = ", ".join(f"{what} ({count:,})" for what, count in told.left.items())
        notes.append(f"{name}: also left out: {each}.")
    if told.files:
        messages = "1 message had" if told.files == 1 else f"{told.files:,} messages had"
        notes.append(
            f"{name}: {messages} pictures or files, which are not in the export. Reviewers see"
            f" “{_FILE}” in their place."
        )
    if told.read_files:
        files = (
            "1 file that was" if told.read_files == 1 else f"{told.read_files:,} files that were"
        )
        notes.append(f"{name}: the text of {files} given to the chat is shown in its turn.")


_Reader = Callable[[Mapping[str, Any], _Told], tuple[_Turns, list[str]]]


def _reader_of(value: Any) -> tuple[str, _Reader | None]:
    """Whose export a conversation is from, and what reads it."""
    if not isinstance(value, Mapping):
        return "", None
    if _is_tree(value.get("mapping")):
        has_fragments = any(
            isinstance(node.get("message"), Mapping) and "fragments" in node["message"]
            for node in value["mapping"].values()
        )
        return ("DeepSeek" if has_fragments else "ChatGPT"), _turns_of_tree
    listed = value.get("chat_messages")
    if isinstance(listed, list) and all(isinstance(o, Mapping) and "sender" in o for o in listed):
        return "Claude", _turns_of_claude
    chat = value.get("chat")
    if isinstance(chat, Mapping) and isinstance(chat.get("messages"), list) and "history" in chat:
        return "Open WebUI", _turns_of_open_webui
    return "", None


def _is_empty_tree(value: Any) -> bool:
    """Whether a conversation is one that was opened and never used: it tells nothing of whose."""
    return isinstance(value, Mapping) and "mapping" in value and not value["mapping"]


def _is_tree(mapping: Any) -> bool:
    return (
        isinstance(mapping, Mapping)
        and bool(mapping)
        and all(
            isinstance(o, Mapping) and {"message", "children"} <= o.keys() for o in mapping.values()
        )
    )


def _id_of(value: Mapping[str, Any]) -> str:
    known = (value.get(key) for key in ("conversation_id", "id", "uuid"))
    return next((one for one in known if isinstance(one, str) and one), "")


def _turns_of_tree(value: Mapping[str, Any], told: _Told) -> tuple[_Turns, list[str]]:
    """The turns on the branch that was in sight last; others were edited or asked for again."""
    mapping = value.get("mapping") or {}
    if mapping and not _is_tree(mapping):
        raise TypeError("The messages are no tree.")
    branch = _branch_in_sight(mapping, value.get("current_node"))
    turns: _Turns = []
    models: list[str] = []
    for node in branch:
        for turn, model in _turns_of_message(node.get("message"), told):
            turns.append(turn)
            models += [model] if model and turn["role"] == "assistant" else []
    elsewhere = _Told()
    seen = set(map(id, branch))
    for node in mapping.values():
        if id(node) not in seen and list(_turns_of_message(node.get("message"), elsewhere)):
            told.left["messages that were edited or answered again later"] += 1
    default = value.get("default_model_slug")
    return turns, models or ([default] if isinstance(default, str) and default else [])


def _branch_in_sight(
    mapping: Mapping[str, Mapping[str, Any]], current: Any
) -> list[Mapping[str, Any]]:
    """The nodes from the root to the ``current`` one; to the last child of each, if it is not
    known.
    """
    if not isinstance(current, str) or current not in mapping:
        at = next((key for key, node in mapping.items() if node.get("parent") not in mapping), "")
        passed: set[str] = set()
        while at in mapping and at not in passed:
            passed.add(at)
            children = [one for one in mapping[at].get("children") or () if one in mapping]
            current, at = at, children[-1] if children else ""
    found: list[Mapping[str, Any]] = []
    held: set[Any] = set()
    while current in mapping and current not in held:
        held.add(current)
        found.append(mapping[current])
        current = mapping[current].get("parent")
    found.reverse()
    return found


def _turns_of_message(message: Any, told: _Told) -> Iterator[tuple[dict[str, str], str]]:
    """The turns of a message that a reader of the chat saw, each with its model ("" if unknown)."""
    if not isinstance(message, Mapping):
        return
    about = message.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    model = str(message.get("model") or about.get("model_slug") or "")
    if isinstance(message.get("fragments"), list):
        for part in message["fragments"]:
            kind = str(part.get("type") or "").casefold() if isinstance(part, Mapping) else ""
            if kind in _SPEAKERS and isinstance(part.get("content"), str):
                yield {"role": _SPEAKERS[kind], "content": part["content"]}, model
            elif kind:
                told.left[_STEPS] += 1
        return
    author = message.get("author")
    role = author.get("role") if isinstance(author, Mapping) else message.get("role")
    content = message.get("content")
    kind = content.get("content_type", "") if isinstance(content, Mapping) else ""
    to_a_tool = message.get("recipient") not in (None, "all")
    # What a model wrote to a tool, what that gave back, and what it was told beforehand.
    aside = kind in _NO_WORDS or to_a_tool or role not in _SPEAKERS
    if aside or about.get("is_visually_hidden_from_conversation"):
        told.left[_STEPS] += kind in _NO_WORDS or bool(_words_of(content, _Told()))
        told.left = +told.left
        return
    said = _words_of(content, told)
    if not said:
        return
    yield {"role": _SPEAKERS[str(role)], "content": said}, model


def _words_of(content: Any, told: _Told) -> str:
    """The words of a content, with a mark for each picture or file."""
    if isinstance(content, str):
        return _MARKS_OF_SOURCES.sub("", content).strip()
    if not isinstance(content, Mapping):
        return ""
    if not isinstance(content.get("parts"), list):
        text = content.get("text", content.get("content"))
        return _words_of(text, told) if isinstance(text, str) else ""
    words = []
    held = 0
    for part in content["parts"]:
        text = part.get("text") if isinstance(part, Mapping) else part
        if isinstance(text, str):
            words.append(_MARKS_OF_SOURCES.sub("", text).strip())
        elif isinstance(part, Mapping) and "audio" not in str(part.get("content_type")):
            words.append(_FILE)
            held = 1
    told.files += held
    return "\n\n".join(filter(None, words))


def _turns_of_claude(value: Mapping[str, Any], told: _Told) -> tuple[_Turns, list[str]]:
    turns: _Turns = []
    for message in value.get("chat_messages") or ():
        if not isinstance(message, Mapping) or message.get("sender") not in _SPEAKERS:
            continue
        parts = message.get("content")
        parts = (
            [one for one in parts if isinstance(one, Mapping)] if isinstance(parts, list) else []
        )
        words = [
            str(one["text"]).strip()
            for one in parts
            if one.get("type", "text") == "text" and isinstance(one.get("text"), str)
        ]
        told.left[_STEPS] += len(parts) - len(words)
        if not any(words) and isinstance(message.get("text"), str):
            words = [message["text"].strip()]
        words += _files_of_claude(message, told)
        if said := "\n\n".join(filter(None, words)):
            turns.append({"role": _SPEAKERS[message["sender"]], "content": said})
    told.left = +told.left
    return turns, []


def _files_of_claude(message: Mapping[str, Any], told: _Told) -> list[str]:
    """The words of the files that a message was given, each below its name; and a mark if there are
    some whose words the export does not hold.
    """
    words: list[str] = []
    read: set[str] = set()
    is_missing = False
    for one in message.get("attachments") or ():
        text = one.get("extracted_content")
        if isinstance(text, str) and text.strip():
            called = str(one.get("file_name") or "")
            read.add(called)
            words.append(f"[{f'file {called}' if called else 'file'}]\n{text.strip()}")
            told.read_files += 1
        else:
            is_missing = True
    # A file whose text was read may be named in both lists.
    if is_missing or any(one.get("file_name") not in read for one in message.get("files") or ()):
        words.append(_FILE)
        told.files += 1
    return words


def _turns_of_open_webui(value: Mapping[str, Any], told: _Told) -> tuple[_Turns, list[str]]:
    chat = value.get("chat")
    turns: _Turns = []
    models: list[str] = []
    listed = chat.get("messages") if isinstance(chat, Mapping) else None
    for message in listed or ():
        if not isinstance(message, Mapping) or message.get("role") not in _SPEAKERS:
            continue
        if said := _words_of(message.get("content"), told):
            turns.append({"role": _SPEAKERS[message["role"]], "content": said})
            models += [str(message["model"])] if message.get("model") else []
    return turns, models
