"""Tables with a model's answers each are joined by case into one."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.errors import BadFile
from medlens.studies.own.study_proposal import propose_study
from medlens.tables.join_tables_of_models import join_tables_of_models

TEXT = "Rest and drink enough while the fever lasts, and come back after three days of it"


def answers(
    model: str, *, cases: range = range(5), heading: str = "answer"
) -> list[dict[str, Any]]:
    return [
        {
            "id": f"c{at}",
            "question": f"What helps against cough number {at}, which began a week ago?",
            heading: f"{TEXT}, says {model[-2:]} of {at}.",
        }
        for at in cases
    ]


def arms_of(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    arms = propose_study(rows, title="T").declared.arms
    return arms.names if arms else ()


@pytest.mark.parametrize(
    ("files", "models", "called"),
    [
        (("answers_gpt4.csv", "answers_llama.csv"), ("gpt4", "llama"), "answers"),
        (("gpt-4o_v2.csv", "llama-3_v2.csv"), ("gpt-4o", "llama-3"), "v2"),
        (("GPT 4.xlsx", "Claude 3.5.xlsx"), ("GPT 4", "Claude 3.5"), ""),
        (("out.csv", "out.csv"), ("out (1)", "out (2)"), "out"),
    ],
)
def test_files_with_the_same_cases_are_a_comparison_of_the_models_in_their_names(
    files: tuple[str, str], models: tuple[str, str], called: str
) -> None:
    second = [*reversed(answers(models[1]))]
    joined = join_tables_of_models([(files[0], answers(models[0])), (files[1], second)])
    assert {row["model"] for row in joined.rows} == {*models}
    assert arms_of(joined.rows) == models
    assert joined.called == called
    by_case = {(row["id"], row["model"]): row["answer"] for row in joined.rows}
    assert by_case["c3", models[1]] == answers(models[1])[3]["answer"]
    assert (
        f"5 cases, matched by “question”, with the answers of {models[0]} and {models[1]}"
        in (joined.notes[0])
    )


def test_a_models_name_in_a_column_or_a_heading_counts() -> None:
    one = ("one.csv", [row | {"model": "gpt-4o"} for row in answers("gpt-4o")])
    two = ("two.csv", [row | {"model": "llama-3"} for row in answers("llama-3")])
    assert arms_of(join_tables_of_models([one, two]).rows) == ("gpt-4o", "llama-3")
    headed = [
        (f"a_{model}.csv", answers(model, heading=f"{model}_reply")) for model in ("gpt4", "llama")
    ]
    rows = join_tables_of_models(headed).rows
    assert all("reply" in row and "gpt4_reply" not in row for row in rows)
    other = [("a_gpt4.csv", answers("gpt4")), ("a_llama.csv", answers("llama", heading="output"))]
    assert arms_of(join_tables_of_models(other).rows) == ("gpt4", "llama")


def test_what_does_not_match_is_left_out_and_counted() -> None:
    joined = join_tables_of_models(
        [("a_gpt4.csv", answers("gpt4")), ("a_llama.csv", answers("llama", cases=range(1, 8)))]
    )
    assert len(joined.rows) == 8
    assert [note.partition(" ")[0] for note in joined.notes[1:]] == ["a_gpt4.csv:", "a_llama.csv:"]
    assert "1 case of it is not in every file and is left out" in joined.notes[1]
    assert "3 cases of it are not in every file and are left out" in joined.notes[2]


def test_rows_without_a_question_are_left_out_and_counted() -> None:
    second = [*answers("llama"), {"id": "sum", "question": "", "answer": "5 answers"}]
    joined = join_tables_of_models([("gpt4.csv", answers("gpt4")), ("llama.csv", second)])
    assert len(joined.rows) == 10
    assert "llama.csv: 1 row has no “question”, and is left out." in joined.notes


def test_cases_are_known_by_their_text_though_each_file_numbers_them_otherwise() -> None:
    second = [row | {"id": f"c{9 - at}"} for at, row in enumerate(answers("llama"))]
    joined = join_tables_of_models([("gpt4.csv", answers("gpt4")), ("llama.csv", second)])
    assert {row["id"] for row in joined.rows} == {f"c{at}" for at in range(5)}
    assert any("id differs between the files for the same case" in note for note in joined.notes)
    answer = {(row["question"], row["model"]): row["answer"] for row in joined.rows}
    assert answer[second[2]["question"], "llama"] == second[2]["answer"]


def test_cases_without_a_question_are_known_by_their_ids() -> None:
    bare = [
        [{"id": row["id"], "answer": row["answer"]} for row in answers(model)]
        for model in ("gpt4", "llama")
    ]
    joined = join_tables_of_models([("gpt4.csv", bare[0]), ("llama.csv", bare[1])])
    assert arms_of(joined.rows) == ("gpt4", "llama")


def test_files_of_other_cases_are_refused_with_a_way_on() -> None:
    other = [
        row | {"question": f"Another question altogether, {row['id']}?"} for row in answers("b")
    ]
    with pytest.raises(BadFile, match="have the same “id”, but another “question” for it") as bad:
        join_tables_of_models([("a.csv", answers("a")), ("b.csv", other)])
    assert "a study of each file" in bad.value.hint
    with pytest.raises(BadFile, match="have no cases in common"):
        join_tables_of_models([("a.csv", answers("a")), ("b.csv", [{"note": "x", "n": 1}])])
    with pytest.raises(BadFile, match="have no cases in common"):
        join_tables_of_models(
            [("a.csv", answers("a")), ("b.csv", answers("b", cases=range(90, 95)))]
        )
    with pytest.raises(BadFile, match="have the same contents for every case"):
        join_tables_of_models([("a.csv", answers("a")), ("b.csv", answers("a"))])
    with pytest.raises(BadFile, match=r"b\.csv has no rows"):
        join_tables_of_models([("a.csv", answers("a")), ("b.csv", [])])


def test_a_file_of_several_models_and_one_of_another_model_become_one_table() -> None:
    asked = ["May I be vaccinated with a fever?", "How long does the vaccine last?"]
    two = [
        {"nr": str(at), "question": one, "answer": f"{model} says {at}", "model": model}
        for at, one in enumerate(asked, 1)
        for model in ("llama-y", "gpt-x")
    ]
    third = [
        {"nr": str(at), "question": one, "answer": f"Mistral says {at}"}
        for at, one in enumerate(asked, 1)
    ]
    for named in (third, [{**row, "model": "mistral"} for row in third]):
        joined = join_tables_of_models([("vaccines_two.csv", two), ("vaccines_mistral.csv", named)])
        assert [(row["nr"], row["model"]) for row in joined.rows] == [
            ("1", "llama-y"),
            ("1", "gpt-x"),
            ("2", "llama-y"),
            ("2", "gpt-x"),
            ("1", "mistral"),
            ("2", "mistral"),
        ]
        assert "with the answers of llama-y, gpt-x and mistral" in joined.notes[0]
    elsewhere = [{**row, "nr": f"x{row['nr']}", "question": f"Other: {row['nr']}"} for row in third]
    with pytest.raises(BadFile, match="have no cases in common"):
        join_tables_of_models([("two.csv", two), ("mistral.csv", elsewhere)])
