"""A study that is registered from outside the package is found wherever studies are listed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pytest
from pydantic import BaseModel

from medlens import cli, studies
from medlens.app import commands
from medlens.llm.declared import Done, Pipeline
from medlens.review import items
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.review.study import Study
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.ui import workshop
from tests.pages.conftest import OpenPage, words


class Answer(BaseModel):
    """Whether a note is complete."""

    complete: bool


@dataclass(frozen=True)
class Opened:
    """The toy study in one dataset."""

    dataset: str
    illustrative: bool


def add_notes(store: Store) -> str:
    items.add(
        store,
        [NewItem("n1", {"text": "No cough."})],
        study="toy",
        kind="note",
        dataset="notes",
        illustrative=True,
    )
    return "Added a note."


def export_notes(store: Store, opened: Opened, **options: Any) -> pd.DataFrame:
    return pd.DataFrame({"item": ["n1"], "text": ["No cough."]})


TASK = Task(
    name="toy_complete",
    study="toy",
    item_kind="note",
    title="Is the note complete?",
    question="Is anything missing?",
    value=Answer,
    measures=lambda one: {"complete": one.complete},
    flat=lambda one: {"complete": one.complete},
)
TOY = Study(
    name="toy",
    title="Discharge notes",
    page="app.py",
    enter="Read notes",
    icon=":material/description:",
    about="Is each discharge note complete?",
    views={TASK.name: {}},
    imports={},
    exports={"notes": ("Notes, one row each", export_notes)},
    open=lambda store, settings, dataset: Opened(dataset or "notes", illustrative=True),
    tasks=lambda opened: (TASK,),
    published="notes",
    demo=add_notes,
    pipelines=(
        Pipeline(
            study="toy",
            name="shorten",
            title="Shorten the notes",
            about="Shorter notes.",
            fields=(),
            start=lambda *given: Done(lines=(), complete=True),
        ),
    ),
)


@pytest.fixture(autouse=True)
def toy() -> Iterator[None]:
    studies.register(TOY)
    yield
    for known in (studies.STUDIES, studies.IMPORTS, studies.EXPORTS):
        for name in ("toy", "notes"):
            known.pop(name, None)


def test_a_reviewer_finds_its_work_at_home_and_its_page_in_the_menu(
    open_page: OpenPage, app_store: Store, reviewer: Rater
) -> None:
    TOY.demo(app_store)
    page = open_page(who=reviewer)
    assert not page.exception
    assert "Is each discharge note complete?" in words(page)
    assert [b for b in page.button if (b.key or "").startswith("work.toy_complete")]
    assert "Read notes" in {one.proto.label for one in page.sidebar.get("page_link")}


def test_a_lead_finds_it_on_the_pages_of_team_runs_and_data(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    TOY.demo(app_store)
    team = open_page("5_Team.py", who=lead)
    assert "Discharge notes: Is the note complete?" in team.selectbox(key="team.task").options
    runs = open_page("6_Runs.py", who=lead, new="choose")
    assert "Discharge notes: Shorten the notes" in runs.selectbox(key="runs.new.what").options
    data = open_page("7_Data.py", who=lead, **{"data.view": "Export"})
    assert not [one for page in (team, runs, data) for one in page.exception]
    assert "Discharge notes" in data.button_group(key="data.export.study").options


def test_the_command_line_names_it_and_exports_its_table(
    app_store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    TOY.demo(app_store)
    for asked, told in ((["export"], "Notes, one row each"), (["run"], "toy")):
        with pytest.raises(SystemExit):
            cli.main([*asked, "--help"])
        assert told in capsys.readouterr().out
    table = commands.export_table(
        app_store, workshop.settings(), "notes", viewer=None, study="toy", dataset="notes"
    )
    assert list(table["text"]) == ["No cough."]
