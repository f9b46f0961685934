"""Tables that are turned although more stands beside: people, dates of entry, a second model."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.studies.own.study_proposal import Proposal, propose_study
from medlens.tables.reshape_cases_and_models import find_rows_arranged_one_per_case_and_note

MODELS = ("gpt-4o-2024-08-06", "claude-3-5-sonnet", "gemini-1.5-pro", "llama-3.1-405b")
QUESTIONS = (
    "Can I drink grapefruit juice with atorvastatin?",
    "How is a tick bite treated?",
    "When should a mole be checked by a doctor?",
    "Is it safe to fly with a DVT?",
    "What does an eGFR of 48 mean?",
    "Why am I thirsty all the time?",
    "May I take ibuprofen in pregnancy?",
    "What helps against hay fever?",
)


def battles(models: tuple[str, str], answers: tuple[str, str], **more: str) -> Proposal:
    """Each model against two others, in turn, as in a round robin of eight battles."""
    rows: list[dict[str, Any]] = [
        {
            "question": question,
            models[0]: MODELS[at % 4],
            models[1]: MODELS[(at + at // 4 + 1) % 4],
            answers[0]: f"A first answer to this: {question} It depends on what else you take.",
            answers[1]: f"The second answer, number {at}, says so in words of about this length.",
            **{name: f"{name}{at}" for name in more},
        }
        for at, question in enumerate(QUESTIONS)
    ]
    return propose_study(rows, title="T")


@pytest.mark.first_quick
@pytest.mark.parametrize("more", [{}, {"battle_id": "", "judge": ""}])
@pytest.mark.parametrize(
    ("models", "answers"),
    [
        (("model_a", "model_b"), ("response_a", "response_b")),
        (("model_1", "model_2"), ("answer_1", "answer_2")),
        (("Modell A", "Modell B"), ("Antwort A", "Antwort B")),
        (("system_a", "system_b"), ("output_a", "output_b")),
        (("assistant1", "assistant2"), ("response1", "response2")),
        (("winner_model", "loser_model"), ("chosen", "rejected")),
        (("Model 1 name", "Model 2 name"), ("Response 1", "Response 2")),
        (("model_left", "model_right"), ("response_left", "response_right")),
        (("model (A)", "model (B)"), ("answer (A)", "answer (B)")),
        (("player_a", "player_b"), ("reply_a", "reply_b")),
    ],
)
def test_each_battle_is_a_case_of_its_two_answers(
    models: tuple[str, str], answers: tuple[str, str], more: dict[str, str]
) -> None:
    found = battles(models, answers, **more)
    roles = {one.name: one.role for one in found.columns}
    assert len(found.looked.items) == len(QUESTIONS)
    assert [name for name, role in roles.items() if role == "answer"] == [*answers]
    assert {roles[name] for name in models} <= {"group", "hidden"}


@pytest.mark.parametrize(
    "models",
    [("left_model", "right_model"), ("modelA", "modelB"), ("模型A", "模型B")],
)
def test_no_row_of_two_models_is_given_to_one_of_them(models: tuple[str, str]) -> None:
    found = battles(models, ("left_output", "right_output"))
    assert len(found.looked.items) == len(QUESTIONS)
    assert "arm" not in [one.role for one in found.columns]


@pytest.mark.parametrize("by_question", [False, True])
def test_a_question_asked_in_several_battles_gives_no_row_to_one_model(by_question: bool) -> None:
    rows = [
        {
            "question_id": str(at // 2),
            "question": QUESTIONS[at // 2],
            "model_a": MODELS[at % 4],
            "model_b": MODELS[(at + 1) % 4],
            "response_a": f"A first answer, number {at}: it depends on what else you take.",
            "response_b": f"The second answer, number {at}, says so in words of this length.",
        }
        for at in range(8)
    ]
    if by_question:
        rows = [{name: cell for name, cell in row.items() if name != "question_id"} for row in rows]
    found = propose_study(rows, title="T")
    assert "arm" not in [one.role for one in found.columns]


@pytest.mark.parametrize(
    ("model", "case", "names", "beside"),
    [
        ("model", "case_id", MODELS[:2], {}),
        ("model", "case_id", MODELS[:2], {"judge_model": ("gpt-4-turbo", "gpt-4-turbo")}),
        ("model", "case_id", MODELS[:2], {"judge_model": MODELS[1::-1]}),
        ("model", "case_id", MODELS[:2], {"base_model": ("llama", "gpt")}),
        ("model", "case_id", MODELS[:2], {"model_id": MODELS[:2]}),
        ("model", "case_id", MODELS[:2], {"model_short": ("gpt", "claude")}),
        ("model", "Fall", MODELS[:2], {}),
        ("arm", "case_id", MODELS[:2], {}),
        ("System", "case_id", ("System 1", "System 2"), {}),
        ("model_1", "case_id", MODELS[:2], {}),
        ("author", "case_id", ("GPT-4o", "Dr. Miller"), {}),
        ("モデル", "症例", MODELS[:2], {}),
    ],
)
def test_a_row_for_each_model_stays_a_comparison(
    model: str, case: str, names: tuple[str, ...], beside: dict[str, tuple[str, ...]]
) -> None:
    rows = [
        {
            case: f"c{at}",
            model: name,
            "question": QUESTIONS[at],
            "answer": f"Answer {of} to this: {QUESTIONS[at]} It depends on what else you take.",
            **{heading: cells[of] for heading, cells in beside.items()},
        }
        for at in range(4)
        for of, name in enumerate(names)
    ]
    found = propose_study(rows, title="T")
    assert {one.name: one.role for one in found.columns}[model] == "arm"
    assert len(found.looked.items) == 4


def texts(said: str) -> list[str]:
    return [f"{said}: it depends on what else you take, as of {at}." for at in range(3)]


def with_row(name: str, cells: list[str]) -> list[list[str]]:
    return [
        ["Model", *QUESTIONS[:3]],
        ["ChatGPT-4", *texts("One")],
        ["Gemini Pro", *texts("Two")],
        [name, *cells],
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("Expert physician", "Human expert", "Uzman hekim", "Fachärztin", "Dr. Schmidt", "GP"),
        *("Médecin", "MedLM-X", "our system", "Pharmacist (n=1)", "専門医", "Consensus panel"),
        *("Guideline", "Referenz", "Doctor 1", "human", "Baseline", "Kardiologe", "Specialista"),
    ],
)
def test_a_person_among_models_in_rows_is_turned_with_them(name: str) -> None:
    found = find_rows_arranged_one_per_case_and_note(
        with_row(name, texts("Three")), 0, is_name_of_writer
    )
    assert found is not None
    assert found[0][0] == ["question", "ChatGPT-4", "Gemini Pro", name]
    assert found[0][1] == [QUESTIONS[0], texts("One")[0], texts("Two")[0], texts("Three")[0]]


def test_it_is_told_who_else_became_a_column() -> None:
    found = find_rows_arranged_one_per_case_and_note(
        with_row("Uzman hekim", texts("Three")), 0, is_name_of_writer
    )
    assert found is not None
    assert found[1].endswith("its 2 models into columns, and so is “Uzman hekim”.")


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Average", ["3", "4", "5"]),
        ("Mean", ["3", "4", "4"]),
        ("Word count", ["13", "14", "15"]),
        ("Comment", texts("Hm")),
        ("Notes", texts("Hm")),
        ("Reviewer comment", texts("Hm")),
        ("Rating", ["good", "bad", "ok"]),
        ("Bewertung", ["gut", "gut", "schlecht"]),
        ("Difficulty", ["easy", "hard", "easy"]),
        ("Specialty", ["Cardiology", "Infections", "Dermatology"]),
        ("Score GPT", ["1", "2", "3"]),
        ("", texts("Hm")),
    ],
)
def test_no_row_about_the_questions_is_taken_for_a_writer(name: str, cells: list[str]) -> None:
    assert (
        find_rows_arranged_one_per_case_and_note(with_row(name, cells), 0, is_name_of_writer)
        is None
    )


VARIABLES = {
    "vignette": "A 5-year-old with fever for six days",
    "resp_gpt4o": "Kawasaki disease, give IVIG now",
    "gold_dx": "Kawasaki disease",
}


def melted(case: str, **more: Any) -> list[list[str]]:
    rows = [[case, "variable", "value", *more]]
    for at, name in enumerate(("101", "102", "103")):
        for of, (variable, value) in enumerate(VARIABLES.items()):
            own = [cells(at, of) for cells in more.values()]
            rows.append([name, variable, f"{value} {name}", *own])
    return rows


@pytest.mark.parametrize(
    "case",
    [
        *("record_id", "case", "Fall-Nr.", "subject_id", "USUBJID", "patient", "pid", "ID", "item"),
        *("study_id", "Patient No.", "encounter_id", "caso", "participant", "Doc ID", "MRN", "Nr"),
    ],
)
def test_variables_in_rows_are_turned_with_a_moment_of_entry_beside_them(case: str) -> None:
    rows = melted(
        case,
        entered_by=lambda at, of: "importbot",
        entered_at=lambda at, of: f"2024-05-1{at}T08:0{of}",
        unit=lambda at, of: ["", "mg", ""][of],
    )
    found = find_rows_arranged_one_per_case_and_note(rows, 0, is_name_of_writer)
    assert found is not None
    filled = [row for row in found[0] if row]
    assert filled[0] == [case, "entered_by", *VARIABLES]
    assert filled[1][:3] == ["101", "importbot", "A 5-year-old with fever for six days 101"]
    assert len(filled) == 4
    assert found[1].endswith("Left out, as they differ within a case: “entered_at”, “unit”.")


def test_a_number_of_each_row_tells_no_cases_apart() -> None:
    rows = melted("record_id", row_id=lambda at, of: str(3 * at + of))
    turned = [[row[-1], *row[:-1]] for row in rows]
    found = find_rows_arranged_one_per_case_and_note(turned, 0, is_name_of_writer)
    assert found is not None
    assert found[0][0] == ["record_id", *VARIABLES]


def test_a_case_seen_twice_is_told_apart_by_its_visit() -> None:
    rows = [["record_id", "event", "variable", "value", "entered_at"]]
    for name in ("1", "2"):
        for event in ("first", "second"):
            rows += [
                [name, event, variable, f"{value} {event}", f"{name} {event} {variable}"]
                for variable, value in VARIABLES.items()
            ]
    found = find_rows_arranged_one_per_case_and_note(rows, 0, is_name_of_writer)
    assert found is not None
    assert [row[:2] for row in found[0] if row][1:3] == [["1", "first"], ["1", "second"]]


@pytest.mark.parametrize(
    "rows",
    [
        [["id", "type", "text"], ["1", "question", "a"], ["2", "answer", "b"], ["3", "plan", "c"]],
        [
            ["record_id", "parameter", "value", "unit"],
            *([case, name, "5", "mg"] for case in "12" for name in ("Na", "K")),
        ],
        [
            ["chat_id", "role", "content", "at"],
            *(
                [chat, role, "x", chat + number + role]
                for chat in "12"
                for number in "12"
                for role in ("user", "assistant")
            ),
        ],
        [
            *melted("record_id", at=lambda at, of: f"{at}{of}"),
            ["101", "vignette", "Another one", "99"],
        ],
    ],
)
def test_other_tables_with_a_kind_and_a_text_are_not_turned(rows: list[list[str]]) -> None:
    assert find_rows_arranged_one_per_case_and_note(rows, 0, is_name_of_writer) is None


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("回答", "参照回答"),
        ("回答", "參考答案"),
        ("답변", "기준 답변"),
        ("답변", "참조답안"),
        ("answer", "Referans yanıt"),
        ("Yanıt", "REFERANS"),
        ("回答", "参照解答"),
    ],
)
def test_a_reference_is_hidden_and_told_in_further_languages(answer: str, right: str) -> None:
    rows = [
        {"id": str(at), "question": question, answer: f"{question} Yes.", right: f"No. {question}"}
        for at, question in enumerate(QUESTIONS)
    ]
    found = propose_study(rows, title="T")
    assert {one.name: one.role for one in found.columns}[right] in ("group", "hidden")
    assert any(f"“{right}”: by its name" in one for one in found.told)


@pytest.mark.parametrize("heading", ["参照文献", "Referat", "参照", "참고 문헌"])
def test_what_only_looks_like_a_reference_is_none_by_its_name(heading: str) -> None:
    rows = [
        {"id": str(at), "question": question, "answer": f"{question} Yes.", heading: question * 2}
        for at, question in enumerate(QUESTIONS)
    ]
    found = propose_study(rows, title="T")
    assert not any(f"“{heading}”: by its name" in one for one in found.told)
