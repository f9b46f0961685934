"""Judges in the store: the studies' own figures, prompts told apart, leads only."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    informative_sample,
    items_selected_to_hand_out,
    judge_trust,
    judging,
    raters,
    survey_answers_and_completion_code,
)
from medlens.review.judge_trust import Judge
from medlens.review.judging import make_imported_judgment_row
from medlens.store import Store, new_id, open_store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.agentclinic.tasks import MATCH
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore
from tests.store.made_up import TASK, Rating, person, poems, with_methods

SETTINGS = Settings()


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(
        tmp_path_factory.mktemp("trust") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        yield store


def exported(store: Store, kind: str, study: str) -> pd.DataFrame:
    return work_behind_commands.make_export_table(store, SETTINGS, kind, viewer=None, study=study)


@pytest.fixture(scope="module")
def verifiers(demos: Store) -> pd.DataFrame:
    """The figures of the demo's verifiers, for one verdict."""
    found = exported(demos, "trust", "sourcecheckup")
    return found.query("variable == 'supported' and who == judge")


@pytest.mark.deep
def test_verifiers_have_the_figures_of_their_own_study(
    demos: Store, verifiers: pd.DataFrame
) -> None:
    own = exported(demos, "figures", "sourcecheckup").set_index(["figure", "group"])
    for judge in ("demo-verifier-1", "demo-verifier-2"):
        mine = verifiers[verifiers["judge"] == judge].set_index("figure")
        for ours, theirs in {
            "agreement": "verifier_agreement",
            "sensitivity": "verifier_sensitivity",
            "specificity": "verifier_specificity",
            "kappa": "verifier_kappa",
        }.items():
            for column in ("value", "low", "high", "n"):
                assert mine.loc[ours, column] == own.loc[(theirs, judge), column], (ours, column)


@pytest.mark.deep
def test_the_figures_are_those_that_pandas_makes_of_the_exported_judgments(
    demos: Store, verifiers: pd.DataFrame
) -> None:
    judged = exported(demos, "judgments", "sourcecheckup").query("stands")
    people = judged[judged["rater_kind"] == "person"]
    yes = people["verdict"] == "supported"
    votes = pd.Series(np.where(yes, 1, -1), index=people["item"]).groupby(level=0).sum()
    word = votes[votes != 0] > 0
    verdicts = judged[judged["rater"] == "demo-verifier-2"].set_index("item")["verdict"]
    both = pd.concat([verdicts == "supported", word], axis=1, join="inner", keys=["m", "w"])
    value = verifiers[verifiers["judge"] == "demo-verifier-2"].set_index("figure")["value"]
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
        judge_trust.load_task_answers_of_people_and_models(
            declared, demos, task, dataset="demo", viewer=nosy
        )
    with pytest.raises(NotAllowed):
        judge_trust.trust_table(declared, demos, opened, viewer=nosy)


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
    named = model_verdicts_and_runs_of_judges.Verdict(
        item, "m", prompt, 1, str(score), usable=True, reason="", body={}, model="m", run="r"
    )
    rater = raters.make_rater_row("m", kind="model", origin="model")
    made = make_imported_judgment_row(
        *(TASK.name, item, rater["id"], Rating(score=score)),
        revision=revision or 1,
        run="r",
        prompt=prompt,
    )
    row = model_verdicts_and_runs_of_judges.verdict_as_store_row(
        named, task=TASK.name, dataset="poems", judgment=made["id"]
    )
    store.append("verdict", row)
    if revision:
        store.append_all_and_count_new_by_table({"rater": [rater], "judgment": [made]})


def test_what_a_model_said_under_each_prompt_is_a_judge_of_its_own(store: Store) -> None:
    first, second, third = poems(store, 3)
    says(store, first, 1, 4, "p1")
    says(store, first, 2, 7, "p2")
    says(store, second, 1, 5, "p1")
    says(store, second, 0, 5, "p2")  # the same again is no new judgment
    says(store, third, 1, 9, "p2")
    found = judge_trust.load_task_answers_of_people_and_models(
        MadeUp, store, TASK, dataset="poems", viewer=None
    )
    scores = {
        judge: {item: one["score"] for item, one in said.items()}
        for judge, said in found.judges.items()
    }
    assert scores == {
        Judge("m", "p1"): {first: 4, second: 5},
        Judge("m", "p2"): {first: 7, second: 5, third: 9},
    }


