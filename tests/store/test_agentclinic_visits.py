"""Visits that people play: durable, blind, taken up again, and paid for once."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from medlens import llm
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput, MedLensError, NotAllowed
from medlens.review import raters
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.agentclinic import biases, human_played_visits, queries
from medlens.studies.agentclinic.case_images import file_stem_of_image_copy, find_image_copy
from medlens.studies.agentclinic.file_loading import case_from_fields
from medlens.studies.agentclinic.human_played_visits import visit_loaded_from_stored_events
from medlens.studies.agentclinic.records import GivenBias, PatientRating, PatientRatings
from medlens.studies.agentclinic.study_in_dataset import AgentClinicSettings
from medlens.studies.agentclinic.visit_turn_taking import Act
from tests.llm_server import LLMServer, Reply
from tests.store.test_agentclinic_run import case, script, settings

ON_BOTH = pytest.mark.parametrize(
    "engine",
    ["duckdb", pytest.param("postgres", marks=[pytest.mark.postgres, pytest.mark.deep])],
    indirect=True,
)
QUICK = llm.RetryPolicy(attempts=1, base=0.01)


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = script
        yield running


@pytest.fixture
def person(store: Store) -> Rater:
    queries.add_cases_and_return_added(
        store,
        [(f"f:{n}", case_from_fields(case(n))) for n in (1, 2)],
        dataset="d",
        illustrative=True,
    )
    return raters.find_or_add_rater_by_name(store, "Ada Reviewer")


def rules(server: LLMServer, **other: Any) -> Settings:
    chosen = AgentClinicSettings(play_models=("a",), play_interactions=4, **other)
    return settings(server).model_copy(update={"agentclinic": chosen})


def begin(store: Store, given: Settings, person: Rater, role: Any, number: int = 1) -> str:
    name = list(queries.load_cases_by_name(store, "d"))[number - 1]
    return human_played_visits.start_visit(
        store, given, dataset="d", role=role, person=person, case=name
    )


def go_on(store: Store, given: Settings, visit: str, person: Rater) -> human_played_visits.Scene:
    human_played_visits.let_models_continue_visit(store, given, visit, retries=QUICK)
    return human_played_visits.visit_as_player_sees_it(store, visit, person)


@ON_BOTH
def test_a_person_plays_the_doctor_and_the_visit_is_a_dialogue_scored_like_any(
    store: Store, server: LLMServer, person: Rater
) -> None:
    given = rules(server)
    visit = begin(store, given, person, "doctor")
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=0, act="say", text="What brings you here?"
    )
    scene = go_on(store, given, visit, person)
    assert [turn.speaker for turn in scene.turns] == ["doctor", "patient"]
    assert (scene.state, scene.revision, scene.left) == ("yours", 2, 3)
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=2, act="test", text="blood"
    )
    scene = go_on(store, given, visit, person)
    assert scene.turns[-1].text == "RESULTS: blood normal"
    # Nothing of the truth, the other tests or the patient's script has been sent.
    sent = repr(asdict(scene))
    assert "Case 1." in sent
    assert "Disease 1" not in sent
    assert "Story 1" not in sent
    assert "value 1" not in sent
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=4, act="diagnosis", text="Disease 1"
    )
    assert go_on(store, given, visit, person).state == "ended"
    [(_, name, illustrative, one)] = queries.list_dialogues_with_ids_and_names(store, "d")
    assert (one.doctor, one.doctor_player, one.patient, one.patient_player) == (
        "Ada Reviewer",
        "person",
        "a",
        "model",
    )
    assert (one.outcome, one.reason, one.diagnosis) == ("correct", "Compared.", "Disease 1")
    assert one.ratings.compliance == PatientRating(score=7, reason="Kind.")
    assert [turn.kind for turn in one.turns] == [
        "say",
        "say",
        "request_test",
        "result",
        "diagnosis",
    ]
    # The dialogue joins the demonstration, which stays one. Calls: the patient, the measurement,
    # the moderator, three ratings; each costs 100 tokens in at 10 and 20 out at 50 per million.
    assert illustrative
    assert one.calls == 6
    assert one.cost == pytest.approx(6 * (100 * 10 + 20 * 50) / 1e6)
    [row] = human_played_visits.list_all_played_visits(
        store, "d", raters.find_or_add_rater_by_name(store, "Lead", role="lead")
    )
    assert (row.player, row.closed, row.dialogue, row.outcome) == (
        "Ada Reviewer",
        "ended",
        name,
        "correct",
    )


def test_a_person_plays_the_patient_sees_no_results_and_rates_the_visit(
    store: Store, server: LLMServer, person: Rater
) -> None:
    given = rules(server)
    visit = begin(store, given, person, "patient")
    scene = go_on(store, given, visit, person)
    assert [turn.text for turn in scene.turns] == ["How are you?"]
    assert any("Story 1" in leaf.text for leaf in scene.story)
    with pytest.raises(NotAllowed, match="orders and decides nothing"):
        human_played_visits.record_players_act_and_return_scene(
            store, visit, person=person, base=scene.revision, act="test", text="x"
        )
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=scene.revision, act="say", text="It hurts."
    )
    scene = go_on(store, given, visit, person)
    # The doctor ordered blood and decided; of both the patient hears the assessment alone.
    assert scene.state == "rate"
    assert "normal" not in repr(scene)
    assert scene.assessment == "My assessment: you have Disease 1."
    assert not any("Disease" in turn.text for turn in scene.turns)
    with pytest.raises(NotAllowed, match="not been scored"):
        human_played_visits.load_visit_ending_and_record_seen(store, visit, person)
    ratings = PatientRatings(confidence=PatientRating(score=3, reason="Too quick."))
    human_played_visits.save_patient_ratings_and_return_scene(
        store, visit, person=person, base=scene.revision, ratings=ratings
    )
    assert go_on(store, given, visit, person).state == "ended"
    [(_, _, _, one)] = queries.list_dialogues_with_ids_and_names(store, "d")
    assert (one.patient, one.patient_player, one.ratings) == ("Ada Reviewer", "person", ratings)
    assert not any("score" in str(seen.body["messages"]) for seen in server.seen)
    # After the end the truth and the moderator's word; who knows them judges not blind any more.
    end = human_played_visits.load_visit_ending_and_record_seen(store, visit, person)
    assert (end.truth, end.given, end.outcome) == ("Disease 1", "Disease 1", "correct")
    human_played_visits.load_visit_ending_and_record_seen(store, visit, person)
    assert store.rows("select count(*) from reveal where rater = $r", r=person.id) == [(2,)]


@ON_BOTH
def test_the_models_side_is_played_with_the_bias_that_the_visit_was_begun_with(
    store: Store, server: LLMServer, person: Rater
) -> None:
    given, lead = rules(server), raters.find_or_add_rater_by_name(store, "Lead", role="lead")
    name = next(iter(queries.load_cases_by_name(store, "d")))
    wanted = GivenBias(id="self_diagnosis", target="scurvy")
    visit = human_played_visits.start_visit(
        store, given, dataset="d", role="doctor", person=person, case=name, bias=wanted
    )
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=0, act="say", text="What brings you here?"
    )
    scene = go_on(store, given, visit, person)
    # The patient's model was told; the player is not, and nor is a lead before it is over.
    [asked] = [seen for seen in server.seen if "scurvy" in str(seen.body["messages"])]
    assert asked.body["messages"][0]["role"] == "system"
    assert "scurvy" not in repr(scene)
    assert [row.bias for row in human_played_visits.list_all_played_visits(store, "d", lead)] == [
        ""
    ]
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=2, act="diagnosis", text="Disease 1"
    )
    assert go_on(store, given, visit, person).state == "ended"
    [(_, _, _, one)] = queries.list_dialogues_with_ids_and_names(store, "d")
    assert (one.patient_bias, one.doctor_bias) == (wanted, None)
    assert [row.bias for row in human_played_visits.list_all_played_visits(store, "d", lead)] == [
        "self_diagnosis"
    ]
    # A bias of the other side is none of this one; one that is drawn has been had least.
    with pytest.raises(InvalidInput, match="There is no bias 'self_diagnosis' of the doctor"):
        human_played_visits.start_visit(
            store, given, dataset="d", role="patient", person=person, bias=wanted
        )
    for _ in range(11):
        human_played_visits.start_visit(
            store, given, dataset="d", role="doctor", person=person, case=name, bias="drawn"
        )
    had = [
        visit_loaded_from_stored_events.load_visit(store, one.id).bias
        for one in human_played_visits.list_visits_of_person(store, "d", person)
    ]
    assert {one.id if one else "none" for one in had} == {
        "none",
        *(one.id for one in biases.list_shipped_biases() if one.side == "patient"),
    }


def test_a_dead_endpoint_loses_nothing_and_no_answer_is_paid_for_twice(
    store: Store, server: LLMServer, person: Rater
) -> None:
    given = rules(server)
    visit = begin(store, given, person, "doctor")
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=0, act="say", text="Hello"
    )
    server.push(Reply(status=500))
    with pytest.raises(MedLensError, match="No answer from the patient's model") as caught:
        human_played_visits.let_models_continue_visit(store, given, visit, retries=QUICK)
    assert "Nothing is lost" in caught.value.hint
    assert human_played_visits.visit_as_player_sees_it(store, visit, person).state == "theirs"
    assert go_on(store, given, visit, person).state == "yours"
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=2, act="diagnosis", text="Gout"
    )
    # Killed when all had been answered and before it was noted: the answers are found again.
    kept = store.append_all_and_count_new_by_table
    with pytest.MonkeyPatch.context() as patch:

        def dies(batch: Any, **how: Any) -> Any:
            if "visit_event" in batch:
                raise KeyboardInterrupt
            return kept(batch, **how)

        patch.setattr(store, "append_all_and_count_new_by_table", dies)
        with pytest.raises(KeyboardInterrupt):
            human_played_visits.let_models_continue_visit(store, given, visit, retries=QUICK)
    asked = len(server.seen)
    assert go_on(store, given, visit, person).state == "ended"
    assert len(server.seen) == asked
    assert len(queries.list_dialogues_with_ids_and_names(store, "d")) == 1


def test_two_tabs_do_not_mix_and_others_are_kept_out(
    store: Store, server: LLMServer, person: Rater
) -> None:
    given = rules(server)
    visit = begin(store, given, person, "doctor")
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=0, act="say", text="From one tab"
    )
    with pytest.raises(Conflict, match="another tab"):
        human_played_visits.record_players_act_and_return_scene(
            store, visit, person=person, base=0, act="say", text="From the other"
        )
    with pytest.raises(NotAllowed, match="not your turn"):
        human_played_visits.record_players_act_and_return_scene(
            store, visit, person=person, base=1, act="say", text="Too early"
        )
    other = raters.find_or_add_rater_by_name(store, "Bo Reviewer")
    with pytest.raises(NotAllowed, match="somebody else's"):
        human_played_visits.visit_as_player_sees_it(store, visit, other)
    scene = go_on(store, given, visit, person)
    acts: tuple[tuple[Act, str], ...] = (("test", "  "), ("diagnosis", "?"), ("say", ""))
    for act, text in acts:
        with pytest.raises(InvalidInput):
            human_played_visits.record_players_act_and_return_scene(
                store, visit, person=person, base=scene.revision, act=act, text=text
            )
    human_played_visits.give_up_visit_and_return_scene(
        store, visit, person=person, base=scene.revision
    )
    with pytest.raises(NotAllowed):
        human_played_visits.record_players_act_and_return_scene(
            store, visit, person=person, base=3, act="say", text="Still there?"
        )
    assert queries.list_dialogues_with_ids_and_names(store, "d") == []


def test_who_may_know_a_diagnosis_is_not_given_its_case_as_the_doctor(
    store: Store, server: LLMServer, person: Rater
) -> None:
    given = rules(server)
    first, second = queries.load_cases_by_name(store, "d")
    visit = begin(store, given, person, "doctor")
    assert human_played_visits.unfinished_visit_id_by_case_of_doctor(store, "d", person) == {
        first: visit
    }
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=0, act="diagnosis", text="Gout"
    )
    go_on(store, given, visit, person)
    assert human_played_visits.unfinished_visit_id_by_case_of_doctor(store, "d", person) == {}
    # Results were the doctor's to see: the patient of this case is now somebody else.
    assert list(
        human_played_visits.case_number_by_name_of_playable_cases(store, "d", "patient", person)
    ) == [second]
    [(item, _, _, _)] = queries.list_dialogues_with_ids_and_names(store, "d")
    reader = raters.find_or_add_rater_by_name(store, "Cy Reviewer")
    assert list(
        human_played_visits.case_number_by_name_of_playable_cases(store, "d", "doctor", reader)
    ) == [
        first,
        second,
    ]
    store.append("reveal", {"task": "dialogue_realism", "item": item, "rater": reader.id})
    assert list(
        human_played_visits.case_number_by_name_of_playable_cases(store, "d", "doctor", reader)
    ) == [second]
    assert list(
        human_played_visits.case_number_by_name_of_playable_cases(store, "d", "patient", reader)
    ) == [
        first,
        second,
    ]
    with pytest.raises(NotAllowed, match="may know what the doctor does not"):
        begin(store, given, reader, "doctor")


def test_nobody_plays_before_a_lead_has_chosen_models_and_a_cap_ends_the_spending(
    store: Store, server: LLMServer, person: Rater
) -> None:
    with pytest.raises(InvalidInput, match="No model has been chosen"):
        begin(store, settings(server), person, "doctor")
    capped = rules(server, play_cap=1e-9)
    visit = begin(store, capped, person, "doctor")
    human_played_visits.record_players_act_and_return_scene(
        store, visit, person=person, base=0, act="say", text="Hello"
    )
    with pytest.raises(MedLensError, match="spending cap") as caught:
        human_played_visits.let_models_continue_visit(store, capped, visit, retries=QUICK)
    assert "play_cap" in caught.value.hint
    assert server.seen == []
    assert human_played_visits.visit_as_player_sees_it(store, visit, person).state == "theirs"


PNG = b"\x89PNG\r\n\x1a\n0000"


def test_a_models_doctor_is_sent_the_teams_copies_and_a_persons_is_shown_the_images(
    store: Store, server: LLMServer, person: Rater, tmp_path: Path
) -> None:
    web = "https://pictures.example/view?id=7"
    pictured = case_from_fields(case(3, image_url=[web, "own.png"]))
    queries.add_cases_and_return_added(store, [("f:3", pictured)], dataset="d", illustrative=True)
    (tmp_path / "own.png").write_bytes(PNG)
    chosen = AgentClinicSettings(play_models=("a",), play_images="start", images_folder=tmp_path)
    given = settings(server, images=True).model_copy(update={"agentclinic": chosen})
    go_on(store, given, begin(store, given, person, "patient", 3), person)
    sent = [
        part["image_url"]["url"]
        for part in server.seen[0].body["messages"][1]["content"]
        if part["type"] == "image_url"
    ]
    assert sent == [web, f"data:image/png;base64,{base64.b64encode(PNG).decode()}"]
    (tmp_path / f"{file_stem_of_image_copy(web)}.jpg").write_bytes(PNG)
    assert find_image_copy(web, tmp_path) == tmp_path / f"{file_stem_of_image_copy(web)}.jpg"
    assert find_image_copy("../own.png", tmp_path / "deeper") is None
    other = raters.find_or_add_rater_by_name(store, "Bo Reviewer")
    scene = human_played_visits.visit_as_player_sees_it(
        store, begin(store, given, other, "doctor", 3), other
    )
    assert scene.images == (web, "own.png")
