"""Answers matched with their questions and read, all at once.

A text is read once for each set of options it answers, however often it occurs, so a million
answers to a hundred thousand questions take only as many reads as there are distinct pairs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from medlens.deferred_module import np, pa, pc, pd
from medlens.review.raters import make_rater_handle_from_origin_and_name
from medlens.studies.ebmqa.multiple_choice_reply_parsing import parse_reply
from medlens.studies.ebmqa.records import IDK, OUTCOMES, bit_mask_of_positions

if TYPE_CHECKING:
    from numpy.typing import NDArray


Integers: TypeAlias = "NDArray[np.int64]"
_COUNTABLE = 4_000_000
_CODES: dict[str, int] = {outcome: code for code, outcome in enumerate(OUTCOMES)}

WORDLESS = (IDK, *(f"({outcome})" for outcome in OUTCOMES))
"""What stands for an answer of which there are no words."""


@dataclass(frozen=True)
class QuestionsToMatch:
    """A dataset's questions in the form that answers are matched with.

    ``numbers`` are the store's numbers for them, ``names`` their ids in files (an Arrow array),
    ``sets`` which of ``options`` each one has. Options shared by several questions occur once, with
    whether more than one may be right.
    """

    numbers: Integers
    names: Any
    sets: Integers
    options: Sequence[tuple[tuple[str, ...], bool]]

    @classmethod
    def from_arrow_table(cls, table: Any) -> QuestionsToMatch:
        """From an Arrow table of number, name, several and options (a JSON list)."""
        asked = pc.binary_join_element_wise(
            pc.cast(table["several"], pa.string()), table["options"], "\x1f"
        )
        encoded = asked.combine_chunks().dictionary_encode()
        options = []
        for text in encoded.dictionary.to_pylist():
            several, listed = text.split("\x1f", 1)
            options.append((tuple(json.loads(listed)), several == "true"))
        return cls(
            table["number"].to_numpy(),
            table["name"].combine_chunks(),
            encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64),
            options,
        )


@dataclass(frozen=True)
class AnswerBlockKey:
    """Whose answers, under which prompt: identifies a block of answers."""

    model: str
    prompt: str
    repeat: int


@dataclass(frozen=True)
class Matched:
    """Answers in the store's form, as arrays of the file's length.

    ``at`` is the question's position in ``QuestionsToMatch`` (-1: no such question), ``group`` the
    position in ``groups``, ``outcome`` and ``chosen`` the store's codes, ``said`` the position in
    ``texts`` of what was said (-1 if it was an option word for word). ``unlike`` are the rows that
    claim to be answered but name no option.
    """

    at: Integers
    group: Integers
    groups: Sequence[AnswerBlockKey]
    outcome: Integers
    chosen: Integers
    said: Integers
    texts: Sequence[str]
    unlike: Sequence[int] = ()


def outcome_option_mask_and_if_text_is_option(
    text: str, options: tuple[str, ...], *, several: bool
) -> tuple[int, int, bool]:
    """The outcome's code, the chosen options as a mask, and whether the text is an option."""
    bare = text.strip()
    if bare in options:
        return _CODES["answered"], 1 << options.index(bare), True
    if bare == IDK:
        return _CODES["idk"], 0, True
    sign = _signs(len(options)).get(bare.casefold())
    if sign is not None:
        return (*sign, False)
    reply = parse_reply(text, options, several=several)
    return _CODES[reply.outcome], bit_mask_of_positions(reply.chosen), False


@lru_cache(maxsize=64)
def _signs(count: int) -> dict[str, tuple[int, int]]:
    """Numbers and letters; the one after the last option's means "I do not know"."""
    found: dict[str, tuple[int, int]] = {IDK.casefold(): (_CODES["idk"], 0)}
    for place in range(count + 1):
        meant = (_CODES["idk"], 0) if place == count else (_CODES["answered"], 1 << place)
        found[str(place + 1)] = meant
        if place < 26:
            found[chr(ord("a") + place)] = meant
    return found


