"""The list of AgentClinic's figures.

Source: Schmidgall et al. 2024, "AgentClinic: a multimodal agent benchmark to evaluate AI in
simulated clinical environments" (arXiv:2405.07960).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from medlens.review.chart_specifications import Chart
from medlens.review.figure_definitions import Figure, Figures, Headline
from medlens.stats.estimate import FigureRow
from medlens.studies.agentclinic import figures_charts as charts
from medlens.studies.agentclinic import metrics, metrics_ratings
from medlens.studies.agentclinic.figures_data import (
    TABLES,
    AgentClinicFigureData,
    find_what_is_behind_mark,
    load_figure_data,
)
from medlens.studies.agentclinic.records import STUDY
from medlens.studies.agentclinic.tasks import MARKS, REALISM, SCALES
from medlens.studies.agentclinic.visit_filter import EVERYTHING

_BY = {
    "doctor": "Doctor",
    "patient": "Patient",
    "n_interactions": "Messages",
    "image_mode": "Images",
}


def _accuracy(data: AgentClinicFigureData, by: str, _: str) -> Sequence[Chart]:
    found = [charts.accuracy_chart(data, by)]
    return (
        [*found, charts.doctor_pairs_chart(data)]
        if by == "doctor" and data.doctor_comparisons
        else found
    )


def _biases(data: AgentClinicFigureData, what: str, _: str) -> Sequence[Chart]:
    found = [charts.bias_measure_chart(data, what)]
    return [*found, charts.bias_comparison_cells_chart(data)] if what == "difference" else found


def _medqa(data: AgentClinicFigureData) -> Iterator[FigureRow]:
    for group, one in sorted(
        {one.group: one.estimate for one in data.list_of_known_medqa_accuracies}.items()
    ):
        yield "medqa_accuracy", group, one


_LIST: tuple[Figure[AgentClinicFigureData], ...] = (
    Figure(
        name="counts",
        title="Counts",
        of="everything there is",
        rows=lambda data: metrics.rows_of_counts(
            data.visits_table, *data.blind_realism_and_match_judgment_tables
        ),
    ),
    Figure(
        name="accuracy",
        title="Accuracy",
        section="accuracy",
        of="the visits that ended",
        several=_BY,
        rows=lambda data: metrics.accuracy_and_visit_ending_rows(data.visit_ends_table),
        chart=_accuracy,
    ),
    Figure(
        name="lint",
        title="What tests say",
        section="accuracy",
        of="the visits that ended",
        rows=lambda data: metrics.accuracy_by_test_leak_rows(data.visit_ends_table),
        chart=_accuracy,
    ),
    Figure(
        name="cells",
        title="Every combination of rules",
        of="the visits that ended",
        rows=lambda data: metrics.accuracy_by_rules_and_bias_rows(data.visit_ends_table),
    ),
    Figure(
        name="options",
        title="Offered answers",
        section="accuracy",
        of="the wrong diagnoses in cases with offered answers",
        rows=lambda data: metrics.wrong_option_rows(data.visits_table),
        chart=lambda data, _what, _by: charts.wrong_diagnosis_options_chart(data),
    ),
    Figure(
        name="doctors",
        title="Doctors on the same cases",
        of="the cases that both saw",
        rows=lambda data: metrics.doctor_comparison_rows(data.doctor_comparisons),
    ),
    Figure(
        name="outcomes",
        title="Outcomes",
        section="outcomes",
        of="all visits",
        several={**_BY, "bias": "Bias"},
        chart=lambda data, what, _: charts.outcomes_chart(data, what),
    ),
    Figure(
        name="biases",
        title="Biases",
        section="biases",
        of="the visits that ended, or the cases played with and without",
        several={
            "difference": "Against none",
            "accuracy": "Accuracy",
            "groups": "Kinds",
            "normalised": "Normalised",
            "each": "Normalised, each",
        },
        rows=lambda data: metrics.bias_accuracy_rows(data.visit_ends_table, data.bias_comparisons),
        chart=_biases,
    ),
    Figure(
        name="patients",
        title="Patients",
        section="patients",
        of="the visits with the rating",
        several={one: one.capitalize() for one in ("confidence", "compliance", "consultation")},
        rows=lambda data: metrics.patient_rating_rows(data.visit_ends_table),
        chart=lambda data, what, _: charts.patient_ratings_chart(data, what),
    ),
    Figure(
        name="refusals",
        title="Refused",
        section="biases",
        of="the visits with the bias",
        rows=lambda data: metrics.iterate_bias_refusal_figure_rows(data.visits_table),
        chart=_biases,
    ),
    Figure(
        name="behaviour",
        title="Behaviour",
        section="behaviour",
        of="the visits without a bias",
        several={
            **{column: title for column, (title, _) in charts.BEHAVIOUR.items()},
            "echo": "Echo",
            "told": "Case told",
        },
        rows=lambda data: metrics.rows_of_counts_in_dialogues(data.visits_table),
        chart=lambda data, what, _: charts.behaviour_chart(data, what),
    ),
    Figure(
        name="medqa",
        title="MedQA",
        section="accuracy",
        of="the MedQA questions that a model was asked",
        rows=_medqa,
        chart=lambda data, _what, _by: charts.medqa_against_agentclinic_chart(data),
    ),
    Figure(
        name="clinicians",
        title="Clinicians",
        section="clinicians",
        agreement_on=REALISM,
        of="the judgments",
        several={
            "means": "Means",
            "marks": "Marks",
            **{str(scale): scale.capitalize() for scale in SCALES},
        },
        rows=lambda data: metrics.clinician_rating_rows(
            data.blind_realism_and_match_judgment_tables[0]
        ),
        chart=lambda data, what, _: charts.clinician_ratings_chart(data, what),
    ),
    Figure(
        name="moderator",
        title="Moderator",
        section="moderator",
        of="the pairs of diagnoses that clinicians checked",
        rows=lambda data: metrics.moderator_against_clinicians_rows(
            data.comparison_of_moderator_with_clinicians
        ),
        chart=lambda data, _what, _by: [
            charts.moderator_chart(data),
            charts.moderator_confusion_chart(data),
        ],
    ),
)


def _empty(data: AgentClinicFigureData) -> str:
    narrowed = "that match these filters " if data.scope != EVERYTHING else ""
    return (
        f"There are no dialogues {narrowed}in this dataset yet." if data.visits_table.empty else ""
    )


def _said(data: AgentClinicFigureData) -> str:
    """What the figures are based on, and what they leave out."""
    table, (realism, matches) = (
        data.visits_table,
        map(
            metrics_ratings.table_of_judgments_of_people,
            data.blind_realism_and_match_judgment_tables,
        ),
    )
    said = (
        f"{len(table):,} dialogues of {table['case'].nunique():,} cases;"
        f" {len(realism):,} ratings, {len(matches):,} checks of the moderator."
    )
    if data.left_out_replayed_visit_count:
        said += (
            f" {data.left_out_replayed_visit_count:,} more are left out: they were played again"
            " under the same rules, or by another protocol. Choose a run or a protocol to see them."
        )
    if "published" in data.protocols_of_visits:
        said += " Published protocol."
    if data.scope.judge:
        missing = int(((table["outcome"] == "error") & (table["pair"] != "")).sum())
        if missing:
            said += (
                f" {missing:,} visits still wait for a verdict by {data.scope.judge}: start "
                "“Let models check the diagnoses” on the Runs page."
            )
    return said


def _played(cell: str) -> str:
    doctor, patient, messages, _, _ = cell.rsplit(", ", 4)
    return f"{doctor} with {patient} as the patient, {messages} messages"


_CHECKED = ("moderator_", "clinicians_", "accuracy_corrected")


def _judged_by(data: AgentClinicFigureData, figure: str) -> int:
    """The people who checked the moderator's verdicts, for what rests on them."""
    checked = metrics_ratings.table_of_judgments_of_people(
        data.blind_realism_and_match_judgment_tables[1]
    )
    return int(checked["rater"].nunique()) if figure.startswith(_CHECKED) else 0


