"""What intervals cover: the bench ``coverage`` on a few cells, seeded, with fewer samples."""

from __future__ import annotations

import statistics
from dataclasses import replace

import numpy as np
import pytest

from medlens.stats.hypothesis_tests_and_effect_sizes import exact_mcnemar_test
from tests.bench import coverage

BY_NAME = {method.name: method for method in coverage.METHODS}


@pytest.mark.deep
def test_wilsons_interval_of_rows_covers_everywhere_and_is_no_wider_than_needed_at_the_median():
    cells = [
        coverage.cell(BY_NAME["Wilson"], n, level, seed=1)
        for n in coverage.SIZES
        for level in coverage.LEVELS
    ]
    assert [one for one in cells if one.coverage < coverage.LEAST] == []
    assert statistics.median(one.coverage for one in cells) <= coverage.MOST


@pytest.mark.deep
# Cells at which the methods of before covered 46 to 86 % (see docs/statistics.md).
@pytest.mark.parametrize(
    "name, n, level",
    [
        ("Wilson over clusters, alike .3", 5, 0.3),
        ("Wilson over clusters, alike .3", 20, 0.05),
        ("Wilson over clusters, all alike", 100, 0.02),
        ("Wilson over items and raters", 20, 0.3),
        ("difference of arms, four raters", 100, 0.1),
        ("mean score over clusters", 5, 0.5),
        ("mean count over clusters", 20, 0.1),
        ("Tango over clusters", 10, 0.1),
        ("alpha, 3 raters, true .1", 10, 0.1),
        ("alpha, 2 to 4 raters, true .4", 20, 0.05),
        ("alpha, 5 raters, true .8", 50, 0.1),
        ("Fleiss' kappa", 20, 0.1),
        ("Gwet's AC1", 20, 0.1),
        ("Cohen's kappa over clusters", 20, 0.3),
        ("alpha over clusters", 50, 0.3),
        ("ICC, one rater", 100, 0.1),
        ("span F1", 10, 0.3),
        ("Rogan-Gladen", 30, 0.3),
    ],
)
def test_the_intervals_cover_where_those_of_before_did_not(name, n, level):
    method = replace(BY_NAME[name], first=300, most=300)
    cell = coverage.cell(method, n, level, seed=3)
    assert cell is not None
    # 300 samples have a standard error of 1.3 % at 95: what covers less than 88 is found out.
    assert cell.coverage + 3 * cell.error >= coverage.LEAST
    assert cell.given > 150


@pytest.mark.deep
@pytest.mark.parametrize("name", coverage.TESTS)
def test_mcnemar_over_cases_finds_no_more_than_chance_where_nothing_is(name):
    # 400 samples have a standard error of 1.1 %. McNemar of the rows found one in 31 to 45 %.
    for n, alike in ((10, 0.3), (50, 0.9)):
        found = coverage.size(coverage.TESTS[name], n, alike, seed=4, samples=400)
        assert found <= 0.05 + 3 * 0.011


@pytest.mark.deep
def test_the_bench_finds_a_test_that_takes_repeats_for_cases():
    def rows_alone(rng, n, alike):
        case = np.repeat(np.arange(n), 8)
        first, second = (
            rng.normal(0, alike**0.5, n)[case] + rng.normal(0, (1 - alike) ** 0.5, 8 * n) > 0.5
            for _ in range(2)
        )
        return exact_mcnemar_test(int((first & ~second).sum()), int((second & ~first).sum())).p

    assert coverage.size(rows_alone, 50, 0.9, seed=4, samples=200) > 0.2


def test_the_bench_finds_an_interval_that_promises_too_much():
    def textbook(n: int, level: float) -> tuple[float, float]:
        from scipy.stats import binom

        at = [(k / n, 1.96 * (k / n * (1 - k / n) / n) ** 0.5) for k in range(n + 1)]
        held = [p - half <= level <= p + half for p, half in at]
        return 1.0, float(sum(binom.pmf(range(n + 1), n, level) * held))

    wald = coverage.Method("Wald", exact=textbook)
    assert coverage.cell(wald, 20, 0.1, seed=1).fails
