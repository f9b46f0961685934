"""Whatever a project of another tool holds: it comes in, or is refused in words that lead on.

No message may hold a programming language's words, and each names the file, the record or the part
at fault. ``make fuzz`` runs thousands, from a seed that it prints.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from pathlib import Path

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import MedLensError
from medlens.store import Store, open_store
from medlens.studies.own import study, study_file
from medlens.studies.own.bridge_registry import TOOLS
from tests.fuzz.projects import damaged, projects, words_of

EXAMPLES = int(os.environ.get("FUZZ", "340"))
"""Of each tool: 2,040 in all."""
_FEW = 15
"""Of each tool, each time that the tests run."""
WITHOUT_ITEMS = frozenset({"redcap"})
"""Tools of which a form alone comes in."""
SEED = int(os.environ.get("SEED", "20240413"))

PYTHON = re.compile(
    r"\b\w*(?:Error|Exception|Warning)\b|Traceback|NoneType|\bNone\b|\bTrue\b|\bFalse\b"
    r"|list index|out of range|could not convert|invalid literal|not subscriptable|not iterable"
    r"|has no attribute|unhashable|\bobject is\b|codec|ordinal|must be str|argument|\bdict\b"
    r"|<class|\bbuiltin|unpack \(|Expecting|unexpected keyword|\bint\b|\bfloat\b|\bbytes\b object"
    r"|\{'|\['|\[\{'|<\w+ object|at 0x|STUDY\.toml"
)
"""Words that only a programmer would write, and values as Python writes them."""


def said_of(tool: str, number: int) -> str:
    """What is said of a damaged project; empty if it comes in."""
    try:
        TOOLS[tool].convert("Notes", *damaged(tool, number))
    except MedLensError as error:
        return str(error)
    return ""


QUOTED = re.compile(r"['“]([^'“”]+)['”]")
PLACE = re.compile(
    r"\b(?:configuration|export|settings|records?|logs?|zip|file|data|task|question|scheme|project"
    r"|line|row|sample|item|layer|tags?|annotation_schemes|data_files)\b|['“]|\.\w{3,5}\b",
    re.IGNORECASE,
)
"""Words that say where in a project something is wrong."""


def faults_of(tool: str, numbers: range) -> list[str]:
    """What is wrong with what is said of these damaged projects."""
    wrong = []
    for number in numbers:
        try:
            said = said_of(tool, number)
        except Exception as error:  # noqa: BLE001  (any is a fault, and all are wanted)
            wrong.append(f"{tool} {number}: {type(error).__name__}: {error}")
        else:
            if found := PYTHON.search(_without_quotes(said, tool, number)):
                wrong.append(f"{tool} {number}: {found[0]!r} in: {said}")
            elif said and not PLACE.search(said):
                wrong.append(f"{tool} {number}: no place in: {said}")
    return wrong


def _without_quotes(said: str, tool: str, number: int) -> str:
    """A message without what it quotes of the project's own files."""
    if not PYTHON.search(said):
        return said
    written = words_of(damaged(tool, number))
    return QUOTED.sub(lambda quote: "" if quote[1] in written else quote[0], said)


@pytest.mark.deep
@pytest.mark.parametrize("tool", TOOLS)
def test_at_least_twelve_projects_of_each_tool_are_valid(tool: str) -> None:
    written = projects()[tool]
    assert len(written) >= 12
    for files in written:
        made = TOOLS[tool].convert("Notes", *files)
        assert made.items or tool in WITHOUT_ITEMS


@pytest.mark.first_quick
@pytest.mark.parametrize("tool", TOOLS)
def test_a_damaged_project_comes_in_or_is_refused_in_words(tool: str) -> None:
    assert faults_of(tool, range(SEED, SEED + _FEW)) == []


@pytest.mark.deep
@pytest.mark.parametrize("tool", TOOLS)
def test_no_damaged_project_of_thousands_is_answered_in_a_programmers_words(tool: str) -> None:
    assert faults_of(tool, range(SEED, SEED + EXAMPLES)) == []


@pytest.mark.deep
@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.usefixtures("read_near")
def test_what_comes_in_of_a_damaged_project_can_be_imported(tool: str, tmp_path: Path) -> None:
    with contextlib.closing(open_store(tmp_path / "store.duckdb")) as store:
        assert _imported(store, tool) > 0 or tool in WITHOUT_ITEMS


def _imported(store: Store, tool: str) -> int:
    imported = 0
    for number in range(SEED, SEED + max(40, EXAMPLES // 10)):
        try:
            made = TOOLS[tool].convert(f"Notes {number}", *damaged(tool, number))
        except MedLensError:
            continue
        study.store_study_file_version_and_return_it(store, made.study, name="study.toml", by=None)
        dataset = study_file.parse_study_file(made.study).study_id
        for kind, rows in (("own-items", made.items), ("own-judgments", made.judgments)):
            if rows:
                content = "\n".join(map(json.dumps, rows)).encode()
                done = work_behind_commands.import_file(
                    *(store, Settings(), kind, content), name="rows.jsonl", dataset=dataset
                )
                assert done.refused == 0, (number, done.line)
                imported += done.added
    return imported
