"""A browser's tab without a browser: Streamlit's protocol, as one would speak it to replay it."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

PATIENCE = 20.0


@dataclass(frozen=True)
class Drawn:
    """An element of the page: its kind, its widget's id, the fragment it is in, and itself."""

    kind: str
    id: str
    fragment: str
    element: Any


@dataclass
class Browser:
    """A cookie jar, and tabs of it. ``sign_in`` goes the provider's way as a person would."""

    url: str
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        # Nothing here is encrypted, and certificates take long to read.
        self.http = httpx.Client(
            base_url=self.url, follow_redirects=True, timeout=PATIENCE, verify=False
        )
        self.http.get("/")
        self.http.get("/_stcore/host-config")
        self.http.get("/_stcore/health")

    @property
    def cookies(self) -> dict[str, str]:
        return {one.name: one.value or "" for one in self.http.cookies.jar}

    @property
    def xsrf(self) -> str:
        return self.cookies.get("_streamlit_xsrf", "")

    def tab(
        self, page: str = "", *, session: str = "", headers: dict[str, str] | None = None
    ) -> Tab:
        """A new tab on a page, which has run once; ``session`` is one that it claims to be."""
        opened = Tab(self, page, session, headers=headers)
        opened.run()
        return opened

    def sign_in(self) -> None:
        """Sign in as whoever the provider says; the cookie is then in the jar."""
        tab = self.tab()
        tab.press("Sign in")
        assert tab.led_to, tab.text
        self.http.get(tab.led_to)
        tab.close()

    def put(self, path: str, content: bytes, *, xsrf: bool = True, **headers: str) -> int:
        """Upload a file to an address; returns the status."""
        sent = {"X-Xsrftoken": self.xsrf} if xsrf else {}
        try:
            return self.http.put(
                path, files={"file": ("a.csv", content, "text/csv")}, headers={**sent, **headers}
            ).status_code
        except httpx.TransportError:
            return 0  # closed while we were still sending


