"""Team's overview of a task: its progress, when it will be done, and what waits for a lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

import streamlit as st

from medlens.review import (
    completion_code_rules_and_decisions,
    items,
    rater_exclusion,
    raters_compared_with_others,
    remarks_between_raters_and_leads,
    renaming_and_name_translation,
    rounds,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.tasks import Task
from medlens.store import utc_now
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study
from medlens.ui import page_address
from medlens.ui.page_frame import Here, escape_markdown
from medlens.ui.team_agreement import compute_once_per_data_version, judgments_table_of_work
from medlens.ui.team_disagreements import count_items_to_settle, count_open_and_settled_items
from medlens.ui.team_task_settings import Work, rerun_page_on_change
from medlens.ui.times_in_browser_time_zone import to_browser_time_zone

MANY = 10_000
"""Judgments of a task, which take half a second to compare."""


def draw_overview_of_task(here: Here, work: Work) -> None:
    """How many of the wanted judgments are done, when the rest will be, and what waits; live."""
    rerun_page_on_change(here.store)
    st.header("Progress", anchor=False)
    called = renaming_and_name_translation.current_name_of_dataset(
        here.store, work.task.study, work.dataset
    )
    round_ = renaming_and_name_translation.current_title_of_round(
        here.store, work.task.study, work.dataset, work.task.name, ""
    )
    st.caption(
        f"{escape_markdown(round_)} · dataset {escape_markdown(called)}"
        if round_
        else f"Dataset {escape_markdown(called)}"
    )
    now = summarise_progress_of_task(here, work)
    if not now.counts:
        st.markdown(
            f"Nothing can be judged yet: the dataset has no {_thing(work)}. Import some on Data, or"
            " have models make them on Runs where the study has that."
        )
        return
    lately = compute_once_per_data_version(
        here,
        work,
        f"lately {utc_now():%F}",
        lambda: work_progress_and_pace_by_item_and_rater.count_items_judged_lately(
            here.store, work.task, dataset=work.dataset
        ),
        small=True,
    )
    thing = _thing(work)
    flagged = f"; {now.flagged:,} flagged without an answer" * bool(now.flagged)
    of_demo = compute_once_per_data_version(
        here,
        work,
        "judged by a demo's raters",
        lambda: work_progress_and_pace_by_item_and_rater.have_demo_raters_judged(
            here.store, work.task.name, work.dataset
        ),
        small=True,
    )
    # Beside the demo's raters each item is given to as many people: what they judge is no surplus.
    beyond = f"; {now.count_of_surplus_judgments:,} more than wanted" * bool(
        now.count_of_surplus_judgments and not of_demo
    )
    st.progress(
        now.count_of_done_judgments / now.count_of_wanted_judgments
        if now.count_of_wanted_judgments
        else 0.0,
        text=f"{now.count_of_done_judgments:,} of {now.count_of_wanted_judgments:,} judgments"
        f" ({now.each} per {thing}{flagged}{beyond})",
    )
    if of_demo:
        st.caption(
            "The judgments of the demo's own raters are among these. They take nobody's place: each"
            f" {thing} is given to your people as if nobody had judged it."
        )
    with st.container(horizontal=True, gap="medium"):
        st.metric(
            f"Judged here in {work_progress_and_pace_by_item_and_rater.DAYS} days",
            f"{lately:,}",
            width="content",
            help="Judgments that people made in MedLens, each item and person once; imported ones"
            " do not count",
        )
        st.metric(
            "Expected to finish",
            _end(now.count_of_wanted_judgments - now.count_of_done_judgments, lately),
            width="content",
            help=f"At the pace of the last {work_progress_and_pace_by_item_and_rater.DAYS} days,"
            f" once they have {FEWEST_FOR_A_DATE} judgments or more",
        )
    st.caption("Each item counts once; items in progress are not counted by their judgments")
    with st.container(horizontal=True, gap="medium"):
        for title, many, told in _states(here, work, now.each):
            st.metric(title, f"{many:,}", width="content", help=told)
    if now.count_of_all_judgments and now.count_of_all_judgments < MANY:
        st.caption("Among the items that two or more people have judged")
        with st.container(horizontal=True, gap="medium"):
            for title, many, told in _answers_apart(here, work):
                st.metric(title, f"{many:,}", width="content", help=told)
    _draw_waiting(
        here,
        work,
        now.count_of_all_judgments,
        done=now.count_of_done_judgments >= now.count_of_wanted_judgments > 0,
    )
    _draw_matrix(here)


def _states(here: Here, work: Work, each: int) -> Iterator[tuple[str, int, str | None]]:
    """The states of items, the number in each, and its meaning."""
    # An item stays in progress for a limited time only, so count again every minute.
    given = here.store.data_version_of_tables("assignment", "assignment_event", "selection")
    found = dict(
        compute_once_per_data_version(
            here,
            work,
            f"states {given} {utc_now():%F %H:%M}",
            lambda: work_progress_and_pace_by_item_and_rater.count_items_by_state(
                here.store, work.task, dataset=work.dataset
            ),
            small=True,
        )
    )
    yield "Not started", found.pop("not started", 0), "Nobody has judged or opened them"
    yield "In progress", found.pop("in work", 0), "Somebody has opened them and not submitted yet"
    by_count = Counter[int]()
    for count, many in found.items():
        by_count[min(int(count), each)] += many
    for n in sorted(by_count):
        more = " or more" if n == each else ""
        yield f"With {n}{more} judgment{'s' * (n != 1)}", by_count[n], None


def _answers_apart(here: Here, work: Work) -> Iterator[tuple[str, int, str]]:
    """The items on which people disagree, and those settled: they are among the states too."""
    divided, settled = count_open_and_settled_items(here, work)
    told = "People who judged them disagree"
    if not work.task.word_in:
        yield "Disagreement", divided, f"{told}; here nothing needs settling"
    else:
        yield "Disagreement", divided, f"{told}, and nobody has decided"
        yield "Settled", settled, "A lead has decided where people disagreed"


_MATRIX = "team.matrix"


def _draw_matrix(here: Here) -> None:
    """Everyone's work in every task; a press on a cell opens that person's work in that task."""
    opened = st.expander(
        "Everyone's work in every task",
        key=f"{_MATRIX}.open",
        on_change="rerun",
        icon=":material/grid_on:",
    )
    if not opened.open:
        return
    found = work_progress_and_pace_by_item_and_rater.work_of_everyone_table(
        here.store, viewer=here.person
    )
    where = {
        (task.name, dataset): _title(here, declared, task, dataset, len(there))
        for declared in STUDIES.values()
        for there in [
            [str(row["dataset"]) for row in items.datasets_of_study(here.store, declared.name)]
        ]
        for dataset in there
        for task in declared.tasks(declared.open(here.store, here.settings, dataset))
    }
    found = found[[key in where for key in zip(found["task"], found["dataset"], strict=True)]]
    with opened:
        if found.empty:
            st.markdown("Nobody has judged anything yet.")
            return
        cells = [
            f"{judged:,}"
            + f" + {flagged:,} flagged" * bool(flagged)
            + f" + {open_:,} open" * bool(open_)
            + " (excluded)" * out
            for judged, flagged, open_, out in zip(
                *(found[name] for name in ("judged", "flagged", "open", "excluded")), strict=True
            )
        ]
        found = found.assign(cell=cells, where=found[["task", "dataset"]].apply(tuple, axis=1))
        table = found.pivot(index=["rater", "rater_id"], columns="where", values="cell").fillna("")
        kept_in = [one for one in where if one in table.columns]
        ids = [rater for _, rater in table.index]
        shown = table[kept_in].reset_index(drop=True)
        shown.columns = [where[one] for one in kept_in]
        shown.insert(0, "rater", [name for name, _ in table.index])

        def pressed() -> None:
            chosen = st.session_state[_MATRIX].selection.cells
            named = {title: key for key, title in where.items()}
            if chosen and chosen[0][1] in named:
                task, dataset = named[chosen[0][1]]
                whose = ids[chosen[0][0]] if shown.iloc[chosen[0][0]][chosen[0][1]] else ""
                page_address.replace_whole_address(
                    section="raters", task=task, dataset=dataset, whose=whose
                )

        st.dataframe(
            shown,
            hide_index=True,
            key=_MATRIX,
            on_select=pressed,
            selection_mode="single-cell",
            column_config={"rater": st.column_config.TextColumn(pinned=True)},
            alt="How many items each person has judged in each task, and has in hand",
        )
        st.caption(
            "Press a cell to see that person's work in that task. What a lead has excluded counts"
            " nowhere else."
        )


def _title(here: Here, declared: Study, task: Task, dataset: str, many: int) -> str:
    round_ = renaming_and_name_translation.current_title_of_round(
        here.store, declared.name, dataset, task.name, task.title
    )
    title = f"{declared.title}: {round_}"
    called = renaming_and_name_translation.current_name_of_dataset(
        here.store, declared.name, dataset
    )
    return f"{title} · {called}" if many > 1 else title


@dataclass(frozen=True)
class TaskDone:
    """How much of a task is done: the judgments wanted of ``each`` item, and ``counts``, how many
    items have 0, 1, 2 … of them; ``flagged`` of these are flags without an answer
    (``work_progress_and_pace_by_item_and_rater.flag_counts_by_item_if_everyone_answers``).
    """

    each: int
    counts: Sequence[tuple[int, int]]
    flagged: int

    @property
    def count_of_items(self) -> int:
        """The number of items to hand out."""
        return sum(count for _, count in self.counts)

    @property
    def count_of_wanted_judgments(self) -> int:
        """The number of judgments wanted."""
        return self.each * self.count_of_items

    @property
    def count_of_done_judgments(self) -> int:
        """How many of these are done, flags included."""
        return sum(min(n, self.each) * count for n, count in self.counts)

    @property
    def count_of_surplus_judgments(self) -> int:
        """How many were made beyond those wanted, of items that more people have judged."""
        return sum(max(0, n - self.each) * count for n, count in self.counts)

    @property
    def count_of_all_judgments(self) -> int:
        """The number of judgments, also beyond those wanted."""
        return sum(n * count for n, count in self.counts) - self.flagged


def summarise_progress_of_task(
    here: Here, work: Work, judged: Callable[[], Mapping[str, Mapping[str, int]]] | None = None
) -> TaskDone:
    """How much of the task is done, computed once per version of the data; from ``judged``
    (``work_progress_and_pace_by_item_and_rater.judging_people_counts_by_task_and_item``) if many
    tasks are asked for.
    """
    task, dataset = work.task, work.dataset

    def made() -> TaskDone:
        found = (
            judged()
            if judged
            else work_progress_and_pace_by_item_and_rater.judging_people_counts_by_task_and_item(
                here.store, task=task.name, dataset=dataset
            )
        )
        by = work_progress_and_pace_by_item_and_rater.flag_counts_by_item_if_everyone_answers(
            here.store, task, dataset=dataset
        )
        flagged = by.total()
        by.update(found.get(task.name, {}))
        counts = work_progress_and_pace_by_item_and_rater.list_item_counts_per_number_of_judgments(
            here.store, task, dataset=dataset, judged=by
        )
        return TaskDone(_each(here, work), counts, flagged)

    given = ("assignment", "assignment_event") if task.everyone else ()
    drawn = (
        here.store.data_version_of_tables("selection", "task_round", *given),
        work.settings.raters_per_item,
    )
    return compute_once_per_data_version(here, work, f"done {drawn}", made, small=True)


def _each(here: Here, work: Work) -> int:
    """The number of judgments wanted per item."""
    if not work.task.everyone:
        return work.settings.raters_per_item
    table = work_progress_and_pace_by_item_and_rater.work_by_rater_table(
        here.store, work.task, dataset=work.dataset, viewer=here.person
    )
    # Not those who only looked, such as the lead who drew the questions.
    begun = table["rater_id"][(table["judged"] > 0) | (table["flagged"] > 0)]
    named = rounds.current_round_of_task(here.store, work.task, work.dataset).raters
    out = rater_exclusion.exclusions_in_force_by_rater(here.store, work.task.name, work.dataset)
    return len((set(begun) | named) - set(out))


def _thing(work: Work) -> str:
    """The word for an item of the task."""
    return escape_markdown(
        work.task.item_kind.removeprefix(f"{work.task.study}_").replace("_", " ")
    )


FEWEST_FOR_A_DATE = 10
"""Judgments of the last days from which they make a pace: one alone would foretell any date."""


def _end(left: int, lately: int) -> str:
    """When the rest will be done at the pace of the last days."""
    if not left:
        return "done"
    if not lately:
        return "–"
    if lately < FEWEST_FOR_A_DATE:
        return "–"
    end = utc_now() + timedelta(
        days=min(left * work_progress_and_pace_by_item_and_rater.DAYS / lately, 10_000)
    )
    return f"{to_browser_time_zone(end):%-d %B %Y}"


def _draw_waiting(here: Here, work: Work, judgments: int, *, done: bool) -> None:
    """What a lead could do now, each with a link."""
    st.header("Waiting for you", anchor=False)
    waiting: list[tuple[str, str, str]] = []
    now = rounds.current_round_of_task(here.store, work.task, work.dataset)
    if now.state != "open":
        state = "has not been opened" if now.state == "waiting" else "is closed"
        waiting.append(("hand-out", "hourglass_empty", f"The round {state}"))
    elif not judgments:
        waiting.append(("hand-out", "assignment", "Nobody has judged yet: check who gets what"))
        waiting.append(("people", "mail", "Invite people by a link"))
    if judgments < MANY:
        if work.task.word_in and (many := count_items_to_settle(here, work)):
            waiting.append(("disagreements", "balance", f"{_items(many)} to settle"))
        table = compute_once_per_data_version(
            here,
            work,
            "compared",
            lambda: raters_compared_with_others.table_comparing_raters_with_others(
                work.task, judgments_table_of_work(here, work)
            ),
            small=True,
        )
        if many := int((table["look_at"].fillna("") != "").sum()):
            whose = f"The work of {many:,} {'person is' if many == 1 else 'people is'}"
            waiting.append(("raters", "person_search", f"{whose} worth a look"))
    else:
        if work.task.word_in:
            waiting.append(("disagreements", "balance", "See which items need settling"))
        waiting.append(("raters", "person_search", "See whose work is worth a look"))
    if many := remarks_between_raters_and_leads.unanswered_remark_counts_by_round(here.store).get(
        (work.task.name, work.dataset), 0
    ):
        told = f"{many:,} flag{'s' * (many != 1)} or question{'s' * (many != 1)} to answer"
        waiting.append(("flags", "flag", told))
    if many := completion_code_rules_and_decisions.undecided_code_counts_by_round(here.store).get(
        (work.task.name, work.dataset), 0
    ):
        whose = f"{many:,} {'person waits' if many == 1 else 'people wait'}"
        waiting.append(("codes", "hourglass_top", f"{whose} for a completion code"))
    if not waiting:
        st.markdown(
            "Nothing: every item is judged, and no disagreement is left. Read the results, or go to"
            " **Report and export** above."
            if done
            else "Nothing at the moment."
        )
    for section, icon, label in waiting:
        st.page_link(
            "pages/5_Team.py",
            label=label,
            icon=f":material/{icon}:",
            query_params={"section": section, "task": work.task.name, "dataset": work.dataset},
        )


def _items(many: int) -> str:
    return f"{many:,} item{'s' * (many != 1)}"
