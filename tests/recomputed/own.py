"""The figures of a team's own study, from its file, `own-judgments` and `own-items`."""

from __future__ import annotations

import itertools
import json
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.optimize
from statsmodels.stats.inter_rater import fleiss_kappa

from tests.recomputed.second_opinion import (
    NOTHING,
    Expected,
    Figures,
    alpha,
    clear_majority,
    effective_rows,
    mean_of_amounts,
    mean_of_differences,
    mean_of_scale,
    share,
    wilson,
)
from tests.recomputed.tagging import f1

YES_NO = ["yes", "no", "cannot tell"]
MET = ["met", "not met", "cannot tell"]
AT_LEAST = 2
"""A criterion that so many items share has a figure of its own."""


@dataclass
class Asked:
    """A question, as its figures count it: its ``kind``, the ``options`` and each row's answer."""

    name: str
    kind: str
    options: list[Any]
    ends: tuple[float, float] = (1, 5)
    of_arms: bool = False
    always: bool = True
    """Whether it is asked whatever else is answered."""


def questions_of(told: Mapping[str, Any], arms: list[str]) -> Iterator[Asked]:
    """The questions that are counted."""
    for one in told["question"]:
        name, kind, each = one["id"], one["kind"], one.get("per") == "arm"
        match kind:
            case "yes_no":
                yield Asked(name, "single", YES_NO, of_arms=each)
            case "single":
                yield Asked(name, kind, one["options"], of_arms=each, always="only_if" not in one)
            case "multiple":
                yield Asked(name, kind, one["options"], of_arms=each, always="only_if" not in one)
            case "scale":
                ends = (one.get("minimum", 1), one.get("maximum", 5))
                points = list(range(ends[0], ends[1] + 1))
                also = ["not applicable"] if one.get("not_applicable") else []
                yield Asked(name, kind, [*points, *also], ends, of_arms=each)
            case "number":
                yield Asked(name, kind, [])
            case "preference":
                first, second = arms
                ways = ["clearly", "slightly"]
                options = [f"{first}, {how}" for how in ways]
                options += ["tie", *(f"{second}, {how}" for how in ways[::-1])]
                yield Asked(name, "single", options)
            case "spans":
                yield Asked(
                    name, "multiple", [*(label["name"] for label in one["labels"]), "No marks"]
                )
                for of in one.get("of_span", []):
                    if "options" in of:
                        yield Asked(f"{name}_{of['id']}", "multiple", of["options"])
            case "rubric":
                for criterion in one.get("criteria", []):
                    yield Asked(f"{name}_{criterion['id']}", "single", MET)
            case "rewrite":
                yield Asked(name, "single", ["changed", "not changed"])
                yield Asked(f"{name}_share", "number", [])
            case "evidence":
                yield Asked(name, "single", ["passages marked", "no passage"])


def words_of(text: str) -> Counter[str]:
    """The words of a text with their hyphens and decimals."""
    return Counter(re.findall(r"[^\W_](?:[^\W_]|(?<=\d)[.,](?=\d)|[-'’](?=[^\W_]))*", text))


def answers_of(
    told: Mapping[str, Any], value: Mapping[str, Any], item: Mapping[str, Any], arm: str
) -> dict[str, Any]:
    """What a judgment says, by the names of the questions counted."""
    given, found = value["answers"], {}
    for one in told["question"]:
        name, kind = one["id"], one["kind"]
        if kind == "spans":
            names = {label["id"]: label["name"] for label in one["labels"]}
            spans = value["spans"]
            labels = {names[label] for span in spans for label in span["labels"]}
            found[name] = sorted(labels) or ["No marks"]
            for of in one.get("of_span", []):
                if "options" in of:
                    key = f"{name}_{of['id']}"
                    found[key] = sorted({span["answers"][of["id"]] for span in spans})
        elif kind == "rubric":
            found |= {key: said for key, said in given.items() if key.startswith(f"{name}_")}
        elif kind == "rewrite":
            before = item[one.get("column") or told["pane"][-1]["column"]]
            after = before if given[name] == "(no change)" else given[name]
            found[name] = "not changed" if after == before else "changed"
            old, new = words_of(before), words_of(after)
            apart = ((old - new) + (new - old)).total()
            found[f"{name}_share"] = apart / (old.total() + new.total())
        elif kind == "evidence":
            none = given[name] == "(no passage)"
            found[name] = "no passage" if none else "passages marked"
        elif one.get("per") == "arm":
            found[name] = given.get(f"{name} / {arm}") if arm else None
        else:
            found[name] = None if arm else given.get(name)
    return found


