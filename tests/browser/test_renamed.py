"""What a lead renamed has its new name in the browser's address, and earlier addresses lead on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.app import rename_studies_and_data
from medlens.config.settings import Settings
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.store import Store
from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, add_people, at_rest, sign_in
from tests.conftest import LayStore

TASK = "error_spans"


def rename(store: Store) -> None:
    for thing, called in (
        (Thing("dataset", "tagging", "demo"), "pilot 2026"),
        (Thing("round", "tagging", "demo", TASK), "First reading"),
    ):
        rename_studies_and_data.rename_thing_and_return_report_text(
            store, Settings(), thing, called, by=None
        )


@pytest.mark.deep
def test_new_and_earlier_addresses_lead_to_what_was_renamed_and_links_have_the_new_one(
    app_server: AppServer, tmp_path: Path, lay_store: LayStore, page: Page
) -> None:
    laid = lay_store(
        tmp_path / "renamed.duckdb",
        STUDIES["ebmqa"].demo,  # has a dataset of the same first name
        STUDIES["tagging"].demo,
        rename,
        add_people,
    )
    server = app_server(store=laid)
    sign_in(page, server, "Lena Lead")
    for address in ("dataset=pilot+2026", "dataset=demo"):
        page.goto(f"{server.url}/Tag_errors?view=Results&{address}")
        expect(page.get_by_text("24 responses").first).to_be_visible()
        expect(page.get_by_text("There is no dataset")).to_have_count(0)
        at_rest(page)
        # Choosing anything makes an address with the name of today.
        page.get_by_role("radio", name="Browse").or_(
            page.get_by_text("Browse", exact=True)
        ).first.click()
        expect(page).to_have_url(re.compile(r"dataset=pilot(\+|%20)2026"))
    for address in ("round=First+reading", f"task={TASK}&dataset=demo"):
        page.goto(f"{server.url}/Team?section=hand-out&{address}")
        expect(page.get_by_text("Rename it")).to_be_visible()
        at_rest(page)
        page.get_by_text("Guideline", exact=True).first.click()
        expect(page).to_have_url(re.compile(r"round=First(\+|%20)reading"))
        assert "task=" not in page.url
