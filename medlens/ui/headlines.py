"""The headline figures of each study on the lead's Home, computed in the background."""

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
from medlens.review.figures import Told
from medlens.stats.estimate import number
from medlens.studies.study import Study
from medlens.telemetry import logs
from medlens.ui import desk_view
from medlens.ui.frame import Here, escape

_MOST_DATASETS = 4
_AFTER = 1.5
"""Seconds to wait before starting, so that the page is drawn first."""
_AT_MOST_EVERY = 60.0
"""Minimum seconds between two computations for a dataset that people are judging now."""
_LOOK_AGAIN = 2.0

Key = tuple[Any, ...]


@dataclass(frozen=True)
class _Result:
    version: Key
    told: Sequence[Told]
    failed: bool = False
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


class Worker:
    """Computes them one dataset at a time, in a thread; keeps the last result of each."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="medlens-headlines")
        self._done: dict[Key, _Result] = {}
        self._begun: dict[Key, Future[None]] = {}

    def ask(self, key: Key, version: Key, make: Callable[[], Sequence[Told]]) -> None:
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

    def known(self, key: Key) -> _Result | None:
        """The known figures of a dataset, perhaps from earlier data."""
        with self._lock:
            return self._done.get(key)

    def is_busy(self, key: Key) -> bool:
        """Whether the dataset's figures are being computed."""
        with self._lock:
            return key in self._begun

    def wait(self) -> None:
        """Wait until everything started is done."""
        with self._lock:
            begun = list(self._begun.values())
        for one in begun:
            one.result()

    def _work(
        self, key: Key, version: Key, make: Callable[[], Sequence[Told]], begin: float
    ) -> None:
        time.sleep(max(0.0, begin - time.monotonic()))
        told: Sequence[Told] = ()
        failed = False
        try:
            told = make()
        except Exception as error:  # noqa: BLE001 - the rest of Home stands without them
            failed = True
            logs.event("headlines", failed=f"{type(error).__name__}: {error}")
        with self._lock:
            self._done[key] = _Result(version, told, failed)
            self._begun.pop(key, None)


@st.cache_resource(show_spinner=False)
def worker() -> Worker:
    """This process's worker."""
    return Worker()


def draw(here: Here, declared: Study, datasets: Sequence[str]) -> None:
    """Draw the figures of a study's first few datasets; nothing if it has none."""
    figures = declared.figures
    if figures is None:
        return
    shown = []
    for dataset in datasets[:_MOST_DATASETS]:
        try:
            figures.require(here.store, dataset, here.person)
        except NotAllowed:
            continue
        study = declared.open(here.store, here.settings, dataset)
        shown.append((dataset, study, _version(here, declared, study)))
    for dataset, study, version in shown:
        key = (declared.name, str(here.store.path), dataset)

        def make(study: Any = study) -> Sequence[Told]:
            return figures.told(figures.look(here.store, study, here.person, {}))

        worker().ask(key, version, make)
    keys = [(declared.name, str(here.store.path), dataset) for dataset, _, _ in shown]
    waits = any(worker().is_busy(key) for key in keys)
    part = st.fragment(_draw, run_every=_LOOK_AGAIN if waits else None)
    part(declared, keys, {key[-1]: v for key, (_, _, v) in zip(keys, shown, strict=True)}, waits)


def _version(here: Here, declared: Study, study: Any) -> Key:
    figures = declared.figures
    assert figures is not None
    return figures.version(study), here.store.version(*figures.tables)


def _draw(declared: Study, keys: Sequence[Key], versions: dict[str, Key], waited: bool) -> None:
    if waited and not any(worker().is_busy(key) for key in keys):
        # Rerun the whole page, which then stops asking every few seconds.
        st.rerun()
    for key in keys:
        found = worker().known(key)
        if found is None:
            st.caption(":material/hourglass_top: The headline figures are being calculated.")
            continue
        if found.failed:
            of = f" of {escape(key[-1])}" if len(keys) > 1 else ""
            st.caption(
                f":material/error: The headline figures{of} could not be calculated. The server's"
                " log says why."
            )
            continue
        _draw_one(declared, key[-1], found, named=len(keys) > 1, now=versions[key[-1]])


def _draw_one(declared: Study, dataset: str, found: _Result, *, named: bool, now: Key) -> None:
    for title in dict.fromkeys(one.title for one in found.told):
        of = [one for one in found.told if one.title == title]
        old = f" · as of {desk_view.local(found.at):%H:%M}" if found.version != now else ""
        st.page_link(
            declared.page,
            label=escape(title) + (f" · {escape(dataset)}" if named else "") + old,
            icon=":material/bar_chart:",
            query_params={**of[0].view, "dataset": dataset},
        )
        with st.container(horizontal=True, gap="medium"):
            for one in of:
                _draw_told(one)


def _draw_told(one: Told) -> None:
    estimate = one.estimate
    with st.container(width="content", gap=None):
        st.markdown(
            f"**{number(estimate.value, one.form)}**"
            + (f" {escape(one.group)}" if one.group else "")
        )
        interval = "no interval"
        if estimate.low is not None and estimate.high is not None:
            low, high = (number(end, one.form) for end in (estimate.low, estimate.high))
            interval = f"95% interval {low} to {high}"
        st.caption(f"{interval}; n = {estimate.n:,}")
        for printed in one.printed:
            share = one.form == "percent" and printed.ours is not None and "%" not in printed.text
            text = f"{number(printed.ours, one.form)} ({printed.text})" if share else printed.text
            st.caption(f"Published: {escape(text)}", help=escape(printed.said))
