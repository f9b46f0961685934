"""Columns of items whose groups would be single items make no groups."""

from __future__ import annotations

import numpy as np
import pytest

from medlens.review.rater_and_item_subgroups import _tells_items_apart
from medlens.stats.column_values_as_groups_or_bands import find_bands_of_column_values


@pytest.mark.parametrize(
    ("cells", "apart"),
    [
        ([f"a note on item {at}" for at in range(8)], True),
        ([str(at) for at in range(1, 9)], True),
        ([str(at) for at in range(101, 161)], True),
        (["ward A", "ward B"] * 4, False),
        ([str(20 + 7 * at) for at in range(40)], False),
        ([f"2026-0{1 + at % 9}-1{at % 7}" for at in range(60)], False),
        (["yes", "no"], False),
    ],
)
def test_free_text_and_running_numbers_make_no_groups(cells: list[str], apart: bool) -> None:
    cut = find_bands_of_column_values(cells)
    sizes = np.ones(1, dtype=np.int64) if cut is None else np.bincount(cut.of)
    assert _tells_items_apart(cells, sizes) is apart
