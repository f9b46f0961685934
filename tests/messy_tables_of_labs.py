"""Tables as laboratories, crowd platforms, survey and model tools write them, and what is right."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter

from tests.messy_tables import ANSWERS, OTHERS, QUESTIONS, THIRDS, book, json_lines, lines, sheet

VIGNETTES = (
    "A 58-year-old man has had crushing chest pain for two hours; ST elevation in II, III and aVF.",
    "A girl of 7 drinks a lot, has lost 4 kg and wets the bed again; her breath smells of fruit.",
    "A woman of 29 has double vision in the evening and drooping lids that get better with rest.",
    "A man of 66 who smokes has coughed blood for a month and has a mass in the right upper lobe.",
    "A woman of 45 has pain below the right ribs after fatty meals, fever and a positive Murphy.",
    "A man of 31 back from Ghana has had fever every second day; parasites in the thick film.",
)
DIAGNOSES = (
    ("Inferior STEMI", "Myocardial infarction", "Aortic dissection", "Inferior STEMI"),
    ("Type 1 diabetes", "Diabetic ketoacidosis", "Urinary infection", "Diabetic ketoacidosis"),
    ("Myasthenia gravis", "Multiple sclerosis", "Myasthenia gravis", "Myasthenia gravis"),
    ("Lung cancer", "Tuberculosis", "Lung cancer", "Lung cancer"),
    ("Cholecystitis", "Cholecystitis", "Pancreatitis", "Cholecystitis"),
    ("Malaria", "Malaria", "Dengue fever", "Malaria"),
)
ROWS = tuple(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))


@dataclass(frozen=True)
class Labs:
    """A file as it comes, and of the study proposed for it what must hold: the number of ``items``
    (-1 where any will do), the ``models`` by name or their number (0 for no comparison, -1 where
    any will do), columns ``shown`` and ``hidden``, ``secret`` columns (hidden, since they say which
    model wrote what), ``noted`` words, names of items, whether a model in a text must be told, the
    rows (from 1) with an identifier of a patient. ``otherwise`` are words that make another
    proposal acceptable: it is told, and leads on. ``refused``: it may be refused in these words.
    """

    file: str
    content: bytes
    items: int = -1
    models: frozenset[str] | int = -1
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    gives_away: bool = False
    identified: tuple[int, ...] = ()
    otherwise: tuple[str, ...] = ()
    refused: str = ""


FIRST: dict[str, Callable[[], Labs]] = {}


def first(make: Callable[[], Labs]) -> Callable[[], Labs]:
    """Enter a table of the first set under its function's name."""
    FIRST[make.__name__] = make
    return make


