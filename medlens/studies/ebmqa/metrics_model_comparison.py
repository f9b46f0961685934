"""Models against models: the paper's Table 1, and McNemar's score test on questions that both
answered.

Source: Avnat et al. 2024 (EBMQA), Table 1: chi-square without Yates' correction on counts rounded
to whole numbers, odds ratios with Woolf's intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from medlens.deferred_module import np, pd
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate, FigureRow
from medlens.stats.hypothesis_tests_and_effect_sizes import (
    HypothesisTest,
    benjamini_hochberg,
    chi_square_test,
    cohens_h,
    estimate_odds_ratio,
)
from medlens.stats.judgment_shares_means_and_win_rates import estimate_mean_of_rater_shares
from medlens.stats.paired_proportions import (
    estimate_clustered_paired_difference,
    estimate_paired_difference,
    score_test_of_paired_difference,
)
from medlens.stats.scope_of_inference_over_raters import (
    JudgmentItemsAndRaters,
    note_estimate_speaks_for_these_raters,
)
from medlens.studies.ebmqa.metrics_answer_counts import (
    MEASURES,
    AnswerCounts,
    total_and_n_of_measure,
)

LEVEL = 0.05
"""Two models differ significantly if the corrected p of their comparison is below this."""


@dataclass(frozen=True)
class GroupComparison:
    """One measure of one group against another's. ``h`` is Cohen's; None where undefined."""

    first: Estimate
    second: Estimate
    test: HypothesisTest
    odds: Estimate
    h: float | None

    @property
    def difference_in_shares_as_number(self) -> float | None:
        """First minus second, in shares."""
        if self.first.value is None or self.second.value is None:
            return None
        return self.first.value - self.second.value


def two_by_two_counts_as_nested_lists(
    first: tuple[float, int], second: tuple[float, int], *, rounded: bool = True
) -> list[list[float]]:
    """(total, n) of two groups as the table [[yes, no], [yes, no]].

    Totals of fractional scores are rounded to whole numbers first, as in the paper, unless
    ``rounded`` is False.
    """
    rows = []
    for total, n in (first, second):
        yes = float(round(total)) if rounded else float(total)
        rows.append([yes, n - yes])
    return rows


def compare_two_groups(
    first: AnswerCounts, second: AnswerCounts, measure: str, *, rounded: bool = True
) -> GroupComparison:
    """One measure of two groups of answers compared: chi-square, odds ratio and Cohen's h.

    The groups are treated as independent; for questions that both were asked, ``PairOfModels`` is
    the better test.
    """
    make = MEASURES[measure][1]
    one, two = make(first), make(second)
    table = two_by_two_counts_as_nested_lists(
        total_and_n_of_measure(first, measure),
        total_and_n_of_measure(second, measure),
        rounded=rounded,
    )
    defined = one.value is not None and two.value is not None
    test = chi_square_test(table)
    if not defined:
        reason = "one of the two has no value"
        test = HypothesisTest(None, None, test.n, test.method, reason=reason)
    method = test.method + (", counts rounded" if rounded and _fractional(first, second) else "")
    return GroupComparison(
        one,
        two,
        HypothesisTest(test.statistic, test.p, test.n, method, test.df, test.reason),
        estimate_odds_ratio(table)
        if defined
        else Estimate.undefined_estimate("one of the two has no value"),
        cohens_h(one.value, two.value) if one.value is not None and two.value is not None else None,
    )


def _fractional(*tallies: AnswerCounts) -> bool:
    return any(abs(one.score - round(one.score)) > 1e-9 for one in tallies)


@dataclass(frozen=True)
class PairOfModels:
    """Two models on the questions that both answered: how many each got right.

    Right means exactly right. ``difference`` is first minus second accuracy, with Tango's interval
    for pairs; ``test`` is the test of that interval: its statistic is McNemar's chi-square, its n
    the questions that only one of the two has right. ``p_fdr`` is corrected over all the pairs (or
    groups) compared together that could be tested.
    """

    first: str
    second: str
    both: int
    first_only: int
    second_only: int
    neither: int
    difference: Estimate
    test: HypothesisTest
    p_fdr: float | None = None
    group: str = ""

    @property
    def shared_question_count(self) -> int:
        """The number of questions that both answered."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def better_model(self) -> str:
        """The model that is more often right where the other is wrong; empty for a draw."""
        if self.first_only == self.second_only:
            return ""
        return self.first if self.first_only > self.second_only else self.second

    @property
    def significantly_better_model(self) -> str:
        """The better model, if ``p_fdr`` says so; else empty."""
        return self.better_model if self.p_fdr is not None and self.p_fdr < LEVEL else ""


_TEST = "McNemar, score test of the interval"

PairCounts = tuple[str, str, str, int, int, int, int]
"""Group, first and second model; both right, first only, second only, neither."""


def paired_differences_with_tests(counts: Sequence[PairCounts]) -> list[PairOfModels]:
    """The difference of each row and its test; p values are corrected together by Benjamini and
    Hochberg. Two that never differ, or share too few questions for an interval, are not tested.
    """
    compared = [_compared(*row[3:]) for row in counts]
    p_values = [np.nan if test.p is None else test.p for _, test in compared]
    corrected = [None if np.isnan(p) else float(p) for p in benjamini_hochberg(p_values)]
    return [
        PairOfModels(
            first=row[1],
            second=row[2],
            both=row[3],
            first_only=row[4],
            second_only=row[5],
            neither=row[6],
            difference=difference,
            test=test,
            p_fdr=p,
            group=row[0],
        )
        for row, (difference, test), p in zip(counts, compared, corrected, strict=True)
    ]


