"""Servers forked from a process that has imported MedLens: importing takes most of a start.

Only imports are shared: each server has its own process, process group and environment.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
from collections.abc import Mapping
from multiprocessing import forkserver
from pathlib import Path
from types import ModuleType
from unittest import mock

from streamlit import config

_READY = (
    "medlens.cli",
    "medlens.ui.page_frame",
    "medlens.ui.server",
    "medlens.ui.agentclinic.page",
    "medlens.ui.data.page",
    "medlens.ui.ebmqa.page",
    "medlens.ui.runs.page",
    "medlens.ui.sourcecheckup.page",
    # Not the page, nor Home and Team: they import a packaged component, which registers with the
    # server it finds.
    "medlens.ui.tagging.response_for_span_desk",
    "streamlit.web.bootstrap",
    "streamlit.web.server.starlette",
    # Otherwise imported only when a server listens, or draws its first page or chart.
    "PIL.Image",
    "anyio._backends._asyncio",
    "plotly.graph_objs.bar",
    "plotly.graph_objs.scatter",
    "plotly.offline",
    "starlette.applications",
    "starlette.middleware.sessions",
    "starlette.staticfiles",
    "streamlit.web.server.starlette.starlette_agent_routes",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
    "tests.browser.preloaded",
)
_context = multiprocessing.get_context("forkserver")


def ready(home: Path, path: Path) -> None:
    """Start the process that servers are forked from, if needed; it reads settings in ``home``."""
    _context.set_forkserver_preload(list(_READY))
    with mock.patch.dict(os.environ, {"HOME": str(home), "PYTHONPATH": str(path)}):
        forkserver.ensure_running()


class Forked:
    """``python -m medlens serve`` with the interface of a ``subprocess.Popen``.

    With ``script``, that is served instead of MedLens, behind the same guard; with ``streamlit``,
    the process is ``python -m streamlit`` with these arguments.
    """

    def __init__(
        self,
        *,
        env: Mapping[str, str],
        cwd: Path,
        log: Path,
        script: Path | None = None,
        streamlit: tuple[str, ...] = (),
    ) -> None:
        self._process = _context.Process(
            target=_serve, args=(script, streamlit, dict(env), cwd, log)
        )
        # Streamlit's test runner leaves its script as the main module, which would run in the
        # child.
        with mock.patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):
            self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"still running after {timeout} s"
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


def _serve(
    script: Path | None, streamlit: tuple[str, ...], env: dict[str, str], cwd: Path, log: Path
) -> None:
    os.setsid()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    said = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(said, 1)
    os.dup2(said, 2)
    # An imported module may have read Streamlit's options from the home of an earlier server.
    config._config_options = None
    if streamlit:
        sys.argv = ["streamlit", *streamlit]
        runpy.run_module("streamlit", run_name="__main__")
    elif script is None:
        sys.argv = ["medlens", "serve"]
        runpy.run_module("medlens", run_name="__main__")
    else:
        from medlens.config.settings import load_settings
        from medlens.ui.server import serve_streamlit

        serve_streamlit(load_settings(), script=script)
