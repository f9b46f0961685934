"""The bridges to other tools: each is named by a table, and loaded only when it is needed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from medlens import cli
from medlens.studies.own.bridge_registry import (
    IMPORTS,
    PACKAGES,
    TOOLS,
    import_bridge_modules,
    iterate_over_references_to_bridges,
)

FOLDER = Path(__file__).resolve().parents[2] / "medlens/bridges"
REFERENCES = sorted({reference.value for reference in iterate_over_references_to_bridges()})


@pytest.fixture
def none_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bridges as they are before one is needed."""
    for name in [name for name in sys.modules if name.startswith("medlens.bridges")]:
        monkeypatch.delitem(sys.modules, name)


@pytest.mark.parametrize("value", REFERENCES)
def test_a_function_that_the_table_names_is_a_bridges_own(value: str) -> None:
    [reference] = [each for each in iterate_over_references_to_bridges() if each.value == value]
    module, _, name = value.partition(":")
    function = reference.load()
    assert (function.__module__, function.__qualname__) == (module, name)


def test_no_bridge_lies_idle() -> None:
    named = {value.partition(":")[0].removeprefix("medlens.bridges.") for value in REFERENCES}
    written = {path.stem for path in FOLDER.glob("*port_*.py")}
    assert written == named
    assert len(TOOLS) >= 7


@pytest.mark.parametrize(
    "words, named",
    [
        (("study", "--help"), [f"from-{name}" for name in TOOLS]),
        (("export", "--help"), [*PACKAGES]),
        (("import", "--help"), [*IMPORTS]),
    ],
    ids=["study", "export", "import"],
)
def test_help_names_them_and_loads_none(
    words: tuple[str, ...], named: list[str], none_loaded: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(words)
    printed = capsys.readouterr().out
    assert [name for name in named if name not in printed] == []
    assert [name for name in sys.modules if name.startswith("medlens.bridges")] == []


def test_a_process_that_reads_many_files_loads_them_all(none_loaded: None) -> None:
    import_bridge_modules()
    loaded = {name for name in sys.modules if name.startswith("medlens.bridges.")}
    assert {value.partition(":")[0] for value in REFERENCES} <= loaded
