"""EBMQA's figures, from `questions`, `answers` and `questionnaire`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.multitest import multipletests

from tests.recomputed.second_opinion import (
    NOTHING,
    Expected,
    Figures,
    count,
    difference_in_pairs,
    share,
    wilson,
)

IDK = "I do not know"
DIVIDING = (
    *("qa_type", "subject_type", "discipline", "prevalence", "length", "answer"),
    *("source_type", "target_type", "disciplines", "n_correct"),
)
PAPERS = ("answer", "discipline", "subject_type", "qa_type", "prevalence", "length")
FEW, OFTEN = 10, 200


def mean_of_parts(values: pd.Series, whole: int | None = None) -> Expected:
    """The mean of scores between 0 and 1, as if they were yes and no."""
    n = len(values) if whole is None else whole
    if not n:
        return NOTHING
    value = float(values.sum()) / n
    low, high = wilson(value, n, n - 1) if n >= 4 else (None, None)
    return Expected(value, n, float(values.sum()), n, low, high)


def measures(rows: pd.DataFrame) -> dict[str, Expected]:
    """Every measure of one group of answers."""
    replied = rows[rows["outcome"] != "error"]
    answered = rows[rows["outcome"] == "answered"]
    return {
        "accuracy": mean_of_parts(answered["points"]),
        "answer_rate": mean_of_parts(replied["outcome"] == "answered"),
        "accuracy_of_all": mean_of_parts(answered["points"], len(replied)),
        "exact": mean_of_parts(answered["exact"]),
        "jaccard": mean_of_parts(answered["jaccard"]),
        "idk_rate": mean_of_parts(replied["outcome"] == "idk"),
        "refusal_rate": mean_of_parts(replied["outcome"] == "refused"),
        "unreadable_rate": mean_of_parts(replied["outcome"] == "parse_failed"),
        "error_rate": mean_of_parts(rows["outcome"] == "error"),
    }


def table_of(groups: list[pd.DataFrame], measure: str = "accuracy") -> np.ndarray:
    """[[yes, no], …] of the groups with anything to count, in whole numbers."""
    rows = []
    for one in groups:
        if measure == "accuracy":
            answered = one[one["outcome"] == "answered"]
            yes, n = round(round(answered["points"].sum(), 6)), len(answered)
        else:
            replied = one[one["outcome"] != "error"]
            yes, n = int((replied["outcome"] == "answered").sum()), len(replied)
        if n:
            rows.append([yes, n - yes])
    return np.array(rows).reshape(-1, 2)


def pearson(table: np.ndarray) -> tuple[float, float] | None:
    """Pearson's chi-square and its p, or nothing where there is nothing to compare."""
    if len(table) < 2 or (table.sum(axis=0) == 0).any():
        return None
    found = scipy.stats.chi2_contingency(table, correction=False)
    return float(found.statistic), float(found.pvalue)


def independence(table: np.ndarray) -> tuple[Any, Any]:
    """Chi-square, and p: Fisher's where two groups are small, not compared where it is of draws."""
    found = pearson(table)
    if found is None:
        return None, None
    least = table.sum(axis=1).min() * table.sum(axis=0).min() / table.sum()
    if len(table) == 2 and least < 100:
        return found[0], float(scipy.stats.fisher_exact(table)[1])
    return found[0], ... if len(table) > 2 and least < 10 else found[1]


def adjusted(ps: list[Any]) -> list[Any]:
    """Benjamini and Hochberg's correction; where one p is of draws, none is compared."""
    tested = [p for p in ps if p is not None]
    if ... in tested:
        return [None if p is None else ... for p in ps]
    corrected = iter(multipletests(tested, method="fdr_bh")[1] if tested else [])
    return [None if p is None else float(next(corrected)) for p in ps]


def odds(table: np.ndarray) -> Expected:
    """The odds ratio of two groups, by statsmodels."""
    if len(table) < 2 or (table == 0).any():
        return NOTHING
    found = Table2x2(table)
    low, high = found.oddsratio_confint(0.05)
    p = float(found.oddsratio_pvalue())
    return Expected(float(found.oddsratio), int(table.sum()), low=low, high=high, p=p)


