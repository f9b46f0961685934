"""What a doctor's message asks for, read tolerantly: case, Markdown, quotes, brackets, lists.

A diagnosis that is really given ends the visit and takes precedence over requests in the same text;
if there are several, the last counts. Otherwise the first request decides, and all tests in the
text go together. A keyword that is only mentioned ("I will write DIAGNOSIS READY when I am sure")
does not count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from medlens.deferred_regex import compile_later
from medlens.llm.not_knowing_phrases import IDK, IDK_WHOLE
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer


@dataclass(frozen=True)
class Say:
    """Something said to the patient."""

    text: str


@dataclass(frozen=True)
class RequestTest:
    """Tests asked for, as named; empty if the text names none."""

    text: str
    tests: tuple[str, ...]


@dataclass(frozen=True)
class RequestImages:
    """The doctor asks to see the images."""

    text: str


@dataclass(frozen=True)
class Diagnosis:
    """The doctor's diagnosis, extracted from the text around it."""

    text: str
    diagnosis: str


Reply = Say | RequestTest | RequestImages | Diagnosis

_LONGEST, _SENTENCE = 300, 400
_MARKS = r"[\s*_\"'`“”‘’«»#>~$]*"
_KEYWORD = compile_later(
    r"(?P<diagnosis>diagnosis[\s_*-]*ready)|(?P<test>request(?:ing)?[\s_*-]*tests?)"
    r"|(?P<images>request(?:ing)?[\s_*-]*(?:the[\s_]+)?images?)",
    re.IGNORECASE,
)
_SEPARATOR = compile_later(rf"{_MARKS}(?:[:：=→]|[-=]>|[-–—](?=\s)){_MARKS}")
# After a keyword in capitals these separate too: "DIAGNOSIS READY. Gout".
_STOP = compile_later(rf"{_MARKS}[.!,]{_MARKS}(?=[^\s.!,])")
# Ends of a sentence; not after a single letter (C. difficile) or a shortened word (St. Vitus'
# dance), nor before a lower-case word.
_END = compile_later(
    r"(?<![A-Z])(?<!\b[A-Za-z])(?<!\b[Ss]t)(?<!\bvs)(?<!\bDr)[.!?][\"'*_”’)]*\s+"
    r"(?=[A-Z\"'“*(])|\n"
)
_EXCLUDED_FIRST = compile_later(
    r"[^.;,:\n]{1,80}? (?:is|was|seems|looks) (?:\w+ )?(?:unlikely|less likely|excluded|ruled out)"
    r"\s*(?:[.;,]|[-–—]\s)\s*(?:(?:and|but|so|rather|instead),? )?"
    r"(?=(?:this|it|that|the diagnosis|the patient|I)\b)",
    re.IGNORECASE,
)
"""What it is not, before what it is: "Lupus is unlikely; this is Lyme disease"."""
_EXCLUDED = compile_later(
    r"[^.;,:\n]{1,80}? (?:is|was|seems|looks) (?:\w+ )?(?:unlikely|excluded|ruled out)",
    re.IGNORECASE,
)
"""What it is not, and nothing else."""
# A line that ends or begins like this is only half of the diagnosis.
_HALF = compile_later(
    r"(?:[,/&(+–-]|\b(?:of|with|and|or|due to|secondary to|caused by|in|the|by))[ \t]*\Z",
    re.IGNORECASE,
)
_OTHER_HALF = compile_later(r"(?:with|due to|secondary to|caused by|complicated by)\b")
_NOT_MEANT = compile_later(
    r"\b(?:will|would|shall|once|when|before|until|unless|not|can't|cannot|unable|if|in order to"
    r"|(?:could|might|may|can) (?:now |already |just )?(?:say|write|give|state|answer)"
    r"|going to|please (?:use|write|say|give)|should (?:you|i))\b",
    re.IGNORECASE,
)
_NOT_HAD = compile_later(
    r"\b(?:no|close to|near(?:ly)?|almost|far from|approaching)[ \t*_\"'“‘`]*$"
    r"|n['’]t (?:\w+ )?(?:have|see|feel|reach|make|give|think)\b(?: [\w'’]+){0,4}[ \t*_\"'“‘`]*$",
    re.IGNORECASE,
)
"""In front of the keyword: it is spoken of, not used."""
_NOT_YET = compile_later(
    r"\s+(?:once|when|if|yet|until|unless|but|after|before|as soon as|for now|at this|so far"
    r"|will (?:follow|come|be)|(?:is|was) (?:near|close|not|still|almost|coming|pending))\b"
)
"""Behind it, without a separator: the same."""
_SENTENCE_START = compile_later(r"[.!?:;]\s|\n")
_BRACKETS = {
    "[": "]",
    "{": "}",
    "<": ">",
    "(": ")",
    "【": "】",
    "「": "」",
    "『": "』",
    "⟨": "⟩",
    "‹": "›",
}
_DRESSING = compile_later(
    r"</?(?:b|i|u|em|strong|mark|span|p|br|code|diagnosis|answer)\b[^<>]{0,40}>"
    r"|\\(?:boxed|text(?:bf|it)?|mathrm|mathbf)(?=\s*\{)",
    re.IGNORECASE,
)
_SUBJECT = r"(?:this|it|that|she|he|they|you|(?:the |this |my |your |our )?(?:patient|child|baby))"
_LIKELY = r"(?:most |very |quite )?(?:likely|probably|possibly|clearly|certainly|definitely)\s+"
_LEAD_IN = compile_later(
    r"(?:(?:my|the|your|final|most likely|likely|working|primary|patient's)\s+)*diagnosis\s*"
    r"[\"'”*_]*\s*(?:is\b\s*:?|:|would be\b|[-–—]\s)[\s\"'“*_]*"
    r"|(?:I|we)(?:'d| have| can| would|'m| am| are)?(?: \w+ly| now)? (?:diagnosed?|reached|made"
    r"|arrived at|settled on|go(?:ing)? with|favou?r|suggest|calling|call)"
    r"(?: (?:this|it|the patient|him|her|you))?(?: (?:as|with))?(?: (?:a|the) diagnosis of)?\s+"
    r"|(?:a|the) diagnosis of\s+"
    # "The diagnosis that best fits is", "Your symptoms are caused by", "Everything points to"
    r"|(?:the|your|his|her|my|all|everything|these|those|what (?:you|he|she"
    r"|they)) ?[^.;:,\n]{0,80}?"
    r"\b(?:(?:is|are|must be|would be) (?:best |most likely |likely |probably |all )?(?:caused by"
    r"|due to|explained by|consistent with|compatible with|typical of|suggestive of|the result of)"
    r"|points? to(?:wards?)?|suggests?|indicates?|best fits (?:is|are)|fits best (?:is|are))\b:?\s+"
    # "The most probable cause of her symptoms is"
    r"|(?:the |my )?(?:most |single |more )?(?:likely|probable|plausible|fitting|underlying"
    r"|root)?\s*"
    r"(?:cause|explanation|reason|condition|disease|disorder|illness|answer)\s"
    r"(?:(?:of|for|behind|underlying) [^.,;:]{1,80}? )?(?:is|must be|would be|seems to be"
    r"|appears to be)"
    r"\b:?\s+(?:most likely |probably |likely )?"
    # "I believe that this is", "In my opinion, the patient most likely has"
    r"|(?:in my (?:opinion|view|judge?ment),?\s+|based on [^.,;]{1,160},\s+|given [^.,;]{1,160},\s+"
    r"|(?:I|we)(?:'m| am| are)? (?:\w+ly )?(?:now |quite |very )?(?:believe|think|suspect|conclude"
    r"|am certain|am confident|confident|certain|sure|would say|consider)(?: that)?:?\s+)"
    r"(?=[^\s])"
    rf"|(?:it|this|that|she|he)['’]s (?:{_LIKELY})?(?:most |quite )?(?:consistent with"
    r"|compatible with|suggestive of|in keeping with|typical of|a case of)\s+"
    rf"|{_SUBJECT} (?:{_LIKELY})?(?:has|have|had|is|are|is suffering from|suffers from"
    rf"|is experiencing|presents with|(?:appears|seems|looks) (?:to (?:have|be|suffer from)|like)"
    rf"|must (?:have|be)|looks like|points? to|fits|matches)\b:?\s+"
    rf"(?:{_LIKELY})?(?:a (?:typical |classic )?case of |suffering from |consistent with "
    r"|due to |diagnosed with )?"
    r"|(?:a (?:typical |classic )?case of|consistent with|(?:most |very |highly )?likely|presumably"
    r"|probably|in keeping with)\s+",
    re.IGNORECASE,
)
_NOW = (
    r"(?:[\s,;–-]+(?:at (?:this|the) (?:time|point|stage|moment)|at present|yet|so far|for now"
    r"|currently|presently|still|without [^.]{1,80}|until [^.]{1,80}|pending [^.]{1,80}"
    r"|based on [^.]{1,120}|from [^.]{1,120}|with [^.]{1,120}|due to [^.]{1,120}"
    r"|because [^.]{1,120}|as [^.]{1,120}))*"
)
_NO_DIAGNOSIS = (
    r"none(?: (?:of (?:the above|these|them)|yet|made|given|possible))?",
    r"nil|null|nothing|unclear|uncertain|unsure|undetermined|undecided|undefined|unspecified",
    r"undiagnosed|indeterminate|inconclusive|deferred|undeterminable|indeterminable"
    r"|not (?:yet |currently )?(?:determinable|identifiable|diagnosable|inferable)",
    r"unknown(?: (?:diagnosis|cause|condition|disease|illness|a?etiology))?",
    r"(?:not|can(?:not|'t| not) be|could not be) (?:yet |currently |definitively |fully )?"
    r"(?:known|determined|established|clear|certain|available|made|sure|possible|diagnosed|reached"
    r"|confirmed|ready|decided|given|provided|applicable)",
    r"no (?:clear |definite |definitive |specific |final |single |firm |conclusive )?"
    r"(?:diagnos[ie]s|answer|conclusion|idea)(?: (?:can be|could be|was|is|has been)? ?(?:yet|made"
    r"|possible|reached|given|established|determined|available|at all))?",
    r"to be (?:determined|confirmed|decided|established)",
    r"insufficient (?:information|data|evidence)(?: (?:to|for) [^.]{1,80})?",
    r"(?:more|further|additional) (?:information|tests?|testing|data|work-?up|evaluation"
    r"|investigations?)(?: (?:is|are))? (?:needed|required|necessary|pending)(?: [^.]{1,80})?",
    r"i (?:do not|don't|really don't) know(?: [^.]{1,80})?",
    r"(?:awaiting|waiting for|pending) [^.]{1,120}",
    r"(?:the )?(?:diagnosis|diagnoses|picture|clinical picture|differential|case|cause|decision"
    r"|assessment|evaluation|work-?up|investigations?|aetiology|etiology)"
    r"(?: (?:is|are|remains?|stays?))?(?: (?:still|currently|as yet|yet))*"
    r" (?:deferred|postponed|pending|incomplete|unclear|(?:wide |very |too )?(?:open|broad)|ongoing"
    r"|outstanding|uncertain|undetermined|unresolved|undecided|withheld|not (?:yet )?\w+)"
    r"(?: [^.]{1,100})?",
    r"(?:not|too little|nothing) (?:enough )?(?:\w+ )?to go on(?: [^.]{1,80})?",
    r"(?:it |this )?(?:could|may|might) (?:still )?be (?:due to )?(?:several|many|various|multiple"
    r"|a number of|any of|one of (?:several|many)|different)\b[^.]{0,120}",
    r"(?:several|many|various|multiple|too many) (?:possible )?(?:conditions|diseases|diagnoses"
    r"|possibilities|causes|explanations)\b[^.]{0,100}",
    r"(?:we |i )?(?:refuse|decline|hesitate|prefer not) to \w+[^.]{0,120}",
    r"(?:i|we) (?:won['’]?t|will not|would not|wouldn['’]?t) (?:commit|say|guess|name|diagnose"
    r"|speculate)\b[^.]{0,120}",
    r"(?:no|without) (?:\w+ ){0,3}(?:conclusion|commitment|consensus|unifying diagnosis)\b"
    r"[^.]{0,80}",
    r"(?:faltan?|mancan?o?|fehlen|es fehlen|manquent?|il manque|ontbreken|ontbreekt)\b[^.]{1,80}"
    r"|bilan (?:à|en|in)\b[^.]{0,40}|por (?:determinar|definir|confirmar|aclarar)"
    r"|da (?:determinare|definire|chiarire|confermare)|à (?:déterminer|préciser|confirmer)"
    r"|a (?:determinar|definir|esclarecer|confirmar)|noch (?:offen|ausstehend|zu klären)"
    r"|nog (?:onbekend|onduidelijk|niet \w+|te bepalen)|onbekend|onduidelijk",
    r"(?:i|we)(?: am|'m)? (?:cannot|can not|can't|could not|couldn't|unable to|not able to"
    r"|not yet able to)(?! (?:exclude|rule out))[^.]{1,160}",
    r"(?:unable to|cannot) [^.]{1,120}",
    r"keine (?:\w+ )?diagnose(?: [^.]{1,60})?|unklar|unbekannt|noch nicht bekannt",
    r"(?:sin|ning[uú]n|no hay) diagn[oó]stico(?: [^.]{1,60})?|desconocid[oa]",
    r"(?:pas de|aucun) diagnostic(?: [^.]{1,60})?|inconnue?",
    r"(?:it is |it's )?(?:hard|difficult|impossible|too (?:early|soon)) to (?:say|tell|know"
    r"|determine|diagnose|be (?:sure|certain))(?: [^.]{1,60})?|depends on [^.]{1,80}"
    r"|non-?diagnostic",
    r"en attente(?: [^.]{1,60})?|no se (?:puede|sabe)[^.]{0,60}|(?:imposible|impossibile|impossible"
    r"|impossível) (?:de |di |à )?\w[^.]{0,60}|on ne (?:peut|sait)[^.]{0,60}"
    r"|não (?:é possível|se pode|sei)[^.]{0,60}|non (?:è possibile|si può)[^.]{0,60}"
    r"|schwer zu sagen|kann (?:noch )?nicht [^.]{1,60}|无|無|なし|없음",
    r"(?:still )?(?:under|in) (?:investigation|evaluation|review|work-?up|observation|progress"
    r"|process|clarification)|(?:results? |work-?up |diagnosis )?(?:to follow|ongoing|outstanding)"
    r"|(?:it )?(?:could|may|might) be (?:anything|many things|several things)",
    r"недостаточно [^.]{1,60}|in abklärung|in arbeit|en cours(?: [^.]{1,40})?|en proceso",
    r"no|not yet|not now|not (?:ready|there) yet|noch (?:nicht|unklar)(?: [^.]{1,60})?",
    r"pas encore(?: [^.]{1,60})?|ind[ée]termin[ée]e?|indeterminad[oa]|unbestimmt|nicht bestimmbar",
    r"todav[ií]a no(?: [^.]{1,60})?|non determinat[oa]|sconosciut[oa]|desconhecid[oa]|неизвестн\w+",
    r"не (?:определ|установлен|ясн|извест)[^.]{0,60}",
    r"(?:目前|暂时|暫時|现在|現在)?(?:还|還|仍)?(?:无法|無法|不能|未能)(?:明确|明確|确|確|诊|診|判|做出)?[^。.]{0,40}",
    r"(?:诊断|診斷|診断)?(?:尚|还|還|まだ)?(?:未知|未明|未定|未确诊|未確診|不明|不详|不詳|不清楚|不确定|不確定|待定|待查)"
    r"(?:です)?。?",
    r"(?:暂无|暫無|没有|沒有|無|なし)(?:明确|明確)?(?:诊断|診斷|診断)?。?",
    r"(?:まだ)?(?:診断)?(?:は|が)?(?:わかりません|分かりません|できません|つきません|未確定)。?",
    r"알 수 없[^.]{0,20}|미정|불명|모름|진단 불가[^.]{0,20}",
    r"غير (?:معروف|محدد|مؤكد|واضح)[^.]{0,40}|لا (?:أعرف|أعلم|يمكن|يوجد تشخيص)[^.]{0,40}",
)
_NOT_KNOWING = compile_later(
    r"(?:(?:the |a |my |final )*(?:diagnosis|cause|condition|disease|it)\s+(?:is|remains?)\s+)?"
    rf"(?:still\s+)?(?:{'|'.join(_NO_DIAGNOSIS)}){_NOW}[\s.!]*",
    re.IGNORECASE,
)
"""What stands where a diagnosis belongs and says that there is none."""
_A_PLAN = compile_later(
    # "I need more tests", "needs a biopsy": what is to be done, where a disease should stand.
    r"(?:I|we|you|he|she|they|(?:the |this )?(?:patient|case))"
    r"(?:'d| would| will|'ll| should| must)?(?: still| first| really| now)? (?:need|want|like"
    r"|have to|must|require|wait|await|order|ask|check|recommend)(?:s|ed)?\b"
    r"(?! (?:to )?(?:say|conclude|diagnose|go with|admit|assume|name|call|suspect))"
    r"|(?:needs?|requires?|awaits?|order|perform|obtain|let me|let us|let's|please|refer|get|do a"
    r"|recommend|ask|check)\b(?! (?:syndrome|disease))"
    r"|(?:more|further|additional) (?:\w+ )?(?:tests?|information|history|work-?up|investigations?"
    r"|data|imaging|evaluation)\b"
    r"|(?:necesito|se necesitan?|hacen? falta|se requieren?|ich (?:brauche|kann|muss|weiß)|weitere"
    r" (?:tests?|untersuchung|diagnostik|abklärung)\w*|mehr (?:informationen|tests?|daten)"
    r"|j'ai besoin|je (?:ne|n'|dois|peux)|il (?:me )?faut|ho bisogno|servono|preciso de"
    r"|нужн[оыа]|требу\w+|мне нужно)(?=\W|$)"
    r"|(?:目前|暂时|现在)?(?:尚|还[未没不需]|有待|待进一步|需要|需进一步|必须)"
    # What is still about the doctor, once "I believe this is" is taken off, names no disease.
    # In its own case: "ICH" is a bleeding in the brain.
    r"|(?-i:I(?:['’]\w+)?|[Ww]e|[Ss]orry|[Ii]ch|[Ww]ir|[Jj]e|[Nn]ous|[Ii]o|[Ee]u|[Яя]|[Мм]ы)"
    r"(?=[\s,])(?!\s(?:can(?:not|['’]t)|could not|couldn['’]t)\s(?:exclude|rule out))|[我私]"
    r"|(?:still|just|only) (?:thinking|considering|working|investigating|guessing)\b"
    r"|(?:will|shall) (?:be|follow|come|have|need|depend)\b"
    r"|(?:to )?follows? (?:after|once|when|soon)\b"
    r"|(?:after|before|until|pending) (?:the|your|my|our|an?|these|this|some|further|more|I|we)"
    r"\b(?!.*,)"
    r"|(?:once|when|as soon as|if) (?:the|your|my|our|an?|these|I|we|all)\b(?!.*,)"
    r"|(?:tomorrow|next (?:week|time|visit)|to be (?:announced|given|discussed))\b"
    r"|as (?:we |I |already |previously )*(?:discussed|mentioned|stated|said|agreed|explained)\b"
    r"|(?:still |it is |remains )*(?:unclear|uncertain|unknown|undetermined)\s*[,;–-]\s*"
    r"(?:possibly|perhaps|maybe|(?:could|may|might) be)\b"
    r"|(?:see|as|same as) (?:above|below|before|earlier)\b|no (?:clue|guess|thoughts?)\b"
    r"|(?:later|soon|wait|skip|stop|maybe|perhaps|t\.?b\.?[ca]\.?|to ?do|tba)[\s.!]*$"
    r"|[^。]{0,40}(?:待ち|必要です|必要がある|できません|できない|不可能|필요합니다|필요하다|불가능)",
    re.IGNORECASE,
)
_HEAD_AND_TAIL = compile_later(r"([^,;:(–—]*?)\s*(?:[,;:(–—]|\s-\s)\s*(.*)", re.DOTALL)
_TO_BE_DONE = compile_later(
    r"\b(?:tests?|testing|labs?|laborator\w+|work-?ups?|investigat\w+|imaging|scans?|MRI|CT"
    r"|X-?rays?"
    r"|ultrasound|biops\w+|cultures?|results?|evaluation|examinations?|information|history|data"
    r"|referral|refer|observation|follow-?up|consult\w*|monitor\w*)\b",
    re.IGNORECASE,
)
_NAMES_ONE_ALL_THE_SAME = compile_later(
    r"\b(?:likely|possibl[ey]|perhaps|suspect\w*|favou?rs?|favou?red|suggest\w*|consistent|consider"
    r"|differentials?|include[sd]?|versus|vs|or)\b",
    re.IGNORECASE,
)
_NEGATION = (
    r"(?:\b(?:no|non|not|without|ohne|kein\w*|nicht|pas|sans|aucun\w*|sin|ning[uú]n\w*|sem"
    r"|nenhum\w*"
    r"|senza|nessun\w*|geen|niet|ingen|brak|нет|без|не)\b|[无無没沒未不]|ません|없|لا|بدون)"
)
_DIAGNOSIS_WORD = r"(?:diagn|диагн|诊断|診斷|診断|진단|تشخيص)"
_DENIED = compile_later(
    # A negation and the word for diagnosis, in whatever language and order, and little else.
    rf"(?=(?:\w{{1,4}} )?(?:{_NEGATION}|{_DIAGNOSIS_WORD}))(?=.*{_DIAGNOSIS_WORD})(?=.*{_NEGATION})"
    r".{1,64}"
)
_AFTER_ALL = compile_later(
    r"\b(?:but|however|though|most likely|probably|best guess)\b", re.IGNORECASE
)
_EMPTY_LINE = compile_later(r"\A[\s*_#`]*\n\s*")
_IN_QUOTES = compile_later(r"[\"”']\s*[,;]\s*[\"“']")
_LISTED = compile_later(r"(?<![\w.])\(?(\d{1,2})[.)]\s+(?=\S)")
_POINT = compile_later(r"[-*•–]\s+(?=\S)")
# Placeholders by which the script, or a prompt like it, shows the form of the line.
_PLACEHOLDER = compile_later(
    r"[.…_\s-]*|n/?a|tbd|pending|x{1,3}"
    r"|(?:(?:your|the|an?|my|insert|enter|put|write|fill in|name(?: of)?|final|specific|exact|one"
    r"|single|suspected|most likely|likely)\s+)*"
    r"(?:diagnos[ie]s|disease|condition|tests?|name|answer)"
    r"(?:\s+(?:name|text|here|goes here|of the patient|to (?:be )?order(?:ed)?))*",
    re.IGNORECASE,
)


