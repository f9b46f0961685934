"""Which option a response settles on, read from its own words.

Only what the response states counts: "The correct answer is D", "Option C, …, is the correct
answer", "The most likely cause is … (Choice A)". An option that merely remains when the others are
rejected is not stated.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from medlens.deferred_module import pa, pc
from medlens.deferred_regex import compile_later
from medlens.llm.answers_retracted_by_model import MAY_WITHDRAW, is_answer_withdrawn
from medlens.studies.tagging.text_repair_with_offsets import repair_encoding
from medlens.tables import RowError, parse_json_value

_LONG = 1000
_NEAR = 16  # characters; "options ('B" is 11
# Patterns for lower-case text, which match three times faster than patterns that ignore case.
_NEGATED = compile_later(
    r"\b(?:not|nor|never|neither|incorrect|wrong|unlikely|less likely|except|instead of|if|unless)"
    r"\b|n['’]t\b",
)
_NEGATIONS = (
    *("not", "n't", "n’t", "nor", "never", "neither", "incorrect", "wrong", "unlikely"),
    *("less likely", "except", "instead of", "if", "unless"),
)
_HEDGED = compile_later(r"\b(?:but|however|although|though|while)\b")
_ADVERBS = (
    r"(?:(?:therefore|thus|hence|likely|most likely|probably|indeed|still|clearly|also)[,:]?\s+)*"
)
_IS = r"(?:is|would be|should be|must be|will be|appears to be|seems to be)"
_BEST = (
    r"(?:correct|best|right|strongest|ideal|preferred|first[- ]line|recommended"
    r"|most\s+(?:likely|appropriate|probable|suitable|accurate|consistent|fitting|effective"
    r"|important|reasonable|plausible|concerning|definitive|specific|indicated))"
)
# "The (correct) answer … is"; for options and statements only with "correct" or the like.
_ANSWER = compile_later(
    rf"(?:\b{_BEST}\s+(?:\w+\s+)?(?:answer|choice|option|statement|response)\b"
    rf"|(?<!other )\banswer\b)([^.;:\n]{{0,90}}?)(?:\b{_IS}\b|:|\bas\b)\s*{_ADVERBS}:?\s*",
)
_IS_ANSWER = compile_later(
    rf"\b{_IS}\s+{_ADVERBS}(?:the\s+|an?\s+)?(?:single\s+)?{_BEST}\s+(?:\w+\s+)?"
    r"(?:answer|choice|option|statement|response)\b",
)
_IS_BEST = compile_later(rf"\b{_IS}\s+{_ADVERBS}(?:the\s+)(?:single\s+)?{_BEST}\b")
_CLAIM = compile_later(
    rf"\b(?:{_BEST}|next (?:best )?step|treatment of choice|should (?:most )?raise)\b",
)
_COPULA = compile_later(
    rf"\b(?:{_IS}|are|to be|raise|show|include|suggests?|administer|choose|select)\b"
)
_FITS = compile_later(r"\b(?:is|are)\s+most\s+(?:consistent|compatible|suggestive)\s+(?:with|of)\b")
_MAKES = compile_later(rf"\bmak(?:es|ing)\s+(.{{1,120}}?)\s+the\s+{_BEST}\b")
_CONCLUDES = compile_later(
    r"\s*(?:therefore|thus|hence|so|consequently|in (?:summary|conclusion|short)|overall)\b",
)


# What a response once thought is not its answer: "I first thought the correct answer is A, but".
_DRAFTED = compile_later(
    r"\b(?:thought|considered|believed|assumed|suspected|tempt\w+"
    r"|(?:might|could|would|may) (?:think|say|argue|believe|assume)|initially|at first)\b"
    r"[^.:;\n]*$",
    re.IGNORECASE,
)
_DRAFT = 60
_ABROAD = compile_later(
    r"\b(?:die |la |le |il |a |het )?(?:(?:richtige|korrekte|beste) antwort (?:ist|lautet)"
    r"|(?:respuesta|opci[oó]n) correcta es|(?:bonne|meilleure) r[ée]ponse est"
    r"|r[ée]ponse correcte est|risposta (?:corretta|giusta) [èe]|resposta (?:correta|certa) [ée]"
    r"|juiste antwoord is)\b(?!:?\s*(?:nicht|no|pas|non|n[ãa]o|niet)\b):?\s*"
    r"|(?:正确答案|正確答案|最佳答案|答案|正解|答え|정답|답)\s*(?:应该|應該)?(?:是|为|為|は|은|는|：|:)\s*"
    r"|الإجابة (?:الصحيحة )?هي\s*:?\s*",
    re.IGNORECASE,
)
_BEHIND_ABROAD = compile_later(r"(?<=is [A-Z])\s?(?:です|입니다|：|:|。|、|，)\s*")
# "The correct answer is not A but B": B.
_NOT_BUT = compile_later(
    r"\b(?P<verb>is|was) not (?:option )?\(?[A-Z]\)?(?:[:,(]? ?[^.\n]{0,60}?)?,? but (?:rather )?"
    r"(?=(?:option )?\(?[A-Z]\b)"
)
_I_CHOOSE = compile_later(
    r"\bI(?:['’](?:d|ll)| would| will)? (?:therefore |most likely |probably )?(?:go (?:with|for)"
    r"|choose"
    r"|pick|select|opt for)(?: option)?:? (?=\S)"
)
_LETTER_ALONE = compile_later(
    r"[\s*_\"'(\[#]*(?:(?:(?:the |my )?(?:option|choice|answer|final answer|final)|\{\s*\"answer\""
    r"|I(?:['’]d| would|['’]ll| will)? (?:choose|pick|select|go (?:with|for)|answer"
    r"|say)(?: option)?"
    r"|(?:the )?(?:correct|right|best) (?:answer|option|choice)\s*[-–—]|(?:it|that)(?:['’]s| is)"
    r"|(?:risposta|respuesta|antwort|r[ée]ponse|resposta)(?: \w+)?)[\s:=]*)?[\s*_\"'(\[]*"
    r"(?P<key>[A-Z])\b[\s*_\"')\].:–-]*(?P<text>[^\n]*?)[\s*_\"').}]*",
    re.IGNORECASE,
)
_BOXED = compile_later(r"\\boxed\s?\{\s?(?:\\\w+\s?\{)?\(?([A-Z])\)?[^{}\n]{0,80}\}{1,2}")
_PLAIN = compile_later(
    r"nswer is (?:option )?[\"'(]?([A-Z])[\"')]?(?:[:.,] ?| [-–] )[\"']?(?=[A-Z\s]|$)"
)
_BEFORE_PLAIN = ("correct a", "the a", "best a", "likely a")
# A paragraph that goes through the options: "Option A: …", "'B' is …", "As for the others".
_DISCUSSES = compile_later(
    r"\W{0,3}(?:options?\b|choices?\b|[A-J][\"'”’]?\s*[:.)(\]–-]|[A-J][\"'”’]\s|as for\b"
    r"|(?:the )?other (?:options|choices)\b|(?:now,? )?let['’]?s\b|here['’]?s why\b)",
    re.IGNORECASE,
)
# Plain words, one of which the patterns above need: other sentences are skipped, and a response
# with none of them is not searched.
_ANSWER_WORDS = (
    *("answer", "makes ", "making "),
    *("correct choice", "correct option", "correct statement", "correct response"),
    *("right choice", "right option", "ideal choice", "preferred choice", "preferred option"),
    *("likely option", "likely choice", "recommended option", "recommended choice"),
    *("best option", "best choice", "appropriate choice", "appropriate option"),
)
_ABROAD_WORDS = (
    *("antwo", "correcta es", "ponse est", "ponse correcte est"),
    *("sposta ", "答案", "正解", "答え", "정답", "답", "الإجابة"),
)
_CHOOSE_WORDS = ("go with", "go for", "choose", "pick", "select", "opt for")
_SAID_OTHERWISE = (
    f"(?i:{'|'.join(word for word in _ABROAD_WORDS if word.isascii())})| but |I'|\\\\boxed"
)
"""A text of ASCII in which neither this nor ``MAY_WITHDRAW``, which has "i " too, is found is as
``_with_answers_said_alike`` has it."""
_CLAIM_WORDS = (
    *("correct", "best", "right", "strongest", "ideal", "preferred", "first", "recommended"),
    *("most ", "next", "treatment of choice", "should raise"),
)
_CONCLUDING = (
    *("therefore", "thus", "hence", "so", "consequently", "in summary", "in conclusion"),
    *("in short", "overall"),
)


@lru_cache(maxsize=64)
def _letters(keys: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Patterns for a letter right after "is", for a letter named anywhere ("option B", "(B)"), and
    for a letter on its own. Every named letter is on its own, which is found many times faster.
    """
    one = f"[{re.escape(keys)}]"
    first = re.compile(
        rf"(?:the\s+)?(?:(?:option|choice|answer|letter)\s*)?[\"'“‘(\[*]*({one})"
        r"(?=[\"'”’)\]*:.,;]|\s*$|\s+[-–—(\"'“‘]|\s+(?:as|because|since|for|and|which|due)\b|\n)",
        re.IGNORECASE if keys.islower() else 0,
    )
    named = re.compile(
        rf"\b(?i:options?|choices?|answer)[\s\"'“‘(\[*]+({one})(?!\w|['’][a-z])"
        rf"|[\"'“‘(\[*]({one})[\"'”’)\]:*]|^\s*({one})(?=[:.)]|\s+[-–(])"
    )
    return first, named, re.compile(rf"{one}(?<!\w.)(?!\w)")


