"""Judgments as tables, gold items, adjudication and references: the input of figures."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from medlens.config.question_forms_and_answer_checks import list_reasons_against_submission
from medlens.deferred_module import np, pa, pd
from medlens.errors import Conflict, InvalidInput
from medlens.review import item_corrections, items
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.stats.majority import (
    count_votes_and_find_majority,
    count_votes_and_find_majority_on_scale,
    is_abstention,
)
from medlens.stats.smoothed_bootstrap import Floats, Ints
from medlens.store import Lookup, Store, new_id, stable_id, utc_now
from medlens.tables import PlainTable

if TYPE_CHECKING:
    from numpy.typing import NDArray


def current_judgments(
    store: Store,
    task: Task,
    *,
    dataset: str,
    viewer: Rater | None,
    blind: bool = True,
    again: bool = False,
) -> pd.DataFrame:
    """The current judgments of a dataset, one row per rater and item, in a fixed order.

    Columns: judgment_id, item_id, item (name), rater_id, rater, rater_kind, revision, blind,
    seconds (active; NaN if unknown), idle_seconds, origin, at (UTC), guideline (the version it was
    made under, or nothing), value (of the task's type).

    With ``blind`` the last revision before any reveal counts, otherwise the very last. A ``viewer``
    who is a reviewer gets their own rows only; ``None`` is the command line. With ``again``, the
    second passes instead of the first.
    """
    own = viewer is not None and viewer.role != "lead"
    # Like judgment_blind and judgment_now, but for one dataset, and with the bodies of only the
    # revisions that count.
    sql = (
        "with stands as materialized (select seq from"
        f" {'judgment_again' if again else 'judgment_counted'} where task = $task"
        " and item in (select id from item_in_play where dataset = $dataset)"
        + (" and blind" if blind else "")
        + (" and rater = $viewer" if own else "")
        + " qualify row_number() over (partition by item, rater order by revision desc) = 1)"
        " select j.id as judgment_id, j.item as item_id, i.name as item, j.rater as rater_id,"
        " r.name as rater, r.handle, r.kind as rater_kind, j.revision, j.blind,"
        " j.active_seconds as seconds, j.idle_seconds, j.origin, j.made_at as at,"
        " j.guideline, j.version, j.body"
        " from judgment j join item_now i on i.id = j.item join rater r on r.id = j.rater"
        " where j.seq in (from stands)"
        " order by i.seq, r.handle"
    )
    params = {"task": task.name, "dataset": dataset}
    found = store.fetch_query_result_as_arrow_table(
        sql, **params | ({"viewer": viewer.id} if own and viewer else {})
    )
    # Parsing is most of the work, and many answers are equal, so each is parsed once.
    which, bodies = _distinct_texts(found.column("body"))
    different = np.empty(len(bodies), dtype=object)
    for place, body in enumerate(bodies):
        different[place] = task.parse(body)
    values = different[which]
    # By way of Arrow in a third of the time, where a column with gaps would be of floats.
    frame: pd.DataFrame = found.drop_columns(["body"]).to_pandas().astype({"guideline": "Int32"})
    corrected = items.current_and_counting_versions_by_item(store)
    if corrected:
        of_item, ids = pd.factorize(frame["item_id"])
        changed = np.array([id in corrected for id in ids], dtype=bool)
        versions = found.column("version").to_pylist()
        for row in np.flatnonzero(changed[of_item]).tolist():
            values[row] = item_corrections.answer_adapted_to_current_version(
                store,
                task,
                item=ids[of_item[row]],
                version=versions[row],
                value=values[row],
            )
    frame["value"] = pd.Series(values, index=frame.index, dtype=object)
    frame["rater"] = _names_told_apart(frame)
    return frame.drop(columns=["handle", "version"])


def _distinct_texts(column: pa.ChunkedArray) -> tuple[Ints, list[str]]:
    """Which of the distinct texts each of a column is (n,), and these in the order in which they
    first come.
    """
    coded = column.dictionary_encode()
    if not coded.num_chunks:
        return np.zeros(0, dtype=np.int64), []
    # All chunks have one dictionary.
    which = np.concatenate([np.asarray(chunk.indices) for chunk in coded.chunks])
    return which.astype(np.int64), coded.chunk(coded.num_chunks - 1).dictionary.to_pylist()


def has_judgments_after_reveal(store: Store, task: Task, dataset: str) -> bool:
    """Whether anybody judged an item of a dataset (again) after seeing others' answers: without
    such judgments the last ones are the blind ones.
    """
    return bool(
        store.value(
            "select exists (from judgment where task = $task and not blind"
            " and item in (select id from item where dataset = $dataset))",
            task=task.name,
            dataset=dataset,
        )
    )


@dataclass(frozen=True)
class Counted:
    """The blind judgments that count in a task on a dataset, by the ``rows`` in which they are."""

    study: str
    dataset: str
    task: str
    rows: Sequence[int]


def list_counted_judgment_row_numbers_per_round(store: Store) -> list[Counted]:
    """Which judgments count, of all tasks on all datasets: asked once, since to find it takes long,
    of however many tasks.
    """
    return [
        Counted(*row)
        for row in store.rows(
            "select i.study, i.dataset, j.task, list(j.seq order by j.seq) from judgment_blind j"
            " join item_in_play i on i.id = j.item group by all order by all"
        )
    ]


def list_judgments_with_row_numbers(store: Store, rows: Sequence[int]) -> list[dict[str, Any]]:
    """The judgments of these rows, in any order: row, item, version, body."""
    return store.query_rows_as_dicts(
        "select seq as row, item, version, body from judgment where seq in $rows", rows=list(rows)
    )


def rater_and_item_name_pairs_by_row_number(
    store: Store, rows: Sequence[int]
) -> dict[int, tuple[str, str]]:
    """Who made the judgments of these rows (people of the same name with where they come from), and
    the name of the item, by row, in a fixed order.
    """
    return {
        row: (rater, item)
        for row, rater, item in store.rows(
            "select j.seq,"
            " case when r.name in (select name from rater group by name having count(*) > 1)"
            " then r.name || ' (' || split_part(r.handle, ':', 1) || ')' else r.name end, i.name"
            " from judgment j join item_named i on i.id = j.item"
            " join rater r on r.id = j.rater where j.seq in $rows order by i.seq, r.handle",
            rows=list(rows),
        )
    }


def _names_told_apart(frame: pd.DataFrame) -> pd.Series:
    """Names as shown; people with the same name are told apart by where they come from."""
    code, ids = pd.factorize(frame["rater_id"])
    first = np.zeros(len(ids), dtype=np.int64)
    first[code[::-1]] = np.arange(len(code))[::-1]
    names, handles = (frame[column].iloc[first].tolist() for column in ("rater", "handle"))
    times = Counter(names)
    told = np.array(
        [
            f"{name} ({handle.split(':')[0]})" if times[name] > 1 else name
            for name, handle in zip(names, handles, strict=True)
        ],
        dtype=object,
    )
    return pd.Series(told[code], index=frame.index, dtype=object)


def data_version_of_consensus(store: Store) -> int:
    """The data version of everything drawn from judgments."""
    return max(
        data_version_of_judgments(store),
        store.data_version_of_tables("verdict", "gold", "adjudication", "reference"),
    )


def data_version_of_judgments(store: Store) -> int:
    """The data version of ``current_judgments``, which stays when an item is settled."""
    # Without ``reveal``, which notes each look at an item: a judgment says itself if it was blind.
    return store.data_version_of_tables("item", "item_alias", "rater", "judgment")


# -- gold items -------------------------------------------------------------------------------

PRACTICE = "@practice"
"""The field of an expected answer that holds the lead's word if its item is for practice."""


def set_or_unset_gold_item(
    store: Store, task: Task, *, item: str, expected: Mapping[str, Any], active: bool, by: Rater
) -> None:
    """Make an item gold with its expected answer, change it, or (inactive) undo that. A practice
    item stays one unless ``expected`` has None for ``PRACTICE``.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: a gold item without an expected answer, with unknown labels, or with an
            answer that nobody can give.
    """
    require_lead(by)
    key = [value for name, value in expected.items() if name != PRACTICE]
    if active and all(value in (None, "", []) for value in key):
        raise InvalidInput(
            "A gold item needs an expected answer, and this one has none.",
            hint="Choose a judgment that answers a question with a right answer.",
        )
    if active:
        _require_labels(task, expected)
        if problems := task.list_reasons_expected_answer_is_impossible(store, item, expected):
            raise InvalidInput(" ".join(problems), hint="Choose another item, or another answer.")
    top = store.value(
        "select coalesce(max(revision), 0) from gold where task = $task and item = $item",
        task=task.name,
        item=item,
    )
    word = {} if PRACTICE in expected else _word(_keys(store, task, [item]).get(item, "{}"))
    body = {name: value for name, value in (dict(expected) | word).items() if value is not None}
    store.append(
        "gold",
        {
            "id": new_id(),
            "task": task.name,
            "item": item,
            "revision": top + 1,
            "body": body,
            "active": active,
            "made_by": by.id,
        },
    )


def gold_items_table(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> pd.DataFrame:
    """The gold items of a dataset: item_id, item, by (who set it last), expected, practice (the
    lead's word if it is a practice item, otherwise None). Leads only: this is the key.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    frame = store.read(
        "select g.item as item_id, i.name as item, coalesce(r.name, g.made_by) as by, g.body"
        " from gold_now g join item_now i on i.id = g.item left join rater r on r.id = g.made_by"
        " where g.task = $task and i.dataset = $dataset"
        " order by i.seq",
        task=task.name,
        dataset=dataset,
    )
    bodies = [json.loads(body) for body in frame.pop("body")]
    practice = [body.pop(PRACTICE, None) for body in bodies]
    return frame.assign(expected=bodies, practice=pd.Series(practice, dtype=object))


_REVISIONS_OF_GOLD_KEYS = Lookup(
    "consensus.revisions_of_gold_keys",
    "select item, max(revision) from gold where task = $task and item in $items group by item",
    items="items",
)


def set_gold_from_key_and_count(
    store: Store, task: Task, *, answers: Mapping[str, Mapping[str, Any]]
) -> int:
    """Make items gold from an imported key (expected answer by item id); returns how many
    changed.

    Raises:
        InvalidInput: a key has unknown labels.
    """
    for expected in answers.values():
        _require_labels(task, expected)
    top = dict(store.rows(_REVISIONS_OF_GOLD_KEYS, task=task.name, items=list(answers)))
    there = _keys(store, task, list(answers))
    answers = {item: dict(body) | _word(there.get(item, "{}")) for item, body in answers.items()}
    rows = [
        {
            "id": new_id(),
            "task": task.name,
            "item": item,
            "revision": top.get(item, 0) + 1,
            "body": body,
            "active": True,
            "made_by": "import",
        }
        for item, body in answers.items()
        if item not in there or json.loads(there[item]) != body
    ]
    return store.append("gold", *rows)


def _require_labels(task: Task, expected: Mapping[str, Any]) -> None:
    labels = expected.get("labels", [])
    if not isinstance(labels, list):
        raise InvalidInput(f"Expected labels are a list, and this is not one: {labels!r}.")
    if strange := [one for one in labels if one not in list(task.names)]:
        raise InvalidInput(
            f"The task has no label {strange[0]!r}.",
            hint=f"It has: {', '.join(task.names)}." if task.names else "It has no labels.",
        )


_GOLD_KEYS = Lookup(
    "consensus.gold_keys",
    "select item, body from gold_now where task = $task and item in $items",
    items="items",
)


def _keys(store: Store, task: Task, chosen: Sequence[str]) -> dict[str, str]:
    return dict(store.rows(_GOLD_KEYS, task=task.name, items=list(chosen)))


def expected_answers_by_hidden_gold_item(
    store: Store, task: Task, *, dataset: str
) -> dict[str, dict[str, Any]]:
    """The expected answers of a dataset's hidden gold items, by item id: no page shows them to
    anybody but leads.
    """
    rows = store.rows(
        "select g.item, g.body from gold_now g join item_in_play i on i.id = g.item"
        " anti join practice_now p on p.task = g.task and p.item = g.item"
        " where g.task = $task and i.dataset = $dataset",
        task=task.name,
        dataset=dataset,
    )
    return {item: json.loads(body) for item, body in rows}


def item_and_rater_ids_of_gold_key_authors(
    store: Store, task: Task, *, dataset: str
) -> frozenset[tuple[str, str]]:
    """Whose key a gold item has or had: (item id, rater id). What they answer to it says nothing of
    how well they judge.
    """
    rows = store.rows(
        "select distinct g.item, g.made_by from gold g join item_in_play i on i.id = g.item"
        " where g.task = $task and g.active and i.dataset = $dataset",
        task=task.name,
        dataset=dataset,
    )
    return frozenset((item, rater) for item, rater in rows)


def _word(key: str) -> dict[str, Any]:
    """The part of an expected answer that is about practice."""
    return {name: word for name, word in json.loads(key).items() if name == PRACTICE}


# -- adjudication and references --------------------------------------------------------------


_NO_ANSWER = "null"
"""The body, as JSON, of a decision that no answer holds."""


def _read(task: Task, body: str) -> Any:
    return None if body == _NO_ANSWER else task.parse(body)


def record_adjudication(
    store: Store,
    task: Task,
    *,
    item: str,
    body: Mapping[str, Any] | None,
    reason: str,
    by: Rater,
    base: int | None = None,
) -> None:
    """Record the adjudicator's decision, which overrides the majority.

    ``body`` is None if they decide that no answer holds: the item then has no consensus. ``base``
    is the revision they saw last (0: none), if known.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason was given, or the answer breaks the task's rules.
        Conflict: another adjudicator has decided since ``base``.
    """
    require_lead(by)
    top = store.value(
        "select coalesce(max(revision), 0) from adjudication where task = $task and item = $item",
        task=task.name,
        item=item,
    )
    if not reason.strip():
        raise InvalidInput(
            "The decision is still the one before." if top else "Nothing is settled yet.",
            hint="Say under Why what makes this the final answer.",
        )
    value = None if body is None else task.parse(body)
    if base is not None and base != top:
        raise Conflict(
            "Somebody else has settled this item in the meantime.",
            hint="Read their decision below, and settle it again only if you disagree.",
        )
    store.append(
        "adjudication",
        make_decision_or_withdrawal_row(
            store, task, item=item, value=value, reason=reason.strip(), by=by, revision=top + 1
        ),
    )


def make_decision_or_withdrawal_row(
    store: Store,
    task: Task,
    *,
    item: str,
    value: Any,
    reason: str,
    by: Rater,
    revision: int,
    together: str | None = None,
    withdrawn: bool = False,
) -> dict[str, Any]:
    """A decision as it is stored; ``value`` None: no answer holds. ``together`` is an id that the
    decisions made in one press share. ``withdrawn``: it takes back the decision before.
    """
    return {
        "id": new_id(),
        "task": task.name,
        "item": item,
        "revision": revision,
        "body": _NO_ANSWER if value is None else task.value.model_dump_json(value),
        "reason": reason,
        "made_by": by.id,
        "version": items.current_version_of_item(store, item),
        "together": together,
        "withdrawn": withdrawn or None,
    }


def withdraw_adjudications_and_list_items(
    store: Store, task: Task, *, decisions: Mapping[str, int], by: Rater, reason: str = ""
) -> list[str]:
    """Take back decisions, given by item id with their revision: nobody has settled these items
    then. What was decided stays in the history. Returns the items of which it was taken back: of
    the others, somebody has settled or withdrawn it anew since.

    Raises:
        NotAllowed: ``by`` is not a lead.
        Conflict: others settle these items all the time; nothing is withdrawn.
    """
    require_lead(by)
    for _ in range(_ATTEMPTS):
        standing = dict(
            store.rows(
                "select item, revision from adjudication_now where task = $task and item in $items",
                task=task.name,
                items=list(decisions),
            )
        )
        found = [item for item, revision in decisions.items() if standing.get(item) == revision]
        rows = [
            make_decision_or_withdrawal_row(
                store,
                task,
                item=item,
                value=None,
                reason=reason.strip() or "The decision was withdrawn.",
                by=by,
                revision=decisions[item] + 1,
                withdrawn=True,
            )
            for item in found
        ]
        try:
            if rows:
                store.append("adjudication", *rows)
        except Conflict:
            # Somebody settled one of these at the same moment: it is left alone the next time.
            continue
        return found
    raise Conflict("Others are settling these items now: nothing is withdrawn.", hint="Try again.")


_ATTEMPTS = 3


def adjudicator_answer_from_form(
    store: Store, task: Task, *, item: str, answers: Mapping[str, Any], reason: str
) -> Any:
    """An adjudicator's own answer to the questions of ``task.form``, by their ids, which may be one
    that no rater gave.

    Raises:
        InvalidInput: a question is left open, or the answer breaks the task's rules.
    """
    assert task.form is not None
    if wrong := list_reasons_against_submission(task.form, answers):
        raise InvalidInput("\n".join(wrong))
    cells = {
        name: "; ".join(one) if isinstance(one, list) else str(one) for name, one in answers.items()
    }
    value = task.complete_answer_at_submission(
        task.answer_from_columns({"reason": reason, **cells})
    )
    return validate_and_return_adjudicator_value(store, task, item=item, value=value)


def validate_and_return_adjudicator_value(
    store: Store, task: Task, *, item: str, value: Any
) -> Any:
    """The value, if it can be the adjudicator's decision on the item.

    Raises:
        InvalidInput: it breaks the task's rules; says how.
    """
    if broken := task.problems_of_answer_from_elsewhere(value, items.item_body(store, item)):
        raise InvalidInput("\n".join(broken))
    return value


_AT_AN_ITEM = timedelta(minutes=15)
"""How long an item stays reserved for the adjudicator who opened it."""


@dataclass(frozen=True)
class _Hold:
    by: str
    name: str
    until: datetime


def _held(store: Store, task: Task) -> dict[str, _Hold]:
    """The items reserved now. Everyone has at most one, the last that they opened, settled or not,
    until they leave it.
    """
    rows = store.rows(
        "select s.item, s.made_by, coalesce(r.name, s.made_by), s.until from ("
        "  select * from settling where task = $task"
        "  qualify row_number() over (partition by made_by order by seq desc) = 1) s"
        " left join rater r on r.id = s.made_by where s.until > $now",
        task=task.name,
        now=utc_now(),
    )
    return {str(item): _Hold(*rest) for item, *rest in rows}


def names_of_other_adjudicators_by_item(store: Store, task: Task, *, by: Rater) -> dict[str, str]:
    """The items that other adjudicators have open, with their names: nobody else takes them."""
    if not store.data_version_of_tables("settling"):
        return {}
    return {item: one.name for item, one in _held(store, task).items() if one.by != by.id}


def claim_item_or_name_holder(store: Store, task: Task, *, item: str, by: Rater) -> str:
    """Keep an item for an adjudicator, in place of the one they had before; returns who has it if
    it is somebody else, otherwise "".

    Raises:
        NotAllowed: ``by`` is not a lead.
    """
    require_lead(by)
    for _ in range(3):
        # Before looking who has it: what is taken in between is a conflict then.
        top = store.value(
            "select coalesce(max(revision), 0) from settling where task = $task and item = $item",
            task=task.name,
            item=item,
        )
        held, now = _held(store, task).get(item), utc_now()
        if held and held.by != by.id:
            return held.name
        if held and held.until > now + _AT_AN_ITEM / 2:
            return ""
        row = {"task": task.name, "item": item, "revision": top + 1, "made_by": by.id}
        try:
            store.append("settling", {"id": new_id(), **row, "until": now + _AT_AN_ITEM})
        except Conflict:
            # Somebody else took or renewed it at the same moment: the next turn shows who.
            continue
        return ""
    raise Conflict("Others are opening this item to settle it.", hint="Continue with the next one.")


def release_claimed_item(store: Store, task: Task, *, by: Rater) -> None:
    """Free the item that an adjudicator has, if any, for others."""
    if not store.data_version_of_tables("settling"):
        return
    for item, held in _held(store, task).items():
        if held.by == by.id:
            top = store.value(
                "select max(revision) from settling where task = $task and item = $item",
                task=task.name,
                item=item,
            )
            row = {"task": task.name, "item": item, "revision": top + 1, "made_by": by.id}
            # In a conflict somebody has taken or renewed it at the same moment, in another tab too.
            with contextlib.suppress(Conflict):
                store.append("settling", {"id": new_id(), **row, "until": utc_now()})


@dataclass(frozen=True)
class Word:
    """An adjudicator's decision on an item; ``value`` is None if no answer holds, ``by`` their
    name, ``judged`` whether they had judged the item themselves, ``together`` whether it was made
    in one press with others. If ``withdrawn``, it takes back the one before.
    """

    revision: int
    value: Any
    reason: str
    by: str
    judged: bool
    at: datetime
    together: bool
    withdrawn: bool = False


def decision_lists_in_force_by_item_id(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> dict[str, list[Word]]:
    """All decisions of adjudicators by item id, of which the last one counts (leads only). An item
    whose last decision was withdrawn is not among them.
    """
    found = all_decisions_by_item(store, task, dataset=dataset, viewer=viewer)
    return {item: words for item, words in found.items() if not words[-1].withdrawn}


def all_decisions_by_item(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> dict[str, list[Word]]:
    """All decisions of adjudicators by item id, and what took them back, in their order.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        "select a.item, a.revision, a.body, a.version, a.reason, r.name,"
        " exists (select 1 from judgment j where j.task = a.task and j.item = a.item"
        " and j.rater = a.made_by), a.made_at, a.together is not null,"
        " coalesce(a.withdrawn, false)"
        " from adjudication a join item_now i on i.id = a.item join rater r on r.id = a.made_by"
        " where a.task = $task and i.dataset = $dataset order by a.item, a.revision",
        task=task.name,
        dataset=dataset,
    )
    found: dict[str, list[Word]] = {}
    for item, revision, body, version, reason, by, judged, at, together, withdrawn in rows:
        value = item_corrections.answer_adapted_to_current_version(
            store, task, item=item, version=version, value=_read(task, body)
        )
        word = Word(revision, value, reason, by, bool(judged), at, bool(together), withdrawn)
        found.setdefault(item, []).append(word)
    return found


def all_adjudications_table(store: Store, *, viewer: Rater | None) -> pd.DataFrame:
    """Every decision of every adjudicator, in all tasks: study, task, dataset, item, revision,
    stands, decision (as JSON; null: no answer holds), reason, adjudicator, had_judged, at (UTC),
    settled_together (in one press with others), withdrawn (the row takes back the decision before
    it; none stands then). ``viewer`` None: command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(_ALL_ADJUDICATIONS)


def all_adjudications_as_plain_table(store: Store) -> PlainTable:
    """``all_adjudications_table`` for the command line."""
    return PlainTable(*store.rows_with_column_names(_ALL_ADJUDICATIONS))


_ALL_ADJUDICATIONS = (
    "select i.study, a.task, i.dataset, i.name as item, a.revision,"
    " a.revision = max(a.revision) over (partition by a.task, a.item)"
    " and not coalesce(a.withdrawn, false) as stands,"
    " a.body::varchar as decision, a.reason, coalesce(r.name, a.made_by) as adjudicator,"
    " exists (select 1 from judgment j where j.task = a.task and j.item = a.item"
    " and j.rater = a.made_by) as had_judged, a.made_at as at,"
    " a.together is not null as settled_together, coalesce(a.withdrawn, false) as withdrawn"
    " from adjudication a join item_now i on i.id = a.item"
    " left join rater r on r.id = a.made_by"
    " order by i.study, a.task, i.dataset, i.seq, a.revision"
)


def compared_values_of_each_answer(task: Task, values: Iterable[Any]) -> list[Mapping[str, Any]]:
    """The measures of each value, in order; values that are the same object (``current_judgments``
    reads equal answers once) are measured once.
    """
    return _once(task.values_compared_for_agreement, values)


def _once(of: Callable[[Any], Mapping[str, Any]], values: Iterable[Any]) -> list[Mapping[str, Any]]:
    which, different = positions_and_distinct_objects(values)
    told = [of(value) for value in different]
    return [told[at] for at in which.tolist()]


def positions_and_distinct_objects(values: Iterable[Any]) -> tuple[Ints, list[Any]]:
    """Which of the distinct objects each value is (n,), and these in the order in which they first
    come. Values are told apart as objects, not compared: ``current_judgments`` reads equal answers
    once.
    """
    kept = values.tolist() if isinstance(values, pd.Series) else list(values)
    which, ids = pd.factorize(np.fromiter(map(id, kept), np.int64, len(kept)))
    first = np.zeros(len(ids), dtype=np.int64)
    # Of all places of an object the one that is written last, which is the first.
    first[which[::-1]] = np.arange(len(kept))[::-1]
    return which, [kept[at] for at in first.tolist()]


def disagreements_table(task: Task, judged: pd.DataFrame) -> pd.DataFrame:
    """The items on which people differ, most divided first: item_id, item, raters, on, divided,
    and the ``variables`` (a tuple) that ``on`` names.

    ``judged`` is from ``current_judgments``; its models are ignored. ``on`` names the variables:
    the measured ones, and those that are ``apart`` although their measures are equal. ``divided``
    is the share of pairs of answers that differ, over all variables. On a scale with a tolerance,
    answers differ if they are further apart.
    """
    people = judged[judged["rater_kind"] == "person"]
    kind, values = positions_and_distinct_objects(people["value"])
    different = [
        {**task.values_compared_for_agreement(one), **task.uncompared_values_of_answer_by_name(one)}
        for one in values
    ]
    item, found = pd.factorize(people["item_id"])
    ids = np.asarray(found, dtype=object)
    apart, compared = np.zeros(len(ids)), np.zeros(len(ids))
    names = list(dict.fromkeys(name for one in different for name in one))
    differs = np.zeros((len(ids), len(names)), dtype=bool)
    for place, variable in enumerate(names):
        # Number the answers, -1 if there is none, then count pairs for all items at once.
        said = pd.Series([one.get(variable) for one in different], dtype=object)
        answer = pd.factorize(said)[0][kind]
        there = answer >= 0
        width = int(answer.max(initial=-1)) + 1
        given = np.bincount(item[there], minlength=len(ids))
        alike = _pairs_of_equals(item[there], answer[there], width, len(ids))
        two = given >= 2
        compared += two
        differing = np.zeros(len(ids))
        differing[two] = 1 - alike[two] / (given * (given - 1))[two]
        if tolerance := task.tolerances.get(variable):
            numbers = np.array([np.nan if one is None else float(one) for one in said])[kind]
            far = _pairs_further_apart(item[there], numbers[there], tolerance, len(ids))
            differing[two] = far[two] / (given * (given - 1) // 2)[two]
        apart += differing
        differs[:, place] = differing > 0
    differ = differs.any(axis=1)
    first = np.zeros(len(ids), dtype=np.int64)
    # Of all places of an item the one that is written last, which is the first.
    first[item[::-1]] = np.arange(len(item))[::-1]
    # Many items differ on the same variables, whose names are put together once.
    which, sets = _distinct_rows(differs[differ])
    variables = [tuple(names[at] for at in np.flatnonzero(row)) for row in sets]
    on = ["; ".join(map(task.name_of_variable_in_words, each)) for each in variables]
    table = pd.DataFrame(
        {
            "item_id": ids[differ],
            "item": people["item"].to_numpy(dtype=object)[first][differ],
            "raters": np.bincount(item, minlength=len(ids))[differ],
            "on": [on[at] for at in which],
            "divided": apart[differ] / compared[differ],
            "variables": [variables[at] for at in which],
        }
    )
    return table.sort_values("divided", ascending=False, kind="stable", ignore_index=True)


def _distinct_rows(rows: NDArray[np.bool_]) -> tuple[list[int], NDArray[np.bool_]]:
    """Which of the distinct rows of (n, k) each row is, and the distinct rows."""
    if not len(rows):
        return [], rows
    bits = np.ascontiguousarray(np.packbits(rows, axis=1))
    keys = bits.view(np.dtype((np.void, bits.shape[1]))).ravel()
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return which.ravel().tolist(), rows[first]


def _pairs_of_equals(item: Ints, answer: Ints, width: int, items: int) -> Floats:
    """How many ordered pairs of an item's answers are equal, (items,), from the answers (n,), each
    below ``width``, and the item of each.
    """
    places = item * width + answer
    if items * width <= _CELLS_PER_ANSWER * len(item):
        counts = np.bincount(places, minlength=items * width).reshape(items, width)
        return np.asarray((counts * (counts - 1)).sum(axis=1), dtype=np.float64)
    groups, many = np.unique(places, return_counts=True)
    equal = (many * (many - 1)).astype(np.float64)
    return np.bincount(groups // max(width, 1), weights=equal, minlength=items).astype(np.float64)


_CELLS_PER_ANSWER = 16
"""A table of items by answers that is at most so many times as large as the answers is counted, in
a tenth of the time that it takes to sort them.
"""


def _pairs_further_apart(item: Ints, numbers: Floats, tolerance: float, items: int) -> Floats:
    """How many pairs of an item's numbers are further apart than the tolerance, (items,), from the
    numbers (n,) and the item of each.
    """
    order = np.argsort(item, kind="stable")
    item, numbers = item[order], numbers[order]
    far = np.zeros(items)
    # Each number with the one that stands ``step`` places behind it, while any item has so many.
    for step in range(1, int(np.bincount(item).max(initial=0))):
        same = item[step:] == item[:-step]
        gaps = np.abs(numbers[step:] - numbers[:-step])
        far += np.bincount(item[step:][same & (gaps > tolerance)], minlength=items)
    return far


def adjudicated_answers_by_item_name(store: Store, task: Task, *, dataset: str) -> dict[str, Any]:
    """The adjudicator's answers by item name; None if they decided that no answer holds."""
    rows = store.rows(
        "select i.name, a.item, a.version, a.body from adjudication_now a"
        " join item_now i on i.id = a.item"
        " where a.task = $task and i.dataset = $dataset",
        task=task.name,
        dataset=dataset,
    )
    return {
        name: item_corrections.answer_adapted_to_current_version(
            store, task, item=item, version=version, value=_read(task, body)
        )
        for name, item, version, body in rows
    }


def consensus_table(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> pd.DataFrame:
    """Each item's consensus on each variable: item, variable, answer, votes, n, adjudicated, the
    adjudicator's ``reason`` (empty without one), and how many of the n said that they cannot tell.

    The adjudicator's decision counts if there is one, otherwise the clear majority of the people
    who judged (``stats.majority``; models are raters, but do not vote). ``answer`` is None without
    either, or if the adjudicator decided that no answer holds. ``votes`` counts the people who gave
    the adjudicator's answer (0 if nobody did, or if no answer holds); without a decision, those who
    gave the commonest answer, also where it is no majority. On a scale with a tolerance the answer
    is the median, and ``votes`` counts the largest group of answers that are near enough to each
    other: as elsewhere, fewer than all answers on exactly the items that are ``divided``.
    """
    judged = current_judgments(store, task, dataset=dataset, viewer=viewer)
    table = consensus_table_of_judgments(
        task, judged, adjudicated_answers_by_item_name(store, task, dataset=dataset)
    )
    reasons = dict(
        store.rows(
            "select i.name, a.reason from adjudication_now a join item_now i on i.id = a.item"
            " where a.task = $task and i.dataset = $dataset",
            task=task.name,
            dataset=dataset,
        )
    )
    table = table.assign(reason=[str(reasons.get(item, "")) for item in table["item"]])
    return table[[*(name for name in table if name != "cannot_tell"), "cannot_tell"]]


def consensus_table_of_judgments(
    task: Task, judged: pd.DataFrame, words: Mapping[str, Any]
) -> pd.DataFrame:
    """``consensus_table``, without the reasons, from the results of ``current_judgments`` and
    ``adjudicated_answers_by_item_name``.
    """
    people = judged[judged["rater_kind"] == "person"]
    given: dict[str, list[Mapping[str, Any]]] = {}
    for item, value in zip(people["item"], people["value"], strict=True):
        given.setdefault(item, []).append(task.values_compared_for_agreement(value))
    rows: list[dict[str, Any]] = []
    for item, measured in given.items():
        said = words.get(item)
        word = {} if said is None else task.values_compared_for_agreement(said)
        for variable in dict.fromkeys(name for one in measured for name in one):
            answers = [one[variable] for one in measured if variable in one]
            tolerance = task.tolerances.get(variable)
            together = (
                count_votes_and_find_majority_on_scale(answers, tolerance)
                if tolerance
                else count_votes_and_find_majority(answers)
            )
            answer, votes = together.answer, together.votes
            if item in words:
                answer = word.get(variable)
                votes = sum(1 for one in answers if one is not None and one == answer)
            rows.append(
                {
                    "item": item,
                    "variable": variable,
                    "answer": answer,
                    "votes": votes,
                    "n": len(answers),
                    "adjudicated": item in words,
                    "cannot_tell": sum(
                        is_abstention(task.answer_to_variable(one, variable))
                        for one in measured
                        if variable in one
                    ),
                }
            )
    return pd.DataFrame(rows, columns=_MAJORITY)


_MAJORITY = ["item", "variable", "answer", "votes", "n", "adjudicated", "cannot_tell"]
"""The columns of ``consensus_table_of_judgments``."""


_PUBLISHED_ANSWERS_OF_SOURCE = Lookup(
    "consensus.published_answers_of_source",
    "select item, body from reference where task = $task and source = $source and item in $items",
    items="items",
)


def store_published_answers_and_count_new(
    store: Store,
    task: Task,
    *,
    source: str,
    answers: Mapping[str, Mapping[str, Any]],
) -> int:
    """Store published answers, by item id, beside our own; returns how many were new.

    Raises:
        InvalidInput: the same source already has a different answer for an item.
    """
    there = dict(
        store.rows(
            _PUBLISHED_ANSWERS_OF_SOURCE,
            task=task.name,
            source=source,
            items=list(answers),
        )
    )
    changed = [
        item for item, body in answers.items() if item in there and json.loads(there[item]) != body
    ]
    if changed:
        raise InvalidInput(
            f"{source!r} already says something else about {len(changed)} of these items.",
            hint="Import it under another name (--name).",
        )
    rows = [
        {
            "id": stable_id("reference", task.name, item, source),
            "task": task.name,
            "item": item,
            "source": source,
            "body": dict(body),
        }
        for item, body in answers.items()
        if item not in there
    ]
    return store.append("reference", *rows)


def published_answers_table(store: Store, task: Task, *, dataset: str) -> pd.DataFrame:
    """Published answers: source, item, body (as imported)."""
    frame = store.read(
        "select f.source, i.name as item, f.body from reference f join item_now i on i.id = f.item"
        " where f.task = $task and i.dataset = $dataset order by f.source, i.seq",
        task=task.name,
        dataset=dataset,
    )
    frame["body"] = [json.loads(body) for body in frame["body"]]
    return frame
