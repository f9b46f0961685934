"""Every desk by Tab and keys alone: where the focus goes, that it is seen, and that it stays."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from medlens.studies.registry import STUDIES
from tests.browser.conftest import AppServer, Server, add_people, at_rest, sign_in, wait_until
from tests.browser.test_own_study import add_study
from tests.conftest import LayStore

pytestmark = pytest.mark.deep

FORM, TEXT, VERDICT = ".maf-fields :is(input, textarea, button)", ".mlt-text", ".msd-choices input"
DESKS = {
    "Tag_errors": TEXT,
    "Read_transcripts?view=Rate+dialogues": FORM,
    "Read_transcripts?view=Check+diagnoses": FORM,
    "Verify_sources": VERDICT,
    "Verify_sources?view=Verify+whole+answers": VERDICT,
    "Explore_EBMQA?view=Answer the questionnaire": FORM,
    "Your_studies?dataset=long_answers": FORM,
}
MOST_PRESSES = 5

FOCUSED = "document.activeElement?.matches({selector!r})"
IN_MENU = "Boolean(document.activeElement?.closest('.stSidebar'))"
# What is seen of the focus: the look of the element and of what is drawn around it, with and
# without.
IS_SEEN = """() => {
  const node = document.activeElement
  const around = [node]
  while (around.length < 4 && around.at(-1).parentElement) around.push(around.at(-1).parentElement)
  const look = () => JSON.stringify(around.map((one) => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } =
      getComputedStyle(one)
    return [outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor]
  }))
  const there = look()
  node.blur()
  const gone = look()
  node.focus()
  return there !== gone
}"""


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    studies = ("tagging", "agentclinic", "sourcecheckup", "ebmqa")
    demos = (STUDIES[name].demo for name in studies)
    path: Path = tmp_path_factory.mktemp("keys") / "store.duckdb"
    return lasting_server(store=lay_store(path, *demos, add_people, add_study))


def has_focus(page: Page, selector: str) -> bool:
    return bool(page.evaluate(FOCUSED.format(selector=selector)))


def presses_to(page: Page, answer: str) -> int:
    """How many keys it takes from the loaded page to an answer, by the link that skips the rest."""
    if has_focus(page, answer):
        return 0
    for presses in range(1, MOST_PRESSES):
        page.keyboard.press("Tab")
        if has_focus(page, answer):  # the question had the focus
            return presses
        if has_focus(page, ".mlf-skip"):
            page.keyboard.press("Enter")
            wait_until(page, FOCUSED.format(selector=answer))
            return presses + 1
    return MOST_PRESSES + 1


def open_desk(page: Page, server: Server, address: str, answer: str) -> None:
    page.goto(f"{server.url}/{address}")
    expect(page.locator(answer).first).to_be_attached()
    at_rest(page)


def test_the_first_answer_of_every_desk_is_five_presses_from_the_loaded_page_at_most(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 00")
    presses = {}
    for address, answer in DESKS.items():
        open_desk(page, server, address, answer)
        presses[address] = presses_to(page, answer)
    assert max(presses.values()) <= MOST_PRESSES, presses


def test_the_first_answer_to_a_disagreement_is_five_presses_away_at_most(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Team?task=source_support&section=disagreements")
    at_rest(page)
    page.keyboard.press("j")
    expect(page.locator(FORM).first).to_be_attached()
    page.reload()
    expect(page.locator(FORM).first).to_be_attached()
    at_rest(page)
    assert presses_to(page, FORM) <= MOST_PRESSES


def test_a_folded_menu_is_not_reached_and_whatever_has_the_focus_is_seen_to_have_it(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 01")
    open_desk(page, server, "Read_transcripts?view=Rate+dialogues", FORM)
    unseen = []
    for _ in range(24):
        page.keyboard.press("Tab")
        assert not page.evaluate(IN_MENU)
        if has_focus(page, "body"):
            break
        if not page.evaluate(IS_SEEN):
            unseen.append(page.evaluate("document.activeElement.outerHTML.slice(0, 200)"))
    assert unseen == []


@pytest.mark.parametrize("size", [(1366, 768), (683, 384)])
def test_the_menu_opened_by_key_has_the_focus_and_esc_leads_back_to_its_button(
    page: Page, server: Server, rosa: str, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, server, rosa)
    open_desk(page, server, "Tag_errors", ".mlt-text")
    button, menu = page.get_by_test_id("stExpandSidebarButton"), page.get_by_test_id("stSidebar")
    button.press("Enter")
    expect(menu.get_by_role("link", name="Home")).to_be_focused()
    at_rest(page)
    page.keyboard.press("Tab")
    assert page.evaluate(IN_MENU)
    page.keyboard.press("Escape")
    expect(menu).to_have_attribute("data-collapsed", "true")
    expect(button).to_be_focused()
    # It stays so.
    page.reload()
    expect(page.locator(".mlt-text")).to_be_visible()
    at_rest(page)
    expect(menu).to_have_attribute("data-collapsed", "true")


def test_tab_goes_on_from_the_scale_that_a_letter_chose_and_the_last_comment_is_in_sight(
    page: Page, server: Server, rosa: str
) -> None:
    page.set_viewport_size({"width": 1366, "height": 768})
    sign_in(page, server, rosa)
    open_desk(page, server, "Read_transcripts?view=Rate+dialogues", FORM)
    comment = page.get_by_placeholder("Comment on empathy")
    expect(comment).to_be_in_viewport(ratio=1)
    page.keyboard.press("e")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(
        page.locator(".maf-fields fieldset", has_text="Empathy").locator("input").first
    ).to_be_checked()
    page.keyboard.press("Tab")
    expect(comment).to_be_focused()
    assert comment.evaluate(IN_SIGHT)


STEPS = "Verify_sources?view=Check+the+steps&task="


def test_the_list_of_keys_opens_at_every_desk_also_when_an_answer_has_the_focus(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 02")
    others = {f"{STEPS}statement_parse": FORM, f"{STEPS}question_quality": FORM}
    silent = []
    for address, answer in {**DESKS, **others}.items():
        open_desk(page, server, address, answer)
        page.locator(answer).first.focus()
        page.keyboard.press("?")
        try:
            expect(page.get_by_role("dialog").first).to_be_visible(timeout=3_000)
        except AssertionError:
            silent.append(address)
    assert silent == []


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        ("Read_transcripts?view=Rate+dialogues", FORM),
        ("Verify_sources", VERDICT),
        ("Your_studies?dataset=long_answers", FORM),
    ],
)
def test_the_focus_is_on_an_answer_again_when_the_next_item_has_come(
    page: Page, server: Server, address: str, answer: str
) -> None:
    sign_in(page, server, "Rosa 02")
    open_desk(page, server, address, answer)
    assert presses_to(page, answer) <= MOST_PRESSES
    before = page.url
    page.keyboard.press("j")
    wait_until(page, f"location.href !== {before!r}")
    at_rest(page)
    wait_until(page, FOCUSED.format(selector=answer))


def spoken(page: Page, selector: str) -> str:
    """What Chromium tells screen readers of the texts in an element, in their order."""
    wire = page.context.new_cdp_session(page)
    document = wire.send("DOM.getDocument")["root"]["nodeId"]
    node = wire.send("DOM.querySelector", {"nodeId": document, "selector": selector})["nodeId"]
    about = wire.send("DOM.describeNode", {"nodeId": node})["node"]["backendNodeId"]
    nodes = wire.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {one["nodeId"]: one for one in nodes}
    words: list[str] = []

    def walk(one: dict[str, Any]) -> None:
        if one.get("role", {}).get("value") == "StaticText":
            words.append(one["name"]["value"])
            return
        for child in one.get("childIds", []):
            if child in by_id:
                walk(by_id[child])

    walk(next(one for one in nodes if one.get("backendDOMNodeId") == about))
    wire.detach()
    return " ".join(" ".join(words).split())


def test_a_marks_number_and_labels_are_read_out_where_it_begins_and_ends_in_the_text(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 03")
    open_desk(page, server, "Tag_errors", TEXT)
    page.locator(TEXT).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")
    expect(page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")
    marked = page.locator(".mlt-mark").first.inner_text()
    assert spoken(page, TEXT).startswith(
        f"Mark 1, Non-medical factual error: {marked} end of mark 1"
    )


def test_a_marked_sentence_of_a_source_is_read_out_as_marked(page: Page, server: Server) -> None:
    sign_in(page, server, "Rosa 03")
    open_desk(page, server, "Verify_sources", VERDICT)
    while not page.locator(".msr-s").count():  # a pair whose page could not be read
        before, place = page.url, page.locator(".mdb-place").inner_text()
        page.keyboard.press("j")
        expect(page.locator(".mdb-place")).not_to_have_text(place)
        wait_until(page, f"location.href !== {before!r}")
        at_rest(page)
    page.keyboard.press("1")
    page.locator(".msr-s").last.dblclick()
    expect(page.locator(".msr-s.is-marked")).to_have_count(1)
    words = page.locator(".msr-s.is-marked").inner_text()
    assert f"(marked) {words}" in spoken(page, ".msr-text, .msr-scroll")


JUDGED = {
    "Tag_errors": ".mlt-text",
    "Read_transcripts?view=Rate+dialogues": ".mlc-turn",
    "Read_transcripts?view=Check+diagnoses": "[class*='st-key-diagnosis-']",
    "Verify_sources": ".msd-text",
    "Verify_sources?view=Verify+whole+answers": ".msd-text",
    "Explore_EBMQA?view=Answer the questionnaire": ".st-key-question [data-testid=stText]",
    "Your_studies?dataset=long_answers": "[class*='st-key-own-pane']",
}
# The top of an element is in the window, and nothing lies over it.
IN_SIGHT = """(node) => {
  const { left, top, width } = node.getBoundingClientRect()
  const shown = document.elementFromPoint(left + width / 2, top + 4)
  return Boolean(shown) && (node.contains(shown) || shown.contains(node) && shown !== document.body)
}"""


def test_at_200_percent_what_is_judged_and_submit_are_in_sight_under_nothing_else(
    page: Page, server: Server
) -> None:
    page.set_viewport_size({"width": 683, "height": 384})
    sign_in(page, server, "Rosa 04")
    hidden = []
    for address, judged in JUDGED.items():
        open_desk(page, server, address, DESKS[address])
        shown = [page.locator(f"{judged}:visible").first]
        if "Explore_EBMQA" not in address:  # there an answer submits
            shown.append(page.get_by_role("button", name="Submit").first)
        hidden += [f"{address}: {one}" for one in shown if not one.evaluate(IN_SIGHT)]
    assert hidden == []


IN_TABLE = "Boolean(document.activeElement?.matches('.stDataFrame canvas'))"


def test_tab_passes_a_table_and_opens_nothing_of_it_before_an_arrow_chooses(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Tag_errors?view=Results&section=rules")
    expect(page.locator(".stDataFrame canvas").first).to_be_visible()
    at_rest(page)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate(IN_TABLE):
            break
    assert page.evaluate(IN_TABLE)
    # What a table sends of a choice would have come by then.
    page.wait_for_timeout(1_500)
    assert "response=" not in page.url
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("response=demo01"))
    page.goto(f"{server.url}/Tag_errors?view=Results&section=rules")
    expect(page.locator(".stDataFrame canvas").first).to_be_visible()
    at_rest(page)
    entered = False
    for _ in range(30):
        page.keyboard.press("Tab")
        entered = entered or page.evaluate(IN_TABLE)
        if entered and not page.evaluate(
            "Boolean(document.activeElement?.closest('.stDataFrame'))"
        ):
            break
    assert entered
    page.wait_for_timeout(1_500)
    assert "response=" not in page.url


def test_what_is_missing_and_what_was_submitted_is_read_out_where_a_form_is_the_desk(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 05")
    open_desk(page, server, "Read_transcripts?view=Rate+dialogues", FORM)
    # The same element throughout: screen readers say what changes in one that they know.
    page.locator(".st-key-work-status").evaluate("(node) => { node.dataset.known = 'yes' }")
    said = page.locator("[role=status][data-known]")
    page.get_by_role("button", name="Submit").press("Enter")
    expect(said).to_contain_text("answers are missing")
    # The form has heard of it too: a key while the server looks at the answer is refused, and told.
    expect(page.locator(".maf-lacks")).to_be_visible()
    for _ in page.locator(".maf-fields fieldset:visible").all():
        page.keyboard.press("3")
    expect(page.locator(".maf-lacks")).to_be_hidden()
    page.get_by_role("button", name="Submit").press("Enter")
    expect(said).to_contain_text("submitted")


def test_after_begin_and_after_submit_by_key_the_focus_is_on_what_is_answered_next(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 06", first_visit=True)
    page.goto(f"{server.url}/Read_transcripts?view=Rate+dialogues")
    expect(page.get_by_role("button", name="Begin")).to_be_focused(timeout=45_000)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    # The question has it and none of its answers, which a second Enter would choose.
    wait_until(page, FOCUSED.format(selector=".maf-fields fieldset"))
    at_rest(page)
    # PageDown scrolls what is read, and Tab gets to each part that scrolls.
    talk = page.get_by_role("region", name="Dialogue")
    assert talk.evaluate("(node) => node.scrollTop") == 0
    page.set_viewport_size({"width": 1366, "height": 400})
    page.keyboard.press("PageDown")
    assert talk.evaluate("(node) => node.scrollTop") > 0
    expect(page.get_by_role("region", name="Case")).to_have_attribute("tabindex", "0")
    for _ in page.locator(".maf-fields fieldset:visible").all():
        page.keyboard.press("3")
    before = page.url
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")
    wait_until(page, f"location.href !== {before!r}")
    wait_until(page, "Boolean(document.activeElement?.closest('.maf-fields'))")


def test_a_second_enter_after_submit_says_nothing_of_statements_that_nobody_has_read(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 07")
    page.goto(f"{server.url}/Verify_sources?view=Check+statements")
    rest = page.get_by_role("button", name="All remaining statements")
    expect(rest).to_be_visible(timeout=45_000)
    before = page.url
    rest.focus()
    page.keyboard.press("Enter")
    for field in page.locator(".maf-fields fieldset:visible").all():
        if not field.locator("input:checked").count():
            field.locator("input").first.check()
    page.locator(".maf-fields input:checked").first.focus()
    page.keyboard.press("Enter")
    wait_until(page, f"location.href !== {before!r}")
    at_rest(page)
    assert not has_focus(page, ".maf-rest")
    page.keyboard.press("Enter")
    at_rest(page)
    assert page.locator(".maf-fields input:checked").count() == 0


def test_where_nothing_is_judged_the_first_tab_offers_the_way_past_the_pages_lines(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Team?task=error_spans&section=people")
    at_rest(page)
    page.wait_for_timeout(500)  # the focus is looked after ten times a second
    assert has_focus(page, "body")
    page.keyboard.press("Tab")
    assert has_focus(page, ".mlf-skip")


def test_at_200_percent_the_scales_of_a_dialogue_stay_in_sight_while_it_is_read(
    page: Page, server: Server
) -> None:
    page.set_viewport_size({"width": 683, "height": 384})
    sign_in(page, server, "Rosa 07")
    open_desk(page, server, "Read_transcripts?view=Rate+dialogues", FORM)
    page.locator(".mlc-turn").last.scroll_into_view_if_needed()
    at_rest(page)
    assert page.locator(".maf-fields fieldset").first.evaluate(IN_SIGHT)
    # What is missing is listed above the scales, and lies over none of them.
    page.get_by_role("button", name="Submit").press("Enter")
    expect(page.locator(".maf-lacks")).to_be_visible()
    at_rest(page)
    assert page.locator(".maf-lacks").evaluate("(node) => getComputedStyle(node).position") == (
        "static"
    )


@pytest.mark.parametrize("opened", ["Ask your lead", "Guideline"])
def test_what_is_typed_into_an_open_box_of_the_page_neither_answers_nor_leaves_the_item(
    page: Page, server: Server, opened: str
) -> None:
    sign_in(page, server, "Rosa 01")
    address = "Read_transcripts?view=Check+diagnoses"
    open_desk(page, server, address, DESKS[address])
    item = page.url
    button = page.get_by_role("button", name=opened, exact=True)
    button.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")  # the focus is one of keys
    page.keyboard.press("Enter")
    box = page.get_by_test_id("stPopoverBody")
    expect(box).to_be_visible()
    if opened == "Guideline":
        wait_until(page, "document.activeElement?.matches('[data-testid=stPopoverBody]')")
        page.keyboard.type("2 is this")
    else:
        field = box.locator("textarea, input[type=text]").first
        expect(field).to_be_focused()
        page.keyboard.type("2 is this")
        expect(field).to_have_value("2 is this")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    at_rest(page)
    assert page.url == item
    expect(page.locator(f"{FORM}:is(:checked, [aria-pressed=true])")).to_have_count(0)


@pytest.mark.deep
def test_a_box_closed_while_the_server_still_opens_it_stays_closed(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 01")
    address = "Read_transcripts?view=Check+diagnoses"
    open_desk(page, server, address, DESKS[address])
    box = page.get_by_test_id("stPopoverBody")
    for key in ("", "2", "1"):
        for wait in (0, 15, 30, 45, 60, 90):
            at_rest(page)
            button = page.get_by_role("button", name="Guideline", exact=True)
            button.focus()
            # Behind an Esc, the button gets the focus for a moment only.
            page.keyboard.press("Shift+Tab")
            button.focus()
            page.keyboard.press("Enter")
            expect(box).to_be_visible()
            page.wait_for_timeout(wait)
            page.keyboard.press("Escape")
            # As soon as it is closed, keys are the desk's again, and let no box come back.
            if key:
                expect(box).to_have_count(0)
                page.keyboard.press(key)
            page.wait_for_timeout(1_500)
            assert box.count() == 0, (key, wait)
        if key:
            expect(page.locator(f"{FORM}:checked")).to_have_attribute(
                "value", {"1": "yes", "2": "no"}[key]
            )


def test_an_answer_that_needs_words_puts_the_cursor_where_they_are_written(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa 02")
    address = "Read_transcripts?view=Check+diagnoses"
    open_desk(page, server, address, DESKS[address])
    item = page.url
    page.keyboard.press("3")  # cannot tell, which needs a reason
    page.keyboard.type("synonyms")
    expect(page.locator(".maf-fields :is(textarea, input[type=text])").first).to_have_value(
        "synonyms"
    )
    assert page.url == item


def test_one_key_goes_to_the_case_of_a_dialogue_which_the_arrows_then_scroll(
    page: Page, server: Server, rosa: str
) -> None:
    page.set_viewport_size({"width": 1366, "height": 480})
    sign_in(page, server, rosa)
    page.goto(f"{server.url}/Read_transcripts?view=Rate+dialogues")
    expect(page.locator(".mlc-turn").first).to_be_visible()
    at_rest(page)
    case, dialogue = (page.get_by_role("region", name=name) for name in ("Case", "Dialogue"))
    page.keyboard.press("c")
    expect(case).to_be_focused()
    page.keyboard.press("ArrowDown")
    wait_until(page, "document.querySelector('.st-key-scroll-case').scrollTop > 0")
    page.keyboard.press("c")
    expect(dialogue).to_be_focused()
    # The scales' keys are what they were, and what is typed is words.
    page.keyboard.press("d")
    page.keyboard.press("7")
    expect(page.locator(".maf-fields input:checked").first).to_have_value("7")
    comment = page.get_by_placeholder("Comment on doctor")
    comment.focus()
    page.keyboard.press("c")
    expect(comment).to_have_value("c")


def test_at_200_percent_every_label_is_in_sight_by_its_name_and_the_open_menu_under_nothing(
    page: Page, server: Server, rosa: str
) -> None:
    page.set_viewport_size({"width": 683, "height": 384})
    sign_in(page, server, rosa)
    page.goto(f"{server.url}/Tag_errors")
    labels = page.locator(".mlt-labels .mlt-label")
    expect(labels).to_have_count(9)
    at_rest(page)
    for label in labels.all():
        expect(label).to_be_in_viewport(ratio=1)
        name = label.locator(".mlt-label-name")
        assert name.evaluate("(node) => node.scrollWidth <= node.clientWidth + 1")
        assert name.evaluate("(node) => node.getBoundingClientRect().height") >= 10
    # What is written by Tab is seen, and Submit stays whatever is said of it.
    tab, comment = page.get_by_role("tab", name="Marks"), page.locator("#mlt-comment")
    tab.focus()
    page.keyboard.press("Tab")
    expect(comment).to_be_focused()
    at_rest(page)
    bottom = "(node) => node.getBoundingClientRect().bottom"
    assert comment.evaluate(bottom) <= page.locator(".mlt-labels").bounding_box()["y"]  # type: ignore[index]
    submit, saved = page.locator(".mdb-submit"), page.locator(".mdb-saved")
    before = submit.bounding_box()
    saved.evaluate("(node) => (node.textContent = 'change not submitted, draft saved 10:34:56')")
    assert submit.bounding_box() == before
    assert saved.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1")
    page.get_by_test_id("stMain").evaluate("(node) => node.scrollTo(0, 0)")
    page.get_by_test_id("stExpandSidebarButton").click()
    fold = page.get_by_test_id("stSidebarCollapseButton").get_by_role("button")
    page.locator(".stSidebar").hover()
    # A press that something else would take fails.
    fold.click()
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