def key_of_chosen_option(response: str, options: Mapping[str, str]) -> str | None:
    """The key of the option that ``response`` states as its answer: see
    ``chosen_option_and_rule_in_words``.
    """
    return chosen_option_and_rule_in_words(response, options)[0]


def keys_of_chosen_options(
    responses: Sequence[str], options: Sequence[Mapping[str, str]]
) -> list[str | None]:
    """``key_of_chosen_option`` of each response and its options. The words that most responses lack
    are looked for in all of them at once.
    """
    return [
        _chosen_option_and_rule(response, one, are_words_lacking=lacking)[0]
        for response, one, lacking in zip(
            responses, options, _which_lack_words(responses), strict=True
        )
    ]


def _which_lack_words(responses: Sequence[str]) -> list[bool]:
    """Of which responses it is known that they take nothing back, and that
    ``_with_answers_said_alike`` leaves them as they are.
    """
    texts = pa.array(responses, pa.large_string())
    # Both at once: each look through all texts takes as long.
    found = pc.match_substring_regex(texts, f"(?i:{MAY_WITHDRAW})|{_SAID_OTHERWISE}")
    return cast(list[bool], pc.and_not(pc.string_is_ascii(texts), found).to_pylist())


def chosen_option_and_rule_in_words(
    response: str, options: Mapping[str, str]
) -> tuple[str | None, str]:
    """The key of the option that ``response`` states as its answer, and by which rule, in words.

    ``None`` if it states none, or different ones. What it calls the answer outright takes
    precedence over what it calls most likely or best; if there are several outright statements, the
    first and the last must agree. What is most likely or best is looked for before the response
    turns to the other options, and in its last paragraph.
    """
    return _chosen_option_and_rule(response, options, are_words_lacking=False)


