"""Columns cut into groups: values, bands of numbers, periods of dates, and all others."""

from __future__ import annotations

from collections import Counter

import pytest

from medlens.stats.column_values_as_groups_or_bands import Bands, find_bands_of_column_values


def counted(values: list[str]) -> dict[str, int]:
    """How many values are in each group, in the groups' order."""
    found = find_bands_of_column_values(values)
    assert isinstance(found, Bands)
    many = Counter(found.of.tolist())
    return {name: many[at] for at, name in enumerate(found.names)}


def test_few_values_are_groups_as_they_are_and_numbers_among_them_in_their_order() -> None:
    assert counted(["b", "a", "b", ""]) == {"a": 1, "b": 2, "(empty)": 1}
    assert list(counted(["10", "9", "2", "9"])) == ["2", "9", "10"]


def test_one_value_or_texts_that_differ_are_no_groups() -> None:
    assert find_bands_of_column_values(["a", "a"]) is None
    assert find_bands_of_column_values([""]) is None
    assert find_bands_of_column_values([f"Note {n}." for n in range(40)]) is None
    # One that came up twice of 100 texts says nothing of them: 2 % is less than a tenth.
    assert find_bands_of_column_values(["Same."] * 2 + [f"Note {n}." for n in range(98)]) is None


def test_of_many_categories_the_seven_most_common_are_named_and_the_rest_are_other() -> None:
    # c0 stands 20 times, c1 19 times … c14 6 times: the first seven, then 8 values with
    # 13 + 12 + 11 + 10 + 9 + 8 + 7 + 6 = 76.
    values = [f"c{n}" for n in range(15) for _ in range(20 - n)]
    found = counted(values)
    assert list(found) == [*(f"c{n}" for n in range(7)), "other (8 values)"]
    assert found["c0"] == 20
    assert found["other (8 values)"] == 76


def test_ages_are_cut_at_round_numbers() -> None:
    # 18 to 97: the middle 96 % are some 76 years wide, a fifth of it 15.2, the next round one 20.
    found = counted([str(age) for age in range(18, 98)])
    assert found == {
        "under 20": 2,
        "20 to 39": 20,
        "40 to 59": 20,
        "60 to 79": 20,
        "80 or more": 18,
    }


def test_numbers_of_which_most_are_small_are_cut_by_how_many_there_are() -> None:
    # 1 to 80 once each and twenty of a million: at equal distances 80 % would lie in one band.
    found = counted([*map(str, range(1, 81)), *["1000000"] * 20])
    assert found == {
        "under 21": 20,
        "21 to 40": 20,
        "41 to 60": 20,
        "61 to 999,999": 20,
        "1,000,000 or more": 20,
    }


def test_fractions_are_cut_between_and_a_band_of_one_whole_number_is_called_by_it() -> None:
    found = counted([f"{n / 100:.2f}" for n in range(100)])
    assert found == {
        "under 0.2": 20,
        "0.2 to under 0.4": 20,
        "0.4 to under 0.6": 20,
        "0.6 to under 0.8": 20,
        "0.8 or more": 20,
    }
    # Nine in ten are 1 to 3, so that the bounds are quantiles: 1, 2, 3.
    many = ["1"] * 30 + ["2"] * 30 + ["3"] * 30 + [str(n) for n in range(100, 110)]
    assert list(counted(many)) == ["under 2", "2", "3 or more"]


@pytest.mark.parametrize(
    ("dates", "names"),
    [
        (
            [f"2026-{month:02d}-{day:02d}" for month in (1, 2, 3) for day in range(1, 29)],
            ["2026-01", "2026-02", "2026-03"],
        ),
        (
            [f"2025-{month:02d}-01T08:30:00Z" for month in range(1, 13)] + ["2026-01-02T09:00"],
            ["2025 Q1", "2025 Q2", "2025 Q3", "2025 Q4", "2026 Q1"],
        ),
        ([f"{year}-06" for year in range(1990, 2020)],
            [f"{year} to {year + 4}" for year in range(1990, 2020, 5)],
        ),
    ],
)  # fmt: skip
def test_dates_are_cut_into_the_shortest_periods_of_which_eight_cover_them(
    dates: list[str], names: list[str]
) -> None:
    assert list(counted(dates)) == names
