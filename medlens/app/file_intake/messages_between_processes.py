"""Messages between the app and a process that reads files: length, body, and open files beside it.

What a reader says is JSON, since nothing that came out of a stranger's file may be unpickled here;
what it is told is pickled.
"""

from __future__ import annotations

import io
import json
import pickle
import socket
import struct
from collections.abc import Sequence
from typing import Any

_LENGTH = struct.Struct(">Q")
_LONGEST = 16 << 20
_FILES = 64


def send_json_with_open_files(
    peer: socket.socket, message: dict[str, Any], files: Sequence[int] = ()
) -> None:
    """Send a message as JSON, with open files."""
    _send(peer, json.dumps(message).encode(), files)


def send_pickle_with_open_files(
    peer: socket.socket, message: dict[str, Any], files: Sequence[int] = ()
) -> None:
    """Send a message as it is to one who trusts it."""
    _send(peer, pickle.dumps(message), files)


def _send(peer: socket.socket, body: bytes, files: Sequence[int]) -> None:
    if files:
        socket.send_fds(peer, [_LENGTH.pack(len(body))], list(files))
    else:
        peer.sendall(_LENGTH.pack(len(body)))
    peer.sendall(body)


def receive_json_with_open_files(peer: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next message in JSON and the files with it.

    Raises:
        EOFError: there is none to come.
        ValueError: it is none, or longer than any should be.
    """
    head, files, *_ = socket.recv_fds(peer, _LENGTH.size, _FILES)
    if not head:
        raise EOFError
    head += _exactly(peer, _LENGTH.size - len(head))
    [length] = _LENGTH.unpack(head)
    if length > _LONGEST:
        raise ValueError("The message is too long.")
    found = json.loads(_exactly(peer, length))
    if not isinstance(found, dict):
        raise ValueError("The message is not an object.")
    return found, list(files)


def receive_dict_and_file_descriptors(peer: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next message from one who is trusted, and the files with it.

    Raises:
        EOFError: there is none to come.
    """
    head, files, *_ = socket.recv_fds(peer, _LENGTH.size, _FILES)
    if not head:
        raise EOFError
    head += _exactly(peer, _LENGTH.size - len(head))
    message: dict[str, Any] = pickle.loads(_exactly(peer, _LENGTH.unpack(head)[0]))  # noqa: S301
    return message, list(files)


def _exactly(peer: socket.socket, size: int) -> bytes:
    held = bytearray(size)
    view, at = memoryview(held), 0
    while at < size:
        got = peer.recv_into(view[at:], min(size - at, 1 << 20))
        if not got:
            raise EOFError
        at += got
    return bytes(held)


class SocketAsFile(io.RawIOBase):
    """A socket as a file for Arrow, which takes exactly the bytes of one stream from it."""

    def __init__(self, peer: socket.socket) -> None:
        super().__init__()
        self._peer = peer

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def read(self, size: int | None = -1) -> bytes:
        assert size is not None
        assert size >= 0
        return _exactly(self._peer, size)

    def write(self, data: Any) -> int:
        self._peer.sendall(data)
        return memoryview(data).nbytes
