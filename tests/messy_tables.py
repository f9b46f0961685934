"""Tables as clinics, survey tools and model logs hand them over, each with what is right for it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import xlsxwriter

QUESTIONS = (
    "May a woman of 34 in week 12 of pregnancy take ibuprofen for a headache?",
    "When should metformin be stopped in a man of 71 with an eGFR of 28?",
    "Which anticoagulant suits atrial fibrillation after a mechanical valve?",
    "How long should a simple urinary infection in a young woman be treated?",
)
ANSWERS = (
    "Paracetamol is preferred; ibuprofen may be used briefly before week 20 if it must be.",
    "It should be stopped below an eGFR of 30 because lactic acidosis becomes more likely.",
    "A vitamin K antagonist, since direct oral anticoagulants fail with mechanical valves.",
    "Three days of nitrofurantoin or a single dose of fosfomycin are enough for most women.",
)
OTHERS = (
    "Ibuprofen is safe at any time in pregnancy as long as the dose stays under one gram a day.",
    "It can be continued at the usual dose if the kidneys are checked once every few months.",
    "Apixaban, which is as good as warfarin for every kind of valve and needs no monitoring.",
    "Ten days of ciprofloxacin are recommended so that the infection does not come back again.",
)
THIRDS = (
    "Please ask the midwife first; a cold cloth, rest and paracetamol often help well enough.",
    "Stop it now, check lactate if he is unwell, and think of a DPP-4 inhibitor in its place.",
    "Warfarin with a target range that depends on the valve's place, plus aspirin for some.",
    "Usually three to five days, by the drug that is chosen and the resistance where she lives.",
)


@dataclass(frozen=True)
class Messy:
    """A messy file: its bytes and, of the study that is proposed for it, the number of items, the
    models compared, columns that reviewers must or must not see, words of the notes (patterns),
    whether it must be told that models are given away, and names of items; or why
    it is ``refused``.
    """

    file: str
    content: bytes
    items: int
    models: frozenset[str] = frozenset()
    shown: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    noted: tuple[str, ...] = ()
    gives_away: bool = False
    names: tuple[str, ...] = ()
    criteria: tuple[int, ...] = ()
    refused: str = ""


MESSY: dict[str, Callable[[], Messy]] = {}


def messy(make: Callable[[], Messy]) -> Callable[[], Messy]:
    """Enter a table under its function's name."""
    MESSY[make.__name__] = make
    return make


def lines(rows: Sequence[Sequence[Any]], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    """Rows as a delimited file."""
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows)
    return out.getvalue().encode(encoding)


def book(write: Callable[[xlsxwriter.Workbook], None]) -> bytes:
    """A workbook that a function writes."""
    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as made:
        write(made)
    return out.getvalue()


def sheet(rows: Sequence[Sequence[Any]], *, at: int = 0) -> bytes:
    """A workbook of one sheet with these rows."""

    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Tabelle1")
        for row, cells in enumerate(rows, at):
            only.write_row(row, 0, cells)

    return book(write)


def json_lines(rows: Sequence[Any]) -> bytes:
    """One JSON value a line."""
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode()


# -- a column for each model -----------------------------------------------------------------------


@messy
def german_columns_named_after_models() -> Messy:
    rows = [
        ["Fall-Nr.", "Fragestellung", "Antwort von ChatGPT", "Antwort von Gemini", "Musterlösung"]
    ]
    rows += [
        [f"F{at}", *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "faelle.csv",
        lines(rows, ";", "cp1252"),
        4,
        frozenset({"ChatGPT", "Gemini"}),
        shown=("Fragestellung",),
        hidden=("Musterlösung",),
        noted=("Musterlösung",),
        names=("F0",),
    )


@messy
def french_columns_with_the_model_first() -> Messy:
    rows = [
        ["Cas", "Question posée", "GPT-4 – réponse", "Mistral – réponse", "Réponse de référence"]
    ]
    rows += [
        [at + 1, *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "cas.csv",
        lines(rows, ";", "utf-8-sig"),
        4,
        frozenset({"GPT-4", "Mistral"}),
        shown=("Question posée",),
        hidden=("Réponse de référence",),
        names=("1",),
    )


@messy
def spanish_columns_with_models_in_brackets() -> Messy:
    rows = [
        ["id_caso", "Pregunta", "Respuesta (Llama 3)", "Respuesta (Claude)", "Respuesta correcta"]
    ]
    rows += [
        [f"c-{at}", *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "casos.csv",
        lines(rows),
        4,
        frozenset({"Llama 3", "Claude"}),
        shown=("Pregunta",),
        hidden=("Respuesta correcta",),
    )


@messy
def columns_that_are_models_alone() -> Messy:
    rows = [["prompt", "gpt-4o-2024-08-06", "claude-3-5-sonnet", "meta-llama/Llama-3-70b"]]
    rows += list(map(list, zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True)))
    return Messy(
        "outputs.csv",
        lines(rows),
        4,
        frozenset({"gpt-4o-2024-08-06", "claude-3-5-sonnet", "meta-llama Llama-3-70b"}),
        shown=("prompt",),
    )


@messy
def answers_a_and_b_with_models_in_other_columns() -> Messy:
    rows = [["qid", "question", "response_a", "response_b", "model_a", "model_b", "winner"]]
    for at in range(4):
        pair = ("gpt-4", "vicuna-13b") if at % 2 else ("vicuna-13b", "gpt-4")
        rows.append(
            [f"q{at}", QUESTIONS[at], ANSWERS[at], OTHERS[at], *pair, ["a", "b", "tie", "a"][at]]
        )
    return Messy(
        "arena.csv",
        lines(rows),
        4,
        shown=("question",),
        hidden=("model_a", "model_b", "winner"),
    )


@messy
def columns_of_models_with_a_score_each() -> Messy:
    rows = [["Nr", "Frage", "GPT-4o Antwort", "GPT-4o Score", "Llama Antwort", "Llama Score"]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], 4 - at, OTHERS[at], at] for at in range(4)]
    return Messy(
        "scores.xlsx",
        sheet(rows),
        4,
        frozenset({"GPT-4o", "Llama"}),
        shown=("Frage",),
        hidden=("GPT-4o Score", "Llama Score"),
    )


