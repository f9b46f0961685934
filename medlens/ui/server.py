"""The app as a server: Streamlit as an ASGI application behind a guard (headers, host names).

``python -m medlens serve`` calls ``serve``. ``streamlit run app.py`` serves the same pages without
the guard, for development; ``refuse_to_serve_public_without_sign_in`` closes the gap that matters
there.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import signal
import socket
import sys
import time
import webbrowser
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from urllib.parse import urlsplit

import h11
import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from medlens.config.host_and_address_values import is_loopback_host
from medlens.config.settings import Settings
from medlens.config.shipped_and_home_folders import HOME, SHIPPED
from medlens.errors import MedLensError
from medlens.telemetry import logs
from medlens.telemetry.host_header_parser import find_host_name_in_header
from medlens.ui import page_telemetry
from medlens.ui.browser_bound_sessions import App, BrowserBoundRuntime
from medlens.ui.request_guard import Guard
from medlens.ui.streamlit_internals import (
    config,
    exists,
    get_instance,
    get_max_widget_state_size_bytes,
    get_redirect_uri,
    get_secrets_auth_section,
    set_streamlit_options,
)

# HTTP with a time limit for clients: one that sends half a request and waits is disconnected.
#
# Uvicorn waits for ever for the rest of a request, and each waiting request holds an open file.


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


_PATIENCE = 5.0
_GOOD_FOR = 1.0


# Health checks for machines: ``/healthz`` (is it alive?), ``/readyz`` (can it work?).
#
# Both answer without sign-in, and say nothing else.


class Health:
    """``goes_on``: whether the server is not stopping; ``is_well``: whether it can work, which is
    checked in a thread, by one request at a time, and at most once a second.
    """

    def __init__(self, goes_on: Callable[[], bool], is_well: Callable[[], bool]) -> None:
        self._goes_on, self._is_well = goes_on, is_well
        self._look: asyncio.Task[bool] | None = None
        self._found, self._until = False, 0.0
        self.routes = [Route("/healthz", self._healthz), Route("/readyz", self._readyz)]

    async def _healthz(self, _: Request) -> PlainTextResponse:
        return PlainTextResponse("alive\n", headers=_FRESH)

    async def _readyz(self, _: Request) -> PlainTextResponse:
        if self._goes_on() and await self._well():
            return PlainTextResponse("ready\n", headers=_FRESH)
        return PlainTextResponse("not ready\n", 503, headers=_FRESH)

    async def _well(self) -> bool:
        if time.monotonic() < self._until:
            return self._found
        if self._look is None:
            self._look = asyncio.create_task(asyncio.to_thread(self._is_well))
        look = self._look
        # If the check hangs, it hangs alone: later requests wait for the same one.
        done, _ = await asyncio.wait([look], timeout=_PATIENCE)
        if not done:
            return False
        if self._look is look:
            self._look = None
            self._found = not look.exception() and look.result()
            self._until = time.monotonic() + _GOOD_FOR
        return self._found


_FRESH = {"Cache-Control": "no-store"}


APP = SHIPPED / "app.py"
GRACE_SECONDS = 4
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  (compared with, not listened on)


def is_sign_in_set_up() -> bool:
    """Whether Streamlit's secrets have an ``[auth]`` section to sign in with."""
    return bool(get_secrets_auth_section())


def public_server_address() -> str:
    """The app's public address, without a path, for links that a lead sends out."""
    if redirect := _redirect_uri():
        return urlsplit(redirect)._replace(path="", query="", fragment="").geturl()
    return f"http://{st.context.headers.get('Host', 'localhost')}"


