"""Faults of the machine: a full disk, a store that cannot be written, dead endpoints, odd clocks.

What was acknowledged stays, and what failed is said in words.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from medlens import llm
from medlens.config.settings import Model
from medlens.errors import MedLensError
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, ids_times_and_json, new_id, open_store
from tests.attack.counts import Counts, Size, main
from tests.llm_server import LLMServer, Reply
from tests.store.made_up import TASK, person, poems

REPO = Path(__file__).resolve().parents[2]
_HAND_OUT = HandOut(raters_per_item=2, items_per_rater=50, gold_share=0)
_SPENT = llm.RetryPolicy(attempts=2, base=0.01, cap=0.02)

# Runs apart: a limit on the size of files is the process's. A line for each says what was
# acknowledged.
_FILL = """
import json, os, resource, sys
from pathlib import Path
from medlens.app.store_zip_writing_and_reading import write_store_zip_and_return_report_text
from medlens.config.settings import Settings
from medlens.errors import MedLensError
from medlens.store import output_file, open_store, new_id
from medlens.tables import write_table

def fill(path, room, work):
    store = open_store(path)
    size = max(one.stat().st_size for one in Path(path).parent.glob("*.duckdb*"))
    limit = room if work != "append" else size + room
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    saved, words = [], ""
    try:
        if work == "backup":
            store.backup(Path(path).with_name("copy.duckdb"))
        elif work == "export":
            table = store.read("select repeat('a word ', 100) as text from range(10000)")
            with output_file.temporary_path_that_becomes_new_file(
                Path(path).with_name("table.csv")
            ) as part:
                write_table(table, part, format="csv")
        elif work == "everything":
            with output_file.temporary_path_that_becomes_new_file(
                Path(path).with_name("all.zip")
            ) as part:
                write_store_zip_and_return_report_text(store, Settings(), part)
        else:
            for at in range(5000):
                id = new_id()
                store.append("job", {"id": id, "command": "x" * 2000})
                saved.append(id)
    except MedLensError as error:
        words = str(error)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    # To close it would write out what the full disk refused.
    living.append(store)
    return {"saved": saved, "words": words}

living = []
for one in json.loads(sys.argv[1]):
    print(json.dumps(fill(*one)))
