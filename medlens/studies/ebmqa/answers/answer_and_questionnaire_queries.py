"""The SQL of answers: questions to match them with, answers already stored, blocks in and out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from medlens.deferred_module import pa, pd
from medlens.review import (
    further_columns_of_imported_items,
    items,
    judging,
    rater_and_item_subgroups,
)
from medlens.review.result_cache import cache_per_dataset_until_growth, cache_until_tables_grow
from medlens.store import Lookup, Store, stable_id
from medlens.studies.ebmqa.records import LABELS, QUESTION_KIND, SHARE_TYPES, STUDY

_QUESTIONS_TO_MATCH = Lookup(
    "ebmqa.arrow_table_of_questions_to_match",
    "select seq as number, name, kind = 'semantic' as several, options::varchar as options"
    " from ebmqa_question_told where dataset = $dataset",
)


def arrow_table_of_questions_to_match(store: Store, dataset: str) -> pa.Table:
    """A dataset's questions to match answers with: number, name, several, options (JSON list)."""
    return store.fetch_query_result_as_arrow_table(
        _QUESTIONS_TO_MATCH,
        dataset=dataset,
    )


_NUMBERS_WITH_NEW_MEANING = Lookup(
    "ebmqa.numbers_with_new_meaning",
    "select seq from ebmqa_question_told where dataset = $dataset and seq <> place",
)


def numbers_of_questions_with_new_meaning(store: Store, dataset: str) -> list[int]:
    """The numbers of a dataset's questions whose meaning was corrected."""
    if not store.data_version_of_tables("corrected_row"):
        return []
    return store.column(
        _NUMBERS_WITH_NEW_MEANING,
        dataset=dataset,
    )


_ANSWERS_ALREADY_STORED = Lookup(
    "ebmqa.answers_already_stored",
    "select b.rater, b.prompt, b.repeat, a.question, a.outcome, a.chosen from ebmqa_answer a"
    " join ebmqa_answer_block b on b.number = a.block"
    " where b.dataset = $dataset and b.rater in $raters",
)


def stored_answers_table(store: Store, dataset: str, raters: Sequence[str]) -> pd.DataFrame:
    """What these raters have already answered.

    Columns: rater, prompt, repeat, question (its number), outcome and chosen (codes).
    """
    return store.read(
        _ANSWERS_ALREADY_STORED,
        dataset=dataset,
        raters=list(raters),
    )


_COUNT_ANSWER_BLOCKS = Lookup(
    "ebmqa.count_answer_blocks",
    "select rater, prompt, repeat, max(part) + 1 from ebmqa_answer_block"
    " where dataset = $dataset group by rater, prompt, repeat",
)


def answer_block_count_by_rater_prompt_and_repeat(
    store: Store, dataset: str
) -> dict[tuple[str, str, int], int]:
    """The number of blocks by rater, prompt and repeat."""
    rows = store.rows(
        _COUNT_ANSWER_BLOCKS,
        dataset=dataset,
    )
    return {(rater, prompt, repeat): top for rater, prompt, repeat, top in rows}


def filter_ids_of_stored_raters(store: Store, ids: Sequence[str]) -> set[str]:
    """Which of these raters the store has."""
    return store.known_ids("rater", ids)


def all_answers_table(store: Store, dataset: str) -> pd.DataFrame:
    """Every answer of a dataset's models, one row each, in the order of the questions.

    Columns: question_id, model, prompt, repeat, outcome, chosen, options (JSON list), correct,
    kind, said (the raw text; null if it was an option word for word).
    """
    return store.read(
        "select q.name as question_id, r.name as model, b.prompt, b.repeat, a.outcome, a.chosen,"
        " q.options::varchar as options, q.correct, q.kind, s.text as said"
        " from ebmqa_answer a join ebmqa_answer_block b on b.number = a.block"
        " join ebmqa_question_now q on q.seq = a.question join rater r on r.id = b.rater"
        " left join ebmqa_said s on s.block = a.block and s.place = a.said"
        " where b.dataset = $dataset order by q.place, r.name, b.prompt, b.repeat",
        dataset=dataset,
    )


def list_questions_to_ask(
    store: Store, dataset: str, *, kind: str = "", stratum: str = ""
) -> list[dict[str, Any]]:
    """Questions to ask: number, name, kind, question, options (JSON list), in order."""
    return store.query_rows_as_dicts(
        "select seq as number, seq <> place as meant_anew, name, kind, question,"
        " options::varchar as options from ebmqa_question_now"
        " where dataset = $dataset and ($kind = '' or kind = $kind)"
        " and ($stratum = '' or stratum = $stratum) order by place",
        dataset=dataset,
        kind=kind,
        stratum=stratum,
    )


