"""The turns of a conversation, in whatever form chat models, data sets and people write them.

OpenAI's and Hugging Face's ``messages`` (content as text or in parts, tool calls), Anthropic's
content blocks, ShareGPT's ``conversations`` (``from``, ``value``), Gemini's ``parts``,
speakers with what they say, and pairs of what was asked and answered.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from medlens.studies.own.nested_values_in_text import parse_nested_value

_WHO = ("role", "from", "speaker", "author", "sender", "participant")
_WORDS = ("content", "value", "text", "utterance", "message", "parts", "body")
HELD_IN = ("messages", "conversations", "conversation", "turns", "dialogue", "dialog", "history")
"""What the list of turns is called in an object that holds one, and the columns of such lists."""
_SYSTEM = frozenset(["system", "developer"])
_TOOL = frozenset(["tool", "function", "observation", "function_response", "tool_response"])
_ROLES: Mapping[str, str] = {
    **dict.fromkeys(["human", "user"], "user"),
    **dict.fromkeys(["gpt", "chatgpt", "bing", "bard", "assistant", "model", "bot"], "assistant"),
    **dict.fromkeys(["function_call", "tool_call"], "tool call"),
    **dict.fromkeys(_TOOL, "tool"),
    **dict.fromkeys(_SYSTEM, "system"),
}
"""Roles of ShareGPT and its kin in one set of words, which name no model."""
_CALL = re.compile(r"(?m)^\[[\w.-]+: [{\[]")
"""A call of a tool among the words of a turn, as it is stored."""
_NAMED: Mapping[str, str] = {
    "system": "System prompt",
    "developer": "System prompt",
    "tool": "Tool result",
    "function": "Tool result",
    "tool call": "Tool call",
}


def parse_turns_of_dialogue(value: Any) -> list[dict[str, str]] | None:
    """A conversation as a list of turns, each with ``role`` and ``content``; None if ``value`` is
    none. A text that holds such a list is read too; a missing value is a conversation of no turns.
    """
    if value is None or value == "":
        return []
    if isinstance(value, str):
        value = parse_nested_value(value)
    if isinstance(value, Mapping):
        held = next((value[name] for name in HELD_IN if isinstance(value.get(name), list)), None)
        if held is None:
            return None
        system = _words_of(value.get("system")) if value.get("system") else ""
        begin = [{"role": "system", "content": system}] if system else []
        turns = parse_turns_of_dialogue(held)
        return None if turns is None else begin + turns
    if not isinstance(value, list | tuple):
        return None
    if value and all(map(_is_exchange, value)):
        return [
            {"role": role, "content": words}
            for exchange in value
            for role, words in zip(("user", "assistant"), exchange, strict=True)
            if words
        ]
    found = []
    for turn in value:
        made = _turn(turn) if isinstance(turn, Mapping) else None
        if made is None:
            return None
        found.append(made)
    return found


def _is_exchange(turn: Any) -> bool:
    pair = isinstance(turn, list | tuple) and len(turn) == 2 and isinstance(turn[0], str)
    return bool(pair and (turn[1] is None or isinstance(turn[1], str)))


def is_list_of_turns(value: Any) -> bool:
    """Whether a value is a list whose objects all say who speaks, and hold words."""
    return (
        isinstance(value, list | tuple)
        and bool(value)
        and all(isinstance(turn, Mapping) and _who(turn) and _has_words(turn) for turn in value)
    )


def _who(turn: Mapping[str, Any]) -> str:
    return next((name for name in _WHO if isinstance(turn.get(name), str)), "")


def _has_words(turn: Mapping[str, Any]) -> bool:
    return bool(turn.keys() & {*_WORDS, "tool_calls", "function_call"})


def _turn(turn: Mapping[str, Any]) -> dict[str, str] | None:
    who = _who(turn)
    words = _words_of_turn(turn) if who else None
    if words is None:
        return None
    role = turn[who]
    if _is_tool_result(turn):
        # Anthropic has it in the user's name.
        return {"role": "tool", "content": words}
    # What chat models are sent is kept as it is written; others' roles can name a model.
    if who != "role" or "content" not in turn:
        role = _ROLES.get(role.strip().casefold(), role)
    return {"role": role, "content": words}


def _is_tool_result(turn: Mapping[str, Any]) -> bool:
    """Whether a turn is nothing but what tools gave back."""
    parts = turn.get("content")
    return (
        isinstance(parts, list | tuple)
        and bool(parts)
        and all(isinstance(part, Mapping) and part.get("type") == "tool_result" for part in parts)
    )


def _words_of_turn(turn: Mapping[str, Any]) -> str | None:
    """The words of a turn; None if it has none. Parts that are not text are only named, and calls
    of tools are told with what they were given.
    """
    name = next((name for name in _WORDS if name in turn), "")
    content = turn.get(name) if name else None
    calls = turn.get("tool_calls") or []
    if isinstance(turn.get("function_call"), Mapping):
        calls = [*calls, turn["function_call"]]
    if isinstance(content, str) and not calls and not isinstance(turn.get("refusal"), str):
        return content
    if not isinstance(calls, list | tuple):
        return None
    words = _words_of(content)
    if words is None:
        return None
    said = [words]
    if isinstance(turn.get("refusal"), str):
        said.append(turn["refusal"])
    for call in calls:
        of = call.get("function", call) if isinstance(call, Mapping) else None
        if not isinstance(of, Mapping) or not isinstance(of.get("name"), str):
            return None
        said.append(f"[{of['name']}: {of.get('arguments', '')}]")
    said = [words for words in said if words]
    return "\n\n".join(said) if name or said else None


def _words_of(content: Any) -> str | None:
    """The words of a content: a text, or parts, of which those that are not text are only named."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list | tuple):
        return None
    said = []
    for part in content:
        words = _words_of_part(part)
        if words is None:
            return None
        said.append(words)
    return "\n\n".join(filter(None, said))