@messy
def two_row_header_of_models_over_parts() -> Messy:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Auswertung")
        only.merge_range(0, 0, 1, 0, "Fall")
        only.merge_range(0, 1, 1, 1, "Frage")
        only.merge_range(0, 2, 0, 3, "GPT-4o")
        only.merge_range(0, 4, 0, 5, "Llama 3")
        only.write_row(1, 2, ["Antwort", "Begründung", "Antwort", "Begründung"])
        for at in range(4):
            only.write_row(
                at + 2, 0, [at + 1, QUESTIONS[at], ANSWERS[at], THIRDS[at], OTHERS[at], THIRDS[-at]]
            )

    return Messy(
        "auswertung.xlsx", book(write), 4, frozenset({"GPT-4o", "Llama 3"}), shown=("Frage",)
    )


@messy
def cover_sheet_title_rows_and_merged_questions() -> Messy:
    def write(made: xlsxwriter.Workbook) -> None:
        cover = made.add_worksheet("Deckblatt")
        cover.write(0, 0, "Pilotstudie KI-Antworten, Stand 3. Mai")
        only = made.add_worksheet("Daten")
        only.merge_range(0, 0, 0, 3, "Übersicht der Antworten – vertraulich")
        only.write_row(2, 0, ["Fall", "Frage", "Modell", "Antwort"])
        for at in range(3):
            only.merge_range(3 + 2 * at, 0, 4 + 2 * at, 0, f"Fall {at + 1}")
            only.merge_range(3 + 2 * at, 1, 4 + 2 * at, 1, QUESTIONS[at])
            only.write_row(3 + 2 * at, 2, ["GPT-4o", ANSWERS[at]])
            only.write_row(4 + 2 * at, 2, ["Med-PaLM", OTHERS[at]])

    return Messy(
        "pilot.xlsx",
        book(write),
        3,
        frozenset({"GPT-4o", "Med-PaLM"}),
        shown=("Frage",),
        noted=("[Mm]erged", "Deckblatt"),
        names=("Fall 1", "Fall 3"),
    )


@messy
def blank_cells_instead_of_merged_ones() -> Messy:
    rows = [["Case", "Question", "Model", "Answer"]]
    for at in range(3):
        rows.append([f"C{at}", QUESTIONS[at], "GPT-4o", ANSWERS[at]])
        rows.append(["", "", "Llama", OTHERS[at]])
    return Messy(
        "grouped.csv",
        lines(rows),
        3,
        frozenset({"GPT-4o", "Llama"}),
        shown=("Question",),
        noted=("empty|blank|filled|row above",),
    )


@messy
def models_written_three_ways() -> Messy:
    rows = [["case", "question", "llm", "output"]]
    for at in range(4):
        rows.append([at, QUESTIONS[at], ["GPT-4o", "gpt-4o", "GPT 4o", "GPT-4o "][at], ANSWERS[at]])
        rows.append([at, QUESTIONS[at], "Llama", OTHERS[at]])
    return Messy(
        "spelling.csv",
        lines(rows),
        4,
        frozenset(),
        shown=("question",),
        hidden=("llm",),
        noted=("gpt-4o|GPT 4o",),
    )


@messy
def two_models_under_a_heading_called_system() -> Messy:
    rows = [["vignette", "system", "completion"]]
    for at in range(4):
        rows.append([QUESTIONS[at], "Command R+", ANSWERS[at]])
        rows.append([QUESTIONS[at], "DeepSeek-R1", OTHERS[at]])
    return Messy(
        "vignettes.csv",
        lines(rows),
        4,
        frozenset({"Command R+", "DeepSeek-R1"}),
        shown=("vignette",),
        hidden=("system",),
    )


@messy
def versions_of_a_prompt_as_arms() -> Messy:
    rows = [["Patient note", "Zusammenfassung v1", "Zusammenfassung v2"]]
    rows += list(map(list, zip(QUESTIONS, ANSWERS, OTHERS, strict=True)))
    return Messy(
        "summaries.csv",
        lines(rows),
        4,
        frozenset({"v1", "v2"}),
        shown=("Patient note",),
    )


@messy
def a_person_and_a_machine_side_by_side() -> Messy:
    rows = [["Nr.", "Befund", "Arztbrief (Mensch)", "Arztbrief (KI)"]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], OTHERS[at]] for at in range(4)]
    return Messy(
        "arztbriefe.csv",
        lines(rows, "\t"),
        4,
        frozenset({"Mensch", "KI"}),
        shown=("Befund",),
    )


# -- what gives a model away -----------------------------------------------------------------------


