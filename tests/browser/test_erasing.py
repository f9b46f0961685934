"""A lead erases a person in a real browser, while that person is at work in another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, add_people, at_rest, sign_in
from tests.conftest import LayStore


@pytest.mark.deep
def test_a_lead_erases_a_reviewer_whose_open_tab_starts_again(
    app_server: AppServer, lay_store: LayStore, tabs: Callable[[], Page], tmp_path: Path
) -> None:
    store = lay_store(tmp_path / "demo.duckdb", STUDIES["tagging"].demo, add_people)
    server = app_server(store=store)
    theirs, page = tabs(), tabs()
    sign_in(theirs, server, "Rosa 00")
    theirs.goto(server.url)
    expect(theirs.get_by_text("Rosa 00").first).to_be_visible()
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/People_and_models")
    at_rest(page)  # what is drawn while the page still runs closes a list that is open
    page.get_by_text("Erase a person", exact=True).click()
    at_rest(page)
    page.get_by_role("combobox", name="Person").click()
    page.keyboard.type("Rosa 00")
    page.get_by_role("option", name="Rosa 00").click()
    page.get_by_role("button", name="Show what would change").click()
    expect(page.get_by_text("Rosa 00 becomes person")).to_be_visible()
    expect(page.get_by_text("To confirm, type Rosa 00")).to_be_visible()
    typed = page.get_by_label("The name, as it is written above")
    typed.fill("Rosa 00")
    typed.press("Enter")
    page.get_by_role("button", name="Erase for good").click()
    expect(page.get_by_text("the person is now person")).to_be_visible()
    theirs.reload()
    expect(theirs.get_by_text("Rosa 00")).to_have_count(0)
    expect(theirs.get_by_role("button", name="Lena Lead")).to_be_visible()
