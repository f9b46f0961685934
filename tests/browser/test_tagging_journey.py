"""A clinician's session, from signing in to the completion code, in a real browser."""

from __future__ import annotations

import contextlib
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from medlens.config.settings import Settings
from medlens.review import consensus, items, practice, raters
from medlens.store import Store, open_store
from medlens.studies.registry import STUDIES
from tests.attack import lead_actions
from tests.browser.conftest import (
    NOTED,
    PHONE,
    AppServer,
    Heard,
    Server,
    add_people,
    at_rest,
    close_worked_example,
    for_each,
    turn_to,
    wait_until,
)
from tests.browser.conftest import sign_in as come_back
from tests.conftest import LayStore

TEXT = ".mlt-text"
SAVED = re.compile(r"saved \d\d:\d\d:\d\d")


@pytest.fixture(scope="module")
def demo_store(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Path:
    """The demo with people who have been here before."""
    path = tmp_path_factory.mktemp("tagging") / "demo.duckdb"
    return lay_store(path, STUDIES["tagging"].demo, add_people)


@pytest.fixture(scope="module")
def shared(lasting_server: AppServer, demo_store: Path) -> Server:
    return lasting_server(store=demo_store, settings=for_each("error_spans"))


def sign_in(page: Page, server: Server, name: str) -> None:
    """Sign in under a new name."""
    page.goto(server.url)
    expect(page.get_by_role("textbox", name="Name")).to_be_visible()
    at_rest(page)  # the tab's own report has the form drawn again
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", name=f"Good to see you, {name}")).to_be_visible()
    wait_until(page, NOTED)


def open_desk(page: Page, *, first_visit: bool = False) -> None:
    page.get_by_role("button", name=re.compile("Start|Continue")).click()
    if first_visit:
        close_worked_example(page)
    expect(page.locator(TEXT)).to_be_visible()


def saved(page: Page) -> None:
    expect(page.locator(".mdb-saved")).to_have_text(SAVED)


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


def bodies(server: Server, name: str, table: str = "draft_now") -> list[str]:
    """What the server holds of a person's now, in the order of tasks."""
    with lead_actions.copied(server) as store:
        found = store.execute(
            f"select body from {table} one join rater r on r.id = one.rater"
            " where r.name = ? and one.task <> 'worked_example' order by task",
            [name],
        ).fetchall()
    return [str(body) for (body,) in found]


def straight_to_the_desk(page: Page, server: Server, name: str) -> None:
    come_back(page, server, name)
    page.goto(f"{server.url}/Tag_errors")
    expect(page.locator(TEXT)).to_be_visible()


def all_is_in_sight(page: Page) -> None:
    at_rest(page)
    for part in (".mlt-context", TEXT, ".mlt-labels", ".mlt-side", ".mdb"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 1366
        assert box["y"] < 768
    bar = page.locator(".mdb").bounding_box()
    assert bar is not None
    assert bar["y"] + bar["height"] <= 769
    expect(page.locator(".mlt-label")).to_have_count(9)


def test_items_by_keyboard_alone_saved_without_a_run_or_by_streamlit_where_that_address_fails(
    page: Page, server: Server, rosa: str, heard: Heard
) -> None:
    come_back(page, server, rosa)
    page.goto(server.url)
    open_desk(page)
    all_is_in_sight(page)
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
    expect(page.locator(".mdb")).to_contain_text("2 of 20")
    expect(page).to_have_url(re.compile("item="))
    second = page.url
    # The next item is there before the reply to what was handed in.
    until = time.monotonic() + 30
    while len(statuses) < 2:
        assert time.monotonic() < until, "what was handed in was not answered"
        page.wait_for_timeout(20)
    assert statuses == [200, 200]
    assert page.evaluate("window.ran") == runs
    assert (heard.errors, heard.strangers) == ([], [])
    page.route("**/medlens/desk/**", lambda route: route.abort())
    mark_by_keyboard(page, "6")
    saved(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mdb")).to_contain_text("3 of 20")
    assert page.evaluate("window.ran") > runs
    page.unroute("**/medlens/desk/**")
    expect(page).not_to_have_url(second)
    third = page.url
    mark_by_keyboard(page, "3")
    saved(page)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mdb")).to_contain_text("4 of 20")
    expect(page).not_to_have_url(third)
    page.reload()
    expect(page.locator(".mdb")).to_contain_text("4 of 20")
    assert page.url != second
    at_rest(page)
    # The desk's first line stands beside the menu's button, and takes none of its clicks.
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_role("link", name="Home").click()
    expect(page).to_have_url(server.url + "/")
    assert len(bodies(server, rosa, "judgment")) == 3


@pytest.mark.deep
def test_a_mark_made_as_the_tab_is_closed_is_on_the_server_and_found_again_on_a_phone(
    tabs: Callable[[], Page], server: Server, rosa: str, demo_store: Path
) -> None:
    page, again = tabs(), tabs()
    straight_to_the_desk(page, server, rosa)
    mark_by_keyboard(page, "5")
    address = page.url
    page.close()
    # The browser sends pending messages; nothing here reads its own copy of the mark.
    until = time.monotonic() + 30
    while not bodies(server, rosa):
        assert time.monotonic() < until, "the mark was lost"
        time.sleep(0.1)
    again.set_viewport_size(PHONE)
    again.goto(address)
    expect(again.locator(".mlt-side")).to_contain_text("Incorrect understanding of the task")
    saved(again)
    at_rest(again)
    assert again.evaluate("document.documentElement.scrollWidth") <= 390
    # The question is open, and the save status stays in view at the foot of the text.
    expect(again.locator(".mlt-option.is-correct")).to_be_visible()
    again.get_by_role("button", name="Submit").scroll_into_view_if_needed()
    expect(again.locator(".mdb-saved")).to_be_in_viewport()
    assert server.stop() == 0
    found = rows(
        demo_store,
        f"select d.body from draft_now d join rater r on r.id = d.rater where r.name = '{rosa}'",
    )
    assert len(found) == 1


@pytest.mark.deep
def test_marks_drawn_while_the_server_is_down_are_kept_and_saved_when_it_is_back(
    page: Page, server: Server, rosa: str
) -> None:
    # Nothing was sent from this page yet.
    straight_to_the_desk(page, server, rosa)
    at_rest(page)
    server.kill()
    mark_by_keyboard(page, "4")
    expect(page.locator(".mdb-saved")).to_contain_text("not saved")
    expect(page.locator(".mlt-side")).to_contain_text("Ignore missing information")
    expect(page.get_by_text("Illustrative demo item")).to_be_visible()
    server.start()
    # For a moment the old surface and the new session's are both on the page.
    expect(page.locator(".mdb-saved").last).to_have_text(SAVED, timeout=45_000)
    expect(page.locator(".mdb-saved")).to_have_count(1)
    expect(page.locator(".mlt-side")).to_contain_text("Ignore missing information")
    [body] = bodies(server, rosa)
    assert "ignore_missing_information" in body


@pytest.mark.deep
def test_the_next_item_shows_at_once_and_the_old_one_is_back_where_nobody_answers(
    page: Page, server: Server, rosa: str
) -> None:
    straight_to_the_desk(page, server, rosa)
    first = page.locator(TEXT).inner_text()
    mark_by_keyboard(page, "3")
    saved(page)
    at_rest(page)
    assert server.process is not None
    server.process.send_signal(signal.SIGSTOP)
    try:
        page.keyboard.press("Control+Enter")
        expect(page.locator(TEXT)).not_to_have_text(first)
        expect(page.locator(".mlt-mark")).to_have_count(0)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("6")
        expect(page.locator(".mdb-saved")).to_contain_text("not saved")
        expect(page.locator(TEXT).locator(".mlt-mark").first).to_be_visible()
        page.keyboard.press("Escape")
        assert page.locator(TEXT).inner_text().split()[:5] == first.split()[:5]
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page.locator(".mdb")).to_contain_text("2 of 20", timeout=45_000)
    expect(page.locator(TEXT)).not_to_contain_text(first[:60])
    expect(page.locator(".mlt-mark")).to_have_count(0)


@pytest.mark.deep
def test_two_tabs_with_two_people_never_mix(
    tabs: Callable[[], Page], server: Server, rosa: str
) -> None:
    first, second = tabs(), tabs()
    come_back(first, server, rosa)
    first.goto(server.url)
    second.goto(server.url)
    expect(second.get_by_role("heading", name=f"Good to see you, {rosa}")).to_be_visible()
    second.get_by_role("button", name="Switch person").click()
    second.get_by_role("button", name="Somebody else").click()
    grace = f"Grace, not {rosa}"
    expect(second.get_by_role("textbox", name="Name")).to_be_visible()
    at_rest(second)
    second.get_by_role("textbox", name="Name").fill(grace)
    second.get_by_role("button", name="Start").click()
    expect(second.get_by_role("heading", name=f"Good to see you, {grace}")).to_be_visible()
    for page, key in ((first, "1"), (second, "2")):
        open_desk(page, first_visit=page is second)
        mark_by_keyboard(page, key)
        saved(page)
    [one], [other] = bodies(server, rosa), bodies(server, grace)
    assert "non_medical_factual_error" in one
    assert "sticking_with_wrong_diagnosis" in other


def test_no_other_raters_work_and_no_gold_key_crosses_the_wire_to_a_reviewer(
    page: Page, server: Server, rosa: str
) -> None:
    received: list[bytes] = []
    page.on(
        "websocket",
        lambda socket: socket.on(
            "framereceived",
            lambda frame: received.append(frame if isinstance(frame, bytes) else frame.encode()),
        ),
    )
    come_back(page, server, rosa)
    page.goto(server.url)
    expect(page.get_by_role("heading", name=f"Good to see you, {rosa}")).to_be_visible()
    at_rest(page)
    received.clear()
    for path in ("Tag_errors?view=Results", "Tag_errors?view=Open+coding", "Team", "Data"):
        until, before = time.monotonic() + 30, len(received)
        turn_to(page, f"/{path}")
        while len(received) == before:
            assert time.monotonic() < until, "nothing was sent"
            page.wait_for_timeout(20)
        at_rest(page)
        expect(page.get_by_test_id("stSidebar").get_by_text(rosa)).to_have_count(1)
    wire = b"".join(received)
    assert len(wire) > 10_000
    assert b"Demo rater" not in wire
    assert b"expected" not in wire


@pytest.mark.deep
def test_after_the_last_item_two_forms_and_a_code(
    page: Page, app_server: AppServer, tmp_path: Path, lay_store: LayStore, rosa: str
) -> None:
    server = app_server(
        store=lay_store(tmp_path / "short.duckdb", STUDIES["tagging"].demo, add_people),
        settings="[tagging]\nitems_per_rater = 1\ngold_share = 0.0\n",
    )
    straight_to_the_desk(page, server, rosa)
    mark_by_keyboard(page, "2")
    saved(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="All items done")).to_be_visible()
    expect(page.get_by_text("Feedback").first).to_be_visible()
    # Input survives a server restart, and a reload before the server has heard of it.
    page.get_by_role("radio", name="About right").check()
    expect(page.locator(".maf-status").first).to_have_text(SAVED)
    at_rest(page)
    server.kill()
    page.get_by_role("checkbox", name="PubMed or a journal").check()
    page.get_by_role("checkbox", name="Textbook").check()
    server.start()
    page.goto(f"{server.url}/Tag_errors")
    expect(page.get_by_role("radio", name="About right")).to_be_checked(timeout=45_000)
    expect(page.get_by_role("checkbox", name="PubMed or a journal")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Textbook")).to_be_checked()
    expect(page.locator(".maf-status").first).to_have_text(SAVED)


def practise(store: Store) -> None:
    """Two practice items, both of which must be met."""
    lead = raters.find_or_add_rater_by_name(store, "Dr Osei", role="lead")
    study = STUDIES["tagging"].open(store, Settings(), "demo")
    names = items.item_ids_by_name(store, "tagging", "demo", ["demo01", "demo02"])
    for name, label in (
        ("demo01", "non_medical_factual_error"),
        ("demo02", "hallucination_of_information"),
    ):
        key = {"labels": [label]}
        consensus.set_or_unset_gold_item(
            store, study.task, item=names[name], expected=key, active=True, by=lead
        )
        practice.mark_gold_item_as_practice(
            store, study.task, item=names[name], why=f"Read {name} again.", by=lead
        )
    practice.set_practice_rules(store, study.task.name, "demo", practice.Rules(mark=2), by=lead)


@pytest.mark.deep
def test_a_newcomer_practises_is_told_after_each_and_held_back_until_let_in(
    app_server: AppServer, tmp_path: Path, lay_store: LayStore, page: Page
) -> None:
    path = lay_store(tmp_path / "practice.duckdb", STUDIES["tagging"].demo, practise)
    server = app_server(store=path)
    sign_in(page, server, "Nora New")
    open_desk(page, first_visit=True)
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
    at_rest(page)
    server.kill()
    with contextlib.closing(open_store(path)) as store:
        [lead] = [one for one in raters.list_raters(store) if one.name == "Dr Osei"]
        [nora] = [one for one in raters.list_raters(store) if one.name == "Nora New"]
        given = store.rows("select count(*) from assignment where rater = $r", r=nora.id)
        assert given == [(2,)]
        practice.admit_or_bar_despite_practice(
            store, "error_spans", "demo", nora.id, reason="Trained.", by=lead
        )
    # The page comes back to the server by itself.
    server.start()
    expect(page.locator(TEXT)).to_be_visible()
    expect(page.get_by_text("1 of 20")).to_be_visible()