def parse_doctor_message(text: str) -> Reply:
    """What the doctor's message asks for; ``text`` keeps the whole text."""
    read = split_reasoning_from_answer(text).answer
    found = [match for match in _KEYWORD.finditer(read) if _meant(read, match)]
    ends = [*(match.start() for match in found[1:]), len(read)]
    for match, end in zip(reversed(found), reversed(ends), strict=False):
        if match.lastgroup == "diagnosis":
            diagnosis = _value(read, match, end)
            if diagnosis and not _is_placeholder(diagnosis) and not _is_no_diagnosis(diagnosis):
                return Diagnosis(text, diagnosis)
    kinds = [match.lastgroup for match in found if match.lastgroup != "diagnosis"]
    if not kinds:
        return Say(text)
    if kinds[0] == "images":
        return RequestImages(text)
    asked = [
        _value(read, match, end)
        for match, end in zip(found, ends, strict=False)
        if match.lastgroup == "test"
    ]
    asked = [part for value in asked for part in map(_bare, _IN_QUOTES.split(value))]
    named = [one for one in asked if one and not _is_placeholder(one)]
    return RequestTest(text, tuple(dict.fromkeys(named)))


def has_diagnosis_keyword(line: str) -> bool:
    """Whether this line has the keyword for the diagnosis."""
    return any(one.lastgroup == "diagnosis" for one in _KEYWORD.finditer(line))


