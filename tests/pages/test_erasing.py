"""Leads erase people and texts on the pages."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import items, raters
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.tagging.tasks import NAME as TASK
from medlens.ui import command_palette
from tests.pages.conftest import OpenPage
from tests.pages.conftest import words as markdown_of
from tests.sourcecheckup_made_up import make


def words(page: AppTest) -> str:
    """The words of a page, without what escapes them."""
    return markdown_of(page).replace("\\", "")


def test_a_lead_erases_a_person_by_typing_their_name(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page("9_People_and_models.py", who=lead)
    page.selectbox(key="erasing.person").set_value(reviewer.id).run()
    page.button(key=f"erasing.preview.person.{reviewer.id}").click().run()
    assert "Rosa Reviewer becomes person" in words(page)
    page.button(key=f"erasing.erase.person.{reviewer.id}").click().run()
    assert "The name that was typed is not theirs" in words(page)
    assert raters.find_rater(app_store, reviewer.id) == reviewer
    page.text_input(key=f"erasing.typed.person.{reviewer.id}").set_value("Rosa Reviewer").run()
    page.button(key=f"erasing.erase.person.{reviewer.id}").click().run()
    assert not page.exception
    assert "the person is now person" in words(page)
    assert raters.find_rater(app_store, reviewer.id) is None
    assert "Rosa" not in words(page)


def test_the_only_lead_is_told_that_they_cannot_be_erased(open_page: OpenPage, lead: Rater) -> None:
    page = open_page("9_People_and_models.py", who=lead)
    page.selectbox(key="erasing.person").set_value(lead.id).run()
    page.button(key=f"erasing.preview.person.{lead.id}").click().run()
    assert "only lead" in words(page)


@pytest.mark.deep
def test_a_lead_erases_the_text_of_an_item_where_a_flag_is_read(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [(item, name)] = app_store.rows(
        "select id, name from item where study = 'tagging' order by seq limit 1"
    )
    flag = {"task": TASK, "item": item, "rater": reviewer.id, "kind": "flag", "reason": "a name"}
    app_store.append("assignment_event", flag | {"id": new_id(), "lease_until": None})
    asked = f"flag|{item}|{reviewer.id}"
    page = open_page("5_Team.py", who=lead, section="flags", asked=asked)
    page.button(key=f"erasing.preview.text.{item}").click().run()
    assert "become x in" in words(page)
    # Nothing is said of what there is none of.
    assert "stored call" not in words(page)
    page.text_input(key=f"erasing.typed.text.{item}").set_value(name).run()
    page.button(key=f"erasing.erase.text.{item}").click().run()
    assert not page.exception
    assert "Figures are as they were." in words(page)
    assert set(items.item_body(app_store, item)["response"]) <= set("x .,:;()-–—'’/%\n\"")


def test_a_person_is_erased_where_people_are_listed_and_the_palette_finds_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="people")
    page.selectbox(key="people.erase").set_value(reviewer.id).run()
    assert not page.exception
    assert "Erase this person" in [one.label for one in page.expander]
    commands = (*command_palette._COMMANDS, *command_palette._COMMANDS_ON_STUDY)
    labels = [label for label, *_ in commands]
    for word in ("Erase", "Undo an import", "Archive"):
        assert any(word in label for label in labels)


@pytest.mark.deep
def test_a_statement_is_found_by_its_words_and_erased_where_items_are_listed(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    make(app_store, dataset="demo")
    where = {"view": "Items", "study": "SourceCheckup", "dataset": "demo"}
    [(id, name, text)] = app_store.rows(
        "select id, name, statement from sc_statement order by seq limit 1"
    )
    page = open_page("7_Data.py", who=lead, **where)
    page.text_input(key="erasing.words.sourcecheckup.demo").set_value(text.upper()).run()
    assert f"statement {name}" in page.selectbox(key="erasing.found.sourcecheckup.demo").options
    page.selectbox(key="erasing.found.sourcecheckup.demo").set_value(id).run()
    page.button(key=f"erasing.preview.text.{id}").click().run()
    assert "become x in" in words(page)
    page.text_input(key=f"erasing.typed.text.{id}").set_value(f"statement {name}").run()
    page.button(key=f"erasing.erase.text.{id}").click().run()
    assert not page.exception
    assert f" the texts of statement {name} in " in words(page)
    left = app_store.value("select statement from sc_statement where id = $id", id=id)
    assert set(left) <= set("x .,:;()-–—'’/%\n\"")
    page.text_input(key="erasing.words.sourcecheckup.demo").set_value("no such words").run()
    assert "No text here has these words." in [one.value for one in page.caption]
