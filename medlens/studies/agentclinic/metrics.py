"""The figures of AgentClinic, for pages and exports alike.

Source: Schmidgall et al. 2024, "AgentClinic: a multimodal agent benchmark to evaluate AI in
simulated clinical environments" (arXiv:2405.07960).

``metrics_input_tables.dialogues_table`` prepares the dialogues; every function takes its result.
``figures.py`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from medlens.deferred_module import pd
from medlens.stats.estimate import Estimate, FigureRow
from medlens.stats.intervals import estimate_clustered_ratio
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.metrics_accuracy_outcomes_and_bias import (
    DIMENSIONS,
    BiasComparison,
    DoctorComparison,
    dialogue_table_by_rules_and_bias,
    dialogue_tables_by_doctor_and_bias,
    dialogue_tables_by_doctor_and_bias_group,
    estimate_accuracy_on_unflagged_cases,
    estimate_case_clustered_mean,
    estimate_case_clustered_share,
    estimate_diagnostic_accuracy,
    normalised_accuracy_by_doctor_and_bias_kind,
    shares_of_dialogues_by_outcome,
    unbiased_dialogue_tables_by_value_of_dimension,
)
from medlens.studies.agentclinic.metrics_input_tables import (
    table_of_unbiased_dialogues,
)
from medlens.studies.agentclinic.metrics_moderator_and_corrected_accuracy import Moderator
from medlens.studies.agentclinic.metrics_ratings import (
    mean_clinician_ratings_by_scale,
    mean_ratings_by_scale_and_model,
    patient_ratings_by_doctor_bias_and_scale,
    shares_of_judgments_by_mark,
    table_of_judgments_of_people,
)

# What is counted in every dialogue: the figure's name, and the table's column.
_COUNTED = {
    "messages_used": "messages",
    "turns": "turns",
    "tests_requested": "tests",
    "images_requested": "images",
    "echo": "echo",
    "told": "told",
    "cost": "cost",
    "seconds": "seconds",
}


def rows_of_counts(
    table: pd.DataFrame, realism: pd.DataFrame, matches: pd.DataFrame
) -> Iterator[FigureRow]:
    """How many dialogues, cases and judgments there are, and how all visits ended."""
    found = {
        "dialogues": len(table),
        "cases": table["case"].nunique(),
        "realism_judgments": len(table_of_judgments_of_people(realism)),
        "match_judgments": len(table_of_judgments_of_people(matches)),
    }
    for name, count in found.items():
        yield name, "", Estimate(float(count), None, None, int(count), "count")
    yield from (("outcomes", *one) for one in shares_of_dialogues_by_outcome(table).items())


def accuracy_and_visit_ending_rows(table: pd.DataFrame) -> Iterator[FigureRow]:
    """Accuracy, and how visits ended, by each dimension."""
    for dimension in DIMENSIONS:
        for value, group in unbiased_dialogue_tables_by_value_of_dimension(
            table, dimension
        ).items():
            yield f"accuracy_by_{dimension}", value, estimate_diagnostic_accuracy(group)
            yield (
                f"accuracy_by_{dimension}_unflagged",
                value,
                estimate_accuracy_on_unflagged_cases(group),
            )
            for outcome, share in shares_of_dialogues_by_outcome(group).items():
                yield f"outcomes_by_{dimension}", f"{value}, {outcome}", share


def accuracy_by_test_leak_rows(table: pd.DataFrame) -> Iterator[FigureRow]:
    """Accuracy by whether a case's tests state the diagnosis."""
    for doctor, group in unbiased_dialogue_tables_by_value_of_dimension(table, "doctor").items():
        for leaks, part in group.groupby("leaks", sort=True):
            stated = "tests state the diagnosis" if leaks else "tests do not state the diagnosis"
            yield "accuracy_by_lint", f"{doctor}, {stated}", estimate_diagnostic_accuracy(part)


