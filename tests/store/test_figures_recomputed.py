"""Every row of every study's figures, computed again by other code from what can be exported."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.store import Store, open_store
from medlens.studies.own import study_file
from medlens.tables import write_table
from tests.conftest import LayStore
from tests.recomputed import agentclinic, ebmqa, own, sourcecheckup, tagging
from tests.recomputed.made_up_answers import fill
from tests.recomputed.second_opinion import Figures, differences, read_figures

Recompute = Callable[[Path], Figures]

STUDIES: dict[str, tuple[Recompute, Sequence[str]]] = {
    "tagging": (tagging.recompute, ("judgments.csv", "spans.csv", "items.jsonl", "gold.csv")),
    "agentclinic": (
        agentclinic.recompute,
        ("outcomes.csv", "turns.csv", "ratings.csv", "moderator-checks.csv"),
    ),
    "sourcecheckup": (
        sourcecheckup.recompute,
        tuple(
            f"{name}.jsonl"
            for name in (
                *("questions", "responses", "statements", "sources", "pairs", "merged"),
                *("countries", "cleanups", "answer-judgments"),
                *("statement-checks", "question-checks"),
            )
        ),
    ),
    "ebmqa": (
        ebmqa.recompute,
        ("questions.jsonl", "answers.jsonl", "questionnaire.jsonl"),
    ),
    "own": (own.recompute, ("own-judgments.jsonl", "own-items.jsonl")),
}
DEMOS = [study for study in STUDIES if study != "own"]


def export(store: Store, study: str, dataset: str, files: Sequence[str], folder: Path) -> None:
    """Write the figures and these tables of a dataset."""
    for name in ("figures.csv", *files):
        kind, _, form = name.partition(".")
        table = work_behind_commands.make_export_table(
            *(store, Settings(), kind),
            viewer=None,
            study=study,
            dataset=dataset,
            nested=form != "csv",
            history=kind == "own-judgments",
        )
        write_table(table, folder / name, format=form)  # type: ignore[arg-type]


def recomputed(store: Store, study: str, dataset: str, folder: Path) -> pd.DataFrame:
    """The figures of a dataset, each of which is as other code says."""
    recompute, files = STUDIES[study]
    export(store, study, dataset, files, folder)
    figures = read_figures(folder)
    assert differences(figures, recompute(folder)) == []
    return figures


@pytest.mark.deep
@pytest.mark.parametrize("study", DEMOS)
def test_each_figure_of_a_demo_is_what_other_code_makes_of_its_exports(
    study: str, lay_store: LayStore, tmp_path: Path
) -> None:
    path = lay_store(
        tmp_path / "demos.duckdb", work_behind_commands.add_demo_studies_and_return_report_text
    )
    with contextlib.closing(open_store(path)) as store:
        figures = recomputed(store, study, "demo", tmp_path)
    assert figures["value"].notna().sum() > 200


@pytest.mark.deep
@pytest.mark.parametrize("template", study_file.load_templates_by_name())
def test_each_figure_of_a_template_is_what_other_code_makes_of_its_answers(
    template: str, tmp_path: Path
) -> None:
    with contextlib.closing(open_store(tmp_path / "own.duckdb")) as store:
        fill(store, template)
        shutil.copy(study_file.path_of_template(template), tmp_path / "STUDY.toml")
        figures = recomputed(store, "own", template, tmp_path)
    assert figures["value"].notna().sum() > 20


@pytest.mark.deep
@pytest.mark.shared_data
def test_each_figure_of_the_published_annotations_is_what_other_code_makes_of_them(
    shared_data: Path, tmp_path: Path
) -> None:
    with contextlib.closing(open_store(tmp_path / "published.duckdb")) as store:
        for kind, name in (
            ("g4ue-responses", "incorrect_responses.csv"),
            ("g4ue-items", "items.jsonl"),
            ("g4ue-annotations", "raw_annotations.csv"),
        ):
            file = shared_data / "g4ue" / name
            work_behind_commands.import_file(
                store, Settings(), kind, file, name=name, dataset="g4ue"
            )
        figures = recomputed(store, "tagging", "g4ue", tmp_path)
    # 45 people judged: intervals allow for them too.
    assert figures["method"].str.contains("items and raters").any()
