"""Registrations in and out: domain, country."""

from __future__ import annotations

import pandas as pd

from medlens.review import importing
from medlens.store import Store
from medlens.studies.sourcecheckup import rows
from medlens.studies.sourcecheckup.countries import queries
from medlens.studies.sourcecheckup.metrics_domains import site_of
from medlens.studies.sourcecheckup.study import Study
from medlens.tables import Column, Report, Request
from medlens.tables.sheet import Fault, mask, read
from medlens.web.registry import country_code

COUNTRIES = (
    Column("domain", "name", "a domain such as example.org, or an address in it", needed=True),
    Column("country", "name", "its country; nothing where it is not known", needed=True),
    Column("answered", "name", "who said so; by default the file"),
)


def import_countries(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-countries``: where domains are registered, as whois or anybody else says.

    What a file says goes before what was known. Nothing under ``country``: it is not known.
    """

    def check(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
        sites = [site_of(one if "://" in one else f"//{one}") for one in frame["domain"]]
        frame["domain"] = pd.Series(sites, dtype="str")
        frame["country"] = frame["country"].map(country_code).astype("str")
        named = mask(frame["domain"].str.fullmatch(r"[\w-]+(?:\.[\w-]+)+"))
        first = frame.groupby("domain")["country"].transform("first")
        other = mask(first != frame["country"])
        return frame, [
            Fault(~named, "domain", "a domain such as example.org"),
            Fault(other, "country", "one country for each domain"),
        ]

    done = read(request, COUNTRIES, check)
    known = queries.standing(store, request.dataset)
    frame = done.frame.drop_duplicates("domain")
    fresh = [
        one
        for one in frame.to_dict("records")
        if known.get(one["domain"], (0, None))[1] != one["country"]
    ]
    if fresh:
        importing.add_rows(
            store,
            rows.together(
                rows.site(
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


def export_countries(store: Store, study: Study) -> pd.DataFrame:
    """One row per domain that was looked up: domain, country, and who said so."""
    return queries.table(store, study.dataset)
