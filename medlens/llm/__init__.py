"""Models: one client for any OpenAI-compatible endpoint, batches that can be resumed, and their
cost.

``run_batch_of_jobs`` does jobs that ``ask`` models; every completion is stored under the hash of
its request before it is used. ``runs`` keeps what was run; ``fetch_answers_by_batch_job`` gets
single-turn answers through the endpoint's own batch jobs.

Each name is imported when it is first used: what raters are asked has prompts, and a command that
asks no model would wait for the client.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from medlens.llm.ask_models import Answer, Ask, make_first_request_of_ask
    from medlens.llm.batch_progress import BatchReport, Progress
    from medlens.llm.cached_completions import Retries, Stopped
    from medlens.llm.concurrent_jobs import Job, Result, run_batch_of_jobs
    from medlens.llm.endpoint_batches import Prefetched, fetch_answers_by_batch_job
    from medlens.llm.model_request import (
        Message,
        make_assistant_message,
        make_system_message,
        make_user_message,
    )
    from medlens.llm.run_pipeline import (
        Done,
        Field,
        How,
        Pipeline,
        carry_out_run,
        find_model_by_name,
    )
    from medlens.llm.runs import open_or_resume_run
    from medlens.llm.token_cost import Forecast, Planned, forecast_cost

__all__ = [
    "Answer",
    "Ask",
    "BatchReport",
    "Done",
    "Field",
    "Forecast",
    "How",
    "Job",
    "Message",
    "Pipeline",
    "Planned",
    "Prefetched",
    "Progress",
    "Result",
    "Retries",
    "Stopped",
    "carry_out_run",
    "fetch_answers_by_batch_job",
    "find_model_by_name",
    "forecast_cost",
    "make_assistant_message",
    "make_first_request_of_ask",
    "make_system_message",
    "make_user_message",
    "open_or_resume_run",
    "run_batch_of_jobs",
]

_MODULES = {
    "Answer": "ask_models",
    "Ask": "ask_models",
    "BatchReport": "batch_progress",
    "Done": "run_pipeline",
    "Field": "run_pipeline",
    "Forecast": "token_cost",
    "How": "run_pipeline",
    "Job": "concurrent_jobs",
    "Message": "model_request",
    "Pipeline": "run_pipeline",
    "Planned": "token_cost",
    "Prefetched": "endpoint_batches",
    "Progress": "batch_progress",
    "Result": "concurrent_jobs",
    "Retries": "cached_completions",
    "Stopped": "cached_completions",
    "make_assistant_message": "model_request",
    "carry_out_run": "run_pipeline",
    "forecast_cost": "token_cost",
    "find_model_by_name": "run_pipeline",
    "open_or_resume_run": "runs",
    "make_first_request_of_ask": "ask_models",
    "fetch_answers_by_batch_job": "endpoint_batches",
    "run_batch_of_jobs": "concurrent_jobs",
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
