"""The shared rate limit: requests and tokens per minute of one model, for everyone who asks it.

A token bucket stored as the moment at which it is full again (generic cell rate algorithm, ITU-T
I.371). Calls are spread evenly, because endpoints refuse a minute's worth at once. Safe between
threads, because two runs in one process share the endpoint's limit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from medlens.config.settings import Model


class Limiter:
    """Spreads calls; ``requests`` and ``tokens`` are per minute, 0 for no limit."""

    def __init__(
        self, *, requests: int, tokens: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_request = 60 / requests if requests else 0.0
        self._per_token = 60 / tokens if tokens else 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._requests_at = self._tokens_at = self._held_until = clock()

    def reserve(self, tokens: int) -> float:
        """Reserve a slot for a call of about ``tokens``; returns the seconds until its turn."""
        with self._lock:
            now = self._clock()
            turn = max(now, self._requests_at, self._tokens_at, self._held_until)
            self._requests_at = turn + self._per_request
            self._tokens_at = turn + tokens * self._per_token
            return turn - now

    def settle(self, tokens: int) -> None:
        """Count ``tokens`` more (or fewer, if negative) than were reserved."""
        with self._lock:
            self._tokens_at += tokens * self._per_token

    def hold(self, seconds: float) -> None:
        """Start no call for ``seconds``, because the endpoint said so."""
        with self._lock:
            self._held_until = max(self._held_until, self._clock() + seconds)

    def held(self) -> float:
        """Seconds until calls may start again."""
        with self._lock:
            return max(0.0, self._held_until - self._clock())


_limiters: dict[tuple[str, str, int, int], Limiter] = {}
_registry = threading.Lock()


def limiter_of(model: Model) -> Limiter:
    """The limiter that everything in this process shares for this model."""
    place = (model.base_url, model.model, model.requests_per_minute, model.tokens_per_minute)
    with _registry:
        if place not in _limiters:
            _limiters[place] = Limiter(
                requests=model.requests_per_minute, tokens=model.tokens_per_minute
            )
        return _limiters[place]
