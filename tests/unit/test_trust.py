"""Judges against clinicians, for any task: by hand, and by other code (pandas, statsmodels)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from medlens.review import informative_sample, judge_trust
from medlens.review.judge_trust import Judge, Part, TaskAnswers, VariableAnswers
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.studies.agentclinic.tasks import (
    DiagnosisMatch,
    DiagnosisMatchTask,
    DialogueRealismTask,
    Realism,
)
from tests.store.made_up import with_methods

JUDGE = Judge("m", "p1")
WORDS = {"y": "yes", "n": "no", "?": "cannot_tell"}


def material(people, judges, words=None, lies_in=None) -> TaskAnswers:
    """Answers as letters, one per item from i0 on, "-" for not judged."""
    rows = [
        (f"i{at}", rater, DiagnosisMatch(same=WORDS[one]))
        for rater, given in people.items()
        for at, one in enumerate(given)
        if one in WORDS
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "rater", "value"])
    said = {
        judge: {f"i{at}": {"same": WORDS[one]} for at, one in enumerate(given) if one in WORDS}
        for judge, given in judges.items()
    }
    settled = {
        item: DiagnosisMatch(same=WORDS[one]) if one in WORDS else None
        for item, one in (words or {}).items()
    }
    many = max(len(given) for given in (*people.values(), *judges.values()))
    names = {f"i{at}": f"item {at}" for at in range(many)}
    return TaskAnswers(DiagnosisMatchTask(), frame, frame, said, settled, names, lies_in or {})


def same(*args, **kwargs) -> VariableAnswers:
    return judge_trust.everybodys_answers_to_variable(material(*args, **kwargs), "same")


def test_the_word_is_the_clear_majority_of_those_who_judged_or_the_adjudicators() -> None:
    # yes+yes+no: yes; yes+no: none; yes and cannot tell: none; no, but settled as yes; settled as
    # "cannot tell": none; yes, but no answer holds: none.
    col = same(
        {"a": "yyynny", "b": "yn?nny", "c": "n-----"},
        {JUDGE: "yyyyyy"},
        {"i3": "y", "i4": "?", "i5": "-"},
    )
    assert col.classes == ("yes", "no")
    np.testing.assert_array_equal(col.word, [0, np.nan, np.nan, 0, np.nan, np.nan])
    np.testing.assert_array_equal(col.word_unsure, [False, False, False, False, True, False])


def figures_of(col: VariableAnswers) -> set[str]:
    """The names of a judge's figures, if nobody revised a judgment."""
    none = pd.DataFrame(columns=["item_id", "rater", "blind", "value"])
    col = replace(col, material=replace(col.material, later=none))
    return {name for *_, name, _ in judge_trust.trust_figures_of_judge(col, JUDGE)}


def test_who_cannot_tell_where_the_other_can_is_counted_both_ways() -> None:
    # Clinicians: yes, no, cannot tell (two of three), none (a tie), no, yes. The judge cannot tell
    # on the second and the third: on 1 of the 4 on which clinicians can. It answers 3 on which
    # clinicians have a word, who can tell on all; with the last one settled so, on all but one.
    people = {"a": "yn?yny", "b": "yn?nny", "c": "yny---"}
    col = same(people, {JUDGE: "y??yyy"})
    mine, theirs = judge_trust.abstention_rates_by_figure_of_judge_and_clinicians(
        col, JUDGE
    ).values()
    assert (mine.numerator, mine.denominator) == (1, 4)
    assert (theirs.numerator, theirs.denominator) == (0, 3)
    col = same(people, {JUDGE: "y??yyy"}, {"i5": "?"})
    mine, theirs = judge_trust.abstention_rates_by_figure_of_judge_and_clinicians(
        col, JUDGE
    ).values()
    assert (mine.numerator, mine.denominator) == (1, 3)
    assert (theirs.numerator, theirs.denominator) == (1, 3)
    assert set(judge_trust.ABSTAINING) <= figures_of(col)


def test_where_nobody_can_abstain_no_figure_says_that_nobody_did() -> None:
    assert figures_of(same({"a": "yn"}, {JUDGE: "yy"})).isdisjoint(judge_trust.ABSTAINING)


