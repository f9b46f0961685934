"""The desk of your own study that marks a text: its words, the study's labels and questions.

Everything from the study's file and its items is shown as plain text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

import streamlit as st

from medlens.review import (
    codebooks_coded_passages_and_agreement,
    guideline,
    hand_out_settings,
    items,
)
from medlens.review.codebooks_coded_passages_and_agreement import Corpus
from medlens.store import Store
from medlens.studies.own.dialogue_turns import is_system_prompt, name_of_role
from medlens.studies.own.model_name_masking import MaskedItem
from medlens.studies.own.study import Study
from medlens.studies.own.study_file import IN_WORDS, StudyDeclaration, StudyPane
from medlens.studies.own.tasks import ITEM_KIND, NAME, STUDY, Answers
from medlens.ui import Here, desk_view, span_desk_view
from medlens.ui.coding.desk import Subject
from medlens.ui.own_item_panes_and_questions import (
    LIT,
    NOTHING_HERE,
    labels_and_mark_questions_as_surface_data,
    marks_for_surface,
    marks_from_browser,
    split_source_by_highlight,
    text_compared_with_source,
    valid_answer_from_field,
)
from medlens.ui.span_desk import Marking
from medlens.ui.span_tagger import span_tagger, surface_data_without_desk
from medlens.ui.span_tagger.message import Body, Message
from medlens.ui.survey_forms import answers_as_field_values
from medlens.ui.task_share_and_desk_message_receiver import make_message_acknowledgement
from medlens.ui.text_to_mark import NO_BODY


def marking_setup_of_study_texts(study: Study, told: str = "") -> Marking:
    """How a study's texts are marked; ``told`` is shown beside a rater's first item."""

    def lay(store: Store, item: str, first: bool) -> dict[str, Any]:
        # After the first item the instructions are under Guideline, so the source can move up.
        seen = MaskedItem(study.declared, items.item_body(store, item)).body_to_draw
        return item_as_surface_data(study.declared, seen, told if first else "")

    def quoted(
        store: Store,
        item: str,
        version: int | None,
        spans: Sequence[Mapping[str, Any]],
        outward: bool,
    ) -> list[dict[str, Any]]:
        stored = items.item_body(store, item, version)
        return MaskedItem(study.declared, stored).requote_spans_of_text(spans, outward=outward)

    return Marking(
        asked={**labels_and_mark_questions_as_surface_data(study.declared), "notice": ""},
        lay=lay,
        drawn=partial(answer_as_surface_data, study.declared),
        kept=partial(answer_from_message, study),
        quoted=quoted if study.declared.mask else None,
    )


def find_open_coding_setup_of_study(store: Store, study: Study) -> Subject | None:
    """How to code a study's texts with your own labels: in the column that its question marks, else
    the last text shown; None if it shows none. A column already begun is kept, because another
    would part the marks from their words.
    """
    declared = study.declared
    texts = [
        one.columns[0]
        for one in declared.initial_panes
        if one.kind in ("text", "markdown") and not declared.are_arms_side_by_side
    ]
    begun = codebooks_coded_passages_and_agreement.column_coded_in_dataset(
        store, STUDY, study.dataset
    )
    asked = declared.spans.column if declared.spans else ""
    column = begun or asked or (texts[-1] if texts else "")
    if not study.dataset or not column:
        return None
    beside = tuple(dict.fromkeys(one for one in texts if one != column))

    def lay(store: Store, item: str) -> dict[str, Any]:
        laid = items.item_body(store, item)
        blocks = [
            block
            for pane in declared.initial_panes
            if pane.columns != (column,) and pane.kind in IN_WORDS
            for block in (
                {"kind": "head", "text": pane.title},
                {"kind": "text", "text": _text(pane, laid)},
            )
        ]
        title = next((one.title for one in declared.panes if one.columns == (column,)), column)
        context = {"heading": declared.form.title, "blocks": blocks}
        return {"text": str(laid.get(column) or ""), "title": title, "context": context}

    corpus = Corpus(STUDY, study.dataset, ITEM_KIND, column, chose=True)
    return Subject(corpus, lay, "pages/8_Your_studies.py", beside)


def item_as_surface_data(
    declared: StudyDeclaration, laid: Mapping[str, Any], told: str
) -> dict[str, Any]:
    """An item's text, with what else is shown beside it and what reviewers are told."""
    one = declared.spans
    assert one is not None
    marked = next(p for p in declared.panes if p.kind == "text" and p.columns == (one.column,))
    blocks: list[dict[str, Any]] = [{"kind": "text", "text": one.text}]
    blocks += [{"kind": "note", "text": one.help}] if one.help else []
    for pane in declared.initial_panes:
        if pane is marked or pane.kind not in IN_WORDS:
            continue
        blocks.append({"kind": "head", "text": pane.title})
        if pane.kind == "source" and laid.get(pane.columns[0]):
            parts = split_source_by_highlight(
                str(laid[pane.columns[0]]), text_compared_with_source(laid, pane)
            )
            blocks += [{"kind": "source", "parts": parts}, {"kind": "note", "text": LIT}]
        else:
            blocks.append({"kind": "text", "text": _text(pane, laid)})
    if told.strip():
        blocks += [{"kind": "head", "text": "Instructions"}]
        # Drawn as plain text: a list's signs would look like a mistake.
        blocks += [{"kind": "note", "text": re.sub(r"(?m)^[-*] ", "• ", told.strip())}]
    return {
        "text": str(laid.get(one.column, "")),
        "title": marked.title,
        "context": {"heading": declared.form.title, "blocks": blocks},
    }


