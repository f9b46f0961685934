"""Charts of what the models do beside being right, and of MedQA questions beside AgentClinic."""

from __future__ import annotations

from typing import Literal

from medlens.agentclinic import metrics
from medlens.tagging.medqa import medqa_accuracy
from medlens.ui.agentclinic.figures_charts import GREY_NOTE, Entry, rows_chart, table_of
from medlens.ui.agentclinic.figures_data import Source
from medlens.ui.agentclinic.nav import mark_id
from medlens.ui.chart_figures import ACCENT, Axis, Row, rows_figure
from medlens.ui.charts import Chart, Series

BEHAVIOUR = {
    "tests": ("Tests ordered", "tests_requested"), "images": ("Images asked for",
    "images_requested"), "messages": ("Messages of the doctor", "messages_used"),
    "turns": ("Turns", "turns"), "told": ("Share of the case told", "told"),
    "echo": ("Share of the answer that stood in the question", "echo"),
}  # fmt: skip


def behaviour_chart(source: Source, column: str) -> Chart:
    """What is counted in each dialogue, by doctor (echo by patient)."""
    return source.keep(f"behaviour.{column}", lambda: _behaviour(source, column), drawn=True)


def _behaviour(source: Source, column: str) -> Chart:
    title, figure = BEHAVIOUR[column]
    by = "patient" if column == "echo" else "doctor"
    figure = "echo_by_patient" if column == "echo" else figure
    entries: list[Entry] = [
        (name, figure, name, metrics.mean(group, column), mark_id("slice", by, name))
        for name, group in metrics.slices(source.table, by).items()
    ]
    form: Literal["percent", "number"] = "percent" if column in ("told", "echo") else "number"
    return rows_chart(
        source, f"behaviour_{column}", entries, Axis(f"{title}, mean", form, high=1),
        title=f"{title}, by {by}", n=f"Dialogues without a bias; cases drawn. {GREY_NOTE}",
    )  # fmt: skip


def medqa_chart(source: Source) -> Chart | None:
    """MedQA accuracy beside AgentClinic's, for the models that have both."""
    asked = {
        group: one for figure, group, one in medqa_accuracy(source.store)
        if figure == "medqa_accuracy"
    }  # fmt: skip
    played = metrics.slices(source.table, "doctor")
    both = [name for name in played if name in asked]
    if not both:
        return None
    entries: list[Entry] = []
    rows = []
    for name in both:
        clinic, mark = metrics.accuracy(played[name]), mark_id("slice", "doctor", name)
        rows.append(Row(name, ACCENT[source.theme], (asked[name], clinic), ("", mark)))
        entries.append((name, "medqa_accuracy", name, asked[name], ""))
        entries.append((name, "accuracy_by_doctor", name, clinic, mark))
    axis = Axis("Share of correct diagnoses", "percent", high=1)
    series = (Series("MedQA questions", "hatched"), Series("AgentClinic", "bar"))
    return Chart(
        name="clinic_medqa", title="The same models on MedQA questions",
        n=f"Share correct with 95% intervals. {GREY_NOTE}",
        alt="Two bars per model: accuracy on MedQA and in AgentClinic.", series=series,
        figure=rows_figure(rows, series, axis, theme=source.theme),
        table=table_of(entries), marks=tuple(mark for *_, mark in entries),
    )  # fmt: skip
