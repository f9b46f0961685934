"""Flags and questions are answered in place, and items returned to who judged them."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from medlens.review import assignment, consensus, remarks
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.models import ErrorSpans
from medlens.ui import workshop
from tests.pages.conftest import OpenPage, answer, component, parts, words


def press(page: AppTest, label: str) -> None:
    next(b for b in page.button if b.label == label).click().run()
    assert not page.exception


def talk(page: AppTest) -> str:
    """What the button says that opens what the lead said."""
    labels = [part.proto.popover.label for part in parts(page._tree) if part.type == "popover"]
    return next(one for one in labels if "lead" in one)


def test_a_question_asked_at_the_desk_is_answered_on_team_and_seen_on_home(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    desk = open_page("1_Tag_errors.py", who=reviewer)
    item = desk.query_params["item"]
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
    assert remarks.waiting(app_store, rater=reviewer.id) == []


def test_the_row_that_is_chosen_is_the_one_whose_answer_is_asked_for(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [task] = STUDIES["tagging"].tasks(
        STUDIES["tagging"].open(app_store, workshop.settings(), "demo")
    )
    for _ in range(2):
        item = assignment.next_item(app_store, task, HandOut(), dataset="demo", rater=reviewer.id)
        assert item
        me = {"rater": reviewer.id, "by": reviewer}
        remarks.say(app_store, task, item=item, kind="unclear", text="Which?", **me)
        assignment.note(app_store, task, HandOut(), item=item, rater=reviewer.id, kind="skip")
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


def test_an_item_is_returned_and_leads_its_rater_back_to_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    [task] = STUDIES["tagging"].tasks(
        STUDIES["tagging"].open(app_store, workshop.settings(), "demo")
    )
    item = assignment.next_item(app_store, task, HandOut(), dataset="demo", rater=reviewer.id)
    assert item
    said = ErrorSpans(comment="I am not sure of this.").model_dump(mode="json")
    row = {"task": task.name, "item": item, "rater": reviewer.id, "revision": 1, "body": said}
    kept = {"blind": True, "origin": "app", "complete": True}
    app_store.append("judgment", {"id": new_id(), **row, **kept})

    def theirs() -> int:
        found = consensus.judgments(app_store, task, dataset="demo", viewer=lead)
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
    press(home, "Judge it again")
    assert component(home, "span_tagger")
    desk = open_page("1_Tag_errors.py", who=reviewer, item=home.query_params["item"])
    assert talk(desk) == "2 from your lead"
    app_store.append("judgment", {"id": new_id(), **row, **kept, "revision": 2})
    assert theirs() == 1
    assert "Returned to you" not in words(open_page(who=reviewer))