def woodruff(values: pd.Series, by: pd.Series) -> Expected:
    """The median of values in clusters, with Woodruff's interval."""
    ordered = np.sort(values.to_numpy(float))
    if not len(ordered):
        return NOTHING
    middle, n, clusters = float(np.median(ordered)), len(ordered), by.nunique()
    if clusters < 4:
        return Expected(middle, n, low=None, high=None)
    sums = pd.DataFrame({"top": values <= middle, "rows": 1.0}).groupby(by.to_numpy()).sum()
    size = effective_rows(sums["top"].astype(float).tolist(), sums["rows"].tolist())
    low, _ = wilson(0.5, size, clusters - 1)
    at = max(round(low * n), 1) - 1
    bounds = float(ordered[at]), float(ordered[n - 1 - at])
    return Expected(middle, n, low=min(bounds[0], middle), high=max(bounds[1], middle))


def recompute(folder: Path) -> Figures:
    """Every figure of up to three people's answers, of which no adjudicator changed any."""
    told = tomllib.loads((folder / "STUDY.toml").read_text(encoding="utf-8"))
    arms = [one["name"] for one in told.get("arm", [])]
    items = pd.read_json(folder / "own-items.jsonl", lines=True, dtype=False)
    items = items.rename(columns={told.get("item", "item"): "item"})
    first = items.drop_duplicates("item").set_index("item")
    every = pd.read_json(folder / "own-judgments.jsonl", lines=True, dtype=False)
    judged = every[every["blind"]].reset_index(drop=True)
    rows = [
        {"item": item, "rater": rater, "arm": arm, "judgment": at}
        | answers_of(told, value, first.loc[item], arm)
        for arm in ["", *arms]
        for at, (item, rater, value) in enumerate(
            zip(judged["item"], judged["rater"], judged["value"], strict=True)
        )
    ]
    answers = pd.DataFrame(rows, index=range(len(rows)), dtype=object)
    questions = list(questions_of(told, arms))
    figures = pd.read_csv(folder / "figures.csv", keep_default_na=False)
    found: Figures = {}

    for part, chosen in _parts(told, first, figures, arms):
        mine = answers[chosen(answers)]
        for question in questions:
            if part.startswith("arm: ") and not question.of_arms:
                continue
            _answers(found, question, mine, part)
        for one in told["question"]:
            if one["kind"] == "rubric" and "criteria" in one:
                _points(found, one, mine, part)
            if one["kind"] == "rubric" and "criteria" not in one:
                _graded(found, one, told, first, mine, part)
    for question in questions:
        _items(found, question, answers)
    _agreement(found, told, questions, answers, arms)
    _wholes(found, told, judged, first, figures)
    if arms:
        _arms(found, questions, answers, arms)
    if "advice" in told:
        _advice(found, told, every, first)
    return found


Chosen = Callable[[pd.DataFrame], pd.Series]


def _parts(
    told: Mapping[str, Any], items: pd.DataFrame, figures: pd.DataFrame, arms: list[str]
) -> Iterator[tuple[str, Chosen]]:
    """All answers, and by arm and by each column that splits them: what it is called, which."""
    yield "", lambda rows: pd.Series(True, rows.index)
    for arm in arms:
        yield f"arm: {arm}", lambda rows, arm=arm: rows["arm"] == arm
    grouped = {one["name"] for one in told["column"] if one.get("groups")}
    seen = {group.split(": ")[0] for group in figures["group"] if ": " in group}
    assert grouped <= seen
    for column in sorted(seen & set(items.columns)):
        cells = items[column].astype(str)
        for value in sorted(set(cells)):
            names = set(cells.index[cells == value])
            yield f"{column}: {value}", lambda rows, names=names: rows["item"].isin(names)


def _named(*parts: Any) -> str:
    return "; ".join(str(part) for part in parts if part != "")


