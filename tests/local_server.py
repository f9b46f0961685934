"""A local HTTP server in a thread of its own, which the servers of models and of pages are."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import threading
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class LocalServer(ABC):
    """``with Server() as server:``; a subclass answers one request in ``_one``."""

    def __init__(self, *, name: str, context: ssl.SSLContext | None = None) -> None:
        self.port = self.total = 0
        self._context = context
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name=name)

    def start(self, port: int = 0) -> Self:
        self.port = port
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(
                self._serve, "127.0.0.1", self.port, backlog=512, ssl=self._context
            )
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while await self._one(reader, writer):
                pass
        writer.close()

    @abstractmethod
    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays open for another."""

    @staticmethod
    async def _head(reader: asyncio.StreamReader) -> tuple[str, str, dict[str, str]]:
        """Method, path and headers of the next request."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        pairs = (line.partition(":") for line in head[1:] if line)
        return method, path, {name.lower(): value.strip() for name, _, value in pairs}
