"""What a text is about, as terms that can be compared: stems, numbers, meanings.

A term is a word's stem ("inhal"), a number ("65"), a share ("%25", also from "one in four"), a
duration in minutes ("t60", also from "one hour"), another quantity ("mm20", also from "2 cm"), a
multiple ("x2", also from "doubles"), or a group of words with the same meaning ("=12", from
``synonyms``). Stems come from the English Snowball stemmer, after British and American spelling are
made the same.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,]\d+)*|[^\W\d_]+|[%<>≤≥]")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a about after again all almost also always am among an and another any are as at be "
        "because been before being both but by can could did do does doing done during each either "
        "else ever every few for from get give given go had has have he help her here his how "
        "however i if in include included including into is it its just kind know known like"
        " likely "
        "made make making many may me might more most much must my need neither no nor not of"
        " often "
        "on only or other our out over own people person rather s same see several she should"
        " since "
        "so some sometimes still such t take taken taking than that the their them then there "
        "therefore these they thing this those though through thus to too under until up upon us "
        "use used useful using usual usually various very was way we well were what when where "
        "whether which while who whom whose why will with within without would yes yet you your "
        "patient around approximately roughly nearly ought above below one less least time help",
    )
)
_ONES = tuple(
    re.findall(
        r"\w+",
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen",
    )
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_NUMBERS = {
    **{word: n for n, word in enumerate(_ONES)},
    **{word: 10 * n for n, word in enumerate(_TENS, 2)},
    "hundred": 100,
    "thousand": 1000,
    "million": 1_000_000,
    "once": 1,
    "twice": 2,
    "single": 1,
    "dozen": 12,
}
_PARTS = {
    "half": 50.0,
    "halves": 50.0,
    "halved": 50.0,
    "halving": 50.0,
    "third": 100 / 3,
    "quarter": 25.0,
    "fourth": 25.0,
    "fifth": 20.0,
    "sixth": 100 / 6,
    "tenth": 10.0,
    "thirds": 100 / 3,
    "quarters": 25.0,
    "fifths": 20.0,
}
_PERCENT = frozenset(("%", "percent", "percentage"))
_OF = frozenset(("in", "of", "out"))
_BEFORE_WHOLE = frozenset(("of", "every", "the", "a"))
_MINUTES = {
    "minute": 1,
    "minut": 1,
    "min": 1,
    "mins": 1,
    "hour": 60,
    "hr": 60,
    "hrs": 60,
    "h": 60,
    "day": 1440,
    "week": 10_080,
    "fortnight": 20_160,
    "month": 43_830,
    "year": 525_960,
    "decad": 5_259_600,
}
_METRIC = {
    "mm": ("mm", 1.0),
    "cm": ("mm", 10.0),
    "m": ("mm", 1000.0),
    "km": ("mm", 1e6),
    "mcg": ("mcg", 1.0),
    "mg": ("mcg", 1e3),
    "g": ("mcg", 1e6),
    "kg": ("mcg", 1e9),
    "ml": ("ml", 1.0),
    "dl": ("ml", 100.0),
    "l": ("ml", 1000.0),
}
_MULTIPLES = {"twice": 2, "doubl": 2, "twofold": 2, "tripl": 3, "trebl": 3, "threefold": 3}
_PER = frozenset(("a", "per", "daily", "each", "every", "weekly", "in", "at", "when", "while"))
"""What stands behind "three times" where it counts and does not multiply."""
_OLDER = frozenset(("over", "above", "aged", "past", "beyond", "than", "from"))
_PREFIXES = frozenset(
    re.findall(
        r"\w+", "pre post non anti re co sub self inter intra over under multi micro hyper hypo"
    )
)
_UNITS = {
    "microgram": "mcg",
    "micrograms": "mcg",
    "μg": "mcg",
    "ug": "mcg",
    "milligram": "mg",
    "milligrams": "mg",
    "gram": "g",
    "grams": "g",
    "kilogram": "kg",
    "kilograms": "kg",
    "millilitre": "ml",
    "millilitres": "ml",
    "litre": "l",
    "litres": "l",
    "millimetre": "mm",
    "millimetres": "mm",
    "centimetre": "cm",
    "centimetres": "cm",
    "metre": "m",
    "metres": "m",
    "kilometre": "km",
    "kilometres": "km",
    "decibel": "db",
    "decibels": "db",
    "mmhg": "mmhg",
}
_SPELT = (
    (re.compile(r"ae(?=[mstdrgoc])|(?<=h)ae"), "e"),
    (re.compile(r"oe(?=[dsmtlrp])"), "e"),
    (re.compile(r"(?<=[a-z]{3})our(?=s?$|ed$|al$)"), "or"),
    (
        re.compile(
            r"is(?=(?:e|ed|es|ing"
            r"|ation)$)"
        ),
        "iz",
    ),
    (re.compile(r"(?<=[a-z]{3})tre(?=s?$)"), "ter"),
    (re.compile(r"yse(?=d?$)"), "yze"),
    (re.compile(r"lled$"), "led"),
    (re.compile(r"phil(?=ia)"), "fil"),
)
_KEPT = ("feed", "bleed", "breed", "need", "ceed", "speed")
"""Endings of words that are no past tenses, which the stemmer takes them for."""
_ROOT, _LONG, _MEANT = 5, 7, 0.9
_VAGUE = "~ "
_SYNONYMS = Path(__file__).with_name("synonyms.txt")
_stemmer = snowballstemmer.stemmer("english")
# It keeps the word at hand in itself: two pages at once would get each other's letters.
_stemming = threading.Lock()


def fold_case_and_accents(text: str) -> str:
    """Without case and accents."""
    small = text.casefold()
    if small.isascii():
        return small
    spread = unicodedata.normalize("NFKD", small)
    return "".join(c for c in spread if not unicodedata.combining(c))


def list_folded_words_numbers_and_signs(text: str) -> list[str]:
    """The words, numbers and signs of a text, folded."""
    return _TOKEN.findall(fold_case_and_accents(text))


@lru_cache(maxsize=65_536)
def stem_meaningful_word(word: str) -> str:
    """A word as it is compared; empty if it carries no meaning."""
    if word in _STOP:
        return ""
    if word[0].isdigit():
        return _number(word)
    if word in _UNITS:
        return _UNITS[word]
    if len(word) < 4 or not word.isascii() or word.endswith(_KEPT):
        return word
    for spelt, made in _SPELT:
        word = spelt.sub(made, word)
    with _stemming:
        return str(_stemmer.stemWord(word))


def list_meaningful_stems_and_numbers(text: str) -> list[str]:
    """The stems of a text's meaningful words, and its numbers, in order."""
    return [
        made
        for word in list_folded_words_numbers_and_signs(text)
        if (made := stem_meaningful_word(word)) and made not in "%<>≤≥"
    ]


