"""The charts of AgentClinic's figures, each from the numbers that ``export figures`` writes."""

from __future__ import annotations

from typing import Literal

from medlens.deferred_module import pd
from medlens.review.chart_specifications import (
    GREY_NOTE,
    Axis,
    Chart,
    Entry,
    Point,
    Scatter,
    Series,
    Stack,
    Stacks,
    bar_chart,
    chart_entries_as_table,
    make_chart_that_says_why_empty,
    make_mark_id,
)
from medlens.stats.estimate import Estimate, format_number, format_p_value
from medlens.studies.agentclinic import (
    metrics,
    metrics_accuracy_outcomes_and_bias,
    metrics_input_tables,
    metrics_ratings,
)
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.figures_data import CELLS, HEADS, AgentClinicFigureData
from medlens.studies.agentclinic.metrics_accuracy_outcomes_and_bias import (
    unbiased_dialogue_tables_by_value_of_dimension,
)
from medlens.studies.agentclinic.metrics_input_tables import series_of_outcomes_or_outstanding
from medlens.studies.agentclinic.records import STUDY
from medlens.studies.agentclinic.tasks import MARKS

_PERCENT = "Share of correct diagnoses"
_UNFLAGGED = Series("Without flagged cases", "square", over=0)
_PARTS = {
    "correct": ("#2b7f9e", ""),
    "incorrect": ("#b0602a", "/"),
    "no_diagnosis": ("#8a6fae", "."),
    "error": ("#8a949b", "x"),
    "outstanding": ("#b8a12f", "-"),
}
"""The states of a visit, each with its colour and pattern."""

_DIMENSIONS = {
    "doctor": "doctor model",
    "patient": "patient model",
    "n_interactions": "number of messages",
    "image_mode": "way of giving images",
}


def accuracy_chart(source: AgentClinicFigureData, by: str) -> Chart:
    """Accuracy by one dimension (or ``lint``), all else at the reference."""
    table = source.visits_table
    entries: list[Entry] = []
    clean: list[Entry] = []
    more: list[Entry] = []
    if by == "lint":
        for doctor, group in unbiased_dialogue_tables_by_value_of_dimension(
            table, "doctor"
        ).items():
            for leaks, part in group.groupby("leaks", sort=True):
                said = "tests state the diagnosis" if leaks else "tests do not state the diagnosis"
                mark = make_mark_id("lint", doctor, "yes" if leaks else "no")
                name = f"{doctor}, {said}"
                entries.append(
                    (
                        name,
                        "accuracy_by_lint",
                        name,
                        metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(part),
                        mark,
                    )
                )
    else:
        for value, group in unbiased_dialogue_tables_by_value_of_dimension(table, by).items():
            mark = make_mark_id("slice", by, value)
            _both(entries, clean, (value, f"accuracy_by_{by}", value, mark), group)
            # The paper's numbers are each for one combination of rules: only such groups compare
            # with them.
            cells = metrics_accuracy_outcomes_and_bias.dialogue_table_by_rules_and_bias(group)
            if len(cells) == 1:
                same = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(group)
                more += [(value, "accuracy_by_cell", cell, same, mark) for cell in cells]
    held = ", ".join(
        f"{_DIMENSIONS[k]}: {v}"
        for k, v in metrics_input_tables.most_common_unbiased_rules_by_name(table).items()
    )
    what = "what the tests say" if by == "lint" else _DIMENSIONS[by]
    return bar_chart(
        STUDY,
        f"clinic_accuracy_{by}",
        entries,
        Axis(_PERCENT, "percent", high=1),
        title=f"Accuracy by {what}",
        n=f"Dialogues without a bias; otherwise, played as most were ({held}). {GREY_NOTE}",
        note="Share correct of the dialogues that ended: no diagnosis counts as incorrect, errors "
        "are left out. Wilson's interval, clustered by case where a case was played more than "
        "once."
        f" {_CLEAN_NOTE}",
        beside=(_UNFLAGGED, clean),
        more=more,
    )