def test_a_judge_is_told_apart_by_month_and_run_and_by_who_the_clinicians_are(
    store: Store,
) -> None:
    there = poems(store, 8)
    cleo, rosa = person(store, "Cleo"), person(store, "Rosa")
    survey_answers_and_completion_code.save_survey_answers(
        store, form="f", rater=cleo.id, answers={"field": "surgery"}
    )
    survey_answers_and_completion_code.save_survey_answers(
        store, form="f", rater=rosa.id, answers={"field": "medicine"}
    )
    model = raters.make_rater_row("m", kind="model", origin="model")
    rows, verdicts = [], []
    for at, item in enumerate(there):
        month, run = ("2027-01", "r1") if at < 4 else ("2027-02", "r2")
        made = datetime.fromisoformat(f"{month}-15T10:00:00+00:00")
        one = model_verdicts_and_runs_of_judges.Verdict(
            item, "m", "p", 1, "8", True, "", {}, "m", run
        )
        held = make_imported_judgment_row(TASK.name, item, model["id"], Rating(score=8))["id"]
        row = model_verdicts_and_runs_of_judges.verdict_as_store_row(
            one, task=TASK.name, dataset="poems", judgment=held
        )
        verdicts.append(row | {"made_at": made})
        said = [(model["id"], 8, "model"), (cleo.id, 8 if at < 4 else 2, "import")]
        said.append((rosa.id, 8 if at < 2 else 2, "import"))
        rows += [
            make_imported_judgment_row(
                *(TASK.name, item, who, Rating(score=score)), revision=1, origin=origin
            )
            for who, score, origin in said
        ]
    store.append("verdict", *verdicts)
    store.append_all_and_count_new_by_table({"rater": [model], "judgment": rows})
    judge, col = Judge("m", "p"), column_of(store)
    opened = SimpleNamespace(dataset="poems")
    kinds = judge_trust.subsets_by_split_of_judge_agreement(GoodPoems, store, opened, col, judge)

    def of(kind: str) -> dict:
        found = judge_trust.list_judge_and_clinician_rates_of_parts(
            col, judge, 0, kinds[kind], "agreement"
        )
        return {name: (mine.numerator, mine.denominator) for name, mine, _ in found}

    # Both clinicians call the first two poems good, Cleo the first four; the model calls all so.
    assert of(judge_trust.MONTH) == {"2027-01": (2, 2), "2027-02": (0, 4)}
    assert of(judge_trust.RUN) == {"r1": (2, 2), "r2": (0, 4)}
    assert of("Clinicians' field") == {"surgery": (4, 8), "medicine": (2, 8)}
    table = judge_trust.trust_table(GoodPoems, store, opened, viewer=None)
    row = table[(table["group"] == "Run: r2") & (table["who"] == "m · p")].iloc[0]
    assert (row["figure"], row["n"], row["value"]) == ("agreement_by_group", 4, 0)


def test_what_a_lead_sees_of_items_here_makes_their_later_judgments_not_blind(store: Store) -> None:
    first, second = poems(store, 2)
    lead = person(store, "Lena", lead=True)
    for _ in range(2):
        judging.record_items_as_seen_and_say_if_any_new(store, [(TASK.name, first)], rater=lead.id)
    judging.record_items_as_seen_and_say_if_any_new(
        store, [(TASK.name, first), (TASK.name, second)], rater=lead.id
    )
    seen = store.rows("select item from reveal where rater = $rater order by seq", rater=lead.id)
    assert seen == [(first,), (second,)]


# -- drawing what to check -------------------------------------------------------------------------

GOOD = replace(
    with_methods(TASK, values_compared_for_agreement=lambda value: {"good": value.score > 5}),
    level="nominal",
)
WANTED = informative_sample.Draw(Judge("m", ""), 0, "specificity", 0.06)


def judged_poems(store: Store, checked: int) -> tuple[list[str], raters.Rater]:
    """200 poems that a model finds good (every fifth) or not, and people the first of them."""
    there = poems(store, 200)
    lead, model = (
        person(store, "Lena", lead=True),
        raters.make_rater_row("m", kind="model", origin="model"),
    )
    rows = []
    for at, item in enumerate(there):
        rows.append(
            make_imported_judgment_row(
                *(TASK.name, item, model["id"], Rating(score=8 if at % 5 == 0 else 3)),
                revision=1,
                origin="model",
            )
        )
        if at < checked:
            rows.append(judgment(item, at, lead))
    store.append_all_and_count_new_by_table({"rater": [model], "judgment": rows})
    return there, lead


def judgment(item: str, at: int, who: raters.Rater) -> dict:
    """A person's word: the model errs on every seventh poem."""
    good = (at % 5 == 0) != (at % 7 == 0)
    return make_imported_judgment_row(
        *(TASK.name, item, who.id, Rating(score=8 if good else 3)), revision=1, origin="import"
    )


