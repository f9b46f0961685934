"""Agreement between spans: hand-worked pairs, a plain loop, and the krippendorff package."""

from __future__ import annotations

import itertools
import re

import krippendorff
import numpy as np
import pytest

from medlens.stats.span_agreement import (
    RaterMarks,
    columns_of_sorted_distinct_rows,
    estimate_mean_span_f1_between_raters,
    index_pairs_within_groups,
)
from medlens.stats.token_agreement import list_token_alpha_of_each_label


def marks(*judgments):
    """Marks of (item, [(start, end, label), ...]) per judgment."""
    return RaterMarks.from_judgments(judgments)


def f1(judgments, match, *, labels):
    return estimate_mean_span_f1_between_raters(marks(*judgments), match=match, labels=labels)


@pytest.mark.parametrize(
    "match, labels, expected",
    [
        # Two spans each. Exact: the first of both, so 2 x 1 / 4.
        ("exact", True, 0.5),
        ("exact", False, 0.5),
        # The second spans overlap, but with other labels.
        ("overlap", True, 0.5),
        ("overlap", False, 1.0),
    ],
)
def test_f1_of_two_raters_by_hand(match, labels, expected):
    first = (0, [(0, 10, 1), (20, 30, 2)])
    second = (0, [(0, 10, 1), (22, 28, 1)])
    assert f1([first, second], match, labels=labels).value == pytest.approx(expected)
    assert f1([second, first], match, labels=labels).value == pytest.approx(expected)


def test_f1_is_averaged_over_pairs_and_then_over_items():
    # Item 0: three raters, A = B and C marked nothing: (1 + 0 + 0) / 3. Item 1: two equal raters,
    # 1. Mean of 1/3 and 1.
    same = [(0, 5, 0)]
    found = f1([(0, same), (0, same), (0, []), (1, same), (1, same)], "exact", labels=True)
    assert found.value == pytest.approx(2 / 3)
    assert (found.n, found.pairs, found.coverage) == (2, 4, 1.0)


def test_the_largest_overlap_is_matched_first_and_each_span_once():
    # The middle span shares 6 with the first and 8 with the second of the other rater, whose second
    # also shares 1 with the short one. Taking 8 first leaves nothing for the rest: 2 x 1 / 4.
    judgments = [(0, [(0, 10, 0), (10, 20, 0)]), (0, [(4, 18, 0), (18, 19, 0)])]
    assert f1(judgments, "overlap", labels=True).value == pytest.approx(0.5)


def test_spans_that_only_touch_do_not_overlap():
    assert f1([(0, [(0, 5, 0)]), (0, [(5, 9, 0)])], "overlap", labels=False).value == 0.0


def test_one_passage_with_two_labels_is_one_passage_when_labels_are_ignored():
    judgments = [(0, [(0, 5, 0), (0, 5, 1)]), (0, [(0, 5, 0)])]
    assert f1(judgments, "exact", labels=False).value == 1.0
    # With labels: two spans against one, one shared: 2 x 1 / 3.
    assert f1(judgments, "exact", labels=True).value == pytest.approx(2 / 3)


def test_f1_is_undefined_without_two_raters_and_without_a_mark():
    alone = f1([(0, [(0, 5, 0)]), (1, [(0, 5, 0)])], "exact", labels=True)
    assert alone.reason == "no item has judgments of two raters"
    empty = f1([(0, []), (0, [])], "exact", labels=True)
    assert "marked a passage" in empty.reason
    assert f1([], "overlap", labels=True).coverage is None


def naive_overlap_f1(first, second, *, labels):
    edges = []
    for a, b in itertools.product(range(len(first)), range(len(second))):
        one, other = first[a], second[b]
        shared = min(one[1], other[1]) - max(one[0], other[0])
        if shared > 0 and (not labels or one[2] == other[2]):
            union = max(one[1], other[1]) - min(one[0], other[0])
            edges.append((-shared, union, max(one[0], other[0]), a, b))
    used_a, used_b, matched = set(), set(), 0
    for *_, a, b in sorted(edges):
        if a not in used_a and b not in used_b:
            used_a.add(a)
            used_b.add(b)
            matched += 1
    return 2 * matched / (len(first) + len(second))


