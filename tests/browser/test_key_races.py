"""Keys between the two halves of a turn, in the desk's own scripts: the text and its form are given
their data by hand, one after the other, so that each race happens every time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from medlens.config.shipped_and_home_folders import IMPORTED_FROM

COMPONENTS = IMPORTED_FROM / "medlens" / "ui" / "components"
KINDS = {".js": "text/javascript", ".css": "text/css"}

# A dialogue with its form and the page's buttons, as Streamlit mounts them: `give.talk(item)` and
# `give.form(item)` bring an item to one of the two.
DESK = """async (order) => {
  localStorage.clear(); // what an earlier page has not sent
  const { default: mountForm } = await import("/answer_form/form.js");
  const { default: mountTalk } = await import("/conversation/conversation.js");
  const [talk, form] = ["talk", "form"].map((name) => document.getElementById(name));
  window.sent = [];
  for (const name of ["previous", "next", "skip"]) {
    document.querySelector(`.st-key-rate-${name} button`)
      .addEventListener("click", () => window.sent.push(name));
  }
  const options = [..."1234567890"].map((key) => ({ value: key, name: key, key }));
  const fields = ["doctor", "patient"].map((id) => (
    { id, kind: "choice", label: id, letter: id[0], options }));
  const turns = (item) => [{
    n: 1, speaker: "doctor", text: `Dialogue ${item}`, head: "Doctor", anchor: "turn-1",
    images: [], notes: [] }];
  const moves = [["k", "a", "previous"], ["j", "c", "next"], ["s", "c", "skip"]]
    .map(([key, to, name]) => ({ key, to, button: `st-key-rate-${name}` }));
  const ahead = { moves, turns: { a: turns("a"), c: turns("c") } };
  let ack = "";
  window.give = {
    talk: (item) => void mountTalk({
      data: { kind: "talk", key: item, turns: turns(item), ahead, marking: null },
      parentElement: talk, setStateValue: () => {} }),
    form: (item) => void mountForm({
      data: { item, fields, values: {}, changes: {}, rest: null, rev: 0, session: "s", ack,
        task: "rate", moves: 0, rater: "r", submit: "", keys: false, saved_at: "", trouble: "" },
      parentElement: form,
      setStateValue: (_, message) => {
        ack = message.token;
        const changes = Object.entries(message.changes).map(([id, [, now]]) => `${id} ${now}`);
        if (message.submit) changes.push("submit");
        window.sent.push([message.item, ...changes].join(" "));
      } }),
  };
  for (const part of order) window.give[part]("a");
}"""
BODY = "".join(
    [
        *(
            f"<div class='st-key-rate-{name}'><button>{name}</button></div>"
            for name in ("previous", "next", "skip")
        ),
        "<div id='talk'></div><div id='form'></div>",
    ]
)


@pytest.fixture(params=[("form", "talk"), ("talk", "form")], ids="-".join)
def desk(page: Page, request: pytest.FixtureRequest) -> Page:
    """The item ``a``, with its two parts mounted in either order."""

    def answer(route: Route) -> None:
        path = COMPONENTS / Path(route.request.url.removeprefix("http://desk.test/"))
        if path.suffix in KINDS:
            route.fulfill(body=path.read_text(), content_type=KINDS[path.suffix])
        else:
            route.fulfill(body=BODY, content_type="text/html")

    page.route("http://desk.test/**", answer)
    page.goto("http://desk.test/")
    page.evaluate(DESK, request.param)
    return page


def press(desk: Page, keys: str) -> None:
    for key in keys.split():
        desk.keyboard.press(key)


def sent(desk: Page) -> Any:
    return desk.evaluate("window.sent")


@pytest.mark.first_quick
def test_a_rating_and_a_move_between_text_and_form_are_both_used_once_the_form_is_there(
    desk: Page,
) -> None:
    press(desk, "Enter")
    assert sent(desk) == ["a submit"]
    desk.evaluate("give.talk('b')")
    # The rater sees the next dialogue: this is a rating of it, and then a wish to go back.
    press(desk, "6 k")
    assert sent(desk) == ["a submit"]
    desk.evaluate("give.form('b')")
    assert sent(desk) == ["a submit", "b doctor 6", "previous"]
    assert desk.locator(".mlc-talk").get_attribute("data-item") == "a"


@pytest.mark.first_quick
def test_no_key_between_form_and_text_rates_the_item_whose_text_is_still_there(
    desk: Page,
) -> None:
    press(desk, "Enter")
    desk.evaluate("give.form('b')")
    press(desk, "6 k")
    desk.evaluate("give.talk('b')")
    assert sent(desk) == ["a submit"]
    words = desk.locator(".medlens-key-why").inner_text()
    assert words == "K not used: the next item is not here yet."
