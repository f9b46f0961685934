"""How MedLens treats the sites it fetches from: one request after another, and by their rules."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from urllib.robotparser import RobotFileParser

from medlens.config.settings import Web
from medlens.web.addresses import Target
from medlens.web.exchange import TROUBLE, Exchange, TooLarge, Undecodable

_ROBOTS_SECONDS = 10.0
_MOST_ROBOTS = 500_000


class Manners:
    """Starts requests to one host ``pause`` seconds apart, at most ``per_host`` at once, and checks
    robots.txt first if the settings say so (RFC 9309; an unavailable one permits everything).
    """

    def __init__(self, settings: Web, exchange: Exchange) -> None:
        self._settings, self._exchange = settings, exchange
        self._places: dict[str, asyncio.Semaphore] = {}
        self._free_at: dict[str, float] = {}
        self._robots: dict[str, asyncio.Task[RobotFileParser | None]] = {}

    @contextlib.asynccontextmanager
    async def turn(self, target: Target) -> AsyncIterator[bool]:
        """Wait for a turn at the host; returns whether its robots.txt permits the page."""
        permitted = await self._permitted(target) if self._settings.robots else True
        places = self._places.setdefault(target.host, asyncio.Semaphore(self._settings.per_host))
        async with places:
            if permitted and self._settings.pause:
                now = time.monotonic()
                begins = max(now, self._free_at.get(target.host, now))
                self._free_at[target.host] = begins + self._settings.pause
                await asyncio.sleep(begins - now)
            yield permitted

    async def _permitted(self, target: Target) -> bool:
        known = self._robots.get(target.origin)
        if known is None:
            known = self._robots[target.origin] = asyncio.create_task(self._rules(target.origin))
        # Shielded: cancelling one page must not take the rules from the others.
        rules = await asyncio.shield(known)
        return rules is None or rules.can_fetch(self._settings.user_agent, target.url)

    async def _rules(self, origin: str) -> RobotFileParser | None:
        try:
            async with asyncio.timeout(_ROBOTS_SECONDS):
                raw = await self._exchange.get(f"{origin}/robots.txt")
        except (*TROUBLE, TooLarge, Undecodable):
            return None
        if raw.status != 200:
            return None
        rules = RobotFileParser()
        rules.parse(raw.body[:_MOST_ROBOTS].decode("utf-8", "replace").splitlines())
        return rules
