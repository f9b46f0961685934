"""``python -m tests.timed ARGUMENTS``: pytest, and the processor time of all that it started.

What a process knows of its children leaves out those of a child that was killed, such as
Chromium's, and those that outlive it. Here all of them are waited for, so that all are counted.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
_LEFT_BEHIND_SECONDS = 3.0


def run(command: list[str], *, patience: float = _LEFT_BEHIND_SECONDS) -> int:
    """Run a command, wait for it and, at most ``patience`` seconds, for what it leaves behind,
    print their processor time in seconds, and return the command's exit code as a shell would.
    """
    if sys.platform == "linux":
        # What its parent leaves behind becomes a child of this process.
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    process = subprocess.Popen(command)
    # Ctrl-C reaches pytest as well, which ends in its own way and is waited for.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(process.pid, number))
    ended, status = os.wait()
    while ended != process.pid:
        ended, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    _wait_for_those_left_behind(patience)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        f"Processor time of all processes: {spent.ru_utime + spent.ru_stime:.1f} s "
        f"({spent.ru_utime:.1f} s user, {spent.ru_stime:.1f} s system)",
        flush=True,
    )
    return code if code >= 0 else 128 - code


def _wait_for_those_left_behind(patience: float) -> None:
    until = time.monotonic() + patience
    while time.monotonic() < until:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if not ended:
            time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(run([sys.executable, "-m", "pytest", *sys.argv[1:]]))
