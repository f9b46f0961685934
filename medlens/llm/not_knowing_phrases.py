"""How models say that they do not know, in some twenty-five languages: matched against lower-case
text with single spaces.
"""

from __future__ import annotations

from medlens.deferred_regex import compile_later

_KNOW = (
    r"(?:i|we) (?:really |honestly |truly |simply |just )?(?:do not|don'?t|cannot|can'?t|did not)"
    r" (?:really |actually |currently |yet )?"
    r"(?:know|say|tell|determine|answer (?:this|that|it)|be (?:sure|certain))"
)
NOT_KNOWING = "|".join(
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

IDK = compile_later(NOT_KNOWING)
"""Somewhere in a text: not knowing, in its variants and other languages."""

IDK_WHOLE = compile_later(
    rf"(?:(?:sorry|well|honestly|option|unfortunately),? )?(?:{NOT_KNOWING})(?: the answer)?"
    r"(?: for (?:sure|certain))?|unknown|unsure|uncertain|not known|not sure|not certain"
    r"|i ?d ?k|n/k|can(?:not|'t) (?:say|tell)|no (?:answer )?known"
)
"""A text that is nothing else."""
