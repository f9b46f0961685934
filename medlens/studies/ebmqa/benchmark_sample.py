"""Draws a benchmark from a question set: strata by label, each question in at most one stratum.

Source: Avnat et al. 2024, Methods ("Benchmark"). The scarcest stratum is drawn first, so that
plentiful ones do not use up rare questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.config.toml_file import TomlFile
from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review import further_columns_of_imported_items, items
from medlens.review.items import Added
from medlens.store import Store
from medlens.studies.ebmqa import question_set_inserts_and_queries
from medlens.studies.ebmqa.records import LABELS, ORDERED, STUDY

if TYPE_CHECKING:
    import numpy.typing as npt


PAPER = SHIPPED / "data/designs/ebmqa_benchmark.toml"
"""The paper's design."""

_TOLD = 12
_LABELS = tuple(label for label in LABELS if label not in ("kind", "disciplines", "stratum"))


@dataclass(frozen=True)
class Stratum:
    """``each`` questions of every value of a label, or of its ``largest`` n values.

    A value may have alternative names, separated by ``|``.
    """

    label: str
    each: int
    values: tuple[str, ...] = ()
    largest: int = 0


@dataclass(frozen=True)
class Design:
    """How to draw a benchmark. ``semantic``: how many semantic questions, None for all."""

    strata: tuple[Stratum, ...]
    seed: int
    semantic: int | None = None


def load_benchmark_design(path: Path) -> Design:
    """Read a design; see ``data/designs/ebmqa_benchmark.toml``.

    Raises:
        BadFile: lists every fault with line and field.
    """
    file = TomlFile(path, "design")
    file.record_unknown_fields(file.top, ("seed", "semantic", "stratum"))
    semantic: int | None = None
    if file.top.values.get("semantic", "all") != "all":
        semantic = _whole(file, file.top, "semantic", least=0)
    strata = []
    for table in file.list_tables_named("stratum", required=True):
        file.record_unknown_fields(table, ("label", "values", "largest", "each"))
        label = file.read_choice_field(table, "label", _LABELS)
        values = file.read_text_list_field(table, "values")
        if bool(values) == ("largest" in table.values):
            file.record_field_mistake(table, "values", "values, or how many of the largest")
        for value in values:
            if value not in ORDERED.get(label, (value,)):
                file.record_field_mistake(table, "values", f"some of {', '.join(ORDERED[label])}")
        largest = _whole(file, table, "largest", least=1) if "largest" in table.values else 0
        strata.append(Stratum(label, _whole(file, table, "each", least=1), values, largest))
    seed = _whole(file, file.top, "seed", least=0)
    file.raise_if_mistakes_were_recorded()
    return Design(tuple(strata), seed, semantic)


def _whole(file: TomlFile, table: Any, field: str, *, least: int) -> int:
    value = table.values.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        file.record_field_mistake(table, field, f"a whole number from {least}")
        return least
    return value


@dataclass(frozen=True)
class StratumValue:
    """One value of a stratum."""

    label: str
    value: str
    each: int

    @property
    def stratum_name(self) -> str:
        """The stratum name stored with the drawn questions."""
        return f"{self.label}: {self.value.partition('|')[0]}"

    def mask_of_questions_with_value(self, labels: pd.Series[str]) -> npt.NDArray[np.bool_]:
        """Which questions have the value, under any of its names."""
        wanted = {_plain(name) for name in self.value.split("|")}
        meant = [value for value in labels.dropna().unique() if _plain(value) in wanted]
        return labels.isin(meant).to_numpy()


_GENERAL = frozenset({"system", "disease", "diseases", "disorder", "disorders"})


def _plain(value: str) -> str:
    """A value without the words that graphs use inconsistently."""
    said = value.casefold().split()
    return " ".join(word for word in said if word not in _GENERAL) or " ".join(said)


