"""Where the sources are: sites, kinds of domain, US or not, paywalls and dead links.

US or not: by the country in which the domain is registered (whois) if a lookup knows it, else by
the top-level domain. The paper's list counts as American (``.com``, ``.org``, ``.gov``, ``.edu``,
``.info``, ``.net``; we add ``.us`` and ``.mil``) and nothing else: ``who.int`` is international.
Source: Wu et al. 2025, Methods (the origin of URLs); shares are of addresses cited, each once per
response.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from medlens.deferred_module import np, pd
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import Clusters
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate
from medlens.studies.sourcecheckup.metrics_input_tables import Bools, DatasetTables, Judged
from medlens.studies.sourcecheckup.metrics_support import (
    FigureCounts,
    group_names_and_group_array_of_responses,
)

KINDS = (".org", ".gov", ".edu", ".com", ".net", "other")
PAYWALLED = "paywalled"
DEAD = ("not_found", "http_error")
_AMERICAN = ("com", "org", "gov", "edu", "info", "net", "us", "mil")

Shares = dict[tuple[str, str], Estimate]


def registered_domain(site: str) -> str:
    """A site's registered domain (public suffix list); empty if none (a numeric address)."""
    # Importing it takes as long as drawing a page, and only this step needs it.
    from tld import get_fld

    found = get_fld(f"http://{site}", fail_silently=True, search_private=False) if site else None
    return str(found) if found else ""


def site_of_address(url: str) -> str:
    """The host of an address in lower case, without ``www.`` and port; ``""`` if it has none."""
    try:
        host = urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""
    return host.removeprefix("www.").rstrip(".")


def top_level_domain_group_of_site(site: str) -> str:
    """The group of a site's top-level domain. ``.gov.uk`` and ``.ac.uk`` count by their meaning."""
    labels = site.split(".")
    last = labels[-1] if len(labels) > 1 else ""
    if len(last) == 2 and len(labels) > 2:
        second = {"ac": "edu", "co": "com"}.get(labels[-2], labels[-2])
        last = second if f".{second}" in KINDS else last
    return f".{last}" if f".{last}" in KINDS else "other"


def is_site_american_if_known(site: str, countries: Mapping[str, str] | None = None) -> bool | None:
    """Whether a site is American; None for an address without a domain name.

    ``countries`` gives the country of registration (ISO 3166 code) by domain, if known.
    """
    known = country_of_site(site, countries or {})
    if known:
        return known.upper() in ("US", "USA")
    last = site.rsplit(".", 1)[-1] if "." in site else ""
    if not last.isalpha():
        return None
    return last in _AMERICAN


def country_of_site(site: str, countries: Mapping[str, str]) -> str:
    """Where a site, or the domain it belongs to, is registered; empty if unknown."""
    while "." in site:
        if countries.get(site):
            return countries[site]
        site = site.partition(".")[2]
    return ""


def sites_of_citations_table(material: DatasetTables) -> pd.DataFrame:
    """One row per row of ``material.table_of_citations_once_each``: model, site, kind, american
    (bool or None).
    """
    urls = material.table_of_citations_once_each["url"]
    codes, unique = pd.factorize(urls)
    of_url = [site_of_address(str(url)) for url in unique]
    site = np.array(of_url, dtype=object)[codes]
    kind = np.array([top_level_domain_group_of_site(one) for one in of_url], dtype=object)[codes]
    models = material.responses["model"].astype(str).to_numpy(dtype=object)
    return pd.DataFrame(
        {"model": models[material.array_of_response_rows_of_citations], "site": site, "kind": kind}
    )


