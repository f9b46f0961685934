"""Rounds on the page: the dataset in the address, the choice of dataset, the viewer's own rounds,
and how a lead opens and closes a round.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import streamlit as st

from medlens.errors import Conflict, MedLensError
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    assignment,
    consent,
    hand_out_settings,
    items,
    practice,
    rater_exclusion,
    raters,
    remarks_between_raters_and_leads,
    rounds,
)
from medlens.review.assignment import RaterQueue
from medlens.review.raters import Role
from medlens.review.rounds import Round
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.ui import (
    archive_unarchive_and_delete_forms,
    crowd_platform_settings_and_return,
    page_address,
)
from medlens.ui.lead_remarks_and_guideline_for_rater import (
    draw_guideline_at_desk,
    draw_remarks_at_desk,
)
from medlens.ui.page_frame import (
    Here,
    escape_markdown,
    escape_to_one_line,
    known_value_in_address_or_warn,
    show_error,
)
from medlens.ui.task_share_and_desk_message_receiver import TaskShare
from medlens.ui.untrusted_markdown import draw_untrusted_markdown


@dataclass(frozen=True)
class RoundOfViewer:
    """A round in which a person holds work, or may take some."""

    task: Task
    dataset: str
    illustrative: bool
    queue: RaterQueue
    deadline: str = ""

    @property
    def remaining_item_count(self) -> int:
        """How much of the person's share remains."""
        return max(0, self.queue.total - self.queue.done)

    @property
    def has_open_or_returned_item(self) -> bool:
        """Whether the person has an open item, or one that was sent back to them."""
        return any(place.state == "open" or place.is_sent_back for place in self.queue.places)


def iterate_rounds_of_viewer(here: Here, study: str) -> Iterator[RoundOfViewer]:
    """A study's rounds with work the viewer has or may take: oldest dataset first, demos last."""
    declared, me = STUDIES[study], here.person.id
    if declared.page == DATA_PAGE:
        return  # There is no desk at which to judge it.
    there = [
        (str(row["dataset"]), bool(row["illustrative"]))
        for row in items.datasets_of_study(here.store, study)
    ]
    there.reverse()
    for dataset, illustrative in sorted(there, key=lambda one: one[1]):
        for task in declared.tasks(declared.open(here.store, here.settings, dataset)):
            if not _is_theirs(here, task, dataset):
                continue
            if rounds.current_round_of_task(here.store, task, dataset).archived:
                continue
            defaults = hand_out_settings.default_hand_out_settings(
                here.settings, task.name, task.handing_out
            )
            settings = hand_out_settings.hand_out_settings_in_force(
                here.store, task.name, dataset, defaults
            )
            held = assignment.load_rater_queue(
                here.store, task, settings, dataset=dataset, rater=me
            )
            if held.total:
                yield RoundOfViewer(task, dataset, illustrative, held, settings.deadline)


def _is_theirs(here: Here, task: Task, dataset: str) -> bool:
    me = here.person.id
    return rounds.current_round_of_task(here.store, task, dataset).does_hand_out_to_rater(
        me
    ) or assignment.was_rater_given_work(here.store, task, dataset=dataset, rater=me)


# -- which dataset ---------------------------------------------------------------------------------


def pick_dataset_and_set_address_or_stop_page(here: Here, study: str) -> str:
    """The dataset that the address names; empty if the study has none.

    If the address names none, it is the one with the viewer's work, which is then put in the
    address. If the address names one that does not exist, the page says so, offers the others, and
    stops.
    """
    known = [str(row["dataset"]) for row in items.datasets_of_study(here.store, study)]
    stop_page_if_dataset_archived(here, study)
    leads = here.person.role == "lead"
    empty = STUDIES[study].without_items(here.store) if leads else ()
    asked = known_value_in_address_or_warn("dataset", [*known, *empty], "dataset")
    if asked or not known:
        return asked
    if st.query_params.get("dataset"):
        _draw_dataset_choice(here, study)
        here.stop_page_but_draw_menu()
    dataset = default_dataset_of_viewer(here, study)
    page_address.set_values_in_address(dataset=dataset)
    return dataset


