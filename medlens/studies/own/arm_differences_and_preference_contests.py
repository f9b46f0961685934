"""How arms on the same cases differ: paired comparisons, and which arm was preferred to which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

from medlens.config.question_forms_and_answer_checks import MET, Question
from medlens.deferred_module import np, pd
from medlens.stats import judgment_shares_means_and_win_rates as figures
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate, note_that_fewer_were_offered_option
from medlens.stats.hypothesis_tests_and_effect_sizes import holm_adjust
from medlens.stats.scope_of_inference_over_raters import JudgmentItemsAndRaters
from medlens.stats.smoothed_bootstrap import Floats, Ints
from medlens.studies.own.blinded_arms import (
    TIE,
    could_option_be_chosen,
    preferred_arm,
    question_id_for_arm,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def items_and_raters_of_rows(
    rows: pd.DataFrame, *, unit: str = "items", fixed_panel: bool = False
) -> JudgmentItemsAndRaters:
    """Whose judgments the rows are: a table with case and rater_id."""
    raters, ids = pd.factorize(rows["rater_id"], sort=True)
    return JudgmentItemsAndRaters(rows["case"].to_numpy(), raters, unit, fixed_panel, ids.tolist())


@dataclass(frozen=True)
class Difference:
    """How far the first arm is above the second in a question, or in one option of it. The p value
    is Holm-adjusted over all comparisons of the study.
    """

    question: Question
    option: str
    first: str
    second: str
    found: Estimate


def compare_every_two_arms(
    questions: Sequence[Question],
    answers: pd.DataFrame,
    arms: Sequence[str],
    *,
    fixed_panel: bool = False,
) -> list[Difference]:
    """Compare every two arms in every question asked of arms.

    ``answers`` has a row per judgment and arm: case, rater_id, arm, and an answer per question.
    Raters who judged both arms of a case are compared with themselves; on the other cases the means
    of the arms are compared
    (``judgment_shares_means_and_win_rates.estimate_difference_between_two_arms``). Comparisons in
    which nothing differs are not tested, and do not count in the correction.
    """
    rows = answers[answers["arm"] != ""]
    judged = items_and_raters_of_rows(rows, unit="cases", fixed_panel=fixed_panel)
    arm = pd.Categorical(rows["arm"], categories=list(arms)).codes
    compared: list[Difference] = []
    for question in questions:
        for option, values in _measured(question, rows):
            shares = bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
            shares = shares and not _is_scored(question)
            for first, second in combinations(range(len(arms)), 2):
                two = (arm == first) | (arm == second)
                estimate = figures.estimate_difference_between_two_arms(
                    values[two],
                    arm[two] == first,
                    judged.select_judgments_in_rows(two),
                    shares=shares,
                )
                answered = int((two & rows[question.id].notna().to_numpy(dtype=bool)).sum())
                if option:
                    counted = int((two & ~np.isnan(values)).sum())
                    estimate = note_that_fewer_were_offered_option(estimate, counted, answered)
                compared.append(Difference(question, option, arms[first], arms[second], estimate))
    adjusted = holm_adjust([np.nan if one.found.p is None else one.found.p for one in compared])
    many = int(np.count_nonzero(~np.isnan(adjusted)))
    return [
        replace(one, found=_adjusted(one.found, float(p), many))
        for one, p in zip(compared, adjusted, strict=True)
    ]


def _is_scored(question: Question) -> bool:
    return question.kind in ("scale", "number")


def _adjusted(estimate: Estimate, p: float, many: int) -> Estimate:
    if np.isnan(p) or many < 2:
        return estimate
    return replace(estimate, p=p, method=f"{estimate.method}; Holm over {many} comparisons")


def mask_of_answers_offered_option(
    question: Question, option: str, answers: pd.DataFrame
) -> NDArray[np.bool_]:
    """Which answers (rows,) could have been this option: those to a version of the study's file
    that offers it and, if the options are arms, of a case that shows this one. ``answers`` is as in
    ``figures.OwnStudyFigureData``.
    """
    if option not in dict(question.added) and not question.chooses_arm:
        return np.ones(len(answers), dtype=bool)
    orders = answers["order"] if question.chooses_arm else [()] * len(answers)
    found = [
        could_option_be_chosen(question, option, version=version, order=order)
        for version, order in zip(answers["version"], orders, strict=True)
    ]
    return np.array(found, dtype=bool)


def _measured(question: Question, rows: pd.DataFrame) -> list[tuple[str, Floats]]:
    """What is compared in a question, (rows,) each: NaN without an answer, and where the option was
    not offered.
    """
    answers = rows[question.id]
    if _is_scored(question):
        # The same few answers are repeated.
        code, different = pd.factorize(answers.to_numpy(dtype=object))
        return [("", np.array([*map(_number, different), np.nan])[code])]
    given = answers.tolist()
    options = question.shown_options
    if question.kind == "yes_no" or (question.kind == "single" and len(options) == 2):
        options = options[:1]
    known = answers.notna().to_numpy(dtype=bool)
    if question.kind == "multiple":
        hits = {
            option: [known and option in one for known, one in zip(known, given, strict=True)]
            for option in options
        }
    else:
        chosen = text_array_of_column(answers)
        hits = {option: chosen == option for option in options}
    return [
        (
            option,
            np.where(
                known
                & (
                    mask_of_answers_offered_option(question, option, rows)
                    | np.array(hit, dtype=bool)
                ),
                np.array(hit, dtype=float),
                np.nan,
            ),
        )
        for option, hit in hits.items()
    ]


def _number(answer: Any) -> float:
    return float(answer) if isinstance(answer, int | float) else float("nan")


# -- rubrics ---------------------------------------------------------------------------------------


def points_share_of_each_answer(
    criteria: Sequence[Question], answers: Mapping[str, Sequence[Any]] | pd.DataFrame
) -> Floats:
    """The points of the criteria met over all points to be had, for each row (rows,).

    "Cannot be told" adds and costs nothing. The share is below 0 if faults outweigh merits, and NaN
    if a criterion has no answer, or none of them adds points. As in HealthBench (Arora et al. 2025,
    arXiv:2505.08775; ``calculate_score`` in openai/simple-evals), which clips the mean of all rows
    to 0 to 1, not each row.
    """
    given = np.array([list(answers[one.id]) for one in criteria], dtype=object)
    points = np.array([one.points for one in criteria], dtype=np.float64)
    most = points[points > 0].sum()
    got = points @ (given == MET[0]).astype(np.float64)
    known = np.asarray(np.isin(given, MET).all(axis=0))
    return shares_of_possible_points_per_answer(got, np.full(len(got), most), known)


def shares_of_possible_points_per_answer(
    got: Floats, most: Floats, known: NDArray[np.bool_]
) -> Floats:
    """The points ``got`` over the ``most`` possible, for each answer; NaN if it is not ``known``,
    or there are no points to get.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(known & (most > 0), got / most, np.nan)
    return found


