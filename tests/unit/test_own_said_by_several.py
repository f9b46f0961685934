"""What several said of each case before the study, and who the case is about, is not shown."""

from __future__ import annotations

import time
from typing import Any

import pytest

from medlens.studies.own.columns_in_the_same_few_words import group_columns_by_shared_words
from medlens.studies.own.find_and_replace_patient_identifiers import find_identifiers
from medlens.studies.own.study_proposal import Proposal, propose_study

QUESTION = "What should I do about this stiff neck of mine since day"
ANSWER = "Please come to the surgery today, as a stiff neck must be looked at, on day"
URGENCY = ["Self-care", "Routine", "Urgent", "Emergency"]


def roles_of(found: Proposal) -> dict[str, str]:
    return {one.name: one.role for one in found.columns}


def triaged(*headings: str, words: list[str] = URGENCY) -> list[dict[str, Any]]:
    return [
        {"id": f"V{at}", "vignette": f"{QUESTION} {at}?"}
        | {name: words[(at + n) % len(words)] for n, name in enumerate(headings)}
        for at in range(6)
    ]


def test_no_column_is_shown_that_says_what_several_hidden_ones_say_of_each_case() -> None:
    headings = ("Ada", "Symptomate", "WebMD", "GP panel triage")
    found = propose_study(triaged(*headings), title="T")
    roles = roles_of(found)
    assert all(roles[name] in ("group", "hidden") for name in headings)
    told = [one for one in found.told if "the same few words" in one]
    assert len(told) == 1
    assert all(f"“{name}”" in told[0] for name in headings)


def test_findings_in_the_same_words_are_no_judgments_of_a_case() -> None:
    headings = ("Ada", "Fever", "WebMD", "Symptom pain")
    found = propose_study(
        triaged(*headings, words=["none", "mild", "moderate", "severe"]), title="T"
    )
    assert roles_of(found)["Symptom pain"] == "record"
    assert not any("the same few words" in one for one in found.told)


def test_columns_with_two_words_in_common_are_one_group() -> None:
    texts = {
        "a": ["urgent", "routine", "urgent", "later"],
        "b": ["Routine", "urgent", "urgent", "never mind"],
        "c": ["later", "routine", "urgent", "later"],
        "age": ["40", "41", "40", "43"],
        "ward": ["north", "south", "north", "south"],
    }
    assert group_columns_by_shared_words(texts) == [["a", "b", "c"]]


def test_notes_in_which_people_decided_on_a_title_are_not_shown() -> None:
    rows = [
        {
            "key": f"k-{at}",
            "title": f"Losartan and cough, part {at}",
            "abstract": f"We randomised adults to losartan or ramipril, in trial number {at}.",
            "notes": f'RAYYAN-INCLUSION: {{"Anna"=>"Included", "Ben"=>"{word}"}} | {at}',
        }
        for at, word in enumerate(["Maybe", "Excluded", "Included"])
    ]
    assert roles_of(propose_study(rows, title="T"))["notes"] == "hidden"
    history = [
        {**row, "notes": f"Seen for {at} weeks; in- and exclusion of a fracture by X-ray."}
        for at, row in enumerate(rows)
    ]
    assert roles_of(propose_study(history, title="T"))["notes"] == "text"


def test_a_note_that_begins_like_a_decision_and_goes_on_blank_is_read_at_once() -> None:
    rows = [
        {
            "key": f"k-{at}",
            "title": f"Losartan and cough, part {at}",
            "notes": f'{{"Anna"=>"Included"{" " * 80_000}{at}',
        }
        for at in range(3)
    ]
    begun = time.process_time()
    propose_study(rows, title="T")
    assert time.process_time() - begun < 5


def test_what_a_grader_found_is_hidden_and_the_answer_of_the_sample_is_shown() -> None:
    rows = [
        {
            "id": f"o{at}",
            "question": f"{QUESTION} {at}?",
            "results": [{"name": "Grader", "passed": at > 0, "score": 0.5 * at}],
            "sample": {"output": [{"role": "assistant", "content": f"{ANSWER} {at}."}]},
        }
        for at in range(3)
    ]
    roles = roles_of(propose_study(rows, title="T"))
    assert roles["results"] == "hidden"
    assert roles["sample.output"] == "dialogue"
    plain = [{"id": at, "question": QUESTION, "sample output": f"{ANSWER} {at}"} for at in "abc"]
    assert roles_of(propose_study(plain, title="T"))["sample output"] == "hidden"


@pytest.mark.parametrize(
    ("heading", "cell"),
    [
        ("ai_answer_wc", "{}7"),
        ("Answer length", "{}41"),
        ("prompt_version", "v3"),
        ("Zugangscode", "tk{}x9"),
        ("Access code", "tk{}x9"),
    ],
)
def test_what_is_counted_or_kept_of_an_answer_is_no_detail_of_the_case(
    heading: str, cell: str
) -> None:
    rows = [
        {
            "id": case,
            heading: cell.format(case + n),
            "question": f"{QUESTION} {case}?",
            "model": model,
            "answer": f"{ANSWER} {case}, says {model}",
        }
        for case in (1, 2, 3)
        for n, model in enumerate(["M1", "M2"])
    ]
    assert roles_of(propose_study(rows, title="T"))[heading] in ("group", "hidden")


@pytest.mark.parametrize(
    ("heading", "cell"),
    [
        ("Patient Name", "DOE^JANE"),
        ("PatientName", "GARCÍA LÓPEZ^ROSA^M^^"),
        ("patient_name", "doe, jane"),
        ("Nachname", "müller-lüdenscheidt hans"),
        ("Name", "DOE^JANE"),
    ],
)
def test_names_as_registers_and_image_archives_write_them_are_found(
    heading: str, cell: str
) -> None:
    assert [(one.kind, one.text) for one in find_identifiers(cell, heading)] == [("name", cell)]
    assert not find_identifiers(cell, "Formula")


def test_answers_to_several_ways_of_prompting_are_all_compared() -> None:
    ways = ("Zero-shot", "Few-shot", "Chain-of-thought", "RAG")
    rows = [
        {"id": at, "vignette": f"{QUESTION} {at}?"}
        | {name: f"{ANSWER} {at}, says {n}" for n, name in enumerate(ways)}
        for at in range(3)
    ]
    found = propose_study(rows, title="T")
    assert [name for name, role in roles_of(found).items() if role == "answer"] == [*ways]
    thought = [{**row, "Answer": row["RAG"]} for row in rows]
    for row in thought:
        for name in ("Zero-shot", "Few-shot", "RAG"):
            del row[name]
    assert roles_of(propose_study(thought, title="T"))["Chain-of-thought"] == "hidden"


def test_a_models_name_has_no_bracket_of_what_the_headings_share() -> None:
    headings = ("GPT-4o (ES)", "DeepL (ES)")
    rows = [
        {"id": at, "Source (EN)": f"{QUESTION} {at}?"}
        | {name: f"{ANSWER} {at}, {n}" for n, name in enumerate(headings)}
        for at in range(3)
    ]
    found = propose_study(rows, title="T")
    assert found.declared.arms is not None
    assert [*found.declared.arms.names] == ["GPT-4o", "DeepL"]
