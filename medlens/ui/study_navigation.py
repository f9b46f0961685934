"""The line of a study: its name and dataset, and Judge, Browse, Results, Team, Export, Settings."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import streamlit as st

from medlens.review import renaming_and_name_translation
from medlens.review.figure_definitions import VIEW
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.studies.study_definition import Study
from medlens.ui import dataset_choice_and_round_controls, page_address
from medlens.ui.page_frame import (
    STUDY_IN_SIGHT,
    Here,
    draw_choice_of_views,
    escape_markdown,
    view_in_address,
)

TEAM_PAGE = "pages/5_Team.py"
SECTIONS = {
    "judge": "Judge",
    "browse": "Browse",
    "results": "Results",
    "team": "Team",
    "export": "Export",
    "settings": "Settings",
}
"""The sections of a study, in order, with their titles."""

ITEMS = "Items"
"""The list of a study's items, which is on the page of files."""


@dataclass(frozen=True)
class Place:
    """A page and what its address holds."""

    page: str
    query: Mapping[str, str]


def page_and_query_by_section_of_study(
    declared: Study, dataset: str, task: str = ""
) -> dict[str, Place]:
    """Where a lead finds each section of a study; Team opens at ``task``, or the study's first."""
    first = next(iter(declared.views), "")
    named = {"dataset": dataset}
    of_data = {"study": declared.title, **named}
    places = {}
    if declared.page != DATA_PAGE:
        places["judge"] = Place(declared.page, {**declared.views.get(first, {}), **named})
    places["browse"] = (
        Place(declared.page, {**declared.items_view, **named})
        if declared.items_view
        else Place(DATA_PAGE, {"view": ITEMS, **of_data})
    )
    if declared.figures:
        places["results"] = Place(
            declared.page, {"view": VIEW, **address_values_naming_study(declared), **named}
        )
    places["team"] = Place(TEAM_PAGE, {"task": task or first, **named})
    places["export"] = Place(DATA_PAGE, {"view": "Export", **of_data})
    settings = {"section": "settings", "task": task or first, **named}
    places["settings"] = Place(TEAM_PAGE, settings)
    return places


def address_values_naming_study(declared: Study) -> dict[str, str]:
    """What an address needs to say which study is meant: nothing on its own page, the title on the
    page of files, where studies are that have none.
    """
    return {"study": declared.title} if declared.page == DATA_PAGE else {}


def section_of_view(declared: Study, view: str) -> str:
    """The section in which a view of the study's page stands."""
    if view == VIEW:
        return "results"
    return "browse" if view in declared.reading else "judge"


@contextmanager
def draw_study_navigation(
    here: Here, study: str, dataset: str, views: Sequence[str], *, illustrative: bool
) -> Iterator[str]:
    """The line on a study's own page, which gives the view that is open; then what the caller draws
    in the block. ``views`` are those that the person may open, the first one by default.
    """
    declared = STUDIES[study]
    view = view_in_address(views)
    by_section: dict[str, list[str]] = {}
    for one in views:
        by_section.setdefault(section_of_view(declared, one), []).append(one)
    at = section_of_view(declared, view)
    places = {
        section: Place(declared.page, {"view": of_it[0], "dataset": dataset})
        for section, of_it in by_section.items()
    }
    beyond: dict[str, Place] = {}
    # What has no items has nothing to browse, measure or hand out.
    if here.person.role == "lead" and dataset and dataset not in declared.without_items(here.store):
        of_view = [name for name, place in declared.views.items() if place.get("view") == view]
        task = st.query_params.get("task", "") or next(iter(of_view), "")
        everywhere = page_and_query_by_section_of_study(declared, dataset, task)
        if not declared.items_view:
            # What can be read begins with the items themselves.
            places["browse"] = beyond[ITEMS] = everywhere["browse"]
        places = everywhere | places
    # What a task is called in the menu and on Home, it is called here and in the browser's tab.
    named = _round_of_view(here, declared, dataset, view)
    title = named or _title_of_view(here, declared, dataset, view)
    st.set_page_config(page_title=f"{title} · MedLens")
    # A lead's line names the study, whose sections it leads to.
    called = named if len(views) == 1 or here.person.role != "lead" else ""
    with draw_navigation_around_block(
        here, declared, dataset, places, at=at, page=declared.page, task_title=called
    ):
        draw_illustrative_badge(illustrative=illustrative)
        if named not in (called, view):
            st.caption(escape_markdown(named), width="content")
        inner = [*(beyond if at == "browse" else {}), *by_section[at]]
        # Beside a lead's sections there is no room for more than three in a row.
        folded = len(inner) > 3 and len(places) > 1 and here.person.role == "lead"
        _draw_inner_choice(inner, view, beyond, folded=folded)
        yield view


