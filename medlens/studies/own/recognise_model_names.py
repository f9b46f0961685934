"""Names of language models in what people write, told from the same words with another meaning,
and headings of columns that say how an answer came about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from medlens.deferred_regex import compile_later
from medlens.studies.own.detect_model_answer_columns import (
    NAMED_MODEL,
    PARTS_OF_NAMES,
    normalise_model_name,
    regex_for_model_name_variants,
)
from medlens.studies.own.words_as_readers_see_them import (
    PATTERN_OF_TEXTS_READ_OTHERWISE,
    text_and_its_words_as_seen,
)
from medlens.tables.search_text_columns import rows_that_match_in_each_column

if TYPE_CHECKING:
    import pyarrow as pa

_SHORTEST = 3
"""The shortest name, in characters, that is looked for as it is."""
_WORDS_TOO = frozenset(
    ["claude", "gemini", "gemma", "llama", "mistral", "mixtral", "grok", "copilot", "gpt"]
)
"""Names that also are words, people's names or a laboratory value."""
_FAMILIES = (*_WORDS_TOO, "chatgpt", "qwen", "deepseek", "palm", "meditron")
_OF_A_VERSION = frozenset(["sonnet", "opus", "haiku"])
_NEAR = 40
"""How many characters on each side of "GPT" can say that the enzyme is meant."""
_LABORATORY = compile_later(
    r"\bGOT\b|\b[AS]LA?T\b|\bA[LS]AT\b|\bAST\b|\bALT\b|\b[Gg](?:amma|γ)?-?GT\b|\bGGT\b|\bAP\b|\bLDH\b"
    r"|(?i:\bm?i?u ?/ ?m?l\b|[µμu]kat|transamin|leberwert|leberenzym|liver|hepat|bilirubin|enzym)"
)
_ABOUT_A_VALUE = compile_later(
    r"(?i)\b(?:\w+[- ])?wert\w*|erh[öo]h\w*|anstieg|steig\w*|norm\b|normal\w*|statin\w*|leber\w*"
    r"|liver|hepat\w*|bilirubin\w*|blut\w*|enzym\w*|enzim\w*|transamin\w*|elevat\w*|raised"
    r"|[ée]lev[ée]\w*|foie|h[íi]gado|fegato|w[ąa]trob\w*|valeurs?|valor\w*|valore|wynik\w*"
    r"|u ?/ ?l\b|ul[nt]\b"
)
_ABOUT_AN_ENZYME = 200
"""How many characters on each side of a bare "GPT" can speak of a value of the laboratory."""
_AFTER_A_MODELS_NAME = compile_later(
    r"(?i)[- ](?:answers?|antwort\w*|respon\w*|r[ée]pon\w*|respu\w*|outputs?|version\w*|bots?|api"
    r"|models?|modell\w*)\b|[- ]?\d"
)
_BEFORE_A_PERSON = compile_later(
    r"(?i)(?:(?<!['’´`])\b(?:jean|marie|anne|pierre|dr|mr|mrs|ms|herrn?|frau|mme|m|monsieur|madame|prof"
    r"|patient(?:in)?|docteur|saint)\b[-.\u2010\u2011 ]+"
    r"|\b(?:h[oô]pital|hospital|clinique|clinic|klinik|chu|chru|institut\w*|centre|rue|avenue"
    r"|boulevard|place|[ée]cole|lyc[ée]e|universit[ée]) )$"
)
_BEFORE_ANOTHER_NAME = compile_later(
    r"[-\u2010\u2011](?!Opus|Sonnet|Haiku|Instant|Next|Code|Pro|AI)[A-ZÀ-Þ][a-zß-ÿ]+"
)
"""What stands behind the first name of somebody after whom a place is called: "Claude-Huriez"."""
_NEAR_A_MACHINE = compile_later(
    r"\b(?:AI|KI|LLMs?)\b|(?<!stade )(?<!stage )(?<!grade )(?<!classe )(?<!FIGO )\bIA\b"
    r"|(?i:\b(?:anthropic|google|openai|deepmind|xai|\w*models?|\w*modell[oe]?|modelo|mod[eè]le"
    r"|chat ?bot)\b)"
)
_BEFORE_A_MACHINE = compile_later(
    r"(?i)\b(?:(?:written|generated|drafted|created|produced|answered|suggested|according|verfasst"
    r"|erstellt|generiert|geschrieben|erzeugt|r[ée]dig[ée]e?|g[ée]n[ée]r[ée]e?|[ée]crite?|escrit[oa]"
    r"|generad[oa]|redactad[oa]|gerad[oa]|scritt[oa]|generat[oa]|gegenereerd|geschreven|skrevet|skriven"
    r"|genererad|genereret|generert) (?:by|to|von|durch|mit|with|par|avec|por|con|com|da|door|met"
    r"|av|af|med)|as|als|como|come|som|en tant que|selon|laut|seg[úu]n|segundo|secondo|volgens"
    r"|enligt"
    r"|i['’]?m|i am|ich bin|je suis|soy|sou|sono|ik ben|jag [äa]r|jeg er|je m['’]appelle|me llamo"
    r"|mi chiamo|my name(?:['’]s| is)|ask(?:ed)?|fragte?) $"
)
"""What says, beside a name that is also another word, that the model is meant."""
_BEGIN_OF_LINE = compile_later(r"(?:^|\n)[^\w\n]*$")
_LABEL_OR_END_OF_LINE = compile_later(r"[*_]*[ \t]*(?::|here\b|[.!]?[ \t]*(?:\n|$))")
_BEFORE_A_SIGNATURE = compile_later(r"[–—~-] ?$")
_A_TRIAL = compile_later(
    r"GEMINI[- ]?(?:[1-3]|I{1,3})?(?:[- ](?:LTS|OLE))?[- ]"
    r"(?i:trials?|stud(?:y|ies|ien?|io)|[ée]tudes?)\b"
)
"""A trial that is called like a model: "GEMINI 1 trial"."""
_AFTER_ANOTHER_WORD = compile_later(
    r"(?i)^(?:['’]s|s)?[- ](?:syndrom\w*|bernard|monet|debussy|virus\w*|twins?|zwilling\w*"
    r"|surfactants?|nanobod\w*|antibod\w*|antik[öo]rper\w*|winds?|farms?|wool|wolle|herds?|herden?"
    r"|constellation|sternbild)\b"
)


