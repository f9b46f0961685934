"""Dialogues paged through by keys: shown at once, and never rated in place of another."""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from medlens.config.shipped_and_home_folders import SHIPPED
from medlens.review import judging
from medlens.store import new_id, open_store
from medlens.studies.agentclinic import tasks
from medlens.studies.agentclinic.file_loading import read_dialogues
from medlens.studies.registry import STUDIES
from tests.browser.conftest import (
    AppServer,
    Heard,
    Server,
    add_people,
    at_rest,
    for_each,
    load_anew,
    sign_in,
    wait_until,
)
from tests.browser.test_tagging_journey import bodies
from tests.conftest import LayStore

PAGE = "/Read_transcripts"
TALK = ".mlc-talk"
FIRST = ".mlc-turn:first-child .mlc-text"
CHOSEN = ".maf-option:has(:checked) > span"


class Wire:
    """What the page sends, which can be held back, and then released or lost."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def hold(self) -> None:
        self.page.evaluate(
            """() => {
              const { prototype } = WebSocket
              const held = window.held = []
              prototype.own ??= prototype.send
              prototype.send = function (message) { held.push([this, message]) }
            }"""
        )

    @property
    def held(self) -> int:
        return int(self.page.evaluate("window.held.length"))

    def let_go(self, *, lost: bool = False) -> None:
        """Waits for a message to be held back, then releases it; if ``lost``, it never arrives."""
        wait_until(self.page, "window.held.length", seconds=30)
        self.page.evaluate(
            """lost => {
              const { prototype } = WebSocket
              prototype.send = prototype.own
              if (!lost) window.held.forEach(([to, message]) => to.send(message))
            }""",
            lost,
        )


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Path:
    path = tmp_path_factory.mktemp("clinic") / "clinic.duckdb"
    return lay_store(path, STUDIES["agentclinic"].demo, add_people)


@pytest.fixture(scope="module")
def shared(lasting_server: AppServer, path: Path) -> Server:
    return lasting_server(store=path, settings=for_each(tasks.REALISM, tasks.MATCH))


@pytest.mark.deep
def test_a_lead_opens_and_leafs_by_keys_before_the_server_has_answered(
    page: Page, server: Server, heard: Heard
) -> None:
    wire = Wire(page)
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}{PAGE}?view=Dialogues")
    rows = page.locator(".mlc-table tbody tr")
    expect(rows).to_have_count(40, timeout=45_000)
    texts = {n: one.turns for n, one in enumerate(load_turns(), 1)}
    side = page.locator(".st-key-scroll-side")

    at_rest(page)
    # By keyboard only: to the second row, and open it.
    rows.first.get_by_role("link").focus()
    page.keyboard.press("ArrowDown")
    wire.hold()
    page.keyboard.press("Enter")
    expect(page.locator(FIRST)).to_have_text(texts[2][0].text)
    assert "dialogue=" not in page.url
    wire.let_go()
    expect(side.get_by_text("Correct diagnosis")).to_be_visible()
    expect(page.locator(".mlc-turn")).to_have_count(len(texts[2]))
    expect(page).to_have_url(re.compile("dialogue=demo02"))

    # On to the third: the form beside it belongs to the second, and cannot be used.
    wire.hold()
    page.keyboard.press("j")
    expect(page.locator(FIRST)).to_have_text(texts[3][0].text)
    expect(side.get_by_text("Correct diagnosis")).to_be_hidden()
    expect(page.locator(".mlc-facts")).to_have_text("")
    wire.let_go()
    expect(side.get_by_text("Correct diagnosis")).to_be_visible()
    expect(page.locator(".mlc-facts")).to_contain_text("Outcome")
    # Three quick presses move three on, and Escape brings the list back.
    for _ in range(3):
        page.keyboard.press("j")
    expect(page).to_have_url(re.compile("dialogue=demo06"))
    expect(page.locator(FIRST)).to_have_text(texts[6][0].text)
    expect(side.get_by_text("Correct diagnosis")).to_be_visible()
    page.keyboard.press("Escape")
    expect(rows).to_have_count(40)
    expect(page).not_to_have_url(re.compile("dialogue="))
    page.get_by_label("Search").fill("temporal arteries")
    page.keyboard.press("Enter")
    expect(rows.nth(39)).to_be_hidden()
    assert not heard.strangers


def load_turns() -> list:
    file = SHIPPED / "data" / "demo" / "agentclinic" / "dialogues.jsonl"
    return [one.dialogue for one in read_dialogues(file).records]


@pytest.mark.deep
def test_a_rating_pressed_while_the_next_dialogue_is_on_its_way_lands_on_the_one_shown(
    page: Page, server: Server, rosa: str, path: Path, heard: Heard
) -> None:
    wire = Wire(page)
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    expect(page.get_by_placeholder("Comment on the dialogue as a whole")).to_be_visible(
        timeout=45_000
    )
    for key in "7777":
        page.keyboard.press(key)
    chosen = page.locator(CHOSEN)
    expect(chosen).to_have_count(4)
    first = page.locator(TALK).get_attribute("data-item") or ""
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(chosen).to_have_count(0)
    expect(page.locator(TALK)).not_to_have_attribute("data-item", first)
    second = page.locator(TALK).get_attribute("data-item") or ""
    page.get_by_role("button", name=re.compile("^1 · Doctor")).click()
    page.get_by_role("button", name="Fixation").click()
    expect(page.get_by_role("button", name="1 · Doctor Fixation")).to_be_visible()
    # A comment still being typed when the dialogue is left stays with it.
    page.get_by_label("Fixation: why").fill("One idea only")
    page.locator(".mlc-text").first.click()

    wire.hold()
    page.keyboard.press("k")
    expect(page.locator(TALK)).to_have_attribute("data-item", first)
    expect(page.get_by_placeholder("Comment on the dialogue as a whole")).to_be_hidden()
    page.keyboard.press("3")
    wire.let_go()
    expect(chosen).to_have_text(["3", "7", "7", "7"])
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    # Back again and rated at once: the rating lands on the dialogue shown.
    page.keyboard.press("j")
    expect(page.locator(TALK)).to_have_attribute("data-item", second)
    expect(page.get_by_role("button", name="1 · Doctor Fixation")).to_be_visible()
    page.keyboard.press("4")
    expect(chosen).to_have_text(["4"])
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    drafts = {
        one.doctor: (one.patient, [mark.comment for mark in one.marks])
        for one in map(tasks.Realism.model_validate_json, bodies(server, rosa))
    }
    assert drafts == {3: (7, []), 4: (None, ["One idea only"])}
    assert not heard.strangers


@pytest.mark.deep
def test_keys_pressed_faster_than_the_server_answers_rate_in_the_order_of_the_presses(
    page: Page, server: Server, rosa: str
) -> None:
    wire = Wire(page)
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    expect(page.get_by_placeholder("Comment on the dialogue as a whole")).to_be_visible(
        timeout=45_000
    )
    chosen = page.locator(CHOSEN)
    first = page.locator(TALK).get_attribute("data-item") or ""
    wire.hold()
    for key in "7805":
        page.keyboard.press(key)
    # The earlier keys are submitted with it, from a text field too; a later one rates nothing.
    page.get_by_placeholder("Comment on the dialogue as a whole").focus()
    page.keyboard.press("Control+Enter")
    page.keyboard.press("3")
    expect(page.locator(".medlens-key-why")).to_have_text(re.compile("^3 not used: "))
    wire.let_go()
    expect(page.get_by_text("2 of 20")).to_be_visible()
    expect(page.locator(TALK)).not_to_have_attribute("data-item", first)
    expect(chosen).to_have_count(0)
    # Rated and left at once: the rating stays with the dialogue where it was pressed.
    wire.hold()
    page.keyboard.press("6")
    page.keyboard.press("k")
    wire.let_go()
    expect(page.get_by_text(re.compile(r"^submitted \d\d:\d\d:\d\d$"))).to_be_visible()
    expect(page.locator(TALK)).to_have_attribute("data-item", first)
    expect(chosen).to_have_text(["7", "8", "10", "5"])
    page.keyboard.press("j")
    expect(chosen).to_have_text(["6"])
    # Another view opens before the server has heard everything: the rest is sent on return.
    head = page.get_by_role("button", name=re.compile("^1 · Doctor"))
    head.click()
    wire.hold()
    for name in ("Bad opening", "Fixation"):
        page.get_by_role("button", name=name, exact=True).click()
    for key in "78":
        page.keyboard.press(key)
    page.get_by_role("radio", name="Check diagnoses").click()
    wire.let_go()
    expect(page.get_by_text("Is this the same disease?")).to_be_visible()
    page.get_by_role("radio", name="Rate dialogues").click()
    expect(chosen).to_have_text(["6", "7", "8"])
    expect(head).to_have_text("1 · Doctor Bad opening, Fixation")
    # A lost message is repeated until it is taken.
    wire.hold()
    page.keyboard.press("9")
    wire.let_go(lost=True)
    saving = page.locator(".maf.is-saving")
    expect(saving).to_have_count(1)
    expect(saving).to_have_count(0)
    page.reload()
    expect(chosen).to_have_text(["6", "7", "8", "9"])


# Remembers the form, and counts how often another dialogue appeared beside an open form.
WATCH = """() => {
  window.form = document.querySelector(".maf");
  window.lag = 0;
  const look = () => [document.querySelector(".mlc-talk")?.dataset.item,
                      !document.querySelector("fieldset:disabled")];
  let before = look();
  new MutationObserver(() => {
    const now = look();
    if (now[0] !== before[0] && now[1] && before[1]) window.lag += 1;
    before = now;
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


@pytest.mark.deep
def test_a_key_pressed_behind_the_one_that_moves_on_judges_what_is_shown_and_not_what_is_left(
    page: Page, server: Server, rosa: str, path: Path
) -> None:
    wire, why = Wire(page), page.locator(".medlens-key-why")
    sign_in(page, server, rosa)
    for view in ("Check diagnoses", "Rate dialogues"):
        page.goto(f"{server.url}{PAGE}?view={view}")
        expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
        # The form can appear before the script that handles the keys for moving.
        expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()
        if view == "Rate dialogues":
            expect(page.locator(".mlc-talk[data-item]").first).to_be_visible()
        page.evaluate(WATCH)
        ratings: Counter[str] = Counter()  # by item, how often it was rated
        for move in "sjk":
            page.wait_for_timeout(400)  # keys this soon after ignored ones belong to their burst
            first = page.url
            wire.hold()
            page.keyboard.press(move)
            page.keyboard.press("1")
            words = why.inner_text() if why.is_visible() else ""
            page.keyboard.press("Enter")
            wire.let_go()
            expect(page).not_to_have_url(first)
            expect(page.locator("fieldset:disabled, .is-turning")).to_have_count(0)
            # The dialogue that the move had shown is rated; if it had shown none, the key says so.
            ratings[page.url] += not words
            assert not words or words.startswith("1 not used: ")
            expect(page.locator(CHOSEN)).to_have_text(["1"] * ratings[page.url])
        # The page has the previous dialogue's text in advance, but no diagnosis's.
        assert (ratings.total() > 0) == (view == "Rate dialogues")
        # The dialogue can be judged then: the form was not rebuilt, nor open too early.
        assert page.evaluate("[window.form.isConnected, window.lag]") == [True, 0]
        page.wait_for_timeout(400)
        page.keyboard.press("2")
        expect(page.locator(CHOSEN)).to_have_count(ratings[page.url] + 1)
        expect(page.locator(".maf.is-saving")).to_have_count(0)
    assert '"same":"no"' in bodies(server, rosa)[0]
    # A flag asked for meanwhile is of the dialogue that comes: nothing is requested for this one.
    for key in "777":
        page.keyboard.press(key)
    expect(page.locator(CHOSEN)).to_have_count(4)
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_visible()
    first = page.locator(TALK).get_attribute("data-item") or ""
    wire.hold()
    page.keyboard.press("Enter")
    page.keyboard.press("f")
    page.wait_for_timeout(300)
    assert wire.held == 1
    wire.let_go()
    expect(page.locator(TALK)).not_to_have_attribute("data-item", first)
    expect(page.get_by_label("What is wrong with this dialogue?")).to_be_focused()


@pytest.mark.deep
def test_what_was_rated_and_written_while_the_server_was_away_is_saved_when_it_is_back(
    page: Page, server: Server, rosa: str, path: Path
) -> None:
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    comment = page.get_by_placeholder("Comment on empathy")
    expect(comment).to_be_visible(timeout=45_000)
    page.evaluate(
        """() => new MutationObserver(() => {
          window.covered ||= Boolean(document.querySelector("[role=dialog]"))
        }).observe(document.body, { childList: true, subtree: true })"""
    )
    page.keyboard.press("7")
    expect(page.get_by_text(re.compile(r"saved \d\d:"))).to_be_visible()
    at_rest(page)
    server.kill()
    page.keyboard.press("8")
    comment.fill("Kind")
    comment.press("Enter")
    page.keyboard.press("m")
    page.keyboard.press("3")
    expect(page.locator(CHOSEN)).to_have_text(["7", "8", "3"])
    expect(page.get_by_text("Not saved: the server does not answer.")).to_be_visible()
    # Streamlit's message about it covers the page and is closed; the rest can be rated and written.
    comment.focus()
    wait_until(page, "window.covered", seconds=30)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.type(" and warm")
    expect(comment).to_have_value("Kind and warm")
    server.start()
    expect(page.get_by_text("Not saved: the server does not answer.")).to_be_hidden(timeout=30_000)
    expect(page.locator(CHOSEN)).to_have_text(["7", "8", "3"])
    expect(page.get_by_text("Changed in another tab.")).to_have_count(0)
    # Chosen and submitted by pointer at once: the choice is included.
    page.get_by_role("radio", name="4", exact=True).last.check()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("2 of 20")).to_be_visible()
    [body] = bodies(server, rosa, "judgment")
    value = tasks.Realism.model_validate_json(body)
    assert (*value.scores_by_name_of_scale().values(), value.empathy_comment) == (
        7,
        8,
        3,
        4,
        "Kind and warm",
    )


@pytest.mark.deep
def test_an_answer_saved_by_a_server_that_died_before_it_said_so_is_not_taken_for_another_tabs(
    page: Page, server: Server, rosa: str
) -> None:
    deaf: list[bool] = []

    def join(route: WebSocketRoute) -> None:
        route.connect_to_server().on_message(lambda message: deaf or route.send(message))

    page.route_web_socket(re.compile("_stcore/stream"), join)
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    expect(page.locator("fieldset")).to_have_count(4, timeout=45_000)
    deaf.append(True)
    page.keyboard.press("7")
    until = time.monotonic() + 30
    while not bodies(server, rosa):
        assert time.monotonic() < until, "the server has saved nothing"
        page.wait_for_timeout(100)
    for key in "d8":
        page.keyboard.press(key)
    server.kill()
    deaf.clear()
    server.start()
    expect(page.locator(".maf.is-saving")).to_have_count(0, timeout=30_000)
    expect(page.get_by_text(re.compile(r"saved \d\d:"))).to_be_visible()
    expect(page.locator(CHOSEN)).to_have_text(["8"])
    expect(page.get_by_text("Changed in another tab.")).to_have_count(0)


@pytest.mark.deep
def test_what_the_server_had_not_taken_is_there_again_when_the_page_is_loaded_anew(
    page: Page, server: Server, rosa: str, path: Path
) -> None:
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    whole = page.get_by_placeholder("Comment on the dialogue as a whole")
    # Left right after the last letter.
    whole.press_sequentially("Seen")
    page.goto(f"{server.url}/healthz")
    page.goto(server.url + PAGE)
    expect(whole).to_have_value("Seen")
    expect(page.get_by_text(re.compile(r"saved \d\d:"))).to_be_visible()
    at_rest(page)
    server.kill()
    for key in ("7", "8", "9", "6", "Enter"):
        page.keyboard.press(key)
    load_anew(page, server, page.url)
    # Nothing is submitted that the rater does not see again first.
    expect(page.locator(CHOSEN)).to_have_text(["7", "8", "9", "6"], timeout=45_000)
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    expect(page.get_by_text("1 of 20")).to_be_visible()
    # What is kept is sent again after the form is there, and dropped once it is taken.
    wait_until(page, "!Object.keys(localStorage).join().includes('medlens:answer:')")
    [body] = bodies(server, rosa)
    value = tasks.Realism.model_validate_json(body)
    assert (*value.scores_by_name_of_scale().values(), value.comment) == (7, 8, 9, 6, "Seen")


@pytest.mark.deep
def test_on_a_phone_submitting_is_in_reach_and_the_next_dialogue_begins_at_its_top(
    phone: Page, server: Server, rosa: str
) -> None:
    sign_in(phone, server, rosa)
    phone.goto(server.url + PAGE)
    submit, scales = phone.get_by_role("button", name="Submit"), phone.locator("fieldset")
    expect(scales).to_have_count(4, timeout=45_000)
    scales.last.get_by_role("radio", name="7", exact=True).check()
    expect(submit).to_be_in_viewport()
    submit.click()
    expect(phone.get_by_text("3 answers are missing")).to_be_in_viewport()
    for scale in scales.all()[:3]:
        scale.get_by_role("radio", name="7", exact=True).check()
    submit.click()
    expect(phone.get_by_text("2 of 20")).to_be_in_viewport()
    at_rest(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.deep
def test_a_mark_given_when_the_server_had_gone_asks_where_another_tab_has_saved_meanwhile(
    page: Page, server: Server, rosa: str, path: Path
) -> None:
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    page.get_by_role("button", name=re.compile("^1 · Doctor")).click()
    page.get_by_role("button", name="Bad opening").click()
    expect(page.get_by_text(re.compile(r"saved \d\d:"))).to_be_visible()
    at_rest(page)
    server.kill()
    page.get_by_role("button", name="Fixation").click()
    with contextlib.closing(open_store(path)) as store:
        person, task = server.people[rosa], tasks.DialogueRealismTask()
        [(item,)] = store.rows("select item from draft_now where rater = $r", r=person)
        held = judging.load_draft_or_current_judgment(store, task, item=item, rater=person)
        judging.save_draft(
            store,
            task,
            item=item,
            rater=person,
            base=held.revision,
            token=new_id(),
            body={"doctor": 2},
        )
    server.start()
    expect(page.get_by_text("Changed in another tab.", exact=True)).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Use the other tab's").click()
    expect(page.get_by_role("button", name=re.compile("^1 · Doctor"))).to_be_visible()
    expect(page.get_by_text("Changed in another tab.")).to_have_count(0)


@pytest.mark.deep
def test_keys_are_for_the_dialogue_in_sight_whatever_has_the_focus(
    page: Page, server: Server, rosa: str
) -> None:
    sign_in(page, server, rosa)
    page.goto(server.url + PAGE)
    chosen, shown = page.locator(CHOSEN), page.locator(".mlc-talk")
    expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
    page.keyboard.type("78")
    expect(chosen).to_have_text(["7", "8"])
    page.keyboard.type("96")
    # The current view has the focus: Enter submits all the same.
    page.get_by_role("radio", name="Rate dialogues").click()
    first = shown.get_attribute("data-item")
    page.keyboard.press("Enter")
    slowest, before = 0.0, time.monotonic()
    # One at least: the next dialogue may be in sight as soon as Enter was pressed.
    turned = False
    while not turned:
        page.keyboard.press("7")
        turned = shown.get_attribute("data-item") != first
        slowest, before = max(slowest, time.monotonic() - before), time.monotonic()
    # Such a key says that it did nothing. The last one is kept for the next dialogue, if that had
    # come into sight just before it.
    told = page.locator(".medlens-key-why").filter(has_text=re.compile("^7 not used: "))
    expect(told.or_(chosen.filter(has_text="7")).first).to_be_attached()
    was_told = told.count() > 0
    begun = time.monotonic()
    # Keys from before the next dialogue appeared do not judge it, nor its next scale.
    for _ in range(5):
        page.keyboard.press("5")
        slowest, before = max(slowest, time.monotonic() - before), time.monotonic()
    # One burst for the page: it ends 300 ms after its last early key.
    if was_told and slowest + time.monotonic() - begun < 0.15:
        page.wait_for_timeout(400)
        expect(chosen).to_have_count(0)
    # The reason can be typed at once.
    page.keyboard.press("f")
    box = page.get_by_label("What is wrong with this dialogue?")
    expect(box).to_be_focused()
    page.keyboard.type("The key is wrong")
    expect(box).to_have_value("The key is wrong")
    # It is a draft, like the rest of the answer.
    expect(page.locator(".maf-status")).to_have_text(re.compile(r"draft saved \d\d:"))
    page.reload()
    expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
    page.keyboard.press("f")
    expect(box).to_have_value("The key is wrong")
    wrong = shown.get_attribute("data-item") or ""
    box.press("Enter")
    expect(shown).not_to_have_attribute("data-item", wrong)