@pytest.mark.parametrize("labels", [True, False])
def test_overlap_f1_is_that_of_a_plain_loop(labels):
    rng = np.random.default_rng(12)
    for _ in range(60):
        judgments = []
        for item, _rater in itertools.product(range(3), range(4)):
            starts = rng.integers(0, 40, size=rng.integers(0, 5))
            given = {
                (int(s), int(s + rng.integers(1, 15)), int(rng.integers(0, 2))) for s in starts
            }
            judgments.append((item, sorted(given)))
        expected = []
        for item in range(3):
            of_item = [
                sorted({(s, e, n if labels else 0) for s, e, n in given})
                for i, given in judgments
                if i == item
            ]
            scores = [
                naive_overlap_f1(a, b, labels=labels)
                for a, b in itertools.combinations(of_item, 2)
                if a or b
            ]
            if scores:
                expected.append(np.mean(scores))
        assert f1(judgments, "overlap", labels=labels).value == pytest.approx(np.mean(expected))


def test_every_two_entries_of_a_group_are_paired_once():
    first, second = index_pairs_within_groups(np.array([7, 3, 7, 3, 7, 1]))
    assert set(zip(first.tolist(), second.tolist(), strict=True)) == {
        (1, 3),
        (0, 2),
        (0, 4),
        (2, 4),
    }


TEXT = "one two three four"


def test_token_alpha_by_hand():
    # A marks "one two", B marks "two": tokens 10 11 00 00, which is 3 marked of 8 with 2 ordered
    # disagreements: alpha = 1 - 7 x 2 / (2 x 3 x 5) = 16 / 30.
    found = list_token_alpha_of_each_label(
        marks((0, [(0, 7, 0)]), (0, [(4, 7, 0)])), [TEXT], labels=2
    )
    assert found[0].value == pytest.approx(16 / 30)
    assert (found[0].n, found[0].pairs, found[0].coverage) == (1, 1, 1.0)
    assert found[0].low is None
    assert found[1].reason == "no word carries the label"


def test_a_word_counts_once_however_often_one_rater_marks_it_and_when_partly_marked():
    # (0, 5) and (3, 6) both reach into "two" (4 to 7): together the same words as (0, 7).
    twice = marks((0, [(0, 5, 0), (3, 6, 0)]), (0, [(4, 7, 0)]))
    assert list_token_alpha_of_each_label(twice, [TEXT], labels=1)[0].value == pytest.approx(
        16 / 30
    )


def test_token_alpha_is_undefined_where_everything_is_marked_or_nobody_shares_an_item():
    whole = [(0, len(TEXT), 0)]
    assert (
        "every word"
        in list_token_alpha_of_each_label(marks((0, whole), (0, whole)), [TEXT], labels=1)[0].reason
    )
    alone = list_token_alpha_of_each_label(marks((0, whole), (1, whole)), [TEXT, TEXT], labels=1)[0]
    assert alone.reason == "no item has judgments of two raters"


def test_token_alpha_agrees_with_the_krippendorff_package_on_the_table_of_tokens():
    rng = np.random.default_rng(14)
    texts = ["".join(rng.choice(list("ab "), size=60)) + "a" for _ in range(5)]
    for _ in range(20):
        judgments = []
        for item in range(5):
            for _rater in range(rng.integers(1, 4)):
                starts = rng.integers(0, 50, size=rng.integers(0, 5))
                given = [
                    (int(s), int(s + rng.integers(1, 10)), int(rng.integers(0, 2))) for s in starts
                ]
                judgments.append((item, given))
        found = list_token_alpha_of_each_label(marks(*judgments), texts, labels=2)
        for label in (0, 1):
            columns = []
            for item, text in enumerate(texts):
                raters = [given for i, given in judgments if i == item]
                for token in re.finditer(r"\S+", text):
                    column = [
                        float(
                            any(
                                s < token.end() and e > token.start() and n == label
                                for s, e, n in given
                            )
                        )
                        for given in raters
                    ]
                    columns.append(column + [np.nan] * (3 - len(column)))
            theirs = krippendorff.alpha(np.array(columns).T, level_of_measurement="nominal")
            assert found[label].value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("far", [3, 2**40])
def test_distinct_rows_come_sorted_however_large_their_numbers_are(far):
    columns = [np.array([1, 0, 1, 1]), np.array([far, 5, far, 0]), np.array([-1, far, -1, far])]
    found = columns_of_sorted_distinct_rows(columns)
    assert np.column_stack(found).tolist() == [[0, 5, far], [1, 0, far], [1, far, -1]]
