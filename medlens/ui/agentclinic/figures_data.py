"""What the figures draw from: the dataset's dialogues and judgments, kept by data version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from medlens.agentclinic import exports, metrics
from medlens.agentclinic.metrics import Doctors, Moderator, Paired
from medlens.agentclinic.scope import EVERYTHING, Scope
from medlens.agentclinic.study import Study
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.ui.address import parts_of
from medlens.ui.charts import Theme
from medlens.ui.kept import Keeping, Key

_TABLES = (
    "item",
    "item_alias",
    "rater",
    "judgment",
    "gold",
    "adjudication",
    "reference",
    "run_item",
    "verdict",
    "run",
)


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
    scope: Scope = EVERYTHING

    def __post_init__(self) -> None:
        """Refuse anyone who is not a lead."""
        require_lead(self.viewer)

    def kept_under(self) -> Key:
        """The dataset's figures in this version of its data."""
        return (
            "clinic",
            str(self.store.path),
            self.study.dataset,
            str(self.scope),
            self.store.version(*_TABLES),
        )

    @property
    def table(self) -> pd.DataFrame:
        """The visits made ready (``metrics.played``), those without an end included."""
        return self.keep("played", lambda: exports.for_figures(self.store, self.study, self.scope))

    @property
    def copies(self) -> int:
        """Visits of the scope that were played again and are left out."""
        return self.keep(
            "copies",
            lambda: exports.in_scope(self.store, self.study, self.scope) - len(self.table),
        )

    @property
    def judged(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The blind judgments of the scope: realism, diagnosis match."""
        return self.keep(
            "judged",
            lambda: exports.judged(self.store, self.study, viewer=self.viewer, scope=self.scope),
        )

    @property
    def paired(self) -> list[Paired]:
        """Every bias against none on the same cases."""
        return self.keep("paired", lambda: metrics.paired(self.table))

    @property
    def doctors(self) -> list[Doctors]:
        """Every pair of doctors on the same cases."""
        return self.keep("doctors", lambda: metrics.doctors(self.table))

    @property
    def moderator(self) -> Moderator:
        """The moderator against clinicians."""
        return self.keep("moderator", lambda: metrics.moderator(self.table, self.judged[1]))


# -- what is behind a mark -------------------------------------------------------------------------


@dataclass(frozen=True)
class Behind:
    """The dialogues behind a mark; ``pairs`` (without a bias, with it) where it compares two."""

    title: str
    names: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...] = ()
    heads: tuple[str, str] = ("without", "with")


HEADS = {
    "both": "right both times",
    "unbiased_only": "without only",
    "biased_only": "with only",
    "neither": "wrong both times",
}
"""The same in few words, for the heads of a table."""

CELLS = {
    "both": "correct with and without the bias",
    "unbiased_only": "correct without the bias only",
    "biased_only": "correct with the bias only",
    "neither": "wrong both times",
}


def behind(source: Source, mark: str) -> Behind | None:
    """What a mark's name leads to; None for a name that leads nowhere (any more)."""
    kind, *rest = parts_of(mark)
    reader = _READERS.get(kind)
    try:
        return reader(source, *rest) if reader else None
    except (KeyError, TypeError, AttributeError, ValueError):
        # The address is the person's: a name that is not there, or too many parts.
        return None


def _of(title: str, group: pd.DataFrame, outcome: str = "") -> Behind:
    if outcome:
        group = group[group["outcome"] == outcome]
        title += f", {outcome.replace('_', ' ')}"
    return Behind(title, tuple(group["dialogue"]))


def _slice(source: Source, dimension: str, value: str, outcome: str = "") -> Behind:
    name = f"{dimension.replace('_', ' ')} {value}"
    return _of(name, metrics.slices(source.table, dimension)[value], outcome)


def _bias(source: Source, doctor: str, bias: str, outcome: str = "") -> Behind:
    return _of(f"{doctor}, {bias}", metrics.by_bias(source.table)[doctor, bias], outcome)


def _group(source: Source, doctor: str, group: str) -> Behind:
    return _of(f"{doctor}, {group}", metrics.by_bias_group(source.table)[doctor, group])


def _lint(source: Source, doctor: str, leaks: str) -> Behind:
    table = metrics.slices(source.table, "doctor")[doctor]
    said = "tests state the diagnosis" if leaks == "yes" else "tests do not state the diagnosis"
    return _of(f"{doctor}, {said}", table[table["leaks"] == (leaks == "yes")])


def _pair(source: Source, doctor: str, bias: str, cell: str = "") -> Behind | None:
    one = next((p for p in source.paired if (p.doctor, p.bias) == (doctor, bias)), None)
    if one is None or (cell and cell not in CELLS):
        return None
    cells = [cell] if cell else list(CELLS)
    pairs = tuple(pair for name in cells for pair in getattr(one, name))
    return Behind(f"{doctor}, {bias}: {CELLS.get(cell, 'all pairs')}", (), pairs)


def _doctors(source: Source, first: str, second: str, better: str) -> Behind | None:
    one = next((d for d in source.doctors if (d.first, d.second) == (first, second)), None)
    if one is None or better not in (first, second):
        return None
    pairs = one.first_better if better == first else one.second_better
    return Behind(
        f"{first} and {second}: cases on which {better} did better", (), pairs, (first, second)
    )


def _moderator(source: Source, cell: str) -> Behind:
    said = {
        "confirmed": "both say the same disease",
        "overcalled": "the moderator alone says so",
        "missed": "clinicians alone say so",
        "rejected": "neither says so",
    }
    return Behind(said[cell], tuple(getattr(source.moderator, cell)))


def _scored(source: Source, scale: str, score: str = "") -> Behind:
    table = metrics.scores(source.judged[0])
    kept = table[table[scale] == int(score)] if score else table[table[scale].notna()]
    title = f"{scale} rated {score}" if score else f"{scale} rated"
    return Behind(title, tuple(dict.fromkeys(kept["item"])))


def _marked(source: Source, mark: str) -> Behind:
    realism = source.judged[0]
    has = [any(one.mark == mark for one in value.marks) for value in realism["value"]]
    return Behind(mark.replace("_", " "), tuple(dict.fromkeys(realism["item"][has])))


def _refused(source: Source, bias: str, doctor: str = "") -> Behind:
    table = source.table[source.table["bias"] == bias]
    if doctor:
        table = table[table["doctor"] == doctor]
    named = f"{doctor}, {bias}" if doctor else bias
    return _of(f"{named} refused", table[table["refused"].astype(bool)])


def _asked(source: Source, doctor: str) -> Behind:
    table = metrics.unbiased(source.table)
    table = table[(table["image_mode"] == "request") & (table["images"] > 0)]
    named = f"{doctor}, an image asked for"
    return _of(named, table if doctor == "all" else table[table["doctor"] == doctor])


def _options(source: Source, doctor: str = "", mode: str = "") -> Behind:
    table = source.table
    table = table[(table["outcome"] == "incorrect") & (table["in_options"] == True)]  # noqa: E712
    if doctor:
        table = metrics.unbiased(table)
        table = table[(table["doctor"] == doctor) & (table["image_mode"] == mode)]
    return _of("wrong, and among the offered answers", table)


def _by(source: Source, column: str, value: str) -> Behind:
    table = source.table
    return _of(value, table[table[column].astype(str) == value])


_READERS: dict[str, Callable[..., Behind | None]] = {
    "slice": _slice,
    "bias": _bias,
    "group": _group,
    "lint": _lint,
    "pair": _pair,
    "doctors": _doctors,
    "moderator": _moderator,
    "scored": _scored,
    "marked": _marked,
    "refused": _refused,
    "asked": _asked,
    "options": _options,
    "by": _by,
}
