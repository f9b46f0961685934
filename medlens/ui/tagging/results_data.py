"""What the results view draws from: the dataset's judgments, kept by data version, for leads only.

``Source`` checks the role before anything that is shared between people is looked up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from medlens.review import consensus, items
from medlens.review.raters import Rater, require_lead
from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow
from medlens.store import Store
from medlens.tagging import exchange, medqa, metrics
from medlens.tagging.metrics import LabelAgreement, SpanAgreement, Tagged
from medlens.tagging.study import Study
from medlens.tagging.taxonomy import Label
from medlens.ui.charts import Theme, number
from medlens.ui.kept import Keeping, Key

# All that figures rest on. Looking at an item is noted in `reveal`, which no figure reads: with it
# here, opening one item would have every figure worked out anew.
_TABLES = ("item", "item_alias", "rater", "judgment", "gold", "adjudication", "reference")


@dataclass(frozen=True)
class Source(Keeping):
    """One dataset as one lead sees it.

    Raises:
        NotAllowed: when made for somebody who is not a lead.
    """

    store: Store
    study: Study
    viewer: Rater
    theme: Theme = "light"

    def __post_init__(self) -> None:
        """Refuse anyone who is not a lead."""
        require_lead(self.viewer)

    def kept_under(self) -> Key:
        """The dataset with its labels, in this version of the data."""
        return (
            "tagging",
            str(self.store.path),
            self.study.dataset,
            hash(self.study.taxonomy),
            self.store.version(*_TABLES),
        )

    @property
    def tags(self) -> Tagged:
        """The judgments made ready."""
        return self.keep(
            "tags", lambda: exchange.tagged(self.store, self.study, viewer=self.viewer)
        )

    @property
    def total(self) -> int:
        """Responses in the dataset, judged or not."""
        return self.keep("total", self._total)

    def _total(self) -> int:
        found = items.datasets(self.store, self.study.task.study)
        return next((int(r["n"]) for r in found if r["dataset"] == self.study.dataset), 0)

    @property
    def agreement(self) -> dict[str, LabelAgreement]:
        """Agreement by label."""
        return self.keep("agreement", lambda: metrics.label_agreement(self.tags))

    @property
    def set_agreement(self) -> dict[str, Estimate]:
        """Agreement on the set of labels."""
        return self.keep("sets", lambda: metrics.set_agreement(self.tags))

    @property
    def span_agreement(self) -> SpanAgreement:
        """Agreement on the marked words."""
        return self.keep("spans", lambda: metrics.span_agreement(self.tags))

    @property
    def references(self) -> dict[str, dict[str, frozenset[str]]]:
        """Published labels by source and item."""
        return self.keep("references", self._references)

    def _references(self) -> dict[str, dict[str, frozenset[str]]]:
        table = consensus.references(self.store, self.study.task, dataset=self.study.dataset)
        found: dict[str, dict[str, frozenset[str]]] = {}
        for source, item, body in zip(table["source"], table["item"], table["body"], strict=True):
            found.setdefault(source, {})[item] = frozenset(body["labels"])
        return found

    @property
    def medqa(self) -> list[FigureRow]:
        """How models answered the questions themselves; empty where none was asked."""
        key = (*self.kept_under(), self.store.version("run", "run_item"))
        return self.keep_under(
            key, "medqa", lambda: medqa.medqa_accuracy(self.store, dataset=self.study.dataset)
        )

    @property
    def gold(self) -> dict[str, Estimate]:
        """Hits on gold items by rater; empty where there are no gold items."""
        return self.keep(
            "gold", lambda: exchange.gold_hits(self.store, self.study, viewer=self.viewer)
        )

    @property
    def gold_key(self) -> dict[str, list[str]]:
        """The expected labels of gold items by item."""
        return self.keep("gold_key", self._gold_key)

    def _gold_key(self) -> dict[str, list[str]]:
        key = consensus.gold(
            self.store, self.study.task, dataset=self.study.dataset, viewer=self.viewer
        )
        return {
            item: list(expected["labels"])
            for item, expected in zip(key["item"], key["expected"], strict=True)
        }

    def ours(self, rule: metrics.Rule) -> dict[str, frozenset[str]]:
        """Labels by item under a rule, items in the order they came in."""
        return self.keep(f"ours.{rule}", lambda: self._ours(rule))

    def _ours(self, rule: metrics.Rule) -> dict[str, frozenset[str]]:
        table = metrics.consensus(self.tags, self.study.taxonomy, rule)
        names = np.array(table.columns, dtype=object)
        return {
            str(item): frozenset(names[row])
            for item, row in zip(table.index, table.to_numpy(dtype=bool), strict=True)
        }

    def label(self, label: str) -> Label:
        """A label of the taxonomy."""
        return self.study.taxonomy.label(label)

    def numbered(self, label: str) -> str:
        """A label's name with its number, as raters know it."""
        return f"{self.number(label)}  {self.label(label).name}"

    def number(self, label: str) -> str:
        """A label's key, or its place where it has none."""
        return str(self.label(label).key or self.tags.labels.index(label) + 1)

    def alpha(self, label: str) -> str:
        """A label's agreement, short: no label is shown without it."""
        alpha = self.agreement[label].alpha
        return f"alpha {number(alpha.value)}" if alpha.defined else "alpha undefined"
