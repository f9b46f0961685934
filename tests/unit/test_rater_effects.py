"""Figures of judgments hold the truth of other raters and items, by simulation with fixed seeds.

The bars: with moderate effects of raters (sd .5), from four raters on, 92 % and more; with strong
ones (sd 1), from six on, 90 %; tests under the null reject at most 7 %, and at least 1 % from six
raters on. Two standard errors are allowed. The few cells of ``make test`` are drawn less often.
"""

from __future__ import annotations

import pytest

from tests.rater_effects import (
    CROSSED,
    FIGURES,
    MODERATE,
    STRONG,
    Design,
    Outcome,
    arms,
    outcome,
)

SAMPLES = 1000

OTHERS = {
    "raters busy unequally": [
        Design(60, raters, spread, each=3, busy=True)
        for raters, spread in ((6, MODERATE), (10, MODERATE), (10, STRONG))
    ],
    "one rater per item": [
        Design(60, raters, spread, each=1)
        for raters, spread in ((4, MODERATE), (10, MODERATE), (10, STRONG))
    ],
    "heavy tails": [Design(40, 6, spread, heavy=True) for spread in (MODERATE, STRONG)],
}
APART = {
    "other raters for each arm": ("raters", Design(40, 6, MODERATE, each=2)),
    "always the same arm": ("always", Design(40, 10, MODERATE, each=4)),
    "some judge both": ("mixed", Design(40, 6, MODERATE, each=3)),
    "other raters, strong effects": ("raters", Design(40, 6, STRONG, each=3)),
    "other raters, all judge all": ("raters", Design(40, 8, MODERATE)),
    "always the same arm, strong effects": ("always", Design(40, 12, STRONG, each=3)),
    "some judge both, strong effects": ("mixed", Design(40, 6, STRONG, each=3)),
}


def check(seen: Outcome, design: Design, null: float | None) -> None:
    bar = 0.92 if design.spread <= MODERATE else 0.90
    assert seen.covered >= bar - 2 * (bar * (1 - bar) / seen.samples) ** 0.5
    assert seen.contradictions == 0
    if null is not None:
        assert seen.rejected <= 0.07 + 2 * (0.07 * 0.93 / seen.samples) ** 0.5
        if design.raters >= 6:
            assert seen.rejected >= 0.01 - 2 * (0.01 * 0.99 / seen.samples) ** 0.5


@pytest.mark.first_quick
@pytest.mark.parametrize("figure", ["own share", "mean of a scale", "change after advice"])
def test_a_figure_holds_the_truth_of_other_raters(figure: str) -> None:
    sampled, null = FIGURES[figure]
    design = Design(30, 6, MODERATE)
    seen = outcome(sampled(design), 300, null=null)
    assert seen.for_others == 1
    check(seen, design, null)


@pytest.mark.deep
@pytest.mark.parametrize("design", CROSSED, ids=str)
@pytest.mark.parametrize("figure", FIGURES)
def test_figures_hold_the_truth_of_other_raters(figure: str, design: Design) -> None:
    sampled, null = FIGURES[figure]
    seen = outcome(sampled(design), SAMPLES, null=null)
    check(seen, design, null)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("figure", "design"),
    [
        ("difference of arms", Design(30, 4, MODERATE)),
        ("difference of arms", Design(30, 6, MODERATE)),
        ("win rate", Design(30, 6, STRONG)),
    ],
)
def test_the_tests_that_reject_most_often_keep_their_level_in_many_samples(
    figure: str, design: Design
) -> None:
    # Of 1,000 samples they reject up to 7.6 %, which two standard errors allow.
    sampled, null = FIGURES[figure]
    check(outcome(sampled(design), 4 * SAMPLES, null=null), design, null)


@pytest.mark.deep
@pytest.mark.parametrize("layout", OTHERS)
@pytest.mark.parametrize(
    "figure",
    ["own share", "mean of a scale", "rubric share", "win rate", "macro F1", "retest kappa"],
)
def test_other_designs_hold_the_truth_of_other_raters(figure: str, layout: str) -> None:
    sampled, null = FIGURES[figure]
    for design in OTHERS[layout]:
        check(outcome(sampled(design), SAMPLES, null=null), design, null)


@pytest.mark.deep
@pytest.mark.parametrize("layout", APART)
@pytest.mark.parametrize("shares", [False, True], ids=["numbers", "shares"])
def test_arms_that_other_raters_judged_hold_the_truth(layout: str, shares: bool) -> None:
    apart, design = APART[layout]
    check(outcome(arms(design, shares=shares, apart=apart), SAMPLES, null=0.0), design, 0.0)


@pytest.mark.deep
def test_few_comparisons_that_a_rater_left_out_would_take_along_are_not_counted_twice() -> None:
    # Half of the items have both arms, each by one rater: the jackknife then takes a third of the
    # comparisons away at once. Unless a rater's single judgments are taken off in the same measure,
    # 2.8 % are rejected, and intervals are a fifth wider.
    seen = outcome(arms(Design(40, 6, STRONG, each=2), apart="raters"), SAMPLES, null=0.0)
    assert 0.035 <= seen.rejected <= 0.07
    assert seen.covered >= 0.93


@pytest.mark.deep
@pytest.mark.parametrize("figure", FIGURES)
def test_where_raters_do_not_differ_intervals_are_not_needlessly_wide(figure: str) -> None:
    # An interval over items alone covers then. One over raters too may be 1.3 times as wide if it
    # covers more than 99 %.
    sampled, _ = FIGURES[figure]
    seen = outcome(sampled(Design(40, 10, 0.0)), SAMPLES)
    alone = outcome(sampled(Design(40, 10, 0.0)), SAMPLES, fixed_panel=True)
    assert seen.covered >= 0.92
    assert seen.covered <= 0.99 or seen.width <= 1.3 * alone.width
