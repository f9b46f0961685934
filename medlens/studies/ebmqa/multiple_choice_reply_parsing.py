"""Reads a model's answer to a multiple-choice question, tolerantly.

A stated answer ("The answer is B", "3", the option's own text) takes precedence over "I do not
know", which takes precedence over a refusal, then over options merely mentioned. The last of
several statements counts. Contradictory text is not guessed at: it is ``parse_failed``, which is
neither a wrong answer nor "I do not know".
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from medlens.deferred_regex import compile_later
from medlens.llm.answers_retracted_by_model import is_answer_withdrawn
from medlens.llm.not_knowing_phrases import IDK, IDK_WHOLE, NOT_KNOWING
from medlens.llm.refusal_phrases import REFUSAL
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer

# The phrases that identify a model's answer: all but ``MARKER`` are matched against lower-case text
# with single spaces.

IDK_START = compile_later(
    rf"(?:that |simply |just )?(?:{NOT_KNOWING})|unknown\b|unsure\b|uncertain\b"
)

MARKER = compile_later(
    r"\b(?:answers?|choice|guess|estimate|selection|conclusion"
    r"|(?:correct|right|best|chosen|most likely|appropriate) (?:option|number|one))\b"
    r"(?:(?!options?\b|choices?\b)[^.\n:=?]){0,40}?(?:\b(?:is|are|be|was|would be)\b|:|=|\n)"
    r"|\bI(?:'d|'ll| would| will| have to| must)?(?: \w+ly| have to| then| also)?"
    r" (?:choose|chose|pick|select|selected|go with|opt for|answer|guess|say|lean towards?)\b"
    r"(?: with| that| it is)?\s*:?"
    r"|(?:\b(?:antwort|respuesta|r[ée]ponse|risposta|resposta|odpowied[źz]|antwoord|cevap|svaret?"
    r"|válasz|odpověď)\b|ответ|απάντηση|答案|答え|回答|解答|答|正解|정답|답|الجواب|الإجابة|תשובה)"
    r"[^.\n:=?]{0,30}?(?:\b(?:ist|lautet|es|est|è|é|is|jest|to|är|er|هي|هو)\b|:|=|是|は|为|為|은|는)",
    re.IGNORECASE,
)
"""What an answer is stated after, in cleaned text with its capitals."""

NEGATED_BEFORE = compile_later(
    r"\b(?:not|never|neither|nor|rather than|instead of|except|excluding|unlikely|excludes?"
    r"|rules? out|ruled out|wrong|incorrect|cannot be|other than|as opposed to|and not|but not"
    r"|against|different from)\b|n't\b"
)
"""In the clause before an option: it is talked about, not chosen."""

NEGATED_AFTER = compile_later(
    r"[\"')\]]*,? (?:\w+ )?(?:(?:is|are|was|were|would be|seems?|looks?|can be|could be)(?: \w+)?"
    r" (?:not|incorrect|wrong|unlikely|ruled out|excluded|too (?:low|high)|false|implausible"
    r"|impossible)|(?:isn't|aren't|wasn't|cannot|can't|does not|doesn't|do not|don't|is not))\b"
)
"""Right behind an option: the same."""

ALL_OF_THEM = compile_later(
    r"(?:the answer is )?all (?:of )?(?:the )?(?:above|options|them|these|choices|answers)"
    r"|all(?: (?:two|three|four|five|six))?(?: of them| options)?"
)


_ALL_BUT = compile_later(
    r"(?:the answer is )?(?:all|every(?:thing| option)) "
    r"(?:of (?:them|the above|the options) |options )?"
    r"(?:except(?: for)?|but|apart from|other than) (?P<left_out>.{1,200})",
    re.IGNORECASE,
)

_TAG = compile_later(r"</?[A-Za-z][^<>]{0,80}>")
_MARKDOWN = compile_later(r"[*_`~#>$\\]+")
_SPACES = compile_later(r"[^\S\n]+")
EDGES = " \t\n\"'«»「」『』()[]{}.,;:!?-=|"
_SIGNS = str.maketrans("–—−‐‑’‘“”。、‚•·", "-----''\"\".,,--")
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven")
_COUNTED_ABROAD = (
    "eins zwei drei vier fünf",
    "uno dos tres cuatro cinco",
    "un deux trois quatre cinq",
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_IN_WORDS = compile_later(
    rf"\b(?:the )?(?:(?P<nth>{'|'.join(_ORDINALS)}) (?:option|choice|answer)"
    rf"|(?:option|choice|number) (?P<n>{'|'.join(_COUNTED)}))\b",
    re.IGNORECASE,
)
_NUMBER = r"\d+(?:[.,]\d+)*(?:e[+-]?\d+)?"
_WORDING = (
    (compile_later(r"(?<=\d)\s*(?:per ?cent|%)"), "%"),
    (
        compile_later(r"(?:(?:more|higher|larger) than|above|over|exceeding) (?=\d)"),
        "greater than ",
    ),
    (compile_later(r"(?:(?:lower|smaller|fewer) than|below|under) (?=\d)"), "less than "),
    (
        # Not from the middle of a number: "1,1,1,…" would be tried from each of its digits.
        compile_later(
            rf"(?:between |from )?(?<!\d)(?<!\d[.,])({_NUMBER})%? ?(?:-|to|and) ?({_NUMBER})(%?)"
        ),
        r"between \1\3 and \2\3",
    ),
    (compile_later(r"\b(?:by|to) (?=(?:greater than|less than|between) \d)"), ""),
    (compile_later(r"(?<=\d) (?:times|of what (?:it|they) (?:is|was|were|are))\b"), ""),
)


# What stands around a number: the frame of 3\ufe0f\u20e3, "3です", "3번", "es la 3".
_AROUND_A_NUMBER = compile_later(
    r"[\ufe0e\ufe0f\u20e3]|(?<=[0-9])\s?(?:番目?|号)?(?:です|だと思います|と思います)"
    r"|(?<=[0-9])\s?번(?:입니다)?"
)
_ARTICLE = compile_later(
    r"(?:(?:la|le|el|il|a|o|die|der|das|de|the)\s+)?"
    r"(?:opci[oó]n|opzione|opção|nummer|num[eé]ro|número|n[°º])?\s*(?=[(\[]?\d)",
    re.IGNORECASE,
)
_SHARE = compile_later(r"(?<=[\dA-Ha-h])\s*\((?:ca\. ?|about |~ ?)?\d{1,3}(?:\.\d+)?\s*%\)")


def normalise_reply_text(text: str) -> str:
    """Without Markdown, tags and odd signs; lines and capitals stay."""
    text = unicodedata.normalize("NFKC", text).translate(_SIGNS)
    text = _AROUND_A_NUMBER.sub("", text)
    text = _TAG.sub(" ", text.replace("\\boxed", " answer: "))
    # Before removing Markdown: "> 54%" is not a quotation.
    text = re.sub(r">\s*(?=\d)", " greater than ", text)
    text = re.sub(r"<\s*(?=\d)", " less than ", text)
    text = _IN_WORDS.sub(_in_digits, _MARKDOWN.sub(" ", text))
    return _SPACES.sub(" ", text).strip()


def _in_digits(match: re.Match[str]) -> str:
    nth, n = match["nth"], match["n"]
    number = _ORDINALS.index(nth.lower()) if nth else _COUNTED.index(n.lower())
    return f"option {number + 1}"


def normalise_wording(text: str) -> str:
    """Cleaned text for comparing options: lower case, one wording of ranges, one line."""
    text = " ".join(text.lower().split())
    for pattern, instead in _WORDING:
        text = pattern.sub(instead, text)
    return text


Outcome = Literal["answered", "idk", "refused", "parse_failed"]

_LONGEST, _LINES, _STATEMENTS = 10_000, 300, 50
_PROSE, _CLAUSE = 600, 80
_TOKEN = compile_later(
    r"(?:(?:options?|choices?|answers?|numbers?|letters?|no\.|nr\.) ?)*[(\[]? ?"
    r"(?:(\d{1,2})|([a-z])) ?[)\]]?(?![^\W和与與及と와과]|[%°]| ?%|\.\d)",
    re.IGNORECASE,
)
_BELOW_ZERO = compile_later(r"\s*-\d")
_JOIN = compile_later(
    r"\s*(?:,\s*(?:and|or)?\b|;|/|&|\+|\b(?:and|und|y|et|e|и|و)\b|[和与與及と와과]| )\s*"
)
_GOES_ON = compile_later(
    r"\s*(?:$|[).:,;\]\n\"'(!?-]|(?:because|since|as|is|are|which|for|with|due|given|based|from"
    r"|weil|porque|parce|car|perché)\b)",
    re.IGNORECASE,
)
_LETTER_RUN = compile_later(r"[A-H]{2,8}")
_END = compile_later(r"[.!?](?=\s)|\n")
_CLAUSE_END = compile_later(r"[.!?;:,](?=\s)")
_RANGE = compile_later(
    r"\W{0,3}(?:options?|choices?|answers?|numbers?)?\s*(?P<first>\d{1,2}|[A-Ha-h])\s*"
    r"(?:-|to|through|bis)\s*(?P<last>\d{1,2}|[A-Ha-h])\W{0,3}",
    re.IGNORECASE,
)
_UP_TO = compile_later(r"\s?(?:-|to\b|through\b)\s?\d")
_ONE_BY_ONE = compile_later(r"\s?[:=][^.\n,;]{1,60}[,;]\s*\d{1,2}\s?[:=]")
_GLUE = compile_later(r"\b(?:and|und|y|et)\b|[\W_]")


@dataclass(frozen=True)
class Reply:
    """What was answered. ``chosen`` are positions of options, from 0, ascending, only if
    ``answered``. ``firm`` is False if options were only mentioned; ``rule`` says in words how the
    text was read.
    """

    outcome: Outcome
    chosen: tuple[int, ...] = ()
    firm: bool = True
    rule: str = field(default="", compare=False)


_LAST_END = compile_later(r".*(?:[.!?。！？](?=\s)|\n)", re.DOTALL)
_FIRST_END = compile_later(r"(?P<answer>.*?(?:[^\d\s][.!?。！？](?=\s)|\n))(?P<rest>.*)", re.DOTALL)
_LIST_GOES_ON = compile_later(r"\s*(?:[-*•✓☑✅]|\(?\w{1,2}[.):]|\[|and\b|or\b)", re.IGNORECASE)
_ENOUGH_BEHIND = 3
"""Words behind an answer that show that it had ended."""


def finished_part_of_cut_reply(text: str, *, several: bool) -> str:
    """The part of a reply that the token limit cut off which had ended before: what the cut left
    of the last sentence may go on ("1" of "1, 3" or "12"). Of several options it is the first
    sentence or line, if something else than a list follows; empty if there is none.
    """
    if not several:
        found = _LAST_END.match(text)
        return found[0] if found else ""
    begun = _FIRST_END.match(text.lstrip())
    if begun is None or len(begun["rest"].split()) < _ENOUGH_BEHIND:
        return ""
    return "" if _LIST_GOES_ON.match(begun["rest"]) else begun["answer"]


# A reply that begins by thinking, or breaks off at a second thought, had not come to its answer.
_BEGINS_TO_THINK = compile_later(
    r"\W*(?:(?:ok(?:ay)?|alright|all right|right|so|well|now|first)\b[\s,.:!-]*){0,3}"
    r"(?:let me|let['’]?s|let us|hmm+|the (?:user|question|task|prompt) (?:is|asks|wants|gives"
    r"|says)"
    r"|(?:we|i) (?:need|have|are asked|am asked|should|must) (?:to )?(?:\w+ly )?(?:think"
    r"|determine|find"
    r"|figure|decide|choose|pick|answer|consider|recall|analy\w+|work)|thinking\b|to (?:answer"
    r"|solve)"
    r" this|step (?:1|one)\b)",
    re.IGNORECASE,
)
_THINKS_AGAIN = compile_later(
    r"\W*(?:(?:but|and|or|so|hmm+|oh|no|well)\b[\s,.…]*){0,2}(?:wait|hold on|actually|however"
    r"|alternatively|on the other hand|on second thought|let me|hmm+|although|though|then again|but"
    r"|no,)",
    re.IGNORECASE,
)


def was_reply_cut_while_thinking(text: str) -> bool:
    """Whether a reply that the token limit cut off was still thinking: what it says is a draft."""
    if _BEGINS_TO_THINK.match(text):
        return True
    ended = _LAST_END.match(text)
    return _THINKS_AGAIN.match(text[ended.end() :] if ended else text) is not None


FAILED = Reply("parse_failed", firm=False)
_KNOWS_NOT = Reply("idk")


@dataclass(frozen=True)
class _Asked:
    """The options, prepared for matching."""

    plain: tuple[str, ...]
    mention: re.Pattern[str]
    several: bool
    idk: bool

    def reply(self, places: Sequence[int], *, firm: bool = True) -> Reply:
        """The reply for these positions; the one after the last option is "I do not know"."""
        found, count = sorted(set(places)), len(self.plain)
        if found == [count] and self.idk:
            return _KNOWS_NOT
        if not found or found[0] < 0 or found[-1] >= count:
            return FAILED
        if len(found) > 1 and not self.several:
            return FAILED
        return Reply("answered", tuple(found), firm)

    def place(self, text: str) -> int:
        """The position of an option by its plain text; -1, which is no answer, if several match."""
        return self.plain.index(text) if self.plain.count(text) == 1 else -1

    def leading(self, text: str) -> int | None:
        """The option that a text begins with."""
        found = self.mention.match(normalise_wording(text[:_PROSE].lstrip(EDGES)))
        return self.place(found.group()) if found else None


_ONLY = compile_later(
    r"\A\W{0,3}(?:only|just)\s+(?=(?:options? )?\(?(?:\d|[A-H]\b))", re.IGNORECASE
)
# "It is not 2 but 3", "It is not option 2. It is option 3.": 3.
_NOT_BUT = compile_later(
    r"\b(?:it|this|that|the (?:correct |right |best )?(?:answer|option|choice))(?:(?: is| was"
    r"|'s) not| isn't| wasn't)"
    r" (?:option )?\(?(?:\d{1,2}|[A-H])\)?(?:,? but (?:rather )?|\s*[.;,:-]+\s*(?:(?:rather"
    r"|instead|no),? )?"
    r"(?:it|this|that|the (?:correct |right |best )?(?:answer|option|choice))(?: is|'s) )"
    r"(?=(?:option )?\(?(?:\d{1,2}|[A-H])\b)",
    re.IGNORECASE,
)


def parse_reply(
    text: str, options: Sequence[str], *, several: bool = False, idk: bool = True
) -> Reply:
    """What ``text`` answers to a question with these options, which leave out "I do not know".

    With ``several``, more than one may be right (semantic questions). With ``idk``, the number (or
    letter) after the last option's means "I do not know", as it was shown. Only the beginning and
    the end of a text longer than 20,000 characters are read.
    """
    text = split_reasoning_from_answer(text).answer
    if len(text) > 2 * _LONGEST:
        text = f"{text[:_LONGEST]}\n{text[-_LONGEST:]}"
    asked = _asked(tuple(options), several, idk)
    clean = _SHARE.sub("", normalise_reply_text(text))
    clean = _ONLY.sub("", clean)
    if not several:
        clean = _NOT_BUT.sub("The answer is ", clean)
    if not clean.strip(EDGES):
        return FAILED
    if is_answer_withdrawn(text):
        return FAILED
    if several and _breaks_off(clean):
        return FAILED
    if several and len(_probabilities(normalise_reply_text(text), asked)) > 1:
        return FAILED
    for read in (
        _json,
        _marked,
        _whole,
        _corrected,
        _unsure,
        _stated,
        _graded,
        _hedged,
        _by_lines,
        _opening,
    ):
        found = read(clean, asked)
        if found is not None:
            return replace(found, rule=_RULES[read.__name__])
    flat = normalise_wording(clean)
    if IDK.search(flat):
        return replace(_KNOWS_NOT, rule="words of not knowing")
    if REFUSAL.search(flat):
        return Reply("refused", rule="words of refusal")
    if several and len(flat) > _PROSE:
        return FAILED
    mentioned = asked.reply(_mentioned(flat, asked), firm=False)
    return replace(mentioned, rule="the options that it mentions")


def _breaks_off(clean: str) -> bool:
    """Whether a list breaks off: what else it would hold is not known."""
    return clean.lstrip()[:1] in ("[", "{") and clean.count("[") > clean.count("]")


_RULES = {
    "_json": "a JSON object",
    "_marked": "options answered one by one with yes or no",
    "_whole": "the answer and nothing else",
    "_corrected": "an answer that takes back another",
    "_unsure": "an answer that is called unsure",
    "_graded": "options that are graded, none chosen",
    "_stated": "the last statement of an answer",
    "_hedged": "a hedge that ends in an answer",
    "_by_lines": "lines that are answers",
    "_opening": "the beginning of the text",
}


@lru_cache(maxsize=4096)
def _asked(options: tuple[str, ...], several: bool, idk: bool) -> _Asked:
    plain = tuple(normalise_wording(normalise_reply_text(one)).strip(EDGES) for one in options)
    # Longest first: one option's text can be part of another's.
    longest = sorted({one for one in plain if one}, key=len, reverse=True)
    either = "|".join(map(re.escape, longest)) or r"(?!)"
    return _Asked(plain, re.compile(rf"(?<![\w.])(?:{either})(?![\w%]|[.,]\d)"), several, idk)


# -- statements, the surest first -----------------------------------------------------------------


class _TwoAnswers(Exception):
    """An object that gives a field twice, with different values."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if any(made[name] != value for name, value in pairs):
        raise _TwoAnswers
    return made


