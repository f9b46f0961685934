"""A worker comes from a crowd platform, finishes, and is shown the way back."""

from __future__ import annotations

import re

import pytest

from medlens.config.settings import Settings
from medlens.review import (
    assignment,
    consensus,
    crowd_platforms_and_worker_ids_of_rounds,
    hand_out_settings,
    invitations,
    judging,
    practice,
    rounds,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.own.study import open_study
from tests.attack import lead_actions
from tests.attack.lead_actions import LETTERS
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, answer, links_of, words

BACK = "https://app.prolific.com/submissions/complete?cc=C1ABC"


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (lead_actions.lay,)


def test_a_worker_accepts_is_known_by_their_id_and_gets_the_way_back_once_done(
    app_store: Store, open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, Settings(), LETTERS).task
    of = (task.name, LETTERS)
    known = {"parameter": "PROLIFIC_PID", "address": BACK, "code": "C1ABC"}
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        app_store, *of, **known, by=lead
    )
    hand_out_settings.change_task_settings(app_store, *of, {"items_per_rater": 1}, by=lead)
    token = invitations.make_invitation_and_return_link_secret(
        app_store, by=lead, task=task.name, dataset=LETTERS
    )
    home = open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1")
    assert "Your id 5f1 from the platform is kept beside your name" in words(home)
    # Who is to accept is told how much it is.
    assert re.search(r"\b1 item\b", words(home))
    # What else is open to them waits until they have answered, in the menu too.
    assert "My work" not in words(home)
    assert not [one for one in home.button if one.key.startswith("work.")]
    assert not crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(
        app_store, *of, reviewer.id
    )
    home.button(key="invited.accept").click().run()
    assert (
        crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(app_store, *of, reviewer.id)
        == "5f1"
    )
    # It leads to the round.
    assert "invites you to" not in words(home)
    assert home.query_params["dataset"] == LETTERS
    desk = {"who": reviewer, "dataset": LETTERS}
    assignment.release_unfinished_items_and_count(
        app_store, task, dataset=LETTERS, rater=reviewer.id, by=lead
    )
    rounds.open_or_close_round(app_store, task, LETTERS, state="closed", by=lead)
    nothing = words(open_page("8_Your_studies.py", **desk))
    assert "Please return the study on the platform" in nothing
    assert "C1ABC" not in nothing
    rounds.open_or_close_round(app_store, task, LETTERS, state="open", by=lead)
    assert "C1ABC" not in words(open_page("8_Your_studies.py", **desk))
    settings = HandOut(raters_per_item=2, items_per_rater=1, gold_share=0)
    where = {"dataset": LETTERS, "rater": reviewer.id}
    item = assignment.give_next_item_and_return_id(app_store, task, settings, **where) or _held(
        app_store, reviewer
    )
    body = {"version": 1, "answers": {"clear": "yes"}}
    said = {"item": item, "rater": reviewer.id, "token": new_id(), "body": body}
    judging.submit_judgment(app_store, task, **said)
    done = open_page("8_Your_studies.py", **desk)
    assert "Your completion code: `C1ABC`" in words(done)
    assert BACK in str(done.get("link_button")[0].proto)
    # Who came by no platform is shown nothing of it.
    assert "C1ABC" not in words(open_page("8_Your_studies.py", who=lead, dataset=LETTERS))


