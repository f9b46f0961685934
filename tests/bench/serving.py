"""Servers to measure: MedLens itself, or another script behind the same guard."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
_SERVE_SCRIPT = (
    "import sys; from pathlib import Path; "
    "from medlens.config.settings import load_settings; from medlens.ui.server import "
    "serve_streamlit; "
    "serve_streamlit(load_settings(), script=Path(sys.argv[1]))"
)
# The yardstick: a Streamlit app of one line, with a button and something that changes.
ONE_LINE = 'import time, streamlit as st; st.button("Press"); st.text(time.perf_counter_ns())\n'
# Nobody runs out of items, whatever the number of sessions.
_SETTINGS = """
[serve]
port = {port}
[tagging]
raters_per_item = {raters_per_item}
items_per_rater = {items_per_rater}
gold_share = 0.0
"""


def python(*words: str) -> subprocess.Popen[bytes]:
    """A Python process from the project's folder whose output can be read."""
    return subprocess.Popen(
        [sys.executable, *words],
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        stdout=subprocess.PIPE,
    )


class ServerFailed(Exception):
    """The server did not start; the message ends with its log."""


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Server:
    """One server process. Use it in a ``with``: it is killed at the end.

    ``script`` is served in MedLens's place, in the same way. Its settings (those of every
    benchmark, and ``more``), log and home are in ``folder``.
    """

    folder: Path
    store: Path | None = None
    script: Path | None = None
    raters_per_item: int = 100
    items_per_rater: int = 1000
    more: str = ""
    port: int = field(default_factory=_free_port)
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def launch(self) -> None:
        """Start the process and do not wait for it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        config = self.folder / "medlens.toml"
        config.write_text(
            _SETTINGS.format(
                port=self.port,
                raters_per_item=self.raters_per_item,
                items_per_rater=self.items_per_rater,
            )
            + self.more
        )
        env = {
            **os.environ,
            "PYTHONPATH": str(REPO),
            "HOME": str(self.folder),
            "MEDLENS_STORE": str(self.store or self.folder / "empty.duckdb"),
            "MEDLENS_CONFIG": str(config),
        }
        self.process = self._begin(env, self.folder / "log.txt")

    def _begin(self, env: dict[str, str], log: Path) -> subprocess.Popen[bytes]:
        how = ["-m", "medlens", "serve"]
        if self.script:
            how = ["-c", _SERVE_SCRIPT, str(self.script)]
        with log.open("ab") as out:
            return subprocess.Popen(
                [sys.executable, *how],
                env=env,
                cwd=REPO,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def start(self, *, timeout: float = 60) -> None:
        """Start it and wait until it answers.

        Raises:
            ServerFailed: it ended, or did not answer in time.
        """
        self.launch()
        until = time.monotonic() + timeout
        while time.monotonic() < until and self.alive:
            if self._answers():
                return
            time.sleep(0.05)
        self.kill()
        raise ServerFailed(f"The server did not start:\n{self.log()[-3000:]}")

    @property
    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=2) as response:
                return bool(response.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    def log(self) -> str:
        return (self.folder / "log.txt").read_text(errors="replace")

    def cpu_ms(self) -> float:
        """The processor time that the process has used, all of its threads, in ms."""
        assert self.process is not None
        # Linux's clock of another process (clock_getcpuclockid): exact, and counts threads that
        # have ended, which Streamlit's do after every run.
        return time.clock_gettime((~self.process.pid << 3) | 2) * 1000

    def stop(self, *, timeout: float = 20) -> int:
        """Ask it to end; returns its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)

    def kill(self) -> None:
        """kill -9; harmless when it is gone."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
