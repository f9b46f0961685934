"""kill -9 under load, again and again, without a clean stop: nothing acknowledged may be lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.attack.counts import Counts, Size, main
from tests.bench.kills import kill_again_and_again
from tests.bench.rows import Options


def run(seed: int, size: Size) -> Counts:
    """50 kills under 20 sessions (1 under 4 in the tests)."""
    counts = Counts()
    with tempfile.TemporaryDirectory(prefix="medlens-attack-") as folder:
        options = Options(folder=Path(folder), seed=seed)
        full = size == "full"
        tally = kill_again_and_again(options, 50 if full else 1, people=20 if full else 4)
    counts.tried["kill -9 under load"] = tally.kills
    counts.tried["acknowledged save, looked for after it"] = tally.saves
    counts.found = list(tally.faults)
    return counts


if __name__ == "__main__":
    raise SystemExit(main("kills", run))
