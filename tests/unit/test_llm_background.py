"""Runs in the app's background: they go on, can be stopped, and say how they ended."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from medlens import llm
from medlens.errors import InvalidInput
from medlens.llm.background_runs import Background, Running
from medlens.llm.run_pipeline import Done

PROGRESS = llm.Progress(
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


def until(background: Background, wanted: Callable[[Running], bool]) -> Running:
    for _ in range(6000):
        [one] = background.all()
        if wanted(one):
            return one
        time.sleep(0.01)
    raise AssertionError(one)


def test_work_goes_on_by_itself_shows_its_progress_and_can_be_stopped() -> None:
    background = Background()

    ended_so = Done(lines=("Stopped: 1 of 2 done.",), complete=False)

    def work(how: llm.How) -> Done:
        assert how.stop
        assert how.on_progress
        assert how.on_run
        how.on_run("run-7")
        how.on_progress(PROGRESS)
        how.stop.wait(10)
        return ended_so

    background.start("r1", "Asking demo-a", work)
    assert until(background, lambda one: one.progress is not None).progress == PROGRESS
    assert PROGRESS.line() == "1 of 2 done, 60 a minute, 1 s left, cost 0.50 of about 1.00"
    with pytest.raises(InvalidInput, match="Asking demo-a is already in progress"):
        background.start("r1", "Asking demo-a", work)
    going = background.of_run("run-7")
    assert going is not None
    assert going.running
    background.forget("r1")
    assert background.all()
    background.stop("r1")
    ended = until(background, lambda one: not one.running)
    assert (ended.done, ended.stopping, ended.error) == (ended_so, True, "")
    background.stop("r1")
    background.start("r1", "Asking demo-a", work)
    assert background.all()[0].running
    background.stop_all_work_and_wait(patience=5)
    assert not background.all()[0].running
    background.forget("r1")
    assert background.all() == []


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
    background = Background()

    def work(how: llm.How) -> Done:
        raise error

    background.start("r1", "Asking", work)
    ended = until(background, lambda one: not one.running)
    assert (ended.error, ended.hint) == (shown, hint)
