"""A TCP proxy in front of a test's PostgreSQL server that can fall silent.

While silent it still accepts connections and takes whatever is sent, as a stalled load balancer
does: neither end sees a connection that is closed.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path

Judge = Callable[[bytes], bool]
"""Whether the proxy falls silent at these bytes (which are not passed on)."""


class SilentProxy:
    """Passes bytes between TCP connections on this machine and the server's socket file."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = []
        self.port: int = self._listening.getsockname()[1]
        self.is_silent = False
        self.silent_at_request: Judge = lambda _: False
        self.silent_at_answer: Judge = lambda _: False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                self._open += [client, server]
                for source, target, is_answer in (
                    (client, server, False),
                    (server, client, True),
                ):
                    threading.Thread(
                        target=self._pass_on, args=(source, target, is_answer), daemon=True
                    ).start()

    def _pass_on(self, source: socket.socket, target: socket.socket, is_answer: bool) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(1 << 16):
                judge = self.silent_at_answer if is_answer else self.silent_at_request
                if not self.is_silent and judge(piece):
                    self.is_silent = True
                if not self.is_silent:
                    target.sendall(piece)
            if not self.is_silent:
                target.shutdown(socket.SHUT_WR)

    def speak_again(self) -> None:
        """Pass on what new connections send; those that were silent are closed."""
        self.silent_at_request = self.silent_at_answer = lambda _: False
        self.is_silent = False
        self._close_all()

    def close(self) -> None:
        """Close every connection and stop listening."""
        self._listening.close()
        self._close_all()

    def _close_all(self) -> None:
        for connection in self._open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._open = []
