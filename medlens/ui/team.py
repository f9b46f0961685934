"""The team, in sections: a task's progress, raters, handing out, flags and disagreements; and the
people, their forms and the audit log (leads).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    items,
    raters,
    renaming_and_name_translation,
    survey_answers_and_completion_code,
)
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.raters import Role
from medlens.review.tasks import Task
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.studies import registry
from medlens.ui import (
    archive_unarchive_and_delete_forms,
    crowd_platform_settings_and_return,
    dataset_choice_and_round_controls,
    page_address,
    rename_forms,
    study_navigation,
    team_agreement,
    team_audit,
    team_completion_codes,
    team_disagreements,
    team_flags,
    team_gold,
    team_guideline,
    team_invitations,
    team_model_suggestions,
    team_overview,
    team_rater_comparison_and_exclusion,
    team_study_settings,
    team_task_settings,
)
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn
from medlens.ui.person_and_item_text_erasure_forms import draw_person_erasure_form
from medlens.ui.section_navigation import Group, context_that_draws_section_navigation
from medlens.ui.server import is_sign_in_set_up
from medlens.ui.team_task_settings import Work


@dataclass(frozen=True)
class Section:
    """A section of Team, in a ``group``. ``asks`` are the address parameters that only it reads: a
    link with one of them and no section opens it.
    """

    group: str
    title: str
    draw: Callable[[Here, Work], None]
    asks: tuple[str, ...] = ()


@dataclass(frozen=True)
class OfAll:
    """A section that belongs to no single task; otherwise as ``Section``."""

    group: str
    title: str
    draw: Callable[[Here], None]
    asks: tuple[str, ...] = ()


# What stands around a disagreement that is open is hidden. The style is the page's: one that the
# disagreements' fragment wrote would stay after it, until the page was reloaded.
_ALONE = """<style>
body:has(.st-key-settle-list) .st-key-team-head,
body:has(.st-key-settle-list) .st-key-railed > :has(> :is(.st-key-rail, .st-key-rail_menu)) {
  display: none !important; }
