"""``python -m medlens run …``: pipelines that ask models, with forecast, progress bar and
report.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from medlens import llm
from medlens.app import job_inbox_of_running_app, rename_studies_and_data
from medlens.app.store_opening import open_configured_store
from medlens.cli.command_line_parser_and_help import COMMANDS
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, StoreUnavailable
from medlens.llm import stored_start_requests_of_runs
from medlens.llm.pipeline_declaration_forecast_and_run import Pipeline, PipelineField
from medlens.llm.stored_start_requests_of_runs import PipelineOrder
from medlens.studies import registry
from medlens.tables import require_readable_file

_SCREEN = Console(highlight=False, markup=False, soft_wrap=True)
_ASIDE = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def add_run_command(verbs: Any) -> None:
    """Add the command ``run`` with every study's pipelines."""
    run = verbs.add_parser("run", help=COMMANDS["run"])
    named = run.add_subparsers(metavar="STUDY", required=True)
    for name, declared in registry.STUDIES.items():
        if declared.pipelines:
            study = named.add_parser(name, help=declared.title or name)
            pipelines = study.add_subparsers(metavar="WHAT", required=True)
            for one in declared.pipelines:
                _add(pipelines.add_parser(one.name, help=one.about, description=one.about), one)


def add_missing_pipeline_argument(arguments: Sequence[str]) -> list[str]:
    """The arguments, with the name of the first pipeline added if a study is given its TOML
    file.

    ``run agentclinic EXPERIMENT.toml`` ran an experiment before there were other pipelines.
    """
    given = list(arguments)
    at = given.index("run") if "run" in given else len(given)
    study, what = [*given[at + 1 : at + 3], "", ""][:2]
    declared = registry.STUDIES.get(study)
    first = declared.pipelines[0] if declared and len(declared.pipelines) > 1 else None
    if first is None or not what.endswith(".toml") or first.fields[0].suffixes != (".toml",):
        return given
    return [*given[: at + 2], first.name, *given[at + 2 :]]


def _add(parser: argparse.ArgumentParser, pipeline: Pipeline) -> None:
    for field in pipeline.fields:
        _add_field(parser, field)
    if pipeline.asks_models:
        parser.add_argument("--cap", type=float, metavar="MONEY", help="stop before it costs more")
        parser.add_argument("--yes", action="store_true", help="do not ask before spending")
    if pipeline.batch_api:
        parser.add_argument(
            "--batch-api",
            action="store_true",
            help="through the endpoint's batch jobs: cheaper, within a day",
        )
    parser.set_defaults(run=_run, pipeline=pipeline)


def _add_field(parser: argparse.ArgumentParser, field: PipelineField) -> None:
    words = field.help or field.title[:1].lower() + field.title[1:]
    if field.kind == "file":
        suffix = field.suffixes[0] if len(field.suffixes) == 1 else ""
        parser.add_argument(
            _dest(field),
            type=Path,
            nargs=None if field.is_required else "?",
            help=words,
            metavar=field.name.upper() + suffix,
        )
        return
    how: dict[str, Any] = {"dest": _dest(field), "help": words, "required": field.is_required}
    if field.kind == "flag":
        how |= {"action": "store_true", "required": False}
    else:
        how["default"] = field.default
        if field.default not in (None, "", ()):
            how["help"] += f" (default: {_shown(field.default)})"
    if field.kind == "whole":
        how |= {"type": _at_least(field.least), "metavar": "N"}
    elif field.kind == "choice":
        how["choices"] = field.choices
    elif field.kind == "models":
        how |= {"nargs": "+", "metavar": "MODEL"}
    elif field.kind != "flag":
        how["metavar"] = field.name.upper()
    parser.add_argument("--" + field.name.replace("_", "-"), **how)


def _dest(field: PipelineField) -> str:
    # Kept apart from the command line's own options: a pipeline may have a "run" or a "store".
    return f"field.{field.name}"


