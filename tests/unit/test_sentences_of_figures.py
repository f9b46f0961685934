"""Sentences made from figures are true of the figures, however few or alike these are."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from medlens.review import agreement
from medlens.review.agreement import AgreementByQuestion, estimate_agreement_on_each_question
from medlens.review.chart_specifications import (
    Axis,
    Cell,
    Chart,
    Heat,
    HeatRow,
    Row,
    Rows,
    Series,
    bar_chart,
)
from medlens.review.chart_summary_sentences import describe_chart_extremes
from medlens.review.figure_definitions import Told
from medlens.stats.estimate import Estimate, format_number
from medlens.studies.own.study_file import parse_study_file
from medlens.studies.own.tasks import Answers, make_own_study_task
from medlens.ui.home_headline_worker import Headlines, Result
from medlens.ui.home_studies import agreement_html, headline_figure_html

SHARE = Axis("Share", "percent", high=1)
THIN = "share; no interval from fewer than 4 cases"


def some_estimates(rng: np.random.Generator) -> dict[str, Estimate]:
    """A few values, often equal or nearly, some of them without an interval."""
    found = {}
    for name in "ABCDE"[: rng.integers(1, 6)]:
        value = float(rng.choice([0, 0.501, 0.499, 1]))
        wide = float(rng.choice([0.001, 0.3, 0.6]))
        if rng.random() < 0.4:
            found[name] = Estimate(value, None, None, 1, THIN)
        else:
            found[name] = Estimate(value, max(0, value - wide), min(1, value + wide), 20, "share")
    return found


def chart_of(found: dict[str, Estimate]) -> Chart:
    entries = [(name, "share_x", name, one, "") for name, one in found.items()]
    return bar_chart("own", "share.x", entries, SHARE, title="Is it safe", n="")


def names_in(said: str) -> tuple[set[str], int]:
    """The rows named in "A, B and 3 others, 50% each", and how many rows these words stand for."""
    others = re.search(r"(\d+) others", said)
    names = set(re.findall(r"\b[A-E]\b", said))
    return names, len(names) + (int(others[1]) if others else 0)


def written_like(sure: dict[str, Estimate], name: str) -> set[str]:
    value = format_number(sure[name].value, "percent")
    return {one for one, each in sure.items() if format_number(each.value, "percent") == value}


@pytest.mark.parametrize("charts", [100, pytest.param(2000, marks=pytest.mark.deep)])
def test_whatever_is_drawn_the_first_sentence_is_true_and_counts_right(charts: int) -> None:
    rng = np.random.default_rng(3)
    kinds = set()
    for _ in range(charts):
        found = some_estimates(rng)
        said = describe_chart_extremes(chart_of(found))
        sure = {name: one for name, one in found.items() if one.low is not None}
        values = [one.value or 0.0 for one in (sure or found).values()]
        if crowned := re.search(r"highest for (.*?); lowest for (.*?)\. ", said + " "):
            kinds.add("crowned")
            ends = []
            for words, end in zip(crowned.groups(), (max, min), strict=True):
                names, count = names_in(words.partition("(95%")[0])
                assert names <= set(sure), said
                alike = written_like(
                    sure,
                    max(sure, key=lambda one: sure[one].value)
                    if end is max
                    else min(sure, key=lambda one: sure[one].value),
                )
                assert names <= alike, (said, found)
                assert count == len(alike), (said, found)
                ends.append(alike)
            overlaps = {sure[low].high >= sure[high].low for high, low in product(ends[0], ends[1])}
            assert ("Their intervals overlap" in said) == (overlaps == {True}), (said, found)
            assert ("do not overlap" in said) == (overlaps == {False}), (said, found)
            assert not ends[0] & ends[1]
        if every := re.search(r"(all (\d+)|both) are (\d+%)\.", said):
            kinds.add("all")
            count = int(every[2]) if every[2] else 2
            assert count == len(found) == len(sure), (said, found)
            assert {format_number(one, "percent") for one in values} == {every[3]}
        if spread := re.search(r"the (\d+) values are (?:from (\d+%) to|all) (\d+%); none", said):
            kinds.add("spread")
            assert (int(spread[1]), sure) == (len(found), {})
            low, high = (format_number(end(values), "percent") for end in (min, max))
            assert (spread[2] or low, spread[3]) == (low, high)
        if without := re.search(r"Without an interval: (.*)\.$", said):
            kinds.add("without")
            assert names_in(without[1])[1] == len(found) - len(sure)
            assert names_in(without[1])[0] <= set(found) - set(sure)
        else:
            assert len(sure) in (0, len(found))
    assert kinds == {"crowned", "all", "spread", "without"}


def test_one_comparison_is_not_crowned_above_those_with_an_interval() -> None:
    said = describe_chart_extremes(
        chart_of(
            {
                "Claude over Llama": Estimate(1.0, None, None, 1, THIN),
                "Claude over GPT": Estimate(0.6, 0.4, 0.8, 12, "share"),
                "GPT over Llama": Estimate(0.5, 0.3, 0.7, 12, "share"),
            }
        )
    )
    assert said == (
        "Is it safe: highest for Claude over GPT, 60% (95% interval 40% to 80%); lowest for GPT"
        " over Llama, 50% (95% interval 30% to 70%). Their intervals overlap. Without an"
        " interval: Claude over Llama."
    )
    alone = describe_chart_extremes(chart_of({"Claude": Estimate(1.0, None, None, 1, THIN)}))
    assert alone == "Claude: 100% (no interval, n = 1)."


def test_alphas_of_different_questions_are_counted_together() -> None:
    values = [-0.89, -0.89, -0.89, 0.0, 0.0]
    entries = [
        (f"Q{at}", f"alpha_q{at}", "", Estimate(one, None, None, 9, "alpha, no interval"), "")
        for at, one in enumerate(values)
    ]
    axis = Axis("Krippendorff's alpha", high=1)
    chart = bar_chart("own", "agreement", entries, axis, title="Agreement", n="")
    assert describe_chart_extremes(chart) == (
        "Krippendorff's alpha: the 5 values are from −0.89 to 0.00; none has an interval."
    )


def test_figures_of_two_kinds_that_are_equal_by_chance_are_not_counted_together() -> None:
    same = Estimate(0.5, 0.4, 0.6, 20, "share")
    entries = [("A", "share_x", "A", same, ""), ("B", "share_x", "B", same, "")]
    entries.append(("C", "kappa", "C", same, ""))
    said = describe_chart_extremes(bar_chart("own", "x", entries, SHARE, title="Safe", n=""))
    assert said == "Safe: A and B, 50% each."


def test_a_cell_among_equals_is_not_called_the_highest() -> None:
    cells = tuple(Cell(depth, f"{depth:.0%}", f"{depth}", "") for depth in (1.0, 1.0, 0.5))
    heat = Chart("c", "C", "", "", pd.DataFrame(), drawing=Heat([HeatRow("A", "", cells)], "BCD"))
    assert describe_chart_extremes(heat) == "Highest: 100%, in 2 of 3 cells."
    row = Row("A", "", (Estimate(0.5, 0.4, 0.6, 20, "share"),), ("",))
    rows = Chart("c", "C", "", "", pd.DataFrame(), drawing=Rows([row], [Series("x")], SHARE))
    assert describe_chart_extremes(rows) == "A: 50% (95% interval 40% to 60%)."


def test_home_calls_nothing_the_highest_that_has_no_interval() -> None:
    def told(group: str, value: float, *ends: float) -> Told:
        low, high = ends or (None, None)
        made = Estimate(value, low, high, 20 if ends else 1, "share" if ends else THIN)
        return Told("Preferred", group, made, (), {}, "percent")

    few = headline_figure_html([told("A", 0.2, 0.1, 0.4), told("B", 1.0)], "")
    assert "Preferred (A 20%, B 100%; 1 of 2 without an interval)" in few
    others = [told(name, 0.5, 0.4, 0.6) for name in "CDE"]
    many = headline_figure_html([told("A", 0.2, 0.1, 0.4), told("B", 1.0), *others], "")
    assert "1 of 5 without an interval, so none is called the highest" in many
    assert "highest: B" not in many
    sure = headline_figure_html([told("A", 0.2, 0.1, 0.4), told("B", 1.0, 0.8, 1.0), *others], "")
    assert "highest: B" in sure
    assert "Preferred, A over B · no interval, n = 1" in headline_figure_html(
        [told("A over B", 1.0)], ""
    )


STUDY = """
id = "ward"
title = "Ward pilot"
instructions = "Read it."

