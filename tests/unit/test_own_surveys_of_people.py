"""What a survey says of the people who answered it is no arm, and not shown above a case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from medlens.studies.own.study_proposal import Proposal, propose_study

STORIES = (
    "It wrote down the allergy to penicillin that I had forgotten to type.",
    "It invented a normal neurological examination that I had not done.",
    "The draft was fine, but it mixed up the mother and the child in a visit.",
    "It saved me ten minutes per visit, and patients said that I look at them.",
    "It left out the stop date of the antibiotic in two of three letters.",
    "The summary of a long psychiatric visit was too short to be useful.",
)
SCENARIOS = (
    "Can I keep taking metformin before my CT scan with contrast?",
    "Do I need to start blood pressure tablets right away?",
    "My child has had a fever since last night, what should I do?",
) * 2
WISHES = ("Nothing.", "Show what is uncertain.") * 3
ROLES = ("Physician", "Nurse", "Resident") * 2
NUMBERS = tuple(str(at) for at in range(1, 7))
RESPONSES = tuple(f"R_2v{at}Kq8ZLmP{at}xY1" for at in range(6))
MOMENTS = tuple(f"2026/03/0{at} 9:14:03 AM GMT+1" for at in range(1, 7))
AGES = ("34", "56", "71", "22", "45", "60")


def proposed(columns: Mapping[str, Sequence[str]]) -> Proposal:
    rows = [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]
    return propose_study(rows, title="A survey")


def roles(columns: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {one.name: one.role for one in proposed(columns).columns}


@pytest.mark.parametrize(
    "columns",
    [
        {"ResponseId": RESPONSES, "role": ROLES, "story": STORIES, "wish": WISHES},
        {"role": ROLES, "experience": STORIES, "wish": WISHES},
        {"Author": ROLES, "story": STORIES, "wish": WISHES},
        {"Response ID": NUMBERS, "End Date": MOMENTS, "Role": ROLES, "Q2 Answer": STORIES},
        {
            "Response ID": NUMBERS,
            "What is your role?": ROLES,
            "Please describe a case.": STORIES,
            "What should be changed?": WISHES,
        },
        {
            "Zeitstempel": MOMENTS,
            "Was ist Ihre Funktion?": ("Ärztin", "Pflege", "Apotheker") * 2,
            "Beschreiben Sie einen Fall": STORIES,
            "Was soll sich ändern?": WISHES,
        },
        {
            "Horodateur": MOMENTS,
            "Profession": ("Médecin", "Infirmière", "Interne") * 2,
            "Décrivez un cas": STORIES,
            "Que changer ?": WISHES,
        },
        {
            "ResponseId": RESPONSES,
            "Which AI tool do you use most?": ("ChatGPT", "Copilot", "Gemini") * 2,
            "Describe a case": STORIES,
            "What should change?": WISHES,
        },
        {"ResponseId": RESPONSES, "AI tool": ("ChatGPT", "Gemini") * 3, "a": STORIES, "b": WISHES},
        {
            "Respondent ID": NUMBERS,
            "EHR system": ("Epic", "Cerner", "Orbis", "Epic", "Epic", "Cerner"),
            "story": STORIES,
            "Which problem is the worst?": (
                *("It is too slow for a ward round.", "It is never up to date on Mondays."),
                *("It is too slow for a ward round.", "It is never up to date on Mondays."),
                *("There are too many clicks in all.", "It was made for billing, not for us."),
            ),
        },
        {
            "ResponseId": RESPONSES,
            "AI model": ("ChatGPT", "Gemini", "Copilot", "ChatGPT", "ChatGPT", "Gemini"),
            "story": STORIES,
            "Reason": (
                *("Nothing else was there.", "It is free of charge."),
                *("Nothing else was there.", "It is free of charge."),
                *("A friend uses it too.", "We have it on the ward."),
            ),
        },
    ],
)
def test_what_respondents_work_as_or_with_never_says_whose_answer_a_row_is(
    columns: Mapping[str, Sequence[str]],
) -> None:
    found = proposed(columns)
    assert found.declared.arms is None
    assert len(found.looked.items) == 6


@pytest.mark.parametrize(
    ("arm", "names", "case", "asked"),
    [
        ("model", ("GPT-4o", "Llama 3"), "question", SCENARIOS),
        ("author", ("Physician", "AI"), "question", SCENARIOS),
        ("author", ("Physician", "Nurse"), "question", SCENARIOS),
        ("role", ("Physician", "Nurse"), "case", NUMBERS[:3] * 2),
        ("profession", ("Physician", "Nurse"), "scenario", SCENARIOS),
        ("Verfasser", ("Ärztin", "KI"), "Frage", SCENARIOS),
    ],
)
def test_writers_of_answers_to_the_same_question_are_compared(
    arm: str, names: Sequence[str], case: str, asked: Sequence[str]
) -> None:
    columns = {
        "response_id": NUMBERS,
        case: asked,
        arm: [names[0]] * 3 + [names[1]] * 3,
        "answer": STORIES,
    }
    found = proposed(columns)
    assert found.declared.arms is not None
    assert set(found.declared.arms.names) == {*names}
    assert len(found.looked.items) == 3


def test_rows_that_are_one_case_by_what_they_share_are_told() -> None:
    columns = {"question": SCENARIOS, "model": ["GPT-4o"] * 3 + ["Llama"] * 3, "answer": STORIES}
    assert any(
        note.startswith("Rows with the same “question” are one case, and “model” says whose answer")
        for note in proposed(columns).told
    )


def test_a_comment_that_is_the_only_text_is_shown_and_told_not_the_number_of_the_response() -> None:
    columns = {"ResponseId": RESPONSES, "role": ROLES, "comment_text": STORIES, "wish": WISHES}
    assert roles(columns) == {
        "ResponseId": "id",
        "role": "group",
        "comment_text": "text",
        "wish": "group",
    }
    assert any("“comment_text” is the only text" in note for note in proposed(columns).told)


@pytest.mark.parametrize(
    ("who", "about"),
    [
        ("Participant id", "Age"),
        ("PROLIFIC_PID", "age"),
        ("WorkerId", "Country of residence"),
        ("worker", "reviewer_age"),
        ("Respondent ID", "Alter in Jahren"),
        ("Participant id", "Time taken"),
        ("Participant Private ID", "Participant Device"),
        ("ID participant", "Âge"),
        ("ID del participante", "Edad"),
        ("Teilnehmernummer", "Muttersprache"),
        ("参与者编号", "年龄"),
        ("id", "respondent_age"),
        ("id", "How old are you?"),
    ],
)
def test_what_a_survey_says_of_who_answered_is_not_shown_above_a_case(who: str, about: str) -> None:
    columns = {who: NUMBERS, about: AGES, "scenario": SCENARIOS, "advice_given": STORIES}
    assert roles(columns)[about] in ("hidden", "group")
    told = " ".join(proposed(columns).told)
    assert f"“{about}”" in told
    assert who == "worker" or "would be read as the patient's" in told


@pytest.mark.parametrize(
    ("who", "about", "beside"),
    [
        ("patient_id", "age", "history"),
        ("case_id", "age", "vignette"),
        ("response_id", "age", "vignette"),
        ("user_id", "age", "question"),
        ("participant_id", "age", "discharge letter"),
        ("ResponseId", "Patient age", "scenario"),
        ("Participant id", "vignette age", "scenario"),
        ("Fallnummer", "Alter", "Anamnese"),
        ("Zeitstempel", "Alter", "Anamnese"),
        ("paciente", "edad", "historia"),
    ],
)
def test_a_patients_age_stays_with_the_case(who: str, about: str, beside: str) -> None:
    named = MOMENTS if who == "Zeitstempel" else NUMBERS
    columns = {who: named, about: AGES, beside: SCENARIOS, "answer": STORIES}
    assert roles(columns)[about] == "record"