def test_a_part_of_the_clinicians_has_its_own_word_that_it_cannot_tell() -> None:
    col = same({"a": "?", "b": "y", "c": "y"}, {JUDGE: "y"})
    assert not col.word_unsure[0]
    assert judge_trust.narrow_variable_answers_to_part(
        col, Part("a", raters=frozenset("a"))
    ).word_unsure[0]


def test_an_answer_added_later_is_counted_among_the_clinicians_who_could_give_it() -> None:
    # Cannot tell stands for the third answer: c is asked with a file that has it, a and b without.
    def offers(value: DiagnosisMatch, variable: str, answer: str) -> bool:
        return answer != "no" or value.reason == "new"

    given = {"a": "yyyy----", "b": "yyyy----", "c": "---nynyy"}
    made = material(given, {JUDGE: "ynynynyy"}, {"i6": "n"})
    people = made.people.copy()
    people["value"] = [
        value.model_copy(update={"reason": "new"}) if rater == "c" else value
        for rater, value in zip(people["rater"], people["value"], strict=True)
    ]
    task = with_methods(made.task, could_judgment_have_had_answer=offers)
    late = replace(made, task=task, people=people)
    col, before = (
        judge_trust.everybodys_answers_to_variable(late, "same"),
        judge_trust.everybodys_answers_to_variable(made, "same"),
    )
    positive = col.classes.index("no")
    # Nobody could say no to the first three; words: y y y y, then y n n y of those who could.
    share = judge_trust.prevalence_estimate_by_correction_method(col, JUDGE, positive)[
        "by_clinicians"
    ]
    assert (share.numerator, share.denominator) == (2, 5)
    assert share.method.endswith("; offered in 5 of 8 answers with a consensus")
    other = judge_trust.prevalence_estimate_by_correction_method(before, JUDGE, positive)[
        "by_clinicians"
    ]
    assert (other.numerator, other.denominator) == (2, 8)
    rates = judge_trust.compare_judge_with_clinicians(col, JUDGE, positive).rates
    assert (rates["specificity"].numerator, rates["specificity"].denominator) == (2, 3)
    assert (rates["npv"].numerator, rates["npv"].denominator) == (2, 3)
    # The answer that was always there, and the share of same answers, are over all of them.
    yes = col.classes.index("yes")
    assert (
        judge_trust.prevalence_estimate_by_correction_method(col, JUDGE, yes)[
            "by_clinicians"
        ].denominator
        == 8
    )
    assert (
        judge_trust.compare_judge_with_clinicians(col, JUDGE, positive)
        .rates["agreement"]
        .denominator
        == 8
    )
    # Without c, nobody could say no to any, and the adjudicator's word does not count.
    few = judge_trust.narrow_variable_answers_to_part(col, Part("a and b", raters=frozenset("ab")))
    assert (
        judge_trust.prevalence_estimate_by_correction_method(few, JUDGE, positive)[
            "by_clinicians"
        ].denominator
        == 0
    )
    # Of two who were asked the same, only c could say no: the clinicians are not held against it.
    [everyone, *_] = judge_trust.list_clinicians_together_and_each_against_others(
        col, JUDGE, positive
    )
    assert everyone.rates["specificity"].denominator == 0
    assert (
        judge_trust.list_clinicians_together_and_each_against_others(before, JUDGE, positive)[0]
        .rates["specificity"]
        .denominator
        > 0
    )


def test_a_judge_is_measured_against_the_word_by_hand() -> None:
    # Word: yyyy nnnnnn; judge: yyyn ynnnn- and one item that nobody has checked.
    col = same({"a": "yyyynnnnnn-"}, {JUDGE: "yyynynnnn-y"})
    found = judge_trust.compare_judge_with_clinicians(col, JUDGE, 0)
    counts = {
        name: (one.numerator, one.denominator)
        for name, one in found.rates.items()
        if name != "kappa"
    }
    assert counts == {
        "agreement": (7, 9),
        "sensitivity": (3, 4),
        "specificity": (4, 5),
        "ppv": (3, 4),
        "npv": (4, 5),
    }
    # Agreement 7/9; by chance 4/9 x 4/9 + 5/9 x 5/9 = 41/81; (63 - 41) / (81 - 41) = 22/40.
    assert found.rates["kappa"].value == pytest.approx(22 / 40)
    assert judge_trust.group_items_by_confusion_cell(col, JUDGE)[1.0, 0.0] == ("i3",)
    assert judge_trust.group_items_by_confusion_cell(col, JUDGE)[0.0, 1.0] == ("i4",)


