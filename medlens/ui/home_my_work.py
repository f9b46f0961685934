"""Home's list of what a person has to judge: the next thing first, what is finished folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from textwrap import shorten

import streamlit as st

from medlens.review import items, renaming, withdrawn_items, work_progress
from medlens.review.work_progress import OwnWork
from medlens.studies.study_definition import Study
from medlens.ui import page_address
from medlens.ui.browser_time_zone import today_in_browser_time_zone
from medlens.ui.page_frame import Here, escape_markdown, escape_to_one_line
from medlens.ui.rounds import RoundOfViewer, rounds_of_viewer, why_rater_gets_nothing_new

_FOR_A_LEAD = 3
"""Rows of a lead's own work in sight: most leads are given every open round and judge few."""
_LONGEST = 160
"""Characters of a question on Home."""


@dataclass(frozen=True)
class Job:
    """A round that a person has work in, as one row of the list.

    ``pace`` is their own work in it so far, ``seconds`` what an item usually takes (None: nobody
    has been timed), ``ends`` what remains once all items are judged, ``title`` what the row is
    called, ``withdrawn`` how many items that they had submitted are withdrawn.
    """

    study: Study
    mine: RoundOfViewer
    title: str
    pace: OwnWork | None
    seconds: float | None
    ends: str
    withdrawn: int = 0

    @property
    def is_unfinished(self) -> bool:
        """Whether something is left to do."""
        return bool(self.mine.left or self.ends)

    @property
    def has_begun(self) -> bool:
        """Whether the person has judged or opened something here."""
        return bool(self.mine.queue.places)

    @property
    def button_label(self) -> str:
        """What the button says."""
        return "Start" if not self.has_begun else "Continue" if self.is_unfinished else "Review"


def draw_list_of_own_work(
    here: Here, studies: Sequence[Study], leave_for: page_address.LeaveFor
) -> None:
    """The list; a lead's is shorter, since the page is about the team."""
    jobs = jobs_of_person(here, studies)
    unfinished = [job for job in jobs if job.is_unfinished]
    finished = [job for job in jobs if not job.is_unfinished]
    leads = here.person.role == "lead"
    if leads:
        _draw_for_lead(here, unfinished, leave_for)
    elif unfinished:
        first, *others = unfinished
        _draw_first(here, first, leave_for)
        if others:
            st.header("After that", anchor=False)
            _draw_rows(here, others, leave_for)
    elif finished:
        st.success("All done. Nothing waits for you at the moment.", icon=":material/check_circle:")
    else:
        st.info(
            "Nothing waits for you at the moment. Your lead decides who judges what.",
            icon=":material/inbox:",
        )
    if finished:
        judged = sum(job.mine.queue.work[0] for job in finished)
        tasks = f"{len(finished):,} task{'s' * (len(finished) != 1)}"
        with st.expander(
            f"Finished: {tasks}, {judged:,} item{'s' * (judged != 1)}", key="home.finished"
        ):
            _draw_rows(here, finished, leave_for)


def jobs_of_person(here: Here, studies: Sequence[Study]) -> list[Job]:
    """What a person has to judge: what was sent back to them first, then what is due first, then
    where they judged last. Demos come last.
    """
    own = work_progress.own_work_by_task_and_dataset(here.store, here.person.id)
    usual = work_progress.median_seconds_per_item(here.store)
    withdrawn = withdrawn_items.count_withdrawn_items_of_rater(here.store, here.person.id)
    jobs = []
    for study in studies:
        names = [str(row["dataset"]) for row in items.datasets_of_study(here.store, study.name)]
        titles = study.titles(here.store, names)
        for one in rounds_of_viewer(here, study.name):
            key = (one.task.name, one.dataset)
            pace = own.get(key)
            ends = "" if one.left else study.ends(here.store, one.dataset, here.person.id)
            seconds = (pace and pace.seconds_per_item) or usual.get(key)
            title = renaming.round_title(
                here.store, study.name, one.dataset, one.task.name, one.task.title
            )
            if len(names) > 1 and titles[one.dataset] != title:
                title += f" · {titles[one.dataset]}"
            gone = withdrawn.get(key, 0)
            jobs.append(Job(study, one, title, pace, seconds, ends, gone))
    return sorted(jobs, key=_urgency)


def describe_task_and_items_for_viewer(
    here: Here, studies: Sequence[Study], *, task: str, dataset: str
) -> tuple[str, str]:
    """What a task asks, and how many items of it are for this person and about how long they take,
    in Markdown; both empty if it is not open to them.
    """
    for job in jobs_of_person(here, [one for one in studies if task in one.views]):
        if (job.mine.task.name, job.mine.dataset) == (task, dataset) and job.mine.left:
            many = f"{job.mine.left:,} item{'s' * (job.mine.left != 1)}"
            facts = _facts(job).replace(" at the usual pace", "")
            return _question(job), " · ".join(filter(None, (many, facts)))
    return "", ""


def _urgency(job: Job) -> tuple[bool, bool, str, float]:
    last = job.pace.last.timestamp() if job.pace else 0.0
    return (
        not job.mine.queue.sent_back,
        job.mine.illustrative,
        job.mine.deadline or "9999",
        -last,
    )


