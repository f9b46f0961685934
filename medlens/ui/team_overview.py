"""Team's overview of a task: how far it is, when it will be done, and what waits for a lead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import timedelta

import streamlit as st

from medlens.review import exclusion, progress, rater_work, rounds
from medlens.store import utc_now
from medlens.ui.frame import Here, escape
from medlens.ui.team_agreement import judgments_of, kept
from medlens.ui.team_disagreements import to_settle
from medlens.ui.team_flags import to_answer
from medlens.ui.team_task import Work

MANY = 10_000
"""Judgments of a task, which take half a second to compare."""


def draw(here: Here, work: Work) -> None:
    """How many of the judgments wanted are there, when the rest will be, and what waits."""
    st.subheader("Progress", anchor=False)
    st.caption(f"Dataset {escape(work.dataset)}")
    each, counts = _each(here, work), covered(here, work)
    wanted = each * sum(count for _, count in counts)
    done = sum(min(n, each) * count for n, count in counts)
    lately = kept(
        here,
        work,
        f"lately {utc_now():%F}",
        lambda: progress.lately(here.store, work.task, dataset=work.dataset),
        small=True,
    )
    thing = escape(work.task.item_kind.replace("_", " "))
    st.progress(
        done / wanted if wanted else 0.0,
        text=f"{done:,} of {wanted:,} judgments ({each} per {thing})",
    )
    by_count = Counter[int]()
    for n, count in counts:
        by_count[min(n, each)] += count
    with st.container(horizontal=True, gap="large"):
        st.metric(
            f"Last {progress.DAYS} days",
            f"{lately:,}",
            width="content",
            help="Judgments by people, each item and person once",
        )
        st.metric(
            "Expected to finish",
            _end(wanted - done, lately),
            width="content",
            help=f"At the pace of the last {progress.DAYS} days",
        )
        for n in sorted(by_count):
            st.metric(
                f"With {n or 'no'} judgment{'s' * (n != 1)}",
                f"{by_count[n]:,}",
                width="content",
                help=f"How many of the items ({thing}) have this many judgments"
                + (", or more" if n == each else ""),
            )
    _draw_waiting(here, work, sum(n * count for n, count in counts), done=done >= wanted > 0)


def covered(
    here: Here, work: Work, judged: Callable[[], Mapping[str, Mapping[str, int]]] | None = None
) -> list[tuple[int, int]]:
    """``progress.coverage`` of the task, worked out once per version of the data; of ``judged``
    where many are asked for."""
    drawn = here.store.version("selection")
    return kept(
        here,
        work,
        f"coverage {drawn}",
        lambda: progress.coverage(
            here.store,
            work.task,
            dataset=work.dataset,
            judged=judged().get(work.task.name, {}) if judged else None,
        ),
        small=True,
    )


def _each(here: Here, work: Work) -> int:
    """How many judgments of an item are wanted."""
    if not work.task.everyone:
        return work.settings.raters_per_item
    table = progress.by_rater(here.store, work.task, dataset=work.dataset, viewer=here.person)
    out = exclusion.standing(here.store, work.task.name, work.dataset)
    return int((~table["rater_id"].isin(list(out))).sum())


def _end(left: int, lately: int) -> str:
    """When the rest will be done if people go on as in the last days."""
    if not left:
        return "done"
    if not lately:
        return "–"
    end = utc_now() + timedelta(days=min(left * progress.DAYS / lately, 10_000))
    return f"{end:%-d %B %Y}"


def _draw_waiting(here: Here, work: Work, judgments: int, *, done: bool) -> None:
    """What a lead could do now, each with the way to it."""
    st.subheader("Waiting for you", anchor=False)
    waiting: list[tuple[str, str, str]] = []
    now = rounds.round_of(here.store, work.task, work.dataset)
    if now.state != "open":
        state = "has not been opened" if now.state == "waiting" else "is closed"
        waiting.append(("hand-out", "hourglass_empty", f"The round {state}"))
    elif not judgments:
        waiting.append(("hand-out", "assignment", "Nobody has judged yet: check who gets what"))
        waiting.append(("people", "mail", "Invite people by a link"))
    if judgments < MANY:
        if work.task.word_in and (many := to_settle(here, work)):
            waiting.append(("disagreements", "balance", f"{_items(many)} to settle"))
        table = kept(
            here,
            work,
            "compared",
            lambda: rater_work.compared(work.task, judgments_of(here, work)),
            small=True,
        )
        if many := int((table["look_at"].fillna("") != "").sum()):
            whose = f"The work of {many:,} {'person is' if many == 1 else 'people is'}"
            waiting.append(("raters", "person_search", f"{whose} worth a look"))
    else:
        if work.task.word_in:
            waiting.append(("disagreements", "balance", "See which items need settling"))
        waiting.append(("raters", "person_search", "See whose work is worth a look"))
    if many := to_answer(here, work):
        told = f"{many:,} flag{'s' * (many != 1)} or question{'s' * (many != 1)} to answer"
        waiting.append(("flags", "flag", told))
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