def _round_of_view(here: Here, declared: Study, dataset: str, view: str) -> str:
    """What the round that a view shows is called: as the view, unless a lead gave it a name; empty
    if the view is no task's.
    """
    tasks = [task for task, place in declared.views.items() if place.get("view") == view]
    if not tasks:
        return ""
    asked = st.query_params.get("task", "")
    task = asked if asked in tasks else tasks[0]
    return renaming_and_name_translation.current_title_of_round(
        here.store, declared.name, dataset, task, view
    )


def _title_of_view(here: Here, declared: Study, dataset: str, view: str) -> str:
    """What a view that is no task's is called in the browser's tab."""
    called = declared.titles(here.store, [dataset]).get(dataset, dataset)
    known_as = renaming_and_name_translation.current_name_of_dataset(
        here.store, declared.name, dataset
    )
    return f"{declared.title if called == known_as else called}: {view}"


def draw_illustrative_badge(*, illustrative: bool) -> None:
    """What says in the line that a dataset was made up for the demo; nothing for any other."""
    if illustrative:
        st.caption(":material/science: Illustrative", width="content")


@contextmanager
def draw_navigation_around_block(
    here: Here,
    declared: Study,
    dataset: str,
    places: Mapping[str, Place],
    *,
    at: str,
    page: str,
    without_items: bool = False,
    task_title: str = "",
) -> Iterator[None]:
    """The line, then what the caller draws in the block.

    ``places`` are the sections that the person may open, and ``at`` is the one that is open, on
    ``page``; empty if the page belongs to none. ``without_items`` also offers studies that have no
    items yet. ``task_title`` is what the task that is open is called, where the line names it in
    place of the study.
    """
    leave_for = page_address.follow_press_and_return_leaving_callback()

    def go(place: Place) -> None:
        if place.page == page:
            page_address.replace_whole_address(**place.query)
        else:
            leave_for(place.page, place.query)

    task = st.query_params.get("task", "") or next(iter(declared.views), "")
    st.session_state[STUDY_IN_SIGHT] = {"task": task, "dataset": dataset}
    page_address.send_address_to_browser_again()
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="small"):
        _draw_switcher(
            *(here, declared, dataset, at, go), without_items=without_items, called=task_title
        )
        _draw_sections(places, at, go)
        yield
        # Where there is room: the menu, which says it too, is folded here.
        with st.container(key="line_person"):
            st.caption(f":material/person: {escape_markdown(here.person.name)}")
        st.html(initials_html(here.person.name))


def task_and_dataset_name_by_parameter() -> Mapping[str, str]:
    """The task and dataset that the line drawn last is about; empty where a page has no line."""
    return dict(st.session_state.get(STUDY_IN_SIGHT, {}))


def initials_html(name: str) -> str:
    """As whom one works, by initials: what a narrow line has room for."""
    words = name.split()
    initials = "".join(word[0] for word in [*words[:1], *words[1:][-1:]]).upper()
    told = html.escape(f"Working as {name}", quote=True)
    return (
        f'<span class="mlf-initials" role="img" aria-label="{told}" title="{told}">'
        f"{html.escape(initials)}</span>"
    )


