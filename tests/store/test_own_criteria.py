"""Criteria that differ by item, in the store: items in, judgments, figures and files out."""

from __future__ import annotations

import io
import json
from typing import Any

import pandas as pd
import pytest

from medlens import llm
from medlens.app import work_behind_commands
from medlens.config.settings import Model, Settings
from medlens.errors import BadFile, InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import (
    assignment,
    consensus,
    hand_out_settings,
    items,
    judging,
    raters,
)
from medlens.review.agreement import (
    compute_agreement_by_variable,
    list_raters_and_pairwise_agreement,
)
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.own import study
from medlens.studies.own.study import Study, open_study
from medlens.studies.own.tasks import NAME
from medlens.studies.registry import find_pipeline
from medlens.tables import write_table
from tests.llm_server import LLMServer

pytestmark = pytest.mark.usefixtures("read_near")

TEXT = """\
id = "talks"
title = "Talks"
instructions = "Read it."
raters_per_item = 2
gold_share = 0

[[column]]
name = "answer"
means = "the answer"

[[column]]
name = "criteria"
means = "the criteria of the item"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "quality"
kind = "rubric"
text = "Does the answer meet it?"
required = true
criteria_column = "criteria"

[[question]]
id = "comment"
kind = "long_text"
text = "Anything else?"
"""
AXIS = "axis:accuracy"
ASKS = {"criterion": "Asks how long", "points": 2, "tags": ["axis:context"]}
FIRST = [
    {"criterion": "Says to call now", "points": 6, "tags": [AXIS]},
    {"criterion": "Names a wrong dose", "points": -4, "tags": [AXIS]},
    ASKS,
]
ITEMS = [
    {"item": "a", "answer": "Call now.", "criteria": FIRST},
    {"item": "b", "answer": "Wait.", "criteria": [ASKS]},
]


def opened(store: Store) -> Study:
    return open_study(store, Settings(), "talks")


def table_of(rows: list[dict[str, Any]]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def add(store: Store, rows: list[dict[str, Any]] = ITEMS, **how: Any) -> str:
    return work_behind_commands.import_file(
        *(store, Settings(), "own-items", table_of(rows)), name="i.jsonl", dataset="talks", **how
    ).line


@pytest.fixture
def talks(store: Store) -> Store:
    study.store_study_file_version_and_return_it(store, TEXT, name="STUDY.toml", by=None)
    add(store)
    return store


def judge(store: Store, name: str, answers: dict[str, list[str]]) -> Rater:
    """A person's answers to the criteria of each item, in their order."""
    task, person = opened(store).task, raters.find_or_add_rater_by_name(store, name)
    settings = hand_out_settings.hand_out_settings_in_force(
        store,
        NAME,
        "talks",
        hand_out_settings.default_hand_out_settings(Settings(), NAME, task.handing_out),
    )
    names = {i: n for n, i in items.item_ids_by_name(store, "own", "talks", list(answers)).items()}
    while item := assignment.give_next_item_and_return_id(
        store, task, settings, dataset="talks", rater=person.id
    ):
        said = {f"quality_{n}": one for n, one in enumerate(answers[names[item]], 1)}
        body = {"version": 1, "answers": said}
        judging.submit_judgment(store, task, item=item, rater=person.id, token=new_id(), body=body)
    return person


def both(store: Store) -> None:
    judge(store, "Rosa", {"a": ["met", "not met", "met"], "b": ["met"]})
    judge(store, "Sam", {"a": ["met", "met", "cannot tell"], "b": ["not met"]})


def export(store: Store, about: str) -> pd.DataFrame:
    return work_behind_commands.make_export_table(
        store, Settings(), about, viewer=None, dataset="talks"
    )


def figures(store: Store) -> dict[tuple[str, str], dict[str, Any]]:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="talks"
    )
    return {(one["figure"], one["group"]): one for one in table.to_dict("records")}


def test_each_item_is_asked_its_own_criteria_and_no_others(talks: Store) -> None:
    declared = opened(talks).declared
    ids = items.item_ids_by_name(talks, "own", "talks", ["a", "b"])
    of = {
        n: declared.declaration_for_item(items.item_body(talks, i)).form.questions
        for n, i in ids.items()
    }
    assert [one.text for one in of["a"]] == [
        *(one["criterion"] for one in FIRST),
        "Anything else?",
    ]
    assert [(one.id, one.points, one.required) for one in of["b"][:1]] == [("quality_1", 2, True)]
    task, body = opened(talks).task, items.item_body(talks, ids["b"])
    met = {"quality_1": "met"}
    assert task.problems_of_answer(task.parse({"answers": met}), body) == []
    [said] = task.problems_of_answer(task.parse({"answers": {}}), body)
    assert said == "Asks how long – please answer this question."
    [said] = task.problems_of_draft(task.parse({"answers": met | {"quality_2": "met"}}), body)
    assert said == "The form has no question 'quality_2'."


