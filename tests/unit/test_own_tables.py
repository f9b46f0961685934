"""What is guessed of a table is accepted by the check, whatever the table's layout and faults."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from medlens.studies.own import study_file
from medlens.studies.own.blinded_arms import MOST_TOGETHER
from medlens.studies.own.item_and_judgment_import_and_export import (
    items_faults_and_notes_of_table_rows,
    make_item_preview_from_rows,
)
from medlens.studies.own.missing_cells_totals_and_nested_cells import flatten_nested_cells_of_rows
from medlens.studies.own.study_file import StudyDeclaration
from medlens.studies.own.study_file_from_table.column_roles_from_cells import are_any_columns_shown
from medlens.studies.own.study_file_from_table.find_columns_of_cases_and_models import (
    find_spellings_by_arm,
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

Rows = list[dict[str, Any]]
LONG = "A note of more than a few words, as somebody would read it whole"
MODELS = ("GPT-4o", "Llama 3", "claude", "Med-Gemini", "mistral/7b", "tie", "Modèle ä", "o1")


def text(draw: random.Random) -> str:
    end = draw.choice(["", "\n- one\n- two", " äöü 🙂", "\r\nx"])
    return f"{LONG} {draw.randrange(1000)}.{end}"


# -- layouts ---------------------------------------------------------------------------------------


def plain(draw: random.Random) -> Rows:
    return [{"item": str(at), "question": text(draw), "answer": text(draw)} for at in range(6)]


def short_question(draw: random.Random) -> Rows:
    return [{"Frage": f"Hilft das {at}?", "Antwort": text(draw)} for at in range(5)]


def by_rows(draw: random.Random) -> Rows:
    models = draw.sample(MODELS, draw.randrange(2, 8))
    return [
        {"case": f"c{at}", "model": model, "question": f"{LONG}, {at}?", "answer": text(draw)}
        for at in range(5)
        for model in models
    ]


def by_columns(draw: random.Random) -> Rows:
    models = draw.sample(MODELS, draw.randrange(2, 8))
    return [
        {"Nr": at, "Frage": f"{LONG}, {at}?"} | {f"Antwort {model}": text(draw) for model in models}
        for at in range(5)
    ]


def preferences(draw: random.Random) -> Rows:
    def turns(said: str) -> Any:
        return [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": said}]

    made: Callable[[str], Any] = draw.choice([str, turns, lambda one: json.dumps(turns(one))])
    return [
        {"prompt": f"My neck {at}", "chosen": made(text(draw)), "rejected": made(text(draw)),
         "margin": draw.random()}
        for at in range(4)
    ]  # fmt: skip


def nested(draw: random.Random) -> Rows:
    return [
        {"id": at, "question": text(draw), "options": {"A": "Rest", "B": "Salt"}, "tags": ["x", at],
         "meta": draw.choice([{"model": "m", "usage": {"tokens": at}}, None, {"model": "n"}]),
         "choices": [{"message": {"content": text(draw)}}], "deep": [[text(draw)]]}
        for at in range(4)
    ]  # fmt: skip


def structured(draw: random.Random) -> Rows:
    points = draw.choice([2, -1, "3", None, 1.5])
    return [
        {"case": f"k{at}", "talk": [{"role": "doctor", "content": draw.choice(["Hi", None, 3])}],
         "labs": json.dumps([{"test": "K", "value": at}]), "picture": f"scan {at}.png",
         "rubrics": [{"criterion": f"Says {at}", "points": points}]}
        for at in range(4)
    ]  # fmt: skip


def numbers(draw: random.Random) -> Rows:
    return [
        {"nr": draw.choice([at, float(at), str(at)]), "value": draw.choice([1.5, float("inf"), at]),
         "ok": draw.choice([True, False]), "note": text(draw)}
        for at in range(5)
    ]  # fmt: skip


def one_column(draw: random.Random) -> Rows:
    return [{draw.choice(["x", "id"]): f"a{at}"} for at in range(3)][:1] * 1 + [{"x": "b"}]


def wide(draw: random.Random) -> Rows:
    names = [f"c{at}" for at in range(230)]
    return [{name: draw.choice(["a", LONG, at]) for name in names} for at in range(3)]


LAYOUTS = [
    *(plain, short_question, by_rows, by_columns, preferences, nested, structured, numbers),
    *(one_column, wide),
]  # fmt: skip


# -- faults ----------------------------------------------------------------------------------------


def nothing(rows: Rows, draw: random.Random) -> Rows:
    return rows


def empty_cells(rows: Rows, draw: random.Random) -> Rows:
    words = ["", None, "NaN", float("nan"), "None", "NA", "n/a", "-", "NULL", " "]
    return [
        {name: draw.choice(words) if draw.random() < 0.3 else cell for name, cell in row.items()}
        for row in rows
    ]


def missing_rows(rows: Rows, draw: random.Random) -> Rows:
    return [row for row in rows if draw.random() < 0.8] or rows[:1]


def doubled_rows(rows: Rows, draw: random.Random) -> Rows:
    return [*rows, *draw.choices(rows, k=2)]


def doubled_names(rows: Rows, draw: random.Random) -> Rows:
    first = next(iter(rows[0]), "item")
    return [row | {first: rows[0].get(first)} if draw.random() < 0.5 else row for row in rows]


def shuffled(rows: Rows, draw: random.Random) -> Rows:
    return draw.sample(rows, len(rows))


def absent_keys(rows: Rows, draw: random.Random) -> Rows:
    return [{name: cell for name, cell in row.items() if draw.random() < 0.8} for row in rows]


def odd_headings(rows: Rows, draw: random.Random) -> Rows:
    odd = ["arm", "case", "arms", "item", "dataset", "_files", " padded ", "___", "a.b", "x\x07y",
           'q"uo\'te', "new\nline", "\u202eback", "label", "Ground truth", "L" * 300]  # fmt: skip
    names = list(dict.fromkeys(name for row in rows for name in row))
    changed = dict(zip(draw.sample(names, min(2, len(names))), draw.sample(odd, 2), strict=False))
    return [{changed.get(name, name): cell for name, cell in row.items()} for row in rows]


def more_columns(rows: Rows, draw: random.Random) -> Rows:
    extra = {
        name: make
        for name, make in {
            "Goldstandard": lambda at: text(draw),
            "score": lambda at: at,
            "grader_comment": lambda at: text(draw),
            "temperature": lambda at: "0.2",
            "dialogue": lambda at: [{"role": "a", "content": "b"}],
            "item": lambda at: "same",
            "": lambda at: "no heading",
        }.items()
        if draw.random() < 0.5
    }
    return [row | {name: make(at) for name, make in extra.items()} for at, row in enumerate(rows)]


def mixed_types(rows: Rows, draw: random.Random) -> Rows:
    odd = [3, 2.5, True, ["a", "b"], {"a": {"b": 1}}, [{"x": 1}, {"y": [2]}], [[]], {}, "[bro", "{"]
    return [
        {name: draw.choice(odd) if draw.random() < 0.15 else cell for name, cell in row.items()}
        for row in rows
    ]


FAULTS = [
    *(nothing, empty_cells, missing_rows, doubled_rows, doubled_names, shuffled, absent_keys),
    *(odd_headings, more_columns, mixed_types),
]  # fmt: skip


def made(seed: int) -> Rows:
    """A table of a layout with up to two faults."""
    draw = random.Random(seed)
    rows = LAYOUTS[seed % len(LAYOUTS)](draw)
    for fault in (FAULTS[seed // len(LAYOUTS) % len(FAULTS)], draw.choice(FAULTS)):
        rows = fault(rows, draw)
    return rows


def checked(rows: Rows, *, preference: bool = True) -> StudyDeclaration | None:
    """Guess, write, read and look, as the page does; None if there is nothing in the table."""
    flat = flatten_nested_cells_of_rows(rows)
    columns = list_guessed_roles_of_columns(flat)
    list_column_decisions_in_words(columns, rows)
    if not are_any_columns_shown(columns):
        return None
    answers = sum(one.role == "answer" for one in columns)
    arms = len(find_spellings_by_arm(columns, flat)) or answers
    template = "preference" if preference and 1 < arms <= MOST_TOGETHER else ""
    declared = study_file.parse_study_file(
        make_study_file_text("T", columns, flat, template=template)
    )
    looked = items_faults_and_notes_of_table_rows(declared, rows)
    assert not looked.faults
    # The import reads the nested cells, the page the columns made from them.
    assert [one.body for one in items_faults_and_notes_of_table_rows(declared, flat).items] == [
        one.body for one in looked.items
    ]
    assert looked.items
    if not looked.notes:
        make_item_preview_from_rows(declared, rows, len(rows) - 1)
    return declared


def require_accepted(seeds: range) -> None:
    failed = {}
    for seed in seeds:
        try:
            checked(made(seed))
        except Exception as error:  # noqa: BLE001  (any error of any kind is a finding)
            failed[seed] = repr(error)[:300]
    assert not failed


@pytest.mark.deep
def test_the_guess_of_some_tables_with_faults_is_accepted() -> None:
    require_accepted(range(0, 500, 23))


@pytest.mark.deep
def test_the_guess_of_500_tables_with_faults_is_accepted() -> None:
    require_accepted(range(500))
