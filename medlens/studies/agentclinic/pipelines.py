"""AgentClinic's pipeline, for the command line and the Runs page."""

from __future__ import annotations

from pathlib import Path

from medlens.config.places import SHIPPED
from medlens.config.settings import Settings
from medlens.llm.pipeline import Field, How, Pipeline, RunReport
from medlens.store import Store
from medlens.studies import judges, rating
from medlens.studies.agentclinic import run, verdicts
from medlens.studies.agentclinic.experiment import load_experiment
from medlens.studies.agentclinic.models import STUDY
from medlens.studies.agentclinic.study import open_study

EXAMPLE = SHIPPED / "data/designs/agentclinic_experiment.toml"
"""The experiment that docs/agentclinic.md shows."""


def _play(store: Store, settings: Settings, *, experiment: Path, how: How) -> RunReport:
    return run.play(store, settings, load_experiment(store, settings, experiment), how=how)


PIPELINES = (
    Pipeline(
        study=STUDY,
        name=run.KIND,
        title="Let models play the clinic",
        about="Play the visits of an experiment; each becomes a dialogue to read and rate.",
        fields=(
            Field(
                name="experiment",
                title="Experiment",
                kind="file",
                suffixes=(".toml",),
                help="the experiment",
                example=EXAMPLE.read_text(encoding="utf-8"),
            ),
        ),
        start=_play,
    ),
    rating.pipeline(
        lambda store, settings, dataset: open_study(store, dataset).realism,
        study=STUDY,
        name=rating.KIND,
        title="Let models rate dialogues",
        about="Models rate how real dialogues are and mark their turns, as raters.",
    ),
    Pipeline(
        study=STUDY,
        name=verdicts.KIND,
        title="Let models check the diagnoses",
        about="Let moderators say whether the diagnoses given are the correct ones, once for each"
        " pair; imported dialogues too.",
        fields=(
            Field(name="models", title="Moderators", kind="models", help="the models that judge"),
            Field(
                name="dataset",
                title="Dataset",
                kind="dataset",
                help="the dataset whose diagnoses are judged",
            ),
            judges.SAMPLE,
            judges.WHICH,
        ),
        start=verdicts.judge,
        batch_api=True,
    ),
)
