"""The fourth step: fetches every cited address once and stores a snapshot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal
from urllib.parse import urlsplit

from medlens import llm
from medlens.config.settings import Settings
from medlens.llm.job_batch_progress_and_report import format_duration
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.llm.result_writer import StoreRowWriter
from medlens.llm.token_cost_forecast_and_budget import estimate_tokens_from_length
from medlens.store import Store
from medlens.studies.sourcecheckup import queries, records_to_store_rows
from medlens.studies.sourcecheckup.make_statement_source_pairs import (
    make_missing_pair_items_and_count,
)
from medlens.studies.sourcecheckup.records import Source, name_of_pair_item
from medlens.studies.sourcecheckup.run_pipeline_step import Step, forecast_confirm_and_run_step
from medlens.studies.sourcecheckup.tables_as_in_files_queries import count_snapshots_by_address
from medlens.web.fetched_page_walls import ABSTRACT_ONLY, PERHAPS_NO_ARTICLE
from medlens.web.internet_archive_lookup import Archive, ArchiveUnavailable
from medlens.web.page_fetch import FetchedPage, Fetcher, NoNetwork

SOURCES = "sources"
Which = Literal["new", "failed", "all"]
_LISTED = 5
_PER_PLACE = 4
_WORDS = {
    "ok": "could be read",
    "not_found": "not found",
    "http_error": "with an error",
    "blocked": "blocked",
    "paywalled": "behind a paywall",
    "timeout": "too slow",
    "too_large": "too large",
    "too_long": "too long for a model",
    "unsupported_type": "of a kind that is not read",
    "empty": "without text",
    "refused": "refused as unsafe",
    "error": "not reached (to be tried again)",
}
_DEAD = ("not_found", "http_error", "timeout")


def fetch_and_store_cited_pages(
    store: Store,
    settings: Settings,
    *,
    dataset: str,
    which: Which = "new",
    archive: bool = False,
    how: How | None = None,
    fetcher: Fetcher | None = None,
) -> RunReport:
    """Fetch the addresses that valid answers cite and store the results.

    ``which``: addresses never fetched, or also those whose page could not be read, or all again; a
    new snapshot does not change what was judged before. ``archive`` asks whether a dead page once
    existed.

    Raises:
        InvalidInput: this run is already in progress.
    """
    known = queries.newest_snapshots_by_address(store, dataset)
    revisions = count_snapshots_by_address(store, dataset)
    wanted: dict[str, int] = {}
    for url in queries.list_cited_addresses(store, dataset):
        seen = known.get(url)
        if seen is None or which == "all" or (which == "failed" and seen.outcome != "ok"):
            wanted[url] = revisions.get(url, 0) + 1
    web = fetcher or Fetcher(settings.web)
    past = _Past(settings) if archive else None
    doubtful: list[str] = []
    abstracts: list[str] = []

    async def work(address: str, _: llm.Ask, run: str, writer: StoreRowWriter) -> llm.Result:
        try:
            page = await web.fetch_page(address)
        except NoNetwork as error:
            return llm.Result("error", {"error_class": "network", "error": error.message})
        existed = await past.existed(address) if past and page.outcome in _DEAD else ""
        made = records_to_store_rows.snapshot_and_text_part_rows_by_table(
            make_snapshot_of_fetched_page(
                page, address, existed=existed, longest=settings.web.longest_tokens
            ),
            dataset=dataset,
            revision=wanted[address],
            run=run,
        )
        await writer.put(made)
        doubtful.extend([address] if page.reason == PERHAPS_NO_ARTICLE else [])
        abstracts.extend([address] if page.reason == ABSTRACT_ONLY else [])
        body = {"status": page.status, "reason": page.reason, "seconds": page.seconds}
        return llm.Result(made["sc_source"][0]["outcome"], {"url": address, **body})

    # Fetching costs nothing, so there is nothing to confirm.
    report = forecast_confirm_and_run_step(
        store,
        how=replace(how or How(), confirm=None),
        step=Step(
            kind=SOURCES,
            dataset=dataset,
            models={},
            # The name includes the revision: fetching a page again is another job of the same run.
            units={
                f"{wanted[one]} {name_of_pair_item('', one)}": one
                for one in order_addresses_alternating_by_host(wanted)
            },
            work=work,
            config={
                "user_agent": settings.web.user_agent,
                "robots": settings.web.robots,
                "which": which,
                "longest_tokens": settings.web.longest_tokens,
            },
            # More than are fetched at once: some jobs are parsing or storing, or wait for their
            # host.
            at_once=_PER_PLACE * settings.web.concurrency,
            during=web,
            table="sc_source",
            line=_line,
            says=("snapshot is new", "snapshots are new"),
            empty="Every cited page has been fetched already.",
        ),
    )
    make_missing_pair_items_and_count(store, dataset)
    if abstracts:
        pages = "1 page is" if len(abstracts) == 1 else f"{len(abstracts):,} pages are"
        report = report.with_further_lines(
            f"{pages} read as the abstract alone, since the site sells the rest. A statement "
            f"that the abstract does not make may be in the full text: {_listed(abstracts)}.",
            added=report.added,
        )
    if not doubtful:
        return report
    pages = "1 page counts" if len(doubtful) == 1 else f"{len(doubtful):,} pages count"
    return report.with_further_lines(
        f"{pages} as read, but may not hold an article: a few words that name no subject. Look at"
        f" {_listed(doubtful)} and correct the outcome if it is not one.",
        added=report.added,
    )


def _listed(addresses: list[str]) -> str:
    return f"{', '.join(addresses[:_LISTED])}{' …' if len(addresses) > _LISTED else ''}"


def _line(batch: llm.BatchReport) -> str:
    fetched = sum(n for outcome, n in batch.outcomes.items() if outcome != "error")
    text = "Stopped: " if batch.stopped else ""
    text += f"{fetched:,} of {batch.total:,} pages fetched in {format_duration(batch.seconds)}"
    said = sorted(batch.outcomes.items(), key=lambda one: (-one[1], one[0]))
    parts = [f"{n:,} {_WORDS.get(outcome, outcome)}" for outcome, n in said]
    return f"{text}{': ' if parts else ''}{', '.join(parts)}." + (
        f" Reason: {batch.reason}." if batch.reason else ""
    )


def make_snapshot_of_fetched_page(
    page: FetchedPage, url: str, *, existed: str = "", longest: int
) -> Source:
    """A fetched page as a cited address's snapshot; too long if over ``longest`` tokens."""
    beyond = 0 if page.text.isascii() else sum(char > "\x7f" for char in page.text)
    tokens = estimate_tokens_from_length(len(page.text), beyond)
    too_long = page.outcome == "ok" and tokens > longest
    return Source.model_validate(
        {
            "url": url,
            "outcome": "too_long" if too_long else page.outcome,
            "status": page.status,
            "final_url": page.final_url,
            "title": page.title,
            "reason": f"more than {longest:,} tokens" if too_long else page.reason,
            "content_type": page.headers.get("content-type", ""),
            "headers": page.headers,
            "redirects": page.redirects,
            "fetched_at": page.fetched_at,
            "seconds": page.seconds,
            "bytes": page.size,
            "tokens": tokens,
            "text": page.text,
            "existed": existed,
        }
    )


def order_addresses_alternating_by_host(urls: Iterable[str]) -> list[str]:
    """Addresses alternating by host, so that waiting for one host does not block the others."""
    by_host: dict[str, list[str]] = {}
    for url in urls:
        try:
            host = urlsplit(url).netloc
        except ValueError:
            host = ""
        by_host.setdefault(host, []).append(url)
    turns: list[tuple[int, int, str]] = [
        (turn, order, url)
        for order, mine in enumerate(by_host.values())
        for turn, url in enumerate(mine)
    ]
    return [url for _, _, url in sorted(turns)]


class _Past:
    """What the archive says of dead pages; empty if it does not answer."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.web

    async def existed(self, url: str) -> str:
        archive = Archive(self._settings)
        try:
            return "yes" if await archive.find_newest_copy(url) else "no"
        except ArchiveUnavailable:
            return ""
        finally:
            await archive.aclose()
