"""Finds the items behind a mark of a chart.

A mark's id is ``kind`` and its parts joined by ``|``; it is part of the address, so everyone who
opens a link sees the same list. An id that means nothing (a label gone, an edited address) leads
nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from medlens.deferred_module import np, pd
from medlens.review.chart_specifications import split_mark_id
from medlens.review.figure_definitions import Behind
from medlens.studies.tagging import metrics_input_tables
from medlens.studies.tagging.figures_data import TaggingFigureData
from medlens.studies.tagging.metrics_label_prevalence_pairs_and_places import DECILES

Listed: TypeAlias = "tuple[str, pd.DataFrame]"
"""A title, and a table whose column ``response`` names the items."""

_THINGS = ("response", "responses")


def find_what_is_behind_mark(source: TaggingFigureData, mark: str) -> Behind | None:
    """The items behind a mark, or None if the mark means nothing here."""
    kind, *parts = split_mark_id(mark or "all")
    resolve = _KINDS.get(kind)
    if resolve is None:
        return None
    try:
        title, table = resolve(source, *parts)
    except (_Nothing, TypeError):
        # TypeError: an edited address has more or fewer parts than the kind.
        return None
    leads = tuple({"response": str(name)} for name in table["response"])
    return Behind(title=title, table=table, leads=leads, things=_THINGS)


class _Nothing(Exception):
    """The parts of a mark's id name nothing in this dataset."""


def _known(source: TaggingFigureData, *labels: str) -> list[int]:
    if not set(labels) <= set(source.tagging_tables.labels):
        raise _Nothing
    return [source.tagging_tables.labels.index(label) for label in labels]


def _rule(rule: str) -> metrics_input_tables.Rule:
    found = next((known for known in metrics_input_tables.RULES if known == rule), None)
    if found is None:
        raise _Nothing
    return found


def _table(rows: Iterable[tuple[str, ...]], second: str = "") -> pd.DataFrame:
    columns = ["response", second] if second else ["response"]
    return pd.DataFrame(list(rows), columns=columns)


def _votes(source: TaggingFigureData, code: int) -> dict[str, tuple[int, int]]:
    """By item: how many raters gave a label, and how many judged the item."""
    tags = source.tagging_tables
    return {
        name: (int(given), int(all_))
        for name, given, all_ in zip(
            tags.items,
            tags.rater_count_matrix_of_items_and_labels[:, code],
            tags.array_of_rater_counts_of_items,
            strict=True,
        )
    }


def _label(source: TaggingFigureData, rule: str, label: str) -> Listed:
    (code,) = _known(source, label)
    votes = _votes(source, code)
    found = [
        item
        for item, labels in source.labels_by_item_by_rule[_rule(rule)].items()
        if label in labels
    ]
    found.sort(key=lambda item: -votes[item][0])
    return (
        f"{source.label_of_taxonomy(label).name}, {rule}",
        _table(((i, f"{votes[i][0]} of {votes[i][1]}") for i in found), "raters"),
    )


def _published(source: TaggingFigureData, name: str, label: str) -> Listed:
    _known(source, label)
    answers = source.published_labels_by_source_and_item.get(name)
    if answers is None:
        raise _Nothing
    found = [item for item, labels in answers.items() if label in labels]
    return (
        f"{source.label_of_taxonomy(label).name}, published as {name}",
        _table((i,) for i in found),
    )


def _agreement(source: TaggingFigureData, label: str) -> Listed:
    (code,) = _known(source, label)
    votes = _votes(source, code)
    found = [item for item in source.tagging_tables.first_seen if votes[item][0]]
    # The most divided first: those are the ones to discuss.
    found.sort(key=lambda item: abs(votes[item][0] / votes[item][1] - 0.5))
    return (
        f"{source.label_of_taxonomy(label).name}, the most divided first",
        _table(((i, f"{votes[i][0]} of {votes[i][1]}") for i in found), "raters"),
    )


def _everything(source: TaggingFigureData) -> Listed:
    tags = source.tagging_tables
    raters = dict(zip(tags.items, tags.array_of_rater_counts_of_items.tolist(), strict=True))
    rows = ((item, str(raters[item])) for item in tags.first_seen)
    return ("All responses judged", _table(rows, "raters"))


def _both(source: TaggingFigureData, rule: str, one: str, other: str) -> Listed:
    _known(source, one, other)
    names = " + ".join(source.label_of_taxonomy(x).name for x in dict.fromkeys([one, other]))
    wanted = {one, other}
    found = [
        item
        for item, labels in source.labels_by_item_by_rule[_rule(rule)].items()
        if wanted <= labels
    ]
    return (f"{names}, {rule}", _table((i,) for i in found))


