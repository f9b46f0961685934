"""The layer in front of Streamlit: host names, closed paths, headers, owners of files and
sockets.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gzip
import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnected

from medlens.errors import MedLensError
from medlens.telemetry.host_header_parser import find_host_name_in_header
from medlens.ui import (
    item_component_and_desk_messages,
    link_before_sign_in,
    preload_link_header_of_page_files,
    upload_endpoint,
)
from medlens.ui.compress_scripts_and_styles import CompressedFiles
from medlens.ui.session_bound_downloads import SessionBoundFiles
from medlens.ui.streamlit_internals import (
    CLOSED_ROUTES,
    COMPONENT_ROUTE,
    STATIC_FOLDER,
    XSRF_COOKIE_NAME,
    get_instance,
    media_file_storage,
)

COOKIE = "medlens_browser"
"""Tells browsers apart, so that what was made for a tab goes only to its browser."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
_DOWNLOADS = "/media/"
# Files whose address changes with their content.
_OWN_FILES = f"{COMPONENT_ROUTE}medlens."

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


def content_security_policy(*, scripts: Iterable[str] = (), framed_by: str = "'none'") -> str:
    """The policy as text. ``scripts`` are sources allowed besides the server's own files."""
    parts = {**_POLICY, "frame-ancestors": framed_by}
    parts["script-src"] = " ".join(["'self'", *scripts])
    return "; ".join(f"{name} {parts[name]}" for name in sorted(parts))


def _page() -> str:
    """Streamlit's own page, with a script of ours before its own."""
    page = (STATIC_FOLDER / "index.html").read_text("utf-8")
    ours = Path(__file__).with_name("opening.js").read_text("utf-8")
    return page.replace("<script", f"<script>{ours}</script>\n<script", 1)


def _packings(page: str) -> dict[str, bytes]:
    """A page by the encoding that it is sent in."""
    plain = page.encode()
    return {"": plain, "gzip": gzip.compress(plain, mtime=0)}


def _inline_scripts(page: str) -> list[str]:
    """Hashes of the scripts inside Streamlit's own page; no other inline script may run."""
    found = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digests = (hashlib.sha256(text.encode()).digest() for text in found)
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


def browser_id_from_cookie(connection: HTTPConnection) -> str:
    """The browser's id from its cookie; empty without a cookie of ours."""
    said = connection.cookies.get(COOKIE, "")
    return said if _TOKEN.fullmatch(said) else ""


def _is_page(scope: Scope) -> bool:
    # Deeper addresses are those of files, such as a report.
    return scope["method"] == "GET" and str(scope["path"]).count("/") == 1


class BrowserWebsocket:
    """A browser's websocket, which the server can close from any thread.

    ``tab`` is the id of the person whom the tab says it remembers; empty if it names nobody.
    """

    def __init__(self, receive: Receive, send: Send, tab: str = "") -> None:
        self._receive, self._send, self.tab = receive, send, tab
        self._loop = asyncio.get_running_loop()
        self._closing: asyncio.Task[None] | None = None
        self.over = False

    async def receive(self) -> Message:
        """The browser's next message; once the line has been ended, a disconnect."""
        message = await self._receive()
        return {"type": "websocket.disconnect", "code": 1008} if self.over else message

    async def send(self, message: Message) -> None:
        """Send to the browser, unless the line has been ended."""
        if not self.over:
            await self._send(message)

    def close_websocket(self) -> None:
        """Close the line; nothing more is received from or sent to the browser."""
        self.over = True
        with contextlib.suppress(RuntimeError):  # the server has ended
            self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        async def close() -> None:
            # The connection may already be closed.
            with contextlib.suppress(Exception):
                await self._send({"type": "websocket.close", "code": 1008})

        self._closing = self._closing or self._loop.create_task(close())


LINE: ContextVar[BrowserWebsocket | None] = ContextVar("line", default=None)
"""The websocket being served."""


