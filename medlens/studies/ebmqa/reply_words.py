"""The phrases that identify a model's answer (``replies.py``), as patterns.

All but ``MARKER`` are matched against lower-case text with single spaces.
"""

from __future__ import annotations

import re

_KNOW = (
    r"(?:i|we) (?:really |honestly |truly |simply |just )?(?:do not|don'?t|cannot|can'?t|did not)"
    r" (?:really |actually |currently |yet )?"
    r"(?:know|say|tell|determine|answer (?:this|that|it)|be (?:sure|certain))"
)
_IDK = "|".join(
    (
        _KNOW,
        r"(?:do not|don'?t) know\b",
        r"\bidk\b",
        r"\bdunno\b",
        r"no idea\b",
        r"i have no clue",
        r"(?:i am|i'm|we are) (?:not (?:\w+ )?(?:sure|certain|able to (?:answer|determine|say))"
        r"|unsure|uncertain|unable to (?:answer|determine|say|give))",
        r"(?:cannot|can ?not|can'?t|could not) be (?:determined|answered|known|said)",
        r"(?:impossible|not possible|unable) to (?:say|tell|know|determine|answer)",
        r"(?:insufficient|not enough) (?:information|data|evidence|knowledge|context)",
        r"(?:no|lack(?: the)?) (?:sufficient|specific|enough|reliable) (?:information|data)",
        r"(?:do not|don'?t) have (?:\w+ ){0,3}(?:information|data|knowledge|evidence)",
        r"ich wei(?:ß|ss) (?:es |das )?nicht",
        r"wei(?:ß|ss) ich nicht",
        r"keine ahnung",
        r"je (?:ne )?sais pas",
        r"aucune idée",
        r"no (?:lo )?sé\b",
        r"non (?:lo )?so\b",
        r"(?:eu )?não sei",
        r"ik weet het niet",
        r"nie wiem",
        r"jag vet inte",
        r"jeg ve[dt] ikke",
        r"no sabría",
        r"en tiedä",
        r"bilmiyorum",
        r"δεν ξέρω",
        r"не знаю",
        r"затрудняюсь",
        r"nevím",
        r"nem tudom",
        r"nu știu",
        r"לא יודע",
        r"لا أعرف",
        r"لا أعلم",
        r"मुझे नहीं पता",
        r"不知道",
        r"無法確定|无法确定",
        r"(?:わか|分か)(?:りません|らない)|知りません",
        r"모르겠|모릅니다|몰라",
        r"tôi không biết",
        r"ไม่ทราบ|ไม่รู้",
        r"tidak tahu",
    )
)

IDK = re.compile(_IDK)
"""Somewhere in a text: not knowing, in its variants and other languages."""

IDK_WHOLE = re.compile(
    rf"(?:(?:sorry|well|honestly|option|unfortunately),? )?(?:{_IDK})(?: the answer)?"
    r"(?: for (?:sure|certain))?|unknown|unsure|uncertain|not known|not sure|not certain"
    r"|i ?d ?k|n/k|can(?:not|'t) (?:say|tell)|no (?:answer )?known"
)
"""A text that is nothing else."""

IDK_START = re.compile(rf"(?:that |simply |just )?(?:{_IDK})|unknown\b|unsure\b|uncertain\b")

REFUSAL = re.compile(
    r"(?:i|we)(?: am|'m)? ?(?:cannot|can ?not|can'?t|won'?t|will not|must decline|decline|not able"
    r"|unable)(?: to)? (?:\w+ )?(?:provide|give|offer|assist|help|comply|fulfill?|respond|engage"
    r"|discuss|share|continue|make|recommend)"
    r"|i must (?:decline|refuse)|against (?:my|our) (?:policy|guidelines|programming)"
    r"|consult (?:a|your|with a) (?:\w+ ){0,3}(?:professional|doctor|physician|provider|clinician)"
    r"|(?:not|n't) (?:able to )?(?:provide|give|offer) medical advice|^\(?refused\)?$"
)
"""Declining to answer, which is not the same as not knowing."""

MARKER = re.compile(
    r"\b(?:answers?|choice|guess|estimate|selection|conclusion)\b"
    r"(?:(?!options?\b|choices?\b)[^.\n:=?]){0,40}?(?:\b(?:is|are|be|was|would be)\b|:|=|\n)"
    r"|\bI(?:'d|'ll| would| will| have to| must)?(?: \w+ly| have to| then| also)?"
    r" (?:choose|chose|pick|select|selected|go with|opt for|answer|guess|say|lean towards?)\b"
    r"(?: with| that| it is)?\s*:?"
    r"|(?:\b(?:antwort|respuesta|r[ée]ponse|risposta|resposta|odpowied[źz]|antwoord|cevap|svaret?"
    r"|válasz|odpověď)\b|ответ|απάντηση|答案|答え|回答|解答|答|정답|답|الجواب|الإجابة|תשובה)"
    r"[^.\n:=?]{0,30}?(?:\b(?:ist|lautet|es|est|è|é|is|jest|to|är|er)\b|:|=|是|は|为|為|은|는)",
    re.IGNORECASE,
)
"""What an answer is stated after, in cleaned text with its capitals."""

NEGATED_BEFORE = re.compile(
    r"\b(?:not|never|neither|nor|rather than|instead of|except|excluding|unlikely|excludes?"
    r"|rules? out|ruled out|wrong|incorrect|cannot be|other than|as opposed to|and not|but not"
    r"|against|different from)\b|n't\b"
)
"""In the clause before an option: it is talked about, not chosen."""

NEGATED_AFTER = re.compile(
    r"[\"')\]]*,? (?:\w+ )?(?:(?:is|are|was|were|would be|seems?|looks?|can be|could be)(?: \w+)?"
    r" (?:not|incorrect|wrong|unlikely|ruled out|excluded|too (?:low|high)|false|implausible"
    r"|impossible)|(?:isn't|aren't|wasn't|cannot|can't|does not|doesn't|do not|don't|is not))\b"
)
"""Right behind an option: the same."""

ALL_OF_THEM = re.compile(
    r"(?:the answer is )?all (?:of )?(?:the )?(?:above|options|them|these|choices|answers)"
    r"|all(?: (?:two|three|four|five|six))?(?: of them| options)?"
)
