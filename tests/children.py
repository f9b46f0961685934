"""Python processes that tests start, and mostly kill, forked from one that has imported MedLens.

Only imports are shared (``tests/browser/forked.py``). What a start imports, or does with its
standard error, is tested with real starts.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import sys
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import IO
from unittest import mock

from tests.browser.forked import ready

REPO = Path(__file__).resolve().parents[1]
_context = multiprocessing.get_context("forkserver")


class Child:
    """``python -c CODE ARGUMENTS`` in the folder of the project, or with ``module`` ``python -m``,
    as a ``subprocess.Popen`` with ``stdin`` and ``stdout`` of text."""

    def __init__(self, code: str, *arguments: str, module: bool = False) -> None:
        ready(Path(os.devnull), REPO)
        # Each end is passed on to the child and closed here, so that a killed one is noticed.
        theirs_in, ours_in = _context.Pipe(duplex=False)
        ours_out, theirs_out = _context.Pipe(duplex=False)
        given = (code, arguments, module, dict(os.environ), theirs_in, theirs_out)
        self._process = _context.Process(target=_run, args=given)
        # A test runner may have left its script as the main module, which would run in the child.
        with mock.patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):
            self._process.start()
        self.stdin: IO[str] = os.fdopen(os.dup(ours_in.fileno()), "w")
        self.stdout: IO[str] = os.fdopen(os.dup(ours_out.fileno()))
        for end in (theirs_in, ours_in, theirs_out, ours_out):
            end.close()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        assert self._process.exitcode is not None, f"still running after {timeout} s"
        return self._process.exitcode

    @property
    def returncode(self) -> int | None:
        return self.poll()

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, said: str = "", timeout: float | None = None) -> tuple[str, None]:
        """Say something; what it says from here on to its end."""
        with self.stdin:
            self.stdin.write(said)
        with self.stdout:
            answer = self.stdout.read()
        self.wait(timeout)
        return answer, None


def _run(
    code: str,
    arguments: tuple[str, ...],
    module: bool,
    env: dict[str, str],
    given: Connection,
    said: Connection,
) -> None:
    os.environ.clear()
    os.environ.update(env)
    os.chdir(REPO)
    # Else it is where the process that forks has it.
    tempfile.tempdir = None
    for stream, end in ((0, given), (1, said)):
        os.dup2(end.fileno(), stream)
        end.close()
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.argv = [code if module else "-c", *arguments]
    if module:
        runpy.run_module(code, run_name="__main__")
    else:
        exec(compile(code, "<child>", "exec"), {"__name__": "__main__"})
    sys.stdout.flush()
