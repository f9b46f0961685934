"""The server's log: one line per event, for people or as JSON.

An event has a name, the request and rater it belongs to, and facts that are numbers or names from
the code. A part of MedLens may log ``extra={"words": …}``, a sentence it takes responsibility for.
Nothing else is written: of other records, including libraries', only the fixed text in the source
of whoever logged them, and of exceptions only their kind and location, because a message can quote
an item, an answer or a key.
"""

from __future__ import annotations

import contextlib
import json
import linecache
import logging
import re
import secrets
import sys
import threading
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, TextIO

__all__ = ["log_event", "set_log_rater", "set_up_logging", "tag_logs_with_request"]

Fact = int | float | bool | str | None

_events = logging.getLogger("medlens.events")
_request: ContextVar[str] = ContextVar("medlens_request", default="")
_rater: ContextVar[str] = ContextVar("medlens_rater", default="")
_A_NAME = re.compile(r"[A-Za-z0-9_.:/@+-]{0,80}")
_FRAMES = 30


def log_event(name: str, *, level: int = logging.INFO, **facts: Fact) -> None:
    """Log an event. A fact that is text must be a name (no spaces in it), or it is left out."""
    if _events.isEnabledFor(level):
        _events.log(level, name, extra={"facts": facts})


@contextlib.contextmanager
def tag_logs_with_request(rater: str = "") -> Iterator[None]:
    """Everything logged inside belongs to one request with its own id, by this rater."""
    one, who = _request.set(secrets.token_hex(6)), _rater.set(rater)
    try:
        yield
    finally:
        _request.reset(one)
        _rater.reset(who)


def set_log_rater(rater: str) -> None:
    """From here on it is known who asked."""
    _rater.set(rater)


def set_up_logging(*, level: str, as_json: bool, stream: TextIO | None = None) -> None:
    """Send all logs of this process to ``stream`` (standard error), from ``level`` up.

    Exceptions that a thread or the interpreter would print go the same way.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(Formatter(as_json=as_json))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    handler.addFilter(_is_wanted)
    root.setLevel(logging.WARNING)
    logging.getLogger("medlens").setLevel(level.upper())
    # A failing handler would print the record with everything in it.
    logging.raiseExceptions = False
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda args: _uncaught(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )
    sys.unraisablehook = lambda args: _uncaught(
        args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
    )


def _is_wanted(record: logging.LogRecord) -> bool:
    """Libraries are logged only if something is wrong."""
    return record.levelno >= logging.WARNING or record.name.startswith("medlens.")


def _uncaught(
    kind: type[BaseException], error: BaseException, places: TracebackType | None
) -> None:
    if issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    _events.error("uncaught", exc_info=(kind, error, places))


class Formatter(logging.Formatter):
    """Formats a record as a line: as JSON, or for people."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__()
        self._as_json = as_json

    def format(self, record: logging.LogRecord) -> str:
        told = _told(record)
        if self._as_json:
            return json.dumps(told, ensure_ascii=True)
        head = f"{told.pop('time')} {told.pop('level'):<7} {told.pop('event')}"
        trace = told.pop("trace", [])
        facts = " ".join(f"{name}={value}" for name, value in told.items())
        return "\n    ".join([f"{head} {facts}".rstrip(), *trace])


def _told(record: logging.LogRecord) -> dict[str, Any]:
    """What a line says about a record, by name."""
    moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    told: dict[str, Any] = {
        "time": moment.replace("+00:00", "Z"),
        "level": record.levelname.lower(),
    }
    if record.name == _events.name:
        told["event"] = str(record.msg)
    else:
        told["event"] = "log"
        told["logger"] = record.name
        told["where"] = f"{_short(record.pathname)}:{record.lineno}"
        if words := _own_words(record):
            told["message"] = words
        if record.name.startswith("medlens.") and (words := getattr(record, "words", "")):
            told["message"] = words
    told |= {name: of.get() for name, of in (("request", _request), ("rater", _rater)) if of.get()}
    for name, value in getattr(record, "facts", {}).items():
        if isinstance(value, float):
            told[name] = round(value, 4)
        elif not isinstance(value, str) or _A_NAME.fullmatch(value):
            told[name] = value
    if record.exc_info and record.exc_info[1] is not None:
        told["error"], told["trace"] = _kinds(record.exc_info[1]), _places(record.exc_info[1])
    return told


def _own_words(record: logging.LogRecord) -> str:
    """A program's own words: text from its source, with nothing inserted."""
    said = str(record.msg).strip()
    known = said in "".join(linecache.getlines(record.pathname))
    return _PLACE.sub("…", said) if known else ""


_PLACE = re.compile(r"%(?:\(\w+\))?[-#0 +]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]")
"""Where something is put into a message: it may be anything, and is left out."""


def _kinds(error: BaseException) -> str:
    """The kinds of an exception and of its causes."""
    kinds, seen = [], set[int]()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        kinds.append(f"{type(one).__module__}.{type(one).__qualname__}".removeprefix("builtins."))
        one = one.__cause__ or one.__context__
    return " from ".join(kinds)


def _places(error: BaseException) -> list[str]:
    """Where an exception passed, ending with where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{_short(one.filename)}:{one.lineno} in {one.name}" for one in frames]


def _short(path: str) -> str:
    """A file's path without the folders that are specific to this machine."""
    parts = path.replace("\\", "/").split("/")
    for anchor in ("site-packages", "medlens", "pages"):
        if anchor in parts:
            at = len(parts) - 1 - parts[::-1].index(anchor)
            return "/".join(parts[at + (anchor == "site-packages") :])
    return parts[-1]