def spearman(pairs: list[tuple[float, float]]) -> Expected:
    """Spearman's correlation, its interval after Bonett and Wright, its p where orders do not
    decide it."""
    n = len(pairs)
    if n < 3 or any(len({pair[side] for pair in pairs}) < 2 for side in (0, 1)):
        return Expected(None, n)
    found = scipy.stats.spearmanr(*zip(*pairs, strict=True))
    rho = float(found.statistic)
    if n < 4 or abs(rho) > 1 - 1e-9:
        return Expected(rho, n, low=None, high=None)
    error, middle = math.sqrt((1 + rho**2 / 2) / (n - 3)), math.atanh(rho)
    half = float(scipy.stats.norm.ppf(0.975)) * error
    p = 2 * float(scipy.stats.norm.sf(abs(middle) / error)) if n > 7 else ...
    return Expected(rho, n, low=math.tanh(middle - half), high=math.tanh(middle + half), p=p)


def recompute(folder: Path) -> Figures:
    """Every figure of models that were asked with one prompt, and of a questionnaire."""

    def read(name: str) -> pd.DataFrame:
        return pd.read_json(folder / f"{name}.jsonl", lines=True)

    questions = read("questions").set_index("question_id", drop=False)
    questions["n_correct"] = questions["correct"].map(len).astype(str)
    answers = read("answers")
    chosen = answers["answer"].fillna("").map(lambda text: frozenset(text.split("; ")) - {""})
    right = answers["question_id"].map(questions["correct"]).map(frozenset)
    both = [len(a & b) for a, b in zip(chosen, right, strict=True)]
    answers["chosen"] = chosen
    answers["points"] = [n / max(len(a), 1) for n, a in zip(both, chosen, strict=True)]
    answers["exact"] = chosen == right
    answers["jaccard"] = [n / len(a | b) for n, a, b in zip(both, chosen, right, strict=True)]
    answers["kind"] = answers["question_id"].map(questions["kind"])
    found: Figures = {}
    _question_set(found, questions)
    models = sorted(answers["model"].unique())
    kinds = {kind: answers[answers["kind"] == kind] for kind in ("numeric", "semantic")}
    own = {(m, k): rows[rows["model"] == m] for k, rows in kinds.items() for m in models}
    for (model, kind), rows in own.items():
        for name, one in measures(rows).items():
            found[name, f"{model}, {kind}"] = one
    for kind, rows in kinds.items():
        _ranks(found, rows, models, kind)
        _agreeing(found, rows, models, kind)
    for kind in kinds:
        for one, other in combinations(models, 2):
            _two_groups(found, f"{kind}, {one} against {other}", own[one, kind], own[other, kind])
    for model in models:
        _two_groups(
            found,
            f"{model}, semantic against numeric",
            own[model, "semantic"],
            own[model, "numeric"],
        )
    _labels(found, questions, own, models, kinds)
    _questionnaire(found, read("questionnaire"), questions, answers)
    return found


def _values(questions: pd.DataFrame, label: str) -> pd.Series:
    """Each question's values of a label, a row for each; empty if it has none."""
    values = questions[label].fillna("").astype(str)
    return values.str.split("; ").explode() if label == "disciplines" else values


def _question_set(found: Figures, questions: pd.DataFrame) -> None:
    for label in ("kind", *DIVIDING):
        values = _values(questions, label)
        if label == "disciplines":
            values = values[values != ""]
        for value, many in values.value_counts().items():
            share_of_set = Expected(many / len(values), len(values), many, len(values), None, None)
            found["questions_by_label", f"{label}, {value}"] = share_of_set
        some = int((values != "").sum())
        found["questions_with_label", label] = Expected(
            some / len(values), len(values), some, len(values), None, None
        )
    found["questions", "all"] = count(len(questions))
    for kind, rows in questions.groupby("kind"):
        offered = rows["options"].map(lambda options: len([o for o in options if o != IDK]))
        found["questions", kind] = count(len(rows))
        blind = float((rows["correct"].map(len) / offered).mean())
        found["chance", kind] = Expected(blind, len(rows), low=None, high=None)
    classes = questions["answer"].dropna().value_counts()
    numbers = pd.Series([1.0] * classes.max() + [0.0] * (classes.sum() - classes.max()))
    found["majority", "numeric"] = mean_of_parts(numbers)


