"""What tables hold that they must not, against what other code makes of the same data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tests.recomputed.resampled import Bounds
from tests.recomputed.second_opinion import Expected

NUMBERS = ("value", "n", "numerator", "denominator", "low", "high", "p")


def differences_of_rows(
    table: pd.DataFrame, keys: Sequence[str], expected: Mapping[tuple[str, ...], Expected]
) -> list[str]:
    """Each difference in words: rows by the columns ``keys`` that are missing or must not be there,
    and numbers that are others. Bounds of resampling may differ by chance."""
    rows = {tuple(row[key] for key in keys): row for row in table.to_dict("records")}
    found = [f"{key}: twice" for key in [*keys] if len(rows) != len(table)]
    found += [f"{key}: not exported" for key in expected if key not in rows]
    found += [f"{key}: not recomputed" for key in rows if key not in expected]
    for key in rows.keys() & expected.keys():
        wanted = expected[key]
        for name in NUMBERS:
            problem = _problem(name, rows[key][name], getattr(wanted, name), wanted.value)
            found += [f"{key}: {problem}"] if problem else []
    return sorted(found)


def _problem(name: str, given: Any, wanted: Any, value: Any) -> str:
    if wanted is ... or (wanted is None and name in ("n", "numerator", "denominator")):
        return ""
    missing = pd.isna(given)
    if wanted is None:
        return "" if missing or name == "p" else f"{name} is {given}, not missing"
    if missing:
        return f"{name} is missing, recomputed {wanted}"
    if isinstance(wanted, Bounds):
        there = wanted.low if name == "low" else wanted.high
        near = wanted.allows(name, given)
        return "" if near else f"{name} is {given}, recomputed {there} of {value}"
    near = math.isclose(given, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return "" if near else f"{name} is {given}, recomputed {wanted}"