</style>"""


def draw_team(here: Here) -> None:
    """The section, task and dataset that the address names."""
    st.html(_ALONE)
    now = _section()
    section = SECTIONS[now]
    work = find_work_in_address_or_put_first_there(here, in_address=isinstance(section, Section))
    head = st.container(key="team-head")
    with head:
        st.title("Team", anchor=False)
        if work:
            at = "settings" if now == "settings" else "team"
            with context_that_draws_navigation_with_tasks(
                here, work, at=at, page=study_navigation.TEAM_PAGE
            ):
                pass
    with context_that_draws_section_navigation(_groups(), now, _open, label="Section"):
        if isinstance(section, OfAll):
            section.draw(here)
        elif work:
            with declare_panel_fixed_within(fixed=work.fixed_panel):
                section.draw(here, work)
        else:
            st.info("There is nothing to judge yet.", icon=":material/inbox:")
            st.page_link("pages/7_Data.py", label="Import a study", icon=":material/upload_file:")


def _section() -> str:
    """The section that the address names or implies."""
    asked = known_value_in_address_or_warn("section", SECTIONS, "section")
    if not st.query_params.get("section"):
        there = set(st.query_params)
        asked = next((name for name, one in SECTIONS.items() if there & set(one.asks)), "")
    return asked or next(iter(SECTIONS))


def _groups() -> list[Group]:
    """The sections as the rail shows them."""
    groups: dict[str, dict[str, str]] = {}
    for name, section in SECTIONS.items():
        groups.setdefault(section.group, {})[name] = section.title
    return [Group(title, sections) for title, sections in groups.items()]


def _open(section: str) -> None:
    """Go to a section; the task and dataset stay, what else the old one read does not."""
    of_task = {name: st.query_params.get(name, "") for name in ("task", "dataset")}
    page_address.replace_whole_address(
        **of_task, section="" if section == next(iter(SECTIONS)) else section
    )


def find_work_in_address_or_put_first_there(
    here: Here, *, preferred: Callable[[], Collection[str]] = tuple, in_address: bool = True
) -> Work | None:
    """The task and dataset that the address names, or the first with items.

    If the address names neither, tasks whose names are ``preferred`` come first, and the chosen one
    is put ``in_address``: not where a section is about all tasks, such as invitations to the team.
    """
    found: dict[str, tuple[str, str]] = {}
    for study, declared in registry.STUDIES.items():
        # Each of your own studies has its own title.
        asked = st.query_params.get("dataset", "")
        for task in declared.tasks(declared.open(here.store, here.settings, asked)):
            found[task.name] = (study, f"{declared.title or study}: {task.title}")
    unknown = sorted(set(here.settings.tasks) - set(found))
    if unknown:
        st.warning(
            f"medlens.toml has settings for an unknown task: {escape_markdown(', '.join(unknown))}."
            f" The tasks are: {', '.join(found)}.",
            icon=":material/settings:",
        )
    there = {study: items.datasets_of_study(here.store, study) for study in registry.STUDIES}
    _stop_if_archived(here, found, there)
    names = [name for name, (study, _) in found.items() if there[study]]
    if not names:
        return None
    wanted = st.query_params.get("dataset", "")
    # A link may name only a dataset: use the study that has it.
    having = (
        one for one in names if wanted in {str(row["dataset"]) for row in there[found[one][0]]}
    )
    name = known_value_in_address_or_warn("task", names, "task") or next(having, "")
    if not name:
        first = preferred()
        name = next((one for one in names if one in first), names[0])
    study = found[name][0]
    datasets = [str(row["dataset"]) for row in there[study]]
    dataset = known_value_in_address_or_warn("dataset", datasets, "dataset") or datasets[0]
    if in_address and not {"task", "dataset"} & set(st.query_params):
        # A link sent from here means the same even once there is a newer dataset.
        page_address.set_values_in_address(task=name, dataset=dataset)
    opened = registry.STUDIES[study].open(here.store, here.settings, dataset)
    registry.STUDIES[study].offer(here.store, dataset)
    task = next(one for one in registry.STUDIES[study].tasks(opened) if one.name == name)
    return team_task_settings.make_work_of_task_with_settings(here, task, dataset, opened)


def _stop_if_archived(
    here: Here,
    found: Mapping[str, tuple[str, str]],
    there: Mapping[str, list[dict[str, Any]]],
) -> None:
    """If the address names an archived dataset, say so and stop: of the study that its task (a key
    of ``found``) belongs to, or, without a task, of any if no study has it in use.
    """
    asked, wanted = st.query_params.get("task", ""), st.query_params.get("dataset", "")
    if asked in found:
        dataset_choice_and_round_controls.stop_page_if_dataset_archived(here, found[asked][0])
    elif not any(row["dataset"] == wanted for rows in there.values() for row in rows):
        for study in registry.STUDIES:
            dataset_choice_and_round_controls.stop_page_if_dataset_archived(here, study)


def is_round_archived(here: Here, task: Task, dataset: str) -> bool:
    """Whether a lead has put the task's round on the dataset away."""
    return archiving_of_datasets_rounds_and_runs.is_archived_round(
        here.store, task.study, dataset, task.name
    )


@contextmanager
def context_that_draws_navigation_with_tasks(
    here: Here, work: Work, *, at: str, page: str
) -> Iterator[None]:
    """The line of the study that the task belongs to, with the choice among the study's tasks; then
    what the caller draws in the block. ``at`` is the section, on ``page``.
    """
    declared = registry.STUDIES[work.task.study]
    places = study_navigation.page_and_query_by_section_of_study(
        declared, work.dataset, work.task.name
    )
    with study_navigation.draw_navigation_around_block(
        here, declared, work.dataset, places, at=at, page=page
    ):
        opened = declared.open(here.store, here.settings, work.dataset)
        tasks = {
            one.name: renaming_and_name_translation.current_title_of_round(
                here.store, one.study, work.dataset, one.name, one.title
            )
            for one in declared.tasks(opened)
            if one.name == work.task.name or not is_round_archived(here, one, work.dataset)
        }
        study_navigation.draw_illustrative_badge(illustrative=opened.illustrative)
        if len(tasks) > 1:
            st.session_state["team.task"] = work.task.name
            st.selectbox(
                "Task",
                list(tasks),
                key="team.task",
                label_visibility="collapsed",
                width=210,
                on_change=_go_to_task,
                args=(work.dataset,),
                format_func=tasks.__getitem__,
            )
        yield


def _go_to_task(dataset: str) -> None:
    page_address.replace_whole_address(
        section=st.query_params.get("section", ""),
        task=st.session_state["team.task"],
        dataset=dataset,
    )


