"""SourceCheckup's SQL: what the pipeline, the pages and the figures need from one dataset.

``records_to_store_rows`` (one thing at a time) and ``rows_from_frames`` (whole files) make
the rows to append. DataFrames identify things by their names in files, but items by id.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import items
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.undo_imports import Resting
from medlens.store import Lookup, Store
from medlens.studies.sourcecheckup.records import (
    MERGED_KIND,
    PAIR_KIND,
    READABLE,
    RESPONSE_KIND,
    STUDY,
    Question,
    Response,
    Statement,
    address_without_fragment,
)
from medlens.studies.sourcecheckup.tasks import SUPPORT
from medlens.web import Outcome

# -- the steps' material, for the pipeline ---------------------------------------------------------


def list_questions(store: Store, dataset: str) -> list[Question]:
    """The questions in the order they were added."""
    rows = store.query_rows_as_dicts(
        'select name, question, source_group as "group", answer, document, document_url'
        " from sc_question_told where dataset = $dataset order by seq",
        dataset=dataset,
    )
    return [Question.model_construct(**row) for row in rows]


def list_responses(store: Store, dataset: str) -> list[Response]:
    """The responses in the order they were added, with all their addresses."""
    cited: dict[str, list[str]] = {}
    for response, url in store.rows(
        "select response, url from sc_citation where dataset = $dataset order by response, n",
        dataset=dataset,
    ):
        cited.setdefault(response, []).append(url)
    rows = store.query_rows_as_dicts(
        "select r.id, r.name, coalesce(q.name, '') as question, r.model, r.response as text,"
        " r.outcome, r.raw, r.reason"
        " from sc_response_told r left join sc_question_told q on q.id = r.question"
        " where r.dataset = $dataset order by r.seq",
        dataset=dataset,
    )
    return [
        Response.model_construct(urls=tuple(cited.get(row.pop("id"), ())), **row) for row in rows
    ]


def names_of_responses_already_split(store: Store, dataset: str) -> set[str]:
    """The names of the responses whose statements have been extracted."""
    return set(
        store.column(
            "select r.name from sc_parse_told p join sc_response_told r on r.id = p.response"
            " where p.dataset = $dataset",
            dataset=dataset,
        )
    )


def list_statements(store: Store, dataset: str) -> list[Statement]:
    """The statements by response, in order."""
    rows = store.query_rows_as_dicts(
        "select s.name, r.name as response, s.statement, s.n"
        " from sc_statement_now s join sc_response_now r on r.id = s.response"
        " where s.dataset = $dataset order by r.seq, s.n, s.seq",
        dataset=dataset,
    )
    return [Statement.model_construct(**row) for row in rows]


@dataclass(frozen=True)
class Snapshot:
    """The newest snapshot of an address without its text (``source_text``)."""

    id: str
    url: str
    revision: int
    outcome: Outcome
    status: int | None
    reason: str
    title: str
    characters: int
    tokens: int | None
    digest: str


_SNAPSHOT = "id, url, revision, outcome, status, reason, title, characters, tokens, digest"


_NEWEST_SNAPSHOTS = Lookup(
    "sourcecheckup.newest_snapshots",
    f"select {_SNAPSHOT} from sc_source_now where dataset = $dataset order by seq",
)


def newest_snapshots_by_address(store: Store, dataset: str) -> dict[str, Snapshot]:
    """The newest snapshot of every address in a dataset, by address."""
    rows = store.query_rows_as_dicts(
        _NEWEST_SNAPSHOTS,
        dataset=dataset,
    )
    return {row["url"]: Snapshot(**row) for row in rows}


_TEXT_OF_SNAPSHOT = Lookup(
    "sourcecheckup.text_of_snapshot", "select text from sc_source where id = $id"
)
_PARTS_OF_TEXT = Lookup(
    "sourcecheckup.parts_of_text", "select n, text from sc_source_part where source = $id"
)


def source_text(store: Store, source: str) -> str:
    """A snapshot's text, by its id; empty if there is no such snapshot."""
    found = store.rows(_TEXT_OF_SNAPSHOT, id=source)
    if not found or found[0][0]:
        return str(found[0][0]) if found else ""
    # Sorted here, because it is faster than in SQL.
    parts = store.rows(_PARTS_OF_TEXT, id=source)
    return "".join(text for _, text in sorted(parts))


