"""What is told of rows of two programs and of a model's reasons, and which guess is compared."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

QUESTIONS = (
    "Can I drink grapefruit juice with atorvastatin?",
    "How is a tick bite treated?",
    "When should a mole be checked by a doctor?",
    "Is it safe to fly with a DVT?",
)


def answer(at: int, by: str) -> str:
    return f"{by} says of number {at} that it depends on what else you take every day."


def of_two(first: tuple[str, ...], second: tuple[str, ...]) -> Proposal:
    rows: list[dict[str, Any]] = []
    for by, names in (("mistral", first), ("qwen", second)):
        for at, question in enumerate(QUESTIONS):
            cells = (question, by, answer(at, "Number one" if by == "qwen" else "Another"))
            rows.append(dict(zip(names, cells, strict=True)))
    return propose_study(rows, title="T")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("question", "model", "answer"), ("prompt", "model_name", "response")),
        (("Frage", "Modell", "Antwort"), ("question", "model", "answer")),
        (("input", "model", "output"), ("query", "engine", "completion")),
        (("question", "system", "reply"), ("vignette", "bot", "text")),
    ],
)
def test_two_names_of_the_same_things_are_told(
    first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    (said,) = [one for one in of_two(first, second).told if "no row has both" in one]
    assert said.startswith("4 rows have ")
    assert said.endswith("one case, and its answers can be compared.")
    assert all(f"“{name}”" in said for name in (first[0], first[2], second[0], second[2]))


def test_a_request_that_failed_does_not_keep_them_from_being_told() -> None:
    rows: list[dict[str, Any]] = [
        {"question": question, "model": "a", "answer": answer(at, "a")}
        for at, question in enumerate(QUESTIONS)
    ]
    rows += [
        {"prompt": question, "model_name": "b", "response": answer(at, "b") if at else None}
        for at, question in enumerate(QUESTIONS)
    ]
    told = propose_study(rows, title="T").told
    assert [one for one in told if "no row has both" in one]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (("question", "model", "answer"), ("question", "model", "answer")),
        (("question", "model", "answer"), ("question", "model", "response")),
        (("question", "model", "answer"), ("question", "model_name", "response")),
    ],
)
def test_rows_that_share_a_text_are_not_told_to_be_of_two(
    first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    assert not [one for one in of_two(first, second).told if "no row has both" in one]


def test_one_row_with_other_columns_is_not_told_to_be_of_two() -> None:
    rows: list[dict[str, Any]] = [
        {"question": question, "model": "a", "answer": answer(at, "a")}
        for at, question in enumerate(QUESTIONS)
    ]
    rows.append({"prompt": QUESTIONS[0], "response": answer(9, "b")})
    assert not [one for one in propose_study(rows, title="T").told if "no row has both" in one]


CASES = ("Sudden chest pain at rest for an hour", "Fever and a stiff neck", "Weight loss, cough")
GUESSES = ("Myocardial infarction of the anterior wall", "Meningitis, bacterial", "Lung cancer")


@pytest.mark.parametrize(
    ("heading", "numbers"),
    [
        ("{} dx{}", (1, 2, 3)),
        ("{} dx{}", (2, 3, 1)),
        ("{} diagnosis {}", (1, 2)),
        ("{} ddx {}", (3, 2, 1)),
        ("Dx {1} ({0})", (1, 2, 3)),
    ],
)
def test_of_several_guesses_of_each_model_the_first_is_compared(
    heading: str, numbers: tuple[int, ...]
) -> None:
    rows: list[dict[str, Any]] = []
    for at, case in enumerate(CASES):
        row: dict[str, Any] = {"id": str(at), "Vignette": case}
        for model in ("GPT-4o", "Claude"):
            for number in numbers:
                # The later guesses are longer, and that must not count for it.
                words = "!" * number
                row[heading.format(model, number)] = f"{GUESSES[at]} {model[0]}{words}"
        rows.append(row)
    found = propose_study(rows, title="T")
    compared = [one.name for one in found.columns if one.role == "answer"]
    assert compared == [heading.format(model, 1) for model in ("GPT-4o", "Claude")]
    assert any("seem to be further parts of the same answers" in one for one in found.told)


@pytest.mark.parametrize(
    "heading",
    ["model_rationale", "GPT-4 explanation", "AI reasoning", "KI-Begründung", "llm_explanation"],
)
def test_a_models_reasons_that_are_all_it_wrote_are_told_not_to_be_shown(heading: str) -> None:
    rows = [
        {
            "id": str(at),
            "question": question,
            heading: answer(at, "It"),
            "correct_option": "ABCD"[at],
        }
        for at, question in enumerate(QUESTIONS)
    ]
    told = propose_study(rows, title="T").told
    said = f"“{heading}” is the only text of a model here, and not shown"
    shown = {one.name: one.role for one in propose_study(rows, title="T").columns}[heading]
    assert shown in ("group", "hidden")
    assert any(one.startswith(said) for one in told)


@pytest.mark.parametrize(
    ("heading", "beside"),
    [
        ("rationale", "n"),
        ("expert rationale", "n"),
        ("reference explanation", "n"),
        ("model_rationale", "answer"),
        ("model_rationale", "AI summary"),
    ],
)
def test_other_reasons_are_not_told_so(heading: str, beside: str) -> None:
    rows = [
        {"id": str(at), "question": question, beside: answer(at, "B"), heading: answer(at, "It")}
        for at, question in enumerate(QUESTIONS)
    ]
    told = propose_study(rows, title="T").told
    assert not any("the only text of a model here" in one for one in told)


def with_legend(*more: dict[str, str]) -> list[str]:
    rows = [
        {
            "id": str(at),
            "Drug": f"Drug {at}",
            "Dose": f"{at + 1} tablets",
            "Question": question,
            "Answer GPT-4o": answer(at, "It"),
            "Answer Claude": answer(at, "The other"),
        }
        for at, question in enumerate(QUESTIONS)
    ]
    empty = dict.fromkeys(rows[0], "")
    return propose_study([*rows, *({**empty, **one} for one in more)], title="T").told


def test_a_legend_below_the_table_is_told_though_it_fills_two_cells() -> None:
    told = with_legend({"Drug": "yellow", "Dose": "discussed"})
    assert [one for one in told if one.startswith("Row 5 has no answer of any model and no text")]
    told = with_legend({"Drug": "yellow", "Dose": "a"}, {"Drug": "red", "Dose": "b"})
    assert [one for one in told if one.startswith("Rows 5, 6 have no answer of any model")]


@pytest.mark.parametrize(
    "more",
    [
        {"Drug": "Drug 9", "Dose": "9", "Question": "Is it safe to fly with a DVT, or not?"},
        {"Drug": "Drug 9", "Dose": "9", "Answer Claude": "The other says of it that it depends."},
        {"id": "9"},
    ],
)
def test_a_row_with_something_to_judge_is_no_legend(more: dict[str, str]) -> None:
    assert not [one for one in with_legend(more) if "no answer of any model" in one]
