"""Verdicts on diagnoses as a layer of their own: any judge, any time, beside the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens import llm
from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.agentclinic import (
    diagnosis_verdicts,
    experiment_grid,
    exports,
    imports,
    metrics_accuracy_outcomes_and_bias,
    metrics_moderator_and_corrected_accuracy,
    queries,
    run_experiment,
    visits_for_figures,
)
from medlens.studies.agentclinic.records import Dialogue
from medlens.studies.agentclinic.study_in_dataset import open_study
from medlens.studies.agentclinic.tasks import MATCH
from medlens.studies.agentclinic.visit_filter import VisitFilter, make_visit_filter_choices
from medlens.tables import write_table
from tests.llm_server import LLMServer, Reply
from tests.store.made_up import person
from tests.store.test_agentclinic_run import case, how, prepared, script, settings


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = script
        yield running


def unreadable(body: dict[str, Any]) -> Reply:
    moderator = "ModeratorVerdict" in json.dumps(body.get("response_format", ""))
    return Reply("They may be alike.") if moderator else script(body)


def two(server: LLMServer) -> Settings:
    """The models "a" and "b", which are not the same model under two names."""
    given = settings(server)
    given.models["b"] = given.models["b"].model_copy(update={"model": "m2"})
    return given


def judge(
    store: Store, server: LLMServer, *models: str, **other: Any
) -> model_verdicts_and_runs_of_judges.Judged:
    return diagnosis_verdicts.let_models_judge_diagnosis_pairs(
        store, two(server), dataset="d", models=models, how=how(), **other
    )


def outcomes(store: Store, **scope: str) -> list[str]:
    table = visits_for_figures.table_of_visits_in_scope(
        store, open_study(store, "d"), VisitFilter(**scope)
    )
    return sorted(table["outcome"])


@pytest.mark.deep
def test_an_unreadable_moderator_is_asked_again_on_request_and_only_then(
    store: Store, server: LLMServer
) -> None:
    server.answer = unreadable
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    assert outcomes(store) == ["error", "error", "no_diagnosis"]
    table = exports.make_outcomes_export_table(store, open_study(store, "d"), viewer=None)
    assert sorted(table["outcome"]) == ["no_diagnosis", "outstanding", "outstanding"]
    server.answer = script
    assert judge(store, server, "a").lines == ("There is nothing left to judge.",)
    done = judge(store, server, "a", which="failed")
    assert done.outcomes == {"yes": 1, "no": 1}
    assert outcomes(store) == ["correct", "incorrect", "no_diagnosis"]
    assert sorted(
        diagnosis_verdicts.dialogue_index_table_with_outcomes_of_judge(store, "d")["outcome"]
    ) == outcomes(store)
    table = exports.make_outcomes_export_table(store, open_study(store, "d"), viewer=None)
    assert set(table["reason"]) == {"Compared.", "The doctor gave no diagnosis."}
    # What was judged is as it was.
    assert sorted(queries.dialogue_index_table(store, "d")["outcome"]) == [
        "error",
        "error",
        "no_diagnosis",
    ]


@pytest.mark.deep
def test_a_verdict_that_cannot_be_read_is_kept_beside_the_one_that_can(
    store: Store, server: LLMServer
) -> None:
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    server.answer = unreadable
    assert judge(store, server, "b").outcomes == {"parse_failed": 2}
    assert outcomes(store, judge="b") == ["error", "error", "no_diagnosis"]
    assert judge(store, server, "b").lines == ("There is nothing left to judge.",)
    server.answer = script
    assert judge(store, server, "b", which="failed").outcomes == {"yes": 1, "no": 1}
    kept = model_verdicts_and_runs_of_judges.list_all_verdicts(store, MATCH, "d")
    assert [(one.judge, one.attempt, one.usable) for one in kept] == [
        *[("b", 1, False)] * 2,
        *[("b", 2, True)] * 2,
    ]
    assert all(one.run and one.prompt and one.model for one in kept)
    assert outcomes(store, judge="b") == ["correct", "incorrect", "no_diagnosis"]


@pytest.mark.deep
def test_an_endpoint_without_an_answer_leaves_nothing_and_is_asked_again(
    store: Store, server: LLMServer
) -> None:
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    server.answer = lambda body: Reply(status=500)
    assert judge(store, server, "b").outcomes == {"error": 2}
    assert model_verdicts_and_runs_of_judges.list_all_verdicts(store, MATCH, "d") == []
    server.answer = script
    assert judge(store, server, "b").outcomes == {"yes": 1, "no": 1}


@pytest.mark.deep
def test_naming_another_moderator_plays_nothing_again_and_pools_no_copies(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    before = server.answered().total()
    shown: list[llm.CostForecast] = []

    def confirm(expected: llm.CostForecast) -> bool:
        shown.append(expected)
        return True

    other = replace(experiment, moderator="b")
    given = two(server)
    done = run_experiment.play_experiment(store, given, other, how=how(confirm=confirm))
    # Three visits, two diagnoses: two calls, where three visits would have been 3 x 4 and more.
    assert shown[0].calls == 2
    assert server.answered().total() - before == 2
    assert (done.added, len(queries.dialogue_index_table(store, "d"))) == (0, 3)
    assert "2 verdicts of 'b' are new." in done.lines
    assert diagnosis_verdicts.list_moderators(store, "d") == ["a", "b"]
    assert outcomes(store, judge="b") == outcomes(store) == outcomes(store, judge="a")
    again = run_experiment.play_experiment(store, given, other, how=how())
    assert server.answered().total() - before == 2
    assert again.added == 0


def test_visits_of_a_store_from_before_are_known_by_their_old_names(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    given = settings(server)
    old = []
    for cell in experiment_grid.list_visits_of_grid(store, given, experiment):
        [name] = cell.before
        assert name != cell.name
        seats = dict.fromkeys(("doctor", "patient", "measurement", "moderator"), "a")
        visit = Dialogue(case=cell.case_name, outcome="no_diagnosis", n_interactions=4, **seats)  # type: ignore[arg-type]
        old.append((name, visit))
    queries.add_dialogues_and_return_added(store, old, dataset="d")
    done = run_experiment.play_experiment(
        store, given, replace(experiment, moderator="b"), how=how()
    )
    assert (done.added, server.answered().total()) == (0, 0)


def test_visits_that_were_played_twice_are_not_pooled(store: Store) -> None:
    experiment = prepared(store, case(1))
    rules = {"case": experiment.cases[0], "doctor": "a", "patient": "a", "n_interactions": 4}
    found = [
        ("one", Dialogue(**rules, outcome="incorrect", diagnosis="Gout", run="first")),  # type: ignore[arg-type]
        ("two", Dialogue(**rules, outcome="no_diagnosis", run="second")),  # type: ignore[arg-type]
        ("again", Dialogue(**rules, outcome="no_diagnosis", run="second", repeat=2)),  # type: ignore[arg-type]
    ]
    queries.add_dialogues_and_return_added(store, found, dataset="d")
    assert outcomes(store) == ["no_diagnosis", "no_diagnosis"]
    assert outcomes(store, run="first") == ["incorrect"]
    assert outcomes(store, cases="f") == outcomes(store)
    assert outcomes(store, cases="other") == []
    assert make_visit_filter_choices(store, "d").cases == ("f",)
    assert sorted(make_visit_filter_choices(store, "d").runs) == ["first", "second"]


@pytest.mark.deep
def test_an_experiment_by_the_published_protocol_is_marked_and_never_pooled(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    run_experiment.play_experiment(
        store, settings(server), replace(experiment, protocol="published"), how=how()
    )
    index = queries.dialogue_index_table(store, "d")
    assert sorted(index["protocol"]) == ["medlens"] * 3 + ["published"] * 3
    study = open_study(store, "d")
    for scope, protocol in (
        (VisitFilter(), "medlens"),
        (VisitFilter(protocol="published"), "published"),
    ):
        assert (
            visits_for_figures.table_of_visits_in_scope(store, study, scope)["protocol"].tolist()
            == [protocol] * 3
        )


def test_a_pair_is_one_however_it_is_spelt_and_however_often_it_was_given(store: Store) -> None:
    experiment = prepared(store, case(1, Correct_Diagnosis="Crohn's disease"))
    given = ["Gout", "gout.", " GOUT", "Crohn’s disease", "Lupus"]
    found = [
        (
            f"d{n}",
            Dialogue(
                case=experiment.cases[0],
                doctor="a",
                patient="a",
                moderator="a",
                outcome="incorrect",
                diagnosis=one,
                repeat=n,
            ),
        )
        for n, one in enumerate(given, 1)
    ]
    queries.add_dialogues_and_return_added(store, found, dataset="d")
    pairs = list(diagnosis_verdicts.load_pairs_by_id(store, "d").values())
    assert [one.visits for one in pairs] == [("d1", "d2", "d3"), ("d4",), ("d5",)]
    assert [one.is_written_alike for one in pairs] == [False, True, False]


def test_clinicians_are_asked_about_each_pair_once_and_what_they_say_counts_once(
    store: Store,
) -> None:
    experiment = prepared(store, case(1, Correct_Diagnosis="Gouty arthritis"))
    given = ["Gout", "gout.", "Gouty arthritis", "Lupus"]
    rules = {"case": experiment.cases[0], "doctor": "a", "patient": "a", "moderator": "a"}
    found = [
        (f"d{n}", Dialogue(**rules, outcome="correct", diagnosis=one, repeat=n))  # type: ignore[arg-type]
        for n, one in enumerate(given, 1)
    ]
    queries.add_dialogues_and_return_added(store, found, dataset="d")
    study, anna = open_study(store, "d"), person(store, "Anna")
    asked = []
    hand_out = HandOut(items_per_rater=20, gold_share=0.0)
    while item := assignment.give_next_item_and_return_id(
        store, study.match, hand_out, dataset="d", rater=anna.id
    ):
        asked.append(item)
        body = {"same": "yes" if item == queries.item_id_made_from_name("d", "d1") else "no"}
        judging.submit_judgment(
            store, study.match, item=item, rater=anna.id, body=body, token=new_id()
        )
    assert sorted(asked) == sorted(
        queries.item_id_made_from_name("d", name) for name in ("d1", "d4")
    )
    assert diagnosis_verdicts.count_visits_settled_by_answer(store, "d", "d1") == 2
    one = metrics_moderator_and_corrected_accuracy.compare_moderator_with_clinicians(
        visits_for_figures.table_of_visits_in_scope(store, study),
        visits_for_figures.realism_and_diagnosis_judgment_tables(store, study, viewer=None)[1],
    )
    # Two pairs were checked, which three visits ended with: one is the same disease, one is not.
    assert (len(one.confirmed), len(one.overcalled), one.settled) == (1, 1, 3)
    assert (one.specificity.numerator, one.specificity.denominator) == (0, 1)


def test_imported_dialogues_are_judged_without_ever_having_had_a_moderator(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store, case(1))
    one = Dialogue(
        case=experiment.cases[0], doctor="x", patient="y", outcome="error", diagnosis="Disease 1"
    )
    queries.add_dialogues_and_return_added(store, [("elsewhere", one)], dataset="d")
    assert judge(store, server, "b").outcomes == {"yes": 1}
    assert outcomes(store, judge="b") == ["correct"]


def test_verdicts_go_out_and_come_back(store: Store, server: LLMServer, tmp_path: Path) -> None:
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    judge(store, server, "b")
    study = open_study(store, "d")
    file, dialogues = tmp_path / "verdicts.csv", tmp_path / "dialogues.jsonl"
    write_table(
        exports.make_moderator_verdicts_export_table(store, study, viewer=None), file, format="csv"
    )
    write_table(
        exports.make_dialogues_export_table(store, study, viewer=None), dialogues, format="jsonl"
    )
    other = open_store(tmp_path / "other.duckdb")
    prepared(other)
    kinds = {"agentclinic-dialogues": dialogues, "agentclinic-verdicts": file}
    for kind, path in kinds.items():
        for added in (True, False):
            request = imports.Request(path, path.name, "d")
            report = imports.IMPORTS[kind].read(other, open_study(other, "d"), request)
            assert bool(report.added) is added
    for scope in (VisitFilter(), VisitFilter(judge="b")):
        tables = [
            visits_for_figures.table_of_visits_in_scope(one, open_study(one, "d"), scope)[
                ["dialogue", "outcome"]
            ]
            for one in (store, other)
        ]
        pd.testing.assert_frame_equal(*tables)
    changed = file.read_text().replace(",yes,", ",no,")
    with pytest.raises(InvalidInput, match="already a different verdict"):
        imports.import_verdicts(
            other, open_study(other, "d"), imports.Request(changed.encode(), "changed.csv", "d")
        )
    said = "given,correct,judge,outcome\ngout,gout,j,yes\n"
    once = imports.Request((said + "gout,gout,j,yes\n").encode(), "twice.csv", "d")
    report = imports.import_verdicts(other, open_study(other, "d"), once)
    assert (report.added, report.known) == (1, 1)
    twice = said.replace(",j,", ",k,") + "gout,gout,k,no\n"
    with pytest.raises(InvalidInput, match="the file has two that differ"):
        imports.import_verdicts(
            other, open_study(other, "d"), imports.Request(twice.encode(), "twice.csv", "d")
        )
    other.close()


@pytest.mark.deep
def test_a_forecast_counts_what_is_stored_of_visits_that_were_stopped(
    store: Store, server: LLMServer
) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how(spending_cap=0.04))
    stored = store.rows("select count(*) from completion")[0][0]
    expected = run_experiment.forecast_cost_of_unplayed_visits(store, settings(server), experiment)
    done = sum(one.calls or 0 for *_, one in queries.list_dialogues_with_ids_and_names(store, "d"))
    # Those of visits that came to their end are nobody's any more.
    assert stored > done
    assert expected.stored == stored - done
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    after = run_experiment.forecast_cost_of_unplayed_visits(store, settings(server), experiment)
    assert (after.calls, after.cost) == (0, 0)


def test_accuracy_by_a_judge_that_has_not_judged_all_is_withheld_or_says_its_bounds() -> None:
    def visits(*outcomes: str) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "case": [f"c{n}" for n in range(len(outcomes))],
                "outcome": outcomes,
                "diagnosis": ["" if one == "no_diagnosis" else "Gout" for one in outcomes],
            }
        )

    # 9 of 10 have a verdict: 6 right, 1 outstanding; (6 + 0) / 10 to (6 + 1) / 10.
    some = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(
        visits(*["correct"] * 6, *["incorrect"] * 3, "error")
    )
    assert (some.numerator, some.denominator) == (6, 9)
    assert "1 of 10 have verdicts outstanding: between 60.0% and 70.0%" in some.method
    # Those without a diagnosis need no judge: alone they would read as 0 of 2.
    few = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(
        visits("no_diagnosis", "no_diagnosis", "error", "error")
    )
    assert (few.value, few.low) == (None, None)
    assert "2 of 4 have verdicts outstanding: between 0.0% and 50.0%" in few.reason
    none = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(visits("error", "error"))
    assert "2 of 2 have verdicts outstanding" in none.reason
    # A visit that an endpoint broke before its end waits for no judge.
    broken = visits(*["correct"] * 9, "error").assign(diagnosis=[*["Gout"] * 9, ""])
    assert (
        "1 that ended in an error left out"
        in metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(broken).method
    )


@pytest.mark.deep
def test_exported_figures_say_by_whom_and_of_what_they_are(store: Store, server: LLMServer) -> None:
    run_experiment.play_experiment(store, settings(server), prepared(store), how=how())
    server.answer = lambda body: Reply('{"same_disease": "no", "reason": "Differs."}')
    judge(store, server, "b")

    def exported(**narrow: str) -> pd.DataFrame:
        return work_behind_commands.make_export_table(
            store,
            settings(server),
            "figures",
            viewer=None,
            study="agentclinic",
            dataset="d",
            narrow=narrow,
        )

    def correct(table: pd.DataFrame) -> int:
        named = table[(table["figure"] == "outcomes") & (table["group"] == "correct")]
        return int(named["numerator"].iloc[0])

    own, by_b = exported(), exported(judge="b")
    assert (correct(own), correct(by_b)) == (1, 0)
    assert set(own["judge"]) == {"each visit's own"}
    assert set(by_b["judge"]) == {"b"}
    assert set(by_b["dataset"]) == {"d"}
    [played] = set(queries.dialogue_index_table(store, "d")["run"])
    of_run = exported(run=played, protocol="medlens")
    assert set(zip(of_run["run"], of_run["protocol"], strict=True)) == {(played, "medlens")}
    assert correct(of_run) == 1
    with pytest.raises(InvalidInput, match="no judge 'c'"):
        exported(judge="c")
    with pytest.raises(InvalidInput, match="cannot be narrowed by experiment"):
        work_behind_commands.make_export_table(
            store, settings(server), "turns", viewer=None, narrow={"experiment": "x"}
        )
