"""From a chart's mark to its responses and back, on a laptop and a phone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.review import raters
from medlens.store import Store
from medlens.studies.registry import STUDIES
from tests.browser.conftest import (
    AppServer,
    Heard,
    Server,
    at_rest,
    press,
    sign_in,
    touch,
    wait_until,
)
from tests.conftest import LayStore

RESULTS = "/Tag_errors?dataset=demo&view=Results"


NEXT_ITEM = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
  const seen = (node) => node.checkVisibility({ visibilityProperty: true });
  const open = [...document.querySelectorAll("h3")].filter(seen).map((node) => node.textContent);
  const item = open.filter((name) => /^demo[0-9]+$/.test(name)).join();
  return [item, seen(document.querySelector(".maf"))];
}"""
"""Press J, and tell what is open at once, before the server has answered, and whether a form is."""


def add_people(store: Store) -> None:
    raters.find_or_add_rater_by_name(store, "Ada Osei", role="lead")


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    """Shared by all tests here: only the last one changes its store."""
    path = tmp_path_factory.mktemp("results") / "results.duckdb"
    return lasting_server(store=lay_store(path, STUDIES["tagging"].demo, add_people))


@pytest.mark.deep
def test_a_bar_leads_to_its_responses_and_each_of_them_can_be_read_and_left_by_keys(
    page: Page, server: Server, heard: Heard
) -> None:
    sign_in(page, server, "Ada Osei")
    page.goto(server.url + RESULTS)
    bars = page.locator(".js-plotly-plot .barlayer .point path")
    expect(bars.first).to_be_visible(timeout=45_000)
    press(page, bars.first, x=4, y=5)
    expect(page).to_have_url(re.compile(r"mark=label%7Crelaxed%7Cnon_medical_factual_error"))
    listed = page.get_by_role("heading", name="Non-medical factual error, relaxed")
    expect(listed).to_be_visible()

    press(page, page.get_by_test_id("stDataFrame").first, x=60, y=55)
    expect(page).to_have_url(re.compile(r"response=demo\d+"))
    text = page.locator(".mlt-text")
    expect(text).to_be_visible()
    expect(page.locator(".mlt-mark").first).to_be_visible()
    first, place = page.url, page.locator(".mdb-place")
    expect(place).to_have_text(re.compile("^1 of "))
    page.keyboard.press("j")
    expect(place).to_have_text(re.compile("^2 of "))
    expect(page).not_to_have_url(first)
    page.keyboard.press("k")
    expect(place).to_have_text(re.compile("^1 of "))
    expect(page).to_have_url(first)

    # The link on its own shows the same.
    page.reload()
    expect(page.locator(".mlt-mark").first).to_be_visible()
    at_rest(page)
    page.keyboard.press("Escape")
    expect(listed).to_be_visible()
    expect(page).not_to_have_url(re.compile("response="))
    # Below a deep link's path, Streamlit first asks for its health and gets a 404.
    assert not [error for error in heard.errors if "404 (Not Found)" not in error]
    assert not heard.strangers


@pytest.mark.deep
def test_a_lead_opens_a_study_anywhere_in_its_row_and_what_needs_them_by_one_press(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Ada Osei")
    page.goto(server.url)
    row = page.locator("[class*='st-key-studies_row']").first
    # Drawn once it has been calculated in the background.
    expect(row.get_by_role("img", name=re.compile("95% interval"))).to_be_visible(timeout=45_000)
    at_rest(page)
    box = row.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + box["height"] - 4)
    expect(page).to_have_url(re.compile("Tag_errors.*view=Results"), timeout=30_000)
    page.goto(server.url)
    page.get_by_role("link", name=re.compile("to settle in Tag errors")).click()
    expect(page).to_have_url(re.compile("Team.*section=disagreements"), timeout=30_000)
    expect(page.get_by_role("heading", name="Disagreements")).to_be_visible(timeout=30_000)


