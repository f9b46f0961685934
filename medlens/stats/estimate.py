"""A number with its interval, its n and its method; or the reason why there is none."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

SMALLEST_P = 1e-300
"""Smaller p values are given as this: one that underflows to 0 is not a certainty."""

MOST_OUTSTANDING = 0.2
"""If more than this share of the rows has no verdict yet, a figure is withheld."""

FRACTIONAL = "of fractional scores"
"""In the method of a share of scores between 0 and 1 whose sum is not a whole number."""


@dataclass(frozen=True)
class Estimate:
    """One figure.

    ``value`` is ``None`` if the figure is undefined, and ``reason`` then says why: an undefined
    figure is never 0.0 and never NaN. ``low`` and ``high`` are ``None`` if no interval can be
    given. ``n`` counts the units that the value is based on (items unless the method says
    otherwise).

    ``numerator`` and ``denominator`` are for proportions. ``pairs`` and ``coverage`` are for
    agreement: pairs of ratings compared, and the share of the given units with two or more ratings.
    ``p`` is a p value if the method tests something.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str
    numerator: int | None = None
    denominator: int | None = None
    p: float | None = None
    pairs: int | None = None
    coverage: float | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Raise ``ValueError`` on NaN, infinity, or not exactly one of a value and a reason."""
        for name in ("value", "low", "high", "p", "coverage"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} is not a number: use Estimate.undefined(reason)")
        if (self.value is None) != bool(self.reason):
            raise ValueError("an estimate has either a value or a reason for having none")
        if self.value is None and (self.low is not None or self.high is not None):
            raise ValueError("an undefined estimate has no interval")

    @classmethod
    def undefined(
        cls,
        reason: str,
        n: int = 0,
        *,
        method: str = "",
        denominator: int | None = None,
        pairs: int | None = None,
        coverage: float | None = None,
    ) -> Estimate:
        """A figure that cannot be computed from these data; ``reason`` completes "undefined,
        because".
        """
        return cls(
            value=None,
            low=None,
            high=None,
            n=n,
            method=method,
            denominator=denominator,
            pairs=pairs,
            coverage=coverage,
            reason=reason,
        )

    @property
    def total(self) -> float | None:
        """The value's numerator: a count, or the sum of scores that ``numerator`` rounds.

        Whole totals are whole numbers.
        """
        if self.value is None or self.denominator is None or FRACTIONAL not in self.method:
            return self.numerator
        return round(self.value * self.denominator, 6)

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


def with_outstanding(one: Estimate, many: int, *, hits: int = 0, misses: int = 0) -> Estimate:
    """A share when ``many`` more rows have no verdict yet, with the bounds they leave it.

    ``hits`` and ``misses`` of them are decided all the same. Withheld if too many are outstanding,
    because those with a verdict may differ from the others.
    """
    if not many:
        return one
    counted, top = one.denominator or 0, one.total or 0
    low, high = (top + hits) / (counted + many), (top + many - misses) / (counted + many)
    said = (
        f"{many:,} of {counted + many:,} have verdicts outstanding: between {low:.1%} and"
        f" {high:.1%} whatever they say"
    )
    return _told(one, many, counted, said)


def difference_with_outstanding(one: Estimate, many: int) -> Estimate:
    """A difference or ratio of pairs when ``many`` more have a verdict outstanding."""
    said = f"{many:,} of {one.n + many:,} pairs have verdicts outstanding"
    return _told(one, many, one.n, said) if many else one


def _told(one: Estimate, many: int, counted: int, said: str) -> Estimate:
    if many > MOST_OUTSTANDING * (counted + many):
        return Estimate.undefined(said, one.n, method=one.method, denominator=one.denominator)
    if not one.defined:
        return one
    return replace(one, method=f"{one.method}; {said}")
