"""Your own study judged by keys, with a draft that survives a reload, and its results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, Route, WebSocket, expect

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import raters, rounds
from medlens.store import Store
from medlens.studies.own import study_file
from medlens.studies.own.study import open_study
from tests.attack import lead_actions
from tests.browser.conftest import AppServer, Server, at_rest, sign_in, tap, turn_to
from tests.browser.test_conversation import CHOSEN, Wire
from tests.conftest import LayStore

PAGE = "/Your_studies?dataset=long_answers"

HANGING = """
[[question]]
id = "wrong_kind"
kind = "yes_no"
text = "Is it out of date?"
only_if = { question = "wrong", is = "Yes, of great clinical importance" }
"""

SIDES = """
id = "sides"
title = "Errors in two answers"
instructions = "Mark every error in each answer."

[[column]]
name = "answer"
means = "the answer"
by_arm = true

[[arm]]
name = "model A"
columns = { answer = "a" }

[[arm]]
name = "model B"
columns = { answer = "b" }

[[pane]]
title = "Answer"
column = "answer"
place = "centre"

[[question]]
id = "errors"
kind = "spans"
text = "Mark every error."
per = "arm"
labels = [{ id = "false", name = "False" }, { id = "unsafe", name = "Unsafe" }]
of_span = [{ id = "severity", text = "How severe?", options = ["Minor", "Major"], required = true }]

[[question]]
id = "clear"
kind = "yes_no"
text = "Is it clear?"
per = "arm"
required = true
"""

BRIEF = """
id = "brief"
title = "Brief answers"
instructions = "Rate each answer."

[[column]]
name = "answer"
means = "the answer"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "good"
kind = "scale"
text = "How good is it?"
low = "not at all"
high = "very"
required = true
"""

LONG = """
id = "long"
title = "A long form"
instructions = "Answer."

[[column]]
name = "answer"
means = "the answer"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "ticks"
kind = "multiple"
text = "Which of these?"
options = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th", "11th", "12th"]
""" + "".join(
    f"""
