"""On what terms a claim holds, where they were left out behind it: who says so, at what price, in
what company, and how narrow a place; and what is added there without being such a term.

"lowers the rate of heart attacks | at the price of more bleeding" and "halves attacks | , an
unplanned analysis suggests" are more than they say when they are cut; "is more common in women | ,
although nobody knows why" and "collagen | , the protein that holds tissues together" are not.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later

_I = re.IGNORECASE
_NUMBER = (
    r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty"
    r"|thirty|fifty|hundred|thousand|million)"
)

# -- who says so -----------------------------------------------------------------------------------

_WEAK = (
    r"(?:unplanned|post[- ]?hoc|preliminary|exploratory|early|pilot|small|tiny|single|one"
    r"|unpublished"
    r"|anecdotal|animal|mouse|mice|rats?|rodent|test[- ]tube|in[- ]vitro|uncontrolled"
    r"|unblinded|non-?randomi[sz]ed|observational|retrospective|interim|secondary|sub-?group"
    r"|case (?:report|series|study)|unadjusted|univariate|ecological|cross-sectional|self-reported"
    r"|limited|weak|conflicting|industry|company|preprints?|abstract|press release|internet|online"
    r"|poll|questionnaire|modelling|modeling|simulation|unconfirmed|unreplicated|short-term"
    r"|isolated"
    r"|speculative|theoretical|old|older|outdated|scattered|sparse|folk|questionable)"
)
_SOURCE = (
    r"(?:stud(?:y|ies)|trials?|analys[ei]s|data|reports?|series|surveys?|experiments?|results?"
    r"|findings?|evidence|cohorts?|observations?|research|work|models?|papers?|letters?|audits?"
    r"|calculations?|tests?|notes?|preprints?|abstracts?|polls?|simulations?|releases?"
    r"|questionnaires?|anecdotes?|comparisons?)"
)
_SAYS = (
    r"(?:suggest(?:s|ed)?|hint(?:s|ed)?(?: at)?|indicate[sd]?|impl(?:y|ies|ied)|found|finds?"
    r"|claim(?:s|ed)?|show(?:s|ed)?|say|says|said|report(?:s|ed)?|argue[sd]?|speculate[sd]?"
    r"|maintain(?:s|ed)?|propose[sd]?|would have it)"
)
_A_WEAK_SOURCE_SAYS = compile_later(
    rf"\s*(?:,|[–—]|\s-)\s*(?:(?:as|or so|so|at least|if) )?(?:[\w-]+ ){{0,3}}?{_WEAK}\b[^;,]*?"
    rf"\b{_SOURCE}\b[^;,]*\b{_SAYS}\W*$"
    rf"|\s*(?:,|[–—]|\s-)\s*(?:[\w-]+ ){{0,3}}?{_SOURCE}\b[^;,]*"
    rf"\b(?:in|of|from|on) (?:only |just )?(?:mice|rats|animals|\d{{1,2}}|{_NUMBER}|a few|cells)"
    rf"\b(?! (?:[\w-]+ )?(?:countries|centres|centers|hospitals|trials|studies|cohorts|reviews"
    rf"|nations|states|cities|million|thousand|years|universities|registers"
    rf"|registries))[^;,]*\b{_SAYS}\W*$"
    rf"|\s*(?:,|[–—]|\s-)\s*(?:an?|one|some|another|the|his|her|this|its) (?:[\w-]+ ){{0,3}}?"
    rf"{_SOURCE}\b[^;,]*\b(?:suggest(?:s|ed)?|hint(?:s|ed)?|impl(?:y|ies|ied)|speculate[sd]?"
    r"|claim(?:s|ed)?)\W*$"
    r"|\s*(?:,|[–—]|\s-)\s*(?!as\b)(?:[\w-]+ ){1,4}(?:hint(?:s|ed)?|speculate[sd]?|guess"
    r"|suspect)\W*$"
    rf"|\s*,?\s*(?:at least )?according to (?:[\w-]+ ){{0,2}}?(?:{_WEAK}|laboratory)\b[^;,]*?"
    rf"\b{_SOURCE}\b",
    _I,
)
_STRONG = compile_later(
    r"\b(?:large|largest|larger|meta-?analys[ei]s|systematic|cochrane|guidelines?|nationwide"
    r"|national|randomi[sz]ed|double-blind|high-quality|robust|landmark|definitive)\b",
    _I,
)
_IN_SPITE_OF_ITS_SIZE = compile_later(
    r"\b(?:sub-?group|post[- ]?hoc|unplanned|exploratory|preliminary|interim|unpublished|secondary"
    r"|animal|mice|rats|uncontrolled|non-?randomi[sz]ed|small|pilot)\b",
    _I,
)

# -- at what price ---------------------------------------------------------------------------------

_WHO_PAYS = (
    r"(?:(?:the|their|his|her|its|your|our) (?:[\w-]+ )?(?:state|public|government|tax ?payers?"
    r"|insurers?|insurance|employers?|health|company|hospital|clinic|manufacturer|sponsor|family"
    r"|families|parents|patients?|community|fund|city|county|ministry|user|own)\b|public\b"
    r"|tax ?payers?\b|patients?\b|parents\b)"
)
_AT_A_PRICE = compile_later(
    r"\s*(?:[,;:]|\s[–—-])?\s*(?:(?:but|though|although|albeit|yet|only|and|if|often|usually"
    r"|always)"
    r"\s+)*(?:at (?:the|some|an?(?! (?:low|lower|fair|good|reasonable"
    r"|small|modest|similar|fraction|minimal|negligible))|considerable|great|increased|real|high"
    r"|substantial|no small)"
    r" (?:\w+ )?(?:price|cost|expense|risk)"
    rf"(?: (?:of|to) (?!(?:about |around |only |just |some )?(?:[$€£]"
    rf"|{_NUMBER} (?:us )?(?:dollars|euros"
    rf"|pounds|cents|francs|kroner|rupees|million|thousand)|\d)|{_WHO_PAYS})|\s*[:;,–—-]|\s*$)"
    r"|in (?:exchange|return) for\b|paid for (?:with|by) (?:an?|more|higher|severe|frequent|many)\b"
    r"|with \w+[^;]* as the price\b|the price (?:is|was|being)\b|for which the price\b)",
    _I,
)

# -- in what company -------------------------------------------------------------------------------

_WITH_WHAT_ELSE = compile_later(
    r"\s+(?:(?:only |but |when |if |especially |taken |used |given |and )*(?:together|along"
    r"|combined"
    r"|coupled|paired|in (?:combination|conjunction|association|concert|tandem)) with"
    r"|alongside|supplemented (?:by|with)|as an? (?:adjunct|add-on|addition|supplement) to"
    r"|on top of|as part of (?:an?|the) (?:[\w-]+ ){0,2}(?:programmes?|programs?|packages?"
    r"|combinations?|regimens?|courses?))\b",
    _I,
)
_RESTS_ON = compile_later(
    r"\b(?:diagnos\w+|confirm\w*|establish\w*|recogni[sz]\w+|rests? on|depends? on|(?:is|are) based"
    r" on|defin\w+|criteri\w+|made from|suspected|rul(?:es?|ed) out|identif\w+|proves?|proved"
    r"|proven|sufficient|enough|suffices?)\b",
    _I,
)
# "Fever is common | along with a cough": one of several that occur.
_OCCURS = compile_later(r"\b(?:common|rare|frequent|typical|usual|seen|present|occurs?)$", _I)

# -- in how narrow a place -------------------------------------------------------------------------

_ALL_OF_IT = compile_later(
    r"\b(?:withdrawn|recalled|banned|forbidden|prohibited|closed|halted|stopped|suspended|abolished"
    r"|cancell?ed|discontinued|abandoned|eradicated|eliminated|outlawed|phased out|shut down|shut"
    r"|lost|removed from sale|(?:taken|pulled) off (?:the|its) (?:market|shelves)|allowed|permitted"
    r"|mandatory|compulsory|obligatory|available|disappeared|died out|unavailable|restricted"
    r"|extinct|stopped \w+ing)$",
    _I,
)
_THERE_ONLY = compile_later(
    r"\s+(?:from|in|on|at|within|by|for)\s+(?:only |just )?(?:"
    r"(?:one|two|three|four|five|six|a single|a few|some|certain|several|parts? of|half of|an?)\b"
    r"(?! (?:result|consequence|matter|whole|later|precaution))"
    r"|(?:the |its |their |our )?(?:[\w-]+ ){0,2}[\w-]+['’]s?\s+\w+"
    r"|the (?-i:[A-Z])[\w-]+(?= *$)"
    r"|(?:the )?(?-i:[A-Z])[\w-]+\s+(?:market|shelves|schools?|hospitals?|pharmac(?:y|ies)|army"
    r"|part|region|branch|province|state|edition|version)\b)",
    _I,
)
_IN_A_PLACE = compile_later(
    r"\s+(?:on|in|at|inside|within|near)\s+(?:the|an?|its|our|their)\s"
    r"(?!(?:end|same|meantime|time|grounds?|advice|request|recommendation|course|year|result"
    r"|last)\b)",
    _I,
)
_RULES_OUT = compile_later(
    r"\b(?:forbidden|prohibited|banned|allowed|permitted|mandatory|compulsory|obligatory|lifted"
    r"|waived"
    r"|cancell?ed|suspended|halted)$",
    _I,
)
_GIVEN_UP = compile_later(
    r"\b(?:abandoned|discontinued|withdrawn|stopped|banned|given up|dropped|rejected)$", _I
)
_FOR_WHAT = compile_later(
    r"\s+for (?!(?:this|that|these|those|safety|lack|want|fear|economic|commercial|financial|good"
    r"|ever|several|many|some|various|ethical|practical|reasons?|which|the (?:sake|reasons?|time"
    r"|same)|more|\d)\b)[a-z]",
    _I,
)
_FOR_A_TIME = compile_later(
    rf"\s+for\s+(?:the |about |some |only |just |at least )*(?:{_NUMBER}|a few|several|an?)"
    r"(?: \w+)? (?:minutes?|hours?|days?|weeks?|months?|years?|nights?)\b",
    _I,
)
_WAS_SEEN = compile_later(
    r"\b(?:has|have|had|was|were) (?:been )?(?:\w+ly )?(?:found|detected|reported|described|seen"
    r"|observed|confirmed|recorded)$",
    _I,
)
_IN_FEW = compile_later(
    r"\s+(?:in|by|at|from)\s+(?:only |just )?(?:one|two|three|a single|a few|a handful of|\d)"
    r" (?!(?:[\w-]+ )?(?:stud(?:y|ies)|trials?|reviews?|cohorts?|countries|surveys?|centuries|steps"
    r"|phases|forms|ways|types|stages|hospitals|centres|centers|percent|per cent|thirds)\b)",
    _I,
)

# -- behind a comma --------------------------------------------------------------------------------

_THE_ONLY_ONES = compile_later(
    r"\s*(?:,|[–—])\s*(?:the|its|their) (?:only|sole|one) (?:[\w-]+ ){1,4}(?:that|in|for|with|to"
    r"|where|on|who|whom|which|of|it|they|tested|studied)\b",
    _I,
)
_WHICH_NOBODY = compile_later(
    r"\s*(?:,|[–—])\s*(?:an?|the|one) (?:[\w-]+ ){1,3}(?:that|which|whom) (?:no|none|few|hardly any"
    r"|nobody|no one|only|not one|neither) ?",
    _I,
)
_BUT_THE_EFFECT = compile_later(
    r"\s*,?\s+(?:but|yet|though|although)\s+(?:the|this|its|that|these|such|any) (?:\w+ )?"
    r"(?:effects?|benefits?|improvements?|relief|gains?|response|protection|advantage|differences?"
    r"|reduction|increase|success)\b(?![^.;]*\b(?:lasts? for|lasting|persists?|is lasting|is large"
    r"|reason|mechanism)\b)",
    _I,
)


def does_sentence_rest_limit_quote(quote: str, rest: str, *, is_claim: bool) -> bool:
    """Whether the ``rest`` of its sentence says on what terms a quote holds; ``is_claim``: it is
    one that can be limited.
    """
    if weak := _A_WEAK_SOURCE_SAYS.match(rest):
        return _STRONG.search(weak[0]) is None or _IN_SPITE_OF_ITS_SIZE.search(weak[0]) is not None
    if _AT_A_PRICE.match(rest):
        return True
    if _WITH_WHAT_ELSE.match(rest) and (is_claim or _RESTS_ON.search(quote)):
        return _OCCURS.search(quote) is None
    if _ALL_OF_IT.search(quote) and (_THERE_ONLY.match(rest) or _FOR_A_TIME.match(rest)):
        return True
    if _RULES_OUT.search(quote) and _IN_A_PLACE.match(rest):
        return True
    if _GIVEN_UP.search(quote) and _FOR_WHAT.match(rest):
        return True
    if _WAS_SEEN.search(quote) and _IN_FEW.match(rest):
        return True
    return is_claim and any(
        one.match(rest) is not None for one in (_THE_ONLY_ONES, _WHICH_NOBODY, _BUT_THE_EFFECT)
    )


# -- what is no such term --------------------------------------------------------------------------

_UNKNOWN = (
    r"(?:(?:is|are|remains?|has|have|was|were)(?: (?:still|as yet|largely|not|never|yet|been|fully"
    r"|completely|well|entirely|quite|poorly|far from|clearly|often))*"
    r" (?:unknown|unclear|uncertain|known|understood|found|identified|established|clear|explained"
    r"|obscure|disputed|debated|a (?:mystery|puzzle|matter of debate)|mysterious|elucidated"
    r"|worked out"
    r"|clarified|determined|discovered|unravelled|settled|pinned down))"
)
_REASON = (
    r"(?:(?:the|its|their|this|these|exact|precise|underlying|actual|true|biological|molecular) )*"
    r"(?:reasons?|causes?|mechanisms?|explanations?|origins?|a?etiology|pathogenesis"
    r"|mode of action)"
    r"(?: (?:for|of|behind|why) (?:this|that|it|them|these|the \w+|its \w+)(?: \w+)?)?"
)
_HOW = (
    r"(?:why|how(?= (?:it|this|that|the|they|these|those|he|she|its|exactly|precisely|and why"
    r"|\w+s\b|is\b|remains\b)|\W*$))"
)
_CAUSE_UNKNOWN = compile_later(
    r"\s*(?:[,;(]|[–—-])?\s*(?:(?:but|although|though|even though|albeit|yet|and|while)\s+(?:"
    rf"{_REASON} {_UNKNOWN}"
    rf"|(?:nobody|no one|no-one) (?:\w+ ){{0,2}}(?:knows?|understands?)(?: \w+)? {_HOW}\b[^,;]*"
    r"|(?:it (?:is|remains)|it is still)(?: \w+)? ?(?:not (?:\w+ )?(?:known|clear|understood)"
    rf"|unclear|unknown|uncertain)(?: exactly| precisely)? {_HOW}\b[^,;]*"
    r"|(?:scientists|doctors|researchers|experts|we|physicians) (?:still )?(?:do not|don['’]t"
    r"|cannot|can['’]t) (?:\w+ ){0,2}(?:know|understand|explain|say)(?: \w+)?"
    rf" {_HOW}\b[^,;]*"
    rf"|(?:exactly |precisely |just )?(?:{_HOW}|what (?:causes?|triggers?|drives?|lies behind"
    rf"|explains?|leads to|brings))\b"
    rf"[^,;]*? {_UNKNOWN})"
    r"|for (?:reasons?|causes?) (?:that |which )?(?:(?:are|is|remain|remains|still|as yet|largely"
    r"|not|yet|fully|well|poorly) )*(?:unknown|unclear|understood|known|explained|obscure))"
    r"\s*[,;).–—]*\s*$",
    _I,
)
_IS_APPOSITION = compile_later(
    r"\s*,\s+(?:(?:an?|the|one of the) (?:[\w-]+ ){1,3}(?:that|which|who|whose)\b"
    r"|(?:an?|the|one of the) (?:[\w-]+ ){1,3}(?:of|in|on|behind|between|used|found|made|known"
    r"|called)\b(?![^.;]*\band\b))",
    _I,
)


def is_cause_called_unknown(rest: str) -> bool:
    """Whether the rest only says that nobody knows why or how: that limits no claim."""
    return _CAUSE_UNKNOWN.fullmatch(rest) is not None


def is_apposition(rest: str) -> bool:
    """Whether the rest says what the last noun of a quote is: ", the protein that …"."""
    return _IS_APPOSITION.match(rest) is not None
