"""Cited pages: fetched safely (``page_fetch``) and turned into text
(``page_and_pdf_text_extraction``, in separate processes).

Imports nothing: a process that reads pages would otherwise load all of MedLens.
"""

from typing import Literal

Outcome = Literal[
    "ok",
    "not_found",
    "http_error",
    "blocked",
    "paywalled",
    "timeout",
    "too_large",
    "too_long",
    "unsupported_type",
    "empty",
    "refused",
]
"""What became of a cited page; ``page_fetch`` and docs/sourcecheckup.md say which is which."""
