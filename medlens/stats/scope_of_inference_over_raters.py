"""Whom a figure of people's judgments speaks for: raters like those who judged, or these alone.

Judgments lie in items and in raters. An interval over items alone says what these raters would have
answered on other items; one over items and raters, what others like them would. Which of the two a
figure has is decided here and nowhere else: raters like these from the number of raters on at which
simulation shows the interval to cover (``docs/statistics.md``), unless the panel was declared to be
fixed: whoever computes the figures of a study does so within ``panel``, and no figure needs to be
told.

Source: Kish (1965), Survey Sampling, section 11.7 (the effective number of raters).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from medlens.deferred_module import np
from medlens.stats.estimate import Estimate, OfRater
from medlens.stats.smoothed_bootstrap import Ints

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


RATERS_LIKE_THESE = "raters like these"
FIXED_PANEL = ", a fixed panel"
"""Behind "these N raters", where somebody has declared that no others matter."""

Method = Literal["share", "mean", "median", "difference", "change", "wins", "strength", "resampled"]

FEWEST_RATERS: dict[Method, int] = {
    "share": 4,
    "mean": 4,
    "median": 4,
    "difference": 4,
    "change": 4,
    "wins": 4,
    "strength": 4,
    "resampled": 4,
}
"""From so many raters on a figure of this method speaks for raters like these."""

FEWEST_EFFECTIVE = 3.0
"""Of raters who judged very different amounts, as many must be left in effect
(``WorkloadEffect``)."""


_PANEL_IS_FIXED: ContextVar[bool] = ContextVar("panel_is_fixed", default=False)


@contextmanager
def declare_panel_fixed_within(*, fixed: bool) -> Iterator[None]:
    """Within this, figures are of a ``fixed`` panel, or of raters of whom there are others.

    What is computed lazily must be computed within it, and what is kept must be kept by ``fixed``.
    """
    before = _PANEL_IS_FIXED.set(fixed)
    try:
        yield
    finally:
        _PANEL_IS_FIXED.reset(before)


def is_panel_declared_fixed_now() -> bool:
    """Whether the raters of the figures computed now are declared to be all that matter."""
    return _PANEL_IS_FIXED.get()


def words_for_these_raters_alone(count: int, *, fixed: bool | None = None) -> str:
    """The words for figures that speak only for the ``count`` raters who judged; by default the
    panel is as ``panel`` says.
    """
    if count == 1:
        return "this rater"
    is_fixed = is_panel_declared_fixed_now() if fixed is None else fixed
    return f"these {count:,} raters" + FIXED_PANEL * is_fixed


def are_raters_enough_to_speak_for_others(
    count: int, fewest: int, *, fixed: bool | None = None
) -> bool:
    """Whether a figure of ``count`` raters can speak for raters like these, if simulation shows
    its method to cover from ``fewest`` on; by default the panel is as ``panel`` says.
    """
    return count >= fewest and not (is_panel_declared_fixed_now() if fixed is None else fixed)


def note_estimate_speaks_for_these_raters(estimate: Estimate, count: int) -> Estimate:
    """The estimate, said to speak for the ``count`` raters who judged, unless it is undefined or
    speaks for somebody already.

    For figures whose interval is over items alone, such as agreement: simulation over raters does
    not show it to cover for others like them.
    """
    if not estimate.has_value or estimate.speaks_for or not count:
        return estimate
    return replace(estimate, speaks_for=words_for_these_raters_alone(count))


@dataclass(frozen=True)
class WorkloadEffect:
    """What unequal amounts of work do to a variance over raters.

    ``effective`` is the number of raters who, each judging as much, would leave as much to chance
    (Kish 1965): all of them, if they do. ``correction`` is what the sum of their squared influences
    must be multiplied by to be unbiased for raters who differ: raters / (raters - 1), if they judge
    alike; more, if a few judged most, since these pull the mean towards themselves.
    """

    effective: float
    correction: float

    @classmethod
    def from_counts_by_rater(cls, counts: ArrayLike) -> WorkloadEffect:
        """From the number of judgments by rater, (raters,)."""
        given = np.asarray(counts, dtype=np.float64)
        if not given.sum():
            return cls(0.0, 1.0)
        part = given / given.sum()
        squares, cubes = float((part**2).sum()), float((part**3).sum())
        # A rater's influence is part x (own mean - mean of all), its square on average
        # part^2 (1 - 2 part + squares) of the variance between raters.
        left = squares - 2 * cubes + squares**2
        # From whole numbers: 3, 1, 1 and 1 judgments are those of exactly three raters.
        effective = float(given.sum() ** 2 / (given**2).sum())
        return cls(effective, squares / left if left > 1e-12 else 1.0)


@dataclass(frozen=True)
class JudgmentItemsAndRaters:
    """Which item and which rater each judgment (n,) is of.

    ``unit`` names the items in the plural. With a ``fixed_panel`` these raters are all that matter:
    figures then speak for them, however many they are; by default as ``panel`` says. Where
    raters are numbers, ``called`` are their ids, by number.
    """

    items: ArrayLike
    raters: ArrayLike
    unit: str = "items"
    fixed_panel: bool = field(default_factory=is_panel_declared_fixed_now)
    called: Sequence[str] = field(default=(), compare=False, repr=False)
    item_codes: Ints = field(init=False, repr=False)
    rater_codes: Ints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Number items and raters; raise ``ValueError`` unless there is one of each per row."""
        items, raters = np.asarray(self.items), np.asarray(self.raters)
        if len(items) != len(raters):
            raise ValueError(f"{len(items)} items but {len(raters)} raters: one each per judgment")
        for name, given in (("item_codes", items), ("rater_codes", raters)):
            codes = np.unique(given, return_inverse=True)[1] if len(given) else given
            object.__setattr__(self, name, np.asarray(codes, dtype=np.int64))

    def __len__(self) -> int:
        """The number of judgments."""
        return len(self.item_codes)

    def select_judgments_in_rows(self, rows: ArrayLike) -> JudgmentItemsAndRaters:
        """The judgments in ``rows``: a mask (n,), or positions."""
        of = np.asarray(rows)
        items, raters = np.asarray(self.items)[of], np.asarray(self.raters)[of]
        return JudgmentItemsAndRaters(items, raters, self.unit, self.fixed_panel, self.called)

    @property
    def item_count(self) -> int:
        """The number of items that were judged."""
        return int(self.item_codes.max(initial=-1)) + 1

    @property
    def rater_count(self) -> int:
        """The number of raters who judged."""
        return int(self.rater_codes.max(initial=-1)) + 1

    def list_mean_of_each_rater(
        self, values: ArrayLike, raters: ArrayLike | None = None
    ) -> tuple[OfRater, ...]:
        """The mean of each rater's values (n,), by default one for each judgment; else ``raters``
        are their codes (n,). Empty for one rater, of whom the figure itself tells as much.
        """
        numbers = np.asarray(values, dtype=np.float64)
        codes = self.rater_codes if raters is None else np.asarray(raters, dtype=np.int64)
        counts = np.bincount(codes)
        there = np.flatnonzero(counts)
        if len(there) < 2:
            return ()
        sums = np.bincount(codes, numbers)
        names = np.unique(np.asarray(self.raters))
        return tuple(
            OfRater(
                str(self.called[int(names[at])] if len(self.called) else names[at]),
                float(sums[at] / counts[at]),
                int(counts[at]),
            )
            for at in there.tolist()
        )

    @cached_property
    def effect_of_unequal_workload(self) -> WorkloadEffect:
        """How unequally the judgments are spread over the raters."""
        return WorkloadEffect.from_counts_by_rater(np.bincount(self.rater_codes))

    @cached_property
    def codes_of_item_and_rater_cells(self) -> Ints:
        """The number of each judgment's cell, (n,): what one rater said of one item."""
        cells = self.item_codes * max(self.rater_count, 1) + self.rater_codes
        codes = np.unique(cells, return_inverse=True)[1]
        return np.asarray(codes, dtype=np.int64)

    @property
    def words_for_these_raters_alone(self) -> str:
        """The words for a figure that speaks for these raters alone."""
        return words_for_these_raters_alone(self.rater_count, fixed=self.fixed_panel)

    def can_speak_for_others(self, method: Method) -> bool:
        """Whether a figure of this method can speak for raters like these."""
        fewest = FEWEST_RATERS[method]
        enough = are_raters_enough_to_speak_for_others(
            self.rater_count, fewest, fixed=self.fixed_panel
        )
        return enough and self.effect_of_unequal_workload.effective >= FEWEST_EFFECTIVE


