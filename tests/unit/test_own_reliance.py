"""What advice did to answers, on pairs worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from medlens.studies.own.advice_reliance import Pairs, reliance_estimates_by_figure
from medlens.studies.own.figures import FIGURES
from medlens.studies.own.study_file import parse_study_file

# Of eight items: the advice is right on the first five. Wrong before and taken (2), wrong before
# and not taken (1), right before and kept (2); wrong advice: taken by one who had been right,
# withstood by one, and followed from another wrong answer by one.
ROWS = [
    ("b", "a", "a", "a"),
    ("c", "a", "a", "a"),
    ("b", "b", "a", "a"),
    ("a", "a", "a", "a"),
    ("a", "a", "a", "a"),
    ("a", "b", "b", "a"),
    ("a", "a", "b", "a"),
    ("c", "b", "b", "a"),
]


def pairs(rows: list[tuple[str, str, str, str]]) -> Pairs:
    columns = list(zip(*rows, strict=True)) or [()] * 4
    return Pairs(*columns, [f"i{at}" for at in range(len(rows))], ["r"] * len(rows))


@pytest.mark.parametrize(
    ("name", "hits", "of"),
    [
        ("agreed_before", 2, 8),
        ("agreed_after", 6, 8),
        ("took", 4, 6),
        ("left", 0, 2),
        ("advice_right", 5, 8),
        ("right_before", 4, 8),
        ("right_after", 5, 8),
        ("took_right", 2, 3),
        ("kept_right", 1, 2),
    ],
)
def test_each_share_counts_what_it_says(name: str, hits: int, of: int) -> None:
    found = reliance_estimates_by_figure(pairs(ROWS))[name]
    assert (found.value, found.n) == (pytest.approx(hits / of), of)


def test_changes_are_after_less_before_with_the_test_of_their_interval() -> None:
    found = reliance_estimates_by_figure(pairs(ROWS))
    assert found["agreed_change"].value == pytest.approx(4 / 8)
    # Four towards the advice, none away from it. Variance over the eight items: 8/7 x 8 x .25 / 64,
    # and 4 x .1 x (.75^2 + .25^2) / 64 for what might have been seen: .0396. Independent pairs have
    # (.5 - .25) / 8 = .03125: .789 of a pair each. z = sqrt(4 x .789) = 1.776, of t with 7.
    assert found["agreed_change"].p == pytest.approx(0.119, abs=5e-4)
    assert found["right_change"].value == pytest.approx(1 / 8)
    # Two became right, one wrong: variance .0545, independent .0449, z = .824 / sqrt(3 x .824).
    assert found["right_change"].p == pytest.approx(0.616, abs=5e-4)


def test_two_people_on_an_item_count_as_less_than_two_items() -> None:
    alone = reliance_estimates_by_figure(pairs(ROWS * 4))["agreed_after"]
    rows = pairs(ROWS * 4)
    twice = replace(
        rows,
        items=[f"i{at % 8}" for at in range(32)],
        raters=[f"r{at // 8}" for at in range(32)],
        fixed_panel=True,
    )
    together = reliance_estimates_by_figure(twice)["agreed_after"]
    assert together.value == alone.value
    assert None not in (alone.low, together.low)
    assert together.low < alone.low  # type: ignore[operator]


def test_where_the_truth_is_not_known_only_agreement_is_told() -> None:
    found = reliance_estimates_by_figure(
        pairs([(one, two, said, "") for one, two, said, _ in ROWS])
    )
    assert found["agreed_after"].value == pytest.approx(6 / 8)
    assert {name for name, one in found.items() if one.value is None} == {
        *("advice_right", "right_before", "right_after", "took_right", "kept_right"),
        "right_change",
    }


def test_without_a_pair_every_figure_says_why_it_is_none() -> None:
    assert {one.reason for one in reliance_estimates_by_figure(pairs([])).values()} == {
        "there are no such answers"
    }


@pytest.mark.parametrize(("kind", "there"), [('"yes_no"', False), ('"number"', True)])
def test_results_have_means_only_where_a_question_asks_for_a_number(kind: str, there: bool) -> None:
    text = (
        'id = "s"\ntitle = "S"\ninstructions = "Read."\n[[column]]\nname = "t"\nmeans = "t"\n'
        '[[pane]]\ntitle = "T"\ncolumn = "t"\n'
        f'[[question]]\nid = "q"\nkind = {kind}\ntext = "Q?"\n'
    )
    [means] = [one for one in FIGURES.figures if one.name == "means"]
    assert (
        bool(
            means.navigation_titles_by_name(
                SimpleNamespace(study_declaration=parse_study_file(text))
            )
        )
        == there
    )


def test_raters_like_these_are_spoken_for_from_four_on_and_a_fixed_panel_for_itself() -> None:
    rows = pairs(ROWS * 4)
    together = replace(
        rows,
        items=[f"i{at % 8}" for at in range(32)],
        raters=[f"r{at // 8}" for at in range(32)],
    )
    for given, words in (
        (together, "raters like these"),
        (replace(together, fixed_panel=True), "these 4 raters, a fixed panel"),
        (rows, "this rater"),
    ):
        figures = reliance_estimates_by_figure(given)
        assert {figures[key].speaks_for for key in ("agreed_after", "agreed_change")} == {words}


def test_each_rater_s_own_share_and_change_stand_beside_those_of_all() -> None:
    both = replace(pairs(ROWS * 2), raters=["r"] * len(ROWS) + ["s"] * len(ROWS))
    found = reliance_estimates_by_figure(both)
    alone = reliance_estimates_by_figure(pairs(ROWS))
    for name in ("agreed_before", "took", "right_after", "agreed_change"):
        assert [one.rater for one in found[name].of_raters] == ["r", "s"], name
        for one in found[name].of_raters:
            assert one.value == pytest.approx(alone[name].value), name
        assert not alone[name].of_raters