def _json(clean: str, asked: _Asked) -> Reply | None:
    begin, end = clean.find("{"), clean.rfind("}")
    if begin < 0 or end < begin:
        return None
    try:
        value: Any = json.loads(clean[begin : end + 1], object_pairs_hook=_once)
    except _TwoAnswers:
        return FAILED
    except (ValueError, RecursionError):
        return None
    if (flagged := _flagged(value, asked)) is not None:
        return flagged
    found = [
        one for key, one in value.items() if "answer" in key.lower() or "choice" in key.lower()
    ]
    if len(found) != 1:
        return None
    given = found[0] if isinstance(found[0], list) else [found[0]]
    return _together([_whole(normalise_reply_text(str(one)), asked) for one in given], asked)


def _flagged(value: dict[str, Any], asked: _Asked) -> Reply | None:
    """An object that says yes or no of option after option: ``{"1": true, "2": false}``."""
    chosen: list[int] = []
    for key, flag in value.items():
        option = _whole(normalise_reply_text(key), asked)
        if option is None or option.outcome == "parse_failed" or len(option.chosen) > 1:
            return None
        meant = re.fullmatch(_YES, str(flag).strip(), re.IGNORECASE)
        if meant is None and not re.fullmatch(_NO, str(flag).strip(), re.IGNORECASE):
            # How likely each is, or another thing that is no choice.
            return FAILED if len(value) > 1 else None
        if meant:
            chosen += option.chosen or [len(asked.plain)]
    return (asked.reply(chosen) if chosen else FAILED) if value else None


