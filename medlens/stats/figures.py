"""Figures as rows: written by every ``export figures STUDY``, and shown in every page's table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from medlens.stats.estimate import Estimate

FIGURE_COLUMNS = [
    *("study", "figure", "group", "numerator", "denominator"),
    *("value", "low", "high", "n", "p", "method"),
]

FigureRow = tuple[str, str, Estimate]
"""(figure, group, estimate)"""


def figure_rows(rows: Iterable[FigureRow], *, study: str) -> pd.DataFrame:
    """A table with ``FIGURE_COLUMNS``.

    Cells that do not apply are missing; an undefined figure has its reason as the method.
    """
    table = pd.DataFrame(
        [
            (
                *(study, figure, group, one.total, one.denominator),
                *(one.value, one.low, one.high, one.n, one.p, _method(one)),
            )
            for figure, group, one in rows
        ],
        columns=FIGURE_COLUMNS,
    )
    whole = dict.fromkeys(["denominator", "n"], "Int64")
    # Scores add up to fractions, counts do not.
    fractional = any(isinstance(one, float) and one % 1 for one in table["numerator"])
    whole["numerator"] = "Float64" if fractional else "Int64"
    return table.astype({**whole, **dict.fromkeys(["value", "low", "high", "p"], "float64")})


NARROWED = ("run", "experiment", "cases", "judge", "protocol")
"""Filters of figures; each row of their export gives their values."""

OF_ANSWERS = ("model", "prompt")
"""Filters of figures of models that were asked questions."""
OF_QUESTIONS = ("label", "words")
"""Filters of tables of questions."""


def told(table: pd.DataFrame, dataset: str, used: Mapping[str, str]) -> pd.DataFrame:
    """Figures with the dataset and the filters used in every row, "" for everything."""
    sides = [*NARROWED, *(name for name in used if name not in NARROWED)]
    return table.assign(dataset=dataset, **{name: used.get(name, "") for name in sides})


def _method(one: Estimate) -> str:
    if one.defined:
        return one.method
    return f"undefined, because {one.reason}" + (f" ({one.method})" if one.method else "")
