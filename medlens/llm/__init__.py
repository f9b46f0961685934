"""Models: one client for any OpenAI-compatible endpoint, batches that can be resumed, and their
cost.

``run_batch`` does jobs that ``ask`` models; every completion is stored under the hash of its
request before it is used. ``runs`` keeps what was run; ``prefetch_by_batch`` gets single-turn
answers through the endpoint's own batch jobs.

Each name is imported when it is first used: what raters are asked has prompts, and a command that
asks no model would wait for the client.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from medlens.llm.ask_models import Answer, Ask, plan_request
    from medlens.llm.batch_progress import BatchReport, Progress
    from medlens.llm.completions import Retries, Stopped
    from medlens.llm.concurrent_jobs import Job, Result, run_batch
    from medlens.llm.endpoint_batches import Prefetched, prefetch_by_batch
    from medlens.llm.model_request import Message, assistant_message, system_message, user_message
    from medlens.llm.run_pipeline import Done, Field, How, Pipeline, carry_out_run, model_named
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
    "assistant_message",
    "carry_out_run",
    "forecast_cost",
    "model_named",
    "open_or_resume_run",
    "plan_request",
    "prefetch_by_batch",
    "run_batch",
    "system_message",
    "user_message",
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
    "Retries": "completions",
    "Stopped": "completions",
    "assistant_message": "model_request",
    "carry_out_run": "run_pipeline",
    "forecast_cost": "token_cost",
    "model_named": "run_pipeline",
    "open_or_resume_run": "runs",
    "plan_request": "ask_models",
    "prefetch_by_batch": "endpoint_batches",
    "run_batch": "concurrent_jobs",
    "system_message": "model_request",
    "user_message": "model_request",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Which modules these are stands above, where the rules of imports see it.
    module = importlib.import_module(f"{__name__}.{_MODULES[name]}")  # noqa: TID251
    found = getattr(module, name)
    globals()[name] = found
    return found
