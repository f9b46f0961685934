"""Registrations in and out: domain, country."""

from __future__ import annotations

import numpy as np
import pandas as pd

from medlens.review import importing
from medlens.review.files import Report, Request
from medlens.sourcecheckup import rows
from medlens.sourcecheckup.countries import queries
from medlens.sourcecheckup.load import Check, Fault, Form, read, stripped
from medlens.sourcecheckup.metrics_domains import site_of
from medlens.sourcecheckup.study import Study
from medlens.store import Store
from medlens.web.registry import country_code

FORM = Form({"domain": "text", "country": "text"}, {"answered": "text"})


def import_countries(store: Store, study: Study, request: Request) -> Report:
    """``sourcecheckup-countries``: where domains are registered, as whois or anybody else says.

    What a file says goes before what was known. Nothing under ``country``: it is not known.
    """

    def check(_: str) -> Check:
        def checked(frame: pd.DataFrame) -> tuple[pd.DataFrame, list[Fault]]:
            frame = stripped(frame, "domain", "country", "answered")
            sites = [site_of(one if "://" in one else f"//{one}") for one in frame["domain"]]
            frame["domain"] = pd.Series(sites, dtype="str")
            frame["country"] = frame["country"].map(country_code).astype("str")
            first = frame.groupby("domain")["country"].transform("first")
            return frame, [
                Fault(~_named(frame["domain"]), "domain", "a domain such as example.org"),
                Fault(
                    np.asarray(first != frame["country"], dtype=bool),
                    "country",
                    "one country for each domain",
                ),
            ]

        return checked

    done = read(request, FORM, check)
    known = queries.standing(store, done.dataset)
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
                    dataset=done.dataset,
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


def _named(domains: pd.Series[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.asarray(domains.str.fullmatch(r"[\w-]+(?:\.[\w-]+)+"), dtype=bool)


def export_countries(store: Store, study: Study) -> pd.DataFrame:
    """One row per domain that was looked up: domain, country, and who said so."""
    return queries.table(store, study.dataset)
