"""Work on a store in a process that is killed at one of its steps, without a clock: a step is a
call of a function, and how many there are is counted first.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import ANY

_CHILD = """
import contextlib, os, signal, sys
from medlens.store import open_store
from {module} import {work}
path, last = sys.argv[1], int(sys.argv[2])
calls = 0
def count(frame, event, arg):
    global calls
    if event in ("call", "c_call"):
        calls += 1
        if calls == last:
            os.kill(os.getpid(), signal.SIGKILL)
store = open_store(path)
sys.setprofile(count)
{work}(store)
sys.setprofile(None)
print(calls)
store.close()
"""


def _run(path: Path, work: Callable[..., object], last: int) -> subprocess.CompletedProcess[str]:
    code = _CHILD.format(module=work.__module__, work=work.__name__)
    command = [sys.executable, "-c", code, str(path), str(last)]
    # The order of sets decides how many steps there are.
    env = os.environ | {"PYTHONHASHSEED": "0"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


def stores_after_kills(
    laid: Path,
    work: Callable[..., object],
    *,
    kills: int = 5,
    seed: int = 0,
    steady: bool = True,
) -> Iterator[Path]:
    """Copies of a store in which ``work`` was killed, each at another random step of all. Work
    that waits for another process is not ``steady``: it takes now more steps, now fewer.
    """
    whole = laid.with_name("whole.duckdb")
    shutil.copy(laid, whole)
    done = _run(whole, work, 0)
    assert done.returncode == 0, done.stderr
    steps = int(done.stdout)
    for number, last in enumerate(sorted(random.Random(seed).sample(range(1, steps), kills))):
        path = laid.with_name(f"killed{number}.duckdb")
        shutil.copy(laid, path)
        # What waits for a file or a lock takes a few steps more or fewer: the last may not come.
        sure = steady and last < 0.98 * steps
        assert _run(path, work, last).returncode == (-9 if sure else ANY), last
        yield path
