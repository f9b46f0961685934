"""Messy tables are looked at as a person's browser does, and become the study that is right."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.studies.own.study_proposal import Proposal, propose_study, require_unique_headings
from tests.messy_tables import MESSY, Messy


def look_at(folder: Path, table: Messy) -> tuple[Proposal, list[str]]:
    """The study that is proposed for a file, and all notes on it."""
    path = folder / table.file
    path.write_bytes(table.content)
    seen = reader_client.read_file_description_in_reader_process(Settings(), path, path.name)
    require_unique_headings(seen.columns)
    proposal = propose_study(seen.rows, title=path.stem, more=seen.more)
    return proposal, [*seen.notes, *proposal.told, *proposal.looked.notes]


def require_right(folder: Path, table: Messy) -> None:
    """Each expectation of a messy table, for the study that is proposed for it."""
    if table.refused:
        with pytest.raises(BadFile, match=table.refused):
            look_at(folder, table)
        return
    proposal, notes = look_at(folder, table)
    declared, looked = proposal.declared, proposal.looked
    assert looked.faults == []
    for word in table.noted:
        assert any(re.search(word, note) for note in notes), (word, notes)
    if table.items < 0:
        return
    assert len(looked.items) == table.items
    if table.models:
        assert declared.arms is not None
        assert set(declared.arms.names) == table.models
    wide = declared.arms.wide if declared.arms else {}
    answers = [column for of in wide.values() for column in of.values()]
    shown = {*declared.shown_text_columns, *answers}
    assert set(table.shown) <= shown
    assert not set(table.hidden) & shown
    assert bool(looked.telling) >= table.gives_away
    assert set(table.names) <= {item.name for item in looked.items}
    if table.criteria:
        body = looked.items[0].body
        assert isinstance(body, dict)
        held = body[declared.criteria_column]
        listed = json.loads(held) if isinstance(held, str) else held
        assert tuple(criterion["points"] for criterion in listed) == table.criteria


QUICK = (
    "cover_sheet_title_rows_and_merged_questions",
    "blank_cells_instead_of_merged_ones",
    "letters_of_a_doctor_and_a_machine_in_rows",
    "answers_by_model_in_a_list",
    "references_under_many_headings",
    "cases_in_columns_of_a_csv",
)


@pytest.mark.first_quick
@pytest.mark.parametrize("name", QUICK)
def test_a_messy_table_becomes_the_study_that_is_right(tmp_path: Path, name: str) -> None:
    require_right(tmp_path, MESSY[name]())


@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in MESSY if name not in QUICK])
def test_every_messy_table_becomes_the_study_that_is_right(tmp_path: Path, name: str) -> None:
    require_right(tmp_path, MESSY[name]())
