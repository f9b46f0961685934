"""Where cited sites are registered: looked up, brought in, and told in the figures."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings, Web
from medlens.errors import BadFile
from medlens.store import Store
from medlens.studies.sourcecheckup import domain_country_lookup_import_and_export as run
from medlens.studies.sourcecheckup.domain_country_lookup_import_and_export import look_up_countries
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import registered_domain
from medlens.web.country_of_domain_registrant import (
    Registry,
    RegistryUnavailable,
    country_in_rdap_answer,
)
from tests.store.test_sourcecheckup_run import D, told
from tests.web_server import Served, WebServer

pytestmark = pytest.mark.usefixtures("read_near", "pages_read_near")

URLS = (
    "https://www.clinic.org/a",
    "https://who.int/b",
    "https://health.trust.co.uk/c",
    "https://shop.example-site.com/d",
    "http://10.0.0.1/e",
    "javascript:alert(1)",
)


@pytest.fixture
def web() -> Iterator[WebServer]:
    with WebServer() as server:
        yield server


def settings(web: WebServer) -> Settings:
    return Settings(web=Web(registry=web.url("/rdap"), pause=0))


def rdap(*address: str, cc: str = "") -> Served:
    adr = ["adr", {"cc": cc} if cc else {}, "text", ["", "", "", "", "", "", *address]]
    registrant = {"roles": ["registrant"], "vcardArray": ["vcard", [["version"], adr]]}
    body = {"entities": [{"roles": ["registrar"], "entities": [registrant]}]}
    return Served(json.dumps(body), kind="application/rdap+json")


def figures(store: Store) -> dict[tuple[str, str], Any]:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="sourcecheckup", dataset=D
    )
    return {(one.figure, one.group): one for one in table.itertuples()}


@pytest.mark.deep
def test_registrations_are_looked_up_once_and_the_figures_say_which_rule_decided(
    store: Store, web: WebServer
) -> None:
    told(store, "", "Rest helps.", urls=URLS)
    one = figures(store)["american", "all"]
    # .org and .com are taken for American, .int and .uk are not. Numbers are no domain.
    assert (one.numerator, one.denominator) == (2, 4)
    assert one.method.endswith("all by top-level domain")
    web.pages["/rdap/clinic.org"] = rdap("", cc="us")
    web.pages["/rdap/who.int"] = rdap("Switzerland")
    web.pages["/rdap/trust.co.uk"] = Served("", status=404)
    web.pages["/rdap/example-site.com"] = Served("", status=429)
    done = look_up_countries(store, settings(web), dataset=D)
    assert not done.complete
    assert done.lines[0].startswith("3 of 4 domains looked up in")
    assert "2 with a country, 1 without. 1 could not be looked up" in done.lines[0]
    assert run.revision_and_country_by_domain(store, D) == {
        "clinic.org": (1, "US"),
        "who.int": (1, "SWITZERLAND"),
        "trust.co.uk": (1, ""),
    }
    found = figures(store)
    # clinic.org by registration and .com by its name, of four.
    one = found["american", "all"]
    assert (one.numerator, one.denominator) == (2, 4)
    assert one.method.endswith("2 by registration, 2 by top-level domain")
    by = found["american_by_registration", "a"], found["american_by_domain_name", "a"]
    assert [(each.numerator, each.denominator) for each in by] == [(1, 2), (1, 2)]
    web.pages["/rdap/example-site.com"] = rdap("United States")
    before = web.total
    assert look_up_countries(store, settings(web), dataset=D).complete
    assert web.total == before + 1
    assert look_up_countries(store, settings(web), dataset=D).lines == (
        "Every cited site has been looked up already.",
    )
    web.pages["/rdap/trust.co.uk"] = rdap("GB")
    assert look_up_countries(store, settings(web), dataset=D, which="unknown").added == 1
    assert run.revision_and_country_by_domain(store, D)["trust.co.uk"] == (2, "GB")


def test_a_registry_that_misbehaves_has_said_nothing(web: WebServer) -> None:
    odd = {
        "inside.org": Served("", status=302, headers={"location": "http://10.0.0.1/x"}),
        "busy.org": Served("", status=429),
        "page.org": Served("<html>No JSON</html>"),
        "deep.org": Served("[" * 50_000),
        "huge.org": Served("x" * 70_000, endless=True),
    }
    web.pages.update({f"/rdap/{domain}": served for domain, served in odd.items()})

    async def ask() -> list[str]:
        registry = Registry(settings(web).web)
        said = []
        for domain in odd:
            with pytest.raises(RegistryUnavailable) as word:
                await registry.find_registration(domain)
            said.append(str(word.value))
        await registry.aclose()
        return said

    said = asyncio.run(ask())
    assert said[0] == "its host is a private address"
    assert said[1:4] == ["status 429", "no JSON", "no JSON"]


def test_without_a_network_the_top_level_domain_decides(store: Store) -> None:
    told(store, "", "Rest helps.", urls=URLS)
    offline = Settings(web=Web(registry="http://127.0.0.1:1/rdap", pause=0))
    done = look_up_countries(store, offline, dataset=D)
    assert not done.complete
    assert "4 could not be looked up: no registry answered. Their top-level domain" in done.lines[0]
    assert run.revision_and_country_by_domain(store, D) == {}
    assert figures(store)["american", "all"].method.endswith("all by top-level domain")


def test_countries_come_from_a_file_and_go_out_again(store: Store) -> None:
    told(store, "", "Rest helps.", urls=URLS)

    def take(text: str) -> work_behind_commands.Outcome:
        return work_behind_commands.import_file(
            store, Settings(), "sourcecheckup-countries", text.encode(), name="whois.csv", dataset=D
        )

    with pytest.raises(BadFile) as refused:
        take("domain,country\nclinic.org,US\n,US\nnowhere,DE\nclinic.org,DE\n")
    assert [(row.line, row.column) for row in refused.value.rows] == [
        (3, "domain"),
        (4, "domain"),
        (5, "country"),
    ]
    text = "domain,country\nwww.clinic.org,U.S.A.\nhttps://who.int/x,CH\ntrust.co.uk,\n"
    assert take(text).added == 3
    assert (take(text).added, take(text).known) == (0, 3)
    assert take("domain,country\nwho.int,us\n").line == (
        "Imported 1 country of registration into 'd'."
    )
    table = work_behind_commands.make_export_table(
        store, Settings(), "countries", viewer=None, study="sourcecheckup", dataset=D
    )
    assert table[["domain", "country", "answered"]].to_numpy().tolist() == [
        ["clinic.org", "US", "whois.csv"],
        ["trust.co.uk", "", "whois.csv"],
        ["who.int", "US", "whois.csv"],
    ]
    # clinic.org and who.int by the file; .com by its name, .uk is not.
    one = figures(store)["american", "all"]
    assert (one.numerator, one.denominator) == (3, 4)


@pytest.mark.parametrize(
    ("site", "domain"),
    [
        ("a.b.example.co.uk", "example.co.uk"),
        ("nih.gov", "nih.gov"),
        ("10.0.0.1", ""),
        ("", ""),
        ("localhost", ""),
        ("foo.github.io", "github.io"),
    ],
)
def test_a_site_belongs_to_a_registered_domain(site: str, domain: str) -> None:
    assert registered_domain(site) == domain


@pytest.mark.parametrize(
    "said",
    [
        None,
        [],
        "x",
        {},
        {"entities": 3},
        {"entities": [3, {"roles": None}]},
        {"entities": [{"roles": ["registrant"], "vcardArray": ["vcard"]}]},
        {"entities": [{"roles": ["registrant"], "vcardArray": ["vcard", [["adr", {}, "text"]]]}]},
        {
            "entities": [
                {"roles": ["registrant"], "vcardArray": ["vcard", [["adr", {}, "text", ["", 5]]]]}
            ]
        },
    ],
)
def test_an_answer_that_is_not_as_it_should_be_holds_no_country(said: Any) -> None:
    assert country_in_rdap_answer(said) == ""


def test_where_no_cited_site_has_a_domain_it_is_said_so(store: Store, web: WebServer) -> None:
    told(store, "", "Rest helps.", urls=("http://10.0.0.1/e",))
    done = look_up_countries(store, settings(web), dataset=D)
    assert done.lines == ("No cited site has a domain to look up.",)