def stop_page_if_dataset_archived(here: Here, study: str) -> None:
    """If the address names a dataset that is archived, say so, show a completion code that was
    given for it, and stop.
    """
    dataset = str(st.query_params.get("dataset", ""))
    thing = archiving_of_datasets_rounds_and_runs.Thing("dataset", study, dataset)
    standing = archiving_of_datasets_rounds_and_runs.archiving_of_thing(here.store, thing)
    if standing is None:
        archive_unarchive_and_delete_forms.draw_what_was_brought_back_once()
        return
    leads = here.person.role == "lead"
    what = "study" if STUDIES[study].datasets_are_studies else "dataset"
    left = archiving_of_datasets_rounds_and_runs.counts_of_rater_work_in_archived_dataset(
        here.store, standing, rater=here.person.id
    )
    told = _work_left_in_words(left, leads=leads)
    st.info(
        f"This {what} is archived: none of its items are handed out.{told}",
        icon=":material/lock:",
    )
    if not leads:
        st.page_link("app.py", label="Back to Home", icon=":material/home:")
    else:
        st.caption(
            f"It was archived by {escape_markdown(standing.by)}: {escape_markdown(standing.reason)}"
        )
        archive_unarchive_and_delete_forms.draw_bring_back_button(here, thing)
    opened = STUDIES[study].open(here.store, here.settings, dataset)
    for task in STUDIES[study].tasks(opened):
        crowd_platform_settings_and_return.draw_return_to_platform_when_finished(
            here, task, dataset, is_left=lambda: False
        )
        crowd_platform_settings_and_return.draw_return_if_no_items(
            here.store, task, dataset, here.person.id
        )
    here.stop_page_but_draw_menu()


def _work_left_in_words(
    left: archiving_of_datasets_rounds_and_runs.WorkLeft, *, leads: bool
) -> str:
    """What became of a person's work in what is archived, in sentences; empty if they did none."""
    told = ""
    if left.submitted:
        told = f" What you submitted is kept: {_items_in_words(left.submitted)}."
    if left.since:
        after = "That one" if left.since == left.submitted == 1 else f"{left.since:,} of them"
        told += (
            f" {after} came in after it was archived: received, and"
            f" {'counts' if left.since == 1 else 'count'} like any other."
        )
    if left.begun:
        back = "once this is brought back" if leads else "if a lead brings this back"
        told += (
            f" You have begun {_items_in_words(left.begun)} that you did not submit: your draft is"
            f" kept, and you can finish it {back}."
        )
    return told


def _items_in_words(many: int) -> str:
    return f"{many:,} item{'s' * (many != 1)}"


def default_dataset_of_viewer(
    here: Here, study: str, found: Sequence[RoundOfViewer] | None = None
) -> str:
    """The viewer's default dataset: real work before a demo, work begun before work to take; the
    study's newest dataset if nothing waits for them.

    ``found`` is the result of ``mine``, if already known.
    """
    found = list(iterate_rounds_of_viewer(here, study)) if found is None else found
    if not found:
        return items.newest_dataset_not_illustrative(here.store, study)
    return min(
        found,
        key=lambda one: (
            one.illustrative,
            not one.has_open_or_returned_item,
            not one.remaining_item_count,
        ),
    ).dataset


def datasets_of_viewer(here: Here, study: str, dataset: str = "") -> list[str]:
    """The datasets of a study that the viewer may choose: a lead all, others those they are given
    or hold work in, and the open ``dataset``.
    """
    declared = STUDIES[study]
    known = [str(row["dataset"]) for row in items.datasets_of_study(here.store, study)]
    if here.person.role == "lead":
        return [*known, *declared.without_items(here.store)]
    if not known:
        return known
    return [
        one
        for one in known
        if one == dataset
        or any(
            _is_theirs(here, task, one)
            for task in declared.tasks(declared.open(here.store, here.settings, one))
        )
    ]


def _draw_dataset_choice(here: Here, study: str) -> None:
    """Where the address names a dataset that does not exist: what leads on from there."""
    declared = STUDIES[study]
    known = datasets_of_viewer(here, study)
    choose = "Choose another one, or go" if known else "Go"
    st.caption(f"It may have been removed, or its name mistyped. {choose} back to Home.")
    st.page_link("app.py", label="Back to Home", icon=":material/home:")
    if not known:
        return
    key = f"{study}.dataset"
    st.session_state[key] = None
    titles = declared.titles(here.store, known)

    def chosen() -> None:
        page_address.replace_whole_address(
            dataset=str(st.session_state[key] or ""), task=st.query_params.get("task", "")
        )

    st.selectbox(
        "Dataset",
        known,
        key=key,
        format_func=titles.__getitem__,
        on_change=chosen,
        label_visibility="collapsed",
        width=200 if list(titles) == list(titles.values()) else 320,
        placeholder="Choose a dataset",
    )


