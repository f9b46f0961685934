"""Marks in a text as a question of an own study: from the desk to figures, files and the lead."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens import llm
from medlens.app import study_report, work_behind_commands
from medlens.bridges import export_to_label_studio
from medlens.config.settings import Model, Settings
from medlens.errors import InvalidInput
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import consensus, items, judging
from medlens.review.agreement import compute_agreement_by_variable
from medlens.review.mark_agreement import extract_marks_and_their_rows
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.own import queries, study_file
from medlens.studies.own.figures import FIGURES
from medlens.studies.own.model_name_masking import mask_names_in_text
from medlens.studies.own.study import OwnSettings, Study, attached_files_of_study, open_study
from medlens.studies.own.tasks import Answers, OwnSpan, counted_mark_answers_by_question
from medlens.studies.registry import find_pipeline
from medlens.tables import write_table
from medlens.ui.own_marking_desk import marking_setup_of_study_texts
from medlens.ui.span_desk import SpanDesk as Desk
from medlens.ui.span_tagger import parse_message
from tests.letters import PROVED_AND_CORRECTED, SEVERITY, letters
from tests.llm_server import LLMServer
from tests.store.made_up import person
from tests.store.test_own_files import image

pytestmark = pytest.mark.usefixtures("read_near")
NAME = "summary_errors"
KNEE, DOSE = "right knee", "400 mg"


def add(store: Store) -> Study:
    file = study_file.path_of_template(NAME)
    work_behind_commands.declare_study_and_return_report_text(
        store, study_file.read_study_file_text_and_declaration(file)[0], file.name
    )
    table = file.with_suffix(".csv")
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name=table.name, dataset=NAME
    )
    return open_study(store, Settings(), NAME)


@pytest.fixture
def study(store: Store) -> Study:
    return add(store)


def desk_of(store: Store, study: Study, rater: Rater, name: str = "s1") -> Desk:
    desk = Desk(
        store=store,
        task=study.task,
        settings=HandOut(items_per_rater=4, gold_share=0),
        dataset=NAME,
        rater=rater,
        marking=marking_setup_of_study_texts(study),
    )
    desk.open_named_or_next_item()
    while desk.queue_entry_of_current_item is None or desk.queue_entry_of_current_item.name != name:
        say(desk, "next")
    return desk


def mark(desk: Desk, words: str, *labels: str, **answers: str) -> dict[str, Any]:
    start = desk.tagger_data_with_answer()["text"].index(words)
    return {
        "start": start,
        "end": start + len(words),
        "quote": words,
        "labels": list(labels),
        "comment": "",
        "link": "",
        "located": "exact",
        "answers": answers,
    }


def say(desk: Desk, action: str, *marks: dict[str, Any], **answers: str) -> dict[str, Any]:
    """Send a message as the browser does; returns what it is answered."""
    data = desk.tagger_data_with_answer()
    message = {
        "token": new_id(),
        "rater": data["rater"],
        "item": data["item"],
        "base": data["rev"],
        "action": action,
        "reason": "",
        "seconds": {"active": 4.0, "idle": 1.0},
        "attempt": 1,
        "body": {"spans": list(marks), "comment": "", "answers": answers},
    }
    desk.carry_out_message_and_set_acknowledgement(parse_message(message))
    return desk.tagger_data_with_answer()["ack"]  # type: ignore[no-any-return]


def judge_all(store: Store, study: Study) -> None:
    """Anna marks two passages of the first summary, Ben one, and Cora none."""
    desk = desk_of(store, study, person(store, "Anna"))
    side = mark(desk, KNEE, "contradicted", severity="Major", correction="left knee")
    dose = mark(desk, DOSE, "inferred", severity="Minor")
    assert say(desk, "submit", side, dose, omission="No")["error"] is None
    desk = desk_of(store, study, person(store, "Ben"))
    side = mark(desk, KNEE, "contradicted", severity="Minor")
    assert say(desk, "submit", side, omission="No")["error"] is None
    desk = desk_of(store, study, person(store, "Cora"))
    assert say(desk, "submit", omission="No")["error"] is None


def values(store: Store, study: Study) -> dict[str, Answers]:
    found = consensus.current_judgments(store, study.task, dataset=NAME, viewer=None)
    return dict(zip(found["rater"], found["value"], strict=True))


def test_marks_are_kept_as_drafts_and_a_mark_without_a_severity_is_not_submitted(
    store: Store, study: Study
) -> None:
    anna = person(store, "Anna")
    desk = desk_of(store, study, anna)
    bare = mark(desk, KNEE, "contradicted")
    assert say(desk, "draft", bare)["error"] is None
    error = say(desk, "submit", bare, omission="No")["error"]
    assert "Mark 1: How much does it matter? – please answer" in error["message"]
    again = desk_of(store, study, anna)
    assert again.tagger_data_with_answer()["draft"]["spans"][0]["quote"] == KNEE
    assert again.tagger_data_with_answer()["draft"]["answers"] == {"omission": "No"}
    # A severity that the study does not have is not kept, nor an answer to another question.
    say(again, "draft", mark(again, KNEE, "contradicted", severity="Fatal", other="x"), where="y")
    draft = judging.load_draft_or_current_judgment(
        store, study.task, item=again.item or "", rater=anna.id
    )
    assert (draft.value.spans[0].answers, draft.value.answers) == ({}, {})


def test_words_that_are_not_there_and_unknown_labels_are_no_draft(
    store: Store, study: Study
) -> None:
    desk = desk_of(store, study, person(store, "Anna"))
    wrong = mark(desk, KNEE, "contradicted") | {"quote": "left knee"}
    assert "does not fit the text" in say(desk, "draft", wrong)["error"]["message"]
    unknown = mark(desk, KNEE, "nonsense")
    assert "lacks: nonsense" in say(desk, "draft", unknown)["error"]["message"]
    twice = mark(desk, KNEE, "contradicted"), mark(desk, KNEE, "inferred")
    assert "same words" in say(desk, "draft", *twice)["error"]["message"]


def test_shares_of_labels_and_severities_are_those_of_the_marks_and_so_is_agreement(
    store: Store, study: Study
) -> None:
    judge_all(store, study)
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset=NAME
    )
    rows = {(one["figure"], one["group"]): one["value"] for one in table.to_dict("records")}
    of = "share_hallucinations"
    assert rows[of, "Contradicted"] == pytest.approx(2 / 3)
    assert rows[of, "Inferred"] == pytest.approx(1 / 3)
    assert rows[of, "No marks"] == pytest.approx(1 / 3)
    assert rows[f"{of}_severity", "Major"] == pytest.approx(1 / 3)
    assert rows[f"{of}_severity", "Minor"] == pytest.approx(2 / 3)
    assert rows["items_hallucinations", "Contradicted"] == 1
    assert rows["items_hallucinations", "Inferred"] == 0
    judged = consensus.current_judgments(store, study.task, dataset=NAME, viewer=None)
    # Of three pairs of raters one says alike of Contradicted, and all of Made up.
    agreed = compute_agreement_by_variable(study.task, judged)
    assert agreed["hallucinations: Contradicted"].percent.value == pytest.approx(1 / 3)
    assert agreed["hallucinations: Made up"].percent.value == 1


def test_agreement_on_the_marked_words_is_in_the_figures_the_charts_the_team_and_the_report(
    store: Store, study: Study
) -> None:
    # Anna marks "right knee" (two words) and "400 mg", Ben "right knee" alone, Cora nothing. Anna
    # and Ben match one of 2 + 1 marks: 2 x 1 / 3. Anna and Cora, Ben and Cora: 0. All three are
    # compared, on one item: (2/3 + 0 + 0) / 3.
    judge_all(store, study)
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset=NAME
    )
    rows = {(one["figure"], one["group"]): one for one in table.to_dict("records")}
    for match in ("exact, same label", "exact, any label", "overlap, same label"):
        assert rows["f1_hallucinations", match]["value"] == pytest.approx(2 / 9)
        assert rows["f1_hallucinations", match]["n"] == 1
    # Alpha over the N words of the summary: of 3N ratings 4 say Contradicted (two words, each by
    # two of three people). Two words are split 2 to 1, which is 2 x 2 x 1 / 2 = 2 each: 4.
    [text] = [
        body["summary"]
        for name, _, body in queries.list_names_and_columns_of_items(store, NAME)
        if name == "s1"
    ]
    ratings = 3 * len(text.split())
    alpha = 1 - (ratings - 1) * 4 / (2 * 4 * (ratings - 4))
    assert rows["words_hallucinations", "Contradicted"]["value"] == pytest.approx(alpha)
    assert "no word carries the label" in rows["words_hallucinations", "Made up"]["method"]

    data = FIGURES.look(store, study, None, {})
    [figure] = [one for one in FIGURES.figures if one.name == "agreement"]
    charts = figure.chart(data, "agreement", "")  # type: ignore[misc]
    assert [one.name for one in charts] == [
        "agreement",
        "f1.hallucinations",
        "words.hallucinations",
    ]
    assert "1 item with two raters or more (100%" in charts[1].n

    judged = consensus.current_judgments(store, study.task, dataset=NAME, viewer=None)
    [measure] = study.task.whole_agreement_functions_by_name_and_meaning(judged).values()
    assert measure(["Anna", "Ben", "Cora"]).value == pytest.approx(2 / 9)
    assert measure(["Anna", "Ben"]).value == pytest.approx(2 / 3)
    assert measure(["Anna"]).reason == "no item has judgments of two raters"

    told = study_report.render_report_file(
        store, Settings(), "own", dataset=NAME, form="html"
    ).decode()
    assert "Span F1, how far marks agree: " in told
    assert "Krippendorff's alpha over words: ".replace("'", "&#x27;") in told


def test_a_judgment_with_a_mark_without_a_place_is_not_compared() -> None:
    lost = Answers(spans=(OwnSpan(labels=("a",)), OwnSpan(labels=("a",), start=0, end=3)))
    whole = Answers(spans=(OwnSpan(labels=("a", "b"), start=2, end=4),))
    judged = pd.DataFrame({"item_id": ["x", "y"], "value": [lost, whole]})
    marks, rows = extract_marks_and_their_rows(judged, ["a", "b"])
    assert list(rows["item_id"]) == ["y"]
    assert (marks.item.tolist(), marks.start.tolist(), marks.label.tolist()) == (
        [0],
        [2, 2],
        [0, 1],
    )


def test_exported_judgments_come_back_with_every_mark_and_marks_have_a_row_each(
    store: Store, study: Study, tmp_path: Path
) -> None:
    judge_all(store, study)
    lead = person(store, "Lena", lead=True)
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=lead, dataset=NAME
    )
    path = tmp_path / "judgments.csv"
    write_table(table, path)
    marks = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=lead, dataset=NAME
    )
    told = marks[["rater", "quote", "label", "severity", "correction"]].fillna("").to_numpy()
    assert told.tolist() == [
        ["Anna", KNEE, "Contradicted", "Major", "left knee"],
        ["Anna", DOSE, "Inferred", "Minor", ""],
        ["Ben", KNEE, "Contradicted", "Minor", ""],
        ["Cora", "", "", "", ""],
    ]
    other = open_store(tmp_path / "other.duckdb")
    there = add(other)
    done = work_behind_commands.import_file(
        other, Settings(), "own-judgments", path, name=path.name, dataset=NAME
    )
    assert "3" in done.line
    assert values(other, there) == values(store, study)
    other.close()


def test_a_mark_that_a_file_puts_outside_the_text_is_not_imported(
    store: Store, study: Study, tmp_path: Path
) -> None:
    judge_all(store, study)
    lead = person(store, "Lena", lead=True)
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=lead, dataset=NAME, nested=True
    )
    path = tmp_path / "judgments.jsonl"
    write_table(table, path, format="jsonl")
    row = json.loads(path.read_text().splitlines()[0])
    [first, *_] = row["value"]["spans"]
    first["start"], first["end"] = first["start"] + 100_000, first["end"] + 100_000
    path.write_text(json.dumps(row))
    other = open_store(tmp_path / "other.duckdb")
    add(other)
    with pytest.raises(InvalidInput, match="line 1: Mark 1 does not fit the text"):
        work_behind_commands.import_file(
            other, Settings(), "own-judgments", path, name=path.name, dataset=NAME
        )
    assert other.rows("select count(*) from judgment") == [(0,)]
    other.close()


def test_a_lead_settles_the_marks_by_one_of_the_answers_given(store: Store, study: Study) -> None:
    judge_all(store, study)
    ben = values(store, study)["Ben"]
    [item] = items.item_ids_by_name(store, "own", NAME, ["s1"]).values()
    body = study.task.answer_from_columns(study.task.answer_as_columns(ben)).model_dump(mode="json")  # type: ignore[misc]
    lead = person(store, "Lena", lead=True)
    consensus.record_adjudication(
        store, study.task, item=item, body=body, reason="The side.", by=lead
    )
    majority = consensus.consensus_table(store, study.task, dataset=NAME, viewer=None)
    word = majority.set_index("variable")["answer"]
    assert word["hallucinations: Contradicted"] == True  # noqa: E712
    assert word["hallucinations: Inferred"] == False  # noqa: E712
    cell = study.task.answer_as_columns(ben)["hallucinations"]
    assert study.task.cell_of_answer_in_words("hallucinations", cell) == (
        f"Contradicted: “{KNEE}” (Minor; from character 28)"
    )


def test_a_model_marks_by_quotes_which_are_found_in_the_text_or_left_out(
    store: Store, study: Study
) -> None:
    def answer(body: dict[str, Any]) -> str:
        if KNEE not in body["messages"][1]["content"]:
            return json.dumps({"reason": "Nothing wrong.", "marks": [], "q_1": "No"})
        marks = [
            {"quote": KNEE, "labels": ["contradicted"], "m_1": "Major", "m_2": "left knee"},
            {"quote": KNEE, "labels": ["made_up"], "m_1": "Minor", "comment": "again"},
            {"quote": "words that are not there", "labels": ["made_up"], "m_1": "Minor"},
        ]
        return json.dumps({"reason": "The side.", "marks": marks, "q_1": "No"})

    with LLMServer() as server:
        server.answer = answer
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(store, Settings(models={"gpt": model})),
            dataset=NAME,
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
        told = server.chats[0].body["messages"][0]["content"]
    assert set(done.outcomes) == {"rated"}
    assert "- contradicted: Contradicted. The source says the opposite" in told
    assert "m_1: How much does it matter?" in told
    assert "Quotes: 2 found word for word" in done.lines[-1]
    found = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset=NAME
    )
    mine = found[found["quote"] == KNEE]
    # One mark with both labels, at its place in the summary.
    assert (mine["label"].tolist(), set(mine["mark"])) == (["Contradicted", "Made up"], {1})
    [item] = set(mine["item"])
    text = items.item_body(store, items.item_ids_by_name(store, "own", NAME, [item])[item])[
        "summary"
    ]
    start, end = mine[["start", "end"]].astype(int).iloc[0]
    assert text[start:end] == KNEE
    assert (mine["severity"].iloc[0], mine["correction"].iloc[0]) == ("Major", "left knee")
    # An item without marks is judged as well: it has none.
    judged = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset=NAME
    )
    assert len(judged) == done.outcomes["rated"] > 1


def test_a_model_whose_quotes_are_nowhere_in_the_text_has_not_judged(
    store: Store, study: Study
) -> None:
    mark = {"quote": "words that are not there", "labels": ["made_up"], "m_1": "Minor"}
    with LLMServer() as server:
        server.answer = lambda body: json.dumps({"reason": "", "marks": [mark], "q_1": "No"})
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(store, Settings(models={"gpt": model})),
            dataset=NAME,
            models=("gpt",),
            sample=1,
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
    assert done.outcomes == {"no_quote_located": 1}
    judged = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=None, dataset=NAME
    )
    assert judged.empty


# -- answers side by side, each of which is marked -------------------------------------------------

TWO = """
id = "two"
title = "Errors in two answers"
instructions = "Mark every error in each."

