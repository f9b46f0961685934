"""A third set of tables, written after the rules for the first two sets were."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import xlsxwriter

from tests.messy_tables import book, json_lines, lines, sheet
from tests.messy_tables_of_labs import DIAGNOSES, ROWS, VIGNETTES, Labs, parquet

THIRD: dict[str, Callable[[], Labs]] = {}
CASES = tuple(zip(VIGNETTES, DIAGNOSES, strict=True))


def third(make: Callable[[], Labs]) -> Callable[[], Labs]:
    """Enter a table of the third set under its function's name."""
    THIRD[make.__name__] = make
    return make


@third
def top_diagnosis_after_the_model_s_name() -> Labs:
    rows = [
        [
            "Case #",
            "Clinical vignette",
            "ChatGPT-4 top diagnosis",
            "Bard top diagnosis",
            "Answer key",
        ]
    ]
    rows += [[at, v, d[0], d[1], d[3]] for at, (v, d) in enumerate(CASES, 1)]
    return Labs("a.csv", lines(rows), 6, 2, shown=("Clinical vignette",), hidden=("Answer key",))


@third
def german_triage_words_by_model() -> Labs:
    words = ("rot", "gelb", "grün", "rot", "orange", "blau")
    rows = [
        ["Fallnummer", "Vorstellungsgrund", "Triage (GPT-4o)", "Triage (Claude)", "Triage (Pflege)"]
    ]
    rows += [[at, v, words[at], words[-at], words[at]] for at, v in enumerate(VIGNETTES)]
    return Labs("b.xlsx", sheet(rows), 6, 3, shown=("Vorstellungsgrund",))


@third
def codes_in_snake_case() -> Labs:
    rows = [["encounter_id", "hpi", "dx_gpt4o", "dx_llama3", "dx_attending"]]
    rows += [[at, v, d[0], d[1], d[3]] for at, (v, d) in enumerate(CASES)]
    return Labs("c.csv", lines(rows), 6, 3, shown=("hpi",))


@third
def bare_names_of_models_with_one_word_each() -> Labs:
    rows = [["Patient", "Befund", "GPT", "Gemini", "Grok", "Histologie"]]
    rows += [[f"P{at}", v, *d] for at, (v, d) in enumerate(CASES)]
    return Labs("d.csv", lines(rows, ";"), 6, 3, shown=("Befund",))


@third
def model_one_and_two_with_short_words() -> Labs:
    rows = [
        [
            "id",
            "vignette",
            "Model 1 diagnosis",
            "Model 2 diagnosis",
            "Model 3 diagnosis",
            "Reference",
        ]
    ]
    rows += [[at, v, *d] for at, (v, d) in enumerate(CASES)]
    return Labs("e.csv", lines(rows), 6, 3, shown=("vignette",), hidden=("Reference",))


@third
def portuguese_with_a_key() -> Labs:
    rows = [
        ["nº", "Pergunta", "Resposta do ChatGPT", "Resposta do médico", "Gabarito", "Justificativa"]
    ]
    rows += [[at, q, a, b, c, a] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "f.csv",
        lines(rows, ";", "latin-1"),
        4,
        2,
        shown=("Pergunta",),
        hidden=("Gabarito", "Justificativa"),
    )


