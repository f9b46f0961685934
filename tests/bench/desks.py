"""An own study judged by keys, and disagreements looked through by keys, in Chromium.

The yardstick is that of ``browser``: a button in a one-line Streamlit app, in the same minutes.
"""

from __future__ import annotations

import json
import random
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import hand_out_settings, items, raters, rounds
from medlens.review.items import NewItem
from medlens.store import open_store
from medlens.studies.own.study import open_study
from medlens.studies.own.tasks import NAME
from medlens.studies.tagging import tasks as tagging
from tests.bench.browser import beside_one_line, press
from tests.bench.chromium import Stopwatch, browser_of
from tests.bench.handed_over import _marked
from tests.bench.material import DATASET, make_items, make_store
from tests.bench.rows import Options, Row
from tests.handles import handed_out

_OWN, _QUESTIONS, _PANES, _WARM_UP = "desk", 12, 3, 2
_SAVED = (".maf", "saved")
# All panes of an item have its number in their texts.
_SHOWN = {
    f"pane {at}": (f'[class*="st-key-own-pane-"][class*="left-0-{at}"] .stText', "changed")
    for at in range(_PANES)
}
_PLACE = (".st-key-desk_bar [data-testid=stCaptionContainer]", "changed")
_SETTLING = {"name": (".stMain h3", "changed"), "text": (".mlt-text", "changed")}
_PRESSES = 3


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store, count = options.folder / "desks.duckdb", options.pick(15, 3)
    people = make_store(store, items=options.pick(300, 30), people=10)
    lead = _disagree(store, people, options.seed)
    _declare(store, count + _WARM_UP + 2)
    with beside_one_line(options.folder, store) as (server, browser, plain):
        desk, team = browser_of(browser, people[0]).new_page(), browser_of(browser, lead).new_page()
        desk.goto(f"{server.url}/Your_studies?dataset={_OWN}")
        desk.locator(".maf-option").first.wait_for(timeout=60_000)
        asked = f"section=disagreements&task={tagging.NAME}&dataset={DATASET}"
        team.goto(f"{server.url}/Team?{asked}")
        team.get_by_role("button", name="Next").click(timeout=60_000)
        team.locator(".mlt-text:visible").wait_for(timeout=60_000)
        done: dict[str, dict[str, int]] = {}
        faults: list[str] = []
        # The first of everything is slower, everywhere: it does not count.
        for turns in (_WARM_UP, count):
            ours, leads, baseline = Stopwatch(desk), Stopwatch(team), Stopwatch(plain)
            for _ in range(turns):
                faults += _judge(ours, done)
                press(baseline, _PRESSES)
                _look_through(leads)
                press(baseline, _PRESSES)
        server.kill()
    faults += _lost(store, done)
    button = baseline.times["button"]
    whole = zip(*(ours.times.pop(name) for name in _SHOWN), strict=True)
    size = f"{_QUESTIONS} questions, {_PANES} panes"
    return [
        Row(
            f"own study: draft durable after the answer's key, {size}",
            ours.times["saved"],
            "ratio",
            3,
            baseline=button,
            faults=tuple(faults),
        ),
        Row(
            f"own study: next item's text after Submit, {size}",
            [max(one) for one in whole],
            "ratio",
            2,
            baseline=button,
        ),
        Row(
            "own study: next item opened after Submit",
            ours.times["opened"],
            "none",
            baseline=button,
            note="its text is there before; for orientation",
        ),
        Row(
            "adjudication: next item",
            [max(one) for one in zip(*(leads.times[n] for n in _SETTLING), strict=True)],
            "ratio",
            2,
            baseline=button,
            note="J until its text with everyone's marks is there",
        ),
    ]


