"""What a quote was cut off from: the words beside it without which it says something else.

A sentence can be quoted in part and keep its meaning: "however" in front, a reason or a second
statement behind. It loses it where what is left out denies, doubts, limits or completes what is
quoted: "Neither test | can tell infection from disease", "You must not drive | until your seizures
are controlled", "lowers the risk by 60 | to 90 %". The rules below are about the words right beside
the quote in its own sentence; they name the kinds, not the cases. Where they say nothing it is the
quote that decides (``medlens.web.limits_in_rest_of_quoted_sentence``).
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later
from medlens.web.limiting_words_after_quotes import (
    does_sentence_rest_limit_quote,
    is_cause_called_unknown,
)
from medlens.web.limits_in_rest_of_quoted_sentence import (
    QUESTIONED,
    does_beginning_limit_quote,
    does_rest_limit_quote,
    is_claim_that_can_be_limited,
)
from medlens.web.meaning_changing_words_beyond_english import (
    Language,
    does_rest_of_sentence_limit_quote,
    language_of_sentence,
    limiting_words_of_sentence_before_quote,
)
from medlens.web.negating_list_headings import heading_of_list_that_denies_item
from medlens.web.numbers_quoted_incompletely import does_figure_need_rest, is_count_cut_from_base
from medlens.web.population_left_out_of_quotes import (
    do_words_before_quote_name_population,
    is_named_act_narrowed_by_words_after,
    phrase_in_front_of_quote_with_comma,
)
from medlens.web.verdicts_beside_quotes import (
    denial_in_front_or_column_head,
    denial_in_heading_above,
    denial_in_next_cell,
    is_denying_title,
)

_INSIDE = r"[^\W_]"
_JOINT = "-\u2010\u2011\u2012\u2013\u00ad"
_LONGEST_SHOWN = 90
_NEAR_FRONT = 300
"""Characters in front of a quote that may belong to its sentence."""

# -- numbers and units ---------------------------------------------------------------------------

_COMPARES = compile_later(
    r"(?:\b(?:than|least|most|under|over|above|below|beyond|exceed(?:s|ing)?|maximum|minimum|up to"
    r"|minus|about|approximately|around|roughly|nearly|almost|mere|barely|scarcely|hardly"
    r"|close to)|\d\s*x|[<>≤≥=≠±~≈+$€£^/×·−–—-])\s*$",
    re.IGNORECASE,
)
_BOUND = compile_later(
    r"\b(?:(?:less|more|fewer|greater|higher|lower) than|over|under|above|below|almost|nearly"
    r"|as (?:many|few|much|little|often|rarely) as|(?:at|the) (?:very )?(?:least|most),?|up to"
    r"|well over|just (?:over|under))\s*$",
    re.IGNORECASE,
)
_LISTED = compile_later(r"(?:^|\n)[ \t]*[-–*·•]\s+$")
_UNIT = (
    r"(?:[kmcdnpµμ]?g|mcg|ug|[mdcµμ]?l|[mµμnp]?mol|m?eq|m?i?u|iu|units?|hours?|hrs?|h|days?|weeks?"
    r"|months?|years?|min|mins|minutes?|s|sec|seconds?|mm ?hg|cm ?h2o|k?pa|[ckm]?m|°|℃|°c|°f|bpm"
    r"|percent|per cent|times|fold|tablets?|drops?|doses?|kcal|m?hz|m?sv|m?gy|k?bq)"
)
_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty"
    r"|sixty|seventy|eighty|ninety|hundred|thousand|million|half|third|quarter|fifth|tenth|twice"
    r"|double|once)"
)
_SHARE = compile_later(
    r"(?:(?:an?|one|two|three|four) )?(?:half|thirds?|quarters?|fifths?|tenths?)\b"
    rf"|{_NUMBER_WORD}\b|a single\b",
    re.IGNORECASE,
)
_THEN_UNIT = compile_later(rf"[\s\u00a0-]*{_UNIT}(?!{_INSIDE})", re.IGNORECASE)
_ENDS_IN_NUMBER = compile_later(rf"(?:\d\s*%?|\b{_NUMBER_WORD})$", re.IGNORECASE)
_ENDS_IN_YEAR = compile_later(r"\b(?:in|since|until|of|from|by) (?:1[5-9]|20)\d\d$", re.IGNORECASE)
_ENDS_IN_UNIT = compile_later(rf"(?:\d|\b{_NUMBER_WORD})\s*{_UNIT}$", re.IGNORECASE)
_THEN_SIGN = compile_later(r"\s*[%‰°^±×/²³⁰-⁹′″]|\s*[x*]\s*\d|\s*[-–—−]\s*\d|[.,:·]\d")
_THEN_PER = compile_later(r"\s*(?:[/^·²³⁻]\s*|per\s+)[^\W_]*|\s*(?:each|every)\b", re.IGNORECASE)
_THEN_MORE_NUMBER = compile_later(
    rf"\s+(?:(?:to|or|out of|of|in|over|times|as)\s+(?:even |perhaps |about |up to )?(?:\d"
    rf"|{_NUMBER_WORD}\b|more|less|fewer|higher"
    r"|lower|older|younger|longer|shorter|above|below|over|under|greater|earlier|later)"
    rf"|[\w-]+ (?:in|out of|per) (?:\d|{_NUMBER_WORD}\b)|out of\b|of\b|times\b|as\b|million\b"
    r"|billion\b|thousand\b|hundred\b|or (?:more|less|so)\b)",
    re.IGNORECASE,
)
_BETWEEN = compile_later(r"\bbetween(?:\s+\S+){1,4}$", re.IGNORECASE)
_THEN_BOUND = compile_later(
    r"\s+(?:or (?:more|less|fewer|higher|lower|older|younger|above|below|over|under|longer|shorter)"
    r"|to \d|(?:once|twice|thrice|\w+ times) (?:a|per|daily|weekly|each|every|an)\b|daily\b"
    r"|weekly\b|a (?:day|week|month|year)\b|over \d|within\b)",
    re.IGNORECASE,
)

# -- in front of the quote -----------------------------------------------------------------------

_NEGATES = (
    r"(?:not|no|never|without|cannot|nor|neither|none|nobody|nothing|non|hardly|rarely|seldom"
    r"|unlikely|scarcely|barely|avoid(?:s|ed|ing)?|\w+n['’]t)"
)
_NEAR_NEGATION = compile_later(rf"{_NEGATES}$", re.IGNORECASE)
_NEAR = 3
# What denies or counts the subject of a clause does so however long the subject is.
_SUBJECT = compile_later(
    r"\b(?:no|none|neither|nor|nobody|nothing|never|few|fewer|hardly any|only|minority|not all"
    r"|a handful of|a couple of"
    r"|\d+ (?:of|out of|in) (?:the |our |these |those |all )?\d+"
    r"|not every|one (?:in|of(?: the| our| these)?) \w+|(?:a|one|two) (?:third|half|quarter"
    r"|fifth|tenth)s?|half|\d+ ?% of)\b",
    re.IGNORECASE,
)
_NARROWS = compile_later(
    r"(?:only|unless|except|if|some|few|many|most|half|certain|selected|nearly|almost)$",
    re.IGNORECASE,
)
_CLAUSE = compile_later(r"[.!?;:,()\[\]|•—]|\n\s*\n|\n(?=\s*$)")
_NEW_CLAUSE = compile_later(
    r"\b(?:and|but|so(?= (?:the|that|it|he|she|they|you|we|an?)\b)|because|which|who|whose|that"
    r"|whereas|while|since|although|therefore|then|if|when|where)\b",
    re.IGNORECASE,
)
_WORDS = compile_later(r"[^\W_]+(?:['’][^\W_]+)*")
_DOUBTS = compile_later(
    r"\b(?:no|none|nothing|nobody|neither|never|few|little|insufficient|limited|weak|scant|poor|not"
    r"|cannot|myths?|misconceptions?|rumou?rs?|legends?|untrue|false|falsely|wrong|wrongly|mistaken"
    r"|mistakenly|mistake|misleading|naive|fallacy|rash|unwise|unclear|unknown|uncertain|unproven|unlikely|debated?|disputed|controversial"
    r"|doubt(?:s|ed|ful)?|once|formerly|previously|used to|hypothes[ie]s|hypothesi[sz]ed?"
    r"|theor(?:y|ies)|claim(?:s|ed)?|questions?|question(?:ed|able)|contrary|failed|fails?|whether"
    r"|den(?:y|ies|ied)|refuted?|disprove[dn]?|speculat\w+|alleg\w+|fear(?:s|ed)?|hoped?|hopes"
    r"|too (?:early|soon|small|short|few|weak)|premature|anything but|far from"
    r"|believes?|thinks?|worr(?:y|ies)|imagines?"
    r"|it is (?:possible|conceivable|plausible|tempting to (?:think|believe))"
    r"|the (?:idea|notion|belief|claim|view|theory|suggestion|assumption|fear|hope|suspicion)"
    r"|it (?:was|has been|had been) (?:once |long |widely |commonly )?(?:thought|believed|assumed"
    r"|supposed|feared|hoped|claimed|suggested)|withdr[ae]w\w*|abandoned|dropped|reversed"
    r"|reject(?:s|ed)?|dismiss(?:es|ed)?|overturn(?:s|ed)?|discredit(?:s|ed)?|dispel(?:s|led)?"
    r"|debunk(?:s|ed)?|disagree(?:s|d)?|contradict(?:s|ed)?|advised? against|caution(?:s"
    r"|ed)? against"
    r"|no longer|(?:old|older|earlier|previous|former|outdated|obsolete|superseded|retracted"
    r"|withdrawn|first) (?:\w+ )?(?:labels?|leaflets?|guidelines?|guidance|textbooks?|editions?"
    r"|versions?|advice|rules?|papers?|articles?|recommendations?|polic(?:y|ies)|teaching)"
    r"|it was (?:usual|standard|common|long|customary)|if it were|\w+n['’]t)\b",
    re.IGNORECASE,
)
_LEADS_TO_QUOTE = compile_later(
    r"(?:[^,.;:]*\b(?:that|whether|if|when|think|thought|believed?)\b,?)?\s*$", re.IGNORECASE
)
_CLAIMED = compile_later(
    r"\b(?:those who \w+|claim(?:s|ed)?|alleg(?:es|ed)|assert(?:s|ed)?|speculat(?:es|ed))\b"
    r"[^.;:]*\bthat\s*$",
    re.IGNORECASE,
)
_OUR_OWN_WORD = compile_later(
    r"\b(?:we|authors?|experts?|guidelines?|reviewers?)\s+(?:\w+ly\s+)?(?:believe|think)\b",
    re.IGNORECASE,
)
_QUESTION = compile_later(r"^\W*(?:whether|if)\b[^,;:]*$", re.IGNORECASE)
_SURE = compile_later(
    r"\b(?:beyond|no|without) (?:any |reasonable )?(?:doubt|surprise|wonder|secret)\b",
    re.IGNORECASE,
)
_HEDGED = compile_later(
    r"\b(?:may|might|could|would|possibly|perhaps|potentially|allegedly|supposedly|seems? to"
    r"|appears? to|(?:thought|believed|said|reported|expected|supposed|assumed|claimed|hoped"
    r"|designed|intended|unlikely|likely|failed|fails?|refuse[sd]?|unable|too \w+"
    r"|decline[sd]?|neglect(?:s|ed)?|forgot|forgets"
    r"|(?:unethical|wrong|unsafe|dangerous|unwise|foolish|harmful|a mistake)) to"
    r"|refrain(?:s|ed|ing)? from|abstain(?:s|ed|ing)? from|dissuaded? from|discouraged? from"
    r"|(?:stop|stops|stopped|avoid|avoids|avoided|avoiding|discontinue[sd]?|delay|delays|delayed"
    r"|prevents?|prevented|preventing|inhibits?|blocks?|denie[sd]|deny|denying|forbids?|prohibits?"
    r"|against|without|instead of|rather than|except|lack of|absence of|free of|free from|loss of"
    r"|protects? against|excluded?s?|rules? out|ruled out|contraindicated? in|intolerant of)"
    r"(?: the| a| an| any| all)?)\s*$",
    re.IGNORECASE,
)
# Whatever the quote begins with, a label or a result in front of it says that it is not so.
_DENIED_AT_ONCE = compile_later(
    r"^\W*(?:false|myths?|wrong|untrue|fiction|misconception)(?: (?:no\. ?)?#?\d+)?\s*[:–—]\s*$"
    r"|\bnegative for\s*$",
    re.IGNORECASE,
)
_LABEL = compile_later(r"^\W*([^:.;]{3,60}?)\s*:\s*$")
_FRONTED = compile_later(
    # a condition, an exception, another time or another kind of subject before the main clause
    r"\bnever,[^.;:]*,\s*$|^\W*all but\s*$|"
    r"^\W*\w+, (?:and |but )?(?:not|never) [\w-]+,\s*$|^\W*(?:most|many|nearly all|almost all),"
    r" (?:but|though|if|although) (?:not|by no means)[^.;]*,\s*$"
    r"|^\W*(?:(?:but|and|however|so),?\s+)?(?:if(?! you (?:have|want|need|are|would))|unless"
    r"|without (?!going|doubt|exception|question|further)|except|only|contrary to|until(?! now"
    r"| recently an?\b)"
    r"|provided|providing|in the absence of|with the exception of|excluding|other than"
    r"|outside(?= of| the| clinical| trials)"
    r"|(?:in|for) (?:(?:most|some|many|all|premature|pregnant|older|young|healthy|adult) )?"
    r"(?:patients|people|women|men|children|adults|infants|babies|girls|boys|smokers|those|anyone"
    r"|animals?|volunteers|laboratory|cell|one of|two of|half of|the (?:group|subgroup))"
    r"|prior to|instead of|theoretically|hypothetically|supposedly|allegedly|reportedly"
    r"|purportedly|apparently|rarely|seldom|occasionally|formerly"
    r"|historically|(?:very |extremely )rarely|in rare|in some|in a few|in (?:mice|rats|dogs|pigs"
    r"|monkeys|animals?|rodents|vitro|theory|the laboratory|cell)|under no|at no"
    r"|(?:had|were|should) (?!be\b)\w+|before (?:the )?(?:19|20)\d\d|far from"
    r"|apart from (?:those|people|patients|women|men|children|adults|infants|babies|smokers"
    r"|drinkers|athletes)"
    r"|of (?:those|the|all|patients|people|women|men|children|adults)|among"
    r"|untreated|unvaccinated|uncorrected|undiagnosed|undiluted|uncontrolled|left \w+"
    r"|nobody|no one|none|neither|few|hardly|scarcely)\b(?:[^.;]|\.(?=\d))*,\s*$"
    r"|^[^.;]*\bbut not\b[^.;]*,\s*$"
    r"|^\W*(?:only|not (?:until|only|all|every|in)|never|rarely|seldom|under no|at no|in no"
    r"|in theory|without (?!going|doubt|exception|question|further))\b[^.;,]*$",
    re.IGNORECASE,
)
_MODIFIES = compile_later(
    r"(?:^|[\s(\"“])(?:(?:very )?(?:low|high)[- ](?:dose|risk|grade|fat|flow|quality)|inactivated"
    r"|live|attenuated|un\w+(?:ed|en|ised|ized)|poorly \w+|well[- ]controlled|severe|mild|moderate"
    r"|oral|intravenous|topical|inhaled|injected|injectable|subcutaneous|nasal|rectal|vaginal"
    r"|(?:long|short|medium|first|second|third|last)[- ](?:term|line|acting|course)|chronic|acute"
    r"|early|late|(?:un)?vaccinated|pregnant|older|younger|elderly|premature|preterm|healthy|raw"
    r"|diluted|recurrent|persistent|advanced|active|inactive|latent|passive|partial|incomplete"
    r"|excessive|excess|inadequate|insufficient|prolonged|repeated|resistant|sterile|massive"
    r"|symptomatic|asymptomatic|immunocompromised|non-?\w+|unilateral|bilateral|benign|malignant"
    r"|familial|sporadic|congenital|acquired|primary|secondary|type [12]|male|female|adult"
    r"|artificial|synthetic|natural|fresh|frozen|expired|generic|single|multiple)\s*$",
    re.IGNORECASE,
)

# -- behind the quote ----------------------------------------------------------------------------

_PEOPLE = (
    r"(?:the |some |many |most |all |only |those |these |young |old(?:er)? |elderly |pregnant "
    r"|adult |healthy |sick |frail |obese |\w+ed |\w+al )*(?:women|men|children|adults|patients"
    r"|people|persons|infants|babies|newborns|girls|boys|adolescents|teenagers|smokers|volunteers"
    r"|participants|individuals|carriers|users|drivers|athletes|those|mice|rats|dogs|pigs|monkeys"
    r"|animals?|rodents|vitro|pregnancy|childhood|old age|theory|principle|cases|the elderly)"
)
_FEW = (
    r"(?:no|none|not|nobody|nothing|never|neither|only|just(?! (?:in front|to the|outside|off|past"
    r"|under|above|below|behind|beneath"
    r"|inside|before|after|beside|like|as) (?!\d))|fewer|few|little|hardly|barely|rarely"
    r"|seldom|marginally|except|unless|under \d|less than|up to|at most|at least|irrelevant)"
)
_AMOUNT = (
    r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|a third|a quarter"
    r"|an? amount|(?:about|around|roughly|nearly|almost)(?= \S*\d| (?:one|two|three|four"
    r"|five|six|seven|eight|nine|ten|half|an?)\b)(?! the size)|low|high|small|large|age\b)"
)
_CONDITION = compile_later(
    r"\s*,?\s+(?:unless|except|apart from|aside from|other than|with the exception of|excluding"
    r"|excepting|save (?:for|in|when|if|by)|bar(?:ring)?|but for|short of|not counting"
    r"|not including"
    r"|if|only"
    r"|(?:heavier|larger|longer|older|younger|more) than|provided|providing|as long as"
    r"|so long as|assuming|on (?:the )?condition|conditional|insofar|in so far|depending on|pending"
    r"|but (?:only|in|with|at|if|when|for|less|never|fails?|loses?)"
    r"|according to (?:an? |one |the )?(?:single|small|one|unpublished|preliminary|animal|early)"
    r"|or rather|or so (?:\w+ ){1,4}(?:once|were|was|had|used to)|in all but|in (?:mice|rats|dogs"
    r"|pigs|monkeys|animals?|rodents|vitro|theory"
    r"|principle))\b"
    r"|\s*\((?:not|only|except|unless|if|but|in (?:mice|rats|animals?|vitro))\b"
    # what was once believed, and those for whom it does not hold
    r"|\s*,\s+(?:as|so) (?:it )?(?:is|was|were|had been) (?:\w+ )?(?:believed|thought|assumed"
    r"|taught|held|supposed|hoped|feared|claimed)\b"
    r"|\s*,\s+as \w+(?: \w+)? (?:used to|once) \w+|\s*[;,]\s+others (?:do|are|is|will|can"
    r"|have)\b(?= *$)"
    r"|\s*[;,]\s+(?:(?:the|all) (?:ones|others)|those|others|anyone (?:on|with|who)"
    r"|(?:patients|people|women|men|children|adults|infants) (?:on|with|who|taking|aged|over"
    r"|under))"
    r"\b[^.;]*(?:\b(?:not|never|wait|avoid|excluded|instead|need|needs|must|require)\b|n['’]t\b)"
    r"|\s*;\s+(?:but |however,? )?(?:in|for|with|during|among|on|after|at|if"
    r"|when)\b[^.;]*\b(?:not|never"
    r"|contraindicated|avoid(?:ed)?|withheld|stopped|excluded|forbidden|prohibited|unsafe|dangerous"
    r"|ineffective|useless)\b"
    r"|\s*[:–—-]+\s*(?:true or false|false|wrong|a myth|really\?|no\b)"
    # "should the drug fail", and what is behind a stop and names an exception
    r"|\s*,?\s+(?:should|were|had) (?:the|an?|any|this|these|that|your?|it|they|he|she|there|his"
    r"|her"
    r"|their|symptoms|bleeding|pain|treatment)\b"
    r"|\s*[,;–—-][^.;]*\b(?:(?<!without )(?<!no )(?<!for )exceptions?|excepted|excluded)\b",
    re.IGNORECASE,
)
# What begins another statement, a reason, a way or a picture leaves the quoted one as it is.
_GOES_ON_FREELY = compile_later(
    r"\s+(?:and|or|nor|because|since|so|whereas|while|then|by \w+ing|thus|where(?:by|upon)|through"
    r"|into|via|according|as (?:it|they|he|she|the|a|an|this|these|shown|expected|planned)|from the"
    r"|to the|below the|above the|behind|beneath|inside|with (?:an?|its|his|her|their"
    r"|the (?:help|aid|use|exception) of)\b)\b",
    re.IGNORECASE,
)
_NARROWED = compile_later(
    r"\s+(?:for(?! (?:example|instance))|when(?! (?:people|someone|somebody|you|an?)\b)|whenever"
    r"|than|without|unless|outside|beyond|against|always|together|alone"
    r"|once|twice|partly|mainly|mostly|sometimes|as soon as|as often as|even if"
    rf"|in (?:{_PEOPLE}|{_FEW}|the (?:first|last|early|late|short|long)(?! \d)|combination"
    r"|addition to|doses|amounts|high|low|moderate|the (?:sub)?groups?\b|one of|two of"
    r"|(?:about |around |nearly |roughly |only |just )?(?:one|two|three|half|a third|\d+)"
    r"(?: \w+)? (?:of|in|out of|per))"
    r"|during (?:the )?(?:first|last|second|pregnancy)"
    rf"|with (?:the|no|any|only|\w+-)|at (?:an?|one|two|three) (?:third|half|quarter|fifth|tenth"
    r"|fraction|multiple)s?\b|(?:more|less) \w+ly than"
    rf"|in {_NUMBER_WORD} (?:\w+ )?(?:of|in|out of|per)\b"
    r"|at (?!\d+ (?:\w+ )?(?:centres?|centers?|sites?|hospitals?"
    rf"|clinics?|schools?|universit\w+)\b)(?:{_AMOUNT}|doses|levels"
    r"|(?:normal|usual|higher|lower|therapeutic|standard) (?:dose|level)s?)"
    rf"|among (?:those|{_PEOPLE})|as an? (?:last|first|second|short|additional)"
    rf"|by (?:{_AMOUNT}|{_FEW})|{_FEW}"
    rf"|{_AMOUNT}|no (?:better|more|less|worse)|less and less|more and more"
    r"|the (?:earlier|later|sooner|longer|more|less|higher|lower|younger|older)"
    r"|from (?:the age|age|birth)|starting|beginning"
    rf"|of (?:{_PEOPLE}))\b",
    re.IGNORECASE,
)
_UNTIL = compile_later(r"\s*,?\s+until\b", re.IGNORECASE)
_WAS_HELD = compile_later(
    r"\b(?:was|were|has been|had been) (?:\w+ )?(?:standard|usual|common|customary|routine|thought"
    r"|believed|taught|considered|regarded|seen|hailed|deemed|held|well|healthy|free|allowed"
    r"|forbidden|treated|performed|used|given|done|practised|practiced|prescribed|the (?:treatment"
    r"|standard|rule))\b",
    re.IGNORECASE,
)
_BUT_NOT = compile_later(r"\s*,?\s+(?:but|though) not\b", re.IGNORECASE)
_TREATMENT = compile_later(
    r"\b(?:effective|good|better|best|useful|first|standard|preferred|safe|proven|recommended"
    r"|useless)"
    r"(?: [\w-]+)? (?:treatments?|remed(?:y|ies)|therap(?:y|ies)|cures?|drugs?|antidotes?)$",
    re.IGNORECASE,
)
_OF_WHAT = compile_later(r"\s+(?:of|for|against|in)\b", re.IGNORECASE)
# "from the eighth day on": when it begins, not where it comes from.
_FROM_THEN_ON = compile_later(
    r"\s+(?:from|starting|beginning)\b[^.;,]*\b(?:on|onwards?)(?:\s*[.;,]|\s*$)", re.IGNORECASE
)
# A comparison that breaks off before what is compared: "as much | as the old one".
_COMPARISON_OPEN = compile_later(
    r"\b(?:as \w+(?: as)?|more|less|fewer|rather|other|(?:high|low|great|few|small|long|short|larg"
    r"|fast"
    r"|slow|earli|old|young|strong|weak|rar|saf)er|better|worse)$",
    re.IGNORECASE,
)
# These narrow whatever is said; the rest of ``_NARROWED`` what can be limited.
_SURELY = compile_later(
    rf"\s+(?:in (?:about |around |nearly |roughly |only |just )?(?:{_NUMBER_WORD}|a third|\d+)"
    rf"(?: \w+)? (?:of|in|out of|per)|(?:more|less) \w+ly than"
    r"|at (?:an?|one|two|three) (?:third|half|quarter|fifth|tenth|fraction|multiple)s?\b"
    r"|when (?:given|taken|used|combined|applied|injected|inhaled"
    rf"|swallowed|eaten|caught)|than|without|unless|outside|beyond|against|always|alone|once"
    rf"|twice|partly|sometimes"
    rf"|as soon as|as often as|even if|no (?:better|more|less|worse)|less and less|more and more"
    rf"|from (?:the age|age|birth)|(?:in |at |by )?{_FEW})\b",
    re.IGNORECASE,
)
_OF_THE_QUOTE = compile_later(
    r"\s+(?:is|are|was|were|has|have|would|could|can|will|may|might|remains?|seems?)\b",
    re.IGNORECASE,
)
_TAKES_BACK = compile_later(
    r"\b(?:(?:shown|proved|proven|found|turns? out|turned out) (?:to be )?(?:wrong|useless|harmful"
    r"|ineffective|worthless|futile)|wrongly|mistaken(?:ly)?|incorrect(?:ly)?|false(?:ly)?|untrue"
    r"|unpublished|retracted"
    r"|withdrawn|disproved?|refuted|irrelevant|reverse causation|confound\w+|bias(?:ed)?|vanish\w*"
    r"|disappear\w*|speculat\w+|hypothesi[sz]\w+|asserts?|claims?|alleges?|myth|no difference"
    r"|(?:attributed|due) to chance|outdated|obsolete|superseded"
    r"|no longer (?:recommended|advised|used)"
    r"|no (?:greater|better|higher|lower|more|less) than|not (?:statistically )?significant"
    r"|did not (?:confirm|replicate|reproduce)|could not be (?:confirmed|replicated|reproduced)"
    r"|would have (?:us|you) believe|would like (?:us|you) to (?:think|believe)|trials disagree"
    r"|subject to|or so \w+(?: \w+)? (?:believe|think|claim|hope)"
    r"|never (?:been )?(?:confirmed|replicated|shown)|not (?:been )?(?:confirmed|replicated|shown"
    r"|proven)|(?<!found )(?<!discovered )(?<!detected )(?<!noticed )(?<!seen )by chance"
    r"|without (?:giving )?any (?:source|evidence|proof))\b"
    r"|\b(?:is|are|was|were|do|does|did|can|may|should|must) not\W*$",
    re.IGNORECASE,
)
_NO_LONGER = compile_later(
    r"\b(?:uncertain|unclear|(?<!cause is )(?<!cause remains )unknown|not known|disagree"
    r"|disappear\w*|vanish\w*|no longer"
    r"|not (?:after|when|in|for|with|if)|lost significance|only (?:in|when|if|for|with|after)"
    r"|reversed)\b",
    re.IGNORECASE,
)
_ANOTHER_STATEMENT = compile_later(
    r"\s*,\s*(?:and|but|so|because|since|as|whereas|while|though|yet|or)\b|\s*[;]", re.IGNORECASE
)
_RESTRICTS = compile_later(rf"\b{_FEW}\b", re.IGNORECASE)
_LIMIT = compile_later(
    r"\s+(?:(?:for|in|at|of|by|to|within|with)\s+)?(?:no more than|not more than|no longer than"
    r"|no less than|up to|at most|at least|less than|fewer than|more than|as little as|a maximum"
    r"|(?:above|below|beyond|under|over) [<>≤≥]?\d)",
    re.IGNORECASE,
)
_PERMITS = compile_later(
    r"\b(?:may|can|must|should|ought|have to|has to|allowed|permitted"
    r"|advised|recommended|encouraged|possible|safe|harmful|dangerous|necessary)\b",
    re.IGNORECASE,
)
_WHEN = compile_later(
    r"\s+(?:once|after|before|while|where|that|under|as (?:of|from))\b"
    r"|\s+from (?:the age|age|birth)\b|\s+(?:during|from|with|on)\b(?!\s+(?:an?|the|our|your"
    r"|their|its)\s)",
    re.IGNORECASE,
)
_JUDGES = compile_later(
    r"\b(?:safe|effective|recommended|advised|approved|licensed|indicated|allowed|permitted"
    r"|possible|needed|necessary|required|enough|sufficient|useful|rare|common|mild|harmless"
    r"|encouraged|helpful|unnecessary|contraindicated|beneficial|tolerated|adequate|appropriate"
    r"|preferred|available|reliable|accurate|curable|fatal|superior|inferior|equivalent|benign"
    r"|malignant|dangerous|harmful|(?:treatment|drug|test|method|therapy|agent) of choice"
    r"|appl(?:ies|y)|holds?(?: true| good)?|valid|limited|restricted|confined|reserved)$",
    re.IGNORECASE,
)
_FOR_WHOM = compile_later(
    r"\s+(?:in|for|during|with|without|at|within|after|before|until|outside|from|as|among|on|under"
    r"|when|where|to|over)\b(?!\s+(?:in\s+)?(?:19|20)\d\d)",
    re.IGNORECASE,
)
_NEGATED = compile_later(rf"\b{_NEGATES}\b|\b(?:few|unable|fails?|failed)\b", re.IGNORECASE)
_OF_PEOPLE = compile_later(rf"\b{_PEOPLE}\b", re.IGNORECASE)
_WHICH_PEOPLE = compile_later(
    r"\s+(?:with(?! (?:an?|the|its|his|her|their)\b)|without|who|whom|whose|aged|taking)\b",
    re.IGNORECASE,
)
_ENDS_IN_PEOPLE = compile_later(
    r"\b(?:patients|people|persons|women|men|children|adults|infants|babies|newborns|adolescents"
    r"|individuals|those)$",
    re.IGNORECASE,
)
_MADE_FOR_THEM = compile_later(
    r"\s+(?:weighing|(?:un)?able to|capable of|incapable of|eligible|ineligible|willing|(?:un)?fit"
    r" (?:for|to|enough)|(?:un)?suitable for|receiving|undergoing|having|known to|suspected of"
    r"|(?:older|younger|heavier|lighter) than|at (?:low|high|risk)"
    rf"|of (?:\d+|{_NUMBER_WORD}|twelve|school|childbearing|reproductive|at least))\b",
    re.IGNORECASE,
)
_OF_A_DOSE = compile_later(r"\b(?:maximum|minimum|dos(?:e|es|age)|limit)\b", re.IGNORECASE)
_IS_A_SIGN = compile_later(
    r"\b(?:suggests?|indicates?|points? (?:to|towards?)|confirms?|implies|imply|establish(?:es)?"
    r"|is diagnostic of|are diagnostic of)\b",
    re.IGNORECASE,
)
_WITH_WHAT_ELSE = compile_later(
    r"\s+(?:when(?:ever)?|if|where|once|provided|in the (?:presence|absence) of|(?:together|along)"
    r" with|in combination with)\b",
    re.IGNORECASE,
)
# When something happened limits nothing: "reduced deaths by 73 % | between 2000 and 2018".
_YEAR = r"(?:1[5-9]|20)\d\d"
_PERIOD = compile_later(
    rf"\s+(?:(?:between|from) {_YEAR} (?:and|to|until) {_YEAR}|in {_YEAR}|(?:over|during|in|within)"
    r" the (?:last|past|previous) (?:(?:\w+|\d+) )?(?:decades?|years|century|centuries))"
    r"(?: in (?:the )?(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*){0,3}| worldwide| globally)?\s*",
    re.IGNORECASE,
)
# What is denied of one way to do something is not denied of all.
_IN_A_WAY = compile_later(
    r"\s+(?:by (?!the (?:authors?|panel|committee)\b)\w+|through|via|into|as (?:an?|the"
    r"|\w+-line))\b",
    re.IGNORECASE,
)
_COMPARED = compile_later(r"\b(?:as|more|less|rather|\w+er|twice|same|fewer)\b", re.IGNORECASE)
_THAN = compile_later(r"\s+(?:than|as)\b", re.IGNORECASE)
# "is better | studied than tolerated": the word belongs to what follows.
_OF_WHAT_FOLLOWS = compile_later(
    r"\b(?:is|are|was|were|be|been) (?:better|worse|best|least|well|poorly|badly|highly|ill)$",
    re.IGNORECASE,
)
_A_PARTICIPLE = compile_later(r"\s+\w+(?:ed|en|wn|ood|ught|nt|ble|ful|ive)\b", re.IGNORECASE)
# "advises bed rest | be avoided": what is quoted is the subject of what is advised.
_IS_TO_BE = compile_later(r"\s+(?:(?:not|never) )?be \w+", re.IGNORECASE)
_AWAITS_BE = compile_later(
    r"\b(?:should|must|may|can|cannot|could|will|would|might|ought to|has to|have to|to|not|n['’]t"
    r"|never|also|always|only)$",
    re.IGNORECASE,
)
# "means a clot | or infection": one of several is not what it means.
_MEANS = compile_later(
    r"\b(?:means?|indicates?|signals?|proves?|confirms?|diagnoses|is diagnostic of|is a sign of"
    r"|are signs of|stems? from|results? from|(?:is|are) (?:always )?(?:due to|caused by"
    r"|a result of"
    r"|treated (?:with|by)))\b",
    re.IGNORECASE,
)
_MAY = compile_later(r"\b(?:may|can|might|could|often|usually|sometimes)\b", re.IGNORECASE)
_OR_ELSE = compile_later(r"\s*,?\s+or\b(?! (?:so|other \w+|similar)\b)", re.IGNORECASE)
_DANGLES = compile_later(
    r"\b(?:not|no|never|without|than|to|of|by|a|an|the|from|with|less|more|likely|unlikely|often"
    r"|mainly|only|nearly|almost|either|between|both)$",
    re.IGNORECASE,
)
_SENTENCE = compile_later(r"[.!?](?=\s|$)|\n\s*\n|\n(?=[ \t]*[-–*•·A-Z\d])")


def words_cut_off_before_and_behind(text: str, start: int, end: int) -> tuple[str, str]:
    """What a range of a text was cut off from, in front of it and behind it; empty if it says by
    itself what it says in its sentence.

    Part of its first or last word; a digit, sign, unit or bound of its number; a comparison; a
    negation, doubt, condition or exception; a word that narrows its subject; the rest of a
    prohibition; the line above a list that denies its items; a verdict in the cell or the heading
    beside it.
    """
    quote = text[start:end]
    before, after = text[max(0, start - _NEAR_FRONT) : start], text[end:]
    language = language_of_sentence(f"{_begun(before)}{quote}{_rest_of_sentence(after)}")
    front = (
        _in_front(before, quote, language)
        or heading_of_list_that_denies_item(before)
        or denial_in_front_or_column_head(text[:start], quote)
        or denial_in_heading_above(text[:start], quote)
    )
    return front, _behind(quote, after, language)


def _begun(before: str) -> str:
    """What the sentence in which a text ends says so far."""
    return before[max((stop.end() for stop in _SENTENCE.finditer(before)), default=0) :]


def _rest_of_sentence(after: str) -> str:
    stop = _SENTENCE.search(after)
    return after[: stop.start()] if stop else after


def _in_front(before: str, quote: str, language: Language) -> str:
    part = re.search(rf"(?:{_INSIDE}|(?<={_INSIDE})[{_JOINT}.,·](?:\n\s*)?)+\Z", before)
    first = quote[:1]
    if part and first.isalnum() and _belongs(part[0], first):
        return part[0]
    if first.isdigit() and before.endswith((".", "·")) and not before[-2:-1].isspace():
        return before[-1]
    if before[-1:].isalnum() and re.match(r"[-\u2010-\u2015\u2212]\d", quote):
        # "-5 mg" taken from "3-5 mg" is not a negative number.
        return part[0] if part else before[-1]
    if first.isdigit() and not _LISTED.search(before):
        compared = _COMPARES.search(before)
        if compared:
            return before[compared.start() :].lstrip()
    if first.isupper() and "\n" in before[len(before.rstrip()) :]:
        return ""
    if _LISTED.search(before):
        # What the item before says is no part of this one.
        return ""
    if language != "en":
        return _shown_front(
            limiting_words_of_sentence_before_quote(language, _begun(before), quote), 0
        )
    clause = before[max((one.end() for one in _CLAUSE.finditer(before)), default=0) :]
    words = list(_WORDS.finditer(clause))
    for word in words[-_NEAR:]:
        if _NEAR_NEGATION.search(word[0]) and not _NEW_CLAUSE.search(clause, word.end()):
            return clause[word.start() :]
    if _SHARE.match(quote) and (bound := _BOUND.search(before)):
        return before[bound.start() :]
    if words and _NARROWS.search(words[-1][0]) and not clause[words[-1].end() :].strip():
        return clause[words[-1].start() :]
    return _of_the_sentence(before, clause, quote)


def _of_the_sentence(before: str, clause: str, quote: str) -> str:
    """What the sentence says before the quote that denies, doubts, hedges or narrows it."""
    sentence = _begun(before)
    if not sentence.strip():
        return ""
    if _QUESTION.search(sentence):
        return _shown_front(sentence, 0)
    if not _SURE.search(sentence) and not _OUR_OWN_WORD.search(sentence):
        if claimed := _CLAIMED.search(sentence):
            return _shown_front(sentence, claimed.start())
        for doubt in _DOUBTS.finditer(sentence):
            if _LEADS_TO_QUOTE.match(sentence, doubt.end()):
                return _shown_front(sentence, doubt.start())
    if re.search(r"\bcontrary to\b[^.;]*,\s*$", sentence, re.IGNORECASE):
        return _shown_front(sentence, 0)
    if _DENIED_AT_ONCE.search(sentence):
        return _shown_front(sentence, 0)
    if (label := _LABEL.search(sentence)) and is_denying_title(label[1]):
        return _shown_front(sentence, 0)
    if does_beginning_limit_quote(sentence, quote) or do_words_before_quote_name_population(
        sentence, quote
    ):
        return _shown_front(sentence, 0)
    phrase = phrase_in_front_of_quote_with_comma(sentence, quote)
    if phrase and (_FRONTED.search(phrase) or does_beginning_limit_quote(phrase, quote)):
        return _shown_front(sentence, 0)
    if quote[:1].isupper():
        return ""
    if hedged := _HEDGED.search(sentence):
        return _shown_front(sentence, hedged.start())
    if _FRONTED.search(sentence):
        return _shown_front(sentence, 0)
    last = max((one.end() for one in _NEW_CLAUSE.finditer(clause)), default=0)
    if (subject := _SUBJECT.search(clause, last)) and len(_WORDS.findall(clause[last:])) <= 12:
        return clause[subject.start() :]
    if modifies := _MODIFIES.search(clause):
        return clause[modifies.start() :].lstrip()
    return ""


def _shown_front(sentence: str, start: int) -> str:
    words = sentence[start:].lstrip()
    return words if len(words) <= _LONGEST_SHOWN else words[-_LONGEST_SHOWN:]


def _belongs(part: str, first: str) -> bool:
    """Whether what comes before is part of the same word or number, and not punctuation."""
    last = part.rstrip()[-1]
    if last in ".,·":
        return first.isdigit() and part.rstrip()[-2:-1].isdigit() and part[-1] == last
    return True


def _behind(quote: str, after: str, language: Language) -> str:
    if not after:
        return ""
    if (verdict := denial_in_next_cell(quote, after)) is not None:
        return verdict
    last = quote[-1:]
    part = re.match(rf"(?:{_INSIDE}|[{_JOINT}](?:\n\s*)?(?={_INSIDE}))+", after)
    if part and last.isalnum():
        return part[0]
    if last.isdigit():
        number = _THEN_SIGN.match(after) or _THEN_UNIT.match(after) or _THEN_PER.match(after)
        if number:
            return re.match(r"\s*\S+", after)[0]  # type: ignore[index]
        if re.match(r",\d{3}", after):
            return after[:4]
    elif re.search(r"\d,$", quote) and (group := re.match(r"\s?\d{3}\b", after)):
        return group[0]
    elif _ENDS_IN_UNIT.search(quote):
        per = _THEN_PER.match(after)
        if per:
            return per[0]
    if last in ".!?:;":
        return ""
    if asked := QUESTIONED.match(after):
        return asked[0]
    rest = _rest_of_sentence(after)
    if is_count_cut_from_base(quote, rest):
        return _shown_behind(rest)
    if language == "en":
        if _PERIOD.fullmatch(rest) or is_cause_called_unknown(rest):
            return ""
        needed = (
            does_figure_need_rest(quote, rest)
            or _needs(quote, rest)
            or does_rest_limit_quote(quote, rest)
            or is_named_act_narrowed_by_words_after(quote, rest)
            or does_sentence_rest_limit_quote(
                quote, rest, is_claim=is_claim_that_can_be_limited(quote)
            )
        )
    else:
        needed = does_rest_of_sentence_limit_quote(language, quote, rest)
    return _shown_behind(rest) if needed else ""


def _needs(quote: str, rest: str) -> bool:
    """Whether a quote needs the ``rest`` of its sentence to say what the sentence says."""
    if _CONDITION.match(rest) or (_LIMIT.match(rest) and is_claim_that_can_be_limited(quote)):
        return True
    if _UNTIL.match(rest) and _WAS_HELD.search(quote):
        return True
    if (_UNTIL.match(rest) or _BUT_NOT.match(rest)) and is_claim_that_can_be_limited(quote):
        return True
    number = _ENDS_IN_NUMBER.search(quote) and not _ENDS_IN_YEAR.search(quote)
    if number and _THEN_MORE_NUMBER.match(rest):
        return True
    if _ENDS_IN_UNIT.search(quote) and _THEN_BOUND.match(rest):
        return True
    if _BETWEEN.search(quote) and re.match(r"\s+and\b", rest):
        return True
    if _TAKES_BACK.search(rest) and not _ANOTHER_STATEMENT.match(rest):
        return True
    turns = re.match(r"\s*,\s*but\b", rest) and not _BUT_NOT.match(rest)
    if turns and _NO_LONGER.search(rest):
        return True
    return bool(re.match(r"\s+\w", rest)) and _is_narrowed(quote, rest)


# The whole quote is the subject: "… need antibiotics | is a common misconception".
_IS_CALLED_UNPROVED = compile_later(
    r"\s+(?:is|was|remains?|has been|proved(?: to be)?|turned out to be)"
    r"(?: \w+ly| now| still| just)? (?:"
    r"(?:an?|the|one|another|our|their) (?:[\w-]+ ){0,2}(?:myths?|misconceptions?|fallacy"
    r"|fallacies|superstition|rumou?r|legend|misunderstanding|hypothesis|assumption|speculation"
    r"|old wives['’] tale|hoax|untruth|falsehood)|untrue|false|a lie|not true)\b(?!-)",
    re.IGNORECASE,
)


def _is_narrowed(quote: str, rest: str) -> bool:
    """Whether the words that follow without a stop limit what the quote says."""
    if _DANGLES.search(quote):
        return True
    if _IS_CALLED_UNPROVED.match(rest) and len(quote.split()) > 2:
        return True
    if _IS_TO_BE.match(rest) and not _AWAITS_BE.search(quote):
        return True
    if _OF_WHAT_FOLLOWS.search(quote) and _A_PARTICIPLE.match(rest):
        return True
    clause = quote[max((one.end() for one in _CLAUSE.finditer(quote)), default=0) :]
    tail = clause[max((one.end() for one in _NEW_CLAUSE.finditer(clause)), default=0) :]
    if _JUDGES.search(quote) and _FOR_WHOM.match(rest):
        return True
    if _THAN.match(rest) and _COMPARISON_OPEN.search(quote):
        return True
    if _FROM_THEN_ON.match(rest):
        return is_claim_that_can_be_limited(quote)
    if _TREATMENT.search(quote) and _OF_WHAT.match(rest):
        return True
    if _ENDS_IN_PEOPLE.search(quote) and _MADE_FOR_THEM.match(rest):
        return is_claim_that_can_be_limited(quote) or _OF_A_DOSE.search(quote) is not None
    if _IS_A_SIGN.search(tail) and _WITH_WHAT_ELSE.match(rest):
        return True
    if _PERMITS.search(tail) and _WHEN.match(rest):
        return True
    if _NEGATED.search(tail) and _IN_A_WAY.match(rest):
        return True
    if _MEANS.search(tail) and not _MAY.search(quote) and _OR_ELSE.match(rest):
        return True
    if _GOES_ON_FREELY.match(rest) and not re.match(r"\s+with\b.*\bneither\b", rest):
        return False
    if _NARROWED.match(rest) and (_SURELY.match(rest) or is_claim_that_can_be_limited(quote)):
        return True
    if _OF_THE_QUOTE.match(rest):
        # A whole statement is the subject of another one: "… are cancerous | is a fear"; a subject
        # alone states nothing.
        return _OF_THE_QUOTE.search(quote) is not None
    if _NEGATED.search(tail):
        return True
    if _OF_PEOPLE.search(quote) and _WHICH_PEOPLE.match(rest):
        return True
    if _RESTRICTS.search(re.split(r"[.;]", rest)[0]):
        return True
    return bool(_THAN.match(rest) and _COMPARED.search(" ".join(quote.split()[-4:])))


def _shown_behind(rest: str) -> str:
    stop = re.search(r"[;,](?=\s)", rest[1:])
    words = rest[: stop.start() + 1] if stop and rest[:1] != "," else rest
    return words if len(words) <= _LONGEST_SHOWN else words[:_LONGEST_SHOWN].rsplit(" ", 1)[0]
