"""Archiving datasets, rounds and runs, with a reason, and bringing them back.

What is archived stays in the store as it is, but is out of menus, Home, Team and lists, and nobody
is handed an item of it. A study of one's own is a dataset. Archived datasets are left out in
``items.datasets_of_study``, archived rounds in ``rounds.current_round_of_task``, and archived runs
in ``completion_run_and_job_queries.list_current_runs``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.errors import Conflict, InvalidInput
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Lookup, Row, Store, new_id

COMMAND_LINE = "command line"

Kind = Literal["dataset", "round", "run"]


@dataclass(frozen=True)
class Thing:
    """What can be archived: a dataset of a study, the round of a task (``name``) on a dataset, or a
    run (``name`` is its id, ``dataset`` empty).
    """

    kind: Kind
    study: str
    dataset: str
    name: str = ""


@dataclass(frozen=True)
class Archiving:
    """That a thing was archived: why, by whom (a person's name) and when."""

    thing: Thing
    reason: str
    by: str
    at: datetime


def archivings_by_thing(store: Store) -> dict[Thing, Archiving]:
    """Everything that is archived, the last one first."""
    return dict(_archived(store))


# Cached: every page asks, and it changes seldom.
@cache_until_tables_grow("archiving", "rater", most=8)
def _archived(store: Store) -> Mapping[Thing, Archiving]:
    if not store.data_version_of_tables("archiving"):
        return {}
    rows = store.rows(
        "select a.kind, a.study, a.dataset, a.name, a.reason, coalesce(r.name, a.made_by),"
        " a.made_at from archived_now a left join rater r on r.id = a.made_by order by a.seq desc"
    )
    things = [(Thing(*row[:4]), row[4:]) for row in rows]
    return {thing: Archiving(thing, *rest) for thing, rest in things}


_ARCHIVED_NAMES = Lookup(
    "archiving.archived_names",
    "select kind, study, dataset, name from archived_now where study = $study",
)


@cache_until_tables_grow("archiving", most=32)
def _archived_of_study(store: Store, study: str) -> frozenset[Thing]:
    if not store.data_version_of_tables("archiving"):
        return frozenset()
    return frozenset(Thing(*row) for row in store.rows(_ARCHIVED_NAMES, study=study))


def archived_dataset_names(store: Store, study: str) -> frozenset[str]:
    """The names of a study's archived datasets."""
    return frozenset(
        thing.dataset for thing in _archived_of_study(store, study) if thing.kind == "dataset"
    )


def is_archived_dataset(store: Store, study: str, dataset: str) -> bool:
    """Whether a dataset is archived."""
    return Thing("dataset", study, dataset) in _archived_of_study(store, study)


def is_archived_round(store: Store, study: str, dataset: str, task: str) -> bool:
    """Whether the round of a task (by name) is archived, by itself or with its dataset."""
    there = _archived_of_study(store, study)
    return (
        Thing("dataset", study, dataset) in there or Thing("round", study, dataset, task) in there
    )


def archiving_of_thing(store: Store, thing: Thing) -> Archiving | None:
    """Why a thing is archived; None: it is not."""
    return _archived(store).get(thing)


@dataclass(frozen=True)
class WorkLeft:
    """What a person has done in a dataset that is archived: how many answers they submitted, how
    many of these after it was archived, and how many items they have only begun.
    """

    submitted: int
    since: int
    begun: int


def counts_of_rater_work_in_archived_dataset(
    store: Store, archived: Archiving, *, rater: str
) -> WorkLeft:
    """What a rater (by id) has done in an archived dataset, practice included."""
    of = {"study": archived.thing.study, "dataset": archived.thing.dataset, "rater": rater}
    where = "i.study = $study and i.dataset = $dataset and w.rater = $rater"
    [(submitted, since)] = store.rows(
        "select count(*), count(*) filter (last > $at::timestamptz) from ("
        " select w.task, w.item, max(w.made_at) as last from judgment w"
        f" join item i on i.id = w.item where {where} group by w.task, w.item) judged",
        **of,
        at=archived.at.isoformat(),
    )
    begun = store.value(
        "select count(*) from (select distinct w.task, w.item from draft w"
        f" join item i on i.id = w.item where {where} and not exists (select 1 from judgment j"
        " where j.task = w.task and j.item = w.item and j.rater = w.rater)) drafted",
        **of,
    )
    return WorkLeft(int(submitted), int(since), int(begun))


def archive_or_bring_back_things_and_count(
    store: Store,
    things: Sequence[Thing],
    *,
    reason: str,
    by: Rater | None,
    back: bool = False,
) -> int:
    """Archive things in one transaction, or with ``back`` bring them back; returns how many were
    not archived (or were) before. ``by`` None: the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason is given for archiving.
        Conflict: all are archived already (or none is).
    """
    require_lead(by)
    # Remove characters that would reverse or hide the words around them in tables.
    reason = remove_invisible_characters_from_name(reason)
    if not reason and not back:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept in the audit log.")
    there = _archived(store)
    changing = [thing for thing in dict.fromkeys(things) if (thing in there) == back]
    if not changing:
        raise _already(back)
    who = by.id if by else COMMAND_LINE
    rows: list[Row] = [
        {
            "id": new_id(),
            "kind": thing.kind,
            "study": thing.study,
            "dataset": thing.dataset,
            "name": thing.name,
            "revision": _last_revision(store, thing) + 1,
            "archived": not back,
            "reason": reason,
            "made_by": who,
        }
        for thing in changing
    ]
    try:
        store.append("archiving", *rows)
    except Conflict as error:
        raise _already(back) from error
    return len(changing)


def _last_revision(store: Store, thing: Thing) -> int:
    return int(
        store.value(
            "select coalesce(max(revision), 0) from archiving where kind = $kind"
            " and study = $study and dataset = $dataset and name = $name",
            kind=thing.kind,
            study=thing.study,
            dataset=thing.dataset,
            name=thing.name,
        )
    )


def _already(back: bool) -> Conflict:
    return Conflict(
        "This is not archived." if back else "This is archived already.",
        hint="Somebody else may have done this a moment ago.",
    )
