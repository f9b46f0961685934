"""Work handed from the command line to the app that has the store open.

Only one process can open a DuckDB file. If the app has it open, the command line puts a job (the
command and, for an import, the file) into a folder beside the store with one atomic rename, the app
does it, and the command line waits for the outcome. A job's id is recorded in the store, and
imports add nothing twice, so even if the server is killed midway, the job is done once.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from medlens.errors import (
    BadFile,
    BadRow,
    Conflict,
    InvalidInput,
    MedLensError,
    NotAllowed,
    StoreUnavailable,
)
from medlens.store import Store, new_id
from medlens.telemetry import logs

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.2
_HEARTBEAT_SECONDS = 15.0
_PATIENCE_SECONDS = 600.0
_LONGEST_COMMAND = 2**20

Runner = Callable[[Mapping[str, Any], Path], Mapping[str, Any]]
"""Does one job: (command, the job's folder, where its file lies and results go) → what it did."""


def path_of_inbox_folder(store_path: str | Path) -> Path:
    """The folder for a store's jobs, by whatever link the store is named."""
    path = Path(os.path.realpath(store_path))
    return path.with_name(path.name + ".inbox")


def make_inbox_folder(store_path: str | Path) -> Path:
    """The folder for the jobs, created if it does not exist.

    Raises:
        StoreUnavailable: it cannot be created, or others could put jobs there or read them.
    """
    folder = path_of_inbox_folder(store_path)
    try:
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        ours = stat.S_ISDIR(found.st_mode) and _is_own(found) and not found.st_mode & 0o022
        if ours and found.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise StoreUnavailable(
            f"The folder {folder} for handed-over work cannot be used: {error.strerror}.",
            hint="Run the command as the user who runs MedLens.",
        ) from error
    if not ours:
        raise StoreUnavailable(
            f"The folder {folder} for handed-over work was made by somebody else, or others can"
            " write to it.",
            hint="Run the command as the user who runs MedLens; if the folder is not MedLens's,"
            " remove it.",
        )
    return folder


class LetGo(Exception):
    """Nobody has the store open any more, and the job was taken back."""


def submit_job_and_await_result_and_folder(
    store_path: str | Path,
    command: Mapping[str, Any],
    *,
    file: Path | None = None,
    is_let_go: Callable[[], bool] = lambda: False,
) -> tuple[dict[str, Any], Path]:
    """Give a job to the app and wait: returns its outcome and the folder with its results.

    The caller removes the folder when done. ``is_let_go`` is asked again and again, while nobody
    has picked the job up, whether the store can be opened after all.

    Raises:
        LetGo: it can.
        StoreUnavailable: nobody picks the job up, or the folder is not ours or is full.
        MedLensError: the error in which the job itself ended.
    """
    inbox = make_inbox_folder(store_path)
    job = new_id()
    part = Path(tempfile.mkdtemp(prefix=".part-", dir=inbox))
    try:
        if file is not None:
            shutil.copyfile(file, part / file.name)
        (part / "command.json").write_text(json.dumps(dict(command)), encoding="utf-8")
        os.replace(part, inbox / f"job-{job}")
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise StoreUnavailable(
            f"The job cannot be handed to the app through {inbox}: {error.strerror}.",
            hint="Is the disk full? Nothing was left there.",
        ) from error
    done = inbox / f"done-{job}"
    started = answered = time.monotonic()
    while not (done / "outcome.json").exists():
        now = time.monotonic()
        # A job behind others keeps waiting, also in the moment between two of them.
        if any(inbox.glob("run-*")) or not (inbox / f"job-{job}").exists():
            answered = now
        if now - answered > _HEARTBEAT_SECONDS or now - started > _PATIENCE_SECONDS:
            with contextlib.suppress(OSError):
                shutil.rmtree(inbox / f"job-{job}")
                inbox.rmdir()
            raise StoreUnavailable(
                f"Another process holds the store {store_path} and does not answer.",
                hint="If it is not the MedLens app, stop it and try again.",
            )
        if (inbox / f"job-{job}").exists() and is_let_go():
            with contextlib.suppress(FileNotFoundError):
                back = (inbox / f"job-{job}").rename(inbox / f".back-{job}")
                shutil.rmtree(back, ignore_errors=True)
                with contextlib.suppress(OSError):
                    inbox.rmdir()
                raise LetGo
        time.sleep(_POLL_SECONDS / 2)
    outcome = json.loads((done / "outcome.json").read_text(encoding="utf-8"))
    if "error" in outcome:
        shutil.rmtree(done, ignore_errors=True)
        raise _error_of(outcome)
    return outcome, done


def submit_job_or_open_store(
    store_path: str | Path,
    command: Mapping[str, Any],
    try_to_open: Callable[[], Store | None],
    *,
    file: Path | None = None,
) -> tuple[dict[str, Any], Path] | Store:
    """``submit_job_and_await_result_and_folder``, or the store, opened, if whoever had it open lets
    it go before anybody takes the job: a notebook reads for a moment, and does no jobs.
    ``try_to_open`` returns None while the store is held.

    Raises:
        StoreUnavailable, MedLensError: as ``submit_job_and_await_result_and_folder``.
    """
    opened: list[Store] = []

    def is_let_go() -> bool:
        store = try_to_open()
        opened.extend([] if store is None else [store])
        return store is not None

    try:
        outcome = submit_job_and_await_result_and_folder(
            store_path, command, file=file, is_let_go=is_let_go
        )
    except LetGo:
        return opened[0]
    for store in opened:  # The app took the job at the last moment.
        store.close()
    return outcome


_ROWS = 100
"""How many refused rows an outcome tells of."""


def _outcome_of(error: MedLensError) -> dict[str, Any]:
    """The error in which a job ended, as its outcome."""
    rows = error.rows[:_ROWS] if isinstance(error, BadFile) else ()
    return {
        "error": error.message,
        "hint": error.hint,
        "class": type(error).__name__,
        "rows": [asdict(row) for row in rows],
    }


def _error_of(outcome: Mapping[str, Any]) -> MedLensError:
    """The error in which a job ended, of the class that it had in the app."""
    message, hint = outcome["error"], outcome.get("hint", "")
    if outcome.get("class") == BadFile.__name__:
        return BadFile(message, hint=hint, rows=[BadRow(**row) for row in outcome["rows"]])
    known = {one.__name__: one for one in (InvalidInput, Conflict, NotAllowed, StoreUnavailable)}
    return known.get(outcome.get("class", ""), MedLensError)(message, hint=hint)


def _is_ours(path: Path) -> bool:
    """Whether it is a real folder made by the app's own user: a link would send the results
    elsewhere.
    """
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and _is_own(found)


def _is_own(found: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or found.st_uid == os.geteuid()


def _leave_plain_files(path: Path) -> None:
    """Remove everything from a job's folder that is not a plain file of its own.

    A link would make the app read or write elsewhere; a pipe would make it wait for ever.

    Raises:
        InvalidInput: there was such a thing.
    """
    odd = [one for one in path.iterdir() if not stat.S_ISREG(one.lstat().st_mode)]
    for one in odd:
        if one.is_dir() and not one.is_symlink():
            shutil.rmtree(one)
        else:
            one.unlink()
    if odd:
        raise InvalidInput(f"The job contains something that is not a file: {odd[0].name!r}.")


def _command_in(path: Path) -> dict[str, Any]:
    """What a job asks for.

    Raises:
        InvalidInput: it cannot be read.
    """
    file = path / "command.json"
    try:
        if file.stat().st_size > _LONGEST_COMMAND:
            raise InvalidInput("The job's command is too long.")
        command = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidInput("The job's command cannot be read.") from error
    if not isinstance(command, dict):
        raise InvalidInput("The job's command is not an object.")
    return command


class InboxWatcher:
    """The app's side: a thread that does the jobs one by one."""

    def __init__(self, store: Store, runner: Runner) -> None:
        self._store = store
        self._runner = runner
        self._folder = path_of_inbox_folder(store.path)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="medlens-inbox", daemon=True)

    def start_watching_inbox(self) -> None:
        """Start watching; jobs that a killed server left half done come first."""
        self._thread.start()

    def finish_job_and_stop_watching(self) -> None:
        """Finish the current job and stop."""
        self._stop.set()
        self._thread.join(timeout=30)

    def _watch(self) -> None:
        said = ""
        while not self._stop.is_set():
            try:
                self.do_waiting_jobs_and_count()
                said = ""
            except (StoreUnavailable, OSError) as error:
                why = error.message if isinstance(error, MedLensError) else error.strerror
                words = f"Jobs from the command line are not accepted: {why}"
                if words != said:
                    _log.warning("%s", words, extra={"words": words})
                said = words
            self._stop.wait(_POLL_SECONDS)

    def do_waiting_jobs_and_count(self) -> int:
        """Do every waiting job; returns how many.

        Raises:
            StoreUnavailable: others have access to the folder.
        """
        if not os.path.lexists(self._folder):
            return 0
        make_inbox_folder(self._store.path)
        count = 0
        for path in sorted(self._folder.iterdir()):
            kind, _, job = path.name.partition("-")
            if kind not in ("job", "run") or not _is_ours(path):
                continue
            try:
                taken = path if kind == "run" else path.rename(path.with_name(f"run-{job}"))
                self._do(taken, job)
            except OSError as error:
                # For example, its name may be that of a job already done: the others must not wait
                # for it.
                words = f"A job from the command line failed: {error.strerror}."
                _log.warning("%s", words, extra={"words": words})
                shutil.rmtree(path, ignore_errors=True)
                shutil.rmtree(path.with_name(f"run-{job}"), ignore_errors=True)
            count += 1
        return count

    def _do(self, path: Path, job: str) -> None:
        try:
            _leave_plain_files(path)
            command = _command_in(path)
            outcome = dict(self._runner(command, path))
            self._store.append("job", {"id": job, "command": str(command.get("verb", ""))})
        except MedLensError as error:
            outcome = _outcome_of(error)
        except Exception as error:  # noqa: BLE001  (one bad job must not end the inbox)
            _log.exception("Job %s failed", job)
            outcome = {"error": f"The app failed: {error}", "hint": "See the app's log."}
        logs.log_event("job", outcome="failed" if "error" in outcome else "done")
        part = path / ".outcome"
        try:
            part.write_text(json.dumps(outcome), encoding="utf-8")
        except OSError:
            # The disk is full: deleting what the job left makes room to say so.
            for left in path.iterdir():
                left.unlink()
            said = {"error": "The disk is full.", "hint": "Free some space and try again."}
            part.write_text(json.dumps(outcome if "error" in outcome else said), encoding="utf-8")
        os.replace(part, path / "outcome.json")
        path.rename(path.with_name(f"done-{job}"))
