"""Files that leads upload: straight to disk, limited, and deleted when their session ends.

Streamlit takes a file from anybody with a session, signed in or not, and keeps it in memory. Here
only a lead's session may send one, its bytes are counted as they arrive, and a page gets a path.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import shutil
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast
from weakref import finalize

import streamlit as st
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Message, Receive, Scope, Send

from medlens.config.settings import Uploads as Limits
from medlens.errors import BadFile, MedLensError
from medlens.review import audit_log
from medlens.ui import session_people_and_sign_in_validity, settings_store_and_runs_of_process
from medlens.ui.streamlit_internals import (
    UPLOAD_FILE_ENDPOINT,
    XSRF_COOKIE_NAME,
    MemoryUploadedFileManager,
    UploadedFile,
    UploadedFileRec,
    get_instance,
    get_script_run_ctx,
    is_xsrf_enabled,
    validate_xsrf_token,
)

ROUTE = f"{UPLOAD_FILE_ENDPOINT}/"
_MEGABYTE = 2**20
_MOST_FILES = 50
_FRAMING = 64 * 1024
_PREFIX = "medlens-uploads-"
_FOLDER = "uploads.folder"


class Refused(Exception):
    """A refused upload: the HTTP status, and why in words."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


class UploadedFilesOnDisk(MemoryUploadedFileManager):
    """Streamlit's list of uploaded files, with their content in a folder that only we can read."""

    def __init__(self, endpoint: str) -> None:
        super().__init__(endpoint)
        _remove_abandoned()
        self.folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
        self._removed = finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        self._taken: dict[str, int] = {}
        self._sizes: dict[Path, int] = {}
        self._room = threading.Lock()

    def path_of_content(self, session: str, file: str) -> Path:
        """The path for the content of a session's file, whether it exists or not."""
        # Both come from an address that a browser requested.
        name = session_people_and_sign_in_validity.digest_of_sign_in_claims(
            {"session": session, "file": file}
        )
        return self.folder / name

    def add_upload_size_or_refuse_beyond_limits(
        self, session: str, size: int, limits: Limits
    ) -> None:
        """Reserve ``size`` more bytes for a session.

        Raises:
            Refused: it, or all sessions together, would have too many.
        """
        with self._room:
            mine, every = self._taken.get(session, 0), sum(self._taken.values())
            if mine + size > limits.session_megabytes * _MEGABYTE:
                raise Refused(413, "Too much was uploaded in this tab. Remove a file first.")
            if every + size > limits.all_megabytes * _MEGABYTE:
                raise Refused(
                    507, "The server holds too many uploads at the moment. Try again later."
                )
            self._taken[session] = mine + size

    def reduce_upload_size_counted_for_session(self, session: str, size: int) -> None:
        """Release ``size`` bytes of a session."""
        with self._room:
            left = self._taken.get(session, 0) - size
            if left > 0:
                self._taken[session] = left
            else:
                self._taken.pop(session, None)

    def keep_uploaded_file(
        self, session: str, record: UploadedFileRec, content: BinaryIO, size: int
    ) -> None:
        """Keep a file whose ``size`` bytes were reserved."""
        self.remove_file(session, record.file_id)
        path = self.path_of_content(session, record.file_id)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            shutil.copyfileobj(content, file, 1 << 20)
        self._sizes[path] = size
        self.add_file(session, record)

    def remove_file(self, session_id: str, file_id: str) -> None:
        """Delete a session's file and its content."""
        super().remove_file(session_id, file_id)
        path = self.path_of_content(session_id, file_id)
        path.unlink(missing_ok=True)
        self.reduce_upload_size_counted_for_session(session_id, self._sizes.pop(path, 0))

    def remove_session_files(self, session_id: str) -> None:
        """Delete everything of a session that has ended."""
        for file in list(self.file_storage.get(session_id, ())):
            self.remove_file(session_id, file)
        super().remove_session_files(session_id)
        session_people_and_sign_in_validity.forget_session(session_id)

    def count_files_of_session(self, session: str) -> int:
        """The number of files a session has."""
        return len(self.file_storage.get(session, ()))


@dataclass(frozen=True)
class MadeFile:
    """A file that a page made from uploaded ones, and treats like one of these."""

    path: Path
    file_id: str
    name: str


def make_upload_like_file_for_session(content: BinaryIO, file_id: str, name: str) -> MadeFile:
    """Keep a file for as long as this session lasts; ``file_id`` tells it from others."""
    folder = st.session_state.setdefault(_FOLDER, tempfile.TemporaryDirectory(prefix=_PREFIX))
    path = Path(folder.name) / file_id
    with path.open("wb") as file:
        shutil.copyfileobj(content, file, 1 << 20)
    return MadeFile(path, file_id, name)


class Sent(io.BufferedReader):
    """A file that ``st.file_uploader`` gave to this session's page, or that was made from such,
    read from ``path``.
    """

    def __init__(self, uploaded: UploadedFile | MadeFile) -> None:
        self.path = uploaded.path if isinstance(uploaded, MadeFile) else _path_of(uploaded)
        super().__init__(io.FileIO(self.path))
        self.file_id, self.called = uploaded.file_id, uploaded.name
        self.size = self.path.stat().st_size