def _people(here: Here) -> None:
    st.header("People", anchor=False)
    everyone = [r for r in raters.list_raters(here.store) if r.can_sign_in]
    st.dataframe(
        pd.DataFrame([{"name": r.name, "e-mail": r.email or "", "role": r.role} for r in everyone]),
        hide_index=True,
    )
    if is_sign_in_set_up():
        st.caption("Roles come from [people] in medlens.toml.")
    elif others := [r for r in everyone if r.id != here.person.id]:
        with st.container(border=True):
            left, right = st.columns(2)
            names = {one.id: one for one in others}
            who = names[left.selectbox("Person", names, format_func=lambda one: names[one].name)]
            roles: list[Role] = ["reviewer", "lead"]
            # Start with the person's current role.
            role = right.selectbox("Role", roles, roles.index(who.role), key=f"role.{who.id}")
            if st.button("Set role", disabled=role == who.role):
                with here.show_errors_within():
                    raters.set_role_of_rater(here.store, who.id, role, by=here.person)
                    st.rerun()
    team_invitations.draw_invitations(here)
    names_by_id = {one.id: one.name for one in everyone}
    leaving = st.selectbox(
        "Erase a person",
        list(names_by_id),
        index=None,
        format_func=names_by_id.__getitem__,
        key="people.erase",
        placeholder="choose whose name to remove for good",
        width=420,
    )
    if leaving:
        draw_person_erasure_form(here, leaving)


def _surveys(here: Here) -> None:
    table = survey_answers_and_completion_code.survey_answers_table(here.store, viewer=here.person)
    st.header("Forms", anchor=False)
    if table.empty:
        st.markdown("Nobody has answered a form after their last item yet.")
        return
    people = table["rater_handle"].nunique()
    st.caption(f"{people} {'person has' if people == 1 else 'people have'} answered.")
    shown = table.assign(question=table["question"].str.replace("_", " "))
    st.dataframe(shown.drop(columns=["rater_handle"]), hide_index=True)
    draw_csv_button(table, "surveys")


def _hand_out(here: Here, work: Work) -> None:
    archive_unarchive_and_delete_forms.draw_outcome_of_last_archiving()
    people = dataset_choice_and_round_controls.draw_round_controls_and_return_names_by_id(
        here, work.task, work.dataset
    )
    team_rater_comparison_and_exclusion.draw_removed_people_with_open_items(here, work)
    team_task_settings.draw_item_selection(here, work)
    team_task_settings.draw_hand_out_settings(here, work, people)
    team_task_settings.draw_fixed_panel_checkbox(here, work)
    team_model_suggestions.draw_suggestions_in_use(here, work)
    team_task_settings.draw_consent_text_and_who_agreed(here, work)
    team_task_settings.draw_other_datasets_to_open(here, work)
    crowd_platform_settings_and_return.draw_crowd_platform_settings(here, work.task, work.dataset)
    round_ = Thing("round", work.task.study, work.dataset, work.task.name)
    rename_forms.draw_rename_form(here, round_)
    archive_unarchive_and_delete_forms.draw_archive_form(here, round_, "Archive this round")


_WATCH, _SET_UP, _SETTLE, _ALL = "Progress", "Set up", "Compare and settle", "People"

SECTIONS: Mapping[str, Section | OfAll] = {
    "overview": Section(_WATCH, "Overview", team_overview.draw_overview_of_task),
    "raters": Section(
        _WATCH,
        "Raters",
        team_rater_comparison_and_exclusion.draw_raters_and_chosen_person,
        asks=("whose",),
    ),
    "flags": Section(_WATCH, "Flags", team_flags.draw_flags_and_remarks, asks=("asked", "which")),
    "hand-out": Section(_SET_UP, "Hand out", _hand_out),
    "guideline": Section(
        _SET_UP, "Guideline", team_guideline.draw_guideline_editor, asks=("unclear", "version")
    ),
    "gold": Section(_SET_UP, "Gold items", team_gold.draw_gold_items_and_form),
    "suggestions": Section(
        _SET_UP, "Suggestions", team_model_suggestions.draw_suggestion_setting_and_effect
    ),
    "settings": Section(_SET_UP, "Study settings", team_study_settings.draw_study_settings),
    "agreement": Section(
        *(_SETTLE, "Agreement", team_agreement.draw_agreement),
        asks=("pair", "about", "by", "raters", "items"),
    ),
    "disagreements": Section(
        *(_SETTLE, "Disagreements", team_disagreements.draw_disagreements),
        asks=("divided", "settle", "word"),
    ),
    "people": OfAll(_ALL, "People and invitations", _people, asks=("invitation",)),
    "codes": OfAll(
        _ALL, "Completion codes", team_completion_codes.draw_completion_codes, asks=("worker",)
    ),
    "forms": OfAll(_ALL, "Forms", _surveys),
    "audit": OfAll(_ALL, "Audit log", team_audit.draw_audit_log, asks=("audit.kinds", "audit.who")),
}
"""The sections of Team, grouped and in the order of its navigation: add a new one here."""
