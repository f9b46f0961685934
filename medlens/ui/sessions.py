"""Streamlit's application with our own kind of session: bound to a browser, and ended once its
person may no longer use it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from threading import Thread
from typing import ClassVar

import streamlit as st
from streamlit import config
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime import Runtime, RuntimeConfig, exists, get_instance
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import UserInfoType
from streamlit.runtime.session_manager import SessionClient
from streamlit.web.cache_storage_manager_config import create_default_cache_storage_manager

from medlens.errors import MedLensError
from medlens.telemetry import logs
from medlens.ui import session_owners
from medlens.ui.downloads import ANSWERED, Downloads, Made
from medlens.ui.request_guard import COOKIE, LINE
from medlens.ui.uploads import ROUTE, Uploads

# What a tab may send. Streamlit would also clear everybody's caches, install files, and more.
_HEARD = {
    "rerun_script",
    "app_heartbeat",
    "stop_script",
    "file_urls_request",
    "backend_operation_request",
}
_PATIENCE = 40  # times 0.05 s
_LAST_WORDS = 0.1  # seconds; a finished run needs less than a millisecond
_OPERATIONS = {"deferred_file", "dataframe_chunk"}


class Orderly(Runtime):
    """Streamlit's runtime, which lets a finished run send its last elements before it hears a
    message that begins another.
    """

    _behind: ClassVar[dict[str, int]] = {}

    def handle_backmsg(
        self, session_id: str, msg: BackMsg, *, client: SessionClient | None = None
    ) -> None:
        """Pass on a browser's message, in its order."""
        thread, behind = self._ending(session_id, msg), self._behind.get(session_id, 0)
        if thread is None and not behind:
            self._pass_on(session_id, msg, client)
            return
        # Streamlit would start another run now, and drop what the last one has queued to be sent.
        if thread is not None:
            thread.join(_LAST_WORDS)
        # Whatever comes after it waits too: messages keep their order.
        self._behind[session_id] = behind + 1
        asyncio.get_running_loop().call_soon(self._pass_on_late, session_id, msg, client)

    def _pass_on_late(self, session: str, msg: BackMsg, client: SessionClient | None) -> None:
        self._behind[session] -= 1
        if not self._behind[session]:
            del self._behind[session]
        self._pass_on(session, msg, client)

    def _pass_on(self, session: str, msg: BackMsg, client: SessionClient | None) -> None:
        super().handle_backmsg(session, msg, client=client)

    def _ending(self, session: str, msg: BackMsg) -> Thread | None:
        """The thread of a finished run whose last elements have not been queued yet, if the message
        asks for one of the page's fragments.
        """
        own = self._session_mgr.get_session_info(session)
        runner = own.session._scriptrunner if own else None
        if runner is None or not msg.rerun_script.fragment_id:
            return None
        return runner._script_thread if runner._requests._state is ScriptRequestType.STOP else None


def install_ordered_runtime() -> None:
    """Make the runtime of ``streamlit run`` an ``Orderly`` one, as that of ``serve`` is."""
    if exists() and type(runtime := get_instance()) is Runtime:
        runtime.__class__ = Orderly


class Sessions(Orderly):
    """The runtime of ``serve``: accepts a session's messages only while its person may use it."""

    def connect_session(
        self,
        client: SessionClient,
        user_info: UserInfoType,
        existing_session_id: str | None = None,
        session_id_override: str | None = None,
    ) -> str:
        """Connect a browser, to its own session if it names one, else to a new one."""
        context = client.client_context
        browser = context.cookies.get(COOKIE, "") if context else ""
        if existing_session_id and not session_owners.is_session_of_browser(
            existing_session_id, browser
        ):
            existing_session_id = None
        session = super().connect_session(
            client, user_info, existing_session_id, session_id_override
        )
        line = LINE.get()
        if own := self._session_mgr.get_session_info(session):
            dispatcher = own.session._backend_operation_dispatcher
            redraw = partial(_redraw, own.session)
            dispatcher.register("deferred_file", Made(lambda: self.media_file_mgr, redraw))

        def end() -> None:
            # Otherwise it would wait for its browser to return, with everything it holds.
            self.clear_user_info_for_session(session)
            if line is not None:
                line.end()

        session_owners.record_connection(session, browser, end, line.tab if line else "")
        return session

    def handle_backmsg(
        self, session_id: str, msg: BackMsg, *, client: SessionClient | None = None
    ) -> None:
        """Pass on a browser's message if its session is still allowed; else end the session."""
        try:
            stands = session_owners.may_session_be_served(session_id)
        except MedLensError:
            # The store cannot tell whether its person still may.
            stands = False
        if not stands:
            logs.log_event("session.ended")
            session_owners.end_sessions([session_id])
            return
        if self._is_heard(session_id, msg):
            super().handle_backmsg(session_id, msg, client=client)

    def _pass_on(self, session: str, msg: BackMsg, client: SessionClient | None) -> None:
        before = ANSWERED.set(session)
        try:
            super()._pass_on(session, msg, client)
        finally:
            ANSWERED.reset(before)

    def _is_heard(self, session: str, msg: BackMsg) -> bool:
        kind = msg.WhichOneof("type")
        if kind != "backend_operation_request":
            return kind in _HEARD
        asked = msg.backend_operation_request
        operation = asked.WhichOneof("payload")
        if operation == "deferred_file":
            made = self.media_file_mgr._deferred_callables.get(asked.deferred_file.file_id)
            return made is not None and made["session_id"] == session
        return operation in _OPERATIONS


async def _redraw(session: AppSession) -> None:
    """Rerun the page in its current state, once everything queued for the browser has been sent."""
    for _ in range(_PATIENCE):
        if session._browser_queue.is_empty():
            break
        await asyncio.sleep(0.05)
    session.request_rerun(session._client_state)


class App(st.App):
    """Streamlit as an ASGI application, with our own sessions, downloads and uploads."""

    def _create_runtime(self) -> Runtime:
        return Sessions(
            RuntimeConfig(
                script_path=str(self._resolve_script_path()),
                media_file_storage=Downloads("/media"),
                uploaded_file_manager=Uploads(ROUTE.rstrip("/")),
                cache_storage_manager=create_default_cache_storage_manager(),
                session_storage=MemorySessionStorage(
                    ttl_seconds=config.get_option("server.disconnectedSessionTTL")
                ),
                on_script_error=self._on_script_error,
            )
        )
