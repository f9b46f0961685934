"""A table as rows of Python values: for a command that writes a few rows and need not load pandas,
which takes longer than all the rest of its work.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import pd


@dataclass(frozen=True)
class PlainTable:
    """Rows with a cell for each of ``columns``; None is a missing value. The numbers of columns in
    ``whole`` stay whole where one is missing.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    whole: Collection[str] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def from_dicts(
        cls, rows: Sequence[Mapping[str, Any]], *, whole: Collection[str] = ()
    ) -> PlainTable:
        """The columns in the order in which they first come; what a row lacks is missing."""
        columns = list(dict.fromkeys(name for row in rows for name in row))
        return cls(columns, [[row.get(name) for name in columns] for row in rows], whole)

    def select_columns(self, columns: Sequence[str]) -> PlainTable:
        """The same rows with these of its columns, in this order."""
        places = [self.columns.index(name) for name in columns]
        return PlainTable(columns, [[row[at] for at in places] for row in self.rows], self.whole)

    def cells_by_column(self) -> dict[str, list[Any]]:
        """The cells by column, with the numbers as a frame holds them: where one of a column has a
        fraction or is missing, all are fractions.
        """
        cells = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.columns)
        return {
            name: list(values) if name in self.whole else _as_in_a_frame(list(values))
            for name, values in zip(self.columns, cells, strict=True)
        }

    def as_dataframe(self) -> pd.DataFrame:
        """The same as a DataFrame."""
        made = pd.DataFrame(list(self.rows), columns=list(self.columns))
        whole = [name for name in self.whole if name in made]
        return made.astype(dict.fromkeys(whole, "Int64"))


_WIDEST = 2**63
"""Beyond that a frame keeps the numbers of a column as they are."""


def _as_in_a_frame(values: list[Any]) -> list[Any]:
    kinds = set(map(type, values))
    if int not in kinds or kinds == {int} or not kinds <= {int, float, type(None)}:
        return values
    if any(type(value) is int and not -_WIDEST <= value < _WIDEST for value in values):
        return values
    return [float(value) if type(value) is int else value for value in values]
