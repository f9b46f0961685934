"""AgentClinic's figures, from `outcomes`, `ratings` and `moderator-checks`."""

from __future__ import annotations

import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import pandas as pd

from tests.recomputed.second_opinion import (
    NOTHING,
    Expected,
    Figures,
    alpha,
    clear_majority,
    count,
    difference_in_pairs,
    holm,
    kappa,
    mean_of_amounts,
    mean_of_differences,
    mean_of_scale,
    ratio,
    rogan_gladen,
    share,
    wide,
)

OUTCOMES = ("correct", "incorrect", "no_diagnosis", "error")
RULES = ["doctor", "patient", "n_interactions", "image_mode"]
SCALES = ("doctor", "patient", "measurement", "empathy")
MARKS = Path(__file__).parents[2] / "data/taxonomies/agentclinic_marks.toml"
COUNTED = {
    "messages_used": "messages",
    "turns": "turns",
    "tests_requested": "tests",
    "images_requested": "images",
    "echo": "echo",
    "told": "told",
    "cost": "cost",
    "seconds": "seconds",
}


def most(values: pd.Series) -> Any:
    """The most frequent value; of several, the first in order."""
    counts = values.value_counts()
    return min(counts[counts == counts.max()].index)


def reference(played: pd.DataFrame) -> dict[str, Any]:
    """The rules that most visits without a bias were played under, one after another."""
    plain, rules = played[played["bias"] == "none"], {}
    for column in ("patient", "n_interactions", "image_mode", "doctor"):
        rules[column] = most(plain[column])
        plain = plain[plain[column] == rules[column]]
    return rules


def at_reference(played: pd.DataFrame, rules: dict[str, Any], vary: str) -> dict[Any, pd.DataFrame]:
    """By the values of ``vary``: the visits under the rules, or else under their own commonest."""
    found = {}
    for value, kept in played.groupby(vary):
        rows = kept
        for column, wanted in rules.items():
            if column != vary:
                here = wanted if (rows[column] == wanted).any() else most(rows[column])
                rows = rows[rows[column] == here]
        found[value] = rows
    return found


def accuracy(group: pd.DataFrame) -> Expected:
    """Correct among those played to the end."""
    ended = group[group["outcome"] != "error"]
    return share(ended["outcome"] == "correct", by=ended["case"])


