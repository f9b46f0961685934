"""The data of the leads' views: one dataset's evidence and figures, kept by data version."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.sourcecheckup import listing, queries
from medlens.studies.sourcecheckup import listing_queries as listed
from medlens.studies.sourcecheckup.figures_data import evidence_of
from medlens.studies.sourcecheckup.metrics import Evidence
from medlens.studies.sourcecheckup.metrics_material import Judged
from medlens.studies.sourcecheckup.models import STUDY
from medlens.studies.sourcecheckup.study import Study
from medlens.ui.charts import Theme
from medlens.ui.kept import Keeping, Key

_BEGUN: set[tuple[str, str]] = set()


def warm(store: Store, study: Study, viewer: Rater) -> None:
    """Start the slowest work early, before a lead opens a figure: plotly, evidence, intervals."""
    key = (str(store.path), study.dataset)
    if key in _BEGUN:
        return
    _BEGUN.add(key)

    def work() -> None:
        import plotly.graph_objects  # noqa: F401  # imported early, while the page is read

        # Any error is shown when the figures are asked for; the store may be closed by now.
        with contextlib.suppress(Exception):
            evidence_of(store, study, viewer).support()

    threading.Thread(target=work, daemon=True).start()


@dataclass(frozen=True)
class Source(Keeping):
    """One dataset as one lead sees it, by one verifier's verdicts ("": the one with the most).

    Raises:
        NotAllowed: the viewer is not a lead.
    """

    store: Store
    study: Study
    viewer: Rater
    theme: Theme = "light"
    verifier: str = ""

    def __post_init__(self) -> None:
        """Refuse anyone who is not a lead."""
        require_lead(self.viewer)

    def kept_under(self) -> Key:
        """The cache key: dataset, verifier and data version."""
        version = queries.version(self.store)
        return (STUDY, str(self.store.path), self.study.dataset, self.verifier, version)

    @property
    def evidence(self) -> Evidence:
        """All evidence behind the answers and pairs; the same for every verifier."""
        with st.spinner("Calculating the figures…", show_time=False):
            return evidence_of(self.store, self.study, self.viewer)

    @property
    def judged(self) -> Judged:
        """The evidence by this verifier's verdicts."""
        return self.evidence.judged(self.verifier)

    @property
    def pairs(self) -> pd.DataFrame:
        """Every pair, as listed (``listing.index``)."""
        return self.keep(
            "pairs",
            lambda: listing.index(
                self.evidence,
                listed.pairs(self.store, self.study.dataset),
                self.verifier,
                runs=queries.runs_of_answers(self.store, self.study.dataset),
            ),
        )
