"""Answers of models from files into the store, and out again."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from medlens.app.file_intake.default_dataset_for_file import default_dataset_for_file_kind
from medlens.errors import BadFile, InvalidInput
from medlens.review import items
from medlens.review.items import NewItem
from medlens.store import Store
from medlens.studies import registry
from medlens.studies.ebmqa.answers.answer_and_questionnaire_import_and_export import (
    make_answers_export_table,
)
from medlens.studies.ebmqa.answers.import_answers import import_answers
from medlens.studies.ebmqa.records import SET_KIND
from medlens.studies.ebmqa.study_in_dataset import Study
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.tables import Report, Request, write_table
from tests.store.ebmqa_questions import DATASET, add_questions

STUDY = Study(DATASET, True, QuestionnaireTask())


@pytest.fixture
def asked(store: Store) -> Store:
    add_questions(store)
    return store


def bring(store: Store, text: str | bytes, name: str = "a.csv", **how: bool) -> Report:
    source = text.encode() if isinstance(text, str) else text
    return import_answers(store, STUDY, Request(source, name, DATASET, **how))


def kept(store: Store) -> dict[tuple[str, str], tuple[str, str]]:
    """(model, question) -> (outcome, answer), as the export has them."""
    table = make_answers_export_table(store, STUDY, viewer=None)
    keys = zip(table["model"], table["question_id"], strict=True)
    return dict(zip(keys, zip(table["outcome"], table["answer"], strict=True), strict=True))


def test_answers_are_taken_as_text_number_letter_or_several(asked: Store) -> None:
    report = bring(
        asked,
        "question_id,model,answer\n"
        "n1,m,Greater than 54%\n"
        "n2,m,2\n"
        "n3,m,c\n"
        "s1,m,1;2\n"
        "s2,m,Abdominal pain; fever\n"
        "n1,other,I do not know\n"
        "n2,other,4\n"
        "n3,other,The answer is B because it is.\n"
        "s1,other,I'm sorry but I cannot provide medical advice.\n"
        "s2,other,Cough\n",
    )
    assert (report.added, report.known, report.refused) == (10, 0, ())
    assert kept(asked) == {
        ("m", "n1"): ("answered", "Greater than 54%"),
        ("m", "n2"): ("answered", "Between 5% and 54%"),
        ("m", "n3"): ("answered", "Less than 5%"),
        # An option with a semicolon of its own is told by numbers.
        ("m", "s1"): ("answered", "1; 2"),
        ("m", "s2"): ("answered", "Abdominal pain; Fever"),
        ("other", "n1"): ("idk", "I do not know"),
        ("other", "n2"): ("idk", "I do not know"),
        ("other", "n3"): ("answered", "Between 5% and 54%"),
        ("other", "s1"): ("refused", "I'm sorry but I cannot provide medical advice."),
        ("other", "s2"): ("parse_failed", "Cough"),
    }
    assert report.notes == (
        "Of 10 answers 6 answered, 2 do not know, 1 refuse to answer, 1 say nothing that could be"
        " read.",
    )


def test_what_was_said_is_kept_where_it_was_not_the_option_itself(asked: Store) -> None:
    bring(
        asked,
        "question_id,model,answer\nn1,m,Less than 5%\nn2,m,2\nn3,m,“B”, I'd say\n".replace(
            "“B”, I'd say", '"""B"", I\'d say"'
        ),
    )
    said = make_answers_export_table(asked, STUDY, viewer=None)["said"].tolist()
    assert said == ["", "2", '"B", I\'d say']


def test_a_semantic_answer_scores_the_share_of_the_chosen_that_is_right(asked: Store) -> None:
    bring(asked, "question_id,model,answer\ns1,m,1;3\ns2,m,2;3;4\nn1,m,IDK\n")
    scores = make_answers_export_table(asked, STUDY, viewer=None).set_index("question_id")["score"]
    # s1: {1, 3} against {1, 2}: 1 of 2; s2: {2, 3, 4} against {3}: 1 of 3.
    assert scores["s1"] == 0.5
    assert scores["s2"] == pytest.approx(1 / 3)
    assert pd.isna(scores["n1"])


