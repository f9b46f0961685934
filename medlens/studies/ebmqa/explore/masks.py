"""Sets of models as sums of 2 ** position, for any number of models, in 64-bit numbers."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

_PIECE = 62
"""So many models have a bit in one number."""


def mask_columns(name: str, models: Sequence[str], when: str = "true") -> str:
    """The columns name0, name1, … of a statement: the models with a row for which ``when``
    holds.

    The statement has each row's model as ``p.place``, and groups by what the sets belong to.
    """
    return ", ".join(
        f"bit_or(case when {when} and p.place // {_PIECE} = {at}"
        f" then 1::bigint << (p.place % {_PIECE}) else 0 end) as {name}{at}"
        for at in range(_pieces(models))
    )


def whole_masks(table: pd.DataFrame, models: Sequence[str], *names: str) -> pd.DataFrame:
    """The statement's table with each mask in one column, as Python ints if large."""
    if _pieces(models) == 1:
        return table.rename(columns={f"{name}0": name for name in names})
    for name in names:
        columns = [f"{name}{at}" for at in range(_pieces(models))]
        rows = zip(*(table[column].tolist() for column in columns), strict=True)
        masks = [sum(int(piece) << at * _PIECE for at, piece in enumerate(row)) for row in rows]
        table[name] = pd.Series(masks, index=table.index, dtype=object)
        table = table.drop(columns=columns)
    return table


def _pieces(models: Sequence[str]) -> int:
    return max(len(models) - 1, 0) // _PIECE + 1
