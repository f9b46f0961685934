"""The tagging surface in a real Chromium, over the harness in ``tagger_app.py``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from streamlit.testing.v1 import AppTest

from medlens.errors import InvalidInput
from medlens.ui.span_tagger import parse_message
from medlens.ui.span_tagger.message import MAX_SECONDS
from tests.browser.conftest import SIZE, AppServer, Server, at_rest, on_a_phone, tap, turn_to

# Two places in the text as screen points; offsets count UTF-16 units, as the DOM does.
PLACES = """([quote, nth]) => {
  const box = document.querySelector(".mlt-text");
  let start = -1;
  for (let i = 0; i <= nth; i += 1) start = box.textContent.indexOf(quote, start + 1);
  if (start < 0) throw new Error(`not in the text: ${quote}`);
  const point = (unit, closing) => {
    const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    let left = unit;
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (left < node.length || (closing && left === node.length)) {
        const range = document.createRange();
        range.setStart(node, closing ? left - 1 : left);
        range.setEnd(node, closing ? left : left + 1);
        range.startContainer.parentElement.scrollIntoView({ block: "nearest" });
        const r = range.getBoundingClientRect();
        return [closing ? r.right - 0.5 : r.left + 0.5, (r.top + r.bottom) / 2];
      }
      left -= node.length;
    }
  };
  point(start, false);
  const to = point(start + quote.length, true);
  return [point(start, false), to];
}"""


@dataclass
class Harness:
    """The harness application."""

    server: Server
    state: Path
    worn: bool = True
    """The tab has to be loaded anew for the next person."""

    def kept(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.state.read_text("utf-8"))
        return value


@pytest.fixture(scope="module")
def harness(lasting_server: AppServer, tmp_path_factory: pytest.TempPathFactory) -> Harness:
    state = tmp_path_factory.mktemp("tagger") / "state.json"
    script = Path(__file__).with_name("tagger_app.py")
    return Harness(lasting_server(script=script, env={"TAGGER_STATE": str(state)}), state)


@dataclass
class Desk:
    """One person at one item, and what they do by hand."""

    page: Page
    harness: Harness
    rater: str = field(default_factory=lambda: f"r{uuid4().hex[:8]}")
    opened: bool = False

    def open(self, item: str = "short", **parameters: str) -> Desk:
        query = urlencode({"as": self.rater, "item": item, **parameters})
        there = self.page.url.startswith(f"{self.harness.server.url}/?")
        if self.opened or parameters or self.harness.worn or not there:
            self.page.goto(f"{self.harness.server.url}/?{query}")
        else:
            self.page.evaluate(
                """() => {
                  const left = document.querySelector(".mlt")
                  left.dataset.left = ""
                  // The next one takes no focus from a person: this one must not have it again.
                  left.inert = true
                  document.activeElement?.blur()
                }"""
            )
            turn_to(self.page, f"/?{query}")
            expect(self.page.locator("[data-left]")).to_have_count(0)
        self.opened, self.harness.worn = True, bool(parameters)
        self.page.wait_for_selector(".mlt-line")
        # Words stand elsewhere before the style sheet has come.
        expect(self.page.locator(".mlt")).to_have_css("opacity", "1")
        expect(self.page.locator(".mlt-text")).to_be_focused()
        return self

    def select(self, quote: str, *, nth: int = 0, alt: bool = False) -> None:
        (x1, y1), (x2, y2) = self.page.evaluate(PLACES, [quote, nth])
        if alt:
            self.page.keyboard.down("Alt")
        self.page.mouse.move(x1, y1)
        self.page.mouse.down()
        self.page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2)
        self.page.mouse.move(x2, y2)
        self.page.mouse.up()
        if alt:
            self.page.keyboard.up("Alt")

    def click(self, quote: str) -> None:
        (x1, y1), _ = self.page.evaluate(PLACES, [quote, 0])
        self.page.mouse.click(x1 + 3, y1)

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)

    def mark(self, quote: str, key: int, *, alt: bool = False) -> None:
        self.select(quote, alt=alt)
        self.keys(str(key))

    def saved(self) -> None:
        expect(self.page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")

    def body(self, item: str = "short") -> dict[str, Any]:
        """What the server holds once everything is saved."""
        self.saved()
        value: dict[str, Any] = self.harness.kept()["drafts"][f"{self.rater}/{item}"]["body"]
        return value

    def spans(self, item: str = "short") -> list[tuple[str, list[str]]]:
        return [(span["quote"], span["labels"]) for span in self.body(item)["spans"]]

    def said(self, words: str) -> None:
        expect(self.page.locator(".mlt-say")).to_contain_text(words)

    def refused(self, words: str) -> None:
        expect(self.page.locator(".medlens-key-why")).to_have_text(
            re.compile(f"not used: .*{words}")
        )


@pytest.fixture(scope="module")
def tab(kept_context: BrowserContext, harness: Harness) -> Iterator[Page]:
    """A tab in which one test after another opens the harness, mostly without loading it anew."""
    page = kept_context.new_page()
    yield page
    page.goto(f"{harness.server.url}/_stcore/health")
    page.evaluate(CLEAR)
    page.close()


CLEAR = "() => { localStorage.clear(); sessionStorage.clear() }"


@pytest.fixture
def desk(tab: Page, harness: Harness) -> Iterator[Desk]:
    """A desk in a tab with empty storage."""
    if harness.worn:
        tab.goto(f"{harness.server.url}/_stcore/health")
    tab.evaluate(CLEAR)
    before = tab.context.pages
    yield Desk(tab, harness)
    for other in tab.context.pages:
        if other not in before:
            other.close()


@pytest.fixture
def phone(tab: Page) -> Iterator[Page]:
    with on_a_phone(tab):
        yield tab


FACT, DIAGNOSIS, VAGUE = (
    "non_medical_factual_error",
    "sticking_with_wrong_diagnosis",
    "incorrect_or_vague_conclusion",
)
INVENTED, UNSUPPORTED = "hallucination_of_information", "unsupported_medical_claim"
REASONABLE = "reasonable_response"


# As after the Guideline was opened, or the page's head was clicked.
FOCUS_ELSEWHERE = """() => {
  const elsewhere = document.querySelector("[data-testid=stMain]")
  elsewhere.tabIndex = -1
  elsewhere.focus()
  return document.activeElement === elsewhere
}"""


@pytest.mark.deep
def test_keys_act_wherever_the_focus_is_outside_a_text_field(desk: Desk) -> None:
    desk.open()
    quote = desk.page.locator(".mlt-line").first.inner_text()[:12]
    desk.select(quote)
    assert desk.page.evaluate(FOCUS_ELSEWHERE)
    desk.keys("1")
    assert [labels for _, labels in desk.spans()] == [[FACT]]


def test_offsets_are_code_points_of_the_exact_text(desk: Desk) -> None:
    # Chromium counts UTF-16 units: everything after the health worker emoji (7 units) and after the
    # mathematical alpha lies further right there than in code points.
    text = (
        "a\u0301 e\u0301tude 👩🏽‍⚕️ <b>bold</b> & &amp; 𝛼-blocker.\r\nSecond line after CRLF. "
        "<img src=x onerror=window.pwned=1> <script>window.pwned=1</script> The end."
    )
    desk.open("odd")
    for quote in (
        "e\u0301tude",
        "<b>bold</b>",
        "&amp;",
        "𝛼-blocker",
        "Second line",
        "The end",
    ):
        desk.select(quote, alt=True)
        desk.keys("1")
    spans = desk.body("odd")["spans"]
    assert [span["quote"] for span in spans] == [
        "e\u0301tude",
        "<b>bold</b>",
        "&amp;",
        "𝛼-blocker",
        "Second line",
        "The end",
    ]
    assert [text[span["start"] : span["end"]] for span in spans] == [s["quote"] for s in spans]
    assert (spans[0]["start"], spans[0]["end"]) == (3, 9)


def test_text_and_markup_in_it_stay_text(desk: Desk) -> None:
    desk.open("odd")
    desk.mark("<script>window.pwned=1</script>", 6, alt=True)
    desk.saved()
    assert desk.page.evaluate("window.pwned") is None
    assert desk.page.locator(".mlt script, .mlt img, .mlt-text b").count() == 0
    expect(desk.page.locator(".mlt-list")).to_contain_text("<script>")


def test_a_selection_grows_to_whole_words_and_alt_keeps_it_exact(desk: Desk) -> None:
    desk.open()
    desk.mark("lchicine sto", 1)
    desk.mark("itos", 2, alt=True)
    assert desk.spans() == [("Colchicine stops", [FACT]), ("itos", [DIAGNOSIS])]


def test_an_emoji_made_of_several_is_never_split(desk: Desk) -> None:
    desk.open("odd")
    desk.page.evaluate("""() => {
      const box = document.querySelector(".mlt-text");
      const node = document.querySelector(".mlt-line").firstChild;
      const at = { bubbles: true, button: 0, altKey: true };
      box.dispatchEvent(new PointerEvent("pointerdown", at));
      const start = node.data.indexOf("👩") + 2;  // behind the woman, before her skin's colour
      getSelection().setBaseAndExtent(node, start, node, start + 2);
      document.dispatchEvent(new MouseEvent("mouseup", at));
    }""")
    desk.keys("4")
    assert [quote for quote, _ in desk.spans("odd")] == ["👩🏽‍⚕️"]


def test_overlapping_marks_and_several_labels_on_the_same_words_are_all_visible(
    desk: Desk,
) -> None:
    desk.open()
    desk.mark("Colchicine stops mitosis", 1)
    desk.keys("3")
    desk.mark("mitosis. It is used", 6)
    assert desk.spans() == [
        ("Colchicine stops mitosis", [FACT, VAGUE]),
        ("mitosis. It is used", [INVENTED]),
    ]
    shared = desk.page.locator(".mlt-mark", has_text="mitosis").first
    assert shared.text_content() == "mitosis"
    layers = shared.evaluate("node => getComputedStyle(node).backgroundPositionY.split(', ')")
    assert (
        len({layer for layer in layers if "100%" in layer}) == 3
    )  # three underlines, each in its own lane
    assert shared.get_attribute("data-n") == "1·3"  # these two labels end here
    # Boxed and on the line: raised and bare, "250" with label 3 would read as a power.
    number = shared.evaluate(
        "node => { const s = getComputedStyle(node, '::after');"
        " return [s.verticalAlign, s.borderTopStyle] }"
    )
    assert number == ["baseline", "solid"]
    assert (
        desk.page.locator(".mlt-text").text_content()
        == "The answer is B. Colchicine stops mitosis. It is used for gout."
    )


def test_the_menu_at_the_selection_gives_the_label(desk: Desk) -> None:
    desk.open()
    desk.select("gout")
    menu = desk.page.locator(".mlt-menu")
    menu.get_by_role("button", name="Hallucination of information").hover()
    expect(desk.page.locator(".mlt-peek")).to_contain_text("Example")
    menu.get_by_role("button", name="Hallucination of information").click()
    expect(menu).to_be_hidden()
    assert desk.spans() == [("gout", [INVENTED])]


@pytest.mark.deep
@pytest.mark.parametrize("by_key", [False, True])
def test_a_label_chosen_first_stays_chosen_and_each_selection_gets_its_own_mark(
    desk: Desk, by_key: bool
) -> None:
    desk.open()

    def choose(key: int, name: str) -> None:
        if by_key:
            desk.keys(str(key))
        else:
            desk.page.locator(".mlt-labels").get_by_role("button", name=name).click()

    choose(4, "Ignore missing")
    desk.select("gout")
    desk.select("Colchicine")
    choose(2, "Sticking with")
    desk.select("mitosis")
    desk.keys("Escape")
    expect(desk.page.locator(".is-armed")).to_have_count(0)
    desk.select("answer")
    ignored, stuck = ["ignore_missing_information"], ["sticking_with_wrong_diagnosis"]
    assert sorted(desk.spans()) == [("Colchicine", ignored), ("gout", ignored), ("mitosis", stuck)]


def test_a_label_in_hand_is_let_go_of_by_the_same_key_and_by_labelling_a_selection(
    desk: Desk,
) -> None:
    desk.open()
    told = desk.page.locator("[data-notice=armed]")
    desk.keys("4")
    expect(told).to_contain_text("Select the words for “Ignore missing information”.")
    desk.keys("4")
    expect(desk.page.locator(".is-armed")).to_have_count(0)
    expect(told).to_have_count(0)
    desk.keys("4")
    told.get_by_role("button", name="Cancel (Esc)").click()
    expect(desk.page.locator(".is-armed")).to_have_count(0)
    expect(told).to_have_count(0)
    desk.keys("4", "ArrowRight", "2")
    expect(desk.page.locator(".is-armed")).to_have_count(0)
    assert [labels for _, labels in desk.spans()] == [["sticking_with_wrong_diagnosis"]]


def test_a_label_in_hand_that_is_renamed_or_removed_meanwhile_is_told_as_it_is(
    desk: Desk, harness: Harness
) -> None:
    def change(**fields: object) -> None:
        kept = harness.kept()
        kept["changed"] = {"ignore_missing_information": fields}
        harness.state.write_text(json.dumps(kept), "utf-8")

    desk.open(grows="1")
    told = desk.page.locator("[data-notice=armed]")
    try:
        desk.keys("4")
        desk.select("Colchicine")
        desk.saved()
        change(name="Leaves out what is known")
        desk.select("mitosis")
        expect(told).to_contain_text("Select the words for “Leaves out what is known”.")
        desk.saved()
        change(gone=True)
        desk.select("answer")
        expect(told).to_have_count(0)
        expect(desk.page.locator(".is-armed")).to_have_count(0)
    finally:
        change()


def test_a_non_error_label_excludes_the_rest_and_says_what_to_do(desk: Desk) -> None:
    desk.open()
    desk.mark("Colchicine", 1)
    desk.mark("gout", 8)
    notice = desk.page.locator("[data-notice=conflict]")
    expect(notice).to_contain_text("cannot be combined with “Non-medical factual error”")
    assert desk.spans() == [("Colchicine", [FACT])]
    notice.get_by_role("button", name="Replace all with").click()
    assert desk.spans() == [("gout", [REASONABLE])]
    desk.keys("Control+z")
    expect(desk.page.locator(".mlt-row")).to_contain_text("Colchicine")
    assert desk.spans() == [("Colchicine", [FACT])]


def test_an_item_is_done_by_keyboard_alone(desk: Desk) -> None:
    desk.open()
    # Down: the first sentence, the second; Shift+Down adds the third.
    desk.keys("ArrowDown", "ArrowDown", "Shift+ArrowDown", "6")
    desk.keys(
        "ArrowUp",
        "ArrowUp",
        "ArrowLeft",
        "ArrowRight",
        "Shift+ArrowRight",
        "3",
        "Enter",
    )
    desk.page.keyboard.type("too vague, 1 of 2")
    desk.keys("Escape")
    expect(desk.page.locator(".mlt-text")).to_be_focused()
    desk.keys("Escape", "Enter")
    expect(desk.page.locator(".mlt-text")).to_contain_text("Aspirin")
    expect(desk.page.locator(".mlt-text")).to_be_focused()
    kept = desk.harness.kept()["submitted"][f"{desk.rater}/short"]
    assert [(s["quote"], s["labels"], s["comment"]) for s in kept["spans"]] == [
        ("answer is", [VAGUE], "too vague, 1 of 2"),
        ("Colchicine stops mitosis. It is used for gout.", [INVENTED], ""),
    ]


@pytest.mark.deep
def test_delete_jump_and_streamlits_own_letters_stay_inside(desk: Desk) -> None:
    desk.open()
    desk.mark("Colchicine", 1)
    desk.mark("gout", 2)
    desk.keys("Escape", "n", "n")
    desk.said("Colchicine")
    desk.keys("p")
    desk.said("gout")
    desk.keys("Delete", "r", "c")
    assert desk.spans() == [("Colchicine", [FACT])]
    expect(desk.page.locator("[role=dialog]")).to_have_count(0)


def test_undo_and_redo_walk_through_every_change(desk: Desk) -> None:
    desk.open()
    desk.mark("Colchicine", 1)
    desk.keys("2")
    desk.mark("gout", 3)
    both = [("Colchicine", [FACT, DIAGNOSIS]), ("gout", [VAGUE])]
    assert desk.spans() == both
    desk.keys("Control+z", "Control+z")
    assert desk.spans() == [("Colchicine", [FACT])]
    desk.keys("Control+Shift+z")
    desk.page.get_by_role("button", name="Redo").click()
    assert desk.spans() == both


@pytest.mark.deep
def test_a_click_opens_the_mark_and_again_the_other_one_there(desk: Desk) -> None:
    desk.open()
    desk.mark("Colchicine stops mitosis", 1)
    desk.mark("stops", 2)
    desk.keys("Escape")
    card = desk.page.locator(".mlt-card")
    desk.click("stops")
    expect(card.locator("blockquote")).to_have_text("stops")
    desk.click("stops")
    expect(card.locator("blockquote")).to_have_text("Colchicine stops mitosis")
    card.get_by_label("Comment").fill("see the textbook")
    card.get_by_role("button", name="Done").click()
    assert desk.body()["spans"][0]["comment"] == "see the textbook"
    desk.click("stops")
    card.get_by_role("button", name="Delete mark").click()
    assert desk.spans() == [("Colchicine stops mitosis", [FACT])]


def test_a_submit_says_what_is_missing_and_goes_there(desk: Desk) -> None:
    desk.open()
    desk.keys("Control+Enter")
    notice = desk.page.locator("[data-notice=missing]")
    expect(notice).to_contain_text("No label yet")
    expect(notice).to_contain_text("mark a sentence as “Reasonable response”")
    desk.mark("mitosis", 7)
    expect(desk.page.locator(".mlt-card")).to_contain_text("In this order")
    desk.keys("Control+Enter")
    expect(notice).to_contain_text("Mark 1 has no link")
    link = desk.page.locator("[data-field=link]")
    expect(link).to_be_focused()
    link.fill("javascript:alert(1)")
    desk.keys("Control+Enter")
    expect(notice).to_contain_text("cannot be looked up")
    expect(desk.page.locator(".mlt-list")).to_contain_text("this reference cannot be looked up")
    link.fill("https://example.org/refuted")
    desk.keys("Control+Enter")
    expect(desk.page.locator(".mlt-text")).to_contain_text("Aspirin")
    span = desk.harness.kept()["submitted"][f"{desk.rater}/short"]["spans"][0]
    assert (span["labels"], span["link"]) == (
        [UNSUPPORTED],
        "https://example.org/refuted",
    )


@pytest.fixture
def low_window(tab: Page) -> Iterator[None]:
    """A small laptop's window at twice its size."""
    tab.set_viewport_size({"width": 683, "height": 384})
    yield
    tab.set_viewport_size(SIZE)


