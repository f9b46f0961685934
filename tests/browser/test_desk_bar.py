"""Every desk has one bar at its foot: in one order, always in sight, over nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import rounds
from medlens.store import Store
from medlens.studies.own import study_file
from medlens.studies.own.study import open_study
from medlens.studies.registry import STUDIES
from tests.browser.conftest import (
    PHONE,
    SIZE,
    AppServer,
    Server,
    add_people,
    at_rest,
    sign_in,
    wait_until,
)
from tests.conftest import LayStore

ZOOMED: ViewportSize = {"width": 683, "height": 384}
"""A small laptop's window at twice its size."""
SIZES = (SIZE, PHONE, ZOOMED)
OWN = ("long_answers", "summary_errors")

# Address, and what is judged there.
DESKS = {
    "Tag_errors": ".mlt-text",
    "Read_transcripts": ".mlc-turns",
    "Read_transcripts?view=Check diagnoses": ".st-key-check",
    "Verify_sources": ".msd-statement",
    "Verify_sources?view=Verify whole answers": ".msd-statement",
    "Verify_sources?view=Check statements": ".st-key-check-read",
    "Explore_EBMQA": ".st-key-question",
    "Your_studies?dataset=long_answers": '[class*="st-key-own-pane-"]',
    "Your_studies?dataset=summary_errors": '[class*="st-key-own-pane-"], .mlt-text',
}

# The bar as it is in sight: the names of its buttons from left to right, and where it is.
MEASURE = """(judged) => {
  const bar = document.querySelector(".mdb, .st-key-desk_bar")
  const box = (node) => node.getBoundingClientRect()
  const buttons = [...bar.querySelectorAll("button")].filter((one) => box(one).width)
    .sort((one, other) => box(one).top - box(other).top || box(one).left - box(other).left)
  const { top, bottom, left, right } = box(bar)
  const scroller = document.querySelector('[data-testid="stMain"]')
  const [first] = [...document.querySelectorAll(judged)].filter((one) => box(one).height)
  const seen = first && { top: box(first).top, bottom: box(first).bottom }
  return {
    names: buttons.map((one) => /Previous|Next|Flag|Skip|Submit/.exec(one.innerText)[0]),
    top, bottom, left, right, width: innerWidth, height: innerHeight,
    wide: scroller.scrollWidth - scroller.clientWidth, seen,
    covered: !bar.contains(document.elementFromPoint((left + right) / 2, bottom - 3)),
  }
}"""


def add_studies(store: Store) -> None:
    for name in OWN:
        file = study_file.path_of_template(name)
        work_behind_commands.declare_study_and_return_report_text(
            store, study_file.read_study_file_text_and_declaration(file)[0], file.name
        )
        items = file.with_suffix(".csv")
        work_behind_commands.import_file(
            store, Settings(), "own-items", items, name=f"{name}.csv", dataset=name
        )
        task = open_study(store, Settings(), name).task
        rounds.open_or_close_round(store, task, name, state="open", raters=(), by=None)


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    path = tmp_path_factory.mktemp("bar") / "bar.duckdb"
    demos = (STUDIES[name].demo for name in ("tagging", "agentclinic", "sourcecheckup", "ebmqa"))
    return lasting_server(store=lay_store(path, *demos, add_people, add_studies))


def measured(page: Page, judged: str) -> dict[str, Any]:
    expect(page.locator(".mdb:visible, .st-key-desk_bar:visible").first).to_be_visible()
    expect(page.locator(judged).locator("visible=true").first).to_be_visible()
    at_rest(page)
    found: dict[str, Any] = page.evaluate(MEASURE, judged)
    return found


@pytest.mark.deep
@pytest.mark.parametrize("address", DESKS)
def test_the_bar_of_every_desk_has_one_order_at_the_foot_of_the_window_and_keeps_the_item_in_sight(
    page: Page, server: Server, address: str
) -> None:
    sign_in(page, server, "Rosa 00")
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(f"{server.url}/{address}")
        # Streamlit draws one button after another.
        last = "Flag" if address.startswith("Explore") else "Submit"
        drawn = page.get_by_role("button", name=last).filter(visible=True)
        expect(drawn.first).to_be_visible(timeout=45_000)
        bar = measured(page, DESKS[address])
        if address.startswith("Explore"):  # choosing an option submits it
            assert bar["names"] == ["Previous", "Next", "Flag"]
        else:
            assert bar["names"] == ["Previous", "Next", "Flag", "Skip", "Submit"]
        assert abs(bar["bottom"] - bar["height"]) <= 1, (size, bar)
        assert bar["wide"] <= 1, (size, bar)
        assert bar["right"] >= bar["width"] - 16, (size, bar)  # a scroll bar may be there
        assert not bar["covered"], (size, bar)
        # Half of the window at least is the item's.
        assert bar["top"] >= bar["height"] / 2, (size, bar)
        assert bar["seen"]["top"] < bar["top"] - 24, (size, bar)


@pytest.mark.deep
def test_the_bar_of_a_flagged_item_keeps_submit_in_its_corner(page: Page, server: Server) -> None:
    sign_in(page, server, "Rosa 03")
    page.set_viewport_size(SIZES[0])
    page.goto(f"{server.url}/Read_transcripts")
    submit = page.locator(".st-key-desk_bar").get_by_role("button", name="Submit")
    expect(submit).to_be_visible(timeout=45_000)
    at_rest(page)
    place = submit.bounding_box()
    page.keyboard.press("f")
    expect(page.get_by_label("What is wrong with this dialogue?")).to_be_focused()
    page.keyboard.type("cut off")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-work-status")).to_have_text("Item 1 flagged, another added for it")
    at_rest(page)
    page.keyboard.press("k")
    expect(page.get_by_role("button", name="Unflag")).to_be_visible()
    at_rest(page)
    assert submit.bounding_box() == place


