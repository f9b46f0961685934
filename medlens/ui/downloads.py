"""Files that pages hand out: each to the sessions it was made for, and to no one else.

Streamlit serves them under an address made of their content, to whoever has the address.
"""

from __future__ import annotations

import threading
from contextvars import ContextVar
from pathlib import PurePosixPath

from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from medlens.ui import seats

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
