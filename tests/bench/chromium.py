"""A real Chromium, and a stopwatch inside its pages.

All times are the browser's own: from the input event's time stamp to the frame in which what was
waited for is painted. What the test driver needs in between does not count.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from medlens.studies.shipped_guidelines_and_worked_examples import FOLDER

# What people have comes first; the bare one of the tests draws sooner than theirs would.
_NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")
_HERE = Path(__file__).parent
_WATCH = (_HERE / "watch.js").read_text("utf-8")
_PLACES = (_HERE / "places.js").read_text("utf-8")
_PATIENCE = 15
_ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium on the PATH, else Playwright's own."""
    found = next((path for name in _NAMES if (path := shutil.which(name)) and _runs(path)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


def browser_of(browser: Browser, person: str) -> BrowserContext:
    """A browser that has been nowhere, and knows who uses it: ``person`` (an id), who has seen the
    worked examples.
    """
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    tasks = [file.name.removesuffix("_example.md") for file in FOLDER.glob("*_example.md")]
    kept = {"medlens_person": person} | {f"medlens:seen:{person}:{task}": "true" for task in tasks}
    context.add_init_script(f"Object.assign(localStorage, {json.dumps(kept)})")
    return context


def _runs(path: str) -> bool:
    return subprocess.run([path, "--version"], capture_output=True).returncode == 0


@dataclass
class Stopwatch:
    """Times in ms by name, from one kind of input event to what follows it on the page."""

    page: Page
    times: dict[str, list[float]] = field(default_factory=dict)

    @contextlib.contextmanager
    def timing(self, event: str, **waits: tuple[str, str]) -> Iterator[None]:
        """Do one ``event`` inside; returns when all that is waited for has been seen.

        Raises:
            TimeoutError: something did not come within 15 s.
        """
        self.page.evaluate(_WATCH, {"event": event, "waits": waits})
        yield
        found: dict[str, float] | None = self.page.evaluate(
            "(ms) => Promise.race([medlensWatch, new Promise((r) => setTimeout(r, ms))])",
            1000 * _PATIENCE,
        )
        if found is None:
            seen = self.page.evaluate("() => Object.keys(medlensTimes)")
            raise TimeoutError(f"{sorted(set(waits) - set(seen))} not seen within {_PATIENCE} s")
        for name, took in found.items():
            self.times.setdefault(name, []).append(took)


def drag(page: Page, start: int, end: int) -> None:
    """Select a stretch of the text to mark with the mouse."""
    x1, y1, x2, y2 = page.evaluate(_PLACES, [start, end])
    page.mouse.move(x1, y1)
    page.mouse.down()
    page.mouse.move((x1 + x2) / 2, (y1 + y2) / 2)
    page.mouse.move(x2, y2)
    page.mouse.up()
