"""The tagging page around the component: the desk, the forms, the completion code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from medlens.errors import InvalidInput
from medlens.review import (
    assignment,
    completion_code_rules_and_decisions,
    hand_out_settings,
    judging,
    survey_answers_and_completion_code,
)
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.tagging import queries
from medlens.studies.tagging.study_in_dataset import Study, open_study
from medlens.studies.tagging.tasks import NAME as TAGGED
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.tagging import page as page_of_tagging
from tests.pages.conftest import OpenPage, components, say, words


def surface(page: AppTest) -> dict:
    """What the tagger was told."""
    found = [e for e in page.main if e.type == "bidi_component"]
    found = found or [e for e in walk(page._tree) if getattr(e, "type", "") == "bidi_component"]
    return json.loads(next(e for e in found if "labels" in e.proto.json).proto.json)


def walk(block: object) -> list:
    children = getattr(block, "children", {})
    nodes = []
    for child in children.values():
        nodes += [child, *walk(child)]
    return nodes


def send(page: AppTest, **fields: object) -> None:
    """Let the component say something, as the browser would."""
    data = surface(page)
    element = next(
        e
        for e in walk(page._tree)
        if getattr(e, "type", "") == "bidi_component" and "labels" in e.proto.json
    )
    text = data["text"]
    message = {
        "token": new_id(),
        "rater": data["rater"],
        "item": data["item"],
        "base": data["rev"],
        "action": "draft",
        "reason": "",
        "seconds": {"active": 3.0, "idle": 0.0},
        "attempt": 1,
        "body": {
            "spans": [
                {
                    "start": 0,
                    "end": 5,
                    "quote": text[:5],
                    "labels": ["ignore_missing_information"],
                    "comment": "",
                    "link": "",
                    "located": "exact",
                }
            ],
            "comment": "",
        },
    } | fields
    state = WidgetState()
    state.id = element.proto.id
    state.json_value = json.dumps({"out": message})
    states = page._tree.get_widget_states()
    states.widgets.append(state)
    page._run(states)


def test_the_page_follows_the_desk_when_the_browser_still_names_the_item_before(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    first = page.query_params["item"]
    _, desk = page.session_state["error_spans.desk"]
    # The next item comes by the desk's own address: the page does not run.
    desk._put(desk._claim())
    assert desk.handle_of_current_item != first
    # Guideline and Ask your lead run it, with the item of its last run.
    page.run()
    assert page.query_params["item"] == desk.handle_of_current_item
    assert surface(page)["item"] == desk.handle_of_current_item
    # A link to the item before is followed.
    page.query_params["item"] = first
    page.run()
    assert desk.handle_of_current_item == first


def test_continue_on_home_opens_the_item_that_it_names_whatever_was_looked_at_last(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    send(page, action="submit")
    send(page, action="skip")
    send(page, action="submit")
    assert surface(page)["progress"]["words"].startswith("4 of 21")
    # Back to one that is submitted, and then to Home.
    for _ in range(3):
        send(page, action="previous")
    assert (surface(page)["progress"]["position"], surface(page)["state"]) == (1, "submitted")
    page.query_params.clear()
    page.switch_page("app.py").run()
    button = page.button(key="work.error_spans.demo")
    assert button.label == "Continue:gray[: Tag errors, item 4 of 21]"
    button.click().run()
    assert not page.exception
    _, desk = page.session_state["error_spans.desk"]
    fourth = page.query_params["item"]
    assert (fourth, desk.queue_entry_of_current_item.number) == (desk.handle_of_current_item, 4)
    # A run of the page that is in sight changes nothing.
    desk.put_item_of_queue_place_on_desk(desk.queue.places[0])
    page.query_params["item"] = ""
    page.run()
    assert desk.queue_entry_of_current_item.number == 1


def test_the_desk_shows_an_item_with_its_question_labels_and_progress(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    assert not page.exception
    data = surface(page)
    assert len(data["labels"]) == 9
    assert [label["key"] for label in data["labels"]] == list(range(1, 10))
    assert data["progress"]["total"] == 20
    assert "Illustrative" in data["notice"]
    assert data["rater"] == reviewer.id
    assert page.query_params["item"]


def test_a_wide_page_has_its_menu_also_where_it_fails(
    open_page: OpenPage, reviewer: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise InvalidInput("There is no such desk.")

    monkeypatch.setattr(page_of_tagging, "draw_page", fail)
    page = open_page("1_Tag_errors.py", who=reviewer)
    assert "There is no such desk." in words(page)
    menu = [one.proto.label for one in page.sidebar.get("page_link")]
    assert menu[:2] == ["Home", "Tag errors · 20"]


def test_nothing_of_the_other_raters_reaches_the_browser(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    sent = json.dumps(surface(page)) + words(page)
    others = {row[0] for row in app_store.rows("select name from rater where origin = 'demo'")}
    comments = {row[0] for row in app_store.rows("select body->>'comment' from judgment") if row[0]}
    assert not [name for name in others if name in sent]
    assert not [comment for comment in comments if comment in sent]
    assert "gold" not in sent.lower()


def test_a_message_is_saved_and_answered(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    send(page)
    assert not page.exception
    assert surface(page)["ack"]["rev"] == 1
    assert app_store.rows("select count(*) from draft") == [(1,)]
    send(page, action="submit")
    assert not page.exception
    assert surface(page)["ack"]["error"] is None
    assert surface(page)["progress"]["done"] == 1


def test_a_link_to_an_item_opens_it_for_those_who_have_it_only(
    open_page: OpenPage, app_store: Store, reviewer: Rater, lead: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    send(page, action="submit")
    [(name,)] = app_store.rows(
        "select i.name from judgment j join item i on i.id = j.item where j.origin = 'app'"
    )
    again = open_page("1_Tag_errors.py", who=reviewer, item=name)
    assert surface(again)["state"] == "submitted"
    theirs = open_page("1_Tag_errors.py", who=lead, item=name)
    assert theirs.query_params["item"] != [name]
    assert surface(theirs)["state"] == "open"


@pytest.fixture
def done(app_store: Store, reviewer: Rater, lead: Rater) -> Study:
    """The reviewer's share is one item, and it is judged."""
    hand_out_settings.change_task_settings(
        app_store, TAGGED, "demo", {"items_per_rater": 1, "gold_share": 0.0}, by=lead
    )
    fresh = open_study(app_store, settings_store_and_runs_of_process.current_settings())
    item = assignment.give_next_item_and_return_id(
        app_store, fresh.task, fresh.settings, dataset="demo", rater=reviewer.id
    )
    assert item is not None
    text = queries.load_response(app_store, item).response
    span = {"start": 0, "end": 5, "quote": text[:5], "labels": ["ignore_missing_information"]}
    judging.submit_judgment(
        app_store,
        fresh.task,
        item=item,
        rater=reviewer.id,
        token=new_id(),
        body={"spans": [span]},
    )
    return fresh


