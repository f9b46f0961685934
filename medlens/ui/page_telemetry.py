"""Page runs as reported to the log and the meters; Streamlit's own log is merged into ours."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from medlens.config.host_and_address_values import parse_host_and_port
from medlens.config.settings import Settings
from medlens.store import Store
from medlens.telemetry import logs, prometheus_metrics
from medlens.telemetry.prometheus_metrics import Meters, Sessions
from medlens.ui import streamlit_internals

SLOW_SECONDS = 1.0
"""A slower run is logged at ``info``."""

_RATER = "medlens_rater"


def begin_telemetry_and_return_end(settings: Settings) -> Callable[[], None]:
    """Log as the settings say, and count if they ask for it; returns what stops the counting.

    Raises:
        MedLensError: the metrics cannot be served at the address in the settings.
    """
    logs.set_up_logging(level=settings.log.level, as_json=settings.log.format == "json")
    _join_logs()
    _time_runs()
    if not settings.metrics.address:
        return lambda: None
    counted = Meters(_sessions)
    end = prometheus_metrics.start_metrics_server_and_return_stopper(
        *parse_host_and_port(settings.metrics.address),
        counted.registry,
        names=settings.serve.public_hosts,
    )
    prometheus_metrics.set_metrics(counted)
    Store.around_saves = prometheus_metrics.context_that_times_saving
    return end


def attribute_run_to_rater(rater: str) -> None:
    """Attribute what this run and its session's fragments log to this rater."""
    logs.set_log_rater(rater)
    st.session_state[_RATER] = rater


def count_page_exception(error: Exception) -> None:
    """Record an unexpected exception in a page; Streamlit logs it and tells the person."""
    prometheus_metrics.count_failure(error)


def _sessions() -> Sessions:
    return Sessions(*streamlit_internals.count_sessions_connected_now_and_ever())


def _join_logs() -> None:
    """Remove the handlers of Streamlit's and uvicorn's loggers, which write everything."""

    def join(logger: logging.Logger) -> None:
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
        logger.propagate = True

    streamlit_internals.set_up_loggers(join)


def _time_runs() -> None:
    """Record every script run when it ends; Streamlit has no hook for that."""

    def run(runner: Any, request: Any, run_script: Callable[[], None]) -> None:
        with logs.tag_logs_with_request(_rater_of(runner)):
            begun = time.perf_counter()
            try:
                run_script()
            finally:
                part = "fragment" if request.fragment_id_queue else "page"
                seconds = time.perf_counter() - begun
                prometheus_metrics.count_rerun(part, seconds)
                level = logging.INFO if seconds > SLOW_SECONDS else logging.DEBUG
                logs.log_event("rerun", level=level, part=part, seconds=seconds)

    streamlit_internals.wrap_every_script_run(run)


def _rater_of(runner: Any) -> str:
    with contextlib.suppress(KeyError, AttributeError):
        return str(streamlit_internals.script_session_state(runner)[_RATER])
    return ""
