"""A study from its file to its report, in the browsers of two leads and two reviewers."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Download, Page, Request, WebSocket, expect

from medlens.review import raters
from medlens.store import open_store
from tests.browser.conftest import (
    NOTED,
    AppServer,
    Server,
    at_rest,
    close_worked_example,
    sign_in,
    wait_until,
)
from tests.llm_server import LLMServer

ITEMS = [
    {
        "item": f"case{n}",
        "question": f"Case {n}: which drug is a loop diuretic?",
        "option_A": "Furosemide",
        "option_B": "Amlodipine",
        "correct": "A",
        "chosen": "B",
        "response": f"Amlodipine is a loop diuretic. It is given to patient {n}.",
    }
    for n in (1, 2, 3)
]
FIRST = "Amlodipine is a loop diuretic."


def tagged(body: dict[str, Any]) -> str:
    """The model's answer for every response."""
    mark = {"quote": FIRST, "reason": "It is not.", "labels": ["hallucination_of_information"]}
    return json.dumps({"marks": [{**mark, "link": ""}], "comment": ""})


@pytest.fixture
def model() -> Iterator[LLMServer]:
    with LLMServer() as server:
        server.answer = tagged
        yield server


def quiet(page: Page) -> None:
    """Wait until the page is drawn: before, Streamlit's buttons miss keys, its forms clicks."""
    at_rest(page)
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)
    at_rest(page)


def come_by_link(page: Page, server: Server, link: str, name: str) -> None:
    """Start as somebody whose browser remembers nobody."""
    page.goto(f"{server.url}/healthz")
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
    page.context.clear_cookies()
    page.goto(link)
    expect(page.get_by_text("Lena Osei invites you to judge: Tag errors.")).to_be_visible()
    at_rest(page)  # the tab's own report has the form drawn again
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("button", name="Accept and start").click()
    wait_until(page, NOTED)
    # It leads to the desk, where nobody judges before reading and agreeing.
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("You mark errors in a model's answers.")
    dialog.get_by_role("button", name="I have read this and agree").click()


def judge(page: Page, labels: dict[str, str]) -> None:
    """Mark the first sentence of each response with its case's label key."""
    close_worked_example(page)
    text, bar = page.locator(".mlt-text"), page.locator(".mdb")
    for done in range(3):
        expect(bar).to_contain_text(f"{done + 1} of 3")
        [case] = re.findall(r"patient (\d)", text.inner_text())
        text.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press(labels[case])
        expect(page.locator(".mdb-saved")).to_have_attribute("data-kind", "saved")
        page.keyboard.press("Control+Enter")
    expect(page.get_by_role("heading", name="All items done")).to_be_focused()


def listen(page: Page) -> list[bytes | str]:
    """What passes between a page's browser and the server from now on, save the desk's replies."""
    passed: list[bytes | str] = []

    # Playwright cannot take a list's own method.
    def noted(frame: bytes | str) -> None:
        passed.append(frame)

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", noted)
        socket.on("framesent", noted)

    def asked(request: Request) -> None:
        passed.append(f"{request.url} {request.post_data_buffer or b''!r}")

    page.on("websocket", opened)
    page.on("request", asked)
    return passed


def told_in(passed: list[bytes | str]) -> str:
    """The texts in what passed, with the addresses that the page had."""
    return "\n".join(
        one if isinstance(one, str) else one.decode(errors="replace") for one in passed
    )


def saved_text(download: Download) -> str:
    return Path(download.path()).read_text(encoding="utf-8-sig")


def go_to_team(page: Page) -> None:
    page.goto(f"{urlsplit(page.url).scheme}://{urlsplit(page.url).netloc}/Team")


def settle(page: Page, key: str, reason: str) -> None:
    """Choose the answer by its key, with a reason."""
    quiet(page)
    page.keyboard.press(key)
    expect(page.locator(".maf").get_by_role("radio", checked=True)).to_have_count(1)
    why = page.get_by_role("textbox", name="Why")
    why.fill(reason)
    page.get_by_role("button", name="Settle it").click()
    expect(page.get_by_text("Go on with Next (J)")).to_be_visible()


