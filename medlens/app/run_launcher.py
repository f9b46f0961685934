"""Runs executed by the app: started from its page, or handed over by the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from medlens.app import rename_studies_and_data
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm import runs, stored_start_requests_of_runs
from medlens.llm.background_runs import BackgroundRuns
from medlens.llm.resumable_concurrent_jobs import is_run_executing_in_this_process
from medlens.llm.stored_start_requests_of_runs import PipelineOrder
from medlens.store import Store, new_id
from medlens.studies import registry


class RunLauncher:
    """One per open store: starts orders in ``background``, which pages read. ``settings`` are those
    with which the next one starts.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self.settings = store, settings
        self.background = BackgroundRuns()

    def start_confirmed_order_and_return_key(self, order: PipelineOrder) -> str:
        """Start an order that somebody has confirmed; returns its key in the background.

        Raises:
            InvalidInput: there is no such pipeline.
        """
        pipeline = registry.find_pipeline(order.study, order.pipeline)
        key = new_id()
        title = f"{registry.STUDIES[order.study].title or order.study}: {pipeline.title}"
        self.background.start_in_thread(
            key,
            title,
            lambda how: stored_start_requests_of_runs.run_ordered_pipeline(
                self._store, self.settings, pipeline, order, how
            ),
        )
        return key

    def state_name_of_run(self, run: Mapping[str, Any]) -> str:
        """A run's state as in ``runs.current_state_name_of_run``, but ``interrupted`` at once if no
        other process can be executing it, because only one process can open a file.
        """
        state = runs.current_state_name_of_run(run)
        alone = "://" not in self.settings.store
        if (
            state == "running"
            and alone
            and not is_run_executing_in_this_process(self._store, str(run["id"]))
        ):
            return "interrupted"
        return state

    def resume_run_and_return_key(self, run: str, *, by: str, cap: float | None) -> str:
        """Resume a run with what it was last started with; nothing stored is paid for again.

        Raises:
            InvalidInput: it is running or has finished, or it is unknown what it was started with.
        """
        row = runs.load_run_or_refuse(self._store, run)
        if row["state"] == "finished" and not row["failed"]:
            raise InvalidInput("This run has finished.", hint="Start a new one.")
        going = self.background.find_work_of_run(run)
        if going is not None and going.running:
            raise InvalidInput("This run is already in progress.")
        order = stored_start_requests_of_runs.load_last_order_of_run(self._store, run)
        if order is None:
            raise InvalidInput(
                "It is not known what this run was started with.",
                hint="Start it again the way you started it: it resumes where it stopped.",
            )
        return self.start_confirmed_order_and_return_key(replace(order, by=by, cap=cap))

    def forecast_or_run_inbox_order(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Do a job from the inbox: ``forecast`` an order, or ``run`` it.

        Raises:
            MedLensError: it cannot be started.
        """
        order = rename_studies_and_data.run_order_with_first_dataset_name(
            self._store, stored_start_requests_of_runs.order_from_json(command["order"])
        )
        if command.get("verb") == "run":
            self.start_confirmed_order_and_return_key(order)
            return {
                "line": "The app has the store open and has taken the run over: see its Runs page."
            }
        pipeline = registry.find_pipeline(order.study, order.pipeline)
        expected = stored_start_requests_of_runs.forecast_requested_run(
            self._store, self.settings, pipeline, order
        )
        return {"line": "" if expected is None else expected.forecast_in_words()}
