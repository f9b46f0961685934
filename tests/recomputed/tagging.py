"""Error tagging's figures, from `judgments`, `spans`, `items` and `gold`."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.stats.inter_rater import fleiss_kappa

from tests.recomputed.second_opinion import (
    Expected,
    Figures,
    alpha,
    alpha_by_distance,
    count,
    mean_of_differences,
    mean_of_scale,
    median_with_quartiles,
    share,
    share_of_count,
)

TAXONOMY = Path(__file__).parents[2] / "data/taxonomies/g4ue.toml"


def masi(one: frozenset[str], other: frozenset[str]) -> float:
    """The MASI distance of two sets (Passonneau 2006)."""
    if one == other:
        return 0.0
    if not one & other:
        return 1.0
    part = 2 / 3 if one <= other or other <= one else 1 / 3
    return 1 - part * len(one & other) / len(one | other)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """The Jaccard distance of two sets; two empty ones are the same."""
    return 1 - len(one & other) / len(one | other) if one | other else 0.0


def f1(one: list[Any], other: list[Any], *, exact: bool) -> float | None:
    """F1 of two raters' marks (start, end, label), each mark matched once, most shared first."""
    if not one and not other:
        return None

    def fits(a: Any, b: Any) -> bool:
        if a[2] != b[2]:
            return False
        return a[:2] == b[:2] if exact else max(a[0], b[0]) < min(a[1], b[1])

    def rank(pair: Any) -> Any:
        a, b = pair
        shared = min(a[1], b[1]) - max(a[0], b[0])
        return (-shared, max(a[1], b[1]) - min(a[0], b[0]), max(a[0], b[0]))

    left, right, matched = list(one), list(other), 0
    for a, b in sorted(((a, b) for a in one for b in other if fits(a, b)), key=rank):
        if a in left and b in right:
            left.remove(a)
            right.remove(b)
            matched += 1
    return 2 * matched / (len(one) + len(other))


def of_judgments(hits: Any, rows: pd.DataFrame) -> Expected:
    """A share of judgments, which lie in items and in raters."""
    return share(hits, by=rows["item"], raters=rows["rater"])


