"""Images and PDFs that items of an own study show."""

from __future__ import annotations

import base64
import io
import json
import unicodedata
import zipfile
import zlib
from pathlib import Path

import pypdfium2
import pytest
from fpdf import FPDF
from PIL import Image

from medlens.app import work_behind_commands
from medlens.app.file_intake import reader_client
from medlens.config.settings import Model, Settings, load_settings
from medlens.errors import BadFile, InvalidInput, NotAllowed
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import items, raters
from medlens.store import Store
from medlens.studies import model_runs_that_rate_items
from medlens.studies.own import study
from medlens.studies.own.attached_files import (
    FILES,
    LARGEST,
    AttachedStudyFiles,
    file_names_in_cell,
    find_pdf_page_number_in_cell,
    is_image_or_pdf,
)
from medlens.studies.own.study import OwnSettings, attached_files_of_study, open_study
from medlens.studies.own.study_file import parse_study_file
from medlens.studies.own.tasks import make_own_study_task
from tests.llm_server import LLMServer, Reply

pytestmark = pytest.mark.usefixtures("read_near")

TEXT = """\
id = "scans"
title = "Is the report right?"
instructions = "Look at the scan."

[[column]]
name = "scan"
means = "the scan"

[[column]]
name = "report"
means = "the report"

[[pane]]
title = "Scan"
kind = "image"
column = "scan"

[[pane]]
title = "Report"
column = "report"

[[question]]
id = "right"
kind = "yes_no"
text = "Is it right?"
required = true
"""


