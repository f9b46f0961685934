"""Replies that give a reason, correct themselves or decline: what each of them answers."""

from __future__ import annotations

import pytest

from medlens.llm.questions_to_models_and_typed_replies import Unreadable, parse_reply_as_type
from medlens.llm.refusal_phrases import is_role_play_declined
from medlens.studies.agentclinic.doctor_message_parsing import Diagnosis, parse_doctor_message
from medlens.studies.agentclinic.prompts import ModeratorVerdict
from medlens.studies.ebmqa.multiple_choice_reply_parsing import parse_reply
from medlens.studies.own.dialogue_turns import cell_as_text_for_model


@pytest.mark.parametrize(
    ("said", "diagnosis"),
    [
        ("Guillain-Barré syndrome — given the ascending weakness", "Guillain-Barré syndrome"),
        ("Gout – the toe is red and hot", "Gout"),
        ("Pneumonia - based on the crackles", "Pneumonia"),
        ("Lupus, given her rash and her age", "Lupus"),
        ("Lupus (because the rash is typical)", "Lupus"),
        ("Appendicitis, as suggested by the pain", "Appendicitis"),
        ("Migraine with aura — which fits the history", "Migraine with aura"),
        ("Pulmonary embolism — I base this on the scan", "Pulmonary embolism"),
        ("Measles — she was never vaccinated", "Measles"),
        # These are parts of the name, or lead up to it.
        ("Anaemia – due to iron deficiency", "Anaemia – due to iron deficiency"),
        ("Herpes - simplex encephalitis", "Herpes - simplex encephalitis"),
        ("Carcinoma of the lung – non-small cell", "Carcinoma of the lung – non-small cell"),
        ("Infarction - the anterior wall", "Infarction - the anterior wall"),
        ("Acute coronary syndrome - NSTEMI", "Acute coronary syndrome - NSTEMI"),
        ("Asthma since childhood", "Asthma since childhood"),
        ("Given the rash, this is measles", "measles"),
        ("Based on her age and the rash, lupus", "lupus"),
    ],
)
def test_the_reason_behind_a_diagnosis_is_no_part_of_it(said: str, diagnosis: str) -> None:
    found = parse_doctor_message(f"DIAGNOSIS READY: {said}")
    assert isinstance(found, Diagnosis)
    assert found.diagnosis == diagnosis


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("**No** – the doctor named pneumonia, not tuberculosis.", "no"),
        ("No – the doctor said gout instead of pseudogout.", "no"),
        ("No. The diagnosis was lupus, but the correct diagnosis is Lyme disease.", "no"),
        ("No, the doctor chose asthma rather than COPD", "no"),
        ("No – the doctor named the same disease, not another.", ""),
        ("No – the doctor named gout, not gout.", ""),
        ("No – the doctor named pneumonia, which is right.", ""),
        ("Yes – the doctor named pneumonia, not tuberculosis.", ""),
    ],
)
def test_a_moderator_may_say_which_disease_was_named_instead(reply: str, meant: str) -> None:
    try:
        assert parse_reply_as_type(reply, ModeratorVerdict).same_disease == meant
    except Unreadable:
        assert meant == ""


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("It is not option 3. It is option 4.", (3,)),
        ("It is not 3; it is 4.", (3,)),
        ("The answer is not C. The answer is D.", (3,)),
        ("It's not 3 - it's 4.", (3,)),
        ("It isn't option 1. Instead, it is option 2, clopidogrel.", (1,)),
        ("It is not option 3.", ()),
        ("It is not option 3. It is option 4 or 2.", ()),
        ("It is not option 3. It is late.", ()),
    ],
)
def test_the_option_behind_the_one_that_is_denied_is_the_answer(
    reply: str, chosen: tuple[int, ...]
) -> None:
    options = ("Aspirin", "Clopidogrel", "Warfarin", "Apixaban")
    assert parse_reply(reply, options, idk=False).chosen == chosen


@pytest.mark.parametrize(
    "said",
    [
        "I'm sorry, but I can't provide medical advice. Please see a doctor.",
        "As an AI language model, I am not able to diagnose patients.",
        "I’m not comfortable giving medical advice.",
        "I must decline to take part in this role-play.",
        "We cannot offer a diagnosis. Please consult a healthcare professional.",
    ],
)
def test_a_message_that_only_declines_to_play_the_doctor_is_known(said: str) -> None:
    assert is_role_play_declined(said)


@pytest.mark.parametrize(
    "said",
    [
        "I can't make a diagnosis yet. How long have you had it?",
        "I cannot provide a diagnosis without more information.",
        "I am not able to say more until we see the X-ray.",
        "You can't help it, it is not your fault.",
        "I'm sorry to hear that. Please rest.",
    ],
)
def test_a_doctor_who_is_still_at_work_does_not_decline(said: str) -> None:
    assert not is_role_play_declined(said)


def test_models_are_shown_the_turns_of_a_conversation_and_no_list_of_python() -> None:
    turns = [{"role": "user", "content": "It hurts."}, {"role": "assistant", "content": "Where?"}]
    assert cell_as_text_for_model(turns) == "user: It hurts.\nassistant: Where?"
    assert cell_as_text_for_model({"messages": turns}) == "user: It hurts.\nassistant: Where?"
    assert cell_as_text_for_model(["fièvre", None]) == '["fièvre", null]'
    assert cell_as_text_for_model("Plain [text]") == "Plain [text]"
    assert cell_as_text_for_model(None) == "None"
