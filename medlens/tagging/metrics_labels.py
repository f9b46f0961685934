"""Which labels were given, with which others, and where in the response.

Source: Roy et al. 2024, "Beyond Accuracy" (arXiv:2404.13307), the study's label distribution.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from medlens.stats.estimate import Estimate
from medlens.stats.intervals import wilson
from medlens.stats.resampling import RESAMPLES, drawn_sums, percentile_interval, ratio, types_of
from medlens.stats.spans import pairs_within
from medlens.tagging.metrics_tables import Ints, Rule, Tagged, consensus, label_codes

DECILES = 10


def prevalence(tags: Tagged, rule: Rule) -> dict[str, Estimate]:
    """Share of the items with a label under ``rule`` that carry each label, by label id."""
    table = consensus(tags, tags.taxonomy, rule)
    method = f"Wilson; of the items with a label under the {rule} rule"
    return {
        label: replace(wilson(int(table[label].sum()), len(table)), method=method)
        for label in tags.labels
    }


def with_consensus(tags: Tagged, rule: Rule) -> Estimate:
    """Share of the judged items that carry any label under ``rule``."""
    items = len(consensus(tags, tags.taxonomy, rule))
    return replace(wilson(items, len(tags.items)), method="Wilson; of the items judged")


def cooccurrence(tags: Tagged, rule: Rule) -> pd.DataFrame:
    """Items with both labels under ``rule``, label ids by label ids; the diagonal: with the one."""
    table = consensus(tags, tags.taxonomy, rule).to_numpy(dtype=np.int64)
    return _square(tags, table.T @ table)


def same_passage(tags: Tagged) -> pd.DataFrame:
    """Judgments in which one rater gave both labels to shared words, label ids by label ids.

    Words are shared when it is one span, or two that overlap by a character. The diagonal counts
    the judgments with the label.
    """
    row, mark = tags.spans["row"].to_numpy(), tags.spans["mark"].to_numpy()
    code = label_codes(tags.spans, tags.labels)
    start, end = _offsets(tags)
    first, second = pairs_within(row)
    one_span = mark[first] == mark[second]
    overlap = np.minimum(end[first], end[second]) > np.maximum(start[first], start[second])
    touch = one_span | (overlap & (start[first] >= 0) & (start[second] >= 0))
    first, second = first[touch], second[touch]
    low, high = np.minimum(code[first], code[second]), np.maximum(code[first], code[second])
    found = np.unique(np.column_stack([row[first], low, high]), axis=0).reshape(-1, 3)
    # On the diagonal a judgment counts once, not once per pair of spans with the label.
    found = found[found[:, 1] != found[:, 2]]
    counts = np.diag(tags.given.sum(axis=0))
    np.add.at(counts, (found[:, 1], found[:, 2]), 1)
    np.add.at(counts, (found[:, 2], found[:, 1]), 1)
    return _square(tags, counts)


def cooccurrence_shares(tags: Tagged, rule: Rule) -> dict[tuple[str, str], Estimate]:
    """Share of the items with a label under ``rule`` that carry both, for each two labels."""
    items = len(consensus(tags, tags.taxonomy, rule))
    method = f"Wilson; of the items with a label under the {rule} rule"
    return _shares(cooccurrence(tags, rule), items, method)


def same_passage_shares(tags: Tagged) -> dict[tuple[str, str], Estimate]:
    """Share of the judgments with a label that give both to shared words, for each two labels."""
    judgments = int(tags.given.any(axis=1).sum())
    return _shares(same_passage(tags), judgments, "Wilson; of the judgments with a label")


def positions(tags: Tagged) -> dict[str, list[Estimate]]:
    """Where each label falls: share of its spans with their middle in each tenth of the response.

    Each rater's span counts once; spans without a known place are left out. Intervals draw whole
    items, whose spans are not independent.
    """
    row, label, tenth = _middles(tags)
    item = tags.item[row]
    found: dict[str, list[Estimate]] = {}
    for code, name in enumerate(tags.labels):
        mine = label == code
        _, ranks = np.unique(item[mine], return_inverse=True)
        counts = np.zeros((int(ranks.max(initial=-1)) + 1, DECILES))
        np.add.at(counts, (ranks, tenth[mine]), 1)
        found[name] = _decile_shares(counts)
    return found


def located_spans(tags: Tagged) -> Estimate:
    """Share of the marked spans whose place in the response is known."""
    marks = tags.spans.drop_duplicates("mark")
    return wilson(int(marks["start"].notna().sum()), len(marks))


def _decile_shares(counts: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> list[Estimate]:
    total = int(counts.sum())
    method = "share of the label's spans"
    if total == 0:
        missing = Estimate.undefined("no span with a known place has the label", method=method)
        return [missing] * DECILES
    types, times = types_of(counts)
    draws = None
    if len(counts) > 1:
        sums = drawn_sums(types, times)
        draws = ratio(sums, sums.sum(axis=1, keepdims=True))
        method += f"; bootstrap over items, {RESAMPLES} resamples"
    else:
        method += "; no interval from one of the items"
    shares = []
    for decile, hits in enumerate(counts.sum(axis=0).astype(int)):
        low, high = (None, None) if draws is None else percentile_interval(draws[:, decile])[:2]
        certain = draws is not None and low == high
        shares.append(
            Estimate(
                value=int(hits) / total,
                low=None if certain else low,
                high=None if certain else high,
                n=total,
                method=method + (", no interval: they are all alike" if certain else ""),
                numerator=int(hits),
                denominator=total,
            )
        )
    return shares


def _middles(tags: Tagged) -> tuple[Ints, Ints, Ints]:
    """Row, label and tenth (0..9) of the middle of each located span."""
    start, end = _offsets(tags)
    row = tags.spans["row"].to_numpy()
    lengths = np.array([len(tags.texts.get(name, "")) for name in tags.items], dtype=np.int64)
    length = lengths[tags.item[row]]
    known = (start >= 0) & (length > 0)
    columns = [row, start, end, label_codes(tags.spans, tags.labels), length]
    spans = np.unique(np.column_stack(columns)[known], axis=0).reshape(-1, 5)
    # Whole numbers: 10 x middle / length without a rounding at the edge of a tenth.
    tenth = np.minimum((spans[:, 1] + spans[:, 2]) * DECILES // (2 * spans[:, 4]), DECILES - 1)
    return spans[:, 0], spans[:, 3], tenth


def _offsets(tags: Tagged) -> tuple[Ints, Ints]:
    """Start and end of each row of the spans, -1 where unknown."""
    return (
        tags.spans["start"].fillna(-1).to_numpy(dtype=np.int64),
        tags.spans["end"].fillna(-1).to_numpy(dtype=np.int64),
    )


def _square(tags: Tagged, counts: Ints) -> pd.DataFrame:
    return pd.DataFrame(counts, index=list(tags.labels), columns=list(tags.labels))


def _shares(counts: pd.DataFrame, denominator: int, method: str) -> dict[tuple[str, str], Estimate]:
    table, labels = counts.to_numpy(), list(counts.columns)
    places: tuple[Ints, Ints] = np.triu_indices(len(labels), k=1)
    return {
        (labels[one], labels[other]): replace(
            wilson(int(table[one, other]), denominator), method=method
        )
        for one, other in zip(*places, strict=True)
    }