def joined(one: pd.DataFrame, other: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Two sets of visits on what they share; of several the last counts."""
    sides = [side.drop_duplicates(keys, keep="last") for side in (one, other)]
    return sides[0].merge(sides[1], on=keys, suffixes=("_one", "_other"))


def pooled(parts: dict[tuple[str, str], list[Any]]) -> dict[tuple[str, str], list[Any]]:
    """The parts by (doctor, kind), and all of a side or a sort together if there are several."""
    found = dict(parts)
    for doctor in {doctor for doctor, _ in parts}:
        kinds = [kind for who, kind in parts if who == doctor and " " in kind]
        for place in (0, 1):
            for word in {kind.split(" ")[place] for kind in kinds}:
                of = [kind for kind in kinds if kind.split(" ")[place] == word]
                if len(of) > 1:
                    found[doctor, word] = [one for kind in of for one in parts[doctor, kind]]
    return found


def recompute(folder: Path) -> Figures:
    """Every figure of visits that models played, with all verdicts in."""
    played = pd.read_csv(
        folder / "outcomes.csv",
        keep_default_na=False,
        na_values={
            name: [""]
            for name in (
                *COUNTED.values(),
                "echoed",
                "answers",
                "confidence",
                "compliance",
                "consultation",
            )
        },
    )
    played = played[played["in_figures"]]
    ratings = pd.read_csv(
        folder / "ratings.csv", keep_default_na=False, na_values={name: [""] for name in SCALES}
    )
    checks = pd.read_csv(folder / "moderator-checks.csv", keep_default_na=False)
    ratings = ratings[ratings["rater_kind"] == "person"]
    checks = checks[checks["rater_kind"] == "person"]
    turns = pd.read_csv(folder / "turns.csv", keep_default_na=False)
    doctors = turns[turns["speaker"] == "doctor"]
    for column, rows in (
        ("turns", turns),
        ("messages", doctors),
        ("tests", turns[turns["kind"] == "request_test"]),
        ("images", turns[turns["kind"] == "request_images"]),
    ):
        played[column] = played["dialogue"].map(rows.groupby("dialogue").size()).fillna(0.0)
    found: Figures = {
        ("dialogues", ""): count(len(played)),
        ("cases", ""): count(played["case"].nunique()),
        ("realism_judgments", ""): count(len(ratings)),
        ("match_judgments", ""): count(len(checks)),
    }

    def outcomes(figure: str, group: str, rows: pd.DataFrame) -> None:
        for outcome in OUTCOMES:
            name = f"{group}, {outcome}" if group else outcome
            found[figure, name] = share(rows["outcome"] == outcome, by=rows["case"])

    def accuracies(figure: str, group: str, rows: pd.DataFrame) -> None:
        found[figure, group] = accuracy(rows)
        found[f"{figure}_unflagged", group] = accuracy(rows[~rows["flagged"]])

    outcomes("outcomes", "", played)
    rules, plain = reference(played), played[played["bias"] == "none"]
    for dimension in RULES:
        for value, group in at_reference(plain, rules, dimension).items():
            accuracies(f"accuracy_by_{dimension}", str(value), group)
            outcomes(f"outcomes_by_{dimension}", str(value), group)
    by_doctor = at_reference(plain, rules, "doctor")
    for doctor, group in by_doctor.items():
        for leaks, part in group.groupby("leaks"):
            stated = "state" if leaks else "do not state"
            found["accuracy_by_lint", f"{doctor}, tests {stated} the diagnosis"] = accuracy(part)
    for key, group in played.groupby([*RULES, "bias"]):
        accuracies("accuracy_by_cell", ", ".join(map(str, key)), group)

    # Biases, each with everything else at the reference.
    others = {column: value for column, value in rules.items() if column != "doctor"}
    kinds: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for doctor, mine in played.groupby("doctor"):
        for bias, group in at_reference(mine, others, "bias").items():
            accuracies("accuracy_by_bias", f"{doctor}, {bias}", group)
            outcomes("outcomes_by_bias", f"{doctor}, {bias}", group)
            kinds.setdefault((doctor, group["bias_group"].iloc[0]), []).append(group)
    for (doctor, kind), groups in pooled(kinds).items():
        accuracies("accuracy_by_bias_group", f"{doctor}, {kind}", pd.concat(groups))

    # Each bias on the cases that were also played without it.
    keys = ["case", *RULES, "repeat"]
    ended = played[played["outcome"] != "error"]
    compared: dict[str, Expected] = {}
    pairs_of: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for (doctor, bias), group in ended[ended["bias"] != "none"].groupby(["doctor", "bias"]):
        base = ended[(ended["doctor"] == doctor) & (ended["bias"] == "none")]
        both = joined(base, group, keys)
        if both.empty:
            continue
        both["was"], both["now"] = (
            both[f"outcome_{side}"] == "correct" for side in ("one", "other")
        )
        compared[f"{doctor}, {bias}"] = difference_in_pairs(
            both["now"], both["was"], by=both["case"]
        )
        pairs_of.setdefault((doctor, group["bias_group"].iloc[0]), []).append(both)
        found["normalised_accuracy", f"{doctor}, {bias}"] = over(both)
    for (doctor, kind), several in pooled(pairs_of).items():
        found["normalised_accuracy_by_bias_group", f"{doctor}, {kind}"] = over(pd.concat(several))
    _differences(found, "accuracy_difference", compared)

    # Doctors on the same cases.
    same = plain[plain["outcome"] != "error"]
    for column, value in others.items():
        same = same[same[column] == value]
    versus = {}
    for one, two in combinations(sorted(same["doctor"].unique()), 2):
        met = same[same["doctor"] == one].merge(
            same[same["doctor"] == two], on=["case", "repeat"], suffixes=("_one", "_other")
        )
        right = [met[f"outcome_{side}"] == "correct" for side in ("one", "other")]
        if len(met):
            versus[f"{one}, {two}"] = difference_in_pairs(*right, by=met["case"])
    _differences(found, "doctors_difference", versus)

    # What patients say, and what is counted in each visit.
    for (doctor, bias), group in played.groupby(["doctor", "bias"]):
        base = played[(played["doctor"] == doctor) & (played["bias"] == "none")]
        for rating in ("confidence", "compliance", "consultation"):
            name, given = f"{doctor}, {bias}, {rating}", group[group[rating].notna()]
            found["patient_rating", name] = mean_of_scale(given[rating], (1, 10), by=given["case"])
            if bias != "none":
                both = joined(base, group, keys)
                apart = both[f"{rating}_other"] - both[f"{rating}_one"]
                known = apart.notna()
                found["patient_rating_difference", name] = mean_of_differences(
                    apart[known], by=both.loc[known, "case"]
                )
    biased = played[played["bias"] != "none"]
    for bias, group in biased.groupby("bias"):
        found["bias_refusals", bias] = share(group["refused"], by=group["case"])
        for doctor, mine in group.groupby("doctor"):
            found["bias_refusals_by_doctor", f"{doctor}, {bias}"] = share(
                mine["refused"], by=mine["case"]
            )
    for doctor, group in by_doctor.items():
        for figure, column in COUNTED.items():
            known = group[group[column].notna()]
            if len(known):
                scale = column in ("echo", "told")
                found[figure, doctor] = (
                    mean_of_scale(known[column], (0, 1), by=known["case"])
                    if scale
                    else mean_of_amounts(known[column], by=known["case"])
                )
        found["leaked_in_dialogue", doctor] = share(group["leaked"], by=group["case"])
    for patient, group in at_reference(plain, rules, "patient").items():
        known = group[group["echo"].notna()]
        found["echo_by_patient", patient] = mean_of_scale(known["echo"], (0, 1), by=known["case"])
        asked = group[group["answers"].notna()]
        found["echoed_answers", patient] = ratio(
            asked["echoed"], asked["answers"], by=asked["case"]
        )

    # What clinicians say of the visits.
    for scale in SCALES:
        given = ratings[ratings[scale].notna()]
        found["human_rating", scale] = mean_of_scale(given[scale], (1, 10), by=given["item"])
        found["human_rating_alpha", scale] = alpha(
            wide(given["item"], given["rater"], given[scale]), "ordinal"
        )
        for score in range(1, 11):
            found["human_rating_share", f"{scale}, {score:02d}"] = share(
                given[scale] == score, by=given["item"]
            )
    for mark in tomllib.loads(MARKS.read_text(encoding="utf-8"))["mark"]:
        has = ratings["marks"].str.contains(rf"turn \d+, {mark['id']}\b")
        found["marked", mark["id"]] = share(has, by=ratings["item"])

    # The moderator against the clear majority of clinicians on each pair of diagnoses.
    pair = played.set_index("dialogue")["pair"]
    checks = checks.assign(pair=checks["item"].map(pair))
    last = checks.drop_duplicates(["pair", "rater"], keep="last")
    word = {
        name: vote
        for name, given in last.groupby("pair")["same"]
        if (vote := clear_majority(given)) in ("yes", "no")
    }
    table = wide(last["pair"], last["rater"], last["same"].map(["yes", "no", "cannot_tell"].index))
    found["clinicians_alpha", ""] = alpha(table)
    judged = played[played["outcome"].isin(["correct", "incorrect"]) & played["pair"].isin(word)]
    judged = judged.drop_duplicates(["pair", "outcome"])
    says, true = judged["outcome"] == "correct", judged["pair"].map(word) == "yes"
    found["moderator_agreement", ""] = share(says == true, by=judged["case"])
    found["moderator_sensitivity", ""] = share(says[true], by=judged.loc[true, "case"])
    found["moderator_specificity", ""] = share(~says[~true], by=judged.loc[~true, "case"])
    found["moderator_kappa", ""] = kappa(says.tolist(), true.tolist())
    found["accuracy_by_moderator", ""] = accuracy(played)
    with_diagnosis = ended[ended["outcome"].isin(["correct", "incorrect"])]
    corrected = rogan_gladen(
        float((with_diagnosis["outcome"] == "correct").mean()),
        float(says[true].mean()),
        float((~says[~true]).mean()),
    )
    found["accuracy_corrected", ""] = Expected(
        corrected * len(with_diagnosis) / len(ended), len(ended)
    )
    return found


def over(both: pd.DataFrame) -> Expected:
    """Accuracy with a bias over accuracy without."""
    return (
        Expected(float(both["now"].sum() / both["was"].sum()), len(both))
        if both["was"].any()
        else NOTHING
    )


def _differences(found: Figures, figure: str, compared: dict[str, Expected]) -> None:
    """Differences with their own p, and again with Holm's over those that were tested."""
    names = list(compared)
    corrected = holm([compared[name].p for name in names])
    for name, p in zip(names, corrected, strict=True):
        one = compared[name]
        found[figure, name] = one
        found[f"{figure}_holm", name] = Expected(one.value, one.n, low=one.low, high=one.high, p=p)
