"""The country in which a domain is registered: RDAP (RFC 9083), which replaced whois in 2025."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from medlens.config.settings import Web
from medlens.web.body_decompression import Undecodable
from medlens.web.http_exchange import TROUBLE, TooLarge, Wish, open_service_exchange

_LONGEST = 60
_AMERICA = {"USA", "UNITED STATES", "UNITED STATES OF AMERICA"}


class RegistryUnavailable(Exception):
    """The registry could not be asked, or its answer cannot be understood."""


@dataclass(frozen=True)
class Registration:
    """What a registry says about a domain. ``country`` is a code (ISO 3166) if it gives one, or
    else the name it gives; empty if it withholds it or does not know the domain. ``answered`` is
    the host that said so.
    """

    country: str
    answered: str


class Registry:
    """Asks the look-up service in the settings (``web.registry``), whose own address need
    not be public, about one domain after another, ``web.pause`` seconds apart.
    """

    def __init__(self, settings: Web) -> None:
        self._settings = settings
        self._exchange = open_service_exchange(settings, settings.registry)
        self._turn = asyncio.Lock()
        self._free_at = 0.0

    async def find_registration(self, domain: str) -> Registration:
        """The registration of a domain.

        Raises:
            RegistryUnavailable: nobody answered.
        """
        asked = f"{self._settings.registry}/{quote(domain, safe='')}"
        async with self._turn:
            await asyncio.sleep(max(0.0, self._free_at - time.monotonic()))
            self._free_at = time.monotonic() + self._settings.pause
            try:
                async with asyncio.timeout(self._settings.timeout):
                    raw = await self._exchange.get(asked, Wish(accept="application/rdap+json"))
            except (TooLarge, Undecodable, *TROUBLE) as error:
                raise RegistryUnavailable(str(error)) from error
        if raw.status == 404:
            return Registration("", raw.target.host)
        if raw.status != 200:
            raise RegistryUnavailable(f"status {raw.status}")
        try:
            said = json.loads(raw.body)
        except (ValueError, RecursionError) as error:
            raise RegistryUnavailable("no JSON") from error
        return Registration(country_in_rdap_answer(said), raw.target.host)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._exchange.aclose()


def country_in_rdap_answer(said: Any) -> str:
    """The registrant's country in an RDAP answer; empty if there is none."""
    for entity in _entities(said):
        if "registrant" not in (entity.get("roles") or ()):
            continue
        card = entity.get("vcardArray")
        fields = card[1] if isinstance(card, list) and len(card) > 1 else ()
        for field in fields if isinstance(fields, list) else ():
            found = _country(field)
            if found:
                return found
    return ""


def _entities(said: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    if not isinstance(said, dict) or depth > 4:
        return
    inside = said.get("entities")
    for one in inside if isinstance(inside, list) else ():
        if isinstance(one, dict):
            yield one
            yield from _entities(one, depth + 1)


def _country(field: Any) -> str:
    """The country in an address of a card (jCard, RFC 7095): name, parameters, type, value."""
    if not isinstance(field, list) or len(field) < 4 or field[0] != "adr":
        return ""
    value, parameters = field[3], field[1]
    given = parameters.get("cc") if isinstance(parameters, dict) else None
    if not given and isinstance(value, list) and value:
        given = value[-1]
    return normalise_country(given) if isinstance(given, str) else ""


def normalise_country(given: str) -> str:
    """A country in the form that is stored: upper case, one word for the United States."""
    name = " ".join(given.replace(".", "").upper().split())[:_LONGEST]
    return "US" if name in _AMERICA else name
