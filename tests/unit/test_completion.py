"""What a completion code needs, worked by hand."""

from __future__ import annotations

import pytest

from medlens.errors import InvalidInput
from medlens.review.completion_code_rules_and_decisions import (
    Rule,
    Work,
    shortfalls_by_bound_in_words,
)


@pytest.mark.parametrize(
    ("work", "missed"),
    [
        # Five of five.
        (Work(handed_out=5, judged=5), set()),
        # 4 of 5 is 80 %, and 1 of 5 is 20 %: both bounds are met exactly.
        (Work(handed_out=5, judged=4, flagged=1), set()),
        (Work(handed_out=5, judged=4, skipped=1), set()),
        # Nothing judged, all flagged.
        (Work(handed_out=5, flagged=5), {"judged", "passed_over"}),
        # 79 of 100 is one too few, though 20 of 100 may be passed over: one went to somebody else.
        (Work(handed_out=100, judged=79, flagged=10, skipped=10), {"judged"}),
        # 80 of 100, and no more than 20 passed over.
        (Work(handed_out=100, judged=80, flagged=12, skipped=8), set()),
        # 21 of 100: flags and skips count together.
        (Work(handed_out=100, judged=79, flagged=11, skipped=10), {"judged", "passed_over"}),
        # Three of four is 75 %.
        (Work(handed_out=4, judged=3, flagged=1), {"judged", "passed_over"}),
        # Of nothing, nobody has done 80 %.
        (Work(), {"judged"}),
        # Gold is not looked at unless a lead says so.
        (Work(handed_out=5, judged=5, gold=3), set()),
        (Work(handed_out=5, judged=5, excluded=True), {"excluded"}),
    ],
)
def test_by_default_a_code_needs_80_percent_judged_and_at_most_20_flagged_or_skipped(
    work: Work, missed: set[str]
) -> None:
    assert set(shortfalls_by_bound_in_words(work, Rule())) == missed


def test_a_round_has_its_own_bounds_and_looks_at_one_apart_from_the_other() -> None:
    half = Work(handed_out=10, judged=5, flagged=5)
    assert not shortfalls_by_bound_in_words(half, Rule(least_judged=50, most_passed_over=50))
    assert set(shortfalls_by_bound_in_words(half, Rule(least_judged=51, most_passed_over=50))) == {
        "judged"
    }
    assert set(shortfalls_by_bound_in_words(half, Rule(least_judged=50, most_passed_over=49))) == {
        "passed_over"
    }
    assert not shortfalls_by_bound_in_words(Work(handed_out=5, flagged=5), Rule(0, 100))


def test_hidden_gold_counts_as_a_check_of_attention_if_a_lead_says_so() -> None:
    attentive = Rule(least_gold=75)
    done = {"handed_out": 20, "judged": 20}
    assert not shortfalls_by_bound_in_words(Work(**done, gold=4, gold_hits=3), attentive)
    assert set(shortfalls_by_bound_in_words(Work(**done, gold=4, gold_hits=2), attentive)) == {
        "gold"
    }
    # Who met no gold item was not checked: a lead looks.
    assert set(shortfalls_by_bound_in_words(Work(**done), attentive)) == {"gold"}


def test_what_is_missed_is_said_in_numbers() -> None:
    told = shortfalls_by_bound_in_words(
        Work(handed_out=5, flagged=3, skipped=2, gold=1), Rule(least_gold=50)
    )
    assert told == {
        "judged": "judged 0 of 5 (80 % needed)",
        "passed_over": "flagged or skipped 5 of 5 (20 % at most)",
        "gold": "hidden gold as expected 0 of 1 (50 % needed)",
    }


@pytest.mark.parametrize("wrong", [-1, 101])
def test_a_bound_is_a_percentage(wrong: int) -> None:
    for name in ("least_judged", "most_passed_over", "least_gold"):
        with pytest.raises(InvalidInput):
            Rule(**{name: wrong})