def source_texts_by_id(store: Store, sources: Sequence[str]) -> dict[str, str]:
    """``source_text`` of many snapshots, by id."""
    rows = store.rows("select id, text from sc_source where id in $ids", ids=list(sources))
    whole = {source: text for source, text in rows if text}
    return {source: whole.get(source) or source_text(store, source) for source in sources}


LAST_WORD = " qualify row_number() over (partition by p.same, j.rater order by j.seq desc) = 1"
"""Of what a rater said of one statement and one source under several addresses."""


def list_cited_addresses(store: Store, dataset: str) -> list[str]:
    """Every address that a valid response cites, once, in the order they were added."""
    return store.column(
        "select c.url from sc_cited c join sc_response_now r on r.id = c.response"
        " where c.dataset = $dataset and r.outcome = 'ok' group by c.url order by min(c.seq)",
        dataset=dataset,
    )


_ALL_PAIRS = Lookup(
    "sourcecheckup.all_pairs",
    "with cited as (select response, url, min(n) as at from sc_cited"
    "  where dataset = $dataset group by response, url),"
    " made as (select id, statement, url from sc_pair_same"
    "  where dataset = $dataset and id = same)"
    " select s.name as statement, r.name as response, q.name as question, r.model,"
    " coalesce(q.source_group, '') as \"group\", c.url, s.n, s.statement as text,"
    " coalesce(o.id, '') as source, coalesce(o.outcome, '') as outcome,"
    " coalesce(m.id, '') as item_id"
    " from sc_statement_now s join sc_response_now r on r.id = s.response"
    " left join sc_question_told q on q.id = r.question"
    " join cited c on c.response = s.response"
    " left join (select id, url, outcome from sc_source_now where dataset = $dataset) o"
    "  on o.url = c.url"
    " left join made m on m.statement = s.id and m.url = c.url"
    " where s.dataset = $dataset order by r.seq, s.n, s.seq, c.at",
)


def table_of_all_pairs(store: Store, dataset: str) -> pd.DataFrame:
    """Every statement with every address of its response, once each, whether or not it is an item
    yet.

    Columns: statement, response, question, model, group, url, n and text (the statement's), source
    (snapshot id, "" not fetched), outcome ("" not fetched), item_id ("" no item yet).
    """
    return store.read(
        _ALL_PAIRS,
        dataset=dataset,
    )


def run_ids_by_answer(store: Store, dataset: str) -> dict[str, str]:
    """Response name -> the run that made it, "" if it was imported."""
    return dict(
        store.rows(
            "select name, run from sc_response_told where dataset = $dataset", dataset=dataset
        )
    )


def question_names_by_item(store: Store, dataset: str) -> dict[str, str]:
    """Item id -> question asked, for each pair and each answer in a dataset."""
    rows = store.rows(
        "select i.id, q.name from item_in_play i left join sc_statement_told s"
        " on s.id = (i.body->>'$.statement')"
        " join sc_response_told r on r.id = coalesce(s.response, (i.body->>'$.id'))"
        " join sc_question_told q on q.id = r.question"
        " where i.study = $study and i.kind in $kinds and i.dataset = $dataset",
        study=STUDY,
        kinds=[PAIR_KIND, RESPONSE_KIND],
        dataset=dataset,
    )
    return dict(rows)


# -- verdicts and clean-ups ------------------------------------------------------------------------


