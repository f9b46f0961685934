"""Judging: drafts, submitted revisions, history, and who may see what when.

Saved means durable: these functions return once the row is committed. Blind first: who is shown
others' judgments looks at them through ``record_view_of_others_judgments``, which notes it;
``list_others_judgments_and_record_view`` does so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from medlens.config.question_forms_and_answer_checks import UNANSWERED, UNSCORED
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import guideline as guidelines
from medlens.review import item_corrections, items, second_pass
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.store import Store, stable_id, utc_now


def refuse_token_used_for_other_row(
    store: Store, table: str, row: Mapping[str, Any], *columns: str
) -> None:
    """Refuse to treat ``row`` as saved if its token (the id) belongs to something else.

    Call it for a row that was skipped because its id exists.

    Raises:
        InvalidInput: the stored row differs in one of ``columns``.
    """
    # Safe to insert: callers write the names of tables and columns in code.
    stored = store.find_first_row_as_dict(
        f"select {', '.join(columns)} from {table} where id = $id", id=row["id"]
    )
    if stored is None or any(_plain(stored[one]) != _plain(row[one]) for one in columns):
        raise InvalidInput(
            "This was not saved: something else was saved under the same token.",
            hint="Reload the page and enter it again.",
        )


def _plain(value: Any) -> Any:
    """JSON as its content, whatever its order and whoever wrote it."""
    if isinstance(value, str) and value[:1] in "[{":
        return json.loads(value)
    return json.loads(json.dumps(value))


@dataclass(frozen=True)
class Draft:
    """The newest state of a rater's unfinished work on an item. ``revision`` 0: nothing yet.

    Revisions are counted from when the item was last given: a number that went on from the first
    pass would tell the rater that this is the second.
    """

    revision: int
    value: Any
    saved_at: datetime | None
    active_seconds: float
    idle_seconds: float


NO_DRAFT = Draft(0, None, None, 0.0, 0.0)


@dataclass(frozen=True)
class Saved:
    """A draft or judgment that is on disk."""

    revision: int
    saved_at: datetime


class RefusedAndSavedAsDraft(InvalidInput):
    """A judgment that breaks a rule of its task and was saved as a draft; ``saved`` is that."""

    def __init__(self, message: str, *, saved: Saved) -> None:
        super().__init__(message)
        self.saved = saved


def _place(task: Task, item: str, rater: str) -> dict[str, str]:
    return {"task": task.name, "item": item, "rater": rater}


_TOLD_IN_FULL = 4
"""What is wrong with a judgment; of more, how much more there is."""
_CONTENT = ("task", "item", "rater", "body")
_WHERE = "task = $task and item = $item and rater = $rater"


def load_draft_or_current_judgment(
    store: Store, task: Task, *, item: str, rater: str, version: int | None = None
) -> Draft:
    """The draft as last saved, or the current judgment, or an empty value at revision 0.

    If the item was given again, for practice or a second pass, earlier answers are not included.
    Marks are where their words stand in the ``version`` of the item that is shown (None: the
    current one); those whose words are gone are left out.
    """
    since = _since(store, task, item, rater)
    row = store.find_first_row_as_dict(
        "select seq, revision, body, made_at, active_seconds, idle_seconds, version from draft"
        f" where {_WHERE} order by revision desc limit 1",
        **_place(task, item, rater),
    )
    if row and row["seq"] < since:
        return NO_DRAFT
    if row:
        return Draft(
            row["revision"] - _earlier_revisions(store, task, _place(task, item, rater)),
            _as_shown(store, task, item, row, version),
            row["made_at"],
            row["active_seconds"],
            row["idle_seconds"],
        )
    judged = store.find_first_row_as_dict(
        f"select body, made_at, active_seconds, idle_seconds, version from judgment where {_WHERE}"
        " and seq > $since order by revision desc limit 1",
        **_place(task, item, rater),
        since=since,
    )
    if judged:
        return Draft(
            0,
            _as_shown(store, task, item, judged, version),
            judged["made_at"],
            judged["active_seconds"] or 0.0,
            judged["idle_seconds"] or 0.0,
        )
    return NO_DRAFT


def _as_shown(
    store: Store, task: Task, item: str, row: Mapping[str, Any], version: int | None
) -> Any:
    """The value of a row of an item, as it fits the version of the item that is shown."""
    value = task.parse(row["body"])
    if not task.handed_out:
        return value
    shown = item_corrections.carry_answer_to_version(
        store, task, item=item, version=row["version"], value=value, to=version
    )
    return value if shown is None else shown.sound


def _since(store: Store, task: Task, item: str, rater: str) -> int:
    """The ``seq`` from which what a rater saves for an item belongs to its newest hand-out."""
    return (
        assignment_ledger_of_task(store, task.name).find_first_seq_of_current_attempt(item, rater)
        if task.handed_out
        else 0
    )


def _earlier_revisions(store: Store, task: Task, place: Mapping[str, str]) -> int:
    """How many revisions the draft had when the item was last given to the rater."""
    since = _since(store, task, place["item"], place["rater"])
    if not since:
        return 0
    where = f"{_WHERE} and seq < $since"
    return int(
        store.value(
            f"select coalesce(max(revision), 0) from draft where {where}", **place, since=since
        )
        or 0
    )


def last_own_answer(store: Store, task: Task, *, item: str, rater: str) -> Any | None:
    """A rater's own last answer on an item, even one that does not count; None if there is none."""
    row = store.find_first_row_as_dict(
        f"select body, version from judgment where {_WHERE} order by revision desc limit 1",
        **_place(task, item, rater),
    )
    return _as_shown(store, task, item, row, None) if row else None


