"""Texts that raters rewrite: what changed against the item's text, and how much.

Words are compared, not characters. The share of words changed is one minus the Dice coefficient of
the two texts' words: of all words of both, those in only one of them, each as often as it stands
there. It is 0 if every word stays, wherever it went, and 1 if none does. Punctuation, and words
that stay elsewhere in the text, are shown as changed but not counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal
from unicodedata import category

from medlens.config.question_forms_and_answer_checks import REWRITE, UNCHANGED, Form, Question
from medlens.review.word_diff import stretches_of_same_and_changed_words
from medlens.studies.own.blinded_arms import name_of_further_answer_column

CHANGED, KEPT = "changed", "not changed"
"""What is counted of an answer."""
_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"(?:(?![{_IDEOGRAPH}])[^\W_])"

Where = Literal["same", "gone", "new"]


@dataclass(frozen=True)
class TextDifference:
    """A text compared with its original."""

    original: str
    text: str

    @cached_property
    def pieces_in_reading_order(self) -> tuple[tuple[Where, str], ...]:
        """What stays, is gone, or is new, in reading order. What was moved is gone and new."""
        before, after = _tokens(self.original), _tokens(self.text)
        old, new = ([token.rstrip() for token in tokens] for tokens in (before, after))
        pieces: list[tuple[Where, str]] = []
        for same, there, here in stretches_of_same_and_changed_words(old, new):
            gone, come = "".join(before[there]), "".join(after[here])
            if same:
                pieces.append(("same", come))
                continue
            pieces += [("gone", gone)] if gone else []
            pieces += [("new", come)] if come else []
        return tuple(pieces)

    @cached_property
    def original_word_count(self) -> int:
        """The number of words of the original."""
        return self._words[0].total()

    @cached_property
    def word_count_of_rewritten_text(self) -> int:
        """The number of words of the text."""
        return self._words[1].total()

    @cached_property
    def removed_word_count(self) -> int:
        """The number of the original's words that are not in the text."""
        before, after = self._words
        return (before - after).total()

    @cached_property
    def added_word_count(self) -> int:
        """The number of the text's words that are not in the original."""
        before, after = self._words
        return (after - before).total()

    @property
    def share_of_words_changed(self) -> float:
        """The share of words changed."""
        return (self.removed_word_count + self.added_word_count) / max(
            self.original_word_count + self.word_count_of_rewritten_text, 1
        )

    @cached_property
    def _words(self) -> tuple[Counter[str], Counter[str]]:
        before, after = (
            Counter(token.rstrip() for token in _tokens(text) if token[0].isalnum())
            for text in (self.original, self.text)
        )
        return before, after


@lru_cache(maxsize=8192)
def compare_text_with_original(original: str, text: str) -> TextDifference:
    """What was changed in ``original`` to make ``text``; spacing between words does not count."""
    return TextDifference(original, text)


def _tokens(text: str) -> list[str]:
    """The words and marks of a text, each with the space after it."""
    return _pattern().findall(text)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """A word (with its hyphens, apostrophes, digits and decimals), an ideograph, or a mark.

    Signs that are written onto letters (accents, the vowels of Hindi) belong to the word.
    """
    marks = "".join(chr(at) for at in range(0x300, 0x10000) if category(chr(at))[0] == "M")
    inside = rf"{_LETTER}|[{marks}]|(?<=\d)[.,](?=\d)|[-'’\u2010\u2011](?={_LETTER})"
    return re.compile(rf"(?:{_LETTER}(?:{inside})*|\S)\s*")


def difference_of_rewriting_from_original(question: Question, answer: Any) -> TextDifference:
    """What an answer to an item's question changed in its text."""
    text = question.original if answer in (None, UNCHANGED) else str(answer)
    return compare_text_with_original(question.original, text)


def amount_rewritten_as_text(question: Question, answer: str) -> str:
    """How much an answer changed, in words."""
    found = difference_of_rewriting_from_original(question, answer)
    if answer in ("", UNCHANGED):
        return UNCHANGED if answer else ""
    return (
        f"words: {found.removed_word_count:,} out, {found.added_word_count:,} in,"
        f" of {found.original_word_count:,}"
    )


def rewritten_text_to_store_or_unchanged_mark(question: Question, text: str) -> str:
    """An answer as it is stored: ``UNCHANGED`` if the text is the original."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    return UNCHANGED if question.original and text == question.original else text


def rewriting_questions_by_id(form: Form) -> dict[str, Question]:
    """The questions of a form that are answered by rewriting, by id."""
    return {one.id: one for one in form.questions if one.kind == REWRITE}


def make_question_whether_text_was_changed(question: Question) -> Question:
    """Whether a text was changed at all, as a question whose answers can be counted."""
    return replace(question, kind="single", options=(CHANGED, KEPT))


def question_of_share_of_words_changed(question: Question) -> Question:
    """The share of words changed, as a question."""
    text = f"{question.text} – share of words changed"
    name = name_of_further_answer_column(question.id, "share")
    return replace(question, id=name, kind="number", text=text, minimum=0, maximum=1)


def columns_after_rewritten_answer_by_name_ending(
    question: Question, answer: Any
) -> Mapping[str, Any]:
    """The further columns of an answer in exports, by the end of their names."""
    if answer is None:
        return dict.fromkeys(COLUMNS)
    found = difference_of_rewriting_from_original(question, answer)
    how = KEPT if answer == UNCHANGED else CHANGED
    return dict(
        zip(
            COLUMNS,
            (
                how,
                found.removed_word_count,
                found.added_word_count,
                round(found.share_of_words_changed, 4),
            ),
            strict=True,
        )
    )


COLUMNS: Mapping[str, str] = {
    "changed": "whether the text was changed at all",
    "removed": "words of the item's text that the new one does not have",
    "added": "words of the new text that the item's does not have",
    "share": "of all words of both texts, the share that is in only one of them",
}
"""The columns after a rewritten answer's own, ``ID_…``, and what they mean."""
