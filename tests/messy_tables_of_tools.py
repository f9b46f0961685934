"""More tables of laboratories and tools, written after the rules for the others were."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pyarrow as pa
import xlsxwriter

from tests.messy_tables import book, json_lines, lines, sheet
from tests.messy_tables_of_labs import DIAGNOSES, ROWS, VIGNETTES, Labs, parquet

SECOND: dict[str, Callable[[], Labs]] = {}
CASES = tuple(zip(VIGNETTES, DIAGNOSES, strict=True))


def second(make: Callable[[], Labs]) -> Callable[[], Labs]:
    """Enter a table of the second set under its function's name."""
    SECOND[make.__name__] = make
    return make


# -- short answers ---------------------------------------------------------------------------------


@second
def icd_codes_of_two_models_and_a_coder() -> Labs:
    codes = ("I21.1", "E10.1", "G70.0", "C34.1", "K81.0", "B54")
    rows = [["Fall", "Arztbrief", "ICD GPT-4", "ICD Mixtral", "ICD Kodierfachkraft"]]
    rows += [[at, v * 2, codes[at], codes[-at], codes[at]] for at, v in enumerate(VIGNETTES)]
    return Labs("icd.xlsx", sheet(rows), 6, shown=("Arztbrief",), hidden=("ICD Kodierfachkraft",))


@second
def spanish_diagnoses_by_model() -> Labs:
    rows = [["caso", "viñeta", "Diagnóstico (GPT-4o)", "Diagnóstico (Gemini)", "Diagnóstico real"]]
    rows += [[at, v, d[0], d[1], d[3]] for at, (v, d) in enumerate(CASES, 1)]
    return Labs("casos.csv", lines(rows), 6, 2, shown=("viñeta",), hidden=("Diagnóstico real",))


@second
def french_diagnoses_by_model() -> Labs:
    rows = [["Cas", "Vignette", "Diagnostic Claude", "Diagnostic Mistral", "Diagnostic retenu"]]
    rows += [[at, v, d[0], d[1], d[3]] for at, (v, d) in enumerate(CASES, 1)]
    return Labs("cas.csv", lines(rows, ";"), 6, 2, shown=("Vignette",))


@second
def models_below_a_merged_heading_with_short_answers() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Blatt 1")
        only.merge_range(0, 0, 1, 0, "Fall")
        only.merge_range(0, 1, 1, 1, "Anamnese")
        only.merge_range(0, 2, 0, 4, "Verdachtsdiagnose")
        only.write_row(1, 2, ["GPT-4o", "Claude", "Llama 3"])
        only.write(0, 5, "Enddiagnose")
        for at, (v, d) in enumerate(CASES):
            only.write_row(at + 2, 0, [at + 1, v, *d])

    return Labs("verdacht.xlsx", book(write), 6, 3, shown=("Anamnese",), hidden=("Enddiagnose",))


@second
def letters_of_answers_with_a_key() -> Labs:
    rows = [["qid", "question", "gpt4_letter", "claude_letter", "correct_letter"]]
    rows += [[at, v, "ABCD"[at % 4], "BCDA"[at % 4], "C"] for at, v in enumerate(VIGNETTES)]
    return Labs("mcq.csv", lines(rows), 6, 2, shown=("question",), hidden=("correct_letter",))


@second
def risk_in_percent_by_model() -> Labs:
    rows = [["id", "case", "GPT-4 risk estimate (%)", "Claude risk estimate (%)", "observed"]]
    rows += [[at, v, 10 + at, 20 + at, 1] for at, v in enumerate(VIGNETTES)]
    return Labs("risk.csv", lines(rows), 6, shown=("case",), otherwise=("can tell",))


@second
def three_diagnoses_in_order_of_two_models() -> Labs:
    rows = [["id", "vignette", "GPT-4 dx1", "GPT-4 dx2", "Gemini dx1", "Gemini dx2", "truth"]]
    rows += [[at, v, d[0], d[1], d[2], d[1], d[3]] for at, (v, d) in enumerate(CASES)]
    return Labs("two_each.csv", lines(rows), 6, shown=("vignette",), hidden=("truth",))


