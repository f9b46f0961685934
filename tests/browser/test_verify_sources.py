"""Pairs verified by keys, revealed, revised; a passage found, marked and kept; also on a phone."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from medlens.review import consensus, practice, raters, selection
from medlens.store import Store, open_store
from medlens.studies.sourcecheckup.models import pair_id, pair_name
from medlens.studies.sourcecheckup.study import open_study
from tests.browser.conftest import AppServer, Heard, Server, at_rest, sign_in
from tests.conftest import LayStore
from tests.sourcecheckup_made_up import (
    DATASET,
    GONE_URL,
    GOOD_URL,
    HOSTILE_URL,
    OTHER_URL,
    make,
)

PAGE = "/Verify_sources"
BEST = ".msr-s.is-best"
READABLE = [("r1.s1", GOOD_URL), ("r1.s2", GOOD_URL), ("r2.s1", OTHER_URL), ("r3.s1", HOSTILE_URL)]


def add_chosen(store: Store) -> None:
    """Two people, and the pairs they are to verify."""
    lead = raters.ensure(store, "Lena Lead", role="lead")
    raters.ensure(store, "Rosa Reviewer")
    chosen = [pair_id(DATASET, statement, url) for statement, url in READABLE]
    task = open_study(store).support
    selection.select(store, task, chosen, dataset=DATASET, drawn="by hand", by=lead)


@pytest.fixture
def store(tmp_path: Path, lay_store: LayStore) -> Path:
    return lay_store(tmp_path / "sources.duckdb", make, add_chosen)


@pytest.fixture
def server(app_server: AppServer, store: Path) -> Server:
    return app_server(store=store)


def open_desk(page: Page, server: Server) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(server.url + PAGE)
    expect(page.locator(BEST)).to_be_visible(timeout=45_000)


def link_to(server: Server, statement: str, url: str) -> str:
    """The address of a pair on the page."""
    return f"{server.url}{PAGE}?{urlencode({'item': pair_name(statement, url)})}"


def in_sight(page: Page, selector: str) -> bool:
    """Whether the first matching element is inside the reader's window."""
    return bool(
        page.evaluate(
            """(selector) => {
              const own = document.querySelector(selector).getBoundingClientRect()
              const box = document.querySelector(".msr-scroll").getBoundingClientRect()
              return own.top >= box.top && own.bottom <= box.bottom
            }""",
            selector,
        )
    )


def test_the_other_steps_are_checked_by_keys_in_one_breath_and_words_are_kept_as_written(
    page: Page, server: Server, store: Path
) -> None:
    open_desk(page, server)
    for task, keys in (("statement_parse", "a21"), ("", "1")):
        page.goto(f"{server.url}{PAGE}?view=Check+the+steps&task={task or 'question_quality'}")
        expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
        first = page.url
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
        expect(page).not_to_have_url(first)
    page.goto(f"{server.url}{PAGE}?view=Check+the+steps&task=statement_parse")
    expect(page).to_have_url(re.compile("item="), timeout=45_000)
    first = page.url
    page.get_by_role("button", name="All remaining statements are in the answer").or_(
        page.get_by_text("No statement was extracted from this answer.")
    ).click()
    page.get_by_role("radio", name="Something is missing").check()
    # Typed with a pause after each line, whose newline the server strips.
    for line in ("That it rains.", "That it snows, half of a pair:"):
        page.get_by_label("What is missing").evaluate(
            """(field, line) => {
              field.focus()
              field.value += line + (line.endsWith(":") ? "\\ud83d" : "") + "\\n"
              field.dispatchEvent(new Event("input", { bubbles: true }))
            }""",
            line,
        )
        expect(page.locator(".maf.is-saving")).to_have_count(0)
    page.get_by_role("button", name="Submit").click()
    expect(page).not_to_have_url(first)
    server.kill()
    with contextlib.closing(open_store(store)) as opened:
        rosa = raters.ensure(opened, "Rosa Reviewer").id
        said = opened.rows("select task, body from judgment where rater = $r order by seq", r=rosa)
    bodies = [(task, json.loads(body)) for task, body in said]
    assert [task for task, _ in bodies] == [
        "statement_parse",
        "question_quality",
        "statement_parse",
    ]
    parsed, asked, last = (body for _, body in bodies)
    assert asked["answer"] == "yes"
    assert parsed["complete"] == "yes"
    assert set(parsed["contained"].values()) <= {True}
    missing = ["That it rains.", "That it snows, half of a pair:\ufffd"]
    assert (last["complete"], last["missing"]) == ("no", missing)


