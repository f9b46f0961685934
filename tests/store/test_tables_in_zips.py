"""A zip with a table and the images that it names becomes a study in one command."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import io
import zipfile
from pathlib import Path

import pytest

from medlens import cli
from medlens.review import items
from medlens.store import open_store
from medlens.studies.own import queries

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
TABLE = (
    "nr,bild,befund\n1,bild_1.png,Das Bild zeigt einen roten Fleck am linken Arm.\n"
    "2,bild_2.png,Das Bild zeigt einen blassen Fleck am rechten Bein.\n"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEDLENS_STORE", str(tmp_path / "s.duckdb"))
    monkeypatch.setenv("MEDLENS_CONFIG", str(tmp_path / "medlens.toml"))
    (tmp_path / "medlens.toml").write_text('[own]\nfiles_folder = "files"\n')
    return tmp_path


def pack(path: Path, **files: bytes | str) -> Path:
    with zipfile.ZipFile(path, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return path


def kept(folder: Path) -> set[str]:
    return {path.name for path in (folder / "files").rglob("*") if path.is_file()}


def test_a_zip_with_a_table_and_its_images_becomes_a_study_in_one_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"faelle/tabelle.csv": TABLE, "faelle/bild_1.png": PIXEL, "faelle/bild_2.png": PIXEL}
    path = pack(folder / "alles.zip", **files, **{"liesmich.md": "Bilder von Mai"})
    assert cli.main(["study", "from-table", str(path), "--add"]) == 0
    said = capsys.readouterr().out
    assert "alles.zip: read is tabelle.csv, with 2 files." in said
    assert "liesmich.md is neither a table nor an image or PDF, and is left out." in said
    assert kept(folder) == {"bild_1.png", "bild_2.png"}
    store = open_store(folder / "s.duckdb")
    assert [name for name, _, _ in queries.list_names_and_columns_of_items(store, "tabelle")] == [
        "1",
        "2",
    ]
    store.close()
    # A study that is there is not changed, and neither are its files.
    files["faelle/bild_3.png"] = PIXEL
    assert cli.main(["study", "from-table", str(pack(path, **files)), "--add"]) == 1
    assert kept(folder) == {"bild_1.png", "bild_2.png"}


def test_a_zip_is_looked_at_and_its_table_written_beside_the_studys_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = pack(folder / "a.zip", **{"t.csv": TABLE, "bild_1.png": PIXEL})
    assert cli.main(["study", "look", str(path)]) == 0
    assert cli.main(["study", "from-table", str(path), "-o", str(folder / "S.toml")]) == 0
    assert (folder / "S-items.csv").read_text() == TABLE
    assert "The 1 file of the zip can be kept with the study" in capsys.readouterr().out
    assert kept(folder) == set()


def test_a_zip_whose_image_is_missing_adds_nothing(folder: Path) -> None:
    path = pack(folder / "a.zip", **{"t.csv": TABLE, "bild_1.png": PIXEL})
    assert cli.main(["study", "from-table", str(path), "--add"]) == 1
    assert kept(folder) == set()


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"a.png": PIXEL}, "has no table in it"),
        ({"a.csv": TABLE, "b.csv": TABLE}, "has 2 tables: a.csv, b.csv"),
        ({"a.txt": TABLE, "b.txt": TABLE}, "has 2 tables: a.txt, b.txt"),
    ],
)
def test_a_zip_without_one_table_says_what_to_pack(
    folder: Path, files: dict[str, bytes], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["study", "look", str(pack(folder / "a.zip", **files))]) == 1
    refused = capsys.readouterr().err
    assert said in refused
    assert "Pack one table" in refused


@pytest.mark.deep
@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ({"README.txt": "Pictures of May"}, "README.txt is taken for a note beside the table, and"),
        ({"a.txt": "a", "b.TXT": "b"}, "a.txt, b.TXT are taken for notes beside the table, and"),
        ({"~$tabelle.xlsx": "x"}, "~$tabelle.xlsx is neither a table nor an image or PDF, and is"),
    ],
)
def test_a_note_or_a_lock_file_beside_the_table_is_no_table(
    folder: Path, beside: dict[str, str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"tabelle.csv": TABLE, "bild_1.png": PIXEL, "bild_2.png": PIXEL, **beside}
    assert cli.main(["study", "from-table", str(pack(folder / "a.zip", **files)), "--add"]) == 0
    said = capsys.readouterr().out
    assert "a.zip: read is tabelle.csv, with 2 files." in said
    assert told in said


def test_a_table_in_a_txt_file_is_read_if_it_is_the_one_table(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = pack(folder / "a.zip", **{"tabelle.txt": TABLE, "bild_1.png": PIXEL})
    assert cli.main(["study", "look", str(path)]) == 0
    assert "read is tabelle.txt" in capsys.readouterr().out


def test_a_workbook_is_no_zip_of_a_table(folder: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("xl/workbook.xml", "<workbook/>")
    path = folder / "a.xlsx"
    path.write_bytes(out.getvalue())
    assert cli.main(["study", "look", str(path)]) == 1


@pytest.mark.deep
def test_images_of_one_name_in_two_folders_of_a_zip_each_belong_to_their_item(folder: Path) -> None:
    table = TABLE.replace("bild_1.png", "eins/bild.png").replace("bild_2.png", "zwei/bild.png")
    other = PIXEL.replace(b"IEND", b"IENd")
    pixels = {"eins/bild.png": PIXEL, "zwei/bild.png": other}
    path = pack(folder / "alles.zip", **{"tabelle.csv": table}, **pixels)
    assert cli.main(["study", "from-table", str(path), "--add"]) == 0
    assert kept(folder) == {"eins\u2215bild.png", "zwei\u2215bild.png"}
    with contextlib.closing(open_store(folder / "s.duckdb")) as store:
        digests = [
            items.item_body(store, item)["_files"]
            for item in items.item_ids_by_name(store, "own", "tabelle", ["1", "2"]).values()
        ]
    assert digests == [
        {name: hashlib.sha256(content).hexdigest()} for name, content in pixels.items()
    ]
