"""A visit as stored: what was fixed at its start, and what its events add up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from medlens.errors import InvalidInput
from medlens.store import Store
from medlens.studies.agentclinic import queries as cases
from medlens.studies.agentclinic.agent_players import CallTotals, ModelsBySeat
from medlens.studies.agentclinic.human_played_visits import queries
from medlens.studies.agentclinic.records import Case, GivenBias, ImageMode, PatientRatings, Turn
from medlens.studies.agentclinic.visit_turn_taking import (
    Ended,
    Role,
    Visit,
    make_visit,
    next_speaker_or_end,
)

State = Literal["yours", "theirs", "rate", "judging", "ended", "given_up"]
"""Whose turn it is: the person's, the models' (to speak, or to judge), or nobody's."""


@dataclass(frozen=True)
class StoredVisit:
    """A whole visit. Only for the library: a player is sent a ``Scene``.

    ``bias`` is the model's, never the person's; ``revision`` counts its events; ``ratings`` are
    those of a person who was the patient.
    """

    id: str
    dataset: str
    case_name: str
    case: Case
    rater: str
    player: str
    role: Role
    seats: ModelsBySeat
    visit: Visit
    bias: GivenBias | None
    n: int
    image_mode: ImageMode
    repeat: int
    prompt: str
    cap: float | None
    begun_at: datetime
    revision: int
    turns: tuple[Turn, ...]
    ratings: PatientRatings | None
    tally: CallTotals
    closed: Literal["", "ended", "given_up"]

    @property
    def whose_turn_or_end_state(self) -> State:
        """Whose turn it is."""
        if self.closed:
            return self.closed
        now = next_speaker_or_end(self.visit, self.turns)
        if isinstance(now, Ended):
            return "rate" if self.role == "patient" and self.ratings is None else "judging"
        return "yours" if self.seats.name_of_model_of_speaker(now.speaker) is None else "theirs"


def load_visit(store: Store, id: str) -> StoredVisit:
    """The current state of a visit.

    Raises:
        InvalidInput: there is no such visit.
    """
    row = queries.find_visit_row_with_configuration(store, id)
    if row is None:
        raise InvalidInput("There is no such visit.", hint="Choose one from the list.")
    config: Mapping[str, Any] = row["config"]
    case = cases.load_case(store, cases.item_id_made_from_name(config["dataset"], config["case"]))
    given = config.get("bias")
    bias = GivenBias.model_validate(given) if given else None
    events = queries.list_events_of_visit(store, id)
    turns: list[Turn] = []
    ratings = None
    tally = CallTotals()
    for event in events:
        body = event["body"]
        turns += [Turn.model_validate(one) for one in body.get("turns", ())]
        if event["kind"] == "rated":
            ratings = PatientRatings.model_validate(body["ratings"])
        if told := body.get("tally"):
            tally = sum_of_call_totals(tally, CallTotals(**told))
    closed: Literal["", "ended", "given_up"] = ""
    for event in events:
        if event["kind"] in ("ended", "given_up"):
            closed = event["kind"]
    kept = ("dataset", "rater", "player", "role", "n", "image_mode", "repeat", "prompt", "cap")
    return StoredVisit(
        **{name: config[name] for name in kept},
        id=id,
        case_name=config["case"],
        case=case,
        seats=ModelsBySeat(**config["seats"]),
        visit=make_visit(
            case,
            n=config["n"],
            image_mode=config["image_mode"],
            doctor_bias=bias if config["role"] == "patient" else None,
            patient_bias=bias if config["role"] == "doctor" else None,
        ),
        bias=bias,
        begun_at=row["made_at"],
        revision=len(events),
        turns=tuple(turns),
        ratings=ratings,
        tally=tally,
        closed=closed,
    )


def sum_of_call_totals(one: CallTotals, other: CallTotals) -> CallTotals:
    """Two tallies together; the cost is unknown if either is."""
    known = one.cost is not None and other.cost is not None
    return CallTotals(
        one.calls + other.calls,
        (one.cost or 0.0) + (other.cost or 0.0) if known else None,
        one.seconds + other.seconds,
    )