def _words_of_part(part: Any) -> str | None:
    held = part if isinstance(part, Mapping) else {"text": part}
    words = held.get("text", held.get("refusal"))
    if isinstance(words, str):
        return words
    kind = held.get("type")
    if kind == "tool_use" and isinstance(held.get("name"), str):
        given = json.dumps(held.get("input", {}), ensure_ascii=False, default=str)
        return f"[{held['name']}: {given}]"
    if kind == "tool_result":
        return _words_of(held.get("content"))
    if isinstance(held.get("functionCall"), Mapping):
        kind = held["functionCall"].get("name")
    return f"[{kind}]" if isinstance(kind, str) else None


def count_dialogues_with_tool_calls(cells: Sequence[Any]) -> int:
    """How many of these conversations call tools, or hold a tool's result."""

    def calls(turn: Mapping[str, Any]) -> bool:
        words = str(turn["content"])
        role = str(turn["role"]).strip().casefold()
        return role in _TOOL or role == "tool call" or bool(_CALL.search(words))

    return sum(any(map(calls, parse_turns_of_dialogue(cell) or ())) for cell in cells)


# -- as reviewers read them ------------------------------------------------------------------------


def is_system_prompt(turn: Mapping[str, Any]) -> bool:
    """Whether a turn is what a model was told before the conversation."""
    return str(turn["role"]).strip().casefold() in _SYSTEM


def name_of_role(role: str) -> str:
    """A turn's role in words for a reviewer."""
    plain = role.strip().casefold()
    if plain in _NAMED:
        return _NAMED[plain]
    return role.strip()[:1].upper() + role.strip()[1:]


def cell_as_text_for_model(value: Any) -> str:
    """What models are shown of a cell: its text, the turns of a conversation line by line, other
    lists and objects as JSON.
    """
    if not isinstance(value, list | tuple | dict):
        return str(value)
    turns = parse_turns_of_dialogue(value)
    if turns:
        return dialogue_as_readable_lines(turns)
    return json.dumps(value, ensure_ascii=False, default=str)


def dialogue_as_readable_lines(value: Any) -> str:
    """What is read of a conversation, a line for each turn; of anything else its text."""
    turns = parse_turns_of_dialogue(value)
    if turns is None:
        return str(value)
    return "\n".join(f"{turn['role']}: {turn['content']}" for turn in turns)


def count_dialogues_with_system_prompt(cells: Sequence[Any]) -> int:
    """How many of these conversations have a system prompt."""
    return sum(any(map(is_system_prompt, parse_turns_of_dialogue(cell) or ())) for cell in cells)