_YES = r"yes|y|ja|s[íi]|oui|sim|true|correct|right|present|included?|✓|✔|☑|✅|\[x\]|\+"
_NO = r"no|nein|non|n[ãa]o|nee|n|false|incorrect|wrong|absent|excluded?|not|✗|✘|☒|❌|☐|\[ \]"
_MAYBE = r"maybe|perhaps|possibly|possible|unsure|uncertain|unknown|unclear|\?"
_MARKED = compile_later(
    rf"^[\s*-]{{0,6}}(?P<before>{_YES}|{_NO})?(?(before)[\s:=-]+|)(?P<option>.{{1,200}}?)"
    rf"(?:(?:\s*[:=(]|\s+-|\s+is\b|\s)\s*(?P<after>{_YES}|{_NO}|{_MAYBE})\)?)?[\s.,;]*$",
    re.IGNORECASE,
)


_IN_TWO_LISTS = compile_later(
    r"\W*(?:yes|correct|true|right|present)\s*[:=]\s*(?P<right>.+?)[.;]?\s*"
    r"\b(?:no|incorrect|false|wrong|absent)\s*[:=]\s*.+",
    re.IGNORECASE,
)


def _marked(clean: str, asked: _Asked) -> Reply | None:
    """Options that are answered one by one with yes or no: "Fever: yes / Cough: no"."""
    if halves := _IN_TWO_LISTS.fullmatch(" ".join(clean[:_LONGEST].split())):
        named = _listed(halves["right"].strip(EDGES), asked) or _whole(halves["right"], asked)
        return named or FAILED
    parts = [one for one in re.split(r"[\n;/]+", clean[:_LONGEST]) if one.strip(EDGES)]
    if len(parts) == 1:
        parts = [one for one in clean.split(",") if one.strip(EDGES)]
    chosen: dict[int, bool] = {}
    undecided = 0
    for part in parts[:_LINES]:
        line = _MARKED.match(part.strip("{}\"' "))
        if line is None or bool(line["before"]) == bool(line["after"]):
            continue
        places, rest = _tokens(line["option"], asked)
        beside = asked.leading(rest) if places else asked.leading(line["option"])
        place = places[0] if len(places) == 1 else beside
        if place is None or not 0 <= place < len(asked.plain) or beside not in (None, place):
            continue
        if line["after"] and re.fullmatch(_MAYBE, line["after"], re.IGNORECASE):
            undecided += 1
            continue
        meant = re.fullmatch(_YES, line["before"] or line["after"], re.IGNORECASE) is not None
        if chosen.setdefault(place, meant) != meant:
            return FAILED
    if len(chosen) + undecided < 2:
        return None
    if undecided:
        return FAILED
    if len(chosen) < len(asked.plain) and not any(chosen.values()):
        # What is left out of a list of yes and no is neither.
        return FAILED
    places = [place for place, meant in chosen.items() if meant]
    return asked.reply(places) if places else FAILED


