"""TOML files that somebody made to stall or end the server: refused in words, at once."""

from __future__ import annotations

import multiprocessing
import resource
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

from medlens.config.toml_file import TomlFile
from medlens.errors import BadFile
from medlens.studies.own import study_file

GOOD = """\
id = "own"
title = "Letters"
instructions = "Read."

[[column]]
name = "letter"
means = "the letter"

[[pane]]
title = "Letter"
column = "letter"

[[question]]
id = "clear"
kind = "single"
text = "Clear?"
options = ["yes", "no"]
"""
SECONDS, BYTES = 3, 1 << 30
SEVERAL = 20_000

HOSTILE = {
    "a key of 400,000 parts": ".".join("a" * 400_000) + " = 1",
    "a header of 5,000 parts": f"[{'.'.join('a' * 5_000)}]",
    "quoted keys of many parts": ".".join(['"\\"."'] * 5_000) + " = 1",
    "keys of parts within keys of parts": "x = " + "{a.b.c.d.e.f.g.h.i = " * 90 + "1" + "}" * 90,
    "brackets within brackets": "x = " + "[" * 400_000 + "]" * 400_000,
    "tables of every name": GOOD + "".join(f"[t{at}]\n" for at in range(SEVERAL)),
    "questions without end": GOOD + "[[question]]\n" * SEVERAL,
    "columns without end": GOOD + "[[column]]\n" * SEVERAL,
    "panes without end": GOOD + "[[pane]]\n" * SEVERAL,
    "arms without end": GOOD + "[[arm]]\n" * SEVERAL,
    "fields without end": GOOD + "".join(f"k{at} = 1\n" for at in range(SEVERAL)),
    "options without end": GOOD.replace('"yes"', ", ".join(f'"{n}"' for n in range(SEVERAL))),
    "a number of 900,000 digits": f"raters_per_item = {'9' * 900_000}\n{GOOD}",
    "a number of 4,000 digits": f"raters_per_item = {'9' * 4_000}\n{GOOD}",
    "a number in hexadecimal": f"raters_per_item = 0x{'f' * 900_000}\n{GOOD}",
    "a number without end": f"gold_share = inf\n{GOOD}",
    "a field of a long name": f"{'a' * 900_000} = 1\n{GOOD}",
    "blanks within a header": f'["x{" " * 900_000}x"]\n',
}
HARMLESS = {
    "comments": "#\n" * 100_000 + GOOD,
    "line ends": GOOD + "\n" * 100_000 + "# end",
    "blanks": GOOD + " " * 900_000 + "# end",
    "quotation marks": GOOD.replace("Read.", "'" * 900_000),
    "sentences with points": GOOD.replace("Read.", "1.2. See 3.4. " * 60_000),
}


def _read(text: str, outcome: multiprocessing.SimpleQueue[tuple[str, int]]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    # Beside what this process was given by the one that it comes from.
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + 2 * BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        study_file.parse_study_file_text_and_declaration(text.encode(), "STUDY.toml")
    except BadFile as error:
        # The page shows both.
        rows = "".join(map(str, error.rows))
        outcome.put((str(error), len(rows)))
    else:
        outcome.put(("", 0))


def _outcome(text: str) -> tuple[str, int]:
    """What the file was refused for, and how much its rows say of that; in a process of its own,
    which is ended when it takes too long or too much memory."""
    told: multiprocessing.SimpleQueue[tuple[str, int]] = multiprocessing.SimpleQueue()
    reader = multiprocessing.get_context("fork").Process(target=_read, args=(text, told))
    reader.start()
    reader.join()
    assert reader.exitcode == 0
    return told.get()


@pytest.mark.deep
@pytest.mark.parametrize("what", HOSTILE)
def test_a_file_made_to_stall_the_server_is_refused_in_words(what: str) -> None:
    said, told = _outcome(HOSTILE[what])
    assert "STUDY.toml" in said
    assert len(said) < 1_000
    assert told < 1_000_000


@pytest.mark.deep
@pytest.mark.parametrize("what", HARMLESS)
def test_a_long_file_without_a_fault_is_read(what: str) -> None:
    assert _outcome(HARMLESS[what])[0] == ""


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(b"#" * 3_000_000)
    with pytest.raises(BadFile, match=r"own\.toml is larger than 2 MB"):
        TomlFile(path, "form")
    with pytest.raises(BadFile, match="zero is larger than 2 MB"):
        TomlFile(Path("/dev/zero"), "form")


@dataclass(frozen=True)
class Place:
    id: str
    means: str
    size: Literal["small", "large"] = "small"
    open: bool = True
    rooms: tuple[str, ...] = ()
    notes: str = ""


WARD = b'id = "ward"\nmeans = "where patients lie"\nrooms = ["a", "b"]\nopen = false\n'


def test_a_table_is_read_by_the_types_of_a_dataclass() -> None:
    file = TomlFile(Path("place.toml"), "place", content=WARD)
    rooms = ("a", "b")
    assert file.read_table_as_dataclass(file.top, Place) == Place(
        "ward", "where patients lie", "small", False, rooms
    )
    assert file.read_table_as_dataclass(file.top, Place, ("id", "means")) == Place(
        "ward", "where patients lie"
    )
    assert file.read_table_as_dataclass(file.top, Place, means="here", open=True) == Place(
        "ward", "here", rooms=rooms
    )
    assert file.rows == []


def test_every_mistake_in_a_table_is_named_with_its_line_and_what_is_allowed() -> None:
    wrong = b'id = "Ward 1"\nsize = "huge"\nopen = "yes"\nrooms = "a"\nnotes = 1\nroms = []\n'
    file = TomlFile(Path("place.toml"), "place", content=wrong)
    file.read_table_as_dataclass(file.top, Place)
    assert {row.column: (row.line, row.expected) for row in file.rows} == {
        "id": (1, "lower-case letters, digits and _, beginning with a letter"),
        "means": (1, "this field, a text in quotes"),
        "size": (2, "one of small, large"),
        "open": (3, "true or false"),
        "rooms": (4, "a list of texts in quotes"),
        "notes": (5, "this field, a text in quotes"),
        "roms": (6, "one of the fields id, means, size, open, rooms, notes"),
    }