@pytest.mark.deep
@pytest.mark.usefixtures("low_window")
def test_a_link_is_asked_for_in_sight_and_never_over_what_is_said_in_the_lowest_window(
    desk: Desk,
) -> None:
    desk.open()
    desk.mark("mitosis", 7)
    link, foot = desk.page.locator("[data-field=link]"), desk.page.locator(".mlt-card-foot")
    bar = desk.page.locator(".mdb")

    def edges() -> list[float]:
        """The bottom of the field, the top and bottom of the card's buttons, the top of the bar."""
        boxes = [one.bounding_box() for one in (link, foot, bar)]
        field, buttons, below = [box for box in boxes if box]
        bottom = buttons["y"] + buttons["height"]
        return [field["y"] + field["height"], buttons["y"], bottom, below["y"]]

    at_rest(desk.page)
    assert edges() == sorted(edges())
    desk.keys("Control+Enter")
    expect(desk.page.locator("[data-notice=missing]")).to_contain_text("Mark 1 has no link")
    expect(link).to_be_focused()
    at_rest(desk.page)
    assert edges() == sorted(edges())


SUBMIT_KEY = """() => {
  const key = document.querySelector(".mdb-submit kbd")
  const other = getComputedStyle(key, "::before")
  const swapped = getComputedStyle(key).fontSize === "0px"
  if (swapped !== (other.visibility === "visible")) throw new Error("both keys or none")
  return swapped ? JSON.parse(other.content.split(" / ")[0]) : key.textContent
}"""


