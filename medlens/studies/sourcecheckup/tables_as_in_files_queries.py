"""SourceCheckup's tables in the form of its files, by name, and the ids behind the names."""

from __future__ import annotations

from medlens.deferred_module import pd
from medlens.store import Lookup, Store
from medlens.studies.sourcecheckup.queries import LAST_WORD
from medlens.studies.sourcecheckup.records import MERGED_KIND, STUDY
from medlens.studies.sourcecheckup.tasks import MERGED, SUPPORT

_PLACE = "$dataset as dataset, coalesce(i.illustrative, false) as illustrative"


_QUESTIONS_TABLE = Lookup(
    "sourcecheckup.questions_table",
    'select q.name as question_id, q.question, q.source_group as "group", q.answer,'
    f" q.document, q.document_url, {_PLACE} from sc_question_told q left"
    " join item_known i on i.id = q.id"
    " where q.dataset = $dataset order by q.seq",
)


def questions_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per question: question_id, question, group, answer, document, document_url."""
    return store.read(
        _QUESTIONS_TABLE,
        dataset=dataset,
    )


_RESPONSES_TABLE = Lookup(
    "sourcecheckup.responses_table",
    "select r.name as response_id, q.name as question_id, r.model, r.response,"
    " coalesce(c.urls, []) as urls, r.outcome, r.raw, r.reason, r.run,"
    f" {_PLACE.replace('i.illustrative', 'i.illustrative, k.illustrative')}"
    " from sc_response_told r left join sc_question_told q on q.id = r.question"
    " left join item_known i on i.id = r.id left join item_known k on k.id = r.question"
    " left join (select response, list(url order by n) as urls from sc_citation"
    "  where dataset = $dataset group by response) c on c.response = r.id"
    " where r.dataset = $dataset order by r.seq",
)


def responses_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per response: response_id, question_id, model, response, urls (list), outcome, …"""
    return store.read(
        _RESPONSES_TABLE,
        dataset=dataset,
    )


_STATEMENTS_TABLE = Lookup(
    "sourcecheckup.statements_table",
    "select coalesce(s.name, '') as statement_id, r.name as response_id, s.n,"
    " coalesce(s.statement, '') as statement, p.model as parser, $dataset as dataset,"
    " coalesce(i.illustrative, false) as illustrative"
    " from sc_parse_told p join sc_response_told r on r.id = p.response"
    " left join sc_statement_told s on s.response = r.id left join item_known i on i.id = r.id"
    " where p.dataset = $dataset order by r.seq, s.n, s.seq",
)


