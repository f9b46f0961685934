"""The counts of a group of answers, and the measures computed from them.

A *tally table* is what every figure starts from: one row per group of answers, with the names of
the group (``model``, ``kind``, a label …) and ``COUNTS`` as columns. SQL makes it; it is small
however many answers there are.

Source: Avnat et al. 2024 (EBMQA), Methods: accuracy is correct over answered, the answer rate is
answered over asked; a semantic question scores |chosen and correct| / |chosen|.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from medlens.deferred_module import pd
from medlens.review.figure_titles import figure_titles_by_id_of_study
from medlens.stats.estimate import Estimate, FigureRow
from medlens.stats.intervals import wilson_mean_estimate, wilson_share_estimate
from medlens.studies.ebmqa.prompts import STUDY, PromptVariant

COUNTS = (
    *("asked", "answered", "idk", "refused", "parse_failed", "error"),
    *("score", "exact", "jaccard"),
)
"""Columns of a tally table: answers of each outcome (``asked`` is all), and over the answered ones
the sum of scores, the number of exactly right sets, and the sum of Jaccard indices."""


@dataclass(frozen=True)
class AnswerCounts:
    """Counts of one group of answers; see ``COUNTS``."""

    asked: int = 0
    answered: int = 0
    idk: int = 0
    refused: int = 0
    parse_failed: int = 0
    error: int = 0
    score: float = 0.0
    exact: int = 0
    jaccard: float = 0.0

    @property
    def count_of_replies(self) -> int:
        """Questions to which the model gave any reply; a failed call is not a reply."""
        return self.asked - self.error

    def __add__(self, other: AnswerCounts) -> AnswerCounts:
        """The two groups combined."""
        return AnswerCounts(*(getattr(self, name) + getattr(other, name) for name in COUNTS))

    def __sub__(self, other: AnswerCounts) -> AnswerCounts:
        """This group without the other, which must be part of it."""
        return AnswerCounts(*(getattr(self, name) - getattr(other, name) for name in COUNTS))


def tally_by_groups(
    table: pd.DataFrame, names: Sequence[str]
) -> dict[tuple[str, ...], AnswerCounts]:
    """The tally of each group by its values of ``names``, in the table's order; rows are summed."""
    found: dict[tuple[str, ...], AnswerCounts] = {}
    keys = table[list(names)].astype(str).itertuples(index=False, name=None)
    counts = table[list(COUNTS)].itertuples(index=False, name=None)
    for key, values in zip(keys, counts, strict=True):
        one = AnswerCounts(*values)
        found[key] = found[key] + one if key in found else one
    return found


def estimate_accuracy_of_answered(one: AnswerCounts) -> Estimate:
    """Score over answered: the paper's accuracy."""
    return _mean(one.score, one.answered, "no question was answered")


def estimate_answer_rate(one: AnswerCounts) -> Estimate:
    """Answered over replied: a reply without an answer counts, a failed call does not."""
    if not one.count_of_replies:
        return Estimate.undefined_estimate(
            "no question was replied to", method="Wilson with t", denominator=0
        )
    return wilson_share_estimate(one.answered, one.count_of_replies)


def estimate_accuracy_with_unanswered_wrong(one: AnswerCounts) -> Estimate:
    """Score over replied: an unanswered question counts as wrong."""
    return _mean(one.score, one.count_of_replies, "no question was replied to")


def estimate_exact_match_share(one: AnswerCounts) -> Estimate:
    """Share of the answered questions whose chosen options are exactly the correct ones."""
    return _mean(float(one.exact), one.answered, "no question was answered")


def estimate_mean_jaccard(one: AnswerCounts) -> Estimate:
    """Mean over the answered questions of |chosen and correct| / |chosen or correct|."""
    return _mean(one.jaccard, one.answered, "no question was answered")


def estimate_idk_rate(one: AnswerCounts) -> Estimate:
    """Share of the replies that say they do not know."""
    return _mean(float(one.idk), one.count_of_replies, "no question was replied to")


def estimate_refusal_rate(one: AnswerCounts) -> Estimate:
    """Share of the replies that refuse to answer."""
    return _mean(float(one.refused), one.count_of_replies, "no question was replied to")


def estimate_unreadable_rate(one: AnswerCounts) -> Estimate:
    """Share of the replies in which no answer could be read."""
    return _mean(float(one.parse_failed), one.count_of_replies, "no question was replied to")


def estimate_error_rate(one: AnswerCounts) -> Estimate:
    """Share of the questions asked whose call failed; no other measure includes these."""
    return _mean(float(one.error), one.asked, "no question was asked")


def _mean(total: float, n: int, none: str) -> Estimate:
    if not n:
        return Estimate.undefined_estimate(none, method="Wilson with t", denominator=0)
    return wilson_mean_estimate(total, n)


Measure = Callable[[AnswerCounts], Estimate]

