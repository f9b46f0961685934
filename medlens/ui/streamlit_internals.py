"""All of Streamlit that MedLens uses beyond its public interface, ``st``, each part with why.

A new Streamlit may rename or remove any of it without notice: a test names each part that is gone,
and another lets no other file use one.
"""

from __future__ import annotations

import dataclasses
import functools
import logging
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any, cast

import streamlit as st

# Where it listens, how long a lost tab is kept, which hosts it answers to: ``st.set_option`` sets
# only a few options of a running app. ``logger``: its handlers would write each line a second time.
from streamlit import config, logger

# Where the sign-in provider sends people back to: the app's public address, and if it is https.
from streamlit.auth_util import get_redirect_uri, get_secrets_auth_section

# Our components are registered at first use: Streamlit itself finds them in the manifests of
# installed packages alone, so not in a checkout.
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

# A tab's messages are judged before Streamlit hears them; one that asks for a file is answered
# here.
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest, BackMsg
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse, ForwardMsg

# The runtime that passes a tab's messages on, and what it is made with.
from streamlit.runtime import Runtime, RuntimeConfig, exists, get_instance
from streamlit.runtime.app_session import AppSession

# A file is made when its button is pressed; an error of its making stays on the page.
from streamlit.runtime.backend_operation_handler import DeferredFileHandler

# A file that a page hands out goes only to the sessions that it was made for.
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage

# Uploaded files lie on disk, counted as they arrive.
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

# The largest message that Streamlit accepts.
from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes

# The session that a page runs in; each run is timed and logged, for which there is no hook. A run
# that waits is for the page that it was asked for.
from streamlit.runtime.scriptrunner import get_script_run_ctx, script_runner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import UserInfoType
from streamlit.runtime.session_manager import ActiveSessionInfo, SessionClient

# How many sessions are open and were opened, for the meters.
from streamlit.runtime.stats import (
    ACTIVE_SESSIONS_FAMILY,
    SESSION_EVENTS_FAMILY,
    CounterStat,
    GaugeStat,
)

# What ``st.file_uploader`` returns, and the record of a file that has arrived.
from streamlit.runtime.uploaded_file_manager import UploadedFile, UploadedFileRec

# Options are set as ``streamlit run`` sets those of its command line.
from streamlit.web import bootstrap
from streamlit.web.cache_storage_manager_config import create_default_cache_storage_manager

# Uploads need the same proof of their page as Streamlit's own, and land at the same address.
from streamlit.web.server.server import UPLOAD_FILE_ENDPOINT
from streamlit.web.server.server_util import is_xsrf_enabled
from streamlit.web.server.starlette.starlette_app_utils import validate_xsrf_token
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME

__all__ = [
    "UPLOAD_FILE_ENDPOINT",
    "XSRF_COOKIE_NAME",
    "AppSession",
    "BackMsg",
    "BackendOperationRequest",
    "BackendOperationResponse",
    "ComponentConfig",
    "ComponentManifest",
    "DeferredFileHandler",
    "ForwardMsg",
    "MediaFileKind",
    "MediaFileManager",
    "MemoryMediaFileStorage",
    "MemoryUploadedFileManager",
    "Runtime",
    "RuntimeConfig",
    "SessionClient",
    "UploadedFile",
    "UploadedFileRec",
    "UserInfoType",
    "config",
    "exists",
    "get_bidi_component_manager",
    "get_instance",
    "get_max_widget_state_size_bytes",
    "get_redirect_uri",
    "get_script_run_ctx",
    "get_secrets_auth_section",
    "is_xsrf_enabled",
    "validate_xsrf_token",
]

STATIC_FOLDER = Path(st.__file__).parent / "static"
"""Streamlit's files for browsers: its page ``index.html`` gets a script of ours, and names fewer
files than a page of ours needs."""

COMPONENT_ROUTE = "/_stcore/bidi-components/"
"""The address under which components' files are served, each component in a folder by its name."""

CLOSED_ROUTES = ("/_stcore/metrics", "/_stcore/agent", "/_stcore/script-health-check")
"""Addresses that MedLens does not use, and that tell strangers about the server."""


# -- sessions ------------------------------------------------------------------------------------


def find_session(runtime: Runtime, session_id: str) -> AppSession | None:
    """The connected session with an id, as long as it lives."""
    known = runtime._session_mgr.get_session_info(session_id)
    return known.session if known else None


def page_name_of_hash(session: AppSession | None, page: str) -> str:
    """The last part of a page's path, by its hash; empty for Home and for an unknown page."""
    known = session._pages_manager.get_pages().get(page) if session else None
    return known.get("url_pathname", "") if known else ""


def page_name_of_session(session: AppSession) -> str:
    """The last part of the path of the page that a session shows."""
    return page_name_of_hash(session, session._pages_manager.current_page_script_hash)


class RuntimeWithMessages(Runtime):
    """``Runtime``, which lets a subclass see each message before it goes to the browser."""

    def change_message_in_place_before_sending(
        self, session: AppSession, message: ForwardMsg
    ) -> None:
        """Called with each message; may change it."""

    def _send_message(self, session_info: ActiveSessionInfo, msg: ForwardMsg) -> None:
        self.change_message_in_place_before_sending(session_info.session, msg)
        super()._send_message(session_info, msg)


def thread_of_ending_script_run(session: AppSession) -> Thread | None:
    """The thread of a script run that has finished but has not yet queued its last elements."""
    runner = session._scriptrunner
    if runner is None or runner._requests._state is not ScriptRequestType.STOP:
        return None
    return runner._script_thread


def set_file_handler_of_session(session: AppSession, handler: DeferredFileHandler) -> None:
    """Let ``handler`` make the files that buttons of this session ask for."""
    session._backend_operation_dispatcher.register("deferred_file", handler)


