"""One response as a lead reads it: all raters' marks in the text, their labels side by side.

Reading others' marks is recorded (``review.judging.record_view_of_others_judgments``): the reader's
later judgments are not blind, and the page says so before it shows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from medlens.review import assignment, items, judging
from medlens.studies.tagging import tasks
from medlens.studies.tagging.study_in_dataset import Study
from medlens.ui import Here, page_address
from medlens.ui import all_verdicts_and_revisions_on_item as judge_table
from medlens.ui.chart_with_table_and_csv import draw_csv_button
from medlens.ui.page_frame import escape_markdown
from medlens.ui.span_desk_view import STYLE
from medlens.ui.span_tagger import (
    Message,
    marks_in_text_order_with_owners,
    span_tagger,
    surface_data_without_desk,
)
from medlens.ui.tagging.response_for_span_desk import marking_setup_of_responses

EVERYONE = "everyone"
_ACK = "detail.ack"


def draw_marked_response_and_say_if_found(
    here: Here, study: Study, name: str, names: Sequence[str]
) -> bool:
    """Draw the response called ``name``, one of ``names`` to page through; False if there is
    none.

    Raises:
        NotAllowed: the viewer is a reviewer who has not judged it.
    """
    found = items.item_ids_by_name(here.store, study.task.study, study.dataset, [name])
    if name not in found:
        page_address.set_values_in_address(response="")
        return False
    item = found[name]
    st.html(STYLE)
    bar = st.container(horizontal=True, vertical_alignment="center")
    bar.button(
        "Results",
        icon=":material/arrow_back:",
        key="detail.close",
        shortcut="Escape",
        on_click=_close,
    )
    bar.markdown(f"**{escape_markdown(name)}**", width="content")
    if not _may_be_seen(here, study, item):
        _ask_first(item, name, names)
        return True
    judged = _judged(here, study, item)
    layer = _layer(bar, judged)
    with st.container(key="detail"):
        span_tagger.draw_item_without_desk(
            _data(here, study, item, name, names, judged, layer),
            key="detail.surface",
            on_message=lambda message: _leaf(message, name, names),
        )
    st.caption(
        "You have seen what others marked here: if you judge this response later, or again, that "
        "judgment is marked as made after looking."
    )
    _side_by_side(study, judged)
    _details(study, judged)
    judge_table.draw_all_verdicts_on_item(
        here,
        tasks.list_verdicts_of_models(here.store, study.taxonomy, study.dataset, item=item),
        judges="tagger",
        key="detail.judges",
        word=lambda one: str(one.body.get("labels") or one.outcome),
    )
    _history(here, study, item)
    return True


def _close() -> None:
    page_address.set_values_in_address(response="", rater="")


def _may_be_seen(here: Here, study: Study, item: str) -> bool:
    """Whether the viewer has nothing left to judge here, or has asked to see it anyway."""
    held = assignment.load_rater_queue(
        here.store, study.task, study.settings, dataset=study.dataset, rater=here.person.id
    )
    mine = next((place for place in held.places if place.item == item), None)
    asked = mine is not None and mine.state != "submitted"
    return not asked or bool(st.session_state.get(_agreed(item)))


def _ask_first(item: str, name: str, names: Sequence[str]) -> None:
    st.info(
        "This response is in your own queue and you have not judged it. Once you see what others "
        "marked, your judgment is marked as made after looking. You can tag it first, under Tag.",
        icon=":material/visibility_off:",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Show the marks", key="detail.agree", on_click=_agree, args=(item,))
        for label, key, step in (("Previous", "K", -1), ("Next", "J", 1)):
            st.button(
                label,
                key=f"detail.step.{step}",
                shortcut=key,
                on_click=_step,
                args=(name, names, step),
                disabled=_beside(name, names, step) is None,
            )


def _agreed(item: str) -> str:
    return f"detail.agreed.{item}"


def _agree(item: str) -> None:
    st.session_state[_agreed(item)] = True


def _judged(here: Here, study: Study, item: str) -> list[dict[str, Any]]:
    """The latest by rater, the viewer too: rater, value, seconds, blind, origin, made_at."""
    # This records that the others' marks were seen; the history alone would not.
    judging.record_view_of_others_judgments(here.store, study.task, item=item, viewer=here.person)
    newest: dict[str, dict[str, Any]] = {}
    for row in judging.list_revisions_viewer_may_see(
        here.store, study.task, item=item, viewer=here.person
    ):
        newest[row["rater"]] = row
    return [newest[rater] for rater in sorted(newest)]


def _layer(bar: Any, judged: list[dict[str, Any]]) -> str:
    options = [EVERYONE, *(row["rater"] for row in judged)]
    key = "detail.layer"
    asked = st.query_params.get("rater", EVERYONE)
    st.session_state[key] = asked if asked in options else EVERYONE

    def chosen() -> None:
        picked = str(st.session_state[key])
        page_address.set_values_in_address(rater="" if picked == EVERYONE else picked)

    return str(
        bar.segmented_control(
            "Whose marks",
            options,
            key=key,
            required=True,
            on_change=chosen,
            format_func=lambda one: "Everyone" if one == EVERYONE else escape_markdown(one),
            label_visibility="collapsed",
            wrap=True,
        )
    )


def _data(
    here: Here,
    study: Study,
    item: str,
    name: str,
    names: Sequence[str],
    judged: list[dict[str, Any]],
    layer: str,
) -> Any:
    at = names.index(name) if name in names else 0
    marking = marking_setup_of_responses(study)
    bodies = {row["rater"]: marking.drawn(row["value"]) for row in judged}
    return surface_data_without_desk(
        marking.asked,
        marking.lay(here.store, item, False),
        item,
        marks_in_text_order_with_owners(bodies) if layer == EVERYONE else bodies[layer],
        rater=f"view:{layer}",
        state="submitted",
        readonly=True,
        progress={
            "done": 0,
            "total": max(1, len(names)),
            "position": at + 1,
            "has_previous": _beside(name, names, -1) is not None,
            "has_next": _beside(name, names, 1) is not None,
        },
        ack=st.session_state.get(_ACK),
    )


def _leaf(message: Message, name: str, names: Sequence[str]) -> None:
    """Previous and next from the surface's own buttons and keys."""
    st.session_state[_ACK] = {
        "token": message.token,
        "saved_at": "",
        "rev": 0,
        "error": None,
        "newer": None,
    }
    _step(name, names, {"previous": -1, "next": 1}.get(message.action, 0))