def test_points_are_shared_out_overall_and_by_tag(talks: Store) -> None:
    both(talks)
    found = figures(talks)
    # Rosa: a (6 + 2) / 8 = 1, b 1. Sam: a (6 - 4) / 8 = 0.25, b 0.
    assert found["points_quality", ""]["value"] == pytest.approx((1 + 1 + 0.25 + 0) / 4)
    # Accuracy is asked of a alone: 6 / 6 and (6 - 4) / 6.
    assert found["points_quality", AXIS]["value"] == pytest.approx((1 + 1 / 3) / 2)
    # Context: a 2 / 2 and 0, b 1 and 0.
    assert found["points_quality", "axis:context"]["value"] == pytest.approx(0.5)
    # Met: Rosa 3 of 4, Sam 2 of 4; of accuracy 1 of 2 and 2 of 2.
    assert (found["met_quality", ""]["numerator"], found["met_quality", ""]["denominator"]) == (
        5,
        8,
    )
    assert found["met_quality", AXIS]["numerator"] == 3
    # It stands in both items in the same words: met twice of four answers.
    assert found["met_quality", "Asks how long"]["numerator"] == 2
    assert ("met_quality", "Says to call now") not in found


def test_agreement_is_of_all_criteria_as_one(talks: Store) -> None:
    both(talks)
    task = opened(talks).task
    said = consensus.current_judgments(talks, task, dataset="talks", viewer=None)
    found = compute_agreement_by_variable(task, said)
    assert set(found) == {"quality"}
    # They say the same of one of four criteria.
    assert (found["quality"].percent.value, found["quality"].percent.n) == (0.25, 4)
    [pair] = list_raters_and_pairwise_agreement(task, said, "quality")[1]
    assert (pair.same.numerator, pair.same.denominator, len(pair.apart)) == (1, 4, 2)
    rows = figures(talks)
    assert rows["alpha_quality", ""]["n"] == 4
    assert rows["alpha_quality", AXIS]["n"] == 2


def test_judgments_go_out_with_shares_and_words_and_come_back_in(
    talks: Store,
) -> None:
    both(talks)
    out = export(talks, "own-judgments").set_index(["item", "rater"])
    assert out["quality"].to_dict() == {
        ("a", "Rosa"): 1,
        ("a", "Sam"): 0.25,
        ("b", "Rosa"): 1,
        ("b", "Sam"): 0,
    }
    last = ["quality_1", "quality_2", "quality_3", "quality", "comment"]
    assert list(out)[-7:] == [*last, "run_id", "prompt_version"]
    long = export(talks, "own-criteria")
    assert len(long) == 8
    row = long[(long["item"] == "a") & (long["rater"] == "Sam") & (long["number"] == 2)].iloc[0]
    assert (row["criterion"], row["points"], row["tags"], row["answer"]) == (
        *("Names a wrong dose", -4, AXIS),
        "met",
    )
    again = work_behind_commands.import_file(
        *(talks, Settings(), "own-judgments", out.reset_index().to_csv(index=False).encode()),
        name="own.csv",
        dataset="talks",
    )
    assert (again.added, again.known, again.refused) == (0, 4, 0)


def test_the_word_on_an_item_is_settled_in_the_words_of_its_criteria(talks: Store) -> None:
    both(talks)
    task = opened(talks).task
    item = items.item_ids_by_name(talks, "own", "talks", ["a"])["a"]
    here = task.task_as_asked_of_item(items.item_body(talks, item))
    assert here.called["quality_2"] == "Names a wrong dose"
    lead = raters.find_or_add_rater_by_name(talks, "Lena", role="lead")
    with pytest.raises(InvalidInput, match="Names a wrong dose – please answer"):
        consensus.adjudicator_answer_from_form(
            talks, here, item=item, answers={"quality_1": "met"}, reason="Why"
        )
    said = {"quality_1": "met", "quality_2": "not met", "quality_3": "met"}
    value = consensus.adjudicator_answer_from_form(
        talks, here, item=item, answers=said, reason="Why"
    )
    body = value.model_dump(mode="json")
    consensus.record_adjudication(talks, task, item=item, body=body, reason="Why", by=lead, base=0)
    words = export(talks, "own-consensus").set_index(["item", "variable"])
    assert words.loc[("a", "quality_2"), "answer"] == "not met"
    # Nobody is asked a second criterion of b.
    assert list(words.loc["b"].index) == ["quality_1"]


