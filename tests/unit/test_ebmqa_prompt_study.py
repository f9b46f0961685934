"""The prompt study: means and spreads over orders of the options."""

from __future__ import annotations

import pytest

from medlens.studies.ebmqa.metrics_answer_counts import (
    AnswerCounts,
    list_spreads_over_prompts,
    prompt_study_figure_rows,
)


def right(n: int, of: int = 10, asked: int = 10) -> AnswerCounts:
    return AnswerCounts(asked=asked, answered=of, idk=asked - of, score=float(n), exact=n)


FOUND = {
    ("m", "numeric", "given+idk"): right(6, 8),
    ("m", "numeric", "reversed+idk"): right(4, 8),
    ("m", "numeric", "given"): right(5),
    ("m", "numeric", "shuffled"): right(7),
    ("m", "numeric", "rotated"): right(6),
    ("n", "numeric", "given+idk"): right(1),
    ("m", "numeric", "my own"): right(10),
}


def test_means_and_standard_deviations_are_over_orders_with_and_without_i_do_not_know() -> None:
    known, free = list_spreads_over_prompts(FOUND)
    # 6/8 and 4/8: mean .625, SD sqrt(2 x .125^2) = .1767767.
    assert (known.idk, known.mean.value, known.mean.n) == (True, 0.625, 2)
    assert known.sd.value == pytest.approx(0.1767767)
    # .5, .7 and .6: mean .6, SD .1. Another team's prompt is no order of the study.
    assert (free.idk, free.mean.value, free.sd.value) == (
        False,
        pytest.approx(0.6),
        pytest.approx(0.1),
    )
    assert known.mean.low is None
    assert list_spreads_over_prompts(FOUND, "answer_rate")[0].mean.value == pytest.approx(0.8)


def test_one_order_is_no_spread_and_orders_without_answers_have_no_mean() -> None:
    assert {one.model for one in list_spreads_over_prompts(FOUND)} == {"m"}
    silent = {("m", "numeric", name): right(0, 0) for name in ("given+idk", "reversed+idk")}
    [one] = list_spreads_over_prompts(silent)
    assert one.mean.reason == "fewer than two orders have an answer"


def test_every_prompt_and_both_means_are_rows_of_the_export() -> None:
    found = {(figure, group): one for figure, group, one in prompt_study_figure_rows(FOUND)}
    assert found["prompt_accuracy", "m, numeric, shuffled"].value == 0.7
    group = "m, numeric, with I do not know"
    assert found["prompt_mean_accuracy", group].value == 0.625
    assert "2 orders" in found["prompt_sd_answer_rate", group].method