def image(colour: int = 0) -> bytes:
    """A PNG of one colour."""
    out = io.BytesIO()
    Image.new("L", (8, 8), colour).save(out, "PNG")
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG that says it is so large, of no pixels."""
    whole = image()
    head = b"IHDR" + width.to_bytes(4, "big") + height.to_bytes(4, "big") + whole[24:29]
    return whole[:12] + head + zlib.crc32(head).to_bytes(4, "big") + whole[33:]


def pdf(pages: int) -> bytes:
    """A PDF of so many empty pages."""
    made = pypdfium2.PdfDocument.new()
    for _ in range(pages):
        made.new_page(200, 280)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, content in files.items():
            packed.writestr(name.replace("_in_", "/"), content)
    return out.getvalue()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings().model_copy(update={"own": OwnSettings(files_folder=tmp_path / "files")})


@pytest.fixture
def attached(settings: Settings) -> AttachedStudyFiles:
    return attached_files_of_study(settings, "scans")


def add(store: Store, settings: Settings, rows: str) -> None:
    study.store_study_file_version_and_return_it(store, TEXT, name="STUDY.toml", by=None)
    work_behind_commands.import_file(
        store, settings, "own-items", io.BytesIO(rows.encode()), name="scans.csv", dataset="scans"
    )


def test_an_item_is_kept_with_its_images_which_adjudicators_and_models_are_shown(
    store: Store, settings: Settings, attached: AttachedStudyFiles
) -> None:
    for name, colour in (("a.png", 0), ("b.png", 255)):
        assert attached.add_file_and_say_if_new(name, image(colour), by=None)
    add(store, settings, "item,scan,report\nfirst,a.png; b.png,Clear.\n")
    opened = open_study(store, settings, "scans")
    beside = work_behind_commands.make_export_table(
        store, settings, "annotated", viewer=None, study="own", dataset="scans"
    )
    assert [*beside][:3] == ["item", "scan", "report"]
    assert FILES not in beside
    [item] = items.item_ids_by_name(store, "own", "scans", ["first"]).values()
    assert set(items.item_body(store, item)[FILES]) == {"a.png", "b.png"}
    assert opened.task.load_image_bytes_by_name_of_item(store, item) == {
        "Scan 1": image(0),
        "Scan 2": image(255),
    }
    assert opened.task.load_texts_by_heading_of_item(store, item) == {"Report": "Clear."}
    (attached.folder / "a.png").write_bytes(image(7))
    with pytest.raises(InvalidInput, match="was changed after its item was added"):
        opened.task.load_image_bytes_by_name_of_item(store, item)


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("gone.png", "missing, or larger than 20 MB"),
        ("../../secret.png", "missing, or larger than 20 MB"),
        ("/etc/passwd", "missing, or larger than 20 MB"),
        ("words.png", "not a PNG, JPEG, GIF or WebP image"),
    ],
)
def test_an_item_whose_image_cannot_be_shown_is_refused_by_line(
    store: Store,
    settings: Settings,
    attached: AttachedStudyFiles,
    tmp_path: Path,
    cell: str,
    why: str,
) -> None:
    attached.folder.mkdir(parents=True)
    (attached.folder / "words.png").write_text("no image")
    (tmp_path / "secret.png").write_bytes(image())
    with pytest.raises(BadFile, match=why) as caught:
        add(store, settings, f"item,scan,report\nfirst,{cell},Clear.\n")
    assert [(row.line, row.column, row.got) for row in caught.value.rows] == [(2, "scan", cell)]
    assert items.datasets_of_study(store, "own") == []


def test_a_file_of_another_content_never_takes_the_place_of_one_that_is_there(
    attached: AttachedStudyFiles,
) -> None:
    assert attached.add_file_and_say_if_new("folder/a.png", image(0), by=None)
    assert not attached.add_file_and_say_if_new("a.png", image(0), by=None)
    with pytest.raises(InvalidInput, match=r"another file called 'a\.png'"):
        attached.add_file_and_say_if_new("a.png", image(1), by=None)
    assert [one.name for one in attached.folder.iterdir()] == ["a.png"]
    assert (attached.folder / "a.png").read_bytes() == image(0)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("..", image(), "cannot be kept under this name"),
        (".hidden.png", image(), "cannot be kept under this name"),
        ("a\u202egnp.exe", image(), "cannot be kept under this name"),
        ("a;b.png", image(), "cannot be kept under this name"),
        ("x" * 130 + ".png", image(), "cannot be kept under this name"),
        ("page.png", b"<svg onload=alert(1)>", "nor a PDF"),
        ("riff.webp", b"RIFF\x00\x00\x00\x00WAVE", "nor a PDF"),
        ("damaged.png", image()[:12], "is damaged"),
        ("bomb.png", bomb(20_000, 20_000), "more than 100 million pixels"),
        ("wide.png", bomb(101_000, 1_000), "more than 100 million pixels"),
        ("large.png", image() + bytes(20_000_000), "larger than 20 MB"),
    ],
    ids=[
        "up",
        "hidden",
        "reversed",
        "semicolon",
        "long",
        "svg",
        "wave",
        "damaged",
        "bomb",
        "wide",
        "large",
    ],
)
def test_what_is_no_image_or_pdf_is_not_kept(
    attached: AttachedStudyFiles, name: str, content: bytes, why: str
) -> None:
    with pytest.raises(InvalidInput, match=why):
        attached.add_file_and_say_if_new(name, content, by=None)
    assert not attached.folder.exists()


def test_the_folder_counts_from_the_settings_file(tmp_path: Path) -> None:
    file = tmp_path / "medlens.toml"
    file.write_text('[own]\nfiles_folder = "scans"\n')
    found = load_settings({"MEDLENS_CONFIG": str(file)})
    assert attached_files_of_study(found, "x").folder == tmp_path / "scans" / "x"


def test_only_leads_add_files(store: Store, attached: AttachedStudyFiles) -> None:
    somebody = raters.find_or_add_rater_by_name(store, "Ines")
    with pytest.raises(NotAllowed):
        attached.add_file_and_say_if_new("a.png", image(), by=somebody)
    assert not attached.folder.exists()


def given_by(path: Path, settings: Settings | None = None) -> tuple[list[tuple[str, bytes]], str]:
    """The files of an upload, and why others were refused."""
    files: list[tuple[str, bytes]] = []
    refused = reader_client.pass_on_files_of_upload_and_list_failures(
        settings or Settings(), path, path.name, lambda *file: files.append(file)
    )
    return files, " ".join(refused)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_zip_gives_its_files_without_what_macos_adds(tmp_path: Path) -> None:
    whole = zipped(**{"ct_in_a.png": image(), "__MACOSX_in_.a.png": b"x"})
    path = written(tmp_path / "scans.zip", whole)
    assert given_by(path) == ([("ct/a.png", image())], "")
    cut, _ = given_by(written(tmp_path / "cut.zip", whole[:-40]))
    assert [name for name, _ in cut] == ["cut.zip"]


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Ro\u0308ntgen 1.png".encode(), "Röntgen 1.png"),
        ("Röntgen 1.png".encode(), "Röntgen 1.png"),
        ("Röntgen 1.png".encode("cp437"), "Röntgen 1.png"),
        ("Fuß À côté.png".encode("cp850"), "Fuß À côté.png"),
        ("Ärztin größer.png".encode("cp1252"), "Ärztin größer.png"),
        ("niño.png".encode("cp437"), "niño.png"),
    ],
    ids=["macOS", "UTF-8", "DOS", "DOS in Western Europe", "Windows", "DOS in Spanish"],
)
def test_an_image_is_found_in_whatever_way_its_name_was_packed(
    raw: bytes, name: str, tmp_path: Path, attached: AttachedStudyFiles
) -> None:
    # Python writes names in UTF-8 and says so: here they are as other packers leave them.
    stand_in = "x" * len(raw)
    packed = zipped(**{stand_in: image()}).replace(stand_in.encode(), raw)
    [(called, content)], why = given_by(written(tmp_path / "scans.zip", packed))
    assert why == ""
    assert attached.add_file_and_say_if_new(called, content, by=None)
    assert not attached.add_file_and_say_if_new(name, content, by=None)
    for cell in (name, unicodedata.normalize("NFD", name), name.upper(), f"images/{name}"):
        assert attached.digest_of_file(cell, "image") == attached.digest_of_file(name, "image")
    with pytest.raises(InvalidInput, match="missing"):
        attached.digest_of_file("other.png", "image")


def test_a_name_that_two_files_would_fit_finds_neither_unless_one_is_called_so(
    attached: AttachedStudyFiles,
) -> None:
    attached.add_file_and_say_if_new("Scan.png", image(), by=None)
    attached.add_file_and_say_if_new("scan.png", image(12), by=None)
    assert attached.digest_of_file("scan.png", "image") != attached.digest_of_file(
        "Scan.png", "image"
    )
    with pytest.raises(InvalidInput, match="Several files have this name"):
        attached.digest_of_file("SCAN.png", "image")


def test_a_file_kept_with_its_letters_in_two_parts_is_still_the_one_of_its_name(
    attached: AttachedStudyFiles,
) -> None:
    attached.folder.mkdir(parents=True)
    (attached.folder / unicodedata.normalize("NFD", "Röntgen.png")).write_bytes(image())
    assert attached.digest_of_file("Röntgen.png", "image")
    assert not attached.add_file_and_say_if_new("Röntgen.png", image(), by=None)
    assert len([*attached.folder.iterdir()]) == 1


def test_a_zip_that_would_fill_the_disk_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medlens.studies.own.attached_files._MOST_BYTES", 100)
    path = written(tmp_path / "bomb.zip", zipped(**{"a.png": bytes(101)}))
    with pytest.raises(InvalidInput, match="more than 1 GB"):
        given_by(path)


def test_of_a_file_that_unpacks_to_much_no_more_is_read_than_may_be_kept(
    tmp_path: Path, attached: AttachedStudyFiles
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("huge.png", image() + bytes(LARGEST + 1_000))
    [(name, content)], _ = given_by(written(tmp_path / "bomb.zip", out.getvalue()))
    assert len(content) == LARGEST + 1
    with pytest.raises(InvalidInput, match=r"'huge\.png' is larger than 20 MB"):
        attached.add_file_and_say_if_new(name, content, by=None)


@pytest.mark.parametrize(
    "name", ["../../out.png", "/etc/out.png", "..\\..\\out.png", "C:\\out.png"]
)
def test_no_file_of_a_zip_leaves_the_studys_folder(
    tmp_path: Path, attached: AttachedStudyFiles, name: str
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr(name, image())
    [(given, content)], _ = given_by(written(tmp_path / "leads_out.zip", out.getvalue()))
    assert attached.add_file_and_say_if_new(given, content, by=None)
    assert [path.name for path in attached.folder.iterdir()] == ["out.png"]
    assert not list(tmp_path.parent.glob("out.png"))


def test_two_files_of_one_name_in_a_zip_are_not_taken_for_each_other(
    tmp_path: Path, attached: AttachedStudyFiles
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("a.png", image(1))
        with pytest.warns(UserWarning, match="Duplicate name"):
            packed.writestr("a.png", image(2))
        packed.writestr("again/a.png", image(1))
    files, _ = given_by(written(tmp_path / "twice.zip", out.getvalue()))
    (one, first), (other, second), (same, third) = files
    assert attached.add_file_and_say_if_new(one, first, by=None)
    with pytest.raises(InvalidInput, match=r"another file called 'a\.png'"):
        attached.add_file_and_say_if_new(other, second, by=None)
    assert attached.add_file_and_say_if_new(same, third, by=None)
    assert attached.content_of_file("a.png", "image") == image(1)
    assert attached.content_of_file("again/a.png", "image") == image(1)


def test_each_item_has_its_own_of_two_images_of_one_name_in_different_folders(
    tmp_path: Path, attached: AttachedStudyFiles
) -> None:
    files = {"p1_in_a.png": image(1), "p2_in_a.png": image(2), "p2_in_b.png": image(3)}
    packed = zipped(**{f"scans_in_{name}": content for name, content in files.items()})
    for name, content in given_by(written(tmp_path / "scans.zip", packed))[0]:
        assert attached.add_file_and_say_if_new(name, content, by=None)
    for cell, number in (
        *(("p1/a.png", 1), ("p2/a.png", 2), ("scans/p2/a.png", 2), ("p2\\A.PNG", 2)),
        *(("C:\\x\\p1\\a.png", 1), ("b.png", 3), ("p1/b.png", 3)),
    ):
        assert attached.content_of_file(cell, "image") == image(number), cell
    for cell in ("a.png", "p3/a.png"):
        with pytest.raises(InvalidInput, match="Several files have this name") as told:
            attached.digest_of_file(cell, "image")
        assert "FOLDER/NAME" in told.value.hint


def test_the_same_image_in_two_folders_is_kept_once(
    tmp_path: Path, attached: AttachedStudyFiles
) -> None:
    packed = zipped(**{"p1_in_a.png": image(1), "p2_in_a.png": image(1)})
    names = [name for name, _ in given_by(written(tmp_path / "scans.zip", packed))[0]]
    added = [attached.add_file_and_say_if_new(name, image(1), by=None) for name in names]
    assert added == [True, False]
    assert attached.content_of_file("p2/a.png", "image") == image(1)


def test_a_damaged_file_in_a_zip_is_named_and_the_others_are_given(tmp_path: Path) -> None:
    whole = bytearray(zipped(**{"a.png": image(1), "b.png": image(2), "c.png": image(3)}))
    whole[whole.index(image(2)) + 20] ^= 1
    files, refused = given_by(written(tmp_path / "broken.zip", bytes(whole)))
    assert [name for name, _ in files] == ["a.png", "c.png"]
    assert "'b.png' in 'broken.zip' is damaged" in refused


def test_a_file_in_a_zip_with_a_password_is_named(tmp_path: Path) -> None:
    whole = bytearray(zipped(**{"a.png": image()}))
    directory = whole.index(b"PK\x01\x02")
    whole[6] |= 1
    whole[directory + 8] |= 1
    files, refused = given_by(written(tmp_path / "locked.zip", bytes(whole)))
    assert files == []
    assert refused == "'a.png' in 'locked.zip' has a password. Pack it again without one."


@pytest.mark.parametrize(
    ("called", "content", "words"),
    [
        (
            "directory",
            b"PK\x03\x04" + b"x" * 30 + b"PK\x05\x06" + b"\xff" * 18,
            "cannot be unpacked",
        ),
        ("empty", b"", ""),
        ("text", b"PK, she said", ""),
    ],
)
def test_what_only_begins_or_ends_as_a_zip_is_refused_in_words(
    tmp_path: Path, attached: AttachedStudyFiles, called: str, content: bytes, words: str
) -> None:
    path = written(tmp_path / f"{called}.zip", content)
    if words:
        with pytest.raises(InvalidInput, match=words):
            given_by(path)
    else:
        [(name, given)], _ = given_by(path)
        with pytest.raises(InvalidInput, match="is not a PNG"):
            attached.add_file_and_say_if_new(name, given, by=None)


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA])
def test_a_zip_with_any_byte_changed_gives_files_or_is_refused_in_words(
    tmp_path: Path, packing: int
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as packed:
        packed.writestr("a.png", image(1) + bytes(range(64)))
        packed.writestr("b.pdf", b"%PDF-1.7")
    whole = out.getvalue()
    path = tmp_path / "any.zip"
    for at in range(0, len(whole), 4):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        try:
            files, refused = given_by(path)
        except InvalidInput as error:
            refused = error.message
        else:
            assert files or refused or at > len(whole) - 80
        assert "Error" not in refused


def test_an_image_with_a_zip_behind_it_is_an_image(tmp_path: Path) -> None:
    path = written(tmp_path / "both.png", image() + zipped(**{"a.png": image(2)}))
    assert is_image_or_pdf(path)
    assert not is_image_or_pdf(written(tmp_path / "a.zip", zipped(**{"a.png": image()})))


def test_a_name_that_no_file_can_have_is_refused_in_words(attached: AttachedStudyFiles) -> None:
    for name in ("ü" * 119 + ".png", "\ud800.png"):
        with pytest.raises(InvalidInput, match="cannot be kept under this name"):
            attached.add_file_and_say_if_new(name, image(), by=None)


@pytest.mark.deep
def test_a_page_of_a_pdf_is_drawn_in_a_process_of_its_own(attached: AttachedStudyFiles) -> None:
    attached.add_file_and_say_if_new("trial.pdf", pdf(3), by=None)
    drawn, pages = attached.render_pdf_page_and_count_pages("trial.pdf", "", 2)
    assert pages == 3
    with Image.open(io.BytesIO(drawn)) as shown:
        assert shown.width / shown.height == pytest.approx(200 / 280, abs=0.01)
    with pytest.raises(InvalidInput, match="has 3 pages, and the item asks for page 4"):
        attached.render_pdf_page_and_count_pages("trial.pdf", "", 4)
    (attached.folder / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(InvalidInput, match="cannot be read"):
        attached.render_pdf_page_and_count_pages("broken.pdf", "", 1)


@pytest.mark.deep
def test_a_scanned_page_is_a_jpeg_and_print_a_png_and_the_next_is_drawn_ahead(
    attached: AttachedStudyFiles,
) -> None:
    noise = Image.effect_noise((600, 840), 90).convert("RGB")
    hues = Image.merge(
        "RGB",
        [noise.getchannel(0), noise.getchannel(1).rotate(90), noise.getchannel(2).rotate(180)],
    )
    made = io.BytesIO()
    hues.save(made, "PDF")
    attached.add_file_and_say_if_new("scan.pdf", made.getvalue(), by=None)
    attached.add_file_and_say_if_new("print.pdf", pdf(3), by=None)
    assert attached.render_pdf_page_and_count_pages("scan.pdf", "", 1)[0].startswith(b"\xff\xd8")
    assert attached.render_pdf_page_and_count_pages("print.pdf", "", 1)[0].startswith(b"\x89PNG")
    attached.render_pdf_page_ahead("print.pdf", "", 2, 1400)
    assert attached.render_pdf_page_and_count_pages("print.pdf", "", 2)[1] == 3
    # A page that cannot be drawn is told where it is asked for.
    attached.render_pdf_page_ahead("print.pdf", "", 9, 1400)
    with pytest.raises(InvalidInput, match="asks for page 9"):
        attached.render_pdf_page_and_count_pages("print.pdf", "", 9)


def test_a_cell_names_one_pdf_and_its_page_or_several_images() -> None:
    assert file_names_in_cell("trial.pdf#page=3", "pdf") == ["trial.pdf"]
    assert (
        find_pdf_page_number_in_cell("trial.pdf#page=3"),
        find_pdf_page_number_in_cell("trial.pdf"),
        find_pdf_page_number_in_cell("a.pdf#page=0"),
    ) == (3, 1, 1)
    assert file_names_in_cell("a.png; b c.png;", "image") == ["a.png", "b c.png"]


def test_models_that_take_no_images_are_refused_before_anything_is_asked(
    store: Store, settings: Settings, attached: AttachedStudyFiles
) -> None:
    attached.add_file_and_say_if_new("a.png", image(), by=None)
    add(store, settings, "item,scan,report\nfirst,a.png,Clear.\n")
    model = Model(model="m", base_url="http://localhost:9/v1")
    blind = settings.model_copy(update={"models": {"blind": model}})
    task = open_study(store, blind, "scans").task
    with pytest.raises(InvalidInput, match="images, which blind does not accept"):
        model_runs_that_rate_items.let_models_rate_items(
            store, blind, task, dataset="scans", models=["blind"]
        )


def test_models_that_take_images_are_sent_them_in_order_and_told_what_they_are(
    store: Store, settings: Settings, attached: AttachedStudyFiles
) -> None:
    for name, colour in (("model_a.png", 0), ("b.png", 255)):
        attached.add_file_and_say_if_new(name, image(colour), by=None)
    add(store, settings, "item,scan,report\nfirst,model_a.png;b.png,Clear.\n")
    with LLMServer() as server:
        server.answer = lambda body: Reply(json.dumps({"q_1": "yes", "reason": "So it is."}))
        model = Model(model="m", base_url=server.url, images=True)
        seeing = settings.model_copy(update={"models": {"seeing": model}})
        task = open_study(store, seeing, "scans").task
        how = How(poll_seconds=0.01)
        done = model_runs_that_rate_items.let_models_rate_items(
            store, seeing, task, dataset="scans", models=["seeing"], how=how
        )
    assert done.outcomes == {"rated": 1}
    [said, *images] = server.chats[0].body["messages"][1]["content"]
    assert "The images are, in their order: Scan 1, Scan 2." in said["text"]
    assert "model_a" not in said["text"]
    sent = [base64.b64decode(one["image_url"]["url"].partition(",")[2]) for one in images]
    assert sent == [image(0), image(255)]


def test_studies_that_show_pdfs_are_for_people_alone() -> None:
    shown = parse_study_file(TEXT.replace('kind = "image"', 'kind = "pdf"'))
    assert make_own_study_task(shown).model_answering_setup is None
    assert make_own_study_task(parse_study_file(TEXT)).model_answering_setup is not None


def test_a_column_cannot_have_the_name_under_which_digests_are_kept() -> None:
    with pytest.raises(BadFile, match=r"STUDY\.toml") as caught:
        parse_study_file(TEXT.replace('name = "report"', f"name = {json.dumps(FILES)}"))
    assert any(row.column == "name" for row in caught.value.rows)


@pytest.mark.deep
def test_words_are_found_in_a_pdf_by_page_and_place_and_a_scanned_one_says_that_it_has_none(
    attached: AttachedStudyFiles,
) -> None:
    made = FPDF(unit="pt", format=(200, 400))
    made.set_font("Helvetica", size=10)
    for words in ("nothing", "Sodium was low, and sodium fell."):
        made.add_page()
        made.text(20, 100, words)
    attached.add_file_and_say_if_new("trial.pdf", bytes(made.output()), by=None)
    found = attached.find_in_pdf("trial.pdf", "", " SODIUM ")
    assert (found.has_text, list(found.pages), found.more) == (True, [2], False)
    first, second = found.pages[2]
    assert first[0] == pytest.approx(0.1, abs=0.02)
    assert 0.2 < first[1] < first[3] < 0.27
    assert second[0] > first[2]
    assert not attached.find_in_pdf("trial.pdf", "", "potassium").pages
    attached.add_file_and_say_if_new("empty.pdf", pdf(2), by=None)
    assert not attached.find_in_pdf("empty.pdf", "", "sodium").has_text