def _draw_sections(places: Mapping[str, Place], at: str, go: Callable[[Place], None]) -> None:
    shown = [section for section in SECTIONS if section in places]
    if len(shown) < 2:
        return
    # Each set of sections has its own control: one whose options change sends an old one.
    key = f"line.section.{'.'.join(shown)}"
    st.session_state[key] = at if at in shown else None

    def chosen() -> None:
        # A press on the open section takes its mark off, and leads to its beginning.
        if section := st.session_state[key] or at:
            go(places[section])

    with st.container(key="line_sections", width="content"):
        st.pills(
            "Section of the study",
            shown,
            format_func=SECTIONS.__getitem__,
            key=key,
            on_change=chosen,
            label_visibility="collapsed",
        )


def _draw_switcher(
    here: Here,
    declared: Study,
    dataset: str,
    at: str,
    go: Callable[[Place], None],
    *,
    without_items: bool,
    called: str,
) -> None:
    """The study's name and dataset; if there are others, the choice among them. ``called``: what it
    is called instead.
    """
    leads = here.person.role == "lead"
    offered: dict[tuple[str, str], str] = {}
    for study in STUDIES.values() if leads else [declared]:
        names = dataset_choice_and_round_controls.datasets_of_viewer(here, study.name, dataset)
        offered |= titles_by_study_and_dataset(here, study, names, called=called)
        if not names and without_items:
            offered[study.name, ""] = study.title
    now = (declared.name, dataset)
    if now not in offered:
        offered = {now: called or (declared.title if leads else declared.enter)} | offered
    if len(offered) < 2:
        st.markdown(f"**{escape_markdown(offered[now])}**", width="content")
        return
    st.session_state["line.study"] = now

    def chosen() -> None:
        study, name = st.session_state["line.study"]
        go(_same_place(STUDIES[study], name, at, same_study=study == declared.name))

    with st.container(key="line_study", width="content"):
        st.selectbox(
            "Study and dataset",
            list(offered),
            key="line.study",
            format_func=offered.__getitem__,
            on_change=chosen,
            label_visibility="collapsed",
            width=_width_of_switcher(offered[now], leads=leads),
        )


def _width_of_switcher(title: str, *, leads: bool) -> int:
    """Pixels for the name; beside a lead's sections there is less room."""
    return min(max(200, 64 + 8 * len(title)), 260 if leads else 440)


def titles_by_study_and_dataset(
    here: Here, study: Study, names: Sequence[str], *, called: str = ""
) -> dict[tuple[str, str], str]:
    """What the datasets of a study are called, by the study's name and theirs: the study's title
    and the dataset, or what the dataset itself is called. ``called`` takes the title's place.
    """
    titles = study.titles(here.store, names)
    called = called or (study.title if here.person.role == "lead" else study.enter)
    known_as = {
        name: renaming_and_name_translation.current_name_of_dataset(here.store, study.name, name)
        for name in names
    }
    return {
        (study.name, name): f"{called} · {now}" if titles[name] == now else titles[name]
        for name, now in known_as.items()
    }


def _same_place(declared: Study, dataset: str, at: str, *, same_study: bool) -> Place:
    """The place in another study or dataset that corresponds to the open one."""
    asked = st.query_params
    places = page_and_query_by_section_of_study(
        declared, dataset, asked.get("task", "") if same_study else ""
    )
    place = places.get(at) or places.get("judge") or places["browse"]
    kept = {}
    if at == "team" and asked.get("section"):
        kept = {"section": asked["section"]}
    elif same_study and at in ("judge", "browse", "results"):
        kept = {name: asked[name] for name in ("view", "task") if asked.get(name)}
    return Place(place.page, {**place.query, **kept})


def _draw_inner_choice(
    views: Sequence[str], view: str, beyond: Mapping[str, Place], *, folded: bool
) -> None:
    """The views of the open section, if there are several; some are ``beyond`` this page."""
    leave_for = page_address.follow_press_and_return_leaving_callback()

    def elsewhere(name: str) -> bool:
        if place := beyond.get(name):
            leave_for(place.page, place.query)
        return name in beyond

    draw_choice_of_views(views, view, instead=elsewhere, folded=folded)