[[column]]
name = "question"
means = "what was asked"

[[column]]
name = "answer"
means = "the answer"
by_arm = true

[[arm]]
name = "model A"
columns = { answer = "a" }

[[arm]]
name = "model B"
columns = { answer = "b" }

[[pane]]
title = "Question"
column = "question"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "errors"
kind = "spans"
text = "Mark every error."
per = "arm"
labels = [{ id = "false", name = "False" }, { id = "unsafe", name = "Unsafe" }]
of_span = [
  { id = "severity", text = "How severe?", options = ["Minor", "Severe"], required = true },
]

[[question]]
id = "better"
kind = "preference"
text = "Which is better?"
"""
A, B = "model A", "model B"
CASE = "q1,What helps?,ibuprofen is safe here,aspirin is fine at two"


def add_two(store: Store, folder: Path, more: str = "") -> Study:
    work_behind_commands.declare_study_and_return_report_text(store, TWO + more, "two.toml")
    table = folder / "two.csv"
    table.write_text(f"item,question,a,b\n{CASE}\n")
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name=table.name, dataset="two"
    )
    return open_study(store, Settings(), "two")


def of_arm(arm: str, start: int, end: int, label: str, severity: str = "Minor") -> dict[str, Any]:
    text = CASE.split(",")[2 if arm == A else 3]
    place = {"start": start, "end": end, "quote": text[start:end]}
    return {**place, "labels": [label], "answers": {"severity": severity}, "arm": arm}


def judge_two(
    store: Store, study: Study, name: str, order: list[str], *spans: dict[str, Any]
) -> list[str]:
    """Keep a judgment unless something is wrong with it; returns what."""
    [item] = items.item_ids_by_name(store, "own", "two", ["q1"]).values()
    body = {"version": 1, "answers": {"better": order[0]}, "order": order, "spans": list(spans)}
    value = study.task.parse(body)
    wrong = study.task.problems_of_answer(value, items.item_body(store, item))
    if not wrong:
        row = judging.make_imported_judgment_row(
            study.task.name, item, person(store, name).id, value
        )
        store.append("judgment", row)
    return list(wrong)


@pytest.mark.deep
def test_marks_in_answers_side_by_side_are_counted_and_exported_by_arm(
    store: Store, tmp_path: Path
) -> None:
    study = add_two(store, tmp_path)
    # "ibuprofen" in A by both, one of them also "safe"; "aspirin" in B by Anna alone.
    first, more = of_arm(A, 0, 9, "unsafe", "Severe"), of_arm(A, 13, 17, "false")
    judge_two(store, study, "Anna", [A, B], first, more, of_arm(B, 0, 7, "unsafe"))
    judge_two(store, study, "Ben", [B, A], of_arm(A, 0, 9, "unsafe"))
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="two"
    )
    rows = {(one["figure"], one["group"]): one for one in table.to_dict("records")}
    assert rows["share_errors", "arm: model A; Unsafe"]["value"] == 1
    assert rows["share_errors", "arm: model B; Unsafe"]["value"] == 0.5
    assert rows["share_errors", "arm: model B; No marks"]["value"] == 0.5
    assert rows["share_errors_severity", "arm: model A; Severe"]["value"] == 0.5
    # Each text is a unit. A: one of 2 + 1 marks matches, 2 x 1 / 3. B: none of 1 + 0 does. The
    # mean of both: (2/3 + 0) / 2.
    f1 = rows["f1_errors", "exact, same label"]
    assert (f1["value"], f1["n"]) == (pytest.approx(1 / 3), 2)
    judged = consensus.current_judgments(store, study.task, dataset="two", viewer=None)
    agreed = compute_agreement_by_variable(study.task, judged)
    assert agreed["errors / model A: Unsafe"].percent.value == 1
    assert agreed["errors / model B: Unsafe"].percent.value == 0
    marks = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset="two"
    )
    told = marks[["rater", "mark", "arm", "quote", "severity"]].to_numpy().tolist()
    assert told == [
        ["Anna", 1, A, "ibuprofen", "Severe"],
        ["Anna", 2, A, "safe", "Minor"],
        ["Anna", 1, B, "aspirin", "Minor"],
        ["Ben", 1, A, "ibuprofen", "Minor"],
    ]
    # Of an arm that was not shown nothing is counted, not even that it has no marks.
    alone = counted_mark_answers_by_question(study.declared, Answers(order=[A]))
    assert alone == {"errors / model A": ["No marks"], "errors_severity / model A": []}
    lead = person(store, "Lena", lead=True)
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-judgments", viewer=lead, dataset="two"
    )
    assert table["errors_labels / model A"].tolist() == ["False; Unsafe", "Unsafe"]
    assert table["errors_labels / model B"].tolist() == ["Unsafe", "No marks"]
    path = tmp_path / "judgments.csv"
    write_table(table, path)
    other = open_store(tmp_path / "other.duckdb")
    add_two(other, tmp_path)
    work_behind_commands.import_file(
        other, Settings(), "own-judgments", path, name=path.name, dataset="two"
    )
    again = consensus.current_judgments(other, study.task, dataset="two", viewer=None)
    assert again["value"].tolist() == judged["value"].tolist()
    other.close()
    told = study_report.render_report_file(
        store, Settings(), "own", dataset="two", form="html"
    ).decode()
    assert "Span F1, how far marks agree: " in told
    # Each text has its own labels in Label Studio, and each mark is in its own text.
    with zipfile.ZipFile(
        io.BytesIO(export_to_label_studio.make_label_studio_zip(store, study, viewer=lead))
    ) as project:
        [task] = json.loads(project.read("tasks.json"))
        assert b'<Labels name="errors_2" toName="answer_2">' in project.read("config.xml")
    results = [one for each in task["annotations"] for one in each["result"]]
    assert [(r["to_name"], r["value"]["text"]) for r in results if r["type"] == "labels"] == [
        ("answer_1", "ibuprofen"),
        ("answer_1", "safe"),
        ("answer_2", "aspirin"),
        ("answer_1", "ibuprofen"),
    ]


def test_a_mark_in_another_arms_text_is_refused_and_the_message_names_no_arm(
    store: Store, tmp_path: Path
) -> None:
    study = add_two(store, tmp_path)
    right = of_arm(A, 0, 9, "unsafe")
    assert judge_two(store, study, "Anna", [B, A], right | {"arm": B}) == [
        "Answer A: Mark 1 does not fit the text."
    ]
    assert judge_two(store, study, "Anna", [B, A], right | {"arm": "model C"}) == [
        "A mark is in the text of no arm of this item."
    ]
    [wrong] = judge_two(store, study, "Anna", [B, A], right | {"answers": {}})
    assert "Answer B: Mark 1: How severe?" in wrong
    # The same words in both texts are two marks; twice in one text they are refused.
    both = of_arm(A, 10, 12, "false"), of_arm(B, 8, 10, "false")
    assert judge_two(store, study, "Anna", [B, A], *both) == []
    [wrong] = judge_two(store, study, "Ben", [B, A], right, of_arm(A, 0, 9, "false"))
    assert "Two marks are on the same words" in wrong


def test_a_model_marks_each_of_two_answers_by_letter(store: Store, tmp_path: Path) -> None:
    add_two(store, tmp_path)

    def answer(body: dict[str, Any]) -> str:
        # The letters of the prompt: whichever stands first.
        told = body["messages"][1]["content"]
        first = told.index("ibuprofen") < told.index("aspirin")
        marks = [{"quote": "ibuprofen", "labels": ["unsafe"], "m_1": "Severe"}], []
        own, other = marks if first else marks[::-1]
        return json.dumps({"reason": "", "marks_1": own, "marks_2": other, "q_1": "A"})

    with LLMServer() as server:
        server.answer = answer
        model = Model.model_validate({"base_url": server.url, "model": "m"})
        done = find_pipeline("own", "rate").start(
            *(store, Settings(models={"gpt": model})),
            dataset="two",
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
        told = server.chats[0].body["messages"][0]["content"]
    assert done.outcomes == {"rated": 1}
    assert "Marks (marks_1): Mark every error. (Answer A)" in told
    assert "model A" not in told
    marks = work_behind_commands.make_export_table(
        store, Settings(), "own-marks", viewer=None, dataset="two"
    )
    assert marks[["arm", "quote", "severity"]].to_numpy().tolist() == [[A, "ibuprofen", "Severe"]]


_SCAN = """
[[column]]
name = "scan"
means = "the scan"