@pytest.mark.deep
def test_submit_names_the_key_that_submits_in_each_state_and_stays_where_it_is(desk: Desk) -> None:
    desk.open()
    submit = desk.page.get_by_role("button", name="Submit")
    place = submit.bounding_box()

    def named() -> Any:
        desk.page.evaluate("() => new Promise((done) => setTimeout(done, 150))")
        assert submit.bounding_box() == place
        return desk.page.evaluate(SUBMIT_KEY)

    assert named() == "Enter"
    desk.select("mitosis")  # Enter opens the labels for these words
    assert named() == "Ctrl+Enter"
    desk.keys("6", "n")  # Enter opens the mark
    desk.said("Enter opens the mark")
    assert named() == "Ctrl+Enter"
    desk.keys("Enter")
    expect(desk.page.locator(".mlt-card [data-field=comment]")).to_be_focused()
    assert named() == "Ctrl+Enter"
    desk.keys("Escape", "Escape")
    assert named() == "Enter"
    desk.page.get_by_label("Overall comment").focus()  # Enter is a new line
    assert named() == "Ctrl+Enter"
    desk.page.locator(".mlt-text").focus()
    assert named() == "Enter"
    desk.keys("Enter")
    expect(desk.page.locator(".mlt-text")).to_contain_text("Aspirin")


