"""The chat of a person who plays: what is shown, what survives, what goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from medlens.llm import RetryPolicy
from medlens.review import raters
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.agentclinic import human_played_visits, queries
from medlens.studies.agentclinic.human_played_visits import model_turns
from medlens.studies.agentclinic.records import GivenBias
from medlens.studies.registry import STUDIES
from medlens.ui import settings_store_and_runs_of_process
from tests.conftest import Fill
from tests.llm_server import LLMServer, Reply
from tests.pages.conftest import OpenPage, answer, component, words
from tests.store.test_agentclinic_run import script

PAGE = "2_Read_transcripts.py"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = script
        config = tmp_path / "medlens.toml"
        config.write_text(
            '[agentclinic]\nplay_models = ["a"]\nplay_interactions = 3\n[models.a]\n'
            f'base_url = "{running.url}"\nmodel = "m"\n'
        )
        monkeypatch.setenv("MEDLENS_CONFIG", str(config))
        quick = partial(
            human_played_visits.let_models_continue_visit,
            retries=RetryPolicy(attempts=1, base=0.01),
        )
        monkeypatch.setattr(model_turns, "let_models_continue_visit", quick)
        yield running


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (STUDIES["tagging"].demo, STUDIES["agentclinic"].demo)


@pytest.fixture
def clinic(server: LLMServer, request: pytest.FixtureRequest) -> Store:
    store: Store = request.getfixturevalue("app_store")
    return store


@pytest.fixture
def player(clinic: Store) -> Rater:
    raters.find_or_add_rater_by_name(clinic, "Lena Lead", role="lead")
    return raters.find_or_add_rater_by_name(clinic, "Rosa Reviewer")


def settled(page: AppTest) -> AppTest:
    """The page once the models have answered, or could not."""
    for _ in range(1000):
        page.run()
        assert not page.exception
        if "come back" not in words(page):
            return page
        time.sleep(0.05)
    raise AssertionError("no answer within 50 s")


def begun(page: AppTest) -> str:
    page.button(key="play.begin").click().run()
    assert not page.exception
    found = page.query_params["visit"]
    return found if isinstance(found, str) else found[0]


def entered(page: AppTest) -> dict[str, str | None]:
    """What stands in the form of the page."""
    found: dict[str, str | None] = json.loads(component(page, "answer_form").proto.json)["values"]
    return found


@pytest.mark.deep
def test_what_is_being_written_in_a_visit_is_there_in_another_browser_until_it_is_sent(
    clinic: Store, open_page: OpenPage, player: Rater
) -> None:
    page = open_page(PAGE, who=player, view="Play")
    visit = begun(page)
    answer(page, act="test")
    answer(page, test="urine, first")
    again = open_page(PAGE, who=player, view="Play", visit=visit)
    assert entered(again) == {"act": "test", "test": "urine, first"}
    # Two tabs: the later one is not put over the earlier unseen.
    answer(again, test="blood")
    answer(page, test="urine, second")
    assert "Changed in another tab" in words(page)
    assert "here urine, second, there blood" in words(page)
    answer(again, test="blood", submit=True)
    assert "RESULTS" in words(settled(again))
    # What was sent is done with: the next thing is another form.
    assert entered(again) == {"act": "say"}
    # Another visit begins with nothing of this one.
    answer(again, say="Half a sentence")
    other = open_page(PAGE, who=player, view="Play")
    other.button(key="play.begin").click().run()
    assert entered(other) == {"act": "say"}


@pytest.mark.deep
def test_begin_pressed_right_after_a_role_begins_a_visit_in_that_role(
    clinic: Store, open_page: OpenPage, player: Rater
) -> None:
    page = open_page(PAGE, who=player, view="Play")
    # Both presses come before the page has been drawn for the first.
    page.segmented_control(key="play.role").set_value("patient")
    begun(page)
    assert "You are the **patient**" in words(page)


def test_a_visit_is_played_reloaded_and_ended_and_its_truth_is_sent_only_then(
    clinic: Store, open_page: OpenPage, player: Rater
) -> None:
    page = open_page(PAGE, who=player, view="Play")
    visit = begun(page)
    answer(page, say="What brings you here?", submit=True)
    assert "It hurts 2." in words(settled(page))
    # Another browser goes on where this one was; what it is sent tells no truth.
    again = open_page(PAGE, who=player, view="Play", visit=visit)
    said = words(again).replace("\\", "")
    assert "What brings you here?" in said
    assert "2 of 3 messages left" in said
    [case] = [
        name
        for name, id in human_played_visits.unfinished_visit_id_by_case_of_doctor(
            clinic, "demo", player
        ).items()
        if id == visit
    ]
    truth = queries.load_cases_by_name(clinic, "demo")[case].case
    assert truth.diagnosis not in said
    assert str(truth.patient_information_as_published["History"]) not in said
    # The first tab knows nothing of what the other then does.
    answer(again, say="Since when?", submit=True)
    settled(again)
    answer(page, say="Written in the other tab", submit=True)
    assert "changed in another tab" in words(page)
    # What was written there is in the box that is there now.
    assert entered(page)["say"] == "Written in the other tab"
    assert "This is your last message" in words(again).replace("\\", "")
    # The first tab's words are this step's draft now: nothing is put over them unseen.
    answer(again, diagnosis="Scurvy", submit=True)
    next(one for one in again.button if one.label == "Keep this version").click().run()
    answer(again, submit=True)
    assert "The visit is over and saved" in "".join(
        str(one.value) for one in settled(again).success
    )
    said = " ".join(str(one.value) for one in again.text)
    assert truth.diagnosis in said
    assert "another disease" in said
    [one] = [
        d
        for *_, d in queries.list_dialogues_with_ids_and_names(clinic, "demo")
        if d.doctor_player == "person"
    ]
    assert (one.doctor, one.case, one.diagnosis) == ("Rosa Reviewer", case, "Scurvy")
    # Whoever played in a dialogue does not judge it at the desk.
    [item] = [
        id for id, *_, d in queries.list_dialogues_with_ids_and_names(clinic, "demo") if d == one
    ]
    desk = AppTest.from_function(_desk, args=(item, player.id)).run()
    assert not desk.exception
    assert "You played in this dialogue" in desk.info[0].value


def _desk(item: str, rater: str) -> None:
    from medlens.review import raters
    from medlens.studies.agentclinic.study_in_dataset import open_study
    from medlens.ui import Here, settings_store_and_runs_of_process
    from medlens.ui.agentclinic import visit_start_and_existing_visits

    store = settings_store_and_runs_of_process.store_of_process()
    who = raters.find_rater(store, rater)
    assert who is not None
    here = Here(store, settings_store_and_runs_of_process.current_settings(), who)
    assert visit_start_and_existing_visits.warn_and_say_if_viewer_must_not_see_item(
        here, open_study(store, "demo"), item
    )


@pytest.mark.deep
def test_an_endpoint_that_is_down_says_so_and_is_tried_again_on_request(
    clinic: Store, open_page: OpenPage, player: Rater, server: LLMServer
) -> None:
    page = open_page(PAGE, who=player, view="Play")
    begun(page)
    server.push(Reply(status=500))
    answer(page, say="Hello", submit=True)
    settled(page)
    assert "No answer from the patient's model" in words(page)
    assert "Nothing is lost" in words(page)
    page.button(key="play.again").click().run()
    assert "It hurts 2." in words(settled(page))


@pytest.mark.deep
def test_whoever_begins_a_visit_may_give_the_models_side_a_bias_which_the_visit_does_not_tell(
    clinic: Store, open_page: OpenPage, player: Rater
) -> None:
    page = open_page(PAGE, who=player, view="Play")
    page.selectbox(key="play.bias.patient").set_value("self_diagnosis").run()
    page.text_input(key="play.target.patient.self_diagnosis").set_value("scurvy").run()
    visit = begun(page)
    answer(page, say="What brings you here?", submit=True)
    assert "It hurts 2." in words(settled(page))
    assert "scurvy" not in words(page)
    assert human_played_visits.visit_loaded_from_stored_events.load_visit(
        clinic, visit
    ).bias == GivenBias(id="self_diagnosis", target="scurvy")


@pytest.mark.deep
def test_the_doctor_of_an_open_visit_is_not_shown_that_case_at_the_desk(
    clinic: Store, open_page: OpenPage, player: Rater
) -> None:
    found = queries.load_cases_by_name(clinic, "demo")
    for name in found:
        human_played_visits.start_visit(
            clinic,
            settings_store_and_runs_of_process.current_settings(),
            dataset="demo",
            role="doctor",
            person=player,
            case=name,
        )
    for view in ("Rate dialogues", "Check diagnoses"):
        said = words(open_page(PAGE, who=player, view=view))
        assert "a visit that is not over" in said
        assert not [one for one in found.values() if one.case.diagnosis in said.replace("\\", "")]
