"""Files as clinicians send them are read as the browser and the command line read them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.studies.own.study_proposal import Proposal
from tests.messy_tables import Messy
from tests.store.test_messy_tables import look_at

TURNS = [
    ("c1", 1, "user", "My stoma bag keeps leaking since yesterday."),
    ("c1", 2, "assistant", "Has the output become thinner, or is the skin sore?"),
    ("c2", 1, "user", "How do I taper prednisolone from 5 mg?"),
    ("c2", 2, "assistant", "That depends on how long you have taken it."),
]
TURNS_AS_OBJECTS = [
    dict(zip(("conversation_id", "turn", "role", "content"), one, strict=True)) for one in TURNS
]


def as_json_lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def as_parquet(rows: list[dict[str, Any]]) -> bytes:
    out = io.BytesIO()
    pd.DataFrame(rows).to_parquet(out)
    return out.getvalue()


def look(
    folder: Path, content: bytes | list[dict[str, Any]], file: str = "cases.csv"
) -> tuple[Proposal, str]:
    """The study proposed for a file with this content, and all that is told of it."""
    if isinstance(content, list):
        content = as_json_lines(content)
    proposal, notes = look_at(folder, Messy(file, content, -1))
    return proposal, "\n".join(notes)


def shown_in(proposal: Proposal) -> set[str]:
    declared = proposal.declared
    wide = declared.arms.wide if declared.arms else {}
    return {*declared.shown_text_columns, *(name for of in wide.values() for name in of.values())}


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("turns.jsonl", as_json_lines(TURNS_AS_OBJECTS)),
        ("turns.json", json.dumps(TURNS_AS_OBJECTS).encode()),
        ("turns.parquet", as_parquet(TURNS_AS_OBJECTS)),
        (
            "nested.jsonl",
            as_json_lines(
                [
                    {"session": one, "message": {"role": role, "content": said}}
                    for one, _, role, said in TURNS
                ]
            ),
        ),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_an_object_for_each_turn_becomes_a_dialogue_for_each_conversation(
    tmp_path: Path, file: str, content: bytes
) -> None:
    proposal, told = look(tmp_path, content, file)
    assert len(proposal.looked.items) == 2
    assert "the 4 turns are 2 conversations" in told
    assert [pane.kind for pane in proposal.declared.initial_panes] == ["dialogue"]


def test_objects_with_an_answer_each_are_no_turns(tmp_path: Path) -> None:
    rows = [{**one, "model": f"Model {at % 2}"} for at, one in enumerate(TURNS_AS_OBJECTS)]
    proposal, told = look(tmp_path, rows, "models.jsonl")
    assert "turns are" not in told
    assert proposal.declared.arms is not None


LETTERS = (
    "Dear colleague, your patient had chest pain; the ECG showed no change. Go on with aspirin.",
    "Dear colleague, this patient was seen for a cough; the lungs are clear. No treatment needed.",
)
STORY = "A man of {} with hypertension, who smokes, comes to the emergency department at night."


def as_csv(*rows: tuple[Any, ...]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


@pytest.mark.parametrize("heading", ["reason", "Grund", "motivo", "raison", "Motif", "Reden"])
def test_why_a_patient_came_is_shown_and_why_an_answer_is_right_is_not(
    tmp_path: Path, heading: str
) -> None:
    before = ("case", heading, "history", "Letter GPT-4o", "Letter Gemini")
    rows = [(at, f"chest pain {at}", STORY.format(50 + at), *LETTERS) for at in range(4)]
    proposal, _ = look(tmp_path, as_csv(before, *rows))
    assert heading in shown_in(proposal)

    beside = ("case", "question", "key", heading, "answer")
    rows = [(at, STORY.format(at), "B", "As B is too late.", LETTERS[at % 2]) for at in range(4)]
    assert heading not in shown_in(look(tmp_path, as_csv(beside, *rows))[0])

    behind = ("case", "question", "answer", heading)
    rows = [(at, STORY.format(at), LETTERS[at % 2], f"As {at} is late.") for at in range(4)]
    assert heading not in shown_in(look(tmp_path, as_csv(behind, *rows))[0])


@pytest.mark.parametrize(
    "heading",
    [
        *("Carimbo de data/hora", "Informazioni cronologiche", "Tijdstempel", "Sygnatura czasowa"),
        *("Horodateur", "Marca temporal", "Zeitstempel", "Tidsstempel", "Hora de início"),
        "Отметка времени",
    ],
)
@pytest.mark.parametrize("moment", ["2026/03/01 10:22:31 AM GMT+1", "1 mars 2026, {} h"])
def test_when_a_form_was_sent_is_not_shown_and_told(
    tmp_path: Path, heading: str, moment: str
) -> None:
    rows = [
        (moment.format(at), STORY.format(60 + at), LETTERS[at % 2] + "!" * at) for at in range(3)
    ]
    proposal, told = look(tmp_path, as_csv((heading, "Caso clínico", "Resposta da IA"), *rows))
    assert heading not in shown_in(proposal)
    assert f"Reviewers do not see “{heading}”: a program writes that beside a table" in told


@pytest.mark.parametrize(
    ("output", "options"), [("output", "options"), ("uitvoer", "opties"), ("Ausgabe", "Optionen")]
)
def test_what_a_model_chose_and_said_of_it_is_shown_and_what_is_right_is_not(
    tmp_path: Path, output: str, options: str
) -> None:
    rows = [
        {
            "id": f"q{at}",
            "question": STORY.format(at) + " What now?",
            options: [{"letter": "A", "text": "Aspirin"}, {"letter": "B", "text": "Heparin"}],
            "correct_answer": "A",
            "explanation": f"Aspirin comes first, as trial {at} has shown beyond all doubt.",
            output: {
                "choice": "AB"[at % 2],
                "explanation": f"{LETTERS[at % 2]} {at}",
                "logprob": -0.1 * at,
            },
        }
        for at in range(4)
    ]
    proposal, told = look(tmp_path, rows, "mcq.jsonl")
    assert {options, f"{output}.choice", f"{output}.explanation"} <= shown_in(proposal)
    assert not {"explanation", "correct_answer", f"{output}.logprob"} & shown_in(proposal)
    assert "“correct_answer”, “explanation”: by its name" in told


def test_a_blank_answer_is_told_with_its_case_and_asked_of_nobody(tmp_path: Path) -> None:
    rows = [
        (f"K{at}", model, STORY.format(at), "" if (at, model) == (2, "leo-13b") else said)
        for at in range(4)
        for model, said in zip(("mixtral-8x22b", "leo-13b"), LETTERS, strict=True)
    ]
    proposal, told = look(tmp_path, as_csv(("case", "model", "question", "answer"), *rows))
    assert "“leo-13b” gave none to “K2” (row 6). Reviewers are not asked about it" in told
    assert "one cell at most" not in told
    item = next(one for one in proposal.looked.items if one.name == "K2")
    assert isinstance(item.body, dict)
    assert proposal.declared.arms_to_judge(item.body) == ["mixtral-8x22b"]


@pytest.mark.parametrize("heading", ["Fall-Nr.", "patient_id", "Patientennummer"])
def test_a_studys_own_short_numbers_are_no_record_numbers_and_long_ones_are(
    tmp_path: Path, heading: str
) -> None:
    rows = [(f"U-0{at}", STORY.format(at), LETTERS[at % 2]) for at in range(1, 5)]
    proposal, _ = look(tmp_path, as_csv((heading, "Anamnese", "Antwort"), *rows))
    assert not proposal.identifying
    rows = [(f"70041{at}", *others) for at, (_, *others) in enumerate(rows)]
    assert look(tmp_path, as_csv((heading, "Anamnese", "Antwort"), *rows))[0].identifying


@pytest.mark.parametrize("heading", ["record_id", "Patient", "paziente", "Fallnummer", "caso"])
def test_names_that_repeat_number_the_items_and_that_is_told(tmp_path: Path, heading: str) -> None:
    rows = [(f"P{at // 2}", STORY.format(at), f"{LETTERS[at % 2]} {at}") for at in range(6)]
    proposal, told = look(tmp_path, as_csv((heading, "note", "ai_summary"), *rows))
    assert len(proposal.looked.items) == 6
    assert f"“{heading}” does not name the items, because “P0”" in told
    assert "numbered" in told
