"""Answers of several writers in columns, known by what their headings and cells have alike; and
what says whose they are, or what somebody thought of them, which reviewers do not see.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
import xlsxwriter

from medlens.studies.own.detect_model_answer_columns import is_name_of_writer
from medlens.studies.own.study_file_from_table.guess_roles_of_columns import (
    list_guessed_roles_of_columns,
)
from medlens.studies.own.study_file_from_table.ids_titles_and_toml_values_from_names import (
    title_from_name,
)
from medlens.studies.own.study_proposal import Proposal, propose_study
from medlens.tables import iterate_rows_of_table_file
from medlens.tables.csv_table_extraction import write_arranged_csv_and_return_layout
from medlens.tables.strip_promptfoo_verdicts import find_rows_without_promptfoo_verdicts_and_note
from medlens.tables.workbook_sheet_to_csv_with_notes import write_sheet_as_csv_and_return_notes

TEXT = "Rest and drink enough while the fever lasts, and come back after three days of it"


def table(*headings: str, cell: str = "") -> list[dict[str, str]]:
    """Rows with a text under each heading, or a file's name that ends in ``cell``."""
    return [
        {
            "id": f"p{at}",
            "question": f"What helps against cough number {at}, which began a week ago, please?",
            **{
                name: f"{at}_{n}{cell}" if cell else f"{TEXT}, as {n} says of {at}."
                for n, name in enumerate(headings)
            },
        }
        for at in range(4)
    ]


def arms_of(rows: list[dict[str, Any]]) -> tuple[str, ...]:
    arms = propose_study(rows, title="T").declared.arms
    return arms.names if arms else ()


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("headings", "arms"),
    [
        (("Letter by registrar", "Letter by AI"), ("registrar", "AI")),
        (("Letter by team A", "Letter by team B"), ("team A", "team B")),
        (("Brief (Stationsteam)", "Brief (KI)"), ("Stationsteam", "KI")),
        (("Informe por residente", "Informe por IA"), ("residente", "IA")),
        (("Brief Assistenzarzt", "Brief KI (GPT-4)"), ("Assistenzarzt", "GPT-4")),
        (("Letter resident", "Letter AI (GPT-4)"), ("resident", "GPT-4")),
        (("Salida sin contexto", "Salida con guías"), ("sin contexto", "con guías")),
        (
            ("Output plain", "Output with guideline", "Output with reviewer"),
            ("plain", "with guideline", "with reviewer"),
        ),
        (("Sortie sans contexte", "Sortie avec relecteur"), ("sans contexte", "avec relecteur")),
    ],
)
def test_texts_that_differ_in_who_wrote_them_or_with_what_are_compared(
    headings: tuple[str, ...], arms: tuple[str, ...]
) -> None:
    assert arms_of(table(*headings)) == arms


BESIDE_MODELS = [
    ("Letter {}", "foundation doctor"),
    ("Brief {}", "arts-assistent"),
    ("Lettre {}", "interne"),
    ("Carta ({})", "residente"),
    ("Lettera · {}", "Specializzando"),
    ("Ontslagbrief · {}", "Verpleegkundige"),
    ("Arztbrief {}", "PJ-Student"),
    ("Letter {}", "medical student"),
    ("Letter {}", "Dr Jansen"),
    ("{} letter", "Ward team"),
]


@pytest.mark.first_quick
@pytest.mark.parametrize(("heading", "writer"), BESIDE_MODELS)
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("models", [("GPT-4o", "Gemini"), ("GPT-4 (with RAG)", "GPT-4 (no RAG)")])
def test_a_person_s_version_headed_like_the_models_is_compared_wherever_it_stands(
    heading: str, writer: str, place: int, models: tuple[str, ...]
) -> None:
    if not heading.endswith(" {}"):
        models = ("GPT-4o", "Llama 3")
    writers = [*models[:place], writer, *models[place:]]
    found = propose_study(table(*map(heading.format, writers)), title="T")
    assert found.declared.arms is not None
    assert found.declared.arms.names == tuple(writers)
    told = [one for one in found.told if "taken for an answer to compare too" in one]
    assert told
    assert f"“{heading.format(writer)}”" in told[0]


def test_a_person_s_version_beside_that_of_one_model_is_compared_with_it() -> None:
    assert arms_of(table("Letter foundation doctor", "Letter GPT-4o")) == (
        "foundation doctor",
        "GPT-4o",
    )