def iterate_terms_with_weight_and_word(text: str) -> Iterator[tuple[str, float, int]]:
    """The terms of a text, their weights, and the words they come from: a word counts 1, a possible
    meaning of it less.
    """
    said = list_folded_words_numbers_and_signs(text)
    for at, word in enumerate(said):
        for term, weight in _of_word(word):
            yield term, weight, at
        if word in _PREFIXES and at + 1 < len(said) and said[at + 1].isalpha():
            yield stem_meaningful_word(word + said[at + 1]), 1.0, at
    yield from _shares_and_times(said)
    yield from _phrases(said)


@lru_cache(maxsize=65_536)
def _of_word(word: str) -> tuple[tuple[str, float], ...]:
    """The terms of a single word."""
    made = stem_meaningful_word(word)
    if not made or made in "%<>≤≥":
        return ()
    found = [(made, 1.0)]
    if len(word) >= _LONG and word.isalpha() and word.isascii():
        found.append((f"{made[:_ROOT]}-", 0.35))
    if word not in _PREFIXES and word.startswith("non") and len(word) >= _LONG:
        found.append((stem_meaningful_word(word[3:]), 0.7))
    groups = _groups()
    end, begin = groups.ending.fullmatch(word), groups.beginning.fullmatch(word)
    meant = {
        *(groups.endings[end[1]] if end else ()),
        *(groups.beginnings[begin[1]] if begin else ()),
        *groups.words.get(made, ()),
    }
    return (*found, *((f"={number}", _MEANT) for number in sorted(meant)))


def _number(word: str) -> str:
    plain = word.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", word) else word
    plain = plain.replace(",", ".")
    if plain.count(".") > 1:
        return word
    whole, _, part = plain.partition(".")
    part = part.rstrip("0")
    return f"{whole.lstrip('0') or '0'}.{part}" if part else whole.lstrip("0") or "0"


