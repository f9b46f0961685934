"""One piece of work in a process of its own: ``python -m tests.bench.timed WORK FILE [STORE]``.

Prints ``{"wall", "cpu", "rows", "peak_mb"}`` as JSON: seconds of the work alone, without starting
Python and importing; the CPU of all threads and of the processes that read for it; the greatest
size of any of them. WORK is ``pandas`` (read the file as pandas does, by
its ending), or a kind of import, which goes into STORE.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from medlens.app import work_behind_commands
from medlens.app.file_intake.reader_processes import readers_of_this_process
from medlens.config.settings import load_settings
from medlens.store import open_store
from tests.bench.material import DATASET


def read_with_pandas(file: Path) -> int:
    """Read a CSV or JSON-lines file as anyone would; returns its rows."""
    if file.suffix == ".csv":
        return len(pd.read_csv(file))
    return len(pd.read_json(file, lines=True))


def import_into(store: Path, kind: str, file: Path) -> int:
    """Import the file as ``python -m medlens import`` does, into a new store; returns the items."""
    # As the command opens it.
    opened = open_store(store, briefly=not kind.startswith("ebmqa-"))
    try:
        done = work_behind_commands.import_file(
            opened, load_settings(), kind, file, name=file.name, dataset=DATASET
        )
    finally:
        # Closing writes what is still in the log: it is part of the work.
        opened.close()
    return done.added


def timed(work: Callable[[], int]) -> dict[str, float]:
    """What ``work`` cost, in seconds, and the process's greatest size; ``readers_cpu`` is what of
    ``cpu`` the processes took that read files.
    """
    wall, cpu = time.perf_counter(), time.process_time()
    rows = work()
    took, spent = time.perf_counter() - wall, time.process_time() - cpu
    # What a process spent that has ended and was waited for is known; until then it is not.
    readers_of_this_process().close()
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    own, read = (resource.getrusage(kind) for kind in kinds)
    readers = read.ru_utime + read.ru_stime
    return {
        "wall": took,
        "cpu": spent + readers,
        "readers_cpu": readers,
        "rows": rows,
        "peak_mb": max(own.ru_maxrss, read.ru_maxrss) / 1024,
    }


if __name__ == "__main__":
    what, path = sys.argv[1], Path(sys.argv[2])
    if what == "pandas":
        print(json.dumps(timed(lambda: read_with_pandas(path))))
    else:
        print(json.dumps(timed(lambda: import_into(Path(sys.argv[3]), what, path))))