def _answers(found: Figures, question: Asked, rows: pd.DataFrame, part: str) -> None:
    """How often each answer was given, and the mean of numbers."""
    name = question.name
    given = rows[rows[name].notna()]
    said, by = given[name], given["item"]
    for option in question.options:
        hits = [option in one if question.kind == "multiple" else one == option for one in said]
        found[f"share_{name}", _named(part, option)] = share(hits, by=by)
    if question.kind in ("scale", "number"):
        known = said.map(lambda one: isinstance(one, int | float))
        numbers, of = said[known].astype(float), by[known]
        if question.kind == "scale":
            found[f"mean_{name}", part] = mean_of_scale(numbers, question.ends, by=of)
        else:
            found[f"mean_{name}", part] = mean_of_amounts(numbers, by=of)
            found[f"median_{name}", part] = woodruff(numbers, of)


def _variables(question: Asked, answers: pd.DataFrame) -> Iterator[tuple[str, Any, pd.DataFrame]]:
    """What agreement is about: each option of several, each arm; its name, option and rows."""
    for arm in sorted(set(answers["arm"]) - {""}) if question.of_arms else [""]:
        rows = answers[answers["arm"] == arm]
        name = f"{question.name} / {arm}" if arm else question.name
        if question.kind == "multiple":
            for option in question.options:
                yield f"{name}: {option}", option, rows
        else:
            yield name, None, rows


