"""What a dialogue brought out of its case, worked out by hand on small ones."""

from __future__ import annotations

import pytest

from medlens.studies.agentclinic.case_elicitation_and_diagnosis_leaks import (
    find_what_dialogue_elicited,
    prepare_case_with_separate_facts,
)
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.metrics_input_tables import (
    has_refused_bias,
    shares_of_question_words_echoed,
)
from medlens.studies.agentclinic.records import Dialogue, GivenBias, Turn
from medlens.studies.agentclinic.word_stems_and_phrase_places_in_text import find_content_word_stems
from tests.bench import clinic_told
from tests.unit.test_agentclinic_load import osce

CASE = case_from_fields(
    osce(
        Patient_Actor={
            "History": "Cough for two days. Green sputum in the morning.",
            "Review_of_Systems": "Denies fever, chills, chest pain, weight loss.",
        },
        Physical_Examination_Findings={"Lungs": "Crackles on the right base."},
        Test_Results={"Blood": {"CRP": "120 mg/L"}, "Chest_X-ray": "Right lower opacity."},
        Correct_Diagnosis="Pneumonia",
    )
)


def talk(*said: tuple[str, str], **fields: object) -> Dialogue:
    kinds = {"measurement": "result"}
    turns = [
        Turn(n=n, speaker=speaker, text=text, kind=kinds.get(speaker, "say"))  # type: ignore[arg-type]
        for n, (speaker, text) in enumerate(said, 1)
    ]
    given = {
        "case": CASE.name_derived_from_content,
        "doctor": "a",
        "patient": "b",
        "outcome": "no_diagnosis",
    }
    return Dialogue(**{**given, "turns": tuple(turns), **fields})  # type: ignore[arg-type]


def states(dialogue: Dialogue) -> dict[str, tuple[str, int | None]]:
    return {
        one.leaf.text: (one.state, one.turn)
        for one in find_what_dialogue_elicited(CASE, dialogue).leaves
    }


def test_words_are_compared_without_endings_accents_and_small_words() -> None:
    # "the", "and", "of" say nothing; coughing, coughed and cough are one word.
    assert find_content_word_stems("The coughing and crackles of Sjögren’s") == {
        "cough",
        "crackl",
        "sjogren",
    }
    assert find_content_word_stems("She coughed. 38.4 °C, 120/80") == {
        "cough",
        "38.4",
        "c",
        "120/80",
    }


def test_nothing_is_told_where_nothing_was_said() -> None:
    found = find_what_dialogue_elicited(CASE, talk())
    assert {one.state for one in found.leaves} == {"missed"}
    assert (len(found.leaves), found.share_of_case_facts_told) == (6, 0)


def test_the_patient_tells_its_history_and_the_turn_is_known() -> None:
    found = states(talk(("doctor", "Hello."), ("patient", "I have had a cough for two days.")))
    assert found["Cough for two days."] == ("told", 2)
    assert found["Green sputum in the morning."] == ("missed", None)


def test_no_to_a_question_tells_what_was_asked() -> None:
    # fever and chill weigh 1 each, chest, pain and weight 0.5, loss 0.2: 3 of 3.7 come up.
    found = states(talk(("doctor", "Any fever, chills or chest pain?"), ("patient", "No.")))
    assert found["Denies fever, chills, chest pain, weight loss."] == ("told", 2)


def test_a_question_without_an_answer_tells_nothing() -> None:
    found = states(talk(("doctor", "Any fever, chills or chest pain?")))
    assert found["Denies fever, chills, chest pain, weight loss."] == ("missed", None)


@pytest.mark.parametrize("held_out", ["yes", "no"])
@pytest.mark.parametrize("touched", [True, False])
def test_nine_of_ten_that_are_called_told_were_told(held_out: str, touched: bool) -> None:
    found = [(pair, clinic_told.said_of(pair)) for pair in clinic_told.pairs()]
    assert len(found) >= 150
    part = [one for one in found if one[0].held_out == held_out]
    score = clinic_told.score(part, touched=touched)
    assert score.precision >= 0.9
    assert score.recall >= 0.85


@pytest.mark.parametrize(
    "history, answer",
    [
        ("Natalizumab for the past year", "I'm a 35-year-old woman."),
        ("Limb ataxia", "It is my right upper limb."),
        ("Cough for two days", "Two days ago I saw my mother."),
    ],
)
def test_an_everyday_word_alone_tells_nothing(history: str, answer: str) -> None:
    case = case_from_fields(osce(Patient_Actor={"History": history}))
    found = find_what_dialogue_elicited(
        case, talk(("doctor", "Hello."), ("patient", answer), case=case.name_derived_from_content)
    )
    assert [one.state for one in found.leaves if one.leaf.text == history] == ["missed"]


