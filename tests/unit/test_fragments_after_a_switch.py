"""A fragment that the browser asks for while the script switches pages."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

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
    told: list[RerunData] = []

    def run(_: Any, request: RerunData, run_script: Callable[[], None]) -> None:
        told.append(request)
        run_script()

    streamlit_internals.wrap_every_script_run(run)
    asked = RerunData(fragment_id_queue=fragments, page_script_hash="home", query_string="a=1")
    Runner()._run_script(asked)
    assert ran == told == [dataclasses.replace(asked, page_script_hash=page)]
