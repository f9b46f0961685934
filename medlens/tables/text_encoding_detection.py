"""Which encoding a text file is in that is not UTF-8, as spreadsheet programs of other languages
save it: by how often the letters come up that are frequent in a language.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable

from medlens.deferred_regex import compile_later

_LOOKED_AT = 200_000
_FEWEST = 12
"""Characters that are not ASCII from which on they are counted."""
_RUNS = 0.5
"""The share of bytes above ASCII beside others of their kind from which on no Western text is."""
_SURE, _SURELY, _KANA = 0.55, 0.85, 0.25

_RUSSIAN = frozenset("оеаинтсрвлкмдпуяызьбг")
_GREEK = frozenset("αοιετσνηυρκπςάόίέήμλ")
_ARABIC = frozenset("ايلمنترةبعدوسفحكهقأ ")
_HEBREW = frozenset("יוהלאתרבשמנחםדע")
_EAST = {
    "euc_jp": "Japanese (EUC-JP)",
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
_LATIN = {
    "cp1252": "",
    "cp1250": "Central European (Windows-1250)",
    "cp1254": "Turkish (Windows-1254)",
    "cp1257": "Baltic (Windows-1257)",
    "iso8859-2": "Central European (ISO 8859-2)",
    "iso8859-16": "South-Eastern European (ISO 8859-16)",
    "mac_roman": "Western (Mac Roman)",
    "mac_latin2": "Central European (Mac)",
    "cp850": "Western (DOS, CP850)",
    "cp852": "Central European (DOS, CP852)",
}
"""Encodings of Latin letters; of those that explain a text equally well the first is taken."""
_LANGUAGES = (
    *("äöüßé", "éèêëàâçîïôùûüœæÿ", "áéíóúñü", "ãõáéíóúâêôàçü", "àèéìíîòóùú", "çáéíïòóúüàè"),
    *("åäöéü", "æøåäöéèêëóòâü", "öáðéíóúýþæ", "äõöüšžå", "ëçéäöü", "ėąčęįšųūž", "āčēģīķļņšūž"),
    *("áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "ąćęłńóśźż", "áéíóöőúüű", "ăâîșțşţ", "čćđšž"),
    "çğıöşüâîiİ",
)
"""The letters beyond ASCII of each language that is written so, in lower case."""
_LETTERS = tuple(frozenset(letters + letters.upper()) for letters in _LANGUAGES)
_SIGNS = frozenset("„“”‚‘’«»‹›–—…•·¿¡°µ²³§±×÷€£™®©½¼¾ªº´\u00a0\u00ad†≥≤≠≈→")
"""What is not a letter and stands in texts of any language."""
_MISPLACED = compile_later(
    r"(?<=[^\W\d_])(?!(?<=l)·)[^\w\s\x00-\x7f’‘´–—\u00ad](?=[^\W\d_])|[†‡§©®™¼½¾²³¹ªº](?=[^\W\d_])|[\x80-\x9f\ufffd]"
)
"""A sign within a word, and what is no character."""
_CAPITAL_WITHIN = compile_later(r"(?<=[^\W\d_])[^\x00-\x7f\W\d_]")
_CLEARLY, _BETTER, _MORE = 0.9, 0.2, 2
"""The share of what is not ASCII that an encoding must explain, and by how much, and by how many
characters, more than Windows-1252 does.
"""
_IS_ISO_2022 = re.compile(rb"\x1b\$[@B]")
_HIGH = re.compile(rb"[\x80-\xff]")
_IN_A_RUN = re.compile(rb"[\x80-\xff](?=[\x80-\xff])|(?<=[\x80-\xff])[\x80-\xff]")


def guess_encoding_and_its_description(content: bytes) -> tuple[str, str]:
    """Python's name of the encoding of a text's beginning, and words for it; both are empty for
    UTF-8 and for what may as well be Windows-1252.
    """
    sample = content[:_LOOKED_AT]
    if _IS_ISO_2022.search(sample):
        return "iso2022_jp", "Japanese (ISO-2022-JP)"
    if wide := _is_wide(sample):
        return wide, "UTF-16"
    if is_utf8(sample, is_all=len(sample) == len(content)):
        return "", ""
    high = len(_HIGH.findall(sample))
    if high < _FEWEST or len(_IN_A_RUN.findall(sample)) < _RUNS * high:
        return _of_latin_letters(sample)
    shares = {name: _share(sample, name, _is_common(name)) for name in _EAST}
    # Kana are common in Japanese, and nothing else has this many.
    shares["euc_jp"] = 1.0 if shares["euc_jp"] > _KANA else 0.0
    for name, (_, letters) in _SINGLE.items():
        shares[name] = _share(sample, name, letters.__contains__)
    best = max(shares, key=lambda name: shares[name])
    # Most bytes of Korean are also Chinese, and not the other way round.
    best = "cp949" if shares["cp949"] > _SURELY else best
    if shares[best] < _SURE:
        return "", ""
    return best, _EAST.get(best) or _SINGLE[best][0]


def is_utf8(sample: bytes, *, is_all: bool = False) -> bool:
    """Whether a text's beginning, or ``is_all`` of it, is in UTF-8."""
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample, final=is_all)
    except UnicodeDecodeError:
        return False
    return True


