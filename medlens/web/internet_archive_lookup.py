"""Whether a dead page once existed: a look-up in the Internet Archive."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from medlens.config.settings import Web
from medlens.web.body_decompression import Undecodable
from medlens.web.http_exchange import TROUBLE, TooLarge, open_service_exchange


@dataclass(frozen=True)
class ArchivedPage:
    """An archived page. ``when`` is YYYYMMDDhhmmss."""

    url: str
    when: str


class ArchiveUnavailable(Exception):
    """The archive could not be asked."""


class Archive:
    """Asks the archive in the settings (``archive`` in ``[web]``), whose own address need not be
    public.
    """

    def __init__(self, settings: Web) -> None:
        self._settings = settings
        self._exchange = open_service_exchange(settings, settings.archive)

    async def find_newest_copy(self, url: str) -> ArchivedPage | None:
        """The most recent archived page; None if there is none.

        Raises:
            ArchiveUnavailable: the archive's answer cannot be understood.
        """
        asked = f"{self._settings.archive}?{urlencode({'url': url})}"
        try:
            async with asyncio.timeout(self._settings.timeout):
                raw = await self._exchange.get(asked)
            said: Any = json.loads(raw.body)
            nearest = said["archived_snapshots"].get("closest")
            if not nearest or not nearest["available"]:
                return None
            return ArchivedPage(str(nearest["url"]), str(nearest["timestamp"]))
        except (KeyError, TypeError, ValueError, TooLarge, Undecodable, *TROUBLE) as error:
            raise ArchiveUnavailable from error

    async def aclose(self) -> None:
        """Close the connections."""
        await self._exchange.aclose()
