"""Disagreements where people nearly agree are settled in one press."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs

import pytest

from medlens.config.settings import Settings
from medlens.review import consensus, judging, raters
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.own.study import open_study
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process, team_settle_near_agreements
from medlens.ui.page_frame import escape_markdown
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, all_demos, answer, form_of, sent, words
from tests.pages.test_own_study import GOOD, added


def offered(page: Any) -> dict[str, str]:
    """The items of the list, with what is said of each; all but bare majorities, which stand last,
    are checked."""
    form = form_of(page, "adjudication")
    options = form["fields"][0]["options"]
    bare = [one["value"] for one in options if "a bare majority" in one["name"]]
    every = [one["value"] for one in options]
    assert every == [*json.loads(form["values"]["items"]), *bare]
    return {one["value"]: one["name"] for one in options}


def check_all(page: Any) -> None:
    """Check every item of the list, and settle them."""
    answer(page, form_named="adjudication", items=json.dumps(list(offered(page))), submit=True)


@pytest.mark.first_quick
@all_demos
@pytest.mark.parametrize(
    ("study", "name"), [("sourcecheckup", "source_support"), ("tagging", "error_spans")]
)
def test_a_lead_settles_the_checked_items_in_one_press_and_looks_at_each_afterwards(
    open_page: OpenPage, app_store: Store, lead: Rater, study: str, name: str
) -> None:
    opened = STUDIES[study].open(app_store, Settings(), "demo")
    [task] = [one for one in STUDIES[study].tasks(opened) if one.name == name]
    here = {"who": lead, "task": name, "section": "disagreements"}
    lists = open_page("5_Team.py", **here).button_group(key="figures.settle").options
    page = open_page("5_Team.py", **here, settle="near")
    assert not page.exception
    there = offered(page)
    assert f"{len(there)} to settle together" in lists
    assert len(there) > 1
    # What is asked of all is not said again in each row.
    assert not any("Does the source support" in one for one in there.values())
    # Two against one is called what it is, and each item can be read before it is settled.
    [options] = [one["options"] for one in form_of(page, "adjudication")["fields"][:1]]
    of_three = [one["name"] for one in options if "2 of 3" in one["name"]]
    assert of_three
    assert all("2 of 3, a bare majority; the other: " in name for name in of_three)
    names = dict(app_store.rows("select id, name from item"))
    for one in options:
        query = parse_qs(one["url"].removeprefix("?"))
        assert query["divided"] == [names[one["value"]]]
        assert query["task"] == [name]
    spared, *wanted = there
    answer(page, form_named="adjudication", items="[]", submit=True)
    assert "Check the items to be settled." in words(page)
    answer(page, form_named="adjudication", items=json.dumps(wanted), submit=True)
    made = consensus.decision_lists_in_force_by_item_id(
        app_store, task, dataset="demo", viewer=lead
    )
    assert list(made) == sorted(wanted)
    assert {(len(words), words[0].together) for words in made.values()} == {(1, True)}
    page.button(key="settle.together.undo").click().run()
    assert not page.exception
    assert (
        consensus.decision_lists_in_force_by_item_id(app_store, task, dataset="demo", viewer=lead)
        == {}
    )
    form = form_of(page, "adjudication")
    assert {one["value"] for one in form["fields"][0]["options"]} == set(there)
    # The bare majorities among them have to be checked once more.
    bare = {item for item, said in there.items() if "a bare majority" in said}
    assert set(json.loads(form["values"]["items"])) == set(wanted) - bare
    answer(page, form_named="adjudication", items=json.dumps(wanted), submit=True)
    page = open_page("5_Team.py", **here, settle="near")
    assert list(offered(page)) == [spared]
    # Each has its place among the settled ones, where it can be settled again.
    called = dict(app_store.rows("select id, name from item"))
    page = open_page("5_Team.py", **here, settle="settled", divided=called[wanted[0]])
    assert f"{lead.name}; settled together with others" in words(page)
    assert form_of(page, "adjudication")["submit"] == "Settle it again"
    withdraw = f"settle.withdraw.{wanted[0]}.3"
    page.text_input(key=f"{withdraw}.why").input("Read too fast.")
    page.button(key=withdraw).click().run()
    assert not page.exception
    assert f"**Not settled.** {lead.name} withdrew the decision: Read too fast" in words(page)
    assert form_of(page, "adjudication")["submit"] == "Settle it"
    standing = consensus.decision_lists_in_force_by_item_id(
        app_store, task, dataset="demo", viewer=lead
    )
    assert list(standing) == sorted(wanted[1:])
    # Having read most people's answers, a lead is not blind to any that was listed.
    seen = app_store.column("select item from reveal where rater = $rater", rater=lead.id)
    assert set(seen) == set(there)


@pytest.mark.deep
@all_demos
def test_what_another_lead_settles_meanwhile_is_left_alone_and_named(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    opened = STUDIES["sourcecheckup"].open(app_store, Settings(), "demo")
    [task] = [one for one in STUDIES["sourcecheckup"].tasks(opened) if one.name == "source_support"]
    page = open_page("5_Team.py", who=lead, task=task.name, section="disagreements", settle="near")
    first = next(iter(offered(page)))
    every = json.dumps(list(offered(page)))
    lars = raters.find_or_add_rater_by_name(app_store, "Lars", role="lead")
    consensus.record_adjudication(
        app_store, task, item=first, body=None, reason="None is right.", by=lars
    )
    answer(page, form_named="adjudication", items=every, submit=True)
    name = app_store.value("select name from item where id = $item", item=first)
    assert f"their decision stands: {escape_markdown(name)}" in words(page)
    [word] = consensus.decision_lists_in_force_by_item_id(
        app_store, task, dataset="demo", viewer=lead
    )[first]
    assert (word.by, word.together) == ("Lars", False)


@pytest.mark.deep
@all_demos
def test_what_was_unchecked_waits_unchecked_at_the_end_while_the_next_items_come(
    open_page: OpenPage, app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = {"who": lead, "task": "source_support", "section": "disagreements"}
    every = list(offered(open_page("5_Team.py", **here, settle="near")))
    assert len(every) > 3
    monkeypatch.setattr(team_settle_near_agreements, "_MOST", 2)
    page = open_page("5_Team.py", **here, settle="near")
    assert list(offered(page)) == every[:2]
    assert f"2 of the {len(every)} that wait are listed." in words(page)
    assert (
        form_of(page, "adjudication")["submit"] == "Settle all that are checked, and see the next"
    )
    spared, settled, *others = every
    answer(page, form_named="adjudication", items=json.dumps([settled]), submit=True)
    assert [one.value for one in page.success] == [
        "1 item is settled together. Each can be changed under Settled."
    ]
    assert list(offered(page)) == others[:2]
    while len(others) > 1:
        check_all(page)
        others = others[2:]
    form = form_of(page, "adjudication")
    assert [one["value"] for one in form["fields"][0]["options"]] == [*others, spared]
    assert spared not in json.loads(form["values"]["items"])
    assert "one that you unchecked before stands last, unchecked." in words(page).lower()
    assert form["submit"] == "Settle all that are checked"


class TestOwnStudies:
    @pytest.fixture
    def filled_by(self) -> tuple[Fill, ...]:
        return (added("long_answers", "preference"),)

    @pytest.mark.deep
    def test_answers_to_questions_on_each_of_which_another_rater_is_alone_are_put_together(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        study = open_study(
            app_store, settings_store_and_runs_of_process.current_settings(), "long_answers"
        )
        items = app_store.column("select id from item where dataset = 'long_answers' order by seq")
        differing = (GOOD | {"understood": "no"}, GOOD | {"bias": "yes"}, GOOD | {"recalled": "no"})
        for item in items[:2]:
            for name, answers in zip(("Ada", "Bo", "Cy"), differing, strict=True):
                body = {"version": 1, "answers": answers}
                rater = raters.find_or_add_rater_by_name(app_store, name).id
                row = judging.make_imported_judgment_row(
                    study.task.name, item, rater, study.task.parse(body)
                )
                app_store.append("judgment", row)
        asked = {"task": "own_questions", "dataset": "long_answers", "section": "disagreements"}
        page = open_page("5_Team.py", who=lead, **asked, settle="near")
        assert list(offered(page)) == items[:2]
        assert "all but one of 3 on each question, a bare majority" in sent(page)
        every = json.dumps(items[:2])
        answer(page, form_named="adjudication", items=every, reason="As most.", submit=True)
        made = consensus.decision_lists_in_force_by_item_id(
            app_store, study.task, dataset="long_answers", viewer=lead
        )
        assert [(one.value.answers, one.reason) for [one] in made.values()] == [
            (GOOD, "As most.")
        ] * 2

    def test_arms_side_by_side_have_letters_in_the_list_and_names_in_the_decision(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        study = open_study(
            app_store, settings_store_and_runs_of_process.current_settings(), "preference"
        )
        items = app_store.column("select id from item where dataset = 'preference' order by seq")
        same = {
            **{f"safe / model {arm}": "yes" for arm in "AB"},
            **{f"correct / model {arm}": 4 for arm in "AB"},
            "comment": "A is cold.",
        }
        for item in items[:2]:
            for number, better in enumerate(("model A", "model A", "model B")):
                answers = same | {"better": f"{better}, clearly"}
                order = ["model A", "model B"][:: 1 - 2 * (number % 2)]
                body = {"version": 1, "answers": answers, "order": order}
                rater = raters.find_or_add_rater_by_name(app_store, f"Rater {number}").id
                row = judging.make_imported_judgment_row(
                    study.task.name, item, rater, study.task.parse(body)
                )
                app_store.append("judgment", row)
        asked = {"task": study.task.name, "dataset": "preference", "section": "disagreements"}
        page = open_page("5_Team.py", who=lead, **asked, settle="near")
        assert len(offered(page)) == 2
        assert "model A" not in sent(page)
        check_all(page)
        made = consensus.decision_lists_in_force_by_item_id(
            app_store, study.task, dataset="preference", viewer=lead
        )
        assert {one.value.answers["better"] for [one] in made.values()} == {"model A, clearly"}