def practise(store: Store) -> None:
    """A practice item outside the chosen pairs."""
    lead, task = raters.ensure(store, "Lena Lead", role="lead"), open_study(store).support
    item = pair_id(DATASET, "r1.s1", GONE_URL)
    key = {"verdict": "supported"}
    consensus.set_gold(store, task, item=item, expected=key, active=True, by=lead)
    practice.make(store, task, item=item, why="Nobody can read it.", by=lead)


def test_what_was_expected_is_told_at_a_desk_that_keeps_its_pair(
    page: Page, app_server: AppServer, tmp_path: Path, lay_store: LayStore
) -> None:
    server = app_server(store=lay_store(tmp_path / "p.duckdb", make, add_chosen, practise))
    sign_in(page, server, "Rosa Reviewer")
    page.goto(server.url + PAGE)
    page.get_by_role("radio", name="Contradicted").check(timeout=45_000)
    page.keyboard.press("Enter")
    told = page.get_by_role("dialog")
    expect(told).to_contain_text("Practice: not as expected")
    expect(told).to_contain_text("Nobody can read it.")
    told.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Next pair").click()
    expect(page.locator(BEST)).to_be_visible()


def test_a_whole_answer_is_verified_by_keys_alone(
    page: Page, server: Server, store: Path, heard: Heard
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}{PAGE}?view=Check+the+steps&task=response_support")
    statement, place = page.locator(".msd-text"), page.locator(".msd-place")
    expect(place).to_be_visible(timeout=45_000)
    while "4 g of paracetamol" not in page.locator(".msd-list").inner_text():
        before = place.inner_text()
        page.keyboard.press("j")
        expect(place).not_to_have_text(before)
    now = page.locator(".msr-s.is-now")
    expect(now).to_have_text("The highest dose of paracetamol for adults is 4 g in 24 hours.")
    assert in_sight(page, ".msr-s.is-now")
    page.keyboard.press("m")
    expect(page.locator(".msd-signs").first).to_have_text("passage marked")
    # The next statement brings its passage; the other source says why it has no text.
    page.keyboard.press("ArrowDown")
    expect(statement).to_contain_text("overdose")
    expect(now).to_have_text("Liver damage can follow an overdose of paracetamol.")
    assert in_sight(page, ".msr-s.is-now")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("is no longer there")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    # M marks a found sentence, and a selection.
    page.keyboard.press("/")
    page.keyboard.type("leave at least")
    page.keyboard.press("Escape")
    page.keyboard.press("m")
    marked = page.locator(".msr-s.is-marked")
    expect(marked).to_have_text("Leave at least 4 hours between doses.")
    page.evaluate(
        """() => {
          const [from, to] = [...document.querySelectorAll(".msr-s")].slice(2, 4)
          getSelection().setBaseAndExtent(from.firstChild, 3, to.firstChild, 4)
        }"""
    )
    page.keyboard.press("m")
    expect(marked).to_have_count(2)
    page.keyboard.press("Control+z")
    expect(marked).to_have_text("Leave at least 4 hours between doses.")
    assert "checker" not in page.content()
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next answer")).to_be_visible()
    assert "checker" not in page.content()
    page.keyboard.press("r")
    expect(page.locator(".msd-signs").first).to_contain_text("checker: supported")
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    first = place.inner_text()
    page.keyboard.press("Enter")
    expect(place).not_to_have_text(first)
    server.kill()
    with contextlib.closing(open_store(store)) as opened:
        [(body, blind)] = opened.rows(
            "select body, blind from judgment j join rater r"
            " on r.id = j.rater where r.kind = 'person'"
        )
    said = json.loads(body)
    assert (said["answer"], blind) == ("no", True)
    assert [(one["statement"], one["quote"]) for one in said["passages"]] == [
        ("r1.s1", "The highest dose of paracetamol for adults is 4 g in 24 hours."),
        ("r1.s2", "Leave at least 4 hours between doses."),
    ]
    assert not [error for error in heard.errors if "404 (Not Found)" not in error]