def current_verdicts_table(store: Store, dataset: str, *, kind: str = "model") -> pd.DataFrame:
    """The current verdicts of models (or of "person"s): one row per rater and pair.

    Columns: item_id, statement, response, question, model (who answered), group, url, rater,
    verdict, seconds. People's verdicts are for leads only: check before.
    """
    return store.read(
        "select p.same as item_id, s.name as statement, r.name as response, q.name as question,"
        ' r.model, q.source_group as "group", p.url, t.name as rater,'
        " coalesce(j.body->>'$.verdict', '') as verdict, j.active_seconds as seconds"
        " from judgment_blind j join sc_pair_same p on p.id = j.item join rater t on t.id = j.rater"
        " join sc_statement_now s on s.id = p.statement join sc_response_now r on r.id = s.response"
        " left join sc_question_told q on q.id = r.question"
        " where j.task = $task and p.dataset = $dataset and t.kind = $kind"
        f"{LAST_WORD} order by p.seq, t.handle",
        task=SUPPORT,
        dataset=dataset,
        kind=kind,
    )


def current_cleanups_table(store: Store, dataset: str) -> pd.DataFrame:
    """The clean-ups: one row per statement, source and cleaning model.

    Columns: cleanup_id, statement, response, question, model (who answered), url, original, action,
    text, reason, cleaner, verdict (on the edited statement, the last rater's; "" none yet).
    """
    return store.read(
        "select c.id as cleanup_id, s.name as statement, r.name as response, q.name as question,"
        " r.model, coalesce(nullif(split_part(c.url, '#', 1), ''), c.url) as url,"
        " s.statement as original, c.action, c.text, c.reason,"
        " c.model as cleaner, coalesce(k.verdict, '') as verdict"
        " from sc_cleanup c join sc_statement_now s on s.id = c.statement"
        " join sc_response_now r on r.id = s.response"
        " left join sc_question_told q on q.id = r.question"
        " left join (select cleanup, arg_max(body->>'$.verdict', seq) as verdict"
        "  from sc_recheck_now group by cleanup) k on k.cleanup = c.id"
        " where c.dataset = $dataset order by c.seq",
        dataset=dataset,
    )


# -- versions --------------------------------------------------------------------------------------


TABLES = (
    "item",
    "rater",
    "judgment",
    "gold",
    "adjudication",
    "sc_question",
    "sc_response",
    "sc_citation",
    "sc_parse",
    "sc_statement",
    "sc_source",
    "sc_outcome",
    "sc_cleanup",
    "sc_recheck",
    "sc_site",
)
"""What everything drawn from this study depends on; ``reveal`` is not: a judgment says itself
whether it was blind, and a look at an item would have every figure computed again."""


def version_number_of_study_data(store: Store) -> int:
    """The data version that everything shown from this study depends on."""
    return store.data_version_of_tables(*TABLES)


# -- one pair, as raters see it --------------------------------------------------------------------


@dataclass(frozen=True)
class ShownPair:
    """A pair as its raters see it, without model or verdict. ``source`` is the snapshot's id (""
    none), ``text`` its whole text, ``reason`` what the fetch said of it.
    """

    item: str
    question: str
    statement: str
    url: str
    source: str
    outcome: str
    status: int | None
    title: str
    reason: str
    text: str


def load_pair_as_shown(store: Store, item: str) -> ShownPair:
    """A pair by its item id.

    Raises:
        InvalidInput: there is no such pair.
    """
    body = items.item_body(store, item)
    row = store.find_first_row_as_dict(
        "select s.statement, coalesce(q.question, '') as question from sc_statement_told s"
        " join sc_response_told r on r.id = s.response"
        " left join sc_question_told q on q.id = r.question"
        " where s.id = $statement",
        statement=body.get("statement", ""),
    )
    if row is None:
        raise InvalidInput("There is no such pair.", hint="Open it from the list again.")
    found = _source_of(store, item, body)
    return ShownPair(item=item, url=body["url"], **row, **found)


def _source_of(store: Store, item: str, body: Mapping[str, Any]) -> dict[str, Any]:
    fields = "id as source, outcome, status, title, reason"
    if body.get("source"):
        row = store.find_first_row_as_dict(
            f"select {fields} from sc_source_told where id = $id", id=body["source"]
        )
    else:
        row = store.find_first_row_as_dict(
            f"select {fields} from sc_source_told where url = $url and dataset ="
            " (select dataset from item_known where id = $item)"
            " order by revision desc, seq desc limit 1",
            url=address_without_fragment(body["url"]),
            item=item,
        )
    row = row or {"source": "", "outcome": "", "status": None, "title": "", "reason": ""}
    return {**row, "text": source_text(store, row["source"])}


