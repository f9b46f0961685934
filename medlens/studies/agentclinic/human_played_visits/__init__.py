"""Visits that people play: the doctor or the patient is a person, the other seats are models.

A visit is a run of its own and a log of its events: every exchange is on disk before the page says
so, so a visit survives a reload, a closed browser or a killed server. Models' answers are stored
like those of any run, and asked for once.

``visit_as_player_sees_it`` is all that a player is ever sent of a visit (``Scene``): the doctor
nothing of the truth or the patient's story, the patient nothing of results or diagnosis.
"""

from medlens.studies.agentclinic.human_played_visits.model_turns import (
    RequestedAnswer,
    continue_visit_in_background,
    find_state_of_requested_answer,
    let_models_continue_visit,
)
from medlens.studies.agentclinic.human_played_visits.player_view_and_actions import (
    Ending,
    Scene,
    give_up_visit_and_return_scene,
    load_visit_ending_and_record_seen,
    record_players_act_and_return_scene,
    save_patient_ratings_and_return_scene,
    visit_as_player_sees_it,
)
from medlens.studies.agentclinic.human_played_visits.queries import dialogue_name_of_visit
from medlens.studies.agentclinic.human_played_visits.start_and_list_visits import (
    ListedVisit,
    PlayedVisit,
    case_number_by_name_of_playable_cases,
    list_all_played_visits,
    list_visits_of_person,
    start_visit,
    unfinished_visit_id_by_case_of_doctor,
)

__all__ = [
    "Ending",
    "ListedVisit",
    "PlayedVisit",
    "RequestedAnswer",
    "Scene",
    "case_number_by_name_of_playable_cases",
    "continue_visit_in_background",
    "dialogue_name_of_visit",
    "find_state_of_requested_answer",
    "give_up_visit_and_return_scene",
    "let_models_continue_visit",
    "list_all_played_visits",
    "list_visits_of_person",
    "load_visit_ending_and_record_seen",
    "record_players_act_and_return_scene",
    "save_patient_ratings_and_return_scene",
    "start_visit",
    "unfinished_visit_id_by_case_of_doctor",
    "visit_as_player_sees_it",
]
