"""kill -9 of a run at random moments: no call that was stored is made again, no outcome is lost."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from medlens.store import Store, open_store
from medlens.studies.agentclinic import queries
from tests.bench.clinic_world import DATASET, answer
from tests.bench.rows import Options, Row
from tests.bench.serving import python
from tests.llm_server import LLMServer, Reply

_LATENCY = 0.03
_CONCURRENCY = 4
_MESSAGES = 4
_PATIENCE = 120.0


@dataclass
class Tally:
    """What the kills left behind. ``repeated`` are calls made again by kill."""

    kills: int = 0
    calls: int = 0
    repeated: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Kept:
    """What a store held when it was looked into: requests as asked, and how visits ended."""

    asked: frozenset[str]
    outcomes: dict[str, str]
    runs: int


def look(path: Path) -> Kept:
    """What the store at ``path`` holds."""
    store = open_store(path)
    try:
        return _look(store)
    finally:
        store.close()


def _look(store: Store) -> Kept:
    asked = {
        json.dumps(json.loads(told)) for (told,) in store.rows("select messages from completion")
    }
    index = queries.dialogue_index_table(store, DATASET)
    [(runs,)] = store.rows("select count(*) from run")
    outcomes = dict(zip(index["dialogue"], index["outcome"], strict=True))
    return Kept(frozenset(asked), outcomes, int(runs))


def kill_again_and_again(options: Options, *, kills: int, visits: int) -> Tally:
    """Play ``visits`` visits, killed ``kills`` times on the way and resumed each time."""
    path, draw, tally = options.folder / "runs.duckdb", random.Random(options.seed), Tally()
    before = Kept(frozenset(), {}, 0)
    with LLMServer(latency=_LATENCY) as server:
        server.answer = lambda body: Reply(answer(body))
        while True:
            server.seen.clear()
            process = python(
                "-m",
                "tests.bench.clinic_world",
                "play",
                str(path),
                server.url,
                str(visits),
                str(_MESSAGES),
                str(_CONCURRENCY),
            )
            killed = tally.kills < kills and _kill(process, server, draw.uniform(0, 1.5))
            process.communicate()
            asked = Counter(json.dumps(one.body["messages"]) for one in server.chats)
            tally.calls += asked.total()
            after = look(path)
            tally.repeated.append(float(sum(n for one, n in asked.items() if one in before.asked)))
            lost = before.outcomes.items() - after.outcomes.items()
            tally.faults += [f"{name} had ended as {how} and has not now" for name, how in lost]
            if after.runs != 1:
                tally.faults.append(f"there are {after.runs} runs of one experiment")
            before = after
            if not killed:
                break
            tally.kills += 1
    if tally.kills < kills:
        tally.faults.append(f"all was done after {tally.kills} kills: there was too little to do")
    if len(before.outcomes) != visits:
        tally.faults.append(f"{visits - len(before.outcomes)} visits never ended")
    return tally


def _kill(process: subprocess.Popen[bytes], server: LLMServer, moment: float) -> bool:
    """Kill it ``moment`` seconds after its first call; False where it ended before that."""
    until = time.monotonic() + _PATIENCE
    while not server.chats and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(moment)
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    return True


def run(options: Options) -> list[Row]:
    """The row of this benchmark."""
    kills = options.pick(10, 3)
    tally = kill_again_and_again(options, kills=kills, visits=options.pick(120, 40))
    return [
        Row(
            f"stored calls made again in {tally.kills} × kill -9 and resume",
            tally.repeated,
            "p95",
            0,
            unit="calls",
            faults=tuple(tally.faults),
            note=f"{tally.calls:,} calls reached the endpoint; every visit ended once",
        )
    ]