@messy
def names_of_items_that_hold_the_model() -> Messy:
    rows = [["id", "question", "answer"]]
    rows += [[f"gpt4o_case{at}", QUESTIONS[at], ANSWERS[at]] for at in range(2)]
    rows += [[f"llama3_case{at}", QUESTIONS[at], OTHERS[at]] for at in range(2)]
    return Messy("mixed.csv", lines(rows), 4, shown=("answer",))


@messy
def texts_in_which_the_model_names_itself() -> Messy:
    rows = [["nr", "frage", "antwort_1", "antwort_2"]]
    for at in range(4):
        rows.append(
            [at, QUESTIONS[at], f"Als ChatGPT kann ich nur raten. {ANSWERS[at]}", OTHERS[at]]
        )
    return Messy("selbst.csv", lines(rows, ";"), 4, gives_away=True, shown=("frage",))


@messy
def pictures_named_after_their_model() -> Messy:
    rows = [["case", "question", "model", "answer", "figure"]]
    for at in range(3):
        for model, answers in (("midjourney", ANSWERS), ("dall-e", OTHERS)):
            rows.append([at, QUESTIONS[at], model, answers[at], f"out/{model}_{at}.png"])
    return Messy(
        "pictures.csv",
        lines(rows),
        3,
        frozenset({"midjourney", "dall-e"}),
        hidden=("model",),
    )


@messy
def how_an_answer_was_made_beside_it() -> Messy:
    rows = [
        ["id", "question", "answer", "engine", "temperature", "latency_ms", "tokens", "provider"]
    ]
    for at in range(4):
        rows.append([at, QUESTIONS[at], ANSWERS[at], "gpt-4-turbo", 0.7, 812 + at, 120, "openai"])
    return Messy(
        "runs.csv",
        lines(rows),
        4,
        shown=("question", "answer"),
        hidden=("engine", "temperature", "latency_ms", "tokens", "provider"),
    )


# -- references ------------------------------------------------------------------------------------


@messy
def references_under_many_headings() -> Messy:
    heads = [
        "gold_label",
        "Expertenmeinung",
        "Korrekte Diagnose",
        "Explication",
        "justification",
        "Lösung",
        "bonne réponse",
        "Diagnóstico correcto",
        "points",
        "rating",
    ]
    rows = [["case", "vignette", "ai answer", *heads]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], "A", *[THIRDS[at]] * 7, 3, 5] for at in range(4)]
    return Messy("refs.csv", lines(rows), 4, shown=("vignette", "ai answer"), hidden=tuple(heads))


@messy
def multiple_choice_with_its_key() -> Messy:
    rows = [["Frage", "A", "B", "C", "D", "richtig", "Kommentar"]]
    rows += [
        [QUESTIONS[at], "rest", "salt", "water", "sleep", "ABCD"[at], THIRDS[at]] for at in range(4)
    ]
    return Messy(
        "mc.csv", lines(rows, ";"), 4, shown=("Frage", "A", "B", "C", "D"), hidden=("richtig",)
    )


@messy
def medical_questions_with_nested_options() -> Messy:
    rows = [
        {
            "question": QUESTIONS[at],
            "options": {"A": "rest", "B": "salt", "C": "water"},
            "answer_idx": "B",
            "answer": "salt",
            "meta_info": "step1",
            "output": ANSWERS[at],
        }
        for at in range(4)
    ]
    return Messy(
        "usmle.jsonl", json_lines(rows), 4, shown=("question", "output"), hidden=("answer_idx",)
    )


# -- sums, empty rows, hidden things, formats ------------------------------------------------------


@messy
def sums_below_and_a_blank_line_between() -> Messy:
    rows = [["Nr", "Frage", "Antwort", "Punkte"]]
    rows += [[at + 1, QUESTIONS[at], ANSWERS[at], at] for at in range(4)]
    rows += [["", "", "", ""], ["Summe", "", "", 6], ["Mittelwert", "", "", "1,5"]]
    return Messy("punkte.csv", lines(rows, ";"), 4, noted=("Summe|sum",), hidden=("Punkte",))


@messy
def hidden_rows_and_columns_and_a_filter() -> Messy:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Data")
        rows = [["id", "question", "model name", "answer"]]
        rows += [[at, QUESTIONS[at], "GPT-4o", ANSWERS[at]] for at in range(4)]
        for at, row in enumerate(rows):
            only.write_row(at, 0, row)
        only.set_column(2, 2, None, None, {"hidden": True})
        only.set_row(2, None, None, {"hidden": True})

    return Messy(
        "hidden.xlsx",
        book(write),
        4,
        hidden=("model name",),
        noted=("hidden row|row.*hidden", "hidden col|column.*hidden"),
    )


@messy
def dates_percentages_and_padded_numbers() -> Messy:
    def write(made: xlsxwriter.Workbook) -> None:
        only = made.add_worksheet("Data")
        day = made.add_format({"num_format": "dd.mm.yyyy"})
        padded = made.add_format({"num_format": "00000"})
        only.write_row(0, 0, ["Fallnummer", "Datum", "Frage", "Antwort"])
        for at in range(4):
            only.write_number(at + 1, 0, at + 7, padded)
            only.write_datetime(at + 1, 1, date(2024, 3, at + 1), day)  # type: ignore[arg-type]
            only.write_row(at + 1, 2, [QUESTIONS[at], ANSWERS[at]])

    return Messy("padded.xlsx", book(write), 4, names=("00007", "00010"), shown=("Frage",))