class Tab:
    """One websocket, and what the server has said over it."""

    def __init__(
        self,
        browser: Browser,
        page: str = "",
        session: str = "",
        *,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.browser, self.page = browser, page
        self.session = self.led_to = self._hash = ""
        self.drawn: list[Drawn] = []
        self.received: list[ForwardMsg] = []
        self.sent: list[bytes] = []
        self.open, self.idle = True, False
        self._runs = 0
        protocols = ["streamlit", browser.xsrf, *([session] if session else [])]
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        self._socket: ClientConnection = connect(
            f"ws://{urlsplit(browser.url).netloc}/_stcore/stream",
            subprotocols=protocols,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies, **(headers or {})},
            origin=browser.url,
            max_size=None,
            compression=None,
            proxy=None,
            legacy=True,
        )  # type: ignore[arg-type]

    # -- what is seen ----------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """All words that the server sent since the tab was opened."""
        return "\n".join(str(message) for message in self.received if message.HasField("delta"))

    def all(self, kind: str) -> list[Drawn]:
        return [one for one in self.drawn if one.kind == kind]

    def button(self, label: str) -> Drawn:
        """The last button drawn with a label."""
        found = [one for one in self.all("button") if label in one.element.label]
        assert found, [one.element.label for one in self.all("button")]
        return found[-1]

    # -- what is said ----------------------------------------------------------------------------

    def run(
        self, *, fragment: str = "", widgets: dict[str, Any] | None = None, query: str = ""
    ) -> bool:
        """Have the page, or a fragment of it, run; whether it did."""
        return self.say(self.message(fragment=fragment, widgets=widgets, query=query))

    def message(
        self, *, fragment: str = "", widgets: dict[str, Any] | None = None, query: str = ""
    ) -> bytes:
        """What has the page, or a fragment of it, run. Of a widget's value True is a press, 1 a
        switch that is on."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.context_info.url = f"{self.browser.url}/{self.page}"
        rerun.context_info.timezone = "UTC"
        if self._hash:
            rerun.page_script_hash = self._hash
        else:
            rerun.page_name = self.page
        rerun.fragment_id, rerun.query_string = fragment, query
        for widget, value in (widgets or {}).items():
            state = rerun.widget_states.widgets.add()
            state.id = widget
            if isinstance(value, bool):
                state.trigger_value = value
            elif isinstance(value, int):
                state.bool_value = bool(value)
            elif isinstance(value, list):
                state.string_array_value.data.extend(value)
            elif isinstance(value, dict):
                state.json_value = json.dumps(value)
            else:
                state.string_value = str(value)
        return message.SerializeToString()

    def press(self, label: str) -> bool:
        """Press a button; whether the page ran."""
        return self.run(widgets={self.button(label).id: True})

    def say(self, raw: bytes) -> bool:
        """Send a message as it is and wait until a script has run to its end; whether one did.

        Once the tab has become ``idle`` nothing is expected to run, and it waits a moment only.
        """
        self.sent.append(raw)
        runs = self._runs
        try:
            self._socket.send(raw)
            while self._runs == runs:
                self._hear(1.0 if self.idle else PATIENCE)
        except (ConnectionClosed, TimeoutError):
            self.open = self.open and not self._is_closed()
        return self._runs > runs

    def ask(self, message: BackMsg, kind: str) -> ForwardMsg | None:
        """Ask for something that is answered by a message of its own kind; None: not answered."""
        self.sent.append(message.SerializeToString())
        try:
            self._socket.send(self.sent[-1])
            while True:
                heard = self._hear(1.0 if self.idle else 10.0)
                if heard.WhichOneof("type") == kind:
                    return heard
        except (ConnectionClosed, TimeoutError):
            self.open = self.open and not self._is_closed()
        return None

    def file_address(self) -> str:
        """An address to upload to, as the server gives it; empty when it gives none."""
        message = BackMsg()
        message.file_urls_request.request_id = "1"
        message.file_urls_request.file_names.append("a.csv")
        message.file_urls_request.session_id = self.session
        answer = self.ask(message, "file_urls_response")
        return answer.file_urls_response.file_urls[0].upload_url if answer else ""

    def download(self, deferred: str) -> str:
        """Have a file made; its address, or an empty text."""
        message = BackMsg()
        message.backend_operation_request.request_id = "1"
        message.backend_operation_request.session_id = self.session
        message.backend_operation_request.deferred_file.file_id = deferred
        answer = self.ask(message, "backend_operation_response")
        return answer.backend_operation_response.deferred_file.url if answer else ""

    def wait_closed(self) -> bool:
        """Whether the server closes the connection by itself, before it is silent for long."""
        with suppress(TimeoutError):
            try:
                while True:
                    self._hear(PATIENCE)
            except ConnectionClosed:
                self.open = False
        return not self.open

    def close(self) -> None:
        with suppress(Exception):
            self._socket.close()
        self.open = False

    # -- the protocol ----------------------------------------------------------------------------

    def _is_closed(self) -> bool:
        return bool(self._socket.close_code) or self._socket.state.name != "OPEN"

    def _hear(self, seconds: float) -> ForwardMsg:
        raw = self._socket.recv(timeout=seconds)
        message = ForwardMsg()
        message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
        self.received.append(message)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._hash = message.new_session.page_script_hash
            self.session = message.new_session.initialize.session_id or self.session
        elif kind == "navigation":
            self._hash = message.navigation.page_script_hash
        elif kind == "auth_redirect":
            self.led_to = message.auth_redirect.url
        elif kind == "script_finished":
            if message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                self._runs += 1
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            name = element.WhichOneof("type")
            one = getattr(element, name)
            self.drawn.append(Drawn(name, getattr(one, "id", ""), message.delta.fragment_id, one))
        elif kind == "delta" and message.delta.HasField("add_block"):
            one = message.delta.add_block.expandable
            if one.id:
                self.drawn.append(Drawn("expander", one.id, message.delta.fragment_id, one))
        return message


__all__ = ["Browser", "InvalidStatus", "Tab"]
