"""Strengths of Bradley and Terry on numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from medlens.stats.paired_proportions import bradley_terry_strengths


def test_of_two_sides_the_strength_is_the_share_of_wins() -> None:
    # 30 wins of 40: odds 3 to 1.
    wins = np.array([[[0.0, 30.0], [10.0, 0.0]]])
    assert bradley_terry_strengths(wins)[0] == pytest.approx([0.75, 0.25], abs=1e-5)


def test_strengths_that_made_the_wins_are_found_again() -> None:
    # Strengths 6, 3, 1: of 90 games each, 6 beats 3 in 60 and 1 in 540/7, 3 beats 1 in 67.5.
    of = np.array([6.0, 3.0, 1.0])
    wins = 90 * of[:, None] / (of[:, None] + of[None, :])
    np.fill_diagonal(wins, 0)
    assert bradley_terry_strengths(wins[None])[0] == pytest.approx(of / 10, abs=1e-4)
