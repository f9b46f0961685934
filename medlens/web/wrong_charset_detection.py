"""Which single-byte encoding a page's letters were written in, where its declaration is wrong.

Servers that name one charset for all of their pages, and pages saved in another one than they say,
turn Czech into "Chøipka" and Greek into "З гсЯрз". Text read rightly has the letters of one
language; read wrongly it has those of none, capitals inside words, or two alphabets in one.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

_ENCODINGS = (
    *("cp1252", "cp1250", "iso8859-2", "cp1254", "cp1257", "cp1251", "koi8-r", "iso8859-5"),
    *("cp1253", "iso8859-7"),
)
_LATIN = (
    *("äöüß", "éèêëàâçîïôùûüœæÿ", "áéíóúüñàèòçïªº", "àèéìíòóùúîª", "áâãàçéêíóôõúüª"),
    *("áéíóúëïöüèê", "åäöéüæøáóò", "áéíóúýðþæö", "áčďéěíňóřšťúůýžöü", "áäčďéíĺľňóôŕšťúýž"),
    *("ąćęłńóśźż", "áéíóöőúüű", "ăâîșțşţáé", "čćđšž", "çğıöşüâîûi̇", "çëâêîôûéà"),
    *("āčēģīķļņšūžõō", "ąčęėįšųūž", "õäöüšž", "áéíóúàèìòùâêîôûŵŷ"),
)
_OTHER_SCRIPTS = {
    "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґјљњћђџѓќѕў": ("аеиоуыяюэёіїє", 0.33),
    "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώςϊϋ": ("άέήίόύώ", 0.03),
}
_ALPHABETS = tuple(map(frozenset, (*_LATIN, *_OTHER_SCRIPTS)))
_SIGNS = frozenset("‘’‚“”„«»‹›–—…°·•µ±×÷§©®™€£\u00a0\u00ad¿¡²³½¼¾†‡¹")
_WORD = re.compile(r"[^\W\d_]+")
_MARKUP = re.compile(
    rb"<(script|style)\b.{0,100000}?</\1\s*>|<[^>]{0,2000}>", re.IGNORECASE | re.DOTALL
)
_LOOKED_AT, _ENOUGH = 200_000, 20_000
_FEWEST_LETTERS = 8
_READS_WELL, _AS_GOOD = 0.96, 0.01
_MOST_CAPITALS = 0.6


def likeliest_encoding(body: bytes, declared: str = "") -> str:
    """The encoding in which a body reads as some language, if as ``declared`` (Python's name, empty
    if nothing is) it reads as none; empty where that is unsure.
    """
    bare = _MARKUP.sub(b" ", body[:_LOOKED_AT])[:_ENOUGH]
    if declared and declared not in _ENCODINGS and _is_of(body, declared):
        return ""
    here = _share_that_reads(bare, declared) if declared in _ENCODINGS else 0.0
    shares = {name: _share_that_reads(bare, name) for name in _ENCODINGS}
    best = max(shares, key=shares.__getitem__)
    if shares[best] < _READS_WELL or shares[best] <= here + _AS_GOOD:
        return ""
    return best


def _is_of(body: bytes, encoding: str) -> bool:
    try:
        body.decode(encoding)
    except UnicodeError:
        return False
    return True


def _share_that_reads(bare: bytes, encoding: str) -> float:
    """The share of the letters and signs above ASCII that stand where a language has them; 0 where
    they are too few to tell, or the bytes are not of this encoding.
    """
    try:
        text = unicodedata.normalize("NFC", bare.decode(encoding))
    except UnicodeDecodeError:
        return 0.0
    high = [char for char in text if char > "\x7f"]
    letters = [char.lower() for char in high if char.isalpha() and char not in "ªº"]
    capitals = sum(char.isupper() for char in high)
    if len(letters) < _FEWEST_LETTERS or capitals > _MOST_CAPITALS * len(letters):
        return 0.0
    odd = sum(not char.isalpha() and char not in _SIGNS and not char.isspace() for char in high)
    odd += sum(map(_letters_out_of_place, _WORD.findall(text)))
    known = max(sum(char in alphabet for char in letters) for alphabet in _ALPHABETS)
    for alphabet, (frequent, least) in _OTHER_SCRIPTS.items():
        inside = [char for char in letters if char in alphabet]
        if len(inside) == known and sum(char in frequent for char in inside) < least * known:
            # Hebrew's bytes, say, are all letters of Cyrillic and Greek too.
            return 0.0
    return (known - odd) / len(letters)


def _letters_out_of_place(word: str) -> int:
    """The letters above ASCII in a word of two alphabets, or capitals behind small letters."""
    if word.isascii():
        return 0
    high = [char for char in word if char > "\x7f"]
    scripts = {unicodedata.name(char, "?").split()[0] for char in word if char not in "ªº"}
    if len(scripts) > 1:
        return len(high)
    return sum(
        char.isupper() and before.islower() and (char > "\x7f" or before > "\x7f")
        for before, char in pairwise(word)
    )
