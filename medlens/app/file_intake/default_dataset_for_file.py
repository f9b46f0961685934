"""Where a file goes when nobody says so and it does not say so itself."""

from __future__ import annotations

from medlens.review import items
from medlens.store import Store
from medlens.studies.registry import STUDIES, study_name_of_file_kind


def default_dataset_for_file_kind(store: Store, kind: str) -> str:
    """Where the study has such files go, or else to the dataset for published files; rows about
    items that exist already go to these.
    """
    study = study_name_of_file_kind(kind)
    declared = STUDIES[study]
    if declared.choose_dataset:
        return declared.choose_dataset(store, kind)
    if kind in declared.follows:
        found = items.datasets_of_study(store, study)
        real = [str(row["dataset"]) for row in found if not row["illustrative"]]
        if real and declared.published not in real:
            return real[0]
    return declared.published
