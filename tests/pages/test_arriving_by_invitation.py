"""What somebody reads who comes by a lead's link, and where the link leads them."""

from __future__ import annotations

import unicodedata

import pytest
from streamlit.testing.v1 import AppTest

from medlens.config.settings import Settings
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    crowd_platforms_and_worker_ids_of_rounds,
    invitations,
    raters,
    rounds,
)
from medlens.review.hand_out_settings import change_task_settings
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.studies.tagging.tasks import NAME as TAGGED
from medlens.ui.page_frame import escape_markdown
from tests.pages.conftest import OpenPage, all_demos, words

DEMO = {"task": TAGGED, "dataset": "demo"}


def invite(store: Store, lead: Rater, **to: str) -> str:
    return invitations.make_invitation_and_return_link_secret(store, by=lead, **to or DEMO)


def begin_as(page: AppTest, name: str) -> None:
    page.text_input(key="sign_in.name").input(name)
    [start] = [one for one in page.button if "sign_in.new" in str(one.key) or one.proto.form_id]
    start.click().run()


def test_before_giving_a_name_they_read_who_invites_to_what_and_how_much_it_is(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    change_task_settings(app_store, TAGGED, "demo", {"items_per_rater": 7}, by=lead)
    page = open_page(invite=invite(app_store, lead))
    said = words(page)
    assert "Lena Lead invites you to judge: Tag errors." in said
    assert "7 items, about" in said
    [button] = page.button
    assert button.label == "Accept and start"
    read = [said, *(one.label for one in (*page.button, *page.text_input))]
    assert len(" ".join(read).split()) <= 45
    # Nothing is accepted by reading it.
    assert not app_store.rows("select 1 from invitation_event")


def test_giving_a_name_accepts_what_they_came_for_and_leads_to_its_desk(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    task = open_study(app_store, Settings(), "demo").task
    rounds.open_or_close_round(app_store, task, "demo", state="open", raters=[lead.id], by=lead)
    # A round that names people tells them how much they get, though it does not name them yet.
    page = open_page(invite=invite(app_store, lead))
    assert "20 items" in words(page)
    begin_as(page, "Anna Berg")
    assert not page.exception
    [anna] = [one for one in raters.list_local_people(app_store) if one.name == "Anna Berg"]
    assert anna.role == "reviewer"
    assert rounds.current_round_of_task(app_store, task, "demo").does_hand_out_to_rater(anna.id)
    assert invitations.acceptance_time_by_round_of_rater(app_store, anna.id).keys() == {
        (TAGGED, "demo")
    }
    # The page is the desk's, not Home's.
    assert page.query_params["dataset"] == "demo"
    assert "Good to see you" not in words(page)
    assert "invite" not in page.query_params


def test_who_types_the_name_of_a_lead_on_an_invitations_page_does_not_become_that_lead(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page(invite=invite(app_store, lead))
    begin_as(page, f" {lead.name.upper()} ")
    assert "A lead of the team has this name." in words(page)
    assert "Accept and start" in [one.label for one in page.button]
    assert not app_store.rows("select 1 from invitation_event")
    # The lead, who tries the link, is not locked out by it.
    page.button(key="sign_in.leave").click().run()
    assert not page.exception
    assert f"pick.{lead.id}" in [one.key for one in page.button]
    page = open_page(invite=invite(app_store, lead))
    begin_as(page, f"{lead.name} Junior")
    assert not page.exception
    [added] = [one for one in raters.list_local_people(app_store) if "Junior" in one.name]
    assert added.role == "reviewer"
    assert invitations.acceptance_time_by_round_of_rater(app_store, added.id).keys() == {
        (TAGGED, "demo")
    }


def test_who_comes_by_a_platform_reads_what_is_kept_of_them_before_accepting(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        *(app_store, TAGGED, "demo"),
        parameter="PROLIFIC_PID",
        address="https://app.prolific.com/submissions/complete?cc=C1",
        code="C1",
        by=lead,
    )
    page = open_page(invite=invite(app_store, lead), PROLIFIC_PID="5f1")
    assert [one.label for one in page.button] == ["Start"]
    begin_as(page, "5f1")
    assert not app_store.rows("select 1 from invitation_event")
    assert "Your id 5f1 from the platform is kept" in words(page)


@pytest.mark.parametrize("gone", ["withdrawn", "archived"])
def test_an_invitation_that_leads_nowhere_does_not_say_who_invites_to_what(
    open_page: OpenPage, app_store: Store, lead: Rater, gone: str
) -> None:
    token = invite(app_store, lead)
    if gone == "withdrawn":
        [made] = invitations.list_invitations(app_store, viewer=lead)
        invitations.revoke_invitation(app_store, made.id, by=lead)
    else:
        archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
            app_store,
            [archiving_of_datasets_rounds_and_runs.Thing("round", "tagging", "demo", TAGGED)],
            reason="Done.",
            by=lead,
        )
    said = words(open_page(invite=token))
    assert "no longer valid" in said
    assert "Tag errors" not in said


@pytest.mark.deep
@pytest.mark.parametrize("filled_by", all_demos.args[1], ids=["all demos"])
def test_home_of_who_was_invited_begins_with_that_and_folds_what_is_merely_open(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    def in_sight_and_folded() -> tuple[list[str], list[str]]:
        page = open_page(who=reviewer)
        every = [str(one.key) for one in page.button if str(one.key).startswith("work.")]
        folded = [one for one in page.expander if one.label.endswith("open to you")]
        within = [str(b.key) for one in folded for b in one.button]
        return [key for key in every if key not in within], within

    # Without an invitation the next ones are in sight.
    before, folded = in_sight_and_folded()
    assert len(before) > 4
    every = sorted(before + folded)
    where = {"task": "source_support", "dataset": "demo"}
    token = invite(app_store, lead, **where)
    invitations.accept_and_return_invitation_admitting_rater(
        app_store, token, reviewer, leads=lambda _: True
    )
    assert before[0] != "work.source_support.demo"
    first, folded = in_sight_and_folded()
    assert first == ["work.source_support.demo"]
    assert sorted(first + folded) == every
    # What is due is asked for, too.
    change_task_settings(app_store, TAGGED, "demo", {"deadline": "2999-01-01"}, by=lead)
    assert f"work.{TAGGED}.demo" in in_sight_and_folded()[0]


@pytest.mark.parametrize("filled_by", all_demos.args[1], ids=["all demos"])
def test_the_menu_of_who_was_invited_folds_what_home_folds(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    def in_sight_and_folded() -> tuple[list[str], list[str]]:
        side = open_page(who=reviewer).sidebar
        folded = [one for one in side.expander if one.label.endswith("other tasks open to you")]
        within = [link.proto.label for one in folded for link in one.get("page_link")]
        every = [link.proto.label for link in side.get("page_link")]
        return [label for label in every if label not in within], within

    before, folded = in_sight_and_folded()
    assert not folded
    token = invite(app_store, lead, task="source_support", dataset="demo")
    invitations.accept_and_return_invitation_admitting_rater(
        app_store, token, reviewer, leads=lambda _: True
    )
    after, folded = in_sight_and_folded()
    tasks = [label for label in after if " · " in label]
    assert len(tasks) == 1
    assert tasks[0].startswith("Verify sources")
    assert len(folded) > 3
    assert sorted(after + folded) == sorted(before)


SEVERAL = [DEMO, {"task": "source_support", "dataset": "demo"}]


@pytest.mark.parametrize("filled_by", all_demos.args[1], ids=["all demos"])
def test_one_link_invites_to_several_tasks_and_is_accepted_in_one_press(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    team = open_page("5_Team.py", who=lead, section="people", **DEMO)
    [also] = [one for one in team.multiselect if str(one.key).startswith("invite.also")]
    chosen = [one for one in also.options if "Verify sources" in one]
    also.set_value([("source_support", "demo")]).run()
    team.button(key="invite.make").click().run()
    assert not team.exception
    assert chosen
    assert escape_markdown(chosen[0]) in words(team)
    [link] = [one.value for one in team.code if "?invite=" in one.value]
    secret = link.partition("?invite=")[2]
    # Each round has an invitation of its own, to be withdrawn by itself.
    made = invitations.list_invitations(app_store, viewer=lead)
    assert [{"task": one.task, "dataset": one.dataset} for one in made] == SEVERAL[::-1]
    # The list of invitations says which of them share the link.
    invite(app_store, lead)
    listed = open_page("5_Team.py", who=lead, section="people", **DEMO)
    [table] = [one.value for one in listed.dataframe if "accepted" in one.value]
    tag, verify = "Error tagging, Tag errors (demo)", chosen[0]
    found = table[["for", "same link as"]].values.tolist()
    assert found == [[tag, ""], [verify, tag], [tag, verify]]
    listed = open_page("5_Team.py", who=lead, section="people", **DEMO, invitation=made[0].id)
    assert f"Its link also invites to **{escape_markdown(tag)}**" in words(listed)
    said = words(open_page(invite=secret))
    assert "Lena Lead invites you to judge in 2 tasks." in said
    assert "• Tag errors: 20 items" in said
    assert "• Verify sources: 20 items" in said
    # Who is known is asked once for both.
    home = open_page(who=reviewer, invite=secret)
    home.button(key="invited.accept").click().run()
    accepted = invitations.acceptance_time_by_round_of_rater(app_store, reviewer.id)
    assert set(accepted) == {(one["task"], one["dataset"]) for one in SEVERAL}
    # It leads to the first one's desk, and Home has both in sight, this one first.
    assert home.query_params["dataset"] == "demo"
    home = open_page(who=reviewer)
    folded = [one for one in home.expander if one.label.endswith("open to you")]
    within = [str(b.key) for one in folded for b in one.button]
    every = [str(one.key) for one in home.button if str(one.key).startswith("work.")]
    assert [one for one in every if one not in within] == [
        f"work.{one['task']}.demo" for one in SEVERAL
    ]


def test_what_is_withdrawn_of_a_link_is_no_longer_offered_and_the_rest_is(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    other = invite(app_store, lead)
    [gone] = invitations.list_invitations(app_store, viewer=lead)
    link = f"{other}.{invite(app_store, lead)}.{'x' * 32}"
    invitations.revoke_invitation(app_store, gone.id, by=lead)
    home = open_page(who=reviewer, invite=link)
    assert "Lena Lead invites you to judge: Tag errors." in words(home)
    home.button(key="invited.accept").click().run()
    assert not home.exception
    [used] = app_store.column("select invitation from invitation_event where kind = 'use'")
    assert used != gone.id
    # Of one that is withdrawn as a whole, why is said.
    assert "withdrawn" in words(open_page(who=reviewer, invite=other))


@pytest.mark.parametrize("filled_by", all_demos.args[1], ids=["all demos"])
def test_giving_a_name_accepts_nothing_of_a_link_that_was_not_offered(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    link = ".".join(invite(app_store, lead, **one) for one in SEVERAL)
    archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        app_store,
        [archiving_of_datasets_rounds_and_runs.Thing("round", "tagging", "demo", TAGGED)],
        reason="Done.",
        by=lead,
    )
    page = open_page(invite=link)
    assert "Tag errors" not in words(page)
    begin_as(page, "Anna Berg")
    assert not page.exception
    [anna] = [one for one in raters.list_local_people(app_store) if one.name == "Anna Berg"]
    accepted = invitations.acceptance_time_by_round_of_rater(app_store, anna.id)
    assert accepted.keys() == {("source_support", "demo")}


def test_whoever_comes_by_a_link_never_becomes_the_lead_though_nobody_else_is_known_here(
    open_page: OpenPage, app_store: Store
) -> None:
    away = raters.find_or_add_rater_by_name(app_store, "Olga", origin="import", role="lead")
    page = open_page(invite=invite(app_store, away))
    begin_as(page, "Anna Berg")
    [anna] = raters.list_local_people(app_store)
    assert anna.role == "reviewer"


def test_a_lead_whose_name_was_kept_with_letters_composed_otherwise_is_known_too(
    open_page: OpenPage, app_store: Store
) -> None:
    typed = "Jos\u00e9 N\u00fa\u00f1ez"
    apart = unicodedata.normalize("NFD", typed)
    lead = raters.find_or_add_rater_by_name(
        app_store, apart, role="lead", handle=f"app:{apart.casefold()}"
    )
    assert raters.find_or_add_rater_by_name(app_store, typed.upper()).id == lead.id
    # Accounts and names in files are compared as they are.
    for origin, has_email in (("oidc", True), ("import", False)):
        one, other = (
            raters.find_or_add_rater_by_name(
                app_store, name, origin=origin, email=name if has_email else None
            )
            for name in (apart, typed)
        )
        assert one.id != other.id
    page = open_page(invite=invite(app_store, lead))
    begin_as(page, typed)
    assert "A lead of the team has this name." in words(page)
    assert len(raters.list_local_people(app_store)) == 1
