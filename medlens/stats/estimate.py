"""A number with its interval, its n and its method; or the reason why there is none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from medlens.deferred_module import pd

SMALLEST_P = 1e-300
"""Smaller p values are given as this: one that underflows to 0 is not a certainty."""

MOST_OUTSTANDING = 0.2
"""If more than this share of the rows has no verdict yet, a figure is withheld."""

FRACTIONAL = "of fractional scores"
"""In the method of a share of scores between 0 and 1 whose sum is not a whole number."""


@dataclass(frozen=True)
class OfRater:
    """What the ``n`` judgments of one ``rater``, an id, give alone."""

    rater: str
    value: float
    n: int


@dataclass(frozen=True)
class Estimate:
    """One figure.

    ``value`` is ``None`` if the figure is undefined, and ``reason`` then says why: an undefined
    figure is never 0.0 and never NaN. ``low`` and ``high`` are ``None`` if no interval can be
    given. ``n`` counts the units that the value is based on (items unless the method says
    otherwise).

    ``numerator`` and ``denominator`` are for proportions. ``pairs`` and ``coverage`` are for
    agreement: pairs of ratings compared, and the share of the given units with two or more ratings.
    ``p`` is a p value if the method tests something. ``speaks_for`` says whom a figure of people's
    judgments speaks for (``scope_of_inference_over_raters``); it is empty for other figures.
    ``of_raters`` has the same figure of each rater alone, to show how they differ; it is empty if
    that is not shown, and no part of what makes two estimates equal.
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
    speaks_for: str = ""
    of_raters: tuple[OfRater, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        """Raise ``ValueError`` on NaN, infinity, or not exactly one of a value and a reason."""
        for name in ("value", "low", "high", "p", "coverage"):
            number = getattr(self, name)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"{name} is not a number: use Estimate.undefined_estimate(reason)")
        if (self.value is None) != bool(self.reason):
            raise ValueError("an estimate has either a value or a reason for having none")
        if self.value is None and (self.low is not None or self.high is not None):
            raise ValueError("an undefined estimate has no interval")

    @classmethod
    def undefined_estimate(
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
    def exact_numerator(self) -> float | None:
        """The value's numerator: a count, or the sum of scores that ``numerator`` rounds.

        Whole totals are whole numbers.
        """
        if self.value is None or self.denominator is None or FRACTIONAL not in self.method:
            return self.numerator
        return round(self.value * self.denominator, 6)

    @property
    def has_value(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


def share_with_bounds_for_outstanding_verdicts(one: Estimate, many: int) -> Estimate:
    """A share when ``many`` more rows have no verdict yet, with the bounds they leave it.

    The bounds let every outstanding row turn out either way, even one that its other verdicts
    decide: no such row is in the share shown, which thus always lies between them. Withheld if too
    many are outstanding, because those with a verdict may differ from the others.
    """
    if not many:
        return one
    counted, top = one.denominator or 0, one.exact_numerator or 0
    low, high = top / (counted + many), (top + many) / (counted + many)
    said = (
        f"{many:,} of {counted + many:,} have verdicts outstanding: between {low:.1%} and"
        f" {high:.1%} whatever they say"
    )
    return _told(one, many, counted, said)


def difference_with_bounds_for_outstanding_verdicts(one: Estimate, many: int) -> Estimate:
    """A difference or ratio of pairs when ``many`` more have a verdict outstanding."""
    said = f"{many:,} of {one.n + many:,} pairs have verdicts outstanding"
    return _told(one, many, one.n, said) if many else one


def _told(one: Estimate, many: int, counted: int, said: str) -> Estimate:
    if many > MOST_OUTSTANDING * (counted + many):
        return Estimate.undefined_estimate(
            said, one.n, method=one.method, denominator=one.denominator
        )
    if not one.has_value:
        return one
    return replace(one, method=f"{one.method}; {said}")


FIGURE_COLUMNS = [
    *("study", "figure", "group", "numerator", "denominator"),
    *("value", "low", "high", "n", "p", "method", "speaks_for"),
]

FigureRow = tuple[str, str, Estimate]
"""(figure, group, estimate)"""


def figure_rows_as_table(rows: Iterable[FigureRow], *, study: str) -> pd.DataFrame:
    """A table with ``FIGURE_COLUMNS``.

    Cells that do not apply are missing; an undefined figure has its reason as the method.
    """
    table = pd.DataFrame(
        [
            (
                *(study, figure, group, one.exact_numerator, one.denominator),
                *(one.value, one.low, one.high, one.n, one.p, _method(one), one.speaks_for),
            )
            for figure, group, one in rows
        ],
        columns=FIGURE_COLUMNS,
    )
    whole = dict.fromkeys(["denominator", "n"], "Int64")
    # Scores add up to fractions, counts do not.
    fractional = any(isinstance(one, float) and one % 1 for one in table["numerator"])
    whole["numerator"] = "Float64" if fractional else "Int64"
    return table.astype({**whole, **dict.fromkeys(["value", "low", "high", "p"], "float64")})


NARROWED = ("run", "experiment", "cases", "judge", "protocol")
"""Filters of figures; each row of their export gives their values."""

OF_ANSWERS = ("model", "prompt")
"""Filters of figures of models that were asked questions."""
OF_QUESTIONS = ("label", "words")
"""Filters of tables of questions."""


def add_dataset_and_filter_columns(
    table: pd.DataFrame, dataset: str, used: Mapping[str, str]
) -> pd.DataFrame:
    """Figures with the dataset and the filters used in every row, "" for everything."""
    sides = [*NARROWED, *(name for name in used if name not in NARROWED)]
    filled = table.assign(dataset=dataset, **{name: used.get(name, "") for name in sides})
    return move_speaks_for_column_last(filled)


def move_speaks_for_column_last(table: pd.DataFrame) -> pd.DataFrame:
    """The same columns with ``speaks_for`` as the last one, where files of figures have it."""
    return table[[*(name for name in table.columns if name != "speaks_for"), "speaks_for"]]


def drop_empty_speaks_for_column(table: pd.DataFrame) -> pd.DataFrame:
    """A table to be read, without ``speaks_for`` if it says nothing: no figure is of people."""
    if "speaks_for" in table and not (table["speaks_for"] != "").any():
        return table.drop(columns=["speaks_for"])
    return table


def _method(one: Estimate) -> str:
    if one.has_value:
        return one.method
    return f"undefined, because {one.reason}" + (f" ({one.method})" if one.method else "")


FEW = 10
"""Below this n a number is greyed out: it says little."""


def format_number(value: float | None, form: str = "number") -> str:
    """A value as people read it, with a real minus sign."""
    if value is None:
        return ""
    if form == "percent":
        # Half a percent is rounded up, as people do: 3 of 24 are 13%.
        text = f"{math.copysign(math.floor(abs(round(100 * value, 9)) + 0.5), value):.0f}%"
    elif form == "count":
        text = f"{value:,.0f}"
    elif form == "odds":
        # Plotted as logarithms, so that 1/2 and 2 are equally far from 1.
        text = f"{math.exp(value):.2f}"
    elif form == "minutes":
        text = f"{value / 60:.1f} min"
    else:
        text = f"{value:.2f}"
    return use_real_minus_sign(text)


def use_real_minus_sign(text: str) -> str:
    """A formatted number with a real minus sign; without a sign if it rounds to zero."""
    return text.replace("-", "−") if any(one in "123456789" for one in text) else text.lstrip("+-")


def note_that_fewer_were_offered_option(
    estimate: Estimate, offered: int, answered: int, unit: str = "answers"
) -> Estimate:
    """The estimate, whose method says so if fewer were offered the option than answered."""
    if offered >= answered:
        return estimate
    method = f"{estimate.method}; offered in {offered:,} of {answered:,} {unit}"
    return replace(estimate, method=method)


def format_p_value(p: float | None) -> str:
    """A p value with its meaningful digits; never 0."""
    if p is None:
        return ""
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}" if p > SMALLEST_P else "< 1e-300"


def format_numerator(one: Estimate) -> str:
    """The numerator of a share: a count, or a sum of scores to two decimal places."""
    total = one.exact_numerator or 0
    return f"{total:,}" if isinstance(total, int) else f"{total:,.2f}"


def estimate_in_words(one: Estimate, form: str = "number") -> str:
    """An estimate as a sentence part: value, counts, interval and n, or why there is none."""
    if not one.has_value:
        return f"undefined, because {one.reason}"
    of = "" if one.denominator is None else f" ({format_numerator(one)} of {one.denominator:,})"
    if one.low is None or one.high is None:
        why = one.method.partition("no interval")[2].partition(";")[0]
        return f"{format_number(one.value, form)}{of}, no interval{why}; n = {one.n:,}"
    name = "quartiles" if "quartiles" in one.method else "95% interval"
    bounds = f"{format_number(one.low, form)} to {format_number(one.high, form)}"
    return f"{format_number(one.value, form)}{of}, {name} {bounds}; n = {one.n:,}"
