"""What leads take back of items, as pages and the command line do it alike."""

from __future__ import annotations

from collections.abc import Sequence

from medlens.errors import InvalidInput
from medlens.review import items, withdrawn_items
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES


def withdraw_or_return_items_and_get_report_text(
    store: Store,
    study: str,
    dataset: str,
    names: Sequence[str],
    *,
    reason: str,
    by: Rater | None,
    back: bool = False,
) -> str:
    """Withdraw items of a dataset, or with ``back`` return them, with what rests on them; says what
    was done. ``by`` None: the command line.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: no such study or item, or no reason.
        Conflict: they are already withdrawn (or in play).
    """
    if study not in STUDIES:
        raise InvalidInput(
            f"There is no study {study!r}.", hint=f"There are: {', '.join(STUDIES)}."
        )
    beside = dict(STUDIES[study].withdrawn_with(store, dataset, names))
    beside_names = set(beside.values())
    own = items.item_names_by_id_of_those_named(
        store, study, dataset, [n for n in names if n not in beside_names]
    )
    chosen = {**beside, **own}
    told = withdrawn_items.withdraw_or_return_items_and_count_notified(
        store, chosen, study=study, dataset=dataset, reason=reason, by=by, back=back
    )
    many, it = ("1 item", "it") if len(chosen) == 1 else (f"{len(chosen):,} items", "them")
    done = (
        f"{many} of {dataset} {'is' if len(chosen) == 1 else 'are'} in play again."
        if back
        else f"{many} of {dataset} withdrawn: nobody is given {it}, and no judgment of {it} counts."
    )
    if not told:
        return done
    people = "1 person who has" if told == 1 else f"{told:,} people who have"
    return f"{done} {people} {it} open will be told."
