"""What changes a study as a whole, in one place: its name, its file, putting it away; and links to
what is changed elsewhere (leads).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import streamlit as st

from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.studies.installed_studies_and_bridges import DATA_PAGE
from medlens.studies.registry import STUDIES
from medlens.ui import archive_unarchive_and_delete_forms, rename_forms, study_navigation
from medlens.ui.page_frame import Here
from medlens.ui.team_task_settings import Work

# Links to another section of Team are no more open than those to other pages.
_STYLE = """<style>
.st-key-settings_links a { background: none !important; }
.st-key-settings_links a :is(p, span) { font-weight: inherit !important; }
</style>"""


@dataclass(frozen=True)
class _Elsewhere:
    """A link to where something else of the study is changed; ``query`` joins task and dataset."""

    label: str
    icon: str
    query: dict[str, str] = field(default_factory=dict)
    page: str = study_navigation.TEAM_PAGE


def draw_study_settings(here: Here, work: Work) -> None:
    """The study's name, where its questions, people and items are changed, and its archiving."""
    archive_unarchive_and_delete_forms.draw_outcome_of_last_archiving()
    declared = STUDIES[work.task.study]
    st.header("Study settings", anchor=False)
    thing = Thing("dataset", work.task.study, work.dataset)
    what = "study" if declared.datasets_are_studies else "dataset"
    rename_forms.draw_rename_form(here, thing, f"Rename this {what}")
    st.html(_STYLE)
    st.markdown("**Changed elsewhere**")
    with st.container(key="settings_links", gap="small"):
        for link in _links(work):
            st.page_link(link.page, label=link.label, icon=link.icon, query_params=link.query)
    archive_unarchive_and_delete_forms.draw_archive_form(here, thing, f"Archive this {what}")


def _links(work: Work) -> Iterator[_Elsewhere]:
    declared = STUDIES[work.task.study]
    of_task = {"task": work.task.name, "dataset": work.dataset}
    of_data = {"study": declared.title, "dataset": work.dataset}

    def on_team(section: str) -> dict[str, str]:
        return {"section": section, **of_task}

    if declared.datasets_are_studies:
        yield _Elsewhere(
            "Change what it asks and shows",
            ":material/edit_note:",
            {"view": "Make a study", "dataset": work.dataset},
            declared.page,
        )
    yield _Elsewhere(
        "Open or close the round, its people, deadline and name",
        ":material/event:",
        on_team("hand-out"),
    )
    yield _Elsewhere("Guideline", ":material/menu_book:", on_team("guideline"))
    yield _Elsewhere("Invite people", ":material/person_add:", on_team("people"))
    yield _Elsewhere("Exclude a person’s work", ":material/person_off:", on_team("raters"))
    yield _Elsewhere(
        "Correct or withdraw an item",
        ":material/edit:",
        {"view": study_navigation.ITEMS, **of_data},
        DATA_PAGE,
    )
    yield _Elsewhere("Undo an import", ":material/undo:", {"view": "Import"}, DATA_PAGE)