@second
def a_verdict_beside_each_short_answer() -> Labs:
    rows = [["nr", "case", "o1 dx", "o1 correct?", "grok dx", "grok correct?"]]
    rows += [[at, v, d[0], "yes", d[1], "no"] for at, (v, d) in enumerate(CASES)]
    return Labs(
        "verdicts.csv",
        lines(rows),
        6,
        2,
        shown=("case",),
        secret=("o1 correct?", "grok correct?"),
        otherwise=("give it another name",),
    )


# -- columns of models -----------------------------------------------------------------------------


@second
def before_and_after_fine_tuning() -> Labs:
    rows = [["id", "instruction", "base_output", "finetuned_output"]]
    rows += [[at, q, a, b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("ft.csv", lines(rows), 4, 2, shown=("instruction",))


@second
def zero_shot_and_few_shot() -> Labs:
    rows = [["id", "note", "zero_shot_summary", "few_shot_summary", "cot_summary"]]
    rows += [[at, q * 3, a, b, c] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs("prompts.csv", lines(rows), 4, 3, shown=("note",))


@second
def temperatures_in_the_headings() -> Labs:
    rows = [["id", "question", "answer (T=0)", "answer (T=0.7)", "answer (T=1)"]]
    rows += [[at, q, a, b, c] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs("temps.csv", lines(rows), 4, 3, shown=("question",))


@second
def italian_doctor_and_assistant() -> Labs:
    rows = [["ID", "Domanda del paziente", "Risposta del medico", "Risposta dell'IA", "Note"]]
    rows += [[at, q, a, b, ""] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("risposte.csv", lines(rows, ";"), 4, 2, shown=("Domanda del paziente",))


@second
def a_model_and_its_reasoning_for_each() -> Labs:
    rows = [["id", "question", "R1 answer", "R1 thinking", "o3-mini answer", "o3-mini thinking"]]
    rows += [[at, q, a, b, c, a] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs("think.csv", lines(rows), 4, 2, shown=("question",))


@second
def models_as_columns_of_a_pivot_with_blank_corner() -> Labs:
    rows = [["", "ChatGPT", "Bard", "Bing"]]
    rows += [list(row) for row in ROWS]
    return Labs("pivot.xlsx", sheet(rows), 4, 3)


@second
def local_models_nobody_knows() -> Labs:
    rows = [["Frage-Nr", "Frage", "KIPferd-7B", "Medbert.de", "LeoLM-13b"]]
    rows += [[at, *row] for at, row in enumerate(ROWS)]
    return Labs("lokal.csv", lines(rows, ";"), 4, shown=("Frage",))


# -- references ------------------------------------------------------------------------------------


@second
def a_key_in_dutch() -> Labs:
    rows = [["nr", "Vraag", "Antwoord", "Juiste antwoord", "Onderbouwing", "Beoordelaar"]]
    rows += [[at, q, a, b, c, "JdV"] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "vragen.csv",
        lines(rows, ";"),
        4,
        shown=("Vraag", "Antwoord"),
        hidden=("Juiste antwoord", "Onderbouwing", "Beoordelaar"),
    )


@second
def a_guideline_recommendation_beside() -> Labs:
    rows = [["id", "Frage", "KI-Antwort", "Leitlinienempfehlung", "Warum falsch?", "Konsens"]]
    rows += [[at, q, a, b, c, b] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "leitlinie.csv",
        lines(rows, ";"),
        4,
        shown=("Frage", "KI-Antwort"),
        hidden=("Warum falsch?", "Konsens"),
    )


@second
def a_checklist_of_key_points() -> Labs:
    rows = [
        {"qid": at, "question": q, "answer": a, "must_have": [b[:30], b[30:]], "nice_to_have": [c]}
        for at, (q, a, b, c) in enumerate(ROWS)
    ]
    return Labs(
        "k_qa.jsonl",
        json_lines(rows),
        4,
        shown=("question", "answer"),
        hidden=("must_have", "nice_to_have"),
    )


@second
def spanish_exam_with_options_in_columns() -> Labs:
    rows = [["nº", "pregunta", "opción 1", "opción 2", "opción 3", "correcta", "explicación"]]
    rows += [[at, q, "Aspirina", "Warfarina", "Nada", 2, a] for at, (q, a, *_) in enumerate(ROWS)]
    return Labs("mir.csv", lines(rows), 4, shown=("pregunta",), hidden=("correcta", "explicación"))


@second
def hugging_face_multiple_choice() -> Labs:
    table = {
        "question": [q for q, *_ in ROWS],
        "choices": [{"label": ["A", "B"], "text": ["yes", "no"]}] * 4,
        "answerKey": ["A", "B", "A", "B"],
        "id": [f"Mercury_{at}" for at in range(4)],
    }
    return Labs("arc.parquet", parquet(table), 4, shown=("question",), hidden=("answerKey",))


@second
def squad_with_answers_and_context() -> Labs:
    rows = [
        {
            "id": f"5733be{at}",
            "title": "Ibuprofen",
            "context": a + b,
            "question": q,
            "answers": {"text": [a[:20]], "answer_start": [0]},
        }
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs(
        "squad.jsonl",
        json_lines(rows),
        4,
        shown=("context", "question"),
        names=("5733be0",),
    )


# -- spreadsheets ----------------------------------------------------------------------------------


@second
def dates_and_ids_with_formats_of_their_own() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Liste")
        only.write_row(0, 0, ["Fallnr.", "Datum", "Frage", "Antwort"])
        number = made.add_format({"num_format": '"F-"0000'})
        day = made.add_format({"num_format": "d. mmmm yyyy"})
        for at, (q, a, *_) in enumerate(ROWS, 1):
            only.write_number(at, 0, at, number)
            only.write_datetime(at, 1, datetime(2024, 3, at), day)
            only.write_row(at, 2, [q, a])

    return Labs("liste.xlsx", book(write), 4, shown=("Frage", "Antwort"), names=("F-0001",))


@second
def a_table_that_begins_in_column_c() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Sheet1")
        only.write_row(4, 2, ["Case", "Question", "Model", "Response"])
        row = 5
        for at, (q, a, b, _) in enumerate(ROWS, 1):
            for model, answer in (("GPT-4", a), ("PaLM 2", b)):
                only.write_row(row, 2, [at, q, model, answer])
                row += 1

    return Labs(
        "offset.xlsx",
        book(write),
        4,
        frozenset({"GPT-4", "PaLM 2"}),
        shown=("Question", "Response"),
        secret=("Model",),
    )


@second
def a_sheet_of_answers_and_one_of_ratings() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        rated = made.add_worksheet("Ratings")
        rated.write_row(0, 0, ["ID", "Rater", "Score"])
        for at in range(1, 30):
            rated.write_row(at, 0, [at % 4, "R1", 3])
        main = made.add_worksheet("Answers")
        main.write_row(0, 0, ["ID", "Question", "Answer"])
        for at, (q, a, *_) in enumerate(ROWS, 1):
            main.write_row(at, 0, [f"A{at}", q, a])

    return Labs("both.xlsx", book(write), 4, shown=("Question", "Answer"), otherwise=("Answers",))


@second
def colour_legend_beside_the_table() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Daten")
        only.write_row(0, 0, ["Nr", "Frage", "Antwort"])
        for at, (q, a, *_) in enumerate(ROWS, 1):
            only.write_row(at, 0, [at, q, a])
        only.write(0, 5, "Legende")
        only.write(1, 5, "grün = richtig")
        only.write(2, 5, "rot = falsch")

    return Labs("legende.xlsx", book(write), 4, shown=("Frage", "Antwort"), noted=("Legende",))


@second
def percentages_and_thousands_below_a_summary_row_on_top() -> Labs:
    rows: list[list[Any]] = [
        ["Auswertung Q1", "", "", ""],
        ["", "", "", ""],
        ["ID", "Text", "Länge", "Anteil"],
    ]
    rows += [[f"T{at}", a, "1.234", "12,5 %"] for at, (_, a, *_) in enumerate(ROWS)]
    return Labs("q1.xlsx", sheet(rows), 4, shown=("Text",), names=("T0",), noted=("above",))


@second
def a_question_merged_over_rows_with_letters_of_models() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Sheet1")
        only.write_row(0, 0, ["Question", "LLM", "Output"])
        for at, (q, *answers) in enumerate(ROWS):
            top = 1 + at * 3
            only.merge_range(top, 0, top + 2, 0, q)
            for down, answer in enumerate(answers):
                only.write_row(top + down, 1, ["XYZ"[down], answer])

    return Labs(
        "xyz.xlsx",
        book(write),
        4,
        frozenset({"X", "Y", "Z"}),
        shown=("Question", "Output"),
        secret=("LLM",),
        noted=("[Mm]erged",),
    )


# -- delimited text --------------------------------------------------------------------------------


@second
def pipes_between_the_cells() -> Labs:
    rows = [["id", "question", "answer"]]
    rows += [[at, q, a] for at, (q, a, *_) in enumerate(ROWS)]
    return Labs("pipes.txt", lines(rows, "|"), 4, shown=("question", "answer"), refused="csv|CSV")


@second
def utf_16_with_tabs() -> Labs:
    rows = [["Nr", "Frage", "Antwort ChatGPT", "Antwort Ärztin"]]
    rows += [[at, q, a, b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("unicode.csv", lines(rows, "\t", "utf-16"), 4, 2, shown=("Frage",))


@second
def a_unit_row_and_decimal_commas_in_latin_1() -> Labs:
    rows = [["Fall", "Befund", "CRP", "Größe"], ["", "", "mg/l", "cm"]]
    rows += [[f"B{at}", a, "12,5", "171,5"] for at, (_, a, *_) in enumerate(ROWS)]
    return Labs(
        "labor.csv",
        lines(rows, ";", "latin-1"),
        4,
        shown=("Befund",),
        noted=("unit",),
        names=("B0",),
    )


@second
def half_a_file_of_repeated_headers() -> Labs:
    head = ["id", "prompt", "completion"]
    rows = [head, *([at, q, a] for at, (q, a, *_) in enumerate(ROWS[:2]))]
    rows += [head, *([at + 2, q, a] for at, (q, a, *_) in enumerate(ROWS[2:]))]
    return Labs("joined.csv", lines(rows), 4, shown=("prompt", "completion"), noted=("repeated",))


# -- tools -----------------------------------------------------------------------------------------


@second
def deepeval_test_cases() -> Labs:
    rows = [
        {
            "name": f"test_{at}",
            "input": q,
            "actual_output": a,
            "expected_output": b,
            "retrieval_context": [c],
            "success": True,
            "metrics_data": [{"name": "Faithfulness", "score": 0.9, "reason": "fine"}],
        }
        for at, (q, a, b, c) in enumerate(ROWS)
    ]
    return Labs(
        "deepeval.json",
        json.dumps({"test_cases": rows}).encode(),
        4,
        shown=("input", "actual_output"),
        hidden=("expected_output", "success", "metrics_data"),
    )


@second
def ragas_dataset() -> Labs:
    rows = [
        {
            "user_input": q,
            "retrieved_contexts": [b, c],
            "response": a,
            "reference": b,
            "faithfulness": 0.93,
            "answer_relevancy": 0.81,
        }
        for q, a, b, c in ROWS
    ]
    return Labs(
        "ragas.jsonl",
        json_lines(rows),
        4,
        shown=("user_input", "response"),
        hidden=("reference", "faithfulness", "answer_relevancy"),
    )


@second
def openai_fine_tuning_messages() -> Labs:
    rows = [
        {
            "messages": [
                {"role": "system", "content": "You are a doctor."},
                {"role": "user", "content": q},
                {"role": "assistant", "content": a},
            ]
        }
        for q, a, *_ in ROWS
    ]
    return Labs("train.jsonl", json_lines(rows), 4, 0, shown=("messages",))


@second
def pairwise_judgments_of_a_model() -> Labs:
    rows = [
        {
            "question_id": at,
            "question": q,
            "model_1": "gpt-4o",
            "model_2": "mistral-large",
            "answer_1": a,
            "answer_2": b,
            "g1_winner": "model_1",
            "g1_judgment": c,
            "tstamp": 1690000000,
        }
        for at, (q, a, b, c) in enumerate(ROWS, 81)
    ]
    return Labs(
        "pair.jsonl",
        json_lines(rows),
        4,
        2,
        shown=("question",),
        hidden=("g1_winner", "g1_judgment"),
        secret=("model_1", "model_2"),
    )


@second
def weights_and_biases_table() -> Labs:
    whole = {
        "columns": ["id", "prompt", "gpt-4o", "llama-3-8b", "target"],
        "data": [[at, q, a, b, c] for at, (q, a, b, c) in enumerate(ROWS)],
    }
    return Labs(
        "wandb.table.json",
        json.dumps(whole).encode(),
        4,
        frozenset({"gpt-4o", "llama-3-8b"}),
        shown=("prompt",),
        hidden=("target",),
    )


@second
def list_of_structs_of_models_in_parquet() -> Labs:
    kind = pa.list_(pa.struct([("model", pa.string()), ("response", pa.string())]))
    answers = pa.array(
        [
            [{"model": "gpt-4o", "response": a}, {"model": "gemini-pro", "response": b}]
            for _, a, b, _ in ROWS
        ],
        kind,
    )
    table = {"prompt_id": ["p1", "p2", "p3", "p4"], "prompt": [q for q, *_ in ROWS]}
    return Labs(
        "answers.parquet",
        parquet({**table, "responses": answers}),
        4,
        frozenset({"gpt-4o", "gemini-pro"}),
        shown=("prompt",),
    )


@second
def prodigy_annotations() -> Labs:
    rows = [
        {
            "text": a,
            "_input_hash": 1886699658 + at,
            "_task_hash": -1952856502 - at,
            "options": [{"id": "good", "text": "good"}, {"id": "bad", "text": "bad"}],
            "accept": ["good"],
            "answer": "accept",
            "_timestamp": 1650000000,
            "_annotator_id": "a-1",
        }
        for at, (_, a, *_) in enumerate(ROWS)
    ]
    return Labs(
        "prodigy.jsonl",
        json_lines(rows),
        4,
        shown=("text",),
        hidden=("accept", "_annotator_id", "answer"),
    )


@second
def microsoft_forms_of_a_rating_by_colleagues() -> Labs:
    rows = [
        [
            "ID",
            "Startzeit",
            "Fertigstellungszeit",
            "E-Mail",
            "Name",
            "Patientenfrage",
            "Antwort der KI",
            "Wie gut war die Antwort? (1-5)",
        ]
    ]
    rows += [
        [str(at), "01.03.2025 10:00", "01.03.2025 10:05", "anonymous", "", q, a, "4"]
        for at, (q, a, *_) in enumerate(ROWS, 1)
    ]
    return Labs(
        "forms.xlsx",
        sheet(rows),
        4,
        shown=("Patientenfrage", "Antwort der KI"),
        hidden=("Startzeit", "E-Mail"),
        names=("1",),
    )


@second
def a_patient_in_the_last_row_of_a_long_workbook() -> Labs:
    rows: list[list[Any]] = [["id", "note"]]
    rows += [[f"n{at}", f"Day {at}: rest and fluids, no fever."] for at in range(1_500)]
    rows.append(["n1500", "Call Mrs. Eleanor Whitcombe on +44 20 7946 0958."])
    return Labs("long.xlsx", sheet(rows), shown=("note",), identified=(1_501,))
