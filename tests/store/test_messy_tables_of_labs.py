"""Tables of laboratories and tools become the study that is right, or it is told why not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.studies.own.study_proposal import propose_study, require_unique_headings
from tests.messy_tables import ANSWERS, OTHERS, THIRDS, lines
from tests.messy_tables_laid_out_otherwise import FIFTH
from tests.messy_tables_of_labs import FIRST, Labs
from tests.messy_tables_of_platforms import FOURTH
from tests.messy_tables_of_surveys import THIRD
from tests.messy_tables_of_tools import SECOND

ROWS_OF_A_SURVEY = tuple(zip(ANSWERS, OTHERS, THIRDS, strict=True))
ALL = {**FIRST, **SECOND, **THIRD, **FOURTH, **FIFTH}


def deviations(folder: Path, table: Labs) -> list[str]:
    """What is not as it must be in the study that is proposed for a file, unless it is told."""
    path = folder / table.file
    path.write_bytes(table.content)
    seen = reader_client.read_file_description_in_reader_process(
        Settings(), path, path.name, identifiers=True
    )
    if seen.unread:
        raise BadFile(seen.unread)
    require_unique_headings(seen.columns)
    proposed = propose_study(seen.rows, title=path.stem, more=seen.more, beyond=seen.identifying)
    declared, looked = proposed.declared, proposed.looked
    notes = [*seen.notes, *proposed.told, *looked.notes]
    arms = declared.arms.names if declared.arms else ()
    wide = declared.arms.wide if declared.arms else {}
    shown = {
        *declared.shown_text_columns,
        *(column for of in wide.values() for column in of.values()),
    }
    names = {item.name for item in looked.items}
    wanted = table.models
    found = [
        *looked.faults,
        *(f"hidden: {name}" for name in table.shown if name not in shown),
        *(f"shown: {name}" for name in (*table.hidden, *table.secret) if name in shown),
        *(f"no item: {name}" for name in table.names if name not in names),
        *(f"untold: {word}" for word in table.noted if not _says(notes, word)),
    ]
    if table.items not in (-1, len(looked.items)):
        found.append(f"{len(looked.items)} items")
    if isinstance(wanted, frozenset):
        found += [f"models: {arms}"] * (set(arms) != wanted)
    elif wanted >= 0:
        found += [f"models: {arms}"] * (len(arms) != wanted)
    if table.gives_away and not looked.telling:
        found.append("a model is named, and it is not told")
    if not set(table.identified) <= {place.row for place in proposed.identifying}:
        found.append("an identifier is not found")
    return [] if any(_says(notes, word) for word in table.otherwise) else found


def _says(notes: list[str], word: str) -> bool:
    return any(re.search(word, note) for note in notes)


def require_right(folder: Path, table: Labs) -> None:
    """A table is read as it must be, or refused in the words that it may be refused in."""
    found, refused = [], ""
    try:
        found = deviations(folder, table)
    except BadFile as error:
        refused = str(error)
    assert not refused or (table.refused and re.search(table.refused, refused)), refused
    assert found == []


QUICK = (
    "diagnoses_by_letter_with_gold",
    "triage_levels_by_model_with_doctors",
    "a_chatbot_and_a_senior_physician",
    "comment_lines_of_a_tool",
    "columns_without_a_heading_and_empty_ones",
    "medmcqa",
    "models_below_a_merged_heading_with_short_answers",
    "a_model_and_its_reasoning_for_each",
    "model_one_and_two_with_short_words",
    "batch_of_a_crowd_with_changing_models",
    "chinese_answers_in_a_chinese_encoding",
    "a_sheet_for_each_model",
    "systems_in_rows_and_german_cases_in_columns",
    "risks_in_percent_of_models_and_a_doctor",
    "numbers_and_models_in_one_name",
    "a_list_of_answers_beside_one_of_models",
    "three_merged_rows_of_headings",
    "a_ward_named_once_above_its_letters_with_subtotals",
)


@pytest.mark.first_quick
@pytest.mark.parametrize("name", QUICK)
def test_a_table_of_a_laboratory_or_tool_is_read_rightly(tmp_path: Path, name: str) -> None:
    require_right(tmp_path, ALL[name]())


def test_a_model_that_is_named_behind_the_first_rows_is_told(tmp_path: Path) -> None:
    rows = [["id", "question", "made_by", "text"]]
    rows += [[at, f"Is it safe, number {at}?", "BioGPT", f"Yes, it is {at}."] for at in range(1200)]
    rows[1150][3] = "As a model of OpenAI I cannot say."
    path = tmp_path / "long.csv"
    path.write_bytes(lines(rows))
    seen = reader_client.read_file_description_in_reader_process(
        Settings(), path, path.name, identifiers=True
    )
    found = propose_study(seen.rows, title="Long", more=seen.more, naming=seen.naming)
    assert [(one.column, one.names, one.rows) for one in found.naming_behind] == [
        ("text", ["OpenAI"], [1150])
    ]
    masked = propose_study(seen.rows, title="L", more=seen.more, naming=seen.naming, mask=True)
    assert masked.declared.mask == ("OpenAI",)
    assert not masked.naming_behind


def test_what_a_survey_asked_is_the_title_of_what_was_answered(tmp_path: Path) -> None:
    asked = ["Start Date", "Response ID", "<b>What</b> did it&nbsp;say?", "And GPT-4?", "Anything?"]
    rows = [["StartDate", "ResponseId", "Q1", "Q2", "Q3_text"], asked]
    rows += [[f'{{"ImportId":"QID{at}"}}' for at in range(5)]]
    rows += [["2024-01-01", f"R_{at}", *one] for at, one in enumerate(ROWS_OF_A_SURVEY)]
    path = tmp_path / "survey.csv"
    path.write_bytes(lines(rows))
    seen = reader_client.read_file_description_in_reader_process(Settings(), path, path.name)
    found = propose_study(seen.rows, title="S", survey_questions=seen.layout.questions)
    titles = {pane.columns: pane.title for pane in found.declared.panes}
    # Reviewers should not read a model's name above an answer.
    assert titles == {("Q1",): "What did it say?", ("Q2",): "Q2", ("Q3_text",): "Anything?"}


@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in ALL if name not in QUICK])
def test_every_table_of_laboratories_and_tools_is_read_rightly(tmp_path: Path, name: str) -> None:
    require_right(tmp_path, ALL[name]())
