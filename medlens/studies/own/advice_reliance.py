"""What advice does to judgments: whether it changes minds, and whether rightly.

Each pair is one person's answers to an item before and after the advice was shown. Source of the
two shares of appropriate reliance: Schemmer et al. 2023, "Appropriate reliance on AI advice" (IUI).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from medlens.deferred_module import np
from medlens.stats import judgment_shares_means_and_win_rates as figures
from medlens.stats.estimate import Estimate
from medlens.stats.scope_of_inference_over_raters import JudgmentItemsAndRaters

if TYPE_CHECKING:
    from numpy.typing import NDArray


Bools: TypeAlias = "NDArray[np.bool_]"

SHARES = {
    "agreed_before": "Agreed with the advice before they saw it",
    "agreed_after": "Agreed with it afterwards",
    "took": "Changed to the advice, of those who had answered otherwise",
    "left": "Changed away from it, of those who had agreed",
    "advice_right": "The advice was right",
    "right_before": "Right before the advice",
    "right_after": "Right afterwards",
    "took_right": "Became right by right advice, of those who had been wrong",
    "kept_right": "Stayed right against wrong advice, of those who had been right",
}
"""Shares of all pairs, or of the part named."""
CHANGES = {"agreed_change": "Agreement with the advice", "right_change": "Right answers"}
"""Shares afterwards minus shares before."""


@dataclass(frozen=True)
class Pairs:
    """Answers (n,) ``before`` and ``after`` the advice, what was ``advised``, the ``truth`` (empty
    if not known), their ``items`` and ``raters``, and whether the raters are a fixed panel.
    """

    before: Sequence[str]
    after: Sequence[str]
    advised: Sequence[str]
    truth: Sequence[str]
    items: Sequence[str]
    raters: Sequence[str]
    fixed_panel: bool = False


def reliance_estimates_by_figure(pairs: Pairs) -> dict[str, Estimate]:
    """The ``SHARES`` and ``CHANGES``, with intervals that allow for several people judging one
    item and, from enough of them on, for people who differ; those about right answers use the items
    whose truth is known.
    """
    before, after, advised, truth = (
        np.array(side, dtype=str)
        for side in (pairs.before, pairs.after, pairs.advised, pairs.truth)
    )
    judged = JudgmentItemsAndRaters(
        np.array(pairs.items, dtype=str),
        np.array(pairs.raters, dtype=str),
        "items",
        pairs.fixed_panel,
    )
    told, known = advised != "", truth != ""

    def share(hits: Bools, of: Bools) -> Estimate:
        if not of.any():
            return Estimate.undefined_estimate("there are no such answers", method="share")
        return figures.estimate_share_of_judgments(
            hits[of], judged.select_judgments_in_rows(of), by_rater=True
        )

    def change(late: Bools, early: Bools, of: Bools) -> Estimate:
        if not of.any():
            return Estimate.undefined_estimate(
                "there are no such answers", method="difference of shares"
            )
        return figures.estimate_change_in_share(
            late[of], early[of], judged.select_judgments_in_rows(of)
        )

    agreed, agrees = before == advised, after == advised
    was, is_right, advice_right = before == truth, after == truth, advised == truth
    both = told & known
    return {
        "agreed_before": share(agreed, told),
        "agreed_after": share(agrees, told),
        "took": share(agrees, told & ~agreed),
        "left": share(~agrees, told & agreed),
        "advice_right": share(advice_right, both),
        "right_before": share(was, both),
        "right_after": share(is_right, both),
        "took_right": share(is_right, both & advice_right & ~was),
        "kept_right": share(is_right, both & ~advice_right & was),
        "agreed_change": change(agrees, agreed, told),
        "right_change": change(is_right, was, both),
    }
