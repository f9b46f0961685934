"""Dialogues rated by keys and found again, marked turn by turn, read and compared by a lead."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from medlens.studies.agentclinic import tasks
from medlens.studies.registry import STUDIES
from tests.browser.conftest import (
    AppServer,
    Heard,
    Server,
    add_people,
    at_rest,
    for_each,
    load_anew,
    press,
    sign_in,
    tap,
    turn_to,
    wait_until,
)
from tests.conftest import LayStore
from tests.llm_server import LLMServer
from tests.store.test_agentclinic_run import script

PAGE = "/Read_transcripts"
SAVED = re.compile(r"saved \d\d:\d\d:\d\d")
ACTIVE = ".maf-option:has(:checked) > span"
"""What is chosen of the scales, in their order."""


@pytest.fixture(scope="module")
def models() -> Iterator[LLMServer]:
    with LLMServer() as running:
        yield running


@pytest.fixture(scope="module")
def shared(
    lasting_server: AppServer,
    lay_store: LayStore,
    models: LLMServer,
    tmp_path_factory: pytest.TempPathFactory,
) -> Server:
    path = tmp_path_factory.mktemp("clinic") / "clinic.duckdb"
    return lasting_server(
        store=lay_store(path, STUDIES["agentclinic"].demo, add_people),
        settings=for_each(tasks.REALISM, tasks.MATCH)
        + f'[agentclinic]\nplay_models = ["a"]\n[models.a]\n'
        f'base_url = "{models.url}"\nmodel = "m"\n',
    )


def open_rating(page: Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_placeholder("Comment on the dialogue as a whole")).to_be_visible(
        timeout=45_000
    )


def test_a_dialogue_is_rated_by_keys_kept_over_a_reload_and_revealed_after_it_is_submitted(
    page: Page, server: Server, rosa: str, heard: Heard
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    expect(page.locator(".st-key-work-status")).to_have_text("")
    for key in "7805":
        page.keyboard.press(key)
    expect(page.locator(ACTIVE)).to_have_text(["7", "8", "10", "5"])
    # The list of keys opens over the page, and keys pressed there rate nothing.
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("choose a scale")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("only on the item in sight")
    page.keyboard.press("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    page.get_by_placeholder("Comment on doctor").fill("Asks in a sensible order")
    page.keyboard.press("Tab")
    expect(page.get_by_text(re.compile(r"saved \d\d:\d\d:\d\d"))).to_be_visible()

    # The doctor's first turn is marked, and its head shows it.
    page.get_by_role("button", name=re.compile("^1 · Doctor")).click()
    page.get_by_role("button", name="Bad opening").click()
    expect(page.get_by_role("button", name="1 · Doctor Bad opening")).to_be_visible()

    expect(page.locator(".maf.is-saving")).to_have_count(0)
    first = page.url
    page.reload()
    expect(page.get_by_role("button", name="1 · Doctor Bad opening")).to_be_visible(timeout=45_000)
    expect(page.locator(ACTIVE)).to_have_text(["7", "8", "10", "5"])
    expect(page.get_by_placeholder("Comment on doctor")).to_have_value("Asks in a sensible order")
    assert "demo-a" not in page.content()
    assert "demo-b" not in page.content()

    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page).not_to_have_url(first)
    page.keyboard.press("f")
    expect(page.get_by_label("What is wrong with this dialogue?")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.get_by_text(re.compile(r"^submitted \d\d:\d\d:\d\d$"))).to_be_visible()
    page.get_by_role("button", name="Show the models and the outcome").click()
    expect(page.get_by_text(re.compile(r"Doctor:\W*demo-[ab]"))).to_be_visible()
    assert not [error for error in heard.errors if "404 (Not Found)" not in error]
    assert not heard.strangers


@pytest.mark.deep
def test_the_list_of_keys_opens_although_it_is_asked_for_before_it_is_there(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    held: list[Route] = []
    page.route("**/keys_help.js*", lambda route: held.append(route))  # noqa: PLW0108
    open_rating(page, server.url + PAGE)
    page.keyboard.press("7")
    expect(page.locator(ACTIVE)).to_have_text(["7"])
    page.keyboard.press("?")
    assert held
    for route in held:
        route.continue_()
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("choose a scale")


@contextlib.contextmanager
def stopped(server: Server) -> Iterator[None]:
    """The server answers nothing meanwhile."""
    assert server.process is not None
    group = os.getpgid(server.process.pid)
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)


@pytest.mark.deep
def test_keys_behind_f_answer_and_leave_nothing_while_the_flags_box_is_on_its_way(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    at_rest(page)
    first = page.url
    with stopped(server):
        for key in ("f", "7", "s", "Enter"):
            page.keyboard.press(key)
        expect(page.locator(".medlens-key-why")).to_have_text(
            "Enter not used: the box for the flag is not open yet."
        )
    reason = page.get_by_label("What is wrong with this dialogue?")
    expect(reason).to_be_focused()
    at_rest(page)
    page.keyboard.type("7 turns lack")
    expect(reason).to_have_value("7 turns lack")
    assert page.url == first
    expect(page.locator(ACTIVE)).to_have_count(0)


@pytest.mark.deep
def test_who_leaves_the_flag_is_where_they_were_and_enter_submits(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    box = page.get_by_test_id("stPopoverBody")
    reason = page.get_by_label("What is wrong with this dialogue?")
    wait_until(page, "(window.held = document.activeElement) !== document.body")
    page.keyboard.press("f")
    expect(reason).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    wait_until(page, "document.activeElement === window.held")
    # Leaving it by Tab with a reason in it keeps it open, and F leads back into it.
    page.keyboard.press("f")
    expect(reason).to_be_focused()
    page.keyboard.type("odd")
    page.keyboard.press("Tab")
    expect(box.get_by_role("button", name="Flag it")).to_be_focused()
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("f")
    expect(reason).to_be_focused()
    expect(reason).to_have_value("odd")
    # Tab goes round in it as long as there is something in it.
    at_rest(page)
    for name in ("Flag it", "", "Flag it"):
        page.keyboard.press("Tab")
        expect(box.get_by_role("button", name=name) if name else reason).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(reason).to_be_focused()
    # With nothing in it, it closes.
    reason.fill("")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(box).to_have_count(0)
    wait_until(page, "document.activeElement === window.held")
    # Opened by mouse, it leaves no button for Enter to press either.
    page.locator(".st-key-desk_bar").get_by_role("button", name="Flag").click()
    expect(reason).to_be_focused()
    page.keyboard.type("x")
    expect(reason).to_have_value("x")
    reason.fill("")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    for key in "7777":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(box).to_have_count(0)


@pytest.mark.deep
def test_what_is_typed_right_after_a_click_on_flag_is_its_reason(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    at_rest(page)
    flag = page.locator(".st-key-desk_bar").get_by_role("button", name="Flag")
    place = flag.bounding_box()
    assert place
    with stopped(server):
        page.mouse.click(place["x"] + 10, place["y"] + 10)
        for key in ("Shift+S", "e", "x", "Backspace", "v", "e", "n", " "):
            page.keyboard.press(key)
        page.keyboard.type("7 turns")
        page.keyboard.press("Tab")
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Enter")
        expect(page.locator(".medlens-key-why")).to_have_text(
            "Enter not used: the form for the flag is not here yet."
        )
        # What is written is in sight meanwhile.
        expect(page.get_by_role("textbox", name="Reason")).to_have_value("Seven 7 turns")
    reason = page.get_by_label("What is wrong with this dialogue?")
    expect(reason).to_have_value("Seven 7 turns")
    expect(reason).to_be_focused()
    expect(page.get_by_role("textbox", name="Reason")).to_have_count(0)
    page.keyboard.type(" lack")
    expect(reason).to_have_value("Seven 7 turns lack")
    expect(page.locator(ACTIVE)).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-work-status")).to_have_text("Item 1 flagged, another added for it")


@pytest.mark.deep
def test_after_a_submission_by_key_no_answer_of_the_next_item_looks_chosen(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    at_rest(page)
    wait_until(page, "document.activeElement.matches('.maf-fields fieldset')")
    for key in "7805":
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-work-status")).to_have_text("Item 1 submitted")
    wait_until(page, "document.activeElement.matches('.maf-fields fieldset')")
    # Tab goes on to its first answer.
    at_rest(page)
    page.keyboard.press("Tab")
    wait_until(page, "document.activeElement.matches('[data-field=doctor] input')")
    # So it is where the form alone is the item.
    page.goto(f"{server.url}{PAGE}?view=Check+diagnoses")
    wait_until(page, "document.activeElement.matches('.maf-fields fieldset')")
    at_rest(page)
    for n in (1, 2):
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        expect(page.locator(".st-key-work-status")).to_have_text(f"Item {n} submitted")
        at_rest(page)
        assert page.evaluate("document.activeElement.matches('.maf-fields fieldset')")
    # What was submitted is called the same at every desk when it is changed.
    page.keyboard.press("k")
    submit = page.locator(".st-key-desk_bar").get_by_role("button", name="Submit again")
    expect(submit).to_be_visible()


@pytest.mark.deep
def test_enter_on_another_button_or_within_a_message_submits_nothing(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    for key in "7805":
        page.keyboard.press(key)
    expect(page.locator(ACTIVE)).to_have_text(["7", "8", "10", "5"])
    place = page.locator(".st-key-desk_bar").get_by_text(re.compile(r"^\d+ of \d+$"))
    first = place.inner_text()
    at_rest(page)
    page.get_by_role("button", name="Worked example").focus()
    page.keyboard.press("Enter")
    example = page.get_by_role("dialog", name="Worked example")
    begin = example.get_by_role("button", name="Begin")
    expect(begin).to_be_visible()
    at_rest(page)
    example.focus()
    for key in ("s", "f", "k", "3", "Enter"):
        page.keyboard.press(key)
    expect(begin).to_be_visible()
    begin.focus()
    page.keyboard.press("Enter")
    expect(example).to_have_count(0)
    at_rest(page)
    expect(place).to_have_text(first)
    expect(page.locator(ACTIVE)).to_have_text(["7", "8", "10", "5"])
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("Submitted")).to_have_count(0)


@pytest.mark.deep
def test_enter_submits_what_was_answered_by_digits_with_the_focus_still_on_skip(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    at_rest(page)
    page.locator(".st-key-desk_bar").get_by_role("button", name=re.compile("^Skip")).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-work-status")).to_have_text("Item 1 skipped, another added for it")
    at_rest(page)
    for key in "7805":
        page.keyboard.press(key)
    expect(page.locator(ACTIVE)).to_have_text(["7", "8", "10", "5"])
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-work-status")).to_have_text("Item 2 submitted")


@pytest.mark.deep
def test_another_dialogue_is_rated_from_the_first_scale_on_and_a_scale_is_one_line_beside_the_menu(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    page.evaluate("document.cookie = 'medlens_menu=open; path=/'")
    open_rating(page, server.url + PAGE)
    at_rest(page)
    lines = """() => [...document.querySelectorAll(".maf-options.is-scale")].map((scale) =>
        new Set([...scale.children].map((option) => option.getBoundingClientRect().top)).size)"""
    assert page.evaluate(lines) == [1, 1, 1, 1]
    scales = page.locator(".st-key-scroll-rate")
    scales.evaluate("scales => scales.scrollTo({ top: 60 })")
    assert scales.evaluate("scales => scales.scrollTop") > 0
    page.keyboard.press("j")
    expect(page.locator(".st-key-desk_bar")).to_contain_text("2 of ")
    wait_until(page, "document.querySelector('.st-key-scroll-rate').scrollTop === 0")


@pytest.mark.deep
def test_two_tabs_do_not_overwrite_each_other_unseen(
    tabs: Callable[[], Page], server: Server, rosa: str
) -> None:
    page, other = tabs(), tabs()
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    open_rating(other, page.url)
    page.bring_to_front()
    page.keyboard.press("7")
    expect(page.get_by_text(re.compile(r"saved \d\d:"))).to_be_visible()
    other.bring_to_front()
    other.keyboard.press("3")
    expect(other.get_by_text("Changed in another tab.", exact=True)).to_be_visible()
    expect(other.get_by_text("doctor: here 3, there 7")).to_be_visible()
    # What the first tab does until the person chooses is told.
    page.bring_to_front()
    page.keyboard.type("p4m8e8")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-desk_bar")).to_contain_text("2 of ")
    other.bring_to_front()
    expect(other.get_by_text("Submitted in another tab.", exact=True)).to_be_visible()
    expect(other.get_by_text("patient: here nothing, there 4")).to_be_visible()
    other.get_by_role("button", name="Use the other tab's").click()
    expect(other.get_by_text(re.compile(r"in another tab\."))).to_have_count(0)
    expect(other.locator(ACTIVE)).to_have_text(["7", "4", "8", "8"])
    expect(other.get_by_text(re.compile(r"^submitted \d\d:"))).to_be_visible()


@pytest.mark.deep
def test_a_lead_goes_from_a_figure_to_its_pairs_and_from_a_case_to_the_turn(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(
        f"{server.url}{PAGE}?view=Results&section=biases&mark=pair|demo-a|doctor%3Arecency"
        "|unbiased_only"
    )
    expect(page.get_by_text("3 pairs.")).to_be_visible(timeout=45_000)
    table = page.locator(".st-key-figures-list").get_by_test_id("stDataFrame")
    press(page, table, x=40, y=55)
    expect(page.get_by_text("They differ in: doctor bias.")).to_be_visible()
    expect(page).to_have_url(re.compile("beside="))
    page.get_by_role("button", name="One dialogue").click()
    expect(page.locator(".mlc-facts")).to_contain_text("Outcome")
    link = page.get_by_role("link", name=re.compile(r"^turn \d+$")).last
    target = "#" + link.inner_text().replace(" ", "-")
    link.click()
    expect(page.locator(target)).to_be_in_viewport()
    expect(page).to_have_url(re.compile(f"{target}$"))
    # At its own address, with the dialogue's style sheet arriving last.
    held: list[Route] = []
    is_held = True

    def hold(route: Route) -> None:
        if is_held:
            held.append(route)
        else:
            route.continue_()

    page.route("**/conversation.css", hold)
    page.reload()
    expect(page.locator(target)).to_be_attached(timeout=30_000)
    until = time.monotonic() + 30
    while not held:
        assert time.monotonic() < until, "the style sheet is not asked for"
        page.wait_for_timeout(20)
    is_held = False
    for route in held:
        route.continue_()
    expect(page.locator(".mlc-reader")).to_have_css("opacity", "1")
    expect(page.locator(target)).to_be_in_viewport()


@pytest.mark.deep
def test_a_phone_shows_every_view_without_scrolling_sideways(phone: Page, server: Server) -> None:
    sign_in(phone, server, "Lena Lead")
    phone.goto(server.url + PAGE)
    for view, shown in (
        ("Rate dialogues", "Realism"),
        ("Check diagnoses", "Given by the doctor"),
        ("Cases", "10 cases."),
        ("Results", "Accuracy by doctor model"),
        ("Dialogues&dialogue=demo02", "Outcome"),
        ("Dialogues", "of 40 dialogues"),
    ):
        turn_to(phone, f"{PAGE}?view={view.replace(' ', '+')}")
        expect(phone.get_by_text(shown).first, view).to_be_visible(timeout=45_000)
        at_rest(phone)
        width = phone.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth")
        assert width <= 390, view
    # However far the list was scrolled, a dialogue starts at its top.
    row = phone.locator(".mlc-table tbody tr").nth(20)
    row.scroll_into_view_if_needed(timeout=45_000)
    tap(phone, row)
    expect(phone.locator(".mlc-facts")).to_contain_text("Outcome")
    expect(phone.get_by_role("heading", name="1 · Doctor").first).to_be_in_viewport()


@pytest.mark.deep
def test_on_a_phone_a_double_tap_clears_no_score_and_one_taken_back_can_be_had_again(
    phone: Page, server: Server, rosa: str
) -> None:
    sign_in(phone, server, rosa)
    open_rating(phone, server.url + PAGE)
    scale = phone.locator("[data-field=doctor]")
    seven = scale.locator(".maf-option", has_text=re.compile("^7$"))
    # A finger that taps twice, however slow the machine is.
    seven.locator("input").evaluate("input => [1, 2].forEach(() => input.click())")
    expect(scale.locator(ACTIVE)).to_have_text(["7"])
    expect(phone.get_by_text(re.compile(r"^saved \d\d:"))).to_be_visible()
    # One finger that comes back after a while means it.
    phone.wait_for_timeout(800)
    tap(phone, seven)
    expect(scale.locator(ACTIVE)).to_have_count(0)
    expect(scale.get_by_role("status")).to_have_text("“7” is taken back. Undo")
    tap(phone, scale.get_by_role("button", name="Undo"))
    expect(scale.locator(ACTIVE)).to_have_text(["7"])
    expect(scale.get_by_role("status")).to_be_hidden()


@pytest.mark.deep
def test_a_visit_is_played_by_keyboard_and_outlives_a_killed_server(
    page: Page, server: Server, models: LLMServer, rosa: str, heard: Heard
) -> None:
    models.answer = script
    sign_in(page, server, rosa)
    page.goto(f"{server.url}{PAGE}?view=Play")
    page.get_by_role("button", name="Begin").click()
    page.get_by_placeholder("Say something to the patient").fill("What brings you here?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("It hurts 2.")).to_be_visible()
    calls = len(models.chats)
    page.get_by_role("radio", name="Order a test").check()
    test = page.get_by_placeholder("Name the examination or test")
    test.fill("blo")
    expect(page.locator(".maf-status")).to_have_text(SAVED)
    # What was said, input, and which of the three is open: all survive a restart and a reload.
    at_rest(page)  # a run that is cut off leaves a part of its page
    server.kill()
    test.fill("blood")
    expect(page.get_by_text("Not saved: the server does not answer.")).to_be_visible()
    server.start()
    expect(page.locator(".maf-status")).to_have_text(SAVED, timeout=30_000)
    page.goto(f"{server.url}{PAGE}?view=Play")
    page.get_by_role("button", name="Continue").first.click()
    expect(test).to_have_value("blood", timeout=45_000)
    expect(page.get_by_text("It hurts 2.")).to_be_visible()
    test.press("Enter")
    expect(page.get_by_text("RESULTS: blood normal")).to_be_visible()
    assert len(models.chats) == calls + 1
    assert heard.strangers == []


@pytest.mark.deep
def test_what_a_patient_writes_and_rates_is_kept_over_a_killed_server(
    page: Page, server: Server, models: LLMServer, rosa: str
) -> None:
    models.answer = lambda body: (
        "DIAGNOSIS READY: Gout" if "It hurts." in str(body) else "How are you?"
    )
    sign_in(page, server, rosa)
    page.goto(f"{server.url}{PAGE}?view=Play")
    page.get_by_text("The patient", exact=True).click()
    expect(page.locator(".st-key-play-case-patient")).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    page.get_by_placeholder("Answer the doctor").fill("It hurts.")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The visit is over.")).to_be_visible()
    why = page.get_by_placeholder("Why? One sentence")
    page.get_by_role("radio", name="7", exact=True).first.check()
    expect(page.locator(".maf-status")).to_have_text(SAVED)
    at_rest(page)
    server.kill()
    why.first.fill("Too quick")
    page.get_by_role("radio", name="9", exact=True).nth(1).check()
    page.get_by_role("button", name="Submit").click()
    # The page is loaded anew before the server has heard: nothing is sent unseen.
    load_anew(page, server, page.url)
    expect(page.locator(ACTIVE)).to_have_text(["7", "9"], timeout=45_000)
    expect(why.first).to_have_value("Too quick")
    expect(page.locator(".maf-status")).to_have_text(SAVED)


def test_turns_are_marked_by_keys_and_digits_rate_again_once_the_marks_are_left(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    at_rest(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("mark a turn")
    page.keyboard.press("Escape")
    panel, marked = page.locator(".mlc-panel"), page.locator(".mlc-mark strong")
    page.keyboard.press("t")
    expect(panel).to_have_count(1)
    first = panel.get_attribute("aria-label")
    expect(panel).to_be_in_viewport()
    page.keyboard.press("1")
    expect(panel.get_by_role("button").first).to_have_attribute("aria-pressed", "true")
    expect(panel.get_by_role("button").first).to_be_focused()
    expect(marked).to_have_count(1)
    expect(page.locator(ACTIVE)).to_have_count(0)  # nothing was rated
    page.keyboard.press("9")
    expect(page.locator(".medlens-key-why")).to_contain_text("this turn has the marks 1 to")
    page.keyboard.press("t")
    expect(panel).not_to_have_attribute("aria-label", str(first))
    page.keyboard.press("Shift+T")
    expect(panel).to_have_attribute("aria-label", str(first))
    page.keyboard.press("1")
    expect(marked).to_have_count(0)
    page.keyboard.press("2")
    expect(marked).to_have_count(1)
    # A scale's letter, or Esc, gives the digits back to the scales.
    for key in "d7":
        page.keyboard.press(key)
    expect(page.locator(ACTIVE)).to_have_text(["7"])
    page.keyboard.press("t")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    page.keyboard.press("8")
    expect(page.locator(ACTIVE)).to_have_text(["7", "8"])
    expect(marked).to_have_count(1)


@pytest.mark.deep
def test_on_a_phone_the_case_is_folded_before_the_scales_and_submit_stays_where_it_was(
    phone: Page, server: Server, rosa: str
) -> None:
    sign_in(phone, server, rosa)
    open_rating(phone, server.url + PAGE)
    at_rest(phone)
    tops = """() => ["talk", "case", "rate"].map((part) =>
        document.querySelector(`.st-key-scroll-${part}`).getBoundingClientRect().top)"""
    talk, case, rate = phone.evaluate(tops)
    assert talk < case < rate
    # The diagnosis is told, and a press opens the rest: nobody has to pass all of the case.
    line = phone.locator(".st-key-scroll-case summary")
    told = ".st-key-scroll-case >> text=/correct.diagnosis/i"
    expect(line).to_have_text("The whole case, with its test results")
    expect(phone.locator(f"{told} >> visible=true")).to_have_count(1)
    assert rate - case < 220
    tap(phone, line)
    expect(phone.locator(".st-key-case-desk").get_by_text("Demographics")).to_be_visible()
    expect(phone.locator(f"{told} >> visible=true")).to_have_count(1)
    tap(phone, line)
    expect(phone.locator(".st-key-case-desk").get_by_text("Demographics")).to_be_hidden()
    submit = phone.locator(".st-key-desk_bar [class*='-submit'] button")
    before = submit.bounding_box()
    tap(phone, submit)
    expect(phone.locator(".st-key-work-status")).to_have_text(re.compile("4 answers are missing"))
    at_rest(phone)
    assert submit.bounding_box() == before


@pytest.mark.deep
def test_a_case_is_folded_to_what_a_rater_needs_first_and_stays_open_for_who_opened_it(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    open_rating(page, server.url + PAGE)
    at_rest(page)
    case, whole = page.locator(".st-key-scroll-case"), page.locator(".st-key-case-desk")
    for told in ("Correct diagnosis", "Patient", "The doctor is asked"):
        expect(case.get_by_text(told, exact=True)).to_be_visible()
    expect(whole).to_be_hidden()
    assert len(case.inner_text().split()) <= 50
    # The key that goes there opens it; so it stays at the next dialogue and after a reload.
    page.keyboard.press("c")
    for part in ("Demographics", "History", "Physical Examination Findings", "Test Results"):
        expect(whole.get_by_text(part, exact=True)).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator(".st-key-desk_bar")).to_contain_text("2 of ")
    at_rest(page)
    expect(whole).to_be_visible()
    page.reload()
    expect(whole.get_by_text("Demographics")).to_be_visible(timeout=45_000)
    # Folded by hand, it stays folded.
    case.locator("summary").click()
    expect(whole).to_be_hidden()
    page.reload()
    expect(case.get_by_text("The doctor is asked")).to_be_visible(timeout=45_000)
    at_rest(page)
    expect(whole).to_be_hidden()