@pytest.fixture
def server(app_server: AppServer, tmp_path: Path, model: LLMServer) -> Server:
    path = tmp_path / "study.duckdb"
    store = open_store(path)
    for name in ("Lena Osei", "Carl Adu"):
        raters.find_or_add_rater_by_name(store, name, role="lead")
    store.close()
    judge = f'[models.judge-a]\nbase_url = "{model.url}"\nmodel = "judge-a-1"\n'
    return app_server(store=path, settings=judge)


@pytest.mark.deep
def test_a_study_is_set_up_judged_settled_and_handed_over(
    tabs: Callable[[], Page], server: Server, model: LLMServer
) -> None:
    # A tab keeps who works in it, whatever the others do; three people take turns in the second.
    lena, anna = tabs(), tabs()
    ben = carl = anna
    passed = listen(anna)

    # The file is imported, and the next step is one click away.
    sign_in(lena, server, "Lena Osei")
    lena.goto(f"{server.url}/Data")
    lines = "".join(json.dumps(one) + "\n" for one in ITEMS)
    file = {"name": "ward.jsonl", "mimeType": "application/json", "buffer": lines.encode()}
    lena.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    lena.get_by_role("button", name="Import 3 items").click()
    lena.get_by_role("link", name="Next: hand it out on Team").click()
    expect(lena.get_by_role("heading", name="Before the first item")).to_be_visible()
    # Three raters per item is more than there are people: the page says so before anyone is asked.
    expect(lena.get_by_text("3 raters per item are wanted and 2 people")).to_be_visible()
    lena.get_by_label("Raters per item").fill("2")
    expect(lena.get_by_text("3 raters per item are wanted")).to_have_count(0)
    lena.get_by_role("button", name="Save").first.click()
    quiet(lena)
    consent = lena.get_by_role("textbox", name="What people read and agree to")
    consent.fill("You mark errors in a model's answers.")
    lena.get_by_role("button", name="Save").nth(1).click()
    expect(lena.get_by_text("Version 1")).to_be_visible()

    # The overview names the next step, and leads there.
    go_to_team(lena)
    lena.get_by_role("link", name="Invite people by a link").click()
    expect(lena.get_by_role("heading", name="Invitations")).to_be_visible()
    expect(lena).to_have_url(re.compile("section=people"))
    quiet(lena)
    lena.get_by_label("People", exact=True).last.fill("2")
    lena.keyboard.press("Tab")
    quiet(lena)
    lena.get_by_role("button", name="Make a link").click()
    link = lena.get_by_text(re.compile(r"\?invite="))
    expect(link).to_be_visible()
    invited = link.inner_text()

    # Two reviewers judge: they agree only on the third case.
    come_by_link(anna, server, invited, "Anna Berg")
    judge(anna, {"1": "3", "2": "3", "3": "5"})
    come_by_link(ben, server, invited, "Ben Cole")
    judge(ben, {"1": "6", "2": "6", "3": "5"})
    told = told_in(passed)
    # The first response comes by a run; the next may come with the reply to what was handed in.
    assert re.search(r"patient \d", told)
    kept = json.dumps(ben.evaluate("() => ({ ...localStorage, ...sessionStorage })"))

    # A model judges too, after its price was shown.
    lena.goto(f"{server.url}/Runs?new=tagging.tag")
    expect(lena.get_by_label("Taggers").last).to_be_visible()
    quiet(lena)
    lena.get_by_label("Taggers").last.click()
    lena.get_by_role("option").first.click()
    lena.keyboard.press("Escape")
    quiet(lena)
    lena.get_by_role("button", name="Show the estimate").click()
    lena.get_by_role("button", name="Start the run").click()
    # A table draws its cells on a canvas, and exposes them to screen readers.
    expect(lena.get_by_text("Finished").first).to_be_attached()
    assert len(model.chats) == 3

    # Progress and agreement: people and the model alike.
    go_to_team(lena)
    expect(lena.get_by_text("6 of 6 judgments (2 per response)")).to_be_visible()
    expect(lena.get_by_role("link", name="2 items to settle")).to_be_visible()
    lena.get_by_role("radio", name="Agreement", exact=True).click()
    expect(lena.get_by_text("3 pairs of raters")).to_be_visible()
    expect(lena.get_by_text(re.compile(r"judge-a · .* \(model\)")).first).to_be_visible()

    # Both leads settle at the same time: neither gets the item the other has open.
    quiet(lena)
    lena.get_by_role("radio", name="Disagreements").click()
    expect(lena.get_by_text("0 of these are settled")).to_be_visible()
    quiet(lena)
    lena.keyboard.press("j")
    expect(lena).to_have_url(re.compile("divided=case"))
    expect(lena.get_by_text("Final answer")).to_be_visible()
    # Team's head gives way to an open item, and is back once the item is left.
    expect(lena.locator(".st-key-team-head")).to_be_hidden()
    expect(lena.locator(".st-key-rail")).to_be_hidden()
    # Its place goes to the item as well.
    left = "document.querySelector('.st-key-{}').getBoundingClientRect().left"
    quiet(lena)
    assert lena.evaluate(f"{left.format('rail_body')} - {left.format('railed')}") < 1
    lena.keyboard.press("Escape")
    expect(lena.get_by_text("0 of these are settled")).to_be_visible()
    expect(lena.locator(".st-key-team-head")).to_be_visible()
    quiet(lena)
    lena.keyboard.press("j")
    expect(lena).to_have_url(re.compile("divided=case"))
    expect(lena.get_by_text("Final answer")).to_be_visible()
    sign_in(carl, server, "Carl Adu")
    carl.goto(lena.url)
    expect(carl.get_by_text("Lena Osei is settling this item now")).to_be_visible()
    expect(carl.get_by_text("Final answer")).to_have_count(0)
    quiet(carl)
    carl.keyboard.press("j")
    expect(carl).not_to_have_url(lena.url)
    expect(carl.get_by_text("Final answer")).to_be_visible()
    [taken], [left] = (re.findall(r"divided=(case\d)", one.url) for one in (lena, carl))
    settle(lena, "1", "Read again.")
    settle(carl, "0", "Neither will do.")

    # Everything is done: the link to the results, then the report and the tables.
    go_to_team(lena)
    expect(lena.get_by_text("every item is judged, and no disagreement is left")).to_be_visible()
    quiet(lena)
    lena.get_by_role("radio", name="Results").click()
    expect(lena.get_by_text("How often each label was given")).to_be_visible()
    quiet(lena)
    lena.get_by_role("radio", name="Export").click()
    expect(lena.get_by_role("heading", name="Report")).to_be_visible()
    quiet(lena)
    with lena.expect_download() as made:
        lena.get_by_role("button", name="Report as HTML").click()
    told = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", saved_text(made.value)))
    # Two of the store's people, under the numbers that were drawn for them.
    assert re.search(r"model judge-a 3 rater \d 3 rater \d 3", told)
    assert "judged by people 3 (3 by 2)" in told
    assert "settled by an adjudicator 2" in told
    assert "of these without consensus: no answer is right 1" in told
    assert "Anna Berg" not in told
    with lena.expect_download() as made:
        lena.get_by_role("button", name=re.compile("Download medlens-.*annotated.csv")).click()
    rows = {row["item"]: row for row in csv.DictReader(io.StringIO(saved_text(made.value)))}
    assert [row["question"] for row in rows.values()] == [one["question"] for one in ITEMS]
    column = "error_spans / {} / {}".format
    word = [column("adjudicator", one) for one in ("by", "reason of the adjudicator", "labels")]
    labels = {"Incorrect or vague conclusion", "Hallucination of information"}
    by, reason, label = (rows[taken][one] for one in word)
    assert (by, reason) == ("Lena Osei", "Read again.")
    assert label in labels
    assert [rows[left][one] for one in word] == ["Carl Adu", "Neither will do.", ""]
    assert [rows["case3"][one] for one in word] == ["", "", ""]
    consensus = {
        name: {one.split(" / ")[-1] for one, said in row.items() if said == "True"}
        for name, row in rows.items()
    }
    assert consensus == {
        taken: {re.sub(r"\W", "_", label.lower())},
        left: {"no answer holds"},
        "case3": {"incorrect_understanding_of_task"},
    }
    for row in rows.values():
        assert row[column("model judge-a", "labels")] == "Hallucination of information"
    said = {rows[taken][column(f"rater {one}", "labels")] for one in ("Anna Berg", "Ben Cole")}
    assert said == labels

    # No reviewer's browser got or sent the name or the id of an item, nor kept it.
    server.stop()
    with contextlib.closing(open_store(server.env["MEDLENS_STORE"])) as store:
        names = [name for row in store.rows("select id, name from item") for name in row]
    assert len(names) == 6
    assert [name for name in names if re.search(rf"\b{name}\b", told + kept)] == []
