"""Running text and files of other programs in place of a table."""

from __future__ import annotations

import bz2
import gzip
import io
from pathlib import Path

import pytest

from medlens.app.file_intake import reader_client
from medlens.config.settings import Settings
from medlens.errors import BadFile
from medlens.tables.file_kind_and_lines import recognise_kind_of_file
from medlens.tables.refuse_conversation_given_as_table import (
    require_table_and_no_conversation,
    require_table_and_no_running_text,
)

SAID = """Patient: Can I take ibuprofen together with my warfarin for knee pain?
ChatGPT: It is best avoided. Ibuprofen raises the risk of bleeding, and can raise the INR.

Patient: My newborn is six days old and the whites of her eyes are yellow.
ChatGPT: Mild jaundice is common, but yellow eyes on day six should be measured.
"""


def test_a_conversation_as_running_text_is_refused_with_what_a_table_needs(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text(SAID, encoding="utf-8")
    with pytest.raises(BadFile, match="lines begin with “Patient:” and “ChatGPT:”") as refused:
        reader_client.read_file_description_in_reader_process(Settings(), path, path.name)
    assert "a row for each case" in refused.value.hint.casefold()


PROSE = """A man of 54 came with chest pain, which had begun at noon, and was short of breath.

The model advised him to see a doctor at once: an infarction, a dissection or an embolism.

On examination he was pale and sweating.

The second model wrote that anxiety was likely, with which nobody agreed.
"""


def test_paragraphs_in_place_of_a_table_are_refused_with_what_a_table_needs(tmp_path: Path) -> None:
    path = tmp_path / "case.txt"
    path.write_text(PROSE, encoding="utf-8")
    with pytest.raises(BadFile, match="running text, not a table") as refused:
        reader_client.read_file_description_in_reader_process(Settings(), path, path.name)
    assert "a row for each case" in refused.value.hint.casefold()


LONG = "What would you say to this patient with chest pain today?"


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG},Why would you say so to him?\nCall an ambulance.,He may die.\nSee me.,Why not?\n",
        f'{LONG}\n"Call, and stay with him."\n"Nothing, he is young, and fit."\nSee a doctor.\n',
        f"{LONG}\nCall an ambulance.\nNothing at all.\nSee a doctor.\n",
        "case,answer\nPain, since today.,Call.\nCough, fever, chills.,Rest.\nNone.,None.\n",
        f"{LONG}\n1,2\n3,4,5\n6\n7\n",
        "",
    ],
)
def test_a_table_is_no_running_text(text: str) -> None:
    require_table_and_no_running_text(text, "t.csv")


@pytest.mark.parametrize("begin", [b"PK\x03\x04 word/document.xml", b"{\\rtf1", b"%PDF-1.7"])
def test_a_document_says_how_its_table_or_its_text_becomes_a_table(begin: bytes) -> None:
    with pytest.raises(BadFile) as refused:
        recognise_kind_of_file(io.BytesIO(begin), "case.docx", [])
    assert "copy that into a spreadsheet" in refused.value.hint
    assert "a row for each case" in refused.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "item,question,answer\n1,Why?,Because: so.\n2,Why?,Because: so.\n",
        "question\nPatient: can I take ibuprofen now?\nPatient: can I go home now?\n" * 3,
        "a: 1\nb: 2\na: 3\nb: 4\n",
        "",
    ],
)
def test_a_table_is_no_conversation(text: str) -> None:
    require_table_and_no_conversation(text, "t.csv")


@pytest.mark.parametrize(
    ("content", "said", "hint"),
    [
        (b"<stata_dta><header><release>118</release>", "a data set of Stata", "export delimited"),
        (b"$FL2@(#) SPSS DATA FILE", "a data set of SPSS", "CSV"),
        (b"\x00\x01\x00\x00Standard ACE DB\x00\x02", "an Access database", "CSV"),
        (b'<?xml version="1.0"?>\n<etude><cas/></etude>', "an XML file", "CSV"),
        (b"{\\rtf1\\ansi text", "RTF", "spreadsheet"),
        *(
            (bytes([version, order, 1, 0, 2, 0]) + bytes(99), "a data set of Stata", "delimited")
            for version in (104, 105, 108, 110, 111, 113, 114, 115)
            for order in (1, 2)
        ),
        (b"ASCII SPSS PORT FILE" + b" " * 99, "a data set of SPSS", "CSV"),
        (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", "a data set of SAS", "CSV"),
        (b"X\n\0\0\0\3\0\4\3\1", "R's saved data", "write.csv"),
        (b"\x09\x04\x06\0\0\0\x10\0\0\0", "an Excel before 1997", ".xlsx"),
        (b"\x09\0\x04\0\2\0\x10\0", "an Excel before 1997", ".xlsx"),
    ],
)
def test_a_file_of_another_program_says_what_it_is_and_how_to_export_it(
    tmp_path: Path, content: bytes, said: str, hint: str
) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(content)
    with path.open("rb") as source, pytest.raises(BadFile, match=said) as refused:
        recognise_kind_of_file(source, "a.dat", [])
    assert hint in refused.value.hint


@pytest.mark.parametrize(
    ("name", "content", "said", "hint"),
    [
        ("a.rds", gzip.compress(b"X\n\0\0\0\3", mtime=0), "R's saved data", "write.csv"),
        ("a.RData", bz2.compress(b"RDX3\nX\n"), "R's saved data", "write.csv"),
        ("a.numbers", b"PK\3\4 Index/Document.iwa", "a spreadsheet of Numbers", "CSV or Excel"),
        ("a.pages", b"PK\3\4 Index/Document.iwa", "a document of Pages", "spreadsheet"),
        ("a.csv.gz", gzip.compress(b"a,b", mtime=0), "compressed", "Unpack it"),
    ],
    ids=["rds", "RData", "numbers", "pages", "csv.gz"],
)
def test_a_compressed_file_of_another_program_is_known_by_its_name(
    name: str, content: bytes, said: str, hint: str
) -> None:
    with pytest.raises(BadFile, match=said) as refused:
        recognise_kind_of_file(io.BytesIO(content), name, [])
    assert hint in refused.value.hint
