"""SourceCheckup's whole pipeline with local models and pages that take 200 ms each.

Held against the time that the calls alone take at the same concurrency, step after step. Then the
same again, killed on the way: nothing that was kept may be asked or fetched a second time.
"""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from medlens.config.settings import Model, Settings, Web
from medlens.config.shipped_and_home_folders import IMPORTED_FROM
from medlens.store import Store
from medlens.studies.sourcecheckup import queries, records_to_store_rows
from medlens.studies.sourcecheckup.records import Question
from medlens.studies.sourcecheckup.run_whole_pipeline import Roles, run_whole_pipeline
from tests.bench.rows import Options, Row
from tests.llm_server import LLMServer
from tests.sourcecheckup_models import Models, shape_of
from tests.web_server import WebServer, html

LATENCY, AT_ONCE = 0.2, 8
DATASET = "bench"
_FACTS, _PAGES, _PATIENCE = 3, 2, 300


class Menders(Models):
    """Their edits are unlike every statement, so that none has been judged before."""

    def CleanShape(self, body: Any, said: str) -> dict[str, str]:
        made = super().CleanShape(body, said)
        return {**made, "text": made["text"].partition(" of ")[2]}


def run(options: Options) -> list[Row]:
    """Rows of one whole run, and of one that is killed three times."""
    questions = options.pick(100, 12)
    took, ideal, faults = whole(options.folder / "whole.duckdb", questions)
    lost = killed(options.folder / "killed.duckdb", options.pick(30, 8))
    calls = f"{questions} questions, {AT_ONCE} calls and {AT_ONCE} pages at once, 200 ms each"
    return [
        Row(
            "pipeline from questions to cleaned answers, against its calls alone",
            [took],
            "ratio",
            1.15,
            unit="s",
            baseline=[ideal],
            note=calls,
            faults=faults,
        ),
        Row(
            "the same killed three times: calls and pages repeated",
            [float(len(lost))],
            "median",
            0,
            unit="",
            faults=lost[:5],
        ),
    ]


def whole(path: Path, questions: int) -> tuple[float, float, tuple[str, ...]]:
    """Seconds, ideal seconds, and what was asked or fetched other than once."""
    with LLMServer(latency=LATENCY) as server, WebServer(latency=LATENCY) as web:
        server.answer = Menders(_prepare(path, web, questions))
        child = _start(path, server, web)
        out, _ = child.communicate(timeout=_PATIENCE)
        if child.returncode:
            return math.nan, math.nan, (f"it ended with {child.returncode}",)
        told = json.loads(out)
        asked = Counter(shape_of(one.body) for one in server.chats)
        faults = [f"asked {n} times: {digest}" for digest, n in server.answered().items() if n > 1]
        faults += [f"fetched {n} times: {at}" for at, n in web.seen.items() if n != 1]
    pairs = questions * _FACTS * _PAGES
    expected = {
        "AnswerShape": questions,
        "StatementsShape": questions,
        "CleanShape": questions,
        "VerdictShape": pairs + questions,
    }
    if asked != expected or len(web.seen) != questions * _PAGES or not told["complete"]:
        faults.append(f"asked {dict(asked)}, fetched {len(web.seen)}: {told['lines']}")
    # A statement is mended, then checked again: two calls of one job.
    steps = (questions, questions, questions * _PAGES, pairs, 2 * questions)
    ideal = sum(math.ceil(calls / AT_ONCE) * LATENCY for calls in steps)
    return told["seconds"], ideal, tuple(faults)


def killed(path: Path, questions: int) -> tuple[str, ...]:
    """What was kept when the process was killed, and asked or fetched again all the same."""
    kept: set[str] = set()
    fetched: dict[str, int] = {}
    again: list[str] = []
    with LLMServer(latency=LATENCY) as server, WebServer(latency=LATENCY) as web:
        server.answer = Menders(_prepare(path, web, questions))
        for share in (0.1, 0.3, 0.3, 0.0):
            server.seen.clear()
            reach = server.total + web.total + share * questions * _FACTS * (_PAGES + 1)
            child = _start(path, server, web)
            while share and child.poll() is None and server.total + web.total < reach:
                time.sleep(0.005)
            if share:
                time.sleep(0.1)
                child.send_signal(signal.SIGKILL)
            child.communicate(timeout=_PATIENCE)
            again += [one for one in map(_said, (s.body for s in server.chats)) if one in kept]
            again += [at for at, n in fetched.items() if web.seen[urlsplit(at).path] > n]
            store = Store(str(path))
            kept = {
                json.dumps(json.loads(text))
                for (text,) in store.rows("select messages from completion")
            }
            there = queries.newest_snapshots_by_address(store, DATASET)
            fetched = {at: web.seen[urlsplit(at).path] for at in there}
            judged = len(queries.current_verdicts_table(store, DATASET))
            store.close()
    if child.returncode or judged != questions * _FACTS * _PAGES:
        again.append(f"ended with {child.returncode} and {judged} verdicts")
    return tuple(again)


def _said(body: dict[str, object]) -> str:
    return json.dumps(body["messages"])


def _prepare(path: Path, web: WebServer, questions: int) -> dict[str, tuple[list[str], list[str]]]:
    """Questions into a store, and their pages: each holds two of the three facts' sentences."""
    answers = {}
    store = Store(str(path))
    store.append_all_and_count_new_by_table(
        records_to_store_rows.join_rows_by_table(
            records_to_store_rows.question_and_item_rows_by_table(
                Question(name=f"q{n}", question=f"Q{n}?"), dataset=DATASET
            )
            for n in range(questions)
        )
    )
    store.close()
    for n in range(questions):
        facts = [f"Fact {k} of Q{n} is a matter of record." for k in range(1, _FACTS + 1)]
        for page in range(_PAGES):
            filler = f"Page {page} of {n} speaks of other things as well. " * 60
            web.pages[f"/{n}/{page}"] = html(f"Page {n}", " ".join(facts[:2]), filler)
        answers[f"Q{n}?"] = (facts, [web.url(f"/{n}/{page}") for page in range(_PAGES)])
    return answers


def _start(path: Path, server: LLMServer, web: WebServer) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", __name__, str(path), server.url, web.host],
        cwd=IMPORTED_FROM,
        stdout=subprocess.PIPE,
        text=True,
    )


def main(path: str, url: str, host: str) -> None:
    """The process that is timed, or killed."""
    given = {
        "base_url": url,
        "model": "m",
        "input_price": 1.0,
        "output_price": 1.0,
        "concurrency": AT_ONCE,
    }
    settings = Settings(
        models={"a": Model.model_validate(given)},
        web=Web(allow_hosts=(host,), pause=0, robots=False, per_host=AT_ONCE, concurrency=AT_ONCE),
    )
    store = Store(path)
    begun = time.perf_counter()
    roles = Roles(answerers=("a",), parser="a", verifiers=("a",), cleaner="a")
    done = run_whole_pipeline(store, settings, roles=roles, dataset=DATASET)
    seconds = time.perf_counter() - begun
    store.close()
    print(json.dumps({"seconds": seconds, "complete": done.complete, "lines": list(done.lines)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
