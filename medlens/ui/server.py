"""The app as a server: Streamlit as an ASGI application behind a guard of headers and host names.

``serve`` is what ``python -m medlens serve`` calls. ``streamlit run app.py`` serves the same pages
without the guard, for development; ``refuse_open_door`` closes the gap that matters there.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import hashlib
import ipaddress
import re
import signal
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st
import uvicorn
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config
from streamlit.auth_util import get_redirect_uri, get_secrets_auth_section
from streamlit.web import bootstrap

from medlens.errors import MedLensError
from medlens.settings import PROJECT, Settings

APP = PROJECT / "app.py"
GRACE_SECONDS = 4
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  (compared with, not listened on)

# Parts of Streamlit that MedLens does not use, and that tell strangers about the server.
_CLOSED = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")

_POLICY = {
    "default-src": "'self'",
    "base-uri": "'none'",
    "connect-src": "'self'",
    "font-src": "'self' data:",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "frame-src": "'self'",
    "img-src": "'self' data: blob:",
    "media-src": "'self' blob:",
    "object-src": "'none'",
    # Streamlit's components are styled from script, at run time.
    "style-src": "'self' 'unsafe-inline'",
    "worker-src": "'self' blob:",
}
_HEADERS = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach ``host`` (a name or an address)."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def sign_in_is_set_up() -> bool:
    """Whether Streamlit's secrets have an ``[auth]`` section to sign in with."""
    return bool(get_secrets_auth_section())


def refuse_open_door() -> None:
    """Refuse to work where strangers may be listening and nobody has to sign in.

    Call it on every page. It looks at the address the server was started with, however it was
    started, and at the name and the proxy headers the request came with.

    Raises:
        MedLensError: reachable beyond this machine, without sign-in.
    """
    if sign_in_is_set_up():
        return
    address = config.get_option("server.address")
    if address is None or not is_loopback(str(address)):
        raise _open_door(f"listens on {address or 'every address'}")
    headers = st.context.headers
    host = urlsplit(f"//{headers.get('Host', 'localhost')}").hostname or ""
    if not is_loopback(host):
        raise _open_door(f"was called as {host}")
    if any(headers.get(name) for name in ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host")):
        raise _open_door("stands behind a proxy")


def _open_door(how: str) -> MedLensError:
    return MedLensError(
        f"MedLens {how}, where others can reach it, but sign-in is not set up.",
        hint="Serve it on 127.0.0.1, or add [auth] to .streamlit/secrets.toml "
        "(medlens.example.toml shows how).",
    )


def serve(
    settings: Settings,
    *,
    host: str | None = None,
    port: int | None = None,
    open_browser: bool = False,
    script: Path = APP,
    on_start: Callable[[], None] | None = None,
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the app until it is told to stop (interrupt or terminate); sessions get 4 s to end.

    ``host`` and ``port`` win over the settings. ``on_start`` runs once, before the first request
    (open the store there); what it raises ends the server and is raised here. ``on_ready`` is told
    the app's address as soon as it answers.

    Returns when it was stopped. Call it in the main thread, which is where signals arrive.

    Raises:
        MedLensError: beyond loopback without sign-in, or the port is taken.
    """
    host, port = host or settings.serve.host, port or settings.serve.port
    config._main_script_path = str(script)
    names = _configure(settings, host, port)
    if not is_loopback(host) and not sign_in_is_set_up():
        raise _open_door(f"would listen on {host}")
    listening = _bind(host, port)
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
            # What start-up made lives as long as the process: collections need not look at it.
            gc.collect()
            gc.freeze()
            if on_ready is not None:
                on_ready(address)
            if open_browser:
                webbrowser.open(address)
        yield

    guard = Middleware(Guard, hosts=names, https=_is_https())
    server = uvicorn.Server(
        uvicorn.Config(
            st.App(script, lifespan=life, middleware=[guard]),
            access_log=False,
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
            ws="websockets-sansio",
            ws_max_size=int(config.get_option("server.maxMessageSize")) * 2**20,
        )
    )
    # uvicorn raises the signal that stopped it once more: as an exception that can be caught here,
    # so that whoever called is given back the process, and can close what it opened.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, before)
        listening.close()
    if failures:
        raise failures[0]


def _configure(settings: Settings, host: str, port: int) -> tuple[str, ...]:
    """Set Streamlit's options for production; return the names the app answers to."""
    bootstrap.load_config_options(
        {
            "server.address": host,
            "server.port": port,
            "server.headless": True,
            "server.fileWatcherType": "none",
            "client.showErrorDetails": "none",
        }
    )
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


def content_security_policy(*, scripts: Iterable[str] = (), framed_by: str = "'none'") -> str:
    """The policy's text. ``scripts`` are sources allowed besides the server's own files."""
    parts = {**_POLICY, "frame-ancestors": framed_by}
    parts["script-src"] = " ".join(["'self'", *scripts])
    return "; ".join(f"{name} {parts[name]}" for name in sorted(parts))


def _inline_scripts() -> list[str]:
    """Hashes of the scripts written into Streamlit's own page; nothing else inline may run."""
    page = Path(st.__file__).parent / "static" / "index.html"
    found = re.findall(r"<script>(.*?)</script>", page.read_text(encoding="utf-8"), re.DOTALL)
    digests = (hashlib.sha256(text.encode()).digest() for text in found)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


class Guard:
    """ASGI middleware: answers only to known host names, closes unused doors, adds the headers."""

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], https: bool = False) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._headers = dict(_HEADERS)
        if https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"
        self._page_policy = content_security_policy(scripts=_inline_scripts())
        # Packaged components live in frames of this same site.
        self._frame_policy = content_security_policy(framed_by="'self'")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._host(scope) not in self._hosts:
            await self._refuse(scope, receive, send, 400, "This server has another name.")
        elif scope["type"] == "websocket" and not self._same_origin(scope):
            await self._refuse(scope, receive, send, 403, "This page is another server's.")
        elif scope["path"].startswith(_CLOSED):
            await self._refuse(scope, receive, send, 404, "Not found.")
        else:
            await self._app(scope, receive, self._with_headers(scope, send))

    @staticmethod
    def _same_origin(scope: Scope) -> bool:
        """Whether the page that opens the connection came from here: its host and port are ours.

        Streamlit lets every port of this machine in, and another program's page is one of them.
        """
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get(b"origin")
        return origin is None or urlsplit(origin).netloc == headers.get(b"host")

    @staticmethod
    def _host(scope: Scope) -> str | None:
        sent = [value for name, value in scope["headers"] if name == b"host"]
        if len(sent) != 1:
            return None
        try:
            host = urlsplit(f"//{sent[0].decode('ascii')}").hostname
        except ValueError:
            return None
        return host.rstrip(".") if host else None

    async def _refuse(
        self, scope: Scope, receive: Receive, send: Send, status: int, text: str
    ) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        response = PlainTextResponse(text, status)
        await response(scope, receive, self._with_headers(scope, send))

    def _with_headers(self, scope: Scope, send: Send) -> Send:
        framed = scope["path"].startswith("/component/")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                headers["Content-Security-Policy"] = (
                    self._frame_policy if framed else self._page_policy
                )
            await send(message)

        return send_with_headers
