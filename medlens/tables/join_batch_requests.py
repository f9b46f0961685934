"""The requests of a batch, which are in a file of their own, beside what models answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Rows = Sequence[Mapping[str, Any]]
_KEY = "custom_id"
REQUESTS_JOINED = f"are put beside each other by {_KEY}"


def join_requests_with_answers_and_tell(
    tables: Sequence[tuple[str, Rows]],
) -> tuple[list[tuple[str, list[dict[str, Any]]]], list[str]]:
    """The tables with answers, each row with what was asked under ``question`` or ``messages``, and
    what to tell of it; the tables as they are, and nothing to tell, if none holds requests alone,
    or if all do.
    """
    requests = [one for one in tables if _are_requests(one[1])]
    others = [one for one in tables if one not in requests]
    as_given = [(name, [dict(row) for row in rows]) for name, rows in tables]
    if not requests or not others or not all(_have_keys(rows) for _, rows in others):
        return as_given, []
    asked = {str(row[_KEY]): _asked(row) for _, rows in requests for row in rows}
    found: list[tuple[str, list[dict[str, Any]]]] = []
    answered: set[str] = set()
    alone = 0
    for name, rows in others:
        joined = []
        for row in rows:
            request = _request_of(str(row[_KEY]), asked)
            answered |= {request} if request else set()
            alone += not request
            joined.append({_KEY: row[_KEY], **asked.get(request, {}), **row})
        found.append((name, joined))
    if not answered:
        return as_given, []
    told = [
        f"{_listed(requests)} holds what was asked, and {_listed(others)} the answers: they"
        f" {REQUESTS_JOINED}."
    ]
    if left := len(asked) - len(answered):
        have = "1 request has" if left == 1 else f"{left:,} requests have"
        told.append(f"{_listed(requests)}: {have} no answer and {_are(left)} left out.")
    if alone:
        have = "1 answer has" if alone == 1 else f"{alone:,} answers have"
        told.append(f"{_listed(others)}: {have} no request, so that nobody sees what was asked.")
    return found, told


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _listed(tables: Sequence[tuple[str, Rows]]) -> str:
    return " and ".join(name for name, _ in tables)


def _held(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a request holds, as OpenAI and Anthropic call it."""
    held = row.get("body", row.get("params"))
    return held if isinstance(held, Mapping) else {}


def _are_requests(rows: Rows) -> bool:
    return bool(rows) and all(
        _KEY in row and {"messages", "input", "prompt"} & _held(row).keys() for row in rows
    )


def _have_keys(rows: Rows) -> bool:
    return bool(rows) and all(_KEY in row for row in rows)


def _request_of(name: str, asked: Mapping[str, Any]) -> str:
    """The request of an answer; of a name that held a model, too, and is the case alone now, the
    first of that case. "" if there is none.
    """
    if name in asked:
        return name
    part = re.compile(rf"(?:^|[^A-Za-z0-9]){re.escape(name)}(?:$|[^A-Za-z0-9])")
    return next((one for one in asked if part.search(one)), "")


def _asked(row: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked: a question, with what the model was told before it, or several turns."""
    held = _held(row)
    given = held.get("messages", held.get("input", held.get("prompt")))
    if isinstance(given, str):
        return {"question": given}
    turns = [
        {"role": str(one.get("role")), "content": _words(one.get("content"))}
        for one in (given if isinstance(given, list) else ())
        if isinstance(one, Mapping)
    ]
    before = [turn["content"] for turn in turns if turn["role"] in ("system", "developer")]
    if isinstance(told := held.get("system", held.get("instructions")), str):
        before.insert(0, told)
    said = [turn for turn in turns if turn["role"] not in ("system", "developer")]
    found: dict[str, Any] = {"system_prompt": "\n\n".join(before)} if before else {}
    if len(said) == 1:
        return {"question": said[0]["content"], **found}
    return {"messages": said, **found} if said else found


def _words(content: Any) -> str:
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "\n\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
