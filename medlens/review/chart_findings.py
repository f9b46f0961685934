"""What a chart shows, in one sentence made from its figures: for people who read no chart, and to
begin a section with.

Only values that are drawn are named, with their intervals, and whether these overlap; never more
than that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from medlens.review.chart_rows import Axis, Chart, Heat, Row, Rows, Stacks
from medlens.stats.estimate import Estimate, format_number

_Given = tuple[Row, Estimate]


def finding_in_words(chart: Chart) -> str:
    """One or two sentences on the highest and the lowest value of a chart; "" if nothing is drawn
    that has them.
    """
    drawing = chart.drawing
    if isinstance(drawing, Rows):
        return _of_rows(drawing, _figures_by_value(chart), chart.title)
    if isinstance(drawing, Heat):
        return _of_heat(drawing)
    if isinstance(drawing, Stacks):
        return _of_stacks(drawing)
    return ""


_Ends = tuple[float | None, float | None, float | None]


def _figures_by_value(chart: Chart) -> dict[_Ends, list[str]]:
    """The names of the figures in a chart's table that have this value and these ends; empty if
    the table does not say.
    """
    if not {"figure", "value", "low", "high"} <= set(chart.table):
        return {}
    found: dict[_Ends, list[str]] = {}
    # Missing ends are NaN, which equals nothing.
    table = chart.table[["figure", "value", "low", "high"]].astype(object)
    table = table.where(table.notna(), None)
    for figure, *ends in table.itertuples(index=False):
        found.setdefault((ends[0], ends[1], ends[2]), []).append(str(figure))
    return found


def _of_one_figure(given: list[_Given], figures: Mapping[_Ends, list[str]]) -> list[_Given]:
    """Those that are the same figure as the first: a sensitivity is no higher than an accuracy."""
    named = [figures.get((one.value, one.low, one.high), []) for _, one in given]
    if not named[0]:
        return given
    same = named[0][0]
    return [each for each, names in zip(given, named, strict=True) if same in names]


def _of_rows(drawing: Rows, figures: Mapping[_Ends, list[str]], title: str) -> str:
    own = [at for at, one in enumerate(drawing.series) if one.over is None and not one.quoted]
    if not own:
        return ""
    first = own[0]
    given = [
        (row, row.estimates[first])
        for row in drawing.rows
        if row.estimates[first].defined and not row.baseline
    ]
    if not given:
        return ""
    given = _of_one_figure(given, figures)
    if len(given) == 1:
        return _single(drawing, *given[0])
    # A word alone, such as "Share", does not say of what.
    what = drawing.axis.title if " " in drawing.axis.title else title
    what += f" ({drawing.series[first].name})" if len(own) > 1 else ""
    # A question that was asked is answered by a sentence.
    asks = what.endswith("?")
    what += "" if asks else ":"
    low, high = (_extreme(given, highest=highest) for highest in (False, True))
    one_low, one_high = low[0][1], high[0][1]
    shown = [format_number(one.value, drawing.axis.form) for one in (one_low, one_high)]
    if shown[0] == shown[1]:
        value = format_number(one_high.value, drawing.axis.form)
        many = "both" if len(given) == 2 else f"all {len(given):,}"
        return f"{what} {many.capitalize() if asks else many} are {value}."
    return (
        f"{what} {'Highest' if asks else 'highest'} for {_listed(high, drawing.axis)}; lowest for"
        f" {_listed(low, drawing.axis)}. {_overlap(one_low, one_high)}"
    ).rstrip()


_LISTED = 3
"""The most rows of the same value that are named."""


def _listed(given: Sequence[_Given], axis: Axis) -> str:
    """Rows of one value by their names, and the value: with its interval if there is one row."""
    if len(given) == 1:
        [(row, one)] = given
        return f"{_called(row)}, {_with_interval(one, axis)}"
    names = [_called(row) for row, _ in given]
    if len(names) > _LISTED:
        names = [*names[: _LISTED - 1], f"{len(names) - _LISTED + 1:,} others"]
    value = format_number(given[0][1].value, axis.form)
    return f"{', '.join(names[:-1])} and {names[-1]}, {value} each"


def _called(row: Row) -> str:
    return " ".join(row.name.split())


def _single(drawing: Rows, row: Row, one: Estimate) -> str:
    sentence = f"{_called(row)}: {_with_interval(one, drawing.axis)}."
    quoted = [
        format_number(estimate.value, drawing.axis.form)
        for series, estimate in zip(drawing.series, row.estimates, strict=True)
        if series.quoted and estimate.defined
    ]
    return f"{sentence} Published: {', '.join(quoted)}." if quoted else sentence


def _extreme(given: list[_Given], *, highest: bool) -> list[_Given]:
    """The rows with the highest or lowest value."""
    values = [one.value or 0.0 for _, one in given]
    end = max(values) if highest else min(values)
    return [each for each, value in zip(given, values, strict=True) if value == end]


def _with_interval(one: Estimate, axis: Axis) -> str:
    value = format_number(one.value, axis.form)
    if one.low is None or one.high is None:
        return value
    name = "quartiles" if "quartiles" in one.method else "95% interval"
    ends = " to ".join(format_number(end, axis.form) for end in (one.low, one.high))
    return f"{value} ({name} {ends})"


def _overlap(low: Estimate, high: Estimate) -> str:
    if low.high is None or high.low is None or "quartiles" in low.method + high.method:
        return ""
    return "Their intervals overlap." if low.high >= high.low else "Their intervals do not overlap."


def _of_heat(drawing: Heat) -> str:
    cells = [cell for row in drawing.rows for cell in row.cells if cell.text and cell.depth > 0]
    if not cells:
        return ""
    deepest = max(cells, key=lambda cell: cell.depth)
    return f"Highest: {' '.join(deepest.hover.split())}."


def _of_stacks(drawing: Stacks) -> str:
    parts = [
        (one.value, stack.name, part, one)
        for stack in drawing.rows
        for part, one in stack.shares.items()
        if one.value is not None
    ]
    if not parts:
        return ""
    value, name, part, _ = max(parts, key=lambda each: each[0])
    of = f" of {name}" if len(drawing.rows) > 1 and name else ""
    return f"Largest part: {part}, {format_number(value, 'percent')}{of}."
