"""The palette of Ctrl+K: every study, section, person, item and command that a person may open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from medlens.review import items, raters
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.ui import study_navigation, team
from medlens.ui.browser_component import Component
from medlens.ui.menu import Menu, make_menu_anew_when_next_drawn, menu_of_person
from medlens.ui.page_frame import MENU_CHOICE, Here

_component = Component("frame", js="frame/frame.js", css="frame/frame.css")
_MOST_ITEMS = 8
_KEPT, _ASKED = "jump.kept", "jump.asked"


@dataclass(frozen=True)
class PaletteDestination:
    """A place that can be jumped to: what it is called, of what kind it is, and where it is."""

    label: str
    kind: str
    page: str
    query: Mapping[str, str]

    @property
    def browser_id(self) -> str:
        """What the browser calls it: two names of one place are two entries."""
        query = (f"{name}={self.query[name]}" for name in sorted(self.query))
        return "|".join((self.page, *query, self.label))


def destinations_of_person(here: Here, menu: Menu) -> list[PaletteDestination]:
    """All places that the person may open, but for single items. A reviewer's are their own tasks:
    no other person, no model, no study that they have no work in.
    """
    mine = [
        PaletteDestination(_plain(one.label), "my work", one.page, one.query)
        for one in (*menu.work, *menu.merely_open)
    ]
    home = PaletteDestination("Home", "page", "app.py", {})
    if here.person.role != "lead":
        return [home, *mine]
    return [home, *mine, *_of_studies(here), *_of_lead(here)]


def _plain(label: str) -> str:
    """A label of the menu without the marks that keep it literal there."""
    return label.replace("\\", "").replace("\u2060", "")


def _of_studies(here: Here) -> Iterator[PaletteDestination]:
    for study in STUDIES.values():
        names = [str(row["dataset"]) for row in items.datasets_of_study(here.store, study.name)]
        empty = study.without_items(here.store)
        titles = study_navigation.titles_by_study_and_dataset(here, study, [*names, *empty])
        for name in empty:
            label = f"{titles[study.name, name]}: no items yet"
            yield PaletteDestination(label, "study", study.page, {"dataset": name})
        for name in names:
            title = titles[study.name, name]
            places = study_navigation.page_and_query_by_section_of_study(study, name)
            for section, place in places.items():
                if section == "settings":
                    continue  # Team lists it among its sections.
                label = f"{title}: {study_navigation.SECTIONS[section]}"
                yield PaletteDestination(label, "study", place.page, place.query)
            for view in study.reading:
                query = {"view": view, "dataset": name}
                if study.page != DATA_PAGE and query != places["browse"].query:
                    yield PaletteDestination(f"{title}: {view}", "study", study.page, query)
            for task, where in study.views.items():
                query = {**where, "dataset": name}
                if "judge" in places and query != places["judge"].query:
                    words = where.get("task", where.get("view", task)).replace("_", " ")
                    yield PaletteDestination(f"{title}: {words}", "study", study.page, query)
            for section, of_team in team.SECTIONS.items():
                if isinstance(of_team, team.Section):
                    query = {**places["team"].query, "section": section}
                    yield PaletteDestination(
                        f"{title}: {of_team.title}", "team", study_navigation.TEAM_PAGE, query
                    )


_COMMANDS: Sequence[tuple[str, str, Mapping[str, str]]] = (
    ("Import files", DATA_PAGE, {"view": "Import"}),
    ("Export tables or a report", DATA_PAGE, {"view": "Export"}),
    ("Edit the taxonomy", DATA_PAGE, {"view": "Taxonomy"}),
    ("Make a study of your own", "pages/8_Your_studies.py", {"view": "Make a study"}),
    ("Start a run of models", "pages/6_Runs.py", {}),
    ("Compare models with clinicians", "pages/9_People_and_models.py", {}),
    ("Invite people (invitation, link)", study_navigation.TEAM_PAGE, {"section": "people"}),
    ("Change a person's role (make a lead)", study_navigation.TEAM_PAGE, {"section": "people"}),
    ("Erase a person (delete, remove, privacy)", study_navigation.TEAM_PAGE, {"section": "people"}),
    ("Undo an import (take back, delete)", DATA_PAGE, {"view": "Import"}),
    ("Bring back what is archived (restore)", DATA_PAGE, {"view": "Import"}),
)
_COMMANDS_ON_STUDY: Sequence[tuple[str, str]] = (
    ("Rename a study, dataset or round (name, title)", "settings"),
    ("Archive a study or dataset (close, hide)", "settings"),
    ("Open or close a round, give out items (hand out, assign)", "hand-out"),
    ("Set a deadline (due date)", "hand-out"),
    ("Exclude a person's work, or return it", "raters"),
    ("Settle disagreements (adjudicate, decide)", "disagreements"),
    ("Agreement between raters (kappa, alpha, reliability)", "agreement"),
    ("Write the guideline (instructions)", "guideline"),
    ("Mark gold items (known answers, practice)", "gold"),
)
"""What a lead does to one study, with the section of Team in which it is done; it opens on the
study in sight, else on the first.
"""


def _of_lead(here: Here) -> Iterator[PaletteDestination]:
    for section, of_team in team.SECTIONS.items():
        if isinstance(of_team, team.OfAll):
            yield PaletteDestination(
                of_team.title, "people", study_navigation.TEAM_PAGE, {"section": section}
            )
    for label, page, query in _COMMANDS:
        yield PaletteDestination(label, "command", page, query)
    for label, section in _COMMANDS_ON_STUDY:
        yield PaletteDestination(label, "command", study_navigation.TEAM_PAGE, {"section": section})
    items_page = {"view": study_navigation.ITEMS}
    yield PaletteDestination(
        "Correct or withdraw an item (fix, remove)", "command", DATA_PAGE, items_page
    )
    for rater in raters.list_raters(here.store):
        if rater.can_sign_in:
            query = {"section": "raters", "whose": rater.id}
            yield PaletteDestination(rater.name, "person", study_navigation.TEAM_PAGE, query)


def address_values_of_destination(
    place: PaletteDestination, in_sight: Mapping[str, str]
) -> Mapping[str, str]:
    """The address values of a place: a command about one study opens on the one ``in_sight``."""
    on_study = {section for _, section in _COMMANDS_ON_STUDY}
    about_items = place.query.get("view") == study_navigation.ITEMS
    if place.kind != "command" or not (about_items or place.query.get("section") in on_study):
        return place.query
    named = {name: in_sight[name] for name in ("task", "dataset") if in_sight.get(name)}
    if about_items and (task := named.pop("task", "")):
        title = next((one.title for one in STUDIES.values() if task in one.views), "")
        named |= {"study": title} if title else {}
    return {**place.query, **named}


def find_item_destinations(here: Here, text: str) -> list[PaletteDestination]:
    """The first items whose name has ``text``; a reviewer's own by their number in the queue."""
    if len(text) < 2 and not text.isdigit():
        return []
    return list(_items_of_lead(here, text) if here.person.role == "lead" else _own(here, text))


