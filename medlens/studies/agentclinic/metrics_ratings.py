"""What patients and clinicians say of the dialogues.

Sources: Schmidgall et al. 2024, section 3.3 (the patient's confidence, compliance and consultation,
1 to 10) and section 3.6 (three raters: doctor, patient, measurement, empathy, 1 to 10).
"""

from __future__ import annotations

from dataclasses import dataclass

from medlens.deferred_module import np, pd
from medlens.stats.alpha_and_intraclass_correlation import estimate_krippendorff_alpha
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import estimate_clustered_mean
from medlens.stats.judgment_shares_means_and_win_rates import (
    estimate_mean_of_judgments as judgments_mean,
)
from medlens.stats.judgment_shares_means_and_win_rates import estimate_share_of_judgments
from medlens.stats.scope_of_inference_over_raters import (
    JudgmentItemsAndRaters,
    note_estimate_speaks_for_these_raters,
)
from medlens.studies.agentclinic.biases import NONE
from medlens.studies.agentclinic.metrics_input_tables import RULES
from medlens.studies.agentclinic.records import RATING_NAMES
from medlens.studies.agentclinic.tasks import MARKS, SCALES, Realism

_ENDS = (1.0, 10.0)


@dataclass(frozen=True)
class PatientRatingOf:
    """One rating under one bias: its mean, and how much higher it is than without a bias."""

    mean: Estimate
    difference: Estimate


def patient_ratings_by_doctor_bias_and_scale(
    table: pd.DataFrame,
) -> dict[tuple[str, str, str], PatientRatingOf]:
    """Patients' ratings by (doctor, bias, rating); differences on the same cases and rules."""
    keys = ["case", *RULES, "repeat"]
    found = {}
    for (doctor, bias), group in table.groupby(["doctor", "bias"], sort=True):
        base = table[(table["doctor"] == doctor) & (table["bias"] == NONE)]
        joined = base.drop_duplicates(keys, keep="last").merge(
            group.drop_duplicates(keys, keep="last"), on=keys, suffixes=("_base", "_biased")
        )
        for rating in RATING_NAMES:
            given = group[group[rating].notna()]
            apart = joined[f"{rating}_biased"] - joined[f"{rating}_base"]
            known = joined[apart.notna()]
            difference = (
                Estimate.undefined_estimate("this is without a bias", method="mean difference")
                if bias == NONE
                else estimate_clustered_mean(
                    apart[apart.notna()].to_numpy(dtype=np.float64),
                    clusters=text_array_of_column(known["case"]),
                    unit="cases",
                    kind="difference",
                )
            )
            found[str(doctor), str(bias), rating] = PatientRatingOf(
                estimate_clustered_mean(
                    given[rating].to_numpy(dtype=np.float64),
                    clusters=text_array_of_column(given["case"]),
                    unit="cases",
                    kind=_ENDS,
                ),
                difference,
            )
    return found


def table_of_judgments_of_people(judgments: pd.DataFrame) -> pd.DataFrame:
    """The judgments of people; models are raters too, but are not counted as clinicians."""
    if "rater_kind" not in judgments:
        return judgments
    return judgments[judgments["rater_kind"] == "person"]


def realism_ratings_table(judgments: pd.DataFrame) -> pd.DataFrame:
    """Item, rater and the four scores (NaN if not given), one row per judgment of a person."""
    return _scores(table_of_judgments_of_people(judgments))


def _scores(given: pd.DataFrame) -> pd.DataFrame:
    table = pd.DataFrame(
        [value.scores_by_name_of_scale() for value in given["value"]], columns=list(SCALES)
    )
    table.insert(0, "rater", given["rater"].to_numpy())
    table.insert(0, "item", given["item"].to_numpy())
    return table.astype(dict.fromkeys(SCALES, "float64"))


@dataclass(frozen=True)
class HumanRating:
    """One scale: its mean, how often each score was given (of those given), and agreement."""

    mean: Estimate
    shares: dict[int, Estimate]
    alpha: Estimate


def mean_clinician_ratings_by_scale(judgments: pd.DataFrame) -> dict[str, HumanRating]:
    """Realism by scale, from ``consensus.current_judgments``; intervals are over dialogues."""
    table = realism_ratings_table(judgments)
    found: dict[str, HumanRating] = {}
    for scale in SCALES:
        given = table[table[scale].notna()]
        values = given[scale].to_numpy(dtype=np.float64)
        wide = given.pivot_table(index="item", columns="rater", values=scale, aggfunc="mean")
        of = _of_raters(given)
        found[scale] = HumanRating(
            mean=judgments_mean(values, of, kind=_ENDS),
            shares={
                score: estimate_share_of_judgments(values == score, of) for score in range(1, 11)
            },
            alpha=note_estimate_speaks_for_these_raters(
                estimate_krippendorff_alpha(
                    wide.to_numpy(dtype=np.float64) if len(wide) else np.empty((0, 1)),
                    level="ordinal",
                ),
                of.rater_count,
            ),
        )
    return found


def _of_raters(given: pd.DataFrame) -> JudgmentItemsAndRaters:
    items, raters = (text_array_of_column(given[name]) for name in ("item", "rater"))
    return JudgmentItemsAndRaters(items, raters, unit="dialogues")


def mean_ratings_by_scale_and_model(judgments: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """The mean on each scale of each model that rated dialogues, by (scale, model)."""
    if "rater_kind" not in judgments:
        return {}
    table = _scores(judgments[judgments["rater_kind"] == "model"])
    return {
        (scale, str(model)): estimate_clustered_mean(
            given[scale].to_numpy(dtype=np.float64),
            clusters=text_array_of_column(given["item"]),
            unit="dialogues",
            kind=_ENDS,
        )
        for scale in SCALES
        for model, given in table[table[scale].notna()].groupby("rater", sort=True)
    }


def shares_of_judgments_by_mark(judgments: pd.DataFrame) -> dict[str, Estimate]:
    """Share of the judgments in which any turn was given a mark, by mark."""
    of_people = table_of_judgments_of_people(judgments)
    values: list[Realism] = list(of_people["value"])
    given = [{one.mark for one in value.marks} for value in values]
    of = _of_raters(of_people)
    return {
        mark.id: estimate_share_of_judgments([mark.id in one for one in given], of)
        for mark in MARKS
    }