def test_after_the_last_item_come_the_forms_and_the_code(
    open_page: OpenPage, app_store: Store, reviewer: Rater, done: Study
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    assert not page.exception
    assert "All items done" in words(page)
    assert "Two short forms are left; after that you will get your completion code." in words(page)
    # The ends of a scale are in sight, where touch can read them too.
    assert "Clear throughout" in sheets(page)[0].proto.json
    assert len(page.code) == 0
    survey_answers_and_completion_code.save_survey_answers(
        app_store, form="feedback", rater=reviewer.id, answers={"x": "y"}
    )
    assert "One short form is left" in words(open_page("1_Tag_errors.py", who=reviewer))
    # A form with nothing but optional questions may be handed in empty.
    survey_answers_and_completion_code.save_survey_answers(
        app_store, form="background", rater=reviewer.id, answers={}
    )
    page = open_page("1_Tag_errors.py", who=reviewer)
    assert "completion code" in words(page)
    assert "short form" not in words(page)
    [code] = page.code
    assert code.value == survey_answers_and_completion_code.make_completion_code(
        dataset="demo", rater=reviewer.id, seed=done.settings.seed
    )


def test_who_flagged_every_item_is_told_that_somebody_will_look_before_there_is_a_code(
    open_page: OpenPage, app_store: Store, reviewer: Rater, lead: Rater
) -> None:
    hand_out_settings.change_task_settings(
        app_store, TAGGED, "demo", {"items_per_rater": 1, "gold_share": 0.0}, by=lead
    )
    fresh = open_study(app_store, settings_store_and_runs_of_process.current_settings())
    where = {"dataset": "demo", "rater": reviewer.id}
    while item := assignment.give_next_item_and_return_id(
        app_store, fresh.task, fresh.settings, **where
    ):
        about = {"item": item, "rater": reviewer.id, "kind": "flag", "reason": "Odd."}
        assignment.record_opened_skipped_or_flagged(app_store, fresh.task, fresh.settings, **about)
    for form in ("feedback", "background"):
        survey_answers_and_completion_code.save_survey_answers(
            app_store, form=form, rater=reviewer.id, answers={"x": "y"}
        )
    page = open_page("1_Tag_errors.py", who=reviewer)
    assert "Somebody from the study will look at your work" in words(page)
    assert len(page.code) == 0
    completion_code_rules_and_decisions.give_or_refuse_code(
        app_store, TAGGED, "demo", reviewer.id, given=True, reason="They are odd.", by=lead
    )
    assert len(open_page("1_Tag_errors.py", who=reviewer).code) == 1


def sheets(page: AppTest) -> list[Any]:
    return components(page, "answer_form")


def told(page: AppTest, at: int) -> Any:
    """What the browser is told of a form of the page."""
    return json.loads(sheets(page)[at].proto.json)


def enter(page: AppTest, at: int, *, submit: bool = False, **said: str) -> None:
    """Let a form of the page say what was entered in it, as the browser would."""
    held = told(page, at)
    changes = {name: [held["values"].get(name), value] for name, value in said.items()}
    known = {name: held[name] for name in ("item", "session", "rev")}
    say(page, sheets(page)[at], {"token": new_id(), "submit": submit, "changes": changes, **known})


def test_a_form_with_a_required_question_left_out_is_not_saved(
    open_page: OpenPage, app_store: Store, reviewer: Rater, done: Study
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    enter(page, 0, submit=True)
    assert "please answer this question" in words(page)
    assert app_store.rows("select count(*) from survey where origin = 'app'") == [(0,)]


def test_what_is_entered_in_a_form_is_a_draft_in_every_tab_until_it_is_saved(
    open_page: OpenPage, app_store: Store, reviewer: Rater, done: Study
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    enter(page, 0, confidence="2", comments="So far")
    again = open_page("1_Tag_errors.py", who=reviewer)
    assert told(again, 0)["values"] == {"confidence": "2", "comments": "So far"}
    assert told(again, 0)["saved_at"]
    # Two tabs: the later one is not put over the earlier unseen.
    enter(again, 0, confidence="5")
    enter(page, 0, confidence="3")
    assert "Changed in another tab" in words(page)
    next(one for one in page.button if one.label == "Use the other tab's").click().run()
    assert told(page, 0)["values"]["confidence"] == "5"
    assert app_store.rows("select count(*) from survey where origin = 'app'") == [(0,)]


def test_the_answers_to_a_form_are_kept_as_what_they_are(
    open_page: OpenPage, app_store: Store, reviewer: Rater, done: Study
) -> None:
    page = open_page("1_Tag_errors.py", who=reviewer)
    said = {
        "profession": "Physician",
        "stage": "Fellow",
        "years_of_practice": "many",
        "licensing_examination": json.dumps(["USMLE Step 3", "no such", "USMLE Step 1"]),
        "usmle_familiarity": "4",
        "llm_use": "Daily",
        "llm_evaluation": "No",
    }
    enter(page, 1, submit=True, **said)
    assert "please give a number" in words(page)
    assert (
        survey_answers_and_completion_code.load_last_survey_answers(
            app_store, form="background", rater=reviewer.id
        )
        is None
    )
    enter(page, 1, submit=True, years_of_practice=" 7 ", country_of_training="Chad")
    answers = survey_answers_and_completion_code.load_last_survey_answers(
        app_store, form="background", rater=reviewer.id
    )
    assert answers == said | {
        "years_of_practice": 7,
        "licensing_examination": ["USMLE Step 1", "USMLE Step 3"],
        "usmle_familiarity": 4,
        "country_of_training": "Chad",
    }
    # Answered, it can be answered again.
    page = open_page("1_Tag_errors.py", who=reviewer)
    assert told(page, 1)["submit"] == "Save again"
    enter(page, 1, submit=True, llm_use="Weekly")
    assert survey_answers_and_completion_code.load_last_survey_answers(
        app_store, form="background", rater=reviewer.id
    ) == answers | {"llm_use": "Weekly"}