def test_a_worker_who_does_not_pass_practice_gets_no_code_and_is_told_to_return_the_study(
    app_store: Store, open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, Settings(), LETTERS).task
    of = (task.name, LETTERS)
    known = {"parameter": "PROLIFIC_PID", "address": BACK, "code": "C1ABC"}
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        app_store, *of, **known, by=lead
    )
    items = app_store.rows("select id from item where dataset = $d order by seq", d=LETTERS)
    item = str(items[0][0])
    consensus.set_or_unset_gold_item(
        app_store, task, item=item, expected={"clear": "no"}, active=True, by=lead
    )
    practice.mark_gold_item_as_practice(app_store, task, item=item, why="It is not.", by=lead)
    practice.set_practice_rules(app_store, *of, practice.Rules(mark=1), by=lead)
    token = invitations.make_invitation_and_return_link_secret(
        app_store, by=lead, task=task.name, dataset=LETTERS
    )
    home = open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1")
    home.button(key="invited.accept").click().run()
    desk = {"who": reviewer, "dataset": LETTERS}
    assert "Practice: 0 of 1 done" in words(open_page("8_Your_studies.py", **desk))
    body = {"version": 1, "answers": {"clear": "yes"}}
    said = {"item": item, "rater": reviewer.id, "token": new_id(), "body": body}
    judging.submit_judgment(app_store, task, **said)
    told = words(open_page("8_Your_studies.py", **desk))
    assert "you gave the expected answer to 0 of 1; 1 is needed" in told
    assert "Please return the study on the platform" in told
    assert "C1ABC" not in told


@pytest.mark.deep
def test_a_worker_who_flags_everything_waits_for_a_lead_who_decides_on_the_team_page(
    app_store: Store, open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, Settings(), LETTERS).task
    of = (task.name, LETTERS)
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        app_store, *of, parameter="PROLIFIC_PID", address=BACK, code="C1ABC", by=lead
    )
    hand_out_settings.change_task_settings(app_store, *of, {"items_per_rater": 2}, by=lead)
    token = invitations.make_invitation_and_return_link_secret(
        app_store, by=lead, task=task.name, dataset=LETTERS
    )
    home = open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1")
    home.button(key="invited.accept").click().run()
    usual = hand_out_settings.default_hand_out_settings(Settings(), task.name, task.handing_out)
    settings = hand_out_settings.hand_out_settings_in_force(app_store, *of, usual)
    where = {"dataset": LETTERS, "rater": reviewer.id}
    # The desk that the invitation leads to has one already.
    item: str | None = _held(app_store, reviewer)
    while item:
        about = {"item": item, "rater": reviewer.id, "kind": "flag", "reason": "Odd."}
        assignment.record_opened_skipped_or_flagged(app_store, task, settings, **about)
        item = assignment.give_next_item_and_return_id(app_store, task, settings, **where)
    desk = {"who": reviewer, "dataset": LETTERS}
    told = open_page("8_Your_studies.py", **desk)
    assert "Somebody from the study will look at your work" in words(told)
    assert "You judged 0 of the" in words(told)
    assert "C1ABC" not in words(told)
    assert not told.get("link_button")
    assert "1 person waits for a completion code in Letters" in links_of(open_page(who=lead))
    codes = {"who": lead, "section": "codes", "worker": f"{task.name}|{LETTERS}|{reviewer.id}"}
    page = open_page("5_Team.py", **codes)
    [table] = page.dataframe
    row, *_ = table.value.to_dict("records")  # Who waits comes first.
    assert (row["person"], row["platform's id"]) == (reviewer.name, "5f1")
    assert (row["code"], row["judged"]) == ("awaits a lead", 0)
    assert row["flagged"] == row["handed out"] > 2
    answer(page, form_named="code", submit=True, decision="refuse", reason="All flags are idle.")
    told = open_page("8_Your_studies.py", **desk)
    assert "no completion code was given" in words(told)
    assert "C1ABC" not in words(told)
    assert "idle" not in words(told)
    answer(
        open_page("5_Team.py", **codes),
        form_named="code",
        submit=True,
        decision="give",
        reason="The scans are broken.",
    )
    assert "Your completion code: `C1ABC`" in words(open_page("8_Your_studies.py", **desk))


def _held(store: Store, rater: Rater) -> str:
    """What they were given last."""
    given = "select item from assignment where rater = $rater order by seq desc"
    return str(store.rows(given, rater=rater.id)[0][0])
