"""Error tagging in the browser: the desk and what follows the last item; leads' views."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import unquote

import streamlit as st

from medlens.review import surveys
from medlens.review.crowd import worker_of
from medlens.review.figures import VIEW
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks
from medlens.studies.tagging.figures_charts import against_published
from medlens.studies.tagging.study import Study, TaggingSettings, open_study
from medlens.studies.tagging.tasks import STUDY
from medlens.ui import Here, crowd, desk_view, marks, rounds, ways
from medlens.ui.address import go
from medlens.ui.coding import page as coding
from medlens.ui.figures import page as figures
from medlens.ui.figures.page import Looked
from medlens.ui.forms import draw_form, read_forms
from medlens.ui.span_desk import SpanDesk
from medlens.ui.tagging import item_detail
from medlens.ui.tagging.desk import coded_of, marking_of


def draw_results(here: Here, study: Study) -> None:
    """The results of the current dataset, or the response that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    if not study.dataset:
        rounds.draw_nothing(here, "responses")
        return
    opened = st.query_params.get("response", "")
    if opened and item_detail.draw(here, study, opened, _around(here, study, opened)):
        return

    figures.draw(here, STUDIES[STUDY], study, follow=_follow, below=_against_published)


def _against_published(looked: Looked, name: str) -> None:
    """How many responses have the published labels, with a link to the others."""
    if name != "labels":
        return
    for sentence, mark in against_published(looked.data):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(sentence, width="content")
            if mark:
                st.button(
                    "Differences",
                    key=f"results.{mark}",
                    type="tertiary",
                    on_click=go,
                    kwargs={"mark": mark},
                )


def _follow(mark: str) -> None:
    """Open what is behind a mark; a judgment that breaks a rule opens its response directly."""
    kind, _, name = mark.partition("|")
    go(**({"response": unquote(name)} if kind == "response" else {"mark": mark}))


def _around(here: Here, study: Study, name: str) -> list[str]:
    """The list to page through: the responses behind the mark, else all that were judged."""
    looked = figures.look(here, STUDIES[STUDY], study)
    for mark in (st.query_params.get("mark", ""), ""):
        found = figures.behind(looked, mark)
        names = list(dict.fromkeys(one["response"] for one in found.leads)) if found else []
        if name in names:
            break
    return names


def draw(here: Here) -> None:
    """The view that the address names; reviewers have only the desk."""
    dataset = rounds.dataset_of(here, tasks.STUDY)
    study = open_study(here.store, here.settings, dataset)
    views = ["Tag", *((VIEW, "Open coding") if here.person.role == "lead" else ())]
    with ways.page_line(here, STUDY, dataset, views, illustrative=study.illustrative) as view:
        if view == "Tag" and dataset:
            rounds.draw_state(
                here,
                study.task,
                dataset,
                is_left=lambda: None in _answered(here).values(),
            )
        if view == "Open coding" and study.dataset:
            coding.draw_choice()
    if view == VIEW:
        draw_results(here, study)
    elif view == "Open coding" and study.dataset:
        coding.draw(here, coded_of(study))
    else:
        _tag(here, study)


def _tag(here: Here, study: Study) -> None:
    """The next item, or the forms and the completion code."""
    if not study.dataset:
        rounds.draw_nothing(here, "responses to tag")
        return
    desk = marks.open_desk(
        here,
        study.task,
        partial(marking_of, study),
        dataset=study.dataset,
        settings=study.settings,
        sign=(study.taxonomy,),
    )
    if desk.item is None:
        _after_the_last(here, study, desk)
        return
    marks.draw_desk(desk)


def _after_the_last(here: Here, study: Study, desk: SpanDesk) -> None:
    _, middle, _ = st.columns([1, 3, 1])
    with middle:
        if desk_view.not_at_the_end(desk, "responses"):
            return
        st.title("All items done", anchor=False)
        judged = sum(place.state == "submitted" for place in desk.queue.places)
        judged -= desk.queue.practised
        forms = read_forms(here.settings.of(TaggingSettings).forms)
        answered = _answered(here)
        left = sum(given is None for given in answered.values())
        st.markdown(f"You have tagged **{judged}** responses. {_left_to_do(left)}")
        for form in forms:
            draw_form(here, form, answered[form.id])
        # A crowd platform has its own code, shown in the line above.
        if not left and not worker_of(here.store, study.task.name, study.dataset, here.person.id):
            _draw_code(here, study)
        st.button("Review my items", icon=":material/undo:", on_click=_reopen, args=(desk,))


def _draw_code(here: Here, study: Study) -> None:
    """The viewer's completion code, or that somebody will look at their work first."""
    now = crowd.outcome_for(here, study.task, study.dataset, is_finished=lambda: True)
    with st.container(border=True):
        if now.is_ in ("waiting", "refused"):
            st.markdown(crowd.told_without_code(now, "Whoever runs the study can tell you why."))
            return
        code = surveys.completion_code(
            dataset=study.dataset, rater=here.person.id, seed=study.settings.seed
        )
        st.markdown(":material/check_circle: **Thank you. Your completion code**")
        st.code(code, language=None)


def _answered(here: Here) -> dict[str, Any]:
    """The viewer's answers in each form; None for a form still to answer."""
    return {
        form.id: surveys.answers(here.store, form=form.id, rater=here.person.id)
        for form in read_forms(here.settings.of(TaggingSettings).forms)
    }


def _left_to_do(forms: int) -> str:
    if not forms:
        return ""
    which = {1: "One short form is", 2: "Two short forms are"}
    said = which.get(forms, f"{forms} short forms are")
    return f"{said} left; after that you will get your completion code."


def _reopen(desk: SpanDesk) -> None:
    desk.open_place(desk.queue.places[0])