def parquet(columns: dict[str, Any]) -> bytes:
    """Columns as a Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


# -- short diagnoses side by side -----------------------------------------------------------------


@first
def diagnoses_of_three_models_by_name() -> Labs:
    rows = [["case", "vignette", "GPT-4o", "Claude 3.5 Sonnet", "Gemini 1.5 Pro"]]
    rows += [
        [str(at), v, *d[:3]] for at, (v, d) in enumerate(zip(VIGNETTES, DIAGNOSES, strict=True), 1)
    ]
    return Labs(
        "top1.csv",
        lines(rows),
        6,
        frozenset({"GPT-4o", "Claude 3.5 Sonnet", "Gemini 1.5 Pro"}),
        shown=("vignette",),
    )


@first
def top_one_of_models_in_brackets() -> Labs:
    rows = [["ID", "Presentation", "Top-1 (o1)", "Top-1 (DeepSeek-R1)", "Final dx"]]
    rows += [
        [f"C{at}", v, d[0], d[1], d[3]]
        for at, (v, d) in enumerate(zip(VIGNETTES, DIAGNOSES, strict=True))
    ]
    return Labs("dx.xlsx", sheet(rows), 6, 2, shown=("Presentation",), hidden=("Final dx",))


@first
def diagnoses_by_letter_with_gold() -> Labs:
    rows = [["case_id", "history", "dx_A", "dx_B", "dx_C", "gold_dx"]]
    rows += [
        [f"{at:03}", v, *d] for at, (v, d) in enumerate(zip(VIGNETTES, DIAGNOSES, strict=True), 1)
    ]
    return Labs(
        "dx.csv", lines(rows), 6, 3, shown=("history",), hidden=("gold_dx",), names=("001",)
    )


@first
def diagnoses_of_three_models_in_german() -> Labs:
    rows = [["Fall", "Vignette", "Diagnose ChatGPT", "Diagnose Llama", "Diagnose Mistral", "Ziel"]]
    rows += [[at, v, *d] for at, (v, d) in enumerate(zip(VIGNETTES, DIAGNOSES, strict=True), 1)]
    return Labs(
        "diagnosen.xlsx",
        sheet(rows),
        6,
        frozenset({"ChatGPT", "Llama", "Mistral"}),
        shown=("Vignette",),
        hidden=("Ziel",),
    )


@first
def predictions_under_slugs_of_models() -> Labs:
    rows = [["id", "note", "gpt4o_pred", "medgemma_27b_pred", "llama3_70b_pred", "label"]]
    rows += [[f"n{at}", v, *d] for at, (v, d) in enumerate(zip(VIGNETTES, DIAGNOSES, strict=True))]
    return Labs("preds.csv", lines(rows), 6, 3, shown=("note",), hidden=("label",))


@first
def yes_and_no_of_two_models_beside_each_other() -> Labs:
    said = ("Yes", "No", "No", "Yes", "Yes", "No")
    rows = [["pmid", "Question", "GPT-4 answer", "Mixtral answer", "truth"]]
    rows += [
        [31000000 + at, v, said[at], said[-at - 1], said[at]] for at, v in enumerate(VIGNETTES)
    ]
    return Labs("pubmed.csv", lines(rows), 6, 2, shown=("Question",), hidden=("truth",))


@first
def ranked_diagnoses_of_one_model() -> Labs:
    rows = [["case", "vignette", "Dx 1", "Dx 2", "Dx 3", "Correct diagnosis"]]
    rows += [[at, v, *d] for at, (v, d) in enumerate(zip(VIGNETTES, DIAGNOSES, strict=True), 1)]
    return Labs(
        "ranked.csv",
        lines(rows),
        6,
        shown=("vignette",),
        hidden=("Correct diagnosis",),
    )


@first
def triage_levels_by_model_with_doctors() -> Labs:
    rows = [["Nr", "Anamnese", "GPT-4 Triage", "Claude Triage", "Triage Arzt"]]
    rows += [[at, v, 1 + at % 5, 1 + (at + 1) % 5, 1 + at % 4] for at, v in enumerate(VIGNETTES)]
    return Labs("triage.xlsx", sheet(rows), 6, 3, shown=("Anamnese",))


# -- a column for each model, under odd headings ---------------------------------------------------


@first
def slugs_with_resp() -> Labs:
    rows = [["qid", "q", "gpt4o_resp", "llama3_70b_resp", "med42_resp"]]
    rows += [[f"q{at}", *row] for at, row in enumerate(ROWS)]
    return Labs("resp.csv", lines(rows), 4, 3, shown=("q",))


@first
def ours_and_baseline() -> Labs:
    rows = [["#", "Patient question", "Response (ours)", "Response (baseline)", "Notes"]]
    rows += [[at, q, a, b, ""] for at, (q, a, b, _) in enumerate(ROWS, 1)]
    return Labs("ours.csv", lines(rows), 4, 2, shown=("Patient question",))


@first
def models_by_number_in_german() -> Labs:
    rows = [["Frage-ID", "Frage", "Modell 1", "Modell 2", "Modell 3"]]
    rows += [[f"F-{at}", *row] for at, row in enumerate(ROWS, 1)]
    return Labs("modelle.csv", lines(rows, ";", "utf-8-sig"), 4, 3, shown=("Frage",))


@first
def a_chatbot_and_a_senior_physician() -> Labs:
    rows = [["Nr.", "Anfrage der Patientin", "Chatbot", "Oberärztin"]]
    rows += [[at, q, a, b] for at, (q, a, b, _) in enumerate(ROWS, 1)]
    return Labs("anfragen.csv", lines(rows, ";", "latin-1"), 4, 2, shown=("Anfrage der Patientin",))


@first
def summaries_of_a_physician_and_a_model() -> Labs:
    rows = [["hadm_id", "discharge_note", "summary_physician", "summary_llm"]]
    rows += [[20000000 + at, q * 3, a, b] for at, (q, a, b, _) in enumerate(ROWS)]
    return Labs("mimic.csv", lines(rows), 4, 2, shown=("discharge_note",))


@first
def promptfoo_output_with_verdicts() -> Labs:
    rows = [
        [
            "question",
            "[openai:gpt-4o] Answer briefly: {{question}}",
            "[anthropic:claude-3-5-sonnet] Answer briefly: {{question}}",
        ]
    ]
    rows += [[q, f"[PASS] {a}", f"[FAIL] {b}"] for q, a, b, _ in ROWS]
    return Labs("output.csv", lines(rows), 4, 2, shown=("question",))


@first
def headings_in_two_lines_and_capitals() -> Labs:
    rows = [["CASE\nID", "CLINICAL\nQUESTION", "CHATGPT-4\nRESPONSE", "DR. GOOGLE\nRESPONSE"]]
    rows += [[at, q, a, b] for at, (q, a, b, _) in enumerate(ROWS, 1)]
    return Labs("caps.xlsx", sheet(rows), 4, 2)


@first
def answers_with_their_references_beside_each() -> Labs:
    rows = [
        ["id", "Question", "OpenEvidence answer", "OpenEvidence refs", "GPT-4 answer", "GPT-4 refs"]
    ]
    rows += [
        [at, q, a, "PMID 31000001; PMID 31000002", b, "PMID 29000001"]
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs("refs.csv", lines(rows), 4, 2, shown=("Question",))


@first
def words_and_seconds_beside_each_answer() -> Labs:
    rows = [
        [
            "no",
            "question",
            "gemini",
            "gemini_words",
            "gemini_seconds",
            "copilot",
            "copilot_words",
            "copilot_seconds",
        ]
    ]
    rows += [
        [at, q, a, len(a.split()), 2.5 + at, b, len(b.split()), 3.25]
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs(
        "bots.csv",
        lines(rows),
        4,
        2,
        shown=("question",),
        secret=("gemini_words", "gemini_seconds", "copilot_words", "copilot_seconds"),
    )


# -- rows of models --------------------------------------------------------------------------------


@first
def tumour_board_with_merged_cases() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Fälle")
        only.merge_range(0, 0, 0, 3, "Tumorboard 2025 – Empfehlungen der KI-Systeme")
        only.write_row(2, 0, ["Fall", "Fragestellung", "KI-System", "Empfehlung"])
        for at, (q, *answers) in enumerate(ROWS):
            top = 3 + at * 3
            only.merge_range(top, 0, top + 2, 0, at + 1)
            only.merge_range(top, 1, top + 2, 1, q)
            for down, (model, answer) in enumerate(
                zip(("GPT-4", "Gemini", "Med-PaLM 2"), answers, strict=True)
            ):
                only.write_row(top + down, 2, [model, answer])

    return Labs(
        "board.xlsx",
        book(write),
        4,
        frozenset({"GPT-4", "Gemini", "Med-PaLM 2"}),
        shown=("Fragestellung", "Empfehlung"),
        secret=("KI-System",),
        noted=("[Mm]erged",),
    )


@first
def a_generator_column_in_rows() -> Labs:
    rows = [
        json_row
        for at, (q, a, b, _) in enumerate(ROWS)
        for json_row in (
            {"instruction": q, "output": a, "generator": "gpt4_turbo", "dataset": "helpful_base"},
            {"instruction": q, "output": b, "generator": "vicuna-13b", "dataset": "helpful_base"},
        )
    ]
    return Labs(
        "outputs.json",
        json.dumps(rows, indent=1).encode(),
        4,
        frozenset({"gpt4_turbo", "vicuna-13b"}),
        shown=("instruction", "output"),
        secret=("generator",),
    )


@first
def code_numbers_of_systems_with_a_key_on_a_second_sheet() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        main = made.add_worksheet("Daten")
        main.write_row(0, 0, ["Fall", "Frage", "System", "Antwort"])
        row = 1
        for at, (q, *answers) in enumerate(ROWS, 1):
            for system, answer in enumerate(answers, 1):
                main.write_row(row, 0, [at, q, system, answer])
                row += 1
        key = made.add_worksheet("Schlüssel")
        key.write_row(0, 0, ["System", "Name"])
        for at, name in enumerate(("GPT-4o", "Claude", "Gemini"), 1):
            key.write_row(at, 0, [at, name])

    return Labs(
        "systeme.xlsx",
        book(write),
        4,
        3,
        shown=("Frage", "Antwort"),
        secret=("System",),
        noted=("Schlüssel",),
    )


@first
def a_sheet_for_each_model() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        for model, at in (("GPT-4", 1), ("Claude", 2), ("Gemini", 3)):
            page = made.add_worksheet(model)
            page.write_row(0, 0, ["ID", "Question", "Answer"])
            for down, row in enumerate(ROWS, 1):
                page.write_row(down, 0, [down, row[0], row[at]])

    return Labs(
        "models.xlsx",
        book(write),
        4,
        3,
        shown=("Question", "Answer"),
        otherwise=("Claude",),
    )


@first
def arena_battles_with_models_that_change() -> Labs:
    names = ("gpt-4o", "claude-3-opus", "llama-3-70b", "gemini-pro")
    rows = [
        {
            "question_id": f"b{at:04x}",
            "model_a": names[at],
            "model_b": names[(at + 1) % 4],
            "winner": ("model_a", "model_b", "tie", "tie (bothbad)")[at],
            "judge": "arena_user_12",
            "conversation_a": [
                {"role": "user", "content": q},
                {"role": "assistant", "content": a},
            ],
            "conversation_b": [
                {"role": "user", "content": q},
                {"role": "assistant", "content": b},
            ],
            "turn": 1,
            "tstamp": 1682351591.1,
        }
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs(
        "battles.jsonl",
        json_lines(rows),
        4,
        2,
        hidden=("winner", "judge"),
        secret=("model_a", "model_b"),
    )


@first
def preference_pairs_with_models_and_scores() -> Labs:
    rows = [
        {
            "prompt": q,
            "chosen": [{"role": "user", "content": q}, {"role": "assistant", "content": a}],
            "rejected": [{"role": "user", "content": q}, {"role": "assistant", "content": b}],
            "chosen-model": "gpt-4",
            "rejected-model": "alpaca-7b",
            "chosen-rating": 5.0,
            "rejected-rating": 2.0,
            "source": "evol_instruct",
        }
        for q, a, b, _ in ROWS
    ]
    return Labs(
        "orca_dpo.jsonl",
        json_lines(rows),
        4,
        2,
        shown=("prompt",),
        hidden=("chosen-rating", "rejected-rating"),
        secret=("chosen-model", "rejected-model"),
    )


@first
def ultrafeedback_completions() -> Labs:
    rows = [
        {
            "source": "truthful_qa",
            "instruction": q,
            "models": ["gpt-4", "llama-2-7b-chat", "wizardlm-13b"],
            "completions": [
                {"model": m, "response": r, "overall_score": 6.5, "critique": "Good but terse."}
                for m, r in zip(("gpt-4", "llama-2-7b-chat", "wizardlm-13b"), rest, strict=True)
            ],
            "correct_answers": ["None"],
            "incorrect_answers": ["None"],
        }
        for q, *rest in ROWS
    ]
    return Labs(
        "ultra.jsonl",
        json_lines(rows),
        4,
        frozenset({"gpt-4", "llama-2-7b-chat", "wizardlm-13b"}),
        shown=("instruction",),
        hidden=("correct_answers", "incorrect_answers"),
        secret=("models",),
    )


@first
def alpaca_eval_annotations() -> Labs:
    rows = [
        {
            "instruction": q,
            "output_1": a,
            "generator_1": "text_davinci_003",
            "output_2": b,
            "generator_2": "med-alpaca",
            "annotator": "weighted_gpt4",
            "preference": 1.2,
        }
        for q, a, b, _ in ROWS
    ]
    return Labs(
        "annotations.json",
        json.dumps(rows).encode(),
        4,
        2,
        shown=("instruction",),
        hidden=("preference", "annotator"),
        secret=("generator_1", "generator_2"),
    )


# -- references under odd names --------------------------------------------------------------------


@first
def rationale_in_german() -> Labs:
    rows = [["ID", "Frage", "Antwort", "Begründung", "Richtige Lösung", "Erläuterung"]]
    rows += [[at, q, a, b, c, a] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "fragen.csv",
        lines(rows, ";"),
        4,
        shown=("Frage", "Antwort"),
        hidden=("Begründung", "Richtige Lösung", "Erläuterung"),
    )


@first
def rationale_in_spanish() -> Labs:
    rows = [["n.º", "Pregunta", "Respuesta", "Justificación", "Razonamiento", "Clave"]]
    rows += [[at, q, a, b, c, "A"] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "preguntas.csv",
        lines(rows),
        4,
        shown=("Pregunta", "Respuesta"),
        hidden=("Justificación", "Razonamiento", "Clave"),
    )


@first
def rationale_in_french() -> Labs:
    rows = [["N°", "Question", "Réponse", "Corrigé", "Justification", "Commentaire du relecteur"]]
    rows += [[at, q, a, b, c, "à revoir"] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "qcm.csv",
        lines(rows, ";", "cp1252"),
        4,
        shown=("Question", "Réponse"),
        hidden=("Corrigé", "Justification", "Commentaire du relecteur"),
    )


@first
def rationale_under_odd_english_names() -> Labs:
    rows = [["uid", "stem", "response", "why_correct", "gold_answer", "expert_rationale", "level"]]
    rows += [[f"u{at}", q, a, b, c, b, "hard"] for at, (q, a, b, c) in enumerate(ROWS)]
    return Labs(
        "bank.csv",
        lines(rows),
        4,
        shown=("stem", "response"),
        hidden=("why_correct", "gold_answer", "expert_rationale"),
    )


@first
def reasoning_and_chain_of_thought_of_the_model() -> Labs:
    rows = [
        {"id": at, "question": q, "cot": b, "final_answer": a, "expected": c, "is_correct": True}
        for at, (q, a, b, c) in enumerate(ROWS)
    ]
    return Labs(
        "cot.jsonl",
        json_lines(rows),
        4,
        shown=("question", "final_answer"),
        hidden=("expected", "is_correct"),
    )


@first
def medmcqa() -> Labs:
    rows = [
        {
            "id": f"e9ad821a-{at}",
            "question": q,
            "opa": "Ibuprofen",
            "opb": "Paracetamol",
            "opc": "Aspirin",
            "opd": "None of them",
            "cop": 2,
            "choice_type": "single",
            "exp": a,
            "subject_name": "Pharmacology",
            "topic_name": None,
        }
        for at, (q, a, _, _) in enumerate(ROWS)
    ]
    return Labs(
        "medmcqa.json",
        json_lines(rows),
        4,
        shown=("question", "opa", "opb", "opc", "opd"),
        hidden=("cop", "exp"),
    )


@first
def pubmedqa() -> Labs:
    rows = {
        str(21645374 + at): {
            "QUESTION": q,
            "CONTEXTS": [a, b],
            "LABELS": ["BACKGROUND", "RESULTS"],
            "MESHES": ["Adult", "Humans"],
            "YEAR": "2011",
            "reasoning_required_pred": "yes",
            "final_decision": "yes",
            "LONG_ANSWER": c,
        }
        for at, (q, a, b, c) in enumerate(ROWS)
    }
    return Labs(
        "ori_pqal.json",
        json.dumps(rows, indent=2).encode(),
        4,
        shown=("QUESTION",),
        hidden=("final_decision",),
        names=("21645374",),
    )


@first
def answer_keys_beside_options_in_columns() -> Labs:
    rows = [["Q#", "Question", "A", "B", "C", "D", "Key", "Explanation", "ChatGPT choice"]]
    rows += [
        [at, q, "Aspirin", "Warfarin", "Apixaban", "None", "B", a, "C"]
        for at, (q, a, _, _) in enumerate(ROWS, 1)
    ]
    return Labs(
        "board.csv",
        lines(rows),
        4,
        shown=("Question",),
        hidden=("Key", "Explanation"),
    )


# -- spreadsheets ----------------------------------------------------------------------------------


@first
def models_over_answer_and_confidence() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Sheet1")
        only.merge_range(0, 0, 1, 0, "Case")
        only.merge_range(0, 1, 1, 1, "Question")
        only.merge_range(0, 2, 0, 3, "GPT-4o")
        only.merge_range(0, 4, 0, 5, "Claude 3 Opus")
        only.write_row(1, 2, ["Answer", "Confidence (%)", "Answer", "Confidence (%)"])
        for at, (q, a, b, _) in enumerate(ROWS):
            only.write_row(at + 2, 0, [at + 1, q, a, 80 + at, b, 70 + at])

    return Labs(
        "twohead.xlsx", book(write), 4, frozenset({"GPT-4o", "Claude 3 Opus"}), shown=("Question",)
    )


@first
def a_logo_block_above_the_header() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Auswertung")
        only.merge_range(0, 0, 0, 4, "Universitätsklinikum – Klinik für Innere Medizin")
        only.write(1, 0, "Projekt:")
        only.write(1, 1, "KI-Arztbriefe")
        only.write(2, 0, "Stand:")
        only.write_datetime(2, 1, datetime(2025, 3, 12), made.add_format({"num_format": "d.m.yy"}))
        only.write_row(5, 0, ["lfd. Nr.", "Frage", "Antwort Modell A", "Antwort Modell B"])
        for at, (q, a, b, _) in enumerate(ROWS):
            only.write_row(at + 6, 0, [at + 1, q, a, b])
        only.write(12, 0, "Erstellt von: Dr. K. Beispiel, Stand 12.03.2025")

    return Labs(
        "auswertung.xlsx",
        book(write),
        4,
        frozenset({"Modell A", "Modell B"}),
        shown=("Frage",),
    )


@first
def a_hidden_column_of_models_and_filtered_rows() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Data")
        only.write_row(0, 0, ["Case", "Question", "Source", "Reply"])
        row = 1
        for at, (q, a, b, _) in enumerate(ROWS, 1):
            for source, answer in (("ChatGPT", a), ("Physician", b)):
                only.write_row(row, 0, [at, q, source, answer])
                row += 1
        only.autofilter(0, 0, 8, 3)
        only.filter_column(0, "x < 4")
        only.set_row(7, None, None, {"hidden": True})
        only.set_row(8, None, None, {"hidden": True})
        only.set_column(2, 2, None, None, {"hidden": True})

    return Labs(
        "filtered.xlsx",
        book(write),
        4,
        frozenset({"ChatGPT", "Physician"}),
        shown=("Question", "Reply"),
        secret=("Source",),
        noted=("hidden|filter", "column.*hidden|hidden column"),
    )


@first
def padded_numbers_and_dates_of_visits() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Export")
        only.write_row(0, 0, ["PatNr", "Aufnahme", "Text", "HbA1c", "Anteil"])
        padded = made.add_format({"num_format": "0000000"})
        day = made.add_format({"num_format": "dd.mm.yyyy"})
        share = made.add_format({"num_format": "0 %"})
        for at, (_, a, _, _) in enumerate(ROWS):
            only.write_number(at + 1, 0, 4711 + at, padded)
            only.write_datetime(at + 1, 1, datetime(2024, 2, 1 + at), day)
            only.write_string(at + 1, 2, a)
            only.write_number(at + 1, 3, 6.5 + at / 10)
            only.write_number(at + 1, 4, 0.25 * at, share)

    return Labs("export.xlsx", book(write), 4, shown=("Text",), names=("0004711",))


@first
def sixteen_digits_as_text_and_as_numbers() -> Labs:
    rows = [["Kartennummer", "Freitext"]]
    rows += [[f"400000000000000{at}", q] for at, (q, *_) in enumerate(ROWS)]
    return Labs("karten.xlsx", sheet(rows), 4, names=("4000000000000003",))


@first
def means_and_standard_deviations_below() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Results")
        only.write_row(0, 0, ["Case", "Question", "Answer", "Score 1", "Score 2"])
        for at, (q, a, _, _) in enumerate(ROWS, 1):
            only.write_row(at, 0, [at, q, a, 3 + at % 2, 4])
        only.write(5, 0, "Mean")
        only.write_formula(5, 3, "=AVERAGE(D2:D5)", None, 3.5)
        only.write_formula(5, 4, "=AVERAGE(E2:E5)", None, 4)
        only.write(6, 0, "SD")
        only.write_formula(6, 3, "=STDEV(D2:D5)", None, 0.58)
        only.write_formula(6, 4, "=STDEV(E2:E5)", None, 0)
        only.write(7, 0, "n")
        only.write_formula(7, 3, "=COUNT(D2:D5)", None, 4)

    return Labs(
        "results.xlsx",
        book(write),
        4,
        shown=("Question", "Answer"),
        hidden=("Score 1", "Score 2"),
        noted=("Mean|sums|means",),
    )


@first
def a_total_of_formulas_without_values() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Punkte")
        only.write_row(0, 0, ["Nr", "Frage", "Antwort", "Punkte"])
        for at, (q, a, _, _) in enumerate(ROWS, 1):
            only.write_row(at, 0, [at, q, a, at])
        only.write(5, 0, "Gesamt")
        only.write_formula(5, 3, "=SUM(D2:D5)", None, "")

    return Labs(
        "punkte.xlsx",
        book(write),
        4,
        shown=("Frage", "Antwort"),
        hidden=("Punkte",),
        noted=("Gesamt|sum",),
    )


@first
def errors_among_the_answers() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Sheet1")
        only.write_row(0, 0, ["ID", "Question", "GPT answer", "Llama answer"])
        for at, (q, a, b, _) in enumerate(ROWS, 1):
            only.write_row(at, 0, [at, q, a, b])
        only.write_formula(2, 3, "=VLOOKUP(A3,Other!A:B,2,0)", None, "#N/A")
        only.write_formula(3, 2, "=-Paracetamol is preferred", None, "#NAME?")

    return Labs(
        "errors.xlsx", book(write), models=2, shown=("Question",), noted=("error",), items=4
    )


@first
def a_readme_a_codebook_and_the_answers() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        read = made.add_worksheet("README")
        for at in range(30):
            read.write(at, 0, f"Line {at}: this workbook holds the answers that we rated in 2024.")
        codes = made.add_worksheet("Codebook")
        codes.write_row(0, 0, ["Variable", "Label", "Values"])
        for at in range(40):
            codes.write_row(
                at + 1, 0, [f"var_{at}", f"What the variable {at} means", "0 no, 1 yes"]
            )
        main = made.add_worksheet("Answers")
        main.write_row(0, 0, ["ID", "Question", "Answer"])
        for at, (q, a, _, _) in enumerate(ROWS, 1):
            main.write_row(at, 0, [f"A{at}", q, a])

    return Labs(
        "three.xlsx",
        book(write),
        4,
        shown=("Question", "Answer"),
        names=("A1",),
        otherwise=("Answers",),
    )


@first
def columns_without_a_heading_and_empty_ones() -> Labs:
    rows: list[list[Any]] = [["", "Question", "", "Answer", "", ""]]
    rows += [
        [f"k{at}", q, "", a, "", "check" if at == 2 else ""] for at, (q, a, *_) in enumerate(ROWS)
    ]
    return Labs("gaps.xlsx", sheet(rows), 4, shown=("Question", "Answer"))


@first
def units_of_laboratory_values_in_a_second_row() -> Labs:
    rows: list[list[Any]] = [
        ["Probe", "Befundtext", "Natrium", "Kalium", "Kreatinin"],
        ["", "", "mmol/l", "mmol/l", "mg/dl"],
    ]
    rows += [[f"P{at}", a, 138 + at, 4.1, 0.9 + at / 10] for at, (_, a, *_) in enumerate(ROWS)]
    return Labs("labor.csv", lines(rows, ";"), 4, shown=("Befundtext",), noted=("row 2|unit",))


@first
def two_tables_on_one_sheet() -> Labs:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Sheet1")
        only.write_row(0, 0, ["ID", "Question", "Answer"])
        for at, (q, a, _, _) in enumerate(ROWS, 1):
            only.write_row(at, 0, [at, q, a])
        only.write_row(7, 0, ["Rater", "Hospital"])
        only.write_row(8, 0, ["R1", "Bern"])
        only.write_row(9, 0, ["R2", "Wien"])

    return Labs(
        "two.xlsx", book(write), 4, shown=("Question", "Answer"), otherwise=("left out|row 8",)
    )


# -- delimited text --------------------------------------------------------------------------------


@first
def sep_line_bom_and_semicolons() -> Labs:
    rows = [["Nr", "Frage", "Antwort GPT-4o", "Antwort Mistral"]]
    rows += [[at, q, a + "\n\n– " + a, b] for at, (q, a, b, _) in enumerate(ROWS, 1)]
    return Labs(
        "sep.csv",
        b"\xef\xbb\xbfsep=;\r\n" + lines(rows, ";"),
        4,
        frozenset({"GPT-4o", "Mistral"}),
        shown=("Frage",),
    )


@first
def tabs_in_a_txt_of_latin_1() -> Labs:
    rows = [["Schlüssel", "Patientenfrage", "Entwurf der KI"]]
    rows += [[f"ü{at}", q, a] for at, (q, a, *_) in enumerate(ROWS)]
    return Labs(
        "entwuerfe.txt",
        lines(rows, "\t", "latin-1"),
        4,
        shown=("Patientenfrage", "Entwurf der KI"),
        names=("ü0",),
        refused="csv|tsv|CSV",
    )


@first
def ragged_rows_short_and_long() -> Labs:
    text = "id,question,answer,comment\n"
    for at, (q, a, *_) in enumerate(ROWS):
        text += f'{at},"{q}","{a}"' + (",seen,,\n" if at == 1 else "\n")
    return Labs("ragged.csv", text.encode(), 4, shown=("question", "answer"), refused="row|line")


@first
def a_comma_that_nobody_quoted() -> Labs:
    text = "id,question,answer\n"
    for at, (q, a, *_) in enumerate(ROWS):
        text += f"{at},{q},{a}\n"
    return Labs("unquoted.csv", text.encode(), 4, refused="line|row", otherwise=("cells|quot",))


@first
def comment_lines_of_a_tool() -> Labs:
    text = (
        "# exported by evaltool 3.2\n# 2025-02-01, seed 7\n"
        + lines(
            [["id", "question", "answer"], *([at, q, a] for at, (q, a, *_) in enumerate(ROWS))]
        ).decode()
    )
    return Labs("comments.csv", text.encode(), 4, shown=("question", "answer"))


@first
def a_delimiter_at_each_line_s_end() -> Labs:
    rows = [["Nr", "Frage", "Antwort", "Zeit (s)", ""]]
    rows += [[at, q, a, f"{2 + at},5", ""] for at, (q, a, *_) in enumerate(ROWS, 1)]
    return Labs("ende.csv", lines(rows, ";"), 4, shown=("Frage", "Antwort"), hidden=("Zeit (s)",))


# -- survey and crowd tools ------------------------------------------------------------------------


@first
def mechanical_turk_results() -> Labs:
    rows = [
        [
            "HITId",
            "HITTypeId",
            "Title",
            "AssignmentId",
            "WorkerId",
            "AssignmentStatus",
            "AcceptTime",
            "WorkTimeInSeconds",
            "Input.question",
            "Input.answer",
            "Answer.rating",
            "Approve",
            "Reject",
        ]
    ]
    for at, (q, a, *_) in enumerate(ROWS):
        for worker in range(2):
            rows.append(
                [
                    f"3HIT{at}",
                    "3TYPE",
                    "Rate an answer",
                    f"3ASG{at}{worker}",
                    f"A{worker}WORKER",
                    "Submitted",
                    "Mon Mar 03 09:12:11 PST 2025",
                    "44",
                    q,
                    a,
                    str(3 + worker),
                    "",
                    "",
                ]
            )
    return Labs(
        "Batch_5078.csv",
        lines(rows),
        4,
        shown=("Input.question", "Input.answer"),
        hidden=("WorkerId", "Answer.rating", "AssignmentId", "HITTypeId"),
        otherwise=("there twice|more than once|same",),
    )


@first
def surveymonkey_two_header_rows() -> Labs:
    rows = [
        [
            "Respondent ID",
            "Collector ID",
            "Start Date",
            "IP Address",
            "Email Address",
            "Describe the case in your words",
            "What did the chatbot answer?",
            "How good was it?",
        ],
        ["", "", "", "", "", "Open-Ended Response", "Open-Ended Response", "Response"],
    ]
    rows += [
        [f"1182{at}", "4011", "03/01/2025", "10.0.0.1", "", q, a, "Good"]
        for at, (q, a, *_) in enumerate(ROWS)
    ]
    return Labs(
        "monkey.csv",
        lines(rows),
        4,
        shown=("Describe the case in your words", "What did the chatbot answer?"),
        hidden=("IP Address", "Collector ID"),
        names=("11820",),
        otherwise=("Open-Ended",),
    )


@first
def limesurvey_in_german() -> Labs:
    rows = [
        [
            "Antwort ID",
            "Datum Abgeschickt",
            "Letzte Seite",
            "Start-Sprache",
            "Zufallsstartwert",
            "G1Q01. Schildern Sie den Fall",
            "G1Q02. Was hat die KI geantwortet?",
        ]
    ]
    rows += [
        [at, "2025-03-01 10:00:00", 3, "de", 99182311, q, a]
        for at, (q, a, *_) in enumerate(ROWS, 1)
    ]
    return Labs(
        "results-survey.csv",
        lines(rows, ";", "utf-8-sig"),
        4,
        shown=("G1Q01. Schildern Sie den Fall", "G1Q02. Was hat die KI geantwortet?"),
        names=("1",),
    )


@first
def qualtrics_with_contacts() -> Labs:
    rows = [
        ["StartDate", "EndDate", "Status", "IPAddress", "ResponseId", "RecipientEmail", "Q1", "Q2"],
        [
            "Start Date",
            "End Date",
            "Response Type",
            "IP Address",
            "Response ID",
            "Recipient Email",
            "Paste the patient's message",
            "Paste the reply of the assistant",
        ],
        [json.dumps({"ImportId": f"QID{at}"}) for at in range(8)],
    ]
    rows += [
        ["2025-02-01 10:00", "2025-02-01 10:09", "0", "10.0.0.9", f"R_{at}", "a@b.example", q, a]
        for at, (q, a, *_) in enumerate(ROWS)
    ]
    return Labs(
        "quali.csv",
        lines(rows),
        4,
        shown=("Q1", "Q2"),
        hidden=("IPAddress", "RecipientEmail"),
        names=("R_0",),
        noted=("Qualtrics|rows? 2",),
    )


@first
def redcap_with_events_and_complete_flags() -> Labs:
    rows = [
        [
            "record_id",
            "redcap_event_name",
            "redcap_data_access_group",
            "vignette",
            "gpt_answer",
            "gemini_answer",
            "symptoms___1",
            "symptoms___2",
            "case_complete",
        ]
    ]
    rows += [
        [at, "baseline_arm_1", "bern", q, a, b, at % 2, 1, 2]
        for at, (q, a, b, _) in enumerate(ROWS, 1)
    ]
    return Labs("redcap.csv", lines(rows), 4, 2, shown=("vignette",))


@first
def google_form_in_german() -> Labs:
    rows = [
        [
            "Zeitstempel",
            "Nutzername",
            "Bitte beschreiben Sie den Fall",
            "Welche Symptome lagen vor?",
            "Antwort des Chatbots",
        ]
    ]
    rows += [
        [f"2025/03/0{at + 1} 9:12:01 AM OEZ", f"arzt{at}@klinik.example", q, "Fieber;Husten", a]
        for at, (q, a, *_) in enumerate(ROWS)
    ]
    return Labs(
        "formular.csv",
        lines(rows),
        4,
        shown=("Bitte beschreiben Sie den Fall", "Antwort des Chatbots"),
        hidden=("Zeitstempel", "Nutzername"),
    )


@first
def label_studio_as_csv() -> Labs:
    rows = [["annotation_id", "annotator", "created_at", "id", "lead_time", "quality", "text"]]
    rows += [
        [100 + at, 2, "2025-01-01T10:00:00Z", at, 12.4, "good", a]
        for at, (_, a, *_) in enumerate(ROWS, 1)
    ]
    return Labs(
        "project-7.csv",
        lines(rows),
        4,
        shown=("text",),
        hidden=("annotator", "lead_time", "quality"),
        names=("1",),
    )


# -- model tools -----------------------------------------------------------------------------------


@first
def pandas_json_by_columns() -> Labs:
    whole = {
        "question": {str(at): q for at, (q, *_) in enumerate(ROWS)},
        "gpt4_answer": {str(at): a for at, (_, a, *_) in enumerate(ROWS)},
        "claude_answer": {str(at): b for at, (_, _, b, _) in enumerate(ROWS)},
    }
    return Labs("df.json", json.dumps(whole).encode(), 4, 2, shown=("question",))


@first
def pandas_json_split() -> Labs:
    whole = {
        "columns": ["question", "answer", "reference"],
        "index": list(range(4)),
        "data": [[q, a, b] for q, a, b, _ in ROWS],
    }
    return Labs(
        "split.json",
        json.dumps(whole).encode(),
        4,
        shown=("question", "answer"),
        hidden=("reference",),
    )


@first
def responses_by_model_with_their_tokens() -> Labs:
    rows = [
        {
            "id": f"r{at}",
            "query": q,
            "responses": {
                "gpt-4o": {"text": a, "tokens": 120, "latency_ms": 900},
                "llama-3.1-70b": {"text": b, "tokens": 220, "latency_ms": 1900},
            },
        }
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs(
        "resp.json",
        json.dumps(rows, indent=2).encode(),
        4,
        frozenset({"gpt-4o", "llama-3.1-70b"}),
        shown=("query",),
    )


@first
def anthropic_batch_results() -> Labs:
    rows = [
        {
            "custom_id": f"case-{at}",
            "result": {
                "type": "succeeded",
                "message": {
                    "id": f"msg_{at}",
                    "type": "message",
                    "role": "assistant",
                    "model": "claude-3-5-sonnet-20241022",
                    "content": [{"type": "text", "text": a}],
                    "stop_reason": "end_turn",
                    "usage": {"input_tokens": 11, "output_tokens": 36},
                },
            },
        }
        for at, (_, a, *_) in enumerate(ROWS)
    ]
    return Labs(
        "batch.jsonl",
        json_lines(rows),
        4,
        secret=("result.message.model", "model"),
        names=("case-0",),
    )


@first
def langsmith_runs() -> Labs:
    rows = [
        {
            "id": f"0b1e-{at}",
            "inputs.question": q,
            "outputs.answer": a,
            "reference_outputs.answer": b,
            "feedback.correctness": 1.0,
            "execution_time": 2.31,
            "error": None,
        }
        for at, (q, a, b, _) in enumerate(ROWS)
    ]
    return Labs(
        "runs.jsonl",
        json_lines(rows),
        4,
        shown=("inputs.question", "outputs.answer"),
        hidden=("reference_outputs.answer", "feedback.correctness", "execution_time"),
    )


@first
def lm_eval_samples_with_filters() -> Labs:
    rows = [
        {
            "doc_id": at,
            "doc": {"question": q, "options": {"A": "yes", "B": "no"}, "answer": "A"},
            "target": "A",
            "arguments": {"gen_args_0": {"arg_0": "Q: " + q, "arg_1": {"until": ["\n"]}}},
            "resps": [[a]],
            "filtered_resps": [a],
            "filter": which,
            "exact_match": 1.0,
            "doc_hash": "ab12",
        }
        for at, (q, a, *_) in enumerate(ROWS)
        for which in ("strict-match", "flexible-extract")
    ]
    return Labs("samples_medqa.jsonl", json_lines(rows), 4, hidden=("target", "exact_match"))


@first
def struct_of_models_in_parquet() -> Labs:
    return Labs(
        "answers.parquet",
        parquet(
            {
                "qid": [1, 2, 3, 4],
                "question": list(QUESTIONS),
                "answers": [
                    {"gpt_4o": a, "llama_3": b} for a, b in zip(ANSWERS, OTHERS, strict=True)
                ],
                "meta": [{"split": "test", "license": "mit"}] * 4,
            }
        ),
        4,
        2,
        shown=("question",),
    )


@first
def parquet_with_an_index_and_options() -> Labs:
    return Labs(
        "mmlu.parquet",
        parquet(
            {
                "question": list(QUESTIONS),
                "subject": ["anatomy"] * 4,
                "choices": [["a nerve", "a vein", "a bone", "a muscle"]] * 4,
                "answer": [0, 1, 2, 3],
                "__index_level_0__": [11, 12, 13, 14],
            }
        ),
        4,
        shown=("question", "choices"),
        hidden=("answer",),
    )


# -- deep in the table -----------------------------------------------------------------------------


@first
def a_patient_in_row_700() -> Labs:
    rows = [["id", "question", "answer"]]
    for at in range(900):
        q, a, *_ = ROWS[at % 4]
        if at == 699:
            a = "Seen with Frau Dr. Annemarie Huber, born 12.03.1951, phone +41 44 668 18 00."
        rows.append([f"q{at}", f"{at}: {q}", a])
    return Labs("long.csv", lines(rows), 900, shown=("question", "answer"), identified=(700,))


@first
def a_model_named_in_row_700() -> Labs:
    rows = [["id", "question", "Answer A", "Answer B"]]
    for at in range(900):
        q, a, b, _ = ROWS[at % 4]
        if at == 699:
            a = "As ChatGPT, a language model by OpenAI, I cannot give medical advice."
        rows.append([f"q{at}", f"{at}: {q}", a, b])
    return Labs("long.csv", lines(rows), 900, 2, shown=("question",), gives_away=True)


@first
def a_number_of_insurance_in_the_last_row_alone() -> Labs:
    rows = [["id", "letter", "insured"]]
    rows += [[f"b{at}", f"{at} {ANSWERS[at % 4]}", ""] for at in range(500)]
    rows += [["b500", ANSWERS[0], "756.9217.0769.85"]]
    return Labs("briefe.csv", lines(rows, ";"), 501, shown=("letter",), identified=(501,))


@first
def the_same_id_for_two_texts() -> Labs:
    rows = [["id", "question", "answer"]]
    rows += [[min(at, 2), q, a] for at, (q, a, *_) in enumerate(ROWS)]
    return Labs("twice.csv", lines(rows), noted=("there twice|more than once|same|not unique",))


@first
def a_birthday_as_an_excel_date() -> Labs:
    rows: list[list[Any]] = [["Fall", "Geburtsdatum", "Brief"]]

    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Briefe")
        only.write_row(0, 0, rows[0])
        day = made.add_format({"num_format": "dd.mm.yyyy"})
        for at, (_, a, *_) in enumerate(ROWS, 1):
            only.write(at, 0, at)
            only.write_datetime(
                at, 1, datetime.combine(date(1950 + at, 3, 1), datetime.min.time()), day
            )
            only.write(at, 2, a)

    return Labs("briefe.xlsx", book(write), 4, shown=("Brief",), identified=(1,))
