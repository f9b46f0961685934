"""AgentClinic's pipeline, for the command line and the Runs page."""

from __future__ import annotations

from pathlib import Path

from medlens.config.settings import Settings
from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.llm.pipeline_declaration_forecast_and_run import (
    How,
    Pipeline,
    PipelineField,
    RunReport,
)
from medlens.store import Store
from medlens.studies import model_runs_that_rate_items, model_verdicts_and_runs_of_judges
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
    model_runs_that_rate_items.make_rating_pipeline(
        lambda store, settings, dataset: open_study(store, dataset).realism,
        study=STUDY,
        name=model_runs_that_rate_items.KIND,
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
            model_verdicts_and_runs_of_judges.SAMPLE,
            model_verdicts_and_runs_of_judges.WHICH,
        ),
        start=diagnosis_verdicts.let_models_judge_diagnosis_pairs,
        batch_api=True,
    ),
)
