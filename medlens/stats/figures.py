"""Figures as rows: what every ``export figures STUDY`` writes and every page's table shows."""

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

    Cells that do not apply are missing; the method of an undefined figure is its reason.
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
"""What figures can be narrowed by; each row of their export says what it was."""

OF_ANSWERS = ("model", "prompt")
"""The same of figures of models that were asked questions."""
OF_QUESTIONS = ("label", "words")
"""What tables of questions can be narrowed by."""


def told(table: pd.DataFrame, dataset: str, used: Mapping[str, str]) -> pd.DataFrame:
    """Figures with the dataset and what they were narrowed by in every row, "" for everything."""
    sides = [*NARROWED, *(name for name in used if name not in NARROWED)]
    return table.assign(dataset=dataset, **{name: used.get(name, "") for name in sides})


def _method(one: Estimate) -> str:
    if one.defined:
        return one.method
    return f"undefined, because {one.reason}" + (f" ({one.method})" if one.method else "")
