"""Models: one client for any OpenAI-compatible endpoint, batches that can be resumed, and their
cost.

``run_unfinished_jobs_of_run`` does jobs that ``ask`` models; every completion is stored under the
hash of its request before it is used. ``runs`` keeps what was run;
``run_batch_job_and_store_answers`` gets single-turn answers through the endpoint's own batch jobs.

Each name is imported when it is first used: what raters are asked has prompts, and a command that
asks no model would wait for the client.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from medlens.llm.ask_models import Answer, Ask, make_first_request_of_question
    from medlens.llm.batch_progress import BatchProgress, BatchReport
    from medlens.llm.cached_completions import RetryPolicy, Stopped
    from medlens.llm.concurrent_jobs import Job, Result, run_unfinished_jobs_of_run
    from medlens.llm.endpoint_batches import BatchJobOutcome, run_batch_job_and_store_answers
    from medlens.llm.model_request import (
        Message,
        make_assistant_message,
        make_system_message,
        make_user_message,
    )
    from medlens.llm.run_pipeline import (
        Done,
        How,
        Pipeline,
        PipelineField,
        find_model_settings_by_name,
        forecast_confirm_and_carry_out_run,
    )
    from medlens.llm.runs import open_or_resume_run_and_return_id
    from medlens.llm.token_cost import CostForecast, Planned, forecast_cost

__all__ = [
    "Answer",
    "Ask",
    "BatchJobOutcome",
    "BatchProgress",
    "BatchReport",
    "CostForecast",
    "Done",
    "How",
    "Job",
    "Message",
    "Pipeline",
    "PipelineField",
    "Planned",
    "Result",
    "RetryPolicy",
    "Stopped",
    "find_model_settings_by_name",
    "forecast_confirm_and_carry_out_run",
    "forecast_cost",
    "make_assistant_message",
    "make_first_request_of_question",
    "make_system_message",
    "make_user_message",
    "open_or_resume_run_and_return_id",
    "run_batch_job_and_store_answers",
    "run_unfinished_jobs_of_run",
]

_MODULES = {
    "Answer": "ask_models",
    "Ask": "ask_models",
    "BatchReport": "batch_progress",
    "Done": "run_pipeline",
    "PipelineField": "run_pipeline",
    "CostForecast": "token_cost",
    "How": "run_pipeline",
    "Job": "concurrent_jobs",
    "Message": "model_request",
    "Pipeline": "run_pipeline",
    "Planned": "token_cost",
    "BatchJobOutcome": "endpoint_batches",
    "BatchProgress": "batch_progress",
    "Result": "concurrent_jobs",
    "RetryPolicy": "cached_completions",
    "Stopped": "cached_completions",
    "make_assistant_message": "model_request",
    "forecast_confirm_and_carry_out_run": "run_pipeline",
    "forecast_cost": "token_cost",
    "find_model_settings_by_name": "run_pipeline",
    "open_or_resume_run_and_return_id": "runs",
    "make_first_request_of_question": "ask_models",
    "run_batch_job_and_store_answers": "endpoint_batches",
    "run_unfinished_jobs_of_run": "concurrent_jobs",
    "make_system_message": "model_request",
    "make_user_message": "model_request",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Which modules these are stands above, where the rules of imports see it.
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")  # noqa: TID251
    found = getattr(module, name)
    globals()[name] = found
    return found
