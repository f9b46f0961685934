"""What is told of rows, workers and wording of answers says what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from medlens.studies.own.study_proposal import propose_study

QUESTIONS = tuple(
    f"Is it safe to take {drug} with a cold?"
    for drug in ("aspirin", "ibuprofen", "codeine", "zinc", "honey", "vitamin C")
)
ANSWERS = (
    "Aspirin helps with the headache, but not with the cold itself.",
    "It is, if your stomach and kidneys are healthy and you eat before.",
    "Codeine is best left to a doctor, as it makes people sleepy.",
    "There is little proof of it, and too much makes people sick.",
    "Yes, except for infants in their first year of life.",
    "In usual amounts it does no harm and helps few people.",
)
OTHERS = tuple(
    f"Two large trials found that {what}."
    for what in ("it helps", "nobody gains", "some gain", "harm is rare", "sleep is", "it is vain")
)


def told(columns: Mapping[str, Sequence[str]]) -> str:
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return " ".join(propose_study(rows, title="T").told)


@pytest.mark.parametrize(
    ("before", "after", "end"),
    [
        ("Let me think step by step. ", "", "begin"),
        ("", " Please see your own doctor.", "end"),
    ],
)
def test_words_at_one_end_of_all_answers_of_one_model_are_told(
    before: str, after: str, end: str
) -> None:
    marked = [f"{before}{text}{after}" for text in ANSWERS]
    words = (before or after).strip()
    wide = {"Question": QUESTIONS, "GPT-4o answer": OTHERS, "Llama answer": marked}
    assert f"All 6 answers of “Llama answer” {end} with “{words}”" in told(wide)
    rows = {
        "question": [*QUESTIONS, *QUESTIONS],
        "model": ["GPT-4o"] * 6 + ["Llama"] * 6,
        "answer": [*ANSWERS, *(f"{before}{text}{after}" for text in OTHERS)],
    }
    assert f"All 6 answers of “Llama” {end} with “" in told(rows)
    both = wide | {"GPT-4o answer": [f"{before}{text}{after}" for text in reversed(ANSWERS)]}
    assert "with “" not in told(both)


def test_of_long_words_at_one_end_of_all_answers_whole_words_are_quoted() -> None:
    same = "Please come back to the surgery at once if the fever does not settle by tomorrow."
    for marked, quoted in (
        (
            [f"{same} {text}" for text in ANSWERS],
            "Please come back to the surgery at once if the fever does …",
        ),
        (
            [f"{text} {same}" for text in ANSWERS],
            "… surgery at once if the fever does not settle by tomorrow.",
        ),
    ):
        table = {"Question": QUESTIONS, "GPT-4o answer": OTHERS, "Llama answer": marked}
        assert f"with “{quoted}”" in told(table)


def test_decisions_in_the_same_few_words_are_no_habit_of_a_model() -> None:
    table = {
        "Question": QUESTIONS,
        "GPT-4o answer": ["Yes, it is safe."] * 6,
        "Llama answer": ["No, better ask a doctor."] * 6,
    }
    assert "reviewers soon know" not in told(table)


def test_workers_who_did_one_hit_are_told_as_people_who_rated_before() -> None:
    table = {
        "HITId": ["331526E64HIT0"] * 3 + ["331526E64HIT1"] * 3,
        "AssignmentId": [f"3ASG00808{at}" for at in range(6)],
        "WorkerId": [f"A26A0BC4F9{at}" for at in range(6)],
        "AssignmentStatus": ["Approved"] * 6,
        "WorkTimeInSeconds": [str(200 + at) for at in range(6)],
        "Input.question": [QUESTIONS[0]] * 3 + [QUESTIONS[1]] * 3,
        "Input.response": [ANSWERS[0]] * 3 + [ANSWERS[1]] * 3,
        "Answer.good": ["yes", "no", "yes"] * 2,
    }
    assert (
        "4 rows show the same as an earlier one: by “WorkerId” each answer is there once for each"
        " person who rated it before"
    ) in told(table)


def test_an_item_with_nothing_to_see_is_told_with_a_way_to_leave_it_out() -> None:
    table = {"QID": ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6"], "Answer": [*ANSWERS[:5], ""]}
    assert "“Answer”, row 6 is empty, and nothing else is shown" in told(table)
    assert "--leave-out-rows" in told(table)
    assert "nothing else is shown" not in told(table | {"Answer": ANSWERS})
    assert "nothing else is shown" not in told(table | {"Question": QUESTIONS})


def test_a_third_version_beside_a_persons_and_a_machines_is_told() -> None:
    table = {
        "Inbox message": QUESTIONS,
        "Draft reply (Nurse)": ANSWERS,
        "Draft reply (AI)": [*reversed(ANSWERS)],
        "Sent reply": [f"{text} Bye." for text in reversed(OTHERS)],
    }
    assert "“Sent reply” is taken for an answer to compare too" in told(table)
    without = {name: cells for name, cells in table.items() if name != "Sent reply"}
    assert "to compare too" not in told(without)


@pytest.mark.parametrize(
    ("long", "terse"),
    [
        ("Answer X", "Answer Y"),
        ("Antwort Gemini", "Antwort Ärztin"),
        ("إجابة جيميناي", "إجابة الطبيب"),
        ("תשובת ג׳מיני", "תשובת הרופא"),
    ],
)
def test_an_answer_of_few_words_beside_long_ones_is_compared_with_them(
    long: str, terse: str
) -> None:
    short = ("No.", "Not now.", "Yes.", "Ask first.", "No.", "Keep it.")
    rows = [
        {"id": f"c{at}", "question": asked, long: said, terse: other}
        for at, (asked, said, other) in enumerate(zip(QUESTIONS, ANSWERS, short, strict=True))
    ]
    arms = propose_study(rows, title="T").declared.arms
    assert arms is not None
    assert len(arms.names) == 2


def test_a_source_or_a_length_beside_an_answer_is_no_answer_to_compare() -> None:
    short = ("Leaflet", "Label", "Trial 1", "Trial 2", "Label", "Label")
    rows = [
        {"id": f"c{at}", "question": asked, "Answer": said, "Answer source": other}
        for at, (asked, said, other) in enumerate(zip(QUESTIONS, ANSWERS, short, strict=True))
    ]
    assert propose_study(rows, title="T").declared.arms is None


def test_who_wrote_a_text_is_never_offered_to_be_shown() -> None:
    columns = {
        "question": QUESTIONS,
        "text": ANSWERS,
        "provenance": ("AI", "Ward B", "AI", "Ward B", "AI", "Ward B"),
    }
    said = told(columns)
    assert "“provenance”: it seems to say who or what wrote a text" in said
    assert "belongs to the case" not in said
    columns["provenance"] = ("xyz", "abc", "xyz", "abc", "xyz", "abc")
    assert "“provenance”: show it only if it belongs to the case and says nothing of" in told(
        columns
    )


@pytest.mark.parametrize(
    "heading",
    [
        *("Q4. How accurate is it?", "Please read the answer on statins. How safe is it?"),
        *("G02Q02. Wie gut ist die Empfehlung? (1–5)", "Question 3: Rate the answer"),
        *("3a. To what extent do you agree?", "F2 Inwieweit stimmen Sie zu?"),
        *("La réponse. Dans quelle mesure est-elle juste ?", "4) ¿Qué tan útil es la respuesta?"),
        *("Quanto è accurata la risposta?", "Hur säkert är svaret?", "Jak oceniasz odpowiedź?"),
        "Насколько точен ответ?",
    ],
)
def test_what_was_asked_of_earlier_raters_is_not_shown_whatever_stands_before_it(
    heading: str,
) -> None:
    columns = {"question": QUESTIONS, heading: ("4", "2", "5", "3", "4", "1"), "text": ANSWERS}
    assert f"Reviewers do not see “{heading}”" in told(columns)


@pytest.mark.parametrize(
    "heading",
    ["How long has it hurt?", "Ne kadar süredir ağrıyor?", "Quanto è alto?", "Q4. How old?"],
)
def test_what_a_patient_was_asked_is_shown(heading: str) -> None:
    columns = {"question": QUESTIONS, heading: ("4", "2", "5", "3", "4", "1"), "text": ANSWERS}
    assert heading not in told(columns)
