"""The requests of a batch, which are in a file of their own, beside what models answered."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Any

Rows = Sequence[Mapping[str, Any]]
_KEY = "custom_id"
_FILE = "[file]"
_LONGEST_NAME = 200
"""Characters up to which a name is taken apart, which takes the square of its length."""
REQUESTS_JOINED = f"are matched by {_KEY}"


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
    by_name: dict[str, list[dict[str, Any]]] = {}
    for _, rows in requests:
        for row in rows:
            by_name.setdefault(str(row[_KEY]), []).append(_asked(row))
    asked = {name: _what_all_ask(several) for name, several in by_name.items()}
    bare = sum(
        "system_prompt" not in said and any("system_prompt" in one for one in by_name[name])
        for name, said in asked.items()
        if said
    )
    names = {str(row[_KEY]) for _, rows in others for row in rows}
    by_case = _requests_by_case(names - asked.keys(), [*asked])
    answered: set[str] = set()
    answers_by_case = Counter[str]()
    found: list[tuple[str, list[dict[str, Any]]]] = []
    alone = 0
    for name, rows in others:
        joined = []
        for row in rows:
            own = str(row[_KEY])
            of_case = _what_all_ask([asked[one] for one in by_case.get(own, ())])
            request = asked.get(own) or of_case
            if own in asked:
                answered.add(own)
            elif of_case:
                answers_by_case[own] += 1
            alone += not request
            joined.append({_KEY: row[_KEY], **request, **row})
        found.append((name, joined))
    with_answer = len(answered) + sum(
        min(count, len(by_case[case])) for case, count in answers_by_case.items()
    )
    if not with_answer:
        return as_given, []
    told = [
        f"{_listed(requests)} {_hold(requests)} the questions and {_listed(others)} the answers:"
        f" they {REQUESTS_JOINED}."
    ]
    if files := sum(_count_requests_with_files(rows) for _, rows in requests):
        have = "1 question has" if files == 1 else f"{files:,} questions have"
        told.append(
            f"{_listed(requests)}: {have} pictures or files, which are not read. Reviewers see"
            f" “{_FILE}” in their place."
        )
    if bare:
        what = "question" if bare == 1 else "questions"
        told.append(
            f"{_listed(requests)}: models got different system prompts before {bare:,} {what}."
            " These prompts are left out."
        )
    if left := len(asked) - with_answer:
        have = "1 request has" if left == 1 else f"{left:,} requests have"
        its = "its" if left == 1 else "their"
        told.append(
            f"{_listed(requests)}: {have} no answer with {its} {_KEY} and {_are(left)} left out."
        )
    if alone:
        answers = "1 answer" if alone == 1 else f"{alone:,} answers"
        its = "its question" if alone == 1 else "their questions"
        told.append(
            f"{_listed(others)}: no one question could be found by {_KEY} for {answers}, so"
            f" reviewers do not see {its}. An answer needs the {_KEY} of its request, and no two"
            f" requests may share one."
        )
    return found, told


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _hold(tables: Sequence[tuple[str, Rows]]) -> str:
    return "holds" if len(tables) == 1 else "hold"


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


def _what_all_ask(requests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What these requests ask, without what they tell a model before it if they differ in that;
    empty if there are none, or if they ask different things.
    """
    if not requests:
        return {}
    first = requests[0]
    alike = {
        part: said for part, said in first.items() if all(one.get(part) == said for one in requests)
    }
    return alike if alike.keys() & {"question", "messages"} else {}


def _requests_by_case(cases: Set[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Of names that held a model, too, and are the ``cases`` alone now, the requests' names that
    begin or end with each. A number in the middle of a name may be a model's version.
    """
    found: dict[str, list[str]] = {}
    for name in names if cases else ():
        if len(name) > _LONGEST_NAME:
            continue
        between = list(re.finditer(r"[^A-Za-z0-9]+", name))
        parts = {part for one in between for part in (name[: one.start()], name[one.end() :])}
        for case in parts & cases:
            found.setdefault(case, []).append(name)
    return found


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
    """The words of a content; a picture or file among its parts is only named."""
    if isinstance(content, list):
        parts = [part for part in content if isinstance(part, Mapping)]
        return "\n\n".join(
            part["text"] if isinstance(part.get("text"), str) else _FILE for part in parts
        )
    return content if isinstance(content, str) else ""


def _count_requests_with_files(rows: Rows) -> int:
    """How many requests hold a part that is no text: a picture, a file, a sound."""

    def has_file(row: Mapping[str, Any]) -> bool:
        given = _held(row).get("messages", _held(row).get("input"))
        contents = [one.get("content") for one in given or () if isinstance(one, Mapping)]
        return any(
            isinstance(part, Mapping) and not isinstance(part.get("text"), str)
            for content in contents
            for part in (content if isinstance(content, list) else ())
        )

    return sum(map(has_file, rows))
