"""What may identify a patient in a text: numbers with check digits, telephone numbers, e-mail
addresses, dates of birth, postal addresses, record numbers, and names beside titles.

All of it is found on this machine, by patterns and check digits (python-stdnum, phonenumbers):
what is found may be none, and what is not found may be one. A person decides.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from medlens.deferred_regex import compile_later

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["number", "phone", "email", "birth", "address", "record", "name"]
KINDS: Mapping[Kind, str] = {
    "number": "identity number",
    "phone": "telephone number",
    "email": "e-mail address",
    "birth": "date of birth",
    "address": "postal address",
    "record": "record number",
    "name": "name",
}
"""The kinds, in words that also stand in a text where one of them was replaced."""


@dataclass(frozen=True, slots=True)
class Identifier:
    """A part of a text, from ``start`` to ``end`` in characters, that may identify a patient."""

    kind: Kind
    start: int
    end: int
    text: str


_LISTS = tomllib.loads(
    Path(__file__).with_name("identifier_words.toml").read_text(encoding="utf-8")
)

# -- the words beside them -------------------------------------------------------------------------

_BEFORE = 45
"""How many characters before a number are looked at for what it is."""
_NO_PATIENT = compile_later(
    r"(?i)(doi|pmids?|pmc|isbn|issn|isrctn|nct|eudract|orcid|arxiv|genbank|accession|batch|lot|serial"
    r"|snomed|loinc|umls|version|https?:)\b(?: ?(?:no|nr|num)\.)?[^.;]*$"
    r"|10\.\d{4,}/\S*$|[/#=]$|\+\d{1,3}[ (-]*$|\+$"
)
"""Words before a number that is of a paper, a trial or a thing."""
_OF_NUMBERS: Sequence[tuple[str, str]] = (
    ("us.ssn", r"ssn|social security"),
    ("ca.bc_phn", r"\bphn\b|personal health (?:no\b|number)|care ?card"),
    ("ca.sin", r"\bsin\b|social insurance|assurance sociale"),
    ("nl.bsn", r"bsn|burgerservice|sofi"),
    ("au.tfn", r"\btfn\b|tax file"),
    ("nz.ird", r"\bird\b"),
    ("il.idnr", r"teudat|israeli? id"),
    ("pt.nif", r"\bnif\b|contribuinte"),
    ("za.idnr", r"south african? id|\brsa id"),
    ("ro.cnp", r"cnp"),
    ("bg.egn", r"egn|ЕГН"),
    ("hr.oib", r"oib"),
    ("gr.amka", r"amka|ΑΜΚΑ"),
    ("kr.rrn", r"rrn|resident registration"),
    ("cn.ric", r"resident identity|身份证"),
    ("ee.ik", r"isikukood"),
    ("lt.asmens", r"asmens"),
    ("cl.rut", r"\brut\b"),
    ("is_.kennitala", r"kennitala"),
    ("dk.cpr", r"cpr"),
    ("no.fodselsnummer", r"f[øo]dselsnummer|personnummer"),
    ("fi.hetu", r"henkil|hetu"),
    ("cz.rc", r"rodn[éeý]|r\.\s?[čc]"),
    ("tr.tckimlik", r"kimlik|\btc\b"),
    ("br.cpf", r"cpf"),
    ("br.cns", r"\bcns\b|cart[ãa]o (do |da |d[eo] )?(sus\b|nacional de sa[úu]de)"),
    ("in_.aadhaar", r"aadhaar|आधार"),
    ("de.idnr", r"steuer|identifikationsnummer|idnr"),
    ("pl.pesel", r"pesel"),
    ("be.nn", r"rijksregister|num[ée]ro national|nationaal|\bnn\b|niss|insz"),
    ("at.vnr", r"svnr|versicherung|\bsv[ -]|vnr"),
    ("gb.nhs", r"nhs|\bchi\b|h&c"),
    ("ie.pps", r"\bpps"),
    ("luhn", r"ohip|health card|health insurance number"),
)
"""Numbers that are accepted beside a word for them, with the module of python-stdnum; it has none
for Brazil's health card."""
_WITHOUT_WORDS: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (compile_later(pattern), module)
    for pattern, module in (
        (r"[4679]\d{2}([ -]?)\d{3}\1\d{4}", "gb.nhs"),
        (r"\d{3}-\d{2}-\d{4}", "us.ssn"),
        (r"[12378]\s?\d{2}\s?\d{2}\s?\d[\dAB]\s?\d{3}\s?\d{3}\s?\d{2}", "fr.nir"),
        (r"[A-Z]{6}\s?\d{2}[A-EHLMPRST]\d{2}\s?[A-Z]\d{3}\s?[A-Z]", "it.codicefiscale"),
        (r"\d{2}\.?\d{3}\.?\d{3}[- ]?[A-HJ-NP-TV-Z]", "es.dni"),
        (r"[XYZ][- ]?\d{7}[- ]?[A-HJ-NP-TV-Z]", "es.nie"),
        (r"756\.?\d{4}\.?\d{4}\.?\d{2}", "ch.ssn"),
        (r"[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d", "mx.curp"),
        (r"\d{3}\.\d{3}\.\d{3}-\d{2}", "br.cpf"),
        (r"(?:19|20)?\d{6}[-+]\d{4}", "se.personnummer"),
        (r"\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y]", "fi.hetu"),
        (r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", "be.nn"),
        (r"\d{2}(?:[02468][1-9]|[13579][0-2])(?:0[1-9]|[12]\d|3[01])\d{5}", "pl.pesel"),
        (r"[2-9]\d{3} \d{4} \d{4}", "in_.aadhaar"),
        (r"\d{17}[\dX]", "cn.ric"),
        (r"\d{6}-[1-4]\d{6}", "kr.rrn"),
        (r"(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{7}", "no.fodselsnummer"),
        (r"\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{5}", "be.nn"),
        (r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?", "iban"),
    )
)
"""Numbers whose form and check digits are enough."""
_NUMBER = compile_later(
    r"(?<![\w.,/])(?:[A-Z]{1,6}[- ]?)?\d(?:[ .\-/+]{0,2}(?:[A-Z] ?)?\d){4,25}"
    r"(?:[- ]?[A-Z]{1,5}\d?)?"
    r"(?![\w/]|[.,]\d)"
)
_MEDICARE = compile_later(
    r"[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d"
    r"[AC-HJKMNP-RT-Y]{2}\d{2}"
)
"""A Medicare beneficiary's identifier, which has no check digit, but a form like nothing else."""
_GERMAN_INSURANCE = compile_later(r"[A-Z]\d{9}")
_GERMAN_PENSION = compile_later(r"\d{2} ?\d{6} ?[A-Z] ?\d{2} ?\d")
_CODES = compile_later(
    r"(?<![\w])(?:[A-Z]{6}\s?\d{2}[A-EHLMPRST]\d{2}\s?[A-Z]\d{3}\s?[A-Z]"
    r"|[A-Z]{4}\d{6}[HM][A-Z]{5}[A-Z0-9]\d|\d[A-Z][A-Z\d]\d-?[A-Z][A-Z\d]\d-?[A-Z]{2}\d{2}"
    r"|[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?!\w)"
)
"""Numbers that are letters for the greater part."""


@lru_cache(maxsize=64)
def _validator(module: str) -> Callable[[str], bool]:
    from stdnum import iban, luhn
    from stdnum.util import get_cc_module

    if module == "br.cns":
        return _check_brazilian_health_card
    country, _, name = module.partition(".")
    of_everywhere: Mapping[str, Any] = {"iban": iban, "luhn": luhn}
    found: Any = of_everywhere.get(country) or get_cc_module(country.rstrip("_"), name)
    return lambda number: bool(found.is_valid(number))


@lru_cache(maxsize=4096)
def _is_valid(module: str, number: str) -> bool:
    return bool(_validator(module)(number))


def _fits(module: str, number: str, plain: str) -> bool:
    """Whether a number is valid as it is written, or without what separates its digits."""
    return _is_valid(module, number) or (plain != number and _is_valid(module, plain))


def _check_german_insurance(number: str) -> bool:
    """Whether a Krankenversichertennummer has its check digit (Luhn's, of weights 1 and 2, with
    the letter as two digits).
    """
    digits = f"{ord(number[0]) - 64:02d}{number[1:9]}"
    products = (int(digit) * (1 + at % 2) for at, digit in enumerate(digits))
    return sum(one // 10 + one % 10 for one in products) % 10 == int(number[9])


def _check_brazilian_health_card(number: str) -> bool:
    """Whether a number of 15 digits is one of a Cartão Nacional de Saúde: the sum of its digits
    with the weights 15 to 1 is divisible by 11 (DATASUS).
    """
    if not re.fullmatch(r"[12789]\d{14}", number, re.ASCII):
        return False
    return sum(int(digit) * (15 - at) for at, digit in enumerate(number)) % 11 == 0


_AUSTRALIAN_MEDICARE = compile_later(r"[2-6]\d{3} ?\d{5} ?\d(?:[ /-]\d)?")


def _check_australian_medicare(digits: str, before: str) -> bool:
    """Whether a number behind the word Medicare has its check digit, the ninth."""
    if "medicare" not in before.lower():
        return False
    weights = (1, 3, 7, 9, 1, 3, 7, 9)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))
    return total % 10 == int(digits[8])