@messy
def numbers_that_excel_made_floats() -> Messy:
    rows = [["pat_id", "Frage", "Antwort", "CRP (mg/l)"]]
    rows += [[float(1000 + at), QUESTIONS[at], ANSWERS[at], 3.5] for at in range(4)]
    return Messy("floats.xlsx", sheet(rows), 4, names=("1000", "1003"))


@messy
def units_below_the_header() -> Messy:
    rows = [["Case", "Question", "Answer", "Age", "Weight"], ["", "", "", "years", "kg"]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], 40 + at, 70.5] for at in range(4)]
    return Messy("units.xlsx", sheet(rows), 4, noted=("[Uu]nit|row 2|Row 2",))


@messy
def title_and_date_above_the_header() -> Messy:
    rows = [["Evaluation of chatbot answers"], ["Exported 2024-05-03"], []]
    rows += [["ID", "Question", "Response"]]
    rows += [[f"x{at}", QUESTIONS[at], ANSWERS[at]] for at in range(4)]
    return Messy("export.csv", lines(rows), 4, names=("x0",), noted=("above|row 4|Row 4",))


@messy
def line_of_sep_and_decimal_commas() -> Messy:
    rows = [["Kennung", "Frage", "Antwort", "Dosis"]]
    rows += [[f"K{at}", QUESTIONS[at], ANSWERS[at], "2,5"] for at in range(4)]
    return Messy("sep.csv", b"sep=;\r\n" + lines(rows, ";"), 4, names=("K0",))


@messy
def unicode_text_from_a_spreadsheet() -> Messy:
    rows = [["Schlüssel", "Frage", "Antwort", "Lösung"]]
    rows += [[f"ä{at}", QUESTIONS[at], ANSWERS[at], "Ja"] for at in range(4)]
    return Messy(
        "unicode.txt.csv", lines(rows, "\t", "utf-16"), 4, names=("ä0",), hidden=("Lösung",)
    )


@messy
def missing_words_in_an_otherwise_full_column() -> Messy:
    rows = [["id", "question", "answer", "Fundstelle"]]
    rows += [
        [at, QUESTIONS[at], ["k. A.", ANSWERS[1], "n/a", ANSWERS[3]][at], "S. 3"] for at in range(4)
    ]
    return Messy("missing.csv", lines(rows), 4, noted=("n/a",))


@messy
def doubled_headings() -> Messy:
    rows = [["id", "question", "answer", "answer"]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], OTHERS[at]] for at in range(4)]
    return Messy("doubled.csv", lines(rows), 0, refused="answer")


@messy
def headings_in_capitals_with_line_breaks() -> Messy:
    rows = [["FALL\nNR.", "FRAGE\n(Original)", "ANTWORT\nGPT-4", "ANTWORT\nCLAUDE"]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], OTHERS[at]] for at in range(4)]
    return Messy("capitals.xlsx", sheet(rows), 4, frozenset({"GPT-4", "CLAUDE"}))


@messy
def a_pivoted_sheet_with_cases_in_columns() -> Messy:
    rows = [
        ["", "Fall 1", "Fall 2", "Fall 3"],
        ["Frage", *QUESTIONS[:3]],
        ["Antwort", *ANSWERS[:3]],
    ]
    return Messy("pivot.xlsx", sheet(rows), 3, noted=("columns",), names=("Fall 1",))


# -- JSON and dialogues ----------------------------------------------------------------------------


@messy
def sharegpt_conversations() -> Messy:
    rows = [
        {
            "id": f"s{at}",
            "conversations": [
                {"from": "human", "value": QUESTIONS[at]},
                {"from": "gpt", "value": ANSWERS[at]},
            ],
        }
        for at in range(4)
    ]
    return Messy(
        "sharegpt.json",
        json.dumps(rows, indent=1).encode(),
        4,
        shown=("conversations",),
        names=("s0",),
    )


@messy
def anthropic_messages_with_blocks() -> Messy:
    rows = [
        {
            "custom_id": f"m{at}",
            "model": "claude-3-opus",
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": QUESTIONS[at]}]},
                {"role": "assistant", "content": [{"type": "text", "text": ANSWERS[at]}]},
            ],
        }
        for at in range(4)
    ]
    return Messy("messages.jsonl", json_lines(rows), 4, shown=("messages",), hidden=("model",))


@messy
def anthropic_human_and_assistant_as_text() -> Messy:
    rows = [
        {
            "chosen": f"\n\nHuman: {QUESTIONS[at]}\n\nAssistant: {ANSWERS[at]}",
            "rejected": f"\n\nHuman: {QUESTIONS[at]}\n\nAssistant: {OTHERS[at]}",
        }
        for at in range(4)
    ]
    return Messy("hh.jsonl", json_lines(rows), 4)


@messy
def preferences_with_ties() -> Messy:
    rows = [
        {
            "prompt": QUESTIONS[at],
            "response_1": ANSWERS[at],
            "response_2": OTHERS[at],
            "preference": ["1", "2", "tie", "1"][at],
            "annotator": "dr_a",
        }
        for at in range(4)
    ]
    return Messy(
        "prefs.json",
        json.dumps({"data": rows}).encode(),
        4,
        shown=("prompt",),
        hidden=("preference",),
    )