def draw_nothing_yet(here: Here, things: str) -> None:
    """Say that a study has none of these ``things`` yet, with a link to the import for leads."""
    if here.person.role != "lead":
        st.info(
            f"There are no {things} yet. A lead can import them on the Data page.",
            icon=":material/inbox:",
        )
        return
    st.info(f"There are no {things} yet.", icon=":material/inbox:")
    st.page_link("pages/7_Data.py", label="Import them", icon=":material/upload_file:")


# -- what a round is -------------------------------------------------------------------------------


def why_rater_gets_nothing_new(store: Store, task: Task, dataset: str, rater: str) -> str:
    """Why a rater gets nothing new in a round, in a sentence; empty if they do."""
    if rater in rater_exclusion.exclusions_in_force_by_rater(store, task.name, dataset):
        return "A lead has excluded your work here."
    found = rounds.current_round_of_task(store, task, dataset)
    if found.does_hand_out_to_rater(rater):
        return why_rater_did_not_pass_practice(store, task, dataset, rater)
    if found.state == "waiting":
        return "No lead has opened this round yet."
    if found.archived:
        return "This round was closed for good."
    return "This round is closed." if found.state == "closed" else "This round is for others."


def why_rater_did_not_pass_practice(store: Store, task: Task, dataset: str, rater: str) -> str:
    """What to tell a rater who did not pass practice; empty if they are not held back."""
    now = assignment.failed_practice_of_rater(store, task, dataset=dataset, rater=rater)
    if now is None:
        return ""
    left = now.count_of_attempts_left
    return (
        f"In practice you gave the expected answer to {now.count_of_expected_answers_given} of"
        f" {now.items}; {now.mark} {'is' if now.mark == 1 else 'are'} needed."
        f" {_ATTEMPTS_LEFT.get(left, f'You have {left} more attempts.')}"
    )


_ATTEMPTS_LEFT = {
    0: "You have no attempt left; your lead can let you in.",
    1: "You have one more attempt.",
}


def draw_page_and_say_if_practice_not_passed(desk: TaskShare) -> bool:
    """The page for a rater who did not pass practice: what was expected, and the next attempt.
    Returns False and draws nothing if they are not held back.
    """
    now = assignment.failed_practice_of_rater(
        desk.store, desk.task, dataset=desk.dataset, rater=desk.rater.id
    )
    if now is None:
        return False
    st.title("Practice is done", anchor=False)
    st.markdown(why_rater_did_not_pass_practice(desk.store, desk.task, desk.dataset, desk.rater.id))

    def again() -> None:
        try:
            desk.begin_next_practice_attempt()
        except MedLensError as error:
            show_error(error)

    if now.count_of_attempts_left:
        st.button(
            "Try again",
            icon=":material/replay:",
            key=f"{desk.task.name}.try_again",
            type="primary",
            on_click=again,
        )
    missed = [
        (number, one)
        for number, one in enumerate(now.items_tried_in_last_attempt, 1)
        if not one.hit
    ]
    if missed:
        st.header("What was expected", anchor=False)
    for number, one in missed:
        st.markdown(_expected(one, f"Practice {number}"))
    if not now.count_of_attempts_left:
        crowd_platform_settings_and_return.draw_return_if_no_items(
            desk.store, desk.task, desk.dataset, desk.rater.id
        )
    return True


def draw_practice_feedback(here: Here, task: Task, dataset: str) -> None:
    """At a desk: how practice works, and what was expected of the item just practised."""
    if not practice.load_practice_explanations_by_item_id(here.store, task.name, dataset):
        return
    me = here.person.id
    now = practice.practice_standing_of_rater(here.store, task, dataset=dataset, rater=me)
    ended = practice.count_practice_items_done(here.store, task.name, dataset=dataset, rater=me)
    st.session_state[_practised(task, dataset)] = ended
    new = [one for one in now.items_tried_in_last_attempt if one.new]
    begun = assignment.was_rater_given_work(here.store, task, dataset=dataset, rater=me)
    if not begun and ended < now.items:
        which = f", attempt {len(now.tries)} of {now.attempts}" if now.attempts > 1 else ""
        needed = f" You need {now.mark} of {now.items} to continue." if now.mark else ""
        st.caption(
            f":material/school: Practice{which}: {ended} of {now.items} done. After each you see"
            f" what was expected; these do not count.{needed}"
        )
    if new:
        _tell(here, task, new[0])


