"""A table's column as an array of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


def text_array_of_column(column: pd.Series[Any]) -> NDArray[np.str_]:
    """The column's values as texts (n,), "" for each that is missing.

    Not by pandas, to an array of ``str``: where one value of a column of texts is missing, pandas
    3.0 cuts all of them to their first letter.
    """
    values = column.astype(object)
    return values.where(values.notna(), "").to_numpy().astype(str)
