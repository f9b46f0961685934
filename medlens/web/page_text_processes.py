"""Processes that turn pages into text, so a hostile page can only take down one of them.

``python -m medlens.web.page_text_processes`` is such a process. For each page it reads a line of
JSON and the bytes, and writes a line of JSON. It has no environment (and so no key) and limited
memory, and is killed if it takes too long.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Literal

from medlens import confined_process
from medlens.web.content_sniffing import Kind
from medlens.web.page_and_pdf_text_extraction import (
    PageText,
    preload_html_parser,
    read_page_text_title_and_outcome,
)

_MEMORY = 2 << 30
_LINE = 64 << 20
_PIECE = 1 << 20
Failed = Literal["timeout", "unsupported_type"]


class Unread(Exception):
    """A page that could not be read: ``outcome`` and why."""

    def __init__(self, outcome: Failed, reason: str) -> None:
        super().__init__(reason)
        self.outcome: Failed = outcome
        self.reason = reason


class Reader:
    """Reads pages in up to ``processes`` processes at once, each page for at most ``seconds``."""

    def __init__(self, *, processes: int = 2, seconds: float = 30.0) -> None:
        self._seconds = seconds
        self._places = asyncio.Semaphore(processes)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    async def start_first_process(self) -> None:
        """Start the first process before the first page arrives, since that takes a second."""
        if not self._all:
            self._idle.append(await self._start())

    async def read_page(self, kind: Kind, body: bytes, *, charset: str = "") -> PageText:
        """The text of a page.

        Raises:
            Unread: it takes too long, or its reader crashed.
        """
        head = {"kind": kind, "charset": charset, "size": len(body), "seconds": self._seconds}
        async with self._places:
            process = self._idle.pop() if self._idle else await self._start()
            try:
                line = await self._through(process, json.dumps(head).encode() + b"\n", body)
                answer = PageText(**json.loads(line))
            except TimeoutError as error:
                await self._kill(process)
                raise Unread(
                    "timeout", f"it could not be read within {self._seconds:g} seconds"
                ) from error
            except (ValueError, ConnectionError) as error:
                await self._kill(process)
                raise Unread("unsupported_type", "its content cannot be read") from error
            except BaseException:
                await self._kill(process)
                raise
            self._idle.append(process)
            return answer

    async def _through(
        self, process: asyncio.subprocess.Process, head: bytes, body: bytes
    ) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(self._seconds):
            process.stdin.write(head)
            # In pieces: whatever a pipe has not accepted yet is kept as a copy.
            for at in range(0, len(body), _PIECE):
                process.stdin.write(body[at : at + _PIECE])
                await process.stdin.drain()
            return await process.stdout.readline()

    async def _start(self) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            __name__,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=_LINE,
            cwd=Path(__file__).resolve().parents[2],
            env=confined_process.environment_variables_of_confined_process(),
        )
        self._all.add(process)
        return process

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def aclose(self) -> None:
        """End the processes."""
        for process in list(self._all):
            await self._kill(process)
        self._idle.clear()


def serve_page_reader() -> None:
    """Read pages from the standard input until it ends."""
    confined_process.limit_memory(_MEMORY)
    preload_html_parser()
    given, out = sys.stdin.buffer, sys.stdout.buffer
    while line := given.readline():
        head = json.loads(line)
        body = given.read(head["size"])
        # Ends this process if its parent was killed while a page keeps it busy.
        if hasattr(signal, "alarm"):
            signal.alarm(int(head["seconds"]) + 5)
        try:
            found = read_page_text_title_and_outcome(head["kind"], body, charset=head["charset"])
        except (MemoryError, RecursionError, ValueError, AssertionError) as error:
            found = PageText("unsupported_type", reason=f"cannot be read ({type(error).__name__})")
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        # With escapes, a page of emoji would be three times as long.
        said = json.dumps(asdict(found), ensure_ascii=False)
        out.write(said.encode("utf-8", "surrogatepass") + b"\n")
        out.flush()


if __name__ == "__main__":
    serve_page_reader()
