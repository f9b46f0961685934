"""Judgments of error tagging as tables: one row per span and label, labels per rater, consensus.

Everything is sorted here, so figures are the same to the last digit in whatever order judgments
arrive.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review.consensus import positions_and_distinct_objects

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from medlens.studies.tagging.taxonomy import Taxonomy

Rule = Literal["relaxed", "strict"]
RULES: tuple[Rule, ...] = get_args(Rule)

Bools: TypeAlias = "NDArray[np.bool_]"
Ints: TypeAlias = "NDArray[np.int64]"
Floats: TypeAlias = "NDArray[np.float64]"

_SPAN_COLUMNS = [
    *("judgment_id", "item", "rater", "span", "start", "end", "quote"),
    *("label", "kind", "comment", "link", "located"),
]


@dataclass(frozen=True)
class TaggingTables:
    """Judgments prepared for the figures; J rows of item and rater, I items, L labels.

    ``judged`` has one row per item and rater (``item, rater, seconds``), sorted; ``item`` (J,) is
    the row's position in ``items`` (sorted). ``given`` (J, L) says which labels the rater gave
    anywhere in the response. ``spans`` is the table of :func:`spans_table` with the columns ``row``
    (position in ``judged``) and ``mark`` (number of the span over all judgments). ``texts`` are the
    responses by item, ``first_seen`` the items in the order they came in. ``words`` are the labels
    that an adjudicator settled on, by item, which override both consensus rules; None if the
    adjudicator decided that no answer holds.
    """

    taxonomy: Taxonomy
    labels: tuple[str, ...]
    is_error: Bools
    judged: pd.DataFrame
    item: Ints
    items: tuple[str, ...]
    first_seen: tuple[str, ...]
    given: Bools
    spans: pd.DataFrame
    texts: Mapping[str, str]
    words: Mapping[str, frozenset[str] | None] = field(default_factory=dict)

    def narrow_tables_to_judged_rows(self, rows: Ints) -> TaggingTables:
        """Only these rows of ``judged``, in their order."""
        if len(rows) == len(self.judged):
            return self
        of_span = self.spans["row"].to_numpy()
        begins = np.searchsorted(of_span, rows)
        many = np.searchsorted(of_span, rows, side="right") - begins
        new = np.repeat(np.arange(len(rows)), many)
        places = _places(begins, many)
        items, item = np.unique(self.item[rows], return_inverse=True)
        return replace(
            self,
            judged=self.judged.iloc[rows],
            item=item.astype(np.int64),
            items=tuple(self.items[at] for at in items),
            given=self.given[rows],
            spans=self.spans.iloc[places].assign(row=new),
        )

    @property
    def adjudicated_item_count(self) -> int:
        """How many of the items an adjudicator settled."""
        return sum(item in self.words for item in self.items)

    @property
    def rejected_item_count(self) -> int:
        """For how many of these no answer holds."""
        return sum(item in self.words and self.words[item] is None for item in self.items)

    @property
    def array_of_rater_counts_of_items(self) -> Ints:
        """How many raters judged each item, (I,)."""
        return np.bincount(self.item, minlength=len(self.items))

    @property
    def rater_count_matrix_of_items_and_labels(self) -> Ints:
        """How many raters gave each label to each item, (I, L)."""
        if len(self.item) == 0:
            return np.zeros((0, len(self.labels)), dtype=np.int64)
        first = np.flatnonzero(np.diff(self.item, prepend=-1))
        return np.add.reduceat(self.given.astype(np.int64), first, axis=0)


def make_tagging_tables(
    judgments: pd.DataFrame,
    taxonomy: Taxonomy,
    *,
    items: pd.DataFrame | None = None,
    kinds: Collection[str] = ("person",),
    words: Mapping[str, frozenset[str] | None] | None = None,
) -> TaggingTables:
    """Sort and join judgments; several by one rater on one item become one.

    ``judgments``: one row per current judgment with ``judgment_id, item, rater, value`` (an
    ``ErrorSpans``) and, if known, ``rater_kind`` and ``seconds``; only raters of ``kinds`` count.
    ``items``: ``item, response``; without it, figures that need the text are undefined. ``words``:
    an adjudicator's labels by item; None if no answer holds. Raises ``InvalidInput`` for a label
    that the taxonomy does not have.
    """
    if "rater_kind" in judgments:
        judgments = judgments[judgments["rater_kind"].isin(list(kinds))]
    first_seen = tuple(judgments["item"].unique().tolist())
    order, starts = _by_item_and_rater(judgments)
    ordered = judgments.iloc[order]
    spans, of_judgment = _spans(ordered, taxonomy)
    row_of_judgment = np.cumsum(starts) - 1
    judged = ordered.loc[starts, ["item", "rater"]].reset_index(drop=True)
    judged["seconds"] = _seconds(ordered, row_of_judgment, len(judged))
    spans["row"] = row_of_judgment[of_judgment]
    spans["mark"] = _marks(of_judgment, spans)
    # They are already sorted.
    item, names = pd.factorize(judged["item"].to_numpy(dtype=object))
    labels = tuple(label.id for label in taxonomy.labels)
    given = np.zeros((len(judged), len(labels)), dtype=bool)
    given[spans["row"].to_numpy(), label_position_of_rows(spans, labels)] = True
    texts: dict[str, str] = {}
    if items is not None:
        texts = dict(zip(items["item"].tolist(), items["response"].tolist(), strict=True))
    return TaggingTables(
        taxonomy=taxonomy,
        labels=labels,
        is_error=np.array([label.kind == "error" for label in taxonomy.labels], dtype=bool),
        judged=judged,
        item=item.astype(np.int64),
        items=tuple(names),
        first_seen=first_seen,
        given=given,
        spans=spans,
        texts=texts,
        words=words or {},
    )


def _by_item_and_rater(judgments: pd.DataFrame) -> tuple[Ints, Bools]:
    """The order of the judgments by item, rater and judgment_id, and which of the ordered ones are
    a rater's first on an item.
    """
    item, rater = (_ranks(judgments[column]) for column in ("item", "rater"))
    pair = item * (rater.max(initial=0) + 1) + rater
    order = np.argsort(pair, kind="stable")
    ordered = pair[order]
    starts = np.diff(ordered, prepend=-1) != 0
    if not starts.all():
        order = np.lexsort((_ranks(judgments["judgment_id"]), pair))
    return order, starts


def _ranks(column: pd.Series) -> Ints:
    """The place of each value among the sorted ones, (rows,)."""
    code, values = pd.factorize(column)
    rank = np.empty(len(values), dtype=np.int64)
    rank[np.argsort(np.asarray(values, dtype=object), kind="stable")] = np.arange(len(values))
    return rank[code]


def spans_table(judgments: pd.DataFrame, taxonomy: Taxonomy) -> pd.DataFrame:
    """One row per span and label, in the order of the judgments.

    Columns: ``judgment_id, item, rater, span`` (from 1 within the judgment)``, start, end`` (code
    points, missing if the place is unknown)``, quote, label, kind, comment, link, located``. Raises
    ``InvalidInput`` for a label that the taxonomy does not have.
    """
    return _spans(judgments, taxonomy)[0]


def _spans(judgments: pd.DataFrame, taxonomy: Taxonomy) -> tuple[pd.DataFrame, Ints]:
    """The table of :func:`spans_table`, and the position of each row's judgment."""
    kinds = {label.id: label.kind for label in taxonomy.labels}
    # Equal answers from the store are one object, which is unpacked once.
    code, different = positions_and_distinct_objects(judgments["value"])
    rows = [
        [
            (
                *(number, span.start, span.end, span.quote),
                *(label, kinds.get(label), span.comment, span.link, span.located),
            )
            for number, span in enumerate(value.spans, start=1)
            for label in span.labels
        ]
        for value in different
    ]
    sizes = np.array([len(one) for one in rows], dtype=np.int64)
    many = sizes[code]
    of_judgment = np.repeat(np.arange(len(code)), many)
    told = pd.DataFrame([row for one in rows for row in one], columns=_SPAN_COLUMNS[3:])
    whose = judgments[_SPAN_COLUMNS[:3]].infer_objects().iloc[of_judgment]
    places = _places((np.cumsum(sizes) - sizes)[code], many)
    parts = (whose.reset_index(drop=True), told.iloc[places].reset_index(drop=True))
    table = pd.concat(parts, axis=1)
    strange = table.loc[table["kind"].isna(), ["label", "item", "rater"]]
    if len(strange):
        label, item, rater = strange.iloc[0]
        raise InvalidInput(
            f"{rater}'s judgment of {item} has the label {label!r}, which the taxonomy "
            f"{taxonomy.title!r} does not have.",
            hint="Choose the taxonomy that these judgments were made with.",
        )
    return table.astype({"span": "int64", "start": "Int64", "end": "Int64"}), of_judgment


