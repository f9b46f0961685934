"""Texts of a column stay whole, whatever is missing in it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from medlens.stats.column_as_text_array import text_array_of_column


@pytest.mark.parametrize("dtype", ["str", "object", "category"])
def test_texts_stay_whole_where_one_is_missing(dtype: str) -> None:
    column = pd.Series(["yes", "cannot tell", None, "no"], index=[4, 3, 2, 1], dtype=dtype)
    assert text_array_of_column(column).tolist() == ["yes", "cannot tell", "", "no"]
    assert text_array_of_column(column[:0]).tolist() == []


def test_numbers_and_ticks_are_written_as_python_writes_them() -> None:
    assert text_array_of_column(pd.Series([1, 20])).tolist() == ["1", "20"]
    assert text_array_of_column(pd.Series([4.0, np.nan])).tolist() == ["4.0", ""]
    assert text_array_of_column(pd.Series([True, False])).tolist() == ["True", "False"]