def test_importing_again_adds_nothing_and_more_is_added_beside_it(asked: Store) -> None:
    first = "question_id,model,answer\nn1,m,1\nn2,m,2\n"
    assert bring(asked, first).added == 2
    again = bring(asked, first)
    assert (again.added, again.known) == (0, 2)
    more = bring(asked, first + "n3,m,3\n")
    assert (more.added, more.known) == (1, 2)
    # The same said in other words is the same answer.
    assert bring(asked, "question_id,model,answer\nn3,m,Less than 5%\n").known == 1


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("rows", "line", "column"),
    [
        ("n1,m,1\nn9,m,1\n", 3, "question_id"),
        ("n1,m,1\nn1,m,1\nn1,m,2\n", 4, "answer"),
        ("n1,m,1\n,m,1\n", 3, "question_id"),
        ("n1,m,1\nn2,m,\n", 3, "answer"),
        ("n1,m,1\nn2,  ,1\n", 3, "model"),
        ("n1,m,1\nn2,\u202e,1\n", 3, "model"),
        ("n1,m,1\nn2,m\n", 3, ""),
        # A quotation mark that is never closed would take the rest of the file for one answer.
        ('n1,m,1\nn2,m,"2\nn3,m,3\n', 3, ""),
        ("n1,m,1\nn2,m,2\0\n", 3, "answer"),
    ],
)
def test_a_bad_row_is_refused_with_its_line(
    asked: Store, rows: str, line: int, column: str
) -> None:
    text = f"question_id,model,answer\n{rows}"
    with pytest.raises(BadFile) as refused:
        bring(asked, text)
    [row] = refused.value.rows
    assert (row.line, row.column) == (line, column)
    assert kept(asked) == {}
    report = bring(asked, text, skip_bad=True)
    assert [one.problem.line for one in report.refused] == [line]
    assert kept(asked) == {("m", "n1"): ("answered", "Greater than 54%")}


def test_the_same_answer_twice_counts_once(asked: Store) -> None:
    report = bring(asked, "question_id,model,answer\nn1,m,1\nn1,m,A\nn1, M ,Greater than 54%\n")
    assert (report.added, report.known) == (1, 2)


def test_another_answer_than_before_is_refused_unless_the_prompt_was_another(asked: Store) -> None:
    bring(asked, "question_id,model,answer\nn1,m,1\n")
    with pytest.raises(BadFile, match="before"):
        bring(asked, "question_id,model,answer\nn1,m,2\n")
    assert bring(asked, "question_id,model,answer,prompt\nn1,m,2,reversed+idk\n").added == 1
    assert bring(asked, "question_id,model,answer,repeat\nn1,m,2,2\n").added == 1
    with pytest.raises(BadFile, match="repeat"):
        bring(asked, "question_id,model,answer,repeat\nn1,m,2,zero\n")
    with pytest.raises(BadFile, match="repeat"):
        bring(asked, f"question_id,model,answer,repeat\nn1,m,2,{'9' * 5000}\n")


def test_a_dataset_without_questions_takes_no_answers(store: Store) -> None:
    with pytest.raises(InvalidInput, match="no questions"):
        bring(store, "question_id,model,answer\nn1,m,1\n")


def test_answers_go_to_the_newest_questions_where_none_are_called_ebmqa(store: Store) -> None:
    def go_to() -> str:
        return default_dataset_for_file_kind(store, "ebmqa-answers")

    def ask(dataset: str, **how: bool) -> None:
        set_of = NewItem(f"set {dataset}", {"questions": 5})
        items.add_items(store, [set_of], study="ebmqa", kind=SET_KIND, dataset=dataset, **how)

    ask("demo", illustrative=True)
    assert go_to() == "ebmqa"
    ask("ours")
    ask("benchmark")
    assert go_to() == "benchmark"
    assert default_dataset_for_file_kind(store, "ebmqa-questions") == "ebmqa"
    ask("ebmqa")
    assert go_to() == "ebmqa"