_HEDGE = compile_later(
    r"\b(?:but|however|though|although|still|yet|nevertheless|if i (?:had|have) to)\b[^.\n]{0,60}?"
    r"\b(?:probably|(?:most |more )?likely|perhaps|maybe|possibly|guess|choose|pick|lean\w*"
    r"|i (?:think|believe|suspect|guess)|i(?:'d| would) (?:say|guess|go|choose|lean))\b"
    r"(?: (?:say|go|with|for|be|it is|it's|that|to|towards?|option|answer|is))*\s*:?",
    re.IGNORECASE,
)


def _hedged(clean: str, asked: _Asked) -> Reply | None:
    """The answer behind "I'm not certain, but probably"."""
    for hedge in reversed(list(_HEDGE.finditer(clean))[-_STATEMENTS:]):
        found = _value(clean[hedge.end() : hedge.end() + _PROSE], asked)
        if found is not None and found.outcome == "answered":
            return found
    return None


_NOT_SURE = r"(?:i am|i'm|im) not (?:\w+ )?(?:sure|certain|confident)(?: about (?:it|this|that))?"
_I_THINK = (
    r"(?:(?:i am|i'm) (?:leaning|inclined|tending) (?:towards?|to)|i (?:think|believe|suspect|guess"
    r"|lean towards?)|maybe|perhaps|possibly|probably|most likely|likely|my (?:best )?guess is)"
    r"(?: (?:it is|it's|that it is|the answer is))?\s*:?"
)
_UNSURE = compile_later(
    rf"\W*(?:{_NOT_SURE}\s*[,;.:-]+\s*(?:but |so )?)?{_I_THINK}\s+(?P<answer>.{{1,200}}?)"
    rf"(?:\s*[,;.-]+\s*(?:but |though |although |even though )?{_NOT_SURE})?\W*",
    re.IGNORECASE,
)
_TAKEN_BACK = compile_later(
    r"\s*(?:(?P<asked>\?)|[.,;:!-]+|)\s*(?:no(?=\s*[,;:.!-]|\s+(?:wait|sorry|actually|it|option"
    r"|answer|\d|[a-h]\b)|\W*$)|nope|sorry|wait|actually|correction|oops|scratch that|i mean"
    r"|(?:or )?rather(?! than)|i meant)\b[\s,;:.!-]*"
    r"(?:(?:wait|sorry|actually|i mean|it is|it's|make that|rather)\b[\s,;:.!-]*)*",
    re.IGNORECASE,
)
_ARROW = compile_later(r"\s*(?:[-=]+\s*(?:>|greater than)|→|⇒)\s*(?:\d{1,2}|[A-Ha-h])\b\W*$")


