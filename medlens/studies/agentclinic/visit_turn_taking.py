"""The visit as turn-taking: who speaks next, what that one is given, and what the words mean.

Nothing here calls a model or waits for a person: ``next_speaker_or_end`` looks at a visit so far
and says what comes next, ``turns_plus_turn_of_current_speaker`` adds what was spoken. So models and
people play by the same rules, and a visit consists of its turns alone: it can be stopped and
resumed at any of them.

Rules: Schmidgall et al. 2024, section 2. The doctor has N messages, orders of tests and images
among them; before the last one it is asked to decide; a diagnosis ends the visit.

In MedLens's own *protocol* each agent hears only what its role would: the patient no results, the
measurement agent only orders. In the *published* one, that of the paper's own script, the patient
hears the results, the measurement agent the talk, and each message to the doctor says how many it
has sent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from medlens.llm import Message, make_user_message
from medlens.llm.split_reasoning_from_answer import split_reasoning_from_answer
from medlens.store import replace_unstorable_characters
from medlens.studies.agentclinic import biases, prompts
from medlens.studies.agentclinic.biases import AgentBias
from medlens.studies.agentclinic.doctor_message_parsing import (
    Diagnosis,
    Reply,
    RequestImages,
    RequestTest,
    Say,
    message_without_unfilled_diagnosis,
    parse_doctor_message,
)
from medlens.studies.agentclinic.records import (
    DEFAULT_INTERACTIONS,
    Case,
    GivenBias,
    ImageMode,
    Protocol,
    Speaker,
    Turn,
    TurnKind,
)

SILENCE = "(says nothing)"
"""What the others hear for a turn without words; the turn itself stays empty."""

LONGEST = 12_000
"""Characters of a turn. Only the beginning and end of a longer answer are kept and passed on."""

SHOWN = "The images are shown."
SHOWN_BEFORE = "You have been given the images already."
NO_IMAGES = "There are no images."

Role = Literal["doctor", "patient"]
Act = Literal["say", "test", "images", "diagnosis"]


@dataclass(frozen=True)
class Visit:
    """What is fixed before the first word. Made by ``make_visit``.

    The ``…_told`` are the agents' instructions, each made from its own view of the case. ``images``
    are the names recorded in turns, ``addresses`` what is sent for them.
    """

    objective: str
    n: int
    image_mode: ImageMode
    doctor_told: str
    patient_told: str
    measurement_told: str
    images: tuple[str, ...] = ()
    addresses: Mapping[str, str] = field(default_factory=dict)
    protocol: Protocol = "medlens"


def make_visit(
    case: Case,
    *,
    n: int = DEFAULT_INTERACTIONS,
    image_mode: ImageMode = "none",
    doctor_bias: GivenBias | None = None,
    patient_bias: GivenBias | None = None,
    custom: Iterable[AgentBias] = (),
    addresses: Mapping[str, str] | None = None,
    protocol: Protocol = "medlens",
) -> Visit:
    """A visit on a case under these rules; a case without images shows none in any mode.

    ``custom`` are biases besides the study's; ``addresses`` say where each image of the case is, as
    a web address or a ``data:`` URL (if absent, the name itself).

    Raises:
        InvalidInput: there is no such bias.
    """
    doctor, patient, measurement = prompts.views_of_doctor_patient_and_measurement(case)
    mode: ImageMode = image_mode if case.images else "none"
    known = tuple(custom)
    return Visit(
        objective=case.objective_for_doctor,
        n=n,
        image_mode=mode,
        doctor_told=prompts.doctor_instructions(
            doctor, biases.bias_instruction("doctor", doctor_bias, custom=known), n=n, images=mode
        ),
        patient_told=prompts.patient_instructions(
            patient, biases.bias_instruction("patient", patient_bias, custom=known)
        ),
        measurement_told=prompts.measurement_instructions(measurement),
        images=case.images if mode != "none" else (),
        addresses=dict(addresses or {}),
        protocol=protocol,
    )


@dataclass(frozen=True)
class ToSpeak:
    """It is ``speaker``'s turn. ``messages`` are a model's input; a person sees
    ``turns_witnessed_by_player``.

    ``left`` counts the doctor's remaining messages, including this one if the doctor speaks;
    ``decide``: it is the doctor's last.
    """

    speaker: Speaker
    messages: tuple[Message, ...]
    left: int
    decide: bool = False


@dataclass(frozen=True)
class Ended:
    """The visit is over; ``diagnosis`` is empty if the doctor gave none."""

    diagnosis: str


def next_speaker_or_end(visit: Visit, turns: Sequence[Turn]) -> ToSpeak | Ended:
    """Who speaks next and what they are given, or how the visit ended."""
    last = turns[-1] if turns else None
    published = visit.protocol == "published"
    left = visit.n - sum(turn.speaker == "doctor" for turn in turns)
    if last is not None and last.kind == "diagnosis":
        reply = parse_doctor_message(last.text)
        return Ended(reply.diagnosis if isinstance(reply, Diagnosis) else last.text)
    if last is not None and last.speaker == "doctor" and left > 0:
        if last.kind == "request_test":
            told = prompts.measurement_messages(
                visit.measurement_told, _spoken(turns), talk=published
            )
            return ToSpeak("measurement", tuple(told), left)
        told = prompts.patient_messages(visit.patient_told, _spoken(turns), results=published)
        return ToSpeak("patient", tuple(told), left)
    if left <= 0:
        return Ended("")
    told = prompts.doctor_messages(
        visit.doctor_told,
        _spoken(turns, visit.addresses),
        n=visit.n,
        images=_sent(visit, visit.images) if visit.image_mode == "start" else (),
        counted=published,
    )
    return ToSpeak("doctor", tuple(told), left, decide=left == 1)


def turns_plus_turn_of_current_speaker(
    visit: Visit, turns: Sequence[Turn], text: str, *, whole: bool = True
) -> tuple[Turn, ...]:
    """The turns, plus what the speaker whose turn it is has said.

    A message that is not ``whole`` (cut off, or stopped by a filter) is heard as it stands, and
    names no diagnosis: nobody knows how it would have gone on.

    A doctor's request for images is answered at once, with the images or the reason for none.
    What a model thought aloud is dropped; a text that is too long loses its middle, never its
    order or diagnosis.

    Raises:
        ValueError: the visit is over.
    """
    now = next_speaker_or_end(visit, turns)
    if isinstance(now, Ended):
        raise ValueError("the visit is over")
    words = split_reasoning_from_answer(
        replace_unstorable_characters(text).replace("\r\n", "\n")
    ).answer.strip()
    if now.speaker != "doctor":
        kind: TurnKind = "result" if now.speaker == "measurement" else "say"
        return (*turns, _turn(turns, now.speaker, kind, _cut(words)))
    reply = parse_doctor_message(words)
    if isinstance(reply, Diagnosis) and not whole:
        reply = Say(words)
    kind = _KINDS[type(reply)]
    done = (*turns, _turn(turns, "doctor", kind, _cut(words, reply)))
    if kind == "request_images" and now.left > 1:
        return (*done, _shown(visit, done))
    return done


_KINDS: Mapping[type[Reply], TurnKind] = {
    Say: "say",
    RequestTest: "request_test",
    RequestImages: "request_images",
    Diagnosis: "diagnosis",
}


def _turn(
    turns: Sequence[Turn],
    speaker: Speaker,
    kind: TurnKind,
    text: str,
    images: tuple[str, ...] = (),
) -> Turn:
    return Turn(n=len(turns) + 1, speaker=speaker, kind=kind, text=text, images=images)


def _shown(visit: Visit, turns: Sequence[Turn]) -> Turn:
    if not visit.images:
        return _turn(turns, "measurement", "result", NO_IMAGES)
    if visit.image_mode == "start" or any(turn.kind == "images" for turn in turns):
        return _turn(turns, "measurement", "result", SHOWN_BEFORE)
    return _turn(turns, "measurement", "images", SHOWN, visit.images)


def _cut(text: str, reply: Reply | None = None) -> str:
    if len(text) <= LONGEST:
        return text
    part = LONGEST // 2
    left_out = f"[… {len(text) - 2 * part:,} characters left out …]"
    short = f"{text[:part]}\n{left_out}\n{text[-part:]}"
    if isinstance(reply, Diagnosis):
        return f"{short}\n{doctor_message_of_button('diagnosis', reply.diagnosis)}"
    if isinstance(reply, RequestTest):
        return f"{short}\n{doctor_message_of_button('test', '; '.join(reply.tests))[:LONGEST]}"
    return short


def _spoken(turns: Sequence[Turn], addresses: Mapping[str, str] | None = None) -> list[Turn]:
    """Turns as the agents hear them: silence in words, images as addresses."""
    heard = []
    for turn in turns:
        change: dict[str, object] = {}
        if not turn.text:
            change["text"] = SILENCE
        if turn.images and addresses:
            change["images"] = tuple(addresses.get(image, image) for image in turn.images)
        heard.append(turn.model_copy(update=change) if change else turn)
    return heard


def _sent(visit: Visit, images: Sequence[str]) -> tuple[str, ...]:
    return tuple(visit.addresses.get(image, image) for image in images)


# -- after the visit ------------------------------------------------------------------------------


def list_patient_ratings_with_their_messages(
    visit: Visit, turns: Sequence[Turn]
) -> list[tuple[str, list[Message]]]:
    """(name, messages) of the three ratings asked of the patient; see ``prompts.PatientAnswer``.

    The patient has heard its own conversation and, at the end, the doctor's assessment and advice,
    but no results.
    """
    last = turns[-1].text if turns and turns[-1].kind == "diagnosis" else ""
    end = Turn(
        n=len(turns) + 1, speaker="doctor", text=prompts.assessment_as_patient_hears_it(last)
    )
    chat = prompts.patient_messages(
        visit.patient_told, [*_spoken(turns), end], results=visit.protocol == "published"
    )
    asked = []
    for name, question in prompts.patient_rating_names_and_questions():
        if chat[-1]["role"] == "user":
            joined = f"{chat[-1]['content']}\n\n{question}"
            asked.append((name, [*chat[:-1], make_user_message(joined)]))
        else:
            asked.append((name, [*chat, make_user_message(question)]))
    return asked


# -- for people who play --------------------------------------------------------------------------


def turns_witnessed_by_player(role: Role, turns: Sequence[Turn]) -> list[Turn]:
    """The turns that this player has witnessed: for the patient, only what the two said.

    A doctor's unfilled line for the diagnosis is nothing that a patient would hear.
    """
    if role == "doctor":
        return [turn for turn in turns if turn.speaker != "moderator"]
    heard = []
    for turn in turns:
        if turn.speaker == "patient":
            heard.append(turn)
        elif turn.speaker == "doctor" and turn.kind == "say":
            heard.append(
                turn.model_copy(
                    update={"text": message_without_unfilled_diagnosis(turn.text) or SILENCE}
                )
            )
    return heard


def doctor_message_of_button(act: Act, text: str = "") -> str:
    """A person's button and words as a message of the doctor's.

    ``parse_doctor_message`` reads the same act from it, as long as ``text`` names a test or a
    diagnosis.
    """
    if act == "say":
        return text
    words = " ".join(text.split())
    return {
        "test": f"REQUEST TEST: {words}",
        "images": "REQUEST IMAGES",
        "diagnosis": f"DIAGNOSIS READY: {words}",
    }[act]
