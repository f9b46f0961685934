"""Pairs verified by keys, revealed, revised; a passage found, marked and kept; also on a phone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, Route, expect

from medlens.review import consensus, items_selected_to_hand_out, practice, raters
from medlens.store import Store
from medlens.studies.sourcecheckup import tasks
from medlens.studies.sourcecheckup.records import name_of_pair_item, pair_id
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from tests.attack import lead_actions
from tests.browser.conftest import (
    AppServer,
    Heard,
    Server,
    add_people,
    at_rest,
    for_each,
    sign_in,
    tap,
    turn_to,
    wait_until,
)
from tests.conftest import LayStore
from tests.sourcecheckup_made_up import (
    DATASET,
    GOOD_URL,
    HOSTILE_URL,
    OTHER_URL,
    make,
)

PAGE = "/Verify_sources"
BEST = ".msr-s.is-best"
READABLE = [("r1.s1", GOOD_URL), ("r1.s2", GOOD_URL), ("r2.s1", OTHER_URL), ("r3.s1", HOSTILE_URL)]


def add_chosen(store: Store) -> None:
    """The pairs that people are to verify."""
    add_pairs(store, READABLE)


def add_pairs(store: Store, pairs: list[tuple[str, str]]) -> None:
    lead = raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
    chosen = [pair_id(DATASET, statement, url) for statement, url in pairs]
    task = open_study(store).support
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, task, chosen, dataset=DATASET, drawn="by hand", by=lead
    )


@pytest.fixture(scope="module")
def shared(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    path = tmp_path_factory.mktemp("sources") / "sources.duckdb"
    return lasting_server(
        store=lay_store(path, make, add_chosen, add_people),
        settings=for_each(tasks.SUPPORT, tasks.RESPONSE, tasks.PARSE, tasks.QUESTION),
    )


def open_desk(page: Page, server: Server, name: str) -> None:
    sign_in(page, server, name)
    page.goto(server.url + PAGE)
    expect(page.locator(BEST)).to_be_visible(timeout=45_000)


def held(server: Server, name: str, columns: str, source: str) -> list[tuple[Any, ...]]:
    """What the server holds of a person's now, in the order saved."""
    with lead_actions.copied(server) as store:
        sql = f"select {columns} from {source} where j.rater = ? order by j.seq"
        return store.execute(sql, [server.people[name]]).fetchall()


def link_to(statement: str, url: str) -> str:
    """The address of a pair on the page."""
    return f"{PAGE}?{urlencode({'item': name_of_pair_item(statement, url)})}"


def is_in_sight(page: Page, selector: str) -> None:
    """Wait until the first matching element is inside the reader's window, where long texts are
    scrolled to a frame later."""
    wait_until(
        page,
        f"""(() => {{
          const own = document.querySelector("{selector}").getBoundingClientRect()
          const box = document.querySelector(".msr-scroll").getBoundingClientRect()
          return own.top >= box.top && own.bottom <= box.bottom
        }})()""",
    )


@pytest.mark.deep
def test_enter_goes_on_after_a_submit_from_the_reason(
    page: Page, server: Server, rosa: str
) -> None:
    open_desk(page, server, rosa)
    page.keyboard.press("1")
    page.locator(".msd-why textarea").fill("It says so.")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".mdb-submit")).to_contain_text("Next pair")
    at_rest(page)
    first = page.locator(".mdb-place").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".mdb-place")).not_to_have_text(first)


