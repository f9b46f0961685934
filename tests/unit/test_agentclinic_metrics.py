"""The figures of AgentClinic, on a handful of dialogues worked out by hand."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace

import pandas as pd
import pytest

from medlens.stats.estimate import FIGURE_COLUMNS
from medlens.stats.intervals import wilson_share_estimate
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.studies.agentclinic import figures_charts as charts
from medlens.studies.agentclinic import (
    metrics,
    metrics_accuracy_outcomes_and_bias,
    metrics_input_tables,
    metrics_moderator_and_corrected_accuracy,
    metrics_ratings,
)
from medlens.studies.agentclinic import metrics_accuracy_outcomes_and_bias as metrics_doctors
from medlens.studies.agentclinic.figures import FIGURES
from medlens.studies.agentclinic.figures_data import (
    AgentClinicFigureData,
    find_title_and_dialogue_names_behind_mark,
)
from medlens.studies.agentclinic.records import (
    Dialogue,
    GivenBias,
    PatientRating,
    PatientRatings,
    Turn,
)
from medlens.studies.agentclinic.tasks import DiagnosisMatch, Realism, TurnMark

NAMES = count(1)
OUTCOMES = {"+": "correct", "-": "incorrect", "0": "no_diagnosis", "!": "error"}


def visit(case, how, *, doctor="a", patient="p", bias="", side="doctor", confidence=None, **rules):
    """A dialogue that ended as ``how`` says: + correct, - incorrect, 0 none, ! error."""
    given = {f"{side}_bias": GivenBias(id=bias)} if bias else {}
    rating = PatientRatings(confidence=PatientRating(score=confidence)) if confidence else None
    dialogue = Dialogue(
        case=case,
        doctor=doctor,
        patient=patient,
        outcome=OUTCOMES[how],
        diagnosis="Gout" if how in "+-" else "",
        **given,
        **rules,
        **({"ratings": rating} if rating else {}),
    )
    return f"d{next(NAMES):03d}", dialogue


def table(*visits, **how):
    return metrics_input_tables.dialogues_table(visits, {}, **how)


def cohort(outcomes, **how):
    """Cases k1, k2, … with these outcomes."""
    return [visit(f"k{n}", one, **how) for n, one in enumerate(outcomes, 1)]


def test_doctors_are_compared_on_the_same_cases_and_each_case_counts_once():
    # a is right on k1 to k5 in both repeats, b never; on k6 both are; k7 is b's alone.
    found = [visit("k7", "+", doctor="b")]
    for repeat in (1, 2):
        found += cohort("++++++", doctor="a", repeat=repeat)
        found += cohort("-----+", doctor="b", repeat=repeat)
    [one] = metrics_doctors.list_comparisons_of_doctor_pairs(table(*found))
    assert (len(one.first_better), len(one.second_better), one.alike, one.pair_count) == (
        5,
        0,
        1,
        6,
    )
    assert one.difference.value == pytest.approx(5 / 6)
    # Ten independent visits, all for one, would have a score of sqrt(10): p 0.0016. These are five
    # cases: the interval, which counts them, includes 0, and so says the test.
    assert one.difference.low < 0
    assert one.test.p == one.difference.p == one.p_holm
    assert one.test.p == pytest.approx(0.1187, abs=1e-4)


def test_a_pair_of_doctors_is_one_row_whose_cells_list_the_cases_where_each_did_better():
    data = AgentClinicFigureData(None, None)
    visits = table(*cohort("+++-", doctor="a"), *cohort("--++", doctor="b"))
    vars(data).update(visits_table=visits, adjudicated_answers_by_dialogue={})
    shown = charts.doctor_pairs_chart(data)
    assert shown.table[
        ["first", "second", "cases", "first better", "second better"]
    ].to_numpy().tolist() == [["a", "b", 4, 2, 1]]
    [mark] = shown.marks
    numbers = {}
    for title, cell in {**shown.cells, "either": ""}.items():
        found = find_title_and_dialogue_names_behind_mark(data, f"{mark}|{cell}".rstrip("|"))
        numbers[title] = len(found.pairs)
    assert numbers == {"first better": 2, "second better": 1, "either": 3}


def test_holm_is_over_all_pairs_of_doctors():
    found = [
        *cohort("+++++", doctor="a"),
        *cohort("-----", doctor="b"),
        *cohort("-----", doctor="c"),
    ]
    compared = {
        (one.first, one.second): one
        for one in metrics_doctors.list_comparisons_of_doctor_pairs(table(*found))
    }
    # Five cases against none twice: the score is sqrt(5), p 0.025347. The third pair never differs
    # and is no comparison: Holm multiplies the smallest by two, and the next is not below it.
    assert compared["a", "b"].p_holm == pytest.approx(2 * 0.025347, abs=1e-5)
    assert compared["a", "c"].p_holm == pytest.approx(2 * 0.025347, abs=1e-5)
    assert compared["b", "c"].p_holm is None
    rows = {
        (name, group): one
        for name, group, one in metrics.doctor_comparison_rows([*compared.values()])
    }
    assert rows["doctors_difference_holm", "a, b"].method.endswith(", Holm over 2")
    assert rows["doctors_difference_holm", "b, c"].p is None
    assert "Holm" not in rows["doctors_difference_holm", "b, c"].method


def test_no_diagnosis_is_not_correct_and_an_error_is_left_out_and_said():
    # 2 correct of 4 that ended; one error. t of 3 degrees of freedom is 3.182446: (0.5 + 1.265996
    # +- 3.182446 sqrt(0.0625 + 0.158249)) / 3.531990 = 0.5 +- 0.423342.
    one = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(table(*cohort("++-0!")))
    assert (one.numerator, one.denominator, one.value) == (2, 4, 0.5)
    assert (one.low, one.high) == pytest.approx((0.0767, 0.9233), abs=1e-4)
    assert one.method == "Wilson with t; 1 that ended in an error left out"


def test_every_way_to_end_keeps_its_share_of_all_dialogues():
    shares = metrics_accuracy_outcomes_and_bias.shares_of_dialogues_by_outcome(
        table(*cohort("++-0!"))
    )
    assert {name: (one.numerator, one.denominator) for name, one in shares.items()} == {
        "correct": (2, 5),
        "incorrect": (1, 5),
        "no_diagnosis": (1, 5),
        "error": (1, 5),
    }


def test_nothing_but_errors_has_no_accuracy():
    one = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(table(*cohort("!!")))
    assert (one.has_value, one.reason) == (False, "every dialogue ended in an error")


def test_repeats_of_a_case_are_drawn_together():
    visits = [
        visit(case, mark, repeat=repeat)
        for case, mark in (("k1", "+"), ("k2", "-"))
        for repeat in range(1, 4)
    ]
    one = metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(table(*visits))
    # Two cases say next to nothing, however often each was played.
    assert (one.value, one.numerator, one.denominator) == (0.5, 3, 6)
    assert (one.low, one.high) == (None, None)
    assert one.method == "share, no interval from fewer than 4 cases"
    once = cohort("+-" * 5)
    again = [visit(f"k{n}", "+-"[1 - n % 2], repeat=2) for n in range(1, 11)]
    alone, twice = (
        metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(table(*once)),
        metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(table(*once, *again)),
    )
    assert twice.method == "share; Wilson over cases"
    # The second visits told nothing new: the interval is as wide as without them.
    assert twice.high - twice.low == pytest.approx(alone.high - alone.low, abs=0.03)


def test_accuracy_by_model_takes_the_unbiased_dialogues_under_the_usual_rules():
    found = metrics_accuracy_outcomes_and_bias.unbiased_dialogue_tables_by_value_of_dimension(
        table(
            *cohort("+++-"),  # a, 20 messages: 3 of 4
            *cohort("----", n_interactions=10),  # other rules
            *cohort("----", bias="recency"),  # biased
            *cohort("+-", doctor="b"),
            *cohort("+", doctor="c", patient="q"),  # never played with p
        ),
        "doctor",
    )
    counts = {
        name: metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(group)
        for name, group in found.items()
    }
    assert {name: (one.numerator, one.denominator) for name, one in counts.items()} == {
        "a": (3, 4),
        "b": (1, 2),
        "c": (1, 1),
    }


def test_people_who_play_are_told_apart_from_models():
    found = table(*cohort("+", doctor="Anna", doctor_player="person"), *cohort("-"))
    assert sorted(found["doctor"]) == ["Anna (person)", "a"]


def test_a_bias_is_paired_with_the_same_cases_without_it():
    # Six cases without: + + + + - !. With recency: + - - - + +. The sixth has an error on one side.
    # Both right: k1; without only: k2, k3, k4; with only: k5; neither: none. The score of 3 against
    # 1 is (3 - 1) / sqrt(4) = 1, beyond which 31.731 % of a normal distribution lie.
    [one] = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(
        table(*cohort("++++-!"), *cohort("+---++", bias="recency"))
    )
    cells = (one.both, one.unbiased_only, one.biased_only, one.neither)
    assert [len(cell) for cell in cells] == [1, 3, 1, 0]
    assert (one.doctor, one.bias, one.pair_count) == ("a", "doctor:recency", 5)
    assert one.test.p == one.difference.p == pytest.approx(0.31731, abs=1e-5)
    # Accuracy on those five: 4/5 without, 2/5 with.
    assert one.difference.value == pytest.approx(-0.4)
    assert one.normalised.value == pytest.approx(0.5)
    assert one.p_holm == one.test.p


def test_a_discordant_cell_holds_the_names_of_its_pairs():
    base, biased = visit("k1", "+"), visit("k1", "-", bias="gender", side="patient")
    [one] = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(
        table(base, biased)
    )
    assert one.bias == "patient:gender"
    assert one.unbiased_only == ((base[0], biased[0]),)


def test_pairs_keep_rules_and_repeats_apart():
    visits = [
        visit("k1", "+"),
        visit("k1", "-", repeat=2),
        visit("k1", "+", bias="recency", repeat=2),
        visit("k1", "-", bias="recency", n_interactions=10),
    ]
    [one] = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(table(*visits))
    # Only repeat 2 has a partner: wrong without, right with.
    assert (one.pair_count, len(one.biased_only)) == (1, 1)


def test_of_several_runs_of_one_cell_the_last_is_paired():
    first, again = visit("k1", "-"), visit("k1", "+")
    biased = [visit("k1", "+", bias="recency"), visit("k1", "-", bias="recency")]
    [one] = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(
        table(first, *biased, again)
    )
    assert one.unbiased_only == ((again[0], biased[1][0]),)
    assert one.pair_count == 1


def test_holm_counts_the_comparisons_that_could_differ():
    # Six cases right without; recency spoils all six: the score is sqrt(6), p 0.014306; gender
    # spoils five of six: sqrt(5), p 0.025347. Holm over two: 0.028612, then the larger of 0.025347
    # and that. Frequency spoils none, so that nothing is compared.
    found = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(
        table(
            *cohort("++++++"),
            *cohort("------", bias="recency"),
            *cohort("-----+", bias="gender", side="patient"),
            *cohort("++++++", bias="frequency"),
        )
    )
    by_bias = {one.bias: (one.test.p, one.p_holm) for one in found}
    assert by_bias["doctor:recency"] == pytest.approx((0.014306, 0.028612), abs=1e-6)
    assert by_bias["patient:gender"] == pytest.approx((0.025347, 0.028612), abs=1e-6)
    assert by_bias["doctor:frequency"] == (None, None)


def test_normalised_accuracy_is_undefined_where_nothing_was_solved_without_the_bias():
    [one] = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(
        table(*cohort("--"), *cohort("+-", bias="recency"))
    )
    assert one.normalised.reason == "no case was solved without the bias"


def test_normalised_accuracy_by_kind_pools_the_pairs_of_its_biases():
    # recency 1 of 2, frequency 2 of 2, both against 2 of 2: 3/4. gender 0 of 2.
    found = metrics_accuracy_outcomes_and_bias.normalised_accuracy_by_doctor_and_bias_kind(
        table(
            *cohort("++"),
            *cohort("+-", bias="recency"),
            *cohort("++", bias="frequency"),
            *cohort("--", bias="gender"),
        )
    )
    assert {key: one.value for key, one in found.items()} == {
        ("a", "doctor cognitive"): 0.75,
        ("a", "doctor implicit"): 0.0,
        # All of the doctor's: 3 of 6.
        ("a", "doctor"): 0.5,
    }


def test_kinds_of_bias_are_pooled_by_side_and_by_sort_where_there_are_several():
    # Right: recency of the doctor 1 of 2, gender of the doctor 0 of 2, of the patient 2 of 2.
    played = table(
        *cohort("++"),
        *cohort("+-", bias="recency"),
        *cohort("--", bias="gender"),
        *cohort("++", bias="gender", side="patient"),
    )
    found = {
        kind: group
        for (
            _,
            kind,
        ), group in metrics_accuracy_outcomes_and_bias.dialogue_tables_by_doctor_and_bias_group(
            played
        ).items()
    }
    shares = {
        kind: (one.numerator, one.denominator)
        for kind, group in found.items()
        for one in [metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(group)]
    }
    assert shares == {
        "none": (2, 2),
        "doctor cognitive": (1, 2),
        "doctor implicit": (0, 2),
        "patient implicit": (2, 2),
        "doctor": (1, 4),
        "implicit": (2, 4),
    }


def test_refusals_and_images_are_counted_by_doctor_too():
    seen = {
        "image_mode": "request",
        "turns": (Turn(n=1, speaker="doctor", kind="request_images", text="May I see it?"),),
    }
    one, broken = cohort("+-", doctor="a", image_mode="request"), visit("k3", "!", doctor="a")
    looked = Dialogue(case="k3", doctor="b", patient="p", outcome="no_diagnosis", **seen)
    asked = metrics.image_request_rates_by_doctor(table(*one, broken, ("d", looked)))
    assert {name: (s.numerator, s.denominator) for name, s in asked.items()} == {
        "a": (0, 2),
        "b": (1, 1),
        "all": (1, 3),
    }
    biased = table(*cohort("+", bias="gender"), *cohort("+", bias="gender", doctor="b"))
    found = list(metrics.refusal_rates_by_doctor_and_bias(biased))
    assert found == [("a", "doctor:gender"), ("b", "doctor:gender")]


def test_patients_ratings_are_compared_on_the_same_cases():
    visits = [
        visit("k1", "+", confidence=9),
        visit("k2", "+", confidence=7),
        visit("k3", "+"),
        visit("k1", "+", confidence=4, bias="self_diagnosis", side="patient"),
        visit("k2", "+", confidence=4, bias="self_diagnosis", side="patient"),
        visit("k3", "+", confidence=10, bias="self_diagnosis", side="patient"),
    ]
    found = metrics_ratings.patient_ratings_by_doctor_bias_and_scale(table(*visits))
    assert found["a", "none", "confidence"].mean.value == 8.0
    biased = found["a", "patient:self_diagnosis", "confidence"]
    # Mean of 4, 4, 10; the difference on k1 and k2 alone: (-5 - 3) / 2.
    assert (biased.mean.value, biased.mean.n) == (6.0, 3)
    assert (biased.difference.value, biased.difference.n) == (-4.0, 2)
    assert not found["a", "none", "compliance"].mean.has_value


def test_patients_ratings_of_a_case_that_was_played_by_both_protocols_are_compared_once():
    # The one that was played last counts, with a bias and without: 4 - 8, and not 3 - 9.
    biased = {"bias": "self_diagnosis", "side": "patient"}
    visits = [
        visit("k1", "+", confidence=9, protocol="published"),
        visit("k1", "+", confidence=8, protocol="medlens"),
        visit("k1", "+", confidence=3, protocol="published", **biased),
        visit("k1", "+", confidence=4, protocol="medlens", **biased),
    ]
    found = metrics_ratings.patient_ratings_by_doctor_bias_and_scale(table(*visits))
    assert found["a", "none", "confidence"].mean.n == 2
    difference = found["a", "patient:self_diagnosis", "confidence"].difference
    assert (difference.value, difference.n) == (-4.0, 1)


def judgments(*rows):
    return pd.DataFrame(
        [(*row[:3], row[3] if len(row) > 3 else "person") for row in rows],
        columns=["item", "rater", "value", "rater_kind"],
    )


def scored(doctor, measurement=5, marks=()):
    return Realism(
        doctor=doctor,
        patient=5,
        measurement=measurement,
        empathy=5,
        marks=tuple(TurnMark(turn=1, mark=mark) for mark in marks),
    )


def test_clinicians_ratings_have_a_mean_a_distribution_and_an_ordinal_alpha():
    found = metrics_ratings.mean_clinician_ratings_by_scale(
        judgments(
            ("d1", "A", scored(2)),
            ("d1", "B", scored(2, measurement=None)),
            ("d2", "A", scored(8)),
            ("d2", "B", scored(8)),
            ("d3", "A", scored(5)),
            ("d3", "M", scored(1), "model"),
        )
    )
    doctor = found["doctor"]
    assert (doctor.mean.value, doctor.mean.n) == (5.0, 5)
    assert (doctor.shares[2].numerator, doctor.shares[2].denominator) == (2, 5)
    assert doctor.shares[1].numerator == 0
    # Both raters agree on both dialogues that two rated, at two different scores.
    assert (doctor.alpha.value, doctor.alpha.pairs) == (1.0, 2)
    assert found["measurement"].mean.n == 4
    # Models are raters too, but no clinicians.
    own = [(one.rater, one.value, one.n) for one in doctor.mean.of_raters]
    assert own == [("A", 5.0, 3), ("B", 5.0, 2)]
    assert not found["empathy"].alpha.has_value


def test_ratings_and_marks_of_a_fixed_panel_speak_for_it_alone():
    rated = judgments(
        *(
            (f"d{item}", rater, scored(2 + at))
            for item in range(6)
            for at, rater in enumerate("ABCDE")
        )
    )
    with declare_panel_fixed_within(fixed=True):
        ratings, marked = (
            metrics_ratings.mean_clinician_ratings_by_scale(rated),
            metrics_ratings.shares_of_judgments_by_mark(rated),
        )
    others = metrics_ratings.mean_clinician_ratings_by_scale(rated)["doctor"].mean
    fixed = ratings["doctor"]
    words = {one.speaks_for for one in (fixed.mean, fixed.alpha, fixed.shares[3], *marked.values())}
    assert words == {"these 5 raters, a fixed panel"}
    assert others.speaks_for == "raters like these"
    assert fixed.mean.high - fixed.mean.low < others.high - others.low


def test_marks_count_once_in_a_judgment():
    found = metrics_ratings.shares_of_judgments_by_mark(
        judgments(
            ("d1", "A", scored(5, marks=("fixation", "fixation", "bad_opening"))),
            ("d1", "B", scored(5)),
        )
    )
    assert (found["fixation"].numerator, found["fixation"].denominator) == (1, 2)
    assert found["verbose"].numerator == 0


def match(item, rater, same):
    return (item, rater, DiagnosisMatch(same=same, reason="x"))


def test_the_moderator_is_measured_against_the_majority_of_clinicians():
    # Ten diagnoses, six called correct. Clinicians: of those six 5 yes, 1 no; of the other four
    # 1 yes, 3 no. Sensitivity 5/6, specificity 3/4, agreement 8/10.
    visits = cohort("++++++----")
    names = [name for name, _ in visits]
    words = ["yes"] * 5 + ["no"] + ["yes"] + ["no"] * 3
    rows = [match(name, "A", word) for name, word in zip(names, words, strict=True)]
    # One of three cannot tell: two of three say yes, and that is still more than half.
    rows += [match(names[0], "B", "cannot_tell"), match(names[0], "C", "yes")]
    found = metrics_moderator_and_corrected_accuracy.compare_moderator_with_clinicians(
        table(*visits), judgments(*rows)
    )
    assert (found.sensitivity.numerator, found.sensitivity.denominator) == (5, 6)
    assert (found.specificity.numerator, found.specificity.denominator) == (3, 4)
    assert found.agreement.value == 0.8
    assert found.overcalled == (names[5],)
    assert found.missed == (names[6],)
    # Kappa: agreement by chance 0.6 x 0.6 + 0.4 x 0.4 = 0.52; (0.8 - 0.52) / 0.48.
    assert found.kappa.value == pytest.approx(0.28 / 0.48)
    # Rogan-Gladen: (0.6 + 0.75 - 1) / (5/6 + 0.75 - 1) = 0.35 / 0.58333 = 0.6.
    assert found.raw.value == 0.6
    assert found.corrected.value == pytest.approx(0.6)


def test_the_correction_moves_the_rate_and_leaves_visits_without_a_diagnosis_at_nothing():
    # Four called correct, four not, two without a diagnosis. Checked: the four correct are yes,
    # yes, no, no; the four others no. Sensitivity 2/2, specificity 4/6.
    # (0.5 + 2/3 - 1) / (1 + 2/3 - 1) = (1/6) / (2/3) = 0.25 of the 8 with a diagnosis; of 10: 0.2.
    visits = cohort("++++----00")
    words = ["yes", "yes", "no", "no", "no", "no", "no", "no"]
    rows = [match(name, "A", word) for (name, _), word in zip(visits, words, strict=False)]
    found = metrics_moderator_and_corrected_accuracy.compare_moderator_with_clinicians(
        table(*visits), judgments(*rows)
    )
    assert found.raw.value == 0.4
    assert found.corrected.value == pytest.approx(0.2)


def test_ties_and_missing_answers_are_no_word():
    rows = [
        match("d1", "A", "yes"),
        match("d1", "B", "no"),
        match("d2", "A", "cannot_tell"),
        match("d3", "A", "no"),
        match("d3", "B", "no"),
        match("d3", "C", "yes"),
    ]
    assert metrics_moderator_and_corrected_accuracy.clinician_verdicts_by_pair(
        judgments(*rows)
    ) == {"d3": False}
    # The adjudicator's word is before a tie and a majority; "cannot tell" takes a majority away.
    settled = {"d1": "yes", "d3": "cannot_tell", "not judged by anybody": "yes"}
    assert metrics_moderator_and_corrected_accuracy.clinician_verdicts_by_pair(
        judgments(*rows), settled
    ) == {"d1": True}


def test_without_checks_the_moderator_has_figures_that_say_why_not():
    found = metrics_moderator_and_corrected_accuracy.compare_moderator_with_clinicians(
        table(*cohort("+-")), judgments()
    )
    assert found.sensitivity.reason == "clinicians have checked no diagnosis"
    assert found.corrected.reason == "people have checked none of it"


@pytest.mark.parametrize(("outstanding", "shown"), [(2, True), (3, False)])
def test_the_moderators_correction_is_withheld_if_more_than_a_fifth_is_outstanding(
    outstanding, shown
):
    visits = cohort("++++----") + cohort("-" * outstanding)
    played = table(*visits)
    played.loc[played.index[8:], "outcome"] = "error"
    rows = [match(visits[n][0], "A", "yes" if n < 4 else "no") for n in range(8)]
    found = metrics_moderator_and_corrected_accuracy.compare_moderator_with_clinicians(
        played, judgments(*rows)
    ).corrected
    # 2 of 10 is a fifth, 3 of 11 is more.
    assert found.has_value == shown
    if not shown:
        assert found.reason == "3 of 11 have verdicts outstanding"


def test_what_was_measured_in_a_dialogue_stands_in_its_row():
    turns = (
        Turn(n=1, speaker="doctor", text="Where does it hurt?"),
        Turn(n=2, speaker="patient", text="Where it hurts."),
        Turn(n=3, speaker="doctor", text="REQUEST TEST: CT", kind="request_test"),
        Turn(n=4, speaker="measurement", text="normal", kind="result"),
        Turn(n=5, speaker="doctor", text="REQUEST IMAGES", kind="request_images"),
    )
    row = table(visit("k1", "0", turns=turns), leaking=frozenset(["k1"])).iloc[0]
    assert (row["turns"], row["messages"], row["tests"], row["images"]) == (5, 3, 1, 1)
    assert (row["echo"], row["echoed"], row["answers"], row["leaks"]) == (1.0, 1, 1, True)


def test_an_answer_with_four_of_five_words_from_the_question_is_an_echo():
    asked = "Fever, cough, headache, rash?"
    answers = ("Fever, cough, headache, rash, vomiting.", "Fever, cough, headache, vomiting.")
    turns = [
        Turn(n=n, speaker=speaker, text=text)
        for n, (speaker, text) in enumerate(
            [pair for answer in answers for pair in (("doctor", asked), ("patient", answer))], 1
        )
    ]
    row = table(visit("k1", "0", turns=tuple(turns))).iloc[0]
    assert metrics_input_tables.shares_of_question_words_echoed(turns) == [0.8, 0.75]
    assert (row["echoed"], row["answers"]) == (1, 2)


def test_refusals_are_counted_over_the_dialogues_with_the_bias():
    turns = (Turn(n=1, speaker="doctor", text="As an AI, I treat everyone alike."),)
    found = metrics.refusal_rates_by_bias(
        table(
            visit("k1", "-", bias="race", turns=turns), *cohort("--", bias="race"), visit("k1", "+")
        )
    )
    assert {key: (one.numerator, one.denominator) for key, one in found.items()} == {
        "doctor:race": (1, 3)
    }


def figures(played, realism, matches, medqa=None):
    """All rows of the list, of visits that no store holds."""
    data = AgentClinicFigureData(None, None)
    known = [SimpleNamespace(group=name, estimate=one) for name, one in (medqa or {}).items()]
    vars(data).update(
        visits_table=played,
        blind_realism_and_match_judgment_tables=(realism, matches),
        list_of_known_medqa_accuracies=known,
        adjudicated_answers_by_dialogue={},
    )
    return FIGURES.make_table_of_all_figures(data)


def test_figures_are_rows_that_name_the_reason_of_what_is_undefined():
    empty = figures(table(), judgments(), judgments())
    assert list(empty.columns) == FIGURE_COLUMNS
    kappa = empty[empty["figure"] == "moderator_kappa"].iloc[0]
    assert kappa["method"].startswith("undefined, because")
    full = figures(
        table(*cohort("+-++"), *cohort("----", bias="recency")),
        judgments(("d1", "A", scored(5))),
        judgments(match("d1", "A", "yes")),
        medqa={"a": wilson_share_estimate(80, 100)},
    )
    rows = full.set_index(["figure", "group"])
    assert rows.loc[("medqa_accuracy", "a"), "value"] == 0.8
    assert rows.loc[("accuracy_by_doctor", "a"), "numerator"] == 3
    # Three against none: the score is sqrt(3).
    p = rows.loc[("accuracy_difference_holm", "a, doctor:recency"), "p"]
    assert p == pytest.approx(0.083265, abs=1e-6)
    assert not full.duplicated(["figure", "group"]).any()
    assert set(full["study"]) == {"agentclinic"}


def test_a_chart_of_accuracy_says_in_words_how_most_of_its_dialogues_were_played():
    data = AgentClinicFigureData(None, None)
    vars(data).update(visits_table=table(*cohort("+-")))
    assert (
        "patient model: p, number of messages: 20, way of giving images: none, doctor model: a"
    ) in charts.accuracy_chart(data, "doctor").n


@pytest.mark.deep
def test_the_order_in_which_dialogues_arrive_changes_nothing():
    visits = [*cohort("++-+-"), *cohort("+--+-", bias="recency"), *cohort("+-", repeat=2)]
    nobody = judgments()
    one = figures(table(*visits), nobody, nobody)
    other = figures(table(*reversed(visits)), nobody, nobody)
    pd.testing.assert_frame_equal(one, other)


def test_accuracy_stands_with_and_without_the_cases_that_the_check_flags() -> None:
    found = table(visit("c1", "+"), visit("c2", "+"), visit("c3", "-"))
    found["flagged"] = found["case"] == "c2"
    assert metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(
        found
    ).value == pytest.approx(2 / 3)
    clean = metrics_accuracy_outcomes_and_bias.estimate_accuracy_on_unflagged_cases(found)
    # c2 is left out: c1 right, c3 wrong.
    assert (clean.numerator, clean.denominator) == (1, 2)
    assert "flagged cases left out: 1" in clean.method


def test_people_stand_beside_models_in_their_own_seat_and_nowhere_else() -> None:
    own = {"doctor_player": "person", "n_interactions": 6}
    found = table(
        visit("c1", "+"),
        visit("c2", "-"),
        visit("c1", "+", doctor="Ada", **own),
        visit("c1", "-", patient="Bo", patient_player="person"),
    )
    doctors = metrics_accuracy_outcomes_and_bias.unbiased_dialogue_tables_by_value_of_dimension(
        found, "doctor"
    )
    assert {name: len(group) for name, group in doctors.items()} == {"Ada (person)": 1, "a": 2}
    patients = metrics_accuracy_outcomes_and_bias.unbiased_dialogue_tables_by_value_of_dimension(
        found, "patient"
    )
    assert {name: len(group) for name, group in patients.items()} == {"Bo (person)": 1, "p": 2}
    assert list(
        metrics_accuracy_outcomes_and_bias.unbiased_dialogue_tables_by_value_of_dimension(
            found, "n_interactions"
        )
    ) == ["20"]


def test_a_visit_whose_verdict_is_outstanding_is_no_error() -> None:
    """One of three visits has a diagnosis that nobody has judged yet: 1 of 3 is outstanding."""
    played = table(visit("c1", "+"), visit("c2", "!"), visit("c3", "-"))
    played.loc[played["case"] == "c3", "outcome"] = "error"
    stands = metrics_accuracy_outcomes_and_bias.shares_of_dialogues_by_outcome(played)
    assert {name: one.numerator for name, one in stands.items()} == {
        "correct": 1,
        "incorrect": 0,
        "no_diagnosis": 0,
        "error": 1,
        "outstanding": 1,
    }
    assert "outstanding" not in metrics_accuracy_outcomes_and_bias.shares_of_dialogues_by_outcome(
        played[played["case"] != "c3"]
    )
    data = AgentClinicFigureData(None, None)
    vars(data).update(visits_table=played)
    drawn = charts.outcomes_chart(data, "doctor").drawing
    assert list(drawn.parts)[-1] == "outstanding"
    found = find_title_and_dialogue_names_behind_mark(data, drawn.rows[0].marks["outstanding"])
    assert found.names == tuple(played.loc[played["case"] == "c3", "dialogue"])


def test_a_visit_that_waits_for_its_verdict_is_no_error_of_the_accuracy() -> None:
    played = table(*cohort("+++++"), visit("c6", "!"), visit("c7", "-"))
    played.loc[played["case"] == "c7", "outcome"] = "error"
    assert (
        "; 1 that ended in an error left out"
        in metrics_accuracy_outcomes_and_bias.estimate_diagnostic_accuracy(played).method
    )


def test_the_test_of_a_bias_counts_the_cases_on_which_it_changed_the_outcome() -> None:
    played = table(*cohort("++++-"), *cohort("+--++", bias="recency"))
    [found] = metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(played)
    assert (found.pair_count, found.test.n) == (5, 3)