def _value(word: str) -> float | None:
    if word[0].isdigit():
        try:
            return float(_number(word))
        except ValueError:
            return None
    return _NUMBERS.get(word)


def _shares_and_times(said: list[str]) -> Iterator[tuple[str, float, int]]:
    """Numbers written as words, shares and durations, however they are written."""
    for at, word in enumerate(said):
        if word in _PARTS:
            yield from _part(said, at)
        elif word in ("a", "an"):
            yield from _one(said, at)
        elif word[0].isdigit() or word in _NUMBERS:
            yield from _counted(said, at)
        if multiple := _multiple(said, at):
            yield f"x{multiple:g}", 1.0, at


def _multiple(said: list[str], at: int) -> float:
    """Twice, doubled, three times as many, fivefold; 0 for none, and for "three times a day"."""
    made = stem_meaningful_word(said[at])
    if made in _MULTIPLES:
        return 0 if said[at + 1 : at + 2] and said[at + 1] in _PER else _MULTIPLES[made]
    if said[at].endswith("fold"):
        return _NUMBERS.get(said[at][:-4], 0)
    then = said[at + 1 : at + 3]
    if then[:1] in (["times"], ["fold"]) and then[1:] and then[1] not in _PER:
        return _value(said[at]) or 0
    return 0


def _part(said: list[str], at: int) -> Iterator[tuple[str, float, int]]:
    """A half, two thirds; half an hour. "The third" is none."""
    unit = _minutes(said, at + 2) if said[at + 1 : at + 2] in (["a"], ["an"]) else 0
    if unit:
        yield _time(_PARTS[said[at]] / 100 * unit), 1.0, at
        return
    before = said[at - 1] if at else ""
    if before == "the":
        return
    times = _value(before) if before else None
    for term, weight in _share(_PARTS[said[at]] * (times if times and times < 10 else 1)):
        yield term, weight, at


def _one(said: list[str], at: int) -> Iterator[tuple[str, float, int]]:
    """A day; an hour and a half."""
    unit = _minutes(said, at + 1)
    if unit:
        more = 0.5 if said[at + 2 : at + 5] == ["and", "a", "half"] else 0.0
        yield _time((1 + more) * unit), 0.7, at


def _counted(said: list[str], at: int) -> Iterator[tuple[str, float, int]]:
    value = _value(said[at])
    if value is None:
        return
    after = at + 1
    if not said[at][0].isdigit():
        yield f"{value:g}", 0.9, at
        if said[after : after + 3] == ["and", "a", "half"]:
            value += 0.5
            yield f"{value:g}", 0.9, at
            after += 3
        if (whole_word := _number_at(said, at)) != value and after == at + 1:
            value = whole_word
            yield f"{value:g}", 0.9, at
            after += 1
    then = said[after : after + 4]
    last = next((one for one in then[:2] if one not in ("to", "and")), "")
    end = _value(last) if last else None
    if end is not None and end > value:
        yield f"{value:g}-{end:g}", 1.0, at
    share = None
    if then[:2] == ["per", "cent"] or (then and then[0] in _PERCENT):
        share = value
    else:
        # One in ten, one out of ten, one patient in ten, seven of the ten.
        of = next((n for n, one in enumerate(then[:3]) if one in _OF), None)
        rest = [] if of is None else said[after + of + 1 : after + of + 4]
        at_whole = next((n for n, one in enumerate(rest) if one not in _BEFORE_WHOLE), None)
        if at_whole is not None and (whole := _number_at(rest, at_whole)):
            share = 100 * value / whole if value < whole <= 1000 else None
    if 55 <= value <= 95 and at and said[at - 1] in _OLDER:
        yield from ((f"={number}", 0.5, at) for number in list_numbers_of_synonym_groups("elderly"))
    if share is not None:
        for term, weight in _share(share):
            yield term, weight, at
    if then and (unit_of := _METRIC.get(stem_meaningful_word(then[0]))):
        yield f"{unit_of[0]}{value * unit_of[1]:g}", 1.0, at
    for near in range(after, after + 3):
        unit = _minutes(said, near)
        if unit:
            yield _time(value * unit), 1.0, at
            return


def _number_at(said: list[str], at: int) -> float:
    """The number that begins there, also "twenty-five"; 0 for none."""
    value = _value(said[at]) or 0.0
    ones = _NUMBERS.get(said[at + 1], 0) if at + 1 < len(said) else 0
    return value + ones if said[at] in _TENS and 0 < ones < 10 else value