[[question]]
id = "q{at}"
kind = "yes_no"
text = "Question {at}?"
required = true
part = "Part {at // 20 + 1}"
"""
    for at in range(1, 52)
)

SIGNS = BRIEF.replace('"brief"', '"signs"').replace(
    'title = "Answer"', 'title = "Answer"\nkind = "markdown"'
)
FORMULAS = [
    {
        "item": f"{n}",
        "answer": f"**Dose {n}:** $\\frac{{w}}{{{n}}}$ mg, not $5 or $6.\n\n| a | b |\n|--|--|\n"
        "| <img src=x onerror=alert(1)> | [x](https://a.example) |",
    }
    for n in (1, 2)
]


def add_study(store: Store) -> None:
    """Two people, and the long answers template with its items."""
    raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
    raters.find_or_add_rater_by_name(store, "Rosa Reviewer")
    long = [
        {"criterion": f"Says thing {n}", "points": n, "tags": ["axis:accuracy"]}
        for n in range(1, 24)
    ]
    talk = [{"role": "user", "content": "Hello"}]
    one = {"prompt_id": "p", "prompt": talk, "completion": "Hello.", "rubrics": long}
    for name in (
        *("long_answers", "preference", "summary_errors", "healthbench", "draft_letters"),
        "source_check",
    ):
        file = study_file.path_of_template(name)
        more = HANGING if name == "long_answers" else ""
        work_behind_commands.declare_study_and_return_report_text(
            store, study_file.read_study_file_text_and_declaration(file)[0] + more, file.name
        )
        items: Path | bytes = file.with_suffix(".csv")
        called = f"{name}.csv"
        if name == "healthbench":
            items, called = json.dumps(one).encode(), "healthbench.jsonl"
        work_behind_commands.import_file(
            store, Settings(), "own-items", items, name=called, dataset=name
        )
        task = open_study(store, Settings(), name).task
        rounds.open_or_close_round(store, task, name, state="open", raters=(), by=None)
    for name, text, rows in (
        ("sides", SIDES, b"item,a,b\n1,Aspirin is safe.,Take two.\n2,Rest a day.,Drink more.\n"),
        ("signs", SIGNS, json.dumps(FORMULAS).encode()),
        ("long", LONG, b"item,answer\n1,Rest a day.\n2,Drink more.\n"),
        ("brief", BRIEF, b"item,answer\n1,Rest a day.\n2,Drink more.\n3,Take two.\n"),
    ):
        work_behind_commands.declare_study_and_return_report_text(store, text, f"{name}.toml")
        called = f"{name}.{'json' if rows.startswith(b'[') else 'csv'}"
        work_behind_commands.import_file(
            store, Settings(), "own-items", rows, name=called, dataset=name
        )
        task = open_study(store, Settings(), name).task
        rounds.open_or_close_round(store, task, name, state="open", raters=(), by=None)


@pytest.fixture(scope="module")
def server(
    lasting_server: AppServer, lay_store: LayStore, tmp_path_factory: pytest.TempPathFactory
) -> Server:
    """Shared by all tests here: each works in its own study."""
    path = tmp_path_factory.mktemp("own") / "own.duckdb"
    return lasting_server(store=lay_store(path, add_study))


def submitted(server: Server, study: str) -> list[dict[str, Any]]:
    """The answers that people have submitted in a study."""
    with lead_actions.copied(server) as store:
        found = store.execute(
            "select one.body from judgment one join item i on i.id = one.item where i.dataset = ?",
            [study],
        ).fetchall()
    return [json.loads(body)["answers"] for (body,) in found]


@pytest.mark.deep
def test_no_message_to_a_reviewers_browser_names_an_arm(page: Page, server: Server) -> None:
    heard: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on(
            "framereceived",
            lambda data: heard.append(data if isinstance(data, bytes) else data.encode()),
        )

    posted: list[Response] = []
    page.on("websocket", listen)
    page.on("response", lambda one: "/medlens/desk/" in one.url and posted.append(one))
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=preference")
    expect(page.get_by_text("Answer B").first).to_be_visible(timeout=45_000)
    for field in ("safe / A", "correct / A", "safe / B", "correct / B", "better"):
        page.locator(f"[data-field='{field}'] label").first.click()
    # A draft is saved without a run of the page, and the page's line says so.
    expect(page.locator(".maf-saved")).to_have_text(re.compile(r"saved \d\d:\d\d:\d\d"))
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("2 of 6")).to_be_visible(timeout=30_000)
    expect(page.locator(".maf-saved")).to_have_count(0)
    heard += [one.body() for one in posted]
    assert posted
    turn_to(page, "/")
    expect(page.get_by_text("Which answer is better?").first).to_be_visible(timeout=45_000)
    told = b"".join(heard)
    assert b"A, clearly" in told
    assert b"model A" not in told
    assert b"model B" not in told


def test_an_item_is_judged_by_keys_and_what_is_begun_is_there_after_a_reload(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(server.url + PAGE)
    expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
    assert "model A" not in page.content()
    expect(page.locator("[data-field=wrong_where]")).to_be_hidden()
    # "Understood" is chosen by its letter; then the open questions are answered in order.
    for key in "b1111":
        page.keyboard.press(key)
    # The letter of a hidden question does nothing: the first open one is answered.
    for key in "m3":
        page.keyboard.press(key)
    expect(page.locator("[data-field=wrong_where]")).to_be_visible()
    for key in "m2":
        page.keyboard.press(key)
    expect(page.locator("[data-field=wrong_kind] :checked")).to_have_value("no")
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    at_rest(page)
    first = page.url
    page.reload()
    expect(page.locator("[data-field=understood] :checked")).to_have_value("yes", timeout=45_000)
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("stMarkdown").get_by_text("4 answers are missing.")).to_be_visible()
    # All that is missing is listed, each part's heading once, and each entry leads to its question.
    lacks = page.locator(".maf-lacks")
    lacks.get_by_text("Show the 4 missing answers").click()
    entries = lacks.get_by_role("button")
    expect(entries).to_have_count(4)
    headings = lacks.locator(".maf-lacks-part").all_inner_texts()
    assert len(headings) == len(set(headings))
    entries.last.click()
    expect(lacks).not_to_have_attribute("open", "")
    expect(page.locator("[data-field=harm_likely]")).to_be_in_viewport()
    expect(page.locator("[data-field=harm_likely] input").first).to_be_focused()
    page.keyboard.press("f")
    expect(page.get_by_role("textbox", name="What is wrong")).to_be_focused()
    page.keyboard.press("Escape")
    for field in ("missing", "bias", "harm", "harm_likely"):
        page.locator(f"[data-field={field}] label").first.click()
    expect(lacks).to_be_hidden()
    page.get_by_role("button", name="Submit").click()
    expect(page).not_to_have_url(first, timeout=30_000)
    [body] = submitted(server, "long_answers")
    assert (body["understood"], body["wrong_kind"]) == ("yes", "no")


@pytest.mark.deep
def test_more_criteria_than_there_are_letters_are_answered_by_keys_and_submitted(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=healthbench")
    expect(page.get_by_text("Says thing 23")).to_be_visible(timeout=45_000)
    for _ in range(23):
        page.keyboard.press("1")
    # The last ones are out of view until the keys reach them.
    expect(page.locator("[data-field=criteria_23]")).to_be_in_viewport()
    expect(page.locator("[data-field=criteria_23] :checked")).to_have_value("met")
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.get_by_text("All done")).to_be_visible(timeout=30_000)
    # A screen reader says so, a second Enter starts nothing, and Tab goes on from there.
    expect(page.get_by_role("heading", name="All done")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".st-key-desk_end :focus")).to_be_visible()
    [body] = submitted(server, "healthbench")
    assert list(body.values()) == ["met"] * 23


@pytest.mark.deep
def test_question_51_and_the_twelfth_option_have_keys_beside_them(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=long")
    last = page.locator("[data-field=q51]")
    expect(last).to_be_visible(timeout=45_000)
    expect(page.locator(".maf-part")).to_have_text(["Part 1", "Part 2", "Part 3"])
    first, then = last.locator("legend kbd").inner_text().lower()
    page.keyboard.press(first)
    expect(page.locator("kbd.is-awaited").first).to_be_visible()
    page.keyboard.press(then)
    page.keyboard.press("2")
    expect(last.locator(":checked")).to_have_value("no")
    expect(page.locator("kbd.is-awaited")).to_have_count(0)
    ticks = page.locator("[data-field=ticks]")
    for key in (*ticks.locator("legend kbd").inner_text().lower(), "1", "Shift+Digit2", "0", "1"):
        page.keyboard.press(key)
    expect(ticks.locator(":checked")).to_have_count(2)
    assert ticks.locator(":checked").evaluate_all("all => all.map(({ value }) => value)") == [
        *("10th", "12th"),
    ]
    # Its letter ends the ticks: digits in turn go to the first open question.
    for key in (*ticks.locator("legend kbd").inner_text().lower(), "1"):
        page.keyboard.press(key)
    expect(page.locator("[data-field=q1] :checked")).to_have_value("yes")


@pytest.mark.deep
def test_a_blank_submit_of_a_long_form_lists_what_is_missing_under_each_part_once(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=long")
    asked = page.locator("[data-field^=q]")
    expect(asked.last).to_be_visible(timeout=45_000)
    at_rest(page)
    page.get_by_role("button", name="Submit").click()
    # Other tests may have left answers of hers.
    answered = page.locator("[data-field^=q]:has(input:checked)").count()
    lacks = page.locator(".maf-lacks")
    lacks.get_by_text(re.compile(r"Show the \d+ missing answers")).click()
    assert lacks.locator(".maf-lacks-part").all_inner_texts() == ["Part 1", "Part 2", "Part 3"]
    entries = lacks.get_by_role("button")
    expect(entries).to_have_count(asked.count() - answered)
    entries.filter(has_text="Question 45").click()
    expect(page.locator("[data-field=q45]")).to_be_in_viewport()
    expect(page.locator("[data-field=q45] input").first).to_be_focused()
    # Each question and each of its options says which key answers it.
    expect(page.locator("[data-field^=q] legend kbd")).to_have_count(asked.count())
    for field in (asked.first, asked.last):
        expect(field.locator("label kbd")).to_have_count(field.locator("label").count())


@pytest.mark.deep
def test_marks_with_a_severity_and_the_questions_beside_them_are_one_answer(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=summary_errors")
    expect(page.locator(".mlt-line").first).to_be_visible(timeout=45_000)
    assert "model A" not in page.content()
    page.locator(".mlt-text").focus()
    for key in ("ArrowRight", "2"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("2 things are missing")).to_be_visible()
    # The card is open at the missing severity: Space chooses it.
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("1 thing is missing")).to_be_visible()
    omission = page.locator("[data-field='whole.omission']")
    omission.locator("label", has_text="major").click()
    what = page.locator("[data-field='whole.omitted_major'] textarea")
    what.fill("The allergy")
    expect(page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")
    page.reload()
    expect(page.locator(".mlt-row")).to_contain_text("ContradictedMinor", timeout=45_000)
    expect(what).to_have_value("The allergy")
    # Undo also takes back answers given beside the marks.
    omission.locator("label").first.click()
    expect(what).to_be_hidden()
    page.locator(".mlt-text").focus()
    page.keyboard.press("Control+z")
    expect(what).to_have_value("The allergy")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("2 of 4", exact=True)).to_be_visible()
    sign_in(page, server, "Lena Lead")
    page.goto(f"{server.url}/Your_studies?dataset=summary_errors&view=Results")
    expect(page.get_by_text("Judgments: 1. Items: 1. People: 1.")).to_be_visible(timeout=45_000)
    expect(page.get_by_text("Hallucinations severity")).to_be_visible()


@pytest.mark.deep
def test_a_text_is_corrected_by_keys_and_what_was_changed_stands_below_it(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=draft_letters")
    field = page.locator("[data-field=corrected]")
    text, changes = field.locator("textarea"), field.locator(".maf-changes")
    expect(text).to_be_visible(timeout=45_000)
    before = text.input_value()
    assert before.startswith("Dear colleague")
    expect(changes).to_be_hidden()
    for key in ("a", "Control+End"):
        page.keyboard.press(key)
    page.keyboard.type(" <b>1 = 1</b>")
    expect(changes.locator("ins")).to_contain_text("<b>1 = 1</b>")
    page.keyboard.press("Escape")
    page.reload()
    expect(text).to_have_value(f"{before} <b>1 = 1</b>", timeout=45_000)
    field.get_by_role("button", name="Start again").click()
    expect(text).to_have_value(before)
    for key in "b1":
        page.keyboard.press(key)
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    page.keyboard.press("Enter")
    # Nobody has yet said that the text needs no change.
    expect(page.get_by_text("please answer this question").first).to_be_visible()
    at_rest(page)
    first = page.url
    page.keyboard.press("=")
    expect(field.get_by_role("button", pressed=True)).to_contain_text("It needs no change")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(first, timeout=30_000)


@pytest.mark.deep
def test_sentences_of_a_source_are_found_and_marked_by_keys_as_the_answer(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=source_check")
    marked, field = page.locator(".msr-s.is-marked"), page.locator("[data-field=proof]")
    expect(field).to_be_visible(timeout=45_000)
    # The source is shown, and knows that the form asks about it.
    expect(page.locator(".msr-s.is-now")).to_be_visible(timeout=45_000)
    expect(page.get_by_role("button", name="Mark", exact=False).last).to_be_visible()
    at_rest(page)
    first = page.url
    # The second lit sentence, and by search the last one with a word of it.
    for key in "1nm":
        page.keyboard.press(key)
    expect(marked).to_have_count(1)
    lit = marked.inner_text()
    last = page.locator(".msr-s").last.inner_text()
    page.keyboard.press("/")
    page.keyboard.type(last[-12:])
    page.keyboard.press("Escape")
    page.locator(".msr-s").last.click()
    page.keyboard.press("m")
    expect(marked).to_have_count(2 if lit != last else 0)
    page.reload()
    expect(marked).to_have_count(2, timeout=45_000)
    expect(field.locator("li")).to_have_count(2)
    field.get_by_role("button", name="Remove").last.click()
    expect(marked).to_have_count(1)
    expect(marked).to_have_text(lit)
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(first, timeout=30_000)
    # One item's marks do not appear on the next, and "no passage" is an answer.
    expect(field.locator("li")).to_have_count(0)
    expect(marked).to_have_count(0)
    for key in "4=":
        page.keyboard.press(key)
    expect(field.get_by_role("button", pressed=True)).to_contain_text("No passage")
    at_rest(page)
    second = page.url
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(second, timeout=30_000)


# An answer begins in the upper half of the place where texts scroll, or that place is at its end.
IS_SHOWN = """([answer, place]) => {
  const [begins, top] = [answer, place].map((one) => one.getBoundingClientRect().top)
  const isAtEnd = place.scrollTop + place.clientHeight > place.scrollHeight - 2
  return begins - top > -2 && (begins - top < place.clientHeight / 2 + 2 || isAtEnd)
}"""


@pytest.mark.deep
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_on_a_phone_the_texts_stay_in_sight_above_the_question_that_is_answered(
    phone: Page, server: Server, colours: Any
) -> None:
    page = phone
    page.emulate_media(color_scheme=colours)
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=preference")
    fields = page.locator(".maf-field")
    expect(fields.last).to_be_visible(timeout=45_000)
    at_rest(page)
    texts = page.locator(".st-key-own-scroll-left")
    room = "(one) => [one.scrollHeight, one.clientHeight]"
    whole, shown = texts.evaluate(room)
    # Part of the window is theirs: the rest is read by scrolling there, to the last word.
    assert shown < 844 * 0.43 < whole
    not_covered = """(one) => {
      const { left, top, bottom, width } = one.getBoundingClientRect()
      const middle = left + width / 2
      return [top + 4, bottom - 4].every((y) => one.contains(document.elementFromPoint(middle, y)))
    }"""
    for field in (fields.first, fields.nth(2), fields.nth(-2)):
        field.evaluate("(one) => one.scrollIntoView({ block: 'start' })")
        at_rest(page)
        assert field.evaluate(not_covered)
        assert texts.evaluate("(one) => one.getBoundingClientRect().top") >= 0
        assert texts.evaluate(not_covered)

    def handles(letter: str) -> list[Any]:
        answer = page.locator(f".st-key-own-pane-left-1-0-{letter}")
        return [answer.element_handle(), texts.element_handle()]

    # The answer whose questions are there is the one to be read above them.
    for letter in "BA":
        page.locator(f"[data-field='safe / {letter}']").evaluate(
            "(one) => one.scrollIntoView({ block: 'start' })"
        )
        page.wait_for_function(IS_SHOWN, arg=handles(letter))
    fields.nth(-2).evaluate("(one) => one.scrollIntoView({ block: 'start' })")
    at_rest(page)
    texts.evaluate("(one) => one.scrollTo({ top: one.scrollHeight })")
    last = page.locator('[class*="st-key-own-pane-left-1-"]').last
    expect(last.locator("p").last).to_be_in_viewport(ratio=0.9)
    expect(fields.nth(-2)).to_be_in_viewport(ratio=0.9)
    # What is missing is not hidden by them either.
    tap(page, page.get_by_role("button", name="Submit"))
    expect(fields.first.locator("input").first).to_be_focused()
    at_rest(page)
    assert fields.first.evaluate(not_covered)
    if colours == "light":
        return  # what follows is saved as a draft, and is the same in both
    # Where questions about both are in sight, the answer is shown that is asked about next.
    about_a = page.locator("[data-field='correct / A']")
    about_b = page.locator("[data-field='safe / B']")
    tap(page, fields.first.locator("label").first)
    about_b.evaluate(
        "(one) => { one.style.scrollMarginTop = '480px'; one.scrollIntoView({ block: 'start' }) }"
    )
    page.wait_for_function(IS_SHOWN, arg=handles("A"))
    texts.evaluate("(one) => one.scrollTo({ top: 0 })")
    tap(page, about_a.locator("label").last)
    expect(about_b).to_have_class(re.compile("is-active"))
    page.wait_for_function(IS_SHOWN, arg=handles("B"))


@pytest.mark.deep
@pytest.mark.parametrize("size", [(683, 384), (390, 844)])
def test_the_question_that_a_key_leads_to_is_not_hidden_behind_the_bar(
    page: Page, server: Server, size: tuple[int, int]
) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=preference")
    expect(page.locator(".maf-field").last).to_be_visible(timeout=45_000)
    at_rest(page)
    for key in "dehd":
        page.keyboard.press(key)
        at_rest(page)
        bottoms = page.evaluate(
            """() => [
              document.querySelector(".maf-field.is-active").getBoundingClientRect().bottom,
              document.querySelector(".st-key-desk_bar").getBoundingClientRect().top,
            ]"""
        )
        assert bottoms[0] <= bottoms[1], key
        # What is judged stays in sight meanwhile.
        expect(page.locator(".st-key-own-pane-left-0-0")).to_be_in_viewport(ratio=0.9)


@pytest.mark.deep
def test_the_first_text_has_the_focus_although_its_questions_are_drawn_before_it(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    held: list[Route] = []
    page.route("**/pane.js*", lambda route: held.append(route))  # noqa: PLW0108
    page.goto(f"{server.url}/Your_studies?dataset=sides")
    expect(page.locator("fieldset[data-rests-for=text]")).to_be_focused(timeout=45_000)
    assert held
    for route in held:
        route.continue_()
    expect(page.locator(".mlt-text").first).to_be_focused(timeout=45_000)


@pytest.mark.deep
def test_two_answers_are_marked_side_by_side_by_keys_and_with_the_form_are_one_answer(
    page: Page, server: Server
) -> None:
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=sides")
    texts, rows = page.locator(".mlt-text"), page.locator(".mlt-row")
    expect(page.locator("[data-field='errors / B']")).to_be_visible(timeout=45_000)
    expect(texts).to_have_count(2, timeout=45_000)
    # The first text has the focus. Enter opens its mark at the question that is still open.
    expect(texts.first).to_be_focused()
    for key in ("ArrowRight", "2", "Enter", "Space", "Escape"):
        page.keyboard.press(key)
    expect(rows).to_have_text([re.compile("Unsafe.*Minor")])
    # The letter of its marks leads to the other text, where the same digit is another mark.
    for key in ("e", "ArrowRight", "1", "Escape"):
        page.keyboard.press(key)
    expect(rows).to_have_count(2)
    # The letter of a question gives the digits to the form, and leaves the text.
    for key in "d12":
        page.keyboard.press(key)
    expect(page.locator(".maf-fields :checked")).to_have_count(2)
    expect(rows).to_have_count(2)
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    page.reload()
    expect(rows).to_have_count(2, timeout=45_000)
    expect(page.locator(".maf-fields :checked")).to_have_count(2)
    at_rest(page)
    first = page.url
    page.keyboard.press("Enter")
    expect(page.get_by_text("please answer this question").first).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Mark 1: How severe?").click()
    page.keyboard.press("Escape")
    # In the text itself it is said before anything is sent, with the mark open.
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("1 thing is missing")).to_be_visible()
    for key in ("Space", "Escape", "Escape", "Enter"):
        page.keyboard.press(key)
    expect(page).not_to_have_url(first, timeout=30_000)
    # One item's marks do not appear on the next.
    expect(rows).to_have_count(0)
    assert "model A" not in page.content()


@pytest.mark.deep
def test_markdown_is_drawn_with_its_formulas_and_runs_nothing(page: Page, server: Server) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=signs")
    fraction = page.locator(".foreign-markdown mfrac").filter(visible=True)
    expect(fraction).to_have_count(1, timeout=45_000)
    drawn = page.locator(".foreign-markdown").filter(visible=True).first
    expect(drawn.locator("td")).to_have_text(
        ["<img src=x onerror=alert(1)>", "x (https://a.example)"]
    )
    expect(drawn).to_contain_text("mg, not $5 or $6.")
    expect(drawn.locator("img, a")).to_have_count(0)
    expect(drawn.locator("pre")).to_be_hidden()
    drawn.get_by_text("Text as it was written").click()
    expect(drawn.locator("pre")).to_contain_text("frac{w}")
    at_rest(page)
    first = page.url
    page.get_by_role("button", name="Next").click()
    expect(page).not_to_have_url(first, timeout=30_000)
    expect(fraction).to_have_count(1)
    assert not [one for one in asked if not one.startswith((server.url, "data:", "blob:"))]


@pytest.mark.deep
def test_a_key_for_the_item_in_sight_waits_for_its_form_and_none_at_the_end_rates_the_last_one(
    page: Page, server: Server
) -> None:
    wire, why = Wire(page), page.locator(".medlens-key-why")
    chosen, saving = page.locator(CHOSEN), page.locator(".maf.is-saving")
    sign_in(page, server, "Rosa Reviewer")
    page.goto(f"{server.url}/Your_studies?dataset=brief")
    expect(page.locator(".maf-option").first).to_be_visible(timeout=45_000)
    answers = page.get_by_text(re.compile(r"^(Rest a day|Drink more|Take two)\.$"))
    page.keyboard.press("3")
    expect(saving).to_have_count(0)
    at_rest(page)
    first = page.url
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(first, timeout=30_000)
    expect(page.locator("fieldset:disabled")).to_have_count(0)
    page.keyboard.press("4")
    expect(chosen).to_have_text(["4"])
    expect(saving).to_have_count(0)
    # The page has the third item out of sight, and shows it at once.
    expect(answers).to_have_count(2)
    second, seen = page.url, answers.filter(visible=True).inner_text()
    wire.hold()
    page.keyboard.press("Enter")
    expect(answers.filter(visible=True)).not_to_have_text(seen)
    page.keyboard.press("5")
    expect(chosen).to_have_count(0)
    wire.let_go()
    expect(page).not_to_have_url(second, timeout=30_000)
    expect(chosen).to_have_text(["5"])
    expect(why).to_be_hidden()
    expect(saving).to_have_count(0)
    assert sorted(body["good"] for body in submitted(server, "brief")) == [3, 4]
    # There is no next one: J says so, and the digit behind it was not meant for this one.
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    page.evaluate(
        """() => {
          window.words = ["j", "2"].map((key) => {
            const pressed = { key, bubbles: true, cancelable: true };
            document.body.dispatchEvent(new KeyboardEvent("keydown", pressed));
            return document.querySelector(".medlens-key-why").textContent;
          });
        }"""
    )
    assert page.evaluate("window.words") == [
        "J not used: there is no next item.",
        "2 not used: it came right after a key that was not used.",
    ]
    expect(chosen).to_have_text(["5"])
