"""The charts about labels: how often, with which others, and where in the response."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import pandas as pd

from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow, figure_rows
from medlens.stats.intervals import wilson
from medlens.tagging import metrics
from medlens.ui.chart_figures import ACCENT, Axis, Cell, HeatRow, Row, heat_figure, rows_figure
from medlens.ui.charts import FEW, Chart, Kind, Series, plain, spoken
from medlens.ui.tagging.results_data import Source
from medlens.ui.tagging.results_marks import mark_id

RULE_TEXT: dict[metrics.Rule, str] = {
    "relaxed": "relaxed: any rater",
    "strict": "strict: two raters, or the only one",
}
_GREY = f"Grey: n below {FEW}."
_SIGNS: tuple[Kind, ...] = ("diamond", "square")


def estimates_table(rows: list[tuple[str, str, Estimate]]) -> pd.DataFrame:
    """Rows as ``export figures`` writes them, without the study's name."""
    return figure_rows(rows, study="tagging").drop(columns=["study", "p"])


def counted(source: Source) -> Iterator[FigureRow]:
    """How much there is, and how many responses have a label by each rule, as they are exported."""
    yield from metrics.counts(source.tags)
    for rule in metrics.RULES:
        yield f"items_with_label_{rule}", "", metrics.with_consensus(source.tags, rule)


def prevalence_chart(source: Source) -> Chart:
    """Share of the responses with each label: relaxed and strict, and published labels beside."""
    return source.keep("chart.prevalence", lambda: _prevalence(source), drawn=True)


def _prevalence(source: Source) -> Chart:
    tags = source.tags
    found = {rule: metrics.prevalence(tags, rule) for rule in metrics.RULES}
    series = [Series(RULE_TEXT["relaxed"], "bar"), Series(RULE_TEXT["strict"], "hatched")]
    published = _published(source)
    for at, name in enumerate(published):
        over = list(metrics.RULES).index(nearest(source)[name][0])
        series.append(Series(f"published: {name}", _SIGNS[at % len(_SIGNS)], over))
    rows, table, marks = [], [], []
    for label in tags.labels:
        lines = [
            (found[rule][label], mark_id("label", rule, label), f"prevalence_{rule}")
            for rule in metrics.RULES
        ]
        lines += [
            (shares[label], mark_id("published", name, label), f"published {name}")
            for name, shares in published.items()
        ]
        rows.append(
            Row(
                source.numbered(label),
                source.label(label).colour,
                tuple(one for one, _, _ in lines),
                tuple(mark for _, mark, _ in lines),
                aside=source.alpha(label),
            )
        )
        table += [(figure, label, one) for one, _, figure in lines]
        marks += [mark for _, mark, _ in lines]
    with_label = {rule: metrics.with_consensus(tags, rule) for rule in metrics.RULES}
    frame = estimates_table(table)
    alphas = {label: one.alpha.value for label, one in source.agreement.items()}
    frame.insert(2, "alpha", frame["group"].map(alphas).astype("float64"))
    counted = ", ".join(f"{one.numerator} {rule}" for rule, one in with_label.items())
    return Chart(
        name="prevalence",
        title="How often each label was given",
        n=f"Share of the responses with a label ({counted}), with 95% intervals. {_GREY}",
        note="Relaxed: any rater gave the label. Strict: at least two raters did, or the only one. "
        "At the right of each name, how far raters agree on it.",
        alt="Bars: share of responses with each label under the relaxed and the strict rule.",
        figure=rows_figure(
            rows,
            series,
            Axis("Share of the responses with a label", "percent", high=0.2),
            theme=source.theme,
        ),
        table=frame,
        series=tuple(series),
        marks=tuple(marks),
    )


def _published(source: Source) -> dict[str, dict[str, Estimate]]:
    """Shares of the published labels, by source and label."""
    found: dict[str, dict[str, Estimate]] = {}
    for name, answers in source.references.items():
        n = sum(bool(labels) for labels in answers.values())
        for label in source.tags.labels:
            share = wilson(sum(label in labels for labels in answers.values()), n, unit="items")
            method = f"{share.method}; of the items with a label in {name}"
            found.setdefault(name, {})[label] = replace(share, method=method)
    return found


def compared(source: Source) -> list[tuple[metrics.Rule, str, int, int]]:
    """Each rule with each published source: rule, source, items with the same labels, items."""
    return source.keep("compared", lambda: _compared(source))


def _compared(source: Source) -> list[tuple[metrics.Rule, str, int, int]]:
    rows = []
    for name, theirs in source.references.items():
        for rule in metrics.RULES:
            ours = source.ours(rule)
            every = set(ours) | {item for item, labels in theirs.items() if labels}
            none: frozenset[str] = frozenset()
            same = sum(ours.get(item, none) == theirs.get(item, none) for item in every)
            rows.append((rule, name, same, len(every)))
    return rows


