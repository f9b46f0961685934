"""The clinic that the benchmarks play: made-up cases, a server that plays every part, a driver.

``python -m tests.bench.clinic_world serve LATENCY`` answers as a model and prints its address;
``python -m tests.bench.clinic_world play STORE URL CASES N CONCURRENCY`` plays every case once and
prints ``{"wall", "cpu", "calls", "ended"}`` as JSON: seconds of the run alone, without starting
Python and importing.
"""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2  # noqa: F401  (a run imports these two when it begins)
import openai  # noqa: F401

from medlens.config.settings import Model, Settings
from medlens.store import Store, open_store
from medlens.studies.agentclinic import queries, run_experiment
from medlens.studies.agentclinic.experiment_file import Experiment
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import Case
from tests.bench.serving import python
from tests.llm_server import LLMServer

DATASET = "bench"
_FILLING = " The pain began two weeks ago and is worse in the morning." * 3


def case(number: int) -> Case:
    """A case of the usual size, whose diagnosis no test states."""
    tests = {
        f"Panel_{part}": {f"Value_{n}": f"{number + n} mg/dL" for n in range(6)}
        for part in range(4)
    }
    return case_from_fields(
        {
            "Objective_for_Doctor": f"Case {number}: assess the patient and give a diagnosis.",
            "Patient_Actor": {
                "Demographics": "46-year-old woman",
                "History": f"Story {number}.{_FILLING}",
                "Symptoms": {"Primary_Symptom": "Pain", "Secondary_Symptoms": ["Fever", "Rash"]},
                "Past_Medical_History": "None.",
                "Review_of_Systems": _FILLING,
            },
            "Physical_Examination_Findings": {"Vital_Signs": {"Temperature": "37.8 C"}},
            "Test_Results": tests,
            "Correct_Diagnosis": f"Disease {number}",
        }
    )


def add_cases(store: Store, count: int) -> tuple[str, ...]:
    """Put the cases into the store; returns their names."""
    queries.add_cases_and_return_added(
        store, [(f"bench:{n}", case(n)) for n in range(1, count + 1)], dataset=DATASET
    )
    return tuple(queries.load_cases_by_name(store, DATASET))


def answer(body: dict[str, Any]) -> str:
    """A doctor who orders every fourth message and decides when told, and those around them."""
    messages = body["messages"]
    form = body.get("response_format")
    if form:
        if form["json_schema"]["name"].startswith("ModeratorVerdict"):
            return json.dumps({"same_disease": "no", "reason": "They differ."})
        return json.dumps({"score": 7, "reason": "It was fine."})
    who = messages[0]["content"]
    if who.startswith("You are a doctor"):
        if "This is your last message" in messages[-1]["content"]:
            return "DIAGNOSIS READY: gout"
        spoken = sum(message["role"] == "assistant" for message in messages)
        if spoken % 4 == 3:
            return f"REQUEST TEST: test {spoken}"
        return f"Question {spoken}: how is that?" + " And so on." * 8
    if who.startswith("You are a patient"):
        return f"It hurts, {len(messages)}." + " More words." * 8
    return "RESULTS: normal readings"


@contextlib.contextmanager
def endpoint(latency: float) -> Iterator[str]:
    """The server in a process of its own, so that its work is not counted; gives its address."""
    process = python("-m", "tests.bench.clinic_world", "serve", str(latency))
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
    finally:
        process.kill()
        process.wait()


def play(path: Path, url: str, *, cases: int, n: int, concurrency: int) -> dict[str, float]:
    """Play every case once with ``n`` messages of the doctor, against one model."""
    store = open_store(path)
    try:
        names = add_cases(store, cases)
        model = Model(
            base_url=url, model="m", concurrency=concurrency, input_price=1, output_price=1
        )
        experiment = Experiment(
            dataset=DATASET,
            cases=names,
            doctors=("m",),
            patients=("m",),
            measurement="m",
            moderator="m",
            interactions=(n,),
        )
        wall, cpu = time.perf_counter(), time.process_time()
        done = run_experiment.play_experiment(store, Settings(models={"m": model}), experiment)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    finally:
        store.close()
    assert done.batch is not None, "nobody has to confirm this"
    ended = sum(count for outcome, count in done.outcomes.items() if outcome != "error")
    return {"wall": wall, "cpu": cpu, "calls": done.batch.calls, "ended": ended}


def main(words: list[str]) -> None:
    """``serve LATENCY``, until the process is ended, or ``play STORE URL CASES N CONCURRENCY``."""
    if words[0] == "serve":
        server = LLMServer(latency=float(words[1]), keep=False)
        server.answer = answer
        server.start()
        print(server.url, flush=True)
        threading.Event().wait()
    path, url, (cases, n, concurrency) = Path(words[1]), words[2], map(int, words[3:])
    print(json.dumps(play(path, url, cases=cases, n=n, concurrency=concurrency)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