def _unsure(clean: str, asked: _Asked) -> Reply | None:
    """The answer of "I think 2, though I am not sure" and "I'm not sure, maybe 2"."""
    unsure = _UNSURE.fullmatch(" ".join(clean[:_PROSE].split())) if len(clean) < _PROSE else None
    answer = _whole(unsure["answer"], asked) if unsure else None
    return answer if answer is not None and answer.outcome == "answered" else None


def _corrected(clean: str, asked: _Asked) -> Reply | None:
    """The second answer of "1? No, 3."; ``FAILED`` if it takes one back without another."""
    begun = _TOKEN.match(clean)
    named = asked.mention.match(clean.lower())
    end = begun.end() if begun else named.end() if named else None
    if end is None:
        return None
    rest = clean[end : end + _PROSE]
    if arrow := _ARROW.match(rest):
        means_option = asked.leading(arrow.group().strip(EDGES)) is not None
        return None if means_option else FAILED
    taken_back = _TAKEN_BACK.match(rest)
    if taken_back is None:
        return None
    instead = rest[taken_back.end() :]
    answer = _whole(instead, asked) if instead.strip(EDGES) else None
    if answer is not None and answer.outcome == "answered" and not asked.several:
        return answer
    speaks_of_another = answer is not None or re.search(r"\b\d{1,2}\b", instead) is not None
    speaks_of_another = speaks_of_another or bool(_mentioned(normalise_wording(instead), asked))
    return FAILED if speaks_of_another or taken_back["asked"] else None


