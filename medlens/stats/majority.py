"""The clear majority: the one answer that counts for several people.

An answer has a clear majority if more than half of all who were asked gave it. *Cannot tell* is an
answer like any other, which can have the majority; who was asked and answered nothing (what does
not apply, a question left open) counts among those asked, but nothing cannot have the majority.
Who was not asked does not count.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from medlens.deferred_module import np
from medlens.stats.smoothed_bootstrap import Floats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


CANNOT_TELL = frozenset({"cannot_tell", "cannot tell"})
"""The answers by which somebody who was asked abstains."""


def mask_of_clear_majorities(votes: ArrayLike, asked: ArrayLike) -> NDArray[np.bool_]:
    """Whether so many votes, of so many who were asked, are a clear majority; elementwise."""
    return np.asarray(2 * np.asarray(votes) > np.asarray(asked))


class Vote(NamedTuple):
    """The outcome: the ``answer`` with a clear majority, or None; the ``votes`` for the commonest
    answer, how many were ``asked``, and how many of them said that they cannot tell.
    """

    answer: Hashable | None
    votes: int
    asked: int
    cannot_tell: int


def count_votes_and_find_majority(answers: Iterable[Hashable | None]) -> Vote:
    """What the people who were asked say together; None stands for no answer."""
    given = list(answers)
    counts = Counter(answer for answer in given if answer is not None)
    commonest, votes = counts.most_common(1)[0] if counts else (None, 0)
    clear = bool(mask_of_clear_majorities(votes, len(given)))
    abstained = sum(many for answer, many in counts.items() if is_abstention(answer))
    return Vote(commonest if clear else None, votes, len(given), abstained)


def count_votes_and_find_majority_on_scale(
    numbers: Iterable[float | None], tolerance: float
) -> Vote:
    """What the people who were asked say together on a scale on which answers up to ``tolerance``
    apart are the same: the median, if more than half of them gave answers no further apart than
    that from each other. ``votes`` counts the largest such group: everybody who gave a number,
    unless two of them are divided.
    """
    given = list(numbers)
    known = [number for number in given if number is not None]
    votes = size_of_largest_group_within_tolerance(known, tolerance)
    clear = bool(mask_of_clear_majorities(votes, len(given)))
    # The median lies within every group of more than half.
    return Vote(statistics.median(known) if clear else None, votes, len(given), 0)


def size_of_largest_group_within_tolerance(numbers: Iterable[float], tolerance: float) -> int:
    """The size of the largest group of numbers of which no two are further apart than the
    tolerance.
    """
    ordered = np.sort(np.fromiter(numbers, dtype=np.float64))
    ends = np.searchsorted(ordered, ordered + tolerance, side="right")
    return int((ends - np.arange(len(ordered))).max(initial=0))


def is_abstention(answer: object) -> bool:
    """Whether an answer is *cannot tell*."""
    return isinstance(answer, str) and answer in CANNOT_TELL


def compute_majority_code_of_each_item(codes: ArrayLike, asked: ArrayLike) -> Floats:
    """The clear majority of each row (items,), NaN without one, of codes (items, raters), which are
    NaN without a code; ``asked`` (items, raters) says who was asked.
    """
    given = np.asarray(codes, dtype=np.float64)
    total = np.asarray(asked, dtype=bool).sum(axis=1)
    found = np.full(len(given), np.nan)
    for code in np.unique(given[~np.isnan(given)]):
        found[mask_of_clear_majorities((given == code).sum(axis=1), total)] = code
    return found


def compute_majority_median_of_each_item(
    numbers: ArrayLike, asked: ArrayLike, *, tolerance: float = 0
) -> Floats:
    """The median of each row (items,) of numbers (items, raters), if more than half of those who
    were ``asked`` (items, raters) gave one; else NaN. With a ``tolerance``, these must be no
    further apart from each other than that, as in ``count_votes_and_find_majority_on_scale``.
    """
    given = np.asarray(numbers, dtype=np.float64)
    total = np.asarray(asked, dtype=bool).sum(axis=1)
    votes = (~np.isnan(given)).sum(axis=1)
    if tolerance:
        votes = np.array(
            [
                size_of_largest_group_within_tolerance(row[~np.isnan(row)], tolerance)
                for row in given
            ],
            dtype=int,
        )
    enough = mask_of_clear_majorities(votes, total)
    found = np.full(len(given), np.nan)
    found[enough] = np.nanmedian(given[enough], axis=1) if enough.any() else np.nan
    return found
