"""Rounds on the pages: nothing hides work, links stay what they are, leads open and close."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import groupby
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from medlens.app import work_behind_commands
from medlens.review import assignment, consent, hand_out_settings, items, raters, rounds
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, Task
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process, team_task_settings
from tests.handles import item_called
from tests.pages.conftest import OpenPage, all_demos, answer, components, words

DESKS = (
    ("tagging", "1_Tag_errors.py", {}),
    ("agentclinic", "2_Read_transcripts.py", {"view": "Rate dialogues"}),
    ("sourcecheckup", "3_Verify_sources.py", {"view": "Verify sources"}),
    ("ebmqa", "4_Explore_EBMQA.py", {"view": "Answer"}),
)


def copied(store: Store, study: str, dataset: str, source: str = "demo") -> None:
    """The items of a dataset under another dataset's name, as an import would add them."""
    rows = store.rows(
        "select kind, name, body from item where study = $study and dataset = $source order by seq",
        study=study,
        source=source,
    )
    for kind, alike in groupby(rows, key=lambda row: row[0]):
        new = [items.NewItem(name, json.loads(body)) for _, name, body in alike]
        items.add_items(store, new, study=study, kind=kind, dataset=dataset)


def task_of(store: Store, study: str, dataset: str) -> Task:
    declared = STUDIES[study]
    return declared.tasks(
        declared.open(store, settings_store_and_runs_of_process.current_settings(), dataset)
    )[0]


def take(store: Store, task: Task, dataset: str, rater: Rater) -> str:
    defaults = hand_out_settings.default_hand_out_settings(
        settings_store_and_runs_of_process.current_settings(), task.name, task.handing_out
    )
    item = assignment.give_next_item_and_return_id(
        store, task, defaults, dataset=dataset, rater=rater.id
    )
    assert item is not None
    return item


def rows_at(home: AppTest) -> list[str]:
    """The tasks that wait for somebody on Home, the next one first."""
    return [one.value for one in (*home.header, *home.markdown) if " left" in one.value]


def choices(page: AppTest) -> list[str]:
    found = [box for box in page.selectbox if box.key == "line.study"]
    return [one.rpartition(" · ")[2] for box in found for one in box.options]


@pytest.mark.deep
def test_a_later_import_hides_no_work_and_waits_until_a_lead_opens_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    copied(app_store, "tagging", "first")
    take(app_store, task_of(app_store, "tagging", "first"), "first", reviewer)
    copied(app_store, "tagging", "second")
    home = open_page(who=reviewer)
    assert [row for row in rows_at(home) if "first" in row]
    assert not [row for row in rows_at(home) if "second" in row]
    # The page goes on where their work is, and says so in its address.
    desk = open_page("1_Tag_errors.py", who=reviewer)
    assert desk.query_params["dataset"] == "first"
    assert choices(desk) == ["first", "demo"]
    assert "Not opened to anyone yet: second, Tag errors" in [
        one.proto.label for one in open_page(who=lead).get("page_link")
    ]
    team = open_page(
        "5_Team.py", who=lead, section="hand-out", task="error_spans", dataset="second"
    )
    assert "Not opened yet" in words(team)
    next(b for b in team.button if b.label == "Open the round").click().run()
    assert not team.exception
    assert "**Open** to everyone" in words(team)
    home = open_page(who=reviewer)
    assert {name for row in rows_at(home) for name in ("first", "second") if name in row} == {
        "first",
        "second",
    }
    assert open_page("1_Tag_errors.py", who=reviewer).query_params["dataset"] == "first"


