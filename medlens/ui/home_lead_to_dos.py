"""What needs a lead, on Home: each a press away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import streamlit as st

from medlens.llm import completion_run_and_job_queries
from medlens.review import (
    completion_code_rules_and_decisions,
    raters,
    remarks_between_raters_and_leads,
)
from medlens.review.run_names import list_models_in_run_configuration
from medlens.store import utc_now
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.home_my_work import due_date_in_words
from medlens.ui.home_team_tasks import TeamTask
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.runs.run_titles import title_of_run
from medlens.ui.times_in_browser_time_zone import today_in_browser_time_zone

TEAM, RUNS = "pages/5_Team.py", "pages/6_Runs.py"
_IN_SIGHT = 6
_DUE_WITHIN = 7
"""Days before a round's date from which on it is listed."""
_RUNS, _RUNS_FOR = 20, timedelta(days=14)
"""How many of the newest runs are looked at, and how long one that stopped is listed."""
_BROKE_OFF = {
    "stopped": "stopped",
    "failed": "failed",
    "interrupted": "was interrupted",
    "unusable": "brought no usable answer",
}
_NAMED = 3
_CAN_SIGN_IN = ("app", "oidc")


@dataclass(frozen=True)
class Need:
    """One thing that waits for a lead, and the page and address where it is done."""

    icon: str
    words: str
    page: str
    query: Mapping[str, str]


def draw_what_needs_lead(here: Here, tasks: Sequence[TeamTask]) -> None:
    """The list; if nothing waits, it says so."""
    needs = list(what_needs_lead(here, tasks))
    st.header("Needs you", anchor=False)
    if not needs:
        st.markdown("Nothing at the moment.")
        return
    with st.container(key="needs", gap="small"):
        _draw(needs[:_IN_SIGHT])
    if rest := needs[_IN_SIGHT:]:
        with (
            st.expander(f"{len(rest):,} more", key="home.needs"),
            st.container(key="needs_more", gap="small"),
        ):
            _draw(rest)


def _draw(needs: Sequence[Need]) -> None:
    for need in needs:
        st.page_link(
            need.page,
            label=need.words,
            icon=f":material/{need.icon}:",
            query_params=need.query,
            width="stretch",
        )


def what_needs_lead(here: Here, tasks: Sequence[TeamTask]) -> Iterator[Need]:
    """What waits for a lead: people who wait for an answer first, then what is late or broke off,
    what divides raters, and what nobody has been given.
    """
    several = len({one.work.dataset for one in tasks}) > len({one.study.name for one in tasks})
    waiting = completion_code_rules_and_decisions.undecided_code_counts_by_round(here.store)
    unanswered = remarks_between_raters_and_leads.unanswered_remark_counts_by_round(here.store)

    def of(one: TeamTask) -> str:
        task, dataset = one.round_title, one.current_name_of_dataset
        title = one.study.titles(here.store, [one.work.dataset])[one.work.dataset]
        if title != dataset:
            # A study whose datasets have titles is known by these.
            return escape_markdown(task if title == task else f"{task} ({title})")
        name = f"{escape_markdown(task)} ({escape_markdown(one.study.title)})"
        return f"{name} · {escape_markdown(dataset)}" if several else name

    for one in tasks:
        where = {"task": one.work.task.name, "dataset": one.work.dataset}
        if many := waiting.get((one.work.task.name, one.work.dataset), 0):
            who = f"{many:,} {'person waits' if many == 1 else 'people wait'}"
            words = f"{who} for a completion code in {of(one)}"
            yield Need("hourglass_top", words, TEAM, {"section": "codes", **where})
        if many := unanswered.get((one.work.task.name, one.work.dataset), 0):
            words = f"{many:,} flag{'s' * (many != 1)} or question{'s' * (many != 1)} in {of(one)}"
            yield Need("flag", words, TEAM, {"section": "flags", **where})
    for one in tasks:
        if _is_due(one):
            due = due_date_in_words(one.work.settings.deadline)
            done, wanted = one.done.count_of_done_judgments, one.done.count_of_wanted_judgments
            words = f"{due}: {of(one)}, {done:,} of {wanted:,} done"
            where = {"task": one.work.task.name, "dataset": one.work.dataset}
            yield Need("event", words, TEAM, where)
    yield from _broken_runs(here)
    for one in tasks:
        if one.count_items_to_settle:
            where = {"task": one.work.task.name, "dataset": one.work.dataset}
            words = f"{one.count_items_to_settle:,} disagreements to settle in {of(one)}"
            yield Need("balance", words, TEAM, {"section": "disagreements", **where})
    unopened = set()
    for one in tasks:
        dataset = (one.study.name, one.work.dataset)
        if one.round.state == "waiting" and one.done.count_of_items and dataset not in unopened:
            unopened.add(dataset)
            where = {"task": one.work.task.name, "dataset": one.work.dataset}
            name = f"{escape_markdown(one.current_name_of_dataset)},"
            name += f" {escape_markdown(one.round_title)}"
            words = f"Not opened to anyone yet: {name}"
            yield Need("hourglass_empty", words, TEAM, {"section": "hand-out", **where})
    yield from _without_work(here, tasks)


def _is_due(one: TeamTask) -> bool:
    deadline = one.work.settings.deadline
    if (
        not deadline
        or one.round.state != "open"
        or one.done.count_of_done_judgments >= one.done.count_of_wanted_judgments
    ):
        return False
    return (date.fromisoformat(deadline) - today_in_browser_time_zone()).days <= _DUE_WITHIN


def _broken_runs(here: Here) -> Iterator[Need]:
    """The runs of the last days that ended before they were done, unless the same was run again
    later with the same models on the same dataset.
    """
    launcher = settings_store_and_runs_of_process.run_launcher_of_process()
    later: set[tuple[str, ...]] = set()
    for run in completion_run_and_job_queries.list_current_runs(
        here.store, study="", limit=_RUNS, offset=0
    ):
        kind = (str(run["study"]), str(run["kind"]))
        state = launcher.state_name_of_run(run)
        same = (
            *kind,
            str(run["config"].get("dataset", "")),
            *list_models_in_run_configuration(run["config"]),
        )
        if state in _BROKE_OFF and same not in later and utc_now() - run["made_at"] < _RUNS_FOR:
            total = max(run["counts"].get("total") or 0, run["done"] + run["failed"])
            words = f"Run {_BROKE_OFF[state]}: {escape_markdown(title_of_run(here.store, run))}"
            words += f", {run['done']:,} of {total:,} done"
            yield Need("pause_circle", words, RUNS, {"run": str(run["id"])})
        later.add(same)


def _without_work(here: Here, tasks: Sequence[TeamTask]) -> Iterator[Need]:
    """Reviewers whom no open round with work left is given to, while others have work."""
    going = [
        one
        for one in tasks
        if one.round.state == "open"
        and one.done.count_of_done_judgments < one.done.count_of_wanted_judgments
    ]
    if not going:
        return
    idle = [
        person.name
        for person in raters.list_raters(here.store)
        if person.kind == "person"
        and person.origin in _CAN_SIGN_IN
        and person.role == "reviewer"
        and not any(one.round.does_hand_out_to_rater(person.id) for one in going)
    ]
    if idle:
        named = ", ".join(map(escape_markdown, idle[:_NAMED])) + ", …" * (len(idle) > _NAMED)
        who = "1 person has" if len(idle) == 1 else f"{len(idle):,} people have"
        where = {"task": going[0].work.task.name, "dataset": going[0].work.dataset}
        yield Need(
            "person_off", f"{who} nothing to judge: {named}", TEAM, {"section": "hand-out", **where}
        )
