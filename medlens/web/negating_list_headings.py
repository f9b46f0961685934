"""What stands above a list item and denies it: "Myths", "Do not take this medicine if you have:".

An item of a list is read with the line above the list. Quoted without it, "active bleeding" under
"Contraindications", or "Eggs raise the risk of heart disease" under "Myths", says the opposite of
what the page says. Heads that only name what follows ("Symptoms", "Risk factors") leave it as it
is.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later

_BULLET = compile_later(
    r"[ \t]*(?:[-–—*•·▪◦‣○●✗✘✕❌]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])[ \t]+"
)
_DENYING_MARK = compile_later(r"[ \t]*[✗✘✕❌]")
_LONGEST_HEAD = 160
# A head without a colon is a title: short, and no sentence.
_LONGEST_TITLE = 60
_DENIES = compile_later(
    r"\b(?:(?:do|does|did|should|must|may|can|could|will|would|is|are|was|were|has|have) not"
    r"|don['’]t"
    r"|doesn['’]t|isn['’]t|aren['’]t|can['’]?t|cannot|shouldn['’]t|mustn['’]t|never|not"
    r"|no (?:need|evidence|proof|longer|reason|role|benefit|effect)|(?:is|are) no|nobody|none"
    r"|without|avoid(?:ed|ing)?|stop taking|unless|except(?:ions?|ing)?|excluded|exclusions?"
    r"|exclusion criteria|contra-?indicat\w+|myths?|misconceptions?|misbeliefs?|fallac(?:y|ies)"
    r"|rumou?rs?|old wives\S* tales?|false(?:hoods)?|wrong|incorrect(?:ly)?|untrue|mistakes?"
    r"|mistaken(?:ly)?|pitfalls|errors|ineffective|useless|harmful|unproven|unsafe|unsuitable"
    r"|inappropriate|ineligible|withdrawn|outdated|obsolete|superseded|disproved|debunked"
    r"|prohibited|forbidden|against|advised against|fail(?:s|ed)? to|lack(?:s|ed)?|instead of"
    r"|rather than|unnecessary|don['’]ts)\b",
    re.IGNORECASE,
)
# What denies nothing of the items although such a word is in it.
_ONLY_NAMES = compile_later(
    r"\bif not|not only|(?:may|might|can|could|do|does|need) not (?:be (?:able|aware|obvious|easy"
    r"|felt|noticed)|cause|have|feel|know|notice|always|work)|cannot (?:be cured|sleep|see|move|eat"
    r"|wait|breathe)|not (?:sure|all|always|limited|uncommon|unusual|get(?:ting)? better|well)"
    r"|without (?:delay|treatment|treating|a prescription|surgery)|whether or not|or not\b|why not"
    r"|(?:how|ways|tips|steps|measures|help)\b[^:]*\b(?:to|you)? ?avoid|errors? of|avoidable"
    r"|(?:inborn|refractive|medication|laboratory|dosing) errors?|wrong with|never events?"
    r"|(?:not|never) (?:forget|ignore|hesitate|miss)",
    re.IGNORECASE,
)


def heading_of_list_that_denies_item(before: str) -> str:
    """The line above the list whose item begins behind ``before``, if it denies its items; empty
    if what begins there is no item of a list, or its head only names the items.
    """
    line_start = before.rfind("\n") + 1
    begun = before[line_start:]
    bullet = _BULLET.match(begun)
    if begun.strip() and (bullet is None or begun[bullet.end() :].strip()):
        return ""
    if line_start == 0:
        return ""
    if bullet is not None and _DENYING_MARK.match(begun):
        return begun.strip()
    head = _line_above_items(before[:line_start].split("\n")[:-1], has_bullet=bullet is not None)
    if not head or not _DENIES.search(head) or _ONLY_NAMES.search(head):
        return ""
    return head


def _line_above_items(lines: list[str], *, has_bullet: bool) -> str:
    """The nearest line above that is no item itself, if it can be a list's head; of items without
    bullets one that ends in a colon and is not parted from them by other paragraphs.
    """
    parted = False
    for line in reversed(lines):
        bare = line.strip()
        is_item = _BULLET.match(line) is not None
        if not bare or (has_bullet and is_item):
            parted = True
            continue
        introduces = bare.endswith(":") and len(bare) <= _LONGEST_HEAD
        is_title = len(bare) <= _LONGEST_TITLE and bare[-1] not in ".;,!"
        if introduces or (is_title and has_bullet):
            # A head may follow a sentence in its own paragraph.
            return re.split(r"(?<=[.!?])\s+", bare)[-1]
        if has_bullet or parted or is_item or len(bare) > _LONGEST_TITLE:
            return ""
    return ""
