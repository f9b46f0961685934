"""Runs in the app's background: they go on, can be stopped, and say how they ended."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from medlens import llm
from medlens.errors import InvalidInput
from medlens.llm.background_runs import BackgroundRuns, Running
from medlens.llm.pipeline_declaration_forecast_and_run import Done

PROGRESS = llm.BatchProgress(
    total=2,
    done=1,
    failed=0,
    running=1,
    calls=1,
    reused=0,
    rate=60.0,
    seconds_left=1.0,
    cost=0.5,
    expected_cost=1.0,
    unpriced=0,
    estimated=False,
)


def until(background: BackgroundRuns, wanted: Callable[[Running], bool]) -> Running:
    for _ in range(6000):
        [one] = background.list_started_runs()
        if wanted(one):
            return one
        time.sleep(0.01)
    raise AssertionError(one)


def test_work_goes_on_by_itself_shows_its_progress_and_can_be_stopped() -> None:
    background = BackgroundRuns()

    ended_so = Done(lines=("Stopped: 1 of 2 done.",), complete=False)

    def work(how: llm.How) -> Done:
        assert how.stop
        assert how.on_progress
        assert how.on_run
        how.on_run("run-7")
        how.on_progress(PROGRESS)
        how.stop.wait(10)
        return ended_so

    background.start_in_thread("r1", "Asking demo-a", work)
    assert until(background, lambda one: one.progress is not None).progress == PROGRESS
    assert (
        PROGRESS.progress_in_one_line()
        == "1 of 2 done, 60 a minute, 1 s left, cost 0.50 of about 1.00"
    )
    with pytest.raises(InvalidInput, match="Asking demo-a is already in progress"):
        background.start_in_thread("r1", "Asking demo-a", work)
    going = background.find_work_of_run("run-7")
    assert going is not None
    assert going.running
    background.forget_ended_work("r1")
    assert background.list_started_runs()
    background.request_stop_of_work("r1")
    ended = until(background, lambda one: not one.running)
    assert (ended.done, ended.stopping, ended.error) == (ended_so, True, "")
    background.request_stop_of_work("r1")
    background.start_in_thread("r1", "Asking demo-a", work)
    assert background.list_started_runs()[0].running
    background.stop_all_work_and_wait(patience=5)
    assert not background.list_started_runs()[0].running
    background.forget_ended_work("r1")
    assert background.list_started_runs() == []


@pytest.mark.parametrize(
    "error, shown, hint",
    [
        (InvalidInput("No key.", hint="Set it."), "No key.", "Set it."),
        (ZeroDivisionError("sesame"), "The run failed.", "The log of the app says why."),
    ],
)
def test_a_failure_is_shown_in_words_for_the_person(
    error: Exception, shown: str, hint: str
) -> None:
    background = BackgroundRuns()

    def work(how: llm.How) -> Done:
        raise error

    background.start_in_thread("r1", "Asking", work)
    ended = until(background, lambda one: not one.running)
    assert (ended.error, ended.hint) == (shown, hint)