CORRECTED = "correction"
"""The origin of a snapshot whose text a lead corrected."""


def source_text_of_pair(store: Store, body: Mapping[str, Any]) -> str:
    """The text against which a pair's passages are checked, by the pair's body."""
    snapshot = snapshot_id_of_pair(store, body)
    return source_text(store, snapshot) if snapshot else ""


_SNAPSHOT_OF_PAIR = Lookup(
    "sourcecheckup.snapshot_of_pair",
    "select o.id from sc_source_told o join sc_response r on r.dataset = o.dataset"
    # Once a page is corrected, its pairs name the snapshot; what has none is of before.
    " where r.id = $response and o.url = $url and o.origin <> $corrected"
    " order by o.revision desc, o.seq desc limit 1",
    response="items",
)


def snapshot_id_of_pair(store: Store, body: Mapping[str, Any]) -> str:
    """The id of the snapshot that a pair shows, by the pair's body; "" if there is none."""
    if body.get("source"):
        return str(body["source"])
    found = store.rows(
        _SNAPSHOT_OF_PAIR,
        response=body["response"],
        url=address_without_fragment(body["url"]),
        corrected=CORRECTED,
    )
    return str(found[0][0]) if found else ""


def statement_text(store: Store, statement: str) -> str:
    """A statement's words, by its id; "" if there is no such statement."""
    found = store.column("select statement from sc_statement_told where id = $id", id=statement)
    return str(found[0]) if found else ""


_STATEMENT_NAMES = Lookup(
    "sourcecheckup.statement_names",
    "select response, name from sc_statement_told where dataset = $dataset"
    " order by response, n, seq",
)


# Cached: `check` asks for those of each answer whose statements were judged.
@cache_until_tables_grow("sc_statement", "item_withdrawal", most=4)
def statement_names_by_response(store: Store, dataset: str) -> Mapping[str, Sequence[str]]:
    """The names of the statements of each response in a dataset in order, by the response's item
    id.
    """
    rows = store.rows(
        _STATEMENT_NAMES,
        dataset=dataset,
    )
    return {
        response: tuple(name for _, name in of_response)
        for response, of_response in itertools.groupby(rows, key=itemgetter(0))
    }


# -- pairs that look the same to raters ------------------------------------------------------------

_SAME = (
    "select p.id, p.seq, p.same,"
    " lower(rtrim(regexp_replace(trim(s.statement), '\\s+', ' ', 'g'), '.!; ')) as said,"
    " p.url || coalesce(o.digest, '') as page"
    " from sc_pair_same p join sc_statement_told s on s.id = p.statement"
    " join sc_pair f on f.id = p.same left join sc_source o on o.id = f.source"
    " where p.dataset = $dataset"
)
"""Every pair with what is shown of it: the statement's words and the page's address and text."""


def ids_of_pairs_asked_as_other_item(store: Store, dataset: str) -> frozenset[str]:
    """Item ids of the pairs that clinicians are not asked about.

    The same words with the same page are asked about once, however many answers contain them: on a
    gold item, else on the first that somebody was given or has judged, else on one that was drawn,
    else on the first. Gold items stay.
    """
    return frozenset(
        store.column(
            f"with same as ({_SAME}),"
            " begun as (select item, min(seq) as at from ("
            "  select item, seq from assignment where task = $task union all"
            "  select item, seq from judgment where task = $task and rater in"
            "   (select id from rater where kind = 'person')) group by item),"
            " ranked as (select m.id, g.item is not null as gold, row_number() over ("
            "  partition by m.said, m.page order by g.item is null, b.at nulls last,"
            "  d.item is null, m.seq) as place"
            " from same m left join begun b on b.item = m.id"
            " left join (select distinct item from gold_now where task = $task) g on g.item = m.id"
            " left join (select distinct item from selection where task = $task) d"
            "  on d.item = m.id)"
            " select id from ranked where place > 1 and not gold",
            task=SUPPORT,
            dataset=dataset,
        )
    )