@messy
def answers_by_model_in_an_object() -> Messy:
    rows = [
        {
            "id": at,
            "question": QUESTIONS[at],
            "responses": {"gpt-4o": ANSWERS[at], "gemini-1.5": OTHERS[at]},
        }
        for at in range(4)
    ]
    return Messy(
        "nested.json",
        json.dumps(rows).encode(),
        4,
        frozenset({"gpt-4o", "gemini-1.5"}),
        shown=("question",),
    )


@messy
def answers_by_model_in_a_list() -> Messy:
    rows = [
        {
            "id": at,
            "question": QUESTIONS[at],
            "completions": [
                {"model": "gpt-4o", "text": ANSWERS[at]},
                {"model": "llama-3", "text": OTHERS[at]},
            ],
        }
        for at in range(4)
    ]
    return Messy(
        "listed.jsonl", json_lines(rows), 4, frozenset({"gpt-4o", "llama-3"}), shown=("question",)
    )


@messy
def items_by_their_id() -> Messy:
    rows = {f"case-{at}": {"question": QUESTIONS[at], "answer": ANSWERS[at]} for at in range(4)}
    return Messy(
        "byid.json", json.dumps(rows, indent=2).encode(), 4, names=("case-0",), shown=("answer",)
    )


# -- criteria --------------------------------------------------------------------------------------


@messy
def criteria_as_columns_with_points_in_the_header() -> Messy:
    rows = [
        [
            "case",
            "question",
            "answer",
            "Names the drug (2 Punkte)",
            "States the dose (1 Punkt)",
            "Wrong advice (-3 Punkte)",
        ]
    ]
    rows += [[at, QUESTIONS[at], ANSWERS[at], "x", "", ""] for at in range(4)]
    return Messy("criteria.csv", lines(rows), 4, shown=("question", "answer"), criteria=(2, 1, -3))


@messy
def criteria_as_rows_in_german() -> Messy:
    rows = [["Fall", "Frage", "Antwort", "Kriterium", "Punkte"]]
    for at in range(3):
        for criterion, points in (
            ("Nennt das Mittel", 2),
            ("Nennt die Dosis", 1),
            ("Rät falsch", -3),
        ):
            rows.append([at, QUESTIONS[at], ANSWERS[at], criterion, points])
    return Messy("kriterien.csv", lines(rows, ";"), 3, criteria=(2, 1, -3), hidden=("Punkte",))


# -- surveys ---------------------------------------------------------------------------------------


@messy
def redcap_export_with_checkboxes() -> Messy:
    rows = [
        [
            "record_id",
            "redcap_event_name",
            "question",
            "ai_answer",
            "errors___1",
            "errors___2",
            "review_complete",
        ]
    ]
    rows += [
        [at + 1, "baseline_arm_1", QUESTIONS[at], ANSWERS[at], at % 2, 0, 2] for at in range(4)
    ]
    return Messy("redcap.csv", lines(rows), 4, shown=("question", "ai_answer"), names=("1",))


@messy
def qualtrics_export_of_ratings() -> Messy:
    rows = [
        ["StartDate", "ResponseId", "Q1", "Q2"],
        ["Start Date", "Response ID", "Please describe the case", "Which answer did you get?"],
        [
            '{"ImportId":"startDate"}',
            '{"ImportId":"_recordId"}',
            '{"ImportId":"QID1_TEXT"}',
            '{"ImportId":"QID2_TEXT"}',
        ],
    ]
    rows += [["2024-01-01", f"R_{at}", QUESTIONS[at], ANSWERS[at]] for at in range(4)]
    return Messy("qualtrics.csv", lines(rows), 4, names=("R_0",), noted=("Qualtrics|rows? 2",))


@messy
def google_form_of_questions() -> Messy:
    rows = [
        [
            "Zeitstempel",
            "E-Mail-Adresse",
            "Ihre Frage an die KI",
            "Antwort der KI",
            "Welche Fehler? (mehrere möglich)",
        ]
    ]
    rows += [
        [
            f"2024/05/0{at + 1} 9:12:33 AM MEZ",
            f"praxis{at}@example.org",
            QUESTIONS[at],
            ANSWERS[at],
            "Dosis, Quelle",
        ]
        for at in range(4)
    ]
    return Messy(
        "formular.csv", lines(rows), 4, shown=("Antwort der KI",), hidden=("E-Mail-Adresse",)
    )


@messy
def survey_answers_of_several_models_in_two_languages() -> Messy:
    rows = [
        [
            "Case ID / Fall",
            "Question / Frage",
            "Model A: answer",
            "Model B: answer",
            "Model A: name",
            "Model B: name",
        ]
    ]
    rows += [[at, QUESTIONS[at], ANSWERS[at], OTHERS[at], "gpt-4o", "llama-3"] for at in range(4)]
    return Messy(
        "bilingual.xlsx",
        sheet(rows),
        4,
        shown=("Question / Frage",),
        hidden=("Model A: name", "Model B: name"),
    )


# -- written after the rules were mended -----------------------------------------------------------


@messy
def a_model_for_each_column_without_a_word_for_answer() -> Messy:
    rows = [["Anfrage", "ChatGPT 4", "Perplexity", "Google Bard"]]
    rows += list(map(list, zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True)))
    return Messy(
        "anfragen.csv",
        lines(rows, ";"),
        4,
        frozenset({"ChatGPT 4", "Perplexity", "Google Bard"}),
        shown=("Anfrage",),
    )


