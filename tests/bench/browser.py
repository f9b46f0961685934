"""What a person waits for, in Chromium: a mark drawn, a mark saved, the next item.

The yardstick is the round trip of a button in a one-line Streamlit app, served in the same way, in
the same browser, in the same minutes: one press for every few marks.
"""

from __future__ import annotations

import contextlib
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page

from medlens.store import open_store
from tests.bench.chromium import Stopwatch, browser_of, chromium, drag
from tests.bench.material import make_store, words_of
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, Server
from tests.handles import handed_out

_FRAME = 16.0
_MARKED = (".mlt-text", "marked")
_SAVED = (".mdb-saved", "saved")
_TEXT = (".mlt-text", "changed")
_READY = (".mdb-place", "changed")
_PRESSED = ("[data-testid=stText]", "changed")
# Labels that need no link; neither has a checklist that opens.
_KEYS = "1234"


@dataclass
class Hands:
    """One person's hands at the desk, and what they did: the words marked by item."""

    page: Page
    watch: Stopwatch
    done: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @property
    def item(self) -> str:
        return parse_qs(urlsplit(self.page.url).query).get("item", [""])[0]

    def _words(self) -> tuple[int, int, str]:
        text = self.page.evaluate('() => document.querySelector(".mlt-text").textContent')
        count = len(self.done[self.item])
        words = [at for at in words_of(text) if text[slice(*at)].isalpha()]
        first = words[(11 * count + 3) % len(words)]
        return (*first, text[slice(*first)])

    def let_go(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Escape")

    def mark_label_first(self) -> None:
        """Choose the label, then draw: the mark is made when the mouse goes up."""
        start, end, quote = self._words()
        self.let_go()
        self.page.keyboard.press(_KEYS[len(self.done[self.item]) % len(_KEYS)])
        with self.watch.timing("mouseup", drawn_by_mouse=_MARKED, saved_by_mouse=_SAVED):
            drag(self.page, start, end)
        self.done[self.item].append(quote)

    def mark_words_first(self) -> None:
        """Select words, then press the label's key: the mark is made by the key."""
        start, end, quote = self._words()
        self.let_go()
        drag(self.page, start, end)
        with self.watch.timing("keydown", drawn_by_key=_MARKED, saved_by_key=_SAVED):
            self.page.keyboard.press(_KEYS[len(self.done[self.item]) % len(_KEYS)])
        self.done[self.item].append(quote)

    def go(self, key: str, name: str) -> None:
        self.let_go()
        # Ctrl goes down first, as a key of its own: the letter or Enter is what counts.
        *held, last = key.split("+")
        for one in held:
            self.page.keyboard.down(one)
        with self.watch.timing("keydown", **{name: _TEXT, f"{name}_ready": _READY}):
            self.page.keyboard.press(last)
        for one in held:
            self.page.keyboard.up(one)
        # The address says which item it is a moment after the text.
        self.page.wait_for_timeout(150)


def at_the_desk(browser: Browser, url: str, rater: str) -> Page:
    """A page signed in as ``rater``, with an item on the desk."""
    page = browser_of(browser, rater).new_page()
    page.goto(f"{url}/Tag_errors")
    page.wait_for_selector(".mlt-line", timeout=60_000)
    page.wait_for_timeout(500)
    return page


def sit(hands: Hands, baseline: Stopwatch, *, items: int, marks: int) -> None:
    """Tag ``items`` items with twice ``marks`` marks each, and press the yardstick's button."""
    for number in range(items):
        hands.page.bring_to_front()
        for _ in range(marks):
            hands.mark_label_first()
            hands.mark_words_first()
        if number:
            hands.go("k", "previous")
            hands.go("j", "next")
        hands.go("Control+Enter", "submit")
        press(baseline, marks)


def press(baseline: Stopwatch, times: int) -> None:
    """Press the yardstick's button."""
    baseline.page.bring_to_front()
    for _ in range(times):
        with baseline.timing("mouseup", button=_PRESSED):
            baseline.page.get_by_role("button", name="Press").click()


@contextlib.contextmanager
def beside_one_line(folder: Path, store: Path) -> Iterator[tuple[Server, Browser, Page]]:
    """MedLens on this store, and a browser with the one-line app on a page of its own."""
    script = folder / "one_line.py"
    script.write_text(ONE_LINE)
    with (
        Server(folder / "medlens", store) as server,
        Server(folder / "one_line", script=script) as simple,
        chromium() as browser,
    ):
        plain = browser.new_page()
        plain.goto(simple.url)
        plain.get_by_role("button", name="Press").wait_for()
        yield server, browser, plain


def lost(path: Path, done: dict[str, list[str]]) -> list[str]:
    """Marks that the page called saved and the store does not hold."""
    store = open_store(path)
    try:
        bodies = dict(store.rows("select item, body from draft_now"))
        called = handed_out(store)
    finally:
        store.close()
    kept = {
        handle: [span["quote"] for span in json.loads(bodies[item])["spans"]]
        for handle, item in called.items()
        if item in bodies
    }
    return [
        f"{item}: saved were {sorted(quotes)}, in the store are {sorted(kept.get(item, []))}"
        for item, quotes in done.items()
        if quotes and sorted(kept.get(item, [])) != sorted(quotes)
    ]


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store = options.folder / "browser.duckdb"
    [rater] = make_store(store, people=1)
    with beside_one_line(options.folder, store) as (server, browser, plain):
        hands_page = at_the_desk(browser, server.url, rater)
        # The first of everything is slower, everywhere: it does not count.
        warm = Hands(hands_page, Stopwatch(hands_page))
        sit(warm, Stopwatch(plain), items=1, marks=2)
        hands, baseline = Hands(hands_page, Stopwatch(hands_page), warm.done), Stopwatch(plain)
        sit(hands, baseline, items=options.pick(17, 3), marks=3)
        server.kill()
    faults = tuple(lost(store, hands.done))
    return rows(hands.watch.times, baseline.times["button"], faults)


def rows(
    times: dict[str, list[float]], button: list[float], faults: tuple[str, ...] = ()
) -> list[Row]:
    """The measured times against the bars."""

    def trip(work: str, name: str, bar: float) -> Row:
        return Row(work, times[name], "ratio", bar, baseline=button, faults=faults)

    return [
        Row("mark drawn after mouse-up", times["drawn_by_mouse"], "median", _FRAME),
        Row("mark drawn after the label's key", times["drawn_by_key"], "median", _FRAME),
        trip("mark durable after mouse-up", "saved_by_mouse", 3),
        trip("mark durable after the label's key", "saved_by_key", 3),
        trip("next item's text after Submit", "submit", 2),
        trip("next item's text after Next", "next", 2),
        trip("item's text after Previous", "previous", 2),
        Row(
            "next item can be marked after Submit",
            times["submit_ready"],
            "none",
            baseline=button,
            note="the text is there before; for orientation",
        ),
    ]