@pytest.mark.parametrize(
    ("other", "models"),
    [
        ("Letter original", "Letter {}"),
        ("Original letter", "{} letter"),
        ("Letter", "Letter {}"),
        ("Empfehlung Klinik", "Empfehlung {}"),
        ("Haus Nord", "Brief {}"),
    ],
)
@pytest.mark.parametrize("behind", [False, True])
def test_what_may_be_another_version_is_hidden_and_told_beside_answers(
    other: str, models: str, *, behind: bool
) -> None:
    answers = [models.format(model) for model in ("GPT-4o", "Gemini")]
    headings = [*answers, other] if behind else [other, *answers]
    found = propose_study(table("history", *headings), title="T")
    assert found.declared.arms is not None
    assert len(found.declared.arms.names) == 2
    assert roles(table("history", *headings))[other] == "hidden"
    assert [one for one in found.told if f"“{other}”: its texts are as long as" in one]


@pytest.mark.parametrize(
    "case",
    [("history",), ("history", "findings"), ("Anlass", "Verlauf"), ("Antecedentes", "Exploración")],
)
def test_the_parts_of_a_case_before_answers_are_shown_without_a_word(case: tuple[str, ...]) -> None:
    rows = table(*case, "Letter GPT-4o", "Letter Gemini")
    found = propose_study(rows, title="T")
    assert {roles(rows)[name] for name in case} == {"text"}
    assert found.declared.arms is not None
    assert found.declared.arms.names == ("GPT-4o", "Gemini")
    assert list(found.told) == []


def test_a_case_headed_like_the_answers_is_shown_and_told() -> None:
    rows = table("Report", "Report GPT-4o", "Report Gemini")
    assert roles(rows)["Report"] == "text"
    assert any(
        "“Report” is shown with the case" in one for one in propose_study(rows, title="T").told
    )


@pytest.mark.parametrize(
    "headings",
    [
        ("History (short)", "History (long)"),
        ("Findings: chest", "Findings: abdomen"),
        ("Seen by the patient", "Letter by AI"),
    ],
)
def test_parts_of_a_case_are_not_compared(headings: tuple[str, ...]) -> None:
    assert arms_of(table(*headings)) == ()


@pytest.mark.parametrize(
    ("headings", "arms"),
    [
        (("overlay_nnUNet", "overlay_MedSAM"), ("nnUNet", "MedSAM")),
        (("seg_unet", "seg_sam", "image"), ("unet", "sam")),
        (("unet mask", "sam mask", "manual mask"), ("unet", "sam")),
        (("overlay_A", "overlay_B"), ("A", "B")),
        (("image_CycleGAN", "image_RadDiffusion"), ("CycleGAN", "RadDiffusion")),
    ],
)
def test_images_that_several_programs_made_are_compared(
    headings: tuple[str, ...], arms: tuple[str, ...]
) -> None:
    assert arms_of(table(*headings, cell=".png")) == arms


@pytest.mark.parametrize(
    "headings",
    [
        ("image_ap", "image_lateral"),
        ("mri_t1", "mri_t2", "mri_flair"),
        ("photo_left", "photo_right"),
        ("overlay_before", "overlay_after"),
        ("scan_1", "scan_2"),
    ],
)
def test_views_of_one_case_are_shown_together_without_a_word(headings: tuple[str, ...]) -> None:
    found = propose_study(table(*headings, cell=".png"), title="T")
    assert found.declared.arms is None
    assert not any("shown together" in one for one in found.told)


def test_images_that_differ_in_a_word_of_no_view_are_told() -> None:
    found = propose_study(table("image_alpha", "image_omega", cell=".png"), title="T")
    assert any("“image_alpha” and “image_omega” are shown together" in one for one in found.told)


@pytest.mark.parametrize(
    ("headings", "is_told"),
    [
        (("Alpha", "Omega"), True),
        (("Haus Nord", "Haus Süd"), True),
        (("Findings", "Assessment"), False),
        (("Discharge note", "AI reply"), False),
        (("Medical history", "Omega"), False),
    ],
)
def test_long_texts_of_one_length_under_headings_of_no_part_of_a_case_are_told(
    headings: tuple[str, ...], is_told: bool
) -> None:
    found = propose_study(table(*headings), title="T")
    assert found.declared.arms is None
    told = [one for one in found.told if "shown together" in one]
    assert bool(told) == is_told, told
    assert not is_told or all(f"“{name}”" in told[0] for name in headings)