def message_without_unfilled_diagnosis(text: str) -> str:
    """A message as it is heard: without an unfilled line for the diagnosis."""
    lines = text.split("\n")
    return "\n".join(
        line
        for line in lines
        if not any(
            one.lastgroup == "diagnosis"
            and _meant(line, one)
            and (
                not (value := _value(line, one, len(line)))
                or _is_placeholder(value)
                or _is_no_diagnosis(value)
            )
            for one in _KEYWORD.finditer(line)
        )
    ).strip()


def _meant(text: str, match: re.Match[str]) -> bool:
    """Whether the keyword is used: followed by a separator, or written in capitals."""
    capitals = match.group().upper() == match.group()
    if not (capitals or _SEPARATOR.match(text, match.end())):
        return False
    before = text[max(0, match.start() - _SENTENCE) : match.start()]
    if _NOT_HAD.search(before) or _NOT_YET.match(text, match.end()):
        return False
    starts = [end.end() for end in _SENTENCE_START.finditer(before)]
    return not _NOT_MEANT.search(before[starts[-1] if starts else 0 :])


def _value(text: str, match: re.Match[str], after: int) -> str:
    """The text between the keyword and ``after``: in brackets, a list, a sentence or a line."""
    separator = _SEPARATOR.match(text, match.end())
    if separator is None and match.group().isupper():
        separator = _STOP.match(text, match.end())
    rest = text[separator.end() if separator else match.end() : after]
    rest = _EMPTY_LINE.sub("", _DRESSING.sub("", rest[: 20 * _LONGEST])).lstrip()
    if excluded := _EXCLUDED_FIRST.match(rest):
        rest = rest[excluded.end() :]
    value, rest = _bracketed(rest)
    if not value:
        return _several(rest) or _bare(_first(rest))
    given = [value]
    while (next_one := rest.lstrip(" ,;/&"))[:1] in ("[", "{", "<"):
        other, rest = _bracketed(next_one)
        given.append(other)
    line = rest.partition("\n")[0]
    more = "" if line[:1] in set(".;,!") else re.sub(r"[\[\]{}]", "", _bare(_first(line)))
    remark = text[match.end() :].lstrip(" *_").startswith("(")
    if _is_placeholder(_bare(value)) or (remark and re.match(r"[\s*_]*[:=]\s*\S", line)):
        return _bare(more.lstrip(":= ")) if re.match(r"\s*[:=]", line) else ""
    value = "; ".join(_bare(one) for one in given)
    # "[Autoimmune] hepatitis" means both words; a new sentence is not part of it.
    return _several(value) or _bare(
        f"{value} {more}" if more[:1].islower() or more[:1] == "(" else value
    )


