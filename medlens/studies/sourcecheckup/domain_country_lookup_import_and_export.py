"""Where cited sites are registered, from registries or from a file, with its SQL.

A step beside the others: Wu et al. 2025 identify American sources by whois, and by top-level domain
if whois has no answer.
"""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Literal

from medlens import llm
from medlens.config.settings import Settings
from medlens.deferred_module import pd
from medlens.llm.job_batch_progress_and_report import format_duration
from medlens.llm.pipeline_declaration_forecast_and_run import How, RunReport
from medlens.llm.result_writer import StoreRowWriter
from medlens.review import judgment_import
from medlens.store import Lookup, Store
from medlens.studies.sourcecheckup import queries as study
from medlens.studies.sourcecheckup import records_to_store_rows
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import (
    registered_domain,
    site_of_address,
)
from medlens.studies.sourcecheckup.run_pipeline_step import Step, forecast_confirm_and_run_step
from medlens.studies.sourcecheckup.study_in_dataset import Study
from medlens.tables import Column, Report, Request
from medlens.tables.read_and_check_table import Fault, as_boolean_numpy_array, read_checked_table
from medlens.web.country_of_domain_registrant import (
    Registry,
    RegistryUnavailable,
    normalise_country,
)

COUNTRIES = "countries"
Which = Literal["new", "unknown", "all"]


def list_cited_domains(store: Store, dataset: str) -> list[str]:
    """The registered domains of all cited addresses, each once."""
    sites = dict.fromkeys(
        site_of_address(url) for url in study.list_cited_addresses(store, dataset)
    )
    return [one for one in dict.fromkeys(registered_domain(site) for site in sites) if one]


def look_up_countries(
    store: Store,
    settings: Settings,
    *,
    dataset: str,
    which: Which = "new",
    how: How | None = None,
) -> RunReport:
    """Look up where the cited sites are registered, and store the answers.

    ``which``: domains never looked up, or also those without a country, or all of them again. If no
    registry can be reached nothing is stored: such sites count by their top-level domain, and the
    next run asks for them again.

    Raises:
        InvalidInput: this run is already in progress.
    """
    known = revision_and_country_by_domain(store, dataset)
    wanted: list[tuple[str, int]] = []
    for domain in list_cited_domains(store, dataset):
        revision, country = known.get(domain, (0, ""))
        if not revision or which == "all" or (which == "unknown" and not country):
            wanted.append((domain, revision + 1))
    web = _Open(settings)

    async def work(
        one: tuple[str, int], _: llm.Ask, run: str, writer: StoreRowWriter
    ) -> llm.Result:
        domain, revision = one
        try:
            found = await web.registry.find_registration(domain)
        except RegistryUnavailable as error:
            said = {"error_class": "network", "error": str(error)}
            return llm.Result("error", {"domain": domain, **said})
        if found.country or revision == 1:
            await writer.put(
                records_to_store_rows.domain_country_rows_by_table(
                    domain,
                    found.country,
                    dataset=dataset,
                    revision=revision,
                    run=run,
                    answered=found.answered,
                )
            )
        body = {"domain": domain, "country": found.country, "answered": found.answered}
        return llm.Result("found" if found.country else "no_country", body)

    return forecast_confirm_and_run_step(
        store,
        how=replace(how or How(), confirm=None),
        step=Step(
            kind=COUNTRIES,
            dataset=dataset,
            models={},
            units={f"{revision} {domain}": (domain, revision) for domain, revision in wanted},
            work=work,
            config={"registry": settings.web.registry, "which": which},
            at_once=4,
            during=web,
            table="sc_site",
            line=_line,
            says=("registration is new", "registrations are new"),
            empty="Every cited site has been looked up already."
            if known
            else "No cited site has a domain to look up.",
        ),
    )


class _Open(AbstractAsyncContextManager["_Open"]):
    """The registry, open while the batch runs."""

    registry: Registry

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.web

    async def __aenter__(self) -> _Open:
        self.registry = Registry(self._settings)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.registry.aclose()


def _line(batch: llm.BatchReport) -> str:
    said = Counter(batch.outcomes)
    asked = said["found"] + said["no_country"]
    text = "Stopped: " if batch.stopped else ""
    text += (
        f"{asked:,} of {batch.total:,} domains looked up in {format_duration(batch.seconds)}:"
        f" {said['found']:,} with a country, {said['no_country']:,} without."
    )
    if said["error"]:
        text += (
            f" {said['error']:,} could not be looked up: no registry answered. Their top-level"
            " domain decides until they are."
        )
    return text + (f" Reason: {batch.reason}." if batch.reason else "")


# -- what is known ---------------------------------------------------------------------------------


_CURRENT_COUNTRIES = Lookup(
    "sourcecheckup.current_countries",
    "select site, revision, country from sc_site_now where dataset = $dataset",
)


def revision_and_country_by_domain(store: Store, dataset: str) -> dict[str, tuple[int, str]]:
    """Domain -> current (revision, country); the country is "" if the lookup gave none."""
    return {
        site: (revision, country)
        for site, revision, country in store.rows(
            _CURRENT_COUNTRIES,
            dataset=dataset,
        )
    }


def countries_table(store: Store, dataset: str) -> pd.DataFrame:
    """One row per domain: domain, country, answered, looked_up_at, origin."""
    return store.read(
        "select site as domain, country, answered, made_at as looked_up_at, origin,"
        " $dataset as dataset from sc_site_now where dataset = $dataset order by site",
        dataset=dataset,
    )


# -- in and out ------------------------------------------------------------------------------------


COLUMNS = (
    Column("domain", "name", "a domain such as example.org, or an address in it", needed=True),
    Column("country", "name", "its country; nothing where it is not known", needed=True),
    Column("answered", "name", "who said so; by default the file"),
)


def import_countries(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-countries``: where domains are registered, according to whois or any other
    source.

    A file overrides what was known. An empty ``country`` means unknown.
    """

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        sites = [site_of_address(one if "://" in one else f"//{one}") for one in frame["domain"]]
        frame["domain"] = pd.Series(sites, dtype="str")
        frame["country"] = frame["country"].map(normalise_country).astype("str")
        named = as_boolean_numpy_array(frame["domain"].str.fullmatch(r"[\w-]+(?:\.[\w-]+)+"))
        first = frame.groupby("domain")["country"].transform("first")
        other = as_boolean_numpy_array(first != frame["country"])
        return frame, [
            Fault(~named, "domain", "a domain such as example.org"),
            Fault(other, "country", "one country for each domain"),
        ]

    done = read_checked_table(request, COLUMNS, check)
    known = revision_and_country_by_domain(store, request.dataset)
    frame = done.frame.drop_duplicates("domain")
    fresh = [
        one
        for one in frame.to_dict("records")
        if known.get(one["domain"], (0, None))[1] != one["country"]
    ]
    if fresh:
        judgment_import.append_imported_rows_and_count_by_table(
            store,
            records_to_store_rows.join_rows_by_table(
                records_to_store_rows.domain_country_rows_by_table(
                    one["domain"],
                    one["country"],
                    dataset=request.dataset,
                    origin="import",
                    revision=known.get(one["domain"], (0, ""))[0] + 1,
                    answered=one["answered"] or request.name,
                )
                for one in fresh
            ),
        )
    return Report(
        "countries of registration",
        len(fresh),
        len(done.frame) - len(fresh),
        done.refused,
        done.notes,
        one="country of registration",
    )


def make_countries_export_table(store: Store, study: Study) -> pd.DataFrame:
    """One row per domain that was looked up: domain, country, and the source of the answer."""
    return countries_table(store, study.dataset)
