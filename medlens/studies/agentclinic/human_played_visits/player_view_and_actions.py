"""What a player sees of a visit, and what a player can do in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review.raters import Rater
from medlens.store import Store, replace_unstorable_characters
from medlens.studies.agentclinic import diagnosis_verdicts
from medlens.studies.agentclinic import queries as dialogues
from medlens.studies.agentclinic.human_played_visits import queries
from medlens.studies.agentclinic.human_played_visits.visit_loaded_from_stored_events import (
    State,
    StoredVisit,
    load_visit,
)
from medlens.studies.agentclinic.prompts import assessment_as_patient_hears_it
from medlens.studies.agentclinic.records import CaseFact, Outcome, PatientRatings, Turn
from medlens.studies.agentclinic.visit_turn_taking import (
    LONGEST,
    Act,
    Ended,
    Role,
    doctor_message_of_button,
    next_speaker_or_end,
    turns_plus_turn_of_current_speaker,
    turns_witnessed_by_player,
)

_KINDS = {"test": "request_test", "images": "request_images", "diagnosis": "diagnosis"}
_NAMELESS: Mapping[Act, str] = {
    "test": "Name the test or the examination.",
    "diagnosis": "Name one disease.",
}


@dataclass(frozen=True)
class Scene:
    """All that a player is sent of a visit.

    ``turns`` are those the player has witnessed, ``left`` the doctor's remaining messages;
    ``decide``: the next one is the last. ``told`` is the doctor's task or empty, ``story`` the
    patient's part of the case or empty. ``images`` are those handed over at the start;
    ``may_ask_images``: there are some to ask for. ``revision`` is what an act builds on.
    ``assessment`` is what the patient has heard at the end, empty before it and for a doctor.
    """

    id: str
    role: Role
    state: State
    revision: int
    turns: tuple[Turn, ...]
    told: str
    story: tuple[CaseFact, ...]
    n: int
    left: int
    decide: bool
    images: tuple[str, ...]
    may_ask_images: bool
    begun_at: datetime
    assessment: str = ""


def visit_as_player_sees_it(store: Store, id: str, person: Rater) -> Scene:
    """A visit as its player may see it.

    Raises:
        InvalidInput: there is no such visit.
        NotAllowed: it is somebody else's.
    """
    return _scene(_own(store, id, person))


def _own(store: Store, id: str, person: Rater) -> StoredVisit:
    stored = load_visit(store, id)
    if stored.rater != person.id:
        raise NotAllowed("This visit is somebody else's.", hint="Start one of your own.")
    return stored


def _scene(stored: StoredVisit) -> Scene:
    now = next_speaker_or_end(stored.visit, stored.turns)
    doctor = stored.role == "doctor"
    return Scene(
        id=stored.id,
        role=stored.role,
        state=stored.whose_turn_or_end_state,
        revision=stored.revision,
        turns=tuple(turns_witnessed_by_player(stored.role, stored.turns)),
        told=stored.visit.objective if doctor else "",
        story=()
        if doctor
        else tuple(leaf for leaf in stored.case.list_case_facts() if leaf.section == "patient"),
        n=stored.n,
        left=0 if isinstance(now, Ended) else now.left,
        decide=doctor and not isinstance(now, Ended) and now.decide,
        images=stored.visit.images if doctor and stored.visit.image_mode == "start" else (),
        may_ask_images=doctor
        and stored.visit.image_mode == "request"
        and not any(turn.kind == "images" for turn in stored.turns),
        begun_at=stored.begun_at,
        assessment=_assessment(stored),
    )


def _assessment(stored: StoredVisit) -> str:
    if stored.role != "patient" or stored.whose_turn_or_end_state not in (
        "rate",
        "judging",
        "ended",
    ):
        return ""
    last = stored.turns[-1] if stored.turns else None
    return assessment_as_patient_hears_it(
        last.text if last is not None and last.kind == "diagnosis" else ""
    )


@dataclass(frozen=True)
class Ending:
    """How a player's visit ended: the truth, what the doctor gave, and the moderator's reason.

    ``given`` is empty if the doctor named nothing.
    """

    truth: str
    given: str
    outcome: Outcome
    reason: str


def load_visit_ending_and_record_seen(store: Store, id: str, person: Rater) -> Ending:
    """The end of a visit for its player. Notes that they know it: their later judgments of this
    dialogue, or of this pair of diagnoses, do not count as blind.

    Raises:
        InvalidInput: there is no such visit.
        NotAllowed: it is somebody else's, or it has not been scored.
    """
    stored = _own(store, id, person)
    if stored.whose_turn_or_end_state != "ended":
        raise NotAllowed("This visit has not been scored yet.", hint="Play it to its end.")
    name = queries.dialogue_name_of_visit(store, id)
    item = dialogues.item_id_made_from_name(stored.dataset, name)
    one = dialogues.load_dialogue(store, item)
    pair = diagnosis_verdicts.pair_id_by_dialogue(store, stored.dataset).get(name)
    alike = diagnosis_verdicts.load_pairs_by_id(store, stored.dataset)[pair].visits if pair else ()
    told = {item, *(dialogues.item_id_made_from_name(stored.dataset, visit) for visit in alike)}
    dialogues.record_dialogues_seen(store, sorted(told), person)
    own = [(one.outcome, one.reason, one.moderator)]
    [(outcome, reason)] = diagnosis_verdicts.list_outcomes_according_to_judge(
        store, stored.dataset, [name], own
    )
    return Ending(stored.case.diagnosis, one.diagnosis, cast(Outcome, outcome), reason)


def record_players_act_and_return_scene(
    store: Store, id: str, *, person: Rater, base: int, act: Act, text: str = ""
) -> Scene:
    """Say, order or decide something; durable on return.

    Raises:
        Conflict: the visit was changed in another tab since ``base``.
        InvalidInput: nothing is said, a test or a disease has no name, or it is too long.
        NotAllowed: it is not this person's turn.
    """
    stored = _own(store, id, person)
    words = replace_unstorable_characters(text).strip()
    if stored.revision != base:
        raise Conflict(
            "This visit was changed in another tab.", hint="Read what was said there first."
        )
    if stored.whose_turn_or_end_state != "yours":
        raise NotAllowed("It is not your turn.", hint="Wait for the answer.")
    if stored.role == "patient" and act != "say":
        raise NotAllowed("The patient orders and decides nothing.", hint="Answer the doctor.")
    named = any(character.isalnum() for character in words)
    if act != "images" and not (words if act == "say" else named):
        raise InvalidInput(_NAMELESS.get(act, "Say something."))
    if len(words) > LONGEST:
        raise InvalidInput(f"Say it in {LONGEST:,} characters or less.")
    turns = turns_plus_turn_of_current_speaker(
        stored.visit, stored.turns, doctor_message_of_button(act, words)
    )
    fresh = turns[len(stored.turns) :]
    if act in _KINDS and fresh[0].kind != _KINDS[act]:
        raise InvalidInput(_NAMELESS.get(act, "This cannot be asked for."))
    _add(store, stored, "said", {"turns": [one.model_dump(mode="json") for one in fresh]})
    return visit_as_player_sees_it(store, id, person)


def save_patient_ratings_and_return_scene(
    store: Store, id: str, *, person: Rater, base: int, ratings: PatientRatings
) -> Scene:
    """The patient's ratings after the visit, by the person who played the patient.

    Raises:
        Conflict: they were given in another tab.
        NotAllowed: there is nothing to rate now.
    """
    stored = _own(store, id, person)
    if stored.revision != base:
        raise Conflict("This visit was changed in another tab.", hint="Check how it ended.")
    if stored.whose_turn_or_end_state != "rate":
        raise NotAllowed("There is nothing to rate now.")
    _add(store, stored, "rated", {"ratings": ratings.model_dump(mode="json")})
    return visit_as_player_sees_it(store, id, person)


def give_up_visit_and_return_scene(store: Store, id: str, *, person: Rater, base: int) -> Scene:
    """End a visit without a dialogue. It stays in the list of visits, as given up.

    Raises:
        Conflict: the visit was changed in another tab.
        NotAllowed: it is over.
    """
    stored = _own(store, id, person)
    if stored.closed or stored.whose_turn_or_end_state == "judging":
        raise NotAllowed("This visit is over.")
    if stored.revision != base:
        raise Conflict(
            "This visit was changed in another tab.", hint="Read what was said there first."
        )
    _add(store, stored, "given_up", {})
    return visit_as_player_sees_it(store, id, person)


def _add(store: Store, stored: StoredVisit, kind: str, body: Mapping[str, Any]) -> None:
    queries.append_visit_event(store, stored.id, stored.revision + 1, kind, body)
