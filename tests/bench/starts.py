"""200 kills without a clean stop: how long the next start takes, and what is missing after."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import Server, python

_BAR = 3_000
_WRITERS = 4
_LONGEST = 0.3


def _live(path: str, out: int) -> None:
    """One life: open the store, tell how long that took, then save until killed, telling each."""
    from medlens.store import new_id, open_store

    begun = time.perf_counter()
    store = open_store(path)
    os.write(out, f"opened {1000 * (time.perf_counter() - begun)}\n".encode())

    def save() -> None:
        while True:
            token = new_id()
            store.append("job", {"id": token, "command": "bench"})
            os.write(out, f"saved {token}\n".encode())

    for _ in range(_WRITERS):
        threading.Thread(target=save).start()


def lives(path: str, kills: int, seed: int) -> None:
    """Fork a life, let it save for a moment, kill it; again and again. For a process of its own:
    one that has opened no store cannot leave half of one to what it forks."""
    import medlens.store  # noqa: F401  imported once, before the first fork

    draw = random.Random(seed)
    for _ in range(kills):
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            _live(path, write)
            threading.Event().wait()
        os.close(write)
        with os.fdopen(read, "rb") as told:
            print(told.readline().decode().strip())
            first = told.readline()
            threading.Timer(draw.uniform(0, _LONGEST), os.kill, (child, signal.SIGKILL)).start()
            for line in (first, *told):
                print(line.decode().strip())
        os.waitpid(child, 0)


def kill_and_open(path: Path, kills: int, seed: int) -> tuple[list[float], set[str]]:
    """The ms that each start took, and the ids that were said to be saved."""
    words = ("-c", "import sys; from tests.bench import starts; starts.main()")
    done = python(*words, str(path), str(kills), str(seed))
    said = done.communicate()[0].decode().splitlines()
    opened = [float(line.split()[1]) for line in said if line.startswith("opened ")]
    return opened, {line.split()[1] for line in said if line.startswith("saved ")}


def main() -> None:
    """``python -c …``: the process that forks."""
    lives(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    from medlens.store import open_store

    kills = options.pick(200, 20)
    path = options.folder / "starts.duckdb"
    make_store(path, people=3)
    opened, saved = kill_and_open(path, kills, options.seed)
    begun = time.perf_counter()
    with Server(options.folder / "server", path) as server:
        served = 1000 * (time.perf_counter() - begun)
        server.stop()
    store = open_store(path)
    there = [i for (i,) in store.rows("select id from job")]
    [(top, rows)] = store.rows("select max(seq), count(*) from job")
    store.close()
    faults = []
    if len(opened) != kills:
        faults.append(f"only {len(opened)} of {kills} starts")
    if lost := saved - set(there):
        faults.append(f"{len(lost)} acknowledged saves are missing")
    if len(there) != len(set(there)):
        faults.append("a save is there twice")
    note = f"{len(saved):,} acknowledged saves; {rows:,} rows numbered up to {top:,}"
    return [
        Row(
            f"the store opens, each of {kills} times after kill -9 under load",
            opened,
            "p95",
            _BAR,
            note=f"longest {max(opened, default=0):,.0f} ms; {note}",
            faults=tuple(faults),
        ),
        Row(f"the server answers after {kills} kills", [served], "median", _BAR),
    ]
