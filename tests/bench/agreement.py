"""Agreement as the Team page works it out: everyone together, and every two raters."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from medlens.review.agreement import (
    compute_agreement_by_variable,
    list_raters_and_pairwise_agreement,
)
from medlens.studies.tagging import tasks
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.study_in_dataset import TaggingSettings
from medlens.studies.tagging.taxonomy import load_taxonomy
from tests.bench.rows import Options, Row


def run(options: Options) -> list[Row]:
    """The rows of this benchmark: 1,000 resamples behind every interval."""
    task = tasks.make_error_spans_task(load_taxonomy(TaggingSettings().taxonomy))
    labels = list(task.values_compared_for_agreement(ErrorSpans()))
    few = _judged(options.pick(5000, 500), 5, 5, labels, options.seed)
    many = _judged(options.pick(5000, 500), 50, 5, labels, options.seed)
    return [
        Row(
            f"agreement, 5 raters, {len(labels)} labels",
            _timed(partial(compute_agreement_by_variable, task, few)),
            "median",
            2000,
        ),
        Row(
            "every two of 50 raters, one label",
            _timed(partial(list_raters_and_pairwise_agreement, task, many, labels[0])),
            "median",
            1000,
        ),
    ]


def _judged(items: int, raters: int, each: int, labels: list[str], seed: int) -> pd.DataFrame:
    """``each`` judgments of every item by raters drawn at random: every two share some items."""
    drawn = np.random.default_rng(seed)

    def answer() -> ErrorSpans:
        given = [label for label in labels if drawn.random() < 0.2]
        return ErrorSpans(spans=tuple(ErrorSpan(labels=(label,)) for label in given))

    rows = [
        (f"item{item}", f"rater{rater}", "person", answer())
        for item in range(items)
        for rater in drawn.choice(raters, each, replace=False)
    ]
    table = pd.DataFrame(rows, columns=["item_id", "rater", "rater_kind", "value"])
    return table.assign(rater_id=table["rater"])


def _timed(work: Callable[[], object]) -> list[float]:
    """Milliseconds of CPU of five times."""
    found = []
    for _ in range(5):
        begun = time.process_time()
        work()
        found.append(1000 * (time.process_time() - begun))
    return found
