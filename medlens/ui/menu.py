"""The menu: a person's work, and for leads the studies, people, models and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import streamlit as st

from medlens.review import items, renaming_and_name_translation
from medlens.review.figure_definitions import VIEW
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study
from medlens.ui import accept_invitation, study_navigation
from medlens.ui.page_frame import Here, escape_markdown

_IN_SIGHT = 5
_WORK_OF_LEAD = 3
"""Tasks of a lead's own in sight: most leads are given every open round and judge few."""
_KEPT = "menu.kept"


@dataclass(frozen=True)
class Entry:
    """One line of the menu. ``name`` tells it from the others; the query is part of the link;
    ``left`` is how many items are left, which only the menu says (0: it says nothing).
    """

    name: str
    label: str
    page: str
    query: Mapping[str, str]
    icon: str = ""
    left: int = 0


@dataclass(frozen=True)
class Menu:
    """What a person's menu holds: their work and, for leads, the studies. ``merely_open`` are the
    tasks that nobody asked them to do, of somebody who was invited to others.
    """

    work: tuple[Entry, ...]
    studies: tuple[Entry, ...]
    merely_open: tuple[Entry, ...] = ()


def menu_of_person(here: Here, *, refresh: bool = True) -> Menu:
    """The person's menu; made again only when the store has grown, and then only if ``refresh``."""
    key = (here.person.id, here.person.role, here.store.data_version_of_tables())
    kept = cast("tuple[tuple[str, str, int], Menu] | None", st.session_state.get(_KEPT))
    if kept and (kept[0] == key or (not refresh and kept[0][:2] == key[:2])):
        return kept[1]
    work, merely_open = _work(here)
    menu = Menu(tuple(work), tuple(_studies(here)), tuple(merely_open))
    st.session_state[_KEPT] = (key, menu)
    return menu


def make_menu_anew_when_next_drawn() -> None:
    """Let the menu be made anew when it is next drawn, though its page begins with it folded."""
    st.session_state.pop(_KEPT, None)


def draw_menu(here: Here, *, refresh: bool = True) -> None:
    """The links of the menu; ``refresh``: counts of work are those of now."""
    menu = menu_of_person(here, refresh=refresh)
    leads = here.person.role == "lead"
    st.page_link("app.py", label="Home", icon=":material/home:")
    # Home asks first whether the invitation is accepted: until then nothing is this person's work.
    if leads or not accept_invitation.has_pending_link():
        _draw_group("My work", "work", menu.work)
        _draw_merely_open(menu.merely_open)
    if not leads:
        return
    _draw_group("Studies", "studies", menu.studies[:_IN_SIGHT])
    with st.container(key="menu_studies_more", gap=None):
        if rest := menu.studies[_IN_SIGHT:]:
            with st.expander(f"{len(rest):,} more", key="menu.studies.more"):
                for entry in rest:
                    _draw_entry(entry)
    _draw_group("Team", "team", _of_team())


def _draw_group(title: str, name: str, entries: tuple[Entry, ...]) -> None:
    if not entries:
        return
    with st.container(key=f"menu_{name}", gap=None):
        st.caption(title)
        for entry in entries:
            _draw_entry(entry)


def _draw_merely_open(entries: tuple[Entry, ...]) -> None:
    """What Home folds is folded here too."""
    from medlens.ui import home_my_work

    if not entries:
        return
    words = home_my_work.folded_rounds_in_words(len(entries), besides=True)
    with st.expander(words, key="menu.work.open"):
        for entry in entries:
            _draw_entry(entry)


def _draw_entry(entry: Entry) -> None:
    with st.container(key=f"menu_entry_{entry.name}", gap=None):
        left = f" · {entry.left:,}" if entry.left else ""
        st.page_link(
            entry.page, label=entry.label + left, icon=entry.icon or None, query_params=entry.query
        )