def find_session_id_of_deferred_download(runtime: Runtime, file_id: str) -> str | None:
    """The id of the session whose page offers a file that is made when asked for."""
    offered = runtime.media_file_mgr._deferred_callables.get(file_id)
    return offered["session_id"] if offered else None


def is_everything_sent(session: AppSession) -> bool:
    """Whether nothing waits to be sent to the session's browser."""
    return session._browser_queue.is_empty()


def rerun_page_of_session(session: AppSession) -> None:
    """Run the session's page again with what its widgets show now."""
    session.request_rerun(session._client_state)


def script_session_state(runner: Any) -> Any:
    """The session state of the page that a script runner runs.

    Raises:
        AttributeError: the runner has none.
    """
    return runner._session_state


# -- files that pages hand out -------------------------------------------------------------------


def media_file_storage(runtime: Runtime) -> object:
    """The storage of the files that pages hand out."""
    return runtime.media_file_mgr._storage


class FileOnRequest(DeferredFileHandler):
    """Streamlit's handler of files that are made when asked for, with the making in reach."""

    def make_file_and_return_address(self, file_id: str) -> str:
        """Make the file; returns its address."""
        return self._get_media_file_mgr().execute_deferred(file_id)


# -- the server ----------------------------------------------------------------------------------


class AppWithOwnRuntime(st.App):
    """``st.App``, served by a runtime that a subclass makes: there is no argument for it."""

    def make_runtime(self, settings: RuntimeConfig) -> Runtime:
        """The runtime; may change the settings."""
        return Runtime(settings)

    def make_file_storage(self) -> MemoryMediaFileStorage:
        """The storage of the files that pages hand out."""
        return MemoryMediaFileStorage("/media")

    def make_upload_storage(self) -> MemoryUploadedFileManager:
        """The storage of uploaded files."""
        return MemoryUploadedFileManager(UPLOAD_FILE_ENDPOINT)

    def _create_runtime(self) -> Runtime:
        return self.make_runtime(
            RuntimeConfig(
                script_path=str(self._resolve_script_path()),
                media_file_storage=self.make_file_storage(),
                uploaded_file_manager=self.make_upload_storage(),
                cache_storage_manager=create_default_cache_storage_manager(),
                session_storage=MemorySessionStorage(
                    ttl_seconds=config.get_option("server.disconnectedSessionTTL")
                ),
                on_script_error=self._on_script_error,
            )
        )


def set_streamlit_options(script: Path, options: dict[str, Any]) -> None:
    """Set options as ``streamlit run`` does, which also reads the files beside the script."""
    config._main_script_path = str(script)
    bootstrap.load_config_options(options)


def draw_text_labeler_and_return_value(**arguments: Any) -> Any:
    """The component beneath ``text_labeler``, which alone takes a key and a callback."""
    # It registers itself when it is imported, with the server that then runs.
    import streamlit_annotation_tools

    return streamlit_annotation_tools._component(**arguments)


# -- logs and meters -----------------------------------------------------------------------------


def count_sessions_connected_now_and_ever() -> tuple[int, int]:
    """The number of sessions that are connected, and that ever were."""
    if not exists():
        return 0, 0
    families = get_instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY, SESSION_EVENTS_FAMILY])
    [connected] = [
        stat.value for stat in families[ACTIVE_SESSIONS_FAMILY] if isinstance(stat, GaugeStat)
    ]
    [opened] = [
        stat.value
        for stat in families[SESSION_EVENTS_FAMILY]
        if isinstance(stat, CounterStat) and (stat.labels or {}).get("type") == "connect"
    ]
    return int(connected), int(opened)


def set_up_loggers(set_up: Callable[[logging.Logger], None]) -> None:
    """Set up Streamlit's loggers, also those that it makes later, in place of its handlers."""
    for known in logger._loggers.values():
        set_up(known)
    cast(Any, logger).setup_formatter = set_up


def wrap_every_script_run(run: Callable[[Any, Any, Callable[[], None]], None]) -> None:
    """Have every script run done by ``run``, once for a process.

    It gets the script's runner, the request (with ``fragment_id_queue``), and what runs the script.
    If only fragments run, the page is the one that the session shows by then.
    """
    let_no_fragment_change_page_of_waiting_run()
    original = script_runner.ScriptRunner._run_script
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def run_script(self: Any, rerun_data: Any) -> None:
        asked = rerun_data
        page = self._pages_manager.current_page_script_hash
        if asked.fragment_id_queue and page and page != asked.page_script_hash:
            # The browser asks for a fragment of the page that it knows. If the script has switched
            # the page meanwhile, Streamlit would announce the old one; the browser would clear
            # what it shows for it, and stay white.
            asked = dataclasses.replace(asked, page_script_hash=page)
        run(self, asked, lambda: original(self, asked))

    cast(Any, script_runner.ScriptRunner)._run_script = run_script


def let_no_fragment_change_page_of_waiting_run() -> None:
    """Let a switch to another page stand if the browser asks for a fragment of the old one while
    the new one is about to run: Streamlit would merge the two into a run of the old page.
    """
    original = ScriptRequests._request_rerun_locked
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def request_rerun(self: Any, new_data: Any) -> bool:
        waiting = self._rerun_data
        if (
            self._state is ScriptRequestType.RERUN
            and not waiting.fragment_id_queue
            and new_data.fragment_id
        ):
            new_data = dataclasses.replace(
                new_data,
                page_script_hash=waiting.page_script_hash,
                page_name=waiting.page_name,
                query_string=waiting.query_string,
            )
        return original(self, new_data)

    cast(Any, ScriptRequests)._request_rerun_locked = request_rerun
