"""Which citations lead somewhere, and where to."""

from __future__ import annotations

import pytest

from medlens.studies.ebmqa.citation_links import citation_address


@pytest.mark.parametrize(
    ("citation", "address"),
    [
        ("PMID 12345", "https://pubmed.ncbi.nlm.nih.gov/12345/"),
        ("Smith 2020. pmid:12345.", "https://pubmed.ncbi.nlm.nih.gov/12345/"),
        ("PMC77", "https://pmc.ncbi.nlm.nih.gov/articles/PMC77/"),
        ("doi:10.1056/NEJMoa1.", "https://doi.org/10.1056/NEJMoa1"),
        ("see https://doi.org/10.1/x", "https://doi.org/10.1/x"),
        ("http://example.org/a b", "http://example.org/a"),
        ("https://example.org/?q=a>b", "https://example.org/?q=a"),
        ("https://example.org/\u202eevil", "https://example.org/%E2%80%AEevil"),
        ("javascript:alert(1)", ""),
        ("https://", ""),
        ("http://[::1", ""),
        ("Smith et al. 2020", ""),
        ("", ""),
    ],
)
def test_a_citation_that_names_an_address_leads_there_and_no_other_does(
    citation: str, address: str
) -> None:
    assert citation_address(citation) == address