# -- the questionnaire -------------------------------------------------------------------------

_ASKED = (
    " and {0} not in (select item from practice_now where task = 'ebmqa_answer')"
    " and ({0} in (select item from selection where task = 'ebmqa_answer' and dataset = $dataset)"
    "  or not exists (select 1 from selection where task = 'ebmqa_answer'"
    "   and dataset = $dataset))"
)
"""Items that are asked: not those for practice, and only a sample where a lead has drawn one."""


def find_question_of_questionnaire_item(store: Store, item: str) -> dict[str, Any] | None:
    """The question of a questionnaire item: its name, and the correct options (mask)."""
    return store.find_first_row_as_dict(
        "select q.name, q.correct from item_known i"
        " join ebmqa_question_told q on q.dataset = i.dataset and q.name = i.name"
        " where i.id = $item",
        item=item,
    )


_NUMERIC_QUESTIONS = Lookup(
    "ebmqa.numeric_questions",
    "select name, illustrative from ebmqa_question_now"
    " where dataset = $dataset and kind = 'numeric' order by name",
)


def names_of_numeric_questions_and_if_illustrative(
    store: Store, dataset: str, among: tuple[str, str] | None = None
) -> tuple[list[str], bool]:
    """The names of a dataset's numeric questions, and whether they are illustrative; ``among``
    limits them to a column's value (``count_numeric_questions_by_group``).
    """
    column, value = among or ("", "")
    label = column if column in LABELS else ""
    rows = (
        store.rows(
            "select name, illustrative from ebmqa_question_now"
            f" where dataset = $dataset and kind = 'numeric' and {label} = $value order by name",
            dataset=dataset,
            value=value,
        )
        if label
        else store.rows(_NUMERIC_QUESTIONS, dataset=dataset)
    )
    names = [name for name, _ in rows]
    if among and not label:
        beside = further_columns_of_imported_items.load_further_columns_by_item_name(
            store, items.ids_by_name_made_from_item_names(STUDY, dataset, names)
        )
        names = [
            name
            for name in names
            if rater_and_item_subgroups.group_name_of_cell(beside.get(name, {}).get(column))
            == value
        ]
    return names, any(flag for _, flag in rows)


# Called on every run of the page that draws a questionnaire, over all questions.
@cache_until_tables_grow("ebmqa_question", "item_further", most=8)
def count_numeric_questions_by_group(store: Store, dataset: str) -> dict[tuple[str, str], int]:
    """The number of numeric questions by column and value, for columns with few values: labels, and
    the further columns that the questions came with.
    """
    names, _ = names_of_numeric_questions_and_if_illustrative(store, dataset)
    found: dict[str, Counter[str]] = {}
    for label in LABELS:
        rows = store.rows(
            f"select {label}, count(*) from ebmqa_question_now where dataset = $dataset"
            f" and kind = 'numeric' and {label} <> '' group by 1 order by 1",
            dataset=dataset,
        )
        found[label] = Counter(dict(rows))
    for body in further_columns_of_imported_items.load_further_columns_by_item_name(
        store, items.ids_by_name_made_from_item_names(STUDY, dataset, names)
    ).values():
        for column, cell in body.items():
            if text := rater_and_item_subgroups.group_name_of_cell(cell):
                found.setdefault(column, Counter())[text] += 1
    return {
        (column, value): many
        for column, values in found.items()
        if len(values) <= rater_and_item_subgroups.MOST
        for value, many in values.items()
        if many < len(names)
    }


_QUESTIONS_BY_NAME = Lookup(
    "ebmqa.questions_by_name",
    "select name, question, qa_type, options::varchar as options, correct"
    " from ebmqa_question_now"
    " where dataset = $dataset and name in $names",
)


def list_named_questions_as_dicts(
    store: Store, dataset: str, names: Sequence[str]
) -> list[dict[str, Any]]:
    """Questions by their names: name, question, qa_type, options (JSON list), correct (mask)."""
    return store.query_rows_as_dicts(
        _QUESTIONS_BY_NAME,
        dataset=dataset,
        names=list(names),
    )


_QUESTIONNAIRE_ITEMS = Lookup(
    "ebmqa.questionnaire_items",
    f"select name, id from item_in_play where study = $study and kind = $kind"
    f" and dataset = $dataset{_ASKED.format('item_in_play.id')} order by seq",
)


