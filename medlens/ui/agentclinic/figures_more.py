"""Charts of what the models do beside being right, and of MedQA questions beside AgentClinic."""

from __future__ import annotations

from typing import Literal

from medlens.agentclinic import medqa, metrics
from medlens.review.charts import Axis, Chart, Point
from medlens.stats.estimate import Estimate
from medlens.stats.figures import figure_rows as tagging_figures
from medlens.tagging.medqa import medqa_accuracy
from medlens.tagging.tasks import STUDY as TAGGING
from medlens.ui.address import mark_id
from medlens.ui.agentclinic.figures_charts import GREY_NOTE, Entry, rows_chart, table_of
from medlens.ui.agentclinic.figures_data import Source
from medlens.ui.charts import csv_of
from medlens.ui.figures.scatter import scatter_figure

BEHAVIOUR = {
    "tests": ("Tests ordered", "tests_requested"),
    "images": ("Images asked for", "images_requested"),
    "asked": ("An image asked for", "asked_for_images"),
    "messages": ("Messages of the doctor", "messages_used"),
    "turns": ("Turns", "turns"),
    "told": ("Share of the case told", "told"),
    "echo": ("Share of the answer that stood in the question", "echo"),
}


def behaviour_chart(source: Source, column: str) -> Chart:
    """What is counted in each dialogue, by doctor (echo by patient)."""
    return source.keep(f"behaviour.{column}", lambda: _behaviour(source, column), drawn=True)


def _behaviour(source: Source, column: str) -> Chart:
    if column == "asked":
        return _asked(source)
    title, figure = BEHAVIOUR[column]
    by = "patient" if column == "echo" else "doctor"
    figure = "echo_by_patient" if column == "echo" else figure
    entries: list[Entry] = [
        (name, figure, name, metrics.mean(group, column), mark_id("slice", by, name))
        for name, group in metrics.slices(source.table, by).items()
    ]
    form: Literal["percent", "number"] = "percent" if column in ("told", "echo") else "number"
    return rows_chart(
        source,
        f"behaviour_{column}",
        entries,
        Axis(f"{title}, mean", form, high=1),
        title=f"{title}, by {by}",
        n=f"Dialogues without a bias; cases drawn. {GREY_NOTE}",
    )


def _asked(source: Source) -> Chart:
    entries: list[Entry] = [
        (
            "All models" if name == "all" else name,
            "asked_for_images",
            name,
            one,
            mark_id("asked", name),
        )
        for name, one in metrics.asked_for_images(source.table).items()
    ]
    none = Estimate.undefined("images could be asked for in no dialogue")
    entries = entries or [("All models", "asked_for_images", "all", none, "")]
    return rows_chart(
        source,
        "behaviour_asked",
        entries,
        Axis("Share of the dialogues", "percent", high=1),
        title="Dialogues in which an image was asked for",
        n=f"Dialogues without a bias in which images are shown on request. {GREY_NOTE}",
    )


def options_chart(source: Source) -> Chart:
    """Wrong diagnoses that are among the answers that the case offers."""
    return source.keep("options", lambda: _options(source), drawn=True)


def _options(source: Source) -> Chart:
    entries: list[Entry] = [
        (group or "All", figure, group, one, mark_id("options", *group.rsplit(", ", 1)))
        for figure, group, one in metrics.wrong_among_options(source.table)
    ]
    none = Estimate.undefined("no wrong diagnosis was given in a case with offered answers")
    entries = entries or [("All", "wrong_among_options", "", none, "")]
    return rows_chart(
        source,
        "options",
        entries,
        Axis("Share of the wrong diagnoses", "percent", high=1),
        title="Wrong diagnoses that the case offers as answers",
        n=f"Wrong diagnoses in cases that come with answers to choose from. {GREY_NOTE}",
        note="By doctor and way of giving images: dialogues without a bias.",
    )


def medqa_chart(source: Source) -> Chart | None:
    """MedQA accuracy against AgentClinic's, for the models that have both; None if none has."""
    return source.keep("medqa", lambda: _medqa(source), drawn=True)


def _medqa(source: Source) -> Chart | None:
    played = metrics.slices(source.table, "doctor")
    entries: list[Entry] = []
    points = []
    for one in medqa.known(source.store, source.study.dataset):
        if one.model not in played:
            entries.append((one.group, "medqa_accuracy", one.group, one.estimate, ""))
            continue
        clinic = metrics.accuracy(played[one.model])
        mark = mark_id("slice", "doctor", one.model)
        entries.append((one.group, "medqa_accuracy", one.group, one.estimate, mark))
        entries.append((one.group, "accuracy_by_doctor", one.model, clinic, mark))
        if clinic.defined:
            points.append(Point(one.group, one.estimate, clinic, mark))
    if not entries:
        return None
    alone = len({group for group, *_ in entries}) - len(points)
    return Chart(
        name="clinic_medqa",
        title="MedQA against AgentClinic",
        n=f"{len(points)} models with both; shares correct with 95% intervals. On the dotted line"
        f" both are the same. {GREY_NOTE}",
        note="MedQA accuracies are imported (medqa-accuracy), with the source in the table.",
        alt="A point per model: accuracy on MedQA across, in AgentClinic upwards.",
        undefined=(f"Of models that played nothing here: {alone}, see the table.",)
        if alone
        else (),
        figure=scatter_figure(points, "MedQA accuracy", "AgentClinic accuracy", theme=source.theme)
        if points
        else None,
        table=table_of(entries),
        marks=tuple(mark for *_, mark in entries),
    )


def medqa_to_take(source: Source) -> list[medqa.Medqa]:
    """What error tagging knows of models' MedQA accuracy and this dataset does not yet.

    It goes through the file that ``export figures tagging`` writes, like any other's.
    """
    rows = [one for one in medqa_accuracy(source.store) if one[0] == "medqa_accuracy"]
    if not rows:
        return []
    known = {
        (one.model, one.estimate.numerator, one.estimate.denominator)
        for one in medqa.known(source.store, source.study.dataset)
    }
    found = medqa.read(csv_of(tagging_figures(rows, study=TAGGING)), name="figures").records
    return [one for one in found if (one.model, one.correct, one.n) not in known]
