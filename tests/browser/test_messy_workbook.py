"""A workbook as clinics keep it becomes a first blinded judgment in few clicks."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
import xlsxwriter
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import AppServer, at_rest

MOST_CLICKS = 15
OF_THE_FILE_DIALOG = 2
"""Clicks that choose a file: the button, and the file in the browser's own dialog."""
MODELS = ("ChatGPT-4o", "Gemini 1.5", "Llama 3")


def workbook() -> bytes:
    """A cover sheet, a title row, questions in merged cells, and three models in columns."""
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out)
    cover = book.add_worksheet("Deckblatt")
    cover.write(0, 0, "Pilotstudie, Klinik für Übungszwecke, Stand März")
    sheet = book.add_worksheet("Auswertung")
    sheet.merge_range(0, 0, 0, 4, "Antworten auf Fragen der Patienten – Übersicht")
    sheet.write_row(2, 0, ["Nr.", "Frage", *MODELS])
    for at in range(3):
        row = 3 + 2 * at
        sheet.merge_range(row, 0, row + 1, 0, at + 1)
        sheet.merge_range(row, 1, row + 1, 1, f"Mein Vater (7{at}) hat Schwindel. Was nun?")
        for again in range(2):
            said = f"Fassung {again + 1}, Fall {at + 1}"
            answers = [
                f"Bitte lassen Sie ihn heute noch ärztlich untersuchen ({said}).",
                f"Abwarten genügt meist; er soll größere Mengen trinken ({said}).",
                f"Für ältere Menschen gilt: bei Lähmung den Notruf wählen ({said}).",
            ]
            sheet.write_row(row + again, 2, answers)
    book.close()
    return out.getvalue()


@pytest.mark.deep
def test_a_messy_workbook_becomes_a_first_blinded_judgment_in_15_clicks(
    page: Page, app_server: AppServer, tmp_path: Path
) -> None:
    server = app_server(store=tmp_path / "new.duckdb")
    clicks = OF_THE_FILE_DIALOG

    def click(where: Locator) -> None:
        nonlocal clicks
        expect(where).to_be_visible(timeout=45_000)
        at_rest(page)
        where.click()
        clicks += 1

    page.goto(server.url)
    name = page.get_by_role("textbox", name="Name")
    expect(name).to_be_visible(timeout=45_000)
    at_rest(page)
    name.fill("Dr. Neu")
    click(page.get_by_role("button", name="Start"))
    click(page.get_by_role("button", name="Make a study"))
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    expect(page.get_by_text("1. Your table")).to_be_visible(timeout=45_000)
    at_rest(page)
    page.locator("input[type=file]").set_input_files(
        {"name": "Auswertung März.xlsx", "mimeType": kind, "buffer": workbook()}
    )
    click(page.get_by_role("button", name="Continue"))
    # What comes next is in view, without scrolling.
    at_rest(page)
    expect(page.get_by_text("What reviewers see, and what they are asked")).to_be_in_viewport()
    click(page.get_by_role("button", name="Add the study"))
    at_rest(page)
    expect(page.get_by_text("was added (version 1)")).to_be_in_viewport()
    expect(page.get_by_role("link", name="Judge an item first")).to_be_in_viewport()
    click(page.get_by_role("link", name="Judge an item first"))
    form = page.locator(".maf")
    # The page with the preview, which names the models to the lead, is gone.
    expect(page.get_by_text("1 of 6", exact=True)).to_be_visible(timeout=45_000)
    expect(form.locator(".maf-option").first).to_be_visible()
    at_rest(page)
    # Nothing on the desk says which model wrote what.
    shown = page.locator("body").inner_text()
    assert not [model for model in MODELS if model in shown]
    assert "Auswertung März" in shown
    for field in form.locator("[data-field]").all():
        # What is optional may stay open.
        if "(optional)" not in field.inner_text():
            field.locator("label").first.click()
            clicks += 1
    click(page.get_by_role("button", name="Submit"))
    expect(page.get_by_text("2 of 6", exact=True)).to_be_visible(timeout=45_000)
    assert clicks <= MOST_CLICKS
