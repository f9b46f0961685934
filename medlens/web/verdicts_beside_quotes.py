"""A verdict that stands beside a quote and not in its sentence: in the next cell of its row, at the
head of its column, or in the heading above its paragraph.

"Insulin must be frozen" is what a page says not to believe if the cell beside it says "False", the
column is called "Myth", or the heading above is "What doctors used to think".
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later

_I = re.IGNORECASE
_BORDER = compile_later(r"[ .!?\"”’»]*(?:\t|[ ]*\|)[ \t|]*")
_FALSE = (
    r"(?:false|untrue|not true|wrong|incorrect|not correct|mistaken|inaccurate|myths?|fiction"
    r"|misconceptions?|legend|rumou?r|hoax|fake|nonsense|refuted|disproved|disproven|debunked"
    r"|rejected|discredited|retracted|withdrawn|outdated|obsolete|superseded|abandoned"
    r"|no longer \w+|unproven|unsupported|unfounded|not (?:supported|proven|recommended|advised"
    r"|confirmed)|no evidence|[✗✘✕❌✖])"
)
_SAYS_FALSE = compile_later(rf"{_FALSE}(?:[\s.!,;:(–—-]|$)", _I)
# "No" is the verdict on a statement; beside a symptom or a drug it answers the column's question.
_SAYS_NO = compile_later(
    r"(?:no|never|not so|f|n)(?:[.!,;:(–—-]|\s*$)"
    r"|no (?:effect|benefit|link|proof|basis|support|difference|truth|relation|connection)\b",
    _I,
)
_STATES = compile_later(
    r"\b(?:is|are|was|were|has|have|can|cannot|may|must|should|will|do|does|need|needs|cause|helps?"
    r"|work|works|cures?|prevents?|protects?|relieves?|reduces?|raises?|lowers?|spreads?|kills?"
    r"|makes?|means?|leads?|gets?|stops?|heals?|harms?|damages?|causes)\b",
    _I,
)
_NOUNS = (
    r"(?:advice|recommendations?|guidance|guidelines?|practices?|views?|beliefs?|teachings?"
    r"|thinking|theor(?:y|ies)|treatments?|rules?|polic(?:y|ies)|labels?|dogmas?|wisdom|ideas?"
    r"|claims?|statements?|assumptions?|notions?|opinions?|concepts?|methods?|information|versions?"
    r"|answers?)"
)
_DENYING_TITLE = compile_later(
    r"^\W*(?:\d+[.)]?\s+)?(?:(?:common|popular|some|the|frequent|widespread|persistent|old|medical"
    r"|\w+|\d+) ){0,2}(?:myths?|misconceptions?|misbeliefs?|fallac(?:y|ies)|falsehoods?"
    r"|old wives['’] tales?|urban legends?|misinformation|disinformation)\b"
    rf"|^\W*(?:the |our |an? )?(?:old|older|former|previous|earlier|outdated|obsolete|superseded"
    rf"|withdrawn|retracted|historical|discarded|abandoned|discredited|disproved|debunked|rejected"
    rf"|wrong|false|incorrect|mistaken|unproven) (?:[\w-]+ )?{_NOUNS}\b"
    r"|^\W*(?:outdated|obsolete|superseded|withdrawn|retracted|disproved|debunked|discredited"
    r"|no longer (?:recommended|advised|true|valid|used|believed|taught|in use)|false|untrue|wrong"
    r"|incorrect|fiction|not true)\W*(?:\([^)]*\))?\W*$"
    r"|\b(?:used to|once|formerly|previously) (?:\w+ly )?(?:think|thought|believed?|taught|teach"
    r"|recommend(?:ed)?|advised?|assumed?|said|say|do|did|held|hold)\b"
    r"|\b(?:get|gets|got) (?:it |this |them )?wrong\b|\bmistaken(?:ly)? (?:believe|think|assume)"
    r"|^\W*what (?:was|had been) (?:\w+ )?(?:believed|thought|taught|assumed)\b"
    r"|^\W*(?:then|formerly|in the past|once)\W*$"
    r"|\bno longer (?:recommended|advised|believed|taught|think|believe|recommend)\b",
    _I,
)
_OF_BOTH = compile_later(
    r"\b(?:facts?|truths?|reality|evidence)\b|^\W*(?:why|how|when|who|where)\b|\binstead\b"
    r"|\bnew(?:er)?\b|\bwhat to do\b|\bor (?:true|false)\b|\btrue\b|[:–—]\s*\w",
    _I,
)
_LONGEST_TITLE = 60
_LONGEST_ITEM = 160
_MOST_ITEMS = 5
_MANY = compile_later(
    r"\b(?:myths|misconceptions|misbeliefs|fallacies|falsehoods|tales|legends|beliefs|claims|ideas"
    r"|recommendations|statements|views|practices|think|thought|believed?|misinformation)\b",
    _I,
)
# What comes after a myth and sets it right.
_SETS_RIGHT = compile_later(
    r"^\W*(?:this|that|these|those|it|they|such|in fact|in truth|in reality|actually|facts?|truth"
    r"|reality|no\b|false|wrong|however|but|today|now|we now|not true)\b",
    _I,
)


def denial_in_next_cell(quote: str, after: str) -> str | None:
    """What the next cell of its row says of a quote: empty if no verdict against it, None if no
    cell follows.
    """
    border = _BORDER.match(after)
    if border is None:
        return None
    cell = re.split(r"[\t|\n]", after[border.end() :], maxsplit=1)[0].strip()
    if _is_against(cell, quote):
        return f"{border[0].strip(' ') or ' '}{cell}".strip()
    return ""


def denial_in_front_or_column_head(before: str, quote: str) -> str:
    """The cell in front of a quote, or at the head of its column, if it says that it is false."""
    rows = before.split("\n")
    cells = re.split(r"\t|(?:^|\s)\|", rows[-1])
    if cells[-1].strip() or not re.search(r"[\t|]", before):
        # The quote does not begin its cell.
        return ""
    if len(cells) > 1 and _is_against(cells[-2].strip(), quote):
        return cells[-2].strip()
    heads: list[str] = []
    for row in reversed(rows[:-1]):
        if not re.search(r"[\t|]", row):
            break
        heads = re.split(r"\t|(?:^|\s)\|", row)
    column = len(cells) - 1
    head = heads[column].strip() if column < len(heads) else ""
    return head if is_denying_title(head) else ""


def is_denying_title(line: str) -> bool:
    """Whether a heading, label or column's head says that what stands below it is not so."""
    title = line.strip().rstrip(":")
    return (
        0 < len(title) <= _LONGEST_TITLE
        and _DENYING_TITLE.search(title) is not None
        and _OF_BOTH.search(title) is None
    )


def denial_in_heading_above(before: str, quote: str) -> str:
    """The heading above the paragraph that a quote begins, if it says that it is not so.

    Between them may stand a few statements of one sentence, where the heading announces several.
    """
    line_start = before.rfind("\n") + 1
    if before[line_start:].strip() or line_start == 0 or _SETS_RIGHT.match(quote):
        return ""
    passed = 0
    for line in reversed(before[:line_start].split("\n")):
        bare = line.strip()
        if not bare:
            continue
        is_title = len(bare) <= _LONGEST_TITLE and bare[-1] not in ".;,!" and "\t" not in bare
        if is_title:
            several = passed == 0 or _MANY.search(bare) is not None
            return bare if is_denying_title(bare) and several else ""
        passed += 1
        is_item = len(bare) <= _LONGEST_ITEM and not re.search(r"[.!?]\s", bare)
        if not is_item or passed > _MOST_ITEMS or _SETS_RIGHT.match(bare):
            return ""
    return ""


def _is_against(cell: str, quote: str) -> bool:
    return _SAYS_FALSE.match(cell) is not None or (
        _SAYS_NO.match(cell) is not None and _STATES.search(quote) is not None
    )