_CLEAN_NOTE = "Squares: without the cases that the check flagged (see Cases)."


def _both(
    entries: list[Entry],
    clean: list[Entry],
    named: tuple[str, str, str, str],
    group: pd.DataFrame,
) -> None:
    """Add a group's accuracy on all its cases, and on those not flagged by the check."""
    label, figure, name, mark = named
    entries.append(
        (
            label,
            figure,
            name,
            metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(group),
            mark,
        )
    )
    clean.append(
        (
            label,
            f"{figure}_unflagged",
            name,
            metrics_accuracy_outcomes_and_bias.estimate_accuracy_on_unflagged_cases(group),
            mark,
        )
    )


def outcomes_chart(source: AgentClinicFigureData, by: str) -> Chart:
    """How dialogues ended by doctor, or by doctor and bias: stacked, nothing left out."""
    rows: list[Stack] = []
    entries: list[Entry] = []
    groups: list[tuple[str, str, tuple[str, ...], pd.DataFrame]] = []
    if by == "bias":
        for (
            doctor,
            bias,
        ), group in metrics_accuracy_outcomes_and_bias.dialogue_tables_by_doctor_and_bias(
            source.visits_table
        ).items():
            groups.append((f"{doctor}, {bias}", "outcomes_by_bias", ("bias", doctor, bias), group))
    else:
        for value, group in unbiased_dialogue_tables_by_value_of_dimension(
            source.visits_table, by
        ).items():
            groups.append((value, f"outcomes_by_{by}", ("slice", by, value), group))
    found = [
        metrics_accuracy_outcomes_and_bias.shares_of_dialogues_by_outcome(group)
        for *_, group in groups
    ]
    parts = {one: how for one, how in _PARTS.items() if any(one in shares for shares in found)}
    for (name, figure, mark, group), own in zip(groups, found, strict=True):
        shares = {
            one: own.get(one)
            or metrics_accuracy_outcomes_and_bias.estimate_case_clustered_share(
                group, series_of_outcomes_or_outstanding(group) == one
            )
            for one in parts
        }
        marks = {one: make_mark_id(*mark, one) for one in parts}
        rows.append(Stack(name, shares, marks))
        entries += [(name, figure, f"{name}, {one}", shares[one], marks[one]) for one in parts]
    said = ", ".join(one.replace("_", " ") for one in parts)
    return Chart(
        name=f"clinic_outcomes_{by}",
        title="How the dialogues ended",
        n=f"From the left: {said}; the bars show the counts. Share of all dialogues. {GREY_NOTE}",
        alt="Stacked bars: share of dialogues by outcome.",
        drawing=Stacks(rows, parts, "Share of the dialogues") if rows else None,
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
    )


