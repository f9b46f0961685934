"""What tests cost is told with all processes that they started, and a failure stays one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def timed(code: str) -> subprocess.CompletedProcess[str]:
    """Python code, run as ``tests.timed`` runs pytest."""
    # On a busy machine half a second of work can take many.
    call = (
        "import sys; from tests.timed import run; "
        f"sys.exit(run([sys.executable, '-c', {code!r}], patience=120))"
    )
    return subprocess.run([sys.executable, "-c", call], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "code, expected",
    [
        ("pass", 0),
        ("raise SystemExit(1)", 1),
        ("raise SystemExit(5)", 5),
        ("import os; os.kill(os.getpid(), 9)", 137),
    ],
)
def test_the_exit_code_is_that_of_the_tests(code: str, expected: int) -> None:
    assert timed(code).returncode == expected


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands on what is left behind")
def test_the_work_of_a_process_whose_parent_was_killed_is_counted() -> None:
    # A child of a child, which works on after its parent is gone.
    busy = "import time\nwhile time.process_time() < 0.5: pass"
    parent = (
        "import os, subprocess, sys\n"
        f"subprocess.Popen([sys.executable, '-c', {busy!r}])\n"
        "os.kill(os.getpid(), 9)"
    )
    first = f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {parent!r}])"
    told = timed(first).stdout
    found = re.search(r": ([\d.]+) s", told)
    assert found, told
    assert float(found[1]) >= 0.5