@pytest.mark.deep
def test_what_models_said_comes_into_sight_on_a_phone_and_submit_stays_where_it_is(
    phone: Page, server: Server, rosa: str
) -> None:
    sign_in(phone, server, rosa)
    phone.goto(server.url + PAGE)
    reason, submit = phone.locator(".msd-why textarea"), phone.locator(".mdb-submit")
    phone.locator(".msd-choice").first.click()  # it scrolls until the bar does not lie over it
    reason.fill("It says so.")
    at_rest(phone)
    before = submit.bounding_box()
    tap(phone, submit)
    expect(submit).to_contain_text("Next pair")
    at_rest(phone)
    said, bar, after = (
        phone.locator(one).bounding_box() for one in (".msd-reveal", ".mdb", ".mdb-submit")
    )
    assert before
    assert after
    assert said
    assert bar
    assert said["y"] >= 0
    assert said["y"] + said["height"] <= bar["y"]
    # The answers above may have scrolled away: one's own stands with the models'.
    expect(phone.locator(".msd-reveal")).to_contain_text("Your answer: Supported")
    # What is judged is in sight too, while one answers and now.
    statement = phone.locator(".msd-statement").bounding_box()
    assert statement
    assert statement["y"] >= 0
    assert statement["y"] + statement["height"] <= said["y"] + 1
    assert after["y"] == pytest.approx(before["y"], abs=1)
    assert after["x"] + after["width"] == pytest.approx(before["x"] + before["width"], abs=1)
    expect(reason).not_to_be_focused()  # the phone's keyboard is away


CUT = """() => {
  const box = document.querySelector(".msr-scroll")
  const edge = box.getBoundingClientRect().top
  const words = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
  const cut = []
  while (words.nextNode()) {
    const range = document.createRange()
    range.selectNodeContents(words.currentNode)
    const lines = [...range.getClientRects()]
    if (lines.some(({ top, bottom }) => top < edge - 1 && bottom > edge + 1)) {
      cut.push(words.currentNode.data)
    }
  }
  return { cut, scrolled: box.scrollTop }
}"""


@pytest.mark.deep
def test_the_page_of_a_source_begins_with_a_whole_line_whatever_room_it_has(
    page: Page, server: Server, rosa: str
) -> None:
    open_desk(page, server, rosa)
    scrolled = []
    # As the window gets lower, more of the page is scrolled away above the passage.
    for high in (844, 700, 640, 600, 560):
        page.set_viewport_size({"width": 390, "height": high})
        at_rest(page)
        found = page.evaluate(CUT)
        assert found["cut"] == [], high
        is_in_sight(page, BEST)
        scrolled.append(found["scrolled"])
    assert max(scrolled) > 0


@pytest.mark.first_quick
@pytest.mark.parametrize(("wide", "high"), [(390, 844), (683, 384), (1366, 768)])
def test_statement_page_answers_and_submit_are_in_sight_together_and_none_covers_another(
    page: Page, server: Server, rosa: str, wide: int, high: int
) -> None:
    page.set_viewport_size({"width": wide, "height": high})
    open_desk(page, server, rosa)
    at_rest(page)
    # That a program chose what is highlighted is said above the page's words.
    expect(page.locator(".msr-guess")).to_contain_text("what a program found most similar")
    covered = """() => [".msd-statement", ".msr-scroll", ".mdb-submit",
        ...[1, 2, 3, 4, 5].map((n) => `.msd-choice:nth-of-type(${n})`)].filter((one) => {
      const node = document.querySelector(one)
      const { left, right, top, bottom } = node.getBoundingClientRect()
      const corners = [[left + 3, top + 3], [right - 3, bottom - 3]]
      return corners.some(([x, y]) => !node.contains(document.elementFromPoint(x, y)))
    })"""
    assert page.evaluate(covered) == []
    # What is missing is reached below the line that says so, which takes its room from the page.
    page.locator(".mdb-submit").click()
    expect(page.locator(".msd-notice")).to_contain_text("Say whether")
    expect(page.locator(".msd-choice input").first).to_be_focused()
    assert ".msd-choice:nth-of-type(1)" not in page.evaluate(covered)
    assert ".msd-statement" not in page.evaluate(covered)
    # However far one scrolls in what models said, the statement stays where it is.
    page.locator(".msd-choice").first.click()
    page.locator(".mdb-submit").click()
    expect(page.locator(".mdb-submit")).to_contain_text("Next pair")
    at_rest(page)
    before = page.locator(".msd-statement").bounding_box()
    page.locator(".msd-rest").evaluate("rest => rest.scrollTo({ top: 1000 })")
    assert page.locator(".msd-statement").bounding_box() == before
    assert ".msd-statement" not in page.evaluate(covered)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0


