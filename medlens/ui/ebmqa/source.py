"""What the views draw from: one part of the answers, each count kept by data version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import pandas as pd

from medlens.ebmqa import metrics
from medlens.ebmqa.explore import exports
from medlens.ebmqa.explore.queries import Explorer
from medlens.ebmqa.explore.where import SEVERAL, Where, in_order
from medlens.ebmqa.metrics import Gap, Paired, Tally
from medlens.ebmqa.models import STUDY
from medlens.review.charts import Series
from medlens.ui.charts import Theme
from medlens.ui.kept import Keeping, Key

T = TypeVar("T")

# Safe for colour-blind eyes, and told apart by sign too.
_SIGNS = (
    ("#0b5c7a", "#4fa6c6", "circle", "●"),
    ("#c2540a", "#ee8a4a", "square", "■"),
    ("#1b7f5c", "#52b58f", "diamond", "◆"),
    ("#a6527f", "#d38bb2", "triangle-up", "▲"),
    ("#8a6d00", "#cfae3d", "triangle-down", "▼"),
    ("#3f6fbf", "#86b7e6", "cross", "✚"),
    ("#6b6b6b", "#a9b3ba", "x", "✖"),
    ("#7a4b2b", "#bf8d68", "star", "★"),
    ("#5a5aa8", "#9c9ce0", "pentagon", "⬟"),
    ("#b03a48", "#e37f8a", "hexagon", "⬢"),
)


@dataclass(frozen=True)
class Source(Keeping):
    """The answers that one viewer looks at. ``all_models`` are shown names, sorted."""

    explorer: Explorer
    where: Where
    all_models: tuple[str, ...]
    theme: Theme = "light"
    patient = False

    def kept_under(self) -> Key:
        """What is looked at, in this version of the data."""
        return (STUDY, str(self.explorer.store.path), repr(self.where), self.explorer.version())

    def keep_whole(self, name: str, make: Callable[[], T]) -> T:
        """As ``keep``, for what is of the question set, whatever is looked at of it."""
        store = str(self.explorer.store.path)
        key = (STUDY, store, self.where.dataset, self.explorer.version())
        return self.keep_under(key, name, make)

    def of_kind(self, kind: str) -> Source:
        """The same narrowed to one kind of question; empty is both."""
        where = self.where.narrowed("kind", (kind,) if kind else ())
        return Source(self.explorer, where, self.all_models, self.theme)

    @property
    def kind(self) -> str:
        """The kind it is narrowed to; empty for both."""
        return "".join(self.where.values("kind"))

    @property
    def models(self) -> tuple[str, ...]:
        """The models looked at."""
        return self.where.models or self.all_models

    def series(self) -> list[Series]:
        """Each model's name, colour and sign, which stay its own whatever is looked at."""
        found = []
        for at, name in enumerate(self.all_models):
            light, dark, symbol, sign = _SIGNS[at % len(_SIGNS)]
            if name in self.models:
                colour = dark if self.theme == "dark" else light
                found.append(Series(name, "point", colour=colour, symbol=symbol, sign=sign))
        return found

    def tally(self, *names: str) -> dict[tuple[str, ...], Tally]:
        """Tallies by the values of ``names``, in an order that people expect."""

        def make() -> dict[tuple[str, ...], Tally]:
            found = metrics.tallies(self.explorer.tally(self.where, names), names)
            for at in reversed(range(len(names))):
                order = {v: n for n, v in enumerate(in_order(names[at], {k[at] for k in found}))}
                keys = sorted(found, key=lambda key, at=at, order=order: order[key[at]])  # type: ignore[misc]
                found = {key: found[key] for key in keys}
            return found

        return self.keep(f"tally.{names}", make)

    def table(self, *names: str) -> pd.DataFrame:
        """The tally table by ``names``, for a pivot."""
        return self.keep(f"table.{names}", lambda: self.explorer.tally(self.where, names))

    def labels(self) -> list[str]:
        """Labels that questions have more than one value of."""
        return self.keep_whole("labels", lambda: exports.labels_to_compare(self.explorer))

    def by_labels(self) -> dict[str, dict[tuple[str, str], Tally]]:
        """For every label the tallies by (model, value), without questions that have none."""

        def make() -> dict[str, dict[tuple[str, str], Tally]]:
            names = self.labels()
            tables = self.explorer.by_labels(self.where, names) if names else {}
            return {
                label: {
                    (model, value): one
                    for (model, value), one in metrics.tallies(table, ("model", "value")).items()
                    if value
                }
                for label, table in tables.items()
            }

        return self.keep("by_labels", make)

    def gaps(self, measure: str) -> list[Gap]:
        """Best against worst sub-label of each label and model."""
        return self.keep(
            f"gaps.{measure}",
            lambda: metrics.gaps(self.by_labels(), measure, overlapping=SEVERAL),
        )

    def pairs(self) -> list[Paired]:
        """Every two models on the questions that both answered."""

        def make() -> list[Paired]:
            models = self.models
            return metrics.from_patterns(self.explorer.patterns(self.where, models), models)

        return self.keep("pairs", make)

    def pairs_by(self, first: str, second: str, label: str) -> list[Paired]:
        """Two models on the questions that both answered, for each value of a label."""

        def make() -> list[Paired]:
            rows = self.explorer.pairs(self.where, first, second, label)
            order = in_order(label, [row[0] for row in rows if row[0] or not label])
            known = {row[0]: row for row in rows}
            return metrics.paired([(value, first, second, *known[value][1:]) for value in order])

        return self.keep(f"pairs.{first}.{second}.{label}", make)

    def steps(self) -> dict[str, list[metrics.Step]]:
        """Each model's risk-coverage curve."""
        return self.keep(
            "steps",
            lambda: metrics.risk_coverage(exports.levels(self.explorer, self.where, self.models)),
        )