def expected_worst_of_k(shares: Sequence[float], k: int) -> float:
    """The expected worst of k answers out of ``shares`` (at least k), any k being equally likely:
    the mean over all sets of k of their minimum, without drawing them.
    """
    return float(np.asarray(shares) @ weights_in_expected_worst_of_k(shares, k))


def weights_in_expected_worst_of_k(shares: Sequence[float], k: int) -> Floats:
    """How much each of the ``shares`` (n,) counts in ``expected_worst_of_k``: how often it is the
    least.
    """
    n = len(shares)
    order = np.argsort(np.asarray(shares), kind="stable")
    weights = np.zeros(n)
    weights[order[: n - k + 1]] = [comb(n - at, k - 1) / comb(n, k) for at in range(1, n - k + 2)]
    return weights


# -- preferences -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ArmContests:
    """Which arm was preferred to which. Each contest has its case (n,) and rater (n,), the numbers
    of the two arms (n,) and the result of the first (n,): 1, 0 or, for a tie, a half. ``count`` is
    the number of arms, ``rater_ids`` are by the number of the rater.
    """

    case: Ints
    rater: Ints
    first: Ints
    second: Ints
    won: Floats
    count: int
    fixed_panel: bool = False
    rater_ids: Sequence[str] = ()

    @property
    def items_and_raters_of_contests(self) -> JudgmentItemsAndRaters:
        """Which case and which rater each contest is of."""
        return JudgmentItemsAndRaters(
            self.case, self.rater, "cases", self.fixed_panel, self.rater_ids
        )

    def estimate_share_of_wins(self, first: int, second: int) -> Estimate:
        """The share of contests between two arms that the first won, a tie counting half."""
        of = (self.first == first) & (self.second == second)
        if not of.any():
            return Estimate.undefined_estimate("the two were never compared", method="wins")
        share = figures.estimate_win_rate(
            self.won[of], self.items_and_raters_of_contests.select_judgments_in_rows(of)
        )
        return replace(share, method=f"share of contests won, a tie as half; {share.method}")

    def list_bradley_terry_strength_estimates(self) -> list[Estimate]:
        """The chance of each arm to be preferred to another, by the model of Bradley and Terry."""
        return figures.estimate_bradley_terry_chances(
            self.first, self.second, self.won, self.items_and_raters_of_contests, count=self.count
        )


def make_arm_contests_of_judgments(
    question: Question,
    answers: Sequence[Mapping[str, Any]],
    orders: Sequence[Sequence[str]],
    cases: Ints,
    raters: Ints,
    arms: Sequence[str],
    *,
    fixed_panel: bool = False,
    rater_ids: Sequence[str] = (),
) -> ArmContests:
    """The contests in judgments of a preference or ranking, with these answers, arms, cases and
    raters (by number; ``rater_ids`` by number).
    """
    number = {arm: at for at, arm in enumerate(arms)}
    rows: list[tuple[int, int, int, int, float]] = []
    for given, order, case, rater in zip(answers, orders, cases, raters, strict=True):
        there = sorted(number[one] for one in order)
        if question.kind == "preference":
            best = preferred_arm(given[question.id]) if question.id in given else None
            if best is None:
                continue
            for one, two in combinations(there, 2):
                if best == TIE or number[best] in (one, two):
                    won = 0.5 if best == TIE else float(number[best] == one)
                    rows.append((int(case), int(rater), one, two, won))
        else:
            places = {one: given.get(question_id_for_arm(question.id, arms[one])) for one in there}
            ranked = {one: float(place) for one, place in places.items() if place is not None}
            for one, two in combinations(ranked, 2):
                won = 0.5 if ranked[one] == ranked[two] else float(ranked[one] < ranked[two])
                rows.append((int(case), int(rater), one, two, won))
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    case, rater, first, second = table[:, :4].astype(np.int64).T
    results = table[:, 4]
    return ArmContests(case, rater, first, second, results, len(arms), fixed_panel, rater_ids)