@messy
def long_rows_without_an_id_as_json_lines() -> Messy:
    rows = [
        {
            "prompt": QUESTIONS[at],
            "model_id": model,
            "generation": answers[at],
            "usage": {"tokens": 100 + at},
        }
        for at in range(4)
        for model, answers in (("qwen2-72b", ANSWERS), ("phi-3", OTHERS))
    ]
    return Messy(
        "generations.jsonl",
        json_lines(rows),
        4,
        frozenset({"qwen2-72b", "phi-3"}),
        shown=("prompt",),
        hidden=("model_id", "usage.tokens"),
    )


@messy
def cases_in_columns_of_a_csv() -> Messy:
    rows = [
        ["Merkmal", "Case 1", "Case 2", "Case 3", "Case 4"],
        ["Frage", *QUESTIONS],
        ["Antwort der KI", *ANSWERS],
        ["Alter", 30, 41, 52, 63],
    ]
    return Messy(
        "merkmale.csv",
        lines(rows, ";"),
        4,
        names=("Case 1", "Case 4"),
        shown=("Frage", "Antwort der KI"),
    )


@messy
def a_spreadsheet_grouped_by_blank_cells() -> Messy:
    rows = [["Nr.", "Frage", "KI-Modell", "Antwort", "Bewertung"]]
    for at in range(3):
        rows += [
            [at + 1, QUESTIONS[at], "GPT-4o", ANSWERS[at], 3],
            ["", "", "Gemini 1.5", OTHERS[at], 2],
        ]
    return Messy(
        "gruppen.xlsx",
        sheet(rows),
        3,
        frozenset({"GPT-4o", "Gemini 1.5"}),
        shown=("Frage",),
        hidden=("Bewertung",),
        names=("1", "3"),
    )


