"""The charts of error tagging: labels, agreement between raters, raters, broken rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from medlens.deferred_module import pd
from medlens.review import mark_agreement
from medlens.review.chart_specifications import (
    GREY_NOTE,
    Axis,
    Cell,
    Chart,
    Heat,
    HeatRow,
    Kind,
    Row,
    Rows,
    Series,
    make_mark_id,
)
from medlens.stats.estimate import (
    FEW,
    Estimate,
    FigureRow,
    drop_empty_speaks_for_column,
    estimate_in_words,
    figure_rows_as_table,
    format_number,
    use_real_minus_sign,
)
from medlens.stats.intervals import wilson_share_estimate
from medlens.studies.tagging import (
    metrics,
    metrics_input_tables,
    metrics_label_prevalence_pairs_and_places,
    metrics_rater_severity_time_and_breaches,
)
from medlens.studies.tagging.figures_data import TaggingFigureData
from medlens.studies.tagging.metrics_rater_severity_time_and_breaches import BREACHES, NO_REFERENCE
from medlens.studies.tagging.tasks import STUDY

_RULE_TEXT: dict[metrics_input_tables.Rule, str] = {
    "relaxed": "relaxed: any rater",
    "strict": "strict: two raters, or the only one",
}
_SIGNS: tuple[Kind, ...] = ("diamond", "square")


def estimates_table(rows: list[tuple[str, str, Estimate]]) -> pd.DataFrame:
    """Rows as ``export figures`` writes them, without the study's name."""
    return drop_empty_speaks_for_column(
        figure_rows_as_table(rows, study="tagging").drop(columns=["study", "p"])
    )


def _counted(source: TaggingFigureData) -> Iterator[FigureRow]:
    """The counts, and how many responses have a label under each rule, as exported."""
    yield from metrics.rows_of_counts(source.tagging_tables)
    for rule in metrics_input_tables.RULES:
        yield (
            f"items_with_label_{rule}",
            "",
            metrics_label_prevalence_pairs_and_places.estimate_share_of_items_with_any_label(
                source.tagging_tables, rule
            ),
        )


def prevalence_chart(source: TaggingFigureData) -> Chart:
    """Share of the responses with each label: relaxed and strict, beside published labels."""
    tags = source.tagging_tables
    found = {
        rule: metrics_label_prevalence_pairs_and_places.prevalence_by_label(tags, rule)
        for rule in metrics_input_tables.RULES
    }
    series = [Series(_RULE_TEXT["relaxed"], "bar"), Series(_RULE_TEXT["strict"], "hatched")]
    published = _published(source)
    for at, name in enumerate(published):
        over = list(metrics_input_tables.RULES).index(
            closest_rule_and_match_counts_by_source(source)[name][0]
        )
        series.append(Series(f"published: {name}", _SIGNS[at % len(_SIGNS)], over))
    rows, table, marks = [], [], []
    for label in tags.labels:
        lines = [
            (found[rule][label], make_mark_id("label", rule, label), f"prevalence_{rule}")
            for rule in metrics_input_tables.RULES
        ]
        lines += [
            (shares[label], make_mark_id("published", name, label), f"published {name}")
            for name, shares in published.items()
        ]
        rows.append(
            Row(
                source.label_name_with_number(label),
                source.label_of_taxonomy(label).colour,
                tuple(one for one, _, _ in lines),
                tuple(mark for _, mark, _ in lines),
                aside=source.label_agreement_in_words(label),
            )
        )
        table += [(figure, label, one) for one, _, figure in lines]
        marks += [mark for _, mark, _ in lines]
    with_label = {
        rule: metrics_label_prevalence_pairs_and_places.estimate_share_of_items_with_any_label(
            tags, rule
        )
        for rule in metrics_input_tables.RULES
    }
    frame = estimates_table(table)
    alphas = {label: one.alpha.value for label, one in source.agreement_by_label.items()}
    frame.insert(2, "alpha", frame["group"].map(alphas).astype("float64"))
    counted = ", ".join(f"{one.numerator} {rule}" for rule, one in with_label.items())
    return Chart(
        name="prevalence",
        title="How often each label was given",
        n=f"Share of the responses with a label ({counted}), with 95% intervals. {GREY_NOTE}",
        note="Relaxed: any rater gave the label. Strict: at least two raters did, or the only one. "
        "To the right of each name: how well raters agree on it.",
        alt="Bars: share of responses with each label under the relaxed and the strict rule.",
        drawing=Rows(
            rows, series, Axis("Share of the responses with a label", "percent", high=0.2)
        ),
        table=frame,
        series=tuple(series),
        marks=tuple(marks),
        printed=(*_counted(source), *source.medqa_accuracy_rows),
    )