def test_the_ceiling_is_each_clinician_against_the_others_on_the_judges_items() -> None:
    # c differs from a and b on i1; the judge has not judged i3, so that it does not count. With one
    # other who says the opposite, a and b have no majority beside c on i1.
    col = same({"a": "yynn", "b": "yynn", "c": "ynny"}, {JUDGE: "yyn-"})
    together, a, b, c = judge_trust.list_clinicians_together_and_each_against_others(col, JUDGE, 0)
    assert (a.rates["agreement"].numerator, a.n) == (2, 2)
    assert (b.rates["agreement"].numerator, b.n) == (2, 2)
    assert (c.rates["agreement"].numerator, c.n) == (2, 3)
    assert (together.name, together.rates["agreement"].numerator, together.n) == (
        *("Clinicians", 6),
        7,
    )


def test_a_clinicians_own_vote_is_not_what_they_are_held_against() -> None:
    col = same({"a": "y" * 8, "b": "n" * 8}, {JUDGE: "y" * 8})
    assert (
        judge_trust.list_clinicians_together_and_each_against_others(col, JUDGE, 0)[0]
        .rates["agreement"]
        .value
        == 0
    )


@pytest.mark.parametrize(("judged", "early"), [(4, False), (3, True)])
def test_a_draw_waits_while_more_than_a_fifth_of_the_last_one_is_outstanding(
    judged: int, early: bool
) -> None:
    given = {"a": "y" * judged + "-" * (5 - judged)}
    col = same(given, {JUDGE: "yyyyy"})
    drawn = tuple(f"i{at}" for at in range(5))
    col = replace(col, material=replace(col.material, drawn=drawn))
    assert informative_sample.count_unchecked_of_last_draw(col) == 5 - judged
    assert informative_sample.is_too_early_to_draw_again(col) == early


def test_with_nothing_checked_every_rate_says_why_it_is_missing() -> None:
    col = same({"a": "-"}, {JUDGE: "yyy"})
    rates = judge_trust.compare_judge_with_clinicians(col, JUDGE, 0).rates
    assert not any(one.has_value for one in rates.values())
    assert rates["kappa"].reason == "there is no consensus on what it judged"
    assert judge_trust.test_if_judge_can_replace_clinician(col, JUDGE).passes is None


def test_dialogues_of_one_case_make_the_interval_wider_and_leave_the_value() -> None:
    rng = np.random.default_rng(3)
    case = np.repeat(np.arange(12), 10)
    own = rng.random(12) < 0.5
    word = np.where(rng.random(120) < 0.5, "y", "n")
    said = np.where(own[case], word, np.where(word == "y", "n", "y"))
    lies_in = {f"i{at}": f"case {one}" for at, one in enumerate(case)}
    people, judges = {"a": "".join(word)}, {JUDGE: "".join(said)}
    flat = judge_trust.compare_judge_with_clinicians(same(people, judges), JUDGE, 0).rates[
        "agreement"
    ]
    nested = judge_trust.compare_judge_with_clinicians(
        same(people, judges, lies_in=lies_in), JUDGE, 0
    ).rates["agreement"]
    assert nested.value == flat.value
    assert nested.high - nested.low > 1.8 * (flat.high - flat.low)


def test_a_part_of_items_or_clinicians_is_measured_by_itself() -> None:
    # The adjudicator says no of i0, which a and b call yes; the judge is with a and b throughout.
    people = {"a": "yyyynnnn", "b": "yyyynnnn", "c": "nnnnyyyy"}
    col = same(people, {JUDGE: "yyyynnn-"}, {"i0": "n"})
    parts = [
        Part("first", frozenset({"i0", "i1", "i2", "i3"})),
        Part("last", frozenset({"i7"})),
        Part("a and b", raters=frozenset("ab")),
        Part("c", raters=frozenset("c")),
    ]
    found = judge_trust.list_judge_and_clinician_rates_of_parts(col, JUDGE, 0, parts, "agreement")
    counts = {name: [(one.numerator, one.denominator) for one in both] for name, *both in found}
    # The judge said nothing of i7. Of i0 to i3, c is against two others, a and b against one each
    # way: no majority. Some clinicians' word is their own, not the adjudicator's; c alone is
    # held against the two others.
    assert counts == {
        "first": [(3, 4), (0, 4)],
        "a and b": [(7, 7), (14, 14)],
        "c": [(0, 7), (0, 7)],
    }