def bias_measure_chart(source: AgentClinicFigureData, what: str) -> Chart:
    """Biases: ``accuracy``, ``groups``, ``difference``, ``normalised``, ``each``, ``refusals``."""
    table = source.visits_table
    entries: list[Entry] = []
    clean: list[Entry] = []
    axis = Axis(_PERCENT, "percent", high=1)
    note = ""
    if what == "accuracy":
        for (
            doctor,
            bias,
        ), group in metrics_accuracy_outcomes_and_bias.dialogue_tables_by_doctor_and_bias(
            table
        ).items():
            name, mark = f"{doctor}, {bias}", make_mark_id("bias", doctor, bias)
            _both(entries, clean, (name, "accuracy_by_bias", name, mark), group)
        title, note = "Accuracy by bias", _CLEAN_NOTE
    elif what == "groups":
        for (
            doctor,
            kind,
        ), group in metrics_accuracy_outcomes_and_bias.dialogue_tables_by_doctor_and_bias_group(
            table
        ).items():
            name, mark = f"{doctor}, {kind}", make_mark_id("group", doctor, kind)
            _both(entries, clean, (name, "accuracy_by_bias_group", name, mark), group)
        title, note = "Accuracy by kind of bias", _CLEAN_NOTE
    elif what == "difference":
        for one in source.bias_comparisons:
            name, mark = f"{one.doctor}, {one.bias}", make_mark_id("pair", one.doctor, one.bias)
            entries.append((name, "accuracy_difference", name, one.difference, mark))
        title = "Change in accuracy under a bias, same cases"
        axis = Axis("Difference in the share correct", "percent", low=-0.2, high=0.2, zero=True)
        note = "Pairs of the same case, rules and repeat; errors on either side are left out."
    elif what == "normalised":
        for (
            (
                doctor,
                kind,
            ),
            estimate,
        ) in metrics_accuracy_outcomes_and_bias.normalised_accuracy_by_doctor_and_bias_kind(
            table
        ).items():
            name, mark = f"{doctor}, {kind}", make_mark_id("group", doctor, kind)
            figure = "normalised_accuracy_by_bias_group"
            entries.append((name, figure, name, estimate, mark))
        title = "Accuracy relative to that without a bias"
        axis = Axis("Normalised accuracy", "percent", high=1)
        note = "Intervals by smoothed resampling of the cases that were played both ways."
    elif what == "each":
        for one in source.bias_comparisons:
            name, mark = f"{one.doctor}, {one.bias}", make_mark_id("pair", one.doctor, one.bias)
            entries.append((name, "normalised_accuracy", name, one.normalised, mark))
        title = "Accuracy relative to that without the bias, same cases"
        axis = Axis("Normalised accuracy", "percent", high=1)
        note = "Intervals by smoothed resampling of the cases that were played both ways."
    else:
        for (doctor, bias), estimate in metrics.refusal_rates_by_doctor_and_bias(table).items():
            name, mark = f"{doctor}, {bias}", make_mark_id("refused", bias, doctor)
            entries.append((name, "bias_refusals_by_doctor", name, estimate, mark))
        title = "Biases refused"
        axis = Axis("Share of the dialogues with the bias", "percent", high=0.2)
        note = "An agent says that it will not act on the bias, or steps out of its role."
    return bar_chart(
        STUDY,
        f"clinic_bias_{what}",
        entries,
        axis,
        title=title,
        n=GREY_NOTE,
        note=note,
        beside=(_UNFLAGGED, clean),
    )


def patient_ratings_chart(source: AgentClinicFigureData, rating: str) -> Chart:
    """One of the patient's ratings by doctor and bias."""
    entries: list[Entry] = []
    more: list[Entry] = []
    for (doctor, bias, which), one in metrics_ratings.patient_ratings_by_doctor_bias_and_scale(
        source.visits_table
    ).items():
        if which == rating:
            apart = one.difference
            said = (
                f" ({format_number(apart.value)} against none)"
                if bias != NONE and apart.has_value
                else ""
            )
            name, group = f"{doctor}, {bias}{said}", f"{doctor}, {bias}, {rating}"
            mark = make_mark_id("bias", doctor, bias)
            entries.append((name, "patient_rating", group, one.mean, mark))
            if bias != NONE:
                named = f"{doctor}, {bias}: change"
                more.append((named, "patient_rating_difference", group, apart, mark))
    return bar_chart(
        STUDY,
        f"clinic_patients_{rating}",
        entries,
        Axis("Mean, 1 to 10", low=1, high=10),
        title=f"Patients' {rating}",
        n="Means with 95% intervals, resampled by case; differences are on the same cases."
        f" {GREY_NOTE}",
        more=more,
    )


