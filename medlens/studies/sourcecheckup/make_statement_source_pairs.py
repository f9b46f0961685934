"""Statement-source pairs as items, and the texts in which verifiers' quotes are located."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from medlens.review import items
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store
from medlens.studies.sourcecheckup import queries, records_to_store_rows
from medlens.studies.sourcecheckup.records import STUDY, Passage, SourceJudgment, pair_id
from medlens.web.quote_search import QuotableText, QuoteMatch

if TYPE_CHECKING:
    from medlens.llm import Answer

_KEPT = 32


@dataclass(frozen=True)
class PairToAsk:
    """A pair with a readable source. ``source`` is the snapshot that its item is about."""

    item: str
    statement: str
    text: str
    response: str
    url: str
    source: str
    tokens: int


def list_readable_pairs_in_order_of_source(store: Store, dataset: str) -> list[PairToAsk]:
    """Every pair with a readable source, grouped by source."""
    made = list_readable_pairs(store, dataset)
    place = {source: at for at, source in enumerate(dict.fromkeys(one.source for one in made))}
    return sorted(made, key=lambda one: place[one.source])


def list_readable_pairs(store: Store, dataset: str) -> list[PairToAsk]:
    """Every pair with a readable source, ordered by response, statement and citation."""
    tokens = {
        one.id: one.tokens or one.characters // 4
        for one in queries.newest_snapshots_by_address(store, dataset).values()
    }
    held = queries.snapshot_id_by_pair_item_id(store, dataset)
    found = queries.table_of_all_pairs(store, dataset)
    found = found[found["outcome"] == "ok"]
    withdrawn = queries.withdrawn_item_ids(store, dataset)
    made = []
    for row in found.to_dict("records"):
        item = row["item_id"] or pair_id(dataset, row["statement"], row["url"])
        if item in withdrawn or row["source"] in withdrawn:
            continue
        # A pair keeps the snapshot it was judged with, even if the page was fetched again.
        source = held.get(item) or row["source"]
        made.append(
            PairToAsk(
                item,
                row["statement"],
                row["text"],
                row["response"],
                row["url"],
                source,
                tokens.get(source, tokens[row["source"]]),
            )
        )
    return made


def make_missing_pair_items_and_count(store: Store, dataset: str) -> int:
    """Make items of the pairs that can be judged and are not items yet; returns how many."""
    held = queries.snapshot_id_by_pair_item_id(store, dataset)
    wanted = [
        one
        for one in list_readable_pairs_in_order_of_source(store, dataset)
        if one.item not in held
    ]
    if not wanted:
        return 0
    illustrative = is_dataset_illustrative(store, dataset)
    made = records_to_store_rows.join_rows_by_table(
        records_to_store_rows.pair_item_rows_by_table(
            one.statement,
            one.response,
            one.url,
            source=one.source,
            dataset=dataset,
            illustrative=illustrative,
        )
        for one in wanted
    )
    back = items.make_rows_by_table_that_bring_back_items(
        store, {row["id"]: (row["digest"], row["body"]) for row in made["item"]}
    )
    return store.append_all_and_count_new_by_table({**made, **back})["item"] + len(
        back.get("item_withdrawal", ())
    )


@cache_until_tables_grow("sc_statement", "sc_citation", "sc_source", "sc_outcome", most=32)
def add_items_of_imported_pairs(store: Store, dataset: str) -> None:
    """Make items of the pairs that were imported and never put to a verifier.

    Called wherever people's work is shown; it only looks again if the pairs may have changed.
    """
    if queries.has_unmade_pairs(store, dataset):
        make_missing_pair_items_and_count(store, dataset)


def is_dataset_illustrative(store: Store, dataset: str) -> bool:
    """Whether this dataset's content is illustrative, so new content is too."""
    return any(
        one["illustrative"]
        for one in items.datasets_of_study(store, STUDY)
        if one["dataset"] == dataset
    )


def make_loader_of_quotable_texts(store: Store) -> Callable[[str], QuotableText]:
    """Gives the text of a snapshot, in which quotes can be located; those used last are kept."""
    return lru_cache(maxsize=_KEPT)(lambda source: QuotableText(queries.source_text(store, source)))


def make_judgment_and_say_how_quote_matches(
    answer: Answer, text: QuotableText
) -> tuple[SourceJudgment, str]:
    """A verifier's answer as a judgment, and how its quote was found.

    The page has the quote's words, or similar ones, or neither (``STANDINGS``). Positions are kept
    only for words that are the same.
    """
    said: Any = answer.value
    quote = said.quote.strip()
    found = text.look_up_quote(quote)
    return (
        SourceJudgment(
            verdict=said.verdict,
            reason=said.reason.strip(),
            quote=quote,
            passages=passages_where_quote_stands(found, text),
        ),
        found.how,
    )


def passages_where_quote_stands(found: QuoteMatch, text: QuotableText) -> tuple[Passage, ...]:
    """Where a quote is in a page that contains it."""
    return tuple(
        Passage(start=start, end=end, quote=text.text[start:end])
        for start, end in (found.places if found.does_text_say_the_same else ())
    )
