"""Home's list of what a person has to judge: the next thing first, what is finished folded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from textwrap import shorten

import streamlit as st

from medlens.config.settings import Settings
from medlens.review import (
    assignment,
    hand_out_settings,
    invitations,
    items,
    renaming_and_name_translation,
    rounds,
    withdrawn_items,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.tasks import Task
from medlens.review.work_progress_and_pace_by_item_and_rater import OwnPace
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study
from medlens.ui import home_submitted_items, page_address
from medlens.ui.dataset_choice_and_round_controls import (
    RoundOfViewer,
    iterate_rounds_of_viewer,
    why_rater_gets_nothing_new,
)
from medlens.ui.page_frame import Here, escape_markdown, escape_to_one_line
from medlens.ui.times_in_browser_time_zone import today_in_browser_time_zone

_FOR_A_LEAD = 3
"""Rows of a lead's own work in sight: most leads are given every open round and judge few."""
_FEW_AFTER_THAT = 4
"""Rows in sight below the next task, for a reviewer to whom all is merely open."""
_LONGEST = 160
"""Characters of a question on Home."""


@dataclass(frozen=True)
class OpenRound:
    """A round that a person has work in, as one row of the list.

    ``pace`` is their own work in it so far, ``seconds`` what an item usually takes (None: nobody
    has been timed), ``ends`` what remains once all items are judged, ``title`` what the row is
    called, ``withdrawn`` how many items that they had submitted are withdrawn, ``invited`` when
    they accepted an invitation to it.
    """

    study: Study
    mine: RoundOfViewer
    title: str
    pace: OwnPace | None
    seconds: float | None
    ends: str
    withdrawn: int = 0
    invited: datetime | None = None

    @property
    def has_invitation_deadline_or_started_work(self) -> bool:
        """Whether more than an open round asks for it: an invitation, a day by which it is due, or
        that it has been begun.
        """
        return bool(self.invited or self.mine.deadline or self.has_begun)

    @property
    def is_unfinished(self) -> bool:
        """Whether something is left to do."""
        return bool(self.mine.remaining_item_count or self.ends)

    @property
    def has_begun(self) -> bool:
        """Whether the person has judged or opened something here."""
        return bool(self.mine.queue.places)

    @property
    def label_of_button(self) -> str:
        """What the button says."""
        return "Start" if not self.has_begun else "Continue" if self.is_unfinished else "Review"


def draw_list_of_own_work(
    here: Here, jobs: Sequence[OpenRound], leave_for: page_address.LeaveFor
) -> None:
    """The list; a lead's is shorter, since the page is about the team."""
    unfinished = [job for job in jobs if job.is_unfinished]
    finished = [job for job in jobs if not job.is_unfinished]
    leads = here.person.role == "lead"
    if leads:
        _draw_for_lead(here, unfinished, leave_for)
    elif unfinished:
        first = unfinished[0]
        _draw_first(here, first, leave_for)
        folded = find_rounds_merely_open(jobs) or _beyond_what_is_read_at_once(unfinished)
        if in_sight := [job for job in unfinished[1:] if job not in folded]:
            st.header("After that", anchor=False)
            _draw_rows(here, in_sight, leave_for)
        if folded:
            _draw_folded(here, folded, leave_for, besides=True)
    elif finished:
        st.success("All done. Nothing waits for you at the moment.", icon=":material/check_circle:")
    else:
        st.info(
            "Nothing waits for you at the moment. Your lead decides who judges what.",
            icon=":material/inbox:",
        )
    if finished:
        judged = sum(job.mine.queue.done_and_total[0] for job in finished)
        tasks = f"{len(finished):,} task{'s' * (len(finished) != 1)}"
        with st.expander(
            f"Finished: {tasks}, {judged:,} item{'s' * (judged != 1)}", key="home.finished"
        ):
            _draw_rows(here, finished, leave_for)


