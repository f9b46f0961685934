"""A lead withdraws an item where they see it, and puts it back; who judges it is told."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import (
    assignment,
    consensus,
    items,
    remarks_between_raters_and_leads,
    withdrawn_items,
)
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, answer, words
from tests.pages.test_own_study import GOOD, added

STUDY = "long_answers"


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (added(STUDY),)


def items_page(open_page: OpenPage, lead: Rater, name: str) -> AppTest:
    return open_page("7_Data.py", who=lead, view="Items", study="own", dataset=STUDY, item=name)


def said(page: AppTest) -> str:
    return "\n".join(one.value for one in page.success)


def withdraw(page: AppTest, item: str, reason: str) -> None:
    page.session_state[f"withdraw.{item}"] = True
    page.run()
    answer(page, form_named="withdrawal", reason=reason, submit=True)


@pytest.mark.deep
def test_who_judges_a_withdrawn_item_finishes_it_is_told_and_it_does_not_count(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [task] = STUDIES["own"].tasks(
        STUDIES["own"].open(app_store, settings_store_and_runs_of_process.current_settings(), STUDY)
    )
    desk = open_page("8_Your_studies.py", who=reviewer, dataset=STUDY)
    on_desk = desk.session_state["own_questions.desk"][1].item
    name = items.item_names_by_id(app_store, [on_desk])[on_desk]

    page = items_page(open_page, lead, name)
    withdraw(page, on_desk, "It is there twice.")
    assert "1 person who has it open will be told" in said(page)
    assert withdrawn_items.withdrawal_of_item(app_store, on_desk)

    held = desk.session_state["own_questions.desk"][1]
    desk.run()
    assert [one.value for one in desk.toast] == [
        "Your lead has withdrawn this item: It is there twice. You may finish it, but it does not"
        " count."
    ]
    answer(desk, submit=True, **GOOD)
    assert held.item not in (None, on_desk)
    assert held.left_behind.endswith("submitted, does not count: a lead has withdrawn it")
    kept = app_store.column("select rater from judgment where item = $item", item=on_desk)
    assert kept == [reviewer.id]
    assert consensus.current_judgments(app_store, task, dataset=STUDY, viewer=lead).empty
    [message] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(
        app_store, rater=reviewer.id
    )
    assert message.text.startswith("This item is withdrawn (It is there twice.)")
    # Home counts one less than before, and says why.
    gone = "1 that you had submitted was withdrawn by a lead, and no longer counts"
    assert gone in words(open_page(who=reviewer))

    page = items_page(open_page, lead, name)
    assert "Withdrawn" in words(page)
    withdraw(page, on_desk, "It is not.")
    assert "is in play again" in said(page)
    assert "you had submitted" not in words(open_page(who=reviewer))
    assert len(consensus.current_judgments(app_store, task, dataset=STUDY, viewer=lead)) == 1


def test_a_flagged_item_is_withdrawn_where_the_flag_is_read(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    study = STUDIES["own"].open(
        app_store, settings_store_and_runs_of_process.current_settings(), STUDY
    )
    [task] = STUDIES["own"].tasks(study)
    desk = open_page("8_Your_studies.py", who=reviewer, dataset=STUDY)
    held = desk.session_state["own_questions.desk"][1]
    given = {"item": held.item, "rater": reviewer.id}
    assignment.record_opened_skipped_or_flagged(
        app_store, task, held.settings, **given, kind="flag", reason="No answer."
    )
    team = {"task": task.name, "dataset": STUDY}
    page = open_page("5_Team.py", who=lead, **team, section="flags")
    [asked] = page.dataframe[0].value["id"]
    page = open_page("5_Team.py", who=lead, **team, asked=asked)
    withdraw(page, held.item, "It has no answer.")
    assert "Withdrawn: " in words(page)
    assert "There is no" not in words(page)
    assert withdrawn_items.withdrawal_of_item(app_store, held.item)
    page = items_page(open_page, lead, "")
    assert "1 item is withdrawn" in [one.label for one in page.expander]


def test_all_that_was_withdrawn_is_put_back_with_one_reason(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    names = list(app_store.column("select name from item_in_play where dataset = $d", d=STUDY))
    ids = items.item_ids_by_name(app_store, "own", STUDY, names)
    withdrawn_items.withdraw_or_return_items_and_count_notified(
        app_store,
        {item: name for name, item in ids.items()},
        study="own",
        dataset=STUDY,
        reason="The wrong file.",
        by=lead,
    )
    assert not app_store.rows("select 1 from item_in_play where dataset = $d", d=STUDY)
    desk = open_page("8_Your_studies.py", who=reviewer, dataset=STUDY)
    assert "your lead has withdrawn all of them" in words(desk)
    page = open_page("7_Data.py", who=lead, view="Items", study="own", dataset=STUDY)
    assert "No item is in use." in words(page)
    page.session_state[f"withdrawn.own.{STUDY}"] = True
    page.run()
    assert f"{len(names)} items are withdrawn" in str(page.expander)
    answer(page, form_named="withdrawal", reason="It was the right one.", submit=True)
    assert f"{len(names)} items" in said(page)
    back = app_store.column("select name from item_in_play where dataset = $d", d=STUDY)
    assert sorted(back) == sorted(names)