def _items_of_lead(here: Here, text: str) -> Iterator[PaletteDestination]:
    for row in items.list_items_by_part_of_name(here.store, text, limit=_MOST_ITEMS):
        declared = STUDIES.get(str(row["study"]))
        if declared is None:
            continue
        query = {
            "view": "Items",
            "study": declared.title,
            "dataset": str(row["dataset"]),
            "item": str(row["name"]),
        }
        yield PaletteDestination(str(row["name"]), f"item of {declared.title}", DATA_PAGE, query)


def _own(here: Here, text: str) -> Iterator[PaletteDestination]:
    """What a reviewer was given: by number alone, since a name can say who wrote what is judged."""
    from medlens.ui import home_my_work

    wanted = "".join(filter(str.isdigit, text))
    studies = [one for one in STUDIES.values() if items.datasets_of_study(here.store, one.name)]
    for job in home_my_work.list_open_rounds_of_person(here, studies) if wanted else []:
        task = job.mine.task.name
        given = assignment_ledger_of_task(here.store, task).by_rater.get(here.person.id, {})
        for place in job.mine.queue.places:
            if str(place.number) == wanted and not place.practice and place.item in given:
                query = {
                    **job.study.views[task],
                    "dataset": job.mine.dataset,
                    "item": given[place.item].browser_handle,
                }
                yield PaletteDestination(
                    f"{job.title}: item {wanted}", "item", job.study.page, query
                )


# A fragment, so that looking for items draws nothing else again.
@st.fragment
def draw_command_palette(here: Here) -> None:
    """The palette and its button; it also hears whether the menu is opened or folded."""
    key = (
        here.person.id,
        here.person.role,
        here.store.data_version_of_tables("item", "rater", "rater_role"),
    )
    menu = menu_of_person(here, refresh=False)
    kept = st.session_state.get(_KEPT)
    if kept is None or kept[0] != (key, menu):
        kept = ((key, menu), destinations_of_person(here, menu))
        st.session_state[_KEPT] = kept
    places: list[PaletteDestination] = kept[1]
    asked, found = st.session_state.get(_ASKED, ("", []))
    said = _component(
        key="frame.jump",
        data={
            "places": [_outward(one) for one in places],
            "about": asked,
            "found": [_outward(one) for one in found],
            "here": _where(),
        },
        on_find_change=lambda: None,
        on_go_change=lambda: None,
        on_menu_change=lambda: None,
    )
    if said.find:
        st.session_state[_ASKED] = (said.find, find_item_destinations(here, str(said.find)))
        st.rerun(scope="fragment")
    if said.menu:
        state, _, only_here = str(said.menu).partition(" ")
        if not only_here:
            st.session_state[MENU_CHOICE] = state
        if state == "open":
            # The counts of a folded menu may be old.
            make_menu_anew_when_next_drawn()
            st.rerun()
    if said.go:
        for one in (*places, *found):
            if one.browser_id == said.go:
                query = address_values_of_destination(
                    one, study_navigation.task_and_dataset_name_by_parameter()
                )
                st.switch_page(one.page, query_params=dict(query))


def _where() -> dict[str, Any]:
    """What the address says of the open place, and the page of the study that it is about, for the
    mark in the menu.
    """
    asked = st.query_params
    named = {name: asked[name] for name in ("view", "dataset", "section") if asked.get(name)}
    about = asked.get("task") or asked.get("study")
    study = next((one for one in STUDIES.values() if about in (one.title, *one.views)), None)
    return {"query": named, "study": Path(study.page).stem.partition("_")[2] if study else ""}


def _outward(place: PaletteDestination) -> dict[str, str]:
    return {"id": place.browser_id, "label": place.label, "kind": place.kind}
