"""What the rest of a sentence does to the part of it that is quoted: limits it, or leaves it alone.

The kinds of words that deny or doubt a quote are known
(``medlens.web.meaning_changing_words_beside_quotes``); those that limit it are without number. Here
it is the quote that decides. One that allows, advises, judges, denies or reports an effect or a
rate has its limits in the words that follow without a stop ("The drug prolonged survival | in
rats"), unless these name no more than an agent, a tool, a place or a date. One that describes or
tells ("Impetigo is an infection of the skin | that is common in children") has not. What follows a
comma is a statement of its own unless it takes back what was quoted. In front, what somebody says
"that" is doubted unless the verb vouches for it.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.web.limiting_words_after_quotes import is_apposition

_I = re.IGNORECASE
_NUMBER_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
    r"|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|million|half)"
)

_PEOPLE = (
    r"(?:patients|people|women|men|children|adults|infants|babies|smokers|volunteers|participants"
    r"|individuals)"
)
_WHO_CLAIMS = (
    r"(?:critics?|proponents?|advocates?|supporters?|opponents?|believers?|defenders?|adherents?"
    r"|followers?|fans|devotees|enthusiasts?|manufacturers?|makers?"
    r"|sellers?|compan(?:y|ies)|websites?|bloggers?|folklore|tradition|healers|practitioners)"
)
"""Who says what is doubted for being said by them."""

# -- what a quote is -----------------------------------------------------------------------------

_ALLOWS = compile_later(
    r"\b(?:(?:may|can|could|might)(?! (?:stay|remain|persist|lead|cause|occur|develop|affect"
    r"|spread|last"
    r"|damage|live|survive|become|be (?:caused|passed|spread|transmitted|found|seen|felt|present"
    r"|inherited))\b)|must|should|ought|cannot|needs?|requires?|have to|has to|allowed|permitted"
    r"|recommends|advises"
    r"|advised|recommended|prohibited|forbidden|banned|barred|mandatory|compulsory|obligatory"
    r"|encouraged|approved|licensed|indicated|contraindicated|reserved|required"
    r"|(?:is|are) (?:now |then |usually |often |only )?(?:given|stopped|started"
    r"|avoided"
    r"|withheld|prescribed))\b",
    _I,
)
_BIDS = compile_later(
    r"^\W*(?:[\w ]+:\s*)?(?:please |always |never )?(?:take|give|use|avoid|do|don['’]t|store|keep"
    r"|stop|start|offer|consider|refer|apply|begin|continue|discontinue|consume|drink|eat|limit"
    r"|reduce|increase|monitor|check|measure|repeat|swallow|chew|inject|infuse|administer|prescribe"
    r"|treat|screen|test|vaccinate|withhold|remove|insert|wear|restrict|prefer|choose|order|perform"
    r"|seek|call|contact|tell|ask|postpone|delay|defer|hold|rest|keep|place|put|leave|let|allow"
    r"|ensure"
    r"|watch|observe|isolate|switch|change|wait|refrain|abstain|skip|double|halve|titrate|taper"
    r"|wean"
    r"|resume|restart|proceed|intubate|transfuse|operate|admit|discharge|fast|return|wash|rinse"
    r"|cover"
    r"|clean|deliver|suspend|expect|assume|rely|advise|immobili[sz]e|replace|withdraw|ban)\b",
    _I,
)
_JUDGES = compile_later(
    r"\b(?:safe|effective|efficacious|useful|suitable|unsuitable|eligible|fit|good|bad|best|worst"
    r"|forbidden|optional|discouraged|rare|common|mild|harmless|helpful|unnecessary"
    r"|necessary|beneficial|tolerated|adequate|appropriate|preferred|(?:un)?reliable|accurate"
    r"|curable"
    r"|fatal|superior|inferior|noninferior|non-inferior|equivalent|benign|malignant|dangerous"
    r"|harmful|sufficient|enough|likely|unlikely|higher|lower|better|worse|greater|smaller|longer"
    r"|shorter|faster|slower|fewer|twice|positive|negative|normal|sensitive|specific|reversible"
    r"|free|evidence|successful|possible|infectious|contagious|preventable|treatable|justified"
    r"|warranted|acceptable"
    r"|sterile|immune|painless"
    r"|painful)\b",
    _I,
)
_DENIES = compile_later(
    r"\b(?:no|not|none|never|neither|nobody|nothing|without|cannot|few|unable|fails?|failed"
    r"|\w+n['’]t|only)\b",
    _I,
)
_OF_ALL = compile_later(
    r"\b(?:all|everyone|everybody|anyone|anybody|every(?! (?:day|night|morning|evening|hour|week"
    r"|month|year|\w+ (?:hours|days"
    r"|weeks|months|years))\b)|always|any|most)\b",
    _I,
)
_OF_WHOM = compile_later(
    r"\s+(?:in|among|with|without|who|whose|whom|that|aged|over|under|taking|except|where|when)\b",
    _I,
)
_RATE = compile_later(
    r"\d(?:[.,]\d+)?\s*(?:%|per ?cent\b|‰)|\b\w+[- ]fold\b|\bby (?:half|a \w+)\b", _I
)
_WORKS = compile_later(
    # an effect, or what becomes of somebody, told as a fact
    r"\b(?:reduc|lower|increas|improv|prevent|protect|cur(?:e[sd]?\b)|rais|shorten|lengthen|reliev"
    r"|kill|sav(?:e[sd]?\b)|prolong|help|works?\b|worked|rul(?:es|ed)? out|detect|heal(?:s|ed)?\b"
    r"|halv|doubl|tripl|restor|clear(?:s|ed)\b|slow(?:s|ed)\b|revers|strengthen|weaken|harm"
    r"|benefi|los[et]|gain|lessen|eas(?:es|ed)\b|accelerat|delay|suppress|inhibit|eliminat|eradicat"
    r"|resolv|disappear|vanish|surviv|recover|respond|relaps|recur|died?\b|dies\b|fell\b|falls?\b"
    r"|rose\b|rises?\b|grew\b|shr[aiu]nk|favou?r|outperform|exceed|abolish|cut(?:s)?\b|replac"
    r"|achiev|tolerat|predict|correlat|associated with|linked to|causes? (?:no|more|less|fewer)"
    r"|caused\b|lasts?\b|lasted|wears? off|stop(?:s|ped)\b|shows? (?:no|a benefit)|interact"
    r"|diminish"
    r"|ends\b|begins\b|expires\b|wanes\b|fades\b|decreas|declin|worsen|aggravat|trigger|induc)\w*",
    _I,
)
_DID = compile_later(
    r"(?<!-)\b(?!(?:need|seed|feed|breed|bleed|enrolled|recruited|included|collected|recorded"
    r"|interviewed|excluded|measured|asked|named|called|described)\b)[a-z]{3,}ed\b",
    _I,
)
_IS = compile_later(r"\b(?:is|are|was|were)\b", _I)
_PASSIVE = compile_later(
    r"\b(?:is|are|was|were|be|been|being|get|gets|got|not|and|or|the|an?|newly|then|also|\w+ly|more"
    r"|most|less|than|by|of|in|with|to|for)\s+$",
    _I,
)
_WHO_REPORTS = compile_later(
    r"^\W*(?:the |our |your |an? |all |two |three |several )*(?:we|authors?|researchers?|nurses?"
    r"|doctors?|physicians?|surgeons?|pharmacists?|dentists?|physiotherapists?|midwi(?:fe|ves)"
    r"|dietiti?c?ians?|an(?:ae|e)sthetists?|consultants?|teams?|hospitals?|agency|committee"
    r"|investigators?|scientists?|panel|women rated|men rated|ministry|government|company)\b",
    _I,
)
_TAKES_PART = compile_later(
    r"^\W*(?:the |all |both |most )*(?:participants?|volunteers?|subjects?|patients? (?:gave|signed"
    r"|completed|filled|wrote)|studies|trials?|study|biops(?:y|ies)|x-?rays?|scans?|imaging"
    r"|endoscopy|tomography)\b",
    _I,
)
_DEFINES = compile_later(
    r"\b(?:is|are|was|were|remains?) (?:an?|the|one of|also (?:known|called)|tiny|small|large"
    r"|swollen|made|caused|called|known|named|found|located|transmitted|spread|passed|inherited"
    r"|characteri[sz]ed|defined|composed|formed|produced|among)\b(?! (?:treatment|drug|therapy|test"
    r"|choice|first|best|safe))",
    _I,
)


def is_claim_that_can_be_limited(quote: str) -> bool:
    """Whether a quote allows, advises, judges or denies something or reports an effect or a rate;
    false if it only describes or tells what happened.
    """
    if _DEFINES.search(quote) and not (_ALLOWS.search(quote) or _DENIES.search(quote)):
        return False
    if _ALLOWS.search(quote) or _BIDS.search(quote) or _JUDGES.search(quote):
        return True
    if _DENIES.search(quote) or _RATE.search(quote):
        return True
    if _WHO_REPORTS.search(quote):
        return False
    if _WORKS.search(quote):
        return True
    if _TAKES_PART.search(quote):
        return False
    # "Computed tomography is offered": a participle before the verb tells of no effect.
    return any(
        not _PASSIVE.search(quote[: verb.start()]) and not _IS.search(quote, verb.end())
        for verb in _DID.finditer(quote)
    )


# -- behind it, without a stop -------------------------------------------------------------------

_CONTRASTS = compile_later(
    r"\b(?:alone|only)\s*$|\band (?:more|fewer|less|higher|lower) [^.,;]{1,60} than\b"
    r"|\b(?:though|although|but|yet|whereas|while) (?:not|never|no|only|none|less|fewer|hardly"
    r"|rarely)\b|\band (?:never|only|(?:in|by|at|for|with) (?:none|nothing|no|fewer|half"
    r"|under \d))\b"
    r"|\b(?:ten|two|three|several|\d+) times (?:that|as|higher|lower|more|less)\b"
    r"|\band (?:in|by|at) \d[\d.]*\s*%",
    _I,
)
_LEAVES_ALONE = compile_later(
    r"\s+(?:(?:and|or|nor|because|since|so|whereas|for (?:example|instance)|through|via|thus"
    r"|thereby|hence|thanks to|due to"
    r"|owing to|using|across|into|onto|toward|towards|behind|beneath|inside|beside|including"
    r"|such as|like|as well as|in addition to|which is why|in order)\b"
    r"|by (?!(?:about|around|nearly|only|just|more|less|fewer|age|up|at|an amount|\d"
    rf"|{_NUMBER_WORDS})\b)"
    r"|to (?:(?!(?:\w*[a-rtv-z]s|anyone|everyone|nobody|anybody|everybody)\b|the\b|an?\b|no\b"
    r"|any\b|all\b|those\b|people\b|patients\b|children\b|adults\b"
    r"|women\b|men\b|infants\b|babies\b|\d)[a-z]+) (?!\d)"
    r"|as (?:it|they|he|she|we|you|the|this|these|shown|expected|planned|described|reported"
    r"|seen|water|part of)\b(?! (?:last|first|second) )"
    r"|by (?:two|three|four|five|\d+) (?:\w+ )?(?:\w+(?:ers|ors|ists|ians)|nurses|teams)\b"
    r"|before and after\b|in (?:the world|history|europe|the country|general)\b|over an?\b"
    r"|in (?:(?:the )?(?:early |mid-?|late )?(?:19|20)\d\d|(?:an?|our|their|your|its|this|the"
    rf"|{_NUMBER_WORDS}|several|many|most|\d+) (?:[\w-]+ ){{0,3}}(?:stud(?:y|ies)|surveys?"
    rf"|registr\w+"
    r"|databases?|hospitals?|clinics?|wards?|units?|rooms?|departments?|countr(?:y|ies)|centres?"
    r"|centers?|cities|homes?|knees?|hips?|eyes?|ears?|lungs?|liver|joints?|heart|brain|upper arm"
    r"|legs?"
    r"|intestine|stomach|colon|skin|blood|neck|chest|abdomen|pelvis|journals?|trials?|cohorts?"
    r"|passengers|series|review|figure|table|appendix|section|chapter)\b(?! (?:though|but|only))"
    r"|hospitals?\b|(?:the )?(?-i:[A-Z]\w+))"
    r"|with (?:an?|its|his|her|their|your|the (?:help|aid|use|exception))\b(?! (?:interval|dose"
    r"|history|body|high|low|known|severe|mild|weak\w*|risk|score|diagnosis|positive|negative)\b"
    r"|[^.;]*\b(?:falls?|drops?|chance|only|limited|so wide)\b)"
    r"|on \d{1,2} [A-Z][a-z]+\b|at (?:home|work|school|night)\b|from \w+(?: in the \w+"
    r"| o['’]clock)? (?:to|until|till) "
    r"|on (?:the|their|your|our|its|an?) (?!empty|first day|condition|advice|day)"
    r"|at (?:the|your|their|our|an?) (?!\d|same|highest|lowest|higher|lower|doses?|expense"
    r"|recommended|usual|approved|time|age|cost|price|expense|moment|discretion|request|onset|start"
    r"|beginning|end|earliest|latest)"
    r"|before (?:\w+ing\b|you\b)|over (?:time\b|the (?:course|years|next)\b)"
    r"|under (?:local|general|spinal|\w+ guidance|the (?:influence|microscope|skin|name))"
    r"|during (?:birth|labou?r|sleep|their|its|your|the (?!first|last|second|third|acute|early|late"
    r"|initial|\w+ trimester))"
    r"|of (?!(?:only|fewer|less|more|at|patients|people|those|the (?:patients|children|women|men"
    r"|cases|participants|\d))\b|\d|\w+ (?:out )?of\b"
    rf"|{_NUMBER_WORDS}\b|(?:school|childbearing|reproductive|working|at least|any) )"
    r"|from (?:the (?!\w+ (?:hours?|days?|weeks?|months?|years?|trimester)\b)|their\b|your\b|its\b"
    r"|an?\b)"
    r"|with or without\b|where (?:it|they|the|an?|he|she|its)\b(?! \w+ (?:has"
    r"|have) been)|called\b|known as\b|named\b"
    r"|(?:attached|located|produced|made|found|characteri[sz]ed|accompanied|followed|covered"
    r"|situated|derived) )",
    re.IGNORECASE,
)
_OF_SUCH = compile_later(
    rf"\s+(?:to|for|in|among|by) (?:the |those |all )?(?:\w+ )?(?:{_PEOPLE}|those)"
    r" (?:who|with|without|whose|aged|over|under|older|younger|taking|having|born|receiving"
    r"|treated)\b"
    r"|\s+of (?:the )?\d[\d,]*"
    r" (?:who|that|patients|people|children|women|men|cases|participants|were|had|treated)\b",
    _I,
)
_HOW_OR_WHILE = compile_later(r"\s+(?:[a-z]+ly|during|throughout)\b", _I)
_LIMITS = compile_later(
    r"\s+(?:in|at|among|amongst|within|during|over|before|after|with|from|on|under|when|whenever"
    r"|while|who|whose|whom|that|for|to|aged|weighing|taking|receiving|having|being|caused|due"
    r"|between|every|each|once|twice|throughout|following|until|till|unless|if|only|provided|except"
    r"|without|against|outside|where|above|below|beyond|alone|together|compared|relative|versus"
    r"|an? (?:minute|hour|day|week|month|year|few|couple|quarter|third)|several|the (?:day|night"
    r"|morning|evening|week) (?:before|after)"
    r"|than|per"
    r"|daily|weekly|monthly|nightly|hourly|treated|undergoing|admitted|infected|born|regarded"
    r"|considered|given|by|based|according to (?:some|the (?:company|manufacturer|makers?))"
    r"|as (?:much|many|little|few|far|long|soon|often|early|late|a|an)|well (?:into|before|after"
    r"|beyond)|up to"
    r"|(?:better|more|less|worse|faster|slower|longer|shorter|earlier|later|sooner|rather)"
    r"(?: \w+)? than"
    r"|but (?:\w+ )?(?:it|them|did|do|does|has|had|not|never|only|less)|exclusively|primarily|yet"
    r"|predominantly|mainly|especially|particularly|(?:\d|" + _NUMBER_WORDS + r"\b))(?:\b|(?<=\d))",
    re.IGNORECASE,
)
_ENDS_IN_NUMBER = compile_later(
    rf"(?:(?<![\d.,])(?!(?:19|20)\d\d$)\d[\d.,]*"
    rf"|\b(?!(?:one|half)\b){_NUMBER_WORDS})$",
    _I,
)
_A_NOUN = compile_later(
    r"\s+(?!(?:and|but|or|is|are|was|were|in|of|by|at|on|for|with|from|to|has|have|had|did|does|do"
    r"|may|can|will|would|should|after|before|during|since|until|when|while|as|because|so|that"
    r"|which|who|among|under|over|without|within|according|through|via|using|both|all|each|then"
    r"|survived|died|recovered|relapsed|completed|developed|received|required|reported|needed)\b)"
    r"[a-zµμ]{2,}",
)
_IS_A_DOSE = compile_later(
    r"(?<!-)\b(?:take|give|dose|administer\w*|inject\w*|infuse\w*|apply|use|tablets?|capsules?"
    r"|puffs?"
    r"|drops?|mg|ml|times|intake|units?)\b",
    _I,
)
_HOW_OFTEN = compile_later(
    r"\s*,?\s*(?:every|each|once|twice|daily|weekly|monthly|a (?:day|week|month)|per|at (?:bedtime"
    r"|night)|in the (?:morning|evening) only|on alternate|for (?:\d|" + _NUMBER_WORDS + r"))\b",
    _I,
)

# -- behind a stop -------------------------------------------------------------------------------

_TURNS = compile_later(r"\s*(?:[,;]|\s[–—-])\s*(?:but|yet|although|though|albeit|however)\b", _I)
_AGAINST_IT = compile_later(
    r"\b(?:so (?:did|do|does|was|were|had|has)|not|no|none|nobody|never|nor|neither|only"
    r"|unchanged|less"
    r"|fewer|half|most of (?:them|which|whom"
    r"|these)|fails?|failed|relaps\w+|lost|returned|recurred|disappear\w*|vanish\w*|uncertain"
    r"|unclear|(?<!cause is )(?<!cause remains )unknown|bias\w*|delayed|worse|without|disagree\w*"
    r"|shortened|false|(?:this|the)"
    r" (?:finding|difference|effect|result|benefit|advantage|association|improvement|evidence"
    r"|trial|study)|positive result|higher|lower|more often|harm\w*|each should|limited|weak|small"
    r"|controversial|disputed|chance|(?:cost|price|expense) of|whether|opposite|contrary|doubt\w*"
    r"|also (?:given|took|taken|received|treated))\b",
    _I,
)
_BUT_NOT = compile_later(r"\s*,\s*(?:but|though) not\b", _I)
_JUST_ALSO = compile_later(r"\s*,\s*but also (?:the|an?|in|on|of|for|by|to|with|\w+s)\b", _I)
_TAKEN_UP = compile_later(
    r"\s*(?:,|[–—]|\s-)\s*(?:(?:an?|the) (?:\w+ ){0,2}(?:hope|promise|dogma|myth|fear|theme|story"
    r"|view|finding|result|observation|effect"
    r"|difference|advantage|benefit|claim|practice|advice|belief|conclusion|recommendation|policy"
    r"|treatment|method|technique|operation|drug|approach|remedy|therapy"
    r"|gain|improvement|reduction|increase|association|outcome|rate|assumption|idea|notion|figure"
    r"|estimate|decision|theory|hypothesis|statement|rise|fall|drop)\b"
    r"|which\b|(?:all|most|many|half|much|some|none|few|nearly all) of (?:which|whom|them|it"
    r"|these)\b"
    r"|with (?:no|little|most|many|half)\b|only to\b)",
    _I,
)
_TAKEN_BACK = compile_later(
    r"\b(?:no (?:\w+ )?(?:evidence|proof|basis|support|foundation|data|sign|merit)|little (?:\w+ )?"
    r"(?:evidence|proof|basis|support)|does not hold|do not (?:bear|support)|rests? on"
    r"|based on (?:one|two|three|a single|a few|small|animal|unblinded|observational)"
    r"|returned|regained|lost\b(?! (?:their|weight))|relaps\w+|recurred|reversed|rever(?:t"
    r"|sed)\w*"
    r"|disappear\w*|vanish\w*|withdrawn|retracted|rejected|refuted|disproved|abandoned|outdated"
    r"|obsolete|superseded|disputed|contested|questioned|criticised|criticized|not (?:been )?"
    r"(?:confirmed|replicated|reproduced|shown|seen|supported|sustained|maintained|significant"
    r"|statistically|clinically|explained)|no longer|dashed|overturned|buried|unfounded|unproven"
    r"|unsupported|debunked|discredited|demolished"
    r"|never (?:been )?(?:confirmed|proved|proven"
    r"|shown|replicated|published)|did not (?:confirm|replicate|persist|last|reach|hold|survive)"
    r"|by chance|to chance|confound\w*|reverse causation|bias\w*"
    r"|may (?:simply|well|merely|only|just|reflect|be (?:due|explained|an artefact|an artifact))"
    r"|might (?:simply|reflect|be (?:due|explained))|could (?:simply|reflect|be (?:due|explained))"
    r")\b",
    _I,
)
_AND = compile_later(r"\s*,\s*and\b", _I)
_THE_SAME_ELSEWHERE = compile_later(
    r"\bno (?:greater|better|more|higher|larger|different) than\b"
    r"|\b(?:(?:just )?as (?:much|many|often|well|far)|similar\w*|equally|the same|also)"
    r" (?:\w+ ){0,4}(?:in|with|among) (?:the |those )?(?:control|placebo|sham|comparison|other"
    r"|untreated|usual)\w*"
    r"|\b(?:no longer|(?:returned|relapsed|recurred|reversed|disappeared|vanished) (?:\w+ ){0,3}"
    r"(?:after|within|when|once|on))\b",
    _I,
)
_ELSE = compile_later(
    r"\s*[,;–—-]\s*(?:as against|versus|vs\.?|against|compared (?:with|to)|rather than)\s+\S*\d", _I
)
_AT_LEAST = compile_later(
    r"\s*[,–—-]\s*(?:at least|at best|if only|if at all|only|except|exclusively)\s+(?:in|for"
    r"|among|when"
    r"|if|on|with|at|by|during|after|to)\b",
    _I,
)
_OTHER_CASE = compile_later(
    r"\s*(?:;\s*with|[;,]\s*(?:in|for|at|if|after|against|among|once|when|on))\b[^.;]*\b\d", _I
)
_QUOTED_FIGURE = compile_later(
    r"(?<!\d)(?!(?:1[5-9]|20)\d\d$)\d[\d.,]*\s*(?:%|per ?cent|m[glm]|µg|mcg|g|units?|tablets?"
    r"|\w+s?)$"
    r"|\d[\d.,]*\s*(?:%|per ?cent)(?: \w+){0,3}$",
    _I,
)
_WITHOUT = compile_later(
    r"\s*[,–—-]\s*(?:(?:but|though|although|albeit|yet) )?(?:without|with no|with little|minus)\b",
    _I,
)
_ONCE_HELD = compile_later(
    r"^\s*,\s+it (?:was|has been) (?:once |long |then |widely )?(?:believed|thought|assumed|hoped"
    r"|held"
    r"|claimed|said)\b|\b(?:was|were|used to be) (?:once |long |then |at least )?(?:(?:the|an?|our"
    r"|their)(?: \w+)? )(?:hope"
    r"|belief|theory|idea|view|assumption|claim|dogma|reasoning|doctrine|teaching|thinking|wisdom"
    r"|consensus|advice)\b|^\s*,\s+as (?:the )?(?:old|older|ancient|outdated|former|folk|popular"
    r"|some"
    r"|earlier)\b",
    _I,
)
_ALL_BUT = compile_later(
    r"\s+but (?!also\b|it|they|he|she|the \w+ (?:is|are|was|were|has|have)\b)", _I
)
_OF_EACH = compile_later(
    r"\b(?:all|every|any|no|none|nobody|nothing|nowhere|anyone|anybody|everyone|everybody"
    r"|everything"
    r"|each|always)\b",
    _I,
)
_APART = compile_later(r"\s*,\s+[^,;.]*\b(?:apart|excepted|excluded|aside|exempt(?:ed)?)\W*$", _I)
_SOME_OF_LIST = compile_later(
    rf"\b(?:{_NUMBER_WORDS}|\d+|any|all|either|both) (?:out )?of (?:the "
    rf"|these )?(?:{_NUMBER_WORDS}|\d+"
    r"|following|criteria|conditions)(?: \w+)?$",
    _I,
)
_THEN_LIST = compile_later(r"\s*[:–—]\s*\w", _I)
_AND_ONLY = compile_later(
    r"\s*,\s*(?:and|but|then)\s+(?:only|not before|never before|not until|even then)\b", _I
)
_STILL = compile_later(r"\s*[,;–—]\s*(?:and )?yet\b|\s+yet\b", _I)
# What it is called: "a rumour that dermatologists reject".
_CALLED_WRONG = compile_later(
    r"\s*(?:,|[–—]|\s-)\s*(?:(?:an?|the|one|just|mere|merely) (?:[\w-]+ ){0,3}(?:rumou?r|myth"
    r"|legend"
    r"|fallacy|superstition|hoax|error|mistake|misconception|misunderstanding|misreading"
    r"|exaggeration"
    r"|fad|fashion|falsehood|lie|tale|illusion|dogma|prejudice|old wives)\b"
    r"|(?:an?|the) (?:[\w-]+ ){0,3}(?:that|which) [^.;]*\b(?:reject\w*|den(?:y|ied)|dispute[sd]?"
    r"|doubt\w*|dismiss\w*|contradict\w*|refute[sd]?)\b)",
    _I,
)
_CALLED_SO = compile_later(
    r"\s*[:;–—-]+\s*(?:this|that|such|so much for|thus)\b[^.;]*\b(?:dogma|belief|myth|idea|claim"
    r"|view"
    r"|notion|theory|doctrine|teaching|slogan|hope)\b",
    _I,
)
_IN_SOME_CASE = compile_later(r"\b(?:if|unless|except|when(?:ever)?|only|until|in those)\b", _I)
_HOWEVER_NO = compile_later(
    r"\s*[;–—]\s*[^.;]*\b(?:no (?:effect|benefit|difference|evidence|advantage|such)|not\b|never\b"
    r"|none"
    r"\b|neither\b|nothing\b|fail\w*|otherwise|the (?:opposite|contrary|reverse)|disagree\w*"
    r"|contradict\w*|disprov\w*|refute\w*)",
    _I,
)
_HOWEVER = compile_later(
    r"\b(?:however|but|yet|though|later|since|newer|recent|latest|larger|better|trials?|stud(?:y"
    r"|ies)"
    r"|reviews?|data|evidence|others)\b",
    _I,
)
_ONE_OF_THEM = compile_later(
    r"\s*,\s*(?:at least )?(?:one|two|all|both|none) of (?:them|which|these)\b", _I
)
_AFTER_WHAT = compile_later(
    r"\s*,\s*(?:having|once|but first|but only|unless|if(?! (?:possible|needed|necessary))|when)\b"
    r"|\s+and,? (?:before (?:it|that)|first|only)\b",
    _I,
)
_OR_SO_IT_IS_SAID = compile_later(
    r"\s*[,:;–—-]+\s*(?:(?:so|or so) [^.;,]*\b(?:promise[sd]?|say|says|said|claim\w*|think|thinks"
    r"|hope[sd]?"
    r"|believe[sd]?|swear\w*|insist\w*|boast\w*|assure[sd]?)\b|[^.;,]*\b(?:promises?|boasts?"
    r"|swears?"
    r"|alleges?|would have it)\b(?=[^.;,]*$)|according to [^.;,]*\b(?:magazine|blog|forum|website"
    r"|manufacturers?|makers?|sellers?|vendors?|lobby\w*|newspapers?|tabloids?|celebrit\w+"
    r"|influencers?"
    r"|healers?|brochures?|leaflets?|press releases?|company|advert\w*|rumou?rs?|legend|anecdotes?"
    r"|testimonials?|hearsay|its inventor|the inventor)\b|or (?:at least|so"
    r"|that)\b(?! on\b).*\b(?:say|says|said|claim\w*|think|thinks"
    r"|thought|believe\w*|hope\w*|hears?|goes|went|told|held|taught|legend|theory)\b"
    r"|so (?:goes|went|go|says|say|said|runs|the (?:story|legend|theory|saying|argument))\b"
    r"|(?:or )?so it (?:is|was|seems|seemed) (?:said|claimed|told|believed|thought|held|hoped)\b"
    r"|(?:at least )?in theory\b"
    r"|[^.;,]*\b(?:advert\w*|slogan|label|poster|leaflet|brochure|banner|flyer)\b [^.;,]*\b(?:read"
    r"|reads|ran"
    r"|runs|said|says|claim\w*|stated|went)\b|if [^.;]*\b(?:can be trusted"
    r"|(?:is|are) to be (?:believed|trusted))"
    r"|[^.;,]*\b(?:write|writes|wrote|say|says|said|post\w*|tweet\w*|boast\w*|advertis\w*)\b[^.;,]*"
    r"\b(?:blog|forum|facebook|twitter|instagram|tiktok|online|website|brochure|leaflet|advert\w*"
    r"|newspaper|tabloid|magazine)\b)",
    _I,
)
_LEAVES_SOME_OUT = compile_later(
    r"\s*[,;–—-]\s*(?:leaving (?:aside|out)|setting aside|ignoring|discounting|omitting|excluding"
    r"|exempting|sparing|minus|not counting|less those|other than)\b",
    _I,
)
_ON_CONDITION_LATER = compile_later(
    r"\s+\w[^.;]*,\s+(?:as long as|so long as|provided|providing|unless|except|if and only if"
    r"|on condition)\b",
    _I,
)
_ONLY_SOME_SAY = compile_later(
    r"\s*[,–—-]\s*(?:(?:so |or so |as )?(?:some|many|most|its|the|one|certain|a few"
    r"|\w+)? ?(?:\w+ )?"
    rf"(?:{_WHO_CLAIMS}|clinics?|influencers?|people|parents|patients|advertisers?|leaflets|users)"
    r"(?: \w+){0,2}"
    r" (?:say|says|said|claim|claims|claimed|argue|argues|believe|believes|fear|feared|think|insist"
    r"|insists|maintain|maintains|assert|asserts|hope|promise|promises|advertises?|boasts?"
    r"|assures?)"
    r"|(?:say|says|claim|claims|claimed|argue|argues|insists?|according to) (?:those|people|some"
    r"|the"
    r" ones) (?:who|that|with)"
    r"|(?:say|says|claim|claims|claimed|argue|argues|insists?|according to)"
    rf" (?:its|the|some|many|one|\w+) ?(?:{_WHO_CLAIMS}|clinics?))\b",
    _I,
)
QUESTIONED = compile_later(r"\s*\?|\s*[.!…–—-]*\s*(?:not!|not so\b|wrong\b|false\b)", _I)
"""What turns the words before it into a question or says at once that they are wrong."""

_IN_BRACKETS = compile_later(
    r"\s*\((?:but|only|not|except|unless|if|in (?:mice|rats|animals?|vitro|theory)|absolute"
    r"|relative"
    r"|unadjusted|adjusted|non-?significant|not significant|P ?[=>] ?0?\.[1-9]|P ?> ?|up to|maximum"
    r"|n ?= ?\d+|high[- ]risk|adults only|off-label|no |without )",
    _I,
)
_AFTER_DASH = compile_later(
    r"\s*[–—-]+\s*(?:but|only|unless|except|if|not|in (?:mice|rats|animals?|theory)|at least|or so"
    r"|provided|never|until)\b",
    _I,
)


# All of a list is asked for: "requires a rash | , joint pain and a positive test".
_ALL_OF_THEM = compile_later(
    r"\s*(?:,|and\b)[^.;]*(?:\b(?:all|both) (?:of (?:them|these)|three|four|five|at|for|within|in"
    r"|together|must|are|present)\b|\b(?:taken )?together\W*$|\bin (?:combination|that order"
    r"|this order)\b|\bat the same time\b)",
    _I,
)
_ASKS = compile_later(
    r"\b(?:requires?|needs?|needed|must|should|criteria|diagnos\w+|defined|depends?|rests?"
    r"|made from"
    r"|consists?)\b",
    _I,
)
_ASKS_FOR_ALL = compile_later(
    r"\b(?:both (?:an?|the|\w+ing)\b(?!.*\band\b)|combination of|criteria|(?:diagnos\w+|definition"
    r"|confirmation) (?:\w+ )?(?:requires?"
    r"|needs?|rests? on|depends on|calls for))\b",
    _I,
)
_A_LIST_GOES_ON = compile_later(r"\s*(?:,|\band\b)(?! (?:which|who|so|but)\b)[^.;]*\band\b", _I)


_AFTER_A_TIME = compile_later(
    r"\s+(?:only |not |just )?(?:after|within|for|from)\s+(?:about |around |up to |some |roughly"
    rf" |at (?:least|most) |the (?:first|last) )?(?:{_NUMBER_WORDS}|\d[\d.,]*|an?|several|a few)"
    r"(?: (?:or|to|and) \S+)? ?(?:\w+ )?(?:minutes?|hours?|days?|weeks?|months?|years?|h"
    r"|min)\b(?! of\b)",
    _I,
)
_IS_DONE = compile_later(
    r"\b(?:is|are) (?:\w+ )?(?:left|kept|removed|taken|measured|repeated|replaced|treated|operated"
    r"|admitted|discharged|performed|done|used|continued|ordered|applied|monitored|inserted|added"
    r"|changed|doubled|halved|increased|reduced|tested|screened|isolated|intubated|ventilated"
    r"|transfused|started|stopped|given)\b(?: \w+){0,3}$",
    _I,
)
_IN_WHAT_CASE = compile_later(
    r"\s+(?:when|whenever|where|once|pending|as soon as|in case|upon|at the first"
    r"|at the request)\b",
    _I,
)
_PAST = compile_later(r"\b(?:was|were|had|been|[a-z]{3,}ed)\b", _I)
# A rule or a judgement is limited by whatever follows it without a stop.
_RULES = compile_later(
    r"\b(?:(?:may|can|must|should|cannot)(?! (?:also|cause|lead|develop|occur|have|feel|help|last"
    r"|be"
    r" (?:caused|due|found|seen|felt))\b)|forbidden|prohibited|banned|barred|mandatory|compulsory"
    r"|obligatory|illegal|allowed|permitted|recommended|advised|required|needed|necessary"
    r"|unnecessary"
    r"|contraindicated|indicated|free of charge|safe|unsafe|harmless|approved|licensed)\b",
    _I,
)
# Broken off before it states anything, a quote can be taken for nothing else.
_BROKEN_OFF = compile_later(
    r"(?:[,;:]|\b(?:and|or|but|of|in|on|at|for|from|to|by|with|per|during|before|after|under|over"
    r"|than"
    r"|as|the|an?|may|can|must|should|shall|will|is|are|be|not|if|when|that|which|who"
    r"|(?:if|when|unless|until|because|while)(?: \w+){1,3}))$",
    _I,
)
_GOES_ON_LOWER = compile_later(r"\s+[a-zà-ÿ\d]")


def _is_rule(quote: str) -> bool:
    return _RULES.search(quote) is not None or _BIDS.search(quote) is not None


def does_rest_limit_quote(quote: str, rest: str) -> bool:
    """Whether the ``rest`` of its sentence, behind a quote, limits it or takes it back."""
    if _IN_BRACKETS.match(rest) or _AFTER_DASH.match(rest):
        return True
    if _ENDS_IN_NUMBER.search(quote) and _A_NOUN.match(rest):
        return True
    if _IS_A_DOSE.search(quote) and _HOW_OFTEN.match(rest):
        return True
    if not is_apposition(rest):
        if _ASKS.search(quote) and _ALL_OF_THEM.match(rest):
            return True
        if _ASKS_FOR_ALL.search(quote) and _A_LIST_GOES_ON.match(rest):
            return True
    if _ONCE_HELD.search(rest) or (_ALL_BUT.match(rest) and _OF_EACH.search(quote)):
        return True
    if _SOME_OF_LIST.search(quote) and _THEN_LIST.match(rest):
        return True
    if not re.match(r"\s+\w", rest):
        return _takes_back(quote, rest)
    if _IS_DONE.search(quote) and _IN_WHAT_CASE.match(rest):
        return True
    if _STILL.match(rest) and is_claim_that_can_be_limited(quote):
        return True
    if _is_rule(quote) and _AFTER_WHAT.match(rest):
        return True
    if _AFTER_A_TIME.match(rest) and not _PAST.search(quote):
        return True
    if _CONTRASTS.search(rest) or _OF_SUCH.match(rest) or _ON_CONDITION_LATER.match(rest):
        return True
    if (_ALLOWS.search(quote) or _BIDS.search(quote)) and _HOW_OR_WHILE.match(rest):
        return True
    if _LEAVES_ALONE.match(rest):
        return False
    if _LIMITS.match(rest) is None:
        return (
            _is_rule(quote)
            and _GOES_ON_LOWER.match(rest) is not None
            and _BROKEN_OFF.search(quote) is None
        )
    return is_claim_that_can_be_limited(quote) or bool(
        _OF_ALL.search(quote) and _OF_WHOM.match(rest)
    )


def _takes_back(quote: str, rest: str) -> bool:
    if _BUT_NOT.match(rest) and not is_claim_that_can_be_limited(quote):
        return False
    if _APART.match(rest) or _CALLED_WRONG.match(rest) or _CALLED_SO.match(rest):
        return True
    if _is_rule(quote) and (_AND_ONLY.match(rest) or _AFTER_WHAT.match(rest)):
        return True
    if _ASKS.search(quote) and _ONE_OF_THEM.match(rest):
        return True
    if _HOWEVER_NO.match(rest) and _HOWEVER.search(rest) and is_claim_that_can_be_limited(quote):
        return True
    if _LEAVES_SOME_OUT.match(rest) or _OR_SO_IT_IS_SAID.match(rest):
        return True
    if (_WITHOUT.match(rest) or _STILL.match(rest)) and is_claim_that_can_be_limited(quote):
        return True
    if _TURNS.match(rest) and _IN_SOME_CASE.search(rest) and is_claim_that_can_be_limited(quote):
        return True
    if _TURNS.match(rest):
        return _AGAINST_IT.search(rest) is not None and not _JUST_ALSO.match(rest)
    if _AT_LEAST.match(rest) or _ELSE.match(rest) or _ONLY_SOME_SAY.match(rest):
        return True
    if _OTHER_CASE.match(rest) and _QUOTED_FIGURE.search(quote):
        return True
    if _AND.match(rest):
        return _THE_SAME_ELSEWHERE.search(rest) is not None
    return _TAKEN_UP.match(rest) is not None and _TAKEN_BACK.search(rest) is not None


# -- in front of it ------------------------------------------------------------------------------

_THAT = compile_later(r"\b(?:that|whether|how far),?\s*$", _I)
_VOUCHES = compile_later(
    r"\b(?:show(?:s|ed|n|ing)?|find(?:s|ing)?|found|confirm\w*|report(?:s|ed|ing)?|stat(?:es?|ed"
    r"|ing)"
    r"|recommend\w*|explain\w*|not(?:es?|ed|ing)|notic\w+|know(?:n|s)?|knew|demonstrat\w*"
    r"|remember\w*"
    r"|reveal\w*"
    r"|conclu\w+|means?|meant|aware|unaware|establish\w*|agre\w+|emphasi\w+|inform\w*|tell(?:s"
    r"|ing)?"
    r"|told|remind\w*|important|essential|vital|clear(?:ly)?|certain|evident|true|likely|news|fact"
    r"|pointing out|point(?:s|ed)? out|mention\w*|recall\w*|observ\w+|learn\w*|stress\w*|indicat\w+"
    r"|advis\w+|requir\w+|warn\w*|announc\w*|declar\w*|prov(?:es?|ed|en)|underlin\w*|highlight\w*"
    r"|document\w*|read(?:s|ing)?|realis\w*|realiz\w*|understand|ensur\w*|make sure|sure|given|so"
    r"|determin\w*|discover\w*|said|says?|saying|add(?:s|ed)|describ\w*|see|saw|seen|surpris\w+"
    r"|(?:strong|good|clear|ample|firm|robust|solid|convincing|compelling|high-quality|conclusive"
    r"|growing|more) evidence|doubtless|no doubt|no question"
    r"|reason|such|propos\w+|urge[sd]?|decid\w+|except|because|now|provided|believe|follows?"
    r"|turns? out|stands to reason|rul(?:es?|ed|ing)|held)\b",
    _I,
)
_WEAK = compile_later(
    r"\b(?:only (?:one|two|three|a|few|some)|a single|one small|case reports?|animal|mouse|rat"
    r"|laboratory|preliminary|early|anecdotal|unpublished|unfounded|popular"
    r"|widespread|repeated|common belief|folk\w*|rumou?r\w*|press release|advert\w*|tabloid|blog\w*"
    r"|(?:would|will|it) (?:take|takes|need|require)s?\b|(?:remains?|has|have) (?:yet )?to be"
    r"|yet to"
    r"|(?:has|have|had|was|were) (?:also |once |long |sometimes |often )?(?:been )?(?:suggested"
    r"|proposed|thought|believed|assumed|supposed|speculated|postulated|argued|rumou?red"
    r"|theori[sz]ed"
    r"|hypothesi[sz]ed|feared|hoped)|not (?:one|every|any|a single|yet|all)|hardly|scarcely|rarely"
    r"|argue[sd]?|suspect\w*|imagin\w*|guess\w*|assum\w+|presum\w+|pretend\w*|insist\w*|contend\w*"
    r"|without (?:showing|giving|citing|any|offering)"
    r"|postulat\w*|wonder\w*|advocates?|proponents?|critics?|opponents?|supporters?|lobby\w*)\b",
    _I,
)
_SOME_SAY = compile_later(
    r"^\W*(?:according to|in the (?:view|opinion|words) of|for|as claimed by|say)\s+(?:the |some "
    r"|its"
    r" |many |certain )*(?:\w+ )?"
    rf"(?:{_WHO_CLAIMS}|legend|rumou?rs?|homeopaths|tabloids?)\b[^.;]*,\s*$",
    _I,
)
_UNDER_A_CASE = compile_later(
    r"^\W*(?:(?:but|and|however|so),?\s+)?(?:"
    r"(?:conceivably|presumably|possibly|perhaps|arguably|ostensibly|seemingly|maybe"
    r"|in all likelihood"
    r"|save (?:in|for|when|if)|bar|but for|short of|leaving aside)\b"
    r"|(?:unlike in|subject to|pending|depending on|assuming|barring|in (?:case|the event) of)\b"
    r"|for (?:mild|moderate|severe|acute|chronic|early|advanced|recurrent|refractory|resistant)\b"
    r"|in (?:an? |the |one |this )?(?:post[- ]hoc|sub-?group|exploratory|unadjusted|secondary"
    r"|preliminary|interim|univariate|unplanned|per-protocol|cell|tissue|animal|mouse|rat|pig"
    r"|computer|cultured|isolated|simulated|\w+ cells|cells|a (?:dish|test tube|model)"
    r"|severe|advanced|early|late|acute|chronic|mild|high|low|large|excess\w*|small|rare|certain"
    r"|exceptional|emergenc\w+|overdose|pregnancy|theory|principle|isolated)\b"
    r"|at (?:[\w-]+ ){0,4}(?:doses?|levels?|concentrations?|intakes?)\b"
    r"|(?:at|in|with|after) (?:very |extremely )?(?:high|low|large|small|toxic|normal|therapeutic"
    r"|standard|excessive|repeated|prolonged|long-term|short-term)\b[^,;]*"
    r"(?:doses?|levels?|concentrations?|amounts?|quantit\w+|use|treatment|exposure|intakes?)\b"
    r"|(?:if|unless|until(?! now| recently an?\b)"
    r"|were|had|should|once|as soon as|as long as|so long as|whenever"
    r"|only|where)(?! (?:you have any|in doubt|be\b|it be))\b"
    r"|when (?!you (?:come|arrive|go|visit)|it comes|asked|they|we\b|he\b|she\b)"
    r"(?:\w+ ){0,3}(?:given|used|taken|combined|untreated|possible|necessary|treated|started"
    r"|caught)\b"
    r"|(?:in|for|among|with|on) (?:[\w-]+ ){0,3}(?:patients|people|women|men|children|adults"
    r"|infants"
    r"|babies|smokers|mice|rats|dogs|monkeys|rodents|animals|vitro|volunteers|neonates|newborns"
    r"|adolescents|athletes|carriers|survivors|cases)\b)(?:[^.;]|\.(?=\d))*,\s*$",
    _I,
)
# A span of time in front limits what is allowed or said of an effect; a date does not.
_FOR_A_TIME = compile_later(
    r"^\W*(?:for|during|within|in|over|after|until|throughout|from) (?:about |around |up to "
    r"|at least"
    r" |no more than )?(?:(?:the )?(?:first|initial|next|following|early|final"
    r"|last(?= trimester))\b"
    r"|the acute\b|an? (?:hour|day|week|month|year) (?:of|after|before)\b"
    r"|(?:[\d.]+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d\d?[–-]\d\d?)[ -]"
    r"(?:minutes?|hours?|days?|weeks?|months?|years?) (?:of (?!follow)|after|before|following))"
    r"[^.;]*,\s*$",
    _I,
)
_FOR_SOME_TIME = compile_later(
    r"^\W*(?:for|within|after|until)\b[^.;,]*\b(?:minutes?|hours?|days?|weeks?|months?|years?)\b"
    r"[^.;]*,\s*$",
    _I,
)
# What stands before the main clause limits what is claimed, unless it only leads over to it, or
# names a study, a place or a date.
_BEFORE_THE_CLAUSE = compile_later(
    r"^\W*(?:(?:but|and|however|so),?\s+)?(?:up to|till|throughout|past|over|with|given|supposing"
    r"|granted|in|on|at|for|from|under"
    r"|after|before|during|when|whenever|where|wherever|by|among|amid|beyond|outside|above|below"
    r"|near"
    r"|following|depending on|taken(?! together)|used|injected|inhaled|swallowed|applied|eaten"
    r"|administered"
    r"|combined|treated|stored|diluted|cooked|caught|started|drunk|heated|exposed|pooled|restricted"
    r"|limited|even (?:in|at|with|if|when|after))\b(?:[^.;:]|\.(?=\d))*,\s*$",
    _I,
)
_IN_A_MANNER = compile_later(
    r"^\W*(?:(?:but|and|even|only) )?(?:(?:when|if|once) )?(?:taken(?! together)|given|injected"
    r"|inhaled|swallowed"
    r"|applied|eaten|administered|combined|untreated|stored|diluted|cooked|drunk|heated)\b",
    _I,
)
_LEADS_OVER = compile_later(
    r"^\W*(?:(?:but|and|however|so),?\s+)?(?:"
    r"(?:in|on|at|for|during|by) the (?:same|very)\b|[^,]*\b(?:meeting|congress|conference)\b"
    r"|in (?:addition|conclusion|summary|short|brief|general|fact|particular|contrast|turn|essence"
    r"|the words|other words|practice|reality|total|response|comparison|this|that|these|our|my"
    r"|both|all|many"
    r"|most|recent|several|the (?:end|meantime|past|present|last|latest|first place|19|20|new|other"
    r"|\w+ century|\w*[- ]?(?:trial|study|review|analysis|report|cohort|survey|series|figure|table)"
    r"|(?-i:[A-Z]))|an? (?!few|minority|small|third|quarter|case of|dose|child|patient)|one"
    rf"|two|{_NUMBER_WORDS}|\d|(?-i:[A-Z])|early|late|mid|spring|summer|autumn|winter|humans|man"
    r"|medicine|public|primary|(?:northern|southern|eastern|western|central|rural|urban)\b)"
    r"|on (?:average|the (?:other|one) hand|the (?:whole|contrary)|balance|\d|(?-i:[A-Z])|that|this"
    r"|the (?:day|morning|\w+ (?:post-?operative )?day)|arrival|admission|examination|closer|top)"
    r"|at (?:an? (?:mean|median|average)|present|first|least|best|last|the (?:same|moment|time|end"
    r"|start|beginning|heart|\w+ visit"
    rf"|hospital|clinic)|baseline|week|month|year|\d|{_NUMBER_WORDS}|follow-?up|discharge|birth"
    rf"|home"
    r"|every|each|this|that|our|your|(?-i:[A-Z]))"
    r"|for (?:example|instance|this|that|these|now|many|decades|centuries|more|most|further|all"
    r"|your|our|once|the record|the (?:first|second|third) time|some reason|years|several|over)"
    r"|from (?:then|there|now|this|that|\d)|under (?:these|this|the microscope|local)"
    rf"|after (?:all|that|this|these|\d|{_NUMBER_WORDS}|a (?:few|median|mean|while)|years|decades"
    r"|reading|discussion|much|adjust\w+|allowing|the (?:war|trial|meeting|study|operation"
    r"|procedure"
    r"|birth|visit))"
    r"|before (?:that|then|this|you)|during (?:the (?:night|operation|procedure|examination|study"
    r"|trial|follow|course|visit|19|20|\w+ century"
    r"|pandemic|war|period)|this|that|these|follow|your|(?-i:[A-Z])|\d)"
    r"|when(?: (?:you|we|they|it|he|she|asked|this|that|these)\b| (?!(?:given|used|taken|combined"
    r"|applied|injected|inhaled|swallowed|eaten|caught|exposed"
    r"|stored|treated|untreated|cooked|heated|diluted|started|administered|measured"
    r"|pooled)\b)(?!.*\b(?:is|are|has|have)\b))"
    r"|by (?:contrast|comparison|definition|then|now|and large|doing|this|that|\d|the (?:time|end"
    r"|age)"
    r"|20|19|virtue|way|coincidence|law|convention|\w+ing)"
    r"|with (?:this|that|these|respect|regard|its|their|your|our|more than|over|an? \w+ of"
    r"|the advent"
    r"|the (?:help|aid)|time|practice|hindsight|luck)|where (?:available|possible|the)"
    r"|among (?:other|them|these|its|the (?:many|most|causes|symptoms))|above all|following (?:this"
    r"|that|these|the (?:publication|meeting|report))|given (?:this|that|these|the (?:size|number"
    r"|lack"
    r"|high|low|importance)|its|their|how)|near the|outside (?:the hospital|office)|used (?:since"
    r"|for|by|to|in (?:many|the))|first|started (?:in|by))",
    _I,
)
_WITHIN_A_TIME = compile_later(
    r"^\W*within (?:\S+ ){1,3}(?:minutes?|hours?|days?|weeks?|months?|years?) of\b[^.;]*,\s*$", _I
)
_MEASURED_AGAINST = compile_later(
    r"^\W*(?:compared (?:with|to)|in comparison (?:with|to)|relative to|versus|next to|as against"
    r"|as opposed to|unlike|measured against|as compared with)\b[^.;]*,\s*$",
    _I,
)
_COMPARES = compile_later(
    r"\b(?:more|less|fewer|better|worse|twice|as \w+|times|equally"
    r"|(?:high|low|great|few|small|long|short|larg|fast|slow|earli|old|young|strong|weak|rar"
    r"|saf)er)\b",
    _I,
)
_A_PART_OF = compile_later(
    r"\b(?:less|fewer|more|no more|not more) than (?:[\w.,%]+ ){1,4}(?:of|in)(?: (?:the|all))?\s*$"
    r"|\bup to (?:[\w.,%]+ ){1,4}of(?: (?:the|all))?\s*$",
    _I,
)
_STARTS_ITSELF = compile_later(
    r"^\W*(?:therefore|thus|hence|that means|this means|this is why|that is why|clearly|today|now"
    r"|then|also|indeed|here|there|moreover|furthermore|however|overall|and|but|so|because|since|as"
    r"|although|while|whereas|or|when|the|an?|this|these|those|that|which|it|they|we|he|she|to|is"
    r"|are|was|were|please|meanwhile|conclusion|in (?:humans|man|general|fact|practice|brief|short"
    r"|summary|addition|total|conclusion|particular|turn|effect|essence|reality|contrast)"
    r"|(?:for|in) (?:example|instance|trials|studies)|on average|at (?:first|last|present)"
    r"|results?|background|summary|note|currently|recently"
    r"|yet|still|fortunately|unfortunately|importantly|interestingly|surprisingly|additionally"
    r"|finally|first|second|third|again|later|afterwards|of course|in fact|for example|your|our"
    r"|its|his|her|their|dear|who|where|what|how|why|\d+|(?:in|by|since|from) (?:1[5-9]|20)\d\d)\b",
    _I,
)
# "Children weighing | under 30 kg take half of it" leaves out the subject, which limits nothing.
_GOES_ON = compile_later(
    r"(?:under|over|with|without|in|of|from|to|at|by|for|on|between|who|whose|aged|that|is|are|was"
    r"|were|has|have|had|may|can|should|must|will)\b",
    _I,
)
_A_VERB_BEFORE = compile_later(
    r"\b(?:is|are|was|were|be|been|has|have|had|does|do|did|will|would|can|the|an?|and|or|of|to|in"
    r"|by|with|from|on|for|at|its|their|his|her|that|which|who|then|means|says|said|why|so|because"
    r"|as|than|but|if|when)$",
    _I,
)


def does_beginning_limit_quote(sentence: str, quote: str) -> bool:
    """Whether the words of its ``sentence`` in front of a quote doubt, limit or single it out."""
    before = sentence.strip()
    if not before or (quote[:1].isupper() and before[-1] in ".!?"):
        return False
    if _THAT.search(sentence):
        frame = re.split(r"[;:]", sentence)[-1]
        return _WEAK.search(frame) is not None or not _VOUCHES.search(frame)
    if _SOME_SAY.search(sentence) or _UNDER_A_CASE.search(sentence):
        return True
    if _MEASURED_AGAINST.search(sentence) and _COMPARES.search(quote):
        return True
    if _WITHIN_A_TIME.search(sentence):
        return True
    if _FOR_A_TIME.search(sentence) and is_claim_that_can_be_limited(quote):
        return True
    if _FOR_SOME_TIME.search(sentence) and (_ALLOWS.search(quote) or _BIDS.search(quote)):
        return True
    if (
        not quote[:1].isupper()
        and _BEFORE_THE_CLAUSE.search(sentence)
        and not _LEADS_OVER.search(sentence)
        and (is_claim_that_can_be_limited(quote) or _IN_A_MANNER.search(sentence))
    ):
        return True
    words = before.split()
    if _A_PART_OF.search(sentence):
        return True
    return (
        len(words) <= 2
        and before[-1].isalnum()
        and not quote[:1].isupper()
        and not _STARTS_ITSELF.match(before)
        and not _LEADS_OVER.search(f"{before}, ")
        and not _A_VERB_BEFORE.search(before)
        and not _GOES_ON.match(quote)
    )
