"""Running text that somebody gives as a table: a conversation as it was copied from a page, or
paragraphs.
"""

from __future__ import annotations

import re
from collections import Counter

from medlens.errors import BadFile

_LABELLED = re.compile(r"\s*[*_]{0,2}([^\W\d_][\w .'’-]{0,30}?)[*_]{0,2}\s?:[*_]{0,2}\s+(\S.*)")
_FEWEST, _MOST_SPEAKERS, _WORDS = 4, 6, 4
"""How many lines have to begin with who speaks, how many may speak, and how many words each says on
the average.
"""


_ENDS_A_SENTENCE = re.compile(r"[.!?…:][\"'”’)\]]{0,3}$")
_A_QUOTED_CELL = re.compile(r"(?:^|[,;\t|])\"")
_SEPARATORS = ",;\t|"
_FEWEST_PARAGRAPHS, _WORDS_OF_A_HEADING, _SENTENCES, _ALIKE = 3, 8, 0.6, 0.8
"""From how many lines on a text is running, from how many words on its first line is no heading,
and which shares of its lines end a sentence there, or have equally many separators in a table.
"""
_IN_A_TABLE = (
    " Make a row for each case, with a heading above each column, such as question and answer."
)


def require_table_and_no_running_text(beginning: str, name: str) -> None:
    """Refuse paragraphs of sentences, which no separator splits into the same columns in each line.

    Raises:
        BadFile: says what a table needs.
    """
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    if len(lines) < _FEWEST_PARAGRAPHS:
        return
    sentences = [line for line in lines if _ENDS_A_SENTENCE.search(line[-4:])]
    if lines[0] not in sentences or len(lines[0].split()) < _WORDS_OF_A_HEADING:
        return
    if len(sentences) < _SENTENCES * len(lines):
        return
    if any(map(_A_QUOTED_CELL.search, lines)):
        return
    for sign in _SEPARATORS:
        count, alike = Counter(line.count(sign) for line in lines).most_common(1)[0]
        if count and alike >= _ALIKE * len(lines):
            return
    if not any(sign in line for line in lines for sign in _SEPARATORS):
        # A column of texts without a comma is read.
        return
    raise BadFile(
        f"{name} is running text, not a table: its first line is a sentence, and its lines do not"
        " have the same columns.",
        hint=f"Put it in a table (Excel or CSV).{_IN_A_TABLE}",
    )


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
        f"{name} is a conversation in plain text, not a table: its lines begin with {first} and"
        f" {second}.",
        hint=f"Put it in a table (Excel or CSV).{_IN_A_TABLE} Or make a row for each turn, with the"
        " columns conversation_id, role and content.",
    )