def find_model_names_in_text_by_normalised_name(
    text: str, compared: Sequence[str] = ()
) -> dict[str, str]:
    """The names of models in a text, as written there, by what ``normalise_model_name`` makes of
    them.

    ``compared`` are the models of the study, which are looked for as people shorten them ("GPT",
    "4o"). A name that is also another word counts only if a model of that family is compared.
    """
    families = {one for name in compared for one in _FAMILIES if one in normalise_model_name(name)}
    found: dict[str, str] = {}
    text = text_and_its_words_as_seen(text)
    plain = text.casefold()
    well_known = any(part in plain for part in PARTS_OF_NAMES)
    for name in NAMED_MODEL.finditer(text) if well_known else ():
        alike = normalise_model_name(name[0])
        if is_other_thing_of_same_name(text, name) or (
            alike in _WORDS_TOO and alike not in families
        ):
            continue
        found.setdefault(alike, name[0])
    for pattern in map(re.compile, _patterns(compared)):
        for name in pattern.finditer(text):
            if not any(normalise_model_name(name[0]) in longer for longer in found):
                found[normalise_model_name(name[0])] = name[0]
    return found


def find_known_names_in_text_by_normalised_name(text: str) -> dict[str, str]:
    """The names of well-known models in a text, as written there, by what ``normalise_model_name``
    makes of them; whichever models are compared.
    """
    text = text_and_its_words_as_seen(text)
    plain = text.casefold()
    if not any(part in plain for part in PARTS_OF_NAMES):
        return {}
    found = (
        name for name in NAMED_MODEL.finditer(text) if not is_other_thing_of_same_name(text, name)
    )
    return {normalise_model_name(name[0]): name[0] for name in found}


def names_of_well_known_models_by_row_in_each_column(
    columns: Sequence[pa.Array | pa.ChunkedArray],
) -> list[dict[int, list[str]]]:
    """For each column of texts the well-known models that each of them names, by its place from 0;
    texts that name none are not there.
    """
    parts = "|".join([*map(re.escape, PARTS_OF_NAMES), PATTERN_OF_TEXTS_READ_OTHERWISE])
    rows = rows_that_match_in_each_column(columns, parts, ignore_case=True)
    return [
        {
            row: [*there.values()]
            for row in held
            if (there := find_known_names_in_text_by_normalised_name(texts[row].as_py()))
        }
        for texts, held in zip(columns, rows, strict=True)
    ]


def is_also_ordinary_word(alike: str, compared: Iterable[str]) -> bool:
    """Whether a name, as ``normalise_model_name`` makes it, also is a word or a person's name, and
    no model of that family is ``compared``: in what was asked of models it is that word.
    """
    return alike in _WORDS_TOO and not any(alike in normalise_model_name(one) for one in compared)


def is_other_thing_of_same_name(text: str, name: re.Match[str]) -> bool:
    """Whether what looks like a model's name here is a laboratory value, a person or a thing."""
    alike = normalise_model_name(name[0])
    if alike.startswith("gpt") and re.fullmatch(r"gpt\d{0,4}(?:[.,]\d+)?\.?", alike):
        near = text[max(name.start() - _NEAR, 0) : name.end() + _NEAR]
        of_value = re.fullmatch(r"gpt\d{2,4}.*", alike)
        if of_value or _LABORATORY.search(near):
            return True
        wide = text[max(name.start() - _ABOUT_AN_ENZYME, 0) : name.end() + _ABOUT_AN_ENZYME]
        of_model = _AFTER_A_MODELS_NAME.match(text, name.end()) or is_said_of_a_machine(text, name)
        return bool(alike == "gpt" and not of_model and _ABOUT_A_VALUE.search(wide))
    if name[0].isupper() and _A_TRIAL.match(text, name.start()):
        return True
    if alike not in _WORDS_TOO:
        return False
    before, after = text[max(name.start() - _NEAR, 0) : name.start()], text[name.end() :]
    called_after = alike == "claude" and _BEFORE_ANOTHER_NAME.match(after[:_NEAR])
    return bool(
        called_after or _BEFORE_A_PERSON.search(before) or _AFTER_ANOTHER_WORD.match(after[:_NEAR])
    )


