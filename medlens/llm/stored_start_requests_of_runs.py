"""What a pipeline was started with, stored with its run so that anyone with the store can resume
it.

An order holds the values of the pipeline's fields as JSON, with whole files. It is passed from the
command line to the app, waits on the Runs page, and is stored as an event of its run.
"""

from __future__ import annotations

import base64
import binascii
import tempfile
import zlib
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from medlens.config.confined_file_reading_and_image_urls import read_regular_file
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.llm import completion_run_and_job_queries
from medlens.llm.pipeline_declaration_forecast_and_run import Done, How, Pipeline, RunReport
from medlens.llm.token_cost_forecast_and_budget import CostForecast
from medlens.store import Store, stable_id, to_json

LARGEST_MB = 50
"""How large a file may be that a run is started with on the Runs page."""


@dataclass(frozen=True, kw_only=True)
class PipelineOrder:
    """A request to start a pipeline. ``values`` are JSON: see ``file_as_dict_ready_for_json`` for
    files; ``by`` is a person's id or "command line".
    """

    study: str
    pipeline: str
    values: Mapping[str, Any]
    by: str
    cap: float | None = None
    batch_api: bool = False

    def as_json_object(self) -> dict[str, Any]:
        """The order as JSON."""
        return asdict(self)


def order_from_json(body: Mapping[str, Any]) -> PipelineOrder:
    """An order from its JSON.

    Raises:
        InvalidInput: it is not an order.
    """
    try:
        return PipelineOrder(**body)
    except TypeError as error:
        raise InvalidInput("This run request is invalid.") from error


def values_by_field_ready_for_json(pipeline: Pipeline, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a pipeline's fields as JSON; files are read."""
    packed = dict(values)
    for field in pipeline.fields:
        value = packed[field.name]
        if isinstance(value, Path):
            packed[field.name] = file_as_dict_ready_for_json(
                value.name, value.read_bytes(), path=value.resolve()
            )
        elif isinstance(value, tuple):
            packed[field.name] = list(value)
    return packed


def file_as_dict_ready_for_json(
    name: str, content: bytes, *, path: Path | None = None
) -> dict[str, str]:
    """A file as JSON. ``path`` is where it is, for other files that it names beside it."""
    data = base64.b64encode(zlib.compress(content, 6)).decode("ascii")
    return {"file": Path(name).name, "path": str(path or ""), "data": data}


def unpack_file_content(packed: Mapping[str, str]) -> bytes:
    """The content of a packed file.

    Raises:
        InvalidInput: it is not a packed file.
    """
    try:
        return zlib.decompress(base64.b64decode(packed["data"], validate=True))
    except (KeyError, zlib.error, binascii.Error) as error:
        raise InvalidInput("The file of this run can no longer be read.") from error


def run_ordered_pipeline(
    store: Store, settings: Settings, pipeline: Pipeline, order: PipelineOrder, how: How
) -> Done:
    """Start a pipeline from an order, which is stored with the run.

    A file that is still in its place, unchanged, is read there; otherwise from a temporary folder.

    Raises:
        MedLensError: the pipeline cannot start with this, or was ended by an error.
    """

    def opened(run: str) -> None:
        body = order.as_json_object()
        store.append(
            "run_event",
            {
                "id": stable_id("asked", run, to_json(body)),
                "run": run,
                "kind": "asked",
                "reason": "",
                "body": body,
            },
        )
        if how.on_run is not None:
            how.on_run(run)

    with ExitStack() as stack:
        values = _unpacked(pipeline, order.values, stack)
        told = replace(
            how,
            made_by=order.by,
            spending_cap=order.cap,
            batch_api=order.batch_api,
            on_run=opened,
        )
        ended = pipeline.start(store, settings, how=told, **values)
        return ended.as_done_report() if isinstance(ended, RunReport) else ended


def forecast_requested_run(
    store: Store, settings: Settings, pipeline: Pipeline, order: PipelineOrder
) -> CostForecast | None:
    """What an order will take; None if the pipeline has nothing to forecast.

    Raises:
        MedLensError: it cannot start with this.
    """
    if not pipeline.asks_models:
        return None
    seen: list[CostForecast] = []

    def look(expected: CostForecast) -> bool:
        seen.append(expected)
        return False

    run_ordered_pipeline(store, settings, pipeline, order, How(confirm=look))
    return seen[0] if seen else None


def load_last_order_of_run(store: Store, run: str) -> PipelineOrder | None:
    """What a run was last started with; None if that is unknown."""
    body = completion_run_and_job_queries.find_last_order_of_run_as_dict(store, run)
    return None if body is None else order_from_json(body)


def _unpacked(pipeline: Pipeline, packed: Mapping[str, Any], stack: ExitStack) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in pipeline.fields:
        value = packed.get(field.name, field.default)
        if field.kind == "file":
            value = _file(value, stack) if value else None
        elif field.kind == "models":
            value = tuple(value or ())
        elif field.kind == "flag":
            value = bool(value)
        if field.is_required and value in (None, "", ()):
            raise InvalidInput(f"{field.title} is missing.", hint="Fill it in and start again.")
        values[field.name] = value
    return values


def _file(packed: Mapping[str, str], stack: ExitStack) -> Path:
    content = unpack_file_content(packed)
    there = Path(packed["path"])
    # Otherwise it was moved or changed, or the run continues on another machine.
    if packed["path"] and read_regular_file(there, len(content)) == content:
        return there
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="medlens-run-"))
    path = Path(folder) / Path(packed["file"]).name
    path.write_bytes(content)
    return path
