"""Every figure of people's judgments says for whom it speaks, in every study's file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import hand_out_settings, rater_exclusion
from medlens.stats.scope_of_inference_over_raters import FIXED_PANEL, RATERS_LIKE_THESE
from medlens.store import Store, open_store
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore

KEY = ["study", "figure", "group"]


@pytest.fixture
def demo(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("scope") / "demos.duckdb"
    with contextlib.closing(
        open_store(lay_store(path, work_behind_commands.add_demo_studies_and_return_report_text))
    ) as store:
        yield store


def every_figure(store: Store) -> pd.DataFrame:
    """The figures of all studies, as files have them."""
    return pd.concat(
        [
            work_behind_commands.make_export_table(
                *(store, Settings(), "figures"), viewer=None, study=name, dataset="demo"
            )
            for name, declared in STUDIES.items()
            if declared.figures is not None and declared.demo_files
        ],
        ignore_index=True,
    )


@pytest.mark.deep
def test_what_changes_without_peoples_work_says_for_whom_it_speaks(demo: Store) -> None:
    before = every_figure(demo)
    people = demo.column("select id from rater where kind = 'person'")
    for rater in people:
        rater_exclusion.exclude_or_return_rater(
            demo, rater, reason="to see what rests on it", by=None
        )
    after = every_figure(demo)
    both = before.merge(after, on=KEY, how="left", suffixes=("", "_without"))
    of_people = both[
        both["value"].notna()
        & (both["value_without"].isna() | ((both["value"] - both["value_without"]).abs() > 1e-9))
        # What the pipeline says, of the answers that doctors have judged too.
        & (both["figure"] != "whole_answers_by_pipeline")
        & ~both["method"].str.startswith(("count", "expected of blind choice"))
    ]
    assert set(of_people["study"]) >= {"tagging", "agentclinic", "sourcecheckup"}
    silent = of_people[of_people["speaks_for"] == ""]
    assert set(silent["figure"]) == set(), silent[KEY]
    of_models = both[both["value"].notna() & (both["value"] == both["value_without"])]
    quiet = of_models[of_models["study"] != "tagging"]
    assert set(quiet["speaks_for"]) == {""}


@pytest.mark.deep
def test_a_declared_panel_is_all_that_any_figure_of_the_four_studies_speaks_for(
    demo: Store,
) -> None:
    before = every_figure(demo)
    for name, declared in STUDIES.items():
        if declared.demo_files and name != "own":
            opened = declared.open(demo, Settings(), "demo")
            tasks = declared.tasks(opened)
            # AnnotatedStudy for one task, it holds for the figures of all.
            hand_out_settings.declare_raters_fixed(demo, tasks[-1:], "demo", fixed=True, by=None)
    after = every_figure(demo)
    both = before.merge(after, on=KEY, how="outer", suffixes=("", "_fixed"))
    assert len(both) == len(before) == len(after)
    fixed = both[both["study"] != "own"]
    assert (fixed["value"].eq(fixed["value_fixed"]) | fixed["value"].isna()).all()
    of_people = fixed[fixed["speaks_for"] != ""]
    others = fixed[fixed["speaks_for"] == RATERS_LIKE_THESE]
    assert set(others["study"]) == {"ebmqa"}
    assert set(of_people["study"]) == {"tagging", "agentclinic", "sourcecheckup", "ebmqa"}
    alone = of_people["speaks_for_fixed"]
    assert set(alone[~alone.str.endswith(FIXED_PANEL)]) == {"this rater"}
    assert (others["speaks_for_fixed"] != "").all()
    narrower = (others["high"] - others["low"]) - (others["high_fixed"] - others["low_fixed"])
    assert narrower.median() > 0
    quiet = fixed[fixed["speaks_for"] == ""]
    assert set(quiet["speaks_for_fixed"]) == {""}
    for side in ("low", "high", "method"):
        assert (quiet[side].eq(quiet[f"{side}_fixed"]) | quiet[side].isna()).all()
    own = both[both["study"] == "own"]
    assert not own["speaks_for_fixed"].str.endswith(FIXED_PANEL).any()
