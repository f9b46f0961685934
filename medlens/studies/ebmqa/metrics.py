"""The figures of EBMQA, shared by the page and the export.

Source: Avnat et al. 2024, "Performance of large language models in numerical versus semantic
medical knowledge: benchmarking on evidence-based questions and answers" (EBMQA).

Everything starts from tally tables (``metrics_answer_counts``), which SQL makes; ``figures`` lists
what is computed from them here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from medlens.deferred_module import pd
from medlens.stats.estimate import Estimate, FigureRow
from medlens.stats.hypothesis_tests_and_effect_sizes import HypothesisTest
from medlens.stats.intervals import wilson_share_estimate
from medlens.studies.ebmqa import metrics_answer_counts
from medlens.studies.ebmqa.metrics_answer_counts import MEASURES, AnswerCounts, tally_by_groups
from medlens.studies.ebmqa.metrics_by_label_gaps_and_risk_coverage import (
    OFTEN_ASKED,
    Gap,
    compare_each_sublabel_with_rest,
    estimate_median_sublabel_gap_of_paper_labels,
    estimate_rate_accuracy_correlation,
    list_gaps_between_label_values_per_model,
    risk_coverage_steps_by_model,
    tallies_by_dividing_label_and_value,
)
from medlens.studies.ebmqa.metrics_model_comparison import (
    LEVEL,
    PairOfModels,
    QuestionKindsCompared,
    TableOne,
    list_comparisons_of_question_kinds,
    list_model_pairs_as_in_paper_table_one,
)

ALL_MODELS = "all models"
"""The group of a figure that is over the models together."""


def shares_of_questions_by_label_value(counts: Mapping[str, int]) -> dict[str, Estimate]:
    """The share of the question set by value of a label; no interval, since it is the whole set."""
    total = sum(counts.values())
    return {
        value: replace(
            wilson_share_estimate(count, total),
            low=None,
            high=None,
            method="share of the question set",
        )
        for value, count in counts.items()
    }


def estimate_share_of_questions_with_label(counts: Mapping[str, int]) -> Estimate:
    """The share of the question set that has the label at all."""
    labelled = sum(count for value, count in counts.items() if value)
    return shares_of_questions_by_label_value(
        {"": sum(counts.values()) - labelled, "some": labelled}
    )["some"]


def estimate_random_choice_score(expected: float, questions: int) -> Estimate:
    """The mean score of choosing blindly; ``expected`` is the sum over questions.

    For one option or any random set of them, the expected score is correct over offered. It is
    computed, not observed, and so has no interval.
    """
    method = "expected of blind choice: mean of correct over offered options"
    if not questions:
        return Estimate.undefined_estimate("there are no questions", method=method)
    return Estimate(expected / questions, None, None, questions, method)


def rank_estimate_by_model(
    found: Mapping[str, Estimate], pairs: Sequence[PairOfModels]
) -> dict[str, Estimate]:
    """The rank of each model: one more than the number of models that are significantly better.

    ``found`` has the accuracy of each model, ``pairs`` their comparisons with corrected p values
    (``list_comparisons_of_model_pairs``). Models that no test tells apart can share a rank. A model
    stands below every model that is significantly better: where that takes more than their number
    (who is better than whom need not be in one order), it comes directly after the last of them.
    """
    method = f"rank: 1 + models significantly better (McNemar, Benjamini-Hochberg p < {LEVEL:g})"
    known = [name for name, one in found.items() if one.has_value]
    compared = {
        name for pair in pairs if pair.shared_question_count for name in (pair.first, pair.second)
    }
    better: dict[str, set[str]] = {name: set() for name in known}
    for pair in pairs:
        worse = pair.second if pair.better_model == pair.first else pair.first
        if pair.significantly_better_model in better and worse in better:
            better[worse].add(pair.significantly_better_model)
    standing = _standing(better)
    made = {}
    for name, one in found.items():
        if name not in better:
            made[name] = Estimate.undefined_estimate(
                one.reason or "it has no accuracy", method=method
            )
        elif len(known) > 1 and name not in compared:
            reason = "it shares no answered question with another model"
            made[name] = Estimate.undefined_estimate(reason, one.n, method=method)
        else:
            made[name] = Estimate(float(standing[name]), None, None, one.n, method)
    return made


def _standing(better: Mapping[str, Collection[str]]) -> dict[str, int]:
    """The place of each name after all that are better than it.

    Those that are each better than the next in a circle do not stand below each other.
    """
    above = {name: set(names) for name, names in better.items()}
    for name in better:
        for names in above.values():
            if name in names:
                names.update(above[name])
    place: dict[str, int] = {}
    # Whoever is better and in no circle with a name has fewer above it, or is in a circle itself.
    for name in sorted(better, key=lambda one: (len(above[one]), one not in above[one])):
        after = [place[one] for one in better[name] if name not in above[one]]
        place[name] = 1 + max([len(better[name]), *after])
    return place


def estimate_majority_class_accuracy(classes: Mapping[str, int]) -> Estimate:
    """The accuracy of always choosing the class that is most often right (the paper's 47 %)."""
    if not sum(classes.values()):
        return Estimate.undefined_estimate(
            "no question has an answer class", method="Wilson with t"
        )
    return wilson_share_estimate(max(classes.values()), sum(classes.values()))


def hypothesis_test_as_estimate(one: HypothesisTest, *, p_fdr: float | None = None) -> Estimate:
    """A test as a row: its statistic, n and p; with ``p_fdr`` that p, noted in the method."""
    degrees = "degree" if one.df == 1 else "degrees"
    method = one.method + (f", {one.df} {degrees} of freedom" if one.df else "")
    if one.statistic is None:
        return Estimate.undefined_estimate(one.reason, one.n, method=method)
    if p_fdr is None:
        return Estimate(one.statistic, None, None, one.n, method, p=one.p)
    return Estimate(one.statistic, None, None, one.n, f"{method}, Benjamini-Hochberg", p=p_fdr)


# -- rows ------------------------------------------------------------------------------------------


def question_set_composition_rows(questions: Mapping[str, pd.DataFrame]) -> Iterator[FigureRow]:
    """The composition of the question set: by label, a table of ``value`` and ``questions``."""
    for label, table in questions.items():
        counts = {str(v): int(n) for v, n in zip(table["value"], table["questions"], strict=True)}
        for value, share in shares_of_questions_by_label_value(counts).items():
            yield "questions_by_label", f"{label}, {value}", share
        yield "questions_with_label", label, estimate_share_of_questions_with_label(counts)


def figure_rows_of_questions_and_chance_score(offered: pd.DataFrame) -> Iterator[FigureRow]:
    """The number of questions, and the score of blind choice.

    ``offered`` has one row per kind: ``kind``, ``questions``, ``chance`` (the sum over questions of
    correct over offered options).
    """
    for kind, questions, expected in offered[["kind", "questions", "chance"]].itertuples(
        index=False, name=None
    ):
        yield (
            "questions",
            str(kind),
            Estimate(float(questions), None, None, int(questions), "count"),
        )
        yield "chance", str(kind), estimate_random_choice_score(float(expected), int(questions))
    if len(offered):
        every = int(offered["questions"].sum())
        yield "questions", "all", Estimate(float(every), None, None, every, "count")
    else:
        yield "questions", "", Estimate.undefined_estimate("there are no questions")


def model_measure_rows(
    by_model: pd.DataFrame, pairs: Mapping[str, Sequence[PairOfModels]]
) -> Iterator[FigureRow]:
    """Every measure of each model and kind, and ranks, from the tally table by both.

    ``pairs`` has ``list_comparisons_of_model_pairs`` for each kind.
    """
    found = tally_by_groups(by_model, ("model", "kind"))
    if not found:
        for measure in MEASURES:
            yield measure, "", Estimate.undefined_estimate("no model has answered these questions")
    for (model, kind), one in found.items():
        for measure, (_, make) in MEASURES.items():
            yield measure, f"{model}, {kind}", make(one)
    for kind in dict.fromkeys(kind for _, kind in found):
        own = {model: MEASURES["accuracy"][1](t) for (model, k), t in found.items() if k == kind}
        for model, rank in rank_estimate_by_model(own, pairs.get(kind, ())).items():
            yield "rank_accuracy", f"{model}, {kind}", rank


def model_pair_rows(
    by_model: pd.DataFrame, pairs: Mapping[str, Sequence[PairOfModels]]
) -> Iterator[FigureRow]:
    """Models against models, and each model's kinds of questions against each other.

    ``pairs`` has ``list_comparisons_of_model_pairs`` for each kind.
    """
    found = {(a, b): t for (a, b), t in tally_by_groups(by_model, ("model", "kind")).items()}
    for row in list_model_pairs_as_in_paper_table_one(found, pairs):
        group = f"{row.kind}, {row.first} against {row.second}"
        yield from test_and_odds_ratio_rows(group, row)
        if row.shared is not None:
            yield "mcnemar_difference", group, row.shared.difference
            if row.shared.shared_question_count:
                corrected = hypothesis_test_as_estimate(row.shared.test, p_fdr=row.shared.p_fdr)
                yield "mcnemar_fdr", group, corrected
    for apart in list_comparisons_of_question_kinds(found):
        yield from test_and_odds_ratio_rows(f"{apart.model}, semantic against numeric", apart)


def test_and_odds_ratio_rows(
    group: str, row: TableOne | QuestionKindsCompared
) -> Iterator[FigureRow]:
    """The tests and odds ratios of a comparison as rows."""
    for measure, one in (("accuracy", row.accuracy), ("answer_rate", row.answer_rate)):
        yield f"{measure}_chi_square", group, hypothesis_test_as_estimate(one.test)
        yield f"{measure}_odds_ratio", group, one.odds


def prompt_study_rows(by_prompt: pd.DataFrame) -> Iterator[FigureRow]:
    """The prompt study, from the tally table by ``model``, ``kind`` and ``prompt``."""
    found = tally_by_groups(by_prompt, ("model", "kind", "prompt"))
    yield from metrics_answer_counts.prompt_study_figure_rows(
        {(a, b, c): one for (a, b, c), one in found.items()}
    )


ByLabel: TypeAlias = "Mapping[tuple[str, str], pd.DataFrame]"
"""By (kind, label), tally tables by ``model`` and ``value``."""


def label_rows(tables: ByLabel) -> Iterator[FigureRow]:
    """Accuracy and answer rate of each model by every label."""
    for (kind, label), table in tables.items():
        for (model, value), one in tally_by_groups(table, ("model", "value")).items():
            for measure in ("accuracy", "answer_rate"):
                group = f"{model}, {kind}, {label}, {value}"
                yield f"{measure}_by_label", group, MEASURES[measure][1](one)


def label_comparison_rows(
    tables: ByLabel, by_model: pd.DataFrame, overlapping: Collection[str]
) -> Iterator[FigureRow]:
    """Gaps, correlations, and each sub-label against the others.

    ``by_model`` is the tally table by model and kind; ``overlapping`` are labels that one question
    can have several of.
    """
    all_of = tally_by_groups(by_model, ("model", "kind"))
    for kind in dict.fromkeys(kind for kind, _ in tables):
        here = {
            label: {(a, b): t for (a, b), t in tally_by_groups(table, ("model", "value")).items()}
            for (of, label), table in tables.items()
            if of == kind
        }
        found = list_gaps_between_label_values_per_model(here, overlapping=overlapping)
        for one in found:
            yield from _gap(one, f"{one.model}, {kind}, {one.label}")
        yield (
            "median_gap",
            f"{ALL_MODELS}, {kind}",
            estimate_median_sublabel_gap_of_paper_labels(found),
        )
        for model in dict.fromkeys(one.model for one in found):
            own = {
                label: {value: t for (who, value), t in groups.items() if who == model and value}
                for label, groups in here.items()
            }
            group = f"{model}, {kind}"
            yield (
                "median_gap",
                group,
                estimate_median_sublabel_gap_of_paper_labels(
                    [one for one in found if one.model == model]
                ),
            )
            yield from _correlations(own, group)
            for label, groups in own.items():
                everything = all_of[model, kind] if label in overlapping else None
                for rest in compare_each_sublabel_with_rest(groups, whole=everything):
                    name = f"{group}, {label}, {rest.value}"
                    yield "odds_against_rest", name, rest.odds
                    yield (
                        "against_rest_chi_square_fdr",
                        name,
                        hypothesis_test_as_estimate(rest.test, p_fdr=rest.p_fdr),
                    )


def _gap(one: Gap, group: str) -> Iterator[FigureRow]:
    named = f"{one.gap.method}: {one.best} and {one.worst}" if one.best else one.gap.method
    yield "gap", group, replace(one.gap, method=named)
    yield "label_chi_square", group, hypothesis_test_as_estimate(one.test)
    yield "label_chi_square_fdr", group, hypothesis_test_as_estimate(one.test, p_fdr=one.p_fdr)
    if one.h is not None:
        yield "gap_cohens_h", group, Estimate(one.h, None, None, one.gap.n, "Cohen's h")


def _correlations(own: Mapping[str, Mapping[str, AnswerCounts]], group: str) -> Iterator[FigureRow]:
    every = {(label, value): t for label, found in own.items() for value, t in found.items()}
    yield (
        "spearman_rate_accuracy",
        group,
        estimate_rate_accuracy_correlation(tallies_by_dividing_label_and_value(every)),
    )
    yield (
        "spearman_rate_accuracy_disciplines",
        group,
        estimate_rate_accuracy_correlation(own.get("discipline", {}), asked_more_than=OFTEN_ASKED),
    )


def risk_coverage_rows(agreeing: Mapping[str, pd.DataFrame]) -> Iterator[FigureRow]:
    """Risk and coverage: by kind, the tables that ``risk_coverage_steps_by_model`` takes."""
    for kind, levels in agreeing.items():
        for model, steps in risk_coverage_steps_by_model(levels).items():
            for step in steps:
                group = f"{model}, {kind}, {step.agreeing} agreeing or more"
                yield "coverage", group, step.coverage
                yield "risk", group, step.risk