@cache_per_dataset_until_growth("item", "gold", "selection")
def load_questionnaire_item_id_by_name(store: Store, dataset: str) -> dict[str, str]:
    """A dataset's questionnaire items that are asked: question name -> id. Cached for pages."""
    rows = store.rows(
        _QUESTIONNAIRE_ITEMS,
        study=STUDY,
        kind=QUESTION_KIND,
        dataset=dataset,
    )
    return dict(rows)


@cache_per_dataset_until_growth("item", "ebmqa_question")
def datasets_whose_questionnaire_shares_questions(store: Store, dataset: str) -> list[str]:
    """The datasets with a questionnaire that shares questions with ``dataset``.

    The same question means the same text, options and correct answer. Cached, like ``drawn``.
    """
    return store.column(
        "select distinct i.dataset from item_in_play i"
        " join ebmqa_question_now q on q.dataset = i.dataset and q.name = i.name"
        " where i.study = $study and i.kind = $kind and (i.dataset = $dataset or q.digest in"
        "  (select digest from ebmqa_question_now where dataset = $dataset)) order by 1",
        study=STUDY,
        kind=QUESTION_KIND,
        dataset=dataset,
    )


def list_question_names_and_answer_json_of_person(
    store: Store, dataset: str, rater: str
) -> list[tuple[str, str]]:
    """A person's current answers in the questionnaire: (question's name, body as JSON)."""
    return [
        (name, body)
        for name, body in store.rows(
            "select i.name, arg_max(j.body, j.revision)::varchar from judgment j"
            " join item_in_play i on i.id = j.item where j.task = 'ebmqa_answer'"
            " and j.rater = $rater"
            f" and i.dataset = $dataset{_ASKED.format('i.id')}"
            " group by i.name, i.seq order by i.seq",
            rater=rater,
            dataset=dataset,
        )
    ]


def list_names_of_questions_flagged_by_person(store: Store, dataset: str, rater: str) -> list[str]:
    """The names of the questionnaire's questions that a person has flagged."""
    return store.column(
        "select i.name from assignment_now a join item_in_play i on i.id = a.item"
        " where a.task = 'ebmqa_answer' and a.rater = $rater and a.state = 'flag'"
        f" and i.dataset = $dataset{_ASKED.format('i.id')}",
        rater=rater,
        dataset=dataset,
    )


def count_questions_whose_answer_person_may_know(store: Store, dataset: str, rater: str) -> int:
    """The number of questionnaire questions whose correct answer a person may know."""
    drawn = load_questionnaire_item_id_by_name(store, dataset).values()
    found = store.value(
        "select count(*) from reveal where task = 'ebmqa_answer' and rater = $rater"
        " and item in $marks",
        rater=rater,
        marks=[judging.id_of_item_with_current_meaning(store, item) for item in drawn],
    )
    return int(found)


_LOOK = "ebmqa_look"


def record_correct_answers_seen(
    store: Store, dataset: str, rater: str, *, at: datetime | None = None
) -> None:
    """Record that a person has seen a dataset's correct answers (at ``at``, else now).

    Only the first time is kept.
    """
    item = stable_id(_LOOK, dataset)
    mark = stable_id("reveal", _LOOK, item, rater)
    if not store.known_ids("reveal", [mark]):
        row = {"id": mark, "task": _LOOK, "item": item, "rater": rater}
        store.append("reveal", row if at is None else row | {"made_at": at})


def time_of_first_seeing_key_by_person(store: Store, dataset: str) -> dict[str, datetime]:
    """When people first saw the correct answers to a dataset's questions, in it or in any dataset
    that shares some of them (a benchmark, the set that it was drawn from).
    """
    rows = store.rows(
        "select rater, min(made_at) from reveal where task = $task and item in $items group by 1",
        task=_LOOK,
        items=[stable_id(_LOOK, one) for one in _sharing(store, dataset)],
    )
    return dict(rows)


@cache_per_dataset_until_growth("ebmqa_question")
def _sharing(store: Store, dataset: str) -> list[str]:
    """The datasets that share questions with this one. Cached: the desk asks with every answer."""
    return store.column(
        "select distinct dataset from ebmqa_question_now where digest in"
        " (select digest from ebmqa_question_now where dataset = $dataset)",
        dataset=dataset,
    )


_LAST_BLIND_ANSWERS = Lookup(
    "ebmqa.last_blind_answers",
    "select j.rater, max(j.made_at) from judgment_blind j join item_in_play i on i.id = j.item"
    " where j.task = 'ebmqa_answer' and i.dataset = $dataset group by 1",
)