def _step(name: str, names: Sequence[str], step: int) -> None:
    to = _beside(name, names, step)
    if to is not None:
        page_address.set_values_in_address(response=to, rater="")


def _beside(name: str, names: Sequence[str], step: int) -> str | None:
    """The previous or next response, None at the ends of the list."""
    to = names.index(name) + step if name in names else -1
    return names[to] if 0 <= to < len(names) else None


def _side_by_side(study: Study, judged: list[dict[str, Any]]) -> None:
    st.markdown("### Labels by rater")
    given = {row["rater"]: row["value"].labels_given() for row in judged}
    rows = [
        {
            "label": label.name,
            **{who: "●" if label.id in has else "" for who, has in given.items()},
            "raters": f"{sum(label.id in has for has in given.values())} of {len(given)}",
        }
        for label in study.taxonomy.labels
        if any(label.id in has for has in given.values())
    ]
    times = {row["rater"]: _minutes(row["active_seconds"]) for row in judged}
    if any(times.values()):
        rows.append({"label": "Time", **times, "raters": ""})
    if not rows:
        st.caption("Nobody gave a label.")
        return
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Which rater gave which label")


def _minutes(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds / 60:.1f} min"


def _details(study: Study, judged: list[dict[str, Any]]) -> None:
    names = {label.id: label.name for label in study.taxonomy.labels}
    spans = pd.DataFrame(
        [
            {
                "rater": row["rater"],
                "words": span.quote,
                "label": "; ".join(names.get(x, x) for x in span.labels),
                "comment": span.comment,
                "link": span.link,
                "place": f"{span.start}–{span.end}" if span.start is not None else span.located,
            }
            for row in judged
            for span in row["value"].spans
        ],
        columns=["rater", "words", "label", "comment", "link", "place"],
    )
    opened = st.expander(f"Marks · {len(spans)}", key="detail.marks", on_change="rerun")
    if opened.open:
        with opened:
            st.dataframe(spans, hide_index=True, alt="Every mark with its comment and link")
            draw_csv_button(spans, "marks")


def _history(here: Here, study: Study, item: str) -> None:
    def said(row: judge_table.Revision) -> dict[str, str]:
        value = row["value"]
        given = [one.name for one in study.taxonomy.labels if one.id in value.labels_given()]
        return {"labels": "; ".join(given), "comment": value.comment}

    judge_table.draw_all_revisions_on_item(
        lambda: judging.list_revisions_viewer_may_see(
            here.store, study.task, item=item, viewer=here.person
        ),
        said,
        key="detail.history",
    )
