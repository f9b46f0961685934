"""How each person's judgments look beside the others', and what a lead should look at."""

from __future__ import annotations

import numpy as np
import pandas as pd

from medlens.review.tasks import Task
from medlens.stats.intervals import wilson_mean

FEWEST = 10
"""From so many judgments on, a person's are compared with the others'."""

_FAST, _USUAL, _OTHERS_USUAL = 1 / 3, 0.95, 0.75


def compared(task: Task, judged: pd.DataFrame) -> pd.DataFrame:
    """One row per person who judged, from ``consensus.judgments``: index rater_id; seconds, usual,
    same, look_at.

    ``seconds`` is the median active time of a judgment, ``usual`` the share of the person's most
    common answer, ``same`` the mean share of other people of an item who gave the same answer (over
    all variables); NaN where nothing tells. ``look_at`` says in words what is unusual, with its
    evidence: a third of the others' time or less; nearly always one answer where others vary; the
    95% interval of ``same`` (Wilson) below what the others reach.
    """
    people = judged[judged["rater_kind"] == "person"].reset_index(drop=True)
    names = ["seconds", "usual", "same", "look_at"]
    if people.empty:
        return pd.DataFrame(columns=names)
    measured = pd.DataFrame([dict(task.measures(value)) for value in people["value"]])
    item, rater = pd.factorize(people["item_id"])[0], people["rater_id"]
    same = pd.DataFrame(index=people.index)
    answer = np.zeros(len(people), dtype=np.int64)
    for name in measured:
        code = pd.factorize(measured[name])[0]  # -1 where nothing was said
        width = code.max() + 2
        answer = pd.factorize(answer * width + code + 1)[0]
        given = code >= 0
        many = np.bincount(item[given], minlength=item.max() + 1)[item]
        place = pd.factorize(item * width + code + 1)[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = (np.bincount(place)[place] - 1) / (many - 1)
        same[name] = np.where(given & (many > 1), shares, np.nan)
    table = pd.DataFrame(
        {
            "rater": rater,
            "seconds": people["seconds"].astype(float),
            "same": same.mean(axis=1),
            "answer": answer,
        }
    )
    rows = {who: _row(own, table[rater != who]) for who, own in table.groupby("rater", sort=False)}
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _row(own: pd.DataFrame, others: pd.DataFrame) -> tuple[float, float, float, str]:
    seconds, usual, n = own["seconds"].median(), _usual(own), len(own)
    shared = own["same"].dropna()
    told = []
    if n >= FEWEST and others["rater"].nunique():
        usually = others.groupby("rater")["seconds"].median().median()
        if seconds <= usually * _FAST:
            told.append(f"{seconds:.0f} s per item, others {usually:.0f} s")
        theirs = float(np.mean([_usual(one) for _, one in others.groupby("rater")]))
        if usual >= _USUAL and theirs <= _OTHERS_USUAL:
            told.append(f"the same answer to {usual:.0%} of {n:,} items, others {theirs:.0%}")
    if len(shared) >= FEWEST and others["rater"].nunique() > 1:
        one, reached = wilson_mean(shared.sum(), len(shared), unit="items"), others["same"].mean()
        if one.high is not None and one.value is not None and one.high < reached:
            told.append(
                f"agrees with {one.value:.0%} of the others on {len(shared):,} items, others with"
                f" {reached:.0%}"
            )
    return seconds, usual, shared.mean(), "; ".join(told)


def _usual(own: pd.DataFrame) -> float:
    """The share of the most common answer."""
    return float(own["answer"].value_counts(normalize=True).iloc[0])
