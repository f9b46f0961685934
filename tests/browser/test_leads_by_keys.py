"""What a lead does without a mouse: settling a disagreement, and copying an invitation's link."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, Server, add_people, at_rest, sign_in, wait_until
from tests.conftest import LayStore

pytestmark = pytest.mark.deep

FORM = ".maf-fields :is(input, textarea, button)"


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    path: Path = tmp_path_factory.mktemp("lead") / "store.duckdb"
    return lasting_server(store=lay_store(path, STUDIES["sourcecheckup"].demo, add_people))


def open_disagreement(page: Page, server: Server) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Team?task=source_support&section=disagreements")
    at_rest(page)
    page.keyboard.press("j")
    expect(page.locator(FORM).first).to_be_attached()
    at_rest(page)


def settle_by_keys(page: Page, choice: str, reason: str, button: str) -> None:
    """Choose by digit, write why, and send it by the Enter there."""
    page.keyboard.press(choice)
    expect(page.locator(".maf").get_by_role("radio", checked=True)).to_have_count(1)
    page.keyboard.press("r")
    page.keyboard.type(reason)
    expect(page.get_by_role("button", name=button, exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".maf").get_by_role("radio", checked=True)).to_have_count(0)
    at_rest(page)


def test_after_settling_and_settling_again_the_next_one_has_the_focus_and_j_goes_there(
    page: Page, server: Server
) -> None:
    open_disagreement(page, server)
    why = page.get_by_role("textbox", name="Why")
    following = page.locator(".st-key-settle-Next button")
    settle_by_keys(page, "1", "It says what was asked.", "Settle it")
    expect(following).to_be_focused()
    settle_by_keys(page, "2", "It does not.", "Settle it again")
    expect(following).to_be_focused()
    expect(why).to_have_value("")
    before = page.url
    page.keyboard.press("j")
    wait_until(page, f"location.href !== {before!r}")
    at_rest(page)
    expect(why).to_have_value("")


def test_the_closed_menus_links_are_not_reached_by_tab_where_one_settles(
    page: Page, server: Server
) -> None:
    open_disagreement(page, server)
    assert page.locator(".stSidebar").get_attribute("data-collapsed") == "true"
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("Boolean(document.activeElement.closest('.stSidebar'))"))
    assert not any(reached), reached


def test_an_invitations_link_is_copied_by_a_button_that_tab_reaches_and_that_is_seen(
    page: Page, server: Server
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Team?task=source_support&section=people")
    at_rest(page)
    page.get_by_role("button", name="Make a link").press("Enter")
    link = page.locator(".stCode")
    expect(link).to_contain_text("?invite=")
    at_rest(page)
    copies = link.get_by_role("button", name="Copy to clipboard")
    seen = """(node) => {
      for (let one = node; one; one = one.parentElement) {
        const { opacity, visibility } = getComputedStyle(one)
        if (opacity === "0" || visibility !== "visible") return false
      }
      return true
    }"""
    assert copies.evaluate(seen)
    link.focus()
    page.keyboard.press("Tab")
    expect(copies).to_be_focused()
    page.keyboard.press("Enter")
    wait_until(page, "navigator.clipboard.readText().then((text) => text.includes('?invite='))")
    assert page.evaluate("navigator.clipboard.readText()") == link.inner_text().strip()


def test_the_focus_goes_with_the_option_that_a_digit_chooses(page: Page, server: Server) -> None:
    open_disagreement(page, server)
    options = page.locator(".maf-fields").get_by_role("radio")
    options.first.focus()
    page.keyboard.press("2")
    expect(options.nth(1)).to_be_checked()
    expect(options.nth(1)).to_be_focused()
    # On it, Space does not choose another.
    page.keyboard.press("1")
    expect(options.first).to_be_checked()
    expect(options.first).to_be_focused()


def test_another_section_has_the_focus_on_its_heading(page: Page, server: Server) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Team?section=raters")
    rail = page.locator(".st-key-rail")
    expect(rail.get_by_role("radio", name="Raters")).to_be_checked()
    at_rest(page)
    rail.get_by_role("radio", name="Flags").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Flags and questions")).to_be_focused()
