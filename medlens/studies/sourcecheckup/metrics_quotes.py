"""How the verifiers' quotes stand on their pages, as figures of each verifier."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from medlens.stats.clustered import Clusters
from medlens.stats.figures import FigureRow
from medlens.web.quotes import STANDINGS, Standing

QUOTE_COLUMNS = ["item", "question", "rater", "how"]
QUOTE_NAMES: dict[Standing, str] = {
    "exact": "word for word",
    "folded": "set in another way",
    "alike": "similar, not the same",
    "missing": "not on the page",
    "none": "no quote",
}


def quote_figures(found: pd.DataFrame) -> Iterator[FigureRow]:
    """The share of each verifier's verdicts whose quote stands so, questions drawn whole."""
    for verifier, rows in found.groupby("rater", sort=True):
        clusters = Clusters(rows["question"].to_numpy(dtype=str))
        how = rows["how"].to_numpy(dtype=str)
        hits = np.column_stack([clusters.sums(clusters.codes, how == one) for one in STANDINGS])
        every = np.column_stack([clusters.sums(clusters.codes)] * len(STANDINGS))
        for one, share in zip(STANDINGS, clusters.ratios(hits, every), strict=True):
            yield f"quotes: {one}", str(verifier), share
