"""What SourceCheckup's steps foretell: what is stored is counted, and not paid for again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medlens import llm
from medlens.store import Store
from medlens.studies.sourcecheckup.run_questions_answers_statements import (
    let_model_split_answers,
    let_models_answer_questions,
)
from medlens.studies.sourcecheckup.run_statement_cleanup_and_recheck import (
    correct_and_recheck_statements,
)
from medlens.studies.sourcecheckup.run_verification import let_models_verify_pairs
from tests.llm_server import LLMServer
from tests.sourcecheckup_models import Models
from tests.store import sourcecheckup_driver as driver
from tests.store.test_sourcecheckup_run import D, ask, how, study
from tests.web_server import WebServer

pytestmark = pytest.mark.usefixtures("pages_read_near")


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


@pytest.mark.deep
def test_what_was_answered_before_a_stop_is_foretold_as_stored_by_every_step(
    store: Store, server: LLMServer, web: WebServer
) -> None:
    told = study(web, 2)
    server.answer = Models(told)
    ask(store, *told)
    driver.go(store, server.url, web.host)
    chosen = driver.settings(server.url, web.host)
    seen: list[llm.CostForecast] = []
    decline = how(confirm=lambda one: bool(seen.append(one)))
    before = server.total

    def foretold(table: str) -> tuple[int, int]:
        """(to come, stored) of a step whose answers came and whose rows were not kept."""
        seen.clear()
        store.rows(f"delete from {table}")
        if table == "sc_response":
            let_models_answer_questions(store, chosen, models=("a",), dataset=D, how=decline)
        elif table == "sc_parse":
            let_model_split_answers(store, chosen, model="a", dataset=D, how=decline)
        elif table == "sc_cleanup":
            correct_and_recheck_statements(
                store, chosen, model="a", verifier="a", dataset=D, how=decline
            )
        else:
            store.rows("delete from judgment")
            let_models_verify_pairs(store, chosen, models=("a",), dataset=D, how=decline)
        [one] = seen
        return one.calls, one.stored

    assert foretold("sc_cleanup")[0] == 0
    assert seen[0].stored > 0
    assert foretold("verdict") == (0, 6)
    assert foretold("sc_parse") == (0, 2)
    assert foretold("sc_response") == (0, 2)
    assert server.total == before