def _pairs(rows: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    answered = rows[rows["outcome"] == "answered"]
    sides = [answered[answered["model"] == model] for model in (one, other)]
    return sides[0].merge(sides[1], on="question_id", suffixes=("_one", "_other"))


def _ranks(found: Figures, rows: pd.DataFrame, models: list[str], kind: str) -> None:
    """Differences on shared questions, their tests together, and ranks from these."""
    names = list(combinations(models, 2))
    joined = [_pairs(rows, *name) for name in names]
    apart = [
        difference_in_pairs(j["exact_one"], j["exact_other"], by=j["question_id"]) for j in joined
    ]
    corrected = adjusted([one.p for one in apart])
    better: dict[str, int] = dict.fromkeys(models, 0)
    for name, both, one, p in zip(names, joined, apart, corrected, strict=True):
        group = f"{kind}, {name[0]} against {name[1]}"
        found["mcnemar_difference", group] = one
        only = int((both["exact_one"] > both["exact_other"]).sum())
        only_other = int((both["exact_other"] > both["exact_one"]).sum())
        statistic = (only - only_other) ** 2 / (only + only_other)
        found["mcnemar_fdr", group] = Expected(statistic, only + only_other, p=p)
        if p < 0.05:
            better[name[1] if only > only_other else name[0]] += 1
    for model in models:
        rank = Expected(1.0 + better[model], low=None, high=None)
        found["rank_accuracy", f"{model}, {kind}"] = rank


def _agreeing(found: Figures, rows: pd.DataFrame, models: list[str], kind: str) -> None:
    """Accuracy of the answers that so many other models gave too."""
    answered = rows[rows["outcome"] == "answered"].copy()
    key = ["question_id", "chosen"]
    answered["others"] = answered.groupby(key)["model"].transform("size") - 1
    for model in models:
        mine = answered[answered["model"] == model]
        asked = int(((rows["model"] == model) & (rows["outcome"] != "error")).sum())
        for level in sorted(mine["others"].unique()):
            sure = mine[mine["others"] >= level]
            group = f"{model}, {kind}, {level} agreeing or more"
            found["coverage", group] = mean_of_parts(pd.Series([1.0] * len(sure)), asked)
            found["risk", group] = mean_of_parts(1 - sure["points"])


def _two_groups(found: Figures, group: str, one: pd.DataFrame, other: pd.DataFrame) -> None:
    """Two groups of answers as in the paper's Table 1."""
    for measure in ("accuracy", "answer_rate"):
        table = table_of([one, other], measure)
        statistic, p = pearson(table) or (None, None)
        found[f"{measure}_chi_square", group] = Expected(statistic, int(table.sum()), p=p)
        found[f"{measure}_odds_ratio", group] = odds(table)


def _labels(
    found: Figures,
    questions: pd.DataFrame,
    own: Mapping[tuple[str, str], pd.DataFrame],
    models: list[str],
    kinds: Mapping[str, pd.DataFrame],
) -> None:
    for kind in kinds:
        gaps: dict[str, list[float]] = {model: [] for model in models}
        for model in models:
            groups: dict[str, dict[str, pd.DataFrame]] = {}
            for label in DIVIDING:
                values = _values(questions[questions["kind"] == kind], label)
                parts = {}
                for value, names in values.groupby(values):
                    rows = own[model, kind]
                    part = rows[rows["question_id"].isin(names.index)]
                    name = f"{model}, {kind}, {label}, {value}"
                    if value:
                        some = measures(part)
                        found["accuracy_by_label", name] = some["accuracy"]
                        found["answer_rate_by_label", name] = some["answer_rate"]
                        parts[value] = part
                if parts:
                    groups[label] = parts
            _gaps(found, groups, own[model, kind], f"{model}, {kind}", gaps[model])
        every = [gap for model in models for gap in gaps[model]]
        found["median_gap", f"all models, {kind}"] = quartiles(every)
        for model in models:
            found["median_gap", f"{model}, {kind}"] = quartiles(gaps[model])


def quartiles(values: list[float]) -> Expected:
    """The median of gaps with quartiles."""
    low, middle, high = np.percentile(values, [25, 50, 75])
    return Expected(float(middle), len(values), low=float(low), high=float(high))


def _gaps(
    found: Figures,
    groups: Mapping[str, Mapping[str, pd.DataFrame]],
    whole: pd.DataFrame,
    group: str,
    gaps: list[float],
) -> None:
    """A model's best and worst sub-labels, correlations, and each sub-label against the rest."""
    tests = {}
    for label, parts in groups.items():
        name = f"{group}, {label}"
        known = {value: measures(part)["accuracy"] for value, part in parts.items()}
        counted = [one for one in known.values() if one.value is not None and one.n >= FEW]
        tests[name] = (
            (None, None) if label == "disciplines" else independence(table_of(list(parts.values())))
        )
        if len(counted) < 2:
            found["gap", name] = NOTHING
            continue
        best = max(counted, key=lambda one: one.value)
        worst = min(counted, key=lambda one: one.value)
        gap = best.value - worst.value
        found["gap", name] = Expected(gap, best.n + worst.n, low=None, high=None)
        found["gap_cohens_h", name] = Expected(
            2 * math.asin(math.sqrt(best.value)) - 2 * math.asin(math.sqrt(worst.value))
        )
        if label in PAPERS:
            gaps.append(gap)
    corrected = adjusted([p for _, p in tests.values()])
    for (name, (statistic, p)), fdr in zip(tests.items(), corrected, strict=True):
        found["label_chi_square", name] = Expected(statistic, p=p)
        found["label_chi_square_fdr", name] = Expected(statistic, p=fdr)
    points = {
        (label, value): part for label, parts in groups.items() for value, part in parts.items()
    }

    def correlation(chosen: list[pd.DataFrame], more_than: int) -> Expected:
        pairs = []
        for part in chosen:
            some = measures(part)
            if (some["accuracy"].n or 0) >= FEW and len(part) > more_than:
                pairs.append((some["answer_rate"].value, some["accuracy"].value))
        return spearman(pairs)

    dividing = [part for (label, _), part in points.items() if len(groups[label]) > 1]
    found["spearman_rate_accuracy", group] = correlation(dividing, 0)
    found["spearman_rate_accuracy_disciplines", group] = correlation(
        list(groups.get("discipline", {}).values()), OFTEN
    )
    for label, parts in groups.items():
        everything = whole if label == "disciplines" else pd.concat(parts.values())
        rows = {}
        for value, part in parts.items():
            rest = everything[~everything["question_id"].isin(part["question_id"])]
            table = table_of([part, rest])
            rows[value] = (table, independence(table))
            found["odds_against_rest", f"{group}, {label}, {value}"] = odds(table)
        corrected = adjusted([p for _, (_, p) in rows.values()])
        for (value, (_, (statistic, _))), fdr in zip(rows.items(), corrected, strict=True):
            found["against_rest_chi_square_fdr", f"{group}, {label}, {value}"] = Expected(
                statistic, p=fdr
            )


def _questionnaire(
    found: Figures, given: pd.DataFrame, questions: pd.DataFrame, answers: pd.DataFrame
) -> None:
    """People and models on the same questions, with "I do not know" and with guesses."""

    def right(item: str, said: Any) -> float:
        if pd.isna(said) or said == "idk":
            return math.nan
        numbers = [int(float(one)) for one in str(said).split("; ")]
        chosen = {questions["options"][item][number - 1] for number in numbers}
        return float(chosen == set(questions["correct"][item]))

    given["right"] = [right(*row) for row in zip(given["item"], given["answer"], strict=True)]
    guess = [right(*row) for row in zip(given["item"], given["guess"], strict=True)]
    given["settled"] = given["right"].fillna(pd.Series(guess, index=given.index))
    asked = sorted(given["item"].unique())
    means = {"": [], "_with_guesses": []}
    for rater, mine in given.groupby("rater"):
        group = f"person, {rater}"
        known = mine["right"].dropna()
        found["questionnaire_accuracy", group] = mean_of_parts(known)
        found["questionnaire_answer_rate", group] = mean_of_parts(mine["right"].notna())
        found["questionnaire_accuracy_with_guesses", group] = mean_of_parts(
            mine["settled"].dropna()
        )
        means[""].append(float(known.mean()))
        means["_with_guesses"].append(float(mine["settled"].mean()))
    for suffix, values in means.items():
        found[f"questionnaire_mean_accuracy{suffix}", "people"] = Expected(
            float(np.mean(values)), len(values)
        )
    here = answers[answers["question_id"].isin(asked)]
    for model, mine in here.groupby("model"):
        answered = mine[mine["outcome"] == "answered"]
        found["questionnaire_accuracy", f"model, {model}"] = mean_of_parts(answered["exact"])
        found["questionnaire_answer_rate", f"model, {model}"] = mean_of_parts(
            mine["outcome"] == "answered"
        )
        both = given[given["right"].notna()].merge(
            answered[["question_id", "exact"]], left_on="item", right_on="question_id"
        )
        prompt = mine["prompt"].iloc[0]
        found["questionnaire_difference", f"people against {model}, {prompt}"] = (
            difference_in_pairs(both["right"], both["exact"].astype(float), by=both["item"])
        )
    classes = questions["answer"].dropna().value_counts()
    of_these = questions["answer"].reindex(asked).dropna()
    found["questionnaire_accuracy", "majority, Commonest class"] = share(
        of_these == classes.idxmax()
    )
    offered = [
        len([one for one in options if one != IDK]) for options in questions["options"][asked]
    ]
    blind = np.mean([len(c) / o for c, o in zip(questions["correct"][asked], offered, strict=True)])
    found["questionnaire_chance", ""] = Expected(float(blind), len(asked), low=None, high=None)
