"""Connections to an endpoint, each in its own pool.

Whenever it hands out a connection, the transport's pool checks every idle one with several system
calls; with 32 parallel calls that was a third of a call's cost.
"""

from __future__ import annotations

import functools
import ssl
from collections.abc import AsyncIterator, Callable

import httpx2

from medlens.config.settings import Model


def make_client_without_proxy(model: Model) -> httpx2.AsyncClient:
    """A client for an endpoint that is reached without a proxy."""
    return httpx2.AsyncClient(
        transport=Lanes(), base_url=model.base_url, timeout=model.timeout, follow_redirects=True
    )


@functools.cache
def _certificates() -> ssl.SSLContext:
    """The trusted certificates; reading them takes longer than everything else a client needs."""
    return httpx2.create_ssl_context()


class Lanes(httpx2.AsyncBaseTransport):
    """Sends each request over a connection that nobody else is using."""

    def __init__(self) -> None:
        self._context = _certificates()
        self._limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        self._free: list[httpx2.AsyncHTTPTransport] = []
        self._all: list[httpx2.AsyncHTTPTransport] = []

    def _lane(self) -> httpx2.AsyncHTTPTransport:
        if self._free:
            return self._free.pop()
        lane = httpx2.AsyncHTTPTransport(verify=self._context, limits=self._limits)
        self._all.append(lane)
        return lane

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request; its connection is free again when the response is closed."""
        lane = self._lane()
        try:
            response = await lane.handle_async_request(request)
        except BaseException:
            self._free.append(lane)
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Returning(response.stream, lambda: self._free.append(lane))
        return response

    async def aclose(self) -> None:
        """Close every connection."""
        for lane in self._all:
            await lane.aclose()


class _Returning(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, closed: Callable[[], object]) -> None:
        self._stream = stream
        self._closed = closed
        self._open = True

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        try:
            await self._stream.aclose()
        finally:
            if self._open:
                self._open = False
                self._closed()
