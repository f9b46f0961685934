"""A lead filters EBMQA's answers, follows a mark to a question, and sends the link."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.review import raters
from medlens.store import Store
from medlens.studies.registry import STUDIES
from tests.browser.conftest import (
    PHONE,
    AppServer,
    Heard,
    Server,
    at_rest,
    press,
    sign_in,
    wait_until,
)
from tests.conftest import LayStore

PAGE = "/Explore_EBMQA"
# An invisible joiner keeps a colon from starting an icon's name.
CHIP = re.compile("Prevalence of the disorder:.? rare")


def add_people(store: Store) -> None:
    raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")


@pytest.fixture
def server(app_server: AppServer, lay_store: LayStore, tmp_path: Path) -> Server:
    return app_server(store=lay_store(tmp_path / "s.duckdb", STUDIES["ebmqa"].demo, add_people))


@pytest.mark.deep
def test_a_filter_and_a_mark_stand_in_the_link_that_reopens_the_same_view(
    page: Page, server: Server, heard: Heard
) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}{PAGE}?section=labels&labels=cross&by=length")
    expect(page.get_by_text("Accuracy by length and model")).to_be_visible(timeout=45_000)

    at_rest(page)  # what is drawn while the page still runs closes what is open
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("combobox", name="Prevalence of the disorder")).to_be_visible()
    at_rest(page)
    page.get_by_role("combobox", name="Prevalence of the disorder").click()
    page.get_by_role("option", name="rare", exact=True).click()
    expect(page).to_have_url(re.compile("prevalence=rare"))
    # Beside an open sheet, nothing else has a role.
    expect(page.locator(".st-key-figures-chip-prevalence")).to_be_visible(timeout=45_000)
    page.mouse.click(1200, 700)
    expect(page.get_by_role("button", name=CHIP)).to_be_visible()
    expect(page).to_have_url(re.compile("prevalence=rare"))

    cell = page.locator(".js-plotly-plot .bars .point path").first
    expect(cell).to_be_visible()
    # The chart is redrawn for the filter.
    at_rest(page)
    press(page, cell, x=12, y=6)
    behind = page.locator(".st-key-figures-list")
    counted = behind.get_by_text(re.compile(r"of \d+ questions"))
    expect(counted).to_be_visible()
    expect(page).to_have_url(re.compile("mark="))
    at_rest(page)
    said = counted.inner_text()
    link = page.url

    page.set_viewport_size(PHONE)
    page.goto(link)
    expect(counted).to_have_text(said, timeout=45_000)
    expect(page.get_by_role("button", name=CHIP)).to_be_visible()
    # On a phone the list is below the chart: it is scrolled into view.
    at_rest(page)
    press(page, page.locator(".js-plotly-plot .bars .point path").nth(1), x=12, y=6)
    expect(counted).not_to_have_text(said, timeout=45_000)
    wait_until(
        page, "document.querySelector('.st-key-figures-list').getBoundingClientRect().top < 500"
    )
    press(page, behind.get_by_test_id("stDataFrame"), x=40, y=55)
    expect(page.get_by_text(re.compile(r"\d of 3 answers are right"))).to_be_visible()
    expect(page).to_have_url(re.compile("question="))
    assert not [error for error in heard.errors if "404 (Not Found)" not in error]
    assert not heard.strangers
