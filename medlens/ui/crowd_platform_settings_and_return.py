"""Crowd platforms on the page: a lead's settings for one, and the way back for those who finish."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from medlens.errors import InvalidInput
from medlens.review import (
    completion_code_rules_and_decisions,
    consensus,
    crowd_platforms_and_worker_ids_of_rounds,
    hand_out_settings,
)
from medlens.review.completion_code_rules_and_decisions import Outcome, Rule
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.ui.answer_form import FieldData
from medlens.ui.form_outside_queue import Entries, draw_form_sheet, form_sheet_of_session
from medlens.ui.page_frame import Here

_PROLIFIC = "PROLIFIC_PID"
_BOUNDS = {
    "least_judged": "Items to be judged, of those handed out (%)",
    "most_passed_over": "Items flagged or skipped, at most (%)",
    "least_gold": "Hidden gold answered as expected, at least (%; 0: not checked)",
}


def draw_crowd_platform_settings(here: Here, task: Task, dataset: str) -> None:
    """Where a round's raters come from, and what they get when they are done (leads)."""
    now = crowd_platforms_and_worker_ids_of_rounds.platform_of_round(
        here.store, task.name, dataset
    ) or crowd_platforms_and_worker_ids_of_rounds.Platform("")
    rule = completion_code_rules_and_decisions.completion_rule_of_round(
        here.store, task.name, dataset
    )
    bounds = [name for name in _BOUNDS if name != "least_gold" or task.can_items_be_gold]
    st.header("Crowd platform", anchor=False)

    def send(entered: Entries) -> None:
        crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
            here.store,
            task.name,
            dataset,
            parameter=entered.get("parameter") or "",
            address=entered.get("address") or "",
            code=entered.get("code") or "",
            rule=replace(rule, **{name: _percent(entered, name) for name in bounds}),
            by=here.person,
        )

    sheet = form_sheet_of_session(
        here.store,
        here.person,
        "crowd",
        f"{task.name}.{dataset}",
        send=send,
        given={
            "parameter": now.parameter,
            "address": now.address,
            "code": now.code,
            **{name: str(getattr(rule, name)) for name in bounds},
        },
        anew=True,
    )
    fields: list[FieldData] = [
        {
            "id": "parameter",
            "kind": "text",
            "label": "The worker's id in the link",
            "hint": "PROLIFIC_PID for Prolific. Left empty, people come from no platform.",
            "short": True,
            "longest": 40,
        },
        {"id": "address", "kind": "text", "label": "Return address", "longest": 500},
        {
            "id": "code",
            "kind": "text",
            "label": "Completion code",
            "hint": "Shown, with the address, to workers who have finished their items.",
            "short": True,
            "longest": 64,
        },
    ]
    fields += [
        {"id": name, "kind": "text", "label": _BOUNDS[name], "short": True, "longest": 3}
        for name in bounds
    ]
    draw_form_sheet(sheet, fields, submit="Save")
    st.caption(
        "The code is shown to those who finish within these bounds. The others are told that "
        "somebody will look at their work, and you decide on **People → Completion codes**."
    )
    if rule.least_gold and not consensus.expected_answers_by_hidden_gold_item(
        here.store, task, dataset=dataset
    ):
        st.warning(
            "There is no hidden gold item yet, so nobody can answer one as expected: you will have"
            " to decide about everybody's code.",
            icon=":material/warning:",
        )
    if now.parameter:
        st.caption(
            "Make an invitation to this round under People and give its link to the platform. "
            "The table “crowd” (Data, Export) says what each worker's link carried and what they "
            "did."
        )


def _percent(entered: Entries, name: str) -> int:
    """A bound as entered; the default if it was left empty.

    Raises:
        InvalidInput: it is not a whole number from 0 to 100.
    """
    text = (entered.get(name) or "").strip().removesuffix("%").strip()
    if not text:
        return int(getattr(Rule(), name))
    if not text.isdecimal() or int(text) > 100:
        raise InvalidInput(f"{_BOUNDS[name]}: enter a whole number from 0 to 100.")
    return int(text)