def test_macro_f1_pools_the_pairs_of_answers_that_both_gave() -> None:
    # The judge and a: yes twice and no once together, apart twice. The judge and b: yes once and no
    # once, apart twice. Of nine pairs three are both yes, two both no: F1 of yes 6/10, of no 4/8.
    col = same({"a": "yynny-", "b": "y-n?yn"}, {JUDGE: "yynyny"})
    found = dict(judge_trust.list_macro_f1_of_judge_and_clinicians(col, JUDGE))
    assert found[JUDGE.displayed_name].n == 9
    assert found[JUDGE.displayed_name].value == pytest.approx(0.55)
    # a and b both answered the first, the third and the fifth, alike each time.
    assert (found["Clinicians"].value, found["Clinicians"].n) == (1, 6)


def test_scales_are_compared_by_weighted_kappa_and_the_mean_difference() -> None:
    rng = np.random.default_rng(8)
    true = rng.integers(2, 9, 60)
    people = {name: np.clip(true + rng.integers(-1, 2, 60), 1, 10) for name in "abc"}
    model = np.clip(true + rng.integers(0, 3, 60), 1, 10)
    rows = [
        (f"i{at}", name, Realism(doctor=int(one)))
        for name, given in people.items()
        for at, one in enumerate(given)
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "rater", "value"])
    said = {JUDGE: {f"i{at}": {"doctor": int(one)} for at, one in enumerate(model)}}
    names = {f"i{at}": f"i{at}" for at in range(60)}
    col = judge_trust.everybodys_answers_to_variable(
        TaskAnswers(DialogueRealismTask(), frame, frame, said, {}, names, {}), "doctor"
    )
    rates = judge_trust.compare_judge_with_clinicians(col, JUDGE, 0).rates
    median = pd.DataFrame(people).median(axis=1).to_numpy()
    assert rates["difference"].value == pytest.approx((model - median).mean())
    values = np.arange(1, 11)
    counts = pd.crosstab(model, median).reindex(index=values, columns=values, fill_value=0)
    other = cohens_kappa(counts.to_numpy(), wt="fc").kappa
    assert rates["kappa_weighted"].value == pytest.approx(other)
    assert judge_trust.test_if_judge_can_replace_clinician(col, JUDGE).passes is not None


def test_of_many_classes_each_is_measured_against_the_rest() -> None:
    col = same({"a": "yn" * 10}, {JUDGE: "yn" * 10})
    three = VariableAnswers(**{**col.__dict__, "classes": ("A", "B", "C"), "word": col.word})
    assert judge_trust.list_indices_of_classes_measured_against_rest(col) == [0]
    assert judge_trust.list_indices_of_classes_measured_against_rest(three) == [0, 1, 2]
    assert judge_trust.compare_judge_with_clinicians(three, JUDGE, 2).rates["kappa_all"].value == 1


def test_two_judges_are_compared_on_the_items_of_both() -> None:
    other = Judge("n", "")
    col = same({"a": "y" * 12}, {JUDGE: "y" * 11 + "-", other: "n" * 6 + "y" * 6})
    [found] = judge_trust.list_comparisons_with_other_judges(col, JUDGE)
    assert (found.second, found.agreement.numerator, found.agreement.n) == (other, 5, 11)
    # Six pairs differ, all one way: the score is sqrt(6).
    assert found.test.p == pytest.approx(0.014306, abs=1e-6)
    assert found.difference.value == pytest.approx(6 / 11)


def test_two_judges_are_compared_where_clinicians_have_a_word() -> None:
    other = Judge("n", "")
    # Clinicians differ on the last four of 12 items; of the others the first judge is right on
    # all, the second on five.
    people = {"a": "y" * 12, "b": "y" * 8 + "nnnn"}
    col = same(people, {JUDGE: "y" * 12, other: "nnnyyyyynnnn"})
    [found] = judge_trust.list_comparisons_with_other_judges(col, JUDGE)
    assert (found.difference.value, found.difference.n) == (pytest.approx(3 / 8), 8)
    assert (len(found.first_only), len(found.second_only)) == (3, 0)
    # How often they say the same is known of all.
    assert (found.agreement.numerator, found.agreement.n) == (5, 12)