class GoodPoems(MadeUp):
    listed: ClassVar[dict] = {}

    @staticmethod
    def tasks(opened: object) -> list:
        return [GOOD]


def column_of(store: Store) -> judge_trust.VariableAnswers:
    return judge_trust.everybodys_answers_to_variable(
        judge_trust.load_task_answers_of_people_and_models(
            GoodPoems, store, GOOD, dataset="poems", viewer=None
        ),
        "good",
    )


def test_a_draw_hands_out_the_items_of_its_strata_and_keeps_their_probabilities(
    store: Store,
) -> None:
    there, lead = judged_poems(store, 60)
    before = column_of(store)
    plan = informative_sample.make_forecast_of_items_needed_per_stratum(before, WANTED)
    assert 0 < plan.total_rows_to_check < 140
    # What is known now is what the chart shows.
    chart = judge_trust.compare_judge_with_clinicians(before, WANTED.judge, 0).rates["specificity"]
    assert plan.now == pytest.approx((chart.high - chart.low) / 2)
    many = informative_sample.hand_out_forecast_items_and_count(
        store, before, WANTED, dataset="poems", by=lead
    )
    assert many == plan.total_rows_to_check
    drawn = informative_sample.drawn_items_table(
        store, SimpleNamespace(dataset="poems"), viewer=lead
    )
    assert len(drawn) == many
    assert (drawn["drawn"] / (drawn["items_in_stratum"] - drawn["checked_before"])).tolist() == (
        pytest.approx(drawn["probability"].tolist())
    )
    # What was judged stays handed out, and nothing else is but what was drawn.
    names = dict(store.rows("select name, id from item"))
    out = set(items_selected_to_hand_out.ids_of_selected_items(store, GOOD, dataset="poems"))
    assert out == set(there[:60]) | {names[name] for name in drawn["item"]}

    with pytest.raises(InvalidInput, match="still to be judged"):
        informative_sample.hand_out_forecast_items_and_count(
            store, column_of(store), WANTED, dataset="poems", by=lead
        )
    at = {item: place for place, item in enumerate(there)}
    new = [names[name] for name in drawn["item"]]
    store.append("judgment", *(judgment(item, at[item], lead) for item in new))
    after = column_of(store)
    assert informative_sample.count_unchecked_of_last_draw(after) == 0

    # Each stratum's checked items stand for it, by hand.
    word = dict(zip(after.items, after.word == 0, strict=True))
    known = {item: not np.isnan(one) for item, one in zip(after.items, after.word, strict=True)}
    yes = {
        item: one == 0 for item, one in zip(after.items, after.judges[WANTED.judge], strict=True)
    }
    [(body,)] = store.rows("select body::varchar from sample")
    right = no = 0.0
    for one in json.loads(body)["strata"]:
        done = [item for item in one["items"] if known[item]]
        weight = len(one["items"]) / len(done)
        no += weight * sum(not word[item] for item in done)
        right += weight * sum(not word[item] and not yes[item] for item in done)
    rates = judge_trust.compare_judge_with_clinicians(after, WANTED.judge, 0).rates
    assert rates["specificity"].value == pytest.approx(right / no)
    assert rates["kappa"].reason == "the checked items were drawn unequally"
    assert rates["agreement"].method.startswith("weighted share")


def test_a_first_sample_is_drawn_where_nothing_can_be_foreseen(store: Store) -> None:
    _, lead = judged_poems(store, 0)
    plan = informative_sample.make_forecast_of_items_needed_per_stratum(column_of(store), WANTED)
    assert (plan.now, plan.random) == (None, None)
    assert plan.by_group.tolist() == [20, 20]
    assert (
        informative_sample.hand_out_forecast_items_and_count(
            store, column_of(store), WANTED, dataset="poems", by=lead
        )
        == plan.total_rows_to_check
    )


def test_what_a_task_leaves_out_is_not_drawn_to_be_checked(store: Store) -> None:
    there, lead = judged_poems(store, 0)
    col = column_of(store)
    kept = set(there[::4])
    left_out = with_methods(
        GOOD, ids_of_items_not_handed_out=lambda store, dataset: {*there} - kept
    )
    some = replace(col, material=replace(col.material, task=left_out))
    informative_sample.hand_out_forecast_items_and_count(
        store, some, WANTED, dataset="poems", by=lead
    )
    drawn = set(items_selected_to_hand_out.ids_of_selected_items(store, GOOD, dataset="poems"))
    assert drawn
    assert drawn <= kept