def _published(source: TaggingFigureData) -> dict[str, dict[str, Estimate]]:
    """Shares of the published labels, by source and label."""
    found: dict[str, dict[str, Estimate]] = {}
    for name, answers in source.published_labels_by_source_and_item.items():
        n = sum(bool(labels) for labels in answers.values())
        for label in source.tagging_tables.labels:
            share = wilson_share_estimate(
                sum(label in labels for labels in answers.values()), n, unit="items"
            )
            method = f"{share.method}; of the items with a label in {name}"
            found.setdefault(name, {})[label] = replace(share, method=method)
    return found


def list_published_label_match_counts_per_rule(
    source: TaggingFigureData,
) -> list[tuple[metrics_input_tables.Rule, str, int, int]]:
    """Each rule against each published source: rule, source, items with the same labels, items
    compared. Items on which no answer holds are left out.
    """
    rows = []
    for name, theirs in source.published_labels_by_source_and_item.items():
        for rule in metrics_input_tables.RULES:
            ours = source.labels_by_item_by_rule[rule]
            every = set(ours) | {item for item, labels in theirs.items() if labels}
            every -= source.ids_of_items_without_valid_answer
            none: frozenset[str] = frozenset()
            same = sum(ours.get(item, none) == theirs.get(item, none) for item in every)
            rows.append((rule, name, same, len(every)))
    return rows


def closest_rule_and_match_counts_by_source(
    source: TaggingFigureData,
) -> dict[str, tuple[metrics_input_tables.Rule, int, int]]:
    """The closest rule to each published source: rule, items with the same labels, items."""
    best: dict[str, tuple[metrics_input_tables.Rule, int, int]] = {}
    for rule, name, same, n in list_published_label_match_counts_per_rule(source):
        if name not in best or same * best[name][2] > best[name][1] * n:
            best[name] = (rule, same, n)
    return best


def list_label_match_sentences_with_mark_ids(source: TaggingFigureData) -> list[tuple[str, str]]:
    """How many responses have the published labels, by source, with the mark of the rest."""
    said = []
    for name, (rule, same, n) in closest_rule_and_match_counts_by_source(source).items():
        mark = make_mark_id("differs", rule, name) if same < n else ""
        said.append(
            (f"Our {rule} rule and {name}: {same} of {n} responses have the same labels.", mark)
        )
    return said


def cooccurrence_chart(source: TaggingFigureData, rule: str) -> Chart:
    """Which labels were given together: under a rule, or on the same words (``passage``)."""
    tags = source.tagging_tables
    known = next((one for one in metrics_input_tables.RULES if one == rule), None)
    if known:
        counts, shares = (
            metrics_label_prevalence_pairs_and_places.label_cooccurrence_counts_table(tags, known),
            metrics_label_prevalence_pairs_and_places.cooccurrence_shares_by_label_pair(
                tags, known
            ),
        )
        unit, figure = "responses", f"cooccurrence_{known}"
    else:
        counts, shares = (
            metrics_label_prevalence_pairs_and_places.same_passage_counts_table(tags),
            metrics_label_prevalence_pairs_and_places.same_passage_shares_by_label_pair(tags),
        )
        unit, figure = "judgments", "cooccurrence_same_passage"
    table = counts.to_numpy()
    size = len(tags.labels)
    most = max([int(table[i, j]) for i in range(size) for j in range(size) if i != j], default=0)
    kind = ("both", known) if known else ("passage",)
    rows = [
        HeatRow(
            source.label_name_with_number(one),
            "",
            tuple(
                _pair(source, shares, unit, int(table[i, j]), most, kind, one, other)
                for j, other in enumerate(tags.labels)
            ),
            aside=f"{table[i, i]} {unit}",
        )
        for i, one in enumerate(tags.labels)
    ]
    n = next(iter(shares.values())).denominator if shares else 0
    what = "Responses with both labels" if known else "Judgments with both labels on shared words"
    return Chart(
        name=f"together_{rule}",
        title="Labels given together",
        n=f"{what}; n = {n:,} {unit} with a label. Outlined: all {unit} with that label.",
        note="The columns have the same numbers as the rows.",
        alt=f"Heat map: number of {unit} that carry each two labels.",
        drawing=Heat(rows, [source.text_of_label_key_or_position(x) for x in tags.labels]),
        table=estimates_table([(figure, " + ".join(pair), one) for pair, one in shares.items()]),
        marks=tuple(make_mark_id(*kind, *pair) for pair in shares),
    )


