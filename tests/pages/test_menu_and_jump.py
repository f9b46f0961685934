"""The menu and the palette: what each person finds there, and what they must not."""

from __future__ import annotations

import html
import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import raters
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import (
    command_palette,
    home_my_work,
    menu,
    page_frame,
    settings_store_and_runs_of_process,
    study_navigation,
)
from medlens.ui.page_frame import Here
from tests.pages.conftest import OpenPage, all_demos


def menu_of(page: AppTest) -> list[str]:
    assert not page.exception
    return [one.proto.label for one in page.sidebar.get("page_link")]


def here_of(store: Store, person: Rater) -> Here:
    return Here(store, settings_store_and_runs_of_process.current_settings(), person)


def places_in_browser(page: AppTest) -> list[dict[str, str]]:
    """All places that the browser is told of for the palette."""
    [component] = [
        one for one in page.get("bidi_component") if "frame_" in one.proto.component_name
    ]
    places: list[dict[str, str]] = json.loads(component.proto.json)["places"]
    return places


@all_demos
def test_a_leads_menu_has_one_entry_for_each_study_and_what_belongs_to_none(
    open_page: OpenPage, lead: Rater
) -> None:
    drawn = [menu_of(open_page(page, who=lead)) for page in ("app.py", "5_Team.py", "7_Data.py")]
    studies = ["Error tagging", "AgentClinic", "SourceCheckup", "EBMQA"]
    team = ["People", "Models", "Runs", "Data", "Make a study"]
    assert drawn == [["Home", *studies, *team]] * 3
    links = {
        one.proto.label: one.proto.query_string
        for one in open_page(who=lead).sidebar.get("page_link")
    }
    assert {links[name] for name in studies} == {"view=Results"}  # as a row of Home


@all_demos
def test_a_reviewers_menu_has_their_tasks_with_what_is_left_and_no_study(
    open_page: OpenPage, reviewer: Rater
) -> None:
    found = menu_of(open_page(who=reviewer))
    assert found[0] == "Home"
    tasks = dict(one.rpartition(" · ")[::2] for one in found if " · " in one)
    assert {"Tag errors", "Verify sources"} <= tasks.keys()
    assert all(left.isdigit() for left in tasks.values())
    words = " ".join(found)
    assert not any(declared.title in words for declared in STUDIES.values())
    assert "Data" not in found


