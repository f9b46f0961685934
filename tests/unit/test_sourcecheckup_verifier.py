"""Verifiers against doctors, and many figures of clustered rows, by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from medlens.stats.clustered_kappa_f1_and_judge_accuracy import Clusters, rogan_gladen_estimate
from medlens.stats.kappa import estimate_cohen_kappa
from medlens.studies.sourcecheckup.metrics_verifiers_and_doctors import (
    compare_every_two_doctors,
    compare_every_two_verifiers,
    compare_verifier_with_doctors,
    estimate_mean_agreement_between_doctors,
    iterate_agreement_of_doctors_with_majority,
    whether_doctors_call_supported_by_item,
    whole_answer_support_by_figure_and_group,
)
from medlens.studies.sourcecheckup.records import name_of_pair_item
from medlens.studies.sourcecheckup.tasks import SourceSupportTask
from tests.effort import effort

YES, NO = "supported", "not_supported"


def answers(*rows: tuple[str, str, str]) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=["item", "rater", "verdict"])
    table["question"] = "q-" + table["item"]
    return table


def verdicts(said: dict[str, str], model: str = "m") -> pd.DataFrame:
    table = pd.DataFrame({"item": list(said), "verdict": list(said.values()), "model": model})
    table["question"] = "q-" + table["item"]
    return table


def test_the_doctors_word_is_a_clear_majority_or_the_adjudicators() -> None:
    given = answers(
        ("p1", "A", YES),
        ("p1", "B", YES),
        ("p1", "C", NO),
        ("p2", "A", YES),
        ("p2", "B", NO),
        ("p3", "A", "partly"),
        ("p3", "B", "contradicted"),
        ("p3", "C", YES),
        ("p4", "A", "cannot_tell"),
        ("p4", "B", YES),
        ("p5", "A", YES),
        ("p6", "A", "cannot_tell"),
    )
    # p2 is a tie; partly and contradicted are both no; of p4 one of two cannot tell, so that yes is
    # not what more than half said.
    assert whether_doctors_call_supported_by_item(given) == {"p1": True, "p3": False, "p5": True}
    assert whether_doctors_call_supported_by_item(given, {"p2": YES, "p5": "cannot_tell"}) == {
        "p1": True,
        "p2": True,
        "p3": False,
    }


def test_a_verifier_is_measured_against_the_doctors_word() -> None:
    word = {f"p{n}": n < 6 for n in range(10)}
    # Of six supported it finds five, of four others three; p10 and p11 nobody has seen.
    said = {f"p{n}": YES if n in (0, 1, 2, 3, 4, 9, 10) else NO for n in range(12)}
    found = compare_verifier_with_doctors(verdicts(said), word, verifier="v", by="model")
    assert (found.agreement.numerator, found.agreement.denominator) == (8, 10)
    assert (found.sensitivity.value, found.specificity.value) == (5 / 6, 3 / 4)
    assert found.only_verifier == ("p9",)
    assert found.only_doctors == ("p5",)
    # Observed 0.8; by chance 0.6 * 0.6 + 0.4 * 0.4 = 0.52; (0.8 - 0.52) / 0.48.
    assert found.kappa.value == pytest.approx(0.28 / 0.48)
    # (7/12 + 3/4 - 1) / (5/6 + 3/4 - 1) = (1/3) / (7/12).
    assert found.raw["all"].value == 7 / 12
    assert found.corrected["all"].value == pytest.approx(4 / 7)
    assert found.corrected["m"].value == pytest.approx(4 / 7)


def test_kappa_is_that_of_the_other_rooms() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60)
    said = np.where(rng.random(60) < 0.8, truth, 1 - truth)
    names = [f"p{n:02}" for n in range(60)]
    found = compare_verifier_with_doctors(
        verdicts({n: YES if s else NO for n, s in zip(names, said, strict=True)}),
        {n: bool(t) for n, t in zip(names, truth, strict=True)},
        verifier="v",
    )
    assert found.kappa.value == pytest.approx(estimate_cohen_kappa(said, truth).value)


def test_what_doctors_have_not_said_is_undefined_and_says_why() -> None:
    found = compare_verifier_with_doctors(verdicts({"p1": YES, "p2": NO}), {}, verifier="v")
    assert not found.agreement.has_value
    why = "doctors have given no verdict on what it judged"
    assert [one.reason for one in (found.agreement, found.sensitivity, found.specificity)] == [
        why,
        why,
        why,
    ]
    assert found.corrected["all"].reason == "people have checked none of it"
    assert found.raw["all"].value == 0.5


def test_doctors_are_compared_in_pairs() -> None:
    given = answers(
        ("p1", "A", YES),
        ("p1", "B", YES),
        ("p1", "C", NO),
        ("p2", "A", NO),
        ("p2", "B", NO),
        ("p3", "A", YES),
        ("p3", "B", NO),
        ("p3", "C", NO),
    )
    shares = {(p.first, p.second): p.agreement.value for p in compare_every_two_doctors(given)}
    assert shares == {("A", "B"): 2 / 3, ("A", "C"): 0.0, ("B", "C"): 0.5}
    # Agreeing pairs: p1 one of three, p2 one of one, p3 one of three.
    one = estimate_mean_agreement_between_doctors(given)
    assert (one.numerator, one.denominator) == (3, 7)
    # The majority: p1 yes, p2 no, p3 no.
    assert {
        name: one.value
        for name, one in iterate_agreement_of_doctors_with_majority(
            given, whether_doctors_call_supported_by_item(given)
        )
    } == {
        "A": 2 / 3,
        "B": 1.0,
        "C": 0.5,
    }


def test_two_verifiers_are_compared_on_the_pairs_that_one_alone_got_right() -> None:
    word = {f"p{n}": True for n in range(6)}
    one = verdicts({f"p{n}": YES for n in range(6)})
    two = verdicts({f"p{n}": YES if n == 0 else NO for n in range(6)})
    [found] = compare_every_two_verifiers({"one": one, "two": two}, word)
    assert found.agreement.value == 1 / 6
    assert found.first_only == ("p1", "p2", "p3", "p4", "p5")
    # Five against none: the score is sqrt(5), and the interval excludes 0.
    assert found.test.p == found.difference.p == pytest.approx(0.025347, abs=1e-6)
    assert found.difference.low > 0
    assert found.difference.value == 5 / 6


def test_two_verifiers_whom_no_doctor_has_checked_do_not_differ_by_nothing() -> None:
    one, two = verdicts({"p1": YES, "p2": YES}), verdicts({"p1": YES, "p2": NO})
    [found] = compare_every_two_verifiers({"one": one, "two": two}, {})
    assert found.difference.reason == "doctors have given no verdict on what both judged"
    assert found.difference.p is None


def test_doctors_who_called_everything_supported_leave_specificity_without_a_value() -> None:
    found = compare_verifier_with_doctors(
        verdicts({"p1": YES, "p2": NO}), {"p1": True, "p2": True}, verifier="v"
    )
    assert found.specificity.reason == "doctors called all of them supported"
    assert found.corrected["all"].reason == "people called everything they checked supported"


# -- clusters --------------------------------------------------------------------------------------


def test_clusters_that_are_all_alike_count_once_each() -> None:
    # 40 questions: half of them all right, half all wrong, five statements each.
    names = np.repeat([f"q{n:02}" for n in range(40)], 5)
    right = np.repeat(np.arange(40) < 20, 5)
    clusters = Clusters(names)
    tops = clusters.array_of_cluster_sums(clusters.codes, right)[:, None]
    bottoms = clusters.array_of_cluster_sums(clusters.codes)[:, None]
    one, two = clusters.estimate_ratios_of_sums(
        np.hstack([tops, tops]), np.hstack([bottoms, bottoms])
    )
    assert one == two
    assert (one.value, one.n, one.denominator) == (0.5, 200, 200)
    # 20 of 40, with t of 39 degrees of freedom (2.022691): (0.5 + 0.051141 +- 2.022691 sqrt(0.00625
    # + 0.000639)) / 1.102282 = 0.5 +- 0.1523; a little more, since clusters that are all alike
    # need not be.
    assert (one.low, one.high) == pytest.approx((0.3477, 0.6523), abs=0.003)


def test_too_few_clusters_or_none_give_no_interval() -> None:
    clusters = Clusters(["a", "a", "b"])
    tops, bottoms = np.array([[1.0, 0], [0, 0]]), np.array([[2.0, 0], [0, 0]])
    one, none = clusters.estimate_ratios_of_sums(tops, bottoms)
    assert (one.value, one.low) == (0.5, None)
    assert one.method == "share, no interval from fewer than 4 questions"
    assert none.reason == "there is nothing to count"
    [empty] = Clusters([]).estimate_ratios_of_sums(np.zeros((0, 1)), np.zeros((0, 1)))
    assert not empty.has_value


def test_a_correction_that_would_leave_0_and_1_stays_within_them() -> None:
    clusters = Clusters([f"q{n}" for n in range(8)])
    said = np.array([0, 0, 0, 0, 1, 1, 0, 0], dtype=bool)
    truth = np.array([np.nan] * 4 + [1, 1, 0, 0])
    # Every verdict that was checked is right: the share stands as it is.
    assert rogan_gladen_estimate(clusters, clusters.codes, said, truth).value == 0.25
    # (0 + 0.5 - 1) / (1 + 0.5 - 1) is below 0.
    said = np.array([0, 0, 0, 0, 1, 1, 1, 0], dtype=bool)
    about = np.arange(8) < 4
    assert rogan_gladen_estimate(clusters, clusters.codes, said, truth, about).value == 0.0


def test_whole_answers_are_counted_by_doctors_and_by_the_pipeline_on_the_same_ones() -> None:
    table = verdicts({"a": "yes", "b": "no", "c": "no", "d": "yes"}).assign(group="g")
    # d has no word of doctors: it counts for neither.
    found = whole_answer_support_by_figure_and_group(table, {"a": True, "b": True, "c": False})
    for name in ("all", "m", "m, g"):
        by_doctors, by_pipeline = (
            found[f"whole_answers_by_{who}", name] for who in ("doctors", "pipeline")
        )
        assert (by_doctors.numerator, by_doctors.denominator) == (2, 3)
        assert (by_pipeline.numerator, by_pipeline.denominator) == (1, 3)


def test_a_correction_by_a_judge_without_error_makes_no_share_surer() -> None:
    # 12 questions of ten pairs, half of each supported, as in a balanced draw: between questions
    # nothing varies, so that resampling them alone gives hardly any width.
    question = np.repeat(np.arange(12), 10)
    said = np.tile(np.arange(10) < 5, 12)
    truth = np.where(np.arange(120) % 10 < 8, said, np.nan)
    clusters = Clusters(question)
    raw, corrected = (
        clusters.estimate_share_of_hits(said),
        rogan_gladen_estimate(clusters, clusters.codes, said, truth),
    )
    assert corrected.value == raw.value == 0.5
    # 60 of 120 single rows by Wilson with t of 11 degrees of freedom, 2.201: 0.5 +- 2.201 / 1.0404
    # * sqrt(0.25 / 120 + 4.844 / 57,600) = 0.5 +- 0.0985.
    assert (raw.low, raw.high) == pytest.approx((0.4015, 0.5985), abs=1e-4)
    assert (corrected.low, corrected.high) == pytest.approx((raw.low, raw.high))


def test_a_correction_from_few_checks_is_less_sure_at_both_ends_than_the_share_alone() -> None:
    # Checked are three rows of each of 20 questions; the judge errs on a fifth of either kind.
    rng = np.random.default_rng(7)
    question = np.repeat(np.arange(20), 30)
    true = rng.random(600) < 0.5
    said = np.where(rng.random(600) < 0.8, true, ~true)
    truth = np.where(np.arange(600) % 30 < 3, true, np.nan)
    clusters = Clusters(question)
    raw = clusters.estimate_share_of_hits(said)
    corrected = rogan_gladen_estimate(clusters, clusters.codes, said, truth)
    checked = ~np.isnan(truth)
    sensitivity = said[checked & true].mean()
    specificity = (~said)[checked & ~true].mean()
    assert raw.low is not None
    assert raw.high is not None
    alone = [
        (bound + specificity - 1) / (sensitivity + specificity - 1) for bound in (raw.low, raw.high)
    ]
    assert corrected.low is not None
    assert corrected.high is not None
    assert corrected.low < alone[0] - 0.02
    assert corrected.high > alone[1] + 0.02


def test_sixty_figures_of_58_000_rows_take_no_resampling() -> None:
    names = np.repeat([f"q{n:03}" for n in range(800)], 73)
    hits = np.arange(len(names)) % 3 == 0

    def figures() -> None:
        clusters = Clusters(names)
        tops = np.column_stack([clusters.array_of_cluster_sums(clusters.codes, hits)] * 60)
        bottoms = np.column_stack([clusters.array_of_cluster_sums(clusters.codes)] * 60)
        assert len(clusters.estimate_ratios_of_sums(tops, bottoms)) == 60

    # It takes one; drawing the clusters anew a thousand times takes more than ten.
    assert effort(figures) < 8


def test_a_pair_is_called_by_its_statement_and_its_site_in_a_heading() -> None:
    called = SourceSupportTask().item_in_words
    name = name_of_pair_item("stroke-c-1", "https://brain.example.org/stroke/signs?x=1")
    assert called(name) == "statement stroke-c-1 on brain.example.org"
    # What is no address stays as it is.
    assert called("pair stroke-c-1 a book") == "pair stroke-c-1 a book"
    assert called("response r1") == "response r1"