def arranged(text: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of a CSV file as an import reads them, and what is told of it."""
    made = io.BytesIO()
    read = write_arranged_csv_and_return_layout(
        io.BytesIO(text.encode()), made, name="t.csv", is_model=is_name_of_writer
    )
    content = made.getvalue() if read and read.changed else text.encode()
    return [
        row.values for row in iterate_rows_of_table_file(content, name="t.csv")
    ], read.notes if read else []


def written(rows: list[dict[str, Any]]) -> str:
    out = io.StringIO()
    lines = csv.DictWriter(out, list(rows[0]))
    lines.writeheader()
    lines.writerows(rows)
    return out.getvalue()


@pytest.mark.parametrize("name", ["case-{at}-{model}", "{model}-case-{at}", "q{at}-{model}"])
@pytest.mark.parametrize("models", [("gpt-4o", "llama-3-8b"), ("gpt4o", "llama3")])
def test_ids_with_a_case_and_a_model_are_taken_apart(name: str, models: tuple[str, ...]) -> None:
    rows = [
        {"custom_id": name.format(at=at, model=model), "answer": f"{TEXT}, {model[:1]} {at}."}
        for at in range(4)
        for model in models
    ]
    found, notes = arranged(written(rows))
    assert {row["model"] for row in found} == {*models}
    assert len({row["custom_id"] for row in found}) == 4
    assert any("hold a case and a model" in note for note in notes)


def test_the_case_is_the_name_where_the_model_stands_in_a_column_too() -> None:
    rows = [
        {"custom_id": f"case-{at}-{short}", "answer": f"{TEXT}, {short} {at}.", "model": model}
        for at in range(4)
        for short, model in (("gpt4o", "gpt-4o-2024-08-06"), ("gpt4omini", "gpt-4o-mini-2024"))
    ]
    found, notes = arranged(written(rows))
    assert [row["custom_id"] for row in found[:3]] == ["case-0", "case-0", "case-1"]
    assert any("the case alone" in note for note in notes)
    assert arms_of(found) == ("gpt-4o-2024-08-06", "gpt-4o-mini-2024")
    # Names that hold something else are left alone.
    others = [row | {"custom_id": f"case-{at}"} for at, row in enumerate(rows)]
    assert [row["custom_id"] for row in arranged(written(others))[0]] == [
        f"case-{at}" for at in range(8)
    ]


def test_a_batch_of_two_models_is_a_comparison() -> None:
    lines = [
        json.dumps(
            {
                "custom_id": f"vignette-{at:03}-{short}",
                "response": {
                    "body": {
                        "model": model,
                        "choices": [{"message": {"content": f"{TEXT}, {short} {at}."}}],
                    }
                },
            }
        )
        for at in range(4)
        for short, model in (("gpt4o", "gpt-4o-2024-08-06"), ("gpt4omini", "gpt-4o-mini-2024"))
    ]
    notes: list[str] = []
    rows = [
        r.values
        for r in iterate_rows_of_table_file("\n".join(lines).encode(), name="b.jsonl", notes=notes)
    ]
    assert [row["custom_id"] for row in rows[:3]] == [
        "vignette-000",
        "vignette-000",
        "vignette-001",
    ]
    assert any("Only the case is kept" in note for note in notes)
    assert arms_of(rows) == ("gpt-4o-2024-08-06", "gpt-4o-mini-2024")


def test_what_promptfoo_held_of_an_answer_is_not_shown_before_it() -> None:
    rows = table("[openai:gpt-4o] Say: {{note}}", "[anthropic:messages:claude-3] Say: {{note}}")
    first, second = list(rows[0])[2:]
    for at, row in enumerate(rows):
        row[first] = f"[PASS] (1.00) {row[first]}"
        row[second] = (
            f"[FAIL] (0.00) Too long\n---\n{row[second]}" if at else f"[PASS] {row[second]}"
        )
    found, notes = arranged(written(rows))
    assert all(row[name].startswith(TEXT) for row in found for name in (first, second))
    assert any("8 answers begin with a program's verdict" in note for note in notes)
    assert any("Why 3 of them failed, up to a line of dashes" in note for note in notes)
    assert arms_of(found) == ("gpt-4o", "claude-3")
    # Words in brackets in some of the cells are the text's own.
    rows[2][first] = TEXT
    kept, _ = arranged(written(rows))
    assert str(kept[0][first]).startswith("[PASS]")


@pytest.mark.parametrize("passed", ["[PASS] Rest.", "[PASS] Rest.\n---\nDrink."])
def test_a_rule_between_the_parts_of_an_answer_that_failed_is_no_end_of_a_reason(
    passed: str,
) -> None:
    cells = ["[FAIL] First paragraph.\n---\nSecond paragraph.", "[FAIL] No rule here.", passed]
    if "---" in passed:
        del cells[1]
    bare = find_rows_without_promptfoo_verdicts_and_note(
        [["q", "a"], *(["x", cell] for cell in cells)], 0
    )
    assert bare is not None
    assert bare[0][1][1] == "First paragraph.\n---\nSecond paragraph."
    assert "may be why, and is kept" in bare[1]


def roles(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {one.name: one.role for one in list_guessed_roles_of_columns(rows)}


@pytest.mark.parametrize(
    ("heading", "cells", "beside"),
    [
        ("quality.responses", [4, 5], ()),
        ("helpfulness.responses", ["good", "fair"], ("helpfulness.responses.users",)),
        ("ratings", "[4, 5]", ()),
    ],
)
def test_what_annotators_answered_is_not_shown(
    heading: str, cells: Any, beside: tuple[str, ...]
) -> None:
    rows = [
        {"id": at, "text": f"{TEXT}, {at}.", heading: cells, **{key: ["a", "b"] for key in beside}}
        for at in range(4)
    ]
    assert roles(rows)[heading] in ("hidden", "group")


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("LONG_ANSWER", "Long answer"),
        ("QUESTION", "Question"),
        ("CONTEXTS", "Contexts"),
        ("note_text", "Note text"),
        ("HBA1C", "HBA1C"),
        ("NTPROBNP", "NTPROBNP"),
        ("ECG_REPORT", "ECG report"),
        ("SOFA", "SOFA"),
        ("BMI", "BMI"),
    ],
)
def test_a_heading_in_capitals_is_shown_in_plain_words(name: str, title: str) -> None:
    assert title_from_name(name) == title


def test_lists_of_what_is_read_are_shown() -> None:
    rows = [
        {"id": at, "text": f"{TEXT}, {at}.", "findings": ["cough", "fever"], "responses": [TEXT]}
        for at in range(4)
    ]
    assert {roles(rows)[name] for name in ("findings", "responses")} == {"markdown"}


def test_parts_of_a_content_are_one_text_and_what_a_request_used_is_not_shown() -> None:
    parts = [{"type": "text", "text": TEXT}, {"type": "text", "text": "Second part."}]
    rows = [
        {
            "case": at,
            "response": {
                "content": [*parts, {"type": "text", "text": f"Case {at}."}],
                "usage": {"input_tokens": 400 + at, "output_tokens": 90 + at},
            },
        }
        for at in range(4)
    ]
    found: Proposal = propose_study(rows, title="T")
    said = {one.name: one.role for one in found.columns}
    assert said["response.content"] in ("text", "markdown")
    assert {said["response.usage.input_tokens"], said["response.usage.output_tokens"]} == {"hidden"}
    assert found.looked.items[0].body["response.content"] == f"{TEXT}\n\nSecond part.\n\nCase 0."


def workbook(*merged: tuple[int, int, int, int, str], cells: list[tuple[int, int, Any]]) -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as book:
        sheet = book.add_worksheet()
        for one in merged:
            sheet.merge_range(*one)
        for at, column, value in cells:
            sheet.write(at, column, value)
    return made.getvalue()


def read_sheet(content: bytes, header: int = 0) -> tuple[list[dict[str, Any]], list[str]]:
    out = io.BytesIO()
    read = write_sheet_as_csv_and_return_notes(
        io.BytesIO(content),
        out,
        name="t.xlsx",
        header=header,
        of_items=True,
        is_model=is_name_of_writer,
    )
    return [
        row.values for row in iterate_rows_of_table_file(out.getvalue(), name="t.csv")
    ], read.notes


@pytest.mark.parametrize("above", [0, 1])
def test_three_rows_of_headings_some_merged_down_over_all_three_are_one_header(above: int) -> None:
    top = above
    cells: list[tuple[int, int, Any]] = [(0, 0, "Vergleich der Systeme, Stand Mai")] * above
    cells += [
        (top + 2, 2, "Empfehlung"),
        (top + 2, 3, "Sicherheit (%)"),
        (top + 2, 4, "Empfehlung"),
        (top + 2, 5, "Sicherheit (%)"),
    ]
    for at in range(4):
        row = (f"F{at}", f"Frage {at}?", f"{TEXT}, a {at}.", 60 + at, f"{TEXT}, b {at}.", 70 + at)
        cells += [(top + 3 + at, column, value) for column, value in enumerate(row)]
    content = workbook(
        (top, 0, top + 2, 0, "Fall-Nr."),
        (top, 1, top + 2, 1, "Konsilfrage"),
        (top, 2, top, 5, "Systeme"),
        (top + 1, 2, top + 1, 3, "Claude Sonnet 4.5"),
        (top + 1, 4, top + 1, 5, "Mistral Large 2"),
        cells=cells,
    )
    for chosen in (top + 1, top + 2, top + 3):
        assert read_sheet(content, chosen)[0] == read_sheet(content)[0]
    rows, notes = read_sheet(content)
    assert any("the header has three rows" in note for note in notes)
    assert [row["Fall-Nr."] for row in rows] == ["F0", "F1", "F2", "F3"]
    assert len(rows[0]) == 6
    assert arms_of(rows) == ("Claude Sonnet 4.5", "Mistral Large 2")


def test_two_rows_of_headings_above_data_stay_two() -> None:
    cells: list[tuple[int, int, Any]] = [(1, 2, "Answer"), (1, 3, "Why"), (1, 4, "Answer")]
    cells += [(1, 5, "Why")]
    for at in range(4):
        row = (f"F{at}", f"Frage {at}?", f"{TEXT}, a {at}.", "so", f"{TEXT}, b {at}.", "so")
        cells += [(2 + at, column, value) for column, value in enumerate(row)]
    rows, notes = read_sheet(
        workbook(
            (0, 0, 1, 0, "Fall"),
            (0, 1, 1, 1, "Frage"),
            (0, 2, 0, 3, "GPT-4"),
            (0, 4, 0, 5, "Llama 3"),
            cells=cells,
        )
    )
    assert any("the header has two rows" in note for note in notes)
    assert [row["Fall"] for row in rows] == ["F0", "F1", "F2", "F3"]


@pytest.mark.parametrize("word", ["Total général", "Totale generale", "Total geral", "Gesamtsumme"])
def test_a_last_row_of_sums_is_left_out_and_groups_above_are_filled_down(word: str) -> None:
    cells: list[tuple[int, int, Any]] = [
        (0, column, name)
        for column, name in enumerate(("Service", "Dossier", "Question", "Réponse", "Mots"))
    ]
    for at in range(6):
        row = ("" if at % 3 else f"Service {'AB'[at // 3]}", f"D{at}", f"Q {at}?", TEXT, 30 + at)
        cells += [(1 + at, column, value) for column, value in enumerate(row) if value]
    cells += [(7, 0, word), (7, 4, 195)]
    rows, notes = read_sheet(workbook(cells=cells))
    assert [row["Service"] for row in rows] == ["Service A"] * 3 + ["Service B"] * 3
    assert any(word in note for note in notes)
    assert roles(rows)["Dossier"] == "id"


@pytest.mark.parametrize(
    ("first", "further"),
    [
        (("gpt4_dx1", "llama3_dx1"), ("gpt4_dx2", "llama3_dx2")),
        (("GPT-4o rank 1", "Llama rank 1"), ("GPT-4o rank 2", "Llama rank 2")),
        (("gpt4_plan", "llama3_plan"), ("gpt4_diagnosis", "llama3_diagnosis")),
    ],
)
def test_parts_of_one_models_answer_are_not_compared_with_each_other(
    first: tuple[str, str], further: tuple[str, str]
) -> None:
    proposal = propose_study(table(first[0], further[0], first[1], further[1]), title="T")
    arms = proposal.declared.arms
    assert arms is not None
    assert len(arms.names) == 2
    told = " ".join(proposal.told)
    assert f"Only “{first[0]}” and “{first[1]}” are compared" in told
    assert f"“{further[0]}”, “{further[1]}” seem to be further parts" in told


def test_what_a_model_was_asked_several_times_or_in_several_ways_is_compared() -> None:
    runs = ("gpt4_run1", "gpt4_run2", "llama3_run1", "llama3_run2")
    assert len(arms_of(table(*runs))) == 4
    ways = ("GPT-4o zero-shot", "GPT-4o few-shot", "Llama zero-shot", "Llama few-shot")
    assert len(arms_of(table(*ways))) == 4


@pytest.mark.parametrize("heading", ["doctor", "Ärztin", "traducteur", "hekim"])
def test_who_saw_the_patient_is_no_answer_of_a_person_beside_a_machines(heading: str) -> None:
    rows = table("AI")
    for row, name in zip(rows, ("Anna", "Ben Özil", "Anna", "Dr. Kay"), strict=True):
        row[heading] = name
    assert arms_of(rows) == ()
    for row, said in zip(rows, ("Rest.", "Drink more.", "Rest.", "Call me."), strict=True):
        row[heading] = said
    assert arms_of(rows) == ("AI", heading)