def _check_german_pension(number: str) -> bool:
    """Whether a German Versicherungsnummer (VKVV §4) has its check digit and a day of birth."""
    digits = f"{number[:8]}{ord(number[8]) - 64:02d}{number[9:11]}"
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = (int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
    right = sum(one // 10 + one % 10 for one in products) % 10 == int(number[11])
    return right and 1 <= int(number[4:6]) <= 12


def _find_numbers(text: str, heading: str) -> Iterator[tuple[int, int]]:
    for pattern in (_NUMBER, _CODES):
        for found in pattern.finditer(text):
            before = f"{heading} {text[max(found.start() - _BEFORE, 0) : found.start()]}"
            for start, end in _parts_of_number(found[0]):
                beside = f"{before}{found[0][:start]}"
                if _NO_PATIENT.search(beside):
                    continue
                if _is_identity_number(found[0][start:end], beside):
                    yield found.start() + start, found.start() + end
                    break


def _parts_of_number(text: str) -> Iterator[tuple[int, int]]:
    """A number as it stands, without letters before or after it, and its longer parts."""
    yield 0, len(text)
    words = [(part.start(), part.end()) for part in re.finditer(r"\S+", text)]
    for first in range(len(words)):
        for last in range(len(words) - 1, first - 1, -1):
            start, end = words[first][0], words[last][1]
            if 8 <= end - start < len(text):
                yield start, end


def _is_identity_number(number: str, before: str) -> bool:
    plain = re.sub(r"[\s.\-]", "", number)
    if len(set(plain)) < 3:
        return False
    if _GERMAN_INSURANCE.fullmatch(plain) and _check_german_insurance(plain):
        return True
    if _GERMAN_PENSION.fullmatch(number) and _check_german_pension(plain):
        return True
    if _any_without_words().fullmatch(number):
        for pattern, module in _WITHOUT_WORDS:
            if pattern.fullmatch(number) and _fits(module, number, plain):
                return True
    if _MEDICARE.fullmatch(plain) and len(number) == len(plain) + number.count("-"):
        return True
    if _AUSTRALIAN_MEDICARE.fullmatch(number) and _check_australian_medicare(plain, before):
        return True
    if not _any_beside().search(before):
        return False
    beside = (module for module, words in _OF_NUMBERS if _beside(words).search(before))
    return any(_fits(module, number, plain) for module in beside)


@lru_cache(maxsize=64)
def _beside(words: str) -> re.Pattern[str]:
    return re.compile(f"(?i)(?:{words})")


@lru_cache(maxsize=1)
def _any_beside() -> re.Pattern[str]:
    return re.compile("(?i)" + "|".join(words for _, words in _OF_NUMBERS))


@lru_cache(maxsize=1)
def _any_without_words() -> re.Pattern[str]:
    # Only the first refers back to a group, so its number stays right.
    return re.compile("|".join(f"(?:{form.pattern})" for form, _ in _WITHOUT_WORDS))


# -- telephone numbers -----------------------------------------------------------------------------

_PHONE = compile_later(
    r"(?<![\w.,/+-])(?:\+|\(?0|\(?\d)(?:[ \u00a0().\-/]{0,3}\d){6,15}(?![\w]|[.,/-]\d)"
)
_CALLED = compile_later(
    r"(?i)(phone|\bt[ée]l\b|\bt[ée]l[.:]|\bcall|mobile|mobil|\bcell\b|\bfax\b|\bring\b|\breach|\bcontact"
    r"|number is"
    r"|t[ée]l[ée]f|\btfno|t[ée]l[ée]ph|handy|rufnummer|r[üu]ckruf|erreichbar|portable|joignable|m[óo]vil"
    r"|cellulare|whatsapp|pager|bleep|telefoon|mobiel|\bdial\b|\bsms\b"
    r"|\btext(ed)? (her|him|them)|hotline"
    r"|\brappel|\bappel(?:er|ez)\b|\bjoindre|\bllam(?:ar|e|en|ad)\b|\bavis(?:ar|e|en)\b"
    r"|\bcontat(?:o|ar|e|to|tare)\b|\bcelular\b|telem[óo]vel|\blig(?:ar|ue|uem)\b"
    r"|\bchiam(?:are|i|ate)\b|\brecapito|\bcell\.|\brufe?n?\b|\banruf)"
)
_RELATIVES = (
    r"\bhij[oa]|\bfilh[oa]|\bfigli[oa]|\bfils\b|\bfille\b|[ée]pou(?:x|se)\b"
    r"|\bespos[oa]|\bmarido|\bmarito|\bmoglie|\bmujer|\bmadre|\bpadre|\bm[ãa]e\b|\bpai\b"
    r"|\bangeh[öo]rig|\btochter|\bsohn\b|\behefrau|\behemann|\bmutter\b|\bvater\b|\bwife\b"
    r"|\bhusband|\bdaughter|\bson\b|\bmother\b|\bfather\b|\bpartner|\bcarer\b|\bnext of kin"
    r"|\bzoon\b|\bdochter|\bechtgeno|\bvecin[oa]|\bvizinh[oa]|\bvicin[oa] di casa|\bvoisine?\b"
    r"|\bnachbar|\bneighbou?r|\bherman[oa]|\birm[ãa]o?\b|\bfratello|\bsorella|\bfr[èe]re\b"
    r"|\bs(?:œ|oe)ur\b|\bbruder\b|\bschwester\b|\bbrother\b|\bsister\b|\bbetreuer|\bcaregiver"
    r"|\bcuidador|\bbadante|\baidante?\b|\bniet[oa]\b|\bnipote|\benkel|\bsobrin[oa]|\bfriend\b"
    r"|\bamig[oa]|\bamic[oa]|\bbuur(?:vrouw|man)|\bmantelzorger"
)
_OF_A_RELATIVE = compile_later(rf"(?i)(?:\bn[úu]mero\W{{0,3}}|(?:{_RELATIVES})[^.;]*)$")
"""Somebody who can be reached, before what may be a number."""
_FORM_OF_PHONE = compile_later(
    r"\+\d[\d ().\-/]{7,}|\(\d{3}\) ?\d{3}[-. ]\d{4}|[2-9]\d{2}-[2-9]\d{2}-\d{4}"
    r"|[2-9]\d{2}\.[2-9]\d{2}\.\d{4}|0\d{2,4}[ /-]\d{3,4}[ -]?\d{3,6}|0\d(?:[ .]\d{2}){4}"
    r"|07\d{3} ?\d{6}|01[567]\d ?\d{7,8}"
    r"|0[1-9](?:-\d{2}){4}|0\d{1,4}/\d[\d -]{4,9}\d|0\d-\d{8}|0[1-9]\d \d{3} \d{2} \d{2}"
    r"|3\d{2}[ /-]\d{6,7}|3\d{2} \d{3} \d{4}|\(\d{2}\) ?9?\d{4}-\d{4}|[67]\d{2}-\d{3}-\d{3}"
)
"""Forms in which nothing but telephone numbers are written."""
_OF_WORDS: Mapping[str, Sequence[str]] = {
    "al": ("ES", "IT", "MX", "AR"),
    "el": ("ES", "MX", "AR"),
    "il": ("IT", "CH"),
    "allo": ("IT",),
    "le": ("FR", "BE", "CH"),
    "au": ("FR", "BE", "CH"),
    "no": ("PT", "BR"),
    "pelo": ("PT", "BR"),
    "unter": ("DE", "AT", "CH"),
    "on": ("GB", "US"),
    "at": ("GB", "US"),
}
"""Words right before a number that somebody can be reached at, with the countries in which they are
said and numbers are written without a code of the country.
"""
_RIGHT_BEFORE = compile_later(rf"(?i)(?<![^\W_])({'|'.join(_OF_WORDS)})\s$")
_IN_THOUSANDS = compile_later(r"\d{1,3}(?:([ .])\d{3})(?:\1\d{3})*|\d+")
_FEWEST_OF_A_CALL, _MOST_OF_A_CALL = 9, 11
_SIGNS_OF_A_CALL = (
    rf"\b(?:{'|'.join(_OF_WORDS)})\s\d(?:[ ()./-]{{0,3}}\d){{8}}|\(\d(?:[ ()./-]{{0,3}}\d){{8}}"
)
_REGIONS = (
    *("US", "GB", "DE", "FR", "ES", "IT", "PT", "AT", "CH", "NL", "BE", "PL", "IN", "AU", "BR"),
)

_WITH_ZERO = frozenset({"GB", "DE", "FR", "AT", "CH", "NL", "BE", "AU"})
"""Countries in which a number begins with 0 wherever its country's code is not written."""


@lru_cache(maxsize=4096)
def _is_phone_number(number: str, *, sure: bool) -> bool:
    import phonenumbers
    from phonenumbers import PhoneNumberType

    possible = public = False
    for region in (None,) if number.startswith(("+", "00")) else _REGIONS:
        try:
            parsed = phonenumbers.parse(
                f"+{number[2:]}" if number.startswith("00") else number, region
            )
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            kind = phonenumbers.number_type(parsed)
            if region in _WITH_ZERO and not number.lstrip("(").startswith("0"):
                possible = True
            elif kind not in (PhoneNumberType.SHARED_COST, PhoneNumberType.PREMIUM_RATE):
                return True
            else:
                public = True
        # Numbers that are kept for stories are none of a real network.
        possible = possible or (
            phonenumbers.is_possible_number(parsed) and len(str(parsed.national_number)) > 6
        )
    return sure and possible and not public


@lru_cache(maxsize=4096)
def _is_called_at_home(number: str, regions: Sequence[str]) -> bool:
    """Whether a number written without the code of its country is one of these countries' homes or
    mobile telephones, and not of a public line.
    """
    import phonenumbers
    from phonenumbers import PhoneNumberType

    of_people = (
        PhoneNumberType.MOBILE,
        PhoneNumberType.FIXED_LINE,
        PhoneNumberType.FIXED_LINE_OR_MOBILE,
    )
    for region in regions:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if (
            phonenumbers.is_valid_number_for_region(parsed, region)
            and phonenumbers.number_type(parsed) in of_people
        ):
            return True
    return False


def _is_written_as_called(text: str, start: int, number: str) -> bool:
    """Whether a number stands behind a word for where somebody is reached, or alone in brackets, is
    grouped as telephone numbers are rather than in thousands, and is one of that language.
    """
    digits = sum(map(str.isdigit, number))
    if not _FEWEST_OF_A_CALL <= digits <= _MOST_OF_A_CALL:
        return False
    zero = number.lstrip("(").startswith("0")
    if _IN_THOUSANDS.fullmatch(number.strip("()")) and not (zero and digits > _FEWEST_OF_A_CALL):
        return False
    if text[start - 1 : start] == "(" and text[start + len(number) :][:1] == ")":
        return _is_called_at_home(number, _REGIONS)
    word = _RIGHT_BEFORE.search(text[max(start - _BEFORE, 0) : start])
    return word is not None and _is_called_at_home(number, tuple(_OF_WORDS[word[1].lower()]))


_FEWEST_OF_A_RELATIVE = 9


def _find_phones(text: str, heading: str) -> Iterator[tuple[int, int]]:
    for found in _PHONE.finditer(text):
        start, number = found.start(), found[0]
        if text[start - 1 : start] == "(" and number.count(")") > number.count("("):
            start -= 1
            number = f"({number}"
        elif number.startswith("(") and ")" not in number:
            start, number = start + 1, number[1:]
        before = f"{heading} {text[max(start - _BEFORE, 0) : start]}"
        if _NO_PATIENT.search(before):
            continue
        form = bool(_FORM_OF_PHONE.fullmatch(number))
        called = bool(_CALLED.search(before))
        digits = sum(map(str.isdigit, number))
        # Round numbers are counted.
        if re.search(r"000\D?000$|(?:\D000){2}", number):
            continue
        # A relative is not yet a call: behind one it must be a number of a real network.
        of_relative = digits >= _FEWEST_OF_A_RELATIVE and bool(
            _OF_A_RELATIVE.search(text[max(start - _BEFORE, 0) : start])
        )
        sure = form or (called and digits >= 8)
        known = (sure or of_relative) and _is_phone_number(number, sure=sure)
        if known or _is_written_as_called(text, start, number):
            yield start, found.end()


# -- what has a form or a word of its own ----------------------------------------------------------

_EMAIL = compile_later(
    r"(?i)(?<![\w.+'-])[\w.+'-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}"
    r"|(?<![\w.+-])[\w.+-]+ ?[\[(] ?(?:at|@) ?[\])] ?[\w-]+(?:(?: ?[\[(] ?dot ?[\])] ?|\.)[\w-]+)+"
)
_MONTHS = (
    r"(?:jan|feb|m[aä]r|apr|ma[iyj]|jun|jul|aug|sep|o[ck]t|nov|de[czs]|ene|abr|ago|dic|gen|giu|lug"
    r"|set|ott|mag|f[ée]v|avr|juin|juil|ao[uû]|d[ée]c)[a-zéûä]*\.?"
)
_DATE = (
    rf"(?:\d{{1,2}}-{_MONTHS}-\d{{2,4}}|\d{{1,2}}[./ -]\d{{1,2}}[./ -]\d{{2,4}}"
    rf"|\d{{4}}[-./]\d{{1,2}}[-./]\d{{1,2}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|er)?(?: (?:de|of))? ?{_MONTHS}(?: de)?,? ?\d{{2,4}}"
    rf"|{_MONTHS} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}})"
)
_A_DATE = compile_later(f"(?i)(?<![\\w.]){_DATE}(?!\\w)")
_BIRTH = compile_later(
    r"(?i)(?<!\w)(?:d\.?o\.?b\.?|born(?: in [^\s,]+)?(?: on)?(?: the)?"
    r"|date of birth|\*(?=\d{1,2}\.)|birth ?date"
    r"|birthday|geb\.(?: am)?"
    r"|geb(?:oren)?(?: am)?|geburtsdatum|geburtstag|n[ée]+(?:e|\(e\))?(?: à [^\s,]+)? le"
    r"|date de naissance"
    r"|fecha de nacimiento|f\. ?nac\.?|nacid[oa](?: en [^\s,]+)? el"
    r"|nat[oa](?: ad? [^\s,]+)? il|data di nascita|geboortedatum"
    r"|geb(?:oren|\.) op"
    r"|geb(?:oren|\.) in [^\s,]+(?: am)?|geb\.?[- ]?dat(?:um|\.)"
    r"|ur\.|urodz(?:\.|on[ay]\b)|data urodzenia|f[øö](?:dt|dd)(?: den)?"
    r"|f[øö]dsels?e?dato|f[öø]delsedatum"
    rf"|nascid[oa](?: em [^\s,]+)? (?:em|a(?:os?)?|no dia)|data de nascimento)"
    rf"(?: is| was| ist| war)?[ :=,(]{{0,3}}{_DATE}(?!\w)"
)
_STREETS = (
    r"(?:Street|St\.?|Road|Rd\.?|Avenue|Ave\.?|Lane|Ln\.?|Drive|Close|Court|Boulevard|Blvd\.?|Way"
    r"|Place|Terrace|Crescent|Square|Gardens|Grove|Parkway|Highway|Hill)"
)
_CITY = (
    r"(?:,? (?:[A-Z]-)?\d{4,5}(?:-\d{3})? (?:St\.? |Sankt |Bad )?[A-ZÄÖÜÉÎ][\wäöüß-]*"
    r"(?: (?:(?:am|an der|im|in der|ob der|de|du|des|la|le|les|sur|sous|en) ){0,3}"
    r"[A-Z][\w-]*){0,4})?"
)
# "de la République", "des Lilas", "de l'Église", "du 8 Mai 1945"
_FRENCH_NAME = (
    r"(?: (?:de|du|des|la|le|les|aux?|à|et|sur|sous|en|St|Ste)(?!\w)){0,3}"
    r"(?: (?:[ld]['’])?[A-ZÉÈÀÂÊÎÔÛÇ][\w'’éèàâêîôûç-]+| \d{1,2} [A-Z][a-zéû]+(?: \d{4})?"
    r"| [ld]['’][a-zéèàâ][\w'’éèàâêîôûç-]+)"
)
_NUMBERED = r"\d{1,4} ?[a-z]?(?![\w.%/-])"
_POLISH_STREET = r"(?:[A-ZŁŚŻĆŹ][\w.-]+ ){1,4}\d{1,4}[a-zA-Z]?(?:/\d{1,4})?(?: m\. ?\d{1,4})?(?!\w)"
_POLISH_TOWN = r",? \d{2}-\d{3} [A-ZŁŚŻĆŹ][\w-]+(?: [A-ZŁŚŻĆŹ][\w-]+)?"
_ADDRESS = compile_later(
    r"(?<![\w.,])(?:(?:Flat|Apartment|Unit|Room) \d{1,4}[A-Za-z]?, ?)?"
    rf"\d{{1,5}}[A-Za-z]? (?:[NSEW]\.? )?(?:[A-Z][\w'.-]+ ){{1,3}}{_STREETS}(?!\w)"
    r"(?: (?:[NS][EW]?|[EW])(?!\w))?(?:,? (?:Apt|Flat|Unit|Suite)\.? ?\w+)?"
    r"(?:, [A-Z][\w .-]{2,25}?,? (?:[A-Z]{1,2}\d[\dA-Z]? ?\d[A-Z]{2}|[A-Z]{2},? \d{5}(?:-\d{4})?))?"
    r"|(?<!\w)[A-ZÄÖÜ][\wäöüß.-]{0,60}(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|ring)"
    rf" {_NUMBERED}{_CITY}"
    r"|(?<!\w)(?:(?:[Vv]an|[Dd]e|[Dd]er|[Dd]en|[Oo]ude|[Nn]ieuwe) ){0,3}[A-Z][a-zëéï]{0,40}"
    r"(?:straat|laan|plein|gracht|kade|singel|dijk) \d{1,4}(?: ?[a-z]|[- ][IVX]{1,4}|-\d{1,3})?"
    r"(?![\w%])"
    rf"{_CITY}"
    # "et al. Lancet 2019" and "per os. Ramipril 5 mg" are no streets: these need a postcode.
    rf"|(?<!\w)(?:ul\. {_POLISH_STREET}(?:{_POLISH_TOWN})?"
    rf"|(?:al|os|pl)\. {_POLISH_STREET}{_POLISH_TOWN})"
    r"|(?<!\w)Stra(?:ß|ss)e (?:des|der|am) (?:\d{1,2}\. )?[A-ZÄÖÜ][\wäöüß-]+ \d{1,4} ?[a-z]?, \d{5}"
    r" [A-ZÄÖÜ][\wäöüß-]+"
    r"|(?<!\w)(?:Am|An der|An den|Im|In der|Auf der|Auf dem|Zum|Zur|Unter den)"
    rf" (?:[\wäöüß]+ )?[A-ZÄÖÜ][\wäöüß-]+ {_NUMBERED}, \d{{5}} [A-ZÄÖÜ][\wäöüß-]+"
    r"|(?<!\w)\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse"
    r"|all[ée]e|quai|cours|route|square|passage|faubourg|mail)"
    rf"{_FRENCH_NAME}(?:{_FRENCH_NAME}){{0,4}}{_CITY}"
    # "Av." may be an average, too: a comma stands before the number of a house.
    r"|(?<!\w)Av\.(?: (?:de|del|la|las|los|el|da|do|das|dos|e|[A-ZÁÉÍÓÚÑ][\wáéíóúñçãõâêô.-]+))"
    r"{1,6}"
    rf", ?(?:n[.º°]* ?)?\d{{1,4}}(?!\d){_CITY}"
    r"|(?<!\w)(?:Calle|C/|Avda?\.|Avenida|Plaza|Paseo|Carrer|Rua|Travessa|Praça|Largo)"
    r"(?: (?:de|del|la|las|los|el|da|do|das|dos|e|[A-ZÁÉÍÓÚÑ][\wáéíóúñçãõâêô.-]+)){1,6}"
    r",?(?: n[.º°]*)? ?\d{1,4}(?!\d)(?:,? \d{1,2}\.?[ºª°]"
    rf"(?: ?(?:[A-Z]|[Ii]zq|[Dd]cha|[Ee]sq|[Dd]to)(?!\w)\.?)?)?{_CITY}"
    r"|(?<!\w)[Vv](?:ia|iale|\.le)(?: (?:dei|degli|delle|della|del|di|d'))?"
    rf"(?: [A-ZÀÈ][\wàèìòù'.-]+){{1,3}},? {_NUMBERED}{_CITY}"
    r"|(?<!\w)[A-PR-UWYZ][A-Z]?\d[\dA-Z]? \d[ABD-HJLNP-UW-Z]{2}(?!\w)"
)
_RECORD = compile_later(
    r"(?i)(?<!\w)(?:mrn|(?:medical|health|hospital|patient|clinic(?:al)?)(?:'s)? ?"
    r"(?:record|case|chart|file)? ?(?:numbers?|no\.?|nr\.?|id|#)|chart ?(?:no\.?|number|#)"
    r"|record (?:no\.?|number|#)"
    r"|case (?:no\.?|number|id)|passport(?: (?:no\.?|number))?"
    r"|driv(?:er'?s|ing) licen[cs]e(?: (?:no\.?|number))?"
    r"|(?:insurance|policy|member(?:ship)?|subscriber|beneficiary|medicaid|medicare|account)"
    r" ?(?:no\.?|number|id|#)|reisepass(?:nummer)?|personalausweis(?:nummer)?|"
    r"pat\.?[ -]{0,2}(?:nummer|nr|id)\.?"
    # PID is a disease, too: a number of six digits or more makes it a patient's.
    r"|(?:pid|pat[ -]?id|patnr\.?|patienten-?kennziffer)(?=[ :=#.]{0,4}\d{3,}[-/ ]?\d{3,})"
    r"|(?:fall|patienten|akten|aufnahme|behandlungs)[ -]?(?:nummer|nr\.?|id|kennung|zeichen)"
    r"|aktenzeichen"
    r"|n[úu]mero de historia(?: cl[íi]nica)?|historia cl[íi]nica(?: n[.º°]*)?|nhc"
    r"|n\.?[º°] de historia"
    r"|\bipp\b|n[°ºu][a-zé.]* de dossier|dossier n[°º]|num[ée]ro de dossier"
    r"|cartella(?: clinica)? n\."
    r"|(?:n[úu]mero|n[.º°]{1,2}) de utente|utente n[.º°]{1,2}"
    r"|pati[ëe]ntnummer|journalnummer|prontu[áa]rio(?: n[.º°]*)?)[ :=#.]{0,4}"
    r"(?P<number>(?=[\w/-]*\d[\w/-]*\d[\w/-]*\d)[A-Z0-9]"
    r"[\w/-]{3,20})"
)

# -- names beside titles ---------------------------------------------------------------------------

_PARTICLES = (
    r"(?:van|von|vom|zu|zur|de|der|den|del|della|di|da|dos|du|la|le|ten|ter|bin|al|el|y|af)"
)
_WORD = r"(?:[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я](?:[\w’'-]*\w)?\.?)"
_NAME = rf"(?:(?:{_PARTICLES} ){{0,3}}{_WORD}(?: (?:{_PARTICLES} ){{0,3}}{_WORD}){{0,3}})"
_DEGREE = (
    r"(?:(?:Dr|Prof|PD|Priv\.?-Doz|Dipl|Doz|Ing)\.?|med\.|rer\.|nat\.|phil\.|dent\."
    r"|h\. ?c\.|Univ\.-Prof\.)"
)
_TITLED = compile_later(
    # Most words begin with none of the letters that a title begins with.
    rf"(?<![\w.])(?=[DFHMNPSdmps])(?P<title>(?:(?:M[rR][sS]?|M[sS]|M[iI][sS][sS]|Mx|D[rR]|P[rR][oO][fF](?:essor)?"
    r"|Doctor"
    r"|Sir|Dame|Pt(?=\.)|Hrn?(?=\.)|Fräulein|Nurse|Sister|Matron|Midwife|H[eE][rR][rR]n?|F[rR][aA][uU]|Fr(?=\.)|Schwester"
    r"|Pfleger|Hebamme|Patient(?:in|e)?|patient(?:in|e)?|Pat(?=\.)|M(?=\.)|M[mM][eE]|Mlle"
    r"|Monsieur|Madame|Mademoiselle|Docteur|monsieur|madame"
    r"|mrs?|dr|prof|Pr|Dra|Sr(?=\.)|Sra|Srta|(?:dra|sra?|srta)(?=\.)"
    rf"|D(?=\. [A-ZÀ-Þ][\w’'-]+ (?:{_PARTICLES} ){{0,3}}[A-ZÀ-Þ]\w)"
    r"|[Ss]enhora?|[Ss]eñor(?:a|ita)?|[Dd]on|[Dd]oña|Dona|Dña|[Dd]ott(?:\.?ssa|oressa|or)?"
    r"|Sig(?:\.ra|\.na|nora|nor)?|[Ss]ignor[ae]?|sig(?=\.)|sig\.[rn]a|[Dd]hr|[Mm]w(?=\.)|[Mm]evr|[Mm]evrouw"
    r"|[Mm]eneer|[Dd]e [Hh]eer|Heer|Pan(?:i|a|u|em|ią)?|Fru)\.?)"
    rf"(?: ?{_DEGREE})*)(?: |(?<=\.))(?P<name>{_NAME})"
)
_INITIAL = compile_later(r"[A-ZÀ-Þ]\.")
_EPONYMS = frozenset(_LISTS["eponyms"].split())
_NO_NAMES = frozenset(_LISTS["no_names"].split())
_ABOUT_PATIENTS = compile_later(r"(?i)pat")


_BY_WAY_OF = compile_later(
    r"(?:via|viale) (?:(?:[A-Z]{1,3}\d?|[B-DF-HJ-NP-TV-XZ]{2,6}|PICC|PORT|CPAP|BiPAP|ECMO|SpO2"
    r"|FiO2)(?= ?\d)|PE[GJ]|(?i:perfuso\w*|infuso\w*|infusion\w*|infusor\w*|pump[es]?n?\b|pompa\b"
    r"|\w*sond[ae]n?\b|sondino\b|sonden\w+|\w*kat[eh]{2}ter\w*|cat[eé]t[eé]re?s?\b|catheter\w*"
    r"|\w*port\b|portacath|braun[üu]len?|viggo|venflon|cannul\w*|\w*kan[üu]len?\b|agocann\w*|shaldon"
    r"|midline|\w*tub(?:us|e|o)\b|trache\w*|\w*kost\b|high|low|venturi|mas(?:ke|k|chera)\b|vena\b"
    r"|ven(?:e|osa|ös\w*)\b|arteri\w*|\w*zugang\b|\w*leitung\b|schenkel\b|lumen\b|lines?\b|blood"
    r"|epidural\w*|peridural\w*|spinal[eis]?\b|subaracn\w*|intra\w+|endo(?:ven|trach|nas|ric)\w*"
    r"|subc\w+|subcl\w+|subling\w*|sottocut\w*|oral[eis]?\b|ret?tal[eis]?\b|rektal\w*|aerea\b"
    r"|(?:par)?enteral[eis]?\b|transderm\w*|transcut\w*|inalat\w*|inhal\w*|nasal[eis]?\b|topica\b"
    r"|cutanea\b|urinari\w*|biliar\w*|vaginal\w*|drain\w*|\w*drainage\b|dren\w*|trok\w+|tro[ck]ar"
    r"|sectio\b|laparo\w*|endos[ck]\w*|\w*stom(?:a|ia|y|ie)\b|pulmonar\w*|femoral\w*|jugular\w*"
    r"|radial[eis]?\b|broncho\w*|nebul\w*|aeroso\w*|spray\b|bolus\b|bypass\b|shunt\b|fistel\b"
    r"|fistula\b|fax\b|e-?mail\b|mail\b|telefon\w*|phone\b|zoom\b|teams\b|skype\b|app\b|whatsapp"
    r"|google\b|link\b|internet\b|website\b|portal\b|sms\b|video\w*|rezept\b|station\b|ambulan\w+"
    r"|notaufnahme\b|rettung\w*|hubschrauber\b))"
)
"""What "via" stands before that is no street: a tube, a vein, a route, a way to tell somebody."""
_NO_STREET = compile_later(
    r"(?i)(?:atem|luft|harn|gallen|zugangs?|infektions|übertragungs|behandlungs|bett(?:en)?|beatmungs"
    r"|intensiv|arbeits|pflege|therapie|dialyse|überwachungs|schlaf|sitz|steh|heim|leitungs|rettungs"
    r"|lauf|fuß|geh|um|aus|rück|lösungs|applikations|verabreichungs|ausscheidungs|abfluss|zufluss"
    r"|transport|studien|vaginal|verhütungs|ehe|rachen|zirkel|schwangerschafts|isolier|notfall|reha"
    r"|einzel|an+ulus|mitral|knorpel|schluck|speise|blut|nerven|stoffwechsel|stations?|liege|aufwach"
    r"|monitor|kita|krippen)(?:weg|platz|ring)\b"
)
"""Words that end as streets do and are none."""
_A_DRUG = compile_later(
    r"(?i)(?:platine?|[mn]ab|[tn]inib|taxel|rubicine?|mycine?|pril|sartan|statine?|cilline?|azole?"
    r"|olol|ipine?|cyclin?e|floxacine?|parine?|gliptine?|trendelenburg|assise?|orale?)\b"
)
_UNIT_BEHIND = compile_later(
    r"(?i)(?:(?<=\d)|(?<=\d )) ?(?:m[gl]|[µμm]g|mcg|kg|d?l|cm|mm|kcal|i[eu]|mmol|mval|min|std"
    r"|stunden?|hours?|days?|tagen?|mal|french|charr|cpr?|fiale|gtt|gocce|tropfen|lumi|lumen|%)"
    r"(?:/\w+)?(?![\w-])"
)
_SHORT_UNIT_WITHIN = compile_later(r"\d ?(?:l|g|h|x|f)$")


def _is_of_a_treatment(text: str, found: re.Match[str]) -> bool:
    """Whether what is written like a street is how something is given, or how much of it."""
    words = found[0]
    if _NO_STREET.match(words) or _UNIT_BEHIND.match(text, found.end()):
        return True
    if _BY_WAY_OF.match(words.replace("Via", "via", 1)):
        return True
    if words[0] in "Vv" and _SHORT_UNIT_WITHIN.search(words):
        return True
    # "3 cours de Cisplatine"
    return bool(words[0].isdigit() and _A_DRUG.search(words))


def _find_addresses(text: str, _heading: str) -> Iterator[tuple[int, int]]:
    for found in _ADDRESS.finditer(text):
        if _is_of_a_treatment(text, found):
            continue
        street = found[0].casefold().endswith((" st.", " rd.", " ave.", " ln.", " blvd.", "str."))
        yield found.start(), found.end() - (found[0].endswith(".") and not street)


def _find_names(text: str, _heading: str) -> Iterator[tuple[int, int]]:
    polish: bool | None = None
    for found in _TITLED.finditer(text):
        title, name = found["title"], found["name"]
        words = name.split()
        kept = 0
        for word in words:
            plain = word.rstrip(".,").casefold()
            if word.islower() and re.fullmatch(_PARTICLES, word):
                kept += 1
                continue
            # "J. D. Fairweather": an initial is no word, though "d" alone is one.
            if plain in _NO_NAMES and not _INITIAL.fullmatch(word):
                break
            kept += 1
        while kept and not words[kept - 1][:1].isupper():
            kept -= 1
        words = words[:kept]
        if title == "Sister" and words[:2] == ["Mary", "Joseph"]:
            # A nodule is called by her.
            continue
        if title == "D." and not _is_don(text, found.start(), words):
            continue
        if title == "Pan":
            # Once for a text, which may be long.
            polish = bool(_OF_POLAND.search(text)) if polish is None else polish
            if not polish:
                continue
        if _AN_AGE.match(text, found.start("name")):
            continue
        if not words or (title == "M." and _is_no_monsieur(text[: found.start()], words[0])):
            continue
        letters = [word for word in words if len(word.rstrip(".")) > 1]
        if not letters or any(map(str.isdigit, "".join(words))):
            continue
        if _ABOUT_PATIENTS.match(title) and not _may_be_patients_name(text, found, words):
            continue
        # Abbreviations in capitals, such as MR IMAGING, are no titles.
        if title in ("MR", "MS", "DR") and not all(word.isupper() for word in words):
            continue
        end = found.start("name") + _end_of(name, len(words))
        # Who has a doctor's title is rarely the patient, and a speciality may stand behind it.
        is_doctors = title.casefold().startswith(("dr", "prof", "doc"))
        behind = text[end : end + 1] in (" ", ",") and not is_doctors
        given = _GIVEN_BEHIND.match(text, end) if behind else None
        if given and _are_given_names(given["given"].split(), words):
            end = given.end("given")
        yield found.start(), end


def _are_given_names(given: Sequence[str], surname: Sequence[str]) -> bool:
    """Whether words behind a surname are first names, and no insurance ("AOK") or a number with
    its heading ("KVNR A123456780"), which would be found as such.
    """
    if any(map(str.isdigit, "".join(given))) or {one.casefold() for one in given} & _NO_NAMES:
        return False
    in_capitals = any(len(word) > 1 and word.isupper() for word in given)
    return not in_capitals or all(word.isupper() for word in surname)


_OF_SPAIN_OR_PORTUGAL = compile_later(
    r"(?i)(?<![^\W\d_])(?:el|los|las|con|por|que|una|su|del|al|acude|refiere|paciente|años|y|avisar"
    r"|seu|sua|com|foi|n[ãa]o|uma|\w{1,30}(?:ç[ãa]o|s[ãa]o|ción|sión)|ao|do|da|dos|pelo|pela|anos|senhor|doente|utente|nascid[oa]|nacid[oa])(?![^\W\d_])"
)
_OF_POLAND = compile_later(
    r"(?i)[ąęłńśźż]|(?<!\w)(?:pesel|ur\.|lat|lata|pacjent\w*|tabletk\w*|prosi|przyj\w+)(?!\w)"
)
"""What tells that "Pan" is a Polish Mr, and no word for "all of them" ("Pan American")."""
_AN_AGE = compile_later(r"(?:Anfang|Mitte|Ende) (?:der )?(?:\d0|[A-Za-zäöü]+[zß]ig)")
"""Behind "Frau" or "Herr": how old somebody is ("Mitte 50"), and no name."""
_OF_A_LETTER = compile_later(
    r"(?i:vitamin\w*|hepatit\w*|grup[oe]|group|d[íi]mero|tipo|clas[se]e?|class)\W*$|\d\W*$"
    r"|(?<!\w)[A-C]\. "
)


def _is_don(text: str, start: int, words: Sequence[str]) -> bool:
    """Whether "D." is don or dom, before a first name and a surname in Spanish or Portuguese, and
    neither a vitamin nor a letter in a list.
    """
    names = [word for word in words if word[:1].isupper()]
    spoken = len({one.lower() for one in _OF_SPAIN_OR_PORTUGAL.findall(text)})
    return len(names) > 1 and spoken > 0 and not _OF_A_LETTER.search(text[:start])


_GIVEN_BEHIND = compile_later(
    rf",? (?!(?i:d\.?o\.?b|born|geb)\b)(?P<given>{_WORD}(?: (?:{_PARTICLES} )?{_WORD})?)"
    r"(?=[ ,;(]{1,3}(?:\*|[Gg]eb\b|[Gg]eboren|[Bb]orn\b|[Dd]\.?[Oo]\.?[Bb]\b|n[ée]e?\b|nacid"
    r"|nat[oa]\b|nascid|\d{1,4}[./-]\d{1,2}[./-]\d))"
)
"""A first name behind the surname, as registers write them: what is said of a birth follows."""

_LABELLED = compile_later(
    rf"(?<!\w)(?:(?i:patient(?:'s|en)?[ -]?name|name des patienten|name of patient|nom du patient"
    rf"|nombre del paciente|patient(?:in)?|pt\.?|name|nom|nombre|nome))[ ]?: ?(?P<name>"
    rf"{_WORD} (?:(?:{_PARTICLES} ){{0,3}}{_WORD})(?: {_WORD})?)(?=[,;.(\n]|$)"
)
"""A name behind a word for it and a colon."""


def _find_labelled_names(text: str, _heading: str) -> Iterator[tuple[int, int]]:
    if ":" not in text:
        return
    for found in _LABELLED.finditer(text):
        words = found["name"].split()
        plain = [word.strip(".,").casefold() for word in words]
        if not set(plain) & _NO_NAMES and not any(map(_COMMON_ENDINGS.search, plain)):
            yield found.start("name"), found.start("name") + _end_of(found["name"], len(words))


def _is_no_monsieur(before: str, word: str) -> bool:
    """Whether M. stands for morbus, or is the initial of an author."""
    return word.rstrip(".") in _EPONYMS or bool(_SURNAME_BEFORE.search(before[-40:]))


_SURNAME_BEFORE = compile_later(r"[A-ZÀ-Þ][\w-]+,? (?:[A-Z]\. ?)*$")


def _end_of(name: str, count: int) -> int:
    """Where the first ``count`` words of a name end; a full stop is the sentence's, unless it
    stands behind an initial.
    """
    if name.count(" ") + 1 == count:
        end = len(name)
    else:
        end = [part.end() for part in re.finditer(r"\S+", name)][count - 1]
    last = name[:end].rpartition(" ")[2]
    return end - (last.endswith(".") and len(last) > 2)


def _may_be_patients_name(text: str, found: re.Match[str], words: Sequence[str]) -> bool:
    """Whether the capitalised words behind *patient* are a name: nouns are capitalised in German,
    and words in titles.
    """
    if found["title"].endswith(".") and len(found["title"]) > len("Pat."):
        return False
    if any(word.isupper() for word in words) and not found["title"].isupper():
        return False
    if len(words) == 1 and _IS_ENGLISH_HEADING.search(text[found.end() :][:20]):
        return False
    return not any(_COMMON_ENDINGS.search(word) for word in words)


_IS_ENGLISH_HEADING = compile_later(r"^ (?:[A-Z]|\()")
_COMMON_ENDINGS = compile_later(
    r"(?i)(tion|tions|ment|ung|ungen|keit|heit|schaft|ing|ness|ity|itis|ose|osis|naire|ance|ence"
    r"|algie|pathie|ismus|tät|mg|ml)$"
)

# -- all of them -----------------------------------------------------------------------------------

_QUICK: Sequence[tuple[tuple[Kind, ...], re.Pattern[str]]] = (
    (("email",), compile_later(r"@|[\[(] ?at ?[\])]")),
    (
        ("birth",),
        compile_later(
            r"\bd\.?o\.?b|\bborn|birth|\bgeb|naissance|\bn[ée]+(?:e|\(e\))?(?: à [^\s,]+)? le"
            r"|nacim|\bnac\b|nacid"
            r"|\bnat[oa](?: ad? [^\s,]+)? il"
            r"|nascit|nascid|\*\d|\bur\.|\burodz|data urodzenia|\bf[øö]d"
        ),
    ),
    (
        ("record",),
        compile_later(
            r"(?:\bmrn|numbers?|\bno|n[rº°]|\bn\.[º°]?|id|kennung|zeichen|nummer|cl[íi]nica|nhc|\bipp"
            r"|dossier|cartella|passport|licen[cs]e|pass|ausweis|historia|utente|prontu[áa]rio|kennziffer|#)[^\w\n]{0,4}[a-z]*[\d/-]*\d"
        ),
    ),
    (
        ("address",),
        compile_later(
            r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|close|court|boulevard|blvd|way|place"
            r"|terrace|crescent|square|gardens|grove|parkway|highway|hill|rue|av|bd|chemin|impasse"
            r"|all[ée]e|quai|cours|route|calle|avda|avenida|plaza|paseo|carrer|rua|via|viale|v|c/"
            r"|square|passage|faubourg|mail|travessa|pra[çc]a|largo)\b|\b(?:ul|al|os|pl)\. "
            r"|(?:straat|laan|plein|gracht|kade|singel|dijk) \d|\bstra(?:ß|ss)e (?:des|der|am) "
            r"|(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|damm|ufer|ring) \d|\d ?[a-z]?, \d{5} "
            r"|[a-z]\d[\da-z]? \d[a-z]{2}\b"
        ),
    ),
)
"""What a text with an identifier of these kinds has, in lower case: a quick look for each."""
_QUICK_AS_WRITTEN: Sequence[tuple[tuple[Kind, ...], re.Pattern[str]]] = (
    (
        ("name",),
        compile_later(
            r"(?:(?i:\b(?:mrs?|ms|miss|mx|dra?|prof(?:essor)?|doctor|sir|dame|pt|hrn?|fräulein|nurse"
            r"|sister|matron|midwife|herrn?|frau|fr|schwester|pfleger|hebamme|pat|m|mme|mlle"
            r"|monsieur|madame|mademoiselle|docteur|sra?|srta|señor(?:a|ita)?|senhora?|pr|d|don"
            r"|doña|dona|dña"
            r"|dott(?:\.?ssa|or|oressa)?|sig(?:nora?|nore|\.ra|\.na)?|dhr|mw|mevr(?:ouw)?|meneer"
            r"|(?:de )?heer|pan(?:i|a|u|em|ią)?"
            r"|fru|patient(?:in|e)?)\.?(?: ?(?:dr|prof|pd|priv\.?-doz|dipl|doz|ing|med|rer|nat|phil"
            r"|dent|h\. ?c|univ\.-prof)\.?)*)"
            rf"|(?i:\b(?:name|nom|nombre|nome|del? pa[tc]ient\w*|patient(?:in|e|en)?|patient'?s|pt)"
            rf"(?:[ -]?name)?\.? ?:)) ?(?:{_PARTICLES} ){{0,3}}[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я]"
        ),
    ),
)
"""The same, for what begins with a capital."""


_REPEATED = 5
"""How often a column's first cells repeat on average before each is looked at only once."""
_MANY = 500
"""From so many texts on, Arrow's regular expressions are much quicker than Python's."""


_DIGITS = compile_later(r"\d(?:[^\n]{0,3}?\d){5}")
"""What every number has that identifies a patient."""


@lru_cache(maxsize=1)
def _signs_of_numbers() -> Sequence[tuple[Kind, bool, re.Pattern[str]]]:
    """What a text with an identity or telephone number has besides digits: a form or a word, which
    may also stand in the column's heading. False for those that are looked for in lower case.
    """
    forms = [form.pattern.replace(r"\1", "[ -]?") for form, _ in _WITHOUT_WORDS]
    forms += [r"[A-Z](?:[\s.-]?\d){9}", _GERMAN_PENSION.pattern, r"\d(?:-?[A-Z\d]){10}"]
    beside = "|".join([*(words for _, words in _OF_NUMBERS), "medicare"]).lower()
    called = _CALLED.pattern.removeprefix("(?i)").lower()
    relatives = f"n[úu]mero|{_RELATIVES}"
    return (
        ("number", True, re.compile("|".join(f"(?:{form})" for form in forms))),
        ("number", False, re.compile(beside)),
        ("phone", True, re.compile(_FORM_OF_PHONE.pattern)),
        ("phone", False, re.compile(called)),
        ("phone", False, re.compile(relatives)),
        ("phone", False, re.compile(_SIGNS_OF_A_CALL)),
    )


@lru_cache(maxsize=2048)
def _numbers_of_heading(heading: str) -> frozenset[Kind]:
    """The kinds of numbers that a column may hold by the words of its heading."""
    lowered = heading.lower()
    return frozenset(
        kind
        for kind, as_written, sign in _signs_of_numbers()
        if not as_written and sign.search(lowered)
    )


def _is_looked_through(heading: str) -> bool:
    """Whether each cell of a column may hold an identifier, by the column's heading."""
    return bool(list_identifier_kinds_and_cell_patterns(heading) or _numbers_of_heading(heading))


def _kinds_by_text(texts: Sequence[str]) -> dict[int, set[Kind]]:
    """The kinds of identifiers that texts may hold, by a quick look at them; those without any are
    not named.
    """
    if len(texts) >= _MANY:
        return _kinds_in_array(_text_array(texts))
    found: dict[int, set[Kind]] = {}
    for at, text in enumerate(texts):
        lowered = text.lower()
        kinds: set[Kind] = set()
        for of, sign in _QUICK:
            kinds.update(of if sign.search(lowered) else ())
        for of, sign in _QUICK_AS_WRITTEN:
            kinds.update(of if sign.search(text) else ())
        if _DIGITS.search(text):
            kinds.update(
                kind
                for kind, as_written, sign in _signs_of_numbers()
                if kind not in kinds and sign.search(text if as_written else lowered)
            )
        if kinds:
            found[at] = kinds
    return found


def _kinds_in_array(texts: pa.Array) -> dict[int, set[Kind]]:
    """As ``_kinds_by_text``, of texts that Arrow holds."""
    import pyarrow.compute as pc

    found: dict[int, set[Kind]] = {}

    def look(looked_at: pa.Array, kinds: Collection[Kind], sign: str, among: Sequence[int]) -> None:
        held = pc.match_substring_regex(looked_at, pattern=sign)
        for at in pc.indices_nonzero(held).to_pylist():
            found.setdefault(among[at], set()).update(kinds)

    # Most texts have none of the signs, which one expression says more quickly than seven.
    kept = pc.indices_nonzero(pc.match_substring_regex(texts, pattern=_any_sign()))
    if not len(kept):
        return {}
    texts, among = texts.take(kept), kept.to_pylist()
    lowered = pc.utf8_lower(texts)
    for kinds, sign in _QUICK:
        look(lowered, kinds, sign.pattern, among)
    for kinds, sign in _QUICK_AS_WRITTEN:
        look(texts, kinds, sign.pattern, among)
    numbered = pc.indices_nonzero(pc.match_substring_regex(texts, pattern=_DIGITS.pattern))
    as_they_are, in_lower_case = texts.take(numbered), lowered.take(numbered)
    places = [among[at] for at in numbered.to_pylist()]
    for kind, as_written, sign in _signs_of_numbers():
        look(as_they_are if as_written else in_lower_case, [kind], sign.pattern, places)
    return found


@lru_cache(maxsize=1)
def _any_sign() -> str:
    """What a text has that has any of the signs of identifiers."""
    in_lower_case = "|".join(sign.pattern for _, sign in _QUICK)
    as_written = [sign.pattern for _, sign in _QUICK_AS_WRITTEN]
    return "|".join([f"(?i:{in_lower_case})", *as_written, _DIGITS.pattern])


def _text_array(texts: Sequence[str]) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(texts, pa.large_string())
    except UnicodeEncodeError:
        # Half surrogates, which no store holds, cannot be given to Arrow.
        plain = [text.encode("utf-8", "replace") for text in texts]
        return pa.array(plain, pa.large_string())


_FINDERS: Sequence[tuple[Kind, Callable[[str, str], Iterable[tuple[int, int]]]]] = (
    ("email", lambda text, _: (found.span() for found in _EMAIL.finditer(text))),
    ("birth", lambda text, _: (found.span() for found in _BIRTH.finditer(text))),
    ("number", _find_numbers),
    ("record", lambda text, _: (found.span() for found in _RECORD.finditer(text))),
    ("phone", _find_phones),
    ("address", _find_addresses),
    ("name", _find_names),
    ("name", _find_labelled_names),
)
_WITH_CARETS = r"[^\W\d_][\w '’.-]*\^[\w '’.^=-]*"
"""A name as DICOM and HL7 write it: "DOE^JANE"."""
_AS_REGISTERS_WRITE = (
    rf"{_WITH_CARETS}|[^\W\d_]{{2,}}(?:['’-][^\W\d_]+)*,?(?: [^\W\d_][^\W\d_'’.-]*\.?){{1,3}}"
)
"""A name in a column that is headed so, in any case: "doe, jane m."."""
_OF_HEADINGS: Sequence[tuple[Kind, re.Pattern[str], re.Pattern[str]]] = (
    (
        "birth",
        compile_later(
            r"(?i)\bd\.?o\.?b\b|birth|geburtsdatum|geburtstag|naissance|nacimiento|nascita"
            r"|^geb(\.|oren)?( ?(am|datum))?$|\bnac\b|^n[ée]+\(?e?\)? le$|nascimento|nasc\."
            r"|^nat[oa] il|geboorte|f[øo]dselsdato|do[gğ]um|生年月日|出生"
        ),
        _A_DATE,
    ),
    (
        "record",
        compile_later(
            r"(?i)\bmrn\b|medical[ _-]?record|hospital[ _-]?(id|no|nr|number)\b|historia cl|\bnhc\b"
        ),
        compile_later(r"[A-Z0-9][\w/-]{3,20}"),
    ),
    (
        "record",
        compile_later(
            r"(?i)(patient|chart)[ _-]?(id|no|nr|number)\b|patienten?[ _-]?(nummer|nr|id)"
            r"|fall[ _-]?(nummer|nr)\b|prontu[áa]rio|pati[ëe]nt(en)?nummer|journalnummer"
            r"|(n[°ºo]\.?|num[ée]ro)[ _-]?(de )?dossier|\bipp\b|n[°ºr]\.? ?cartella"
        ),
        # A study's own "U-01" or "P003" is no number of a hospital.
        compile_later(r"(?=(?:\D*\d){5})[A-Z0-9][\w/-]{3,20}"),
    ),
    (
        "name",
        compile_later(
            r"(?i)(patient|full|first|last|sur|given|family|maiden)('s)?[ _-]?name|nachname|vorname"
            r"|familienname|patientenname|apellidos?|pr[ée]nom|cognome|achternaam|voornaam"
        ),
        compile_later(rf"{_NAME}(?:, {_NAME})?|{_AS_REGISTERS_WRITE}"),
    ),
    (
        "name",
        compile_later(
            r"(?i)^(patient(in|en|e)?|pat\.?|paciente|paziente|pati[ëe]nt|hasta|name|nom|nombre|nome"
            r"|naam)$"
        ),
        compile_later(rf"{_WORD},? {_WORD}|{_WITH_CARETS}"),
    ),
    (
        "address",
        compile_later(r"(?i)(home|postal|street|patient)[ _-]?address|wohnort|wohnadresse|domicil"),
        compile_later(r"(?s).*\w.*"),
    ),
)
"""Columns whose headings say what each cell holds, and what it looks like."""


_LONGEST_CELL = 120


@lru_cache(maxsize=2048)
def list_identifier_kinds_and_cell_patterns(
    heading: str,
) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    """What each cell of a column with this heading holds, and how such a cell looks."""
    return tuple(
        (kind, of_cell) for kind, called, of_cell in _OF_HEADINGS if called.search(heading)
    )


_PART_OF_A_CASE = compile_later(
    r"(?i)(?:vorschlag|antwort|entwurf|frage|anamnese|befund|diagnose|therapie|empfehlung|referenz"
    r"|musterl[öo]sung|einsch[äa]tzung|bewertung|beurteilung|zusammenfassung|fragestellung|verlauf"
    r"|suggestion|proposal|answer|response|reply|draft|question|history|findings?|diagnosis"
    r"|impression|assessment|recommendation|reference|summary|treatment|management|rating|presenting"
    r"|proposition|r[ée]ponse|histoire|diagnostic|conclusion|r[ée]sum[ée]|avis|propuesta|respuesta"
    r"|pregunta|diagn[óo]stico|resumen|proposta|risposta|domanda|diagnosi|antwoord|voorstel|vraag"
    r"|answered|recommended|chief|past|family|physical|differential)(?=[ :._-]|$)"
)
"""What a part of a case is called, where a name might stand."""


def find_identifiers(
    text: str, heading: str = "", possible: Collection[Kind] | None = None
) -> list[Identifier]:
    """What may identify a patient in a text, in its order, without overlaps. ``heading`` is that
    of the text's column; only the ``possible`` kinds are looked for, if they are known.
    """
    for kind, of_cell in list_identifier_kinds_and_cell_patterns(heading):
        cell = text.strip()
        if kind == "name" and _PART_OF_A_CASE.match(cell):
            # Each case has its own sheet, with the parts of it below "Patient".
            continue
        if cell and len(cell) <= _LONGEST_CELL and of_cell.fullmatch(cell):
            start = text.index(cell)
            return [Identifier(kind, start, start + len(cell), cell)]
    if possible is None:
        possible = _kinds_by_text([text]).get(0, set())
    possible = {*possible, *_numbers_of_heading(heading)}
    found: list[Identifier] = []
    taken: list[tuple[int, int]] = []
    for kind, find in _FINDERS:
        if kind not in possible:
            continue
        for start, end in find(text, heading):
            if not any(start < last and first < end for first, last in taken):
                taken.append((start, end))
                found.append(Identifier(kind, start, end, text[start:end]))
    return sorted(found, key=lambda identifier: identifier.start)


def replace_identifiers(text: str, heading: str = "") -> str:
    """The text with what each identifier is in brackets in its place: ``[telephone number]``."""
    parts, at = [], 0
    for identifier in find_identifiers(text, heading):
        parts += [text[at : identifier.start], f"[{KINDS[identifier.kind]}]"]
        at = identifier.end
    return "".join([*parts, text[at:]]) if parts else text


_LOOKED_AT, _MOST_OF_A_CELL = 20, 0.6


def is_identifier_column(cells: Sequence[str], heading: str) -> bool:
    """Whether most of a column's cells are identifiers and little else."""
    sample = cells[:_LOOKED_AT]
    found = 0
    for cell in sample:
        length = sum(len(one.text) for one in find_identifiers(cell, heading))
        found += length >= _MOST_OF_A_CELL * len(cell)
    return bool(sample) and 2 * found > len(sample)


# -- in the rows of a table ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where an identifier stands in a table: its row, counted from 1, and its column."""

    row: int
    column: str
    kind: Kind
    text: str


def list_identifiers_in_row(
    row: Mapping[str, Any], without: Collection[str] = ()
) -> list[tuple[str, Identifier]]:
    """What may identify a patient in a row's cells and their parts, with the column; columns
    ``without`` are not looked at.
    """
    texts = [
        (column, text)
        for column, cell in row.items()
        if column not in without
        for text in _texts_in(cell)
    ]
    possible = _kinds_by_text([text for _, text in texts])
    return [
        (column, identifier)
        for at, (column, text) in enumerate(texts)
        if at in possible or _is_looked_through(column)
        for identifier in find_identifiers(text, column, possible.get(at, ()))
    ]


def _texts_in(cell: Any) -> Iterator[str]:
    if isinstance(cell, str):
        yield cell
    elif isinstance(cell, int) and not isinstance(cell, bool):
        yield str(cell)
    elif isinstance(cell, Mapping):
        for part in cell.values():
            yield from _texts_in(part)
    elif isinstance(cell, list | tuple):
        for part in cell:
            yield from _texts_in(part)


def replace_identifiers_in_cell(cell: Any, heading: str) -> Any:
    """A cell with its identifiers replaced, also in its parts."""
    if isinstance(cell, str):
        return replace_identifiers(cell, heading)
    if isinstance(cell, int) and not isinstance(cell, bool):
        text = replace_identifiers(str(cell), heading)
        return cell if text == str(cell) else text
    if isinstance(cell, Mapping):
        return {name: replace_identifiers_in_cell(part, heading) for name, part in cell.items()}
    if isinstance(cell, list | tuple):
        return [replace_identifiers_in_cell(part, heading) for part in cell]
    return cell


def find_identifiers_in_rows(
    rows: Iterable[Mapping[str, Any]], without: Collection[str] = ()
) -> list[Place]:
    """What may identify a patient in a table's rows, row by row."""
    cells = [
        (at, column, text)
        for at, row in enumerate(rows, 1)
        for column, cell in row.items()
        if column not in without
        for text in _texts_in(cell)
    ]
    # What is the same in many cells is looked at once.
    unique = list(dict.fromkeys(text for _, _, text in cells))
    possible = {unique[at]: kinds for at, kinds in _kinds_by_text(unique).items()}
    found: dict[tuple[str, str], list[Identifier]] = {}
    places = []
    for at, column, text in cells:
        if text not in possible and not _is_looked_through(column):
            continue
        if (column, text) not in found:
            found[column, text] = find_identifiers(text, column, possible.get(text, ()))
        places += [Place(at, column, one.kind, one.text) for one in found[column, text]]
    return places


def find_identifiers_in_text_table(
    table: pa.Table, *, before: int = 0, enough: int = 0
) -> list[Place]:
    """What may identify a patient in a table of texts, row by row: as ``find_identifiers_in_rows``,
    and much quicker. Rows are counted from those ``before`` the table's; a column with ``enough``
    places, if that is not 0, is not looked through to its end.
    """
    from concurrent.futures import ThreadPoolExecutor

    names = table.column_names
    with ThreadPoolExecutor() as threads:
        found = threads.map(lambda name: _in_column(name, table[name], before, enough), names)
        # Sorting keeps the order of columns within a row.
        return sorted(chain.from_iterable(found), key=attrgetter("row"))


_PLAIN_NUMBER = r"^\s*[-+]?\d{0,5}(?:[.,]\d*)?\s*$"


def _in_column(column: str, texts: pa.Array, before: int = 0, enough: int = 0) -> list[Place]:
    import pyarrow as pa
    import pyarrow.compute as pc

    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks()
    through = _is_looked_through(column)
    rows: Sequence[int] = range(len(texts))
    if not through:
        # Whole columns are nothing but short numbers.
        plain = pc.match_substring_regex(texts, pattern=_PLAIN_NUMBER)
        kept = pc.indices_nonzero(pc.invert(pc.fill_null(plain, True)))
        if len(kept) < len(texts):
            texts, rows = texts.take(kept), kept.to_pylist()
    repeated = len(texts) > _MANY and len(texts[:_MANY].unique()) * _REPEATED < _MANY
    encoded = texts.dictionary_encode() if repeated else None
    unique = texts if encoded is None else encoded.dictionary
    # What is the same in many cells stands for rows anywhere: there the first are not enough. Of
    # others, full of names, only the first texts are looked at, and taken out of Arrow.
    stops = bool(enough) and encoded is None
    places: list[Place] = []
    for begin, end in pairwise([0, min(_MANY * 8, len(unique)) if stops else 0, len(unique)]):
        possible = _kinds_in_array(unique.slice(begin, end - begin)) if end > begin else {}
        for at in range(end - begin) if through else sorted(possible):
            text = unique[begin + at].as_py()
            found = find_identifiers(text, column, possible.get(at, ())) if text else []
            if not found:
                continue
            there: Iterable[int] = [begin + at]
            if encoded is not None:
                there = pc.indices_nonzero(pc.equal(encoded.indices, begin + at)).to_pylist()
            places += [
                Place(before + rows[row] + 1, column, one.kind, one.text)
                for row in there
                for one in found
            ]
            if stops and len(places) >= enough:
                return places
    return places


_NAMED = 3


def list_identifiers_found_in_words(places: Sequence[Place], *, quoted: bool = True) -> list[str]:
    """What was found, in a sentence for each kind and column, with rows and, if it is ``quoted``,
    the first as it stands there.
    """
    groups: dict[tuple[str, Kind], list[Place]] = {}
    for place in places:
        groups.setdefault((place.column, place.kind), []).append(place)
    return [
        _words_of_group(column, kind, group, quoted=quoted)
        for (column, kind), group in groups.items()
    ]


def _words_of_group(column: str, kind: Kind, places: Sequence[Place], *, quoted: bool) -> str:
    rows = list(dict.fromkeys(place.row for place in places))
    named = ", ".join(f"{row:,}" for row in rows[:_NAMED])
    more = f" and {len(rows) - _NAMED:,} more" if len(rows) > _NAMED else ""
    thing = KINDS[kind] if len(places) == 1 else _PLURALS.get(kind, f"{KINDS[kind]}s")
    where = f"row{'s' * (len(rows) > 1)} {named}{more}"
    first = f", such as “{' '.join(places[0].text.split())}”" if quoted else ""
    return f"“{column}”, {where}: {len(places):,} {thing}{first}."


_PLURALS: Mapping[Kind, str] = {
    "email": "e-mail addresses",
    "birth": "dates of birth",
    "address": "postal addresses",
}