def _bracketed(rest: str) -> tuple[str, str]:
    """The content of the innermost brackets at the beginning, and what follows; "" without."""
    marks = re.match(_MARKS, rest)
    at = marks.end() if marks else 0
    opened = rest[at : at + 1]
    closed = _BRACKETS.get(opened, "")
    if not closed:
        return "", rest
    depth = 0
    for place in range(at, min(len(rest), at + 2 * _LONGEST)):
        depth += (rest[place] == opened) - (rest[place] == closed)
        if depth == 0:
            inner = rest[at + 1 : place].strip()
            within, beyond = _bracketed(inner)
            whole = within if within and not _bare(beyond) else inner
            return " ".join(whole.split()) or "…", rest[place + 1 :].lstrip("*_\"'`“”‘’«»")
    return "", rest[at + 1 :]


def _first(rest: str) -> str:
    """The first sentence or line, and the next if the line breaks off in the middle."""
    at = 0
    while end := _END.search(rest, at):
        before, behind = rest[: end.start()], rest[end.end() :].lstrip()
        if end.group() != "\n" or not (_HALF.search(before) or _OTHER_HALF.match(behind)):
            return before
        at = end.end()
    return rest


def _several(rest: str) -> str:
    """The diagnoses of a list (``1. Lyme 2. SLE``, or dashes line by line); "" if there is none."""
    found = list(_LISTED.finditer(rest[: 4 * _LONGEST]))
    if found and found[0].start() == 0:
        numbered = found[:1]
        for one in found[1:]:
            if int(one[1]) == int(numbered[-1][1]) + 1:
                numbered.append(one)
        ends = [*(one.start() for one in numbered[1:]), len(rest)]
        parts = [
            _bare(_first(rest[one.end() : end].strip()))
            for one, end in zip(numbered, ends, strict=True)
        ]
        named = " ".join(f"{n}. {part}" for n, part in enumerate(parts, 1))
        return _shortened(named) if len(parts) > 1 else parts[0]
    points = []
    for line in rest.splitlines():
        point = _POINT.match(line.strip())
        if not point:
            break
        points.append(_bare(_first(line.strip()[point.end() :])))
    return _shortened("; ".join(filter(None, points)))