def test_on_a_scale_with_a_tolerance_nobody_is_held_to_more_than_it_asks() -> None:
    task = replace(DialogueRealismTask(), tolerances={"doctor": 1})
    # Clinicians: 5 and 6, 2 and 4, 3 and 3, 7 and 7; 2 and 4 are divided and have no word.
    people = {"a": [5, 2, 3, 7], "b": [6, 4, 3, 7]}
    rows = [
        (f"i{at}", name, Realism(doctor=score))
        for name, given in people.items()
        for at, score in enumerate(given)
    ]
    frame = pd.DataFrame(rows, columns=["item_id", "rater", "value"])
    other = Judge("n", "")
    said = {
        judge: {f"i{at}": {"doctor": score} for at, score in enumerate(given)}
        for judge, given in ((JUDGE, [5, 3, 4, 9]), (other, [6, 3, 1, 8]))
    }
    names = {f"i{at}": f"i{at}" for at in range(4)}
    col = judge_trust.everybodys_answers_to_variable(
        TaskAnswers(task, frame, frame, said, {}, names, {}), "doctor"
    )
    np.testing.assert_array_equal(col.word, [5.5, np.nan, 3, 7])
    # 5 to 5.5 and 4 to 3 are near enough, 9 to 7 is not.
    agreement = judge_trust.compare_judge_with_clinicians(col, JUDGE, 0).rates["agreement"]
    assert (agreement.numerator, agreement.n) == (2, 3)
    assert agreement.method.endswith("; the same within 1 point")
    [rival] = judge_trust.list_comparisons_with_other_judges(col, JUDGE)
    assert (rival.agreement.numerator, rival.agreement.n) == (3, 4)
    assert (rival.first_only, rival.second_only) == (("i2",), ("i3",))
    # Each beside the other: near enough on all but the item that divides them.
    together = judge_trust.list_clinicians_together_and_each_against_others(col, JUDGE, 0)[0].rates[
        "agreement"
    ]
    assert (together.numerator, together.n) == (6, 8)
    assert judge_trust.narrow_variable_answers_to_part(
        col, Part("b", raters=frozenset("b"))
    ).word.tolist() == [
        6,
        4,
        3,
        7,
    ]


def test_an_answer_that_nobody_gave_is_the_one_that_is_measured_where_all_said_no() -> None:
    col = same({"a": "nnnnn", "b": "nnnnn", "c": "nnnnn"}, {JUDGE: "nnnnn"})
    assert col.classes == ("yes", "no")
    assert judge_trust.list_indices_of_classes_measured_against_rest(col) == [0]
    share = judge_trust.prevalence_estimate_by_correction_method(col, JUDGE, 0)["by_judge"]
    assert (share.numerator, share.denominator) == (0, 5)
    against = judge_trust.compare_judge_with_clinicians(col, JUDGE, 0).rates
    assert against["specificity"].value == 1
    assert "'yes' on none of them" in against["sensitivity"].reason
    ticked = replace(col.material, people=col.material.people.iloc[:0], judges={JUDGE: {}})
    assert judge_trust.everybodys_answers_to_variable(ticked, "same").classes == ()


def test_a_clinician_is_held_against_those_who_were_asked_too_and_no_others() -> None:
    col = same({"a": "-y", "b": "yy", "c": "y-"}, {JUDGE: "yy"})
    each = judge_trust.list_clinicians_together_and_each_against_others(col, JUDGE, 0)[1:]
    # Of each two, the one alone is all of the other's colleagues on the item.
    assert [(one.name, one.n) for one in each] == [("a", 1), ("b", 2), ("c", 1)]


def test_who_revises_a_judgment_is_held_against_the_others_word_not_their_own() -> None:
    made = material({"a": "yn", "b": "ny"}, {JUDGE: "yy"}, {"i1": "y"})
    rows = [
        (f"i{at}", "a", False, DiagnosisMatch(same=answer))
        for at, answer in enumerate(("no", "no"))
    ]
    later = pd.DataFrame(rows, columns=["item_id", "rater", "blind", "value"])
    col = judge_trust.everybodys_answers_to_variable(replace(made, later=later), "same")
    rates = judge_trust.summarise_judgments_revised_after_reveal(col, JUDGE).rates
    # With a's own yes there would be no word on the first; the second is settled, and a stays.
    assert (rates["to_word"].numerator, rates["to_word"].denominator) == (1, 2)
    assert (rates["from_model"].numerator, rates["changed"].denominator) == (1, 2)


