"""Page runs as reported to the log and the meters; Streamlit's own log is merged into ours."""

from __future__ import annotations

import contextlib
import functools
import logging
import time
from collections.abc import Callable
from typing import Any, cast

import streamlit as st
from streamlit import logger as streamlit_logger
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import script_runner
from streamlit.runtime.stats import (
    ACTIVE_SESSIONS_FAMILY,
    SESSION_EVENTS_FAMILY,
    CounterStat,
    GaugeStat,
)

from medlens.config.setting_values import parse_host_and_port
from medlens.config.settings import Settings
from medlens.store import Store
from medlens.telemetry import logs, prometheus_metrics
from medlens.telemetry.prometheus_metrics import Meters, Sessions

SLOW_SECONDS = 1.0
"""A slower run is logged at ``info``."""

_RATER = "medlens_rater"


def begin_telemetry(settings: Settings) -> Callable[[], None]:
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
    end = prometheus_metrics.serve_metrics(
        *parse_host_and_port(settings.metrics.address),
        counted.registry,
        names=settings.serve.public_hosts,
    )
    prometheus_metrics.set_metrics(counted)
    Store.around_saves = prometheus_metrics.time_save
    return end


def set_run_rater(rater: str) -> None:
    """Attribute what this run and its session's fragments log to this rater."""
    logs.set_log_rater(rater)
    st.session_state[_RATER] = rater


def record_exception(error: Exception) -> None:
    """Record an unexpected exception in a page; Streamlit logs it and tells the person."""
    prometheus_metrics.count_failure(error)


def _sessions() -> Sessions:
    if not exists():
        return Sessions(0, 0)
    told = get_instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY, SESSION_EVENTS_FAMILY])
    [connected] = [one.value for one in told[ACTIVE_SESSIONS_FAMILY] if isinstance(one, GaugeStat)]
    [opened] = [
        one.value
        for one in told[SESSION_EVENTS_FAMILY]
        if isinstance(one, CounterStat) and (one.labels or {}).get("type") == "connect"
    ]
    return Sessions(int(connected), int(opened))


def _join_logs() -> None:
    """Remove the handlers of Streamlit's and uvicorn's loggers, which write everything."""

    def join(logger: logging.Logger) -> None:
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
        logger.propagate = True

    for logger in streamlit_logger._loggers.values():
        join(logger)
    streamlit_logger.setup_formatter = join


def _time_runs() -> None:
    """Record every script run when it ends; Streamlit has no hook for that."""
    original = script_runner.ScriptRunner._run_script
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def run(self: Any, rerun_data: Any) -> None:
        with logs.log_request(_rater_of(self)):
            begun = time.perf_counter()
            try:
                original(self, rerun_data)
            finally:
                part = "fragment" if rerun_data.fragment_id_queue else "page"
                seconds = time.perf_counter() - begun
                prometheus_metrics.count_rerun(part, seconds)
                level = logging.INFO if seconds > SLOW_SECONDS else logging.DEBUG
                logs.log_event("rerun", level=level, part=part, seconds=seconds)

    cast(Any, script_runner.ScriptRunner)._run_script = run


def _rater_of(runner: Any) -> str:
    with contextlib.suppress(KeyError, AttributeError):
        return str(runner._session_state[_RATER])
    return ""
