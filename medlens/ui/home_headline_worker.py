"""The headline figures of each study on the lead's Home, and people's agreement in it, computed in
the background.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from medlens.errors import NotAllowed
from medlens.review import agreement, consensus, work_progress_and_pace_by_item_and_rater
from medlens.review.agreement import AgreementByQuestion
from medlens.review.figure_definitions import Told
from medlens.stats.estimate import Estimate
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.studies.study_definition import Study
from medlens.telemetry import logs
from medlens.ui.page_frame import Here
from medlens.ui.team_overview import MANY

_AFTER = 1.5
"""Seconds to wait before starting, so that the page is drawn first."""
_AT_MOST_EVERY = 60.0
"""Minimum seconds between two computations for a dataset that people are judging now."""

Key = tuple[Any, ...]


@dataclass(frozen=True)
class Headlines:
    """The headline figures of a dataset, and how far people agree on its main task, if known: on
    each question, if it asks several.
    """

    told: Sequence[Told] = ()
    agreed: Estimate | AgreementByQuestion | None = None


@dataclass(frozen=True)
class Result:
    """Headlines as computed ``at`` a time from one ``version`` of the data."""

    version: Key
    headlines: Headlines
    failed: bool = False
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


class HeadlineWorker:
    """Computes them one dataset at a time, in a thread; keeps the last result of each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="medlens-headlines")
        self._done: dict[Key, Result] = {}
        self._begun: dict[Key, Future[None]] = {}

    def start_computing_headlines_unless_known(
        self, key: Key, version: Key, make: Callable[[], Headlines]
    ) -> None:
        """Start computing a dataset's figures unless they are known for its current data."""
        with self._lock:
            known, begun = self._done.get(key), self._begun.get(key)
            old = known is None or (
                known.version != version
                and (datetime.now(UTC) - known.at).total_seconds() > _AT_MOST_EVERY
            )
            if old and begun is None:
                self._begun[key] = self._pool.submit(
                    self._work, key, version, make, time.monotonic() + _AFTER
                )

    def find_known_result(self, key: Key) -> Result | None:
        """The known figures of a dataset, perhaps from earlier data."""
        with self._lock:
            return self._done.get(key)

    def is_computing(self, key: Key) -> bool:
        """Whether the dataset's figures are being computed."""
        with self._lock:
            return key in self._begun

    def wait_until_all_computed(self) -> None:
        """Wait until everything started is done."""
        with self._lock:
            begun = list(self._begun.values())
        for one in begun:
            one.result()

    def _work(self, key: Key, version: Key, make: Callable[[], Headlines], begin: float) -> None:
        time.sleep(max(0.0, begin - time.monotonic()))
        computed = Headlines()
        failed = False
        try:
            computed = make()
        except Exception as error:  # noqa: BLE001 - the rest of Home stands without them
            failed = True
            logs.log_event("headlines", failed=f"{type(error).__name__}: {error}")
        with self._lock:
            self._done[key] = Result(version, computed, failed)
            self._begun.pop(key, None)


@st.cache_resource(show_spinner=False)
def headline_worker_of_process() -> HeadlineWorker:
    """This process's worker."""
    return HeadlineWorker()


def request_headlines_and_return_key(here: Here, declared: Study, dataset: str) -> Key | None:
    """Have a dataset's headlines computed unless they are known; returns what they are known by.

    None: the study has no figures, or the viewer may not see them.
    """
    figures = declared.figures
    if figures is None:
        return None
    try:
        figures.require(here.store, dataset, here.person)
    except NotAllowed:
        return None
    study = declared.open(here.store, here.settings, dataset)
    key = (declared.name, str(here.store.path), dataset)

    def make() -> Headlines:
        with declare_panel_fixed_within(
            fixed=declared.panel_is_fixed(here.store, here.settings, study)
        ):
            told = figures.list_headline_values(figures.look(here.store, study, here.person, {}))
            return Headlines(told, _agreed(here, declared, study, dataset))

    headline_worker_of_process().start_computing_headlines_unless_known(
        key, data_version_key_of_headlines(here, declared, study), make
    )
    return key


def data_version_key_of_headlines(here: Here, declared: Study, study: Any) -> Key:
    """The version of the data that a study's headlines rest on."""
    figures = declared.figures
    assert figures is not None
    fixed = declared.panel_is_fixed(here.store, here.settings, study)
    return figures.version(study), here.store.data_version_of_tables(*figures.tables), fixed


def _agreed(
    here: Here, declared: Study, study: Any, dataset: str
) -> Estimate | AgreementByQuestion | None:
    """People's agreement on the study's main task: the first in which the clinicians' word counts,
    else the first; without a value, its reason says what is missing. None: it has no task.

    Of several questions none speaks for the others, least of all one of which it is undefined.
    """
    tasks = sorted(declared.tasks(study), key=lambda task: not task.word_in)
    if not tasks:
        return None
    people = work_progress_and_pace_by_item_and_rater.judging_people_counts_by_task_and_item(
        here.store, task=tasks[0].name, dataset=dataset
    )
    judgments = sum(people.get(tasks[0].name, {}).values())
    if not judgments:
        return Estimate.undefined_estimate("nobody has judged yet")
    if judgments >= MANY:
        return Estimate.undefined_estimate("Team › Agreement has it, for this many judgments")
    judged = consensus.current_judgments(
        here.store, tasks[0], dataset=dataset, viewer=here.person, blind=True
    )
    if several := agreement.estimate_agreement_on_each_question(tasks[0], judged):
        return several
    main = agreement.find_main_variable_and_alpha_of_task(tasks[0], judged)
    return (
        Estimate.undefined_estimate("no answer can be compared yet") if main is None else main.alpha
    )