@pytest.mark.deep
def test_who_works_stands_in_the_line_by_their_whole_name_or_by_initials_and_is_never_cut(
    page: Page, server: Server, rosa: str
) -> None:
    open_desk(page, server, rosa)
    at_rest(page)
    line = page.locator(".st-key-desk_line")
    name, initials = line.locator(".st-key-line_person p"), line.locator(".mlf-initials")
    expect(name).to_be_visible()
    expect(initials).to_be_hidden()
    # A longer name has room in a wider window only.
    name.evaluate("name => { name.lastChild.textContent += ' Featherstonehaugh-Wilkinson' }")
    for wide, is_whole in ((1365, False), (1800, True), (1366, False)):
        page.set_viewport_size({"width": wide, "height": 768})
        expect(initials).to_be_visible(visible=not is_whole)
        expect(name).to_be_visible(visible=is_whole)


def test_the_tasks_of_a_study_stand_in_one_row_on_a_phone_with_the_open_one_in_sight(
    phone: Page, server: Server, rosa: str
) -> None:
    sign_in(phone, server, rosa)
    phone.goto(f"{server.url}{PAGE}?view=Check+questions")
    row = phone.locator(".st-key-desk_line").get_by_role("radio")
    expect(row).to_have_count(4)
    wait_until(
        phone,
        """(() => {
          const all = [...document.querySelectorAll('.st-key-desk_line [role="radio"]')]
          const { left, right } = all.at(-1).getBoundingClientRect()
          const rows = new Set(all.map((one) => one.getBoundingClientRect().top))
          return rows.size === 1 && left >= 0 && right <= innerWidth
            && all.at(-1).hasAttribute("data-selected")
        })()""",
    )


@pytest.mark.deep
def test_the_best_passage_is_in_sight_also_when_the_style_sheet_comes_last(
    page: Page, server: Server, rosa: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 500})
    held: list[Route] = []
    page.route("**/reader.css", lambda route: held.append(route))  # noqa: PLW0108
    sign_in(page, server, rosa)
    page.goto(server.url + link_to("r1.s2", GOOD_URL))
    expect(page.locator(BEST)).to_be_attached(timeout=45_000)
    until = time.monotonic() + 30
    while not held:
        assert time.monotonic() < until, "the style sheet is not asked for"
        page.wait_for_timeout(20)
    page.evaluate("document.querySelector('.msr-scroll').scrollTop = 0")
    for route in held:
        route.continue_()
    expect(page.locator(".msd")).to_have_css("opacity", "1")
    is_in_sight(page, BEST)


@pytest.mark.deep
def test_the_other_steps_are_checked_by_keys_in_one_breath_and_words_are_kept_as_written(
    page: Page, server: Server, rosa: str
) -> None:
    steps = f"{PAGE}?view="
    sign_in(page, server, rosa)
    page.goto(f"{server.url}{steps}Check+statements")
    for desk, keys, shown in (
        # After 2 the cursor is in the text that it needs.
        ("Check+statements", ("a", "2", "Escape", "1"), "[data-field=complete]"),
        ("Check+questions", ("1",), "[data-field=answer]"),
    ):
        turn_to(page, steps + desk)
        expect(page.locator(f"{shown} .maf-option").first).to_be_visible(timeout=45_000)
        expect(page).to_have_url(re.compile("item="))
        first = page.url
        for key in (*keys, "Enter"):
            page.keyboard.press(key)
        expect(page).not_to_have_url(first)
    turn_to(page, f"{steps}Check+statements")
    expect(page.locator("[data-field=complete]")).to_be_visible()
    expect(page).to_have_url(
        re.compile(r"view=Check\+statements.*item=|item=.*view=Check\+statements")
    )
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
    said = held(server, rosa, "task, body", "judgment j")
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
    add_pairs(store, READABLE[1:])
    lead, task = (
        raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead"),
        open_study(store).support,
    )
    item = pair_id(DATASET, *READABLE[0])
    key = {"verdict": "contradicted"}
    consensus.set_or_unset_gold_item(store, task, item=item, expected=key, active=True, by=lead)
    practice.mark_gold_item_as_practice(store, task, item=item, why="The page says less.", by=lead)