@pytest.fixture
def sized(tab: Page) -> Iterator[Page]:
    yield tab
    tab.set_viewport_size(SIZE)


ON_TOP = """(field) => {
  const { left, top, width, height } = field.getBoundingClientRect()
  return [0.1, 0.5, 0.9].every((part) =>
    document.elementFromPoint(left + width * part, top + height / 2) === field)
}"""


@pytest.mark.deep
@pytest.mark.parametrize("size", [(1366, 768), (1280, 720), (1024, 768)])
def test_a_label_given_by_mouse_asks_for_its_link_with_nothing_over_the_field_and_typing_goes_there(
    desk: Desk, sized: Page, size: tuple[int, int]
) -> None:
    sized.set_viewport_size({"width": size[0], "height": size[1]})
    desk.open()
    desk.select("mitosis")
    at_rest(sized)
    # The pointer stays on the label, whose definition shows where nothing is asked.
    sized.locator(".mlt-labels").get_by_role("button", name="Unsupported medical claim").click()
    link = sized.locator("[data-field=link]")
    expect(link).to_be_focused()
    at_rest(sized)
    assert link.evaluate(ON_TOP)
    sized.keyboard.type("sjnpf 10.1000/182")
    expect(link).to_have_value("sjnpf 10.1000/182")
    expect(sized.locator(".mlt-text")).to_contain_text("mitosis")
    assert desk.body()["spans"][0]["link"] == "sjnpf 10.1000/182"


