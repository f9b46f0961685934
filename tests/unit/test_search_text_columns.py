"""Texts of large columns that match a pattern."""

from __future__ import annotations

import random
import re

import pyarrow as pa
import pytest

from medlens.tables.search_text_columns import rows_that_match_in_each_column


@pytest.mark.parametrize("seed", range(5))
def test_the_same_rows_are_found_as_by_looking_at_each_text(seed: int) -> None:
    drawn = random.Random(seed)
    pattern, signs = r"\bab\b|b[^,]{0,2}c|é", "aab b,c\né"
    found = re.compile(pattern, re.ASCII).search  # as RE2 understands where a word ends
    columns: list[pa.Array | pa.ChunkedArray] = []
    expected = []
    for length in (0, 1, 63, 64, 65, 300):
        texts = [
            None if drawn.random() < 0.1 else "".join(drawn.choices(signs, k=drawn.randint(0, 4)))
            for _ in range(length)
        ]
        column = pa.chunked_array([texts[: length // 3], texts[length // 3 :]], pa.large_string())
        # A slice begins in the middle of what is searched together.
        columns += [column.slice(1), pa.array(texts, pa.string())]
        places = [at for at, text in enumerate(texts) if text and found(text)]
        expected += [[at - 1 for at in places if at], places]
    assert rows_that_match_in_each_column(columns, pattern) == expected
    assert any(expected[-1])


def test_capitals_count_as_small_letters_where_that_is_asked_for() -> None:
    texts = [pa.array(["GPT", "gpt", "none", None])]
    assert rows_that_match_in_each_column(texts, "gpt") == [[1]]
    assert rows_that_match_in_each_column(texts, "gpt", ignore_case=True) == [[0, 1]]
    assert rows_that_match_in_each_column([], "gpt") == []
