"""Excluding a rater's work, with a reason, and returning it.

Excluded work stays in the store and at its rater's desk, but counts nowhere: the view
``judgment_counted`` leaves it out, and all figures, agreement, consensus, progress and exports read
that view. The rater is given nothing new, and what they judged is given to others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from medlens.config.email_and_name_normalisation import remove_invisible_characters_from_name
from medlens.errors import Conflict, InvalidInput
from medlens.review import raters
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import cache_until_tables_grow
from medlens.store import Store, new_id


@dataclass(frozen=True)
class RaterExclusion:
    """A lead's decision on a rater's work. ``rater`` is an id, ``name`` and ``by`` are names.

    Empty ``task`` and ``dataset`` mean all of the rater's work; ``excluded`` False returns it.
    """

    rater: str
    name: str
    task: str
    dataset: str
    excluded: bool
    reason: str
    by: str
    at: datetime

    @property
    def scope_in_words(self) -> str:
        """The work it is about, in words."""
        return f"{self.task} of {self.dataset}" if self.task else "everything"


_SELECT = (
    "select x.rater, r.name, x.task, x.dataset, x.excluded, x.reason, coalesce(b.name, x.made_by),"
    " x.made_at from {} x join rater r on r.id = x.rater left join rater b on b.id = x.made_by"
)


# Cached: read for every item that is handed out.
@cache_until_tables_grow("exclusion")
def exclusions_in_force_by_rater(
    store: Store, task: str, dataset: str
) -> Mapping[str, RaterExclusion]:
    """The exclusions in force for a task on a dataset, by rater id; do not modify.

    An exclusion from everything takes precedence.
    """
    rows = store.rows(
        _SELECT.format("exclusion_now")
        + " where x.task = '' or (x.task = $task and x.dataset = $dataset) order by x.task desc",
        task=task,
        dataset=dataset,
    )
    return {row[0]: RaterExclusion(*row) for row in rows}


def list_exclusions_and_returns(store: Store, *, viewer: Rater | None) -> list[RaterExclusion]:
    """All exclusions and returns, newest first; no viewer means the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return [
        RaterExclusion(*r) for r in store.rows(_SELECT.format("exclusion") + " order by x.seq desc")
    ]


def exclude_or_return_rater(
    store: Store,
    rater: str,
    *,
    reason: str,
    by: Rater | None,
    task: str = "",
    dataset: str = "",
    back: bool = False,
) -> None:
    """Exclude a person's work from a task on a dataset, or (with neither) from everything.

    ``back`` returns it instead. ``by`` is None for the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no reason, no such person, a model, or a task without a dataset.
        Conflict: it is already excluded (or returned).
    """
    require_lead(by)
    # Remove characters that would reverse or hide the words around them in tables.
    reason = remove_invisible_characters_from_name(reason)
    if not reason:
        raise InvalidInput("A reason is missing.", hint="Say why: it is kept with the work.")
    if bool(task) != bool(dataset):
        raise InvalidInput(
            "A task and a dataset are needed, or neither.", hint="Name both, or leave out both."
        )
    who = raters.find_rater(store, rater)
    if who is None or who.kind != "person":
        raise InvalidInput(
            "Only a person's work can be excluded.",
            hint="Figures are narrowed to a model, or to its run, on the page that shows them.",
        )
    rows = store.rows(
        "select revision, excluded from exclusion where rater = $rater and task = $task"
        " and dataset = $dataset order by revision desc limit 1",
        rater=rater,
        task=task,
        dataset=dataset,
    )
    revision, now = rows[0] if rows else (0, False)
    if now != back:
        raise Conflict(
            f"{who.name}'s work {'is excluded already' if now else 'is not excluded'}.",
            hint="Somebody else may have done this a moment ago.",
        )
    store.append(
        "exclusion",
        {
            "id": new_id(),
            "rater": rater,
            "task": task,
            "dataset": dataset,
            "revision": revision + 1,
            "excluded": not back,
            "reason": reason,
            "made_by": by.id if by else "command line",
        },
    )
