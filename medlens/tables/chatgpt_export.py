"""ChatGPT's export of a person's data: a tree of messages for each conversation, as a dialogue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_MOST_MESSAGES = 10_000


def is_conversation_of_chatgpt(row: Mapping[str, Any]) -> bool:
    """Whether a row of a JSON file is a conversation as ChatGPT exports it."""
    mapping = row.get("mapping")
    return (
        isinstance(mapping, Mapping)
        and bool(mapping)
        and all(
            isinstance(one, Mapping) and {"message", "parent"} <= one.keys()
            for one in mapping.values()
        )
    )


def turn_conversations_of_chatgpt_into_dialogues_and_tell(
    rows: Iterable[Mapping[str, Any]],
) -> tuple[list[dict[str, Any]], str]:
    """A row for each conversation, with its turns as a list of role and content and the models that
    answered, and what to tell of it. Of answers that were asked for again the last one is kept.
    """
    made: list[dict[str, Any]] = []
    empty = others = 0
    for row in rows:
        messages = _messages_of(row) if is_conversation_of_chatgpt(row) else []
        turns = [one for one in map(_turn, messages) if one]
        others += sum(map(_count_other_parts, messages))
        if not turns:
            empty += 1
            continue
        models = dict.fromkeys(
            str(slug) for one in messages if (slug := (one.get("metadata") or {}).get("model_slug"))
        )
        name = row.get("conversation_id") or row.get("id") or f"chat {len(made) + 1}"
        made.append({"id": str(name), "conversation": turns, "model": ", ".join(models)})
    told = (
        "this is ChatGPT's export of conversations: each is one dialogue, and its title and what"
        " else stands there (times, settings) are left out."
    )
    if empty:
        are = "1 without a message is" if empty == 1 else f"{empty:,} without a message are"
        told = f"{told} {are} left out."
    if others:
        are = "1 picture or file is" if others == 1 else f"{others:,} pictures or files are"
        told = f"{told} {are} not shown in it."
    return made, told


def _messages_of(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The messages from the first to the one that was shown last."""
    mapping: Mapping[str, Any] = row["mapping"]
    at = str(row.get("current_node") or "")
    if at not in mapping:
        parents = {one.get("parent") for one in mapping.values()}
        at = next((name for name in reversed([*mapping]) if name not in parents), "")
    found: list[Mapping[str, Any]] = []
    seen: set[str] = set()
    while at in mapping and at not in seen and len(found) < _MOST_MESSAGES:
        seen.add(at)
        if isinstance(message := mapping[at].get("message"), Mapping):
            found.append(message)
        at = str(mapping[at].get("parent") or "")
    return found[::-1]


def _count_other_parts(message: Mapping[str, Any]) -> int:
    content = message.get("content")
    parts = content.get("parts") if isinstance(content, Mapping) else None
    return sum(isinstance(part, Mapping) for part in parts or ())


def _turn(message: Mapping[str, Any]) -> dict[str, str] | None:
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, Mapping) else ""
    parts: Sequence[Any] = content.get("parts") or [] if isinstance(content, Mapping) else []
    said = "\n\n".join(part for part in parts if isinstance(part, str) and part.strip())
    return {"role": role, "content": said} if role in ("user", "assistant") and said else None
