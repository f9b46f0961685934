"""Home, sign-in, the team, and who may see what."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from medlens.app import work_behind_commands
from medlens.config import settings as files
from medlens.llm import runs
from medlens.review import (
    assignment,
    audit_log,
    changes_since_lead_visit,
    consensus,
    items,
    items_selected_to_hand_out,
    judging,
    practice,
    rater_and_item_subgroups,
    rater_exclusion,
    raters,
    rounds,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.hand_out_settings import (
    change_task_settings,
    hand_out_settings_in_force,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.stats.estimate import Estimate, format_number
from medlens.store import Store, new_id, utc_now
from medlens.studies.agentclinic import diagnosis_verdicts
from medlens.studies.agentclinic import queries as clinic
from medlens.studies.agentclinic.tasks import DiagnosisMatchTask
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.own import study_file
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.study_in_dataset import TaggingSettings, open_study
from medlens.studies.tagging.tasks import NAME as TAGGED
from medlens.ui import (
    home_headline_worker,
    page_frame,
    settings_store_and_runs_of_process,
    study_navigation,
    team,
    team_agreement,
    team_gold,
)
from medlens.ui.agentclinic import visit_start_and_existing_visits
from medlens.ui.home_team_tasks import share_done_in_percent
from medlens.ui.page_frame import escape_markdown
from medlens.ui.sourcecheckup import pair_sampling_form
from medlens.ui.team_task_settings import make_work_of_task_with_settings
from tests.pages.conftest import (
    OpenPage,
    all_demos,
    answer,
    component,
    form_of,
    line_control,
    links_of,
    mark_anew,
    marks_begun,
    words,
)
from tests.pages.test_rounds import copied

LEADS_ONLY = ["5_Team.py", "7_Data.py", "9_People_and_models.py"]
PAGES = ["app.py", "1_Tag_errors.py", *LEADS_ONLY]


def test_nobody_sees_a_page_before_saying_who_they_are(open_page: OpenPage) -> None:
    for page in PAGES:
        shown = open_page(page)
        assert not shown.exception, page
        assert "What is your name?" in words(shown)
        assert "Error tagging" not in words(shown)


def test_the_first_person_leads_and_the_second_reviews(
    open_page: OpenPage, app_store: Store
) -> None:
    for name in ("Ada", "Grace"):
        page = open_page()
        page.text_input(key="sign_in.name").input(name)
        page.button[-1].click().run()
        assert not page.exception
        assert f"Good to see you, {name}" in words(page)
    roles = {r.name: r.role for r in raters.list_local_people(app_store)}
    assert roles == {"Ada": "lead", "Grace": "reviewer"}


def test_start_pressed_again_when_the_person_is_in_does_nothing(
    app_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The field has gone with the page that asked for a name.
    monkeypatch.setattr(st, "session_state", {})
    page_frame._add(app_store, files.Settings(), invited=False, accepts=True)
    assert not raters.list_local_people(app_store)


def test_what_is_pressed_again_when_its_fields_have_gone_does_nothing(
    app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_store_and_runs_of_process.current_settings()
    here = page_frame.Here(app_store, settings, lead)
    study = STUDIES["sourcecheckup"].open(app_store, settings, "demo")
    work = make_work_of_task_with_settings(here, study.support, "demo", study)
    monkeypatch.setattr(st, "session_state", {})
    visit_start_and_existing_visits._start(
        here, STUDIES["agentclinic"].open(app_store, settings, "demo")
    )
    pair_sampling_form._draw(here, study, pair_sampling_form.Filters())
    team_gold._set_practice_rules(here, work)
    assert not st.session_state


def test_a_name_of_nothing_is_refused_in_words(open_page: OpenPage) -> None:
    page = open_page()
    page.text_input(key="sign_in.name").input("   ")
    page.button[-1].click().run()
    assert "The name is empty." in words(page)


def test_a_hostile_name_is_shown_as_it_is(open_page: OpenPage, app_store: Store) -> None:
    rater = raters.find_or_add_rater_by_name(
        app_store, "**Bold** <b>x</b> :red[y] $z$ [l](http://x)"
    )
    page = open_page(who=rater)
    assert not page.exception
    [title] = page.title
    assert "\\*\\*Bold\\*\\* \\<b\\>" in title.value


def test_home_shows_my_work_and_leads_the_teams(
    open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    mine = open_page(who=reviewer)
    assert "Tag errors: 20 left" in words(mine)
    assert "Needs you" not in words(mine)
    # The one thing to do next is the one button that stands out.
    assert [one.proto.type for one in mine.main.button] == ["primary"]
    theirs = open_page(who=lead)
    assert "Needs you" in words(theirs)
    assert "Studies" in words(theirs)


def links_at(page: AppTest) -> dict[str, str]:
    """The links of a page, their addresses by their labels."""
    return {one.proto.label: one.proto.query_string for one in page.get("page_link")}


def drawn_at(page: AppTest) -> str:
    """What a page draws as HTML of its own."""
    return "".join(one.proto.body for one in page.get("html"))


@pytest.mark.deep
@all_demos
def test_what_needs_a_lead_is_one_press_away(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task
    item = assignment.give_next_item_and_return_id(
        app_store, task, HandOut(), dataset="demo", rater=reviewer.id
    )
    flagged = {"item": item, "rater": reviewer.id, "kind": "flag", "reason": "No answer."}
    assignment.record_opened_skipped_or_flagged(app_store, task, HandOut(), **flagged)
    tomorrow = (utc_now() + timedelta(days=1)).date().isoformat()
    change_task_settings(app_store, task.name, "demo", {"deadline": tomorrow}, by=lead)
    links = links_at(open_page(who=lead))
    [flag] = [label for label in links if label.startswith("1 flag or question in Tag errors")]
    assert "section=flags" in links[flag]
    [due] = [label for label in links if label.startswith("Due ") and "(tomorrow)" in label]
    assert "60 of 72 done" in due
    [settle] = [label for label in links if "to settle in Tag errors" in label]
    assert "section=disagreements" in links[settle]
    # Whoever waits for an answer comes first.
    assert list(links).index(flag) < list(links).index(due) < list(links).index(settle)


def test_a_run_that_broke_off_is_named_until_the_same_models_are_run_again(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    def run(model: str, ended: runs.EventKind, *, cap: float) -> None:
        made = runs.open_or_resume_run_and_return_id(
            app_store,
            study="tagging",
            kind="tag",
            config={"models": [model], "dataset": "demo", "cap": cap},
            made_by=lead.id,
        )
        app_store.append("run_event", runs.make_run_event_row(made, ended, {"total": 5}))

    def named() -> int:
        return sum(one.startswith("Run stopped") for one in links_at(open_page(who=lead)))

    run("judge-a", "stopped", cap=1)
    assert named() == 1
    # Another model's run says nothing of this one.
    run("judge-b", "finished", cap=1)
    assert named() == 1
    run("judge-a", "finished", cap=2)
    assert named() == 0


@all_demos
@pytest.mark.deep
def test_people_whom_no_open_round_is_given_to_are_named(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    assert not [one for one in links_at(open_page(who=lead)) if "nothing to judge" in one]
    for study in STUDIES.values():
        for task in study.tasks(
            study.open(app_store, settings_store_and_runs_of_process.current_settings(), "")
        ):
            if rounds.datasets_of_task(app_store, task):
                rounds.open_or_close_round(
                    app_store, task, "demo", state="open", raters=[lead.id], by=lead
                )
    [idle] = [one for one in links_at(open_page(who=lead)) if "nothing to judge" in one]
    assert idle == f"1 person has nothing to judge: {reviewer.name}"


@all_demos
@pytest.mark.deep
def test_home_shows_a_lead_the_headline_figures_of_every_study(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    first = open_page(who=lead)
    assert "The headline figure is being calculated." in words(first)
    home_headline_worker.headline_worker_of_process().wait_until_all_computed()
    page = open_page(who=lead)
    assert "being calculated" not in words(page)
    told = html.unescape(drawn_at(page))
    for declared in STUDIES.values():
        if declared.figures is None or not items.datasets_of_study(app_store, declared.name):
            continue
        study = declared.open(app_store, settings_store_and_runs_of_process.current_settings(), "")
        data = declared.figures.look(app_store, study, lead, {})
        shown = declared.figures.list_headline_values(data)
        assert shown, declared.name
        for one in shown:
            if one.title == shown[0].title:
                assert format_number(one.estimate.value, one.form) in told
    assert "95% interval 51% to 73%; n = 86" in told
    assert "demo-a with demo-a as the patient, 20 messages" in told
    assert "published: 64% (191 responses)" in told
    assert "fair, alpha 0.41" in told
    assert "published" not in drawn_at(open_page(who=reviewer))
    # A row opens as a whole, on what its figure was drawn from.
    assert "dataset=demo" in links_at(page)["**Error tagging**"]
    assert "view=Results" in links_at(page)["**Error tagging**"]


def test_home_shows_a_lead_who_is_judging_no_figures_of_what_they_judge(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task
    untold = "Not shown while you still have items to judge here."
    open_page(who=lead)
    home_headline_worker.headline_worker_of_process().wait_until_all_computed()
    page = open_page(who=lead)
    assert untold not in words(page)
    assert 'class="mlh-figure"' in drawn_at(page)
    item = assignment.give_next_item_and_return_id(
        app_store, task, HandOut(), dataset="demo", rater=lead.id
    )
    # Who has only looked at an item has judged nothing.
    assert untold not in words(open_page(who=lead))
    quote = items.item_body(app_store, item)["response"][:3]
    mark = ErrorSpan(start=0, end=3, quote=quote, labels=("reasonable_response",))
    body = ErrorSpans(spans=(mark,)).model_dump(mode="json")
    judging.submit_judgment(app_store, task, item=item, rater=lead.id, token=new_id(), body=body)
    open_page(who=lead)
    home_headline_worker.headline_worker_of_process().wait_until_all_computed()
    page = open_page(who=lead)
    assert untold in words(page)
    assert 'class="mlh-figure"' not in drawn_at(page)


@pytest.mark.deep
def test_home_says_that_headline_figures_could_not_be_worked_out(
    open_page: OpenPage, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    declared = STUDIES["tagging"]
    assert declared.figures is not None
    failing = replace(declared, figures=replace(declared.figures, look=fail))
    monkeypatch.setitem(STUDIES, "tagging", failing)
    open_page(who=lead)
    home_headline_worker.headline_worker_of_process().wait_until_all_computed()
    assert "The headline figure could not be calculated." in words(open_page(who=lead))


@all_demos
def test_home_shows_what_waits_for_me_in_every_study(
    open_page: OpenPage, reviewer: Rater, app_store: Store
) -> None:
    quest = study_file.path_of_template("quest")
    work_behind_commands.declare_study_and_return_report_text(
        app_store, study_file.read_study_file_text_and_declaration(quest)[0], quest.name
    )
    items = quest.with_suffix(".csv")
    work_behind_commands.import_file(
        app_store,
        settings_store_and_runs_of_process.current_settings(),
        "own-items",
        items,
        name=items.name,
        dataset="quest",
    )
    mine = open_page(who=reviewer)
    assert not mine.exception
    offered = {key.split(".")[1] for b in mine.button if (key := b.key or "")[:5] == "work."}
    declared = {name for one in STUDIES.values() for name in one.views}
    assert offered == declared
    asked = {
        task.name
        for declared in STUDIES.values()
        for task in declared.tasks(
            declared.open(app_store, settings_store_and_runs_of_process.current_settings(), "")
        )
    }
    assert declared == asked


@all_demos
def test_a_lead_sees_at_home_how_far_every_task_is_and_what_waits(
    open_page: OpenPage, lead: Rater, reviewer: Rater, app_store: Store
) -> None:
    [tag] = STUDIES["tagging"].tasks(
        open_study(app_store, settings_store_and_runs_of_process.current_settings(), "demo")
    )
    item = assignment.give_next_item_and_return_id(
        app_store, tag, HandOut(), dataset="demo", rater=reviewer.id
    )
    flagged = {"item": item, "rater": reviewer.id, "kind": "flag", "reason": "No answer."}
    assignment.record_opened_skipped_or_flagged(app_store, tag, HandOut(), **flagged)
    shown = open_page(who=lead)
    assert not shown.exception
    assert not shown.dataframe
    shown.session_state["home.tasks"] = True
    shown.run()
    table = next(one.value for one in shown.dataframe if "to settle" in one.value)
    by_task = table.set_index("task")
    # 60 judgments of 24 responses, of each of which three are wanted; none has four.
    tagging = by_task.loc["Error tagging: Tag errors"]
    told = tagging[["done", "items", "people", "judgments", "flagged"]]
    assert told.tolist() == [83, 24, 3, 60, 1]
    assert by_task.loc["EBMQA: Answer the questionnaire", "done"] == 100
    assert by_task["to settle"].isna().tolist() == [
        not task.word_in
        for declared in STUDIES.values()
        for task in declared.tasks(
            declared.open(app_store, settings_store_and_runs_of_process.current_settings(), "")
        )
        if declared.name != "own"
    ]


@pytest.mark.parametrize("page", LEADS_ONLY)
def test_a_reviewer_is_turned_away_from_the_leads_pages(
    open_page: OpenPage, reviewer: Rater, page: str
) -> None:
    shown = open_page(page, who=reviewer)
    assert not shown.exception
    assert "This is for team leads" in words(shown)
    assert "Back to Home" in words(shown) or "Back to Home" in links_at(shown)
    assert len(shown.dataframe) == 0


def test_a_reviewer_who_asks_for_the_results_gets_the_desk(
    open_page: OpenPage, reviewer: Rater
) -> None:
    shown = open_page("1_Tag_errors.py", who=reviewer, view="Results")
    assert not shown.exception
    assert len(shown.dataframe) == 0
    assert "Demo rater" not in words(shown)


def test_the_team_page_opens_with_what_waits_for_the_lead_and_leads_there(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    study = open_study(app_store, settings_store_and_runs_of_process.current_settings())
    item = assignment.give_next_item_and_return_id(
        app_store, study.task, study.settings, dataset="demo", rater=reviewer.id
    )
    assert item is not None
    assignment.record_opened_skipped_or_flagged(
        app_store,
        study.task,
        study.settings,
        item=item,
        rater=reviewer.id,
        kind="flag",
        reason="The key is wrong.",
    )
    page = open_page("5_Team.py", who=lead)
    assert not page.exception
    links = {one.proto.label: one.proto.query_string for one in page.get("page_link")}
    assert "section=flags" in links["1 flag or question to answer"]
    [to_settle] = [one for one in links if one.endswith("to settle")]
    page = open_page("5_Team.py", who=lead, section="flags")
    [flagged] = [frame.value for frame in page.dataframe]
    assert flagged["says"].tolist() == ["The key is wrong."]
    page = open_page("5_Team.py", who=lead, section="disagreements")
    assert len(page.dataframe[0].value) == int(to_settle.split()[0])


@pytest.mark.deep
def test_every_section_of_team_is_a_link_and_draws_itself_alone(
    open_page: OpenPage, lead: Rater
) -> None:
    drawn = {}
    for name in team.SECTIONS:
        page = open_page("5_Team.py", who=lead, section=name)
        assert not page.exception
        # The rail marks it, and nothing else; on a phone the menu names it.
        marked = {one.key: one.value for one in page.button_group if one.key.startswith("rail.")}
        groups = {one.group for one in team.SECTIONS.values()}
        assert marked == dict.fromkeys(f"rail.{one}" for one in groups) | {
            f"rail.{team.SECTIONS[name].group}": name
        }
        assert page.selectbox(key="rail.menu").value == name
        drawn[name] = {one.value for one in page.header}
    assert drawn["overview"] == {"Progress", "Waiting for you"}
    for name, of_it in drawn.items():
        others = set().union(*(had for other, had in drawn.items() if other != name))
        assert of_it
        assert not of_it & others
    page.button_group(key="rail.Set up").set_value("gold").run()
    assert page.query_params["section"] == "gold"
    page.selectbox(key="rail.menu").set_value("hand-out").run()
    assert page.query_params["section"] == "hand-out"
    # A press on what is open leaves it open.
    page.button_group(key="rail.Set up").set_value(None).run()
    assert page.button_group(key="rail.Set up").value == "hand-out"
    # What one section reads in the address leads to it, and does not go along to the next.
    page = open_page("5_Team.py", who=lead, whose="nobody")
    assert page.button_group(key="rail.Progress").value == "raters"
    page.button_group(key="rail.Progress").set_value("overview").run()
    assert set(page.query_params) == {"task", "dataset"}


@all_demos
@pytest.mark.deep
def test_every_section_of_a_study_leads_to_every_other(open_page: OpenPage, lead: Rater) -> None:
    for name in ("tagging", "agentclinic", "sourcecheckup", "ebmqa"):
        declared = STUDIES[name]
        [*_, dataset] = [
            row["dataset"]
            for row in items.datasets_of_study(
                settings_store_and_runs_of_process.store_of_process(), name
            )
        ]
        places = study_navigation.page_and_query_by_section_of_study(declared, dataset)
        assert list(places) == list(study_navigation.SECTIONS)
        for section, place in places.items():
            page = open_page(Path(place.page).name, who=lead, **place.query)
            assert not page.exception
            assert not page.warning
            control = line_control(page, "section")
            assert (control.value, control.options) == (
                section,
                [*study_navigation.SECTIONS.values()],
            )
            assert page.selectbox(key="line.study").value == (name, dataset)


@pytest.mark.deep
@all_demos
def test_a_press_in_the_line_opens_the_section(open_page: OpenPage, lead: Rater) -> None:
    page = open_page("2_Read_transcripts.py", who=lead, view="Cases")
    assert line_control(page, "section").value == "browse"
    assert line_control(page, "view").options == ["Dialogues", "Cases"]
    line_control(page, "section").set_value("results").run()
    assert page.query_params["view"] == "Results"
    assert line_control(page, "section").value == "results"
    # A press on what is open leads to its beginning.
    line_control(page, "section").set_value("judge").run()
    line_control(page, "view").set_value("Play").run()
    assert page.query_params["view"] == "Play"
    line_control(page, "section").set_value(None).run()
    assert page.query_params["view"] == "Rate dialogues"
    line_control(page, "section").set_value("team").run()
    assert [one.value for one in page.title] == ["Team"]
    assert page.query_params["task"] == "dialogue_realism"


@pytest.mark.deep
@all_demos
def test_the_switcher_leads_to_the_same_place_in_another_study(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, task="error_spans", section="agreement")
    page.selectbox(key="line.study").set_value(("sourcecheckup", "demo")).run()
    assert page.query_params["section"] == "agreement"
    assert page.query_params["task"] == "source_support"
    assert page.selectbox(key="rail.menu").value == "agreement"
    page = open_page("3_Verify_sources.py", who=lead, view="Results")
    page.selectbox(key="line.study").set_value(("ebmqa", "demo")).run()
    assert not page.exception
    assert line_control(page, "section").value == "results"
    assert page.selectbox(key="line.study").value == ("ebmqa", "demo")


@all_demos
def test_a_reviewers_line_has_only_what_they_may_open(
    open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    for name in ("tagging", "agentclinic", "sourcecheckup"):
        page = open_page(Path(STUDIES[name].page).name, who=reviewer)
        assert not page.exception
        # Judging is all: there is no choice of section, nor another study's name.
        assert not [one for one in page.button_group if str(one.key).startswith("line.section")]
        offered = [one for box in page.selectbox if box.key == "line.study" for one in box.value]
        assert not offered or offered[0] == name


@pytest.mark.deep
@all_demos
def test_a_desk_is_titled_as_its_task_is_called_in_the_menu_and_in_invitations(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    for study in ("tagging", "agentclinic", "sourcecheckup"):
        declared = STUDIES[study]
        opened = declared.open(
            app_store, settings_store_and_runs_of_process.current_settings(), "demo"
        )
        for task in declared.tasks(opened):
            place = declared.views[task.name]
            page = open_page(Path(declared.page).name, who=reviewer, dataset="demo", **place)
            assert f"**{task.title} · demo**" in [one.value for one in page.markdown], task.name


@all_demos
def test_a_section_that_a_task_has_no_use_for_says_so(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    page = open_page("5_Team.py", who=lead, task="dialogue_realism", section="disagreements")
    assert not page.exception
    assert "nothing needs settling" in words(page)
    page = open_page("5_Team.py", who=lead, task="dialogue_realism")
    helps = [one.help for one in page.metric if one.label == "Disagreement"]
    assert helps == ["People who judged them disagree; here nothing needs settling"]


def test_a_task_without_items_says_what_is_missing_and_is_not_done(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    # Cases without dialogues: there is nothing to rate yet.
    new = [items.NewItem("one", {"case": "one"})]
    items.add_items(app_store, new, study="agentclinic", kind="case", dataset="ward")
    where = {"task": "dialogue_realism", "dataset": "ward"}
    page = open_page("5_Team.py", who=lead, **where)
    assert "Nothing can be judged yet: the dataset has no dialogue." in words(page)
    assert not page.metric
    page = open_page("5_Team.py", who=lead, section="hand-out", **where)
    assert "This task has no items here: nothing will be handed out." in words(page)
    assert "**No items** for this task are in the dataset yet" in words(page)


def test_a_lead_changes_how_items_are_handed_out(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="hand-out")
    answer(page, form_named="settings", items_per_rater="7")
    assert hand_out_settings_in_force(app_store, TAGGED, "demo", HandOut()).items_per_rater == 20
    # A draft until it is saved, in another browser too; what cannot be is refused in words.
    again = open_page("5_Team.py", who=lead, section="hand-out")
    assert form_of(again, "settings")["values"]["items_per_rater"] == "7"
    answer(again, form_named="settings", gold_share="some", submit=True)
    assert "Share of gold items: enter a number from 0 to 0.5." in words(again)
    assert not again.toast
    answer(again, form_named="settings", gold_share="0,1", submit=True)
    assert [one.value for one in again.toast] == ["Saved."]
    assert hand_out_settings_in_force(app_store, TAGGED, "demo", HandOut()).items_per_rater == 7
    kept = form_of(open_page("5_Team.py", who=lead, section="hand-out"), "settings")
    assert (kept["values"]["items_per_rater"], kept["saved_at"]) == ("7", "")


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("choice", "kept", "shown"),
    [("Keep mine", (2, 7), (2, 7)), ("Use theirs", (3, 7), (3, 7))],
)
def test_the_later_of_two_leads_is_told_what_was_saved_meanwhile_and_chooses(
    open_page: OpenPage,
    app_store: Store,
    lead: Rater,
    choice: str,
    kept: tuple[int, int],
    shown: tuple[int, int],
) -> None:
    def held() -> tuple[int, int]:
        now = hand_out_settings_in_force(app_store, TAGGED, "demo", HandOut())
        return now.raters_per_item, now.items_per_rater

    other = raters.find_or_add_rater_by_name(app_store, "Olga Other", role="lead")
    first, second = (
        open_page("5_Team.py", who=lead, section="hand-out"),
        open_page("5_Team.py", who=other, section="hand-out"),
    )
    answer(second, form_named="settings", items_per_rater="7", submit=True)
    answer(first, form_named="settings", raters_per_item="2", submit=True)
    assert held() == (3, 7)
    assert "Olga Other has saved changes since you opened this." in words(first)
    assert "Items per rater: 20 was changed to 7" in words(first)
    next(b for b in first.button if b.label == choice).click().run()
    assert not first.exception
    assert held() == kept
    values = form_of(first, "settings")["values"]
    assert (int(values["raters_per_item"]), int(values["items_per_rater"])) == shown
    assert "has saved changes" not in words(first)


def set_gold(page: AppTest, name: str, **said: str) -> None:
    page.selectbox(key="gold.name").set_value(name).run()
    answer(page, form_named="gold", **said, submit=True)


@pytest.mark.deep
def test_a_lead_makes_an_item_gold_and_undoes_it(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="gold")
    assert "demo24" in page.selectbox(key="gold.name").options
    page.selectbox(key="gold.name").set_value("demo05").run()
    answer(page, form_named="gold", labels='["hallucination_of_information"]')
    # A draft until it is saved, and gone then.
    page = open_page("5_Team.py", who=lead, section="gold")
    assert form_of(page, "gold")["values"]["name"] == "demo05"
    answer(page, form_named="gold", submit=True)
    assert app_store.rows("select count(*) from gold_now") == [(3,)]
    assert form_of(page, "gold")["values"] == {}
    assert page.selectbox(key="gold.name").value is None
    set_gold(page, "demo05", use="practice", why="Read.")
    [(body,)] = app_store.rows("select body from gold_now order by seq desc limit 1")
    assert json.loads(body) == {"labels": ["hallucination_of_information"], "@practice": "Read."}
    page = open_page("5_Team.py", who=lead, section="gold")
    for name, value in (("attempts", 3), ("mark", 1)):
        page.number_input(key=f"practice.{name}").set_value(value).run()
    assert practice.practice_rules_of_round(app_store, "error_spans", "demo") == practice.Rules(
        mark=1, attempts=3
    )
    set_gold(page, "demo05", use="neither")
    assert app_store.rows("select count(*) from gold_now") == [(2,)]
    set_gold(page, "demo05")
    assert "A gold item needs an expected answer." in words(page)
    set_gold(page, "demo05", use="neither")
    assert "demo05 is not a gold item: it has no expected answer." in words(page)
    page.selectbox(key="gold.name").set_value(None).run()
    answer(page, form_named="gold", submit=True)
    assert "Choose the item." in words(page)


@pytest.mark.deep
def test_a_lead_is_asked_before_they_replace_another_leads_expected_answer(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    other = raters.find_or_add_rater_by_name(app_store, "Lars Lead", role="lead")
    task = open_study(app_store, files.Settings(), "demo").task
    [item] = items.item_ids_by_name(app_store, "tagging", "demo", ["demo05"]).values()
    theirs = {"labels": ["hallucination_of_information"]}
    consensus.set_or_unset_gold_item(
        app_store, task, item=item, expected=theirs, active=True, by=other
    )

    def expected() -> list[str]:
        key = consensus.gold_items_table(app_store, task, dataset="demo", viewer=lead).set_index(
            "item"
        )
        return [key.loc["demo05", "by"], *key.loc["demo05", "expected"]["labels"]]

    page = open_page("5_Team.py", who=lead, section="gold")
    mine = '["unsupported_medical_claim"]'
    set_gold(page, "demo05", labels=mine)
    told = "Lars Lead has made demo05 a gold item, expecting: Hallucination of information."
    assert told in words(page)
    assert expected() == ["Lars Lead", "hallucination_of_information"]
    answer(page, form_named="gold", submit=True)
    assert expected() == ["Lena Lead", "unsupported_medical_claim"]


def test_what_is_judged_beside_a_demos_own_raters_is_not_called_more_than_wanted(
    open_page: OpenPage, app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[object, ...]] = []
    judged = work_progress_and_pace_by_item_and_rater.have_demo_raters_judged
    monkeypatch.setattr(
        work_progress_and_pace_by_item_and_rater,
        "have_demo_raters_judged",
        lambda *given: asked.append(given) or judged(*given),
    )
    change_task_settings(app_store, TAGGED, "demo", {"raters_per_item": 1}, by=lead)
    page = open_page("5_Team.py", who=lead, task=TAGGED, dataset="demo")
    [bar] = page.get("progress")
    assert bar.proto.text.endswith("judgments (1 per response)")
    assert "The judgments of the demo's own raters are among these." in words(page)
    # It is asked once as long as the data are the same.
    open_page("5_Team.py", who=lead, task=TAGGED, dataset="demo")
    assert len(asked) == 1


@pytest.mark.deep
@all_demos
def test_every_studys_tasks_have_their_progress_settings_and_gold_on_the_team_page(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, task="diagnosis_match")
    assert not page.exception
    # Only dialogues that ended with a diagnosis can be checked, each two diagnoses once, by three.
    pool = next(iter(page.get("progress"))).proto.text
    dialogues = clinic.list_dialogues_with_ids_and_names(app_store, "demo")
    given = sum(bool(one.diagnosis) for *_, one in dialogues)
    asked = given - len(diagnosis_verdicts.ids_of_dialogues_not_asked_about(app_store, "demo"))
    assert 0 < asked < given < len(dialogues)
    assert f"of {3 * asked} judgments (3 per dialogue)" in pool
    page = open_page("5_Team.py", who=lead, task="diagnosis_match", section="hand-out")
    answer(page, form_named="settings", raters_per_item="2", seed="7", submit=True)
    defaults = HandOut()
    chosen = hand_out_settings_in_force(app_store, "diagnosis_match", "demo", defaults)
    assert (chosen.raters_per_item, chosen.seed) == (2, 7)
    assert hand_out_settings_in_force(app_store, "dialogue_realism", "demo", defaults) == defaults

    judged = consensus.current_judgments(
        app_store, DiagnosisMatchTask(), dataset="demo", viewer=lead
    )
    one = judged.iloc[0]
    page = open_page("5_Team.py", who=lead, task="diagnosis_match", section="gold")
    set_gold(page, one["item"], whose=one["rater"])
    key = consensus.gold_items_table(app_store, DiagnosisMatchTask(), dataset="demo", viewer=lead)
    assert key["expected"].tolist() == [{"same": one["value"].same}]


@all_demos
def test_the_overview_counts_items_by_state_and_everyones_work_in_every_task(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [task] = [
        one
        for one in STUDIES["sourcecheckup"].tasks(
            STUDIES["sourcecheckup"].open(app_store, files.Settings(), "demo")
        )
        if one.name == "question_quality"
    ]
    how = HandOut(gold_share=0.0)
    item = assignment.give_next_item_and_return_id(
        app_store, task, how, dataset="demo", rater=reviewer.id
    )
    assert item
    page = open_page("5_Team.py", who=lead, task=task.name)
    # Two doctors judged all five questions; the reviewer has one of them in hand.
    told = {one.label: one.value for one in page.metric}
    states = {name: told[name] for name in ("Not started", "In progress", "With 2 judgments")}
    assert states == {"Not started": "0", "In progress": "1", "With 2 judgments": "4"}
    assert "Disagreement" in told
    assert "Settled" not in told  # nothing rests on one answer per question
    body = {"answer": "yes", "reason": ""}
    judging.submit_judgment(app_store, task, item=item, rater=reviewer.id, token="t", body=body)
    page.session_state["team.matrix.open"] = True
    page.run()
    assert {one.label: one.value for one in page.metric}["In progress"] == "0"
    table = page.dataframe[-1].value.set_index("rater")
    assert table.loc[reviewer.name, "SourceCheckup: Check questions"] == "1"
    assert table.loc[reviewer.name].tolist().count("") == len(table.columns) - 1
    assert table.loc["Demo rater A", "Error tagging: Tag errors"] == "20"


@pytest.mark.deep
@all_demos
def test_a_lead_who_makes_their_own_answer_the_key_is_taken_to_the_item(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    task = QuestionnaireTask()
    [(item, name)] = app_store.rows(
        "select id, name from item where kind = 'ebmqa_question' order by seq limit 1"
    )
    page = open_page("5_Team.py", who=lead, task=task.name, section="gold")
    said = {"name": name, "whose": " mine", "use": "practice", "why": "So it is."}
    set_gold(page, **said)
    assert f"Answer **{name}** at the desk" in words(page)
    assert form_of(page, "gold")["values"] == said
    assert app_store.rows("select count(*) from gold_now where task = 'ebmqa_answer'") == [(0,)]
    # What they entered is still there when they come back, be it in another browser.
    page = open_page("5_Team.py", who=lead, task=task.name, section="gold")
    assert f"Answer **{name}** at the desk" in words(page)
    assert form_of(page, "gold")["values"] == said
    body = {"answer": [0]}
    judging.submit_judgment(app_store, task, item=item, rater=lead.id, token="t", body=body)
    page = open_page("5_Team.py", who=lead, task=task.name, section="gold")
    assert f"You have answered **{name}**" in words(page)
    assert "Answer it" not in links_of(page)
    answer(page, form_named="gold", submit=True)
    assert form_of(page, "gold")["values"] == {}
    key = consensus.gold_items_table(app_store, task, dataset="demo", viewer=lead)
    assert (key["expected"].tolist(), key["practice"].tolist()) == (
        [{"answer": "1"}],
        ["So it is."],
    )
    # Nobody tells them that their own answer was expected, and nobody counts it as practised.
    assert practice.practice_standings_by_rater(app_store, task, dataset="demo", viewer=lead) == {}
    assert "Practice" not in words(open_page("4_Explore_EBMQA.py", who=lead, dataset="demo"))
    # The file knows what is right, too.
    set_gold(page, name, whose=" known")
    key = consensus.gold_items_table(app_store, task, dataset="demo", viewer=lead)
    assert key["expected"].tolist() == [task.read_gold_from_data(app_store, item)]
    assert key["practice"].tolist() == ["So it is."]


def test_a_lead_sees_who_agrees_with_whom_and_the_items_on_which_two_differ(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task
    judged = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
    label = "unsupported_medical_claim"
    given = {
        (item, rater): task.values_compared_for_agreement(value)[label]
        for item, rater, value in zip(judged["item"], judged["rater"], judged["value"], strict=True)
    }
    both = [
        item for item, who in given if who == "Demo rater A" and (item, "Demo rater B") in given
    ]
    apart = [one for one in both if len({given[one, f"Demo rater {who}"] for who in "AB"}) == 2]
    page = open_page(
        "5_Team.py", who=lead, about=label, pair="Demo rater A|Demo rater B", item=apart[0]
    )
    assert not page.exception
    tables = [one.value for one in page.dataframe]
    [together] = [one for one in tables if "measure (people only)" in one]
    assert together["measure (people only)"].tolist()[1:] == [
        "Krippendorff's alpha",
        "Fleiss' kappa",
        "Gwet's AC1",
        "Alpha on all labels (MASI)",
        "Span F1",
    ]
    figures = STUDIES["tagging"].exports["figures"][1]
    table = figures(app_store, open_study(app_store, files.Settings(), "demo"), viewer=lead)
    for name, group in (("alpha_label_sets", "masi"), ("span_f1_overlap", "same label")):
        [value] = table["value"][(table["figure"] == name) & (table["group"] == group)]
        assert value in together["value"].tolist()
    yes = sum(value for (_, who), value in given.items())
    share = yes / len(given)
    said = f"100% of the items have two answers or more. Answers given: no ({1 - share:.0%})"
    assert f"{said}, yes ({share:.0%})." in words(page)
    [differing] = [one for one in tables if "Demo rater A" in one]
    assert differing["item"].tolist() == apart
    assert set(differing["Demo rater A"]) <= {"yes", "no"}
    assert f"They differ on {len(apart)} of {len(both)} items." in words(page)
    [link] = [one for one in page.get("page_link") if apart[0] in one.proto.label]
    assert "dataset=demo" in link.proto.query_string


def queries_of_links(page: AppTest, words: str) -> list[str]:
    """The queries of the links whose label has these words."""
    links = page.get("page_link")
    return [one.proto.query_string for one in links if words in one.proto.label]


def test_agreement_answers_first_how_far_people_agree_and_what_lowers_it(
    open_page: OpenPage, lead: Rater
) -> None:
    told = words(open_page("5_Team.py", who=lead, section="agreement"))
    assert (
        "**Fair agreement** on whole answers: two people who judge an item agree on all of it"
        " 26% of the time; alpha 0.41, 95% interval " in told
    )
    assert "n = 24, for these 3 raters" in told
    # The study's own figures count agreement in another way: each page leads to the other.
    [there] = queries_of_links(
        open_page("5_Team.py", who=lead, section="agreement"), "Results › Agreement"
    )
    assert there == "view=Results&dataset=demo&section=agreement"
    results = open_page("1_Tag_errors.py", who=lead, view="Results", section="agreement")
    [back] = queries_of_links(results, "Team › Agreement")
    assert back == "task=error_spans&dataset=demo&section=agreement"
    assert "Lowest on Incorrect or vague conclusion (−0.05), " in told


def test_agreement_opens_on_the_label_that_people_gave_most(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task
    judged = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
    people = judged[judged["rater_kind"] == "person"]["value"]
    given = Counter(
        name
        for one in people
        for name, said in task.values_compared_for_agreement(one).items()
        if said
    )
    [(most, _)] = given.most_common(1)
    page = open_page("5_Team.py", who=lead, section="agreement")
    shown = page.selectbox(key="figures.about")
    assert shown.value == most
    assert shown.options[0] != shown.format_func(most)


def keys_of_blocks(block: Any) -> str:
    """What the containers in a block are, in the messages that draw them."""
    inner = [one for one in block.children.values() if hasattr(one, "children")]
    return "\n".join(f"{one.proto}{keys_of_blocks(one)}" for one in inner)


@pytest.mark.deep
def test_many_raters_are_a_map_of_cells_in_the_order_of_their_agreement(
    open_page: OpenPage, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    def drawn(page: AppTest) -> dict[str, Any]:
        [heat] = page.get("plotly_chart")
        figure: dict[str, Any] = json.loads(heat.proto.spec)
        return figure

    asked = {"section": "agreement", "about": "hallucination_of_information"}
    page = open_page("5_Team.py", who=lead, **asked)
    few = drawn(page)
    assert "%" in "".join(few["data"][0]["text"])
    assert "wide_chart_agreement" not in keys_of_blocks(page.main)
    monkeypatch.setattr(team_agreement, "_WORDED", 1)
    page = open_page("5_Team.py", who=lead, **asked)
    many = drawn(page)
    assert set(many["data"][0]["text"]) == {""}
    # In a box that a phone scrolls sideways, so that a cell is as wide as a finger needs.
    assert "wide_chart_agreement" in keys_of_blocks(page.main)
    assert len(many["layout"]["annotations"]) == len(few["layout"]["annotations"])


def test_among_many_raters_who_agrees_least_with_the_others_comes_first() -> None:
    def alike(value: float | None) -> Estimate:
        return (
            Estimate.undefined_estimate("none")
            if value is None
            else Estimate(value, None, None, 9, "")
        )

    # a: (.9 + .5) / 2 = .7; b: (.9 + .1) / 2 = .5; c: (.5 + .1) / 2 = .3; d shares nothing.
    of = {
        frozenset("ab"): alike(0.9),
        frozenset("ac"): alike(0.5),
        frozenset("bc"): alike(0.1),
        **{frozenset(("d", one)): alike(None) for one in "abc"},
    }
    assert team_agreement._from_least_agreement(["d", "a", "b", "c"], of) == ["c", "b", "a", "d"]


@pytest.mark.deep
def test_whole_answers_of_a_large_task_are_compared_once_somebody_asks(
    open_page: OpenPage, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measures(page: AppTest) -> list[str]:
        tables = [one.value for one in page.dataframe if "measure (people only)" in one.value]
        return [title for table in tables for title in table["measure (people only)"]]

    small = measures(open_page("5_Team.py", who=lead, section="agreement"))
    assert "Span F1" in small
    monkeypatch.setattr(team_agreement, "_MOST_COMPARED", 1)
    page = open_page("5_Team.py", who=lead, section="agreement")
    assert measures(page) == ["Same answer", "Krippendorff's alpha", "Fleiss' kappa", "Gwet's AC1"]
    # The answer at the top is about the chosen label alone, and has the table's numbers.
    [table] = [one.value for one in page.dataframe if "measure (people only)" in one.value]
    same, alpha = table["value"][:2]
    assert (
        f" give the same answer {same:.0%} of the time; alpha {format_number(alpha)}, 95% "
        in words(page)
    )
    assert "Agreement on whole answers" in [one.label for one in page.expander]
    page.session_state["agreement.wholes"] = True
    page.run()
    assert sorted(measures(page)) == sorted(small)


def alpha_items(page: AppTest) -> int:
    """The items that Krippendorff's alpha says it rests on."""
    [together] = [one.value for one in page.dataframe if "measure (people only)" in one.value]
    [n] = together["items"][together["measure (people only)"] == "Krippendorff's alpha"]
    return int(n)


