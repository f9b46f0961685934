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
    from medlens.llm.cached_completions import RetryPolicy, Stopped
    from medlens.llm.endpoint_batches import BatchJobOutcome, run_batch_job_and_store_answers
    from medlens.llm.job_batch_progress_and_report import BatchProgress, BatchReport
    from medlens.llm.model_request_messages_and_hash import (
        Message,
        make_assistant_message,
        make_system_message,
        make_user_message,
    )
    from medlens.llm.pipeline_declaration_forecast_and_run import (
        Done,
        How,
        Pipeline,
        PipelineField,
        find_model_settings_by_name,
        forecast_confirm_and_carry_out_run,
    )
    from medlens.llm.questions_to_models_and_typed_replies import (
        Answer,
        Ask,
        make_first_request_of_question,
    )
    from medlens.llm.resumable_concurrent_jobs import Job, Result, run_unfinished_jobs_of_run
    from medlens.llm.runs import open_or_resume_run_and_return_id
    from medlens.llm.token_cost_forecast_and_budget import CostForecast, Planned, forecast_cost

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
    "Answer": "questions_to_models_and_typed_replies",
    "Ask": "questions_to_models_and_typed_replies",
    "BatchReport": "job_batch_progress_and_report",
    "Done": "pipeline_declaration_forecast_and_run",
    "PipelineField": "pipeline_declaration_forecast_and_run",
    "CostForecast": "token_cost_forecast_and_budget",
    "How": "pipeline_declaration_forecast_and_run",
    "Job": "resumable_concurrent_jobs",
    "Message": "model_request_messages_and_hash",
    "Pipeline": "pipeline_declaration_forecast_and_run",
    "Planned": "token_cost_forecast_and_budget",
    "BatchJobOutcome": "endpoint_batches",
    "BatchProgress": "job_batch_progress_and_report",
    "Result": "resumable_concurrent_jobs",
    "RetryPolicy": "cached_completions",
    "Stopped": "cached_completions",
    "make_assistant_message": "model_request_messages_and_hash",
    "forecast_confirm_and_carry_out_run": "pipeline_declaration_forecast_and_run",
    "forecast_cost": "token_cost_forecast_and_budget",
    "find_model_settings_by_name": "pipeline_declaration_forecast_and_run",
    "open_or_resume_run_and_return_id": "runs",
    "make_first_request_of_question": "questions_to_models_and_typed_replies",
    "run_batch_job_and_store_answers": "endpoint_batches",
    "run_unfinished_jobs_of_run": "resumable_concurrent_jobs",
    "make_system_message": "model_request_messages_and_hash",
    "make_user_message": "model_request_messages_and_hash",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Which modules these are stands above, where the rules of imports see it.
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")  # noqa: TID251
    found = getattr(module, name)
    globals()[name] = found
    return found