def _chosen_option_and_rule(
    response: str, options: Mapping[str, str], *, are_words_lacking: bool
) -> tuple[str | None, str]:
    """As ``chosen_option_and_rule_in_words``; ``are_words_lacking`` is as
    ``_which_lack_words`` has it.
    """
    keys = "".join(key for key in options if len(key) == 1)
    if not keys:
        return None, ""
    if not are_words_lacking and is_answer_withdrawn(response):
        return None, "an answer that it takes back"
    if alone := _letter_alone(response, options):
        return alone, "the option and nothing else"
    if not are_words_lacking:
        response = _with_answers_said_alike(response)
    found = _find_chosen(response, options, keys)
    if found[0]:
        return found
    texts = {
        " ".join(text.split()).casefold(): key for key, text in reversed(list(options.items()))
    }
    if len(texts) < len(options):
        # Of two that are alike, the text of one names either.
        once = {key: options[key] for key in options if key in texts.values()}
        return _find_chosen(response, once, keys)
    return found


def _with_answers_said_alike(response: str) -> str:
    """``response`` with answers in other languages, "not A but B", "I choose" and boxes reworded to
    "the correct answer is". A pattern is searched only where a word stands that it needs.
    """
    if _holds_any(response.casefold(), _ABROAD_WORDS):
        abroad = _ABROAD.sub("The correct answer is ", response)
        if abroad != response:
            response = _BEHIND_ABROAD.sub(". ", abroad)
    if " not " in response and " but " in response:
        response = _NOT_BUT.sub(r"\g<verb> ", response)
    if _holds_any(response, ("I ", "I'", "I’")) and _holds_any(response, _CHOOSE_WORDS):
        response = _I_CHOOSE.sub("The correct answer is ", response)
    if "\\boxed" in response:
        response = _BOXED.sub(r" The correct answer is \1. ", response)
    return response


