"""An arm in which reviewers see a model's answer first: its set-up and its effect."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.errors import MedLensError
from medlens.review import randomised_model_suggestions
from medlens.review.randomised_model_suggestions import Arm
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.page_frame import Here, escape_markdown, show_error
from medlens.ui.team_agreement import judgments_table_of_work
from medlens.ui.team_task_settings import Work

_SEEN = ("item", "rater", "arm", "suggested", "answered", "outcome")


def draw_suggestion_setting_and_effect(here: Here, work: Work) -> None:
    """The arm of a task in a dataset, and both arms side by side."""
    st.header("Suggestions", anchor=False)
    st.markdown(
        "Reviewers judge blind. To see how a model's answer influences them, let some items open"
        " with that answer already filled in: they submit it, change it or clear it. Chance decides"
        " this for each person and item. Such judgments are not blind, so consensus, agreement and"
        " figures leave them out: plan more raters per item."
    )
    _set_up(here, work)
    drawn = randomised_model_suggestions.drawn_suggestions_table(
        here.store,
        work.task,
        dataset=work.dataset,
        viewer=here.person,
        judgments=lambda: judgments_table_of_work(here, work),
    )
    if drawn.empty:
        st.caption("No item has been drawn for a suggestion yet.")
        return
    _results(drawn)


def draw_suggestions_in_use(here: Here, work: Work) -> None:
    """Whether reviewers see a model's answer first, with the way to change that."""
    st.header("Blind or not", anchor=False)
    arm = randomised_model_suggestions.current_suggestion_setting(
        here.store, work.task.name, work.dataset
    )
    st.markdown(
        "**Reviewers see a model's answer first: no.** Nobody sees a model's or another rater's"
        " answer to an item before submitting their own."
        if arm is None
        else f"**Reviewers see a model's answer first: on some items.** {_told(here, work, arm)}"
        " All else is judged blind, and nobody sees another rater's answer before their own."
    )
    if why := randomised_model_suggestions.why_task_has_no_suggestions(work.task):
        st.caption(why)
        return
    st.page_link(
        "pages/5_Team.py",
        label="Change this under Suggestions",
        icon=":material/lightbulb:",
        query_params={"section": "suggestions", "task": work.task.name, "dataset": work.dataset},
    )


def _set_up(here: Here, work: Work) -> None:
    task, dataset = work.task, work.dataset
    key = f"suggestions.{task.name}.{dataset}"
    arm = randomised_model_suggestions.current_suggestion_setting(here.store, task.name, dataset)
    there = randomised_model_suggestions.model_name_and_item_count_by_id(
        here.store, task.name, dataset
    )
    if error := st.session_state.pop(f"{key}.error", None):
        show_error(error)
    if arm is not None:
        st.success(_told(here, work, arm), icon=":material/lightbulb:")
    if why := randomised_model_suggestions.why_task_has_no_suggestions(task):
        st.info(why, icon=":material/block:")
        return
    if not there:
        st.info(
            "No model has judged these items. Start a run first, then come back.",
            icon=":material/play_circle:",
        )
        st.page_link("pages/6_Runs.py", label="Go to Runs", icon=":material/play_circle:")
        return

    def change(to: Arm | None) -> None:
        try:
            randomised_model_suggestions.set_or_stop_suggestions(
                here.store, task, dataset, to, by=here.person
            )
        except MedLensError as error:
            st.session_state[f"{key}.error"] = error

    with st.container(horizontal=True, vertical_alignment="bottom"):
        ids = list(there)
        model = st.selectbox(
            "Model",
            ids,
            ids.index(arm.model) if arm and arm.model in there else 0,
            format_func=lambda one: f"{there[one][0]} ({there[one][1]:,} items)",
            key=f"{key}.model",
            width=320,
        )
        share = st.number_input(
            "Percent", 1, 99, round(arm.share * 100) if arm else 50, key=f"{key}.share", width=130
        )
        seed = st.number_input(
            "Seed", 0, 2**31 - 1, arm.seed if arm else 0, key=f"{key}.seed", width=150
        )
        wanted = Arm(str(model), share / 100, int(seed))
        st.button(
            "Change" if arm else "Start suggesting",
            type="primary",
            key=f"{key}.start",
            disabled=wanted == arm,
            on_click=change,
            args=(wanted,),
        )
        if arm:
            st.button("Stop", key=f"{key}.stop", on_click=change, args=(None,))


def _told(here: Here, work: Work, arm: Arm) -> str:
    name, _ = randomised_model_suggestions.model_name_and_item_count_by_id(
        here.store, work.task.name, work.dataset
    ).get(arm.model, (arm.model, 0))
    return (
        f"**{escape_markdown(name)}** suggests an answer to {arm.share:.0%} of what people open"
        f" (seed {arm.seed})."
    )


def _results(drawn: pd.DataFrame) -> None:
    arms = drawn["arm"].value_counts()
    judged = drawn[drawn["outcome"].notna()]["arm"].value_counts()
    st.caption(
        f"With a suggestion: {judged.get('suggestion', 0):,} of {arms.get('suggestion', 0):,}"
        f" judged. Blind beside it: {judged.get('blind', 0):,} of {arms.get('blind', 0):,}. Gold "
        f"items, and items that somebody had already begun, are in neither."
    )
    rows = [
        {
            "figure": randomised_model_suggestions.FIGURES[name],
            "value": one.value,
            "low": one.low,
            "high": one.high,
            "judgments": one.n,
            "method": one.method if one.has_value else f"undefined, because {one.reason}",
            "speaks for": one.speaks_for,
        }
        for name, one in randomised_model_suggestions.suggestion_estimates_by_figure(drawn).items()
    ]
    percent = st.column_config.NumberColumn(format="percent")
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        placeholder="–",
        column_config=dict.fromkeys(("value", "low", "high"), percent),
        alt="What became of the suggestions, and how far they pulled, with their intervals",
    )
    with st.expander(f"Every draw · {len(drawn):,}"):
        st.dataframe(
            drawn[list(_SEEN)],
            hide_index=True,
            placeholder="–",
            alt="Each person and item that was drawn, with suggestion and answer",
        )
    draw_csv_button(drawn, "suggestions")
