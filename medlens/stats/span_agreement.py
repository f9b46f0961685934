"""Agreement between raters on marked passages: exact and overlap F1.

F1 between two raters of an item is 2 x matched spans / (spans of one + spans of the other), the
same whichever rater is the reference (Hripcsak & Rothschild, JAMIA 12, 2005). It is averaged over
the pairs of raters of an item, then over items, which are the units of intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import estimate_clustered_mean
from medlens.stats.smoothed_bootstrap import Floats, Ints

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class RaterMarks:
    """Spans of many raters on many items.

    ``item`` (judgments,) holds the item's number (0 and up) of each judgment, one judgment per
    item and rater. The other four are per span: the judgment it belongs to, half-open offsets, and
    the label's number. A judgment may have no span.
    """

    item: Ints
    judgment: Ints
    start: Ints
    end: Ints
    label: Ints

    @classmethod
    def from_judgments(
        cls, judgments: Iterable[tuple[int, Iterable[tuple[int, int, int]]]]
    ) -> RaterMarks:
        """From judgments, each with the number of its item and its spans: start, end, label's
        number.
        """
        items: list[int] = []
        spans: list[tuple[int, int, int, int]] = []
        for judgment, (item, given) in enumerate(judgments):
            items.append(item)
            spans += [(judgment, *span) for span in given]
        table = np.array(spans, dtype=np.int64).reshape(-1, 4)
        return cls(np.array(items, dtype=np.int64), *table.T)

    def select_judgments(self, judgments: Ints) -> RaterMarks:
        """Only these judgments, by index, in this order."""
        place = np.full(len(self.item), -1, dtype=np.int64)
        place[judgments] = np.arange(len(judgments))
        kept = place[self.judgment] >= 0
        return RaterMarks(
            self.item[judgments],
            place[self.judgment[kept]],
            *(self.start[kept], self.end[kept], self.label[kept]),
        )

    def without_repeats(self, *, labels: bool) -> RaterMarks:
        """Each passage once per judgment; with ``labels`` once per label. Sorted."""
        columns = [self.judgment, self.start, self.end, self.label if labels else self.label * 0]
        judgment, start, end, label = columns_of_sorted_distinct_rows(columns)
        return replace(self, judgment=judgment, start=start, end=end, label=label)


def columns_of_sorted_distinct_rows(columns: Sequence[Ints]) -> list[Ints]:
    """The distinct rows of these columns, each (rows,), in sorted order, as columns."""
    lowest = [int(column.min(initial=0)) for column in columns]
    sizes = [
        int(column.max(initial=0)) - low + 1 for column, low in zip(columns, lowest, strict=True)
    ]
    if math.prod(sizes) > np.iinfo(np.int64).max:
        rows = np.unique(np.column_stack(columns), axis=0).reshape(-1, len(columns))
        return list(rows.T)
    # As one number each, in the same order: sorted in a fifth of the time.
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, size in zip(columns, lowest, sizes, strict=True):
        key = key * size + (column - low)
    keys = np.unique(key)
    found = []
    for low, size in zip(lowest[::-1], sizes[::-1], strict=True):
        keys, rest = np.divmod(keys, size)
        found.append(rest + low)
    return found[::-1]


def estimate_mean_span_f1_between_raters(
    marks: RaterMarks,
    *,
    match: Literal["exact", "overlap"],
    labels: bool,
    items: int | None = None,
) -> Estimate:
    """Mean F1 between the raters of an item.

    ``exact`` needs the same start and end. ``overlap`` needs a shared character and matches spans
    one to one, the largest overlap first. With ``labels`` matched spans carry the same label;
    without, a passage counts once however many labels it carries. Pairs of raters who both marked
    nothing have no F1 and are left out. ``n`` counts items with a compared pair, ``pairs`` those
    pairs, ``coverage`` the items' share of ``items`` (default: of the items with a judgment).
    """
    method = f"{match} span F1, labels {'compared' if labels else 'ignored'}"
    marks = marks.without_repeats(labels=labels)
    first, second = index_pairs_within_groups(marks.item)
    spans = np.bincount(marks.judgment, minlength=len(marks.item))
    total = spans[first] + spans[second]
    compared = total > 0
    all_items = len(np.unique(marks.item)) if items is None else items
    if not compared.any():
        why = "no item has judgments of two raters"
        if len(first):
            why = "no rater of an item that two raters judged marked a passage"
        coverage = 0.0 if all_items else None
        return Estimate.undefined_estimate(why, method=method, pairs=0, coverage=coverage)
    first, second, total = first[compared], second[compared], total[compared]
    matched = _matches(marks, spans, first, second, exact=match == "exact")
    return _mean_over_items(
        2 * matched / total,
        marks.item[first],
        all_items,
        method,
    )


def index_pairs_within_groups(group: Ints) -> tuple[Ints, Ints]:
    """Every two entries of the same group, as two arrays of indices into ``group`` (n,)."""
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    last = np.searchsorted(ordered, ordered, side="right")
    partners = last - np.arange(len(group)) - 1
    first = np.repeat(np.arange(len(group)), partners)
    second = first + 1 + _within(partners)
    return order[first], order[second]


def _within(sizes: Ints) -> Ints:
    """0..size-1 for each size, one after another."""
    starts = np.cumsum(sizes) - sizes
    return np.asarray(np.arange(int(sizes.sum())) - np.repeat(starts, sizes))


def _matches(marks: RaterMarks, spans: Ints, first: Ints, second: Ints, *, exact: bool) -> Ints:
    """Matched spans of each pair of judgments, (pairs,)."""
    begins = np.cumsum(spans) - spans
    width = spans[second]
    size = spans[first] * width
    pair = np.repeat(np.arange(len(first)), size)
    place = _within(size)
    row, column = np.divmod(place, np.repeat(width, size))
    one, other = begins[first][pair] + row, begins[second][pair] + column
    fits = marks.label[one] == marks.label[other]
    if exact:
        fits &= (marks.start[one] == marks.start[other]) & (marks.end[one] == marks.end[other])
        return np.bincount(pair[fits], minlength=len(first))
    low = np.maximum(marks.start[one], marks.start[other])
    high = np.minimum(marks.end[one], marks.end[other])
    keep = np.flatnonzero(fits & (low < high))
    pair, one, other, low, high = pair[keep], one[keep], other[keep], low[keep], high[keep]
    # A span is matched at most once per pair, so a node is a span within a pair.
    left = (np.cumsum(spans[first]) - spans[first])[pair] + row[keep]
    right = (np.cumsum(width) - width)[pair] + column[keep]
    lone = np.bincount(pair, minlength=len(first))[pair] == 1
    several = np.flatnonzero(~lone)
    union = np.maximum(marks.end[one], marks.end[other]) - np.minimum(
        marks.start[one], marks.start[other]
    )
    # Keys that do not depend on which rater comes first, so that F1 is symmetric.
    keys = (low[several], union[several], (low - high)[several])
    ranked = several[np.lexsort(keys)]
    taken = ranked[_best_first(left[ranked], right[ranked])]
    matched = np.concatenate([pair[lone], pair[taken]])
    return np.bincount(matched, minlength=len(first))


def _best_first(left: Ints, right: Ints) -> NDArray[np.bool_]:
    """Which of the ranked edges a greedy one-to-one matching takes.

    An edge that is the best at both its ends is always taken; taking all of these at once, and
    repeating on the rest, gives the same as going through the ranking one by one.
    """
    taken = np.zeros(len(left), dtype=bool)
    open_edges = np.arange(len(left))
    best_left = np.empty(int(left.max(initial=-1)) + 1, dtype=np.int64)
    best_right = np.empty(int(right.max(initial=-1)) + 1, dtype=np.int64)
    while len(open_edges):
        backwards = open_edges[::-1]
        best_left[left[backwards]] = backwards
        best_right[right[backwards]] = backwards
        best = (best_left[left[open_edges]] == open_edges) & (
            best_right[right[open_edges]] == open_edges
        )
        now = open_edges[best]
        taken[now] = True
        best_left[left[now]] = -1
        best_right[right[now]] = -1
        free = (best_left[left[open_edges]] >= 0) & (best_right[right[open_edges]] >= 0)
        open_edges = open_edges[free]
    return taken


def _mean_over_items(scores: Floats, items: Ints, all_items: int, method: str) -> Estimate:
    # Sorted scores make an item's mean independent of the order of its raters.
    order = np.lexsort((scores, items))
    _, codes = np.unique(items[order], return_inverse=True)
    means = np.bincount(codes, weights=scores[order]) / np.bincount(codes)
    found = estimate_clustered_mean(means, kind=(0.0, 1.0))
    return replace(
        found,
        method=found.method.replace("mean", method, 1),
        pairs=len(scores),
        coverage=len(means) / all_items,
    )