def _pair(
    source: TaggingFigureData,
    shares: Mapping[tuple[str, str], Estimate],
    unit: str,
    count: int,
    most: int,
    kind: tuple[str, ...],
    one: str,
    other: str,
) -> Cell:
    names = source.label_of_taxonomy(one).name
    mark = make_mark_id(*kind, one, other) if count else ""
    if one == other:
        return Cell(0.0, str(count), f"{names}\n{count} {unit}", mark)
    share = shares.get((one, other)) or shares[(other, one)]
    hover = (
        f"{names} +\n{source.label_of_taxonomy(other).name}: {estimate_in_words(share, 'percent')}"
    )
    return Cell(count / most if most else 0.0, str(count) if count else "·", hover, mark)


def span_positions_chart(source: TaggingFigureData) -> Chart:
    """Where in the response the spans of each label lie, in tenths."""
    tags = source.tagging_tables
    found = metrics_label_prevalence_pairs_and_places.span_shares_per_tenth_by_label(tags)
    most = max((one.value or 0 for shares in found.values() for one in shares), default=0) or 1
    rows, undefined, marks, table = [], [], [], []
    for label, shares in found.items():
        cells = []
        for tenth, one in enumerate(shares, start=1):
            mark = make_mark_id("tenth", label, str(tenth))
            table.append(("position", f"{label}, tenth {tenth:02d}", one))
            marks.append(mark)
            cells.append(_place(source.label_of_taxonomy(label).name, tenth, one, most, mark))
        first = shares[0]
        if first.has_value:
            n, few = first.n, first.n < FEW
            rows.append(
                HeatRow(
                    source.label_name_with_number(label),
                    source.label_of_taxonomy(label).colour,
                    tuple(cells),
                    aside=f"{source.label_agreement_in_words(label)} · n = {n}",
                    faint=few,
                )
            )
        else:
            undefined.append(
                f"{source.label_of_taxonomy(label).name}: undefined, because {first.reason}."
            )
    located = metrics_label_prevalence_pairs_and_places.estimate_share_of_located_spans(tags)
    return Chart(
        name="positions",
        title="Where in the response each label falls",
        n="Marks whose middle falls in each tenth of the response, from its beginning to its end. "
        f"{located.numerator} of {located.denominator} marks have a known place. {GREY_NOTE}",
        note="Each rater's mark counts once. The number in a cell is the number of marks.",
        alt="Heat map: number of marks of each label in each tenth of the response.",
        drawing=Heat(rows, ["start", *map(str, range(2, 10)), "end"]) if rows else None,
        table=estimates_table(table),
        marks=tuple(marks),
        undefined=tuple(undefined),
    )


def _place(name: str, tenth: int, one: Estimate, most: float, mark: str) -> Cell:
    hover = f"{name}\ntenth {tenth}: {estimate_in_words(one, 'percent')}"
    if not one.numerator:
        return Cell(0.0, "·", hover, "")
    return Cell((one.value or 0.0) / most, f"{one.numerator:,}", hover, mark)


# -- agreement -------------------------------------------------------------------------------------


def label_agreement_in_words(source: TaggingFigureData) -> str:
    """Agreement on all labels in one sentence, shown beside any figure about labels."""
    alphas = [one.alpha for one in source.agreement_by_label.values()]
    known = sorted(one.value for one in alphas if one.value is not None)
    if not known:
        reason = alphas[0].reason if alphas else "there are no labels"
        return f"Agreement between raters is undefined, because {reason}."
    return (
        f"Agreement between raters on single labels (alpha): {format_number(known[0])} to "
        f"{format_number(known[-1])}, where 1 is full agreement and 0 is chance."
    )