def whom_estimates_speak_for_in_words(
    estimates: Iterable[Estimate], *, listed_in: str = "the table"
) -> str:
    """A sentence on whom these figures speak for; "" if none of them is of people's judgments.

    ``listed_in`` says where each has its own ``speaks_for``.
    """
    return whom_figures_speak_for_in_words(
        (each.speaks_for for each in estimates), listed_in=listed_in
    )


def _only(whom: str) -> str:
    """“these 4 raters only”, or “these 4 raters only, a fixed panel”."""
    raters, comma, rest = whom.partition(",")
    return f"{raters} only{comma}{rest}"


def whom_figures_speak_for_in_words(
    speaks_for: Iterable[str], *, listed_in: str = "the table"
) -> str:
    """``whom_estimates_speak_for_in_words`` from the words of each figure, "" for figures that are
    not of people.
    """
    counts = Counter(filter(None, speaks_for))
    if not counts:
        return ""
    if len(counts) == 1:
        [whom] = counts
        if whom != RATERS_LIKE_THESE:
            figures = "These figures describe" if counts[whom] > 1 else "This figure describes"
            return f"{figures} {_only(whom)}."
        return f"They speak for {whom}." if counts[whom] > 1 else f"It speaks for {whom}."
    others = counts.pop(RATERS_LIKE_THESE, 0)
    if not others:
        return f"They speak only for the raters who judged; {listed_in} says how many."
    return (
        f"{others:,} of {others + counts.total():,} speak for {RATERS_LIKE_THESE}, the others only"
        f" for those who judged; {listed_in} says which."
    )
