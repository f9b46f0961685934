"""Models: one client for any OpenAI-compatible endpoint, batches that can be resumed, and their
cost.

``run_batch`` does jobs that ``ask`` models; every completion is stored under the hash of its
request before it is used. ``runs`` keeps what was run; ``prefetch`` gets single-turn answers
through the endpoint's own batch jobs.
"""

from medlens.llm.batch_progress import BatchReport, Progress
from medlens.llm.completions import Retries, Stopped
from medlens.llm.concurrent_jobs import Job, Result, run_batch
from medlens.llm.endpoint_batches import Prefetched, prefetch_by_batch
from medlens.llm.model_request import Message, assistant_message, system_message, user_message
from medlens.llm.run_pipeline import Done, Field, How, Pipeline, carry_out_run, model_named
from medlens.llm.runs import open_or_resume_run
from medlens.llm.structured_requests import Answer, Ask, plan_request
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
