"""Which dataset a file of responses, labels or judgments goes to when nobody says so."""

from __future__ import annotations

from medlens.review import items
from medlens.store import Store
from medlens.studies.tagging.tasks import STUDY

PUBLISHED = "g4ue"
"""The dataset of the published files, and how the names of their kinds begin."""


def default_dataset_of_import(store: Store, kind: str) -> str:
    """That of the published files for these; for others the one that a team works on."""
    if kind.startswith(PUBLISHED):
        return PUBLISHED
    found = items.datasets_of_study(store, STUDY)
    real = [str(row["dataset"]) for row in found if not row["illustrative"]]
    if kind == "items":
        # A team's own responses do not belong among a published study's.
        own = [dataset for dataset in real if dataset != PUBLISHED]
        return own[0] if own else "main"
    if real:
        return real[0]
    return str(found[0]["dataset"]) if found else "main"
