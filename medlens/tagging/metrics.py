"""The figures of the error-tagging study, drawn by pages and written by exports alike.

Source: Roy et al. 2024, "Beyond Accuracy: Investigating Error Types in GPT-4 Responses to USMLE
Questions" (arXiv:2404.13307).

Make the judgments ready once with :func:`tagged`; every other function takes what it returns.
:func:`figures` writes all of them as rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pandas as pd

from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow, figure_rows
from medlens.tagging.metrics_agreement import (
    LabelAgreement,
    SpanAgreement,
    label_agreement,
    set_agreement,
    span_agreement,
)
from medlens.tagging.metrics_labels import (
    cooccurrence,
    cooccurrence_shares,
    located_spans,
    of_judgments,
    positions,
    prevalence,
    same_passage,
    same_passage_shares,
    with_consensus,
)
from medlens.tagging.metrics_raters import (
    BREACHES,
    RaterSeverity,
    breaches,
    could_break,
    severity,
    times,
)
from medlens.tagging.metrics_tables import RULES, Rule, Tagged, consensus, spans_table, tagged

if TYPE_CHECKING:
    from medlens.tagging.taxonomy import Taxonomy

__all__ = [
    "RULES",
    "LabelAgreement",
    "RaterSeverity",
    "Rule",
    "SpanAgreement",
    "Tagged",
    "breaches",
    "consensus",
    "cooccurrence",
    "cooccurrence_shares",
    "could_break",
    "counts",
    "figures",
    "label_agreement",
    "located_spans",
    "positions",
    "prevalence",
    "same_passage",
    "same_passage_shares",
    "set_agreement",
    "severity",
    "span_agreement",
    "spans_table",
    "tagged",
    "times",
    "with_consensus",
]


def figures(
    judgments: pd.DataFrame,
    items: pd.DataFrame,
    taxonomy: Taxonomy,
    *,
    gold: Mapping[str, Estimate] | None = None,
    study: str = "tagging",
) -> pd.DataFrame:
    """Every figure of the study as a table with ``FIGURE_COLUMNS``.

    ``judgments``, ``items`` and errors as in :func:`tagged`; ``gold`` the hits on gold items
    by rater, from the spine.
    Cells that do not apply are missing; the method of an undefined figure is its reason.
    """
    return figure_rows(_all(tagged(judgments, taxonomy, items=items), gold or {}), study=study)


def _all(tags: Tagged, gold: Mapping[str, Estimate]) -> Iterator[FigureRow]:
    yield from counts(tags)
    for rule in RULES:
        yield f"items_with_label_{rule}", "", with_consensus(tags, rule)
        yield from ((f"prevalence_{rule}", *one) for one in prevalence(tags, rule).items())
    yield from _agreement(tags)
    for rule in RULES:
        for pair, share in cooccurrence_shares(tags, rule).items():
            yield f"cooccurrence_{rule}", " + ".join(pair), share
    for pair, share in same_passage_shares(tags).items():
        yield "cooccurrence_same_passage", " + ".join(pair), share
    for label, shares in positions(tags).items():
        for tenth, share in enumerate(shares, start=1):
            yield "position", f"{label}, tenth {tenth:02d}", share
    yield from _raters(tags, gold)


def counts(tags: Tagged) -> Iterator[FigureRow]:
    """How much there is, and how many marks have a known place."""
    found = {
        "items": len(tags.items),
        "judgments": len(tags.judged),
        "raters": int(tags.judged["rater"].nunique()),
    }
    for name, count in found.items():
        yield name, "", Estimate(float(count), None, None, count, "count")
    yield "spans_located", "", located_spans(tags)


def _agreement(tags: Tagged) -> Iterator[FigureRow]:
    for label, one in label_agreement(tags).items():
        yield "label_use", label, one.use
        yield "alpha", label, one.alpha
        yield "ac1", label, one.ac1
        yield "fleiss_kappa", label, one.fleiss
        yield "percent_agreement", label, one.percent
    for distance, estimate in set_agreement(tags).items():
        yield "alpha_label_sets", distance, estimate
    spans = span_agreement(tags)
    yield "span_f1_exact", "same label", spans.exact
    yield "span_f1_exact", "any label", spans.exact_any_label
    yield "span_f1_overlap", "same label", spans.overlap
    yield "span_f1_overlap", "any label", spans.overlap_any_label
    yield from (("alpha_tokens", *one) for one in spans.tokens.items())


def _raters(tags: Tagged, gold: Mapping[str, Estimate]) -> Iterator[FigureRow]:
    for rater, one in severity(tags).items():
        yield "rater_severity", rater, one.difference
        yield "rater_errors_per_item", rater, one.errors
        for label, share in one.non_error.items():
            yield f"rater_share_{label}", rater, share
    overall, by_rater = times(tags)
    yield "seconds_per_item", "", overall
    yield from (("rater_seconds_per_item", *one) for one in by_rater.items())
    found = breaches(tags)
    for what in BREACHES:
        broken = pd.MultiIndex.from_frame(found.loc[found["what"] == what, ["item", "rater"]])
        judged = pd.MultiIndex.from_frame(tags.judged[["item", "rater"]])
        rows = could_break(tags, what)
        yield "rule_breaches", what, of_judgments(tags, judged.isin(broken)[rows], rows)
    if gold:
        yield from (("gold_hit_rate", *one) for one in gold.items())