def last_blind_answer_time_by_person(store: Store, dataset: str) -> dict[str, datetime]:
    """When each person last answered a question of the questionnaire blind."""
    rows = store.rows(
        _LAST_BLIND_ANSWERS,
        dataset=dataset,
    )
    return dict(rows)


_DRAWN_AND_SAID = (
    """
        with drawn as (
          select q.seq as question, q.qa_type, q.answer, q.correct, q.n_options
          from ebmqa_question_now q
          join item_in_play i on i.dataset = q.dataset and i.name = q.name
           and i.study = $study and i.kind = $kind
          where q.dataset = $dataset"""
    + _ASKED.format("i.id")
    + """),
        said as (
          select a.rater, a.rater_kind, a.prompt, a.repeat, d.question,
                 a.outcome = 0 as known, a.outcome = 0 and a.chosen = d.correct as right
          from ebmqa_answer_all a join drawn d using (question) where a.dataset = $dataset),
        settled as (
          select f.*, coalesce(g.known, f.known) as settled,
                 coalesce(g.right, f.right) as right_settled
          from said f left join (select * from said where prompt = 'person-guess') g
            on g.rater = f.rater and g.question = f.question and f.rater_kind = 'person'
          where f.prompt <> 'person-guess'),
        flagged as (
          select a.rater, count(*) as n from assignment_now a join item_in_play i on i.id = a.item
          where a.task = 'ebmqa_answer' and a.state = 'flag' and not a.judged
            and i.dataset = $dataset"""
    + _ASKED.format("i.id")
    + """ group by 1),
        whole as (select count(*) as n from drawn),
        -- Who had answered everything still has, when the meaning of a question changes.
        earlier as (
          select j.rater, count(distinct j.item) as n from judgment j
          join item_in_play i on i.id = j.item
          join (select item, max(version) as version from item_version where not counts
                group by item) v on v.item = j.item
          where j.task = 'ebmqa_answer' and i.dataset = $dataset"""
    + _ASKED.format("i.id")
    + """ and not exists (
            select 1 from judgment_blind k
            where k.task = j.task and k.item = j.item and k.rater = j.rater)
          group by 1),
        complete as (
          select rater from settled cross join whole w left join flagged f using (rater)
          left join earlier e using (rater)
          where rater_kind = 'person'
          group by rater, w.n, f.n, e.n
          having count(*) + coalesce(f.n, 0) + coalesce(e.n, 0) >= w.n)"""
)


def questionnaire_answers_table_without_access_check(store: Store, dataset: str) -> pd.DataFrame:
    """Every answer to a questionnaire question, by models and by people who finished it.

    Columns: rater (the name), kind ("person", "model"), prompt, repeat, question (a number), known
    and right (without a guess), settled and right_settled (with it).
    """
    return store.read(
        _DRAWN_AND_SAID
        + """
        select r.name as rater, s.rater_kind as kind, s.prompt, s.repeat, s.question, s.known,
               s.right, s.settled, s.right_settled
        from settled s join rater r on r.id = s.rater
        where s.rater_kind = 'model' or s.rater in (select rater from complete)
        order by s.rater_kind, r.name, s.rater, s.prompt, s.repeat, s.question""",
        dataset=dataset,
        study=STUDY,
        kind=QUESTION_KIND,
    )


def questionnaire_results_table_without_access_check(store: Store, dataset: str) -> pd.DataFrame:
    """``questionnaire.questionnaire_results_table``, without its access check."""
    return store.read(
        _DRAWN_AND_SAID
        + """,
        each as (
          select rater, rater_kind, prompt, repeat, count(*) as n,
                 count(*) filter (known) as known, count(*) filter ("right") as "right",
                 count(*) filter (settled) as settled,
                 count(*) filter (right_settled) as right_settled
          from settled group by all),
        majority as (
          select count(*) as of_class, sum(count(*)) over () as n
          from drawn where answer is not null and n_options = 3 and qa_type in $shares
          group by answer order by of_class desc limit 1)
        select e.rater as rater_id, r.name || case when count(*) over (partition by e.rater) > 1
                              then ' (' || e.prompt || ', ' || e.repeat || ')' else '' end as rater,
               e.rater_kind as kind, e.n, e.known, e."right", e.settled, e.right_settled
        from each e join rater r on r.id = e.rater
        where e.rater_kind = 'model' or e.rater in (select rater from complete)
        union all
        select '', 'Commonest class', 'majority', n, n, of_class, n, of_class from majority
        order by kind, rater
        """,
        dataset=dataset,
        study=STUDY,
        kind=QUESTION_KIND,
        shares=list(SHARE_TYPES),
    )
