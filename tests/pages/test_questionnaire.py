"""The questionnaire in the browser's stead: two rounds, handing in, and nothing shown before."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from medlens.errors import InvalidInput, StoreUnavailable
from medlens.review import (
    assignment,
    assignments_held_in_memory,
    hand_out_settings,
    items,
    judging,
    practice,
    remarks_between_raters_and_leads,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, utc_now
from medlens.studies.ebmqa import figures_charts, questionnaire, tasks
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries as queries_of_answers
from medlens.studies.ebmqa.explore import question_queries as queries
from medlens.studies.ebmqa.records import Evidence
from medlens.studies.ebmqa.registration import ANSWER
from medlens.ui.figures.page import copy_of_chart_with_plotly_figure as with_figure
from tests.pages.conftest import OpenPage, answer, component, say, words
from tests.store.ebmqa_questions import DATASET, add_questions

PAGE = "4_Explore_EBMQA.py"
RIGHT = {"m000": 0, "m001": 1, "m002": 1, "m003": 2}


@pytest.fixture
def drawn(app_store: Store) -> Store:
    add_questions(app_store, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(app_store, DATASET, number=4)
    return app_store


def at(page: AppTest) -> str:
    """The question that lies on the desk."""
    [shown] = [one.value for one in page.text if one.value.startswith("What holds for ")]
    return shown.removeprefix("What holds for ").rstrip("?")


def progress_of(page: AppTest) -> list[str]:
    return [one.proto.text for one in page.get("progress")]


def press(page: AppTest, key: str) -> AppTest:
    [button] = [one for one in page.button if (one.key or "").startswith(key)]
    return button.click().run()


def choose(page: AppTest, place: int, field: str = "answer") -> AppTest:
    answer(page, submit=True, **{field: str(place)})
    return page


def offered(page: AppTest) -> list[str]:
    """The options that are on the page."""
    [field] = json.loads(component(page, "answer_form").proto.json)["fields"]
    return [one["name"] for one in field["options"]]


def test_a_person_answers_guesses_hands_in_and_sees_how_it_went(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    seen = set()
    for _ in range(4):
        name = at(page)
        seen.add(name)
        # m001 and m002 are not known; m003 is answered wrongly.
        page = choose(page, 3 if name in ("m001", "m002") else 0)
    assert seen == set(RIGHT)
    assert "You knew **2** and did not know **2**" in words(page)
    # Home does not call it done before it is handed in.
    home = open_page(who=reviewer)
    assert "Answer the questionnaire: 2 to guess" in words(home)
    assert "4 of 4 done" in words(home)
    assert [one.label for one in home.button if one.key.startswith("work.ebmqa")] == [
        "Continue:gray[: Answer the questionnaire]"
    ]
    page = press(page, f"{tasks.NAME}.guesses")
    for _ in range(2):
        assert len(offered(page)) == 3
        page = choose(page, 1 if at(page) == "m001" else 2, "guess")
    assert "You answered **4** questions, **2** of them by a guess" in words(page)
    assert not questionnaire.may_see_correct_answers(drawn, DATASET, reviewer.id)
    assert "Answer the questionnaire: not handed in yet" in words(open_page(who=reviewer))
    page = press(page, f"{tasks.NAME}.hand_in")
    assert questionnaire.may_see_correct_answers(drawn, DATASET, reviewer.id)
    assert [(one.label, one.value) for one in page.metric] == [
        ("Right of those you answered", "1 of 2"),
        ("Right with your guesses", "2 of 4"),
    ]
    # A phone shows what stands first.
    table = page.dataframe[-1].value
    assert list(table.columns[:2]) == ["result", "question"]
    assert table.set_index("question")["result"].to_dict() == {
        "What holds for m000?": "right",
        "What holds for m001?": "right by a guess",
        "What holds for m002?": "wrong by a guess",
        "What holds for m003?": "wrong",
    }


def flag_and_take_it_back(page: AppTest) -> None:
    faulty = at(page)
    page = press(page, f"{tasks.NAME}.key.flag")
    answer(page, form_named="flag", reason="No unit is given.", submit=True)
    page = press(page, f"{tasks.NAME}.previous")
    assert at(page) == faulty
    assert "**flagged**: No unit is given\\." in [one.value for one in page.caption]
    [off] = [one for one in page.button if one.label == "Unflag"]
    off.click().run()
    assert at(page) == faulty
    assert "**flag taken back**" in [one.value for one in page.caption]
    assert not [one for one in page.button if one.label == "Unflag"]


def test_a_flag_is_taken_back_by_the_button_that_set_it(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    flag_and_take_it_back(open_page(PAGE, who=reviewer, dataset=DATASET))


@pytest.mark.deep
def test_a_flag_on_a_question_that_was_answered_is_taken_back_too(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    faulty = at(page)
    page = choose(page, 0)
    page = press(page, f"{tasks.NAME}.previous")
    assert at(page) == faulty
    flag_and_take_it_back(page)


@pytest.mark.deep
def test_a_faulty_question_is_flagged_and_the_rest_handed_in(
    drawn: Store, lead: Rater, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    faulty = at(page)
    page = press(page, f"{tasks.NAME}.key.flag")
    answer(page, form_named="flag", reason="No unit is given.", submit=True)
    assert at(page) != faulty
    for _ in range(3):
        page = choose(page, RIGHT[at(page)])
    assert "You answered **3** questions. You flagged **1** without an answer" in words(page)
    page = press(page, f"{tasks.NAME}.hand_in")
    assert [one.value for one in page.metric] == ["3 of 3", "3 of 3"]
    # It is done: for her, and for the lead on Home and on Team.
    assert "**Answer the questionnaire**: done" in words(open_page(who=reviewer))
    home = open_page(who=lead)
    home.session_state["home.tasks"] = True
    home.run()
    # A lead who only looks at the first question is not waited for.
    open_page(PAGE, who=lead, dataset=DATASET)
    table = next(one.value for one in home.dataframe if "to settle" in one.value)
    row = table.set_index("task").loc["EBMQA: Answer the questionnaire"]
    assert row[["done", "judgments", "flagged"]].tolist() == [100, 3, 1]
    team = open_page("5_Team.py", who=lead, task=tasks.NAME, dataset=DATASET)
    told = "4 of 4 judgments (1 per question; 1 flagged without an answer)"
    assert progress_of(team) == [told]
    assert ("Expected to finish", "done") in [(one.label, one.value) for one in team.metric]


@pytest.mark.deep
def test_a_question_that_was_sent_back_is_answered_again_before_and_after_handing_in(
    drawn: Store, lead: Rater, reviewer: Rater, open_page: OpenPage
) -> None:
    task = tasks.QuestionnaireTask()
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    for _ in range(4):
        page = choose(page, RIGHT[at(page)])
    assert "You answered **4** questions" in words(page)
    item = queries_of_answers.load_questionnaire_item_id_by_name(drawn, DATASET)["m001"]

    def send_back(*, counts: bool) -> None:
        said = {"kind": "return", "text": "Mind the unit.", "by": lead, "counts": counts}
        remarks_between_raters_and_leads.store_remark_on_work(
            drawn, task, item=item, rater=reviewer.id, **said
        )
        told = words(open_page(who=reviewer))
        assert "Answer the questionnaire: 1 sent back to you" in told
        assert "3 of 4 done" in told

    send_back(counts=False)
    with pytest.raises(InvalidInput):
        questionnaire.submit_whole_questionnaire(drawn, DATASET, reviewer.id)
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert at(page) == "m001"
    page = choose(page, RIGHT["m001"])
    assert "You answered **4** questions" in words(page)
    page = press(page, f"{tasks.NAME}.hand_in")
    assert [one.value for one in page.metric] == ["4 of 4", "4 of 4"]
    # What is answered now is not blind: the answer of before stands for it.
    send_back(counts=True)
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert at(page) == "m001"
    page = choose(page, RIGHT["m001"])
    assert [one.value for one in page.metric] == ["4 of 4", "4 of 4"]
    assert "**Answer the questionnaire**: done" in words(open_page(who=reviewer))


@pytest.mark.deep
def test_a_newcomer_practises_tries_again_and_then_answers_the_questionnaire(
    app_store: Store, lead: Rater, reviewer: Rater, open_page: OpenPage
) -> None:
    add_questions(app_store, numeric=5)
    assert (
        questionnaire.sample_questionnaire_and_count_added(
            app_store, DATASET, number=4, practice=1, by=lead
        )
        == 5
    )
    task = tasks.QuestionnaireTask()
    new = practice.Rules(mark=1, attempts=2)
    practice.set_practice_rules(app_store, task.name, DATASET, new, by=lead)
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert "Practice 1 of 1" in words(page)
    tried = at(page)
    [item] = items.item_ids_by_name(app_store, "ebmqa", DATASET, [tried]).values()
    right = int(task.read_gold_from_data(app_store, item)["answer"]) - 1
    wrong = (right + 1) % 3
    asked = task.task_as_asked_of_item(items.item_body(app_store, item))
    page = choose(page, wrong)
    told = f"| Which option is right? | {asked.cell_of_answer_in_words('answer', str(wrong + 1))} "
    assert told + f"| {asked.cell_of_answer_in_words('answer', str(right + 1))} |" in words(page)
    page = press(page, "practice.seen")
    assert "0 of 1; 1 is needed. You have one more attempt." in words(page)
    page = press(page, f"{task.name}.try_again")
    assert at(page) == tried
    page = press(choose(page, right), "practice.seen")
    assert "Question 1 of 4" in words(page)
    assert at(page) != tried
    # It is no question of the questionnaire, whoever answers it.
    assert tried not in queries_of_answers.load_questionnaire_item_id_by_name(app_store, DATASET)
    for _ in range(4):
        page = choose(page, 0)
    page = press(page, f"{task.name}.hand_in")
    own = questionnaire.questionnaire_results_table(app_store, DATASET, viewer=reviewer)
    assert own[own["rater_id"] == reviewer.id]["n"].tolist() == [4]


@pytest.mark.deep
def test_the_evidence_behind_a_key_is_shown_once_one_has_handed_in(
    drawn: Store, reviewer: Rater, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = (Evidence(value=0.3, min=0.2, max=0.4, edges=2, citations=("PMID: 123",)),)
    asked = queries.question_with_answers
    monkeypatch.setattr(
        queries, "question_with_answers", lambda *of: replace(asked(*of), evidence=known)
    )
    page = open_page(PAGE, who=reviewer, dataset=DATASET, own="m001")
    assert "Evidence" not in words(page)
    for _ in range(4):
        page = choose(page, 0)
    press(page, f"{tasks.NAME}.hand_in")
    page = open_page(PAGE, who=reviewer, dataset=DATASET, view=ANSWER, own="m001")
    assert not page.exception
    assert "### What holds for m001?" in words(page)
    assert "2 statements give 20% to 40%" in words(page)
    assert "pubmed.ncbi.nlm.nih.gov/123" in words(page)


@pytest.mark.deep
def test_the_questionnaire_is_answered_whole_by_everybody_whatever_the_settings(
    drawn: Store, lead: Rater, reviewer: Rater, open_page: OpenPage
) -> None:
    few = {"items_per_rater": 2, "raters_per_item": 1}
    hand_out_settings.change_task_settings(drawn, tasks.NAME, DATASET, few, by=lead)
    for person in (lead, reviewer):
        page = open_page(PAGE, who=person, dataset=DATASET, view=ANSWER)
        seen = set()
        for _ in range(4):
            seen.add(at(page))
            page = choose(page, 0)
        assert seen == set(RIGHT)
        page = press(page, f"{tasks.NAME}.hand_in")
        assert questionnaire.questionnaire_progress(drawn, DATASET, person.id).handed_in


def test_a_question_begun_long_ago_stays_mine_when_others_are_given_it(
    drawn: Store, lead: Rater, reviewer: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    task, settings = tasks.QuestionnaireTask(), HandOut(lease_minutes=1)
    where = {"dataset": DATASET, "rater": reviewer.id}
    first = assignment.give_next_item_and_return_id(drawn, task, settings, **where)
    for module in (assignment, assignments_held_in_memory):
        monkeypatch.setattr(module, "utc_now", lambda: utc_now() + timedelta(minutes=2))
    while assignment.give_next_item_and_return_id(
        drawn, task, settings, dataset=DATASET, rater=lead.id
    ):
        pass
    held = assignment.load_rater_queue(drawn, task, settings, **where)
    assert [place.item for place in held.places] == [first]
    assert held.total == 4


def test_who_had_looked_is_marked_in_the_chart() -> None:
    counts = {"n": 4, "known": 4, "right": 3, "settled": 4, "right_settled": 3}
    table = pd.DataFrame(
        [
            {"rater": name, "kind": "person", "looked": looked, **counts}
            for name, looked in (("Ada", True), ("Ben", False))
        ]
    )
    chart = with_figure(figures_charts.questionnaire_chart(table), "light")
    assert chart.figure is not None
    drawn = chart.figure.to_json()
    assert "Ada (had looked)" in drawn
    assert "Ben (had looked)" not in drawn
    assert "had seen right answers before" in chart.note
    assert chart.table["had looked"].tolist() == [True, False]
    unseen = figures_charts.questionnaire_chart(table[~table["looked"]])
    assert "had looked" not in unseen.note


def test_nothing_that_is_right_is_on_the_page_before(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    bodies = [body for (body,) in drawn.rows("select body from item where dataset = $d", d=DATASET)]
    assert all("correct" not in json.loads(body) for body in bodies)
    assert len(page.dataframe) == 0
    assert "Greater than 54%" in offered(page)
    for view in ("Overview", "Questions", "Models"):
        assert at(open_page(PAGE, who=reviewer, dataset=DATASET, view=view))


@pytest.mark.deep
def test_an_answer_can_be_changed_until_the_guesses_begin(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    first = at(page)
    page = choose(page, 3)
    page = press(page, f"{tasks.NAME}.previous")
    assert at(page) == first
    page = choose(page, 0)
    assert at(page) != first
    for _ in range(3):
        page = choose(page, 3)
    assert "did not know **3**" in words(page)
    page = press(page, f"{tasks.NAME}.look")
    assert at(page) == first
    page = choose(page, 3)
    assert at(page) != first
    page = press(page, f"{tasks.NAME}.on")
    assert "did not know **4**" in words(page)
    page = press(page, f"{tasks.NAME}.guesses")
    page = choose(page, 0, "guess")
    # With a guess made, the first round is closed.
    again = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert "Guess 2 of 4" in words(again)


def test_what_could_not_be_saved_is_told_and_the_question_stays(
    drawn: Store, reviewer: Rater, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    name = at(page)

    def full(*_: object, **__: object) -> None:
        raise StoreUnavailable("The disk is full.", hint="Make room.")

    with monkeypatch.context() as broken:
        broken.setattr(judging, "save_draft", full)
        broken.setattr(judging, "submit_judgment", full)
        page = choose(page, 0)
    assert at(page) == name
    assert "not saved" in words(page)
    assert "The disk is full" in words(page)
    page = choose(page, 0)
    assert at(page) != name
    assert questionnaire.questionnaire_progress(drawn, DATASET, reviewer.id).answered == 1


def test_a_lead_draws_the_questionnaire_where_there_is_none(
    app_store: Store, lead: Rater, reviewer: Rater, open_page: OpenPage
) -> None:
    add_questions(app_store, numeric=12)
    items.add_items(
        app_store,
        [items.NewItem("set-1", {"made": "import"})],
        study="ebmqa",
        kind="question_set",
        dataset=DATASET,
    )
    page = open_page(PAGE, who=lead, dataset=DATASET, view="Answer")
    page.number_input(key=f"{tasks.NAME}.number").set_value(10).run()
    page = press(page, f"{tasks.NAME}.draw")
    assert at(page)
    assert questionnaire.questionnaire_progress(app_store, DATASET, reviewer.id).total == 10


def test_a_key_pressed_twice_does_not_answer_a_question_that_was_not_seen(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    _, desk = page.session_state[f"{tasks.NAME}.desk"]
    seen = desk.item
    choose(page, 0)
    assert desk.item != seen
    unseen = desk.item
    # The browser still shows the first question when the second press arrives.
    form = component(page, "answer_form")
    known = {name: json.loads(form.proto.json)[name] for name in ("session", "rev")}
    changes = {"answer": [None, "1"]}
    say(page, form, {"token": "2", "item": seen, "submit": True, "changes": changes, **known})
    assert desk.item == unseen
    assert questionnaire.questionnaire_progress(drawn, DATASET, reviewer.id).answered == 1


@pytest.mark.deep
def test_a_press_counts_where_the_server_was_started_anew_meanwhile(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    before = json.loads(
        component(open_page(PAGE, who=reviewer, dataset=DATASET), "answer_form").proto.json
    )
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    name = at(page)
    known = {one: before[one] for one in ("item", "session", "rev")}
    changes = {"answer": [None, "1"]}
    form = component(page, "answer_form")
    say(page, form, {"token": "1", "submit": True, "changes": changes, **known})
    assert at(page) != name
    [(said, body)] = (
        questionnaire.answer_and_questionnaire_queries.list_question_names_and_answer_json_of_person(
            drawn, DATASET, reviewer.id
        )
    )
    assert (said, json.loads(body)["answer"]) == (name, [1])


@pytest.mark.deep
def test_what_two_tabs_say_of_a_question_is_told_in_words(
    drawn: Store, reviewer: Rater, open_page: OpenPage
) -> None:
    page = open_page(PAGE, who=reviewer, dataset=DATASET)
    other = open_page(PAGE, who=reviewer, dataset=DATASET)
    assert at(page) == at(other)
    choose(other, 3)
    page = choose(page, 0)
    assert "answer: here “Greater than 54%”, there “I do not know”" in words(page)
    # What is kept is the answer, not a draft of one.
    page = press(page, f"{tasks.NAME}.mine")
    [(_, body)] = (
        questionnaire.answer_and_questionnaire_queries.list_question_names_and_answer_json_of_person(
            drawn, DATASET, reviewer.id
        )
    )
    assert json.loads(body)["answer"] == [0]
