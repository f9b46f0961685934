"""Leads edit what reviewers are told, and reviewers are told that it changed."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import (
    assignment,
    consensus,
    guideline,
    items,
    judging,
    raters,
    remarks_between_raters_and_leads,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.page_frame import escape_markdown
from tests.pages.conftest import OpenPage, answer, component, form_of, parts, words


def tagging(store: Store) -> Task:
    [task] = STUDIES["tagging"].tasks(
        STUDIES["tagging"].open(
            store, settings_store_and_runs_of_process.current_settings(), "demo"
        )
    )
    return task


def popover(page: AppTest) -> str:
    labels = [part.proto.popover.label for part in parts(page._tree) if part.type == "popover"]
    # What is new is bold, which keeps its words in a small window.
    return next(one for one in labels if one.strip("*").startswith("Guideline"))


def judge(store: Store, task: Task, who: Rater) -> str:
    item = assignment.give_next_item_and_return_id(
        store, task, HandOut(), dataset="demo", rater=who.id
    )
    assert item
    quote = items.item_body(store, item)["response"][:3]
    mark = ErrorSpan(start=0, end=3, quote=quote, labels=("reasonable_response",))
    body = ErrorSpans(spans=(mark,)).model_dump(mode="json")
    judging.submit_judgment(store, task, item=item, rater=who.id, token=new_id(), body=body)
    return item


def test_a_lead_writes_a_version_and_who_worked_under_another_is_told_once(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = tagging(app_store)
    judge(app_store, task, reviewer)
    assert popover(open_page("1_Tag_errors.py", who=reviewer)) == "Guideline"

    team = open_page("5_Team.py", who=lead, section="guideline")
    answer(team, form_named="guideline", text="A dose is a claim.", submit=True)
    [table] = [one.value for one in team.dataframe]
    assert table[["version", "by", "judgments", "people", "text"]].values.tolist() == [
        [1, "", 0, 0, task.question],
        [2, "", 1, 1, task.guidelines[0]],
        [3, "Lena Lead", 0, 0, "A dose is a claim."],
    ]

    desk = open_page("1_Tag_errors.py", who=reviewer)
    assert popover(desk) == "**Guideline: changed**"
    assert "A dose is a claim" in words(desk)
    # Told once: closed, it does not open again.
    desk.session_state["error_spans.guideline"] = False
    assert "A dose is a claim" not in words(desk.run())
    # Somebody new has nothing to unlearn.
    assert popover(open_page("1_Tag_errors.py", who=lead)) == "Guideline"


def test_an_answer_to_what_is_unclear_becomes_part_of_the_guideline(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = tagging(app_store)
    item = judge(app_store, task, reviewer)
    of = {"item": item, "rater": reviewer.id, "by": reviewer}
    remarks_between_raters_and_leads.store_remark_on_work(
        app_store, task, **of, kind="unclear", text="Is a dose a claim?"
    )
    team = open_page("5_Team.py", who=lead, unclear=f"unclear|{item}|{reviewer.id}")
    assert "Is a dose a claim?" in words(team)
    answer(team, form_named="remark", text="A dose is a claim.", do="answer", submit=True)
    now = guideline.current_guideline(app_store, task, dataset="demo")
    assert now.version == 3
    assert now.text == f"{task.guidelines[0]}\n\nA dose is a claim."
    [told] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(
        app_store, rater=reviewer.id
    )
    assert told.text == "A dose is a claim."


@pytest.mark.deep
def test_an_adjudicator_goes_on_past_what_another_has_and_says_where_it_is_unclear(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    task = tagging(app_store)
    judged = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
    table = consensus.disagreements_table(task, judged)
    first, second = table[["item_id", "item"]].to_numpy()[:2]
    other = raters.find_or_add_rater_by_name(app_store, "Lars Lead", role="lead")
    assert consensus.claim_item_or_name_holder(app_store, task, item=str(first[0]), by=other) == ""

    page = open_page("5_Team.py", who=lead, divided=str(first[1]))
    assert "Lars Lead is settling this item now" in words(page)
    with pytest.raises(ValueError, match="not enough values"):
        form_of(page, "adjudication")
    # The next one is past it, by a key as well.
    page = open_page("5_Team.py", who=lead, section="disagreements")
    [onward] = [one for one in page.button if one.label == "Next"]
    onward.click().run()
    assert page.query_params["divided"] == str(second[1])
    form = form_of(page, "adjudication")
    assert form["keys"]
    [options] = [one["options"] for one in form["fields"] if one["id"] == "answer"]
    assert {one["value"]: one["key"] for one in options if one.get("key")}["B"] == "2"

    # What Next leads to is on the page already, out of sight, and nobody's yet.
    def shown() -> list[str]:
        return [str(one.value)[4:] for one in page.markdown if str(one.value).startswith("### ")]

    def sent() -> dict[str, object]:
        told = dict(json.loads(component(page, "next_item").proto.json))
        return {name: told[name] for name in ("open", "ways")}

    ids, names = table["item_id"].tolist(), [escape_markdown(one) for one in table["item"]]
    assert shown() == names[1:3]
    assert sent() == {"open": 0, "ways": ["j"]}
    assert consensus.names_of_other_adjudicators_by_item(app_store, task, by=other) == {
        ids[1]: "Lena Lead"
    }
    # Opened, it stays in its place; the one after it takes the other.
    page.button(key="settle.Next").click().run()
    assert shown() == [names[3], names[2]]
    assert sent() == {"open": 1, "ways": ["j"]}
    assert form_of(page, "adjudication")["item"] == f"error_spans.{ids[2]}.0"
    assert consensus.names_of_other_adjudicators_by_item(app_store, task, by=other) == {
        ids[2]: "Lena Lead"
    }
    seen = app_store.column("select item from reveal where rater = $rater", rater=lead.id)
    assert set(seen) == set(ids[1:4])
    # Not what this lead is still to judge blind.
    all_ = HandOut(raters_per_item=50, items_per_rater=1000)
    while assignment.give_next_item_and_return_id(
        app_store, task, all_, dataset="demo", rater=lead.id
    ):
        pass
    page.button(key="settle.Next").click().run()
    assert shown() == [names[3]]
    assert sent() == {"open": 0, "ways": []}
    page.button(key="settle.Previous").click().run()
    page.button(key="settle.Previous").click().run()
    # The next one, seen but not this lead's to judge, is ready behind it.
    assert shown() == [names[1], names[2]]

    # A settled item that another has open can be read, and settled again when they leave it.
    body = judged["value"][judged["item_id"] == ids[0]].iloc[0].model_dump(mode="json")
    consensus.record_adjudication(
        app_store, task, item=ids[0], body=body, reason="As marked.", by=other
    )
    settled = open_page("5_Team.py", who=lead, divided=str(first[1]), settle="all", word="write")
    assert f"As marked. ({other.name})" in words(settled).replace("\\", "")
    assert "Lars Lead is settling this item now" in words(settled)
    with pytest.raises(ValueError, match="not enough values"):
        form_of(settled, "adjudication")
    open_page("5_Team.py", who=other, section="disagreements")
    assert form_of(settled.run(), "adjudication")
    assert "is settling this item now" not in words(settled)

    page.session_state["error_spans.settle.unclear"] = True
    page.run()
    answer(page, form_named="unclear", text="Is a dose a claim?", submit=True)
    found = remarks_between_raters_and_leads.remarks_for_leads_table(
        app_store, task, dataset="demo", viewer=lead
    )
    assert found[["what", "item", "rater", "says"]].values.tolist()[0] == [
        *("unclear", str(second[1]), "Lena Lead", "Is a dose a claim?")
    ]
