"""What stands above a page's content, measured in Chromium at a small laptop's size."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, Heard, Server, add_people, at_rest, sign_in
from tests.conftest import LayStore

MEASURE = (Path(__file__).parent / "frame_measure.js").read_text(encoding="utf-8")
MOST_Y, MOST_ROWS, MOST_CONTROLS, MOST_IN_FRAME = 170, 2, 12, 24

PAGES = (
    "",
    "Team",
    "Team?task=source_support&section=agreement",
    "Team?task=source_support&section=disagreements",
    "Team?task=source_support&section=raters",
    "Team?task=source_support&section=hand-out",
    "Team?section=people",
    "People_and_models",
    "Runs",
    "Data",
    "Data?view=Items&study=SourceCheckup",
    "Data?view=Export&study=SourceCheckup",
    "Data?view=Taxonomy",
    "Tag_errors?view=Results",
    "Read_transcripts?view=Results",
    "Read_transcripts?view=Dialogues",
    "Read_transcripts?view=Cases",
    "Verify_sources?view=Results",
    "Verify_sources?view=Answers",
    "Verify_sources?view=Pairs",
    "Explore_EBMQA?view=Results",
    "Explore_EBMQA?view=Questions",
)


@pytest.fixture
def server(app_server: AppServer, lay_store: LayStore, tmp_path: Path) -> Server:
    studies = ("tagging", "agentclinic", "sourcecheckup", "ebmqa")
    demos = (STUDIES[name].demo for name in studies)
    return app_server(store=lay_store(tmp_path / "s.duckdb", *demos, add_people))


def measured(page: Page, url: str) -> dict[str, Any]:
    page.goto(url)
    expect(page.locator(".stMainBlockContainer .stElementContainer:visible").first).to_be_visible()
    at_rest(page)
    # The run is over before all that it drew stands in its place, later still on a busy machine.
    found: dict[str, Any] = page.evaluate(MEASURE)
    until = time.monotonic() + 20
    while time.monotonic() < until:
        page.wait_for_timeout(700)
        before, found = found, page.evaluate(MEASURE)
        if found == before:
            return found
    raise AssertionError(f"{url} does not come to rest: {before}, {found}")


@pytest.mark.deep
def test_content_begins_high_up_below_two_rows_at_most_with_few_controls_in_view(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Lena Lead")
    beyond = {}
    for path in PAGES:
        found = measured(page, f"{server.url}/{path}")
        bars = {
            "y": MOST_Y,
            "rows": MOST_ROWS,
            "controls": MOST_CONTROLS,
            "frame": MOST_IN_FRAME,
        }
        if over := {name: found[name] for name, most in bars.items() if found[name] > most}:
            beyond[path] = over
    assert beyond == {}


@pytest.mark.deep
def test_back_leads_to_the_page_or_section_before_also_at_once(page: Page, server: Server) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(server.url)
    at_rest(page)
    page.get_by_role("link", name="SourceCheckup").first.click()
    line, rail = page.locator(".st-key-desk_line"), page.locator(".st-key-rail")
    # A lead's link to a study leads to what came out of it, in the menu as on Home.
    expect(line.get_by_role("radio", name="Results")).to_be_checked()
    at_rest(page)
    line.get_by_role("radio", name="Judge").click()
    expect(line.get_by_role("radio", name="Judge")).to_be_checked()
    at_rest(page)
    line.get_by_role("radio", name="Results").click()
    expect(rail.get_by_role("radio").nth(2)).to_be_visible()
    at_rest(page)
    visited = [page.url]
    for place in (2, 3):
        rail.get_by_role("radio").nth(place).click()
        expect(page).not_to_have_url(visited[-1])
        at_rest(page)
        visited.append(page.url)
    # The study has completed its address meanwhile, which is no step of its own.
    for address in reversed(visited[:-1]):
        page.go_back()
        expect(page).to_have_url(address)
        at_rest(page)
        expect(page).to_have_url(address)
    page.go_back()
    expect(line.get_by_role("radio", name="Judge")).to_be_checked()
    at_rest(page)
    page.go_back()
    expect(line.get_by_role("radio", name="Results")).to_be_checked()
    at_rest(page)
    page.go_back()
    expect(page).to_have_url(f"{server.url}/")
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()


CUT = """() => [...document.querySelectorAll('.stSidebar [data-testid="stPageLink-NavLink"]')]
    .flatMap((link) => [link, ...link.querySelectorAll("*")]
        .filter((part) => getComputedStyle(part).display !== "inline")
        .filter((part) => part.scrollWidth > part.clientWidth + 1)
        .map(() => link.innerText))"""


OVERLAPS = """() => [...document.querySelectorAll('.stSidebar [data-testid="stPageLink-NavLink"]')]
    .map((link) => [link.innerText, link.getBoundingClientRect()])
    .filter(([, box], at, all) => at && box.top < all[at - 1][1].bottom)
    .map(([name]) => name)"""


@pytest.mark.deep
def test_the_menu_cuts_no_name_and_no_number_of_what_is_left(page: Page, server: Server) -> None:
    sign_in(page, server, "Rosa 00")
    page.goto(server.url)
    work = page.locator(".stSidebar").get_by_role("link", name="Verify whole answers · 20")
    expect(work).to_be_visible()
    at_rest(page)
    assert page.evaluate(CUT) == []
    assert page.evaluate(OVERLAPS) == []


COVERED = """() => [...document.querySelectorAll(".stMainBlockContainer :is(a, button, input)")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: false }))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width > 4 && box.top + box.height / 2 < 90 && box.bottom > 0)
    .filter(([one, box]) => {
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
        if (x < 0 || x > innerWidth || y < 0) return false
        const hit = document.elementFromPoint(x, y)
        const isHit = one.contains(hit) || hit?.contains(one)
        return !(isHit || hit?.closest("label")?.contains(one)) || hit.closest(".stAppHeader")
    })
    .map(([one]) => one.innerText || one.ariaLabel || one.outerHTML.slice(0, 80))"""


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_header_covers_no_control(page: Page, server: Server, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, server, "Lena Lead")
    settled = "Team?task=error_spans&dataset=demo&section=disagreements&divided=demo12"
    covered = {}
    for path in (*PAGES, settled):
        page.goto(f"{server.url}/{path}")
        content = page.locator(".stMainBlockContainer .stElementContainer:visible").first
        expect(content).to_be_visible()
        at_rest(page)
        if found := page.evaluate(COVERED):
            covered[path] = found
    assert covered == {}


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_the_menus_button_covers_nothing_that_is_scrolled_under_it_but_takes_the_focus(
    page: Page, server: Server, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, server, "Lena Lead")
    page.evaluate("document.cookie = 'medlens_menu=folded; path=/'")
    page.goto(f"{server.url}/Team?task=source_support&section=hand-out")
    content = page.locator(".stMainBlockContainer .stElementContainer:visible").first
    expect(content).to_be_visible()
    at_rest(page)
    button = page.get_by_test_id("stExpandSidebarButton")
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert box is not None
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    hit = "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.stAppHeader button'))"
    scroll = "top => document.querySelector('[data-testid=stMain]').scrollBy(0, top)"
    assert page.evaluate(hit, middle)
    page.evaluate(scroll, 120)
    expect(button).to_have_css("opacity", "0")
    assert not page.evaluate(hit, middle)
    page.evaluate(scroll, -40)
    if size[0] > 768:
        expect(button).not_to_have_css("opacity", "0")
    else:
        # In a narrow window it would lie over the first words of lines anywhere but at the top.
        at_rest(page)
        expect(button).to_have_css("opacity", "0")
        page.evaluate(scroll, -80)
        expect(button).not_to_have_css("opacity", "0")
    page.evaluate(scroll, 60)
    expect(button).to_have_css("opacity", "0")
    page.keyboard.press("Tab")  # what is focused from now on is focused by key
    button.evaluate("button => button.focus({ preventScroll: true })")
    expect(button).not_to_have_css("opacity", "0")


@pytest.mark.deep
def test_on_a_phone_the_menu_goes_after_a_choice_in_it(phone: Page, server: Server) -> None:
    sign_in(phone, server, "Rosa 01")
    phone.goto(f"{server.url}/Tag_errors")
    expect(phone.get_by_role("button", name="Submit").first).to_be_visible()
    at_rest(phone)
    phone.get_by_test_id("stExpandSidebarButton").click()
    sidebar = phone.get_by_test_id("stSidebar")
    expect(sidebar).to_have_attribute("data-collapsed", "false")
    at_rest(phone)
    sidebar.get_by_role("link", name="Verify sources").click()
    expect(phone).to_have_url(re.compile("/Verify_sources"))
    expect(sidebar).to_have_attribute("data-collapsed", "true")
    at_rest(phone)
    expect(sidebar).to_have_attribute("data-collapsed", "true")


DESKS = (
    "Tag_errors",
    "Read_transcripts",
    "Read_transcripts?view=Check diagnoses",
    "Verify_sources",
    "Verify_sources?view=Verify whole answers",
    "Verify_sources?view=Check statements",
    "Verify_sources?view=Check questions",
    "Explore_EBMQA?view=Answer the questionnaire",
)
TASKS = [
    "Tag errors",
    "Rate dialogues",
    "Check diagnoses",
    "Verify sources",
    "Verify whole answers",
    "Check statements",
    "Check questions",
    "Answer the questionnaire",
]
MARKED = """() => [...document.querySelectorAll('.stSidebar [aria-current="page"]')]
    .map((link) => link.querySelector("p")?.textContent.split(" · ")[0])"""


@pytest.mark.deep
@pytest.mark.parametrize("name", ["Lena Lead", "Rosa 02"])
def test_the_line_above_a_desk_is_one_row_and_names_its_task_as_the_menu_and_the_tab_do(
    page: Page, server: Server, name: str
) -> None:
    sign_in(page, server, name)
    found, wrapped = [], {}
    for path in DESKS:
        page.goto(f"{server.url}/{path}")
        expect(page.locator(".mdb:visible, .st-key-desk_bar:visible").first).to_be_visible()
        at_rest(page)
        height = page.locator(".st-key-desk_line").evaluate("line => line.offsetHeight")
        if height > 48:
            wrapped[path] = height
        found.append((page.title().removesuffix(" · MedLens"), page.evaluate(MARKED)))
    assert wrapped == {}
    assert [title for title, _ in found] == TASKS
    if name != "Lena Lead":  # her menu has studies
        assert [marked for _, marked in found] == [[title] for title in TASKS]


@pytest.mark.deep
def test_on_a_phone_the_line_above_a_desk_leaves_the_window_to_the_item(
    phone: Page, server: Server
) -> None:
    sign_in(phone, server, "Rosa 03")
    beyond = {}
    for path in DESKS:
        phone.goto(f"{server.url}/{path}")
        expect(phone.locator(".mdb:visible, .st-key-desk_bar:visible").first).to_be_visible()
        at_rest(phone)
        line = phone.locator(".st-key-desk_line")
        bottom = line.evaluate("line => line.getBoundingClientRect().bottom")
        # A row for the name and what can be opened, and two for as many as four tasks.
        if bottom > (50 if path == "Tag_errors" else 130):
            beyond[path] = bottom
        expect(line.get_by_role("button", name="Guideline", exact=True)).to_be_in_viewport(ratio=1)
        expect(line.get_by_role("button", name="Ask your lead")).to_be_in_viewport(ratio=1)
    assert beyond == {}


@pytest.mark.deep
def test_the_menu_marks_the_open_page_or_the_study_that_it_is_about(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Lena Lead")
    found = {}
    for path in ("", "Runs", "Data", "People_and_models", "Team?section=people", *ABOUT):
        page.goto(f"{server.url}/{path}")
        expect(
            page.locator(".stMainBlockContainer .stElementContainer:visible").first
        ).to_be_visible()
        at_rest(page)
        found[path] = page.evaluate(MARKED)
    assert found == {
        "": ["Home"],
        "Runs": ["Runs"],
        "Data": ["Data"],
        "People_and_models": ["Models"],
        "Team?section=people": ["People"],
        **{path: ["SourceCheckup"] for path in ABOUT},
    }


ABOUT = ("Verify_sources?view=Results", "Verify_sources", "Team?task=source_support")


@pytest.mark.deep
def test_a_page_whose_script_did_not_arrive_loads_again_once_and_then_says_so(
    page: Page, server: Server, heard: Heard
) -> None:
    sign_in(page, server, "Lena Lead")
    asked: list[str] = []

    def lose(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    # As it is served: what a page has drawn may have added scripts of its own.
    served = page.request.get(server.url).text()
    [tag] = re.findall(r'<script[^>]*type="module"[^>]*>', served)
    script = re.sub(r'.* src="\.?([^"]+)".*', r"**\1", tag)
    assert script.startswith("**/static/js/")
    page.route(script, lose, times=1)
    page.goto(server.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=45_000)
    assert len(asked) == 1
    # It has just tried: this time it says so.
    page.route(script, lose)
    page.goto(server.url)
    report = page.get_by_role("alert")
    expect(report).to_contain_text("MedLens could not be loaded")
    expect(report.get_by_role("button", name="Reload")).to_be_focused()
    assert len(asked) == 2
    page.unroute(script)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_be_visible(timeout=45_000)
    expect(report).to_have_count(0)
    heard.errors.clear()