def list_open_rounds_of_person(here: Here, studies: Sequence[Study]) -> list[OpenRound]:
    """What a person has to judge: what was sent back to them first, then what is due first, then
    where they judged last or were invited. Demos come last, and, for who was invited to a round,
    what is merely open to them.
    """
    own = work_progress_and_pace_by_item_and_rater.own_pace_by_task_and_dataset(
        here.store, here.person.id
    )
    usual = work_progress_and_pace_by_item_and_rater.median_seconds_per_item_by_round(here.store)
    withdrawn = withdrawn_items.count_withdrawn_items_of_rater_by_round(here.store, here.person.id)
    invited = invitations.acceptance_time_by_round_of_rater(here.store, here.person.id)
    jobs = []
    for study in studies:
        names = [str(row["dataset"]) for row in items.datasets_of_study(here.store, study.name)]
        titles = study.titles(here.store, names)
        for one in iterate_rounds_of_viewer(here, study.name):
            key = (one.task.name, one.dataset)
            pace = own.get(key)
            ends = (
                ""
                if one.remaining_item_count
                else study.ends(here.store, one.dataset, here.person.id)
            )
            seconds = (pace and pace.known_seconds_per_item) or usual.get(key)
            title = _title(here.store, one.task, one.dataset, titles)
            gone = withdrawn.get(key, 0)
            jobs.append(OpenRound(study, one, title, pace, seconds, ends, gone, invited.get(key)))
    any_invited = any(job.invited for job in jobs)
    return sorted(
        jobs,
        key=lambda job: (
            any_invited and not job.has_invitation_deadline_or_started_work,
            *_urgency(job),
        ),
    )


def find_rounds_merely_open(jobs: Sequence[OpenRound]) -> list[OpenRound]:
    """Of what a person has to judge, in the order of ``list_open_rounds_of_person``, what Home and
    the menu fold: who came for one task should not have to tell it from all that is open to
    everyone. What comes next stays in sight, and nothing is folded for who was invited to nothing.
    """
    if not any(job.invited for job in jobs):
        return []
    unfinished = [job for job in jobs if job.is_unfinished]
    return [job for job in unfinished[1:] if not job.has_invitation_deadline_or_started_work]


def _beyond_what_is_read_at_once(unfinished: Sequence[OpenRound]) -> list[OpenRound]:
    """What Home folds for who was invited to nothing, while the menu lists it: beyond a few tasks,
    what is merely open. A fold of one task would save nothing.
    """
    beyond = unfinished[1 + _FEW_AFTER_THAT :]
    folded = [job for job in beyond if not job.has_invitation_deadline_or_started_work]
    return folded if len(folded) > 1 else []


@dataclass(frozen=True)
class InvitedWork:
    """What an invitation asks for, in plain text: the task's ``title``, its ``question``, and how
    much it is (``amount``); the latter two empty if nothing is known of them.
    """

    title: str
    question: str = ""
    amount: str = ""


def title_question_and_amount_of_invited_work(
    store: Store, settings: Settings, *, task: str, dataset: str, rater: str
) -> InvitedWork:
    """What somebody is asked who is invited to a round, and how many items of it they are given and
    about how long they take; ``rater`` may be the id of nobody yet.
    """
    for study in STUDIES.values():
        names = [str(row["dataset"]) for row in items.datasets_of_study(store, study.name)]
        if dataset not in names:
            continue
        declared = {one.name: one for one in study.tasks(study.open(store, settings, dataset))}
        if (asked := declared.get(task)) is None:
            continue
        title = _title(store, asked, dataset, study.titles(store, names))
        amount = _amount(store, settings, asked, dataset, rater)
        return InvitedWork(title, _shorten_question(asked, study), amount)
    return InvitedWork(dataset)


