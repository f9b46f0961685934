"""What a person waits for who opens the tagging page: until the text to tag can be seen.

Cold is a browser that has never been there, warm the second visit of the same one. The yardstick is
the text of a one-line Streamlit app, opened in the same way by turns.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import BrowserContext

from tests.bench.chromium import browser_of, chromium
from tests.bench.material import make_store
from tests.bench.rows import Options, Row
from tests.bench.serving import ONE_LINE, Server

_TEXT, _PLAIN = ".mlt-text", "[data-testid=stText]"
_SEEN = """(wanted) => new Promise((seen) => {
  const look = () => {
    const found = document.querySelector(wanted)
    if (found?.textContent.trim() && found.checkVisibility({ opacityProperty: true })) {
      requestAnimationFrame(() => requestAnimationFrame(() => seen(performance.now())))
    } else setTimeout(look, 5)
  }
  look()
})"""
_FETCHED = """() => performance.getEntriesByType("resource")
  .map(({ name, transferSize }) => [new URL(name).pathname, transferSize])"""


@dataclass(frozen=True)
class Visit:
    """``seen``: ms from the start of the visit until the text is painted. ``fetched``: bytes that
    came over the network by path; 0 where the browser had the file."""

    seen: float
    fetched: dict[str, int]


def visit(context: BrowserContext, url: str, wanted: str = _TEXT) -> Visit:
    """Open a page in a tab of its own and close it again."""
    page = context.new_page()
    page.goto(url, wait_until="commit")
    seen: float = page.evaluate(_SEEN, wanted)
    fetched = dict(page.evaluate(_FETCHED))
    page.close()
    return Visit(seen, fetched)


def run(options: Options) -> list[Row]:
    """The rows of this benchmark."""
    store = options.folder / "opened.duckdb"
    [rater] = make_store(store, people=1)
    script = options.folder / "one_line.py"
    script.write_text(ONE_LINE)
    found: dict[str, list[Visit]] = {name: [] for name in ("cold", "warm", "plain", "plain warm")}
    with (
        Server(options.folder / "medlens", store) as server,
        Server(options.folder / "one_line", script=script) as simple,
        chromium() as browser,
    ):
        address = f"{server.url}/Tag_errors"
        for number in range(options.pick(12, 2) + 1):
            for url, wanted, names in (
                (address, _TEXT, ("cold", "warm")),
                (simple.url, _PLAIN, ("plain", "plain warm")),
            ):
                context = browser_of(browser, rater)
                for name in names:
                    one = visit(context, url, wanted)
                    # The server's first visitor is nobody's yardstick.
                    found[name] += [one] if number else []
                context.close()
        server.kill()
    times = {name: [one.seen for one in visits] for name, visits in found.items()}
    first = found["cold"][-1].fetched
    note = f"{len(first)} files, {sum(first.values()) / 1e6:.1f} MB"
    return [
        Row("page's text, cold", times["cold"], "median", 1200, baseline=times["plain"], note=note),
        Row("page's text, warm", times["warm"], "median", 500, baseline=times["plain warm"]),
    ]