_AN_OPTION = r"(?<![\w.])(?:\d{{1,2}}|{mentions})"
_BESIDE_IT = r"\s*(?:[:=(]|\s-|\bis\b|\bare\b|\s)\s*"
_PROBABILITY = r"(?:p\s*=\s*)?(?:about |~ ?)?(?:0?\.\d+|[01]\.\d+|\d{1,3}\s?%|\d{1,2}/10\b)"
_GRADE = (
    r"(?P<grade>(?:very |highly |quite |less |more |not |most )?(?:(?:un)?likely|possible|probable"
    r"|improbable|plausible|implausible|low|high|medium|moderate|doubtful|absent|excluded|ruled out"
    r"|impossible|negative))\b"
)
_NOT_CHOSEN = compile_later(
    r"not |less |unlikely|improbable|implausible|low|doubtful|absent|excluded|ruled|imposs|negative"
)


def _probabilities(clean: str, asked: _Asked) -> list[str]:
    """What gives options a probability: "1: 0.9, 2: 0.1"."""
    # In brackets behind a number it is a share of a choice: "1 (80%), 3 (20%)".
    number = r"(?<![\w.])\d{1,2}\s*(?:[:=]|\s-)"
    rule = rf"(?:{number}|{asked.mention.pattern}\s*(?:[:=(]|\s-))\s*{_PROBABILITY}"
    return [given.group() for given in re.finditer(rule, normalise_wording(clean[:_LONGEST]))]


def _graded(clean: str, asked: _Asked) -> Reply | None:
    """``FAILED`` where options are graded differently: "Fever: likely, cough: unlikely"."""
    if not asked.several:
        return None
    option = _AN_OPTION.format(mentions=asked.mention.pattern)
    given = re.finditer(rf"(?:{option}){_BESIDE_IT}{_GRADE}", normalise_wording(clean[:_LONGEST]))
    grades = {grade["grade"] for grade in given}
    doubted = any(_NOT_CHOSEN.search(grade) for grade in grades)
    return FAILED if doubted or len(grades) > 1 else None


