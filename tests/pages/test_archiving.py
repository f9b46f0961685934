"""A lead archives a study or a round where they see it; its links say that it was closed."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from medlens.app import archive_and_unarchive
from medlens.config.settings import Settings
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    crowd_platforms_and_worker_ids_of_rounds,
    invitations,
)
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.completion_code_rules_and_decisions import give_or_refuse_code
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.own.study import open_study
from medlens.studies.registry import STUDIES
from tests.attack import lead_actions
from tests.attack.lead_actions import LETTERS
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, answer, words

OWN = Thing("dataset", "own", LETTERS)
ARCHIVED = "is archived: none of its items are handed out"


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (lead_actions.lay,)


def unfold(page: AppTest, key: str) -> None:
    page.session_state[key] = True
    page.run()


def test_who_submits_to_a_study_that_was_archived_meanwhile_is_told_that_it_was_received(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    desk = open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS)
    held = desk.session_state["own_questions.desk"][1]
    item = held.item
    assert item is not None
    archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        app_store, [OWN], reason="It is over.", by=lead
    )
    answer(desk, clear="yes", submit=True)
    kept = app_store.column("select item from judgment where rater = $r", r=reviewer.id)
    assert kept == [item]
    assert held.left_behind.endswith("submitted, received, though this was archived meanwhile")
    # The page says so too, now and whenever it is opened again.
    for told in (words(desk), words(open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS))):
        assert (
            "none of its items are handed out. What you submitted is kept: 1 item. That one came in"
            " after it was archived: received, and counts like any other." in told
        )
    # Who did nothing there is told nothing of it.
    assert "What you submitted" not in words(
        open_page("8_Your_studies.py", who=lead, dataset=LETTERS)
    )


@pytest.mark.deep
def test_who_had_begun_an_item_of_a_study_that_is_archived_is_told_that_the_draft_is_kept(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    desk = open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS)
    answer(desk, clear="yes")
    archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        app_store, [OWN], reason="It is over.", by=lead
    )
    told = words(open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS))
    assert "You have begun 1 item that you did not submit: your draft is kept" in told
    assert "What you submitted" not in told


def test_a_lead_archives_a_study_under_its_items_and_brings_it_back_on_the_data_page(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page("7_Data.py", who=lead, view="Items", study="own", dataset=LETTERS)
    unfold(page, f"archive.dataset|own|{LETTERS}|")
    answer(page, form_named="archiving", reason="It is over.", submit=True)
    assert archiving_of_datasets_rounds_and_runs.archiving_of_thing(app_store, OWN)
    # The page that the form stood on says so too.
    assert "It was archived by Lena Lead: It is over" in words(page)
    told = words(open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS))
    assert "This study is archived: none of its items are handed out" in told
    assert "Lena" not in told
    assert LETTERS not in str(open_page(who=reviewer).main)
    data = open_page("7_Data.py", who=lead)
    unfold(data, "data.archived")
    data.selectbox(key="archived.thing").set_value(f"dataset|own|{LETTERS}|").run()
    assert "It is over" in words(data)
    data.button(key="archived.back").click().run()
    assert "The study Letters is back" in "\n".join(note.value for note in data.success)
    assert ARCHIVED not in words(open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS))


def test_a_lead_brings_an_archived_study_back_where_they_are_told_that_it_is_archived(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    desk = open_page("8_Your_studies.py", who=lead, dataset=LETTERS)
    answer(desk, clear="yes")
    archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        app_store, [OWN], reason="It is over.", by=lead
    )
    page = open_page("8_Your_studies.py", who=lead, dataset=LETTERS)
    assert "you can finish it once this is brought back" in words(page)
    assert "a lead brings" not in words(page)
    page.button(key="archived.back").click().run()
    assert "The study Letters is back" in "\n".join(note.value for note in page.success)
    assert ARCHIVED not in words(page)
    archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        app_store, [OWN], reason="It is over.", by=lead
    )
    told = open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS)
    assert not [one for one in told.button if one.key == "archived.back"]


@pytest.mark.deep
def test_a_dataset_of_the_same_name_in_another_study_stays_on_team(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    STUDIES["tagging"].demo(app_store)
    STUDIES["ebmqa"].demo(app_store)
    archive_and_unarchive.archive_or_bring_back_and_return_report_text(
        app_store, Settings(), [Thing("dataset", "ebmqa", "demo")], reason="Over.", by=lead
    )
    for where in ({"task": "error_spans", "dataset": "demo"}, {"dataset": "demo"}):
        assert ARCHIVED not in words(open_page("5_Team.py", who=lead, **where))
    where = {"task": "ebmqa_answer", "dataset": "demo"}
    assert ARCHIVED in words(open_page("5_Team.py", who=lead, **where))


def test_a_lead_deletes_an_archived_study_by_typing_its_name(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    archive_and_unarchive.archive_or_bring_back_and_return_report_text(
        app_store, Settings(), [OWN], reason="Over.", by=lead
    )
    data = open_page("7_Data.py", who=lead)
    unfold(data, "data.archived")
    key = f"dataset|own|{LETTERS}|"
    data.selectbox(key="archived.thing").set_value(key).run()
    data.button(key=f"deleting.preview.{key}").click().run()
    assert "goes for good" in words(data)
    data.button(key=f"deleting.delete.{key}").click().run()
    assert "nothing was deleted" in words(data)
    data.text_input(key=f"deleting.typed.{key}").set_value("Letters").run()
    data.button(key=f"deleting.delete.{key}").click().run()
    assert "a study of one's own" in words(data)
    assert not app_store.rows("select 1 from item where study = 'own'")


def test_a_lead_archives_a_round_on_team_and_home_no_longer_has_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, Settings(), LETTERS).task
    where = {"section": "hand-out", "task": task.name, "dataset": LETTERS}
    page = open_page("5_Team.py", who=lead, **where)
    unfold(page, f"archive.round|own|{LETTERS}|{task.name}")
    answer(page, form_named="archiving", reason="It is over.", submit=True)
    assert archiving_of_datasets_rounds_and_runs.is_archived_round(
        app_store, "own", LETTERS, task.name
    )
    again = open_page("5_Team.py", who=lead, **where)
    assert "Archived." in words(again)
    assert "Close the round" not in [button.label for button in again.button]
    assert "Nothing waits for you" in words(open_page(who=reviewer))


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["dataset", "round"])
def test_the_link_of_an_archived_round_says_that_it_was_closed_and_a_code_given_stays_valid(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater, kind: str
) -> None:
    task = open_study(app_store, Settings(), LETTERS).task
    of = (task.name, LETTERS)
    known = {"parameter": "PROLIFIC_PID", "address": "", "code": "C1ABC"}
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        app_store, *of, **known, by=lead
    )
    token = invitations.make_invitation_and_return_link_secret(
        app_store, by=lead, task=task.name, dataset=LETTERS
    )
    home = open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1")
    home.button(key="invited.accept").click().run()
    give_or_refuse_code(app_store, *of, reviewer.id, given=True, reason="Done.", by=lead)
    thing = OWN if kind == "dataset" else Thing("round", "own", LETTERS, task.name)
    archive_and_unarchive.archive_or_bring_back_and_return_report_text(
        app_store, Settings(), [thing], reason="Over.", by=lead
    )

    told = words(open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1"))
    assert "This round was closed." in told
    assert "Your completion code stays valid: C1ABC" in told
    assert "invites you to" not in told
    desk = words(open_page("8_Your_studies.py", who=reviewer, dataset=LETTERS))
    closed = {"dataset": "This study is archived", "round": "This round was closed"}
    assert closed[kind] in desk
    assert "Your completion code: `C1ABC`" in desk
    # A stranger learns no code.
    stranger = words(open_page(who=lead, invite=token, PROLIFIC_PID="5f2"))
    assert "This round was closed." in stranger
    assert "C1ABC" not in stranger