@pytest.mark.deep
def test_what_was_expected_is_told_at_a_desk_that_keeps_its_pair(
    page: Page, app_server: AppServer, tmp_path: Path, lay_store: LayStore, rosa: str
) -> None:
    server = app_server(store=lay_store(tmp_path / "p.duckdb", make, add_people, practise))
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    page.get_by_role("radio", name="Supported", exact=True).check(timeout=45_000)
    page.keyboard.press("Enter")
    told = page.get_by_role("dialog")
    expect(told).to_contain_text("Practice: not as expected")
    expect(told).to_contain_text("The page says less.")
    told.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Next pair").click()
    expect(page.locator(BEST)).to_be_visible()


@pytest.mark.deep
def test_where_the_page_itself_says_what_to_answer_it_also_gives_the_reason(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    page.goto(f"{server.url}{PAGE}?view=Verify+whole+answers")
    place, reason = page.locator(".mdb-place"), page.locator(".msd-why textarea")
    expect(place).to_be_visible(timeout=45_000)
    at_rest(page)
    while "Rest helps." not in page.locator(".msd-list").inner_text():
        before = place.inner_text()
        page.keyboard.press("j")
        expect(place).not_to_have_text(before)
        at_rest(page)
    page.keyboard.press("3")
    expect(reason).to_have_value("The answer cites no source.")
    # It goes with that answer alone.
    page.keyboard.press("1")
    expect(reason).to_have_value("")
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next answer")).to_be_visible()
    [(body,)] = held(server, rosa, "body", "judgment j")
    assert json.loads(body)["reason"] == "The answer cites no source."


@pytest.mark.deep
def test_a_whole_answer_is_verified_by_keys_alone(
    page: Page, server: Server, rosa: str, heard: Heard
) -> None:
    sign_in(page, server, rosa)
    page.goto(f"{server.url}{PAGE}?view=Verify+whole+answers")
    statement, place = page.locator(".msd-text"), page.locator(".mdb-place")
    expect(place).to_be_visible(timeout=45_000)
    at_rest(page)
    while "4 g of paracetamol" not in page.locator(".msd-list").inner_text():
        before = place.inner_text()
        page.keyboard.press("j")
        expect(place).not_to_have_text(before)
        at_rest(page)
    now = page.locator(".msr-s.is-now")
    expect(now).to_have_text("The highest dose of paracetamol for adults is 4 g in 24 hours.")
    is_in_sight(page, ".msr-s.is-now")
    page.keyboard.press("m")
    expect(page.locator(".msd-signs").first).to_have_text("passage marked")
    # The next statement brings its passage; the other source says why it has no text.
    page.keyboard.press("ArrowDown")
    expect(statement).to_contain_text("overdose")
    expect(now).to_have_text("Liver damage can follow an overdose of paracetamol.")
    is_in_sight(page, ".msr-s.is-now")
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
    # On an answer, arrows go from one answer to the next, and the statement stays.
    page.get_by_role("radio", name="Yes", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="No", exact=True)).to_be_checked()
    expect(statement).to_contain_text("overdose")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next answer")).to_be_visible()
    assert "checker" not in page.content()
    page.keyboard.press("r")
    expect(page.locator(".msd-signs").first).to_contain_text("checker: supported")
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    expect(page.get_by_text("On statement 2 and source 1:")).to_be_visible()
    first = place.inner_text()
    page.keyboard.press("Enter")
    expect(place).not_to_have_text(first)
    [(body, blind)] = held(server, rosa, "body, blind", "judgment j")
    said = json.loads(body)
    assert (said["answer"], blind) == ("no", True)
    assert [(one["statement"], one["quote"]) for one in said["passages"]] == [
        ("r1.s1", "The highest dose of paracetamol for adults is 4 g in 24 hours."),
        ("r1.s2", "Leave at least 4 hours between doses."),
    ]
    assert not [error for error in heard.errors if "404 (Not Found)" not in error]


