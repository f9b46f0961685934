"""Damaged files of every kind that can be imported: what ``make fuzz`` does, as a suite."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from medlens.studies.registry import IMPORTS
from tests.attack.counts import Counts, Size, main

REPO = Path(__file__).resolve().parents[2]


def run(seed: int, size: Size) -> Counts:
    """2,000 files of each kind, 40 in the short form."""
    each = 2000 if size == "full" else 100
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "auto", "tests/fuzz"],
        cwd=REPO,
        env={**os.environ, "FUZZ": str(each), "SEED": str(seed)},
        capture_output=True,
        text=True,
        check=False,
    )
    counts = Counts()
    counts.tried["damaged files"] = each * len(IMPORTS)
    if done.returncode:
        failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
        counts.found = failed or [(done.stdout + done.stderr)[-500:]]
    return counts


if __name__ == "__main__":
    raise SystemExit(main("files", run))
