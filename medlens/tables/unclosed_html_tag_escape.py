"""HTML that a parser reads in time: an opening sign that begins no whole tag is a text's own.

Python's parser looks for the end of such a tag anew at each of them, which takes minutes for a few
kilobytes of "<a ".
"""

from __future__ import annotations

import re

_TAG = re.compile(
    r"""<[a-zA-Z/!?](?:[^<>"'=]++|=\s*+(?:"[^"]*+"|'[^']*+')|["'=])*+>""",
)
"""A whole tag, a quoted ``>`` included; each sign is looked at once."""
_MOST_UNCLOSED, _LONGEST_AMONG_THEM = 100, 500
"""Tags that are not closed, from which on none of more signs than the latter is looked for."""


def escape_unclosed_html_tags(text: str) -> str:
    """The text with ``&lt;`` for each ``<`` that begins neither a whole tag nor a whole comment."""
    parts: list[str] = []
    behind = at = 0
    last_comment = text.rfind("-->")
    unclosed = 0
    while (start := text.find("<", at)) >= 0:
        if text.startswith("<!--", start) and start < last_comment:
            at = text.find("-->", start) + 3
        elif tag := _TAG.match(
            text, start, start + _LONGEST_AMONG_THEM if unclosed > _MOST_UNCLOSED else len(text)
        ):
            at = tag.end()
        else:
            unclosed += 1
            parts += [text[behind:start], "&lt;"]
            behind = at = start + 1
    return "".join([*parts, text[behind:]]) if parts else text
