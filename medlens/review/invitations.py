"""Invitations: links made by leads, which a limited number of people may accept before they
expire.

An accepted invitation gives the person its round, if it names one. The settings decide whether it
also lets in somebody who is not on the team; the sign-in provider says who they are. It never makes
anybody a lead. Only a digest of the link's secret is stored.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.errors import Conflict, InvalidInput, MedLensError, NotAllowed
from medlens.review import crowd_platforms_and_worker_ids_of_rounds, rounds
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store, new_id, utc_now

MOST_USES, MOST_DAYS = 1000, 90
_LONGEST_NOTE = 120
_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
_TRIES = 20


@dataclass(frozen=True)
class Invitation:
    """A link. ``task`` and ``dataset`` name its round (both empty: none), ``by`` is the id of the
    lead who made it, ``name`` their name; ``used`` counts who accepted it, out of ``uses``;
    ``revision`` counts its events. ``link`` is the same for all that share a link; empty: it was
    made before that was noted.
    """

    id: str
    note: str
    task: str
    dataset: str
    uses: int
    until: datetime
    by: str
    name: str
    at: datetime
    used: int
    revoked: bool
    revision: int
    link: str = ""

    @property
    def state_in_words(self) -> str:
        """Open, revoked, used up or expired."""
        if self.revoked:
            return "revoked"
        if self.used >= self.uses:
            return "used up"
        return "expired" if utc_now() >= self.until else "open"


@dataclass(frozen=True)
class Use:
    """Who accepted an invitation, and whether a lead has since taken back their access."""

    rater: str
    name: str
    email: str
    at: datetime
    taken_back: bool


_SELECT = (
    "select n.id, n.note, n.task, n.dataset, n.uses, n.until, n.made_by,"
    " coalesce(r.name, n.made_by), n.made_at,"
    " (select count(*) from invitation_event e where e.invitation = n.id and e.kind = 'use'),"
    " exists (select 1 from invitation_event e where e.invitation = n.id and e.kind = 'revoke'),"
    " (select coalesce(max(e.revision), 0) from invitation_event e where e.invitation = n.id),"
    " coalesce(n.link, '')"
    " from invitation n left join rater r on r.id = n.made_by"
)


# -- what leads do ---------------------------------------------------------------------------------


def make_invitation_and_return_link_secret(
    store: Store,
    *,
    by: Rater,
    note: str = "",
    task: str = "",
    dataset: str = "",
    uses: int = 1,
    days: int = 7,
    link: str = "",
) -> str:
    """Make an invitation to a round, or (without a task) to the team; returns the link's secret,
    which is not stored. Only leads see ``note``. ``link`` is one new id for all invitations whose
    secrets go into one link (without it, this one has a link of its own).

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no or too many uses or days, too long a note, half a round.
    """
    require_lead(by)
    note = remove_invisible_characters_from_name(note)
    if not 1 <= uses <= MOST_USES or not 1 <= days <= MOST_DAYS:
        raise InvalidInput(
            f"An invitation is for 1 to {MOST_USES:,} people and 1 to {MOST_DAYS} days."
        )
    if len(note) > _LONGEST_NOTE:
        raise InvalidInput(f"The note is longer than {_LONGEST_NOTE} characters.")
    if bool(task) != bool(dataset):
        raise InvalidInput("A round is a task and a dataset.", hint="Name both, or neither.")
    token = secrets.token_urlsafe(24)
    store.append(
        "invitation",
        {
            "id": new_id(),
            "digest": _digest(token),
            "note": note,
            "task": task,
            "dataset": dataset,
            "uses": uses,
            "until": utc_now() + timedelta(days=days),
            "made_by": by.id,
            "link": link or new_id(),
        },
    )
    return token


def list_invitations(store: Store, *, viewer: Rater) -> list[Invitation]:
    """All invitations, newest first.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return [Invitation(*row) for row in store.rows(f"{_SELECT} order by n.seq desc")]


