"""Pages as the web serves them are read, or the reader is told that there is no article."""

from __future__ import annotations

import asyncio

import pytest

from medlens.config.settings import Web
from medlens.web.page_fetch import Fetcher, Page
from tests.near import pages_nearby
from tests.page_quirks import served_below
from tests.pages_in_many_languages import SERVED_CASES, ServedCase
from tests.web_server import WebServer

QUICK = [case for case in SERVED_CASES if "brotli" in case.name or "zstd" in case.name]


def fetched_cases(cases: list[ServedCase]) -> list[Page]:
    with WebServer() as web, pages_nearby():
        for number, case in enumerate(cases):
            for path, served in case.pages.items():
                web.pages[f"/case{number}{path}"] = served_below(f"/case{number}", served)

        async def fetch_all() -> list[Page]:
            settings = Web(allow_hosts=(web.host,), pause=0, robots=False, most_megabytes=20)
            async with Fetcher(settings) as fetcher:
                addresses = [web.url(f"/case{number}/") for number in range(len(cases))]
                return await asyncio.gather(*map(fetcher.fetch, addresses))

        return asyncio.run(fetch_all())


def misread_cases(cases: list[ServedCase]) -> dict[str, tuple[str, str, str]]:
    """What was made of each page that is neither read as it should be nor told."""
    return {
        case.name: (page.outcome, page.reason, page.text[:60])
        for case, page in zip(cases, fetched_cases(cases), strict=True)
        if (page.outcome == "ok") != bool(case.reads)
        or "".join(case.reads.split()) not in "".join(page.text.split())
    }


def test_pages_packed_with_brotli_or_zstandard_are_read_and_their_bombs_end_at_the_limit() -> None:
    assert len(QUICK) >= 9
    assert misread_cases(QUICK) == {}


@pytest.mark.deep
def test_a_page_in_any_of_eight_languages_is_read_or_told() -> None:
    assert len(SERVED_CASES) >= 130
    misread = misread_cases(SERVED_CASES)
    assert len(misread) <= 0.05 * len(SERVED_CASES), misread