def _shown(default: Any) -> str:
    return " ".join(default) if isinstance(default, tuple) else str(default)


def _at_least(least: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"a whole number from {least}")
        return int(text)

    return whole


def _run(settings: Settings, options: argparse.Namespace) -> int:
    pipeline: Pipeline = options.pipeline
    order = PipelineOrder(
        study=pipeline.study,
        pipeline=pipeline.name,
        values=stored_start_requests_of_runs.values_by_field_ready_for_json(
            pipeline, _values(pipeline, options)
        ),
        by="command line",
        cap=getattr(options, "cap", None),
        batch_api=getattr(options, "batch_api", False),
    )
    try:
        store = open_configured_store(settings)
    except StoreUnavailable as error:
        if not error.held:
            raise
        return _hand_over(settings, order, options)
    try:
        order = rename_studies_and_data.run_order_with_first_dataset_name(store, order)
        with _how(options) as how:
            done = stored_start_requests_of_runs.run_ordered_pipeline(
                store, settings, pipeline, order, how
            )
    finally:
        store.close()
    for line in done.lines:
        _SCREEN.print(line)
    for line in done.aside:
        _ASIDE.print(line)
    return 0 if done.complete else 1


def _hand_over(settings: Settings, order: PipelineOrder, options: argparse.Namespace) -> int:
    """Let the app that has the store open do it; it continues even if this process ends."""

    def ask(verb: str) -> str:
        job = {"verb": verb, "order": order.as_json_object()}
        with _ASIDE.status("Asking the app, which has the store open…"):
            outcome, folder = job_inbox_of_running_app.submit_job_and_await_result_and_folder(
                settings.store, job
            )
        shutil.rmtree(folder, ignore_errors=True)
        return str(outcome["line"])

    expected = ask("forecast")
    if expected and not _agreed(expected, options):
        _SCREEN.print("No model was asked.")
        return 1
    _SCREEN.print(ask("run"))
    return 0


def _agreed(expected: str, options: argparse.Namespace) -> bool:
    """Whether the person accepts this forecast.

    Raises:
        InvalidInput: nobody is there to ask.
    """
    _ASIDE.print(expected)
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise InvalidInput(
            "This needs to be confirmed, and there is no terminal to ask at.", hint="Add --yes."
        )
    return _ASIDE.input("Continue? [y/N] ").strip().casefold() in ("y", "yes")


def _values(pipeline: Pipeline, options: argparse.Namespace) -> dict[str, Any]:
    values = {field.name: getattr(options, _dest(field)) for field in pipeline.fields}
    for field in pipeline.fields:
        value = values[field.name]
        if field.kind == "models":
            values[field.name] = tuple(value)
        elif field.kind == "file" and value is not None:
            require_readable_file(value)
    return values


@contextlib.contextmanager
def _how(options: argparse.Namespace) -> Iterator[llm.How]:
    """The progress bar, the question before spending, and Ctrl-C, which lets open calls finish."""
    stop = threading.Event()
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=_ASIDE,
        transient=True,
    )
    task = bar.add_task("Starting", total=None)

    def show(progress: llm.BatchProgress) -> None:
        bar.update(
            task,
            total=progress.total,
            completed=progress.done + progress.failed,
            description=progress.progress_in_one_line(),
        )

    def confirm(expected: llm.CostForecast) -> bool:
        if not _agreed(expected.forecast_in_words(), options):
            return False
        bar.start()
        return True

    def interrupted(signum: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        _ASIDE.print("Stopping: waiting for calls in progress. Press Ctrl-C again to abandon them.")

    before = signal.signal(signal.SIGINT, interrupted)
    if not options.pipeline.asks_models:
        bar.start()
    try:
        yield llm.How(
            stop=stop,
            on_progress=show,
            confirm=confirm,
            on_state=lambda state, done, total: bar.update(
                task, total=total, completed=done, description=f"Batch job {state}"
            ),
        )
    finally:
        bar.stop()
        signal.signal(signal.SIGINT, before)
