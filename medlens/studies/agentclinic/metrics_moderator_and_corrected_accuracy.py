"""The moderator measured against clinicians, and accuracy corrected for its errors.

Each pair of a given and a correct diagnosis counts once, however many visits ended with it; pairs
of one case are resampled together. A clinician's answer on a pair is their last one; the
clinicians' answer is the adjudicator's if there is one, otherwise the clear majority
(``stats.majority``); where that is "cannot tell", there is no answer. Positive: the moderator said
it is the same disease.

Source of the correction: Rogan & Gladen (1978), American Journal of Epidemiology 107.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from medlens.deferred_module import np, pd
from medlens.stats.alpha_and_intraclass_correlation import estimate_krippendorff_alpha
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Clusters,
    Rates,
    estimate_judge_agreement_rates_and_kappa,
    rogan_gladen_estimate,
)
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import (
    MOST_OUTSTANDING,
    Estimate,
    share_with_bounds_for_outstanding_verdicts,
)
from medlens.stats.intervals import clustered_share
from medlens.stats.majority import count_votes_and_find_majority
from medlens.studies.agentclinic.metrics_input_tables import mask_of_dialogues_awaiting_verdict
from medlens.studies.agentclinic.metrics_ratings import table_of_judgments_of_people


@dataclass(frozen=True, kw_only=True)
class Moderator(Rates):
    """The moderator against clinicians.

    The four tuples hold names of dialogues, one for each pair: ``confirmed`` (both say the same
    disease), ``overcalled`` (only the moderator says so), ``missed`` (only clinicians do),
    ``rejected`` (neither). ``settled`` counts the visits with the checked pairs.
    """

    confirmed: tuple[str, ...]
    overcalled: tuple[str, ...]
    missed: tuple[str, ...]
    rejected: tuple[str, ...]
    settled: int
    raw: Estimate
    corrected: Estimate
    clinicians: Estimate


def clinician_verdicts_by_pair(
    judgments: pd.DataFrame, adjudicated: Mapping[str, str] | None = None
) -> dict[str, bool]:
    """By pair: whether clinicians call it the same disease; absent without a majority.

    ``adjudicated``: the adjudicator's answer by the name of the item it was given on.
    """
    given: dict[str, dict[str, str | None]] = {}
    checks = _by_pair(table_of_judgments_of_people(judgments))
    for row in checks.itertuples(index=False):
        said: Any = row.value
        given.setdefault(str(row.pair), {})[str(row.rater)] = said.same
    together = {
        pair: count_votes_and_find_majority(said.values()).answer
        for pair, said in sorted(given.items())
    }
    found = {pair: said == "yes" for pair, said in together.items() if said in ("yes", "no")}
    pair_of = dict(zip(checks["item"], checks["pair"], strict=True))
    for item, same in (adjudicated or {}).items():
        if item in pair_of:
            found.pop(pair_of[item], None)
            if same in ("yes", "no"):
                found[pair_of[item]] = same == "yes"
    return found


def _by_pair(table: pd.DataFrame, name: str = "item") -> pd.DataFrame:
    """With a column ``pair`` (if missing, each dialogue is its own), judgments oldest first."""
    table = table.sort_values("at", kind="stable") if "at" in table else table
    return table if "pair" in table else table.assign(pair=table[name])


def compare_moderator_with_clinicians(
    table: pd.DataFrame, judgments: pd.DataFrame, adjudicated: Mapping[str, str] | None = None
) -> Moderator:
    """Agreement, sensitivity, specificity, kappa, and accuracy with and without correction.

    ``table``: from ``metrics_input_tables.dialogues_table``, with the ``pair`` of each visit;
    ``judgments``: of the task ``diagnosis_match``, with the pair of each; ``adjudicated``: as in
    ``clinician_verdicts_by_pair``.
    """
    words, table = clinician_verdicts_by_pair(judgments, adjudicated), _by_pair(table, "dialogue")
    judged = table[table["outcome"].isin(("correct", "incorrect"))]
    verdicts = dict(
        zip(judged["dialogue"].astype(str), judged["outcome"] == "correct", strict=True)
    )
    checked = judged[judged["pair"].isin(words)]
    # If two moderators differ on a pair, it has two verdicts.
    once = checked.drop_duplicates(["pair", "outcome"])
    said = np.array(once["outcome"] == "correct", dtype=np.float64)
    truth = np.array([words[pair] for pair in once["pair"]], dtype=np.float64)
    names, cases = text_array_of_column(once["dialogue"]), text_array_of_column(once["case"])

    def cell(verdict: bool, word: bool) -> tuple[str, ...]:
        return tuple(names[(said == verdict) & (truth == word)].tolist())

    called = "clinicians called no diagnosis {}"
    rates = estimate_judge_agreement_rates_and_kappa(
        *(Clusters(cases, unit="cases"), said, truth),
        none="clinicians have checked no diagnosis",
        neither=(called.format("the same disease"), called.format("another disease")),
    )
    return Moderator(
        **vars(rates),
        confirmed=cell(True, True),
        overcalled=cell(True, False),
        missed=cell(False, True),
        rejected=cell(False, False),
        settled=len(checked),
        raw=_raw(table),
        corrected=_corrected(table, words, verdicts),
        clinicians=_between(judgments),
    )


def _raw(table: pd.DataFrame) -> Estimate:
    ended = table[table["outcome"] != "error"]
    if ended.empty:
        return Estimate.undefined_estimate(
            "there are no dialogues", method="accuracy", denominator=0
        )
    found = clustered_share(
        ended["outcome"] == "correct", text_array_of_column(ended["case"]), unit="cases"
    )
    return share_with_bounds_for_outstanding_verdicts(
        found, int(mask_of_dialogues_awaiting_verdict(table).sum())
    )


def _corrected(table: pd.DataFrame, words: dict[str, bool], verdicts: dict[str, bool]) -> Estimate:
    """Accuracy over all dialogues that ended, corrected by the checks; cases are resampled.

    (p + specificity - 1) / (sensitivity + specificity - 1), kept within 0 and 1, for the dialogues
    with a diagnosis; those without one are not correct and need no moderator. A pair is checked
    once.
    """
    ended = table[table["outcome"] != "error"]
    said, judged = np.zeros((2, len(ended)), dtype=bool)
    truth = np.full(len(ended), np.nan)
    counted: set[tuple[str, bool]] = set()
    for at, (name, pair) in enumerate(
        zip(ended["dialogue"].astype(str), ended["pair"], strict=True)
    ):
        if name not in verdicts:
            continue
        judged[at], said[at] = True, verdicts[name]
        if pair in words and (pair, verdicts[name]) not in counted:
            counted.add((pair, verdicts[name]))
            truth[at] = words[pair]
    clusters = Clusters(text_array_of_column(ended["case"]), unit="cases")
    found = rogan_gladen_estimate(
        clusters,
        clusters.codes,
        said,
        truth,
        judged,
        words=("the same disease", "another disease"),
        of=np.ones(len(ended), dtype=bool),
    )
    many = int(mask_of_dialogues_awaiting_verdict(table).sum())
    if many > MOST_OUTSTANDING * (len(ended) + many):
        return Estimate.undefined_estimate(
            f"{many:,} of {len(ended) + many:,} have verdicts outstanding"
        )
    return found


_CODES = {"yes": 0.0, "no": 1.0, "cannot_tell": 2.0}


def _between(judgments: pd.DataFrame) -> Estimate:
    """Krippendorff's alpha (nominal) between clinicians; "cannot tell" is an answer too."""
    given = _by_pair(table_of_judgments_of_people(judgments))
    table = pd.DataFrame(
        {
            "item": given["pair"].to_numpy(),
            "rater": given["rater"].to_numpy(),
            "code": [_CODES.get(value.same or "", np.nan) for value in given["value"]],
        }
    )
    if table.empty:
        return estimate_krippendorff_alpha(np.empty((0, 1)), level="nominal")
    wide = table.pivot_table(index="item", columns="rater", values="code", aggfunc="last")
    return estimate_krippendorff_alpha(wide.to_numpy(dtype=np.float64), level="nominal")