def test_a_study_says_itself_where_its_files_go(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = replace(
        registry.STUDIES["ebmqa"], choose_dataset=lambda _store, kind: f"where {kind} go"
    )
    monkeypatch.setitem(registry.STUDIES, "ebmqa", chosen)
    assert default_dataset_for_file_kind(store, "ebmqa-answers") == "where ebmqa-answers go"


@pytest.mark.first_quick
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_what_is_exported_imports_to_the_same(
    asked: Store, tmp_path: Path, form: str, reopened: object
) -> None:
    bring(
        asked,
        'question_id,model,answer\nn1,m,1\nn2,m,IDK\nn3,=m,- 2\ns1,m,A; B\ns2,m,"I, well,\nno"\n'
        "s2,b,I cannot provide medical advice.\n",
    )
    # Read beside the options as they were shown: by itself "4" would be "I do not know", "1" the
    # first option, and words that were cut off an answer.
    bring(
        asked,
        "question_id,model,prompt,answer,outcome,said\n"
        "n1,m,reversed,Less than 5%,answered,1\n"
        "n2,m,reversed,4,parse_failed,4\n"
        'n3,m,reversed,I do not know,idk,"Well,\nI would not know that"\n'
        "s1,m,reversed,(refused),refused,\n"
        "s2,m,reversed,2. Or rather,parse_failed,\n",
    )
    before = make_answers_export_table(asked, STUDY, viewer=None)
    write_table(before, tmp_path / f"a.{form}", format=form, bom=False)  # type: ignore[arg-type]
    second = Store(tmp_path / "second.duckdb")
    add_questions(second)
    with (tmp_path / f"a.{form}").open("rb") as stream:
        done = import_answers(second, STUDY, Request(stream, f"a.{form}", DATASET))
    assert done.added == 11
    after = make_answers_export_table(second, STUDY, viewer=None)
    second.close()
    pd.testing.assert_frame_equal(before, after)
    turned = after[after["prompt"] == "reversed"]
    found = turned[["outcome", "answer", "said"]].to_numpy().tolist()
    assert found == [
        ["answered", "Less than 5%", "1"],
        ["parse_failed", "4", "4"],
        ["idk", "I do not know", "Well,\nI would not know that"],
        ["refused", "(refused)", ""],
        ["parse_failed", "2. Or rather", "2. Or rather"],
    ]


@pytest.mark.parametrize(
    ("outcome", "answer", "column"),
    [("right", "1", "outcome"), ("error", "1", "outcome"), ("answered", "Perhaps", "answer")],
)
def test_an_outcome_that_is_none_or_does_not_fit_is_refused_with_its_line(
    asked: Store, outcome: str, answer: str, column: str
) -> None:
    rows = f"question_id,model,answer,outcome\nn1,m,1,answered\nn2,m,{answer},{outcome}\n"
    with pytest.raises(BadFile) as refused:
        bring(asked, rows)
    assert [(row.line, row.column) for row in refused.value.rows] == [(3, column)]
    assert bring(asked, rows, skip_bad=True).added == 1


def test_json_may_hold_numbers_and_lists(asked: Store) -> None:
    rows = [
        {"question_id": "n1", "model": "m", "answer": 1},
        {"question_id": "s2", "model": "m", "answer": ["Fever", "Ache"]},
        {"question_id": "n2", "model": "m", "answer": 2.0},
    ]
    bring(asked, "\n".join(map(json.dumps, rows)), "a.jsonl")
    assert {place: answer for place, (_, answer) in kept(asked).items()} == {
        ("m", "n1"): "Greater than 54%",
        ("m", "s2"): "Ache; Fever",
        ("m", "n2"): "Between 5% and 54%",
    }


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_file_is_read_alike_with_quotation_marks_and_without(asked: Store, quote: str) -> None:
    rows = ["question_id,prompt,model,more,answer", "n1,reversed,m,x,2", "", "s1,given,é,,A; B"]
    text = "\r\n".join(",".join(f"{quote}{c}{quote}" for c in row.split(",")) for row in rows)
    assert bring(asked, b"\xef\xbb\xbf" + text.encode()).added == 2
    table = make_answers_export_table(asked, STUDY, viewer=None)
    found = table[["question_id", "model", "prompt", "answer"]].to_numpy().tolist()
    assert found == [["n1", "m", "reversed", "Between 5% and 54%"], ["s1", "é", "given", "1; 2"]]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "Question ID,Model,ANSWER,Prompt\nn1,m,1,reversed\n"),
        ("a.jsonl", '{"question_id": "n1", "model": "m", "answer": "1", "Prompt": "reversed"}'),
    ],
)
def test_columns_are_found_whatever_their_case(asked: Store, name: str, text: str) -> None:
    assert bring(asked, text, name).added == 1
    assert make_answers_export_table(asked, STUDY, viewer=None)["prompt"].tolist() == ["reversed"]


def test_a_bad_line_of_json_is_refused_with_its_number(asked: Store) -> None:
    rows = [
        {"question_id": "n1", "model": "m", "answer": "1"},
        {"question_id": "n9", "model": "m", "answer": "1"},
    ]
    with pytest.raises(BadFile) as refused:
        bring(asked, "\n".join(map(json.dumps, rows)), "a.jsonl")
    assert [(row.line, row.column) for row in refused.value.rows] == [(2, "question_id")]


def test_a_stream_is_read_as_well_as_a_file(asked: Store) -> None:
    stream = io.BytesIO(b"answer;model;question_id\n1;m;n1\n2;m;n9\n")
    request = Request(stream, "a.csv", DATASET, skip_bad=True)
    report = import_answers(asked, STUDY, request)
    assert (report.added, len(report.refused)) == (1, 1)
