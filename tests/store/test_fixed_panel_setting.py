"""A lead, or the settings file, declares that a study's raters are all that matter."""

from __future__ import annotations

import pytest

from medlens.config.settings import Settings, TaskSettings
from medlens.errors import NotAllowed
from medlens.review import hand_out_settings, raters
from medlens.store import Store
from medlens.studies.registry import STUDIES

CLINIC = STUDIES["agentclinic"]
SET = Settings(tasks={"diagnosis_match": TaskSettings(fixed_panel=True)})


def is_fixed(store: Store, settings: Settings, dataset: str = "") -> bool:
    return CLINIC.panel_is_fixed(store, settings, CLINIC.open(store, settings, dataset))


def test_no_panel_is_fixed_unless_somebody_says_so(store: Store) -> None:
    assert not is_fixed(store, Settings())
    assert is_fixed(store, SET)


def test_what_a_lead_says_holds_for_all_tasks_of_the_study_and_ahead_of_the_settings_file(
    store: Store,
) -> None:
    lead = raters.find_or_add_rater_by_name(store, "Lena Lead", role="lead")
    tasks = CLINIC.tasks(CLINIC.open(store, Settings(), ""))
    hand_out_settings.change_task_settings(store, tasks[0].name, "", {"seed": 7}, by=lead)
    hand_out_settings.declare_raters_fixed(store, tasks, "", fixed=True, by=lead)
    assert is_fixed(store, Settings())
    assert hand_out_settings.task_settings_set_by_lead(store, tasks[0].name, "") == {
        "seed": 7,
        "fixed_panel": True,
    }
    hand_out_settings.declare_raters_fixed(store, tasks, "", fixed=False, by=lead)
    assert not is_fixed(store, SET)
    assert not is_fixed(store, Settings())


def test_only_a_lead_may_say_so(store: Store) -> None:
    reviewer = raters.find_or_add_rater_by_name(store, "Rita Reviewer", role="reviewer")
    tasks = CLINIC.tasks(CLINIC.open(store, Settings(), ""))
    with pytest.raises(NotAllowed):
        hand_out_settings.declare_raters_fixed(store, tasks, "", fixed=True, by=reviewer)
    assert not is_fixed(store, Settings())