def test_a_lead_gives_a_round_to_named_people_and_closes_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = task_of(app_store, "tagging", "demo")
    team = open_page("5_Team.py", who=lead, section="hand-out")
    assert (team.query_params["task"], team.query_params["dataset"]) == ("error_spans", "demo")
    next(m for m in team.multiselect if m.label == "Given to").set_value([lead.id]).run()
    next(b for b in team.button if b.label == "Assign to these people").click().run()
    assert not team.exception
    assert "to Lena Lead" in words(team)
    assert "This round is for others." in words(open_page("1_Tag_errors.py", who=reviewer))
    item = take(app_store, task, "demo", lead)
    next(b for b in team.button if b.label == "Close the round").click().run()
    assert rounds.current_round_of_task(app_store, task, "demo").state == "closed"
    # What is held can be finished, which is said; nobody is handed anything new.
    desk = open_page("1_Tag_errors.py", who=lead)
    assert "You can finish the items you have" in words(desk)
    [told] = components(desk, "span_tagger")
    assert item_called(app_store, json.loads(told.proto.json)["item"]) == item
    assert "You can finish what you have already been given" in words(open_page(who=lead))


def test_the_later_of_two_leads_is_told_what_the_first_did_with_a_round_and_chooses(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    task = task_of(app_store, "tagging", "demo")
    team = open_page("5_Team.py", who=lead, section="hand-out")
    next(m for m in team.multiselect if m.label == "Given to").set_value([lead.id]).run()
    rounds.open_or_close_round(app_store, task, "demo", state="closed", by=None)
    # The button is pressed on what is still on the screen: an open round.
    pressed = next(b for b in team.button if b.label == "Assign to these people")
    pressed.click().run()
    assert not team.exception
    assert rounds.current_round_of_task(app_store, task, "demo").state == "closed"
    [told] = [w.value for w in team.warning if "changed this round" in w.value]
    assert "The command line has changed this round" in told
    assert "It is now: :material/lock: **Closed.**" in told
    assert "Yours: :material/lock_open: **Open** to Lena Lead" in told
    next(b for b in team.button if b.label == "Keep mine").click().run()
    now = rounds.current_round_of_task(app_store, task, "demo")
    assert (now.state, set(now.raters)) == ("open", {lead.id})
    assert not [w for w in team.warning if "changed this round" in w.value]


@all_demos
@pytest.mark.deep
def test_every_judging_page_has_the_choice_names_its_dataset_and_says_what_is_not_there(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    for study, page, view in DESKS:
        copied(app_store, study, "ours")
        shown = open_page(page, who=reviewer, **view)
        assert not shown.exception, study
        assert shown.query_params["dataset"] == "ours"
        assert set(choices(shown)) == {"ours", "demo"}
        shown.selectbox(key="line.study").set_value((study, "demo")).run()
        assert not shown.exception
        assert shown.query_params["dataset"] == "demo"
        lost = open_page(page, who=reviewer, dataset="gone", **view)
        assert not lost.exception
        assert "There is no dataset called gone here." in words(lost)
        assert "Back to Home" in [one.proto.label for one in lost.main.get("page_link")]
        assert "Home" in [one.proto.label for one in lost.sidebar.get("page_link")], study
        assert lost.query_params["dataset"] == "gone"
        assert not [*components(lost, "span_tagger"), *components(lost, "source_reader")]


@all_demos
def test_an_item_or_a_view_that_is_not_there_is_said(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    shown = open_page("1_Tag_errors.py", who=reviewer, dataset="demo", item="demo99")
    assert "demo99 is not among your items." in words(shown)
    shown = open_page("2_Read_transcripts.py", who=reviewer, view="Nothing")
    assert "This page has no view Nothing, and shows" in words(shown)


def test_an_import_that_nobody_is_given_says_where_a_lead_gives_it(
    app_store: Store,
) -> None:
    copied(app_store, "tagging", "first")
    copied(app_store, "tagging", "second")
    told = work_behind_commands._not_given(
        app_store, settings_store_and_runs_of_process.current_settings(), "items", "second"
    )
    assert told[0].startswith("Nobody is given anything of 'second' to judge until a lead opens")
    assert (
        work_behind_commands._not_given(
            app_store, settings_store_and_runs_of_process.current_settings(), "items", "first"
        )
        == ()
    )


def test_a_person_reads_what_a_lead_wrote_and_agrees_before_their_first_item(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    team = open_page("5_Team.py", who=lead, section="hand-out")
    answer(team, form_named="consent", text="# Consent\nWe keep **names**.")
    # The lead reads it as reviewers will, before it is saved.
    team.session_state["consent.preview"] = True
    team.run()
    assert "Consent" in words(team)
    answer(team, form_named="consent", submit=True)
    assert not team.exception
    assert [
        one.text for one in consent.list_consent_text_versions(app_store, "error_spans", "demo")
    ] == ["# Consent\nWe keep **names**."]
    home = open_page(who=reviewer)
    assert rows_at(home) == ["Tag errors: 20 left"]
    desk = open_page("1_Tag_errors.py", who=reviewer)
    assert not components(desk, "span_tagger")
    assert not app_store.rows("select 1 from assignment where rater = $r", r=reviewer.id)
    next(b for b in desk.button if b.label == "I have read this and agree").click().run()
    assert not desk.exception
    assert components(desk, "span_tagger")
    team = open_page("5_Team.py", who=lead, section="hand-out")
    [agreed] = [one.value for one in team.dataframe if "version" in one.value]
    assert agreed[["rater", "version"]].to_numpy().tolist() == [[reviewer.name, 1]]
    # Of two leads who change it at once, the later one reads the other's, and chooses.
    answer(team, form_named="consent", text="Mine.")
    other = raters.find_or_add_rater_by_name(app_store, "Lars Lead", role="lead")
    consent.write_consent_text(app_store, "error_spans", "demo", "Lars's.", by=other)
    answer(team, form_named="consent", submit=True)
    assert "Lars Lead wrote version 2 while you were writing" in words(team)
    assert "Lars's." in words(team)
    next(b for b in team.button if b.label == "Keep mine").click().run()
    texts = [
        one.text for one in consent.list_consent_text_versions(app_store, "error_spans", "demo")
    ]
    assert texts[1:] == ["Lars's.", "Mine."]


@all_demos
def test_every_desk_asks_for_what_people_have_to_agree_to(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    for study, page, view in DESKS:
        consent.write_consent_text(
            app_store, task_of(app_store, study, "demo").name, "demo", "Agree?", by=lead
        )
        desk = open_page(page, who=reviewer, **view)
        assert not desk.exception, study
        assert [b for b in desk.button if b.label == "I have read this and agree"]
        assert not app_store.rows("select 1 from assignment where rater = $r", r=reviewer.id)


def test_items_that_come_again_are_warned_of_where_answering_shows_something() -> None:
    two = [SimpleNamespace(), SimpleNamespace()]
    load: Any = SimpleNamespace(items=5, shares=two, without_people=0, without_items=0)
    again = HandOut(raters_per_item=1, again_share=0.1)

    def said(reveals: str, settings: HandOut) -> list[str]:
        work: Any = SimpleNamespace(task=SimpleNamespace(everyone=False, reveals=reveals))
        return list(team_task_settings._troubles(work, settings, load))

    [line] = said("who played", again)
    assert "can see who played once they have answered" in line
    assert said("", again) == said("who played", replace(again, again_share=0)) == []


@pytest.mark.deep
def test_a_lead_declares_a_fixed_panel_and_the_figures_say_so_at_once(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    def results() -> str:
        page = open_page("1_Tag_errors.py", who=lead, dataset="demo", view="Results")
        assert not page.exception
        return words(page)

    assert "a fixed panel" not in results()
    team = open_page("5_Team.py", who=lead, section="hand-out", dataset="demo")
    next(box for box in team.checkbox if "fixed panel" in box.label).check().run()
    assert not team.exception
    assert "These figures describe these 3 raters only, a fixed panel" in results()
    agreed = open_page("5_Team.py", who=lead, section="agreement", dataset="demo")
    assert not agreed.exception
    assert "describe these 3 raters only, a fixed panel" in words(agreed)
    team = open_page("5_Team.py", who=lead, section="hand-out", dataset="demo")
    next(box for box in team.checkbox if "fixed panel" in box.label).uncheck().run()
    assert "a fixed panel" not in results()
