"""People against models on the questionnaire: people's means, and differences per question.

Source: Avnat et al. 2024, Methods ("Human and Prompt validation"), Results ("Validation Analysis"),
Figure 2 and Table S3: six people answered 100 questions, first with "I do not know", then with a
guess instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow
from medlens.stats.intervals import mean
from medlens.stats.paired import clustered_difference


def rows(answers: pd.DataFrame) -> list[FigureRow]:
    """The figures, from ``questionnaire.answers``; empty if nobody has answered all of it."""
    people = answers[answers["kind"] == "person"]
    if people.empty:
        return []
    return [
        ("questionnaire_mean_accuracy", "people", _mean(people, "right", "known")),
        (
            "questionnaire_mean_accuracy_with_guesses",
            "people",
            _mean(people, "right_settled", "settled"),
        ),
        *_against_models(people, answers[answers["kind"] == "model"]),
    ]


def _mean(people: pd.DataFrame, right: str, known: str) -> Estimate:
    """The mean of people's accuracies, with the standard deviation in the method."""
    counts = people.groupby("rater", sort=False)[[right, known]].sum()
    shares = (counts[right] / counts[known].where(counts[known] > 0)).dropna()
    found = mean(shares.to_numpy(np.float64), kind=(0.0, 1.0), unit="people")
    if len(shares) < 2:
        return found
    sd = float(shares.std(ddof=1))
    return replace(found, method=f"{found.method}; SD {sd:.4f} over {len(shares)} people")


def _against_models(people: pd.DataFrame, models: pd.DataFrame) -> Iterator[FigureRow]:
    """For each model and prompt: people's share of right answers minus the model's.

    A prompt that offers "I do not know" is compared on the questions both answered, without
    people's guesses; any other prompt on every question, with them.
    """
    for (name, prompt, repeat), own in models.groupby(["rater", "prompt", "repeat"], sort=True):
        offered = str(prompt).endswith("+idk")
        right, known = ("right", "known") if offered else ("right_settled", "settled")
        pairs = people.merge(
            own[["question", "known", "right"]], on="question", suffixes=("", "_m")
        )
        pairs = pairs[pairs[known] & pairs["known_m"]]
        group = f"people against {name}, {prompt}" + (f", repeat {repeat}" if repeat != 1 else "")
        if pairs.empty:
            none = Estimate.undefined("no question was answered by both")
            yield "questionnaire_difference", group, none
            continue
        found = clustered_difference(
            pairs[right].to_numpy(),
            pairs["right_m"].to_numpy(),
            pairs["question"].to_numpy(),
            unit="questions",
        )
        said = "without guesses, where both answered" if offered else "with people's guesses"
        yield "questionnaire_difference", group, replace(found, method=f"{found.method}; {said}")
