"""Work handed from the command line to the app that holds the store.

A DuckDB file belongs to one process. When the app has it open, the command line puts a job (the
command and, for an import, the file) into a folder beside the store with one atomic rename, the app
takes it up, and the command line waits for the outcome. A job's id is recorded in the store, and
imports add nothing twice, so that a server killed in mid-job does it once.
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
from pathlib import Path
from typing import Any

from medlens.errors import MedLensError, StoreUnavailable
from medlens.store import Store, new_id

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.2
_HEARTBEAT_SECONDS = 15.0

Runner = Callable[[Mapping[str, Any], Path], Mapping[str, Any]]
"""Does one job: (command, the job's folder, where its file lies and results go) → what it did."""


def folder_of(store_path: str | Path) -> Path:
    """Where the jobs for a store lie."""
    path = Path(store_path)
    return path.with_name(path.name + ".inbox")


def hand_over(
    store_path: str | Path,
    command: Mapping[str, Any],
    *,
    file: Path | None = None,
    waiting: Callable[[], None] = lambda: None,
    patience: float = 600.0,
) -> tuple[dict[str, Any], Path]:
    """Give a job to the app and wait: returns its outcome and the folder with its results.

    The caller removes the folder when done. ``waiting`` is called while there is none yet.

    Raises:
        StoreUnavailable: nobody takes the job up (``patience`` bounds the whole wait, in seconds).
        MedLensError: what the job itself ended in.
    """
    inbox = folder_of(store_path)
    inbox.mkdir(mode=0o700, exist_ok=True)
    job = new_id()
    part = Path(tempfile.mkdtemp(prefix=".part-", dir=inbox))
    if file is not None:
        shutil.copyfile(file, part / file.name)
    (part / "command.json").write_text(json.dumps(dict(command)), encoding="utf-8")
    os.replace(part, inbox / f"job-{job}")
    done = inbox / f"done-{job}"
    started = time.monotonic()
    while not (done / "outcome.json").exists():
        untouched = (inbox / f"job-{job}").exists()
        if time.monotonic() - started > (_HEARTBEAT_SECONDS if untouched else patience):
            with contextlib.suppress(OSError):
                shutil.rmtree(inbox / f"job-{job}")
            raise StoreUnavailable(
                f"Another process holds the store {store_path} and does not answer.",
                hint="If it is not the MedLens app, stop it and try again.",
            )
        waiting()
        time.sleep(_POLL_SECONDS / 2)
    outcome = json.loads((done / "outcome.json").read_text(encoding="utf-8"))
    if "error" in outcome:
        shutil.rmtree(done, ignore_errors=True)
        raise MedLensError(outcome["error"], hint=outcome.get("hint", ""))
    return outcome, done


def _is_ours(path: Path) -> bool:
    """A real folder that the app's own user made: a link would lead the results elsewhere."""
    found = path.lstat()
    own = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
    return stat.S_ISDIR(found.st_mode) and own


class Inbox:
    """The app's side: a thread that takes up jobs one by one."""

    def __init__(self, store: Store, runner: Runner) -> None:
        self._store = store
        self._runner = runner
        self._folder = folder_of(store.path)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="medlens-inbox", daemon=True)

    def start(self) -> None:
        """Begin to watch; jobs that a killed server left half done come first."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the job under way and stop."""
        self._stop.set()
        self._thread.join(timeout=30)

    def _watch(self) -> None:
        while not self._stop.is_set():
            try:
                self.work_off()
            except OSError:
                _log.exception("The inbox %s cannot be read", self._folder)
            self._stop.wait(_POLL_SECONDS)

    def work_off(self) -> int:
        """Do every job that lies there; returns how many."""
        if not self._folder.is_dir():
            return 0
        count = 0
        for path in sorted(self._folder.iterdir()):
            kind, _, job = path.name.partition("-")
            if kind not in ("job", "run") or not _is_ours(path):
                continue
            self._do(path.rename(path.with_name(f"run-{job}")), job)
            count += 1
        return count

    def _do(self, path: Path, job: str) -> None:
        try:
            command = json.loads((path / "command.json").read_text(encoding="utf-8"))
            outcome = dict(self._runner(command, path))
            self._store.append("job", {"id": job, "command": str(command.get("verb", ""))})
        except MedLensError as error:
            outcome = {"error": error.message, "hint": error.hint}
        except Exception as error:  # noqa: BLE001  (one bad job must not end the inbox)
            _log.exception("Job %s failed", job)
            outcome = {"error": f"The app failed at this: {error}", "hint": "See the app's log."}
        part = path / ".outcome"
        part.write_text(json.dumps(outcome), encoding="utf-8")
        os.replace(part, path / "outcome.json")
        path.rename(path.with_name(f"done-{job}"))
