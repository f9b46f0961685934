"""Models of a SourceCheckup run as an ordinary function of the request: they play all roles.

An answer lists its facts as sentences; a page supports a statement that it holds word for word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tests.llm_server import Reply

_PAGE = re.compile(r"\[\[page (\w+) begins\]\]\n(.*)\n\[\[page \1 ends\]\]", re.DOTALL)
_STATEMENT = re.compile(r"Statement, between the lines:\n----- \w{16}\n(.*?)\n-----", re.DOTALL)


def shape_of(body: Mapping[str, Any]) -> str:
    """The name of the shape that is asked for; empty for free text."""
    return str(body.get("response_format", {}).get("json_schema", {}).get("name", ""))


def page_of(body: Mapping[str, Any]) -> str:
    found = _PAGE.search(body["messages"][-1]["content"])
    assert found
    return found[2]


def statement_of(body: Mapping[str, Any]) -> str:
    found = _STATEMENT.findall(body["messages"][-1]["content"])
    return str(found[-1])


class Models:
    """``answers``: by question, the facts and the addresses."""

    def __init__(self, answers: Mapping[str, tuple[list[str], list[str]]]) -> None:
        self._answers = answers

    def __call__(self, body: dict[str, Any]) -> Reply:
        shape, said = shape_of(body), body["messages"][1]["content"]
        return Reply(json.dumps(getattr(self, shape)(body, said)))

    def QuestionShape(self, body: Any, said: str) -> dict[str, str]:
        return {"question": f"What does it say on {said.split()[1]}?", "answer": "This and that."}

    def AnswerShape(self, body: Any, said: str) -> dict[str, Any]:
        facts, urls = self._answers[said.partition("\n")[0]]
        return {"answer": " ".join(facts), "sources": urls}

    def StatementsShape(self, body: Any, said: str) -> dict[str, Any]:
        answer = said.partition("Answer:\n-----")[2].partition("\n")[2].partition("\n-----")[0]
        return {"statements": re.findall(r"[^.]+\.", answer)}

    def VerdictShape(self, body: Any, said: str) -> dict[str, str]:
        page, statement = page_of(body), statement_of(body)
        if statement.rstrip(".") in page:
            return {"reason": "It says so.", "quote": statement, "verdict": "supported"}
        made_up = "A passage that this page never held."
        return {"reason": "It does not.", "quote": made_up, "verdict": "not_supported"}

    def CleanShape(self, body: Any, said: str) -> dict[str, str]:
        held = re.findall(r"Fact \d+ of \w+[^.\n]*\.", page_of(body))
        if not held:
            return {"reason": "Nothing on it.", "action": "removed", "text": ""}
        return {"reason": "As the page says.", "action": "edited", "text": held[0]}
