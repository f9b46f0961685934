"""A clinician's session, from signing in to the completion code, in a real browser."""

from __future__ import annotations

import contextlib
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from medlens.config.settings import Settings
from medlens.review import consensus, items, practice, raters
from medlens.store import Store, open_store
from medlens.studies.registry import STUDIES
from tests.attack import lead_actions
from tests.browser.conftest import NOTED, AppServer, Heard, Server, at_rest, wait_until
from tests.browser.conftest import sign_in as come_back
from tests.conftest import LayStore

TEXT = ".mlt-text"
SAVED = re.compile(r"saved \d\d:\d\d:\d\d")


@pytest.fixture
def demo_store(tmp_path: Path, lay_store: LayStore) -> Path:
    return lay_store(tmp_path / "demo.duckdb", STUDIES["tagging"].demo)


@pytest.fixture
def peopled_store(tmp_path: Path, lay_store: LayStore) -> Path:
    """The demo with a person who has been here before."""
    return lay_store(tmp_path / "peopled.duckdb", STUDIES["tagging"].demo, add_people)


def add_people(store: Store) -> None:
    raters.ensure(store, "Dr Osei", role="lead")


def sign_in(page: Page, server: Server, name: str) -> None:
    """Sign in under a new name."""
    page.goto(server.url)
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name=f"Good to see you, {name}")).to_be_visible()
    wait_until(page, NOTED)


def open_desk(page: Page) -> None:
    page.get_by_role("button", name=re.compile("Start|Continue")).click()
    expect(page.locator(TEXT)).to_be_visible()


def saved(page: Page) -> None:
    expect(page.locator(".mlt-saved")).to_have_text(SAVED)


