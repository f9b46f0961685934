"""Where the texts of a question, an answer or a pair lie, which its item only names.

A page goes with the last pair that cites it and still has its statement. A statement, a page and an
answer that could not be used are no items, and can be erased by names of their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from medlens.review.item_text_erasure import MOST_FOUND
from medlens.store import Store
from medlens.store.rewrite_to_erase import Ask
from medlens.studies.sourcecheckup.records import RESPONSE_KIND

STATEMENT, PAGE = "statement", "page"
"""What stands before the name of a statement and the address of a page, as before an item's."""


def _address_in(column: str) -> str:
    """SQL for an address without what differs behind #."""
    return f"coalesce(nullif(split_part({column}, '#', 1), ''), {column})"


_NAMED = (
    f"select id, dataset, '{STATEMENT} ' || name as name, seq, statement as said"
    " from sc_statement union all"
    f" select id, dataset, '{RESPONSE_KIND} ' || name, seq, concat_ws(' ', response, raw, reason)"
    " from sc_response union all"
    f" select s.id, s.dataset, '{PAGE} ' || {_address_in('s.url')}, s.seq,"
    " concat_ws(' ', s.title, s.reason, t.text)"
    " from sc_source s join sc_source_text t on t.id = s.id"
)
"""Statements, answers and snapshots with what they say, whatever became of them."""
_CORRECTED = (
    " union all select n.id, n.dataset, n.name, n.seq, cast(c.body as varchar)"
    " from n join corrected_row c on c.subject = n.id"
    " union all select q.id, q.dataset, i.name, q.seq,"
    " concat_ws(' ', q.question, q.answer, q.document, cast(c.body as varchar))"
    " from sc_question q join item i on i.id = q.id left join corrected_row c on c.subject = q.id"
)
"""To which come corrections (of ``n``, the rows of ``_NAMED``), and questions."""
_HAS_WORDS = "regexp_matches(s.statement, '[A-WYZa-wyz0-9]')"
"""A statement that was not erased."""


def sql_conditions_by_table_for_text_rows(ask: Ask, item: str) -> Mapping[str, str]:
    """Conditions for the rows that hold the texts."""
    found = ask("select kind, body from item where id = $item", item=item)
    if not found:
        return _conditions_for_no_item(ask, item)
    [(kind, body)] = found
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


def _conditions_for_no_item(ask: Ask, id: str) -> Mapping[str, str]:
    """The same for a statement, an answer that could not be used, or all snapshots of a page."""
    if ask("select 1 from sc_statement where id = $id", id=id):
        return {
            "sc_statement": _is("id", id),
            "sc_cleanup": _is("statement", id),
            "corrected_row": _is("subject", id),
        }
    pages = _snapshots_of_page(ask, id)
    if pages:
        listed = ", ".join(map(_quoted, pages))
        return {"sc_source": f"id in ({listed})", "sc_source_part": f"source in ({listed})"}
    return {"sc_response": _is("id", id), "corrected_row": _is("subject", id)}


def ids_of_items_that_show_text(ask: Ask, id: str) -> list[str]:
    """The items (ids) that show a statement or a page in any version: its pairs, and whole answers.
    None for what is an item itself.
    """
    pages = _snapshots_of_page(ask, id)
    if pages:
        # A pair without a snapshot shows the newest one of its address.
        address = _address_in("(b.body->>'$.url')")
        shows = (
            "(b.body->>'$.source') in $pages or list_has_any($pages,"
            " coalesce(from_json(b.body->'$.sources', '[\"VARCHAR\"]'), []::varchar[]))"
            " or b.dataset = u.dataset and (b.body->>'$.source') = ''"
            f" and {address} = u.url"
        )
        return _ids(
            ask(
                f"with u as (select dataset, {_address_in('url')} as url from sc_source"
                f" where id = $id), {_BODIES} select distinct b.id from b, u where {shows}"
                " union select c.response from sc_cited c, u"
                "  where c.dataset = u.dataset and c.url = u.url",
                id=id,
                pages=pages,
            )
        )
    return _ids(
        ask(
            f"with {_BODIES} select distinct b.id from b join sc_statement s"
            " on s.id = (b.body->>'$.statement') where s.id = $id"
            " union select response from sc_statement where id = $id",
            id=id,
        )
    )


_BODIES = (
    "b as (select id, dataset, body from item where study = 'sourcecheckup' union all"
    " select v.item, i.dataset, v.body from item_version v join item i on i.id = v.item"
    " where i.study = 'sourcecheckup')"
)


def _snapshots_of_page(ask: Ask, id: str) -> list[str]:
    """All snapshots of the address of a snapshot; none if it is something else."""
    return _ids(
        ask(
            "select s.id from sc_source s join sc_source o on o.dataset = s.dataset"
            f" and {_address_in('o.url')} = {_address_in('s.url')} where o.id = $id",
            id=id,
        )
    )


def _ids(rows: list[tuple[str]]) -> list[str]:
    return sorted(id for (id,) in rows)


def id_of_text_that_is_no_item(store: Store, dataset: str, name: str) -> str:
    """The id of a statement ("statement s1"), of an answer that could not be used ("response r1"),
    or of a page ("page https://…", or its address alone); empty if the dataset never had it.
    """
    address = name.removeprefix(f"{PAGE} ").partition("#")[0]
    found = store.column(
        f"select id from ({_NAMED}) where dataset = $dataset and name in $names"
        " order by seq limit 1",
        dataset=dataset,
        names=[name, f"{PAGE} {address}"],
    )
    return str(found[0]) if found else ""


def names_by_id_of_texts_with_words(store: Store, dataset: str, words: str) -> dict[str, str]:
    """The names, by id, of the first questions, answers, statements and pages that have these words
    in what they say or are called.
    """
    rows = store.rows(
        f"with n as ({_NAMED}) select min(id), name from (select * from n{_CORRECTED})"
        " where dataset = $dataset and (contains(lower(said), $words)"
        "  or contains(lower(name), $words)) group by name order by min(seq) limit $most",
        dataset=dataset,
        words=words.strip().lower(),
        most=MOST_FOUND,
    )
    return dict(rows)


def sql_conditions_by_table_for_rows_about_item(ask: Ask, item: str) -> Mapping[str, str]:
    """Conditions for checks of sentences that were rewritten, and for what leads said of pages."""
    pages = sql_conditions_by_table_for_text_rows(ask, item).get("sc_source")
    said = {"sc_outcome": f"source in (select id from sc_source where {pages})"} if pages else {}
    return {**sql_conditions_by_table_for_cleanup_rechecks(ask, item), **said}


def sql_conditions_by_table_for_cleanup_rechecks(ask: Ask, item: str) -> Mapping[str, str]:
    """A condition for checks of sentences that were rewritten."""
    cleanups = sql_conditions_by_table_for_text_rows(ask, item).get("sc_cleanup")
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
