"""Regular expressions that are compiled when they are first used.

The rules for quotes, walls and replies are some hundreds of long expressions. To compile them all
takes half a second, and most processes (a command, a reader, a page) need none of them.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer")
_PROPERTIES = ("pattern", "flags", "groups", "groupindex")


class _DeferredPattern:
    """Stands for a pattern. Its methods become those of the compiled one at the first use, so that
    later uses cost what they would cost on the pattern itself.
    """

    def __init__(self, pattern: str, flags: int) -> None:
        self._written = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS and name not in _PROPERTIES:
            raise AttributeError(f"A pattern has no {name!r}.")
        compiled = re.compile(*self._written)
        for known in (*_METHODS, *_PROPERTIES):
            setattr(self, known, getattr(compiled, known))
        return getattr(self, name)


def compile_later(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """``re.compile(pattern, flags)`` at the first use of the result.

    For use by its own methods only: the functions of ``re`` and ``isinstance`` do not know it. An
    error in ``pattern`` (``re.error``) comes at the first use.
    """
    return cast("re.Pattern[str]", _DeferredPattern(pattern, flags))
