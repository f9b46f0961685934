"""Figures that say something else without what follows them: an interval that includes no effect, a
figure as high in the other group, the rest of a unit, how often a dose is taken.
"""

from __future__ import annotations

import re

from medlens.deferred_regex import compile_later

_I = re.IGNORECASE
_NUMBER = r"[-−–+]?\d+(?:[.·,]\d+)?"
_A_RATIO = compile_later(r"\b(?:ratios?|relative risks?|hazards?|odds|a?HR|a?OR|RR|IRR|SMR)\b")
_AN_EFFECT = compile_later(
    r"\b(?:ratios?|odds|hazards?|risks?|difference|change|effect|reduction|increase|improvement"
    r"|correlation|association|reduced|lower(?:ed)?|raised|increased|decreased|improved|higher|fewer"
    r"|more|less|better|worse|longer|shorter)\b|\b(?:a?HR|a?OR|RR|IRR|SMR|MD|SMD|ARR)\b",
    _I,
)
_INTERVAL = compile_later(
    rf"\b(?:CIs?|confidence intervals?|credible intervals?|CrI)\b[^\d\n;]{{0,20}}?"
    rf"(?:[(\[,:=]|of|from)?\s*(?P<low>{_NUMBER})\s*%?\s*(?:to|,|;|[-–—−]|and)\s*(?P<high>{_NUMBER})",
    _I,
)
_P_VALUE = compile_later(
    r"\bp(?:[- ]value)?(?: of| was)?\s*(?P<sign>[=>≥]|\s)\s*(?P<value>[01]?[.·]\d+)|\bns\b"
    r"|\bn\.s\.",
    _I,
)
_NO_P = compile_later(r"\bp(?:[- ]value)?\s*<", _I)
_SIGNIFICANT_BELOW = 0.05
# What a figure is followed by where it is given with its meaning: brackets, a comma, a dash.
_BESIDE_FIGURE = compile_later(r"\s*[(\[,;–—]|\s+(?:with|and|but)\b|\s+\w+\s*[(\[]")
_OTHER_GROUP = compile_later(
    rf"\s*,?\s+(?:versus|vs\.?|as against|as opposed to|as compared (?:with|to)|compared (?:with"
    rf"|to)"
    rf"|against)\s+(?:an? |the |about |only |just |nearly |almost |some )*{_NUMBER}",
    _I,
)
_AND_FIGURE = compile_later(
    rf"\s*,?\s+(?:and|while|whereas)\s+(?:also |it was )?(?P<there>{_NUMBER})"
)
_FIGURES = compile_later(_NUMBER)
_ENDS_IN_UNIT = compile_later(r"\d[\d.,·]*\s?[A-Za-zµμ%°²³][\w%°²³⁰-⁹/·^µμ]*$")
_UNIT_GOES_ON = compile_later(r"\s?/\s?[\dA-Za-zµμ]|[·⋅×]\s?[\dA-Za-z]|\s?(?:per|/)\s")
_COUNTED = (
    r"(?:\d[\d.,/½¼]*|half|an?|one|two|three|four|five|six|seven|eight|nine|ten)"
    r"(?: (?:or|to|and) \S+)?"
)
_ENDS_IN_DOSE = compile_later(
    rf"\b{_COUNTED}(?: \w+)? (?:tablets?|capsules?|sprays?|puffs?|drops?|doses?|sachets?|pumps?"
    r"|(?:tea|table)?spoon(?:ful)?s?|lozenges?|pills?|patch(?:es)?|injections?|ampoules?|vials?"
    r"|units?|inhalations?|applications?|suppositor(?:y|ies)|glass(?:es)?|cups?)$",
    _I,
)
_PER_WHAT = compile_later(
    r",?\s+(?:(?:in|into|to|for|per) (?:each|every)|each|every|per|a (?:day|week|month|night|year)"
    r"|daily|weekly|monthly|nightly|once|twice|(?:\w+ )times|at (?:night|bedtime)|in the (?:morning"
    r"|evening)|before|after|with (?:meals|food)|for \w+ days?)\b",
    _I,
)
# "Between 5 and 10 | in every 10,000 who were vaccinated", "20 deaths | per million doses".
_NUMBER_WORD = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty"
    r"|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion)"
)
_ENDS_IN_COUNT = compile_later(rf"(?:\d|\b{_NUMBER_WORD})(?: [a-z][\w-]*){{0,2}}$", _I)
_OUT_OF_HOW_MANY = compile_later(
    rf"\s+(?:(?:in|for|out of|of|among|amongst|from|to) (?:every|each|an?|one|the) (?:\d"
    rf"|{_NUMBER_WORD}\b)|(?:per|out of) (?:\d|{_NUMBER_WORD}\b))",
    _I,
)


def is_count_cut_from_base(quote: str, rest: str) -> bool:
    """Whether a quote ends in a count and what it is out of follows, in any language that says it
    with "per".
    """
    return _ENDS_IN_COUNT.search(quote) is not None and _OUT_OF_HOW_MANY.match(rest) is not None


def does_figure_need_rest(quote: str, rest: str) -> bool:
    """Whether a figure in a quote says something else without the ``rest`` of its sentence."""
    if _ENDS_IN_UNIT.search(quote) and _UNIT_GOES_ON.match(rest):
        return True
    if _ENDS_IN_DOSE.search(quote) and _PER_WHAT.match(rest):
        return True
    figures = _FIGURES.findall(quote)
    if not figures:
        return False
    if _OTHER_GROUP.match(rest):
        return True
    also = _AND_FIGURE.match(rest)
    if also and also["there"] in figures:
        return True
    return _BESIDE_FIGURE.match(rest) is not None and _says_no_effect(quote, rest)


def _says_no_effect(quote: str, rest: str) -> bool:
    """Whether the interval or the P value right behind a quoted effect includes that there is
    none.
    """
    if not _AN_EFFECT.search(quote):
        return False
    beside = rest[:120]
    if interval := _INTERVAL.search(beside):
        low, high = _value(interval["low"]), _value(interval["high"])
        none = 1.0 if _A_RATIO.search(quote) else 0.0
        return low < none < high
    if _NO_P.search(beside):
        return False
    found = _P_VALUE.search(beside)
    return found is not None and (
        found["value"] is None or _value(found["value"]) >= _SIGNIFICANT_BELOW
    )


def _value(number: str) -> float:
    plain = number.replace("·", ".").replace(",", ".")
    return float(re.sub("[−–]", "-", plain))
