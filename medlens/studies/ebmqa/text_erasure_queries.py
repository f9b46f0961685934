"""Where the texts of a question lie, which only in the questionnaire is an item."""

from __future__ import annotations

from collections.abc import Mapping

from medlens.review.item_text_erasure import MOST_FOUND
from medlens.store import Store
from medlens.store.rewrite_to_erase import Ask


def sql_conditions_by_table_for_question_rows(ask: Ask, item: str) -> Mapping[str, str]:
    """Conditions for the question itself, for what was corrected of it, and for what models
    answered to it in words.
    """
    found = ask(
        "select q.seq, q.id from ebmqa_question q join ebmqa_question_item i on i.row = q.id"
        " where i.item = $item",
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


def find_item_id_of_question(store: Store, dataset: str, name: str) -> str:
    """The id that a question has, or would have, as an item, whatever became of it; empty if the
    dataset never had it.
    """
    found = store.column(
        "select i.item from ebmqa_question q join ebmqa_question_item i on i.row = q.id"
        " where q.dataset = $dataset and q.name = $name",
        dataset=dataset,
        name=name,
    )
    return str(found[0]) if found else ""


def names_by_id_of_questions_with_words(store: Store, dataset: str, words: str) -> dict[str, str]:
    """The names, by id, of the first questions that have these words in any version, or in their
    name.
    """
    rows = store.rows(
        "select i.item, q.name from ebmqa_question q join ebmqa_question_item i on i.row = q.id"
        " where q.dataset = $dataset and (contains(lower(concat_ws(' ', q.name, q.question,"
        "  cast(q.options as varchar), q.source, q.target, q.background,"
        "  cast(q.evidence as varchar))), $words)"
        "  or exists (select 1 from corrected_row c where c.subject = q.id"
        "   and contains(lower(cast(c.body as varchar)), $words))) order by q.seq limit $most",
        dataset=dataset,
        words=words.strip().lower(),
        most=MOST_FOUND,
    )
    return dict(rows)