@pytest.mark.deep
def test_a_phone_shows_every_section_without_scrolling_sideways_or_being_held_by_a_chart(
    phone: Page, server: Server
) -> None:
    phone.emulate_media(color_scheme="dark")  # the other tests use the light one
    sign_in(phone, server, "Ada Osei")
    phone.goto(server.url + RESULTS)
    bar = phone.locator(".js-plotly-plot .barlayer .point path").first
    expect(bar).to_be_visible(timeout=45_000)
    at_rest(phone)  # its width settles
    main = "document.querySelector('[data-testid=stMain]')"
    assert phone.evaluate(f"{main}.scrollWidth") <= 390
    touch(phone, *((200, 700 - 20 * step) for step in range(11)))
    wait_until(phone, f"{main}.scrollTop > 0")
    # One tap on a mark opens what is behind it.
    bar.scroll_into_view_if_needed()
    at_rest(phone)
    box = bar.bounding_box()
    assert box is not None
    touch(phone, (box["x"] + 4, box["y"] + 5))
    expect(phone).to_have_url(re.compile(r"mark=label%7Crelaxed%7Cnon_medical_factual_error"))
    listed = phone.get_by_role("heading", name="Non-medical factual error, relaxed")
    expect(listed).to_be_in_viewport()
    top = "document.querySelector('.st-key-figures-list').getBoundingClientRect().top"
    wait_until(phone, f"{top} < 0.6 * innerHeight")
    at_rest(phone)
    # Whoever goes on is not taken back to the list, by the last look at 1.8 s either, even if no
    # finger scrolls the page.
    phone.evaluate(f"{main}.scrollTop = 0")
    phone.wait_for_timeout(2_000)
    assert phone.evaluate(f"{main}.scrollTop") == 0
    for section in ("Agreement", "Together", "Places", "Raters", "Rules"):
        at_rest(phone)
        # The rail of a wide screen is a menu here.
        expect(phone.locator(".st-key-rail")).to_be_hidden()
        menu = phone.locator(".st-key-rail_menu").get_by_role("combobox")
        # A list that is open goes when the page is scrolled.
        menu.scroll_into_view_if_needed()
        at_rest(phone)
        menu.click()
        phone.get_by_role("option", name=section, exact=True).click()
        expect(phone).to_have_url(re.compile(f"section={section.lower()}"))
        at_rest(phone)
        shown = ".js-plotly-plot .main-svg" if section != "Rules" else "text=break a rule"
        expect(phone.locator(shown).first, section).to_be_attached(timeout=45_000)
        at_rest(phone)  # a chart is drawn after it is attached
        assert phone.evaluate(f"{main}.scrollWidth") <= 390, section


IN_SIGHT = """() => {
  const top = (node) => node.getBoundingClientRect().top
  const named = (selector, words) => [...document.querySelectorAll(selector)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true }))
    .find((node) => node.textContent.startsWith(words))
  const places = {
    question: named(".stText", "A "), response: document.querySelector(".mlt-text"),
    answer: named(".stMarkdown strong", "Answer A"), settle: named("button", "Settle it"),
    reason: document.querySelector(".maf textarea"),
  }
  return Object.entries(places).map(([name, node]) => [name, top(node)]).filter(([, y]) => y > 0
    && y < innerHeight - 24).sort(([, one], [, other]) => one - other).map(([name]) => name)
}"""


