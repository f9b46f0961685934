"""What a running server counts for Prometheus; off until it is turned on.

While off, the counting functions only look at a variable.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Container, Iterable, Iterator
from ipaddress import ip_address
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING, Any, NamedTuple
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from medlens.errors import MedLensError
from medlens.telemetry.host_header_parser import find_host_name_in_header

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

    from prometheus_client.metrics_core import Metric
    from prometheus_client.registry import CollectorRegistry

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
_CLIENTS, _PATIENCE = 8, 10.0
"""How many may fetch the figures at once, and for how many seconds each."""
_LONG_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0)


class Sessions(NamedTuple):
    """How many tabs are connected, and how many have connected since the start."""

    connected: int
    opened: int


class Meters:
    """The metrics, in their own registry. ``sessions`` is asked at each fetch."""

    def __init__(self, sessions: Callable[[], Sessions] | None = None) -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

        self.registry = own = CollectorRegistry()
        ProcessCollector(registry=own)
        if sessions is not None:
            own.register(_SessionsCollector(sessions))
        self.reruns = Histogram(
            "medlens_rerun_seconds",
            "Duration of page runs and of runs of parts of pages.",
            ["part"],
            buckets=_SECONDS,
            registry=own,
        )
        self.saves = Histogram(
            "medlens_save_seconds",
            "Time until what was to be saved was durable.",
            buckets=_SECONDS,
            registry=own,
        )
        self.unsaved = Counter(
            "medlens_saves_failed", "Saves that failed.", ["error"], registry=own
        )
        self.imports = Histogram(
            "medlens_import_seconds",
            "Duration of imports.",
            ["kind", "outcome"],
            buckets=_LONG_SECONDS,
            registry=own,
        )
        self.rows = Counter(
            "medlens_imported_rows", "Rows that imports added.", ["kind"], registry=own
        )
        self.calls = Histogram(
            "medlens_model_call_seconds",
            "Duration of model calls, by outcome.",
            ["model", "outcome"],
            buckets=_LONG_SECONDS,
            registry=own,
        )
        self.cost = Counter(
            "medlens_model_cost",
            "What models cost, in the currency of their prices.",
            ["model"],
            registry=own,
        )
        self.tokens = Counter(
            "medlens_model_tokens",
            "Tokens sent to and from models.",
            ["model", "way"],
            registry=own,
        )
        self.errors = Counter(
            "medlens_errors",
            "Errors that a person was shown, and faults of the program.",
            ["error"],
            registry=own,
        )


class _SessionsCollector:
    def __init__(self, sessions: Callable[[], Sessions]) -> None:
        self._sessions = sessions

    def collect(self) -> Iterator[Metric]:
        from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily

        now = self._sessions()
        yield GaugeMetricFamily("medlens_sessions", "Tabs that are connected.", value=now.connected)
        yield CounterMetricFamily(
            "medlens_sessions_opened", "Tabs that connected.", value=now.opened
        )


_on: Meters | None = None


def set_metrics(meters: Meters | None) -> None:
    """Count into these from now on; None stops counting."""
    global _on  # noqa: PLW0603
    _on = meters


def start_metrics_server_and_return_stopper(
    host: str, port: int, registry: CollectorRegistry, *, names: Iterable[str] = ()
) -> Callable[[], None]:
    """Serve the metrics at this address under ``/metrics``; returns a function that stops it.

    It answers requests for its own address, for any numeric address, and for ``names``: a foreign
    page whose host name was pointed here (DNS rebinding) gets nothing.

    Raises:
        MedLensError: it cannot listen on the address.
    """
    from prometheus_client import make_wsgi_app

    tell, known = make_wsgi_app(registry), {"localhost", host, *names}

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not _is_known(environ.get("HTTP_HOST", ""), known):
            start_response("400 Bad Request", [])
            return [b"These figures go by another name.\n"]
        if environ["PATH_INFO"] != "/metrics":
            start_response("404 Not Found", [])
            return [b"Ask for /metrics.\n"]
        told: Iterable[bytes] = tell(environ, start_response)
        return told

    try:
        [family, _, _, _, place], *_ = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)

        class Here(_Server):
            address_family = family

        server = make_server(str(place[0]), port, answer, Here, _Handler)
    except OSError as error:
        raise MedLensError(
            f"The metrics cannot be served at {host}:{port}: {error.strerror or error}.",
            hint="Choose another [metrics] address in medlens.toml.",
        ) from error
    thread = threading.Thread(target=server.serve_forever, name="medlens-metrics", daemon=True)
    thread.start()

    def end() -> None:
        server.shutdown()
        server.server_close()
        thread.join(5)

    return end


def _is_known(sent: str, names: Container[str]) -> bool:
    """Whether a Host header is one of the names, or a numeric address."""
    host = find_host_name_in_header(sent) or ""
    try:
        return host in names or bool(ip_address(host))
    except ValueError:
        return False


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing: requests are not logged."""


class _Server(ThreadingMixIn, WSGIServer):
    """Serves few clients at a time, each for a few seconds, so a silent client cannot block others
    for long.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *args: Any) -> None:
        self._free = threading.BoundedSemaphore(_CLIENTS)
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        if self._free.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        cut_off = threading.Timer(_PATIENCE, _cut_off, [request])
        cut_off.daemon = True
        cut_off.start()
        try:
            super().process_request_thread(request, client_address)
        finally:
            cut_off.cancel()
            self._free.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: the client has gone, or was cut off."""


def _cut_off(peer: socket.socket) -> None:
    with contextlib.suppress(OSError):
        peer.shutdown(socket.SHUT_RDWR)


# -- counting ------------------------------------------------------------------------------------


def count_rerun(part: str, seconds: float) -> None:
    """A page (``page``) or a part of one (``fragment``) ran."""
    if _on is not None:
        _on.reruns.labels(part).observe(seconds)


@contextlib.contextmanager
def context_that_times_saving() -> Iterator[None]:
    """Whatever is done inside makes rows durable."""
    if _on is None:
        yield
        return
    begun = time.perf_counter()
    try:
        yield
    except BaseException as error:
        _on.unsaved.labels(type(error).__name__).inc()
        raise
    _on.saves.observe(time.perf_counter() - begun)


def count_import(kind: str, outcome: str, *, rows: int, seconds: float) -> None:
    """A file was imported, or refused."""
    if _on is not None:
        _on.imports.labels(kind, outcome).observe(seconds)
        _on.rows.labels(kind).inc(rows)


def count_model_call(model: str, outcome: str, seconds: float) -> None:
    """A model was called, and answered or failed."""
    if _on is not None:
        _on.calls.labels(model, outcome).observe(seconds)


def count_tokens_and_cost(
    model: str, *, tokens_in: int, tokens_out: int, cost: float | None
) -> None:
    """The tokens and cost of an answer."""
    if _on is not None:
        _on.tokens.labels(model, "in").inc(tokens_in)
        _on.tokens.labels(model, "out").inc(tokens_out)
        _on.cost.labels(model).inc(cost or 0.0)


def count_failure(error: BaseException) -> None:
    """Somebody was shown an error, or the program failed."""
    if _on is not None:
        _on.errors.labels(type(error).__name__).inc()
