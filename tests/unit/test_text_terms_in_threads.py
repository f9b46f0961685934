"""Words are compared by their stems, whoever else is reading at that moment."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from medlens.web.stems_numbers_and_synonyms_of_text import stem_meaningful_word

WORDS = [
    "".join(parts)
    for parts in itertools.product(
        ("treat", "measur", "develop", "nation", "hospital"),
        ("", "al", "iz", "ment", "ess"),
        ("ing", "ations", "fulness", "edly", "ities", "ously", "ers"),
    )
]


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_words_have_the_same_stems_when_several_pages_ask_at_once(busy_threads: None) -> None:
    stem = stem_meaningful_word.__wrapped__  # what was found before would be given again
    alone = [stem(word) for word in WORDS]
    with ThreadPoolExecutor(8) as threads:
        together = [*threads.map(lambda _: [stem(word) for word in WORDS], range(24))]
    assert [stems == alone for stems in together] == [True] * 24