def last_own_answer_by_item(
    store: Store, task: Task, *, item_ids: Sequence[str], rater: str
) -> dict[str, Any]:
    """A rater's own last answer on each of several items, as ``last_own_answer`` gives it, in one
    query; items without one are absent.
    """
    rows = store.rows(
        "select item, body, version from judgment where task = $task and rater = $rater"
        " and item in $items"
        " qualify row_number() over (partition by item order by revision desc) = 1",
        task=task.name,
        rater=rater,
        items=list(item_ids),
    )
    return {
        item: _as_shown(store, task, item, {"body": body, "version": version}, None)
        for item, body, version in rows
    }


def time_of_last_own_answer(store: Store, task: Task, *, item: str, rater: str) -> datetime | None:
    """When a rater submitted their own last answer on an item; None if there is none."""
    row = store.find_first_row_as_dict(
        f"select made_at from judgment where {_WHERE} order by revision desc limit 1",
        **_place(task, item, rater),
    )
    return row["made_at"] if row else None


def differs_from_last_answer(
    store: Store,
    task: Task,
    *,
    item: str,
    rater: str,
    body: Mapping[str, Any],
    version: int | None = None,
) -> bool:
    """Whether an answer, once submitted, would differ from the one that its rater submitted last;
    False if none was. ``version`` is that of the item as the rater sees it; None: the current one.
    """
    last = last_own_answer(store, task, item=item, rater=rater)
    if last is None:
        return False
    content = second_pass.item_body_for_current_pass(
        store, task, item=item, rater=rater, version=version
    )
    # Submitting completes an answer: options that were left unticked, say.
    here = task.task_as_asked_of_item(content)
    return bool(
        here.complete_answer_at_submission(last)
        != here.complete_answer_at_submission(task.parse(body))
    )


def save_draft(
    store: Store,
    task: Task,
    *,
    item: str,
    rater: str,
    base: int,
    token: str,
    body: Mapping[str, Any],
    active_seconds: float = 0.0,
    idle_seconds: float = 0.0,
    version: int | None = None,
) -> Saved:
    """Save a draft that builds on revision ``base``; durable on return.

    ``token`` makes a repeat harmless: it is the id of the row. ``version`` is that of the item as
    the rater saw it; None: the current one.

    Raises:
        Conflict: another tab saved since ``base``.
        InvalidInput: the body is not of the task's type, its marks do not fit the text, or the
            token was used to save something else.
        NotAllowed: the rater was not given this item.
    """
    value = task.parse(body)
    if task.handed_out:
        version = version or items.current_version_of_item(store, item)
        _refuse(task.problems_of_draft(value, items.item_body(store, item, version)))
        _require_assigned(store, task, item, rater)
    place = _place(task, item, rater)
    seconds = {"active_seconds": active_seconds, "idle_seconds": idle_seconds}
    for _ in range(3):
        row = _draft_row(
            *(store, task),
            base=base,
            token=token,
            value=value,
            place=place,
            seconds=seconds,
            version=version,
        )
        if isinstance(row, Saved):
            return row
        try:
            if store.append_all_and_count_new_by_table(
                {"draft": [row]}, requires=_belongs_to(task, item)
            )["draft"]:
                earlier = _earlier_revisions(store, task, place)
                return Saved(row["revision"] - earlier, row["made_at"])
        except Conflict:
            continue
        # Another request used the token first: the next turn finds what it saved.
        refuse_token_used_for_other_row(store, "draft", row, *_CONTENT)
    raise Conflict("This item is being changed elsewhere.", hint="Reload to see the newer state.")


