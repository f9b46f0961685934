"""Files that pages hand out: each to the sessions it was made for, and to no one else.

Streamlit serves them under an address made of their content, to whoever has the address.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from contextvars import ContextVar
from pathlib import PurePosixPath

from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse
from streamlit.runtime.backend_operation_handler import DeferredFileHandler
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from medlens.errors import MedLensError
from medlens.ui import seats

_LOG = logging.getLogger(__name__)
ANSWERED: ContextVar[str] = ContextVar("answered", default="")
"""The session whose message is being answered outside of its script."""


class Downloads(MemoryMediaFileStorage):
    """Streamlit's store of such files, which remembers whom each was made for."""

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
        """Keep a file, for the session that this is asked in."""
        file = super().load_and_get_id(path_or_data, mimetype, kind, filename)
        with self._lock:
            self._made_for.setdefault(file, set()).add(seats.here() or ANSWERED.get())
        return file

    def delete_file(self, file_id: str) -> None:
        """Let go of a file."""
        super().delete_file(file_id)
        with self._lock:
            self._made_for.pop(file_id, None)

    def may_have(self, path: str, browser: str) -> bool:
        """Whether the file at that address was made for somebody who sits at that browser."""
        with self._lock:
            sessions = sorted(self._made_for.get(PurePosixPath(path).stem, ()))
        return any(seats.sits(session, browser) for session in sessions)


class Made(DeferredFileHandler):
    """Makes a file at the press of its button; says why where it cannot, which Streamlit does not.

    The words stand below the button for a few seconds; the page stays as it is.
    """

    async def handle(
        self, request: BackendOperationRequest, session_id: str
    ) -> BackendOperationResponse:
        """The address of the file, or what went wrong and what to do."""
        make, file = self._get_media_file_mgr().execute_deferred, request.deferred_file.file_id
        answer = BackendOperationResponse(request_id=request.request_id)
        try:
            answer.deferred_file.url = await asyncio.to_thread(make, file)
        except Exception as error:  # noqa: BLE001  (whatever it is, the person is told)
            cause = error.__cause__
            if isinstance(cause, MedLensError):
                answer.error_msg = f"{cause.message} {cause.hint}".strip()
            else:
                _LOG.exception("A file could not be made")
                answer.error_msg = (
                    "The file could not be made: a fault of MedLens, which is in its log. Reload"
                    " the page and try again, or export it from the command line."
                )
        return answer