def _said(question: Asked, option: Any, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows with an answer, as ``said``: of several options, whether this one was chosen."""
    given = rows[rows[question.name].notna()]
    said = given[question.name]
    return given.assign(said=said if option is None else said.map(lambda one: str(option in one)))


def _items(found: Figures, question: Asked, answers: pd.DataFrame) -> None:
    """How often each answer is an item's: that of more than half of its raters."""
    if question.kind == "number":
        return
    words: dict[Any, list[tuple[str, str]]] = {}
    for _, option, rows in _variables(question, answers):
        given = _said(question, option, rows)
        # Who left it open was asked too.
        asked = rows["item"].value_counts() if question.always else given["item"].value_counts()
        for item, said in given.groupby("item")["said"]:
            votes = [str(one) for one in said]
            word = clear_majority([*votes, *["open"] * (asked[item] - len(votes))])
            if word not in (None, "open", "not applicable"):
                words.setdefault(option, []).append((str(item), word))
    for option in question.options:
        if option == "not applicable":
            continue
        given = words.get(option if question.kind == "multiple" else None, [])
        wanted = "True" if question.kind == "multiple" else str(option)
        found[f"items_{question.name}", str(option)] = share(
            [float(word == wanted) for _, word in given], by=[item for item, _ in given]
        )


def _agreement(
    found: Figures,
    told: Mapping[str, Any],
    questions: list[Asked],
    answers: pd.DataFrame,
    arms: list[str],
) -> None:
    """Alpha, Fleiss' kappa, AC1, AC2 and percent agreement of each variable."""
    for question in questions:
        if question.name.endswith("_share") and question.kind == "number":
            continue
        for name, option, rows in _variables(question, answers):
            given = _said(question, option, rows)
            scale = question.kind == "scale"
            level = {"scale": "ordinal", "number": "interval"}.get(question.kind, "nominal")
            if level != "nominal":
                given = given[given["said"].map(lambda one: isinstance(one, int | float))]
                codes = given["said"].astype(float)
            else:
                classes = sorted(set(given["said"]))
                codes = given["said"].map(classes.index).astype(float)
            table = given.assign(code=codes).pivot(index="item", columns="rater", values="code")
            twice = table[table.notna().sum(axis=1) >= 2]
            found[f"alpha_{name}", ""] = alpha(table, level)
            rated = table[table.notna().any(axis=1)]
            # Chance is that of a guess among all that could be answered, given or not.
            points = [float(one) for one in range(question.ends[0], question.ends[1] + 1)]
            possible = len(question.options)
            if option is not None or scale:
                possible = len(points) if scale else 2
            _coefficients(found, name, table, possible)
            if scale:
                found[f"ac2_{name}", ""] = _ac2(twice, rated, points)


def _coefficients(found: Figures, name: str, table: pd.DataFrame, possible: int) -> None:
    """Percent agreement, Fleiss' kappa and AC1 of ratings (units by raters) on which so many
    answers are ``possible`` (0: only those given are known).
    """
    rated = table[table.notna().any(axis=1)]
    twice = rated[rated.notna().sum(axis=1) >= 2]
    values = np.unique(table.to_numpy()[table.notna().to_numpy()])
    counts = np.column_stack([(twice == value).sum(axis=1) for value in values])
    many = counts.sum(axis=1)
    alike = (counts * (counts - 1)).sum(axis=1) / (many * (many - 1))
    found[f"percent_{name}", ""] = mean_of_scale(alike, (0, 1))
    used = int((counts.sum(axis=0) > 0).sum())
    equal = rated.notna().sum(axis=1).nunique() == 1
    kappa = float(fleiss_kappa(counts)) if equal and used > 1 else None
    found[f"fleiss_{name}", ""] = Expected(kappa, len(twice))
    often = np.array(
        [((rated == value).sum(axis=1) / rated.notna().sum(axis=1)).mean() for value in values]
    )
    found[f"ac1_{name}", ""] = _gwet(alike, often, max(possible, len(values)), 1.0, len(twice))


def _gwet(alike: Any, often: np.ndarray, points: int, weights: float, n: int) -> Expected:
    """Gwet's coefficient: chance is what raters who guess among the points agree by."""
    if points < 2:
        return Expected(None, n)
    chance = weights * float((often * (1 - often)).sum()) / (points - 1)
    chance = chance / (points if weights != 1.0 else 1)
    return Expected((float(np.mean(alike)) - chance) / (1 - chance), n)


def _ac2(twice: pd.DataFrame, rated: pd.DataFrame, points: list[float]) -> Expected:
    """AC1 of an ordered scale: points apart agree by 1 - C(d + 1, 2) / C(q, 2)."""
    q = len(points)

    def agree(one: float, other: float) -> float:
        d = abs(one - other)
        return 1 - (d + 1) * d / (q * (q - 1))

    alike = [
        np.mean([agree(a, b) for a, b in itertools.combinations(row[~np.isnan(row)], 2)])
        for row in twice.to_numpy(float)
    ]
    weights = sum(agree(a, b) for a in points for b in points)
    often = np.array(
        [((rated == p).sum(axis=1) / rated.notna().sum(axis=1)).mean() for p in points]
    )
    return _gwet(alike, often, q, weights, len(twice))


def clipped(one: Expected) -> Expected:
    """A share of points, which is not below 0 nor above 1."""

    def clip(value: Any) -> Any:
        return value if value is None else min(max(value, 0.0), 1.0)

    return Expected(clip(one.value), one.n, low=clip(one.low), high=clip(one.high))


def _points(found: Figures, rubric: Mapping[str, Any], rows: pd.DataFrame, part: str) -> None:
    """The mean share of a rubric's points, overall and by tag."""
    criteria = rubric["criteria"]
    for tag in ["", *sorted({tag for one in criteria for tag in one["tags"]})]:
        of = [one for one in criteria if not tag or tag in one["tags"]]
        most = sum(one["points"] for one in of if one["points"] > 0)
        names = [f"{rubric['id']}_{one['id']}" for one in of]
        known = rows[rows[names].notna().all(axis=1)]
        got = sum(
            one["points"] * (known[name] == "met") for one, name in zip(of, names, strict=True)
        )
        found[f"points_{rubric['id']}", _named(part, tag)] = clipped(
            mean_of_differences((got / most).astype(float), by=known["item"])
        )


def _graded(
    found: Figures,
    rubric: Mapping[str, Any],
    told: Mapping[str, Any],
    items: pd.DataFrame,
    rows: pd.DataFrame,
    part: str,
) -> None:
    """A rubric whose criteria differ by item: points, how often met, the worst of k, agreement."""
    name, table = rubric["id"], []
    for row in rows.to_dict("records"):
        cell = items.loc[row["item"], rubric["criteria_column"]]
        criteria = json.loads(cell) if isinstance(cell, str) else cell
        said = [row.get(f"{name}_{n}") for n in range(1, len(criteria) + 1)]
        for n, (one, answer) in enumerate(zip(criteria, said, strict=True)):
            table.append(
                {
                    **{key: row[key] for key in ("item", "rater", "judgment")},
                    "unit": (row["item"], n),
                    "text": one["text"],
                    "points": one["points"],
                    "tags": one["tags"],
                    "answer": answer if isinstance(answer, str) else None,
                }
            )
    given = pd.DataFrame(table)
    tags = sorted({tag for one in given["tags"] for tag in one})
    shares = pd.Series(dtype=float)
    for tag in ["", *tags]:
        of = given[given["tags"].map(lambda one, tag=tag: not tag or tag in one)]
        answered = of[of["answer"].notna()]
        found[f"met_{name}", _named(part, tag)] = share(
            answered["answer"] == "met", by=answered["item"]
        )
        if not part:
            classes = answered["answer"].map(MET.index).astype(float)
            wide = answered.assign(code=classes).pivot(index="unit", columns="rater", values="code")
            per_item = answered.groupby(["item", "unit"])["rater"].nunique()
            n = int((per_item >= 2).sum())
            found[f"alpha_{name}", tag] = alpha(wide, n=n)
            if not tag:
                _coefficients(found, name, wide, len(MET))
                # The criteria of an item were answered together: other intervals than of rows.
                for measure in ("percent", "ac1"):
                    one = found[f"{measure}_{name}", ""]
                    found[f"{measure}_{name}", ""] = Expected(one.value, n)
        got = (of["points"] * (of["answer"] == "met")).groupby(of["judgment"]).sum()
        most = of["points"].clip(lower=0).groupby(of["judgment"]).sum()
        whole = of["answer"].notna().groupby(of["judgment"]).all() & (most > 0)
        mine = (got / most)[whole]
        item = of.groupby("judgment")["item"].first()[whole]
        found[f"points_{name}", _named(part, tag)] = clipped(mean_of_differences(mine, by=item))
        shares = mine if not tag else shares
    answered = given[given["answer"].notna()]
    for text, rows_of in given.groupby("text"):
        if rows_of["item"].nunique() >= AT_LEAST:
            some = answered[answered["text"] == text]
            found[f"met_{name}", _named(part, text)] = share(
                some["answer"] == "met", by=some["item"]
            )
    # Of several answers to one conversation, every k of them are drawn and the worst is kept.
    of_item = shares.groupby(given.groupby("judgment")["item"].first()[shares.index]).mean()
    dialogue = next(one["column"] for one in told["pane"] if one.get("kind") == "dialogue")
    asked = items.loc[of_item.index, dialogue].map(str) + items.loc[
        of_item.index, rubric["criteria_column"]
    ].map(str)
    groups = [list(one) for _, one in of_item.groupby(asked)]
    for k in range(2, max(map(len, groups)) + 1):
        worst = [
            float(np.mean([min(some) for some in itertools.combinations(one, k)]))
            for one in groups
            if len(one) >= k
        ]
        found[f"worst_{name}", _named(part, f"k = {k}")] = Expected(
            min(max(float(np.mean(worst)), 0.0), 1.0), len(worst)
        )


def _wholes(
    found: Figures,
    told: Mapping[str, Any],
    judged: pd.DataFrame,
    items: pd.DataFrame,
    figures: pd.DataFrame,
) -> None:
    """Agreement on marked words and on passages."""
    for one in told["question"]:
        if one["kind"] == "spans":
            marks = [
                [(s["start"], s["end"], label) for s in value["spans"] for label in s["labels"]]
                for value in judged["value"]
            ]
            for match in ("exact", "overlap"):
                for which in ("same label", "any label"):
                    found[f"f1_{one['id']}", f"{match}, {which}"] = _f1(
                        judged, marks, exact=match == "exact", labels=which == "same label"
                    )
            column = one.get("column") or told["pane"][-1]["column"]
            for label in one["labels"]:
                found[f"words_{one['id']}", label["name"]] = _words(
                    judged, marks, items[column], label["id"]
                )
        if one["kind"] == "evidence":
            marks = [
                []
                if (said := value["answers"][one["id"]]) == "(no passage)"
                else [(p["start"], p["end"], "") for p in json.loads(said)]
                for value in judged["value"]
            ]
            for part, chosen in _parts(told, items, figures, []):
                rows = chosen(judged)
                kept = [marks[at] for at in np.flatnonzero(rows)]
                found[f"overlap_{one['id']}", part] = _f1(
                    judged[rows], kept, exact=False, labels=False
                )


def _f1(judged: pd.DataFrame, marks: list[Any], *, exact: bool, labels: bool) -> Expected:
    scores = []
    for _, rows in judged.reset_index(drop=True).groupby("item"):
        lists = [
            sorted({(s, e, label if labels else "") for s, e, label in marks[at]})
            for at in rows.index
        ]
        pairs = [f1(a, b, exact=exact) for a, b in itertools.combinations(lists, 2)]
        known = [pair for pair in pairs if pair is not None]
        if known:
            scores.append(float(np.mean(known)))
    return mean_of_scale(scores, (0, 1))


def _words(judged: pd.DataFrame, marks: list[Any], texts: pd.Series, label: str) -> Expected:
    columns = []
    for item, rows in judged.groupby("item"):
        if len(rows) < 2:
            continue
        tokens = [one.span() for one in re.finditer(r"\S+", texts[item])]
        block = np.full((len(tokens), judged["rater"].nunique()), np.nan)
        for at, judgment in enumerate(rows.index):
            mine = [(s, e) for s, e, name in marks[judgment] if name == label]
            block[:, at] = [float(any(s < b and a < e for s, e in mine)) for a, b in tokens]
        columns.append(block)
    return alpha(pd.DataFrame(np.vstack(columns)), n=len(columns))


def _arms(found: Figures, questions: list[Asked], answers: pd.DataFrame, arms: list[str]) -> None:
    """Differences of arms that each rater judged both of, and which was preferred."""
    for question in questions:
        if not question.of_arms:
            continue
        options: list[Any] = [None] if question.kind == "scale" else question.options[:1]
        for option in options:
            values = answers[question.name]
            if option is not None:
                values = values.map(
                    lambda one, o=option: np.nan if one is None else float(one == o)
                )
            rows = answers.assign(value=pd.to_numeric(values, errors="coerce"))
            table = rows[rows["arm"] != ""].pivot(
                index=["item", "rater"], columns="arm", values="value"
            )
            for one, other in itertools.combinations(arms, 2):
                both = table[[one, other]].dropna()
                group = _named(f"{one} minus {other}", option or "")
                apart = (both[one] - both[other]).mean()
                found[f"difference_{question.name}", group] = Expected(float(apart), len(both))
    preferences = next(one for one in questions if "tie" in one.options)
    said = answers.loc[answers["arm"] == "", preferences.name].dropna()
    first, second = arms
    won = said.map(lambda one: 0.5 if one == "tie" else float(one.startswith(f"{first},")))
    found[f"win_{preferences.name}", f"{first} over {second}"] = Expected(
        float(won.mean()), len(won)
    )

    def unlikely(strength: float) -> float:
        chance = 1 / (1 + np.exp(-strength))
        return -float((won * np.log(chance) + (1 - won) * np.log(1 - chance)).sum())

    best = scipy.optimize.minimize_scalar(
        unlikely, bounds=(-9, 9), method="bounded", options={"xatol": 1e-9}
    ).x
    chance = float(1 / (1 + np.exp(-best)))
    for arm, value in ((first, chance), (second, 1 - chance)):
        found[f"strength_{preferences.name}", arm] = Expected(value)


def _advice(
    found: Figures, told: Mapping[str, Any], every: pd.DataFrame, items: pd.DataFrame
) -> None:
    """What advice did: answers before and after it, the advice, and the truth."""
    [advice] = told["advice"]
    name = advice["question"]
    said = every.assign(said=[value["answers"][name] for value in every["value"]])
    sides = [said[said["blind"] == blind] for blind in (True, False)]
    both = sides[0].merge(sides[1], on=["item", "rater"], suffixes=("_before", "_after"))
    before, after = both["said_before"], both["said_after"]
    told_to, truth = (both["item"].map(items[advice[key]]) for key in ("column", "truth"))
    by = both["item"]

    def of(hits: pd.Series, among: pd.Series | None = None) -> Expected:
        rows = pd.Series(True, both.index) if among is None else among
        return share(hits[rows].astype(float), by=by[rows])

    agreed, agrees = before == told_to, after == told_to
    was, now, right = before == truth, after == truth, told_to == truth
    shares = {
        "agreed_before": of(agreed),
        "agreed_after": of(agrees),
        "took": of(agrees, ~agreed),
        "left": of(~agrees, agreed),
        "advice_right": of(right),
        "right_before": of(was),
        "right_after": of(now),
        "took_right": of(now, right & ~was),
        "kept_right": of(now, ~right & was),
        "agreed_change": Expected(float(agrees.mean() - agreed.mean()), len(both)),
        "right_change": Expected(float(now.mean() - was.mean()), len(both)),
    }
    found |= {(f"advice_{name}", key): one for key, one in shares.items()}