def label_agreement_chart(source: TaggingFigureData) -> Chart:
    """Alpha by label and on whole label sets, with the other measures in the table."""
    found, sets = source.agreement_by_label, source.label_set_agreement_by_distance
    rows = [
        Row(
            source.label_name_with_number(label),
            source.label_of_taxonomy(label).colour,
            (one.alpha,),
            (make_mark_id("agreement", label),),
            aside=_used(one.use),
        )
        for label, one in found.items()
    ]
    rows += [
        Row(f"Whole label set ({_SETS[name]})", "", (one,), (make_mark_id("all"),))
        for name, one in sets.items()
    ]
    table = [
        _measures(source.label_of_taxonomy(label).name, one.alpha)
        | {
            "AC1": one.ac1.value,
            "AC1 low": one.ac1.low,
            "AC1 high": one.ac1.high,
            "Fleiss' kappa": _said(one.fleiss),
            "percent agreement": one.percent.value,
            "share of judgments": one.use.value,
        }
        for label, one in found.items()
    ]
    table += [_measures(f"whole label set, {_SETS[name]}", one) for name, one in sets.items()]
    alphas = {source.label_of_taxonomy(x).name: one.alpha for x, one in found.items()}
    alphas |= {f"Whole label set ({_SETS[name]})": one for name, one in sets.items()}
    any_alpha = next(iter(alphas.values()))
    return Chart(
        name="agreement",
        title="How well raters agree on each label",
        n=f"{mark_agreement.READING} {any_alpha.n:,} responses with two raters or more,"
        f" {any_alpha.pairs or 0:,} pairs of ratings,"
        f" {format_number(any_alpha.coverage, 'percent') or 'none'} of the responses judged. "
        "Bars are 95% intervals.",
        note="Nominal alpha; intervals by smoothed resampling of responses. Where a label is "
        "rare, compare AC1 in the table, which depends less on prevalence.",
        alt="Points with intervals: Krippendorff's alpha of each label.",
        drawing=Rows(rows, [Series("alpha", "point")], mark_agreement.ALPHA),
        table=pd.DataFrame(table),
        marks=(
            *(make_mark_id("agreement", x) for x in found),
            *(make_mark_id("all") for _ in sets),
        ),
        undefined=_reasons(alphas),
    )


_SETS = {"masi": "MASI distance", "jaccard": "Jaccard distance"}


def _used(use: Estimate) -> str:
    return f"in {format_number(use.value, 'percent')} of judgments" if use.has_value else ""


def _measures(name: str, one: Estimate) -> dict[str, object]:
    return {
        "label": name,
        "alpha": one.value,
        "low": one.low,
        "high": one.high,
        "n items": one.n,
        "n pairs": one.pairs,
        "coverage": one.coverage,
        "undefined": "" if one.has_value else f"undefined, because {one.reason}",
    }


def _said(one: Estimate) -> str:
    return (
        use_real_minus_sign(f"{one.value:.2f}")
        if one.value is not None
        else f"undefined, because {one.reason}"
    )


def _reasons(found: dict[str, Estimate]) -> tuple[str, ...]:
    return tuple(
        f"{name}: undefined, because {one.reason}."
        for name, one in found.items()
        if not one.has_value
    )


def word_agreement_chart(source: TaggingFigureData) -> Chart:
    """Alpha over single words by label: whether raters mark the same words."""
    return mark_agreement.word_alpha_chart(
        STUDY,
        "agreement_words",
        [
            (
                source.label_name_with_number(label),
                "alpha_tokens",
                label,
                one,
                make_mark_id("agreement", label),
            )
            for label, one in source.span_f1s_and_word_alphas.words.items()
        ],
        thing="response",
        colours=[
            source.label_of_taxonomy(label).colour
            for label in source.span_f1s_and_word_alphas.words
        ],
    )


def span_agreement_chart(source: TaggingFigureData) -> Chart:
    """F1 between raters' marks, exact and overlapping, with the label and without."""
    found = source.span_f1s_and_word_alphas.f1
    return mark_agreement.span_f1_chart(
        STUDY,
        "agreement_spans",
        [
            (told, f"span_f1_{match}", which, found[match, which], make_mark_id("all"))
            for match, which, told in mark_agreement.F1S
        ],
        thing="response",
    )


# -- raters ----------------------------------------------------------------------------------------


def titles_by_rater_view(source: TaggingFigureData) -> dict[str, str]:
    """The views of raters: each name with its title."""
    tags = source.tagging_tables
    shares = {
        f"share.{label}": source.label_of_taxonomy(label).name
        for label, error in zip(tags.labels, tags.is_error, strict=True)
        if not error
    }
    gold = {"gold": "Gold items"} if source.gold_hit_rates_by_rater else {}
    return {"severity": "Severity", "time": "Time", **shares, **gold}