def _text(pane: StudyPane, laid: Mapping[str, Any]) -> str:
    there = [name for name in pane.columns if laid.get(name)]
    if not there:
        return NOTHING_HERE
    if pane.kind == "record":
        return "\n".join(f"{name.replace('_', ' ').capitalize()}: {laid[name]}" for name in there)
    if pane.kind == "dialogue":
        return "\n\n".join(
            f"{name_of_role(turn['role'])}: {turn['content']}"
            for turn in sorted(laid[there[0]], key=is_system_prompt)
        )
    return str(laid[there[0]])


def answer_as_surface_data(declared: StudyDeclaration, value: Answers | None) -> dict[str, Any]:
    """An answer in the surface's form."""
    if value is None:
        return dict(NO_BODY)
    held = answers_as_field_values(declared.form, value.answers)
    return {
        "spans": marks_for_surface(value.spans),
        "comment": "",
        "answers": {name: said for name, said in held.items() if said is not None},
    }


def answer_from_message(study: Study, body: Body) -> dict[str, Any]:
    """The surface's message as an answer, limited to valid values."""
    declared = study.declared
    assert declared.spans is not None
    answers = {
        one.id: valid_answer_from_field(one, body.answers.get(one.id, ""))
        for one in declared.form.questions
    }
    return {
        "version": study.version,
        "answers": {name: said for name, said in answers.items() if said is not None},
        "spans": marks_from_browser(declared.spans, (one.model_dump() for one in body.spans)),
    }


def draw_marking_desk_or_end(here: Here, study: Study) -> None:
    """The next item, or the end."""
    settings = hand_out_settings.hand_out_settings_in_force(
        here.store,
        NAME,
        study.dataset,
        hand_out_settings.default_hand_out_settings(here.settings, NAME, study.task.handing_out),
    )
    told = guideline.current_guideline(here.store, study.task, dataset=study.dataset).text
    desk = span_desk_view.marking_desk_of_session(
        here,
        study.task,
        partial(marking_setup_of_study_texts, study, told),
        dataset=study.dataset,
        settings=settings,
        sign=(study.version, told),
    )
    if desk.item is None:
        desk_view.draw_end(here, desk, done="judged", things="items")
        return
    span_desk_view.draw_marking_desk(desk)


def draw_marking_preview(
    declared: StudyDeclaration, laid: Mapping[str, Any], *, key: str, item: str
) -> None:
    """The surface as a reviewer sees it, to try out: marks show, and nothing is saved."""
    held = st.session_state.get(key)
    if held is None or held["item"] != item:
        held = st.session_state[key] = {"item": item, "body": NO_BODY, "rev": 0, "ack": None}

    def heard(message: Message) -> None:
        held["body"], held["rev"] = message.body.model_dump(), held["rev"] + 1
        at = datetime.now(UTC).isoformat()
        held["ack"] = make_message_acknowledgement(message.token, rev=held["rev"], at=at)

    with st.container(key="among"):
        span_tagger.draw_item_without_desk(
            surface_data_without_desk(
                labels_and_mark_questions_as_surface_data(declared),
                item_as_surface_data(declared, laid, declared.form.intro),
                item,
                held["body"],
                notice="",
                rev=held["rev"],
                ack=held["ack"],
                among=True,
            ),
            key=f"{key}.surface",
            on_message=heard,
        )
