"""Processes that read files, started and ended from the app."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache

from medlens import confined_process, landlock
from medlens.app.file_intake import messages_between_processes
from medlens.config.shipped_and_home_folders import IMPORTED_FROM

_log = logging.getLogger(__name__)
_AT_ONCE = 2
UNCONFINED = (
    "This system cannot keep the processes that read uploaded files from other files of this user:"
    " it has no Landlock (Linux 5.13)."
)


def _path_of_installed() -> dict[str, str]:
    """Where a reader finds studies of other distributions, wherever this process found them."""
    from medlens.studies.installed_studies_and_bridges import (
        list_folders_of_installed_distributions,
    )

    folders = list_folders_of_installed_distributions()
    return {"PYTHONPATH": os.pathsep.join(folders)} if folders else {}


@cache
def log_once_if_readers_are_unconfined() -> None:
    """Say in the log that a hostile file could read what MedLens can, where it could."""
    if not landlock.landlock_version_of_kernel():
        _log.warning("%s", UNCONFINED, extra={"words": UNCONFINED})


class ReaderProcesses:
    """Makes readers, up to two at once, out of one process that has loaded what they need."""

    def __init__(self) -> None:
        self.places = threading.BoundedSemaphore(_AT_ONCE)
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | int = 0
        self._owner = 0

    def start_parent_of_readers(self) -> None:
        """Start the process that readers are made of, which takes it a second or two."""
        with self._lock:
            self._start()

    def fork_parent_of_readers(self) -> None:
        """Let readers be made of this process: for one that runs no thread and has no store open,
        such as a command that has just begun."""
        log_once_if_readers_are_unconfined()
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if not pid:
            ours.close()
            passed_on = confined_process.environment_variables_of_confined_process()
            os.environ.clear()
            os.environ.update(passed_on)
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(silence, stream)
            from medlens.app.file_intake.reader_worker import fork_readers_on_request

            fork_readers_on_request(theirs)
        theirs.close()
        self._control, self._process, self._owner = ours, pid, os.getpid()

    @contextlib.contextmanager
    def start_reader_and_end_it_after_block(self) -> Iterator[tuple[socket.socket, EndedReader]]:
        """A new reader: the line to it, and what says how it ended. It is gone at the end."""
        ours, theirs = socket.socketpair()
        pid = 0
        try:
            with self._lock:
                try:
                    pid = self._begin(theirs)
                except (OSError, EOFError):
                    # The process was killed, by a system short of memory perhaps: start another.
                    self._forget()
                    pid = self._begin(theirs)
            theirs.close()
            ended = EndedReader(self, pid)
            try:
                yield ours, ended
            finally:
                ended.wait_for_exit_status_and_memory_by_name()
        finally:
            ours.close()
            theirs.close()

    def _begin(self, theirs: socket.socket) -> int:
        control = self._start()
        messages_between_processes.send_pickle_with_open_files(
            control, {"do": "begin"}, [theirs.fileno()]
        )
        return int(messages_between_processes.receive_dict_and_file_descriptors(control)[0]["pid"])

    def _start(self) -> socket.socket:
        if self._control is not None and self._owner == os.getpid():
            return self._control
        log_once_if_readers_are_unconfined()
        ours, theirs = socket.socketpair()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "medlens.app.file_intake.reader_worker"],
            stdin=theirs.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=IMPORTED_FROM,
            env=confined_process.environment_variables_of_confined_process() | _path_of_installed(),
            start_new_session=True,
        )
        theirs.close()
        self._control, self._owner = ours, os.getpid()
        return ours

    def end_reader_and_return_status_and_peak_memory(
        self, pid: int, patience: float
    ) -> dict[str, int]:
        """End a reader that does not within ``patience`` seconds; how it ended, as the process that
        made it says."""
        with self._lock:
            try:
                if self._control is not None:
                    messages_between_processes.send_pickle_with_open_files(
                        self._control, {"do": "end", "pid": pid, "patience": patience}
                    )
                    return messages_between_processes.receive_dict_and_file_descriptors(
                        self._control
                    )[0]
            except (OSError, EOFError):
                self._forget()
            return {"status": -1, "peak": 0}

    def _forget(self) -> None:
        if self._control is not None:
            self._control.close()
        self._control = None

    def close(self) -> None:
        """End them all."""
        with self._lock:
            mine = self._owner == os.getpid()
            self._forget()
            if not mine:
                return
            if isinstance(self._process, subprocess.Popen):
                self._process.wait()
            elif self._process:
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(self._process, 0)
            self._process = 0


class EndedReader:
    """How a reader ended; asking ends it."""

    def __init__(self, readers: ReaderProcesses, pid: int) -> None:
        self._readers, self._pid = readers, pid
        self._how: dict[str, int] | None = None

    def wait_for_exit_status_and_memory_by_name(self, patience: float = 0) -> dict[str, int]:
        """Its status, as ``os.waitpid`` says it, and the most memory in bytes that it took.

        The status is -1 when it was ended since it did not end by itself within ``patience``
        seconds."""
        if self._how is None:
            self._how = self._readers.end_reader_and_return_status_and_peak_memory(
                self._pid, patience
            )
        return self._how

    def ending_signal_name(self) -> str:
        """The name of the signal by which it ended without us, or an empty text."""
        status = self.wait_for_exit_status_and_memory_by_name()["status"]
        if status < 0 or not os.WIFSIGNALED(status):
            return ""
        with contextlib.suppress(ValueError):
            return signal.Signals(os.WTERMSIG(status)).name
        return f"signal {os.WTERMSIG(status)}"


@cache
def readers_of_this_process() -> ReaderProcesses:
    """This process's own."""
    readers = ReaderProcesses()
    atexit.register(readers.close)
    return readers
