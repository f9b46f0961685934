"""Words of cases and dialogues for comparison, without case, accents, apostrophes and endings.

For finding what was said about a case; never for showing text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

_WORD = re.compile(r"\d+(?:[.,/:]\d+)*|[a-z]+")
_ACCENT = re.compile(r"[\u0300-\u036f]+")
_POSSESSIVE = re.compile(r"'s\b")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z0-9(*-])|\n|\s-\s+(?=[A-Z])")

# Words that carry no finding. "no" and "not" are not among a leaf's words either: the answer "No."
# to "Any fever?" says that there is none.
_STOP = """
a about after all also am an and any are as at be been before being both but by can could
did do does doing down during each for from further had has have having he her here hers him
his how i if in into is it its just like ll m me more most my no nor not now of off on once
only or other our out over own per re s same she since so some such t than that the their them then
there these they this those through to too under until up ve very was we were what when where
which while who whom why will with without would you your yes okay ok thank thanks please
doctor patient report reports reported deny denies denied note notes noted presents
finding findings result results
"""
STOP_WORDS = frozenset(_STOP.split())
_NOTHING = frozenset({""})


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    """A word without its ending; empty for a stop word."""
    if word in STOP_WORDS:
        return ""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 7 and word.endswith("ness"):
        return word[:-4]
    for ending in ("ing", "ed"):
        if len(word) > len(ending) + 3 and word.endswith(ending):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return word[:-1] if len(word) > 4 and word.endswith("e") else word


def fold_case_accents_and_spaces(text: str) -> str:
    """Lower case, without accents, with straight apostrophes, single spaces."""
    if not text.isascii():
        text = text.replace("\u2019", "'").replace("\u2018", "'")
        text = _ACCENT.sub("", unicodedata.normalize("NFKD", text))
    return " ".join(text.casefold().split())


def words_and_numbers(text: str) -> list[str]:
    """The words and numbers of a text in order, as in ``plain``; the possessive s is dropped."""
    return _WORD.findall(_POSSESSIVE.sub("", fold_case_accents_and_spaces(text).replace("_", " ")))


def content_stems_of_words(words: Iterable[str]) -> frozenset[str]:
    """The stems of the content words, and the numbers, among words from ``tokens``."""
    return frozenset(map(_stem, words)) - _NOTHING


def find_content_word_stems(text: str) -> frozenset[str]:
    """``stems`` of a text."""
    return content_stems_of_words(words_and_numbers(text))


turn_words = lru_cache(maxsize=4096)(find_content_word_stems)
"""``find_content_word_stems``, cached for a while: several measures look at the same turn."""


def split_into_sentences(text: str) -> list[str]:
    """A text split into sentences, lines and dashed points; never empty ones."""
    return [part.strip() for part in _SENTENCE.split(text) if part and part.strip()]


def find_places_of_phrase(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Where the words of ``wanted`` are next to each other in ``text``, as (start, end).

    Compared as ``tokens``; offsets are into ``text`` as it is.
    """
    seek = words_and_numbers(wanted)
    if not seek or seek[0] not in fold_case_accents_and_spaces(text):
        return
    found, size = words_and_numbers_with_places(text), len(seek)
    for first in range(len(found) - size + 1):
        run = found[first : first + size]
        if run[0][0] == seek[0] and [word for word, _, _ in run] == seek:
            yield run[0][1], run[-1][2]


def words_and_numbers_with_places(text: str) -> list[tuple[str, int, int]]:
    """The ``tokens`` of a text, each with its start and end in the text as it is."""
    letters: list[str] = []
    places: list[int] = []
    for at, letter in enumerate(text):
        for piece in fold_case_accents_and_spaces(letter) or " ":
            letters.append(" " if piece == "_" else piece)
            places.append(at)
    # Same length, so that offsets stay valid: a dropped possessive leaves spaces behind.
    flat = _POSSESSIVE.sub("  ", "".join(letters))
    return [
        (match.group(), places[match.start()], places[match.end() - 1] + 1)
        for match in _WORD.finditer(flat)
    ]


# -- spelling --------------------------------------------------------------------------------------

_CARDINAL = "one two three four five six seven eight nine ten eleven twelve"
_ORDINAL = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
CARDINALS = {word: at for at, word in enumerate(_CARDINAL.split(), 1)}
_NUMBERS = CARDINALS | {word: at for at, word in enumerate(_ORDINAL.split(), 1)}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_ROMANS = "i ii iii iv v vi vii viii ix x"
_ROMAN = {word: str(at) for at, word in enumerate(_ROMANS.split(), 1)}
_COUNTED = {"type", "stage", "grade", "class", "degree", "group", "factor", "nerve"}
"""After these, a Roman number is a number, not the first person or a letter."""
_ENDINGS = (
    ("ies", "y"),
    ("ices", "ix"),
    ("tases", "tasis"),
    ("oses", "osis"),
    ("sses", "ss"),
    ("ula", "ulum"),
    ("uli", "ulus"),
    ("our", "or"),
)


@lru_cache(maxsize=100_000)
def _spelt(word: str) -> str:
    """A word in the singular and in American spelling; a number word as digits."""
    if word in _NUMBERS:
        return str(_NUMBERS[word])
    word = word.replace("ae", "e").replace("oe", "e")
    for ending, other in _ENDINGS:
        if len(word) > len(ending) + 2 and word.endswith(ending):
            return word[: -len(ending)] + other
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word


def list_normalised_words_with_places(text: str) -> list[tuple[str, int, int]]:
    """``located``, with each word in the one form that all its spellings share.

    "oesophageal varices" and "esophageal varix", "type II" and "type two", "3rd" and "third",
    "twenty-one" and "21" are alike; "post-traumatic" stays two words.
    """
    kept: list[tuple[str, int, int]] = []
    for word, start, end in words_and_numbers_with_places(text):
        last = kept[-1] if kept else ("", -1, -1)
        if last[2] == start and last[0].isdigit() and word in ("st", "nd", "rd", "th"):
            kept[-1] = (last[0], last[1], end)
        elif word in _TENS:
            kept.append((str(_TENS[word]), start, end))
        elif text[last[1] : last[2]].casefold() in _TENS and word in _NUMBERS:
            kept[-1] = (str(int(last[0]) + _NUMBERS[word]), last[1], end)
        elif word in _ROMAN and last[0] in _COUNTED:
            kept.append((_ROMAN[word], start, end))
        else:
            kept.append((_spelt(word), start, end))
    return kept


def places_of_phrase_in_any_spelling(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """``find_places_of_phrase`` in any spelling, written together or apart ("posttraumatic")."""
    words = [word for word, _, _ in list_normalised_words_with_places(wanted)]
    seek, longest = "".join(words), max(words, key=len, default="")
    alike = fold_case_accents_and_spaces(text).replace("ae", "e").replace("oe", "e")
    if not seek or not (longest.isdigit() or longest[:3] in alike):
        return
    found = list_normalised_words_with_places(text)
    for first, (word, start, _) in enumerate(found):
        joined = ""
        if seek.startswith(word):
            for more, _, end in found[first:]:
                joined += more
                if joined == seek:
                    yield start, end
                if not seek.startswith(joined):
                    break
