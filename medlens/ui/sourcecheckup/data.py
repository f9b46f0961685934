"""What the leads' views draw from: one dataset's evidence and figures, kept by data version."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from medlens.review.raters import Rater, require_lead
from medlens.sourcecheckup import listing, metrics, queries
from medlens.sourcecheckup.evidence import evidence, quotes
from medlens.sourcecheckup.listing import queries as listed
from medlens.sourcecheckup.merged.metrics import merged_figures
from medlens.sourcecheckup.metrics import Evidence, Shares, Verification
from medlens.sourcecheckup.metrics_domains import domain_figures, top_sites, unreadable_sites
from medlens.sourcecheckup.metrics_material import Judged
from medlens.sourcecheckup.metrics_quotes import quote_figures
from medlens.sourcecheckup.metrics_support import states
from medlens.sourcecheckup.models import STUDY
from medlens.sourcecheckup.study import Study
from medlens.stats.estimate import Estimate
from medlens.store import Store
from medlens.ui.charts import Theme
from medlens.ui.kept import Keeping, Key

_EVIDENCE: dict[tuple[str, str], tuple[int, Evidence]] = {}
_WORKING = threading.Lock()


def evidence_of(store: Store, study: Study, viewer: Rater) -> Evidence:
    """The dataset's evidence, kept until its data change; worked out by one thread at a time.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    key, version = (str(store.path), study.dataset), queries.version(store)
    with _WORKING:
        held = _EVIDENCE.get(key)
        if held is None or held[0] != version:
            held = (version, evidence(store, study, viewer=viewer))
            _EVIDENCE[key] = held
    return held[1]


_BEGUN: set[tuple[str, str]] = set()


def warm(store: Store, study: Study, viewer: Rater) -> None:
    """Begin what takes longest before a lead asks for the first figure: plotly, the evidence, the
    intervals of the metrics."""
    key = (str(store.path), study.dataset)
    if key in _BEGUN:
        return
    _BEGUN.add(key)

    def work() -> None:
        import plotly.graph_objects  # noqa: F401  # imported early, while the page is read

        # Whatever is wrong is told when the figures are asked for; the store may be closed by now.
        with contextlib.suppress(Exception):
            evidence_of(store, study, viewer).support()

    threading.Thread(target=work, daemon=True).start()


@dataclass(frozen=True)
class Source(Keeping):
    """One dataset as one lead sees it, by one verifier's word ("": the one with most verdicts).

    Raises:
        NotAllowed: when made for somebody who is not a lead.
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
        """One dataset by one verifier's word, in this version of the data."""
        version = queries.version(self.store)
        return (STUDY, str(self.store.path), self.study.dataset, self.verifier, version)

    @property
    def evidence(self) -> Evidence:
        """All that the figures rest on; the same for every verifier."""
        held = _EVIDENCE.get((str(self.store.path), self.study.dataset))
        if held is not None and held[0] == queries.version(self.store):
            return held[1]
        with st.spinner("Working out the figures…", show_time=False):
            return evidence_of(self.store, self.study, self.viewer)

    @property
    def judged(self) -> Judged:
        """By this verifier's word."""
        return self.evidence.judged(self.verifier)

    @property
    def support(self) -> Shares:
        """The metrics, by every grouping."""
        return self.evidence.support(self.verifier)

    @property
    def states(self) -> Shares:
        """Every class of statements, responses and sources by model."""
        return self.keep("states", lambda: states(self.judged, self.evidence.clusters, ("model",)))

    @property
    def domains(self) -> Shares:
        """Where the sources stand."""
        return self.keep(
            "domains",
            lambda: domain_figures(
                self.judged, self.evidence.clusters, countries=self.evidence.countries
            ),
        )

    @property
    def merged(self) -> Shares:
        """Each source alone beside sources merged; empty where nobody was asked of merged ones."""
        return self.keep(
            "merged",
            lambda: merged_figures(self.judged, self.evidence.merged, self.evidence.clusters),
        )

    @property
    def top_sites(self) -> pd.DataFrame:
        """The sites cited most."""
        return self.keep("top_sites", lambda: top_sites(self.evidence.material))

    @property
    def unreadable_sites(self) -> pd.DataFrame:
        """Paywalls and dead links."""
        return self.keep("unreadable", lambda: unreadable_sites(self.evidence.material))

    @property
    def verification(self) -> Verification:
        """Verifiers against doctors."""
        return self.keep("verification", lambda: metrics.verification(self.evidence))

    @property
    def quotes(self) -> dict[tuple[str, str], Estimate]:
        """How each verifier's quotes stand on their pages, by figure and verifier."""
        return self.keep(
            "quotes",
            lambda: {
                (figure, verifier): one
                for figure, verifier, one in quote_figures(quotes(self.store, self.study.dataset))
            },
        )

    @property
    def pairs(self) -> pd.DataFrame:
        """Every pair as the list has it (``listing.index``)."""
        return self.keep(
            "pairs",
            lambda: listing.index(
                self.evidence, listed.pairs(self.store, self.study.dataset), self.verifier
            ),
        )
