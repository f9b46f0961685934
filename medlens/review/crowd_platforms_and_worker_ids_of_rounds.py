"""Crowd platforms: the id a worker brings to a round, and the way back when they are done.

The id comes from the link. It is stored with the rater and signs nobody in: the sign-in provider
(or, on one's own computer, the name they picked) says who somebody is. In a round an id belongs to
one rater, and a rater has one id.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import completion_code_rules_and_decisions, hand_out_settings
from medlens.review.completion_code_rules_and_decisions import Event, Rule, Work
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.review.tasks import Task
from medlens.store import Store, new_id

ALSO = ("STUDY_ID", "SESSION_ID", "assignmentId", "hitId")
"""The other parameters of platforms' links, stored beside the id."""

_SETTING = "crowd"
_PARAMETER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CODE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_ADDRESS = 500
_OURS = {"invite"}


@dataclass(frozen=True)
class Platform:
    """The link's ``parameter`` holds the worker's id; workers get ``address`` and ``code`` when
    they are done, each empty if there is none.
    """

    parameter: str
    address: str = ""
    code: str = ""


def platform_of_round(store: Store, task: str, dataset: str) -> Platform | None:
    """The platform that a round's raters come from, or None."""
    set_ = (
        hand_out_settings.task_settings_set_by_lead(store, task, dataset).get(_SETTING)
        if task
        else None
    )
    return Platform(**set_) if set_ else None


def set_or_remove_platform_of_round(
    store: Store,
    task: str,
    dataset: str,
    *,
    parameter: str,
    address: str = "",
    code: str = "",
    rule: Rule | None = None,
    by: Rater,
) -> None:
    """Set the platform that a round's raters come from; none if ``parameter`` is empty. ``rule``
    says what a completion code needs; None leaves that as it is.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: a value is not valid; says which.
    """
    require_lead(by)
    parameter, address, code = parameter.strip(), address.strip(), code.strip()
    change: dict[str, Any] = (
        {} if rule is None else completion_code_rules_and_decisions.completion_rule_as_setting(rule)
    )
    if not parameter:
        if address or code:
            raise InvalidInput(
                "The name of the id in the link is missing.", hint="Prolific's is PROLIFIC_PID."
            )
        hand_out_settings.change_task_settings(
            store, task, dataset, change | {_SETTING: None}, by=by
        )
        return
    if not _PARAMETER.fullmatch(parameter) or parameter in (*_OURS, *ALSO):
        raise InvalidInput(
            f"A link cannot have the worker's id as {parameter!r}.",
            hint="Give the name before the = in the link, such as PROLIFIC_PID or workerId.",
        )
    if code and not _CODE.fullmatch(code):
        raise InvalidInput("A completion code has up to 64 letters, digits, - and _.")
    if address and not _is_address(address):
        raise InvalidInput(
            "The return address has to begin with https:// and name a server.",
            hint="Copy it from the platform.",
        )
    new = {"parameter": parameter, "address": address, "code": code}
    hand_out_settings.change_task_settings(store, task, dataset, change | {_SETTING: new}, by=by)


def _is_address(text: str) -> bool:
    if len(text) > _LONGEST_ADDRESS or not re.fullmatch(r"https://[!-~]+", text):
        return False
    try:
        parts = urlsplit(text)
        return bool(parts.hostname) and parts.username is None
    except ValueError:
        return False


def make_crowd_worker_rows(
    store: Store, task: str, dataset: str, rater: str, said: Mapping[str, str]
) -> list[dict[str, Any]]:
    """The ``crowd_worker`` row for a rater's id in a round, to append with others; none if the
    round has no platform or the id is already stored.

    Raises:
        InvalidInput: the link has no valid id, the id is another rater's, or the rater had another
            one before.
    """
    platform = platform_of_round(store, task, dataset)
    if platform is None:
        return []
    worker = said.get(platform.parameter, "")
    known = worker_id_of_rater(store, task, dataset, rater)
    if known and worker in ("", known):
        return []
    if not _ID.fullmatch(worker):
        raise InvalidInput(
            "Your id from the platform is missing from your link.",
            hint="Open the study from the platform again. If that does not help, tell whoever runs"
            " the study there.",
        )
    if known:
        raise InvalidInput(
            f"You came to this round as {known} before, and now as {worker}.",
            hint="Continue under the first id, or tell whoever runs the study.",
        )
    taken = store.rows(
        "select 1 from crowd_worker where task = $task and dataset = $dataset and worker = $worker",
        task=task,
        dataset=dataset,
        worker=worker,
    )
    if taken:
        raise InvalidInput(
            f"Somebody else has come to this round as {worker}.",
            hint="Sign in as you did then, or tell whoever runs the study.",
        )
    also = {name: said[name] for name in ALSO if _ID.fullmatch(said.get(name, ""))}
    row = {"id": new_id(), "task": task, "dataset": dataset, "rater": rater}
    return [{**row, "worker": worker, "said": also}]


def looks_like_worker_id(text: str) -> bool:
    """Whether a text has the form of a platform's id."""
    return bool(_ID.fullmatch(text))


def worker_id_of_rater(store: Store, task: str, dataset: str, rater: str) -> str:
    """The id that a rater came to a round with; empty if they did not come from a platform."""
    return _workers(store, task, dataset).get(rater, "")