def nearest(source: Source) -> dict[str, tuple[metrics.Rule, int, int]]:
    """By published source the rule that comes nearest: rule, items with the same labels, items."""
    best: dict[str, tuple[metrics.Rule, int, int]] = {}
    for rule, name, same, n in compared(source):
        if name not in best or same * best[name][2] > best[name][1] * n:
            best[name] = (rule, same, n)
    return best


def together_chart(source: Source, rule: str) -> Chart:
    """Which labels were given together: under a rule, or on the same words (``passage``)."""
    return source.keep(f"chart.together.{rule}", lambda: _together(source, rule), drawn=True)


def _together(source: Source, rule: str) -> Chart:
    tags = source.tags
    known = next((one for one in metrics.RULES if one == rule), None)
    if known:
        counts, shares = metrics.cooccurrence(tags, known), metrics.cooccurrence_shares(tags, known)
        unit, figure = "responses", f"cooccurrence_{known}"
    else:
        counts, shares = metrics.same_passage(tags), metrics.same_passage_shares(tags)
        unit, figure = "judgments", "cooccurrence_same_passage"
    table = counts.to_numpy()
    size = len(tags.labels)
    most = max([int(table[i, j]) for i in range(size) for j in range(size) if i != j], default=0)
    kind = ("both", known) if known else ("passage",)
    rows = [
        HeatRow(
            source.numbered(one),
            ACCENT[source.theme],
            tuple(
                _pair(source, shares, unit, int(table[i, j]), most, kind, one, other)
                for j, other in enumerate(tags.labels)
            ),
            aside=f"{table[i, i]} {unit}",
        )
        for i, one in enumerate(tags.labels)
    ]
    n = next(iter(shares.values())).denominator if shares else 0
    what = "Responses with both labels" if known else "Judgments with both labels on shared words"
    return Chart(
        name=f"together_{rule}",
        title="Labels given together",
        n=f"{what}; n = {n:,} {unit} with a label. Outlined: all {unit} with that label.",
        note="Columns are numbered as the rows are.",
        alt=f"Heat map: number of {unit} that carry each two labels.",
        figure=heat_figure(rows, [source.number(x) for x in tags.labels], theme=source.theme),
        table=estimates_table([(figure, " + ".join(pair), one) for pair, one in shares.items()]),
        marks=tuple(mark_id(*kind, *pair) for pair in shares),
    )


def _pair(
    source: Source,
    shares: Mapping[tuple[str, str], Estimate],
    unit: str,
    count: int,
    most: int,
    kind: tuple[str, ...],
    one: str,
    other: str,
) -> Cell:
    names = plain(source.label(one).name)
    mark = mark_id(*kind, one, other) if count else ""
    if one == other:
        return Cell(0.0, str(count), f"{names}<br>{count} {unit}", mark)
    share = shares.get((one, other)) or shares[(other, one)]
    hover = f"{names} +<br>{plain(source.label(other).name)}: {spoken(share, 'percent')}"
    return Cell(count / most if most else 0.0, str(count) if count else "·", hover, mark)


def places_chart(source: Source) -> Chart:
    """Where in the response the spans of each label lie, by tenths."""
    return source.keep("chart.places", lambda: _places(source), drawn=True)


def _places(source: Source) -> Chart:
    tags = source.tags
    found = metrics.positions(tags)
    most = max((one.value or 0 for shares in found.values() for one in shares), default=0) or 1
    rows, undefined, marks, table = [], [], [], []
    for label, shares in found.items():
        cells = []
        for tenth, one in enumerate(shares, start=1):
            mark = mark_id("tenth", label, str(tenth))
            table.append(("position", f"{label}, tenth {tenth:02d}", one))
            marks.append(mark)
            cells.append(_place(source.label(label).name, tenth, one, most, mark))
        first = shares[0]
        if first.defined:
            n, few = first.n, first.n < FEW
            rows.append(
                HeatRow(
                    source.numbered(label),
                    source.label(label).colour,
                    tuple(cells),
                    aside=f"{source.alpha(label)} · n = {n}",
                    faint=few,
                )
            )
        else:
            undefined.append(f"{source.label(label).name}: undefined, because {first.reason}.")
    located = metrics.located_spans(tags)
    return Chart(
        name="positions",
        title="Where in the response each label falls",
        n="Marks with their middle in each tenth of the response, from its beginning to its end. "
        f"{located.numerator} of {located.denominator} marks have a known place. {_GREY}",
        note="Each rater's mark counts once. The number in a cell is the number of marks.",
        alt="Heat map: number of marks of each label in each tenth of the response.",
        figure=heat_figure(rows, ["start", *map(str, range(2, 10)), "end"], theme=source.theme)
        if rows
        else None,
        table=estimates_table(table),
        marks=tuple(marks),
        undefined=tuple(undefined),
    )


def _place(name: str, tenth: int, one: Estimate, most: float, mark: str) -> Cell:
    hover = f"{plain(name)}<br>tenth {tenth}: {plain(spoken(one, 'percent'))}"
    if not one.numerator:
        return Cell(0.0, "·", hover, "")
    return Cell((one.value or 0.0) / most, f"{one.numerator:,}", hover, mark)
