"""Separate processes for files and pages that strangers wrote: their environment and their
limits.
"""

from __future__ import annotations

import contextlib
import os

_PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR")


def environment_variables_of_confined_process() -> dict[str, str]:
    """The environment of such a process: no key, no store, no settings."""
    passed_on = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    # Arrow's own allocator reserves a gibibyte at once, which is all that is allowed.
    return passed_on | {"ARROW_DEFAULT_MEMORY_POOL": "system"}


def limit_memory(size: int, *, beyond: bool = False) -> None:
    """Limit this process to ``size`` bytes of memory, or to that much ``beyond`` what its libraries
    have already reserved. Above the limit, an allocation fails.
    """
    try:
        import resource
    except ImportError:  # not on Windows, where the time limit alone holds
        return
    # Not every system can limit memory like this; the time limit works everywhere. Mapped and
    # shared memory (libraries, a file being read) does not count, as it would with RLIMIT_AS.
    with contextlib.suppress(ValueError, OSError):
        if beyond:
            with open("/proc/self/statm", "rb") as file:
                size += int(file.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
