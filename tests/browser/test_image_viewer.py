"""Images and pages of PDFs at the desk: enlarged to their pixels, moved, lit, looked through."""

from __future__ import annotations

import io
import re

import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw
from playwright.sync_api import Locator, Page, expect

from medlens.app import work_behind_commands
from medlens.config.settings import load_settings
from medlens.review import raters, rounds
from medlens.store import Store
from medlens.studies.own.attached_files import AttachedStudyFiles
from medlens.studies.own.study import open_study
from tests.browser.conftest import AppServer, Server, sign_in
from tests.conftest import LayStore

pytestmark = pytest.mark.deep

TEXT = """\
id = "scans"
title = "Scans"
instructions = "Look at the scan."

[[column]]
name = "scan"
means = "the scan"

[[column]]
name = "trial"
means = "the trial"

[[pane]]
title = "Scan"
kind = "image"
column = "scan"

[[pane]]
title = "Trial"
kind = "pdf"
column = "trial"

[[question]]
id = "right"
kind = "yes_no"
text = "Is it right?"
required = true
"""
WIDTH, HEIGHT = 3000, 2000
FITTED = re.compile(r"^\d\d %$")


def scan() -> bytes:
    """An image with print that cannot be read when it is fitted."""
    made = Image.new("L", (WIDTH, HEIGHT), 90)
    draw = ImageDraw.Draw(made)
    for at in range(0, HEIGHT, 100):
        draw.text((40, at), f"Fine print in line {at}, 0.03 mg/l " * 6, fill=200)
    draw.ellipse((1200, 700, 1900, 1300), fill=150)
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def trial() -> bytes:
    """A PDF of 60 pages, of which 7 and 41 speak of hyponatraemia."""
    made = FPDF()
    made.set_font("Helvetica", size=11)
    for page in range(1, 61):
        made.add_page()
        word = "Hyponatraemia was frequent." if page in (7, 41) else "Nothing was found."
        made.multi_cell(0, 6, f"Page {page}. {word}\n" + "Words of a trial. " * 60)
    return bytes(made.output())


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    """A study of two items, each with a scan and a trial."""
    folder = tmp_path_factory.mktemp("scans")
    files = AttachedStudyFiles(folder / "files" / "scans")
    files.folder.mkdir(parents=True)
    files.add_file_and_say_if_new("scan.png", scan(), by=None)
    files.add_file_and_say_if_new("trial.pdf", trial(), by=None)
    config = f'[own]\nfiles_folder = "{folder / "files"}"\n'
    (folder / "medlens.toml").write_text(config)
    settings = load_settings({"MEDLENS_CONFIG": str(folder / "medlens.toml")})

    def add_study(store: Store) -> None:
        raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
        raters.find_or_add_rater_by_name(store, "Rosa Reviewer")
        work_behind_commands.declare_study_and_return_report_text(store, TEXT, "scans.toml")
        rows = b"item,scan,trial\n1,scan.png,trial.pdf\n2,scan.png,trial.pdf\n"
        work_behind_commands.import_file(
            store, settings, "own-items", rows, name="s.csv", dataset="scans"
        )
        task = open_study(store, settings, "scans").task
        rounds.open_or_close_round(store, task, "scans", state="open", raters=(), by=None)

    return lasting_server(store=lay_store(folder / "scans.duckdb", add_study), settings=config)


def opened(page: Page, server: Server) -> Locator:
    """The desk, and its viewer of the scan."""
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=scans")
    viewer = page.locator(".miv").filter(visible=True).first
    expect(viewer.locator(".miv-zoom")).to_have_text(FITTED, timeout=45_000)
    expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
    return viewer


def test_every_pixel_of_an_image_is_reached_by_keys_wheel_and_hand(
    page: Page, server: Server
) -> None:
    viewer = opened(page, server)
    frame, image, zoom = (viewer.locator(part) for part in (".miv-frame", "img", ".miv-zoom"))
    assert image.evaluate("one => one.naturalWidth") == WIDTH
    frame.focus()
    page.keyboard.press("End")
    expect(zoom).to_have_text("100 %")
    assert image.evaluate("one => one.getBoundingClientRect().width") == pytest.approx(WIDTH, abs=2)
    left = image.evaluate("one => one.getBoundingClientRect().left")
    page.keyboard.press("ArrowLeft")
    assert image.evaluate("one => one.getBoundingClientRect().left") == pytest.approx(left + 80)
    box = frame.bounding_box()
    assert box
    page.mouse.move(box["x"] + 200, box["y"] + 150)
    page.mouse.down()
    page.mouse.move(box["x"] + 150, box["y"] + 130)
    page.mouse.up()
    assert image.evaluate("one => one.getBoundingClientRect().left") == pytest.approx(left + 30)
    page.mouse.wheel(0, -400)
    expect(zoom).not_to_have_text("100 %")
    page.keyboard.press("Home")
    expect(zoom).to_have_text(FITTED)
    # Nothing that the viewer heard was an answer, and the desk's own keys still are.
    expect(page.locator("[data-field=right] :checked")).to_have_count(0)
    page.keyboard.press("1")
    expect(page.locator("[data-field=right] :checked")).to_have_count(1)


def test_an_image_is_lit_by_keys_and_sliders_and_a_wheel_elsewhere_scrolls_the_page(
    page: Page, server: Server
) -> None:
    viewer = opened(page, server)
    image = viewer.locator("img")
    viewer.locator(".miv-frame").focus()
    page.keyboard.press("]")
    page.keyboard.press("}")
    assert image.evaluate("one => one.style.filter") == "brightness(1.1) contrast(1.1)"
    viewer.get_by_role("slider", name="Contrast").focus()
    page.keyboard.press("ArrowRight")
    assert image.evaluate("one => one.style.filter") == "brightness(1.1) contrast(1.2)"
    viewer.get_by_role("button", name="Undo brightness and contrast").click()
    assert image.evaluate("one => one.style.filter") == ""
    page.locator("[data-field=right] label").first.focus()
    box = viewer.locator(".miv-frame").bounding_box()
    assert box
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.wheel(0, 200)
    expect(viewer.locator(".miv-zoom")).to_have_text(FITTED)


def test_words_are_found_in_a_pdf_and_marked_and_a_page_is_turned_to(
    page: Page, server: Server
) -> None:
    opened(page, server)
    pdf = page.locator(".miv").filter(visible=True).nth(1)
    expect(pdf.locator("img")).to_have_attribute("alt", "Trial, page 1 of 60")
    field = page.get_by_label("Find in this PDF").filter(visible=True)
    field.fill("hyponatraemia")
    field.press("Enter")
    expect(pdf.locator("img")).to_have_attribute("alt", "Trial, page 7 of 60", timeout=30_000)
    expect(pdf.locator(".miv-marks span")).to_have_count(1)
    expect(page.get_by_text("On pages 7, 41.").filter(visible=True)).to_be_visible()
    page.get_by_role("button", name="Later page").filter(visible=True).click()
    expect(pdf.locator("img")).to_have_attribute("alt", "Trial, page 41 of 60", timeout=30_000)
    number = page.get_by_label("Page", exact=True).filter(visible=True)
    number.fill("3")
    number.press("Enter")
    expect(pdf.locator("img")).to_have_attribute("alt", "Trial, page 3 of 60", timeout=30_000)
    expect(pdf.locator(".miv-marks span")).to_have_count(0)
