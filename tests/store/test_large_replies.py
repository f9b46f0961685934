"""A run to which every reply brings megabytes leaves the app its memory: in its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from medlens.llm import large_reply_queue
from medlens.store import Store
from tests.llm_server import LLMServer, Reply

pytestmark = pytest.mark.deep

_WORDS = "The patient has had a fever since Monday and coughs at night. "
_REPLIES, _OPEN_CALLS, _MEGABYTES = 40, 16, 6
_MOST_GROWTH = 350
"""Megabytes. It was 700 to 940, and grew with each further reply."""

_RUN = """
import json, sys
from pathlib import Path
from medlens import llm
from medlens.config.settings import Model
from medlens.llm import answer_size_limit, runs
from medlens.store import Store
import openai, pandas, pyarrow

def memory(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(one.split()[1]) // 1024 for one in lines if one.startswith(name))

url, path, jobs, calls = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
store = Store(path)
model = Model.model_validate(
    {"base_url": url, "model": "m", "concurrency": calls, "input_price": 1, "output_price": 1}
)
async def work(ask, n):
    answer = await ask("m", [llm.make_user_message(f"Why {n}?")])
    return llm.Result(answer.outcome, {"error_class": answer.error_class})
run = runs.open_or_resume_run_and_return_id(store, study="t", kind="t", config={}, made_by="test")
before = memory("VmRSS")
report = llm.run_unfinished_jobs_of_run(
    store,
    [llm.Job(f"j{n}", lambda ask, n=n: work(ask, n)) for n in range(jobs)],
    run=run, models={"m": model}, retries=llm.RetryPolicy(in_a_row=1000),
)
print(json.dumps([memory("VmHWM") - before, dict(report.outcomes), report.cost]))
store.close()
"""


def run_elsewhere(server: LLMServer, path: Path) -> tuple[int, dict[str, int], float]:
    """The megabytes by which a process grew at most, what came of its jobs, and what they cost."""
    command = [sys.executable, "-c", _RUN, server.url, path, _REPLIES, _OPEN_CALLS]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    growth, outcomes, cost = json.loads(done.stdout)
    return growth, outcomes, cost


def test_forty_replies_of_megabytes_leave_the_app_its_memory(tmp_path: Path) -> None:
    long = _WORDS * (_MEGABYTES * 1_000_000 // len(_WORDS))
    path = tmp_path / "s.duckdb"
    with LLMServer() as server:
        server.answer = lambda body: Reply(f"<think>{long}</think>The correct answer is A.")
        growth, outcomes, _ = run_elsewhere(server, path)
    assert outcomes == {"ok": _REPLIES}
    assert growth < _MOST_GROWTH
    store = Store(path)
    [(text, thought)] = store.rows("select distinct text, reasoning from completion")
    store.close()
    assert text == "The correct answer is A."
    left_out = len(long.strip()) - large_reply_queue.MOST_CHARACTERS
    assert f"[{left_out:,} characters left out here by MedLens]" in thought
    assert len(thought) < large_reply_queue.MOST_CHARACTERS + 100


def test_forty_answers_of_megabytes_are_told_as_none_are_paid_for_and_leave_the_app_its_memory(
    tmp_path: Path,
) -> None:
    long, path = _WORDS * (_MEGABYTES * 1_000_000 // len(_WORDS)), tmp_path / "s.duckdb"
    with LLMServer() as server:
        server.answer = lambda body: Reply(f"{long}The correct answer is A.")
        growth, outcomes, cost = run_elsewhere(server, path)
        assert len(server.chats) == _REPLIES
    assert outcomes == {"error": _REPLIES}
    assert growth < _MOST_GROWTH
    assert cost == pytest.approx(_REPLIES * 120 / 1e6)
    store = Store(path)
    [(error_class, detail)] = store.rows(
        "select distinct error_class, detail from completion_attempt"
    )
    store.close()
    assert error_class == "too_large"
    assert "more than 1,000,000 characters" in detail
