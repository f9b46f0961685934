"""The log of imports, for leads."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pandas as pd

from medlens.review.raters import Rater, require_lead
from medlens.store import Store


def imports(store: Store, *, viewer: Rater, limit: int = 100) -> pd.DataFrame:
    """The last imports, newest first: when, who, file, kind, dataset, added, known, refused.

    ``who`` is a person's name, or ``command line``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return store.read(
        'select l.made_at as "when", coalesce(r.name, l.made_by) as who, l.file, l.kind, l.dataset,'
        " l.added, l.known, l.refused from import_log l left join rater r on r.id = l.made_by"
        " order by l.seq desc limit $limit",
        limit=limit,
    )


def of_dataset(store: Store, dataset: str, kinds: Collection[str]) -> list[dict[str, Any]]:
    """The files of these kinds imported into a dataset, oldest first: kind, file, added, known,
    refused, made_at.
    """
    return store.dicts(
        "select kind, file, added, known, refused, made_at from import_log"
        " where dataset = $dataset and kind in $kinds order by seq",
        dataset=dataset,
        kinds=list(kinds),
    )