def platform_link_suffix(platform: crowd_platforms_and_worker_ids_of_rounds.Platform | None) -> str:
    """What a link to a round must end with, for the platform to fill in."""
    if platform is None:
        return ""
    if platform.parameter == _PROLIFIC:
        names = (_PROLIFIC, "STUDY_ID", "SESSION_ID")
        return "".join(f"&{name}={{{{%{name}%}}}}" for name in names)
    return f"&{platform.parameter}=ID"


def draw_return_to_platform_when_finished(
    here: Here, task: Task, dataset: str, *, is_left: Callable[[], bool]
) -> None:
    """The way back to the platform, for people who came from one, have finished their items and
    have nothing else to do (``is_left``); or that somebody will look at their work first.
    """
    worker = crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(
        here.store, task.name, dataset, here.person.id
    )
    platform = crowd_platforms_and_worker_ids_of_rounds.platform_of_round(
        here.store, task.name, dataset
    )
    if not worker or platform is None:
        return
    me = here.person.id

    def is_finished() -> bool:
        usual = hand_out_settings.default_hand_out_settings(
            here.settings, task.name, task.handing_out
        )
        return (
            completion_code_rules_and_decisions.has_person_finished_share(
                here.store, task, dataset, me, usual=usual
            )
            and not is_left()
        )

    now = completion_outcome_for_viewer(here, task, dataset, is_finished=is_finished)
    if not now.is_:
        return
    with st.container(
        horizontal=True, vertical_alignment="center", width="content", key="crowd.return"
    ):
        if now.is_ != "given":
            st.markdown(
                why_no_code_in_words(
                    now, "Whoever runs the study on the platform can tell you why."
                ),
                width="content",
            )
            return
        if platform.address:
            st.link_button("Return to the platform", platform.address, type="primary")
        said = f" Your completion code: `{platform.code}`" if platform.code else ""
        st.markdown(f":material/check_circle: You have finished.{said}", width="content")


def completion_outcome_for_viewer(
    here: Here, task: Task, dataset: str, *, is_finished: Callable[[], bool]
) -> Outcome:
    """What the viewer is told of their completion code."""
    return completion_code_rules_and_decisions.decide_and_record_completion_outcome(
        here.store, task, dataset=dataset, rater=here.person.id, is_finished=is_finished
    )


def why_no_code_in_words(now: Outcome, refused: str) -> str:
    """What somebody is told who finished and is not shown a code, as Markdown; ``refused`` says who
    can tell why. That hidden gold was missed would tell which items are gold, and is left out.
    """
    if now.is_ == "refused":
        return (
            ":material/block: Somebody has looked at your work, and no completion code was given"
            f" for it. {refused}"
        )
    work, rule_misses = now.work, now.missed
    told = (
        ":material/hourglass_top: You have finished. Somebody from the study will look at your work"
        " before you get your completion code. Come back to this page for it."
    )
    if {"judged", "passed_over"} & rule_misses.keys():
        passed_over = work.flagged + work.skipped
        told += (
            f" You judged {work.judged:,} of the {work.handed_out:,} items that you were given and"
            f" flagged or skipped {passed_over:,}."
        )
        if passed_over:
            told += " If you can judge these after all, go back to them: you may get it at once."
    return told


def draw_return_if_no_items(store: Store, task: Task, dataset: str, rater: str) -> None:
    """What to do for somebody who came from a platform and finds no items."""
    decided = completion_code_rules_and_decisions.last_code_event_by_rater(
        store, task.name, dataset
    ).get(rater)
    if decided is not None and decided.kind in ("given", "refused"):
        return
    if crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(
        store, task.name, dataset, rater
    ):
        # No link back: a platform's return address says that the work was done.
        st.markdown(
            "You can close this page. Please return the study on the platform that you came from,"
            " so that your place is free again."
        )