def mark_by_keyboard(page: Page, key: str) -> None:
    """Mark the first sentence by keys only."""
    page.locator(TEXT).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press(key)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Rows on disk; the server must have released the file."""
    store = open_store(path)
    found = store.rows(sql)
    store.close()
    return found


@pytest.fixture
def desk(
    app_server: AppServer, peopled_store: Path, page: Page
) -> Callable[..., tuple[Server, Page]]:
    """A function that serves the demo and opens the desk for a person."""

    def start(settings: str = "") -> tuple[Server, Page]:
        server = app_server(store=peopled_store, settings=settings)
        come_back(page, server, "Dr Osei")
        page.goto(f"{server.url}/Tag_errors")
        expect(page.locator(TEXT)).to_be_visible()
        return server, page

    return start


def all_is_in_sight(page: Page) -> None:
    for part in (".mlt-context", TEXT, ".mlt-labels", ".mlt-side", ".mlt-bar"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1366
        assert box["y"] < 768
    bar = page.locator(".mlt-bar").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= 769
    assert page.locator(".mlt-label").count() == 9


def test_five_items_by_keyboard_alone_with_everything_on_a_small_laptops_screen(
    app_server: AppServer, demo_store: Path, page: Page, heard: Heard
) -> None:
    server = app_server(store=demo_store)
    sign_in(page, server, "Dr Osei")
    open_desk(page)
    all_is_in_sight(page)
    for done in range(5):
        expect(page.locator(".mlt-bar")).to_contain_text(f"{done + 1} of 20")
        mark_by_keyboard(page, "3" if done % 2 else "6")
        saved(page)
        page.keyboard.press("Control+Enter")
        expect(page.locator(".mlt-bar")).to_contain_text(f"{done + 2} of 20")
    assert heard.errors == []
    assert heard.strangers == []
    assert server.stop() == 0
    found = rows(demo_store, "select body from judgment where origin = 'app'")
    assert len(found) == 5


def test_saves_run_no_page_and_go_by_streamlit_where_their_address_fails(
    desk: Callable[..., tuple[Server, Page]], peopled_store: Path
) -> None:
    server, page = desk()
    statuses: list[int] = []
    page.on("response", lambda one: "/medlens/desk/" in one.url and statuses.append(one.status))
    at_rest(page)
    runs = page.evaluate(
        "() => { window.ran = 0; new MutationObserver(() => { window.ran += 1; }).observe("
        "document.querySelector('[data-testid=stApp]'),"
        " {attributeFilter: ['data-test-script-state']}); return 0; }"
    )
    mark_by_keyboard(page, "3")
    saved(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mlt-bar")).to_contain_text("2 of 20")
    expect(page).to_have_url(re.compile("item="))
    second = page.url
    assert statuses == [200, 200]
    assert page.evaluate("window.ran") == runs
    page.route("**/medlens/desk/**", lambda route: route.abort())
    mark_by_keyboard(page, "6")
    saved(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mlt-bar")).to_contain_text("3 of 20")
    assert page.evaluate("window.ran") > runs
    page.unroute("**/medlens/desk/**")
    expect(page).not_to_have_url(second)
    third = page.url
    mark_by_keyboard(page, "3")
    saved(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mlt-bar")).to_contain_text("4 of 20")
    expect(page).not_to_have_url(third)
    page.reload()
    expect(page.locator(".mlt-bar")).to_contain_text("4 of 20")
    assert page.url != second
    # The desk's first line stands beside the menu's button, and takes none of its clicks.
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name="Home").click()
    expect(page).to_have_url(server.url + "/")
    server.stop()
    assert len(rows(peopled_store, "select id from judgment where origin = 'app'")) == 3


def drafts(server: Server) -> int:
    """The number of drafts on the server now."""
    with lead_actions.copied(server) as store:
        [(count,)] = store.sql("select count(*) from draft").fetchall()
    return int(count)


def test_a_mark_made_as_the_tab_is_closed_is_on_the_server(
    desk: Callable[..., tuple[Server, Page]], peopled_store: Path
) -> None:
    server, page = desk()
    mark_by_keyboard(page, "3")
    page.close()
    # The browser sends pending messages; nothing here reads its own copy of the mark.
    until = time.monotonic() + 30
    while not drafts(server):
        assert time.monotonic() < until, "the mark was lost"
        time.sleep(0.1)
    assert server.stop() == 0
    assert len(rows(peopled_store, "select id from draft")) == 1


def test_a_draft_is_there_after_the_browser_was_closed(
    desk: Callable[..., tuple[Server, Page]], context: BrowserContext
) -> None:
    server, page = desk()
    mark_by_keyboard(page, "5")
    saved(page)
    quote = page.locator(".mlt-list, .mlt-marks, .mlt-side").first.inner_text()
    address = page.url
    page.close()
    again = context.new_page()
    again.goto(address)
    expect(again.locator(TEXT)).to_be_visible()
    expect(again.locator(".mlt-side")).to_contain_text("Incorrect understanding of the task")
    assert quote.split("”")[0][:40] in again.locator(".mlt-side").inner_text()
    assert server.answers()


def test_marks_drawn_while_the_server_is_down_are_kept_and_saved_when_it_is_back(
    desk: Callable[..., tuple[Server, Page]], peopled_store: Path
) -> None:
    server, page = desk()
    # As on a return visit: nothing was sent from this page yet.
    page.reload()
    expect(page.locator(TEXT)).to_be_visible()
    server.kill()
    mark_by_keyboard(page, "4")
    expect(page.locator(".mlt-saved")).to_contain_text("not saved", timeout=15_000)
    expect(page.locator(".mlt-side")).to_contain_text("Ignore missing information")
    expect(page.get_by_text("Illustrative demo item")).to_be_visible()
    server.start()
    # For a moment the old surface and the new session's are both on the page.
    expect(page.locator(".mlt-saved").last).to_have_text(SAVED, timeout=45_000)
    expect(page.locator(".mlt-saved")).to_have_count(1)
    expect(page.locator(".mlt-side")).to_contain_text("Ignore missing information")
    server.stop()
    [(body,)] = rows(peopled_store, "select body from draft_now")
    assert "ignore_missing_information" in str(body)


def test_the_next_item_shows_at_once_and_the_old_one_is_back_where_nobody_answers(
    desk: Callable[..., tuple[Server, Page]],
) -> None:
    server, page = desk()
    first = page.locator(TEXT).inner_text()
    mark_by_keyboard(page, "3")
    saved(page)
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    try:
        page.keyboard.press("Control+Enter")
        expect(page.locator(TEXT)).not_to_have_text(first)
        assert page.locator(".mlt-mark").count() == 0
        page.keyboard.press("ArrowDown")
        page.keyboard.press("6")
        expect(page.locator(".mlt-saved")).to_contain_text("not saved", timeout=15_000)
        expect(page.locator(TEXT).locator(".mlt-mark").first).to_be_visible()
        page.keyboard.press("Escape")
        assert page.locator(TEXT).inner_text().split()[:5] == first.split()[:5]
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page.locator(".mlt-bar")).to_contain_text("2 of 20", timeout=45_000)
    expect(page.locator(TEXT)).not_to_contain_text(first[:60])
    expect(page.locator(".mlt-mark")).to_have_count(0)


def test_two_tabs_with_two_people_never_mix(
    app_server: AppServer, demo_store: Path, context: BrowserContext
) -> None:
    server = app_server(store=demo_store)
    first, second = context.new_page(), context.new_page()
    sign_in(first, server, "Ada")
    second.goto(server.url)
    expect(second.get_by_role("heading", name="Good to see you, Ada")).to_be_visible()
    second.get_by_role("button", name="Switch person").click()
    second.get_by_role("button", name="Somebody else").click()
    second.get_by_role("textbox", name="Name").fill("Grace")
    second.get_by_role("button", name="Start").click()
    expect(second.get_by_role("heading", name="Good to see you, Grace")).to_be_visible()
    for page, key in ((first, "1"), (second, "2")):
        open_desk(page)
        mark_by_keyboard(page, key)
        saved(page)
    server.stop()
    found = rows(
        demo_store,
        "select r.name, d.body from draft_now d join rater r on r.id = d.rater"
        " where d.task = 'error_spans' order by r.name",
    )
    assert [name for name, _ in found] == ["Ada", "Grace"]
    assert "non_medical_factual_error" in str(found[0][1])
    assert "sticking_with_wrong_diagnosis" in str(found[1][1])


def test_no_other_raters_work_and_no_gold_key_crosses_the_wire_to_a_reviewer(
    app_server: AppServer, demo_store: Path, context: BrowserContext
) -> None:
    server = app_server(store=demo_store)
    lead = context.new_page()
    sign_in(lead, server, "Lead")
    lead.close()
    received: list[bytes] = []
    page = context.new_page()
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived",
            lambda frame: received.append(frame if isinstance(frame, bytes) else frame.encode()),
        ),
    )
    page.goto(server.url)
    page.get_by_role("button", name="Switch person").click()
    page.get_by_role("button", name="Somebody else").click()
    page.get_by_role("textbox", name="Name").fill("Rosa")
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name="Good to see you, Rosa")).to_be_visible()
    wait_until(page, NOTED)
    received.clear()
    for path in ("Tag_errors?view=Results", "Tag_errors?view=Open+coding", "Team", "Data"):
        page.goto(f"{server.url}/{path}")
        expect(page.get_by_text("Rosa")).to_have_count(1)
        at_rest(page)
    wire = b"".join(received)
    assert len(wire) > 10_000
    assert b"Demo rater" not in wire
    assert b"expected" not in wire


def test_a_response_is_tagged_by_touch_on_a_phone(
    app_server: AppServer, peopled_store: Path, browser: object, heard: Heard
) -> None:
    server = app_server(store=peopled_store)
    context = browser.new_context(  # type: ignore[attr-defined]
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    heard.listen(page)
    come_back(page, server, "Dr Osei")
    page.goto(server.url)
    open_desk(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # A long press selects words; the browser reports it only by selectionchange.
    page.locator(TEXT).dispatch_event("pointerdown", {"pointerType": "touch"})
    page.evaluate(
        """() => {
          const walker = document.createTreeWalker(document.querySelector('.mlt-text'), 4);
          const node = walker.nextNode();
          const range = document.createRange();
          range.setStart(node, 4); range.setEnd(node, 22);
          const selection = getSelection();
          selection.removeAllRanges(); selection.addRange(range);
        }"""
    )
    expect(page.locator(".mlt-say")).not_to_have_text("")
    label = page.locator(".mlt-label:visible, .mlt-menu button:visible").filter(
        has_text="Hallucination"
    )
    label.first.tap()
    saved(page)
    # The question is open, and the save status stays in view at the foot of the text.
    expect(page.locator(".mlt-option.is-correct")).to_be_visible()
    page.get_by_role("button", name="Submit").scroll_into_view_if_needed()
    expect(page.locator(".mlt-saved")).to_be_in_viewport()
    assert heard.errors == []
    context.close()


def test_after_the_last_item_two_forms_and_a_code(
    desk: Callable[..., tuple[Server, Page]],
) -> None:
    server, page = desk(settings="[tagging]\nitems_per_rater = 1\ngold_share = 0.0\n")
    mark_by_keyboard(page, "2")
    saved(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All items done")).to_be_visible()
    expect(page.get_by_text("Feedback").first).to_be_visible()
    # Input survives a server restart, and a reload before the server has heard of it.
    page.get_by_role("radio", name="About right").check()
    expect(page.locator(".maf-status").first).to_have_text(SAVED)
    server.kill()
    page.get_by_role("checkbox", name="PubMed or a journal").check()
    page.get_by_role("checkbox", name="Textbook").check()
    server.start()
    page.goto(f"{server.url}/Tag_errors")
    expect(page.get_by_role("radio", name="About right")).to_be_checked(timeout=45_000)
    expect(page.get_by_role("checkbox", name="PubMed or a journal")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Textbook")).to_be_checked()
    expect(page.locator(".maf-status").first).to_have_text(SAVED)
    other = page.context.new_page()
    other.goto(f"{server.url}/Tag_errors")
    expect(other.get_by_role("checkbox", name="Textbook")).to_be_checked(timeout=45_000)
    page.get_by_role("radio", name="Too short").check()
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    other.get_by_role("radio", name="Longer than I needed").check()
    expect(other.get_by_text("here Longer than I needed, there Too short")).to_be_visible()


def practise(store: Store) -> None:
    """Two practice items, both of which must be met."""
    lead = raters.ensure(store, "Dr Osei", role="lead")
    study = STUDIES["tagging"].open(store, Settings(), "demo")
    names = items.by_names(store, "tagging", "demo", ["demo01", "demo02"])
    for name, label in (
        ("demo01", "non_medical_factual_error"),
        ("demo02", "hallucination_of_information"),
    ):
        key = {"labels": [label]}
        consensus.set_gold(store, study.task, item=names[name], expected=key, active=True, by=lead)
        practice.make(store, study.task, item=names[name], why=f"Read {name} again.", by=lead)
    practice.set_rules(store, study.task.name, "demo", practice.Rules(mark=2), by=lead)


def test_a_newcomer_practises_is_told_after_each_and_held_back_until_let_in(
    app_server: AppServer, tmp_path: Path, lay_store: LayStore, page: Page
) -> None:
    path = lay_store(tmp_path / "practice.duckdb", STUDIES["tagging"].demo, practise)
    server = app_server(store=path)
    sign_in(page, server, "Nora New")
    open_desk(page)
    told = page.get_by_role("dialog")
    for name, was in (("demo01", "as expected"), ("demo02", "not as expected")):
        mark_by_keyboard(page, "1")
        saved(page)
        page.get_by_role("button", name="Submit").click()
        expect(told).to_contain_text(f"Practice: {was}")
        expect(told).to_contain_text(f"Read {name} again.")
        # Keys go to what is on top.
        page.keyboard.press("1")
        told.get_by_role("button", name="Continue").click()
        expect(told).to_have_count(0)
    expect(page.get_by_text("you gave the expected answer to 1 of 2; 2 are needed")).to_be_visible()
    server.kill()
    with contextlib.closing(open_store(path)) as store:
        [lead] = [one for one in raters.everyone(store) if one.name == "Dr Osei"]
        [nora] = [one for one in raters.everyone(store) if one.name == "Nora New"]
        given = store.rows("select count(*) from assignment where rater = $r", r=nora.id)
        assert given == [(2,)]
        practice.let_in(store, "error_spans", "demo", nora.id, reason="Trained.", by=lead)
    again = app_server(store=path)
    come_back(page, again, "Nora New")
    page.goto(f"{again.url}/Tag_errors")
    expect(page.locator(TEXT)).to_be_visible()
    expect(page.get_by_text("1 of 20")).to_be_visible()
