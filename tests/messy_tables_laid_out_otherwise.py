"""Tables laid out as people think of them: on their side, in groups, with models in names or lists,
and what is right.
"""

from __future__ import annotations

from collections.abc import Callable

import xlsxwriter

from tests.messy_tables import ANSWERS, OTHERS, QUESTIONS, THIRDS, book, json_lines, lines, sheet
from tests.messy_tables_of_labs import ROWS, VIGNETTES, Labs, parquet

FIFTH: dict[str, Callable[[], Labs]] = {}
TURNED = r"stand in columns"


def fifth(make: Callable[[], Labs]) -> Callable[[], Labs]:
    """Enter a table of the fifth set under its function's name."""
    FIFTH[make.__name__] = make
    return make


# -- on their side ---------------------------------------------------------------------------------


@fifth
def systems_in_rows_and_german_cases_in_columns() -> Labs:
    rows = [["System", *(f"Fall {at}" for at in range(1, 5))]]
    rows += [["Frage", *QUESTIONS], ["GPT-4.1", *ANSWERS], ["Qwen 3", *OTHERS]]
    models = frozenset({"GPT-4.1", "Qwen 3"})
    return Labs("quer.xlsx", sheet(rows), 4, models, shown=("Frage",), noted=(TURNED,))


@fifth
def patients_in_columns_with_a_reference_in_a_row() -> Labs:
    rows = [["", "Patient 3", "Patient 4", "Patient 7", "Patient 12"]]
    rows += [["Vignette", *VIGNETTES[:4]], ["Claude 3.5", *ANSWERS], ["ChatGPT", *OTHERS]]
    rows += [["Reference", *THIRDS]]
    return Labs(
        *("side.csv", lines(rows), 4, 2),
        shown=("Vignette",),
        hidden=("Reference",),
        noted=(TURNED,),
    )


@fifth
def cases_by_letter_and_no_question() -> Labs:
    rows = [["Modell", "Case A", "Case B", "Case C", "Case D"]]
    rows += [["Llama 3", *ANSWERS], ["Mistral", *OTHERS], ["Gemini", *THIRDS]]
    return Labs("letters.csv", lines(rows, ";"), 4, 3, noted=(TURNED,))


@fifth
def cases_called_by_what_they_have() -> Labs:
    rows = [["", "Stroke", "Sepsis", "Gout", "Asthma"]]
    rows += [["Question", *QUESTIONS], ["GPT-4o", *ANSWERS], ["Claude", *OTHERS]]
    return Labs("topics.csv", lines(rows), 4, 2, shown=("Question",), noted=(TURNED,))


@fifth
def questions_at_the_head_and_a_reference_below_the_models() -> Labs:
    rows = [["Frage", *QUESTIONS], ["GPT-4o", *ANSWERS], ["Qwen", *OTHERS], ["Referenz", *THIRDS]]
    return Labs("q.xlsx", sheet(rows), 4, 2, hidden=("Referenz",), noted=("made into rows",))


@fifth
def cases_in_columns_behind_a_column_of_versions() -> Labs:
    rows = [["Model", "Version", "Case 1", "Case 2", "Case 3", "Case 4"]]
    rows += [["GPT-4o", "v1", *ANSWERS], ["Llama 3", "v2", *OTHERS]]
    return Labs("versions.csv", lines(rows), noted=("Turn the table",))


@fifth
def one_model_below_what_nobody_knows() -> Labs:
    rows = [["", "Fall 1", "Fall 2", "Fall 3", "Fall 4"], ["Was war los?", *QUESTIONS]]
    rows += [["GPT-4o", *ANSWERS]]
    return Labs("one.csv", lines(rows), noted=("Turn the table",))


@fifth
def two_models_below_what_nobody_knows() -> Labs:
    rows = [["", "Fall 1", "Fall 2", "Fall 3", "Fall 4"], ["Was war los?", *QUESTIONS]]
    rows += [["GPT-4o", *ANSWERS], ["Claude", *OTHERS]]
    return Labs("two.csv", lines(rows), 4, 2, shown=("Was war los?",), noted=(TURNED,))


@fifth
def models_in_rows_and_topics_in_columns() -> Labs:
    rows = [["System", "Stroke", "Sepsis", "Gout", "Asthma"]]
    rows += [["GPT-4o", *ANSWERS], ["Claude", *OTHERS]]
    return Labs("topics2.csv", lines(rows), noted=("turn the table",))