def test_nothing_leaks_to_the_next_item(desk: Desk) -> None:
    desk.open()
    desk.mark("mitosis", 1)
    desk.page.get_by_label("Overall comment").fill("fine")
    desk.keys("Escape", "4")
    desk.page.get_by_role("button", name="Next").click()
    expect(desk.page.locator(".mlt-text")).to_contain_text("Aspirin")
    # The time of all items is told apart from this one's.
    expect(desk.page.locator(".mlt-clock")).to_have_text("0 min on this item, 34 in all")
    expect(desk.page.locator(".mlt-mark")).to_have_count(0)
    expect(desk.page.get_by_label("Overall comment")).to_have_value("")
    expect(desk.page.locator(".is-armed")).to_have_count(0)
    expect(desk.page.get_by_role("button", name="Undo")).to_be_disabled()
    assert f"{desk.rater}/last" not in desk.harness.kept()["drafts"]
    desk.keys("k")
    expect(desk.page.get_by_label("Overall comment")).to_have_value("fine")
    expect(desk.page.locator(".mlt-mark")).to_have_text("mitosis")


def test_the_place_of_the_next_item_is_read_aloud_and_in_sight_only_once(desk: Desk) -> None:
    desk.open()
    say = desk.page.locator(".mlt-say")
    desk.mark("gout", 4)
    desk.said("Ignore missing information")
    expect(say).to_have_css("clip-path", "none")
    desk.keys("j")
    desk.said("Item: 4 of 4.")
    expect(say).to_have_css("clip-path", "inset(50%)")
    expect(desk.page.locator(".mdb-place")).to_have_text("4 of 4")


def test_the_open_card_of_a_text_that_is_being_left_keeps_no_focus_from_the_next(
    desk: Desk,
) -> None:
    desk.open()
    # As slow as can be: it is still there when the next text has come.
    desk.page.evaluate(
        """() => {
          document.activeElement.blur()
          document.querySelector(".mlt").dataset.left = ""
          const left = document.querySelector(".stApp").appendChild(document.createElement("div"))
          left.className = "mlt"
          left.innerHTML = "<div role='dialog'></div>"
        }"""
    )
    turn_to(desk.page, "/?as=another&item=short")
    expect(desk.page.locator(".mlt:not([data-left]) .mlt-text")).to_be_focused()
    desk.page.evaluate("[...document.querySelectorAll('.mlt')].at(-1).remove()")


@pytest.mark.deep
def test_flagging_asks_for_a_reason(desk: Desk) -> None:
    desk.open()
    desk.keys("f")
    dialog = desk.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Flag it").click()
    expect(dialog.get_by_role("alert")).to_have_text("A flag needs a reason.")
    desk.page.keyboard.type("the options are cut off")
    # The typed text is there again after a reload.
    desk.page.reload()
    expect(desk.page.locator(".mlt-text")).to_be_visible()
    desk.keys("f")
    expect(dialog.get_by_label("Reason")).to_have_value("the options are cut off")
    dialog.get_by_role("button", name="Flag it").click()
    expect(desk.page.locator(".mlt-text")).to_contain_text("Aspirin")
    assert ["flag", "short", "the options are cut off"] in [
        action[:3] for action in desk.harness.kept()["actions"]
    ]