def _letter_alone(response: str, options: Mapping[str, str]) -> str:
    """The key, if a response is a key alone or with its option's text; else empty."""
    if len(response) > _LONG:
        return ""
    named = [key for key, text in options.items() if _folded(response) == _folded(text) != ""]
    if len(named) == 1:
        return named[0]
    alone = _LETTER_ALONE.fullmatch(response)
    key = alone["key"].upper() if alone else ""
    if alone is None or key not in options:
        return ""
    text = _folded(alone["text"])
    return key if not text or text == _folded(options[key]) else ""


def _find_chosen(response: str, options: Mapping[str, str], keys: str) -> tuple[str | None, str]:
    plainly = _stated_plainly(response, options)
    if plainly:
        return plainly, "a plain sentence that gives the answer"
    reader = _Reader(keys, {key: _folded(text) for key, text in options.items()})
    paragraphs = [part for part in response.split("\n") if part]
    small = response.lower()
    words = [word for word in _ANSWER_WORDS if word in small]
    outright = [
        key for sentence in _sentences(paragraphs, words) for key in reader.outright(sentence)
    ]
    if outright:
        agreed = outright[0] == outright[-1] != ""
        if not agreed:
            return None, "sentences that give different answers"
        return outright[0], "what it calls the answer"
    others = (at for at, part in enumerate(paragraphs) if at and _DISCUSSES.match(part))
    head = next(others, len(paragraphs))
    own = paragraphs[:head] + paragraphs[head:][-1:]
    words = [word for word in _CLAIM_WORDS if word in small]
    likely = {
        key for sentence in _sentences(own, words, _CONCLUDING) for key in reader.likely(sentence)
    }
    if len(likely) == 1:
        return likely.pop(), "what it calls most likely or best"
    return None, "no sentence that gives one answer"


def _sentences(
    paragraphs: list[str], words: list[str], openings: tuple[str, ...] = ()
) -> Iterator[str]:
    """The sentences that contain one of ``words`` or begin with one of ``openings``."""
    for paragraph in paragraphs:
        if openings or _holds_any(paragraph.lower(), words):
            for sentence in _split(paragraph):
                start = sentence.lower().lstrip()
                if start.startswith(openings) or _holds_any(start, words):
                    yield sentence


def _split(paragraph: str) -> Iterator[str]:
    begun = ""
    for part in paragraph.split(". "):
        if begun and not (part[:1].islower() and len(begun) < _LONG):  # "i.e. so", "vs. that"
            yield begun
            begun = part
        else:
            begun = f"{begun}. {part}" if begun else part
    yield begun


def _lower(text: str) -> str:
    """``text`` in lower case, unless that would move its characters (as with a dotted I)."""
    small = text.lower()
    return small if len(small) == len(text) else text


def _negated(text: str) -> bool:
    small = text.lower()
    return _holds_any(small, _NEGATIONS) and bool(_NEGATED.search(small))


def _holds_any(text: str, words: Iterable[str]) -> bool:
    for word in words:  # noqa: SIM110 -- any() over a generator would take twice as long
        if word in text:
            return True
    return False


def _stated_plainly(response: str, options: Mapping[str, str]) -> str | None:
    """The option, if every mention of an answer is a bare "correct answer is B: <its text>".

    A shortcut for the usual case; anything less plain is read sentence by sentence.
    """
    found = list(_PLAIN.finditer(response))
    if not found or len(found) != response.count("answer") + response.count("Answer"):
        return None
    if any(_DRAFTED.search(response[max(0, one.start() - _DRAFT) : one.start()]) for one in found):
        return None
    keys = {match.group(1) for match in found}
    key = found[0].group(1)
    if len(keys) > 1 or not options.get(key):
        return None
    for match in found:
        begin, end = match.span()
        if response[max(0, begin - 40) : begin].rstrip().lower().endswith(_BEFORE_PLAIN):
            text = options[key]
            stated = response[end : end + len(text)] == text
            if stated or response[end - 1 : end + 1] in (".\n", ". ") or end >= len(response):
                continue
        return None
    return key


