"""The page of EBMQA: which view, which question set, and who may see it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from medlens.ebmqa import questionnaire as questionnaires
from medlens.ebmqa import study as studies
from medlens.ebmqa.explore.access import may_explore
from medlens.ebmqa.explore.queries import Explorer
from medlens.ebmqa.explore.where import Where
from medlens.ebmqa.models import STUDY
from medlens.ebmqa.study import Study
from medlens.review import items
from medlens.ui import Here, address
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

_VIEWS: dict[str, Callable[[Source], None]] = {
    nav.OVERVIEW: overview.draw, nav.LABELS: labels.draw, nav.MODELS: models.draw,
    nav.PIVOT: pivot.draw, nav.QUESTIONS: questions.draw, nav.SET: question_set.draw,
    nav.PUBLISHED: paper.draw,
}  # fmt: skip


def draw(here: Here) -> None:
    """The view that the address names."""
    study = studies.open_study(here.store, st.query_params.get("dataset", ""))
    may = bool(study.dataset) and may_explore(here.store, study.dataset, here.person)
    lead = here.person.role == "lead"
    to_answer = not lead and questionnaires.is_drawn(here.store, study.dataset)
    views = [nav.ANSWER, *_VIEWS] if to_answer else [*_VIEWS, nav.ANSWER]
    views = views if may or lead else [nav.ANSWER]
    with st.container(key="desk_line", horizontal=True, vertical_alignment="center", gap="medium"):
        view = st.segmented_control(
            "View", views, key="view", default=views[0], required=True, bind="query-params",
            label_visibility="collapsed", wrap=True,
        )  # fmt: skip
        if study.illustrative:
            st.caption(":material/science: Illustrative", width="content")
    if not study.dataset:
        st.info(
            "There are no questions yet. A lead can import them on the Data page, or make them"
            " from a knowledge graph.",
            icon=":material/inbox:",
        )
        return
    if view == nav.ANSWER or not may:
        if not may:
            st.caption("What models answered is shown once you have handed in the questionnaire.")
        questionnaire.draw(here, study)
        return
    st.html(STYLE)
    _explore(here, study, str(view))


def _explore(here: Here, study: Study, view: str) -> None:
    explorer = Explorer(here.store, study.dataset, here.person)
    source = Source(explorer, Where(study.dataset), (), theme())
    variants = source.keep_whole("variants", explorer.variants)
    names = tuple(model.name for model in source.keep_whole("models", explorer.models))
    with st.container(
        horizontal=True, vertical_alignment="bottom", key="ebmqa.filters", gap="small"
    ):
        _datasets(here, study)
        prompt, repeat = _variant(variants)
        base = Where(study.dataset, prompt, repeat)
        source = Source(explorer, base, names, theme())
        known = known_values(source)
        where = nav.where_of(st.query_params, base, {k: set(v) for k, v in known.items()})
        if view != nav.PUBLISHED:
            draw_filters(source, where, known)
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


def _datasets(here: Here, study: Study) -> None:
    known = [str(row["dataset"]) for row in items.datasets(here.store, STUDY)]
    if len(known) < 2:
        return
    st.session_state["ebmqa.dataset"] = study.dataset
    st.selectbox(
        "Question set", known, key="ebmqa.dataset", width=200,
        on_change=lambda: nav.to_dataset(st.session_state["ebmqa.dataset"]),
    )  # fmt: skip


def _variant(variants: list[tuple[str, int, int]]) -> tuple[str, int]:
    """The way of asking that is looked at: the most used one unless the address says another."""
    if not variants:
        return "", 1
    named = {
        prompt if repeat == variants[0][1] else f"{prompt} #{repeat}": (prompt, repeat)
        for prompt, repeat, _ in variants
    }
    default = next(iter(named))
    asked = st.query_params.get("prompt", default)
    chosen = asked if asked in named else default
    if len(named) > 1:
        st.session_state["ebmqa.prompt"] = chosen
        st.selectbox(
            "Prompt", list(named), key="ebmqa.prompt", width=170,
            help="How the question was put: the order of the options, and whether “I do not know”"
            " was among them.",
            on_change=lambda: address.go(
                prompt=str(st.session_state["ebmqa.prompt"]), mark="", question=""
            ),
        )  # fmt: skip
    return named[chosen]
