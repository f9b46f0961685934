"""Leads' corrections of page outcomes: kept beside the fetch's, with who, when and why.

A correction applies to one snapshot: if the page is fetched again, the new fetch counts. The view
``sc_source_told`` applies the corrections to the snapshots. Every figure by our rule reads it; the
paper's rule uses the fetch.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from medlens.errors import Conflict, InvalidInput
from medlens.review.raters import Rater, require_lead
from medlens.store import Store, new_id
from medlens.studies.sourcecheckup.models import OUTCOMES, READABLE, VALID
from medlens.studies.sourcecheckup.run_pairs import make_pairs
from medlens.web import Outcome

LONGEST_REASON = 500


@dataclass(frozen=True)
class Told:
    """A snapshot and its page's outcome: ``outcome`` is current, ``fetched`` is the fetch's.

    ``revision`` counts the leads' corrections, 0 if none. ``newest``: the address has no later
    snapshot, so the figures count this one.
    """

    source: str
    outcome: Outcome
    fetched: Outcome
    characters: int
    revision: int
    newest: bool

    @property
    def possible(self) -> tuple[Outcome, ...]:
        """The other outcomes a lead can choose: a page without text cannot be readable."""
        others = (one for one in OUTCOMES if one != self.outcome)
        return tuple(one for one in others if self.characters or one not in VALID)


@dataclass(frozen=True)
class Word:
    """A lead's correction: when, by whom, and why."""

    at: datetime
    by: str
    was: Outcome
    outcome: Outcome
    reason: str


_TOLD = (
    "select t.id as source, t.outcome, t.fetched, t.characters, t.told as revision,"
    " not exists (select 1 from sc_source_told l where l.dataset = t.dataset and l.url = t.url"
    " and l.revision > t.revision) as newest from sc_source_told t"
)


def told(store: Store, source: str) -> Told | None:
    """The outcome of a snapshot's page (by snapshot id); None if there is no such snapshot."""
    row = store.one(f"{_TOLD} where t.id = $source", source=source)
    return Told(**row) if row else None


def history(store: Store, source: str, *, viewer: Rater) -> list[Word]:
    """Every correction of a snapshot (by id), oldest first.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    rows = store.dicts(
        "select o.made_at as at, coalesce(r.name, o.made_by) as by, o.was, o.outcome, o.reason"
        " from sc_outcome o left join rater r on r.id = o.made_by where o.source = $source"
        " order by o.revision",
        source=source,
    )
    return [Word(**row) for row in rows]


def say(
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
    now = told(store, source)
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
    if outcome not in now.possible:
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
        make_pairs(store, dataset)


def _conflict() -> Conflict:
    return Conflict(
        "Somebody has changed this outcome since you opened the page.",
        hint="Look at the current outcome first, then change it again if you must.",
    )
