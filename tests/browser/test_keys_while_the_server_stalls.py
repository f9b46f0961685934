"""Keys pressed blindly in the real app while its server stops and goes on: what was used of them is
what was stored, on the item that was in sight, and what was not used was said.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import rounds
from medlens.store import Store
from medlens.studies.agentclinic import queries, tasks
from medlens.studies.own.study import open_study
from tests.attack import lead_actions
from tests.bench.clinic_world import DATASET, add_cases
from tests.bench.transcripts import make_dialogue
from tests.browser.conftest import REVIEWERS, AppServer, Server, add_people, at_rest, sign_in
from tests.conftest import LayStore

# `KEY_TURNS=1000` plays the long game, a quarter of an hour for each desk.
TURNS = int(os.environ.get("KEY_TURNS", "40"))
CASES = 20

# Each key as the page met it: which item's text could be seen when it was pressed (asked by the
# window's first listener), and whether it was used and which words then stood at the foot (by its
# last one).
BEFORE_OTHERS = r"""
window.keysPressed = [];
const inSight = () => {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = { opacityProperty: true, visibilityProperty: true };
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const number = /^Talk (\d+)\./.exec(data)?.[1];
    if (number && parentElement.checkVisibility(seen)) found.add(number);
  }
  return [...found].join(" ");
};
window.addEventListener("keydown", ({ key }) => {
  window.keysPressed.push({ key, item: inSight() });
}, { capture: true });
"""
AFTER_OTHERS = """() => void window.addEventListener("keydown", ({ defaultPrevented }) => {
  const line = document.querySelector(".medlens-key-why");
  const why = line && !line.hidden ? line.textContent : "";
  Object.assign(window.keysPressed.at(-1), { used: defaultPrevented, why });
}, { capture: true })"""

STUDY = """
id = "stalls"
title = "Stalls"
instructions = "Rate each answer."

[[column]]
name = "answer"
means = "the answer"

[[pane]]
title = "Answer"
column = "answer"
""" + "".join(
    f"""
[[question]]
id = "q{at}"
kind = "scale"
text = "Question {at}?"
low = "low"
high = "high"
required = true
"""
    for at in (1, 2, 3)
)


def add_own_study(store: Store) -> None:
    add_people(store)
    work_behind_commands.declare_study_and_return_report_text(store, STUDY, "stalls.toml")
    rows = "".join(f"{n},Talk {n}. Take two tablets.\n" for n in range(TURNS))
    file = f"item,answer\n{rows}".encode()
    work_behind_commands.import_file(
        store, Settings(), "own-items", file, name="s.csv", dataset="stalls"
    )
    task = open_study(store, Settings(), "stalls").task
    rounds.open_or_close_round(store, task, "stalls", state="open", raters=(), by=None)


def add_dialogues(store: Store) -> None:
    add_people(store)
    names = add_cases(store, CASES)
    draw = random.Random(1)
    made = [
        (f"d{n}", make_dialogue(draw, names[n % CASES], n, repeat=n // CASES + 1, turns=4))
        for n in range(TURNS)
    ]
    queries.add_dialogues_and_return_added(store, made, dataset=DATASET)


@contextlib.contextmanager
def stalling(server: Server, seed: int) -> Iterator[None]:
    """Stops the server at random for 0.3 to 1.5 s, again and again; at the end it goes on."""
    assert server.process is not None
    group, over, draw = server.process.pid, threading.Event(), random.Random(seed)

    def stall() -> None:
        while not over.wait(draw.uniform(0.3, 3)):
            os.killpg(group, signal.SIGSTOP)
            over.wait(draw.uniform(0.3, 1.5))
            os.killpg(group, signal.SIGCONT)

    thread = threading.Thread(target=stall)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def press_blindly(page: Page, digits: str, seed: int) -> None:
    """A person who answers, submits and sometimes goes back or skips, and looks at nothing."""
    draw = random.Random(seed)
    for _ in range(TURNS):
        keys = [draw.choice(digits) for _ in range(3)] + ["Enter"]
        keys += ["k", "j"] * (draw.random() < 0.1) + ["s"] * (draw.random() < 0.05)
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(draw.uniform(15, 250))


def expected_answers(log: list[dict[str, Any]], fields: list[str]) -> dict[str, dict[str, int]]:
    """What the used keys say of each item that they submitted, by the rule of the list of keys: a
    digit answers the first open question, else the one that was answered or turned to last."""
    answers: dict[str, dict[str, int]] = {}
    turned_to: dict[str, str] = {}
    submitted = {}
    for one in log:
        item, key = one["item"], one["key"]
        if one["why"]:
            continue
        given = answers.setdefault(item, {})
        if key.isdigit():
            field = next((name for name in fields if name not in given), turned_to.get(item, ""))
            given[field or fields[0]] = int(key)
            turned_to[item] = field or fields[0]
            continue
        # Whoever comes back to an item begins with its first question again.
        turned_to[item] = fields[0]
        if key == "Enter" and len(given) == len(fields):
            submitted[item] = dict(given)
    return submitted


def stored_answers(server: Server, rater: str, fields: list[str]) -> dict[str, dict[str, int]]:
    with lead_actions.copied(server) as store:
        rows = store.execute(
            "select i.name, j.body from judgment j join item i on i.id = j.item"
            " where j.rater = ? order by j.seq",
            [server.people[rater]],
        ).fetchall()
    stored = {}
    for name, body in rows:
        said = json.loads(body)
        said = said.get("answers", said)
        stored[name.removeprefix("d")] = {field: said[field] for field in fields}
    return stored


@pytest.mark.deep
@pytest.mark.parametrize(
    ("address", "fields", "digits"),
    [
        ("/Your_studies?dataset=stalls", ["q1", "q2", "q3"], "12345"),
        (
            "/Read_transcripts?view=Rate+realism",
            ["doctor", "patient", "measurement", "empathy"],
            "123456789",
        ),
    ],
    ids=["own form", "ratings"],
)
def test_no_key_is_lost_or_on_another_item_while_the_server_stops_and_goes_on(
    app_server: AppServer,
    lay_store: LayStore,
    tmp_path: Path,
    context: BrowserContext,
    address: str,
    fields: list[str],
    digits: str,
) -> None:
    own = "Your_studies" in address
    task = "own_questions" if own else tasks.REALISM
    server = app_server(
        store=lay_store(tmp_path / "stalls.duckdb", add_own_study if own else add_dialogues),
        settings=f"[tasks.{task}]\nitems_per_rater = {TURNS}\n",
    )
    page = context.new_page()
    page.add_init_script(BEFORE_OTHERS)
    rater = REVIEWERS[0]
    sign_in(page, server, rater)
    page.goto(server.url + address)
    expect(page.locator(".maf-option").first).to_be_visible()
    at_rest(page)
    page.evaluate(AFTER_OTHERS)
    with stalling(server, seed=TURNS):
        press_blindly(page, digits, seed=TURNS)
    expect(page.locator(".maf.is-saving")).to_have_count(0)
    at_rest(page)
    log = page.evaluate("window.keysPressed")
    assert not [one for one in log if not one["used"] and not one["why"]]  # each is used or told
    assert all(one["item"].isdecimal() for one in log)  # and belongs to one item in sight
    expected = expected_answers(log, fields)
    assert len(expected) > TURNS // 10
    assert stored_answers(server, rater, fields) == expected