@pytest.mark.deep
def test_pairs_are_verified_by_keys_revealed_one_revised_and_a_passage_is_marked(
    page: Page, server: Server, rosa: str, heard: Heard
) -> None:
    open_desk(page, server, rosa)
    for count, key in enumerate("142", 1):
        expect(page.locator(".mdb")).to_contain_text(f"{count} of 4")
        expect(page.locator(BEST)).to_have_count(1)
        is_in_sight(page, BEST)
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
    page.keyboard.press("3")
    unsent = "submitted: Partly supported"
    expect(page.locator(".mdb")).to_contain_text(unsent)
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    expect(page.get_by_text("You first said: Partly supported.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator(".mdb")).to_contain_text("4 of 4")
    page.keyboard.press("k")
    expect(page.locator(".mdb")).to_contain_text("3 of 4")
    # A passage is marked, and still is after a reload.
    page.goto(server.url + link_to("r1.s1", GOOD_URL))
    expect(page.locator(".msr-s.is-now")).to_have_text(
        "The highest dose of paracetamol for adults is 4 g in 24 hours.", timeout=45_000
    )
    at_rest(page)
    page.keyboard.press("m")
    expect(page.locator(".msr-s.is-marked")).to_have_count(1)
    # A quote of the verifier in it would keep its dots.
    lines = page.locator(".msr-s.is-marked").evaluate(
        """(node) => {
          node.classList.add("is-quote")
          const { textDecorationStyle, borderBottomStyle } = getComputedStyle(node)
          node.classList.remove("is-quote")
          return [textDecorationStyle, borderBottomStyle]
        }"""
    )
    assert lines == ["dotted", "solid"]
    # The search is the page's own; Enter in it goes to the next hit and submits nothing.
    page.keyboard.press("/")
    page.keyboard.type("LIVER DAMAGE")
    expect(page.get_by_text("1 of 1", exact=True)).to_be_visible()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page.locator(".msr-where").first).to_have_text("2 of 2")
    expect(page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")
    page.reload()
    expect(page.locator(".msr-s.is-marked")).to_have_text(
        "The highest dose of paracetamol for adults is 4 g in 24 hours.", timeout=45_000
    )
    opened_link = page.get_by_role("link", name="Open the original")
    expect(opened_link).to_have_attribute("href", GOOD_URL)
    expect(opened_link).to_have_attribute("rel", "noopener noreferrer")
    rows = held(server, rosa, "body->>'verdict', blind", "judgment j")
    assert rows == [
        ("supported", True),
        ("not_supported", True),
        ("partly", True),
        ("contradicted", False),
    ]


@pytest.mark.deep
def test_the_pair_turns_at_the_key_is_answered_at_once_and_outlives_the_server(
    page: Page, server: Server, rosa: str
) -> None:
    open_desk(page, server, rosa)
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
          const place = document.querySelector(".mdb-place").textContent
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
    # Answered ahead of a server that is gone: the previous pair is back, and says so. The key comes
    # while Streamlit's message about it stands there, which is closed before anybody sees it.
    # All of it in one browser task: three seconds later the previous pair is back.
    page.evaluate(
        """() => {
          const press = (key) => document.body.dispatchEvent(
            new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
          const messages = new MutationObserver(() => {
            if (!document.querySelector("[role=dialog]")) return
            messages.disconnect()
            press("Enter")
            const statement = document.querySelector(".msd-text").textContent
            const place = document.querySelector(".mdb-place").textContent
            press("4")
            const reason = document.querySelector(".msd textarea")
            reason.value = "It says nothing of the kind"
            reason.dispatchEvent(new Event("input", { bubbles: true }))
            window.turned = { statement, place }
          })
          messages.observe(document.body, { childList: true, subtree: true })
        }"""
    )
    server.kill()
    wait_until(page, "window.turned")
    third = page.evaluate("window.turned.statement")
    assert page.evaluate("window.turned.place") == "3 of 4"
    expect(page.locator(".mdb-place")).to_have_text("2 of 4")
    expect(page.locator(".msd-notice")).to_contain_text("pair 3 is kept")
    expect(statement).to_have_text(turned["statement"])
    expect(page.get_by_role("radio", name="Contradicted")).to_be_checked()
    expect(page.locator(".mdb-saved")).to_contain_text("not saved")
    expect(page.get_by_role("dialog")).to_have_count(0)
    server.start()
    expect(page.locator(".mdb-place")).to_have_text("3 of 4", timeout=30_000)
    expect(statement).to_have_text(third)
    expect(page.get_by_role("radio", name="Not supported")).to_be_checked()
    expect(page.get_by_label("Why (optional)")).to_have_value("It says nothing of the kind")
    expect(page.locator(".mdb-saved")).to_contain_text("saved ")
    rows = held(
        server,
        rosa,
        "s.statement, j.body->>'verdict', j.body->>'reason', k.blind",
        "draft_now j join item i on i.id = j.item"
        " join sc_statement s on s.id = (i.body->>'statement')"
        " left join judgment k on k.item = j.item and k.rater = j.rater",
    )
    assert rows == [
        (first, "supported", "", True),
        (turned["statement"], "contradicted", "", True),
        (third, "not_supported", "It says nothing of the kind", None),
    ]


@pytest.mark.deep
def test_a_whole_answer_is_not_submitted_before_it_has_been_seen_without_a_word(
    phone: Page, server: Server, rosa: str
) -> None:
    page = phone
    sign_in(page, server, rosa)
    page.goto(f"{server.url}{PAGE}?view=Verify+whole+answers")
    place = page.locator(".mdb-place")
    expect(place).to_be_visible(timeout=45_000)
    at_rest(page)
    while "4 g of paracetamol" not in page.locator(".msd-list").inner_text():
        before = place.inner_text()
        page.locator(".mdb").get_by_role("button", name="Next").click()
        expect(place).not_to_have_text(before)
        at_rest(page)
    # Every statement is listed; one that is cut off is read by a tap.
    assert page.locator(".msd-item").evaluate_all(
        "(all) => all.every((one) => one.getClientRects().length)"
    )
    submit = page.locator(".mdb").get_by_role("button", name="Submit")
    page.get_by_role("radio", name="No", exact=True).check()
    expect(page.locator(".mdb")).to_contain_text("saved")
    submit.click()
    asked = page.get_by_role("alert").filter(has_text="You have not opened statement 2")
    expect(asked).to_be_visible()
    # Changing the answer, and saving it, does not take the question away.
    page.get_by_role("radio", name="Yes", exact=True).check()
    at_rest(page)
    expect(asked).to_be_visible()
    page.get_by_role("button", name="Open statement 2").click()
    expect(page.locator(".msd-text")).to_contain_text("overdose")
    expect(asked).to_have_count(0)
    # What has been opened is remembered over a reload.
    page.reload()
    expect(page.locator(".msd-text")).to_contain_text("4 g of paracetamol", timeout=45_000)
    at_rest(page)
    opened = "Object.keys(localStorage).filter((name) => name.startsWith('medlens:opened:')).length"
    assert page.evaluate(opened) >= 1
    many = page.evaluate(opened)
    submit.click()
    expect(page.get_by_role("button", name="Next answer")).to_be_visible()
    assert page.evaluate(opened) == many - 1


@pytest.mark.deep
def test_what_two_tabs_have_opened_of_a_whole_answer_is_put_together_and_kept_by_its_words(
    tabs: Callable[[], Page], server: Server, rosa: str
) -> None:
    opened = """() => Object.entries(localStorage)
        .filter(([name]) => name.startsWith("medlens:opened:"))
        .map(([, kept]) => JSON.parse(kept))
        .find((kept) => kept.some((one) => one.includes("4 g of paracetamol"))) ?? []"""
    both, address = [], f"{server.url}{PAGE}?view=Verify+whole+answers"
    for _ in range(2):
        page = tabs()
        sign_in(page, server, rosa)
        page.goto(address)
        place = page.locator(".mdb-place")
        expect(place).to_be_visible(timeout=45_000)
        at_rest(page)
        while "4 g of paracetamol" not in page.locator(".msd-list").inner_text():
            before = place.inner_text()
            page.locator(".mdb").get_by_role("button", name="Next").click()
            expect(place).not_to_have_text(before)
            at_rest(page)
        address = page.url
        both.append(page)
    one, other = both
    statements = one.locator(".msd-item > span:nth-child(2)").all_inner_texts()
    assert len(statements) > 1
    assert one.locator(".msd-source").count() > 1
    one.keyboard.press("ArrowDown")
    at_rest(one)
    assert {f"statement {text}" for text in statements[:2]} <= set(one.evaluate(opened))
    before = set(other.evaluate(opened))
    for _ in range(one.locator(".msd-source").count() - 1):
        other.keyboard.press("ArrowRight")
        at_rest(other)
    kept = set(other.evaluate(opened))
    assert before < kept
    # What the one tab has opened, the other does not ask for.
    page = other
    page.get_by_role("radio", name="No", exact=True).check()
    page.locator(".mdb").get_by_role("button", name="Submit").click()
    expect(page.get_by_role("button", name="Next answer")).to_be_visible()


@pytest.mark.deep
def test_keys_that_outrun_the_server_never_answer_the_pair_that_is_being_left(
    page: Page, server: Server, rosa: str
) -> None:
    open_desk(page, server, rosa)
    page.evaluate(
        """() => {
          window.words = ["1", "Enter", "Enter", "4", "k", "9"].map((key) => {
            const pressed = { key, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", pressed));
            return document.querySelector(".medlens-key-why")?.textContent ?? "";
          });
        }"""
    )
    assert page.evaluate("window.words") == [
        *["", "", ""],
        "4 not used: the next one is not here yet.",
        "K not used: wait for the pair to open.",
        "9 not used: no answer has the key 9.",
    ]
    # The second Enter moves on once the first is answered; the 4 was for a pair not yet shown.
    expect(page.locator(".mdb-place")).to_have_text("2 of 4")
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    expect(page.locator(".msd-choices input:checked")).to_have_count(0)
    page.keyboard.press("k")
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    expect(page.get_by_role("radio", name="Supported", exact=True)).to_be_checked()
    rows = held(server, rosa, "body->>'verdict', revision, blind", "judgment j")
    assert rows == [("supported", 1, True)]


@pytest.mark.deep
def test_a_digit_meant_for_the_next_pair_does_not_change_the_one_just_submitted(
    page: Page, server: Server, rosa: str
) -> None:
    answers: list[Route] = []
    is_slow = True

    def late(route: Route) -> None:
        if is_slow and '"action":"submit"' in (route.request.post_data or ""):
            answers.append(route)
        else:
            route.continue_()

    open_desk(page, server, rosa)
    page.route("**/medlens/desk/**", late)
    supported = page.get_by_role("radio", name="Supported", exact=True)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_until(page, "document.querySelector('.mdb-saved').textContent === 'submitting…'")
    # By fast hands, while the server has not answered yet.
    page.keyboard.press("3")
    expect(page.locator(".medlens-key-why")).to_have_text(
        "3 not used: this pair is still being submitted."
    )
    expect(supported).to_be_checked()
    page.get_by_role("radio", name="Contradicted").click()
    expect(page.locator(".msd-notice")).to_have_text("This pair is still being submitted.")
    expect(supported).to_be_checked()
    is_slow = False
    answers.pop().continue_()
    # As soon as it has: what models said is here, and nobody has read it.
    expect(page.get_by_text("The secret reason of the checker.")).to_be_visible()
    expect(page.locator(".msd-notice")).to_be_hidden()
    page.keyboard.press("3")
    expect(page.locator(".medlens-key-why")).to_have_text(
        "3 not used: this pair is submitted. Enter goes on; 3 again changes your answer."
    )
    expect(supported).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator(".mdb-place")).to_have_text("2 of 4")
    expect(page.locator(".msd-choices input:checked")).to_have_count(0)
    # The next pair is answered at once, and whoever did mean to change an answer presses twice.
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    page.keyboard.press("3")
    page.keyboard.press("4")
    expect(supported).to_be_checked()
    page.keyboard.press("4")
    expect(page.get_by_role("radio", name="Not supported")).to_be_checked()
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="Partly supported")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Next pair")).to_be_visible()
    rows = held(server, rosa, "body->>'verdict', revision, blind", "judgment j")
    assert [(verdict, blind) for verdict, _, blind in rows] == [
        ("supported", True),
        ("supported", True),
        ("partly", False),
    ]