def test_an_item_is_of_the_strata_of_every_draw_it_was_in(store: Store) -> None:
    there, _ = judged_poems(store, 0)
    for revision, halves in ((1, (there[:100], there[100:])), (2, (there[:50], there[50:]))):
        strata = [
            {"stratum": f"{revision}.{at}", "items": some, "checked": [], "drawn": some[:1]}
            for at, some in enumerate(halves, 1)
        ]
        drawn = {"id": new_id(), "task": GOOD.name, "dataset": "poems", "revision": revision}
        store.append("sample", drawn | {"body": {"strata": strata}, "made_by": "command line"})
    col = column_of(store)
    of = dict(zip(col.items, col.strata, strict=True))
    assert len({of[item] for item in (there[0], there[50], there[150])}) == 3
    assert of[there[0]] == of[there[49]]
    # The last draw's are those that are still to be judged.
    assert col.material.drawn == (there[0], there[50])


def test_a_class_that_people_gave_throughout_is_told_in_plain_words(store: Store) -> None:
    there, lead = judged_poems(store, 0)
    # Nothing but poems that people find good is checked.
    good = [(at, item) for at, item in enumerate(there) if (at % 5 == 0) != (at % 7 == 0)]
    store.append("judgment", *(judgment(item, at, lead) for at, item in good))
    reasons = [
        one.reason
        for one in judge_trust.prevalence_estimate_by_correction_method(
            column_of(store), WANTED.judge, 0
        ).values()
    ]
    assert "people called everything they checked 'yes'" in reasons


def test_only_leads_draw(store: Store) -> None:
    judged_poems(store, 60)
    with pytest.raises(NotAllowed):
        informative_sample.hand_out_forecast_items_and_count(
            store, column_of(store), WANTED, dataset="poems", by=person(store, "Rosa")
        )
    with pytest.raises(NotAllowed):
        informative_sample.drawn_items_table(
            store, SimpleNamespace(dataset="poems"), viewer=person(store, "Rosa")
        )


def test_what_clinicians_changed_after_the_reveal_is_told_by_where_to(store: Store) -> None:
    there = poems(store, 4)
    model = raters.make_rater_row("m", kind="model", origin="model")
    ann, bob, eve = (person(store, name) for name in ("Ann", "Bob", "Eve"))

    def row(item: str, who: str, good: bool, revision: int = 1) -> dict:
        made = make_imported_judgment_row(
            *(TASK.name, item, who, Rating(score=8 if good else 3)),
            revision=revision,
            origin="import",
        )
        return made | {"blind": revision == 1}

    rows = [row(item, model["id"], True) for item in there]
    rows += [row(item, who.id, False) for item in there for who in (bob, eve)]
    # Ann: no to yes (to the model, from the others), yes to no (the other way), no as before; and
    # a poem that she did not look at again.
    said = [(False, True), (True, False), (False, False), (False, None)]
    for item, (first, then) in zip(there, said, strict=True):
        rows.append(row(item, ann.id, first))
        if then is not None:
            rows.append(row(item, ann.id, then, 2))
    store.append_all_and_count_new_by_table({"rater": [model], "judgment": rows})
    found = judge_trust.summarise_judgments_revised_after_reveal(column_of(store), Judge("m", ""))
    counts = {name: (one.numerator, one.denominator) for name, one in found.rates.items()}
    assert counts == {
        "changed": (2, 3),
        "to_model": (1, 3),
        "from_model": (1, 3),
        "to_word": (1, 3),
        "from_word": (1, 3),
    }
    assert (found.n, found.p) == (3, 1)
    # The reveal changes nothing else.
    assert (
        judge_trust.compare_judge_with_clinicians(column_of(store), Judge("m", ""), 0)
        .rates["sensitivity"]
        .reason
    )


@pytest.mark.deep
def test_a_verifier_that_cannot_tell_is_counted_where_doctors_can(demos: Store) -> None:
    task = next(
        one
        for one in STUDIES["sourcecheckup"].tasks(
            STUDIES["sourcecheckup"].open(demos, Settings(), "demo")
        )
        if "supported" in one.made_from
    )
    unsure, sure = (
        task.values_compared_for_agreement(
            task.parse(json.dumps({"verdict": verdict, "reason": "Read it."}))
        )
        for verdict in ("cannot_tell", "supported")
    )
    assert unsure["supported"] is None
    assert task.answer_to_variable(unsure, "supported") == "cannot_tell"
    assert task.answer_to_variable(sure, "supported") == "yes"
    told = exported(demos, "trust", "sourcecheckup")
    rows = told[(told["figure"] == "judge_cannot_tell") & (told["variable"] == "supported")]
    assert len(rows) > 0
