"""Short commands on the demo: the processor time of the whole process, all threads.

The yardstick is a process that imports DuckDB and does nothing.
"""

from __future__ import annotations

import contextlib
import os
import resource
import subprocess
import sys

from medlens.app.work_behind_commands import add_demo_studies_and_return_report_text
from medlens.store import open_store
from tests.bench.rows import Options, Row
from tests.bench.serving import REPO

_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
_VERSION_BAR, _BAR = 120, 450


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    path = options.folder / "commands.duckdb"
    with contextlib.closing(open_store(path)) as store:
        add_demo_studies_and_return_report_text(store)
    copy, table = (str(options.folder / name) for name in ("copy.duckdb", "table.csv"))
    at = ["--store", str(path)]
    commands = {
        "--version": (["--version"], _VERSION_BAR),
        "--help": (["--help"], _VERSION_BAR),
        "check": ([*at, "check"], _BAR),
        "backup": ([*at, "backup", "--force", copy], _BAR),
        "export remarks": ([*at, "export", "remarks", "--force", "-o", table], _BAR),
        "export judgments": ([*at, "export", "judgments", "--force", "-o", table], _BAR),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    base: list[float] = []
    # In turns, so that whatever else the machine does hits all alike; the first writes bytecode.
    for turn in range(1 + options.pick(7, 2)):
        found = {
            name: cpu_of_process("-m", "medlens", *words) for name, (words, _) in commands.items()
        }
        yardstick = cpu_of_process("-c", "import duckdb")
        if turn:
            base.append(yardstick)
            for name, spent in found.items():
                times[name].append(spent)
    return [
        Row(f"CPU of medlens {name} on the demo", times[name], "median", bar, baseline=base)
        for name, (_, bar) in commands.items()
    ]


def cpu_of_process(*words: str) -> float:
    """Milliseconds of processor time of a Python that does this.

    Raises:
        RuntimeError: it failed.
    """
    before = _spent_by_children()
    environ = {name: value for name, value in os.environ.items() if name != _NO_BYTECODE}
    done = subprocess.run(
        [sys.executable, *words], cwd=REPO, env=environ, capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {done.stderr[-2000:]}")
    return 1000 * (_spent_by_children() - before)


def _spent_by_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