@fifth
def figures_of_models_by_question_are_not_turned() -> Labs:
    rows = [["Modell", "Frage 1", "Frage 2", "Frage 3"], ["GPT-4", 3, 4, 5], ["Llama", 2, 2, 1]]
    return Labs("figures.csv", lines(rows), 2)


# -- numbers and short values by model -------------------------------------------------------------


@fifth
def risks_in_percent_of_models_and_a_doctor() -> Labs:
    rows = [["Pt", "Summary", "Risk % (GPT-4o)", "Risk % (Claude Opus 4)", "Risk % (cardiologist)"]]
    rows[0].append("MACE at 1 y")
    rows += [[f"P{at}", v, at, 2 * at, 3 + at, at % 2] for at, v in enumerate(VIGNETTES, 10)]
    models = frozenset({"GPT-4o", "Claude Opus 4", "cardiologist"})
    return Labs("risk.xlsx", sheet(rows), 6, models, shown=("Summary",), hidden=("MACE at 1 y",))


@fifth
def days_that_models_expect_without_any_text() -> Labs:
    rows = [["ID", "Age", "Days in bed GPT-4", "Days in bed Gemini", "Days in bed surgeon"]]
    rows += [[f"x{at}", 50 + at, at, at + 1, at + 2] for at in range(1, 7)]
    return Labs("days.csv", lines(rows), 6, 3)


@fifth
def probabilities_in_snake_case() -> Labs:
    rows = [["enc", "hpi", "prob_gpt4", "prob_llama3", "prob_resident"]]
    rows += [[at, v, 0.1 * at, 0.5, 0.25] for at, v in enumerate(VIGNETTES)]
    return Labs("prob.csv", lines(rows), 6, 3, shown=("hpi",))


@fifth
def referral_yes_or_no_by_model() -> Labs:
    rows = [["id", "Vignette", "Referral? (GPT-4)", "Referral? (Llama)", "Referral? (GP)"]]
    rows += [[at, v, "yes", "no", "yes"] for at, v in enumerate(VIGNETTES)]
    return Labs("refer.csv", lines(rows), 6, 3, shown=("Vignette",))


@fifth
def accuracy_of_models_is_no_answer() -> Labs:
    rows = [["id", "Vignette", "Accuracy (GPT-4)", "Accuracy (Llama)"]]
    rows += [[at, v, 0.5, 0.75] for at, v in enumerate(VIGNETTES)]
    return Labs("acc.csv", lines(rows), 6, 0, secret=("Accuracy (Llama)",), otherwise=("can tell",))


# -- models in the names of items ------------------------------------------------------------------


@fifth
def numbers_and_models_in_one_name() -> Labs:
    rows = [["ID", "Frage", "Antwort"]]
    for at, (question, answer, other, _) in enumerate(ROWS, 1):
        rows += [[f"{at:03}_ChatGPT", question, answer], [f"{at:03}_Bard", question, other]]
    return Labs(
        *("ids.csv", lines(rows, ";"), 4, frozenset({"ChatGPT", "Bard"})),
        shown=("Frage", "Antwort"),
        noted=("hold a case and a model",),
        names=("001", "004"),
    )


@fifth
def models_before_the_case_with_a_hyphenated_name() -> Labs:
    rows = [["Case ID", "Reply"]]
    for at, (_, answer, other, third) in enumerate(ROWS):
        rows += [[f"gpt-4o/c{at}", answer], [f"llama-3/c{at}", other], [f"human/c{at}", third]]
    return Labs("paths.xlsx", sheet(rows), 4, 3, names=("c0", "c3"), shown=("Reply",))


@fifth
def models_in_brackets_behind_the_name_under_any_heading() -> Labs:
    rows = [["Kennung", "Text"]]
    for at, (_, answer, other, _) in enumerate(ROWS):
        rows += [[f"Brief {at} (GPT-4)", answer], [f"Brief {at} (Oberarzt)", other]]
    return Labs("brackets.csv", lines(rows), 4, 2, names=("Brief 0",), shown=("Text",))


@fifth
def names_of_json_lines_that_hold_a_model() -> Labs:
    rows = [
        {"id": f"{at}-{model}", "question": q, "answer": answer}
        for at, (q, a, o, _) in enumerate(ROWS)
        for model, answer in (("gpt-4o", a), ("llama-3", o))
    ]
    return Labs("ids.jsonl", json_lines(rows), noted=("a column of their own",))