def clinician_ratings_chart(source: AgentClinicFigureData, scale: str) -> Chart:
    """Clinicians' ratings: the means of all scales, or one scale's scores; or the ``marks``."""
    realism, entries = source.blind_realism_and_match_judgment_tables[0], list[Entry]()
    if scale == "marks":
        names = {mark.id: mark.name for mark in MARKS}
        for mark, share in metrics_ratings.shares_of_judgments_by_mark(realism).items():
            entries.append((names[mark], "marked", mark, share, make_mark_id("marked", mark)))
        return bar_chart(
            STUDY,
            "clinic_marks",
            entries,
            Axis("Share of the judgments", "percent", high=0.2),
            title="Marks on turns",
            n=f"Judgments with the mark on any turn. {GREY_NOTE}",
        )
    found = metrics_ratings.mean_clinician_ratings_by_scale(realism)
    if scale == "means":
        for name, one in found.items():
            alpha = format_number(one.alpha.value) if one.alpha.has_value else "undefined"
            label = f"{name.capitalize()} (alpha {alpha})"
            entries.append((label, "human_rating", name, one.mean, make_mark_id("scored", name)))
        for (name, model), estimate in metrics_ratings.mean_ratings_by_scale_and_model(
            realism
        ).items():
            label = f"{name.capitalize()}, {model} (model)"
            entries.append((label, "model_rating", f"{name}, {model}", estimate, ""))
        return bar_chart(
            STUDY,
            "clinic_people",
            entries,
            Axis("Mean, 1 to 10", low=1, high=10),
            title="How realistic clinicians find the dialogues",
            n=f"{len(metrics_ratings.table_of_judgments_of_people(realism)):,} judgments of"
            " clinicians; 95% intervals, resampled by dialogue."
            f" {GREY_NOTE}",
            note="Alpha: Krippendorff's, ordinal, between clinicians; 1 is full agreement, 0 is "
            "chance.",
        )
    for score, share in found[scale].shares.items():
        mark = make_mark_id("scored", scale, str(score))
        entries.append((str(score), "human_rating_share", f"{scale}, {score:02d}", share, mark))
    return bar_chart(
        STUDY,
        f"clinic_people_{scale}",
        entries,
        Axis("Share of the scores", "percent", high=0.3),
        title=f"Scores for {scale}",
        n=f"How often each score was given. {GREY_NOTE}",
    )


def moderator_chart(source: AgentClinicFigureData) -> Chart:
    """The moderator against clinicians, and accuracy with and without correction."""
    one = source.comparison_of_moderator_with_clinicians
    entries: list[Entry] = [
        ("Agreement", "moderator_agreement", "", one.agreement, ""),
        (
            "Sensitivity: says yes where clinicians do",
            "moderator_sensitivity",
            "",
            one.sensitivity,
            make_mark_id("moderator", "missed"),
        ),
        (
            "Specificity: says no where clinicians do",
            "moderator_specificity",
            "",
            one.specificity,
            make_mark_id("moderator", "overcalled"),
        ),
        ("Accuracy by the moderator's verdicts", "accuracy_by_moderator", "", one.raw, ""),
        ("Accuracy corrected for its errors", "accuracy_corrected", "", one.corrected, ""),
    ]
    said = [
        f"{name} {format_number(e.value)}"
        if e.has_value
        else f"{name} undefined, because {e.reason}"
        for name, e in (("kappa", one.kappa), ("alpha between clinicians", one.clinicians))
    ]
    return bar_chart(
        STUDY,
        "clinic_moderator",
        entries,
        Axis("Share", "percent", high=1),
        title="How reliable the moderator is",
        n=f"Against the clear majority of clinicians: {', '.join(said)}. {GREY_NOTE}",
        note="The correction is Rogan and Gladen's. Click a bar of sensitivity or specificity for "
        "the dialogues that the moderator got wrong.",
    )


BEHAVIOUR = {
    "tests": ("Tests ordered", "tests_requested"),
    "images": ("Images asked for", "images_requested"),
    "asked": ("An image asked for", "asked_for_images"),
    "messages": ("Messages of the doctor", "messages_used"),
    "turns": ("Turns", "turns"),
    "told": ("Share of the case disclosed", "told"),
    "echo": ("Share of the answer that was already in the question", "echo"),
}


