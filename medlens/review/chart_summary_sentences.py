"""What a chart shows, in one sentence made from its figures: for people who read no chart, and to
begin a section with.

Only values that are drawn are named, with their intervals, and whether these overlap; never more
than that. Nothing is the highest or lowest that lacks its interval, or is written like another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from medlens.review.chart_specifications import Axis, Chart, Heat, Row, Rows, Stacks
from medlens.stats.estimate import Estimate, format_number

_Given = tuple[Row, Estimate]


def describe_chart_extremes(chart: Chart) -> str:
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


_SAME_MEASURE = ("alpha_", "mean_", "retest_kappa_")
"""Figures with these beginnings are of one measure, each of another question: they can be compared
on one axis.
"""


def _measure_of(figure: str) -> str:
    # Parts of one whole, such as "sources: blocked" and "sources: ok", are shares of the same.
    whole = figure.partition(": ")[0]
    return next((one for one in _SAME_MEASURE if figure.startswith(one)), whole)


def _of_one_figure(given: list[_Given], figures: Mapping[_Ends, list[str]]) -> list[_Given]:
    """Those that are the same figure as the first: a sensitivity is no higher than an accuracy."""
    named = [
        [row.figure] if row.figure else figures.get((one.value, one.low, one.high), [])
        for row, one in given
    ]
    if not named[0]:
        return given
    same = _measure_of(named[0][0])
    return [
        each for each, names in zip(given, named, strict=True) if same in map(_measure_of, names)
    ]


def _of_rows(drawing: Rows, figures: Mapping[_Ends, list[str]], title: str) -> str:
    own = [at for at, one in enumerate(drawing.series) if one.over is None and not one.quoted]
    if not own:
        return ""
    first = own[0]
    drawn = [
        (row, row.estimates[first])
        for row in drawing.rows
        if row.estimates[first].has_value and not row.baseline
    ]
    if not drawn:
        return ""
    given = _of_one_figure(drawn, figures)
    if len(given) == 1:
        return _single(drawing, *given[0])
    # A word alone, such as "Share", does not say of what.
    what = drawing.axis.title if " " in drawing.axis.title else title
    what += f" ({drawing.series[first].name})" if len(own) > 1 else ""
    sure = [each for each in given if not _lacks_interval(each[1])]
    if not sure:
        return _said(what, _without_intervals(given, drawing.axis, every=len(given) == len(drawn)))
    thin = [row for row, one in given if _lacks_interval(one)]
    without = f" Without an interval: {_in_a_row(list(map(_called, thin)))}." if thin else ""
    if len(sure) == 1:
        return _single(drawing, *sure[0]) + without
    values = [format_number(one.value, drawing.axis.form) for _, one in sure]
    if len(set(values)) == 1:
        if len(sure) < len(drawn):
            return _said(what, f"{_listed(sure, drawing.axis)}.") + without
        many = "both" if len(sure) == 2 else f"all {len(sure):,}"
        return _said(what, f"{many} are {values[0]}.")
    low, high = (_extreme(sure, values, highest=highest) for highest in (False, True))
    return (
        _said(
            what,
            f"highest for {_listed(high, drawing.axis)}; lowest for {_listed(low, drawing.axis)}.",
        )
        + f" {_overlap(low, high)}".rstrip()
        + without
    )


def _said(what: str, sentence: str) -> str:
    """What the figures are, and what they say: a question that was asked is answered by a sentence
    of its own.
    """
    if what.endswith("?"):
        return f"{what} {sentence[:1].upper()}{sentence[1:]}"
    return f"{what}: {sentence}"


def _lacks_interval(one: Estimate) -> bool:
    """Whether a value should have an interval and has none, which its method then says."""
    return one.low is None and "no interval" in one.method


def _without_intervals(given: Sequence[_Given], axis: Axis, *, every: bool) -> str:
    """From where to where the values lie of which none has an interval."""
    ends = sorted(one.value or 0.0 for _, one in given)
    low, high = (format_number(ends[at], axis.form) for at in (0, -1))
    where = f"from {low} to {high}" if low != high else f"all {low}"
    of = f"the {len(given):,} values" if every else f"{len(given):,} of the values"
    return f"{of} are {where}; none has an interval."


_LISTED = 3
"""The most rows of the same value that are named."""


def _listed(given: Sequence[_Given], axis: Axis) -> str:
    """Rows of one value by their names, and the value: with its interval if there is one row."""
    if len(given) == 1:
        [(row, one)] = given
        return f"{_called(row)}, {_with_interval(one, axis)}"
    names = _in_a_row([_called(row) for row, _ in given])
    return f"{names}, {format_number(given[0][1].value, axis.form)} each"


def _in_a_row(names: list[str]) -> str:
    """Names in a sentence: "A", "A and B", "A, B and 3 others"."""
    if len(names) > _LISTED:
        names = [*names[: _LISTED - 1], f"{len(names) - _LISTED + 1:,} others"]
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def _called(row: Row) -> str:
    return " ".join(row.name.split())


def _single(drawing: Rows, row: Row, one: Estimate) -> str:
    sentence = f"{_called(row)}: {_with_interval(one, drawing.axis)}."
    quoted = [
        format_number(estimate.value, drawing.axis.form)
        for series, estimate in zip(drawing.series, row.estimates, strict=True)
        if series.quoted and estimate.has_value
    ]
    return f"{sentence} Published: {', '.join(quoted)}." if quoted else sentence


def _extreme(given: Sequence[_Given], written: Sequence[str], *, highest: bool) -> list[_Given]:
    """The rows with the highest or lowest value, and those that are ``written`` like it."""
    values = [one.value or 0.0 for _, one in given]
    end = written[values.index(max(values) if highest else min(values))]
    return [each for each, value in zip(given, written, strict=True) if value == end]


def _with_interval(one: Estimate, axis: Axis) -> str:
    value = format_number(one.value, axis.form)
    if one.low is None or one.high is None:
        return f"{value} (no interval, n = {one.n:,})" if _lacks_interval(one) else value
    name = "quartiles" if "quartiles" in one.method else "95% interval"
    ends = " to ".join(format_number(end, axis.form) for end in (one.low, one.high))
    return f"{value} ({name} {ends})"


def _overlap(lowest: Sequence[_Given], highest: Sequence[_Given]) -> str:
    """Whether the intervals at both ends overlap; "" if some do and others do not."""
    found = set()
    for (_, low), (_, high) in product(lowest, highest):
        if low.high is None or high.low is None or "quartiles" in low.method + high.method:
            return ""
        found.add(low.high >= high.low)
    if len(found) > 1:
        return ""
    return "Their intervals overlap." if found == {True} else "Their intervals do not overlap."


def _of_heat(drawing: Heat) -> str:
    cells = [cell for row in drawing.rows for cell in row.cells if cell.text and cell.depth > 0]
    if not cells:
        return ""
    deepest = max(cells, key=lambda cell: cell.depth)
    alike = sum(cell.text == deepest.text for cell in cells)
    if alike > 1:
        return f"Highest: {deepest.text}, in {alike:,} of {len(cells):,} cells."
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
    most = format_number(max(value for value, *_ in parts), "percent")
    largest = [
        part + (f" of {name}" if len(drawing.rows) > 1 and name else "")
        for value, name, part, _ in parts
        if format_number(value, "percent") == most
    ]
    if len(largest) > 1:
        return f"Largest parts: {_in_a_row(largest)}, {most} each."
    _, name, part, _ = max(parts, key=lambda each: each[0])
    of = f" of {name}" if len(drawing.rows) > 1 and name else ""
    return f"Largest part: {part}, {most}{of}."
