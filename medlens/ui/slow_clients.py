"""HTTP with a time limit for clients: one that sends half a request and waits is disconnected.

Uvicorn waits for ever for the rest of a request, and each waiting request holds an open file.
"""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


class ImpatientProtocol(H11Protocol):
    """Uvicorn's protocol with a limit: ``patience`` seconds for the whole head of a request, and
    for each further piece of its body.
    """

    patience = 30.0
    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A client has connected and must send its request."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """A piece of a request."""
        super().data_received(data)
        waiting = self.conn.their_state
        if self.transport.get_protocol() is not self or waiting not in (h11.IDLE, h11.SEND_BODY):
            self._end()
        elif waiting is h11.SEND_BODY or self._limit is None:
            self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """The client has disconnected."""
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        self._end()
        self._limit = self.loop.call_later(self.patience, self._let_go)

    def _end(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _let_go(self) -> None:
        if self.flow.read_paused:
            # In this case it is we who are not reading.
            self._begin()
        else:
            self.transport.close()
