"""Trust in models, agreement, retest and suggestions, computed again by other code."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import agreement as product_agreement
from medlens.review import randomised_model_suggestions as product_suggestions
from medlens.review.tasks import Task
from medlens.store import Store, open_store
from medlens.tables import write_table
from tests.recomputed import agreement, judgments, made_up_judges, retest, suggestions, trust
from tests.recomputed.comparing import differences_of_rows
from tests.recomputed.judgments import Judged
from tests.recomputed.made_up_judges import STUDY

pytestmark = pytest.mark.deep

TRUST = ["judge", "prompt", "variable", "answer", "who", "figure", "group"]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Task]]:
    """A store with the made-up study, and its task."""
    folder = tmp_path_factory.mktemp("judged")
    with contextlib.closing(open_store(folder / "judged.duckdb")) as store:
        task = made_up_judges.fill_judged_study(store)
        made_up_judges.suggest(store, task)
        yield store, task


def export(store: Store, kind: str, *, history: bool = False) -> pd.DataFrame:
    """A table of the made-up study."""
    study = None if kind == "adjudications" else "own"
    dataset = STUDY if study else ""
    return work_behind_commands.make_export_table(
        store, Settings(), kind, viewer=None, study=study, dataset=dataset, history=history
    )


def judged_in(store: Store, folder: Path) -> Judged:
    """What counts of everything said, from the exports."""
    for kind in ("own-judgments", "own-items", "adjudications"):
        table = export(store, kind, history=kind == "own-judgments")
        write_table(table, folder / f"{kind}.jsonl", format="jsonl")
    return judgments.read(
        folder,
        excluded=[made_up_judges.EXCLUDED],
        rewritten={made_up_judges.REWRITTEN: 2},
    )


def test_every_figure_of_trust_is_what_other_code_makes_of_the_judgments(
    filled: tuple[Store, Task], tmp_path: Path
) -> None:
    judged = judged_in(filled[0], tmp_path)
    table = export(filled[0], "trust")
    assert differences_of_rows(table, TRUST, trust.recompute(judged)) == []
    assert (table["value"].notna()).sum() > 1500
    # Three versions of the prompt of one model, of which one is not known.
    assert set(judged.judges) == {("m", ""), ("m", "p1"), ("m", "p2"), ("n", "p1")}


def test_every_figure_of_retest_is_what_other_code_makes_of_the_judgments(
    filled: tuple[Store, Task], tmp_path: Path
) -> None:
    table = export(filled[0], "retest")
    expected = retest.recompute(judged_in(filled[0], tmp_path))
    assert differences_of_rows(table, ["figure", "group"], expected) == []


def test_agreement_of_all_and_of_every_two_is_what_other_code_makes_of_the_judgments(
    filled: tuple[Store, Task], tmp_path: Path
) -> None:
    store, task = filled
    table = product_agreement.agreement_table(store, task, dataset=STUDY, viewer=None, pairs=True)
    keys = ["variable", "rater", "other_rater", "figure"]
    expected = agreement.recompute(judged_in(store, tmp_path))
    assert differences_of_rows(table, keys, expected) == []


def test_what_became_of_suggestions_is_what_other_code_makes_of_the_judgments(
    filled: tuple[Store, Task], tmp_path: Path
) -> None:
    store, _ = filled
    judged, table = judged_in(store, tmp_path), export(store, "suggestions")
    firsts = {
        row["judgment_id"]: judgments.answers_of(row)
        for row in export(store, "own-judgments", history=True).to_dict("records")
    }
    names = ["outcome", "same", "suggestion_right", "answer_right"]
    given = table[names].astype(object).where(table[names].notna(), None)
    recomputed = suggestions.recompute(judged, table, firsts)
    assert list(given.itertuples(index=False, name=None)) == recomputed
    figures = product_suggestions.suggestion_estimates_by_figure(table)
    for name, expected in suggestions.figures(table).items():
        found = figures[name]
        numbers = (found.value, found.low, found.high, found.n)
        wanted = (expected.value, expected.low, expected.high, expected.n)
        assert numbers == pytest.approx(wanted, abs=1e-6), name


def test_after_a_draw_each_checked_item_stands_for_its_stratum_in_every_figure_of_trust(
    tmp_path: Path,
) -> None:
    with contextlib.closing(open_store(tmp_path / "drawn.duckdb")) as store:
        made_up_judges.fill_judged_study(store, seed=12)
        strata = made_up_judges.draw_to_check(store)
        judged = replace(judged_in(store, tmp_path), strata=strata)
        table = export(store, "trust")
    assert differences_of_rows(table, TRUST, trust.recompute(judged)) == []
