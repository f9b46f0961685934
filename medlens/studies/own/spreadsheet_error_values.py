"""What spreadsheet programs write into a cell that they cannot work out, in any language."""

from __future__ import annotations

import unicodedata

from medlens.deferred_regex import compile_later

_LONGEST = 40
_NOTHING_FOUND = compile_later(
    # "#N/A", "#N/D!", "#Н/Д", "#I/T", and where a language has a word for it.
    r"#(?:[^\W\d_]/[^\W\d_]!?|(?i:na|nv|nd|yok|saknas|puuttuu|hiányzik|není_k_dispozici"
    r"|nedostupn[ýé]|null!))"
)
_CANNOT_WORK_OUT = compile_later(
    # "#NAME?", "#DIV/0!", "#¿NOMBRE?", "#ДЕЛ/0!", "#ΔΙΑΙΡ./0!". Each letter is taken
    # in one way alone: a long hashtag would be tried in all ways otherwise.
    r"#[¡¿]?[^\W\d_]\w+(?:[./']{1,2}[^\W_]+)*[!?]|#GETTING_DATA|#DATEN_ABRUFEN|#{4,}"
    # LibreOffice has numbers where there is no word.
    r"|[Ee]rr ?: ?5\d\d"
)
_IN_SMALL_LETTERS = compile_later(
    r"#(?:name\?|ref!|value!|div/0!|num!|spill!|calc!|error!|wert!|bezug!|zahl!|valeur!|valor!)"
)
"""Those that are known even where somebody has made their letters small."""


def is_word_for_value_not_found(text: str) -> bool:
    """Whether a cell is what a spreadsheet program writes for a value that is not there: "#N/A",
    in German "#NV", in Polish "#N/D!".
    """
    return text[:1] == "#" and bool(_NOTHING_FOUND.fullmatch(_in_one_composition(text)))


def is_error_value_of_spreadsheet(text: str) -> bool:
    """Whether a cell is what a spreadsheet program writes for what it cannot work out: "#NAME?",
    in Italian "#VALORE!", in Russian "#ЗНАЧ!". These are in capitals.
    """
    if text[:1] not in ("#", "E", "e") or len(text) > _LONGEST:
        return False
    plain = _in_one_composition(text)
    if _NOTHING_FOUND.fullmatch(plain):
        return False
    capitals = plain[:1] != "#" or plain == plain.upper()
    found = bool(_CANNOT_WORK_OUT.fullmatch(plain)) and capitals
    return found or bool(_IN_SMALL_LETTERS.fullmatch(plain.casefold()))


def _in_one_composition(text: str) -> str:
    return unicodedata.normalize("NFC", text)