@pytest.mark.deep
def test_a_page_that_is_markup_is_shown_as_text_on_a_phone(
    phone: Page, server: Server, rosa: str
) -> None:
    page = phone
    open_desk(page, server, rosa)
    # All four belong to this reviewer once requested.
    for count in (2, 3, 4):
        page.get_by_role("button", name="Next", exact=True).click()
        expect(page.locator(".mdb")).to_contain_text(f"{count} of 4")
    page.goto(server.url + link_to("r3.s1", HOSTILE_URL))
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
    # The page is scrolled down, and stays as high while one desk follows the other.
    page.add_style_tag(content="[data-testid=stMainBlockContainer] { min-height: 3000px }")
    page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo({ top: 400 })")
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") > 0
    turn_to(page, f"{PAGE}?view=Verify+whole+answers")
    place = page.locator(".mdb-place")
    # For a moment the pair's desk is there too.
    # Not the answer of the pair that was submitted: what models said of it has been seen.
    expect(page.get_by_role("region", name="Statements")).to_be_visible(timeout=45_000)
    expect(place).to_have_count(1)
    at_rest(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollTop") == 0
    # One with a single statement: of others the desk would first say what was not opened.
    passage, statements = page.locator(".msr-s.is-now"), page.locator(".msd-item")
    while not passage.count() or statements.count() > 1:
        before = place.inner_text()
        page.locator(".mdb").get_by_role("button", name="Next").click()
        expect(place).not_to_have_text(before)
        at_rest(page)
    for shown in (
        page.locator(".msd-text"),
        page.locator(".msr-s.is-now"),
        page.locator(".mdb").get_by_role("button", name="Submit"),
    ):
        box = shown.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
    page.locator(".msr-s.is-now").click()
    page.get_by_role("button", name="Mark").click()
    expect(page.locator(".msr-s.is-marked")).to_have_count(1)
    before = place.inner_text()
    page.get_by_role("radio", name="Yes").check()
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("button", name="Next answer").click()
    expect(place).not_to_have_text(before)
    wait_until(page, "document.querySelector('[data-testid=stMain]').scrollTop === 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