[[pane]]
title = "Scan"
column = "scan"
kind = "image"
"""


def test_a_model_marks_a_text_beside_evidence_a_text_to_rewrite_and_an_image(
    store: Store, tmp_path: Path
) -> None:
    text = letters(SEVERITY, PROVED_AND_CORRECTED, _SCAN, visit="source")
    work_behind_commands.declare_study_and_return_report_text(store, text, "letters.toml")
    settings = Settings().model_copy(update={"own": OwnSettings(files_folder=tmp_path)})
    attached_files_of_study(settings, "letters").add_file_and_say_if_new(
        "knee.png", image(), by=None
    )
    row = "1,The left knee hurts. No fever.,A right knee.,knee.png,Side"
    table = io.BytesIO(f"item,visit,letter,scan,checker\n{row}\n".encode())
    work_behind_commands.import_file(
        store, settings, "own-items", table, name="l.csv", dataset="letters"
    )

    mark = {"quote": "right", "labels": ["false"], "m_1": "Major"}
    proof, better = ["The left knee hurts."], "A left knee."
    said = json.dumps({"reason": "", "marks": [mark], "q_1": proof, "q_2": better})
    with LLMServer() as server:
        server.answer = lambda body: said
        model = Model(model="m", base_url=server.url, images=True)
        mine = settings.model_copy(update={"models": {"gpt": model}})
        done = find_pipeline("own", "rate").start(
            *(store, mine),
            dataset="letters",
            models=("gpt",),
            how=How(retries=llm.RetryPolicy(attempts=1), poll_seconds=0.01),
        )
        system, user = server.chats[0].body["messages"]
    assert done.outcomes == {"rated": 1}
    [told, picture] = user["content"]
    assert picture["image_url"]["url"].startswith("data:image/png")
    assert "The images are, in their order: Scan." in told["text"]
    # Several texts are shown: it is said which one is marked, which quoted, which rewritten.
    assert "Quote each passage word for word from Letter," in system["content"]
    assert "Quote the passages of Visit word for word" in system["content"]
    assert "Give the whole text of Letter as" in system["content"]
    assert "Side" not in told["text"]
    value = consensus.current_judgments(
        store, open_study(store, mine, "letters").task, dataset="letters", viewer=None
    )["value"].iloc[0]
    [mark] = value.spans
    assert (mark.start, mark.quote, mark.answers) == (2, "right", {"severity": "Major"})
    assert value.answers["better"] == "A left knee."
    assert "The left knee hurts." in str(value.answers["proof"])


def test_a_masked_name_can_be_marked_and_is_stored_and_exported_as_it_stands(
    store: Store,
) -> None:
    text = study_file.read_study_file_text_and_declaration(study_file.path_of_template(NAME))[0]
    text = text.replace("title = ", f'mask = ["{DOSE}"]\ntitle = ', 1)
    work_behind_commands.declare_study_and_return_report_text(store, text, "masked.toml")
    table = study_file.path_of_template(NAME).with_suffix(".csv")
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name=table.name, dataset=NAME
    )
    study, rater = open_study(store, Settings(), NAME), person(store, "Ada")
    [stored] = [
        body
        for name, _, body in queries.list_names_and_columns_of_items(store, NAME)
        if name == "s1"
    ]
    desk, bars = desk_of(store, study, rater), mask_names_in_text(DOSE, [DOSE], exact=True)
    dose = mark(desk, bars, "inferred", severity="Minor")
    assert stored["summary"][dose["start"] : dose["end"]] == DOSE
    assert say(desk, "draft", dose)["error"] is None
    for anew in (desk, desk_of(store, study, rater)):
        assert anew.tagger_data_with_answer()["draft"]["spans"][0]["quote"] == bars
        assert DOSE not in json.dumps(anew.tagger_data_with_answer(), ensure_ascii=False)
    assert say(desk, "submit", dose, omission="No")["error"] is None
    [answer] = values(store, study).values()
    assert [one.quote for one in answer.spans] == [DOSE]
    count = sum(
        DOSE in str(body) for _, _, body in queries.list_names_and_columns_of_items(store, NAME)
    )
    made = study_report.render_report_file(
        store, Settings(), "own", dataset=NAME, form="html"
    ).decode()
    assert f"In {count:,} of" in made