sys.stdout.flush()
os._exit(0)
"""


def _full_disks(counts: Counts, draw: random.Random) -> None:
    """Every kind of work on a disk of its own, which is full in the middle of it."""
    with tempfile.TemporaryDirectory(prefix="medlens-attack-") as folder:
        asked = []
        for work in ("append", "export", "everything", "backup"):
            path = Path(folder) / work / "s.duckdb"
            path.parent.mkdir()
            with contextlib.closing(open_store(path)) as store:
                poems(store, 20)
            # Block by block: the limit strikes in the middle of one.
            least, most = (100, 2_000) if work == "everything" else (10_000, 400_000)
            asked.append((str(path), draw.randrange(least, most), work))
        done = subprocess.run(
            [sys.executable, "-c", _FILL, json.dumps(asked)],
            cwd=REPO,
            env={**os.environ, "PYTHONPATH": str(REPO)},
            capture_output=True,
            text=True,
            timeout=240,
        )
        said = [json.loads(line) for line in done.stdout.splitlines()]
        for at, (path, room, work) in enumerate(asked):
            problem = (
                _after(Path(path), room, work, said[at])
                if at < len(said)
                else f"{work} ended with {done.returncode}: {done.stderr.strip()[-300:]}"
            )
            counts.note(f"a full disk: {work}", problem)
        counts.note(
            "a full disk: the log", "a traceback was printed" if "Traceback" in done.stderr else ""
        )


def _after(path: Path, room: int, work: str, told: dict[str, Any]) -> str:
    if not told["words"]:
        return f"{work} said nothing of a disk with {room:,} bytes left"
    left = [one.name for one in path.parent.iterdir() if not one.name.startswith("s.duckdb")]
    if left:
        return f"{work} left half a file behind: {left}"
    with contextlib.closing(open_store(path)) as store:
        there = {id for (id,) in store.rows("select id from job")}
        lost = set(told["saved"]) - there
        return f"{len(lost)} acknowledged rows were lost" if lost else ""


def _unwritable(draw: random.Random) -> str:
    """A store that this user may only read: every command says so, and none of them breaks."""
    verb = draw.choice([["check"], ["export", "items"], ["demo"], ["backup", "copy.duckdb"]])
    with tempfile.TemporaryDirectory(prefix="medlens-attack-") as folder:
        path = Path(folder) / "s.duckdb"
        with contextlib.closing(open_store(path)) as store:
            poems(store, 3)
        before = path.read_bytes()
        path.chmod(0o444)
        Path(folder).chmod(0o555)
        # Who may do everything is stopped by nothing: root has to do without that right.
        without = "-dac_override,-dac_read_search"
        as_anyone = ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}"]
        try:
            done = subprocess.run(
                [
                    *(as_anyone if os.geteuid() == 0 else []),
                    sys.executable,
                    "-m",
                    "medlens",
                    "--store",
                    str(path),
                    *verb,
                ],
                cwd=REPO,
                env={**os.environ, "PYTHONPATH": str(REPO), "HOME": folder},
                capture_output=True,
                text=True,
                timeout=120,
            )
        finally:
            Path(folder).chmod(0o755)
        if "Traceback" in done.stderr:
            return f"{verb[0]} broke: {done.stderr.strip()[-300:]}"
        if done.returncode == 0:
            return f"{verb[0]} says that it did something"
        return "" if path.read_bytes() == before else f"{verb[0]} changed the file"


_DEAD = {
    "closes without a word": Reply(cut="before"),
    "closes in mid-sentence": Reply(cut="body"),
    "sends half of its JSON": Reply(cut="json"),
    "is out of order": Reply(status=500),
    "is overloaded": Reply(status=503),
    "lets nobody in": Reply(status=401),
    "sends what is no JSON": Reply(body=b"\xff\xfe<html>"),
    "sends a list": Reply(body=b"[1, 2]"),
    "sends JSON without an end": Reply(body=b"[" * 100_000),
}


def _dead_endpoint(kind: str, store: Store) -> str:
    with LLMServer() as server:
        reply = _DEAD.get(kind)
        for _ in range(4):
            if reply is not None:
                server.push(reply)
        base = server.url if reply is not None else "http://127.0.0.1:9/v1"
        model = Model.model_validate({"base_url": base, "model": "demo", "timeout": 5.0})
        said: list[llm.Answer] = []

        async def work(ask: llm.Ask) -> llm.Result:
            said.append(await ask("demo", [llm.make_user_message(f"What? {kind}")]))
            return llm.Result(said[0].outcome)

        run = llm.open_or_resume_run_and_return_id(
            store, study="t", kind="k", config={"c": kind}, made_by="attack"
        )
        llm.run_unfinished_jobs_of_run(
            store,
            [llm.Job(kind, work)],
            run=run,
            models={"demo": model},
            retries=_SPENT,
            environ={},
        )
    if not said or said[0].outcome != "error":
        return f"an endpoint that {kind} was taken for an answer: {said[0].outcome if said else ''}"
    if store.rows("select 1 from completion"):
        return f"what an endpoint that {kind} sent was stored as an answer"
    return ""


@contextlib.contextmanager
def _clock(moments: Iterator[datetime]) -> Iterator[None]:
    """Every look at the clock finds another time."""
    fake: Any = SimpleNamespace(now=lambda zone: next(moments))
    stamps: Any = SimpleNamespace(time_ns=lambda: int(next(moments).timestamp() * 1e9))
    with (
        mock.patch.object(ids_times_and_json, "datetime", fake),
        mock.patch.object(ids_times_and_json, "time", stamps),
    ):
        yield


def _jumping_clock(draw: random.Random) -> str:
    """Two people work while the clock jumps by years: what they wrote last stands."""

    def moments() -> Iterator[datetime]:
        while True:
            yield datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=draw.uniform(-9000, 9000))

    with tempfile.TemporaryDirectory(prefix="medlens-attack-") as folder:
        path = Path(folder) / "s.duckdb"
        written: dict[tuple[str, str], int] = {}
        with contextlib.closing(open_store(path)) as store, _clock(moments()):
            poems(store, 4)
            people = [person(store, name) for name in ("Anna", "Ben")]
            for _ in range(12):
                rater = draw.choice(people).id
                try:
                    item = assignment.give_next_item_and_return_id(
                        store, TASK, _HAND_OUT, dataset="poems", rater=rater
                    )
                    if item is None:
                        break
                    for _ in range(3):
                        score = draw.randrange(2, 6)
                        base = judging.load_draft_or_current_judgment(
                            store, TASK, item=item, rater=rater
                        ).revision
                        judging.save_draft(
                            store,
                            TASK,
                            item=item,
                            rater=rater,
                            base=base,
                            token=new_id(),
                            body={"score": score},
                        )
                        judging.submit_judgment(
                            store,
                            TASK,
                            item=item,
                            rater=rater,
                            token=new_id(),
                            body={"score": score},
                        )
                        written[item, rater] = score
                except MedLensError as error:
                    return f"a clock that jumps ended work: {error}"
        with contextlib.closing(open_store(path)) as store:
            for (item, rater), score in written.items():
                stands = store.rows(
                    "select body from judgment where item = $item and rater = $rater"
                    " order by revision desc limit 1",
                    item=item,
                    rater=rater,
                )
                if json.loads(stands[0][0])["score"] != score:
                    return "what was written last does not stand"
            many = store.rows(
                "select item from judgment group by item having count(distinct rater) > 2"
            )
            return "an item went to more people than it should" if many else ""


def run(seed: int, size: Size) -> Counts:
    """Each fault, again and again with other details."""
    counts, draw = Counts(), random.Random(seed)
    times = 10 if size == "full" else 1
    for _ in range(times):
        _full_disks(counts, draw)
        if os.geteuid() != 0 or shutil.which("setpriv"):
            counts.note("a store that cannot be written", _unwritable(draw))
        counts.note("a clock that jumps", _jumping_clock(draw))
        with (
            tempfile.TemporaryDirectory(prefix="medlens-attack-") as folder,
            contextlib.closing(open_store(Path(folder) / "s.duckdb")) as store,
        ):
            kinds = ["is not there", *_DEAD]
            for kind in kinds if size == "full" else draw.sample(kinds, 3):
                counts.note(f"an endpoint that {kind}", _dead_endpoint(kind, store))
    return counts


if __name__ == "__main__":
    raise SystemExit(main("faults", run))