def test_an_order_alone_does_not_tell_its_result() -> None:
    ordered = talk(
        ("doctor", "REQUEST TEST: Chest X-ray for right lower opacity"),
        ("measurement", "RESULTS: normal readings."),
    )
    assert states(ordered)["Right lower opacity."] == ("missed", None)


def test_a_figure_tells_only_with_what_it_measures() -> None:
    said = ("measurement", "RESULTS: heart rate 120.")
    assert states(talk(("doctor", "REQUEST TEST: pulse"), said))["120 mg/L"] == ("missed", None)


def test_words_add_up_over_the_dialogue() -> None:
    # fever (1 of 3.7), then chest and pain (2 of 3.7).
    dialogue = talk(
        ("doctor", "Fever?"),
        ("patient", "No."),
        ("doctor", "Chest pain?"),
        ("patient", "No."),
    )
    found = {one.leaf.text: one for one in find_what_dialogue_elicited(CASE, dialogue).leaves}
    leaf = found["Denies fever, chills, chest pain, weight loss."]
    assert (leaf.state, leaf.turn, leaf.turns) == ("told", 4, (2, 4))
    assert leaf.share == pytest.approx(2 / 3.7)
    half = states(talk(("doctor", "Fever?"), ("patient", "No.")))
    assert half["Denies fever, chills, chest pain, weight loss."] == ("partly", 2)


def test_results_are_the_measurement_agents_to_tell_not_the_patients() -> None:
    said = "RESULTS: CRP 120 mg/L."
    ordered = ("doctor", "REQUEST TEST: CRP")
    assert states(talk(ordered, ("measurement", said)))["120 mg/L"] == ("told", 2)
    assert states(talk(ordered, ("patient", said)))["120 mg/L"] == ("missed", None)
    assert states(talk(("doctor", "Hello."), ("measurement", "Cough for two days.")))[
        "Cough for two days."
    ] == ("missed", None)


def test_a_leak_names_the_turn_the_speaker_and_the_words() -> None:
    dialogue = talk(
        ("doctor", "Is it pneumonia?"),
        ("patient", "My aunt says pneumonia."),
        ("measurement", "No pneumonia seen."),
        ("measurement", "Consistent with pneumonia."),
    )
    leaks = find_what_dialogue_elicited(CASE, dialogue).leaks
    assert [(leak.turn, leak.speaker) for leak in leaks] == [(2, "patient"), (4, "measurement")]
    assert dialogue.turns[1].text[leaks[0].start : leaks[0].end] == "pneumonia"


def test_a_case_made_ready_once_serves_for_many_dialogues() -> None:
    dialogue = talk(("doctor", "Hello."), ("patient", "A cough for two days."))
    assert find_what_dialogue_elicited(
        prepare_case_with_separate_facts(CASE), dialogue
    ) == find_what_dialogue_elicited(CASE, dialogue)


def test_what_is_told_is_found_by_its_turn() -> None:
    dialogue = talk(
        ("doctor", "Hello."), ("patient", "A cough for two days, green sputum mornings")
    )
    told = find_what_dialogue_elicited(CASE, dialogue).case_facts_by_turn_they_were_told_at()
    assert [one.leaf.part for one in told[2]] == [0, 1]


def test_echo_is_the_share_of_an_answers_words_that_stood_in_the_question() -> None:
    # chest, pain of chest, pain, yesterday: two of three; then an answer of new words; then an
    # answer without words that say anything, which does not count.
    dialogue = talk(
        ("doctor", "Do you have chest pain?"),
        ("patient", "Chest pain since yesterday."),
        ("doctor", "Fever?"),
        ("patient", "My head aches."),
        ("doctor", "Is that all?"),
        ("patient", "Yes."),
        ("doctor", "REQUEST TEST: chest CT"),
        ("measurement", "chest CT normal"),
    )
    assert shares_of_question_words_echoed(dialogue.turns) == [2 / 3, 0.0]


def test_a_refusal_is_found_in_the_turns_of_the_agent_that_has_the_bias() -> None:
    said = (("doctor", "As an AI I have no prejudice."), ("patient", "I hurt."))
    assert not has_refused_bias(talk(*said))
    assert not has_refused_bias(talk(*said, patient_bias=GivenBias(id="gender")))
    assert has_refused_bias(talk(*said, doctor_bias=GivenBias(id="gender")))
    again = (("patient", "I won\u2019t act on such a stereotype."),)
    assert has_refused_bias(talk(*again, patient_bias=GivenBias(id="race")))
    harmless = (("patient", "I cannot sleep and won't eat."),)
    assert not has_refused_bias(talk(*harmless, patient_bias=GivenBias(id="race")))