def match_answers_with_questions(asked: QuestionsToMatch, columns: Any) -> Matched:
    """Match and read answers; ``columns`` comes from ``read_answer_file.Given``."""
    found = pc.index_in(columns["question_id"], value_set=asked.names)
    at = pc.fill_null(found, -1).to_numpy(zero_copy_only=False).astype(np.int64)
    group, groups = _groups(columns)
    answers = columns["answer"]
    texts: list[str] = answers.dictionary.to_pylist()
    text = _indices(answers)
    # The last set stands for unknown questions: nothing is read for them.
    sets = np.append(asked.sets, len(asked.options))[at]
    size = max(len(texts), 1)
    pairs, distinct = _distinct(sets * size + text, (len(asked.options) + 1) * size)
    outcome, chosen, verbatim = (np.zeros(len(distinct), np.int64) for _ in range(3))
    for place, key in enumerate(distinct.tolist()):
        which, code = divmod(key, len(texts))
        if which < len(asked.options):
            options, several = asked.options[which]
            outcome[place], chosen[place], verbatim[place] = (
                outcome_option_mask_and_if_text_is_option(texts[code], options, several=several)
            )
    outcome, chosen, plain = outcome[pairs], chosen[pairs], verbatim[pairs]
    unlike: list[int] = []
    if not isinstance(columns["outcome"], str):
        # The outcome was read before, with the words and the options as they were shown.
        told = _coded(
            columns["outcome"], [_CODES.get(word, -1) for word in _words(columns, "outcome")]
        )
        unlike = np.flatnonzero((told == _CODES["answered"]) & (outcome != told)).tolist()
        other = (told >= 0) & (told != _CODES["answered"])
        outcome, chosen = np.where(other, told, outcome), np.where(other, 0, chosen)
        plain = np.where(other, _coded(answers, [one.strip() in WORDLESS for one in texts]), plain)
    said = np.where(plain, -1, text)
    if not isinstance(columns["said"], str):
        words = _words(columns, "said")
        own = _coded(columns["said"], [bool(one.strip()) for one in words])
        said = np.where(own, len(texts) + _indices(columns["said"]), said)
        texts += words
    return Matched(at, group, groups, outcome, chosen, said, texts, unlike)


def _words(columns: Any, name: str) -> list[str]:
    found: list[str] = columns[name].dictionary.to_pylist()
    return found


def _coded(encoded: Any, codes: Sequence[int]) -> Integers:
    """The code of each row, given the code of each word in the dictionary."""
    return np.array(codes, np.int64)[_indices(encoded)]


def _groups(columns: Any) -> tuple[Integers, list[AnswerBlockKey]]:
    key = np.zeros(len(columns["answer"]), np.int64)
    words: list[list[str]] = []
    for name in ("model", "prompt", "repeat"):
        one = columns[name]
        words.append([one] if isinstance(one, str) else one.dictionary.to_pylist())
        if not isinstance(one, str):
            key = key * max(len(words[-1]), 1) + _indices(one)
    models, prompts, repeats = words
    codes, distinct = _distinct(key, len(models) * len(prompts) * len(repeats))
    groups: dict[tuple[str, str, int], AnswerBlockKey] = {}
    order: dict[tuple[str, str, int], int] = {}
    place = np.zeros(len(distinct), np.int64)
    for code, value in enumerate(distinct.tolist()):
        rest, repeat = divmod(value, len(repeats))
        model, prompt = divmod(rest, len(prompts))
        group = AnswerBlockKey(
            models[model].strip(), prompts[prompt].strip(), _whole_number(repeats[repeat])
        )
        sign = (
            make_rater_handle_from_origin_and_name("model", group.model),
            group.prompt,
            group.repeat,
        )
        groups.setdefault(sign, group)
        place[code] = order.setdefault(sign, len(order))
    return place[codes], list(groups.values())


def _distinct(key: Integers, most: int) -> tuple[Integers, Integers]:
    """The position of each key among the distinct ones, and these; keys are below ``most``."""
    if most > _COUNTABLE:
        codes, distinct = pd.factorize(key)
        return codes.astype(np.int64), distinct
    distinct = np.flatnonzero(np.bincount(key, minlength=most))
    place = np.zeros(most, np.int64)
    place[distinct] = np.arange(len(distinct))
    return place[key], distinct


def _whole_number(text: str) -> int:
    """The number, or 0 for text that is not one, which the caller refuses."""
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _indices(encoded: Any) -> Integers:
    found: Integers = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return found