def _together(found: Sequence[Reply | None], asked: _Asked) -> Reply:
    """Several replies as one, if all are answers or there is only one."""
    known = [one for one in found if one is not None]
    if len(found) == 1 and known:
        return known[0]
    if len(known) < len(found) or any(one.outcome != "answered" for one in known):
        return FAILED
    return asked.reply([place for one in known for place in one.chosen])


def _whole(clean: str, asked: _Asked) -> Reply | None:
    """The reply if the text is an answer and nothing else."""
    bare = clean.strip(EDGES)
    plain = normalise_wording(bare).strip(EDGES)
    if IDK_WHOLE.fullmatch(plain):
        return _KNOWS_NOT
    if plain in asked.plain:
        return asked.reply([asked.place(plain)])
    clean = _with_digits(clean, asked)
    bare = clean.strip(EDGES)
    if asked.several and ALL_OF_THEM.fullmatch(plain):
        return asked.reply(range(len(asked.plain)))
    if asked.several and (left_out := _ALL_BUT.fullmatch(bare)):
        without = _whole(left_out["left_out"], asked)
        if without is None or not without.chosen:
            return FAILED
        return asked.reply([n for n in range(len(asked.plain)) if n not in without.chosen])
    if (span := _RANGE.fullmatch(bare)) and plain not in asked.plain:
        # "1-3" is the first to the third, or nothing where only one can be right.
        return _from_to(span, asked) if asked.several else FAILED
    places, rest = _tokens(clean, asked)
    behind = normalise_wording(rest).strip(EDGES)
    if places and not behind:
        return asked.reply(places)
    if len(places) == 1 and behind in asked.plain:
        return asked.reply(places) if asked.place(behind) == places[0] else FAILED
    if places == [len(asked.plain)] and IDK_WHOLE.fullmatch(behind):
        return asked.reply(places)
    if asked.several and _LETTER_RUN.fullmatch(bare) and len(set(bare)) == len(bare):
        return asked.reply([ord(letter) - ord("A") for letter in bare])
    if asked.several and "\n" not in clean:
        return _listed(bare, asked)
    return None


_NUMBERS = {
    word: str(number)
    for words in (_COUNTED, *(line.split() for line in _COUNTED_ABROAD))
    for number, word in enumerate(words, 1)
}
_ONLY_NUMBERS = compile_later(
    rf"(?:(?:{'|'.join(_NUMBERS)})(?:\s*(?:,|;|&|\b(?:and|und|y|et)\b)\s*|\W*$))+", re.IGNORECASE
)
_A_WORD = compile_later(r"[^\W\d_]+")


def _with_digits(clean: str, asked: _Asked) -> str:
    """An answer of nothing but numbers in words, with digits; else as it stands."""
    if not _ONLY_NUMBERS.fullmatch(clean.strip(EDGES)):
        return clean
    if any(word in _NUMBERS for option in asked.plain for word in _A_WORD.findall(option)):
        return clean
    return _A_WORD.sub(lambda word: _NUMBERS.get(word[0].lower(), word[0]), clean)


def _from_to(span: re.Match[str], asked: _Asked) -> Reply:
    first, last = (
        int(end) - 1 if end.isdigit() else ord(end.upper()) - ord("A")
        for end in (span["first"], span["last"])
    )
    # All of them are never right together.
    whole = last - first + 1 >= len(asked.plain)
    return FAILED if last <= first or whole else asked.reply(range(first, last + 1))


def _listed(bare: str, asked: _Asked) -> Reply | None:
    """Answers separated by semicolons, or option texts with only signs between them."""
    parts = [part for part in bare.split(";") if part.strip(EDGES)]
    if len(parts) > 1:
        found = [_whole(part.strip(), asked) for part in parts]
        return _together(found, asked) if all(found) else None
    plain = normalise_wording(bare)
    named = [match.group() for match in asked.mention.finditer(plain)]
    if not named or _GLUE.sub("", asked.mention.sub(" ", plain)):
        return None
    return asked.reply([asked.place(one) for one in named])


def _tokens(text: str, asked: _Asked) -> tuple[list[int], str]:
    """The positions of the numbers or letters that a text begins with, and the rest of the text."""
    given, text = text, text.lstrip(" \t\n\"'-:=.")
    places: list[int] = []
    at = 0
    if _BELOW_ZERO.match(given):
        return [], text
    while match := _TOKEN.match(text, at):
        number, letter = match.groups()
        place = int(number) - 1 if number else ord(letter.upper()) - ord("A")
        if letter and place > len(asked.plain):
            break
        join = _JOIN.match(text, match.end())
        more = join is not None and _TOKEN.match(text, join.end()) is not None
        behind = text[match.end() :]
        if not more and not _GOES_ON.match(behind) and asked.leading(behind) is None:
            # "2 times", "A patient": neither this nor what led up to it is an answer.
            return [], text
        places.append(place)
        at = join.end() if more and join is not None else match.end()
        if not more:
            break
    return places, text[at:]


