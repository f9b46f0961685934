"""Where the texts of a question of the questionnaire lie beside its item."""

from __future__ import annotations

from collections.abc import Mapping

from medlens.store.store_rewriting import Ask


def conditions_for_question_rows(ask: Ask, item: str) -> Mapping[str, str]:
    """Conditions for the question itself, for what was corrected of it, and for what models
    answered to it in words.
    """
    found = ask(
        "select q.seq, q.id from ebmqa_question q join item i on i.dataset = q.dataset"
        " and i.name = q.name where i.id = $item and i.kind = 'ebmqa_question'",
        item=item,
    )
    if not found:
        return {}
    [(seq, row)] = found
    # Whoever corrected its meaning gave it another number.
    later = ask("select seq from corrected_row where subject = $row", row=row)
    numbers = ", ".join(str(int(number)) for number in (seq, *(one for (one,) in later)))
    return {
        "ebmqa_question": f"seq = {int(seq)}",
        "corrected_row": f"seq in ({numbers})",
        "ebmqa_said": "(block, place) in (select block, said from ebmqa_answer"
        f" where question in ({numbers}))",
    }