def _passage(source: TaggingFigureData, one: str, other: str) -> Listed:
    _known(source, one, other)
    tags = source.tagging_tables
    names = " + ".join(source.label_of_taxonomy(x).name for x in dict.fromkeys([one, other]))
    left = tags.spans[tags.spans["label"] == one]
    if one == other:
        rows = left["row"].unique()
    else:
        pairs = left.merge(tags.spans[tags.spans["label"] == other], on="row")
        start = pairs[["start_x", "start_y"]].fillna(-1).to_numpy(dtype=np.int64)
        end = pairs[["end_x", "end_y"]].fillna(-1).to_numpy(dtype=np.int64)
        shared = (start >= 0).all(axis=1) & (end.min(axis=1) > start.max(axis=1))
        one_mark = (pairs["mark_x"] == pairs["mark_y"]).to_numpy(dtype=bool)
        rows = pairs.loc[one_mark | shared, "row"].unique()
    found = tags.judged.iloc[np.sort(rows)]
    return (
        f"{names}, on the same words",
        _table(zip(found["item"], found["rater"], strict=True), "rater"),
    )


def _tenth(source: TaggingFigureData, label: str, tenth: str) -> Listed:
    _known(source, label)
    if tenth not in map(str, range(1, DECILES + 1)):
        raise _Nothing
    tags = source.tagging_tables
    spans = tags.spans[(tags.spans["label"] == label) & tags.spans["start"].notna()]
    lengths = spans["item"].map(lambda name: len(tags.texts.get(name, "")))
    spans = spans[lengths > 0]
    middles = (spans["start"] + spans["end"]) * DECILES // (2 * lengths[lengths > 0])
    found = spans[np.minimum(middles, DECILES - 1) == int(tenth) - 1]
    rows = found[["item", "quote"]].drop_duplicates()
    return (
        f"{source.label_of_taxonomy(label).name}, {_ordinal(int(tenth))} tenth of the response",
        _table(zip(rows["item"], rows["quote"], strict=True), "words"),
    )


def _ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number, 'th') }"


def _rater(source: TaggingFigureData, rater: str) -> Listed:
    rows = np.flatnonzero(source.tagging_tables.judged["rater"].to_numpy() == rater)
    if not len(rows):
        raise _Nothing
    found = source.tagging_tables.judged.iloc[rows]
    seconds = [f"{s / 60:.1f} min" if s >= 0 else "" for s in found["seconds"]]
    return (f"Responses of {rater}", _table(zip(found["item"], seconds, strict=True), "time"))


def _gold(source: TaggingFigureData, rater: str) -> Listed:
    mine = set(
        source.tagging_tables.judged.loc[source.tagging_tables.judged["rater"] == rater, "item"]
    )
    found = [item for item in source.expected_labels_by_gold_item if item in mine]
    names = (
        "; ".join(
            source.label_of_taxonomy(x).name for x in source.expected_labels_by_gold_item[item]
        )
        for item in found
    )
    return (f"Gold responses of {rater}", _table(zip(found, names, strict=True), "expected"))


def _differs(source: TaggingFigureData, rule: str, name: str) -> Listed:
    ours, theirs = (
        source.labels_by_item_by_rule[_rule(rule)],
        source.published_labels_by_source_and_item.get(name),
    )
    if theirs is None:
        raise _Nothing
    rows = []
    for item in dict.fromkeys([*ours, *theirs]):
        mine, published = ours.get(item, frozenset()), theirs.get(item, frozenset())
        if mine != published and item not in source.ids_of_items_without_valid_answer:
            rows.append(
                (item, _numbers(source, mine - published), _numbers(source, published - mine))
            )
    columns = ["response", f"only {rule}", f"only {name}"]
    return (f"Where {rule} and {name} differ", pd.DataFrame(rows, columns=columns))


def _numbers(source: TaggingFigureData, labels: frozenset[str]) -> str:
    return "; ".join(
        source.label_of_taxonomy(x).name for x in source.tagging_tables.labels if x in labels
    )


_KINDS: dict[str, Callable[..., Listed]] = {
    "all": _everything,
    "label": _label,
    "published": _published,
    "agreement": _agreement,
    "both": _both,
    "passage": _passage,
    "tenth": _tenth,
    "rater": _rater,
    "gold": _gold,
    "differs": _differs,
}