def test_criteria_that_cannot_be_asked_are_refused_by_row_and_column(talks: Store) -> None:
    cases: list[tuple[Any, str]] = [
        ("not JSON", "a JSON list of criteria"),
        ([{"criterion": "x", "points": 1, "weight": 2}], "a JSON list of criteria"),
        ([{"criterion": " ", "points": 1}], "criterion 1: a text"),
        ([{"criterion": "x", "points": 0}], "criterion 1: points, above 0 or below"),
        ([{"criterion": "x", "points": -1}], "at least one criterion with points above 0"),
        ([ASKS, {**ASKS, "points": 3}], "criterion 2: words that no criterion before it has"),
        ([{"criterion": f"x{n}", "points": 1} for n in range(500)], "50 at most"),
        ('[{"criterion": "x", "points": 1e999}]', "criterion 1: points that are a number"),
        ([{"criterion": "x", "points": True}], "criterion 1: points, above 0"),
        ([{"criterion": "x", "points": 1, "tags": "axis"}], "criterion 1: tags as a list"),
        ([{"criterion": "\u202emet", "points": 1}], "criterion 1: no control characters"),
        ([], "the criteria of the item"),
    ]
    with pytest.raises(BadFile) as refused:
        add(
            talks,
            [{"item": f"c{n}", "answer": "x", "criteria": c} for n, (c, _) in enumerate(cases)],
        )
    told = [(row.line, row.column, str(row)) for row in refused.value.rows]
    assert [one[:2] for one in told] == [(n + 1, "criteria") for n in range(len(cases))]
    assert [said for (_, said), one in zip(cases, told, strict=True) if said not in one[2]] == []


def test_the_items_themselves_go_out_and_are_known_when_they_come_again(talks: Store) -> None:
    for form in ("csv", "jsonl", "parquet"):
        out, name = io.BytesIO(), f"i.{form}"
        write_table(export(talks, "own-items"), out, format=form)
        again = work_behind_commands.import_file(
            *(talks, Settings(), "own-items", out.getvalue()), name=name, dataset="talks"
        )
        assert (again.added, again.known) == (0, 2)


def test_a_criterion_that_the_first_rater_left_open_still_has_its_consensus(store: Store) -> None:
    optional = TEXT.replace("required = true\ncriteria_column", "criteria_column")
    study.store_study_file_version_and_return_it(store, optional, name="STUDY.toml", by=None)
    add(store)
    judge(store, "Rosa", {"a": ["met"], "b": ["met"]})
    judge(store, "Sam", {"a": ["met", "met", "met"], "b": ["met"]})
    words = export(store, "own-consensus").set_index(["item", "variable"])
    assert list(words.loc["a"].index) == ["quality_1", "quality_2", "quality_3"]
    assert words.loc[("a", "quality_1"), "answer"] == "met"
    # Who left a criterion open has no share; Sam has (6 - 4 + 2) / 8.
    assert export(store, "own-judgments").set_index(["item", "rater"])["quality"].to_dict()[
        "a", "Sam"
    ] == pytest.approx(0.5)


def test_a_model_grades_each_item_by_the_criteria_of_its_own(talks: Store) -> None:
    def answer(body: dict[str, Any]) -> str:
        fields = body["response_format"]["json_schema"]["schema"]["properties"]
        return json.dumps({"reason": "So.", **dict.fromkeys(fields.keys() - {"reason"}, "met")})

    with LLMServer() as server:
        server.answer = answer
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(talks, Settings(models={"gpt": model})),
            dataset="talks",
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
        asked = {
            chat.body["messages"][1]["content"].splitlines()[2]: chat.body["messages"][0]
            for chat in server.chats
        }
    assert done.outcomes == {"rated": 2}
    assert "q_2: Names a wrong dose" in asked["Call now."]["content"]
    assert "Criterion" not in asked["Wait."]["content"]
    assert "wrong dose" not in asked["Wait."]["content"]
    out = export(talks, "own-criteria").set_index(["item", "number"])
    assert out["answer"].to_dict() == dict.fromkeys([("a", 1), ("a", 2), ("a", 3), ("b", 1)], "met")
    assert set(out["criterion"]) == {one["criterion"] for one in FIRST}
    # Both items were judged by one prompt, and their verdicts say so in the criteria's words.
    kept = {
        one.body["item"]: one
        for one in model_verdicts_and_runs_of_judges.list_all_verdicts(talks, NAME, "talks")
    }
    assert len({one.prompt for one in kept.values()}) == 1
    assert "Names a wrong dose: met" in kept["a"].body["answer"]