@fifth
def names_of_wards_are_no_models() -> Labs:
    rows = [["ID", "Frage"], *([f"{at:03}_Kardio", q] for at, q in enumerate(QUESTIONS))]
    rows += [[f"{at:03}_Neuro", q] for at, q in enumerate(VIGNETTES[:4])]
    return Labs("wards.csv", lines(rows), 8, 0, names=("000_Kardio",))


# -- lists side by side ----------------------------------------------------------------------------


@fifth
def a_list_of_answers_beside_one_of_models() -> Labs:
    columns = {
        "id": [f"r{at}" for at in range(4)],
        "prompt": [*QUESTIONS],
        "generations": [[a, o] if at % 2 else [o, a] for at, (_, a, o, _) in enumerate(ROWS)],
        "generation_models": [
            ["zephyr-7b", "gpt-4"] if at % 2 else ["gpt-4", "zephyr-7b"] for at in range(4)
        ],
        "ratings": [[4, 5]] * 4,
    }
    models = frozenset({"zephyr-7b", "gpt-4"})
    return Labs(
        *("lists.parquet", parquet(columns), 4, models),
        shown=("prompt",),
        secret=("generation_models",),
    )


@fifth
def completions_and_systems_of_json_lines() -> Labs:
    rows = [
        {"q": question, "completions": [a, o, t], "systems": ["Our RAG", "GPT-4", "Llama-3"]}
        for question, a, o, t in ROWS
    ]
    return Labs("c.jsonl", json_lines(rows), 4, 3, shown=("q",), secret=("systems",))


@fifth
def options_beside_a_list_of_as_many_models_of_one_row_only() -> Labs:
    rows = [{"id": at, "stem": q, "choices": [a, o]} for at, (q, a, o, _) in enumerate(ROWS)]
    return Labs("mc.jsonl", json_lines(rows), 4, 0, shown=("stem", "choices"))


# -- three rows of headings, and groups ------------------------------------------------------------


def _three_rows(made: xlsxwriter.Workbook) -> None:
    only = made.add_worksheet("Data")
    only.merge_range(0, 2, 0, 5, "Open models")
    only.merge_range(0, 6, 0, 7, "Closed models")
    for at, name in ((2, "Llama 3.3 70B"), (4, "MedGemma 27B"), (6, "GPT-5")):
        only.merge_range(1, at, 1, at + 1, name)
    only.write_row(2, 0, ["No.", "Question", *(["Answer", "Words"] * 3)])
    for row, (question, a, o, t) in enumerate(ROWS, 3):
        only.write_row(row, 0, [row, question, a, 14, o, 15, t, 16])


@fifth
def three_merged_rows_of_headings() -> Labs:
    return Labs(
        *("three.xlsx", book(_three_rows), 4, 3), shown=("Question",), noted=("has three rows",)
    )


@fifth
def three_rows_of_headings_without_merged_cells() -> Labs:
    rows = [
        ["", "", "General", "", "", "", "Medical", ""],
        ["", "", "Llama 3", "", "GPT-4o", "", "Meditron", ""],
        ["Nr", "Frage", *(["Antwort", "Wörter"] * 3)],
    ]
    rows += [[at, q, a, "14", o, "15", t, "16"] for at, (q, a, o, t) in enumerate(ROWS)]
    return Labs("three.csv", lines(rows), 4, 3, shown=("Frage",), noted=("has three rows",))


@fifth
def a_ward_named_once_above_its_letters_with_subtotals() -> Labs:
    rows = [["Station", "Fall", "Brief", "KI-Entwurf", "Fehler (n)"]]
    for ward, cases in (("Kardio", ROWS[:2]), ("Neuro", ROWS[2:])):
        rows += [
            [ward * (not at), f"{ward[:1]}{at}", q, a, at] for at, (q, a, _, _) in enumerate(cases)
        ]
        rows += [[f"Zwischensumme {ward}", "", "", "", 1]]
    rows += [["Gesamt", "", "", "", 2], [], ["* Fehler: vom Team gezählt, Stand 11/2025."]]
    return Labs("groups.xlsx", sheet(rows), 4, noted=("“Station” is named once",))


@fifth
def remarks_on_single_rows_are_not_filled_down() -> Labs:
    rows = [["Kommentar", "Fall", "Frage", "Antwort"]]
    words = ("zweimal gefragt", "", "gekürzt", "")
    rows += [[words[at], f"F{at}", q, a] for at, (q, a, _, _) in enumerate(ROWS)]
    return Labs("remarks.csv", lines(rows), 4, otherwise=(r"$^",))
