"""A worker comes from a crowd platform, finishes, and is shown the way back."""

from __future__ import annotations

import pytest

from medlens.config.settings import Settings
from medlens.review import (
    assignment,
    consensus,
    crowd,
    hand_out,
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
from tests.pages.conftest import OpenPage, words

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
    crowd.set_platform(app_store, *of, **known, by=lead)
    hand_out.set_setting(app_store, *of, {"items_per_rater": 1}, by=lead)
    token = invitations.make(app_store, by=lead, task=task.name, dataset=LETTERS)
    home = open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1")
    assert "Your id 5f1 from the platform is kept beside your name" in words(home)
    assert not crowd.worker_of(app_store, *of, reviewer.id)
    home.button(key="invited.accept").click().run()
    assert crowd.worker_of(app_store, *of, reviewer.id) == "5f1"
    # It leads to the round.
    assert "You are invited" not in words(home)
    assert home.query_params["dataset"] == LETTERS
    desk = {"who": reviewer, "dataset": LETTERS}
    assignment.hand_on(app_store, task, dataset=LETTERS, rater=reviewer.id, by=lead)
    rounds.set_round(app_store, task, LETTERS, state="closed", by=lead)
    nothing = words(open_page("8_Your_studies.py", **desk))
    assert "Please return the study on the platform" in nothing
    assert "C1ABC" not in nothing
    rounds.set_round(app_store, task, LETTERS, state="open", by=lead)
    assert "C1ABC" not in words(open_page("8_Your_studies.py", **desk))
    settings = HandOut(raters_per_item=2, items_per_rater=1, gold_share=0)
    where = {"dataset": LETTERS, "rater": reviewer.id}
    item = assignment.next_item(app_store, task, settings, **where) or _held(app_store, reviewer)
    body = {"version": 1, "answers": {"clear": "yes"}}
    said = {"item": item, "rater": reviewer.id, "token": new_id(), "body": body}
    judging.submit(app_store, task, **said)
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
    crowd.set_platform(app_store, *of, **known, by=lead)
    items = app_store.rows("select id from item where dataset = $d order by seq", d=LETTERS)
    item = str(items[0][0])
    consensus.set_gold(app_store, task, item=item, expected={"clear": "no"}, active=True, by=lead)
    practice.make(app_store, task, item=item, why="It is not.", by=lead)
    practice.set_rules(app_store, *of, practice.Rules(mark=1), by=lead)
    token = invitations.make(app_store, by=lead, task=task.name, dataset=LETTERS)
    home = open_page(who=reviewer, invite=token, PROLIFIC_PID="5f1")
    home.button(key="invited.accept").click().run()
    desk = {"who": reviewer, "dataset": LETTERS}
    assert "Practice: 0 of 1 done" in words(open_page("8_Your_studies.py", **desk))
    body = {"version": 1, "answers": {"clear": "yes"}}
    said = {"item": item, "rater": reviewer.id, "token": new_id(), "body": body}
    judging.submit(app_store, task, **said)
    told = words(open_page("8_Your_studies.py", **desk))
    assert "you gave the expected answer to 0 of 1; 1 is needed" in told
    assert "Please return the study on the platform" in told
    assert "C1ABC" not in told


def _held(store: Store, rater: Rater) -> str:
    """What they were given last."""
    given = "select item from assignment where rater = $rater order by seq desc"
    return str(store.rows(given, rater=rater.id)[0][0])
