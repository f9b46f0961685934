"""Models: one client for any OpenAI-compatible endpoint, batches that can be resumed, and their
cost.

``run_batch`` does jobs that ``ask`` models; every completion is stored under the hash of its
request before it is used. ``runs`` keeps what was run; ``prefetch`` gets single-turn answers
through the endpoint's own batch jobs.
"""

from medlens.llm.ask import Answer, Ask, plan_request
from medlens.llm.batch import Job, Result, run_batch
from medlens.llm.batch_api import Prefetched, prefetch
from medlens.llm.completions import Retries, Stopped
from medlens.llm.cost import Forecast, Planned, forecast
from medlens.llm.pipeline import Done, Field, How, Pipeline, carry_out, model_of
from medlens.llm.progress import BatchReport, Progress
from medlens.llm.request import Message, assistant, system, user
from medlens.llm.runs import open_run

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
    "assistant",
    "carry_out",
    "forecast",
    "model_of",
    "open_run",
    "plan_request",
    "prefetch",
    "run_batch",
    "system",
    "user",
]