def _places(begins: Ints, many: Ints) -> Ints:
    """From each beginning, ``many`` consecutive places; one run after the other."""
    total = np.cumsum(many)
    return np.asarray(np.arange(many.sum()) + np.repeat(begins - (total - many), many))


def table_of_labels_under_rule(
    judgments: pd.DataFrame | TaggingTables,
    taxonomy: Taxonomy,
    rule: Rule,
    *,
    order: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Labels per item under a rule: booleans, items (index ``item``) by label ids.

    ``relaxed``: any rater gave the label. ``strict``: at least ``min(2, raters of the item)`` did.
    Labels that an adjudicator settled hold under both. Items left without a label are dropped.
    Items come in ``order`` if given (others after them), otherwise as first seen. Source: Roy et
    al. 2024, arXiv:2404.13307, and the published labels.
    """
    tags = (
        judgments
        if isinstance(judgments, TaggingTables)
        else make_tagging_tables(judgments, taxonomy)
    )
    if rule not in RULES:
        raise InvalidInput(f"There is no consensus rule {rule!r}.", hint="Use relaxed or strict.")
    least = np.minimum(2 if rule == "strict" else 1, tags.array_of_rater_counts_of_items)
    holds = tags.rater_count_matrix_of_items_and_labels >= least[:, None]
    for at, item in enumerate(tags.items):
        if item in tags.words:
            word = tags.words[item] or frozenset()
            holds[at] = [label in word for label in tags.labels]
    table = pd.DataFrame(
        holds,
        index=pd.Index(tags.items, name="item", dtype=object),
        columns=list(tags.labels),
    )
    ranks = {
        name: rank for rank, name in enumerate(dict.fromkeys([*(order or ()), *tags.first_seen]))
    }
    kept = table[table.any(axis=1)]
    return kept.iloc[np.argsort([ranks[name] for name in kept.index], kind="stable")]


def label_position_of_rows(spans: pd.DataFrame, labels: Sequence[str]) -> Ints:
    """The position in ``labels`` of each row's label, (rows,)."""
    place = {label: code for code, label in enumerate(labels)}
    code, seen = pd.factorize(spans["label"])
    return np.array([place[label] for label in seen], dtype=np.int64)[code]


def _seconds(ordered: pd.DataFrame, row: Ints, rows: int) -> Floats:
    """Active seconds by row, summed over a rater's judgments of an item; NaN if unknown."""
    if "seconds" not in ordered:
        return np.full(rows, np.nan)
    seconds = ordered["seconds"].to_numpy(dtype=np.float64)
    known = np.isfinite(seconds)
    total = np.zeros(rows)
    np.add.at(total, row[known], seconds[known])
    total[np.bincount(row[known], minlength=rows) == 0] = np.nan
    return total


def _marks(judgment: Ints, spans: pd.DataFrame) -> Ints:
    """A number for each span over all judgments; a span with two labels has two rows, one mark."""
    number = spans["span"].to_numpy()
    changed = (np.diff(judgment, prepend=-1) != 0) | (np.diff(number, prepend=0) != 0)
    return np.asarray(np.cumsum(changed) - 1, dtype=np.int64)