def is_said_of_a_machine(text: str, name: re.Match[str]) -> bool:
    """Whether the words near a name that is also another word say that the model is meant: "written
    by Claude", "Gemini (an AI)", "Claude: …", "— Claude".
    """
    before, after = text[max(name.start() - _NEAR, 0) : name.start()], text[name.end() :][:_NEAR]
    alone = _LABEL_OR_END_OF_LINE.match(after)
    if alone and (_BEGIN_OF_LINE.search(before) or _BEFORE_A_SIGNATURE.search(before)):
        return True
    near = any(map(_NEAR_A_MACHINE.search, (before, after)))
    return near or bool(_BEFORE_A_MACHINE.search(before))


def _patterns(compared: Sequence[str]) -> Iterator[str]:
    """What the models of a study are also called, as patterns."""
    for name in compared:
        if len(name) >= _SHORTEST and is_distinctive_model_name(name):
            yield f"(?i){regex_for_model_name_variants(name)}"
        for part in re.split(r"[\s_\-\u2010\u2011]+", name.casefold()):
            if re.fullmatch(r"\d(?:\.\d)?o", part) or part in _OF_A_VERSION:
                yield rf"(?i)(?<![^\W_])(?<!\.){re.escape(part)}(?:[- ]mini)?(?![^\W_])"


def is_distinctive_model_name(name: str) -> bool:
    """Whether a model's name is no ordinary word, such as "Baseline": it has a digit, a capital
    inside, or is well known.
    """
    return bool(
        re.search(r"\d", name) or re.search(r"[^\W\d_][A-Z]", name) or NAMED_MODEL.search(name)
    )


# -- how an answer came about ----------------------------------------------------------------------

_OF = (
    r"(?:(?:response|answer|generation|run|processing|inference|elapsed|wall|total|mean|input|output"
    r"|in|out|prompt|completion|num|number of|n|anzahl|api|antwort|rechen|lauf|gesamt) ?)?"
)
_UNIT = r"(?: (?:in )?(?:s|sec|secs|seconds|sek|sekunden|ms|usd|eur|euro|ct|cent|cents|dollar))?"
_HOW = compile_later(
    rf"{_OF}(?:time|times|zeit|zeiten|duration|dauer|latency|latenz|seconds|sekunden|speed"
    r"|geschwindigkeit|tempo|duree|tiempo|temps|runtime|laufzeit"
    r"|tokens?|tokenzahl|tokenanzahl|token count|tokens (?:in|out|used)"
    r"|costs?|kosten|price|preis|coste|costo|cout"
    rf"){_UNIT}"
    r"|(?:models?|modell|modelle|modelo|modele|ki|llm|engine|provider|anbieter|vendor|hersteller"
    r"|checkpoint|snapshot|deployment|endpoint|api)(?: ?(?:name|id|version|used|kosten))?|version"
    r"|modell(?:name|version)|top [pk]|seed|max tokens|finish reason|stop reason|sampling"
    r"|prompt (?:version|variant|template|id|name|hash|label)"
    r"|(?:run |generation )?(?:date|datum|fecha|timestamp|zeitstempel)"
    r"|created(?: at| on)?|erstellt(?: am)?|erzeugt(?: am)?|abgerufen(?: am)?"
    r"|generated(?: at| on| by)?|retrieved(?: at| on)?|run(?: id)?|request id"
)
_NOTES = compile_later(
    r"(?:my |own |internal |eigene |interne )?(?:notes|notiz|notizen|notas|bemerkung|bemerkungen"
    r"|vermerk|vermerke|observations?|todo)"
)
_TEMPERATURE = compile_later(r"(?:model |sampling )?temp(?:erature|eratur|eratura|s)?")
_HOTTEST_SETTING, _LONGEST_NOTES = 2.0, 200
"""The highest temperature that a model is set to, and the mean length in characters of notes that
somebody took on the side: longer ones are a patient's.
"""


def is_generation_metadata_heading(words: str, cells: Sequence[str]) -> bool:
    """Whether a column says how an answer came about rather than what it is: time, tokens, cost,
    model, settings, date, notes on it. ``words`` are its heading in lower case without accents or
    signs, ``cells`` what is filled of it.
    """
    if _TEMPERATURE.fullmatch(words):
        return bool(cells) and all(_is_setting(cell) for cell in cells)
    if _NOTES.fullmatch(words):
        return sum(map(len, cells)) <= _LONGEST_NOTES * max(len(cells), 1)
    return bool(_HOW.fullmatch(words))


def _is_setting(cell: str) -> bool:
    try:
        return 0 <= float(cell.replace(",", ".")) <= _HOTTEST_SETTING
    except ValueError:
        return False
