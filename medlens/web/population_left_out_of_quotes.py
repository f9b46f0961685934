"""Of whom a quote speaks, where that was left out: in front of it without a comma, behind a subject
that is quoted alone, or in a clause that an ellipsis took the place of.

"For patients on dialysis | the dose is 100 mg" is not the dose; "Giving honey to infants | under
twelve months" is not all infants; "Women … do not need smear tests" is not what a page says of
women who have had a hysterectomy.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.web.limits_in_rest_of_quoted_sentence import is_claim_that_can_be_limited

_I = re.IGNORECASE
_PEOPLE = (
    r"(?:patients|people|persons|women|men|children|adults|infants|babies|newborns|neonates|girls"
    r"|boys|adolescents|teenagers|smokers|those|individuals|carriers|users|drivers|athletes"
    r"|travellers|mothers|survivors|recipients|donors|diabetics|athletes|volunteers|toddlers"
    r"|fathers"
    r"|parents|workers|nurses|pupils|pensioners|residents)"
)

# -- in front, without a comma -------------------------------------------------------------------

_PHRASE_IN_FRONT = compile_later(
    r"^\W*(?:(?:but|and|however|so),?\s+)?(?:in|for|among|with|during|after|before|on|under"
    r"|without|following|at)\s[^.;:,()]*[^\W_]\s*$",
    _I,
)
_RELATIVE = compile_later(r"\b(?:who|whose|whom|which|that)\b.*$", _I)
_HAS_VERB = compile_later(
    r"\b(?:is|are|was|were|be|been|has|have|had|can|could|may|might|must|should|will|would|do|does"
    r"|did|found|saw|shows?|showed|reports?|reported|says?|said|recommends?|gave|gives?"
    r"|we|they|he|she|it|you|i)\b",
    _I,
)
_NEEDS_MORE = compile_later(
    r"\b(?:the|an?|of|in|on|with|to|for|by|at|from|and|or|than|as|this|that|these|those|its|their"
    r"|our|your|his|her|some|all|most|many|every|each|who|which|whose|is|are|was|were|be|been|has"
    r"|have|had|not|no)$",
    _I,
)
_CLAUSE = compile_later(
    r"(?!(?:and|or|but|of|in|on|with|to|for|by|at|from|than|who|which|that|is|are|was|were|has|have"
    r"|had|can|may|must|should|will|treated|taking|receiving|aged|under|over|without|there"
    r"|we|i|he|she|they|it|you)\b)"
    r"[^.;:]*?\b(?:is|are|was|were|has|have|had|can|cannot|may|must|should|will|would|do|does|did"
    r"|needs?|requires?|\w{3,}(?:[^sui\W]s|ed))\b",
    _I,
)
_OF_SUCH_PEOPLE = compile_later(
    rf"^\W*(?:(?:but|and|however|so),?\s+)?(?:in|for|among|with|on)\s+(?:the\s+)?(?:[\w-]+ ){{0,3}}"
    rf"{_PEOPLE}\s+(?:with|without|on|who|whose|under|over|above|below|aged|taking|beyond|older"
    r"|younger|at|receiving|undergoing|after|before|in (?!need\b)|born|treated|weighing|allergic"
    r"|having|infected)\b",
    _I,
)


def do_words_before_quote_name_population(sentence: str, quote: str) -> bool:
    """Whether the words in front of a quoted clause say, without a comma, of whom it speaks."""
    return (
        _is_phrase_before_clause(sentence, quote) and _OF_SUCH_PEOPLE.search(sentence) is not None
    )


def phrase_in_front_of_quote_with_comma(sentence: str, quote: str) -> str:
    """The phrase in front of a quoted clause as it would be set with a comma; empty if it is not
    one: "During pregnancy | iodine needs rise".
    """
    return f"{sentence.rstrip()}, " if _is_phrase_before_clause(sentence, quote) else ""


def _is_phrase_before_clause(sentence: str, quote: str) -> bool:
    if _PHRASE_IN_FRONT.search(sentence) is None or _NEEDS_MORE.search(sentence.strip()):
        return False
    phrase = _RELATIVE.sub("", sentence)
    return (
        not quote[:1].isupper()
        and _HAS_VERB.search(phrase) is None
        and _CLAUSE.match(quote) is not None
    )


# -- behind a subject that is quoted alone ---------------------------------------------------------

_AN_ACT = compile_later(
    r"^\W*(?:(?:giving|feeding|stopping|starting|taking|drinking|eating|using|vaccinating|treating"
    r"|lowering|raising|infusing|injecting|screening|testing|prescribing|administering|applying"
    r"|operating|withholding|withdrawing|combining|swallowing|chewing|crushing|inhaling|exercising"
    r"|driving|smoking|fasting|sleeping|lying|lifting|flying|breastfeeding|removing|replacing"
    r"|adding|reducing|increasing|exposing|immuni[sz]ing|transfusing|cooling|warming|rubbing"
    r"|massaging|delaying|continuing|switching|doubling|halving|skipping|storing|heating|mixing"
    r"|diluting|correcting|supplementing|restricting|offering|allowing|putting|placing|wearing)\b"
    r"|(?:the |any |an? |routine |regular |early |late |long-term |prolonged |rapid )*(?:[\w-]+ )?"
    r"(?:use|administration|treatment|therapy|exposure|screening|vaccination|immuni[sz]ation|intake"
    r"|infusion|injection|withdrawal|removal|consumption|transfusion|supplementation|prescription"
    r"|ingestion|correction|reduction) (?:of|with|to|by|for)\b)",
    _I,
)
_STATES = compile_later(
    r"\b(?:is|are|was|were|be|has|have|had|can|cannot|may|might|could|must|should|will|would|do"
    r"|does|did|not|never|causes?|caused|leads?|led|prevents?|reduces?|reduced|raises?|lowers?"
    r"|lowered|harms?|helps?|helped|improves?|improved|increases?|increased|kills?|protects?|makes?"
    r"|made|means|shortens?|slows?|saves?|relieves?|speeds?|damages?|requires?|needs?|remains?"
    r"|works?|worked|halves|doubles|\w+n['’]t)\b",
    _I,
)
_THEN_NARROWED = compile_later(
    r"\s+(?:under|below|above|over|beyond|older|younger|less than|more than|fewer than"
    r"|with(?: an?)?"
    r"(?! (?:help|aid)\b)|without|who|whose|aged|before|after|while|when|during|until|for (?:more"
    r"|less|longer|up to|at least|only|\d)|at (?:an?|this|these|that|doses?|high|low|higher|night)"
    rf"|(?:to|by) (?:[\w-]+ ){{0,2}}{_PEOPLE}|through|abruptly|suddenly|rapidly|slowly"
    rf"|immediately|alone|together|daily|repeatedly"
    r"|undiluted|unsupervised|raw|early|late|\w+ly|born|of (?:infected|\w+ed|pregnant|frail|sick"
    r"|healthy|older|young|premature|those|mothers|people|women|men|children)|in (?:the first"
    rf"|pregnancy|early|late|high|low|large|excess\w*|(?:[\w-]+ )?{_PEOPLE}))\b",
    _I,
)
_ENDS_IN_PEOPLE = compile_later(rf"\b{_PEOPLE}$", _I)


def is_named_act_narrowed_by_words_after(quote: str, rest: str) -> bool:
    """Whether a quote only names an act ("Giving honey to infants"), and the words that follow
    without a stop say which.
    """
    if _AN_ACT.match(quote) is None or _STATES.search(quote) is not None:
        return False
    # Within a sentence ("by giving honey to infants") whom it is done to counts, and not how.
    if not quote[:1].isupper() and _ENDS_IN_PEOPLE.search(quote) is None:
        return False
    return _THEN_NARROWED.match(rest) is not None


# -- in a clause that was elided -------------------------------------------------------------------

_WHICH_ONES = compile_later(
    r"\s+(?:who|whose|whom|which|that|with(?!out a doubt)|without|aged|taking|over|under|above"
    r"|below"
    r"|beyond|born|older|younger|on|receiving|treated|having|undergoing|weighing|carrying|infected"
    r"|exposed|allergic|at (?:high|low|risk|increased|special|particular)|in (?:whom|which"
    r"|the first"
    rf"|pregnancy|labou?r|hospital|(?:[\w-]+ )?{_PEOPLE}))\b[^,;:()–—]*$",
    _I,
)
_A_CERTAIN_ONE = compile_later(
    r"\b(?:the|this|that|these|its|their|our|his|her|your|my)\s+(?:[\w-]+ ){0,3}[\w-]+$", _I
)
_SEVERAL = compile_later(rf"(?:\b{_PEOPLE}|(?<![suia])s)$", _I)
_GET = compile_later(
    r"\s*(?:are|is|get|receive)\s+(?:\w+ly |usually |often |always |then )?(?:offered|screened"
    r"|tested"
    r"|treated|examined|monitored|vaccinated|followed|excluded|admitted|referred|advised|invited"
    r"|excused|exempt|protected|immune)\b",
    _I,
)


def does_ellipsis_hide_restriction(before: str, left_out: str, behind: str) -> bool:
    """Whether the words that an ellipsis replaces say, without a comma, which of those in front of
    it need, get or do what is said behind it: "Women … do not need smear tests".
    """
    named = before.strip()
    return (
        _WHICH_ONES.match(f" {left_out.strip()}") is not None
        and _SEVERAL.search(named) is not None
        and _A_CERTAIN_ONE.search(named) is None
        and (is_claim_that_can_be_limited(f"{named} {behind}") or _GET.match(behind) is not None)
    )
