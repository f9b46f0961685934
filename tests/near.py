"""Readers of files and of pages that are calls in this process: the same code on both sides, for a
tenth of the cost.

Nothing ends or limits such a reader but itself: what needs that goes through the real ones. What
they say to the app goes through JSON all the same.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import json
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pytest

from medlens.app.file_intake import reader_client, reader_worker, store_proxy_in_reader
from medlens.app.file_intake.reader_processes import ReaderProcesses
from medlens.app.file_intake.store_proxy_in_reader import StoreProxy
from medlens.tables.parquet_reader import parquet_column_names
from medlens.web import page_fetch
from medlens.web.content_sniffing import Kind
from medlens.web.page_and_pdf_text_extraction import PageText, read_page_text_title_and_outcome


@contextlib.contextmanager
def nearby(*, of_one: bool = False) -> Iterator[None]:
    """Let imports be read near. ``of_one``: all of them are into the same store, and what each
    reader makes anew is kept: a store, the labels."""
    store = NearStore()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader_client._Conversation, "hold", _hold)
        patch.setattr(ReaderProcesses, "start_parent_of_readers", lambda self: None)
        for side in (reader_client, store_proxy_in_reader, reader_worker):
            patch.setattr(side, "messages_between_processes", NearWire)
        if of_one:
            patch.setattr(reader_worker, "StoreProxy", store.told_of)
        yield


def _hold(
    talk: reader_client._Conversation, given: reader_client._Given, message: dict[str, Any]
) -> tuple[dict[str, Any], list[int]]:
    """As ``_Conversation.hold``, with a reader that is asked, and answered, at once."""
    if _gives_up(given.files[0] if given.files else given.path):
        raise talk.damaged()
    peer = NearPeer(talk)
    order = {"name": talk._name, **message, "path": given.path}
    reader_worker.carry_out_reading_order_and_send_result(order, given.files, peer)  # type: ignore[arg-type]
    assert peer.done is not None
    return peer.done


def _gives_up(file: int | str) -> bool:
    """Whether reading what a Parquet file says of itself ends the process that tries: Arrow aborts
    where what it says of a column contradicts itself, which a reader of its own survives."""
    # A place of its own in the file, whoever else has it open.
    with open(f"/proc/self/fd/{file}" if isinstance(file, int) else file, "rb") as opened:
        if opened.read(4) != b"PAR1":
            return False
        opened.seek(0)
        child = os.fork()
        if not child:
            faulthandler.disable()
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            with contextlib.suppress(Exception):
                parquet_column_names(opened, "")
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


class NearPeer:
    """The line between the two: what the app has to say waits here."""

    def __init__(self, talk: reader_client._Conversation) -> None:
        self.talk = talk
        self.told: deque[dict[str, Any]] = deque()
        self.rows = io.BytesIO()
        self.done: tuple[dict[str, Any], list[int]] | None = None


class NearWire:
    """As ``messages_between_processes``, as far as the two sides know it."""

    @staticmethod
    def send_json_with_open_files(
        peer: NearPeer, message: dict[str, Any], files: Sequence[int] = ()
    ) -> None:
        said = json.loads(json.dumps(message))
        handed = [os.dup(file) for file in files]
        if said["do"] == "done":
            peer.done = said, handed
        else:
            peer.rows = io.BytesIO()
            peer.talk._answer(peer, said, handed)  # type: ignore[arg-type]
            peer.rows.seek(0)

    @staticmethod
    def send_pickle_with_open_files(peer: NearPeer, message: dict[str, Any]) -> None:
        peer.told.append(message)

    @staticmethod
    def receive_dict_and_file_descriptors(peer: NearPeer) -> tuple[dict[str, Any], list[int]]:
        return peer.told.popleft(), []

    @staticmethod
    def SocketAsFile(peer: NearPeer) -> io.BytesIO:
        return peer.rows


class NearStore(StoreProxy):
    """One store for all readers, so that what was remembered of its tables is, as in an app."""

    def __init__(self) -> None:
        super().__init__(None, {}, {}, "")  # type: ignore[arg-type]
        # No version after something was appended is ever one of the app's.
        self._clock = 1 << 40

    def told_of(
        self,
        peer: Any,
        columns: dict[str, dict[str, str]],
        versions: Mapping[str, int],
        study: str,
    ) -> NearStore:
        self._peer, self._columns, self._versions = peer, columns, dict(versions)
        self._bound = {"study": study}
        return self


@contextlib.contextmanager
def pages_nearby() -> Iterator[None]:
    """Let the pages that are fetched be read near."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_fetch, "Reader", NearReader)
        yield


class NearReader:
    """As ``medlens.web.page_text_processes.Reader``, as far as what fetches pages knows it."""

    def __init__(self, *, seconds: float) -> None:
        pass

    async def start_first_process(self) -> None:
        pass

    async def read_page(self, kind: Kind, body: bytes, *, charset: str = "") -> PageText:
        said = json.dumps(
            asdict(read_page_text_title_and_outcome(kind, body, charset=charset)),
            ensure_ascii=False,
        )
        return PageText(**json.loads(said.encode("utf-8", "surrogatepass")))

    async def aclose(self) -> None:
        pass
