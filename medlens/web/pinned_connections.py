"""Connections to exactly the address that was checked."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from ipaddress import ip_address

import httpcore2

from medlens.web.public_address_check_before_fetching import (
    AddressRefused,
    is_host_allowed,
    parse_ip_address_in_any_form,
    reason_ip_address_is_refused,
)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
_TRIED = 4
_NO_NAME = {socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)}
_OFFLINE = {errno.ENETUNREACH, errno.ENETDOWN}


class NoSuchHost(Exception):
    """The name does not resolve."""


class Offline(Exception):
    """Names cannot be resolved, or there is no network: says nothing about the page."""


async def resolve_host(host: str, port: int) -> Sequence[str]:
    """The addresses of a name, from this machine's resolver.

    Raises:
        NoSuchHost, Offline: there are none, or the resolver cannot be asked.
    """
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except socket.gaierror as error:
        raise (NoSuchHost if error.errno in _NO_NAME else Offline)(str(error)) from error
    except UnicodeError as error:
        raise NoSuchHost(str(error)) from error
    return list(dict.fromkeys(str(one[4][0]) for one in found))


def _no_network(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, OSError) and error.errno in _OFFLINE:
            return True
        error = error.__cause__ or error.__context__
    return False


class Pinned(httpcore2.AsyncNetworkBackend):
    """Resolves a name, refuses addresses that are not public, and connects to the address it
    checked.

    The host in the request and in TLS stays the name. ``allowed`` names are not refused. A proxy
    from the environment is never used, since it would resolve the name again; one from the settings
    is (``Exchange``).
    """

    def __init__(
        self,
        *,
        allowed: Collection[str] = (),
        resolve: Resolve = resolve_host,
        dial: httpcore2.AsyncNetworkBackend | None = None,
    ) -> None:
        self._allowed, self._resolve = allowed, resolve
        self._dial = dial or httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the first of the name's addresses that accepts it.

        Raises:
            AddressRefused: one of them is not public; then none is tried.
            NoSuchHost, Offline, httpcore2.ConnectError, httpcore2.ConnectTimeout
        """
        last: Exception = NoSuchHost(host)
        offline = True
        for address in (await self._checked(host, port))[:_TRIED]:
            try:
                return await self._dial.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
                offline = offline and _no_network(error)
        if offline and not isinstance(last, NoSuchHost):
            raise Offline("there is no network") from last
        raise last

    async def check(self, host: str, port: int) -> None:
        """Refuse a host with an address that is not public; if this machine cannot resolve it,
        leave it to the proxy that will.

        Raises:
            AddressRefused: one of its addresses is not public.
        """
        with contextlib.suppress(NoSuchHost, Offline):
            await self._checked(host, port)

    async def _checked(self, host: str, port: int) -> Sequence[str]:
        own = parse_ip_address_in_any_form(host)
        addresses = [str(own)] if own else await self._resolve(host, port)
        if not is_host_allowed(host, port, self._allowed):
            for address in addresses:
                reason = reason_ip_address_is_refused(ip_address(address.partition("%")[0]))
                if reason:
                    raise AddressRefused(f"its host is {reason}")
        return addresses

    async def sleep(self, seconds: float) -> None:
        """Wait between two attempts."""
        await asyncio.sleep(seconds)
