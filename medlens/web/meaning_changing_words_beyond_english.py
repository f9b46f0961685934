"""What a quote that is not English was cut off from, by the words of its language.

The kinds are those of ``medlens.web.meaning_changing_words_beside_quotes``: in front a negation,
doubt, condition or a count of the subject; behind a condition, an exception, a limit of what is
claimed, the rest of a number or words that take it back.
"""

from __future__ import annotations

import re
from typing import Literal

from medlens.deferred_regex import compile_later
from medlens.web.meaning_changing_word_rule_type import CutRules
from medlens.web.meaning_changing_words_in_german_and_french import (
    FRENCH,
    GERMAN,
    NUMBERS_DE,
    NUMBERS_FR,
)
from medlens.web.meaning_changing_words_in_romance_and_dutch import (
    DUTCH,
    ITALIAN,
    NUMBERS_ES,
    NUMBERS_IT,
    NUMBERS_NL,
    NUMBERS_PT,
    PORTUGUESE,
    SPANISH,
)

Language = Literal["en", "de", "fr", "es", "it", "pt", "nl"]
_I = re.IGNORECASE

_WORDS_OF: dict[Language, re.Pattern[str]] = {
    "en": compile_later(
        r"\b(?:the|of|and|is|to|are|was|were|for|with|that|this|these|be|been|has|have|had|not|by"
        r"|at|from|an|it|which|who|can|may|should|must|if|when|patients|than|or|as|no|do|does|in"
        r"|a|on"
        r"|after|over|then|one|about|their|they|you|your|we|more|most|only|but|two|there|will)\b",
        _I,
    ),
    "de": compile_later(
        r"\b(?:der|das|dem|den|und|ist|nicht|eine[rnms]?|mit|von|zu[mr]?|bei|wird|werden|wurden?"
        r"|im|für|auf|sie|dass|kann|können|sind|nur|oder|wenn|nach|durch|kein\w*|es|sich|auch|hat"
        r"|haben|darf|dürfen|soll\w*|muss|müssen|bis|als|wie|vor|aber|ab|ob|bei[mn]?|gegen|die"
        r"|diese\w*|manche\w*|in|etwa|mehr"
        r"|viele\w*)\b|\w*[äöüß]\w*|\w{3,}(?:ung|heit|keit|schaft)(?:en)?\b",
        _I,
    ),
    "fr": compile_later(
        r"\b(?:le|la|les|une?|est|et|que|pas|dans|pour|par|sur|ne|sont|avec|aux?|du|ce|cette|ces"
        r"|il|elle|ils|elles|plus|qui|peut|doit|peuvent|doivent|vous|si|mais|chez|été|ont|être|des"
        r"|très|aucune?|sans|ou|en|à|de|soient)\b|\b[ldnqsc]['’]|\w*[éàâçèêëîïôûùœ]\w*",
        _I,
    ),
    "es": compile_later(
        r"\b(?:el|la|los|las|un|una|es|y|que|no|en|para|por|con|del?|al|se|su|sus|más|este|esta"
        r"|estos|son|está|puede|debe|pueden|deben|usted|si|pero|cuando|hasta|sin|muy|ningún\w*|o"
        r"|ser|fue|fueron|ha|han|hay|lo|como|entre|sobre|ni|cada|a|según|también|solo|dolor|dos"
        r"|tras)\b"
        r"|\w*[ñ¿¡áíóú]\w*|\w{2,}ci(?:ón|ones)\b|\w{2,}(?:idad|iento|mente)\b",
        _I,
    ),
    "it": compile_later(
        r"\b(?:il|lo|la|i|gli|le|un|uno|una|è|e|che|non|in|per|con|di|del|della|dei|degli|delle"
        r"|dello|al|alla|ai|alle|nel|nella|nei|nelle|negli|si|più|questo|questa|sono|può|deve"
        r"|possono|devono|se|ma|quando|finché|senza|molto|nessun\w*|o|essere|ha|hanno|come|tra|fra"
        r"|su|da|dal|dalla|né|ogni|a|anche|solo|stato|stata|gli)\b|\b(?:l|dell|un|nell|all|d)['’]"
        r"|\w{2,}zion[ei]\b|\w+(?:ità|mente|aggio|enza)\b|\w*[òù]\b",
        _I,
    ),
    "pt": compile_later(
        r"\b(?:o|a|os|as|um|uma|é|e|que|não|em|para|por|com|de|do|da|dos|das|ao|aos|à|às|no|na"
        r"|nos|nas|se|seu|sua|mais|este|esta|isto|são|está|pode|deve|podem|devem|mas|quando|até"
        r"|sem|muito|nenhum\w*|ou|ser|foi|foram|há|como|entre|sobre|nem|cada|também|só|apenas"
        r"|pelo|pela|tem|têm|você|num|numa|dor|dois|após|pare)\b|\w*(?:lh|nh)\w*|\w*(?:ã|õ)\w*"
        r"|\w{2,}(?:ção|ções|dade|mento|mente)\b"
        r"|\w*[áíóúâêç]\w*",
        _I,
    ),
    "nl": compile_later(
        r"\b(?:de|het|een|is|en|niet|geen|van|voor|met|op|te|zijn|wordt|worden|werd|werden|dat"
        r"|die|dit|deze|bij|aan|als|of|er|om|tot|uit|over|door|kan|kunnen|kunt|mag|moet|moeten|u"
        r"|ze|uw"
        r"|heeft|hebben|had|naar|nog|maar|ook|dan|meer|alleen|onder|tegen|na|zonder|wel|veel|zich"
        r"|waardoor|totdat|tenzij|behalve|zodra|neem)\b|\w*(?:ij|aa|uu|oe|ieuw)\w*|\w+(?:lijk"
        r"|heid|ische?)\b",
        _I,
    ),
}


