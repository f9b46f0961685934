"""Judges in the store: the studies' own figures, prompts told apart, leads only."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from medlens.agentclinic.tasks import MATCH
from medlens.app import commands
from medlens.config.settings import Settings
from medlens.errors import NotAllowed
from medlens.review import judges, raters, trust
from medlens.review.judging import judgment_row
from medlens.review.trust import Judge
from medlens.store import Store, open_store
from medlens.studies import STUDIES
from tests.conftest import LayStore
from tests.store.made_up import TASK, Rating, person, poems

SETTINGS = Settings()


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(tmp_path_factory.mktemp("trust") / "d.duckdb", commands.load_demo_studies)
    with contextlib.closing(open_store(path)) as store:
        yield store


def exported(store: Store, kind: str, study: str) -> pd.DataFrame:
    return commands.export_table(store, SETTINGS, kind, viewer=None, study=study)


def test_verifiers_have_the_figures_of_their_own_study(demos: Store) -> None:
    found = exported(demos, "trust", "sourcecheckup").query("variable == 'supported'")
    own = exported(demos, "figures", "sourcecheckup").set_index(["figure", "group"])
    for judge in ("demo-verifier-1", "demo-verifier-2"):
        mine = found[(found["judge"] == judge) & (found["who"] == judge)].set_index("figure")
        for ours, theirs in {
            "agreement": "verifier_agreement",
            "sensitivity": "verifier_sensitivity",
            "specificity": "verifier_specificity",
            "kappa": "verifier_kappa",
        }.items():
            for column in ("value", "low", "high", "n"):
                assert mine.loc[ours, column] == own.loc[(theirs, judge), column], (ours, column)


def test_the_figures_are_those_that_pandas_makes_of_the_exported_judgments(demos: Store) -> None:
    judged = exported(demos, "judgments", "sourcecheckup").query("stands")
    people = judged[judged["rater_kind"] == "person"]
    yes = people["verdict"] == "supported"
    votes = pd.Series(np.where(yes, 1, -1), index=people["item"]).groupby(level=0).sum()
    word = votes[votes != 0] > 0
    verdicts = judged[judged["rater"] == "demo-verifier-2"].set_index("item")["verdict"]
    both = pd.concat([verdicts == "supported", word], axis=1, join="inner", keys=["m", "w"])
    found = exported(demos, "trust", "sourcecheckup").query(
        "judge == 'demo-verifier-2' and variable == 'supported' and who == 'demo-verifier-2'"
    )
    value = found.set_index("figure")["value"]
    assert value["sensitivity"] == pytest.approx(both["m"][both["w"]].mean())
    assert value["npv"] == pytest.approx((~both["w"])[~both["m"]].mean())
    checked = both["w"].groupby(both["m"]).mean()
    share = (verdicts == "supported").mean()
    powered = checked[True] * share + checked[False] * (1 - share)
    assert value["share_prediction_powered"] == pytest.approx(powered)


def test_a_reviewer_is_not_told_what_models_say(demos: Store) -> None:
    declared = STUDIES["agentclinic"]
    opened = declared.open(demos, SETTINGS, "demo")
    task = next(one for one in declared.tasks(opened) if one.name == MATCH)
    nosy = person(demos, "Nosy")
    with pytest.raises(NotAllowed):
        trust.look(declared, demos, task, dataset="demo", viewer=nosy)
    with pytest.raises(NotAllowed):
        trust.table(declared, demos, opened, viewer=nosy)


class MadeUp:
    name = "made_up"

    @staticmethod
    def tasks(opened: object) -> list:
        return [TASK]

    @staticmethod
    def said(store: Store, task: str, dataset: str) -> tuple:
        return ()


def says(store: Store, item: str, revision: int, score: int, prompt: str) -> None:
    """A verdict under a prompt, and the judgment where it says something new."""
    named = judges.Verdict(
        item, "m", prompt, 1, str(score), usable=True, reason="", body={}, model="m", run="r"
    )
    rater = raters.new_row("m", kind="model", origin="model")
    made = judgment_row(TASK.name, item, rater["id"], Rating(score=score), revision=revision)
    store.append("verdict", judges.row_of(named, task=TASK.name, dataset="poems"))
    if revision:
        store.append_all({"rater": [rater], "judgment": [made]})


def test_what_a_model_said_under_each_prompt_is_a_judge_of_its_own(store: Store) -> None:
    first, second, third = poems(store, 3)
    says(store, first, 1, 4, "p1")
    says(store, first, 2, 7, "p2")
    says(store, second, 1, 5, "p1")
    says(store, second, 0, 5, "p2")  # the same again is no new judgment
    says(store, third, 1, 9, "p2")
    found = trust.look(MadeUp, store, TASK, dataset="poems", viewer=None)
    scores = {
        judge: {item: one["score"] for item, one in said.items()}
        for judge, said in found.judges.items()
    }
    assert scores == {
        Judge("m", "p1"): {first: 4, second: 5},
        Judge("m", "p2"): {first: 7, second: 5, third: 9},
    }


def test_what_a_lead_sees_of_items_here_makes_their_later_judgments_not_blind(store: Store) -> None:
    first, second = poems(store, 2)
    lead = person(store, "Lena", lead=True)
    for _ in range(2):
        trust.note_seen(store, TASK, [first], viewer=lead)
    trust.note_seen(store, TASK, [first, second], viewer=lead)
    seen = store.rows("select item from reveal where rater = $rater order by seq", rater=lead.id)
    assert seen == [(first,), (second,)]