def _stated(clean: str, asked: _Asked) -> Reply | None:
    """The answer after the last "the answer is", "I choose" or the like that has one."""
    for match in reversed(list(MARKER.finditer(clean))[-_STATEMENTS:]):
        if not NEGATED_BEFORE.search(match.group().lower()):
            found = _value(clean[match.end() : match.end() + 2 * _PROSE], asked)
            if found is not None:
                return found
    return None


def _value(tail: str, asked: _Asked) -> Reply | None:
    tail = tail.strip(EDGES)
    plain = normalise_wording(tail)
    if IDK_START.match(plain):
        return _KNOWS_NOT
    if NEGATED_BEFORE.match(plain):
        return None
    article = _ARTICLE.match(tail)
    places, rest = _tokens(tail[article.end() :] if article else tail, asked)
    if places:
        beside = asked.leading(rest) if len(places) == 1 else None
        return asked.reply(places) if beside in (None, places[0]) else FAILED
    if asked.several:
        part = tail.split("\n\n")[0] if "\n" in tail else _END.split(tail)[0]
        whole = _by_lines(part, asked)
        if whole is not None:
            return whole
    else:
        part = _END.split(tail)[0]
    found = _mentioned(normalise_wording(part), asked)
    return asked.reply(found) if found else None


def _by_lines(clean: str, asked: _Asked) -> Reply | None:
    """Lines that are answers on their own: all the same, or together a list."""
    lines = [line for line in clean.split("\n") if line.strip(EDGES)][:_LINES]
    if len(lines) < 2:
        return None
    found = [_whole(line.strip(), asked) for line in lines if len(line) <= _PROSE]
    known = [one for one in found if one is not None]
    if not known:
        return None
    if len(set(known)) == 1:
        return known[0]
    return _together(known, asked) if asked.several else FAILED


def _opening(clean: str, asked: _Asked) -> Reply | None:
    """The answer a text begins with: "B. Because …", "2) Less than 5%, since …", the option."""
    places, rest = _tokens(clean, asked)
    if asked.several and places and rest.lstrip().startswith("("):
        # "1 (typical), 3 (common)": what is in brackets is not the end of the list.
        places, rest = _tokens(re.sub(r"\s*\([^()\n]{1,120}\)", "", clean), asked)
    if places and _ONE_BY_ONE.match(rest):
        # "1: likely, 2: unlikely": each is talked about, none is given as the answer.
        return FAILED
    if places and (_UP_TO.match(rest) or NEGATED_AFTER.match(rest.lower())):
        return None
    if places:
        beside = asked.leading(rest) if len(places) == 1 else None
        if beside is not None:
            return asked.reply(places) if beside == places[0] else FAILED
        # "1. First of all" begins a step-by-step explanation.
        steps = clean.lstrip()[:1].isdigit() and re.match(r"[.)] ?\S", rest)
        return None if steps else asked.reply(places)
    if asked.several:
        return None
    plain = normalise_wording(clean)
    found = asked.mention.match(plain)
    if found and re.match(r"[.,;:!(-]| -| because| since| as ", plain[found.end() :]):
        return asked.reply([asked.place(found.group())])
    return None


_ABSENT = compile_later(
    r"\b(?:no|without|(?:absence|lack) of|lacks?|lacking|free of|negative for|denies)\b"
)
_OR = compile_later(r"\s*(?:or|and|nor)\s+(?:any |an? )?")


def _mentioned(plain: str, asked: _Asked) -> list[int]:
    """Options that a text mentions without denying them."""
    places = []
    if asked.several and (absent := _ABSENT.search(plain)):
        behind = list(asked.mention.finditer(plain, absent.end()))
        between = [plain[first.end() : second.start()] for first, second in pairwise(behind)]
        if any(not _OR.fullmatch(words) for words in between):
            # "No fever, cough, rash": how far the "no" reaches is not known.
            return [-1]
        if behind:
            return _mentioned(plain[: absent.start()], asked)
    for match in asked.mention.finditer(plain):
        before = plain[max(0, match.start() - _CLAUSE) : match.start()]
        ends = [end.end() for end in _CLAUSE_END.finditer(before)]
        denied = NEGATED_BEFORE.search(before[ends[-1] if ends else 0 :])
        if not denied and not NEGATED_AFTER.match(plain, match.end()):
            places.append(asked.place(match.group()))
    return places
