"""The intervals to be expected, worked by hand and met by what the figures then have."""

from __future__ import annotations

import numpy as np
import pytest

from medlens.stats.intervals import clustered_share
from medlens.studies.own import study_file
from medlens.studies.own.expected_precision_and_time_of_study import (
    expected_half_width,
    expected_half_width_tables_by_figure,
)


def test_the_width_is_that_of_kish() -> None:
    # One rater: 1.96 x 0.5 / sqrt(100). Two, alike by a half: times sqrt(1.5 / 2).
    assert expected_half_width(0.5, 100, 1) == pytest.approx(0.098, abs=1e-4)
    assert expected_half_width(0.5, 100, 2) == pytest.approx(0.098 * 0.75**0.5, abs=1e-4)
    # Where raters of an item say the same, more of them tell nothing more.
    assert expected_half_width(0.5, 100, 5, alike=1) == expected_half_width(0.5, 100, 1)


def test_the_figures_of_such_a_study_are_about_as_sure() -> None:
    rng = np.random.default_rng(3)
    widths = []
    for _ in range(60):
        # A half of the items say one thing to all, of the other half each rater says either.
        alike = rng.random((100, 1)) < 0.5
        said = rng.random((100, 1)) < 0.5
        # Two answers then are the same beyond chance in a half of the items.
        answers = np.where(alike, said, rng.random((100, 3)) < 0.5)
        found = clustered_share(answers.ravel(), np.repeat(np.arange(100), 3), unit="items")
        widths.append((found.high - found.low) / 2)
    assert np.mean(widths) == pytest.approx(expected_half_width(0.5, 100, 3), rel=0.08)


def test_a_study_is_told_of_a_share_and_of_each_of_its_scales() -> None:
    tables = expected_half_width_tables_by_figure(study_file.load_templates_by_name()["quest"])
    assert list(tables) == ["a share (percentage points)", "a mean on a scale from 1 to 5 (points)"]
    assert tables["a share (percentage points)"].loc[100, "1 per item"] == "± 10"
    # Five points as frequent: the deviation is sqrt(2).
    assert tables["a mean on a scale from 1 to 5 (points)"].loc[50, "1 per item"] == "± 0.39"
