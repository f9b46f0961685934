"""A fragment that the browser asks for while the script switches pages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)

from medlens.ui import streamlit_internals


@pytest.mark.parametrize(
    ("fragments", "shown", "page"),
    [(["menu"], "desk", "desk"), (["menu"], "", "home"), ([], "desk", "home")],
    ids=["fragment after a switch", "nothing shown yet", "whole page"],
)
def test_a_fragment_asked_for_before_a_switch_of_pages_is_one_of_the_new_page(
    monkeypatch: pytest.MonkeyPatch, fragments: list[str], shown: str, page: str
) -> None:
    ran: list[RerunData] = []

    class Runner:
        _pages_manager = SimpleNamespace(current_page_script_hash=shown)

        def _run_script(self, rerun_data: RerunData) -> None:
            ran.append(rerun_data)

    monkeypatch.setattr(streamlit_internals, "script_runner", SimpleNamespace(ScriptRunner=Runner))
    monkeypatch.setattr(streamlit_internals, "ScriptRequests", own_requests())
    told: list[RerunData] = []

    def run(_: Any, request: RerunData, run_script: Callable[[], None]) -> None:
        told.append(request)
        run_script()

    streamlit_internals.wrap_every_script_run(run)
    asked = RerunData(fragment_id_queue=fragments, page_script_hash="home", query_string="a=1")
    Runner()._run_script(asked)
    assert ran == told == [dataclasses.replace(asked, page_script_hash=page)]


def own_requests() -> type[ScriptRequests]:
    """Streamlit's requests, to be changed for one test."""

    class Requests(ScriptRequests):
        def _request_rerun_locked(self, new_data: RerunData) -> bool:
            return super()._request_rerun_locked(new_data)

    return Requests


@pytest.mark.parametrize(
    ("waits", "page", "address"),
    [
        (RerunData(page_script_hash="desk", query_string="view=Tag"), "desk", "view=Tag"),
        (RerunData(page_script_hash="desk", fragment_id="bar", query_string="b=1"), "home", "a=1"),
        (None, "home", "a=1"),
    ],
    ids=["switch waits", "fragment waits", "nothing waits"],
)
def test_a_switch_that_waits_to_run_outlasts_a_request_for_a_fragment_of_the_page_left(
    monkeypatch: pytest.MonkeyPatch, waits: RerunData | None, page: str, address: str
) -> None:
    own = own_requests()
    monkeypatch.setattr(streamlit_internals, "ScriptRequests", own)
    runner = type("Runner", (), {"_run_script": lambda *_: None})
    monkeypatch.setattr(streamlit_internals, "script_runner", SimpleNamespace(ScriptRunner=runner))
    streamlit_internals.wrap_every_script_run(lambda *_: None)
    requests = own()
    if waits:
        assert requests.request_rerun(waits)
    late = RerunData(page_script_hash="home", fragment_id="tab", query_string="a=1")
    assert requests.request_rerun(late)
    ran = requests.on_scriptrunner_ready()
    assert ran.type is ScriptRequestType.RERUN
    assert (ran.rerun_data.page_script_hash, ran.rerun_data.query_string) == (page, address)
    # Only a whole page that waits leaves nothing for the fragment to do.
    assert bool(ran.rerun_data.fragment_id_queue) is (page == "home")