def twice(judged: pd.DataFrame) -> int:
    """The items that two people or more judged."""
    people = judged[judged["rater_kind"] == "person"]
    return int((people["item_id"].value_counts() >= 2).sum())


@pytest.mark.deep
def test_agreement_is_read_for_some_raters_and_some_items_alone(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task
    judged = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
    label = "unsupported_medical_claim"
    page = open_page("5_Team.py", who=lead, about=label, raters="profession|Physician")
    chosen = rater_and_item_subgroups.group_raters_by_survey_answers(app_store, judged["rater_id"])[
        "profession", "Physician"
    ]
    assert 1 < len(chosen) < judged["rater_id"].nunique()
    assert alpha_items(page) == twice(judged[judged["rater_id"].isin(chosen)])
    of_items = open_page("5_Team.py", who=lead, about=label, items="correct|C")
    with_c = {
        item
        for item, correct in app_store.rows("select id, body->>'correct' from item")
        if correct == "C"
    }
    assert alpha_items(of_items) == twice(judged[judged["item_id"].isin(with_c)])
    both = open_page("5_Team.py", who=lead, about=label, items="correct|C|correct|A|language|de")
    assert "There is no group of items called correct" in words(both)
    assert both.multiselect(key="agreement.items").value == [("correct", "C"), ("correct", "A")]
    two = ("Demo rater A", "Demo rater B")
    whole = {
        title: one(two)
        for (title, _), one in task.whole_agreement_functions_by_name_and_meaning(judged).items()
    }
    spans = open_page("5_Team.py", who=lead, section="agreement", by="Span F1")
    [heat] = spans.get("plotly_chart")
    assert f'"{whole["Span F1"].value:.2f}"' in heat.proto.spec
    assert not spans.exception
    nobody = open_page("5_Team.py", who=lead, raters="stage|Nobody")
    assert "There is no group of raters called" in nobody.warning[0].value


def answers_of(page: AppTest) -> dict[str, str]:
    """What the unnamed answers to an item say, by letter."""
    told = [one.value for one in page.markdown]
    found = [re.match(r"\*\*Answer (\w)\*\* · given by \d of \d", one) for one in told]
    return {one[1]: told[at + 1] for at, one in enumerate(found) if one}


@all_demos
def test_a_lead_settles_what_divides_raters_without_their_names_and_the_figures_follow(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    task, declared = "diagnosis_match", STUDIES["agentclinic"]
    asked = "Is this the same disease?"

    def settled() -> str:
        page = open_page("5_Team.py", who=lead, task=task, divided="demo11")
        assert not page.exception
        answers = answers_of(page)
        said = [one.replace("\u2060", "").split("\n") for one in answers.values()]
        assert sorted(one[0] for one in said) == [f"- {asked} cannot tell", f"- {asked} no"]
        # Why they said so stands below.
        assert all(len(one) > 1 for one in said)
        assert "Demo clinician" not in words(page)
        # What was judged and what people said of it are side by side.
        judged, said_of_it = page.columns[:2]
        assert {"Thyrotoxicosis", "Graves disease"} <= {one.value for one in judged.text}
        assert any("**Answer B**" in one.value for one in said_of_it.markdown)
        [letter] = [one for one in answers if f"{asked} no" in answers[one].replace("\u2060", "")]
        fields = form_of(page, "adjudication")["fields"]
        assert "Why (required)" in [one["label"] for one in fields]
        answer(page, form_named="adjudication", answer=letter, submit=True)
        assert "Say under Why what makes this the final answer." in words(page)
        answer(page, form_named="adjudication", reason="Half of it.", submit=True)
        again = open_page("5_Team.py", who=lead, task=task, divided="demo11")
        told = [one.value for one in again.markdown]
        [at] = [i for i, one in enumerate(told) if "**Settled.**" in one]
        return told[at + 1].replace("\u2060", "").removeprefix("- ")

    def checked() -> int:
        assert declared.figures is not None
        study = declared.open(app_store, files.Settings(), "demo")
        data = declared.figures.look(app_store, study, lead, {})
        [figure] = [one for one in declared.figures.figures if one.name == "moderator"]
        return {name: one.n for name, _, one in figure.rows(data)}["moderator_agreement"]

    before = checked()
    assert settled() == f"{asked} no"
    assert app_store.rows("select reason from adjudication") == [("Half of it.",)]
    # One said no, one could not tell: neither was more than half, and now the word is no.
    assert checked() == before + 1


@pytest.mark.deep
@all_demos
def test_a_lead_writes_an_answer_that_nobody_gave(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    study = STUDIES["sourcecheckup"].open(app_store, files.Settings(), "demo")
    task = study.support
    judged = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
    row = consensus.disagreements_table(task, judged).iloc[0]
    here = {"who": lead, "task": task.name, "divided": str(row["item"])}
    given = {one.verdict for one in judged["value"][judged["item_id"] == row["item_id"]]}
    new = next(one for one in ("contradicted", "partly", "not_supported") if one not in given)
    page = open_page("5_Team.py", **here, word="write")
    form = form_of(page, "adjudication")
    assert [one["id"] for one in form["fields"]] == ["own.verdict", "reason"]
    assert [one["key"] for one in form["fields"][0]["options"]][:3] == ["1", "2", "3"]
    answer(page, form_named="adjudication", reason="Read it again.", submit=True)
    assert "please answer this question" in words(page)
    said = {"own.verdict": new.replace("_", " ")}
    answer(page, form_named="adjudication", **said, submit=True)
    told = open_page("5_Team.py", **here, settle="all")
    assert f"Read it again. ({lead.name})" in words(told).replace("\\", "")
    [word] = consensus.decision_lists_in_force_by_item_id(
        app_store, task, dataset="demo", viewer=lead
    ).values()
    assert (word[0].value.verdict, word[0].value.reason) == (new, "Read it again.")


def test_a_lead_gives_somebody_the_role_that_they_have_not(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="people")

    def shown() -> tuple[str, bool]:
        role = next(one for one in page.selectbox if one.label == "Role")
        button = next(one for one in page.button if one.label == "Set role")
        return str(role.value), bool(button.disabled)

    next(one for one in page.selectbox if one.label == "Person").set_value(reviewer.id).run()
    assert shown() == ("reviewer", True)
    page.selectbox(key=f"role.{reviewer.id}").set_value("lead").run()
    assert shown() == ("lead", False)
    next(one for one in page.button if one.label == "Set role").click().run()
    assert not page.exception
    assert raters.find_rater(app_store, reviewer.id).role == "lead"
    assert shown() == ("lead", True)


@pytest.mark.deep
def test_an_adjudicator_who_judged_the_item_is_told_so_and_the_decision_says_it(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    study = open_study(app_store, files.Settings(), "demo")
    judged = consensus.current_judgments(app_store, study.task, dataset="demo", viewer=lead)
    first, other = consensus.disagreements_table(study.task, judged)["item"][:2]
    one = judged[judged["item"] == first].iloc[0]
    app_store.append(
        "judgment",
        {
            "id": new_id(),
            "task": study.task.name,
            "item": one["item_id"],
            "rater": lead.id,
            "revision": 1,
            "blind": True,
            "body": one["value"].model_dump_json(),
            "origin": "app",
            "complete": True,
        },
    )
    mark = "You judged this item yourself: your decision says so."
    assert mark not in words(open_page("5_Team.py", who=lead, divided=str(other)))
    page = open_page("5_Team.py", who=lead, divided=str(first))
    assert mark in words(page)
    answer(page, form_named="adjudication", answer="A", reason="As marked.", submit=True)
    told = open_page("5_Team.py", who=lead, divided=str(first), settle="all")
    assert f"As marked. ({lead.name}, who had judged it too)" in words(told).replace("\\", "")


@pytest.mark.deep
def test_a_lead_settles_marks_by_choosing_among_all_and_the_consensus_follows(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    study = open_study(app_store, files.Settings(), "demo")
    judged = consensus.current_judgments(app_store, study.task, dataset="demo", viewer=lead)
    first = consensus.disagreements_table(study.task, judged).iloc[0]
    name = str(first["item"])
    given = judged["value"][judged["item"] == name].tolist()
    page = open_page("5_Team.py", who=lead, divided=name)
    assert not page.exception
    # The question comes before the response to it.
    titles = [one.value for one in page.columns[0].caption]
    [response] = [at for at, one in enumerate(titles) if "model's response" in one]
    assert titles.index("Question") < titles.index("Correct option") < response
    # The open item stands alone; the list is one press away.
    assert not [one for one in page.dataframe if "divided" in one.value]
    back = open_page("5_Team.py", who=lead, divided=name)
    back.button(key="settle.list").click().run()
    [listed] = [one.value for one in back.dataframe if "divided" in one.value]
    assert listed["item"].iloc[0] == name
    body = items.item_body(app_store, str(first["item_id"]))
    assert listed["about"].iloc[0] == body["question"][:200]
    answers = answers_of(page)
    assert len(answers) == len(given)
    # What raters wrote beside their marks stands there too.
    noted = {
        part["span_comment"] for one in given for part in study.task.answer_as_rows_of_parts(one)
    } - {""}
    assert noted
    assert all(escape_markdown(one) in "".join(answers.values()) for one in noted)
    # All marks stand in the one text, and nobody's name.
    told = json.loads(component(page, "text_to_mark").proto.json)
    assert told["readonly"]
    assert len(told["draft"]["spans"]) == sum(len(one.spans) for one in given)
    assert "Demo rater" not in json.dumps(told) + "".join(answers.values())
    form = form_of(page, "adjudication")
    [marks] = [one for one in form["fields"] if one["id"] == "pieces"]
    one = marks["options"][0]["value"]
    answer(page, form_named="adjudication", answer="merged", reason="Only this.", submit=True)
    assert "Choose at least one mark." in words(page)
    answer(page, form_named="adjudication", pieces=json.dumps([one]), submit=True)
    value = consensus.adjudicated_answers_by_item_name(app_store, study.task, dataset="demo")[name]
    assert len(value.spans) == 1
    export = STUDIES["tagging"].exports["labels"][1]
    table = export(app_store, study, viewer=lead)
    of_item = table[table["item"] == name]
    assert of_item["strict"].sum() == of_item["relaxed"].sum() == len(value.labels_given())
    assert set(of_item["settled_by"] + ": " + of_item["reason"]) == {f"{lead.name}: Only this."}
    assert set(table["settled_by"][table["item"] != name]) == {""}
    # Having seen the others' marks, what this lead judges of it is not blind.
    [(seen,)] = app_store.rows("select count(*) from reveal where rater = $r", r=lead.id)
    assert seen == 1
    kept = work_behind_commands.make_export_table(
        app_store, files.Settings(), "adjudications", viewer=lead
    )
    row = kept.iloc[0]
    assert (row["task"], row["item"], row["reason"]) == ("error_spans", name, "Only this.")
    assert (bool(row["stands"]), row["adjudicator"], bool(row["had_judged"])) == (
        True,
        lead.name,
        False,
    )
    # Or the text is marked anew, beginning with what was decided, or with the marks of all.
    again = open_page("5_Team.py", who=lead, divided=name, settle="all", word="write")
    assert len(marks_begun(again, "marks")) == 1
    again.button(key="settle.begin.The marks of all answers").click().run()
    every = marks_begun(again, "marks")
    assert len(every) == len({(one["start"], one["end"]) for one in every}) > 1
    other = study.taxonomy.labels[1].id
    mark_anew(again, "marks", every[0] | {"labels": [other], "comment": "Corrected."})
    # What was marked is kept until it is sent, in another session too.
    again = open_page("5_Team.py", who=lead, divided=name, settle="all", word="write")
    assert [one["labels"] for one in marks_begun(again, "marks")] == [[other]]
    answer(again, form_named="adjudication", reason="Another label.", submit=True)
    [mark] = consensus.adjudicated_answers_by_item_name(app_store, study.task, dataset="demo")[
        name
    ].spans
    assert (mark.labels, mark.quote, mark.comment) == ((other,), every[0]["quote"], "Corrected.")
    # A mark against the rules settles nothing, and says why.
    again = open_page("5_Team.py", who=lead, divided=name, settle="all", word="write")
    mark_anew(again, "marks", every[0] | {"labels": [other, study.taxonomy.labels[-1].id]})
    answer(again, form_named="adjudication", reason="Both.", submit=True)
    assert "excludes" in words(again)
    # And it can be settled that no answer holds: the item is no consensus, and no error-free one.
    again = open_page("5_Team.py", who=lead, divided=name, settle="all")
    answer(again, form_named="adjudication", answer="none", reason="Cut off.", submit=True)
    assert consensus.adjudicated_answers_by_item_name(app_store, study.task, dataset="demo") == {
        name: None
    }
    of_item = export(app_store, study, viewer=lead).query("item == @name")
    assert of_item["strict"].sum() == of_item["relaxed"].sum() == 0
    assert of_item["no_answer_holds"].all()
    assert set(of_item["reason"]) == {"Cut off."}
    told = open_page("5_Team.py", who=lead, divided=name, settle="all")
    assert "- No answer is right" in words(told).split("\n")


def test_nothing_is_said_to_agree_before_two_have_judged_an_item(
    open_page: OpenPage, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    all_of = consensus.current_judgments
    monkeypatch.setattr(
        consensus, "current_judgments", lambda *args, **more: all_of(*args, **more).head(1)
    )
    page = open_page("5_Team.py", who=lead, section="agreement")
    assert not page.exception
    assert "no item has been judged by two raters" in words(page)


@pytest.mark.deep
def test_a_link_that_names_only_a_dataset_leads_to_the_study_that_has_it(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    for name in ("quest", "advice"):
        file = study_file.path_of_template(name)
        work_behind_commands.declare_study_and_return_report_text(
            app_store, study_file.read_study_file_text_and_declaration(file)[0], file.name
        )
        work_behind_commands.import_file(
            *(
                app_store,
                settings_store_and_runs_of_process.current_settings(),
                "own-items",
                file.with_suffix(".csv"),
            ),
            name=f"{name}.csv",
            dataset=name,
        )
    page = open_page("5_Team.py", who=lead, dataset="quest")
    assert not page.warning
    # A study of your own is its dataset: one choice has both.
    assert page.selectbox(key="line.study").value == ("own", "quest")
    page.selectbox(key="line.study").set_value(("own", "advice")).run()
    assert page.query_params["dataset"] == "advice"
    assert page.selectbox(key="line.study").options[-2:] == [
        "Triage before and after a model's advice",
        study_file.load_templates_by_name()["quest"].form.title,
    ]
    page.selectbox(key="line.study").set_value(("tagging", "demo")).run()
    assert page.query_params["task"] == "error_spans"
    assert not page.exception


def test_a_section_of_a_task_that_is_not_there_is_pointed_out(
    open_page: OpenPage,
    app_store: Store,
    lead: Rater,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typo = files.Settings(tasks={"diagnosis_mach": files.TaskSettings(raters_per_item=2)})
    monkeypatch.setattr(settings_store_and_runs_of_process, "current_settings", lambda: typo)
    monkeypatch.setattr(settings_store_and_runs_of_process, "store_of_process", lambda: app_store)
    said = words(open_page("5_Team.py", who=lead))
    assert "an unknown task: diagnosis\\_mach." in said


def test_a_store_that_cannot_be_opened_is_said_in_words(
    open_page: OpenPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad.duckdb"
    bad.write_text("this is no database" * 500)
    settings_store_and_runs_of_process.stop_runs_and_close_store()
    monkeypatch.setenv("MEDLENS_STORE", str(bad))
    page = open_page()
    assert not page.exception
    assert "not a valid DuckDB database" in words(page)
    assert "restore a backup" in words(page)


def test_a_way_in_pressed_in_a_run_that_was_ended_at_once_leads_there_in_the_next(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page(who=reviewer)
    with pytest.MonkeyPatch.context() as ended:
        # As the browser's next question ends the run that answers the one before.
        ended.setattr(st, "switch_page", lambda *_, **__: st.stop())
        page.button(key="work.error_spans.demo").click().run()
    assert not page.exception
    page.run()
    assert not page.exception
    assert component(page, "span_tagger")
    # Back at Home, one stays there.
    page.switch_page("app.py").run()
    assert "Good to see you" in words(page)


@pytest.mark.deep
def test_a_lead_reads_the_audit_log_a_page_at_a_time_and_narrows_it(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    for n in range(60):
        audit_log.record_entry(app_store, "refused", who=f"eve{n}@example.org")
    audit_log.record_entry(app_store, "backup", who=lead.id, about="b.duckdb")

    def shown(page: AppTest) -> list[str]:
        [table] = [one.value for one in page.dataframe if "detail" in one.value.columns]
        return [str(who) for who in table["who"]]

    page = open_page("5_Team.py", who=lead, section="audit")
    assert shown(page)[:2] == ["Lena Lead", "eve59@example.org"]
    assert len(shown(page)) == 50
    page.button(key="audit.Older").click().run()
    assert "eve0@example.org" in shown(page)
    page.multiselect(key="audit.kinds").select("backup").run()
    assert shown(page) == ["Lena Lead"]
    page.text_input(key="audit.who").input("nobody").run()
    assert "Nothing of this kind" in words(page)
    assert not page.exception
    # What narrows it stands in the address.
    page = open_page("5_Team.py", who=lead, **{"audit.kinds": "Refused", "audit.who": "eve7@"})
    assert shown(page) == ["eve7@example.org"]
    assert page.multiselect(key="audit.kinds").value == ["refused"]
    page = open_page("5_Team.py", who=lead, **{"audit.kinds": "No such kind"})
    assert len(shown(page)) == 50


def test_settings_beyond_what_the_form_offers_do_not_break_the_team_page(
    open_page: OpenPage,
    app_store: Store,
    lead: Rater,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wide = TaggingSettings(
        raters_per_item=100, items_per_rater=9000, lease_minutes=20_000, gold_share=0.5, seed=-5
    )
    settings = files.Settings().model_copy(update={"tagging": wide})
    monkeypatch.setattr(settings_store_and_runs_of_process, "current_settings", lambda: settings)
    monkeypatch.setattr(settings_store_and_runs_of_process, "store_of_process", lambda: app_store)
    shown = open_page("5_Team.py", who=lead, section="hand-out")
    assert not shown.exception
    values = form_of(shown, "settings")["values"]
    # A fixed panel is no entry of the form, but a checkbox below it.
    names = [name for name in HandOut.__dataclass_fields__ if name != "fixed_panel"]
    assert [values[name] for name in names] == [
        "100",
        "9000",
        "20000",
        "0.5",
        "-5",
        "",
        "random",
        "0",
        "10",
    ]
    shown.session_state["items.error_spans.demo.open"] = True
    assert not shown.run().exception


@pytest.mark.deep
def test_a_lead_excludes_a_raters_work_with_a_reason_and_returns_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task

    def raters_counted() -> set[str]:
        found = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
        return set(found["rater"])

    page = open_page("5_Team.py", who=lead, section="raters")
    [people] = [one.value for one in page.dataframe if "look_at" in one.value]
    assert people["judged"].sum() == len(
        consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
    )
    everyone = raters_counted()
    [rater] = [one for one in raters.list_raters(app_store) if one.name == "Demo rater A"]
    page = open_page("5_Team.py", who=lead, whose=rater.id)
    answer(page, form_named="exclusion", reason="Asked a model.", submit=True)
    assert "Choose what to exclude their work from." in words(page)
    answer(page, form_named="exclusion", where="here", submit=True)
    assert raters_counted() == everyone - {"Demo rater A"}
    page = open_page("5_Team.py", who=lead, whose=rater.id)
    [people] = [one.value for one in page.dataframe if "look_at" in one.value]
    assert people["excluded"][people["rater"] == "Demo rater A"].tolist() == ["Asked a model."]
    assert "Excluded from Tag errors, dataset demo." in words(page)
    answer(page, form_named="exclusion", reason="He did not.", submit=True)
    assert raters_counted() == everyone
    # Or one item only.
    page = open_page("5_Team.py", who=lead, whose=rater.id)
    theirs = next(one for one in page.selectbox if one.label == "Return one item to them")
    theirs.select(theirs.options[0]).run()
    answer(page, form_named="remark", text="Read the options again.", submit=True)
    told = app_store.rows(
        "select i.name, r.kind, r.counts from remark r join item i on i.id = r.item"
    )
    assert told == [(theirs.options[0], "return", True)]
    rater_exclusion.exclude_or_return_rater(
        app_store, reviewer.id, reason="Asked a model.", by=lead
    )
    theirs = open_page("1_Tag_errors.py", who=reviewer)
    assert "A lead has excluded your work here." in words(theirs)
    page = open_page("5_Team.py", who=lead, whose="nobody")
    assert "There is no rater called nobody here." in words(page)


@pytest.mark.deep
def test_whatever_the_address_says_is_answered_in_a_sentence(
    open_page: OpenPage, lead: Rater
) -> None:
    for value in [
        "nobody",
        "<script>alert(1)</script>**x**",
        "|",
        "Demo rater A|Demo rater A",
        "'; drop table rater; --",
        "%00%zz\u202e\x00",
        "9" * 5_000,
    ]:
        sections = {
            "flags": ("which", "asked"),
            "agreement": ("about", "by", "pair", "raters", "items"),
            "disagreements": ("settle", "divided", "word", "question"),
            "raters": ("whose",),
            value: (),
        }
        for section, of_it in sections.items():
            asked = dict.fromkeys(("task", "dataset", *of_it), value)
            page = open_page("5_Team.py", who=lead, section=section, **asked)
            assert not page.exception, value
            told = [one.value for one in page.warning]
            assert sum("There is no" in one for one in told) == len(asked) + (section == value)
        differing = open_page("5_Team.py", who=lead, pair="Demo rater A|Demo rater B", item=value)
        assert not differing.exception
        assert "There is no item called" in words(differing)


def test_what_each_person_gets_is_foretold_from_what_a_lead_enters_before_it_is_saved(
    open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="hand-out")
    # The demo's raters take nobody's place: none of its 24 responses is judged, 2 are gold.
    assert "3 raters per item are wanted and 2 people can be given them" in words(page)
    [before] = [one.value for one in page.dataframe if "still to come" in one.value]
    assert before["rater"].tolist() == ["Lena Lead", "Rosa Reviewer"]
    answer(page, form_named="settings", raters_per_item="1", deadline="2000-01-01")
    assert "3 raters per item are" not in words(page)
    [after] = [one.value for one in page.dataframe if "still to come" in one.value]
    assert after["still to come"].sum() == 22
    assert "This deadline has passed: 1 January 2000. Nothing is saved yet." in words(page)
    answer(page, form_named="settings", deadline="next week", submit=True)
    assert "The deadline 'next week' is not a day." in words(page)
    answer(page, form_named="settings", deadline="2000-01-31", submit=True)
    assert "**Was due** 31 January 2000" in words(open_page(who=reviewer))


def test_a_deadline_is_chosen_as_a_day_in_the_browsers_own_picker(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="hand-out")
    by_name = {field["id"]: field for field in form_of(page, "settings")["fields"]}
    assert [name for name, field in by_name.items() if field.get("day")] == ["deadline"]
    assert "placeholder" not in by_name["deadline"]  # an example day looks as if it were set


def test_a_lead_finds_what_changes_a_study_in_one_place_from_every_page_of_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    page = open_page("1_Tag_errors.py", who=lead, view="Results", dataset="demo")
    [sections] = [one for one in page.button_group if one.key and "line.section" in one.key]
    assert "Settings" in [option.content for option in sections.proto.options]
    page = open_page("5_Team.py", who=lead, section="settings", task=TAGGED, dataset="demo")
    assert "Study settings" in [one.value for one in page.header]
    unfold = [one.label for one in page.expander]
    assert {"Rename this dataset", "Archive this dataset"} <= set(unfold)
    links = {one.proto.label for one in page.main.get("page_link")}
    assert {"Exclude a person’s work", "Correct or withdraw an item"} <= links


def test_settings_that_few_change_stand_folded_until_one_is_changed(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    def in_sight() -> list[str]:
        page = open_page("5_Team.py", who=lead, section="hand-out")
        fields = form_of(page, "settings")["fields"]
        return [field["id"] for field in fields if "folded" not in field]

    assert in_sight() == ["raters_per_item", "items_per_rater", "deadline"]
    change_task_settings(app_store, TAGGED, "demo", {"seed": 7}, by=lead)
    assert in_sight() == ["raters_per_item", "items_per_rater", "seed", "deadline"]


@pytest.mark.deep
def test_a_lead_hands_out_a_sample_of_the_items_and_then_the_others(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    copied(app_store, "tagging", "ours")
    task = open_study(app_store, files.Settings(), "ours").task

    def drawn(many: int) -> AppTest:
        next(n for n in page.number_input if n.label == "Items").set_value(many).run()
        return next(b for b in page.button if b.label == "Draw").click().run()

    untouched = {"task": "error_spans", "dataset": "ours"}
    page = open_page("5_Team.py", who=lead, section="disagreements", **untouched)
    assert "No item has been judged by two people yet." in words(page)
    page = open_page("5_Team.py", who=lead, section="hand-out", **untouched)
    page.session_state["items.error_spans.ours.open"] = True
    page.run()
    assert "Only 24 such items are left to hand out." in words(drawn(100))
    assert [one.value for one in drawn(5).success] == ["5 more items are handed out now."]
    assert (
        len(items_selected_to_hand_out.ids_of_selected_items(app_store, task, dataset="ours")) == 5
    )
    assert "**5 items** that were drawn, begun or judged are handed out." in words(page)
    next(b for b in page.button if b.label == "Hand out all the others").click().run()
    assert not page.exception
    assert (
        len(items_selected_to_hand_out.ids_of_selected_items(app_store, task, dataset="ours")) == 24
    )


def test_an_invitation_says_for_how_many_people_its_link_is(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="people")
    people = page.number_input[0]
    people.set_value(1).run()
    page.button(key="invite.make").click().run()
    invited = escape_markdown(page.selectbox(key="invite.round").options[0])
    assert f"This link invites **one person** to **{invited}**." in words(page)
    people.set_value(3).run()
    page.button(key="invite.make").click().run()
    assert not page.exception
    assert f"This link invites **up to 3 people** to **{invited}**." in words(page)
    # It opens on this computer only, so that nothing is said of sending it.
    assert "as you would a password" not in words(page)


def test_tasks_that_do_not_fit_on_one_link_are_named(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    for at in range(9):
        copied(app_store, "tagging", f"more{at}")
    page = open_page("5_Team.py", who=lead, section="people", task=TAGGED, dataset="demo")
    also = next(one for one in page.multiselect if one.label == "With the same link also to")
    also.set_value(also.options[:6]).run()
    assert "One link invites to at most" not in words(page)
    also = next(one for one in page.multiselect if one.label == "With the same link also to")
    also.set_value(also.options[:7]).run()
    left_out = also.options[7:]
    assert len(left_out) == 2
    named = ", ".join(map(escape_markdown, left_out))
    assert f"One link invites to at most 8 tasks. Not to: {named}." in words(page)


def test_a_link_that_works_on_one_computer_only_says_so_and_how_others_are_let_in(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, section="people", task=TAGGED, dataset="demo")
    page.button(key="invite.make").click().run()
    assert "This link works on this computer only" in words(page)
    [help_] = [one for one in page.expander if one.label == "How to let others in"]
    steps = " ".join(one.value for one in help_.markdown)
    for step in ("[auth]", "redirect_uri", "[people]", "python -m medlens serve"):
        assert step in steps, step


def test_an_invitation_starts_with_the_round_in_the_address_and_the_people_it_lacks(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    for name in ("ours", "theirs"):
        copied(app_store, "tagging", name)
    task = open_study(app_store, files.Settings(), "ours").task
    ours = {"task": task.name, "dataset": "ours"}

    def offered() -> tuple[object, object]:
        page = open_page("5_Team.py", who=lead, section="people", **ours)
        return page.selectbox(key="invite.round").value, page.number_input[0].value

    # Three raters per item are wanted; the team has one who is not a lead.
    assert offered() == ((task.name, "ours"), 2)
    change_task_settings(app_store, task.name, "ours", {"raters_per_item": 5}, by=lead)
    assert offered()[1] == 5 - 1
    # A lead whom the round names judges too.
    both = (lead.id, reviewer.id)
    rounds.open_or_close_round(app_store, task, "ours", state="open", raters=both, by=lead)
    assert offered()[1] == 5 - 2
    change_task_settings(app_store, task.name, "ours", {"raters_per_item": 1}, by=lead)
    assert offered()[1] == 1


@pytest.mark.deep
def test_a_lead_hands_out_what_fits_two_columns_and_opens_another_dataset_alike(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    for name in ("ours", "theirs"):
        copied(app_store, "tagging", name)
    study = open_study(app_store, files.Settings(), "ours")
    groups = rater_and_item_subgroups.group_items_by_file_columns(
        STUDIES["tagging"], app_store, study, "response"
    )
    # Of two columns all must fit, of one any of its values.
    chosen = [("correct", "A"), ("correct", "C"), ("chosen", "C")]
    fit = (groups[chosen[0]] | groups[chosen[1]]) & groups[chosen[2]]
    assert 0 < len(fit) < len(groups[chosen[2]])
    fit -= set(
        consensus.gold_items_table(app_store, study.task, dataset="ours", viewer=lead)["item_id"]
    )
    page = open_page("5_Team.py", who=lead, section="hand-out", task="error_spans", dataset="ours")
    assert "Reviewers see a model's answer first: no." in words(page)
    page.session_state["items.error_spans.ours.open"] = True
    page.session_state["items.error_spans.ours.of"] = chosen
    page.run()
    assert f"**{len(fit)} items** fit and can be drawn." in words(page)
    next(b for b in page.button if b.label == "Hand out all that fit").click().run()
    assert (
        set(items_selected_to_hand_out.ids_of_selected_items(app_store, study.task, dataset="ours"))
        == fit
    )
    page.multiselect(key="others.error_spans.ours").set_value(["theirs"]).run()
    next(b for b in page.button if b.label == "Open in the same way").click().run()
    # The items there with the same values, less none: no gold item is in both yet.
    other = open_study(app_store, files.Settings(), "theirs")
    theirs = rater_and_item_subgroups.group_items_by_file_columns(
        STUDIES["tagging"], app_store, other, "response"
    )
    fit = (theirs[chosen[0]] | theirs[chosen[1]]) & theirs[chosen[2]]
    assert (
        set(
            items_selected_to_hand_out.ids_of_selected_items(
                app_store, study.task, dataset="theirs"
            )
        )
        == fit
    )
    told = f"Open in the same way now:\n- theirs: {len(fit):,} items are handed out."
    assert [one.value for one in page.success] == [told]
    assert rounds.current_round_of_task(app_store, study.task, "theirs").state == "open"


@pytest.mark.deep
def test_a_leavers_unfinished_work_is_handed_on_and_they_are_named_no_more(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, files.Settings(), "demo").task
    both = [lead.id, reviewer.id]
    rounds.open_or_close_round(app_store, task, "demo", state="open", raters=both, by=lead)
    given = {"dataset": "demo", "rater": reviewer.id}
    assert assignment.give_next_item_and_return_id(app_store, task, HandOut(), **given)
    # Somebody taken out of the round keeps what they hold; the lead is told where to hand it on.
    told = f"{reviewer.name} is not in this round but can still finish 1 item: hand it on"
    here = {"section": "hand-out", "task": task.name, "dataset": "demo"}
    assert told not in links_of(open_page("5_Team.py", who=lead, **here))
    rounds.open_or_close_round(app_store, task, "demo", state="open", raters=[lead.id], by=lead)
    assert told in links_of(open_page("5_Team.py", who=lead, **here))
    rounds.open_or_close_round(app_store, task, "demo", state="open", raters=both, by=lead)
    page = open_page("5_Team.py", who=lead, whose=reviewer.id)
    next(b for b in page.button if b.label == "Hand 1 unfinished item on").click().run()
    assert not page.exception
    assert [one.value for one in page.success] == ["1 unfinished item goes to others now."]
    assert rounds.current_round_of_task(app_store, task, "demo").raters == {lead.id}
    assert not assignment.load_rater_queue(app_store, task, HandOut(), **given).places
    assert told not in links_of(open_page("5_Team.py", who=lead, **here))
    assert assignment.give_next_item_and_return_id(
        app_store, task, HandOut(), dataset="demo", rater=lead.id
    )
    page = open_page("5_Team.py", who=lead, whose=lead.id)
    next(b for b in page.button if b.label == "Hand 1 unfinished item on").click().run()
    assert "The round names nobody else: name others under Hand out." in words(page)
    log = open_page("5_Team.py", who=lead, section="audit")
    assert "1 unfinished of" in str([one.value.to_dict() for one in log.dataframe])


@all_demos
def test_home_leads_back_to_where_a_person_judged_last_and_tells_their_pace(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    first = next(b for b in open_page(who=reviewer).main.button)
    assert first.key != "work.error_spans.demo" or first.label.startswith("Start:gray[: ")
    task = open_study(app_store, files.Settings(), "demo").task
    given = {"dataset": "demo", "rater": reviewer.id}
    item = assignment.give_next_item_and_return_id(app_store, task, HandOut(), **given)
    assert item
    quote = items.item_body(app_store, item)["response"][:3]
    label = open_study(app_store, files.Settings(), "demo").taxonomy.labels[0].id
    mark = {"start": 0, "end": 3, "quote": quote, "labels": [label]}
    body = {"spans": [mark], "comment": "It is so."}
    judging.submit_judgment(
        app_store,
        task,
        item=item,
        rater=reviewer.id,
        token=new_id(),
        body=body,
        active_seconds=30.0,
    )
    mine = open_page(who=reviewer)
    back = next(b for b in mine.main.button)
    # In sight it says "Continue"; who hears the page hears where to.
    says = "Continue:gray[: Tag errors, item 2 of 20]"
    assert (back.key, back.label) == ("work.error_spans.demo", says)
    assert " min · 1 of 20 done · 1 in the last 7 days" in words(mine)


def test_a_reviewer_whom_nobody_invited_reads_the_next_tasks_and_finds_the_rest_folded(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    def rows(page: AppTest) -> list[str]:
        return [b.key for b in page.main.button if str(b.key).startswith("work.")]

    for at in range(7):
        copied(app_store, "tagging", f"more{at}")
        task = open_study(app_store, files.Settings(), f"more{at}").task
        rounds.open_or_close_round(
            app_store, task, f"more{at}", state="open", raters=(reviewer.id,), by=lead
        )
    home = open_page(who=reviewer)
    [folded] = [one for one in home.expander if one.label.endswith("open to you")]
    inside = [b.key for b in folded.button if str(b.key).startswith("work.")]
    assert folded.label == f"{len(inside)} other tasks open to you"
    assert len(rows(home)) - len(inside) == 1 + 4
    assert set(inside) < set(rows(home))
    # Who came says so on the page before; the usual pace need not be called so.
    assert "MedLens is where clinicians check" not in words(home)
    assert "usual pace" not in words(home)


def test_a_lead_reads_at_home_what_others_did_since_their_last_visit(
    open_page: OpenPage,
    app_store: Store,
    lead: Rater,
    reviewer: Rater,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "Since your visit" not in words(open_page(who=lead))
    task = open_study(app_store, files.Settings(), "demo").task
    item = assignment.give_next_item_and_return_id(
        app_store, task, HandOut(), dataset="demo", rater=reviewer.id
    )
    flagged = {"item": item, "rater": reviewer.id, "kind": "flag", "reason": "No answer."}
    assignment.record_opened_skipped_or_flagged(app_store, task, HandOut(), **flagged)
    monkeypatch.setattr(changes_since_lead_visit, "LASTS", timedelta(0))
    assert "**1 flag** by others." in words(open_page(who=lead))
    assert "Nothing new since your visit" in words(open_page(who=lead))
    assert "your visit" not in words(open_page(who=reviewer))


@pytest.mark.parametrize(
    ("done", "wanted", "percent"),
    [(10, 15, 67), (18, 108, 17), (215, 216, 99), (216, 216, 100), (220, 216, 100), (0, 0, 0)],
)
def test_a_share_done_is_rounded_as_people_do_and_100_only_where_all_is_done(
    done: int, wanted: int, percent: int
) -> None:
    assert share_done_in_percent(done, wanted) == percent


def test_home_says_that_done_of_a_demo_counts_the_demos_own_raters(
    open_page: OpenPage, lead: Rater
) -> None:
    told = [one.value for one in open_page(who=lead).caption]
    assert (
        "Of an illustrative demo, *done* counts the judgments of the demo's own raters too." in told
    )
