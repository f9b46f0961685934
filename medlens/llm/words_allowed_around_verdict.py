"""The words that may stand around a verdict: a list of harmless ones.

Ways to take a verdict back have no end ("as a careless reader would say", "opposite day"), the
ways to introduce one are few. So what surrounds a verdict is not searched for doubt: it must
consist of greetings and labels, of the same verdict in words, of an explanation that agrees, and
of offers of further help. After anything else the model is asked once more for the object alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache

from medlens.deferred_regex import compile_later

Means = Callable[[str], str | None]
"""The option that words such as "Not supported" name; None if they name none."""

_LONGEST = 4_000
_FENCE = compile_later(r"```[A-Za-z0-9]{0,12}|^\s*~~~+[A-Za-z0-9]{0,12}\s*$", re.MULTILINE)
# What a chat template or a server leaves in a reply, and characters that nobody sees.
_LEFT_OVER = compile_later(
    r"<\|[a-z_]{1,30}\|>|<｜[^<>｜]{1,40}｜>|</?tool_call>|/no_think\b|\A\s*assistant\s*$"
    r"|(?<=\|>)assistant(?=<\|)|[\u200b-\u200f\u2060\ufeff]",
    re.IGNORECASE | re.MULTILINE,
)
_HARMLESS_TAG = compile_later(
    r"</?(?:answer|final_?answer|output|result|response|reply|json|verdict|p|br ?/?|b|strong)>",
    re.I,
)
# Marks of Markdown, quotation marks, brackets of a list around the object, harmless pictures.
_MARKS = compile_later(
    r"[*_`#>\"“”„«»|\[\]]+|[✅✔✓👍👉➡🙂😊🩺📋️]|\{?[:;]-[)D]\}?"
    r"|\A\s*\}+|^\s*[-–—•]\s+",
    re.MULTILINE,
)
_SENTENCE_END = compile_later(r"(?<=[.!?。！？])(?=\s|[^\x00-\x7f]|$)|\n+")
_PART_END = compile_later(r"[,;:]\s+(?:and |so )?|\s[-–—]\s|\bso\s")
_RULE = compile_later(r"[\s.,:;!()=—–‐-]*")
_WORD = compile_later(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_UNITS = compile_later(r"\d[\d.,]*\s?(?:%|mg|g|kg|ml|l|mmol|µg|mcg|years?|days?|weeks?|hours?)?")


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\S+", text))


def _either(*phrases: str) -> str:
    return f"(?:{'|'.join(phrases)})"


# -- labels, greetings and offers -------------------------------------------------------------

_NOUN = _either(
    *("answers?", "verdict", "assessments?", "judge?ment", "evaluation", "conclusion", "decision"),
    *("results?", "outputs?", "response", "reply", "json", "object", "rating", "grade", "score"),
    *("classification", "label", "analysis result", "determination", "finding"),
)
_KIND = _either(
    *("final", "requested", "required", "json", "single", "valid", "structured", "complete", "one"),
    *(
        "correct",
        "overall",
        "short",
        "formatted",
        "corresponding",
        "resulting",
        "raw",
        "strict",
        "plain",
    ),
)
_THING = rf"(?:(?:my|the|our|a|an|your) )?(?:{_KIND} ){{0,3}}{_NOUN}(?: {_NOUN})?"
_FORM = (
    rf"(?:in|as|according to|following|matching) (?:an? |the |your |valid )?(?:{_KIND} ){{0,3}}"
    r"(?:json|format|form|schema|object|structure)(?: (?:format|object|schema|form))?"
    r"(?: (?:that )?(?:you )?(?:requested|asked for|specified|required|given|provided))?"
)
_SOURCE = (
    r"(?:(?:the|this|that|these|your|its) )?(?:(?:given|provided|cited|supplied|two|web|both|source"
    r"|above|full|whole|entire|medical|following|reference) ){0,3}"
    r"(?:pages?|webpages?|websites?|sources?|texts?|documents?|articles?|passages?|statements?"
    r"|claims?|diagnos[ei]s|diseases|terms|names|conditions|content|excerpts?|information"
    r"|material|question|instructions?|guidelines?|criteria|schema|rubric|case|item|answers?"
    r"|responses?|task)(?:'s (?:contents?|text|words))?(?: (?:provided|given|supplied|quoted))?"
    r"(?: (?:in|on|from|of) (?:the|this) (?:page|source|text|document|article|passage|website))?"
    r"(?: between the (?:two )?marks)?"
)
_SOURCES = rf"{_SOURCE}(?:,? (?:and|with|against|to) {_SOURCE})?"
_OF_THING = (
    rf"(?:below|as follows|for (?:this|the) (?:item|case|pair|question)|of {_SOURCES}"
    rf"|with {_THING}|(?:that )?(?:you|was) (?:requested|asked for|required)|i came to)"
)
_DONE = _either(
    "read(?:ing)?",
    *("compar(?:ed|ing)", "check(?:ed|ing)", "review(?:ed|ing)", "analy[sz](?:ed|ing)"),
    *("consider(?:ed|ing)", "examin(?:ed|ing)", "evaluat(?:ed|ing)", "assess(?:ed|ing)"),
    *("weigh(?:ed|ing)", "judg(?:ed|ing)", "look(?:ed|ing) at"),
)
_DO = _either(
    *("compare", "check", "review", "analy[sz]e", "examine", "evaluate", "assess", "judge", "read"),
    "look at",
)
_HOW = r"(?:carefully|closely|thoroughly|the|now|both)"
_IN_ENGLISH = (
    r"sure(?: thing)?|certainly|of course|(?:i'd be |i am |i'm )?happy to help(?: with"
    r" (?:that|this))?|ok|okay|alright|all right|hello"
    r"|hi|greetings|good (?:morning|day)|great|understood|got it|thanks|thank you"
    r"|(?:thanks|thank you) for (?:the|your|this|asking|providing)(?: (?:the|your|this))?"
    rf"(?: {_SOURCES}| patience| request)?|you(?:'re| are) welcome|done|finished|complete",
    r"below is|below you(?:'ll| will)? find|here (?:is|are|it is|you go|you are|goes)|here's"
    r"|here it is",
    rf"(?:(?:here|below|this|that|following) (?:is|are)|here's|this is|below,?) {_THING}"
    rf"(?: (?:{_FORM}|{_OF_THING}))*",
    rf"{_THING}(?: (?:{_FORM}|{_OF_THING}))*(?: (?:is|are|reads|follows))?"
    r"(?: (?:as follows|below|this|here))?",
    rf"(?:the|this) following {_THING} (?:contains|holds|has|gives|is) {_THING}",
    rf"(?:i (?:will|shall|can) )?(?:give|return|provide|answer|respond)(?: with)? {_THING}"
    rf"(?: {_FORM})?",
    r"as (?:requested|required|asked|instructed"
    r"|specified|follows)",
    _FORM,
    r"let me explain|to explain|so|thus|therefore|hence|accordingly|consequently|in"
    r" (?:conclusion|summary|short|sum|brief)"
    r"|to (?:sum up|conclude|summari[sz]e)|finally|overall|in the end|as a result|now|and|then"
    r"|with that|final|answer|reason|reasoning|explanation|rationale|justification|why|note|summary"
    r"|conclusion|because|since|as|comparison|analysis|evaluation",
    rf"(?:based|relying) (?:only |solely |purely |entirely )?on (?:{_SOURCES}"
    rf"|(?:the |this |my |our |an? )?(?:above|comparison|analysis|review|evaluation|reading"
    rf"|assessment)(?: of {_SOURCES}| above)?)(?: (?:alone|only))?"
    rf"|(?:according to|from|going by|given|per) {_SOURCES}(?: (?:alone|only))?"
    rf"|(?:after|upon|on) (?:an? |the |my )?(?:careful |close |thorough )?(?:review"
    rf"|reading|analysis"
    rf"|comparison|consideration|evaluation|examination)(?: of {_SOURCES})?"
    rf"|(?:after|having|by|on|upon|when) (?:{_HOW} )?{_DONE}(?: {_HOW})? {_SOURCES}"
    rf"(?: {_HOW})?",
    rf"(?:i|we)(?:'ve| have)? (?:{_HOW} )?{_DONE}(?: {_HOW})? {_SOURCES}(?: {_HOW})?",
    rf"(?:let me|let's|i(?:'ll| will)|we(?:'ll| will)) (?:{_HOW} )?{_DO}(?: {_HOW})?"
    rf" (?:{_SOURCES}|the two|them)(?: {_HOW})?",
    r"(?:i am|i'm) (?:fairly |very |quite |highly )?(?:confident|sure|certain)"
    r"(?: (?:in|of|about) (?:this|that|it|my (?:answer|verdict)))?",
    r"(?:my )?(?:level of )?(?:confidence|certainty)(?: level| score)?(?: is|:)?(?: very)? (?:high"
    r"|certain|complete|full)|(?:my )?(?:confidence|certainty)(?: level| score)?(?: is|:)?"
    r" (?:100|9\d|8[5-9])(?:\.\d+)? ?%?|(?:my )?confidence(?: score| level)?(?: is|:)?"
    r" (?:1(?:\.0+)?|0?\.9\d*)",
    r"end(?: of (?:the |my )?(?:answer|response|output|json|reply|verdict))?|that(?:'s| is) (?:all"
    r"|it)|no further (?:comments?|questions?|remarks?)(?: from my side)?",
    r"see (?:the )?(?:reason|explanation|quote|object|json)(?: (?:field|given))?(?: above| below"
    r"| in the (?:object|json))?|as (?:explained|given|stated) (?:above|in the (?:object|json"
    r"|reason))",
)
_OFFERS = (
    r"(?:please )?(?:let me know|feel free to (?:ask|reach out|contact me)|do not hesitate to ask"
    r"|don't hesitate to ask|i(?:'m| am) (?:happy|glad) to|happy to|glad to)"
    r"(?: (?:me|provide|give|explain|help|assist|answer))?",
    r"(?:if|should) (?:you|there)(?: (?:have|need|want|would like|require|are|is))*",
    r"would you like(?: me to)?|do you (?:need|want|have)(?: me to)?|you'd like|share"
    r"|them|is there|can i (?:help|assist)"
    r"(?: you)?|shall i",
    r"i hope (?:this|that|it) (?:helps|is (?:helpful|useful)|was (?:helpful|useful))|hope (?:this"
    r"|that|it) helps",
    r"(?:anything|something|any|a|more|some|further|additional|other|longer|else|with|this|that|it"
    r"|questions?|details?|information|explanations?|clarifications?|help|assistance|reasons?"
    r"|reasoning|need|needed|you|have|want|about|me|to|explain|provide|assist|i can|help|for"
    r"|another|pair|items?|on|further|in|detail|detailed|unclear|anything|is|my|check|compare|look"
    r"|like|would|let me know|feel free|ask|please|and|or|at|reach out)",
)
# In other languages; whole sentences or their pieces.
_IN_OTHER_LANGUAGES = (
    # German
    r"hier (?:ist|sind|kommt)|hier|(?:meine?|die|das|der|mein) (?:endgültige )?(?:antwort|urteil"
    r"|ergebnis|bewertung|einschätzung|json(?:-objekt)?)(?: ist| lautet)?|antwort|urteil|ergebnis"
    r"|bewertung|endgültige antwort|gern|gerne|natürlich|selbstverständlich|also|somit|daher"
    r"|wie gewünscht|wie verlangt|im (?:gewünschten |verlangten )?(?:json-)?format"
    r"|json-objekt|begründung|grund"
    r"|auf grundlage (?:der seite|des textes|der quelle)|als json|fertig|ich hoffe,? das hilft",
    # French
    r"voici|(?:ma|la|votre) (?:réponse|conclusion)(?: (?:est|finale|finale est))?"
    r"|réponse(?: finale)?"
    r"|(?:mon|le) (?:verdict|jugement|avis|résultat|json)(?: est)?|verdict|résultat|bien sûr"
    r"|certainement|d'accord|donc|l'objet json|au format (?:json|demandé)|comme demandé|explication"
    r"|raison|d'après (?:la page|le texte|la source)|j'espère que cela (?:vous )?aide",
    # Spanish
    r"aquí (?:está|tienes?|tiene)|este es|(?:la|mi|su) (?:respuesta|evaluación)(?: (?:es"
    r"|final|final es))?"
    r"|respuesta(?: final)?|(?:el|mi) (?:veredicto|resultado|json|objeto json)(?: es)?|veredicto"
    r"|resultado|claro|por supuesto|por lo tanto|como se (?:pidió|solicitó)|en formato json"
    r"|el objeto json|explicación|razón|motivo|según (?:la página|el texto|la fuente)",
    # Italian, Portuguese, Dutch
    r"ecco|(?:la|mia|la mia) risposta(?: è)?|risposta(?: finale)?|verdetto|risultato|certo"
    r"|certamente|in formato json|come richiesto|spiegazione|il mio verdetto(?: è)?"
    r"|l'oggetto json",
    r"aqui está|segue(?: abaixo)?|(?:a|minha|a minha) resposta(?: é)?|resposta(?: final)?"
    r"|veredito|resultado|claro"
    r"|em formato json|conforme solicitado|explicação|o objeto json",
    r"hier is|(?:mijn|het|de) (?:antwoord|oordeel|uitkomst|json)(?: is)?|antwoord|oordeel"
    r"|uitkomst|natuurlijk|zoals gevraagd|uitleg|eindantwoord",
    # Polish, Turkish, Russian
    r"oto|(?:moja )?odpowiedź|wynik|werdykt|işte|cevap|yanıt|sonuç"
    r"|вот|(?:мой |итоговый )?(?:ответ|вердикт)|результат|конечно|итак|объект json|в формате json"
    r"|пояснение|обоснование",
)
_CJK_AND_ARABIC = (
    r"(?:以下|下面)是(?:我的|最终)?(?:答案|回答|结果|判断|结论|json(?:对象"
    r"|格式)?(?:的?(?:答案|结果))?)"
    r"|(?:我的|最终)?(?:答案|回答|结果|结论|判断|判定)(?:是|为|如下)?|好的|当然|json|因此"
    r"|所以|根据(?:原文|文本|该?页面|来源)(?:的?内容)?|(?:判断|结论|答案|结果)如下"
    r"|以下の通りです|以下(?:が|は)(?:回答|答え|結果)(?:です)?|(?:最終)?(?:回答|答え|結果"
    r"|判定)(?:は(?:以下の通りです|次の通りです)?)?"
    r"|はい、以下が回答です|承知しました|理由|原因|说明|解释|説明",
    r"(?:다음은 )?(?:최종 )?(?:답변|답|결과|판정)(?:입니다|은|는|은 다음과 같습니다)?|네,"
    r" 알겠습니다|다음과 같습니다"
    r"|json|이유",
    r"(?:هذه هي )?(?:الإجابة|إجابتي|الجواب|النتيجة)(?: النهائية)?(?: هي)?|إليك(?:"
    r" الإجابة)?|بالتأكيد"
    r"|السبب|التفسير",
)


# Before a verdict only: behind it, they may be about it.
_APOLOGY = compile_later(
    r"\b(?:(?:I(?:'m| am) )?sorry|(?:my )?apologies|I apologi[sz]e)(?: for (?:the|my|any)"
    r" (?:earlier |previous |wrong |invalid )?(?:confusion|mistake|error|format|oversight"
    r"|inconvenience|answer|reply|response))?\s*[.,:!]|\b(?:corrected|revised|updated|cleaned)"
    r"(?= (?:\w+ )?(?:JSON|answer|verdict|object|response|output)\b)",
    re.IGNORECASE,
)
_OFFER_BEGINS = compile_later(
    r"(?:please )?(?:let me know|feel free|do not hesitate|don't hesitate|i(?:'m| am)"
    r" (?:happy|glad)"
    r"|happy to|glad to|if you (?:have|need|want|would|require)|should you (?:have|need|want"
    r"|require)|would you like|do you (?:need|want|have)|is there (?:anything|something)|can i"
    r"|anything else|shall i|i hope|hope)\b"
)
_BETWEEN = r"(?:[\s,:;()：，、؛،=.!?。！—–-]+|$)"
_LONGEST_LEAD = 300


@lru_cache(maxsize=2)
def _phrases(which: str) -> list[re.Pattern[str]]:
    offers = which == "offers"
    given = _OFFERS if offers else (*_IN_ENGLISH, *_IN_OTHER_LANGUAGES, *_CJK_AND_ARABIC)
    single = [one for phrase in given for one in _alternatives(phrase)]
    return [re.compile(rf"(?:{phrase}){_BETWEEN}") for phrase in single]


def _alternatives(pattern: str) -> list[str]:
    """The parts of a pattern between the bars that stand in no group."""
    parts, depth = [""], 0
    for character in pattern:
        depth += (character == "(") - (character == ")")
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _consists_of(text: str, which: str) -> bool:
    """Whether a text is nothing but phrases, one after another."""
    if len(text) > _LONGEST_LEAD:
        return False
    reached, waiting = {0}, [0]
    # Each place once: patterns that may begin alike would else be tried in every combination.
    while waiting:
        at = waiting.pop()
        for phrase in _phrases(which):
            found = phrase.match(text, at)
            if found and found.end() > at and found.end() not in reached:
                reached.add(found.end())
                waiting.append(found.end())
    return len(text) in reached


# -- the verdict in other words ---------------------------------------------------------------

_STATES = compile_later(
    r"(?:(?:so|thus|therefore|hence|and|then|in conclusion|in summary|overall|finally|conclusion"
    r"|my|the|final|reason|explanation|because)[\s,:]+)*"
    r"(?:(?:answer|verdict|assessment|judge?ment|conclusion|decision|result|output|rating|grade"
    r"|score|label|classification|antwort|urteil|ergebnis|réponse|respuesta|risposta|resposta"
    r"|antwoord|odpowiedź|cevap|ответ|答案|回答|结论|答え|답|الإجابة|الجواب|{choice})"
    r"\s*(?:is|ist|est|es|è|é|lautet|是|为|は|هي|:|：|=|-|–|—|→|\s)*[\s:：]*)?"
    r"(?P<words>.+)"
)
_SAME_ALL_THE_SAME = compile_later(
    r"\b(?:not different(?: diseases)?|differ only in (?:the )?(?:names?|spelling"
    r"|wording)|different"
    r" (?:names|terms|words|spellings) (?:for|of))\b"
)
"""Other names, the same disease."""
_NOT_THE_SAME = compile_later(
    r"\b(?:not|n't) (?:\w+ )?(?:the same \w+|identical|synonym\w*|equivalent)"
)
_NEGATION = compile_later(r"\b(?:not|no|never|without|nor|neither)\b|n't\b")
_AGREES: dict[str, tuple[str, ...]] = {
    "yes": (
        r"\b(?:the )?same (?:disease|condition|thing|diagnosis|illness|entity|meaning|disorder)\b",
        r"\bdiagnoses are the same$",
        r"\bsynonym(?:s|ous)?\b",
        r"\babbreviat(?:ion|ions|ed|es)\b",
        r"\b(?:acronym|initialism|short(?:ened)? form|identical|equivalent"
        r"|interchangeabl[ey]|eponym)\b",
        r"\b(?:names?|terms?|words?|labels?) (?:of|for) (?:one|the|a single)\b",
        _SAME_ALL_THE_SAME.pattern,
        r"\bdifferent (?:names|words|terms)\b|\b(?:one|a single) disease\b|\bboth"
        r" (?:terms |names )?(?:name|mean|describe|denote|refer to)\b",
    ),
    "no": (
        r"\b(?:are|is|name|two|as|clearly|to|entirely|completely|quite|distinctly) (?:\w+ )?"
        r"(?:different|distinct|separate|unrelated)\b",
        r"\bdiffer(?:s|ent)?\b|\bnot (?:the same|identical|synonyms?|synonymous|equivalent)\b",
        r"\bone is\b|\bone affects\b.{1,80}\bthe other\b",
        r"\b(?:is|are|only) an? (?:symptom|complication|sign|stage|cause|risk factor|finding)\b"
        r"|\ba symptom only\b",
    ),
    "supported": (
        r"\b(?:says?|states?|mentions?|confirms?|supports?|reports?|describes?|shows?|notes?"
        r"|gives?|contains?|lists?|explains?|recommends?|matches|agrees?|supported|stated"
        r"|confirmed|mentioned)\b",
    ),
    "not_supported": (
        r"\b(?:does|do|did) not (?:\w+ )?(?:say|state|mention|confirm|support|report|describe|show"
        r"|give|contain|list|explain|recommend|address|discuss|cover|include|make)\b",
        r"\b(?:is|are) not (?:\w+ )?(?:supported|mentioned|stated|found|addressed|discussed"
        r"|covered)\b|\bmakes? no mention|\bcontains? no\b|\b(?:no|without) mention\b"
        r"|\bno (?:information|evidence|statement) (?:on"
        r"|about|for|of)\b|\b(?:is|are) about\b|\bnever (?:mentions?|says?|states?)\b",
    ),
    "contradicted": (r"\bcontradict(?:s|ed|ory)?\b|\bsays? the (?:opposite|contrary|reverse)\b",),
    "partly": (
        r"\b(?:only )?(?:a |in )?part(?:s|ly|ially)?\b.*\b(?:support|state|sa[yi]|mention|statement"
        r"|of (?:it|the statement|the claim))|\bpart(?:ly|ially) supported\b|\bweaker\b"
        r"|\bonly (?:a |one )?(?:part|half)\b|\bmore general\b",
    ),
}
"""What an explanation must say to agree with an answer, by the answer."""

_CLAIMS: dict[str, frozenset[str]] = {
    "yes": frozenset(
        (
            "es ist dieselbe krankheit",
            "beide meinen dieselbe krankheit",
            "beide bezeichnen dieselbe krankheit",
            "das ist dieselbe krankheit",
            "es handelt sich um dieselbe krankheit",
            "c'est la même maladie",
            "il s'agit de la même maladie",
            "ce sont la même maladie",
            "son la misma enfermedad",
            "es la misma enfermedad",
            "se trata de la misma enfermedad",
            "sono la stessa malattia",
            "è la stessa malattia",
            "são a mesma doença",
            "het is dezelfde ziekte",
            "это одно и то же заболевание",
            "это одна и та же болезнь",
            "两者是同一种疾病",
            "是同一种疾病",
            "同じ病気です",
            "같은 질병입니다",
        )
    ),
    "no": frozenset(
        (
            "es sind verschiedene krankheiten",
            "das sind verschiedene krankheiten",
            "das sind zwei verschiedene krankheiten",
            "ce sont deux maladies distinctes",
            "ce sont deux maladies différentes",
            "ce sont des maladies différentes",
            "son enfermedades diferentes",
            "son enfermedades distintas",
            "son dos enfermedades distintas",
            "sono malattie diverse",
            "são doenças diferentes",
            "het zijn verschillende ziekten",
            "это разные заболевания",
            "это разные болезни",
            "两者是不同的疾病",
            "是不同的疾病",
            "違う病気です",
            "다른 질병입니다",
        )
    ),
}
"""Whole sentences of other languages that say the same as an answer."""

_NEUTRAL = _words(
    "the a an of and to in on at by for with from as is are it its they their both two"
    " this these that which has have also same page pages source sources text webpage"
    " website document article passage statement statements claim fact first second one"
    " name names term terms word words diagnosis diagnoses disease diseases condition"
    " conditions given correct medical clinical so since because thus therefore directly"
    " clearly explicitly indeed said what exactly here whole fully entirely full meaning"
    " means mean describe describes refers refer denote denotes simply merely"
    " commonly common called known usual form single reason explanation"
    " doctor doctor's patient's we whereby namely either"
)
_NEUTRAL_BY_ANSWER: dict[str, frozenset[str]] = {
    "yes": _words(
        "other abbreviation acronym abbreviated abbreviates synonym synonyms synonymous"
        " identical equivalent interchangeable interchangeably used use short entity thing"
        " illness disorder eponym"
    ),
    "no": _words(
        "other different distinct separate unrelated not identical synonyms synonymous viral"
        " bacterial fungal chronic acute symptom sign stage complication only cause finding"
        " risk factor kind type organ organs affects affect while whereas but differ entities"
        " two disorders illnesses entirely completely quite the"
    ),
    "supported": _words(
        "says say states state mentions mention confirms confirm supports support supported"
        " reports describes shows notes gives contains lists explains recommends matches"
        " agrees word stated confirmed mentioned word's information passage quote quoted above"
    ),
    "not_supported": _words(
        "does do not say state mention confirm support supported report describe show give"
        " contain list explain recommend makes contains address discuss cover include make no"
        " any information about something anything mentioned stated found never is without"
        " evidence on only it"
    ),
    "contradicted": _words(
        "contradicts contradict contradicted says opposite contrary reverse not states"
    ),
    "partly": _words(
        "part partly partially only supports supported support says some half weaker more"
        " general states mentions rest"
    ),
}
# What words of the question never make harmless: they turn, doubt or condition what is said.
_NEVER_KNOWN = _words(
    "not no nor neither never none nothing without cannot can't don't doesn't isn't"
    " aren't wasn't won't but however although though yet still unless except if whether"
    " would could should might may must can will shall rather instead actually really"
    " perhaps maybe possibly probably likely unlikely wrong incorrect mistaken mistake"
    " error false untrue true right opposite contrary reverse reversed other another else"
    " different differ distinct contradict contradicts contradicted contradiction i me my"
    " mine you your yours he she who someone anybody example sample draft format schema"
    " template ignore disregard question quote previous earlier initial initially before"
    " after again almost nearly hardly barely only partly partially part weaker doubt"
    " doubtful unsure uncertain unclear unknown follow followed following judge judged ask"
    " asks asked order orders answer answers edit edited remove removed replace replaced"
    " mend change changed correct corrected update updated until than too little less"
    " least lack lacks lacking fail fails failed deny denies denied refuse refuses refute"
    " refutes disprove disproves reject rejects rejected supported unsupported support"
    " supports yes same"
)


@dataclass(frozen=True)
class Surrounded:
    """A verdict and what may be said beside it.

    ``answer`` is the option chosen (empty where the shape has no such choice), ``field`` the name
    of the field that chooses; ``means`` tells which option words name. An explanation may use the
    words of the object's own texts and, where it is known what agrees with an answer, those of the
    ``material`` that was asked about; never those of the ``others``, the options not chosen.
    """

    answer: str = ""
    field: str = ""
    means: Means = lambda words: None
    own: tuple[str, ...] = ()
    material: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def first_words_that_may_spoil_verdict(
    pieces: Iterable[str], verdict: Surrounded, *, before: str = ""
) -> str:
    """The first words that are not known to be harmless beside a verdict, at most 80 characters;
    empty if all are. ``before`` stands before the verdict, ``pieces`` elsewhere.
    """
    for piece in (_APOLOGY.sub("", before), *pieces):
        if len(piece) > _LONGEST:
            return _shown(piece)
        for sentence in _sentences(piece):
            if not _harmless(sentence, verdict):
                return _shown(sentence)
    return ""


def _shown(words: str) -> str:
    plain = " ".join(words.split())
    return plain if len(plain) <= 80 else f"{plain[:79]}…"


def _sentences(text: str) -> list[str]:
    text = _LEFT_OVER.sub("", text)
    plain = _MARKS.sub(" ", _FENCE.sub("\n", _HARMLESS_TAG.sub("\n", text)))
    plain = unicodedata.normalize("NFC", plain).replace("’", "'")
    return [part for one in _SENTENCE_END.split(plain) if (part := " ".join(one.split()))]


def _harmless(sentence: str, verdict: Surrounded) -> bool:
    said = sentence.casefold()
    if _RULE.fullmatch(said):
        return True
    if _OFFER_BEGINS.match(said) and _consists_of(said, "offers"):
        return True
    if re.search(r"[?？؟~…]|\.\.", said):
        return False
    bare = said.strip(" .,:;!()–—-。，：！")
    if _is_known(bare, verdict):
        return True
    # "Explanation: the terms are synonyms, so the verdict is yes": part by part.
    left = [
        part
        for one in _PART_END.split(bare)
        if (part := one.strip(" .,:;!()–—-")) and not _is_known(part, verdict)
    ]
    return not left or _explains_it(", ".join(left), verdict)


def _is_known(bare: str, verdict: Surrounded) -> bool:
    return (
        _consists_of(bare, "leads")
        or bare in _CLAIMS.get(verdict.answer, ())
        or (verdict.answer == "no" and _names_another(bare))
        or (bool(verdict.answer) and _states_it(bare, verdict))
    )


# "The doctor named pneumonia, not tuberculosis": whatever the two are, they are not the same.
_NAMED_INSTEAD = compile_later(
    r"(?:because |since |as )?(?:the |this )?(?:doctor|physician|clinician|model|agent|student|it"
    r"|answer|(?:given |doctor's |proposed |named )?diagnosis)(?: has)?"
    r" (?:named|said|gave|chose|stated|diagnosed|wrote|proposed|suggested|picked|is|was|names|says)"
    r" (?P<named>[^,;.()]{2,60}?)(?:,? (?:and )?not|,? instead of|,? rather than|,? (?:but|while"
    r"|whereas) (?:the )?(?:correct|right|actual|true|reference|real)"
    r"(?: (?:diagnosis|disease|answer|one|condition))? (?:is|was))"
    r" (?P<correct>[^,;.()]{2,60})",
    re.IGNORECASE,
)


def _names_another(bare: str) -> bool:
    """Whether a sentence says which disease was named and which it should have been."""
    found = _NAMED_INSTEAD.fullmatch(bare)
    if found is None:
        return False
    named, correct = (frozenset(_WORD.findall(found[one])) for one in ("named", "correct"))
    return bool(named and correct and named != correct) and not (named | correct) & _NEVER_KNOWN


def _states_it(bare: str, verdict: Surrounded) -> bool:
    """Whether a sentence is the same verdict in words: "So the answer is yes"."""
    field = re.escape(verdict.field.casefold()).replace("_", "[ _-]")
    stated = re.fullmatch(_STATES.pattern.replace("{choice}", field), bare)
    return stated is not None and verdict.means(stated["words"]) == verdict.answer


def _explains_it(said: str, verdict: Surrounded) -> bool:
    """Whether a sentence agrees with the answer, and each of its words is known for harmless."""
    agrees = _AGREES.get(verdict.answer)
    words = set(_WORD.findall(_UNITS.sub(" ", said)))
    if agrees is not None and not any(re.search(one, said) for one in agrees):
        return False
    if verdict.answer == "yes":
        words = set(_WORD.findall(_SAME_ALL_THE_SAME.sub(" ", said)))
    elif verdict.answer == "no":
        # "Not different", "other names, one disease": that is a yes.
        left = _NOT_THE_SAME.sub(" ", said)
        if any(re.search(one, left) for one in _AGREES["yes"]):
            return False
    if len(_NEGATION.findall(said)) > 1:
        return False
    allowed = _NEUTRAL | _NEUTRAL_BY_ANSWER.get(verdict.answer, frozenset())
    unknown = words - allowed
    if not unknown:
        return bool(said.strip())
    texts = verdict.own if agrees is None else (*verdict.own, *verdict.material)
    others = {word for one in verdict.others for word in one.casefold().split("_")}
    return unknown <= _known_words(texts) - others


@lru_cache(maxsize=8)
def _known_words(texts: tuple[str, ...]) -> frozenset[str]:
    words = frozenset(word for text in texts for word in _WORD.findall(text.casefold()))
    return words - _NEVER_KNOWN