# "Gout, but I would like to confirm": what is still to be done is no part of its name.
_RESERVATION = compile_later(
    r"[\s,;–-]+(?:but|although|though)\s+(?:I|we|it|this|that|further|more|additional|please|needs?"
    r"|would|should|awaiting|pending|not)\b.*",
    re.IGNORECASE,
)
# "Gout – given the red toe", "Gout, as the toe is red": why it is thought is no part of its name
# either; what it is due to is.
_BY_REASON = (
    r"(?:given|because|based on|in view of|in (?:the )?light of|considering|judging by|since|seeing"
    r" (?:that|how)|on (?:the basis|account|grounds) of|as (?:evidenced|suggested|shown|indicated"
    r"|supported|confirmed) by|(?:supported|suggested|evidenced|confirmed|indicated) by)"
)
_REASON = compile_later(
    rf"(?<=[\w)\]\"'*])(?:\s*[—–]+\s*|\s+-+\s+|\s*[,;:(]\s*){_BY_REASON}\b"
    r"(?!.*,\s*(?:this|it|that|the diagnosis|I|we|most likely|she|he|you)\b).*"
    r"|(?<=[\w)\]\"'*])(?:\s*[—–]+\s*|\s+-+\s+)(?:the|his|her|your|their|this|that|it|these|those"
    r"|he|she|they|you|all|both|I|we|which|as)\b[^—–]*\b(?:is|are|was|were|fits?|explains?"
    r"|suggests?|points?|supports?|has|have|had|makes?|confirms?|indicates?|matche?s?|shows?"
    r"|argues?|base|think|believe|conclude|started|came|follow(?:s|ed)?)\b.*",
    re.IGNORECASE,
)


