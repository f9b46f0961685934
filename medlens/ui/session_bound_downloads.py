"""Files that pages hand out: each to the sessions it was made for, and to no one else.

By itself, Streamlit serves a file to anyone who has its address, which is made from its content.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from pathlib import PurePosixPath

from medlens.errors import MedLensError
from medlens.ui import session_people_and_sign_in_validity
from medlens.ui.streamlit_internals import (
    BackendOperationRequest,
    BackendOperationResponse,
    FileOnRequest,
    MediaFileKind,
    MediaFileManager,
    MemoryMediaFileStorage,
)

_LOG = logging.getLogger(__name__)
ANSWERED: ContextVar[str] = ContextVar("answered", default="")
"""The session whose message is being answered outside its script."""


class SessionBoundFiles(MemoryMediaFileStorage):
    """Streamlit's store of such files, which also remembers whom each was made for."""

    def __init__(self, endpoint: str) -> None:
        super().__init__(endpoint)
        self._lock = threading.Lock()
        self._made_for: dict[str, set[str]] = {}

    def load_and_get_id(
        self,
        path_or_data: str | bytes,
        mimetype: str,
        kind: MediaFileKind,
        filename: str | None = None,
    ) -> str:
        """Keep a file for the current session."""
        file = super().load_and_get_id(path_or_data, mimetype, kind, filename)
        with self._lock:
            self._made_for.setdefault(file, set()).add(
                session_people_and_sign_in_validity.id_of_current_session() or ANSWERED.get()
            )
        return file

    def delete_file(self, file_id: str) -> None:
        """Delete a file."""
        super().delete_file(file_id)
        with self._lock:
            self._made_for.pop(file_id, None)

    def may_browser_have_file(self, path: str, browser: str) -> bool:
        """Whether the file at that address was made for somebody who is using that browser."""
        with self._lock:
            sessions = sorted(self._made_for.get(PurePosixPath(path).stem, ()))
        return any(
            session_people_and_sign_in_validity.who_is_in_session_of_browser(session, browser)
            for session in sessions
        )


def error_to_show_for_failed_file(error: BaseException) -> MedLensError:
    """The error to show when a file could not be made; a fault of ours is logged."""
    if isinstance(error, MedLensError):
        return error
    _LOG.error("A file could not be made", exc_info=error)
    return MedLensError(
        "The file could not be made because of a fault in MedLens; the log has the details.",
        hint="Reload the page and try again, or export it from the command line.",
    )


class Made(FileOnRequest):
    """Makes a file when its button is pressed, and redraws the page if that fails.

    Streamlit shows the error for five seconds; the page shows it until the next press.
    """

    def __init__(
        self, files: Callable[[], MediaFileManager], redraw: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(files)
        self._redraw = redraw
        self._failed = False
        self._redrawing: asyncio.Future[None] | None = None

    async def handle(
        self, request: BackendOperationRequest, session_id: str
    ) -> BackendOperationResponse:
        """The file's address, or what went wrong and what to do."""
        file = request.deferred_file.file_id
        answer = BackendOperationResponse(request_id=request.request_id)
        before, self._failed = self._failed, False
        try:
            answer.deferred_file.url = await asyncio.to_thread(
                self.make_file_and_return_address, file
            )
        except Exception as error:  # noqa: BLE001  (whatever it is, the person is told)
            said = error_to_show_for_failed_file(error.__cause__ or error)
            answer.error_msg, self._failed = f"{said.message} {said.hint}".strip(), True
        if self._failed or before:
            # After the answer: a starting run drops what the browser has not been sent yet.
            self._redrawing = asyncio.ensure_future(self._redraw())
        return answer