def _is_wide(sample: bytes) -> str:
    """UTF-16's name where a text is in it without its mark; "" where it is not: in most pairs of
    bytes one is nothing.
    """
    pairs = len(sample) // 2
    for name, nothing, other in (
        ("utf-16-le", sample[1::2], sample[::2]),
        ("utf-16-be", sample[::2], sample[1::2]),
    ):
        if pairs >= _FEWEST and 2 * nothing.count(0) > pairs and not other.count(0):
            return name
    return ""


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
    if name == "euc_jp":
        # Of Japanese text a good part is kana, which Chinese has at the same places, and never.
        return lambda char: "\u3041" <= char <= "\u30ff" or char in "、。「」・ー"
    if name == "cp932":
        # Of Japanese text a good part is kana; half-width ones stand for bytes of another one.
        return lambda char: "\u3001" <= char <= "\u30ff" or _lead(char, name) in range(0x88, 0x97)
    first, last = (0xB0, 0xD7) if name == "gb18030" else (0xA4, 0xC6)
    return lambda char: char in ",。?!:;、()“”《》" or _lead(char, name) in range(first, last + 1)


def _lead(char: str, name: str) -> int:
    raw = char.encode(name, "replace")
    return raw[0] if len(raw) == 2 else 0


def _of_latin_letters(sample: bytes) -> tuple[str, str]:
    """The encoding of a text in which letters that are not ASCII are few, as in Czech or French."""
    explained = {name: _explained(sample, name) for name in _LATIN}
    best = max(explained, key=lambda name: explained[name])
    western = sample.decode("cp1252", "replace")
    if (
        explained["cp1254"] >= _CLEARLY
        and len(re.findall(r"[ðþýÝÞÐ]", western)) >= _MORE
        and not re.search(r"[áéíóúæ]", western)
    ):
        # Letters of Icelandic, which has these others in every sentence.
        return "cp1254", _LATIN["cp1254"]
    better = explained[best] - explained["cp1252"]
    if (
        explained[best] < _CLEARLY
        or better < _BETTER
        or better * len(_HIGH.findall(sample)) < _MORE - 0.5
    ):
        return "", ""
    return best, _LATIN[best]


def _explained(sample: bytes, name: str) -> float:
    """The share of the characters beyond ASCII that stand where one and the same language, or
    any, has them.
    """
    text = sample.decode(name, "replace")
    beyond = Counter(char for char in text if char > "\x7f")
    odd = Counter(_MISPLACED.findall(text))
    for found in _CAPITAL_WITHIN.finditer(text):
        # "RŽponse": capitals stand within a word only if all of it is in capitals.
        if found[0].isupper() and text[found.start() - 1].islower():
            odd[found[0]] += 1
    well = beyond - odd
    signs = sum(count for char, count in well.items() if char in _SIGNS)
    letters = max(
        sum(count for char, count in well.items() if char in letters) for letters in _LETTERS
    )
    return (signs + letters) / max(beyond.total(), 1)