def list_acceptances_of_invitation(store: Store, invitation: str, *, viewer: Rater) -> list[Use]:
    """Who accepted an invitation, in order of acceptance.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.rows(
        "select e.rater, r.name, coalesce(r.email, ''), e.made_at, exists ("
        "   select 1 from invitation_event o"
        "   where o.rater = e.rater and o.kind = 'out' and o.seq > e.seq)"
        " from invitation_event e join rater r on r.id = e.rater"
        " where e.invitation = $invitation and e.kind = 'use' order by e.seq",
        invitation=invitation,
    )
    return [Use(*row) for row in rows]


def revoke_invitation(store: Store, invitation: str, *, by: Rater) -> None:
    """Stop an invitation from being accepted; those who accepted keep what they got. A repeat does
    nothing.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: there is no such invitation.
    """
    require_lead(by)

    for _ in range(_TRIES):
        found = _known(store, invitation)
        if found.revoked or _appended(store, found, kind="revoke", rater="", by=by):
            return
    raise _busy()


def take_back_access_of_accepter(store: Store, invitation: str, rater: str, *, by: Rater) -> None:
    """Take back the access of somebody who accepted an invitation: no invitation made so far lets
    them in. Their work stays and counts. A repeat does nothing.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: they did not accept this one.
    """
    require_lead(by)

    for _ in range(_TRIES):
        found = _known(store, invitation)
        uses = [
            one
            for one in list_acceptances_of_invitation(store, invitation, viewer=by)
            if one.rater == rater
        ]
        if not uses:
            raise InvalidInput("This person did not accept this invitation.")
        if uses[-1].taken_back or _appended(store, found, kind="out", rater=rater, by=by):
            return
    raise _busy()


# -- what invited people do ------------------------------------------------------------------------


def find_invitation_by_secret(store: Store, token: str) -> Invitation | None:
    """The invitation with this secret in its link."""
    return _one(store, "n.digest", _digest(token)) if _TOKEN.fullmatch(token) else None


def make_error_refusing_invitation(
    store: Store, found: Invitation | None, rater: str, *, leads: Callable[[str], bool]
) -> MedLensError | None:
    """Why this person cannot accept the invitation, and what to do; None if they can, or have.

    ``leads`` says whether the person with an id is a lead of the team now.
    """
    if found is None:
        return InvalidInput(
            "This invitation is not known here.",
            hint="Open the whole link again, or ask the person who sent it for a new one.",
        )
    if _was_put_out(store, found.id, rater):
        return NotAllowed(
            "A lead has removed your access since this invitation was made.",
            hint="Ask your lead.",
        )
    if _has_used(store, found.id, rater):
        return None
    why = {
        "revoked": "This invitation was withdrawn.",
        "used up": "This invitation was used by as many people as it was for.",
        "expired": f"This invitation was valid until {found.until:%-d %B %Y}.",
    }.get(found.state_in_words, "")
    if not why and not leads(found.by):
        why = "The person who made this invitation no longer leads the team."
    return InvalidInput(why, hint=f"Ask {found.name} for a new one.") if why else None


def has_accepted_invitation(store: Store, found: Invitation, rater: str) -> bool:
    """Whether the person has accepted it and still has its access."""
    return _has_used(store, found.id, rater) and not _was_put_out(store, found.id, rater)


def accept_and_return_invitation_admitting_rater(
    store: Store,
    token: str,
    rater: Rater,
    *,
    leads: Callable[[str], bool],
    said: Mapping[str, str] = MappingProxyType({}),
) -> Invitation:
    """Accept an invitation: adds the person to its round if the round names people.

    A round that is open to everyone stays so. Accepting again does nothing. ``said`` holds the
    link's other parameters: if the round's raters come from a crowd platform, their id is stored.

    Raises:
        InvalidInput, NotAllowed: it is unknown, used up, expired, withdrawn, or made by somebody
        who is no longer a lead; or a lead has taken back the person's access; or the platform's id
        is missing, or another rater's.
        Conflict: too many accept it at the same moment.
    """
    for _ in range(_TRIES):
        found = find_invitation_by_secret(store, token)
        if why := make_error_refusing_invitation(store, found, rater.id, leads=leads):
            raise why
        assert found is not None
        worker = crowd_platforms_and_worker_ids_of_rounds.make_crowd_worker_rows(
            store, found.task, found.dataset, rater.id, said
        )
        if _has_used(store, found.id, rater.id):
            store.append_all_and_count_new_by_table({"crowd_worker": worker})
            return found
        row = rounds.make_round_rows_adding_rater(
            store, found.task, found.dataset, rater.id, by=found.by
        )
        if _appended(
            store, found, kind="use", rater=rater.id, by=rater, task_round=row, crowd_worker=worker
        ):
            return found
    raise _busy()


# Cached: read for Home and the menu, but changes only when somebody accepts an invitation.
@cache_until_tables_grow("invitation_event", most=1024)
def acceptance_time_by_round_of_rater(store: Store, rater: str) -> dict[tuple[str, str], datetime]:
    """The rounds that a person came to by invitations, by task and dataset, with when they accepted
    last.
    """
    rows = store.rows(
        "select n.task, n.dataset, max(e.made_at) from invitation_event e"
        " join invitation n on n.id = e.invitation"
        " where e.rater = $rater and e.kind = 'use' and n.task <> '' group by n.task, n.dataset",
        rater=rater,
    )
    return {(task, dataset): at for task, dataset, at in rows}


# Cached: checked at every message of a browser if invitations let people in.
@cache_until_tables_grow("invitation_event", most=1024)
def was_admitted_by_invitation(store: Store, rater: str) -> bool:
    """Whether the person came by an invitation and no lead has taken that back."""
    last = store.rows(
        "select kind from invitation_event where rater = $rater order by seq desc limit 1",
        rater=rater,
    )
    return last == [("use",)]


# -- rows ------------------------------------------------------------------------------------------


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _one(store: Store, column: str, value: str) -> Invitation | None:
    rows = store.rows(f"{_SELECT} where {column} = $value", value=value)
    return Invitation(*rows[0]) if rows else None


def _has_used(store: Store, invitation: str, rater: str) -> bool:
    return bool(
        store.rows(
            "select 1 from invitation_event where invitation = $invitation and kind = 'use'"
            " and rater = $rater",
            invitation=invitation,
            rater=rater,
        )
    )


def _was_put_out(store: Store, invitation: str, rater: str) -> bool:
    return bool(
        store.rows(
            "select 1 from invitation_event where kind = 'out' and rater = $rater"
            " and seq > (select seq from invitation where id = $invitation)",
            invitation=invitation,
            rater=rater,
        )
    )


def _known(store: Store, invitation: str) -> Invitation:
    found = _one(store, "n.id", invitation)
    if found is None:
        raise InvalidInput("There is no such invitation.")
    return found


def _appended(
    store: Store,
    found: Invitation,
    *,
    kind: str,
    rater: str,
    by: Rater,
    **with_it: Sequence[Mapping[str, Any]],
) -> bool:
    """Append the invitation's next event, and ``with_it`` by table; False if another event came
    first.
    """
    row = {"id": new_id(), "invitation": found.id, "revision": found.revision + 1}
    row |= {"kind": kind, "rater": rater, "made_by": by.id}
    try:
        store.append_all_and_count_new_by_table({"invitation_event": [row], **with_it})
    except Conflict:
        return False
    return True


def _busy() -> Conflict:
    return Conflict("Many people are accepting this invitation right now.", hint="Try again.")