def accuracy_by_rules_and_bias_rows(table: pd.DataFrame) -> Iterator[FigureRow]:
    """Accuracy by every combination of rules and bias that was played."""
    for name, group in dialogue_table_by_rules_and_bias(table).items():
        yield "accuracy_by_cell", name, estimate_diagnostic_accuracy(group)
        yield "accuracy_by_cell_unflagged", name, estimate_accuracy_on_unflagged_cases(group)


def bias_accuracy_rows(
    table: pd.DataFrame, compared: Sequence[BiasComparison]
) -> Iterator[FigureRow]:
    """Accuracy under each bias, and on the same cases without it."""
    for (doctor, bias), group in dialogue_tables_by_doctor_and_bias(table).items():
        yield "accuracy_by_bias", f"{doctor}, {bias}", estimate_diagnostic_accuracy(group)
        yield (
            "accuracy_by_bias_unflagged",
            f"{doctor}, {bias}",
            estimate_accuracy_on_unflagged_cases(group),
        )
        for outcome, share in shares_of_dialogues_by_outcome(group).items():
            yield "outcomes_by_bias", f"{doctor}, {bias}, {outcome}", share
    for (doctor, kind), group in dialogue_tables_by_doctor_and_bias_group(table).items():
        yield "accuracy_by_bias_group", f"{doctor}, {kind}", estimate_diagnostic_accuracy(group)
        yield (
            "accuracy_by_bias_group_unflagged",
            f"{doctor}, {kind}",
            estimate_accuracy_on_unflagged_cases(group),
        )
    tested = _tested(compared)
    for one in compared:
        name = f"{one.doctor}, {one.bias}"
        yield "accuracy_difference", name, one.difference
        yield (
            "accuracy_difference_holm",
            name,
            _with_holm(one.difference, one.p_holm, tested),
        )
        yield "normalised_accuracy", name, one.normalised
    for (doctor, kind), estimate in normalised_accuracy_by_doctor_and_bias_kind(table).items():
        yield "normalised_accuracy_by_bias_group", f"{doctor}, {kind}", estimate


def patient_rating_rows(table: pd.DataFrame) -> Iterator[FigureRow]:
    """The patients' ratings by doctor and bias."""
    for (doctor, bias, rating), one_rating in patient_ratings_by_doctor_bias_and_scale(
        table
    ).items():
        yield "patient_rating", f"{doctor}, {bias}, {rating}", one_rating.mean
        if bias != NONE:
            difference = one_rating.difference
            yield "patient_rating_difference", f"{doctor}, {bias}, {rating}", difference


def iterate_bias_refusal_figure_rows(table: pd.DataFrame) -> Iterator[FigureRow]:
    """How often an agent refused its bias."""
    yield from (("bias_refusals", *one) for one in refusal_rates_by_bias(table).items())
    for (doctor, bias), share in refusal_rates_by_doctor_and_bias(table).items():
        yield "bias_refusals_by_doctor", f"{doctor}, {bias}", share


def _tested(compared: Sequence[BiasComparison] | Sequence[DoctorComparison]) -> int:
    """How many comparisons are tested: the two differ on some case."""
    return sum(one.p_holm is not None for one in compared)


def _with_holm(difference: Estimate, p: float | None, tested: int) -> Estimate:
    """A difference with its corrected p value, unless it is withheld or not tested."""
    if p is None or not difference.has_value:
        return replace(difference, p=None)
    return replace(difference, p=p, method=f"{difference.method}, Holm over {tested}")


def doctor_comparison_rows(compared: Sequence[DoctorComparison]) -> Iterator[FigureRow]:
    """Every pair of doctors on the same cases."""
    tested = _tested(compared)
    for one in compared:
        name = f"{one.first}, {one.second}"
        yield "doctors_difference", name, one.difference
        yield (
            "doctors_difference_holm",
            name,
            _with_holm(one.difference, one.p_holm, tested),
        )


def refusal_rates_by_bias(table: pd.DataFrame) -> dict[str, Estimate]:
    """Share of the dialogues with a bias in which the agent refused it, by bias over all models."""
    biased = table[table["bias"] != NONE]
    return {
        str(bias): estimate_case_clustered_share(group, group["refused"])
        for bias, group in biased.groupby("bias", sort=True)
    }


