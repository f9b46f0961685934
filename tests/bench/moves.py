"""A person's moves about the app, in Chromium: from Home to a desk, from one task to the other, and
a disagreement settled by keys.

The yardstick is that of ``browser``: a button in a one-line Streamlit app, in the same minutes.
"""

from __future__ import annotations

from contextlib import closing

from medlens.app import work_behind_commands
from medlens.review import raters
from medlens.store import open_store
from tests.bench.browser import beside_one_line, press
from tests.bench.chromium import Stopwatch, browser_of
from tests.bench.rows import Options, Row

_BAR = 400
_WARM_UP, _PRESSES = 2, 2
_DESK = {"opened": (".mlt-text", "changed")}
_TASK = {"switched": (".maf .maf-label", "changed")}
_SETTLED = {"settled": (".st-key-settle-decide strong", "changed")}
_AT_REST = 1000


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store, count = options.folder / "moves.duckdb", options.pick(10, 3)
    with closing(open_store(store)) as opened:
        work_behind_commands.add_demo_studies_and_return_report_text(opened)
        lead = raters.find_or_add_rater_by_name(opened, "Lead", role="lead").id
        rater = raters.find_or_add_rater_by_name(opened, "Rater").id
    with beside_one_line(options.folder, store) as (server, browser, plain):
        home, desk, team = (browser_of(browser, who).new_page() for who in (rater, rater, lead))
        home.goto(server.url)
        desk.goto(f"{server.url}/Read_transcripts?view=Rate+dialogues")
        desk.locator(".maf-label").first.wait_for(timeout=60_000)
        team.goto(f"{server.url}/Team?task=source_support&section=disagreements")
        team.get_by_role("button", name="Next").click(timeout=60_000)
        # The first of everything is slower, everywhere: it does not count.
        for turns in (_WARM_UP, count):
            timed = [Stopwatch(page) for page in (home, desk, team)]
            baseline = Stopwatch(plain)
            for _ in range(turns):
                for watch, move in zip(timed, (_open_desk, _switch_task, _settle), strict=True):
                    watch.page.bring_to_front()
                    move(watch)
                    press(baseline, _PRESSES)
        server.kill()
    button = baseline.times["button"]
    named = {
        "opened": "from Home to a desk: its text",
        "switched": "from one task to the other: its first question",
        "settled": "disagreement settled, and said so",
    }
    times = {name: found for watch in timed for name, found in watch.times.items()}
    return [
        Row(words, times[name], "median", _BAR, baseline=button) for name, words in named.items()
    ]


def _open_desk(watch: Stopwatch) -> None:
    """From Home to the tagging desk by its button, and back."""
    page = watch.page
    button = page.locator('[class*="st-key-work-error_spans"] button')
    button.wait_for(timeout=60_000)
    if not button.is_visible():
        page.locator(".st-key-home-finished summary").click()
    page.wait_for_timeout(_AT_REST)
    with watch.timing("mouseup", **_DESK):
        button.click()
    page.wait_for_timeout(_AT_REST)
    page.go_back()


def _switch_task(watch: Stopwatch) -> None:
    """From rating to checking, or back, in the line of the study."""
    page = watch.page
    page.wait_for_timeout(_AT_REST)
    other = "Rate dialogues" if "Check" in page.url else "Check diagnoses"
    with watch.timing("mouseup", **_TASK):
        page.locator(".st-key-desk_line").get_by_role("radio", name=other).click()


def _settle(watch: Stopwatch) -> None:
    """Answer A with a reason, and on to the next."""
    page = watch.page
    page.locator(".st-key-settle-decide .maf-option").first.wait_for(timeout=60_000)
    page.wait_for_timeout(_AT_REST)
    page.keyboard.press("1")
    page.keyboard.press("r")
    page.keyboard.type("As read.")
    page.wait_for_timeout(_AT_REST)
    with watch.timing("keydown", **_SETTLED):
        page.keyboard.press("Enter")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