def _amount(store: Store, settings: Settings, task: Task, dataset: str, rater: str) -> str:
    """How many items and about how long, until when; "" if none are handed out."""
    now = rounds.current_round_of_task(store, task, dataset)
    if now.state != "open":
        return ""
    usual = hand_out_settings.default_hand_out_settings(settings, task.name, task.handing_out)
    handed = hand_out_settings.hand_out_settings_in_force(store, task.name, dataset, usual)
    if now.does_hand_out_to_rater(rater):
        queue = assignment.load_rater_queue(store, task, handed, dataset=dataset, rater=rater)
        left = queue.total - queue.done
    else:
        left = assignment.count_items_for_newcomer(
            store, task, handed, dataset=dataset, rater=rater
        )
    if left <= 0:
        return ""
    facts = [f"{left:,} item{'s' * (left != 1)}"]
    if seconds := work_progress_and_pace_by_item_and_rater.median_seconds_per_item_by_round(
        store
    ).get((task.name, dataset)):
        facts.append(
            f"about {work_progress_and_pace_by_item_and_rater.duration_in_words(seconds * left)}"
        )
    if handed.deadline:
        facts.append(f"until {date.fromisoformat(handed.deadline):%-d %B %Y}")
    return ", ".join(facts)


def _title(store: Store, task: Task, dataset: str, titles: Mapping[str, str]) -> str:
    """What a round is called; ``titles`` of all datasets of its study."""
    title = renaming_and_name_translation.current_title_of_round(
        store, task.study, dataset, task.name, task.title
    )
    if len(titles) > 1 and titles[dataset] != title:
        title += f" · {titles[dataset]}"
    return title


def _urgency(job: OpenRound) -> tuple[bool, bool, str, float]:
    last = max(
        job.pace.last.timestamp() if job.pace else 0.0,
        job.invited.timestamp() if job.invited else 0.0,
    )
    return (
        not job.mine.queue.places_sent_back,
        job.mine.illustrative,
        job.mine.deadline or "9999",
        -last,
    )


def _draw_first(here: Here, job: OpenRound, leave_for: page_address.LeaveFor) -> None:
    """The next thing, with the page's one primary button."""
    with st.container(border=True, key="home.next"):
        st.header(f"{escape_markdown(job.title)}: {_left(job)}", anchor=False, divider=False)
        st.markdown(_question(job))
        if facts := _facts(job):
            st.caption(facts)
        _draw_button(job, leave_for, primary=True)
        _draw_lock(here, job)
        home_submitted_items.draw_submitted_items(here, job)


def _draw_for_lead(here: Here, jobs: Sequence[OpenRound], leave_for: page_address.LeaveFor) -> None:
    if not jobs:
        return
    st.header("Your own work", anchor=False)
    begun = [job for job in jobs if job.has_begun and (job.pace or job.mine.queue.places_sent_back)]
    in_sight = begun[:_FOR_A_LEAD]
    others = [job for job in jobs if job not in in_sight]
    _draw_rows(here, in_sight, leave_for)
    if others:
        _draw_folded(here, others, leave_for, besides=bool(in_sight))


def _draw_folded(
    here: Here, jobs: Sequence[OpenRound], leave_for: page_address.LeaveFor, *, besides: bool
) -> None:
    """What is merely open to the person, ``besides`` what is in sight."""
    with st.expander(folded_rounds_in_words(len(jobs), besides=besides), key="home.open"):
        _draw_rows(here, jobs, leave_for)


def folded_rounds_in_words(number: int, *, besides: bool) -> str:
    """What is folded: "3 other tasks open to you"; ``besides`` what is in sight."""
    return f"{number:,} {'other task' if besides else 'task'}{'s' * (number != 1)} open to you"


def _draw_rows(here: Here, jobs: Sequence[OpenRound], leave_for: page_address.LeaveFor) -> None:
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
            # What is finished as a whole is opened by its button.
            if job.is_unfinished:
                home_submitted_items.draw_submitted_items(here, job)


