"""The questionnaire: drawn once, answered unseen, handed in whole, compared afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    items,
    judging,
    raters,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, stable_id
from medlens.studies.ebmqa import questionnaire, tasks
from medlens.studies.ebmqa.answers.answer_and_questionnaire_import_and_export import (
    import_questionnaire_answers_of_people,
    make_questionnaire_export_table,
)
from medlens.studies.ebmqa.answers.import_answers import import_answers
from medlens.studies.ebmqa.explore.question_filter import record_viewer_saw_correct_answers
from medlens.studies.ebmqa.figures_data import load_figure_data
from medlens.studies.ebmqa.records import QUESTION_KIND
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.tables import Request, write_table
from tests.store.ebmqa_questions import DATASET, RANGES, add_questions

TASK = tasks.QuestionnaireTask()
EVERYONE = HandOut(**TASK.handing_out)
STUDY = Study(DATASET, True, TASK)


@pytest.fixture
def drawn(store: Store) -> Store:
    """A questionnaire of four: m000 is 1, m001 and m002 are 2, m003 is 3."""
    add_questions(store, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)
    return store


def given(store: Store, rater: Rater) -> dict[str, str]:
    """Gives a person every question; item ids by name."""
    while assignment.give_next_item_and_return_id(
        store, TASK, EVERYONE, dataset=DATASET, rater=rater.id
    ):
        pass
    queue = assignment.load_rater_queue(store, TASK, EVERYONE, dataset=DATASET, rater=rater.id)
    return {place.name: place.item for place in queue.places}


def answer(store: Store, rater: Rater, **answers: list[list[int] | None]) -> None:
    """[answer, guess] by question: first all answers, then the guesses."""
    ids = given(store, rater)
    for step in (0, 1):
        for name, (chosen, guess) in answers.items():
            if step and guess is None:
                continue
            body = {"answer": chosen, "guess": guess if step else None}
            judging.submit_judgment(
                store, TASK, item=ids[name], rater=rater.id, token=new_id(), body=body
            )


def test_the_same_seed_draws_the_same_questions_and_another_is_refused(store: Store) -> None:
    add_questions(store, numeric=40)
    assert (
        questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=10, seed=1) == 10
    )
    assert (
        questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=10, seed=1) == 0
    )
    with pytest.raises(InvalidInput, match="was drawn"):
        questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=10, seed=2)
    add_questions(store, "other", numeric=40)
    questionnaire.sample_questionnaire_and_count_added(store, "other", number=10, seed=1)
    names = [
        [
            name
            for (name,) in store.rows(
                "select name from item where dataset = $d and kind = $k order by name",
                d=one,
                k=TASK.item_kind,
            )
        ]
        for one in (DATASET, "other")
    ]
    assert names[0] == names[1]


def test_too_few_numeric_questions_are_told(store: Store) -> None:
    add_questions(store)
    with pytest.raises(InvalidInput, match="has 3 numeric"):
        questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)


def test_what_people_are_given_does_not_hold_what_is_right(drawn: Store) -> None:
    for (item,) in drawn.rows("select id from item where kind = $kind", kind=TASK.item_kind):
        body = items.item_body(drawn, item)
        assert set(body) == {"question", "options", "qa_type"}
        assert body["options"] == RANGES


def test_everybody_is_given_every_question(drawn: Store) -> None:
    for name in ("Ada", "Ben", "Cy", "Di"):
        assert len(given(drawn, raters.find_or_add_rater_by_name(drawn, name))) == 4


def test_an_answer_that_cannot_be_is_refused(drawn: Store) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    item = given(drawn, ada)["m000"]
    for body, why in (
        ({"answer": None}, "Choose"),
        ({"answer": [3]}, "only 3 options"),
        ({"answer": [0, 1]}, "one option"),
        ({"answer": [0], "guess": [1]}, "guess is for"),
        ({"answer": [-1]}, "cannot be read"),
        ({"answer": [], "guess": [7]}, "only 3 options"),
    ):
        with pytest.raises(InvalidInput, match=why):
            judging.submit_judgment(drawn, TASK, item=item, rater=ada.id, token=new_id(), body=body)


def test_nothing_is_shown_before_the_whole_is_handed_in(drawn: Store) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    answer(drawn, ada, m000=[[0], None], m001=[[], None], m002=[[2], None])
    state = questionnaire.questionnaire_progress(drawn, DATASET, ada.id)
    assert (state.total, state.answered, state.unknown) == (4, 3, ("m001",))
    for show in (
        lambda: questionnaire.own_answers_beside_key_table(drawn, DATASET, ada),
        lambda: questionnaire.questionnaire_results_table(drawn, DATASET, viewer=ada),
    ):
        with pytest.raises(NotAllowed):
            show()
    with pytest.raises(InvalidInput, match="1 questions are not answered and 1 not guessed"):
        questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    answer(drawn, ada, m003=[[2], None], m001=[[], [1]])
    assert questionnaire.questionnaire_progress(drawn, DATASET, ada.id).is_complete
    assert not questionnaire.may_see_correct_answers(drawn, DATASET, ada.id)
    questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    assert questionnaire.may_see_correct_answers(drawn, DATASET, ada.id)
    table = questionnaire.own_answers_beside_key_table(drawn, DATASET, ada).set_index("question")
    assert table.loc["What holds for m001?"].tolist() == [
        "right by a guess",
        "I do not know",
        RANGES[1],
        RANGES[1],
        "m001",
    ]
    assert table.loc["What holds for m002?", "result"] == "wrong"


def test_what_is_right_does_not_show_through_another_dataset_with_the_same_questions(
    drawn: Store,
) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    add_questions(drawn, "graph", numeric=6)
    add_questions(drawn, "unlike")
    assert not questionnaire.may_see_correct_answers(drawn, "graph", ada.id)
    assert questionnaire.may_see_correct_answers(drawn, "unlike", ada.id)
    answer(drawn, ada, **{f"m{at:03d}": [[0], None] for at in range(4)})
    questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    assert questionnaire.may_see_correct_answers(drawn, "graph", ada.id)


@pytest.mark.deep
def test_people_models_and_the_majority_are_compared_with_and_without_guesses(
    drawn: Store,
) -> None:
    ada, ben, cy = (raters.find_or_add_rater_by_name(drawn, name) for name in ("Ada", "Ben", "Cy"))
    # Ada: right, not known then right, wrong, not known then wrong.
    answer(drawn, ada, m000=[[0], None], m001=[[], [1]], m002=[[0], None], m003=[[], [0]])
    answer(drawn, ben, m000=[[0], None], m001=[[1], None], m002=[[1], None], m003=[[0], None])
    # Cy has not answered all of it and does not count yet.
    answer(drawn, cy, m000=[[0], None])
    file = b"question_id,model,answer\nm000,demo,1\nm001,demo,4\nm002,demo,2\n"
    import_answers(drawn, STUDY, Request(file, "a.csv", DATASET))
    table = questionnaire.questionnaire_results_table(drawn, DATASET, viewer=None).set_index(
        "rater"
    )
    counts = ["n", "known", "right", "settled", "right_settled"]
    assert table.loc["Ada", counts].tolist() == [4, 2, 1, 4, 2]
    assert table.loc["Ben", counts].tolist() == [4, 4, 3, 4, 3]
    assert table.loc["demo", counts].tolist() == [3, 2, 2, 2, 2]
    # Two of the four are in the middle: saying so always is right twice.
    assert table.loc["Commonest class", counts].tolist() == [4, 4, 2, 4, 2]
    assert "Cy" not in table.index


def test_a_flagged_question_needs_no_answer_and_counts_for_nothing(drawn: Store) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    ids = given(drawn, ada)
    answer(drawn, ada, m000=[[0], None], m001=[[], None], m002=[[0], None])
    where = {"item": ids["m003"], "rater": ada.id, "kind": "flag", "reason": "No unit is given."}
    with pytest.raises(InvalidInput, match="1 questions are not answered"):
        questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    assignment.record_opened_skipped_or_flagged(drawn, TASK, EVERYONE, **where)
    now = questionnaire.questionnaire_progress(drawn, DATASET, ada.id)
    assert (now.answered, now.flagged, now.count_of_done_questions, now.to_guess) == (
        3,
        1,
        4,
        ("m001",),
    )
    # A guess is not needed either where a question is faulty.
    assignment.record_opened_skipped_or_flagged(
        drawn, TASK, EVERYONE, **where | {"item": ids["m001"]}
    )
    assert questionnaire.questionnaire_progress(drawn, DATASET, ada.id).is_complete
    # Everywhere it is done: at her desk, for the team, and for what is still to be handed out.
    whole = assignment.load_rater_queue(drawn, TASK, EVERYONE, dataset=DATASET, rater=ada.id)
    assert (whole.done, whole.total) == (4, 4)
    assert work_progress_and_pace_by_item_and_rater.flag_counts_by_item_if_everyone_answers(
        drawn, TASK, dataset=DATASET
    ) == {ids["m003"]: 1}
    assert work_progress_and_pace_by_item_and_rater.count_items_by_state(
        drawn, TASK, dataset=DATASET
    ) == {"1": 4}
    load = assignment.summarise_round_workload_of_people(
        drawn, TASK, EVERYONE, dataset=DATASET, people=[ada.id]
    )
    assert (load.left, load.without_people, load.shares[0].judged) == (0, 0, 4)
    lead = raters.find_or_add_rater_by_name(drawn, "Lena", role="lead")
    [row] = work_progress_and_pace_by_item_and_rater.work_of_everyone_table(
        drawn, viewer=lead
    ).to_dict("records")
    assert (row["judged"], row["flagged"], row["open"]) == (3, 1, 0)
    questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    table = questionnaire.questionnaire_results_table(drawn, DATASET, viewer=None).set_index(
        "rater"
    )
    # Right: m000 of m000 and m002, with or without guesses.
    counts = ["n", "known", "right", "settled", "right_settled"]
    assert table.loc["Ada", counts].tolist() == [3, 2, 1, 2, 1]
    assert len(questionnaire.own_answers_beside_key_table(drawn, DATASET, ada)) == 3


def test_the_majority_counts_shares_with_three_answers_alone(drawn: Store) -> None:
    # Of the four shares two are in the middle. A ratio has two middle options, whatever its class.
    store = drawn
    store.append(
        "ebmqa_question",
        {
            "id": stable_id("ebmqa_question", DATASET, "ratio"),
            "dataset": DATASET,
            "name": "ratio",
            "digest": "ratio",
            "kind": "numeric",
            "question": "How much more?",
            "qa_type": "PLR",
            "options": ["a", "b", "c", "d"],
            "n_options": 4,
            "correct": 2,
            "n_correct": 1,
            "answer": "middle",
            "illustrative": True,
        },
    )
    items.add_items(
        store,
        [NewItem("ratio", {"question": "ratio"})],
        study=STUDY.task.study,
        kind=QUESTION_KIND,
        dataset=DATASET,
    )
    table = questionnaire.questionnaire_results_table(store, DATASET, viewer=None).set_index(
        "rater"
    )
    assert table.loc["Commonest class", ["n", "right"]].tolist() == [4, 2]


def test_people_have_three_figures_models_two_and_the_majority_one(drawn: Store) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    answer(drawn, ada, **{f"m{at:03d}": [[0], None] for at in range(4)})
    file = b"question_id,model,answer\nm000,demo,1\n"
    import_answers(drawn, STUDY, Request(file, "a.csv", DATASET))
    found = [
        (group, figure.removeprefix("questionnaire_"))
        for figure, group, _ in load_figure_data(drawn, STUDY, None, {}).questionnaire_figure_rows
    ]
    assert sorted(one for one in found if not one[0].startswith("people")) == [
        ("", "chance"),
        ("majority, Commonest class", "accuracy"),
        ("model, demo", "accuracy"),
        ("model, demo", "answer_rate"),
        ("person, Ada", "accuracy"),
        ("person, Ada", "accuracy_with_guesses"),
        ("person, Ada", "answer_rate"),
    ]


@pytest.mark.deep
def test_people_stand_against_each_model_on_the_same_questions(drawn: Store) -> None:
    ada, ben = (
        raters.find_or_add_rater_by_name(drawn, "Ada"),
        raters.find_or_add_rater_by_name(drawn, "Ben"),
    )
    # Ada: right, not known then right, wrong, not known then wrong. Ben: right thrice, then wrong.
    answer(drawn, ada, m000=[[0], None], m001=[[], [1]], m002=[[0], None], m003=[[], [0]])
    answer(drawn, ben, m000=[[0], None], m001=[[1], None], m002=[[1], None], m003=[[0], None])
    file = (
        "question_id,model,answer,prompt\n"
        "m000,demo,1,given\nm001,demo,1,given\nm002,demo,2,given\nm003,demo,1,given\n"
        "m000,demo,2,given+idk\nm001,demo,I do not know,given+idk\n"
    )
    import_answers(drawn, STUDY, Request(file.encode(), "a.csv", DATASET))
    found = {
        (figure, group): one
        for figure, group, one in load_figure_data(drawn, STUDY, None, {}).questionnaire_figure_rows
    }
    # Accuracies of what was answered 1/2 and 3/4: mean .625, SD .1768.
    one = found["questionnaire_mean_accuracy", "people"]
    assert one.value == 0.625
    assert "SD 0.1768 over 2 people" in one.method
    assert found["questionnaire_mean_accuracy_with_guesses", "people"].value == 0.625
    # With guesses 5 of 8 are right; demo is right on the first and the third: 4 of 8.
    against = found["questionnaire_difference", "people against demo, given"]
    assert (against.value, against.n) == (pytest.approx(1 / 8), 8)
    # Both answered the first question alone: people 2 of 2, demo 0.
    known = found["questionnaire_difference", "people against demo, given+idk"]
    assert (known.value, known.n) == (1.0, 2)


@pytest.mark.deep
def test_what_is_changed_after_handing_in_is_not_blind_and_changes_no_figure(
    drawn: Store,
) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    answer(drawn, ada, **{f"m{at:03d}": [[0], None] for at in range(4)})
    questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    before = questionnaire.questionnaire_results_table(drawn, DATASET, viewer=ada)
    answer(drawn, ada, m001=[[1], None])
    assert questionnaire.questionnaire_results_table(drawn, DATASET, viewer=ada).equals(before)


@pytest.mark.deep
def test_who_saw_right_answers_before_is_named_in_results_figures_and_exports(
    drawn: Store, tmp_path: Path
) -> None:
    ada, ben, cy = (raters.find_or_add_rater_by_name(drawn, name) for name in ("Ada", "Ben", "Cy"))
    # The set that the questions came from shows what is right as well; "unlike" has none of them.
    add_questions(drawn, "graph", numeric=6)
    add_questions(drawn, "unlike")
    record_viewer_saw_correct_answers(drawn, "graph", ada)
    record_viewer_saw_correct_answers(drawn, "unlike", ben)
    for one in (ada, ben, cy):
        answer(drawn, one, **{f"m{at:03d}": [[0], None] for at in range(4)})
    # Whoever looks afterwards has not looked before; whoever did still has.
    for one in (ada, cy):
        record_viewer_saw_correct_answers(drawn, DATASET, one)
    assert questionnaire.has_seen_correct_answers(drawn, DATASET, cy.id)
    table = questionnaire.questionnaire_results_table(drawn, DATASET, viewer=None).set_index(
        "rater"
    )
    assert table["looked"].to_dict() == {
        "Ada": True,
        "Ben": False,
        "Cy": False,
        "Commonest class": False,
    }
    methods = {
        group: one.method
        for name, group, one in load_figure_data(drawn, STUDY, None, {}).questionnaire_figure_rows
        if name == "questionnaire_accuracy"
    }
    assert methods["person, Ada"] == "Wilson with t; not blind: had seen right answers before"
    assert methods["person, Cy"] == "Wilson with t"
    exported = make_questionnaire_export_table(drawn, STUDY, viewer=None)
    assert set(exported.loc[exported["looked"], "rater"]) == {"Ada"}
    write_table(exported, tmp_path / "p.csv", format="csv", bom=False)
    second = Store(tmp_path / "second.duckdb")
    add_questions(second, numeric=4)
    request = Request(tmp_path / "p.csv", "p.csv", DATASET)
    done = import_questionnaire_answers_of_people(second, STUDY, request)
    assert "The 4 questions of this file are the questionnaire: none was drawn." in done.notes
    again = questionnaire.questionnaire_results_table(second, DATASET, viewer=None).set_index(
        "rater"
    )
    second.close()
    assert again["looked"].to_dict() == table["looked"].to_dict()


@pytest.mark.deep
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_peoples_answers_are_exported_and_imported_again(
    drawn: Store, tmp_path: Path, form: str
) -> None:
    ada = raters.find_or_add_rater_by_name(drawn, "Ada")
    answer(drawn, ada, m000=[[0], None], m001=[[], [1]], m002=[[0], None], m003=[[], [0]])
    # A second thought after the right answers were seen goes along, and stands in no figure there.
    questionnaire.submit_whole_questionnaire(drawn, DATASET, ada.id)
    answer(drawn, ada, m002=[[1], None])
    table = make_questionnaire_export_table(
        drawn, STUDY, viewer=None, history=True, nested=form != "csv"
    )
    assert len(table) == 7
    assert table["blind"].sum() == 6
    assert table.loc[table["stands"], "correct"].tolist() == [
        RANGES[at]
        for at in (
            int(name == "m003") * 2 or int(name != "m000")
            for name in table.loc[table["stands"], "item"]
        )
    ]
    write_table(table, tmp_path / f"p.{form}", format=form, bom=False)  # type: ignore[arg-type]
    second = Store(tmp_path / "second.duckdb")
    add_questions(second, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(second, DATASET, number=4)
    request = Request(tmp_path / f"p.{form}", f"p.{form}", DATASET)
    assert import_questionnaire_answers_of_people(second, STUDY, request).added == 7
    before, after = (
        questionnaire.questionnaire_results_table(one, DATASET, viewer=None).drop(
            columns="rater_id"
        )
        for one in (drawn, second)
    )
    second.close()
    assert before.equals(after)
    assert json.loads(before.to_json(orient="records"))[-1]["rater"] == "Ada"
