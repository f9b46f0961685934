"""Agreement between raters on marked words: Krippendorff's alpha with word tokens as the units.

Two spans that differ by a word agree on all their other words, which F1 cannot show. Source: the
nominal alpha of ``alpha_and_intraclass_correlation``, on tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate
from medlens.stats.smoothed_bootstrap import (
    Floats,
    Ints,
    Smoothing,
    distinct_contributions_with_counts,
    divide_arrays_or_nan,
    estimate_from_sums,
)
from medlens.stats.span_agreement import RaterMarks

_WORD = re.compile(r"\S+")


def list_token_alpha_of_each_label(
    marks: RaterMarks, texts: Sequence[str], *, labels: int
) -> list[Estimate]:
    """Krippendorff's alpha per label over word tokens, marked with the label or not.

    ``texts`` are the items' texts by item number; a token is a run of non-space characters and is
    marked if a span covers any of it. Every judgment rates every token of its item. ``labels`` is
    the number of labels. ``n`` counts items with two or more judgments; intervals draw whole items,
    since the tokens of a text are not independent.
    """
    method = "Krippendorff's alpha (nominal) over word tokens"
    raters = np.bincount(marks.item, minlength=len(texts))
    usable = np.flatnonzero(raters >= 2)
    judged = int((raters > 0).sum())
    pairs = int((raters * (raters - 1) // 2).sum())
    coverage = len(usable) / judged if judged else None
    if len(usable) == 0:
        why = "no item has judgments of two raters"
        return [
            Estimate.undefined_estimate(why, method=method, pairs=0, coverage=coverage)
            for _ in range(labels)
        ]
    tokens = _tokens(texts, usable)
    runs = _token_runs(marks, tokens)
    size = len(tokens.start)
    per_token = raters[usable][tokens.item]
    slots = np.bincount(tokens.item, weights=per_token, minlength=len(usable))
    estimates = []
    for label in range(labels):
        mine = runs[runs[:, 0] == label]
        change = np.bincount(mine[:, 1], minlength=size + 1)
        change -= np.bincount(mine[:, 2], minlength=size + 1)
        marked = np.cumsum(change)[:size]
        split = 2 * marked * (per_token - marked) / (per_token - 1)
        disagreement = np.bincount(tokens.item, weights=split, minlength=len(usable))
        with_label = np.bincount(tokens.item, weights=marked, minlength=len(usable))
        types, times = distinct_contributions_with_counts(
            np.column_stack([disagreement, with_label, slots - with_label])
        )
        judgments = len(np.unique(mine[:, 3])) if len(mine) else 1
        run = with_label.sum() / judgments
        estimates.append(
            estimate_from_sums(
                types,
                times,
                _binary_alpha,
                smoothing=_unseen(
                    run,
                    float(raters[usable].mean()),
                    float(slots.mean()),
                    int((with_label > 0).sum()),
                ),
                method=method,
                undefined_because=(
                    "every word carries the label" if len(mine) else "no word carries the label"
                ),
                pairs=pairs,
                coverage=coverage,
            )
        )
    return estimates


@dataclass(frozen=True)
class _Tokens:
    """Tokens of the usable texts laid end to end: index of their item, offsets; bases by item."""

    item: Ints
    start: Ints
    end: Ints
    base: Ints


def _tokens(texts: Sequence[str], usable: Ints) -> _Tokens:
    bounds = [np.array([m.span() for m in _WORD.finditer(texts[i])]) for i in usable]
    counts = np.array([len(one) for one in bounds], dtype=np.int64)
    lengths = np.array([len(texts[i]) + 1 for i in usable], dtype=np.int64)
    offset = np.cumsum(lengths) - lengths
    flat = np.concatenate([one.reshape(-1, 2) for one in bounds]).astype(np.int64)
    item = np.repeat(np.arange(len(usable)), counts)
    base = np.full(len(texts), -1, dtype=np.int64)
    base[usable] = offset
    return _Tokens(item, flat[:, 0] + offset[item], flat[:, 1] + offset[item], base)


def _token_runs(marks: RaterMarks, tokens: _Tokens) -> Ints:
    """Rows (label, first token, end token, judgment); overlapping runs with the same label are
    merged.
    """
    base = tokens.base[marks.item[marks.judgment]]
    known = base >= 0
    first = np.searchsorted(tokens.end, base[known] + marks.start[known], side="right")
    end = np.searchsorted(tokens.start, base[known] + marks.end[known], side="left")
    label, judgment = marks.label[known], marks.judgment[known]
    # Each judgment and label gets its own stretch of one axis, so that one running maximum merges
    # them all.
    stride = len(tokens.start) + 1
    lane = (label * (len(marks.item) + 1) + judgment) * stride
    order = np.lexsort((first, lane))
    first, end, lane = (first + lane)[order], (end + lane)[order], lane[order]
    label, judgment = label[order], judgment[order]
    reached = np.maximum.accumulate(end)
    first[1:] = np.maximum(first[1:], reached[:-1])
    keep = first < end
    return np.column_stack([label, first - lane, end - lane, judgment])[keep]


def _unseen(run: float, raters: float, slots: float, informative: int) -> Smoothing:
    """Items that might have been seen: all raters, one, or all but one mark ``run`` words.

    ``raters`` and ``slots`` (words times raters) are an average item's. Weights as for ratings.
    """
    rows = [
        (disagreement, min(run * marking, slots), max(slots - run * marking, 0.0))
        for disagreement, marking in (
            (0.0, 0.0),
            (0.0, raters),
            (2 * run, 1.0),
            (2 * run, raters - 1),
        )
    ]
    return Smoothing(np.array(rows), np.array([1 / raters, 1 / raters, 0.25, 0.25]), informative)


def _binary_alpha(sums: Floats) -> Floats:
    disagreement, marked, unmarked = sums[:, 0], sums[:, 1], sums[:, 2]
    total = marked + unmarked
    return 1 - divide_arrays_or_nan((total - 1) * disagreement, 2 * marked * unmarked)
