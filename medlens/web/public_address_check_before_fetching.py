"""Which addresses may be fetched: only http and https, and only hosts on the public internet.

A name is resolved once, and the connection goes to that very address (``pinned_connections``), so
an answer that changes between check and connection has no effect.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

import httpx2

Ip = IPv4Address | IPv6Address
_LONGEST = 8192
_WEB_PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-][a-z0-9._-]{0,252}|[0-9a-f:.]{2,45}(?:%25\w+)?")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
# Reachable only from within a cloud, although their numbers are public.
_METADATA = {
    IPv4Address("168.63.129.16"): "the cloud's own service",
    IPv4Address("169.254.169.254"): "the cloud's metadata",
    IPv6Address("fd00:ec2::254"): "the cloud's metadata",
}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")
# Special in IANA's registries, but public according to ``is_global`` in some version of Python.
_SPECIAL = tuple(
    ipaddress.ip_network(one)
    for one in (
        "192.0.0.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "2001::/23",
        "2001:db8::/32",
        "2620:4f:8000::/48",
        "3fff::/20",
    )
)
_UNICAST = ipaddress.ip_network("2000::/3")


class AddressRefused(Exception):
    """An address that is not fetched; says why."""


@dataclass(frozen=True)
class RequestTarget:
    """Where a request goes. ``url`` is normalised and has no fragment."""

    url: str
    scheme: str
    host: str
    port: int

    @property
    def scheme_host_and_port(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{_bracketed(self.host)}:{self.port}"


def parse_address_to_fetch(url: str, *, allowed: Collection[str] = ()) -> RequestTarget:
    """Parse an address as browsers do, as far as that is safe.

    Raises:
        AddressRefused: another scheme, a user name, a port not used for the web, or not an address.
    """
    text = "".join(char for char in url.strip() if char not in "\t\r\n").replace("\\", "/")
    found = _SCHEME.match(text)
    if found and found[1].lower() not in _WEB_PORTS and not _is_host_and_port(text):
        raise AddressRefused(f"{found[1].lower()[:20]}: is not fetched, only http and https")
    if not found or len(text) > _LONGEST:
        raise AddressRefused("it is not a web address")
    try:
        parsed = httpx2.URL(text)
        host = parsed.raw_host.decode("ascii").lower().rstrip(".")
        port = parsed.port or _WEB_PORTS[parsed.scheme]
    except (httpx2.InvalidURL, ValueError, KeyError, UnicodeError) as error:
        raise AddressRefused("it is not a web address") from error
    if not _HOST.fullmatch(host):
        raise AddressRefused("it is not a web address")
    if parsed.userinfo:
        raise AddressRefused("it holds a user name")
    target = RequestTarget(
        str(parsed.copy_with(host=host, fragment=None)), parsed.scheme, host, port
    )
    if (
        port != _WEB_PORTS[parsed.scheme]
        and port < 1024
        and not is_host_allowed(host, port, allowed)
    ):
        raise AddressRefused(f"port {port} is not a web port")
    return target


def _is_host_and_port(text: str) -> bool:
    return re.match(r"[\w.-]+:\d+(?:/|$)", text) is not None


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def is_host_allowed(host: str, port: int, allowed: Collection[str]) -> bool:
    """Whether the settings allow a host by name, for all ports or for this one (``name:port``)."""
    return host in allowed or f"{_bracketed(host)}:{port}" in allowed


def parse_ip_address_in_any_form(host: str) -> Ip | None:
    """The address that a host *is*, in any form that a resolver accepts for numbers: dotted, a
    single number, octal, hexadecimal (``inet_aton``); None for a name.
    """
    bare = host.strip("[]").partition("%")[0]
    try:
        return ipaddress.ip_address(bare)
    except ValueError:
        pass
    if not re.fullmatch(r"[0-9a-fx.]+", bare, re.IGNORECASE) or bare.endswith("."):
        return None
    try:
        return IPv4Address(socket.inet_aton(bare))
    except OSError:
        return None


def reason_ip_address_is_refused(address: Ip) -> str:
    """Why an address is not connected to; empty for one on the public internet.

    An IPv4 address inside an IPv6 one (mapped, compatible, 6to4, NAT64, Teredo) is judged by
    itself.
    """
    if address in _METADATA:
        return _METADATA[address]
    if isinstance(address, IPv6Address):
        inner = _within(address)
        if inner is not None:
            return reason_ip_address_is_refused(inner) or (
                "" if address in _NAT64 else "an address in disguise"
            )
        if address.is_site_local:
            return "a private address"
    for found, name in (
        (address.is_unspecified, "no address at all"),
        (address.is_loopback, "this machine itself"),
        (address.is_link_local, "a link-local address"),
        (address.is_multicast, "a multicast address"),
        (address.is_private, "a private address"),
        (address.is_reserved, "a reserved address"),
        (not address.is_global, "an address that is not public"),
        (any(address in one for one in _SPECIAL), "an address that is not public"),
        (address.version == 6 and address not in _UNICAST, "an address that is not public"),
    ):
        if found:
            return name
    return ""


def _within(address: IPv6Address) -> IPv4Address | None:
    if address.is_unspecified or address.is_loopback:
        return None
    if address.ipv4_mapped or address.sixtofour:
        return address.ipv4_mapped or address.sixtofour
    if address.teredo:
        return address.teredo[1]
    if address in _NAT64 or address in _COMPATIBLE:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None
