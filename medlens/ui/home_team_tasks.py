"""The tasks of all studies as a lead's Home needs them, and their table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import pandas as pd
import streamlit as st

from medlens.review import (
    items,
    renaming_and_name_translation,
    rounds,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.rounds import Round
from medlens.review.work_progress_and_pace_by_item_and_rater import Worked
from medlens.studies.study_definition import Study
from medlens.ui import page_address, team_task_settings
from medlens.ui.page_frame import Here
from medlens.ui.team_disagreements import count_items_to_settle
from medlens.ui.team_overview import MANY, TaskDone, summarise_progress_of_task
from medlens.ui.team_task_settings import Work


@dataclass(frozen=True)
class TeamTask:
    """A task on a dataset: how far it is, what people did lately, and its round."""

    here: Here
    study: Study
    work: Work
    done: TaskDone
    worked: Worked
    round: Round

    @cached_property
    def count_items_to_settle(self) -> int | None:
        """How many items wait to be settled; None if nothing is settled in this task, or there are
        so many judgments that they are compared on Team only.
        """
        if not self.work.task.word_in or self.done.count_of_all_judgments >= MANY:
            return None
        return count_items_to_settle(self.here, self.work)

    @property
    def title_with_study(self) -> str:
        """The task's title, with the study's."""
        return f"{self.study.title}: {self.round_title}"

    @property
    def round_title(self) -> str:
        """What the round is called: as its task, unless a lead gave it a name."""
        task = self.work.task
        return renaming_and_name_translation.current_title_of_round(
            self.here.store, task.study, self.work.dataset, task.name, task.title
        )

    @property
    def current_name_of_dataset(self) -> str:
        """What the dataset is called."""
        return renaming_and_name_translation.current_name_of_dataset(
            self.here.store, self.study.name, self.work.dataset
        )


def list_team_tasks(here: Here, studies: Sequence[Study]) -> list[TeamTask]:
    """Every task on every dataset of these studies, in their order."""
    worked = work_progress_and_pace_by_item_and_rater.work_amounts_by_task_and_dataset(
        here.store, viewer=here.person
    )
    judged = cache(
        lambda: work_progress_and_pace_by_item_and_rater.judging_people_counts_by_task_and_item(
            here.store
        )
    )
    tasks = []
    for study in studies:
        for row in items.datasets_of_study(here.store, study.name):
            dataset = str(row["dataset"])
            opened = study.open(here.store, here.settings, dataset)
            for task in study.tasks(opened):
                now = rounds.current_round_of_task(here.store, task, dataset)
                if now.archived:
                    continue
                work = team_task_settings.make_work_of_task_with_settings(
                    here, task, dataset, opened
                )
                tasks.append(
                    TeamTask(
                        here,
                        study,
                        work,
                        summarise_progress_of_task(here, work, judged),
                        worked.get((task.name, dataset), Worked()),
                        now,
                    )
                )
    return tasks


_OPEN = "home.tasks"


def draw_table_of_team_tasks(
    here: Here, tasks: Sequence[TeamTask], leave_for: page_address.LeaveFor
) -> None:
    """Every task with its numbers, folded; a press on a row opens it on Team."""
    opened = st.expander(f"Every task in numbers ({len(tasks):,})", key=_OPEN, on_change="rerun")
    if not opened.open:
        return
    table = pd.DataFrame([_row(one) for one in tasks])
    if table["dataset"].nunique() == 1:
        table = table.drop(columns=["dataset"])
    key = "team.tasks"

    def pressed() -> None:
        chosen = st.session_state[key].selection.rows
        if chosen:
            work = tasks[chosen[0]].work
            leave_for("pages/5_Team.py", {"task": work.task.name, "dataset": work.dataset})

    column = st.column_config
    with opened:
        st.dataframe(
            table,
            hide_index=True,
            placeholder="–",
            key=key,
            on_select=pressed,
            selection_mode="single-row",
            column_config={
                "done": column.ProgressColumn(
                    width=130,
                    format="%d%%",
                    max_value=100,
                    help="Share of the judgments wanted: the number of items times the raters per"
                    " item",
                ),
                **dict.fromkeys(
                    ("items", "people", "judgments"), column.NumberColumn(width="small")
                ),
                "last 7 days": column.NumberColumn(
                    width="small", help="Judgments by people here; imported ones are not counted"
                ),
                "to settle": column.NumberColumn(
                    width="small",
                    help="Items on which people disagree and nobody has decided yet; from"
                    f" {MANY:,} judgments of a task on they are counted on Team only",
                ),
                "flagged": column.NumberColumn(
                    width="small", help="Items that somebody has flagged as wrong"
                ),
            },
            alt="Every task of every study, with its progress and what is waiting for a lead",
        )
        st.caption("Choose a task to see its people, agreement and disagreements.")


def share_done_in_percent(done: int, wanted: int) -> int:
    """The share as a whole number of percent: 100 only where all is done."""
    if done >= wanted > 0:
        return 100
    return min(99, math.floor(100 * done / wanted + 0.5)) if wanted else 0


def _row(one: TeamTask) -> dict[str, object]:
    """A row of the table; None for what a task cannot have."""
    return {
        "task": one.title_with_study,
        "dataset": one.current_name_of_dataset,
        "done": share_done_in_percent(
            one.done.count_of_done_judgments, one.done.count_of_wanted_judgments
        ),
        "to settle": one.count_items_to_settle,
        "flagged": one.worked.flagged,
        "items": one.done.count_of_items,
        "people": one.worked.people,
        "judgments": one.done.count_of_all_judgments,
        "last 7 days": one.worked.lately,
    }