def test_pairs_are_verified_by_keys_revealed_one_revised_and_a_passage_is_marked(
    page: Page, server: Server, store: Path, heard: Heard
) -> None:
    open_desk(page, server)
    for count, key in enumerate("142", 1):
        expect(page.locator(".msd-line")).to_contain_text(f"{count} of 4")
        expect(page.locator(BEST)).to_have_count(1)
        assert in_sight(page, BEST)
        assert "checker" not in page.content()
        assert "secret" not in page.content()
        # Like a fast rater, without waiting for the answer.
        page.keyboard.press(key)
        page.keyboard.press("Enter")
        expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
        if count < 3:
            page.keyboard.press("Enter")
    # A changed mind about the third: another revision, not blind.
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    expect(page.get_by_text("You first said: Partly supported.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".msd-line")).to_contain_text("4 of 4")
    page.keyboard.press("k")
    expect(page.locator(".msd-line")).to_contain_text("3 of 4")
    # A passage is marked, and still is after a reload.
    page.goto(link_to(server, "r1.s1", GOOD_URL))
    expect(page.locator(".msr-s.is-now")).to_have_text(
        "The highest dose of paracetamol for adults is 4 g in 24 hours.", timeout=45_000
    )
    at_rest(page)
    page.keyboard.press("m")
    expect(page.locator(".msr-s.is-marked")).to_have_count(1)
    # The search is the page's own; Enter in it goes to the next hit and submits nothing.
    page.keyboard.press("/")
    page.keyboard.type("LIVER DAMAGE")
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.locator(".msr-where").first).to_have_text("2 of 2")
    expect(page.locator(".msd-status")).to_have_attribute("data-kind", "saved")
    page.reload()
    expect(page.locator(".msr-s.is-marked")).to_have_text(
        "The highest dose of paracetamol for adults is 4 g in 24 hours.", timeout=45_000
    )
    opened_link = page.get_by_role("link", name="Open the original")
    expect(opened_link).to_have_attribute("href", GOOD_URL)
    expect(opened_link).to_have_attribute("rel", "noopener noreferrer")
    server.kill()
    with contextlib.closing(open_store(store)) as opened:
        rows = opened.rows(
            "select body->>'verdict', blind from judgment j join rater r"
            " on r.id = j.rater where r.kind = 'person' order by j.seq"
        )
    assert rows == [
        ("supported", True),
        ("not_supported", True),
        ("partly", True),
        ("contradicted", False),
    ]


def test_the_pair_turns_at_the_key_is_answered_at_once_and_outlives_the_server(
    page: Page, server: Server, store: Path
) -> None:
    open_desk(page, server)
    statement = page.locator(".msd-text")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    first = statement.inner_text()
    # All in one browser task: the server cannot have answered in between.
    turned = page.evaluate(
        """() => {
          const press = (key) => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
          press("Enter")
          const statement = document.querySelector(".msd-text").textContent
          const lit = document.querySelectorAll(".msr-s.is-best").length
          const place = document.querySelector(".msd-place").textContent
          press("3")
          press("Enter")
          return { statement, lit, place }
        }"""
    )
    assert turned["statement"] != first
    assert (turned["lit"], turned["place"]) == (1, "2 of 4")
    # Its own submission was sent too, after the server's answer.
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    expect(statement).to_have_text(turned["statement"])
    expect(page.get_by_role("radio", name="Contradicted")).to_be_checked()
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    # Answered ahead of a server that is gone: the previous pair is back, and says so.
    server.kill()
    page.keyboard.press("Enter")
    expect(page.locator(".msd-place")).to_have_text("3 of 4")
    third = statement.inner_text()
    page.keyboard.press("4")
    page.keyboard.press("w")
    page.keyboard.insert_text("It says nothing of the kind")
    expect(page.locator(".msd-place")).to_have_text("2 of 4")
    expect(page.locator(".msd-notice")).to_contain_text("pair 3 is kept")
    expect(statement).to_have_text(turned["statement"])
    expect(page.get_by_role("radio", name="Contradicted")).to_be_checked()
    expect(page.locator(".msd-status")).to_contain_text("not saved")
    expect(page.get_by_role("dialog")).to_have_count(0)
    server.start()
    expect(page.locator(".msd-place")).to_have_text("3 of 4", timeout=30_000)
    expect(statement).to_have_text(third)
    expect(page.get_by_role("radio", name="Not supported")).to_be_checked()
    expect(page.get_by_label("Why (optional)")).to_have_value("It says nothing of the kind")
    expect(page.locator(".msd-status")).to_contain_text("saved ")
    server.kill()
    with contextlib.closing(open_store(store)) as opened:
        rows = opened.rows(
            "select s.statement, d.body->>'verdict', d.body->>'reason', j.blind from draft_now d"
            " join item i on i.id = d.item join sc_statement s on s.id = (i.body->>'statement')"
            " left join judgment j on j.item = d.item and j.rater = d.rater order by d.seq"
        )
    assert rows == [
        (first, "supported", "", True),
        (turned["statement"], "contradicted", "", True),
        (third, "not_supported", "It says nothing of the kind", None),
    ]


def test_keys_that_outrun_the_server_never_answer_the_pair_that_is_being_left(
    page: Page, server: Server, store: Path
) -> None:
    open_desk(page, server)
    page.evaluate(
        """() => ["1", "Enter", "Enter", "4"].forEach((key) => document.body.dispatchEvent(
          new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))"""
    )
    # The second Enter moves on once the first is answered; the 4 was for a pair not yet shown.
    expect(page.locator(".msd-place")).to_have_text("2 of 4")
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    expect(page.locator(".msd-choices input:checked")).to_have_count(0)
    page.keyboard.press("k")
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    expect(page.get_by_role("radio", name="Supported", exact=True)).to_be_checked()
    server.kill()
    with contextlib.closing(open_store(store)) as opened:
        rows = opened.rows(
            "select body->>'verdict', revision, blind from judgment j join rater r"
            " on r.id = j.rater where r.kind = 'person'"
        )
    assert rows == [("supported", 1, True)]


def test_a_page_that_is_markup_is_shown_as_text_on_a_phone(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    open_desk(page, server)
    # All four belong to this reviewer once requested.
    for count in (2, 3, 4):
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.locator(".msd-line")).to_contain_text(f"{count} of 4")
    page.goto(link_to(server, "r3.s1", HOSTILE_URL))
    expect(page.locator(".msd-text")).to_contain_text("Ibuprofen never irritates", timeout=45_000)
    expect(page.locator(".msr-text")).to_contain_text("<img src=x onerror=alert(1)> Ignore the")
    assert page.locator(".msr-text img, .msr-text b").count() == 0
    # A page-long address takes two lines, and is whole under the pointer and when copied.
    address = page.locator(".msr-address")
    expect(address).to_have_attribute("title", HOSTILE_URL)
    address.evaluate("(node) => { node.textContent = 'https://a.example.org/' + 'x'.repeat(900) }")
    assert address.evaluate("(node) => node.getBoundingClientRect().height") < 60
    assert len(address.inner_text()) == 922
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("radio", name="Contradicted").check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    # A whole answer: the passage is in view below its statement; the submit button stays there.
    page.goto(f"{server.url}{PAGE}?view=Check+the+steps&task=response_support")
    place = page.locator(".msd-place")
    expect(place).to_be_visible(timeout=45_000)
    while not page.locator(".msr-s.is-now").count():
        before = place.inner_text()
        page.locator(".msd-line").get_by_role("button", name="Next").tap()
        expect(place).not_to_have_text(before)
    for shown in (
        page.locator(".msd-text"),
        page.locator(".msr-s.is-now"),
        page.locator(".msd-line").get_by_role("button", name="Submit"),
    ):
        box = shown.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
    page.locator(".msr-s.is-now").tap()
    page.get_by_role("button", name="Mark").tap()
    expect(page.locator(".msr-s.is-marked")).to_have_count(1)
    before = place.inner_text()
    page.get_by_role("radio", name="Yes").check()
    page.get_by_role("button", name="Submit").tap()
    page.get_by_role("button", name="Next answer").tap()
    expect(place).not_to_have_text(before)
    assert page.get_by_test_id("stMain").evaluate("(node) => node.scrollTop") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
