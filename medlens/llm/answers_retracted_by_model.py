"""Answers in free text that their model takes back: "The answer is C. … I withdraw the above."

What comes last counts: a model that withdraws and then answers has answered.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later

_TAIL = 2_000
_WITHDRAWS = compile_later(
    r"\b(?:i|we)(?: \w+){0,4} (?:withdraw|retract|rescind|disown|take (?:it|that|this"
    r"|my \w+) back)\b"
    r"|\b(?:please )?(?:disregard|ignore|forget|scratch|strike|discard) (?:that|this|the (?:above"
    r"|previous|last|first)|what i (?:said|wrote)|my (?:\w+ )?(?:answer|choice|reply|response)"
    r"|everything)\b"
    r"|\bi (?:cannot|can['’]?t|can not|could not|couldn['’]t|am (?:unable|not able) to)"
    r" (?:\w+ly )?(?:decide|choose|commit|settle|pick|give (?:an|any|a final) answer"
    r"|answer (?:this|it"
    r"|the question))\b"
    r"|\b(?:the above|this|that|my (?:\w+ )?(?:answer|choice)) (?:is"
    r"|was) (?:not my (?:final )?answer"
    r"|no answer|retracted|withdrawn|void|(?:only |just |merely )?(?:a placeholder|an example"
    r"|a draft))\b"
    r"|\bi (?:give|have|offer) no (?:final )?answer\b|\bi (?:leave|left) (?:it|this) (?:open"
    r"|unanswered|blank)\b",
    re.IGNORECASE,
)
# Plain words that stand wherever the pattern matches; without them it is not searched, which would
# take most of the time of an import. What somebody says of themselves is looked for only where
# they speak of themselves: most texts do not.
_WITHDRAWING_WORDS_OF_FIRST_PERSON = (
    *("withdraw", "retract", "rescind", "disown", "take ", "can", "unable", "could", "not able"),
    *("no answer", "no final ", "i lea", "i left"),
)
_WITHDRAWING_WORDS = (
    *("disregard", "ignore", "forget", "scratch", "strike", "discard"),
    *("not my ", "no answer", "retracted", "withdrawn", " void"),
    *("placeholder", "an example", "a draft"),
)
MAY_WITHDRAW = "|".join((*_WITHDRAWING_WORDS, "i ", "we "))
"""A regular expression for whoever looks through many texts at once: one of ASCII that it is not
found in, in any capitals, takes nothing back (``is_answer_withdrawn``)."""
_ANSWERS_AGAIN = compile_later(
    r"\b(?:answers?|choose|chose|pick|select|go with|instead|rather|correct)\b|\d"
    r"|\b[A-H]\b(?!\s+\w)",
)


def _may_withdraw(small: str) -> bool:
    # Loops, since any() over a generator takes twice as long.
    for word in _WITHDRAWING_WORDS:
        if word in small:
            return True
    # Python takes İ and ı for an i where it ignores case.
    if "i " in small or "we " in small or not small.isascii():
        for word in _WITHDRAWING_WORDS_OF_FIRST_PERSON:
            if word in small:
                return True
    return False


def is_answer_withdrawn(text: str) -> bool:
    """Whether the last thing a text does is take back what it answered."""
    tail = text[-_TAIL:]
    small = tail.casefold()
    if not _may_withdraw(small):
        return False
    withdrawn = list(_WITHDRAWS.finditer(tail))
    if not withdrawn:
        return False
    behind = tail[withdrawn[-1].end() :]
    # The rest of its own sentence says what is withdrawn; an answer may come in the next.
    _, _, following = behind.replace("\n", ". ").partition(".")
    said = re.split(r"\b(?:so|but|therefore|hence|then)\b", behind.partition(".")[0])[1:]
    return not any(_ANSWERS_AGAIN.search(part) for part in (following, *said))