def statements_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per statement: statement_id, response_id, n, statement, parser.

    A response without statements has one row, without statement_id and statement.
    """
    return store.read(
        _STATEMENTS_TABLE,
        dataset=dataset,
    )


def _sources_sql(last: str, whole: str) -> str:
    return (
        "select url, status, outcome, fetched as fetched_outcome, told_why as outcome_reason,"
        " told_by as outcome_by, told_at as outcome_at, reason, final_url, content_type, title,"
        " headers, redirects, fetched_at, seconds, bytes, tokens, existed,"
        f" $dataset as dataset, {last}"
        f" from (select * exclude (text) from sc_source_now where dataset = $dataset){whole}"
        " order by seq"
    )


_SOURCES_WITHOUT_TEXT = Lookup(
    "sourcecheckup.sources_without_text", _sources_sql("digest, told", "")
)
_SOURCES_WITH_TEXT = _sources_sql("text", " join sc_source_text using (id)")


def sources_table(store: Store, dataset: str, *, text: bool = True) -> pd.DataFrame:
    """One row per address with its newest snapshot: url, status, outcome, …, text (or its digest,
    and ``told``: its number of leads' corrections).
    """
    return store.read(_SOURCES_WITH_TEXT if text else _SOURCES_WITHOUT_TEXT, dataset=dataset)


def pair_verdicts_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per verdict on a pair, or one without a rater if the pair has none.

    Columns: statement_id, url, rater, rater_kind, rater_handle, verdict, reason, quote, passages
    (JSON), seconds, idle_seconds, revision, blind, origin, judged_at, judgment_id, statement,
    response_id, model, outcome (of the page), dataset, illustrative, run_id, prompt_version.
    """
    return store.read(
        "select s.name as statement_id, p.url, coalesce(t.name, '') as rater,"
        " coalesce(t.kind, '') as rater_kind, coalesce(t.handle, '') as rater_handle,"
        " coalesce(j.body->>'$.verdict', '') as verdict,"
        " coalesce(j.body->>'$.reason', '') as reason,"
        " coalesce(j.body->>'$.quote', '') as quote,"
        " coalesce(nullif(j.body->>'$.passages', '[]'), '') as passages,"
        " j.active_seconds as seconds, j.idle_seconds, j.revision, j.blind,"
        " coalesce(j.origin, '') as origin,"
        " j.made_at as judged_at, coalesce(j.id, '') as judgment_id, s.statement,"
        " r.name as response_id, r.model, coalesce(o.outcome, '') as outcome, $dataset as dataset,"
        " i.illustrative, j.run as run_id, j.prompt as prompt_version"
        " from sc_pair_same p join item_in_play i on i.id = p.id"
        " join sc_statement_told s on s.id = p.statement"
        " join sc_response_told r on r.id = p.response"
        " left join (select * from judgment_blind where task = $task) j on j.item = p.id"
        " left join rater t on t.id = j.rater left join sc_source_told o on o.id = p.source"
        " where p.dataset = $dataset and (j.id is not null or p.id = p.same)"
        f"{LAST_WORD} order by p.seq, t.handle",
        dataset=dataset,
        task=SUPPORT,
    )


def pair_names_table(store: Store, dataset: str) -> pd.DataFrame:
    """item (its name), statement_id and url of every pair."""
    return store.read(
        "select p.name as item, s.name as statement_id, p.url from sc_pair_same p"
        " join sc_statement_told s on s.id = p.statement"
        " where p.dataset = $dataset and p.id = p.same"
        " order by p.seq",
        dataset=dataset,
    )


def cleanups_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per clean-up and verifier that rechecked it: statement_id, url, action, …"""
    return store.read(
        "select s.name as statement_id, c.url, c.action, c.text, c.reason, c.model,"
        " s.statement as original, coalesce(t.name, '') as verifier,"
        " coalesce(k.body->>'$.verdict', '') as verdict,"
        " coalesce(k.body->>'$.reason', '') as verdict_reason,"
        " coalesce(k.body->>'$.quote', '') as quote, $dataset as dataset"
        " from sc_cleanup c join sc_statement_told s on s.id = c.statement"
        " left join sc_recheck_now k on k.cleanup = c.id left join rater t on t.id = k.rater"
        " where c.dataset = $dataset order by c.seq, t.handle",
        dataset=dataset,
    )


# -- ids behind names ------------------------------------------------------------------------------


_STATEMENT_IDS_TABLE = Lookup(
    "sourcecheckup.statement_ids_table",
    "select s.name as statement_id, s.id as statement, s.statement as text, s.response,"
    " r.name as response_id, s.n from sc_statement_told s"
    " join sc_response_told r on r.id = s.response"
    " where s.dataset = $dataset order by s.seq",
)


def statement_ids_table(store: Store, dataset: str) -> pd.DataFrame:
    """statement_id (name), statement (its row's id), text, response (id), response_id (name)."""
    return store.read(
        _STATEMENT_IDS_TABLE,
        dataset=dataset,
    )


_CITED_ADDRESSES_TABLE = Lookup(
    "sourcecheckup.cited_addresses_table",
    "select distinct response, url from sc_cited where dataset = $dataset",
)


def cited_addresses_table(store: Store, dataset: str) -> pd.DataFrame:
    """response (id), url: each pair once."""
    return store.read(_CITED_ADDRESSES_TABLE, dataset=dataset)


_SNAPSHOTS_BY_ADDRESS = Lookup(
    "sourcecheckup.snapshots_by_address",
    "select coalesce(nullif(split_part(url, '#', 1), ''), url) as url, max(revision)"
    " from sc_source where dataset = $dataset group by all",
)


def count_snapshots_by_address(store: Store, dataset: str) -> dict[str, int]:
    """url -> its number of snapshots, with those whose import was undone."""
    return dict(
        store.rows(
            _SNAPSHOTS_BY_ADDRESS,
            dataset=dataset,
        )
    )


_SOURCE_IDS_TABLE = Lookup(
    "sourcecheckup.source_ids_table",
    "select url, id as source from sc_source_now where dataset = $dataset",
)


def source_ids_table(store: Store, dataset: str) -> pd.DataFrame:
    """url, source (id of the newest snapshot)."""
    return store.read(_SOURCE_IDS_TABLE, dataset=dataset)


_KNOWN_ITEMS = Lookup(
    "sourcecheckup.known_items",
    "select id from item_known where study = $study and dataset = $dataset and kind = $kind",
)


def ids_of_items_of_kind(store: Store, dataset: str, kind: str) -> set[str]:
    """The ids of the dataset's items of a kind."""
    return set(
        store.column(
            _KNOWN_ITEMS,
            study=STUDY,
            dataset=dataset,
            kind=kind,
        )
    )


_PAIR_JUDGMENTS_TABLE = Lookup(
    "sourcecheckup.pair_judgments_table",
    "select j.item, j.rater, j.revision, j.id from judgment j"
    " join item_known i on i.id = j.item"
    " where j.task = $task and i.dataset = $dataset and i.study = $study",
)


def pair_judgments_table(store: Store, dataset: str) -> pd.DataFrame:
    """item, rater (ids), revision and id of every judgment of a pair."""
    return store.read(
        _PAIR_JUDGMENTS_TABLE,
        task=SUPPORT,
        dataset=dataset,
        study=STUDY,
    )


_NAMES_OF_MODELS = Lookup(
    "sourcecheckup.names_of_models",
    "select model from sc_response_told where dataset = $dataset union"
    " select name from rater where kind = 'model'",
)


def names_of_models(store: Store, dataset: str) -> set[str]:
    """The names of models: those that answered in this dataset, and raters of kind model."""
    return set(
        store.column(
            _NAMES_OF_MODELS,
            dataset=dataset,
        )
    )


_ROW_IDS = {
    table: Lookup(f"sourcecheckup.ids_of_{table}", f"select id from {table} where {of_dataset}")
    for table, of_dataset in {
        "sc_cleanup": "dataset = $dataset",
        "sc_parse": "dataset = $dataset",
        "sc_recheck": "cleanup in (select id from sc_cleanup where dataset = $dataset)",
    }.items()
}


def ids_of_parse_cleanup_or_recheck_rows(store: Store, table: str, dataset: str) -> set[str]:
    """The ids of a dataset's rows in ``sc_cleanup``, ``sc_parse`` or ``sc_recheck``."""
    return set(store.column(_ROW_IDS[table], dataset=dataset))


def sources_with_altered_text(store: Store) -> list[tuple[str, str]]:
    """Pages whose text differs from what was fetched, as (dataset, url): empty in a sound store."""
    return [
        (dataset, url)
        for dataset, url in store.rows(
            "select dataset, url from sc_source join sc_source_text t using (id)"
            " where characters > 0 and sha256(t.text) <> digest"
        )
    ]


# -- merged sources --------------------------------------------------------------------------------


_ITEMS = (
    "select id, seq, illustrative, body->>'$.statement' as statement,"
    " json_array_length(body->'$.sources') as sources, row_number() over"
    " (partition by body->>'$.statement' order by seq desc) = 1 as newest"
    " from item_in_play where study = $study and kind = $kind and dataset = $dataset"
)
"""All sets of sources that a statement was held against; the newest is the one that counts."""


def merged_source_verdict_words_table(store: Store, dataset: str) -> pd.DataFrame:
    """Models' verdicts on statements' newest sets of sources: statement (name), rater, verdict.

    Verdicts on older sets are left out: a source that became readable since makes a new set.
    """
    return store.read(
        f"with merged as ({_ITEMS}) select s.name as statement, t.name as rater,"
        " coalesce(j.body->>'$.verdict', '') as verdict from judgment_now j"
        " join merged m on m.id = j.item and m.newest join rater t on t.id = j.rater"
        " join sc_statement_told s on s.id = m.statement"
        " where j.task = $task and t.kind = 'model' order by m.seq, t.handle",
        task=MERGED,
        study=STUDY,
        kind=MERGED_KIND,
        dataset=dataset,
    )


def merged_source_verdicts_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per verdict that counts: statement_id, rater, verdict, reason, quote, seconds, …"""
    return store.read(
        f"with merged as ({_ITEMS}) select s.name as statement_id, t.name as rater,"
        " coalesce(j.body->>'$.verdict', '') as verdict,"
        " coalesce(j.body->>'$.reason', '') as reason, coalesce(j.body->>'$.quote', '') as quote,"
        " j.active_seconds as seconds, m.sources, s.statement, r.name as response_id, r.model,"
        " $dataset as dataset, m.illustrative, j.run as run_id, j.prompt as prompt_version"
        " from judgment_now j join merged m on m.id = j.item and m.newest"
        " join rater t on t.id = j.rater join sc_statement_told s on s.id = m.statement"
        " join sc_response_told r on r.id = s.response"
        " where j.task = $task and t.kind = 'model' order by s.seq, t.handle",
        task=MERGED,
        study=STUDY,
        kind=MERGED_KIND,
        dataset=dataset,
    )