def _work(here: Here) -> tuple[list[Entry], list[Entry]]:
    """The tasks that wait for the person, with what is left, then what they may open besides; and
    the tasks that are merely open to them.
    """
    from medlens.ui import home_my_work

    with_items = [one for one in STUDIES.values() if items.datasets_of_study(here.store, one.name)]
    for study in with_items:
        for row in items.datasets_of_study(here.store, study.name):
            study.offer(here.store, str(row["dataset"]))
    jobs = home_my_work.list_open_rounds_of_person(here, with_items)
    leads = here.person.role == "lead"
    folded = [] if leads else home_my_work.find_rounds_merely_open(jobs)
    if leads:
        jobs = [job for job in jobs if job.has_begun and job.is_unfinished and job.pace][
            :_WORK_OF_LEAD
        ]
    # In the same order at all times, whatever was worked on last.
    order = list(STUDIES)
    jobs = sorted(
        jobs,
        key=lambda job: (
            order.index(job.study.name),
            job.mine.illustrative,
            job.mine.dataset,
            list(job.study.views).index(job.mine.task.name),
        ),
    )
    entries: list[Entry] = []
    merely_open: list[Entry] = []
    for job in jobs:
        task, dataset = job.mine.task.name, job.mine.dataset
        query = {**job.study.views[task], "dataset": dataset}
        (merely_open if job in folded else entries).append(
            Entry(
                f"{task}.{dataset}",
                escape_markdown(job.title),
                job.study.page,
                query,
                job.study.icon,
                job.mine.remaining_item_count,
            )
        )
    if leads:
        return entries, merely_open
    worked = {job.study.name for job in jobs}
    for study in with_items:
        if study.name not in worked and study.open_without_work(here.store, here.person):
            entries.append(
                Entry(study.name, escape_markdown(study.enter), study.page, {}, study.icon)
            )
    return entries, merely_open


def _studies(here: Here) -> list[Entry]:
    """Every study with items by its title, each study of a team's own by its own."""
    if here.person.role != "lead":
        return []
    entries = []
    for study in STUDIES.values():
        names = [str(row["dataset"]) for row in items.datasets_of_study(here.store, study.name)]
        empty = study.without_items(here.store)
        names += empty
        titles = study.titles(here.store, names)
        if any(
            title
            != renaming_and_name_translation.current_name_of_dataset(here.store, study.name, name)
            for name, title in titles.items()
        ):
            entries += [
                Entry(
                    f"{study.name}.{name}",
                    escape_markdown(titles[name]) + " · no items yet" * (name in empty),
                    study.page,
                    {**({} if name in empty else _results(study)), "dataset": name},
                    study.icon,
                )
                for name in names
            ]
        elif names:
            entries.append(
                Entry(
                    study.name,
                    escape_markdown(study.title),
                    study.page,
                    _results(study),
                    study.icon,
                )
            )
    return entries


def _results(study: Study) -> Mapping[str, str]:
    """Where a lead's link to a study leads, as a row on Home does: to what came out."""
    if study.page == DATA_PAGE and not study.figures:
        return {
            "view": study_navigation.ITEMS,
            **study_navigation.address_values_naming_study(study),
        }
    results = {"view": VIEW} if study.figures else {}
    return {**results, **study_navigation.address_values_naming_study(study)}


def _of_team() -> tuple[Entry, ...]:
    # The models' page opens on the task that is in sight.
    about = {
        name: st.query_params[name] for name in ("task", "dataset") if st.query_params.get(name)
    }
    return (
        Entry("people", "People", "pages/5_Team.py", {"section": "people"}, ":material/group:"),
        Entry("models", "Models", "pages/9_People_and_models.py", about, ":material/balance:"),
        Entry("runs", "Runs", "pages/6_Runs.py", {}, ":material/play_circle:"),
        Entry("data", "Data", DATA_PAGE, {}, ":material/database:"),
        Entry(
            "new",
            "Make a study",
            "pages/8_Your_studies.py",
            {"view": "Make a study"},
            ":material/add:",
        ),
    )
