"""``python -m medlens run …``: pipelines that ask models, with their forecast, bar and report."""

from __future__ import annotations

import argparse
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from medlens import llm
from medlens.agentclinic import run as clinic_run
from medlens.agentclinic.experiment import load_experiment
from medlens.errors import InvalidInput, StoreUnavailable
from medlens.settings import Settings
from medlens.store import open_store
from medlens.tagging import run as tagging

_SCREEN = Console(highlight=False, markup=False, soft_wrap=True)
_ASIDE = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


def add_to(verbs: Any) -> None:
    """Add the command ``run`` and the pipelines that there are."""
    run = verbs.add_parser("run", help="put a study's work to models")
    studies = run.add_subparsers(metavar="STUDY", required=True)
    study = studies.add_parser("tagging", help="error tagging")
    pipelines = study.add_subparsers(metavar="WHAT", required=True)

    ask = pipelines.add_parser("ask", help="put questions to a model; wrong answers become items")
    ask.add_argument(
        "file", type=Path, metavar="FILE", help="question, options, answer, answer_idx, meta_info"
    )
    ask.add_argument("--repeats", type=_count, default=1, help="ask each this often (default: 1)")
    ask.add_argument("--skip-bad", action="store_true", help="leave out rows that are no questions")
    _common(ask)
    ask.set_defaults(run=_ask)

    tag = pipelines.add_parser("tag", help="let a model mark errors, as one more rater")
    _common(tag)
    tag.set_defaults(run=_tag)

    clinic = studies.add_parser("agentclinic", help="let models play the clinic")
    clinic.add_argument("file", type=Path, metavar="EXPERIMENT.toml", help="the experiment")
    clinic.add_argument("--cap", type=float, metavar="MONEY", help="stop before it costs more")
    clinic.add_argument("--yes", action="store_true", help="do not ask before spending")
    clinic.set_defaults(run=_play, batch_api=False)


def _common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", required=True, help="a model of medlens.toml")
    parser.add_argument("--dataset", required=True, help="the dataset of the items")
    parser.add_argument("--cap", type=float, metavar="MONEY", help="stop before it costs more")
    parser.add_argument("--yes", action="store_true", help="do not ask before spending")
    parser.add_argument(
        "--batch-api", action="store_true",
        help="through the endpoint's batch jobs: cheaper, within a day",
    )  # fmt: skip


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError("a whole number from 1")
    return int(text)


def _ask(settings: Settings, options: argparse.Namespace) -> int:
    if not options.file.is_file():
        raise InvalidInput(f"There is no file {options.file}.", hint="Check the path.")
    with _opened(settings) as store, _how(options) as how:
        done = tagging.ask(
            store, settings, options.file, model=options.model, dataset=options.dataset,
            repeats=options.repeats, skip_bad=options.skip_bad, how=how,
        )  # fmt: skip
    return _say(done)


def _tag(settings: Settings, options: argparse.Namespace) -> int:
    with _opened(settings) as store, _how(options) as how:
        done = tagging.tag(store, settings, model=options.model, dataset=options.dataset, how=how)
    return _say(done)


def _play(settings: Settings, options: argparse.Namespace) -> int:
    with _opened(settings) as store, _how(options) as how:
        experiment = load_experiment(store, settings, options.file)
        done = clinic_run.play(store, settings, experiment, how=how)
    for line in done.lines:
        _SCREEN.print(line)
    complete = done.batch is not None and not done.batch.stopped
    return 0 if complete and not done.outcomes.get("error") else 1


def _say(done: tagging.Report) -> int:
    for line in done.lines:
        _SCREEN.print(line)
    if done.refused:
        _ASIDE.print(f"{len(done.refused):,} rows were no questions; the first:")
        _ASIDE.print(f"  {done.refused[0].problem}")
    complete = done.batch is not None and not done.batch.stopped
    return 0 if complete and not done.outcomes.get("error") else 1


@contextlib.contextmanager
def _opened(settings: Settings) -> Iterator[Any]:
    try:
        store = open_store(settings.store)
    except StoreUnavailable as error:
        if not error.held:
            raise
        raise StoreUnavailable(
            error.message,
            hint="Stop the app while the models work; the run can be stopped and resumed.",
            held=True,
        ) from error
    try:
        yield store
    finally:
        store.close()


@contextlib.contextmanager
def _how(options: argparse.Namespace) -> Iterator[llm.How]:
    """The bar, the question before spending, and Ctrl-C that lets open calls end."""
    stop = threading.Event()
    bar = Bar(
        TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), console=_ASIDE,
        transient=True,
    )  # fmt: skip
    task = bar.add_task("Starting", total=None)

    def show(progress: llm.Progress) -> None:
        bar.update(
            task, total=progress.total, completed=progress.done + progress.failed,
            description=progress.line(),
        )  # fmt: skip

    def confirm(expected: llm.Forecast) -> bool:
        _ASIDE.print(expected.line())
        if not options.yes:
            if not sys.stdin.isatty():
                raise InvalidInput("Nobody is there to confirm this.", hint="Add --yes.")
            if _ASIDE.input("Go on? [y/N] ").strip().casefold() not in ("y", "yes"):
                return False
        bar.start()
        return True

    def interrupted(signum: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        _ASIDE.print("Stopping: open calls are waited for. Press Ctrl-C again to give them up.")

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield llm.How(
            made_by="command line", spending_cap=options.cap, stop=stop, on_progress=show,
            confirm=confirm, batch_api=options.batch_api,
            on_state=lambda state, done, total: bar.update(
                task, total=total, completed=done, description=f"Batch job {state}"
            ),
        )  # fmt: skip
    finally:
        bar.stop()
        signal.signal(signal.SIGINT, before)
