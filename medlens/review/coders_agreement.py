"""Agreement between two coders on the passages they marked, each with codes of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from medlens.review import open_codes
from medlens.review.codebook import Codebook, folded
from medlens.review.labeler import OpenCode
from medlens.review.open_codes import Coded
from medlens.stats.estimate import Estimate
from medlens.stats.spans import Marks, span_f1
from medlens.stats.tokens import token_alphas


@dataclass(frozen=True)
class Coding:
    """What a coder marked in each item they worked on, under the names of their codes."""

    marks: Mapping[str, tuple[OpenCode, ...]]


def coding_of(book: Codebook, history: Iterable[Coded], *, blind: bool) -> Coding:
    """A coder's last revisions; with ``blind``, those saved before they chose to compare."""
    until = book.compared
    kept = (one for one in history if not blind or until is None or one.at <= until)
    return Coding(
        {one.item: book.named_marks(open_codes.codes_of(one.body)) for one in open_codes.last(kept)}
    )


def agreement(
    one: Coding, other: Coding, texts: Mapping[str, str]
) -> dict[tuple[str, str], Estimate]:
    """Estimates by (measure, its meaning), over the items both worked on; codes are the same if
    their names are, ignoring case and spaces.
    """
    shared = sorted(one.marks.keys() & other.marks.keys())
    names = sorted({folded(code.label) for each in (one, other) for code in _all(each, shared)})
    marks = _marks([one, other], shared, names)
    anything = Marks(marks.item, marks.judgment, marks.start, marks.end, marks.label * 0)
    return {
        ("Same passage", "F1: passages of one that share words with one of the other"): (
            span_f1(marks, match="overlap", labels=False)
        ),
        ("Exactly the same passage", "F1: the same first and last word"): (
            span_f1(marks, match="exact", labels=False)
        ),
        ("Same words", "alpha: each word marked by both, or by neither"): (
            token_alphas(anything, [texts[item] for item in shared], labels=1)[0]
        ),
        ("Same passage and code", "F1: as the first, under codes of the same name"): (
            span_f1(marks, match="overlap", labels=True)
        ),
    }


def together(one: Coding, other: Coding) -> dict[tuple[str, str], int]:
    """How often passages of two codes, one of each coder, share words: shows which codes mean the
    same under two names.
    """
    found: dict[tuple[str, str], int] = {}
    for item in one.marks.keys() & other.marks.keys():
        for mine in one.marks[item]:
            for theirs in other.marks[item]:
                if mine.start < theirs.end and theirs.start < mine.end:
                    pair = (mine.label, theirs.label)
                    found[pair] = found.get(pair, 0) + 1
    return found


def _all(coding: Coding, items: Sequence[str]) -> list[OpenCode]:
    return [code for item in items for code in coding.marks[item]]


def _marks(codings: Sequence[Coding], items: Sequence[str], names: Sequence[str]) -> Marks:
    number = {name: at for at, name in enumerate(names)}
    return Marks.of(
        (at, [(one.start, one.end, number[folded(one.label)]) for one in coding.marks[item]])
        for coding in codings
        for at, item in enumerate(items)
    )