def refusal_rates_by_doctor_and_bias(table: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """``refusals`` by (doctor, bias)."""
    biased = table[table["bias"] != NONE]
    return {
        (str(doctor), str(bias)): estimate_case_clustered_share(group, group["refused"])
        for (doctor, bias), group in biased.groupby(["doctor", "bias"], sort=True)
    }


def wrong_option_rows(table: pd.DataFrame) -> Iterator[FigureRow]:
    """Wrong diagnoses that are among the answers a case offers: all, and those of visits without a
    bias by doctor and image mode.
    """
    wrong = table[(table["outcome"] == "incorrect") & table["in_options"].notna()]
    if wrong.empty:
        return
    yield "wrong_among_options", "", estimate_case_clustered_share(wrong, wrong["in_options"])
    for (doctor, mode), group in table_of_unbiased_dialogues(wrong).groupby(
        ["doctor", "image_mode"], sort=True
    ):
        share = estimate_case_clustered_share(group, group["in_options"])
        yield "wrong_among_options_by_doctor", f"{doctor}, {mode}", share


def image_request_rates_by_doctor(table: pd.DataFrame) -> dict[str, Estimate]:
    """Share of the visits with images to ask for in which one was: by doctor, and ``all``."""
    could = table_of_unbiased_dialogues(table)
    could = could[(could["image_mode"] == "request") & could["images"].notna()]
    found = {
        str(doctor): estimate_case_clustered_share(group, group["images"] > 0)
        for doctor, group in could.groupby("doctor", sort=True)
    }
    return (
        {**found, "all": estimate_case_clustered_share(could, could["images"] > 0)} if found else {}
    )


def rows_of_counts_in_dialogues(table: pd.DataFrame) -> Iterator[FigureRow]:
    """What is counted in each visit, by model."""
    for doctor, group in unbiased_dialogue_tables_by_value_of_dimension(table, "doctor").items():
        for figure, column in _COUNTED.items():
            if group[column].notna().any():
                yield figure, doctor, estimate_case_clustered_mean(group, column)
        yield "leaked_in_dialogue", doctor, estimate_case_clustered_share(group, group["leaked"])
    for patient, group in unbiased_dialogue_tables_by_value_of_dimension(table, "patient").items():
        yield "echo_by_patient", patient, estimate_case_clustered_mean(group, "echo")
        # A visit that the endpoint broke has no answers to look at.
        own = group[group["answers"].notna()]
        echoed = estimate_clustered_ratio(own["echoed"], own["answers"], own["case"], unit="cases")
        yield "echoed_answers", patient, echoed
    yield from (("asked_for_images", *one) for one in image_request_rates_by_doctor(table).items())


def clinician_rating_rows(realism: pd.DataFrame) -> Iterator[FigureRow]:
    """Clinicians' ratings of the visits, those of models, and clinicians' marks."""
    for scale, one in mean_clinician_ratings_by_scale(realism).items():
        yield "human_rating", scale, one.mean
        yield "human_rating_alpha", scale, one.alpha
        for score, share in one.shares.items():
            yield "human_rating_share", f"{scale}, {score:02d}", share
    for (scale, model), estimate in mean_ratings_by_scale_and_model(realism).items():
        yield "model_rating", f"{scale}, {model}", estimate
    yield from (("marked", *one) for one in shares_of_judgments_by_mark(realism).items())


def moderator_against_clinicians_rows(found: Moderator) -> Iterator[FigureRow]:
    """The moderator against clinicians."""
    yield "moderator_agreement", "", found.agreement
    yield "moderator_sensitivity", "", found.sensitivity
    yield "moderator_specificity", "", found.specificity
    yield "moderator_kappa", "", found.kappa
    yield "clinicians_alpha", "", found.clinicians
    yield "accuracy_by_moderator", "", found.raw
    yield "accuracy_corrected", "", found.corrected