AGE, LONG = {"criterion": "Asks their age", "points": 1, "tags": [AXIS]}, "Asks how long"


def graded_by(store: Store, name: str, said: dict[str, list[str]]) -> None:
    rows = [
        {"item": item, "rater": name, "rater_kind": "model"}
        | {f"quality_{at}": one for at, one in enumerate(answers, 1)}
        for item, answers in said.items()
    ]
    out = io.BytesIO()
    write_table(pd.DataFrame(rows), out, format="csv")
    work_behind_commands.import_file(
        *(store, Settings(), "own-judgments", out.getvalue()), name="m.csv", dataset="talks"
    )


def test_a_model_is_held_against_clinicians_by_criterion_tag_and_clinician(talks: Store) -> None:
    both(talks)
    graded_by(talks, "gpt", {"a": ["met", "met", "not met"], "b": ["met"]})
    found = export(talks, "trust")
    assert set(found["variable"]) == {"quality"}
    mine = found[found["who"] == "gpt"].set_index(["figure", "group"])
    # Rosa and Sam agree on a's first alone. Of its third Sam cannot tell, so that Rosa's answer is
    # one of two and no clear majority.
    agreed = mine.loc[("agreement", "")]
    assert (agreed["numerator"], agreed["denominator"]) == (1, 1)
    by_part = mine.loc["agreement_by_group"]
    # Each clinician's own answers: Rosa met, not met, met, met; Sam met, met, not met.
    rosa, sam = by_part.loc["Clinician: Rosa"], by_part.loc["Clinician: Sam"]
    assert (rosa["numerator"], rosa["denominator"]) == (2, 4)
    assert (sam["numerator"], sam["denominator"]) == (2, 3)
    others = found[found["group"].eq("Clinician: Sam") & found["who"].eq("Clinicians")].iloc[0]
    assert (others["numerator"], others["denominator"]) == (1, 3)
    # The one criterion that stands in both items, and its tag; others stand in one item only. Of
    # neither of its two answers is there a clear majority.
    assert by_part.loc[f"Criterion: {LONG}", "denominator"] == 0
    assert by_part.loc["Tag of the criterion: axis:context", "denominator"] == 0
    assert "Criterion: Names a wrong dose" not in by_part.index
    # Pairs of the model's answer and a clinician's: both met 4 times, both not met never; apart
    # 3 times. So 8 of 11 for met and none for not met.
    assert mine.loc[("macro_f1", ""), "value"] == pytest.approx((8 / 11 + 0) / 2)


@pytest.mark.deep
def test_intervals_over_criteria_draw_whole_items(store: Store) -> None:
    study.store_study_file_version_and_return_it(store, TEXT, name="STUDY.toml", by=None)
    criteria = [{"criterion": f"c{at}", "points": 1, "tags": []} for at in range(6)]
    add(store, [{"item": f"i{at}", "answer": "x", "criteria": criteria} for at in range(12)])
    # All criteria of an item are answered alike, so that twelve items are all there is to know.
    judge(store, "Rosa", {f"i{at}": ["met" if at % 2 else "not met"] * 6 for at in range(12)})
    judge(store, "Sam", {f"i{at}": ["met" if at % 3 else "not met"] * 6 for at in range(12)})
    task = opened(store).task
    said = consensus.current_judgments(store, task, dataset="talks", viewer=None)
    found = compute_agreement_by_variable(task, said)["quality"]
    [pair] = list_raters_and_pairwise_agreement(task, said, "quality")[1]
    for one in (
        found.alpha,
        found.ac1,
        found.fleiss,
        found.percent,
        pair.same,
        pair.kappa_estimate,
    ):
        assert one.n == 72
        # 72 independent answers would make it about 0.2 wide or, of a kappa, 0.5.
        assert one.high - one.low > 0.4, one.method
    assert found.alpha.method.endswith("smoothed resampling of items, 1000 draws")