@pytest.mark.deep
def test_marks_that_were_not_saved_come_back_when_the_page_is_opened_again(
    desk: Desk,
) -> None:
    desk.open(answer="never")
    desk.mark("gout", 2)
    expect(desk.page.locator(".mdb-saved")).to_have_attribute("data-kind", "unsaved")
    desk.open()
    expect(desk.page.locator("[data-notice=versions]")).to_be_visible()
    assert desk.spans() == [("gout", [DIAGNOSIS])]


@pytest.mark.deep
def test_marking_pauses_while_a_submit_waits(desk: Desk) -> None:
    desk.open()
    desk.mark("gout", 2)
    desk.saved()
    desk.open(answer="never")
    desk.keys("Control+Enter")
    expect(desk.page.locator(".mlt")).to_have_class("mlt is-frozen")
    desk.mark("Colchicine", 1)
    expect(desk.page.locator(".mlt-row")).to_have_count(1)
    desk.refused("paused until the server answers")


@pytest.mark.deep
def test_a_refused_save_says_why_and_keeps_the_marks(desk: Desk) -> None:
    desk.open(answer="error")
    desk.mark("gout", 2)
    expect(desk.page.locator(".mdb-saved")).to_contain_text("not saved: the store is full.")
    expect(desk.page.locator("[data-notice=refused]")).to_contain_text("Tell your lead.")
    expect(desk.page.locator(".mlt-mark")).to_have_text("gout")


