"""An AgentClinic experiment against a server with 200 ms latency: its wall time and its CPU.

The ideal is the calls' latency shared out among 32 at once. A visit's calls come one after the
other, so no run can take less than one visit's chain; with so many visits that never counts.
"""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench.clinic_world import endpoint
from tests.bench.rows import Options, Row
from tests.bench.serving import python

LATENCY = 0.2
CONCURRENCY = 32


def play(store: Path, url: str, *, cases: int, n: int) -> dict[str, float]:
    """Play the cases in a process of its own; what it found."""
    process = python(
        "-m",
        "tests.bench.clinic_world",
        "play",
        str(store),
        url,
        str(cases),
        str(n),
        str(CONCURRENCY),
    )
    said, _ = process.communicate()
    found: dict[str, float] = json.loads(said.splitlines()[-1])
    return found


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    cases, n = options.pick(107, 64), options.pick(20, 6)
    with endpoint(LATENCY) as url:
        found = play(options.folder / "clinic.duckdb", url, cases=cases, n=n)
        again = play(options.folder / "clinic.duckdb", url, cases=cases, n=n)
    calls = found["calls"]
    faults = []
    if found["ended"] != cases:
        faults.append(f"{cases - found['ended']:.0f} of {cases} visits did not end")
    if again["calls"]:
        faults.append(f"{again['calls']:.0f} calls were made again although all were stored")
    ideal = 1000 * calls * LATENCY / CONCURRENCY
    size = f"{cases} cases × {n} messages, {calls:,.0f} calls"
    return [
        Row(
            "wall time of an experiment at concurrency 32",
            [1000 * found["wall"]],
            "ratio",
            1.1,
            baseline=[ideal],
            faults=tuple(faults),
            note=f"{size}; baseline: calls × {1000 * LATENCY:.0f} ms / {CONCURRENCY}",
        ),
        Row("CPU of the driver per completed call", [1000 * found["cpu"] / calls], "median", 5),
    ]
