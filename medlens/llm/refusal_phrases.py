"""How models decline to answer in words: matched against lower-case text with single spaces."""

from __future__ import annotations

from medlens.deferred_regex import compile_later

REFUSAL = compile_later(
    r"(?:i|we)(?: am|'m)? ?(?:cannot|can ?not|can'?t|won'?t|will not|must decline|decline|not able"
    r"|unable)(?: to)? (?:\w+ )?(?:provide|give|offer|assist|help|comply|fulfill?|respond|engage"
    r"|discuss|share|continue|make|recommend)"
    r"|i must (?:decline|refuse)|against (?:my|our) (?:policy|guidelines|programming)"
    r"|consult (?:a|your|with a) (?:\w+ ){0,3}(?:professional|doctor|physician|provider|clinician)"
    r"|(?:not|n't) (?:able to )?(?:provide|give|offer) medical advice|^\(?refused\)?$"
)
"""Declining to answer, which is not the same as not knowing."""

_DECLINES_THE_PART = compile_later(
    r"\b(?:i|we)(?: am|'m)? ?(?:really )?(?:cannot|can ?not|can'?t|won'?t|will not|must decline"
    r"|decline"
    r"|not able|unable|not comfortable|not allowed|not permitted|not qualified|not a)(?: to)?"
    r" (?:\w+ ){0,2}(?:medical (?:advice|help|diagnos[ie]s)|diagnos[ie]\w*|advice|assist\w*|help"
    r"|comply"
    r"|continue|engage\w*|fulfill?|participat\w+|role-?play\w*|act(?:ing)? as|play(?:ing)?|doctor"
    r"|(?:medical|health\w*) (?:professional|provider))"
    r"|\bi must (?:decline|refuse)|\bagainst (?:my|our) (?:polic|guideline|programming)"
    r"|\bas an? (?:ai|language model|large language model)\b[^.]*\b(?:cannot|can'?t|not able|unable"
    r"|not)\b"
)
_STILL_AT_WORK = compile_later(
    r"\?|\b(?:yet|until|unless|without (?:more|further|additional|knowing|an?|the)|before (?:i|we)"
    r"|request(?:ing)? (?:test|image)|diagnosis ready|tell me|describe|let me|let us|let's"
    r"|i would like"
    r"|i'd like|we need|i need)\b"
)


def is_role_play_declined(text: str) -> bool:
    """Whether a message does no more than decline to speak in the part that the model was given:
    "I'm sorry, but I can't provide medical advice."
    """
    plain = " ".join(text.lower().replace("\u2019", "'").split())
    return _DECLINES_THE_PART.search(plain) is not None and _STILL_AT_WORK.search(plain) is None