def _tell(here: Here, task: Task, one: practice.Tried) -> None:
    """Show what was expected, before anything else continues."""
    seen = partial(_seen, here, task, one.item)
    sign = ":material/check_circle:" if one.hit else ":material/error:"
    title = "As expected" if one.hit else "Not as expected"

    @st.dialog(f"Practice: {title.lower()}", icon=sign, width="medium", on_dismiss=seen)
    def shown() -> None:
        st.markdown(_expected(one))
        if st.button("Continue", key="practice.seen", type="primary", on_click=seen):
            st.rerun()

    shown()


def _expected(one: practice.Tried, called: str = "") -> str:
    """An item's given and expected answers, and the reason, as Markdown. ``called`` is not its
    name, which can say who wrote what is judged.
    """
    rows = [
        f"| {escape_to_one_line(asked)} | {escape_to_one_line(given)}"
        f" | {escape_to_one_line(wanted)} |"
        for asked, given, wanted in practice.list_given_beside_expected_answers(one)
    ]
    head = f"| {escape_to_one_line(called)} | you said | expected |"
    return "\n".join([head, "|---|---|---|", *rows]) + (
        f"\n\n{escape_to_one_line(one.why)}" * bool(one.why)
    )


def _seen(here: Here, task: Task, item: str) -> None:
    me = here.person
    with here.show_errors_within():
        remarks_between_raters_and_leads.store_remark_on_work(
            here.store, task, item=item, rater=me.id, kind="seen", by=me
        )


def _practised(task: Task, dataset: str) -> str:
    return f"{task.name}.{dataset}.practised"


def must_rerun_to_show_practice_answer(desk: TaskShare) -> bool:
    """Whether a fragment of a desk must rerun the page, to show what was expected in practice."""
    return bool(
        st.session_state.get(_practised(desk.task, desk.dataset), 0)
        != desk.count_of_practice_items_done
    )


def draw_round_state(
    here: Here, task: Task, dataset: str, *, is_left: Callable[[], bool] = lambda: False
) -> None:
    """The state of a round at its desk: why nothing new comes, the guideline, leads' remarks on the
    viewer's work, and a form to ask them.

    Consent comes first: the page stops here until the viewer has agreed. ``is_left`` says whether
    there is anything left to do besides the items.
    """
    _ask_consent(here, task, dataset)
    why = why_rater_gets_nothing_new(here.store, task, dataset, here.person.id)
    if why and assignment.was_rater_given_work(
        here.store, task, dataset=dataset, rater=here.person.id
    ):
        st.caption(
            f":material/lock: {why} You can finish the items you have; nothing new is handed out.",
            width="content",
        )
    draw_guideline_at_desk(here, task, dataset)
    draw_remarks_at_desk(here, task, dataset)
    draw_practice_feedback(here, task, dataset)
    crowd_platform_settings_and_return.draw_return_to_platform_when_finished(
        here, task, dataset, is_left=is_left
    )


def _ask_consent(here: Here, task: Task, dataset: str) -> None:
    if not _is_theirs(here, task, dataset):
        return
    asked = consent.consent_text_still_needed(here.store, task.name, dataset, rater=here.person.id)
    if asked is None:
        return

    def agree() -> None:
        with contextlib.suppress(Conflict):  # the new text is shown
            consent.record_consent_to_version(
                here.store, task.name, dataset, rater=here.person, version=asked.version
            )

    @st.dialog("Before you begin", width="large")
    def ask() -> None:
        if (
            consent.consent_text_still_needed(here.store, task.name, dataset, rater=here.person.id)
            != asked
        ):
            st.rerun()
        draw_untrusted_markdown(asked.text, key=f"{task.name}.consent.text")
        with st.container(horizontal=True):
            st.button(
                "I have read this and agree",
                key=f"{task.name}.consent",
                type="primary",
                on_click=agree,
            )
            if st.button("Not now", key=f"{task.name}.consent.later"):
                st.switch_page("app.py")
        st.caption(f"Version {asked.version}. Your name and the time are kept with it.")

    # For a viewer who has closed the dialog: each press redraws the page, and opens it again.
    st.button("Before you begin", key=f"{task.name}.consent.open", icon=":material/contract:")
    ask()
    here.stop_page_but_draw_menu()


