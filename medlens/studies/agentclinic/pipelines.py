"""AgentClinic's pipeline, for the command line and the Runs page."""

from __future__ import annotations

from pathlib import Path

from medlens.config.folders import SHIPPED
from medlens.config.settings import Settings
from medlens.llm.run_pipeline import How, Pipeline, PipelineField, RunReport
from medlens.store import Store
from medlens.studies import model_verdicts, models_as_raters
from medlens.studies.agentclinic import diagnosis_verdicts, run_experiment
from medlens.studies.agentclinic.experiment_file import load_experiment
from medlens.studies.agentclinic.records import STUDY
from medlens.studies.agentclinic.study_in_dataset import open_study

EXAMPLE = SHIPPED / "data/designs/agentclinic_experiment.toml"
"""The experiment that docs/agentclinic.md shows."""


def _play(store: Store, settings: Settings, *, experiment: Path, how: How) -> RunReport:
    return run_experiment.play_experiment(
        store, settings, load_experiment(store, settings, experiment), how=how
    )


PIPELINES = (
    Pipeline(
        study=STUDY,
        name=run_experiment.KIND,
        title="Let models play the clinic",
        about="Play the visits of an experiment; each becomes a dialogue to read and rate.",
        fields=(
            PipelineField(
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
    models_as_raters.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, dataset).realism,
        study=STUDY,
        name=models_as_raters.KIND,
        title="Let models rate dialogues",
        about="Models rate how real dialogues are and mark their turns, as raters.",
    ),
    Pipeline(
        study=STUDY,
        name=diagnosis_verdicts.KIND,
        title="Let models check the diagnoses",
        about="Let moderators say whether the diagnoses given are the correct ones, once for each"
        " pair; imported dialogues too.",
        fields=(
            PipelineField(
                name="models", title="Moderators", kind="models", help="the models that judge"
            ),
            PipelineField(
                name="dataset",
                title="Dataset",
                kind="dataset",
                help="the dataset whose diagnoses are judged",
            ),
            model_verdicts.SAMPLE,
            model_verdicts.WHICH,
        ),
        start=diagnosis_verdicts.let_models_judge_diagnosis_pairs,
        batch_api=True,
    ),
)