def _disagree(path: Path, people: list[str], seed: int) -> str:
    """All items marked by all people, each in their own way; returns a lead's id."""
    rng = random.Random(seed)
    with closing(open_store(path)) as store:
        there = store.rows("select id from item")
        bodies = items.load_item_bodies_by_id(store, [item for (item,) in there])
        store.append(
            "judgment",
            *(
                {
                    "task": tagging.NAME,
                    "item": item,
                    "rater": rater,
                    "revision": 1,
                    "body": _marked(body["response"], rng),
                    "blind": True,
                    "origin": "app",
                    "complete": True,
                    "active_seconds": 31.5,
                    "idle_seconds": 2.0,
                }
                for item, body in bodies.items()
                for rater in people
            ),
        )
        return raters.find_or_add_rater_by_name(store, "Lead", role="lead").id


def _declare(path: Path, count: int) -> None:
    """An own study of ``count`` items, open to everyone."""
    text = f'id = "{_OWN}"\ntitle = "T"\ninstructions = "I"\n'
    for at in range(_PANES):
        text += f'[[column]]\nname = "c{at}"\nmeans = "m"\n'
        text += f'[[pane]]\ntitle = "P{at}"\ncolumn = "c{at}"\n'
    for at in range(_QUESTIONS):
        text += f'[[question]]\nid = "s{at}"\nkind = "scale"\ntext = "S"\nlow = "l"\nhigh = "h"\n'
    with closing(open_store(path)) as store:
        work_behind_commands.declare_study_and_return_report_text(store, text, "STUDY.toml")
        made = [
            NewItem(one.name, {f"c{at}": f"{one.name}. {one.response}" for at in range(_PANES)})
            for one in make_items(count)
        ]
        items.add_items(store, made, study="own", kind="item", dataset=_OWN)
        task = open_study(store, Settings(), _OWN).task
        lead = raters.find_or_add_rater_by_name(store, "Lead", role="lead")
        settings = {"items_per_rater": count, "gold_share": 0.0}
        hand_out_settings.change_task_settings(store, task.name, _OWN, settings, by=lead)
        rounds.open_or_close_round(store, task, _OWN, state="open", by=lead)


def _judge(watch: Stopwatch, done: dict[str, dict[str, int]]) -> list[str]:
    """Answer all questions about the item and submit it; returns what was wrong on the page."""
    page = watch.page
    page.bring_to_front()
    handle, said = _item(page), {}
    texts = [page.locator(f"{each}:visible").inner_text() for each, _ in _SHOWN.values()]
    name = texts[0].partition(".")[0]
    for at in range(_QUESTIONS):
        said[f"s{at}"] = (len(done) + at) % 5 + 1
        with watch.timing("keydown", saved=_SAVED):
            page.keyboard.press(str(said[f"s{at}"]))
    done[handle] = said
    with watch.timing("keydown", **_SHOWN, opened=_PLACE):
        page.keyboard.press("Enter")
    # The address says which item it is a moment after the text.
    page.wait_for_timeout(150)
    return [f"{name}: shown was {text[:40]!r}" for text in texts if not text.startswith(f"{name}.")]


def _look_through(watch: Stopwatch) -> None:
    page = watch.page
    page.bring_to_front()
    with watch.timing("keydown", **_SETTLING):
        page.keyboard.press("j")
    # The next one comes while this one is read.
    page.wait_for_timeout(1000)


def _item(page: Page) -> str:
    return parse_qs(urlsplit(page.url).query)["item"][0]


def _lost(path: Path, done: dict[str, dict[str, int]]) -> list[str]:
    """Submitted items whose answers are not in the store as given."""
    with closing(open_store(path)) as store:
        bodies = dict(store.rows("select item, body from judgment where task = $task", task=NAME))
        called = handed_out(store)
    kept = {
        handle: json.loads(bodies[item])["answers"]
        for handle, item in called.items()
        if item in bodies
    }
    return [
        f"{handle}: given was {said}, in the store is {kept.get(handle)}"
        for handle, said in done.items()
        if kept.get(handle) != said
    ]
