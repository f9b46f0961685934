"""The passages lit beside a statement: the time on pages of 40,000 words, and how often right.

The time is held against counting the words of the same page, which any search has to do. The labels
were written before the rule (``tests/labelled_passages.py``, also on what was tuned on which).
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from medlens.web.passage_search import index_sentences_of_source
from tests.bench.rows import Options, Row
from tests.labelled_passages import HELD_BACK, LATER, LONG, PAIRS, Pair, text_of

BAR = 0.7
_RATIO = 20
_WORD = re.compile(r"\w+")


def lit_right(pairs: Sequence[Pair]) -> list[list[bool]]:
    """Whether each passage that is lit is the right one, best first, for each statement."""
    found = []
    for one in pairs:
        page = index_sentences_of_source(text_of(one.page))
        said = page.texts_of_sentences()
        found.append(
            [one.right in said[i] for i in page.sentence_numbers_like_statement(one.statement)]
        )
    return found


def _ms(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


def _passages(text: str, statement: str) -> list[int]:
    return index_sentences_of_source(text).sentence_numbers_like_statement(statement)


def _counted(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))


def _time(options: Options) -> Row:
    pairs = [one for one in PAIRS if one.page in LONG][: options.pick(12, 3)]
    # A page is kept once it was laid out; another last line makes another page of each.
    texts = [f"{text_of(one.page)}\n\n{n}" for n, one in enumerate(pairs)]
    took, counted = [], []
    for one, text in zip(pairs, texts, strict=True):
        took.append(_ms(partial(_passages, text, one.statement)))
        counted.append(_ms(partial(_counted, text)))
    return Row(
        "passages of a page of 40,000 words, laid out and found",
        took,
        "ratio",
        _RATIO,
        baseline=counted,
        note="baseline: its words counted",
    )


def _rows(name: str, pairs: Sequence[Pair]) -> list[Row]:
    found = lit_right(pairs)
    lit = sum(map(len, found))
    right = sum(map(sum, found))
    first = sum(one[:1] == [True] for one in found)
    three = sum(any(one[:3]) for one in found)
    share = 100 * first / len(pairs)
    faults = (f"the right passage is first for {share:.0f} %",) if share < 100 * BAR else ()
    return [
        Row(
            f"the right passage comes first, {name}",
            [share],
            "none",
            unit="%",
            note=f"{first} of {len(pairs)}, {three} among the first three",
            faults=faults,
        ),
        Row(
            f"precision of all that is lit, {name}",
            [100 * right / lit],
            "none",
            unit="%",
            note=f"{right} of {lit}",
        ),
    ]


def run(options: Options) -> list[Row]:
    """The time, and how often what is lit is right."""
    tuned = [one for one in PAIRS if one not in HELD_BACK]
    return [
        _time(options),
        *_rows("tuned on", tuned),
        *_rows("held back", HELD_BACK),
        *_rows("in other words", [one for pairs in LATER.values() for one in pairs]),
    ]