def read_upload_within_limit(uploaded: UploadedFile, most: int) -> bytes:
    """The content of a file of at most ``most`` megabytes that ``st.file_uploader`` gave to this
    session's page; the uploader alone does not enforce its limit on a browser.

    Raises:
        BadFile: it is larger.
    """
    with Sent(uploaded) as sent:
        if sent.size > most * _MEGABYTE:
            raise BadFile(f"{sent.called} is larger than {most} MB.", hint="Is it the right file?")
        return sent.read()


def _path_of(uploaded: UploadedFile) -> Path:
    context = get_script_run_ctx()
    manager = context.uploaded_file_mgr if context else None
    if isinstance(manager, UploadedFilesOnDisk):
        return manager.path_of_content(
            session_people_and_sign_in_validity.id_of_current_session(), uploaded.file_id
        )
    # Under `streamlit run`, for development, Streamlit has it in memory.
    folder = st.session_state.setdefault(_FOLDER, tempfile.TemporaryDirectory(prefix=_PREFIX))
    path = Path(folder.name) / uploaded.file_id
    if not path.exists():
        path.write_bytes(uploaded.getbuffer())
    return path


async def answer_upload_request(scope: Scope, receive: Receive, send: Send, browser: str) -> None:
    """Answer a browser that uploads a file to an address given to its page, or deletes one."""
    request = Request(scope, receive)
    try:
        session, file = _meant(request, browser)
        manager = cast(UploadedFilesOnDisk, get_instance().uploaded_file_mgr)
        if request.method == "DELETE":
            await asyncio.to_thread(manager.remove_file, session, file)
        else:
            await _take(request, manager, session, file)
        response = Response(status_code=204)
    except Refused as refused:
        response = PlainTextResponse(refused.why, refused.status, headers={"Connection": "close"})
    except ClientDisconnect:
        return
    await response(scope, receive, send)


def _meant(request: Request, browser: str) -> tuple[str, str]:
    """The session and file that an address names, if this browser's person there is a lead.

    Raises:
        Refused: it is not theirs.
    """
    session, _, file = request.url.path.removeprefix(ROUTE).partition("/")
    token, cookie = request.headers.get("x-xsrftoken"), request.cookies.get(XSRF_COOKIE_NAME)
    if is_xsrf_enabled() and not validate_xsrf_token(token, cookie):
        raise Refused(403, "This was not sent by a page of MedLens.")
    try:
        seat = session_people_and_sign_in_validity.who_is_in_session_of_browser(session, browser)
    except MedLensError as error:
        raise Refused(503, "The store does not answer.") from error
    if seat is None or not get_instance().is_active_session(session):
        raise Refused(403, "Only leads who are signed in can upload files.")
    if seat.role != "lead":
        audit_log.record_entry(
            settings_store_and_runs_of_process.store_of_process(),
            "upload",
            who=seat.rater,
            detail="no lead",
            once=session,
        )
        raise Refused(403, "Only leads who are signed in can upload files.")
    return session, file


async def _take(request: Request, manager: UploadedFilesOnDisk, session: str, file: str) -> None:
    limits = settings_store_and_runs_of_process.current_settings().uploads
    most = limits.file_megabytes * _MEGABYTE
    too_large = Refused(413, f"A file can be up to {limits.file_megabytes} MB.")
    if manager.count_files_of_session(session) >= _MOST_FILES:
        raise Refused(413, "Too many files were uploaded in this tab. Remove one first.")
    said = request.headers.get("content-length", "0")
    if not said.isdecimal() or len(said) > 15 or int(said) > most + _FRAMING:
        raise too_large
    arrived = 0

    async def counted() -> Message:
        nonlocal arrived
        message = await request.receive()
        size = len(message.get("body", b""))
        if arrived + size > most + _FRAMING:
            raise too_large
        manager.add_upload_size_or_refuse_beyond_limits(session, size, limits)
        arrived += size
        return message

    kept = 0
    try:
        # Starlette writes long content to a temporary file without a name.
        async with Request(request.scope, counted).form(max_files=1, max_fields=10) as form:
            sent = next((one for one in form.values() if isinstance(one, UploadFile)), None)
            if sent is None:
                raise Refused(400, "This contains no file.")
            record = UploadedFileRec(
                file, sent.filename or "", sent.content_type or "application/octet-stream", b""
            )
            await asyncio.to_thread(manager.keep_uploaded_file, session, record, sent.file, arrived)
            kept = arrived
    except (MultiPartException, HTTPException) as error:
        raise Refused(400, "This contains no file.") from error
    except OSError as error:
        raise Refused(507, "The file could not be saved. Is the disk full?") from error
    except Refused as refused:
        _note(session, refused)
        raise
    finally:
        manager.reduce_upload_size_counted_for_session(session, arrived - kept)


def _note(session: str, refused: Refused) -> None:
    seat = session_people_and_sign_in_validity.who_is_in_session(session)
    if seat is not None:
        audit_log.record_entry(
            settings_store_and_runs_of_process.store_of_process(),
            "upload",
            who=seat.rater,
            detail=refused.why,
            once=f"{session}:{refused.status}",
        )


def _remove_abandoned() -> None:
    """Delete the folders of our servers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        pid = folder.name.removeprefix(_PREFIX).partition("-")[0]
        # Other people's folders are not ours to delete, and another server may be deleting it too.
        with contextlib.suppress(OSError, ValueError):
            if folder.lstat().st_uid == os.geteuid() and not _runs(int(pid)):
                shutil.rmtree(folder)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
