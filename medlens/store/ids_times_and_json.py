"""What every stored fact is made of: ids, times, clean text, JSON."""

from __future__ import annotations

import hashlib
import json
import random
import time
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from pydantic_core import to_json as to_lines

from medlens.errors import InvalidInput

_NAMESPACE = uuid.UUID("5f0c2a52-6d9e-5b7a-9a3e-6d65646c656e")
_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def new_id() -> str:
    """A time-ordered UUID (version 7, RFC 9562): ids made later sort later."""
    stamp = time.time_ns() // 1_000_000
    value = (stamp << 80) | random.getrandbits(80)
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    return str(uuid.UUID(int=(value & ~(0x3 << 62)) | (0x2 << 62)))


def stable_id(*parts: str) -> str:
    """The same id for the same thing every time, so importing it twice adds nothing."""
    return str(uuid.uuid5(_NAMESPACE, "\x1f".join(parts)))


def stable_ids(keys: Iterable[str]) -> list[str]:
    """``stable_id`` for many things at once; the parts of each key are joined by U+001F."""
    made = []
    space, sha1 = _NAMESPACE.bytes, hashlib.sha1
    for key in keys:
        h = sha1(space + key.encode(), usedforsecurity=False).hexdigest()
        made.append(f"{h[:8]}-{h[8:12]}-5{h[13:16]}-{_VARIANT[h[16]]}{h[17:20]}-{h[20:32]}")
    return made


_VARIANT = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def utc_now() -> datetime:
    """The current time in UTC, with its time zone."""
    return datetime.now(UTC)


def replace_unstorable_characters(text: str) -> str:
    """Text that every database can store: no NUL, no lone surrogates."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    if text.isascii():
        return text
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text


def _json_of_texts(value: Any) -> str:
    """An object of texts alone as ``_JSON`` writes it, in half the time; "" for anything else."""
    if type(value) is not dict or {*map(type, value), *map(type, value.values())} != {str}:
        return ""
    try:
        # Each on a line of its own: a line never ends within a text, where it is escaped.
        lines = to_lines(value, indent=0)
    except ValueError:  # half a surrogate pair
        return ""
    return f"{{{lines[2:-2].decode().replace(chr(10), ' ')}}}"


def to_json(value: Any) -> str:
    """JSON as the store keeps it; refuses NaN, which is not valid JSON."""
    try:
        return replace_unstorable_characters(_json_of_texts(value) or _JSON.encode(value))
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"This cannot be stored as JSON ({error}).", hint="Remove the value."
        ) from error
