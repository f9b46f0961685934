"""The charts of the figures section: each from the numbers that ``export figures`` writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import pandas as pd

from medlens.agentclinic import metrics
from medlens.agentclinic.biases import NONE
from medlens.agentclinic.models import OUTCOMES, STUDY
from medlens.agentclinic.tasks import MARKS
from medlens.review.charts import Axis, Chart, Row, Series, Stack, Stacks, with_published
from medlens.review.charts import signs as printed_signs
from medlens.stats.estimate import Estimate
from medlens.stats.figures import figure_rows
from medlens.stats.words import number
from medlens.ui.address import mark_id
from medlens.ui.agentclinic.figures_data import Source
from medlens.ui.figures.lines import ACCENT, rows_figure
from medlens.ui.figures.stacked import stacked_figure

Entry = tuple[str, str, str, Estimate, str]
"""Row name, figure, group, estimate, mark."""

GREY_NOTE = "Grey: n below 10."
OUTCOME_PARTS = {
    "correct": ("#2b7f9e", ""),
    "incorrect": ("#b0602a", "/"),
    "no_diagnosis": ("#8a6fae", "."),
    "error": ("#8a949b", "x"),
}
_PERCENT = "Share of correct diagnoses"


def table_of(entries: Sequence[Entry]) -> pd.DataFrame:
    """The rows as they are exported, with the published numbers of the same name beside."""
    table = figure_rows(((figure, group, one) for _, figure, group, one, _ in entries), study=STUDY)
    return with_published(STUDY, table.drop(columns=["study"]))


_UNFLAGGED = "Without flagged cases"


def rows_chart(
    source: Source,
    name: str,
    entries: Sequence[Entry],
    axis: Axis,
    *,
    title: str,
    n: str,
    note: str = "",
    unflagged: Sequence[Entry] = (),
    more: Sequence[Entry] = (),
) -> Chart:
    """A chart of rows, each with the published numbers as signs on it where there are some.

    ``unflagged`` has, for each of ``entries``, the same without the cases that the check flags.
    ``more`` stands in the table alone; what is called as one of ``entries`` there is the same under
    another figure's name, and its published numbers are drawn too.
    """
    names = [
        [(figure, group), *((other, named) for also, other, named, _, _ in more if also == label)]
        for label, figure, group, _, _ in entries
    ]
    signs = printed_signs(STUDY, names)
    kind: Literal["bar", "point"] = "bar" if axis.form == "percent" and not axis.zero else "point"
    series = [Series(title, kind)]
    columns = [[one for *_, one, _ in entries]]
    if unflagged:
        series.append(Series(_UNFLAGGED, "square", over=0))
        columns.append([one for *_, one, _ in unflagged])
    for one_series, found in signs:
        series.append(one_series)
        columns.append(found)
    rows = [
        Row(label, ACCENT[source.theme], estimates, (mark,) * len(series))
        for (label, _, _, _, mark), estimates in zip(
            entries, zip(*columns, strict=True), strict=True
        )
    ]
    undefined = tuple(
        f"{label}: undefined, because {one.reason}."
        for label, _, _, one, _ in entries
        if not one.defined
    )
    drawn = [row for row in rows if row.estimates[0].defined]
    every = [*entries, *unflagged, *more]
    figure = rows_figure(drawn, series, axis, theme=source.theme)
    return Chart(
        name=f"clinic_{name}",
        title=title,
        n=n,
        note=note,
        undefined=undefined,
        alt=f"{title}: one row per group with its 95% interval.",
        series=tuple(series),
        figure=figure if drawn else None,
        table=table_of(every),
        marks=tuple(mark for *_, mark in every),
    )


_DIMENSIONS = {
    "doctor": "doctor model",
    "patient": "patient model",
    "n_interactions": "number of messages",
    "image_mode": "way of giving images",
}


def accuracy_chart(source: Source, by: str) -> Chart:
    """Accuracy by one dimension (or ``lint``), all else at the reference."""
    return source.keep(f"accuracy.{by}", lambda: _accuracy(source, by), drawn=True)


def _accuracy(source: Source, by: str) -> Chart:
    table = source.table
    entries: list[Entry] = []
    clean: list[Entry] = []
    more: list[Entry] = []
    if by == "lint":
        for doctor, group in metrics.slices(table, "doctor").items():
            for leaks, part in group.groupby("leaks", sort=True):
                said = "tests state the diagnosis" if leaks else "tests do not state the diagnosis"
                mark = mark_id("lint", doctor, "yes" if leaks else "no")
                name = f"{doctor}, {said}"
                entries.append((name, "accuracy_by_lint", name, metrics.accuracy(part), mark))
    else:
        for value, group in metrics.slices(table, by).items():
            mark = mark_id("slice", by, value)
            _both(entries, clean, (value, f"accuracy_by_{by}", value, mark), group)
            # The paper's numbers are of one combination of rules: ours meet them where it is one.
            cells = metrics.cells(group)
            if len(cells) == 1:
                same = metrics.accuracy(group)
                more += [(value, "accuracy_by_cell", cell, same, mark) for cell in cells]
    held = ", ".join(f"{k.replace('_', ' ')} {v}" for k, v in metrics.reference(table).items())
    what = "what the tests say" if by == "lint" else _DIMENSIONS[by]
    return rows_chart(
        source,
        f"accuracy_{by}",
        entries,
        Axis(_PERCENT, "percent", high=1),
        title=f"Accuracy by {what}",
        n=f"Dialogues without a bias, else as most were played ({held}). {GREY_NOTE}",
        note="Correct among the dialogues that ended; no diagnosis counts as not correct, an error"
        " is left out. Wilson's interval, by cases where one was played repeatedly."
        f" {_CLEAN_NOTE}",
        unflagged=clean,
        more=more,
    )


_CLEAN_NOTE = "Squares: without the cases in which the check found anything (see Cases)."


def _both(
    entries: list[Entry],
    clean: list[Entry],
    named: tuple[str, str, str, str],
    group: pd.DataFrame,
) -> None:
    """Add a group's accuracy on all its cases, and on those that the check does not flag."""
    label, figure, name, mark = named
    entries.append((label, figure, name, metrics.accuracy(group), mark))
    clean.append((label, f"{figure}_unflagged", name, metrics.unflagged(group), mark))