@all_demos
def test_the_menus_tasks_keep_their_order_whatever_was_worked_on_last(
    app_store: Store, reviewer: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = here_of(app_store, reviewer)
    drawn = [entry.name for entry in menu._work(here)[0]]
    by_urgency = home_my_work.list_open_rounds_of_person
    monkeypatch.setattr(
        home_my_work,
        "list_open_rounds_of_person",
        lambda here, studies: by_urgency(here, studies)[::-1],
    )
    assert [entry.name for entry in menu._work(here)[0]] == drawn
    assert drawn[0].startswith("error_spans")


def test_studies_beyond_five_are_folded(
    open_page: OpenPage, app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = tuple(menu.Entry(f"s{n}", f"Study {n}", "app.py", {}) for n in range(7))
    monkeypatch.setattr(menu, "_studies", lambda here: list(many))
    page = open_page(who=lead)
    assert [one.label for one in page.sidebar.expander] == ["2 more"]
    assert [one for one in menu_of(page) if one.startswith("Study")] == [
        f"Study {n}" for n in range(7)
    ]


def test_the_menu_is_made_again_only_when_the_store_has_grown(
    open_page: OpenPage, app_store: Store, reviewer: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    work = menu._work
    monkeypatch.setattr(menu, "_work", lambda here: made.append(here.person.id) or work(here))
    page = open_page(who=reviewer)
    page.run()
    before = len(made)
    page.run()
    page.run()
    assert len(made) == before
    raters.find_or_add_rater_by_name(app_store, "Nora New")
    page.run()
    assert len(made) == before + 1


def test_whether_the_menu_is_open_is_as_one_last_chose_on_all_pages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state: dict[str, Any] = {}
    monkeypatch.setattr(page_frame.st, "session_state", state)
    assert page_frame.is_menu_open_at_start(wide=False)
    assert not page_frame.is_menu_open_at_start(wide=True)
    state[page_frame.MENU_CHOICE] = "open"
    assert page_frame.is_menu_open_at_start(wide=True)
    state[page_frame.MENU_CHOICE] = "folded"
    assert not page_frame.is_menu_open_at_start(wide=False)
    state[page_frame.MENU_CHOICE] = "anything else"
    assert page_frame.is_menu_open_at_start(wide=False)


@all_demos
def test_a_reviewers_palette_names_no_other_person_no_model_and_no_study_of_others(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    others = [one.name for one in raters.list_raters(app_store) if one.id != reviewer.id]
    assert len(others) > 3
    for page in ("app.py", "1_Tag_errors.py", "3_Verify_sources.py"):
        told = json.dumps(places_in_browser(open_page(page, who=reviewer)))
        assert "Tag errors" in told
        # No count: a desk goes on without a page being drawn, and the palette would be behind.
        assert "\\u00b7" not in told
        assert not [name for name in others if name in told]
        assert "Team" not in told
        assert "Results" not in told
    here = here_of(app_store, reviewer)
    # Names say who wrote what is judged: they find nothing, and neither do models.
    for text in ("demo", "demo-a", "demo01", "Lena"):
        assert all(
            one.kind == "item" and "demo" not in one.label
            for one in command_palette.find_item_destinations(here, text)
        )


@all_demos
def test_a_leads_palette_has_every_study_section_person_and_command(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    places = places_in_browser(open_page(who=lead))
    labels = {one["label"] for one in places}
    for declared in ("Error tagging", "AgentClinic", "SourceCheckup", "EBMQA"):
        for section in ("Judge", "Browse", "Results", "Team", "Export", "Agreement", "Hand out"):
            assert f"{declared} · demo: {section}" in labels
    assert {reviewer.name, "Import files", "Audit log", "Home"} <= labels
    assert len({one["id"] for one in places}) == len(places)


@pytest.mark.deep
@all_demos
def test_every_place_of_a_leads_palette_opens(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    here = here_of(app_store, lead)
    found = {
        (one.page, one.query.get("view", ""), one.query.get("section", "")): one
        for one in command_palette.destinations_of_person(here, menu.Menu((), ()))
    }
    tagging = [
        one for one in found.values() if "Error tagging" in one.label or one.kind == "command"
    ]
    assert len(tagging) > 7
    for place in tagging:
        page = open_page(place.page.rpartition("/")[2], who=lead, **place.query)
        assert not page.exception, place
        assert not [one.value for one in page.warning if "There is no" in one.value], place


@all_demos
def test_items_are_found_by_a_piece_of_their_name(app_store: Store, lead: Rater) -> None:
    found = command_palette.find_item_destinations(here_of(app_store, lead), "DEMO1")
    assert found
    assert all("demo1" in one.label for one in found)
    assert command_palette.find_item_destinations(here_of(app_store, lead), "d") == []


def test_what_a_reviewer_was_given_is_found_by_its_number(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    open_page("1_Tag_errors.py", who=reviewer)
    [place] = command_palette.find_item_destinations(here_of(app_store, reviewer), "item 1")
    assert place.label == "Tag errors: item 1"
    page = open_page("1_Tag_errors.py", who=reviewer, **place.query)
    assert not page.exception
    assert not page.warning


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Rosa Reviewer", "RR"),
        ("Ana María López Díaz", "AD"),
        ("ada", "A"),
        ('<b> "x" &', "&lt;&amp;"),
    ],
)
def test_a_narrow_line_has_the_persons_initials_and_no_markup_of_their_name(
    name: str, initials: str
) -> None:
    drawn = study_navigation.initials_html(name)
    assert drawn.endswith(f">{initials}</span>")
    assert f'aria-label="Working as {html.escape(name)}" title=' in drawn
    assert drawn.count("<") == 2


def test_what_a_lead_wants_to_do_is_found_by_its_word(app_store: Store, lead: Rater) -> None:
    places = command_palette.destinations_of_person(here_of(app_store, lead), menu.Menu((), ()))
    commands = "\n".join(one.label.lower() for one in places if one.kind == "command")
    wanted = "rename archive exclude deadline settle kappa invite withdraw correct guideline role"
    assert [word for word in wanted.split() if word not in commands] == []


@all_demos
def test_a_command_about_a_study_opens_on_the_study_in_sight(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    here = here_of(app_store, lead)
    places = command_palette.destinations_of_person(here, menu.Menu((), ()))
    [rename] = [one for one in places if one.label.startswith("Rename")]
    in_sight = {"task": "source_support", "dataset": "demo", "view": "Results"}
    assert command_palette.address_values_of_destination(rename, in_sight) == {
        "section": "settings",
        "task": "source_support",
        "dataset": "demo",
    }
    [imports] = [one for one in places if one.label == "Import files"]
    assert command_palette.address_values_of_destination(imports, in_sight) == {"view": "Import"}
