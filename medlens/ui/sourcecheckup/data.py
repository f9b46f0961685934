"""The data of the leads' views: one dataset's evidence and figures, kept by data version."""

from __future__ import annotations

import contextlib
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

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

T = TypeVar("T")
Key = tuple[str | int, ...]
_MOST = 500


@st.cache_resource(show_spinner=False, max_entries=_MOST)
def _quietly(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


@st.cache_resource(show_spinner="Calculating the figures…", max_entries=_MOST)
def _told(key: Key, _make: Callable[[], Any]) -> Any:
    return _make()


class Keeping(ABC):
    """A cache for what is computed from one part of the data.

    ``patient`` ones show that they are working if it takes long.
    """

    theme: Theme
    patient = True

    @abstractmethod
    def kept_under(self) -> Key:
        """What the figures depend on: study, store, the part of it in view, version of the data."""

    def keep(self, name: str, make: Callable[[], T], *, drawn: bool = False) -> T:
        """``make()``, computed once per data version; if ``drawn``, also once per theme.

        All viewers share the result: it must not depend on the viewer, and nobody may change it.
        """
        return self.keep_under(self.kept_under(), name, make, drawn=drawn)

    def keep_under(self, key: Key, name: str, make: Callable[[], T], *, drawn: bool = False) -> T:
        """As ``keep``, for a result that depends on something else (``key``)."""
        whole = (*key, name, self.theme if drawn else "")
        found: T = _told(whole, make) if self.patient else _quietly(whole, make)
        return found


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
