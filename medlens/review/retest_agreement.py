"""How far raters agree with themselves: their answers to items that came again, beside their first
answers (test–retest). Agreement between raters and all other figures use the first ones only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from medlens.deferred_module import np, pd
from medlens.review import consensus
from medlens.review.agreement import (
    encode_answers_to_variables,
    encode_judgments_for_agreement,
    variables_by_pool,
)
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.stats.alpha_and_intraclass_correlation import estimate_intraclass_correlation
from medlens.stats.estimate import (
    FIGURE_COLUMNS,
    Estimate,
    FigureRow,
    figure_rows_as_table,
    move_speaks_for_column_last,
)
from medlens.stats.intervals import clustered_share, wilson_share_estimate
from medlens.stats.judgment_shares_means_and_win_rates import estimate_share_of_judgments
from medlens.stats.kappa import Weights, estimate_cohen_kappa
from medlens.stats.kappa import tolerance_in_words as within_tolerance
from medlens.stats.rating_counts import RatingCounts
from medlens.stats.scope_of_inference_over_raters import (
    JudgmentItemsAndRaters,
    note_estimate_speaks_for_these_raters,
)
from medlens.store import Store

EVERYONE = ""
"""All raters together, among names of raters."""
MEASURES = {
    "same": ("Same answer", "how often a rater gave an item the same answer again"),
    "kappa": (
        "Cohen's kappa",
        "1 is perfect agreement, 0 is chance; weighted if answers are ordered",
    ),
    "icc": ("ICC", "how well one rating tells items apart, for numbers and scales"),
}
"""The title and the meaning of each measure."""


@dataclass(frozen=True)
class Within:
    """How far a rater, or all together, agree with themselves on one variable; ``same`` counts
    answers within a scale's tolerance as the same, ``icc`` needs numbers and is None for nominal
    answers. Together, items are drawn whole, with all their raters; ``same`` and ``kappa`` are for
    raters like these if there are enough, ``icc`` for these raters on other items.
    """

    same: Estimate
    kappa: Estimate
    icc: Estimate | None


def retest_pairs_table(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> pd.DataFrame:
    """People's two blind judgments of each item that came again, a row each: item_id, rater_id,
    rater, first and again (of the task's type), hours between them.
    """
    again = consensus.current_judgments(store, task, dataset=dataset, viewer=viewer, again=True)
    if again.empty:
        return pd.DataFrame(columns=[*_KEYS, "rater", "first", "again", "hours"])
    first = consensus.current_judgments(store, task, dataset=dataset, viewer=viewer)
    both = first[first["rater_kind"] == "person"].merge(
        again[[*_KEYS, "value", "at"]], on=_KEYS, suffixes=("", "_again")
    )
    hours = (both["at_again"] - both["at"]).dt.total_seconds() / 3600
    both = both.rename(columns={"value": "first", "value_again": "again"}).assign(hours=hours)
    return both[[*_KEYS, "rater", "first", "again", "hours"]]


_KEYS = ["item_id", "rater_id"]


def retest_agreement_by_variable_and_rater(
    task: Task, both: pd.DataFrame
) -> dict[str, dict[str, Within]]:
    """Agreement of raters with themselves by variable and rater (by name, ``EVERYONE`` first), from
    ``pairs``. Variables that were answered only once are left out.
    """
    if both.empty:
        return {}
    of_pair = [str(at) for at in range(len(both))]
    long = pd.concat(
        [
            pd.DataFrame(
                {"item_id": of_pair, "rater_id": when, "value": both[when].to_numpy(object)}
            )
            for when in ("first", "again")
        ],
        ignore_index=True,
    )
    items, raters = both["item_id"].to_numpy(object), both["rater"].to_numpy(object)
    measured = encode_judgments_for_agreement(task, long, by="rater_id")
    found: dict[str, dict[str, Within]] = {}
    for variable, of in variables_by_pool(task, measured).items():
        nominal, pooled = (
            task.measurement_level_of_variable(of[0]) == "nominal",
            variable in task.pools,
        )
        answers = encode_answers_to_variables(measured, of, nominal=nominal)
        if answers.ratings.shape[1] < 2:
            continue
        twice = ~np.isnan(answers.ratings).any(axis=1)
        ratings, at = answers.ratings[twice], answers.items[twice].astype(np.intp)
        if not len(ratings):
            continue
        tolerance = 0.0 if nominal else task.tolerances.get(of[0], 0.0)
        names = sorted(set(raters[at]), key=lambda name: (name.casefold(), name))
        found[variable] = {
            EVERYONE: _within(
                ratings, items[at], nominal=nominal, tolerance=tolerance, raters=raters[at]
            )
        } | {
            name: _within(
                ratings[mine],
                items[at][mine] if pooled else None,
                nominal=nominal,
                tolerance=tolerance,
            )
            for name in names
            if len(mine := np.flatnonzero(raters[at] == name))
        }
    return found


def _within(
    ratings: Any, items: Any, *, nominal: bool, tolerance: float, raters: Any = None
) -> Within:
    """From answers (n, 2) to units that lie in ``items`` (n,), or are items each if None, by
    ``raters`` (n,), or one rater if None.
    """
    first, again = ratings.T
    same = np.abs(first - again) <= tolerance
    codes = None if items is None else np.unique(items.astype(str), return_inverse=True)[1]
    counts = RatingCounts.from_ratings(ratings, clusters=codes)
    judgments = None
    if raters is not None and codes is not None:
        judgments = JudgmentItemsAndRaters(codes, raters.astype(str))
    if judgments is not None:
        share = estimate_share_of_judgments(same, judgments)
    elif codes is None:
        share = wilson_share_estimate(int(same.sum()), len(same), unit="items")
    else:
        share = clustered_share(same, codes, unit="items")
    if tolerance:
        share = replace(share, method=f"{share.method}; the same{within_tolerance(tolerance)}")
    people = 1 if judgments is None else judgments.rater_count
    weights: Weights = "none" if nominal else "quadratic"
    return Within(
        same=note_estimate_speaks_for_these_raters(share, people),
        kappa=note_estimate_speaks_for_these_raters(
            estimate_cohen_kappa(
                first, again, weights=weights, clusters=codes, judgments=judgments
            ),
            people,
        ),
        icc=None
        if nominal
        else note_estimate_speaks_for_these_raters(estimate_intraclass_correlation(counts), people),
    )


def retest_figure_rows(
    found: Mapping[str, Mapping[str, Within]], *, each: bool = False
) -> list[FigureRow]:
    """``within`` as rows of figures: of all raters together, or also of ``each``, as the group."""
    return [
        (f"retest_{measure}_{variable}", rater, one)
        for variable, by_rater in found.items()
        for rater, agreed in by_rater.items()
        if each or rater == EVERYONE
        for measure in MEASURES
        if (one := getattr(agreed, measure)) is not None
    ]


def retest_figures_table_for_export(
    declared: Any, store: Store, opened: Any, *, viewer: Rater | None
) -> pd.DataFrame:
    """``within`` of every task of a study in a dataset, as figures are exported: for everyone and
    for each rater.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    tables = []
    for task in declared.tasks(opened):
        both = retest_pairs_table(store, task, dataset=opened.dataset, viewer=viewer)
        told = [
            (figure, rater or "everyone", one)
            for figure, rater, one in retest_figure_rows(
                retest_agreement_by_variable_and_rater(task, both), each=True
            )
        ]
        table = figure_rows_as_table(told, study=declared.name).assign(task=task.name)
        tables.append(move_speaks_for_column_last(table))
    some = [one for one in tables if not one.empty]
    return (
        pd.concat(some, ignore_index=True)
        if some
        else move_speaks_for_column_last(pd.DataFrame(columns=[*FIGURE_COLUMNS, "task"]))
    )