def _bare(value: str) -> str:
    value = _RESERVATION.sub("", " ".join(value.split()))
    value = _REASON.sub("", value)
    around = "*_\"'`“”‘’«»#>~$ "
    value = value.strip(around).rstrip(".;,:!* ").strip(around)
    for _ in range(3):
        lead_in = _LEAD_IN.match(value)
        if lead_in is None or not value[lead_in.end() :].strip(around):
            break
        value = value[lead_in.end() :]
    for opened, closed in _BRACKETS.items():
        # This closes a bracket that was opened before the keyword.
        for _ in range(value.count(closed) - value.count(opened)):
            value = value.removesuffix(closed)
        if value.startswith(opened) and value.count(opened) > value.count(closed):
            value = value.lstrip(opened)
    return _shortened(value.strip(around).rstrip(".;,!* ").strip(around))


def _shortened(value: str) -> str:
    return value if len(value) <= _LONGEST else value[: _LONGEST - 1].rstrip() + "…"


def _is_no_diagnosis(value: str) -> bool:
    value = value.strip()
    if not any(character.isalpha() for character in value):
        return True
    if _AFTER_ALL.search(value):
        return False
    plain = " ".join(value.casefold().split()).rstrip(" .!。")
    if IDK_WHOLE.fullmatch(plain) or IDK.match(plain):
        return True
    return bool(
        _NOT_KNOWING.fullmatch(value)
        or _A_PLAN.match(value)
        or _EXCLUDED.fullmatch(value)
        or _DENIED.fullmatch(value.casefold())
        or _is_unknown_until_tests(value)
    )


def _is_unknown_until_tests(value: str) -> bool:
    """Whether words say first that nothing is known, and then only what is to be done: "Unclear;
    more tests are needed", unlike "Unknown, likely hepatitis; more tests are needed".
    """
    parts = _HEAD_AND_TAIL.fullmatch(value)
    if parts is None or _NAMES_ONE_ALL_THE_SAME.search(parts[2]):
        return False
    head = parts[1].strip()
    unknown = _NOT_KNOWING.fullmatch(head) or IDK_WHOLE.fullmatch(head.casefold())
    return bool(unknown) and all(map(_TO_BE_DONE.search, re.split("[,;:–—]", parts[2])))


def _is_placeholder(value: str) -> bool:
    return bool(_PLACEHOLDER.fullmatch(value.strip("[]{}<>()【】「」*_ ").rstrip(".")))