def behaviour_chart(source: AgentClinicFigureData, column: str) -> Chart:
    """One count in each dialogue, by doctor (echo by patient)."""
    if column == "asked":
        return _asked(source)
    title, figure = BEHAVIOUR[column]
    by = "patient" if column == "echo" else "doctor"
    figure = "echo_by_patient" if column == "echo" else figure
    entries: list[Entry] = [
        (
            name,
            figure,
            name,
            metrics_accuracy_outcomes_and_bias.estimate_case_clustered_mean(group, column),
            make_mark_id("slice", by, name),
        )
        for name, group in unbiased_dialogue_tables_by_value_of_dimension(
            source.visits_table, by
        ).items()
    ]
    form: Literal["percent", "number"] = "percent" if column in ("told", "echo") else "number"
    return bar_chart(
        STUDY,
        f"clinic_behaviour_{column}",
        entries,
        Axis(f"{title}, mean", form, high=1),
        title=f"{title}, by {by}",
        n=f"Dialogues without a bias; resampled by case. {GREY_NOTE}",
    )


def _asked(source: AgentClinicFigureData) -> Chart:
    entries: list[Entry] = [
        (
            "All models" if name == "all" else name,
            "asked_for_images",
            name,
            one,
            make_mark_id("asked", name),
        )
        for name, one in metrics.image_request_rates_by_doctor(source.visits_table).items()
    ]
    none = Estimate.undefined_estimate("images could be asked for in no dialogue")
    entries = entries or [("All models", "asked_for_images", "all", none, "")]
    return bar_chart(
        STUDY,
        "clinic_behaviour_asked",
        entries,
        Axis("Share of the dialogues", "percent", high=1),
        title="Dialogues in which an image was asked for",
        n=f"Dialogues without a bias in which images are shown on request. {GREY_NOTE}",
    )


def wrong_diagnosis_options_chart(source: AgentClinicFigureData) -> Chart:
    """Wrong diagnoses that are among the answers the case offers."""
    entries: list[Entry] = [
        (group or "All", figure, group, one, make_mark_id("options", *group.rsplit(", ", 1)))
        for figure, group, one in metrics.wrong_option_rows(source.visits_table)
    ]
    none = Estimate.undefined_estimate(
        "no wrong diagnosis was given in a case with offered answers"
    )
    entries = entries or [("All", "wrong_among_options", "", none, "")]
    return bar_chart(
        STUDY,
        "clinic_options",
        entries,
        Axis("Share of the wrong diagnoses", "percent", high=1),
        title="Wrong diagnoses that the case offers as answers",
        n=f"Wrong diagnoses in cases that come with answers to choose from. {GREY_NOTE}",
        note="By doctor and way of giving images: dialogues without a bias.",
    )


def medqa_against_agentclinic_chart(source: AgentClinicFigureData) -> Chart:
    """MedQA accuracy against AgentClinic's, for the models that have both."""
    played = unbiased_dialogue_tables_by_value_of_dimension(source.visits_table, "doctor")
    entries: list[Entry] = []
    points = []
    for one in source.list_of_known_medqa_accuracies:
        if one.model not in played:
            entries.append((one.group, "medqa_accuracy", one.group, one.estimate, ""))
            continue
        clinic = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(played[one.model])
        mark = make_mark_id("slice", "doctor", one.model)
        entries.append((one.group, "medqa_accuracy", one.group, one.estimate, mark))
        entries.append((one.group, "accuracy_by_doctor", one.model, clinic, mark))
        if clinic.has_value:
            points.append(Point(one.group, one.estimate, clinic, mark))
    if not entries:
        return make_chart_that_says_why_empty(
            "clinic_medqa",
            "MedQA against AgentClinic",
            "No MedQA accuracy has been imported (medqa-accuracy on the Data page). `medlens run"
            " tagging ask FILE` measures it.",
        )
    alone = len({group for group, *_ in entries}) - len(points)
    return Chart(
        name="clinic_medqa",
        title="MedQA against AgentClinic",
        n=f"{len(points)} models with both; shares correct with 95% intervals. On the dotted line"
        f" both are the same. {GREY_NOTE}",
        note="MedQA accuracies are imported (medqa-accuracy), with the source in the table.",
        alt="A point per model: accuracy on MedQA across, in AgentClinic upwards.",
        undefined=(f"Models that played no visit here: {alone}; see the table.",) if alone else (),
        drawing=Scatter(points, "MedQA accuracy", "AgentClinic accuracy") if points else None,
        table=chart_entries_as_table(STUDY, entries),
        marks=tuple(mark for *_, mark in entries),
    )


