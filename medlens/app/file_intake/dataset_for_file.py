"""Where a file goes when nobody says so and it does not say so itself."""

from __future__ import annotations

from medlens.review import items
from medlens.store import Store
from medlens.studies.own import queries as own_queries
from medlens.studies.own import tasks as own_tasks
from medlens.studies.registry import STUDIES, study_of
from medlens.studies.tagging import tasks


def default_dataset(store: Store, kind: str) -> str:
    """Published files go to a dataset of their own, the rest to the current one."""
    study = study_of(kind)
    declared = STUDIES[study]
    published = declared.published
    if kind.startswith("g4ue"):
        return published
    if study == own_tasks.STUDY:
        return next(iter(own_queries.names_of_studies(store)), published)
    found = items.datasets_of_study(store, study)
    real = [str(row["dataset"]) for row in found if not row["illustrative"]]
    if study != tasks.STUDY:
        elsewhere = kind in declared.follows and real and published not in real
        return real[0] if elsewhere else published
    if kind == "items":
        # A team's own responses do not belong among a published study's.
        own = [dataset for dataset in real if dataset != published]
        return own[0] if own else "main"
    if real:
        return real[0]
    return str(found[0]["dataset"]) if found else "main"