def recompute(folder: Path) -> Figures:
    """Every figure of a dataset in which no adjudicator has spoken."""
    labels = tomllib.loads(TAXONOMY.read_text(encoding="utf-8"))["label"]
    ids = {one.get("export_name", one["name"]): one["id"] for one in labels}
    errors = {one["id"] for one in labels if one["kind"] == "error"}
    needs_link = {one["id"] for one in labels if one.get("requires_link")}
    order = [one["id"] for one in labels]
    judged = pd.read_csv(folder / "judgments.csv", keep_default_na=False)
    judged["set"] = [
        frozenset(ids[name] for name in given.split("; ") if name) for given in judged["labels"]
    ]
    spans = pd.read_csv(
        folder / "spans.csv", keep_default_na=False, na_values={"start": "", "end": ""}
    )
    spans["id"] = spans["label"].map(ids)
    # As JSON: in CSV, what a spreadsheet could take for a formula has a quote before it.
    texts = pd.read_json(folder / "items.jsonl", lines=True, dtype=False).set_index("item")[
        "response"
    ]
    gold = pd.read_csv(folder / "gold.csv", keep_default_na=False)
    n, items = len(judged), judged["item"].unique()
    raters = judged.groupby("item")["rater"].nunique()
    votes = {
        label: judged[[label in given for given in judged["set"]]].groupby("item").size()
        for label in order
    }
    found: Figures = {
        ("items", ""): count(len(items)),
        ("judgments", ""): count(n),
        ("raters", ""): count(judged["rater"].nunique()),
    }
    marks = spans.drop_duplicates(["judgment_id", "span"])
    found["spans_located", ""] = of_judgments(marks["start"].notna(), marks)

    # Labels under both rules, and pairs of them.
    for rule in ("relaxed", "strict"):
        holds = {
            label: {
                item
                for item in items
                if votes[label].get(item, 0) >= (1 if rule == "relaxed" else min(2, raters[item]))
            }
            for label in order
        }
        some = set().union(*holds.values())
        found[f"items_with_label_{rule}", ""] = share_of_count(len(some), len(items))
        for label in order:
            found[f"prevalence_{rule}", label] = share_of_count(len(holds[label]), len(some))
        for one, other in combinations(order, 2):
            together = share_of_count(len(holds[one] & holds[other]), len(some))
            found[f"cooccurrence_{rule}", f"{one} + {other}"] = together

    # Agreement.
    for label in order:
        given = judged.assign(on=[float(label in one) for one in judged["set"]])
        found["label_use", label] = of_judgments(given["on"], given)
        table = given.pivot(index="item", columns="rater", values="on")
        found["alpha", label] = alpha(table)
        twice = table[table.notna().sum(axis=1) >= 2]
        counts = np.column_stack([(twice == 0).sum(axis=1), (twice == 1).sum(axis=1)])
        many = counts.sum(axis=1)
        alike = (counts * (counts - 1)).sum(axis=1) / (many * (many - 1))
        found["percent_agreement", label] = mean_of_scale(alike, (0, 1))
        # Gwet: how often the label is given, each item alike, of all items that were rated.
        rated = table.notna().sum(axis=1)
        usual = float((table.sum(axis=1) / rated).mean())
        chance = 2 * usual * (1 - usual)
        found["ac1", label] = Expected((alike.mean() - chance) / (1 - chance), len(twice))
        equal = len(set(many)) == 1 and 0 < counts[:, 1].sum() < counts.sum()
        kappa = float(fleiss_kappa(counts)) if equal else None
        found["fleiss_kappa", label] = Expected(kappa, len(twice))
    sets = judged.groupby("item")["set"].apply(list).to_dict()
    for name, distance in (("masi", masi), ("jaccard", jaccard)):
        found["alpha_label_sets", name] = Expected(
            alpha_by_distance(sets, distance), int((raters >= 2).sum())
        )

    # Marks and words: of judgments whose marks all have a place.
    lost = set(spans.loc[spans["start"].isna(), "judgment_id"])
    placed = judged[~judged["judgment_id"].isin(lost)]
    of = dict(iter(spans.groupby("judgment_id")))
    empty = spans.iloc[:0]

    def marked(judgment: str, label: bool) -> list[Any]:
        rows = of.get(judgment, empty)
        return sorted(
            {(int(row.start), int(row.end), row.id if label else "") for row in rows.itertuples()}
        )

    for match in ("exact", "overlap"):
        for which in ("same label", "any label"):
            scores = []
            for _, group in placed.groupby("item"):
                lists = [marked(name, which == "same label") for name in group["judgment_id"]]
                pairs = [f1(a, b, exact=match == "exact") for a, b in combinations(lists, 2)]
                pairs = [one for one in pairs if one is not None]
                if pairs:
                    scores.append(np.mean(pairs))
            found[f"span_f1_{match}", which] = mean_of_scale(scores, (0, 1))
    for label in order:
        columns = []
        for item, group in placed.groupby("item"):
            if len(group) < 2:
                continue
            tokens = [one.span() for one in re.finditer(r"\S+", texts[item])]
            rows = []
            for judgment in group["judgment_id"]:
                mine = [one for one in marked(judgment, True) if one[2] == label]
                rows.append([float(any(s < b and a < e for s, e, _ in mine)) for a, b in tokens])
            block = np.full((judged["rater"].nunique(), len(tokens)), np.nan)
            block[: len(rows)] = rows
            columns.append(block)
        words = alpha(pd.DataFrame(np.hstack(columns).T), n=len(columns))
        found["alpha_tokens", label] = words

    # Labels on the same words: the same mark, or two that share a character.
    passages: dict[tuple[str, str], set[str]] = {}
    for judgment, rows in of.items():
        for a, b in combinations(rows.itertuples(), 2):
            shared = a.span == b.span or max(a.start, b.start) < min(a.end, b.end)
            if shared and a.id != b.id:
                passages.setdefault(tuple(sorted((a.id, b.id), key=order.index)), set()).add(
                    judgment
                )
    labelled = judged[judged["set"].map(bool)]
    for pair in combinations(order, 2):
        hits = labelled["judgment_id"].isin(passages.get(pair, set()))
        found["cooccurrence_same_passage", " + ".join(pair)] = of_judgments(hits, labelled)

    # Where in the response the middles of the marks lie.
    here = spans[spans["start"].notna()].drop_duplicates(["judgment_id", "start", "end", "id"])
    length = here["item"].map(texts.str.len())
    tenth = np.minimum(np.floor((here["start"] + here["end"]) / 2 / length * 10 + 1e-9), 9)
    for label in order:
        mine = here["id"] == label
        for decile in range(10):
            found["position", f"{label}, tenth {decile + 1:02d}"] = of_judgments(
                tenth[mine] == decile, here[mine]
            )

    # Raters.
    judged["errors"] = [len(one & errors) for one in judged["set"]]
    whole = judged.groupby("item")["errors"].agg(["sum", "size"])
    rest = judged.join(whole, on="item")
    judged["apart"] = rest["errors"] - (rest["sum"] - rest["errors"]) / (rest["size"] - 1)
    judged["seconds"] = pd.to_numeric(judged["active_seconds"], errors="coerce")
    found["seconds_per_item", ""] = median_with_quartiles(judged["seconds"])
    for rater, mine in judged.groupby("rater"):
        found["rater_severity", rater] = mean_of_differences(
            mine.loc[np.isfinite(mine["apart"]), "apart"]
        )
        found["rater_errors_per_item", rater] = mean_of_scale(mine["errors"], (0, len(errors)))
        found["rater_seconds_per_item", rater] = median_with_quartiles(mine["seconds"])
        for label in order:
            if label not in errors:
                found[f"rater_share_{label}", rater] = share_of_count(
                    sum(label in one for one in mine["set"]), len(mine)
                )

    # Rules.
    good = [one - errors for one in judged["set"]]
    both = [bool(one & errors) and bool(one - errors) for one in judged["set"]]
    found["rule_breaches", "error and non-error label together"] = of_judgments(both, judged)
    found["rule_breaches", "more than one non-error label"] = of_judgments(
        [len(one) > 1 for one in good], judged
    )
    bare = set(spans.loc[spans["id"].isin(needs_link) & (spans["link"] == ""), "judgment_id"])
    asked = judged[[bool(one & needs_link) for one in judged["set"]]]
    found["rule_breaches", "no link or citation"] = of_judgments(
        asked["judgment_id"].isin(bare), asked
    )

    # Gold: every expected label, and none of the other kind.
    for rater, mine in judged.merge(gold.rename(columns={"labels": "key"}), on="item").groupby(
        "rater"
    ):
        keys = [frozenset(ids[name] for name in one.split("; ")) for one in mine["key"]]
        hits = [
            key <= given and not (given - errors if key & errors else given & errors)
            for key, given in zip(keys, mine["set"], strict=True)
        ]
        found["gold_hit_rate", rater] = share_of_count(sum(hits), len(hits))
    return found
