"""Error tagging in the browser: the desk and what follows the last item; leads' views."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import unquote

import streamlit as st

from medlens.review import survey_answers_and_completion_code
from medlens.review.crowd_platforms_and_worker_ids_of_rounds import worker_id_of_rater
from medlens.review.figure_definitions import VIEW
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks
from medlens.studies.tagging.figures_charts import list_label_match_sentences_with_mark_ids
from medlens.studies.tagging.registration import TAG
from medlens.studies.tagging.study_in_dataset import Study, TaggingSettings, open_study
from medlens.studies.tagging.tasks import STUDY
from medlens.ui import (
    Here,
    crowd_platform_settings_and_return,
    dataset_choice_and_round_controls,
    desk_view,
    span_desk_view,
    study_navigation,
)
from medlens.ui.coding import page as coding
from medlens.ui.figures import page as figures
from medlens.ui.figures.page import FiguresForLead
from medlens.ui.page_address import redirect_earlier_view_names, set_values_in_address
from medlens.ui.span_desk import SpanDesk
from medlens.ui.survey_forms import draw_participant_form, read_forms_of_folder
from medlens.ui.tagging import item_detail
from medlens.ui.tagging.response_for_span_desk import (
    make_open_coding_setup_of_responses,
    marking_setup_of_responses,
)


def draw_results(here: Here, study: Study) -> None:
    """The results of the current dataset, or the response that the address names.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    if not study.dataset:
        dataset_choice_and_round_controls.draw_nothing_yet(here, "responses")
        return
    opened = st.query_params.get("response", "")
    if opened and item_detail.draw_marked_response_and_say_if_found(
        here, study, opened, _around(here, study, opened)
    ):
        return

    figures.draw_figures(here, STUDIES[STUDY], study, follow=_follow, below=_against_published)


def _against_published(looked: FiguresForLead, name: str) -> None:
    """How many responses have the published labels, with a link to the others."""
    if name != "labels":
        return
    for sentence, mark in list_label_match_sentences_with_mark_ids(looked.data):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(sentence, width="content")
            if mark:
                st.button(
                    "Differences",
                    key=f"results.{mark}",
                    type="tertiary",
                    on_click=set_values_in_address,
                    kwargs={"mark": mark},
                )


def _follow(mark: str) -> None:
    """Open what is behind a mark; a judgment that breaks a rule opens its response directly."""
    kind, _, name = mark.partition("|")
    set_values_in_address(**({"response": unquote(name)} if kind == "response" else {"mark": mark}))


def _around(here: Here, study: Study, name: str) -> list[str]:
    """The list to page through: the responses behind the mark, else all that were judged."""
    looked = figures.figures_of_dataset_for_lead(here, STUDIES[STUDY], study)
    for mark in (st.query_params.get("mark", ""), ""):
        found = figures.find_what_is_behind_mark(looked, mark)
        names = list(dict.fromkeys(one["response"] for one in found.leads)) if found else []
        if name in names:
            break
    return names


def draw_page(here: Here) -> None:
    """The view that the address names; reviewers have only the desk."""
    redirect_earlier_view_names({"Tag": TAG})
    dataset = dataset_choice_and_round_controls.pick_dataset_and_set_address_or_stop_page(
        here, tasks.STUDY
    )
    study = open_study(here.store, here.settings, dataset)
    views = [TAG, *((VIEW, "Open coding") if here.person.role == "lead" else ())]
    with study_navigation.draw_study_navigation(
        here, STUDY, dataset, views, illustrative=study.illustrative
    ) as view:
        if view == TAG and dataset:
            dataset_choice_and_round_controls.draw_round_state(
                here,
                study.task,
                dataset,
                is_left=lambda: None in _answered(here).values(),
            )
        if view == "Open coding" and study.dataset:
            coding.draw_coding_part_choice()
    if view == VIEW:
        draw_results(here, study)
    elif view == "Open coding" and study.dataset:
        coding.draw_chosen_coding_part(here, make_open_coding_setup_of_responses(study))
    else:
        _tag(here, study)


def _tag(here: Here, study: Study) -> None:
    """The next item, or the forms and the completion code."""
    if not study.dataset:
        dataset_choice_and_round_controls.draw_nothing_yet(here, "responses to tag")
        return
    desk = span_desk_view.marking_desk_of_session(
        here,
        study.task,
        partial(marking_setup_of_responses, study),
        dataset=study.dataset,
        settings=study.settings,
        sign=(study.taxonomy,),
    )
    if desk.item is None:
        _after_the_last(here, study, desk)
        return
    span_desk_view.draw_marking_desk(desk)


def _after_the_last(here: Here, study: Study, desk: SpanDesk) -> None:
    _, middle, _ = st.columns([1, 3, 1])
    with middle, st.container(key="desk_end"):
        if desk_view.draw_why_nothing_to_judge_and_say_if_drawn(desk, "responses"):
            return
        st.title("All items done", anchor=False)
        judged = sum(place.state == "submitted" for place in desk.queue.places)
        judged -= desk.queue.practised
        forms = read_forms_of_folder(here.settings.of(TaggingSettings).forms)
        answered = _answered(here)
        left = sum(given is None for given in answered.values())
        st.markdown(f"You have tagged **{judged}** responses. {_left_to_do(left)}")
        for form in forms:
            draw_participant_form(here, form, answered[form.id])
        # A crowd platform has its own code, shown in the line above.
        if not left and not worker_id_of_rater(
            here.store, study.task.name, study.dataset, here.person.id
        ):
            _draw_code(here, study)
        desk_view.draw_links_after_finished_share(here, desk, partial(_reopen, desk))


def _draw_code(here: Here, study: Study) -> None:
    """The viewer's completion code, or that somebody will look at their work first."""
    now = crowd_platform_settings_and_return.completion_outcome_for_viewer(
        here, study.task, study.dataset, is_finished=lambda: True
    )
    with st.container(border=True):
        if now.is_ in ("waiting", "refused"):
            st.markdown(
                crowd_platform_settings_and_return.why_no_code_in_words(
                    now, "Whoever runs the study can tell you why."
                )
            )
            return
        code = survey_answers_and_completion_code.make_completion_code(
            dataset=study.dataset, rater=here.person.id, seed=study.settings.seed
        )
        st.markdown(":material/check_circle: **Thank you. Your completion code**")
        st.code(code, language=None)


def _answered(here: Here) -> dict[str, Any]:
    """The viewer's answers in each form; None for a form still to answer."""
    return {
        form.id: survey_answers_and_completion_code.load_last_survey_answers(
            here.store, form=form.id, rater=here.person.id
        )
        for form in read_forms_of_folder(here.settings.of(TaggingSettings).forms)
    }


def _left_to_do(forms: int) -> str:
    if not forms:
        return ""
    which = {1: "One short form is", 2: "Two short forms are"}
    said = which.get(forms, f"{forms} short forms are")
    return f"{said} left; after that you will get your completion code."


def _reopen(desk: SpanDesk) -> None:
    desk.put_item_of_queue_place_on_desk(desk.queue.places[0])