def refuse_to_serve_public_without_sign_in() -> None:
    """Refuse to run if strangers could reach the app and nobody has to sign in.

    Call it on every page. It checks the address the server was started with, however it was
    started, and the host name and proxy headers of the request. With sign-in it refuses ``streamlit
    run``, where nothing would end a session or limit uploads.

    Raises:
        MedLensError: reachable beyond this machine, without sign-in; or with it, but unguarded.
    """
    if is_sign_in_set_up():
        if exists() and not isinstance(get_instance(), BrowserBoundRuntime):
            raise MedLensError(
                "With sign-in, MedLens cannot be served by `streamlit run`.",
                hint="Start it with `python -m medlens serve`.",
            )
        return
    address = config.get_option("server.address")
    if address is None or not is_loopback_host(str(address)):
        raise _open_door(f"listens on {address or 'every address'}")
    headers = st.context.headers
    sent = headers.get("Host", "localhost")
    if not is_loopback_host(find_host_name_in_header(sent) or ""):
        raise _open_door(f"was called as {sent}")
    if any(headers.get(name) for name in ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host")):
        raise _open_door("is behind a proxy")


def _open_door(how: str) -> MedLensError:
    return MedLensError(
        f"MedLens {how}, where others can reach it, but sign-in is not set up.",
        hint="Serve it on 127.0.0.1, or add [auth] to .streamlit/secrets.toml "
        "(medlens.example.toml shows how).",
    )


def serve_streamlit(
    settings: Settings,
    *,
    host: str | None = None,
    port: int | None = None,
    open_browser: bool = False,
    script: Path = APP,
    on_start: Callable[[], None] | None = None,
    on_ready: Callable[[str], None] | None = None,
    is_well: Callable[[], bool] = lambda: True,
) -> None:
    """Serve the app until it is told to stop (interrupt or terminate); sessions get 4 s to end.

    ``host`` and ``port`` override the settings. ``on_start`` runs once, before the first request
    (open the store there); if it raises, the server ends and the error is raised here. ``on_ready``
    gets the app's address as soon as it answers. ``/readyz`` says yes while ``is_well`` does and
    nobody has asked the server to stop, ``/healthz`` as long as the process answers.

    Returns when the server has stopped. Call it in the main thread, which receives the signals.

    Raises:
        MedLensError: beyond loopback without sign-in, or a port is taken.
    """
    host, port = host or settings.serve.host, port or settings.serve.port
    names = _configure(settings, script, host, port)
    if not is_loopback_host(host) and not is_sign_in_set_up():
        raise _open_door(f"would listen on {host}")
    listening = _bind(host, port)
    try:
        stop_watching = page_telemetry.begin_telemetry_and_return_end(settings)
    except BaseException:
        listening.close()
        raise
    address = _address(host, port)
    failures: list[BaseException] = []

    @contextlib.asynccontextmanager
    async def life(_: st.App) -> AsyncIterator[None]:
        try:
            if on_start is not None:
                on_start()
        except Exception as error:  # noqa: BLE001  (uvicorn would log it and keep it)
            failures.append(error)
            server.should_exit = True
        else:
            # Objects made at start-up live as long as the process: garbage collection can skip
            # them.
            gc.collect()
            gc.freeze()
            logs.log_event("server.started")
        yield

    def tell_where() -> None:
        if on_ready is not None:
            on_ready(address)
        if open_browser:
            webbrowser.open(address)

    guard = Middleware(Guard, hosts=names, https=_is_https())
    health = Health(lambda: not server.should_exit, is_well)
    app = App(
        script,
        lifespan=life,
        middleware=[guard],
        routes=health.routes,
        on_script_error=page_telemetry.count_page_exception,
    )
    server = _Server(
        tell_where,
        uvicorn.Config(
            app,
            access_log=False,
            log_config=None,
            server_header=False,
            http=ImpatientProtocol,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ws="websockets-sansio",
            # The size of a message that Streamlit accepts, even before anybody has signed in.
            ws_max_size=get_max_widget_state_size_bytes(),
        ),
    )
    # uvicorn raises the signal that stopped it again: as an exception it can be caught here, so
    # that the caller gets the process back, and can close what it opened.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, before)
        listening.close()
        stop_watching()
        logs.log_event("server.stopped")
    if failures:
        raise failures[0]


class _Server(uvicorn.Server):
    """Calls ``on_listening`` once its socket listens, unless it is to stop already."""

    def __init__(self, on_listening: Callable[[], None], settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self._on_listening = on_listening

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if self.started and not self.should_exit:
            self._on_listening()


def _configure(settings: Settings, script: Path, host: str, port: int) -> tuple[str, ...]:
    """Set Streamlit's options for production; returns the names the app answers to."""
    set_streamlit_options(
        script,
        {
            "server.address": host,
            "server.port": port,
            "server.headless": True,
            "server.fileWatcherType": "none",
            "client.showErrorDetails": "none",
            "server.maxUploadSize": settings.uploads.file_megabytes,
            # It would print every uncaught exception beside the log, with its message.
            "logger.enableRich": False,
        },
    )
    if HOME != SHIPPED:
        # Streamlit looks beside the script, and a team's secrets never lie in the package.
        places = config.get_option("secrets.files")
        config.set_option("secrets.files", [*places, str(HOME / ".streamlit" / "secrets.toml")])
    names = {*LOOPBACK_NAMES, *settings.serve.public_hosts}
    if (redirect := urlsplit(_redirect_uri()).hostname) is not None:
        names.add(redirect)
    if host not in _EVERYWHERE:
        names.add(host)
    config.set_option("server.allowedHosts", sorted(names))
    return tuple(sorted(names))


def _redirect_uri() -> str:
    return get_redirect_uri(get_secrets_auth_section()) or ""


def _is_https() -> bool:
    return _redirect_uri().startswith("https://")


def _address(host: str, port: int) -> str:
    name = "localhost" if host in (*LOOPBACK_NAMES, *_EVERYWHERE) else host
    return f"http://{f'[{name}]' if ':' in name else name}:{port}"


def _bind(host: str, port: int) -> socket.socket:
    """A bound socket that does not listen yet, so that nobody is answered before start-up."""
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise MedLensError(
            f"MedLens cannot listen on {host}: {error.strerror or error}.",
            hint="Use 127.0.0.1, or an address of this machine.",
        ) from error
    listening = socket.socket(family, kind, protocol)
    if sys.platform != "win32":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(where)
    except OSError as error:
        listening.close()
        raise MedLensError(
            f"MedLens cannot listen on {host}, port {port}: {error.strerror or error}.",
            hint="Another MedLens may be running; stop it, or choose another port "
            "([serve] port in medlens.toml).",
        ) from error
    return listening