def _draft_row(
    store: Store,
    task: Task,
    *,
    base: int,
    token: str,
    value: Any,
    place: dict[str, str],
    seconds: Mapping[str, float],
    version: int | None,
) -> dict[str, Any] | Saved:
    """The next draft as a row to append; for a repeated token, what it saved the first time."""
    top, known, at = store.rows(
        "select coalesce(max(revision), 0), max(revision) filter (id = $token),"
        f" max(made_at) filter (id = $token) from draft where {_WHERE}",
        **place,
        token=token,
    )[0]
    row: dict[str, Any] = {
        **place,
        "id": token,
        "made_at": utc_now(),
        "revision": top + 1,
        "body": task.value.model_dump_json(value),
        "version": _noted_version(version),
        **seconds,
    }
    earlier = _earlier_revisions(store, task, place)
    if known is not None:
        refuse_token_used_for_other_row(store, "draft", row, *_CONTENT)
        return Saved(max(known - earlier, 0), at)
    if top - earlier != base:
        raise Conflict(
            "This item was changed in another tab.",
            hint="Choose which of the two versions to keep.",
        )
    return row


def submit_judgment(
    store: Store,
    task: Task,
    *,
    item: str,
    rater: str,
    token: str,
    body: Mapping[str, Any],
    base: int | None = None,
    active_seconds: float | None = None,
    idle_seconds: float | None = None,
    origin: str = "app",
    guideline: int | None = None,
    version: int | None = None,
) -> Saved:
    """Commit a judgment: the next revision of this rater's answer on this item.

    With ``base`` the same body is also saved, in the same transaction, as the draft that builds on
    it, and the draft's revision is returned; the draft is saved even if a rule is broken, unless
    nothing has been answered or saved so far.
    ``guideline`` is the version that the rater saw, ``version`` that of the item; None: the current
    one. A person whose judgment is of an earlier version of an item whose meaning changed is asked
    again.

    Raises:
        RefusedAndSavedAsDraft: a rule of the task is broken; the draft is saved, and no judgment.
        InvalidInput: the same without a draft, or what ``save_draft`` refuses; nothing is written.
        Conflict: another tab saved a draft since ``base``.
        NotAllowed: the rater was not given this item.
    """
    value = task.parse(body)
    version = version or items.current_version_of_item(store, item)
    content = second_pass.item_body_for_current_pass(
        store, task, item=item, rater=rater, version=version
    )
    _refuse(task.problems_of_draft(value, content))
    _require_assigned(store, task, item, rater)
    place = _place(task, item, rater)
    seconds = {"active_seconds": active_seconds or 0.0, "idle_seconds": idle_seconds or 0.0}
    if problems := task.problems_of_answer(value, content):
        if base or (base == 0 and value.model_dump(exclude_defaults=True)):
            saved = save_draft(
                store,
                task,
                item=item,
                rater=rater,
                base=base,
                token=token,
                body=body,
                version=version,
                **seconds,
            )
            raise RefusedAndSavedAsDraft(_first_problems(problems), saved=saved)
        if base == 0:
            # Of an item that nobody has touched there is nothing to be said to be saved; whether
            # another tab has touched it is asked all the same.
            _draft_row(
                *(store, task),
                base=base,
                token=token,
                value=value,
                place=place,
                seconds=seconds,
                version=version,
            )
        _refuse(problems)
    row_id = token if base is None else stable_id("submit", token)
    under = guideline or guidelines.current_guideline_version_number_for_item(store, task, item)
    for _ in range(3):
        draft_row: dict[str, Any] | Saved | None = None
        if base is not None:
            draft_row = _draft_row(
                *(store, task),
                base=base,
                token=token,
                value=value,
                place=place,
                seconds=seconds,
                version=version,
            )
        top, known, at, seen = store.rows(
            "select coalesce(max(revision), 0), max(revision) filter (id = $id),"
            " max(made_at) filter (id = $id), exists (select 1 from reveal where"
            f" task = $task and item = $seen and rater = $rater) from judgment where {_WHERE}",
            **place,
            id=row_id,
            seen=id_of_item_with_current_meaning(store, item) if task.hidden_anew else item,
        )[0]
        now = utc_now()
        row = place | {
            "id": row_id,
            "made_at": now,
            "revision": top + 1,
            "blind": not seen,
            "body": task.value.model_dump_json(
                task.task_as_asked_of_item(content).complete_answer_at_submission(value)
            ),
            "origin": origin,
            "complete": True,
            "active_seconds": active_seconds,
            "idle_seconds": idle_seconds,
            "guideline": under,
            "pass": 2 if second_pass.SECOND in content else None,
            "version": _noted_version(version),
        }
        if known is not None:
            refuse_token_used_for_other_row(store, "judgment", row, *_CONTENT)
            return draft_row if isinstance(draft_row, Saved) else Saved(known, at)
        batch: dict[str, list[dict[str, Any]]] = {"judgment": [row]}
        if isinstance(draft_row, dict):
            batch["draft"] = [draft_row]
        if asks := item_corrections.make_remark_row_asking_again(store, row):
            batch["remark"] = [dict(asks)]
        try:
            added = store.append_all_and_count_new_by_table(batch, requires=_belongs_to(task, item))
        except Conflict:
            continue
        if not added["judgment"]:
            refuse_token_used_for_other_row(store, "judgment", row, *_CONTENT)
            continue
        if not asks and version < items.oldest_counting_version_of_item(store, item):
            item_corrections.ask_raters_of_earlier_version_again(store, [item])
        if draft_row is None:
            return Saved(top + 1, now)
        if isinstance(draft_row, Saved):
            return draft_row
        return Saved(draft_row["revision"] - _earlier_revisions(store, task, place), now)
    raise Conflict("This item is being submitted elsewhere.", hint="Reload and look at it again.")


