"""The figures of the error-tagging study, for pages and exports alike.

Source: Roy et al. 2024, "Beyond Accuracy: Investigating Error Types in GPT-4 Responses to USMLE
Questions" (arXiv:2404.13307).

Prepare the judgments once with :func:`tagged`; every other function takes its result.
``medlens.studies.tagging.figures`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from medlens.deferred_module import pd
from medlens.review.mark_agreement import Marked
from medlens.stats.estimate import Estimate, FigureRow
from medlens.studies.tagging.metrics_agreement import (
    LabelAgreement,
)
from medlens.studies.tagging.metrics_input_tables import (
    RULES,
    TaggingTables,
)
from medlens.studies.tagging.metrics_label_prevalence_pairs_and_places import (
    cooccurrence_shares_by_label_pair,
    estimate_share_of_items_with_any_label,
    estimate_share_of_judgments,
    estimate_share_of_located_spans,
    prevalence_by_label,
    same_passage_shares_by_label_pair,
    span_shares_per_tenth_by_label,
)
from medlens.studies.tagging.metrics_rater_severity_time_and_breaches import (
    BREACHES,
    array_of_rows_that_could_break_rule,
    median_seconds_overall_and_by_rater,
    rule_breaches_table,
    severity_by_rater,
)


def prevalence_rows(tags: TaggingTables) -> Iterator[FigureRow]:
    """How many responses have each label, under each rule."""
    for rule in RULES:
        yield f"items_with_label_{rule}", "", estimate_share_of_items_with_any_label(tags, rule)
        yield from ((f"prevalence_{rule}", *one) for one in prevalence_by_label(tags, rule).items())


def cooccurrence_rows(tags: TaggingTables) -> Iterator[FigureRow]:
    """Which pairs of labels were given together, under each rule and on the same words."""
    for rule in RULES:
        for pair, share in cooccurrence_shares_by_label_pair(tags, rule).items():
            yield f"cooccurrence_{rule}", " + ".join(pair), share
    for pair, share in same_passage_shares_by_label_pair(tags).items():
        yield "cooccurrence_same_passage", " + ".join(pair), share


def span_position_rows(tags: TaggingTables) -> Iterator[FigureRow]:
    """Where in the response the marks of each label lie."""
    for label, shares in span_shares_per_tenth_by_label(tags).items():
        for tenth, share in enumerate(shares, start=1):
            yield "position", f"{label}, tenth {tenth:02d}", share


def rows_of_counts(tags: TaggingTables) -> Iterator[FigureRow]:
    """How many items, judgments and raters there are, and how many marks have a place."""
    found = {
        "items": len(tags.items),
        "judgments": len(tags.judged),
        "raters": int(tags.judged["rater"].nunique()),
    }
    for name, count in found.items():
        yield name, "", Estimate(float(count), None, None, count, "count")
    yield "spans_located", "", estimate_share_of_located_spans(tags)


def agreement_rows(
    labels: Mapping[str, LabelAgreement], sets: Mapping[str, Estimate], spans: Marked
) -> Iterator[FigureRow]:
    """How well raters agree on labels, on sets of labels and on the marked words."""
    for label, one in labels.items():
        yield "label_use", label, one.use
        yield "alpha", label, one.alpha
        yield "ac1", label, one.ac1
        yield "fleiss_kappa", label, one.fleiss
        yield "percent_agreement", label, one.percent
    for distance, estimate in sets.items():
        yield "alpha_label_sets", distance, estimate
    for (match, which), f1 in spans.f1.items():
        yield f"span_f1_{match}", which, f1
    yield from (("alpha_tokens", *one) for one in spans.words.items())


def rater_severity_and_duration_rows(tags: TaggingTables) -> Iterator[FigureRow]:
    """How severe each rater is, and how long each takes."""
    for rater, one in severity_by_rater(tags).items():
        yield "rater_severity", rater, one.difference
        yield "rater_errors_per_item", rater, one.errors
        for label, share in one.non_error.items():
            yield f"rater_share_{label}", rater, share
    overall, by_rater = median_seconds_overall_and_by_rater(tags)
    yield "seconds_per_item", "", overall
    yield from (("rater_seconds_per_item", *one) for one in by_rater.items())


def rule_breach_rows(tags: TaggingTables) -> Iterator[FigureRow]:
    """How many judgments break each rule, of those that could."""
    found = rule_breaches_table(tags)
    for what in BREACHES:
        broken = pd.MultiIndex.from_frame(found.loc[found["what"] == what, ["item", "rater"]])
        judged = pd.MultiIndex.from_frame(tags.judged[["item", "rater"]])
        rows = array_of_rows_that_could_break_rule(tags, what)
        yield (
            "rule_breaches",
            what,
            estimate_share_of_judgments(tags, judged.isin(broken)[rows], rows),
        )