class Guard:
    """ASGI middleware: answers only to known host names, closes unused paths, adds the headers, and
    sends and accepts files only for their owners.
    """

    def __init__(self, app: ASGIApp, *, hosts: Iterable[str], https: bool = False) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._files = CompressedFiles()
        self._headers = dict(_HEADERS)
        if https:
            self._headers["Strict-Transport-Security"] = "max-age=31536000"
        page = _page()
        # Streamlit's cookie comes with the answer to its script's first question. Of a browser that
        # connects without it, the server knows no sign-in.
        self._pages = {
            True: _packings(page.replace("<html", "<html data-known", 1)),
            False: _packings(page),
        }
        self._page_policy = content_security_policy(scripts=_inline_scripts(page))
        # Packaged components are shown in frames on this same site.
        self._frame_policy = content_security_policy(framed_by="'self'")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        if self._host(scope) not in self._hosts:
            await self._refuse(
                scope, receive, send, 400, "This server does not answer to this host name."
            )
        elif scope["type"] == "websocket" and not self._same_origin(scope):
            await self._refuse(scope, receive, send, 403, "This page belongs to another server.")
        elif scope["path"].startswith(CLOSED_ROUTES):
            await self._refuse(scope, receive, send, 404, "Not found.")
        elif scope["type"] == "websocket":
            asked = link_before_sign_in.parse_query(scope.get("query_string", b""))
            line = BrowserWebsocket(receive, send, asked.get("tab", ""))
            LINE.set(line)
            await self._app(scope, line.receive, line.send)
        elif scope["path"].startswith(upload_endpoint.ROUTE) and scope["method"] in (
            "PUT",
            "DELETE",
        ):
            browser = browser_id_from_cookie(HTTPConnection(scope))
            await upload_endpoint.answer_upload_request(
                scope, receive, self._with_headers(scope, send), browser
            )
        elif scope["path"].startswith(item_component_and_desk_messages.ROUTE):
            if not self._same_origin(scope):
                text = "This page belongs to another server."
                await self._refuse(scope, receive, send, 403, text)
                return
            browser = browser_id_from_cookie(HTTPConnection(scope))
            await item_component_and_desk_messages.handle_desk_message(
                scope, receive, self._with_headers(scope, send), browser
            )
        elif scope["path"].startswith(_DOWNLOADS) and not self._may_have(scope):
            text = "This file is only for the person who asked for it. Open its page again."
            await self._refuse(scope, receive, send, 403, text)
        elif scope["path"] == "/" and (
            kept := link_before_sign_in.cookie_value_of_invitation_query(
                scope.get("query_string", b"")
            )
        ):
            # Remove it from the address, which people copy and browsers remember.
            home = RedirectResponse("/", 303)
            home.headers.append(
                "Set-Cookie", link_before_sign_in.make_set_cookie_header(kept, secure=self._secure)
            )
            await home(scope, receive, self._with_headers(scope, send))
        else:
            if _is_page(scope):
                # Of ``streamlit run`` at this address the browser may have kept a page without our
                # script, and would be told that it has not changed.
                asked_anew = [one for one in scope["headers"] if not one[0].startswith(b"if-")]
                scope = {**scope, "headers": asked_anew}
            # A client that disconnects halfway is not a fault of the server.
            with contextlib.suppress(WebSocketDisconnected):
                answer = self._files.send_compressed(scope, self._with_headers(scope, send))
                await self._app(scope, receive, answer)

    @staticmethod
    def _may_have(scope: Scope) -> bool:
        files = media_file_storage(get_instance())
        browser = browser_id_from_cookie(HTTPConnection(scope))
        try:
            return isinstance(files, SessionBoundFiles) and files.may_browser_have_file(
                scope["path"], browser
            )
        except MedLensError:
            return False

    @staticmethod
    def _same_origin(scope: Scope) -> bool:
        """Whether the page that opens the connection is ours, with the same host and port.

        Streamlit accepts every port of this machine, so also another program's page.
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
            return find_host_name_in_header(sent[0].decode("ascii"))
        except UnicodeDecodeError:
            return None

    @property
    def _secure(self) -> str:
        return "; Secure" if "Strict-Transport-Security" in self._headers else ""

    def _cookie(self) -> str:
        # Not strict, so that people who follow a link or return from the sign-in provider keep it.
        return f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; HttpOnly; SameSite=Lax{self._secure}"

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
        path = scope["path"]
        framed = path.startswith("/component/")
        browser = browser_id_from_cookie(HTTPConnection(scope))
        known = XSRF_COOKIE_NAME in HTTPConnection(scope).cookies
        over = link_before_sign_in.is_cookie_outdated(HTTPConnection(scope), browser)
        page = _is_page(scope)
        pieces: Iterator[bytes] | None = None

        async def send_with_headers(message: Message) -> None:
            nonlocal pieces
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._headers)
                headers["Content-Security-Policy"] = (
                    self._frame_policy if framed else self._page_policy
                )
                if headers.get("content-type", "").startswith("text/html") and not framed:
                    headers["Link"] = preload_link_header_of_page_files.preload_link_header(path)
                    if not browser:
                        headers.append("Set-Cookie", self._cookie())
                    if over:
                        headers.append(
                            "Set-Cookie",
                            link_before_sign_in.make_set_cookie_header("", secure=self._secure),
                        )
                    if page and message["status"] == 200:
                        whole = self._pages[known][headers.get("Content-Encoding", "")]
                        pieces = iter((whole,))
                        headers["Content-Length"] = str(len(whole))
                        del headers["ETag"], headers["Last-Modified"]
                if path.startswith(_OWN_FILES) and message["status"] == 200:
                    headers["Cache-Control"] = "public, max-age=31536000, immutable"
            elif pieces:
                message = {**message, "body": next(pieces, b"")}
            await send(message)

        return send_with_headers
