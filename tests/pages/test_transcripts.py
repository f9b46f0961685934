"""The transcript page: who sees what when, what is saved, and where a link leads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from medlens import llm
from medlens.errors import StoreUnavailable
from medlens.review import hand_out_settings, judging, remarks_between_raters_and_leads
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.agentclinic import diagnosis_verdicts, queries, tasks
from medlens.studies.agentclinic.records import Dialogue, Turn
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.answer_form import Said
from medlens.ui.checked_messages_from_browser import parse_browser_message_or_none
from tests.conftest import Fill
from tests.handles import name_called
from tests.pages.conftest import OpenPage, answer, component, form_of, line_control, say, words

PAGE = "2_Read_transcripts.py"


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (STUDIES["tagging"].demo, STUDIES["agentclinic"].demo)


@pytest.fixture
def clinic(app_store: Store) -> Store:
    return app_store


def name_of(page: AppTest) -> str:
    return name_called(
        settings_store_and_runs_of_process.store_of_process(), page.query_params["item"]
    )


def item_of(page: AppTest) -> str:
    return queries.item_id_made_from_name("demo", name_of(page))


def talk(page: AppTest) -> Any:
    """The conversation, or the list and what is read of it."""
    return component(page, "conversation")


def shown(page: AppTest) -> Any:
    """What the browser was told of the conversation, or of the list and what is read of it."""
    return json.loads(talk(page).proto.json)


def marking(page: AppTest) -> Any:
    return shown(page)["marking"]


def mark_turns(page: AppTest, key: str, marks: list[Any], *, token: str, **other: Any) -> None:
    """All marks of a dialogue, as the browser sends them."""
    told = marking(page)
    known = {"session": told["session"], "base": told["rev"]}
    say(page, talk(page), {"token": token, "key": key, "marks": marks, **known, **other})


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def rate(page: AppTest, **scores: int) -> None:
    answer(page, **{scale: str(score) for scale, score in scores.items()})


def test_a_reviewer_sees_the_dialogue_and_its_case_but_nothing_of_models_or_outcome(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    assert not page.exception
    said = words(page) + "".join(button.label for button in page.button)
    one = queries.load_dialogue(clinic, item_of(page))
    case = queries.load_cases_by_name(clinic, "demo")[one.case].case
    assert case.diagnosis in said.replace("\\", "")
    assert one.turns[0].text in said
    assert "demo-a" not in said
    assert "demo-b" not in said
    assert one.reason not in said
    assert clinic.rows("select count(*) from reveal where rater = $r", r=reviewer.id) == [(0,)]


def test_every_change_is_a_draft_and_submitting_goes_on(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    first = item_of(page)
    assert not [one for one in page.caption if "saved" in one.value]
    # Of an item that nobody has touched nothing is saved by submitting it.
    press(page, "Submit")
    assert "4 answers are missing" in words(page)
    page = open_page(PAGE, who=reviewer)
    assert item_of(page) == first
    assert "saved" not in words(page)
    rate(page, doctor=7)
    assert "saved " in words(page)
    saved = judging.load_draft_or_current_judgment(
        clinic, tasks.DialogueRealismTask(), item=first, rater=reviewer.id
    )
    assert saved.value.doctor == 7
    press(page, "Submit")
    assert "3 answers are missing" in words(page)
    rate(page, patient=8, measurement=6, empathy=5)
    answer(page, doctor_comment="Calm", submit=True)
    assert item_of(page) != first
    assert "Item 1 submitted" in words(page)
    [(body, blind)] = clinic.rows(
        "select body, blind from judgment where rater = $r", r=reviewer.id
    )
    value = tasks.Realism.model_validate_json(body)
    scores = (value.doctor, value.patient, value.measurement, value.empathy)
    assert scores == (7, 8, 6, 5)
    assert value.doctor_comment == "Calm"
    assert blind


def test_a_turn_is_marked_from_its_head_with_the_marks_of_its_speaker(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    item = item_of(page)
    fitting = {kind["name"] for kind in shown(page)["marking"]["kinds"] if 1 in kind["turns"]}
    assert "Verbose" not in fitting
    # Whoever was told to be biased: which turns can have it would tell.
    assert "Resists the bias" in fitting
    mark = {"turn": 1, "mark": "fixation", "comment": ""}
    mark_turns(page, item, [mark], token="a")
    mark["comment"] = "One idea"
    mark_turns(page, item, [mark], token="b")
    saved = judging.load_draft_or_current_judgment(
        clinic, tasks.DialogueRealismTask(), item=item, rater=reviewer.id
    )
    assert saved.value.marks == (tasks.TurnMark(turn=1, mark="fixation", comment="One idea"),)
    marking = shown(page)["marking"]
    assert (marking["marks"], marking["ack"]) == ([mark], "b")
    assert "Fixation" in fitting


@pytest.mark.deep
def test_what_was_said_of_a_dialogue_is_kept_on_it_when_another_has_been_put_up_since(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    first, handle = item_of(page), page.query_params["item"]
    rate(page, doctor=7, patient=8, measurement=6, empathy=5)
    press(page, "Submit")
    second = item_of(page)
    # The next and the one before are there to be shown at a press, and nothing of who played.
    ahead = shown(page)["ahead"]
    assert [(move["key"], move["to"]) for move in ahead["moves"]] == [("k", handle)]
    turns = queries.load_dialogue(clinic, first).turns
    assert ahead["turns"][handle][0]["text"] == turns[0].text
    sent = words(page)
    assert "demo-a" not in sent
    assert "demo-b" not in sent
    assert all(turn.speaker != "moderator" or turn.text not in sent for turn in turns)
    mark = {"turn": 1, "mark": "fixation", "comment": "late"}
    mark_turns(page, first, [mark], token="a")
    task = tasks.DialogueRealismTask()
    late = judging.load_draft_or_current_judgment(clinic, task, item=first, rater=reviewer.id).value
    assert (late.doctor, [one.comment for one in late.marks]) == (7, ["late"])
    assert (
        judging.load_draft_or_current_judgment(clinic, task, item=second, rater=reviewer.id).value
        is None
    )
    for bad in ({"key": "no such", "marks": [mark]}, {"key": second, "marks": [{"turn": "1"}]}):
        say(page, talk(page), {"token": "c", "session": marking(page)["session"], "base": 0, **bad})
    assert (
        judging.load_draft_or_current_judgment(clinic, task, item=second, rater=reviewer.id).value
        is None
    )


def test_what_another_tab_saved_is_shown_and_never_overwritten_unasked(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    item = item_of(page)
    judging.save_draft(
        clinic,
        tasks.DialogueRealismTask(),
        item=item,
        rater=reviewer.id,
        base=0,
        token=new_id(),
        body={"doctor": 2},
    )
    rate(page, doctor=9)
    page.run()
    assert "Changed in another tab" in words(page)
    assert "doctor: here 9, there 2" in words(page)
    press(page, "Keep this version")
    task = tasks.DialogueRealismTask()
    assert (
        judging.load_draft_or_current_judgment(
            clinic, task, item=item, rater=reviewer.id
        ).value.doctor
        == 9
    )
    assert "Changed in another tab" not in words(page)


@pytest.mark.deep
def test_a_choice_between_two_tabs_outlasts_moves_and_a_leads_change_of_settings(
    open_page: OpenPage, clinic: Store, reviewer: Rater, lead: Rater
) -> None:
    task, page = tasks.DialogueRealismTask(), open_page(PAGE, who=reviewer)
    item = item_of(page)
    of: dict[str, Any] = {"item": item, "rater": reviewer.id}
    judging.save_draft(clinic, task, base=0, token=new_id(), body={"doctor": 2}, **of)
    rate(page, doctor=9)
    page.run()
    press(page, "Skip")
    assert item_of(page) == item
    hand_out_settings.change_task_settings(
        clinic, task.name, "demo", {"lease_minutes": 77}, by=lead
    )
    page.run()
    assert item_of(page) == item
    assert "doctor: here 9, there 2" in words(page)
    press(page, "Use the other tab's")
    press(page, "Skip")
    assert item_of(page) != item
    assert page.session_state[f"{task.name}.desk"][1].settings.lease_minutes == 77


def test_what_another_tab_went_on_to_submit_is_what_is_shown_and_taken(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    task, page = tasks.DialogueRealismTask(), open_page(PAGE, who=reviewer)
    item = item_of(page)
    scores = {"doctor": 2, "patient": 4, "measurement": 8, "empathy": 8}
    of: dict[str, Any] = {"item": item, "rater": reviewer.id}
    judging.save_draft(clinic, task, base=0, token=new_id(), body={"doctor": 2}, **of)
    rate(page, doctor=9)
    page.run()
    assert "patient" not in conflict(page)
    judging.submit_judgment(clinic, task, base=1, token=new_id(), body=scores, **of)
    page.run()
    assert "Submitted in another tab" in words(page)
    assert "patient: here nothing, there 4" in words(page)
    # It had not been drawn again when the choice was made.
    judging.submit_judgment(clinic, task, base=2, token=new_id(), body=scores | {"doctor": 3}, **of)
    press(page, "Use the other tab's")
    assert "another tab" not in words(page)
    desk = page.session_state[f"{task.name}.desk"][1]
    assert (desk.body["doctor"], desk.body["patient"]) == (3, 4)
    assert "submitted" in " ".join(one.value for one in page.caption)
    assert "not submitted" not in words(page)


def conflict(page: AppTest) -> str:
    return "\n".join(one.value for one in page.text)


@pytest.mark.deep
def test_marks_from_before_the_server_was_started_anew_write_over_nothing_saved_since(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    task = tasks.DialogueRealismTask()
    before = open_page(PAGE, who=reviewer)
    item = item_of(before)
    held = judging.save_draft(
        clinic, task, item=item, rater=reviewer.id, base=0, token=new_id(), body={"doctor": 2}
    )
    page = open_page(PAGE, who=reviewer)
    mine = [{"turn": 1, "mark": "fixation", "comment": "mine"}]

    def marks() -> list[str]:
        value = judging.load_draft_or_current_judgment(
            clinic, task, item=item, rater=reviewer.id
        ).value
        return [one.comment for one in value.marks]

    # Nothing was saved since: it is kept. Another tab has saved since: it is shown, not kept.
    mark_turns(page, item, mine, token="a", session="earlier", base=held.revision)
    assert marks() == ["mine"]
    page = open_page(PAGE, who=reviewer)
    late = [{**mine[0], "comment": "late"}]
    mark_turns(page, item, late, token="b", session="earlier", base=held.revision)
    assert marks() == ["mine"]
    page.run()
    assert "Changed in another tab" in words(page)
    press(page, "Use the other tab's")
    assert marking(page)["marks"] == mine
    # The same again, as one that had been heard before the end, is no conflict.
    mark_turns(page, item, mine, token="c", session="earlier", base=held.revision)
    assert marking(page)["ack"] == "c"
    page.run()
    assert "Changed in another tab" not in words(page)
    # Of a dialogue that was left they are kept where nothing was saved since, and else not.
    held = judging.load_draft_or_current_judgment(clinic, task, item=item, rater=reviewer.id)
    press(page, "Skip")
    assert item_of(page) != item
    mark_turns(page, item, late, token="d", session="earlier", base=held.revision)
    mark_turns(page, item, [], token="e", session="earlier", base=held.revision)
    assert marks() == ["late"]


def test_who_played_is_shown_after_submitting_when_asked_for_and_noted(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    first = name_of(page)
    rate(page, doctor=7, patient=8, measurement=6, empathy=5)
    press(page, "Submit")
    again = open_page(PAGE, who=reviewer, item=first)
    assert "demo-a" not in words(again).replace("\\", "")
    press(again, "Show the models and the outcome")
    assert "Outcome" in words(again)
    assert clinic.rows(
        "select count(*) from reveal where rater = $r and item = $i",
        r=reviewer.id,
        i=queries.item_id_made_from_name("demo", first),
    ) == [(2,)]


@pytest.mark.deep
def test_what_was_sent_back_opens_first_is_said_at_every_item_and_at_the_end_leads_there(
    open_page: OpenPage, clinic: Store, lead: Rater, reviewer: Rater
) -> None:
    task = tasks.DialogueRealismTask()
    few = {"items_per_rater": 2, "gold_share": 0.0}
    hand_out_settings.change_task_settings(clinic, task.name, "demo", few, by=lead)
    page = open_page(PAGE, who=reviewer)
    names = []
    for _ in range(2):
        names.append(name_of(page))
        rate(page, doctor=7, patient=8, measurement=6, empathy=5)
        press(page, "Submit")
    assert [one.value for one in page.title] == ["All done"]
    # What waits comes next, and Home is there too.
    [onward] = [one for one in page.button if one.key == f"{task.name}.onward"]
    assert onward.label.startswith("Next: Tag errors (20 left)")
    assert onward.proto.type == "primary"
    assert "Home" in [one.proto.label for one in page.main.get("page_link")]
    back = {"kind": "return", "text": "Read it again.", "by": lead, "counts": False}
    item = queries.item_id_made_from_name("demo", names[0])
    remarks_between_raters_and_leads.store_remark_on_work(
        clinic, task, item=item, rater=reviewer.id, **back
    )

    page = open_page(PAGE, who=reviewer)
    assert name_of(page) == names[0]
    assert "1 of 2, sent back to you" in [one.value for one in page.caption]
    press(page, "Next")
    assert "2 of 2, 1 sent back to you" in [one.value for one in page.caption]
    press(page, "Submit again")
    assert name_of(page) == names[0]
    press(page, "Skip")
    assert [one.value for one in page.title] == ["Sent back to you"]
    assert "**1 of 2 done, 1 sent back to you.**" in words(page)
    press(page, "Judge item 1 again")
    assert name_of(page) == names[0]
    # The answer of before, given again, answers it.
    press(page, "Submit")
    assert [one.value for one in page.title] == ["All done"]
    assert (
        remarks_between_raters_and_leads.list_remarks_awaiting_rater(clinic, rater=reviewer.id)
        == []
    )


def test_play_is_offered_to_reviewers_only_once_a_model_is_set_up_and_to_leads_with_how(
    open_page: OpenPage, clinic: Store, lead: Rater, reviewer: Rater
) -> None:
    def offered(page: AppTest) -> list[str]:
        [control] = [one for one in page.button_group if str(one.key).startswith("line.view")]
        return [option.content for option in control.proto.options]

    assert "Play" not in offered(open_page(PAGE, who=reviewer))
    assert "Play" in offered(open_page(PAGE, who=lead))
    assert "play_models in medlens.toml" in words(open_page(PAGE, who=lead, view="Play"))


def test_each_pair_of_diagnoses_is_handed_out_once_unless_both_are_written_alike(
    open_page: OpenPage, clinic: Store, reviewer: Rater, lead: Rater
) -> None:
    hand_out_settings.change_task_settings(
        clinic, tasks.MATCH, "demo", {"items_per_rater": 40, "gold_share": 0.0}, by=lead
    )
    page = open_page(PAGE, who=reviewer, view="Check diagnoses")
    assert not page.exception
    cases = queries.load_cases_by_name(clinic, "demo")
    pairs = {
        (one.diagnosis.strip().casefold(), cases[one.case].case.diagnosis.casefold())
        for _, _, _, one in queries.list_dialogues_with_ids_and_names(clinic, "demo")
        if one.diagnosis.strip()
    }
    asked = [pair for pair in pairs if pair[0] != pair[1]]
    assert len(asked) < len(pairs) < 36
    # "1 of N": all that can be asked.
    assert f"1 of {len(asked)}" in words(page)
    said = words(page)
    assert "REQUEST TEST" not in said
    item = item_of(page)
    answer(page, same="maybe")
    assert "not saved" not in words(page)
    answer(page, same="no", submit=True)
    [(body,)] = clinic.rows("select body from judgment where rater = $r", r=reviewer.id)
    assert tasks.DiagnosisMatch.model_validate_json(body).same == "no"
    assert item_of(page) != item


def test_a_reviewer_has_no_way_to_the_leads_views(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    for view in ["Dialogues", "Cases", "Results"]:
        page = open_page(PAGE, who=reviewer, view=view, dialogue="demo02")
        assert "demo-a" not in words(page)
        assert not page.dataframe
        assert shown(page)["kind"] == "talk"
        assert clinic.rows("select count(*) from reveal") == [(0,)]


@pytest.mark.deep
def test_filters_stand_in_the_link(open_page: OpenPage, clinic: Store, lead: Rater) -> None:
    for query, count in [
        ({}, 40),
        ({"doctor": "demo-b"}, None),
        ({"bias": "doctor:recency"}, 8),
        ({"outcome": "error"}, 1),
        ({"q": "temporal arteries", "doctor": "demo-a"}, None),
        ({"page": "999"}, 40),
        ({"disagree": "yes"}, None),
        ({"leaking": "yes"}, None),
    ]:
        page = open_page(PAGE, who=lead, view="Dialogues", **query)
        assert not page.exception, query
        sent = shown(page)
        listed = sent["pages"]["0"]["rows"]
        if count is not None:
            assert len(listed) == count
        assert 0 < len(listed) <= 40
        outcomes = {row[sent["columns"].index("outcome")] for row in listed}
        assert outcomes <= {"correct", "incorrect", "no diagnosis", "error"}
        if "doctor" in query:
            doctors = {row[sent["columns"].index("doctor")] for row in listed}
            assert doctors == {query["doctor"]}
        chips = {(button.key or "").partition(".chip.")[2] for button in page.button} - {""}
        assert chips == query.keys() - {"page"}


def test_a_lead_reads_a_dialogue_with_what_it_told_and_never_asked(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Dialogues", dialogue="demo02")
    assert not page.exception
    said = words(page)
    assert "never asked" in said
    assert "(#turn-" in said
    assert "told: " in said
    tasks_seen = clinic.rows("select count(*) from reveal where rater = $r", r=lead.id)
    assert tasks_seen == [(2,)]
    pair = diagnosis_verdicts.pair_id_by_dialogue(clinic, "demo")["demo02"]
    later = Verdict(pair, "demo-c", "moderator-1", 1, "no", True, "Another one.", {}, "m-7", "r1")
    model_verdicts_and_runs_of_judges.add_verdicts_and_count_new_and_known(
        clinic, [later], task=tasks.MATCH, dataset="demo"
    )
    page.session_state["read.side"] = "Ratings"
    page.session_state["read.judges"] = True
    page.run()
    heard = words(page).replace("\\", "")
    assert "**demo-c**: no" in heard
    assert "Another one." in heard
    assert "model m-7, prompt moderator-1, run r1" in heard


def test_a_lead_with_the_dialogue_in_their_own_queue_is_asked_before_it_is_shown(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead)
    name = name_of(page)
    read = open_page(PAGE, who=lead, view="Dialogues", dialogue=name)
    assert "is marked as made after looking" in words(read)
    assert "Outcome" not in words(read)
    assert shown(read)["reading"] == {"name": name, "facts": [], "turns": [], "waits": True}
    assert clinic.rows("select count(*) from reveal") == [(0,)]
    # Nor is it sent ahead to who has the list before them.
    listed = shown(open_page(PAGE, who=lead, view="Dialogues"))
    assert set(listed["pages"]["0"]["names"]) - set(listed["ahead"]) == {name}
    press(read, "Show it")
    assert "Outcome" in words(read)


def test_a_lead_goes_from_the_list_to_a_dialogue_and_on_and_back(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Dialogues")

    def go(token: str, **move: Any) -> Any:
        say(page, talk(page), {"token": token, **move})
        return shown(page)

    listed = shown(page)
    assert listed["reading"] is None
    first, second, third = listed["pages"]["0"]["names"][:3]
    one = queries.load_dialogue(clinic, queries.item_id_made_from_name("demo", second))
    assert listed["ahead"][second][0]["text"] == one.turns[0].text
    said = words(page)
    assert all(turn.text not in said for turn in one.turns if turn.speaker == "moderator")
    read = go("a", dialogue=second, page=0)
    assert (read["reading"]["name"], read["ack"]) == (second, "a")
    assert page.query_params["dialogue"] in (second, [second])
    assert set(read["ahead"]) == {first, third}
    # What is sent ahead is looked at by nobody yet.
    assert clinic.rows("select count(distinct item) from reveal") == [(1,)]
    # What is no move changes nothing.
    for bad in ({"dialogue": 7, "page": 0}, {"dialogue": first, "page": -1}, {"dialogue": first}):
        assert go("b", **bad)["reading"]["name"] == second
    assert go("c", dialogue="", page=0)["reading"] is None
    assert "dialogue" not in page.query_params


def test_two_dialogues_of_one_case_stand_side_by_side(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Dialogues", dialogue="demo01", beside="demo11")
    assert not page.exception
    assert "They differ in: doctor." in words(page)
    other = open_page(PAGE, who=lead, view="Dialogues", dialogue="demo01", beside="demo02")
    assert "about different cases" in words(other)


def test_the_case_list_is_filtered_by_what_the_check_found(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    found = queries.load_cases_by_name(clinic, "demo")
    leaking = {name for name, one in found.items() if one.is_leaking_in_tests}
    page = open_page(PAGE, who=lead, view="Cases", lint="diagnosis_in_tests")
    assert set(page.dataframe[0].value["case"]) == leaking
    one = open_page(PAGE, who=lead, view="Cases", case=next(iter(leaking)))
    assert "The diagnosis is in the test results" in words(one)


@pytest.mark.deep
def test_every_section_of_the_figures_is_drawn(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    for section in [
        "accuracy",
        "outcomes",
        "biases",
        "patients",
        "clinicians",
        "moderator",
        "behaviour",
        "published",
    ]:
        page = open_page(PAGE, who=lead, view="Results", section=section)
        assert not page.exception, section
        assert "40 dialogues of 10 cases" in words(page)
        assert ("Each small dot is one rater" in words(page)) == (section == "clinicians")


@pytest.mark.deep
def test_a_mark_in_the_link_leads_to_its_dialogues(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    for mark, said in [
        ("slice|doctor|demo-a", "10 dialogues"),
        ("pair|demo-a|doctor:recency|unbiased_only", "3 pairs"),
        ("moderator|missed", "1 dialogue"),
        ("pair|demo-a|doctor:recency|nowhere", "no longer exists"),
        ("slice|nothing|demo-a", "no longer exists"),
        ("__class__|x|y|z", "no longer exists"),
    ]:
        page = open_page(PAGE, who=lead, view="Results", mark=mark)
        assert not page.exception, mark
        assert said in words(page)


def test_a_view_that_was_left_still_has_its_dialogue_on_return(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    rate(page, doctor=7)
    press(page, "Next")
    second = item_of(page)
    line_control(page, "view").set_value("Check diagnoses").run()
    assert item_of(page) != second
    line_control(page, "view").set_value("Rate dialogues").run()
    assert item_of(page) == second


@pytest.mark.deep
def test_foreign_text_and_images_are_shown_as_text_and_links(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    case = next(iter(queries.load_cases_by_name(clinic, "demo")))
    bad = "![x](http://evil.example/a.png) <script>alert(1)</script> " + "long " * 2000
    turns = (
        Turn(n=1, speaker="doctor", text=bad),
        Turn(
            n=2,
            speaker="measurement",
            text="",
            kind="images",
            images=("https://pictures.example/(a) b.jpg", "stored-copy.png"),
        ),
    )
    one = Dialogue(
        case=case, doctor="demo-a", patient="demo-b", turns=turns, outcome="error", reason=bad
    )
    queries.add_dialogues_and_return_added(clinic, [("evil", one)], dataset="demo")
    page = open_page(PAGE, who=lead, view="Dialogues", dialogue="evil")
    assert not page.exception
    drawn = "\n".join(str(part.value) for part in [*page.markdown, *page.caption])
    assert "![x](" not in drawn
    assert "<script>" not in drawn
    spoken, images = shown(page)["reading"]["turns"]
    web, stored = images["images"]
    assert (web["label"], web["on"], web["src"]) == ("Image 1", "pictures.example", "")
    assert web["href"] == "https://pictures.example/%28a%29%20b.jpg"
    assert (stored["label"], stored["href"], stored["src"]) == ("Image 2: stored-copy.png", "", "")
    # As it is: the browser makes text nodes of it. What is long is folded.
    assert spoken["text"].startswith("![x](http://evil.example")
    assert spoken["text"].removesuffix(" …") + spoken["more"] == bad
    assert len(spoken["text"]) < 5000


def test_a_dialogue_without_a_turn_is_not_handed_out_to_be_rated(
    open_page: OpenPage, clinic: Store, reviewer: Rater, lead: Rater
) -> None:
    hand_out_settings.change_task_settings(
        clinic, tasks.REALISM, "demo", {"items_per_rater": 90, "gold_share": 0.0}, by=lead
    )
    case = next(iter(queries.load_cases_by_name(clinic, "demo")))
    silent = Dialogue(case=case, doctor="a", patient="b", outcome="error", reason="down")
    queries.add_dialogues_and_return_added(clinic, [("silent", silent)], dataset="demo")
    spoken = sum(
        bool(one.turns)
        for _, _, _, one in queries.list_dialogues_with_ids_and_names(clinic, "demo")
    )
    assert spoken == 40
    page = open_page(PAGE, who=reviewer)
    assert "1 of 40" in words(page)


@pytest.mark.deep
def test_a_case_is_written_checked_while_it_is_and_survives_a_reload(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Cases", case="new")
    assert "Still needed" in words(page)
    entered = {
        "objective": "Assess a man.",
        "demographics": "61-year-old man",
        "primary": "Pain",
        "diagnosis": "Gout",
    }
    answer(page, **entered, history="His toe hurts.")
    assert "There are no test results" in words(page)
    again = open_page(PAGE, who=lead, view="Cases", case="new")
    answer(again, tests="no colon here")
    answer(again, submit=True)
    assert "The case is incomplete: Test results, line 1" in words(again)
    answer(again, tests="Blood > Urate: gout")
    assert "The diagnosis is in the test results" in words(again)
    answer(again, submit=True)
    assert "### Gout" in words(again)
    assert len(queries.load_cases_by_name(clinic, "demo")) == 11
    # The other tab still holds what has been added since: it is asked about, not saved over.
    answer(page, history="Something else")
    assert "Changed in another tab" in words(page)
    assert "History: here Something else, there nothing" in words(page)
    # The next case begins with nothing of this one.
    assert form_of(open_page(PAGE, who=lead, view="Cases", case="new"), "case_form")["values"] == {}


@pytest.mark.deep
def test_medqa_accuracy_stands_against_the_clinics_and_is_taken_over_from_error_tagging(
    open_page: OpenPage, clinic: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Results", by="medqa")
    assert "No MedQA accuracy has been imported" in words(page)
    run = llm.open_or_resume_run_and_return_id(
        clinic, study="tagging", kind="ask", config={"model": "demo-a"}, made_by="test"
    )
    for at in range(4):
        clinic.append(
            "run_item",
            {
                "run": run,
                "job": str(at),
                "revision": 1,
                "calls": 1,
                "outcome": "correct" if at else "incorrect",
                "body": {"question": str(at), "repeat": 0},
            },
        )
    page = open_page(PAGE, who=lead, view="Results", by="medqa")
    page.button(key="figures.medqa.take").click().run()
    assert not page.exception
    assert "1 models with both" in words(page).replace("\\", "")
    assert "figures.medqa.take" not in {button.key for button in page.button}


def test_where_cases_wait_for_their_first_dialogue_raters_are_told_so(
    app_store: Store, open_page: OpenPage, reviewer: Rater
) -> None:
    cases = [
        (name, one.case) for name, one in queries.load_cases_by_name(app_store, "demo").items()
    ]
    queries.add_cases_and_return_added(app_store, cases, dataset="new")
    page = open_page(PAGE, who=reviewer, dataset="new")
    assert "There are no dialogues in the dataset new yet." in words(page)
    assert "each has as many people as it needs" not in words(page)


@pytest.mark.deep
def test_an_answer_is_taken_once_and_kept_with_the_dialogue_that_it_was_about(
    open_page: OpenPage, clinic: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer)
    name, item = name_of(page), item_of(page)

    def told() -> Any:
        return json.loads(component(page, "answer_form").proto.json)

    def send(
        token: str, *, session: str = "", item: str = item, **scores: list[str | None]
    ) -> None:
        known = {"item": item, "session": session or told()["session"], "rev": 0}
        message = {"token": token, "changes": scores, "submit": token.startswith("submit")} | known
        say(page, component(page, "answer_form"), message)
        assert told()["ack"] == token

    def scores() -> Any:
        kept = judging.load_draft_or_current_judgment(
            clinic, tasks.DialogueRealismTask(), item=item, rater=reviewer.id
        ).value
        return kept and [kept.doctor, kept.patient, kept.measurement, kept.empathy]

    send("a", doctor=[None, "7"], empathy=[None, "3"])
    assert scores() == [7, None, None, 3]
    send("b", doctor=["7", "8"])
    send("b", doctor=["7", "9"])
    assert scores() == [8, None, None, 3]
    # No score, and no field of the form.
    send("c", doctor=["8", "11"], marks=[None, "7"])
    assert scores() == [None, None, None, 3]
    # Said before this desk was set up: kept where nothing else was saved since, else asked.
    send("d", session="an earlier one", doctor=[None, "7"], empathy=["3", "3"])
    assert scores() == [7, None, None, 3]
    send("e", session="an earlier one", doctor=["2", "5"])
    assert scores() == [7, None, None, 3]
    page.run()
    assert "doctor: here 5, there 7" in words(page)
    press(page, "Use the other tab's")
    send("submit f", patient=[None, "8"], measurement=[None, "6"])
    assert item_of(page) != item
    assert scores() == [7, 8, 6, 3]
    send("submit f", patient=["8", "1"])
    send("late", patient=["8", "9"])
    assert scores() == [7, 9, 6, 3]
    # Of a dialogue that was not given to the rater nothing is heard.
    send("foreign", item=queries.item_id_made_from_name("demo", "none such"), patient=[None, "1"])
    assert ":red[" not in words(page)
    # Submitted, and sent once more by a browser that did not hear so before the server went.
    page = open_page(PAGE, who=reviewer, item=name)
    send("submit g", session="an earlier one", patient=["8", "9"])
    assert scores() == [7, 9, 6, 3]
    assert clinic.rows("select count(*) from judgment where rater = $r", r=reviewer.id) == [(1,)]


@pytest.mark.deep
def test_what_a_full_store_did_not_take_of_a_dialogue_that_was_left_is_asked_for_again(
    open_page: OpenPage, clinic: Store, reviewer: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_page(PAGE, who=reviewer)
    item = item_of(page)
    told = json.loads(component(page, "answer_form").proto.json)
    rate(page, doctor=7, patient=8, measurement=6, empathy=5)
    press(page, "Submit")
    known = {"item": item, "session": told["session"], "rev": 0, "submit": False}
    late = {"token": "late", "changes": {"empathy": ["5", "4"]}, **known}

    def full(*_: object, **__: object) -> None:
        raise StoreUnavailable("The disk is full.", hint="Make room.")

    with monkeypatch.context() as broken:
        broken.setattr(judging, "save_draft", full)
        say(page, component(page, "answer_form"), late)
        mark_turns(page, item, [], token="marks")
        mark_turns(page, item, [{"turn": 1, "mark": "fixation", "comment": ""}], token="late")
    assert "The disk is full" in words(page)
    assert json.loads(component(page, "answer_form").proto.json)["ack"] == ""
    assert marking(page)["ack"] == ""
    say(page, component(page, "answer_form"), late | {"attempt": 2})
    assert json.loads(component(page, "answer_form").proto.json)["ack"] == "late"
    kept = judging.load_draft_or_current_judgment(
        clinic, tasks.DialogueRealismTask(), item=item, rater=reviewer.id
    )
    assert kept.value.empathy == 4


@pytest.mark.parametrize(
    "wrong",
    [
        {"token": 5},
        {"item": ""},
        {"session": None},
        {"rev": -1},
        {"rev": True},
        {"changes": []},
        {"changes": {"doctor": "7"}},
        {"changes": {"doctor": [None, 7]}},
        {"changes": {"doctor": [None, "\ud800"]}},
        {"changes": {"comment": [None, "x" * 200_001]}},
    ],
)
def test_what_the_form_never_sends_is_left_unheard(wrong: dict[str, Any]) -> None:
    sent = {
        "token": "t",
        "item": "i",
        "session": "s",
        "rev": 0,
        "submit": True,
        "changes": {"doctor": [None, "7"]},
    }
    said = parse_browser_message_or_none(Said, sent)
    assert said is not None
    assert said.changes == {"doctor": (None, "7")}
    assert parse_browser_message_or_none(Said, sent | wrong) is None
