"""How far raters mark the same words of a text: what every study with marks shows about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from medlens.deferred_module import np, pd
from medlens.review.chart_specifications import (
    Axis,
    Chart,
    Entry,
    Row,
    Rows,
    Series,
    chart_entries_as_table,
    list_reasons_for_undefined_estimates,
)
from medlens.review.tasks import Wholes
from medlens.stats.estimate import Estimate, format_number
from medlens.stats.span_agreement import RaterMarks, estimate_mean_span_f1_between_raters
from medlens.stats.token_agreement import list_token_alpha_of_each_label

F1S: tuple[tuple[Literal["exact", "overlap"], str, str], ...] = (
    ("exact", "same label", "Exactly the same words and label"),
    ("exact", "any label", "Exactly the same words"),
    ("overlap", "same label", "Overlapping words, same label"),
    ("overlap", "any label", "Overlapping words"),
)
"""The kinds of F1: how marks match, whether labels are compared, and both in words."""
READING = (
    "1 is full agreement, 0 what chance alone would give, below 0 worse than chance; where the "
    "interval reaches 0, agreement cannot be told from chance."
)
ALPHA = Axis("Krippendorff's alpha", low=-0.1, high=0.4, zero=True)


@dataclass(frozen=True)
class Marked:
    """Agreement on marks: ``f1`` keyed by the first two entries of each of ``F1S``, ``words``
    (alpha over words) by label.
    """

    f1: Mapping[tuple[str, str], Estimate]
    words: Mapping[str, Estimate]


def compute_mark_agreement(
    marks: RaterMarks, texts: Sequence[str], labels: Sequence[str], *, items: int
) -> Marked:
    """Agreement on marks in ``texts``, by item number. ``items`` were judged; some may have no
    judgment here (if its marks have no place); ``coverage`` is a share of them all.
    """
    twice = np.flatnonzero(np.bincount(marks.item) >= 2)
    coverage = len(twice) / items if items else None
    alphas = list_token_alpha_of_each_label(marks, texts, labels=len(labels))
    return Marked(
        f1={
            (match, which): estimate_mean_span_f1_between_raters(
                marks, match=match, labels=which == "same label", items=items
            )
            for match, which, _ in F1S
        },
        words={
            label: replace(one, coverage=coverage)
            for label, one in zip(labels, alphas, strict=True)
        },
    )


def extract_marks_and_their_rows(
    judged: pd.DataFrame, labels: Sequence[str]
) -> tuple[RaterMarks, pd.DataFrame]:
    """The marks of judgments (``item_id``, and ``value`` with its ``spans``), and the rows of these
    judgments; items are numbered in order of appearance. A judgment with a mark without a place
    cannot be compared and is left out.
    """
    code = {label: at for at, label in enumerate(labels)}
    placed = [all(span.start is not None for span in value.spans) for value in judged["value"]]
    rows = judged[np.array(placed, dtype=bool)]
    return RaterMarks.from_judgments(
        (item, [(one.start, one.end, code[label]) for one in value.spans for label in one.labels])
        for item, value in zip(
            pd.factorize(rows["item_id"])[0].tolist(), rows["value"], strict=True
        )
    ), rows


def mark_agreement_functions_by_name_and_meaning(
    measure: Callable[[Collection[str]], Estimate],
) -> Wholes:
    """Agreement on marks, as ``Wholes`` of some raters' judgments."""
    said = "how many marks overlap another rater's with the same label"
    return {("Span F1", said): measure}


def span_f1_function_by_name_and_meaning(judged: pd.DataFrame, labels: Sequence[str]) -> Wholes:
    """``wholes`` of judgments like those of ``extract_marks_and_their_rows``, by ``rater``."""
    marks, rows = extract_marks_and_their_rows(judged, labels)
    of_rater = rows.groupby("rater", sort=False).indices
    item = pd.factorize(judged["item_id"])[0]
    items_of = {one: item[at] for one, at in judged.groupby("rater", sort=False).indices.items()}

    def measure(raters: Collection[str]) -> Estimate:
        known = [one for one in raters if one in items_of]
        some = [of_rater[one] for one in known if one in of_rater]
        judgments = np.sort(np.concatenate(some)) if some else np.empty(0, dtype=np.int64)
        items = len(np.unique(np.concatenate([items_of[one] for one in known]))) if known else 0
        return estimate_mean_span_f1_between_raters(
            marks.select_judgments(judgments), match="overlap", labels=True, items=items
        )

    return mark_agreement_functions_by_name_and_meaning(measure)


# -- charts ----------------------------------------------------------------------------------------


def span_f1_chart(study: str, name: str, entries: Sequence[Entry], *, thing: str) -> Chart:
    """F1 between raters' marks, with an entry for each of ``F1S``."""
    last = entries[-1][3]
    return Chart(
        name=name,
        title="How often another rater makes the same mark",
        n="1: raters mark the same words; 0: never. Unlike alpha, this does not correct for chance,"
        f" so long marks overlap easily. F1 between raters, {_many(last.n, thing)} with two"
        f" raters or more ({format_number(last.coverage, 'percent') or 'none'} of those judged).",
        note="1: every mark of one rater is a mark of the other. Chance is not corrected for.",
        alt="Points with intervals: F1 between raters' marks, exact and overlapping.",
        drawing=_points(entries, "F1", Axis("F1", low=0, high=1), [""] * len(F1S)),
        table=chart_entries_as_table(study, entries),
        marks=tuple(mark for *_, mark in entries),
        undefined=list_reasons_for_undefined_estimates(entries),
    )


def word_alpha_chart(
    study: str, name: str, entries: Sequence[Entry], *, thing: str, colours: Sequence[str]
) -> Chart:
    """Alpha over single words, with an entry and a colour for each label."""
    first = entries[0][3]
    return Chart(
        name=name,
        title="How well raters agree on the words of each label",
        n=f"{READING} {_many(first.n, thing)} on which two raters or more have marks with a known"
        f" place ({format_number(first.coverage, 'percent') or 'none'} of the {thing}s judged).",
        note="Each word of a text either lies in a mark with the label or does not.",
        alt="Points with intervals: alpha over words for each label.",
        drawing=_points(entries, "alpha", replace(ALPHA, title="Alpha over words"), colours),
        table=chart_entries_as_table(study, entries),
        marks=tuple(mark for *_, mark in entries),
        undefined=list_reasons_for_undefined_estimates(entries),
    )


def _many(n: int, thing: str) -> str:
    return f"{n:,} {thing}{'s' if n != 1 else ''}"


def _points(
    entries: Sequence[Entry], called: str, axis: Axis, colours: Sequence[str]
) -> Rows | None:
    rows = [
        Row(label, colour, (one,), (mark,))
        for (label, _, _, one, mark), colour in zip(entries, colours, strict=False)
        if one.has_value
    ]
    return Rows(rows, [Series(called, "point")], axis) if rows else None
