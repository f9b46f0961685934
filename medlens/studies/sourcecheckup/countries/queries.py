"""The SQL of registrations."""

from __future__ import annotations

import pandas as pd

from medlens.store import Store


def standing(store: Store, dataset: str) -> dict[str, tuple[int, str]]:
    """Domain -> (revision, country) of what is known now; the country is "" where it was asked for
    and nobody said."""
    return {
        site: (revision, country)
        for site, revision, country in store.rows(
            "select site, revision, country from sc_site_now where dataset = $dataset",
            dataset=dataset,
        )
    }


def table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per domain: domain, country, answered, looked_up_at, origin."""
    return store.read(
        "select site as domain, country, answered, made_at as looked_up_at, origin,"
        " $dataset as dataset from sc_site_now where dataset = $dataset order by site",
        dataset=dataset,
    )
