"""How commands reach the store, wherever it is open, and how they tell what went wrong."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medlens.app import job_inbox_of_running_app
from medlens.app.store_opening import (
    open_configured_store,
    open_store_unless_held,
    refuse_missing_store_file,
)
from medlens.config.settings import Settings
from medlens.errors import BadFile, MedLensError, StoreUnavailable
from medlens.store import Store, duckdb_engine

if TYPE_CHECKING:
    from rich.console import Console


@cache
def standard_error_console() -> Console:
    """Standard error, in lines that wrap; what writes them is loaded with the first."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def run_command_and_return_exit_code(run: Callable[[], int]) -> int:
    """Run a command; errors that people can do something about are told. Returns the exit code."""
    try:
        return run()
    except MedLensError as error:
        _tell_error(error)
        return 1
    except KeyboardInterrupt:
        standard_error_console().print("Stopped.")
        return 1
    except BrokenPipeError:
        # Whoever reads our output has gone (`… | head`): nothing is wrong.
        _drop_output()
        return 0
    except OSError as error:
        if error.errno not in _FULL:
            raise
        _drop_output()
        standard_error_console().print(f"medlens: The output cannot be written: {error.strerror}.")
        return 1


def _drop_output() -> None:
    """Discard the rest of the output; Python would otherwise try to write it again on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_error(error: MedLensError) -> None:
    standard_error_console().print(f"medlens: {error.message}")
    if isinstance(error, BadFile):
        for row in error.rows[:20]:
            if str(row) not in error.message:
                standard_error_console().print(f"  {row}")
    if error.hint:
        standard_error_console().print(f"  {error.hint}")


def do_work_and_return_result_and_job_folder(
    settings: Settings,
    here: Callable[[Store], Mapping[str, Any]],
    job: Mapping[str, Any],
    *,
    file: Path | None = None,
    made_before: bool = False,
    briefly: bool = False,
) -> tuple[dict[str, Any], Path | None]:
    """Do the work here, or hand it to the app that has the store open.

    ``made_before``: the store must exist; a mistyped path must not create one to be read, checked
    or copied. ``briefly``: it is a few queries, or rows that come one after another, for which a
    small store needs one thread.
    """
    if made_before:
        refuse_missing_store_file(settings)
    try:
        store = open_configured_store(settings, briefly=briefly)
    except StoreUnavailable as error:
        if not error.held:
            raise
        with standard_error_console().status("The app has the store open and is doing the work…"):
            done = job_inbox_of_running_app.submit_job_or_open_store(
                *(settings.store, job, lambda: open_store_unless_held(settings)), file=file
            )
        if isinstance(done, tuple):
            return done
        store = done
    try:
        return dict(here(store)), None
    finally:
        store.close()


def paths_never_overwritten(settings: Settings) -> tuple[Path, ...]:
    """Files to which no backup or export is ever written."""
    if "://" in settings.store:
        return ()
    return (
        *duckdb_engine.paths_of_store_files(settings.store),
        job_inbox_of_running_app.path_of_inbox_folder(settings.store),
    )


def remove_job_folder(folder: Path | None) -> None:
    """Remove the folder in which the app left what came of a job; None: it was done here."""
    if folder is not None:
        shutil.rmtree(folder, ignore_errors=True)