def _draw_first(here: Here, job: Job, leave_for: page_address.LeaveFor) -> None:
    """The next thing, with the page's one primary button."""
    with st.container(border=True, key="home.next"):
        st.header(f"{escape_markdown(job.title)}: {_left(job)}", anchor=False, divider=False)
        st.markdown(_question(job))
        if facts := _facts(job):
            st.caption(facts)
        _draw_button(job, leave_for, primary=True)
        _draw_lock(here, job)


def _draw_for_lead(here: Here, jobs: Sequence[Job], leave_for: page_address.LeaveFor) -> None:
    if not jobs:
        return
    st.header("Your own work", anchor=False)
    begun = [job for job in jobs if job.has_begun and (job.pace or job.mine.queue.sent_back)]
    in_sight = begun[:_FOR_A_LEAD]
    others = [job for job in jobs if job not in in_sight]
    _draw_rows(here, in_sight, leave_for)
    if others:
        more = f"{len(others):,} {'other task' if in_sight else 'task'}{'s' * (len(others) != 1)}"
        with st.expander(f"{more} open to you", key="home.open"):
            _draw_rows(here, others, leave_for)


def _draw_rows(here: Here, jobs: Sequence[Job], leave_for: page_address.LeaveFor) -> None:
    for job in jobs:
        key = f"home.row.{job.mine.task.name}.{job.mine.dataset}"
        with st.container(key=key):
            words, button = st.columns([5, 1], vertical_alignment="center")
            with words, st.container(gap=None):
                st.markdown(f"**{escape_markdown(job.title)}**: {_left(job)}")
                st.caption(f"{_question(job)} {_facts(job)}")
                _draw_lock(here, job)
            with button:
                _draw_button(job, leave_for, primary=False)


def _draw_button(job: Job, leave_for: page_address.LeaveFor, *, primary: bool) -> None:
    task, dataset = job.mine.task.name, job.mine.dataset
    st.button(
        # What follows the verb is for who hears the page: the row shows it (home.css).
        f"{job.button_label}:gray[: {_continues(job)}]",
        key=f"work.{task}.{dataset}",
        help=None if primary else f"{job.button_label}: {job.title}",
        width=140 if primary else "stretch",
        type="primary" if primary else "secondary",
        on_click=leave_for,
        args=(job.study.page, {**job.study.views[task], "dataset": dataset}),
    )


def _continues(job: Job) -> str:
    """What the button leads to, in words: which task, and where in it."""
    done, total = job.mine.queue.work
    title = escape_to_one_line(job.title)
    if back := len(job.mine.queue.sent_back):
        return f"{title}, {back:,} sent back to you"
    if not job.mine.left:
        return title
    return f"{title}, item {min(done + 1, total):,} of {total:,}"


def _draw_lock(here: Here, job: Job) -> None:
    why = why_rater_gets_nothing_new(here.store, job.mine.task, job.mine.dataset, here.person.id)
    if why and job.mine.left:
        st.caption(f":material/lock: {why} You can finish what you have already been given.")


def _question(job: Job) -> str:
    asked = (job.mine.task.question or job.study.about).strip()
    # An instruction of a team's own can be long: its first paragraph says what it is about.
    first = asked.split("\n\n")[0]
    return escape_markdown(shorten(first, _LONGEST, placeholder=" …")) if asked else ""


def _left(job: Job) -> str:
    """How much is left, in words."""
    queue, left = job.mine.queue, job.mine.left
    back = len(queue.sent_back)
    if not left:
        return job.ends or "done"
    practice = " practice" if queue.practising else ""
    if back and back == left:
        return f"{back:,} sent back to you"
    told = f"{left:,}{practice} left"
    return told + f", {back:,} of them sent back to you" * bool(back)


def _facts(job: Job) -> str:
    """About how long, until when, and how much is done; "" if nothing is known."""
    facts = []
    done, total = job.mine.queue.work
    mine = job.pace
    if job.mine.left and job.seconds:
        whose = "your" if mine and mine.seconds_per_item else "the usual"
        left = work_progress.time_in_words(job.seconds * job.mine.left)
        facts.append(f"About {left} at {whose} pace")
    elif job.mine.left and mine and (more := work_progress.FEWEST_FOR_A_PACE - mine.timed) > 0:
        facts.append(f"How long it takes is known after {more} more item{'s' * (more != 1)}")
    if job.mine.deadline and job.mine.left:
        facts.append(due_in_words(job.mine.deadline))
    if done:
        facts.append(f"{done:,} of {total:,} done")
    if job.withdrawn:
        facts.append(
            f"{job.withdrawn:,} that you had submitted {'was' if job.withdrawn == 1 else 'were'}"
            " withdrawn by a lead, and no longer count" + "s" * (job.withdrawn == 1)
        )
    if job.pace and job.pace.lately:
        facts.append(f"{job.pace.lately:,} in the last {work_progress.DAYS} days")
    if job.mine.illustrative:
        facts.append("illustrative demo")
    return " · ".join(facts)


_NEAR: Mapping[int, str] = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def due_in_words(deadline: str) -> str:
    """When a round is or was due, given its date as YYYY-MM-DD."""
    due = date.fromisoformat(deadline)
    days = (due - today_in_browser_time_zone()).days
    when = f"{-days:,} days ago" if days < -1 else _NEAR.get(days) or f"in {days:,} days"
    return f"{'Due' if days >= 0 else '**Was due**'} {due:%-d %B %Y} ({when})"