def ids_of_pairs_without_text(store: Store, dataset: str) -> frozenset[str]:
    """Item ids of the pairs whose page was fetched and holds no text: nothing can be compared with
    their statement. One that somebody holds or has judged is not taken from their desk.

    Pairs are made of pages that could be read, as Wu et al. did; such ones come from files.
    """
    return frozenset(
        store.column(
            "with shown as (select p.id, coalesce(nullif(p.source, ''), n.id) as source from"
            " sc_pair p left join sc_source_now n on n.dataset = p.dataset and n.url = p.url"
            " where p.dataset = $dataset)"
            " select s.id from shown s join sc_source o on o.id = s.source"
            " where o.characters = 0"
            " and not exists (select 1 from assignment a where a.task = $task and a.item = s.id)",
            task=SUPPORT,
            dataset=dataset,
        )
    )


def has_page_without_text(store: Store, body: Mapping[str, Any]) -> bool:
    """Whether a pair's page was fetched and holds no text, by the pair's body."""
    snapshot = snapshot_id_of_pair(store, body)
    return bool(snapshot) and not source_text(store, snapshot).strip()


def count_pairs_settled_by_item(store: Store, dataset: str) -> dict[str, int]:
    """Item id -> how many pairs an answer to it settles, if more than one."""
    return dict(
        store.rows(
            f"with same as ({_SAME}) select id, many from same join ("
            "  select said, page, count(distinct same) as many from same group by all) using (said,"
            " page) where many > 1",
            dataset=dataset,
        )
    )


# -- pairs that already exist ----------------------------------------------------------------------


def names_by_id_of_dependents_of_items(
    store: Store, dataset: str, names: Sequence[str]
) -> dict[str, str]:
    """What rests on questions and answers (by the names of their items), as names by id: the
    answers to a question, and the pairs and merged sources of an answer. Statements by their names
    and pages by their addresses, which are no items, with what shows them.
    """
    besides = dict(
        store.rows(
            "select id, name from sc_statement_told where dataset = $dataset and name in $names"
            " union all select id, url from sc_source_told"
            "  where dataset = $dataset and url in $names",
            dataset=dataset,
            names=list(names),
        )
    )
    of_items = dict(
        store.rows(
            "with named as (select id, kind from item_known where study = $study"
            "  and dataset = $dataset and name in $names and kind in ('question', 'response')),"
            " answers as (select id from named where kind = 'response' union"
            "  select id from sc_response_told where question in (select id from named))"
            " select id, name from item_known where study = $study and dataset = $dataset and ("
            "  id in (from answers) or (body->>'$.response') in (from answers)"
            "  or (body->>'$.statement') in (select id from sc_statement_told"
            "   where response in (from answers)))",
            study=STUDY,
            dataset=dataset,
            names=list(names),
        )
    )
    return {**of_items, **names_by_id_of_dependents_of_rows(store, list(besides)), **besides}


_PAGES_IN_PLAY = Lookup(
    "sourcecheckup.pages_in_play",
    "select n.id, n.url from sc_source_now n anti join item_withdrawn w on w.item = n.id"
    " where n.dataset = $dataset order by n.seq",
)


def addresses_of_other_pages_by_snapshot(
    store: Store, dataset: str, urls: Sequence[str]
) -> dict[str, str]:
    """The addresses of a dataset's pages in play that are none of these, by their newest snapshot's
    id.
    """
    rows = store.rows(
        _PAGES_IN_PLAY,
        dataset=dataset,
    )
    given = set(urls)
    return {id: url for id, url in rows if url not in given}


_SNAPSHOTS_OF_PAGES = Lookup(
    "sourcecheckup.snapshots_of_pages",
    "select o.id, o.url from sc_source_told o join sc_source_told n"
    " on n.dataset = o.dataset and n.url = o.url"
    " where n.dataset = $dataset and n.id in $newest",
)


