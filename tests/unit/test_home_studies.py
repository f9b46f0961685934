"""The pictures in a lead's Home: numbers in words beside each, and no text of a study as HTML."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.review.agreement import agreement_in_a_word
from medlens.review.figure_definitions import Told
from medlens.review.numbers_printed_in_papers import PublishedNumber
from medlens.stats.estimate import Estimate
from medlens.ui.home_headline_worker import Headlines, Result
from medlens.ui.home_studies import (
    agreement_html,
    headline_figure_html,
    progress_bar_html,
)

HOSTILE = "<img src=x onerror=alert(1)>\"'&"


def estimate(value: float, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(value, low, high, n=24, method="test")


def told(
    value: float, *ends: float, printed: tuple[PublishedNumber, ...] = (), **given: Any
) -> Told:
    shown = {"title": "Share right", "group": "", "form": "percent", **given}
    return Told(estimate=estimate(value, *ends), printed=printed, view={}, **shown)


@pytest.mark.parametrize("value, word", [(-0.2, "poor"), (0.39, "poor"), (0.4, "fair")])
def test_low_agreement_is_named(value: float, word: str) -> None:
    assert agreement_in_a_word(value) == word


@pytest.mark.parametrize("value, word", [(0.6, "good"), (0.74, "good"), (0.75, "excellent")])
def test_high_agreement_is_named(value: float, word: str) -> None:
    assert agreement_in_a_word(value) == word


def test_a_figure_stands_where_its_number_is_with_its_interval_in_words() -> None:
    drawn = headline_figure_html([told(0.5, 0.4, 0.65)], "")
    assert "left:40.0%;width:25.0%" in drawn
    assert '<i style="left:50.0%"' in drawn
    assert 'aria-label="Share right: 50% (95% interval 40% to 65%; n = 24)"' in drawn
    assert "<strong>50%</strong>" in drawn


def test_several_groups_are_dots_on_one_line_with_each_value_and_no_range() -> None:
    drawn = headline_figure_html(
        [told(0.7, group="a"), told(0.2, group="b"), told(0.4, group="c")], ""
    )
    assert drawn.count("<i style") == 3
    assert "<strong>20% · 40% · 70%</strong>" in drawn
    assert "Share right (b 20%, c 40%, a 70%)" in drawn


def test_of_many_groups_the_lowest_and_the_highest_of_all_are_named_with_how_many_there_are() -> (
    None
):
    values = [0.5, 0.45, 0.7, 0.81, 0.6, 0.59]
    drawn = headline_figure_html([told(value, group=f"g{n}") for n, value in enumerate(values)], "")
    assert drawn.count("<i style") == 6
    assert "<strong>45% … 81%</strong>" in drawn
    assert "Share right (6 groups, lowest: g1; highest: g3)" in drawn


def test_at_a_tie_no_group_is_the_lowest_or_the_highest() -> None:
    both = headline_figure_html([told(1.0, group="GPT-4"), told(1.0, group="Llama 3")], "")
    assert "<strong>100% · 100%</strong>" in both
    assert "Share right (the same for GPT-4 and Llama 3)" in both
    # 0.998 and 1 are both written 100 %.
    three = [told(0.5, group="a"), told(0.998, group="b"), told(1.0, group="c")]
    assert "Share right (a 50%, b 100%, c 100%)" in headline_figure_html(three, "")
    five = [told(1.0, group=f"g{n}") for n in range(5)]
    assert "Share right (5 groups, the same for g0 and 4 others)" in headline_figure_html(five, "")


def test_a_mean_on_a_scale_of_its_own_has_no_line_in_percent() -> None:
    drawn = headline_figure_html([told(3.5, 3.1, 3.9, form="number")], "")
    assert "mlh-line" not in drawn
    assert "<strong>3.5" in drawn


def test_texts_of_a_study_are_shown_and_not_run() -> None:
    drawn = headline_figure_html([told(0.5, 0.4, 0.6, title=HOSTILE, group=HOSTILE)], HOSTILE)
    assert "<img" not in drawn
    assert "&lt;img src=x" in drawn
    assert "onerror=alert(1)>" not in drawn


def test_agreement_is_a_word_and_a_number_or_says_what_is_missing() -> None:
    def result(value: float | None) -> Result:
        agreed = None if value is None else estimate(value, 0.3, 0.52)
        return Result((), Headlines((), agreed))

    assert "<span>agreement: </span>fair, alpha 0.41</div>" in agreement_html(result(0.41))
    assert "95% interval 0.30 to 0.52" in agreement_html(result(0.41))
    missing = Result(
        (), Headlines((), Estimate.undefined_estimate("no item was rated by two raters"))
    )
    assert "</span>no item was rated by two raters</div>" in agreement_html(missing)
    assert "–</div>" in agreement_html(result(None))
    assert "–</div>" in agreement_html(None)


def test_a_bar_never_leaves_its_place_and_nothing_wanted_is_nothing_done() -> None:
    assert "width:83.3%" in progress_bar_html(60, 72)
    assert "width:100.0%" in progress_bar_html(9, 3)
    assert "width:0.0%" in progress_bar_html(0, 0)
    # Where everyone answers every item, a person who begins makes more wanted.
    assert "68% · 3 people</div>" in progress_bar_html(86, 126, 3)
    assert "86 of 126 judgments, every item by each of 3 who began" in progress_bar_html(86, 126, 3)