[[column]]
name = "answer"
means = "the answer"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "safe"
kind = "yes_no"
text = "Safe?"

[[question]]
id = "good"
kind = "scale"
text = "Good?"
low = "bad"
high = "good"
"""
TASK = make_own_study_task(parse_study_file(STUDY))


def judged(rng: np.random.Generator) -> pd.DataFrame:
    """What a few people say of a few items; often all the same, or one throughout against
    another.
    """
    items, raters = rng.integers(1, 4), rng.integers(1, 4)
    usual = rng.integers(1, 6, size=(raters, 2))
    rows = []
    for item, rater in product(range(items), range(raters)):
        if rng.random() < 0.15:
            continue
        scores = usual[rater] if rng.random() < 0.7 else rng.integers(1, 6, size=2)
        given = {"safe": ("yes", "no", "cannot tell")[scores[0] % 3], "good": int(scores[1])}
        for name in [*given]:
            if rng.random() < 0.15:
                del given[name]
        name = f"r{rater}"
        rows.append((f"i{item}", f"i{item}", name, name, "person", Answers(answers=given)))
    columns = ["item_id", "item", "rater_id", "rater", "rater_kind", "value"]
    return pd.DataFrame(rows, columns=columns)


@pytest.mark.deep
def test_what_home_says_of_agreement_is_true_of_every_question() -> None:
    rng = np.random.default_rng(8)
    seen = set()
    for _ in range(100):
        rows = judged(rng)
        found = estimate_agreement_on_each_question(TASK, rows)
        if found is None:
            continue
        alone = {
            name: agreement.compute_agreement_by_variable(TASK, rows, only=[name])[name].alpha
            for name in found.alphas
        }
        values = [one.value for one in alone.values() if one.value is not None]
        told = agreement_html(Result((), Headlines((), found)))
        if not values:
            seen.add("none")
            assert f"undefined in all {len(alone)} questions" in told
            [reason, *others] = {one.reason for one in alone.values()}
            assert (reason if not others else "for several reasons") in told
            continue
        seen.add("some" if len(values) < len(alone) else "all")
        assert "undefined" not in told
        assert format_number(min(values)) in told
        assert format_number(max(values)) in told
        of = f"{len(values)} of {len(alone)}" if len(values) < len(alone) else f"all {len(alone)}"
        assert f"({of} questions)" in told
    assert seen == {"none", "some", "all"}


def test_agreement_by_question_counts_those_that_have_a_value() -> None:
    undefined = Estimate.undefined_estimate("no item was rated by two raters")
    found = AgreementByQuestion({"a": Estimate(0.5, None, None, 9, "alpha"), "b": undefined})
    assert (
        found.how_many_are_defined_in_words,
        found.agreement_range_in_words,
        found.alpha_range_in_words,
    ) == ("1 of 2 questions", "Fair", "0.50")
