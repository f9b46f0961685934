"""What leads say became of a page, over what the fetch found: kept with who, when and why.

A word stands for one snapshot: a page that is fetched again is told by its fetch again. The view
``sc_source_told`` puts the words over the snapshots, and every figure by our rule reads it; the
paper's rule goes by the fetch.
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
    """A snapshot and what became of its page: ``outcome`` stands, ``fetched`` the fetch found.

    ``revision`` counts the leads' words, 0 without any. ``newest``: no later snapshot of the
    address is there, so that the figures count this one.
    """

    source: str
    outcome: Outcome
    fetched: Outcome
    characters: int
    revision: int
    newest: bool

    @property
    def possible(self) -> tuple[Outcome, ...]:
        """What a lead can say of it instead: a page without a text cannot be read."""
        others = (one for one in OUTCOMES if one != self.outcome)
        return tuple(one for one in others if self.characters or one not in VALID)


@dataclass(frozen=True)
class Word:
    """A lead's word: when it was said, by whom, and why."""

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
    """What became of the page of a snapshot (by id); None if there is none."""
    row = store.one(f"{_TOLD} where t.id = $source", source=source)
    return Told(**row) if row else None


def history(store: Store, source: str, *, viewer: Rater) -> list[Word]:
    """Every word on a snapshot (by id), oldest first.

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
    """Say what became of a page, by its snapshot's id, having seen word ``base``; one that can be
    read now is there to verify.

    Raises:
        Conflict: another lead has said something since.
        InvalidInput: there is no such snapshot, no reason, a reason too long, an outcome that it
            has already, or one with a text for a page without.
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
