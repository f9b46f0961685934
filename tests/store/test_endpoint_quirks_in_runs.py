"""The quirks of endpoints, each played by a server against a whole run: a verdict that was only
thought or is none is never stored, a passing error ends no run for good, and one that every call
would meet ends it at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from medlens import llm
from medlens.store import Store
from medlens.studies.agentclinic.prompts import ModeratorVerdict
from tests.endpoint_quirks import DIFFER, FIFTH, FIRST, FOURTH, SECOND, THIRD, Quirk
from tests.endpoint_quirks_of_gateways import SEVENTH
from tests.endpoint_quirks_of_other_services import SIXTH
from tests.llm_server import LLMServer, Reply, demo_model

pytestmark = pytest.mark.deep

QUICK = llm.RetryPolicy(attempts=2, base=0.01, cap=0.02)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


def play(store: Store, server: LLMServer, quirk: Quirk) -> tuple[llm.Answer, llm.BatchReport]:
    """The answer to one question of a run whose endpoint replies with a quirk."""

    def reply(body: dict[str, Any]) -> Reply:
        if quirk.refuses is not None and not quirk.refuses(body):
            return Reply(DIFFER)
        return Reply(status=quirk.status, headers=quirk.headers, body=quirk.payload)

    answers: list[llm.Answer] = []

    async def work(ask: llm.Ask) -> llm.Result:
        messages = [llm.make_system_message("Judge."), llm.make_user_message(quirk.name)]
        parameters = {"temperature": 0, "max_tokens": 300}
        answer = await ask("demo", messages, schema=ModeratorVerdict, parameters=parameters)
        answers.append(answer)
        return llm.Result(answer.outcome, {"text": answer.text})

    server.answer = reply
    server.seen.clear()
    run = llm.open_or_resume_run_and_return_id(
        store, study="t", kind="k", config={"quirk": quirk.name}, made_by="t"
    )
    jobs = [llm.Job("item", work)]
    models = {"demo": demo_model(server)}
    report = llm.run_unfinished_jobs_of_run(store, jobs, run=run, models=models, retries=QUICK)
    return answers[0], report


def faults_of_playing(store: Store, server: LLMServer, quirks: Sequence[Quirk]) -> list[str]:
    """The quirks that were taken for something else, in words."""
    wrong = []
    for quirk in quirks:
        answer, report = play(store, server, quirk)
        verdict = answer.value.same_disease if answer.outcome == "ok" else ""
        if quirk.meant in ("yes", "no"):
            fits = verdict in (quirk.meant, "")
        elif quirk.meant.startswith("other "):
            words = quirk.meant.removeprefix("other ")
            line = report.report_in_one_line()
            fits = not verdict and report.stopped and words in line and "base_url" in line
        elif "|" in quirk.meant:
            fits = verdict in quirk.meant.split("|") or not verdict
        elif quirk.meant == "retried":
            fits = not verdict and len(server.chats) > 1
            fits &= answer.error_class not in ("no_money", "auth", "not_found")
        elif quirk.meant in ("no_money", "stopped"):
            fits = not verdict and report.stopped and len(server.chats) < 4
        elif quirk.meant.startswith("setting "):
            fits = quirk.meant.removeprefix("setting ") in report.report_in_one_line()
        else:
            fits = not verdict
        if not fits:
            wrong.append(f"{quirk.name}: {quirk.meant}, but {verdict} {answer.outcome}")
    return wrong


def test_no_run_stores_a_verdict_that_was_not_meant(store: Store, server: LLMServer) -> None:
    quirks = (*FIRST, *SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH)
    assert faults_of_playing(store, server, quirks) == []
