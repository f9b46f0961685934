"""Addresses as models write them: each is found, and one page is one source."""

from __future__ import annotations

import pytest

from medlens.studies.sourcecheckup.extract_cited_addresses import (
    list_addresses_in_source_list,
    separate_addresses_from_text,
)
from medlens.web.cited_addresses import canonical_address
from tests.cited_address_samples import CITATIONS, CITATIONS_LATER

A, B = "https://a.org/x", "https://b.org/y"


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        (f"See {A},{B}.", (A, B)),
        (f"See {A};{B}", (A, B)),
        (f"See {A}; {B}", (A, B)),
        (f"See {A}|{B}", (A, B)),
        (f"See {A}{B}", (A, B)),
        (f"Siehe {A}、{B}。", (A, B)),
        (f"参见{A}，{B}；", (A, B)),
        (f"参见（{A}）", (A,)),
        (f"See “{A}”", (A,)),
        (f"See {A}…", (A,)),
        ("See https://a.org/\u200bx", (A,)),
        ("See https://a.org/x\u200b and more", (A,)),
        ("See https://a.\u00adorg/x", (A,)),
        ("See https://a.org/x?a=1&amp;b=2", ("https://a.org/x?a=1&b=2",)),
        ("See www.a.org/x,www.b.org/y", ("https://www.a.org/x", "https://www.b.org/y")),
        ("See HTTPS://A.ORG/x", (A,)),
        # These only look like two.
        (
            "See https://web.archive.org/web/2020/https://a.org/x",
            ("https://web.archive.org/web/2020/https://a.org/x",),
        ),
        ("See https://a.org/go?to=https://b.org/y", ("https://a.org/go?to=https://b.org/y",)),
        ("See https://a.org/x,y", ("https://a.org/x,y",)),
        # Numbers of a registry.
        ("Rest helps (PMID: 12345678).", ("https://pubmed.ncbi.nlm.nih.gov/12345678/",)),
        ("Rest helps. PMID 1234567", ("https://pubmed.ncbi.nlm.nih.gov/1234567/",)),
        ("Rest helps. PMCID: PMC1234567", ("https://pmc.ncbi.nlm.nih.gov/articles/PMC1234567/",)),
        ("Rest helps. doi:10.1056/NEJMoa2034577.", ("https://doi.org/10.1056/NEJMoa2034577",)),
        (
            "Rest helps (DOI: 10.1016/S0140-6736(20)30183-5).",
            ("https://doi.org/10.1016/S0140-6736(20)30183-5",),
        ),
        ("Rest helps, 10.1000/182; see it.", ("https://doi.org/10.1000/182",)),
        ("See https://doi.org/10.1000/182", ("https://doi.org/10.1000/182",)),
        ("Rest helps. arXiv:2009.13081", ("https://arxiv.org/abs/2009.13081",)),
        ("Of 10 patients, 10.5 % and 10/12 recovered. The pH was 10.1234.", ()),
    ],
)
def test_every_address_is_found_however_it_stands_beside_others(
    text: str, urls: tuple[str, ...]
) -> None:
    assert separate_addresses_from_text(text).urls == urls


def test_citations_as_models_write_them_name_the_addresses_that_are_meant() -> None:
    misread = {
        text: separate_addresses_from_text(text).urls
        for text, urls in (*CITATIONS, *CITATIONS_LATER)
        if separate_addresses_from_text(text).urls != urls
    }
    assert len(misread) <= 1, misread
    assert len(CITATIONS) + len(CITATIONS_LATER) >= 100


def test_an_address_broken_at_the_end_of_a_line_is_whole_and_a_line_of_its_own_is_none() -> None:
    listed = "Rest helps.\n\nSources:\n1. https://a.org/books/\n   NBK430685/\n2. https://b.org/y"
    assert separate_addresses_from_text(listed).urls == ("https://a.org/books/NBK430685/", B)
    assert separate_addresses_from_text(listed).text == "Rest helps."
    for below in ("Smith says.", "- one", "2. two", "5 mg twice.", "Well-known fact", "b.org/c"):
        assert (
            separate_addresses_from_text(f"See https://a.org/\n{below}").urls[0] == "https://a.org/"
        )


def test_an_endless_address_is_taken_in_parts() -> None:
    found = separate_addresses_from_text("https://a.org/" + "a" * 5000).urls
    assert len(found[0]) < 2100
    assert separate_addresses_from_text("https://a.org/\n" + "a/\n" * 5000).urls[0].count("a/") < 20


def test_numbers_that_follow_no_pubmed_number_are_none() -> None:
    for text in ("of 1234567 patients", "PMID: 12345678. In all, 1234567 fell ill.", "PubMed 2019"):
        assert "1234567/" not in "".join(separate_addresses_from_text(text).urls)


def test_what_is_taken_out_leaves_the_sentence() -> None:
    assert separate_addresses_from_text("Rest helps. **DOI:** 10.1000/182").text == "Rest helps."
    assert (
        separate_addresses_from_text("See https://a.org/x[1] and [2].").text == "See [1] and [2]."
    )
    assert separate_addresses_from_text("Rest helps (PMID: 12345678).").text == "Rest helps."
    assert separate_addresses_from_text(f"Rest helps ({A},{B}).").text == "Rest helps."
    assert separate_addresses_from_text("Rest helps, doi:10.1000/182.").text.startswith(
        "Rest helps"
    )


@pytest.mark.parametrize(
    "written",
    [
        "https://a.org/x?utm_source=chat&utm_medium=referral",
        "https://a.org/x?gclid=123",
        "https://A.org:443/x",
        "https://a.org/x#:~:text=rest%20helps",
        "HTTPS://a.org/x?fbclid=1&mc_cid=2",
        "https://a.org/x?utm_source=openai",
        "  https://a.org/x ",
    ],
)
def test_one_page_is_one_source(written: str) -> None:
    assert canonical_address(written) == A
    assert list_addresses_in_source_list([written, A]) == (A, A)


@pytest.mark.parametrize(
    ("written", "one_form"),
    [
        ("https://de.wikipedia.org/wiki/S%C3%A4ugling", "https://de.wikipedia.org/wiki/Säugling"),
        ("https://xn--mnchen-klinik-wob.de/a", "https://münchen-klinik.de/a"),
        ("https://a.org/x\\_y", "https://a.org/x_y"),
        # A space, a slash or bytes of another encoding stay as they are written.
        ("https://a.org/a%20b%2Fc%FC", "https://a.org/a%20b%2Fc%FC"),
        ("https://xn--0.de/a", "https://xn--0.de/a"),
    ],
)
def test_letters_are_one_address_however_they_are_encoded(written: str, one_form: str) -> None:
    assert canonical_address(written) == one_form


@pytest.mark.parametrize(
    "written",
    [
        "https://a.org/x?id=5",
        "https://a.org/x?source=2",
        "http://a.org/x",
        "https://a.org:8443/x",
        "https://a.org/X",
        "https://a.org/x#dosage",
        "https://a.org/x/",
        "https://u:p@a.org/x",
        "https://a.org/x?q=a;b=c",
        "https://bücher.example/ä",
    ],
)
def test_what_may_be_another_page_stays_another_source(written: str) -> None:
    assert canonical_address(written) == written.replace(";", "&")
    assert canonical_address(written) != A


@pytest.mark.parametrize("written", ["javascript:alert(1)", "https://[::1", "https://a.org:x/", ""])
def test_what_cannot_be_taken_apart_is_left_as_it_is(written: str) -> None:
    assert written in canonical_address(written)
