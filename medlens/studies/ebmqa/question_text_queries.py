"""Where the texts of a question of the questionnaire lie beside its item."""

from __future__ import annotations

from collections.abc import Mapping

from medlens.store.store_rewriting import Ask


def conditions_for_question_rows(ask: Ask, item: str) -> Mapping[str, str]:
    """Conditions for the question itself, and for what models answered to it in words."""
    found = ask(
        "select q.seq from ebmqa_question q join item i on i.dataset = q.dataset"
        " and i.name = q.name where i.id = $item and i.kind = 'ebmqa_question'",
        item=item,
    )
    if not found:
        return {}
    [(seq,)] = found
    return {
        "ebmqa_question": f"seq = {int(seq)}",
        "ebmqa_said": "(block, place) in (select block, said from ebmqa_answer"
        f" where question = {int(seq)})",
    }
