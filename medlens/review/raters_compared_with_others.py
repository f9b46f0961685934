"""How each person's judgments compare with the others', and what a lead should look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from medlens.deferred_module import np, pd
from medlens.review.consensus import positions_and_distinct_objects
from medlens.review.tasks import Task
from medlens.stats.estimate import format_number
from medlens.stats.intervals import wilson_mean_estimate
from medlens.stats.smoothed_bootstrap import Floats

if TYPE_CHECKING:
    from numpy.typing import NDArray


FEWEST = 10
"""The fewest judgments for which a person is compared with the others."""

_FAST, _USUAL, _OTHERS_USUAL = 1 / 3, 0.95, 0.75


def table_comparing_raters_with_others(task: Task, judged: pd.DataFrame) -> pd.DataFrame:
    """One row per person who judged, from ``consensus.current_judgments``: index rater_id; seconds,
    usual, same, look_at.

    ``seconds`` is the median active time of a judgment, ``usual`` the share of the person's most
    common answer, ``same`` the mean share of an item's other raters (people) who gave the same
    answer, over all variables; NaN if it cannot be known. ``look_at`` says in words what is
    unusual, with its evidence: a third of the others' time or less; nearly always one answer
    although others vary; the 95% interval of ``same`` (Wilson) below the others' share.
    """
    people = judged[judged["rater_kind"] == "person"].reset_index(drop=True)
    names = ["seconds", "usual", "same", "look_at"]
    if people.empty:
        return pd.DataFrame(columns=names)
    which, values = positions_and_distinct_objects(people["value"])
    measured = pd.DataFrame([task.values_compared_for_agreement(value) for value in values])
    item, rater = pd.factorize(people["item_id"])[0], people["rater_id"]
    same = pd.DataFrame(index=people.index)
    answer = np.zeros(len(people), dtype=np.int64)
    for name in measured:
        code = pd.factorize(measured[name])[0][which]  # -1 if there is no answer
        width = code.max() + 2
        answer = pd.factorize(answer * width + code + 1)[0]
        given = code >= 0
        many = np.bincount(item[given], minlength=item.max() + 1)[item]
        place = pd.factorize(item * width + code + 1)[0]
        alike = np.bincount(place)[place].astype(np.float64)
        if tolerance := task.tolerances.get(str(name)):
            alike = _near(item, measured[name].to_numpy(dtype=float)[which], tolerance)
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = (alike - 1) / (many - 1)
        same[name] = np.where(given & (many > 1), shares, np.nan)
    table = pd.DataFrame(
        {
            "rater": rater,
            "seconds": people["seconds"].astype(float),
            "same": same.mean(axis=1),
            "answer": answer,
        }
    )
    per = table.groupby("rater", sort=False)
    each = pd.DataFrame(
        {
            "seconds": per["seconds"].median(),
            "usual": per["answer"].agg(lambda given: given.value_counts(normalize=True).iloc[0]),
            "judged": per.size(),
            "same": per["same"].sum(),
            "shared": per["same"].count(),
        }
    )
    rows = {who: _row(own, each.drop(who)) for who, own in each.iterrows()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=names)


def _near(item: NDArray[np.intp], numbers: Floats, tolerance: float) -> Floats:
    """How many answers (answers,) to the same item are within the tolerance of each, itself
    included; NaN counts for none.
    """
    given = ~np.isnan(numbers)
    points, at = np.unique(numbers[given], return_inverse=True)
    counts = np.zeros((int(item.max()) + 1, len(points)))
    np.add.at(counts, (item[given], at), 1)
    near = np.abs(np.subtract.outer(points, points)) <= tolerance
    found = np.zeros(len(numbers))
    found[given] = (counts @ near)[item[given], at]
    return found


def _row(own: pd.Series, others: pd.DataFrame) -> tuple[float, float, float, str]:
    """One person's row, given the others'; ``same`` is summed over the ``shared`` items."""
    seconds, usual, n, shared = own["seconds"], own["usual"], int(own["judged"]), int(own["shared"])
    told = []
    if n >= FEWEST and len(others):
        usually = others["seconds"].median()
        if seconds <= usually * _FAST:
            told.append(f"{seconds:.0f} s per item, others {usually:.0f} s")
        theirs = float(others["usual"].mean())
        if usual >= _USUAL and theirs <= _OTHERS_USUAL:
            told.append(
                f"the same answer to {format_number(usual, 'percent')} of {n:,} items,"
                f" others {format_number(theirs, 'percent')}"
            )
    if shared >= FEWEST and len(others) > 1:
        one = wilson_mean_estimate(own["same"], shared, unit="items")
        reached = others["same"].sum() / others["shared"].sum()
        if one.high is not None and one.value is not None and one.high < reached:
            told.append(
                f"agrees with {format_number(one.value, 'percent')} of the others on {shared:,}"
                f" items, others with {format_number(reached, 'percent')}"
            )
    return seconds, usual, own["same"] / shared if shared else np.nan, "; ".join(told)