_RULES: dict[Language, CutRules] = {
    "de": GERMAN,
    "fr": FRENCH,
    "es": SPANISH,
    "it": ITALIAN,
    "pt": PORTUGUESE,
    "nl": DUTCH,
}
_CLAUSE = compile_later(r"[.!?;:,()\[\]|•—]|\n\s*\n|\n(?=\s*$)")
_WORDS = compile_later(r"[^\W_]+(?:-[^\W_]+)*")
_NEAR = 3
_ENDS_IN_NUMBER = compile_later(
    rf"(?:\d\s*%?|\b(?:{NUMBERS_DE}|{NUMBERS_FR}|{NUMBERS_ES}|{NUMBERS_IT}|{NUMBERS_PT}"
    rf"|{NUMBERS_NL}))$(?<!\b(?:18|19|20)\d\d)",
    _I,
)
# Words of three letters and more that Spanish and Portuguese have and Italian does not.
_ENDS_IN_CONSONANT = compile_later(
    r"\w{2,}[bcdfghjklmnpqrstvwxz]\b(?<!\bper)(?<!\bcon)(?<!\bnon)", _I
)
# Who bids to bear something in mind denies nothing.
_BEAR_IN_MIND = compile_later(
    r"\bvergessen sie (?:bitte )?nicht|\bnicht (?:zu )?vergessen|\bn['’]oubliez (?:pas|jamais)"
    r"|\bne pas oublier|\bne faut pas oublier|\bkein(?:en)? zweifel|\bzweifellos|\baucun doute"
    r"|\bnul doute|\bpas de doute|\bnicht zu bestreiten|\bno (?:hay que )?olvid\w+"
    r"|\bno cabe duda|\bsin duda|\bnon (?:dimentic\w+|va dimenticato|c['’]è dubbio)"
    r"|\bsenza dubbio|\bnão (?:se )?esque\w+|\bnão há dúvida|\bsem dúvida|\bvergeet niet"
    r"|\bongetwijfeld|\bgeen twijfel|\bstaat vast",
    _I,
)
_LATER_STATEMENT = compile_later(
    r"\s*[,;]\s*(?:und|denn|weil|da|sodass|et|car|donc|puisque|y|porque|pues|así que|e|perché"
    r"|poiché|quindi|pois|portanto|en|want|omdat|zodat)\b",
    _I,
)


def language_of_sentence(sentence: str) -> Language:
    """The language that most of the small words of a sentence belong to; English if none does."""
    counted = {
        language: len(small_words.findall(sentence)) for language, small_words in _WORDS_OF.items()
    }
    has_vowel_endings = not _ENDS_IN_CONSONANT.search(sentence)
    return max(
        counted,
        key=lambda language: (
            counted[language],
            counted[language] > 0 and language == "it" and has_vowel_endings,
        ),
    )


def limiting_words_of_sentence_before_quote(language: Language, sentence: str, quote: str) -> str:
    """The words of its ``sentence`` before a quote that deny, doubt, limit or count what it says;
    empty if there are none.
    """
    rules = _RULES[language]
    if not sentence.strip() or (
        _BEAR_IN_MIND.search(sentence) and rules.introduces.search(sentence)
    ):
        return ""
    clause = sentence[max((stop.end() for stop in _CLAUSE.finditer(sentence)), default=0) :]
    words = list(_WORDS.finditer(clause))
    for word in words[-_NEAR:]:
        if rules.denies_near.match(word[0]) and not rules.new_clause.search(clause, word.end()):
            return clause
    if rules.introduces.search(sentence):
        frame = re.split(r"[;:]", sentence)[-1]
        if rules.doubts.search(frame) or not rules.vouches.search(frame):
            return frame
        return "" if not rules.fronted.match(sentence) else sentence
    for rule in (rules.fronted, rules.counts):
        if limiting := rule.search(sentence):
            return limiting[0]
    if hedged := rules.hedges.search(sentence):
        return sentence[hedged.start() :]
    return ""


def does_rest_of_sentence_limit_quote(language: Language, quote: str, rest: str) -> bool:
    """Whether the ``rest`` of its sentence, behind a quote, completes, limits or takes back what
    the quote says.
    """
    rules = _RULES[language]
    if _ENDS_IN_NUMBER.search(quote) and rules.more_number.match(rest):
        return True
    if rules.dose.search(quote) and rules.how_often.match(rest):
        return True
    if rules.condition.match(rest):
        return True
    if rules.takes_back.search(rest) and not _LATER_STATEMENT.match(rest):
        return True
    if rules.turns.match(rest) and rules.against.search(rest):
        return True
    is_claim = bool(rules.claimed.search(quote) or rules.denied.search(quote))
    if re.match(r"\s*,", rest):
        return is_claim and rules.limits.match(rest) is not None
    if not re.match(r"\s+\w", rest):
        return False
    if rules.dangles.search(quote):
        return True
    if rules.goes_on.match(rest):
        return False
    if rules.denied.search(quote[-60:]):
        return True
    return is_claim and rules.limits.match(rest) is not None
