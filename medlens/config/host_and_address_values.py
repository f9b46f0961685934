"""What the value of a setting may be: an address, a host, a name. A ``ValueError`` says what was
expected.
"""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from medlens.config.email_and_name_normalisation import normalise_email_for_comparison


def _as_address(text: str) -> str:
    address = normalise_email_for_comparison(text)
    if address is None:
        raise ValueError("an e-mail address")
    return address


def _as_host(text: str) -> str:
    host = text.strip().lower()
    if not re.fullmatch(r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", host):
        raise ValueError("a host name alone, such as medlens.example.org")
    return host


def _as_host_and_port(text: str) -> str:
    host = text.strip().lower()
    if not re.fullmatch(r"(?:[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])(:\d{1,5})?", host):
        raise ValueError("a host name, with :port or without, such as wiki.hospital.example:8080")
    return host


def _as_address_of_an_api(text: str) -> str:
    parts = urlsplit(text.strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address such as https://api.example.org/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("an address without a user, password or query; key_env names the key")
    _ = parts.port  # a ValueError where it is none
    return text.strip().rstrip("/")


def _as_variable(text: str) -> str:
    if not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", text):
        raise ValueError("the name of an environment variable in capitals, never the key itself")
    return text


def _as_existing(path: Path) -> Path:
    if not path.exists():
        raise ValueError(
            "a file or folder that is there; leave the line out for the one that MedLens comes with"
        )
    return path


def _as_listen_address(text: str) -> str:
    if text:
        parse_host_and_port(text)
    return text


def parse_host_and_port(text: str) -> tuple[str, int]:
    """Host and port of an address to listen on.

    Raises:
        ValueError: it is not such an address.
    """
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError("an address and a port, such as 127.0.0.1:9464")
    return host.strip("[]"), int(port)


def is_loopback_host(host: str) -> bool:
    """Whether only this machine can reach ``host`` (a name or an address)."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


Address = Annotated[str, AfterValidator(_as_address)]
ListenAddress = Annotated[str, AfterValidator(_as_listen_address)]
Host = Annotated[str, AfterValidator(_as_host)]
ExistingPath = Annotated[Path, AfterValidator(_as_existing), Field(strict=False)]
HostAndPort = Annotated[str, AfterValidator(_as_host_and_port)]
ApiAddress = Annotated[str, AfterValidator(_as_address_of_an_api)]
TagPair = Annotated[tuple[str, str], Field(strict=False)]
Variable = Annotated[str, AfterValidator(_as_variable)]
TaskName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
ModelName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,59}$")]
