"""Flags and questions are answered in place, and items returned to who judged them."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import (
    assignment,
    consensus,
    items,
    judging,
    raters,
    remarks_between_raters_and_leads,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.ui import settings_store_and_runs_of_process
from tests.handles import item_called, name_called
from tests.pages.conftest import OpenPage, answer, component, parts, words

_NAME = "select name from item_now where id = $item"


def body_of(store: Store, item: str, comment: str = "") -> dict[str, object]:
    """An answer with a mark on the first word."""
    quote = items.item_body(store, item)["response"][:3]
    mark = ErrorSpan(start=0, end=3, quote=quote, labels=("reasonable_response",))
    return ErrorSpans(spans=(mark,), comment=comment).model_dump(mode="json")


def press(page: AppTest, label: str) -> None:
    next(b for b in page.button if b.label == label).click().run()
    assert not page.exception


def talk(page: AppTest) -> str:
    """What the button says that opens what the lead said."""
    labels = [part.proto.popover.label for part in parts(page._tree) if part.type == "popover"]
    return next(one for one in labels if "lead" in one)


def test_leads_who_judge_are_not_told_to_ask_their_lead(open_page: OpenPage, lead: Rater) -> None:
    desk = open_page("1_Tag_errors.py", who=lead)
    labels = [part.proto.popover.label for part in parts(desk._tree) if part.type == "popover"]
    assert "Guideline" in labels
    assert not [one for one in labels if "lead" in one]


@pytest.mark.deep
def test_a_question_asked_at_the_desk_is_answered_on_team_and_seen_on_home(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    desk = open_page("1_Tag_errors.py", who=reviewer)
    item = name_called(app_store, desk.query_params["item"])
    assert talk(desk) == "Ask your lead"
    desk.session_state["error_spans.remarks"] = True
    desk.run()
    answer(desk, form_named="unclear", text="Is a dose a claim?", submit=True)
    assert "Sent." in "\n".join(one.value for one in desk.success)

    team = open_page("5_Team.py", who=lead)
    assert "1 flag or question to answer" in {one.proto.label for one in team.get("page_link")}
    team = open_page("5_Team.py", who=lead, section="flags")
    [table] = [one.value for one in team.dataframe]
    assert table[["what", "item", "rater", "says"]].values.tolist() == [
        ["Guideline unclear", item, reviewer.name, "Is a dose a claim?"]
    ]
    [asked] = table["id"]
    team = open_page("5_Team.py", who=lead, asked=asked)
    answer(team, form_named="remark", submit=True)
    assert "Nothing is said yet." in words(team)
    answer(team, form_named="remark", text="It is.", submit=True)
    assert "Nothing waits for an answer." in words(
        open_page("5_Team.py", who=lead, section="flags")
    )

    home = open_page(who=reviewer)
    assert "Lena Lead: It is" in words(home)
    press(home, "Seen")
    assert "From your lead" not in words(home)
    assert (
        remarks_between_raters_and_leads.list_remarks_awaiting_rater(app_store, rater=reviewer.id)
        == []
    )


def test_the_row_that_is_chosen_is_the_one_whose_answer_is_asked_for(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [task] = STUDIES["tagging"].tasks(
        STUDIES["tagging"].open(
            app_store, settings_store_and_runs_of_process.current_settings(), "demo"
        )
    )
    for _ in range(2):
        item = assignment.give_next_item_and_return_id(
            app_store, task, HandOut(), dataset="demo", rater=reviewer.id
        )
        assert item
        me = {"rater": reviewer.id, "by": reviewer}
        remarks_between_raters_and_leads.store_remark_on_work(
            app_store, task, item=item, kind="unclear", text="Which?", **me
        )
        assignment.record_opened_skipped_or_flagged(
            app_store, task, HandOut(), item=item, rater=reviewer.id, kind="skip"
        )
    [table] = [one.value for one in open_page("5_Team.py", who=lead, section="flags").dataframe]
    first, second = table["id"]

    def chosen(page: AppTest, key: str) -> list[int]:
        return list(page.session_state[key].selection.rows)

    team = open_page("5_Team.py", who=lead, asked=second)
    assert chosen(team, f"flags.table.1.{second}") == [1]
    team = open_page("5_Team.py", who=lead, asked=first)
    assert chosen(team, f"flags.table.0.{first}") == [0]
    # Answered, it leaves the list; the one that takes its place was not chosen.
    answer(team, form_named="remark", text="The second.", submit=True)
    assert f"flags.table.0.{first}" not in team.session_state
    assert chosen(team, "flags.table") == []


@pytest.mark.deep
def test_an_item_is_returned_and_leads_its_rater_back_to_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [task] = STUDIES["tagging"].tasks(
        STUDIES["tagging"].open(
            app_store, settings_store_and_runs_of_process.current_settings(), "demo"
        )
    )
    item = assignment.give_next_item_and_return_id(
        app_store, task, HandOut(), dataset="demo", rater=reviewer.id
    )
    assert item
    said = ErrorSpans(comment="I am not sure of this.").model_dump(mode="json")
    row = {"task": task.name, "item": item, "rater": reviewer.id, "revision": 1, "body": said}
    kept = {"blind": True, "origin": "app", "complete": True}
    app_store.append("judgment", {"id": new_id(), **row, **kept})

    def theirs() -> int:
        found = consensus.current_judgments(app_store, task, dataset="demo", viewer=lead)
        return int((found["rater_id"] == reviewer.id).sum())

    team = open_page("5_Team.py", who=lead, section="flags", which="comments")
    table = team.dataframe[0].value
    [asked] = table["id"][table["rater"] == reviewer.name]
    team = open_page("5_Team.py", who=lead, asked=asked)
    answer(team, form_named="remark", text="Which of these do you doubt?", submit=True)
    assert theirs() == 1
    team = open_page("5_Team.py", who=lead, asked=asked)
    answer(team, form_named="remark", text="Read the options again.", do="out", submit=True)
    assert theirs() == 0

    home = open_page(who=reviewer)
    assert "**Returned to you**" in words(home)
    assert "Read the options again" in words(home)
    assert "Tag errors: 20 left, 1 of them sent back to you" in words(home)
    desk = open_page("1_Tag_errors.py", who=reviewer)
    assert item_called(app_store, desk.query_params["item"]) == item
    assert json.loads(component(desk, "span_tagger").proto.json)["progress"]["sent_back"] == (
        "sent back to you"
    )
    press(home, "Judge it again")
    assert component(home, "span_tagger")
    desk = open_page("1_Tag_errors.py", who=reviewer, item=home.query_params["item"])
    assert talk(desk) == "**2 from your lead**"
    app_store.append("judgment", {"id": new_id(), **row, **kept, "revision": 2})
    assert theirs() == 1
    assert "Returned to you" not in words(open_page(who=reviewer))


@pytest.mark.deep
def test_a_flag_that_was_judged_since_stays_on_team_with_all_that_was_said_of_the_item(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    study = STUDIES["tagging"].open(
        app_store, settings_store_and_runs_of_process.current_settings(), "demo"
    )
    item = assignment.give_next_item_and_return_id(
        app_store, study.task, HandOut(), dataset="demo", rater=reviewer.id
    )
    assert item
    of = {"item": item, "rater": reviewer.id}
    flag = {"kind": "flag", "reason": "It is cut off."}
    assignment.record_opened_skipped_or_flagged(app_store, study.task, HandOut(), **of, **flag)

    def opened() -> AppTest:
        team = open_page("5_Team.py", who=lead, section="flags")
        [row] = team.dataframe[0].value.to_dict("records")
        assert (row["says"], row["rater"]) == ("It is cut off.", reviewer.name)
        shown.append(row["what"])
        return open_page("5_Team.py", who=lead, asked=row["id"])

    def seen() -> int:
        return int(app_store.value("select count(*) from reveal where rater = $id", id=lead.id))

    shown: list[str] = []
    item_text = words(opened())
    assert "**Rosa Reviewer** flagged it: It is cut off" in item_text
    # The demo's people have judged it, but their answers are not shown here.
    commented = " commented: " in item_text
    assert seen() == commented
    body = body_of(app_store, item, "It ends early.")
    judging.submit_judgment(app_store, study.task, **of, token=new_id(), body=body)
    back = {"kind": "return", "text": "Mark the end.", "by": lead, "counts": False}
    remarks_between_raters_and_leads.store_remark_on_work(app_store, study.task, **of, **back)
    told = words(open_page("5_Team.py", who=lead, asked=f"flag|{item}|{reviewer.id}"))
    lines = (
        "**Rosa Reviewer** flagged it: It is cut off",
        "**Rosa Reviewer** commented: It ends early",
        "**Lena Lead** returned it to Rosa Reviewer, not counted until they judge it again: Mark",
    )
    places = [told.index(line) for line in lines]
    assert places == sorted(places)
    # The lead has read an answer: what they judge of it from here on is not blind.
    assert seen() == 1
    team = open_page("5_Team.py", who=lead, section="flags", which="all")
    [what] = [
        row["what"]
        for row in team.dataframe[0].value.to_dict("records")
        if row["rater"] == reviewer.name and row["says"] == "It is cut off."
    ]
    assert (shown, what) == (["Flagged"], "Flagged, judged since")


def test_who_settles_an_item_reads_what_was_said_of_it_without_raters_names(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    study = STUDIES["tagging"].open(
        app_store, settings_store_and_runs_of_process.current_settings(), "demo"
    )
    judged = consensus.current_judgments(app_store, study.task, dataset="demo", viewer=lead)
    item = str(consensus.disagreements_table(study.task, judged)["item_id"].iloc[0])
    first, second = judged[judged["item_id"] == item][["rater_id", "rater"]].to_numpy()[:2]
    for rater, reason in ((second, "It is cut off."), (first, "It has no title.")):
        event = {"id": new_id(), "task": study.task.name, "item": item, "rater": rater[0]}
        said = {"kind": "flag", "reason": reason, "lease_until": None}
        app_store.append("assignment_event", event | said)
    remarks_between_raters_and_leads.store_remark_on_work(
        app_store, study.task, item=item, rater=first[0], kind="answer", text="So it is.", by=lead
    )
    page = open_page("5_Team.py", who=lead, divided=str(app_store.value(_NAME, item=item)))
    lines = [
        line.split(" :gray")[0].replace("\u2060", "").replace("\\.", ".")
        for line in (str(one.value) for one in page.markdown)
        if " flagged it: " in line or " answered " in line
    ]
    numbers = [line.split("**")[1] for line in lines[:2]]
    assert len(set(numbers)) == 2
    assert lines == [
        f"**{numbers[0]}** flagged it: It is cut off.",
        f"**{numbers[1]}** flagged it: It has no title.",
        f"**Lena Lead** answered {numbers[1]}: So it is.",
    ]
    assert all(number.startswith("Rater ") for number in numbers)
    assert str(first[1]) not in words(page)
    assert str(second[1]) not in words(page)


def test_what_a_lead_wrote_about_their_own_work_does_not_come_back_to_them_on_home(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    [task] = STUDIES["tagging"].tasks(
        STUDIES["tagging"].open(
            app_store, settings_store_and_runs_of_process.current_settings(), "demo"
        )
    )
    other = raters.find_or_add_rater_by_name(app_store, "Lara Lead", role="lead")
    item = assignment.give_next_item_and_return_id(
        app_store, task, HandOut(), dataset="demo", rater=lead.id
    )
    assert item
    told = {"item": item, "rater": lead.id, "kind": "answer"}
    remarks_between_raters_and_leads.store_remark_on_work(
        app_store, task, **told, text="I corrected it.", by=lead
    )
    assert "I corrected it" not in words(open_page(who=lead))
    remarks_between_raters_and_leads.store_remark_on_work(
        app_store, task, **told, text="Thank you.", by=other
    )
    home = words(open_page(who=lead)).replace("\\", "")
    assert "**Answered**: item “demo" in home
    assert "Thank you" in home