@messy
def portuguese_columns() -> Messy:
    rows = [["Nº", "Pergunta", "Resposta GPT-4", "Resposta Gemini", "Resposta correta"]]
    rows += [
        [at, *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "perguntas.csv",
        lines(rows),
        4,
        frozenset({"GPT-4", "Gemini"}),
        shown=("Pergunta",),
        hidden=("Resposta correta",),
    )


@messy
def italian_columns() -> Messy:
    rows = [["Caso", "Domanda", "Risposta ChatGPT", "Risposta Claude", "Risposta di riferimento"]]
    rows += [
        [at, *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "domande.csv",
        lines(rows),
        4,
        frozenset({"ChatGPT", "Claude"}),
        shown=("Domanda",),
        hidden=("Risposta di riferimento",),
    )


@messy
def dutch_columns() -> Messy:
    rows = [["Casus", "Vraag", "Antwoord arts", "Antwoord AI", "Juiste antwoord"]]
    rows += [
        [at, *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "vragen.csv",
        lines(rows),
        4,
        frozenset({"arts", "AI"}),
        shown=("Vraag",),
        hidden=("Juiste antwoord",),
    )


@messy
def prompts_and_runs_of_one_model() -> Messy:
    rows = [["case_id", "run", "prompt", "response"]]
    rows += [
        [f"c{at // 2}", at % 2 + 1, QUESTIONS[at // 2], (ANSWERS, OTHERS)[at % 2][at // 2]]
        for at in range(8)
    ]
    return Messy("runs.csv", lines(rows), 8, shown=("prompt", "response"))


@messy
def letters_of_a_doctor_and_a_machine_in_rows() -> Messy:
    rows = [["Patient note", "Author", "Discharge letter"]]
    for at in range(4):
        rows += [[QUESTIONS[at], "physician", ANSWERS[at]], [QUESTIONS[at], "LLM", OTHERS[at]]]
    return Messy(
        "letters.csv",
        lines(rows),
        4,
        frozenset({"physician", "LLM"}),
        shown=("Patient note",),
        hidden=("Author",),
    )


@messy
def human_and_ai_as_single_columns() -> Messy:
    rows = [["Scenario", "Human", "AI"]]
    rows += list(map(list, zip(QUESTIONS, ANSWERS, OTHERS, strict=True)))
    return Messy("humans.csv", lines(rows), 4, frozenset({"Human", "AI"}), shown=("Scenario",))


@messy
def reference_standard_and_reviewer_columns() -> Messy:
    heads = ["Ground truth", "Reviewer 1", "Reviewer 2", "Consensus", "Agree?"]
    rows = [["pmid", "abstract", "AI summary", *heads]]
    rows += [
        [30000 + at, QUESTIONS[at], ANSWERS[at], THIRDS[at], "good", "bad", "good", "yes"]
        for at in range(4)
    ]
    return Messy(
        "screening.csv",
        lines(rows),
        4,
        shown=("abstract", "AI summary"),
        hidden=("Ground truth", "Reviewer 1", "Reviewer 2", "Consensus", "Agree?"),
    )


@messy
def chat_of_openai_with_a_system_prompt_and_a_best_answer() -> Messy:
    rows = [
        {
            "messages": [
                {"role": "system", "content": "You are a doctor."},
                {"role": "user", "content": QUESTIONS[at]},
                {"role": "assistant", "content": ANSWERS[at]},
            ],
            "best_answer": THIRDS[at],
        }
        for at in range(4)
    ]
    return Messy(
        "finetune.jsonl", json_lines(rows), 4, shown=("messages",), hidden=("best_answer",)
    )


@messy
def preference_rows_with_a_chosen_index() -> Messy:
    rows = [
        {"question": QUESTIONS[at], "candidates": [ANSWERS[at], OTHERS[at]], "best": at % 2}
        for at in range(4)
    ]
    return Messy(
        "candidates.jsonl", json_lines(rows), 4, shown=("question", "candidates"), hidden=("best",)
    )


@messy
def answers_by_letter_with_a_key_elsewhere() -> Messy:
    rows = [["Fall", "Frage", "Antwort A", "Antwort B", "A ist", "B ist"]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], OTHERS[at], "ChatGPT", "Arzt"] for at in range(4)]
    return Messy(
        "blind.csv",
        lines(rows, ";"),
        4,
        frozenset({"A", "B"}),
        shown=("Frage",),
        hidden=("A ist", "B ist"),
    )


@messy
def a_table_with_patients_in_it() -> Messy:
    rows = [["Fall", "Patient", "Geburtsdatum", "Befund", "KI-Zusammenfassung"]]
    rows += [
        [at, f"Frau Dr. Anna Muster{at}", "03.05.1961", QUESTIONS[at], ANSWERS[at]]
        for at in range(4)
    ]
    return Messy("patienten.csv", lines(rows, ";"), 4, shown=("Befund", "KI-Zusammenfassung"))


@messy
def checkboxes_of_redcap_with_metadata() -> Messy:
    rows = [
        [
            "record_id",
            "redcap_repeat_instrument",
            "redcap_repeat_instance",
            "redcap_data_access_group",
            "vignette",
            "llm_output",
            "vignette_complete",
        ]
    ]
    rows += [[at, "", "", "site_a", QUESTIONS[at], ANSWERS[at], 2] for at in range(4)]
    return Messy(
        "records.csv",
        lines(rows),
        4,
        shown=("vignette", "llm_output"),
        hidden=("redcap_data_access_group", "vignette_complete"),
    )


@messy
def a_title_in_the_first_cell_of_a_csv() -> Messy:
    rows = [["Tabelle 2: Antworten der Sprachmodelle;;;"], [], ["ID", "Frage", "Antwort", "Modell"]]
    body = lines(
        rows[2:] + [[f"i{at}", QUESTIONS[at], ANSWERS[at], "GPT-4o"] for at in range(4)], ";"
    )
    return Messy(
        "tabelle2.csv",
        b"Tabelle 2: Antworten der Sprachmodelle;;;\r\n;;;\r\n" + body,
        4,
        names=("i0",),
        hidden=("Modell",),
    )


@messy
def tab_separated_with_quotes_and_line_breaks() -> Messy:
    rows = [["id", "question", "answer"]]
    rows += [
        [f"t{at}", QUESTIONS[at], f'First line "{at}"\n- second line\n- {ANSWERS[at]}']
        for at in range(4)
    ]
    return Messy("tabs.tsv", lines(rows, "\t"), 4, names=("t3",), shown=("answer",))


@messy
def evaluation_log_with_metadata_of_the_run() -> Messy:
    value = {
        "model": "gpt-4o",
        "date": "2024-05-01",
        "results": [
            {"id": at, "input": QUESTIONS[at], "output": ANSWERS[at], "score": 1} for at in range(4)
        ],
    }
    return Messy(
        "log.json", json.dumps(value).encode(), 4, shown=("input", "output"), hidden=("score",)
    )


@messy
def models_with_versions_in_two_columns() -> Messy:
    rows = [["qid", "question", "model", "version", "answer"]]
    for at in range(3):
        rows += [
            [at, QUESTIONS[at], "gpt", "4o", ANSWERS[at]],
            [at, QUESTIONS[at], "llama", "3.1", OTHERS[at]],
        ]
    return Messy(
        "versions.csv",
        lines(rows),
        3,
        frozenset({"gpt", "llama"}),
        shown=("question",),
        hidden=("version",),
    )


@messy
def chinese_columns_of_models() -> Messy:
    rows = [["编号", "问题", "GPT-4 回答", "Qwen 回答", "标准答案"]]
    rows += [
        [at, *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "问题.csv",
        lines(rows),
        4,
        frozenset({"GPT-4", "Qwen"}),
        shown=("问题",),
        hidden=("标准答案",),
    )


@messy
def polish_columns_of_models() -> Messy:
    rows = [["Nr", "Pytanie", "Odpowiedź GPT-4", "Odpowiedź Bielik", "Prawidłowa odpowiedź"]]
    rows += [
        [at, *cells]
        for at, cells in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "pytania.csv",
        lines(rows, ";", "utf-8-sig"),
        4,
        frozenset({"GPT-4", "Bielik"}),
        shown=("Pytanie",),
        hidden=("Prawidłowa odpowiedź",),
    )


@messy
def prompts_with_and_without_retrieval() -> Messy:
    rows = [["qid", "question", "answer without RAG", "answer with RAG", "retrieved passages"]]
    rows += [
        [f"q{at}", *c] for at, c in enumerate(zip(QUESTIONS, ANSWERS, OTHERS, THIRDS, strict=True))
    ]
    return Messy(
        "rag.csv",
        lines(rows),
        4,
        frozenset({"without RAG", "with RAG"}),
        shown=("question",),
    )


@messy
def hidden_sheet_and_two_tables_in_one_workbook() -> Messy:
    def write(made: xlsxwriter.Workbook) -> None:
        key = made.add_worksheet("Schlüssel")
        key.hide()
        key.write_row(0, 0, ["Code", "Modell"])
        key.write_row(1, 0, ["A", "GPT-4o"])
        only = made.add_worksheet("Fragen")
        only.activate()
        only.set_first_sheet()
        only.write_row(0, 0, ["Fall", "Frage", "Antwort A", "Antwort B"])
        for at in range(4):
            only.write_row(at + 1, 0, [at, QUESTIONS[at], ANSWERS[at], OTHERS[at]])
        only.write_row(8, 0, ["Code", "Bedeutung"])
        only.write_row(9, 0, ["A", "GPT-4o"])
        only.write_row(10, 0, ["B", "Gemini"])

    return Messy(
        "zwei.xlsx", book(write), 4, frozenset({"A", "B"}), shown=("Frage",), noted=("left out",)
    )


@messy
def model_outputs_with_their_reasoning() -> Messy:
    rows = [["id", "vignette", "model", "diagnosis", "reasoning", "confidence", "is_correct"]]
    for at in range(3):
        rows.append([at, QUESTIONS[at], "o1", "Migraine", ANSWERS[at], 0.9, True])
        rows.append([at, QUESTIONS[at], "gemini-pro", "Tension headache", OTHERS[at], 0.5, False])
    return Messy(
        "diagnoses.csv",
        lines(rows),
        3,
        frozenset({"o1", "gemini-pro"}),
        shown=("vignette", "diagnosis", "reasoning"),
        hidden=("is_correct",),
    )


@messy
def a_list_of_messages_for_each_model() -> Messy:
    def talk(text: str, at: int) -> list[dict[str, str]]:
        return [
            {"role": "user", "content": QUESTIONS[at]},
            {"role": "assistant", "content": text},
        ]

    rows = [
        {
            "id": at,
            "model_a": "gpt-4",
            "model_b": "koala-13b",
            "winner": "model_b",
            "conversation_a": talk(ANSWERS[at], at),
            "conversation_b": talk(OTHERS[at], at),
        }
        for at in range(4)
    ]
    return Messy("arena.jsonl", json_lines(rows), 4, hidden=("model_a", "model_b", "winner"))


@messy
def lab_values_that_look_like_models() -> Messy:
    rows = [["Fall", "GPT (U/l)", "GOT (U/l)", "Befund", "Arztbrief"]]
    rows += [[at, 35 + at, 30, QUESTIONS[at], ANSWERS[at]] for at in range(4)]
    return Messy("labor.csv", lines(rows, ";"), 4, shown=("GPT (U/l)", "Befund", "Arztbrief"))


@messy
def footnotes_and_a_source_below() -> Messy:
    rows = [["No.", "Question", "Answer"]]
    rows += [[at + 1, QUESTIONS[at], ANSWERS[at]] for at in range(4)]
    rows += [["* answers were shortened", "", ""], ["Source: own data, 2024", "", ""]]
    return Messy("notes.xlsx", sheet(rows), 4, names=("1", "4"), noted=("note",))


@messy
def two_models_in_an_object_of_objects() -> Messy:
    rows = [
        {
            "case": f"k{at}",
            "note": QUESTIONS[at],
            "summaries": {
                "gpt-4o": {"text": ANSWERS[at], "tokens": 31},
                "llama3": {"text": OTHERS[at], "tokens": 29},
            },
        }
        for at in range(4)
    ]
    return Messy(
        "summaries.json",
        json.dumps(rows).encode(),
        4,
        frozenset({"gpt-4o", "llama3"}),
        shown=("note",),
        hidden=("summaries.gpt-4o.tokens",),
    )


@messy
def microsoft_forms_export() -> Messy:
    rows = [["ID", "Startzeit", "Fertigstellungszeit", "E-Mail", "Name", "Frage", "Antwort der KI"]]
    rows += [
        [at, "5.3.24 9:12", "5.3.24 9:20", "anonymous", "", QUESTIONS[at], ANSWERS[at]]
        for at in range(4)
    ]
    return Messy(
        "forms.xlsx",
        sheet(rows),
        4,
        shown=("Frage", "Antwort der KI"),
        hidden=("Startzeit", "Fertigstellungszeit", "E-Mail"),
    )


@messy
def scores_of_several_raters_below_each_other() -> Messy:
    rows = [["item", "answer", "rater", "score"]]
    rows += [[f"i{at // 2}", ANSWERS[at // 2], f"dr{at % 2}", at] for at in range(8)]
    return Messy("ratings.csv", lines(rows), -1, noted=("same|more than once|there twice",))


@messy
def decisions_of_a_model_and_a_person_with_the_final_one() -> Messy:
    rows = [["study_id", "abstract_text", "llm_decision", "human_decision", "final_decision"]]
    rows += [
        [at, QUESTIONS[at], ["include", "exclude"][at % 2], "include", "include"] for at in range(4)
    ]
    return Messy(
        "decisions.csv",
        lines(rows),
        4,
        frozenset({"llm", "human"}),
        shown=("abstract_text",),
        hidden=("final_decision",),
    )


@messy
def notes_of_two_models_beside_a_clinicians_note() -> Messy:
    heads = ["generated note (GPT-4)", "generated note (fine-tuned Llama)", "clinician note"]
    rows = [["id", "dialogue", *heads]]
    rows += [[at, QUESTIONS[at], ANSWERS[at], OTHERS[at], THIRDS[at]] for at in range(4)]
    return Messy("notes.csv", lines(rows), 4, shown=("dialogue", *heads))
