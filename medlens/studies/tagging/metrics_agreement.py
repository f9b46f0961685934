"""How well raters agree: label by label, on the set of labels, and on the marked words.

In the published study agreement is near zero, so no label is shown without these.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from medlens.deferred_module import np
from medlens.review.mark_agreement import (
    Marked,
    compute_mark_agreement,
    mark_agreement_functions_by_name_and_meaning,
)
from medlens.review.tasks import Wholes
from medlens.stats.alpha_and_intraclass_correlation import (
    distance_matrix_of_label_sets,
    estimate_alpha_from_distance,
    estimate_krippendorff_alpha,
)
from medlens.stats.estimate import Estimate
from medlens.stats.kappa import estimate_fleiss_kappa, estimate_gwet_ac1, estimate_percent_agreement
from medlens.stats.rating_counts import RatingCounts
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.stats.span_agreement import RaterMarks, estimate_mean_span_f1_between_raters
from medlens.studies.tagging.metrics_input_tables import Ints, TaggingTables, label_position_of_rows
from medlens.studies.tagging.metrics_label_prevalence_pairs_and_places import (
    estimate_share_of_judgments,
)

SetDistance = Literal["masi", "jaccard"]


@dataclass(frozen=True)
class LabelAgreement:
    """Agreement on whether an item carries one label, and how often raters give it."""

    alpha: Estimate
    ac1: Estimate
    fleiss: Estimate
    percent: Estimate
    use: Estimate


def agreement_by_label(tags: TaggingTables) -> dict[str, LabelAgreement]:
    """Agreement by label id: each rater's rating of an item is whether they gave the label."""
    raters, given = tags.array_of_rater_counts_of_items, tags.rater_count_matrix_of_items_and_labels
    people = tags.judged["rater"].nunique()
    found = {}
    for code, label in enumerate(tags.labels):
        counts = RatingCounts.from_counts(
            np.column_stack([raters - given[:, code], given[:, code]])
        )
        found[label] = LabelAgreement(
            alpha=note_estimate_speaks_for_these_raters(
                estimate_krippendorff_alpha(counts, level="nominal"), people
            ),
            ac1=note_estimate_speaks_for_these_raters(estimate_gwet_ac1(counts), people),
            fleiss=note_estimate_speaks_for_these_raters(estimate_fleiss_kappa(counts), people),
            percent=note_estimate_speaks_for_these_raters(
                estimate_percent_agreement(counts), people
            ),
            use=estimate_share_of_judgments(tags, tags.given[:, code]),
        )
    return found


def label_set_agreement_by_distance(
    tags: TaggingTables, distances: Sequence[SetDistance] = ("masi", "jaccard")
) -> dict[str, Estimate]:
    """Krippendorff's alpha on each rater's set of labels, by distance."""
    raters = tags.array_of_rater_counts_of_items
    usable = np.flatnonzero(raters >= 2)
    rank = np.full(len(tags.items), -1)
    rank[usable] = np.arange(len(usable))
    row = rank[tags.item]
    given = tags.given[row >= 0]
    # Sets of labels in the order of their rows, which comparing them as bits finds much sooner.
    bits = np.packbits(given, axis=1)
    keys = np.ascontiguousarray(bits).view(np.dtype((np.void, bits.shape[1]))).ravel()
    _, first, code = np.unique(keys, return_index=True, return_inverse=True)
    patterns = given[first]
    table = np.zeros((len(usable), len(patterns)), dtype=np.int64)
    np.add.at(table, (row[row >= 0], code.ravel()), 1)
    # Items with fewer than two raters affect coverage only; a row of zeros stands for all of them.
    counts = RatingCounts.from_counts(table)
    counts = replace(
        counts,
        table=np.vstack([counts.table, np.zeros((1, len(patterns)), dtype=np.int64)]),
        times=np.append(counts.times, len(tags.items) - len(usable)),
    )
    names = np.array(tags.labels, dtype=object)
    sets = [frozenset(names[pattern]) for pattern in patterns]
    return {
        name: note_estimate_speaks_for_these_raters(
            estimate_alpha_from_distance(
                counts,
                distance_matrix_of_label_sets(sets, name),
                method=f"Krippendorff's alpha ({_CALLED[name]})",
            ),
            tags.judged["rater"].nunique(),
        )
        for name in distances
    }


_CALLED: Mapping[SetDistance, str] = {"masi": "MASI distance", "jaccard": "Jaccard distance"}


def whole_agreement_functions_by_name_and_meaning(tags: TaggingTables) -> Wholes:
    """Agreement on whole judgments: sets of labels, marked words."""
    rows = tags.judged.groupby("rater", sort=False).indices

    def of(raters: Collection[str]) -> TaggingTables:
        return tags.narrow_tables_to_judged_rows(
            np.sort(np.concatenate([rows[one] for one in raters if one in rows]))
        )

    def sets(raters: Collection[str]) -> Estimate:
        return label_set_agreement_by_distance(of(raters), ("masi",))["masi"]

    def spans(raters: Collection[str]) -> Estimate:
        some = of(raters)
        return estimate_mean_span_f1_between_raters(
            _marks(some)[0], match="overlap", labels=True, items=len(some.items)
        )

    return {
        (
            "Alpha on all labels (MASI)",
            "how similar the sets of labels are; partial overlap counts",
        ): (sets),
        **mark_agreement_functions_by_name_and_meaning(spans),
    }


def compute_span_f1s_and_word_alphas(tags: TaggingTables) -> Marked:
    """Agreement on the marked words of the responses.

    A judgment with a span whose place is unknown cannot be compared and is left out entirely;
    ``coverage`` is the compared items' share of all items judged.
    """
    marks, items = _marks(tags)
    texts = [tags.texts[tags.items[item]] for item in items]
    return compute_mark_agreement(marks, texts, tags.labels, items=len(tags.items))


def _marks(tags: TaggingTables) -> tuple[RaterMarks, Ints]:
    """Spans of the judgments whose spans are all located, and the positions of their items."""
    row = tags.spans["row"].to_numpy(dtype=np.int64)
    placed = tags.spans["start"].notna().to_numpy(dtype=bool)
    has_text = np.array([name in tags.texts for name in tags.items], dtype=bool)
    kept = has_text[tags.item]
    kept[row[~placed]] = False
    items, item = np.unique(tags.item[kept], return_inverse=True)
    judgment = np.cumsum(kept) - 1
    inside = kept[row]
    spans = tags.spans[inside]
    return RaterMarks(
        item=item.astype(np.int64),
        judgment=judgment[row[inside]],
        start=spans["start"].to_numpy(dtype=np.int64),
        end=spans["end"].to_numpy(dtype=np.int64),
        label=label_position_of_rows(spans, tags.labels),
    ), items