def draw_round_controls_and_return_names_by_id(
    here: Here, task: Task, dataset: str
) -> dict[str, str]:
    """Whether a round is open and to whom, with a lead's controls (leads); returns the names of the
    people the lead has chosen, by id.
    """
    everyone = raters.list_raters(here.store)
    now = rounds.current_round_of_task(here.store, task, dataset)
    people = {one.id: one.name for one in everyone if one.id in now.raters or one.can_sign_in}
    key = f"round.{task.name}.{dataset}"
    st.header("Round", anchor=False)
    st.markdown(_said(now, people))
    if error := st.session_state.pop(f"{key}.error", None):
        show_error(error)
    act = partial(_set, here, task, dataset, key, now)
    if now.archived:
        return {one: people[one] for one in now.raters or people}
    if asked := st.session_state.get(f"{key}.asked"):
        _choose(asked, now, people, key, act)
        return {one: people[one] for one in now.raters or people}
    shown = f"{key}.people.{hash(now)}"

    def name_all(role: Role) -> None:
        st.session_state[shown] = [
            one.id for one in everyone if one.id in people and one.role == role
        ]

    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect(
            "Given to",
            list(people),
            default=sorted(now.raters, key=people.__getitem__),
            format_func=people.__getitem__,
            key=shown,
            placeholder="everyone",
            width=420,
        )
        if now.state != "open":
            words = "Open the round" if now.state == "waiting" else "Open it again"
            st.button(words, key=f"{key}.open", type="primary", on_click=act, args=("open", shown))
        else:
            st.button(
                "Assign to these people",
                key=f"{key}.give",
                on_click=act,
                args=("open", shown),
                disabled=frozenset(chosen) == now.raters,
            )
            st.button("Close the round", key=f"{key}.close", on_click=act, args=("closed", shown))
        st.button(
            "Name all reviewers",
            key=f"{key}.reviewers",
            type="tertiary",
            on_click=name_all,
            args=("reviewer",),
        )
    if now.state == "open" and (now.raters or people.keys()) - set(chosen or people):
        st.caption("Anyone no longer named gets nothing new, but can finish what they have.")
    return {one: people[one] for one in chosen or people}


@dataclass(frozen=True)
class _Asked:
    """A lead's change to a round that another lead has changed since, and the round before both."""

    state: Literal["open", "closed"]
    raters: tuple[str, ...]
    before: Round


def _choose(
    asked: _Asked,
    now: Round,
    people: dict[str, str],
    key: str,
    act: Callable[[Literal["open", "closed"], str | None], None],
) -> None:
    """Show what another lead changed in the meantime, and ask whether to overwrite it."""
    who = (
        escape_markdown(people.get(now.by, "Somebody"))
        if now.by != "command line"
        else "The command line"
    )
    mine = _said(Round(asked.state, frozenset(asked.raters)), people)
    st.warning(
        f"{who} has changed this round since you opened it. Yours is not saved yet.\n"
        f"- It was: {_said(asked.before, people)}\n- It is now: {_said(now, people)}\n"
        f"- Yours: {mine}"
    )
    with st.container(horizontal=True):
        st.button("Keep mine", key=f"{key}.mine", on_click=act, args=(asked.state, None))
        st.button(
            "Use theirs",
            key=f"{key}.theirs",
            on_click=lambda: st.session_state.pop(f"{key}.asked", None),
        )


def _said(now: Round, people: dict[str, str]) -> str:
    if now.state == "waiting":
        return (
            ":material/hourglass_empty: **Not opened yet.** Nobody gets any of its items until"
            " you open it."
        )
    if now.archived:
        return ":material/archive: **Archived.** Nothing is handed out, and Home does not list it."
    if now.state == "closed":
        return (
            ":material/lock: **Closed.** Nothing new is handed out. People keep their items and"
            " drafts, and can finish them."
        )
    to = ", ".join(sorted(escape_markdown(people[one]) for one in now.raters)) or "everyone"
    return f":material/lock_open: **Open** to {to}."


def _set(
    here: Here,
    task: Task,
    dataset: str,
    key: str,
    drawn: Round,
    state: Literal["open", "closed"],
    shown: str | None,
) -> None:
    """Make a lead's change, if the round is still as it was drawn; ``shown`` is the session key of
    the people they chose, None after they were asked.
    """
    asked: _Asked | None = st.session_state.pop(f"{key}.asked", None)
    if shown is not None:
        asked = _Asked(state, tuple(st.session_state[shown]), drawn)
    if asked is None:
        return
    try:
        rounds.open_or_close_round(
            here.store,
            task,
            dataset,
            state=state,
            raters=asked.raters,
            by=here.person,
            seen=drawn.revision,
        )
    except Conflict:
        st.session_state[f"{key}.asked"] = asked
    except MedLensError as error:
        st.session_state[f"{key}.error"] = error
