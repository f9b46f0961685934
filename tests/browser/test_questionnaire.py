"""The questionnaire by keys and on a phone: two rounds, then handed in."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.review import raters
from medlens.store import open_store
from medlens.studies.ebmqa import questionnaire
from tests.browser.conftest import PHONE, AppServer, Heard, Server, at_rest, load_anew, sign_in
from tests.store.ebmqa_questions import DATASET, add_questions

PAGE = f"/Explore_EBMQA?dataset={DATASET}"
QUESTION = ".st-key-question [data-testid='stText']"


@pytest.fixture
def store_file(tmp_path: Path) -> Path:
    path = tmp_path / "asked.duckdb"
    with contextlib.closing(open_store(path)) as store:
        add_questions(store, numeric=4)
        questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)
        raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
        raters.find_or_add_rater_by_name(store, "Rosa Reviewer")
    return path


@pytest.fixture
def server(app_server: AppServer, store_file: Path) -> Server:
    return app_server(store=store_file)


def press(page: Page, key: str) -> None:
    """Answer by a key, and wait for the question to change."""
    # The elements that keys act on appear after the question.
    expect(page.locator(".maf-option input").last).to_be_enabled()
    at_rest(page)
    before = page.locator(QUESTION).inner_text()
    page.keyboard.press(key)
    expect(page.locator(QUESTION)).not_to_have_text(before)
    expect(page.locator(".maf-option input").last).to_be_enabled()


@pytest.mark.deep
def test_the_questionnaire_is_answered_by_keys_and_shows_what_is_right_only_at_the_end(
    page: Page, server: Server, store_file: Path, heard: Heard
) -> None:
    received: list[str] = []
    page.on(
        "websocket", lambda one: one.on("framereceived", lambda frame: received.append(str(frame)))
    )
    sign_in(page, server, "Rosa Reviewer")
    page.goto(server.url + PAGE)
    expect(page.locator(QUESTION)).to_be_visible(timeout=45_000)
    expect(page.locator(".maf-option")).to_have_count(4)
    press(page, "4")
    expect(page.get_by_text("Question 1 submitted")).to_be_visible()
    press(page, "4")
    # A choice made while the server is away is there when it is back, even on a reloaded page.
    at_rest(page)
    question = page.locator(QUESTION).inner_text()
    server.kill()
    page.keyboard.press("1")
    expect(page.get_by_text("Not saved: the server does not answer.")).to_be_visible()
    load_anew(page, server, page.url)
    expect(page.locator(QUESTION)).to_have_text(question, timeout=45_000)
    expect(page.locator(".maf-option:has(:checked)")).to_contain_text("Greater than 54%")
    # The server's absence is not the page's fault.
    heard.errors.clear()
    press(page, "1")
    at_rest(page)
    page.keyboard.press("k")
    expect(page.locator(QUESTION)).to_have_text(question)
    # On a phone too.
    page.set_viewport_size(PHONE)
    at_rest(page)
    expect(page.get_by_text("Question 3 of 4")).to_be_visible()
    before = page.locator(QUESTION).inner_text()
    page.get_by_role("radio", name="Greater than 54%").click()
    expect(page.locator(QUESTION)).not_to_have_text(before)
    expect(page.locator(".maf-option input").last).to_be_enabled()
    at_rest(page)
    page.get_by_role("radio", name="Less than 5%").click()
    expect(page.get_by_text("You have been through all 4 questions")).to_be_visible()
    # The key belongs to the button: it works once the button is there.
    expect(page.get_by_role("button", name="Continue to the guesses")).to_be_enabled()
    at_rest(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Guess 1 of 2")).to_be_visible()
    press(page, "1")
    at_rest(page)
    page.keyboard.press("2")
    expect(page.get_by_text("You have been through everything")).to_be_visible()
    assert received
    assert not any("right by" in one or "wrong by" in one for one in received)
    at_rest(page)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Your questionnaire is handed in")).to_be_visible()
    expect(page.get_by_text("Right with your guesses")).to_be_visible()
    expect(page.get_by_text("Your answers")).to_be_visible()
    # Now what is right is there: the table comes behind its heading, as a message of its own.
    until = time.monotonic() + 30
    while not any("right by" in frame or "wrong by" in frame for frame in received):
        assert time.monotonic() < until, "no table of right answers was sent"
        page.wait_for_timeout(20)
    at_rest(page)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
    server.kill()
    with contextlib.closing(open_store(store_file)) as store:
        [rosa] = [one for one in raters.list_raters(store) if one.name == "Rosa Reviewer"]
        state = questionnaire.questionnaire_progress(store, DATASET, rosa.id)
        assert (state.answered, len(state.unknown), state.handed_in) == (4, 2, True)
    assert not [error for error in heard.errors if "404 (Not Found)" not in error]
    assert not heard.strangers
