"""Processes of their own for what strangers wrote: what such a process is given, and its limits."""

from __future__ import annotations

import contextlib
import os

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


def environment() -> dict[str, str]:
    """The environment of such a process: no key, no store, no settings."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # Arrow's own way of taking memory reserves a gibibyte at once: all of what is allowed.
    return passed_on | {"ARROW_DEFAULT_MEMORY_POOL": "system"}


def limit_memory(size: int, *, beyond: bool = False) -> None:
    """Let this process hold at most ``size`` bytes; or that much ``beyond`` what it has reserved
    already, by its libraries. Above it, an allocation fails."""
    try:
        import resource
    except ImportError:  # not on Windows, where the time limit alone holds
        return
    # Not every system lets memory be limited so; the time limit holds everywhere. What is mapped
    # and shared (libraries, a file that is read) is not counted, as it would be by RLIMIT_AS.
    with contextlib.suppress(ValueError, OSError):
        if beyond:
            with open("/proc/self/statm", "rb") as file:
                size += int(file.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