FIGURES = Figures(
    study=STUDY,
    figures=_LIST,
    sections={
        "accuracy": ("Accuracy", "by"),
        "outcomes": ("Outcomes", "of"),
        "biases": ("Biases", "what"),
        "patients": ("Patients", "rating"),
        "clinicians": ("Clinicians", "scale"),
        "moderator": ("Moderator", ""),
        "behaviour": ("Behaviour", "count"),
    },
    look=load_figure_data,
    judged_by=_judged_by,
    # Judgments are told apart by the names of raters, no two of which are alike.
    rater_names=lambda data: {
        name: name for name in data.blind_realism_and_match_judgment_tables[0]["rater"].unique()
    },
    tables=TABLES,
    empty=_empty,
    said=_said,
    behind=find_what_is_behind_mark,
    protocol=lambda data: data.protocols_of_visits[0] if len(data.protocols_of_visits) == 1 else "",
    paper="Schmidgall et al. 2024",
    words=lambda _: {mark.id: mark.name for mark in MARKS},
    narrowed_by=("run", "experiment", "cases", "judge", "protocol"),
    headlines=lambda _: [
        Headline(
            title="Diagnoses that were right when no bias was added",
            source="cells",
            figure="accuracy_by_cell",
            groups=lambda cell: cell.endswith(", none, none"),
            called=_played,
            view={"section": "accuracy"},
        )
    ],
)