@pytest.mark.deep
def test_question_response_answers_and_reason_of_a_disagreement_are_in_sight_together(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Ada Osei")
    page.goto(f"{server.url}/Team?task=error_spans&section=disagreements&divided=demo12")
    expect(page.get_by_role("button", name="Settle it")).to_be_visible()
    at_rest(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    seen = page.evaluate(IN_SIGHT)
    assert set(seen) == {"question", "response", "answer", "reason", "settle"}
    assert seen.index("question") < seen.index("response")


@pytest.mark.deep
def test_a_disagreement_is_settled_by_keys_alone(page: Page, server: Server) -> None:
    sign_in(page, server, "Ada Osei")
    page.goto(f"{server.url}/Team?task=error_spans&dataset=demo&section=disagreements")

    expect(page.get_by_text("0 of these are settled")).to_be_visible(timeout=45_000)
    # Streamlit's own download would write cells that a spreadsheet runs.
    own = page.locator("[data-testid=stElementToolbar] [aria-label^='Download as CSV']")
    expect(own.first).to_have_css("display", "none")
    expect(page.get_by_role("button", name="Next")).to_be_enabled()
    at_rest(page)
    page.keyboard.press("j")
    expect(page).to_have_url(re.compile(r"divided=demo\d+"))
    reason = page.get_by_role("textbox", name="Why")
    expect(reason).to_be_visible()
    at_rest(page)
    # Who settles it with nothing chosen is led to the answers, where keys still choose.
    page.get_by_role("button", name="Settle it").click()
    expect(page.get_by_text("Choose the final answer.")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("radio", name=re.compile("Answer A"))).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_role("radio", name=re.compile("Answer A"))).to_be_checked()
    expect(reason).to_have_value("")
    at_rest(page)
    page.keyboard.press("r")
    expect(reason).to_be_focused()
    # In the text field, keys are letters.
    page.keyboard.type("joint reading 10")
    expect(reason).to_have_value("joint reading 10")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"1 of \d+ is settled"))).to_be_visible(timeout=30_000)
    expect(page.get_by_text("Somebody else has settled")).to_have_count(0)
    # The next one is there at once, and what is asked of it when the server has opened it. Until
    # then no key answers the one that is left.
    at_rest(page)
    heading = page.get_by_role("heading", level=3, name=re.compile(r"^demo\d+$"))
    left = heading.inner_text()
    following, asked = page.evaluate(NEXT_ITEM)
    page.keyboard.press("2")
    assert following != left
    assert not asked
    expect(heading).to_have_text(following)
    expect(heading).to_be_in_viewport()
    expect(page).to_have_url(re.compile(f"divided={following}$"))
    expect(page.get_by_text("Final answer")).to_be_visible(timeout=30_000)
    expect(page.locator(".maf").get_by_role("radio", checked=True)).to_have_count(0)
    at_rest(page)
    page.get_by_text("Write another").click()
    page.get_by_role("button", name="No marks").click()
    expect(page.get_by_text("Nothing marked yet")).to_be_visible(timeout=30_000)
    page.locator(".mlt-text:visible").focus()
    # S and F do not leave the item, and open nothing.
    for key in ("s", "f", "Shift+ArrowRight", "6"):
        page.keyboard.press(key)
    expect(page.get_by_role("tab", name="Marks · 1")).to_be_visible()
    # What is taken back and done again by the buttons is the same mark.
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Nothing marked yet")).to_be_visible()
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".maf-status")).to_have_text(re.compile("draft saved"))
    page.reload()
    expect(page.get_by_role("tab", name="Marks · 1")).to_be_visible(timeout=45_000)
    at_rest(page)
    reason.fill("Only this is wrong.")
    page.get_by_role("button", name="Settle it").click()
    expect(page.get_by_text(re.compile(r"2 of \d+ are settled"))).to_be_visible(timeout=30_000)
    # The page's keys keep working, even after a click on the text.
    at_rest(page)
    there = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(there)
    expect(page.get_by_text("Final answer")).to_be_visible(timeout=30_000)
    page.locator(".mlt-text:visible").click()
    at_rest(page)
    there = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(there)


@pytest.mark.deep
def test_a_tap_on_a_models_chart_opens_its_items_on_a_phone(
    phone: Page, lasting_server: AppServer, lay_store: LayStore, tmp_path: Path
) -> None:
    store = lay_store(tmp_path / "trust.duckdb", STUDIES["sourcecheckup"].demo, add_people)
    server = lasting_server(store=store)
    sign_in(phone, server, "Ada Osei")
    phone.goto(server.url + "/People_and_models?task=source_support&judge=demo-verifier-2%7C")
    bar = phone.locator(".js-plotly-plot .barlayer .bartext").first
    expect(bar).to_be_visible(timeout=45_000)
    at_rest(phone)
    bar.scroll_into_view_if_needed()
    at_rest(phone)
    box = bar.bounding_box()
    assert box is not None
    touch(phone, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    expect(phone).to_have_url(re.compile("cell="))