def outcomes_chart(source: Source, by: str) -> Chart:
    """How dialogues ended by doctor, or by doctor and bias: stacked, nothing left out."""
    return source.keep(f"outcomes.{by}", lambda: _outcomes(source, by), drawn=True)


def _outcomes(source: Source, by: str) -> Chart:
    rows: list[Stack] = []
    entries: list[Entry] = []
    groups: list[tuple[str, str, tuple[str, ...], pd.DataFrame]] = []
    if by == "bias":
        for (doctor, bias), group in metrics.by_bias(source.table).items():
            groups.append((f"{doctor}, {bias}", "outcomes_by_bias", ("bias", doctor, bias), group))
    else:
        for value, group in metrics.slices(source.table, by).items():
            groups.append((value, f"outcomes_by_{by}", ("slice", by, value), group))
    for name, figure, mark, group in groups:
        shares = metrics.outcomes(group)
        marks = {str(one): mark_id(*mark, one) for one in OUTCOMES}
        rows.append(Stack(name, shares, marks))
        entries += [(name, figure, f"{name}, {one}", shares[one], marks[one]) for one in OUTCOMES]
    return Chart(
        name=f"clinic_outcomes_{by}",
        title="How the dialogues ended",
        n="From the left: correct, incorrect, no diagnosis, error; the counts stand in the bars."
        f" Share of all dialogues. {GREY_NOTE}",
        alt="Stacked bars: share of dialogues by outcome.",
        figure=stacked_figure(
            Stacks(rows, OUTCOME_PARTS, "Share of the dialogues"), theme=source.theme
        )
        if rows
        else None,
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def bias_chart(source: Source, what: str) -> Chart:
    """Biases: ``accuracy``, ``groups``, ``difference``, ``normalised``, ``each``, ``refusals``."""
    return source.keep(f"bias.{what}", lambda: _bias(source, what), drawn=True)


def _bias(source: Source, what: str) -> Chart:
    table = source.table
    entries: list[Entry] = []
    clean: list[Entry] = []
    axis = Axis(_PERCENT, "percent", high=1)
    note = ""
    if what == "accuracy":
        for (doctor, bias), group in metrics.by_bias(table).items():
            name, mark = f"{doctor}, {bias}", mark_id("bias", doctor, bias)
            _both(entries, clean, (name, "accuracy_by_bias", name, mark), group)
        title, note = "Accuracy by bias", _CLEAN_NOTE
    elif what == "groups":
        for (doctor, kind), group in metrics.by_bias_group(table).items():
            name, mark = f"{doctor}, {kind}", mark_id("group", doctor, kind)
            _both(entries, clean, (name, "accuracy_by_bias_group", name, mark), group)
        title, note = "Accuracy by kind of bias", _CLEAN_NOTE
    elif what == "difference":
        for one in source.paired:
            name, mark = f"{one.doctor}, {one.bias}", mark_id("pair", one.doctor, one.bias)
            entries.append((name, "accuracy_difference", name, one.difference, mark))
        title = "Change of accuracy under a bias, same cases"
        axis = Axis("Difference of the shares correct", "percent", low=-0.2, high=0.2, zero=True)
        note = "Pairs of the same case, rules and repeat; errors on either side are left out."
    elif what == "normalised":
        for (doctor, kind), estimate in metrics.normalised_by_group(table).items():
            name, mark = f"{doctor}, {kind}", mark_id("group", doctor, kind)
            figure = "normalised_accuracy_by_bias_group"
            entries.append((name, figure, name, estimate, mark))
        title = "Accuracy over that without a bias"
        axis = Axis("Normalised accuracy", "percent", high=1)
        note = "Intervals by smoothed resampling of the cases that both were played on."
    elif what == "each":
        for one in source.paired:
            name, mark = f"{one.doctor}, {one.bias}", mark_id("pair", one.doctor, one.bias)
            entries.append((name, "normalised_accuracy", name, one.normalised, mark))
        title = "Accuracy over that without the bias, same cases"
        axis = Axis("Normalised accuracy", "percent", high=1)
        note = "Intervals by smoothed resampling of the cases that both were played on."
    else:
        for (doctor, bias), estimate in metrics.refusals_by_doctor(table).items():
            name, mark = f"{doctor}, {bias}", mark_id("refused", bias, doctor)
            entries.append((name, "bias_refusals_by_doctor", name, estimate, mark))
        title = "Biases refused"
        axis = Axis("Share of the dialogues with the bias", "percent", high=0.2)
        note = "An agent says that it will not act on the bias, or steps out of its part."
    return rows_chart(
        source, f"bias_{what}", entries, axis, title=title, n=GREY_NOTE, note=note, unflagged=clean
    )


def patients_chart(source: Source, rating: str) -> Chart:
    """One of the patient's ratings by doctor and bias."""
    return source.keep(f"patients.{rating}", lambda: _patients(source, rating), drawn=True)


def _patients(source: Source, rating: str) -> Chart:
    entries: list[Entry] = []
    more: list[Entry] = []
    for (doctor, bias, which), one in metrics.patient_ratings(source.table).items():
        if which == rating:
            apart = one.difference
            said = (
                f" ({number(apart.value)} against none)" if bias != NONE and apart.defined else ""
            )
            name, group = f"{doctor}, {bias}{said}", f"{doctor}, {bias}, {rating}"
            mark = mark_id("bias", doctor, bias)
            entries.append((name, "patient_rating", group, one.mean, mark))
            if bias != NONE:
                named = f"{doctor}, {bias}: change"
                more.append((named, "patient_rating_difference", group, apart, mark))
    return rows_chart(
        source,
        f"patients_{rating}",
        entries,
        Axis("Mean, 1 to 10", low=1, high=10),
        title=f"Patients' {rating}",
        n=f"Means with 95% intervals, cases drawn; differences on the same cases. {GREY_NOTE}",
        more=more,
    )


def people_chart(source: Source, scale: str) -> Chart:
    """Clinicians' ratings: the means of all scales, or one scale's scores; or the ``marks``."""
    return source.keep(f"people.{scale}", lambda: _people(source, scale), drawn=True)


def _people(source: Source, scale: str) -> Chart:
    realism = source.judged[0]
    entries: list[Entry] = []
    if scale == "marks":
        names = {mark.id: mark.name for mark in MARKS}
        for mark, share in metrics.marks(realism).items():
            entries.append((names[mark], "marked", mark, share, mark_id("marked", mark)))
        return rows_chart(
            source,
            "marks",
            entries,
            Axis("Share of the judgments", "percent", high=0.2),
            title="Marks on turns",
            n=f"Judgments with the mark on any turn. {GREY_NOTE}",
        )
    found = metrics.human_ratings(realism)
    if scale == "means":
        for name, one in found.items():
            alpha = number(one.alpha.value) if one.alpha.defined else "undefined"
            label = f"{name.capitalize()} (alpha {alpha})"
            entries.append((label, "human_rating", name, one.mean, mark_id("scored", name)))
        return rows_chart(
            source,
            "people",
            entries,
            Axis("Mean, 1 to 10", low=1, high=10),
            title="How real clinicians find the dialogues",
            n=f"{len(realism):,} judgments; 95% intervals, dialogues drawn. {GREY_NOTE}",
            note="Alpha: Krippendorff's, ordinal, between clinicians; 1 is full agreement, 0 what "
            "chance gives.",
        )
    for score, share in found[scale].shares.items():
        mark = mark_id("scored", scale, str(score))
        entries.append((str(score), "human_rating_share", f"{scale}, {score:02d}", share, mark))
    return rows_chart(
        source,
        f"people_{scale}",
        entries,
        Axis("Share of the scores", "percent", high=0.3),
        title=f"Scores for {scale}",
        n=f"How often each score was given. {GREY_NOTE}",
    )


def moderator_chart(source: Source) -> Chart:
    """The moderator against clinicians, and accuracy with and without correction."""
    return source.keep("chart.moderator", lambda: _moderator(source), drawn=True)


def _moderator(source: Source) -> Chart:
    one = source.moderator
    entries: list[Entry] = [
        ("Agreement", "moderator_agreement", "", one.agreement, ""),
        (
            "Sensitivity: says yes where clinicians do",
            "moderator_sensitivity",
            "",
            one.sensitivity,
            mark_id("moderator", "missed"),
        ),
        (
            "Specificity: says no where clinicians do",
            "moderator_specificity",
            "",
            one.specificity,
            mark_id("moderator", "overcalled"),
        ),
        ("Accuracy as the moderator says", "accuracy_by_moderator", "", one.raw, ""),
        ("Accuracy corrected for its errors", "accuracy_corrected", "", one.corrected, ""),
    ]
    said = [
        f"{name} {number(e.value)}" if e.defined else f"{name} undefined, because {e.reason}"
        for name, e in (("kappa", one.kappa), ("alpha between clinicians", one.clinicians))
    ]
    return rows_chart(
        source,
        "moderator",
        entries,
        Axis("Share", "percent", high=1),
        title="What the moderator is worth",
        n=f"Against the clear majority of clinicians: {', '.join(said)}. {GREY_NOTE}",
        note="The correction is Rogan and Gladen's. A bar of sensitivity or specificity leads to "
        "the dialogues that the moderator got wrong.",
    )
