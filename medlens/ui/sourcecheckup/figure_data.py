"""The data of the leads' views: one dataset's evidence and figures, kept by data version."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import pair_list, queries
from medlens.studies.sourcecheckup.figures_data import cached_evidence
from medlens.studies.sourcecheckup.metrics import FigureEvidence
from medlens.studies.sourcecheckup.metrics_input_tables import Judged
from medlens.studies.sourcecheckup.records import STUDY
from medlens.studies.sourcecheckup.study_in_dataset import Study

T = TypeVar("T")


@st.cache_resource(show_spinner="Calculating the figures…", max_entries=500)
def _kept(key: tuple[str | int, ...], _make: Callable[[], Any]) -> Any:
    return _make()


_BEGUN: set[tuple[str, str]] = set()


def start_computing_evidence_ahead(store: Store, study: Study, viewer: Rater) -> None:
    """Start the slowest work early, before a lead opens a figure: plotly, evidence, intervals."""
    key = (str(store.path), study.dataset)
    if key in _BEGUN:
        return
    _BEGUN.add(key)

    def work() -> None:
        import plotly.graph_objects  # noqa: F401  # imported early, while the page is read

        # Any error is shown when the figures are asked for; the store may be closed by now.
        with contextlib.suppress(Exception):
            cached_evidence(store, study, viewer).verifier_support_shares_by_figure_and_group()

    threading.Thread(target=work, daemon=True).start()


@dataclass(frozen=True)
class FigureDataForLead:
    """One dataset as one lead sees it, by one verifier's verdicts ("": the one with the most).

    Raises:
        NotAllowed: the viewer is not a lead.
    """

    store: Store
    study: Study
    viewer: Rater
    verifier: str = ""

    def __post_init__(self) -> None:
        """Refuse anyone who is not a lead."""
        require_lead(self.viewer)

    def compute_once_per_version(self, name: str, make: Callable[[], T]) -> T:
        """``make()``, computed once per version of the data, dataset and verifier.

        All leads share the result: it must not depend on the viewer, and nobody may change it.
        """
        of, version = (
            (self.study.dataset, self.verifier),
            queries.version_number_of_study_data(self.store),
        )
        found: T = _kept((STUDY, str(self.store.path), *of, version, name), make)
        return found

    @property
    def all_evidence(self) -> FigureEvidence:
        """All evidence behind the answers and pairs; the same for every verifier."""
        with st.spinner("Calculating the figures…", show_time=False):
            return cached_evidence(self.store, self.study, self.viewer)

    @property
    def judged_results_of_chosen_verifier(self) -> Judged:
        """The evidence by this verifier's verdicts."""
        return self.all_evidence.judged_results_of_verifier(self.verifier)

    @property
    def listed_pairs_table(self) -> pd.DataFrame:
        """Every pair, as listed (``pair_list.table_of_pairs_to_list``)."""
        return self.compute_once_per_version(
            "pairs",
            lambda: pair_list.table_of_pairs_to_list(
                self.all_evidence,
                listed.table_of_all_pairs(self.store, self.study.dataset),
                self.verifier,
                runs=queries.run_ids_by_answer(self.store, self.study.dataset),
            ),
        )
