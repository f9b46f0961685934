"""Visits that people play: the doctor or the patient is a person, the other seats are models.

A visit is a run of its own and a log of its events: every exchange is on disk before the page says
so, so a visit survives a reload, a closed browser or a killed server. Models' answers are stored
like those of any run, and asked for once.

``seen`` is all that a player is ever sent of a visit (``Scene``): the doctor nothing of the truth
or the patient's story, the patient nothing of results or diagnosis.
"""

from medlens.studies.agentclinic.visits.answering import Asked, answer, ask, asked
from medlens.studies.agentclinic.visits.beginning import (
    Listed,
    Played,
    dialogue_of,
    listed,
    offered,
    played,
    playing,
    start,
)
from medlens.studies.agentclinic.visits.scene import (
    Ending,
    Scene,
    ending,
    give_up,
    rate,
    seen,
    speak,
)

__all__ = [
    "Asked",
    "Ending",
    "Listed",
    "Played",
    "Scene",
    "answer",
    "ask",
    "asked",
    "dialogue_of",
    "ending",
    "give_up",
    "listed",
    "offered",
    "played",
    "playing",
    "rate",
    "seen",
    "speak",
    "start",
]
