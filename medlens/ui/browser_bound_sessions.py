"""Streamlit's application with our own kind of session: bound to a browser, and ended once its
person may no longer use it.
"""

from __future__ import annotations

import asyncio
from functools import partial
from threading import Thread
from typing import ClassVar

from medlens.errors import MedLensError
from medlens.telemetry import logs
from medlens.ui import (
    current_and_first_names_in_addresses,
    session_people_and_sign_in_validity,
    streamlit_internals,
)
from medlens.ui.request_guard import COOKIE, LINE
from medlens.ui.session_bound_downloads import ANSWERED, Made, SessionBoundFiles
from medlens.ui.streamlit_internals import (
    AppSession,
    AppWithOwnRuntime,
    BackMsg,
    ForwardMsg,
    Runtime,
    RuntimeConfig,
    RuntimeWithMessages,
    SessionClient,
    UserInfoType,
)
from medlens.ui.upload_endpoint import ROUTE, UploadedFilesOnDisk

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


class OrderedRuntime(RuntimeWithMessages):
    """Streamlit's runtime, which lets a finished run send its last elements before it hears a
    message that begins another; addresses in messages have what things are called now.
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
        current_and_first_names_in_addresses.update_address_of_browser_message_in_place(
            streamlit_internals.find_session(self, session), msg
        )
        super().handle_backmsg(session, msg, client=client)

    def change_message_in_place_before_sending(
        self, session: AppSession, message: ForwardMsg
    ) -> None:
        """Let addresses have what things are called now."""
        current_and_first_names_in_addresses.put_browser_address_into_message(session, message)

    def _ending(self, session: str, msg: BackMsg) -> Thread | None:
        """The thread of a finished run whose last elements have not been queued yet, if the message
        asks for one of the page's fragments.
        """
        own = streamlit_internals.find_session(self, session)
        if own is None or not msg.rerun_script.fragment_id:
            return None
        return streamlit_internals.thread_of_ending_script_run(own)


def install_ordered_runtime() -> None:
    """Make the runtime of ``streamlit run`` an ``OrderedRuntime`` one, as that of ``serve`` is."""
    if not streamlit_internals.exists():
        return
    if type(runtime := streamlit_internals.get_instance()) is Runtime:
        runtime.__class__ = OrderedRuntime


class BrowserBoundRuntime(OrderedRuntime):
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
        if existing_session_id and not session_people_and_sign_in_validity.is_session_of_browser(
            existing_session_id, browser
        ):
            existing_session_id = None
        session = super().connect_session(
            client, user_info, existing_session_id, session_id_override
        )
        line = LINE.get()
        if own := streamlit_internals.find_session(self, session):
            made = Made(lambda: self.media_file_mgr, partial(_redraw, own))
            streamlit_internals.set_file_handler_of_session(own, made)

        def end() -> None:
            # Otherwise it would wait for its browser to return, with everything it holds.
            self.clear_user_info_for_session(session)
            if line is not None:
                line.close_websocket()

        session_people_and_sign_in_validity.record_browser_of_session(
            session, browser, end, line.tab if line else ""
        )
        return session

    def handle_backmsg(
        self, session_id: str, msg: BackMsg, *, client: SessionClient | None = None
    ) -> None:
        """Pass on a browser's message if its session is still allowed; else end the session."""
        try:
            stands = session_people_and_sign_in_validity.may_person_in_session_still_use_it(
                session_id
            )
        except MedLensError:
            # The store cannot tell whether its person still may.
            stands = False
        if not stands:
            logs.log_event("session.ended")
            session_people_and_sign_in_validity.end_sessions([session_id])
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
            file = asked.deferred_file.file_id
            return streamlit_internals.find_session_id_of_deferred_download(self, file) == session
        return operation in _OPERATIONS


async def _redraw(session: AppSession) -> None:
    """Rerun the page in its current state, once everything queued for the browser has been sent."""
    for _ in range(_PATIENCE):
        if streamlit_internals.is_everything_sent(session):
            break
        await asyncio.sleep(0.05)
    streamlit_internals.rerun_page_of_session(session)


class App(AppWithOwnRuntime):
    """Streamlit as an ASGI application, with our own sessions, downloads and uploads."""

    def make_runtime(self, settings: RuntimeConfig) -> Runtime:
        """The runtime that knows whose a session is."""
        return BrowserBoundRuntime(settings)

    def make_file_storage(self) -> SessionBoundFiles:
        """The storage that knows whom a file was made for."""
        return SessionBoundFiles("/media")

    def make_upload_storage(self) -> UploadedFilesOnDisk:
        """The storage on disk."""
        return UploadedFilesOnDisk(ROUTE.rstrip("/"))