def _belongs_to(task: Task, item: str) -> dict[str, str]:
    """What must not be deleted meanwhile; a rater's own form belongs to no item."""
    return {"item": item} if task.handed_out else {}


def _noted_version(version: int | None) -> int | None:
    """A version as rows have it: nothing for the first."""
    return version if version and version > 1 else None


def make_imported_judgment_row(
    task: str,
    item: str,
    rater: str,
    value: BaseModel,
    *,
    revision: int = 1,
    origin: str = "import",
    seconds: float | None = None,
    guideline: int | None = None,
    run: str | None = None,
    prompt: str | None = None,
    version: int | None = None,
) -> dict[str, Any]:
    """A judgment made elsewhere, blind and whole, as a row to append; ``item`` and ``rater`` are
    ids. Its id is derived from its content.

    ``run`` and ``prompt`` (its version) are those of a model's judgment; None: not known.
    ``version`` is that of the item; None: the first.
    """
    body = value.model_dump_json()
    return {
        "id": stable_id("judgment", task, item, rater, str(revision), body),
        "task": task,
        "item": item,
        "rater": rater,
        "revision": revision,
        "body": body,
        "blind": True,
        "origin": origin,
        "complete": True,
        "active_seconds": seconds,
        "idle_seconds": None,
        "guideline": guideline,
        "pass": None,
        "run": run or None,
        "prompt": prompt or None,
        "version": _noted_version(version),
    }


def count_model_judgments_and_without_run(store: Store) -> tuple[int, int]:
    """How many judgments by models there are, and how many of them do not say their run."""
    [(total, unknown)] = store.rows(
        "select count(*), count(*) filter (j.run is null) from judgment j"
        " join rater r on r.id = j.rater where r.kind = 'model'"
    )
    return total, unknown


def _refuse(problems: list[str]) -> None:
    if problems:
        raise InvalidInput(_first_problems(problems))


def _first_problems(problems: Sequence[str]) -> str:
    """What keeps a judgment from being submitted: what is wrong, and the answer that is missing or
    how many are. The desk lists these and leads to them.
    """
    missing = [problem for problem in problems if problem.endswith((UNANSWERED, UNSCORED))]
    wrong = [problem for problem in problems if problem not in missing]
    told = wrong[:_TOLD_IN_FULL]
    if len(wrong) > len(told):
        told.append(f"And {len(wrong) - len(told):,} more.")
    told += missing if len(missing) == 1 else []
    told += [f"{len(missing):,} answers are missing."] if len(missing) > 1 else []
    return " ".join(told)


def _require_assigned(store: Store, task: Task, item: str, rater: str) -> None:
    if not assignment_ledger_of_task(store, task.name).was_item_given_to_rater(item, rater):
        raise NotAllowed("This item is not in your queue.", hint="Return to your own queue.")


