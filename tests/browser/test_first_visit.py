"""The worked example opens once, before a first item of a task, and again at its button."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, Server, add_people, at_rest, sign_in, tap, wait_until
from tests.conftest import LayStore


@pytest.fixture
def server(
    app_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    path = tmp_path_factory.mktemp("first") / "first.duckdb"
    return app_server(store=lay_store(path, STUDIES["tagging"].demo, add_people))


@pytest.mark.deep
def test_the_worked_example_opens_once_takes_the_keys_and_opens_again_at_its_button(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 00", first_visit=True)
    page.goto(f"{server.url}/Tag_errors")
    example = page.get_by_role("dialog", name="Worked example")
    expect(example).to_contain_text("Why so.", timeout=45_000)
    # A key that would skip the item does nothing, not even if the text under the example hears it.
    page.keyboard.press("s")
    expect(page.locator(".mlt-line").first).to_be_attached()
    page.evaluate(
        """() => {
          const skip = new KeyboardEvent("keydown", { key: "s", bubbles: true, cancelable: true })
          document.querySelector(".mlt-text").dispatchEvent(skip)
        }"""
    )
    # The focus is on the way on: Enter begins.
    expect(example.get_by_role("button", name="Begin")).to_be_focused()
    page.keyboard.press("Enter")
    expect(example).to_have_count(0)
    expect(page.locator(".mdb-place")).to_have_text("1 of 20")
    # What it was about to do is next.
    expect(page.locator(".mlt-text")).to_be_focused()
    page.reload()
    expect(page.locator(".mlt-line").first).to_be_visible(timeout=45_000)
    at_rest(page)
    expect(example).to_have_count(0)
    page.get_by_role("button", name="Worked example").click()
    expect(example).to_contain_text("Why so.")
    page.keyboard.press("Escape")
    expect(example).to_have_count(0)
    # In another browser, which remembers nothing, it does not open by itself again.
    page.evaluate("localStorage.clear()")
    sign_in(page, server, "Rosa 00", first_visit=True)
    page.goto(f"{server.url}/Tag_errors")
    expect(page.locator(".mlt-line").first).to_be_visible(timeout=45_000)
    at_rest(page)
    expect(example).to_have_count(0)


@pytest.mark.deep
def test_at_twice_the_size_the_worked_example_is_read_to_its_end_by_keys(
    page: Page, server: Server
) -> None:
    page.set_viewport_size({"width": 683, "height": 384})
    sign_in(page, server, "Rosa 02", first_visit=True)
    page.goto(f"{server.url}/Tag_errors")
    example = page.get_by_role("region", name="Worked example")
    expect(example).to_contain_text("Why so.", timeout=45_000)
    expect(page.get_by_role("button", name="Begin")).to_be_focused()
    top = "(node) => node.scrollTop"
    assert example.evaluate(top) == 0
    # That it goes on is seen, until its end is.
    more = "(node) => getComputedStyle(node, '::after').opacity"
    assert example.evaluate(more) == "1"
    example.evaluate("(node) => node.scrollTo(0, node.scrollHeight)")
    wait_until(page, f"({more})(document.querySelector('.st-key-example_read')) === '0'")
    example.evaluate("(node) => node.scrollTo(0, 0)")
    page.keyboard.press("ArrowDown")
    first = example.evaluate(top)
    assert first > 0
    page.keyboard.press("PageDown")
    assert example.evaluate(top) > first
    page.keyboard.press("Shift+Tab")
    expect(example).to_be_focused()


@pytest.mark.deep
def test_on_a_phone_the_worked_example_speaks_of_touch_and_its_button_is_in_sight(
    phone: Page, server: Server
) -> None:
    phone.set_viewport_size({"width": 390, "height": 600})  # its browser's own lines take the rest
    sign_in(phone, server, "Rosa 01", first_visit=True)
    phone.goto(f"{server.url}/Tag_errors")
    example = phone.get_by_role("dialog", name="Worked example")
    expect(example).to_contain_text("Why so.", timeout=45_000)
    at_rest(phone)
    expect(example.get_by_text("By touch.")).to_be_visible()
    expect(example.get_by_text("Keys.")).to_be_hidden()
    begin = example.get_by_role("button", name="Begin")
    expect(begin).to_be_in_viewport(ratio=1)
    tap(phone, begin)
    expect(example).to_have_count(0)