def sample_strata_by_question_name(questions: pd.DataFrame, design: Design) -> dict[str, str]:
    """Question name -> the stratum it was drawn for.

    ``questions`` has ``name``, ``kind`` and the label columns, in any order.

    Raises:
        InvalidInput: a stratum, named in the message, has too few questions.
    """
    table = questions.sort_values("name", ignore_index=True)
    numeric = table[table["kind"] == "numeric"].reset_index(drop=True)
    cells = _cells(numeric, design.strata)
    fits = [cell.mask_of_questions_with_value(numeric[cell.label]) for cell in cells]
    free = np.ones(len(numeric), bool)
    rng = np.random.default_rng(design.seed)
    drawn: dict[str, str] = {}
    names = numeric["name"].to_numpy()
    waiting = list(range(len(cells)))
    while waiting:
        left = {at: int((fits[at] & free).sum()) for at in waiting}
        at = min(waiting, key=lambda at: (left[at] / cells[at].each, at))
        cell = cells[at]
        if left[at] < cell.each:
            of = int(fits[at].sum())
            used = f", {of - left[at]:,} of them drawn for other strata" if of > left[at] else ""
            counts = [(cells[one], int(fits[one].sum())) for one in waiting if one != at]
            also = [f"{other.stratum_name!r} ({n:,})" for other, n in counts if n < other.each]
            as_well = f" Short as well: {', '.join(also)}." if also else ""
            raise InvalidInput(
                f"The stratum {cell.stratum_name!r} is short: {cell.each:,} questions are"
                f" to be drawn, there are {of:,}{used}.{as_well}",
                hint=_there(numeric[cell.label])
                if not of
                else "Ask for fewer in the design, or take a larger set of questions.",
            )
        taken = rng.choice(np.flatnonzero(fits[at] & free), size=cell.each, replace=False)
        free[taken] = False
        drawn.update(dict.fromkeys(names[taken], cell.stratum_name))
        waiting.remove(at)
    others = table.loc[table["kind"] == "semantic", "name"].to_numpy()
    if design.semantic is not None:
        if len(others) < design.semantic:
            raise InvalidInput(
                f"The stratum 'semantic' is short: {design.semantic:,} questions are to be drawn,"
                f" there are {len(others):,}.",
                hint="Ask for fewer in the design, or for all.",
            )
        others = rng.choice(others, size=design.semantic, replace=False)
    drawn.update(dict.fromkeys(others, "semantic"))
    return drawn


def _there(labels: pd.Series[str]) -> str:
    """The values that a label has, as a hint if a design asks for one that does not exist."""
    values = labels.dropna().value_counts().index[:_TOLD].tolist()
    if not values:
        return f"No question has a {labels.name}."
    return f"The values of {labels.name} are: {', '.join(values)}. Name them in the design."


def _cells(numeric: pd.DataFrame, strata: Sequence[Stratum]) -> list[StratumValue]:
    cells = []
    for one in strata:
        values = one.values
        if one.largest:
            counts = numeric[one.label].dropna().value_counts()
            order = sorted(counts.index, key=lambda value: (-counts[value], value))
            values = tuple(order[: one.largest])
            if len(values) < one.largest:
                raise InvalidInput(
                    f"The design asks for the {one.largest} largest of {one.label!r}; there are"
                    f" {len(values)}.",
                    hint="Ask for fewer in the design.",
                )
        cells += [StratumValue(one.label, value, one.each) for value in values]
    return cells


def add_benchmark_sample_and_count_by_stratum(
    store: Store, design: Design, *, dataset: str, into: str, name: str
) -> tuple[Added, Mapping[str, int]]:
    """Draw from ``dataset`` into a new dataset; returns what was added, and counts by stratum.

    Raises:
        InvalidInput: ``dataset`` has no questions, ``into`` exists, or a stratum is short.
    """
    whole = question_set_inserts_and_queries.arrow_table_of_stored_questions(store, dataset)
    if not len(whole):
        raise InvalidInput(f"There are no questions in {dataset!r}.", hint="Name another dataset.")
    if into == dataset:
        raise InvalidInput("A benchmark needs a dataset of its own.", hint="Name another one.")
    labels = whole.select(["name", "kind", *_LABELS_IN_TABLE]).to_pandas()
    drawn = sample_strata_by_question_name(labels, design)
    added = question_set_inserts_and_queries.add_drawn_questions_and_return_counts(
        store,
        whole,
        drawn,
        dataset=into,
        origin={"made": "draw", "from": dataset, "design": name, "seed": design.seed},
        illustrative=question_set_inserts_and_queries.is_question_set_illustrative(store, dataset),
    )
    # Copy the further columns that the questions came with.
    came_with = further_columns_of_imported_items.load_further_columns_by_item_name(
        store, items.ids_by_name_made_from_item_names(STUDY, dataset, drawn)
    )
    ids = items.ids_by_name_made_from_item_names(STUDY, into, came_with)
    further_columns_of_imported_items.store_further_columns_and_return_names(
        store, {ids[name]: body for name, body in came_with.items()}
    )
    counts = pd.Series(drawn).value_counts()
    return added, {str(stratum): int(n) for stratum, n in counts.items()}


_LABELS_IN_TABLE = tuple(label for label in _LABELS if label != "kind")