@pytest.mark.deep
def test_a_save_that_failed_in_passing_is_repeated_until_it_is_on_disk(desk: Desk) -> None:
    desk.open(answer="full")
    desk.mark("gout", 2)
    expect(desk.page.locator(".mdb-saved")).to_contain_text("not saved: the store is full.")
    expect(desk.page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")
    assert desk.spans() == [("gout", [DIAGNOSIS])]


@pytest.mark.deep
def test_what_the_server_cannot_read_is_answered_and_the_marks_stay(desk: Desk) -> None:
    desk.open()
    # The field has its own limit, which a browser extension need not respect.
    desk.page.locator("#mlt-comment").evaluate("node => node.removeAttribute('maxlength')")
    desk.page.locator("#mlt-comment").fill("x" * 10_001)
    expect(desk.page.locator(".mdb-saved")).to_contain_text("a comment of 10,001 characters")
    expect(desk.page.locator("[data-notice=refused]")).to_contain_text("at most 10,000")
    desk.page.locator("#mlt-comment").fill("short")
    desk.saved()
    assert desk.body()["comment"] == "short"


@pytest.mark.deep
def test_of_two_tabs_the_later_one_is_asked_which_marks_to_keep(
    desk: Desk,
) -> None:
    desk.open()
    other = Desk(desk.page.context.new_page(), desk.harness, desk.rater).open()
    third = Desk(desk.page.context.new_page(), desk.harness, desk.rater).open()
    desk.mark("Colchicine", 1)
    desk.saved()
    for tab in (other, third):
        tab.mark("gout", 2)
        notice = tab.page.locator("[data-notice=versions]")
        expect(notice).to_contain_text(
            "Changed in another tab. Your version here is not saved yet."
        )
        expect(notice).to_contain_text("Here: 1 mark. There: 1 mark.")
        # Until a version is chosen, nothing overwrites the other's marks, or is removed here.
        expect(tab.page.locator(".mlt-mark")).to_have_text("gout")
        tab.keys("Control+Enter")
        tab.refused("choose first which of the two answers to keep")
    assert [s["quote"] for s in desk.body()["spans"]] == ["Colchicine"]
    # A reload asks the same question.
    other.open()
    notice = other.page.locator("[data-notice=versions]")
    expect(notice).to_contain_text("Changed in another tab.")
    expect(other.page.locator(".mlt-mark")).to_have_text("gout")
    notice.get_by_role("button", name="Use the other tab's").click()
    expect(other.page.locator(".mlt-mark")).to_have_text("Colchicine")
    third.page.get_by_role("button", name="Keep this version").click()
    assert third.spans() == [("gout", [DIAGNOSIS])]


@pytest.mark.deep
def test_ten_marks_in_a_row_are_all_kept(desk: Desk) -> None:
    desk.open("lupus")
    for _ in range(10):
        desk.keys("ArrowRight", "1")
    assert len(desk.spans("lupus")) == 10


@pytest.mark.deep
def test_a_finger_selects_and_the_labels_lie_at_the_foot(harness: Harness, phone: Page) -> None:
    desk = Desk(phone, harness).open()
    page = desk.page
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    # A phone has no keys: no words about them either.
    expect(page.locator(".mlt-none")).to_have_text(re.compile("choose a label\\.$"))
    # A tap that was meant to read a label's name says in sight what it did, and is taken back.
    tap(page, page.locator(".mlt-labels").get_by_role("button", name="Sticking with"))
    told = page.locator("[data-notice=armed]")
    expect(told).to_contain_text(
        "For “Sticking with the wrong diagnosis”, hold a word and drag to the last."
    )
    expect(told).to_be_in_viewport(ratio=1)
    tap(page, told.get_by_role("button", name="Cancel"))
    expect(told).to_have_count(0)
    expect(page.locator(".is-armed")).to_have_count(0)
    page.locator(".mlt-text").dispatch_event("pointerdown", {"pointerType": "touch"})
    page.evaluate("""() => {
      const node = document.querySelector(".mlt-line").firstChild;
      const at = node.data.indexOf("lchicine");
      getSelection().setBaseAndExtent(node, at, node, at + 4);
    }""")
    desk.said("Colchicine")
    button = page.locator(".mlt-labels").get_by_role("button", name="Sticking with")
    at_rest(page)
    # All labels are in sight, now with their names.
    for label in page.locator(".mlt-labels .mlt-label").all():
        expect(label).to_be_in_viewport(ratio=1)
        expect(label.locator(".mlt-label-name")).to_be_in_viewport(ratio=1)
    size = button.bounding_box()
    assert size
    assert size["height"] >= 44
    assert size["y"] + size["height"] <= 844
    tap(page, button)
    assert desk.spans() == [("Colchicine", [DIAGNOSIS])]
    # The card has the names too, and its comment is in sight.
    tap(page, page.locator(".mlt-mark").first)
    card = page.locator(".mlt-card")
    expect(card.get_by_text("Hallucination of information")).to_be_in_viewport(ratio=1)
    comment, foot = (card.locator(one).bounding_box() for one in ("textarea", ".mlt-card-foot"))
    assert comment
    assert foot
    assert comment["y"] + comment["height"] <= foot["y"] + 1
    # What is right and what was chosen stays in sight when the question has scrolled away.
    page.get_by_test_id("stMain").evaluate("(node) => node.scrollTo({ top: node.scrollHeight })")
    for sign in page.locator(".mlt-key .mlt-sign").all():
        expect(sign).to_be_in_viewport(ratio=1)


@pytest.mark.deep
@pytest.mark.usefixtures("low_window")
def test_at_twice_the_size_the_comment_being_written_lies_above_the_labels_and_keys_are_named(
    desk: Desk,
) -> None:
    page = desk.open("lupus").page
    page.locator("#mlt-comment").focus()
    at_rest(page)
    comment, labels = (page.locator(one).bounding_box() for one in ("#mlt-comment", ".mlt-labels"))
    assert comment
    assert labels
    assert comment["y"] >= 0
    assert comment["y"] + comment["height"] <= labels["y"]
    for key in page.locator(".mdb-btn kbd").all():
        expect(key).to_be_visible()
    tops = {round(one.bounding_box()["y"]) for one in page.locator(".mdb-btn").all()}  # type: ignore[index]
    assert len(tops) == 1  # one row
    page.locator(".mlt-labels .mlt-label").nth(6).focus()
    expect(page.locator(".mlt-labels .mlt-label").nth(6)).to_be_in_viewport(ratio=1)
    page.locator(".mlt-labels .mlt-label").nth(7).focus()
    expect(page.locator(".mlt-labels .mlt-label").nth(7)).to_be_in_viewport(ratio=1)


@pytest.mark.deep
def test_a_paste_that_is_cut_is_told_with_what_was_kept(desk: Desk) -> None:
    page = desk.open().page
    comment = page.locator("#mlt-comment")
    comment.focus()
    page.evaluate(
        """() => {
          const pasted = new DataTransfer()
          pasted.setData("text/plain", "a".repeat(50000))
          const init = { clipboardData: pasted, bubbles: true, composed: true }
          document.activeElement.dispatchEvent(new ClipboardEvent("paste", init))
        }"""
    )
    told = "the first 10,000 of the 50,000 pasted were kept, the last 40,000 were left out."
    expect(page.get_by_text(told)).to_be_visible()
    comment.fill("b" * 9_500)
    expect(page.get_by_text("9,500 of 10,000 characters")).to_be_visible()


@pytest.mark.deep
def test_on_a_phone_a_submit_without_a_label_shows_the_text_to_select_in(
    harness: Harness, phone: Page
) -> None:
    page = Desk(phone, harness).open("lupus").page
    tap(page, page.locator(".mlt-labels").get_by_role("button", name="Sticking with"))
    page.locator('[data-testid="stMain"]').evaluate("(node) => node.scrollTo({ top: 0 })")
    at_rest(page)
    tap(page, page.get_by_role("button", name="Submit"))
    expect(page.locator("[data-notice=missing]")).to_contain_text("No label yet")
    at_rest(page)
    foot = page.locator(".mlt-labels").evaluate("(node) => node.getBoundingClientRect().top")
    head = page.locator(".mlt-head").evaluate("(node) => node.getBoundingClientRect().top")
    assert 0 < head < foot / 3


def test_on_a_phone_a_tapped_mark_opens_its_card_in_sight(harness: Harness, phone: Page) -> None:
    desk = Desk(phone, harness).open("lupus")
    desk.keys("ArrowDown", "ArrowDown", "6", "Escape")
    tap(phone, desk.page.locator(".mlt-mark").first)
    card = desk.page.locator(".mlt-card")
    expect(card).to_be_in_viewport(ratio=1)
    at_rest(phone)
    words = desk.page.locator(".mlt-mark").first.bounding_box()
    box = card.bounding_box()
    assert words
    assert box
    assert box["y"] >= words["y"] + words["height"] or box["y"] + box["height"] <= words["y"]


def test_at_a_small_laptops_size_nothing_of_the_surface_is_out_of_sight(desk: Desk) -> None:
    desk.open("lupus")
    page = desk.page
    for part in (".mlt-context", ".mlt-text", ".mdb-saved", ".mlt-comment", ".mlt-clock"):
        expect(page.locator(part)).to_be_in_viewport()
    for name in ("Submit", "Previous", "Next", "Skip", "Flag", "Undo", "Keys"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport(ratio=1)
    for label in page.locator(".mlt-labels .mlt-label").all():
        expect(label).to_be_in_viewport(ratio=1)
    main = page.get_by_test_id("stMain")
    at_rest(page)
    assert main.evaluate("node => node.scrollHeight - node.clientHeight") == 0


def test_the_component_is_there_without_an_installed_project_and_in_an_apptest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAGGER_STATE", str(tmp_path / "state.json"))
    script = Path(__file__).with_name("tagger_app.py")
    for _ in range(2):  # each AppTest makes its own runtime
        run = AppTest.from_file(str(script), default_timeout=30).run()
        assert not run.exception
        assert [element.type for element in run.main][-1] == "bidi_component"


def _raw(**changes: Any) -> dict[str, Any]:
    span = {
        "start": 4,
        "end": 9,
        "quote": "lupus",
        "labels": [FACT],
        "comment": "",
        "link": "",
        "located": "exact",
    }
    span |= changes.pop("span", {})
    return {
        "token": "0198c5a0-0000-7000-8000-000000000000",
        "rater": "ada",
        "item": "i1",
        "base": 3,
        "action": "draft",
        "body": {"spans": [span], "comment": ""},
        "reason": "",
        "seconds": {"active": 1.5, "idle": 0},
        "attempt": 1,
    } | changes


def test_a_message_gets_its_type() -> None:
    message = parse_message(_raw(action="submit"))
    assert (message.action, message.base, message.seconds.active) == ("submit", 3, 1.5)
    assert message.body.spans[0].quote == "lupus"


def test_what_no_file_can_hold_and_time_that_cannot_be_are_made_good() -> None:
    message = parse_message(_raw(span={"comment": "a\x00b"}, seconds={"active": -3, "idle": 9e12}))
    assert message.body.spans[0].comment == "a\ufffdb"
    assert message.seconds.active == 0
    assert message.seconds.idle == MAX_SECONDS


BAD_MESSAGES: dict[str, object] = {
    "not an object": "draft",
    "no fields": {},
    "a token that is not an id": _raw(token="again"),
    "a base that is a bool": _raw(base=True),
    "a base below zero": _raw(base=-1),
    "an unknown action": _raw(action="delete"),
    "time that is not a number": _raw(seconds={"active": float("nan"), "idle": 0}),
    "time as text": _raw(seconds={"active": "1", "idle": 0}),
    "offsets as text": _raw(span={"start": "4"}),
    "offsets with a fraction": _raw(span={"start": 4.0}),
    "an end before its start": _raw(span={"end": 4}),
    "half a place": _raw(span={"end": None}),
    "no label": _raw(span={"labels": []}),
    "a label twice": _raw(span={"labels": [FACT, FACT]}),
    "a label that is a number": _raw(span={"labels": [1]}),
    "a comment beyond its bound": _raw(span={"comment": "x" * 10_001}),
    "half a surrogate pair": _raw(span={"quote": "\ud83d"}),
    "too many spans": _raw(body={"spans": [_raw()["body"]["spans"][0]] * 501, "comment": ""}),
}


@pytest.mark.parametrize("raw", BAD_MESSAGES.values(), ids=BAD_MESSAGES.keys())
def test_a_message_that_breaks_a_bound_is_refused(raw: object) -> None:
    with pytest.raises(InvalidInput):
        parse_message(raw)


def test_a_key_that_cannot_act_says_why_until_another_is_used(desk: Desk) -> None:
    desk.open()
    for key, words in (
        ("Delete", "Delete not used: no mark is selected."),
        ("n", "N not used: there are no marks yet."),
        ("Control+z", "Ctrl+Z not used: there is nothing to undo."),
        ("c", "C not used: no label can be added here."),
    ):
        desk.keys(key)
        expect(desk.page.locator(".medlens-key-why")).to_have_text(words)
    desk.keys("ArrowRight")
    expect(desk.page.locator(".medlens-key-why")).to_be_hidden()


@pytest.mark.deep
def test_readonly_marks_can_be_read_and_not_changed(desk: Desk) -> None:
    desk.open()
    desk.mark("gout", 2)
    desk.saved()
    desk.open(readonly="1")
    desk.click("gout")
    expect(desk.page.locator(".mlt-card")).to_contain_text("Sticking with the wrong diagnosis")
    desk.keys("Delete", "Escape")
    desk.mark("Colchicine", 1)
    desk.refused("reading only")
    expect(desk.page.locator(".mlt-row")).to_have_count(1)
    expect(desk.page.get_by_role("button", name="Submit")).to_be_disabled()
