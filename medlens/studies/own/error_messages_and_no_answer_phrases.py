"""What stands in a table where an answer should be: error messages, and words for no answer."""

from __future__ import annotations

from medlens.deferred_regex import compile_later

_LONGEST = 2000
"""Longer texts, in characters, are answers whatever they begin with."""
_SHORTEST = 12
"""Characters of the longest word that may as well be a decision."""
_STATUS = r"(?:40[0-9]|413|42[0-9]|451|50[0-4]|52[0-9])"
_FOLLOWS_STATUS = (
    r"(?=\s*$|\s*[-–:,;.(){}<\[\"'](?!\d)|\s+(?-i:[A-Z])|\s+(?:too many|internal|bad (?:gateway"
    r"|request)|service unavailable|server error|gateway|unauthori[sz]ed|forbidden|not found"
    r"|client error|rate limit|timeout|overloaded|for url)\b)"
)
"""What stands behind the number of an HTTP status, and not behind a dose."""
_OF_A_REQUEST = (
    r"(?:rate[ _-]?limit|quota|too many requests|timed? ?out|time-?out|api[ _-]?key"
    r"|status[ _-]?code|server (?:had|has) an error|internal server|(?:maximum )?context length"
    r"|max(?:imum)?[ _]tokens|token limit|overloaded"
    r"|(?:api|http|network|connection|server|request)[ _-](?:error|failed|failure)"
    r"|connection (?:refused|reset|aborted|timed)"
    r"|failed to (?:generate|fetch|connect|parse|get (?:a )?response)"
    r"|service (?:is )?(?:currently )?unavailable|bad gateway|unauthori[sz]ed"
    r"|content[ _](?:filter|management)|max(?:imum)? retries|retry after|resource[ _]exhausted"
    r"|invalid[ _]request|no response (?:from|received))"
)
_ERROR = compile_later(
    r"(?is)[\s\"'*_<\[({]*(?:"
    # "Error 429: …", "Error code: 500 - {…}", "HTTP 503 Service Unavailable"
    r"(?:(?:api|http|server|openai|anthropic|client)[ _-]*)?"
    r"(?:error|exception|fehler|erreur|errore|erro|fout)"
    rf"(?:[ _-]*(?:code|status|http))*\W{{0,4}}{_STATUS}{_FOLLOWS_STATUS}"
    rf"|(?:http|status(?:[ _-]?code)?)\W{{0,3}}{_STATUS}{_FOLLOWS_STATUS}"
    r"|(?:429|5\d\d|40[13]) (?:too many requests|internal server error|bad gateway"
    r"|service unavailable|gateway time-?out|unauthorized|forbidden)\b"
    # "openai.RateLimitError: …", "KeyError: 'choices'", "ReadTimeout(…)"
    r"|(?-i:(?:[a-z_]\w*\.)*[A-Z][a-z]\w*(?:Error|Exception|Timeout))\s*[:(\]]"
    r"|(?-i:(?:[a-z_]\w*\.)+[A-Z]\w*(?:Error|Exception|Timeout))\b"
    r"|(?-i:HTTPS?ConnectionPool|APIError|APIConnectionError|SSLError)\b"
    r"|traceback \(most recent call last\)"
    # "Error: Request timed out", "[ERROR] rate limit …"
    r"|(?:an )?(?:(?:api|http|network|server|request)[ _-])?(?:error|exception|fehler|erreur)\b"
    rf".{{0,80}}?\b{_OF_A_REQUEST}"
    # {"error": {"message": …}}
    r"|(?:\"|')?error(?:\"|')\s*:\s*(?:\{|\"|')"
    r"|(?:you )?exceeded your current quota"
    r"|rate[ _]limit (?:is |was )?(?:reached|exceeded|hit)|too many requests\W*$"
    r"|request timed out|(?:the )?(?:server|model|engine) is (?:currently )?overloaded"
    r"|this model['’]s maximum context length|internal server error|upstream connect error"
    r"|max retries exceeded|connection (?:error|refused|reset by peer)\W*$"
    r"|(?:(?:api|http|request|generation|network) )?(?:error|timeout|failed)[\s\])}>.!*_]*$"
    r"|#(?:error|fehler)!?\s*$"
    r")"
)
"""What such messages begin with."""


def is_error_message_of_a_program(text: str, *, among_texts: bool = True) -> bool:
    """Whether a text is what a program writes when a model did not answer, such as "Error 429: Rate
    limit exceeded", and no answer that speaks of an error. Unless it stands ``among_texts``, a word
    such as "Error" or "Failed" may be what was decided.
    """
    if len(text) > _LONGEST or (not among_texts and len(text) <= _SHORTEST):
        return False
    return bool(_ERROR.match(text.strip()))


_NO_ANSWER = compile_later(
    r"(?i)[\s(\[<{*_\"'-]*(?:no (?:response|answer|output|reply|result|text|content)"
    r"(?: (?:given|received|generated|available|returned|provided|found))?|(?:not|un)answered"
    r"|empty(?: (?:response|answer|output|string))?|did not (?:answer|respond)|missing(?: answer)?"
    r"|(?:keine|ohne) (?:antwort|ausgabe)(?: (?:erhalten|gegeben|vorhanden))?|nicht beantwortet"
    r"|leer|fehlt|sin respuesta|no (?:responde|contest[aó]|hay respuesta)|pas de r[ée]ponse"
    r"|aucune r[ée]ponse|sans r[ée]ponse|vide|nessuna risposta|non risponde|sem resposta"
    r"|geen (?:antwoord|reactie)|brak odpowiedzi|inget svar|intet svar|无回答|没有回答|回答なし)"
    r"[\s)\]>}*_.!\"'-]*"
)


def says_that_there_is_no_answer(text: str) -> bool:
    """Whether a text only says that a model gave no answer, such as "(no response)"."""
    return bool(_NO_ANSWER.fullmatch(text))