def _folded(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;:'\"")


class _Reader:
    """Reads one sentence at a time for the options of one question."""

    def __init__(self, keys: str, options: dict[str, str]) -> None:
        self.options = options
        self.first, self.named, self.alone = _letters(keys)

    def outright(self, sentence: str) -> list[str]:
        """Options called the answer; ``""`` if letter and text name different ones."""
        found: list[str] = []
        small = _lower(sentence)
        for match in _ANSWER.finditer(small):
            between = sentence[match.start(1) : match.end(1)]
            # What another clause denies is not this one: "Not A; the best choice is D".
            before = sentence[max(0, match.start() - 25) : match.end()].rpartition(";")[2]
            draft = _DRAFTED.search(sentence[max(0, match.start() - _DRAFT) : match.start()])
            if draft or _negated(before) or self._letters_in(between):
                continue
            rest = sentence[match.end() :]
            direct = self.first.match(rest)
            if direct:
                found.append(self._agreed(direct.group(1), rest[direct.end() :]))
            elif not _negated(rest):
                found += self._only(rest)
        if not _negated(sentence):
            for match in _IS_ANSWER.finditer(small):
                found += self._only(sentence[: match.start()])
            for match in _MAKES.finditer(small):
                found += self._only(sentence[match.start(1) : match.end(1)])
        return found

    def likely(self, sentence: str) -> list[str]:
        """Options called most likely, best and the like, or given as the conclusion."""
        if not self._names_any(sentence):
            return []
        small = _lower(sentence)
        claim = _CLAIM.search(small)
        if claim and _DRAFTED.search(small[max(0, claim.start() - _DRAFT) : claim.start()]):
            return []
        copula = claim and _COPULA.search(small, claim.end())
        if copula:
            found = self._only(sentence[copula.end() :])
            if found and not _negated(self._until_named(sentence, copula.end())):
                return found
        if _negated(sentence) or _HEDGED.search(small):
            return []
        fits = _FITS.search(small)
        if fits:
            return self._only(sentence[fits.end() :])
        best = _IS_BEST.search(small)
        if best:
            return self._only(sentence[: best.start()])
        return _single(self._letters_in(sentence)) if _CONCLUDES.match(small) else []

    def _names_any(self, sentence: str) -> bool:
        if self._letters_in(sentence):
            return True
        words = _folded(sentence)
        return any(option in words for option in self.options.values())

    def _until_named(self, sentence: str, begin: int) -> str:
        match = next(self._named(sentence, begin), None)
        return sentence[: match.end() if match else len(sentence)]

    def _named(self, text: str, begin: int = 0) -> Iterator[re.Match[str]]:
        """Where options are named by their letters: searches only around letters on their own."""
        for letter in self.alone.finditer(text, begin):
            at = letter.end()
            match = self.named.search(text, max(begin, at - _NEAR), at + _NEAR)
            begin = match.end() if match else at
            if match:
                yield match

    def _letters_in(self, text: str) -> set[str]:
        return {next(filter(None, match.groups())) for match in self._named(text)}

    def _only(self, text: str) -> list[str]:
        """The one option named in ``text``, by letter or else by its words; empty if not one."""
        letters = self._letters_in(text)
        if letters:
            return _single(letters)
        words = f" {_folded(text)} "
        keys = {key for key, option in self.options.items() if _holds(words, option)}
        inner = {k for k in keys for o in keys if k != o and self.options[k] in self.options[o]}
        return _single(keys - inner)

    def _agreed(self, key: str, rest: str) -> str:
        words = _folded(rest.lstrip("\"'”’)]*:.,;- –—"))
        if self.options.get(key) and words.startswith(self.options[key]):
            return key
        others = [k for k, option in self.options.items() if option and words.startswith(option)]
        return "" if others else key


def _single(keys: set[str]) -> list[str]:
    return list(keys) if len(keys) == 1 else []


def _holds(words: str, option: str) -> bool:
    """Whether ``words``, which begin and end with a space, contain ``option`` as whole words."""
    at = words.find(option) if len(option) > 3 else -1
    while at > 0:
        if not (_is_word(words[at - 1]) or _is_word(words[at + len(option)])):
            return True
        at = words.find(option, at + 1)
    return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_LONGEST_KEY = 8
_OPEN = compile_later(r"\s*\{\s*")
_PAIR = compile_later(
    r"""'([^'\\\n]{1,8})':\s*(?:'([^'\\\n]*(?:\\[n'"\\][^'\\\n]*)*)'"""
    r"""|"([^"\\\n]*(?:\\[n'"\\][^"\\\n]*)*)")"""
    r"""\s*([,}])\s*"""
)
_SPECIAL = compile_later(r"[<&\\\r]")
_ESCAPED = compile_later(r"""\\([n'"\\])""")


def parse_options_and_following_text(
    value: object, to_text: Callable[[str], str], column: str = "options"
) -> tuple[dict[str, str], str]:
    """Options (key -> repaired text) of a Python or JSON dict, and the text that follows it.

    A line break and quotation mark that an earlier conversion left at the end of an option are
    removed. Raises ``RowError``.
    """
    rest = ""
    pairs: dict[Any, Any]
    if isinstance(value, str):
        simple = _simple_pairs(value)
        if simple:
            found, end = simple
            pairs = dict(found)
            if len(pairs) < len(found):
                raise RowError(column, "each option once", value)
        else:
            end = value.rfind("}") + 1
            pairs = parse_dict_literal(value[:end], column)
        rest = value[end:]
    elif isinstance(value, dict):
        pairs = value
    else:
        raise RowError(column, "the options, like {'A': '…', 'B': '…'}", value)
    if isinstance(value, str) and value.isascii() and not _SPECIAL.search(value):
        options = {str(key).strip(): str(text).strip() for key, text in pairs.items()}
    else:
        options = {str(key).strip(): _text(str(text), to_text) for key, text in pairs.items()}
    if len(options) < 2 or len(options) < len(pairs) or not all(options):
        raise RowError(column, "at least two options with letters", value)
    return options, rest


def _simple_pairs(text: str) -> tuple[list[tuple[str, str]], int] | None:
    """The pairs of a plain Python dict of texts and where it ends; ``None`` for any other text."""
    if plainest := _plainest_pairs(text):
        return plainest
    pairs = []
    opened = _OPEN.match(text)
    at = opened.end() if opened else len(text)
    while pair := _PAIR.match(text, at):
        key, single, double, after = pair.groups()
        pairs.append((key, _unescaped(single or double or "")))
        at = pair.end()
        if after == "}":
            return pairs, at
    return None


def _plainest_pairs(text: str) -> tuple[list[tuple[str, str]], int] | None:
    """As ``_simple_pairs``, of a dict as Python writes it in which an apostrophe is always the
    beginning or end of a text: cut at these, it is read in a fraction of the time.
    """
    parts = text.split("'")
    keys, values, after = parts[1::4], parts[3::4], parts[-1]
    if (
        len(parts) % 4 != 1
        or not keys
        or parts[0].strip() != "{"
        or not after.startswith("}")
        or parts[2::4] != [": "] * len(keys)
        or parts[4:-1:4] != [", "] * (len(keys) - 1)
        or not all(0 < len(key) <= _LONGEST_KEY for key in keys)
        or "\\" in text
        or "\n" in "".join(parts[1:-1])
    ):
        return None
    return list(zip(keys, values, strict=True)), len(text) - len(after[1:].lstrip())


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda m: "\n" if m.group(1) == "n" else m.group(1), text)


def _text(text: str, to_text: Callable[[str], str]) -> str:
    text = repair_encoding(to_text(text)).strip()
    bare = text.rstrip("\"'")
    body = bare.rstrip()
    return body if bare != text and "\n" in bare[len(body) :] else text


def parse_dict_literal(text: str, column: str) -> dict[Any, Any]:
    """A dict written as Python or as JSON. Raises ``RowError``."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        try:
            value = parse_json_value(text)
        except ValueError:
            raise RowError(column, "a Python or JSON dict", text) from None
    if not isinstance(value, dict):
        raise RowError(column, "a Python or JSON dict", text)
    return value


def key_of_correct_option(value: str, options: Mapping[str, str], column: str) -> str:
    """The key of the correct option, given as its key or its text. Raises ``RowError``."""
    text = value.strip()
    if text in options:
        return text
    same = [key for key, option in options.items() if option and option == repair_encoding(text)]
    if same:
        # Of two that are alike, either is right.
        return same[0]
    raise RowError(column, f"the correct answer, one of {', '.join(options)}", text)
