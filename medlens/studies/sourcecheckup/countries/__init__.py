"""Where the cited sites are registered: looked up at the registries, or brought in from a file.

Wu et al. 2025 tell American sources by whois, and by the top-level domain where it is silent.
"""

from __future__ import annotations


def domain_of(site: str) -> str:
    """The registered domain that a site belongs to (public suffix list); empty for none, such as an
    address in numbers."""
    # Loading it takes as long as drawing a page, and only this step needs it.
    from tld import get_fld

    found = get_fld(f"http://{site}", fail_silently=True, search_private=False) if site else None
    return str(found) if found else ""
