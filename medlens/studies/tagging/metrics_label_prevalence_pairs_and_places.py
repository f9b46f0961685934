"""Which labels were given, with which others, and where in the response.

Source: Roy et al. 2024, "Beyond Accuracy" (arXiv:2404.13307), the study's label distribution.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from medlens.deferred_module import np, pd
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import clustered_share, wilson_share_estimate
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.stats.span_agreement import index_pairs_within_groups
from medlens.studies.tagging.metrics_input_tables import (
    Ints,
    Rule,
    TaggingTables,
    label_position_of_rows,
    table_of_labels_under_rule,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


DECILES = 10


def prevalence_by_label(tags: TaggingTables, rule: Rule) -> dict[str, Estimate]:
    """Share of the items with a label under ``rule`` that carry each label, by label id."""
    table = table_of_labels_under_rule(tags, tags.taxonomy, rule)
    return {
        label: _of_items(tags, int(table[label].sum()), len(table), rule) for label in tags.labels
    }


def estimate_share_of_items_with_any_label(tags: TaggingTables, rule: Rule) -> Estimate:
    """Share of the judged items that carry any label under ``rule``."""
    items = len(table_of_labels_under_rule(tags, tags.taxonomy, rule))
    found = wilson_share_estimate(items, len(tags.items), unit="items")
    return _told(tags, found, "of the items judged")


def _of_items(tags: TaggingTables, count: int, items: int, rule: Rule) -> Estimate:
    found = wilson_share_estimate(count, items, unit="items")
    return _told(tags, found, f"of the items with a label under the {rule} rule")


def _told(tags: TaggingTables, one: Estimate, of: str) -> Estimate:
    settled = (
        f"; settled by an adjudicator: {tags.adjudicated_item_count:,}"
        if tags.adjudicated_item_count
        else ""
    )
    settled += (
        f", of these no answer holds: {tags.rejected_item_count:,}"
        if tags.rejected_item_count
        else ""
    )
    said = replace(one, method=f"{one.method}; {of}{settled}")
    return note_estimate_speaks_for_these_raters(said, int(tags.judged["rater"].nunique()))


def label_cooccurrence_counts_table(tags: TaggingTables, rule: Rule) -> pd.DataFrame:
    """Items with both labels under ``rule``, label ids by label ids; the diagonal: with the one."""
    table = table_of_labels_under_rule(tags, tags.taxonomy, rule).to_numpy(dtype=np.int64)
    return _square(tags, table.T @ table)


def same_passage_counts_table(tags: TaggingTables) -> pd.DataFrame:
    """Judgments in which one rater gave both labels to shared words, label ids by label ids.

    Words are shared if they are one span, or two that overlap by a character. The diagonal counts
    the judgments with the label.
    """
    found = _touching(tags)
    counts = np.diag(tags.given.sum(axis=0))
    np.add.at(counts, (found[:, 1], found[:, 2]), 1)
    np.add.at(counts, (found[:, 2], found[:, 1]), 1)
    return _square(tags, counts)


def _touching(tags: TaggingTables) -> Ints:
    """Rows (judgment, label, higher-numbered label) where one rater gave both to shared words; each
    once.
    """
    row, mark = tags.spans["row"].to_numpy(), tags.spans["mark"].to_numpy()
    code = label_position_of_rows(tags.spans, tags.labels)
    start, end = _offsets(tags)
    first, second = index_pairs_within_groups(row)
    one_span = mark[first] == mark[second]
    overlap = np.minimum(end[first], end[second]) > np.maximum(start[first], start[second])
    touch = one_span | (overlap & (start[first] >= 0) & (start[second] >= 0))
    first, second = first[touch], second[touch]
    low, high = np.minimum(code[first], code[second]), np.maximum(code[first], code[second])
    found = np.unique(np.column_stack([row[first], low, high]), axis=0).reshape(-1, 3)
    return np.asarray(found[found[:, 1] != found[:, 2]])


def cooccurrence_shares_by_label_pair(
    tags: TaggingTables, rule: Rule
) -> dict[tuple[str, str], Estimate]:
    """Share of the items with a label under ``rule`` that carry both, for each pair of labels."""
    items = len(table_of_labels_under_rule(tags, tags.taxonomy, rule))
    return _shares(tags, label_cooccurrence_counts_table(tags, rule), items, rule)


def same_passage_shares_by_label_pair(tags: TaggingTables) -> dict[tuple[str, str], Estimate]:
    """Share of the judgments with a label that give both to shared words, for each label pair."""
    labelled = np.flatnonzero(tags.given.any(axis=1))
    found, labels = _touching(tags), tags.labels
    pairs: tuple[Ints, Ints] = np.triu_indices(len(labels), k=1)
    shares = {}
    for one, other in zip(*pairs, strict=True):
        rows = found[(found[:, 1] == one) & (found[:, 2] == other), 0]
        share = estimate_share_of_judgments(tags, np.isin(labelled, rows), labelled)
        method = f"{share.method}; of the judgments with a label"
        shares[labels[one], labels[other]] = replace(share, method=method)
    return shares


def estimate_share_of_judgments(
    tags: TaggingTables, hits: ArrayLike, rows: Ints | None = None
) -> Estimate:
    """The share of ``hits`` (rows,) among all judgments, or among those in ``rows``.

    Judgments of one item are not independent, nor are those of one rater: the interval allows for
    both.
    """
    chosen = np.arange(len(tags.judged)) if rows is None else rows
    raters, _ = pd.factorize(tags.judged["rater"])
    return clustered_share(hits, tags.item[chosen], unit="items", crossed=raters[chosen])


def span_shares_per_tenth_by_label(tags: TaggingTables) -> dict[str, list[Estimate]]:
    """Where each label falls: the share of its spans whose middle is in each tenth of the response.

    Each rater's span counts once; spans without a known place are left out. Spans of one item are
    not independent, nor are those of one rater: the intervals allow for both.
    """
    row, label, tenth = _middles(tags)
    found: dict[str, list[Estimate]] = {}
    for code, name in enumerate(tags.labels):
        mine = label == code
        if mine.any():
            found[name] = [
                estimate_share_of_judgments(tags, tenth[mine] == decile, row[mine])
                for decile in range(DECILES)
            ]
        else:
            why = "no span with a known place has the label"
            found[name] = [Estimate.undefined_estimate(why, method="share")] * DECILES
    return found


def estimate_share_of_located_spans(tags: TaggingTables) -> Estimate:
    """Share of the marked spans whose place in the response is known."""
    marks = tags.spans.drop_duplicates("mark")
    return estimate_share_of_judgments(
        tags, marks["start"].notna(), marks["row"].to_numpy(dtype=np.int64)
    )


def _middles(tags: TaggingTables) -> tuple[Ints, Ints, Ints]:
    """Row, label and tenth (0..9) of the middle of each located span."""
    start, end = _offsets(tags)
    row = tags.spans["row"].to_numpy()
    lengths = np.array([len(tags.texts.get(name, "")) for name in tags.items], dtype=np.int64)
    length = lengths[tags.item[row]]
    known = (start >= 0) & (length > 0)
    columns = [row, start, end, label_position_of_rows(tags.spans, tags.labels), length]
    spans = np.unique(np.column_stack(columns)[known], axis=0).reshape(-1, 5)
    # Integers, so that 10 x middle / length is not rounded at the edge of a tenth.
    tenth = np.minimum((spans[:, 1] + spans[:, 2]) * DECILES // (2 * spans[:, 4]), DECILES - 1)
    return spans[:, 0], spans[:, 3], tenth


def _offsets(tags: TaggingTables) -> tuple[Ints, Ints]:
    """Start and end of each row of the spans, -1 if unknown."""
    return (
        tags.spans["start"].fillna(-1).to_numpy(dtype=np.int64),
        tags.spans["end"].fillna(-1).to_numpy(dtype=np.int64),
    )


def _square(tags: TaggingTables, counts: Ints) -> pd.DataFrame:
    return pd.DataFrame(counts, index=list(tags.labels), columns=list(tags.labels))


def _shares(
    tags: TaggingTables, counts: pd.DataFrame, items: int, rule: Rule
) -> dict[tuple[str, str], Estimate]:
    table, labels = counts.to_numpy(), list(counts.columns)
    places: tuple[Ints, Ints] = np.triu_indices(len(labels), k=1)
    return {
        (labels[one], labels[other]): _of_items(tags, int(table[one, other]), items, rule)
        for one, other in zip(*places, strict=True)
    }