# Cached: read at every desk, but changes only when somebody comes from a platform.
@cache_until_tables_grow("crowd_worker")
def _workers(store: Store, task: str, dataset: str) -> dict[str, str]:
    rows = store.rows(
        "select rater, worker from crowd_worker where task = $task and dataset = $dataset",
        task=task,
        dataset=dataset,
    )
    return dict(rows)


@dataclass(frozen=True)
class CrowdSession:
    """A person who came to a round from a platform, or whose code in it is more than the rule's.

    ``rater`` is an id, ``worker`` the platform's (empty: came from none) and ``said`` the link's
    other parameters, at ``came_at``; ``work`` is what they did, ``missed`` what it lacks for a
    code, and ``event`` how they stand with it, decided ``by`` (a name), None before they finished.
    """

    task: str
    dataset: str
    rater: str
    name: str
    handle: str
    worker: str
    said: Mapping[str, str]
    came_at: datetime | None
    work: Work
    missed: str
    event: Event | None
    by: str

    @property
    def code_standing_in_words(self) -> str:
        """How the person stands with the code, in words; empty before they finished."""
        return CODES[self.event.kind] if self.event else ""

    @property
    def is_waiting_for_decision(self) -> bool:
        """Whether the person waits for a lead to decide about the code."""
        return self.event is not None and self.event.kind == "asked"


CODES: Mapping[str, str] = {
    "asked": "awaits a lead",
    "shown": "shown by the rule",
    "given": "given by a lead",
    "refused": "refused by a lead",
}
"""How people stand with a completion code, by the kind of the last event, in words."""


def list_crowd_sessions(
    store: Store, *, viewer: Rater | None, task_of: Callable[[str, str], Task | None]
) -> list[CrowdSession]:
    """Everybody who came from a platform or has to do with a completion code, in the order they
    came. ``task_of`` finds a task by its name and a dataset; of a round without one only who came
    is known. ``viewer`` None: command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    came = store.rows(
        "with there as (select task, dataset, rater, seq from crowd_worker"
        " union all select task, dataset, rater, min(seq) from completion_event group by all)"
        " select t.task, t.dataset, t.rater, r.name, r.handle, coalesce(c.worker, ''),"
        f" [{_ALSO_SAID}], c.made_at"
        " from (select task, dataset, rater, min(seq) as seq from there group by all) t"
        " join rater r on r.id = t.rater left join crowd_worker c"
        " on c.task = t.task and c.dataset = t.dataset and c.rater = t.rater order by t.seq"
    )
    people: dict[tuple[str, str], list[str]] = {}
    for task, dataset, rater, *_ in came:
        people.setdefault((task, dataset), []).append(rater)
    works: dict[tuple[str, str], dict[str, Work]] = {}
    for of, there in people.items():
        if (opened := task_of(*of)) is not None:
            works[of] = completion_code_rules_and_decisions.completion_work_by_rater(
                store, opened, of[1], there
            )
    names: dict[str, str] = dict(store.rows("select id, name from rater"))
    found = []
    for task, dataset, rater, name, handle, worker, said, at in came:
        work = works.get((task, dataset), {}).get(rater, Work())
        event = completion_code_rules_and_decisions.last_code_event_by_rater(
            store, task, dataset
        ).get(rater)
        missed = completion_code_rules_and_decisions.shortfalls_by_bound_in_words(
            work, completion_code_rules_and_decisions.completion_rule_of_round(store, task, dataset)
        )
        of_lead = event is not None and event.kind in ("given", "refused")
        found.append(
            CrowdSession(
                *(task, dataset, rater, name, handle, worker),
                dict(zip(ALSO, said, strict=True)),
                *(at, work, "; ".join(missed.values()) if event else "", event),
                names.get(event.by, event.by) if event and of_lead else "",
            )
        )
    return found


_ALSO_SAID = ", ".join(f"coalesce(c.said->>'$.{name}', '')" for name in ALSO)


def crowd_sessions_table(sessions: Sequence[CrowdSession]) -> pd.DataFrame:
    """Sessions as a table: task, dataset, rater, rater_handle, worker, the link's other
    parameters, at (UTC), handed_out, judged, flagged, skipped, gold_checks, gold_as_expected,
    missed (what a code lacks), code (``CODES``), decided_by, decision_reason, decided_at (of a
    lead's decision, UTC).
    """
    rows = [
        (
            *(one.task, one.dataset, one.name, one.handle, one.worker, *one.said.values()),
            *(one.came_at, one.work.handed_out, one.work.judged, one.work.flagged),
            *(
                one.work.skipped,
                one.work.gold,
                one.work.gold_hits,
                one.missed,
                one.code_standing_in_words,
                one.by,
            ),
            *((one.event.reason, one.event.at) if one.event and one.by else ("", None)),
        )
        for one in sessions
    ]
    frame = pd.DataFrame(rows, columns=_COLUMNS)
    for name in ("at", "decided_at"):
        frame[name] = pd.to_datetime(frame[name], utc=True).astype("datetime64[us, UTC]")
    return frame


_COLUMNS = [
    *("task", "dataset", "rater", "rater_handle", "worker", *ALSO, "at"),
    *("handed_out", "judged", "flagged", "skipped", "gold_checks", "gold_as_expected"),
    *("missed", "code", "decided_by", "decision_reason", "decided_at"),
]