# -- tables ----------------------------------------------------------------------------------------


def doctor_pairs_chart(source: AgentClinicFigureData) -> Chart:
    """Every pair of doctors on the same cases; a row leads to the cases on which they differ, or to
    those where one did better.
    """
    rows = [
        (
            *(
                one.first,
                one.second,
                one.pair_count,
                len(one.first_better),
                len(one.second_better),
            ),
            *(one.difference.value, one.difference.low, one.difference.high),
            *(format_p_value(one.test.p), format_p_value(one.p_holm)),
        )
        for one in source.doctor_comparisons
    ]
    better = {"first better": "first", "second better": "second"}
    ends = ("difference", "low", "high")
    return Chart(
        name="doctors",
        title="Doctors on the same cases",
        n="",
        note="Each case counts once; a case played several times counts with its share of right "
        "diagnoses. P is that of the interval's method, repeats of a case taken together, adjusted "
        "by Holm over all pairs of doctors who differ on a case.",
        alt="Pairs of doctors on the same cases; click a number of cases to list them",
        table=pd.DataFrame(
            rows, columns=["first", "second", "cases", *better, *ends, "p", "p, Holm"]
        ),
        marks=tuple(
            make_mark_id("doctors", one.first, one.second) for one in source.doctor_comparisons
        ),
        cells=better,
        columns=dict.fromkeys(ends, "%.2f"),
        foldable=False,
    )


def bias_comparison_cells_chart(source: AgentClinicFigureData) -> Chart:
    """McNemar's four cells of each comparison; click a cell to list its pairs."""
    rows = [
        (
            *(
                one.doctor,
                one.bias,
                one.pair_count,
                *(len(getattr(one, cell)) for cell in CELLS),
            ),
            *(format_p_value(one.test.p), format_p_value(one.p_holm)),
        )
        for one in source.bias_comparisons
    ]
    columns = ["doctor", "bias", "pairs", *HEADS.values(), "p", "p, Holm"]
    none = "No bias was played on a case that was also played without one."
    return Chart(
        name="mcnemar",
        title="The same cases with and without the bias",
        n="" if rows else none,
        note="How many cases were right both times, without the bias only, with it only, or never."
        " McNemar's score test on the discordant pairs, repeats of a case taken together, "
        "adjusted by Holm over all comparisons that have such pairs.",
        alt="Pairs by whether each was correct; click a cell to list its pairs",
        table=pd.DataFrame(rows, columns=columns),
        marks=tuple(make_mark_id("pair", one.doctor, one.bias) for one in source.bias_comparisons),
        cells={title: cell for cell, title in HEADS.items()},
        foldable=False,
    )


def moderator_confusion_chart(source: AgentClinicFigureData) -> Chart:
    """The moderator's verdicts against clinicians', with the dialogues of each cell."""
    one = source.comparison_of_moderator_with_clinicians
    cells = (
        ("confirmed", "same", "same"),
        ("overcalled", "same", "another"),
        ("missed", "another", "same"),
        ("rejected", "another", "another"),
    )
    rows = [(theirs, ours, len(getattr(one, cell))) for cell, theirs, ours in cells]
    return Chart(
        name="moderator_pairs",
        title="The moderator's verdicts against clinicians'",
        n="A pair is a given and a correct diagnosis; each counts once. Those that clinicians have"
        f" checked stand for {one.settled:,} visits.",
        alt="The moderator's verdicts against clinicians'",
        table=pd.DataFrame(rows, columns=["moderator", "clinicians", "pairs"]),
        marks=tuple(make_mark_id("moderator", cell) for cell, *_ in cells),
        foldable=False,
    )
