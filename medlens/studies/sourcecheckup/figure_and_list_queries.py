"""The SQL behind the leads' figures and lists: whole datasets as tables, and one answer in
detail.

Tables of 58,000 pairs are read as Arrow, in a third of the time that rows of text take.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import judging
from medlens.review.raters import Rater, require_lead
from medlens.store import Lookup, Store, new_id
from medlens.studies.sourcecheckup.queries import LAST_WORD
from medlens.studies.sourcecheckup.records import OUTCOMES, READABLE, VALID
from medlens.studies.sourcecheckup.tasks import RESPONSE, SUPPORT
from medlens.web import Outcome


def _table(store: Store, sql: str, **params: Any) -> pd.DataFrame:
    found: pd.DataFrame = store.fetch_query_result_as_arrow_table(sql, **params).to_pandas()
    return found


# -- whole datasets --------------------------------------------------------------------------------


def load_figure_tables_by_name(store: Store, dataset: str) -> dict[str, pd.DataFrame]:
    """The four tables of ``metrics_input_tables.DatasetTables``, by field name.

    ``verdicts`` also has ``item``, the pair's item id.
    """
    given = {"dataset": dataset}
    listed = _table(
        store,
        "select r.name as response, coalesce(q.name, '') as question,"
        " coalesce(q.source_group, '') as \"group\", r.model,"
        " r.outcome = 'ok' and p.id is not null as parsed"
        " from sc_response_now r left join sc_question_told q on q.id = r.question"
        " left join sc_parse_told p on p.response = r.id where r.dataset = $dataset order by r.seq",
        **given,
    )
    stated = _table(
        store,
        "select s.name as statement, r.name as response from sc_statement_now s"
        " join sc_response_now r on r.id = s.response where s.dataset = $dataset order by s.seq",
        **given,
    )
    cited = _table(
        store,
        "select r.name as response, c.url, coalesce(o.outcome, '') as outcome,"
        " coalesce(o.outcome in $valid, false) as valid,"
        " coalesce(o.fetched in $valid or (o.status = 200 and o.characters > 0), false)"
        " as answered,"
        " coalesce(o.outcome in $readable, false) as readable, coalesce(o.existed, '') as existed"
        " from sc_cited c join sc_response_now r on r.id = c.response"
        " left join (select url, outcome, fetched, status, characters, existed from sc_source_now"
        "  where dataset = $dataset) o"
        " on o.url = c.url where c.dataset = $dataset order by c.seq",
        **given,
        valid=list(VALID),
        readable=list(READABLE),
    )
    said = _table(
        store,
        "select p.same as item, s.name as statement, p.url, t.name as rater,"
        " coalesce(j.body->>'$.verdict', '') as verdict from judgment_blind j"
        " join sc_pair_same p on p.id = j.item join rater t on t.id = j.rater"
        " join sc_statement_now s on s.id = p.statement"
        " where j.task = $task and p.dataset = $dataset and t.kind = 'model'" + LAST_WORD,
        **given,
        task=SUPPORT,
    )
    return {"responses": listed, "statements": stated, "citations": cited, "verdicts": said}


def table_of_quotes_in_verdicts(store: Store, dataset: str) -> pd.DataFrame:
    """The quotes in models' current verdicts: item, question, rater, quote, source (snapshot
    id).

    Pairs without a readable source are left out: they have nothing to quote.
    """
    return _table(
        store,
        "select p.same as item, coalesce(q.name, '') as question, t.name as rater,"
        " coalesce(j.body->>'$.quote', '') as quote, o.id as source"
        " from judgment_blind j join sc_pair_same p on p.id = j.item join rater t on t.id = j.rater"
        " join sc_response_now r on r.id = p.response"
        " left join sc_question_told q on q.id = r.question"
        " left join sc_source_now n on n.url = p.url and n.dataset = p.dataset"
        " join sc_source_told o on o.id = coalesce(nullif(p.source, ''), n.id)"
        " where j.task = $task and p.dataset = $dataset and t.kind = 'model'"
        f" and o.outcome in $readable{LAST_WORD} order by o.id, p.seq, t.name",
        dataset=dataset,
        task=SUPPORT,
        readable=list(READABLE),
    )


def table_of_all_pairs(store: Store, dataset: str) -> pd.DataFrame:
    """Every statement with every address of its answer, once each, in order.

    Columns: statement, text, response, question, model, url, outcome ("" not fetched), item_id (""
    no item yet).
    """
    return _table(
        store,
        "with cited as (select response, url, min(n) as at from sc_cited"
        "  where dataset = $dataset group by response, url)"
        " select s.name as statement, s.statement as text, r.name as response,"
        " coalesce(q.name, '') as question, r.model, c.url, coalesce(o.outcome, '') as outcome,"
        " coalesce(m.id, '') as item_id"
        " from sc_statement_now s join sc_response_now r on r.id = s.response"
        " left join sc_question_told q on q.id = r.question join cited c on c.response = s.response"
        " left join (select url, outcome from sc_source_now where dataset = $dataset) o"
        "  on o.url = c.url"
        " left join (select id, statement, url from sc_pair_same"
        "  where dataset = $dataset and id = same) m"
        "  on m.statement = s.id and m.url = c.url"
        " where s.dataset = $dataset order by r.seq, s.n, s.seq, c.at",
        dataset=dataset,
    )


# -- one answer ------------------------------------------------------------------------------------


def load_answer_by_name(store: Store, dataset: str, name: str) -> dict[str, Any] | None:
    """One answer by name: id, name, model, outcome, text, reason, question, group; or None."""
    return store.find_first_row_as_dict(
        "select r.id, r.name, r.model, r.outcome, r.response as text, r.reason,"
        " coalesce(q.question, '') as question, coalesce(q.source_group, '') as \"group\""
        " from sc_response_now r left join sc_question_told q on q.id = r.question"
        " where r.dataset = $dataset and r.name = $name",
        dataset=dataset,
        name=name,
    )


_STATEMENTS_OF_ANSWER = Lookup(
    "sourcecheckup.statements_of_answer",
    "select name, n, statement as text from sc_statement_now where response = $response"
    " order by n, seq",
    response="items",
)


def list_statements_of_answer(store: Store, response: str) -> list[dict[str, Any]]:
    """The statements of an answer (by id) in order: name, n, text."""
    return store.query_rows_as_dicts(_STATEMENTS_OF_ANSWER, response=response)


def list_sources_of_answer(store: Store, dataset: str, response: str) -> list[dict[str, Any]]:
    """The sources of an answer (by id), each address once: url, source (id), outcome, told_why and
    told_by (from a lead's correction), status, title, reason, tokens, existed.
    """
    return store.query_rows_as_dicts(
        "select c.url, coalesce(o.id, '') as source, coalesce(o.outcome, '') as outcome, o.status,"
        " o.tokens,"
        " coalesce(o.told_why, '') as told_why, coalesce(o.told_by, '') as told_by,"
        " coalesce(o.title, '') as title, coalesce(o.reason, '') as reason,"
        " coalesce(o.existed, '') as existed"
        " from (select url, min(n) as at from sc_cited where response = $response"
        " group by url) c"
        " left join sc_source_now o on o.url = c.url and o.dataset = $dataset order by c.at",
        dataset=dataset,
        response=response,
    )


def table_of_model_verdicts_on_answer(store: Store, dataset: str, response: str) -> pd.DataFrame:
    """The models' current verdicts on an answer's pairs: item_id, statement (name), url, rater,
    verdict, body (as JSON).
    """
    return store.read(
        "select p.same as item_id, s.name as statement, p.url, t.name as rater,"
        " coalesce(j.body->>'$.verdict', '') as verdict, j.body from sc_statement_now s"
        " join sc_pair_same p on p.statement = s.id join judgment_now j on j.item = p.id"
        " join rater t on t.id = j.rater where s.response = $response and p.dataset = $dataset"
        f" and j.task = $task and t.kind = 'model'{LAST_WORD} order by t.name, p.seq",
        response=response,
        dataset=dataset,
        task=SUPPORT,
    )


def has_yet_to_judge(store: Store, item: str, rater: str) -> bool:
    """Whether this rater still has to judge a pair or an answer (by item id), or something it is
    part of, or a part of it.
    """
    found = store.rows(
        "with about as (select $item as item union all"
        " select response from sc_pair where id = $item union all"
        " select id from sc_pair where response = $item)"
        " select 1 from assignment_now a join about on about.item = a.item"
        " where a.task in $tasks and a.rater = $rater and not a.judged limit 1",
        item=item,
        rater=rater,
        tasks=[SUPPORT, RESPONSE],
    )
    return bool(found)


def reveal_table_of_model_verdicts_on_answer(
    store: Store, dataset: str, response: str, viewer: Rater
) -> pd.DataFrame:
    """The models' verdicts on an answer's pairs (``table_of_model_verdicts_on_answer``), for a
    viewer who has judged the whole answer.

    This is recorded for every pair of the answer: what the viewer judges of them later is not
    blind.

    Raises:
        NotAllowed: a reviewer has not submitted the answer, or still has to judge a pair of it.
    """
    if viewer.role != "lead":
        committed = store.rows(
            "select 1 from judgment where task = $task and item = $item and rater = $rater",
            task=RESPONSE,
            item=response,
            rater=viewer.id,
        )
        if not committed or has_yet_to_judge(store, response, viewer.id):
            raise NotAllowed(
                "The verifier's verdict is shown once you have done all that you were given on"
                " this answer.",
                hint="Submit your own first.",
            )
    said = table_of_model_verdicts_on_answer(store, dataset, response)
    about = {(SUPPORT, str(item)) for item in said["item_id"]} | {(RESPONSE, response)}
    judging.record_items_as_seen_and_say_if_any_new(store, sorted(about), rater=viewer.id)
    return said


def record_pair_seen(store: Store, item: str, viewer: Rater) -> None:
    """Record that the viewer knows what others said of a pair (by item id): their judgment of its
    whole answer is no longer blind.
    """
    found = store.column("select response from sc_pair where id = $item", item=item)
    judging.record_items_as_seen_and_say_if_any_new(
        store, [(RESPONSE, response) for response in found], rater=viewer.id
    )


def find_question_of_item(store: Store, item: str) -> dict[str, Any] | None:
    """A question by item id: question, document, document_url, answer."""
    return store.find_first_row_as_dict(
        "select question, document, document_url, answer from sc_question_told where id = $id",
        id=item,
    )


def find_answer_fields_shown_to_raters(store: Store, item: str) -> dict[str, Any] | None:
    """An answer by item id as raters see it, without its model: name, dataset, text, question."""
    return store.find_first_row_as_dict(
        "select r.name, r.dataset, r.response as text, coalesce(q.question, '') as question"
        " from sc_response_now r left join sc_question_told q on q.id = r.question"
        " where r.id = $id",
        id=item,
    )


LONGEST_REASON = 500


@dataclass(frozen=True)
class PageOutcome:
    """A snapshot and its page's outcome: ``outcome`` is current, ``fetched`` and ``reason``
    are the fetch's.

    ``revision`` counts the leads' corrections, 0 if none. ``newest``: the address has no later
    snapshot, so the figures count this one.
    """

    source: str
    outcome: Outcome
    fetched: Outcome
    reason: str
    characters: int
    revision: int
    newest: bool

    @property
    def other_possible_outcomes(self) -> tuple[Outcome, ...]:
        """The other outcomes a lead can choose: a page without text cannot be readable."""
        others = (one for one in OUTCOMES if one != self.outcome)
        return tuple(one for one in others if self.characters or one not in VALID)


@dataclass(frozen=True)
class OutcomeCorrection:
    """A lead's correction: when, by whom, and why."""

    at: datetime
    by: str
    was: Outcome
    outcome: Outcome
    reason: str


_TOLD = (
    "select t.id as source, t.outcome, t.fetched, t.reason, t.characters, t.told as revision,"
    " not exists (select 1 from sc_source_told l where l.dataset = t.dataset and l.url = t.url"
    " and l.revision > t.revision) as newest from sc_source_told t"
)


# Leads' corrections of page outcomes: kept beside the fetch's, with who, when and why.
#
# A correction applies to one snapshot: if the page is fetched again, the new fetch counts. The
# view ``sc_source_told`` applies the corrections to the snapshots. Every figure by our rule reads
# it; the paper's rule uses the fetch.


def outcome_of_snapshot(store: Store, source: str) -> PageOutcome | None:
    """The outcome of a snapshot's page (by snapshot id); None if there is no such snapshot."""
    row = store.find_first_row_as_dict(f"{_TOLD} where t.id = $source", source=source)
    return PageOutcome(**row) if row else None


def list_corrections_of_page_outcome(
    store: Store, source: str, *, viewer: Rater
) -> list[OutcomeCorrection]:
    """Every correction of a snapshot (by id), oldest first.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.query_rows_as_dicts(
        "select o.made_at as at, coalesce(r.name, o.made_by) as by, o.was, o.outcome, o.reason"
        " from sc_outcome o left join rater r on r.id = o.made_by where o.source = $source"
        " order by o.revision",
        source=source,
    )
    return [OutcomeCorrection(**row) for row in rows]


def record_outcome_correction(
    store: Store, source: str, outcome: Outcome, *, dataset: str, reason: str, base: int, by: Rater
) -> None:
    """Correct a page's outcome, by its snapshot's id; ``base`` is the last revision the lead saw.
    If the page now counts as readable, its pairs become items to verify.

    Raises:
        Conflict: another lead has made a correction since.
        InvalidInput: there is no such snapshot, no reason, the reason is too long, the outcome is
            the current one, or it implies a text that the page does not have.
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    now = outcome_of_snapshot(store, source)
    if now is None:
        raise InvalidInput("There is no such page.", hint="Open it from the list again.")
    if now.revision != base:
        raise _conflict()
    why = " ".join(reason.split())
    if not why or len(why) > LONGEST_REASON:
        raise InvalidInput(
            "An outcome is changed with a reason.",
            hint=f"Say why in at most {LONGEST_REASON} characters.",
        )
    if outcome not in now.other_possible_outcomes:
        raise InvalidInput(
            "This outcome cannot be given to this page.",
            hint="Choose another one; a page without a text cannot be called readable.",
        )
    try:
        store.append(
            "sc_outcome",
            {
                "id": new_id(),
                "source": source,
                "revision": base + 1,
                "was": now.outcome,
                "outcome": outcome,
                "reason": why,
                "made_by": by.id,
            },
        )
    except Conflict as error:
        raise _conflict() from error
    if outcome in READABLE:
        # With it come the rules for quotes, which take long to load.
        from medlens.studies.sourcecheckup.make_statement_source_pairs import (
            make_missing_pair_items_and_count,
        )

        make_missing_pair_items_and_count(store, dataset)


def _conflict() -> Conflict:
    return Conflict(
        "Somebody has changed this outcome since you opened the page.",
        hint="Look at the current outcome first, then change it again if you must.",
    )
