"""SQL of MedQA accuracies: every value that was imported, the last one of a source standing."""

from __future__ import annotations

import json
from typing import Any

from medlens.store import Store
from medlens.studies.agentclinic.models import STUDY

KIND = "medqa_accuracy"


def imported(store: Store, dataset: str) -> list[dict[str, Any]]:
    """The bodies of a dataset's values in the order they came."""
    return [
        json.loads(body)
        for body in store.column(
            "select body from item where study = $study and kind = $kind and dataset = $dataset"
            " order by seq",
            study=STUDY,
            kind=KIND,
            dataset=dataset,
        )
    ]
