"""The prompt study: how much the order of the options, and offering "I do not know", matters.

Source: Avnat et al. 2024, Methods ("Human and Prompt validation") and Results ("Validation
Analysis"): each model answers the same questions in four orders with the option "I do not know" and
in four without; means and standard deviations are over the orders.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

from medlens.stats.estimate import Estimate
from medlens.stats.figures import FigureRow
from medlens.studies.ebmqa.metrics_tally import MEASURES, Tally
from medlens.studies.ebmqa.prompts import STUDY, Variant

OFFERED = {True: "with I do not know", False: "without I do not know"}


@dataclass(frozen=True)
class Spread:
    """One model on one kind of question: a measure's mean and SD over orders.

    ``orders`` has the measure for each order that was asked.
    """

    model: str
    kind: str
    idk: bool
    orders: Mapping[Variant, Estimate]
    mean: Estimate
    sd: Estimate

    @property
    def group(self) -> str:
        """The group name in its figures' rows."""
        return f"{self.model}, {self.kind}, {OFFERED[self.idk]}"


def spreads(found: Mapping[tuple[str, str, str], Tally], measure: str = "accuracy") -> list[Spread]:
    """The prompt study of every model and kind, from tallies by (model, kind, prompt).

    The tallies hold the same questions for every prompt of a model, so a mean of their shares has
    no interval of its own. A spread takes at least two orders.
    """
    make = MEASURES[measure][1]
    rows = []
    for model, kind in dict.fromkeys((model, kind) for model, kind, _ in found):
        for idk in OFFERED:
            orders = {
                one: make(found[model, kind, one.name])
                for one in STUDY
                if one.idk is idk and (model, kind, one.name) in found
            }
            if len(orders) > 1:
                rows.append(_spread(model, kind, idk, orders))
    return rows


def _spread(model: str, kind: str, idk: bool, orders: Mapping[Variant, Estimate]) -> Spread:
    values = [one.value for one in orders.values() if one.value is not None]
    method = f"mean over {len(values)} orders of the options, the same questions in each"
    sd_method = f"standard deviation over {len(values)} orders of the options"
    if len(values) < 2:
        none = Estimate.undefined("fewer than two orders have an answer", method=method)
        return Spread(model, kind, idk, orders, none, none)
    mean = Estimate(statistics.fmean(values), None, None, len(values), method)
    sd = Estimate(statistics.stdev(values), None, None, len(values), sd_method)
    return Spread(model, kind, idk, orders, mean, sd)


def rows(found: Mapping[tuple[str, str, str], Tally]) -> list[FigureRow]:
    """The figures of the prompt study: each prompt's accuracy and answer rate, means and SDs."""
    made: list[FigureRow] = []
    for measure in ("accuracy", "answer_rate"):
        for one in spreads(found, measure):
            made += [
                (f"prompt_{measure}", f"{one.model}, {one.kind}, {variant.name}", estimate)
                for variant, estimate in one.orders.items()
            ]
            made.append((f"prompt_mean_{measure}", one.group, one.mean))
            made.append((f"prompt_sd_{measure}", one.group, one.sd))
    return made