@third
def old_and_new_version_of_a_leaflet() -> Labs:
    rows = [["id", "Original leaflet", "Leaflet by GPT-4", "Leaflet by Claude"]]
    rows += [[at, q * 3, a, b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("g.csv", lines(rows), 4, shown=(), models=-1)


@third
def rewritten_by_models_with_reading_ease() -> Labs:
    rows = [["id", "source text", "GPT-4 rewrite", "GPT-4 FRE", "Llama rewrite", "Llama FRE"]]
    rows += [[at, q * 3, a, 61.2, b, 55.0] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs(
        "h.csv", lines(rows), 4, 2, shown=("source text",), secret=("GPT-4 FRE", "Llama FRE")
    )


@third
def three_repeats_of_one_model() -> Labs:
    rows = [["id", "question", "run 1", "run 2", "run 3"]]
    rows += [[at, *row] for at, row in enumerate(ROWS)]
    return Labs("i.csv", lines(rows), 4, shown=("question",))


@third
def two_header_rows_with_a_reference_group() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("S")
        only.merge_range(0, 0, 0, 1, "Case")
        only.merge_range(0, 2, 0, 3, "AI answers")
        only.write(0, 4, "Expert")
        only.write_row(1, 0, ["ID", "Question", "GPT-4", "Gemini", "Reference answer"])
        for at, row in enumerate(ROWS):
            only.write_row(at + 2, 0, [at, *row])

    return Labs("j.xlsx", book(write), 4, 2)


@third
def an_sql_dump_with_null_words() -> Labs:
    rows = [["id", "question", "answer", "reviewed_by", "deleted_at"]]
    rows += [[at, q, a, "NULL", "NULL"] for at, (q, a, *_) in enumerate(ROWS)]
    return Labs("k.csv", lines(rows), 4, shown=("question", "answer"), noted=("NULL",))


@third
def everything_quoted_with_single_column_ids_missing() -> Labs:
    text = '"question";"answer"\n' + "".join(f'"{q}";"{a}"\n' for q, a, *_ in ROWS)
    return Labs("l.csv", text.encode("utf-8-sig"), 4, shown=("question", "answer"))


@third
def a_title_over_a_narrow_table() -> Labs:
    text = (
        "Answers of the pilot, March 2025\n\nquestion,answer\n"
        + lines([[q, a] for q, a, *_ in ROWS]).decode()
    )
    return Labs("m.csv", text.encode(), 4, shown=("question", "answer"))


@third
def an_index_column_of_pandas_and_models() -> Labs:
    rows = [["", "prompt", "response_gpt-4o-mini", "response_qwen2.5-72b"]]
    rows += [[at, q, a, b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("n.csv", lines(rows), 4, 2, shown=("prompt",))


@third
def openai_evals_chat_completions() -> Labs:
    rows = [
        {
            "id": f"chatcmpl-{at}",
            "model": "gpt-4o",
            "request": {"messages": [{"role": "user", "content": q}]},
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": a},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"total_tokens": 99},
        }
        for at, (q, a, *_) in enumerate(ROWS)
    ]
    return Labs("o.jsonl", json_lines(rows), 4, 0, secret=("model",))


@third
def vertex_batch_predictions() -> Labs:
    rows = [
        {
            "request": {"contents": [{"role": "user", "parts": [{"text": q}]}]},
            "response": {
                "candidates": [{"content": {"role": "model", "parts": [{"text": a}]}}],
                "modelVersion": "gemini-1.5-pro",
            },
            "status": "",
        }
        for q, a, *_ in ROWS
    ]
    return Labs("p.jsonl", json_lines(rows), 4, 0, secret=("response.modelVersion",))


@third
def a_dictionary_of_models_by_question() -> Labs:
    whole = {q: {"gpt-4o": a, "claude-3-haiku": b, "gold": c} for q, a, b, c in ROWS}
    return Labs("q.json", json.dumps(whole).encode(), 4, 2, hidden=("gold",))


@third
def llm_judge_scores_beside_answers() -> Labs:
    rows = [
        {
            "question": q,
            "answer": a,
            "judge_score": 4,
            "judge_explanation": b,
            "judge_model": "gpt-4",
            "human_score": 3,
        }
        for q, a, b, _ in ROWS
    ]
    return Labs(
        "r.jsonl",
        json_lines(rows),
        4,
        shown=("question", "answer"),
        hidden=("judge_score", "judge_explanation", "human_score"),
    )


@third
def chosen_and_rejected_with_system() -> Labs:
    rows = [{"system": "", "question": q, "chosen": a, "rejected": b} for q, a, b, _ in ROWS]
    return Labs("s.json", json.dumps(rows).encode(), 4, 2, shown=("question",))


@third
def kto_labels() -> Labs:
    rows = [
        {"prompt": q, "completion": a, "label": at % 2 == 0} for at, (q, a, *_) in enumerate(ROWS)
    ]
    return Labs("t.jsonl", json_lines(rows), 4, shown=("prompt", "completion"), hidden=("label",))


@third
def helpsteer_attributes() -> Labs:
    rows = [
        {
            "prompt": q,
            "response": a,
            "helpfulness": 3,
            "correctness": 4,
            "coherence": 4,
            "complexity": 2,
            "verbosity": 1,
        }
        for q, a, *_ in ROWS
    ]
    return Labs(
        "u.jsonl",
        json_lines(rows),
        4,
        shown=("prompt", "response"),
        hidden=("correctness", "helpfulness"),
    )


@third
def options_in_a_struct_with_an_index() -> Labs:
    table = {
        "id": ["a", "b", "c", "d"],
        "question": [q for q, *_ in ROWS],
        "options": [["x1", "x2", "x3"]] * 4,
        "answer_index": [0, 1, 2, 0],
        "subject": ["derm"] * 4,
    }
    return Labs(
        "v.parquet", parquet(table), 4, shown=("question", "options"), hidden=("answer_index",)
    )


@third
def radiology_findings_and_impressions() -> Labs:
    rows = [["study_id", "findings", "impression_radiologist", "impression_model"]]
    rows += [[at, q * 2, a, b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("w.csv", lines(rows), 4, 2, shown=("findings",))


@third
def a_note_with_a_real_summary_and_ids() -> Labs:
    rows = [["note_id", "subject_id", "text", "target"]]
    rows += [[f"10000-DS-{at}", 10000032, q * 3, a] for at, (q, a, *_) in enumerate(ROWS)]
    return Labs("x.csv", lines(rows), 4, shown=("text",), hidden=("target",), names=("10000-DS-0",))


@third
def tally_of_ticks_by_google_forms() -> Labs:
    rows = [
        [
            "Timestamp",
            "Email Address",
            "Score",
            "Paste the question",
            "Paste ChatGPT's answer",
            "Paste Gemini's answer",
        ]
    ]
    rows += [["3/1/2025 9:12:01", "dr@clinic.example", "3 / 5", q, a, b] for q, a, b, _ in ROWS]
    return Labs(
        "y.csv", lines(rows), 4, 2, shown=("Paste the question",), hidden=("Email Address", "Score")
    )


@third
def a_workbook_with_notes_right_and_below() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("S")
        only.write_row(0, 0, ["Nr", "Frage", "Antwort A", "Antwort B", "", "Bemerkungen intern"])
        for at, (q, a, b, _) in enumerate(ROWS, 1):
            only.write_row(at, 0, [at, q, a, b, "", "A ist GPT" if at == 1 else ""])
        only.write(6, 0, "A = ChatGPT, B = Gemini")

    return Labs("z.xlsx", book(write), 4, 2, shown=("Frage",), secret=("Bemerkungen intern",))


@third
def patients_names_in_a_column() -> Labs:
    rows = [["Nachname", "Vorname", "Geb.-Datum", "Arztbrief"]]
    rows += [["Huber", "Anna", "03.04.1951", a] for _, a, *_ in ROWS]
    return Labs("aa.csv", lines(rows, ";"), 4, shown=("Arztbrief",), identified=(1, 4))


@third
def a_reference_standard_by_a_panel() -> Labs:
    rows = [["case", "model_dx", "panel_dx", "clinical_summary"]]
    rows += [[at, d[0], d[3], v] for at, (v, d) in enumerate(CASES)]
    return Labs("bb.csv", lines(rows), 6, shown=("model_dx", "clinical_summary"), models=-1)


@third
def turns_of_a_chat_in_columns() -> Labs:
    rows = [["id", "user_1", "assistant_1", "user_2", "assistant_2"]]
    rows += [[at, q, a, "And then?", b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("cc.csv", lines(rows), 4, shown=("user_1", "assistant_1"))


@third
def sums_in_the_middle_by_department() -> Labs:
    rows: list[list[Any]] = [["Nr", "Frage", "Antwort", "Punkte"]]
    rows += [[at, q, a, 3] for at, (q, a, *_) in enumerate(ROWS[:2])]
    rows += [["Zwischensumme", "", "", 6]]
    rows += [[at + 2, q, a, 3] for at, (q, a, *_) in enumerate(ROWS[2:])]
    rows += [["Gesamtsumme", "", "", 12]]
    return Labs(
        "dd.xlsx", sheet(rows), 4, shown=("Frage", "Antwort"), hidden=("Punkte",), noted=("sum",)
    )