def rater_view_chart(source: TaggingFigureData, view: str) -> Chart:
    """One view of ``of_raters``, with a line per rater."""
    if view == "time":
        return _time(source)
    if view == "gold":
        return _gold(source)
    severity = metrics_rater_severity_time_and_breaches.severity_by_rater(source.tagging_tables)
    if view == "severity":
        errors = pd.Series([one.errors.value for one in severity.values()], dtype=float)
        return _forest(
            source,
            {rater: one.difference for rater, one in severity.items()},
            name="severity",
            figure="rater_severity",
            title="Who finds more errors than the others",
            n="Error labels per response, against the mean of the response's other raters"
            f" (0: as many), with 95% intervals. Raters give {format_number(errors.mean())} error "
            "labels"
            f" per response on average. {GREY_NOTE}",
            axis=Axis("More or fewer error labels per response", low=-0.5, high=0.5, zero=True),
        )
    label = view.removeprefix("share.")
    return _forest(
        source,
        {rater: one.non_error[label] for rater, one in severity.items()},
        name=f"share_{label}",
        figure=f"rater_share_{label}",
        title=f"Share given “{source.label_of_taxonomy(label).name}”",
        n=f"Share of each rater's responses, with 95% intervals. {GREY_NOTE}",
        axis=Axis("Share of the rater's responses", "percent", high=1.0),
    )


def _time(source: TaggingFigureData) -> Chart:
    overall, by_rater = (
        metrics_rater_severity_time_and_breaches.median_seconds_overall_and_by_rater(
            source.tagging_tables
        )
    )
    said = (
        f"Median {format_number(overall.value, 'minutes')}, quartiles "
        f"{format_number(overall.low, 'minutes')} to "
        f"{format_number(overall.high, 'minutes')}, over {overall.n:,} judgments with a known time"
        if overall.has_value
        else f"Undefined, because {overall.reason}"
    )
    return _forest(
        source,
        by_rater,
        name="time",
        figure="rater_seconds_per_item",
        title="Active time per response",
        n=f"{said}. Points are medians, lines span the quartiles. {GREY_NOTE}",
        axis=Axis("Minutes", "minutes", high=60.0),
    )


def _gold(source: TaggingFigureData) -> Chart:
    return _forest(
        source,
        source.gold_hit_rates_by_rater,
        name="gold",
        figure="gold_hit_rate",
        title="Gold responses tagged as expected",
        kind="gold",
        n="A hit has every expected label and none of the other kind (error or not). 95% intervals."
        f" {GREY_NOTE}",
        axis=Axis("Share of the gold responses judged", "percent", high=1.0),
    )


def _forest(
    source: TaggingFigureData,
    found: dict[str, Estimate],
    *,
    name: str,
    figure: str,
    title: str,
    n: str,
    axis: Axis,
    kind: str = "rater",
) -> Chart:
    """Raters from the highest to the lowest; those without a value come last, in words."""
    order = sorted(found, key=lambda rater: (-(found[rater].value or 0.0), rater))
    drawn = [rater for rater in order if found[rater].has_value]
    rows = [Row(r, "", (found[r],), (make_mark_id(kind, r),)) for r in drawn]
    reasons: dict[str, list[str]] = {}
    for rater in order:
        if not found[rater].has_value:
            reasons.setdefault(found[rater].reason, []).append(rater)
    return Chart(
        name=f"raters_{name}",
        title=title,
        n=n,
        alt=f"Points with intervals, a line per rater: {title}.",
        drawing=Rows(rows, [Series("value", "point")], axis, dense=True) if rows else None,
        table=estimates_table([(figure, rater, found[rater]) for rater in order]),
        marks=tuple(make_mark_id(kind, rater) for rater in order),
        undefined=tuple(
            f"Undefined, because {reason}: {', '.join(who)}." for reason, who in reasons.items()
        ),
    )


def rule_breaches_chart(source: TaggingFigureData) -> Chart:
    """A table of the judgments that break a rule, and how many break each, in words."""
    found = metrics_rater_severity_time_and_breaches.rule_breaches_table(source.tagging_tables)
    table = pd.DataFrame(
        {
            "response": found["item"],
            "rater": found["rater"],
            "rule broken": found["what"],
            "labels": [
                "; ".join(source.label_of_taxonomy(label).name for label in given)
                for given in found["labels"]
            ],
        }
    )
    said = []
    for what in BREACHES:
        broken, of = (
            int((found["what"] == what).sum()),
            len(
                metrics_rater_severity_time_and_breaches.array_of_rows_that_could_break_rule(
                    source.tagging_tables, what
                )
            ),
        )
        which = " with a label that asks for one" if what == NO_REFERENCE else ""
        said.append(f"{what}: {broken:,} of {of:,} judgments{which}")
    return Chart(
        name="rule_breaches",
        title="Judgments that break a rule",
        n="The page refuses these; imported data can contain them. They count in every figure as"
        " given.",
        alt="Judgments that break a rule",
        table=table,
        marks=tuple(make_mark_id("response", str(name)) for name in table["response"]),
        undefined=tuple(said),
        columns={"labels": "large"},
        foldable=False,
    )
