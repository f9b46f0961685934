"""Which pairs people are asked to verify: any, spread over models and groups, or the disputed.

Wu et al. 2025 had doctors verify 400 of 58,000 pairs. Drawn pairs go to
``review.items_selected_to_hand_out``.
"""

from __future__ import annotations

from typing import Literal, get_args

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review import items_selected_to_hand_out
from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.sourcecheckup import figure_and_list_queries as listed
from medlens.studies.sourcecheckup import queries
from medlens.studies.sourcecheckup.load_figure_evidence import load_evidence
from medlens.studies.sourcecheckup.make_statement_source_pairs import add_items_of_imported_pairs
from medlens.studies.sourcecheckup.pair_list import (
    Filters,
    filter_table_of_pairs,
    table_of_pairs_to_list,
)
from medlens.studies.sourcecheckup.records import is_verdict_supporting_if_given
from medlens.studies.sourcecheckup.study_in_dataset import Study

Way = Literal["random", "stratified", "disputed"]
WAYS: tuple[Way, ...] = get_args(Way)
WAY_NAMES: dict[Way, str] = {
    "random": "At random",
    "stratified": "Evenly over models and question groups",
    "disputed": "Where verifiers disagree",
}


def sample_ids_of_pairs(
    pairs: pd.DataFrame,
    verdicts: pd.DataFrame,
    *,
    way: Way,
    n: int,
    seed: int,
    without: frozenset[str] = frozenset(),
) -> list[str]:
    """Item ids of up to ``n`` pairs, the same for the same seed and pairs.

    ``pairs``: ``queries.table_of_all_pairs``, with a column ``group`` to stratify by group; only
    pairs that are items and have a readable source are drawn, and none of ``without``.
    ``verdicts``: ``queries.current_verdicts_table`` of the models. Disputed: at least one verifier
    says supported and another does not (the paper's binary).

    Raises:
        InvalidInput: ``n`` is below 1.
    """
    if n < 1:
        raise InvalidInput("Draw at least one pair.", hint="Type a number of pairs.")
    open_ = pairs[(pairs["item_id"] != "") & (pairs["outcome"] == "ok")]
    open_ = open_[~open_["item_id"].isin(without)].sort_values("item_id", kind="stable")
    if way == "disputed":
        said = verdicts.assign(yes=verdicts["verdict"].map(is_verdict_supporting_if_given)).dropna(
            subset="yes"
        )
        sides = said.groupby("item_id")["yes"].nunique()
        open_ = open_[open_["item_id"].isin(sides.index[sides > 1])]
    shuffled = open_.sample(frac=1, random_state=np.random.default_rng(seed))
    if way == "stratified":
        strata = [column for column in ("model", "group") if column in shuffled]
        # The first of every stratum, then the second of each: balanced until a stratum runs out.
        turn = shuffled.groupby(strata, sort=False, dropna=False).cumcount()
        shuffled = shuffled.iloc[np.argsort(turn.to_numpy(), kind="stable")]
    return [str(item) for item in shuffled["item_id"].head(n)]


def sample_and_hand_out_pairs_and_count(
    store: Store,
    study: Study,
    *,
    way: Way,
    n: int,
    seed: int,
    by: Rater | None,
    wanted: Filters | None = None,
) -> int:
    """Draw up to ``n`` more pairs, which doctors get from now on; returns how many.

    ``by`` is a lead, or None for the command line. ``wanted`` filters the pairs to draw from, as it
    filters the list of pairs.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: ``n`` is below 1, or no fitting pair is left.
    """
    require_lead(by)
    add_items_of_imported_pairs(store, study.dataset)
    before = items_selected_to_hand_out.ids_of_selected_items(
        store, study.support, dataset=study.dataset
    )
    pairs, drawn = queries.table_of_all_pairs(store, study.dataset), f"{way}, seed {seed}"
    if wanted is not None and wanted != Filters():
        table = table_of_pairs_to_list(
            load_evidence(store, study, viewer=by),
            listed.table_of_all_pairs(store, study.dataset),
            wanted.verifier,
        )
        pairs = pairs[pairs["item_id"].isin(filter_table_of_pairs(table, wanted)["item_id"])]
        drawn += ", of " + ", ".join(f"{k} {v}" for k, v in vars(wanted).items() if v)
    found = sample_ids_of_pairs(
        pairs,
        queries.current_verdicts_table(store, study.dataset),
        way=way,
        n=n,
        seed=seed,
        without=frozenset(before),
    )
    return items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        store, study.support, found, dataset=study.dataset, drawn=drawn, by=by
    )
