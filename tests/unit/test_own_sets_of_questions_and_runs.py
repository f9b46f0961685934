"""Tables of question sets, of statistics programs and of repeated runs become what is right."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

PASSAGE = "Aspirin inhibits platelets. It is given at once in a heart attack, with oxygen or not."
LONG = "Please come in today, since a stiff neck with a fever is no small matter, said number {}."


def roles(found: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in found.columns}


def all_told(found: Proposal) -> str:
    telling = [one.sentence for one in found.looked.telling]
    return "\n".join([*found.told, *found.looked.notes, *telling])


@pytest.mark.parametrize(
    ("answers", "columns"),
    [
        (
            {"answers": {"text": ["platelets"], "answer_start": [17]}},
            ("answers.text", "answers.answer_start"),
        ),
        ({"answers": [{"text": "platelets", "answer_start": 17}]}, ("answers",)),
        ({"answer_text": "platelets", "answer_start": 17}, ("answer_text", "answer_start")),
        ({"answer": "It is given at once, at once", "answer_start": 9}, ("answer", "answer_start")),
    ],
)
def test_answers_with_their_place_in_a_passage_are_not_shown(
    answers: dict[str, Any], columns: tuple[str, ...]
) -> None:
    rows = [
        {"id": f"q{at}", "context": PASSAGE, "question": f"What is said of it, {at}?", **answers}
        for at in range(4)
    ]
    found = propose_study(rows, title="Passages")
    assert {roles(found)[name] for name in columns} <= {"hidden", "group"}
    assert {roles(found)[name] for name in ("context", "question")} <= {"text", "record"}
    assert "“" + columns[0] + "”" in all_told(found)


@pytest.mark.parametrize("short", ["final_decision", "short_answers", "yes_no_answer"])
def test_a_long_answer_beside_a_short_one_is_not_shown_and_told(short: str) -> None:
    rows = [
        {"QUESTION": LONG.format(at), short: "yes", "LONG_ANSWER": f"So it is. {LONG.format(-at)}"}
        for at in range(4)
    ]
    found = propose_study(rows, title="Abstracts")
    assert roles(found)["LONG_ANSWER"] in ("hidden", "group")
    assert "“LONG_ANSWER”" in all_told(found)


@pytest.mark.parametrize(
    "names",
    [
        ("question", "long_answer"),
        ("question", "answer", "start"),
        ("question", "answer", "started_at"),
        ("question", "text", "decision"),
        ("context", "answers"),
    ],
)
def test_without_such_columns_beside_it_an_answer_is_judged(names: tuple[str, ...]) -> None:
    rows = [{name: f"{LONG.format(at)} {name}" for name in names} for at in range(4)]
    assert roles(propose_study(rows, title="Notes"))[names[1]] == "text"


@pytest.mark.parametrize("word", [".", ".a", "#NULL!", "\\N", "CONSENT_REVOKED", "DATA_EXPIRED"])
def test_words_of_programs_for_nothing_are_read_as_empty_and_told(word: str) -> None:
    rows = [
        {"id": at, "question": f"What about {at}?", "model": model, "answer": LONG.format(at)}
        for at in range(1, 5)
        for model in ("gpt35", "gpt4")
    ]
    rows[3]["answer"] = word
    told = all_told(propose_study(rows, title="Notes"))
    assert f"Read as empty cells: “{word}” (1)" in told
    assert "“gpt4” gave none to “2” (row 4)" in told


@pytest.mark.parametrize("word", ["..5", ". OK", "a", "x.", "expired", "consent"])
def test_other_short_words_are_no_empty_cells(word: str) -> None:
    rows = [{"id": at, "answer": LONG.format(at), "mark": word} for at in range(4)]
    assert "Read as empty" not in all_told(propose_study(rows, title="Notes"))


def repeated(*runs: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "question_id": f"q{case}",
            "question": f"What about number {case}?",
            "model": model,
            **run,
            "answer": f"{LONG.format(case)} {model[::-1]} {at}",
        }
        for case in range(1, 4)
        for model in ("gpt-4o", "mixtral")
        for at, run in enumerate(runs)
    ]


def test_repeated_runs_are_told_with_the_columns_that_tell_them_apart() -> None:
    told = all_told(
        propose_study(
            repeated({"run": 1, "seed": 7}, {"run": 2, "seed": 8}, {"run": 3, "seed": 9}),
            title="Notes",
        )
    )
    assert (
        "Each model of “model” has answered most of “question_id” more than once, such as “gpt-4o”"
        " “q1” in rows 1, 2, 3; “run” and “seed” tell these runs apart."
    ) in told
    assert "keep one answer of each to each case, such as the rows with “1” in “run”" in told
    assert told.count("more than once") == 1


def test_repeated_runs_without_a_column_for_them_are_told_too() -> None:
    told = all_told(propose_study(repeated({}, {}), title="Notes"))
    assert "has answered most of “question_id” more than once" in told
    assert "apart" not in told


def test_a_setting_that_is_the_same_in_all_runs_does_not_tell_them_apart() -> None:
    told = all_told(
        propose_study(repeated({"run": 1, "seed": 7}, {"run": 2, "seed": 7}), title="Notes")
    )
    assert "“run” tells these runs apart" in told


def test_one_answer_of_each_model_is_compared_and_no_run_is_told() -> None:
    found = propose_study(repeated({"run": 1}), title="Notes")
    assert "more than once" not in all_told(found)
    assert roles(found)["model"] == "arm"


@pytest.mark.parametrize("more", ["rater", "criterion", "run"])
def test_rows_that_repeat_the_answer_itself_are_no_runs(more: str) -> None:
    rows = repeated({more: "a"}, {more: "b"}, {more: "c"})
    for row in rows:
        row["answer"] = row["answer"][:-2]
    assert "has answered most of" not in all_told(propose_study(rows, title="Notes"))


def test_figures_about_models_without_their_answers_are_told_as_such() -> None:
    rows = [
        {"Frage": LONG.format(at), "Score GPT-4": at % 5, "Score Claude": 4} for at in range(1, 5)
    ]
    told = all_told(propose_study(rows, title="Scores"))
    assert (
        "Reviewers see “Frage” alone: “Score GPT-4”, “Score Claude” are figures about models whose"
        " answers are not in this table."
    ) in told
    for row in rows:
        row["Antwort"] = LONG.format(7)
    assert "are figures about" not in all_told(propose_study(rows, title="Scores"))


def test_a_title_with_a_common_noun_that_an_arm_is_called_gives_nobody_away() -> None:
    rows = [
        {"case": at, "author": author, "question": f"What about {at}?", "answer": LONG.format(at)}
        for at in range(1, 5)
        for author in ("doctor", "ChatGPT")
    ]
    for at, row in enumerate(rows):
        row["answer"] += f" Call us on day {at}."
    told = all_told(propose_study(rows, title="Letters to the doctor"))
    assert "shown as a heading" not in told
    told = all_told(propose_study(rows, title="Letters by ChatGPT"))
    assert "“Letters by ChatGPT” is shown as a heading" in told


@pytest.mark.parametrize(
    "names", [("Answer A", "Answer B"), ("Response X", "Response Y"), ("Réponse A", "Réponse B")]
)
def test_two_short_answers_are_shown_with_words_on_how_to_compare_them(
    names: tuple[str, str],
) -> None:
    rows = [
        {
            "ID": at,
            "Question": LONG.format(at),
            names[0]: "Yes",
            names[1]: ("No", "Perhaps")[at % 2],
        }
        for at in range(1, 5)
    ]
    told = all_told(propose_study(rows, title="Notes"))
    assert f"“{names[0]}” and “{names[1]}” are shown together, with their headings" in told


@pytest.mark.parametrize(
    "heading",
    [
        *("better answer", "betterAnswer", "Which answer is better?", "bessere Antwort"),
        *("bevorzugte Antwort", "respuesta preferida", "réponse préférée", "réponse gagnante"),
        *("respuesta ganadora", "Sieger", "winner", "preferred_response", "Präferenz"),
    ],
)
def test_a_column_that_says_which_answer_is_better_is_a_choice_and_is_not_shown(
    heading: str,
) -> None:
    rows = [
        {"id": f"{at}", "question": f"Which drug is right in case {at}?"}
        | {"Answer A": f"drug {at}", "Answer B": f"herb {at}", heading: "BA"[at % 2]}
        for at in range(4)
    ]
    made = propose_study(rows, title="T")
    assert made.declared.arms is not None
    assert made.declared.arms.names == ("A", "B")
    assert made.declared.chosen_column == heading
    assert heading not in made.declared.shown_text_columns
    assert any("What was chosen in the table becomes judgments" in one for one in made.told)


def test_which_answer_is_better_is_told_where_none_is_compared_and_no_patient_s_state_is() -> None:
    rows = [
        {"id": f"{at}", "question": f"Which drug is right in case {at}?"}
        | {"better answer": f"the drug number {at}", "better after": f"some rest of {at} days"}
        for at in range(4)
    ]
    made = propose_study(rows, title="T")
    assert "better answer" not in made.declared.shown_text_columns
    assert "Reviewers do not see “better answer”: by its name, such a column may hold what is" in (
        told := " ".join(made.told)
    )
    assert "“better after”: show it only if it belongs to the case" in told


@pytest.mark.parametrize("names", [("Answer A", "Answer B"), ("Antwort X", "Antwort Y")])
@pytest.mark.parametrize(
    ("second", "beside"), [("Yes", {}), ("No", {"Winner": "A"}), ("No", {"Besser": "B"})]
)
def test_two_short_answers_that_cannot_be_options_are_compared(
    names: tuple[str, str], second: str, beside: dict[str, str]
) -> None:
    rows = [
        {"ID": at, "Question": LONG.format(at), names[0]: "Yes", names[1]: second, **beside}
        for at in range(1, 5)
    ]
    arms = propose_study(rows, title="Notes").declared.arms
    assert arms is not None
    assert arms.names == (names[0][-1], names[1][-1])


@pytest.mark.parametrize(
    ("names", "beside"),
    [
        (("Answer A", "Answer B"), {"label": "A"}),
        (("Answer A", "Answer B"), {"correct": "A"}),
        (("Answer A", "Answer B"), {"Winner": "the nurse"}),
        (("Note A", "Note B"), {"Winner": "A"}),
        (("Answer A", "Answer B", "Answer C"), {"Winner": "A"}),
    ],
)
def test_two_short_texts_that_may_be_options_are_not_compared(
    names: tuple[str, ...], beside: dict[str, str]
) -> None:
    rows = [
        {
            "ID": at,
            "Question": LONG.format(at),
            **{name: f"{name} {at}" for name in names},
            **beside,
        }
        for at in range(1, 5)
    ]
    assert propose_study(rows, title="Notes").declared.arms is None


@pytest.mark.parametrize(
    "names",
    [
        ("Answer A", "Answer B", "Answer C", "Answer D"),
        ("Option A", "Option B"),
        ("Answer", "Age"),
        ("A", "B"),
        ("Hb 1", "Hb 2"),
    ],
)
def test_options_and_values_are_no_answers_to_compare(names: tuple[str, ...]) -> None:
    rows = [
        {"ID": at, "Question": LONG.format(at), **{name: f"{name} {at}" for name in names}}
        for at in range(1, 5)
    ]
    assert "are shown together" not in all_told(propose_study(rows, title="Notes"))


def test_a_row_for_each_rater_of_an_answer_is_told_as_such() -> None:
    rows = repeated({"Gutachter": "AB", "Punkte": 3}, {"Gutachter": "CD", "Punkte": 4})
    for row in rows:
        row["answer"] = row["answer"][:-2]
    told = all_told(propose_study(rows, title="Notes"))
    assert "by “Gutachter” each answer is there once for each person who rated it before" in told
    assert "Keep one row of each answer, and the models are compared." in told
    assert "Is each row a criterion" not in told


def test_why_a_model_stopped_is_not_shown_however_it_is_spelt() -> None:
    for name in ("finishReason", "finish_reason", "stop_reason"):
        rows = [
            {"id": at, "prompt": LONG.format(at), "response": LONG.format(-at), f"out.{name}": "S"}
            for at in range(2)
        ]
        assert roles(propose_study(rows, title="Notes"))[f"out.{name}"] == "hidden"
