"""What raters are asked, what they are shown, and what they cannot submit."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from medlens.errors import InvalidInput
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import (
    Dialogue,
    GivenBias,
    PatientRating,
    PatientRatings,
    Turn,
    verdict_reason_in_words,
)
from medlens.studies.agentclinic.tasks import (
    MARKS,
    SCALES,
    DiagnosisMatch,
    DiagnosisMatchTask,
    DialogueRealismTask,
    Realism,
    TurnMark,
    blinded_dialogue_for_rater,
    make_diagnosis_pair_to_check,
)
from medlens.ui.agentclinic.rating_desk import notes_by_turn_if_no_diagnosis_follows
from tests.unit.test_agentclinic_load import osce

TURNS = (
    Turn(n=1, speaker="doctor", text="Hello?"),
    Turn(n=2, speaker="patient", text="It hurts."),
    Turn(n=3, speaker="doctor", text="REQUEST TEST: CT", kind="request_test"),
    Turn(n=4, speaker="measurement", text="RESULTS: normal", kind="result"),
    Turn(n=5, speaker="doctor", text="DIAGNOSIS READY: Gout", kind="diagnosis"),
    Turn(n=6, speaker="moderator", text="yes: SECRET VERDICT"),
)
DIALOGUE = Dialogue(
    case="case-1",
    doctor="SECRET-doctor",
    patient="SECRET-patient",
    measurement="SECRET-m",
    moderator="SECRET-moderator",
    turns=TURNS,
    diagnosis="Gout",
    outcome="correct",
    reason="SECRET reason",
    doctor_bias=GivenBias(id="recency", target="lupus"),
    run="SECRET",
    ratings=PatientRatings(confidence=PatientRating(score=7, reason="SECRET")),
    cost=0.1,
)
BODY = DIALOGUE.model_dump(mode="json")
FULL: dict[str, Any] = {"doctor": 7, "patient": 6, "measurement": 5, "empathy": 4}


def test_raters_see_no_model_no_outcome_and_no_verdict() -> None:
    shown = blinded_dialogue_for_rater(DIALOGUE)
    assert "SECRET" not in str(asdict(shown))
    assert "correct" not in str(asdict(shown))
    assert [turn.n for turn in shown.turns] == [1, 2, 3, 4, 5]
    assert shown.has_measurement


def test_raters_are_not_told_who_was_told_to_be_biased() -> None:
    shown = str(asdict(blinded_dialogue_for_rater(DIALOGUE)))
    assert "bias" not in shown
    assert "recency" not in shown
    assert "biased" not in DialogueRealismTask().model_answering_setup.questions


def test_the_check_shows_the_two_diagnoses_alone() -> None:
    case = case_from_fields(osce(Correct_Diagnosis="Gouty arthritis"))
    assert asdict(make_diagnosis_pair_to_check(DIALOGUE, case)) == {
        "given": "Gout",
        "correct": "Gouty arthritis",
    }
    open_end = DIALOGUE.model_copy(update={"diagnosis": "", "outcome": "no_diagnosis"})
    with pytest.raises(InvalidInput, match="No diagnosis"):
        make_diagnosis_pair_to_check(open_end, case)


def test_four_scores_are_needed_and_three_where_nothing_was_measured() -> None:
    task = DialogueRealismTask()
    assert task.problems_of_answer(Realism(**FULL), BODY) == []
    assert task.problems_of_answer(Realism(**{**FULL, "measurement": None}), BODY) == [
        "The measurement has no score yet: choose one from 1 to 10."
    ]
    unmeasured = {**BODY, "turns": BODY["turns"][:2]}
    assert task.problems_of_answer(Realism(**{**FULL, "measurement": None}), unmeasured) == []
    assert len(task.problems_of_answer(Realism(), BODY)) == 4
    assert task.problems_of_draft(Realism(), BODY) == []


@pytest.mark.parametrize("score", [0, 11, 5.5, "x"])
def test_a_score_outside_one_to_ten_is_no_judgment(score: object) -> None:
    with pytest.raises(InvalidInput, match="doctor"):
        DialogueRealismTask().parse({"doctor": score})


@pytest.mark.parametrize(
    "turn, mark, problem",
    [
        (2, "verbose", None),
        (4, "incomplete_result", None),
        (2, "refuses_bias", None),
        (2, "fixation", "Fixation belongs on a turn of the doctor, not on turn 2."),
        (9, "fixation", "There is no turn 9."),
        (1, "made_up", "'made_up' is not a mark."),
        (6, "basic_error", "Basic error belongs on a turn of the doctor, not on turn 6."),
    ],
)
def test_a_mark_fits_its_turn(turn: int, mark: str, problem: str | None) -> None:
    value = Realism(**FULL, marks=(TurnMark(turn=turn, mark=mark),))
    assert DialogueRealismTask().problems_of_draft(value, BODY) == ([problem] if problem else [])


def test_the_same_mark_twice_on_a_turn_is_refused() -> None:
    mark = TurnMark(turn=1, mark="bad_opening")
    problems = DialogueRealismTask().problems_of_answer(Realism(**FULL, marks=(mark, mark)), BODY)
    assert problems == ["Turn 1 has the mark Bad opening twice."]


def test_every_scale_but_bias_has_its_marks() -> None:
    assert {mark.about for mark in MARKS} == {*SCALES, "bias"}
    assert len(MARKS) == len({mark.id for mark in MARKS}) == 9


@pytest.mark.parametrize(
    "value",
    [
        Realism(**FULL),
        Realism(doctor=1, empathy=10, doctor_comment="Curt; =1+1", comment="Two\nlines"),
        Realism(
            **FULL,
            marks=(
                TurnMark(turn=1, mark="bad_opening", comment="no greeting: none, at all"),
                TurnMark(turn=5, mark="fixation"),
            ),
        ),
    ],
)
def test_realism_survives_the_way_through_a_table_as_texts(value: Realism) -> None:
    task = DialogueRealismTask()
    row = {key: "" if v is None else str(v) for key, v in task.answer_as_columns(value).items()}
    assert task.answer_from_columns(row) == value


def test_a_line_of_marks_that_is_none_is_refused() -> None:
    task = DialogueRealismTask()
    with pytest.raises(InvalidInput, match="turn 3, fixation"):
        task.answer_from_columns({"marks": "fixation on 3"})


def test_a_check_needs_an_answer_and_a_reason_where_it_cannot_be_told() -> None:
    task = DiagnosisMatchTask()
    assert task.problems_of_answer(DiagnosisMatch(same="yes"), BODY) == []
    assert task.problems_of_answer(DiagnosisMatch(), BODY) == ["Say yes, no or cannot tell."]
    assert task.problems_of_answer(DiagnosisMatch(same="cannot_tell"), BODY) == [
        "Say why you cannot tell."
    ]
    assert task.problems_of_answer(DiagnosisMatch(same="yes"), {"diagnosis": ""}) == [
        "No diagnosis was given in this dialogue: skip it."
    ]
    assert task.answer_from_columns({"same": "Cannot tell", "reason": "x"}) == DiagnosisMatch(
        same="cannot_tell", reason="x"
    )


def test_gold_items_are_hit_within_a_range_and_with_their_marks() -> None:
    hit = DialogueRealismTask().does_answer_match_gold
    assert hit is not None
    value = Realism(**FULL, marks=(TurnMark(turn=1, mark="bad_opening"),))
    assert hit(value, {"doctor": [5, 8], "marks": [[1, "bad_opening"]]})
    assert not hit(value, {"doctor": [1, 4]})
    assert not hit(value, {"marks": [[5, "fixation"]]})


def test_why_a_verdict_is_missing_is_said_in_words() -> None:
    kept = "The moderator's answer cannot be used: parse_failed."
    said = "The moderator's answer cannot be used: it was not in the form asked for."
    assert verdict_reason_in_words(kept) == said
    assert verdict_reason_in_words(said) == said
    assert verdict_reason_in_words("Both are gout.") == "Both are gout."


def test_a_dialogue_without_a_diagnosis_says_at_its_last_turn_that_it_ended() -> None:
    turns = [Turn(n=1, speaker="doctor", text="Hello."), Turn(n=2, speaker="patient", text="Hi.")]
    [note] = notes_by_turn_if_no_diagnosis_follows(turns)[2]
    assert note.text == "The dialogue ends here, without a diagnosis."
    decided = Turn(n=3, speaker="doctor", text="It is gout.", kind="diagnosis")
    assert (
        notes_by_turn_if_no_diagnosis_follows([*turns, decided])
        == notes_by_turn_if_no_diagnosis_follows([])
        == {}
    )
