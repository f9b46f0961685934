"""Running text that somebody gives as a table: a conversation as it was copied from a page."""

from __future__ import annotations

import re
from collections import Counter

from medlens.errors import BadFile

_LABELLED = re.compile(r"\s*[*_]{0,2}([^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}\s?:[*_]{0,2}\s+(\S.*)")
_FEWEST, _MOST_SPEAKERS, _WORDS = 4, 6, 4
"""How many lines have to begin with who speaks, how many may speak, and how many words each says on
the average.
"""


def require_table_and_no_conversation(beginning: str, name: str) -> None:
    """Refuse a text whose lines begin with who speaks ("Patient: …", "ChatGPT: …").

    Raises:
        BadFile: says what a table needs.
    """
    lines = [line for line in beginning.splitlines() if line.strip()]
    found = [_LABELLED.match(line) for line in lines]
    spoken = [one for one in found if one]
    speakers = Counter(one[1].strip() for one in spoken)
    if not lines or not found[0] or len(spoken) < _FEWEST or 2 * len(spoken) < len(lines):
        return
    if not 2 <= len(speakers) <= _MOST_SPEAKERS or min(speakers.values()) < 2:
        return
    if sum(len(one[2].split()) for one in spoken) < _WORDS * len(spoken):
        return
    first, second = [f"“{speaker}:”" for speaker in speakers][:2]
    raise BadFile(
        f"{name} is a conversation as running text, whose lines begin with {first} and {second}: it"
        " is no table.",
        hint="Make a row for each case, with the question in one column and the answer in another;"
        " or a row for each turn, with the columns conversation_id, role and content.",
    )
