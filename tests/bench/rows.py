"""What a benchmark found: rows with a bar, and the table of them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

Judge = Literal["median", "p95", "ratio", "none"]


@dataclass(frozen=True)
class Options:
    """How to run: ``quick`` for smaller sizes; ``folder`` is the benchmark's own, removed later."""

    folder: Path
    quick: bool = False
    seed: int = 1

    def pick(self, full: int, quick: int) -> int:
        """The size to use."""
        return quick if self.quick else full


@dataclass(frozen=True)
class Row:
    """One line of the table.

    ``judge`` says what is held against ``bar``: the median, the 95th percentile, the median over
    the baseline's, or nothing (a figure for orientation). Whatever was measured, a row with
    ``faults`` (an error, a lost save) or without a measurement does not meet its bar.
    """

    work: str
    values: Sequence[float]
    judge: Judge
    bar: float = math.nan
    unit: str = "ms"
    baseline: Sequence[float] = ()
    note: str = ""
    faults: tuple[str, ...] = field(default=())

    @property
    def median(self) -> float:
        return statistics.median(self.values) if self.values else math.nan

    @property
    def p95(self) -> float:
        """The smallest value that 95 of 100 do not exceed (nearest rank)."""
        ranked = sorted(self.values)
        return ranked[math.ceil(0.95 * len(ranked)) - 1] if ranked else math.nan

    @property
    def base(self) -> float:
        return statistics.median(self.baseline) if self.baseline else math.nan

    @property
    def ratio(self) -> float:
        return self.median / self.base if self.base else math.nan

    @property
    def ok(self) -> bool:
        if self.faults or not self.values:
            return False
        if self.judge == "none":
            return True
        # A figure that is not a number is none that meets a bar.
        return {"median": self.median, "p95": self.p95, "ratio": self.ratio}[self.judge] <= self.bar

    def as_json(self) -> dict[str, Any]:
        """The row as JSON: its figures besides the values; no NaN."""
        figures = {
            "median": self.median,
            "p95": self.p95,
            "base": self.base,
            "ratio": self.ratio,
            "bar": self.bar,
        }
        return asdict(self) | {
            **{name: value if math.isfinite(value) else None for name, value in figures.items()},
            "values": [value for value in self.values if math.isfinite(value)],
            "baseline": [value for value in self.baseline if math.isfinite(value)],
            "n": len(self.values),
            "ok": self.ok,
        }


_HEAD = ("work", "median", "p95", "n", "baseline", "ratio", "bar", "")


def table(rows: Sequence[Row]) -> str:
    """The rows as text, the faults and remarks of each below it."""
    cells = [_HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[at]) for line in cells) for at in range(len(_HEAD))]
    lines = []
    for at, line in enumerate(cells):
        first, *rest = (
            text.ljust(width) if place == 0 else text.rjust(width)
            for place, (text, width) in enumerate(zip(line, widths, strict=True))
        )
        lines.append("  ".join([first, *rest]).rstrip())
        if at:
            row = rows[at - 1]
            lines += [f"    {fault}" for fault in row.faults[:5]]
            if len(row.faults) > 5:
                lines.append(f"    and {len(row.faults) - 5} more faults")
            lines += [f"    ({row.note})"] if row.note else []
    return "\n".join(lines)


def _cells(row: Row) -> tuple[str, ...]:
    bar = {
        "median": f"≤ {row.bar:g} {row.unit}",
        "p95": f"p95 ≤ {row.bar:g} {row.unit}",
        "ratio": f"≤ {row.bar:g} ×",
        "none": "",
    }[row.judge]
    said = "" if row.judge == "none" and row.ok else "ok" if row.ok else "OVER"
    if row.faults:
        said = "FAULT"
    elif not row.values:
        said = "NOT MEASURED"
    return (
        row.work,
        _number(row.median, row.unit),
        _number(row.p95, row.unit),
        str(len(row.values)),
        _number(row.base, row.unit),
        "" if math.isnan(row.ratio) else f"{row.ratio:.2f}",
        bar,
        said,
    )


def _number(value: float, unit: str) -> str:
    return "" if math.isnan(value) else f"{value:,.{1 if value < 100 else 0}f} {unit}"
