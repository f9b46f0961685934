"""What is wrong with a case, found before money is spent on it.

Every finding names its place in the case, so a page can show it there.

**The diagnosis in the test results.** A result *states* the diagnosis if its words are in it, next
to each other, as a finding of this patient: ``diagnosis_in_tests``, 15 of the 107 published cases.
An abbreviation in brackets after the name is not part of it. A separate kind, ``diagnosis_hinted``,
is for results that name it another way (without the rest of what is in brackets, by its
abbreviation alone, in the plural or another spelling, with its words in another order) or only say
what a finding is associated with in general. A result that denies it ("no evidence of …") is no
finding, nor is another disease whose name contains it ("pulmonary hypertension").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from medlens.deferred_regex import compile_later
from medlens.studies.agentclinic.records import Case
from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import (
    CARDINALS,
    STOP_WORDS,
    find_places_of_phrase,
    fold_case_accents_and_spaces,
    list_normalised_words_with_places,
    places_of_phrase_in_any_spelling,
    words_and_numbers,
)

Code = Literal[
    "diagnosis_in_tests",
    "diagnosis_hinted",
    "too_young",
    "no_tests",
    "duplicate_diagnosis",
    "image_missing",
]
CODES: dict[Code, str] = {
    "diagnosis_in_tests": "The diagnosis is in the test results",
    "diagnosis_hinted": "The test results name the diagnosis another way",
    "too_young": "The patient is too young to speak",
    "no_tests": "There are no test results",
    "duplicate_diagnosis": "Another case has the same diagnosis",
    "image_missing": "The image is missing",
}

SPEAKS_FROM = 3.0
"""Age in years from which a child is assumed to tell its own history."""

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class CaseFault:
    """One fault: its kind, where in the case it is, and the words in question.

    ``path`` leads through ``case.content``; ``start`` and ``end`` are offsets into the text there,
    ``None`` if it is not about a passage. ``detail`` says more in a few words.
    """

    code: Code
    path: Path
    start: int | None = None
    end: int | None = None
    quote: str = ""
    detail: str = ""

    @property
    def fault_in_words(self) -> str:
        return CODES[self.code] + (f": {self.detail}" if self.detail else "") + "."


# A denial covers a few words, but not past a comma: "absence of ganglion cells, consistent with".
_DENIED = compile_later(
    r"\b(?:no|not|without|negative for|excluded?|excludes|rules? out|ruled out|absence of"
    r"|denies|unlikely|against)\b(?: [^ .;:,]+){0,4} ?$"
)
_AFTER_DENIED = compile_later(r"^(?:[^ .;:,]+ ){0,3}(?:excluded|ruled out|unlikely)\b")
_IN_GENERAL = compile_later(
    r"\b(?:(?:is|are|be|often|commonly) )?(?:associated with|seen in|found in|occurs? in"
    r"|common in|typical in)\b[^.;:]*$"
)
# Other diseases whose names contain the one found, marked <>.
_ANOTHER = compile_later(
    r"\bnon[ -]?<|>-like\b|\b(?:pulmonary|portal|intracranial|ocular)<hypertension>"
    r"|\b(?:st|segment|respiratory|marrow)<depression>|<diabetes>insipidus|\bheat<stroke>"
    r"|<stroke>volume|\bgerman<measles>|\bludwig(?:'s)?<angina>|\bcardiac<asthma>"
)
# If a text denies a disease over and over, the rest is not read.
_MENTIONS, _AROUND = 20, 200
_BRACKETS = compile_later(r"\([^()]*\)|\[[^\[\]]*\]")
_CLAUSE = compile_later(r"[^.:;!?\n]+")
# An abbreviation has at least two capitals or digits; "(left)" and "(Steinert)" are not.
_SHORT = compile_later(r"(?=(?:.*[A-Z0-9]){2})[A-Za-z][A-Za-z0-9-]{1,7}")


@dataclass(frozen=True)
class DiagnosisMention:
    """Where a text names a disease; ``stated``: word for word and as a finding."""

    start: int
    end: int
    stated: bool


def find_diagnosis_in_text(text: str, diagnosis: str) -> DiagnosisMention | None:
    """Where ``text`` names ``diagnosis``, or ``None``; a denied mention does not count."""
    hinted = None
    names = _names(diagnosis)
    for name, stated in names:
        short = name != diagnosis and _SHORT.fullmatch(name)
        found = _placed(
            text, (_short if short else find_places_of_phrase)(text, name), stated=stated
        )
        if found and found.stated:
            return found
        hinted = hinted or found
    for name, _ in names:
        if not hinted and not _SHORT.fullmatch(name):
            hinted = _placed(text, places_of_phrase_in_any_spelling(text, name), stated=False)
    return hinted


def _names(diagnosis: str) -> list[tuple[str, bool]]:
    """The names to look for, and whether each is the whole diagnosis."""
    bare, within = _parted(diagnosis)
    whole = {bare} if all(map(_SHORT.fullmatch, within)) else set()
    if _SHORT.fullmatch(bare):
        # "LCPD (Legg-Calvé-Perthes disease)": the name is in the brackets.
        whole = set(within)
    return [
        (diagnosis, True),
        *((name, name in whole) for name in find_other_names_of_diagnosis(diagnosis)),
    ]


def _short(text: str, name: str) -> Iterator[tuple[int, int]]:
    """Where an abbreviation is, in its own capitals: "20 ms" is not multiple sclerosis."""
    for found in re.finditer(rf"\b{re.escape(name)}(?=s?\b)", text):
        yield found.span()


def _placed(
    text: str, places: Iterable[tuple[int, int]], *, stated: bool
) -> DiagnosisMention | None:
    hinted = None
    for start, end in islice(places, _MENTIONS):
        before = fold_case_accents_and_spaces(text[max(0, start - _AROUND) : start])
        after = fold_case_accents_and_spaces(text[end : end + _AROUND])
        another = _ANOTHER.search(
            f"{before}<{fold_case_accents_and_spaces(text[start:end])}>{after}"
        )
        before += " "
        if not (another or _DENIED.search(before) or _AFTER_DENIED.search(after)):
            general = _IN_GENERAL.search(before)
            if stated and not general:
                return DiagnosisMention(start, end, True)
            hinted = hinted or DiagnosisMention(start, end, False)
    return hinted


def find_other_names_of_diagnosis(diagnosis: str) -> list[str]:
    """The name without its brackets, and what is in them if either is short for the other."""
    bare, within = _parted(diagnosis)
    spelt_out = bool(_SHORT.fullmatch(bare))
    names = [bare, *(name for name in within if spelt_out or _SHORT.fullmatch(name))]
    return [name for name in names if name and name != diagnosis]


def _parted(diagnosis: str) -> tuple[str, list[str]]:
    """The name without its brackets, and the content of each."""
    bare = " ".join(_BRACKETS.sub(" ", diagnosis).split())
    return bare, [part[1:-1].strip() for part in _BRACKETS.findall(diagnosis)]


def _places_near(text: str, diagnosis: str) -> Iterator[tuple[int, int]]:
    """The clauses that contain all words of a name (two or more), in any order."""
    wanted = {
        word for word, _, _ in list_normalised_words_with_places(_BRACKETS.sub(" ", diagnosis))
    } - STOP_WORDS
    if len(wanted) < 2:
        return
    for clause in _CLAUSE.finditer(text):
        words = list_normalised_words_with_places(clause.group())
        if wanted <= {word for word, _, _ in words}:
            places = [(start, end) for word, start, end in words if word in wanted]
            yield clause.start() + places[0][0], clause.start() + places[-1][1]


def list_faults_of_case(case: Case, *, same_diagnosis: int = 0) -> list[CaseFault]:
    """What is wrong with one case; ``same_diagnosis`` other cases have its diagnosis."""
    found = [*_leaks(case), *_age(case)]
    if not _has_text(case.test_results):
        found.append(CaseFault("no_tests", _top(case, "tests")))
    if same_diagnosis:
        more = "1 other case" if same_diagnosis == 1 else f"{same_diagnosis} other cases"
        found.append(CaseFault("duplicate_diagnosis", _top(case, "diagnosis"), detail=more))
    if case.form == "nejm" and not case.images:
        found.append(CaseFault("image_missing", ("image_url",)))
    return found


def list_faults_of_each_case(cases: Sequence[Case]) -> list[list[CaseFault]]:
    """The findings of each case, including diagnoses that several cases share."""
    counts = Counter(normalise_diagnosis(case.diagnosis) for case in cases)
    return [
        list_faults_of_case(case, same_diagnosis=counts[normalise_diagnosis(case.diagnosis)] - 1)
        for case in cases
    ]


def normalise_diagnosis(diagnosis: str) -> str:
    """A diagnosis for comparison, ignoring brackets, case, accents, spacing and possessives."""
    bare = _BRACKETS.sub(" ", diagnosis)
    return " ".join(words_and_numbers(bare if bare.strip() else diagnosis))


def do_faults_say_tests_leak_diagnosis(findings: Iterable[CaseFault]) -> bool:
    """Whether the test results state the diagnosis."""
    return any(one.code == "diagnosis_in_tests" for one in findings)


def _leaks(case: Case) -> list[CaseFault]:
    found: list[CaseFault] = []
    for leaf in case.list_case_facts():
        if leaf.section != "tests":
            continue
        named = find_diagnosis_in_text(leaf.text, case.diagnosis)
        named = named or _placed(leaf.text, _places_near(leaf.text, case.diagnosis), stated=False)
        if named:
            code: Code = "diagnosis_in_tests" if named.stated else "diagnosis_hinted"
            quote = leaf.text[named.start : named.end]
            found.append(CaseFault(code, leaf.path, named.start, named.end, quote))
    if do_faults_say_tests_leak_diagnosis(found):
        return [one for one in found if one.code == "diagnosis_in_tests"]
    return found


# -- age ---------------------------------------------------------------------------------------

_NUMBERS = {"a": 1, **CARDINALS}
_UNITS = {"year": 1.0, "month": 1 / 12, "week": 7 / 365, "day": 1 / 365, "hour": 1 / 8766}
_AGE = compile_later(
    r"\b(\d+(?:\.\d+)?|" + "|".join(_NUMBERS) + r")[\s-]*(year|month|week|day|hour)s?[\s-]*old\b"
)
_BABY = compile_later(r"\b(?:newborns?|neonates?)\b")


def find_age_with_place(text: str) -> tuple[float, int, int] | None:
    """Age in years, and where the text gives it; a newborn is 0. ``None`` if it gives none."""
    low = text.lower()
    age = _AGE.search(low)
    if age:
        number = float(_NUMBERS.get(age[1], 0) or age[1])
        return number * _UNITS[age[2]], age.start(), age.end()
    baby = _BABY.search(low)
    return (0.0, baby.start(), baby.end()) if baby else None


def _age(case: Case) -> list[CaseFault]:
    leaves = [leaf for leaf in case.list_case_facts() if leaf.section == "patient"]
    leaves.sort(key=lambda leaf: "Demographics" not in leaf.path)
    for leaf in leaves[:2]:
        age = find_age_with_place(leaf.text)
        if age is None:
            continue
        years, start, end = age
        if years < SPEAKS_FROM:
            return [CaseFault("too_young", leaf.path, start, end, leaf.text[start:end])]
        return []
    return []


# -- places ------------------------------------------------------------------------------------


def _has_text(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_text, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_text, value))
    return isinstance(value, (bool, int, float)) or bool(str(value or "").strip())


def _top(case: Case, what: Literal["tests", "diagnosis"]) -> Path:
    if case.form == "nejm":
        return ("physical_exams",) if what == "tests" else ("answers",)
    key = "Test_Results" if what == "tests" else "Correct_Diagnosis"
    wrapped = "OSCE_Examination" in case.content
    return ("OSCE_Examination", key) if wrapped else (key,)