def domain_shares_by_figure_and_group(
    judged: Judged, clusters: Clusters, *, countries: Mapping[str, str] | None = None
) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share of the cited addresses.

    ``domain_kind`` ("all, .org", "GPT-4o, .org"), ``american`` by model; if registrations are
    known, also ``american_by_registration`` and ``american_by_domain_name`` for the addresses that
    each rule decides; ``url_validity_by_kind``, ``url_validity_paper_by_kind`` and
    ``pair_support_by_kind`` by kind of domain; ``dead_once_existed``: of the dead addresses that
    the web archive was asked about, those that it has a copy of.
    """
    material = judged.material
    table = sites_of_citations_table(material)
    question = clusters.codes[material.array_of_response_rows_of_citations]
    found = FigureCounts(clusters)
    everything = np.ones(len(table), dtype=bool)
    kind = text_array_of_column(table["kind"])
    unique = {site: is_site_american_if_known(site, countries) for site in set(table["site"])}
    american = _of_site(table, {site: bool(flag) for site, flag in unique.items()})
    located = _of_site(table, {site: flag is not None for site, flag in unique.items()})
    by_whois = {site: bool(country_of_site(site, countries or {})) for site in unique}
    registered = _of_site(table, by_whois)
    existed = text_array_of_column(
        material.table_of_citations_once_each.get(
            "existed", pd.Series("", index=material.table_of_citations_once_each.index)
        )
    )
    for by in ((), ("model",)):
        groups, group = group_names_and_group_array_of_responses(material, by)
        of_citation = group[material.array_of_response_rows_of_citations]
        for one in KINDS:
            if (kind == one).any():
                found.add_figure_counts_of_groups(
                    "domain_kind",
                    [f"{name}, {one}" for name in groups],
                    of_citation,
                    question,
                    kind == one,
                    everything,
                )
        found.add_figure_counts_of_groups(
            "dead_once_existed",
            groups,
            of_citation,
            question,
            existed == "yes",
            np.isin(existed, ["yes", "no"]),
        )
        for figure, rows in (
            ("american", everything),
            ("american_by_registration", registered),
            ("american_by_domain_name", ~registered),
        ):
            found.add_figure_counts_of_groups(
                figure, groups, of_citation, question, american, located & rows
            )
    valid = material.table_of_citations_once_each["valid"].to_numpy(dtype=bool)
    fetched = (material.table_of_citations_once_each["outcome"] != "").to_numpy(dtype=bool)
    place = np.array([KINDS.index(one) for one in kind], dtype=np.int64)
    found.add_figure_counts_of_groups(
        "url_validity_by_kind", KINDS, place, question, valid, fetched
    )
    found.add_figure_counts_of_groups(
        "url_validity_paper_by_kind",
        KINDS,
        place,
        question,
        material.mask_of_valid_citations,
        fetched,
    )
    known = (judged.pairs["verdict"] != "cannot_tell").to_numpy(dtype=bool)
    found.add_figure_counts_of_groups(
        "pair_support_by_kind",
        KINDS,
        place[judged.pair_citation],
        clusters.codes[judged.pair_response],
        judged.pair_supported,
        known,
    )
    made = {
        name: one
        for name, one in found.estimate_shares_by_figure_and_group().items()
        if one.denominator
    }
    return _with_rules(made) if countries else _without_rules(made)


def _of_site(table: pd.DataFrame, flags: Mapping[str, bool]) -> Bools:
    return table["site"].map(flags).to_numpy(dtype=bool)


def _with_rules(made: Shares) -> Shares:
    """The figures; those on America say how many addresses each rule decided."""
    told = dict(made)
    for (figure, group), one in made.items():
        if figure == "american":
            by = [
                each.denominator if each else 0
                for each in (
                    made.get((f"american_by_{rule}", group))
                    for rule in ("registration", "domain_name")
                )
            ]
            method = f"{one.method}; {by[0]} by registration, {by[1]} by top-level domain"
            told[figure, group] = replace(one, method=method)
    return told


def _without_rules(made: Shares) -> Shares:
    """The figures if no registration is known: one rule decides all."""
    return {
        (figure, group): replace(one, method=f"{one.method}; all by top-level domain")
        if figure == "american"
        else one
        for (figure, group), one in made.items()
        if not figure.startswith("american_by_")
    }


def most_cited_sites_table(material: DatasetTables, *, most: int = 10) -> pd.DataFrame:
    """The sites cited most by each model, and by all: model, site, cited, of, share.

    A site is a registered domain with all its hosts: ``pubmed.ncbi.nlm.nih.gov`` is ``nih.gov``.
    ``of`` is how many sources the model cited, including those whose address names no site, which
    are not listed. Ties are ordered by name.
    """
    table = sites_of_citations_table(material)
    domains = {site: registered_domain(site) or site for site in set(table["site"])}
    table["site"] = table["site"].map(domains)
    everyone = table.assign(model="all")
    both = pd.concat([everyone, table]) if table["model"].nunique() > 1 else everyone
    counts = both.groupby(["model", "site"], sort=True).size().rename("cited").reset_index()
    counts["of"] = counts.groupby("model")["cited"].transform("sum")
    counts = counts[counts["site"] != ""]
    counts = counts.sort_values(["cited", "site"], ascending=[False, True], kind="stable")
    counts = counts.groupby("model", sort=False).head(most)
    counts["share"] = counts["cited"] / counts["of"]
    first = (counts["model"] != "all").to_numpy()
    order = np.lexsort((-counts["cited"].to_numpy(), text_array_of_column(counts["model"]), first))
    return counts.iloc[order].reset_index(drop=True)


def unreadable_sites_table(material: DatasetTables) -> pd.DataFrame:
    """Sites with a paywall or dead links: site, outcome, addresses, citations; most first."""
    cited = material.table_of_citations_once_each
    table = pd.DataFrame(
        {
            "site": sites_of_citations_table(material)["site"],
            "url": cited["url"],
            "outcome": cited["outcome"],
        }
    )
    table = table[table["outcome"].isin([PAYWALLED, *DEAD])]
    counts = table.groupby(["site", "outcome"], sort=True).agg(
        addresses=("url", "nunique"), citations=("url", "size")
    )
    return counts.reset_index().sort_values(
        ["citations", "site"], ascending=[False, True], kind="stable", ignore_index=True
    )