@pytest.mark.deep
@pytest.mark.parametrize(
    "address", ["Tag_errors", "Read_transcripts", "Your_studies?dataset=summary_errors"]
)
def test_words_about_a_skip_move_no_button_in_a_low_window_and_are_whole(
    page: Page, server: Server, address: str
) -> None:
    sign_in(page, server, "Rosa 04")
    page.set_viewport_size(ZOOMED)
    page.goto(f"{server.url}/{address}")
    measured(page, DESKS[address])
    bar = page.locator(".mdb:visible, .st-key-desk_bar:visible")
    submit, skip = (bar.get_by_role("button", name=name) for name in ("Submit", "Skip"))
    before = submit.bounding_box(), skip.bounding_box(), bar.bounding_box()
    skip.click()
    said = page.locator(SAVED_PLACE)
    expect(said).to_contain_text("Item 1 skipped")
    measured(page, DESKS[address])
    assert (submit.bounding_box(), skip.bounding_box(), bar.bounding_box()) == before
    place = page.locator(".mdb-place, .st-key-desk_bar [data-testid=stCaptionContainer] p").first
    expect(place).to_have_text(re.compile(r"^2 of \d+, 1 skipped$"))
    for words in (place, page.locator(".mdb-saved, .st-key-work-status p")):
        assert words.evaluate(
            "(one) => one.scrollHeight <= one.clientHeight + 2"
            " && one.scrollWidth <= one.clientWidth + 1"
        )


OFF_CENTRE = """() => {
  const buttons = [...document.querySelectorAll(".mdb button, .st-key-desk_bar button")]
  return buttons.flatMap((one) => {
  const { left, right, width } = one.getBoundingClientRect()
  const words = document.createTreeWalker(one, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  const drawn = []
  while (words.nextNode()) {
    range.selectNodeContents(words.currentNode)
    drawn.push(...[...range.getClientRects()].filter((rect) => rect.width))
  }
  const before = Math.min(...drawn.map((rect) => rect.left)) - left
  const behind = right - Math.max(...drawn.map((rect) => rect.right))
  return width && Math.abs(before - behind) > 3 ? [`${one.innerText}: ${before}, ${behind}`] : []
})}"""


@pytest.mark.deep
@pytest.mark.parametrize("address", ["Tag_errors", "Read_transcripts"])
def test_the_name_of_each_button_stands_in_its_middle_on_a_phone(
    page: Page, server: Server, address: str
) -> None:
    sign_in(page, server, "Rosa 02")
    page.set_viewport_size(PHONE)
    page.goto(f"{server.url}/{address}")
    measured(page, DESKS[address])
    assert page.evaluate(OFF_CENTRE) == []


AT_FOOT = """() => {
  const gap = innerHeight - document.querySelector(".mdb").getBoundingClientRect().bottom
  const { scrollHeight, clientHeight } = document.querySelector("[data-testid=stMain]")
  return Math.abs(gap) <= 1 && scrollHeight - clientHeight <= 1
}"""


@pytest.mark.deep
def test_the_bar_is_at_the_foot_again_when_something_above_the_panes_has_gone(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 01")
    page.goto(f"{server.url}/Verify_sources")
    measured(page, DESKS["Verify_sources"])
    wait_until(page, AT_FOOT)
    # As if it had been drawn while something stood there that the page then took away.
    page.evaluate(
        """() => {
          const above = document.createElement("div")
          above.className = "above"
          above.style.cssText = "flex: none; height: 40px"
          document.querySelector(".stMainBlockContainer").prepend(above)
          dispatchEvent(new Event("resize"))
        }"""
    )
    wait_until(page, AT_FOOT)
    page.evaluate("document.querySelector('.above').remove()")
    wait_until(page, AT_FOOT)


SAVED_PLACE = ".mdb-saved, .st-key-work-status"
SUBMITTED = re.compile(r"^submitted \d\d:\d\d:\d\d$")
# Keys that answer the first item of a desk and submit it.
ANSWERED_BY = {
    "Tag_errors": ["8", "Control+Enter"],
    "Read_transcripts?view=Rate dialogues": ["7", "8", "0", "5", "Enter"],
    "Read_transcripts?view=Check diagnoses": ["1", "Enter"],
    "Verify_sources": ["1", "Enter"],
    "Explore_EBMQA": ["1"],
}


@pytest.mark.deep
@pytest.mark.parametrize("address", ANSWERED_BY)
def test_what_was_submitted_is_said_in_the_same_words_in_one_place_of_every_desks_bar(
    page: Page, server: Server, address: str
) -> None:
    sign_in(page, server, "Rosa 02")
    page.goto(f"{server.url}/{address}")
    said = page.locator(SAVED_PLACE)
    measured(page, DESKS.get(address, DESKS["Read_transcripts"]))
    expect(said).to_have_text("")
    if address == "Tag_errors":
        page.locator(".mlt-text").focus()
        page.keyboard.press("ArrowDown")
    for key in ANSWERED_BY[address]:
        page.keyboard.press(key)
    if address == "Verify_sources":  # its item stays, beside what models said
        expect(said).to_have_text(SUBMITTED)
        page.keyboard.press("Enter")
    thing = "Question" if address == "Explore_EBMQA" else "Item"
    expect(said).to_have_text(f"{thing} 1 submitted")
    at_rest(page)
    page.keyboard.press("k")
    expect(said).to_have_text(SUBMITTED)
