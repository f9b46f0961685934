"""The forms of a common noun for a person who writes answers: an arm that is called "Arzt" is named
by "Antwort des Arztes" and by "Ihre Ärztin" too.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_FAMILIES = (
    r"(?:haus|fach|ober|kinder|frauen|augen|haut|assistenz|not|zahn|chef|stations|amts|betriebs)?"
    r"(?:arzt(?:e?s|e)?|[äa]rzt(?:e|en|in|innen)|aerzt(?:e|en|in|innen)|ärztliche[rsnm]?)",
    *(rf"{one}(?:s|n|in|innen)?" for one in ("kliniker", "mediziner", "apotheker", "psychiater")),
    r"(?:kranken|alten)?pfleger(?:s|n|in|innen)?|(?:kranken)?schwestern?|krankenpfleger(?:in)?"
    r"|pflege(?:kraft|kr[äa]ften?|fachkraft|fachkr[äa]ften?)",
    r"expert(?:e|en|in|innen|s|a|as|o|os|es)?",
    r"mensch(?:en|s)?",
    *(rf"{one}(?:e|en|in|innen)?" for one in ("radiolog", "patholog", "onkolog", "kardiolog")),
    r"internist(?:en|in|innen|s)?",
    r"m[ée]decins?",
    r"m[ée]dic(?:[oa]s?|i|he)",
    r"doctor(?:s|a|es|as)?",
    r"docteure?s?|doctoresses?",
    r"dott(?:ore|ori|oressa|oresse|or)",
    r"doutor(?:a|es|as)?",
    r"infirmi(?:er|[èe]re)s?",
    r"infermier[eia]",
    r"enfermer[oa]s?",
    r"enfermeir[oa]s?",
    r"especialistas?",
    r"sp[ée]cialistes?",
    r"specialist[aie]",
    r"pharmacien(?:ne)?s?",
    r"farmac[ée]utic[oa]s?",
    r"farmacist[aie]",
    r"praticien(?:ne)?s?",
    r"cirujan[oa]s?",
    r"cirurgi(?:ão|ao|ã|a|ões|oes|ãs|as)",
    r"chirurg(?:o|a|hi|he)",
    r"chirurg(?:en|in|innen|s)?",
    r"chirurgien(?:ne)?s?",
    r"human[oa]s?",
    r"humaine?s?",
    r"uman[oaie]",
    r"espert[oaie]",
    *(
        rf"{one}s?"
        for one in (
            *("physician", "clinician", "nurse", "resident", "registrar", "trainee", "consultant"),
            *("specialist", "surgeon", "pharmacist", "human", "radiologist", "gp"),
        )
    ),
)
"""Each has the forms of one word, in German, English, French, Italian, Spanish and Portuguese."""
_BEFORE, _BEHIND = r"(?<![^\W_])", r"(?![^\W_])"


@lru_cache(maxsize=256)
def regex_for_forms_of_word_for_writer(word: str) -> str:
    """A pattern for all forms of a common noun for a writer, itself among them; "" if there are no
    others known. To be used without regard to case.
    """
    stands = " ".join(word.split())
    found = [one for one in _FAMILIES if re.fullmatch(one, stands, re.IGNORECASE)]
    return f"{_BEFORE}(?:{'|'.join(found)}){_BEHIND}" if found else ""


def is_form_of_word_for_writer(words: str, word: str) -> bool:
    """Whether some words are another form of this common noun for a writer."""
    pattern = regex_for_forms_of_word_for_writer(word)
    return bool(pattern and re.fullmatch(pattern, words, re.IGNORECASE))


def list_roots_of_word_for_writer(word: str) -> list[str]:
    """What texts with a form of this common noun have, in lower case: all forms share one of them.
    Empty if no other forms are known.
    """
    if not regex_for_forms_of_word_for_writer(word):
        return []
    stands = word.casefold().strip()
    if stands.endswith(("arzt", "arztin", "ärztin", "ärzte", "aerztin", "ärztlich")):
        return ["arzt", "ärzt", "aerzt"]
    if stands.startswith(("pflege", "krankenpfleg", "altenpfleg", "schwester", "krankenschw")):
        return ["pfleg", "schwester"]
    # Accents come and go: "medico" and "médico".
    plain = "".join(one for one in unicodedata.normalize("NFKD", stands[:3]) if one.isalpha())
    return list(dict.fromkeys([plain, plain.replace("e", "é")]))