def test_every_figure_of_trust_says_for_which_clinicians_it_speaks() -> None:
    people = {"a": "ynynynynynyn", "b": "yyynynynynnn", "c": "ynynynynyyyn", "d": "nnnnnnnnnnny"}
    made = material(people, {JUDGE: "ynynynyyynyn", Judge("n", ""): "ynynynyyynnn"})
    nothing = pd.DataFrame(columns=["item_id", "rater", "blind", "value"])
    col = judge_trust.everybodys_answers_to_variable(replace(made, later=nothing), "same")
    told = {
        name: {
            one.speaks_for
            for _, _, figure, one in judge_trust.trust_figures_of_judge(col, JUDGE)
            if figure == name and one.has_value
        }
        for name in ("agreement", "macro_f1", "share_by_judge", "share_rogan_gladen")
    }
    four = "these 4 raters"
    assert told == {
        "agreement": {four, "this rater"},
        # The model against each clinician; clinicians with each other; one with the others.
        "macro_f1": {"raters like these", four, "this rater"},
        "share_by_judge": {""},
        "share_rogan_gladen": {four},
    }
    [rival] = judge_trust.list_comparisons_with_other_judges(col, JUDGE)
    assert (rival.difference.speaks_for, rival.agreement.speaks_for) == (four, "")
    with declare_panel_fixed_within(fixed=True):
        [(_, fixed), *_] = judge_trust.list_macro_f1_of_judge_and_clinicians(col, JUDGE)
    [(_, ours), *_] = judge_trust.list_macro_f1_of_judge_and_clinicians(col, JUDGE)
    assert fixed.speaks_for == "these 4 raters, a fixed panel"
    assert ours.value == fixed.value
    assert ours.low < fixed.low


def test_who_revises_a_settled_judgment_is_held_against_the_adjudicators_word() -> None:
    # The others say no, the adjudicator yes: a, who turns from no to yes, moves towards the word.
    made = material({"a": "n", "b": "n", "c": "n"}, {JUDGE: "y"}, {"i0": "y"})
    later = pd.DataFrame(
        [("i0", "a", False, DiagnosisMatch(same="yes"))],
        columns=["item_id", "rater", "blind", "value"],
    )
    col = judge_trust.everybodys_answers_to_variable(replace(made, later=later), "same")
    rates = judge_trust.summarise_judgments_revised_after_reveal(col, JUDGE).rates
    assert (rates["to_word"].value, rates["from_word"].value) == (1, 0)


def test_a_revision_after_a_draw_counts_for_as_many_items_as_it_stands_for() -> None:
    # Of four items of one stratum two are judged, of one of another all: weights 2, 2 and 1. Of the
    # revised i0, i1 and i4, i0 turns to the model, i4 away from it.
    made = material({"a": "nn--y"}, {JUDGE: "yyyyy"})
    strata = {f"i{at}": "often" if at == 4 else "seldom" for at in range(5)}
    rows = [
        (item, "a", False, DiagnosisMatch(same=answer))
        for item, answer in (("i0", "yes"), ("i1", "no"), ("i4", "no"))
    ]
    later = pd.DataFrame(rows, columns=["item_id", "rater", "blind", "value"])
    drawn = replace(made, later=later, strata=strata)
    col = judge_trust.everybodys_answers_to_variable(drawn, "same")
    found = judge_trust.summarise_judgments_revised_after_reveal(col, JUDGE)
    assert found.rates["changed"].value == pytest.approx(3 / 5)
    assert found.rates["to_model"].value == pytest.approx(2 / 5)
    assert found.rates["from_model"].value == pytest.approx(1 / 5)
    assert found.rates["changed"].method.startswith("weighted share")
    even = judge_trust.everybodys_answers_to_variable(replace(made, later=later), "same")
    assert (
        judge_trust.summarise_judgments_revised_after_reveal(even, JUDGE).rates["changed"].value
        == 2 / 3
    )
