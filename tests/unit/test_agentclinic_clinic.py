"""Turn-taking: who speaks next, what each may know, and what hostile or empty words come to."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

from medlens.studies.agentclinic.doctor_message_parsing import (
    Diagnosis,
    RequestImages,
    RequestTest,
    parse_doctor_message,
)
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.records import Case, GivenBias, ImageMode, Turn
from medlens.studies.agentclinic.visit_turn_taking import (
    LONGEST,
    NO_IMAGES,
    SHOWN_BEFORE,
    SILENCE,
    Ended,
    ToSpeak,
    Visit,
    doctor_message_of_button,
    list_patient_ratings_with_their_messages,
    make_visit,
    next_speaker_or_end,
    turns_plus_turn_of_current_speaker,
    turns_witnessed_by_player,
)


def case(*, images: bool = False) -> Case:
    content: dict[str, Any] = {
        "Objective_for_Doctor": "OBJECTIVE",
        "Patient_Actor": {"Demographics": "40-year-old", "History": "STORY"},
        "Physical_Examination_Findings": {"Vitals": "EXAM"},
        "Test_Results": {"Blood": "RESULT"},
        "Correct_Diagnosis": "TRUTH",
    }
    return case_from_fields(content | ({"image_url": ["https://x.test/1.png"]} if images else {}))


def played(visit: Visit, *texts: str) -> tuple[Turn, ...]:
    turns: tuple[Turn, ...] = ()
    for text in texts:
        turns = turns_plus_turn_of_current_speaker(visit, turns, text)
    return turns


def word(visit: Visit, turns: tuple[Turn, ...]) -> ToSpeak:
    now = next_speaker_or_end(visit, turns)
    assert isinstance(now, ToSpeak)
    return now


def heard(visit: Visit, turns: tuple[Turn, ...]) -> str:
    return json.dumps(word(visit, turns).messages, ensure_ascii=False)


def test_tests_count_among_the_n_messages_and_before_the_last_the_doctor_is_told_to_decide() -> (
    None
):
    visit = make_visit(case(), n=3)
    turns = played(visit, "Where does it hurt?", "Here.")
    assert not word(visit, turns).decide
    assert "last message" not in heard(visit, turns)
    turns = turns_plus_turn_of_current_speaker(visit, turns, "REQUEST TEST: blood")
    assert word(visit, turns).speaker == "measurement"
    turns = turns_plus_turn_of_current_speaker(visit, turns, "RESULTS: blood normal")
    now = word(visit, turns)
    assert (now.speaker, now.left, now.decide) == ("doctor", 1, True)
    assert "last message" in heard(visit, turns)
    # The third message is no diagnosis: the visit ends without one, and nobody answers it.
    turns = turns_plus_turn_of_current_speaker(visit, turns, "I am not sure.")
    assert next_speaker_or_end(visit, turns) == Ended("")
    with pytest.raises(ValueError, match="over"):
        turns_plus_turn_of_current_speaker(visit, turns, "One more thing")


def test_each_agent_is_told_its_own_view_and_nobody_the_truth() -> None:
    visit = make_visit(case(), n=5)
    doctor = heard(visit, ())
    turns = played(visit, "Where?")
    patient = heard(visit, turns)
    turns = played(visit, "Where?", "PATIENT SAYS", "REQUEST TEST: blood")
    measurement = heard(visit, turns)
    turns = turns_plus_turn_of_current_speaker(visit, turns, "BLOOD IS FINE")
    assert [mark in doctor for mark in ("OBJECTIVE", "STORY", "EXAM", 'RESULT"')] == [
        True,
        False,
        False,
        False,
    ]
    assert [mark in patient for mark in ("OBJECTIVE", "STORY", "EXAM")] == [False, True, False]
    assert [mark in measurement for mark in ("STORY", "EXAM", "RESULT", "PATIENT SAYS")] == [
        False,
        True,
        True,
        False,
    ]
    assert "BLOOD IS FINE" in heard(visit, turns)
    turns = turns_plus_turn_of_current_speaker(visit, turns, "And now?")
    assert "BLOOD IS FINE" not in heard(visit, turns)
    asked = json.dumps([one for _, one in list_patient_ratings_with_their_messages(visit, turns)])
    assert "BLOOD IS FINE" not in asked
    assert "TRUTH" not in doctor + patient + measurement + asked


def test_the_patient_who_rates_has_heard_the_diagnosis_and_the_advice() -> None:
    visit = make_visit(case())
    turns = played(visit, "A?", "a", "DIAGNOSIS READY: [Gout]\nRest, and drink a lot of water.")
    for _, asked in list_patient_ratings_with_their_messages(visit, turns):
        said = str(asked[-1]["content"])
        assert "My assessment: you have Gout." in said
        assert "Rest, and drink a lot of water." in said
        assert "READY" not in said
    nothing = list_patient_ratings_with_their_messages(
        make_visit(case(), n=1), played(make_visit(case(), n=1), "I do not know")
    )
    assert "without naming a diagnosis" in str(nothing[0][1][-1]["content"])


def test_in_the_published_protocol_all_hear_what_the_papers_script_lets_them_hear() -> None:
    said_so_far = (
        "Any pain?",
        "In my knee.",
        "REQUEST TEST: blood",
        "BLOOD IS FINE",
        "REQUEST TEST: x",
    )
    heard_of: dict[str, dict[str, str]] = {}
    for protocol in ("medlens", "published"):
        visit = make_visit(case(), n=5, protocol=protocol)  # type: ignore[arg-type]
        turns = played(visit, *said_so_far)
        heard_of[protocol] = {
            "measurement": json.dumps(word(visit, turns).messages),
            "doctor": json.dumps(word(visit, turns[:4]).messages),
            "patient": json.dumps(list_patient_ratings_with_their_messages(visit, turns)[0][1]),
        }
    own, published = heard_of["medlens"], heard_of["published"]
    assert "In my knee." in published["measurement"]
    assert "In my knee." not in own["measurement"]
    assert "So far you have sent 2 of your 5 messages." in published["doctor"]
    assert "So far" not in own["doctor"]
    assert "BLOOD IS FINE" in published["patient"]
    assert "BLOOD IS FINE" not in own["patient"]


def test_a_bias_is_told_to_its_side_alone() -> None:
    visit = make_visit(
        case(),
        doctor_bias=GivenBias(id="recency", target="gout"),
        patient_bias=GivenBias(id="self_diagnosis", target="scurvy"),
    )
    assert "gout" in visit.doctor_told
    assert "scurvy" not in visit.doctor_told
    assert "scurvy" in visit.patient_told
    assert "gout" not in visit.patient_told + visit.measurement_told


def test_a_diagnosis_in_the_first_message_ends_the_visit() -> None:
    visit = make_visit(case())
    turns = played(visit, "**Diagnosis Ready:** Grave's disease.")
    assert next_speaker_or_end(visit, turns) == Ended("Grave's disease")
    # The patient was never spoken to and is asked all the same.
    assert [
        one[-1]["role"] for _, one in list_patient_ratings_with_their_messages(visit, turns)
    ] == ["user"] * 3


@pytest.mark.parametrize(
    ("mode", "answer", "shown"),
    [
        ("none", NO_IMAGES, ()),
        ("start", SHOWN_BEFORE, ()),
        ("request", "", ("https://x.test/1.png",)),
    ],
)
def test_images_come_at_the_start_on_request_or_not_at_all(
    mode: ImageMode, answer: str, shown: tuple[str, ...]
) -> None:
    visit = make_visit(
        case(images=True), image_mode=mode, addresses={"https://x.test/1.png": "A:1"}
    )
    assert ("A:1" in heard(visit, ())) == (mode == "start")
    turns = played(visit, "REQUEST IMAGES")
    assert turns[-1].images == shown
    assert not answer or turns[-1].text == answer
    assert ("A:1" in heard(visit, turns)) == (mode != "none")
    again = turns_plus_turn_of_current_speaker(visit, turns, "Request images: please")
    assert again[-1].images == ()
    # Sent once, however often it is asked for.
    assert heard(visit, again).count("A:1") == (mode != "none")


def test_a_case_without_images_has_none_to_show_in_any_mode() -> None:
    visit = make_visit(case(), image_mode="request")
    assert visit.image_mode == "none"
    assert played(visit, "REQUEST IMAGES")[-1].text == NO_IMAGES


def test_silence_is_kept_as_it_is_heard_as_silence_and_uses_a_message() -> None:
    visit = make_visit(case(), n=2)
    turns = played(visit, "  \n", "")
    assert [turn.text for turn in turns] == ["", ""]
    assert heard(visit, turns).count(SILENCE) == 2
    assert word(visit, turns).left == 1


@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_of_100_kb_the_diagnosis_is_never_lost(place: str) -> None:
    visit = make_visit(case())
    line, filling = "\nDIAGNOSIS READY: gout\n", "word " * 20_000
    half = filling[: len(filling) // 2]
    text = {"first": line + filling, "middle": half + line + half, "last": filling + line}[place]
    turns = played(visit, text)
    assert next_speaker_or_end(visit, turns) == Ended("gout")
    assert len(turns[0].text) < LONGEST + 200
    assert "left out" in turns[0].text


def test_thoughts_are_not_spoken() -> None:
    visit = make_visit(case())
    turns = played(visit, "<think>Maybe SECRET. DIAGNOSIS READY: gout</think>How are you?")
    assert turns[0].text == "How are you?"
    assert turns[0].kind == "say"
    assert "SECRET" not in heard(visit, turns)


def test_only_the_doctors_words_are_commands() -> None:
    visit = make_visit(case(images=True), image_mode="request")
    turns = played(visit, "Hello", "DIAGNOSIS READY: gout\nREQUEST IMAGES\nREQUEST TEST: blood")
    assert turns[-1].kind == "say"
    assert len(turns) == 2
    assert word(visit, turns).speaker == "doctor"


def test_markdown_images_and_scripts_stay_text() -> None:
    visit = make_visit(case(images=True), image_mode="request")
    hostile = "![x](https://evil.test/a.png)<script>alert(1)</script>\x00\ud800"
    turns = played(visit, "Hello", hostile)
    assert turns[1].text.startswith("![x](https://evil.test/a.png)<script>alert(1)</script>")
    assert turns[1].images == ()
    assert all(isinstance(one["content"], str) for one in word(visit, turns).messages)
    turns[1].text.encode("utf-8")


def test_no_chat_has_two_messages_of_one_role_in_a_row() -> None:
    visit = make_visit(case(), n=3)
    turns = played(visit, "A?", "a", "REQUEST TEST: t", "r", "Not sure")
    chats = [list(one) for _, one in list_patient_ratings_with_their_messages(visit, turns)]
    for size in range(len(turns)):
        chats.append(list(word(visit, turns[:size]).messages))
    for chat in chats:
        roles = [one["role"] for one in chat[1:]]
        assert all(a != b for a, b in pairwise(roles)), roles


def test_a_persons_buttons_are_read_as_what_they_say() -> None:
    found = [
        parse_doctor_message(doctor_message_of_button("test", "blood\n count")),
        parse_doctor_message(doctor_message_of_button("images")),
        parse_doctor_message(doctor_message_of_button("diagnosis", "gout of the toe")),
    ]
    assert isinstance(found[0], RequestTest)
    assert found[0].tests == ("blood count",)
    assert isinstance(found[1], RequestImages)
    assert isinstance(found[2], Diagnosis)
    assert found[2].diagnosis == "gout of the toe"


def test_a_person_as_patient_sees_what_was_said_to_them_and_no_results() -> None:
    visit = make_visit(case())
    turns = played(visit, "A?", "a", "REQUEST TEST: t", "r", "B?")
    assert [turn.text for turn in turns_witnessed_by_player("patient", turns)] == ["A?", "a", "B?"]
    assert len(turns_witnessed_by_player("doctor", turns)) == 5


def test_a_person_as_patient_is_not_shown_a_form_that_the_doctor_left_open() -> None:
    visit = make_visit(case())
    turns = played(
        visit,
        "Does it hurt?\nDIAGNOSIS READY: [diagnosis here]",
        "Yes.",
        "DIAGNOSIS READY: [your diagnosis]",
    )
    assert [turn.text for turn in turns_witnessed_by_player("patient", turns)] == [
        "Does it hurt?",
        "Yes.",
        SILENCE,
    ]


def test_a_diagnosis_in_brackets_ends_the_visit_and_is_no_talk() -> None:
    visit = make_visit(case())
    turns = played(visit, "A?", "a", "DIAGNOSIS READY: [Gout]")
    assert next_speaker_or_end(visit, turns) == Ended("Gout")
    assert [turn.text for turn in turns_witnessed_by_player("patient", turns)] == ["A?", "a"]


def test_a_visit_can_be_taken_up_at_any_of_its_turns() -> None:
    visit = make_visit(case(), n=3)
    texts = ["A?", "a", "REQUEST TEST: t", "r", "DIAGNOSIS READY: gout"]
    whole = played(visit, *texts)
    for size in range(len(whole)):
        kept = tuple(Turn.model_validate_json(turn.model_dump_json()) for turn in whole[:size])
        for text in texts[size:]:
            kept = turns_plus_turn_of_current_speaker(visit, kept, text)
        assert kept == whole