def list_revisions_viewer_may_see(
    store: Store, task: Task, *, item: str, viewer: Rater
) -> list[dict[str, Any]]:
    """Every revision on an item, oldest first; a reviewer gets their own only, and none while they
    have the item for the second time.
    """
    own = "" if viewer.role == "lead" else " and j.rater = $viewer"
    params: dict[str, Any] = {"task": task.name, "item": item}
    if own:
        given = assignment_ledger_of_task(store, task.name).by_rater.get(viewer.id, {}).get(item)
        params["viewer"] = viewer.id
        if given and given.passes > 1 and not given.is_judged:
            own += " and j.seq > $since"
            params["since"] = given.since
    rows = store.query_rows_as_dicts(
        "select j.revision, r.id as rater_id, r.name as rater, r.handle, j.body, j.blind,"
        " j.origin, j.made_at, j.active_seconds, j.version from judgment_told j"
        " join rater r on r.id = j.rater"
        f" where j.task = $task and j.item = $item{own} order by j.seq",
        **params,
    )
    _tell_apart(rows)
    for row in rows:
        row["value"] = _value_now(store, task, item, row)
    return rows


def _value_now(store: Store, task: Task, item: str, row: dict[str, Any]) -> Any:
    """The value of a row in the item's text now; its ``body`` and ``version`` go from it."""
    value, version = task.parse(row.pop("body")), row.pop("version")
    return item_corrections.answer_adapted_to_current_version(
        store, task, item=item, version=version, value=value
    )


def _tell_apart(rows: list[dict[str, Any]]) -> None:
    """People with the same name are shown with where they come from."""
    people = {(row["rater"], row.pop("handle")): row["rater_id"] for row in rows}
    names = [name for name, _ in people]
    shown = {
        rater: f"{name} ({handle.split(':')[0]})" if names.count(name) > 1 else name
        for (name, handle), rater in people.items()
    }
    for row in rows:
        row["rater"] = shown[row["rater_id"]]


def record_reveal_and_say_if_new(store: Store, task: Task, *, item: str, viewer: Rater) -> bool:
    """Note that a rater sees what was hidden of an item: from here on they are not blind. False if
    it was noted before.
    """
    return record_items_as_seen_and_say_if_any_new(store, [(task.name, item)], rater=viewer.id)


def record_items_as_seen_and_say_if_any_new(
    store: Store, seen: Iterable[tuple[str, str]], *, rater: str
) -> bool:
    """Note that a rater knows what was said of items, as (task, item): their judgments of these are
    not blind from now on. False if all of it was noted before.
    """
    rows = [
        {"task": task, "item": place, "rater": rater}
        for task, item in seen
        for place in dict.fromkeys((item, id_of_item_with_current_meaning(store, item)))
    ]
    named = [{**row, "id": stable_id("reveal", *row.values())} for row in rows]
    ids = [row["id"] for row in named]
    known = set(store.column("select id from reveal where id in $ids", ids=ids))
    fresh = [row for row in named if row["id"] not in known]
    if fresh:
        store.append("reveal", *fresh)
    return bool(fresh)


def id_of_item_with_current_meaning(store: Store, item: str) -> str:
    """What stands for an item where it is noted that somebody has seen it with the meaning that it
    has now: its id, until that changes.
    """
    version = items.oldest_counting_version_of_item(store, item)
    return item if version == 1 else stable_id("meaning", item, str(version))


def record_view_of_others_judgments(store: Store, task: Task, *, item: str, viewer: Rater) -> None:
    """Note that the viewer sees the other raters' judgments: later revisions count as not blind.

    Raises:
        NotAllowed: the viewer is a reviewer who has not committed a judgment of their own.
    """
    if viewer.role != "lead" and not store.value(
        f"select exists (select 1 from judgment where {_WHERE})", **_place(task, item, viewer.id)
    ):
        raise NotAllowed(
            "Others' judgments are shown after you have submitted your own.",
            hint="Submit yours first.",
        )
    record_reveal_and_say_if_new(store, task, item=item, viewer=viewer)


def list_others_judgments_and_record_view(
    store: Store, task: Task, *, item: str, viewer: Rater
) -> list[dict[str, Any]]:
    """The other raters' judgments; looking is noted (``record_view_of_others_judgments``)."""
    record_view_of_others_judgments(store, task, item=item, viewer=viewer)
    rows = store.query_rows_as_dicts(
        "select r.id as rater_id, r.name as rater, r.handle, r.kind as rater_kind, j.revision,"
        " j.body, j.version, j.made_at from judgment_now j join rater r on r.id = j.rater"
        " where j.task = $task and j.item = $item and j.rater <> $rater order by r.name",
        **_place(task, item, viewer.id),
    )
    _tell_apart(rows)
    for row in rows:
        row["value"] = _value_now(store, task, item, row)
    return rows