def _compared(
    both: int, first_only: int, second_only: int, neither: int
) -> tuple[Estimate, HypothesisTest]:
    """The difference of two models on their shared questions, and the test of its interval."""
    questions = both + first_only + second_only + neither
    discordant = first_only + second_only
    difference = estimate_paired_difference(first_only, second_only, questions, unit="questions")
    if not questions:
        reason = "they answered no question both"
        difference = Estimate.undefined_estimate(reason, method=difference.method)
        return difference, HypothesisTest(None, None, 0, _TEST, reason=reason)
    test = replace(score_test_of_paired_difference(difference, discordant), method=_TEST)
    if test.p is not None:
        chi_square_of_pairs = (first_only - second_only) ** 2 / discordant
        test = replace(test, statistic=chi_square_of_pairs, df=1)
    return difference, test


def list_comparisons_of_model_pairs(
    patterns: pd.DataFrame, models: Sequence[str]
) -> list[PairOfModels]:
    """Every pair of ``models``, from the patterns of who answered and who was right.

    ``patterns`` has one row per pattern: ``answered`` and ``right`` are sums of 2 ** position over
    the models that answered, or were exactly right; ``questions`` is the number of questions with
    it.
    """
    times = patterns["questions"].to_numpy(dtype=np.int64)
    # With more than 62 models the sums are Python ints.
    bits = np.arange(len(models), dtype=np.int64 if len(models) <= 62 else object)
    answered = (patterns["answered"].to_numpy(dtype=bits.dtype)[:, None] >> bits & 1).astype(bool)
    right = (patterns["right"].to_numpy(dtype=bits.dtype)[:, None] >> bits & 1).astype(bool)
    rows: list[PairCounts] = []
    for a, b in combinations(range(len(models)), 2):
        shared = answered[:, a] & answered[:, b]
        one, two = right[:, a], right[:, b]
        both, first, second, neither = (
            int(times[shared & here].sum())
            for here in (one & two, one & ~two, ~one & two, ~one & ~two)
        )
        rows.append(("", models[a], models[b], both, first, second, neither))
    return paired_differences_with_tests(rows)


@dataclass(frozen=True)
class TableOne:
    """Two models on one kind of question: accuracy, answer rate, and their shared questions."""

    kind: str
    first: str
    second: str
    accuracy: GroupComparison
    answer_rate: GroupComparison
    shared: PairOfModels | None


def list_model_pairs_as_in_paper_table_one(
    by_model: Mapping[tuple[str, str], AnswerCounts], pairs: Mapping[str, Sequence[PairOfModels]]
) -> list[TableOne]:
    """The paper's Table 1 for every pair of models and kind of question.

    ``by_model`` has tallies by (model, kind); ``pairs`` has ``list_comparisons_of_model_pairs`` for
    each kind.
    """
    models = list(dict.fromkeys(model for model, _ in by_model))
    found = []
    for kind in ("semantic", "numeric"):
        here = [model for model in models if (model, kind) in by_model]
        known = {frozenset((one.first, one.second)): one for one in pairs.get(kind, ())}
        for first, second in combinations(here, 2):
            one, two = by_model[first, kind], by_model[second, kind]
            found.append(
                TableOne(
                    kind,
                    first,
                    second,
                    compare_two_groups(one, two, "accuracy"),
                    compare_two_groups(one, two, "answer_rate"),
                    known.get(frozenset((first, second))),
                )
            )
    return found


@dataclass(frozen=True)
class QuestionKindsCompared:
    """One model's semantic answers compared with its own numeric ones."""

    model: str
    accuracy: GroupComparison
    answer_rate: GroupComparison


def list_comparisons_of_question_kinds(
    by_model: Mapping[tuple[str, str], AnswerCounts],
) -> list[QuestionKindsCompared]:
    """Whether each model does better on semantic than on numeric questions.

    ``by_model`` has tallies by (model, kind); models asked only one kind are left out.
    """
    found = []
    for model in dict.fromkeys(model for model, _ in by_model):
        one, two = by_model.get((model, "semantic")), by_model.get((model, "numeric"))
        if one and two:
            found.append(
                QuestionKindsCompared(
                    model,
                    compare_two_groups(one, two, "accuracy"),
                    compare_two_groups(one, two, "answer_rate"),
                )
            )
    return found


# People against models on the questionnaire: people's means, and differences per question.
#
# Source: Avnat et al. 2024, Methods ("Human and Prompt validation"), Results ("Validation
# Analysis"), Figure 2 and Table S3: six people answered 100 questions, first with "I do not
# know", then with a guess instead.


def questionnaire_figure_rows(answers: pd.DataFrame) -> list[FigureRow]:
    """The figures, from ``questionnaire.questionnaire_answers_table``; empty if nobody has answered
    all of it.
    """
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
    answered = people[people[known].astype(bool)]
    questions, raters = (text_array_of_column(answered[name]) for name in ("question", "rater"))
    found = estimate_mean_of_rater_shares(
        answered[right], JudgmentItemsAndRaters(questions, raters, "questions")
    )
    shares = answered[right].astype(np.float64).groupby(answered["rater"], sort=False).mean()
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
            none = Estimate.undefined_estimate("no question was answered by both")
            yield "questionnaire_difference", group, none
            continue
        found = estimate_clustered_paired_difference(
            pairs[right].to_numpy(),
            pairs["right_m"].to_numpy(),
            pairs["question"].to_numpy(),
            unit="questions",
        )
        said = "without guesses, where both answered" if offered else "with people's guesses"
        both = replace(found, method=f"{found.method}; {said}")
        yield (
            "questionnaire_difference",
            group,
            note_estimate_speaks_for_these_raters(both, pairs["rater"].nunique()),
        )
