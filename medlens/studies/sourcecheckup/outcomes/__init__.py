"""What leads say became of a page, over what the fetch found: kept with who, when and why.

A word stands for one snapshot: a page that is fetched again is told by its fetch again. The view
``sc_source_told`` puts the words over the snapshots, and every figure by our rule reads it; the
paper's rule goes by the fetch.
"""

from __future__ import annotations

from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.sourcecheckup.models import READABLE, Outcome
from medlens.studies.sourcecheckup.outcomes import queries
from medlens.studies.sourcecheckup.run_pairs import make_pairs


def say(
    store: Store, source: str, outcome: Outcome, *, dataset: str, reason: str, base: int, by: Rater
) -> None:
    """Say what became of a page (``queries.say``); one that can be read now is there to verify."""
    queries.say(store, source, outcome, reason=reason, base=base, by=by)
    if outcome in READABLE:
        make_pairs(store, dataset)