_MEASURED: Mapping[str, Measure] = {
    "accuracy": estimate_accuracy_of_answered,
    "answer_rate": estimate_answer_rate,
    "accuracy_of_all": estimate_accuracy_with_unanswered_wrong,
    "exact": estimate_exact_match_share,
    "jaccard": estimate_mean_jaccard,
    "idk_rate": estimate_idk_rate,
    "refusal_rate": estimate_refusal_rate,
    "unreadable_rate": estimate_unreadable_rate,
    "error_rate": estimate_error_rate,
}

MEASURES: Mapping[str, tuple[str, Measure]] = {
    name: (figure_titles_by_id_of_study("ebmqa")[name], measure)
    for name, measure in _MEASURED.items()
}
"""Each measure by its name in figures: its title, and how a tally gives it."""


def total_and_n_of_measure(one: AnswerCounts, measure: str) -> tuple[float, int]:
    """The parts of a measure as (total, n), for tests of one group against another.

    Totals are without the error of adding floating-point numbers up, so that one that ends in a
    half is rounded the same way however it came about.
    """
    made_of: dict[str, tuple[float, int]] = {
        "accuracy": (one.score, one.answered),
        "answer_rate": (one.answered, one.count_of_replies),
        "accuracy_of_all": (one.score, one.count_of_replies),
        "exact": (one.exact, one.answered),
        "jaccard": (one.jaccard, one.answered),
        "idk_rate": (one.idk, one.count_of_replies),
        "refusal_rate": (one.refused, one.count_of_replies),
        "unreadable_rate": (one.parse_failed, one.count_of_replies),
        "error_rate": (one.error, one.asked),
    }
    total, n = made_of[measure]
    return round(total, 9), n


OFFERED = {True: "with I do not know", False: "without I do not know"}


# The prompt study: how much the order of the options, and offering "I do not know", matters.
#
# Source: Avnat et al. 2024, Methods ("Human and Prompt validation") and Results ("Validation
# Analysis"): each model answers the same questions in four orders with the option "I do not know"
# and in four without; means and standard deviations are over the orders.


@dataclass(frozen=True)
class PromptSpread:
    """One model on one kind of question: a measure's mean and SD over orders.

    ``orders`` has the measure for each order that was asked.
    """

    model: str
    kind: str
    idk: bool
    orders: Mapping[PromptVariant, Estimate]
    mean: Estimate
    sd: Estimate

    @property
    def group_name_in_rows(self) -> str:
        """The group name in its figures' rows."""
        return f"{self.model}, {self.kind}, {OFFERED[self.idk]}"


def list_spreads_over_prompts(
    found: Mapping[tuple[str, str, str], AnswerCounts], measure: str = "accuracy"
) -> list[PromptSpread]:
    """The prompt study of every model and kind, from tallies by (model, kind, prompt).

    The tallies hold the same questions for every prompt of a model, so a mean of their shares has
    no interval of its own. A spread takes at least two orders.
    """
    make = MEASURES[measure][1]
    rows = []
    for model, kind in dict.fromkeys((model, kind) for model, kind, _ in found):
        for idk in OFFERED:
            orders = {
                one: make(found[model, kind, one.name_in_answers])
                for one in STUDY
                if one.idk is idk and (model, kind, one.name_in_answers) in found
            }
            if len(orders) > 1:
                rows.append(_spread(model, kind, idk, orders))
    return rows


def _spread(
    model: str, kind: str, idk: bool, orders: Mapping[PromptVariant, Estimate]
) -> PromptSpread:
    values = [one.value for one in orders.values() if one.value is not None]
    method = f"mean over {len(values)} orders of the options, the same questions in each"
    sd_method = f"standard deviation over {len(values)} orders of the options"
    if len(values) < 2:
        none = Estimate.undefined_estimate("fewer than two orders have an answer", method=method)
        return PromptSpread(model, kind, idk, orders, none, none)
    mean = Estimate(statistics.fmean(values), None, None, len(values), method)
    sd = Estimate(statistics.stdev(values), None, None, len(values), sd_method)
    return PromptSpread(model, kind, idk, orders, mean, sd)


def prompt_study_figure_rows(found: Mapping[tuple[str, str, str], AnswerCounts]) -> list[FigureRow]:
    """The figures of the prompt study: each prompt's accuracy and answer rate, means and SDs."""
    made: list[FigureRow] = []
    for measure in ("accuracy", "answer_rate"):
        for one in list_spreads_over_prompts(found, measure):
            made += [
                (
                    f"prompt_{measure}",
                    f"{one.model}, {one.kind}, {variant.name_in_answers}",
                    estimate,
                )
                for variant, estimate in one.orders.items()
            ]
            made.append((f"prompt_mean_{measure}", one.group_name_in_rows, one.mean))
            made.append((f"prompt_sd_{measure}", one.group_name_in_rows, one.sd))
    return made