def _minutes(said: list[str], at: int) -> int:
    return _MINUTES.get(stem_meaningful_word(said[at]), 0) if at < len(said) else 0


def _share(percent: float) -> Iterator[tuple[str, float]]:
    """A share and what is near it: "a third" is near 35 per cent, four fifths are most."""
    if 50 < percent < 100:
        yield from ((f"={number}", 0.5) for number in list_numbers_of_synonym_groups("majority"))
    yield f"%{round(percent)}", 1.0
    for near in sorted({5 * round((percent + shift) / 5) for shift in (-2, 0, 2)}):
        yield f"%~{near}", 0.7


def _time(minutes: float) -> str:
    return f"t{round(minutes)}"


@dataclass(frozen=True)
class _Groups:
    """Groups of synonyms by what is in them: ``words`` as stems, ``phrases`` as stems including
    stop words, ``endings`` and ``beginnings`` of words (``-pril``, ``nephr-``), each mapped to
    group numbers.

    ``longest`` is the length in words of the longest phrase that begins with each word. ``vague``
    are stems that say little on a page about health: "avoid", "increase".
    """

    words: Mapping[str, list[int]]
    phrases: Mapping[tuple[str, ...], list[int]]
    longest: Mapping[str, int]
    endings: Mapping[str, list[int]]
    beginnings: Mapping[str, list[int]]
    vague: frozenset[str]
    ending: re.Pattern[str]
    beginning: re.Pattern[str]


@cache
def _groups() -> _Groups:
    alone, phrases, endings, beginnings = (defaultdict[Any, list[int]](list) for _ in range(4))
    vague, longest = set(), dict[str, int]()
    for number, line in enumerate(_lines()):
        for phrase in line.removeprefix(_VAGUE).split(", "):
            key = tuple(_bare(word) for word in list_folded_words_numbers_and_signs(phrase))
            if phrase.startswith("-"):
                endings[phrase[1:]].append(number)
            elif phrase.endswith("-"):
                beginnings[phrase[:-1]].append(number)
            elif len(key) > 1:
                phrases[key].append(number)
                longest[key[0]] = max(longest.get(key[0], 0), len(key))
            else:
                alone[key[0]].append(number)
                if line.startswith(_VAGUE):
                    vague.add(key[0])
    ending, beginning = (
        "|".join(sorted(one, key=len, reverse=True)) for one in (endings, beginnings)
    )
    return _Groups(
        alone,
        phrases,
        longest,
        endings,
        beginnings,
        frozenset(vague),
        re.compile(rf"[a-z]+?({ending})s?"),
        re.compile(rf"({beginning})[a-z]{{2,}}"),
    )


@cache
def list_numbers_of_synonym_groups(phrase: str) -> list[int]:
    """The numbers of the groups that contain a word or phrase."""
    key = tuple(_bare(word) for word in list_folded_words_numbers_and_signs(phrase))
    return _groups().phrases.get(key) or _groups().words.get(key[0], [])


def _lines() -> list[str]:
    """Medical words and phrases with the same, or nearly the same, meaning: one group per line.

    Our own list: the words that patients, clinicians and British and American English use for what
    health pages are about. A word in a statement matches one on the page if both are in one group.
    ``-pril`` stands for every word with that ending (drugs by their international names: WHO, the
    stem book), ``nephr-`` for every word with that beginning; words after ``~`` are vague. Spelling
    differences alone (oe, ae, -our, -ise) are handled elsewhere.
    """
    return _SYNONYMS.read_text(encoding="utf-8").splitlines()


@lru_cache(maxsize=65_536)
def _bare(word: str) -> str:
    """The stem, even of a word that carries no meaning alone."""
    if word in _STOP:
        return word
    return stem_meaningful_word(word)


def _phrases(said: list[str]) -> Iterator[tuple[str, float, int]]:
    groups = _groups()
    keys = [_bare(word) for word in said]
    for at, key in enumerate(keys):
        for length in range(2, min(groups.longest.get(key, 0), len(keys) - at) + 1):
            for number in groups.phrases.get(tuple(keys[at : at + length]), ()):
                yield f"={number}", 1.0, at


def is_vague_stem(made: str) -> bool:
    """Whether a stem says little about a health page: "avoid", "increase"."""
    return made in _groups().vague
