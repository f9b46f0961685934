"""Where the texts of a question, an answer or a pair lie, which its item only names.

A page goes with the last pair that cites it and still has its statement.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from medlens.store.store_rewriting import Ask

_HAS_WORDS = "regexp_matches(s.statement, '[A-WYZa-wyz0-9]')"
"""A statement that was not erased."""


def conditions_for_text_rows(ask: Ask, item: str) -> Mapping[str, str]:
    """Conditions for the rows that hold the texts."""
    [(kind, body)] = ask("select kind, body from item where id = $item", item=item)
    if kind == "question":
        return {"sc_question": _is("id", item), "corrected_row": _is("subject", item)}
    if kind == "response":
        theirs = _is("response", item)
        return {
            "sc_response": _is("id", item),
            "sc_statement": theirs,
            "corrected_row": (
                f"{_is('subject', item)} or subject in (select id from sc_statement where {theirs})"
            ),
            "sc_cleanup": f"statement in (select id from sc_statement where {theirs})",
        }
    named = json.loads(body)
    statement = str(named["statement"])
    versions = ask("select body from item_version where item = $item", item=item)
    shown = [named, *(json.loads(later) for (later,) in versions)]
    sources = dict.fromkeys(
        source
        for each in shown
        for source in (each.get("source"), *each.get("sources", ()))
        if source
    )
    own = {
        "sc_statement": _is("id", statement),
        "sc_cleanup": _is("statement", statement),
        "corrected_row": _is("subject", statement),
    }
    pages = [source for source in sources if not _is_cited_elsewhere(ask, statement, source)]
    if pages:
        listed = ", ".join(map(_quoted, pages))
        own |= {"sc_source": f"id in ({listed})", "sc_source_part": f"source in ({listed})"}
    return own


def condition_for_rewritten_checks(ask: Ask, item: str) -> Mapping[str, str]:
    """A condition for checks of sentences that were rewritten."""
    cleanups = conditions_for_text_rows(ask, item).get("sc_cleanup")
    if cleanups is None:
        return {}
    return {"sc_recheck": f"cleanup in (select id from sc_cleanup where {cleanups})"}


def _is_cited_elsewhere(ask: Ask, statement: str, source: str) -> bool:
    return bool(
        ask(
            "select 1 from (select id, body from item union all"
            "  select item, body from item_version) p join item_in_play i on i.id = p.id"
            " and i.kind = 'pair' join sc_statement s on s.id = (p.body->>'$.statement')"
            " where (p.body->>'$.source') = $source and s.id <> $statement"
            f" and {_HAS_WORDS} limit 1",
            source=source,
            statement=statement,
        )
    )


def _is(column: str, id: str) -> str:
    return f"{column} = {_quoted(id)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
