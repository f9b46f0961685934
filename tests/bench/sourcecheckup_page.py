"""The verification page and the figures on 58,000 pairs over 9,000 sources of 7,000 tokens.

In Chromium, against the round trip of a button in a one-line Streamlit app, served in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page

from medlens.review import hand_out_settings, items_selected_to_hand_out, raters
from medlens.store import open_store
from medlens.studies.sourcecheckup import pair_sampling_and_hand_out, queries, tasks
from medlens.studies.sourcecheckup.study_in_dataset import open_study
from medlens.web.passage_search import index_sentences_of_source
from tests.bench.chromium import Stopwatch, browser_of, chromium
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, Server
from tests.bench.sourcecheckup_made import DATASET, PAIRS, make_store
from tests.handles import handed_out

# The right statement, and the best passage of its own source, once both are there.
_TEXT = (".msd-panes", "lit")
_PRESSED = ("[data-testid=stText]", "changed")
# Not the one that only loads plotly ahead.
_CHART = (".st-key-figures-body .js-plotly-plot", "changed")
_WARM_UP = 3


@dataclass
class Spent:
    """The server's CPU per move, in ms; and what was shown: (pair's handle, statement, passage)."""

    cpu: list[float] = field(default_factory=list)
    shown: list[tuple[str, str, str]] = field(default_factory=list)

    def look(self, page: Page, there: tuple[str, str]) -> None:
        """Note what was ``there`` as soon as it could be seen, under the pair's handle."""
        # The address has the handle a moment after the server has answered.
        page.locator(".mdb-saved:not([data-kind=saving])").wait_for(state="attached")
        page.wait_for_timeout(150)
        handle = parse_qs(urlsplit(page.url).query)["item"][0]
        self.shown.append((handle, *there))


def in_sight(page: Page) -> tuple[str, str]:
    """The statement and the best passage."""
    return (page.locator(".msd-text").inner_text(), page.locator(".msr-s.is-best").inner_text())


def wrong(path: Path, shown: list[tuple[str, str, str]]) -> list[str]:
    """Pairs whose statement or best passage was not what was shown."""
    store = open_store(path)
    try:
        faults, called = [], handed_out(store)
        for handle, statement, passage in shown:
            pair = queries.load_pair_as_shown(store, called[handle])
            page = index_sentences_of_source(pair.text)
            best = page.texts_of_sentences()[
                page.sentence_numbers_like_statement(pair.statement)[0]
            ]
            if (pair.statement, best) != (statement, passage):
                faults.append(f"{handle}: shown were {statement!r} and {passage!r}")
        return faults
    finally:
        store.close()


def prepare(path: Path, items: int) -> str:
    """Hand out enough readable pairs to each reviewer; returns the lead's id."""
    store = open_store(path)
    try:
        lead = raters.find_or_add_rater_by_name(store, "Lead", role="lead")
        study = open_study(store, DATASET)
        hand_out_settings.change_task_settings(
            store, tasks.SUPPORT, DATASET, {"items_per_rater": items, "gold_share": 0.0}, by=lead
        )
        pairs = queries.table_of_all_pairs(store, DATASET)
        chosen = pair_sampling_and_hand_out.sample_ids_of_pairs(
            pairs[pairs["item_id"].notna()],
            queries.current_verdicts_table(store, DATASET),
            way="random",
            n=5 * items,
            seed=1,
        )
        items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
            store, study.support, chosen, dataset=DATASET, drawn="bench", by=lead
        )
        return lead.id
    finally:
        store.close()


def signed_in(browser: Browser, url: str, rater: str) -> Page:
    """A page on which this rater is at home."""
    page = browser_of(browser, rater).new_page()
    page.goto(url)
    page.get_by_text("Good to see you").wait_for(timeout=60_000)
    return page


def verify(page: Page, watch: Stopwatch, server: Server, spent: Spent, count: int) -> None:
    """Answer and submit ``count`` pairs by keys; the next one is what is timed."""
    for _ in range(count):
        page.keyboard.press("4")
        page.locator(".mdb-saved[data-kind=saved]").wait_for()
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Next pair").wait_for()
        page.wait_for_timeout(300)
        before = server.cpu_ms()
        with watch.timing("keydown", next=_TEXT):
            page.keyboard.press("Enter")
        there = in_sight(page)
        # What was sent ahead is there before the server's answer, whose run ends later still.
        page.locator(".mdb-saved:not([data-kind=saving])").wait_for(state="attached")
        page.wait_for_timeout(100)
        spent.cpu.append(server.cpu_ms() - before)
        spent.look(page, there)
        for key, name in (("k", "previous"), ("j", "forward")):
            with watch.timing("keydown", **{name: _TEXT}):
                page.keyboard.press(key)
            spent.look(page, in_sight(page))


def figures(page: Page, url: str, watch: Stopwatch, again: int) -> None:
    """The figures for the first time, and again from another view."""
    page.goto(f"{url}/Verify_sources?view=Verify sources")
    page.get_by_role("button", name="Submit").wait_for(timeout=60_000)
    sections = page.locator(".st-key-line_sections")
    # Plotly is imported meanwhile, as it is while a person finds the way.
    page.wait_for_timeout(2500)
    with watch.timing("mouseup", first=_CHART):
        sections.get_by_text("Results", exact=True).click()
    for _ in range(again):
        page.wait_for_timeout(300)
        sections.get_by_text("Judge", exact=True).click()
        page.get_by_role("button", name="Submit").wait_for()
        page.wait_for_timeout(300)
        with watch.timing("mouseup", again=_CHART):
            sections.get_by_text("Results", exact=True).click()


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store = options.folder / "page.duckdb"
    [rater] = make_store(store, pairs=options.pick(PAIRS, 2_400), seed=options.seed)
    count = options.pick(25, 5)
    lead = prepare(store, count + 2 * _WARM_UP + 2)
    script = options.folder / "one_line.py"
    script.write_text(ONE_LINE)
    with (
        Server(options.folder / "medlens", store) as server,
        Server(options.folder / "one_line", script=script) as simple,
        chromium() as browser,
    ):
        plain = browser.new_page()
        plain.goto(simple.url)
        plain.get_by_role("button", name="Press").wait_for()
        page = signed_in(browser, server.url, rater)
        page.goto(f"{server.url}/Verify_sources")
        page.locator(".msr-s.is-lit").first.wait_for(timeout=60_000)
        verify(page, Stopwatch(page), server, Spent(), _WARM_UP)
        watch, baseline, spent = Stopwatch(page), Stopwatch(plain), Spent()
        verify(page, watch, server, spent, count)
        plain.bring_to_front()
        for _ in range(count + 5):
            with baseline.timing("mouseup", button=_PRESSED):
                plain.get_by_role("button", name="Press").click()
            plain.wait_for_timeout(50)
        leads = signed_in(browser, server.url, lead)
        shown = Stopwatch(leads)
        figures(leads, server.url, shown, options.pick(10, 3))
        server.kill()
    faults = tuple(wrong(store, spent.shown))
    button = baseline.times["button"][5:]
    return [
        Row(
            "next pair visible, passages lit",
            watch.times["next"],
            "ratio",
            2,
            baseline=button,
            faults=faults,
        ),
        Row("pair before, passages lit", watch.times["previous"], "ratio", 2, baseline=button),
        Row("pair behind, passages lit", watch.times["forward"], "ratio", 2, baseline=button),
        Row("server CPU per next pair", spent.cpu, "median", 30),
        Row("figures, first view", shown.times["first"], "median", 1500),
        Row("figures, again", shown.times["again"], "median", 300),
    ]
