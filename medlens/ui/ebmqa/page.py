"""The page of EBMQA: which view, which question set, and who may see it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from medlens.ebmqa import questionnaire as questionnaires
from medlens.ebmqa import study as studies
from medlens.ebmqa.declared import ANSWER
from medlens.ebmqa.explore.access import may_explore
from medlens.ebmqa.explore.queries import Explorer
from medlens.ebmqa.explore.where import Where
from medlens.ebmqa.models import STUDY
from medlens.ebmqa.study import Study
from medlens.ui import Here, address, rounds
from medlens.ui.charts import STYLE, theme
from medlens.ui.ebmqa import (
    behind,
    labels,
    models,
    nav,
    overview,
    paper,
    pivot,
    question_set,
    questionnaire,
    questions,
)
from medlens.ui.ebmqa.narrowing import draw_filters, known_values
from medlens.ui.ebmqa.source import Source
from medlens.ui.figures.tap import taps
from medlens.ui.frame import asked_for, escape

_VIEWS: dict[str, Callable[[Source], None]] = {
    nav.OVERVIEW: overview.draw,
    nav.LABELS: labels.draw,
    nav.MODELS: models.draw,
    nav.PIVOT: pivot.draw,
    nav.QUESTIONS: questions.draw,
    nav.SET: question_set.draw,
    nav.PUBLISHED: paper.draw,
}


def draw(here: Here) -> None:
    """The view that the address names."""
    study = studies.open_study(here.store, rounds.dataset_of(here, STUDY))
    may = bool(study.dataset) and may_explore(here.store, study.dataset, here.person)
    lead = here.person.role == "lead"
    to_answer = not lead and questionnaires.is_drawn(here.store, study.dataset)
    views = [ANSWER, *_VIEWS] if to_answer else [*_VIEWS, ANSWER]
    views = views if may or lead else [ANSWER]
    asked_for("view", views, "view")
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="medium"):
        view = st.segmented_control(
            "View",
            views,
            key="view",
            default=views[0],
            required=True,
            bind="query-params",
            label_visibility="collapsed",
            wrap=True,
        )
        if study.illustrative:
            st.caption(":material/science: Illustrative", width="content")
        rounds.draw_choice(here, STUDY, study.dataset)
        if study.dataset and view == ANSWER:
            rounds.draw_state(here, study.task, study.dataset)
    if not study.dataset:
        st.info(
            "There are no questions yet. A lead can import them on the Data page, or make them"
            " from a knowledge graph.",
            icon=":material/inbox:",
        )
        return
    if view == ANSWER or not may:
        if not may:
            st.caption("The models' answers are shown once you have handed in the questionnaire.")
        questionnaire.draw(here, study)
        return
    st.html(STYLE)
    taps()
    _explore(here, study, str(view))


def _explore(here: Here, study: Study, view: str) -> None:
    explorer = Explorer(here.store, study.dataset, here.person)
    source = Source(explorer, Where(study.dataset), (), theme())
    variants = source.keep_whole("variants", explorer.variants)
    names = tuple(model.name for model in source.keep_whole("models", explorer.models))
    with st.container(
        horizontal=True, vertical_alignment="bottom", key="ebmqa.filters", gap="small"
    ):
        prompt, repeat = _variant(variants)
        base = Where(study.dataset, prompt, repeat)
        source = Source(explorer, base, names, theme())
        known = known_values(source)
        there = {k: set(v) for k, v in known.items()}
        where = nav.where_of(st.query_params, base, there)
        if view != nav.PUBLISHED:
            draw_filters(source, where, known)
    if gone := nav.passed_over(st.query_params, there):
        st.warning(
            f"Not found, and ignored: {escape('; '.join(gone))}.", icon=":material/link_off:"
        )
    source = Source(explorer, where, names, theme())
    if not variants and view not in (nav.QUESTIONS, nav.SET, nav.PUBLISHED):
        st.info(
            "No model has answered these questions yet: run one on the Runs page, or import"
            " answers on the Data page.",
            icon=":material/inbox:",
        )
        return
    if st.query_params.get("question") and behind.draw_question(source):
        return
    _VIEWS[view](source)


def _variant(variants: list[tuple[str, int, int]]) -> tuple[str, int]:
    """The way of asking that is looked at: the most used one unless the address says another."""
    if not variants:
        return "", 1
    named = {
        prompt if repeat == 1 else f"{prompt} #{repeat}": (prompt, repeat)
        for prompt, repeat, _ in variants
    }
    chosen = asked_for("prompt", named, "prompt")
    wrong = not chosen and bool(st.query_params.get("prompt"))
    if not chosen and not wrong:
        chosen = next(iter(named))
        address.go(prompt=chosen)
    if len(named) > 1 or wrong:
        st.session_state["ebmqa.prompt"] = chosen or None
        st.selectbox(
            "Prompt",
            list(named),
            key="ebmqa.prompt",
            width=170,
            help="How the question was put: the order of the options, and whether “I do not know”"
            " was among them.",
            on_change=lambda: address.go(
                prompt=str(st.session_state["ebmqa.prompt"] or ""), mark="", question=""
            ),
        )
    if wrong:
        st.stop()
    return named[chosen]