def _draw_button(job: OpenRound, leave_for: page_address.LeaveFor, *, primary: bool) -> None:
    task, dataset = job.mine.task.name, job.mine.dataset
    st.button(
        # What follows the verb is for who hears the page: the row shows it (home.css).
        f"{job.label_of_button}:gray[: {_continues(job)}]",
        key=f"work.{task}.{dataset}",
        help=None if primary else f"{job.label_of_button}: {job.title}",
        width=140 if primary else "stretch",
        type="primary" if primary else "secondary",
        on_click=leave_for,
        args=(job.study.page, {**job.study.views[task], "dataset": dataset}),
    )


def _continues(job: OpenRound) -> str:
    """What the button leads to, in words: which task, and where in it."""
    title = escape_to_one_line(job.title)
    if back := len(job.mine.queue.places_sent_back):
        return f"{title}, {back:,} sent back to you"
    place = job.mine.queue.next_and_last_number
    if not job.mine.remaining_item_count or place is None:
        return title
    number, last = place
    return f"{title}, item {number:,} of {last:,}"


def _draw_lock(here: Here, job: OpenRound) -> None:
    why = why_rater_gets_nothing_new(here.store, job.mine.task, job.mine.dataset, here.person.id)
    if why and job.mine.remaining_item_count:
        st.caption(f":material/lock: {why} You can finish what you have already been given.")


def _question(job: OpenRound) -> str:
    return escape_markdown(_shorten_question(job.mine.task, job.study))


def _shorten_question(task: Task, study: Study) -> str:
    asked = (task.question or study.about).strip()
    # An instruction of a team's own can be long: its first paragraph says what it is about.
    return shorten(asked.split("\n\n")[0], _LONGEST, placeholder=" …") if asked else ""


def _left(job: OpenRound) -> str:
    """How much is left, in words."""
    queue, left = job.mine.queue, job.mine.remaining_item_count
    back = len(queue.places_sent_back)
    if not left:
        return job.ends or "done"
    practice = " practice" if queue.practising else ""
    if back and back == left:
        return f"{back:,} sent back to you"
    told = f"{left:,}{practice} left"
    return told + f", {back:,} of them sent back to you" * bool(back)


def _facts(job: OpenRound) -> str:
    """About how long, until when, and how much is done; "" if nothing is known."""
    facts = []
    done, total = job.mine.queue.done_and_total
    mine = job.pace
    if job.mine.remaining_item_count and job.seconds:
        at = " at your pace" if mine and mine.known_seconds_per_item else ""
        left = work_progress_and_pace_by_item_and_rater.duration_in_words(
            job.seconds * job.mine.remaining_item_count
        )
        facts.append(f"About {left}{at}")
    elif (
        job.mine.remaining_item_count
        and mine
        and (more := work_progress_and_pace_by_item_and_rater.FEWEST_FOR_A_PACE - mine.timed) > 0
    ):
        facts.append(f"How long it takes is known after {more} more item{'s' * (more != 1)}")
    if job.mine.deadline and job.mine.remaining_item_count:
        facts.append(due_date_in_words(job.mine.deadline))
    if done:
        facts.append(f"{done:,} of {total:,} done")
    if job.withdrawn:
        facts.append(
            f"{job.withdrawn:,} that you had submitted {'was' if job.withdrawn == 1 else 'were'}"
            " withdrawn by a lead, and no longer count" + "s" * (job.withdrawn == 1)
        )
    if job.pace and job.pace.lately:
        facts.append(
            f"{job.pace.lately:,} in the last {work_progress_and_pace_by_item_and_rater.DAYS} days"
        )
    if job.mine.illustrative:
        facts.append("demo")
    return " · ".join(facts)


_NEAR: Mapping[int, str] = {-1: "yesterday", 0: "today", 1: "tomorrow"}


def due_date_in_words(deadline: str) -> str:
    """When a round is or was due, given its date as YYYY-MM-DD."""
    due = date.fromisoformat(deadline)
    days = (due - today_in_browser_time_zone()).days
    when = f"{-days:,} days ago" if days < -1 else _NEAR.get(days) or f"in {days:,} days"
    return f"{'Due' if days >= 0 else '**Was due**'} {due:%-d %B %Y} ({when})"
