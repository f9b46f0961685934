"""The page of own studies: the desk as its file declares it, and the results for leads."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import xlsxwriter
from streamlit.runtime.scriptrunner_utils.exceptions import StopException
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.testing.v1 import AppTest

from medlens.app import archive_and_unarchive, import_undoing, work_behind_commands
from medlens.app.file_intake.default_dataset_for_file import default_dataset_for_file_kind
from medlens.config.settings import Settings
from medlens.review import (
    assignment,
    consensus,
    items,
    judging,
    raters,
    rounds,
    withdrawn_items,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.own import queries, study_file, unfinished_study_files
from medlens.studies.own import study as own_study
from medlens.studies.own.queries import list_names_of_studies
from medlens.studies.own.study import open_study
from medlens.ui import make_study, settings_store_and_runs_of_process
from medlens.ui.page_frame import escape_markdown
from tests.conftest import Fill
from tests.handles import item_called
from tests.letters import PROVED_AND_CORRECTED, SEVERITY, letters
from tests.pages.conftest import (
    OpenPage,
    answer,
    component,
    form_of,
    mark_anew,
    marks_begun,
    sent,
    words,
)

PAGE = "8_Your_studies.py"
GOOD = {
    "consensus": "In line with it",
    **dict.fromkeys(("understood", "recalled", "reasoned"), "yes"),
    **dict.fromkeys(("wrong", "missing"), "No"),
    "bias": "no",
    "harm": "None",
    "harm_likely": "Unlikely",
}


def added(*names: str) -> Fill:
    """What puts templates and their items into a store."""

    def fill(store: Store) -> None:
        for name in names:
            file = study_file.path_of_template(name)
            work_behind_commands.declare_study_and_return_report_text(
                store, study_file.read_study_file_text_and_declaration(file)[0], file.name
            )
            items = file.with_suffix(".csv")
            work_behind_commands.import_file(
                store, Settings(), "own-items", items, name=items.name, dataset=name
            )

    return fill


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (added("long_answers", "note_quality"),)


def test_a_lead_who_opens_an_item_of_a_study_reads_its_texts_there(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    for dataset in ("long_answers", "note_quality"):
        [name, body] = app_store.rows(
            "select name, body from item where dataset = $one order by seq limit 1", one=dataset
        )[0]
        longest = max((one for one in json.loads(body).values() if isinstance(one, str)), key=len)
        where = {"view": "Items", "study": "Your own studies", "dataset": dataset, "item": name}
        page = open_page("7_Data.py", who=lead, **where)
        assert not page.exception
        assert longest[:40].split("\n")[0] in words(page).replace("\\", "")
    # Which model wrote what is not told: a lead may judge it later.
    added("preference")(app_store)
    [name, _] = app_store.rows(
        "select name, body from item where dataset = 'preference' order by seq limit 1"
    )[0]
    where = {"view": "Items", "study": "Your own studies", "dataset": "preference", "item": name}
    page = open_page("7_Data.py", who=lead, **where)
    assert not page.exception
    assert "Answer B" in words(page)
    assert "model A" not in words(page)


@pytest.mark.deep
def test_a_study_whose_only_import_was_undone_stays_listed_for_leads_and_can_be_archived(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    title = open_study(app_store, Settings(), "note_quality").declared.form.title
    [entry] = app_store.column("select id from import_log where dataset = 'note_quality'")
    import_undoing.undo_import_and_return_import_undo(
        app_store, entry, reason="The wrong file.", by=lead
    )
    home = open_page(who=lead)
    listed = [one.proto.label for one in home.sidebar.get("page_link")]
    assert escape_markdown(title) + " · no items yet" in listed
    assert "no items yet" in words(home)
    assert title in [one.proto.label.strip("*") for one in home.main.get("page_link")]
    page = open_page(PAGE, who=lead, dataset="note_quality")
    assert not page.exception
    assert f"“{title}” has no items yet" in words(page).replace("\\", "")
    assert "note_quality" not in str(open_page(who=reviewer).main)
    thing = archive_and_unarchive.find_dataset(app_store, "own", "note_quality")
    archive_and_unarchive.archive_or_bring_back_and_return_report_text(
        app_store, Settings(), [thing], reason="Over.", by=lead
    )
    listed = [one.proto.label for one in open_page(who=lead).sidebar.get("page_link")]
    assert not [one for one in listed if "no items yet" in one]
    assert archive_and_unarchive.find_dataset(app_store, "own", "note_quality") == thing


def upload(page: AppTest, content: bytes) -> None:
    page.file_uploader(key="own.upload").set_value(("s.toml", content, "text/plain")).run()
    assert not page.exception


def judge_all(page: AppTest, answers: dict[str, str]) -> None:
    for _ in range(6):
        answer(page, submit=True, **answers)
    assert "All done" in words(page)


def test_a_reviewer_judges_unseen_by_whom_an_answer_is_until_all_is_done(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, dataset="long_answers")
    said = words(page)
    assert "Read the question, then the whole answer" in said
    assert "model A" not in said
    assert "Results" not in [one for group in page.button_group for one in group.options]
    answer(page, wrong="Yes, of great clinical importance", submit=True)
    assert "8 answers are missing" in words(page)
    assert form_of(page, "own_questions")["values"]["wrong"] == "Yes, of great clinical importance"
    judge_all(page, GOOD)
    again = open_page(PAGE, who=reviewer, dataset="long_answers")
    assert "All done" in words(again)


def test_the_next_item_is_on_the_page_out_of_sight_and_opened_by_submit_alone(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, dataset="long_answers")
    # Nothing is claimed for somebody who only looks.
    assert turn_of(page) == (0, [])
    answer(page, submit=True, **GOOD)
    desk = page.session_state["own_questions.desk"][1]
    following = desk.item_after_submit_or_skip
    for item in (desk.item, following):
        assert escape_markdown(desk.lay_out(item)["answer"].split(".")[0]) in words(page)
    assert turn_of(page) == (0, ["submit", "skip", "next"])
    of = {"rater": reviewer.id, "item": following}
    for table in ("draft", "reveal", "judgment"):
        sql = f"select count(*) from {table} where rater = $rater and item = $item"
        assert app_store.column(sql, **of) == [0]
    # Opened, it stays in its box.
    answer(page, submit=True, **GOOD)
    assert desk.item == following
    assert turn_of(page) == (1, ["submit", "skip", "next"])
    # An answer that is refused stays open.
    answer(page, submit=True, understood="yes")
    assert desk.item == following
    assert turn_of(page)[0] == 1


def turn_of(page: AppTest) -> tuple[int, list[str]]:
    """The box that is open, and the ways that lead to the item in the other one."""
    told = json.loads(component(page, "next_item").proto.json)
    return told["open"], told["ways"]


def test_a_draft_is_there_again_and_a_value_that_nobody_offered_is_not_kept(
    open_page: OpenPage, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, dataset="note_quality")
    answer(page, accurate="4", thorough="11", minutes="2,5", errors=json.dumps(["Nothing", "x"]))
    told = form_of(open_page(PAGE, who=reviewer, dataset="note_quality"), "own_questions")
    assert {name: one for name, one in told["values"].items() if one} == {
        "accurate": "4",
        "minutes": "2.5",
    }
    assert "What brings you here?" in words(page) or "How is the knee" in words(page)


@pytest.mark.deep
def test_a_changed_file_is_on_the_desk_at_the_next_press(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    page = open_page(PAGE, who=reviewer, dataset="long_answers")
    text, _ = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("long_answers")
    )
    more = '\n[[question]]\nid = "tone"\nkind = "scale"\ntext = "Tone?"\nlow = "a"\nhigh = "b"\n'
    work_behind_commands.declare_study_and_return_report_text(app_store, text + more, "STUDY.toml")
    answer(page, understood="yes")
    page.run()
    assert "Tone?" in words(page)
    assert form_of(page, "own_questions")["values"]["understood"] == "yes"
    judge_all(page, GOOD | {"tone": "3"})
    table = work_behind_commands.make_export_table(
        app_store,
        settings_store_and_runs_of_process.current_settings(),
        "own-judgments",
        viewer=None,
        dataset="long_answers",
    )
    assert set(table["version"]) == {2}


@pytest.mark.deep
def test_a_lead_sees_results_agreement_and_the_file(
    open_page: OpenPage, lead: Rater, reviewer: Rater
) -> None:
    judge_all(open_page(PAGE, who=reviewer, dataset="long_answers"), GOOD)
    judge_all(
        open_page(PAGE, who=lead, dataset="long_answers"), GOOD | {"harm": "Severe, or death"}
    )
    asked = {"dataset": "long_answers", "view": "Results"}
    page = open_page(PAGE, who=lead, **asked, question="harm", split="model")
    assert "Judgments: 12. Items: 6. People: 2." in words(page)
    assert words(page).count("how bad could the harm be") == 3
    assert "model A" in words(page)
    for section in ("means", "agreement"):
        assert not open_page(PAGE, who=lead, **asked, section=section).exception
    one = open_page(PAGE, who=lead, **asked, question="harm", rest="items")
    assert "One answer per item" in words(one)
    asked = {"task": "own_questions", "dataset": "long_answers", "section": "disagreements"}
    team = open_page("5_Team.py", who=lead, **asked)
    assert "People disagree on 6 items" in words(team)
    assert "Long answers to medical questions" in team.selectbox(key="line.study").options


@pytest.mark.deep
def test_disagreements_are_listed_by_the_question_on_which_people_differ(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    judge_all(open_page(PAGE, who=reviewer, dataset="long_answers"), GOOD)
    judge_all(
        open_page(PAGE, who=lead, dataset="long_answers"), GOOD | {"harm": "Severe, or death"}
    )
    one = app_store.value("select min(name) from item where dataset = 'long_answers'")
    third = pd.DataFrame([{"item": one, "rater": "Ada", **GOOD, "understood": "no"}])
    work_behind_commands.import_file(
        app_store,
        settings_store_and_runs_of_process.current_settings(),
        "own-judgments",
        third.to_csv(index=False).encode(),
        name="judgments.csv",
        dataset="long_answers",
    )
    asked = {"task": "own_questions", "dataset": "long_answers", "section": "disagreements"}
    team = open_page("5_Team.py", who=lead, **asked)
    assert "People disagree on 6 items" in words(team)
    options = team.selectbox(key="figures.question").options
    assert options[0] == "All questions"
    assert len(options) == 3
    team = open_page("5_Team.py", who=lead, **asked, question="understood")
    assert "People disagree on 1 item in this question" in words(team)
    assert team.dataframe[0].value["item"].tolist() == [one]


@pytest.mark.deep
def test_a_lead_marks_a_text_anew_on_which_raters_disagree(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    added("summary_errors")(app_store)
    task = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), "summary_errors"
    ).task
    [[item, text]] = app_store.rows(
        "select id, body ->> 'summary' from item where dataset = 'summary_errors' and name = 's1'"
    )
    found = {}
    for rater, words_of_it, label in (
        (lead, "right knee", "contradicted"),
        (reviewer, "400 mg", "inferred"),
    ):
        start = text.index(words_of_it)
        found[words_of_it] = {
            "start": start,
            "end": start + len(words_of_it),
            "quote": words_of_it,
            "labels": [label],
            "comment": "",
            "answers": {"severity": "Minor"},
        }
        body = {"version": 1, "spans": [found[words_of_it]], "answers": {"omission": "No"}}
        row = judging.make_imported_judgment_row(task.name, item, rater.id, task.parse(body))
        app_store.append("judgment", row)
    asked = {"task": task.name, "dataset": "summary_errors", "section": "disagreements"}
    page = open_page("5_Team.py", who=lead, **asked, divided="s1")
    told = json.loads(component(page, "text_to_mark").proto.json)
    assert told["readonly"]
    assert [one["quote"] for one in told["draft"]["spans"]] == list(found)
    page = open_page("5_Team.py", who=lead, **asked, divided="s1", word="write")
    begun = marks_begun(page, "hallucinations")
    assert [one["quote"] for one in begun] == list(found)
    assert form_of(page, "adjudication")["values"]["own.omission"] == "No"
    assert "400 mg" in words(page)
    # A mark too many is taken off, the severity is corrected, and the reason given.
    mark_anew(page, "hallucinations", begun[0] | {"answers": {"severity": "Major"}})
    answer(page, form_named="adjudication", reason="It was the left knee.", submit=True)
    value = consensus.adjudicated_answers_by_item_name(app_store, task, dataset="summary_errors")[
        "s1"
    ]
    [mark] = value.spans
    assert (mark.quote, mark.answers) == ("right knee", {"severity": "Major"})
    assert value.answers == {"omission": "No"}
    # To settle it again, one begins with the decision.
    page = open_page("5_Team.py", who=lead, **asked, divided="s1", word="write", settle="all")
    begun = marks_begun(page, "hallucinations")
    assert [one["answers"] for one in begun] == [{"severity": "Major"}]


@pytest.mark.deep
def test_advice_is_shown_once_an_item_is_answered_and_results_say_what_it_changed(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    added("advice")(app_store)
    task = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), "advice"
    ).task
    rounds.open_or_close_round(app_store, task, "advice", state="open", raters=(), by=None)
    advice = "### The model's advice"
    page = open_page(PAGE, who=reviewer, dataset="advice")
    for at, confirmed in enumerate(["See a doctor today", "Emergency now"]):
        assert advice not in words(page)
        first = page.query_params["item"]
        answer(page, submit=True, triage="Emergency now", sure="4")
        assert page.query_params["item"] == first
        assert advice in words(page)
        assert form_of(page, "own_questions")["values"]["triage"] == "Emergency now"
        answer(page, submit=True, triage=confirmed)
        assert page.query_params["item"] != first, at
        # What answering reveals comes before the next item.
        assert turn_of(page) == (0, [])
    answer(page, submit=True, triage="Emergency now", sure="4")
    page.button(key="own_questions.next").click().run()
    assert advice not in words(page)
    table = work_behind_commands.make_export_table(
        app_store,
        settings_store_and_runs_of_process.current_settings(),
        "figures",
        viewer=None,
        dataset="advice",
        study="own",
    )
    of = table[table["figure"] == "advice_triage"].set_index("group")
    assert of.loc["agreed_before", "n"] == 2
    # What stands in figures is the answer from before the advice.
    answers = table[(table["figure"] == "share_triage") & (table["group"] == "Emergency now")]
    assert answers["value"].tolist() == [1.0]
    page = open_page(PAGE, who=lead, dataset="advice", view="Results", section="advice")
    assert "2 answers on 2 items that were kept or changed" in words(page)


def test_home_leads_to_each_study_and_an_empty_store_says_how_to_begin(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    page = open_page(who=reviewer)
    keys = [one.key for one in page.button if (one.key or "").startswith("work.own")]
    assert keys == ["work.own_questions.long_answers", "work.own_questions.note_quality"]
    assert "Long answers to medical questions: 6 left" in words(page)
    assert component(open_page(PAGE, who=reviewer), "answer_form")


COMPARED = {"better": "A, clearly", "reasons": json.dumps(["Safer"])} | {
    f"{name} / {arm}": value for arm in "AB" for name, value in (("safe", "yes"), ("correct", "4"))
}


def test_a_title_is_shown_on_home_as_it_is_written(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    lines = study_file.path_of_template("long_answers").read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("title"))
    lines[at] = 'title = "Is [this](http://x.example) :material/home: $x^2$?"'
    work_behind_commands.declare_study_and_return_report_text(
        app_store, "\n".join(lines), "STUDY.toml"
    )
    page = open_page(who=reviewer)
    shown = [one.value for one in (*page.header, *page.markdown)]
    [home] = [one for one in shown if "Is " in one]
    assert "[this]" not in home
    assert r"\[this\]\(" in home


def test_a_picture_in_a_title_is_not_fetched_by_the_lead_who_changes_the_study(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    work_behind_commands.declare_study_and_return_report_text(
        app_store, LETTERS.replace('"Letters"', f'"{AWAY}"'), "STUDY.toml"
    )
    letter = b"item,letter\nl1,Dear colleague.\n"
    work_behind_commands.import_file(
        app_store, Settings(), "own-items", letter, name="i.csv", dataset="letters"
    )
    page = open_page("8_Your_studies.py", who=lead, dataset="letters", view="Make a study")
    [label] = [one.label for one in page.button if one.key == "own.change"]
    assert AWAY not in label
    assert r"\!\[x\]" in label


AWAY = "![x](http://stranger.example/x.png)"
LETTERS = """
id = "letters"
title = "Letters"
instructions = "Read it."
[[column]]
name = "letter"
means = "the letter"
[[pane]]
title = "Letter"
column = "letter"
[[question]]
id = "clear"
kind = "scale"
text = "How clear is it?"
low = "not"
high = "very"
[[question]]
id = "faults"
kind = "multiple"
text = "What is wrong?"
options = ["Dose", "Side"]
[[question]]
id = "safe"
kind = "yes_no"
text = "Is it safe?"
[[question]]
id = "note"
kind = "long_text"
text = "Anything else?"
"""


@pytest.mark.deep
def test_a_lead_reads_every_answer_and_settles_question_by_question(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    work_behind_commands.declare_study_and_return_report_text(
        app_store, LETTERS.replace('"Letter"', f'"{AWAY}"'), "STUDY.toml"
    )
    work_behind_commands.import_file(
        *(app_store, Settings(), "own-items", b"item,letter\nl1,Dear colleague.\n"),
        name="i.csv",
        dataset="letters",
    )
    study = open_study(app_store, Settings(), "letters")
    rounds.open_or_close_round(app_store, study.task, "letters", state="open", by=lead)
    said = {
        "Rosa": {"clear": 2, "faults": ["Dose"], "safe": "no", "note": "The dose is *tenfold*."},
        "Sam": {"clear": 4, "faults": [], "safe": "no"},
    }
    for name, answers in said.items():
        rater = raters.find_or_add_rater_by_name(app_store, name).id
        item = assignment.give_next_item_and_return_id(
            *(app_store, study.task, HandOut(raters_per_item=2)), dataset="letters", rater=rater
        )
        assert item
        body = {"version": 1, "answers": answers}
        judging.submit_judgment(
            app_store, study.task, item=item, rater=rater, token=new_id(), body=body
        )
    task = study.task.name
    page = open_page("5_Team.py", who=lead, task=task, dataset="letters", divided="l1")
    assert not page.exception
    told = words(page)
    assert "How clear is it? **2**" in told
    assert r"The dose is \*tenfold\*\." in told
    assert "Rosa" not in told
    assert AWAY not in told
    assert r"\!\[x\]" in told
    fields = {one["id"]: one for one in form_of(page, "adjudication")["fields"]}
    # What they agree on is not asked, and nobody's own words are.
    assert {name for name in fields if name.startswith("each.")} == {"each.clear", "each.faults"}
    # Who answers anew begins with what was chosen by all.
    asked = {"task": task, "dataset": "letters", "divided": "l1", "settle": "all", "word": "write"}
    given = form_of(open_page("5_Team.py", who=lead, **asked), "adjudication")["values"]
    assert {name: one for name, one in given.items() if one} == {"own.safe": "no"}
    how = {"answer": "each", "each.clear": "=4", "reason": "Clear, and wrong."}
    answer(page, form_named="adjudication", **how, submit=True)
    assert "Choose an answer to: What is wrong?" in words(page)
    answer(page, form_named="adjudication", **{"each.faults": "=Dose"}, submit=True)
    value = consensus.adjudicated_answers_by_item_name(app_store, study.task, dataset="letters")[
        "l1"
    ]
    assert value.answers == {"clear": 4, "faults": ["Dose"], "safe": "no"}
    # Or, later, with what was decided.
    page = open_page("5_Team.py", who=lead, **asked)
    given = form_of(page, "adjudication")["values"]
    assert (given["own.clear"], given["own.faults"]) == ("4", '["Dose"]')
    how = {"own.clear": "3", "own.faults": "[]", "reason": "Neither."}
    answer(page, form_named="adjudication", **how, submit=True)
    value = consensus.adjudicated_answers_by_item_name(app_store, study.task, dataset="letters")[
        "l1"
    ]
    assert value.answers == {"clear": 3, "faults": [], "safe": "no"}
    table = work_behind_commands.make_export_table(
        app_store, Settings(), "adjudications", viewer=lead
    )
    assert table["stands"].tolist() == [False, True]


class TestArms:
    @pytest.fixture
    def filled_by(self) -> tuple[Fill, ...]:
        return (added("preference"),)

    @pytest.mark.deep
    def test_an_adjudicator_answers_anew_without_the_arms_names(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        task = open_study(
            app_store, settings_store_and_runs_of_process.current_settings(), "preference"
        ).task
        [[item]] = app_store.rows("select id from item where name = 'p1'")
        safe = {"safe / model A": "yes", "safe / model B": "no"}
        correct = {"correct / model A": 4, "correct / model B": 2}
        for name, better in (("Rosa", "model A, clearly"), ("Sam", "model B, slightly")):
            answers = {**safe, **correct, "better": better, "comment": f"{name}: A is cold."}
            body = {"version": 1, "answers": answers, "order": ["model A", "model B"]}
            rater = raters.find_or_add_rater_by_name(app_store, name).id
            row = judging.make_imported_judgment_row(task.name, item, rater, task.parse(body))
            app_store.append("judgment", row)
        asked = {"task": task.name, "dataset": "preference", "section": "disagreements"}
        table = open_page("5_Team.py", who=lead, **asked).dataframe[0].value
        assert table["on"].tolist() == ["Which answer would you give the patient?"]
        page = open_page("5_Team.py", who=lead, **asked, divided="p1")
        assert "Judgment 1" in words(page)
        told = sent(page)
        page = open_page("5_Team.py", who=lead, **asked, divided="p1", word="write")
        told += sent(page)
        assert "model A" not in told
        assert "model B" not in told
        # Model A has the letter of the answer that both found safe.
        values = form_of(page, "adjudication")["values"]
        first = "A" if values["own.safe / A"] == "yes" else "B"
        other = "BA"["AB".index(first)]
        assert values[f"own.correct / {first}"] == "4"
        assert not values["own.better"]
        # One can begin again with a judgment, but not with its rater's words.
        page.button(key="settle.begin.Judgment 1").click().run()
        values = form_of(page, "adjudication")["values"]
        assert values["own.better"] in (f"{first}, clearly", f"{other}, slightly")
        assert not values["own.comment"]
        # What they differ on is in bold.
        assert rf"How correct is it? \({first}\): 4" in words(page)
        assert f"Which answer would you give the patient? **{first}, clearly**" in words(page)
        # Raters saw model A as A; the adjudicator may not, and is told so.
        assert ("their A is B" in told) == (first == "B")
        how = {"own.better": f"{other}, clearly", "reason": "It is the safe one."}
        answer(page, form_named="adjudication", **how, submit=True)
        assert [one.value for one in page.toast] == ["Settled."]
        value = consensus.adjudicated_answers_by_item_name(app_store, task, dataset="preference")[
            "p1"
        ]
        assert value.answers == {**safe, **correct, "better": "model B, clearly", "reasons": []}
        page = open_page("5_Team.py", who=lead, **asked, divided="p1", settle="all")
        assert "model B" not in sent(page)
        assert f"Which answer would you give the patient? **{other}, clearly**" in words(page)
        assert f"It is the safe one\\. ({lead.name})" in [one.value for one in page.caption]

    @pytest.mark.deep
    def test_what_two_tabs_say_of_each_question_is_told_under_its_words_and_the_letters_seen(
        self, open_page: OpenPage, reviewer: Rater
    ) -> None:
        one, other = (open_page(PAGE, who=reviewer, dataset="preference") for _ in range(2))
        assert one.query_params["item"] == other.query_params["item"]
        answer(one, **{"safe / A": "yes", "correct / B": "3"})
        answer(other, **{"safe / A": "no"})
        assert "Could the patient act on it safely? (A): here no, there yes" in words(other)
        assert "How correct is it? (B): here nothing, there 3" in words(other)
        assert "model A" not in sent(other)
        assert "answers: here" not in words(other)

    def test_a_reviewer_never_hears_of_an_arm_until_a_lead_names_it_on_what_they_judged(
        self, open_page: OpenPage, app_store: Store, reviewer: Rater, lead: Rater
    ) -> None:
        page = open_page(PAGE, who=reviewer, dataset="preference")
        assert "Answer A" in words(page)
        told = sent(page)
        answer(page, submit=True, better="A, clearly")
        assert "4 answers are missing" in words(page)
        told += sent(page)
        answer(page, **(COMPARED | {"better": "model A, clearly"}))
        assert form_of(page, "own_questions")["values"]["better"] is None
        answer(page, submit=True, **COMPARED)
        first = page.query_params["item"]
        for _ in range(5):
            told += sent(page)
            answer(page, submit=True, **COMPARED)
        told += sent(page) + sent(open_page(PAGE, who=reviewer, dataset="preference"))
        assert "All done" in told
        assert "model A" not in told
        assert "model B" not in told
        held = work_behind_commands.make_export_table(
            app_store,
            settings_store_and_runs_of_process.current_settings(),
            "own-judgments",
            viewer=None,
            dataset="preference",
        )
        firsts = held["order"].str.split("; ").str[0]
        assert (held["better"] == firsts + ", clearly").all()
        assert set(firsts) == {"model A", "model B"}
        page = open_page(PAGE, who=lead, dataset="preference", view="Study file")
        page.toggle(key="own.reveal").set_value(True).run()

        page = open_page(PAGE, who=reviewer, dataset="preference", item=first)
        assert "model A" in sent(page)
        answer(page, submit=True, better="tie")
        kept = work_behind_commands.make_export_table(
            app_store,
            settings_store_and_runs_of_process.current_settings(),
            "own-judgments",
            viewer=None,
            dataset="preference",
        )
        assert "tie" not in set(kept["better"])
        fresh = open_page(PAGE, who=lead, dataset="preference", view="Judge")
        assert "model A" not in words(fresh)

    @pytest.mark.deep
    def test_a_lead_sees_arms_compared_and_who_was_preferred(
        self, open_page: OpenPage, reviewer: Rater, lead: Rater
    ) -> None:
        page = open_page(PAGE, who=reviewer, dataset="preference")
        for _ in range(6):
            answer(page, submit=True, **COMPARED)
        asked = {"dataset": "preference", "view": "Results"}
        page = open_page(PAGE, who=lead, **asked, section="preferences")
        assert "6 comparisons of two on 6 cases" in words(page)
        assert "Models compared" in [one for g in page.button_group for one in g.options]
        assert not open_page(PAGE, who=lead, **asked, section="arms", question="correct").exception
        page = open_page(PAGE, who=lead, **asked, question="safe", split="arm")
        assert "model B" in words(page)


class TestWithout:
    @pytest.fixture
    def filled_by(self) -> tuple[Fill, ...]:
        return ()

    def test_a_lead_adds_the_first_study_in_the_browser_and_is_led_on_to_its_items(
        self, open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
    ) -> None:
        assert "A lead can add one" in words(open_page(PAGE, who=reviewer))
        page = open_page(PAGE, who=lead, view="Study file")
        text = study_file.path_of_template("quest").read_bytes()
        upload(page, text.replace(b'id = "relevance"', b'id = "accuracy"'))
        [row] = page.dataframe[-1].value.to_dict("records")
        assert (row["column"], row["found"]) == ("id", "accuracy")
        upload(page, text)
        page.button(key="own.add").click().run()
        assert not page.exception
        assert "was saved as version 1" in page.success[0].value
        assert list_names_of_studies(app_store) == ["quest"]
        # A file that nobody says a dataset of goes to the study that was just added.
        assert default_dataset_for_file_kind(app_store, "own-items") == "quest"

    @pytest.mark.deep
    def test_a_template_is_tried_with_its_made_up_items_in_one_press_and_left_for_another(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        page = open_page(PAGE, who=lead, view="Make a study")
        page.button(key="own.template.try.note_quality").click().run()
        assert not page.exception
        assert any("With the made-up items of" in o.value for o in page.caption)
        assert "2. What reviewers see" in words(page)
        # The draft has its items after a reload.
        [draft] = unfinished_study_files.list_study_file_drafts(app_store, lead)
        again = open_page(PAGE, who=lead, view="Make a study", draft=draft.name)
        assert any("Your draft is as you left it, with its table" in o.value for o in again.caption)
        page.button(key="own.begin").click().run()
        page.button(key="own.template.try.advice").click().run()
        page.button(key="own.open").click().run()
        assert "Imported 6 items into 'advice'" in page.success[0].value
        # Made-up items: what they come to is marked as such.
        assert open_study(app_store, Settings(), "advice").illustrative

    def test_a_workbook_says_which_sheet_was_read_and_how_many_rows(
        self, open_page: OpenPage, lead: Rater
    ) -> None:
        made = io.BytesIO()
        with xlsxwriter.Workbook(made) as book:
            for name in ("Answers", "Read me"):
                sheet = book.add_worksheet(name)
                sheet.write_row(0, 0, ["Case", "Answer"])
                sheet.write_row(1, 0, [1, "Rest, and drink enough while the fever lasts."])
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("t.xlsx", made.getvalue(), "")).run()
        said = [one.value for one in page.caption]
        assert any(
            one.startswith("The sheet 'Answers' was read; 'Read me' was not") for one in said
        )
        assert "guessed from its 1 row." in words(page)
        lost = "without one, the study has no advice."
        assert lost not in words(page)
        questions = next(one for one in page.selectbox if one.label == "Its questions")
        assert lost in words(questions.set_value("advice").run())
        page.button(key="own.write").click().run()
        assert page.button(key="own.write").label == "Make it again from these columns"

    def test_rows_of_a_workbook_are_called_by_the_numbers_that_it_shows(
        self, open_page: OpenPage, lead: Rater
    ) -> None:
        made = io.BytesIO()
        with xlsxwriter.Workbook(made) as book:
            sheet = book.add_worksheet("Answers")
            sheet.write(0, 0, "Answers of two models, not to be passed on")
            sheet.write_row(2, 0, ["Nr", "Frage", "Antwort GPT-4o", "Antwort Llama"])
            for n in range(4):
                said = f"Warten Sie zwei Tage ab und trinken Sie viel {n}" if n != 1 else ""
                asked = f"Was sagt {'gpt4' if n == 2 else 'man'} am Tag {n}?"
                sheet.write_row(3 + n, 0, [n, asked, f"Bitte kommen Sie in die Praxis {n}", said])
        page = open_page(PAGE, who=lead, view="Make a study")
        page.file_uploader(key="own.table").set_value(("t.xlsx", made.getvalue(), "")).run()
        told = " ".join(one.value for one in (*page.info, *page.warning))
        assert "“Antwort Llama”, row 5 has no answer" in told
        assert "row 6" in told  # where gpt4 is named
        assert "counted below the headings" not in told
        # No note says again which file it is about, and what is of no use here is not asked.
        assert not [one.value for one in page.caption if "t.xlsx" in one.value]
        assert "Differs by model" not in words(page)

    @pytest.mark.deep
    def test_as_many_rows_of_a_messy_workbook_are_announced_as_become_items(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        made = io.BytesIO()
        with xlsxwriter.Workbook(made) as book:
            sheet = book.add_worksheet("Answers")
            asked = "May I {} after the operation that I had last week?"
            said = "Yes, as soon as the wound has healed and you can {} without pain."
            rows: list[list[Any]] = [
                ["Answers of the pilot", "", "as of March"],
                [],
                ["No.", "Question", "Answer", "Minutes"],
                ["running number", "what was asked", "as it came", "to write it"],
                [1, asked.format("fly"), said.format("sit"), 3],
                [],
                [2, asked.format("drive"), said.format("brake"), 5],
                [3, asked.format("swim"), said.format("stretch"), 1],
                ["Sum", "", "", 9],
                [],
                ["Source: our clinic"],
            ]
            for at, row in enumerate(rows):
                sheet.write_row(at, 0, row)
        page = open_page(PAGE, who=lead, view="Make a study")
        page.file_uploader(key="own.table").set_value(("pilot.xlsx", made.getvalue(), "")).run()
        assert "Row 4 below the header says what the columns hold" in words(page)
        assert "guessed from its 3 rows." in words(page)
        page.button(key="own.write").click().run()
        assert "3 items, each judged by" in words(page)
        page.button(key="own.open").click().run()
        assert "Imported 3 items into 'pilot'" in page.success[0].value
        assert len(queries.item_ids_by_name(app_store, "pilot")) == 3

    @pytest.mark.deep
    def test_a_row_is_left_out_in_the_preview_taken_back_and_left_out_of_what_is_added(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        rows = b"1,Rest and drink\n2,Call Mrs Ann Smith\n3,Come back on Monday\n"
        page = open_page(PAGE, who=lead, view="Make a study")
        page.file_uploader(key="own.table").set_value(("notes.csv", b"nr,note\n" + rows, "")).run()
        for decision in page.radio:
            decision.set_value("keep").run()
        page.button(key="own.write").click().run()
        page.number_input(key="own.row").set_value(2).run()
        button = page.button(key="own.row.left_out")
        assert button.label == "Leave this row out"
        before = page.text_area(key="own.text").value
        button.click().run()
        assert "Row 2 is left out: it will not become an item." in words(page)
        assert escape_markdown("Row 2 (below the headings) is left out") in words(page)
        assert "2 items, each judged by" in words(page)
        page.button(key="own.row.left_out").click().run()
        assert page.text_area(key="own.text").value == before
        assert "3 items, each judged by" in words(page)
        page.button(key="own.row.left_out").click().run()
        page.button(key="own.open").click().run()
        assert not page.exception
        assert escape_markdown("Row 2 (below the headings) is left out") in page.success[0].value
        assert app_store.column("select name from item order by seq")[-2:] == ["1", "3"]

    def test_what_was_added_and_what_comes_next_stand_in_place_of_the_form(
        self, open_page: OpenPage, lead: Rater
    ) -> None:
        table = ("notes.csv", b"nr,note\n1,Rest and drink enough\n2,Come back on Monday\n", "")
        page = open_page(PAGE, who=lead, view="Make a study")
        page.file_uploader(key="own.table").set_value(table).run()
        assert page.button(key="own.write").label == "Continue"
        page.button(key="own.write").click().run()
        # The browser is told once to bring the step that has just appeared into view.
        [step] = [
            json.loads(one.proto.json)
            for one in page.get("bidi_component")
            if "step_in" in one.proto.component_name
        ]
        assert step["step"] == "own_step_below"
        assert step["sign"]
        page.button(key="own.open").click().run()
        assert not page.exception
        assert "Notes was added" in page.success[0].value
        assert not page.file_uploader
        assert [one.key for one in page.button if one.key and one.key.startswith("own.")] == [
            "own.made.change",
            "own.begin",
        ]
        links = {one.proto.label for one in page.main.get("page_link")}
        assert {"Judge an item first", "Invite people to it on Team"} <= links
        page.button(key="own.made.change").click().run()
        assert "What reviewers see" in words(page)
        # Who comes back by the menu begins anew.
        fresh = open_page(PAGE, who=lead, view="Make a study")
        assert "Notes was added" not in words(fresh)
        assert fresh.file_uploader

    @pytest.mark.deep
    def test_the_sheet_and_the_row_of_the_headings_can_be_chosen(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        made = io.BytesIO()
        with xlsxwriter.Workbook(made) as book:
            book.add_worksheet("First").write_row(0, 0, ["a", "b"])
            sheet = book.add_worksheet("Second")
            for at, row in enumerate((["x", "y"], ["Case", "Answer"], ["one", "Rest"])):
                book.get_worksheet_by_name("First").write_row(1, 0, ["c", "d"])
                sheet.write_row(at, 0, row)
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("t.xlsx", made.getvalue(), "")).run()
        sheets = next(one for one in page.selectbox if one.label == "Sheet")
        sheets.set_value("Second").run()
        rows = next(one for one in page.selectbox if one.label == "Row with the headings")
        assert rows.options == ["1: x | y", "2: Case | Answer", "3: one | Rest"]
        rows.set_value(2).run()
        assert not page.exception
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        dataset = page.query_params["dataset"]
        assert app_store.rows("select name from item where dataset = $one", one=dataset) == [
            ("one",)
        ]

    @pytest.mark.deep
    def test_the_encoding_of_a_table_that_is_not_in_utf_8_can_be_chosen(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        said = "drückt es auf der Brust beim Treppensteigen und Gehen?"
        table = f"nr,frage\n1,Wie lange {said}\n2,Seit wann {said}\n"

        def encodings(page: Any) -> list[Any]:
            return [one for one in page.selectbox if one.label == "Text encoding"]

        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("t.csv", table.encode(), "")).run()
        assert not encodings(page)
        given = ("mac.csv", table.encode("mac_roman"), "")
        page.file_uploader(key="own.table").set_value(given).run()
        [choice] = encodings(page)
        assert choice.value == "as guessed"
        choice.set_value("mac-roman").run()
        assert not page.exception
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        dataset = page.query_params["dataset"]
        bodies = app_store.rows("select body from item where dataset = $one", one=dataset)
        assert [json.loads(body)["frage"] for (body,) in bodies] == [
            f"Wie lange {said}",
            f"Seit wann {said}",
        ]

    @pytest.mark.deep
    def test_a_column_for_each_model_becomes_a_comparison_that_names_none_to_reviewers(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        table = "Nr,Frage,Antwort GPT-4o,Antwort Llama\n" + "".join(
            f"{n},Was hilft am Tag {n}?,Bitte kommen Sie heute noch in die Praxis {n},"
            f"Warten Sie zwei Tage ab und trinken Sie viel {n}\n"
            for n in range(4)
        )
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("wide.csv", table.encode(), "")).run()
        assert any("2 columns each hold a model's answers" in one.value for one in page.caption)
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        assert not page.exception
        assert "Imported 4 items" in page.success[0].value
        declared = open_study(app_store, Settings(), "wide").declared
        assert declared.arms is not None
        assert declared.arms.names == ("GPT-4o", "Llama")
        shown = [name for pane in declared.panes for name in (pane.title, *pane.columns)]
        assert not [name for name in shown if "GPT" in name or "Llama" in name]

    def test_what_gives_a_model_away_is_told_at_its_column_and_added_only_once_confirmed(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        table = "Nr,Frage,Antwort GPT-4o,Antwort Llama\n" + "".join(
            f"{n},Was sagt {'gpt4' if n == 2 else 'man'} am Tag {n}?,Bitte kommen Sie in die"
            f" Praxis {n},Warten Sie zwei Tage ab und trinken Sie viel {n}\n"
            for n in range(4)
        )
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("telling.csv", table.encode(), "")).run()
        assert any("row 3" in one.value and "gpt4" in one.value for one in page.warning)
        page.button(key="own.write").click().run()
        assert any("“Frage”, row 3\\)" in one.value for one in page.warning)
        page.button(key="own.open").click().run()
        assert list_names_of_studies(app_store) == []
        assert any("Not added yet" in one.value for one in page.warning)
        # It stands where the button was that the lead pressed, not below it.
        keys = [one.key for one in page.button]
        assert keys.index("own.open.unblinded") < keys.index("own.open")
        page.button(key="own.open.unblinded").click().run()
        assert not page.exception
        assert list_names_of_studies(app_store) == ["telling"]
        page.button(key="own.begin").click().run()
        page.file_uploader(key="own.table").set_value(("telling.csv", table.encode(), "")).run()
        [mask] = [o for o in page.checkbox if o.key and o.key.startswith("own.mask.names")]
        mask.check().run()
        page.button(key="own.write").click().run()
        assert not any("“Frage”, row 3\\)" in one.value for one in page.warning)

    def test_headings_that_say_who_wrote_which_answer_are_kept_only_once_confirmed(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        table = "Message,AI Draft,Clinician Reply Sent\n" + "".join(
            f"Is it safe to take two of these on day {n}?,Take only one on day {n} and rest well,"
            f"Please take one on day {n} and call me tomorrow\n"
            for n in range(4)
        )
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("inbox.csv", table.encode(), "")).run()
        page.button(key="own.write").click().run()
        assert any("“AI Draft” and “Clinician Reply Sent”" in one.value for one in page.warning)
        page.button(key="own.open").click().run()
        assert list_names_of_studies(app_store) == []
        assert any("make the texts answers to compare" in one.value for one in page.warning)
        page.button(key="own.open.unblinded").click().run()
        assert list_names_of_studies(app_store) == ["inbox"]

    def test_a_lead_decides_what_becomes_of_what_may_identify_a_patient_before_writing(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        rest = "rest and drink water for as long as the cough of this week lasts"
        table = (
            f"Nr,Answer,Further\n1,Call Mr Thompson on 07700 900123; {rest},x\n2,Nobody should"
            f" {rest},y\n"
        )
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("ids.csv", table.encode(), "")).run()
        listed = next(one.value for one in page.dataframe if "may be" in one.value)
        assert [*listed["row"]] == [1, 1]
        assert [*listed["column"]] == ["Answer", "Answer"]
        assert [*listed["as written there"]] == ["Mr Thompson", "07700 900123"]
        assert page.button(key="own.write").disabled
        [decided] = [one for one in page.radio if str(one.key).startswith("own.identifiers.")]
        decided.set_value("replace").run()
        page.button(key="own.write").click().run()
        assert any("which holds what may identify a patient" in one.value for one in page.caption)
        [draft] = unfinished_study_files.list_study_file_drafts(app_store, lead)
        assert (
            unfinished_study_files.table_file_name_and_content_of_draft(
                app_store, draft.name, by=lead
            )
            is None
        )
        page.button(key="own.open").click().run()
        assert not page.exception
        bodies = [str(row) for row in app_store.rows("select body from item where dataset = 'ids'")]
        assert any("Call [name] on [telephone number]" in body for body in bodies)

    @pytest.mark.deep
    def test_files_with_one_models_answers_each_are_joined_and_compared(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        def answers(model: str, *numbers: int) -> tuple[str, bytes, str]:
            lines = [
                f"{n},What helps against cough {n} of a week?,Rest and drink: {model[-1]} {n}"
                for n in numbers
            ]
            text = "\n".join(["id,question,answer", *lines])
            return f"answers_{model}.csv", text.encode(), "text/csv"

        page = open_page(PAGE, who=lead)
        tables = page.file_uploader(key="own.table")
        tables.set_value([answers("gpt4", 1, 2, 3), answers("llama", 2, 3, 4)]).run()
        assert not page.exception
        said = [one.value for one in page.caption]
        assert any("2 cases, matched by “question”, with the answers of gpt4" in x for x in said)
        assert sum("1 case of it is not in every file" in one for one in said) == 2
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        assert not page.exception
        assert open_study(app_store, Settings(), "answers").declared.arms.names == ("gpt4", "llama")
        assert app_store.value("select count(*) from item where dataset = 'answers'") == 2
        # A file that was mended and uploaded again takes the place of the first.
        page = open_page(PAGE, who=lead, view="Make a study")
        both = [answers("gpt4", 1), answers("gpt4", 1, 2, 3)]
        page.file_uploader(key="own.table").set_value(both).run()
        assert any("the one uploaded last is used" in one.value for one in page.caption)
        other = (
            "llama.csv",
            b"id,question,answer\n1,Another one of this week entirely?,Rest now",
            "",
        )
        page.file_uploader(key="own.table").set_value([answers("gpt4", 1, 2), other]).run()
        told = [one.value for one in (*page.text, *page.error)]
        assert any("are not the same cases" in one for one in told), told

    def test_who_leaves_the_page_right_after_adding_a_study_leaves_it_with_its_items(
        self, open_page: OpenPage, app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        rest = "should rest and drink water for as long as the cough of this week lasts"
        table = f"nr,answer\na,Anybody {rest}\nb,Nobody {rest}\n"
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("left.csv", table.encode(), "")).run()
        page.button(key="own.write").click().run()
        stored = own_study.store_study_file_version_and_return_it
        with monkeypatch.context() as leaving:

            def store_and_leave(*given: Any, **options: Any) -> Any:
                kept = stored(*given, **options)
                if options["by"] is not None:
                    # From now on Streamlit ends this run at its next call, as of a closed session.
                    for touch in ("__setitem__", "__getitem__", "__contains__"):
                        leaving.setattr(SafeSessionState, touch, stop)
                return kept

            def stop(*_: Any) -> Any:
                leaving.undo()
                raise StopException

            leaving.setattr(own_study, "store_study_file_version_and_return_it", store_and_leave)
            leaving.setattr(
                make_study, "store_study_file_version_and_return_it", store_and_leave, raising=False
            )
            page.button(key="own.open").click().run()
        assert list_names_of_studies(app_store) == ["left"]
        assert app_store.column("select name from item where dataset = 'left' order by name") == [
            "a",
            "b",
        ]

    @pytest.mark.deep
    def test_rows_that_are_refused_can_be_left_out_where_the_study_is_added(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        rest = "should rest and drink water for as long as the cough of this week lasts"
        table = f"nr,answer\na,Anybody {rest}\nb,Nobody {rest}\n"
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("rows.csv", table.encode(), "")).run()
        page.button(key="own.write").click().run()
        # What was guessed from a first look need not hold for a row that is added later.
        worse = f"{table}a,Another text of the same name {rest}\n"
        page.file_uploader(key="own.table").set_value(("rows.csv", worse.encode(), "")).run()
        page.button(key="own.open").click().run()
        assert list_names_of_studies(app_store) == []
        assert any("a name not used already" in one.value for one in page.text)
        # The file is called as the lead calls it, and not as it is kept meanwhile.
        said = [one.value for one in (*page.text, *page.error)]
        assert any("rows.csv, line 4" in one for one in said), said
        page.button(key="own.open.skip").click().run()
        assert not page.exception
        assert "1 row that was refused is left out" in page.success[0].value
        assert app_store.rows("select name from item where dataset = 'rows' order by name") == [
            ("a",),
            ("b",),
        ]

    @pytest.mark.deep
    def test_a_second_table_of_the_same_name_changes_no_study_before_the_lead_has_said_how(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        def add_table(*numbers: int, words: str = "as well as they can") -> AppTest:
            rows = [f"{n},Patient {n} asks when to walk again {words}\n" for n in numbers]
            page = open_page(PAGE, who=lead, view="Make a study")
            given = ("rewrite.csv", ("nr,message\n" + "".join(rows)).encode(), "")
            page.file_uploader(key="own.table").set_value(given).run()
            page.button(key="own.write").click().run()
            assert not page.exception
            return page

        def names(study: str) -> list[str]:
            return [
                name for name, _, _ in queries.list_names_and_columns_of_items(app_store, study)
            ]

        add_table(1, 2).button(key="own.open").click().run()
        page = add_table(2, 11)
        assert "You have a study “Rewrite” (rewrite) already**, with 2 items" in words(page)
        assert "own.open" not in {button.key for button in page.button}
        assert "1 new, 1 already there (11, …)" in words(page)
        page.button(key="own.becomes.items").click().run()
        assert names("rewrite") == ["1", "2"]
        page.button(key="own.open").click().run()
        assert names("rewrite") == ["1", "2", "11"]
        assert open_study(app_store, Settings(), "rewrite").version == 1

        of = items.item_ids_by_name(app_store, "own", "rewrite", ["11"])
        ids = {item: name for name, item in of.items()}
        for back in (False, True):
            withdrawn_items.withdraw_or_return_items_and_count_notified(
                app_store, ids, study="own", dataset="rewrite", reason="r", by=lead, back=back
            )
            if not back:
                page = add_table(2, 11)
                assert "0 new, 1 already there, 1 withdrawn." in words(page)
                assert "Withdrawn items are put back under Items." in words(page)
                assert page.button(key="own.becomes.items").disabled
        page = add_table(2, 12, words="otherwise than before")
        assert "1 new, 0 already there, 1 with different wording (2, …)" in words(page)
        assert page.button(key="own.becomes.items").disabled
        page.button(key="own.becomes.study").click().run()
        page.button(key="own.open").click().run()
        assert names("rewrite_2") == ["2", "12"]
        assert names("rewrite") == ["1", "2", "11"]
        # Another table in the same session, without writing the study anew.
        page.button(key="own.made.change").click().run()
        other = ("rewrite.csv", b"nr,message\n77,Patient 77 asks whether she may walk again\n", "")
        page.file_uploader(key="own.table").set_value(other).run()
        assert "You have a study “Rewrite 2”" in words(page)
        page = add_table(21)
        page.button(key="own.becomes.version").click().run()
        assert "own.open" in {button.key for button in page.button}

    def test_a_table_becomes_an_open_study_with_its_items_in_a_few_presses(
        self, open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
    ) -> None:
        table = "Case,Question,Model,Answer\n" + "".join(
            f"{n},Is it safe to take two of them on day {n}?,{m},"
            f"{m} answer {n} in as many words as one would read of it.\n"
            for n in range(5)
            for m in ("Llama", "Qwen")
        )
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(
            ("answers.csv", table.encode(), "text/csv")
        ).run()
        page.button(key="own.write").click().run()
        assert not page.exception
        assert 'arm_column = "Model"' in page.text_area(key="own.text").value
        assert "Llama answer 0 in as many" in words(page)
        assert form_of(page, "own.preview")["fields"][0]["head"] == "Answer A"
        answer(page, form_named="own.preview", better="tie")
        assert form_of(page, "own.preview")["values"]["better"] == "tie"
        text = page.text_area(key="own.text").value
        page.text_area(key="own.text").set_value(text.replace('"preference"', '"prefer"')).run()
        [row] = [one for f in page.dataframe for one in f.value.to_dict("records") if "line" in one]
        assert row["field"] == "kind"
        page.text_area(key="own.text").set_value(text).run()
        page.selectbox(key="own.kind").set_value("long_text").run()
        page.button(key="own.another").click().run()
        assert 'kind = "long_text"' in page.text_area(key="own.text").value.splitlines()[-2]
        page.button(key="own.open").click().run()
        # Each answer names its model.
        page.button(key="own.open.unblinded").click().run()
        assert "Imported 5 items into" in page.success[0].value
        assert list_names_of_studies(app_store) == ["answers"]
        page = open_page(PAGE, who=reviewer)
        assert "Answer B" in words(page)
        assert "Qwen" not in sent(page).replace("Qwen answer", "")

    @pytest.mark.deep
    def test_a_study_is_edited_by_fields_which_are_in_step_with_its_file(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        added("preference")(app_store)
        page = open_page(PAGE, who=lead, dataset="preference", view="Make a study")
        page.button(key="own.change").click().run()
        # It is shown with an item that it has, whose words the check counts.
        assert "Nothing is given here." not in words(page)
        assert "words read at 238 a minute" in words(page)
        page.button(key="own.go.question.1").click().run()
        field = "own.field.question.1."
        assert page.text_area(key=field + "text").value == "How correct is it?"
        assert page.selectbox(key=field + "per").value == "arm"
        page.text_area(key=field + "text").set_value("How true is it?").run()
        page.number_input(key=field + "maximum").set_value(7).run()
        page.checkbox(key=field + "not_applicable").check().run()
        text = page.text_area(key="own.text").value
        [asked] = [
            one for one in study_file.parse_study_file(text).form.questions if one.id == "correct"
        ]
        assert (asked.text, asked.maximum, asked.not_applicable) == ("How true is it?", 7, True)
        assert "# beside each other" in text
        told = json.dumps(form_of(page, "own.preview"))
        assert "How true is it?" in told
        assert "not applicable" in told
        # The other way round: what is changed in the file stands in the fields.
        page.text_area(key="own.text").set_value(text.replace("How true", "How right")).run()
        assert page.text_area(key=field + "text").value == "How right is it?"
        # A mistake is told at its field; what was there last is still shown.
        page.text_area(key=field + "text").set_value("").run()
        assert ":red[:material/error: Expected some words here.]" in words(page)
        assert "How right is it?" in json.dumps(form_of(page, "own.preview"))
        page.button(key="own.undo").click().run()
        assert page.text_area(key=field + "text").value == "How right is it?"
        page.button(key="own.move.1").click().run()
        asked_for = [
            one.id
            for one in study_file.parse_study_file(
                page.text_area(key="own.text").value
            ).form.questions
        ]
        assert asked_for[:3] == ["safe", "better", "correct"]
        page.button(key="own.remove").click().run()
        assert "How right" not in page.text_area(key="own.text").value
        page.selectbox(key="own.kind").set_value("rubric").run()
        page.button(key="own.another").click().run()
        rows = "own.field.question.4.criteria"
        page.button(key=f"{rows}.add").click().run()
        assert r"Expected a text \(criterion 3\)." in words(page)
        page.text_area(key=f"{rows}.2.text").set_value("Names the dose").run()
        page.number_input(key=f"{rows}.2.points").set_value(3).run()
        [*_, last] = study_file.parse_study_file(
            page.text_area(key="own.text").value
        ).form.questions
        assert (last.text, last.points) == ("Names the dose", 3)
        assert last.id.endswith("names_the_dose")
        page.button(key=f"{rows}.0.take").click().run()
        assert "Says what matters most" not in page.text_area(key="own.text").value

    @pytest.mark.deep
    def test_a_table_is_checked_before_the_study_is_opened(
        self, open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
    ) -> None:
        table = "Case,Model,Answer\n" + "".join(
            f"{n},{m},In as many words as one would read of it on day {n} from {m[0]}.\n"
            for n in range(4)
            for m in ("Llama", "Qwen")
        )
        # Whoever came with imported judgments cannot be given more.
        raters.find_or_add_rater_by_name(app_store, "annotator-1", origin="import")
        page = open_page(PAGE, who=lead)
        given = ("answers.csv", table.encode(), "text/csv")
        page.file_uploader(key="own.table").set_value(given).run()
        page.button(key="own.write").click().run()
        said = words(page)
        assert "4 items, each judged by 2 reviewers: 8 judgments." in said
        assert "Your team has 2 people who can judge: 4 items" in said
        assert "They never see: Model" in said
        assert "percentage points for a share" in said
        assert "Brysbaert" in said
        text = page.text_area(key="own.text").value
        more = text.replace('name = "Qwen"', 'name = "Qwen"\n\n[[arm]]\nname = "Mistral"')
        page.text_area(key="own.text").set_value(more).run()
        assert "No case has the arm 'Mistral'" in words(page)
        page.text_area(key="own.text").set_value(text).run()
        page.button(key="own.go..Handing out").click().run()
        page.number_input(key="own.field..0.items_per_rater").set_value(3).run()
        assert "That is not enough" in words(page)
        page.number_input(key="own.field..0.raters_per_item").set_value(9).run()
        assert "Your team has 2 people who can judge.**" in words(page)

    def test_what_was_read_otherwise_than_meant_is_told_before_anything_is_written(
        self, open_page: OpenPage, lead: Rater
    ) -> None:
        page = open_page(PAGE, who=lead)
        table = "case,answer\n" + "".join(f"{one},Naïve as before.\n" for one in "ABC")

        def told(content: bytes) -> str:
            given = ("answers.csv", content, "text/csv")
            page.file_uploader(key="own.table").set_value(given).run()
            assert not page.exception
            return words(page)

        # As Excel saves "Unicode text".
        said = told(table.replace(",", "\t").encode("utf-16"))
        assert "is in UTF-16, and was read as that" in said.replace("\\", "")
        assert "guessed from its 3 rows" in said
        said = told(table.encode("mac-roman")).replace("\\", "")
        assert "it was read as Western (Mac Roman)" in said
        said = told(table.encode("cp1252")).replace("\\", "")
        assert "3 cells were not in UTF-8 and read as Windows-1252" in said
        said = told(table.replace("\nC", "\nC,one more").encode()).replace("\\", "")
        assert "Not every row can be read. answers.csv, line 4" in said
        assert "guessed from its 2 rows" in said
        # One of the two would be lost.
        assert "2 columns of this file are called" in told(b"case,answer,answer \nA,one,two\n")

    @pytest.mark.deep
    def test_a_label_studio_project_comes_in_with_what_was_answered(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        written = Path(__file__).parents[1] / "store" / "label_studio_1_23.json"
        page = open_page(PAGE, who=lead)
        page.selectbox(key="own.from").set_value("label-studio").run()
        config, export = "own.label-studio.CONFIG.xml", "own.label-studio.EXPORT.json"
        given = ("c.xml", written.with_suffix(".xml").read_bytes(), "text/xml")
        page.file_uploader(key=config).set_value(given).run()
        page.file_uploader(key=export).set_value(("x.json", b"{}", "application/json")).run()
        assert "not a list of tasks with data" in words(page)
        given = ("doses.json", written.read_bytes(), "application/json")
        page.file_uploader(key=export).set_value(given).run()
        assert "1 item, 2 judgments, 1 person, 1 model" in words(page)
        page.button(key="own.write").click().run()
        # Answers that the study no longer takes leave no study behind.
        text = page.text_area(key="own.text").value
        page.text_area(key="own.text").set_value(text.replace('"label_1"', '"drug"')).run()
        page.button(key="own.open").click().run()
        assert list_names_of_studies(app_store) == []
        page.text_area(key="own.text").set_value(text).run()
        page.button(key="own.open").click().run()
        assert "judgments into 'doses'" in page.success[0].value
        made = work_behind_commands.make_export_table(
            app_store, Settings(), "own-marks", viewer=None, dataset="doses"
        )
        assert sorted(made["quote"]) == ["5 mg", "aspirin"]

    def test_a_dictionary_of_redcap_becomes_the_questions_of_a_study_without_items(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        written = (
            "Variable / Field Name,Form Name,Field Type,Field Label,"
            '"Choices, Calculations, OR Slider Labels"\n'
            "record_id,f,text,Record,\n"
            'harm,f,radio,Schaden?,"1, Ja, sicher | 0, Nein"\n'
            "total,f,calc,Sum,[harm]\n"
        )
        page = open_page(PAGE, who=lead)
        page.file_uploader(key="own.table").set_value(("f.csv", written.encode(), "")).run()
        assert "study from-redcap" in words(page)
        page.selectbox(key="own.from").set_value("redcap").run()
        given = ("ward form.csv", written.encode(), "text/csv")
        page.file_uploader(key="own.redcap.DICTIONARY.csv").set_value(given).run()
        assert "This has questions, and no items yet." in words(page)
        told = words(page).replace("\\", "").replace("\u2060", "")
        assert "Calculated fields, left out: 1 (total)" in told
        page.button(key="own.write").click().run()
        assert not page.exception
        assert 'codes = ["1", "0"]' in page.text_area(key="own.text").value
        page.button(key="own.open").click().run()
        assert not page.exception
        assert list_names_of_studies(app_store) == ["ward_form"]
        links = [one.proto.label for one in page.main.get("page_link")]
        assert [one for one in links if one.startswith("Import its items")]
        assert not [one for one in links if "Open its round" in one]

    @pytest.mark.deep
    def test_logs_of_inspect_are_opened_together_as_a_comparison_that_their_judges_have_answered(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        written = Path(__file__).parents[1] / "store" / "inspect_0_3_285.json"
        page = open_page(PAGE, who=lead)
        page.selectbox(key="own.from").set_value("inspect").run()
        name = "2026-11-24T19-26-49-00-00_triage_m2S7thaHWdrAQYojDBybqJ.json"
        logs = [(name, written.read_bytes(), "application/json")]
        logs.insert(0, ("a.eval", written.with_suffix(".eval").read_bytes(), "application/zip"))
        page.file_uploader(key="own.inspect.LOG.eval").set_value(logs).run()
        assert "4 items, 13 judgments, 1 person, 3 models" in words(page)
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        assert "judgments into 'triage'" in page.success[0].value
        made = work_behind_commands.make_export_table(
            app_store, Settings(), "own-judgments", viewer=None, dataset="triage"
        )
        graded = made[made["rater"] != "graded"]
        assert set(graded["correct"]) == {"Correct", "Partially correct", "Incorrect"}

    def test_a_file_that_is_not_the_tools_is_refused_in_words(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        store = Path(__file__).parents[1] / "store"
        label_studio = (store / "label_studio_1_23.json").read_bytes()
        settings = store / "argilla_2_8_0_settings.json"
        log = (store / "inspect_0_3_285.json").read_bytes()
        before = app_store.current_version_by_table()
        page = open_page(PAGE, who=lead)

        def given(tool: str, *files: tuple[str, str, bytes]) -> str:
            page.selectbox(key="own.from").set_value(tool).run()
            for part, name, content in files:
                page.file_uploader(key=f"own.{tool}.{part}").set_value((name, content, ""))
            page.run()
            assert not page.exception
            return words(page)

        config = ("CONFIG.xml", "c.xml", (store / "label_studio_1_23.xml").read_bytes())
        short = given("label-studio", config, ("EXPORT.json", "e.json", label_studio[:300]))
        assert "it ends too early, as if it was cut short" in short
        other = given("label-studio", config, ("EXPORT.json", "e.json", log))
        assert "not a list of tasks with data" in other
        latin = '{"a": "\xe9"}'.encode("latin-1")
        assert "it is not in UTF-8" in given("inspect", ("LOG.eval", "l.json", latin))
        argilla = ("SETTINGS.json", settings.name, settings.read_bytes())
        mixed = given("argilla", argilla, ("RECORDS.parquet", "r.json", label_studio))
        assert "none of the fields of the settings: answer, chat, question" in mixed
        cut = (store / "argilla_2_8_0.parquet").read_bytes()[:900]
        damaged = given("argilla", argilla, ("RECORDS.parquet", "r.parquet", cut))
        assert "the file is damaged or cut short" in damaged
        wrong = given("inception", ("EXPORT.zip", "x.json", log))
        assert "is not UIMA CAS JSON" in wrong
        page.selectbox(key="own.from").set_value("").run()
        chat = b'{"messages": [{"role": "us'
        page.file_uploader(key="own.table").set_value(("chat.jsonl", chat, "")).run()
        assert "No row of this file can be read. chat.jsonl, line 1" in words(page)
        page.file_uploader(key="own.table").set_value(("t.xlsx", b"PK\x03\x04..", "")).run()
        assert "cannot be read as a workbook: it is damaged or cut short" in words(page)
        # Nothing is half imported.
        assert {
            name: n for name, n in app_store.current_version_by_table().items() if n != before[name]
        } == {}

    @pytest.mark.deep
    def test_a_potato_project_comes_in_as_a_zip_of_its_folder(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        folder = Path(__file__).parents[1] / "store" / "potato_2_12" / "notes"
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as packed:
            for path in folder.rglob("*"):
                packed.write(path, path.relative_to(folder.parent))
        page = open_page(PAGE, who=lead)
        page.selectbox(key="own.from").set_value("potato").run()
        key = "own.potato.PROJECT.zip"
        page.file_uploader(key=key).set_value(("n.zip", b"PK", "application/zip")).run()
        assert "cannot be unpacked" in words(page)
        page.file_uploader(key=key).set_value(("n.zip", made.getvalue(), "application/zip")).run()
        assert "3 items, 4 judgments, 2 people" in words(page)
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        assert "4 judgments" in page.success[0].value

    @pytest.mark.deep
    def test_a_document_of_inception_comes_in_with_its_marks(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        page = open_page(PAGE, who=lead)
        page.selectbox(key="own.from").set_value("inception").run()
        key = "own.inception.EXPORT.zip"
        page.file_uploader(key=key).set_value(("n.json", b"{}", "application/json")).run()
        assert "not UIMA CAS JSON" in words(page)
        tsv = (
            "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Error|kind\n\n\n#Text=Take aspirin .\n"
            "1-1\t0-4\tTake\t_\t\n1-2\t5-12\taspirin\tDose\t\n1-3\t13-14\t.\t_\t\n"
        )
        given = ("note.tsv", tsv.encode(), "text/tab-separated-values")
        page.file_uploader(key=key).set_value(given).run()
        assert "1 item, 1 judgment, 1 person" in words(page)
        page.button(key="own.write").click().run()
        page.button(key="own.open").click().run()
        made = work_behind_commands.make_export_table(
            app_store, Settings(), "own-marks", viewer=None, dataset="note"
        )
        assert made[["label", "quote"]].to_numpy().tolist() == [["Dose", "aspirin"]]

    @pytest.mark.deep
    def test_a_table_that_names_images_waits_for_them_and_shows_them_once_they_are_added(
        self,
        open_page: OpenPage,
        lead: Rater,
        reviewer: Rater,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        settings = tmp_path / "medlens.toml"
        settings.write_text('[own]\nfiles_folder = "files"\n')
        monkeypatch.setenv("MEDLENS_CONFIG", str(settings))
        settings_store_and_runs_of_process.stop_runs_and_close_store()
        page = open_page(PAGE, who=lead)
        table = b"item,scan,report\ncase 1,model_a.png,No opacity is seen on either side of it.\n"
        page.file_uploader(key="own.table").set_value(("scans.csv", table, "text/csv")).run()
        page.button(key="own.write").click().run()
        assert "This file is missing, or larger than 20 MB." in words(page)
        page.button(key="own.open").click().run()
        assert "expected a file in" in words(page)
        image = base64.b64decode(
            b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
        )
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as opened:
            opened.writestr("scans/model_b.png", image)
        given = [
            ("model_a.png", image, "image/png"),
            ("notes.txt", b"words", "text/plain"),
            ("scans.zip", packed.getvalue(), "application/zip"),
        ]
        page.file_uploader(key="own.files.0").set_value(given).run()
        page.button(key="own.files.add").click().run()
        assert page.success[0].value == "Files: 2 added."
        assert "'notes.txt' is not a PNG, JPEG, GIF or WebP image" in words(page)
        shown = json.loads(component(page, "image_viewer").proto.json)
        assert shown["name"] == "Scan, image 1"
        assert shown["address"].startswith("/mock/media/")
        page.button(key="own.open").click().run()
        assert "Imported 1 item" in page.success[0].value
        page = open_page(PAGE, who=reviewer)
        shown = json.loads(component(page, "image_viewer").proto.json)
        assert shown["name"] == "Scan, image 1"
        assert shown["address"].startswith("/mock/media/")
        assert "model_a" not in sent(page)

    @pytest.mark.deep
    def test_of_two_leads_who_edit_one_study_the_later_one_is_told(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        added("long_answers")(app_store)
        page = open_page(PAGE, who=lead, dataset="long_answers", view="Make a study")
        page.button(key="own.change").click().run()
        text = page.text_area(key="own.text").value
        mine = text.replace("Anything else", "Anything more")
        page.text_area(key="own.text").set_value(mine).run()
        theirs = text.replace("raters_per_item = 2", "raters_per_item = 3")
        work_behind_commands.declare_study_and_return_report_text(app_store, theirs, "theirs.toml")
        page.button(key="own.open").click().run()
        assert "changed this study at" in words(page)
        assert "there: raters_per_item = 3" in words(page)
        assert "here: raters_per_item = 2" in words(page)
        assert page.text_area(key="own.text").value == mine
        page.button(key="own.version.theirs").click().run()
        assert page.text_area(key="own.text").value == theirs
        page.button(key="own.undo").click().run()
        assert page.text_area(key="own.text").value == mine
        # Theirs was the version before it: opening what is kept replaces it, as was said.
        page.button(key="own.open").click().run()
        there = open_study(app_store, Settings(), "long_answers")
        assert (there.version, there.text) == (3, mine)

    def test_a_draft_is_there_again_after_a_reload_and_two_tabs_lose_nothing(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        added("long_answers")(app_store)
        view = {"dataset": "long_answers", "view": "Make a study"}
        page = open_page(PAGE, who=lead, **view)
        page.button(key="own.change").click().run()
        # What the study says already is no draft.
        assert unfinished_study_files.list_study_file_drafts(app_store, lead) == []
        text = page.text_area(key="own.text").value
        mine = text.replace("raters_per_item = 2", "raters_per_item = 4")
        page.text_area(key="own.text").set_value(mine).run()
        assert "draft saved" in words(page)
        name = page.query_params["draft"]
        other = open_page(PAGE, who=lead, draft=name, **view)
        assert other.text_area(key="own.text").value == mine
        # Another lead finds nothing of it, even by the address.
        second = open_page(
            PAGE, who=raters.find_or_add_rater_by_name(app_store, "Otto", role="lead"), **view
        )
        assert "Continue" not in words(second)
        theirs = mine.replace("raters_per_item = 4", "raters_per_item = 5")
        other.text_area(key="own.text").set_value(theirs).run()
        last = mine.replace("raters_per_item = 4", "raters_per_item = 6")
        page.text_area(key="own.text").set_value(last).run()
        assert "Changed in another tab" in words(page)
        assert page.text_area(key="own.text").value == last
        [kept] = unfinished_study_files.list_study_file_drafts(app_store, lead)
        assert kept.text == theirs
        page.button(key="own.draft.which.mine").click().run()
        [kept] = unfinished_study_files.list_study_file_drafts(app_store, lead)
        assert kept.text == last
        # On another day it is listed, and gone once the study was changed.
        fresh = open_page(PAGE, who=lead, **view)
        fresh.button(key=f"own.continue.{name}").click().run()
        assert fresh.text_area(key="own.text").value == last
        fresh.button(key="own.open").click().run()
        assert open_study(app_store, Settings(), "long_answers").text == last
        assert unfinished_study_files.list_study_file_drafts(app_store, lead) == []

    @pytest.mark.deep
    def test_the_table_of_a_draft_is_there_again_too_if_it_is_small(
        self,
        open_page: OpenPage,
        app_store: Store,
        lead: Rater,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        page = open_page(PAGE, who=lead, view="Make a study")
        table = b"item,note\nn1,The knee is well.\nn2,The hip is not.\n"
        page.file_uploader(key="own.table").set_value(("notes.csv", table, "text/csv")).run()
        page.button(key="own.write").click().run()
        assert "with its table" in words(page)
        name = page.query_params["draft"]
        again = open_page(PAGE, who=lead, view="Make a study", draft=name)
        assert "with its table notes" in words(again)
        assert "The knee is well" in words(again)
        # Another lead, even with the address, gets neither.
        otto = raters.find_or_add_rater_by_name(app_store, "Otto", role="lead")
        assert (
            unfinished_study_files.table_file_name_and_content_of_draft(app_store, name, by=otto)
            is None
        )
        again.button(key="own.open").click().run()
        assert not again.exception
        assert len(queries.list_names_and_columns_of_items(app_store, "notes")) == 2
        assert (
            unfinished_study_files.table_file_name_and_content_of_draft(app_store, name, by=lead)
            is None
        )
        # A larger one is not kept, and the page says so.
        monkeypatch.setattr(unfinished_study_files, "LARGEST_TABLE_MB", 0)
        page = open_page(PAGE, who=lead, view="Make a study")
        page.file_uploader(key="own.table").set_value(("large.csv", table, "text/csv")).run()
        page.button(key="own.write").click().run()
        assert "without its table, which is larger than" in words(page)
        again = open_page(PAGE, who=lead, view="Make a study", draft=page.query_params["draft"])
        assert "Upload its table again" in words(again)

    @pytest.mark.deep
    def test_a_file_that_would_make_answers_untrue_is_refused_on_the_page(
        self, open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
    ) -> None:
        added("long_answers")(app_store)
        judge_all(open_page(PAGE, who=reviewer, dataset="long_answers"), GOOD)
        page = open_page(PAGE, who=lead, dataset="long_answers", view="Study file")
        text = study_file.path_of_template("long_answers").read_bytes()
        upload(page, text)
        assert "This is the file in use" in words(page)
        upload(page, text.replace(b"Does it reason", b"Does she reason"))
        page.button(key="own.add").click().run()
        assert "'reasoned' has another wording" in words(page)

    def test_of_two_leads_who_change_a_study_the_later_one_is_told(
        self, open_page: OpenPage, app_store: Store, lead: Rater
    ) -> None:
        added("long_answers")(app_store)
        page = open_page(PAGE, who=lead, dataset="long_answers", view="Study file")
        text = study_file.path_of_template("long_answers").read_bytes()
        upload(page, text.replace(b"Anything else", b"Anything more"))
        theirs = text.replace(b"raters_per_item = 2", b"raters_per_item = 3").decode()
        work_behind_commands.declare_study_and_return_report_text(app_store, theirs, "theirs.toml")
        page.button(key="own.add").click().run()
        assert "it has version 2 now" in words(page)
        assert open_study(app_store, Settings(), "long_answers").text == theirs


def test_a_run_calls_studies_by_their_titles(
    open_page: OpenPage,
    app_store: Store,
    lead: Rater,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = tmp_path / "medlens.toml"
    config.write_text('[models.a]\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "m"\n')
    monkeypatch.setenv("MEDLENS_CONFIG", str(config))
    page = open_page("6_Runs.py", who=lead, new="own.answer")
    study = page.selectbox(key="runs.new.own.answer.dataset")
    title = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), "long_answers"
    ).declared.form.title
    assert title in study.options
    assert "long_answers" not in study.options


@pytest.mark.deep
def test_sentences_that_people_marked_are_what_an_adjudicator_chooses_among(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    added("source_check")(app_store)
    text = study_file.read_study_file_text_and_declaration(
        study_file.path_of_template("source_check")
    )[0]
    text = text.replace('kind = "source"', 'kind = "source"\nplace = "centre"')
    work_behind_commands.declare_study_and_return_report_text(app_store, text, "placed.toml")
    task = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), "source_check"
    ).task
    rounds.open_or_close_round(app_store, task, "source_check", state="open", raters=(), by=None)
    page = open_page(PAGE, who=reviewer, dataset="source_check")
    told = json.loads(component(page, "source_pane").proto.json)
    form = form_of(page, task.name)
    # The source stands in the middle, the statement on its left, the questions on its right.
    left, centre, right = page.columns[-3:]
    assert [one.value for one in left.markdown if "## " in one.value] == ["### Statement"]
    assert [one.value for one in centre.markdown if "## " in one.value] == ["### Source"]
    assert right.expander[0].label == "Instructions"
    # The form and the pane know each other by the item and the source's column.
    [proof] = [one for one in form["fields"] if one["kind"] == "passages"]
    assert (told["item"], told["column"]) == (form["item"], proof["source"])
    cells = [
        json.dumps([{"start": start, "end": start + len(words), "quote": words}])
        for start, words in zip(told["starts"], told["sentences"], strict=True)
    ]
    answer(page, supported="Does not say", proof=cells[0], submit=True)
    [[kept]] = app_store.rows("select body ->> '$.answers.proof' from judgment")
    assert json.loads(kept) == json.loads(cells[0])
    body = {"version": 1, "answers": {"supported": "Does not say", "proof": cells[1]}}
    item = item_called(app_store, told["item"])
    row = judging.make_imported_judgment_row(task.name, item, lead.id, task.parse(body))
    app_store.append("judgment", row)
    [[name]] = app_store.rows("select name from item where id = $item", item=item)
    asked = {"task": task.name, "dataset": "source_check", "divided": name}
    asked["section"] = "disagreements"
    page = open_page("5_Team.py", who=lead, **asked)
    # They chose the same answer and marked other sentences: that is no one answer.
    [choice] = [one for one in form_of(page, "adjudication")["fields"] if one["id"] == "answer"]
    assert [one["value"] for one in choice["options"]][:2] == ["A", "B"]
    page = open_page("5_Team.py", who=lead, **asked, word="write")
    form, pane = form_of(page, "adjudication"), component(page, "source_pane")
    [proof] = [one for one in form["fields"] if one["kind"] == "passages"]
    pane = json.loads(pane.proto.json)
    assert (pane["item"], pane["column"]) == (form["item"], proof["source"])
    # Everyone's passages show in the source, and the decision begins with them.
    marks = {one["by"]: one["passages"] for one in pane["others"]}
    both = [one for cell in cells[:2] for one in json.loads(cell)]
    assert sorted(json.dumps(one) for one in marks.values()) == sorted(cells[:2])
    assert json.loads(form["values"]["own.proof"]) == both
    assert form["values"]["own.supported"] == "Does not say"
    # It can be a sentence that nobody marked, but none that is not there.
    wrong = json.dumps([{"start": 0, "end": 4, "quote": "Xyzzy"}])
    how = {"own.proof": wrong, "reason": "This one."}
    answer(page, form_named="adjudication", **how, submit=True)
    assert "a marked passage is not in the source" in words(page)
    answer(page, form_named="adjudication", **{"own.proof": cells[2]}, submit=True)
    value = consensus.adjudicated_answers_by_item_name(app_store, task, dataset="source_check")[
        name
    ]
    assert json.loads(value.answers["proof"]) == json.loads(cells[2])


MARKED = letters(SEVERITY, PROVED_AND_CORRECTED, visit="source")


@pytest.mark.deep
def test_a_text_is_marked_beside_evidence_a_rewritten_text_and_what_answering_reveals(
    open_page: OpenPage, app_store: Store, reviewer: Rater, tmp_path: Path
) -> None:
    work_behind_commands.declare_study_and_return_report_text(app_store, MARKED, "letters.toml")
    table = tmp_path / "letters.csv"
    table.write_text('item,visit,letter,checker\n1,"Left knee. No fever.","A 𝛼 right knee.",Knee\n')
    work_behind_commands.import_file(
        app_store, Settings(), "own-items", table, name=table.name, dataset="letters"
    )
    task = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), "letters"
    ).task
    rounds.open_or_close_round(app_store, task, "letters", state="open", raters=(), by=None)
    page = open_page(PAGE, who=reviewer, dataset="letters")
    text = json.loads(component(page, "text_to_mark").proto.json)
    form = form_of(page, task.name)
    marks, proof, _ = form["fields"]
    # The form and the text know each other by the item and the question.
    assert (marks["kind"], marks["source"], text["column"]) == ("marks", "errors", "errors")
    assert (text["item"], proof["kind"]) == (form["item"], "passages")
    assert text["text"] == "A 𝛼 right knee."
    assert "Checker" not in words(page)
    # As the browser writes it: offsets in code points, no space between.
    span = {"start": 4, "end": 9, "quote": "right", "labels": ["false"], "comment": ""}
    bare = json.dumps([{**span, "answers": {}}], separators=(",", ":"))
    said = {"better": "(no change)", "proof": "(no passage)"}
    answer(page, errors=bare, submit=True, **said)
    assert "How severe? – please answer this question" in words(page)
    # The draft is sent back letter for letter, so that the browser knows its own.
    assert form_of(page, task.name)["values"]["errors"] == bare
    answer(page, errors='[{"start": 4}]')
    assert form_of(page, task.name)["values"]["errors"] == bare
    whole = bare.replace("{}", '{"severity":"Major"}')
    answer(page, errors=whole, submit=True)
    assert "You have answered, so this is shown now" in words(page)
    [[kept]] = app_store.rows("select body from judgment")
    assert task.parse(json.loads(kept)).spans[0].answers == {"severity": "Major"}
    # What is taken off after the reveal is a revision that is not blind.
    answer(page, errors=None, submit=True)
    assert app_store.rows("select blind, body ->> '$.spans' from judgment order by seq")[1] == (
        False,
        "[]",
    )


@pytest.mark.deep
def test_an_adjudicator_marks_a_text_anew_beside_what_else_is_asked(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    work_behind_commands.declare_study_and_return_report_text(app_store, MARKED, "letters.toml")
    table = b'item,visit,letter,checker\n1,"Left knee. No fever.","A right knee, red.",Knee\n'
    work_behind_commands.import_file(
        app_store, Settings(), "own-items", table, name="letters.csv", dataset="letters"
    )
    task = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), "letters"
    ).task
    [[item]] = app_store.rows("select id from item where dataset = 'letters'")

    def span(start: int, quote: str, label: str) -> dict[str, Any]:
        place = {"start": start, "end": start + len(quote), "quote": quote}
        return {**place, "labels": [label], "comment": "", "answers": {"severity": "Major"}}

    sides = span(2, "right", "false"), span(14, "red", "made_up")
    for name, spans in (
        ("Rosa", sides[:1]),
        ("Sam", [sides[0] | {"labels": ["made_up"]}, sides[1]]),
    ):
        body = {"version": 1, "spans": spans, "answers": {"better": "(no change)"}}
        rater = raters.find_or_add_rater_by_name(app_store, name).id
        app_store.append(
            "judgment", judging.make_imported_judgment_row(task.name, item, rater, task.parse(body))
        )
    asked = {"task": task.name, "dataset": "letters", "section": "disagreements", "divided": "1"}
    page = open_page("5_Team.py", who=lead, **asked)
    # Everyone's marks stand in the text, by answer.
    text = json.loads(component(page, "text_to_mark").proto.json)
    assert text["readonly"]
    marks: dict[str, list[str]] = {}
    for one in text["draft"]["spans"]:
        marks.setdefault(one["comment"], []).append(one["quote"])
    assert set(marks) == {"Answer A", "Answer B"}
    assert sorted(marks.values()) == [["right"], ["right", "red"]]
    assert "Checker" not in words(page)
    page = open_page("5_Team.py", who=lead, **asked, word="write")
    text = json.loads(component(page, "text_to_mark").proto.json)
    form = form_of(page, "adjudication")
    assert (text["readonly"], text["item"]) == (False, form["item"])
    # The decision begins with all marks, each place once.
    begun = json.loads(form["values"]["own.errors"])
    assert [(one["quote"], sorted(one["labels"])) for one in begun] == [
        ("right", ["false", "made_up"]),
        ("red", ["made_up"]),
    ]
    assert form["values"]["own.better"] == "(no change)"
    anew = json.dumps([span(2, "right knee", "false")], separators=(",", ":"))
    how = {"own.errors": anew, "reason": "It was the left knee."}
    answer(page, form_named="adjudication", **how, submit=True)
    value = consensus.adjudicated_answers_by_item_name(app_store, task, dataset="letters")["1"]
    assert [(one.quote, one.labels) for one in value.spans] == [("right knee", ("false",))]
    assert value.answers == {"better": "(no change)"}
    page = open_page("5_Team.py", who=lead, **asked, word="write", settle="all")
    assert form_of(page, "adjudication")["values"]["own.errors"] == anew.replace(": ", ":").replace(
        ", ", ","
    )
