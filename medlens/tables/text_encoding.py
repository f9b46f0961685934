"""Which encoding a text file is in that is not UTF-8, as spreadsheet programs of other languages
save it: by how often the letters come up that are frequent in a language.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

_LOOKED_AT = 200_000
_FEWEST = 12
"""Characters that are not ASCII from which on they are counted."""
_RUNS = 0.5
"""The share of bytes above ASCII beside others of their kind from which on no Western text is."""
_SURE, _SURELY = 0.55, 0.85

_RUSSIAN = frozenset("оеаинтсрвлкмдпуяызьбг")
_GREEK = frozenset("αοιετσνηυρκπςάόίέήμλ")
_ARABIC = frozenset("ايلمنترةبعدوسفحكهقأ ")
_HEBREW = frozenset("יוהלאתרבשמנחםדע")
_EAST = {
    "cp932": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "cp949": "Korean (CP949)",
}
_SINGLE = {
    "cp1251": ("Cyrillic (Windows-1251)", _RUSSIAN),
    "koi8-r": ("Cyrillic (KOI8-R)", _RUSSIAN),
    "cp1253": ("Greek (Windows-1253)", _GREEK),
    "cp1255": ("Hebrew (Windows-1255)", _HEBREW),
    "cp1256": ("Arabic (Windows-1256)", _ARABIC),
}
_CENTRAL = frozenset("ąćęłńśźżĄĆĘŁŃŚŹŻěščřžýáíéůúťďňĚŠČŘŽőűŐŰăâîșțşţ")
_TURKISH = frozenset("ğışİŞĞçöüÇÖÜ")
_HIGH = re.compile(rb"[\x80-\xff]")
_IN_A_RUN = re.compile(rb"[\x80-\xff](?=[\x80-\xff])|(?<=[\x80-\xff])[\x80-\xff]")


def guess_encoding(content: bytes) -> tuple[str, str]:
    """Python's name of the encoding of a text's beginning, and words for it; both are empty for
    UTF-8 and for what may as well be Windows-1252.
    """
    sample = content[:_LOOKED_AT]
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=len(sample) == len(content))
    except UnicodeDecodeError:
        pass
    else:
        return "", ""
    high = len(_HIGH.findall(sample))
    if high < _FEWEST:
        return "", ""
    if len(_IN_A_RUN.findall(sample)) < _RUNS * high:
        return _of_latin_letters(sample)
    shares = {name: _share(sample, name, _is_common(name)) for name in _EAST}
    for name, (_, letters) in _SINGLE.items():
        shares[name] = _share(sample, name, letters.__contains__)
    best = max(shares, key=lambda name: shares[name])
    # Most bytes of Korean are also Chinese, and not the other way round.
    best = "cp949" if shares["cp949"] > _SURELY else best
    if shares[best] < _SURE:
        return "", ""
    return best, _EAST.get(best) or _SINGLE[best][0]


def _share(sample: bytes, name: str, is_common: Callable[[str], bool]) -> float:
    """The share of common characters among those of a sample that are not ASCII."""
    try:
        # The sample may end within a character.
        text = codecs.getincrementaldecoder(name)().decode(sample)
    except UnicodeDecodeError:
        return 0.0
    letters = [char for char in text if char > "\x7f"]
    return sum(map(is_common, letters)) / max(len(letters), 1)


def _is_common(name: str) -> Callable[[str], bool]:
    """Whether a character is one of an East Asian language's common ones, by where the standard
    has it: common ideographs stand first.
    """
    if name == "cp949":
        return lambda char: "가" <= char <= "힣" or "\u3000" <= char <= "\u303f"
    if name == "cp932":
        # Of Japanese text a good part is kana; half-width ones stand for bytes of another one.
        return lambda char: "\u3001" <= char <= "\u30ff" or _lead(char, name) in range(0x88, 0x97)
    first, last = (0xB0, 0xD7) if name == "gb18030" else (0xA4, 0xC6)
    return lambda char: char in ",。?!:;、()“”《》" or _lead(char, name) in range(first, last + 1)


def _lead(char: str, name: str) -> int:
    raw = char.encode(name, "replace")
    return raw[0] if len(raw) == 2 else 0


def _of_latin_letters(sample: bytes) -> tuple[str, str]:
    """Central European and Turkish text, whose letters are signs or other letters in Western."""
    western = sample.decode("cp1252", "replace")
    words = re.findall(r"[^\W\d_]*[^\x00-\x7f][^\W\d_]*", western)
    # A sign within a word, as in "Pytaj¹cy", is no Western text.
    strange = sum(
        bool(re.search(r"[^\W\d_][¹³¿Ÿœ¡¢£¤¥¦¨ª¯²´µ¶¸º¼¾¿][^\W\d_]", word)) for word in words
    )
    if strange * 4 >= max(len(words), 1) and (
        _share(sample, "cp1250", _CENTRAL.__contains__) > _SURE
    ):
        return "cp1250", "Central European (Windows-1250)"
    turkish = sum(bool(re.search(r"[ðþýÝÞÐ]", word)) for word in words)
    if turkish * 3 >= max(len(words), 1) and not re.search(r"[áéíóúæ]", western):
        return "cp1254", "Turkish (Windows-1254)"
    return "", ""