def names_by_id_of_dependents_of_pages(
    store: Store, dataset: str, newest: Sequence[str]
) -> dict[str, str]:
    """What rests on pages (ids of their newest snapshots), as names by id: their earlier snapshots,
    and the pairs and merged sources that show any.
    """
    snapshots = dict(
        store.rows(
            _SNAPSHOTS_OF_PAGES,
            dataset=dataset,
            newest=list(newest),
        )
    )
    resting = {**snapshots, **names_by_id_of_dependents_of_rows(store, list(snapshots))}
    gone = withdrawn_item_ids(store, dataset)
    return {id: name for id, name in resting.items() if id not in gone}


_RESTING_ON_ROWS = Lookup(
    "sourcecheckup.resting_on_rows",
    "with recursive rests as ("
    " select s.id, s.name, s.response as basis from sc_statement_told s"
    " union all select r.id, i.name, r.question from sc_response_told r"
    "  join item_known i on i.id = r.id"
    " union all select id, name, body->>'$.statement' from item_known"
    "  where study = $study and kind in $kinds"
    " union all select id, name, body->>'$.source' from item_known"
    "  where study = $study and kind = $pair"
    " union all select i.id, i.name, unnest("
    "from_json(i.body->'$.sources', '[\"VARCHAR\"]'))"
    "  from item_known i where i.study = $study and i.kind = $merged),"
    " found as (select id, name from rests where basis in $ids"
    " union select r.id, r.name from rests r join found f on f.id = r.basis)"
    " select id, name from found",
)


def names_by_id_of_dependents_of_rows(store: Store, ids: Sequence[str]) -> dict[str, str]:
    """What rests on questions, answers, statements and snapshots (by id), as names by id: the
    answers to a question, the statements of an answer, and pairs and merged sources.
    """
    if not ids:
        return {}
    return dict(
        store.rows(
            _RESTING_ON_ROWS,
            ids=list(ids),
            study=STUDY,
            kinds=[PAIR_KIND, MERGED_KIND],
            pair=PAIR_KIND,
            merged=MERGED_KIND,
        )
    )


def names_and_count_of_dependents_of_import(store: Store, ids: Sequence[str]) -> Resting:
    """What rests on imported questions, answers, statements or snapshots (ids), and is in play."""
    names = names_by_id_of_dependents_of_rows(store, ids)
    there = dict(
        store.rows(
            "select t.id, coalesce(i.kind, '') from thing_in_play t left join item i on i.id = t.id"
            " where t.id in $names",
            names=list(names),
        )
    )
    made = sum(kind not in (PAIR_KIND, MERGED_KIND) for kind in there.values())
    return Resting({thing: names[thing] for thing in there}, made)


_WITHDRAWN_ITEM_IDS = Lookup(
    "sourcecheckup.withdrawn_item_ids",
    "select item from item_withdrawn where study = $study and dataset = $dataset"
    # What an undone import had brought comes anew.
    " and not coalesce(undone, false)",
)


def withdrawn_item_ids(store: Store, dataset: str) -> set[str]:
    """The ids of a dataset's items that a lead has withdrawn."""
    return set(
        store.column(
            _WITHDRAWN_ITEM_IDS,
            study=STUDY,
            dataset=dataset,
        )
    )


_PAIR_SOURCES = Lookup(
    "sourcecheckup.pair_sources",
    "select id, source from sc_pair where dataset = $dataset",
)


def snapshot_id_by_pair_item_id(store: Store, dataset: str) -> dict[str, str]:
    """Item id -> snapshot id ("" means the newest) of the pairs that are items."""
    return dict(store.rows(_PAIR_SOURCES, dataset=dataset))


def has_unmade_pairs(store: Store, dataset: str) -> bool:
    """Whether a statement and a readable source of its response are not yet an item."""
    found = store.rows(
        "select 1 from sc_statement_now s join sc_cited c on c.response = s.response"
        " join (select url from sc_source_now n anti join item_withdrawn w on w.item = n.id"
        "  where dataset = $dataset and outcome in $readable) o"
        "  on o.url = c.url"
        " left join (select statement, url from sc_pair where dataset = $dataset) m"
        "  on m.statement = s.id and m.url = c.url"
        " where s.dataset = $dataset and m.url is null limit 1",
        dataset=dataset,
        readable=list(READABLE),
    )
    return bool(found)
