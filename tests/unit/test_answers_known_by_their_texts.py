"""What is judged, and what would tell which answer is whose, known by more than a heading."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

from medlens.errors import BadFile
from medlens.studies.own import study_file
from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.studies.own.model_giveaways import (
    _numbers_of_texts_to_search,
    find_model_giveaways,
)
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.notes_on_guessed_columns import (
    list_column_decisions_in_words,
)
from medlens.studies.own.study_file_from_table.write_study_file_from_guesses import (
    make_study_file_text,
)
from medlens.studies.own.study_proposal import refuse_data_dictionary
from medlens.tables.csv_table_extraction import write_arranged_csv_and_return_layout
from medlens.tables.reshape_cases_and_models import list_case_and_model_of_each_name

Rows = list[dict[str, Any]]
GOOD = "Hold warfarin for two doses and check the INR again tomorrow, case {}."
BAD = "Give ten milligrams of vitamin K at once and stop warfarin for good, case {}."


def roles(rows: Rows) -> dict[str, str]:
    return {one.name: one.role for one in list_guessed_roles_of_columns(rows)}


def told(rows: Rows) -> str:
    return " ".join(list_column_decisions_in_words(list_guessed_roles_of_columns(rows), rows))


def turns(question: str, answer: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


QUESTION = "An INR of 7.5 without bleeding: what should be done in case {}?"


def preferences(kind: str) -> Rows:
    rows = []
    for at in range(4):
        asked, good, bad = QUESTION.format(at), GOOD.format(at), BAD.format(at)
        repeated = {
            "conversation": turns(asked, good),
            "text": f"Human: {asked} Assistant: {good}",
            "alone": f" {good}\n",
            "of two models": good if at % 2 else bad,
        }[kind]
        rows.append({"prompt": asked, "chosen": good, "rejected": bad, "whole": repeated})
    return rows


@pytest.mark.parametrize("kind", ["conversation", "text", "alone", "of two models"])
def test_a_column_that_repeats_one_of_the_answers_is_not_shown(kind: str) -> None:
    rows = preferences(kind)
    assert roles(rows)["whole"] in ("hidden", "group")
    assert "“whole”: it repeats one of the answers" in told(rows)


def test_a_column_that_repeats_one_model_s_answer_beside_a_row_for_each_is_not_shown() -> None:
    rows = [
        {"case": f"c{at}", "model": model, "answer": text.format(at), "draft": GOOD.format(at)}
        for at in range(4)
        for model, text in (("GPT-4", GOOD), ("Llama 3", BAD))
    ]
    assert roles(rows)["draft"] in ("hidden", "group")
    assert "“draft”: it repeats one of the answers" in told(rows)


def test_a_source_that_holds_the_words_of_an_answer_is_shown_beside_it() -> None:
    rows = preferences("alone")
    for at, row in enumerate(rows):
        row["context"] = (
            f"The guideline says: {GOOD.format(at)} " + "Bleeding is another case. " * 9
        )
        del row["whole"]
    assert roles(rows)["context"] in ("text", "markdown")


def test_what_both_answers_share_is_shown() -> None:
    rows = preferences("conversation")
    for row in rows:
        row["whole"] = turns(row["prompt"], "Let me think.")
    assert roles(rows)["whole"] == "dialogue"


@pytest.mark.parametrize("heading", ["KI-Kommentar", "AI comment", "comment (GPT-4o)"])
def test_the_comment_of_a_machine_is_shown_where_there_is_no_answer(heading: str) -> None:
    rows: Rows = [
        {"Nr.": f"00{at}", "Befund": f"Hb {at} erniedrigt", heading: f"Eisenmangel prüfen {at}."}
        for at in range(4)
    ]
    assert roles(rows)[heading] in ("record", "text")
    assert f"Reviewers do not see “{heading}”" not in told(rows)


@pytest.mark.parametrize(
    "heading", ["Kommentar", "reviewer comment", "LLM judge comment", "comment on the AI"]
)
def test_the_comment_of_a_person_or_a_judge_stays_hidden(heading: str) -> None:
    rows: Rows = [
        {"id": f"a{at}", "question": QUESTION.format(at), "text": GOOD.format(at), heading: said}
        for at, said in enumerate(["too short", "not safe", "is fine", "too long"])
    ]
    assert roles(rows)[heading] in ("group", "hidden")


def test_the_comment_of_a_machine_on_an_answer_stays_hidden() -> None:
    rows: Rows = [
        {"id": f"a{at}", "answer": GOOD.format(at), "AI comment": f"looks right {at}"}
        for at in range(4)
    ]
    assert roles(rows)["AI comment"] in ("group", "hidden")


@pytest.mark.parametrize(
    "headings",
    [
        ("gpt4_comment", "gemini_comment", "pathologist_comment"),
        ("Kommentar GPT-4o", "Kommentar Claude", "Kommentar Oberarzt"),
        ("Comment (GPT-4)", "Comment (Llama 3)"),
    ],
)
def test_comments_of_several_models_on_a_case_are_compared(headings: Sequence[str]) -> None:
    rows: Rows = [
        {"sample": f"24-{at}", "Hb (g/dL)": 9.1 + at}
        | {heading: f"Iron deficiency {at}, {heading[-1]}." for heading in headings}
        for at in range(4)
    ]
    found = roles(rows)
    assert {found[heading] for heading in headings} == {"answer"}


def test_comments_on_answers_of_models_are_none() -> None:
    rows: Rows = [
        {
            "id": f"a{at}",
            "GPT-4 answer": GOOD.format(at),
            "Llama answer": BAD.format(at),
            "GPT-4 comment": f"too short, {at}",
            "Llama comment": f"not safe, {at}",
        }
        for at in range(4)
    ]
    found = roles(rows)
    assert [name for name, role in found.items() if role == "answer"] == [
        "GPT-4 answer",
        "Llama answer",
    ]
    assert {found["GPT-4 comment"], found["Llama comment"]} <= {"group", "hidden"}


def test_a_long_option_is_listed_with_the_others() -> None:
    rows: Rows = [
        {
            "id": f"q{at}",
            "question": QUESTION.format(at),
            "response": GOOD.format(at),
            "doc": {"options": {"A": "Aspirin", "B": GOOD.format(at), "C": "Rest", "D": "INR"}},
        }
        for at in range(4)
    ]
    found = roles(rows)
    assert {found[f"doc.options.{letter}"] for letter in "ABCD"} == {"record"}


@pytest.mark.parametrize(
    ("column", "writers"),
    [
        ("bron", ("huisarts", "ChatGPT", "Thuisarts-bot")),
        ("Quelle", ("Leitlinie", "GPT-4o")),
        ("generator", ("meta-llama/Meta-Llama-3-8B-Instruct", "google/gemma-2-9b-it")),
        ("generator", ("ours-v1", "theirs-v2")),
    ],
)
def test_writers_beside_a_known_model_are_compared_with_it(
    column: str, writers: Sequence[str]
) -> None:
    rows: Rows = [
        {"id": f"{at}", column: writer, "vraag": QUESTION.format(at), "tekst": f"{text} {at}"}
        for at in range(4)
        for writer, text in zip(writers, (GOOD, BAD, f"{GOOD} {BAD}"), strict=False)
    ]
    assert roles(rows)[column] == "arm"


def test_a_vote_for_a_model_is_no_writer() -> None:
    rows: Rows = [
        {"id": f"{at}", "rater": rater, "preferred": vote, "text": GOOD.format(at)}
        for at in range(4)
        for rater, vote in (("r1", "ChatGPT"), ("r2", "neither"))
    ]
    assert roles(rows)["preferred"] != "arm"


@pytest.mark.parametrize("between", ["__", "::", "--", "@", "#"])
def test_names_are_taken_apart_at_any_sign_between_case_and_model(between: str) -> None:
    names = [
        f"q0{at}{between}{model}"
        for at in range(3)
        for model in ("gpt-4o-2024-08-06", "claude-3-5-sonnet-20241022")
    ]
    pairs = list_case_and_model_of_each_name(names, is_name_of_writer)
    assert pairs[0] == ("q00", "gpt-4o-2024-08-06")


@pytest.mark.parametrize("commas", [1, 7])
def test_semicolons_separate_prose_however_many_commas_it_has(commas: int) -> None:
    prose = "ECG" + ", puis aspirine" * commas
    lines = [f"{at};Que faire ?;{prose}{', repos' * at};{prose}" for at in range(4)]
    source = io.BytesIO("\n".join(["N°;Question;GPT-4o;Claude", *lines]).encode())
    found = write_arranged_csv_and_return_layout(source, io.BytesIO(), name="x.csv")
    assert found is not None
    assert found.header == 1
    assert found.top[1][1][1] == "Que faire ?"


def test_a_data_dictionary_of_redcap_is_refused_with_what_to_use_instead() -> None:
    headings = ("Variable / Field Name", "Form Name", "Field Type", "Field Label", "Field Note")
    with pytest.raises(BadFile, match="data dictionary of REDCap"):
        refuse_data_dictionary(headings)
    refuse_data_dictionary(headings[:3])


def of_files(*headings: str, ending: str = "png") -> Rows:
    return [
        {"case": f"d{at}", "prompt": QUESTION.format(at)}
        | {heading: f"d{at}_{number}.{ending}" for number, heading in enumerate(headings)}
        for at in range(3)
    ]


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        (("image_dalle3", "image_sdxl", "image_midjourney"), ["dalle3", "sdxl", "midjourney"]),
        (("DALL-E 3", "Stable Diffusion XL"), ["DALL-E 3", "Stable Diffusion XL"]),
        (("Bild (Midjourney)", "Bild (Original)"), ["Midjourney", "Original"]),
        (("image_flux", "image_gpt4o", "image_real"), ["flux", "gpt4o", "real"]),
    ],
)
def test_images_of_several_programs_are_compared_without_headings(
    headings: Sequence[str], names: Sequence[str]
) -> None:
    rows = of_files(*headings)
    found = list_guessed_roles_of_columns(rows)
    assert [one.name for one in found if one.role == "answer"] == list(headings)
    text = make_study_file_text("Drawn", found, rows)
    declared = study_file.parse_study_file(text)
    assert declared.arms is not None
    assert list(declared.arms.names) == list(names)
    assert [pane.kind for pane in declared.panes] == ["text", "image"]


@pytest.mark.parametrize(
    "headings", [("image_front", "image_side"), ("CT axial", "CT coronal"), ("before", "after")]
)
def test_views_of_one_case_are_no_answers_of_models(headings: Sequence[str]) -> None:
    assert {roles(of_files(*headings))[heading] for heading in headings} == {"image"}


def test_pdfs_of_a_model_and_of_a_person_are_compared() -> None:
    found = roles(of_files("letter_gpt4", "letter_human", ending="pdf"))
    assert {found["letter_gpt4"], found["letter_human"]} == {"answer"}


def answered_by_choice(**more: Any) -> Rows:
    return [
        {
            "id": f"q{at}",
            "question": QUESTION.format(at),
            "options": [{"key": "A", "value": "Rest"}, {"key": "B", "value": "Vitamin K"}],
            **{name: make(at) for name, make in more.items()},
        }
        for at in range(4)
    ]


def test_the_parts_of_one_answer_are_no_models() -> None:
    rows = answered_by_choice(
        model_output=lambda at: {
            "text": GOOD.format(at),
            "choice": "AB"[at % 2],
            "logprobs": [-0.1, -2.5],
        }
    )
    found = roles(rows)
    assert "answer" not in found.values()
    assert found["model_output.text"] == "text"
    assert found["model_output.logprobs"] in ("hidden", "group")
    assert "becomes judgments" not in told(rows)


def test_the_letter_of_an_option_is_no_choice_between_models() -> None:
    rows = answered_by_choice(
        **{
            "GPT-4 answer": GOOD.format,
            "Llama answer": BAD.format,
            "choice": lambda at: "AB"[at % 2],
        }
    )
    found = list_guessed_roles_of_columns(rows)
    assert [one.name for one in found if one.role == "answer"] == ["GPT-4 answer", "Llama answer"]
    assert "becomes judgments" not in told(rows)
    assert "chosen_column" not in make_study_file_text("Asked", found, rows)


def tellings(question: str, answer: str) -> list[str]:
    rows: Rows = [
        {"case": f"{at}", "vignette": f"{question} {at}", "answer": f"{answer} {at}"}
        for at in range(3)
    ]
    columns = list_guessed_roles_of_columns(rows)
    declared = study_file.parse_study_file(make_study_file_text("T", columns, rows))
    return [one.sentence for one in find_model_giveaways(declared, rows, [])]


def test_a_word_in_what_was_asked_is_no_model_unless_it_is_plainly_one() -> None:
    said = "Look for the lambda sign before the fourteenth week."
    assert not tellings("Twin pregnancy, the sonographer calls them Gemini.", said)
    assert tellings("Twins.", f"I am Gemini. {said}")
    assert tellings("Twins.", f"GPT-4o here. {said}")


NAMING_THEMSELVES = (
    *("I am Orakel, a medical AI.", "I'm Orakel, an AI doctor.", "I’m Orakel, a chatbot."),
    *("Hello, my name is Orakel, your digital aid.", "Ich bin Orakel, eine medizinische KI."),
    *("Je suis Orakel, une IA.", "Soy Orakel, una IA.", "Sou Orakel, uma IA.", "Sono Orakel, IA."),
    *("Ik ben Orakel, een AI.", "Jag är Orakel, en AI.", "Jeg er Orakel, en AI."),
    *(
        "As Orakel, an AI, hold it.",
        "Als Orakel, eine KI, rate ich ab.",
        "Como Orakel, una IA, no.",
    ),
    *("En tant que Orakel, une IA, non.", "Come Orakel, IA, no.", "Som Orakel, en AI, nej."),
    *("As Orakel, I would wait.", "I was trained by Orakel.", "A model developed by Orakel."),
    *("Örtlich gesagt: als AI. Ich bin Ödipus, eine KI.", "GPT-4o here.", "Gpt\u00ad-4o says so."),
    *("Gemini 1.5 says so.", "Qwen says so.", "Per OpenAI.", "文心一言说等一等。"),
)


@pytest.mark.parametrize("said", NAMING_THEMSELVES)
def test_a_name_gives_a_model_away_in_a_large_table_as_in_a_small_one(said: str) -> None:
    plain = [{"item": f"c{at}", "answer": GOOD.format(at)} for at in range(120)]
    columns = list_guessed_roles_of_columns(plain)
    declared = study_file.parse_study_file(make_study_file_text("T", columns, plain))
    naming = {"item": "last", "answer": said}
    few, many = (
        [one.sentence for one in find_model_giveaways(declared, [*rows, naming], [])]
        for rows in (plain[:3], plain)
    )
    assert few == many != []
    # The other texts are not searched at all.
    texts = [row["answer"] for row in [*plain, naming]]
    folded = [text.casefold() for text in texts]
    parts = ("gpt", "gemini", "qwen", "openai", "文心")
    assert _numbers_of_texts_to_search(texts, folded, parts) == [120]


def test_half_a_surrogate_pair_hides_no_name_in_a_large_table() -> None:
    plain = [{"item": f"c{at}", "answer": GOOD.format(at)} for at in range(60)]
    columns = list_guessed_roles_of_columns(plain)
    declared = study_file.parse_study_file(make_study_file_text("T", columns, plain))
    rows = [*plain, {"item": "odd", "answer": "\ud800"}, {"item": "last", "answer": "GPT-4o here."}]
    assert "GPT-4o" in " ".join(one.sentence for one in find_model_giveaways(declared, rows, []))
